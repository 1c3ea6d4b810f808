//! Bytes to events, however the bytes are cut.

use std::{error::Error, fmt};

use bytes::Bytes;

use super::is_line_end;

/// A byte-order mark may stand at the very beginning of a stream, and nowhere else.
const BOM: &[u8] = b"\xEF\xBB\xBF";
const FRAMING: usize = b"data: ".len();

/// An incremental reader of an event stream.
///
/// It holds one unfinished event at most, and no more of it than its [limit](Self::with_limit).
#[derive(Debug)]
pub struct Decoder {
    limit: usize,
    /// What has come of the current line. Of a comment only the colon is kept.
    line: Vec<u8>,
    /// The `data` lines of the current event, joined by line feeds.
    data: Vec<u8>,
    /// The last `event` field of the current event.
    name: Vec<u8>,
    has_data: bool,
    /// How much of a byte-order mark has come; `None` once that is decided.
    mark: Option<usize>,
    /// The last byte was a carriage return that ended a line: a line feed that follows belongs to it.
    after_return: bool,
}

/// One event with its data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The event's type, from its `event` field; empty where it has none, which means `message`.
    pub name: String,
    /// Its `data` lines, joined by line feeds. Not checked to be UTF-8: a JSON parser does that.
    pub data: Bytes,
}

/// An event is larger than the decoder's limit. The stream can't be read any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventTooLarge {
    /// The limit, in bytes.
    pub limit: usize,
}

impl Decoder {
    /// How many bytes of an event are read unless [`with_limit`](Self::with_limit) says otherwise: 4 MiB.
    pub const DEFAULT_LIMIT: usize = 4 * 1024 * 1024;

    /// A decoder for a stream of which nothing has been read.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(Self::DEFAULT_LIMIT)
    }

    /// A decoder that gives up on an event of more than `limit` bytes, counting what it has to hold: its type, its
    /// data and the unfinished line. Comments are not held.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            data: Vec::new(),
            name: Vec::new(),
            has_data: false,
            mark: Some(0),
            after_return: false,
        }
    }

    /// Reads up to and including the end of the next event, and leaves in `input` what comes after it. `None` means
    /// that `input` is used up and the event isn't complete: call again with the bytes that follow.
    ///
    /// An event without a `data` field isn't one, as the format has it, and neither is what stands at the end of a
    /// stream without its blank line. Comments, unknown fields, `id` and `retry` are skipped.
    ///
    /// # Errors
    ///
    /// [`EventTooLarge`], as soon as more than the limit would have to be held.
    pub fn decode(&mut self, input: &mut &[u8]) -> Result<Option<Event>, EventTooLarge> {
        self.skip_mark(input);
        while !input.is_empty() {
            if std::mem::take(&mut self.after_return) && input[0] == b'\n' {
                *input = &input[1..];
                continue;
            }
            let Some(end) = input.iter().position(|byte| is_line_end(*byte)) else {
                self.hold(input)?;
                *input = &[];
                break;
            };
            self.after_return = input[end] == b'\r';
            let (head, tail) = (&input[..end], &input[end + 1..]);
            *input = tail;
            if let Some(event) = self.end_line(head)? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    fn skip_mark(&mut self, input: &mut &[u8]) {
        while let (Some(come), Some((byte, rest))) = (self.mark, input.split_first()) {
            if *byte != BOM[come] {
                self.line.extend_from_slice(&BOM[..come]);
                self.mark = None;
                return;
            }
            *input = rest;
            self.mark = Some(come + 1).filter(|come| *come < BOM.len());
        }
    }

    /// Keeps the beginning of a line.
    fn hold(&mut self, bytes: &[u8]) -> Result<(), EventTooLarge> {
        let first = self.line.first().or(bytes.first());
        if first == Some(&b':') {
            self.line.clear();
            self.line.push(b':');
            return Ok(());
        }
        self.fits(self.line.len() + bytes.len(), FRAMING)?;
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// Takes in a whole line, of which `tail` has not been held yet.
    fn end_line(&mut self, tail: &[u8]) -> Result<Option<Event>, EventTooLarge> {
        if self.line.is_empty() && tail.first() != Some(&b':') {
            self.fits(tail.len(), FRAMING)?;
            return self.field(tail);
        }
        self.hold(tail)?;
        let mut line = std::mem::take(&mut self.line);
        let event = self.field(&line);
        line.clear();
        self.line = line;
        event
    }

    fn field(&mut self, line: &[u8]) -> Result<Option<Event>, EventTooLarge> {
        if line.is_empty() {
            return Ok(self.end_event());
        }
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => {
                let joint = usize::from(self.has_data);
                self.fits(joint + value.len(), 0)?;
                self.data.extend_from_slice(&b"\n"[..joint]);
                self.data.extend_from_slice(value);
                self.has_data = true;
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            _ => {}
        }
        Ok(None)
    }

    /// Whether so many bytes more can be held. The frame around a `data` line doesn't count.
    fn fits(&self, more: usize, framing: usize) -> Result<(), EventTooLarge> {
        if self.name.len() + self.data.len() + more > self.limit.saturating_add(framing) {
            return Err(EventTooLarge { limit: self.limit });
        }
        Ok(())
    }

    fn end_event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        if !std::mem::take(&mut self.has_data) {
            return None;
        }
        let data = Bytes::from(std::mem::take(&mut self.data));
        Some(Event { name: String::from_utf8_lossy(&name).into_owned(), data })
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for EventTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an event of the stream is larger than the limit of {} bytes", self.limit)
    }
}

impl Error for EventTooLarge {}
