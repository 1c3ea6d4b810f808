//! The formats that a text field can have.

use std::net::{Ipv4Addr, Ipv6Addr};

/// What is wrong with a text of a format; formats that the specification doesn't name are not checked.
pub(super) fn problem(format: &str, text: &str) -> Option<&'static str> {
    let (fits, problem) = match format {
        "email" => (is_email(text), "it must be an email address"),
        "uri" => (is_uri(text), "it must be a URI, such as https://example.com"),
        "date" => (is_date(text), "it must be a date, such as 2026-07-28"),
        "date-time" => (is_date_time(text), "it must be a date and time, such as 2026-07-28T09:30:00Z"),
        _ => return None,
    };
    (!fits).then_some(problem)
}

/// An address as it stands on an envelope: a local part, in quotes or of atoms with dots between them, and a domain or
/// an address in brackets. Letters outside ASCII are welcome in both.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    text.len() <= 254 && (is_quoted(local) || local.split('.').all(is_atom)) && is_mail_domain(domain)
}

fn is_atom(atom: &str) -> bool {
    !atom.is_empty()
        && atom.chars().all(|c| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c) || is_foreign(c))
}

fn is_quoted(local: &str) -> bool {
    let Some(inner) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let plain = match c {
            '\\' => chars.next().is_some_and(|escaped| !escaped.is_control()),
            '"' => false,
            _ => !c.is_control(),
        };
        if !plain {
            return false;
        }
    }
    !inner.is_empty()
}

fn is_mail_domain(domain: &str) -> bool {
    if let Some(address) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match address.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => address.parse::<Ipv4Addr>().is_ok(),
        };
    }
    domain.split('.').all(|label| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-' || is_foreign(c))
    })
}

/// A character outside ASCII that is neither a blank nor a control character.
fn is_foreign(c: char) -> bool {
    !c.is_ascii() && !c.is_whitespace() && !c.is_control()
}

/// A URI with its scheme, by the grammar of RFC 3986.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    if !is_scheme || rest.is_empty() {
        return false;
    }
    let Some(after) = rest.strip_prefix("//") else { return is_beyond_authority(rest) };
    let (authority, beyond) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
    is_authority(authority) && is_beyond_authority(beyond)
}

fn is_authority(authority: &str) -> bool {
    let (user, host_and_port) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host_and_port.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) if address.parse::<Ipv6Addr>().is_ok() => ("", port),
            _ => return false,
        },
        None => host_and_port.split_at(host_and_port.find(':').unwrap_or(host_and_port.len())),
    };
    let port_fits = match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => port.is_empty(),
    };
    port_fits && are_uri_chars(user, b":") && are_uri_chars(host, b"")
}

/// The path, query and fragment.
fn is_beyond_authority(rest: &str) -> bool {
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    are_uri_chars(rest, b":@/?") && are_uri_chars(fragment, b":@/?")
}

/// Whether a text holds only unreserved characters, sub-delimiters, the given ones and complete `%XX`.
fn are_uri_chars(text: &str, also: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'%' => {
                [bytes.next(), bytes.next()].iter().all(|digit| digit.is_some_and(|d| d.is_ascii_hexdigit()))
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || also.contains(&byte),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// A day of the calendar, `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else { return false };
    let (Some(century), Some(year), Some(month), Some(day)) =
        (two_digits(*y1, *y2), two_digits(*y3, *y4), two_digits(*m1, *m2), two_digits(*d1, *d2))
    else {
        return false;
    };
    let year = century * 100 + year;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// A moment by RFC 3339: a date, a `T`, a time and its offset.
fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

fn is_time(text: &str) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = text.as_bytes() else { return false };
    let (Some(hour), Some(minute), Some(second)) =
        (two_digits(*h1, *h2), two_digits(*m1, *m2), two_digits(*s1, *s2))
    else {
        return false;
    };
    let rest = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        _ => rest,
    };
    let offset = match rest {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => match (two_digits(*h1, *h2), two_digits(*m1, *m2)) {
            (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => {
                let minutes = i32::from(hours * 60 + minutes);
                if *sign == b'-' { -minutes } else { minutes }
            }
            _ => return false,
        },
        _ => return false,
    };
    if hour > 23 || minute > 59 {
        return false;
    }
    // A leap second is the last of a day in UTC.
    let minute_of_day = (i32::from(hour * 60 + minute) - offset).rem_euclid(24 * 60);
    second <= 59 || second == 60 && minute_of_day == 24 * 60 - 1
}

fn two_digits(tens: u8, ones: u8) -> Option<u16> {
    (tens.is_ascii_digit() && ones.is_ascii_digit())
        .then(|| u16::from(tens - b'0') * 10 + u16::from(ones - b'0'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(format: &str, good: &[&str], bad: &[&str]) {
        for text in good {
            assert_eq!(problem(format, text), None, "{format} {text:?}");
        }
        for text in bad {
            assert!(problem(format, text).is_some(), "{format} {text:?}");
        }
    }

    #[test]
    fn email() {
        check(
            "email",
            &[
                "a@b",
                "first.last+tag@example.com",
                "o'neil@example.co.uk",
                "\"a b\\\"@c\"@example.com",
                "x@[127.0.0.1]",
                "x@[IPv6:::1]",
                "jörg@müller.example",
                "1@2.3",
            ],
            &[
                "",
                "@",
                "a@",
                "@b",
                "a",
                "a b@c",
                ".a@b",
                "a.@b",
                "a..b@c",
                "a@b..c",
                "a@-b",
                "a@b-",
                "a@b c",
                "a@[1.2.3]",
                "a@b\n",
                "\"\"@b",
                "\"a\"b\"@c",
                "a@b@c d",
                "<a@b>",
                "a,b@c",
            ],
        );
        assert!(!is_email(&format!("{}@example.com", "a".repeat(250))));
    }

    #[test]
    fn uri() {
        check(
            "uri",
            &[
                "https://example.com",
                "https://user:pw@example.com:8443/a/b?c=d&e#f",
                "http://[::1]:80/",
                "mailto:a@b",
                "urn:isbn:0451450523",
                "file:///etc/hosts",
                "x:y",
                "data:text/plain,a%20b",
                "a+b-c.1:/",
                "https://h/a:b@c",
            ],
            &[
                "",
                "example.com",
                "/path",
                "//host",
                "1http://x",
                "https:",
                ":x",
                "http://a b",
                "http://a/%zz",
                "http://a/%2",
                "http://[::1",
                "http://[zz]/",
                "http://h:port/",
                "http://é",
                "x:<y>",
                "x:\"y\"",
                "x:a#b#c",
                "x:[a]",
                "x:\\y",
                "x:{y}",
            ],
        );
    }

    #[test]
    fn date() {
        check(
            "date",
            &["2026-07-28", "2024-02-29", "2000-02-29", "1999-12-31", "0000-01-01"],
            &[
                "",
                "2026-7-28",
                "2026-02-29",
                "1900-02-29",
                "2026-13-01",
                "2026-00-10",
                "2026-01-00",
                "2026-04-31",
                "2026-01-32",
                "2026-07-28T00:00:00Z",
                " 2026-07-28",
                "26-07-28",
                "2026/07/28",
                "２０２６-07-28",
                "+026-07-28",
            ],
        );
    }

    #[test]
    fn date_time() {
        check(
            "date-time",
            &[
                "2026-07-28T09:30:00Z",
                "2026-07-28t09:30:00.123456789z",
                "2026-07-28T00:00:00+14:00",
                "2026-07-28T23:59:59-23:59",
                "1998-12-31T23:59:60Z",
                "1998-12-31T15:59:60.5-08:00",
                "1999-01-01T00:59:60+01:00",
            ],
            &[
                "",
                "2026-07-28",
                "2026-07-28T09:30:00",
                "2026-07-28 09:30:00Z",
                "2026-07-28T24:00:00Z",
                "2026-07-28T09:60:00Z",
                "2026-07-28T09:30:61Z",
                "2026-07-28T09:30:60Z",
                "2026-07-28T09:30:00.Z",
                "2026-07-28T09:30:00+24:00",
                "2026-07-28T09:30:00+0100",
                "2026-07-28T09:30:00+01:60",
                "2026-02-30T09:30:00Z",
                "2026-07-28T09:30Z",
            ],
        );
    }

    #[test]
    fn a_format_that_nobody_named_is_not_checked() {
        assert_eq!(problem("phone", "not a phone"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), near in "[0-9T:+.Z@\\[\\]%a/-]{0,30}") {
            for format in ["email", "uri", "date", "date-time"] {
                for text in [&text, &near] {
                    prop_assert_eq!(problem(format, text), problem(format, text));
                }
            }
        }
    }
}
