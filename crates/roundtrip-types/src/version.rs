//! The revisions of the protocol, which are compared as opaque strings.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::lenient::Text;

/// A revision of the protocol as a peer names it, supported or not.
///
/// ```
/// use roundtrip_types::ProtocolVersion;
///
/// assert!(ProtocolVersion::from("2026-07-28").is_supported());
/// assert!(!ProtocolVersion::from("1999-01-01").is_supported());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ProtocolVersion(Cow<'static, str>);

impl ProtocolVersion {
    /// The revision of 28 July 2026.
    pub const V2026_07_28: &'static str = "2026-07-28";

    /// The newest revision that these types describe.
    pub const LATEST: &'static str = Self::V2026_07_28;

    /// The revisions that these types describe, newest first.
    pub const SUPPORTED: &'static [&'static str] = &[Self::V2026_07_28];

    /// The newest revision that these types describe.
    pub const fn latest() -> Self {
        Self(Cow::Borrowed(Self::LATEST))
    }

    /// The revision as it stands on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is one of [`SUPPORTED`](Self::SUPPORTED).
    pub fn is_supported(&self) -> bool {
        Self::supported(self.as_str()).is_some()
    }

    fn supported(text: &str) -> Option<&'static str> {
        Self::SUPPORTED.iter().copied().find(|version| *version == text)
    }
}

impl fmt::Debug for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ProtocolVersion").field(&self.0).finish()
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for ProtocolVersion {
    fn from(text: &str) -> Self {
        match Self::supported(text) {
            Some(version) => Self(Cow::Borrowed(version)),
            None => Self(Cow::Owned(text.to_owned())),
        }
    }
}

impl From<String> for ProtocolVersion {
    fn from(text: String) -> Self {
        match Self::supported(&text) {
            Some(version) => Self(Cow::Borrowed(version)),
            None => Self(Cow::Owned(text)),
        }
    }
}

impl PartialEq<str> for ProtocolVersion {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for ProtocolVersion {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl AsRef<str> for ProtocolVersion {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Serialize for ProtocolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ProtocolVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::deserialize(deserializer).map(|text| Self::from(&*text.0))
    }
}
