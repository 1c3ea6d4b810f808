//! One round of a call, as its parameters see it.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    sync::{Arc, OnceLock},
};

use roundtrip_protocol::uri_template::TemplateValue;
use roundtrip_types::McpError;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{context::Context, error::ToolError, param::Declined, plan::Plan, strings};

pub(crate) type AnyValue = Arc<dyn Any + Send + Sync>;
pub(crate) type StateMap = HashMap<TypeId, AnyValue>;

/// One round of a call at hand. What [`Param::take`](crate::Param) takes from.
pub struct Call<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) arguments: Arguments<'a>,
    pub(crate) states: &'a StateMap,
    pub(crate) context: Context,
    /// What each resolver of the plan came to, by its place there.
    pub(crate) settled: Vec<OnceLock<Settled<dyn Any + Send + Sync>>>,
}

/// What a resolver came to in this round.
#[derive(Debug)]
pub(crate) enum Settled<T: ?Sized> {
    Value(Arc<T>),
    Declined(Declined),
}

/// What the caller sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arguments<'a> {
    /// A tool's arguments, still as they came; absent counts as `{}`.
    Json(Option<&'a RawValue>),
    /// A prompt's arguments or a template's variables: strings by name.
    Strings(&'a [(String, TemplateValue)]),
}

impl Arguments<'_> {
    /// Reads the arguments as a `T`, or says which of them is wrong and how.
    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<T, ToolError> {
        match self {
            Self::Json(raw) => {
                let text = raw.map_or("{}", RawValue::get);
                // The first reading is the quick one; only when it fails is the path worth its cost.
                serde_json::from_str(text).or_else(|_| {
                    let mut json = serde_json::Deserializer::from_str(text);
                    serde_path_to_error::deserialize(&mut json).map_err(|error| {
                        let path = error.path().to_string();
                        ToolError::new(invalid(&path, &without_place(error.inner())))
                    })
                })
            }
            // No model reads along here, so what is wrong with the request is an error of the protocol.
            Self::Strings(pairs) => {
                serde_path_to_error::deserialize(strings::Pairs(pairs)).map_err(|error| {
                    let error = invalid(&error.path().to_string(), &error.inner().to_string());
                    McpError::invalid_params(error).into()
                })
            }
        }
    }
}

fn invalid(path: &str, why: &str) -> String {
    match path {
        "." => format!("invalid arguments: {why}"),
        path => format!("invalid argument `{path}`: {why}"),
    }
}

/// serde_json's message without "at line 1 column 9", which means nothing to who did not see the bytes.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Shows no arguments: they are not for logs.
impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("context", &self.context).finish_non_exhaustive()
    }
}

impl Call<'_> {
    pub(crate) fn state<T: Send + Sync + 'static>(&self) -> Arc<T> {
        let value = self.states.get(&TypeId::of::<T>()).expect("`build()` saw that the server holds it");
        Arc::clone(value).downcast().expect("states are kept by their type")
    }

    pub(crate) fn settled<T: Send + Sync + 'static>(&self) -> Settled<T> {
        let place = self.plan.nodes.iter().position(|node| node.id == TypeId::of::<T>());
        let place = place.expect("`declare` put every `Resolved` into the plan");
        match self.settled[place].get().expect("the plan runs a handler once all it needs is settled") {
            Settled::Value(value) => {
                Settled::Value(Arc::clone(value).downcast().expect("values are kept by their type"))
            }
            Settled::Declined(how) => Settled::Declined(*how),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Order {
        #[expect(dead_code, reason = "only its reading matters")]
        name: String,
        #[expect(dead_code, reason = "only its reading matters")]
        lines: Vec<Line>,
    }

    #[derive(Debug, Deserialize)]
    struct Line {
        #[expect(dead_code, reason = "only its reading matters")]
        count: u8,
    }

    fn message(json: &str) -> String {
        let raw = RawValue::from_string(json.to_owned()).unwrap();
        Arguments::Json(Some(&raw)).read::<Order>().unwrap_err().to_string()
    }

    #[test]
    fn a_wrong_argument_is_named() {
        assert_eq!(
            message(r#"{"name":"a","lines":[{"count":1},{"count":"x"}]}"#),
            "invalid argument `lines[1].count`: invalid type: string \"x\", expected u8"
        );
        assert_eq!(message(r#"{"name":"a"}"#), "invalid arguments: missing field `lines`");
        assert_eq!(
            Arguments::Json(None).read::<Order>().unwrap_err().to_string(),
            "invalid arguments: missing field `name`"
        );
    }
}
