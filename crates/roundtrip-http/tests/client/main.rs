//! The client's side, against a peer that writes what a script says.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod cancel;
mod cuts;
mod faults;
mod redirects;
mod requests;
mod support;
