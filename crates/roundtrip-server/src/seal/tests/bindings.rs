//! A token opens only for what it was minted for.

use http::{Extensions, HeaderMap, HeaderValue};

use super::*;
use crate::principal::Principal;

const SECOND: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(1);

fn as_user(principal: Principal) -> Exchange {
    Exchange::local().with_extension(principal)
}

fn alice() -> Principal {
    Principal::new("app").with_issuer("https://as.example").with_subject("alice")
}

#[test]
fn it_opens_on_the_very_same_request() {
    let boundary = boundary(policy());
    assert_eq!(present(&boundary, &seal(&boundary)), opened());
}

#[test]
fn it_does_not_open_on_another_request() {
    let boundary = boundary(policy());
    let token = seal(&boundary);
    let arguments = br#"{"name":"orders"}"#;
    let moved = |method: &'static str, target: &'static str, arguments: &[u8]| {
        present_on(&boundary, &boundary.bind(method, target, arguments, &Exchange::local()), &token)
    };
    assert_eq!(moved("tools/call", "provision", arguments), opened());
    assert_eq!(moved("prompts/get", "provision", arguments), Err(Reason::MethodMismatch));
    assert_eq!(moved("resources/read", "provision", arguments), Err(Reason::MethodMismatch));
    for target in ["drop", "provisio", "Provision", "provision ", ""] {
        assert_eq!(moved("tools/call", target, arguments), Err(Reason::TargetMismatch));
    }
    for arguments in [&br#"{"name":"users"}"#[..], br#"{"name":"orders","x":1}"#, b"{}", b""] {
        assert_eq!(moved("tools/call", "provision", arguments), Err(Reason::ArgumentsMismatch));
    }
}

#[test]
fn names_and_addresses_are_bound_whatever_characters_they_hold() {
    let boundary = boundary(policy());
    for target in ["line\nfeed", "\"quoted\\\"", "\0", "file:///ä/{x}?a=1&b", "\u{1f600}", "x\",\"t\":\"y"] {
        let binding = boundary.bind("resources/read", target, b"{}", &Exchange::local());
        let token = boundary.seal(&binding, STATE).expect("a state to seal");
        assert_eq!(present_on(&boundary, &binding, &token), opened(), "{target:?}");
        let other = boundary.bind("resources/read", "y", b"{}", &Exchange::local());
        assert_eq!(present_on(&boundary, &other, &token), Err(Reason::TargetMismatch), "{target:?}");
    }
}

#[test]
fn its_time_ends_without_grace() {
    let clock = ManualClock::at(start());
    let boundary = boundary(timed(&clock));
    let token = seal(&boundary);
    clock.set(start() + 600 * SECOND - TICK);
    assert_eq!(present(&boundary, &token), opened());
    clock.set(start() + 600 * SECOND);
    assert_eq!(present(&boundary, &token), Err(Reason::Expired));
    clock.set(start() + 60 * 60 * SECOND);
    assert_eq!(present(&boundary, &token), Err(Reason::Expired));
}

#[test]
fn the_time_to_live_can_be_set_and_each_round_has_its_own() {
    let clock = ManualClock::at(start());
    let boundary = boundary(timed(&clock).ttl(5 * SECOND));
    let first = seal(&boundary);
    clock.advance(4 * SECOND);
    assert_eq!(present(&boundary, &first), opened());
    let second = seal(&boundary);
    clock.advance(4 * SECOND);
    assert_eq!(present(&boundary, &first), Err(Reason::Expired));
    assert_eq!(present(&boundary, &second), opened());
}

#[test]
fn another_clock_may_be_ahead_by_a_minute() {
    let clock = ManualClock::at(start());
    let boundary = boundary(timed(&clock));
    let token = seal(&boundary);
    clock.set(start() - 60 * SECOND);
    assert_eq!(present(&boundary, &token), opened());
    clock.set(start() - 60 * SECOND - TICK);
    assert_eq!(present(&boundary, &token), Err(Reason::MintedInFuture));
}

#[test]
fn a_clock_before_1970_or_at_the_end_of_time_harms_nobody() {
    let clock = ManualClock::at(SystemTime::UNIX_EPOCH - SECOND);
    let boundary = boundary(timed(&clock));
    let token = seal(&boundary);
    assert_eq!(present(&boundary, &token), opened());
    clock.set(start());
    assert_eq!(present(&boundary, &token), Err(Reason::Expired));
    let late = SystemTime::UNIX_EPOCH + Duration::from_secs(i64::MAX as u64);
    clock.set(late);
    assert_eq!(present(&boundary, &token), Err(Reason::Expired));
}

#[test]
fn another_service_does_not_open_it_though_it_has_the_key() {
    let named = |name| policy().into_boundary(Some(name)).expect("a valid policy");
    let token = seal(&named("billing"));
    assert_eq!(present(&named("billing"), &token), opened());
    assert_eq!(present(&named("shipping"), &token), Err(Reason::AudienceMismatch));
    assert_eq!(present(&named("Billing"), &token), Err(Reason::AudienceMismatch));
}

#[test]
fn an_audience_takes_the_place_of_the_name() {
    let as_billing = |name| policy().audience("billing").into_boundary(name).expect("a valid policy");
    let token = seal(&as_billing(Some("pod-1")));
    assert_eq!(present(&as_billing(Some("pod-2")), &token), opened());
    assert_eq!(present(&as_billing(None), &token), opened());
    assert_eq!(present(&boundary(policy()), &token), Err(Reason::AudienceMismatch));
}

#[test]
fn another_principal_does_not_open_it() {
    let boundary = boundary(policy());
    let token = boundary.seal(&call_by(&boundary, &as_user(alice())), STATE).expect("a state to seal");
    let by = |principal| present_on(&boundary, &call_by(&boundary, &as_user(principal)), &token);
    assert_eq!(by(alice()), opened());
    let strangers = [
        alice().with_subject("bob"),
        alice().with_issuer("https://other.example"),
        Principal::new("other").with_issuer("https://as.example").with_subject("alice"),
        Principal::new("app").with_issuer("https://as.example"),
        Principal::new("app").with_subject("alice"),
        Principal::new("app"),
    ];
    for stranger in strangers {
        let shown = stranger.to_string_unambiguous();
        assert_eq!(by(stranger), Err(Reason::PrincipalMismatch), "{shown}");
    }
}

#[test]
fn a_principal_can_neither_vanish_nor_appear() {
    let boundary = boundary(policy());
    let (nobody, somebody) = (call(&boundary), call_by(&boundary, &as_user(alice())));
    let anonymous = boundary.seal(&nobody, STATE).expect("a state to seal");
    let owned = boundary.seal(&somebody, STATE).expect("a state to seal");
    assert_eq!(present_on(&boundary, &nobody, &anonymous), opened());
    assert_eq!(present_on(&boundary, &somebody, &owned), opened());
    assert_eq!(present_on(&boundary, &somebody, &anonymous), Err(Reason::PrincipalDrift));
    assert_eq!(present_on(&boundary, &nobody, &owned), Err(Reason::PrincipalDrift));
}

#[test]
fn a_principal_may_come_from_elsewhere() {
    let policy = policy()
        .bind_principal(|exchange| Some(exchange.headers()?.get("x-user")?.to_str().ok()?.to_owned()));
    let boundary = boundary(policy);
    let by = |user: &'static str| {
        let headers =
            HeaderMap::from_iter([("x-user".parse().expect("a name"), HeaderValue::from_static(user))]);
        call_by(&boundary, &Exchange::http(headers, Extensions::new()))
    };
    let token = boundary.seal(&by("alice"), STATE).expect("a state to seal");
    assert_eq!(present_on(&boundary, &by("alice"), &token), opened());
    assert_eq!(present_on(&boundary, &by("bob"), &token), Err(Reason::PrincipalMismatch));
    // What the default would have looked at does not count any more.
    assert_eq!(
        present_on(&boundary, &call_by(&boundary, &as_user(alice())), &token),
        Err(Reason::PrincipalDrift)
    );
}

#[test]
fn a_principal_of_no_characters_is_somebody() {
    let known = boundary(policy().bind_principal(|_| Some(String::new())));
    let token = seal(&known);
    assert_eq!(present(&known, &token), opened());
    assert_eq!(present(&boundary(policy()), &token), Err(Reason::PrincipalDrift));
}

#[test]
fn nobody_is_bound_where_the_policy_says_so() {
    let boundary = boundary(policy().bind_principal(|_| None));
    let token = boundary.seal(&call_by(&boundary, &as_user(alice())), STATE).expect("a state to seal");
    assert_eq!(present(&boundary, &token), opened());
}

#[test]
fn the_first_check_that_fails_gives_the_reason() {
    let clock = ManualClock::at(start());
    let boundary = boundary(timed(&clock));
    let token = boundary.seal(&call_by(&boundary, &as_user(alice())), STATE).expect("a state to seal");
    let elsewhere = boundary.bind("prompts/get", "other", b"{}", &Exchange::local());
    assert_eq!(present_on(&boundary, &elsewhere, &token), Err(Reason::MethodMismatch));
    clock.advance(600 * SECOND);
    assert_eq!(present_on(&boundary, &elsewhere, &token), Err(Reason::Expired));
    assert_eq!(present_on(&boundary, &elsewhere, "rt1."), Err(Reason::Malformed));
}
