//! What of a round is opaque and goes back as it came: states and keys.

use serde_json::{Value, json};

use crate::wire::{Wire, done, input_required, result, yes_or_no};

#[tokio::test]
async fn a_state_goes_back_byte_for_byte() {
    let long = "é\u{1f600}x".repeat(30_000);
    let states = [
        "",
        r#"{"a":1}"#,
        " x ",
        "\u{0}é\u{1f600}",
        "a/b+c==",
        "123",
        "null",
        "line\nbreak\r\n",
        "\u{2028}",
        &long,
    ];
    for state in states {
        let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), state), done("done")]);
        wire.accepting().call_tool("t", ()).await.unwrap();
        let sent = wire.sent();
        assert_eq!(sent[1].params()["requestState"].as_str().unwrap().as_bytes(), state.as_bytes());
        assert!(!sent[1].text.contains(['\n', '\r']), "a request is one line");
    }
}

#[tokio::test]
async fn keys_are_opaque() {
    let long = "k".repeat(10_000);
    let keys = ["__proto__", "", "a.b/c", "é", "Key", "key", "\u{0}", &long];
    let questions: Value =
        keys.iter().map(|key| ((*key).to_owned(), yes_or_no())).collect::<serde_json::Map<_, _>>().into();
    let wire = Wire::results([input_required(&questions, "s"), done("done")]);
    wire.accepting().call_tool("t", ()).await.unwrap();
    let sent = wire.sent();
    let answers = sent[1].params()["inputResponses"].as_object().unwrap();
    assert_eq!(answers.len(), keys.len());
    for key in keys {
        assert_eq!(answers[key]["action"], "accept", "{key:?}");
    }
}

#[tokio::test]
async fn no_questions_and_a_state_is_a_state_only() {
    tokio::time::pause();
    for round in [
        json!({ "resultType": "input_required", "inputRequests": {}, "requestState": "s" }),
        json!({ "resultType": "input_required", "inputRequests": null, "requestState": "s" }),
        json!({ "resultType": "input_required", "requestState": "s" }),
    ] {
        let wire = Wire::results([round, done("done")]);
        wire.accepting().call_tool("t", ()).await.unwrap();
        let sent = wire.sent();
        assert_eq!(sent[1].params().get("inputResponses"), None);
        assert_eq!(sent[1].params()["requestState"], "s");
    }
}

#[tokio::test]
async fn a_round_with_neither_questions_nor_state_is_invalid() {
    for round in [
        json!({ "resultType": "input_required" }),
        json!({ "resultType": "input_required", "inputRequests": null }),
        json!({ "resultType": "input_required", "content": [] }),
    ] {
        let wire = Wire::results([round]);
        let error = wire.accepting().call_tool("t", ()).await.unwrap_err();
        assert!(error.is_invalid_response(), "{error}");
        assert_eq!(wire.sent().len(), 1);
    }
}

#[tokio::test]
async fn the_result_type_alone_decides_whatever_else_is_there() {
    let extras = [
        r#""_meta":{}"#,
        r#""content":[]"#,
        r#""structuredContent":{}"#,
        r#""isError":false"#,
        r#""messages":[]"#,
        r#""contents":[]"#,
        r#""unknown":[1,{}]"#,
    ];
    let round = format!(r#""inputRequests":{{"c":{}}},"requestState":"s""#, yes_or_no());
    for extra in extras {
        for text in [
            format!(r#"{{"resultType":"input_required",{round},{extra}}}"#),
            format!(r#"{{{extra},{round},"resultType":"input_required"}}"#),
        ] {
            let wire = Wire::new(move |number, sent| match number {
                0 => crate::wire::raw_result(sent, &text),
                _ => result(sent, &done("done")),
            });
            wire.accepting().call_tool("t", ()).await.unwrap();
            assert_eq!(wire.sent()[1].params()["requestState"], "s", "{extra}");
            assert_eq!(wire.sent()[1].params()["inputResponses"]["c"]["action"], "accept");
        }
    }
}
