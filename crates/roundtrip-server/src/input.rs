//! Rounds by hand: asking, and reading the answers, without resolvers.

use std::{borrow::Cow, collections::BTreeMap};

use roundtrip_types::{InputRequest, InputRequiredResult, Outcome, RawJson};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    error::ToolError,
    form::Form,
    param::Declined,
    question::{Misfit, Question, Reply},
};

/// What a handler that drives its own rounds returns in order to ask: `InputRequiredResult` in the making.
///
/// ```
/// use roundtrip_server::{Args, Context, InputRequired, Outcome, ToolError, elicit};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
///
/// # #[derive(Deserialize, JsonSchema)]
/// # struct Provision { name: String }
/// #[derive(Deserialize, JsonSchema)]
/// struct Region {
///     region: String,
/// }
///
/// async fn provision(ctx: Context, Args(db): Args<Provision>) -> Result<Outcome<String>, ToolError> {
///     let Some(place) = ctx.answer::<Region>("region").accepted() else {
///         return InputRequired::ask("region", elicit::<Region>("Which region?")).into();
///     };
///     Ok(Outcome::Complete(format!("Provisioned {:?} in {}.", db.name, place.region)))
/// }
/// ```
///
/// Questions by hand pass the same check as a resolver's: one that the client did not declare to answer fails the
/// call instead of being sent.
#[derive(Debug, Default)]
#[must_use]
pub struct InputRequired {
    requests: BTreeMap<String, InputRequest>,
    state: Option<String>,
    flaw: Option<String>,
}

impl InputRequired {
    /// Asks one question, under a key by which the answer is found again.
    pub fn ask<T: 'static>(key: impl Into<String>, question: Question<T>) -> Self {
        Self::default().and_ask(key, question)
    }

    /// Asks nothing yet: the client is to come back with the state after a short while.
    pub fn later<S: Serialize>(state: &S) -> Result<Self, ToolError> {
        Self::default().state(state)
    }

    /// Asks another question in the same round.
    pub fn and_ask<T: 'static>(mut self, key: impl Into<String>, question: Question<T>) -> Self {
        self.flaw = self.flaw.or_else(|| question.flaw().map(Cow::into_owned));
        self.requests.insert(key.into(), question.request);
        self
    }

    /// What the next round reads with [`Context::state`](crate::Context::state), as JSON. The server seals it.
    ///
    /// # Errors
    ///
    /// When `state` cannot be written as JSON.
    pub fn state<S: Serialize>(mut self, state: &S) -> Result<Self, ToolError> {
        self.state = Some(serde_json::to_string(state)?);
        Ok(self)
    }

    /// What the next round reads with [`Context::request_state`](crate::Context::request_state), as it is.
    pub fn request_state(mut self, state: impl Into<String>) -> Self {
        self.state = Some(state.into());
        self
    }

    fn into_result(self) -> Result<InputRequiredResult, ToolError> {
        if let Some(flaw) = self.flaw {
            return Err(std::io::Error::other(flaw).into());
        }
        let mut result = InputRequiredResult::default();
        result.input_requests = (!self.requests.is_empty()).then_some(self.requests);
        result.request_state = self.state;
        Ok(result)
    }
}

impl<R> From<InputRequired> for Result<Outcome<R>, ToolError> {
    fn from(ask: InputRequired) -> Self {
        ask.into_result().map(Outcome::InputRequired)
    }
}

/// This round's answer to a form. See [`Context::answer`](crate::Context::answer).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer<T> {
    /// There is none, or none that fits the form: ask.
    Missing,
    /// The person filled in the form.
    Accepted(T),
    /// The person declined, or went away without a choice.
    Declined(Declined),
}

impl<T> Answer<T> {
    /// What the person filled in, if they did.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Missing | Self::Declined(_) => None,
        }
    }

    pub(crate) fn read(form: &Form, key: &str, answer: &RawJson) -> Self
    where
        T: DeserializeOwned,
    {
        match crate::question::form_answer(form, answer) {
            Ok(Reply::Value(value)) => Self::Accepted(value),
            Ok(Reply::Declined(how)) => Self::Declined(how),
            Err(Misfit(why)) => {
                tracing::info!(key, "the answer does not fit the form and counts as none: {why}");
                Self::Missing
            }
        }
    }
}
