//! The kinds of question: forms, addresses to open, completions, roots.

use expect_test::expect;
use roundtrip_server::{
    McpServer, Question, Resolution, Resolve, Resolved, ToolError, elicit_url, list_roots, sample,
    sample_with,
};
use roundtrip_types::{
    CreateMessageRequestParams, CreateMessageResult, Role, SamplingBlock, SamplingMessage, Tool, ToolChoice,
    ToolChoiceMode,
};
use serde_json::{Value, json};

use crate::support::{Peer, decline, failure, pretty, questions, text};

/// Defines a resolver that asks `$question`, whose answer is read as a text, and keeps that.
macro_rules! asking {
    ($Name:ident: $question:expr) => {
        struct $Name(String);

        impl Resolve for $Name {
            type Needs = ();

            async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
                let question: Question<String> = $question;
                Ok(question.map(Self).into())
            }
        }
    };
}

asking!(Signed: elicit_url("Please sign.", "https://sign.example/?id=1").map(|_| "opened".to_owned()));
asking!(Summary: sample("Sum it up.", 200).map(|result| said(&result)));
asking!(Weather: sample_with(with_tools()).map(|result| said(&result)));
asking!(Roots: list_roots().map(|roots| roots.iter().map(|root| root.uri.clone()).collect::<Vec<_>>().join(" ")));

fn said(result: &CreateMessageResult) -> String {
    let blocks: Vec<_> = result
        .content
        .blocks()
        .iter()
        .map(|block| match block {
            SamplingBlock::Text(text) => text.text.clone(),
            SamplingBlock::ToolUse(call) => format!("{}({})", call.name, call.input.get()),
            other => format!("{other:?}"),
        })
        .collect();
    format!("{}: {}", result.model, blocks.join(" "))
}

fn with_tools() -> CreateMessageRequestParams {
    let conversation = [
        SamplingMessage::user("What is the weather?"),
        SamplingMessage::new(Role::Assistant, "Where?"),
        SamplingMessage::user("In Bergen."),
    ];
    CreateMessageRequestParams::new(conversation, 100)
        .with_system_prompt("Be brief.")
        .with_tools([Tool::new("weather", json!({ "type": "object" }))])
        .with_tool_choice(ToolChoice::new(ToolChoiceMode::Required))
}

fn server() -> McpServer {
    McpServer::builder("Test")
        .tool("sign", async |it: Resolved<Signed>| it.0.clone())
        .tool("summary", async |it: Resolved<Summary>| it.0.clone())
        .tool("weather", async |it: Resolved<Weather>| it.0.clone())
        .tool("roots", async |it: Resolved<Roots>| it.0.clone())
        .build()
        .unwrap()
}

/// What a tool asks under its one key, on a first round.
async fn question(tool: &str) -> (McpServer, Value) {
    let server = server();
    let asked = Peer::new(&server).call(tool, json!({})).await;
    (server, asked)
}

/// What the tool says to `answer`.
async fn answered(tool: &str, answer: Value) -> Value {
    let (server, asked) = question(tool).await;
    let key = questions(&asked)[0].to_owned();
    Peer::new(&server).retry(tool, json!({}), &asked, json!({ key: answer })).await
}

#[tokio::test]
async fn an_address_to_open() {
    let (_, asked) = question("sign").await;
    expect![[r#"
        {
          "signed": {
            "method": "elicitation/create",
            "params": {
              "message": "Please sign.",
              "mode": "url",
              "url": "https://sign.example/?id=1"
            }
          }
        }"#]]
    .assert_eq(&pretty(&asked["inputRequests"]));
    assert_eq!(text(&answered("sign", json!({ "action": "accept" })).await), "opened");
    // There is nothing to fill in, so whatever came along does not matter.
    assert_eq!(text(&answered("sign", json!({ "action": "accept", "content": { "x": 1 } })).await), "opened");
    assert_eq!(failure(&answered("sign", decline()).await), "the user declined the question `signed`");
    assert_eq!(questions(&answered("sign", json!({ "roots": [] })).await), ["signed"]);
}

#[tokio::test]
async fn a_completion() {
    let (_, asked) = question("summary").await;
    expect![[r#"
        {
          "summary": {
            "method": "sampling/createMessage",
            "params": {
              "maxTokens": 200,
              "messages": [
                {
                  "content": {
                    "text": "Sum it up.",
                    "type": "text"
                  },
                  "role": "user"
                }
              ]
            }
          }
        }"#]]
    .assert_eq(&pretty(&asked["inputRequests"]));
    let content = json!({ "type": "text", "text": "All is well." });
    let answer = json!({ "role": "assistant", "model": "m", "content": content, "stopReason": "endTurn" });
    assert_eq!(text(&answered("summary", answer).await), "m: All is well.");
    for wrong in [
        json!({ "action": "accept", "content": content }),
        json!({ "roots": [] }),
        json!({ "role": "assistant", "content": content }),
        json!({ "role": "assistant", "model": "m" }),
        json!("All is well."),
        json!(null),
    ] {
        assert_eq!(questions(&answered("summary", wrong.clone()).await), ["summary"], "{wrong}");
    }
}

#[tokio::test]
async fn a_completion_with_everything_it_can_have() {
    let (_, asked) = question("weather").await;
    expect![[r#"
        {
          "weather": {
            "method": "sampling/createMessage",
            "params": {
              "maxTokens": 100,
              "messages": [
                {
                  "content": {
                    "text": "What is the weather?",
                    "type": "text"
                  },
                  "role": "user"
                },
                {
                  "content": {
                    "text": "Where?",
                    "type": "text"
                  },
                  "role": "assistant"
                },
                {
                  "content": {
                    "text": "In Bergen.",
                    "type": "text"
                  },
                  "role": "user"
                }
              ],
              "systemPrompt": "Be brief.",
              "toolChoice": {
                "mode": "required"
              },
              "tools": [
                {
                  "inputSchema": {
                    "type": "object"
                  },
                  "name": "weather"
                }
              ]
            }
          }
        }"#]]
    .assert_eq(&pretty(&asked["inputRequests"]));
    let content = json!([
        { "type": "text", "text": "Let me see." },
        { "type": "tool_use", "id": "1", "name": "weather", "input": { "city": "Bergen", "n": 9007199254740993_u64 } },
    ]);
    let answer = json!({ "role": "assistant", "model": "m", "content": content, "stopReason": "toolUse" });
    let want = r#"m: Let me see. weather({"city":"Bergen","n":9007199254740993})"#;
    assert_eq!(text(&answered("weather", answer).await), want);
    // A client that used no tool answers as to any other question.
    let answer = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "Rain." } });
    assert_eq!(text(&answered("weather", answer).await), "m: Rain.");
}

#[tokio::test]
async fn roots() {
    let (_, asked) = question("roots").await;
    expect![[r#"
        {
          "roots": {
            "method": "roots/list"
          }
        }"#]]
    .assert_eq(&pretty(&asked["inputRequests"]));
    let answer = json!({ "roots": [{ "uri": "file:///a", "name": "A" }, { "uri": "file:///b" }] });
    assert_eq!(text(&answered("roots", answer).await), "file:///a file:///b");
    assert_eq!(text(&answered("roots", json!({ "roots": [] })).await), "");
    for wrong in [json!({ "action": "accept" }), json!({ "roots": [{ "name": "A" }] }), json!([]), json!({})]
    {
        assert_eq!(questions(&answered("roots", wrong.clone()).await), ["roots"], "{wrong}");
    }
}
