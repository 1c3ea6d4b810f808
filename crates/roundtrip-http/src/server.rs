//! The server's side: a [`Service`] that takes requests and hands them to a server without a socket.
//!
//! The way of a request: the [guard](Guard), the HTTP method, the media types, the [body](receive), then
//! [`classify`](roundtrip_protocol::inbound::classify) and [`Serve::serve`]; and [back](reply) as one JSON body or an
//! event stream.

use std::{
    convert::Infallible,
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body;
use pin_project_lite::pin_project;
use roundtrip_server::exchange::{Exchange, Outbox, Serve};
use tower_service::Service;

use crate::media::Kind;

mod accept;
mod cors;
mod guard;
mod listener;
mod receive;
mod reply;

pub use guard::{DangerousGuard, Guard, GuardError};
pub use listener::{Listener, Serving, serve};
pub use reply::ResponseBody;

use accept::Accepted;
use guard::Forbidden;
use receive::{Receive, Unreceived};
use reply::{Refusal, Running};

/// A server as an HTTP service: Streamable HTTP of the protocol revision 2026-07-28.
///
/// It is a [`tower_service::Service`] for any request body, cheap to clone, and doesn't look at the path, so that it
/// can be mounted wherever one likes (in axum: `.route_service("/mcp", service)` or `.nest_service("/mcp", service)`).
/// [`serve`] runs it without a framework.
///
/// ```
/// use roundtrip_http::{Guard, StreamableHttp};
/// use roundtrip_server::McpServer;
///
/// let server = McpServer::builder("Provisioner").build()?;
/// let service = StreamableHttp::new(server)
///     .guard(Guard::default().allow_host("mcp.example.com")?)
///     .body_limit(64 * 1024);
/// # drop(service);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// Each `POST` is one JSON-RPC message. Its answer is one JSON body, or, from the first notification that the handler
/// sends on, an event stream that ends with the response. A client that goes away cancels its call: whoever drops the
/// service's future or its response's body drops the handler with it. Nothing is spawned.
///
/// | refused with | |
/// |---|---|
/// | 403 | a `Host` or an `Origin` that the [`Guard`] doesn't serve |
/// | 405 | any method but `POST`, and but a preflight request of a page that the guard serves |
/// | 406 | a client that accepts neither JSON nor event streams, and one that wants to listen without them |
/// | 408 | a body that takes [too long](Self::body_timeout) to come |
/// | 413 | a body over the [limit](Self::body_limit) |
/// | 415 | a body that isn't `application/json` in UTF-8 |
/// | 400, 404 | what is wrong with the message itself, by its JSON-RPC error code |
///
/// Every one of them has a JSON-RPC error as its body, with the request's id where that could be read.
/// `Mcp-Session-Id` and `Last-Event-ID` are ignored.
///
/// It runs on Tokio, with the runtime's timer enabled (as `#[tokio::main]` has it).
///
/// A web page whose origin the guard serves may read the answers (CORS), without cookies.
pub struct StreamableHttp<S> {
    server: S,
    settings: Arc<Settings>,
}

#[derive(Clone, Debug)]
struct Settings {
    guard: Guard,
    body_limit: usize,
    body_timeout: Duration,
    keep_alive: Option<Duration>,
    outbox_capacity: usize,
}

pin_project! {
    /// The answer to one request, on its way. Dropping it cancels the call.
    #[must_use = "futures do nothing unless polled"]
    pub struct ResponseFuture<S, B> {
        #[pin]
        state: State<S, B>,
        origin: Option<HeaderValue>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<S, B> {
        Answered { response: Option<Response<ResponseBody>> },
        Receiving { #[pin] body: Receive<B>, call: Option<Call<S>> },
        Running { running: Option<Running> },
    }
}

/// What is known of a call before its body has come.
struct Call<S> {
    server: S,
    settings: Arc<Settings>,
    exchange: Exchange,
    accepted: Accepted,
    refusal: Option<Refusal>,
}

impl<S: Serve> StreamableHttp<S> {
    /// The largest request body unless [`body_limit`](Self::body_limit) says otherwise: 4 MiB.
    pub const DEFAULT_BODY_LIMIT: usize = 4 * 1024 * 1024;
    /// How long a request body may take to come unless [`body_timeout`](Self::body_timeout) says otherwise: 60
    /// seconds.
    pub const DEFAULT_BODY_TIMEOUT: Duration = Duration::from_secs(60);
    /// How long an event stream is silent before a comment keeps it open, unless [`keep_alive`](Self::keep_alive)
    /// says otherwise: 15 seconds.
    pub const DEFAULT_KEEP_ALIVE: Duration = Duration::from_secs(15);

    /// Serves `server` with the default settings.
    pub fn new(server: S) -> Self {
        let settings = Settings {
            guard: Guard::default(),
            body_limit: Self::DEFAULT_BODY_LIMIT,
            body_timeout: Self::DEFAULT_BODY_TIMEOUT,
            keep_alive: Some(Self::DEFAULT_KEEP_ALIVE),
            outbox_capacity: Outbox::DEFAULT_CAPACITY,
        };
        Self { server, settings: Arc::new(settings) }
    }

    /// Which hosts and origins are served; the default is loopback alone.
    #[must_use]
    pub fn guard(self, guard: Guard) -> Self {
        self.set(|settings| settings.guard = guard)
    }

    /// The largest request body, in bytes. A larger one is refused with 413 and never held. A `subscriptions/listen`
    /// request, which is held for as long as its stream, may have 64 KiB at most.
    #[must_use]
    pub fn body_limit(self, bytes: usize) -> Self {
        self.set(|settings| settings.body_limit = bytes)
    }

    /// How long a request body may take to come, from the first byte to the last. A slower one is refused with 408.
    #[must_use]
    pub fn body_timeout(self, bound: Duration) -> Self {
        self.set(|settings| settings.body_timeout = bound)
    }

    /// How long an event stream is silent before a comment is sent, so that nobody on the way takes the connection
    /// for dead.
    #[must_use]
    pub fn keep_alive(self, interval: Duration) -> Self {
        self.set(|settings| settings.keep_alive = Some(interval))
    }

    /// Sends no comments on a silent event stream.
    #[must_use]
    pub fn without_keep_alive(self) -> Self {
        self.set(|settings| settings.keep_alive = None)
    }

    /// How many notifications of one call wait for a client that reads slowly before the handler has to wait too;
    /// 16 by default, at least 1.
    #[must_use]
    pub fn outbox_capacity(self, messages: usize) -> Self {
        self.set(|settings| settings.outbox_capacity = messages)
    }

    fn set(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    fn respond<B: Body>(&self, request: Request<B>) -> ResponseFuture<S, B> {
        let (parts, body) = request.into_parts();
        let origin = match self.settings.guard.check(&parts.uri, &parts.headers) {
            Ok(origin) => origin.cloned(),
            Err(forbidden) => {
                return ResponseFuture::answered(forbidden_response(forbidden, &parts.headers), None);
            }
        };
        if parts.method != Method::POST {
            let response = match origin.as_ref().and_then(|_| cors::preflight(&parts.method, &parts.headers))
            {
                Some(response) => response,
                None => method_not_allowed(),
            };
            return ResponseFuture::answered(response, origin);
        }
        let accepted = Accepted::of(&parts.headers);
        let refusal = if Kind::of(&parts.headers) != Some(Kind::Json) {
            Some(Refusal::UNSUPPORTED_MEDIA_TYPE)
        } else if parts.headers.get_all(header::CONTENT_ENCODING).iter().any(|coding| coding != "identity") {
            Some(Refusal::UNSUPPORTED_ENCODING)
        } else if accepted.nothing() {
            Some(Refusal::NOT_ACCEPTABLE)
        } else {
            None
        };
        let expects = parts.headers.contains_key(header::EXPECT);
        let body = Receive::new(body, self.settings.body_limit, self.settings.body_timeout, expects);
        let call = Call {
            server: self.server.clone(),
            settings: Arc::clone(&self.settings),
            exchange: Exchange::http(parts.headers, parts.extensions),
            accepted,
            refusal,
        };
        ResponseFuture { state: State::Receiving { body, call: Some(call) }, origin }
    }
}

impl<S: Serve> From<S> for StreamableHttp<S> {
    fn from(server: S) -> Self {
        Self::new(server)
    }
}

impl<S: Serve, B: Body> Service<Request<B>> for StreamableHttp<S> {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = ResponseFuture<S, B>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        self.respond(request)
    }
}

impl<S, B> ResponseFuture<S, B> {
    fn answered(response: Response<ResponseBody>, origin: Option<HeaderValue>) -> Self {
        Self { state: State::Answered { response: Some(response) }, origin }
    }
}

impl<S: Serve, B: Body> Future for ResponseFuture<S, B> {
    type Output = Result<Response<ResponseBody>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let mut response = loop {
            let next = match this.state.as_mut().project() {
                StateProjection::Answered { response } => {
                    break response.take().expect("a future is not polled after it is ready");
                }
                StateProjection::Receiving { body, call } => {
                    let received = ready!(body.poll(context));
                    let call = call.take().expect("a call is taken once");
                    call.received(received)
                }
                StateProjection::Running { running } => {
                    let response = ready!(Running::poll_response(running, context));
                    State::Answered { response: Some(response) }
                }
            };
            this.state.set(next);
        };
        if let Some(origin) = this.origin.take() {
            cors::allow(origin, response.headers_mut());
        }
        Poll::Ready(Ok(response))
    }
}

impl<S: Serve> Call<S> {
    fn received<B>(self, body: Result<bytes::Bytes, Unreceived>) -> State<S, B> {
        let refused = |refusal: Refusal, body: &[u8]| State::Answered {
            response: Some(refusal.response_to(self.exchange.headers(), body)),
        };
        match (body, self.refusal) {
            (Err(Unreceived::TooLarge), _) => refused(Refusal::PAYLOAD_TOO_LARGE, &[]),
            (Err(Unreceived::TooSlow), _) => refused(Refusal::REQUEST_TIMEOUT, &[]),
            (Err(Unreceived::Broken), _) => refused(Refusal::BROKEN_BODY, &[]),
            (Ok(body), Some(refusal)) => refused(refusal, &body),
            (Ok(body), None) => {
                let running = Running::start(
                    self.server,
                    self.exchange,
                    body,
                    self.accepted,
                    self.settings.outbox_capacity,
                    self.settings.keep_alive,
                );
                State::Running { running: Some(running) }
            }
        }
    }
}

fn forbidden_response(forbidden: Forbidden, headers: &HeaderMap) -> Response<ResponseBody> {
    let (refusal, header) = match forbidden {
        Forbidden::Host => (Refusal::FORBIDDEN_HOST, header::HOST),
        Forbidden::Origin => (Refusal::FORBIDDEN_ORIGIN, header::ORIGIN),
    };
    tracing::warn!(header = %header, value = ?headers.get(&header), "refused a request: `Guard` says what is served");
    refusal.response()
}

fn method_not_allowed() -> Response<ResponseBody> {
    let mut response = Refusal::METHOD_NOT_ALLOWED.response();
    debug_assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

impl<S: Clone> Clone for StreamableHttp<S> {
    fn clone(&self) -> Self {
        Self { server: self.server.clone(), settings: Arc::clone(&self.settings) }
    }
}

impl<S> fmt::Debug for StreamableHttp<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamableHttp").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<S, B> fmt::Debug for ResponseFuture<S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}
