//! Over TCP: paths, shutdown, and clients that go away.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use roundtrip_http::{Listener, StreamableHttp};
use roundtrip_server::lowlevel::Server;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
};

use crate::support::{self, Probe, call_body, events, meta, service, soon};

/// A server on a free port, until it is told to stop.
struct Served {
    address: SocketAddr,
    probe: Arc<Probe>,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<std::io::Result<()>>,
}

async fn serve(set: impl FnOnce(Listener) -> Listener) -> Served {
    let (service, probe) = service();
    serve_service(service, probe, set).await
}

async fn serve_service(
    service: StreamableHttp<Server>,
    probe: Arc<Probe>,
    set: impl FnOnce(Listener) -> Listener,
) -> Served {
    let listener = set(Listener::bind("127.0.0.1:0").await.unwrap());
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let serving = listener.serve(service).with_graceful_shutdown(async { _ = stopped.await });
    Served { address, probe, stop: Some(stop), task: tokio::spawn(serving.into_future()) }
}

impl Served {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    async fn stopped(self) {
        soon(self.task).await.unwrap().unwrap();
    }
}

/// A request as bytes.
fn raw(path: &str, tool: &str) -> Vec<u8> {
    let body = call_body(tool);
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n\r\n{body}",
        body.len(),
    )
    .into_bytes()
}

/// Reads one answer with a known length, or as much of a stream as ends with `until`.
async fn read_until(stream: &mut TcpStream, until: &str) -> String {
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains(until) {
        let mut buffer = [0; 4096];
        let length = soon(stream.read(&mut buffer)).await.unwrap();
        assert_ne!(length, 0, "ended before {until:?}: {}", String::from_utf8_lossy(&read));
        read.extend_from_slice(&buffer[..length]);
    }
    String::from_utf8(read).unwrap()
}

#[tokio::test]
async fn the_endpoint_is_at_its_path_with_or_without_a_slash() {
    let served = serve(|listener| listener).await;
    let mut stream = served.connect().await;
    for path in ["/mcp", "/mcp/", "/mcp?x=1"] {
        stream.write_all(&raw(path, "echo")).await.unwrap();
        let answer = read_until(&mut stream, "}}").await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
        assert!(answer.contains("content-length: "), "{answer}");
    }
    for path in ["/", "/mcp/x", "/mcpx", "/MCP", "/mcp//"] {
        let mut stream = served.connect().await;
        stream.write_all(&raw(path, "echo")).await.unwrap();
        let answer = read_until(&mut stream, "}}").await;
        assert!(answer.starts_with("HTTP/1.1 404 ") && answer.contains("-32600"), "{path}: {answer}");
    }
    assert_eq!(served.probe.calls(), 3);
}

#[tokio::test]
async fn the_path_can_be_set() {
    for (path, request) in [("/", "/"), ("api/v1", "/api/v1"), ("/api/v1/", "/api/v1/"), ("", "/")] {
        let served = serve(|listener| listener.path(path)).await;
        let mut stream = served.connect().await;
        stream.write_all(&raw(request, "echo")).await.unwrap();
        let answer = read_until(&mut stream, "}}").await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_client_that_goes_away_before_the_answer_cancels_the_handler() {
    let served = serve(|listener| listener).await;
    let mut stream = served.connect().await;
    stream.write_all(&raw("/mcp", "wait")).await.unwrap();
    soon(served.probe.started.notified()).await;
    drop(stream);
    soon(served.probe.cancelled.notified()).await;
}

#[tokio::test]
async fn a_client_that_goes_away_in_the_middle_of_a_stream_cancels_the_handler() {
    let served = serve(|listener| listener).await;
    let mut stream = served.connect().await;
    stream.write_all(&raw("/mcp", "tell_and_wait")).await.unwrap();
    let answer = read_until(&mut stream, "notifications/progress").await;
    assert!(answer.contains("content-type: text/event-stream"), "{answer}");
    drop(stream);
    soon(served.probe.cancelled.notified()).await;
}

#[tokio::test]
async fn what_is_too_large_is_refused_to_a_client_that_sends_first_and_reads_then() {
    let served = serve(|listener| listener).await;
    let mut stream = served.connect().await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    stream.write_all(format!("{head}Content-Length: 20000000\r\n\r\n").as_bytes()).await.unwrap();
    stream.write_all(&vec![b' '; 20_000_000]).await.unwrap();
    let answer = read_until(&mut stream, "}}").await;
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("application/json"), "{answer}");
    stream.write_all(&raw("/mcp", "echo")).await.unwrap();
    assert!(read_until(&mut stream, "}}").await.starts_with("HTTP/1.1 200 "), "the connection goes on");
}

#[tokio::test]
async fn a_graceful_shutdown_lets_calls_finish() {
    let mut served = serve(|listener| listener).await;
    let mut idle = served.connect().await;
    idle.write_all(&raw("/mcp", "echo")).await.unwrap();
    read_until(&mut idle, "}}").await;
    let mut busy = served.connect().await;
    served.probe.started.notified().await;
    busy.write_all(&raw("/mcp", "wait")).await.unwrap();
    soon(served.probe.started.notified()).await;
    served.stop();
    assert_eq!(soon(idle.read(&mut [0; 1])).await.unwrap(), 0, "a connection that does nothing ends at once");
    soon(async { while TcpStream::connect(served.address).await.is_ok() {} }).await;
    served.probe.release.notify_one();
    let answer = read_until(&mut busy, "}}").await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    served.stopped().await;
}

#[tokio::test]
async fn a_graceful_shutdown_ends_listening_streams_with_their_result() {
    let mut served = serve(|listener| listener).await;
    let mut stream = served.connect().await;
    let body = serde_json::json!({ "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {
        "notifications": { "toolsListChanged": true }, "_meta": meta(),
    } })
    .to_string();
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
    read_until(&mut stream, "acknowledged").await;
    served.stop();
    let end = read_until(&mut stream, "resultType").await;
    assert!(end.contains(r#""id":"l""#), "{end}");
    served.stopped().await;
}

#[tokio::test]
async fn calls_that_outlast_the_drain_timeout_are_cancelled() {
    let mut served = serve(|listener| listener.drain_timeout(Duration::from_millis(20))).await;
    let mut stream = served.connect().await;
    stream.write_all(&raw("/mcp", "wait")).await.unwrap();
    soon(served.probe.started.notified()).await;
    served.stop();
    soon(served.probe.cancelled.notified()).await;
    served.stopped().await;
}

#[tokio::test]
async fn dropping_the_server_ends_its_connections() {
    let served = serve(|listener| listener).await;
    let mut stream = served.connect().await;
    stream.write_all(&raw("/mcp", "wait")).await.unwrap();
    soon(served.probe.started.notified()).await;
    served.task.abort();
    soon(served.probe.cancelled.notified()).await;
}

#[tokio::test]
async fn connections_over_the_limit_wait_for_their_turn() {
    let served = serve(|listener| listener.max_connections(1)).await;
    let mut first = served.connect().await;
    first.write_all(&raw("/mcp", "wait")).await.unwrap();
    soon(served.probe.started.notified()).await;
    let mut second = served.connect().await;
    second.write_all(&raw("/mcp", "echo")).await.unwrap();
    served.probe.release.notify_one();
    read_until(&mut first, "}}").await;
    assert_eq!(served.probe.calls(), 1, "the second is not served while the first is there");
    drop(first);
    assert!(read_until(&mut second, "}}").await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn a_server_is_served_as_it_is_or_with_settings() {
    let (server, _) = support::server();
    drop(Listener::bind("127.0.0.1:0").await.unwrap().serve(server.clone()));
    drop(Listener::bind("127.0.0.1:0").await.unwrap().serve(StreamableHttp::new(server.clone())));
    let taken = Listener::bind("127.0.0.1:0").await.unwrap();
    let error = roundtrip_http::serve(server, taken.local_addr().unwrap()).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    assert!(events(b"").is_empty());
}
