//! What passes between a transport and a server beside the message itself.
//!
//! A transport classifies bytes, then hands the message to [`Serve::serve`] together with an [`Exchange`] (what
//! it knows about the request) and an [`Outbox`] (where notifications about the request go). What comes back is
//! one [`Reply`]. Dropping the future cancels the call.

use std::{future::Future, pin::Pin, sync::Arc, task::Context, task::Poll};

use bytes::Bytes;
use http::{Extensions, HeaderMap, StatusCode};
use roundtrip_protocol::inbound::Inbound;
use tokio::sync::mpsc;

/// A future that can be kept in a struct and sent to another thread.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A server as a transport sees it: [`McpServer`](crate::McpServer) and the low-level
/// [`Server`](crate::lowlevel::Server).
///
/// This trait is sealed: it is here to be called, not to be implemented.
pub trait Serve: sealed::Sealed + Clone + Send + Sync + 'static {
    /// Answers one message. Never panics; dropping the future cancels the call.
    ///
    /// Spawns nothing, so that a call costs no more than its handler.
    fn serve<'a>(
        &'a self,
        inbound: Inbound<'a>,
        exchange: Arc<Exchange>,
        outbox: Outbox,
    ) -> impl Future<Output = Reply> + Send + 'a;

    /// Ends every open `subscriptions/listen` stream with its result, as part of a graceful shutdown.
    fn close_streams(&self);
}

pub(crate) mod sealed {
    /// Keeps [`Serve`](super::Serve) closed, so that methods can be added to it.
    pub trait Sealed {}
}

/// What a transport knows about a request beside its bytes: HTTP headers, and what layers in front of the
/// server left in the extensions (such as a verified [`Principal`](crate::Principal)).
#[derive(Debug, Default)]
pub struct Exchange {
    headers: Option<HeaderMap>,
    extensions: Extensions,
}

impl Exchange {
    /// A request that came over HTTP.
    #[must_use]
    pub fn http(headers: HeaderMap, extensions: Extensions) -> Self {
        Self { headers: Some(headers), extensions }
    }

    /// A request that came from this process or through a pipe: no headers.
    #[must_use]
    pub fn local() -> Self {
        Self::default()
    }

    /// Adds what a layer knows, to be read from [`extensions`](Self::extensions).
    #[must_use]
    pub fn with_extension<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// The HTTP headers; `None` where the transport has none.
    #[must_use]
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.headers.as_ref()
    }

    /// What layers in front of the server left here.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }
}

/// Where notifications about one request go, each a whole JSON-RPC message, in order, before the reply.
///
/// It is bounded: a sender waits while the reader is slow, and nothing piles up.
#[derive(Clone, Debug)]
pub struct Outbox(mpsc::Sender<Bytes>);

/// The transport's end of an [`Outbox`].
#[derive(Debug)]
pub struct Inbox(mpsc::Receiver<Bytes>);

impl Outbox {
    /// How many messages wait for a slow reader before the sender has to wait too.
    pub const DEFAULT_CAPACITY: usize = 16;

    /// An outbox for one request, and the end to read it from. A capacity of 0 counts as 1.
    #[must_use]
    pub fn bounded(capacity: usize) -> (Self, Inbox) {
        let (sender, receiver) = mpsc::channel(capacity.max(1));
        (Self(sender), Inbox(receiver))
    }

    /// Sends one message; waits while the outbox is full. `false` when nobody reads any more.
    pub(crate) async fn send(&self, message: Bytes) -> bool {
        self.0.send(message).await.is_ok()
    }
}

impl Inbox {
    /// The next message; `None` once the request is answered and all was read.
    pub async fn recv(&mut self) -> Option<Bytes> {
        self.0.recv().await
    }

    /// As [`recv`](Self::recv), for a transport that drives its own future.
    pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        self.0.poll_recv(context)
    }

    /// A message that is there already.
    pub fn try_recv(&mut self) -> Option<Bytes> {
        self.0.try_recv().ok()
    }
}

/// The answer to one message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The HTTP status, where the transport is HTTP and no event stream has begun.
    pub status: StatusCode,
    /// One JSON-RPC response; empty for a notification, which is not answered.
    pub body: Bytes,
}

impl Reply {
    /// A reply with this status and body.
    #[must_use]
    pub fn new(status: StatusCode, body: impl Into<Bytes>) -> Self {
        Self { status, body: body.into() }
    }

    /// What a notification gets: 202 and no body.
    #[must_use]
    pub fn accepted() -> Self {
        Self::new(StatusCode::ACCEPTED, Bytes::new())
    }
}
