//! Tests of the sealing as a whole: a policy goes in, tokens come out.

mod bindings;
mod codecs;
mod logs;
mod policy;
mod rotation;
mod secrets;
mod tokens;

use std::{
    fmt::{Debug, Write as _},
    sync::{Arc, Mutex, Once},
    time::{Duration, SystemTime},
};

use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use super::{Binding, Boundary, Reason, RequestStateSecurity};
use crate::{
    clock::{ManualClock, SeededRandom},
    exchange::Exchange,
};

const KEY: &[u8; 32] = b"0123456789abcdef0123456789abcdef";
const OTHER_KEY: &[u8; 32] = b"fedcba9876543210fedcba9876543210";
const STATE: &str = "the plaintext of the state";

/// A moment in June 2026.
fn start() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_782_345_600)
}

/// A policy with one key, a clock that stands still, and randomness that repeats.
fn policy() -> RequestStateSecurity {
    timed(&ManualClock::at(start()))
}

fn timed(clock: &ManualClock) -> RequestStateSecurity {
    RequestStateSecurity::keys([KEY]).expect("a good key").clock(clock.clone()).random(SeededRandom::new(7))
}

fn boundary(policy: RequestStateSecurity) -> Boundary {
    policy.into_boundary(Some("Provisioner")).expect("a valid policy")
}

/// A call of the tool `provision`, by nobody known.
fn call(boundary: &Boundary) -> Binding<'static> {
    call_by(boundary, &Exchange::local())
}

fn call_by(boundary: &Boundary, exchange: &Exchange) -> Binding<'static> {
    boundary.bind("tools/call", "provision", br#"{"name":"orders"}"#, exchange)
}

fn seal(boundary: &Boundary) -> String {
    boundary.seal(&call(boundary), STATE).expect("a state to seal")
}

/// What comes of presenting a token on the call it was made for.
fn present(boundary: &Boundary, token: &str) -> Result<String, Reason> {
    present_on(boundary, &call(boundary), token)
}

fn present_on(boundary: &Boundary, binding: &Binding<'_>, token: &str) -> Result<String, Reason> {
    boundary.open(binding, token).map_err(|refusal| refusal.reason())
}

fn opened() -> Result<String, Reason> {
    Ok(STATE.to_owned())
}

/// One event, with its message and fields written out.
#[derive(Clone, Debug)]
struct Line {
    level: Level,
    target: String,
    reason: Option<String>,
    text: String,
}

/// Runs `work`, and gives what this thread logged meanwhile.
fn logged<T>(work: impl FnOnce() -> T) -> (T, Vec<Line>) {
    // Whether an event is worth making is remembered for the whole process, so another test's thread, where nobody
    // listens, could switch it off for this one. Somebody listens everywhere.
    static EVERYWHERE: Once = Once::new();
    EVERYWHERE.call_once(|| drop(tracing::subscriber::set_global_default(Recorder(Arc::default()))));
    let lines = Arc::new(Mutex::new(Vec::new()));
    let result = tracing::subscriber::with_default(Recorder(Arc::clone(&lines)), work);
    let lines = lines.lock().expect("nobody panics with the lock").clone();
    (result, lines)
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
        let mut line = Line {
            level: *event.metadata().level(),
            target: event.metadata().target().to_owned(),
            reason: None,
            text: String::new(),
        };
        event.record(&mut line);
        self.0.lock().expect("nobody panics with the lock").push(line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.text, "{}={value:?} ", field.name()).expect("a string takes all");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "reason" {
            self.reason = Some(value.to_owned());
        }
        self.record_debug(field, &value);
    }
}
