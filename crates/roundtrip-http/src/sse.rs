//! Event streams (`text/event-stream`): bytes to events and back.
//!
//! A stream of events has no message boundaries of its own below the blank line that ends an event, so the
//! [`Decoder`] takes bytes however they are cut: between the two characters of a line end, inside a character, in the
//! middle of a field's name. [`encode`] writes one message as one event.
//!
//! ```
//! use roundtrip_http::sse::{self, Decoder};
//!
//! let mut stream = Vec::new();
//! sse::encode(br#"{"jsonrpc":"2.0"}"#, &mut stream);
//!
//! let mut decoder = Decoder::new();
//! let (mut first, mut second) = stream.split_at(9);
//! assert!(decoder.decode(&mut first)?.is_none());
//! let event = decoder.decode(&mut second)?.expect("the blank line came");
//! assert_eq!(event.data, r#"{"jsonrpc":"2.0"}"#);
//! # Ok::<_, roundtrip_http::sse::EventTooLarge>(())
//! ```

mod decoder;

pub use decoder::{Decoder, Event, EventTooLarge};

/// What keeps an idle stream open: a comment, which every reader ignores.
#[cfg(any(feature = "server", test))]
pub(crate) const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

/// Appends `message` to `stream` as one event.
///
/// A line end inside the message, which in JSON can only be white space between two tokens, begins another `data`
/// line; a reader gets a line feed there.
pub fn encode(message: &[u8], stream: &mut Vec<u8>) {
    stream.reserve(message.len() + b"data: \n\n".len());
    let mut rest = message;
    loop {
        let end = rest.iter().position(|byte| is_line_end(*byte));
        stream.extend_from_slice(b"data: ");
        stream.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
        stream.push(b'\n');
        let Some(end) = end else { break };
        let width = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = &rest[end + width..];
    }
    stream.push(b'\n');
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

#[cfg(test)]
mod tests;
