//! An event stream that drives the handler it reports on.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use roundtrip_server::exchange::{Inbox, Reply};
use tokio::time::{Instant, Sleep, sleep};

use super::Work;
use crate::sse;

/// How many bytes of events are gathered into one frame, at most by one message more.
const FRAME: usize = 16 * 1024;

pub(super) struct EventStream {
    /// What can be sent already.
    events: Vec<u8>,
    state: State,
    inbox: Inbox,
    keep_alive: Option<KeepAlive>,
}

enum State {
    Working(Work),
    /// The handler is done; what it sent before may still wait in the inbox.
    Replied(Reply),
    Finished,
}

struct KeepAlive {
    interval: Duration,
    /// Set up when the stream is silent for the first time.
    timer: Option<Pin<Box<Sleep>>>,
}

impl EventStream {
    pub(super) fn new(work: Work, inbox: Inbox, events: Vec<u8>, keep_alive: Option<Duration>) -> Self {
        let keep_alive = keep_alive.map(|interval| KeepAlive { interval, timer: None });
        Self { events, state: State::Working(work), inbox, keep_alive }
    }

    pub(super) fn is_finished(&self) -> bool {
        matches!(self.state, State::Finished) && self.events.is_empty()
    }

    /// The events that are there, encoded; `None` after the response, which is the last.
    pub(super) fn poll_events(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        self.advance(context);
        if !self.events.is_empty() {
            if let Some(keep_alive) = &mut self.keep_alive {
                keep_alive.rest();
            }
            return Poll::Ready(Some(std::mem::take(&mut self.events).into()));
        }
        if self.is_finished() {
            return Poll::Ready(None);
        }
        match &mut self.keep_alive {
            Some(keep_alive) => keep_alive.poll(context).map(|()| Some(Bytes::from_static(sse::KEEP_ALIVE))),
            None => Poll::Pending,
        }
    }

    /// Lets the handler go on, and gathers what it sent.
    fn advance(&mut self, context: &mut Context<'_>) {
        if let State::Working(work) = &mut self.state
            && let Poll::Ready(reply) = work.as_mut().poll(context)
        {
            self.state = State::Replied(reply);
        }
        while self.events.len() < FRAME {
            // After the reply nothing is waited for: somebody may still hold on to an outbox, but the call is over.
            let message = match &self.state {
                State::Working(_) => match self.inbox.poll_recv(context) {
                    Poll::Ready(message) => message,
                    Poll::Pending => None,
                },
                State::Replied(_) => self.inbox.try_recv(),
                State::Finished => None,
            };
            let Some(message) = message else { return self.finish() };
            sse::encode(&message, &mut self.events);
        }
    }

    /// Ends the stream with the response, if that is there.
    fn finish(&mut self) {
        if let State::Replied(reply) = &self.state {
            if !reply.body.is_empty() {
                sse::encode(&reply.body, &mut self.events);
            }
            self.state = State::Finished;
        }
    }
}

impl KeepAlive {
    /// Something was sent: the silence begins anew.
    fn rest(&mut self) {
        if let Some(timer) = &mut self.timer {
            timer.as_mut().reset(Instant::now() + self.interval);
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let interval = self.interval;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(interval)));
        let elapsed = timer.as_mut().poll(context);
        if elapsed.is_ready() {
            timer.as_mut().reset(Instant::now() + interval);
        }
        elapsed
    }
}
