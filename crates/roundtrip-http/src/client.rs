//! The client's side: a [`Transport`] over HTTP/1.1 with pooled connections.
//!
//! Each request is a `POST` of its own. What comes back is read as one JSON body or as an [event stream](stream), and
//! anything else is an [error](refuse) of that request alone.

use std::{fmt, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, Uri, header};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::{
    client::legacy::{self, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use roundtrip_client::{BoxFuture, Error, IntoTransport, Messages, Outgoing, Transport, TransportError};
use roundtrip_protocol::headers;

mod answer;
mod body;
mod redirect;
mod url;

/// Reaches a server over Streamable HTTP.
///
/// A URL alone, in a `&str`, a `String` or an [`Uri`], is all that `connect` needs; make one of these to set more:
///
/// ```
/// use std::time::Duration;
/// use roundtrip_http::HttpTransport;
///
/// let transport = HttpTransport::new("http://127.0.0.1:8000/mcp")?
///     .header("authorization", "Bearer 2YotnFZFEjr1zCsicMWpAA")?
///     .connect_timeout(Duration::from_secs(3));
/// # Ok::<_, roundtrip_client::TransportError>(())
/// ```
///
/// The URL is used as it is given. A redirect is followed only with 307 or 308 to the same origin, at most five times;
/// any other is an error that names the way, so headers never travel to another origin.
///
/// An answer that can't be used (a status that isn't a success and has no JSON-RPC error in its body, another media
/// type, a stream that breaks off) is an error of the one request, with the status and the beginning of the body; the
/// transport goes on. A request is never sent twice once its bytes may have reached the server.
///
/// There is no time limit on an answer here: the client's deadlines are above. Clones share their connections.
#[derive(Clone)]
pub struct HttpTransport {
    client: legacy::Client<Connector, Full<Bytes>>,
    uri: Uri,
    headers: HeaderMap,
    message_limit: usize,
}

/// Tells a URL from other things that a client can be connected to.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a marker has no values, now or later")]
pub enum Http {}

#[cfg(feature = "tls")]
type Connector = hyper_rustls::HttpsConnector<HttpConnector>;
#[cfg(not(feature = "tls"))]
type Connector = HttpConnector;

/// How long a connection is kept for the next request: shorter than servers usually keep it, so that a request
/// seldom meets a connection that is just being closed.
const IDLE: Duration = Duration::from_secs(20);

const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl HttpTransport {
    /// The largest message that is read unless [`message_limit`](Self::message_limit) says otherwise: 16 MiB.
    pub const DEFAULT_MESSAGE_LIMIT: usize = 16 * 1024 * 1024;
    /// How long a TCP connection may take to be made unless [`connect_timeout`](Self::connect_timeout) says otherwise:
    /// 10 seconds.
    pub const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
    /// How many redirects are followed for one request.
    pub const MAX_REDIRECTS: usize = 5;

    /// Will reach the server at this URL. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// A text that isn't a URL with `http` or `https` and a host; and `https` without the feature `tls`.
    pub fn new(url: impl AsRef<str>) -> Result<Self, TransportError> {
        url::parse(url.as_ref()).and_then(Self::to)
    }

    fn to(uri: Uri) -> Result<Self, TransportError> {
        url::check(&uri)?;
        Ok(Self {
            client: client(Self::DEFAULT_CONNECT_TIMEOUT),
            uri,
            headers: HeaderMap::new(),
            message_limit: Self::DEFAULT_MESSAGE_LIMIT,
        })
    }

    /// Sends this header with every request, in place of one of the same name from before. Its value is treated as a
    /// secret: it is shown nowhere.
    ///
    /// # Errors
    ///
    /// A name or a value that HTTP doesn't allow, and a header that the transport sets by itself.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, TransportError> {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| {
            TransportError::new(format!("{name:?} is not a header name")).with_source(error)
        })?;
        if is_ours(&name) {
            return Err(TransportError::new(format!(
                "the transport sets the header {name} by itself; leave it out"
            )));
        }
        let mut value = HeaderValue::from_str(value).map_err(|error| {
            TransportError::new(format!("the value of {name} has characters that a header can't hold"))
                .with_source(error)
        })?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }

    /// The largest message that is read, in bytes, be it a body or an event. A larger one fails its request.
    #[must_use]
    pub fn message_limit(mut self, bytes: usize) -> Self {
        self.message_limit = bytes;
        self
    }

    /// How long a TCP connection may take to be made. What comes after, TLS included, is up to the client's deadlines.
    #[must_use]
    pub fn connect_timeout(mut self, bound: Duration) -> Self {
        self.client = client(bound);
        self
    }

    fn request(&self, uri: Uri, outgoing: &Outgoing) -> Result<Request<Full<Bytes>>, TransportError> {
        let mut request = Request::new(Full::new(outgoing.body.clone()));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri;
        let map = request.headers_mut();
        map.clone_from(&self.headers);
        map.insert(header::CONTENT_TYPE, JSON);
        map.insert(header::ACCEPT, BOTH);
        map.insert(headers::PROTOCOL_VERSION, HeaderValue::from_static(outgoing.protocol_version));
        let method = HeaderValue::from_str(&outgoing.method).map_err(|error| {
            TransportError::new("the method has characters that a header can't hold").with_source(error)
        })?;
        map.insert(headers::METHOD, method);
        if let Some(name) = &outgoing.name {
            map.insert(headers::NAME, headers::encode_value(name));
        }
        for (name, value) in &outgoing.header_params {
            map.insert(name.clone(), value.clone());
        }
        Ok(request)
    }

    /// Sends a request, and again where the server redirects it to.
    async fn send(&self, outgoing: &Outgoing) -> Result<Response<Incoming>, TransportError> {
        let mut uri = self.uri.clone();
        for _ in 0..=Self::MAX_REDIRECTS {
            let request = self.request(uri.clone(), outgoing)?;
            let response = self.client.request(request).await.map_err(|error| unsent(&uri, error))?;
            match redirect::target(&uri, &response)? {
                Some(target) => uri = target,
                None => return Ok(response),
            }
        }
        Err(TransportError::new(format!("the server redirects more than {} times", Self::MAX_REDIRECTS)))
    }
}

impl Transport for HttpTransport {
    fn exchange(&self, request: Outgoing) -> BoxFuture<'_, Result<Box<dyn Messages>, TransportError>> {
        Box::pin(async move {
            let response = self.send(&request).await?;
            answer::read(response, &request.id, self.message_limit).await
        })
    }
}

impl IntoTransport<Http> for &str {
    type Transport = HttpTransport;

    fn into_transport(self) -> Result<HttpTransport, Error> {
        Ok(HttpTransport::new(self)?)
    }
}

impl IntoTransport<Http> for String {
    type Transport = HttpTransport;

    fn into_transport(self) -> Result<HttpTransport, Error> {
        Ok(HttpTransport::new(self)?)
    }
}

impl IntoTransport<Http> for Uri {
    type Transport = HttpTransport;

    fn into_transport(self) -> Result<HttpTransport, Error> {
        Ok(HttpTransport::to(self)?)
    }
}

fn client(connect_timeout: Duration) -> legacy::Client<Connector, Full<Bytes>> {
    let mut tcp = HttpConnector::new();
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(connect_timeout));
    legacy::Client::builder(TokioExecutor::new())
        .pool_idle_timeout(IDLE)
        .pool_timer(TokioTimer::new())
        .build(connector(tcp))
}

#[cfg(feature = "tls")]
fn connector(mut tcp: HttpConnector) -> Connector {
    tcp.enforce_http(false);
    hyper_rustls::HttpsConnectorBuilder::new()
        .with_provider_and_webpki_roots(rustls::crypto::ring::default_provider())
        .expect("the provider brings the protocol versions that it is asked for")
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp)
}

#[cfg(not(feature = "tls"))]
fn connector(tcp: HttpConnector) -> Connector {
    tcp
}

/// Whether a header says something about the message or the connection, which is not for a user to say.
fn is_ours(name: &HeaderName) -> bool {
    const OURS: &[&str] = &[
        "accept",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    OURS.contains(&name.as_str()) || name.as_str().starts_with(headers::PARAM_PREFIX)
}

fn unsent(uri: &Uri, error: legacy::Error) -> TransportError {
    let message = if error.is_connect() {
        format!("no connection to {}", url::shown(uri))
    } else {
        format!("the connection to {} broke before an answer came", url::shown(uri))
    };
    TransportError::new(message).with_source(error)
}

impl fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransport")
            .field("url", &url::shown(&self.uri))
            .field("headers", &self.headers)
            .field("message_limit", &self.message_limit)
            .finish_non_exhaustive()
    }
}
