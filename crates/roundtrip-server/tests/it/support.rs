//! A client that is nothing but JSON.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use roundtrip_protocol::inbound::{Wire, classify};
use roundtrip_server::{
    Serve,
    exchange::{Exchange, Inbox, Outbox, Reply},
};
use serde_json::{Value, json};

/// What the tests' client declares, unless a test says otherwise.
pub(crate) fn all_capabilities() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {}, "context": {} }, "roots": {} })
}

/// Sends requests to one server, as one client.
pub(crate) struct Peer<'s, S> {
    server: &'s S,
    pub(crate) capabilities: Value,
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) meta: Value,
    next_id: AtomicI64,
}

impl<'s, S: Serve> Peer<'s, S> {
    pub(crate) fn new(server: &'s S) -> Self {
        Self {
            server,
            capabilities: all_capabilities(),
            exchange: Arc::new(Exchange::local()),
            meta: json!({}),
            next_id: AtomicI64::new(1),
        }
    }

    pub(crate) fn with_capabilities(server: &'s S, capabilities: Value) -> Self {
        Self { capabilities, ..Self::new(server) }
    }

    pub(crate) fn with_exchange(server: &'s S, exchange: Exchange) -> Self {
        Self { exchange: Arc::new(exchange), ..Self::new(server) }
    }

    /// Sends a request and returns the whole response.
    pub(crate) async fn send(&self, method: &str, params: Value) -> Value {
        let (reply, _) = self.send_for_all(method, params).await;
        serde_json::from_slice(&reply.body).expect("a response is JSON")
    }

    /// As [`send`](Self::send), with the notifications that came before the reply.
    pub(crate) async fn send_for_all(&self, method: &str, params: Value) -> (Reply, Vec<Value>) {
        let (outbox, mut inbox) = Outbox::bounded(1024);
        let reply = self.raw(self.request(method, params).as_bytes(), outbox).await;
        (reply, drain(&mut inbox))
    }

    /// Serves bytes. What takes more than a minute is a failure of the test.
    pub(crate) async fn raw(&self, body: &[u8], outbox: Outbox) -> Reply {
        match classify(Wire::Pipe, body) {
            Ok(inbound) => {
                let serving = self.server.serve(inbound, Arc::clone(&self.exchange), outbox);
                tokio::time::timeout(Duration::from_secs(60), serving).await.expect("a reply comes")
            }
            Err(rejection) => Reply::new(rejection.status, rejection.to_json()),
        }
    }

    /// A request with the envelope that every request has.
    pub(crate) fn request(&self, method: &str, mut params: Value) -> String {
        let mut meta = self.meta.clone();
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        params["_meta"] = meta;
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    }

    /// Sends a request and returns its result; panics on an error.
    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let mut response = self.send(method, params).await;
        assert!(response["error"].is_null(), "{response}");
        response["result"].take()
    }

    /// Sends a request and returns its error; panics on a result.
    pub(crate) async fn error(&self, method: &str, params: Value) -> Value {
        self.refused(method, params).await.1
    }

    /// Sends a request and returns the HTTP status and the error; panics on a result.
    pub(crate) async fn refused(&self, method: &str, params: Value) -> (u16, Value) {
        let (reply, _) = self.send_for_all(method, params).await;
        let mut response: Value = serde_json::from_slice(&reply.body).expect("a response is JSON");
        assert!(response["error"].is_object(), "{response}");
        (reply.status.as_u16(), response["error"].take())
    }

    /// Calls a tool for its first round.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Calls a tool again, with answers and the state that came with the questions.
    pub(crate) async fn retry(&self, name: &str, arguments: Value, asked: &Value, answers: Value) -> Value {
        self.result("tools/call", retry(name, arguments, asked, answers)).await
    }
}

/// The params of a retry.
pub(crate) fn retry(name: &str, arguments: Value, asked: &Value, answers: Value) -> Value {
    json!({ "name": name, "arguments": arguments, "inputResponses": answers, "requestState": asked["requestState"] })
}

/// All the notifications that are there.
pub(crate) fn drain(inbox: &mut Inbox) -> Vec<Value> {
    std::iter::from_fn(|| inbox.try_recv()).map(|message| serde_json::from_slice(&message).unwrap()).collect()
}

/// The text of a result's first block.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"))
}

/// The text of a result that failed.
pub(crate) fn failure(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result["resultType"], "complete", "{result}");
    text(result)
}

/// An accepted form.
pub(crate) fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// A declined question.
pub(crate) fn decline() -> Value {
    json!({ "action": "decline" })
}

/// The keys of the questions of a round.
pub(crate) fn questions(asked: &Value) -> Vec<&str> {
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    asked["inputRequests"]
        .as_object()
        .map(|questions| questions.keys().map(String::as_str).collect())
        .unwrap_or_default()
}

/// JSON as snapshots show it.
pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

/// Counts, from wherever it was cloned to.
#[derive(Clone, Default)]
pub(crate) struct Count(Arc<AtomicUsize>);

impl Count {
    /// Counts one more; how many there were before.
    pub(crate) fn up(&self) -> usize {
        self.0.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}
