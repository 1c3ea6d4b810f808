//! Runs a plan: every resolver whose needs are met, until each is settled or waits for an answer.

use std::{future::poll_fn, pin::Pin, task::Poll};

use roundtrip_types::{InputRequest, McpError, RawJson};

use crate::{
    call::{AnyValue, Call, Settled},
    error::ToolError,
    plan::{Node, Plan, Step},
    progress::{Answered, Progress, QuestionDigest},
    question::{Question, Reply},
};

/// A question that has no answer yet.
pub(crate) struct Open<'a> {
    pub(crate) key: &'a str,
    pub(crate) digest: QuestionDigest,
    pub(crate) request: InputRequest,
}

type AnySettled = Settled<dyn std::any::Any + Send + Sync>;

/// What one run of a resolver came to.
#[expect(clippy::large_enum_variant, reason = "it is taken apart where it is made")]
enum Came<'a> {
    Settled(AnySettled),
    /// Settled with a computed value that later rounds must see unchanged.
    Remembered(AnySettled, RawJson),
    Open(Open<'a>),
}

impl Plan {
    /// Runs the resolvers, those that don't depend on each other at the same time.
    ///
    /// Returns the questions that are open; when there are none, every parameter can be taken. The first failure,
    /// or the first refusal that the handler cannot go on after, ends the others.
    pub(crate) async fn run<'a>(
        &'a self,
        call: &'a Call<'a>,
        progress: &mut Progress,
    ) -> Result<Vec<Open<'a>>, ToolError> {
        let mut open = Vec::new();
        let mut remembered = Vec::new();
        let mut started = vec![false; self.nodes.len()];
        let mut running = Vec::new();
        loop {
            for (place, node) in self.nodes.iter().enumerate() {
                let ready = node.needs.iter().all(|&need| call.settled[need].get().is_some());
                if ready && !std::mem::replace(&mut started[place], true) {
                    let progress = &*progress;
                    running.push(Box::pin(async move { (place, node.step(call, progress).await) }));
                }
            }
            let Some((place, came)) = first_done(&mut running).await else { break };
            let settled = match came? {
                Came::Open(question) => {
                    open.push((place, question));
                    continue;
                }
                Came::Settled(settled) => settled,
                Came::Remembered(settled, value) => {
                    remembered.push((place, value));
                    settled
                }
            };
            if let (true, Settled::Declined(how)) = (self.nodes[place].required, &settled) {
                return Err((self.nodes[place].declined)(*how));
            }
            call.settled[place].set(settled).expect("each resolver runs once a round");
        }
        drop(running);
        for (place, value) in remembered {
            progress.remember(&self.nodes[place].key, value);
        }
        // In the order of the signature, whichever resolver was the quickest.
        open.sort_by_key(|(place, _)| *place);
        Ok(open.into_iter().map(|(_, question)| question).collect())
    }
}

/// Waits for the first of the futures that is done, and takes it out. There are as few as a signature has resolvers, so
/// each wake may poll them all.
async fn first_done<F: Future + Unpin>(running: &mut Vec<F>) -> Option<F::Output> {
    if running.is_empty() {
        return None;
    }
    let (place, output) = poll_fn(|context| {
        let mut polled = running.iter_mut().enumerate();
        let done = polled.find_map(|(place, future)| match Pin::new(future).poll(context) {
            Poll::Ready(output) => Some((place, output)),
            Poll::Pending => None,
        });
        done.map_or(Poll::Pending, Poll::Ready)
    })
    .await;
    drop(running.swap_remove(place));
    Some(output)
}

impl Node {
    /// Runs the resolver, and settles it when it has a value or its question an answer.
    async fn step<'a>(&'a self, call: &'a Call<'a>, progress: &Progress) -> Result<Came<'a>, ToolError> {
        let memory = self.memory.as_ref();
        if let Some(value) = memory.and_then(|memory| (memory.read)(progress.remembered(&self.key)?)) {
            return Ok(Came::Settled(Settled::Value(value)));
        }
        let question = match (self.run)(call).await? {
            Step::Ask(question) => question,
            Step::Value(value) => {
                let raw = memory.and_then(|memory| (memory.write)(&value));
                let settled = Settled::Value(value);
                return Ok(match raw {
                    Some(raw) => Came::Remembered(settled, raw),
                    None => Came::Settled(settled),
                });
            }
        };
        self.answered(question, progress)
    }

    /// Settles the resolver with the answer to just this question, or leaves the question open.
    fn answered(&self, question: Question<AnyValue>, progress: &Progress) -> Result<Came<'_>, ToolError> {
        if let Some(flaw) = question.flaw() {
            tracing::error!(resolver = %self.key, "{flaw}");
            return Err(McpError::internal_error().into());
        }
        let digest = question.digest();
        match progress.answer(&self.key, &digest) {
            Answered::Yes(answer) => match (question.read)(answer) {
                Ok(Reply::Value(value)) => return Ok(Came::Settled(Settled::Value(value))),
                Ok(Reply::Declined(how)) => return Ok(Came::Settled(Settled::Declined(how))),
                Err(misfit) => tracing::info!(
                    resolver = %self.key,
                    "the answer does not fit the question, which is asked again: {}", misfit.0
                ),
            },
            Answered::ToAnotherQuestion => tracing::warn!(
                resolver = %self.key,
                "the question is not the one that was asked last round, so it is asked again; derive its words from \
                 the arguments, and let what changes from run to run be remembered (`Resolve::remember`)"
            ),
            Answered::No => {}
        }
        Ok(Came::Open(Open { key: &self.key, digest, request: question.request }))
    }
}
