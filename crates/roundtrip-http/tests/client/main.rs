//! The client's side, against a peer that writes what a script says.

mod answers;
mod cancel;
mod cuts;
mod faults;
mod redirects;
mod requests;
mod support;
