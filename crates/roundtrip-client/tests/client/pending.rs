//! Calls driven by hand, kept, and resumed by another client.

use roundtrip_client::{
    CallToolResult, Client, ClientCapabilities, CreateMessageResult, ElicitResult, ElicitationCapability,
    GetPromptResult, ListRootsResult, PendingCall, ReadResourceResult, Root, Round,
};
use serde_json::{Value, json};

use crate::wire::{Wire, done, input_required, yes_or_no};

/// A client of another process: it has nothing in common with the one before but the server.
fn by_hand(wire: &Wire) -> Client {
    let forms = ClientCapabilities::new().with_elicitation(ElicitationCapability::form());
    Client::builder().by_hand(forms).connect_without_discover(wire.clone()).unwrap()
}

fn pending<R: std::fmt::Debug>(round: Round<R>) -> PendingCall<R> {
    match round {
        Round::InputRequired(pending) => pending,
        Round::Complete(result) => panic!("the call is complete: {result:?}"),
    }
}

fn yes() -> ElicitResult {
    ElicitResult::accept(json!({ "ok": true }))
}

#[tokio::test]
async fn a_call_goes_on_in_another_process() {
    let wire = Wire::results([
        input_required(&json!({ "a": yes_or_no() }), "s1\u{0}é"),
        input_required(&json!({ "b": yes_or_no() }), "s2"),
        done("done"),
    ]);
    let arguments: roundtrip_types::RawJson =
        serde_json::from_str(r#"{ "big": 123456789012345678901234567890, "f": 1.0 }"#).unwrap();
    let first = by_hand(&wire).call_tool("provision", &arguments).once().await.unwrap();
    let saved = serde_json::to_string(&pending(first)).unwrap();

    let kept: PendingCall<CallToolResult> = serde_json::from_str(&saved).unwrap();
    assert_eq!((kept.method(), kept.name()), ("tools/call", "provision"));
    assert_eq!(kept.state_len(), Some("s1\u{0}é".len()));
    assert_eq!(kept.arguments(), Some(&arguments));
    assert_eq!(kept.questions().keys().collect::<Vec<_>>(), ["a"]);
    assert_eq!(kept.unanswered().collect::<Vec<_>>(), ["a"]);
    let kept = kept.answer("a", yes()).unwrap();
    assert_eq!(kept.unanswered().count(), 0);
    let second = by_hand(&wire).resume(kept).once().await.unwrap();

    // Answers that were given survive being kept as well.
    let answered = pending(second).answer("b", ElicitResult::decline()).unwrap();
    let saved = serde_json::to_vec(&answered).unwrap();
    let kept: PendingCall<CallToolResult> = serde_json::from_slice(&saved).unwrap();
    let third = by_hand(&wire).resume(kept).once().await.unwrap();
    assert!(matches!(third, Round::Complete(_)), "{third:?}");

    let sent = wire.sent();
    for sent in &sent {
        assert!(sent.text.contains(arguments.get()), "{}", sent.text);
        assert_eq!(sent.params()["name"], "provision");
    }
    assert_eq!(sent[1].params()["requestState"], "s1\u{0}é");
    assert_eq!(
        sent[1].params()["inputResponses"],
        json!({ "a": { "action": "accept", "content": { "ok": true } } })
    );
    assert_eq!(sent[2].params()["requestState"], "s2");
    assert_eq!(sent[2].params()["inputResponses"], json!({ "b": { "action": "decline" } }));
    assert_ne!(sent[0].id(), sent[1].id(), "each process counts anew, and yet a retry has another id");
    assert_ne!(sent[1].id(), sent[2].id());
}

#[tokio::test]
async fn what_is_kept_survives_a_format_that_rounds_numbers() {
    let wire = Wire::results([input_required(&json!({ "a": yes_or_no() }), "s"), done("done")]);
    let arguments: roundtrip_types::RawJson =
        serde_json::from_str(r#"{"big":123456789012345678901234567890}"#).unwrap();
    let first = pending(by_hand(&wire).call_tool("t", &arguments).once().await.unwrap());
    let through_values: PendingCall<CallToolResult> =
        serde_json::from_value(serde_json::to_value(&first).unwrap()).unwrap();
    assert_eq!(through_values.arguments(), Some(&arguments));
    assert_eq!(through_values.questions(), first.questions());
}

#[tokio::test]
async fn prompts_and_resources_wait_as_well() {
    let messages = json!({ "messages": [] });
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s"), messages]);
    let client = by_hand(&wire);
    let round = client.get_prompt("trip", json!({ "city": "Paris" })).once().await.unwrap();
    let saved = serde_json::to_string(&pending(round).answer("q", yes()).unwrap()).unwrap();
    let kept: PendingCall<GetPromptResult> = serde_json::from_str(&saved).unwrap();
    let Round::Complete(prompt) = client.resume(kept).once().await.unwrap() else { panic!() };
    assert!(prompt.messages.is_empty());

    let contents = json!({ "contents": [{ "uri": "notes://1", "text": "hi" }] });
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s"), contents]);
    let client = by_hand(&wire);
    let round = client.read_resource("notes://1").once().await.unwrap();
    let saved = serde_json::to_string(&pending(round).answer("q", yes()).unwrap()).unwrap();
    let kept: PendingCall<ReadResourceResult> = serde_json::from_str(&saved).unwrap();
    assert_eq!(kept.name(), "notes://1");
    assert!(matches!(client.resume(kept).once().await.unwrap(), Round::Complete(_)));
    assert_eq!(wire.sent()[1].params()["uri"], "notes://1");
}

#[tokio::test]
async fn a_resumed_call_may_go_on_by_itself() {
    let wire = Wire::results([
        input_required(&json!({ "a": yes_or_no(), "b": yes_or_no() }), "s1"),
        input_required(&json!({ "c": yes_or_no() }), "s2"),
        done("done"),
    ]);
    let first = pending(by_hand(&wire).call_tool("t", ()).once().await.unwrap());
    let answered = first.answer("a", ElicitResult::cancel()).unwrap();
    let client = Client::builder()
        .on_form(async |_| ElicitResult::accept(json!({ "ok": true })))
        .connect_without_discover(wire.clone())
        .unwrap();
    client.resume(answered).await.unwrap();
    let sent = wire.sent();
    assert_eq!(sent[1].params()["inputResponses"]["a"], json!({ "action": "cancel" }));
    assert_eq!(sent[1].params()["inputResponses"]["b"]["action"], "accept");
    assert_eq!(sent[2].params()["inputResponses"].as_object().unwrap().len(), 1);
}

#[tokio::test]
async fn nothing_is_sent_while_a_question_is_open() {
    let wire = Wire::results([input_required(&json!({ "a": yes_or_no(), "b": yes_or_no() }), "s")]);
    let client = by_hand(&wire);
    let first = pending(client.call_tool("t", ()).once().await.unwrap());
    let half = first.answer("a", yes()).unwrap();
    assert_eq!(half.unanswered().collect::<Vec<_>>(), ["b"]);
    let error = client.resume(half.clone()).once().await.unwrap_err();
    assert!(error.is_answer(), "{error}");
    assert_eq!(error.question_key(), Some("b"));
    // The loop has nobody to ask either: the kind was declared to be answered by hand.
    let error = client.resume(half).await.unwrap_err();
    assert_eq!(error.question_key(), Some("b"));
    assert!(error.to_string().contains("by hand"), "{error}");
    assert_eq!(wire.sent().len(), 1);
}

#[tokio::test]
async fn an_answer_has_to_fit_its_question() {
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s")]);
    let waiting = pending(by_hand(&wire).call_tool("t", ()).once().await.unwrap());

    let error = waiting.clone().answer("Q", yes()).unwrap_err();
    assert_eq!(error.question_key(), Some("Q"));
    assert!(error.to_string().contains("not one that the server asked"), "{error}");
    for wrong in [
        waiting.clone().answer("q", ListRootsResult::new([Root::new("file:///x")])),
        waiting.clone().answer("q", CreateMessageResult::new("m", "hi")),
        waiting.clone().answer("q", ElicitResult::accept(json!({ "ok": "yes" }))),
        waiting.clone().answer("q", ElicitResult::consent()),
    ] {
        let error = wrong.unwrap_err();
        assert!(error.is_answer(), "{error}");
        assert_eq!(error.question_key(), Some("q"));
    }
    // The last answer counts.
    let answered = waiting.answer("q", yes()).unwrap().answer("q", ElicitResult::decline()).unwrap();
    drop(by_hand(&wire).resume(answered).once().await.unwrap());
    assert_eq!(wire.sent()[1].params()["inputResponses"], json!({ "q": { "action": "decline" } }));
}

#[tokio::test]
async fn what_was_not_declared_is_refused_by_hand_too() {
    let wire = Wire::results([input_required(&json!({ "q": { "method": "roots/list" } }), "s")]);
    let error = by_hand(&wire).call_tool("t", ()).once().await.unwrap_err();
    assert_eq!(error.question_key(), Some("q"));
}

#[tokio::test]
async fn a_state_without_questions_is_sent_back_by_hand_at_once() {
    tokio::time::pause();
    let wire = Wire::results([json!({ "resultType": "input_required", "requestState": "s" }), done("done")]);
    let client = by_hand(&wire);
    let waiting = pending(client.call_tool("t", ()).once().await.unwrap());
    assert!(waiting.questions().is_empty());
    let before = tokio::time::Instant::now();
    drop(client.resume(waiting).once().await.unwrap());
    assert_eq!(before.elapsed(), std::time::Duration::ZERO);
    assert_eq!(wire.sent()[1].params()["requestState"], "s");
    assert_eq!(wire.sent()[1].params().get("inputResponses"), None);
}

#[tokio::test]
async fn what_is_read_back_has_to_be_what_was_kept() {
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s")]);
    let waiting = pending(by_hand(&wire).call_tool("t", ()).once().await.unwrap());
    let saved = serde_json::to_value(&waiting).unwrap();

    let error = serde_json::from_value::<PendingCall<GetPromptResult>>(saved.clone()).unwrap_err();
    assert!(
        error.to_string().contains("`tools/call`") && error.to_string().contains("`prompts/get`"),
        "{error}"
    );

    let changed = |member: &str, value: Value| {
        let mut saved = saved.clone();
        saved[member] = value;
        serde_json::from_value::<PendingCall<CallToolResult>>(saved).unwrap_err().to_string()
    };
    assert!(changed("format", json!(2)).contains("format 2"));
    assert!(changed("answers", json!({ "other": "{}" })).contains("other"));
    assert!(changed("arguments", json!("{")).contains("EOF"));
    assert!(changed("questions", json!({ "q": "{}" })).contains("method"));
}

#[tokio::test]
async fn the_state_is_not_in_the_debug_form() {
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "sealed-token")]);
    let waiting =
        pending(by_hand(&wire).call_tool("t", json!({ "secret": "argument" })).once().await.unwrap());
    let debug = format!("{waiting:?}");
    assert!(
        debug.contains("\"q\"") && !debug.contains("sealed-token") && !debug.contains("argument"),
        "{debug}"
    );
}
