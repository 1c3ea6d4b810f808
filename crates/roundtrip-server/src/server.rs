//! The server: what it holds, how it is put together, and what is checked before it serves.

use std::{any::TypeId, collections::HashMap, fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use roundtrip_protocol::{
    headers::HeaderParam,
    uri_template::{TemplateValue, UriTemplate},
};
use roundtrip_types::{
    CacheScope, CallToolResult, CompleteRequestParams, GetPromptResult, Icon, Implementation,
    ReadResourceResult,
};

use crate::{
    body::Body,
    cache::CacheHint,
    call::StateMap,
    checks,
    completion::{Completer, IntoCompletion},
    context::Context,
    error::BuildError,
    handler::Handler,
    list::Pages,
    param::Param,
    prompt::{IntoPromptResult, PromptHandler, prompt},
    reply::Shared,
    resource::{IntoResource, IntoStaticResource, ResourceHandler, TemplateHandler, resource, template},
    seal::RequestStateSecurity,
    subscriptions::{Announces, Change, Subscriptions},
    tool::{IntoToolResult, ToolHandler, tool},
};

/// A Model Context Protocol server: tools, prompts and resources over plain async functions.
///
/// It has no socket: hand it to a transport, or to a client in the same process. A cheap clone.
#[derive(Clone)]
pub struct McpServer(pub(crate) Arc<Inner>);

/// What a server holds once it is built; nothing of it changes while it serves.
pub(crate) struct Inner {
    pub(crate) shared: Shared,
    pub(crate) states: StateMap,
    pub(crate) discover: Bytes,
    pub(crate) tools: Option<Tools>,
    pub(crate) prompts: Option<Prompts>,
    pub(crate) resources: Option<Resources>,
    pub(crate) completer: Option<Completer>,
}

/// The tools: a page for a list, a hash map for a call, so that a call costs the same however many there are.
pub(crate) struct Tools {
    pub(crate) pages: Pages,
    pub(crate) by_name: HashMap<String, ToolEntry>,
}

pub(crate) struct ToolEntry {
    pub(crate) header_params: Vec<HeaderParam>,
    pub(crate) body: Body<CallToolResult>,
}

pub(crate) struct Prompts {
    pub(crate) pages: Pages,
    pub(crate) by_name: HashMap<String, PromptEntry>,
}

pub(crate) struct PromptEntry {
    /// The names that the prompt takes, and whether it must have them.
    pub(crate) arguments: Vec<(String, bool)>,
    pub(crate) description: Option<String>,
    pub(crate) body: Body<GetPromptResult>,
}

pub(crate) struct Resources {
    pub(crate) pages: Pages,
    pub(crate) template_pages: Pages,
    pub(crate) by_uri: HashMap<String, ResourceEntry>,
    /// In the order in which they were added; the first that matches is read.
    pub(crate) templates: Vec<(UriTemplate, ResourceEntry)>,
}

pub(crate) struct ResourceEntry {
    pub(crate) mime_type: Option<String>,
    pub(crate) cache: Option<CacheHint>,
    pub(crate) body: Body<ReadResourceResult>,
}

impl Resources {
    /// The handler of a URI, and what the variables of its template matched.
    pub(crate) fn find(&self, uri: &str) -> Option<(&ResourceEntry, Vec<(String, TemplateValue)>)> {
        if let Some(entry) = self.by_uri.get(uri) {
            return Some((entry, Vec::new()));
        }
        self.templates.iter().find_map(|(template, entry)| Some((entry, template.match_uri(uri)?)))
    }
}

impl McpServer {
    /// Starts to put a server together. The name is what clients show, and the audience of its sealed states: the
    /// replicas of one service must bear the same.
    pub fn builder(name: impl Into<String>) -> McpServerBuilder {
        McpServerBuilder::new(name.into())
    }

    /// Tells listeners that the list of tools has changed. See [`McpServerBuilder::announce_tools`].
    pub fn notify_tools_changed(&self) {
        self.0.shared.subscriptions.publish(Change::Tools);
    }

    /// Tells listeners that the list of prompts has changed. See [`McpServerBuilder::announce_prompts`].
    pub fn notify_prompts_changed(&self) {
        self.0.shared.subscriptions.publish(Change::Prompts);
    }

    /// Tells listeners that the list of resources has changed. See [`McpServerBuilder::announce_resources`].
    pub fn notify_resources_changed(&self) {
        self.0.shared.subscriptions.publish(Change::Resources);
    }

    /// Tells those who listen to `uri` that it has changed. See [`McpServerBuilder::announce_resource_updates`].
    pub fn notify_resource_updated(&self, uri: impl Into<String>) {
        self.0.shared.subscriptions.publish(Change::Resource(uri.into()));
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("shared", &self.0.shared).finish_non_exhaustive()
    }
}

/// A server being put together. [`build`](Self::build) checks it.
#[must_use]
pub struct McpServerBuilder {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) tools: Vec<ToolHandler>,
    pub(crate) prompts: Vec<PromptHandler>,
    pub(crate) resources: Vec<ResourceHandler>,
    pub(crate) templates: Vec<TemplateHandler>,
    pub(crate) completer: Option<Completer>,
    pub(crate) states: StateMap,
    pub(crate) security: RequestStateSecurity,
    pub(crate) list_cache: CacheHint,
    pub(crate) page_size: usize,
    pub(crate) announces: Announces,
    pub(crate) max_subscriptions: usize,
    pub(crate) logs: bool,
}

impl McpServerBuilder {
    /// How many entries a page of a list holds, unless the server says otherwise.
    pub const DEFAULT_PAGE_SIZE: usize = 1000;

    fn new(name: String) -> Self {
        Self {
            info: Implementation::new(name, env!("CARGO_PKG_VERSION")),
            instructions: None,
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            completer: None,
            states: StateMap::new(),
            security: RequestStateSecurity::ephemeral(),
            list_cache: CacheHint::default(),
            page_size: Self::DEFAULT_PAGE_SIZE,
            announces: Announces::default(),
            max_subscriptions: Subscriptions::DEFAULT_LIMIT,
            logs: false,
        }
    }

    /// The server's version, for people. By default this crate's.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.info.version = version.into();
        self
    }

    /// The server's name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What the server is, for people.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.info.description = Some(description.into());
        self
    }

    /// Where to read more about the server.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.info.website_url = Some(url.into());
        self
    }

    /// Icons of the server.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.info.icons = Some(icons.into_iter().collect());
        self
    }

    /// How to use the server, for the model; it should not repeat what the tools say of themselves.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds a tool: a name and an async function over [parameters](Param). See [`tool`](fn@tool).
    pub fn tool<H, P, Fut>(self, name: impl Into<String>, handler: H) -> Self
    where
        H: Handler<P, Fut>,
        P: Param,
        Fut: Future + Send + 'static,
        Fut::Output: IntoToolResult,
    {
        self.add(tool(name, handler))
    }

    /// Adds a prompt: a name and an async function over [parameters](Param). See [`prompt`](fn@prompt).
    pub fn prompt<H, P, Fut>(self, name: impl Into<String>, handler: H) -> Self
    where
        H: Handler<P, Fut>,
        P: Param,
        Fut: Future + Send + 'static,
        Fut::Output: IntoPromptResult,
    {
        self.add(prompt(name, handler))
    }

    /// Adds a resource: a URI, a name and an async function over [parameters](Param). See [`resource`](fn@resource).
    pub fn resource<H, P, Fut>(self, uri: impl Into<String>, name: impl Into<String>, handler: H) -> Self
    where
        H: Handler<P, Fut>,
        P: Param,
        Fut: Future + Send + 'static,
        Fut::Output: IntoStaticResource,
    {
        self.add(resource(uri, name, handler))
    }

    /// Adds a resource template: an RFC 6570 URI template, a name and an async function over [parameters](Param).
    /// See [`template`](fn@template).
    pub fn template<H, P, Fut>(
        self,
        uri_template: impl Into<String>,
        name: impl Into<String>,
        handler: H,
    ) -> Self
    where
        H: Handler<P, Fut>,
        P: Param,
        Fut: Future + Send + 'static,
        Fut::Output: IntoResource,
    {
        self.add(template(uri_template, name, handler))
    }

    /// Adds a tool, prompt, resource or template that says more of itself than its name.
    #[expect(clippy::should_implement_trait, reason = "what is added to a server is no summand")]
    pub fn add(mut self, registration: impl Into<Registration>) -> Self {
        match registration.into() {
            Registration::Tool(tool) => self.tools.push(*tool),
            Registration::Prompt(prompt) => self.prompts.push(*prompt),
            Registration::Resource(resource) => self.resources.push(*resource),
            Registration::Template(template) => self.templates.push(*template),
        }
        self
    }

    /// Answers `completion/complete`: suggestions for the arguments of prompts and the variables of templates.
    pub fn completion<F, Fut>(mut self, complete: F) -> Self
    where
        F: Fn(Context, CompleteRequestParams) -> Fut + Send + Sync + 'static,
        Fut: Future + Send + 'static,
        Fut::Output: IntoCompletion,
    {
        self.completer = Some(Box::new(move |ctx, params| {
            let completed = complete(ctx, params);
            Box::pin(async move { completed.await.into_completion() })
        }));
        self
    }

    /// Gives the handlers and resolvers a value to take as `State<T>`. One of each type; a later one replaces it.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// How `requestState` is protected. By default it is sealed with a key of this process; a service of several
    /// processes, or one whose calls must survive a restart, needs [`RequestStateSecurity::keys`].
    pub fn request_state_security(mut self, security: RequestStateSecurity) -> Self {
        self.security = security;
        self
    }

    /// How long lists stay fresh, and for whom: `ttlMs` and `cacheScope` of the lists and of `server/discover`. By
    /// default they are stale at once and private.
    pub fn list_cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.list_cache = CacheHint { ttl, scope };
        self
    }

    /// How many entries a page of a list holds; 1,000 by default, at least 1.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = entries;
        self
    }

    /// Advertises that listeners hear of changes to the list of tools: `tools.listChanged`.
    pub fn announce_tools(mut self) -> Self {
        self.announces.tools = true;
        self
    }

    /// Advertises that listeners hear of changes to the list of prompts: `prompts.listChanged`.
    pub fn announce_prompts(mut self) -> Self {
        self.announces.prompts = true;
        self
    }

    /// Advertises that listeners hear of changes to the list of resources: `resources.listChanged`.
    pub fn announce_resources(mut self) -> Self {
        self.announces.resources = true;
        self
    }

    /// Advertises that listeners hear when a resource that they name changes: `resources.subscribe`.
    pub fn announce_resource_updates(mut self) -> Self {
        self.announces.resource_updates = true;
        self
    }

    /// How many `subscriptions/listen` streams may be open at once; 1,024 by default.
    pub fn max_subscriptions(mut self, streams: usize) -> Self {
        self.max_subscriptions = streams;
        self
    }

    /// Declares that the server sends log messages with [`Context::log`]: the `logging` capability, which the
    /// protocol deprecates in favour of standard error and OpenTelemetry.
    pub fn logging(mut self) -> Self {
        self.logs = true;
        self
    }

    /// Checks everything that can be checked before serving.
    ///
    /// # Errors
    ///
    /// All problems at once: resolvers in a circle or with twin keys, a missing state, a resolver that reads an
    /// argument that its handler does not take, names that are taken or not allowed, a template that does not parse
    /// or does not match its arguments, a declared form that is not flat, a handler that mixes both ways to ask, a
    /// policy for request states without an audience.
    pub fn build(self) -> Result<McpServer, BuildError> {
        checks::build(self)
    }
}

impl fmt::Debug for McpServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServerBuilder").field("info", &self.info).finish_non_exhaustive()
    }
}

/// What [`McpServerBuilder::add`] adds: made of a [`ToolHandler`], [`PromptHandler`], [`ResourceHandler`] or
/// [`TemplateHandler`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Registration {
    /// A tool.
    Tool(Box<ToolHandler>),
    /// A prompt.
    Prompt(Box<PromptHandler>),
    /// A resource.
    Resource(Box<ResourceHandler>),
    /// A resource template.
    Template(Box<TemplateHandler>),
}

macro_rules! registrations {
    ($($Kind:ident($Handler:ident))*) => {$(
        impl From<$Handler> for Registration {
            fn from(handler: $Handler) -> Self {
                Self::$Kind(Box::new(handler))
            }
        }
    )*};
}

registrations! {
    Tool(ToolHandler)
    Prompt(PromptHandler)
    Resource(ResourceHandler)
    Template(TemplateHandler)
}
