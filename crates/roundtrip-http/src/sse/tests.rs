use proptest::prelude::*;

use super::*;

/// Reads `chunks` one after the other and returns the data of all events.
fn decode_all(mut decoder: Decoder, chunks: &[&[u8]]) -> Result<Vec<Event>, EventTooLarge> {
    let mut events = Vec::new();
    for chunk in chunks {
        let mut rest = *chunk;
        while let Some(event) = decoder.decode(&mut rest)? {
            events.push(event);
        }
        assert!(rest.is_empty(), "`None` means that the input is used up");
    }
    Ok(events)
}

fn data(stream: &[u8]) -> Vec<String> {
    let whole = decode_all(Decoder::new(), &[stream]).unwrap();
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    let cut = decode_all(Decoder::new(), &bytes).unwrap();
    assert_eq!(whole, cut, "a byte at a time reads as the whole");
    whole.into_iter().map(|event| String::from_utf8(event.data.to_vec()).unwrap()).collect()
}

#[test]
fn line_ends_of_each_kind_end_lines_and_events() {
    for stream in ["data: a\n\ndata: b\n\n", "data: a\r\n\r\ndata: b\r\n\r\n", "data: a\r\rdata: b\r\r"] {
        assert_eq!(data(stream.as_bytes()), ["a", "b"], "{stream:?}");
    }
    assert_eq!(data(b"data: a\r\n\rdata: b\n\r\ndata: c\r\r\ndata: d\n\n"), ["a", "b", "c", "d"]);
}

#[test]
fn a_lone_return_ends_the_event_at_once() {
    let mut decoder = Decoder::new();
    let mut input = &b"data: a\r\r"[..];
    assert_eq!(decoder.decode(&mut input).unwrap().unwrap().data, "a");
    let mut input = &b"\ndata: b\r\n\r"[..];
    assert_eq!(decoder.decode(&mut input).unwrap().unwrap().data, "b");
}

#[test]
fn data_lines_are_joined() {
    assert_eq!(data(b"data: {\ndata:   \"a\": 1\ndata:\ndata: }\n\n"), ["{\n  \"a\": 1\n\n}"]);
    assert_eq!(data(b"data:{}\n\n"), ["{}"], "the space after the colon may be missing");
    assert_eq!(data(b"data\n\n"), [""], "and so may the colon");
    assert_eq!(data(b"data:  x\n\n"), [" x"], "only one space belongs to the frame");
}

#[test]
fn the_mark_is_skipped_at_the_start_and_nowhere_else() {
    assert_eq!(data(b"\xEF\xBB\xBFdata: a\n\n"), ["a"]);
    assert_eq!(data(b"\xEF\xBB\xBF: note\ndata: a\n\n"), ["a"]);
    assert_eq!(data(b"\xEF\xBB\xBF\n\ndata: a\n\n"), ["a"]);
    assert_eq!(data(b"\n\xEF\xBB\xBFdata: a\ndata: b\n\n"), ["b"]);
    assert_eq!(data(b"\xEF\xBB\xBF\xEF\xBB\xBFdata: a\n\n"), [""; 0]);
}

#[test]
fn comments_and_unknown_fields_are_skipped() {
    let stream = b": hello\ndata: a\n: in between\nid: 7\nretry: 5\ncolour: red\ndata: b\n:\n\n: bye\n\n";
    assert_eq!(data(stream), ["a\nb"]);
    assert_eq!(data(b"retry: 5\n\nid: 1\n\nevent: x\n\n"), [""; 0], "an event has data");
    assert_eq!(data(b"id: 1\ndata:\n\n"), [""]);
    assert_eq!(data(b"Data: a\n data: b\n\n"), [""; 0], "names are exact");
}

#[test]
fn an_event_has_the_type_that_was_named_last() {
    let events = decode_all(Decoder::new(), &[b"event: a\nevent: ping\ndata: 1\n\ndata: 2\n\n"]).unwrap();
    assert_eq!(events[0].name, "ping");
    assert_eq!(events[1].name, "", "a type belongs to one event");
    let events = decode_all(Decoder::new(), &[b"event: ping\n\ndata: 2\n\n"]).unwrap();
    assert_eq!(events[0].name, "", "also to one without data");
}

#[test]
fn an_unfinished_event_is_none() {
    assert_eq!(data(b"data: a\n\ndata: b\n"), ["a"]);
    assert_eq!(data(b"data: a"), [""; 0]);
}

#[test]
fn a_character_may_be_cut() {
    assert_eq!(data("data: 東京 🗼\n\n".as_bytes()), ["東京 🗼"]);
}

#[test]
fn the_limit_is_exact_however_the_bytes_are_cut() {
    let check = |stream: &[u8]| {
        let whole = decode_all(Decoder::with_limit(8), &[stream]);
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(whole, decode_all(Decoder::with_limit(8), &bytes));
        whole.map(|events| events.len())
    };
    let too_large = Err(EventTooLarge { limit: 8 });
    assert_eq!(check(b"data: 12345678\n\n"), Ok(1));
    assert_eq!(check(b"\xEF\xBB\xBFdata: 12345678\n\n"), Ok(1));
    assert_eq!(check(b"data: 123456789\n\n"), too_large);
    assert_eq!(check(b"data: 1234\ndata: 567\n\n"), Ok(1), "the line feed counts");
    assert_eq!(check(b"data: 1234\ndata: 5678\n\n"), too_large);
    assert_eq!(check(b"data: 12345678\n\ndata: 12345678\n\n"), Ok(2), "each event by itself");
    assert_eq!(check(b"something: that nobody knows\n\n"), too_large);
    assert_eq!(check(b"event: that nobody knows\n\n"), too_large);
    assert_eq!(check(b": a comment as long as it likes\ndata: 1\n\n"), Ok(1));
}

#[test]
fn a_comment_without_an_end_is_not_held() {
    let mut decoder = Decoder::with_limit(8);
    for _ in 0..1000 {
        let mut input = &b": and so on and on"[..];
        assert_eq!(decoder.decode(&mut input), Ok(None));
    }
    let mut input = &b"\ndata: 1\n\n"[..];
    assert_eq!(decoder.decode(&mut input).unwrap().unwrap().data, "1");
}

#[test]
fn a_line_end_in_a_message_begins_a_data_line() {
    let mut stream = Vec::new();
    encode(b"{\r\n\"a\":\r1,\n\n\"b\":2}", &mut stream);
    assert_eq!(stream, b"data: {\ndata: \"a\":\ndata: 1,\ndata: \ndata: \"b\":2}\n\n");
    assert_eq!(data(&stream), ["{\n\"a\":\n1,\n\n\"b\":2}"]);
}

#[test]
fn keep_alive_is_a_comment() {
    assert_eq!(data(&[KEEP_ALIVE, b"data: a\n\n", KEEP_ALIVE].concat()), ["a"]);
}

/// The format's own description, over the whole stream at once.
fn reference(stream: &[u8]) -> Vec<Event> {
    let text = stream.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stream);
    let (mut lines, mut line, mut bytes) = (Vec::new(), Vec::new(), text.iter().peekable());
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' => {
                bytes.next_if(|byte| **byte == b'\n');
                lines.push(std::mem::take(&mut line));
            }
            b'\n' => lines.push(std::mem::take(&mut line)),
            _ => line.push(*byte),
        }
    }
    let (mut events, mut name, mut data) = (Vec::new(), Vec::new(), None::<Vec<u8>>);
    for line in lines {
        if line.is_empty() {
            let name = String::from_utf8_lossy(&std::mem::take(&mut name)).into_owned();
            events.extend(data.take().map(|data| Event { name, data: data.into() }));
            continue;
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let field = parts.next().unwrap();
        let value = parts.next().unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"event" => name = value.to_vec(),
            b"data" => match &mut data {
                Some(data) => data.extend([b"\n", value].concat()),
                None => data = Some(value.to_vec()),
            },
            _ => {}
        }
    }
    events
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "data", "data: ", "event: ", "id:", ":", " ", "\n", "\r", "\r\n", "\n\n", "\u{feff}", "{}", "🗼", "x",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

/// Where to cut a stream, as lengths of its chunks.
fn cut<'a>(mut stream: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
    let mut chunks = Vec::new();
    for length in lengths {
        let (chunk, rest) = stream.split_at((*length).min(stream.len()));
        chunks.push(chunk);
        stream = rest;
    }
    chunks.push(stream);
    chunks
}

proptest! {
    #[test]
    fn any_stream_reads_as_the_format_says(stream in pieces(), lengths in prop::collection::vec(0..9usize, 0..30)) {
        let expected = reference(&stream);
        prop_assert_eq!(&decode_all(Decoder::new(), &cut(&stream, &lengths)).unwrap(), &expected);
    }

    #[test]
    fn the_limit_falls_alike_wherever_the_cut(stream in pieces(), lengths in prop::collection::vec(0..9usize, 0..30)) {
        let whole = decode_all(Decoder::with_limit(6), &[&stream]);
        prop_assert_eq!(decode_all(Decoder::with_limit(6), &cut(&stream, &lengths)), whole);
    }

    #[test]
    fn what_is_encoded_decodes(messages in prop::collection::vec("[^\r\n]*", 0..5), lengths in prop::collection::vec(0..40usize, 0..30)) {
        let mut stream = Vec::new();
        for message in &messages {
            encode(message.as_bytes(), &mut stream);
        }
        let events = decode_all(Decoder::new(), &cut(&stream, &lengths)).unwrap();
        let data: Vec<&[u8]> = events.iter().map(|event| &event.data[..]).collect();
        prop_assert_eq!(data, messages.iter().map(String::as_bytes).collect::<Vec<_>>());
    }
}
