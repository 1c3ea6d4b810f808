//! What a message says, and the status and id of the answer.

use serde_json::{Value, json};

use crate::support::{call, call_body, meta, post, send, service, with, without};

#[tokio::test]
async fn a_call_is_answered_with_one_json_body() {
    let (service, probe) = service();
    let answer = send(&service, call("echo")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers.len(), 1, "nothing but the content type: {:?}", answer.headers);
    let json = answer.json();
    assert_eq!(json["id"], 42);
    assert_eq!(json["result"]["content"][0]["text"], "echo");
    assert_eq!(json["result"]["resultType"], "complete");
    assert_eq!(probe.calls(), 1);
}

#[tokio::test]
async fn ids_come_back_as_they_were_sent() {
    let (service, _) = service();
    for id in [json!(0), json!(-1), json!(9_007_199_254_740_993_i64), json!(""), json!("1"), json!("é")] {
        let mut body: Value = serde_json::from_str(&call_body("echo")).unwrap();
        body["id"] = id.clone();
        let answer = send(&service, post(body.to_string())).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["id"]), (200, &id));
    }
}

#[tokio::test]
async fn a_notification_is_accepted_without_a_body() {
    let (service, _) = service();
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/whatever" }).to_string();
    let answer = send(&service, post(body)).await;
    assert_eq!(answer.status, 202);
    assert!(answer.body.is_empty());
    assert!(answer.headers.is_empty(), "{:?}", answer.headers);
}

/// Sends what has to be refused, and checks the error's status, code and id, and that nothing was run for it.
#[track_caller]
fn refused(
    request: http::Request<http_body_util::Full<bytes::Bytes>>,
    status: u16,
    code: i64,
    id: Option<Value>,
) -> impl Future<Output = Value> {
    let shown = format!("{request:?}");
    async move {
        let (service, probe) = service();
        let answer = send(&service, request).await;
        assert_eq!((answer.status.as_u16(), answer.error_code()), (status, code), "{shown}: {answer:?}");
        assert_eq!(answer.json().get("id"), id.as_ref(), "{shown}");
        assert_eq!(probe.calls(), 0, "{shown}");
        answer.json()["error"].clone()
    }
}

#[tokio::test]
async fn metadata_is_required_and_the_id_is_echoed() {
    let body = |params: Value| {
        let mut body = json!({ "jsonrpc": "2.0", "id": 42, "method": "tools/call" });
        if !params.is_null() {
            body["params"] = params;
        }
        with(post(body.to_string()), "mcp-name", "echo")
    };
    let lacking = |member: &str| {
        let mut meta = meta();
        meta.as_object_mut().unwrap().remove(member);
        json!({ "name": "echo", "_meta": meta })
    };
    let id = || Some(json!(42));
    refused(body(Value::Null), 400, -32602, id()).await;
    refused(body(json!({ "name": "echo" })), 400, -32602, id()).await;
    refused(body(lacking("io.modelcontextprotocol/protocolVersion")), 400, -32602, id()).await;
    refused(body(lacking("io.modelcontextprotocol/clientCapabilities")), 400, -32602, id()).await;
    let mut wrong = lacking("progressToken");
    wrong["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!([]);
    refused(body(wrong), 400, -32602, id()).await;
}

#[tokio::test]
async fn another_version_is_refused_and_the_ones_spoken_are_named() {
    let mut body: Value = serde_json::from_str(&call_body("echo")).unwrap();
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2025-11-25");
    let request = with(post(body.to_string()), "mcp-protocol-version", "2025-11-25");
    let error = refused(request, 400, -32022, Some(json!(42))).await;
    assert_eq!(error["data"]["requested"], "2025-11-25");
    assert_eq!(error["data"]["supported"], json!(["2026-07-28"]));
    refused(post(body.to_string()), 400, -32020, Some(json!(42))).await;
}

#[tokio::test]
async fn headers_have_to_agree_with_the_body() {
    for header in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        refused(without(call("echo"), header), 400, -32020, Some(json!(42))).await;
    }
    for (header, value) in [
        ("mcp-method", "tools/list"),
        ("mcp-method", "TOOLS/CALL"),
        ("mcp-name", "other"),
        ("mcp-name", "Echo"),
    ] {
        refused(with(call("echo"), header, value), 400, -32020, Some(json!(42))).await;
    }
    let mut twice = call("echo");
    twice.headers_mut().append("mcp-name", "echo".parse().unwrap());
    refused(twice, 400, -32020, Some(json!(42))).await;
    let (service, _) = service();
    let answer = send(&service, with(call("echo"), "mcp-name", "  echo  ")).await;
    assert_eq!(answer.status, 200, "blanks around a value are not part of it");
}

#[tokio::test]
async fn unknown_methods_are_not_found() {
    for method in ["foo/bar", "initialize", "ping", "resources/subscribe", "logging/setLevel"] {
        let body = json!({ "jsonrpc": "2.0", "id": "x", "method": method, "params": { "_meta": meta() } });
        refused(post(body.to_string()), 404, -32601, Some(json!("x"))).await;
    }
}

#[tokio::test]
async fn what_is_not_json_is_a_parse_error_without_an_id() {
    for body in ["", "{", "nope", "\u{7f}"] {
        refused(post(body), 400, -32700, None).await;
    }
    let mut latin = call_body("echo").into_bytes();
    latin.insert(2, 0xE9);
    let request = call("echo").map(|_| http_body_util::Full::new(latin.into()));
    refused(request, 400, -32700, None).await;
}

#[tokio::test]
async fn what_is_not_one_request_is_invalid() {
    for body in ["[]", "\"x\"", "42", "null", "{}", r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#] {
        refused(post(body), 400, -32600, None).await;
    }
    for id in ["null", "true", "1.5", "{}", "[]"] {
        let body = call_body("echo").replace(r#""id":42"#, &format!(r#""id":{id}"#));
        refused(post(body), 400, -32600, None).await;
    }
    let id = Some(json!(7));
    refused(post(r#"{"jsonrpc":"2.0","id":7,"method":42}"#), 400, -32600, id.clone()).await;
    refused(post(r#"{"id":7,"method":"tools/list"}"#), 400, -32600, id.clone()).await;
    refused(post(r#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#), 400, -32600, id.clone()).await;
    refused(post(r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"} x"#), 400, -32600, id).await;
    refused(post(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#), 400, -32600, None).await;
}

#[tokio::test]
async fn deep_nesting_is_refused_and_the_server_goes_on() {
    let (service, probe) = service();
    let deep = call_body("echo").replace("{}", &format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    let answer = send(&service, with(post(deep), "mcp-name", "echo")).await;
    assert_eq!(answer.status, 400);
    assert_eq!(probe.calls(), 0);
    assert_eq!(send(&service, call("echo")).await.status, 200);
}

#[tokio::test]
async fn unknown_members_are_ignored() {
    let (service, _) = service();
    let mut body: Value = serde_json::from_str(&call_body("echo")).unwrap();
    body["future"] = json!([1]);
    body["params"]["_meta"]["x"] = json!({});
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({ "elicitation": { "form": {}, "x": 1 }, "future": { "y": [] } });
    assert_eq!(send(&service, post(body.to_string())).await.status, 200);
}

#[tokio::test]
async fn an_error_of_a_handler_has_the_status_of_its_code() {
    let (service, _) = service();
    let answer = send(&service, post(call_body("tell_and_fail"))).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (400, -32021), "no stream had begun");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/list", "params": { "_meta": meta() } });
    let answer = send(&service, post(body.to_string())).await;
    assert_eq!((answer.status.as_u16(), answer.error_code()), (404, -32601), "no handler, no method");
}
