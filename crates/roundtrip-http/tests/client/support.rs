//! A peer that reads requests and writes exactly what a test wants.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use roundtrip_client::{Messages, Outgoing, Transport, TransportError};
use roundtrip_http::HttpTransport;
use roundtrip_types::RequestId;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

/// A request as the peer got it.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// The request line and the headers.
    pub(crate) head: String,
    pub(crate) body: String,
    /// Which of all connections it came on.
    pub(crate) connection: usize,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// What the peer does about a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Writes this and waits for the next request.
    Write(Vec<u8>),
    /// Writes this and closes the connection.
    WriteAndClose(Vec<u8>),
    /// Writes this and nothing more, until the client closes the connection.
    WriteAndHang(Vec<u8>),
    /// Closes the connection with what the client sent unread behind it, which resets it.
    Reset(Vec<u8>),
}

pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    /// All requests, in the order in which they came.
    pub(crate) requests: mpsc::UnboundedReceiver<Received>,
    /// A number for each connection that the client closed while it was hung up on.
    pub(crate) gone: mpsc::UnboundedReceiver<usize>,
}

impl Peer {
    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub(crate) fn transport(&self) -> HttpTransport {
        HttpTransport::new(self.url()).unwrap()
    }
}

/// Starts a peer; `script` is asked for each request, which it gets with its number.
pub(crate) async fn peer(script: impl Fn(usize, &Received) -> Answer + Send + Sync + 'static) -> Peer {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (received, requests) = mpsc::unbounded_channel();
    let (left, gone) = mpsc::unbounded_channel();
    let script = Arc::new(script);
    let count = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move {
        for connection in 0.. {
            let Ok((stream, _)) = listener.accept().await else { return };
            let (script, count) = (Arc::clone(&script), Arc::clone(&count));
            let (received, left) = (received.clone(), left.clone());
            tokio::spawn(async move { talk(stream, connection, &*script, &count, &received, &left).await });
        }
    });
    Peer { address, requests, gone }
}

async fn talk(
    mut stream: TcpStream,
    connection: usize,
    script: &(impl Fn(usize, &Received) -> Answer + ?Sized),
    count: &AtomicUsize,
    received: &mpsc::UnboundedSender<Received>,
    left: &mpsc::UnboundedSender<usize>,
) -> Option<()> {
    stream.set_nodelay(true).unwrap();
    loop {
        let request = read_request(&mut stream, connection).await?;
        let answer = script(count.fetch_add(1, Ordering::SeqCst), &request);
        received.send(request).ok()?;
        match answer {
            Answer::Write(bytes) => stream.write_all(&bytes).await.ok()?,
            Answer::WriteAndClose(bytes) => {
                stream.write_all(&bytes).await.ok()?;
                return stream.shutdown().await.ok();
            }
            Answer::WriteAndHang(bytes) => {
                stream.write_all(&bytes).await.ok()?;
                while stream.read(&mut [0; 64]).await.is_ok_and(|length| length > 0) {}
                return left.send(connection).ok();
            }
            Answer::Reset(bytes) => {
                stream.write_all(&bytes).await.ok()?;
                return stream.set_zero_linger().ok();
            }
        }
    }
}

async fn read_request(stream: &mut TcpStream, connection: usize) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let body = bytes.split_off(end);
    let mut request = Received { head: String::from_utf8(bytes).unwrap(), body: String::new(), connection };
    let length: usize = request.header("content-length")?.parse().unwrap();
    let mut body = body;
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    request.body = String::from_utf8(body).unwrap();
    Some(request)
}

/// An answer with this status line, these headers, and a body of known length.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let separator = if headers.is_empty() { "" } else { "\r\n" };
    let head = format!("HTTP/1.1 {status}\r\n{headers}{separator}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A JSON answer.
pub(crate) fn json(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("200 OK", "content-type: application/json", body)
}

/// The beginning of an event stream in these pieces, each of which the client gets by itself.
pub(crate) fn open_stream<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes =
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

/// A whole event stream in these pieces.
pub(crate) fn stream<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = open_stream(pieces);
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

/// A request that stands for any.
pub(crate) fn request() -> Outgoing {
    Outgoing::new(
        RequestId::Integer(5),
        "tools/list",
        "2026-07-28",
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#,
    )
}

pub(crate) const RESPONSE: &str = r#"{"jsonrpc":"2.0","id":5,"result":{"say":"東京 🗼 é"}}"#;
pub(crate) const PROGRESS: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#;

/// Sends a request and reads all messages that answer it.
pub(crate) async fn exchange(transport: &HttpTransport) -> Result<Vec<Bytes>, TransportError> {
    soon(async {
        let mut messages = transport.exchange(request()).await?;
        read_all(&mut *messages).await
    })
    .await
}

pub(crate) async fn read_all(messages: &mut dyn Messages) -> Result<Vec<Bytes>, TransportError> {
    let mut all = Vec::new();
    while let Some(message) = messages.next().await? {
        all.push(message);
    }
    Ok(all)
}

/// Waits for what has to happen, and fails when it doesn't.
pub(crate) async fn soon<F: Future>(what: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(10), what).await.expect("it happens soon")
}
