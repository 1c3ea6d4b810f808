//! Calls that may be asked something: `tools/call`, `prompts/get` and `resources/read`.

use std::{collections::BTreeMap, fmt, future::IntoFuture, marker::PhantomData, sync::Arc, time::Duration};

use roundtrip_types::{
    CallToolResult, GetPromptResult, LoggingLevel, LoggingMessageNotificationParams,
    ProgressNotificationParams, RawJson, ReadResourceResult,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    BoxFuture, Client, Error, PendingCall, Result, Round, RoundInfo,
    clock::bounded,
    pending::{Asked, Target},
    request::Options,
    rounds::Limits,
};

/// The results of the methods that may answer with questions first.
///
/// This trait is sealed: it is implemented for `CallToolResult`, `GetPromptResult` and `ReadResourceResult`.
pub trait Asking: DeserializeOwned + Send + 'static + sealed::Sealed {
    /// The JSON-RPC method that has this result.
    const METHOD: &'static str;
    /// Whether the request names a URI, not a name.
    #[doc(hidden)]
    const NAMES_URI: bool = false;
    /// Whether arguments may have to be mirrored into headers.
    #[doc(hidden)]
    const MIRRORS: bool = false;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for CallToolResult {}

impl Asking for CallToolResult {
    const METHOD: &'static str = "tools/call";
    const MIRRORS: bool = true;
}

impl sealed::Sealed for GetPromptResult {}

impl Asking for GetPromptResult {
    const METHOD: &'static str = "prompts/get";
}

impl sealed::Sealed for ReadResourceResult {}

impl Asking for ReadResourceResult {
    const METHOD: &'static str = "resources/read";
    const NAMES_URI: bool = true;
}

/// A call that is about to be made, or resumed.
///
/// `.await` makes it: it answers what the server asks with the functions that the client was built with, all
/// questions of a round at the same time, until the result is there. [`once`](Self::once) takes a single step and
/// leaves the answers to the caller. Dropping the future cancels everything below it: the request on its way, the
/// functions that are answering, the pause between two rounds.
///
/// ```
/// use std::time::Duration;
///
/// # async fn example(client: roundtrip_client::Client) -> roundtrip_client::Result<()> {
/// let result = client
///     .call_tool("provision", serde_json::json!({ "name": "orders" }))
///     .deadline(Duration::from_secs(120))
///     .on_round(|round| println!("round {}: {} questions", round.number(), round.questions().count()))
///     .await?;
/// # drop(result);
/// # Ok(())
/// # }
/// ```
#[must_use = "a call does nothing until it is awaited"]
pub struct Call<R> {
    client: Client,
    start: Result<(Target, Option<Asked>)>,
    deadline: Option<Duration>,
    limits: Limits,
    options: Options,
    result: PhantomData<fn() -> R>,
}

impl<R: Asking> Call<R> {
    pub(crate) fn new(client: &Client, target: Result<Target>) -> Self {
        Self::start(client, target.map(|target| (target, None)))
    }

    pub(crate) fn resume(client: &Client, pending: PendingCall<R>) -> Self {
        Self::start(client, Ok((pending.target, Some(pending.asked))))
    }

    fn start(client: &Client, start: Result<(Target, Option<Asked>)>) -> Self {
        Self {
            client: client.clone(),
            start,
            deadline: None,
            limits: Limits { rounds: client.inner.max_rounds, on_round: None },
            options: client.inner.options(),
            result: PhantomData,
        }
    }

    /// The time for all of it: every request, every answer, every pause. None by default.
    ///
    /// When it is over the call is cancelled and fails with a [timeout](Error::is_timeout).
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The time for each single request and its response, instead of the client's. `None` for no bound. The time that
    /// the answers take doesn't count.
    pub fn request_timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.options.timeout = timeout.into();
        self
    }

    /// Starts the time for a request anew whenever the server reports progress on it. The
    /// [`deadline`](Self::deadline) stays what it is.
    pub fn extend_on_progress(mut self) -> Self {
        self.options.extend = true;
        self
    }

    /// How many rounds the server may ask for before the call fails, instead of the client's number.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.limits.rounds = rounds;
        self
    }

    /// Shows each round to `see` when it comes in, before its questions are answered.
    pub fn on_round(mut self, see: impl Fn(RoundInfo<'_>) + Send + Sync + 'static) -> Self {
        self.limits.on_round = Some(Arc::new(see));
        self
    }

    /// Asks for progress and shows it to `see`: `notifications/progress`, of all requests of this call.
    ///
    /// Progress that doesn't grow and progress of anything else is left out. `see` should return soon; the call waits
    /// for it.
    pub fn on_progress(mut self, see: impl Fn(ProgressNotificationParams) + Send + Sync + 'static) -> Self {
        self.options.watch.progress = Some(Arc::new(see));
        self
    }

    /// Shows log messages of this call to `see`: `notifications/message`.
    ///
    /// A server sends them only for a level that was asked for: where neither the client nor the call has a
    /// [`log_level`](Self::log_level), this asks for `info`.
    pub fn on_log(mut self, see: impl Fn(LoggingMessageNotificationParams) + Send + Sync + 'static) -> Self {
        self.options.watch.log = Some(Arc::new(see));
        self.options.log_level.get_or_insert(LoggingLevel::Info);
        self
    }

    /// Asks for log messages of this level and above, instead of the client's level.
    pub fn log_level(mut self, level: LoggingLevel) -> Self {
        self.options.log_level = Some(level);
        self
    }

    /// Sends one more member of `_meta` with all requests of this call, such as `traceparent`.
    ///
    /// The call fails before anything is sent when the value can't be JSON, or the key is one that the client sets
    /// itself.
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        if let Err(error) = self.options.add_meta(key.into(), value) {
            self.start = Err(error);
        }
        self
    }

    /// Makes one request, by hand: the call is complete, or waits for answers as a [`PendingCall`].
    ///
    /// The functions that the client was built with are not called.
    ///
    /// # Errors
    ///
    /// As for the call itself. A resumed call with a question that has no answer yet fails with
    /// [`is_answer`](Error::is_answer), and nothing is sent.
    pub async fn once(self) -> Result<Round<R>> {
        let (target, asked) = self.start?;
        let inner = &self.client.inner;
        let step = inner.once(target, asked, &self.limits, &self.options);
        bounded(&*inner.clock, self.deadline, || "the call".to_owned(), step).await
    }
}

impl<R: Asking> IntoFuture for Call<R> {
    type Output = Result<R>;
    type IntoFuture = BoxFuture<'static, Result<R>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (target, asked) = self.start?;
            let inner = &self.client.inner;
            let drive = inner.drive(&target, asked, &self.limits, &self.options);
            bounded(&*inner.clock, self.deadline, || "the call".to_owned(), drive).await
        })
    }
}

impl<R> fmt::Debug for Call<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("name", &self.start.as_ref().map(|(target, _)| &target.name).ok())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// The arguments of a tool, as they are sent: an object, or nothing.
pub(crate) fn arguments(tool: &str, arguments: &impl Serialize) -> Result<Option<RawJson>> {
    let arguments = RawJson::from_serialize(arguments).map_err(|error| {
        Error::request_because(format!("the arguments of {tool:?} can't be written as JSON"), error)
    })?;
    if arguments.is_null() {
        return Ok(None);
    }
    if !arguments.is_object() {
        return Err(Error::request(format!("the arguments of {tool:?} have to be a JSON object or null")));
    }
    Ok(Some(arguments))
}

/// The arguments of a prompt, as they are sent: an object whose members are strings, or nothing.
pub(crate) fn object_of_strings(prompt: &str, arguments: &impl Serialize) -> Result<Option<RawJson>> {
    let arguments = self::arguments(prompt, arguments)?;
    if let Some(arguments) = &arguments {
        arguments.parse::<BTreeMap<String, String>>().map_err(|error| {
            Error::request_because(
                format!("the arguments of the prompt {prompt:?} have to be strings"),
                error,
            )
        })?;
    }
    Ok(arguments)
}
