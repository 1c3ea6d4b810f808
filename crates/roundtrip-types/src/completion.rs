//! Completion of the arguments of prompts and of resource templates.

use std::collections::BTreeMap;

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::Meta;

/// The parameters of `completion/complete`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompleteRequestParams {
    /// What the argument belongs to.
    #[serde(rename = "ref")]
    pub reference: CompletionReference,
    /// The argument as far as it is typed.
    pub argument: CompletionArgument,
    /// What is known already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<CompletionContext>,
    /// More about the request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CompleteRequestParams {
    /// Completes `argument` of `reference`.
    pub fn new(reference: CompletionReference, argument: CompletionArgument) -> Self {
        Self { reference, argument, context: None, meta: None }
    }

    setters! {
        with_context => context: CompletionContext;
        with_meta => meta: Meta;
    }
}

/// What an argument belongs to: `PromptReference` or `ResourceTemplateReference`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompletionReference {
    /// A prompt: `ref/prompt`.
    Prompt(PromptReference),
    /// A resource template: `ref/resource`.
    Resource(ResourceTemplateReference),
}

impl CompletionReference {
    /// The prompt `name`.
    pub fn prompt(name: impl Into<String>) -> Self {
        Self::Prompt(PromptReference { name: name.into(), title: None })
    }

    /// The resource or template `uri`.
    pub fn resource(uri: impl Into<String>) -> Self {
        Self::Resource(ResourceTemplateReference { uri: uri.into() })
    }
}

impl Serialize for CompletionReference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Prompt(reference) => crate::tagged::write("ref/prompt", reference, serializer),
            Self::Resource(reference) => crate::tagged::write("ref/resource", reference, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CompletionReference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(expecting = "a reference")]
        struct Wire {
            r#type: String,
            name: Option<String>,
            title: Option<String>,
            uri: Option<String>,
        }
        let wire = Wire::deserialize(deserializer)?;
        match &*wire.r#type {
            "ref/prompt" => {
                let name = wire.name.ok_or_else(|| D::Error::missing_field("name"))?;
                Ok(Self::Prompt(PromptReference { name, title: wire.title }))
            }
            "ref/resource" => {
                let uri = wire.uri.ok_or_else(|| D::Error::missing_field("uri"))?;
                Ok(Self::Resource(ResourceTemplateReference { uri }))
            }
            other => Err(D::Error::unknown_variant(other, &["ref/prompt", "ref/resource"])),
        }
    }
}

/// Names a prompt: `PromptReference`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PromptReference {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Names a resource or a template: `ResourceTemplateReference`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceTemplateReference {
    /// The URI or the URI template.
    pub uri: String,
}

/// An argument as far as it is typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(expecting = "an argument")]
#[non_exhaustive]
pub struct CompletionArgument {
    /// Which argument.
    pub name: String,
    /// What is typed.
    pub value: String,
}

impl CompletionArgument {
    /// The argument `name`, typed as far as `value`.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// What is known beside the argument.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(expecting = "a context")]
#[non_exhaustive]
pub struct CompletionContext {
    /// The arguments that have their values already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, String>>,
}

impl CompletionContext {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    setters! { with_arguments => arguments: BTreeMap<String, String>; }
}

/// The values that could follow, the best first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completion {
    /// The values, [`MAX_VALUES`](Self::MAX_VALUES) at most.
    pub values: Vec<String>,
    /// How many there are in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// There are more than `values`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}

impl Completion {
    /// How many values one completion may hold.
    pub const MAX_VALUES: usize = 100;

    /// The first [`MAX_VALUES`](Self::MAX_VALUES) of `values`; when some are cut off, `total` and
    /// `hasMore` say so.
    ///
    /// ```
    /// use roundtrip_types::Completion;
    ///
    /// let completion = Completion::new((0..101).map(|n| n.to_string()));
    /// assert_eq!((completion.values.len(), completion.total), (100, Some(101)));
    /// ```
    pub fn new<V: Into<String>>(values: impl IntoIterator<Item = V>) -> Self {
        let mut values = values.into_iter();
        let kept: Vec<String> = values.by_ref().take(Self::MAX_VALUES).map(Into::into).collect();
        match values.count() {
            0 => Self { values: kept, total: None, has_more: None },
            rest => Self { total: Some((kept.len() + rest) as u64), values: kept, has_more: Some(true) },
        }
    }

    value_setters! {
        with_total => total: u64;
        with_has_more => has_more: bool;
    }
}

/// The result of `completion/complete`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompleteResult {
    /// The values.
    pub completion: Completion,
    /// More about the result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CompleteResult {
    /// The values that could follow.
    pub fn new(completion: Completion) -> Self {
        Self { completion, meta: None }
    }

    setters! { with_meta => meta: Meta; }
}

impl From<Completion> for CompleteResult {
    fn from(completion: Completion) -> Self {
        Self::new(completion)
    }
}
