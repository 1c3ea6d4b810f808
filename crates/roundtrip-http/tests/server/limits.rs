//! How much a server takes.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::Request;
use http_body::{Body, Frame, SizeHint};
use http_body_util::Full;
use serde_json::json;

use crate::support::{call, call_body, meta, post, send, service, with, without};

/// A body in pieces, which says how long it is, or doesn't, and may break off.
struct Pieces {
    pieces: Vec<Bytes>,
    hint: SizeHint,
    breaks: bool,
    polled: Arc<AtomicUsize>,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
        self.polled.fetch_add(1, Ordering::SeqCst);
        if self.pieces.is_empty() {
            return Poll::Ready(self.breaks.then_some(Err("gone")));
        }
        Poll::Ready(Some(Ok(Frame::data(self.pieces.remove(0)))))
    }

    fn size_hint(&self) -> SizeHint {
        self.hint
    }
}

fn pieces(body: &str, length: usize) -> Request<Pieces> {
    let pieces = body.as_bytes().chunks(length).map(Bytes::copy_from_slice).collect();
    call("echo").map(|_| Pieces { pieces, hint: SizeHint::default(), breaks: false, polled: Arc::default() })
}

fn padded(length: usize) -> String {
    let body = call_body("echo");
    let padding = " ".repeat(length - body.len());
    body + &padding
}

#[tokio::test]
async fn the_limit_is_exact() {
    let (service, probe) = service();
    let service = service.body_limit(1000);
    for length in [999, 1000] {
        assert_eq!(send(&service, with(post(padded(length)), "mcp-name", "echo")).await.status, 200);
        assert_eq!(send(&service, pieces(&padded(length), 7)).await.status, 200);
    }
    let calls = probe.calls();
    let whole = send(&service, with(post(padded(1001)), "mcp-name", "echo")).await;
    let trickle = send(&service, pieces(&padded(1001), 7)).await;
    for answer in [whole, trickle] {
        assert_eq!((answer.status.as_u16(), answer.error_code()), (413, -32600));
    }
    assert_eq!(probe.calls(), calls);
}

#[tokio::test]
async fn the_default_limit_is_4_mib() {
    let (service, _) = service();
    let limit = 4 * 1024 * 1024;
    for (length, status) in
        [(99_000, 200), (2_000_000, 200), (limit, 200), (limit + 1, 413), (20_000_000, 413)]
    {
        let length: usize = length;
        assert_eq!(send(&service, pieces(&padded(length), 65_536)).await.status, status, "{length}");
        assert_eq!(
            send(&service, with(post(padded(length)), "mcp-name", "echo")).await.status,
            status,
            "{length}"
        );
    }
}

#[tokio::test]
async fn a_body_without_end_is_given_up() {
    let (service, _) = service();
    let piece = Bytes::from(vec![b' '; 1024 * 1024]);
    let polled = Arc::new(AtomicUsize::new(0));
    let endless = Pieces {
        pieces: vec![piece; 1000],
        hint: SizeHint::default(),
        breaks: false,
        polled: Arc::clone(&polled),
    };
    assert_eq!(send(&service, call("echo").map(|_| endless)).await.status, 413);
    assert!(polled.load(Ordering::SeqCst) < 50, "a little patience, not more");
}

#[tokio::test]
async fn who_asks_first_is_told_before_sending() {
    let (service, _) = service();
    let polled = Arc::new(AtomicUsize::new(0));
    let large = Pieces {
        pieces: vec![Bytes::from_static(b"x")],
        hint: SizeHint::with_exact(20_000_000),
        breaks: false,
        polled: Arc::clone(&polled),
    };
    let request = with(call("echo").map(|_| large), "expect", "100-continue");
    assert_eq!(send(&service, request).await.status, 413);
    assert_eq!(polled.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_body_that_breaks_off_runs_nothing() {
    let (service, probe) = service();
    let mut request = pieces(&call_body("echo"), 50);
    request.body_mut().breaks = true;
    let answer = send(&service, request).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32600));
    assert_eq!(probe.calls(), 0);
}

/// A body of which nothing comes.
struct Never;

impl Body for Never {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
        Poll::Pending
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let (service, probe) = service();
    let start = tokio::time::Instant::now();
    let answer = send(&service, call("echo").map(|_| Never)).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (408, -32600));
    assert_eq!(start.elapsed(), Duration::from_secs(60));
    let service = service.body_timeout(Duration::from_secs(2));
    assert_eq!(send(&service, call("echo").map(|_| Never)).await.status, 408);
    assert_eq!(start.elapsed(), Duration::from_secs(62));
    assert_eq!(probe.calls(), 0);
}

#[tokio::test]
async fn a_body_of_another_make_is_taken() {
    let (service, _) = service();
    let text: Request<String> = call("echo").map(|_| call_body("echo"));
    assert_eq!(send(&service, text).await.status, 200);
    let empty = Request::post("/").header("host", "localhost").header("content-type", "application/json");
    let answer = send(&service, empty.body(Full::<Bytes>::default()).unwrap()).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32700));
}

#[tokio::test]
async fn what_is_held_for_as_long_as_a_stream_is_small() {
    let (service, _) = service();
    let listen = |padding: usize| {
        let params = json!({ "notifications": {}, "_meta": meta() });
        let message =
            json!({ "jsonrpc": "2.0", "id": 42, "method": "subscriptions/listen", "params": params });
        let body = message.to_string();
        let length = body.len();
        with(post(body + &" ".repeat(padding - length)), "mcp-method", "subscriptions/listen")
    };
    assert_eq!(send(&service, without(listen(64 * 1024), "mcp-name")).await.status, 200);
    let answer = send(&service, without(listen(64 * 1024 + 1), "mcp-name")).await;
    assert_eq!((answer.status.as_u16(), answer.json()["id"].as_i64()), (413, Some(42)));
}

#[tokio::test]
async fn a_body_comes_as_it_is() {
    let (service, probe) = service();
    assert_eq!(send(&service, with(call("echo"), "content-encoding", "identity")).await.status, 200);
    let calls = probe.calls();
    assert_eq!(send(&service, with(call("echo"), "content-encoding", "gzip")).await.status, 415);
    assert_eq!(probe.calls(), calls);
}
