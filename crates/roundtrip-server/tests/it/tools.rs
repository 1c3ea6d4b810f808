//! `tools/call`: arguments, results, failures.

use expect_test::expect;
use http::Extensions;
use roundtrip_server::{
    Args, Context, Json, McpServer, State, ToolError,
    exchange::{Exchange, Outbox},
    tool,
};
use roundtrip_types::{CallToolResult, ContentBlock, McpError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{Count, Peer, failure, text};

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
    let server = McpServer::builder("Test").version("1").tool("add", add).build().unwrap();
    let result = Peer::new(&server).call("add", json!({ "a": 9007199254740993_i64, "b": 0 })).await;
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Test",
              "version": "1"
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
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&result).unwrap());
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
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&list["tools"][0]).unwrap());
}

#[tokio::test]
async fn wrong_arguments_are_a_result_that_names_them() {
    let runs = Count::default();
    let counter = runs.clone();
    let server = McpServer::builder("Test")
        .tool("add", move |Args(Add { a, b }): Args<Add>| {
            counter.up();
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
        assert!(failure(&result).contains(why), "{arguments}: {result}");
    }
    assert_eq!(runs.get(), 0);
}

#[tokio::test]
async fn arguments_are_what_the_type_lets_them_be() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        Metric,
        Imperial,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Measure {
        unit: Unit,
        lines: Vec<Add>,
    }
    let server = McpServer::builder("Test")
        .tool("measure", async |Args(it): Args<Measure>| {
            let sum: i64 = it.lines.iter().map(|line| line.a + line.b).sum();
            format!("{sum} {}", matches!(it.unit, Unit::Metric))
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    for (arguments, told) in [
        (
            json!({ "unit": "metres", "lines": [] }),
            "invalid argument `unit`: unknown variant `metres`, expected `metric` or `imperial`",
        ),
        (
            json!({ "unit": "metric", "lines": [], "colour": 1 }),
            "invalid argument `colour`: unknown field `colour`, expected `unit` or `lines`",
        ),
        (
            json!({ "unit": "metric", "lines": [{ "a": 1, "b": 2 }, { "a": 1, "b": "two" }] }),
            "invalid argument `lines[1].b`: invalid type: string \"two\", expected i64",
        ),
        (
            json!({ "unit": "metric", "lines": [{ "a": 1 }] }),
            "invalid argument `lines[0]`: missing field `b`",
        ),
    ] {
        assert_eq!(failure(&peer.call("measure", arguments.clone()).await), told, "{arguments}");
    }
    let arguments = json!({ "unit": "imperial", "lines": [{ "a": 1, "b": 2 }, { "a": 3, "b": 4, "c": 5 }] });
    assert_eq!(text(&peer.call("measure", arguments).await), "10 false");
}

#[tokio::test]
async fn mirrored_headers_must_agree_with_the_arguments() {
    let runs = Count::default();
    let schema = json!({
        "type": "object",
        "properties": {
            "tenant": { "type": "string", "x-mcp-header": "Tenant" },
            "level": { "type": "integer", "x-mcp-header": "Level" },
        },
    });
    let counter = runs.clone();
    let server = McpServer::builder("Test")
        .add(
            tool("t", move |_: Args<Value>| {
                counter.up();
                async { "ran" }
            })
            .input_schema(schema),
        )
        .build()
        .unwrap();
    let (tenant, level) = ("mcp-param-tenant", "mcp-param-level");
    for (arguments, headers, agrees) in [
        (json!({}), &[][..], true),
        (json!({ "tenant": "a", "level": 42 }), &[(tenant, "a"), (level, "42")], true),
        (json!({ "tenant": "é" }), &[(tenant, "=?base64?w6k=?=")], true),
        (json!({ "tenant": null }), &[], true),
        (json!({ "tenant": "a" }), &[(tenant, "b")], false),
        (json!({ "tenant": "a" }), &[], false),
        (json!({ "tenant": null }), &[(tenant, "a")], false),
        (json!({}), &[(tenant, "a")], false),
        (json!({ "tenant": "a" }), &[(tenant, "A")], false),
        (json!({ "tenant": "é" }), &[(tenant, "=?base64?w6k?=")], false),
        (json!({ "level": 42 }), &[(level, "43")], false),
    ] {
        let headers =
            headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let peer = Peer::with_exchange(&server, Exchange::http(headers, Extensions::new()));
        let before = runs.get();
        let params = json!({ "name": "t", "arguments": arguments });
        match agrees {
            true => assert_eq!(text(&peer.result("tools/call", params).await), "ran", "{arguments}"),
            false => {
                let (status, error) = peer.refused("tools/call", params).await;
                assert_eq!((status, &error["code"]), (400, &json!(-32020)), "{arguments} {error}");
            }
        }
        assert_eq!(runs.get() > before, agrees, "{arguments}");
    }
    // Where there are no headers, there is nothing to agree with.
    assert_eq!(text(&Peer::new(&server).call("t", json!({ "tenant": "a" })).await), "ran");
}

#[tokio::test]
async fn deep_nesting_is_refused_and_the_server_goes_on() {
    let runs = Count::default();
    let counter = runs.clone();
    let server = McpServer::builder("Test")
        .tool("take", move |_: Context| {
            counter.up();
            async { "taken" }
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let nested = |depth: usize| format!("{}0{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    let request = |place: &str, depth: usize| {
        let mut params = json!({ "name": "take" });
        match place {
            "_meta" => {}
            "content" => params["inputResponses"] = json!({ "a": { "action": "accept", "content": "HERE" } }),
            place => params[place] = "HERE".into(),
        }
        let body = peer.request("tools/call", params);
        let body =
            if place == "_meta" { body.replacen(r#""_meta":{"#, r#""_meta":{"x":"HERE","#, 1) } else { body };
        body.replace("\"HERE\"", &nested(depth))
    };
    for place in ["arguments", "inputResponses", "content", "_meta", "unheard_of"] {
        let before = runs.get();
        let reply = peer.raw(request(place, 100_000).as_bytes(), Outbox::bounded(1).0).await;
        let response: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!((reply.status.as_u16(), &response["error"]["code"]), (400, &json!(-32600)), "{place}");
        assert_eq!(runs.get(), before);
        let reply = peer.raw(request(place, 100).as_bytes(), Outbox::bounded(1).0).await;
        let response: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(text(&response["result"]), "taken", "{place}");
    }
}

#[tokio::test]
async fn bad_messages_run_nothing() {
    let runs = Count::default();
    let counter = runs.clone();
    let server = McpServer::builder("Test")
        .tool("take", move || {
            counter.up();
            async { "taken" }
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let good = peer.request("tools/call", json!({ "name": "take" }));
    for (bad, code) in [
        (String::new(), -32700),
        ("not json".to_owned(), -32700),
        (good[..good.len() - 1].to_owned(), -32700),
        (format!("\u{feff}{good}"), -32700),
        (format!("[{good}]"), -32600),
        (format!("{good}{good}"), -32600),
        (good.replacen(r#""id":1"#, r#""id":null"#, 1), -32600),
        (good.replacen(r#""id":1"#, r#""id":1.5"#, 1), -32600),
        (good.replacen(r#""id":1"#, r#""id":{}"#, 1), -32600),
        (good.replacen(r#""2.0""#, r#""1.0""#, 1), -32600),
        (good.replace("_meta", "_mata"), -32602),
    ] {
        assert_ne!(bad, good);
        let reply = peer.raw(bad.as_bytes(), Outbox::bounded(1).0).await;
        let response: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!((reply.status.as_u16(), &response["error"]["code"]), (400, &json!(code)), "{bad}");
    }
    assert_eq!(runs.get(), 0);
    let reply = peer.raw(good.as_bytes(), Outbox::bounded(1).0).await;
    assert_eq!((reply.status.as_u16(), runs.get()), (200, 1));
}

#[tokio::test]
async fn dropping_a_call_ends_its_handler() {
    struct Ended(Count);
    impl Drop for Ended {
        fn drop(&mut self) {
            self.0.up();
        }
    }
    let ended = Count::default();
    let counter = ended.clone();
    let server = McpServer::builder("Test")
        .tool("endless", move || {
            let ended = Ended(counter.clone());
            async move {
                std::future::pending::<()>().await;
                drop(ended);
                "never"
            }
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let body = peer.request("tools/call", json!({ "name": "endless" }));
    {
        let mut call = std::pin::pin!(peer.raw(body.as_bytes(), Outbox::bounded(1).0));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(call.as_mut().poll(&mut context).is_pending());
        assert_eq!(ended.get(), 0);
    }
    assert_eq!(ended.get(), 1);
}

#[tokio::test]
async fn a_malformed_call_is_an_error() {
    let server = McpServer::builder("Test").version("1").tool("add", add).build().unwrap();
    let peer = Peer::new(&server);
    for params in [
        json!({ "name": "nope" }),
        json!({ "name": 5 }),
        json!({}),
        json!({ "name": "add", "arguments": [] }),
    ] {
        assert_eq!(peer.error("tools/call", params.clone()).await["code"], -32602, "{params}");
    }
}

#[tokio::test]
async fn absent_and_null_arguments_are_none() {
    let server = McpServer::builder("Test").tool("ping", async || "pong").build().unwrap();
    let peer = Peer::new(&server);
    for params in [
        json!({ "name": "ping" }),
        json!({ "name": "ping", "arguments": null }),
        json!({ "name": "ping", "arguments": {} }),
    ] {
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
async fn any_json_can_be_a_structured_result() {
    let server = McpServer::builder("Test")
        .tool("null", async || Json(None::<u8>))
        .tool("list", async || Json(Vec::<u8>::new()))
        .tool("zero", async || Json(0))
        .tool("false", async || Json(false))
        .tool("text", async || Json(String::new()))
        .tool("none", async || "text")
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    for (name, want) in [
        ("null", json!(null)),
        ("list", json!([])),
        ("zero", json!(0)),
        ("false", json!(false)),
        ("text", json!("")),
    ] {
        let result = peer.call(name, json!({})).await;
        assert_eq!(result.get("structuredContent"), Some(&want), "{name}: null is not absent");
        assert_eq!(text(&result), want.to_string());
    }
    assert_eq!(peer.call("none", json!({})).await.get("structuredContent"), None);
    let list = peer.result("tools/list", json!({})).await;
    assert_eq!(list["tools"][0]["outputSchema"]["type"], json!(["integer", "null"]));
    assert_eq!(list["tools"][5].get("outputSchema"), None);
}

#[tokio::test]
async fn what_has_no_json_form_fails_the_call() {
    #[derive(JsonSchema)]
    struct Odd;
    impl Serialize for Odd {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("s3cret"))
        }
    }
    let server = McpServer::builder("Test").tool("odd", async || Json(Odd)).build().unwrap();
    assert_eq!(failure(&Peer::new(&server).call("odd", json!({})).await), "tool `odd` failed");
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
async fn state_is_shared() {
    async fn hit(hits: State<Count>) -> String {
        hits.up().to_string()
    }
    let server = McpServer::builder("Test").state(Count::default()).tool("hit", hit).build().unwrap();
    let peer = Peer::new(&server);
    assert_eq!(text(&peer.call("hit", json!({})).await), "0");
    assert_eq!(text(&peer.call("hit", json!({})).await), "1");
}
