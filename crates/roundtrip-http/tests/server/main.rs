//! The server's side, driven in-process with requests, and over TCP where the connection matters.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod guard;
mod limits;
mod listener;
mod media;
mod messages;
mod mount;
mod stream;
mod support;
