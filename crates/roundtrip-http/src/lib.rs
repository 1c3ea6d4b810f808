//! Streamable HTTP for the Model Context Protocol, both ways.

pub mod sse;
