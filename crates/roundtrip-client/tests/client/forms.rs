//! Which questions can be asked at all, and which answers fit them.

use roundtrip_client::{Client, ElicitResult, Root};
use serde_json::json;

use crate::{
    answers::{accept, asks, form, roots, url},
    wire::{Wire, input_required, yes_or_no},
};

#[tokio::test]
async fn a_question_that_can_not_be_read_is_an_invalid_response() {
    let questions = [
        json!({ "method": "tools/call", "params": {} }),
        json!({ "method": "elicitation/create" }),
        json!({ "method": "elicitation/create", "params": { "mode": "voice", "message": "?" } }),
        json!({ "method": "elicitation/create", "params": { "message": "?" } }),
        form(&json!({ "deep": { "type": "object", "properties": {} } })),
        form(&json!({ "many": { "type": "array", "items": { "type": "number" } } })),
        json!(7),
    ];
    for question in questions {
        let wire = Wire::results([input_required(&json!({ "a": yes_or_no(), "odd": question }), "s")]);
        let client = Client::builder().on_elicitation(accept).connect_without_discover(wire.clone()).unwrap();
        let error = client.call_tool("t", ()).await.unwrap_err();
        assert!(error.is_invalid_response(), "{question}: {error}");
        let mut told = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(below) = source {
            told = format!("{told}: {below}");
            source = below.source();
        }
        assert!(told.contains("odd"), "{told}");
        assert_eq!(wire.sent().len(), 1);
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_its_form_is_not_sent() {
    let cases = [
        (json!({ "ok": { "type": "boolean" } }), json!({ "ok": "yes" }), "ok"),
        (json!({ "n": { "type": "integer" } }), json!({ "n": 3.5 }), "n"),
        (json!({ "n": { "type": "number", "maximum": 3 } }), json!({ "n": 4 }), "n"),
        (json!({ "pick": { "type": "string", "enum": ["a", "b"] } }), json!({ "pick": "c" }), "pick"),
        (json!({ "name": { "type": "string", "maxLength": 2 } }), json!({ "name": "abc" }), "name"),
        (
            json!({ "many": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] }, "maxItems": 1 } }),
            json!({ "many": ["a", "b"] }),
            "many",
        ),
        (json!({ "x": { "type": "string" } }), json!({ "x": { "nested": 1 } }), "x"),
        (json!({ "x": { "type": "string" } }), json!(42), "form"),
        (json!({ "x": { "type": "string" } }), json!([]), "form"),
    ];
    for (fields, content, names) in cases {
        let wire = asks(&form(&fields));
        let answer = content.clone();
        let client =
            Client::builder().on_form(move |_| std::future::ready(ElicitResult::accept(answer.clone())));
        let error =
            client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap_err();
        assert!(error.is_answer(), "{content}: {error}");
        assert_eq!(error.question_key(), Some("q"));
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(source.contains(names), "{content}: {source}");
        assert_eq!(wire.sent().len(), 1, "{content}");
    }
}

#[tokio::test]
async fn defaults_are_not_filled_in() {
    let schema = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "default": "x" }, "age": { "type": "integer", "default": 3 } },
        "required": ["name"],
    });
    let question =
        json!({ "method": "elicitation/create", "params": { "message": "?", "requestedSchema": schema } });

    let wire = asks(&question);
    let client = Client::builder().on_form(async |_| ElicitResult::accept(json!({})));
    let error = client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap_err();
    assert!(error.is_answer(), "{error}");
    assert_eq!(wire.sent().len(), 1);

    let wire = asks(&question);
    let client = Client::builder().on_form(async |_| ElicitResult::accept(json!({ "name": "y" })));
    client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap();
    assert_eq!(wire.sent()[1].params()["inputResponses"]["q"]["content"], json!({ "name": "y" }));
}

#[tokio::test]
async fn other_answers_that_say_nothing_clear_are_not_sent() {
    let consent = || ElicitResult::consent();
    let content = || ElicitResult::accept(json!({ "ok": true }));
    let mut refusal = ElicitResult::accept(json!({ "ok": true }));
    refusal.action = "decline".into();
    let mut unknown = ElicitResult::decline();
    unknown.action = "maybe".into();
    let cases = [
        (yes_or_no(), consent()),
        (url(), content()),
        (yes_or_no(), refusal),
        (url(), unknown.clone()),
        (yes_or_no(), unknown),
    ];
    for (question, result) in cases {
        let wire = asks(&question);
        let answer = result.clone();
        let client = Client::builder().on_elicitation(move |_| std::future::ready(answer.clone()));
        let error =
            client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap_err();
        assert!(error.is_answer(), "{result:?}: {error}");
        assert_eq!(wire.sent().len(), 1);
    }

    let wire = asks(&roots());
    let client = Client::builder().roots([Root::new("file:///ok"), Root::new("https://elsewhere.example")]);
    let error = client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap_err();
    assert!(error.to_string().contains("https://elsewhere.example"), "{error}");
    assert_eq!(wire.sent().len(), 1);
}
