//! What a request asks back for, and the answers.

use std::collections::{BTreeMap, btree_map};
use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

use crate::lenient::Text;
use crate::{
    CreateMessageRequestParams, ElicitRequestFormParams, ElicitRequestParams, ElicitRequestUrlParams, Meta,
    RawJson,
};

/// The result of a request that needs answers first: `InputRequiredResult`.
///
/// [`Outcome`](crate::Outcome) writes it with its `resultType`.
///
/// ```
/// use roundtrip_types::{ElicitRequestFormParams, InputRequiredResult};
///
/// let schema = serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}}});
/// let asks = InputRequiredResult::ask("where", ElicitRequestFormParams::new("Where?", schema))
///     .with_request_state("opaque");
/// assert!(!asks.asks_nothing());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InputRequiredResult {
    /// The questions, under keys that the server chose.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "input_requests")]
    pub input_requests: Option<BTreeMap<String, InputRequest>>,
    /// What the client has to send back as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
    /// More about the result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl InputRequiredResult {
    /// Asks one question.
    pub fn ask(key: impl Into<String>, request: impl Into<InputRequest>) -> Self {
        Self::default().and_ask(key, request)
    }

    /// Asks nothing: the client is to send the request again, with `state`.
    pub fn retry(state: impl Into<String>) -> Self {
        Self::default().with_request_state(state)
    }

    /// Asks one more question; a key that is taken gets the new question.
    #[must_use]
    pub fn and_ask(mut self, key: impl Into<String>, request: impl Into<InputRequest>) -> Self {
        self.input_requests.get_or_insert_default().insert(key.into(), request.into());
        self
    }

    setters! {
        with_input_requests => input_requests: BTreeMap<String, InputRequest>;
        with_request_state => request_state: String;
        with_meta => meta: Meta;
    }

    /// Whether it holds neither a question nor a state, which the protocol forbids.
    pub fn asks_nothing(&self) -> bool {
        self.request_state.is_none() && self.input_requests.as_ref().is_none_or(BTreeMap::is_empty)
    }
}

/// One question to the client: `InputRequest`.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "questions are few, and a box would stand in every match")]
#[non_exhaustive]
pub enum InputRequest {
    /// To its user: `elicitation/create`.
    Elicit(ElicitRequestParams),
    /// To its model: `sampling/createMessage`. Deprecated by the specification.
    CreateMessage(CreateMessageRequestParams),
    /// For its roots: `roots/list`. Deprecated by the specification.
    ListRoots,
}

impl InputRequest {
    /// The member `method`.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Elicit(_) => "elicitation/create",
            Self::CreateMessage(_) => "sampling/createMessage",
            Self::ListRoots => "roots/list",
        }
    }
}

impl From<ElicitRequestParams> for InputRequest {
    fn from(params: ElicitRequestParams) -> Self {
        Self::Elicit(params)
    }
}

impl From<ElicitRequestFormParams> for InputRequest {
    fn from(params: ElicitRequestFormParams) -> Self {
        Self::Elicit(ElicitRequestParams::Form(params))
    }
}

impl From<ElicitRequestUrlParams> for InputRequest {
    fn from(params: ElicitRequestUrlParams) -> Self {
        Self::Elicit(ElicitRequestParams::Url(params))
    }
}

impl From<CreateMessageRequestParams> for InputRequest {
    fn from(params: CreateMessageRequestParams) -> Self {
        Self::CreateMessage(params)
    }
}

impl Serialize for InputRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("InputRequest", 2)?;
        object.serialize_field("method", self.method())?;
        match self {
            Self::Elicit(params) => object.serialize_field("params", params)?,
            Self::CreateMessage(params) => object.serialize_field("params", params)?,
            Self::ListRoots => object.skip_field("params")?,
        }
        object.end()
    }
}

impl<'de> Deserialize<'de> for InputRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Wire {
            method: String,
            params: Option<RawJson>,
        }
        // The method may follow the params, so these wait as they are.
        let Wire { method, params } = Wire::deserialize(deserializer)?;
        let params = params.as_ref().ok_or_else(|| D::Error::missing_field("params"));
        match &*method {
            "elicitation/create" => params?.parse().map(Self::Elicit).map_err(D::Error::custom),
            "sampling/createMessage" => params?.parse().map(Self::CreateMessage).map_err(D::Error::custom),
            "roots/list" => Ok(Self::ListRoots),
            other => Err(D::Error::custom(format_args!("unknown method {other:?}"))),
        }
    }
}

/// Reads the questions one by one, so that an error names the question.
fn input_requests<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<BTreeMap<String, InputRequest>>, D::Error> {
    struct Questions;
    impl<'de> Visitor<'de> for Questions {
        type Value = BTreeMap<String, InputRequest>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of input requests")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut questions = BTreeMap::new();
            while let Some(Text(key)) = map.next_key()? {
                let request = map
                    .next_value()
                    .map_err(|error| A::Error::custom(format_args!("input request {key:?}: {error}")))?;
                questions.insert(key.into_owned(), request);
            }
            Ok(questions)
        }
    }

    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Map(#[serde(deserialize_with = "read")] BTreeMap<String, InputRequest>);

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, InputRequest>, D::Error> {
        deserializer.deserialize_map(Questions)
    }

    Ok(Option::<Map>::deserialize(deserializer)?.map(|map| map.0))
}

/// The answers to the questions of a round, under the keys of the questions: `InputResponses`.
///
/// An answer does not tell its kind; who asked under that key knows. So they stay raw.
///
/// ```
/// use roundtrip_types::{ElicitAction, ElicitResult, InputResponses};
///
/// let answers: InputResponses = serde_json::from_str(r#"{"login":{"action":"decline"}}"#)?;
/// let login: ElicitResult = answers.get("login").expect("it was answered").parse()?;
/// assert_eq!(login.action, ElicitAction::Decline);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputResponses(BTreeMap<String, RawJson>);

impl InputResponses {
    /// No answer.
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The answer under `key`.
    pub fn get(&self, key: &str) -> Option<&RawJson> {
        self.0.get(key)
    }

    /// Puts an answer under `key`; gives back the one it replaces.
    pub fn insert(&mut self, key: impl Into<String>, answer: impl Into<RawJson>) -> Option<RawJson> {
        self.0.insert(key.into(), answer.into())
    }

    /// As [`insert`](Self::insert), for chains.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, answer: impl Into<RawJson>) -> Self {
        self.insert(key, answer);
        self
    }

    /// Whether there is an answer under `key`.
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no answer.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The answers, ordered by key.
    pub fn iter(&self) -> btree_map::Iter<'_, String, RawJson> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a InputResponses {
    type Item = (&'a String, &'a RawJson);
    type IntoIter = btree_map::Iter<'a, String, RawJson>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl IntoIterator for InputResponses {
    type Item = (String, RawJson);
    type IntoIter = btree_map::IntoIter<String, RawJson>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Into<String>, V: Into<RawJson>> FromIterator<(K, V)> for InputResponses {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(answers: I) -> Self {
        Self(answers.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}
