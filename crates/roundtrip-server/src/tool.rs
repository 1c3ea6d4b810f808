//! Tools: a handler with a name, and what it may return.

use std::sync::Arc;

use roundtrip_types::{CallToolResult, ContentBlock, Icon, Meta, Outcome, RawJson, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    body::Body,
    error::ToolError,
    handler::Handler,
    param::Param,
    plan::{Plan, input_schema},
};

/// A tool to be added to a server: a handler with its name, and what `tools/list` says of it.
///
/// `builder.tool("name", handler)` is the short form of `builder.add(tool("name", handler))`, which can say more:
///
/// ```
/// use roundtrip_server::{Args, McpServer, tool};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// /// Add two numbers.
/// #[derive(Deserialize, JsonSchema)]
/// struct Add {
///     a: i64,
///     b: i64,
/// }
///
/// async fn add(Args(Add { a, b }): Args<Add>) -> String {
///     (a + b).to_string()
/// }
///
/// let server = McpServer::builder("Calculator").add(tool("add", add).title("Addition")).build()?;
/// # Ok::<(), roundtrip_server::BuildError>(())
/// ```
#[must_use]
pub struct ToolHandler {
    pub(crate) definition: Tool,
    pub(crate) body: Body<CallToolResult>,
}

/// Makes a tool of an async function or closure over [parameters](Param).
///
/// The name should be 1 to 128 characters of `A-Z a-z 0-9 _ - .`; `build()` refuses others. The description is the
/// doc comment of the type in [`Args`](crate::Args), unless [`description`](ToolHandler::description) says another.
pub fn tool<H, P, Fut>(name: impl Into<String>, handler: H) -> ToolHandler
where
    H: Handler<P, Fut>,
    P: Param,
    Fut: Future + Send + 'static,
    Fut::Output: IntoToolResult,
{
    let plan = Plan::of::<P>();
    let input =
        plan.input.clone().unwrap_or_else(|| json!({ "type": "object", "additionalProperties": false }));
    let mut definition = Tool::new(name, input);
    definition.description.clone_from(&plan.description);
    definition.output_schema = Fut::Output::output_schema().map(Into::into);
    let handler = Arc::new(handler);
    ToolHandler {
        definition,
        body: Body::new::<P, _, _>(plan, Fut::Output::ASKS, move |params| {
            let called = handler.call(params);
            async move { called.await.into_tool_result() }
        }),
    }
}

impl ToolHandler {
    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition.title = Some(title.into());
        self
    }

    /// What the tool does, for the model; else the doc comment of its arguments.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.definition.description = Some(description.into());
        self
    }

    /// Hints on how the tool behaves.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.definition.annotations = Some(annotations);
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

    /// Replaces the schema of the arguments, for one that Rust types don't express.
    ///
    /// The handler's `Args` still read what the caller sends; `Args<serde_json::Value>` takes anything.
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.definition.input_schema = schema.into();
        self
    }
}

impl std::fmt::Debug for ToolHandler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolHandler").field("name", &self.definition.name).finish_non_exhaustive()
    }
}

/// What a tool may return.
///
/// Text (`String`, `&'static str`), [`Json<T>`], content blocks, [`CallToolResult`] for full control, nothing
/// (`()`), a `Result` of one of them, or an [`Outcome`] of one of them for a tool that drives its own rounds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "not a tool result",
    note = "return text (`String`, `&'static str`), `Json<T>` where `T: serde::Serialize + schemars::JsonSchema`, `CallToolResult`, or a `Result<_, ToolError>` of one of them"
)]
pub trait IntoToolResult {
    /// Whether the tool may ask by hand.
    #[doc(hidden)]
    const ASKS: bool = false;

    /// The schema of a structured result; what `tools/list` shows as `outputSchema`.
    #[doc(hidden)]
    #[must_use]
    fn output_schema() -> Option<Value> {
        None
    }

    /// The result as it goes over the wire.
    #[doc(hidden)]
    fn into_tool_result(self) -> Result<Outcome<CallToolResult>, ToolError>;
}

/// A structured result: `structuredContent` as the JSON of `T`, the same as text for clients that read only that,
/// and an `outputSchema` in the listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "handlers make it in their last line")]
pub struct Json<T>(pub T);

impl<T: Serialize + JsonSchema> IntoToolResult for Json<T> {
    fn output_schema() -> Option<Value> {
        Some(input_schema::<T>().0)
    }

    fn into_tool_result(self) -> Result<Outcome<CallToolResult>, ToolError> {
        let json = RawJson::from_serialize(&self.0)?;
        let mut result = CallToolResult::text(json.get());
        result.structured_content = Some(json);
        Ok(result.into())
    }
}

macro_rules! complete {
    ($($T:ty: $this:ident => $result:expr;)*) => {$(
        impl IntoToolResult for $T {
            fn into_tool_result(self) -> Result<Outcome<CallToolResult>, ToolError> {
                let $this = self;
                Ok(Outcome::Complete($result))
            }
        }
    )*};
}

complete! {
    String: this => CallToolResult::text(this);
    &'static str: this => CallToolResult::text(this);
    (): _this => CallToolResult::default();
    CallToolResult: this => this;
    ContentBlock: this => CallToolResult::new([this]);
    Vec<ContentBlock>: this => CallToolResult::new(this);
}

impl<T: IntoToolResult> IntoToolResult for Outcome<T> {
    const ASKS: bool = true;

    fn output_schema() -> Option<Value> {
        T::output_schema()
    }

    fn into_tool_result(self) -> Result<Outcome<CallToolResult>, ToolError> {
        match self {
            Self::Complete(result) => result.into_tool_result(),
            Self::InputRequired(ask) => Ok(Outcome::InputRequired(ask)),
        }
    }
}

impl<T: IntoToolResult, E: Into<ToolError>> IntoToolResult for Result<T, E> {
    const ASKS: bool = T::ASKS;

    fn output_schema() -> Option<Value> {
        T::output_schema()
    }

    fn into_tool_result(self) -> Result<Outcome<CallToolResult>, ToolError> {
        self.map_err(Into::into)?.into_tool_result()
    }
}
