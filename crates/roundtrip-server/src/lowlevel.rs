//! The low-level server: protocol objects in, protocol objects out.
//!
//! Nothing is derived, validated or sealed here; the protocol's own rules hold all the same: results are tagged,
//! errors have their status, a question goes only to a client that declared to answer it. What is advertised
//! follows from the handlers that are there.
//!
//! ```
//! use roundtrip_server::{Context, Outcome, lowlevel::Server};
//! use roundtrip_types::{CallToolRequestParams, CallToolResult, McpError};
//!
//! async fn call_tool(_: Context, params: CallToolRequestParams) -> Result<Outcome<CallToolResult>, McpError> {
//!     Ok(CallToolResult::text(format!("{} was called", params.name)).into())
//! }
//!
//! let server = Server::builder("Bare").on_call_tool(call_tool).build()?;
//! # Ok::<(), roundtrip_server::BuildError>(())
//! ```

use std::{fmt, sync::Arc};

use bytes::Bytes;
use roundtrip_protocol::{
    inbound::{Inbound, Request},
    methods::Method,
};
use roundtrip_types::{
    CallToolRequestParams, CallToolResult, CompleteRequestParams, CompleteResult, DiscoverResult,
    GetPromptRequestParams, GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, McpError, Meta, Outcome, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResult, ServerCapabilities,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    checks::{Has, versions},
    context::Context,
    error::BuildError,
    exchange::{BoxFuture, Exchange, Outbox, Reply, Serve, sealed::Sealed},
    reply::{Identity, ResultType, ResultWriter, Shared, guarded, rendered, reply},
    rounds::Round,
    seal::RequestStateSecurity,
    subscriptions::{Announces, Change, Subscriptions},
};

/// A server of handlers for methods. A cheap clone. See the [module](self).
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    shared: Shared,
    discover: Bytes,
    handlers: Handlers,
}

/// A handler, its type forgotten.
type On<P, R> = Box<dyn Fn(Context, P) -> BoxFuture<'static, Result<R, McpError>> + Send + Sync>;

#[derive(Default)]
struct Handlers {
    list_tools: Option<On<PaginatedRequestParams, ListToolsResult>>,
    call_tool: Option<On<CallToolRequestParams, Outcome<CallToolResult>>>,
    list_prompts: Option<On<PaginatedRequestParams, ListPromptsResult>>,
    get_prompt: Option<On<GetPromptRequestParams, Outcome<GetPromptResult>>>,
    list_resources: Option<On<PaginatedRequestParams, ListResourcesResult>>,
    list_resource_templates: Option<On<PaginatedRequestParams, ListResourceTemplatesResult>>,
    read_resource: Option<On<ReadResourceRequestParams, Outcome<ReadResourceResult>>>,
    complete: Option<On<CompleteRequestParams, CompleteResult>>,
}

/// A low-level server being put together.
#[must_use]
pub struct ServerBuilder {
    info: Implementation,
    instructions: Option<String>,
    handlers: Handlers,
    security: Option<RequestStateSecurity>,
    announces: Announces,
    max_subscriptions: usize,
    logs: bool,
}

macro_rules! on {
    ($($(#[$doc:meta])* $on:ident $slot:ident($Params:ty) -> $Result:ty;)*) => {
        impl ServerBuilder {
            $(
                $(#[$doc])*
                pub fn $on<F, Fut, R>(mut self, handler: F) -> Self
                where
                    F: Fn(Context, $Params) -> Fut + Send + Sync + 'static,
                    Fut: Future<Output = Result<R, McpError>> + Send + 'static,
                    R: Into<$Result>,
                {
                    self.handlers.$slot = Some(Box::new(move |ctx, params| {
                        let handled = handler(ctx, params);
                        Box::pin(async move { handled.await.map(Into::into) })
                    }));
                    self
                }
            )*
        }
    };
}

on! {
    /// Answers `tools/list`.
    on_list_tools list_tools(PaginatedRequestParams) -> ListToolsResult;
    /// Answers `tools/call`, also for tools that are not listed. May return an [`Outcome`] that asks.
    on_call_tool call_tool(CallToolRequestParams) -> Outcome<CallToolResult>;
    /// Answers `prompts/list`.
    on_list_prompts list_prompts(PaginatedRequestParams) -> ListPromptsResult;
    /// Answers `prompts/get`. May return an [`Outcome`] that asks.
    on_get_prompt get_prompt(GetPromptRequestParams) -> Outcome<GetPromptResult>;
    /// Answers `resources/list`.
    on_list_resources list_resources(PaginatedRequestParams) -> ListResourcesResult;
    /// Answers `resources/templates/list`.
    on_list_resource_templates list_resource_templates(PaginatedRequestParams) -> ListResourceTemplatesResult;
    /// Answers `resources/read`. May return an [`Outcome`] that asks.
    on_read_resource read_resource(ReadResourceRequestParams) -> Outcome<ReadResourceResult>;
    /// Answers `completion/complete`.
    on_complete complete(CompleteRequestParams) -> CompleteResult;
}

impl ServerBuilder {
    /// The server's version, for people. By default this crate's.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.info.version = version.into();
        self
    }

    /// How to use the server, for the model.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Seals the `requestState` that handlers write, and opens what comes back, on all three methods that carry it.
    ///
    /// Without this line a state crosses the wire just as it was written, and what comes back is whatever the client
    /// sent.
    pub fn request_state_security(mut self, security: RequestStateSecurity) -> Self {
        self.security = Some(security);
        self
    }

    /// Advertises that listeners hear of changes to all that is listed, and of the resources that they name.
    pub fn announce_changes(mut self) -> Self {
        self.announces = Announces { tools: true, prompts: true, resources: true, resource_updates: true };
        self
    }

    /// How many `subscriptions/listen` streams may be open at once; 1,024 by default.
    pub fn max_subscriptions(mut self, streams: usize) -> Self {
        self.max_subscriptions = streams;
        self
    }

    /// Declares that the server sends log messages with [`Context::log`].
    pub fn logging(mut self) -> Self {
        self.logs = true;
        self
    }

    /// Makes the server.
    ///
    /// # Errors
    ///
    /// When the policy for request states has no audience, or is not valid in itself.
    pub fn build(self) -> Result<Server, BuildError> {
        let name = Some(&*self.info.name).filter(|name| !name.is_empty());
        let boundary = match self.security.map(|security| security.into_boundary(name)).transpose() {
            Ok(boundary) => boundary,
            Err(errors) => {
                return Err(BuildError(
                    errors.iter().map(|error| format!("request state security: {error}")).collect(),
                ));
            }
        };
        let identity = Identity::new(&self.info);
        let announces = self.announces.only_of(&self.handlers);
        let mut discover = DiscoverResult::new(versions(), self.handlers.capabilities(announces, self.logs));
        discover.instructions = self.instructions;
        let discover = rendered(&discover, &identity);
        let subscriptions = Subscriptions::new(announces, self.max_subscriptions);
        let shared = Shared { identity, boundary, subscriptions, logs: self.logs };
        Ok(Server(Arc::new(Inner { shared, discover, handlers: self.handlers })))
    }
}

impl Announces {
    /// Changes are announced only of what there is.
    fn only_of(self, handlers: &Handlers) -> Self {
        Self {
            tools: self.tools && handlers.list_tools.is_some(),
            prompts: self.prompts && handlers.list_prompts.is_some(),
            resources: self.resources && handlers.list_resources.is_some(),
            resource_updates: self.resource_updates && handlers.read_resource.is_some(),
        }
    }
}

impl Handlers {
    fn capabilities(&self, announces: Announces, logs: bool) -> ServerCapabilities {
        let has = Has {
            tools: self.list_tools.is_some() || self.call_tool.is_some(),
            prompts: self.list_prompts.is_some() || self.get_prompt.is_some(),
            resources: self.list_resources.is_some()
                || self.list_resource_templates.is_some()
                || self.read_resource.is_some(),
            completions: self.complete.is_some(),
            logs,
        };
        has.capabilities(announces)
    }
}

impl Server {
    /// Starts to put a server together.
    pub fn builder(name: impl Into<String>) -> ServerBuilder {
        ServerBuilder {
            info: Implementation::new(name, env!("CARGO_PKG_VERSION")),
            instructions: None,
            handlers: Handlers::default(),
            security: None,
            announces: Announces::default(),
            max_subscriptions: Subscriptions::DEFAULT_LIMIT,
            logs: false,
        }
    }

    /// Tells listeners that the list of tools has changed.
    pub fn notify_tools_changed(&self) {
        self.0.shared.subscriptions.publish(Change::Tools);
    }

    /// Tells listeners that the list of prompts has changed.
    pub fn notify_prompts_changed(&self) {
        self.0.shared.subscriptions.publish(Change::Prompts);
    }

    /// Tells listeners that the list of resources has changed.
    pub fn notify_resources_changed(&self) {
        self.0.shared.subscriptions.publish(Change::Resources);
    }

    /// Tells those who listen to `uri` that it has changed.
    pub fn notify_resource_updated(&self, uri: impl Into<String>) {
        self.0.shared.subscriptions.publish(Change::Resource(uri.into()));
    }
}

impl Sealed for Server {}

impl Serve for Server {
    async fn serve<'a>(&'a self, inbound: Inbound<'a>, exchange: Arc<Exchange>, outbox: Outbox) -> Reply {
        let Inbound::Request(request) = inbound else { return Reply::accepted() };
        let server = &*self.0;
        let mut to = ResultWriter::new(&request.id, &server.shared.identity);
        let answered = guarded(dispatch(server, &request, exchange, outbox, &mut to)).await;
        reply(&request.id, to, answered)
    }

    fn close_streams(&self) {
        self.0.shared.subscriptions.close();
    }
}

/// One line a method; what has no handler is an unknown method.
async fn dispatch(
    server: &Inner,
    request: &Request<'_>,
    exchange: Arc<Exchange>,
    outbox: Outbox,
    to: &mut ResultWriter<'_>,
) -> Result<(), McpError> {
    let Inner { shared, handlers: on, .. } = server;
    let call = Incoming { shared, request, exchange, outbox };
    match request.method {
        Method::ServerDiscover => to.rendered(&server.discover),
        Method::ToolsList => call.plain(on.list_tools.as_ref(), to, |result| result.meta.as_mut()).await?,
        Method::ToolsCall => call.round(on.call_tool.as_ref(), to, |result| result.meta.as_mut()).await?,
        Method::PromptsList => {
            call.plain(on.list_prompts.as_ref(), to, |result| result.meta.as_mut()).await?
        }
        Method::PromptsGet => call.round(on.get_prompt.as_ref(), to, |result| result.meta.as_mut()).await?,
        Method::ResourcesList => {
            call.plain(on.list_resources.as_ref(), to, |result| result.meta.as_mut()).await?
        }
        Method::ResourceTemplatesList => {
            call.plain(on.list_resource_templates.as_ref(), to, |result| result.meta.as_mut()).await?;
        }
        Method::ResourcesRead => {
            call.round(on.read_resource.as_ref(), to, |result| result.meta.as_mut()).await?
        }
        Method::CompletionComplete => {
            call.plain(on.complete.as_ref(), to, |result| result.meta.as_mut()).await?
        }
        Method::SubscriptionsListen => {
            let mut result = shared.subscriptions.listen(request, &call.outbox).await?;
            to.result(ResultType::Complete, &mut result, |result| result.meta.as_mut());
        }
        _ => return Err(McpError::method_not_found(request.method.as_str())),
    }
    Ok(())
}

/// A request on its way to a handler.
struct Incoming<'a> {
    shared: &'a Shared,
    request: &'a Request<'a>,
    exchange: Arc<Exchange>,
    outbox: Outbox,
}

impl Incoming<'_> {
    /// Calls a handler that can't ask.
    async fn plain<P: DeserializeOwned, R: Serialize>(
        self,
        on: Option<&On<P, R>>,
        to: &mut ResultWriter<'_>,
        meta: fn(&mut R) -> Option<&mut Meta>,
    ) -> Result<(), McpError> {
        let on = on.ok_or_else(|| McpError::method_not_found(self.request.method.as_str()))?;
        let params = self.request.params.decode()?;
        let context = Context::of(self.shared, self.request, self.exchange, self.outbox);
        let mut result = on(context, params).await?;
        to.result(ResultType::Complete, &mut result, meta);
        Ok(())
    }

    /// Calls a handler that may ask. Its params carry the state in plain text, where a policy opens it.
    async fn round<P: DeserializeOwned + Resumed, R: Serialize>(
        self,
        on: Option<&On<P, Outcome<R>>>,
        to: &mut ResultWriter<'_>,
        meta: fn(&mut R) -> Option<&mut Meta>,
    ) -> Result<(), McpError> {
        let on = on.ok_or_else(|| McpError::method_not_found(self.request.method.as_str()))?;
        let target = match self.request.method {
            Method::ResourcesRead => self.request.params.uri()?,
            _ => self.request.params.name()?,
        };
        let round = Round::open(self.shared, self.request, &target, self.exchange, self.outbox)?;
        let mut params: P = self.request.params.decode()?;
        params.resume(round.context.request_state());
        match on(round.context.clone(), params).await? {
            Outcome::Complete(mut result) => to.result(ResultType::Complete, &mut result, meta),
            Outcome::InputRequired(ask) => {
                let mut ask = round.ask(ask)?;
                to.result(ResultType::InputRequired, &mut ask, |ask| ask.meta.as_mut());
            }
        }
        Ok(())
    }
}

/// Params that carry a state from round to round.
trait Resumed {
    fn resume(&mut self, state: Option<&str>);
}

macro_rules! resumed {
    ($($Params:ty)*) => {$(
        impl Resumed for $Params {
            fn resume(&mut self, state: Option<&str>) {
                self.request_state = state.map(str::to_owned);
            }
        }
    )*};
}

resumed!(CallToolRequestParams GetPromptRequestParams ReadResourceRequestParams);

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("shared", &self.0.shared).finish_non_exhaustive()
    }
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerBuilder").field("info", &self.info).finish_non_exhaustive()
    }
}
