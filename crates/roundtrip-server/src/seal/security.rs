//! How a server protects its `requestState`: the policy, before it is put to work.

use std::{error::Error as StdError, fmt, sync::Arc, time::Duration};

use zeroize::Zeroizing;

use super::{
    boundary::{Boundary, Parts, PrincipalSource},
    codec::Codec,
    envelope::Salt,
    keys::{Key, KeyError, KeyRing},
    xchacha::XChaCha,
};
use crate::{
    clock::{Clock, Random, RandomError, SystemClock, SystemRandom},
    exchange::Exchange,
};

/// Longer than any time to think; what is longer was meant as "for ever", which a token must not be.
const MAX_TTL: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

const EPHEMERAL_KEY_BYTES: usize = 32;

/// How `requestState` is sealed on its way out and opened on its way in.
///
/// Without any setting it is [`ephemeral`](Self::ephemeral): right for a single process. Where a retry may reach
/// another instance, or must survive a restart, give all instances the same [`keys`](Self::keys).
///
/// | setting | default |
/// |---|---|
/// | [`ttl`](Self::ttl) | 600 s for each round |
/// | [`audience`](Self::audience) | the server's name |
/// | [`bind_principal`](Self::bind_principal) | client, issuer and subject of the verified token |
/// | [`max_bytes`](Self::max_bytes) | 64 KiB, in both directions |
///
/// The clocks of two instances may differ by 60 s: a token that seems minted up to that much later than now still
/// opens. There is no such grace at the end of its time.
///
/// ```
/// use std::time::Duration;
/// use roundtrip_server::seal::RequestStateSecurity;
///
/// # let key = "7f0c1de0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c";
/// let security = RequestStateSecurity::keys([key])?
///     .audience("billing")
///     .ttl(Duration::from_secs(15 * 60));
/// # Ok::<(), roundtrip_server::seal::KeyError>(())
/// ```
#[derive(Clone)]
pub struct RequestStateSecurity {
    sealer: Sealer,
    ttl: Duration,
    audience: Option<String>,
    max_bytes: usize,
    principal: PrincipalSource,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

#[derive(Clone)]
enum Sealer {
    Ephemeral,
    Ring(KeyRing),
    Codec(Arc<dyn Codec>),
}

impl RequestStateSecurity {
    /// How long a client may think about one round.
    pub const DEFAULT_TTL: Duration = Duration::from_secs(600);
    /// How long a token may be.
    pub const DEFAULT_MAX_BYTES: usize = 64 * 1024;

    /// Seals under a random key of this process. The default.
    ///
    /// A retry that comes to another process, or to this one after a restart, is refused, and the client has to
    /// begin anew.
    #[must_use]
    pub fn ephemeral() -> Self {
        Self::new(Sealer::Ephemeral)
    }

    /// Seals under the first of these keys, and opens under all of them.
    ///
    /// To exchange keys in a running server, see [`ring`](Self::ring); for the order of a rotation, [`KeyRing`].
    /// Keys are of one service: another one that shares them is kept apart by its [`audience`](Self::audience).
    ///
    /// # Errors
    ///
    /// [`KeyError`], when there is no key, one is shorter than 32 bytes, or two are alike.
    pub fn keys<K: Into<Key>>(keys: impl IntoIterator<Item = K>) -> Result<Self, KeyError> {
        KeyRing::new(keys).map(Self::ring)
    }

    /// Seals and opens under the keys that the ring holds at that moment.
    #[must_use]
    pub fn ring(ring: KeyRing) -> Self {
        Self::new(Sealer::Ring(ring))
    }

    /// Leaves the cryptography to a codec of your own.
    #[must_use]
    pub fn codec(codec: impl Codec) -> Self {
        Self::new(Sealer::Codec(Arc::new(codec)))
    }

    fn new(sealer: Sealer) -> Self {
        Self {
            sealer,
            ttl: Self::DEFAULT_TTL,
            audience: None,
            max_bytes: Self::DEFAULT_MAX_BYTES,
            principal: PrincipalSource::default(),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
        }
    }

    /// How long a token opens after it was minted: the time to think about one round, as each round mints anew.
    ///
    /// Default 600 s. At least a millisecond and at most a hundred years, checked when the server is built.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// The service that tokens are for; the default is the server's name.
    ///
    /// Set it where instances of one service have names of their own, or where one service is meant to open what
    /// another one sealed. It must not be empty, which is checked when the server is built.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = Some(audience.into());
        self
    }

    /// Tells who is calling, where that is not in a token that this SDK has seen verified (behind a proxy, say).
    ///
    /// Tokens are bound to the string, which must be the same on each round of a call; `None` binds them to
    /// nobody. The default is the [`Principal`](crate::Principal) in the extensions of the request. When
    /// the function panics, the call fails.
    ///
    /// ```
    /// use roundtrip_server::seal::RequestStateSecurity;
    ///
    /// // Only where a proxy in front sets this header and removes the one that a client sent.
    /// let security = RequestStateSecurity::ephemeral().bind_principal(|exchange| {
    ///     Some(exchange.headers()?.get("x-verified-user")?.to_str().ok()?.to_owned())
    /// });
    /// ```
    #[must_use]
    pub fn bind_principal(
        mut self,
        principal: impl Fn(&Exchange) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.principal = PrincipalSource::new(principal);
        self
    }

    /// How long a token may be, in bytes, minted here or presented by a client. Default 64 KiB; not 0.
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Reads the time from another clock than the system's.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Takes nonces and the ephemeral key from another source than the system's.
    #[must_use]
    pub fn random(mut self, random: impl Random) -> Self {
        self.random = Arc::new(random);
        self
    }

    /// Puts the policy to work for a server of this name, which is the audience where none is set.
    ///
    /// # Errors
    ///
    /// All that is wrong with the policy, at once.
    pub fn into_boundary(self, server_name: Option<&str>) -> Result<Boundary, Vec<SecurityError>> {
        let mut errors = Vec::new();
        if self.ttl < Duration::from_millis(1) {
            errors.push(SecurityError::TtlTooShort);
        }
        if self.ttl > MAX_TTL {
            errors.push(SecurityError::TtlTooLong);
        }
        if self.max_bytes == 0 {
            errors.push(SecurityError::MaxBytesIsZero);
        }
        if self.audience.as_deref() == Some("") {
            errors.push(SecurityError::EmptyAudience);
        }
        let explicit = !matches!(self.sealer, Sealer::Ephemeral);
        let audience =
            self.audience.or_else(|| server_name.filter(|name| !name.is_empty()).map(str::to_owned));
        if audience.is_none() && explicit {
            errors.push(SecurityError::NoAudience);
        }
        let mut drawn = Zeroizing::new([0; size_of::<Salt>() + EPHEMERAL_KEY_BYTES]);
        if let Err(error) = self.random.fill(&mut *drawn) {
            errors.push(SecurityError::Random(error));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let (salt, secret) = drawn.split_first_chunk().expect("a salt and a key were drawn");
        let codec: Arc<dyn Codec> = match self.sealer {
            Sealer::Codec(codec) => codec,
            Sealer::Ring(ring) => Arc::new(XChaCha::new(ring, self.random)),
            Sealer::Ephemeral => {
                let ring = KeyRing::new([secret]).expect("one key of 32 bytes makes a ring");
                Arc::new(XChaCha::new(ring, self.random))
            }
        };
        Ok(Boundary::new(Parts {
            codec,
            explicit,
            ttl: self.ttl,
            audience,
            max_bytes: self.max_bytes,
            principal: self.principal,
            clock: self.clock,
            salt: *salt,
        }))
    }
}

impl Default for RequestStateSecurity {
    fn default() -> Self {
        Self::ephemeral()
    }
}

impl fmt::Debug for RequestStateSecurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sealer: &dyn fmt::Debug = match &self.sealer {
            Sealer::Ephemeral => &"ephemeral",
            Sealer::Ring(ring) => ring,
            Sealer::Codec(_) => &"codec",
        };
        f.debug_struct("RequestStateSecurity")
            .field("sealer", sealer)
            .field("ttl", &self.ttl)
            .field("audience", &self.audience)
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

/// What is wrong with a policy, found when the server is built.
#[derive(Debug)]
#[non_exhaustive]
pub enum SecurityError {
    /// The time to live is zero, or less than a millisecond.
    TtlTooShort,
    /// The time to live is longer than a hundred years.
    TtlTooLong,
    /// No token is short enough.
    MaxBytesIsZero,
    /// The audience is the empty string.
    EmptyAudience,
    /// The policy is explicit, and neither it nor the server says which service the tokens are for.
    NoAudience,
    /// There was no randomness for a key.
    Random(RandomError),
}

impl fmt::Display for SecurityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TtlTooShort => "the ttl of the request state is less than a millisecond: give a positive time, such as 600 s",
            Self::TtlTooLong => "the ttl of the request state is more than a hundred years: give a time to think, such as 600 s",
            Self::MaxBytesIsZero => "max_bytes of the request state is 0, which no token fits into: leave it at 65536, or raise it",
            Self::EmptyAudience => "the audience of the request state is empty: name the service, or leave it out to use the server's name",
            Self::NoAudience => {
                "the request state has keys or a codec of its own, and no name to tell this service from others that share them: \
                 name the server, or set the audience"
            }
            Self::Random(_) => "there is no randomness to seal the request state with",
        })
    }
}

impl StdError for SecurityError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Random(error) => Some(error),
            _ => None,
        }
    }
}
