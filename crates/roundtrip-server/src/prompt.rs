//! Prompts: a handler with a name, and what it may return.

use std::sync::Arc;

use roundtrip_types::{
    ContentBlock, GetPromptResult, Icon, Meta, Outcome, Prompt, PromptArgument, PromptMessage,
};
use serde_json::Value;

use crate::{body::Body, error::ToolError, handler::Handler, param::Param, plan::Plan};

/// A prompt to be added to a server: a handler with its name, and what `prompts/list` says of it.
#[must_use]
pub struct PromptHandler {
    pub(crate) definition: Prompt,
    pub(crate) body: Body<GetPromptResult>,
}

/// Makes a prompt of an async function or closure over [parameters](Param).
///
/// The fields of the type in [`Args`](crate::Args) are the prompt's arguments; on the wire they are strings, from
/// which numbers, booleans and enums are read. Its doc comment is the prompt's description.
///
/// ```
/// use roundtrip_server::{Args, McpServer};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// /// Draft a briefing.
/// #[derive(Deserialize, JsonSchema)]
/// struct Briefing {
///     /// What it is about.
///     topic: String,
/// }
///
/// async fn briefing(Args(about): Args<Briefing>) -> String {
///     format!("Write a briefing about {}.", about.topic)
/// }
///
/// let server = McpServer::builder("Briefing").prompt("briefing", briefing).build()?;
/// # Ok::<(), roundtrip_server::BuildError>(())
/// ```
pub fn prompt<H, P, Fut>(name: impl Into<String>, handler: H) -> PromptHandler
where
    H: Handler<P, Fut>,
    P: Param,
    Fut: Future + Send + 'static,
    Fut::Output: IntoPromptResult,
{
    let plan = Plan::of::<P>();
    let mut definition = Prompt::new(name);
    definition.description.clone_from(&plan.description);
    definition.arguments = plan.input.as_ref().map(|schema| arguments(schema, plan.input_order));
    let handler = Arc::new(handler);
    PromptHandler {
        definition,
        body: Body::new::<P, _, _>(plan, Fut::Output::ASKS, move |params| {
            let called = handler.call(params);
            async move { called.await.into_prompt_result() }
        }),
    }
}

/// The arguments that the fields of a struct come to, as a person should meet them.
fn arguments(schema: &Value, order: &[&str]) -> Vec<PromptArgument> {
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let mut properties: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
    properties.sort_by_key(|(name, _)| order.iter().position(|field| field == name).unwrap_or(order.len()));
    properties
        .into_iter()
        .map(|(name, property)| {
            let mut argument = PromptArgument::new(name);
            argument.description = property["description"].as_str().map(str::to_owned);
            argument.required = Some(required(name));
            argument
        })
        .collect()
}

impl PromptHandler {
    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition.title = Some(title.into());
        self
    }

    /// What the prompt is for; else the doc comment of its arguments.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.definition.description = Some(description.into());
        self
    }

    /// Icons for people.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.definition.icons = Some(icons.into_iter().collect());
        self
    }

    /// What else the listing says, under keys of your own.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition.meta = Some(meta);
        self
    }
}

impl std::fmt::Debug for PromptHandler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PromptHandler").field("name", &self.definition.name).finish_non_exhaustive()
    }
}

/// What a prompt may return: text (one message of the user), messages, [`GetPromptResult`], a `Result` of one of
/// them, or an [`Outcome`] of one of them for a prompt that drives its own rounds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a prompt",
    label = "not a prompt result",
    note = "return text (`String`, `&'static str`), `PromptMessage`, `Vec<PromptMessage>`, `GetPromptResult`, or a `Result<_, ToolError>` of one of them"
)]
pub trait IntoPromptResult {
    /// Whether the prompt may ask by hand.
    #[doc(hidden)]
    const ASKS: bool = false;

    /// The result as it goes over the wire.
    #[doc(hidden)]
    fn into_prompt_result(self) -> Result<Outcome<GetPromptResult>, ToolError>;
}

macro_rules! complete {
    ($($T:ty: $this:ident => $result:expr;)*) => {$(
        impl IntoPromptResult for $T {
            fn into_prompt_result(self) -> Result<Outcome<GetPromptResult>, ToolError> {
                let $this = self;
                Ok(Outcome::Complete($result))
            }
        }
    )*};
}

complete! {
    String: this => GetPromptResult::new([PromptMessage::user(ContentBlock::text(this))]);
    &'static str: this => GetPromptResult::new([PromptMessage::user(ContentBlock::text(this))]);
    PromptMessage: this => GetPromptResult::new([this]);
    Vec<PromptMessage>: this => GetPromptResult::new(this);
    GetPromptResult: this => this;
}

impl<T: IntoPromptResult> IntoPromptResult for Outcome<T> {
    const ASKS: bool = true;

    fn into_prompt_result(self) -> Result<Outcome<GetPromptResult>, ToolError> {
        match self {
            Self::Complete(result) => result.into_prompt_result(),
            Self::InputRequired(ask) => Ok(Outcome::InputRequired(ask)),
        }
    }
}

impl<T: IntoPromptResult, E: Into<ToolError>> IntoPromptResult for Result<T, E> {
    const ASKS: bool = T::ASKS;

    fn into_prompt_result(self) -> Result<Outcome<GetPromptResult>, ToolError> {
        self.map_err(Into::into)?.into_prompt_result()
    }
}
