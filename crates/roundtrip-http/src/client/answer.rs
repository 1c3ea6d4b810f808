//! The answer to one request: one JSON body, an event stream, or an error.

use std::time::Duration;

use bytes::{Buf, Bytes};
use http::{HeaderMap, Response, StatusCode, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use roundtrip_client::{BoxFuture, Messages, TransportError};
use roundtrip_types::RequestId;
use serde_json::Value;
use tokio::time::timeout;

use super::body::{self, Read};
use crate::{media::Kind, sse::Decoder};

/// How much is read of the body of an answer that isn't a success.
const ERROR_LIMIT: usize = 256 * 1024;
/// And for how long: the status is known by then, and the rest isn't worth waiting for.
const ERROR_TIME: Duration = Duration::from_secs(1);
/// How much of a body is kept in an error.
const EXCERPT: usize = 4 * 1024;

/// The one message of a JSON body.
struct Whole {
    status: StatusCode,
    message: Option<Bytes>,
}

/// The messages of an event stream. Dropping it closes the connection, which cancels the request.
struct Events {
    status: StatusCode,
    body: Incoming,
    /// What has come and is not decoded yet.
    chunk: Bytes,
    decoder: Decoder,
}

/// Reads the answer as far as to know what it is.
pub(super) async fn read(
    response: Response<Incoming>,
    id: &RequestId,
    limit: usize,
) -> Result<Box<dyn Messages>, TransportError> {
    let (parts, mut body) = response.into_parts();
    let status = parts.status;
    if !status.is_success() {
        return refused(status, &parts.headers, body, id).await;
    }
    if let Some(encoding) = unknown_encoding(&parts.headers) {
        let message = format!("the answer has the content encoding {encoding:?}, which wasn't asked for");
        return Err(TransportError::new(message).with_status(status));
    }
    match Kind::of(&parts.headers) {
        Some(Kind::EventStream) => {
            Ok(Box::new(Events { status, body, chunk: Bytes::new(), decoder: Decoder::with_limit(limit) }))
        }
        Some(Kind::Json) => match body::read(&mut body, limit).await {
            Read::Whole(body) if body.is_empty() => {
                Err(TransportError::new("the answer is empty").with_status(status))
            }
            Read::Whole(body) => Ok(Box::new(Whole { status, message: Some(body) })),
            Read::TooLarge(start) => {
                let message = format!("the answer is larger than the limit of {limit} bytes");
                Err(TransportError::new(message).with_status(status).with_body(excerpt(&start)))
            }
            Read::Broken(start, error) => {
                let error = TransportError::new("the connection broke in the middle of the answer")
                    .with_source(error);
                Err(error.with_status(status).with_body(excerpt(&start)))
            }
        },
        None => {
            let message = match parts.headers.get(header::CONTENT_TYPE) {
                Some(other) => format!("the answer is {other:?}, neither JSON nor an event stream in UTF-8"),
                None => format!("the server answered {status} without a message"),
            };
            let start = start(&mut body).await;
            Err(TransportError::new(message).with_status(status).with_body(excerpt(&start)))
        }
    }
}

/// An answer that isn't a success is an error of HTTP, unless its body is the JSON-RPC error that this request was
/// refused with.
async fn refused(
    status: StatusCode,
    headers: &HeaderMap,
    mut body: Incoming,
    id: &RequestId,
) -> Result<Box<dyn Messages>, TransportError> {
    let start = start(&mut body).await;
    if unknown_encoding(headers).is_none() && is_error_of(&start, id) {
        return Ok(Box::new(Whole { status, message: Some(start) }));
    }
    let hint = match headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()) {
        Some(after) => format!("; it asks to retry after {after}"),
        None => String::new(),
    };
    Err(TransportError::new(format!("the server answered {status}{hint}"))
        .with_status(status)
        .with_body(excerpt(&start)))
}

/// The beginning of a body that is only read to learn what went wrong.
async fn start(body: &mut Incoming) -> Bytes {
    match timeout(ERROR_TIME, body::read(body, ERROR_LIMIT)).await {
        Ok(Read::Whole(start) | Read::TooLarge(start) | Read::Broken(start, _)) => start,
        Err(_) => Bytes::new(),
    }
}

/// Whether this is a JSON-RPC error for this request: with its id, or without any, as when a server couldn't read it.
fn is_error_of(body: &[u8], id: &RequestId) -> bool {
    let Ok(Value::Object(message)) = serde_json::from_slice(body) else { return false };
    let is_ours = match message.get("id") {
        None | Some(Value::Null) => true,
        Some(theirs) => serde_json::to_value(id).is_ok_and(|ours| ours == *theirs),
    };
    let error = message.get("error");
    let is_error = error.is_some_and(|error| error["code"].is_i64() && error["message"].is_string());
    is_ours && is_error && message.get("jsonrpc").is_some_and(|version| version == "2.0")
}

fn unknown_encoding(headers: &HeaderMap) -> Option<&http::HeaderValue> {
    headers
        .get(header::CONTENT_ENCODING)
        .filter(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn excerpt(body: &Bytes) -> Bytes {
    Bytes::copy_from_slice(&body[..body.len().min(EXCERPT)])
}

impl Messages for Whole {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>> {
        let message = self.message.take();
        Box::pin(async { Ok(message) })
    }

    fn status(&self) -> Option<StatusCode> {
        Some(self.status)
    }
}

impl Messages for Events {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>> {
        Box::pin(self.next_event())
    }

    fn status(&self) -> Option<StatusCode> {
        Some(self.status)
    }
}

impl Events {
    /// The data of the next event that has any.
    async fn next_event(&mut self) -> Result<Option<Bytes>, TransportError> {
        loop {
            let mut rest = &self.chunk[..];
            let event = self.decoder.decode(&mut rest);
            let used = self.chunk.len() - rest.len();
            self.chunk.advance(used);
            match event {
                Ok(Some(event)) if event.data.is_empty() => continue,
                Ok(Some(event)) => return Ok(Some(event.data)),
                Ok(None) => {}
                Err(error) => {
                    return Err(TransportError::new("the event stream can't be read")
                        .with_status(self.status)
                        .with_source(error));
                }
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(Ok(frame)) => self.chunk = frame.into_data().unwrap_or_default(),
                Some(Err(error)) => {
                    return Err(TransportError::new("the event stream broke off")
                        .with_status(self.status)
                        .with_source(error));
                }
            }
        }
    }
}
