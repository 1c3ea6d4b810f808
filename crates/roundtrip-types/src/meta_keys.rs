//! The keys of `_meta` that the specification reserves.

/// The protocol version of a request: a string, required.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What the client of a request can do: a `ClientCapabilities`, required.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who the client of a request says it is: an `Implementation`.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The least level of the log messages that a request wants: a `LoggingLevel`.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Who the server of a result says it is: an `Implementation`.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The id of the `subscriptions/listen` request that a notification belongs to: a `RequestId`.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The name under which a request wants progress: a `ProgressToken`.
pub const PROGRESS_TOKEN: &str = "progressToken";
/// The position in a trace, as in W3C Trace Context.
pub const TRACEPARENT: &str = "traceparent";
/// What vendors add to a trace, as in W3C Trace Context.
pub const TRACESTATE: &str = "tracestate";
/// Properties that travel with a trace, as in W3C Baggage.
pub const BAGGAGE: &str = "baggage";

/// Whether `key` follows the grammar of `_meta` keys: an optional prefix of dot-separated labels
/// and a slash, then a name.
///
/// ```
/// use roundtrip_types::meta_keys;
///
/// assert!(meta_keys::is_valid("com.example/trace-id"));
/// assert!(!meta_keys::is_valid("com..example/x"));
/// ```
pub fn is_valid(key: &str) -> bool {
    match key.split_once('/') {
        Some((prefix, name)) => prefix.split('.').all(is_label) && is_name(name),
        None => is_name(key),
    }
}

/// Whether `id` can name an extension: a valid key with a prefix.
pub fn is_extension_id(id: &str) -> bool {
    id.contains('/') && is_valid(id)
}

/// Whether `key` has a prefix that only the specification may use: one whose second label is `mcp`
/// or `modelcontextprotocol`.
pub fn is_reserved(key: &str) -> bool {
    key.split_once('/')
        .and_then(|(prefix, _)| prefix.split('.').nth(1))
        .is_some_and(|label| matches!(label, "mcp" | "modelcontextprotocol"))
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let edge = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_alphanumeric);
    edge(bytes.first())
        && edge(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}
