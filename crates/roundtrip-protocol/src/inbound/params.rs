//! The params of a request: every member that the protocol knows, found in one pass and left raw.

use std::borrow::Cow;

use roundtrip_types::McpError;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    found::{Found, Member},
    message::{Parts, params_of},
};
use crate::text;

/// The params of a request, borrowed from its body.
///
/// A member is `None` when it is absent or, for `arguments`, `inputResponses`, `requestState`, `cursor` and `context`,
/// `null`. The fields hold raw JSON of any kind; the methods of the same name check the kind, and answer with an
/// `-32602` that names the member.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Params<'a> {
    /// The whole message, in which the params stand.
    message: &'a str,
    /// `name`: of the tool or prompt.
    pub name: Option<&'a RawValue>,
    /// `uri`: of the resource.
    pub uri: Option<&'a RawValue>,
    /// `arguments`: of the tool or prompt.
    pub arguments: Option<&'a RawValue>,
    /// `inputResponses`: the answers to the questions of an `InputRequiredResult`.
    pub input_responses: Option<&'a RawValue>,
    /// `requestState`: what the server sent with those questions.
    pub request_state: Option<&'a RawValue>,
    /// `cursor`: where a list goes on.
    pub cursor: Option<&'a RawValue>,
    /// `ref`: what `completion/complete` completes for.
    pub reference: Option<&'a RawValue>,
    /// `argument`: what `completion/complete` completes.
    pub argument: Option<&'a RawValue>,
    /// `context`: what `completion/complete` may know besides.
    pub context: Option<&'a RawValue>,
    /// `notifications`: the filter of `subscriptions/listen`.
    pub notifications: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    /// Takes the params of a message, and their `_meta`.
    pub(crate) fn of(message: &'a str, parts: &Parts<'a>) -> Result<(Self, Option<&'a RawValue>), McpError> {
        let found = match parts {
            Parts::Found(found) => found,
            Parts::Unread(raw) if text::is_object(raw) => {
                return Err(McpError::invalid_params("params has a member whose name is not valid text"));
            }
            Parts::Unread(_) => return Err(McpError::invalid_params("params must be an object")),
        };
        if let Some(name) = found.twice {
            return Err(McpError::invalid_params(format!("params.{name} is there twice")));
        }
        Ok((Self::from_found(message, found), found.get(Member::Meta)))
    }

    fn from_found(message: &'a str, found: &Found<'a>) -> Self {
        Self {
            message,
            name: found.get(Member::Name),
            uri: found.get(Member::Uri),
            arguments: text::present(found.get(Member::Arguments)),
            input_responses: text::present(found.get(Member::InputResponses)),
            request_state: text::present(found.get(Member::RequestState)),
            cursor: text::present(found.get(Member::Cursor)),
            reference: found.get(Member::Reference),
            argument: found.get(Member::Argument),
            context: text::present(found.get(Member::Context)),
            notifications: found.get(Member::Notifications),
        }
    }

    /// The whole object. The message is read once more for it, so a handler that needs a few members takes those.
    #[must_use]
    pub fn raw(&self) -> &'a RawValue {
        params_of(self.message).ok().flatten().unwrap_or(RawValue::NULL)
    }

    /// The name of the tool or prompt.
    ///
    /// # Errors
    ///
    /// `-32602` when it is missing or no string.
    pub fn name(&self) -> Result<Cow<'a, str>, McpError> {
        required("name", self.name).and_then(|raw| string("name", raw))
    }

    /// The URI of the resource.
    ///
    /// # Errors
    ///
    /// `-32602` when it is missing or no string.
    pub fn uri(&self) -> Result<Cow<'a, str>, McpError> {
        required("uri", self.uri).and_then(|raw| string("uri", raw))
    }

    /// The arguments of the tool or prompt, an object.
    ///
    /// # Errors
    ///
    /// `-32602` when they are there and no object.
    pub fn arguments(&self) -> Result<Option<&'a RawValue>, McpError> {
        self.arguments.map(|raw| object("arguments", raw)).transpose()
    }

    /// The answers of the client, an object with an entry for each question.
    ///
    /// # Errors
    ///
    /// `-32602` when they are there and no object.
    pub fn input_responses(&self) -> Result<Option<&'a RawValue>, McpError> {
        self.input_responses.map(|raw| object("inputResponses", raw)).transpose()
    }

    /// The state that came back with the answers.
    ///
    /// # Errors
    ///
    /// `-32602` when it is there and no string.
    pub fn request_state(&self) -> Result<Option<Cow<'a, str>>, McpError> {
        self.request_state.map(|raw| string("requestState", raw)).transpose()
    }

    /// Where the list goes on. An empty string is a cursor like any other.
    ///
    /// # Errors
    ///
    /// `-32602` when it is there and no string.
    pub fn cursor(&self) -> Result<Option<Cow<'a, str>>, McpError> {
        self.cursor.map(|raw| string("cursor", raw)).transpose()
    }

    /// What a completion is for, an object.
    ///
    /// # Errors
    ///
    /// `-32602` when it is missing or no object.
    pub fn reference(&self) -> Result<&'a RawValue, McpError> {
        required("ref", self.reference).and_then(|raw| object("ref", raw))
    }

    /// The argument to complete, an object.
    ///
    /// # Errors
    ///
    /// `-32602` when it is missing or no object.
    pub fn argument(&self) -> Result<&'a RawValue, McpError> {
        required("argument", self.argument).and_then(|raw| object("argument", raw))
    }

    /// What a completion may know besides, an object.
    ///
    /// # Errors
    ///
    /// `-32602` when it is there and no object.
    pub fn context(&self) -> Result<Option<&'a RawValue>, McpError> {
        self.context.map(|raw| object("context", raw)).transpose()
    }

    /// The filter of a subscription, an object.
    ///
    /// # Errors
    ///
    /// `-32602` when it is missing or no object.
    pub fn notifications(&self) -> Result<&'a RawValue, McpError> {
        required("notifications", self.notifications).and_then(|raw| object("notifications", raw))
    }

    /// The whole params as a type of the caller's, for the methods of an extension and for handlers of whole requests.
    ///
    /// # Errors
    ///
    /// `-32602` that says which member doesn't fit.
    pub fn decode<T: Deserialize<'a>>(&self) -> Result<T, McpError> {
        match params_of(self.message) {
            Ok(Some(params)) => Ok(params),
            Ok(None) => Err(McpError::invalid_params("params is missing")),
            Err(error) => {
                let fault = without_place(&error);
                Err(McpError::invalid_params(format!("params do not fit: {fault}")))
            }
        }
    }
}

/// What serde says about the value, without the line and column, which mean nothing without the bytes.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

fn required<'a>(name: &str, raw: Option<&'a RawValue>) -> Result<&'a RawValue, McpError> {
    raw.ok_or_else(|| McpError::invalid_params(format!("params.{name} is missing")))
}

fn string<'a>(name: &str, raw: &'a RawValue) -> Result<Cow<'a, str>, McpError> {
    text::string(raw).ok_or_else(|| McpError::invalid_params(format!("params.{name} must be a string")))
}

fn object<'a>(name: &str, raw: &'a RawValue) -> Result<&'a RawValue, McpError> {
    if text::is_object(raw) {
        Ok(raw)
    } else {
        Err(McpError::invalid_params(format!("params.{name} must be an object")))
    }
}
