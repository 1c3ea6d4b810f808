//! `prompts/get`: arguments, messages, failures, resolvers.

use expect_test::expect;
use roundtrip_server::{Args, McpServer, Resolution, Resolve, Resolved, ToolError, elicit, prompt};
use roundtrip_types::{ContentBlock, GetPromptResult, Icon, McpError, PromptMessage};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing::Level;

use crate::{
    logs::Log,
    support::{Count, Peer, accept, decline, pretty, questions},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Formal,
    Plain,
}

/// Draft a briefing.
#[derive(Debug, Deserialize, JsonSchema)]
struct Briefing {
    /// What it is about.
    topic: String,
    pages: u8,
    tone: Option<Tone>,
}

async fn briefing(Args(about): Args<Briefing>) -> String {
    format!("{} on {} pages, {:?}", about.topic, about.pages, about.tone)
}

fn server() -> McpServer {
    McpServer::builder("Test").version("1").prompt("briefing", briefing).build().unwrap()
}

async fn get(arguments: Value) -> Value {
    let server = server();
    Peer::new(&server).result("prompts/get", json!({ "name": "briefing", "arguments": arguments })).await
}

#[tokio::test]
async fn text_is_one_message_of_the_user() {
    let got = get(json!({ "topic": "tides", "pages": "12", "tone": "formal" })).await;
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Test",
              "version": "1"
            }
          },
          "description": "Draft a briefing.",
          "messages": [
            {
              "content": {
                "text": "tides on 12 pages, Some(Formal)",
                "type": "text"
              },
              "role": "user"
            }
          ],
          "resultType": "complete"
        }"#]]
    .assert_eq(&pretty(&got));
    let got = get(json!({ "topic": "7", "pages": "0", "unheard_of": "x" })).await;
    assert_eq!(got["messages"][0]["content"]["text"], "7 on 0 pages, None");
}

#[tokio::test]
async fn the_listing_shows_what_the_types_say() {
    let list = Peer::new(&server()).result("prompts/list", json!({})).await;
    expect![[r#"
        [
          {
            "arguments": [
              {
                "description": "What it is about.",
                "name": "topic",
                "required": true
              },
              {
                "name": "pages",
                "required": true
              },
              {
                "name": "tone",
                "required": false
              }
            ],
            "description": "Draft a briefing.",
            "name": "briefing"
          }
        ]"#]]
    .assert_eq(&pretty(&list["prompts"]));
}

#[tokio::test]
async fn the_listing_shows_what_was_said_besides() {
    let server = McpServer::builder("Test")
        .add(
            prompt("hello", async || "Say hello.")
                .title("Hello")
                .description("Says hello.")
                .icons([Icon::new("https://x.example/i.png")])
                .meta(serde_json::from_value(json!({ "mine": 1 })).unwrap()),
        )
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let list = peer.result("prompts/list", json!({})).await;
    expect![[r#"
        [
          {
            "_meta": {
              "mine": 1
            },
            "description": "Says hello.",
            "icons": [
              {
                "src": "https://x.example/i.png"
              }
            ],
            "name": "hello",
            "title": "Hello"
          }
        ]"#]]
    .assert_eq(&pretty(&list["prompts"]));
    let got = peer.result("prompts/get", json!({ "name": "hello" })).await;
    assert_eq!(got["description"], "Says hello.");
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_named() {
    let server = server();
    let peer = Peer::new(&server);
    for (params, named) in [
        (json!({ "name": "nope", "arguments": {} }), "`nope`"),
        (json!({ "name": 5 }), "name"),
        (json!({}), "name"),
        (json!({ "name": "briefing" }), "`topic`"),
        (json!({ "name": "briefing", "arguments": null }), "`topic`"),
        (json!({ "name": "briefing", "arguments": [] }), "arguments"),
        (json!({ "name": "briefing", "arguments": { "topic": "x" } }), "`pages`"),
        (json!({ "name": "briefing", "arguments": { "topic": "x", "pages": 12 } }), "string"),
        (json!({ "name": "briefing", "arguments": { "topic": "x", "pages": null } }), "string"),
        (json!({ "name": "briefing", "arguments": { "topic": "x", "pages": "many" } }), "`pages`"),
        (json!({ "name": "briefing", "arguments": { "topic": "x", "pages": "256" } }), "`pages`"),
        (
            json!({ "name": "briefing", "arguments": { "topic": "x", "pages": "1", "tone": "loud" } }),
            "`tone`",
        ),
    ] {
        let (status, error) = peer.refused("prompts/get", params.clone()).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{params}: {error}");
        assert!(error["message"].as_str().unwrap().contains(named), "{params}: {error}");
    }
}

#[tokio::test]
async fn a_prompt_returns_messages_or_all_of_a_result() {
    let server = McpServer::builder("Test")
        .prompt("one", async || PromptMessage::assistant(ContentBlock::text("I see.")))
        .prompt("two", async || vec![PromptMessage::user("Hm?"), PromptMessage::assistant("Hm.")])
        .prompt("all", async || -> Result<GetPromptResult, ToolError> {
            let mut result = GetPromptResult::new([PromptMessage::user("Hm?")]);
            result.description = Some("Its own.".to_owned());
            result.meta = Some(serde_json::from_value(json!({ "mine": 1 }))?);
            Ok(result)
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let get = async |name: &str| peer.result("prompts/get", json!({ "name": name })).await;
    assert_eq!(
        get("one").await["messages"],
        json!([{ "role": "assistant", "content": { "type": "text", "text": "I see." } }])
    );
    let two = get("two").await;
    let roles: Vec<_> = two["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant"]);
    assert_eq!(two["description"], Value::Null);
    let all = get("all").await;
    assert_eq!((&all["description"], &all["_meta"]["mine"]), (&json!("Its own."), &json!(1)));
    assert_eq!(all["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "Test");
}

#[tokio::test]
async fn failures_are_errors_of_the_protocol() {
    let server = McpServer::builder("Test")
        .prompt("told", async || Err::<String, _>(ToolError::new("there is no such topic")))
        .prompt("unexpected", async || Err::<String, _>(std::io::Error::other("s3cret")))
        .prompt("protocol", async || Err::<String, _>(McpError::invalid_params("no such page")))
        .prompt("panics", async || -> String { panic!("s3cret") })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let log = Log::capture();
    for (name, want) in [
        ("told", json!({ "code": -32603, "message": "there is no such topic" })),
        ("unexpected", json!({ "code": -32603, "message": "prompt `unexpected` failed" })),
        ("protocol", json!({ "code": -32602, "message": "no such page" })),
        ("panics", json!({ "code": -32603, "message": "internal error" })),
    ] {
        assert_eq!(peer.error("prompts/get", json!({ "name": name })).await, want);
    }
    let errors = log.take(Level::ERROR);
    assert!(errors.len() == 2 && errors[0].contains("s3cret"), "{errors:?}");
}

/// For whom it is.
#[derive(Deserialize, JsonSchema)]
struct Audience {
    who: String,
}

#[derive(Deserialize, JsonSchema)]
struct About {
    topic: String,
}

impl Resolve for Audience {
    type Needs = Args<About>;

    async fn resolve(Args(about): Args<About>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("Who wants to know about {}?", about.topic)).into())
    }
}

#[tokio::test]
async fn a_prompt_asks_before_it_is_made() {
    let runs = Count::default();
    let counter = runs.clone();
    let server = McpServer::builder("Test")
        .prompt("briefing", move |Args(about): Args<Briefing>, audience: Resolved<Audience>| {
            counter.up();
            async move { format!("{} for {}", about.topic, audience.who) }
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let params = json!({ "name": "briefing", "arguments": { "topic": "tides", "pages": "1" } });
    let list = peer.result("prompts/list", json!({})).await;
    let arguments: Vec<_> = list["prompts"][0]["arguments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|argument| &argument["name"])
        .collect();
    assert_eq!(arguments, ["topic", "pages", "tone"], "what is injected is not for the client to fill in");

    let asked = peer.result("prompts/get", params.clone()).await;
    assert_eq!(questions(&asked), ["audience"]);
    assert_eq!(asked["inputRequests"]["audience"]["params"]["message"], "Who wants to know about tides?");
    assert!(asked["messages"].is_null() && runs.get() == 0);

    let mut retry = params;
    retry["requestState"] = asked["requestState"].clone();
    retry["inputResponses"] = json!({ "audience": accept(json!({ "who": 7 })) });
    assert_eq!(questions(&peer.result("prompts/get", retry.clone()).await), ["audience"]);
    retry["inputResponses"] = json!({ "audience": decline() });
    let error = peer.error("prompts/get", retry.clone()).await;
    assert_eq!(error["message"], "the user declined the question `audience`");
    retry["inputResponses"] = json!({ "audience": accept(json!({ "who": "sailors" })) });
    let done = peer.result("prompts/get", retry).await;
    assert_eq!(done["messages"][0]["content"]["text"], "tides for sailors");
    assert_eq!(runs.get(), 1);

    let wrong = json!({ "name": "briefing", "arguments": { "topic": "tides", "pages": "many" } });
    assert_eq!(peer.error("prompts/get", wrong).await["code"], -32602, "nobody is asked for a wrong request");
    let silent = Peer::with_capabilities(&server, json!({}));
    let params = json!({ "name": "briefing", "arguments": { "topic": "tides", "pages": "1" } });
    let (status, error) = silent.refused("prompts/get", params).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)));
}
