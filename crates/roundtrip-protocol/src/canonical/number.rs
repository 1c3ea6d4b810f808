//! Numbers by their exact value.

use std::{borrow::Cow, cmp::Ordering};

/// Exponents beyond this, in either direction, are refused; no number that a program computes with comes near.
const MAX_EXPONENT: i64 = 999_999_999_999_999;

/// Integers of up to so many digits are written out.
const MAX_PLAIN_DIGITS: i64 = 64;

/// A JSON number as `digits * 10^exponent`, with no zero at either end of the digits; zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal<'a> {
    negative: bool,
    digits: Cow<'a, str>,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// Reads a text that follows the grammar of JSON numbers; `None` when the exponent is too large or the text is no
    /// number.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
            Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
            None => (unsigned, None),
        };
        let (integer, fraction) = match mantissa.split_once('.') {
            Some((integer, fraction)) => (integer, Some(fraction)),
            None => (mantissa, None),
        };
        if !is_integer_part(integer) || !fraction.is_none_or(is_digits) {
            return None;
        }
        let fraction = fraction.unwrap_or_default().trim_end_matches('0');
        let digits: Cow<'a, str> = match (integer.trim_start_matches('0'), fraction) {
            ("", fraction) => fraction.trim_start_matches('0').into(),
            (integer, "") => integer.into(),
            (integer, fraction) => format!("{integer}{fraction}").into(),
        };
        let written = match exponent {
            None => 0,
            Some(exponent) => read_exponent(exponent)?,
        };
        if digits.is_empty() {
            return Some(Self { negative: false, digits, exponent: 0 });
        }
        let kept = digits.trim_end_matches('0').len();
        let zeros = digits.len() - kept;
        let digits = match digits {
            Cow::Borrowed(digits) => Cow::Borrowed(&digits[..kept]),
            Cow::Owned(mut digits) => {
                digits.truncate(kept);
                Cow::Owned(digits)
            }
        };
        let shift = i64::try_from(zeros).ok()? - i64::try_from(fraction.len()).ok()?;
        Some(Self { negative, digits, exponent: written.checked_add(shift)? })
    }

    /// Whether the number has no fraction.
    pub(crate) const fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// The one spelling of this number.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        if self.digits.is_empty() {
            out.push(b'0');
            return;
        }
        if self.negative {
            out.push(b'-');
        }
        out.extend_from_slice(self.digits.as_bytes());
        if self.exponent == 0 {
            return;
        }
        let length = self.length();
        if self.exponent > 0 && length <= MAX_PLAIN_DIGITS {
            out.extend((0..self.exponent).map(|_| b'0'));
        } else {
            out.extend_from_slice(format!("e{}", self.exponent).as_bytes());
        }
    }

    /// How many digits stand before the decimal point, when the number is written out.
    fn length(&self) -> i64 {
        i64::try_from(self.digits.len()).unwrap_or(i64::MAX).saturating_add(self.exponent)
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Of two numbers with the point at the same place, the digits decide, as in a dictionary.
            (false, false) => self.length().cmp(&other.length()).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// JSON lets no number start with a zero that has digits after it.
fn is_integer_part(text: &str) -> bool {
    is_digits(text) && (text == "0" || !text.starts_with('0'))
}

fn read_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if !is_digits(digits) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let value: i64 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    if value > MAX_EXPONENT {
        return None;
    }
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> Option<String> {
        let mut out = Vec::new();
        Decimal::parse(text)?.write(&mut out);
        Some(String::from_utf8(out).unwrap())
    }

    #[test]
    fn equal_numbers_have_one_spelling() {
        let classes: [(&str, &[&str]); 9] = [
            ("0", &["0", "-0", "0.0", "0e9", "-0.000e-7", "0E+0"]),
            ("1", &["1", "1.0", "1e0", "10e-1", "0.1e1", "0.01E+2", "1.000e-0"]),
            ("100", &["100", "1e2", "100.0", "0.1e3", "1E+02"]),
            ("-420", &["-420", "-42e1", "-4.2e2", "-420.00"]),
            ("15e-1", &["1.5", "15e-1", "0.15e1", "1.50"]),
            ("1e-3", &["0.001", "1e-3", "100e-5"]),
            ("9007199254740993", &["9007199254740993", "9007199254740993.0", "9.007199254740993e15"]),
            ("1e64", &["1e64", "10e63", "0.1e65"]),
            (
                "123456789012345678901234567890",
                &["123456789012345678901234567890", "12345678901234567890123456789e1"],
            ),
        ];
        for (spelling, alike) in classes {
            for text in alike {
                assert_eq!(canonical(text).as_deref(), Some(spelling), "{text}");
            }
        }
    }

    #[test]
    fn plain_digits_end_at_the_limit() {
        assert_eq!(canonical("1e63").unwrap().len(), 64);
        assert_eq!(canonical("1e64").unwrap(), "1e64");
        let long = "7".repeat(500);
        assert_eq!(canonical(&long).unwrap(), long);
    }

    #[test]
    fn exponents_end_at_the_limit() {
        assert_eq!(canonical("1e999999999999999").unwrap(), "1e999999999999999");
        assert_eq!(canonical("1e-999999999999999").unwrap(), "1e-999999999999999");
        assert_eq!(canonical("1e0000000000000000000000001").unwrap(), "10");
        for text in
            ["1e1000000000000000", "1e-1000000000000000", "1e99999999999999999999999", "0e9999999999999999"]
        {
            assert_eq!(canonical(text), None, "{text}");
        }
    }

    #[test]
    fn what_json_calls_no_number_is_none() {
        for text in [
            "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e1", "0x1", "1_0", "NaN", "Infinity",
            " 1", "1 ", "1e1.0", "--1", "٣",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_ordered_by_value() {
        let ordered = [
            "-1e30",
            "-11",
            "-10.5",
            "-1",
            "-0.5",
            "-0.05",
            "0",
            "1e-9",
            "0.05",
            "0.5",
            "0.51",
            "1",
            "9",
            "10",
            "10.1",
            "99",
            "9007199254740992",
            "9007199254740993",
            "1e30",
        ];
        for (i, left) in ordered.iter().enumerate() {
            for (j, right) in ordered.iter().enumerate() {
                let order = Decimal::parse(left).unwrap().cmp(&Decimal::parse(right).unwrap());
                assert_eq!(order, i.cmp(&j), "{left} {right}");
            }
        }
    }

    #[test]
    fn integers_are_told_by_value() {
        for text in ["0", "-0.0", "3", "3.0", "30e-1", "1e5", "-7.000"] {
            assert!(Decimal::parse(text).unwrap().is_integer(), "{text}");
        }
        for text in ["0.5", "3.5", "1e-1", "-0.001"] {
            assert!(!Decimal::parse(text).unwrap().is_integer(), "{text}");
        }
    }
}
