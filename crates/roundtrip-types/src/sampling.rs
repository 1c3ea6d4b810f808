//! Sampling: a server's questions to the model of its client. Deprecated by the specification.

mod content;

use serde::{Deserialize, Serialize};

pub use self::content::*;
use crate::{Meta, RawJson, Role, Tool};

open_enum! {
    /// Which context the model is to see: `includeContext`.
    pub enum IncludeContext {
        /// None.
        None = "none",
        /// That of the asking server. Deprecated by the specification.
        ThisServer = "thisServer",
        /// That of all servers. Deprecated by the specification.
        AllServers = "allServers",
    }
}

open_enum! {
    /// Whether the model is to use tools: the `mode` of a `ToolChoice`.
    pub enum ToolChoiceMode {
        /// As it likes. The default.
        Auto = "auto",
        /// It must use one.
        Required = "required",
        /// It must not.
        None = "none",
    }
}

/// The parameters of `sampling/createMessage`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateMessageRequestParams {
    /// The conversation so far.
    pub messages: Vec<SamplingMessage>,
    /// How many tokens the model may say at most.
    pub max_tokens: u64,
    /// Which model to pick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// What to tell the model before the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// Which context to add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_context: Option<IncludeContext>,
    /// How free the model is.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lenient::optional_number")]
    pub temperature: Option<f64>,
    /// Texts at which the model stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// What to hand to the provider of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<RawJson>,
    /// What the model may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Whether it is to call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
}

impl CreateMessageRequestParams {
    /// Goes on with `messages`, for `max_tokens` at most.
    pub fn new(messages: impl Into<Vec<SamplingMessage>>, max_tokens: u64) -> Self {
        Self {
            messages: messages.into(),
            max_tokens,
            model_preferences: None,
            system_prompt: None,
            include_context: None,
            temperature: None,
            stop_sequences: None,
            metadata: None,
            tools: None,
            tool_choice: None,
        }
    }

    setters! {
        with_model_preferences => model_preferences: ModelPreferences;
        with_system_prompt => system_prompt: String;
        with_include_context => include_context: IncludeContext;
        with_stop_sequences => stop_sequences: Vec<String>;
        with_metadata => metadata: RawJson;
        with_tools => tools: Vec<Tool>;
        with_tool_choice => tool_choice: ToolChoice;
    }
    value_setters! { with_temperature => temperature: f64; }
}

/// The answer to `sampling/createMessage`: `CreateMessageResult`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateMessageResult {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: SamplingContent,
    /// Which model spoke.
    pub model: String,
    /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or another word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// More about the answer.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CreateMessageResult {
    /// What `model` said.
    pub fn new(model: impl Into<String>, content: impl Into<SamplingContent>) -> Self {
        Self {
            role: Role::Assistant,
            content: content.into(),
            model: model.into(),
            stop_reason: None,
            meta: None,
        }
    }

    setters! {
        with_stop_reason => stop_reason: String;
        with_meta => meta: Meta;
    }
}

/// One message of a conversation: `SamplingMessage`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: SamplingContent,
    /// More about the message.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl SamplingMessage {
    /// A message of `role`.
    pub fn new(role: Role, content: impl Into<SamplingContent>) -> Self {
        Self { role, content: content.into(), meta: None }
    }

    /// A message of the user.
    pub fn user(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::User, content)
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::Assistant, content)
    }

    setters! { with_meta => meta: Meta; }
}

/// Whether and how the model is to use tools: `ToolChoice`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolChoice {
    /// Absent means [`ToolChoiceMode::Auto`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ToolChoiceMode>,
}

impl ToolChoice {
    /// A choice with its mode.
    pub fn new(mode: ToolChoiceMode) -> Self {
        Self { mode: Some(mode) }
    }
}

/// Which model to pick: `ModelPreferences`. The priorities go from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelPreferences {
    /// Names of models, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// How much a low price matters.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lenient::optional_number")]
    pub cost_priority: Option<f64>,
    /// How much speed matters.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lenient::optional_number")]
    pub speed_priority: Option<f64>,
    /// How much intelligence matters.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lenient::optional_number")]
    pub intelligence_priority: Option<f64>,
}

impl ModelPreferences {
    /// No preference.
    pub fn new() -> Self {
        Self::default()
    }

    setters! { with_hints => hints: Vec<ModelHint>; }
    value_setters! {
        with_cost_priority => cost_priority: f64;
        with_speed_priority => speed_priority: f64;
        with_intelligence_priority => intelligence_priority: f64;
    }
}

/// A name, or a part of one, of a model: `ModelHint`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelHint {
    /// The name or its part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl ModelHint {
    /// A hint by name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()) }
    }
}
