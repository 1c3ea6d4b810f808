//! The fuzz target, run without a fuzzer: over good input, over changes to it, and over anything.

use proptest::prelude::*;

#[path = "../../../fuzz/src/sse.rs"]
mod target;

const STREAM: &[u8] =
    "\x05\x40\u{feff}event: message\r\ndata: {\"a\":\ndata:1}\r\r: note\nid: 7\ndata: é🗼\n\n".as_bytes();

#[test]
fn good_input() {
    target::sse(STREAM);
}

proptest! {
    #[test]
    fn changed_input(at in 0..STREAM.len(), byte: u8, length in 0..STREAM.len()) {
        let mut stream = STREAM.to_vec();
        stream[at] = byte;
        target::sse(&stream);
        stream.truncate(length);
        target::sse(&stream);
    }

    #[test]
    fn any_input(stream: Vec<u8>) {
        target::sse(&stream);
    }
}
