//! Answers that are no good fail their request at once, say why, and leave the transport as it was.

use roundtrip_client::TransportError;

use crate::support::{Answer, PROGRESS, RESPONSE, answer, exchange, json, open_stream, peer, stream};

/// The first request gets this answer, and fails; the second gets a good one, and doesn't.
async fn fault(first: Answer) -> TransportError {
    let peer =
        peer(move |number, _| if number == 0 { first.clone() } else { Answer::Write(json(RESPONSE)) }).await;
    let transport = peer.transport();
    let error = exchange(&transport).await.unwrap_err();
    assert_eq!(exchange(&transport).await.unwrap(), [RESPONSE], "the next call works, after {error}");
    error
}

fn body(error: &TransportError) -> String {
    String::from_utf8_lossy(error.body().unwrap_or_default()).into_owned()
}

#[tokio::test]
async fn a_status_that_is_no_success_is_kept_with_its_body() {
    for (status, headers, text) in [
        ("400 Bad Request", "content-type: text/plain", "nonsense"),
        ("401 Unauthorized", "www-authenticate: Bearer", ""),
        ("403 Forbidden", "content-type: application/json", "{}"),
        ("404 Not Found", "content-type: application/json", r#"{"error":"not_found"}"#),
        ("405 Method Not Allowed", "allow: GET", ""),
        ("413 Payload Too Large", "content-type: text/html", "<html>too large</html>"),
        ("429 Too Many Requests", "retry-after: 17", "slow down"),
        (
            "500 Internal Server Error",
            "content-type: application/json",
            r#"{"jsonrpc":"2.0","id":5,"error":"x"}"#,
        ),
        ("502 Bad Gateway", "content-type: text/html", "<html>bad gateway</html>"),
        ("503 Service Unavailable", "", ""),
        ("304 Not Modified", "", ""),
    ] {
        let error = fault(Answer::Write(answer(status, headers, text))).await;
        assert_eq!(error.status().unwrap().to_string(), status);
        assert_eq!(body(&error), text, "{status}");
        assert!(error.to_string().contains(status), "{error}");
    }
    let error = fault(Answer::Write(answer("429 Too Many Requests", "retry-after: 17", ""))).await;
    assert!(error.to_string().contains("17"), "{error}");
}

#[tokio::test]
async fn what_is_kept_of_a_body_is_bounded() {
    let error = fault(Answer::Write(answer("500 Oops", "", vec![b'x'; 1_000_000]))).await;
    assert_eq!(error.body().unwrap().len(), 4096);
    let hung =
        [&answer("500 Oops", "x: y", "")[..0], b"HTTP/1.1 500 Oops\r\ncontent-length: 10\r\n\r\nfive!"]
            .concat();
    let error = fault(Answer::WriteAndHang(hung)).await;
    assert_eq!(error.status().unwrap(), 500, "the rest of it is not waited for");
}

#[tokio::test]
async fn an_answer_without_a_message_is_an_error() {
    for (status, code) in [("204 No Content", 204), ("202 Accepted", 202)] {
        let mut bytes = format!("HTTP/1.1 {status}\r\n").into_bytes();
        bytes.extend_from_slice(if code == 204 { b"\r\n" } else { b"content-length: 0\r\n\r\n" });
        let error = fault(Answer::Write(bytes)).await;
        assert_eq!(error.status().unwrap(), code);
    }
    let error = fault(Answer::Write(json(""))).await;
    assert!(error.to_string().contains("empty"), "{error}");
}

#[tokio::test]
async fn another_media_type_is_an_error_with_the_beginning_of_the_body() {
    for media in ["text/plain; charset=utf-8", "text/html", "application/json; charset=iso-8859-1"] {
        let error = fault(Answer::Write(answer("200 OK", &format!("content-type: {media}"), "what"))).await;
        assert!(error.to_string().contains(media), "{error}");
        assert_eq!((error.status().unwrap().as_u16(), body(&error)), (200, "what".to_owned()));
    }
    let error = fault(Answer::Write(answer("200 OK", "", RESPONSE))).await;
    assert_eq!((error.status().unwrap().as_u16(), body(&error)), (200, RESPONSE.to_owned()));
    let packed = answer("200 OK", "content-type: application/json\r\ncontent-encoding: gzip", "\u{1f}");
    assert!(fault(Answer::Write(packed)).await.to_string().contains("gzip"));
}

#[tokio::test]
async fn a_connection_that_ends_too_early_is_an_error() {
    for bytes in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\ncontent-ty",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{\"jsonrpc\":",
        b"this is not HTTP\r\n\r\n",
    ] {
        fault(Answer::WriteAndClose(bytes.to_vec())).await;
        fault(Answer::Reset(bytes.to_vec())).await;
    }
    let event = format!("data: {PROGRESS}\n\n");
    let error = fault(Answer::WriteAndClose(open_stream([event.as_bytes(), b"data: {"]))).await;
    assert_eq!(error.status().unwrap(), 200);
    assert!(error.to_string().contains("broke"), "{error}");
    fault(Answer::Reset(open_stream([event.as_bytes()]))).await;
}

#[tokio::test]
async fn an_unfinished_event_at_the_end_of_a_stream_is_dropped() {
    let peer = peer(|_, _| Answer::Write(stream([format!("data: {RESPONSE}\n").as_bytes()]))).await;
    assert!(exchange(&peer.transport()).await.unwrap().is_empty(), "the end comes at once");
}

#[tokio::test]
async fn a_message_over_the_limit_is_an_error() {
    let peer = peer(|number, _| {
        let text = format!("\"{}\"", "x".repeat(if number < 2 { 98 } else { 99 }));
        Answer::Write(match number % 2 {
            0 => json(text),
            _ => stream([format!("data: {text}\n\n").as_bytes()]),
        })
    })
    .await;
    let transport = peer.transport().message_limit(100);
    for _ in 0..2 {
        assert_eq!(exchange(&transport).await.unwrap()[0].len(), 100);
    }
    let (json, stream) = (exchange(&transport).await.unwrap_err(), exchange(&transport).await.unwrap_err());
    assert!(json.to_string().contains("100 bytes"), "{json}");
    let cause = std::error::Error::source(&stream).unwrap().to_string();
    assert!(cause.contains("100 bytes"), "{stream}: {cause}");
}

#[tokio::test]
async fn nobody_there_is_an_error_that_names_the_address() {
    let address = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let transport = roundtrip_http::HttpTransport::new(format!("http://{address}/mcp?key=secret")).unwrap();
    let error = exchange(&transport).await.unwrap_err().to_string();
    assert!(error.contains(&address.to_string()) && !error.contains("secret"), "{error}");
}

#[cfg(feature = "tls")]
#[tokio::test]
async fn a_server_without_tls_is_an_error_where_it_is_wanted() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { while listener.accept().await.is_ok() {} });
    let transport = roundtrip_http::HttpTransport::new(format!("https://{address}/mcp")).unwrap();
    let error = exchange(&transport).await.unwrap_err().to_string();
    assert!(error.contains(&format!("no connection to https://{address}/mcp")), "{error}");
}
