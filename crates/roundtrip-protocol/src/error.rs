//! How an error travels: the HTTP status that goes with a code, and the refusal of a message that never became a call.

use std::fmt;

use http::StatusCode;
use roundtrip_types::{ErrorCode, McpError, RequestId};
use serde::Serialize;

/// The HTTP status of a response that carries an error of this code.
///
/// The statuses are fixed for `-32601` (404) and for `-32700`, `-32600`, `-32020`, `-32021` and `-32022` (400). Every
/// other error is an answer like any other, so its status is 200; a refusal by [`crate::inbound::classify`] brings its
/// own status in [`Rejection::status`], which is 400 for its `-32602`.
///
/// ```
/// use roundtrip_protocol::error::status_of;
/// use roundtrip_types::ErrorCode;
///
/// assert_eq!(status_of(ErrorCode::METHOD_NOT_FOUND), http::StatusCode::NOT_FOUND);
/// assert_eq!(status_of(ErrorCode::MISSING_CLIENT_CAPABILITY), http::StatusCode::BAD_REQUEST);
/// assert_eq!(status_of(ErrorCode::INTERNAL_ERROR), http::StatusCode::OK);
/// ```
#[must_use]
pub fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        ErrorCode::PARSE_ERROR
        | ErrorCode::INVALID_REQUEST
        | ErrorCode::HEADER_MISMATCH
        | ErrorCode::MISSING_CLIENT_CAPABILITY
        | ErrorCode::UNSUPPORTED_PROTOCOL_VERSION => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// The refusal of a message before anything was run for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rejection {
    /// The HTTP status, where the transport has one.
    pub status: StatusCode,
    /// The id of the refused request; `None` when it could not be read, or when the message had none to answer.
    pub id: Option<RequestId>,
    /// The JSON-RPC error.
    pub error: McpError,
}

impl Rejection {
    pub(crate) fn new(id: Option<RequestId>, error: McpError) -> Self {
        // A message that is refused at the door is a bad request, also for a code that has no status of its own.
        let status = match status_of(error.code) {
            StatusCode::OK => StatusCode::BAD_REQUEST,
            fixed => fixed,
        };
        Self { status, id, error }
    }

    /// The JSON-RPC error response. It has no `id` member when [`Rejection::id`] is `None`.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Response<'a> {
            jsonrpc: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<&'a RequestId>,
            error: &'a McpError,
        }
        let response = Response { jsonrpc: "2.0", id: self.id.as_ref(), error: &self.error };
        serde_json::to_vec(&response).unwrap_or_else(|_| {
            // All that an error holds is text and checked JSON, so this is out of reach; a peer gets an answer anyway.
            br#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal error"}}"#.to_vec()
        })
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with status {}", self.error, self.status.as_u16())
    }
}

impl std::error::Error for Rejection {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fixed_statuses_are_those_of_the_table() {
        let expected = [
            (-32700, 400),
            (-32600, 400),
            (-32601, 404),
            (-32602, 200),
            (-32603, 200),
            (-32020, 400),
            (-32021, 400),
            (-32022, 400),
            (-32002, 200),
            (-32042, 200),
            (7, 200),
        ];
        for (code, status) in expected {
            assert_eq!(status_of(ErrorCode(code)).as_u16(), status, "{code}");
        }
    }

    #[test]
    fn a_refusal_is_never_a_success() {
        let refusal = Rejection::new(None, McpError::invalid_params("params.name must be a string"));
        assert_eq!(refusal.status, StatusCode::BAD_REQUEST);
    }

    #[test]
    fn the_id_is_echoed_with_its_type_and_left_out_when_unknown() {
        let error = McpError::invalid_request("no");
        let with = |id| String::from_utf8(Rejection::new(id, error.clone()).to_json()).unwrap();
        let tail = r#""error":{"code":-32600,"message":"no"}}"#;
        assert_eq!(with(None), format!(r#"{{"jsonrpc":"2.0",{tail}"#));
        assert_eq!(with(Some(RequestId::Integer(7))), format!(r#"{{"jsonrpc":"2.0","id":7,{tail}"#));
        assert_eq!(
            with(Some(RequestId::String("7".to_owned()))),
            format!(r#"{{"jsonrpc":"2.0","id":"7",{tail}"#)
        );
    }
}
