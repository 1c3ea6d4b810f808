//! One request as bytes, and one message from bytes.

use std::{borrow::Cow, collections::BTreeMap};

use bytes::Bytes;
use roundtrip_types::{CompletionReference, LoggingLevel, RawJson, RequestId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The params of every request that this client sends, as far as it sends them.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<&'a RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cursor: Option<&'a str>,
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub(crate) reference: Option<&'a CompletionReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) argument: Option<Argument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<Context<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input_responses: Option<&'a BTreeMap<String, RawJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request_state: Option<&'a str>,
}

/// The argument that `completion/complete` completes.
#[derive(Serialize)]
pub(crate) struct Argument<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

/// The arguments that `completion/complete` may take as given.
#[derive(Serialize)]
pub(crate) struct Context<'a> {
    pub(crate) arguments: &'a BTreeMap<String, String>,
}

/// The `_meta` of one request.
#[derive(Serialize)]
pub(crate) struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: &'a str,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: &'a RawJson,
    #[serde(rename = "io.modelcontextprotocol/clientInfo", skip_serializing_if = "Option::is_none")]
    pub(crate) client_info: Option<&'a RawJson>,
    #[serde(rename = "io.modelcontextprotocol/logLevel", skip_serializing_if = "Option::is_none")]
    pub(crate) log_level: Option<&'a LoggingLevel>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "progressToken")]
    pub(crate) progress_token: Option<i64>,
    #[serde(flatten)]
    pub(crate) other: &'a BTreeMap<String, RawJson>,
}

/// Writes one request on one line.
pub(crate) fn write(
    id: &RequestId,
    method: &str,
    params: &Params<'_>,
    meta: &Meta<'_>,
) -> serde_json::Result<Bytes> {
    #[derive(Serialize)]
    struct Request<'a> {
        jsonrpc: &'static str,
        id: &'a RequestId,
        method: &'a str,
        params: WithMeta<'a>,
    }

    #[derive(Serialize)]
    struct WithMeta<'a> {
        #[serde(flatten)]
        params: &'a Params<'a>,
        #[serde(rename = "_meta")]
        meta: &'a Meta<'a>,
    }

    let mut bytes =
        serde_json::to_vec(&Request { jsonrpc: "2.0", id, method, params: WithMeta { params, meta } })?;
    // JSON has line breaks only between its tokens, so those that came with a caller's raw arguments are white space.
    for byte in &mut bytes {
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    Ok(bytes.into())
}

/// One message from the server, as far as it has to be read to know what it is.
pub(crate) enum Message<'a> {
    Result {
        id: &'a RawValue,
        result: &'a RawValue,
    },
    Error {
        id: Option<&'a RawValue>,
        error: &'a RawValue,
    },
    Notification {
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// Something that isn't a message to a client: not JSON-RPC, or a request.
    Foreign,
}

/// Tells what a message is.
pub(crate) fn read(bytes: &[u8]) -> Message<'_> {
    #[derive(Deserialize)]
    struct Members<'a> {
        #[serde(borrow)]
        jsonrpc: Option<Cow<'a, str>>,
        #[serde(borrow)]
        id: Option<&'a RawValue>,
        #[serde(borrow)]
        method: Option<Cow<'a, str>>,
        #[serde(borrow)]
        params: Option<&'a RawValue>,
        #[serde(borrow)]
        result: Option<&'a RawValue>,
        #[serde(borrow)]
        error: Option<&'a RawValue>,
    }

    match serde_json::from_slice(bytes) {
        Ok(Members { jsonrpc: Some(version), .. }) if version != "2.0" => Message::Foreign,
        Ok(Members { jsonrpc: None, .. }) | Err(_) => Message::Foreign,
        Ok(Members { method: None, id, error: Some(error), result: None, .. }) => {
            Message::Error { id, error }
        }
        Ok(Members { method: None, id: Some(id), result: Some(result), error: None, .. }) => {
            Message::Result { id, result }
        }
        Ok(Members { method: Some(method), id: None, params, .. }) => {
            Message::Notification { method, params }
        }
        Ok(_) => Message::Foreign,
    }
}
