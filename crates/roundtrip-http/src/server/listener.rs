//! A TCP listener that serves without a web framework.

use std::{
    convert::Infallible,
    fmt,
    future::{Future, IntoFuture, Pending, pending},
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use http::{Request, Response};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use roundtrip_server::exchange::Serve;
use tokio::{
    net::{TcpListener, TcpStream, ToSocketAddrs},
    select,
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{ResponseBody, ResponseFuture, StreamableHttp, reply::Refusal};

/// How long nothing is accepted after the system refused to hand over a connection, for instance because too many
/// files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long a connection may be idle, or take for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Serves `server` at `http://{address}/mcp` until the process ends.
///
/// `server` is an `McpServer`, a low-level `Server`, or a [`StreamableHttp`] with settings of its own. [`Listener`] has
/// more to set, and a graceful shutdown.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let server = roundtrip_server::McpServer::builder("Provisioner").build()?;
/// roundtrip_http::serve(server, "127.0.0.1:8000").await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// An address that can't be bound.
pub async fn serve<S: Serve>(
    server: impl Into<StreamableHttp<S>>,
    address: impl ToSocketAddrs,
) -> io::Result<()> {
    Listener::bind(address).await?.serve(server).await
}

/// A bound TCP socket, from which a server can be served over HTTP/1.1.
///
/// Bind first, then serve: between the two the address is known, and clients may connect already. A connection that is
/// idle for 30 seconds, or takes longer for the head of a request, is closed.
///
/// ```no_run
/// # async fn example<S: roundtrip_server::exchange::Serve>(server: S) -> std::io::Result<()> {
/// let listener = roundtrip_http::Listener::bind("127.0.0.1:0").await?;
/// let url = format!("http://{}/mcp", listener.local_addr()?);
/// # let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
/// listener.serve(server).with_graceful_shutdown(async { _ = stopped.await }).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Listener {
    tcp: TcpListener,
    path: String,
    drain_timeout: Duration,
    max_connections: usize,
}

/// A server that is served from a [`Listener`] once this is awaited. Dropping it ends all of its connections at once.
#[must_use = "nothing is served unless this is awaited"]
pub struct Serving<S, F = Pending<()>> {
    listener: Listener,
    service: StreamableHttp<S>,
    signal: F,
}

impl Listener {
    /// Where the endpoint is unless [`path`](Self::path) says otherwise.
    pub const DEFAULT_PATH: &str = "/mcp";
    /// How long a graceful shutdown waits unless [`drain_timeout`](Self::drain_timeout) says otherwise: 10 seconds.
    pub const DEFAULT_DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
    /// How many connections there are at the same time unless [`max_connections`](Self::max_connections) says
    /// otherwise: 10,000.
    pub const DEFAULT_MAX_CONNECTIONS: usize = 10_000;

    /// Binds an address, such as `"127.0.0.1:8000"`; port 0 takes a free one.
    ///
    /// # Errors
    ///
    /// An address that can't be found or bound.
    pub async fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        Ok(Self {
            tcp: TcpListener::bind(address).await?,
            path: normal(Self::DEFAULT_PATH),
            drain_timeout: Self::DEFAULT_DRAIN_TIMEOUT,
            max_connections: Self::DEFAULT_MAX_CONNECTIONS,
        })
    }

    /// The address that was bound, with its port.
    ///
    /// # Errors
    ///
    /// Whatever the system has to say against it.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }

    /// The path of the endpoint, with or without a slash at its end; a request may have it either way. Other paths get
    /// 404.
    #[must_use]
    pub fn path(mut self, path: &str) -> Self {
        self.path = normal(path);
        self
    }

    /// How long a graceful shutdown waits for calls that are running; then they are cancelled.
    #[must_use]
    pub fn drain_timeout(mut self, bound: Duration) -> Self {
        self.drain_timeout = bound;
        self
    }

    /// How many connections there are at the same time, at least 1. More wait in the system's own queue until one ends.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections.max(1);
        self
    }

    /// Serves `server` from here: an `McpServer`, a low-level `Server`, or a [`StreamableHttp`] with settings of its
    /// own.
    pub fn serve<S: Serve>(self, server: impl Into<StreamableHttp<S>>) -> Serving<S> {
        Serving { listener: self, service: server.into(), signal: pending() }
    }
}

impl<S: Serve, F> Serving<S, F> {
    /// Ends serving when `signal` does: nothing more is accepted, listening streams end with their result, calls may
    /// finish within the [drain timeout](Listener::drain_timeout), and what is left then is cancelled.
    pub fn with_graceful_shutdown<G>(self, signal: G) -> Serving<S, G>
    where
        G: Future<Output = ()> + Send + 'static,
    {
        Serving { listener: self.listener, service: self.service, signal }
    }
}

impl<S: Serve, F: Future<Output = ()> + Send + 'static> IntoFuture for Serving<S, F> {
    type Output = io::Result<()>;
    type IntoFuture = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            run(self.listener, self.service, self.signal).await;
            Ok(())
        })
    }
}

async fn run<S: Serve>(listener: Listener, service: StreamableHttp<S>, signal: impl Future<Output = ()>) {
    let Listener { tcp, path, drain_timeout, max_connections } = listener;
    let endpoint = Endpoint { service, path: path.into() };
    let (stop, stopped) = watch::channel(());
    let mut connections = JoinSet::new();
    let mut signal = pin!(signal);
    loop {
        select! {
            () = &mut signal => break,
            Some(ended) = connections.join_next() => report(ended),
            stream = accept(&tcp), if connections.len() < max_connections => {
                connections.spawn(connection(stream, endpoint.clone(), stopped.clone()));
            }
        }
    }
    drop(tcp);
    stop.send_replace(());
    endpoint.service.server.close_streams();
    let drained = async {
        while let Some(ended) = connections.join_next().await {
            report(ended);
        }
    };
    if timeout(drain_timeout, drained).await.is_err() {
        tracing::warn!(
            connections = connections.len(),
            "calls were still running after the drain timeout: cancelled"
        );
        connections.shutdown().await;
    }
}

async fn accept(tcp: &TcpListener) -> TcpStream {
    loop {
        match tcp.accept().await {
            Ok((stream, _)) => return stream,
            // The client that was about to connect is gone; that says nothing about the next one.
            Err(error) if is_about_the_peer(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection could be accepted");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn is_about_the_peer(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn connection<S: Serve>(stream: TcpStream, endpoint: Endpoint<S>, mut stopped: watch::Receiver<()>) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection is slower than it could be");
    }
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), endpoint));
    let ended = select! {
        biased;
        ended = connection.as_mut() => ended,
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}

fn report(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection's task failed; others go on");
    }
}

/// Without the slash at the end and with the one at the beginning.
fn normal(path: &str) -> String {
    match path.trim_matches('/') {
        "" => String::new(),
        path => format!("/{path}"),
    }
}

/// The service at its path.
struct Endpoint<S> {
    service: StreamableHttp<S>,
    path: Arc<str>,
}

impl<S: Clone> Clone for Endpoint<S> {
    fn clone(&self) -> Self {
        Self { service: self.service.clone(), path: Arc::clone(&self.path) }
    }
}

impl<S: Serve> hyper::service::Service<Request<Incoming>> for Endpoint<S> {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = ResponseFuture<S, Incoming>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let path = request.uri().path();
        if path.strip_suffix('/').unwrap_or(path) == &*self.path {
            self.service.respond(request)
        } else {
            ResponseFuture::answered(Refusal::NOT_FOUND.response(), None)
        }
    }
}

impl<S, F> fmt::Debug for Serving<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serving").field("listener", &self.listener).finish_non_exhaustive()
    }
}
