//! Keys, and the ring of them that a running server can be handed anew.

use std::{
    error::Error as StdError,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

/// How many bytes a secret needs at least.
const MIN_KEY_BYTES: usize = 32;

/// What the derived bytes are for, so that one secret never gives the same bytes for two purposes, and so that
/// the same secret used elsewhere gives other bytes there.
const CIPHER_INFO: &[u8] = b"roundtrip/request-state/v1/xchacha20poly1305";
const ID_INFO: &[u8] = b"roundtrip/request-state/v1/key-id";

/// The name of a key in a token: 8 bytes that tell nothing about the key.
pub(super) type KeyId = [u8; 8];

/// A shared secret: at least 32 bytes that nobody can guess.
///
/// Whatever holds bytes turns into one: `Vec<u8>`, `&[u8]`, `[u8; 32]`, `String`, `&str`. Text counts as its UTF-8
/// bytes and is not decoded, so the 64 characters that `openssl rand -hex 32` prints are a good key as they are.
/// The bytes are wiped when the key is dropped, and `Debug` shows none of them.
///
/// ```
/// use roundtrip_server::seal::Key;
///
/// let key = Key::from("a secret of at least thirty-two bytes");
/// assert_eq!(format!("{key:?}"), "Key { .. }");
/// ```
#[derive(Clone)]
pub struct Key(Zeroizing<Vec<u8>>);

impl Key {
    /// Where its bytes are, for a test that looks there once they are gone.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }
}

impl From<Vec<u8>> for Key {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Zeroizing::new(bytes))
    }
}

impl From<String> for Key {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

impl From<&[u8]> for Key {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl From<&String> for Key {
    fn from(text: &String) -> Self {
        text.as_bytes().into()
    }
}

impl From<&Vec<u8>> for Key {
    fn from(bytes: &Vec<u8>) -> Self {
        bytes.as_slice().into()
    }
}

impl<const N: usize> From<&[u8; N]> for Key {
    fn from(bytes: &[u8; N]) -> Self {
        bytes.as_slice().into()
    }
}

impl<const N: usize> From<[u8; N]> for Key {
    fn from(mut bytes: [u8; N]) -> Self {
        let key = bytes.as_slice().into();
        bytes.zeroize();
        key
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

/// The keys of a running server: the first seals, all of them open.
///
/// A ring is a handle: clones are the same ring, so that whoever kept one can [replace](Self::replace) its keys
/// while servers use it. Keys are rotated in three steps, each rolled out everywhere before the next one:
///
/// 1. `[old, new]`: everybody learns to open what `new` will seal; `old` still seals.
/// 2. `[new, old]`: `new` seals; what `old` sealed keeps opening.
/// 3. `[new]`: once the time to live of a token has passed since step 2, `old` can go.
///
/// ```
/// use roundtrip_server::seal::{KeyRing, RequestStateSecurity};
///
/// # let (old, new) = ([1_u8; 32], [2_u8; 32]);
/// let ring = KeyRing::new([old])?;
/// let security = RequestStateSecurity::ring(ring.clone()).audience("billing");
/// // ... and later, in the running server:
/// ring.replace([old, new])?;
/// # Ok::<(), roundtrip_server::seal::KeyError>(())
/// ```
#[derive(Clone)]
pub struct KeyRing(Arc<RwLock<Arc<Ring>>>);

impl KeyRing {
    /// A ring of these keys.
    ///
    /// # Errors
    ///
    /// [`KeyError`], when there is no key, one is shorter than 32 bytes, or two are alike.
    pub fn new<K: Into<Key>>(keys: impl IntoIterator<Item = K>) -> Result<Self, KeyError> {
        Ok(Self(Arc::new(RwLock::new(Arc::new(Ring::derive(keys)?)))))
    }

    /// Puts these keys in the place of all that were there, at once, for every server that uses this ring.
    ///
    /// A token that is being opened or sealed at this moment sees either all old keys or all new ones.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); the ring is then as it was.
    pub fn replace<K: Into<Key>>(&self, keys: impl IntoIterator<Item = K>) -> Result<(), KeyError> {
        let ring = Arc::new(Ring::derive(keys)?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = ring;
        Ok(())
    }

    /// The keys of this moment. The lock is held for as long as it takes to count one reference more.
    pub(super) fn current(&self) -> Arc<Ring> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRing").field("keys", &self.current().0.len()).finish_non_exhaustive()
    }
}

/// Derived keys, in the order of the secrets. Never empty.
pub(super) struct Ring(Vec<RingKey>);

impl Ring {
    fn derive<K: Into<Key>>(secrets: impl IntoIterator<Item = K>) -> Result<Self, KeyError> {
        let mut keys: Vec<RingKey> = Vec::new();
        for (index, secret) in secrets.into_iter().enumerate() {
            let Key(secret) = secret.into();
            if secret.len() < MIN_KEY_BYTES {
                return Err(KeyError::TooShort { index, bytes: secret.len() });
            }
            let key = RingKey::derive(&secret);
            if let Some(earlier) = keys.iter().position(|other| other.id == key.id) {
                return Err(KeyError::Twin { index, earlier });
            }
            keys.push(key);
        }
        if keys.is_empty() { Err(KeyError::Empty) } else { Ok(Self(keys)) }
    }

    /// The key that seals.
    pub(super) fn minter(&self) -> &RingKey {
        self.0.first().expect("a ring is never empty")
    }

    /// The key of this name, to open with.
    pub(super) fn find(&self, id: KeyId) -> Option<&RingKey> {
        self.0.iter().find(|key| key.id == id)
    }
}

/// What is derived from one secret.
pub(super) struct RingKey {
    pub(super) id: KeyId,
    /// Boxed, so that moving the ring leaves no copy of the key behind.
    pub(super) secret: Box<Zeroizing<[u8; 32]>>,
}

impl RingKey {
    fn derive(secret: &[u8]) -> Self {
        let (mut extracted, hkdf) = Hkdf::<Sha256>::extract(None, secret);
        extracted.as_mut_slice().zeroize();
        let mut key = Self { id: KeyId::default(), secret: Box::default() };
        for (info, out) in [(CIPHER_INFO, key.secret.as_mut_slice()), (ID_INFO, key.id.as_mut_slice())] {
            hkdf.expand(info, out).expect("HKDF-SHA256 gives up to 8160 bytes");
        }
        key
    }
}

/// Why keys were not accepted. Names the key by its index, and never shows one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// There was no key at all.
    Empty,
    /// A key is shorter than 32 bytes.
    TooShort {
        /// Which key, counted from 0.
        index: usize,
        /// How many bytes it has.
        bytes: usize,
    },
    /// Two keys are the same.
    Twin {
        /// Which key, counted from 0.
        index: usize,
        /// The earlier key that it repeats.
        earlier: usize,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no key was given: make one with `openssl rand -hex 32`"),
            Self::TooShort { index, bytes } => write!(
                f,
                "keys[{index}] has {bytes} bytes and needs at least {MIN_KEY_BYTES}: make one with `openssl rand -hex 32`"
            ),
            Self::Twin { index, earlier } => write!(
                f,
                "keys[{index}] is the same as keys[{earlier}]: leave one out, or make another with `openssl rand -hex 32`"
            ),
        }
    }
}

impl StdError for KeyError {}
