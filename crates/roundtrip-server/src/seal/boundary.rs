//! The one place where states go out and come in.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use serde_json::value::RawValue;

use super::{
    codec::{self, Codec, InvalidRequestState},
    envelope::{self, ArgumentsDigest, Bound, Millis, Salt},
    refusal::{Reason, Refusal, SealError},
};
use crate::{clock::Clock, exchange::Exchange, principal::Principal};

/// By how much the clock of the instance that minted may be ahead of ours.
const CLOCK_SKEW: Duration = Duration::from_secs(60);

/// Seals and opens `requestState` for one server, as its
/// [`RequestStateSecurity`](super::RequestStateSecurity) says. A cheap handle; clones are the same boundary.
///
/// ```
/// use roundtrip_server::{exchange::Exchange, seal::RequestStateSecurity};
///
/// let boundary = RequestStateSecurity::ephemeral().into_boundary(Some("Provisioner")).expect("the default is valid");
/// let binding = boundary.bind("tools/call", "provision", br#"{"name":"orders"}"#, &Exchange::local());
///
/// let token = boundary.seal(&binding, "asked for the region")?;
/// assert!(!token.contains("region"));
/// assert_eq!(boundary.open(&binding, &token)?, "asked for the region");
///
/// let moved = boundary.bind("tools/call", "provision", br#"{"name":"users"}"#, &Exchange::local());
/// assert!(boundary.open(&moved, &token).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Boundary(Arc<Parts>);

pub(super) struct Parts {
    pub(super) codec: Arc<dyn Codec>,
    /// Whether somebody chose keys or a codec.
    pub(super) explicit: bool,
    pub(super) ttl: Duration,
    pub(super) audience: Option<String>,
    pub(super) max_bytes: usize,
    pub(super) principal: PrincipalSource,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) salt: Salt,
}

impl Boundary {
    pub(super) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// What the states of this request are bound to, for opening the one that came in and for sealing the next.
    ///
    /// `target` is the name of the tool or prompt, or the URI of the resource; `arguments` are the canonical bytes of
    /// the arguments (see `roundtrip_protocol::canonical`), those of `{}` where there are none.
    #[must_use]
    pub fn bind<'a>(
        &self,
        method: &'a str,
        target: &'a str,
        arguments: &[u8],
        exchange: &Exchange,
    ) -> Binding<'a> {
        Binding {
            method,
            target,
            arguments: ArgumentsDigest::of(arguments),
            caller: self.0.principal.ask(exchange),
        }
    }

    /// Makes a token of a plaintext state, good for one round from now.
    ///
    /// # Errors
    ///
    /// [`SealError`], when the token is longer than allowed, the codec failed or the caller could not be told. It is
    /// logged already.
    pub fn seal(&self, binding: &Binding<'_>, state: &str) -> Result<String, SealError> {
        self.try_seal(binding, state).inspect_err(|error| {
            tracing::error!(
                target: "roundtrip::request_state",
                reason = error.reason().as_str(),
                method = binding.method,
                "request state not sealed, and the call failed: {error}"
            );
        })
    }

    /// Opens a token that came back: the plaintext state, when it was minted here, for this, and not too long ago.
    ///
    /// # Errors
    ///
    /// [`Refusal`], which the client must see as [`Refusal::MESSAGE`] alone. It is logged already.
    pub fn open(&self, binding: &Binding<'_>, token: &str) -> Result<String, Refusal> {
        self.try_open(binding, token).map_err(|invalid| self.refuse(binding.method, invalid))
    }

    /// Opens what stands in `requestState` as it came over the wire. `null` counts as absent, and is `None`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); also for what is not a string.
    pub fn open_json(&self, binding: &Binding<'_>, value: &RawValue) -> Result<Option<String>, Refusal> {
        let text = value.get();
        if text == "null" {
            return Ok(None);
        }
        token_of(text)
            .and_then(|token| self.try_open(binding, &token))
            .map(Some)
            .map_err(|invalid| self.refuse(binding.method, invalid))
    }

    fn try_seal(&self, binding: &Binding<'_>, state: &str) -> Result<String, SealError> {
        let within = |bytes: usize| {
            let limit = self.0.max_bytes;
            if bytes > limit { Err(SealError::TooLarge { bytes, limit }) } else { Ok(()) }
        };
        within(state.len())?;
        let bound = self.bound(binding).ok_or(SealError::Principal)?;
        let payload = envelope::write(&bound, self.0.salt, self.now(), self.0.ttl, state);
        let token = codec::seal(&*self.0.codec, &payload).map_err(|error| SealError::Codec(error.cause()))?;
        within(token.len())?;
        Ok(token)
    }

    fn try_open(&self, binding: &Binding<'_>, token: &str) -> Result<String, InvalidRequestState> {
        if token.len() > self.0.max_bytes {
            return Err(Reason::TooLarge.into());
        }
        let payload = codec::unseal(&*self.0.codec, token)?;
        let bound = self.bound(binding).ok_or(Reason::PrincipalError)?;
        Ok(envelope::read(payload, &bound, self.now(), CLOCK_SKEW)?)
    }

    fn bound<'a>(&'a self, binding: &'a Binding<'_>) -> Option<Bound<'a>> {
        let principal = match &binding.caller {
            Caller::Nobody => None,
            Caller::Known(principal) => Some(principal.as_str()),
            Caller::Unclear => return None,
        };
        Some(Bound {
            method: binding.method,
            target: binding.target,
            arguments: &binding.arguments,
            audience: self.0.audience.as_deref(),
            principal,
        })
    }

    fn now(&self) -> Millis {
        self.0.clock.now().into()
    }

    /// Makes the refusal, and its one line in the log.
    fn refuse(&self, method: &str, invalid: InvalidRequestState) -> Refusal {
        let InvalidRequestState { reason, cause } = invalid;
        let hint = (reason == Reason::UnknownKey && !self.0.explicit).then_some(
            "this server's key is one of this process: where a retry can come from before a restart or from another \
             instance, set RequestStateSecurity::keys",
        );
        tracing::warn!(
            target: "roundtrip::request_state",
            reason = reason.as_str(),
            method,
            cause,
            hint,
            "request state refused"
        );
        Refusal::new(reason)
    }
}

impl fmt::Debug for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Boundary")
            .field("audience", &self.0.audience)
            .field("ttl", &self.0.ttl)
            .field("max_bytes", &self.0.max_bytes)
            .finish_non_exhaustive()
    }
}

fn token_of(json: &str) -> Result<String, InvalidRequestState> {
    if !json.starts_with('"') {
        return Err(Reason::NotAString.into());
    }
    serde_json::from_str(json).map_err(|_| Reason::Malformed.into())
}

impl From<Reason> for InvalidRequestState {
    fn from(reason: Reason) -> Self {
        Self { reason, cause: None }
    }
}

/// What a state is bound to: the method, the target, the arguments and the caller of one request.
///
/// Made by [`Boundary::bind`], once for a request, and used for the state that came in and for the one that goes out.
/// `Debug` shows no arguments and no principal.
pub struct Binding<'a> {
    method: &'a str,
    target: &'a str,
    arguments: ArgumentsDigest,
    caller: Caller,
}

impl fmt::Debug for Binding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binding")
            .field("method", &self.method)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

enum Caller {
    Nobody,
    Known(String),
    /// The function that tells had panicked.
    Unclear,
}

/// Tells who is calling.
#[derive(Clone)]
pub(super) struct PrincipalSource(Arc<dyn Fn(&Exchange) -> Option<String> + Send + Sync>);

impl PrincipalSource {
    pub(super) fn new(source: impl Fn(&Exchange) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(source))
    }

    fn ask(&self, exchange: &Exchange) -> Caller {
        match catch_unwind(AssertUnwindSafe(|| (self.0)(exchange))) {
            Ok(Some(principal)) => Caller::Known(principal),
            Ok(None) => Caller::Nobody,
            Err(_) => Caller::Unclear,
        }
    }
}

impl Default for PrincipalSource {
    fn default() -> Self {
        Self::new(|exchange| exchange.extensions().get::<Principal>().map(Principal::to_string_unambiguous))
    }
}
