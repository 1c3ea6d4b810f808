//! `tools/call`: arguments, results, failures.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use expect_test::expect;
use roundtrip_server::{Args, Context, Json, McpServer, State, ToolError, tool};
use roundtrip_types::{CallToolResult, ContentBlock, McpError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{Peer, text};

/// Add two numbers.
#[derive(Deserialize, JsonSchema)]
struct Add {
    /// The first.
    a: i64,
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

async fn add(Args(Add { a, b }): Args<Add>) -> Json<Sum> {
    Json(Sum { sum: a + b })
}

#[tokio::test]
async fn a_structured_result_comes_as_text_too() {
    let server = McpServer::builder("Test").tool("add", add).build().unwrap();
    let result = Peer::new(&server).call("add", json!({ "a": 9007199254740993_i64, "b": 0 })).await;
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Test",
              "version": "0.1.0"
            }
          },
          "content": [
            {
              "text": "{\"sum\":9007199254740993}",
              "type": "text"
            }
          ],
          "resultType": "complete",
          "structuredContent": {
            "sum": 9007199254740993
          }
        }"#]].assert_eq(&serde_json::to_string_pretty(&result).unwrap());
}

#[tokio::test]
async fn the_listing_shows_what_the_types_say() {
    let server = McpServer::builder("Test").add(tool("add", add).title("Addition")).build().unwrap();
    let list = Peer::new(&server).result("tools/list", json!({})).await;
    expect![[r#"
        {
          "description": "Add two numbers.",
          "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {
              "a": {
                "description": "The first.",
                "format": "int64",
                "type": "integer"
              },
              "b": {
                "format": "int64",
                "type": "integer"
              }
            },
            "required": [
              "a",
              "b"
            ],
            "type": "object"
          },
          "name": "add",
          "outputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {
              "sum": {
                "format": "int64",
                "type": "integer"
              }
            },
            "required": [
              "sum"
            ],
            "type": "object"
          },
          "title": "Addition"
        }"#]].assert_eq(&serde_json::to_string_pretty(&list["tools"][0]).unwrap());
}

#[tokio::test]
async fn wrong_arguments_are_a_result_that_names_them() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&runs);
    let server = McpServer::builder("Test")
        .tool("add", move |Args(Add { a, b }): Args<Add>| {
            counter.fetch_add(1, Ordering::Relaxed);
            async move { (a + b).to_string() }
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    for (arguments, why) in [
        (json!({ "a": 1 }), "missing field `b`"),
        (json!({ "a": "x", "b": 1 }), "`a`"),
        (json!({ "a": 1, "b": null }), "`b`"),
        (json!({ "a": 1.5, "b": 1 }), "`a`"),
    ] {
        let result = peer.call("add", arguments.clone()).await;
        assert_eq!(result["isError"], true, "{arguments}");
        assert!(text(&result).contains(why), "{arguments}: {result}");
    }
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_malformed_call_is_an_error() {
    let server = McpServer::builder("Test").tool("add", add).build().unwrap();
    let peer = Peer::new(&server);
    for params in [json!({ "name": "nope" }), json!({ "name": 5 }), json!({}), json!({ "name": "add", "arguments": [] })] {
        assert_eq!(peer.error("tools/call", params.clone()).await["code"], -32602, "{params}");
    }
}

#[tokio::test]
async fn absent_and_null_arguments_are_none() {
    let server = McpServer::builder("Test").tool("ping", async || "pong").build().unwrap();
    let peer = Peer::new(&server);
    for params in [json!({ "name": "ping" }), json!({ "name": "ping", "arguments": null }), json!({ "name": "ping", "arguments": {} })] {
        assert_eq!(text(&peer.result("tools/call", params).await), "pong");
    }
}

#[tokio::test]
async fn failures_are_told_as_their_author_meant_them() {
    async fn told() -> Result<String, ToolError> {
        Err(ToolError::new("there is no such table"))
    }
    async fn unexpected() -> Result<String, ToolError> {
        Err(std::io::Error::other("secret path"))?;
        Ok(String::new())
    }
    async fn protocol() -> Result<String, ToolError> {
        Err(McpError::invalid_params("no such page"))?;
        Ok(String::new())
    }
    async fn panics() -> String {
        panic!("secret detail")
    }
    let server = McpServer::builder("Test")
        .tool("told", told)
        .tool("unexpected", unexpected)
        .tool("protocol", protocol)
        .tool("panics", panics)
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let result = peer.call("told", json!({})).await;
    assert_eq!((&result["isError"], text(&result)), (&json!(true), "there is no such table"));
    let result = peer.call("unexpected", json!({})).await;
    assert_eq!((&result["isError"], text(&result)), (&json!(true), "tool `unexpected` failed"));
    let error = peer.error("tools/call", json!({ "name": "protocol" })).await;
    assert_eq!(error, json!({ "code": -32602, "message": "no such page" }));
    let error = peer.error("tools/call", json!({ "name": "panics" })).await;
    assert_eq!(error["code"], -32603);
    assert!(!error.to_string().contains("secret"));
    // The server goes on.
    assert_eq!(text(&peer.call("told", json!({})).await), "there is no such table");
}

#[tokio::test]
async fn full_control_of_the_result() {
    async fn mixed() -> CallToolResult {
        let mut result = CallToolResult::new([ContentBlock::text("one"), ContentBlock::text("two")]);
        result.structured_content = Some(json!(null).into());
        result.meta = Some(serde_json::from_value(json!({ "mine": 1 })).unwrap());
        result
    }
    let server = McpServer::builder("Test").tool("mixed", mixed).build().unwrap();
    let result = Peer::new(&server).call("mixed", json!({})).await;
    assert_eq!(result["structuredContent"], Value::Null);
    assert!(result.as_object().unwrap().contains_key("structuredContent"), "null is not absent");
    assert_eq!(result["_meta"]["mine"], 1);
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "Test");
}

#[tokio::test]
async fn progress_goes_to_who_asked_for_it_and_grows() {
    async fn work(ctx: Context) -> &'static str {
        for done in [1.0, 1.0, 0.5, f64::NAN, 2.0] {
            ctx.report_progress(done, Some(2.0), None).await;
        }
        "done"
    }
    let server = McpServer::builder("Test").tool("work", work).build().unwrap();
    let mut peer = Peer::new(&server);
    let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "work" })).await;
    assert_eq!(sent, Vec::<Value>::new());
    for token in [json!(0), json!(""), json!("0"), json!(9007199254740993_i64)] {
        peer.meta = json!({ "progressToken": token });
        let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "work" })).await;
        let done: Vec<_> = sent.iter().map(|message| message["params"]["progress"].as_f64().unwrap()).collect();
        assert_eq!(done, [1.0, 2.0]);
        assert!(sent.iter().all(|message| message["params"]["progressToken"] == token), "{sent:?}");
    }
}

#[tokio::test]
async fn log_messages_need_a_level_and_a_declaration() {
    async fn chatty(ctx: Context) -> &'static str {
        ctx.log(roundtrip_types::LoggingLevel::Info, "hello").await;
        ctx.log(roundtrip_types::LoggingLevel::Debug, "details").await;
        "done"
    }
    for (declared, level, want) in [(true, "info", 1), (true, "debug", 2), (true, "error", 0), (false, "debug", 0)] {
        let builder = McpServer::builder("Test").tool("chatty", chatty);
        let server = if declared { builder.logging() } else { builder }.build().unwrap();
        let mut peer = Peer::new(&server);
        let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "chatty" })).await;
        assert_eq!(sent.len(), 0, "nobody asked");
        peer.meta = json!({ "io.modelcontextprotocol/logLevel": level });
        let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "chatty" })).await;
        assert_eq!(sent.len(), want, "{declared} {level}: {sent:?}");
    }
}

#[tokio::test]
async fn state_is_shared() {
    struct Hits(AtomicUsize);
    async fn hit(hits: State<Hits>) -> String {
        hits.0.fetch_add(1, Ordering::Relaxed).to_string()
    }
    let server = McpServer::builder("Test").state(Hits(AtomicUsize::new(0))).tool("hit", hit).build().unwrap();
    let peer = Peer::new(&server);
    assert_eq!(text(&peer.call("hit", json!({})).await), "0");
    assert_eq!(text(&peer.call("hit", json!({})).await), "1");
}
