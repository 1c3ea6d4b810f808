//! What a client does on the wire, feature by feature, against a server in memory.

mod answers;
mod discover;
mod errors;
mod headers;
mod pages;
mod pending;
mod results;
mod rounds;
mod state;
mod time;
mod watch;
mod wire;
