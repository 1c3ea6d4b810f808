//! Time, as a client sees it.

use std::{future::Future, time::Duration};

use futures_util::future::{Either, select};

use crate::{BoxFuture, Error, error::Kind};

/// Where a client gets its time from: the pauses between rounds without questions, deadlines and request timeouts.
///
/// [`TokioClock`] is the default. Bring another to run on another runtime, or to hold time still in a test.
pub trait Clock: Send + Sync + 'static {
    /// A future that ends after `duration`.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;
}

/// Tokio's timer. Its runtime needs time enabled; with paused time the client's clock is paused as well.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "the timer belongs to the runtime, there is nothing to hold")]
pub struct TokioClock;

impl Clock for TokioClock {
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// Ends with `work`, or with a timeout error when `limit` is over first. `work` is dropped, and so cancelled, then.
pub(crate) async fn bounded<T>(
    clock: &dyn Clock,
    limit: Option<Duration>,
    what: impl FnOnce() -> String,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let Some(limit) = limit else { return work.await };
    let work = std::pin::pin!(work);
    match select(work, clock.sleep(limit)).await {
        Either::Left((result, _)) => result,
        Either::Right(((), _)) => Err(Error::new(Kind::Timeout { what: what(), after: limit })),
    }
}
