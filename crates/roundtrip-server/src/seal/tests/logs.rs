//! One line in the log for each failure, with the cause, and without what nobody may read there.

use serde_json::value::RawValue;

use super::{
    codecs::{Scripted, with},
    *,
};
use crate::{
    principal::Principal,
    seal::{Codec as _, CodecError, InvalidRequestState, Refusal},
};

const SECRETS: [&str; 5] = [STATE, "alice", "as.example", "0123456789abcdef", "orders"];

/// Asserts that there is one line of this level, for this reason, and that it gives nothing away.
fn assert_one_line(lines: &[Line], level: Level, reason: &str, token: &str) {
    let [line] = lines else { panic!("one line for {reason}, not {lines:?}") };
    assert_eq!((line.level, line.target.as_str()), (level, "roundtrip::request_state"));
    assert_eq!(line.reason.as_deref(), Some(reason));
    assert!(line.text.contains("method=\"tools/call\""), "{}", line.text);
    for secret in SECRETS.into_iter().chain((token.len() > 8).then_some(token)) {
        assert!(!line.text.contains(secret), "{reason}: {}", line.text);
    }
}

fn alice() -> Exchange {
    Exchange::local()
        .with_extension(Principal::new("app").with_issuer("https://as.example").with_subject("alice"))
}

/// A request that fails for each reason there is: the boundary, the request, the token.
fn failures() -> Vec<(Reason, Boundary, Binding<'static>, String)> {
    let clock = ManualClock::at(start());
    let main = boundary(timed(&clock));
    let later = boundary(timed(&ManualClock::at(start() + Duration::from_secs(600))));
    let sooner = boundary(timed(&ManualClock::at(start() - Duration::from_secs(61))));
    let small = boundary(timed(&clock).max_bytes(100));
    let shipping = boundary(timed(&clock).audience("shipping"));
    let other_key =
        boundary(RequestStateSecurity::keys([OTHER_KEY]).expect("a good key").clock(clock.clone()));
    let unclear = boundary(timed(&clock).bind_principal(|_| panic!("no session")));
    let failing = with(Scripted {
        seal: |_| Err(CodecError::new("away")),
        unseal: |_| Err(InvalidRequestState::codec_error("away")),
    });
    let token = main.seal(&call_by(&main, &alice()), STATE).expect("a state to seal");
    let by = |boundary: &Boundary| call_by(boundary, &alice());
    let on = |target, arguments: &[u8]| main.bind("tools/call", target, arguments, &alice());
    let bob = Exchange::local().with_extension(Principal::new("bob"));
    // A prompt's token on a tool, so that the line names the method that was called.
    let arguments = br#"{"name":"orders"}"#;
    let of_prompt = main.seal(&main.bind("prompts/get", "provision", arguments, &alice()), STATE);
    let flipped = format!("{}{}", &token[..60], &token[60..].replace('A', "B"));
    assert_ne!(flipped, token);
    vec![
        (Reason::TooLarge, small.clone(), by(&small), token.clone()),
        (Reason::Malformed, main.clone(), by(&main), format!("{token}=")),
        (Reason::UnknownKey, other_key.clone(), by(&other_key), token.clone()),
        (Reason::Tampered, main.clone(), by(&main), flipped),
        (Reason::CodecError, failing.clone(), by(&failing), token.clone()),
        (Reason::MintedInFuture, sooner.clone(), by(&sooner), token.clone()),
        (Reason::Expired, later.clone(), by(&later), token.clone()),
        (Reason::MethodMismatch, main.clone(), by(&main), of_prompt.expect("a state to seal")),
        (Reason::TargetMismatch, main.clone(), on("drop", arguments), token.clone()),
        (Reason::ArgumentsMismatch, main.clone(), on("provision", b"{}"), token.clone()),
        (Reason::AudienceMismatch, shipping.clone(), by(&shipping), token.clone()),
        (Reason::PrincipalDrift, main.clone(), call(&main), token.clone()),
        (Reason::PrincipalMismatch, main.clone(), call_by(&main, &bob), token.clone()),
        (Reason::PrincipalError, unclear.clone(), by(&unclear), token),
    ]
}

#[test]
fn each_refusal_is_one_warning_with_its_code() {
    for (reason, boundary, binding, token) in failures() {
        let (result, lines) = logged(|| boundary.open(&binding, &token));
        assert_eq!(result.map_err(|refusal| refusal.reason()), Err(reason));
        assert_one_line(&lines, Level::WARN, reason.as_str(), &token);
    }
}

#[test]
fn all_refusals_look_alike_to_the_client() {
    for (reason, boundary, binding, token) in failures() {
        let refusal = boundary.open(&binding, &token).expect_err("refused");
        assert_eq!(refusal.to_string(), "Invalid or expired requestState", "{reason}");
        assert_eq!(refusal.to_string(), Refusal::MESSAGE);
    }
}

#[test]
fn the_codes_stay_as_they_are() {
    let codes: Vec<&str> = failures().iter().map(|(reason, ..)| reason.as_str()).collect();
    assert_eq!(
        codes,
        [
            "too_large",
            "malformed",
            "unknown_key",
            "tampered",
            "codec_error",
            "minted_in_future",
            "expired",
            "method_mismatch",
            "target_mismatch",
            "arguments_mismatch",
            "audience_mismatch",
            "principal_drift",
            "principal_mismatch",
            "principal_error",
        ]
    );
    assert_eq!(Reason::NotAString.to_string(), "not_a_string");
}

#[test]
fn what_is_no_string_is_one_warning_too() {
    let boundary = boundary(policy());
    let raw = |json: &str| RawValue::from_string(json.to_owned()).expect("JSON");
    for json in ["7", "true", "{}", "[\"rt1.AAAA\"]", "1e999"] {
        let (result, lines) = logged(|| boundary.open_json(&call(&boundary), &raw(json)));
        assert_eq!(result.map_err(|refusal| refusal.reason()), Err(Reason::NotAString), "{json}");
        assert_one_line(&lines, Level::WARN, "not_a_string", json);
    }
    let (result, lines) = logged(|| boundary.open_json(&call(&boundary), &raw("\"rt1.AAAA\"")));
    assert_eq!(result.map_err(|refusal| refusal.reason()), Err(Reason::Malformed));
    assert_one_line(&lines, Level::WARN, "malformed", "rt1.AAAA");
}

#[test]
fn a_state_that_cannot_be_sealed_is_one_error() {
    let arguments = br#"{"name":"orders"}"#;
    let failing = with(Scripted { seal: |_| Err(CodecError::new("away")), unseal: |_| Ok(Vec::new()) });
    let panicking = with(Scripted { seal: |_| panic!("sealing"), unseal: |_| Ok(Vec::new()) });
    let small = boundary(policy().max_bytes(10));
    let unclear = boundary(policy().bind_principal(|_| panic!("no session")));
    for (boundary, reason) in [
        (failing, "codec_error"),
        (panicking, "codec_error"),
        (small, "too_large"),
        (unclear, "principal_error"),
    ] {
        let binding = boundary.bind("tools/call", "provision", arguments, &alice());
        let (result, lines) = logged(|| boundary.seal(&binding, STATE));
        let error = result.expect_err("not sealed");
        assert_eq!(error.reason().as_str(), reason);
        assert_one_line(&lines, Level::ERROR, reason, STATE);
        assert!(lines[0].text.contains(&error.to_string()), "{}", lines[0].text);
    }
}

#[test]
fn what_goes_well_is_not_logged() {
    let boundary = boundary(policy());
    let (result, lines) = logged(|| {
        let binding = call_by(&boundary, &alice());
        let token = boundary.seal(&binding, STATE).expect("a state to seal");
        boundary.open(&binding, &token)
    });
    assert_eq!(result.ok().as_deref(), Some(STATE));
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn a_key_of_this_process_is_named_as_the_likely_cause() {
    let token = seal(&boundary(policy()));
    let hinted = |policy: RequestStateSecurity| {
        let boundary = boundary(policy);
        let (_, lines) = logged(|| boundary.open(&call(&boundary), &token));
        assert_one_line(&lines, Level::WARN, "unknown_key", &token);
        lines[0].text.contains("RequestStateSecurity::keys")
    };
    assert!(hinted(RequestStateSecurity::ephemeral()));
    assert!(!hinted(RequestStateSecurity::keys([OTHER_KEY]).expect("a good key")));
}

#[test]
fn the_cause_that_a_codec_gives_is_logged() {
    let boundary = with(Scripted {
        seal: |payload| codecs::Plain.seal(payload),
        unseal: |_| Err(InvalidRequestState::tampered().because("the hex is upper case")),
    });
    let (_, lines) = logged(|| boundary.open(&call(&boundary), "token"));
    assert_one_line(&lines, Level::WARN, "tampered", "token");
    assert!(lines[0].text.contains("the hex is upper case"), "{}", lines[0].text);
}
