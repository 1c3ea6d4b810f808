//! A Model Context Protocol client without a socket.

mod error;
mod transport;

pub use error::{Declined, Error, Result};
pub use transport::{BoxFuture, Direct, IntoTransport, Messages, Outgoing, Transport, TransportError};
