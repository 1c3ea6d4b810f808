//! The way back: one JSON body, or an event stream from the first notification on.

use std::{
    convert::Infallible,
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};
use roundtrip_protocol::{
    inbound::{Inbound, Wire, classify},
    methods::Method,
};
use roundtrip_server::exchange::{Exchange, Inbox, Outbox, Reply, Serve};

use self::stream::EventStream;
use super::accept::Accepted;
use crate::sse;

mod refusal;
mod stream;

pub(super) use refusal::Refusal;

/// The server at work on one message.
type Work = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// A message that is being served, and what its answer depends on.
pub(super) struct Running {
    work: Work,
    inbox: Inbox,
    accepted: Accepted,
    keep_alive: Option<Duration>,
}

/// The body of a response. An event stream drives the handler itself: dropping the body cancels the call.
pub struct ResponseBody(Content);

enum Content {
    Whole(Bytes),
    Stream(Box<EventStream>),
}

impl Running {
    pub(super) fn start<S: Serve>(
        server: S,
        exchange: Exchange,
        body: Bytes,
        accepted: Accepted,
        capacity: usize,
        keep_alive: Option<Duration>,
    ) -> Self {
        let (outbox, inbox) = Outbox::bounded(capacity);
        let work = Box::pin(work(server, exchange, body, accepted, outbox));
        Self { work, inbox, accepted, keep_alive }
    }

    /// Waits for the answer or the first notification, whichever is first. Takes `running` when it is ready.
    pub(super) fn poll_response(
        running: &mut Option<Self>,
        context: &mut Context<'_>,
    ) -> Poll<Response<ResponseBody>> {
        let this = running.as_mut().expect("a response is made once");
        let stream = match this.work.as_mut().poll(context) {
            Poll::Ready(reply) => return Poll::Ready(this.finished(&reply)),
            Poll::Pending => ready!(this.poll_first_event(context)),
        };
        let this = running.take().expect("it was there a moment ago");
        let stream = EventStream::new(this.work, this.inbox, stream, this.keep_alive);
        Poll::Ready(event_stream(Content::Stream(Box::new(stream))))
    }

    /// Waits for a notification, if the client can be sent any. Ends with the beginning of the event stream.
    fn poll_first_event(&mut self, context: &mut Context<'_>) -> Poll<Vec<u8>> {
        while let Poll::Ready(Some(message)) = self.inbox.poll_recv(context) {
            if self.accepted.event_stream {
                let mut stream = Vec::new();
                sse::encode(&message, &mut stream);
                return Poll::Ready(stream);
            }
        }
        Poll::Pending
    }

    /// The answer came before anything was sent. An error still gets its own status then, and only a success is worth
    /// an event stream for what was said on the way.
    fn finished(&mut self, reply: &Reply) -> Response<ResponseBody> {
        if reply.status == StatusCode::OK && self.accepted.event_stream {
            let mut stream = Vec::new();
            while let Some(message) = self.inbox.try_recv() {
                sse::encode(&message, &mut stream);
            }
            if !stream.is_empty() || !self.accepted.json {
                sse::encode(&reply.body, &mut stream);
                return event_stream(Content::Whole(stream.into()));
            }
        }
        whole(reply.status, reply.body.clone())
    }
}

/// The largest `subscriptions/listen` request, in bytes: it is held for as long as its stream is open.
const LISTEN_BODY_LIMIT: usize = 64 * 1024;

async fn work<S: Serve>(
    server: S,
    exchange: Exchange,
    body: Bytes,
    accepted: Accepted,
    outbox: Outbox,
) -> Reply {
    let wire = exchange.headers().map_or(Wire::Pipe, Wire::Http);
    let inbound = match classify(wire, &body) {
        Ok(inbound) => inbound,
        Err(rejection) => return Reply::new(rejection.status, rejection.to_json()),
    };
    if let Inbound::Request(request) = &inbound
        && request.method == Method::SubscriptionsListen
    {
        if !accepted.event_stream {
            return Refusal::NOT_ACCEPTABLE.reply(Some(&request.id));
        }
        if body.len() > LISTEN_BODY_LIMIT {
            return Refusal::PAYLOAD_TOO_LARGE.reply(Some(&request.id));
        }
    }
    server.serve(inbound, Arc::new(exchange), outbox).await
}

fn whole(status: StatusCode, body: Bytes) -> Response<ResponseBody> {
    let typed = !body.is_empty();
    let mut response = Response::new(ResponseBody(Content::Whole(body)));
    *response.status_mut() = status;
    if typed {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    response
}

fn event_stream(content: Content) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody(content));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

impl ResponseBody {
    pub(super) fn empty() -> Self {
        Self(Content::Whole(Bytes::new()))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = match &mut self.0 {
            Content::Whole(bytes) => Some(std::mem::take(bytes)).filter(|bytes| !bytes.is_empty()),
            Content::Stream(stream) => ready!(stream.poll_events(context)),
        };
        Poll::Ready(frame.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Content::Whole(bytes) => bytes.is_empty(),
            Content::Stream(stream) => stream.is_finished(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Content::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Stream(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Content::Whole(_) => "whole",
            Content::Stream(_) => "event stream",
        };
        f.debug_tuple("ResponseBody").field(&kind).finish()
    }
}
