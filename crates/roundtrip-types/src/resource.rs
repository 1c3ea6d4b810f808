//! Resources: what a server lets be read by URI.

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

use crate::{Annotations, CacheScope, Icon, InputResponses, Meta};

/// Something that can be read by its URI: `Resource`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// Where it is.
    pub uri: String,
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is, for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Hints on how to treat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Its size in bytes, before any encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Pictures for a user interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Resource {
    /// A resource at `uri`.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            size: None,
            icons: None,
            meta: None,
        }
    }

    setters! {
        with_title => title: String;
        with_description => description: String;
        with_mime_type => mime_type: String;
        with_annotations => annotations: Annotations;
        with_icons => icons: Vec<Icon>;
        with_meta => meta: Meta;
    }
    value_setters! { with_size => size: u64; }
}

/// A family of resources, by a URI template as in RFC 6570: `ResourceTemplate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The template of their URIs.
    pub uri_template: String,
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What they are, for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Their media type, where all have the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Hints on how to treat them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Pictures for a user interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// More about them.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ResourceTemplate {
    /// The resources whose URIs follow `uri_template`.
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri_template: uri_template.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }

    setters! {
        with_title => title: String;
        with_description => description: String;
        with_mime_type => mime_type: String;
        with_annotations => annotations: Annotations;
        with_icons => icons: Vec<Icon>;
        with_meta => meta: Meta;
    }
}

/// What stands in a resource: `TextResourceContents` or `BlobResourceContents`.
///
/// ```
/// use roundtrip_types::{CacheScope, ReadResourceResult, ResourceContents};
///
/// let contents = ResourceContents::text("file:///notes.md", "# Notes").with_mime_type("text/markdown");
/// let result = ReadResourceResult::from(contents).with_cache(60_000, CacheScope::Private);
/// assert_eq!(result.contents[0].uri(), "file:///notes.md");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ResourceContents {
    /// Text.
    Text(TextResourceContents),
    /// Bytes.
    Blob(BlobResourceContents),
}

impl ResourceContents {
    /// Text at `uri`.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text(TextResourceContents { uri: uri.into(), mime_type: None, text: text.into(), meta: None })
    }

    /// Bytes at `uri`, in base64.
    pub fn blob(uri: impl Into<String>, blob: impl Into<String>) -> Self {
        Self::Blob(BlobResourceContents { uri: uri.into(), mime_type: None, blob: blob.into(), meta: None })
    }

    /// Where it is.
    pub fn uri(&self) -> &str {
        match self {
            Self::Text(contents) => &contents.uri,
            Self::Blob(contents) => &contents.uri,
        }
    }

    /// The text, where it is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(contents) => Some(&contents.text),
            Self::Blob(_) => None,
        }
    }

    /// The media type.
    pub fn mime_type(&self) -> Option<&str> {
        match self {
            Self::Text(contents) => contents.mime_type.as_deref(),
            Self::Blob(contents) => contents.mime_type.as_deref(),
        }
    }

    /// Sets the media type.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        match &mut self {
            Self::Text(contents) => contents.mime_type = Some(mime_type.into()),
            Self::Blob(contents) => contents.mime_type = Some(mime_type.into()),
        }
        self
    }

    /// Sets `_meta`.
    #[must_use]
    pub fn with_meta(mut self, meta: impl Into<Meta>) -> Self {
        match &mut self {
            Self::Text(contents) => contents.meta = Some(meta.into()),
            Self::Blob(contents) => contents.meta = Some(meta.into()),
        }
        self
    }
}

impl<'de> Deserialize<'de> for ResourceContents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Wire {
            uri: String,
            mime_type: Option<String>,
            text: Option<String>,
            blob: Option<String>,
            #[serde(rename = "_meta")]
            meta: Option<Meta>,
        }
        let Wire { uri, mime_type, text, blob, meta } = Wire::deserialize(deserializer)?;
        match (text, blob) {
            (Some(text), _) => Ok(Self::Text(TextResourceContents { uri, mime_type, text, meta })),
            (None, Some(blob)) => Ok(Self::Blob(BlobResourceContents { uri, mime_type, blob, meta })),
            (None, None) => Err(D::Error::custom("resource contents hold neither text nor blob")),
        }
    }
}

/// The text of a resource: `TextResourceContents`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextResourceContents {
    /// Where it is.
    pub uri: String,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The text.
    pub text: String,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// The bytes of a resource: `BlobResourceContents`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BlobResourceContents {
    /// Where it is.
    pub uri: String,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The bytes, in base64.
    pub blob: String,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// The parameters of `resources/read`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReadResourceRequestParams {
    /// What to read.
    pub uri: String,
    /// The answers to what the last result asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// The state of the last result, as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
    /// More about the request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ReadResourceRequestParams {
    /// Reads `uri`.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), input_responses: None, request_state: None, meta: None }
    }

    setters! {
        with_input_responses => input_responses: InputResponses;
        with_request_state => request_state: String;
        with_meta => meta: Meta;
    }
}

/// The complete result of `resources/read`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReadResourceResult {
    /// The contents, one or more.
    pub contents: Vec<ResourceContents>,
    /// For how many milliseconds the result stays fresh; 0 means that it is stale at once.
    #[serde(default, deserialize_with = "crate::cache::ttl_ms")]
    pub ttl_ms: u64,
    /// Who may share it.
    #[serde(default)]
    pub cache_scope: CacheScope,
    /// More about the result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ReadResourceResult {
    /// A result that may not be reused.
    pub fn new(contents: impl Into<Vec<ResourceContents>>) -> Self {
        Self { contents: contents.into(), ttl_ms: 0, cache_scope: CacheScope::Private, meta: None }
    }

    setters! { with_meta => meta: Meta; }

    /// Says for how many milliseconds and by whom the result may be reused.
    #[must_use]
    pub fn with_cache(mut self, ttl_ms: u64, scope: CacheScope) -> Self {
        (self.ttl_ms, self.cache_scope) = (ttl_ms, scope);
        self
    }
}

impl From<ResourceContents> for ReadResourceResult {
    fn from(contents: ResourceContents) -> Self {
        Self::new([contents])
    }
}
