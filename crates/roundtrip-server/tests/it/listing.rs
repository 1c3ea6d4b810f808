//! What a server says of itself: `server/discover`, the lists and their pages, completions, ids.

use std::time::Duration;

use expect_test::expect;
use http::StatusCode;
use roundtrip_server::{Args, Context, McpServer, ToolError, exchange::Outbox, tool};
use roundtrip_types::{CacheScope, CompleteRequestParams, Completion, Icon, McpError, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Peer, pretty, text};

async fn ping() -> &'static str {
    "pong"
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

async fn greet(Args(name): Args<Name>) -> String {
    format!("Hello {}.", name.name)
}

async fn complete(_: Context, params: CompleteRequestParams) -> Vec<String> {
    let typed = params.argument.value;
    ["rain", "ramp", "road"]
        .iter()
        .filter(|word| word.starts_with(&typed))
        .map(|word| (*word).to_owned())
        .collect()
}

#[tokio::test]
async fn a_server_without_anything_says_so() {
    let server = McpServer::builder("Test").version("1").build().unwrap();
    let peer = Peer::new(&server);
    let discovered = peer.result("server/discover", json!({})).await;
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Test",
              "version": "1"
            }
          },
          "cacheScope": "private",
          "capabilities": {},
          "resultType": "complete",
          "supportedVersions": [
            "2026-07-28"
          ],
          "ttlMs": 0
        }"#]]
    .assert_eq(&pretty(&discovered));
    for method in [
        "tools/list",
        "tools/call",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "completion/complete",
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "vendor/method",
    ] {
        let (status, error) = peer.refused(method, json!({ "name": "x", "uri": "x" })).await;
        assert_eq!((status, &error["code"]), (404, &json!(-32601)), "{method}");
    }
}

#[tokio::test]
async fn a_server_with_everything_says_so() {
    let server = McpServer::builder("Test")
        .version("1")
        .title("A test")
        .description("Tests.")
        .website_url("https://x.example")
        .icons([Icon::new("https://x.example/i.png")])
        .instructions("Use with care.")
        .list_cache(Duration::from_millis(1500), CacheScope::Public)
        .tool("ping", ping)
        .prompt("greet", greet)
        .resource("x://a", "a", async || "a")
        .completion(complete)
        .logging()
        .announce_tools()
        .announce_prompts()
        .announce_resources()
        .announce_resource_updates()
        .build()
        .unwrap();
    let discovered = Peer::new(&server).result("server/discover", json!({})).await;
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "description": "Tests.",
              "icons": [
                {
                  "src": "https://x.example/i.png"
                }
              ],
              "name": "Test",
              "title": "A test",
              "version": "1",
              "websiteUrl": "https://x.example"
            }
          },
          "cacheScope": "public",
          "capabilities": {
            "completions": {},
            "logging": {},
            "prompts": {
              "listChanged": true
            },
            "resources": {
              "listChanged": true,
              "subscribe": true
            },
            "tools": {
              "listChanged": true
            }
          },
          "instructions": "Use with care.",
          "resultType": "complete",
          "supportedVersions": [
            "2026-07-28"
          ],
          "ttlMs": 1500
        }"#]]
    .assert_eq(&pretty(&discovered));
}

#[tokio::test]
async fn what_is_advertised_is_what_there_is() {
    let builder = || McpServer::builder("Test");
    for (builder, want) in [
        (builder().tool("ping", ping), json!({ "tools": {} })),
        (builder().prompt("greet", greet), json!({ "prompts": {} })),
        (builder().resource("x://a", "a", ping), json!({ "resources": {} })),
        (builder().template("x://{name}", "a", greet), json!({ "resources": {} })),
        (builder().completion(complete), json!({ "completions": {} })),
        (builder().logging(), json!({ "logging": {} })),
        (builder().announce_tools(), json!({ "tools": { "listChanged": true } })),
        (builder().announce_prompts(), json!({ "prompts": { "listChanged": true } })),
        (builder().announce_resources(), json!({ "resources": { "listChanged": true } })),
        (builder().announce_resource_updates(), json!({ "resources": { "subscribe": true } })),
    ] {
        let server = builder.build().unwrap();
        let peer = Peer::new(&server);
        assert_eq!(peer.result("server/discover", json!({})).await["capabilities"], want);
        for (capability, method) in
            [("tools", "tools/list"), ("prompts", "prompts/list"), ("resources", "resources/templates/list")]
        {
            let answered = peer.send(method, json!({})).await["result"].is_object();
            assert_eq!(answered, want.get(capability).is_some(), "{method} {want}");
        }
    }
}

/// A server with five of each kind, two to a page.
fn paged() -> McpServer {
    let names = || ["e", "a", "d", "b", "c"];
    let builder =
        McpServer::builder("Test").page_size(2).list_cache(Duration::from_secs(60), CacheScope::Public);
    let builder = names().into_iter().fold(builder, |builder, name| builder.tool(name, ping));
    let builder = names().into_iter().fold(builder, |builder, name| builder.prompt(name, ping));
    let builder = names()
        .into_iter()
        .fold(builder, |builder, name| builder.resource(format!("x://{name}"), name, ping));
    let template = |name: &str| format!("{name}://{{name}}");
    names()
        .into_iter()
        .fold(builder, |builder, name| builder.template(template(name), name, greet))
        .build()
        .unwrap()
}

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

#[tokio::test]
async fn a_list_comes_page_by_page_in_the_order_of_its_making() {
    let server = paged();
    let peer = Peer::new(&server);
    for (method, member) in LISTS {
        let (mut names, mut sizes, mut params) = (Vec::new(), Vec::new(), json!({}));
        loop {
            let mut page = peer.result(method, params.clone()).await;
            assert_eq!((&page["ttlMs"], &page["cacheScope"]), (&json!(60_000), &json!("public")), "{method}");
            let Value::Array(entries) = page[member].take() else { panic!("{page}") };
            sizes.push(entries.len());
            names.extend(entries.into_iter().map(|mut entry| entry["name"].take()));
            match page.as_object_mut().unwrap().remove("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
        assert_eq!(names, ["e", "a", "d", "b", "c"], "{method}");
        assert_eq!(sizes, [2, 2, 1], "{method}");
    }
}

#[tokio::test]
async fn a_cursor_that_was_not_given_is_refused() {
    let server = paged();
    let peer = Peer::new(&server);
    for (method, member) in LISTS {
        for cursor in [json!(""), json!("0"), json!("x"), json!(1), json!({}), json!("é")] {
            let (status, error) = peer.refused(method, json!({ "cursor": cursor })).await;
            assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{method} {cursor}");
        }
        let first = peer.result(method, json!({ "cursor": null })).await;
        assert_eq!(first[member].as_array().unwrap().len(), 2, "{method}");
    }
}

#[tokio::test]
async fn an_empty_list_is_there_where_its_kind_is() {
    let server = McpServer::builder("Test").resource("x://a", "a", ping).build().unwrap();
    let templates = Peer::new(&server).result("resources/templates/list", json!({})).await;
    assert_eq!(templates["resourceTemplates"], json!([]));
    assert_eq!((&templates["ttlMs"], &templates["cacheScope"]), (&json!(0), &json!("private")));
}

#[tokio::test]
async fn a_tool_says_all_that_was_said_of_it() {
    let server = McpServer::builder("Test")
        .add(
            tool("greet", greet)
                .title("Greet")
                .description("Greets somebody.")
                .annotations(ToolAnnotations::new().with_read_only_hint(true))
                .icons([Icon::new("https://x.example/i.png")])
                .meta(serde_json::from_value(json!({ "mine": 1 })).unwrap()),
        )
        .add(tool("raw", async |_: Args<Value>| "ok").input_schema(json!({
            "type": "object",
            "$defs": { "a": { "type": ["string", "null"] } },
            "properties": { "x": { "$ref": "#/$defs/a", "description": "An x." }, "y": true },
            "if": { "required": ["x"] },
            "then": { "required": ["y"] },
            "additionalProperties": false,
        })))
        .tool("ping", ping)
        .build()
        .unwrap();
    let list = Peer::new(&server).result("tools/list", json!({})).await;
    expect![[r##"
        [
          {
            "_meta": {
              "mine": 1
            },
            "annotations": {
              "readOnlyHint": true
            },
            "description": "Greets somebody.",
            "icons": [
              {
                "src": "https://x.example/i.png"
              }
            ],
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "name": {
                  "type": "string"
                }
              },
              "required": [
                "name"
              ],
              "type": "object"
            },
            "name": "greet",
            "title": "Greet"
          },
          {
            "inputSchema": {
              "$defs": {
                "a": {
                  "type": [
                    "string",
                    "null"
                  ]
                }
              },
              "additionalProperties": false,
              "if": {
                "required": [
                  "x"
                ]
              },
              "properties": {
                "x": {
                  "$ref": "#/$defs/a",
                  "description": "An x."
                },
                "y": true
              },
              "then": {
                "required": [
                  "y"
                ]
              },
              "type": "object"
            },
            "name": "raw"
          },
          {
            "inputSchema": {
              "additionalProperties": false,
              "type": "object"
            },
            "name": "ping"
          }
        ]"##]]
    .assert_eq(&pretty(&list["tools"]));
}

#[tokio::test]
async fn completions_come_from_the_one_who_completes() {
    async fn complete(ctx: Context, params: CompleteRequestParams) -> Result<Completion, ToolError> {
        assert!(ctx.request_state().is_none());
        match &*params.argument.value {
            "many" => Ok(Completion::new((0..101).map(|n| n.to_string()))),
            "told" => Err(ToolError::new("no idea")),
            "unexpected" => Err(std::io::Error::other("s3cret").into()),
            "protocol" => Err(McpError::invalid_params("there is no such argument").into()),
            "panic" => panic!("s3cret"),
            _ => Ok(Completion::new([format!("{:?} {:?}", params.reference, params.context)])),
        }
    }
    let server = McpServer::builder("Test").completion(complete).build().unwrap();
    let peer = Peer::new(&server);
    let params = |value: &str| json!({ "ref": { "type": "ref/prompt", "name": "greet" }, "argument": { "name": "name", "value": value } });

    let mut full = params("x");
    full["context"] = json!({ "arguments": { "a": "b" } });
    let result = peer.result("completion/complete", full).await;
    let said = result["completion"]["values"][0].as_str().unwrap();
    assert!(said.contains("\"greet\"") && said.contains(r#"{"a": "b"}"#), "{said}");
    assert_eq!(result["resultType"], "complete");

    let many = peer.result("completion/complete", params("many")).await;
    assert_eq!(many["completion"]["values"].as_array().unwrap().len(), 100);
    assert_eq!((&many["completion"]["total"], &many["completion"]["hasMore"]), (&json!(101), &json!(true)));

    for (value, want) in [
        ("told", json!({ "code": -32603, "message": "no idea" })),
        ("unexpected", json!({ "code": -32603, "message": "completion failed" })),
        ("protocol", json!({ "code": -32602, "message": "there is no such argument" })),
        ("panic", json!({ "code": -32603, "message": "internal error" })),
    ] {
        assert_eq!(peer.error("completion/complete", params(value)).await, want);
    }
    for malformed in [
        json!({}),
        json!({ "ref": { "type": "ref/prompt", "name": "greet" } }),
        json!({ "ref": { "type": "ref/tool", "name": "x" }, "argument": { "name": "a", "value": "" } }),
        json!({ "ref": { "type": "ref/prompt" }, "argument": { "name": "a", "value": "" } }),
        json!({ "ref": { "type": "ref/resource", "uri": "x" }, "argument": { "name": "a", "value": 1 } }),
        json!({ "ref": [], "argument": [] }),
    ] {
        let error = peer.error("completion/complete", malformed.clone()).await;
        assert_eq!(error["code"], -32602, "{malformed}");
    }
}

#[tokio::test]
async fn a_completion_may_be_just_values() {
    let server = McpServer::builder("Test").completion(complete).build().unwrap();
    let params = json!({ "ref": { "type": "ref/resource", "uri": "x://{w}" }, "argument": { "name": "w", "value": "ra" } });
    let result = Peer::new(&server).result("completion/complete", params).await;
    assert_eq!(result["completion"], json!({ "values": ["rain", "ramp"] }));
}

#[tokio::test]
async fn ids_come_back_as_they_are() {
    let server = McpServer::builder("Test").tool("ping", ping).build().unwrap();
    let peer = Peer::new(&server);
    let long = format!("\"{}\"", "i".repeat(10_000));
    for id in ["0", "-5", "\"1\"", "\"init-1\"", "\"\"", "\"0\"", "9007199254740993", "\"é\\n\"", &long] {
        for (method, ok) in [("tools/call", true), ("prompts/list", false)] {
            let params = json!({ "name": "ping" });
            let body = peer.request(method, params).replacen(r#""id":"#, &format!(r#""id":{id},"was":"#), 1);
            let reply = peer.raw(body.as_bytes(), Outbox::bounded(1).0).await;
            let reply = String::from_utf8(reply.body.into()).unwrap();
            assert!(reply.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)), "{id}: {reply}");
            assert_eq!(reply.contains(r#""result":"#), ok, "{reply}");
        }
    }
}

#[tokio::test]
async fn what_is_unknown_is_ignored_and_what_is_optional_may_be_absent() {
    let server = McpServer::builder("Test").tool("ping", ping).build().unwrap();
    let mut peer = Peer::new(&server);
    peer.capabilities = json!({ "elicitation": { "form": {}, "x": 1 }, "future": { "y": [] } });
    peer.meta = json!({ "x.example/mine": { "deep": [1] }, "progressToken": "p" });
    assert_eq!(text(&peer.result("tools/call", json!({ "name": "ping", "unheard_of": [{}] })).await), "pong");
    let list = peer.result("tools/list", json!({ "_unknown": 1, "arguments": 7 })).await;
    assert_eq!(list["tools"][0]["name"], "ping");
}

#[tokio::test]
async fn a_notification_is_taken_and_not_answered() {
    let server = McpServer::builder("Test").tool("ping", ping).build().unwrap();
    let peer = Peer::new(&server);
    for method in ["notifications/cancelled", "notifications/initialized", "tools/call", "x"] {
        let body = json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": 1 } });
        let reply = peer.raw(body.to_string().as_bytes(), Outbox::bounded(1).0).await;
        assert_eq!((reply.status, reply.body.len()), (StatusCode::ACCEPTED, 0), "{method}");
    }
}

#[tokio::test]
async fn the_same_answer_comes_from_a_clone() {
    let server = paged();
    let (here, there) = (Peer::new(&server).result("tools/list", json!({})).await, server.clone());
    assert_eq!(Peer::new(&there).result("tools/list", json!({})).await, here);
}
