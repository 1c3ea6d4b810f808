//! Whatever a peer sends: an answer, the right kind of error, and nothing run that should not.

use proptest::{collection, prelude::*, sample::select};
use roundtrip_server::{
    Args, Context, InputRequired, McpServer, Outcome, Resolution, Resolve, Resolved, State, ToolError,
    elicit, exchange::Outbox, sample,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::support::{Count, Peer, accept, questions, retry};

#[derive(Deserialize, JsonSchema)]
struct Ship {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Port {
    city: String,
    deep: Option<bool>,
}

impl Resolve for Port {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("Which port?").into())
    }
}

async fn asking(runs: State<Count>, Args(ship): Args<Ship>, port: Resolved<Port>) -> String {
    runs.up();
    format!("{} {} {:?}", ship.name, port.city, port.deep)
}

async fn by_hand(runs: State<Count>, ctx: Context) -> Result<Outcome<String>, ToolError> {
    let Some(port) = ctx.answer::<Port>("port").accepted() else {
        return InputRequired::ask("port", elicit::<Port>("Which port?")).state(&1)?.into();
    };
    runs.up();
    Ok(Outcome::Complete(port.city))
}

fn server(runs: &Count) -> McpServer {
    McpServer::builder("Test")
        .state(runs.clone())
        .tool("asking", asking)
        .tool("by_hand", by_hand)
        .prompt("asking", asking)
        .template("x://{name}", "asking", asking)
        .completion(async |_, _| Vec::<String>::new())
        .announce_tools()
        .build()
        .unwrap()
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

const WORDS: &[&str] = &[
    "action",
    "accept",
    "decline",
    "cancel",
    "content",
    "city",
    "deep",
    "port",
    "name",
    "uri",
    "arguments",
    "roots",
    "role",
    "model",
    "requestState",
    "inputResponses",
    "cursor",
    "page-1",
    "asking",
    "x://a",
    "rt1.",
    "ref",
    "argument",
    "notifications",
    "toolsListChanged",
    "",
    "_meta",
    "progressToken",
];

/// Words that mean something somewhere, so that chance comes near to them.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            collection::vec((word(), inner), 0..5).prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

/// An answer to the question for a [`Port`], or nearly one.
fn near_answer() -> impl Strategy<Value = Value> {
    let city = prop_oneof![any::<String>().prop_map(Value::from), any_json()];
    let deep =
        prop_oneof![Just(None), any::<bool>().prop_map(|deep| Some(deep.into())), any_json().prop_map(Some)];
    (select(["accept", "decline", "cancel", "approve"].as_slice()), city, deep).prop_map(
        |(action, city, deep)| {
            let mut content = json!({ "city": city });
            if let Some(deep) = deep {
                content["deep"] = deep;
            }
            json!({ "action": action, "content": content })
        },
    )
}

fn any_object() -> impl Strategy<Value = Value> {
    collection::vec((word(), any_json()), 0..6).prop_map(|members| Value::Object(Map::from_iter(members)))
}

const METHODS: &[&str] = &[
    "tools/call",
    "prompts/get",
    "resources/read",
    "tools/list",
    "prompts/list",
    "resources/templates/list",
    "completion/complete",
    "server/discover",
    "vendor/x",
];

proptest! {
    #[test]
    fn any_params_are_answered_and_run_nothing(
        method in select(METHODS),
        params in any_object(),
        target in select(["asking", "by_hand", "x://a"].as_slice()),
        named in any::<bool>(),
    ) {
        let runs = Count::default();
        let server = server(&runs);
        let mut params = params;
        if named {
            params[if method == "resources/read" { "uri" } else { "name" }] = target.into();
        }
        // What a hand-written handler takes for an answer is checked against its form, and may be good.
        let may_run = method == "tools/call" && target == "by_hand";
        let response = runtime().block_on(Peer::new(&server).send(method, params.clone()));
        match response["error"]["code"].as_i64() {
            None => prop_assert!(response["result"]["resultType"].is_string(), "{}", response),
            Some(code) => prop_assert!([-32602, -32601].contains(&code), "{} {} {}", method, params, response),
        }
        prop_assert!(runs.get() == 0 || may_run, "{} {} {}", method, params, response);
    }

    #[test]
    fn only_an_answer_that_fits_is_one(answer in prop_oneof![any_json(), near_answer()]) {
        let runs = Count::default();
        let server = server(&runs);
        let peer = Peer::new(&server);
        let content = &answer["content"];
        let fits = answer["action"] == "accept"
            && content["city"].is_string()
            && (content.get("deep").is_none_or(Value::is_boolean));
        let refused = answer["action"] == "decline" || answer["action"] == "cancel";
        let result = runtime().block_on(async {
            let asked = peer.call("asking", json!({})).await;
            peer.retry("asking", json!({}), &asked, json!({ "port": answer.clone() })).await
        });
        prop_assert_eq!(runs.get(), usize::from(fits), "{}", answer);
        let want = if fits || refused { "complete" } else { "input_required" };
        prop_assert_eq!(&result["resultType"], want, "{}", answer);
        prop_assert_eq!(result["isError"] == true, refused, "{}", answer);
    }

    #[test]
    fn any_bytes_are_answered(bytes in collection::vec(any::<u8>(), 0..200)) {
        let runs = Count::default();
        let server = server(&runs);
        let reply = runtime().block_on(async {
            Peer::new(&server).raw(&bytes, Outbox::bounded(1).0).await
        });
        let response: Value = serde_json::from_slice(&reply.body).unwrap();
        prop_assert!([-32700, -32600].contains(&response["error"]["code"].as_i64().unwrap()), "{}", response);
        prop_assert_eq!(reply.status.as_u16(), 400);
    }
}

/// Asks two rounds, so that the first answer has to be kept.
fn two_rounds() -> McpServer {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Story {
        text: String,
    }
    impl Resolve for Story {
        type Needs = ();
        async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
            Ok(elicit("Tell me a story.").into())
        }
    }
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Moral {
        text: String,
    }
    impl Resolve for Moral {
        type Needs = (Resolved<Story>, Resolved<Model>);
        async fn resolve(_: Self::Needs) -> Result<Resolution<Self>, ToolError> {
            Ok(elicit("And its moral?").into())
        }
    }
    struct Model;
    impl Resolve for Model {
        type Needs = ();
        async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
            Ok(Resolution::Ask(sample("Hello?", 5).map(|_| Self)))
        }
    }
    async fn tell(story: Resolved<Story>, moral: Resolved<Moral>) -> String {
        format!("{} {}", story.text, moral.text)
    }
    McpServer::builder("Test").tool("tell", tell).build().unwrap()
}

fn completion() -> Value {
    json!({ "role": "assistant", "content": { "type": "text", "text": "Hello!" }, "model": "m" })
}

#[tokio::test]
async fn all_that_a_client_lacks_is_said_at_once() {
    let server = two_rounds();
    let peer = Peer::with_capabilities(&server, json!({}));
    let error = peer.error("tools/call", json!({ "name": "tell" })).await;
    assert_eq!(error["code"], -32021);
    let required = &error["data"]["requiredCapabilities"];
    assert!(required["elicitation"].is_object() && required["sampling"].is_object(), "{error}");
}

#[tokio::test]
async fn of_two_answers_under_one_key_none_is_taken() {
    let server = two_rounds();
    let peer = Peer::new(&server);
    let asked = peer.call("tell", json!({})).await;
    let params = retry("tell", json!({}), &asked, json!({ "story": "HERE", "model": completion() }));
    let twice = r#"{"action":"decline"},"story":{"action":"accept","content":{"text":"x"}}"#;
    let body = peer.request("tools/call", params).replace("\"HERE\"", twice);
    let reply = peer.raw(body.as_bytes(), Outbox::bounded(1).0).await;
    let response: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(response["error"]["code"], -32602, "{response}");
}

#[tokio::test]
async fn an_answer_too_long_to_be_kept_is_the_clients_to_shorten() {
    let server = two_rounds();
    let peer = Peer::new(&server);
    let asked = peer.call("tell", json!({})).await;
    let answers = |length: usize| json!({ "story": accept(json!({ "text": "x".repeat(length) })), "model": completion() });
    let error = peer.error("tools/call", retry("tell", json!({}), &asked, answers(70_000))).await;
    assert_eq!(error["code"], -32602);
    assert!(error["message"].as_str().unwrap().contains("too long"), "{error}");
    let asked = peer.retry("tell", json!({}), &asked, answers(100)).await;
    assert_eq!(questions(&asked), ["moral"]);
}
