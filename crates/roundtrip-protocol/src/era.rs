//! The eras of the protocol, and what differs between them.
//!
//! An era is a way of holding the conversation, not a date: 2026-07-28 and later revisions of its kind put what the
//! peers must know into an envelope around each request. [`crate::inbound::classify`] decides the era once; nothing
//! beyond this module and its files compares versions.

use roundtrip_types::ProtocolVersion;

pub(crate) mod envelope;

/// A way of holding the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Era {
    /// No handshake: each request carries its version and capabilities in `params._meta` (2026-07-28).
    Envelope,
}

impl Era {
    /// The era that a version belongs to; `None` for a version that this library doesn't speak. Versions are opaque:
    /// they are compared as they are written, never as dates.
    #[must_use]
    pub fn of_version(version: &str) -> Option<Self> {
        (version == ProtocolVersion::V2026_07_28).then_some(Self::Envelope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_compared_as_it_is_written() {
        assert_eq!(Era::of_version("2026-07-28"), Some(Era::Envelope));
        for version in ["2025-11-25", "2026-7-28", "2026-07-28 ", "", "2026-07-29", "draft"] {
            assert_eq!(Era::of_version(version), None, "{version:?}");
        }
    }

    #[test]
    fn every_supported_version_has_an_era() {
        assert!(ProtocolVersion::SUPPORTED.iter().all(|version| Era::of_version(version).is_some()));
    }
}
