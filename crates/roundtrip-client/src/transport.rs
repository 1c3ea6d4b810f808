//! What carries a request to a server and its messages back.
//!
//! A [`Transport`] knows bytes and headers and nothing about tools or rounds: it gets one whole JSON-RPC request with
//! what has to be mirrored beside it ([`Outgoing`]), and hands back the messages that belong to this request
//! ([`Messages`]): any number of notifications, then the response. There is one stream of messages for each request,
//! so nothing has to be matched across requests, and dropping the stream is how a request is cancelled.

use std::{borrow::Cow, error::Error as StdError, fmt, future::Future, pin::Pin};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};
use roundtrip_types::RequestId;

use crate::Error;

/// A future on the heap, as the object-safe traits here return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Carries requests to one server.
///
/// Many requests run through one transport at the same time; they share nothing but the connection.
pub trait Transport: Send + Sync + 'static {
    /// Sends one request and returns the messages that answer it.
    ///
    /// The future may end as soon as the request was accepted, before the response is there. Dropping the future, or
    /// the messages that it returned, cancels the request; the transport tells the server in its own way (HTTP closes
    /// the response, a pipe sends `notifications/cancelled`) and stays usable for other requests.
    ///
    /// # Errors
    ///
    /// Whatever keeps the request from being answered: no connection, an HTTP status that isn't a success and has no
    /// JSON-RPC error in its body, a media type that isn't JSON or an event stream. A JSON-RPC error is a message like
    /// any other, whatever the HTTP status.
    fn exchange(&self, request: Outgoing) -> BoxFuture<'_, Result<Box<dyn Messages>, TransportError>>;
}

/// The messages that belong to one request: notifications, then one response.
pub trait Messages: Send {
    /// The next JSON-RPC message, whole and without framing; `None` when the stream has ended.
    ///
    /// After the response this is polled once more and not waited for, so that a stream whose end is there already is
    /// read to it.
    ///
    /// # Errors
    ///
    /// A stream that broke, or a message that is over the transport's size limit. The request is lost then.
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>>;

    /// The HTTP status that the messages came with, where there is one.
    fn status(&self) -> Option<StatusCode> {
        None
    }
}

/// One request on its way to a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outgoing {
    /// The JSON-RPC id, as it stands in the body. No other pending request of this client has it.
    pub id: RequestId,
    /// The JSON-RPC method, as it stands in the body; HTTP mirrors it as `Mcp-Method`.
    pub method: Cow<'static, str>,
    /// The tool's or prompt's name or the resource's URI, plain, for the methods that name one. HTTP mirrors it as
    /// `Mcp-Name` and encodes it there.
    pub name: Option<String>,
    /// The arguments that the tool's schema wants mirrored, already encoded as `Mcp-Param-*` headers.
    pub header_params: Vec<(HeaderName, HeaderValue)>,
    /// The protocol version that the body's `_meta` names; HTTP mirrors it as `MCP-Protocol-Version`.
    pub protocol_version: &'static str,
    /// The whole JSON-RPC request, compact and on one line.
    pub body: Bytes,
}

impl Outgoing {
    /// A request with nothing mirrored but its method and version.
    pub fn new(
        id: RequestId,
        method: impl Into<Cow<'static, str>>,
        protocol_version: &'static str,
        body: impl Into<Bytes>,
    ) -> Self {
        Self {
            id,
            method: method.into(),
            name: None,
            header_params: Vec::new(),
            protocol_version,
            body: body.into(),
        }
    }
}

/// What a client can be connected to.
///
/// `Marker` only tells implementations apart: it lets a crate that brings a transport implement this for a type of
/// the standard library, such as a URL in a `&str`. It is always inferred.
pub trait IntoTransport<Marker> {
    /// The transport that reaches the target.
    type Transport: Transport;

    /// Makes the transport. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// A target that can't be understood, such as a malformed URL. A [`TransportError`] converts.
    fn into_transport(self) -> Result<Self::Transport, Error>;
}

/// The marker of targets that are transports already.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a marker has no values, now or later")]
pub enum Direct {}

impl<T: Transport> IntoTransport<Direct> for T {
    type Transport = T;

    fn into_transport(self) -> Result<T, Error> {
        Ok(self)
    }
}

/// Why a transport couldn't carry a request or its answer.
///
/// The message is about the transport alone and lower case; the cause below it goes into
/// [`with_source`](Self::with_source).
///
/// ```
/// use roundtrip_client::TransportError;
///
/// let error = TransportError::new("the server answered 503")
///     .with_status(http::StatusCode::SERVICE_UNAVAILABLE)
///     .with_body("try later");
/// assert_eq!(error.status(), Some(http::StatusCode::SERVICE_UNAVAILABLE));
/// ```
#[derive(Debug)]
pub struct TransportError {
    message: String,
    status: Option<StatusCode>,
    body: Option<Bytes>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl TransportError {
    /// An error that says what went wrong.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), status: None, body: None, source: None }
    }

    /// Keeps the HTTP status that the server answered with.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// Keeps the beginning of the body that the server answered with. The transport bounds it.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Keeps the error below this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The HTTP status that the server answered with, if it got that far.
    pub fn status(&self) -> Option<StatusCode> {
        self.status
    }

    /// The beginning of the body that the server answered with, if it got that far.
    pub fn body(&self) -> Option<&[u8]> {
        self.body.as_deref()
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}
