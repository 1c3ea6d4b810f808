//! Hop 4. One round of a call: open the state, run the plan, then ask (and seal) or run the body.

use std::sync::{Arc, OnceLock};

use roundtrip_protocol::{canonical, inbound::Request};
use roundtrip_types::{InputRequiredResult, InputResponses, McpError, Outcome};
use serde_json::value::RawValue;

use crate::{
    body::Body,
    call::{Arguments, Call, StateMap},
    context::Context,
    error::ToolError,
    exchange::{Exchange, Outbox},
    progress::Progress,
    reply::Shared,
    seal::{Binding, Boundary, Refusal},
};

/// One round of `tools/call`, `prompts/get` or `resources/read`: a request whose state, if it brought any, is open.
pub(crate) struct Round<'a> {
    shared: &'a Shared,
    method: &'a str,
    target: &'a str,
    arguments: Option<&'a RawValue>,
    exchange: Arc<Exchange>,
    /// What states of this request are bound to; made only when one comes in or goes out.
    binding: OnceLock<Binding<'a>>,
    pub(crate) context: Context,
}

impl<'a> Round<'a> {
    /// Opens the state before anything else is looked at, also for a handler that never asks and a target that does
    /// not exist.
    ///
    /// `target` is what the method names: a tool, a prompt, the URI of a resource.
    pub(crate) fn open(
        shared: &'a Shared,
        request: &'a Request<'a>,
        target: &'a str,
        exchange: Arc<Exchange>,
        outbox: Outbox,
    ) -> Result<Self, McpError> {
        let params = &request.params;
        let (method, arguments) = (request.method.as_str(), params.arguments()?);
        let binding = OnceLock::new();
        let request_state = match (&shared.boundary, params.request_state) {
            (_, None) => None,
            (None, Some(_)) => params.request_state()?.map(Into::into),
            (Some(boundary), Some(raw)) => {
                let binding = binding.get_or_init(|| bind(boundary, method, target, arguments, &exchange));
                boundary.open_json(binding, raw).map_err(|_| refused())?
            }
        };
        let input_responses = match params.input_responses()? {
            None => None,
            Some(raw) => Some(read_responses(raw)?),
        };
        let context =
            Context::new(shared, request, Arc::clone(&exchange), outbox, input_responses, request_state);
        Ok(Self { shared, method, target, arguments, exchange, binding, context })
    }

    /// Runs the resolvers, then the handler if nothing is left to ask.
    pub(crate) async fn run<R>(
        &self,
        body: &Body<R>,
        arguments: Arguments<'_>,
        states: &StateMap,
    ) -> Result<Outcome<R>, ToolError> {
        let plan = &body.plan;
        let settled = plan.nodes.iter().map(|_| OnceLock::new()).collect();
        let call = Call { plan, arguments, states, context: self.context.clone(), settled };
        if !plan.nodes.is_empty() {
            // Wrong arguments are refused before anybody is asked anything.
            if let Some(accepts) = plan.accepts {
                accepts(&arguments)?;
            }
            let mut progress = Progress::open(self.context.request_state(), self.context.input_responses());
            let open = plan.run(&call, &mut progress).await?;
            if !open.is_empty() {
                let asked = open.iter().map(|question| (question.key, question.digest.clone()));
                let mut result = InputRequiredResult::default();
                result.request_state = Some(progress.close(asked));
                let requests = open.into_iter().map(|question| (question.key.to_owned(), question.request));
                result.input_requests = Some(requests.collect());
                return Ok(Outcome::InputRequired(result));
            }
        }
        body.run(&call).await
    }

    /// Makes a result that asks ready for the wire: only what the client declared to answer, and a sealed state.
    pub(crate) fn ask(&self, mut result: InputRequiredResult) -> Result<InputRequiredResult, McpError> {
        result.input_requests = result.input_requests.filter(|requests| !requests.is_empty());
        if result.input_requests.is_none() && result.request_state.is_none() {
            tracing::error!(
                method = self.method,
                target = self.target,
                "a handler asked nothing and left no state"
            );
            return Err(McpError::internal_error());
        }
        for (key, request) in result.input_requests.iter().flatten() {
            if let Some(missing) = self.context.client_capabilities().missing(request) {
                let message =
                    format!("the question `{key}` needs a capability that the client did not declare");
                return Err(McpError::missing_client_capability(&missing, message));
            }
        }
        if let (Some(boundary), Some(state)) = (&self.shared.boundary, &result.request_state) {
            let binding = self
                .binding
                .get_or_init(|| bind(boundary, self.method, self.target, self.arguments, &self.exchange));
            let token = boundary.seal(binding, state).map_err(|_| McpError::internal_error())?;
            result.request_state = Some(token);
        }
        Ok(result)
    }
}

fn bind<'a>(
    boundary: &Boundary,
    method: &'a str,
    target: &'a str,
    arguments: Option<&RawValue>,
    exchange: &Exchange,
) -> Binding<'a> {
    let text = arguments.map_or("{}", RawValue::get);
    // Arguments too deep for a canonical form are bound as they were spelled, which is only stricter.
    let canonical = canonical::digest_input(text).unwrap_or_else(|_| text.as_bytes().to_vec());
    boundary.bind(method, target, &canonical, exchange)
}

/// What every refused state gets, whatever was wrong with it.
fn refused() -> McpError {
    McpError::invalid_params(Refusal::MESSAGE)
}

fn read_responses(raw: &RawValue) -> Result<InputResponses, McpError> {
    serde_json::from_str(raw.get())
        .map_err(|_| McpError::invalid_params("`inputResponses` must be an object"))
}
