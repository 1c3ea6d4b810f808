//! The built-in codec: XChaCha20-Poly1305 under a key ring.
//!
//! A token is `rt1.` and the unpadded base64url of key id (8 bytes), nonce (24), ciphertext, tag (16). The prefix
//! and the key id are authenticated along with the ciphertext. Nonces are random: with 192 bits of them a fleet
//! can mint under one key for ever without counting.

use std::{fmt, sync::Arc};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{AeadInOut, KeyInit, Tag, XChaCha20Poly1305, XNonce};

use super::{
    codec::{Codec, CodecError, InvalidRequestState},
    keys::{KeyId, KeyRing},
};
use crate::clock::Random;

const PREFIX: &str = "rt1.";
const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;
/// Where the ciphertext begins.
const HEAD_BYTES: usize = size_of::<KeyId>() + NONCE_BYTES;

pub(super) struct XChaCha {
    ring: KeyRing,
    random: Arc<dyn Random>,
}

impl XChaCha {
    pub(super) fn new(ring: KeyRing, random: Arc<dyn Random>) -> Self {
        Self { ring, random }
    }
}

impl Codec for XChaCha {
    fn seal(&self, payload: &[u8]) -> Result<String, CodecError> {
        let ring = self.ring.current();
        let key = ring.minter();
        let mut nonce = XNonce::default();
        self.random.fill(&mut nonce).map_err(|_| CodecError::new("the source of randomness failed"))?;

        let mut sealed = Vec::with_capacity(HEAD_BYTES + payload.len() + TAG_BYTES);
        sealed.extend_from_slice(&key.id);
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(payload);
        let tag = XChaCha20Poly1305::new((&**key.secret).into())
            .encrypt_inout_detached(&nonce, &associated_data(key.id), (&mut sealed[HEAD_BYTES..]).into())
            .map_err(|_| CodecError::new("the state is too long for the cipher"))?;
        sealed.extend_from_slice(&tag);

        let mut token = String::with_capacity(PREFIX.len() + sealed.len().div_ceil(3) * 4);
        token.push_str(PREFIX);
        URL_SAFE_NO_PAD.encode_string(&sealed, &mut token);
        Ok(token)
    }

    fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
        let body = token.strip_prefix(PREFIX).ok_or(InvalidRequestState::malformed())?;
        // This engine knows one spelling for each sequence of bytes: no padding, no other alphabet, no white space,
        // and the unused bits of the last character are zero.
        let mut sealed = URL_SAFE_NO_PAD.decode(body).map_err(|_| InvalidRequestState::malformed())?;
        let (head, ciphertext) =
            sealed.split_at_mut_checked(HEAD_BYTES).ok_or(InvalidRequestState::malformed())?;
        let (payload, tag) =
            ciphertext.split_last_chunk_mut::<TAG_BYTES>().ok_or(InvalidRequestState::malformed())?;
        let (id, nonce) = head.split_first_chunk().ok_or(InvalidRequestState::malformed())?;
        let nonce = XNonce::try_from(nonce).map_err(|_| InvalidRequestState::malformed())?;

        let ring = self.ring.current();
        let key = ring.find(*id).ok_or(InvalidRequestState::unknown_key())?;
        XChaCha20Poly1305::new((&**key.secret).into())
            .decrypt_inout_detached(&nonce, &associated_data(*id), payload.into(), &Tag::from(*tag))
            .map_err(|_| InvalidRequestState::tampered())?;
        sealed.truncate(sealed.len() - TAG_BYTES);
        sealed.drain(..HEAD_BYTES);
        Ok(sealed)
    }
}

impl fmt::Debug for XChaCha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XChaCha").field("ring", &self.ring).finish_non_exhaustive()
    }
}

/// What the tag vouches for beside the ciphertext.
fn associated_data(id: KeyId) -> [u8; PREFIX.len() + size_of::<KeyId>()] {
    let mut data = [0; PREFIX.len() + size_of::<KeyId>()];
    data[..PREFIX.len()].copy_from_slice(PREFIX.as_bytes());
    data[PREFIX.len()..].copy_from_slice(&id);
    data
}
