//! Resources and resource templates: a handler with a URI, and what it may return.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use roundtrip_protocol::uri_template::{UriTemplate, ValuePolicy};
use roundtrip_types::{
    Annotations, CacheScope, Icon, Meta, Outcome, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};

use crate::{body::Body, cache::CacheHint, error::ToolError, handler::Handler, param::Param, plan::Plan};

/// A resource to be added to a server: a handler with its URI, and what `resources/list` says of it.
#[must_use]
pub struct ResourceHandler {
    pub(crate) definition: Resource,
    pub(crate) body: Body<ReadResourceResult>,
    /// `None` where the handler's result says it itself.
    pub(crate) cache: Option<CacheHint>,
}

/// A resource template to be added to a server: a handler with an RFC 6570 URI template, and what
/// `resources/templates/list` says of it.
#[must_use]
pub struct TemplateHandler {
    pub(crate) definition: ResourceTemplate,
    /// The template parsed, or why it can't be.
    pub(crate) template: Result<UriTemplate, String>,
    pub(crate) body: Body<ReadResourceResult>,
    /// `None` where the handler's result says it itself.
    pub(crate) cache: Option<CacheHint>,
}

/// Makes a resource of an async function or closure over [parameters](Param).
///
/// It has one URI and no arguments, and it can't ask: what needs an answer is a [`template`], a tool or a prompt.
///
/// ```
/// use roundtrip_server::McpServer;
///
/// let server = McpServer::builder("Docs")
///     .resource("docs://readme", "readme", async || "Read me first.")
///     .build()?;
/// # Ok::<(), roundtrip_server::BuildError>(())
/// ```
pub fn resource<H, P, Fut>(uri: impl Into<String>, name: impl Into<String>, handler: H) -> ResourceHandler
where
    H: Handler<P, Fut>,
    P: Param,
    Fut: Future + Send + 'static,
    Fut::Output: IntoStaticResource,
{
    let body = body::<H, P, Fut>(handler);
    ResourceHandler { definition: Resource::new(uri, name), body, cache: hint::<Fut::Output>() }
}

/// Makes a resource template of an async function or closure over [parameters](Param).
///
/// The variables of the template are its [`Args`](crate::Args): strings, from which numbers, booleans and enums are
/// read; a list takes what an exploded variable matched. Values are decoded once, and those that could climb out
/// of a folder (`..`, an absolute path, a NUL) match nothing unless a [`value_policy`](TemplateHandler::value_policy)
/// says otherwise.
///
/// ```
/// use roundtrip_server::{Args, McpServer};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// /// A chapter of the manual.
/// #[derive(Deserialize, JsonSchema)]
/// struct Chapter {
///     number: u8,
/// }
///
/// async fn chapter(Args(chapter): Args<Chapter>) -> String {
///     format!("Chapter {} is still to be written.", chapter.number)
/// }
///
/// let server = McpServer::builder("Docs").template("docs://manual/{number}", "chapter", chapter).build()?;
/// # Ok::<(), roundtrip_server::BuildError>(())
/// ```
pub fn template<H, P, Fut>(
    template: impl Into<String>,
    name: impl Into<String>,
    handler: H,
) -> TemplateHandler
where
    H: Handler<P, Fut>,
    P: Param,
    Fut: Future + Send + 'static,
    Fut::Output: IntoResource,
{
    let text = template.into();
    let template = UriTemplate::parse(&text)
        .and_then(|template| template.check_matchable().map(|()| template))
        .map_err(|error| error.to_string());
    let body = body::<H, P, Fut>(handler);
    let mut definition = ResourceTemplate::new(text, name);
    definition.description.clone_from(&body.plan.description);
    TemplateHandler { definition, template, body, cache: hint::<Fut::Output>() }
}

fn hint<R: IntoResource>() -> Option<CacheHint> {
    (!R::HINTS).then(CacheHint::default)
}

fn body<H, P, Fut>(handler: H) -> Body<ReadResourceResult>
where
    H: Handler<P, Fut>,
    P: Param,
    Fut: Future + Send + 'static,
    Fut::Output: IntoResource,
{
    let handler = Arc::new(handler);
    Body::new::<P, _, _>(Plan::of::<P>(), Fut::Output::ASKS, move |params| {
        let called = handler.call(params);
        async move { called.await.into_resource() }
    })
}

macro_rules! settings {
    ($($Handler:ident)*) => {$(
        impl $Handler {
            /// A name for people.
            pub fn title(mut self, title: impl Into<String>) -> Self {
                self.definition.title = Some(title.into());
                self
            }

            /// What it holds.
            pub fn description(mut self, description: impl Into<String>) -> Self {
                self.definition.description = Some(description.into());
                self
            }

            /// The media type of its contents. Text and bytes that the handler returns bear it too.
            pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
                self.definition.mime_type = Some(mime_type.into());
                self
            }

            /// For whom it is, and how important.
            pub fn annotations(mut self, annotations: Annotations) -> Self {
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

            /// How long what was read stays fresh, and for whom: `ttlMs` and `cacheScope`. By default it is stale
            /// at once and private. Results that took a question are never cached, and a handler that returns
            /// `ReadResourceResult` says it itself.
            pub fn cache(mut self, ttl: std::time::Duration, scope: CacheScope) -> Self {
                self.cache = self.cache.map(|_| CacheHint { ttl, scope });
                self
            }
        }

        impl std::fmt::Debug for $Handler {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Handler)).field("name", &self.definition.name).finish_non_exhaustive()
            }
        }
    )*};
}

settings!(ResourceHandler TemplateHandler);

impl TemplateHandler {
    /// Which values the variables may have. By default a URI whose values could climb out of a folder matches nothing.
    pub fn value_policy(mut self, policy: ValuePolicy) -> Self {
        self.template = self.template.map(|template| template.with_policy(policy));
        self
    }
}

impl ResourceHandler {
    /// Its size in bytes, before any encoding.
    pub fn size(mut self, bytes: u64) -> Self {
        self.definition.size = Some(bytes);
        self
    }
}

/// What a resource template may return: text, bytes, [`ResourceContents`] (one or several), [`ReadResourceResult`],
/// a `Result` of one of them, or an [`Outcome`] of one of them for a template that drives its own rounds.
///
/// Contents without a URI of their own get the one that was read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the contents of a resource",
    label = "not resource contents",
    note = "return text (`String`, `&'static str`), bytes (`Vec<u8>`), `ResourceContents`, `Vec<ResourceContents>`, `ReadResourceResult`, or a `Result<_, ToolError>` of one of them"
)]
pub trait IntoResource {
    /// Whether the template may ask by hand.
    #[doc(hidden)]
    const ASKS: bool = false;

    /// Whether the result itself says how long it stays fresh.
    #[doc(hidden)]
    const HINTS: bool = false;

    /// The result as it goes over the wire.
    #[doc(hidden)]
    fn into_resource(self) -> Result<Outcome<ReadResourceResult>, ToolError>;
}

/// What a resource with a fixed URI may return: as [`IntoResource`], but for an [`Outcome`], since it can't ask.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the contents of a resource with a fixed URI",
    label = "a resource cannot ask",
    note = "return contents (`String`, `Vec<u8>`, `ResourceContents`, ...) or a `Result` of them; what asks is a `template`, a tool or a prompt"
)]
pub trait IntoStaticResource: IntoResource {}

macro_rules! complete {
    ($($T:ty: $this:ident => $result:expr;)*) => {$(
        impl IntoResource for $T {
            fn into_resource(self) -> Result<Outcome<ReadResourceResult>, ToolError> {
                let $this = self;
                Ok(Outcome::Complete($result))
            }
        }

        impl IntoStaticResource for $T {}
    )*};
}

complete! {
    String: this => ReadResourceResult::new([ResourceContents::text("", this)]);
    &'static str: this => ReadResourceResult::new([ResourceContents::text("", this)]);
    Vec<u8>: this => ReadResourceResult::new([ResourceContents::blob("", BASE64_STANDARD.encode(this))]);
    ResourceContents: this => ReadResourceResult::new([this]);
    Vec<ResourceContents>: this => ReadResourceResult::new(this);
}

impl IntoResource for ReadResourceResult {
    const HINTS: bool = true;

    fn into_resource(self) -> Result<Outcome<ReadResourceResult>, ToolError> {
        Ok(self.into())
    }
}

impl IntoStaticResource for ReadResourceResult {}

impl<T: IntoResource> IntoResource for Outcome<T> {
    const ASKS: bool = true;
    const HINTS: bool = T::HINTS;

    fn into_resource(self) -> Result<Outcome<ReadResourceResult>, ToolError> {
        match self {
            Self::Complete(result) => result.into_resource(),
            Self::InputRequired(ask) => Ok(Outcome::InputRequired(ask)),
        }
    }
}

impl<T: IntoResource, E: Into<ToolError>> IntoResource for Result<T, E> {
    const ASKS: bool = T::ASKS;
    const HINTS: bool = T::HINTS;

    fn into_resource(self) -> Result<Outcome<ReadResourceResult>, ToolError> {
        self.map_err(Into::into)?.into_resource()
    }
}

impl<T: IntoStaticResource, E: Into<ToolError>> IntoStaticResource for Result<T, E> {}
