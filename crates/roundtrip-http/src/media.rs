//! Media types, compared as media types: by type and subtype, without regard to case, whatever parameters follow.

use http::{HeaderMap, HeaderValue, header};

/// The two media types of Streamable HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `application/json`
    Json,
    /// `text/event-stream`
    EventStream,
}

/// Which of the two a client can read.
#[cfg(feature = "server")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) json: bool,
    pub(crate) event_stream: bool,
}

impl Kind {
    fn parts(self) -> (&'static str, &'static str) {
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

#[cfg(feature = "server")]
impl Accepted {
    const ALL: Self = Self { json: true, event_stream: true };

    /// What the `Accept` headers, taken together, allow. None at all allow everything.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(header::ACCEPT).iter().map(HeaderValue::as_bytes).peekable();
        match values.next() {
            None => return Self::ALL,
            Some(b"application/json, text/event-stream") if values.peek().is_none() => return Self::ALL,
            Some(_) => {}
        }
        let values = headers.get_all(header::ACCEPT).iter().map(|value| value.to_str().unwrap_or_default());
        let ranges: Vec<&str> =
            values.flat_map(|value| split(value, b',')).filter(|range| !range.is_empty()).collect();
        if ranges.is_empty() {
            return Self::ALL;
        }
        let allows = |kind: Kind| {
            let quality = ranges.iter().filter_map(|range| Some((specificity(range, kind)?, quality(range))));
            quality.max().is_some_and(|(_, allowed)| allowed)
        };
        Self { json: allows(Kind::Json), event_stream: allows(Kind::EventStream) }
    }

    pub(crate) fn nothing(self) -> bool {
        !self.json && !self.event_stream
    }
}

/// How precisely a media range names a media type; `None` where it doesn't.
#[cfg(feature = "server")]
fn specificity(range: &str, kind: Kind) -> Option<u8> {
    let essence = range.split(';').next().unwrap_or_default().trim();
    let (main, sub) = essence.split_once('/')?;
    let (is_main, is_sub) =
        (main.eq_ignore_ascii_case(kind.parts().0), sub.eq_ignore_ascii_case(kind.parts().1));
    match (main, sub) {
        ("*", "*") => Some(0),
        (_, "*") if is_main => Some(1),
        _ if is_main && is_sub => Some(2),
        _ => None,
    }
}

/// Whether a media range's weight is above zero. A weight that can't be read counts as none given.
#[cfg(feature = "server")]
fn quality(range: &str) -> bool {
    let parameters = range.split_once(';').map_or("", |(_, parameters)| parameters);
    parameter(parameters, "q").and_then(|weight| weight.parse::<f32>().ok()).is_none_or(|weight| weight > 0.0)
}

/// The value of a parameter, without its quotes.
fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    split(parameters, b';').find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        let value = value.trim();
        let unquoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        key.trim().eq_ignore_ascii_case(name).then_some(unquoted.unwrap_or(value))
    })
}

/// Splits at a separator that doesn't stand in a quoted string, and trims the parts.
fn split(list: &str, separator: u8) -> impl Iterator<Item = &str> {
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
    use super::*;

    fn map(name: &http::HeaderName, values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    fn content(values: &[&'static str]) -> Option<Kind> {
        Kind::of(&map(&header::CONTENT_TYPE, values))
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

    #[cfg(feature = "server")]
    #[test]
    fn accept_is_read_with_wildcards_and_weights() {
        let check = |values: &[&'static str], json, event_stream| {
            let accepted = Accepted::of(&map(&header::ACCEPT, values));
            assert_eq!(accepted, Accepted { json, event_stream }, "{values:?}");
        };
        check(&[], true, true);
        check(&[""], true, true);
        check(&["application/json, text/event-stream"], true, true);
        check(&["text/event-stream,Application/JSON"], true, true);
        check(&["application/json", "text/event-stream"], true, true);
        check(&["application/json, text/event-stream", "text/event-stream;q=0"], true, true);
        check(&["*/*"], true, true);
        check(&["*/*;q=0.8"], true, true);
        check(&["application/*"], true, false);
        check(&["application/json, text/*"], true, true);
        check(&["application/json"], true, false);
        check(&["application/json; charset=\"a,b\"; q=1.0"], true, false);
        check(&["text/event-stream"], false, true);
        check(&["*/*, text/event-stream; q=0"], true, false);
        check(&["text/event-stream;Q=0.0, */*"], true, false);
        check(&["*/*;q=0, application/json"], true, false);
        check(&["application/json;q=x"], true, false);
        check(&["text/html"], false, false);
        check(&["text/html, image/*"], false, false);
        check(&["json"], false, false);
        check(&["*"], false, false);
        assert!(Accepted::of(&map(&header::ACCEPT, &["text/html"])).nothing());
        assert!(!Accepted::of(&map(&header::ACCEPT, &["application/json"])).nothing());
    }
}
