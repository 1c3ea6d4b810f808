//! The server by protocol feature, over the wire's own words: JSON in, JSON out, no socket.

mod building;
mod by_hand;
mod listen;
mod listing;
mod logs;
mod lowlevel;
mod prompts;
mod resolvers;
mod resources;
mod state;
mod support;
mod tools;
