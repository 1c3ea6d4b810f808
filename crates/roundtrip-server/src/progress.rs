//! How far a call has come: what `requestState` holds for a handler with resolvers, once opened.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use roundtrip_protocol::canonical;
use roundtrip_types::{InputRequest, InputResponses, RawJson};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The answers and computed values so far, by the keys of their resolvers.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Progress {
    /// The layout of this record. One of another layout is a record of nothing, so that all is asked again.
    v: u8,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    answers: BTreeMap<String, Recorded>,
    /// What was asked last round: the digest of each question.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    asked: BTreeMap<String, QuestionDigest>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    remembered: BTreeMap<String, RawJson>,
}

/// An answer, just as the client sent it, with the digest of the question that it answers.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Recorded {
    q: QuestionDigest,
    a: RawJson,
}

/// What tells one question from another: its kind, its words and its form.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct QuestionDigest(String);

const LAYOUT: u8 = 1;
/// 128 bits: whoever finds two questions of one digest can only have one of their own answers counted for the other.
const DIGEST_BYTES: usize = 16;

impl QuestionDigest {
    /// The digest of a form: as [`of`](Self::of), with the schema's own digest made beforehand.
    pub(crate) fn of_form(message: &str, schema: &[u8; 32]) -> Self {
        // The digest of the schema has a fixed length, so no message can pass for another with another schema.
        Self::shorten(Sha256::new().chain_update("form").chain_update(schema).chain_update(message))
    }

    pub(crate) fn of(request: &InputRequest) -> Self {
        let text = serde_json::to_string(request).expect("a request is plain JSON");
        // Canonical, so that replicas agree however their builds order the members of a schema.
        let bytes = canonical::digest_input(&text).unwrap_or_else(|_| text.into_bytes());
        Self::shorten(Sha256::new().chain_update(bytes))
    }

    fn shorten(hash: Sha256) -> Self {
        Self(BASE64_URL_SAFE_NO_PAD.encode(&hash.finalize()[..DIGEST_BYTES]))
    }
}

impl Progress {
    /// Opens last round's record, and takes in the answers to the questions asked there.
    ///
    /// An answer to a question that was not asked is ignored: without its digest there is nothing it could count for.
    pub(crate) fn open(state: Option<&str>, responses: Option<&InputResponses>) -> Self {
        let read = state.and_then(|state| serde_json::from_str::<Self>(state).ok());
        let mut progress = read.filter(|progress| progress.v == LAYOUT).unwrap_or_default();
        for (key, answer) in responses.into_iter().flatten() {
            if let Some(q) = progress.asked.get(key) {
                progress.answers.insert(key.clone(), Recorded { q: q.clone(), a: answer.clone() });
            }
        }
        progress
    }

    /// The recorded answer to exactly this question, or whether the client has another question under the key.
    pub(crate) fn answer(&self, key: &str, question: &QuestionDigest) -> Answered<'_> {
        match self.answers.get(key) {
            None => match self.asked.get(key) {
                Some(asked) if asked != question => Answered::ToAnotherQuestion,
                _ => Answered::No,
            },
            Some(recorded) if recorded.q == *question => Answered::Yes(&recorded.a),
            Some(_) => Answered::ToAnotherQuestion,
        }
    }

    pub(crate) fn remembered(&self, key: &str) -> Option<&RawJson> {
        self.remembered.get(key)
    }

    pub(crate) fn remember(&mut self, key: &str, value: RawJson) {
        self.remembered.insert(key.to_owned(), value);
    }

    /// The record for the next round, in which these questions are open.
    pub(crate) fn close<'a>(mut self, asked: impl Iterator<Item = (&'a str, QuestionDigest)>) -> String {
        self.v = LAYOUT;
        self.asked = asked.map(|(key, digest)| (key.to_owned(), digest)).collect();
        // What is asked again has no answer, whatever was recorded.
        self.answers.retain(|key, _| !self.asked.contains_key(key));
        serde_json::to_string(&self).expect("strings and raw JSON are plain JSON")
    }
}

/// See [`Progress::answer`].
pub(crate) enum Answered<'a> {
    Yes(&'a RawJson),
    /// What was asked, and perhaps answered, is not what is asked now.
    ToAnotherQuestion,
    No,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn responses(key: &str) -> InputResponses {
        [(key.to_owned(), RawJson::from(json!({ "action": "decline" })))].into_iter().collect()
    }

    fn digest(text: &str) -> QuestionDigest {
        QuestionDigest(text.to_owned())
    }

    #[test]
    fn an_answer_counts_for_the_question_that_was_asked() {
        let state = Progress::default().close([("a", digest("1"))].into_iter());
        let progress = Progress::open(Some(&state), Some(&responses("a")));
        assert!(matches!(progress.answer("a", &digest("1")), Answered::Yes(_)));
        assert!(matches!(progress.answer("a", &digest("2")), Answered::ToAnotherQuestion));
        assert!(matches!(progress.answer("b", &digest("1")), Answered::No));
    }

    #[test]
    fn an_answer_to_what_was_not_asked_is_ignored() {
        for state in [None, Some("not a record"), Some(r#"{"v":99,"asked":{"a":"1"}}"#)] {
            let progress = Progress::open(state, Some(&responses("a")));
            assert!(matches!(progress.answer("a", &digest("1")), Answered::No), "{state:?}");
        }
    }

    #[test]
    fn answers_are_kept_until_their_question_is_asked_again() {
        let state = Progress::default().close([("a", digest("1")), ("b", digest("2"))].into_iter());
        let state =
            Progress::open(Some(&state), Some(&responses("a"))).close([("b", digest("2"))].into_iter());
        let progress = Progress::open(Some(&state), None);
        assert!(matches!(progress.answer("a", &digest("1")), Answered::Yes(_)));
        let state = progress.close([("a", digest("1"))].into_iter());
        assert!(matches!(Progress::open(Some(&state), None).answer("a", &digest("1")), Answered::No));
    }

    #[test]
    fn what_was_computed_is_remembered() {
        let mut progress = Progress::default();
        progress.remember("quote", RawJson::from(json!(9007199254740993_u64)));
        let state = progress.close(std::iter::empty());
        assert_eq!(Progress::open(Some(&state), None).remembered("quote").unwrap().get(), "9007199254740993");
    }
}
