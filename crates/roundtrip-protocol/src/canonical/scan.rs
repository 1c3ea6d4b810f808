//! The first pass: everything but the order of members.

use super::{CanonicalError, Decimal, Fault, MAX_DEPTH, Member, Object, Scanned};

/// Reads a JSON text and writes it with one spelling for each value, and notes which objects are out of order.
pub(super) fn scan(json: &str) -> Result<Scanned, CanonicalError> {
    let mut scanner = Scanner {
        json,
        at: 0,
        scanned: Scanned { text: Vec::with_capacity(json.len()), objects: Vec::new() },
        open_members: Vec::new(),
    };
    scanner.blanks();
    scanner.value(0)?;
    scanner.blanks();
    if scanner.at < json.len() {
        return Err(scanner.fault(Fault::Syntax));
    }
    Ok(scanner.scanned)
}

struct Scanner<'a> {
    json: &'a str,
    at: usize,
    scanned: Scanned,
    /// The members of the objects that have begun and not ended, the innermost last.
    open_members: Vec<Member>,
}

impl Scanner<'_> {
    fn fault(&self, fault: Fault) -> CanonicalError {
        CanonicalError { position: self.at, fault }
    }

    fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Takes a byte of the structure, if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let next = self.peek() == Some(byte);
        if next {
            self.at += 1;
        }
        next
    }

    fn expect(&mut self, byte: u8) -> Result<(), CanonicalError> {
        if self.take(byte) { Ok(()) } else { Err(self.fault(Fault::Syntax)) }
    }

    /// Reads a value that begins at the next byte. `depth` is the number of arrays and objects around it.
    fn value(&mut self, depth: usize) -> Result<(), CanonicalError> {
        match self.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => Err(self.fault(Fault::Depth)),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => Err(self.fault(Fault::Syntax)),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), CanonicalError> {
        if !self.json[self.at..].starts_with(word) {
            return Err(self.fault(Fault::Syntax));
        }
        self.at += word.len();
        self.scanned.text.extend_from_slice(word.as_bytes());
        Ok(())
    }

    fn number(&mut self) -> Result<(), CanonicalError> {
        let rest = &self.json[self.at..];
        let length = rest
            .bytes()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
            .unwrap_or(rest.len());
        let text = &rest[..length];
        match Decimal::parse(text) {
            Some(number) => number.write(&mut self.scanned.text),
            // Whether the grammar or the exponent is at fault, is for the message alone.
            None if serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok() => {
                return Err(self.fault(Fault::Exponent));
            }
            None => return Err(self.fault(Fault::Syntax)),
        }
        self.at += length;
        Ok(())
    }

    fn array(&mut self, depth: usize) -> Result<(), CanonicalError> {
        self.expect(b'[')?;
        self.scanned.text.push(b'[');
        self.blanks();
        if !self.take(b']') {
            loop {
                self.value(depth)?;
                self.blanks();
                if !self.take(b',') {
                    break;
                }
                self.scanned.text.push(b',');
                self.blanks();
            }
            self.expect(b']')?;
        }
        self.scanned.text.push(b']');
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<(), CanonicalError> {
        self.expect(b'{')?;
        let start = self.scanned.text.len();
        let number = self.scanned.objects.len();
        let first_member = self.open_members.len();
        // The number is taken now, because the objects inside come before this one ends.
        self.scanned.objects.push(Object { span: start..start, members: Vec::new(), next: 0 });
        self.scanned.text.push(b'{');
        self.blanks();
        if !self.take(b'}') {
            loop {
                self.member(depth)?;
                self.blanks();
                if !self.take(b',') {
                    break;
                }
                self.scanned.text.push(b',');
                self.blanks();
            }
            self.expect(b'}')?;
        }
        self.scanned.text.push(b'}');
        self.close(number, first_member, start);
        Ok(())
    }

    fn member(&mut self, depth: usize) -> Result<(), CanonicalError> {
        let start = self.scanned.text.len();
        self.string()?;
        let name_end = self.scanned.text.len();
        self.blanks();
        self.expect(b':')?;
        self.scanned.text.push(b':');
        self.blanks();
        let first_object = self.scanned.objects.len();
        self.value(depth)?;
        let end = self.scanned.text.len();
        self.open_members.push(Member { span: start..end, name_end, first_object });
        Ok(())
    }

    /// Keeps an object whose members have to move, or in which something has to; forgets any other.
    fn close(&mut self, number: usize, first_member: usize, start: usize) {
        let Scanned { text, objects } = &mut self.scanned;
        let name = |member: &Member| &text[member.span.start..member.name_end];
        let members = &self.open_members[first_member..];
        let sorted = members.is_sorted_by(|left, right| name(left) <= name(right));
        if sorted && objects.len() == number + 1 {
            objects.pop();
        } else {
            let next = objects.len();
            let object = &mut objects[number];
            object.span.end = text.len();
            object.next = next;
            debug_assert_eq!(object.span.start, start);
            if !sorted {
                object.members = self.open_members.drain(first_member..).collect();
                // Members of one name keep their order: the sort is stable.
                object.members.sort_by(|left, right| name(left).cmp(name(right)));
            }
        }
        self.open_members.truncate(first_member);
    }

    fn string(&mut self) -> Result<(), CanonicalError> {
        self.expect(b'"')?;
        self.scanned.text.push(b'"');
        loop {
            let rest = &self.json.as_bytes()[self.at..];
            let plain = rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
                .ok_or(CanonicalError { position: self.json.len(), fault: Fault::Syntax })?;
            self.scanned.text.extend_from_slice(&rest[..plain]);
            self.at += plain;
            match rest[plain] {
                b'"' => {
                    self.at += 1;
                    self.scanned.text.push(b'"');
                    return Ok(());
                }
                b'\\' => self.escape()?,
                _ => return Err(self.fault(Fault::Syntax)),
            }
        }
    }

    fn escape(&mut self) -> Result<(), CanonicalError> {
        let out = &mut self.scanned.text;
        let character = match self.json.as_bytes().get(self.at + 1) {
            Some(b'u') => return self.unicode_escape(),
            Some(b'"') => b'"',
            Some(b'\\') => b'\\',
            Some(b'/') => b'/',
            Some(b'b') => 0x08,
            Some(b't') => b'\t',
            Some(b'n') => b'\n',
            Some(b'f') => 0x0c,
            Some(b'r') => b'\r',
            _ => return Err(self.fault(Fault::Syntax)),
        };
        write_char(out, char::from(character));
        self.at += 2;
        Ok(())
    }

    fn unicode_escape(&mut self) -> Result<(), CanonicalError> {
        let Some(unit) = hex_escape(self.json.as_bytes(), self.at) else {
            return Err(self.fault(Fault::Syntax));
        };
        let next = match unit {
            0xd800..=0xdbff => hex_escape(self.json.as_bytes(), self.at + 6),
            _ => None,
        };
        let mut decoded = char::decode_utf16([unit].into_iter().chain(next));
        match decoded.next() {
            Some(Ok(character)) => {
                write_char(&mut self.scanned.text, character);
                self.at += 6 * character.len_utf16();
            }
            // Half of a pair is no character, but JSON may hold it. It keeps an escape, in one spelling.
            _ => {
                self.scanned.text.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                self.at += 6;
            }
        }
        Ok(())
    }
}

/// The code unit of a `\uXXXX` at a place of a text.
fn hex_escape(json: &[u8], at: usize) -> Option<u16> {
    let escape = json.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0_u16, |unit, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}

/// Writes a character that was escaped: as it is where JSON lets it stand, else in one spelling.
fn write_char(out: &mut Vec<u8>, character: char) {
    match character {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\0'..='\u{1f}' => out.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes()),
        _ => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}
