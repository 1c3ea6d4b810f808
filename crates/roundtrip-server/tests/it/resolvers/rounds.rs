//! Which questions a round asks, and which answers a later one still knows.

use expect_test::expect;
use roundtrip_server::{Args, McpServer, Resolution, Resolve, Resolved, State, ToolError, elicit};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Port, Speed};
use crate::support::{Count, Peer, accept, pretty, questions, text};

/// Ship a container.
#[derive(Deserialize, JsonSchema)]
struct Ship {
    tons: u32,
}

async fn ship(Args(ship): Args<Ship>, port: Resolved<Port>, speed: Resolved<Speed>) -> String {
    format!("{} t to {} at {} knots", ship.tons, port.city, speed.knots)
}

fn shipping() -> McpServer {
    McpServer::builder("Test").version("1").tool("ship", ship).build().unwrap()
}

#[tokio::test]
async fn all_that_can_be_asked_is_asked_in_one_round() {
    let server = shipping();
    let peer = Peer::new(&server);
    let mut asked = peer.call("ship", json!({ "tons": 7 })).await;
    let state = asked["requestState"].take();
    assert!(state.as_str().is_some_and(|state| state.starts_with("rt1.")), "{state}");
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Test",
              "version": "1"
            }
          },
          "inputRequests": {
            "port": {
              "method": "elicitation/create",
              "params": {
                "message": "Which port?",
                "mode": "form",
                "requestedSchema": {
                  "properties": {
                    "city": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "city"
                  ],
                  "type": "object"
                }
              }
            },
            "speed": {
              "method": "elicitation/create",
              "params": {
                "message": "How fast?",
                "mode": "form",
                "requestedSchema": {
                  "properties": {
                    "knots": {
                      "maximum": 255,
                      "minimum": 0,
                      "type": "integer"
                    }
                  },
                  "required": [
                    "knots"
                  ],
                  "type": "object"
                }
              }
            }
          },
          "requestState": null,
          "resultType": "input_required"
        }"#]]
    .assert_eq(&pretty(&asked));
    asked["requestState"] = state;

    let answers =
        json!({ "port": accept(json!({ "city": "Bergen" })), "speed": accept(json!({ "knots": 14 })) });
    let done = peer.retry("ship", json!({ "tons": 7 }), &asked, answers).await;
    assert_eq!((&done["resultType"], text(&done)), (&json!("complete"), "7 t to Bergen at 14 knots"));
}

#[tokio::test]
async fn what_is_missing_is_asked_again_and_the_rest_is_kept() {
    let server = shipping();
    let peer = Peer::new(&server);
    let arguments = json!({ "tons": 7 });
    let first = peer.call("ship", arguments.clone()).await;
    let answers = json!({ "speed": accept(json!({ "knots": 14 })) });
    let second = peer.retry("ship", arguments.clone(), &first, answers).await;
    assert_eq!(questions(&second), ["port"]);
    assert_eq!(second["inputRequests"]["port"], first["inputRequests"]["port"]);

    // However often nothing comes.
    let third = peer.retry("ship", arguments.clone(), &second, json!({})).await;
    assert_eq!(questions(&third), ["port"]);

    let answers = json!({ "port": accept(json!({ "city": "Bergen" })) });
    let done = peer.retry("ship", arguments, &third, answers).await;
    assert_eq!(text(&done), "7 t to Bergen at 14 knots");
}

#[tokio::test]
async fn answers_to_what_was_not_asked_are_ignored() {
    let server = shipping();
    let peer = Peer::new(&server);
    let arguments = json!({ "tons": 7 });
    let first = peer.call("ship", arguments.clone()).await;
    let answers = json!({
        "port": accept(json!({ "city": "Bergen" })),
        "Speed": accept(json!({ "knots": 1 })),
        "": accept(json!({})),
        "__proto__": { "roots": [] },
        "nobody_asked": 42,
    });
    let second = peer.retry("ship", arguments.clone(), &first, answers).await;
    assert_eq!(questions(&second), ["speed"]);

    // An answer that is recorded is not replaced by one that was not asked for.
    let answers =
        json!({ "port": accept(json!({ "city": "Elsewhere" })), "speed": accept(json!({ "knots": 14 })) });
    let done = peer.retry("ship", arguments, &second, answers).await;
    assert_eq!(text(&done), "7 t to Bergen at 14 knots");
}

#[tokio::test]
async fn an_answer_without_the_state_of_its_question_is_asked_for() {
    let server = shipping();
    let peer = Peer::new(&server);
    let answers =
        json!({ "port": accept(json!({ "city": "Bergen" })), "speed": accept(json!({ "knots": 14 })) });
    let params = json!({ "name": "ship", "arguments": { "tons": 7 }, "inputResponses": answers });
    let asked = peer.result("tools/call", params).await;
    assert_eq!(questions(&asked), ["port", "speed"]);
}

#[tokio::test]
async fn null_is_no_state_and_no_answer() {
    let server = shipping();
    let peer = Peer::new(&server);
    let params =
        json!({ "name": "ship", "arguments": { "tons": 7 }, "inputResponses": null, "requestState": null });
    assert_eq!(questions(&peer.result("tools/call", params).await), ["port", "speed"]);
}

#[tokio::test]
async fn answers_that_are_no_object_are_refused() {
    let server = shipping();
    let peer = Peer::new(&server);
    for answers in [json!([]), json!("x"), json!(1), json!(true)] {
        let params = json!({ "name": "ship", "arguments": { "tons": 7 }, "inputResponses": answers });
        let error = peer.error("tools/call", params).await;
        assert_eq!(error["code"], -32602, "{answers}");
        assert!(error["message"].as_str().unwrap().contains("inputResponses"), "{error}");
    }
}

/// Who is there.
#[derive(Deserialize, JsonSchema)]
struct Login {
    name: String,
}

/// Whether they are sure.
#[derive(Deserialize, JsonSchema)]
struct Confirm {
    yes: bool,
}

#[derive(Clone, Default)]
struct Runs {
    login: Count,
    confirm: Count,
    body: Count,
}

impl Resolve for Login {
    type Needs = State<Runs>;

    async fn resolve(runs: State<Runs>) -> Result<Resolution<Self>, ToolError> {
        runs.login.up();
        Ok(elicit("Who are you?").into())
    }
}

impl Resolve for Confirm {
    type Needs = (State<Runs>, Resolved<Login>);

    async fn resolve((runs, login): (State<Runs>, Resolved<Login>)) -> Result<Resolution<Self>, ToolError> {
        runs.confirm.up();
        Ok(elicit(format!("Are you sure, {}?", login.name)).into())
    }
}

async fn erase(runs: State<Runs>, login: Resolved<Login>, sure: Resolved<Confirm>) -> String {
    runs.body.up();
    format!("{}: {}", login.name, sure.yes)
}

#[tokio::test]
async fn a_question_waits_for_the_answers_it_is_made_of() {
    let runs = Runs::default();
    let server = McpServer::builder("Test").state(runs.clone()).tool("erase", erase).build().unwrap();
    let peer = Peer::new(&server);
    let first = peer.call("erase", json!({})).await;
    assert_eq!(questions(&first), ["login"]);

    // The answer to the second question counts for nothing yet: nobody asked it.
    let answers =
        json!({ "login": accept(json!({ "name": "Ada" })), "confirm": accept(json!({ "yes": false })) });
    let second = peer.retry("erase", json!({}), &first, answers).await;
    assert_eq!(questions(&second), ["confirm"]);
    assert_eq!(second["inputRequests"]["confirm"]["params"]["message"], "Are you sure, Ada?");

    let answers = json!({ "confirm": accept(json!({ "yes": true })) });
    let done = peer.retry("erase", json!({}), &second, answers).await;
    assert_eq!(text(&done), "Ada: true");
    // Each round runs what it comes to, once; the body ran when nothing was left to ask.
    assert_eq!((runs.login.get(), runs.confirm.get(), runs.body.get()), (3, 2, 1));
}

#[tokio::test]
async fn a_round_asks_what_became_ready_beside_what_is_still_missing() {
    async fn all(login: Resolved<Login>, sure: Resolved<Confirm>, port: Resolved<Port>) -> String {
        format!("{} {} {}", login.name, sure.yes, port.city)
    }
    let server = McpServer::builder("Test").state(Runs::default()).tool("all", all).build().unwrap();
    let peer = Peer::new(&server);
    let first = peer.call("all", json!({})).await;
    assert_eq!(questions(&first), ["login", "port"]);
    let answers = json!({ "login": accept(json!({ "name": "Ada" })) });
    let second = peer.retry("all", json!({}), &first, answers).await;
    assert_eq!(questions(&second), ["confirm", "port"]);
    let answers =
        json!({ "confirm": accept(json!({ "yes": true })), "port": accept(json!({ "city": "Bergen" })) });
    assert_eq!(text(&peer.retry("all", json!({}), &second, answers).await), "Ada true Bergen");
}

#[tokio::test]
async fn a_round_can_be_told_twice_and_goes_on_from_its_own_state() {
    let server = shipping();
    let peer = Peer::new(&server);
    let arguments = json!({ "tons": 7 });
    let first = peer.call("ship", arguments.clone()).await;
    for city in ["Bergen", "Porto"] {
        let answers = json!({ "port": accept(json!({ "city": city })) });
        let second = peer.retry("ship", arguments.clone(), &first, answers).await;
        let answers = json!({ "speed": accept(json!({ "knots": 9 })) });
        let done = peer.retry("ship", arguments.clone(), &second, answers).await;
        assert_eq!(text(&done), format!("7 t to {city} at 9 knots"));
    }
}

#[tokio::test]
async fn what_is_injected_is_not_for_the_model_to_fill_in() {
    let server = shipping();
    let peer = Peer::new(&server);
    let list = peer.result("tools/list", json!({})).await;
    let schema = &list["tools"][0]["inputSchema"];
    assert_eq!(schema["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), ["tons"]);
    let arguments = json!({ "tons": 7, "port": { "city": "Bergen" }, "speed": { "knots": 1 } });
    assert_eq!(questions(&peer.call("ship", arguments).await), ["port", "speed"]);
}

/// Whether they want so heavy a container.
#[derive(Deserialize, JsonSchema)]
struct Heavy {
    yes: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Weight {
    tons: u32,
}

impl Resolve for Heavy {
    type Needs = Args<Weight>;

    fn key() -> String {
        "too-heavy".to_owned()
    }

    async fn resolve(Args(weight): Args<Weight>) -> Result<Resolution<Self>, ToolError> {
        if weight.tons <= 20 {
            return Ok(Self { yes: true }.into());
        }
        Ok(elicit(format!("{} t, really?", weight.tons)).into())
    }
}

#[tokio::test]
async fn a_resolver_asks_only_when_it_must_and_under_the_key_it_chose() {
    async fn load(Args(_): Args<Ship>, sure: Resolved<Heavy>) -> String {
        sure.yes.to_string()
    }
    let server = McpServer::builder("Test").tool("load", load).build().unwrap();
    let peer = Peer::new(&server);
    assert_eq!(text(&peer.call("load", json!({ "tons": 20 })).await), "true");
    let asked = peer.call("load", json!({ "tons": 21 })).await;
    assert_eq!(questions(&asked), ["too-heavy"]);
    assert_eq!(asked["inputRequests"]["too-heavy"]["params"]["message"], "21 t, really?");
    let answers = json!({ "too-heavy": accept(json!({ "yes": false })) });
    assert_eq!(text(&peer.retry("load", json!({ "tons": 21 }), &asked, answers).await), "false");
}
