//! What can go wrong below a call: each ends that call at once, and the client goes on.

use std::error::Error as _;

use http::StatusCode;
use roundtrip_client::{Client, Error, TransportError};
use serde_json::{Value, json};

use crate::wire::{Reply, Step, Wire, done, error, notification, result};

/// The error of a call that is answered like this; the next call of the same client works.
async fn fails(reply: impl Fn(&crate::wire::Sent) -> Reply + Send + Sync + 'static) -> Error {
    let wire = Wire::new(move |number, sent| match number {
        0 => reply(sent),
        _ => result(sent, &done("done")),
    });
    let client = wire.client();
    let error = client.call_tool("t", ()).await.unwrap_err();
    assert_eq!(wire.sent().len(), 1, "nothing is sent again: {error}");
    client.call_tool("t", ()).await.unwrap();
    error
}

#[tokio::test]
async fn an_error_of_the_server_is_kept_as_it_is() {
    let error = fails(|sent| {
        let error =
            json!({ "code": -32602, "message": "unknown tool", "data": { "big": 9007199254740993_u64 } });
        error_with_status(sent, &error, StatusCode::BAD_REQUEST)
    })
    .await;
    assert!(error.is_rpc());
    let rpc = error.rpc().unwrap();
    assert_eq!((rpc.code.0, &*rpc.message), (-32602, "unknown tool"));
    assert_eq!(rpc.data.as_ref().unwrap().get(), r#"{"big":9007199254740993}"#);
    assert_eq!(error.status(), Some(StatusCode::BAD_REQUEST));
    assert_eq!(error.to_string(), "the server refused `tools/call`: unknown tool (-32602)");
    assert!(!error.is_transport() && !error.is_timeout() && !error.is_invalid_response());
}

fn error_with_status(sent: &crate::wire::Sent, value: &Value, status: StatusCode) -> Reply {
    error(sent, value).status(status)
}

#[tokio::test]
async fn an_error_without_an_id_belongs_to_its_request() {
    for id in ["", r#""id":null,"#] {
        let text = format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32700,"message":"parse error"}}}}"#);
        let error = fails(move |_| Reply::bytes([text.clone()])).await;
        assert_eq!(error.rpc().unwrap().code.0, -32700);
    }
}

#[tokio::test]
async fn a_broken_transport_keeps_its_status_and_cause() {
    let error = fails(|_| {
        let below = std::io::Error::other("connection reset");
        Reply::refused(
            TransportError::new("the server answered 503")
                .with_status(StatusCode::SERVICE_UNAVAILABLE)
                .with_source(below),
        )
    })
    .await;
    assert!(error.is_transport() && !error.is_rpc(), "{error}");
    assert_eq!(error.status(), Some(StatusCode::SERVICE_UNAVAILABLE));
    let transport = error.source().unwrap();
    assert_eq!(transport.to_string(), "the server answered 503");
    assert_eq!(transport.source().unwrap().to_string(), "connection reset");
}

#[tokio::test]
async fn a_stream_that_breaks_or_ends_early_ends_the_call() {
    let progress = || notification("notifications/progress", &json!({ "progressToken": 1, "progress": 1 }));
    let error = fails(move |_| Reply::steps([progress()])).await;
    assert!(error.is_invalid_response(), "{error}");
    assert!(error.to_string().contains("ended before"), "{error}");

    let error = fails(move |_| Reply::steps([progress(), Step::Fail(TransportError::new("reset"))])).await;
    assert!(error.is_transport(), "{error}");

    let error = fails(|_| Reply::steps([])).await;
    assert!(error.is_invalid_response(), "{error}");
}

#[tokio::test]
async fn a_stream_is_read_to_its_end_but_not_waited_for() {
    let wire = Wire::results([done("done")]);
    wire.client().call_tool("t", ()).await.unwrap();
    assert_eq!((wire.ended(), wire.cancelled()), (1, 0));

    let wire = Wire::new(|_, sent| {
        let mut reply = result(sent, &done("done"));
        reply.steps.push_back(Step::Hang);
        reply
    });
    wire.client().call_tool("t", ()).await.unwrap();
    assert_eq!((wire.ended(), wire.cancelled()), (0, 1));
}

#[tokio::test]
async fn what_a_server_chose_is_cut_short_in_messages() {
    let key = "k".repeat(10_000);
    let wire = Wire::results([crate::wire::input_required(&json!({ &key: crate::wire::yes_or_no() }), "s")]);
    let error = wire.client().call_tool("t", ()).await.unwrap_err();
    assert_eq!(error.question_key(), Some(&*key));
    assert!(error.to_string().len() < 300, "{error}");
}

#[tokio::test]
async fn a_message_of_the_server_commands_no_terminal() {
    let text = format!("\u{1b}[2J\u{7}{}", "A".repeat(3000));
    let said = text.clone();
    let error = fails(move |sent| error(sent, &json!({ "code": -32000, "message": said }))).await;
    assert_eq!(error.rpc().unwrap().message, text);
    let shown = error.to_string();
    assert!(shown.len() < 700 && !shown.contains(char::is_control), "{shown:?}");
}

#[tokio::test]
async fn an_answer_with_another_id_is_refused() {
    for id in [r#""1""#, "2", "1.0", "1e0", "true", "-1", r#""""#, "[1]"] {
        let error = fails(move |sent| {
            assert_eq!(sent.id(), 1);
            Reply::bytes([format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#, done("x"))])
        })
        .await;
        assert!(error.is_invalid_response(), "{id}: {error}");
        let error = fails(move |_| {
            Reply::bytes([format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":1,"message":"x"}}}}"#)])
        })
        .await;
        assert!(error.is_invalid_response(), "{id}: {error}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_skipped_and_no_answer() {
    let foreign = [
        "[]",
        "[{}]",
        "{}",
        "null",
        "7",
        "not json",
        "",
        r#"{"type":"heartbeat"}"#,
        r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
        r#"{"id":1,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]",
    ];
    for text in foreign {
        let error = fails(move |_| Reply::bytes([text])).await;
        assert!(error.is_invalid_response(), "{text}: {error}");
    }
    let wire = Wire::new(move |_, sent| {
        result(sent, &done("done")).after(foreign.map(|text| Step::Play(text.into())))
    });
    wire.client().call_tool("t", ()).await.unwrap();

    // Bytes that aren't UTF-8, and nesting that no parser should follow.
    let error = fails(|_| Reply::bytes([&b"\xff\xfe{}"[..]])).await;
    assert!(error.is_invalid_response(), "{error}");
    let deep = format!("{}{}", r#"{"a":"#.repeat(100_000), "1");
    let error = fails(move |sent| crate::wire::raw_result(sent, &deep)).await;
    assert!(error.is_invalid_response(), "{error}");
}

#[tokio::test]
async fn deep_nesting_in_a_result_does_no_harm() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let text = format!(r#"{{"content":[],"structuredContent":{deep}}}"#);
    let wire = Wire::new(move |_, sent| crate::wire::raw_result(sent, &text));
    let result = wire.client().call_tool("t", ()).await.unwrap();
    assert_eq!(result.structured_content.unwrap().get(), deep);
}

#[tokio::test]
async fn an_error_that_is_none_is_an_invalid_response() {
    for error in [json!({}), json!([]), json!("no"), json!({ "code": "x", "message": "y" })] {
        let error = fails(move |sent| crate::wire::error(sent, &error)).await;
        assert!(error.is_invalid_response(), "{error}");
    }
}

#[tokio::test]
async fn arguments_that_can_not_be_sent_are_refused_here() {
    let wire = Wire::results([done("done")]);
    let client = wire.client();
    for arguments in [json!([]), json!("x"), json!(7)] {
        let error = client.call_tool("t", arguments).await.unwrap_err();
        assert!(error.is_request(), "{error}");
        assert!(error.to_string().contains("JSON object"), "{error}");
    }
    let unwritable = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert!(client.call_tool("t", unwritable).await.unwrap_err().is_request());
    assert!(client.get_prompt("p", json!({ "n": 1 })).await.unwrap_err().is_request());
    assert!(client.call_tool("t", ()).meta("progressToken", 1).await.unwrap_err().is_request());
    assert!(client.call_tool("t", json!([])).once().await.unwrap_err().is_request());
    assert!(wire.sent().is_empty());
}

#[tokio::test]
async fn arguments_keep_their_digits_and_their_absence() {
    let wire = Wire::results([done("done")]);
    let client = wire.client();
    let raw: roundtrip_types::RawJson =
        serde_json::from_str("{\n \"n\": 9007199254740993.10,\r\n \"s\": \"a\\nb\" }").unwrap();
    client.call_tool("t", &raw).await.unwrap();
    client.call_tool("t", ()).await.unwrap();
    client.call_tool("t", Option::<()>::None).await.unwrap();
    client.call_tool("t", json!({})).await.unwrap();
    let sent = wire.sent();
    assert!(sent[0].text.contains("9007199254740993.10"));
    assert!(!sent[0].text.contains(['\n', '\r']), "a request is one line");
    assert_eq!(sent[0].params()["arguments"]["s"], "a\nb");
    assert_eq!(sent[1].params().get("arguments"), None);
    assert_eq!(sent[2].params().get("arguments"), None);
    assert_eq!(sent[3].params()["arguments"], json!({}));
}

#[tokio::test]
async fn a_missing_resource_is_told_apart() {
    let cases = [
        (json!({ "code": -32602, "message": "not found", "data": { "uri": "a://b" } }), true),
        (json!({ "code": -32002, "message": "not found" }), true),
        (json!({ "code": -32602, "message": "bad cursor" }), false),
        (json!({ "code": -32603, "message": "oops", "data": { "uri": "a://b" } }), false),
    ];
    for (answer, expected) in cases {
        let wire = Wire::new(move |_, sent| error(sent, &answer));
        let error = wire.client().read_resource("a://b").await.unwrap_err();
        assert_eq!(error.is_resource_not_found(), expected, "{error}");
    }
}

#[tokio::test]
async fn a_transport_that_can_not_be_made_is_an_error_of_the_client() {
    struct Nowhere;

    enum Marker {}

    impl roundtrip_client::IntoTransport<Marker> for Nowhere {
        type Transport = Wire;

        fn into_transport(self) -> Result<Wire, Error> {
            Err(TransportError::new("the address has no host").into())
        }
    }

    let error = Client::connect(Nowhere).await.unwrap_err();
    assert!(error.is_transport());
    assert_eq!(error.source().unwrap().to_string(), "the address has no host");
}
