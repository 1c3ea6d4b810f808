//! Reading a body, bounded.

use bytes::{Buf, Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt;

/// How reading a body ended.
#[derive(Debug)]
pub(super) enum Read<E> {
    Whole(Bytes),
    /// It is larger than the limit, and begins with this.
    TooLarge(Bytes),
    /// It broke off after this.
    Broken(Bytes, E),
}

/// Reads a body of at most `limit` bytes. A body in one piece isn't copied.
pub(super) async fn read<B: Body<Data = Bytes> + Unpin>(body: &mut B, limit: usize) -> Read<B::Error> {
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    let whole = |first: Bytes, rest: BytesMut| if rest.is_empty() { first } else { rest.freeze() };
    loop {
        let data = match body.frame().await {
            None => return Read::Whole(whole(first, rest)),
            Some(Err(error)) => return Read::Broken(whole(first, rest), error),
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) => data,
                Err(_trailers) => continue,
            },
        };
        let held = first.len() + rest.len();
        let fits = data.remaining().min(limit - held);
        let too_large = fits < data.remaining();
        let data = data.slice(..fits);
        if held == 0 {
            first = data;
        } else {
            rest.extend_from_slice(&std::mem::take(&mut first));
            rest.extend_from_slice(&data);
        }
        if too_large {
            return Read::TooLarge(whole(first, rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        pin::Pin,
        task::{Context, Poll},
    };

    use http_body::Frame;

    use super::*;

    /// A body of these frames, which may then break off.
    struct Frames(std::vec::IntoIter<Result<Frame<Bytes>, &'static str>>);

    impl Body for Frames {
        type Data = Bytes;
        type Error = &'static str;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
            Poll::Ready(self.0.next())
        }
    }

    fn frames(data: &[&'static str]) -> Vec<Result<Frame<Bytes>, &'static str>> {
        data.iter().map(|data| Ok(Frame::data(Bytes::from_static(data.as_bytes())))).collect()
    }

    async fn read_frames(
        frames: Vec<Result<Frame<Bytes>, &'static str>>,
        limit: usize,
    ) -> Read<&'static str> {
        read(&mut Frames(frames.into_iter()), limit).await
    }

    #[tokio::test]
    async fn a_body_is_joined_from_its_frames() {
        for data in [&["", "ab", "", "cd", "e"][..], &["abcde"], &["a", "b", "c", "d", "e"]] {
            assert!(
                matches!(read_frames(frames(data), 5).await, Read::Whole(body) if body == "abcde"),
                "{data:?}"
            );
        }
        assert!(matches!(read_frames(frames(&[]), 5).await, Read::Whole(body) if body.is_empty()));
    }

    #[tokio::test]
    async fn what_is_over_the_limit_is_cut_at_the_limit() {
        for data in [&["abcdef"][..], &["abc", "def"], &["abcde", "f"]] {
            assert!(
                matches!(read_frames(frames(data), 5).await, Read::TooLarge(body) if body == "abcde"),
                "{data:?}"
            );
        }
    }

    #[tokio::test]
    async fn what_came_before_a_break_is_kept() {
        let mut broken = frames(&["ab", "c"]);
        broken.push(Err("gone"));
        assert!(matches!(read_frames(broken, 5).await, Read::Broken(body, "gone") if body == "abc"));
    }

    #[tokio::test]
    async fn one_piece_is_not_copied() {
        let piece = Bytes::from(vec![b'x'; 64]);
        let mut body = http_body_util::Full::new(piece.clone());
        let Read::<Infallible>::Whole(read) = read(&mut body, 64).await else { panic!("it fits") };
        assert_eq!(read.as_ptr(), piece.as_ptr());
    }
}
