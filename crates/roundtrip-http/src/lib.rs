//! Streamable HTTP of the Model Context Protocol, both ways.
//!
//! The server's side is a [`tower_service::Service`](StreamableHttp) that mounts into any framework, and [`serve`] for
//! those who need none:
//!
#![cfg_attr(feature = "server", doc = "```no_run")]
#![cfg_attr(not(feature = "server"), doc = "```ignore")]
//! use roundtrip_server::{Args, McpServer};
//! # #[derive(serde::Deserialize, schemars::JsonSchema)]
//! # struct Sum { a: i64, b: i64 }
//!
//! async fn add(Args(sum): Args<Sum>) -> String {
//!     (sum.a + sum.b).to_string()
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let server = McpServer::builder("Adder").tool("add", add).build()?;
//! roundtrip_http::serve(server, "127.0.0.1:8000").await?;
//! # Ok(())
//! # }
//! ```
//!
//! The client's side is an [`HttpTransport`]; a client connects to a URL in a `&str`:
//!
#![cfg_attr(feature = "client", doc = "```no_run")]
#![cfg_attr(not(feature = "client"), doc = "```ignore")]
//! # async fn example() -> roundtrip_client::Result<()> {
//! let client = roundtrip_client::Client::connect("http://127.0.0.1:8000/mcp").await?;
//! let sum = client.call_tool("add", serde_json::json!({ "a": 1, "b": 2 })).await?;
//! # drop(sum);
//! # Ok(())
//! # }
//! ```
//!
//! # Limits
//!
//! | what | by default | set with |
//! |---|---|---|
//! | a request body | 4 MiB, 60 seconds | [`StreamableHttp::body_limit`], [`body_timeout`](StreamableHttp::body_timeout) |
//! | notifications that wait for a slow client | 16 a call | [`StreamableHttp::outbox_capacity`] |
//! | connections | 10,000 | [`Listener::max_connections`] |
//! | a graceful shutdown | 10 seconds | [`Listener::drain_timeout`] |
//! | a message that a client reads | 16 MiB | [`HttpTransport::message_limit`] |
//! | making a TCP connection | 10 seconds | [`HttpTransport::connect_timeout`] |
//!
//! # Features
//!
//! `server` and `client` bring the two sides, `tls` URLs with `https` (with the roots of the Mozilla programme). All are on
//! by default.

#![cfg_attr(
    not(all(feature = "client", feature = "server")),
    expect(rustdoc::broken_intra_doc_links, reason = "one side is left out")
)]

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
