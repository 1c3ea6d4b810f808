//! Hop 4. One round of a call: open the state, run the plan, then ask (and seal) or run the body.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use roundtrip_protocol::{canonical, inbound::Request};
use roundtrip_types::{
    ClientCapabilities, ElicitationCapability, InputRequiredResult, InputResponses, McpError, Outcome,
    RawJson, SamplingCapability,
};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    body::Body,
    call::{Arguments, Call, StateMap},
    context::Context,
    error::ToolError,
    exchange::{Exchange, Outbox},
    progress::Progress,
    reply::Shared,
    seal::{Binding, Boundary, Refusal, SealError},
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
        self.check_capabilities(&result)?;
        if let (Some(boundary), Some(state)) = (&self.shared.boundary, &result.request_state) {
            let binding = self
                .binding
                .get_or_init(|| bind(boundary, self.method, self.target, self.arguments, &self.exchange));
            let token = boundary.seal(binding, state).map_err(|error| match error {
                // What the client sent is what grew: it can send less, which nobody could guess from an internal error.
                SealError::TooLarge { .. } if self.context.input_responses().is_some() => {
                    McpError::invalid_params("the answers are too long to be kept until the next round")
                }
                _ => McpError::internal_error(),
            })?;
            result.request_state = Some(token);
        }
        Ok(result)
    }

    /// Whether the client declared to answer every question; if not, all that it lacks at once.
    fn check_capabilities(&self, result: &InputRequiredResult) -> Result<(), McpError> {
        let mut lacking = ClientCapabilities::default();
        let mut keys = Vec::new();
        for (key, request) in result.input_requests.iter().flatten() {
            if let Some(missing) = self.context.client_capabilities().missing(request) {
                keys.push(format!("`{key}`"));
                merge(&mut lacking, missing);
            }
        }
        if keys.is_empty() {
            return Ok(());
        }
        let keys = keys.join(", ");
        let message = format!("the client did not declare what it needs to answer the question {keys}");
        Err(McpError::missing_client_capability(&lacking, message))
    }
}

/// Adds what one question needs to what others need.
fn merge(lacking: &mut ClientCapabilities, missing: ClientCapabilities) {
    let ClientCapabilities { roots, sampling, elicitation, .. } = missing;
    lacking.roots = lacking.roots.take().or(roots);
    if let Some(SamplingCapability { tools, context, .. }) = sampling {
        let all = lacking.sampling.get_or_insert_default();
        all.tools = all.tools.take().or(tools);
        all.context = all.context.take().or(context);
    }
    if let Some(ElicitationCapability { form, url, .. }) = elicitation {
        let all = lacking.elicitation.get_or_insert_default();
        all.form = all.form.take().or(form);
        all.url = all.url.take().or(url);
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
    serde_json::from_str(raw.get()).map(|Responses(responses)| responses).map_err(|_| {
        McpError::invalid_params("`inputResponses` must be an object in which each key stands once")
    })
}

/// Answers, each key once: of two answers to one question nobody could say which is meant.
struct Responses(InputResponses);

impl<'de> Deserialize<'de> for Responses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;

        impl<'de> Visitor<'de> for Each {
            type Value = Responses;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Responses, A::Error> {
                let mut responses = InputResponses::new();
                while let Some((key, answer)) = members.next_entry::<String, RawJson>()? {
                    if responses.insert(key, answer).is_some() {
                        return Err(A::Error::custom("a key stands twice"));
                    }
                }
                Ok(Responses(responses))
            }
        }

        deserializer.deserialize_map(Each)
    }
}
