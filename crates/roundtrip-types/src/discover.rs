//! What a server is and can do.

use serde::{Deserialize, Serialize};

use crate::{CacheScope, Implementation, Meta, ServerCapabilities, meta_keys};

/// The parameters of `server/discover`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DiscoverRequestParams {
    /// More about the request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// The result of `server/discover`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DiscoverResult {
    /// The protocol versions that the server speaks.
    pub supported_versions: Vec<String>,
    /// What the server can do.
    pub capabilities: ServerCapabilities,
    /// How to use the server, for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// For how many milliseconds the result stays fresh; 0 means that it is stale at once.
    #[serde(default, deserialize_with = "crate::cache::ttl_ms")]
    pub ttl_ms: u64,
    /// Who may share it.
    #[serde(default)]
    pub cache_scope: CacheScope,
    /// More about the result, among it who the server says it is.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl DiscoverResult {
    /// A result that may not be reused.
    pub fn new(supported_versions: impl Into<Vec<String>>, capabilities: ServerCapabilities) -> Self {
        Self {
            supported_versions: supported_versions.into(),
            capabilities,
            instructions: None,
            ttl_ms: 0,
            cache_scope: CacheScope::Private,
            meta: None,
        }
    }

    setters! {
        with_instructions => instructions: String;
        with_meta => meta: Meta;
    }

    /// Says for how many milliseconds and by whom the result may be reused.
    #[must_use]
    pub fn with_cache(mut self, ttl_ms: u64, scope: CacheScope) -> Self {
        (self.ttl_ms, self.cache_scope) = (ttl_ms, scope);
        self
    }

    /// Says in `_meta` who the server is.
    #[must_use]
    pub fn with_server_info(mut self, info: &Implementation) -> Self {
        let meta = self.meta.get_or_insert_default();
        meta.set(meta_keys::SERVER_INFO, info).expect("an implementation is always writable");
        self
    }

    /// Who the server says it is: for display and logs, never for decisions.
    pub fn server_info(&self) -> Option<Implementation> {
        self.meta.as_ref()?.server_info()
    }
}
