//! The loop over rounds: what each leg holds, how many there are, and what ends it.

use std::sync::{Arc, Mutex};

use roundtrip_client::{Client, ElicitResult, Error};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::wire::{Wire, done, input_required, result, yes_or_no};

/// A server that asks `rounds` times with the keys `q1`, `q2`.. and the states `s1`, `s2`.., then is done.
fn asks(rounds: usize) -> Wire {
    Wire::new(move |number, sent| {
        let round = number + 1;
        if round > rounds {
            return result(sent, &done("done"));
        }
        result(sent, &input_required(&json!({ format!("q{round}"): yes_or_no() }), &format!("s{round}")))
    })
}

#[tokio::test]
async fn a_retry_is_the_same_call_with_answers_state_and_another_id() {
    let wire = asks(1);
    let result = wire.accepting().call_tool("provision", json!({ "name": "orders" })).await.unwrap();
    assert_eq!(result.content.len(), 1);

    let sent = wire.sent();
    assert_eq!(wire.methods(), ["tools/call", "tools/call"]);
    assert_ne!(sent[0].id(), sent[1].id());
    for sent in &sent {
        assert_eq!(sent.params()["name"], "provision");
        assert_eq!(sent.params()["arguments"], json!({ "name": "orders" }));
        assert_eq!(sent.outgoing.name.as_deref(), Some("provision"));
        assert_eq!(sent.json["id"], json!(sent.outgoing.id));
        assert_eq!(sent.meta()["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
        assert_eq!(
            sent.meta()["io.modelcontextprotocol/clientCapabilities"],
            json!({ "elicitation": { "form": {}, "url": {} } })
        );
        assert_eq!(sent.meta()["io.modelcontextprotocol/clientInfo"]["name"], "roundtrip-client");
    }
    assert_eq!(sent[0].params().get("inputResponses"), None);
    assert_eq!(sent[0].params().get("requestState"), None);
    assert_eq!(
        sent[1].params()["inputResponses"],
        json!({ "q1": { "action": "accept", "content": { "ok": true } } })
    );
    assert_eq!(sent[1].params()["requestState"], "s1");
}

#[tokio::test]
async fn a_round_s_answers_and_state_are_not_repeated_in_the_next() {
    let wire = Wire::results([
        input_required(&json!({ "a": yes_or_no() }), "s1"),
        json!({ "resultType": "input_required", "inputRequests": { "b": yes_or_no() } }),
        json!({ "resultType": "input_required", "requestState": "s3" }),
        done("done"),
    ]);
    tokio::time::pause();
    wire.accepting().call_tool("t", ()).await.unwrap();

    let sent = wire.sent();
    let keys = |value: &Value| value.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
    assert_eq!(keys(&sent[1].params()["inputResponses"]), Some(vec!["a".to_owned()]));
    assert_eq!(sent[1].params()["requestState"], "s1");
    assert_eq!(keys(&sent[2].params()["inputResponses"]), Some(vec!["b".to_owned()]));
    assert_eq!(sent[2].params().get("requestState"), None);
    assert_eq!(sent[3].params().get("inputResponses"), None);
    assert_eq!(sent[3].params()["requestState"], "s3");
}

#[tokio::test]
async fn prompts_and_resources_go_through_the_same_loop() {
    let messages = json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "hi" } }] });
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s"), messages]);
    let prompt = wire.accepting().get_prompt("trip", json!({ "city": "Paris" })).await.unwrap();
    assert_eq!(prompt.messages.len(), 1);
    let sent = wire.sent();
    assert_eq!(wire.methods(), ["prompts/get", "prompts/get"]);
    assert_eq!(sent[1].params()["arguments"], json!({ "city": "Paris" }));
    assert_eq!(sent[1].params()["requestState"], "s");

    let contents =
        json!({ "contents": [{ "uri": "notes://1", "text": "hi" }], "ttlMs": 0, "cacheScope": "private" });
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s"), contents]);
    let resource = wire.accepting().read_resource("notes://1").await.unwrap();
    assert_eq!(resource.contents.len(), 1);
    let sent = wire.sent();
    assert_eq!(wire.methods(), ["resources/read", "resources/read"]);
    assert_eq!(sent[1].params()["uri"], "notes://1");
    assert_eq!(sent[1].params().get("name"), None);
    assert_eq!(sent[1].outgoing.name.as_deref(), Some("notes://1"));
    assert_eq!(sent[1].params()["inputResponses"]["q"]["action"], "accept");
}

#[tokio::test]
async fn all_questions_of_a_round_are_answered_at_the_same_time() {
    let questions = json!({ "a": yes_or_no(), "b": yes_or_no(), "c": yes_or_no() });
    let wire = Wire::results([input_required(&questions, "s"), done("done")]);
    // Each answer waits for the other two: one after the other they would wait for ever.
    let meeting = Arc::new(Barrier::new(3));
    let client = Client::builder()
        .on_elicitation(move |_question| {
            let meeting = meeting.clone();
            async move {
                meeting.wait().await;
                ElicitResult::accept(json!({ "ok": true }))
            }
        })
        .connect_without_discover(wire.clone())
        .unwrap();
    client.call_tool("t", ()).await.unwrap();
    assert_eq!(wire.sent()[1].params()["inputResponses"].as_object().unwrap().len(), 3);
}

#[tokio::test]
async fn ten_rounds_are_allowed_and_the_error_for_the_eleventh_holds_it() {
    let wire = asks(10);
    wire.accepting().call_tool("t", ()).await.unwrap();
    assert_eq!(wire.sent().len(), 11);

    let wire = asks(11);
    let error = wire.accepting().call_tool("t", ()).await.unwrap_err();
    assert!(error.is_too_many_rounds(), "{error}");
    assert!(!error.is_rpc());
    assert_eq!(wire.sent().len(), 11);
    let last = error.last_round().unwrap();
    assert_eq!(last.request_state.as_deref(), Some("s11"));
    assert!(last.input_requests.as_ref().unwrap().contains_key("q11"));
    assert!(error.to_string().contains("more than 10 rounds"), "{error}");
    assert!(!format!("{error:?}").contains("s11"), "a state belongs into no log");
}

#[tokio::test]
async fn the_number_of_rounds_is_the_client_s_or_the_call_s() {
    let client = Client::builder()
        .on_elicitation(async |_question| ElicitResult::accept(json!({ "ok": true })))
        .input_required_max_rounds(1);
    let wire = asks(2);
    let client = client.connect_without_discover(wire.clone()).unwrap();
    assert!(client.call_tool("t", ()).await.unwrap_err().is_too_many_rounds());
    assert_eq!(wire.sent().len(), 2);

    let wire = asks(1);
    assert!(wire.accepting().call_tool("t", ()).max_rounds(0).await.unwrap_err().is_too_many_rounds());
    assert_eq!(wire.sent().len(), 1);

    let wire = asks(12);
    wire.accepting().call_tool("t", ()).max_rounds(12).await.unwrap();
}

#[tokio::test]
async fn parallel_calls_of_one_tool_share_nothing() {
    // The server puts the caller's argument into its state and asks for it; it answers with what came back.
    let wire = Wire::new(|_, sent| {
        let who = sent.params()["arguments"]["who"].as_str().unwrap();
        match sent.params().get("requestState") {
            None => result(sent, &input_required(&json!({ who: yes_or_no() }), &format!("state of {who}"))),
            Some(state) => {
                let keys: Vec<_> =
                    sent.params()["inputResponses"].as_object().unwrap().keys().cloned().collect();
                result(sent, &done(&format!("{who}: {}, {}", state.as_str().unwrap(), keys.join(" "))))
            }
        }
    });
    let client = wire.accepting();
    let calls =
        (0..20).map(|number| client.call_tool("t", json!({ "who": format!("n{number}") })).into_future());
    for (number, result) in futures_util::future::join_all(calls).await.into_iter().enumerate() {
        let text = json!(result.unwrap())["content"][0]["text"].clone();
        assert_eq!(text, format!("n{number}: state of n{number}, n{number}"));
    }
    let mut ids: Vec<_> = wire.sent().iter().map(|sent| sent.id().to_string()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 40, "no id is used twice");
}

#[tokio::test]
async fn each_round_is_shown_before_it_is_answered() {
    let wire = Wire::results([
        input_required(&json!({ "a": yes_or_no(), "b": yes_or_no() }), "four"),
        json!({ "resultType": "input_required", "requestState": "" }),
        done("done"),
    ]);
    tokio::time::pause();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let see = seen.clone();
    wire.accepting()
        .call_tool("t", ())
        .on_round(move |round| {
            let keys: Vec<_> = round.questions().map(|(key, _)| key.to_owned()).collect();
            assert!(!format!("{round:?}").contains("four"));
            see.lock().unwrap().push((round.number(), keys, round.state_len()));
        })
        .await
        .unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [(1, vec!["a".to_owned(), "b".to_owned()], Some(4)), (2, vec![], Some(0))]
    );
}

#[tokio::test]
async fn a_function_that_panics_at_a_round_fails_that_call_alone() {
    let wire = asks(1);
    let client = wire.accepting();
    let error = client.call_tool("t", ()).on_round(|_| panic!("oh no")).await.unwrap_err();
    assert!(error.is_panic(), "{error}");
    assert_eq!(wire.sent().len(), 1);
    client.call_tool("t", ()).await.unwrap();
}

#[tokio::test]
async fn only_three_methods_may_ask() {
    async fn check<T>(call: impl Future<Output = Result<T, Error>>, wire: &Wire) {
        let Err(error) = call.await else { panic!("{:?} went through", wire.methods()) };
        assert!(error.is_invalid_response(), "{error}");
        assert_eq!(wire.sent().len(), 1, "nothing further is sent");
    }

    let asking = || Wire::results([input_required(&json!({ "q": yes_or_no() }), "s")]);
    let wire = asking();
    check(wire.accepting().list_tools().into_future(), &wire).await;
    let wire = asking();
    check(wire.accepting().list_prompts().into_future(), &wire).await;
    let wire = asking();
    check(wire.accepting().list_resources().into_future(), &wire).await;
    let wire = asking();
    check(wire.accepting().list_resource_templates().all().into_future(), &wire).await;
    let wire = asking();
    check(wire.accepting().discover(), &wire).await;
    let wire = asking();
    let prompt = roundtrip_client::CompletionReference::prompt("p");
    check(wire.accepting().complete(prompt, "a", "").into_future(), &wire).await;
    let wire = asking();
    check(Client::builder().connect(wire.clone()), &wire).await;
}

#[test]
fn calls_can_be_spawned_and_clients_shared() {
    fn send<T: Send + 'static>(_: T) {}
    fn share<T: Send + Sync + 'static>() {}

    share::<Client>();
    share::<Error>();
    share::<roundtrip_client::PendingCall<roundtrip_client::CallToolResult>>();
    let client = asks(0).client();
    send(client.call_tool("t", ()).into_future());
    send(client.call_tool("t", ()).once());
    send(client.list_tools().all().into_future());
    let connecting = async move { Client::connect(asks(0)).await.map(drop) };
    send(connecting);
}
