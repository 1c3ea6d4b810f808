//! The envelopes of JSON-RPC 2.0.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::lenient::Text;
use crate::{McpError, RequestId};

/// The member `jsonrpc`, which is always `"2.0"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonRpcVersion;

impl Serialize for JsonRpcVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("2.0")
    }
}

impl<'de> Deserialize<'de> for JsonRpcVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Text::deserialize(deserializer)?;
        if text.0 == "2.0" { Ok(Self) } else { Err(D::Error::custom("jsonrpc is not \"2.0\"")) }
    }
}

/// A request, for writing: `JSONRPCRequest`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JsonRpcRequest<'a, P> {
    /// Always `"2.0"`.
    pub jsonrpc: JsonRpcVersion,
    /// Names the request, for its response.
    pub id: &'a RequestId,
    /// What is asked for.
    pub method: &'a str,
    /// With which parameters.
    pub params: P,
}

impl<'a, P> JsonRpcRequest<'a, P> {
    /// A request with its parameters.
    pub fn new(id: &'a RequestId, method: &'a str, params: P) -> Self {
        Self { jsonrpc: JsonRpcVersion, id, method, params }
    }
}

/// A notification, for writing: `JSONRPCNotification`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JsonRpcNotification<'a, P> {
    /// Always `"2.0"`.
    pub jsonrpc: JsonRpcVersion,
    /// What is told.
    pub method: &'a str,
    /// With which parameters.
    pub params: P,
}

impl<'a, P> JsonRpcNotification<'a, P> {
    /// A notification with its parameters.
    pub fn new(method: &'a str, params: P) -> Self {
        Self { jsonrpc: JsonRpcVersion, method, params }
    }
}

/// A response with a result, for writing: `JSONRPCResultResponse`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JsonRpcResultResponse<'a, R> {
    /// Always `"2.0"`.
    pub jsonrpc: JsonRpcVersion,
    /// Which request.
    pub id: &'a RequestId,
    /// What it ends with.
    pub result: R,
}

impl<'a, R> JsonRpcResultResponse<'a, R> {
    /// The result of a request.
    pub fn new(id: &'a RequestId, result: R) -> Self {
        Self { jsonrpc: JsonRpcVersion, id, result }
    }
}

/// A response with an error, for writing: `JSONRPCErrorResponse`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JsonRpcErrorResponse<'a> {
    /// Always `"2.0"`.
    pub jsonrpc: JsonRpcVersion,
    /// Which request; absent when its id could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a RequestId>,
    /// What went wrong.
    pub error: &'a McpError,
}

impl<'a> JsonRpcErrorResponse<'a> {
    /// The error of a request.
    pub fn new(id: Option<&'a RequestId>, error: &'a McpError) -> Self {
        Self { jsonrpc: JsonRpcVersion, id, error }
    }
}

/// Any message, for reading; what depends on the method stays raw and borrowed.
///
/// ```
/// use roundtrip_types::{JsonRpcMessage, RequestId};
///
/// let message = JsonRpcMessage::from_slice(br#"{"jsonrpc":"2.0","id":7,"result":{}}"#)?;
/// let JsonRpcMessage::Result { id, result } = message else { panic!() };
/// assert_eq!((id, result.get()), (RequestId::Integer(7), "{}"));
/// # Ok::<(), roundtrip_types::MessageError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC knows these four messages")]
pub enum JsonRpcMessage<'a> {
    /// A request: `JSONRPCRequest`.
    Request {
        /// Names it.
        id: RequestId,
        /// What is asked for.
        method: Cow<'a, str>,
        /// With which parameters.
        params: Option<&'a RawValue>,
    },
    /// A notification: `JSONRPCNotification`.
    Notification {
        /// What is told.
        method: Cow<'a, str>,
        /// With which parameters.
        params: Option<&'a RawValue>,
    },
    /// A response with a result: `JSONRPCResultResponse`.
    Result {
        /// Which request.
        id: RequestId,
        /// What it ends with.
        result: &'a RawValue,
    },
    /// A response with an error: `JSONRPCErrorResponse`.
    Error {
        /// Which request, where the peer could tell.
        id: Option<RequestId>,
        /// What went wrong.
        error: McpError,
    },
}

impl<'a> JsonRpcMessage<'a> {
    /// Reads one message in one pass.
    ///
    /// # Errors
    /// When the bytes are not JSON, or the JSON is none of the four messages.
    pub fn from_slice(bytes: &'a [u8]) -> Result<Self, MessageError> {
        #[derive(Deserialize)]
        struct Wire<'a> {
            #[expect(dead_code, reason = "reading it is the check")]
            jsonrpc: JsonRpcVersion,
            #[serde(default, borrow, deserialize_with = "crate::lenient::present")]
            id: Option<&'a RawValue>,
            #[serde(borrow)]
            method: Option<Text<'a>>,
            #[serde(borrow)]
            params: Option<&'a RawValue>,
            #[serde(default, borrow, deserialize_with = "crate::lenient::present")]
            result: Option<&'a RawValue>,
            error: Option<McpError>,
        }
        let wire: Wire<'a> = serde_json::from_slice(bytes).map_err(MessageError::Json)?;
        let id = |raw: &RawValue| serde_json::from_str::<RequestId>(raw.get()).map_err(MessageError::Json);
        match wire {
            Wire { method: Some(method), params, id: raw_id, result: None, error: None, .. } => {
                match raw_id {
                    Some(raw) => Ok(Self::Request { id: id(raw)?, method: method.0, params }),
                    None => Ok(Self::Notification { method: method.0, params }),
                }
            }
            Wire { method: None, id: Some(raw), result: Some(result), error: None, .. } => {
                Ok(Self::Result { id: id(raw)?, result })
            }
            Wire { method: None, id: raw_id, result: None, error: Some(error), .. } => {
                let raw_id = raw_id.filter(|raw| raw.get() != "null");
                Ok(Self::Error { id: raw_id.map(id).transpose()?, error })
            }
            _ => Err(MessageError::Shape),
        }
    }
}

/// Why bytes are no message.
#[derive(Debug)]
#[non_exhaustive]
pub enum MessageError {
    /// They are not JSON, or a member does not fit.
    Json(serde_json::Error),
    /// Their members make none of the four messages.
    Shape,
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(_) => f.write_str("the message is not valid JSON-RPC"),
            Self::Shape => f.write_str("the message is neither a request, a notification nor a response"),
        }
    }
}

impl std::error::Error for MessageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Shape => None,
        }
    }
}
