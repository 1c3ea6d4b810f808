//! What a caller sees of a request while it runs: progress and log messages.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use roundtrip_types::{LoggingMessageNotificationParams, ProgressNotificationParams, ProgressToken};
use serde_json::value::RawValue;

use crate::{Error, error::Kind};

type Watching<T> = Arc<dyn Fn(T) + Send + Sync>;

/// The functions that a caller gave to watch a call, the same in all its legs.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    pub(crate) progress: Option<Watching<ProgressNotificationParams>>,
    pub(crate) log: Option<Watching<LoggingMessageNotificationParams>>,
}

/// The watch over one leg: its progress token and how far it has come.
pub(crate) struct LegWatch<'a> {
    watch: &'a Watch,
    token: Option<i64>,
    reached: Option<f64>,
}

impl<'a> LegWatch<'a> {
    pub(crate) fn new(watch: &'a Watch, token: Option<i64>) -> Self {
        Self { watch, token, reached: None }
    }

    /// Takes one notification in; true when it was progress of this leg.
    ///
    /// Nothing that the server sends here fails the call: what can't be read or wasn't asked for is ignored.
    pub(crate) fn notification(&mut self, method: &str, params: Option<&RawValue>) -> Result<bool, Error> {
        let Some(params) = params else { return Ok(false) };
        match method {
            "notifications/progress" => {
                let Ok(progress) = serde_json::from_str::<ProgressNotificationParams>(params.get()) else {
                    tracing::debug!("ignored progress that can't be read");
                    return Ok(false);
                };
                self.progress(progress)
            }
            "notifications/message" => {
                let Some(log) = &self.watch.log else { return Ok(false) };
                match serde_json::from_str::<LoggingMessageNotificationParams>(params.get()) {
                    Ok(message) => call("on_log", log, message)?,
                    Err(error) => tracing::debug!(%error, "ignored a log message that can't be read"),
                }
                Ok(false)
            }
            _ => {
                tracing::debug!(method, "ignored a notification that belongs to no request");
                Ok(false)
            }
        }
    }

    fn progress(&mut self, progress: ProgressNotificationParams) -> Result<bool, Error> {
        let ours = self.token.is_some_and(|token| progress.progress_token == ProgressToken::from(token));
        let further = self.reached.is_none_or(|reached| progress.progress > reached);
        if !ours || !further {
            tracing::debug!(ours, further, "ignored progress");
            return Ok(false);
        }
        self.reached = Some(progress.progress);
        if let Some(watching) = &self.watch.progress {
            call("on_progress", watching, progress)?;
        }
        Ok(true)
    }
}

/// Calls a function of the caller's. Its panic fails this call alone.
pub(crate) fn call<T>(name: &'static str, watching: &Watching<T>, value: T) -> Result<(), Error> {
    catch_unwind(AssertUnwindSafe(|| watching(value)))
        .map_err(|_panic| Error::new(Kind::Panic { callback: name }))
}
