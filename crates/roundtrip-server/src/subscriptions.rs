//! `subscriptions/listen`: streams on which a client hears that something has changed.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use roundtrip_protocol::inbound::Request;
use roundtrip_types::{
    ErrorCode, McpError, RequestId, SubscriptionFilter, SubscriptionsListenResult, meta_keys,
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast;

use crate::{exchange::Outbox, reply::notification};

/// Something that listeners may want to hear of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    Resource(String),
    /// Not a change: the server ends its streams.
    Closed,
}

/// What a server announces. What it does not announce is not advertised, and left out of an acknowledgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Announces {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) resource_updates: bool,
}

/// The listeners of one server.
#[derive(Clone, Debug)]
pub(crate) struct Subscriptions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    announces: Announces,
    changes: broadcast::Sender<Change>,
    closed: AtomicBool,
    open: AtomicUsize,
    limit: usize,
}

/// How many changes wait for a slow listener. One that falls further behind has its stream ended, so that it knows
/// to read everything anew.
const BACKLOG: usize = 1024;

impl Subscriptions {
    /// How many streams may be open at once, unless the server says otherwise.
    pub(crate) const DEFAULT_LIMIT: usize = 1024;

    pub(crate) fn new(announces: Announces, limit: usize) -> Self {
        Self(Arc::new(Inner {
            announces,
            changes: broadcast::Sender::new(BACKLOG),
            closed: AtomicBool::new(false),
            open: AtomicUsize::new(0),
            limit,
        }))
    }

    pub(crate) fn publish(&self, change: Change) {
        // An error means that nobody listens.
        drop(self.0.changes.send(change));
    }

    /// Ends every stream with its result.
    pub(crate) fn close(&self) {
        self.0.closed.store(true, Ordering::SeqCst);
        self.publish(Change::Closed);
    }

    /// Serves one stream: acknowledges, then tells what was asked for, until the server closes it or the client
    /// goes away (which drops this future).
    pub(crate) async fn listen(
        &self,
        request: &Request<'_>,
        outbox: &Outbox,
    ) -> Result<SubscriptionsListenResult, McpError> {
        let id = &request.id;
        let filter = serde_json::from_str(request.params.notifications()?.get())
            .map_err(|_| McpError::invalid_params("`notifications` must be a filter of what to hear of"))?;
        let _place = self.take_place()?;
        // Subscribed before the acknowledgement, so that nothing that happens after it is missed.
        let mut changes = self.0.changes.subscribe();
        let filter = self.0.announces.honour(&filter);
        let acknowledged = Tagged::new(id, json!({ "notifications": filter }));
        outbox.send(notification("notifications/subscriptions/acknowledged", &acknowledged)).await;
        // A server that has nothing to tell of what was asked ends the stream at once.
        if filter != SubscriptionFilter::default() && !self.0.closed.load(Ordering::SeqCst) {
            tell(&mut changes, id, &filter, outbox).await;
        }
        Ok(SubscriptionsListenResult::new(id))
    }

    fn take_place(&self) -> Result<Place<'_>, McpError> {
        let place = Place(&self.0.open);
        if self.0.open.fetch_add(1, Ordering::Relaxed) >= self.0.limit {
            tracing::warn!(limit = self.0.limit, "a subscription was refused: too many are open");
            let message = "too many subscriptions are open; try again later";
            return Err(McpError::new(ErrorCode::INTERNAL_ERROR, message));
        }
        Ok(place)
    }
}

/// Tells a listener what it asked for, until the streams are closed, it falls too far behind, or it is gone.
async fn tell(
    changes: &mut broadcast::Receiver<Change>,
    id: &RequestId,
    filter: &SubscriptionFilter,
    outbox: &Outbox,
) {
    loop {
        let change = match changes.recv().await {
            Ok(Change::Closed) => return,
            Ok(change) => change,
            Err(_) => {
                tracing::warn!("a listener fell {BACKLOG} changes behind; its stream is ended");
                return;
            }
        };
        if let Some((method, params)) = wanted(filter, change)
            && !outbox.send(notification(method, &Tagged::new(id, params))).await
        {
            return;
        }
    }
}

/// One of the streams that may be open; given back when dropped.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Announces {
    /// The part of a filter that this server can deliver.
    fn honour(self, filter: &SubscriptionFilter) -> SubscriptionFilter {
        let keep = |asked: Option<bool>, can: bool| (asked == Some(true) && can).then_some(true);
        let mut honoured = SubscriptionFilter::default();
        honoured.tools_list_changed = keep(filter.tools_list_changed, self.tools);
        honoured.prompts_list_changed = keep(filter.prompts_list_changed, self.prompts);
        honoured.resources_list_changed = keep(filter.resources_list_changed, self.resources);
        honoured.resource_subscriptions =
            filter.resource_subscriptions.clone().filter(|uris| self.resource_updates && !uris.is_empty());
        honoured
    }
}

/// The notification of a change, if the listener asked for it.
fn wanted(filter: &SubscriptionFilter, change: Change) -> Option<(&'static str, Value)> {
    let none = Value::Object(Map::new());
    match change {
        Change::Tools => filter.tools_list_changed?.then_some(("notifications/tools/list_changed", none)),
        Change::Prompts => {
            filter.prompts_list_changed?.then_some(("notifications/prompts/list_changed", none))
        }
        Change::Resources => {
            filter.resources_list_changed?.then_some(("notifications/resources/list_changed", none))
        }
        Change::Resource(uri) => filter
            .resource_subscriptions
            .as_ref()?
            .contains(&uri)
            .then(|| ("notifications/resources/updated", json!({ "uri": uri }))),
        Change::Closed => None,
    }
}

/// The params of a notification on a stream: they carry the id of the request that opened it.
#[derive(Serialize)]
struct Tagged {
    #[serde(flatten)]
    params: Value,
    _meta: Value,
}

impl Tagged {
    fn new(id: &RequestId, params: Value) -> Self {
        Self { params, _meta: json!({ meta_keys::SUBSCRIPTION_ID: id }) }
    }
}
