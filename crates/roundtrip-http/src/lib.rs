//! Streamable HTTP for the Model Context Protocol, both ways.

#[cfg(feature = "client")]
mod client;
#[cfg(any(feature = "client", feature = "server"))]
mod media;
#[cfg(feature = "server")]
mod server;
pub mod sse;

#[cfg(feature = "client")]
pub use client::{Http, HttpTransport};
#[cfg(feature = "server")]
pub use server::{
    DangerousGuard, Guard, GuardError, Listener, ResponseBody, ResponseFuture, Serving, StreamableHttp, serve,
};
