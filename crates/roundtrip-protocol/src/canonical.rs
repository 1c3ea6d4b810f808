//! One spelling for each JSON value, to be digested.
//!
//! Two texts that mean the same have the same canonical form: members are sorted by name, blanks are gone, `1`, `1.0`
//! and `1e0` are one number, and a character is written in one way however it was escaped. Two texts that mean
//! different things never share one: numbers are compared by their exact digits, of any size, and members that bear the
//! same name keep their order. The form is JSON again, but meant for a hash and not for a reader.

use std::{error::Error, fmt, ops::Range};

mod arrange;
mod number;
mod scan;

pub(crate) use number::Decimal;

/// How deeply arrays and objects may be nested: 128.
pub const MAX_DEPTH: usize = 128;

/// The canonical form of a JSON text, in time that grows with its length and not with its depth.
///
/// # Errors
///
/// When the text is no JSON, is nested deeper than [`MAX_DEPTH`], or holds a number with an exponent of more than 15
/// digits.
///
/// ```
/// use roundtrip_protocol::canonical::digest_input;
///
/// let one = digest_input(r#"{"b": 1.0, "a": "\u00e9"}"#)?;
/// let two = digest_input(r#"{"a":"é","b":1}"#)?;
/// assert_eq!(one, two);
/// assert_ne!(digest_input("9007199254740993")?, digest_input("9007199254740992")?);
/// # Ok::<(), roundtrip_protocol::canonical::CanonicalError>(())
/// ```
pub fn digest_input(json: &str) -> Result<Vec<u8>, CanonicalError> {
    let scanned = scan::scan(json)?;
    Ok(arrange::arrange(scanned))
}

/// A text that has no canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CanonicalError {
    /// The byte of the text at which the trouble was found.
    pub position: usize,
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Syntax,
    Depth,
    Exponent,
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        match self.fault {
            Fault::Syntax => write!(f, "not valid JSON at byte {position}"),
            Fault::Depth => write!(f, "nested more than {MAX_DEPTH} levels deep at byte {position}"),
            Fault::Exponent => write!(f, "the number at byte {position} has too large an exponent"),
        }
    }
}

impl Error for CanonicalError {}

/// A text in canonical form but for the order of members, and the objects whose order has to change.
struct Scanned {
    text: Vec<u8>,
    /// In the order in which the objects begin.
    objects: Vec<Object>,
}

struct Object {
    /// Where the object stands, its braces included.
    span: Range<usize>,
    /// Its members in their new order; empty when the order stays and only an object inside changes.
    members: Vec<Member>,
    /// The number of the first object that begins after this one ends.
    next: usize,
}

struct Member {
    /// Where the member stands, from the quote of its name to the end of its value.
    span: Range<usize>,
    name_end: usize,
    /// The number of the first object that begins in the member's value or after it.
    first_object: usize,
}

#[cfg(test)]
mod tests;
