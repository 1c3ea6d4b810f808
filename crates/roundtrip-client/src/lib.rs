//! A Model Context Protocol client without a socket.
//!
//! A server that needs something in the middle of a call doesn't call back: it *returns* its questions
//! (`InputRequiredResult`), and the client makes the same call again with the answers. [`Client`] does that round for
//! round, with the functions that it was built with, until the call has its result; or step by step, by hand, with
//! [`Call::once`] and a [`PendingCall`] that can be kept and resumed in another process.
//!
//! What carries the bytes is a [`Transport`], which other crates bring: HTTP, pipes, or a server in the same process.
//!
//! ```
//! use roundtrip_client::{Client, ElicitResult, IntoTransport};
//! use serde_json::json;
//!
//! # async fn example<M>(server: impl IntoTransport<M>) -> roundtrip_client::Result<()> {
//! let client = Client::builder()
//!     .on_elicitation(async |question| ElicitResult::accept(json!({ "region": "eu-west-1" })))
//!     .connect(server)
//!     .await?;
//! let result = client.call_tool("provision", json!({ "name": "orders" })).await?;
//! # drop(result);
//! # Ok(())
//! # }
//! ```

mod answer;
mod builder;
mod call;
mod client;
mod clock;
mod complete;
mod error;
mod fit;
mod negotiate;
mod pages;
mod pending;
mod request;
mod rounds;
mod schemas;
mod transport;
mod watch;
mod wire;

pub use answer::{Answer, IntoAnswer};
pub use builder::ClientBuilder;
pub use call::{Asking, Call};
pub use client::Client;
pub use clock::{Clock, TokioClock};
pub use complete::Completing;
pub use error::{Declined, Error, Result};
pub use pages::{Listing, Page, WholeList};
pub use pending::{PendingCall, Round};
pub use rounds::RoundInfo;
pub use transport::{BoxFuture, Direct, IntoTransport, Messages, Outgoing, Transport, TransportError};

// The words that a client's user writes: the other types of the protocol are `roundtrip_types`'.
#[doc(no_inline)]
pub use roundtrip_types::{
    CallToolResult, ClientCapabilities, CompletionReference, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestFormParams, ElicitRequestParams, ElicitRequestUrlParams, ElicitResult,
    ElicitationCapability, GetPromptResult, ListRootsResult, ReadResourceResult, Root, SamplingCapability,
};
