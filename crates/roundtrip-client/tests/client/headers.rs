//! Arguments that a tool's schema mirrors into headers with `x-mcp-header`.

use serde_json::{Value, json};

use crate::wire::{Wire, done, error, result};

fn tool(name: &str, properties: &Value) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object", "properties": properties } })
}

fn listed(tools: &[Value]) -> Value {
    json!({ "tools": tools, "ttlMs": 0, "cacheScope": "private" })
}

fn mismatch() -> Value {
    json!({ "code": -32020, "message": "header mismatch" })
}

#[tokio::test]
async fn the_last_listing_says_what_is_mirrored() {
    let schemas = [
        tool("t", &json!({ "tenant": { "type": "string", "x-mcp-header": "Tenant" } })),
        tool("t", &json!({ "size": { "type": "integer", "x-mcp-header": "Size" } })),
        tool("t", &json!({})),
    ];
    let wire = Wire::new(move |number, sent| match &*sent.outgoing.method {
        "tools/list" => result(sent, &listed(&[schemas[number / 2].clone()])),
        _ => result(sent, &done("done")),
    });
    let client = wire.client();
    let arguments = json!({ "tenant": " a ", "size": 42, "other": true });
    for _ in 0..3 {
        client.list_tools().await.unwrap();
        client.call_tool("t", &arguments).await.unwrap();
    }
    let sent = wire.sent();
    assert_eq!(sent[1].headers(), [("mcp-param-tenant", "=?base64?IGEg?=")]);
    assert_eq!(sent[3].headers(), [("mcp-param-size", "42")]);
    assert_eq!(sent[5].headers(), []);
    assert_eq!(sent[5].params()["arguments"], arguments);
}

#[tokio::test]
async fn absent_and_null_arguments_are_not_mirrored() {
    let schema = json!({
        "a": { "type": "string", "x-mcp-header": "A" },
        "b": { "type": "boolean", "x-mcp-header": "B" },
        "c": { "type": "string", "x-mcp-header": "C" },
        "deep": { "type": "object", "properties": { "d": { "type": "integer", "x-mcp-header": "D" } } },
    });
    let wire = Wire::new(move |_, sent| match &*sent.outgoing.method {
        "tools/list" => result(sent, &listed(&[tool("t", &schema)])),
        _ => result(sent, &done("done")),
    });
    let client = wire.client();
    client.list_tools().all().await.unwrap();
    client.call_tool("t", json!({ "a": null, "c": "", "deep": { "d": 7 } })).await.unwrap();
    client.call_tool("t", ()).await.unwrap();
    let sent = wire.sent();
    let mut headers = sent[1].headers();
    headers.sort_unstable();
    assert_eq!(headers, [("mcp-param-c", ""), ("mcp-param-d", "7")]);
    assert_eq!(sent[1].params()["arguments"]["a"], Value::Null);
    assert_eq!(sent[2].headers(), []);
}

#[tokio::test]
async fn a_retry_of_a_round_carries_the_same_headers() {
    let schema = json!({ "tenant": { "type": "string", "x-mcp-header": "Tenant" } });
    tokio::time::pause();
    let wire = Wire::new(move |number, sent| match number {
        0 => result(sent, &listed(&[tool("t", &schema)])),
        1 => result(sent, &json!({ "resultType": "input_required", "requestState": "s" })),
        _ => result(sent, &done("done")),
    });
    let client = wire.client();
    client.list_tools().await.unwrap();
    client.call_tool("t", json!({ "tenant": "b" })).await.unwrap();
    assert_eq!(wire.sent()[2].params()["requestState"], "s");
    assert_eq!(wire.sent()[2].headers(), [("mcp-param-tenant", "b")]);
}

#[tokio::test]
async fn a_missed_header_lists_the_tools_and_sends_the_call_once_more() {
    let schema = json!({ "tenant": { "type": "string", "x-mcp-header": "Tenant" } });
    let pages =
        [json!({ "tools": [tool("other", &json!({}))], "nextCursor": "" }), listed(&[tool("t", &schema)])];
    let wire = Wire::new(move |_, sent| match &*sent.outgoing.method {
        "tools/list" if sent.params().get("cursor").is_none() => result(sent, &pages[0]),
        "tools/list" => result(sent, &pages[1]),
        _ if sent.headers().is_empty() => error(sent, &mismatch()),
        _ => result(sent, &done("done")),
    });
    let client = wire.client();
    client.call_tool("t", json!({ "tenant": "b" })).await.unwrap();
    assert_eq!(wire.methods(), ["tools/call", "tools/list", "tools/list", "tools/call"]);
    let sent = wire.sent();
    assert_eq!(sent[3].headers(), [("mcp-param-tenant", "b")]);
    assert_ne!(sent[0].id(), sent[3].id());
    // From now on it is known.
    client.call_tool("t", json!({ "tenant": "b" })).await.unwrap();
    assert_eq!(wire.sent().len(), 5);
}

#[tokio::test]
async fn a_second_mismatch_is_an_error() {
    let wire = Wire::new(|_, sent| match &*sent.outgoing.method {
        "tools/list" => result(sent, &listed(&[])),
        _ => error(sent, &mismatch()),
    });
    let refused = wire.client().call_tool("t", json!({ "tenant": "b" })).await.unwrap_err();
    assert_eq!(refused.rpc().unwrap().code.0, -32020);
    assert_eq!(wire.methods(), ["tools/call", "tools/list", "tools/call"]);

    // When the tools can't be listed, the first refusal stands.
    let wire = Wire::new(|_, sent| match &*sent.outgoing.method {
        "tools/list" => error(sent, &json!({ "code": -32603, "message": "oops" })),
        _ => error(sent, &mismatch()),
    });
    let refused = wire.client().call_tool("t", ()).await.unwrap_err();
    assert_eq!(refused.rpc().unwrap().code.0, -32020);
    assert_eq!(wire.methods(), ["tools/call", "tools/list"]);

    // Only tools have such headers.
    let wire = Wire::new(|_, sent| error(sent, &mismatch()));
    wire.client().get_prompt("p", ()).await.unwrap_err();
    assert_eq!(wire.methods(), ["prompts/get"]);
}

#[tokio::test]
async fn a_tool_with_a_bad_annotation_is_left_out_alone() {
    let annotated =
        |kind: &str, annotation: &Value| json!({ "p": { "type": kind, "x-mcp-header": annotation } });
    let tools = [
        tool("good", &annotated("string", &json!("Tenant"))),
        tool("empty", &annotated("string", &json!(""))),
        tool("null", &annotated("string", &Value::Null)),
        tool("number annotation", &annotated("string", &json!(5))),
        tool("space", &annotated("string", &json!("Bad Name"))),
        tool("line break", &annotated("string", &json!("A\r\nB"))),
        tool("float", &annotated("number", &json!("N"))),
        tool(
            "twins",
            &json!({
                "a": { "type": "string", "x-mcp-header": "Twin" },
                "b": { "type": "string", "x-mcp-header": "twin" },
            }),
        ),
        tool(
            "items",
            &json!({ "list": { "type": "array", "items": { "type": "string", "x-mcp-header": "X" } } }),
        ),
        tool("any of", &json!({ "p": { "anyOf": [{ "type": "string", "x-mcp-header": "X" }] } })),
        json!({
            "name": "by reference",
            "inputSchema": {
                "type": "object",
                "properties": { "p": { "$ref": "#/$defs/P" } },
                "$defs": { "P": { "type": "string", "x-mcp-header": "X" } },
            },
        }),
    ];
    let wire = Wire::results([listed(&tools)]);
    let names =
        |tools: Vec<roundtrip_types::Tool>| tools.into_iter().map(|tool| tool.name).collect::<Vec<_>>();
    assert_eq!(names(wire.client().list_tools().await.unwrap().tools), ["good"]);
    assert_eq!(names(wire.client().list_tools().all().await.unwrap()), ["good"]);
}

#[tokio::test]
async fn an_argument_that_no_header_can_hold_is_refused_here() {
    let schema = json!({ "n": { "type": "integer", "x-mcp-header": "N" } });
    let wire = Wire::new(move |_, sent| match &*sent.outgoing.method {
        "tools/list" => result(sent, &listed(&[tool("t", &schema)])),
        _ => result(sent, &done("done")),
    });
    let client = wire.client();
    client.list_tools().await.unwrap();
    let error = client.call_tool("t", json!({ "n": 9_007_199_254_740_993_u64 })).await.unwrap_err();
    assert!(error.is_request(), "{error}");
    assert_eq!(wire.methods(), ["tools/list"]);
    client.call_tool("t", json!({ "n": 42.0 })).await.unwrap();
    assert_eq!(wire.sent()[1].headers(), [("mcp-param-n", "42")]);
}
