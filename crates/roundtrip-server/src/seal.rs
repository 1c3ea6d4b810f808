//! Protecting `requestState`, the string that travels through the client between two rounds of one call.
//!
//! A client holds the state, may store it, and sends it back: what comes back is a stranger's input. So a handler
//! writes and reads plaintext, and on the wire there is only a sealed token. [`RequestStateSecurity`] says how to
//! seal; a server makes one [`Boundary`] of it, through which every state goes out and every state comes in.
//!
//! A token opens only as the exact string that was minted, and only for what it was minted for: within its time,
//! on the same method, tool, prompt or resource, with the same arguments, at the same service, for the same
//! principal. These bindings are the SDK's work, whoever does the cryptography: the built-in codec
//! (XChaCha20-Poly1305 under a [`KeyRing`]) or a [`Codec`] of one's own.
//!
//! Whatever is wrong with a token, the client reads the one message of [`Refusal`]; the cause is one warning with
//! the `tracing` target `roundtrip::request_state` and a stable `reason`. No log line, error or `Debug` output of
//! this module holds a key, a state, a token or a principal.

mod boundary;
mod codec;
mod envelope;
mod keys;
mod refusal;
mod security;
mod xchacha;

#[cfg(test)]
mod tests;

pub use self::{
    boundary::{Binding, Boundary},
    codec::{Codec, CodecError, InvalidRequestState},
    keys::{Key, KeyError, KeyRing},
    refusal::{Reason, Refusal, SealError},
    security::{RequestStateSecurity, SecurityError},
};
