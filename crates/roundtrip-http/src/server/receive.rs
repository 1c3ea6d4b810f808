//! The body of a request, whole and bounded.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::{Buf, Bytes, BytesMut};
use http_body::Body;
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};

pin_project! {
    /// Receives a body of at most `limit` bytes within `time`. A body in one piece, as the usual small one is, is not copied.
    pub(super) struct Receive<B> {
        #[pin]
        body: B,
        limit: usize,
        first: Bytes,
        rest: BytesMut,
        // How many bytes more of a body that is too large will be read and thrown away.
        patience: Option<usize>,
        time: Duration,
        // Set up when the body has to be waited for, which a small one seldom has.
        timer: Option<Pin<Box<Sleep>>>,
    }
}

/// Why there is no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreceived {
    TooLarge,
    TooSlow,
    Broken,
}

/// A client that is refused while it still sends may never see the answer, because its connection is reset under it.
/// So what is too large is read on for a while, and thrown away.
const PATIENCE: usize = 32 * 1024 * 1024;

impl<B: Body> Receive<B> {
    /// `expects` says that the client waits for a go-ahead before it sends (`Expect: 100-continue`).
    pub(super) fn new(body: B, limit: usize, time: Duration, expects: bool) -> Self {
        let too_large = usize::try_from(body.size_hint().lower()).is_ok_and(|lower| lower > limit);
        let patience = too_large.then_some(if expects { 0 } else { PATIENCE });
        Self { body, limit, first: Bytes::new(), rest: BytesMut::new(), patience, time, timer: None }
    }
}

impl<B: Body> Future for Receive<B> {
    type Output = Result<Bytes, Unreceived>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            if *this.patience == Some(0) {
                return Poll::Ready(Err(Unreceived::TooLarge));
            }
            let Poll::Ready(frame) = this.body.as_mut().poll_frame(context) else {
                let timer = this.timer.get_or_insert_with(|| Box::pin(sleep(*this.time)));
                return timer.as_mut().poll(context).map(|()| Err(Unreceived::TooSlow));
            };
            let mut data = match frame {
                None if this.patience.is_some() => return Poll::Ready(Err(Unreceived::TooLarge)),
                None => break,
                Some(Err(_)) => return Poll::Ready(Err(Unreceived::Broken)),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => data,
                    Err(_trailers) => continue,
                },
            };
            let length = data.remaining();
            let held = this.first.len() + this.rest.len();
            if let Some(patience) = this.patience {
                *patience = patience.saturating_sub(length);
            } else if length > *this.limit - held {
                *this.patience = Some(PATIENCE);
                *this.first = Bytes::new();
                *this.rest = BytesMut::new();
            } else if held == 0 {
                *this.first = data.copy_to_bytes(length);
            } else {
                if this.rest.is_empty() {
                    let more = usize::try_from(this.body.size_hint().lower()).unwrap_or(usize::MAX);
                    this.rest.reserve((held + length).saturating_add(more).min(*this.limit));
                    this.rest.extend_from_slice(&std::mem::take(this.first));
                }
                this.rest.extend_from_slice(&data.copy_to_bytes(length));
            }
        }
        let (first, rest) = (std::mem::take(this.first), std::mem::take(this.rest));
        Poll::Ready(Ok(if rest.is_empty() { first } else { rest.freeze() }))
    }
}
