//! What tools and prompts say to a model.

use std::borrow::Cow;

use serde::de::Deserializer;
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::tagged::{self, Kinds};
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
            Self::Unknown(raw) => return tagged::kind_of(raw).unwrap_or_default(),
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
            Self::Text(block) => tagged::write("text", block, serializer),
            Self::Image(block) => tagged::write("image", block, serializer),
            Self::Audio(block) => tagged::write("audio", block, serializer),
            Self::ResourceLink(block) => tagged::write("resource_link", block, serializer),
            Self::Resource(block) => tagged::write("resource", block, serializer),
            Self::Unknown(raw) => raw.serialize(serializer),
        }
    }
}

impl Kinds for ContentBlock {
    const KINDS: &'static [&'static str] = &["text", "image", "audio", "resource_link", "resource"];

    fn read<'de, D: Deserializer<'de>>(kind: &str, members: D) -> Result<Self, D::Error> {
        match kind {
            "text" => Deserialize::deserialize(members).map(Self::Text),
            "image" => Deserialize::deserialize(members).map(Self::Image),
            "audio" => Deserialize::deserialize(members).map(Self::Audio),
            "resource_link" => Deserialize::deserialize(members).map(Self::ResourceLink),
            _ => Deserialize::deserialize(members).map(Self::Resource),
        }
    }

    fn unknown(raw: RawJson) -> Self {
        Self::Unknown(raw)
    }
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        tagged::read(deserializer)
    }
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
