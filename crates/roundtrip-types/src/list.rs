//! The lists of what a server has, page by page.

use serde::{Deserialize, Serialize};

use crate::{CacheScope, Meta, Prompt, Resource, ResourceTemplate, Tool};

/// The parameters of `tools/list`, `prompts/list`, `resources/list` and `resources/templates/list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PaginatedRequestParams {
    /// Where to go on: the `nextCursor` of the last page. The empty string is a cursor too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// More about the request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl PaginatedRequestParams {
    /// The first page.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        with_cursor => cursor: String;
        with_meta => meta: Meta;
    }
}

macro_rules! list_result {
    ($(#[$attr:meta])* $name:ident { $(#[$item_attr:meta])* $items:ident: $item:ty }) => {
        $(#[$attr])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $(#[$item_attr])*
            pub $items: Vec<$item>,
            /// Where the next page begins. Only its absence ends the list; the empty string does not.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub next_cursor: Option<String>,
            /// For how many milliseconds the page stays fresh; 0 means that it is stale at once.
            #[serde(default, deserialize_with = "crate::cache::ttl_ms")]
            pub ttl_ms: u64,
            /// Who may share it.
            #[serde(default)]
            pub cache_scope: CacheScope,
            /// More about the result.
            #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
            pub meta: Option<Meta>,
        }

        impl $name {
            /// The only page, which may not be reused.
            pub fn new($items: impl Into<Vec<$item>>) -> Self {
                Self {
                    $items: $items.into(),
                    next_cursor: None,
                    ttl_ms: 0,
                    cache_scope: CacheScope::Private,
                    meta: None,
                }
            }

            setters! {
                with_next_cursor => next_cursor: String;
                with_meta => meta: Meta;
            }

            /// Says for how many milliseconds and by whom the page may be reused.
            #[must_use]
            pub fn with_cache(mut self, ttl_ms: u64, scope: CacheScope) -> Self {
                (self.ttl_ms, self.cache_scope) = (ttl_ms, scope);
                self
            }
        }
    };
}

list_result! {
    /// The result of `tools/list`.
    ListToolsResult {
        /// The tools of this page.
        tools: Tool
    }
}

list_result! {
    /// The result of `prompts/list`.
    ListPromptsResult {
        /// The prompts of this page.
        prompts: Prompt
    }
}

list_result! {
    /// The result of `resources/list`.
    ListResourcesResult {
        /// The resources of this page.
        resources: Resource
    }
}

list_result! {
    /// The result of `resources/templates/list`.
    ListResourceTemplatesResult {
        /// The templates of this page.
        resource_templates: ResourceTemplate
    }
}
