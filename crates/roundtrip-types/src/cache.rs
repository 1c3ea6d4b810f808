//! How long and by whom a result may be reused.

use std::fmt;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::RawJson;

/// Who may share a cached result: `cacheScope`.
///
/// Whatever is not `"public"` reads as [`Private`](Self::Private), the one that cannot leak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new scope has to read as private until it is understood")]
pub enum CacheScope {
    /// Anyone may share it, with whatever authorization.
    Public,
    /// It is for requests with the same authorization only.
    #[default]
    Private,
}

impl CacheScope {
    /// The scope as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

impl fmt::Display for CacheScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for CacheScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CacheScope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let public = RawJson::deserialize(deserializer)?.parse::<&str>().is_ok_and(|text| text == "public");
        Ok(if public { Self::Public } else { Self::Private })
    }
}

/// Reads a `ttlMs`. What is no usable number reads as 0: a hint about caching is never worth a
/// failed result.
pub(crate) fn ttl_ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let raw = RawJson::deserialize(deserializer)?;
    // The cast saturates: what is below zero gives 0, what is beyond the range its end.
    let rounded = || raw.parse::<f64>().map_or(0, |ttl| ttl as u64);
    Ok(raw.parse::<u64>().unwrap_or_else(|_| rounded()))
}
