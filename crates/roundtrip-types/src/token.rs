//! The two names that a request bears: its id, and the token under which it wants progress.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::RawJson;

/// The id of a JSON-RPC request: `RequestId`.
///
/// On the wire a string or an integer, and `1` and `"1"` are two ids. A fraction, `null` and an
/// integer outside of `i64` are refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC knows no third kind of id")]
pub enum RequestId {
    /// An integer.
    Integer(i64),
    /// A string.
    String(String),
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(id) => id.fmt(f),
            Self::String(id) => id.fmt(f),
        }
    }
}

impl From<i64> for RequestId {
    fn from(id: i64) -> Self {
        Self::Integer(id)
    }
}

impl From<String> for RequestId {
    fn from(id: String) -> Self {
        Self::String(id)
    }
}

impl From<&str> for RequestId {
    fn from(id: &str) -> Self {
        Self::String(id.to_owned())
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(id) => serializer.serialize_i64(*id),
            Self::String(id) => serializer.serialize_str(id),
        }
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = RequestId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a 64-bit integer")
            }

            fn visit_i64<E: Error>(self, id: i64) -> Result<RequestId, E> {
                Ok(RequestId::Integer(id))
            }

            fn visit_u64<E: Error>(self, id: u64) -> Result<RequestId, E> {
                i64::try_from(id)
                    .map(RequestId::Integer)
                    .map_err(|_| E::invalid_value(Unexpected::Unsigned(id), &self))
            }

            fn visit_str<E: Error>(self, id: &str) -> Result<RequestId, E> {
                Ok(RequestId::String(id.to_owned()))
            }

            fn visit_string<E: Error>(self, id: String) -> Result<RequestId, E> {
                Ok(RequestId::String(id))
            }
        }
        deserializer.deserialize_any(IdVisitor)
    }
}

/// The name under which a request wants to hear of its progress: `ProgressToken`.
///
/// On the wire a string or an integer; an integer of any size keeps its digits. It can be read by
/// `serde_json` only.
///
/// ```
/// use roundtrip_types::ProgressToken;
///
/// let token: ProgressToken = serde_json::from_str("18446744073709551616")?;
/// assert_eq!(serde_json::to_string(&token)?, "18446744073709551616");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProgressToken {
    /// An integer.
    Integer(i64),
    /// A string.
    String(String),
    /// An integer outside of `i64`.
    Large(Digits),
}

impl fmt::Display for ProgressToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(token) => token.fmt(f),
            Self::String(token) => token.fmt(f),
            Self::Large(digits) => digits.0.fmt(f),
        }
    }
}

impl From<i64> for ProgressToken {
    fn from(token: i64) -> Self {
        Self::Integer(token)
    }
}

impl From<String> for ProgressToken {
    fn from(token: String) -> Self {
        Self::String(token)
    }
}

impl From<&str> for ProgressToken {
    fn from(token: &str) -> Self {
        Self::String(token.to_owned())
    }
}

impl From<RequestId> for ProgressToken {
    fn from(id: RequestId) -> Self {
        match id {
            RequestId::Integer(id) => Self::Integer(id),
            RequestId::String(id) => Self::String(id),
        }
    }
}

/// The digits of an integer outside of `i64`, with its sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digits(String);

impl Digits {
    /// The digits, with a leading minus where there is one.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for ProgressToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(token) => serializer.serialize_i64(*token),
            Self::String(token) => serializer.serialize_str(token),
            Self::Large(digits) => {
                RawJson::from_string(digits.0.clone()).map_err(S::Error::custom)?.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for ProgressToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let text = raw.get();
        if text.starts_with('"') {
            return raw.parse().map(Self::String).map_err(D::Error::custom);
        }
        if let Ok(integer) = text.parse() {
            return Ok(Self::Integer(integer));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Self::Large(Digits(text.to_owned())));
        }
        Err(D::Error::custom("a progress token is a string or an integer"))
    }
}
