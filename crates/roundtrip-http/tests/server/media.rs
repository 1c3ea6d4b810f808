//! Methods and media types.

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use serde_json::json;

use crate::support::{call, call_body, meta, post, send, service, with, without};

#[tokio::test]
async fn only_post_is_allowed() {
    let (service, probe) = service();
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::HEAD, Method::PATCH, Method::OPTIONS] {
        let mut request = call("echo");
        *request.method_mut() = method.clone();
        let answer = send(&service, request).await;
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.header("allow"), "POST");
        assert_eq!(answer.error_code(), -32600);
    }
    assert_eq!(probe.calls(), 0);
}

#[tokio::test]
async fn sessions_and_resumption_are_ignored() {
    let (service, _) = service();
    let request = with(with(call("echo"), "mcp-session-id", "s"), "last-event-id", "7");
    let answer = send(&service, request).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.headers.contains_key("mcp-session-id"));
    let get = Request::get("/mcp").header("host", "localhost").header("last-event-id", "7");
    assert_eq!(send(&service, get.body(Full::<Bytes>::default()).unwrap()).await.status, 405);
}

#[tokio::test]
async fn the_content_type_is_json_in_utf_8() {
    let (service, probe) = service();
    for json in ["application/json; charset=utf-8", "application/json;charset=\"UTF-8\"", "Application/JSON"]
    {
        assert_eq!(send(&service, with(call("echo"), "content-type", json)).await.status, 200, "{json}");
    }
    let calls = probe.calls();
    for other in ["application/json; charset=utf-16", "text/plain", "application/x-www-form-urlencoded"] {
        let answer = send(&service, with(call("echo"), "content-type", other)).await;
        assert_eq!((answer.status.as_u16(), answer.error_code()), (415, -32600), "{other}");
        assert_eq!(answer.json()["id"], 42, "the id can be read all the same");
    }
    let answer = send(&service, without(call("echo"), "content-type")).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (415, -32600));
    assert_eq!(probe.calls(), calls);
}

#[tokio::test]
async fn what_can_be_read_is_accepted() {
    let (service, probe) = service();
    for accept in ["*/*", "*/*;q=0.8", "application/json, text/*", "application/json", "APPLICATION/*"] {
        let answer = send(&service, with(call("echo"), "accept", accept)).await;
        assert_eq!(answer.status, 200, "{accept}");
        assert_eq!(answer.json()["id"], 42);
    }
    assert_eq!(send(&service, without(call("echo"), "accept")).await.status, 200);
    let mut lines = with(call("echo"), "accept", "text/event-stream");
    lines.headers_mut().append("accept", "application/json".parse().unwrap());
    assert_eq!(send(&service, lines).await.json()["id"], 42);
    let calls = probe.calls();
    let answer = send(&service, with(call("echo"), "accept", "text/html")).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (406, -32600));
    assert_eq!(answer.json()["id"], 42);
    assert_eq!(probe.calls(), calls);
}

#[tokio::test]
async fn a_client_that_reads_no_streams_gets_the_response_without_notifications() {
    let (service, _) = service();
    let answer = send(&service, with(call("tell"), "accept", "application/json")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["result"]["content"][0]["text"], "tell");
    let answer = send(&service, with(call("flood"), "accept", "application/json")).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "flood", "and the handler isn't held up");
}

#[tokio::test]
async fn a_client_that_reads_streams_alone_gets_one() {
    let (service, _) = service();
    let answer = send(&service, with(call("echo"), "accept", "text/event-stream")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.events().len(), 1);
    let answer = send(&service, with(post("{"), "accept", "text/event-stream")).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32700), "an error has its status");
}

#[tokio::test]
async fn listening_needs_streams() {
    let (service, _) = service();
    let body = json!({ "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {
        "notifications": { "toolsListChanged": true }, "_meta": meta(),
    } });
    let answer = send(&service, with(post(body.to_string()), "accept", "application/json")).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (406, -32600));
    assert_eq!(answer.json()["id"], "l");
    assert!(call_body("echo").contains("tools/call"));
}
