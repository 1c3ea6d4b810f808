#![doc = include_str!("../../../README.md")]

#[cfg(all(feature = "client", feature = "server"))]
mod in_process;

/// Every word of the protocol: messages, content, tools, prompts, resources, elicitation, sampling, roots.
pub mod types {
    pub use roundtrip_types::*;
}

/// The rules of the protocol, as pure functions: headers, URI templates, forms, canonical JSON.
pub mod protocol {
    pub use roundtrip_protocol::*;
}

/// Streamable HTTP: a server to mount or to run, and the client's transport.
#[cfg(feature = "http")]
pub mod http {
    pub use roundtrip_http::*;
}

/// Servers: parameters, resolvers, rounds by hand, and what protects the state.
#[cfg(feature = "server")]
pub mod server {
    pub use roundtrip_server::*;
}

/// Clients: calls, answers, and calls that wait.
#[cfg(feature = "client")]
pub mod client {
    pub use roundtrip_client::*;
}

#[cfg(feature = "client")]
pub use roundtrip_client::{Client, PendingCall, Round};
#[cfg(feature = "server")]
pub use roundtrip_server::{
    Args, Context, Declined, InputRequired, Json, McpServer, Outcome, Resolution, Resolve, Resolved, State,
    ToolError, elicit, elicit_url, list_roots, lowlevel::Server, sample, seal::RequestStateSecurity,
};
