//! An answer counts for the very question that the client saw, and for no other.

use std::sync::{Arc, Mutex};

use roundtrip_server::{
    McpServer, Remember, Resolution, Resolve, Resolved, State, ToolError, elicit, elicit_schema,
};
use roundtrip_types::RawJson;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tracing::Level;

use crate::{
    logs::Log,
    support::{Count, Peer, accept, questions, text},
};

/// Whether they agree to the price of the moment.
#[derive(Deserialize, JsonSchema)]
struct Consent {
    yes: bool,
}

impl Resolve for Consent {
    type Needs = State<Count>;

    async fn resolve(price: State<Count>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("Pay {}?", price.get())).into())
    }
}

async fn pay(consent: Resolved<Consent>) -> String {
    format!("paid: {}", consent.yes)
}

#[tokio::test]
async fn an_answer_to_other_words_is_no_answer() {
    let price = Count::default();
    let server = McpServer::builder("Test").state(price.clone()).tool("pay", pay).build().unwrap();
    let peer = Peer::new(&server);
    let log = Log::capture();
    let asked = peer.call("pay", json!({})).await;
    assert_eq!(log.take(Level::WARN), [""; 0]);

    price.up();
    let again =
        peer.retry("pay", json!({}), &asked, json!({ "consent": accept(json!({ "yes": true })) })).await;
    assert_eq!(questions(&again), ["consent"]);
    assert_eq!(again["inputRequests"]["consent"]["params"]["message"], "Pay 1?");
    let warnings = log.take(Level::WARN);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("resolver=consent") && warnings[0].contains("remember"), "{warnings:?}");
    assert!(!warnings[0].contains("Pay"), "{warnings:?}");

    let done =
        peer.retry("pay", json!({}), &again, json!({ "consent": accept(json!({ "yes": true })) })).await;
    assert_eq!(text(&done), "paid: true");
    assert_eq!(log.take(Level::WARN), [""; 0]);
}

#[tokio::test]
async fn other_words_are_told_of_though_nobody_has_answered_yet() {
    let price = Count::default();
    let server = McpServer::builder("Test").state(price.clone()).tool("pay", pay).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("pay", json!({})).await;
    let log = Log::capture();
    let asked = peer.retry("pay", json!({}), &asked, json!({})).await;
    assert_eq!(log.take(Level::WARN), [""; 0], "the words are the same");
    price.up();
    peer.retry("pay", json!({}), &asked, json!({})).await;
    let warnings = log.take(Level::WARN);
    assert!(matches!(&warnings[..], [warning] if warning.contains("resolver=consent")), "{warnings:?}");
}

#[tokio::test]
async fn a_kept_answer_does_not_outlive_its_question() {
    /// Asked second, so that the first answer waits a round in the state.
    #[derive(Deserialize, JsonSchema)]
    struct Sure {
        sure: bool,
    }
    impl Resolve for Sure {
        type Needs = Resolved<Consent>;

        async fn resolve(_: Resolved<Consent>) -> Result<Resolution<Self>, ToolError> {
            Ok(elicit("Sure?").into())
        }
    }
    async fn pay(consent: Resolved<Consent>, sure: Resolved<Sure>) -> String {
        format!("{} {}", consent.yes, sure.sure)
    }
    let price = Count::default();
    let server = McpServer::builder("Test").state(price.clone()).tool("pay", pay).build().unwrap();
    let peer = Peer::new(&server);
    let first = peer.call("pay", json!({})).await;
    let second =
        peer.retry("pay", json!({}), &first, json!({ "consent": accept(json!({ "yes": true })) })).await;
    assert_eq!(questions(&second), ["sure"]);
    price.up();
    let third =
        peer.retry("pay", json!({}), &second, json!({ "sure": accept(json!({ "sure": true })) })).await;
    assert_eq!(questions(&third), ["consent"]);
    // What was answered besides is kept: its question is the same.
    let done =
        peer.retry("pay", json!({}), &third, json!({ "consent": accept(json!({ "yes": false })) })).await;
    assert_eq!(text(&done), "false true");
}

/// The form that is asked for at this moment, under always the same words.
type Shape = Arc<Mutex<Value>>;

/// What the client filled in, whatever the form was.
struct Filled(RawJson);

impl Resolve for Filled {
    type Needs = State<Shape>;

    async fn resolve(shape: State<Shape>) -> Result<Resolution<Self>, ToolError> {
        let schema = shape.lock().unwrap().clone();
        Ok(elicit_schema("Fill this in.", schema.into()).map(Self).into())
    }
}

#[tokio::test]
async fn the_form_is_part_of_the_question() {
    async fn fill(filled: Resolved<Filled>) -> String {
        filled.0.get().to_owned()
    }
    let form = |field: Value| json!({ "type": "object", "properties": { "field": field } });
    for (before, after, same) in [
        (json!({ "type": "boolean" }), json!({ "type": "boolean" }), true),
        (json!({ "type": "number", "minimum": 5 }), json!({ "type": "number", "minimum": 5.0 }), true),
        (json!({ "type": "boolean" }), json!({ "type": "string" }), false),
        (json!({ "type": "string", "maxLength": 5 }), json!({ "type": "string", "maxLength": 6 }), false),
        (json!({ "type": "string", "title": "Yes" }), json!({ "type": "string", "title": "No" }), false),
        (
            json!({ "type": "string", "enum": ["a", "b"] }),
            json!({ "type": "string", "enum": ["b", "a"] }),
            false,
        ),
    ] {
        let shape = Shape::new(Mutex::new(form(before)));
        let server = McpServer::builder("Test").state(Arc::clone(&shape)).tool("fill", fill).build().unwrap();
        let peer = Peer::new(&server);
        let asked = peer.call("fill", json!({})).await;
        *shape.lock().unwrap() = form(after.clone());
        let result = peer.retry("fill", json!({}), &asked, json!({ "filled": accept(json!({})) })).await;
        let want = if same { "complete" } else { "input_required" };
        assert_eq!(result["resultType"], want, "{after}");
    }
}

/// An offer that is another one each time it is made.
#[derive(Deserialize, Serialize)]
struct Offer {
    id: u64,
}

impl Resolve for Offer {
    type Needs = State<Count>;

    fn remember() -> Remember<Self> {
        Remember::yes()
    }

    async fn resolve(made: State<Count>) -> Result<Resolution<Self>, ToolError> {
        // Beyond what a double can hold, so that lost digits would show.
        let id = 9007199254740993 + u64::try_from(made.up()).unwrap();
        Ok(Self { id }.into())
    }
}

/// As [`Offer`], without being remembered.
struct Fickle {
    id: usize,
}

impl Resolve for Fickle {
    type Needs = State<Count>;

    async fn resolve(made: State<Count>) -> Result<Resolution<Self>, ToolError> {
        Ok(Self { id: made.up() }.into())
    }
}

macro_rules! accepting {
    ($Name:ident of $Offer:ident) => {
        /// Whether they take the offer.
        #[derive(Deserialize, JsonSchema)]
        struct $Name {
            yes: bool,
        }

        impl Resolve for $Name {
            type Needs = Resolved<$Offer>;

            async fn resolve(offer: Resolved<$Offer>) -> Result<Resolution<Self>, ToolError> {
                Ok(elicit(format!("Take offer {}?", offer.id)).into())
            }
        }
    };
}

accepting!(Accepted of Offer);
accepting!(Attempted of Fickle);

#[tokio::test]
async fn what_is_remembered_is_the_same_in_each_round() {
    async fn buy(offer: Resolved<Offer>, accepted: Resolved<Accepted>) -> String {
        format!("{} {}", offer.id, accepted.yes)
    }
    let made = Count::default();
    let server = McpServer::builder("Test").state(made.clone()).tool("buy", buy).build().unwrap();
    let peer = Peer::new(&server);
    let log = Log::capture();
    let first = peer.call("buy", json!({})).await;
    assert_eq!(first["inputRequests"]["accepted"]["params"]["message"], "Take offer 9007199254740993?");
    let second = peer.retry("buy", json!({}), &first, json!({})).await;
    assert_eq!(second["inputRequests"], first["inputRequests"]);
    let answer = json!({ "accepted": accept(json!({ "yes": true })) });
    assert_eq!(text(&peer.retry("buy", json!({}), &second, answer).await), "9007199254740993 true");
    assert_eq!((made.get(), log.take(Level::WARN)), (1, Vec::new()));

    // It is remembered for this call, not for the next one.
    let next = peer.call("buy", json!({})).await;
    assert_eq!(next["inputRequests"]["accepted"]["params"]["message"], "Take offer 9007199254740994?");
}

#[tokio::test]
async fn what_is_not_remembered_is_asked_for_ever_and_the_log_says_why() {
    async fn buy(attempted: Resolved<Attempted>) -> String {
        attempted.yes.to_string()
    }
    let server = McpServer::builder("Test").state(Count::default()).tool("buy", buy).build().unwrap();
    let peer = Peer::new(&server);
    let log = Log::capture();
    let mut asked = peer.call("buy", json!({})).await;
    for round in 1..5 {
        let answer = json!({ "attempted": accept(json!({ "yes": true })) });
        asked = peer.retry("buy", json!({}), &asked, answer).await;
        assert_eq!(
            asked["inputRequests"]["attempted"]["params"]["message"],
            format!("Take offer {round}?"),
            "an answer to another offer is not taken for this one"
        );
        let warnings = log.take(Level::WARN);
        assert!(matches!(&warnings[..], [warning] if warning.contains("resolver=attempted")), "{warnings:?}");
    }
}
