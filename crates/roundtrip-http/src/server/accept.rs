//! What a client says that it can read.

use http::{HeaderMap, HeaderValue, header};

use crate::media::{Kind, parameter, split};

/// Which of the two a client can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    pub(super) json: bool,
    pub(super) event_stream: bool,
}

impl Accepted {
    const ALL: Self = Self { json: true, event_stream: true };

    /// What the `Accept` headers, taken together, allow. None at all allow everything.
    pub(super) fn of(headers: &HeaderMap) -> Self {
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

    pub(super) fn nothing(self) -> bool {
        !self.json && !self.event_stream
    }
}

/// How precisely a media range names a media type; `None` where it doesn't.
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
fn quality(range: &str) -> bool {
    let parameters = range.split_once(';').map_or("", |(_, parameters)| parameters);
    parameter(parameters, "q").and_then(|weight| weight.parse::<f32>().ok()).is_none_or(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&'static str]) -> Accepted {
        Accepted::of(&values.iter().map(|value| (header::ACCEPT, HeaderValue::from_static(value))).collect())
    }

    #[test]
    fn accept_is_read_with_wildcards_and_weights() {
        let check = |values: &[&'static str], json, event_stream| {
            let accepted = of(values);
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
        assert!(of(&["text/html"]).nothing());
        assert!(!of(&["application/json"]).nothing());
    }
}
