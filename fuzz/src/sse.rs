//! Event streams, thrown at the decoder. Apart from the other targets, because it is the only one of its crate.

use roundtrip_http::sse::{Decoder, Event, EventTooLarge, encode};

/// A byte that says how the stream is cut, a byte for the limit, then the stream.
pub(crate) fn sse(data: &[u8]) {
    let [size, limit, stream @ ..] = data else { return };
    let limit = usize::from(*limit) * 4;
    let whole = decode(limit, [stream]);
    assert_eq!(whole, decode(limit, stream.chunks(usize::from(*size).max(1))), "the cut makes no difference");
    for event in whole.unwrap_or_default() {
        assert!(event.data.len() <= limit);
        let mut encoded = Vec::new();
        encode(&event.data, &mut encoded);
        let again = decode(limit, [&encoded[..]]).expect("it was within the limit before");
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].data, event.data, "what was decoded has no line ends but line feeds");
    }
}

fn decode<'a>(limit: usize, chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Event>, EventTooLarge> {
    let mut decoder = Decoder::with_limit(limit);
    let mut events = Vec::new();
    for mut chunk in chunks {
        while let Some(event) = decoder.decode(&mut chunk)? {
            events.push(event);
        }
    }
    Ok(events)
}
