//! Tools: what a server lets a model call.

use serde::{Deserialize, Serialize};

use crate::{ContentBlock, Icon, InputResponses, Meta, RawJson};

/// Something that a model can call: `Tool`.
///
/// The schemas stay the JSON they are, so every keyword and its order survive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tool {
    /// The name for programs: 1 to 128 letters, digits, `_`, `-` and `.`.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does, for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of its arguments; its root has `"type":"object"`.
    pub input_schema: RawJson,
    /// The JSON Schema of its structured content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<RawJson>,
    /// Hints on what it does. A client may trust them no more than the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Pictures for a user interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// More about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Tool {
    /// A tool with the JSON Schema of its arguments.
    ///
    /// ```
    /// use roundtrip_types::Tool;
    ///
    /// let tool = Tool::new("now", serde_json::json!({"type": "object"})).with_title("What time is it?");
    /// assert_eq!(tool.display_name(), "What time is it?");
    /// ```
    pub fn new(name: impl Into<String>, input_schema: impl Into<RawJson>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            input_schema: input_schema.into(),
            output_schema: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }

    setters! {
        with_title => title: String;
        with_description => description: String;
        with_output_schema => output_schema: RawJson;
        with_annotations => annotations: ToolAnnotations;
        with_icons => icons: Vec<Icon>;
        with_meta => meta: Meta;
    }

    /// The name to show: the title, else the title among the annotations, else the name.
    pub fn display_name(&self) -> &str {
        let annotated = || self.annotations.as_ref()?.title.as_deref();
        self.title.as_deref().or_else(annotated).unwrap_or(&self.name)
    }
}

/// Hints on what a tool does: `ToolAnnotations`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// It changes nothing. Absent means false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy something. Absent means true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// A second call with the same arguments changes nothing more. Absent means false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It deals with things outside of its own world. Absent means true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// No hint.
    pub fn new() -> Self {
        Self::default()
    }

    setters! { with_title => title: String; }
    value_setters! {
        with_read_only_hint => read_only_hint: bool;
        with_destructive_hint => destructive_hint: bool;
        with_idempotent_hint => idempotent_hint: bool;
        with_open_world_hint => open_world_hint: bool;
    }
}

/// The parameters of `tools/call`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallToolRequestParams {
    /// Which tool.
    pub name: String,
    /// Its arguments, an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<RawJson>,
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

impl CallToolRequestParams {
    /// Calls the tool `name`.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: None, input_responses: None, request_state: None, meta: None }
    }

    setters! {
        with_arguments => arguments: RawJson;
        with_input_responses => input_responses: InputResponses;
        with_request_state => request_state: String;
        with_meta => meta: Meta;
    }
}

/// The complete result of `tools/call`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallToolResult {
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

impl CallToolResult {
    /// Any content.
    pub fn new(content: impl Into<Vec<ContentBlock>>) -> Self {
        Self { content: content.into(), ..Self::default() }
    }

    /// One text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new([ContentBlock::text(text)])
    }

    /// A failure of the tool, told to the model as text.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: Some(true), ..Self::text(text) }
    }

    /// Structured content, with the same JSON as text for clients that know only text.
    ///
    /// # Errors
    /// When `value` cannot be written as JSON.
    pub fn structured<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
        let json = RawJson::from_serialize(value)?;
        Ok(Self { structured_content: Some(json.clone()), ..Self::text(json.get()) })
    }

    setters! {
        with_structured_content => structured_content: RawJson;
        with_meta => meta: Meta;
    }
    value_setters! { with_is_error => is_error: bool; }

    /// Whether the tool failed.
    pub fn failed(&self) -> bool {
        self.is_error == Some(true)
    }
}
