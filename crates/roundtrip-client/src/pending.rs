//! Calls that wait for answers, to be kept and resumed by hand.

use std::{collections::BTreeMap, fmt, marker::PhantomData};

use roundtrip_types::{InputRequest, InputRequiredResult, RawJson, RequestId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::{Answer, Asking, Error, Result, error::AnswerFault, fit};

/// How one round by hand ended.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a call is complete or it isn't")]
pub enum Round<R> {
    /// The call is over, this is its result.
    Complete(R),
    /// The server wants the call again, with answers to its questions.
    InputRequired(PendingCall<R>),
}

/// A call that waits for answers: an `InputRequiredResult` and all that is needed to go on with the call.
///
/// It can be kept for as long as the server's state is valid, and serialised to be resumed in another process; give
/// it to [`Client::resume`](crate::Client::resume) then. The format has a version, and holds everything raw as text,
/// so that numbers keep their digits in any serde format. It contains the arguments, the answers and the server's
/// state: keep it where those may be kept. `Debug` doesn't show the state.
///
/// ```
/// use roundtrip_client::{CallToolResult, Client, ElicitResult, Round};
/// use serde_json::json;
///
/// # async fn example(client: Client) -> Result<(), Box<dyn std::error::Error>> {
/// let round = client.call_tool("provision", json!({ "name": "orders" })).once().await?;
/// let Round::InputRequired(pending) = round else { return Ok(()) };
/// let saved = serde_json::to_string(&pending)?;
///
/// // Another process, another day.
/// let pending: roundtrip_client::PendingCall<CallToolResult> = serde_json::from_str(&saved)?;
/// let pending = pending.answer("region", ElicitResult::accept(json!({ "region": "eu-west-1" })))?;
/// let round = client.resume(pending).once().await?;
/// # Ok(())
/// # }
/// ```
pub struct PendingCall<R> {
    pub(crate) target: Target,
    pub(crate) asked: Asked,
    result: PhantomData<fn() -> R>,
}

/// What a call is about, the same in all its legs.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The tool's or prompt's name, or the resource's URI.
    pub(crate) name: String,
    pub(crate) arguments: Option<RawJson>,
}

/// What the server asked in one round, and what is answered of it so far.
#[derive(Clone)]
pub(crate) struct Asked {
    /// The id of the request that the server answered with these questions; the retry must have another.
    pub(crate) id: RequestId,
    pub(crate) questions: BTreeMap<String, InputRequest>,
    pub(crate) state: Option<String>,
    pub(crate) answers: BTreeMap<String, RawJson>,
}

impl Asked {
    pub(crate) fn new(id: RequestId, result: InputRequiredResult) -> Self {
        let questions = result.input_requests.unwrap_or_default();
        Self { id, questions, state: result.request_state, answers: BTreeMap::new() }
    }

    /// The questions without an answer.
    pub(crate) fn open(&self) -> impl Iterator<Item = (&String, &InputRequest)> {
        self.questions.iter().filter(|(key, _)| !self.answers.contains_key(*key))
    }
}

impl<R> PendingCall<R> {
    pub(crate) fn new(target: Target, asked: Asked) -> Self {
        Self { target, asked, result: PhantomData }
    }

    /// The JSON-RPC method of the call, such as `tools/call`.
    pub fn method(&self) -> &'static str
    where
        R: Asking,
    {
        R::METHOD
    }

    /// The tool's or prompt's name, or the resource's URI.
    pub fn name(&self) -> &str {
        &self.target.name
    }

    /// The arguments that the call was made with, untouched.
    pub fn arguments(&self) -> Option<&RawJson> {
        self.target.arguments.as_ref()
    }

    /// All that the server asked in this round, by its keys. Empty when the server only wants the call again.
    pub fn questions(&self) -> &BTreeMap<String, InputRequest> {
        &self.asked.questions
    }

    /// How many bytes of state the server gave to be sent back; `None` when it gave none.
    pub fn state_len(&self) -> Option<usize> {
        self.asked.state.as_ref().map(String::len)
    }

    /// The keys of the questions that have no answer yet, in the order of the keys.
    pub fn unanswered(&self) -> impl Iterator<Item = &str> {
        self.asked.open().map(|(key, _)| key.as_str())
    }

    /// Answers one question. A second answer to the same question takes the place of the first.
    ///
    /// An accepted form is checked against the form that was asked. Nothing is filled in.
    ///
    /// # Errors
    ///
    /// [`is_answer`](Error::is_answer), naming the key: the server asked no such question, the answer is of another
    /// kind, or its content doesn't fit the form.
    pub fn answer(mut self, key: &str, answer: impl Into<Answer>) -> Result<Self> {
        let Some(question) = self.asked.questions.get(key) else {
            return Err(Error::answer(key, AnswerFault::Unknown));
        };
        let answer = fit::check(key, question, &answer.into())?;
        self.asked.answers.insert(key.to_owned(), answer);
        Ok(self)
    }
}

impl<R> Clone for PendingCall<R> {
    fn clone(&self) -> Self {
        Self::new(self.target.clone(), self.asked.clone())
    }
}

impl<R> fmt::Debug for PendingCall<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingCall")
            .field("name", &self.target.name)
            .field("questions", &self.asked.questions)
            .field("answered", &self.asked.answers.keys())
            .finish_non_exhaustive()
    }
}

/// The format of a serialised pending call. A change that an older reader would misread gets a new number.
const FORMAT: u32 = 1;

/// The serialised form. What is JSON is held as text, so that no serde format in between rounds a number.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Saved {
    format: u32,
    method: String,
    name: String,
    #[serde(default)]
    arguments: Option<String>,
    id: RequestId,
    questions: BTreeMap<String, String>,
    #[serde(default)]
    request_state: Option<String>,
    answers: BTreeMap<String, String>,
}

impl<R: Asking> Serialize for PendingCall<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let questions = self.asked.questions.iter().map(|(key, question)| {
            let question = serde_json::to_string(question).map_err(ser::Error::custom)?;
            Ok((key.clone(), question))
        });
        let saved = Saved {
            format: FORMAT,
            method: R::METHOD.to_owned(),
            name: self.target.name.clone(),
            arguments: self.target.arguments.as_ref().map(|arguments| arguments.get().to_owned()),
            id: self.asked.id.clone(),
            questions: questions.collect::<Result<_, S::Error>>()?,
            request_state: self.asked.state.clone(),
            answers: self
                .asked
                .answers
                .iter()
                .map(|(key, answer)| (key.clone(), answer.get().to_owned()))
                .collect(),
        };
        saved.serialize(serializer)
    }
}

impl<'de, R: Asking> Deserialize<'de> for PendingCall<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Saved::deserialize(deserializer)?;
        if saved.format != FORMAT {
            return Err(de::Error::custom(format_args!(
                "the pending call has format {}, this version reads format {FORMAT}",
                saved.format
            )));
        }
        if saved.method != R::METHOD {
            return Err(de::Error::custom(format_args!(
                "the pending call is a `{}` and can't be read as a `{}`",
                saved.method,
                R::METHOD
            )));
        }
        let target =
            Target { name: saved.name, arguments: saved.arguments.map(|text| json(&text)).transpose()? };
        let asked = Asked {
            id: saved.id,
            questions: each(saved.questions)?,
            state: saved.request_state,
            answers: each(saved.answers)?,
        };
        if let Some(key) = asked.answers.keys().find(|key| !asked.questions.contains_key(*key)) {
            return Err(de::Error::custom(format_args!(
                "the pending call answers {key:?}, which was not asked"
            )));
        }
        Ok(Self::new(target, asked))
    }
}

fn each<T: de::DeserializeOwned, E: de::Error>(
    texts: BTreeMap<String, String>,
) -> Result<BTreeMap<String, T>, E> {
    texts.into_iter().map(|(key, text)| Ok((key, json(&text)?))).collect()
}

fn json<T: de::DeserializeOwned, E: de::Error>(text: &str) -> Result<T, E> {
    serde_json::from_str(text).map_err(E::custom)
}
