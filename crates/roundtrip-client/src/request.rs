//! One request and its response.

use std::{collections::BTreeMap, time::Duration};

use bytes::Bytes;
use futures_util::{
    FutureExt,
    future::{Either, select},
};
use http::{HeaderName, HeaderValue};
use roundtrip_types::{ErrorCode, LoggingLevel, McpError, Outcome, RawJson, RequestId, meta_keys};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{
    Error, Messages, Outgoing, Result,
    client::Inner,
    error::Kind,
    negotiate,
    watch::{LegWatch, Watch},
    wire::{self, Message, Meta, Params},
};

/// What to ask of the server.
pub(crate) struct Request<'a> {
    pub(crate) method: &'static str,
    pub(crate) params: Params<'a>,
    pub(crate) header_params: Vec<(HeaderName, HeaderValue)>,
    /// An id that must not be used: that of the request which this one retries, when it was sent by another process.
    pub(crate) not_id: Option<&'a RequestId>,
}

impl<'a> Request<'a> {
    pub(crate) fn new(method: &'static str, params: Params<'a>) -> Self {
        Self { method, params, header_params: Vec::new(), not_id: None }
    }
}

/// What a caller wants of all requests of one call.
#[derive(Clone, Default)]
pub(crate) struct Options {
    /// The time for one request and its response.
    pub(crate) timeout: Option<Duration>,
    /// Whether progress starts that time anew.
    pub(crate) extend: bool,
    pub(crate) log_level: Option<LoggingLevel>,
    pub(crate) meta: BTreeMap<String, RawJson>,
    pub(crate) watch: Watch,
}

impl Options {
    /// Adds a member of `_meta`, which must not be one that the client writes itself.
    pub(crate) fn add_meta(&mut self, key: String, value: impl Serialize) -> Result<()> {
        const OURS: &[&str] = &[
            meta_keys::PROTOCOL_VERSION,
            meta_keys::CLIENT_CAPABILITIES,
            meta_keys::CLIENT_INFO,
            meta_keys::LOG_LEVEL,
            meta_keys::PROGRESS_TOKEN,
        ];
        if OURS.contains(&key.as_str()) {
            return Err(Error::request(format!("the client sets {key:?} in `_meta` itself; leave it out")));
        }
        let value = RawJson::from_serialize(&value).map_err(|error| {
            Error::request_because(format!("{key:?} in `_meta` can't be written as JSON"), error)
        })?;
        self.meta.insert(key, value);
        Ok(())
    }
}

/// The result of a request, still as it came.
pub(crate) struct Response {
    pub(crate) id: RequestId,
    pub(crate) method: &'static str,
    result: Bytes,
}

impl Response {
    /// Reads the result by its method and `resultType`.
    pub(crate) fn outcome<R: DeserializeOwned>(&self) -> Result<Outcome<R>> {
        let text = std::str::from_utf8(&self.result)
            .map_err(|error| Error::response_because(self.method, "its result isn't UTF-8", error))?;
        Outcome::from_json(text)
            .map_err(|error| Error::response_because(self.method, "its result can't be read", error))
    }

    /// Reads the result of a method that may not ask for input.
    pub(crate) fn complete<R: DeserializeOwned>(&self) -> Result<R> {
        match self.outcome()? {
            Outcome::Complete(result) => Ok(result),
            _ => Err(Error::response(self.method, "the server asks for input, which it may not do here")),
        }
    }
}

impl Inner {
    /// Sends a request and waits for its result. When the server refuses the protocol version and names one that this
    /// client speaks, the request is sent once more with that.
    pub(crate) async fn request(&self, request: &Request<'_>, options: &Options) -> Result<Response> {
        let refused = match self.send(request, options, negotiate::PREFERRED).await {
            Err(error) if refuses_version(&error) => error,
            other => return other,
        };
        let version = negotiate::mutual(request.method, refused)?;
        self.send(request, options, version).await
    }

    async fn send(
        &self,
        request: &Request<'_>,
        options: &Options,
        version: &'static str,
    ) -> Result<Response> {
        let id = self.fresh_id(request.not_id);
        let progress_token = match (&id, options.watch.progress.is_some() || options.extend) {
            // Ids are unique among pending requests, which is all that a token has to be.
            (RequestId::Integer(id), true) => Some(*id),
            _ => None,
        };
        let meta = Meta {
            protocol_version: version,
            client_capabilities: &self.capabilities_json,
            client_info: self.client_info.as_ref(),
            log_level: options.log_level.as_ref(),
            progress_token,
            other: &options.meta,
        };
        let body = wire::write(&id, request.method, &request.params, &meta)
            .map_err(|error| Error::request_because("the request can't be written as JSON", error))?;
        let mut outgoing = Outgoing::new(id.clone(), request.method, version, body);
        outgoing.name = request.params.name.or(request.params.uri).map(str::to_owned);
        outgoing.header_params.clone_from(&request.header_params);
        let watch = LegWatch::new(&options.watch, progress_token);
        self.receive(outgoing, request.method, watch, options).await
    }

    /// Reads messages until the response is there. Dropping this drops the messages, which cancels the request.
    async fn receive(
        &self,
        outgoing: Outgoing,
        method: &'static str,
        mut watch: LegWatch<'_>,
        options: &Options,
    ) -> Result<Response> {
        let id = outgoing.id.clone();
        let mut timer = options.timeout.map(|limit| (limit, self.clock.sleep(limit)));
        let timeout = |limit| Error::new(Kind::Timeout { what: format!("`{method}`"), after: limit });
        macro_rules! in_time {
            ($work:expr) => {
                match &mut timer {
                    None => $work.await,
                    Some((limit, sleep)) => match select($work, sleep).await {
                        Either::Left((done, _)) => done,
                        Either::Right(_) => return Err(timeout(*limit)),
                    },
                }
                .map_err(|error| Error::transport(method, error))?
            };
        }
        let mut messages = in_time!(self.transport.exchange(outgoing));
        let mut skipped = false;
        loop {
            let Some(bytes) = in_time!(messages.next()) else {
                let fault =
                    if skipped { "it holds no JSON-RPC response" } else { "it ended before the response" };
                return Err(Error::response(method, fault));
            };
            match wire::read(&bytes) {
                Message::Result { id: theirs, result } if same(theirs, &id) => {
                    // A stream that is over by now sees its end, and its connection can serve again.
                    drop(messages.next().now_or_never());
                    return Ok(Response { id, method, result: bytes.slice_ref(result.get().as_bytes()) });
                }
                // Without an id the server couldn't read ours, and nothing else travels on this stream.
                Message::Error { id: theirs, error } if theirs.is_none_or(|theirs| same(theirs, &id)) => {
                    return Err(refusal(method, error, &*messages));
                }
                Message::Result { .. } | Message::Error { .. } => {
                    return Err(Error::response(method, "it has the id of another request"));
                }
                Message::Notification { method, params } => {
                    let progressed = watch.notification(&method, params)?;
                    if let (true, true, Some((limit, sleep))) = (progressed, options.extend, &mut timer) {
                        *sleep = self.clock.sleep(*limit);
                    }
                }
                Message::Foreign => {
                    tracing::warn!(method, "skipped something that is no JSON-RPC message for a client");
                    skipped = true;
                }
            }
        }
    }
}

/// Whether the id of a response is the very one that was sent: of the same type and value.
fn same(theirs: &RawValue, ours: &RequestId) -> bool {
    serde_json::from_str::<RequestId>(theirs.get()).is_ok_and(|theirs| theirs == *ours)
}

fn refusal(method: &str, error: &RawValue, messages: &dyn Messages) -> Error {
    match serde_json::from_str::<McpError>(error.get()) {
        Ok(error) => Error::new(Kind::Rpc { method: method.to_owned(), error, status: messages.status() }),
        Err(fault) => Error::response_because(method, "its error can't be read", fault),
    }
}

fn refuses_version(error: &Error) -> bool {
    error.rpc().is_some_and(|error| error.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION)
}
