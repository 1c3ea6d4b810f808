//! The request at hand, for handlers and resolvers that want to know more than their arguments.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use http::{Extensions, HeaderMap};
use roundtrip_protocol::inbound::Request;
use roundtrip_types::{
    ClientCapabilities, CreateMessageResult, Implementation, InputResponses, ListRootsResult, LoggingLevel,
    ProgressToken, RawJson, RequestId, RequestMeta, Root,
};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    exchange::{Exchange, Outbox},
    form::Form,
    input::Answer,
    principal::Principal,
    reply::{Shared, notification},
    subscriptions::{Change, Subscriptions},
};

/// The request at hand: who calls, what they can do, what they answered, and how to report progress.
///
/// A cheap clone. There is nothing in it that outlives the request.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    id: RequestId,
    meta: RequestMeta,
    exchange: Arc<Exchange>,
    outbox: Outbox,
    input_responses: Option<InputResponses>,
    request_state: Option<String>,
    subscriptions: Subscriptions,
    /// Whether the server declared that it sends log messages.
    logs: bool,
    /// The progress reported last, since the protocol wants it to increase.
    reported: Mutex<Option<f64>>,
}

impl Context {
    /// The context of a request that belongs to no round.
    pub(crate) fn of(
        shared: &Shared,
        request: &Request<'_>,
        exchange: Arc<Exchange>,
        outbox: Outbox,
    ) -> Self {
        Self::new(shared, request, exchange, outbox, None, None)
    }

    /// The context of a request, with what the round before left.
    pub(crate) fn new(
        shared: &Shared,
        request: &Request<'_>,
        exchange: Arc<Exchange>,
        outbox: Outbox,
        input_responses: Option<InputResponses>,
        request_state: Option<String>,
    ) -> Self {
        Self(Arc::new(Inner {
            id: request.id.clone(),
            meta: request.meta.clone(),
            exchange,
            outbox,
            input_responses,
            request_state,
            subscriptions: shared.subscriptions.clone(),
            logs: shared.logs,
            reported: Mutex::new(None),
        }))
    }

    /// Whether the client comes back with answers or with a state.
    pub(crate) fn is_retry(&self) -> bool {
        self.0.input_responses.is_some() || self.0.request_state.is_some()
    }

    /// The id of the JSON-RPC request. Each round of a call has another.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.0.id
    }

    /// The request's `_meta`: protocol version, client, capabilities, and whatever else the client put there.
    #[must_use]
    pub fn meta(&self) -> &RequestMeta {
        &self.0.meta
    }

    /// What the client declared on this very request.
    #[must_use]
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.0.meta.client_capabilities
    }

    /// What the client calls itself; for display only, since nothing vouches for it.
    #[must_use]
    pub fn client_info(&self) -> Option<&Implementation> {
        self.0.meta.client_info.as_ref()
    }

    /// The HTTP headers of the request; `None` where the transport has none.
    #[must_use]
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.0.exchange.headers()
    }

    /// What layers in front of the server left with the request.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        self.0.exchange.extensions()
    }

    /// Who calls, if the request carried a token that a layer in front of the server has verified.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.extensions().get()
    }

    /// Reports how far the work has come: `notifications/progress`, to a client that asked for it.
    ///
    /// `done` must grow from report to report; one that does not, or is not finite, is left out. Waits while the
    /// client is slow to read.
    pub async fn report_progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Params<'a> {
            progress_token: &'a ProgressToken,
            progress: f64,
            #[serde(skip_serializing_if = "Option::is_none")]
            total: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            message: Option<&'a str>,
        }
        let Some(progress_token) = &self.0.meta.progress_token else { return };
        {
            let mut reported = self.0.reported.lock().unwrap_or_else(PoisonError::into_inner);
            if !done.is_finite() || reported.is_some_and(|before| done <= before) {
                return;
            }
            *reported = Some(done);
        }
        let total = total.filter(|total| total.is_finite());
        let params = Params { progress_token, progress: done, total, message };
        self.0.outbox.send(notification("notifications/progress", &params)).await;
    }

    /// Sends a log message to the client: `notifications/message`, if this request asked for messages of this level.
    ///
    /// For the server's own log use `tracing`. A server that did not declare
    /// [`logging`](crate::McpServerBuilder::logging) sends none. Waits while the client is slow to read.
    pub async fn log(&self, level: LoggingLevel, data: impl Serialize + Send) {
        #[derive(Serialize)]
        struct Params<T> {
            level: LoggingLevel,
            data: T,
        }
        if self.0.logs && self.0.meta.log_level.as_ref().is_some_and(|least| level.is_at_least(least)) {
            let message = notification("notifications/message", &Params { level, data });
            self.0.outbox.send(message).await;
        }
    }

    /// Tells listeners that the list of tools has changed: `notifications/tools/list_changed`.
    pub fn notify_tools_changed(&self) {
        self.0.subscriptions.publish(Change::Tools);
    }

    /// Tells listeners that the list of prompts has changed: `notifications/prompts/list_changed`.
    pub fn notify_prompts_changed(&self) {
        self.0.subscriptions.publish(Change::Prompts);
    }

    /// Tells listeners that the list of resources has changed: `notifications/resources/list_changed`.
    pub fn notify_resources_changed(&self) {
        self.0.subscriptions.publish(Change::Resources);
    }

    /// Tells listeners of `uri` that it has changed: `notifications/resources/updated`.
    pub fn notify_resource_updated(&self, uri: impl Into<String>) {
        self.0.subscriptions.publish(Change::Resource(uri.into()));
    }

    /// The answers of this round, as the client sent them, by the keys of the questions: `inputResponses`.
    ///
    /// They are what the client chose to send: check them, or read them with [`answer`](Self::answer), which does.
    #[must_use]
    pub fn input_responses(&self) -> Option<&InputResponses> {
        self.0.input_responses.as_ref()
    }

    /// The state that the last round left, in plain text; `None` on the first round.
    ///
    /// On an [`McpServer`](crate::McpServer) it is just what the handler wrote: it travelled sealed, and was opened
    /// and checked before the handler ran.
    #[must_use]
    pub fn request_state(&self) -> Option<&str> {
        self.0.request_state.as_deref()
    }

    /// The state that the last round left with [`InputRequired::state`](crate::InputRequired::state).
    ///
    /// `None` on the first round, and when it is of another type, as after an upgrade of the server: start anew.
    #[must_use]
    pub fn state<S: DeserializeOwned>(&self) -> Option<S> {
        serde_json::from_str(self.request_state()?).ok()
    }

    /// This round's answer to the form `T` under `key`.
    ///
    /// Content that does not fit the form counts as no answer, so that the handler asks again. Put what was asked
    /// into the state where it matters *which* question was answered: a key alone does not say.
    #[must_use]
    pub fn answer<T: DeserializeOwned + JsonSchema + 'static>(&self, key: &str) -> Answer<T> {
        match self.raw_answer(key) {
            None => Answer::Missing,
            Some(answer) => Answer::read(&Form::of::<T>(), key, answer),
        }
    }

    /// This round's completion by the client's model under `key`: the answer to [`sample`](crate::sample).
    #[must_use]
    pub fn sampled(&self, key: &str) -> Option<CreateMessageResult> {
        self.raw_answer(key)?.parse().ok()
    }

    /// This round's roots of the client under `key`: the answer to [`list_roots`](crate::list_roots).
    #[must_use]
    pub fn roots(&self, key: &str) -> Option<Vec<Root>> {
        Some(self.raw_answer(key)?.parse::<ListRootsResult>().ok()?.roots)
    }

    fn raw_answer(&self, key: &str) -> Option<&RawJson> {
        self.input_responses()?.get(key)
    }
}

/// Shows no state and no answers: they are not for logs.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("request_id", &self.0.id).finish_non_exhaustive()
    }
}
