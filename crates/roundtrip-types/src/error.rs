//! The error object of JSON-RPC and the codes that the protocol defines.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ClientCapabilities, RawJson};

/// The code of an [`McpError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "a code is a number and nothing else")]
pub struct ErrorCode(pub i64);

impl ErrorCode {
    /// The message is not JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// The message is JSON but no request.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// The method is unknown, or the server does not offer it.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The parameters do not fit the method.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The server failed.
    pub const INTERNAL_ERROR: Self = Self(-32603);
    /// A header is missing or malformed, or says something else than the body.
    pub const HEADER_MISMATCH: Self = Self(-32020);
    /// The request needs a capability that its client did not declare.
    pub const MISSING_CLIENT_CAPABILITY: Self = Self(-32021);
    /// The server does not speak the protocol version of the request.
    pub const UNSUPPORTED_PROTOCOL_VERSION: Self = Self(-32022);
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<i64> for ErrorCode {
    fn from(code: i64) -> Self {
        Self(code)
    }
}

/// An error as it stands in a JSON-RPC response: `Error`.
///
/// Both sides see it, so it holds nothing that the peer may not know.
///
/// ```
/// use roundtrip_types::{ErrorCode, McpError};
///
/// let error = McpError::invalid_params("unknown tool: sing");
/// assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
/// assert_eq!(error.to_string(), "unknown tool: sing (-32602)");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpError {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// One sentence about it.
    #[serde(default)]
    pub message: String,
    /// More about it, in a shape that the code decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<RawJson>,
}

impl McpError {
    /// An error with any code. Codes of applications lie outside of -32768 to -32000.
    pub fn new(code: impl Into<ErrorCode>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), data: None }
    }

    /// The message is not JSON: -32700.
    pub fn parse_error() -> Self {
        Self::new(ErrorCode::PARSE_ERROR, "the message is not valid JSON")
    }

    /// The message is no request: -32600.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST, message)
    }

    /// The method is unknown or not offered: -32601. The message holds the first 128 characters of it.
    pub fn method_not_found(method: impl fmt::Display) -> Self {
        let shown: String = method.to_string().chars().take(128).collect();
        Self::new(ErrorCode::METHOD_NOT_FOUND, format!("method not found: {shown}"))
    }

    /// The parameters do not fit: -32602.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_PARAMS, message)
    }

    /// The server failed: -32603. It says no more, because the cause is not the peer's business.
    pub fn internal_error() -> Self {
        Self::new(ErrorCode::INTERNAL_ERROR, "internal error")
    }

    /// A header and the body disagree, or the header is missing: -32020.
    pub fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::HEADER_MISMATCH, message)
    }

    /// The client did not declare what the request needs: -32021, with `data.requiredCapabilities`.
    pub fn missing_client_capability(required: &ClientCapabilities, message: impl Into<String>) -> Self {
        let data = RequiredCapabilities { required_capabilities: required };
        Self::new(ErrorCode::MISSING_CLIENT_CAPABILITY, message).with_own_data(&data)
    }

    /// The server does not speak `requested`: -32022, with `data.supported` and `data.requested`.
    pub fn unsupported_protocol_version(supported: &[&str], requested: &str) -> Self {
        let data = UnsupportedVersion { supported, requested };
        Self::new(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, "unsupported protocol version")
            .with_own_data(&data)
    }

    /// Sets `data`.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<RawJson>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// The capabilities that a -32021 asks for.
    pub fn required_capabilities(&self) -> Option<ClientCapabilities> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Data {
            required_capabilities: ClientCapabilities,
        }
        (self.code == ErrorCode::MISSING_CLIENT_CAPABILITY)
            .then(|| self.data.as_ref()?.parse::<Data>().ok())
            .flatten()
            .map(|data| data.required_capabilities)
    }

    /// The protocol versions that a -32022 offers instead.
    pub fn supported_versions(&self) -> Option<Vec<String>> {
        #[derive(Deserialize)]
        struct Data {
            supported: Vec<String>,
        }
        (self.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION)
            .then(|| self.data.as_ref()?.parse::<Data>().ok())
            .flatten()
            .map(|data| data.supported)
    }

    fn with_own_data<T: Serialize>(mut self, data: &T) -> Self {
        self.data =
            Some(RawJson::from_serialize(data).expect("the data of a defined code is always writable"));
        self
    }
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for McpError {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequiredCapabilities<'a> {
    required_capabilities: &'a ClientCapabilities,
}

#[derive(Serialize)]
struct UnsupportedVersion<'a> {
    supported: &'a [&'a str],
    requested: &'a str,
}
