//! From bytes and headers to a message that can be served, or to the refusal that the specification asks for.
//!
//! [`classify`] is the only place that decides which era a message belongs to. It reads the body in one borrowed pass
//! and leaves the user's values as raw JSON, so that numbers keep their digits and a handler's type is read straight
//! from the bytes of the peer.
//!
//! The checks come in a fixed order, and the first that fails gives the answer:
//!
//! 1. the body is JSON (`-32700`), and one request or notification, not nested too deeply (`-32600`);
//! 2. the version header is there (`-32020`); `_meta` names a version (`-32602`); both agree (`-32020`); it is a
//!    version that is spoken here (`-32022`); the rest of `_meta` is complete (`-32602`);
//! 3. `Mcp-Method` and, where it is required, `Mcp-Name` are there and agree with the body (`-32020`);
//! 4. the era knows the method (`-32601`).

use http::HeaderMap;
use roundtrip_types::{RequestId, RequestMeta};

use crate::{
    era::{Era, envelope},
    error::Rejection,
    methods::Method,
};

mod found;
mod message;
mod params;

pub use message::MAX_DEPTH;
pub(crate) use message::Parts;
pub use params::Params;

/// How a message came in, as far as its meaning depends on it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Wire<'h> {
    /// As the body of an HTTP request with these headers, which have to agree with the body.
    Http(&'h HeaderMap),
    /// Through something that has no headers: a pipe, or a call in the same process.
    Pipe,
}

/// A message that may be served.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "almost every message is a request; a box would cost each an allocation"
)]
pub enum Inbound<'a> {
    /// A request, to be answered once.
    Request(Request<'a>),
    /// A notification, never to be answered.
    Notification(Notification<'a>),
}

/// A request whose envelope has passed every check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The id, to be sent back with the same JSON type.
    pub id: RequestId,
    /// The era that the request belongs to.
    pub era: Era,
    /// What is asked for.
    pub method: Method,
    /// What `params._meta` says about the client and this request.
    pub meta: RequestMeta,
    /// The params, raw.
    pub params: Params<'a>,
}

/// A notification of the client.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Notification<'a> {
    /// The method, such as `notifications/cancelled`.
    pub method: std::borrow::Cow<'a, str>,
    /// The params, raw and unchecked.
    pub params: Option<&'a serde_json::value::RawValue>,
}

/// Decides what a message is, before anything of the user's runs.
///
/// # Errors
///
/// A [`Rejection`] with the code, the HTTP status and, where it could be read, the id of the message.
///
/// ```
/// use roundtrip_protocol::inbound::{Inbound, Wire, classify};
///
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
///     "name":"add","arguments":{"a":1,"b":2},
///     "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
///              "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
/// let Inbound::Request(request) = classify(Wire::Pipe, body)? else { panic!("this is a request") };
/// assert_eq!(request.params.name()?, "add");
/// assert_eq!(request.params.arguments()?.map(|raw| raw.get()), Some(r#"{"a":1,"b":2}"#));
///
/// let refusal = classify(Wire::Pipe, b"[]").unwrap_err();
/// assert_eq!(refusal.status, http::StatusCode::BAD_REQUEST);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn classify<'a>(wire: Wire<'_>, body: &'a [u8]) -> Result<Inbound<'a>, Rejection> {
    let message = message::read(body)?;
    let Some(id) = message.id else {
        return match envelope::admit_notification(wire) {
            Ok(()) => Ok(Inbound::Notification(Notification {
                params: message.params.and_then(|_| message::params_of(message.text).ok().flatten()),
                method: message.method,
            })),
            Err(error) => Err(Rejection::new(None, error)),
        };
    };
    // One era is spoken here. A second one is told apart at this place, by the presence of a version in `_meta`.
    match envelope::admit(wire, message.text, &message.method, message.params) {
        Ok(admitted) => Ok(Inbound::Request(Request {
            id,
            era: Era::Envelope,
            method: admitted.method,
            meta: admitted.meta,
            params: admitted.params,
        })),
        Err(error) => Err(Rejection::new(Some(id), envelope::help_handshake(&message.method, error))),
    }
}

#[cfg(test)]
mod tests;
