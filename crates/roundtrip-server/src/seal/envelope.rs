//! What is sealed: the claims that bind a state, and the state.
//!
//! The payload is one line of compact JSON with the claims, a line feed, and the state as it is. Compact JSON holds
//! no line feed, so the first one ends the claims, and the state needs no escaping and keeps every character.

use std::{
    borrow::Cow,
    time::{Duration, SystemTime},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hkdf::hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::refusal::Reason;

const VERSION: u8 = 1;
/// What the salted hash of a principal is for.
const PRINCIPAL_INFO: &[u8] = b"roundtrip/request-state/v1/principal";
/// How much of that hash is kept. Nobody can look for collisions, as the salt is not theirs to choose.
const PRINCIPAL_TAG_BYTES: usize = 16;

pub(super) type Salt = [u8; 8];

/// A moment, in milliseconds since 1970. What lies before counts as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Millis(u64);

impl Millis {
    pub(super) fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(millis(duration)))
    }
}

impl From<SystemTime> for Millis {
    fn from(moment: SystemTime) -> Self {
        Self(moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0, millis))
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The SHA-256 of canonical arguments, as it stands in the claims: 43 characters of base64url.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ArgumentsDigest([u8; 43]);

impl ArgumentsDigest {
    pub(super) fn of(canonical: &[u8]) -> Self {
        use sha2::Digest as _;
        let mut text = [0; 43];
        URL_SAFE_NO_PAD
            .encode_slice(Sha256::digest(canonical), &mut text)
            .expect("32 bytes are 43 characters of base64");
        Self(text)
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.0).expect("base64 is ASCII")
    }
}

/// What a state is bound to beside its time, on its way out and in.
pub(super) struct Bound<'a> {
    pub(super) method: &'a str,
    pub(super) target: &'a str,
    pub(super) arguments: &'a ArgumentsDigest,
    pub(super) audience: Option<&'a str>,
    pub(super) principal: Option<&'a str>,
}

/// Unknown claims are refused: a binding that a later version adds must not be passed over by an earlier one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims<'a> {
    v: u8,
    iat: Millis,
    exp: Millis,
    #[serde(borrow)]
    m: Cow<'a, str>,
    #[serde(borrow)]
    t: Cow<'a, str>,
    #[serde(borrow)]
    a: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    aud: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    p: Option<Cow<'a, str>>,
}

/// Makes the payload.
pub(super) fn write(bound: &Bound<'_>, salt: Salt, issued_at: Millis, ttl: Duration, state: &str) -> Vec<u8> {
    let claims = Claims {
        v: VERSION,
        iat: issued_at,
        exp: issued_at.plus(ttl),
        m: bound.method.into(),
        t: bound.target.into(),
        a: bound.arguments.as_str().into(),
        aud: bound.audience.map(Cow::from),
        p: bound.principal.map(|principal| principal_claim(principal, salt, issued_at).into()),
    };
    let mut payload = Vec::with_capacity(256 + bound.target.len() + state.len());
    serde_json::to_writer(&mut payload, &claims).expect("strings and numbers always have a JSON form");
    payload.push(b'\n');
    payload.extend_from_slice(state.as_bytes());
    payload
}

/// Takes the payload apart and checks every claim; the state, when all of them hold.
pub(super) fn read(
    mut payload: Vec<u8>,
    bound: &Bound<'_>,
    now: Millis,
    skew: Duration,
) -> Result<String, Reason> {
    let end = payload.iter().position(|byte| *byte == b'\n').ok_or(Reason::Malformed)?;
    let claims: Claims<'_> = serde_json::from_slice(&payload[..end]).map_err(|_| Reason::Malformed)?;
    claims.check(bound, now, skew)?;
    payload.drain(..=end);
    String::from_utf8(payload).map_err(|_| Reason::Malformed)
}

impl Claims<'_> {
    fn check(&self, bound: &Bound<'_>, now: Millis, skew: Duration) -> Result<(), Reason> {
        let holds = |held: bool, otherwise: Reason| if held { Ok(()) } else { Err(otherwise) };
        holds(self.v == VERSION, Reason::Malformed)?;
        holds(self.iat <= now.plus(skew), Reason::MintedInFuture)?;
        holds(now < self.exp, Reason::Expired)?;
        holds(self.m == bound.method, Reason::MethodMismatch)?;
        holds(self.t == bound.target, Reason::TargetMismatch)?;
        holds(self.a == bound.arguments.as_str(), Reason::ArgumentsMismatch)?;
        holds(self.aud.as_deref() == bound.audience, Reason::AudienceMismatch)?;
        match (&self.p, bound.principal) {
            (None, None) => Ok(()),
            (Some(claim), Some(principal)) => {
                holds(is_principal(claim, principal, self.iat), Reason::PrincipalMismatch)
            }
            (None, Some(_)) | (Some(_), None) => Err(Reason::PrincipalDrift),
        }
    }
}

/// The salt and a hash under it, so that a codec without confidentiality does not give identities away. The moment
/// goes in as well: two tokens of one principal look unrelated.
fn principal_claim(principal: &str, salt: Salt, issued_at: Millis) -> String {
    let tag = principal_mac(principal, &salt, issued_at).finalize().into_bytes();
    let mut claim = [0; size_of::<Salt>() + PRINCIPAL_TAG_BYTES];
    let (salt_part, tag_part) = claim.split_at_mut(size_of::<Salt>());
    salt_part.copy_from_slice(&salt);
    tag_part.copy_from_slice(&tag[..PRINCIPAL_TAG_BYTES]);
    URL_SAFE_NO_PAD.encode(claim)
}

fn is_principal(claim: &str, principal: &str, issued_at: Millis) -> bool {
    let Ok(claim) = URL_SAFE_NO_PAD.decode(claim) else { return false };
    let Some((salt, tag)) = claim.split_first_chunk() else { return false };
    // Compares in constant time.
    tag.len() == PRINCIPAL_TAG_BYTES
        && principal_mac(principal, salt, issued_at).verify_truncated_left(tag).is_ok()
}

fn principal_mac(principal: &str, salt: &Salt, issued_at: Millis) -> Hmac<Sha256> {
    Hmac::<Sha256>::new_from_slice(salt)
        .expect("HMAC takes a key of any length")
        .chain_update(PRINCIPAL_INFO)
        .chain_update(issued_at.0.to_le_bytes())
        .chain_update(principal)
}
