//! Rounds by hand: `Context` and `Outcome` in tools, prompts and templates.

use std::collections::BTreeMap;

use expect_test::expect;
use roundtrip_server::{
    Answer, Args, Context, InputRequired, Json, McpServer, Outcome, ToolError, elicit, list_roots, sample,
};
use roundtrip_types::{CallToolResult, InputRequiredResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tracing::Level;

use crate::{
    logs::Log,
    support::{Peer, accept, decline, failure, pretty, questions, text},
};

#[derive(Deserialize, JsonSchema)]
struct Trip {
    to: String,
}

/// When to go.
#[derive(Deserialize, JsonSchema)]
struct Day {
    day: u8,
}

/// How to pay.
#[derive(Deserialize, JsonSchema)]
struct Payment {
    card: bool,
}

/// How far a booking has come.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
enum Step {
    AskedDay { quote: u64 },
    AskedPayment { quote: u64, day: u8 },
}

const QUOTE: u64 = 9007199254740993;

async fn book(ctx: Context, Args(trip): Args<Trip>) -> Result<Outcome<String>, ToolError> {
    match ctx.state::<Step>() {
        None => {
            assert!(ctx.request_state().is_none() && ctx.input_responses().is_none());
            InputRequired::ask("day", elicit::<Day>(format!("When to {}?", trip.to)))
                .state(&Step::AskedDay { quote: QUOTE })?
                .into()
        }
        Some(Step::AskedDay { quote }) => match ctx.answer::<Day>("day") {
            Answer::Accepted(Day { day }) => InputRequired::ask("payment", elicit::<Payment>("By card?"))
                .state(&Step::AskedPayment { quote, day })?
                .into(),
            Answer::Declined(how) => Ok(Outcome::Complete(format!("not booked: {how}"))),
            _ => InputRequired::ask("day", elicit::<Day>("When, please?"))
                .state(&Step::AskedDay { quote })?
                .into(),
        },
        Some(Step::AskedPayment { quote, day }) => {
            let card = ctx.answer::<Payment>("payment").accepted().is_some_and(|payment| payment.card);
            Ok(Outcome::Complete(format!("{} on {day} for {quote}, card: {card}", trip.to)))
        }
    }
}

#[tokio::test]
async fn a_handler_goes_from_step_to_step() {
    let server = McpServer::builder("Test").version("1").tool("book", book).build().unwrap();
    let peer = Peer::new(&server);
    let trip = json!({ "to": "Bergen" });
    let mut first = peer.call("book", trip.clone()).await;
    let token = first["requestState"].take();
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Test",
              "version": "1"
            }
          },
          "inputRequests": {
            "day": {
              "method": "elicitation/create",
              "params": {
                "message": "When to Bergen?",
                "mode": "form",
                "requestedSchema": {
                  "properties": {
                    "day": {
                      "maximum": 255,
                      "minimum": 0,
                      "type": "integer"
                    }
                  },
                  "required": [
                    "day"
                  ],
                  "type": "object"
                }
              }
            }
          },
          "requestState": null,
          "resultType": "input_required"
        }"#]]
    .assert_eq(&pretty(&first));
    first["requestState"] = token;

    let second =
        peer.retry("book", trip.clone(), &first, json!({ "day": accept(json!({ "day": 24 })) })).await;
    assert_eq!(questions(&second), ["payment"]);
    assert_ne!(second["requestState"], first["requestState"]);
    let done = peer.retry("book", trip, &second, json!({ "payment": accept(json!({ "card": true })) })).await;
    assert_eq!(text(&done), "Bergen on 24 for 9007199254740993, card: true");
}

#[tokio::test]
async fn an_answer_that_does_not_fit_counts_as_none() {
    let server = McpServer::builder("Test").tool("book", book).build().unwrap();
    let peer = Peer::new(&server);
    let trip = json!({ "to": "Bergen" });
    let first = peer.call("book", trip.clone()).await;
    for answers in [
        json!({}),
        json!({ "Day": accept(json!({ "day": 24 })) }),
        json!({ "day": accept(json!({ "day": 256 })) }),
        json!({ "day": accept(json!({})) }),
        json!({ "day": { "action": "accept" } }),
        json!({ "day": { "action": "yes", "content": { "day": 24 } } }),
        json!({ "day": { "roots": [] } }),
        json!({ "day": null }),
    ] {
        let again = peer.retry("book", trip.clone(), &first, answers.clone()).await;
        assert_eq!(questions(&again), ["day"], "{answers}");
        assert_eq!(again["inputRequests"]["day"]["params"]["message"], "When, please?", "{answers}");
    }
}

#[tokio::test]
async fn a_refusal_is_the_handlers_to_judge() {
    let server = McpServer::builder("Test").tool("book", book).build().unwrap();
    let peer = Peer::new(&server);
    let trip = json!({ "to": "Bergen" });
    let first = peer.call("book", trip.clone()).await;
    for (answer, told) in
        [(decline(), "not booked: declined"), (json!({ "action": "cancel" }), "not booked: cancelled")]
    {
        assert_eq!(text(&peer.retry("book", trip.clone(), &first, json!({ "day": answer })).await), told);
    }
}

#[tokio::test]
async fn a_state_of_another_type_is_none() {
    async fn odd(ctx: Context) -> Result<Outcome<String>, ToolError> {
        if ctx.request_state().is_none() {
            return InputRequired::later(&json!({ "from": "an older version" }))?.into();
        }
        Ok(Outcome::Complete(format!("{:?} {:?}", ctx.state::<Step>(), ctx.request_state())))
    }
    let server = McpServer::builder("Test").tool("odd", odd).build().unwrap();
    let peer = Peer::new(&server);
    let first = peer.call("odd", json!({})).await;
    let done = peer.retry("odd", json!({}), &first, json!({})).await;
    assert_eq!(text(&done), r#"None Some("{\"from\":\"an older version\"}")"#);
}

#[tokio::test]
async fn a_handler_may_ask_the_client_to_come_back_later() {
    async fn work(ctx: Context) -> Result<Outcome<String>, ToolError> {
        match ctx.state::<u32>().unwrap_or(0) {
            2 => Ok(Outcome::Complete("done".to_owned())),
            round => InputRequired::later(&(round + 1))?.into(),
        }
    }
    let server = McpServer::builder("Test").tool("work", work).build().unwrap();
    // Nothing is asked, so nothing needs to be declared.
    let peer = Peer::with_capabilities(&server, json!({}));
    let mut asked = peer.call("work", json!({})).await;
    for _ in 0..2 {
        assert_eq!(asked["resultType"], "input_required");
        assert!(!asked.as_object().unwrap().contains_key("inputRequests"), "{asked}");
        let params = json!({ "name": "work", "arguments": {}, "requestState": asked["requestState"] });
        asked = peer.result("tools/call", params).await;
    }
    assert_eq!(text(&asked), "done");
}

#[tokio::test]
async fn the_raw_answers_and_the_plain_state_are_there() {
    async fn raw(ctx: Context) -> Result<Outcome<String>, ToolError> {
        let Some(answers) = ctx.input_responses() else {
            return InputRequired::ask("a", elicit::<Day>("When?"))
                .request_state("plain \u{0} \"text\" é")
                .into();
        };
        Ok(Outcome::Complete(format!("{} {:?}", serde_json::to_string(answers)?, ctx.request_state())))
    }
    let server = McpServer::builder("Test").tool("raw", raw).build().unwrap();
    let peer = Peer::new(&server);
    let first = peer.call("raw", json!({})).await;
    let done = peer
        .retry("raw", json!({}), &first, json!({ "b": [1, { "c": 9007199254740993_u64 }], "a": null }))
        .await;
    assert_eq!(text(&done), r#"{"a":null,"b":[1,{"c":9007199254740993}]} Some("plain \0 \"text\" é")"#);
}

#[tokio::test]
async fn several_questions_of_several_kinds_in_one_round() {
    async fn gather(ctx: Context) -> Result<Outcome<String>, ToolError> {
        let (day, said, roots) =
            (ctx.answer::<Day>("day").accepted(), ctx.sampled("said"), ctx.roots("roots"));
        let (Some(day), Some(said), Some(roots)) = (day, said, roots) else {
            return InputRequired::ask("day", elicit::<Day>("When?"))
                .and_ask("said", sample("Say something.", 10))
                .and_ask("roots", list_roots())
                .into();
        };
        Ok(Outcome::Complete(format!("{} {} {}", day.day, said.model, roots.len())))
    }
    let server = McpServer::builder("Test").tool("gather", gather).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("gather", json!({})).await;
    assert_eq!(questions(&asked), ["day", "roots", "said"]);
    assert!(!asked.as_object().unwrap().contains_key("requestState"), "{asked}");
    let said = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "hi" } });
    let mut answers = json!({ "day": accept(json!({ "day": 1 })), "said": said, "roots": { "roots": [] } });
    let params = json!({ "name": "gather", "inputResponses": answers });
    assert_eq!(text(&peer.result("tools/call", params).await), "1 m 0");
    answers["said"] = json!({ "roots": [] });
    let params = json!({ "name": "gather", "inputResponses": answers });
    assert_eq!(questions(&peer.result("tools/call", params).await), ["day", "roots", "said"]);
}

#[tokio::test]
async fn any_key_will_do() {
    fn keys() -> [String; 8] {
        ["__proto__", "", "a.b/c", "é", "Key", "key", "\u{0}\"\\", &"k".repeat(10_000)].map(str::to_owned)
    }
    async fn ask(ctx: Context) -> Result<Outcome<String>, ToolError> {
        let answered = keys().iter().filter(|key| ctx.answer::<Day>(key).accepted().is_some()).count();
        if answered == keys().len() {
            return Ok(Outcome::Complete("all".to_owned()));
        }
        let none = InputRequired::default();
        keys().into_iter().fold(none, |ask, key| ask.and_ask(key, elicit::<Day>("When?"))).into()
    }
    let server = McpServer::builder("Test").tool("ask", ask).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("ask", json!({})).await;
    let mut want = keys();
    want.sort_unstable();
    assert_eq!(questions(&asked), want);
    let answers: Value = keys().into_iter().map(|key| (key, accept(json!({ "day": 1 })))).collect();
    assert_eq!(text(&peer.retry("ask", json!({}), &asked, answers).await), "all");
}

#[tokio::test]
async fn asking_nothing_and_leaving_no_state_is_a_mistake_of_the_handler() {
    let server = McpServer::builder("Test")
        .tool("default", async || Result::<Outcome<String>, _>::from(InputRequired::default()))
        .tool("raw", async || Outcome::<String>::InputRequired(InputRequiredResult::default()))
        .tool("empty", async || {
            Outcome::<String>::InputRequired(
                InputRequiredResult::default().with_input_requests(BTreeMap::new()),
            )
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let log = Log::capture();
    for tool in ["default", "raw", "empty"] {
        let error = peer.error("tools/call", json!({ "name": tool })).await;
        assert_eq!(error, json!({ "code": -32603, "message": "internal error" }), "{tool}");
        let errors = log.take(Level::ERROR);
        assert!(matches!(&errors[..], [error] if error.contains(tool)), "{errors:?}");
    }
}

#[tokio::test]
async fn an_empty_map_of_questions_is_none() {
    let server = McpServer::builder("Test")
        .tool("wait", async || {
            let ask = InputRequiredResult::retry("s").with_input_requests(BTreeMap::new());
            Outcome::<String>::InputRequired(ask)
        })
        .build()
        .unwrap();
    let asked = Peer::new(&server).call("wait", json!({})).await;
    assert!(!asked.as_object().unwrap().contains_key("inputRequests"), "{asked}");
}

#[tokio::test]
async fn a_question_by_hand_needs_the_clients_consent_too() {
    let server = McpServer::builder("Test")
        .tool("form", async || -> Result<Outcome<String>, ToolError> {
            InputRequired::ask("when", elicit::<Day>("When?")).into()
        })
        .tool("both", async || -> Result<Outcome<String>, ToolError> {
            InputRequired::ask("a", elicit::<Day>("When?")).and_ask("b", list_roots()).into()
        })
        .build()
        .unwrap();
    for (capabilities, tool, needed) in [
        (json!({}), "form", json!({ "elicitation": { "form": {} } })),
        (json!({ "elicitation": { "url": {} } }), "form", json!({ "elicitation": { "form": {} } })),
        (json!({ "elicitation": {} }), "both", json!({ "roots": {} })),
        (json!({ "roots": {} }), "both", json!({ "elicitation": { "form": {} } })),
    ] {
        let peer = Peer::with_capabilities(&server, capabilities);
        let (status, error) = peer.refused("tools/call", json!({ "name": tool })).await;
        assert_eq!((status, &error["code"]), (400, &json!(-32021)));
        assert_eq!(error["data"], json!({ "requiredCapabilities": needed }));
    }
}

#[tokio::test]
async fn a_form_that_is_not_flat_fails_the_call() {
    #[derive(Deserialize, JsonSchema)]
    struct Nested {
        #[expect(dead_code, reason = "only its schema is used")]
        tags: Vec<String>,
    }
    let server = McpServer::builder("Test")
        .tool("nested", async || -> Result<Outcome<String>, ToolError> {
            InputRequired::ask("good", elicit::<Day>("When?"))
                .and_ask("bad", elicit::<Nested>("What?"))
                .into()
        })
        .build()
        .unwrap();
    let log = Log::capture();
    let result = Peer::new(&server).call("nested", json!({})).await;
    assert_eq!(failure(&result), "tool `nested` failed");
    let errors = log.take(Level::ERROR);
    assert!(matches!(&errors[..], [error] if error.contains("tags")), "{errors:?}");
}

#[tokio::test]
async fn a_prompt_may_ask_by_hand() {
    async fn brief(ctx: Context, Args(trip): Args<Trip>) -> Result<Outcome<String>, ToolError> {
        let Some(Day { day }) = ctx.answer("day").accepted() else {
            return InputRequired::ask("day", elicit::<Day>("When?")).request_state(trip.to).into();
        };
        Ok(Outcome::Complete(format!("{} {day} {:?}", trip.to, ctx.request_state())))
    }
    let server = McpServer::builder("Test").prompt("brief", brief).build().unwrap();
    let peer = Peer::new(&server);
    let params = json!({ "name": "brief", "arguments": { "to": "Bergen" } });
    let asked = peer.result("prompts/get", params.clone()).await;
    assert_eq!(questions(&asked), ["day"]);
    let members: Vec<_> = asked.as_object().unwrap().keys().collect();
    assert_eq!(members, ["_meta", "inputRequests", "requestState", "resultType"]);
    let mut retry = params;
    retry["requestState"] = asked["requestState"].clone();
    retry["inputResponses"] = json!({ "day": accept(json!({ "day": 3 })) });
    let done = peer.result("prompts/get", retry).await;
    assert_eq!(done["resultType"], "complete");
    assert_eq!(done["messages"][0]["content"]["text"], r#"Bergen 3 Some("Bergen")"#);
}

#[tokio::test]
async fn a_template_may_ask_by_hand() {
    async fn log_of(ctx: Context, Args(trip): Args<Trip>) -> Result<Outcome<String>, ToolError> {
        let Some(Day { day }) = ctx.answer("day").accepted() else {
            return InputRequired::ask("day", elicit::<Day>("When?")).request_state(trip.to).into();
        };
        Ok(Outcome::Complete(format!("{} {day} {:?}", trip.to, ctx.request_state())))
    }
    let server = McpServer::builder("Test").template("log://{to}", "log", log_of).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.result("resources/read", json!({ "uri": "log://Bergen" })).await;
    assert_eq!(questions(&asked), ["day"]);
    let members: Vec<_> = asked.as_object().unwrap().keys().collect();
    assert_eq!(members, ["_meta", "inputRequests", "requestState", "resultType"]);
    let retry = json!({
        "uri": "log://Bergen",
        "requestState": asked["requestState"],
        "inputResponses": { "day": accept(json!({ "day": 3 })) },
    });
    let done = peer.result("resources/read", retry).await;
    assert_eq!(done["resultType"], "complete");
    assert_eq!(done["contents"][0]["text"], r#"Bergen 3 Some("Bergen")"#);
}

#[tokio::test]
async fn what_is_returned_in_the_end_can_be_all_that_a_tool_returns() {
    #[derive(JsonSchema, Serialize)]
    struct Sum {
        sum: u8,
    }
    let server = McpServer::builder("Test")
        .tool("json", async || Outcome::Complete(Json(Sum { sum: 3 })))
        .tool("full", async || Outcome::Complete(CallToolResult::error("no")))
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let list = peer.result("tools/list", json!({})).await;
    assert_eq!(list["tools"][0]["outputSchema"]["required"], json!(["sum"]));
    assert_eq!(list["tools"][1]["outputSchema"], Value::Null);
    assert_eq!(peer.call("json", json!({})).await["structuredContent"], json!({ "sum": 3 }));
    assert_eq!(failure(&peer.call("full", json!({})).await), "no");
}
