//! Event streams, cut anywhere.

use bytes::Bytes;

use crate::support::{Answer, PROGRESS, RESPONSE, exchange, peer, stream};

/// Reads a stream that comes in `pieces`.
async fn read(pieces: Vec<Vec<u8>>) -> Vec<Bytes> {
    let peer = peer(move |_, _| Answer::Write(stream(pieces.iter().map(|piece| &piece[..])))).await;
    exchange(&peer.transport()).await.unwrap()
}

fn two_events(end: &str) -> Vec<u8> {
    format!("data: {PROGRESS}{end}{end}data: {RESPONSE}{end}{end}").into_bytes()
}

#[tokio::test]
async fn a_cut_at_any_place_loses_nothing() {
    for end in ["\n", "\r\n", "\r"] {
        let bytes = two_events(end);
        let cuts = bytes.len();
        let peer = peer(move |cut, _| {
            let (head, tail) = bytes.split_at(cut);
            Answer::Write(stream([head, tail]))
        })
        .await;
        let transport = peer.transport();
        for cut in 0..cuts {
            assert_eq!(
                exchange(&transport).await.unwrap(),
                [PROGRESS, RESPONSE],
                "cut at {cut} with {end:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_byte_at_a_time_loses_nothing() {
    for end in ["\n", "\r\n", "\r"] {
        let pieces = two_events(end).chunks(1).map(<[u8]>::to_vec).collect();
        assert_eq!(read(pieces).await, [PROGRESS, RESPONSE], "{end:?}");
    }
}

#[tokio::test]
async fn all_at_once_loses_nothing() {
    assert_eq!(read(vec![two_events("\n")]).await, [PROGRESS, RESPONSE]);
}

#[tokio::test]
async fn the_format_is_read_in_all_its_forms() {
    let pretty = "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 5,\n  \"result\": {}\n}";
    let lines = pretty.lines().map(|line| format!("data: {line}\r\n")).collect::<String>();
    let commented =
        pretty.lines().map(|line| format!("data: {line}\n: note\nid: 3\ncolour: red\n")).collect::<String>();
    for (text, expected) in [
        (format!("{lines}\r\n"), pretty),
        (format!("{commented}\n"), pretty),
        (format!("data:{RESPONSE}\n\n"), RESPONSE),
        (format!("\u{feff}data: {RESPONSE}\n\n"), RESPONSE),
        (format!("event: message\ndata: {RESPONSE}\n\n"), RESPONSE),
        (format!("data: {RESPONSE}\n\rdata: cut off"), RESPONSE),
    ] {
        let bytes = text.clone().into_bytes();
        assert_eq!(read(vec![bytes.clone()]).await, [expected], "{text:?}");
        assert_eq!(read(bytes.chunks(1).map(<[u8]>::to_vec).collect()).await, [expected], "{text:?}");
    }
}

#[tokio::test]
async fn what_is_empty_is_skipped() {
    let noise = "id: 1\ndata:\n\n: ping\n\nretry: 5\n\nevent: ping\n\n";
    assert_eq!(read(vec![format!("{noise}data: {RESPONSE}\n\n{noise}").into_bytes()]).await, [RESPONSE]);
}

#[tokio::test]
async fn a_long_line_is_read_whole() {
    let long = format!(r#"{{"jsonrpc":"2.0","id":5,"result":{{"x":"{}"}}}}"#, "é".repeat(2_500_000));
    let bytes = format!("data: {long}\n\n").into_bytes();
    let read = read(bytes.chunks(10_007).map(<[u8]>::to_vec).collect()).await;
    assert!(read == [long.as_bytes()], "{} messages", read.len());
}
