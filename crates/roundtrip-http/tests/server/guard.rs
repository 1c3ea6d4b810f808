//! Hosts, origins and what a browser is told.

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use roundtrip_http::Guard;

use crate::support::{call, send, service, with, without};

#[tokio::test]
async fn loopback_names_are_served_and_others_are_not() {
    let (service, probe) = service();
    for host in ["localhost:8000", "[::1]:8000", "127.0.0.1", "LOCALHOST"] {
        assert_eq!(send(&service, with(call("echo"), "host", host)).await.status, 200, "{host}");
    }
    let calls = probe.calls();
    for host in ["evil.example", "localhost.evil.example", "localhost:80:80"] {
        let answer = send(&service, with(call("echo"), "host", host)).await;
        assert_eq!((answer.status.as_u16(), answer.error_code()), (403, -32600), "{host}");
        assert!(!String::from_utf8_lossy(&answer.body).contains(host), "nothing of it is sent back");
    }
    assert_eq!(send(&service, without(call("echo"), "host")).await.status, 403);
    for origin in ["null", "https://evil.example"] {
        let answer = send(&service, with(call("echo"), "origin", origin)).await;
        assert_eq!((answer.status.as_u16(), answer.error_code()), (403, -32600), "{origin}");
        assert!(!answer.headers.contains_key("access-control-allow-origin"));
    }
    assert_eq!(probe.calls(), calls);
}

#[tokio::test]
async fn the_guard_comes_before_everything_else() {
    let (service, _) = service();
    let mut request = with(call("echo"), "host", "evil.example");
    *request.method_mut() = http::Method::GET;
    assert_eq!(send(&service, request).await.status, 403);
    let preflight = with(preflight("https://evil.example"), "host", "localhost");
    assert_eq!(send(&service, preflight).await.status, 403);
}

#[tokio::test]
async fn more_is_served_where_it_is_allowed() {
    let guard = Guard::default()
        .allow_host("mcp.example.com")
        .and_then(|guard| guard.allow_host("10.0.0.7:8443"))
        .and_then(|guard| guard.allow_origin("https://app.example.com"))
        .unwrap();
    let (service, _) = service();
    let service = service.guard(guard);
    for (host, status) in
        [("mcp.example.com", 200), ("mcp.example.com:1", 200), ("10.0.0.7:8443", 200), ("10.0.0.7", 403)]
    {
        assert_eq!(send(&service, with(call("echo"), "host", host)).await.status, status, "{host}");
    }
    let answer = send(&service, with(call("echo"), "origin", "https://app.example.com")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(send(&service, with(call("echo"), "origin", "https://mcp.example.com")).await.status, 403);
}

fn preflight(origin: &str) -> Request<Full<Bytes>> {
    Request::options("/mcp")
        .header("host", "localhost:8000")
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type, authorization, mcp-method, mcp-param-tenant")
        .body(Full::default())
        .unwrap()
}

#[tokio::test]
async fn a_page_that_is_served_may_call_and_read() {
    let (service, _) = service();
    let origin = "http://localhost:6274";
    let answer = send(&service, preflight(origin)).await;
    assert_eq!(answer.status, 204);
    assert!(answer.body.is_empty());
    assert_eq!(answer.header("access-control-allow-origin"), origin);
    assert_eq!(answer.header("access-control-allow-methods"), "POST");
    assert_eq!(
        answer.header("access-control-allow-headers"),
        "content-type, authorization, mcp-method, mcp-param-tenant"
    );
    assert!(!answer.headers.contains_key("access-control-allow-credentials"), "no cookies");
    let vary: Vec<&str> =
        answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(vary.contains(&"origin") && vary.contains(&"access-control-request-headers"), "{vary:?}");

    for (request, status) in
        [(call("echo"), 200), (call("tell"), 200), (with(call("echo"), "mcp-name", "x"), 400)]
    {
        let answer = send(&service, with(request, "origin", origin)).await;
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("access-control-allow-origin"), origin, "errors can be read, too");
        assert_eq!(answer.header("access-control-expose-headers"), "www-authenticate");
    }
    let answer = send(&service, call("echo")).await;
    assert!(!answer.headers.contains_key("access-control-allow-origin"), "nothing for who isn't a page");
}

#[tokio::test]
async fn a_request_from_nowhere_is_no_preflight() {
    let (service, _) = service();
    assert_eq!(send(&service, without(preflight("http://localhost"), "origin")).await.status, 405);
    let bare = without(preflight("http://localhost"), "access-control-request-method");
    assert_eq!(send(&service, bare).await.status, 405);
}
