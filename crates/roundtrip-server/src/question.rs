//! Questions for the client, and how an answer becomes a value.

use std::{borrow::Cow, fmt};

use roundtrip_protocol::canonical;
use roundtrip_types::{
    CreateMessageRequestParams, CreateMessageResult, ElicitAction, ElicitRequestFormParams,
    ElicitRequestParams, ElicitRequestUrlParams, ElicitResult, ElicitationSchema, InputRequest,
    ListRootsResult, RawJson, Root, SamplingMessage,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::{conversation, form::Form, param::Declined, progress::QuestionDigest};

/// A question for the client, and how its answer becomes a `T`.
///
/// Made by [`elicit`], [`elicit_url`], [`sample`], [`list_roots`] and their kin; on the wire it is an entry of
/// `inputRequests`.
pub struct Question<T> {
    pub(crate) request: InputRequest,
    pub(crate) read: Box<dyn Fn(&RawJson) -> Result<Reply<T>, Misfit> + Send + Sync>,
    /// The form that is asked, if it is one.
    form: Option<Form>,
}

/// An answer, read.
#[derive(Debug, PartialEq)]
pub(crate) enum Reply<T> {
    Value(T),
    Declined(Declined),
}

/// Why an answer does not fit its question. For the log of the server's author: it holds nothing that was answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misfit(pub(crate) String);

impl<T: 'static> Question<T> {
    fn new(
        request: InputRequest,
        read: impl Fn(&RawJson) -> Result<Reply<T>, Misfit> + Send + Sync + 'static,
    ) -> Self {
        Self { request, read: Box::new(read), form: None }
    }

    /// The question as it goes over the wire.
    #[must_use]
    pub fn request(&self) -> &InputRequest {
        &self.request
    }

    /// Turns the answer into something else.
    #[must_use]
    pub fn map<U>(self, f: impl Fn(T) -> U + Send + Sync + 'static) -> Question<U> {
        let Self { request, read, form } = self;
        Question {
            request,
            read: Box::new(move |answer| {
                Ok(match read(answer)? {
                    Reply::Value(value) => Reply::Value(f(value)),
                    Reply::Declined(how) => Reply::Declined(how),
                })
            }),
            form,
        }
    }

    /// What is wrong with the question itself, so that it must not be asked.
    pub(crate) fn flaw(&self) -> Option<Cow<'_, str>> {
        match &self.request {
            InputRequest::CreateMessage(params) => conversation::flaw(&params.messages).map(Cow::from),
            _ => self.form.as_ref()?.flaw().map(Cow::from),
        }
    }

    /// What tells this question from another: its kind, its words and its form.
    pub(crate) fn digest(&self) -> QuestionDigest {
        match (&self.request, &self.form) {
            (InputRequest::Elicit(ElicitRequestParams::Form(params)), Some(form)) => {
                QuestionDigest::of_form(&params.message, form.digest())
            }
            (request, _) => QuestionDigest::of(request),
        }
    }
}

impl<T> fmt::Debug for Question<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Question").field(&self.request).finish()
    }
}

/// Asks the person to fill in the form `T`: `elicitation/create` in form mode.
///
/// `T` is a flat struct of strings, numbers, booleans, enums of strings and lists of such enums; its doc comments
/// become the descriptions of the fields. An accepted answer is checked against the form before it becomes a `T`;
/// one that does not fit is asked for again.
///
/// Forms must not ask for secrets: passwords, keys and card numbers go through [`elicit_url`].
pub fn elicit<T: DeserializeOwned + JsonSchema + 'static>(message: impl Into<String>) -> Question<T> {
    elicit_form(message.into(), Form::of::<T>())
}

/// Asks the person to fill in a form given as a schema, for forms that are not known at compile time.
pub fn elicit_schema(message: impl Into<String>, schema: ElicitationSchema) -> Question<RawJson> {
    elicit_form(message.into(), schema.into())
}

fn elicit_form<T: DeserializeOwned + 'static>(message: String, form: Form) -> Question<T> {
    let params = ElicitRequestFormParams::new(message, form.schema().clone());
    let asked = form.clone();
    let read = move |answer: &RawJson| form_answer(&asked, answer);
    let question = Question::new(InputRequest::Elicit(ElicitRequestParams::Form(params)), read);
    Question { form: Some(form), ..question }
}

/// Asks the person to open `url`: `elicitation/create` in URL mode, for what must not pass through the client.
///
/// An accepted answer means that they agreed to open it, not that they finished there.
pub fn elicit_url(message: impl Into<String>, url: impl Into<String>) -> Question<Opened> {
    let params = ElicitRequestUrlParams::new(message, url);
    Question::new(InputRequest::Elicit(ElicitRequestParams::Url(params)), |answer| {
        Ok(match accepted(answer)? {
            Ok(_) => Reply::Value(Opened),
            Err(how) => Reply::Declined(how),
        })
    })
}

/// The person agreed to open the address of an [`elicit_url`] question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opened;

/// Asks the client's model to complete `prompt` in at most `max_tokens` tokens: `sampling/createMessage`.
pub fn sample(prompt: impl Into<String>, max_tokens: u64) -> Question<CreateMessageResult> {
    sample_with(CreateMessageRequestParams::new([SamplingMessage::user(prompt.into())], max_tokens))
}

/// As [`sample`], with everything that `sampling/createMessage` offers: a conversation, tools, preferences.
///
/// Tools are asked for only from a client that declared `sampling.tools`. In the conversation, a message of the
/// assistant that calls tools is followed by one of the user with the results and nothing else; a question where that
/// is not so is not asked, and fails the call.
pub fn sample_with(params: CreateMessageRequestParams) -> Question<CreateMessageResult> {
    Question::new(InputRequest::CreateMessage(params), |answer| read(answer).map(Reply::Value))
}

/// Asks the client for its roots: `roots/list`.
pub fn list_roots() -> Question<Vec<Root>> {
    Question::new(InputRequest::ListRoots, |answer| {
        read::<ListRootsResult>(answer).map(|result| Reply::Value(result.roots))
    })
}

fn read<T: DeserializeOwned>(answer: &RawJson) -> Result<T, Misfit> {
    // What serde has to say may quote the answer, so only its place is kept.
    answer.parse().map_err(|error: serde_json::Error| {
        Misfit(format!("it is of the wrong kind or shape (column {})", error.column()))
    })
}

/// What an elicitation was answered with. The action decides before the content is looked at.
fn accepted(answer: &RawJson) -> Result<Result<Option<RawJson>, Declined>, Misfit> {
    let ElicitResult { action, content, .. } = read(answer)?;
    match action {
        ElicitAction::Accept => Ok(Ok(content)),
        ElicitAction::Decline => Ok(Err(Declined::Decline)),
        ElicitAction::Cancel => Ok(Err(Declined::Cancel)),
        _ => Err(Misfit("its action is none of accept, decline, cancel".to_owned())),
    }
}

/// The answer to a form: the action first, then the content by the form as the client saw it, then by the type.
pub(crate) fn form_answer<T: DeserializeOwned>(form: &Form, answer: &RawJson) -> Result<Reply<T>, Misfit> {
    let content = match accepted(answer)? {
        // A form whose fields are all optional, or that has none, may be accepted as it is.
        Ok(content) => content.unwrap_or_else(|| json!({}).into()),
        Err(how) => return Ok(Reply::Declined(how)),
    };
    form.validate(&content).map_err(|error| Misfit(error.to_string()))?;
    // `3.0` is an integer to the form, and none to a Rust integer unless it is spelled `3`.
    read(&content).or_else(|misfit| read(&respelled(&content).ok_or(misfit)?)).map(Reply::Value)
}

/// The content in its canonical spelling, where each number without a fraction is written without one.
fn respelled(content: &RawJson) -> Option<RawJson> {
    let canonical = canonical::digest_input(content.get()).ok()?;
    serde_json::from_slice(&canonical).ok()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    struct Account {
        number: u64,
        share: f64,
    }

    fn read_account(content: &str) -> Result<Reply<Account>, Misfit> {
        let answer: RawJson =
            serde_json::from_str(&format!(r#"{{"action":"accept","content":{content}}}"#)).unwrap();
        form_answer(&Form::of::<Account>(), &answer)
    }

    #[test]
    fn an_integer_is_one_however_it_is_spelled() {
        for number in ["9007199254740993", "9007199254740993.0", "9.007199254740993e15"] {
            let content = format!(r#"{{"number":{number},"share":0.5}}"#);
            let want = Account { number: 9007199254740993, share: 0.5 };
            assert_eq!(read_account(&content), Ok(Reply::Value(want)), "{number}");
        }
    }

    #[test]
    fn a_number_that_the_type_cannot_hold_does_not_fit() {
        for number in ["-1", "1e300", "99999999999999999999"] {
            let content = format!(r#"{{"number":{number},"share":0.5}}"#);
            assert!(read_account(&content).is_err(), "{number}");
        }
    }
}
