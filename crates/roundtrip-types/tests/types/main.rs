//! What the types read and write, seen from outside.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod depth;
mod digits;
mod leniency;
mod outcome;
mod properties;
mod questions;
mod request_meta;
mod wire;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads `json` as `T`.
#[track_caller]
fn read<T: DeserializeOwned>(json: &str) -> T {
    match serde_json::from_str(json) {
        Ok(value) => value,
        Err(error) => panic!("{error} in {json}"),
    }
}

/// Reads `json` as `T` and tells why it cannot be read.
#[track_caller]
fn refused<T: DeserializeOwned + std::fmt::Debug>(json: &str) -> String {
    match serde_json::from_str::<T>(json) {
        Ok(value) => panic!("{json} was read as {value:?}"),
        Err(error) => error.to_string(),
    }
}

/// Reads `json` as `T` and writes it again: the same text.
#[track_caller]
fn survives<T: Serialize + DeserializeOwned>(json: &str) {
    assert_eq!(serde_json::to_string(&read::<T>(json)).unwrap(), json);
}

/// Reads `json` as `T` and writes it again: the text `expected`.
#[track_caller]
fn becomes<T: Serialize + DeserializeOwned>(json: &str, expected: &str) {
    assert_eq!(serde_json::to_string(&read::<T>(json)).unwrap(), expected);
}
