//! Media types, compared as media types: by type and subtype, without regard to case, whatever parameters follow.

use http::{HeaderMap, header};

/// The two media types of Streamable HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `application/json`
    Json,
    /// `text/event-stream`
    EventStream,
}

impl Kind {
    /// Type and subtype.
    pub(crate) fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::EventStream => ("text", "event-stream"),
        }
    }

    /// What the `Content-Type` header says the body is; `None` for any other media type, for a charset other than
    /// UTF-8, and where there isn't exactly one header.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(header::CONTENT_TYPE).iter();
        let value = values.next().filter(|_| values.next().is_none())?;
        match value.as_bytes() {
            b"application/json" => Some(Self::Json),
            _ => Self::parse(value.to_str().ok()?),
        }
    }

    fn parse(value: &str) -> Option<Self> {
        let (essence, parameters) = value.split_once(';').unwrap_or((value, ""));
        let kind = [Self::Json, Self::EventStream].into_iter().find(|kind| {
            essence.trim().split_once('/').is_some_and(|(main, sub)| {
                main.eq_ignore_ascii_case(kind.parts().0) && sub.eq_ignore_ascii_case(kind.parts().1)
            })
        })?;
        let is_utf8 =
            |charset: &str| charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8");
        parameter(parameters, "charset").is_none_or(is_utf8).then_some(kind)
    }
}

/// The value of a parameter, without its quotes.
pub(crate) fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    split(parameters, b';').find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        let value = value.trim();
        let unquoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        key.trim().eq_ignore_ascii_case(name).then_some(unquoted.unwrap_or(value))
    })
}

/// Splits at a separator that doesn't stand in a quoted string, and trims the parts.
pub(crate) fn split(list: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(list);
    std::iter::from_fn(move || {
        let list = rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = list.bytes().position(|byte| {
            let found = !quoted && byte == separator;
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ => {}
            }
            found
        });
        rest = end.map(|end| &list[end + 1..]);
        Some(list[..end.unwrap_or(list.len())].trim())
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn content(values: &[&'static str]) -> Option<Kind> {
        let headers = values.iter().map(|value| (header::CONTENT_TYPE, HeaderValue::from_static(value)));
        Kind::of(&headers.collect())
    }

    #[test]
    fn content_types_compare_by_type_and_subtype() {
        for json in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
            "application/json ; boundary=\"a;charset=utf-16\" ; Charset=utf8",
            "application/json;",
        ] {
            assert_eq!(content(&[json]), Some(Kind::Json), "{json}");
        }
        for stream in ["text/event-stream", "TEXT/EVENT-STREAM;charset=UTF-8"] {
            assert_eq!(content(&[stream]), Some(Kind::EventStream), "{stream}");
        }
    }

    #[test]
    fn other_content_types_are_none_of_ours() {
        for other in [
            "application/json; charset=utf-16",
            "application/json; charset=\"iso-8859-1\"",
            "text/plain; charset=utf-8",
            "application/jsonx",
            "application/problem+json",
            "text/json",
            "*/*",
            "json",
            "",
        ] {
            assert_eq!(content(&[other]), None, "{other}");
        }
        assert_eq!(content(&[]), None);
        assert_eq!(content(&["application/json", "application/json"]), None, "which of them?");
    }
}
