//! A handler with its plan, its type forgotten: what tools, prompts, resources and templates have in common.

use roundtrip_types::Outcome;

use crate::{
    call::{Call, StateMap},
    error::ToolError,
    exchange::BoxFuture,
    param::Param,
    plan::Plan,
};

/// A handler that comes to an `R`, and the plan that runs before it.
pub(crate) struct Body<R> {
    pub(crate) plan: Plan,
    /// Whether the handler may ask by hand.
    asks: bool,
    run: Box<dyn Fn(&Call<'_>) -> BoxFuture<'static, Result<Outcome<R>, ToolError>> + Send + Sync>,
}

impl<R> Body<R> {
    /// A body that takes its parameters from the call, then runs.
    pub(crate) fn new<P, F, Fut>(plan: Plan, asks: bool, run: F) -> Self
    where
        P: Param,
        F: Fn(P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Outcome<R>, ToolError>> + Send + 'static,
        R: Send + 'static,
    {
        let run = move |call: &Call<'_>| -> BoxFuture<'static, _> {
            match P::take(call) {
                Ok(params) => Box::pin(run(params)),
                Err(error) => Box::pin(std::future::ready(Err(error))),
            }
        };
        Self { plan, asks, run: Box::new(run) }
    }

    /// Runs the handler. All that its plan needs must be settled.
    pub(crate) fn run(&self, call: &Call<'_>) -> BoxFuture<'static, Result<Outcome<R>, ToolError>> {
        (self.run)(call)
    }

    /// Whether a call of this handler can take more than one round.
    pub(crate) fn may_ask(&self) -> bool {
        self.asks || !self.plan.nodes.is_empty()
    }

    /// What is wrong with the handler, each as the rest of a sentence about it.
    pub(crate) fn check(&self, states: &StateMap) -> Vec<String> {
        let mut problems = self.plan.check(states);
        if self.asks && !self.plan.nodes.is_empty() {
            problems.push(
                "it takes `Resolved<_>` and also returns `Outcome<_>`; a call has one set of questions, so let either \
                 its resolvers or its body ask"
                    .to_owned(),
            );
        }
        problems
    }
}
