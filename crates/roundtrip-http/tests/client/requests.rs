//! What is sent.

use roundtrip_client::{IntoTransport, Transport};
use roundtrip_http::HttpTransport;

use crate::support::{Answer, RESPONSE, exchange, json, peer, request, soon};

#[tokio::test]
async fn headers_mirror_the_message() {
    let mut peer = peer(|_, _| Answer::Write(json(RESPONSE))).await;
    let transport = peer.transport();
    let mut outgoing = request();
    outgoing.method = "tools/call".into();
    outgoing.name = Some("héllo".to_owned());
    outgoing.header_params = vec![("mcp-param-tenant".parse().unwrap(), "a".parse().unwrap())];
    soon(transport.exchange(outgoing)).await.unwrap();
    let sent = peer.requests.recv().await.unwrap();
    assert!(sent.head.starts_with("POST /mcp HTTP/1.1\r\n"), "{}", sent.head);
    for (name, value) in [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "=?base64?aMOpbGxv?="),
        ("mcp-param-tenant", "a"),
    ] {
        assert_eq!(sent.header(name), Some(value), "{name}");
    }
    assert_eq!(sent.header("host").unwrap(), peer.address.to_string());
    assert_eq!(sent.body.as_bytes(), request().body);
    soon(transport.exchange(request())).await.unwrap();
    assert_eq!(peer.requests.recv().await.unwrap().header("mcp-name"), None, "only where something is named");
}

#[tokio::test]
async fn headers_of_the_user_are_sent_and_not_shown() {
    let mut peer = peer(|_, _| Answer::Write(json(RESPONSE))).await;
    let transport = peer.transport().header("Authorization", "Bearer 1").unwrap();
    let transport =
        transport.header("authorization", "Bearer secret").unwrap().header("x-tenant", "t7").unwrap();
    exchange(&transport).await.unwrap();
    let sent = peer.requests.recv().await.unwrap();
    assert_eq!(sent.header("authorization"), Some("Bearer secret"));
    assert_eq!(sent.head.matches("Bearer").count(), 1);
    assert_eq!(sent.header("x-tenant"), Some("t7"));
    let shown = format!("{transport:?}");
    assert!(!shown.contains("secret") && !shown.contains("t7") && shown.contains("authorization"), "{shown}");
}

#[test]
fn headers_that_are_not_the_users_to_set_are_refused() {
    let transport = HttpTransport::new("http://localhost/mcp").unwrap();
    for name in ["Host", "content-length", "Accept", "Mcp-Method", "mcp-param-x", "transfer-encoding"] {
        let error = transport.clone().header(name, "x").unwrap_err().to_string();
        assert!(error.contains(&name.to_lowercase()), "{error}");
    }
    assert!(transport.clone().header("a b", "x").is_err());
    let error = transport.header("authorization", "a\nb").unwrap_err().to_string();
    assert!(error.contains("authorization") && !error.contains("a\nb"), "{error}");
}

#[tokio::test]
async fn the_url_is_used_as_it_is() {
    let mut peer = peer(|_, _| Answer::Write(json(RESPONSE))).await;
    for path in ["/mcp", "/mcp/", "/", "/a%20b/mcp?key=1&x", "/mcp?"] {
        let transport = HttpTransport::new(format!("http://{}{path}", peer.address)).unwrap();
        exchange(&transport).await.unwrap();
        let sent = peer.requests.recv().await.unwrap();
        assert!(sent.head.starts_with(&format!("POST {path} HTTP/1.1\r\n")), "{path}: {}", sent.head);
    }
}

#[test]
fn what_is_not_a_url_is_an_error_that_says_so() {
    for wrong in [
        "",
        "localhost",
        "localhost:8000/mcp",
        "ftp://localhost/mcp",
        "http://",
        "http:///mcp",
        "http://a b/",
        "/mcp",
    ] {
        assert!(HttpTransport::new(wrong).is_err(), "{wrong:?}");
    }
    let error = HttpTransport::new("http://me:secret@localhost/mcp").unwrap_err().to_string();
    assert!(error.contains("authorization") && !error.contains("secret"), "{error}");
}

#[test]
fn https_needs_its_feature() {
    assert_eq!(HttpTransport::new("https://example.com/mcp").is_ok(), cfg!(feature = "tls"));
}

#[test]
fn a_client_connects_to_a_url_in_any_form() {
    fn transport<M>(target: impl IntoTransport<M, Transport = HttpTransport>) -> HttpTransport {
        target.into_transport().unwrap()
    }
    let url = "http://localhost:8000/mcp";
    for transport in [
        transport(url),
        transport(url.to_owned()),
        transport(http::Uri::from_static(url)),
        transport(HttpTransport::new(url).unwrap()),
    ] {
        assert!(format!("{transport:?}").contains(url));
    }
    assert!("nonsense".into_transport().is_err());
}
