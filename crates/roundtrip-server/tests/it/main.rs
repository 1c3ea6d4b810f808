//! The server by protocol feature, over the wire's own words: JSON in, JSON out, no socket.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![expect(clippy::needless_pass_by_value, reason = "JSON is made where it is passed")]

mod building;
mod by_hand;
mod context;
mod listen;
mod listing;
mod logs;
mod lowlevel;
mod prompts;
mod resolvers;
mod resources;
mod robustness;
mod state;
mod support;
mod tools;
