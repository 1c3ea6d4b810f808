//! Results and the member `resultType`, which alone tells what a result is.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{CallToolResult, GetPromptResult, InputRequiredResult, ReadResourceResult};

/// What a request that may ask back ends with: `resultType` `"complete"` or `"input_required"`.
///
/// It can be written when `R` writes a struct or a map, as each result of the specification does.
///
/// ```
/// use roundtrip_types::{CallToolResult, InputRequiredResult, Outcome};
///
/// let json = r#"{"content":[],"requestState":"s","resultType":"input_required"}"#;
/// let Outcome::InputRequired(asks) = Outcome::<CallToolResult>::from_json(json)? else { panic!() };
/// assert_eq!(asks.request_state.as_deref(), Some("s"));
/// # Ok::<(), roundtrip_types::ResultError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the core knows two result types; callers should match both")]
pub enum Outcome<R> {
    /// The request is done.
    Complete(R),
    /// The request needs answers, and is to be sent again with them.
    InputRequired(InputRequiredResult),
}

impl<R> Outcome<R> {
    /// The result, where the request is done.
    pub fn complete(self) -> Option<R> {
        match self {
            Self::Complete(result) => Some(result),
            Self::InputRequired(_) => None,
        }
    }

    /// What the request needs, where it is not done.
    pub fn input_required(self) -> Option<InputRequiredResult> {
        match self {
            Self::Complete(_) => None,
            Self::InputRequired(result) => Some(result),
        }
    }

    /// Changes the complete result.
    pub fn map<T>(self, change: impl FnOnce(R) -> T) -> Outcome<T> {
        match self {
            Self::Complete(result) => Outcome::Complete(change(result)),
            Self::InputRequired(result) => Outcome::InputRequired(result),
        }
    }
}

impl<R: DeserializeOwned> Outcome<R> {
    /// Reads a result as what its `resultType` says, whatever else it holds. No `resultType` means
    /// complete.
    ///
    /// # Errors
    /// When `resultType` is anything else than the two strings, when nothing is asked for, and
    /// when the members do not fit.
    pub fn from_json(json: &str) -> Result<Self, ResultError> {
        match result_type(json)?.as_deref() {
            None | Some("complete") => {
                serde_json::from_str(json).map(Self::Complete).map_err(ResultError::Malformed)
            }
            Some("input_required") => {
                let result: InputRequiredResult =
                    serde_json::from_str(json).map_err(ResultError::Malformed)?;
                if result.asks_nothing() {
                    return Err(ResultError::AsksNothing);
                }
                Ok(Self::InputRequired(result))
            }
            Some(other) => Err(ResultError::UnknownType(other.to_owned())),
        }
    }
}

/// Reads only the member `resultType` of a result; nothing when there is none.
///
/// # Errors
/// When the result is no object, or `resultType` is no string.
pub fn result_type(json: &str) -> Result<Option<Cow<'_, str>>, ResultError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Peek<'a> {
        #[serde(default, borrow, deserialize_with = "crate::lenient::present")]
        result_type: Option<&'a RawValue>,
    }
    let peek: Peek<'_> = serde_json::from_str(json).map_err(ResultError::Malformed)?;
    let Some(raw) = peek.result_type else { return Ok(None) };
    match serde_json::from_str::<crate::lenient::Text<'_>>(raw.get()) {
        Ok(text) => Ok(Some(text.0)),
        Err(_) => Err(ResultError::UnknownType(raw.get().to_owned())),
    }
}

/// Why a result is invalid.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResultError {
    /// Its `resultType` is none that is known: the string, or the JSON of what is no string.
    UnknownType(String),
    /// It says that input is required, but asks for none and holds no state.
    AsksNothing,
    /// Its members do not fit.
    Malformed(serde_json::Error),
}

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType(kind) => {
                // A peer chose the text, and it may be long.
                let shown: String = kind.chars().take(64).collect();
                write!(f, "the result has the unknown resultType {shown:?}")
            }
            Self::AsksNothing => {
                f.write_str("the result requires input but holds neither inputRequests nor requestState")
            }
            Self::Malformed(_) => f.write_str("the members of the result do not fit"),
        }
    }
}

impl std::error::Error for ResultError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Malformed(error) => Some(error),
            Self::UnknownType(_) | Self::AsksNothing => None,
        }
    }
}

impl<R> From<R> for Outcome<R> {
    fn from(result: R) -> Self {
        Self::Complete(result)
    }
}

// A blanket impl would overlap with the one above, so each result that may ask back has its own.
macro_rules! may_ask_back {
    ($($result:ty),+) => {
        $(
            impl From<InputRequiredResult> for Outcome<$result> {
                fn from(result: InputRequiredResult) -> Self {
                    Self::InputRequired(result)
                }
            }
        )+
    };
}

may_ask_back!(CallToolResult, GetPromptResult, ReadResourceResult);

impl<R: Serialize> Serialize for Outcome<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Complete(result) => Complete(result).serialize(serializer),
            Self::InputRequired(result) => {
                Tagged { result_type: "input_required", result }.serialize(serializer)
            }
        }
    }
}

/// Writes a result that is complete, with its `resultType`, without owning it.
///
/// ```
/// use roundtrip_types::{Complete, ListRootsResult, ListToolsResult};
///
/// let json = serde_json::to_string(&Complete(&ListToolsResult::new([])))?;
/// assert_eq!(json, r#"{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a wrapper and nothing else")]
pub struct Complete<'a, R>(pub &'a R);

impl<R: Serialize> Serialize for Complete<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Tagged { result_type: "complete", result: self.0 }.serialize(serializer)
    }
}

// Flattening buffers when it reads; when it writes, it hands the members straight on.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tagged<'a, R> {
    result_type: &'static str,
    #[serde(flatten)]
    result: &'a R,
}
