//! The era of 2026-07-28: each request brings its version and the client's capabilities in `params._meta`, and over
//! HTTP mirrors what routes it into headers.

use std::{borrow::Cow, fmt};

use http::{HeaderMap, HeaderName};
use roundtrip_types::{LoggingLevel, McpError, ProtocolVersion, RawJson, RequestMeta, meta_keys};
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Era;
use crate::{
    headers,
    inbound::{Params, Parts, Wire},
    methods::{Method, NameMember},
    text,
};

/// What is left of a request when its envelope has been checked.
pub(crate) struct Admitted<'a> {
    pub(crate) method: Method,
    pub(crate) meta: RequestMeta,
    pub(crate) params: Params<'a>,
}

/// Checks the envelope of a request, in the order that the specification's errors need.
pub(crate) fn admit<'a>(
    wire: Wire<'_>,
    message: &'a str,
    method: &str,
    parts: Option<Parts<'a>>,
) -> Result<Admitted<'a>, McpError> {
    let routing = match wire {
        Wire::Http(headers) => Some(Routing::read(headers)?),
        Wire::Pipe => None,
    };
    let version_header = routing.as_ref().map(Routing::version).transpose()?;
    let parts = parts.ok_or_else(|| missing("params, with _meta,"))?;
    let (params, meta) = Params::of(message, &parts)?;
    let meta = meta.ok_or_else(|| missing("params._meta"))?;
    let meta = read_meta(meta, version_header)?;
    if let Some(routing) = &routing {
        routing.agree_on_method(method)?;
    }
    // A name of another era has no row that says what `Mcp-Name` mirrors, so it is unknown before that is asked.
    let known = Method::of(Era::Envelope, method).ok_or_else(|| McpError::method_not_found(method))?;
    if let (Some(routing), Some(member)) = (&routing, known.name_member()) {
        routing.agree_on_name(member, &params)?;
    }
    if let Some(LoggingLevel::Other(_)) = meta.log_level {
        let message =
            format!("params._meta[\"{}\"] is no log level; debug is the least", meta_keys::LOG_LEVEL);
        return Err(McpError::invalid_params(message));
    }
    Ok(Admitted { method: known, meta, params })
}

/// Checks a notification. It needs no headers, but a version that it does name has to be spoken here.
pub(crate) fn admit_notification(wire: Wire<'_>) -> Result<(), McpError> {
    let Wire::Http(headers) = wire else { return Ok(()) };
    match single(headers, &headers::PROTOCOL_VERSION, "MCP-Protocol-Version")? {
        None => Ok(()),
        Some(version) => match std::str::from_utf8(version) {
            Ok(version) => supported(version),
            Err(_) => Err(McpError::header_mismatch("the MCP-Protocol-Version header is not plain ASCII")),
        },
    }
}

/// A client of the handshake era starts with `initialize`; whatever is wrong with that here, the answer says which
/// versions are spoken.
pub(crate) fn help_handshake(method: &str, mut error: McpError) -> McpError {
    if method == "initialize" {
        let spoken = ProtocolVersion::SUPPORTED.join(", ");
        error.message = format!("{}; this server speaks {spoken}, which has no handshake", error.message);
        if error.data.is_none() {
            error.data = RawJson::from_serialize(&Supported { supported: ProtocolVersion::SUPPORTED }).ok();
        }
    }
    error
}

#[derive(serde::Serialize)]
struct Supported {
    supported: &'static [&'static str],
}

/// Reads `_meta`. Its version is judged before the rest, because what the rest means depends on it.
fn read_meta(raw: &RawValue, version_header: Option<&[u8]>) -> Result<RequestMeta, McpError> {
    match RequestMeta::from_json(raw.get()) {
        Ok(meta) => {
            check_version(meta.protocol_version.as_str(), version_header)?;
            Ok(meta)
        }
        Err(error) => {
            check_version(&version_alone(raw)?, version_header)?;
            Err(McpError::invalid_params(format!("params.{error}")))
        }
    }
}

fn check_version(version: &str, header: Option<&[u8]>) -> Result<(), McpError> {
    if header.is_some_and(|header| header != version.as_bytes()) {
        return Err(McpError::header_mismatch(
            "the MCP-Protocol-Version header does not match the version in params._meta",
        ));
    }
    supported(version)
}

fn supported(version: &str) -> Result<(), McpError> {
    match Era::of_version(version) {
        Some(Era::Envelope) => Ok(()),
        None => Err(McpError::unsupported_protocol_version(ProtocolVersion::SUPPORTED, version)),
    }
}

/// The version in a `_meta` that can't be read as a whole.
#[cold]
fn version_alone(raw: &RawValue) -> Result<Cow<'_, str>, McpError> {
    struct Version;

    impl<'de> Visitor<'de> for Version {
        type Value = Option<&'de RawValue>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut version = None;
            while let Some(text::Name(key)) = map.next_key()? {
                if key == meta_keys::PROTOCOL_VERSION {
                    version = Some(map.next_value()?);
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(version)
        }
    }

    let key = meta_keys::PROTOCOL_VERSION;
    match serde_json::Deserializer::from_str(raw.get()).deserialize_map(Version) {
        Err(_) => Err(McpError::invalid_params("params._meta must be an object")),
        Ok(None) => Err(missing(&format!("params._meta[\"{key}\"]"))),
        Ok(Some(version)) => text::string(version)
            .ok_or_else(|| McpError::invalid_params(format!("params._meta[\"{key}\"] must be a string"))),
    }
}

fn missing(what: &str) -> McpError {
    McpError::invalid_params(format!(
        "{what} is missing; a request names its version and the client's capabilities in params._meta"
    ))
}

/// The headers that route a request, each at most once.
struct Routing<'h> {
    version: Option<&'h [u8]>,
    method: Option<&'h [u8]>,
    name: Option<&'h [u8]>,
}

impl<'h> Routing<'h> {
    fn read(headers: &'h HeaderMap) -> Result<Self, McpError> {
        Ok(Self {
            version: single(headers, &headers::PROTOCOL_VERSION, "MCP-Protocol-Version")?,
            method: single(headers, &headers::METHOD, "Mcp-Method")?,
            name: single(headers, &headers::NAME, "Mcp-Name")?,
        })
    }

    fn version(&self) -> Result<&'h [u8], McpError> {
        self.version.ok_or_else(|| absent("MCP-Protocol-Version"))
    }

    fn agree_on_method(&self, method: &str) -> Result<(), McpError> {
        match self.method {
            None => Err(absent("Mcp-Method")),
            Some(header) if header == method.as_bytes() => Ok(()),
            Some(_) => Err(McpError::header_mismatch("the Mcp-Method header does not match method")),
        }
    }

    fn agree_on_name(&self, member: NameMember, params: &Params<'_>) -> Result<(), McpError> {
        let header = self.name.ok_or_else(|| absent("Mcp-Name"))?;
        let body = match member {
            NameMember::Name => params.name,
            NameMember::Uri => params.uri,
        };
        // A body without a name is no better for a header that has one: whoever reads the params says what is wrong.
        let Some(body) = body.and_then(text::string) else { return Ok(()) };
        let header = headers::decode_value(header).map_err(|error| {
            McpError::header_mismatch(format!("the Mcp-Name header can't be read: {error}"))
        })?;
        if header == body {
            Ok(())
        } else {
            let member = member.as_str();
            Err(McpError::header_mismatch(format!("the Mcp-Name header does not match params.{member}")))
        }
    }
}

/// The one value of a header. Two values would let one reader route by the first and another serve the second.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName, shown: &str) -> Result<Option<&'h [u8]>, McpError> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(McpError::header_mismatch(format!("the {shown} header is there more than once")));
    }
    Ok(first.map(|value| text::trim_optional_whitespace(value.as_bytes())))
}

fn absent(header: &str) -> McpError {
    McpError::header_mismatch(format!("the {header} header is missing"))
}
