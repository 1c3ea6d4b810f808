//! A codec of somebody else's: the claims hold all the same, and its failures close the door.

use super::*;
use crate::seal::{Codec, CodecError, InvalidRequestState, SealError};

/// No cryptography at all: the token is the payload. What it refuses, it refuses for the claims.
pub(super) struct Plain;

impl Codec for Plain {
    fn seal(&self, payload: &[u8]) -> Result<String, CodecError> {
        String::from_utf8(payload.to_vec()).map_err(|_| CodecError::new("not text"))
    }

    fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
        Ok(token.as_bytes().to_vec())
    }
}

/// Does what it was made to do.
pub(super) struct Scripted {
    pub(super) seal: fn(&[u8]) -> Result<String, CodecError>,
    pub(super) unseal: fn(&str) -> Result<Vec<u8>, InvalidRequestState>,
}

impl Codec for Scripted {
    fn seal(&self, payload: &[u8]) -> Result<String, CodecError> {
        (self.seal)(payload)
    }

    fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
        (self.unseal)(token)
    }
}

pub(super) fn with(codec: impl Codec) -> Boundary {
    boundary(RequestStateSecurity::codec(codec).clock(ManualClock::at(start())).random(SeededRandom::new(7)))
}

/// A boundary whose codec gives this payload for every token.
fn giving(unseal: fn(&str) -> Result<Vec<u8>, InvalidRequestState>) -> Boundary {
    with(Scripted { seal: |_| Err(CodecError::new("never asked")), unseal })
}

#[test]
fn the_envelope_is_one_line_of_claims_and_the_state() {
    let boundary = with(Plain);
    assert_eq!(
        seal(&boundary),
        "{\"v\":1,\"iat\":1782345600000,\"exp\":1782346200000,\"m\":\"tools/call\",\"t\":\"provision\",\
         \"a\":\"cpW1mcFtGeM0ZPdUOr4a0N89aQ1qyod4j07Bx4brH4I\",\"aud\":\"Provisioner\"}\nthe plaintext of the state"
    );
}

#[test]
fn the_claims_hold_whatever_the_codec() {
    let boundary = with(Plain);
    let token = seal(&boundary);
    assert_eq!(present(&boundary, &token), opened());
    let moved = boundary.bind("tools/call", "drop", br#"{"name":"orders"}"#, &Exchange::local());
    assert_eq!(present_on(&boundary, &moved, &token), Err(Reason::TargetMismatch));
}

#[test]
fn a_principal_is_in_the_payload_as_a_salted_hash() {
    let by = |name: &'static str, salt, clock: &ManualClock| {
        let policy = RequestStateSecurity::codec(Plain).clock(clock.clone()).random(SeededRandom::new(salt));
        let token = seal(&boundary(policy.bind_principal(move |_| Some(name.to_owned()))));
        assert!(!token.contains(name));
        let (_, claim) = token.split_once("\"p\":\"").expect("a claim");
        // The salt is 8 of the 24 bytes, and the eleventh character belongs to both.
        (claim[..10].to_owned(), claim[11..32].to_owned())
    };
    let (clock, later) = (ManualClock::at(start()), ManualClock::at(start() + Duration::from_millis(1)));
    let (salt, hash) = by("alice", 1, &clock);
    let differs = |other: (String, String)| (other.0 != salt, other.1 != hash);
    assert_eq!(differs(by("alice", 1, &clock)), (false, false));
    assert_eq!(differs(by("bob", 1, &clock)), (false, true));
    assert_eq!(differs(by("alice", 1, &later)), (false, true), "tokens of one principal look unrelated");
    assert_eq!(differs(by("alice", 2, &clock)), (true, true), "another process has another salt");
}

#[test]
fn a_forged_principal_claim_opens_for_nobody() {
    let boundary = boundary(
        RequestStateSecurity::codec(Plain)
            .clock(ManualClock::at(start()))
            .bind_principal(|_| Some("alice".into())),
    );
    let token = seal(&boundary);
    let (head, claim) = token.split_once("\"p\":\"").expect("a claim");
    let (claim, tail) = claim.split_at(32);
    assert_eq!(present(&boundary, &token), opened());
    // No claim, no hash, a hash of one byte, a longer one, no base64.
    for forged in
        ["", &claim[..11], &claim[..12], &claim[..31], &format!("{claim}AAAA"), "*".repeat(32).as_str()]
    {
        let token = format!("{head}\"p\":\"{forged}{tail}");
        assert_eq!(present(&boundary, &token), Err(Reason::PrincipalMismatch), "{forged}");
    }
}

#[test]
fn a_payload_that_is_no_envelope_is_malformed() {
    let boundary = with(Plain);
    let good = seal(&boundary);
    let (claims, state) = good.split_once('\n').expect("two parts");
    let broken = [
        String::new(),
        "\n".to_owned(),
        claims.to_owned(),
        format!("{state}\n"),
        format!("{claims}{state}"),
        format!("[{claims}]\n{state}"),
        format!("{claims}{claims}\n{state}"),
        good.replace("\"v\":1", "\"v\":2"),
        good.replace("\"v\":1", "\"v\":\"1\""),
        good.replace("\"v\":1,", ""),
        good.replace("\"v\":1", "\"v\":1,\"v\":1"),
        good.replace("\"v\":1", "\"v\":1,\"jti\":\"new\""),
        good.replace("1782346200000", "1e400"),
        good.replace("1782346200000", "-1"),
        good.replace("1782346200000", "null"),
        good.replace("1782346200000", "18446744073709551616"),
        good.replace("\"tools/call\"", "7"),
        good.replace("\"Provisioner\"", "{}"),
    ];
    for token in broken {
        assert_eq!(present(&boundary, &token), Err(Reason::Malformed), "{token}");
    }
    let without_audience = good.replace(",\"aud\":\"Provisioner\"", "");
    assert_eq!(present(&boundary, &without_audience), Err(Reason::AudienceMismatch));
    let unending = good.replace("1782346200000", "18446744073709551615");
    assert_eq!(present(&boundary, &unending), opened());
}

#[test]
fn a_state_that_is_not_text_is_malformed() {
    let boundary = giving(|token| {
        let mut payload = token.as_bytes().to_vec();
        payload.push(0xff);
        Ok(payload)
    });
    assert_eq!(present(&boundary, &seal(&with(Plain))), Err(Reason::Malformed));
}

#[test]
fn a_codec_that_panics_fails_that_call_alone() {
    let boundary = with(Scripted {
        seal: |payload| if payload.ends_with(b"boom") { panic!("sealing") } else { Plain.seal(payload) },
        unseal: |token| if token == "boom" { panic!("unsealing") } else { Plain.unseal(token) },
    });
    assert_eq!(boundary.seal(&call(&boundary), "boom"), Err(SealError::Codec("the codec panicked")));
    assert_eq!(present(&boundary, "boom"), Err(Reason::CodecError));
    assert_eq!(present(&boundary, &seal(&boundary)), opened());
}

#[test]
fn a_codec_that_errs_opens_nothing() {
    let boundary = with(Scripted {
        seal: |_| Err(CodecError::new("the key service is away")),
        unseal: |token| match token {
            "form" => Err(InvalidRequestState::malformed()),
            "key" => Err(InvalidRequestState::unknown_key()),
            "tag" => Err(InvalidRequestState::tampered().because("the tag is wrong")),
            _ => Err(CodecError::new("the key service is away").into()),
        },
    });
    let failed = boundary.seal(&call(&boundary), STATE);
    assert_eq!(failed, Err(SealError::Codec("the key service is away")));
    let reasons =
        ["form", "key", "tag", "other"].map(|token| present(&boundary, token).expect_err("refused"));
    assert_eq!(reasons, [Reason::Malformed, Reason::UnknownKey, Reason::Tampered, Reason::CodecError]);
}

#[test]
fn a_principal_that_cannot_be_told_fails_both_ways() {
    let sound = boundary(policy());
    let unsound = boundary(policy().bind_principal(|_| panic!("no session")));
    assert_eq!(unsound.seal(&call(&unsound), STATE), Err(SealError::Principal));
    assert_eq!(present(&unsound, &seal(&sound)), Err(Reason::PrincipalError));
}

#[test]
fn a_codec_that_makes_long_tokens_meets_the_limit() {
    let boundary = boundary(
        RequestStateSecurity::codec(Scripted { seal: |_| Ok("x".repeat(101)), unseal: |_| Ok(Vec::new()) })
            .max_bytes(100),
    );
    assert_eq!(boundary.seal(&call(&boundary), STATE), Err(SealError::TooLarge { bytes: 101, limit: 100 }));
}
