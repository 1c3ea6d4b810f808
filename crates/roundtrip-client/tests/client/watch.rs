//! Progress and log messages of a call.

use std::sync::{Arc, Mutex};

use roundtrip_client::{Client, ElicitResult};
use roundtrip_types::LoggingLevel;
use serde_json::{Value, json};

use crate::wire::{Step, Wire, done, input_required, notification, result, yes_or_no};

fn progress(token: &Value, progress: f64) -> Step {
    notification("notifications/progress", &json!({ "progressToken": token, "progress": progress }))
}

#[tokio::test]
async fn each_leg_has_a_token_of_its_own_and_one_function_sees_all() {
    let wire = Wire::new(|number, sent| {
        let token = &sent.meta()["progressToken"];
        let answer = match number {
            0 => input_required(&json!({ "q": yes_or_no() }), "s"),
            _ => done("done"),
        };
        result(sent, &answer).after([progress(token, 1.0), progress(token, 2.5)])
    });
    let seen = Arc::new(Mutex::new(Vec::new()));
    let see = seen.clone();
    Client::builder()
        .on_elicitation(async |_| ElicitResult::accept(json!({ "ok": true })))
        .connect_without_discover(wire.clone())
        .unwrap()
        .call_tool("t", ())
        .on_progress(move |progress| see.lock().unwrap().push(progress.progress))
        .await
        .unwrap();
    assert_eq!(*seen.lock().unwrap(), [1.0, 2.5, 1.0, 2.5]);
    let sent = wire.sent();
    assert!(sent[0].meta()["progressToken"].is_i64());
    assert_ne!(sent[0].meta()["progressToken"], sent[1].meta()["progressToken"]);
}

#[tokio::test]
async fn progress_that_is_not_this_call_s_or_does_not_grow_is_ignored() {
    let wire = Wire::new(|_, sent| {
        // The second call asks for no progress and gets some all the same.
        let token = &json!(sent.meta()["progressToken"].as_i64().unwrap_or(7));
        let after = progress(token, 9.0);
        let mut reply = result(sent, &done("done")).after([
            progress(&json!(token.to_string()), 1.0),
            progress(&json!(token.as_i64().unwrap() + 1), 1.0),
            progress(&json!("invented"), 1.0),
            progress(token, 3.0),
            progress(token, 3.0),
            progress(token, 2.0),
            notification("notifications/progress", &json!({ "progress": 5 })),
            notification("notifications/progress", &json!({ "progressToken": token, "progress": "x" })),
            notification("notifications/unknown", &json!({})),
            notification("notifications/tools/list_changed", &json!({})),
            progress(token, 4.0),
        ]);
        reply.steps.push_back(after);
        reply
    });
    let seen = Arc::new(Mutex::new(Vec::new()));
    let see = seen.clone();
    let client = wire.client();
    let call =
        client.call_tool("t", ()).on_progress(move |progress| see.lock().unwrap().push(progress.progress));
    call.await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [3.0, 4.0]);
    client.call_tool("t", ()).await.unwrap();
    assert_eq!(wire.sent()[1].meta().get("progressToken"), None);
}

#[tokio::test]
async fn no_token_is_sent_when_nobody_looks() {
    let wire = Wire::results([done("done")]);
    wire.client().call_tool("t", ()).await.unwrap();
    assert_eq!(wire.sent()[0].meta().get("progressToken"), None);
}

#[tokio::test]
async fn log_messages_are_shown_and_their_level_is_asked_for() {
    let wire = Wire::new(|_, sent| {
        result(sent, &done("done")).after([
            notification(
                "notifications/message",
                &json!({ "level": "warning", "logger": "db", "data": [1, null] }),
            ),
            notification("notifications/message", &json!({ "level": "novel", "data": "x" })),
            notification("notifications/message", &json!({ "data": "no level" })),
        ])
    });
    let seen = Arc::new(Mutex::new(Vec::new()));
    let see = seen.clone();
    let client = wire.client();
    client
        .call_tool("t", ())
        .on_log(move |message| see.lock().unwrap().push((message.level, message.data.get().to_owned())))
        .await
        .unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [(LoggingLevel::Warning, "[1,null]".to_owned()), (LoggingLevel::from("novel"), "\"x\"".to_owned())]
    );
    client.call_tool("t", ()).on_log(drop).log_level(LoggingLevel::Error).await.unwrap();
    client.call_tool("t", ()).log_level(LoggingLevel::Debug).on_log(drop).await.unwrap();
    client.call_tool("t", ()).await.unwrap();
    let levels: Vec<_> =
        wire.sent().iter().map(|sent| sent.meta()["io.modelcontextprotocol/logLevel"].clone()).collect();
    assert_eq!(levels, [json!("info"), json!("error"), json!("debug"), Value::Null]);
}

#[tokio::test]
async fn a_function_that_panics_fails_its_call_alone() {
    let wire = Wire::new(|_, sent| {
        let token = &sent.meta()["progressToken"];
        let log = notification("notifications/message", &json!({ "level": "info", "data": 1 }));
        result(sent, &done("done")).after([progress(token, 1.0), log])
    });
    let client = wire.client();
    let error = client.call_tool("t", ()).on_progress(|_| panic!("oh no")).await.unwrap_err();
    assert!(error.is_panic(), "{error}");
    assert!(error.to_string().contains("`on_progress`"), "{error}");
    assert_eq!(wire.cancelled(), 1);
    let error = client.call_tool("t", ()).on_log(|_| panic!("oh no")).await.unwrap_err();
    assert!(error.to_string().contains("`on_log`"), "{error}");
    client.call_tool("t", ()).await.unwrap();
}

#[tokio::test]
async fn members_of_meta_can_be_added_to_every_leg() {
    tokio::time::pause();
    let wire = Wire::results([json!({ "resultType": "input_required", "requestState": "s" }), done("done")]);
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let call = wire.client().call_tool("t", ()).meta("traceparent", trace).meta("com.example/n", 1.5);
    call.await.unwrap();
    for sent in wire.sent() {
        assert_eq!(sent.meta()["traceparent"], trace);
        assert_eq!(sent.meta()["com.example/n"], 1.5);
        assert_eq!(sent.meta()["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    }
}
