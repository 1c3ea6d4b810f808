//! Borrowed reading of JSON that has already been scanned once.

use std::{borrow::Cow, fmt};

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::value::RawValue;

/// The text of a JSON string, borrowed when it holds no escape; `None` for any other JSON value and for a string that
/// is no Unicode text (half of a surrogate pair).
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.as_bytes().contains(&b'\\') {
        serde_json::from_str(raw.get()).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// Whether a JSON value is an object.
pub(crate) fn is_object(raw: &RawValue) -> bool {
    raw.get().starts_with('{')
}

/// The value, unless it is absent or `null`.
pub(crate) fn present(raw: Option<&RawValue>) -> Option<&RawValue> {
    raw.filter(|raw| raw.get() != "null")
}

/// A value without the blanks and tabs that HTTP lets stand around it.
pub(crate) fn trim_optional_whitespace(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}

/// The name of a member, borrowed when it holds no escape.
pub(crate) struct Name<'de>(pub(crate) Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> &RawValue {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn plain_strings_are_borrowed_and_escaped_ones_are_decoded() {
        assert!(matches!(string(raw(r#""tools/call""#)), Some(Cow::Borrowed("tools/call"))));
        assert_eq!(string(raw(r#""a\u002fb""#)).as_deref(), Some("a/b"));
        assert_eq!(string(raw(r#""""#)).as_deref(), Some(""));
    }

    #[test]
    fn what_is_no_text_is_none() {
        for json in ["null", "5", "true", "{}", "[\"a\"]", r#""\ud800""#] {
            assert_eq!(string(raw(json)), None, "{json}");
        }
    }

    #[test]
    fn null_counts_as_absent() {
        assert!(present(Some(raw(" null "))).is_none());
        assert!(present(None).is_none());
        assert!(present(Some(raw("\"null\""))).is_some());
    }

    #[test]
    fn only_blanks_and_tabs_are_trimmed() {
        assert_eq!(trim_optional_whitespace(b" \t a b\t "), b"a b");
        assert_eq!(trim_optional_whitespace(b" \t "), b"");
        assert_eq!(trim_optional_whitespace(b"\na"), b"\na");
    }
}
