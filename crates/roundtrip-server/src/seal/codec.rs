//! The cryptography that can be exchanged: bytes to a token and back.

use std::{
    error::Error as StdError,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::refusal::Reason;

/// Turns bytes into a token and back. Bring one to use a key service or a token format of your own.
///
/// A codec owes integrity: [`unseal`](Self::unseal) must refuse every string that [`seal`](Self::seal) did not
/// return, also another spelling of one that it did (padding, letter case, trailing bits). It should give
/// confidentiality too. Expiry, audience, principal and the binding to the request are not its work: the SDK puts
/// them into the payload and checks them afterwards, whatever the codec.
///
/// Both methods are called in the middle of serving a request, on the task that serves it, so they must not block:
/// ask a key service once, at the start, for a data key, and seal each token locally. A codec that panics fails
/// that one call, as if it had returned an error.
///
/// ```
/// use roundtrip_server::seal::{Codec, CodecError, InvalidRequestState, RequestStateSecurity};
///
/// # struct DataKey;
/// # impl DataKey {
/// #     fn encrypt(&self, payload: &[u8]) -> Option<Vec<u8>> { Some(payload.to_vec()) }
/// #     fn decrypt(&self, sealed: &[u8]) -> Option<Vec<u8>> { Some(sealed.to_vec()) }
/// # }
/// # fn to_hex(bytes: &[u8]) -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() }
/// # fn from_lower_hex(text: &str) -> Option<Vec<u8>> {
/// #     (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
/// # }
/// struct MyKms(DataKey);
///
/// impl Codec for MyKms {
///     fn seal(&self, payload: &[u8]) -> Result<String, CodecError> {
///         let sealed = self.0.encrypt(payload).ok_or(CodecError::new("the data key is not there"))?;
///         Ok(format!("kms1.{}", to_hex(&sealed)))
///     }
///
///     fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
///         let body = token.strip_prefix("kms1.").ok_or(InvalidRequestState::malformed())?;
///         let sealed = from_lower_hex(body).ok_or(InvalidRequestState::malformed())?;
///         self.0.decrypt(&sealed).ok_or(InvalidRequestState::tampered())
///     }
/// }
///
/// let security = RequestStateSecurity::codec(MyKms(DataKey)).audience("billing");
/// ```
pub trait Codec: Send + Sync + 'static {
    /// Makes a token of these bytes.
    ///
    /// # Errors
    ///
    /// When no token can be made; the call fails then, and the client reads of an internal error only.
    fn seal(&self, payload: &[u8]) -> Result<String, CodecError>;

    /// Gives back the very bytes that [`seal`](Self::seal) was given for this token.
    ///
    /// # Errors
    ///
    /// For every string that this codec did not mint, and when it can't tell.
    fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState>;
}

impl<C: Codec + ?Sized> Codec for Arc<C> {
    fn seal(&self, payload: &[u8]) -> Result<String, CodecError> {
        (**self).seal(payload)
    }

    fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
        (**self).unseal(token)
    }
}

/// A codec could not make a token.
///
/// The cause is a constant of the program, because it goes to the log: so it can't hold a state or a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError(&'static str);

impl CodecError {
    /// An error with this cause, for the log alone.
    #[must_use]
    pub const fn new(cause: &'static str) -> Self {
        Self(cause)
    }

    pub(super) const fn cause(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl StdError for CodecError {}

/// A token that the codec did not mint, or can't open.
///
/// Which of these it is goes to the log alone; the client reads the same answer for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidRequestState {
    pub(super) reason: Reason,
    pub(super) cause: Option<&'static str>,
}

impl InvalidRequestState {
    /// Not of the form that this codec's tokens have.
    #[must_use]
    pub const fn malformed() -> Self {
        Self { reason: Reason::Malformed, cause: None }
    }

    /// Minted under a key that is not known here.
    #[must_use]
    pub const fn unknown_key() -> Self {
        Self { reason: Reason::UnknownKey, cause: None }
    }

    /// Of the right form, and not what was minted.
    #[must_use]
    pub const fn tampered() -> Self {
        Self { reason: Reason::Tampered, cause: None }
    }

    /// The codec can't tell, because something it needs has failed. Also what a [`CodecError`] turns into.
    #[must_use]
    pub const fn codec_error(cause: &'static str) -> Self {
        Self { reason: Reason::CodecError, cause: Some(cause) }
    }

    /// Adds a cause in words, for the log alone: a constant of the program, so that it can't hold a token.
    #[must_use]
    pub const fn because(mut self, cause: &'static str) -> Self {
        self.cause = Some(cause);
        self
    }
}

impl From<CodecError> for InvalidRequestState {
    fn from(error: CodecError) -> Self {
        Self::codec_error(error.cause())
    }
}

impl fmt::Display for InvalidRequestState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.as_str())?;
        self.cause.map_or(Ok(()), |cause| write!(f, ": {cause}"))
    }
}

impl StdError for InvalidRequestState {}

/// What a panic in a codec is called in the log.
const PANICKED: &str = "the codec panicked";

/// Seals, and turns a panic into an error.
pub(super) fn seal(codec: &dyn Codec, payload: &[u8]) -> Result<String, CodecError> {
    // A codec that its own panic left in pieces can only refuse more, never open what it did not mint.
    catch_unwind(AssertUnwindSafe(|| codec.seal(payload))).unwrap_or(Err(CodecError::new(PANICKED)))
}

/// Unseals, and turns a panic into a refusal.
pub(super) fn unseal(codec: &dyn Codec, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
    catch_unwind(AssertUnwindSafe(|| codec.unseal(token)))
        .unwrap_or(Err(InvalidRequestState::codec_error(PANICKED)))
}
