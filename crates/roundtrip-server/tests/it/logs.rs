//! What a server writes to its log while a test runs.

use std::{
    fmt::{Debug, Write as _},
    sync::{Arc, Mutex, Once},
};

use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
    subscriber::DefaultGuard,
};

/// One event: its message and fields, written out.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) level: Level,
    pub(crate) target: String,
    pub(crate) text: String,
}

/// The log of this thread, from its making until it is dropped.
pub(crate) struct Log {
    lines: Arc<Mutex<Vec<Line>>>,
    _while_alive: DefaultGuard,
}

impl Log {
    pub(crate) fn capture() -> Self {
        // Whether an event is worth making is remembered for the whole process, so another test's thread, where nobody
        // listens, could switch it off for this one. Somebody listens everywhere.
        static EVERYWHERE: Once = Once::new();
        EVERYWHERE.call_once(|| drop(tracing::subscriber::set_global_default(Recorder(Arc::default()))));
        let lines = Arc::default();
        let recorder = Recorder(Arc::clone(&lines));
        Self { lines, _while_alive: tracing::subscriber::set_default(recorder) }
    }

    pub(crate) fn lines(&self) -> Vec<Line> {
        self.lines.lock().unwrap().clone()
    }

    /// What was written of this level since the last time.
    pub(crate) fn take(&self, level: Level) -> Vec<String> {
        let lines = std::mem::take(&mut *self.lines.lock().unwrap());
        lines.into_iter().filter(|line| line.level == level).map(|line| line.text).collect()
    }
}

struct Recorder(Arc<Mutex<Vec<Line>>>);

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut line =
            Line { level: *metadata.level(), target: metadata.target().to_owned(), text: String::new() };
        event.record(&mut line);
        self.0.lock().unwrap().push(line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let (name, space) = (field.name(), if self.text.is_empty() { "" } else { " " });
        match name {
            "message" => write!(self.text, "{space}{value:?}").unwrap(),
            _ => write!(self.text, "{space}{name}={value:?}").unwrap(),
        }
    }
}
