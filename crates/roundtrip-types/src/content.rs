//! What tools and prompts say to a model.

use std::borrow::Cow;

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::lenient::Text;
use crate::{Meta, RawJson, Resource, ResourceContents};

open_enum! {
    /// Who speaks: `Role`.
    pub enum Role {
        /// The user.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

/// Hints on how to treat something: `Annotations`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<Vec<Role>>,
    /// How much it matters, from 0 (optional) to 1 (indispensable).
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lenient::optional_number")]
    pub priority: Option<f64>,
    /// When it last changed, as in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// No hint.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        with_audience => audience: Vec<Role>;
        with_last_modified => last_modified: String;
    }
    value_setters! { with_priority => priority: f64; }
}

/// One piece of content: `ContentBlock`.
///
/// ```
/// use roundtrip_types::ContentBlock;
///
/// let block: ContentBlock = serde_json::from_str(r#"{"type":"hologram","size":3}"#)?;
/// assert_eq!(block.kind(), "hologram");
/// assert_eq!(serde_json::to_string(&block)?, r#"{"type":"hologram","size":3}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text: `text`.
    Text(TextContent),
    /// A picture: `image`.
    Image(ImageContent),
    /// Sound: `audio`.
    Audio(AudioContent),
    /// A resource that the peer can read: `resource_link`.
    ResourceLink(Resource),
    /// A resource with its contents: `resource`.
    Resource(EmbeddedResource),
    /// A kind that the specification does not name, kept whole.
    Unknown(RawJson),
}

impl ContentBlock {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// A picture, its bytes in base64.
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image(ImageContent::new(data, mime_type))
    }

    /// Sound, its bytes in base64.
    pub fn audio(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio(AudioContent::new(data, mime_type))
    }

    /// A link to a resource.
    pub fn resource_link(resource: Resource) -> Self {
        Self::ResourceLink(resource)
    }

    /// A resource with its contents.
    pub fn resource(contents: ResourceContents) -> Self {
        Self::Resource(EmbeddedResource::new(contents))
    }

    /// The member `type`.
    pub fn kind(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            Self::Text(_) => "text",
            Self::Image(_) => "image",
            Self::Audio(_) => "audio",
            Self::ResourceLink(_) => "resource_link",
            Self::Resource(_) => "resource",
            Self::Unknown(raw) => return kind_of(raw).map_or(Cow::Borrowed(""), |kind| kind.0),
        })
    }

    /// The text, where the block is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl Serialize for ContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(block) => tagged("text", block, serializer),
            Self::Image(block) => tagged("image", block, serializer),
            Self::Audio(block) => tagged("audio", block, serializer),
            Self::ResourceLink(block) => tagged("resource_link", block, serializer),
            Self::Resource(block) => tagged("resource", block, serializer),
            Self::Unknown(raw) => raw.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let kind = kind_of(&raw).map_err(D::Error::custom)?;
        let block = match &*kind.0 {
            "text" => raw.parse().map(Self::Text),
            "image" => raw.parse().map(Self::Image),
            "audio" => raw.parse().map(Self::Audio),
            "resource_link" => raw.parse().map(Self::ResourceLink),
            "resource" => raw.parse().map(Self::Resource),
            _ => return Ok(Self::Unknown(raw)),
        };
        block.map_err(|error| D::Error::custom(format_args!("{} block: {error}", kind.0)))
    }
}

/// Writes an object with the member `type` before its own.
pub(crate) fn tagged<S: Serializer>(
    kind: &str,
    body: &impl Serialize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // Flattening buffers when it reads; when it writes, it hands the members straight on.
    #[derive(Serialize)]
    struct Tagged<'a, T> {
        r#type: &'a str,
        #[serde(flatten)]
        body: &'a T,
    }
    Tagged { r#type: kind, body }.serialize(serializer)
}

/// Reads only the member `type` of an object.
pub(crate) fn kind_of(raw: &RawJson) -> serde_json::Result<Text<'_>> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow)]
        r#type: Text<'a>,
    }
    raw.parse::<Kind<'_>>().map(|kind| kind.r#type)
}

/// Text: `TextContent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Hints on how to treat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl TextContent {
    /// A text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), annotations: None, meta: None }
    }

    setters! {
        with_annotations => annotations: Annotations;
        with_meta => meta: Meta;
    }
}

/// A picture: `ImageContent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ImageContent {
    /// The bytes, in base64.
    pub data: String,
    /// Their media type.
    pub mime_type: String,
    /// Hints on how to treat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ImageContent {
    /// A picture, its bytes in base64.
    pub fn new(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self { data: data.into(), mime_type: mime_type.into(), annotations: None, meta: None }
    }

    setters! {
        with_annotations => annotations: Annotations;
        with_meta => meta: Meta;
    }
}

/// Sound: `AudioContent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AudioContent {
    /// The bytes, in base64.
    pub data: String,
    /// Their media type.
    pub mime_type: String,
    /// Hints on how to treat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl AudioContent {
    /// Sound, its bytes in base64.
    pub fn new(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self { data: data.into(), mime_type: mime_type.into(), annotations: None, meta: None }
    }

    setters! {
        with_annotations => annotations: Annotations;
        with_meta => meta: Meta;
    }
}

/// A resource with its contents: `EmbeddedResource`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The contents.
    pub resource: ResourceContents,
    /// Hints on how to treat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl EmbeddedResource {
    /// A resource with its contents.
    pub fn new(resource: ResourceContents) -> Self {
        Self { resource, annotations: None, meta: None }
    }

    setters! {
        with_annotations => annotations: Annotations;
        with_meta => meta: Meta;
    }
}
