//! The second pass: members in the order of their names.

use std::ops::Range;

use super::{Object, Scanned};

/// Writes a scanned text with its objects in order. Each byte is copied once, whatever its depth.
pub(super) fn arrange(scanned: Scanned) -> Vec<u8> {
    let Scanned { text, objects } = scanned;
    if objects.is_empty() {
        return text;
    }
    let mut out = Vec::with_capacity(text.len());
    Arranger { text: &text, objects: &objects, out: &mut out }.part(0..text.len(), 0);
    out
}

struct Arranger<'a> {
    text: &'a [u8],
    objects: &'a [Object],
    out: &'a mut Vec<u8>,
}

impl Arranger<'_> {
    /// Writes a part of the text. `object` is the number of the first object that begins in it or after it. The depth
    /// of the recursion is that of the text.
    fn part(&mut self, part: Range<usize>, mut object: usize) {
        let mut at = part.start;
        while let Some(next) = self.objects.get(object).filter(|next| next.span.start < part.end) {
            if next.members.is_empty() {
                // Only something inside moves; it has a number of its own.
                object += 1;
                continue;
            }
            self.out.extend_from_slice(&self.text[at..next.span.start]);
            self.object(next);
            at = next.span.end;
            object = next.next;
        }
        self.out.extend_from_slice(&self.text[at..part.end]);
    }

    fn object(&mut self, object: &Object) {
        self.out.push(b'{');
        for (number, member) in object.members.iter().enumerate() {
            if number > 0 {
                self.out.push(b',');
            }
            self.part(member.span.clone(), member.first_object);
        }
        self.out.push(b'}');
    }
}
