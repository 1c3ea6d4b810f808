//! The headers that mirror a message, and how a value is written into one.
//!
//! Names and arguments may hold what a header can't: such a value travels as `=?base64?{Base64 of UTF-8}?=`.
//! [`encode_value`] wraps only what needs it, and [`decode_value`] reads both forms, strictly. The arguments that a
//! tool's schema mirrors with `x-mcp-header` are found with [`header_params`], written by a client with [`mirror`], and
//! compared by a server with [`check`].

use std::{borrow::Cow, error::Error, fmt};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderName, HeaderValue};

use crate::text::trim_optional_whitespace;

mod param;
mod schema;

pub use param::{MirrorError, check, mirror};
pub use schema::{HeaderParam, HeaderParamError, HeaderParamKind, header_params};

/// `MCP-Protocol-Version`: the version of the request, on every message.
pub const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// `Mcp-Method`: the method, on every request.
pub const METHOD: HeaderName = HeaderName::from_static("mcp-method");
/// `Mcp-Name`: the name or URI of what is asked for, on the methods with a
/// [`name_member`](crate::methods::Method::name_member).
pub const NAME: HeaderName = HeaderName::from_static("mcp-name");
/// What the name of a header that mirrors an argument starts with, in lower case.
pub const PARAM_PREFIX: &str = "mcp-param-";

const OPEN: &str = "=?base64?";
const CLOSE: &str = "?=";

/// Writes any text as the value of `Mcp-Name` or of a `Mcp-Param-*` header.
///
/// Visible ASCII with blanks inside stays as it is, and so does the empty text. Everything else is wrapped: other
/// characters, control characters (a tab, too), a blank at either end, and a text that looks like the wrapper.
///
/// ```
/// use roundtrip_protocol::headers::encode_value;
///
/// assert_eq!(encode_value("get weather"), "get weather");
/// assert_eq!(encode_value("héllo"), "=?base64?aMOpbGxv?=");
/// ```
#[must_use]
pub fn encode_value(value: &str) -> HeaderValue {
    let plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !value.starts_with(' ')
        && !value.ends_with(' ')
        && wrapped(value.as_bytes()).is_none();
    let encoded = if plain {
        HeaderValue::from_str(value)
    } else {
        HeaderValue::from_str(&format!("{OPEN}{}{CLOSE}", STANDARD.encode(value)))
    };
    encoded.expect("printable ASCII is a header value")
}

/// Reads a value that [`encode_value`] or another implementation wrote, without the blanks that HTTP lets stand around
/// it.
///
/// The wrapper counts only in lower case and complete; anything else that looks a little like it is taken literally.
///
/// # Errors
///
/// When the wrapper holds no Base64 with its padding, or no UTF-8, or when a plain value holds a character outside
/// ASCII or a control character other than a tab.
///
/// ```
/// use roundtrip_protocol::headers::decode_value;
///
/// assert_eq!(decode_value(b"=?base64?aMOpbGxv?=")?, "héllo");
/// assert_eq!(decode_value(b"=?BASE64?aMOpbGxv?=")?, "=?BASE64?aMOpbGxv?=");
/// assert!(decode_value(b"=?base64?a?=").is_err());
/// # Ok::<(), roundtrip_protocol::headers::HeaderValueError>(())
/// ```
pub fn decode_value(value: &[u8]) -> Result<Cow<'_, str>, HeaderValueError> {
    let value = trim_optional_whitespace(value);
    if let Some(base64) = wrapped(value) {
        let bytes = STANDARD.decode(base64).map_err(|_| HeaderValueError(Fault::Base64))?;
        return String::from_utf8(bytes).map(Cow::Owned).map_err(|_| HeaderValueError(Fault::Utf8));
    }
    if !value.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return Err(HeaderValueError(Fault::Character));
    }
    std::str::from_utf8(value).map(Cow::Borrowed).map_err(|_| HeaderValueError(Fault::Character))
}

/// What stands between the markers of a wrapped value.
fn wrapped(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(OPEN.as_bytes())?.strip_suffix(CLOSE.as_bytes())
}

/// A header value that can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderValueError(Fault);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Base64,
    Utf8,
    Character,
}

impl fmt::Display for HeaderValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Fault::Base64 => "the base64 wrapper holds no valid base64",
            Fault::Utf8 => "the base64 wrapper holds no valid UTF-8",
            Fault::Character => "the value holds a character that must be sent in the base64 wrapper",
        })
    }
}

impl Error for HeaderValueError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_text_stays_plain() {
        for value in
            ["", "a", "two words", "eu-west-1", "=?base64?", "?=", "=?base64?=", "=?BASE64?dGVzdA==?=", "~!"]
        {
            assert_eq!(encode_value(value), value);
            assert_eq!(decode_value(value.as_bytes()).unwrap(), value);
        }
    }

    #[test]
    fn what_a_header_cannot_hold_is_wrapped() {
        let expected = [
            ("=?base64?dGVzdA==?=", "=?base64?PT9iYXNlNjQ/ZEdWemRBPT0/PQ==?="),
            ("=?base64??=", "=?base64?PT9iYXNlNjQ/Pz0=?="),
            ("héllo", "=?base64?aMOpbGxv?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            (" before", "=?base64?IGJlZm9yZQ==?="),
            ("after ", "=?base64?YWZ0ZXIg?="),
            ("a\tb", "=?base64?YQli?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("\u{7f}", "=?base64?fw==?="),
            ("\0", "=?base64?AA==?="),
            (" ", "=?base64?IA==?="),
        ];
        for (value, header) in expected {
            assert_eq!(encode_value(value), header, "{value:?}");
            assert_eq!(decode_value(header.as_bytes()).unwrap(), value);
        }
    }

    #[test]
    fn the_wrapper_is_read_strictly() {
        let broken: [&[u8]; 8] = [
            b"=?base64?dGVzdA?=",    // padding left out
            b"=?base64?dGVzdB==?=",  // bits set after the end
            b"=?base64?dGVz dA==?=", // a blank inside
            b"=?base64?dGVzdA===?=", // too much padding
            b"=?base64?_-8=?=",      // the URL alphabet
            b"=?base64?/w==?=",      // not UTF-8
            b"=?base64?*?=",
            b"h\xc3\xa9llo", // not wrapped at all
        ];
        for value in broken {
            assert!(decode_value(value).is_err(), "{}", String::from_utf8_lossy(value));
        }
    }

    #[test]
    fn half_a_wrapper_is_a_literal() {
        for value in ["=?base64?dGVzdA==", "dGVzdA==?=", "=?Base64?dGVzdA==?=", "x=?base64?dGVzdA==?="] {
            assert_eq!(decode_value(value.as_bytes()).unwrap(), value);
        }
    }

    #[test]
    fn wrapped_plain_text_and_surrounding_blanks_are_accepted() {
        assert_eq!(decode_value(b"=?base64?dGVzdA==?=").unwrap(), "test");
        assert_eq!(decode_value(b"=?base64??=").unwrap(), "");
        assert_eq!(decode_value(b" \ttest ").unwrap(), "test");
        assert_eq!(decode_value(b"a\tb").unwrap(), "a\tb");
    }

    #[test]
    fn a_control_character_is_refused() {
        for value in [&b"a\x01b"[..], b"a\x7f", b"a\r\nb", b"\0"] {
            assert!(decode_value(value).is_err(), "{value:?}");
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back(value in any::<String>()) {
            let header = encode_value(&value);
            prop_assert_eq!(decode_value(header.as_bytes()).unwrap(), value);
        }

        #[test]
        fn no_bytes_make_it_panic_and_what_is_read_is_written_alike(bytes in any::<Vec<u8>>()) {
            if let Ok(value) = decode_value(&bytes) {
                let header = encode_value(&value);
                prop_assert_eq!(decode_value(header.as_bytes()).unwrap(), value);
            }
        }

        #[test]
        fn near_misses_of_the_wrapper_come_back(inner in "[=?a-zA-Z0-9+/]{0,12}") {
            for value in [format!("=?base64?{inner}?="), format!("=?base64?{inner}"), inner] {
                let header = encode_value(&value);
                prop_assert_eq!(decode_value(header.as_bytes()).unwrap(), value);
            }
        }
    }
}
