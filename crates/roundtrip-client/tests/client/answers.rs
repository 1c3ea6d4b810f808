//! The functions that answer: what they declare, what they may return, and what happens when they can't.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use roundtrip_client::{
    Client, ClientBuilder, ClientCapabilities, CreateMessageResult, Declined, ElicitRequestParams,
    ElicitResult, ElicitationCapability, Root, SamplingCapability,
};
use roundtrip_types::JsonObject;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::wire::{Wire, done, input_required, yes_or_no};

fn sampling() -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": "hi" } });
    json!({ "method": "sampling/createMessage", "params": { "messages": [message], "maxTokens": 10 } })
}

pub(crate) fn url() -> Value {
    json!({
        "method": "elicitation/create",
        "params": { "mode": "url", "message": "pay", "url": "https://pay.example/1" },
    })
}

pub(crate) fn roots() -> Value {
    json!({ "method": "roots/list" })
}

/// A server that asks this one question, under the key `q`, and is done when it is answered.
pub(crate) fn asks(question: &Value) -> Wire {
    Wire::results([input_required(&json!({ "q": question }), "s"), done("done")])
}

pub(crate) fn form(fields: &Value) -> Value {
    let schema = json!({ "type": "object", "properties": fields });
    json!({ "method": "elicitation/create", "params": { "message": "?", "requestedSchema": schema } })
}

pub(crate) async fn accept(question: ElicitRequestParams) -> ElicitResult {
    match question {
        ElicitRequestParams::Url(_) => ElicitResult::consent(),
        _ => ElicitResult::accept(json!({ "ok": true })),
    }
}

fn declared(builder: ClientBuilder) -> Value {
    let client = builder.connect_without_discover(Wire::results([done("done")])).unwrap();
    serde_json::to_value(client.capabilities()).unwrap()
}

#[test]
fn a_kind_is_declared_when_there_is_an_answer_for_it() {
    assert_eq!(declared(Client::builder()), json!({}));
    let both = Client::builder().on_elicitation(accept);
    assert_eq!(declared(both), json!({ "elicitation": { "form": {}, "url": {} } }));
    let form = Client::builder().on_form(async |_| ElicitResult::decline());
    assert_eq!(declared(form), json!({ "elicitation": { "form": {} } }));
    let url = Client::builder().on_url(async |_| ElicitResult::decline());
    assert_eq!(declared(url), json!({ "elicitation": { "url": {} } }));
    let sampling = Client::builder().on_sampling(async |_| CreateMessageResult::new("m", "hi"));
    assert_eq!(declared(sampling), json!({ "sampling": {} }));
    let tools = SamplingCapability::default().with_tools(JsonObject::new());
    let sampling = Client::builder().on_sampling_with(tools, async |_| CreateMessageResult::new("m", "hi"));
    assert_eq!(declared(sampling), json!({ "sampling": { "tools": {} } }));
    let roots = Client::builder().roots([Root::new("file:///work")]);
    assert_eq!(declared(roots), json!({ "roots": {} }));
}

#[test]
fn what_is_answered_by_hand_is_declared_beside_it() {
    let forms = ClientCapabilities::new().with_elicitation(ElicitationCapability::form());
    assert_eq!(declared(Client::builder().by_hand(forms.clone())), json!({ "elicitation": { "form": {} } }));
    let both = Client::builder().by_hand(forms).on_url(async |_| ElicitResult::decline()).roots([]);
    assert_eq!(declared(both), json!({ "elicitation": { "form": {}, "url": {} }, "roots": {} }));
    // `{}` stands for forms, which a second mode must not take away.
    let plain = ClientCapabilities::new().with_elicitation(ElicitationCapability::default());
    let both = Client::builder().by_hand(plain).on_url(async |_| ElicitResult::decline());
    assert_eq!(declared(both), json!({ "elicitation": { "form": {}, "url": {} } }));
}

#[tokio::test]
async fn each_kind_is_answered_with_its_bare_result() {
    let client = || {
        Client::builder()
            .on_elicitation(accept)
            .on_sampling(async |_| CreateMessageResult::new("model", "hello"))
            .on_roots(async || vec![Root::new("file:///work")])
    };
    let answers = [
        (yes_or_no(), json!({ "action": "accept", "content": { "ok": true } })),
        (url(), json!({ "action": "accept" })),
        (
            sampling(),
            json!({ "role": "assistant", "content": { "type": "text", "text": "hello" }, "model": "model" }),
        ),
        (roots(), json!({ "roots": [{ "uri": "file:///work" }] })),
    ];
    for (question, answer) in answers {
        let wire = asks(&question);
        client().connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap();
        assert_eq!(wire.sent()[1].params()["inputResponses"], json!({ "q": answer }));
    }
}

#[tokio::test]
async fn a_form_without_a_mode_is_a_form() {
    let wire = asks(&form(&json!({ "ok": { "type": "boolean" } })));
    let client = Client::builder().on_form(async |form| {
        assert_eq!(form.message, "?");
        ElicitResult::accept(json!({ "ok": false }))
    });
    client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap();
    assert_eq!(wire.sent()[1].params()["inputResponses"]["q"]["content"], json!({ "ok": false }));
}

#[tokio::test]
async fn to_decline_or_cancel_is_an_answer() {
    for (result, action) in [(ElicitResult::decline(), "decline"), (ElicitResult::cancel(), "cancel")] {
        for question in [yes_or_no(), url()] {
            let wire = asks(&question);
            let result = result.clone();
            let client = Client::builder().on_elicitation(move |_| std::future::ready(result.clone()));
            client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap();
            assert_eq!(wire.sent()[1].params()["inputResponses"], json!({ "q": { "action": action } }));
        }
    }
}

#[tokio::test]
async fn a_question_that_was_not_declared_fails_before_any_is_answered() {
    let cases = [
        (url(), "URL"),
        (sampling(), "sampled message"),
        (roots(), "roots"),
        (
            json!({
                "method": "sampling/createMessage",
                "params": { "messages": [], "maxTokens": 1, "toolChoice": {} },
            }),
            "with tools",
        ),
    ];
    for (question, what) in cases {
        let asked = Arc::new(AtomicBool::new(false));
        let was_asked = asked.clone();
        let wire = Wire::results([input_required(&json!({ "a": yes_or_no(), "b": question }), "s")]);
        let mut builder = Client::builder().on_form(move |_| {
            was_asked.store(true, Ordering::Relaxed);
            std::future::ready(ElicitResult::decline())
        });
        if what == "with tools" {
            builder = builder.on_sampling(async |_| CreateMessageResult::new("m", "hi"));
        }
        let client = builder.connect_without_discover(wire.clone()).unwrap();
        let error = client.call_tool("t", ()).await.unwrap_err();
        assert!(error.is_answer(), "{error}");
        assert_eq!(error.question_key(), Some("b"));
        assert!(error.to_string().contains(what), "{error}");
        assert!(error.rpc().is_none());
        assert!(!asked.load(Ordering::Relaxed), "the other question was asked");
        assert_eq!(wire.sent().len(), 1);
    }
}

#[tokio::test]
async fn a_client_without_answers_fails_clearly_when_it_is_asked() {
    let wire = asks(&yes_or_no());
    let error = wire.client().call_tool("t", ()).await.unwrap_err();
    assert_eq!(error.question_key(), Some("q"));
    assert!(error.to_string().contains("didn't declare"), "{error}");
    assert_eq!(wire.sent()[0].meta()["io.modelcontextprotocol/clientCapabilities"], json!({}));
}

/// Sets its flag when it is dropped.
struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_failing_answer_cancels_the_others_and_the_call() {
    let wire =
        Wire::results([input_required(&json!({ "good": yes_or_no(), "bad": url() }), "s"), done("done")]);
    let cancelled = Arc::new(AtomicBool::new(false));
    let guard = cancelled.clone();
    let running = Arc::new(Notify::new());
    let started = running.clone();
    let client = Client::builder()
        .on_form(move |_| {
            let guard = Guard(guard.clone());
            let started = started.clone();
            async move {
                started.notify_one();
                std::future::pending::<()>().await;
                drop(guard);
                ElicitResult::decline()
            }
        })
        .on_url(move |_| {
            let running = running.clone();
            async move {
                running.notified().await;
                Err::<ElicitResult, _>("the browser is broken")
            }
        })
        .connect_without_discover(wire.clone())
        .unwrap();
    let error = client.call_tool("t", ()).await.unwrap_err();
    assert!(error.is_answer() && !error.is_declined() && !error.is_panic(), "{error}");
    assert_eq!(error.question_key(), Some("bad"));
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "the browser is broken");
    assert!(cancelled.load(Ordering::Relaxed));
    assert_eq!(wire.sent().len(), 1, "no retry");
}

#[tokio::test]
async fn a_refusal_that_the_protocol_has_no_word_for_ends_the_call() {
    let wire = asks(&sampling());
    let client = Client::builder().on_sampling(async |_| Err::<CreateMessageResult, _>(Declined));
    let error = client.connect_without_discover(wire.clone()).unwrap().call_tool("t", ()).await.unwrap_err();
    assert!(error.is_declined() && error.is_answer(), "{error}");
    assert_eq!(wire.sent().len(), 1);
}

#[tokio::test]
async fn a_panicking_answer_fails_its_call_alone() {
    let calls = Arc::new(AtomicUsize::new(0));
    let wire = Wire::new(|number, sent| match number {
        0..=2 => crate::wire::result(sent, &input_required(&json!({ "q": yes_or_no() }), "s")),
        _ => crate::wire::result(sent, &done("done")),
    });
    let client = Client::builder()
        .on_form(move |_| {
            let call = calls.fetch_add(1, Ordering::Relaxed);
            assert_ne!(call, 0, "before there is a future");
            async move {
                assert_ne!(call, 1, "inside the future");
                ElicitResult::accept(json!({ "ok": true }))
            }
        })
        .connect_without_discover(wire.clone())
        .unwrap();
    for _ in 0..2 {
        let error = client.call_tool("t", ()).await.unwrap_err();
        assert!(error.is_panic() && error.is_answer(), "{error}");
        assert_eq!(error.question_key(), Some("q"));
    }
    client.call_tool("t", ()).await.unwrap();
    assert_eq!(wire.sent().len(), 4);
}

#[tokio::test]
async fn an_answer_may_call_the_same_client() {
    let wire = Wire::new(|_, sent| match &*sent.outgoing.method {
        "tools/list" => crate::wire::result(sent, &json!({ "tools": [] })),
        _ if sent.params().get("requestState").is_some() => crate::wire::result(sent, &done("done")),
        _ => crate::wire::result(sent, &input_required(&json!({ "q": yes_or_no() }), "s")),
    });
    let slot = Arc::new(std::sync::OnceLock::<Client>::new());
    let inside = slot.clone();
    let client = Client::builder()
        .on_form(move |_| {
            let client = inside.get().unwrap().clone();
            async move {
                client.list_tools().await?;
                Ok::<_, roundtrip_client::Error>(ElicitResult::accept(json!({ "ok": true })))
            }
        })
        .connect_without_discover(wire.clone())
        .unwrap();
    slot.set(client.clone()).unwrap();
    client.call_tool("t", ()).await.unwrap();
    assert_eq!(wire.methods(), ["tools/call", "tools/list", "tools/call"]);
}

#[tokio::test]
async fn a_round_may_hold_so_many_questions_and_no_more() {
    let questions = |count: usize| -> Value {
        (0..count).map(|key| (key.to_string(), yes_or_no())).collect::<serde_json::Map<_, _>>().into()
    };
    let client = |wire: &Wire, most| {
        Client::builder()
            .on_elicitation(accept)
            .max_questions(most)
            .connect_without_discover(wire.clone())
            .unwrap()
    };
    let wire = Wire::results([input_required(&questions(3), "s"), done("done")]);
    client(&wire, 3).call_tool("t", ()).await.unwrap();
    let wire = Wire::results([input_required(&questions(4), "s"), done("done")]);
    let error = client(&wire, 3).call_tool("t", ()).await.unwrap_err();
    assert!(error.is_invalid_response(), "{error}");
    assert!(error.to_string().contains("4 questions"), "{error}");
    assert_eq!(wire.sent().len(), 1);
}
