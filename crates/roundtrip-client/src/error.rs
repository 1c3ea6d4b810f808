//! The one error of a client.

use std::{collections::BTreeMap, error::Error as StdError, fmt};

use http::StatusCode;
use roundtrip_types::{ErrorCode, InputRequiredResult, McpError, RawJson};

use crate::TransportError;

mod kind;

pub(crate) use kind::{AnswerFault, Kind, PagesFault};

/// The result of everything that a client does.
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub(crate) type BoxError = Box<dyn StdError + Send + Sync>;

/// Why a call has no result.
///
/// One opaque type: ask the `is_*` predicates what happened, and the accessors for what came with it. What went wrong
/// on this side (a timeout, a failing answer, too many rounds) never looks like an error of the server: only
/// [`is_rpc`](Self::is_rpc) errors have a JSON-RPC code. The cause below this error, where there is one, is its
/// [`source`](StdError::source).
///
/// ```
/// # async fn example(client: roundtrip_client::Client) {
/// match client.call_tool("provision", serde_json::json!({ "name": "orders" })).await {
///     Ok(result) => drop(result),
///     Err(error) if error.is_timeout() => { /* nobody answered in time */ }
///     Err(error) if error.is_too_many_rounds() => drop(error.last_round()),
///     Err(error) => drop(error.rpc().map(|peer| peer.code)),
/// }
/// # }
/// ```
pub struct Error {
    kind: Box<Kind>,
}

impl Error {
    /// The time allowed by a deadline or a request timeout is over. Everything below the call was cancelled.
    pub fn is_timeout(&self) -> bool {
        matches!(*self.kind, Kind::Timeout { .. })
    }

    /// A question was refused by returning [`Declined`] from the function that answers it.
    ///
    /// Somebody who declines a form is not an error: that is an answer, which goes to the server.
    pub fn is_declined(&self) -> bool {
        matches!(&*self.kind, Kind::Answer { fault: AnswerFault::Failed(error), .. } if error.is::<Declined>())
    }

    /// The server asked in more rounds than `input_required_max_rounds` allows; see [`last_round`](Self::last_round).
    pub fn is_too_many_rounds(&self) -> bool {
        matches!(*self.kind, Kind::Rounds { .. })
    }

    /// The `InputRequiredResult` that came when no round was left.
    pub fn last_round(&self) -> Option<&InputRequiredResult> {
        match &*self.kind {
            Kind::Rounds { last, .. } => Some(last),
            _ => None,
        }
    }

    /// The server answered with a JSON-RPC error; see [`rpc`](Self::rpc).
    pub fn is_rpc(&self) -> bool {
        self.rpc().is_some()
    }

    /// The JSON-RPC error that the server answered with.
    pub fn rpc(&self) -> Option<&McpError> {
        match &*self.kind {
            Kind::Rpc { error, .. } => Some(error),
            Kind::Version { error, .. } => error.as_ref(),
            _ => None,
        }
    }

    /// The server has no such resource: it answered -32002, as older servers do, or -32602 naming the URI.
    pub fn is_resource_not_found(&self) -> bool {
        let names_uri = |data: &RawJson| {
            data.parse::<BTreeMap<String, RawJson>>().is_ok_and(|members| members.contains_key("uri"))
        };
        self.rpc().is_some_and(|error| match error.code {
            ErrorCode(-32002) => true,
            ErrorCode::INVALID_PARAMS => error.data.as_ref().is_some_and(names_uri),
            _ => false,
        })
    }

    /// The server speaks no protocol version that this client speaks; see
    /// [`supported_versions`](Self::supported_versions).
    pub fn is_unsupported_version(&self) -> bool {
        matches!(*self.kind, Kind::Version { .. })
    }

    /// The versions that the server named when it speaks none of this client's.
    pub fn supported_versions(&self) -> Option<&[String]> {
        match &*self.kind {
            Kind::Version { supported, .. } => Some(supported),
            _ => None,
        }
    }

    /// The request or its answer didn't get through; see [`status`](Self::status). Whether the server ran the request
    /// is unknown.
    pub fn is_transport(&self) -> bool {
        matches!(*self.kind, Kind::Transport { .. })
    }

    /// The HTTP status that the server answered with, of a transport's or a JSON-RPC error.
    pub fn status(&self) -> Option<StatusCode> {
        match &*self.kind {
            Kind::Transport { error, .. } => error.status(),
            Kind::Rpc { status, .. } => *status,
            _ => None,
        }
    }

    /// The server's answer breaks the protocol: it isn't JSON-RPC, has another request's id, an unknown `resultType`,
    /// or questions where none may be asked.
    pub fn is_invalid_response(&self) -> bool {
        matches!(*self.kind, Kind::Response { .. })
    }

    /// A list repeated a cursor or had more pages than allowed.
    pub fn is_pages(&self) -> bool {
        matches!(*self.kind, Kind::Pages { .. })
    }

    /// A question has no usable answer: none can be given, it failed, or it doesn't fit what was asked. No retry was
    /// sent. See [`question_key`](Self::question_key).
    pub fn is_answer(&self) -> bool {
        matches!(*self.kind, Kind::Answer { .. })
    }

    /// The key of the question that has no usable answer, as the server named it.
    pub fn question_key(&self) -> Option<&str> {
        match &*self.kind {
            Kind::Answer { key, .. } => Some(key),
            _ => None,
        }
    }

    /// What the caller asked for can't be sent, such as arguments that are no JSON object. Nothing was sent.
    pub fn is_request(&self) -> bool {
        matches!(*self.kind, Kind::Request { .. })
    }

    /// A function that the caller gave to watch the call, such as `on_progress`, panicked.
    pub fn is_panic(&self) -> bool {
        matches!(*self.kind, Kind::Panic { .. } | Kind::Answer { fault: AnswerFault::Panicked, .. })
    }
}

impl Error {
    pub(crate) fn new(kind: Kind) -> Self {
        Self { kind: Box::new(kind) }
    }

    pub(crate) fn transport(method: &str, error: TransportError) -> Self {
        Self::new(Kind::Transport { method: method.to_owned(), error })
    }

    pub(crate) fn response(method: &str, fault: impl Into<String>) -> Self {
        Self::new(Kind::Response { method: method.to_owned(), fault: fault.into(), source: None })
    }

    pub(crate) fn response_because(
        method: &str,
        fault: impl Into<String>,
        source: impl Into<BoxError>,
    ) -> Self {
        let source = Some(source.into());
        Self::new(Kind::Response { method: method.to_owned(), fault: fault.into(), source })
    }

    pub(crate) fn answer(key: &str, fault: AnswerFault) -> Self {
        Self::new(Kind::Answer { key: key.to_owned(), fault })
    }

    pub(crate) fn request(fault: impl Into<String>) -> Self {
        Self::new(Kind::Request { fault: fault.into(), source: None })
    }

    pub(crate) fn request_because(fault: impl Into<String>, source: impl Into<BoxError>) -> Self {
        Self::new(Kind::Request { fault: fault.into(), source: Some(source.into()) })
    }
}

/// A transport that can't even be made reports it as the client's error.
impl From<TransportError> for Error {
    fn from(error: TransportError) -> Self {
        Self::transport("", error)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The last round holds a state, which belongs into no log.
        match &*self.kind {
            Kind::Rounds { limit, .. } => {
                f.debug_struct("Rounds").field("limit", limit).finish_non_exhaustive()
            }
            kind => fmt::Debug::fmt(kind, f),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.kind, f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.kind.source()
    }
}

/// What a function that answers questions returns to refuse, where the protocol has no word for a refusal.
///
/// `sampling/createMessage` and `roots/list` can't be declined on the wire: the call ends here, with an error that
/// [`is_declined`](Error::is_declined), and no retry is sent. For elicitation answer with `ElicitResult::decline`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a refusal says no more than this")]
pub struct Declined;

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the question was declined")
    }
}

impl StdError for Declined {}
