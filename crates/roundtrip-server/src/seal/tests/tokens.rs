//! Only the exact string that was minted opens.

use std::collections::HashSet;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{AeadInOut as _, KeyInit as _, XChaCha20Poly1305, XNonce};
use proptest::prelude::*;
use serde_json::value::RawValue;

use super::*;
use crate::{
    clock::Random as _,
    seal::{Codec as _, KeyRing, SealError, xchacha::XChaCha},
};

const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Numbers for choosing mutations, the same on every run.
struct Dice(SeededRandom);

impl Dice {
    fn below(&self, limit: usize) -> usize {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes).expect("a seeded source never fails");
        u32::from_le_bytes(bytes) as usize % limit
    }

    fn char(&self) -> char {
        match self.below(8) {
            0 => *['=', '+', '/', ' ', '\n', '\0', '.', '"', 'é', '\u{feff}']
                .get(self.below(10))
                .expect("one of ten"),
            _ => char::from(ALPHABET.as_bytes()[self.below(64)]),
        }
    }

    /// The token with one thing changed, which now and then is nothing.
    fn mutate(&self, token: &str) -> String {
        let mut chars: Vec<char> = token.chars().collect();
        let (at, other) = (self.below(chars.len()), self.below(chars.len()));
        let (from, to) = (at.min(other), at.max(other));
        match self.below(10) {
            0..=2 => chars[at] = self.char(),
            3 => chars.insert(at, self.char()),
            4 => drop(chars.remove(at)),
            5 => chars.swap(at, other),
            6 => chars.truncate(at),
            7 => drop(chars.drain(from..to)),
            8 => {
                let piece: Vec<char> = chars[from..to].to_vec();
                chars.splice(from..from, piece);
            }
            _ => {
                for _ in 0..=self.below(8) {
                    let at = self.below(chars.len());
                    chars[at] = self.char();
                }
            }
        }
        chars.into_iter().collect()
    }
}

#[test]
fn ten_thousand_mutations_are_all_refused() {
    let boundary = boundary(policy());
    let token = seal(&boundary);
    let dice = Dice(SeededRandom::new(2026));
    let mut refused = 0;
    while refused < 10_000 {
        let mutant = dice.mutate(&token);
        if mutant != token {
            assert!(present(&boundary, &mutant).is_err(), "{mutant}");
            refused += 1;
        }
    }
    assert_eq!(present(&boundary, &token), opened());
}

#[test]
fn every_other_character_in_every_place_is_refused() {
    let boundary = boundary(policy());
    // Three states, so that the last character holds 6, 2 and 4 bits that count.
    for state in ["", "a", "ab"] {
        let token = boundary.seal(&call(&boundary), state).expect("a state to seal");
        let last = token.len() - 1;
        for at in (0..44).chain(last - 24..=last) {
            for char in ALPHABET.chars().filter(|char| !token[at..].starts_with(*char)) {
                let mutant = format!("{}{char}{}", &token[..at], &token[at + 1..]);
                assert!(present(&boundary, &mutant).is_err(), "{mutant}");
            }
        }
    }
}

#[test]
fn every_beginning_is_refused() {
    let boundary = boundary(policy());
    let token = seal(&boundary);
    for length in 0..token.len() {
        assert!(present(&boundary, &token[..length]).is_err(), "{length}");
        assert!(present(&boundary, &token[length..][1..]).is_err(), "{length}");
    }
}

#[test]
fn every_other_spelling_is_malformed() {
    let boundary = boundary(policy());
    // Both characters in which the alphabets of base64 differ are in it.
    let token = (0..).map(|_| seal(&boundary)).find(|token| token.contains('-') && token.contains('_'));
    let token = token.expect("one of many");
    let body = token.strip_prefix("rt1.").expect("the prefix");
    let percent = token.replace('-', "%2D");
    let spellings = [
        format!("{token}="),
        format!("{token}=="),
        format!(" {token}"),
        format!("{token} "),
        format!("{token}\n"),
        format!("{token}\0"),
        format!("\u{feff}{token}"),
        format!("rt1. {body}"),
        format!("{}\r\n{}", &token[..76], &token[76..]),
        token.replace('-', "+"),
        token.replace('_', "/"),
        token.replace('-', "+").replace('_', "/"),
        percent,
        format!("RT1.{body}"),
        format!("Rt1.{body}"),
        format!("rt2.{body}"),
        format!("rt1{body}"),
        format!("rt1..{body}"),
        format!("rt1.rt1.{body}"),
        format!("v1.{body}"),
        format!(".{body}"),
        body.to_owned(),
        format!("\"{token}\""),
        format!("{token}.{body}"),
        String::new(),
        "rt1.".to_owned(),
        "rt1.AAAA".to_owned(),
    ];
    for spelling in spellings {
        assert_eq!(present(&boundary, &spelling), Err(Reason::Malformed), "{spelling:?}");
    }
    for case in [token.to_lowercase(), format!("rt1.{}", body.to_uppercase()), format!("{token}{body}")] {
        assert!(present(&boundary, &case).is_err(), "{case}");
    }
    assert_eq!(present(&boundary, &token), opened());
}

#[test]
fn the_key_id_cannot_be_exchanged() {
    let clock = ManualClock::at(start());
    let with = |keys: [&[u8; 32]; 2]| {
        boundary(RequestStateSecurity::keys(keys).expect("good keys").clock(clock.clone()))
    };
    let (old_mints, new_mints) = (with([KEY, OTHER_KEY]), with([OTHER_KEY, KEY]));
    let (mut of_old, of_new) = (bytes(&seal(&old_mints)), bytes(&seal(&new_mints)));
    of_old[..8].copy_from_slice(&of_new[..8]);
    assert_eq!(present(&old_mints, &token(&of_old)), Err(Reason::Tampered));
    of_old[..8].copy_from_slice(&[0; 8]);
    assert_eq!(present(&old_mints, &token(&of_old)), Err(Reason::UnknownKey));
}

#[test]
fn the_tag_vouches_for_the_prefix_and_the_key_id() {
    let ring = KeyRing::new([KEY]).expect("a good key");
    let keys = ring.current();
    let (id, nonce) = (keys.minter().id, XNonce::from([9; 24]));
    let codec = XChaCha::new(ring, Arc::new(SeededRandom::new(7)));
    let by_hand = |associated_data: &[u8]| {
        let mut ciphertext = b"hello".to_vec();
        XChaCha20Poly1305::new((&**keys.minter().secret).into())
            .encrypt_in_place(&nonce, associated_data, &mut ciphertext)
            .expect("five bytes to encrypt");
        codec.unseal(&token(&[&id[..], &nonce, &ciphertext].concat())).map_err(|invalid| invalid.reason)
    };
    assert_eq!(by_hand(&[b"rt1.", &id[..]].concat()), Ok(b"hello".to_vec()));
    for associated_data in [&b""[..], b"rt1.", &id, &[b"rt2.", &id[..]].concat()] {
        assert_eq!(by_hand(associated_data), Err(Reason::Tampered));
    }
}

/// The bytes behind a token.
fn bytes(token: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(token.strip_prefix("rt1.").expect("the prefix")).expect("base64url")
}

/// The token of these bytes.
fn token(bytes: &[u8]) -> String {
    format!("rt1.{}", URL_SAFE_NO_PAD.encode(bytes))
}

#[test]
fn tokens_of_one_state_have_nothing_in_common_but_the_key_id() {
    let boundary = boundary(RequestStateSecurity::keys([KEY]).expect("a good key"));
    let tokens: Vec<String> = (0..1000).map(|_| seal(&boundary)).collect();
    let nonces: HashSet<&str> = tokens.iter().map(|token| &token[15..46]).collect();
    let bodies: HashSet<&str> = tokens.iter().map(|token| &token[48..80]).collect();
    assert_eq!((nonces.len(), bodies.len()), (1000, 1000));
    assert!(tokens.iter().all(|token| token[..14] == tokens[0][..14]));
}

#[test]
fn a_token_of_version_one_opens_for_ever() {
    // Derived elsewhere, from RFC 5869 alone: neither the derivation nor the form of a token may ever change.
    let ring = KeyRing::new([KEY]).expect("a good key");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(&ring.current().minter().id), "d71cf3a87f590732");
    assert_eq!(
        hex(ring.current().minter().secret.as_slice()),
        "921e203d26bc407a2f3a1482949e9c74712b262eb3b9d0b2e1deb7f7ea1b0dc1"
    );
    let codec = XChaCha::new(ring, Arc::new(SeededRandom::new(7)));
    let token = codec.seal(b"hello").expect("a payload to seal");
    assert_eq!(token, "rt1.1xzzqH9ZBzJ2EI-EOW3C1yzidf2w4O83simyiYv1ox0kFxbLcNvi20Emk_IigrKlsbfWsgc");
    assert_eq!(codec.unseal(&token).ok().as_deref(), Some(&b"hello"[..]));
}

#[test]
fn odd_states_come_back_as_they_were() {
    let boundary = boundary(policy().max_bytes(512 * 1024));
    let long = "état ".repeat(40_000);
    let states = [
        "",
        "\n",
        "\n\n{}\n",
        r#"{"a":1}"#,
        " x ",
        "\0é\u{1f600}",
        "a/b+c==",
        "123",
        "null",
        "9007199254740993",
        "\u{2028}\u{feff}\u{ffff}",
        &long,
    ];
    for state in states {
        let token = boundary.seal(&call(&boundary), state).expect("a state to seal");
        assert!(state.len() < 8 || !token.contains(state));
        assert_eq!(present(&boundary, &token).as_deref(), Ok(state));
    }
}

#[test]
fn the_limit_holds_in_both_directions_to_the_byte() {
    let clock = ManualClock::at(start());
    let token = seal(&boundary(timed(&clock)));
    let limited = |bytes| boundary(timed(&clock).max_bytes(bytes));
    let (fits, short) = (limited(token.len()), limited(token.len() - 1));
    assert_eq!(seal(&fits).len(), token.len());
    assert_eq!(present(&fits, &token), opened());
    let too_large = SealError::TooLarge { bytes: token.len(), limit: token.len() - 1 };
    assert_eq!(short.seal(&call(&short), STATE), Err(too_large));
    assert_eq!(present(&short, &token), Err(Reason::TooLarge));
}

#[test]
fn the_default_limit_is_64_kib() {
    let boundary = boundary(policy());
    let sealed =
        |length: usize| boundary.seal(&call(&boundary), &"x".repeat(length)).map(|token| token.len());
    // Three bytes make four characters, after the four of the prefix; what is added to a state is always as long.
    let added = (sealed(0).expect("it fits") - 4) * 3 / 4;
    let longest = (65_536 - 4) / 4 * 3 - added;
    assert_eq!(sealed(longest), Ok(65_536));
    assert_eq!(sealed(longest + 1), Err(SealError::TooLarge { bytes: 65_538, limit: 65_536 }));
    assert_eq!(sealed(65_537), Err(SealError::TooLarge { bytes: 65_537, limit: 65_536 }));
    assert_eq!(present(&boundary, &"x".repeat(65_536)), Err(Reason::Malformed));
    assert_eq!(present(&boundary, &"x".repeat(65_537)), Err(Reason::TooLarge));
}

#[test]
fn json_is_read_as_json() {
    let token = seal(&boundary(policy()));
    let tight = boundary(policy().max_bytes(token.len()));
    let open = |json: String| {
        let raw = RawValue::from_string(json).expect("JSON");
        tight.open_json(&call(&tight), &raw).map_err(|refusal| refusal.reason())
    };
    assert_eq!(open("null".to_owned()), Ok(None));
    assert_eq!(open(format!("\"{token}\"")), Ok(Some(STATE.to_owned())));
    // JSON may escape what it likes: it is the same string, and no longer.
    let escaped: String = token.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
    assert_eq!(open(format!("\"{escaped}\"")), Ok(Some(STATE.to_owned())));
    assert_eq!(open(format!("\"{token}A\"")), Err(Reason::TooLarge));
    assert_eq!(open("\"null\"".to_owned()), Err(Reason::Malformed));
    assert_eq!(open("\"\\ud800\"".to_owned()), Err(Reason::Malformed));
}

proptest! {
    #[test]
    fn any_state_comes_back_as_it_was(state in any::<String>(), target in any::<String>(), user in any::<Option<String>>()) {
        let boundary = boundary(policy().bind_principal(move |_| user.clone()));
        let binding = boundary.bind("tools/call", &target, target.as_bytes(), &Exchange::local());
        let token = boundary.seal(&binding, &state).expect("a state to seal");
        prop_assert!(token.is_ascii());
        prop_assert_eq!(present_on(&boundary, &binding, &token), Ok(state));
    }

    #[test]
    fn any_string_is_refused_without_a_panic(token in any::<String>(), body in "[A-Za-z0-9_-]{0,200}") {
        let boundary = boundary(policy());
        prop_assert!(present(&boundary, &token).is_err());
        let prefixed = "rt1.".to_owned() + &body;
        prop_assert!(present(&boundary, &prefixed).is_err());
    }
}
