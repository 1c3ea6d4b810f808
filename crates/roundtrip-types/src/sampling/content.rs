//! What is said in a conversation with a model.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::tagged::{self, Kinds};
use crate::{AudioContent, ContentBlock, ImageContent, Meta, RawJson, TextContent};

/// What a message says: one block, or an array of blocks. Which of the two is kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "JSON offers no third way to hold blocks")]
pub enum SamplingContent {
    /// One block.
    One(SamplingBlock),
    /// An array of blocks.
    Many(Vec<SamplingBlock>),
}

impl SamplingContent {
    /// The blocks, either way.
    pub fn blocks(&self) -> &[SamplingBlock] {
        match self {
            Self::One(block) => std::slice::from_ref(block),
            Self::Many(blocks) => blocks,
        }
    }
}

impl<T: Into<SamplingBlock>> From<T> for SamplingContent {
    fn from(block: T) -> Self {
        Self::One(block.into())
    }
}

impl From<Vec<SamplingBlock>> for SamplingContent {
    fn from(blocks: Vec<SamplingBlock>) -> Self {
        Self::Many(blocks)
    }
}

impl<'de> Deserialize<'de> for SamplingContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = SamplingContent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a content block or an array of them")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SamplingContent, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(map)).map(SamplingContent::One)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<SamplingContent, A::Error> {
                Deserialize::deserialize(SeqAccessDeserializer::new(seq)).map(SamplingContent::Many)
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

/// One piece of a message: `SamplingMessageContentBlock`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SamplingBlock {
    /// Text: `text`.
    Text(TextContent),
    /// A picture: `image`.
    Image(ImageContent),
    /// Sound: `audio`.
    Audio(AudioContent),
    /// The model calls a tool: `tool_use`.
    ToolUse(ToolUseContent),
    /// The tool's result: `tool_result`.
    ToolResult(ToolResultContent),
    /// A kind that the specification does not name, kept whole.
    Unknown(RawJson),
}

impl SamplingBlock {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// The text, where the block is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }
}

impl From<&str> for SamplingBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for SamplingBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<ToolUseContent> for SamplingBlock {
    fn from(block: ToolUseContent) -> Self {
        Self::ToolUse(block)
    }
}

impl From<ToolResultContent> for SamplingBlock {
    fn from(block: ToolResultContent) -> Self {
        Self::ToolResult(block)
    }
}

impl Serialize for SamplingBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(block) => tagged::write("text", block, serializer),
            Self::Image(block) => tagged::write("image", block, serializer),
            Self::Audio(block) => tagged::write("audio", block, serializer),
            Self::ToolUse(block) => tagged::write("tool_use", block, serializer),
            Self::ToolResult(block) => tagged::write("tool_result", block, serializer),
            Self::Unknown(raw) => raw.serialize(serializer),
        }
    }
}

impl Kinds for SamplingBlock {
    const KINDS: &'static [&'static str] = &["text", "image", "audio", "tool_use", "tool_result"];

    fn read<'de, D: Deserializer<'de>>(kind: &str, members: D) -> Result<Self, D::Error> {
        match kind {
            "text" => Deserialize::deserialize(members).map(Self::Text),
            "image" => Deserialize::deserialize(members).map(Self::Image),
            "audio" => Deserialize::deserialize(members).map(Self::Audio),
            "tool_use" => Deserialize::deserialize(members).map(Self::ToolUse),
            _ => Deserialize::deserialize(members).map(Self::ToolResult),
        }
    }

    fn unknown(raw: RawJson) -> Self {
        Self::Unknown(raw)
    }
}

impl<'de> Deserialize<'de> for SamplingBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        tagged::read(deserializer)
    }
}

/// The model calls a tool: `ToolUseContent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolUseContent {
    /// Names the call, for its result.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// Its arguments, an object.
    pub input: RawJson,
    /// More about the call.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ToolUseContent {
    /// The call `id` of the tool `name`.
    pub fn new(id: impl Into<String>, name: impl Into<String>, input: impl Into<RawJson>) -> Self {
        Self { id: id.into(), name: name.into(), input: input.into(), meta: None }
    }

    setters! { with_meta => meta: Meta; }
}

/// What a tool gave back to the model: `ToolResultContent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolResultContent {
    /// Which call.
    pub tool_use_id: String,
    /// What the tool says to the model.
    pub content: Vec<ContentBlock>,
    /// What the tool says to programs: any JSON. Absent is not `null`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::lenient::present")]
    pub structured_content: Option<RawJson>,
    /// The tool failed. Absent means false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// More about the result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ToolResultContent {
    /// What the call `tool_use_id` gave back.
    pub fn new(tool_use_id: impl Into<String>, content: impl Into<Vec<ContentBlock>>) -> Self {
        Self {
            tool_use_id: tool_use_id.into(),
            content: content.into(),
            structured_content: None,
            is_error: None,
            meta: None,
        }
    }

    setters! {
        with_structured_content => structured_content: RawJson;
        with_meta => meta: Meta;
    }
    value_setters! { with_is_error => is_error: bool; }
}
