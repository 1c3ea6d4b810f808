//! Answers that are good: JSON, streams, and JSON-RPC errors at any status.

use roundtrip_client::Transport;
use roundtrip_types::RequestId;

use crate::support::{Answer, RESPONSE, answer, exchange, json, peer, request, soon, stream};

#[tokio::test]
async fn json_is_one_message() {
    let peer = peer(|_, _| Answer::Write(json(RESPONSE))).await;
    assert_eq!(exchange(&peer.transport()).await.unwrap(), [RESPONSE]);
}

#[tokio::test]
async fn media_types_are_compared_as_such_and_utf_8_is_taken_for_granted() {
    for media in ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=\"UTF-8\""]
    {
        let headers = format!("content-type: {media}");
        let peer = peer(move |_, _| Answer::Write(answer("200 OK", &headers, RESPONSE))).await;
        assert_eq!(exchange(&peer.transport()).await.unwrap(), [RESPONSE], "{media}");
    }
    let head = "content-type: TEXT/EVENT-STREAM;charset=UTF-8";
    let peer = peer(move |_, _| Answer::Write(answer("200 OK", head, format!("data: {RESPONSE}\n\n")))).await;
    assert_eq!(exchange(&peer.transport()).await.unwrap(), [RESPONSE]);
}

#[tokio::test]
async fn a_json_rpc_error_is_a_message_at_any_status() {
    let error = r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32020,"message":"no"}}"#;
    let nameless = r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}"#;
    let null = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#;
    for (status, body, media) in [
        ("400 Bad Request", error, "content-type: application/json"),
        ("404 Not Found", error, "content-type: application/json; charset=utf-8"),
        ("500 Internal Server Error", nameless, "content-type: application/json"),
        ("403 Forbidden", null, ""),
    ] {
        let peer = peer(move |_, _| Answer::Write(answer(status, media, body))).await;
        let transport = peer.transport();
        let mut messages = soon(transport.exchange(request())).await.unwrap();
        assert_eq!(messages.status().unwrap().to_string(), status);
        assert_eq!(messages.next().await.unwrap().unwrap(), body);
        assert!(messages.next().await.unwrap().is_none());
    }
}

#[tokio::test]
async fn an_error_with_a_status_belongs_to_the_request_with_its_very_id() {
    let error = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":1,"message":"no"}}}}"#);
    for (ours, theirs, same) in [
        (RequestId::Integer(5), "5", true),
        (RequestId::Integer(5), "\"5\"", false),
        (RequestId::Integer(5), "6", false),
        (RequestId::String("5".into()), "\"5\"", true),
        (RequestId::String("5".into()), "5", false),
        (RequestId::Integer(9_007_199_254_740_993), "9007199254740993", true),
        (RequestId::Integer(9_007_199_254_740_993), "9007199254740992", false),
    ] {
        let body = error(theirs);
        let peer = peer(move |_, _| Answer::Write(answer("400 Bad Request", "", &body))).await;
        let mut request = request();
        request.id = ours.clone();
        let transport = peer.transport();
        let answered = soon(transport.exchange(request)).await;
        assert_eq!(answered.is_ok(), same, "{ours:?} and {theirs}");
    }
}

#[tokio::test]
async fn connections_are_used_again() {
    let mut peer = peer(|number, _| {
        Answer::Write(match number % 2 {
            0 => json(RESPONSE),
            _ => stream([format!("data: {RESPONSE}\n\n").as_bytes()]),
        })
    })
    .await;
    let transport = peer.transport();
    for _ in 0..6 {
        assert_eq!(exchange(&transport).await.unwrap(), [RESPONSE]);
        assert_eq!(peer.requests.recv().await.unwrap().connection, 0);
    }
}
