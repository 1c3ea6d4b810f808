//! Roots: the places that a client lets a server look at. Deprecated by the specification.

use serde::{Deserialize, Serialize};

use crate::Meta;

/// A place that a server may look at: `Root`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a `file://` URI.
    pub uri: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Root {
    /// A root at `uri`.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: None, meta: None }
    }

    setters! {
        with_name => name: String;
        with_meta => meta: Meta;
    }
}

/// The answer to `roots/list`: `ListRootsResult`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListRootsResult {
    /// The roots.
    pub roots: Vec<Root>,
    /// More about the answer.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ListRootsResult {
    /// The roots of a client.
    pub fn new(roots: impl Into<Vec<Root>>) -> Self {
        Self { roots: roots.into(), meta: None }
    }

    setters! { with_meta => meta: Meta; }
}
