//! What a client and a server can do.

use crate::{
    CreateMessageRequestParams, ElicitRequestParams, IncludeContext, InputRequest, JsonObject, RawJson,
};

open_object! {
    /// What a client can do, declared on each request: `ClientCapabilities`.
    ///
    /// ```
    /// use roundtrip_types::ClientCapabilities;
    ///
    /// let client: ClientCapabilities = serde_json::from_str(r#"{"elicitation":{}}"#)?;
    /// assert!(client.supports_form());
    /// assert!(!client.supports_url());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct ClientCapabilities {
        /// Capabilities outside of the specification.
        pub experimental: JsonObject = "experimental",
        /// The client can list its roots. Deprecated by the specification.
        pub roots: RootsCapability = "roots",
        /// The client can ask its model. Deprecated by the specification.
        pub sampling: SamplingCapability = "sampling",
        /// The client can ask its user.
        pub elicitation: ElicitationCapability = "elicitation",
        /// Extensions by id, each with its settings.
        pub extensions: JsonObject = "extensions",
    }
}

open_object! {
    /// The client can list its roots.
    pub struct RootsCapability {}
}

open_object! {
    /// The client can ask its model.
    pub struct SamplingCapability {
        /// It takes `tools` and `toolChoice`.
        pub tools: JsonObject = "tools",
        /// It takes an `includeContext` other than `none`.
        pub context: JsonObject = "context",
    }
}

open_object! {
    /// The client can ask its user: by form when empty or when it names `form`, by URL when it
    /// names `url`.
    pub struct ElicitationCapability {
        /// It shows forms.
        pub form: JsonObject = "form",
        /// It opens URLs.
        pub url: JsonObject = "url",
    }
}

impl ClientCapabilities {
    /// No capability at all.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        with_experimental => experimental: JsonObject;
        with_roots => roots: RootsCapability;
        with_sampling => sampling: SamplingCapability;
        with_elicitation => elicitation: ElicitationCapability;
        with_extensions => extensions: JsonObject;
    }

    /// Whether the client shows forms.
    pub fn supports_form(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
    }

    /// Whether the client opens URLs.
    pub fn supports_url(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|modes| modes.url.is_some())
    }

    /// Whether the client asks its model.
    pub fn supports_sampling(&self) -> bool {
        self.sampling.is_some()
    }

    /// Whether the client asks its model with tools.
    pub fn supports_sampling_tools(&self) -> bool {
        self.sampling.as_ref().is_some_and(|sampling| sampling.tools.is_some())
    }

    /// Whether the client asks its model with the context of servers.
    pub fn supports_sampling_context(&self) -> bool {
        self.sampling.as_ref().is_some_and(|sampling| sampling.context.is_some())
    }

    /// Whether the client lists its roots.
    pub fn supports_roots(&self) -> bool {
        self.roots.is_some()
    }

    /// The settings of the extension `id`, where the client declares it.
    pub fn extension(&self, id: &str) -> Option<&RawJson> {
        self.extensions.as_ref()?.raw(id)
    }

    /// The capabilities that `request` needs, unless these hold them all.
    ///
    /// ```
    /// use roundtrip_types::{ClientCapabilities, InputRequest};
    ///
    /// let missing = ClientCapabilities::new().missing(&InputRequest::ListRoots);
    /// assert_eq!(serde_json::to_string(&missing)?, r#"{"roots":{}}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn missing(&self, request: &InputRequest) -> Option<Self> {
        match request {
            InputRequest::Elicit(ElicitRequestParams::Form(_)) => {
                (!self.supports_form()).then(|| Self::new().with_elicitation(ElicitationCapability::form()))
            }
            InputRequest::Elicit(ElicitRequestParams::Url(_)) => {
                (!self.supports_url()).then(|| Self::new().with_elicitation(ElicitationCapability::url()))
            }
            InputRequest::CreateMessage(params) => self.missing_sampling(params),
            InputRequest::ListRoots => {
                (!self.supports_roots()).then(|| Self::new().with_roots(RootsCapability::default()))
            }
        }
    }

    fn missing_sampling(&self, params: &CreateMessageRequestParams) -> Option<Self> {
        let tools = params.tools.is_some() || params.tool_choice.is_some();
        let context = params.include_context.as_ref().is_some_and(|value| *value != IncludeContext::None);
        let covered = self.supports_sampling()
            && (!tools || self.supports_sampling_tools())
            && (!context || self.supports_sampling_context());
        (!covered).then(|| {
            let needed = SamplingCapability {
                tools: tools.then(JsonObject::new),
                context: context.then(JsonObject::new),
                ..SamplingCapability::default()
            };
            Self::new().with_sampling(needed)
        })
    }
}

impl SamplingCapability {
    setters! {
        with_tools => tools: JsonObject;
        with_context => context: JsonObject;
    }
}

impl ElicitationCapability {
    /// Forms and nothing else.
    pub fn form() -> Self {
        Self { form: Some(JsonObject::new()), ..Self::default() }
    }

    /// URLs and nothing else.
    pub fn url() -> Self {
        Self { url: Some(JsonObject::new()), ..Self::default() }
    }

    setters! {
        with_form => form: JsonObject;
        with_url => url: JsonObject;
    }
}

open_object! {
    /// What a server can do, told by `server/discover`: `ServerCapabilities`.
    pub struct ServerCapabilities {
        /// Capabilities outside of the specification.
        pub experimental: JsonObject = "experimental",
        /// The server sends log messages. Deprecated by the specification.
        pub logging: JsonObject = "logging",
        /// The server completes arguments.
        pub completions: JsonObject = "completions",
        /// The server has prompts.
        pub prompts: PromptsCapability = "prompts",
        /// The server has resources.
        pub resources: ResourcesCapability = "resources",
        /// The server has tools.
        pub tools: ToolsCapability = "tools",
        /// Extensions by id, each with its settings.
        pub extensions: JsonObject = "extensions",
    }
}

open_object! {
    /// The server has prompts.
    pub struct PromptsCapability {
        /// It tells when their list changes.
        pub list_changed: bool = "listChanged",
    }
}

open_object! {
    /// The server has resources.
    pub struct ResourcesCapability {
        /// It tells when a single resource changes.
        pub subscribe: bool = "subscribe",
        /// It tells when their list changes.
        pub list_changed: bool = "listChanged",
    }
}

open_object! {
    /// The server has tools.
    pub struct ToolsCapability {
        /// It tells when their list changes.
        pub list_changed: bool = "listChanged",
    }
}

impl ServerCapabilities {
    /// No capability at all.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        with_experimental => experimental: JsonObject;
        with_logging => logging: JsonObject;
        with_completions => completions: JsonObject;
        with_prompts => prompts: PromptsCapability;
        with_resources => resources: ResourcesCapability;
        with_tools => tools: ToolsCapability;
        with_extensions => extensions: JsonObject;
    }

    /// The settings of the extension `id`, where the server declares it.
    pub fn extension(&self, id: &str) -> Option<&RawJson> {
        self.extensions.as_ref()?.raw(id)
    }
}

impl PromptsCapability {
    value_setters! { with_list_changed => list_changed: bool; }
}

impl ResourcesCapability {
    value_setters! {
        with_subscribe => subscribe: bool;
        with_list_changed => list_changed: bool;
    }
}

impl ToolsCapability {
    value_setters! { with_list_changed => list_changed: bool; }
}
