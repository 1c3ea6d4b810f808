//! What was not minted here is refused, before anything of the user's runs, and always in the same words.

use roundtrip_server::{
    McpServer, Principal, Resolution, Resolve, Resolved, State, ToolError, exchange::Exchange,
};
use serde_json::{Value, json};
use tracing::Level;

use super::{STATE, frozen, keyed, mint, present, server, targets, with};
use crate::{
    logs::Log,
    support::{Count, Peer},
};

/// Whatever may come in place of a token, given one.
fn forgeries(token: &str) -> Vec<Value> {
    let mut forgeries = vec![
        json!(""),
        json!("x"),
        json!(STATE),
        json!("rt1."),
        json!("null"),
        json!(format!("{token}=")),
        json!(format!("{token}\n")),
        json!(format!(" {token}")),
        json!(format!("{token}A")),
        json!(format!("{token}{token}")),
        json!(token.to_uppercase()),
        json!(token.replacen("rt1", "RT1", 1)),
        json!(token.replacen("rt1", "rt2", 1)),
        json!(token.strip_prefix("rt1.")),
        json!(token.replace('_', "/").replace('-', "+") + "="),
        json!(&token[..token.len() - 1]),
        json!("\u{0}"),
        json!("é".repeat(100)),
        json!(42),
        json!(1.5),
        json!(true),
        json!(false),
        json!({}),
        json!({ "token": token }),
        json!([]),
        json!([token]),
    ];
    // One character after the other, some way into each part of the token.
    for place in (4..token.len()).step_by(11) {
        let mut letters = token.as_bytes().to_vec();
        letters[place] = if letters[place] == b'A' { b'B' } else { b'A' };
        forgeries.push(json!(String::from_utf8(letters).unwrap()));
    }
    forgeries
}

#[tokio::test]
async fn what_was_not_minted_is_refused_everywhere() {
    let runs = Count::default();
    let server = server("Test", keyed(), &runs);
    let peer = Peer::new(&server);
    let mut places = targets().to_vec();
    places.extend([
        ("tools/call", json!({ "name": "plain" })),
        ("tools/call", json!({ "name": "nope" })),
        ("prompts/get", json!({ "name": "plain" })),
        ("prompts/get", json!({ "name": "nope" })),
        ("resources/read", json!({ "uri": "x://plain/fixed" })),
        ("resources/read", json!({ "uri": "nowhere" })),
    ]);
    let token = mint(&server, "tools/call", &targets()[0].1).await;
    let before = runs.get();
    for (method, params) in &places {
        for forgery in forgeries(&token) {
            let (status, error) = peer.refused(method, with(params, "requestState", forgery.clone())).await;
            assert_eq!((status, error), (200, frozen()), "{method} {params} {forgery}");
        }
    }
    assert_eq!(runs.get(), before);
}

#[tokio::test]
async fn null_is_no_state() {
    let server = server("Test", keyed(), &Count::default());
    let peer = Peer::new(&server);
    for (method, params) in targets() {
        let asked = peer.result(method, with(&params, "requestState", Value::Null)).await;
        assert_eq!(asked["resultType"], "input_required", "{method}");
    }
    let plain = json!({ "name": "plain", "requestState": null });
    assert_eq!(peer.result("tools/call", plain).await["resultType"], "complete");
}

#[tokio::test]
async fn a_state_is_judged_before_arguments_answers_and_capabilities() {
    let server = server("Test", keyed(), &Count::default());
    let silent = Peer::with_capabilities(&server, json!({}));
    for params in [
        json!({ "name": "step", "arguments": { "n": 7 }, "requestState": "x" }),
        json!({ "name": "step", "arguments": {}, "requestState": "x", "inputResponses": [] }),
        json!({ "name": "step", "requestState": "x", "inputResponses": { "a": 1 } }),
    ] {
        assert_eq!(silent.error("tools/call", params).await, frozen());
    }
    // A prompt's missing argument is not told of either.
    let params = json!({ "name": "step", "arguments": { "n": 7 }, "requestState": "x" });
    assert_eq!(silent.error("prompts/get", params).await, frozen());
}

struct Ran;

impl Resolve for Ran {
    type Needs = State<Count>;

    async fn resolve(runs: State<Count>) -> Result<Resolution<Self>, ToolError> {
        runs.up();
        Ok(Self.into())
    }
}

#[tokio::test]
async fn no_resolver_runs_for_a_refused_state() {
    let runs = Count::default();
    let server = McpServer::builder("Test")
        .state(runs.clone())
        .tool("ask", async |_: Resolved<Ran>| "done")
        .build()
        .unwrap();
    let params = json!({ "name": "ask", "requestState": "rt1.AAAA" });
    assert_eq!(Peer::new(&server).error("tools/call", params).await, frozen());
    assert_eq!(runs.get(), 0);
}

#[tokio::test]
async fn each_refusal_is_one_line_of_the_log_with_a_reason() {
    let server = server("Test", keyed(), &Count::default());
    let (method, params) = &targets()[0];
    let token = mint(&server, method, params).await;
    let mut forged = token.clone();
    forged.replace_range(60..61, if &token[60..61] == "A" { "B" } else { "A" });
    let moved = json!({ "name": "other", "arguments": { "n": "1" } });
    for (params, state, reason) in [
        (params, json!("x"), "malformed"),
        (params, json!(42), "not_a_string"),
        (params, json!(forged), "tampered"),
        (&moved, json!(token), "target_mismatch"),
        (&with(params, "arguments", json!({ "n": "2" })), json!(token), "arguments_mismatch"),
    ] {
        let log = Log::capture();
        Peer::new(&server).error(method, with(params, "requestState", state)).await;
        let lines = log.lines();
        let [line] = &lines[..] else { panic!("not one line: {lines:?}") };
        assert_eq!((line.level, line.target.as_str()), (Level::WARN, "roundtrip::request_state"), "{line:?}");
        assert!(line.text.contains(&format!("reason={reason:?}")), "{line:?}");
        assert!(line.text.contains("method=\"tools/call\""), "{line:?}");
    }
}

#[tokio::test]
async fn the_log_holds_no_state_no_token_and_no_principal() {
    let log = Log::capture();
    let server = server("Test", keyed(), &Count::default());
    let alice = Principal::new("the-app").with_issuer("https://as.example").with_subject("alice");
    let peer = Peer::with_exchange(&server, Exchange::local().with_extension(alice));
    let mut tokens = Vec::new();
    for (method, params) in targets() {
        let asked = peer.result(method, params.clone()).await;
        let token = asked["requestState"].as_str().unwrap().to_owned();
        for forgery in forgeries(&token) {
            peer.error(method, with(&params, "requestState", forgery)).await;
        }
        // Drift, as well as what opens.
        assert_eq!(present(&server, method, &params, &token).await, Err(frozen()));
        peer.result(method, with(&params, "requestState", token.clone())).await;
        tokens.push(token);
    }
    let lines = log.lines();
    assert!(lines.len() > 100);
    for line in lines {
        for token in &tokens {
            // Any piece of it would do harm enough.
            assert!(
                !line.text.contains(&token[4..20]) && !line.text.contains(&token[token.len() - 16..]),
                "{line:?}"
            );
        }
        for hidden in ["s3cret", "plain", "alice", "the-app", "as.example"] {
            assert!(!line.text.contains(hidden), "{line:?}");
        }
    }
}

#[tokio::test]
async fn a_key_of_the_process_is_hinted_at_where_it_may_be_the_cause() {
    let new = || McpServer::builder("Test").tool("step", async || "done").build().unwrap();
    let minting = server("Test", Default::default(), &Count::default());
    let (method, params) = &targets()[0];
    let token = mint(&minting, method, params).await;
    let log = Log::capture();
    assert_eq!(present(&new(), method, params, &token).await, Err(frozen()));
    let lines = log.lines();
    assert!(
        lines[0].text.contains("unknown_key") && lines[0].text.contains("RequestStateSecurity::keys"),
        "{lines:?}"
    );
}
