//! How a client is made.

use std::{fmt, future::Future, sync::atomic::AtomicI64, time::Duration};

use roundtrip_types::{
    ClientCapabilities, CreateMessageRequestParams, CreateMessageResult, ElicitRequestFormParams,
    ElicitRequestParams, ElicitRequestUrlParams, ElicitResult, Implementation, ListRootsResult, LoggingLevel,
    RawJson, Root, SamplingCapability,
};

use std::sync::Arc;

use crate::{
    Client, Clock, Error, IntoAnswer, IntoTransport, Result, TokioClock,
    answer::{Answers, erase},
    client::Inner,
    schemas::Schemas,
};

/// Tells a client how it answers, what it is called and where its limits are, and connects it.
///
/// The capabilities follow the answers: a kind of question that has no function to answer it, and isn't
/// [answered by hand](Self::by_hand), is not declared, so that no server asks it.
pub struct ClientBuilder {
    answers: Answers,
    capabilities: ClientCapabilities,
    client_info: Option<Implementation>,
    log_level: Option<LoggingLevel>,
    request_timeout: Option<Duration>,
    max_rounds: u32,
    most_questions: usize,
    clock: Box<dyn Clock>,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            answers: Answers::default(),
            capabilities: ClientCapabilities::default(),
            client_info: Some(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))),
            log_level: None,
            request_timeout: Some(Duration::from_secs(300)),
            max_rounds: 10,
            most_questions: 100,
            clock: Box::new(TokioClock),
        }
    }
}

impl ClientBuilder {
    /// Answers `elicitation/create`, forms and URLs alike. See [`on_form`](Self::on_form) and [`on_url`](Self::on_url)
    /// for a client that can only do one of them.
    ///
    /// The function runs once for each question, for all questions of a round at the same time. What it accepts is
    /// checked against the form before it is sent; nothing is filled in. An `Err`, or a panic, cancels the other
    /// questions of the round and fails the call; the server gets no answer.
    ///
    /// ```
    /// use roundtrip_client::{Client, ElicitRequestParams, ElicitResult};
    /// use serde_json::json;
    ///
    /// let builder = Client::builder().on_elicitation(async |question| match question {
    ///     ElicitRequestParams::Form(form) if form.message.contains("region") => {
    ///         ElicitResult::accept(json!({ "region": "eu-west-1" }))
    ///     }
    ///     _ => ElicitResult::decline(),
    /// });
    /// # drop(builder);
    /// ```
    ///
    /// A function that needs something of its own gives each answer a clone of it:
    ///
    /// ```
    /// # use roundtrip_client::{Client, ElicitResult};
    /// # use serde_json::json;
    /// let home = std::sync::Arc::new("eu-west-1".to_owned());
    /// let builder = Client::builder().on_form(move |_form| {
    ///     let home = home.clone();
    ///     async move { ElicitResult::accept(json!({ "region": *home })) }
    /// });
    /// # drop(builder);
    /// ```
    #[must_use]
    pub fn on_elicitation<F, Fut>(self, answer: F) -> Self
    where
        F: Fn(ElicitRequestParams) -> Fut + Send + Sync + 'static,
        Fut: Future<Output: IntoAnswer<ElicitResult>> + Send + 'static,
    {
        let answer = Arc::new(answer);
        let for_urls = answer.clone();
        self.on_form(move |form| answer(ElicitRequestParams::Form(form)))
            .on_url(move |url| for_urls(ElicitRequestParams::Url(url)))
    }

    /// Answers `elicitation/create` in form mode.
    #[must_use]
    pub fn on_form<F, Fut>(mut self, answer: F) -> Self
    where
        F: Fn(ElicitRequestFormParams) -> Fut + Send + Sync + 'static,
        Fut: Future<Output: IntoAnswer<ElicitResult>> + Send + 'static,
    {
        self.answers.form = Some(erase(answer));
        self
    }

    /// Answers `elicitation/create` in URL mode. To accept is to agree to open the URL; there is no content.
    #[must_use]
    pub fn on_url<F, Fut>(mut self, answer: F) -> Self
    where
        F: Fn(ElicitRequestUrlParams) -> Fut + Send + Sync + 'static,
        Fut: Future<Output: IntoAnswer<ElicitResult>> + Send + 'static,
    {
        self.answers.url = Some(erase(answer));
        self
    }

    /// Answers `sampling/createMessage`, without tools. Deprecated by the specification.
    #[must_use]
    pub fn on_sampling<F, Fut>(self, answer: F) -> Self
    where
        F: Fn(CreateMessageRequestParams) -> Fut + Send + Sync + 'static,
        Fut: Future<Output: IntoAnswer<CreateMessageResult>> + Send + 'static,
    {
        self.on_sampling_with(SamplingCapability::default(), answer)
    }

    /// Answers `sampling/createMessage`, and declares what it can do beyond plain messages: tools, or context.
    #[must_use]
    pub fn on_sampling_with<F, Fut>(mut self, capability: SamplingCapability, answer: F) -> Self
    where
        F: Fn(CreateMessageRequestParams) -> Fut + Send + Sync + 'static,
        Fut: Future<Output: IntoAnswer<CreateMessageResult>> + Send + 'static,
    {
        self.answers.sampling = Some((capability, erase(answer)));
        self
    }

    /// Answers `roots/list`. Each root has to be a `file://` URI. Deprecated by the specification.
    #[must_use]
    pub fn on_roots<F, Fut>(mut self, answer: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output: IntoAnswer<ListRootsResult>> + Send + 'static,
    {
        self.answers.roots = Some(erase(move |()| answer()));
        self
    }

    /// Answers `roots/list` with these roots, always.
    #[must_use]
    pub fn roots(self, roots: impl IntoIterator<Item = Root>) -> Self {
        let roots: Vec<Root> = roots.into_iter().collect();
        self.on_roots(move || std::future::ready(roots.clone()))
    }

    /// Declares questions that no function answers, because the caller does, with [`Call::once`](crate::Call::once).
    /// Also the place to declare extensions and experimental capabilities.
    ///
    /// ```
    /// use roundtrip_client::{Client, ClientCapabilities, ElicitationCapability};
    ///
    /// let forms = ClientCapabilities::new().with_elicitation(ElicitationCapability::form());
    /// let builder = Client::builder().by_hand(forms);
    /// # drop(builder);
    /// ```
    #[must_use]
    pub fn by_hand(mut self, capabilities: ClientCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// What the client calls itself (`clientInfo`): this crate's name and version by default, nothing for `None`.
    #[must_use]
    pub fn client_info(mut self, info: impl Into<Option<Implementation>>) -> Self {
        self.client_info = info.into();
        self
    }

    /// Asks for log messages of this level and above with each request. None by default, and then servers send none.
    /// Deprecated by the specification.
    #[must_use]
    pub fn log_level(mut self, level: LoggingLevel) -> Self {
        self.log_level = Some(level);
        self
    }

    /// How many rounds a server may ask for in one call before the call fails: 10 by default. Each round is one more
    /// request, and may hold any number of questions up to [`max_questions`](Self::max_questions).
    #[must_use]
    pub fn input_required_max_rounds(mut self, rounds: u32) -> Self {
        self.max_rounds = rounds;
        self
    }

    /// How many questions a server may ask in one round before the call fails: 100 by default.
    #[must_use]
    pub fn max_questions(mut self, questions: usize) -> Self {
        self.most_questions = questions;
        self
    }

    /// The time for each request and its response: 300 seconds by default, `None` for no bound. The time that answers
    /// take doesn't count.
    #[must_use]
    pub fn request_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.request_timeout = timeout.into();
        self
    }

    /// Where the client gets its time from: tokio by default.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Connects to a server and asks it, with `server/discover`, who it is and whether it speaks this client's version
    /// of the protocol.
    ///
    /// # Errors
    ///
    /// [`is_unsupported_version`](Error::is_unsupported_version) when the two have no version in common, and any error
    /// that a request can have.
    pub async fn connect<Marker>(self, target: impl IntoTransport<Marker>) -> Result<Client> {
        let mut inner = self.inner(target)?;
        let discovered = inner.probe(&inner.options()).await?;
        inner.discovered = Some(discovered);
        Ok(Client { inner: Arc::new(inner) })
    }

    /// Makes a client without sending anything: the first request is the caller's.
    ///
    /// # Errors
    ///
    /// When there is no transport to `target`.
    pub fn connect_without_discover<Marker>(self, target: impl IntoTransport<Marker>) -> Result<Client> {
        Ok(Client { inner: Arc::new(self.inner(target)?) })
    }

    fn inner<Marker>(self, target: impl IntoTransport<Marker>) -> Result<Inner> {
        let mut capabilities = self.capabilities;
        self.answers.declare(&mut capabilities);
        let json = |error| Error::request_because("what the client declares can't be written as JSON", error);
        let capabilities_json = RawJson::from_serialize(&capabilities).map_err(json)?;
        let client_info = self.client_info.as_ref().map(RawJson::from_serialize).transpose().map_err(json)?;
        Ok(Inner {
            transport: Box::new(target.into_transport()?),
            clock: self.clock,
            answers: self.answers,
            capabilities,
            capabilities_json,
            client_info,
            log_level: self.log_level,
            request_timeout: self.request_timeout,
            max_rounds: self.max_rounds,
            most_questions: self.most_questions,
            schemas: Schemas::default(),
            discovered: None,
            last_id: AtomicI64::new(0),
        })
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut declared = self.capabilities.clone();
        self.answers.declare(&mut declared);
        f.debug_struct("ClientBuilder")
            .field("capabilities", &declared)
            .field("max_rounds", &self.max_rounds)
            .finish_non_exhaustive()
    }
}
