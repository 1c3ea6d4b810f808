//! What went wrong with a state: for the peer always the same, for the log a stable code.

use std::{error::Error as StdError, fmt};

/// A state that came in and was not accepted.
///
/// It is logged already when the caller gets it. To the client it is always the same JSON-RPC error: -32602 and
/// [`MESSAGE`](Self::MESSAGE), without data. `Display` writes the same, so that no path leads from here to a client
/// that learns which check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: Reason,
}

impl Refusal {
    /// The whole of what a client is told, beside the code -32602 (invalid params).
    pub const MESSAGE: &str = "Invalid or expired requestState";

    pub(super) const fn new(reason: Reason) -> Self {
        Self { reason }
    }

    /// Why, for logs and tests; not for the client.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::MESSAGE)
    }
}

impl StdError for Refusal {}

/// Which check a state failed. The codes of [`as_str`](Self::as_str) stay as they are from version to version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// `requestState` was something else than a JSON string.
    NotAString,
    /// The token is longer than [`max_bytes`](super::RequestStateSecurity::max_bytes).
    TooLarge,
    /// Not of the form of a token, or what it held is not an envelope of this version.
    Malformed,
    /// Sealed under a key that is not in the ring.
    UnknownKey,
    /// Of the right form, and not what was minted.
    Tampered,
    /// The codec failed, or panicked.
    CodecError,
    /// Minted later than now, by more than clocks are allowed to differ.
    MintedInFuture,
    /// Its time is over.
    Expired,
    /// Minted on another method.
    MethodMismatch,
    /// Minted for another tool, prompt or resource.
    TargetMismatch,
    /// Minted for other arguments.
    ArgumentsMismatch,
    /// Minted by another service.
    AudienceMismatch,
    /// Minted for somebody and presented by nobody known, or the other way round.
    PrincipalDrift,
    /// Minted for somebody else.
    PrincipalMismatch,
    /// Who is calling could not be told, because the function given to
    /// [`bind_principal`](super::RequestStateSecurity::bind_principal) panicked.
    PrincipalError,
}

impl Reason {
    /// The code that stands in the field `reason` of the log line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotAString => "not_a_string",
            Self::TooLarge => "too_large",
            Self::Malformed => "malformed",
            Self::UnknownKey => "unknown_key",
            Self::Tampered => "tampered",
            Self::CodecError => "codec_error",
            Self::MintedInFuture => "minted_in_future",
            Self::Expired => "expired",
            Self::MethodMismatch => "method_mismatch",
            Self::TargetMismatch => "target_mismatch",
            Self::ArgumentsMismatch => "arguments_mismatch",
            Self::AudienceMismatch => "audience_mismatch",
            Self::PrincipalDrift => "principal_drift",
            Self::PrincipalMismatch => "principal_mismatch",
            Self::PrincipalError => "principal_error",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A state that could not be sealed. The call fails with an internal error; the client is told nothing of this.
///
/// It is logged already when the caller gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SealError {
    /// The token would be longer than [`max_bytes`](super::RequestStateSecurity::max_bytes).
    TooLarge {
        /// How many bytes the token has, or the state where it is too long already.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The codec failed or panicked, with this cause.
    Codec(&'static str),
    /// Who is calling could not be told, because the function given to
    /// [`bind_principal`](super::RequestStateSecurity::bind_principal) panicked.
    Principal,
}

impl SealError {
    /// The code that stands in the field `reason` of the log line.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self {
            Self::TooLarge { .. } => Reason::TooLarge,
            Self::Codec(_) => Reason::CodecError,
            Self::Principal => Reason::PrincipalError,
        }
    }
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes, limit } => write!(
                f,
                "the sealed request state has {bytes} bytes and {limit} are allowed: keep less in it, or raise max_bytes"
            ),
            Self::Codec(cause) => write!(f, "the codec could not seal the request state: {cause}"),
            Self::Principal => f.write_str("the function given to bind_principal panicked"),
        }
    }
}

impl StdError for SealError {}
