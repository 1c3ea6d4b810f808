//! A codec of one's own: it does the cryptography and nothing else, and when it breaks nothing opens.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use roundtrip_server::seal::{Codec, CodecError, InvalidRequestState, RequestStateSecurity};
use serde_json::json;
use tracing::Level;

use super::{STATE, frozen, mint, present, server, targets};
use crate::{
    logs::Log,
    support::{Count, Peer},
};

/// What the codec does at this moment.
type Mood = Arc<AtomicU8>;

const WORKS: u8 = 0;
const FAILS: u8 = 1;
const PANICS: u8 = 2;

/// Hexadecimal, behind a prefix: a stand-in for what a key service would give back.
struct Hex(Mood);

impl Hex {
    fn mood(&self) -> Result<(), CodecError> {
        match self.0.load(Ordering::SeqCst) {
            WORKS => Ok(()),
            FAILS => Err(CodecError::new("the key service is away")),
            _ => panic!("s3cret detail"),
        }
    }
}

impl Codec for Hex {
    fn seal(&self, payload: &[u8]) -> Result<String, CodecError> {
        self.mood()?;
        Ok(payload.iter().fold("hex.".to_owned(), |token, byte| token + &format!("{byte:02x}")))
    }

    fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
        self.mood()?;
        let hex = token.strip_prefix("hex.").ok_or(InvalidRequestState::malformed())?;
        let bytes: Option<Vec<u8>> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
        bytes.filter(|_| hex == hex.to_lowercase()).ok_or(InvalidRequestState::tampered())
    }
}

#[tokio::test]
async fn the_bindings_hold_whatever_the_codec() {
    let runs = Count::default();
    let server = server("Test", RequestStateSecurity::codec(Hex(Mood::default())), &runs);
    for (from, params) in targets() {
        let token = mint(&server, from, &params).await;
        assert!(token.starts_with("hex."), "{token}");
        for (to, params) in targets() {
            let want = if from == to { Ok(STATE.to_owned()) } else { Err(frozen()) };
            assert_eq!(present(&server, to, &params, &token).await, want, "{from} to {to}");
        }
        for forged in [format!("{token}0"), token.to_uppercase(), "hex.".to_owned(), "hex.00".to_owned()] {
            assert_eq!(present(&server, from, &params, &forged).await, Err(frozen()), "{forged}");
        }
    }
}

#[tokio::test]
async fn a_codec_that_breaks_opens_nothing_and_seals_nothing() {
    let runs = Count::default();
    let mood = Mood::default();
    let server = server("Test", RequestStateSecurity::codec(Hex(Arc::clone(&mood))), &runs);
    let (method, params) = &targets()[0];
    let token = mint(&server, method, params).await;
    for (broken, cause) in [(FAILS, "the key service is away"), (PANICS, "panicked")] {
        mood.store(broken, Ordering::SeqCst);
        let before = runs.get();
        let log = Log::capture();
        assert_eq!(present(&server, method, params, &token).await, Err(frozen()));
        let warnings = log.take(Level::WARN);
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(warning.contains("codec_error") && warning.contains(cause), "{warning}");
        assert!(!warning.contains("s3cret"), "{warning}");
        assert_eq!(runs.get(), before);

        let error = Peer::new(&server).error(method, params.clone()).await;
        assert_eq!(error, json!({ "code": -32603, "message": "internal error" }));
        let errors = log.take(Level::ERROR);
        assert!(
            matches!(&errors[..], [error] if error.contains(cause) && !error.contains("s3cret")),
            "{errors:?}"
        );
    }
    mood.store(WORKS, Ordering::SeqCst);
    assert_eq!(present(&server, method, params, &token).await, Ok(STATE.to_owned()));
}
