//! A token opens only for what it was minted for.

use std::{sync::Arc, time::Duration};

use http::{Extensions, HeaderMap};
use roundtrip_server::{
    McpServer, Principal,
    exchange::{Exchange, Outbox},
    seal::RequestStateSecurity,
};
use serde_json::{Value, json};

use super::{STATE, frozen, keyed, mint, noon, present, present_to, server, targets, with};
use crate::support::{Count, Peer};

/// A server, and how many of its handlers ran.
fn stand() -> (McpServer, Count) {
    let runs = Count::default();
    (server("Test", keyed(), &runs), runs)
}

#[tokio::test]
async fn not_for_another_target() {
    let (server, runs) = stand();
    for (method, params, moved) in [
        ("tools/call", targets()[0].1.clone(), json!({ "name": "other", "arguments": { "n": "1" } })),
        ("tools/call", targets()[0].1.clone(), json!({ "name": "plain", "arguments": { "n": "1" } })),
        ("tools/call", targets()[0].1.clone(), json!({ "name": "nope", "arguments": { "n": "1" } })),
        ("prompts/get", targets()[1].1.clone(), json!({ "name": "plain", "arguments": { "n": "1" } })),
        ("prompts/get", targets()[1].1.clone(), json!({ "name": "nope", "arguments": { "n": "1" } })),
        ("resources/read", targets()[2].1.clone(), json!({ "uri": "x://2" })),
        ("resources/read", targets()[2].1.clone(), json!({ "uri": "x://%31" })),
        ("resources/read", targets()[2].1.clone(), json!({ "uri": "x://plain/fixed" })),
        ("resources/read", targets()[2].1.clone(), json!({ "uri": "y://nope" })),
    ] {
        let token = mint(&server, method, &params).await;
        let before = runs.get();
        assert_eq!(present(&server, method, &moved, &token).await, Err(frozen()), "{method} {moved}");
        assert_eq!(runs.get(), before, "{method} {moved}");
    }
}

#[tokio::test]
async fn not_for_another_method() {
    let (server, runs) = stand();
    for (from, params) in targets() {
        let token = mint(&server, from, &params).await;
        for (to, params) in targets() {
            let before = runs.get();
            let want = if from == to { Ok(STATE.to_owned()) } else { Err(frozen()) };
            assert_eq!(present(&server, to, &params, &token).await, want, "{from} to {to}");
            assert_eq!(runs.get() > before, from == to);
        }
    }
}

#[tokio::test]
async fn not_for_other_arguments() {
    let (server, runs) = stand();
    for (method, params) in &targets()[..2] {
        let token = mint(&server, method, params).await;
        let before = runs.get();
        for arguments in [json!({ "n": "2" }), json!({}), json!({ "n": "1", "m": "1" }), json!(null)] {
            let moved = with(params, "arguments", arguments.clone());
            assert_eq!(present(&server, method, &moved, &token).await, Err(frozen()), "{method} {arguments}");
        }
        assert_eq!(runs.get(), before);
    }
}

/// Sends a call of the tool `step` whose arguments are spelled just so.
async fn call(server: &McpServer, arguments: &str, state: Option<&str>) -> Value {
    let peer = Peer::new(server);
    let body = peer.request("tools/call", with(&json!({ "name": "step" }), "arguments", "ARGUMENTS"));
    let body = body.replace("\"ARGUMENTS\"", arguments);
    let body = match state {
        Some(state) => {
            body.replacen("\"params\":{", &format!("\"params\":{{\"requestState\":\"{state}\","), 1)
        }
        None => body,
    };
    let reply = peer.raw(body.as_bytes(), Outbox::bounded(1).0).await;
    serde_json::from_slice(&reply.body).unwrap()
}

#[tokio::test]
async fn arguments_are_the_same_however_they_are_spelled() {
    let (server, _) = stand();
    let deep = format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100));
    for (minted, presented, same) in [
        (r#"{"n":"1","m":2}"#, r#" { "m" : 2.0 , "n" : "\u0031" } "#, true),
        (r#"{"m":{"b":1,"a":[1,10]}}"#, r#"{"m":{"a":[1e0,1E1],"b":1.00}}"#, true),
        ("{}", "null", true),
        (r#"{"m":"é"}"#, r#"{"m":"\u00e9"}"#, true),
        (r#"{"m":9007199254740993}"#, r#"{"m":9007199254740993.0}"#, true),
        (r#"{"m":9007199254740993}"#, r#"{"m":9007199254740992}"#, false),
        (r#"{"m":123456789012345678901234567890}"#, r#"{"m":123456789012345678901234567891}"#, false),
        (r#"{"m":1}"#, r#"{"m":"1"}"#, false),
        (r#"{"m":[1,2]}"#, r#"{"m":[2,1]}"#, false),
        (r#"{"m":null}"#, "{}", false),
        (r#"{"m":0.1}"#, r#"{"m":0.10000000000000001}"#, false),
        (&deep, &deep, true),
    ] {
        let asked = call(&server, minted, None).await;
        let token = asked["result"]["requestState"].as_str().unwrap_or_else(|| panic!("{asked}"));
        let response = call(&server, presented, Some(token)).await;
        match same {
            true => assert_eq!(response["result"]["content"][0]["text"], STATE, "{minted} {presented}"),
            false => assert_eq!(response["error"], frozen(), "{minted} {presented}"),
        }
    }
}

#[tokio::test]
async fn absent_arguments_are_empty_ones() {
    let (server, _) = stand();
    let params = json!({ "name": "step" });
    let token = mint(&server, "tools/call", &params).await;
    for arguments in [json!({}), json!(null)] {
        let same = with(&params, "arguments", arguments);
        assert_eq!(present(&server, "tools/call", &same, &token).await, Ok(STATE.to_owned()));
    }
}

fn alice() -> Principal {
    Principal::new("app").with_issuer("https://as.example").with_subject("alice")
}

#[tokio::test]
async fn not_for_another_principal() {
    let (server, runs) = stand();
    let as_who = |principal: Option<Principal>| match principal {
        Some(principal) => Peer::with_exchange(&server, Exchange::local().with_extension(principal)),
        None => Peer::new(&server),
    };
    let others = [
        None,
        Some(alice().with_subject("bob")),
        Some(alice().with_issuer("https://other.example")),
        Some(Principal::new("app").with_issuer("https://as.example")),
        Some(Principal::new("other-app").with_issuer("https://as.example").with_subject("alice")),
    ];
    for (method, params) in targets() {
        for other in &others {
            for (from, to) in [(Some(alice()), other.clone()), (other.clone(), Some(alice()))] {
                let (from, to) = (as_who(from), as_who(to));
                let asked = from.result(method, params.clone()).await;
                let token = asked["requestState"].as_str().unwrap();
                let before = runs.get();
                assert_eq!(present_to(&to, method, &params, token).await, Err(frozen()));
                assert_eq!(runs.get(), before);
                assert_eq!(present_to(&from, method, &params, token).await, Ok(STATE.to_owned()));
            }
        }
    }
}

#[tokio::test]
async fn a_principal_may_be_told_by_a_function_of_ones_own() {
    let by_header = keyed()
        .bind_principal(|exchange| Some(exchange.headers()?.get("x-user")?.to_str().unwrap().to_owned()));
    let server = server("Test", by_header, &Count::default());
    let user = |name: &str| {
        let headers = HeaderMap::from_iter([("x-user".parse().unwrap(), name.parse().unwrap())]);
        let mut peer = Peer::new(&server);
        peer.exchange = Arc::new(Exchange::http(headers, Extensions::new()));
        peer
    };
    let (method, params) = &targets()[0];
    let asked = user("ada").result(method, params.clone()).await;
    let token = asked["requestState"].as_str().unwrap();
    assert_eq!(present_to(&user("ada"), method, params, token).await, Ok(STATE.to_owned()));
    assert_eq!(present_to(&user("bob"), method, params, token).await, Err(frozen()));
    assert_eq!(present_to(&Peer::new(&server), method, params, token).await, Err(frozen()));
}

#[tokio::test]
async fn who_cannot_be_told_is_refused() {
    let server = server("Test", keyed().bind_principal(|_| panic!("s3cret")), &Count::default());
    let (method, params) = &targets()[0];
    let error = Peer::new(&server).error(method, params.clone()).await;
    assert_eq!(error, json!({ "code": -32603, "message": "internal error" }));
    let token = mint(&super::server("Test", keyed(), &Count::default()), method, params).await;
    assert_eq!(present(&server, method, params, &token).await, Err(frozen()));
}

#[tokio::test]
async fn not_for_another_audience() {
    let count = Count::default();
    let here = server("Billing", keyed(), &count);
    for (other, opens) in [
        (server("Shipping", keyed(), &count), false),
        (server("billing", keyed(), &count), false),
        (server("Billing", keyed().audience("Shipping"), &count), false),
        (server("Billing", keyed(), &count), true),
        (server("Billing, replica 2", keyed().audience("Billing"), &count), true),
    ] {
        for (method, params) in targets() {
            let token = mint(&here, method, &params).await;
            let want = if opens { Ok(STATE.to_owned()) } else { Err(frozen()) };
            let before = count.get();
            assert_eq!(present(&other, method, &params, &token).await, want, "{other:?}");
            assert_eq!(count.get() > before, opens);
        }
    }
}

#[tokio::test]
async fn not_past_its_time() {
    let (runs, clock) = (Count::default(), noon());
    let server = server("Test", keyed().clock(clock.clone()), &runs);
    for (method, params) in targets() {
        let token = mint(&server, method, &params).await;
        clock.advance(Duration::from_millis(599_999));
        assert_eq!(present(&server, method, &params, &token).await, Ok(STATE.to_owned()), "{method}");
        let before = runs.get();
        clock.advance(Duration::from_millis(1));
        assert_eq!(present(&server, method, &params, &token).await, Err(frozen()), "{method}");
        assert_eq!(runs.get(), before);
    }
}

#[tokio::test]
async fn not_long_before_it_was_minted() {
    let (ahead, here) = (noon(), noon());
    let count = Count::default();
    let replica = server("Test", keyed().clock(ahead.clone()), &count);
    let server = server("Test", keyed().clock(here), &count);
    let (method, params) = &targets()[0];
    ahead.advance(Duration::from_secs(60));
    let token = mint(&replica, method, params).await;
    assert_eq!(
        present(&server, method, params, &token).await,
        Ok(STATE.to_owned()),
        "clocks differ a little"
    );
    ahead.advance(Duration::from_millis(1));
    let token = mint(&replica, method, params).await;
    assert_eq!(present(&server, method, params, &token).await, Err(frozen()));
}

#[tokio::test]
async fn a_default_server_opens_what_it_sealed_itself_and_nothing_else() {
    let count = Count::default();
    let new = || server("Test", RequestStateSecurity::default(), &count);
    let (here, after_a_restart) = (new(), new());
    for (method, params) in targets() {
        let token = mint(&here, method, &params).await;
        assert_eq!(present(&here.clone(), method, &params, &token).await, Ok(STATE.to_owned()));
        assert_eq!(present(&after_a_restart, method, &params, &token).await, Err(frozen()));
    }
}
