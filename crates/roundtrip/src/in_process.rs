//! A client and a server in one process: the same messages, classified and served the same way, without a socket.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::Poll,
};

use bytes::Bytes;
use roundtrip_client::{BoxFuture, IntoTransport, Messages, Outgoing, Transport, TransportError};
use roundtrip_protocol::inbound::{Wire, classify};
use roundtrip_server::{
    McpServer, Serve,
    exchange::{Exchange, Inbox, Outbox, Reply},
    lowlevel::Server,
};

/// Marks that a server in this process can be connected to.
#[derive(Debug)]
#[non_exhaustive]
pub struct InProcess;

/// A server as a client's transport.
#[derive(Debug)]
pub struct InProcessTransport<S>(S);

macro_rules! connectable {
    ($($Server:ty)*) => {$(
        impl IntoTransport<InProcess> for &$Server {
            type Transport = InProcessTransport<$Server>;

            fn into_transport(self) -> Result<Self::Transport, roundtrip_client::Error> {
                Ok(InProcessTransport(self.clone()))
            }
        }
    )*};
}

connectable!(McpServer Server);

impl<S: Serve> Transport for InProcessTransport<S> {
    fn exchange(&self, request: Outgoing) -> BoxFuture<'_, Result<Box<dyn Messages>, TransportError>> {
        let server = self.0.clone();
        let (outbox, inbox) = Outbox::bounded(Outbox::DEFAULT_CAPACITY);
        let body = request.body;
        let serving = Box::pin(async move {
            match classify(Wire::Pipe, &body) {
                Ok(inbound) => server.serve(inbound, Arc::new(Exchange::local()), outbox).await,
                Err(rejection) => Reply::new(rejection.status, rejection.to_json()),
            }
        });
        let messages: Box<dyn Messages> =
            Box::new(InProcessMessages { serving: Some(serving), inbox, reply: None });
        Box::pin(std::future::ready(Ok(messages)))
    }
}

/// The messages of one request. It holds the call itself, so that dropping it cancels the call.
struct InProcessMessages {
    serving: Option<Pin<Box<dyn Future<Output = Reply> + Send>>>,
    inbox: Inbox,
    reply: Option<Bytes>,
}

impl Messages for InProcessMessages {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>> {
        Box::pin(poll_fn(|context| {
            if let Some(serving) = &mut self.serving
                && let Poll::Ready(reply) = serving.as_mut().poll(context)
            {
                (self.serving, self.reply) = (None, Some(reply.body));
            }
            if self.serving.is_none() {
                // What was sent before the reply comes before it.
                return Poll::Ready(Ok(self.inbox.try_recv().or_else(|| self.reply.take())));
            }
            match self.inbox.poll_recv(context) {
                Poll::Ready(Some(message)) => Poll::Ready(Ok(Some(message))),
                // A handler that let go of its context says nothing more, and is still at work.
                Poll::Ready(None) | Poll::Pending => Poll::Pending,
            }
        }))
    }
}
