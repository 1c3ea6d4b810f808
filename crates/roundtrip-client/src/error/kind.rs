//! What can happen to a call, and how it is told.

use std::{
    error::Error as StdError,
    fmt::{self, Write as _},
    time::Duration,
};

use http::StatusCode;
use roundtrip_types::{InputRequiredResult, McpError, ProtocolVersion};

use super::BoxError;
use crate::TransportError;

/// What happened, by whose fault it was.
#[derive(Debug)]
pub(crate) enum Kind {
    /// The request or its answer didn't get through.
    Transport { method: String, error: TransportError },
    /// The server answered with a JSON-RPC error.
    Rpc { method: String, error: McpError, status: Option<StatusCode> },
    /// The server speaks no protocol version that this client speaks.
    Version { supported: Vec<String>, error: Option<McpError> },
    /// The server's answer breaks the protocol.
    Response { method: String, fault: String, source: Option<BoxError> },
    /// The server answered with questions or states more often than the caller allows.
    Rounds { limit: u32, last: Box<InputRequiredResult> },
    /// A list didn't come to its end.
    Pages { method: &'static str, fault: PagesFault },
    /// One of the round's questions has no usable answer.
    Answer { key: String, fault: AnswerFault },
    /// The time that the caller allowed is over.
    Timeout { what: String, after: Duration },
    /// What the caller asked for can't be sent.
    Request { fault: String, source: Option<BoxError> },
    /// A function that the caller gave to watch the call panicked.
    Panic { callback: &'static str },
}

#[derive(Debug)]
pub(crate) enum PagesFault {
    Repeated { cursor: String },
    TooMany { limit: usize },
}

#[derive(Debug)]
pub(crate) enum AnswerFault {
    /// The server asked for something that this client didn't declare.
    NotDeclared { kind: &'static str },
    /// The kind was declared to be answered by hand, and the loop met it.
    ByHand { kind: &'static str },
    /// The answering function returned an error.
    Failed(BoxError),
    /// The answering function panicked.
    Panicked,
    /// The answer doesn't fit the question.
    Unfit { fault: String, source: Option<BoxError> },
    /// The key isn't one of the pending questions.
    Unknown,
    /// The question was left open.
    Missing,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport { method, .. } if method.is_empty() => f.write_str("the server can't be reached"),
            Self::Transport { method, .. } => write!(f, "the transport failed during `{method}`"),
            Self::Rpc { method, error, .. } => {
                write!(f, "the server refused `{method}`: {} ({})", Plain(&error.message), error.code)
            }
            Self::Version { supported, .. } => {
                write!(f, "the server doesn't speak {}", ProtocolVersion::V2026_07_28)?;
                match supported.as_slice() {
                    [] => f.write_str("; use a server that answers `server/discover`"),
                    versions => {
                        let some = versions.iter().take(8).map(|version| Short(version).to_string());
                        write!(f, " but {}; use a server that does", some.collect::<Vec<_>>().join(", "))
                    }
                }
            }
            Self::Response { method, fault, .. } => write!(f, "invalid response to `{method}`: {fault}"),
            Self::Rounds { limit, .. } => write!(
                f,
                "the server asked for input in more than {limit} rounds; raise `input_required_max_rounds`, or drive \
                 the call by hand with `once`"
            ),
            Self::Pages { method, fault: PagesFault::Repeated { cursor } } => {
                let cursor = Short(cursor);
                write!(
                    f,
                    "the list `{method}` doesn't end: the server gave the cursor {cursor} twice; read single pages"
                )
            }
            Self::Pages { method, fault: PagesFault::TooMany { limit } } => {
                write!(
                    f,
                    "the list `{method}` has more than {limit} pages; raise `max_pages`, or read single pages"
                )
            }
            Self::Answer { key, fault } => write!(f, "the question {} {fault}", Short(key)),
            Self::Timeout { what, after } => write!(f, "{what} took longer than {after:?}"),
            Self::Request { fault, .. } => f.write_str(fault),
            Self::Panic { callback } => write!(f, "the function given to `{callback}` panicked"),
        }
    }
}

impl fmt::Display for AnswerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDeclared { kind } => {
                write!(
                    f,
                    "asks for {kind}, which this client didn't declare; give the client a way to answer it"
                )
            }
            Self::ByHand { kind } => {
                write!(
                    f,
                    "asks for {kind}, which was declared to be answered by hand; drive the call with `once`"
                )
            }
            Self::Failed(_) => f.write_str("couldn't be answered"),
            Self::Panicked => f.write_str("couldn't be answered: the function that answers it panicked"),
            Self::Unfit { fault, .. } => write!(f, "has an answer that doesn't fit: {fault}"),
            Self::Unknown => f.write_str("is not one that the server asked"),
            Self::Missing => f.write_str("has no answer yet; answer it before the call goes on"),
        }
    }
}

impl Kind {
    /// The error below this one.
    pub(super) fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Transport { error, .. } => Some(error),
            Self::Response { source, .. }
            | Self::Request { source, .. }
            | Self::Answer { fault: AnswerFault::Unfit { source, .. }, .. } => {
                source.as_deref().map(|source| source as &(dyn StdError + 'static))
            }
            Self::Answer { fault: AnswerFault::Failed(error), .. } => Some(&**error),
            _ => None,
        }
    }
}

/// The beginning of a text that a server chose, which may be long.
struct Short<'a>(&'a str);

/// What a server says, at no greater length than a person reads, and without what a terminal would obey. The whole text
/// is in [`Error::rpc`](crate::Error::rpc).
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 500;
        for char in self.0.chars().take(LONGEST) {
            f.write_char(if char.is_control() { ' ' } else { char })?;
        }
        if self.0.chars().nth(LONGEST).is_some() { f.write_str("..") } else { Ok(()) }
    }
}

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(64) {
            Some((end, _)) => write!(f, "{:?}..", &self.0[..end]),
            None => write!(f, "{:?}", self.0),
        }
    }
}
