//! What a policy accepts, refuses and defaults to.

use std::time::Duration;

use super::*;
use crate::{
    clock::{Random, RandomError},
    seal::{Key, KeyError, KeyRing, SecurityError},
};

#[derive(Debug)]
struct Dry;

impl Random for Dry {
    fn fill(&self, _: &mut [u8]) -> Result<(), RandomError> {
        Err(RandomError::new("the well is dry"))
    }
}

/// Which errors the policy has, by their variants' names.
fn errors(policy: RequestStateSecurity, server_name: Option<&str>) -> Vec<String> {
    let errors = policy.into_boundary(server_name).map_or_else(|errors| errors, |_| Vec::new());
    errors.iter().map(|error| format!("{error:?}").split('(').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_default_seals_under_a_key_of_its_own() {
    let [one, other] = [RequestStateSecurity::default(), RequestStateSecurity::ephemeral()].map(boundary);
    let token = seal(&one);
    assert!(!token.contains(STATE));
    assert_eq!(present(&one, &token), opened());
    assert_eq!(present(&other, &token), Err(Reason::UnknownKey));
}

#[test]
fn two_servers_of_one_ephemeral_policy_share_no_key() {
    let policy = RequestStateSecurity::ephemeral();
    let (one, other) = (boundary(policy.clone()), boundary(policy));
    assert_eq!(present(&other, &seal(&one)), Err(Reason::UnknownKey));
}

#[test]
fn a_clone_of_a_boundary_is_the_same_boundary() {
    let one = boundary(RequestStateSecurity::ephemeral());
    assert_eq!(present(&one.clone(), &seal(&one)), opened());
}

#[test]
fn keys_come_as_whatever_holds_bytes() {
    let text = "0123456789abcdef0123456789abcdef";
    let forms: [Key; 8] = [
        KEY.to_vec().into(),
        (&KEY.to_vec()).into(),
        KEY.as_slice().into(),
        (*KEY).into(),
        KEY.into(),
        text.into(),
        text.to_owned().into(),
        (&text.to_owned()).into(),
    ];
    let token = seal(&boundary(policy()));
    for form in forms {
        let clock = ManualClock::at(start());
        let same = boundary(RequestStateSecurity::keys([form]).expect("a good key").clock(clock));
        assert_eq!(present(&same, &token), opened());
    }
}

#[test]
fn a_key_needs_thirty_two_bytes() {
    let short = KeyRing::new([vec![1; 32], vec![2; 31]]).expect_err("31 bytes are too few");
    assert_eq!(short, KeyError::TooShort { index: 1, bytes: 31 });
    assert_eq!(
        short.to_string(),
        "keys[1] has 31 bytes and needs at least 32: make one with `openssl rand -hex 32`"
    );
    assert!(KeyRing::new([[2; 32]]).is_ok());
    assert!(KeyRing::new([vec![2; 4096]]).is_ok());
    // Characters may be longer than bytes, and bytes are what counts.
    assert!(KeyRing::new(["é".repeat(16)]).is_ok());
    assert!(RequestStateSecurity::keys([""]).is_err());
}

#[test]
fn there_must_be_a_key() {
    let none = KeyRing::new(Vec::<Key>::new()).expect_err("no key");
    assert_eq!(none, KeyError::Empty);
    assert!(none.to_string().contains("openssl rand -hex 32"), "{none}");
}

#[test]
fn twins_are_refused_by_their_places() {
    let twin = KeyRing::new([KEY, OTHER_KEY, KEY]).expect_err("the third repeats the first");
    assert_eq!(twin, KeyError::Twin { index: 2, earlier: 0 });
    assert!(twin.to_string().starts_with("keys[2] is the same as keys[0]"), "{twin}");
}

#[test]
fn a_time_to_live_is_positive_and_finite() {
    let with = |ttl| errors(policy().ttl(ttl), Some("Provisioner"));
    assert_eq!(with(Duration::ZERO), ["TtlTooShort"]);
    assert_eq!(with(Duration::from_micros(999)), ["TtlTooShort"]);
    assert!(with(Duration::from_millis(1)).is_empty());
    let hundred_years = Duration::from_secs(100 * 365 * 24 * 60 * 60);
    assert!(with(hundred_years).is_empty());
    assert_eq!(with(hundred_years + Duration::from_nanos(1)), ["TtlTooLong"]);
    assert_eq!(with(Duration::MAX), ["TtlTooLong"]);
}

#[test]
fn an_explicit_policy_needs_a_name_or_an_audience() {
    let explicit = || [policy(), RequestStateSecurity::codec(Arc::new(codecs::Plain))];
    for nameless in [None, Some("")] {
        for policy in explicit() {
            assert_eq!(errors(policy, nameless), ["NoAudience"]);
        }
        for policy in explicit() {
            assert!(errors(policy.audience("billing"), nameless).is_empty());
        }
        assert!(errors(RequestStateSecurity::ephemeral(), nameless).is_empty());
    }
    for policy in explicit() {
        assert!(errors(policy, Some("Provisioner")).is_empty());
    }
}

#[test]
fn an_ephemeral_policy_without_a_name_works() {
    let nameless = RequestStateSecurity::ephemeral().into_boundary(None).expect("no name is needed");
    assert_eq!(present(&nameless, &seal(&nameless)), opened());
}

#[test]
fn everything_wrong_is_said_at_once() {
    let wrong = policy().ttl(Duration::ZERO).max_bytes(0).audience("").random(Dry);
    assert_eq!(errors(wrong, None), ["TtlTooShort", "MaxBytesIsZero", "EmptyAudience", "Random"]);
}

#[test]
fn without_randomness_nothing_is_built() {
    let built = RequestStateSecurity::ephemeral().random(Dry).into_boundary(Some("Provisioner"));
    let errors = built.expect_err("no key without randomness");
    assert!(matches!(errors[..], [SecurityError::Random(_)]), "{errors:?}");
    let cause = std::error::Error::source(&errors[0]).map(ToString::to_string);
    assert_eq!(cause.as_deref(), Some("the source of randomness failed"));
}

#[test]
fn every_error_says_what_to_do() {
    let wrong =
        policy().ttl(Duration::ZERO).max_bytes(0).into_boundary(None).expect_err("three things are wrong");
    let texts: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 3);
    for text in &texts {
        assert!(text.contains(": "), "{text}");
        assert!(text.starts_with(char::is_lowercase) && !text.ends_with('.'), "{text}");
    }
}
