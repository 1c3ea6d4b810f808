//! The client, and what it can ask of a server.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use roundtrip_types::{
    CallToolResult, ClientCapabilities, CompletionReference, DiscoverResult, GetPromptResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
    RawJson, ReadResourceResult, RequestId,
};
use serde::Serialize;

use crate::{
    Call, ClientBuilder, Clock, Completing, IntoTransport, Listing, PendingCall, Result, Transport,
    answer::Answers,
    call::{arguments, object_of_strings},
    pending::Target,
    request::Options,
    schemas::Schemas,
    watch::Watch,
};

/// A client of one server.
///
/// A clone is cheap and the same client: many calls may run at the same time, and share nothing but the connection.
/// There is no session and no background task; a client that isn't calling does nothing.
///
/// ```
/// use roundtrip_client::{Client, ElicitResult, IntoTransport};
/// use serde_json::json;
///
/// # async fn example<M>(server: impl IntoTransport<M>) -> roundtrip_client::Result<()> {
/// let client = Client::builder()
///     .on_elicitation(async |_question| ElicitResult::accept(json!({ "region": "eu-west-1" })))
///     .connect(server)
///     .await?;
/// let result = client.call_tool("provision", json!({ "name": "orders" })).await?;
/// # drop(result);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) transport: Box<dyn Transport>,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) answers: Answers,
    pub(crate) capabilities: ClientCapabilities,
    /// The capabilities as they go into each request.
    pub(crate) capabilities_json: RawJson,
    pub(crate) client_info: Option<RawJson>,
    pub(crate) log_level: Option<LoggingLevel>,
    pub(crate) request_timeout: Option<Duration>,
    pub(crate) max_rounds: u32,
    pub(crate) most_questions: usize,
    pub(crate) schemas: Schemas,
    pub(crate) discovered: Option<DiscoverResult>,
    /// The last id that was given away.
    pub(crate) last_id: AtomicI64,
}

impl Client {
    /// A client that is still to be told how it answers and what it is called.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Connects a client that answers nothing, with [`ClientBuilder::connect`].
    ///
    /// # Errors
    ///
    /// As [`ClientBuilder::connect`].
    pub async fn connect<Marker>(target: impl IntoTransport<Marker>) -> Result<Self> {
        Self::builder().connect(target).await
    }

    /// What the server said about itself when the client connected; `None` when it was connected
    /// [without asking](ClientBuilder::connect_without_discover).
    pub fn server(&self) -> Option<&DiscoverResult> {
        self.inner.discovered.as_ref()
    }

    /// The capabilities that this client declares with each request.
    pub fn capabilities(&self) -> &ClientCapabilities {
        &self.inner.capabilities
    }

    /// Asks the server what it speaks and can do: `server/discover`.
    ///
    /// # Errors
    ///
    /// Any that a request can have. [`server`](Self::server) keeps what it had.
    pub async fn discover(&self) -> Result<DiscoverResult> {
        self.inner.discover(&self.inner.options()).await
    }

    /// Lists the server's tools: `tools/list`.
    ///
    /// A tool whose `x-mcp-header` annotations are invalid, or whose schema is nested too deep to look for any, is left
    /// out, with a warning in the log. What the others want mirrored into headers is remembered for
    /// [`call_tool`](Self::call_tool), of up to 10,000 tools.
    pub fn list_tools(&self) -> Listing<ListToolsResult> {
        Listing::new(self)
    }

    /// Lists the server's prompts: `prompts/list`.
    pub fn list_prompts(&self) -> Listing<ListPromptsResult> {
        Listing::new(self)
    }

    /// Lists the server's resources: `resources/list`.
    pub fn list_resources(&self) -> Listing<ListResourcesResult> {
        Listing::new(self)
    }

    /// Lists the templates of the server's resources: `resources/templates/list`.
    pub fn list_resource_templates(&self) -> Listing<ListResourceTemplatesResult> {
        Listing::new(self)
    }

    /// Calls a tool: `tools/call`.
    ///
    /// `arguments` is anything that is written as a JSON object, or as null (`()`) where the tool takes none. Numbers
    /// that a `serde_json::Value` can't hold keep their digits in a `RawJson`. When the server misses arguments in the
    /// headers, the tools are listed again and the request is sent once more.
    pub fn call_tool(&self, name: impl Into<String>, arguments: impl Serialize) -> Call<CallToolResult> {
        let name = name.into();
        let arguments = self::arguments(&name, &arguments);
        Call::new(self, arguments.map(|arguments| Target { name, arguments }))
    }

    /// Gets a prompt: `prompts/get`.
    ///
    /// `arguments` is anything that is written as a JSON object of strings, or as null (`()`) where the prompt takes
    /// none.
    pub fn get_prompt(&self, name: impl Into<String>, arguments: impl Serialize) -> Call<GetPromptResult> {
        let name = name.into();
        let arguments = object_of_strings(&name, &arguments);
        Call::new(self, arguments.map(|arguments| Target { name, arguments }))
    }

    /// Reads a resource: `resources/read`.
    pub fn read_resource(&self, uri: impl Into<String>) -> Call<ReadResourceResult> {
        Call::new(self, Ok(Target { name: uri.into(), arguments: None }))
    }

    /// Goes on with a call that waited for answers. What is still unanswered is asked of the functions that the client
    /// was built with; [`Call::once`] wants all answers to be there.
    pub fn resume<R: crate::Asking>(&self, pending: PendingCall<R>) -> Call<R> {
        Call::resume(self, pending)
    }

    /// Asks how an argument of a prompt or a resource template could go on: `completion/complete`.
    pub fn complete(
        &self,
        reference: CompletionReference,
        argument: impl Into<String>,
        value: impl Into<String>,
    ) -> Completing {
        Completing::new(self, reference, argument.into(), value.into())
    }
}

impl Inner {
    /// An id that no other pending request has, and that isn't `not`.
    pub(crate) fn fresh_id(&self, not: Option<&RequestId>) -> RequestId {
        loop {
            let id = RequestId::Integer(self.last_id.fetch_add(1, Ordering::Relaxed) + 1);
            if not != Some(&id) {
                return id;
            }
        }
    }

    /// What a call wants as long as its caller says nothing else.
    pub(crate) fn options(&self) -> Options {
        Options {
            timeout: self.request_timeout,
            extend: false,
            log_level: self.log_level.clone(),
            meta: BTreeMap::new(),
            watch: Watch::default(),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("capabilities", &self.inner.capabilities)
            .field("server", &self.inner.discovered)
            .finish_non_exhaustive()
    }
}
