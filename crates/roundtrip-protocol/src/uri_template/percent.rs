//! Percent-encoding, as URIs and templates need it.

use std::borrow::Cow;

/// Writes a value so that only the unreserved characters of RFC 3986 remain.
pub(super) fn encode(value: &str, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in value.bytes() {
        if is_unreserved(byte) {
            out.push(char::from(byte));
        } else {
            let (high, low) = (usize::from(byte >> 4), usize::from(byte & 0xf));
            out.extend(['%', char::from(DIGITS[high]), char::from(DIGITS[low])]);
        }
    }
}

/// Writes a text so that only characters of a URI remain: reserved characters and `%XX` stay as they are.
pub(super) fn encode_keeping_reserved(text: &str, out: &mut String) {
    rewrite(text, out, false);
}

/// The normal form of a text of a URI, in which texts are compared: what a URI can't hold is percent-encoded, with
/// upper-case digits, and unreserved characters are not. `None` when a `%` is not followed by two hexadecimal digits.
pub(super) fn normalize(text: &str) -> Option<Cow<'_, str>> {
    if text.bytes().all(|byte| byte != b'%' && is_uri_char(byte)) {
        return Some(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len() + 16);
    rewrite(text, &mut out, true).then_some(Cow::Owned(out))
}

/// Where a `%` without its digits stands.
pub(super) fn broken_percent(text: &str) -> Option<usize> {
    text.bytes().enumerate().position(|(at, byte)| byte == b'%' && triplet(text, at).is_none())
}

/// The text that a normal form stands for; `None` when it is not UTF-8.
pub(super) fn decode(normal: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(normal.len());
    let mut at = 0;
    while let Some(&byte) = normal.as_bytes().get(at) {
        let decoded = triplet(normal, at);
        at += if decoded.is_some() { 3 } else { 1 };
        bytes.push(decoded.unwrap_or(byte));
    }
    String::from_utf8(bytes).ok()
}

/// Returns whether every `%` had its digits; one without is encoded itself.
fn rewrite(text: &str, out: &mut String, normal: bool) -> bool {
    let mut complete = true;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '%' {
            match triplet(rest, 0) {
                Some(byte) if normal && is_unreserved(byte) => out.push(char::from(byte)),
                Some(_) if normal => out.push_str(&rest[..3].to_ascii_uppercase()),
                Some(_) => out.push_str(&rest[..3]),
                None => {
                    complete = false;
                    out.push_str("%25");
                    rest = &rest[1..];
                    continue;
                }
            }
            rest = &rest[3..];
            continue;
        }
        let length = c.len_utf8();
        if c.is_ascii() && is_uri_char(c as u8) {
            out.push(c);
        } else {
            encode(&rest[..length], out);
        }
        rest = &rest[length..];
    }
    complete
}

/// The byte that the `%XX` at a place stands for.
fn triplet(text: &str, at: usize) -> Option<u8> {
    let [b'%', high, low] = text.as_bytes().get(at..at + 3)? else { return None };
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Whether a byte may stand in a URI as it is; a `%` may, as the start of its digits.
fn is_uri_char(byte: u8) -> bool {
    is_unreserved(byte) || b"%:/?#[]@!$&'()*+,;=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_form_is_one_for_all_spellings() {
        let cases = [
            ("plain/a?b=c#d", "plain/a?b=c#d"),
            ("café", "caf%C3%A9"),
            ("caf%c3%a9", "caf%C3%A9"),
            ("my docs", "my%20docs"),
            ("%41%2d%7E%2E", "A-~."),
            ("%2f%2F/", "%2F%2F/"),
            ("%252e", "%252e"),
            ("a\\b\"<>^`{|}\u{7f}", "a%5Cb%22%3C%3E%5E%60%7B%7C%7D%7F"),
        ];
        for (text, normal) in cases {
            assert_eq!(normalize(text).as_deref(), Some(normal), "{text}");
            assert_eq!(normalize(normal).as_deref(), Some(normal), "{text}");
        }
    }

    #[test]
    fn a_percent_sign_needs_two_digits() {
        for (text, at) in
            [("%", 0), ("a%zz", 1), ("a%2", 1), ("%é", 0), ("%%41", 0), ("%+1", 0), ("%41%4", 3)]
        {
            assert_eq!(normalize(text), None, "{text}");
            assert_eq!(broken_percent(text), Some(at), "{text}");
        }
        assert_eq!(broken_percent("%41%C3é"), None);
    }

    #[test]
    fn a_value_is_decoded_once() {
        assert_eq!(decode("a%2520b").as_deref(), Some("a%20b"));
        assert_eq!(decode("a+b").as_deref(), Some("a+b"));
        assert_eq!(decode("%C3%A9").as_deref(), Some("é"));
        assert_eq!(decode("%C3"), None);
    }
}
