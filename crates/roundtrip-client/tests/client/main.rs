//! What a client does on the wire, feature by feature, against a server in memory.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod answers;
mod discover;
mod errors;
mod forms;
mod headers;
mod pages;
mod pending;
mod results;
mod rounds;
mod state;
mod time;
mod watch;
mod wire;
