//! Prompts: messages that a server prepares for a user to pick.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{ContentBlock, Icon, InputResponses, Meta, Role};

/// A prompt that a user can pick: `Prompt`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Prompt {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What can be filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<PromptArgument>>,
    /// Pictures for a user interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Prompt {
    /// A prompt without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), title: None, description: None, arguments: None, icons: None, meta: None }
    }

    setters! {
        with_title => title: String;
        with_description => description: String;
        with_arguments => arguments: Vec<PromptArgument>;
        with_icons => icons: Vec<Icon>;
        with_meta => meta: Meta;
    }
}

/// What can be filled into a prompt: `PromptArgument`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PromptArgument {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It must be given. Absent means false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
}

impl PromptArgument {
    /// An argument that may be left out.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), title: None, description: None, required: None }
    }

    setters! {
        with_title => title: String;
        with_description => description: String;
    }
    value_setters! { with_required => required: bool; }
}

/// One message of a prompt: `PromptMessage`.
///
/// ```
/// use roundtrip_types::{GetPromptResult, PromptMessage};
///
/// let result = GetPromptResult::new([PromptMessage::user("Review this code.")]);
/// assert_eq!(result.messages[0].content.as_text(), Some("Review this code."));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

impl PromptMessage {
    /// A message of `role`.
    pub fn new(role: Role, content: impl Into<ContentBlock>) -> Self {
        Self { role, content: content.into() }
    }

    /// A message of the user.
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::User, content)
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::Assistant, content)
    }
}

/// The parameters of `prompts/get`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GetPromptRequestParams {
    /// Which prompt.
    pub name: String,
    /// What is filled in: strings only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, String>>,
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

impl GetPromptRequestParams {
    /// Gets the prompt `name`.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: None, input_responses: None, request_state: None, meta: None }
    }

    setters! {
        with_arguments => arguments: BTreeMap<String, String>;
        with_input_responses => input_responses: InputResponses;
        with_request_state => request_state: String;
        with_meta => meta: Meta;
    }
}

/// The complete result of `prompts/get`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GetPromptResult {
    /// What the prompt gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The messages.
    pub messages: Vec<PromptMessage>,
    /// More about the result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl GetPromptResult {
    /// The messages of a prompt.
    pub fn new(messages: impl Into<Vec<PromptMessage>>) -> Self {
        Self { description: None, messages: messages.into(), meta: None }
    }

    setters! {
        with_description => description: String;
        with_meta => meta: Meta;
    }
}
