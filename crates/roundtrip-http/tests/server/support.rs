//! A server whose handlers can be watched, and requests for it.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use roundtrip_http::{ResponseBody, StreamableHttp};
use roundtrip_server::{Context, Outcome, lowlevel::Server};
use roundtrip_types::{CallToolRequestParams, CallToolResult, ClientCapabilities, McpError};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tower_service::Service;

/// What the handlers did, and what they wait for.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    calls: AtomicUsize,
    running: AtomicUsize,
    sent: AtomicUsize,
    pub(crate) started: Notify,
    pub(crate) cancelled: Notify,
    pub(crate) release: Notify,
}

impl Probe {
    /// How often a handler was run.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// How many handlers run now.
    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    /// How many notifications `flood` got rid of.
    pub(crate) fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }
}

/// Tells the probe when the handler that holds it is dropped before it is done.
struct Running<'a>(&'a Probe, bool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
        if !self.1 {
            self.0.cancelled.notify_one();
        }
    }
}

pub(crate) fn service() -> (StreamableHttp<Server>, Arc<Probe>) {
    let (server, probe) = server();
    (StreamableHttp::new(server), probe)
}

pub(crate) fn server() -> (Server, Arc<Probe>) {
    let probe = Arc::new(Probe::default());
    let handler = Arc::clone(&probe);
    let server = Server::builder("Watched")
        .on_call_tool(move |ctx, params| call_tool(Arc::clone(&handler), ctx, params))
        .on_list_tools(async |_, _| Ok(roundtrip_types::ListToolsResult::new([])))
        .announce_changes()
        .build()
        .unwrap();
    (server, probe)
}

async fn call_tool(
    probe: Arc<Probe>,
    ctx: Context,
    params: CallToolRequestParams,
) -> Result<Outcome<CallToolResult>, McpError> {
    probe.calls.fetch_add(1, Ordering::SeqCst);
    probe.running.fetch_add(1, Ordering::SeqCst);
    let mut running = Running(&probe, false);
    probe.started.notify_one();
    match &*params.name {
        "tell" => ctx.report_progress(1.0, Some(2.0), Some("half\r\nway")).await,
        "tell_and_wait" => {
            ctx.report_progress(1.0, None, None).await;
            probe.release.notified().await;
            ctx.report_progress(2.0, None, None).await;
        }
        "tell_and_fail" => {
            ctx.report_progress(1.0, None, None).await;
            running.1 = true;
            return Err(McpError::missing_client_capability(
                &ClientCapabilities::default(),
                "not without it",
            ));
        }
        "wait" => probe.release.notified().await,
        "flood" => {
            for done in 0..1000 {
                ctx.report_progress(f64::from(done), None, None).await;
                probe.sent.fetch_add(1, Ordering::SeqCst);
            }
        }
        _ => {}
    }
    running.1 = true;
    Ok(CallToolResult::text(params.name).into())
}

/// The body of a `tools/call` with everything that belongs to it.
pub(crate) fn call_body(tool: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": 42, "method": "tools/call", "params": {
        "name": tool, "arguments": {}, "_meta": meta(),
    } })
    .to_string()
}

pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "t",
    })
}

/// A request with this body and the headers that belong to it, as far as they can be read from it.
pub(crate) fn post(body: impl Into<String>) -> Request<Full<Bytes>> {
    let body = body.into();
    let message: Value = serde_json::from_str(&body).unwrap_or_default();
    let mut request = Request::post("/mcp")
        .header("host", "localhost:8000")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28");
    if let Some(method) = message["method"].as_str() {
        request = request.header("mcp-method", method);
    }
    if let Some(name) = message["params"]["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    request.body(Full::new(body.into())).unwrap()
}

/// A call of this tool.
pub(crate) fn call(tool: &str) -> Request<Full<Bytes>> {
    post(call_body(tool))
}

/// Adds a header, or replaces it.
pub(crate) fn with<B>(mut request: Request<B>, name: &'static str, value: &str) -> Request<B> {
    request.headers_mut().insert(name, value.parse().unwrap());
    request
}

/// Takes a header away.
pub(crate) fn without<B>(mut request: Request<B>, name: &'static str) -> Request<B> {
    request.headers_mut().remove(name);
    request
}

/// An answer that has been read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The messages of an event stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), "text/event-stream", "{self:?}");
        events(&self.body)
    }

    /// The code of the error that this is; it has to be one, with a message.
    pub(crate) fn error_code(&self) -> i64 {
        let json = self.json();
        assert_eq!(json["jsonrpc"], "2.0");
        assert!(json["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{json}");
        json["error"]["code"].as_i64().unwrap()
    }
}

/// The messages of an event stream, of which nothing may be left over.
pub(crate) fn events(mut stream: &[u8]) -> Vec<Value> {
    let mut decoder = roundtrip_http::sse::Decoder::new();
    let mut events = Vec::new();
    assert!(stream.ends_with(b"\n\n") || stream.is_empty(), "a stream ends with its last event");
    while let Some(event) = decoder.decode(&mut stream).unwrap() {
        events.push(serde_json::from_slice(&event.data).unwrap());
    }
    events
}

pub(crate) async fn respond<B, S>(service: &S, request: Request<B>) -> Response<ResponseBody>
where
    S: Service<Request<B>, Response = Response<ResponseBody>, Error = Infallible> + Clone,
{
    let mut service = service.clone();
    std::future::poll_fn(|context| service.poll_ready(context)).await.unwrap();
    service.call(request).await.unwrap()
}

/// Sends a request and reads the answer to its end.
pub(crate) async fn send<B, S>(service: &S, request: Request<B>) -> Answer
where
    S: Service<Request<B>, Response = Response<ResponseBody>, Error = Infallible> + Clone,
{
    let (parts, body) = respond(service, request).await.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Answer { status: parts.status, headers: parts.headers, body }
}

/// The next piece of a body.
pub(crate) async fn frame<B: Body<Data = Bytes, Error = Infallible> + Unpin>(body: &mut B) -> Option<Bytes> {
    body.frame().await.map(|frame| frame.unwrap().into_data().unwrap())
}

/// Waits for what has to happen, and fails when it doesn't.
pub(crate) async fn soon<F: Future>(what: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(10), what).await.expect("it happens soon")
}
