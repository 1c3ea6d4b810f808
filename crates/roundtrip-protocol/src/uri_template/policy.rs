//! Which values a URI may hold.

use std::borrow::Cow;

/// What the values of a matched URI must not be, since they often end up as the name of a file.
///
/// By default a URI matches nothing when one of its decoded values
///
/// - has `..` as one of its segments, with `/` or `\` between them;
/// - is an absolute path: starts with `/` or `\`, or is a drive such as `C:` or starts with one and a slash;
/// - holds a NUL.
///
/// Each is judged as if the value were decoded again and again, so that a handler that decodes once too often is no
/// way in either. What the default refuses is allowed by name, for all variables or for one.
///
/// ```
/// use roundtrip_protocol::uri_template::{UriTemplate, ValuePolicy};
///
/// let template = UriTemplate::parse("file://{+path}")?;
/// assert!(template.match_uri("file:///srv/notes.txt").is_none());
///
/// let template = template.with_policy(ValuePolicy::strict().allow_absolute());
/// assert!(template.match_uri("file:///srv/notes.txt").is_some());
/// assert!(template.match_uri("file:///srv/../etc/passwd").is_none());
/// # Ok::<(), roundtrip_protocol::uri_template::UriTemplateError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValuePolicy {
    traversal: bool,
    absolute: bool,
    nul: bool,
    exempt: Vec<String>,
}

impl ValuePolicy {
    /// The default: everything above is refused.
    #[must_use]
    pub fn strict() -> Self {
        Self::default()
    }

    /// Allows `..` as a segment.
    #[must_use]
    pub fn allow_traversal(mut self) -> Self {
        self.traversal = true;
        self
    }

    /// Allows absolute paths.
    #[must_use]
    pub fn allow_absolute(mut self) -> Self {
        self.absolute = true;
        self
    }

    /// Allows NUL.
    #[must_use]
    pub fn allow_nul(mut self) -> Self {
        self.nul = true;
        self
    }

    /// Allows everything in one variable.
    #[must_use]
    pub fn exempt(mut self, variable: impl Into<String>) -> Self {
        self.exempt.push(variable.into());
        self
    }

    /// Whether a variable may have this decoded value.
    #[must_use]
    pub fn permits(&self, variable: &str, value: &str) -> bool {
        if self.exempt.iter().any(|exempt| exempt == variable) {
            return true;
        }
        let value = decode_fully(value);
        (self.traversal || !value.split(['/', '\\']).any(|segment| segment == ".."))
            && (self.absolute || !is_absolute(&value))
            && (self.nul || !value.contains('\0'))
    }
}

fn is_absolute(value: &str) -> bool {
    match value.as_bytes() {
        [b'/' | b'\\', ..] => true,
        [drive, b':'] | [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// What is left when a value is decoded until nothing changes: `%25` followed by two digits is decoded as often as it
/// takes, in one pass.
fn decode_fully(value: &str) -> Cow<'_, str> {
    if !value.contains('%') {
        return Cow::Borrowed(value);
    }
    let bytes = value.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let mut end = at + 1;
        let mut byte = bytes[at];
        if byte == b'%' {
            while let Some(decoded) = hex_byte(bytes, end) {
                end += 2;
                byte = decoded;
                if byte != b'%' {
                    break;
                }
            }
        }
        out.push(byte);
        at = end;
    }
    match String::from_utf8_lossy(&out) {
        Cow::Borrowed(text) => Cow::Owned(text.to_owned()),
        Cow::Owned(text) => Cow::Owned(text),
    }
}

fn hex_byte(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
    u8::try_from(digit(at)? << 4 | digit(at + 1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn climbing_out_is_refused_in_every_spelling() {
        let strict = ValuePolicy::strict();
        for value in [
            "..",
            "../etc",
            "a/..",
            "a/../b",
            "..\\",
            "a\\..\\b",
            "%2e%2e",
            "..%2Fetc",
            "..%252F..%252Fetc",
            "%25252e./x",
            "a%5c..",
            "%2e%252e%255cx",
        ] {
            assert!(!strict.permits("v", value), "{value}");
            assert!(strict.clone().allow_traversal().permits("v", value), "{value}");
        }
        for value in ["...", "a..b", "..a", "a..", ".", "./a", "", "%2e%2e%2e", "%20", "100%", "%zz", "%25"] {
            assert!(strict.permits("v", value), "{value}");
        }
    }

    #[test]
    fn absolute_paths_are_refused_and_colons_are_not() {
        let strict = ValuePolicy::strict();
        for value in ["/etc", "\\\\host\\share", "C:", "c:/x", "C:\\x", "%2Fetc", "C%3A%5Cx"] {
            assert!(!strict.permits("v", value), "{value}");
            assert!(strict.clone().allow_absolute().permits("v", value), "{value}");
        }
        for value in ["x:y", "a:b:c", "etc/", "1:/", "urn:x"] {
            assert!(strict.permits("v", value), "{value}");
        }
    }

    #[test]
    fn nul_is_refused() {
        for value in ["a\0b", "a%00b", "a%2500"] {
            assert!(!ValuePolicy::strict().permits("v", value), "{value}");
            assert!(ValuePolicy::strict().allow_nul().permits("v", value), "{value}");
        }
    }

    #[test]
    fn one_variable_can_be_exempt() {
        let policy = ValuePolicy::strict().exempt("v");
        assert!(policy.permits("v", "/../\0"));
        assert!(!policy.permits("w", "/../\0"));
    }
}
