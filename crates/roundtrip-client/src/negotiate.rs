//! Which protocol version to speak. Nothing else in this crate compares versions.

use roundtrip_types::{DiscoverResult, ErrorCode, McpError, ProtocolVersion};

use crate::{
    Error, Result,
    client::Inner,
    error::Kind,
    request::{Options, Request},
    wire::Params,
};

/// The version that every request names first.
pub(crate) const PREFERRED: &str = ProtocolVersion::V2026_07_28;

/// The version to retry a refused request with: one that the server named in its refusal (`data.supported`) and this
/// client speaks, even when it is the one just refused.
pub(crate) fn mutual(method: &str, refused: Error) -> Result<&'static str> {
    let Some(supported) = refused.rpc().and_then(McpError::supported_versions) else { return Err(refused) };
    match spoken(&supported) {
        Some(version) => {
            tracing::debug!(method, version, "the server refused the protocol version, retrying once");
            Ok(version)
        }
        None => Err(Error::new(Kind::Version { supported, error: refused.rpc().cloned() })),
    }
}

fn spoken(supported: &[String]) -> Option<&'static str> {
    ProtocolVersion::SUPPORTED
        .iter()
        .copied()
        .find(|version| supported.iter().any(|theirs| theirs == version))
}

impl Inner {
    /// Asks the server who it is and what it speaks, with `server/discover`.
    pub(crate) async fn discover(&self, options: &Options) -> Result<DiscoverResult> {
        self.request(&Request::new("server/discover", Params::default()), options).await?.complete()
    }

    /// The first thing on a connection: fails unless the server speaks a version that this client speaks.
    pub(crate) async fn probe(&self, options: &Options) -> Result<DiscoverResult> {
        match self.discover(options).await {
            Ok(discovered) if spoken(&discovered.supported_versions).is_some() => Ok(discovered),
            Ok(discovered) => {
                Err(Error::new(Kind::Version { supported: discovered.supported_versions, error: None }))
            }
            Err(error) => match error.rpc() {
                // A server of this era must know the method, so this one is of another.
                Some(refusal) if refusal.code == ErrorCode::METHOD_NOT_FOUND => {
                    Err(Error::new(Kind::Version { supported: Vec::new(), error: Some(refusal.clone()) }))
                }
                _ => Err(error),
            },
        }
    }
}
