//! The JSON-RPC layer: one message, with its parts still raw.

use std::{borrow::Cow, fmt, marker::PhantomData};

use roundtrip_types::{McpError, RequestId};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::found::Found;
use crate::{error::Rejection, text};

/// How deeply arrays and objects of a message may be nested, the message itself included: 128. The number is fixed,
/// because it makes every part of an accepted message readable by a JSON reader with the usual limit of recursion.
pub const MAX_DEPTH: usize = 128;

/// A request (with an id) or a notification (without).
#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    pub(super) id: Option<RequestId>,
    pub(super) method: Cow<'a, str>,
    pub(super) params: Option<Parts<'a>>,
}

/// The params of a message.
#[derive(Debug)]
pub(crate) enum Parts<'a> {
    /// Their members, found while the message was read.
    Found(Found<'a>),
    /// As they stand, when they are no object whose members can be told apart.
    Unread(&'a RawValue),
}

/// Reads a body that has to be exactly one request or notification.
pub(super) fn read(body: &[u8]) -> Result<Message<'_>, Rejection> {
    let text = std::str::from_utf8(body).map_err(|_| not_json("the message is not valid UTF-8"))?;
    if text.starts_with('\u{feff}') {
        return Err(not_json("the message starts with a byte order mark; send plain UTF-8"));
    }
    if let Ok((members, alone)) = members(text) {
        return members.into_message(text, alone, Parts::Found);
    }
    read_as_far_as_it_goes(text)
}

/// Reads a message that is not what it should be, in order to say what is wrong with it. Its params are not looked into.
#[cold]
fn read_as_far_as_it_goes(text: &str) -> Result<Message<'_>, Rejection> {
    match members(text) {
        Ok((members, alone)) => members.into_message(text, alone, Parts::Unread),
        Err(error) if error.is_data() => Err(not_an_object(text)),
        Err(error) => {
            Err(not_json(&format!("not valid JSON at line {} column {}", error.line(), error.column())))
        }
    }
}

/// The members of a message, and whether nothing follows it.
fn members<'a, P: Deserialize<'a>>(text: &'a str) -> serde_json::Result<(Members<'a, P>, bool)> {
    let mut json = serde_json::Deserializer::from_str(text);
    let members = Members::deserialize(&mut json)?;
    Ok((members, json.end().is_ok()))
}

/// The params of a message that has been read before, as another type.
pub(super) fn params_of<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<Option<T>> {
    Members::deserialize(&mut serde_json::Deserializer::from_str(text)).map(|members| members.params)
}

fn not_json(message: &str) -> Rejection {
    let mut error = McpError::parse_error();
    message.clone_into(&mut error.message);
    Rejection::new(None, error)
}

/// A body that begins like JSON of another kind than an object.
#[cold]
fn not_an_object(text: &str) -> Rejection {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return not_json("not valid JSON");
    }
    let message = if text.trim_start().starts_with('[') {
        "the message must be one request or notification; batches are not supported"
    } else {
        "the message must be a JSON object: one request or notification"
    };
    Rejection::new(None, McpError::invalid_request(message))
}

/// Whether arrays and objects are nested deeper than [`MAX_DEPTH`], in valid JSON.
fn too_deep(text: &str) -> bool {
    let body = text.as_bytes();
    // Counting all that opens is much cheaper than following strings, and settles almost every message.
    let opened: usize = body.chunks(128).map(|chunk| usize::from(count_opened(chunk))).sum();
    opened > MAX_DEPTH && deepest(body) > MAX_DEPTH
}

fn count_opened(chunk: &[u8]) -> u8 {
    // `[` and `{` differ in this one bit.
    chunk.iter().map(|byte| u8::from(byte | 0x20 == b'{')).sum()
}

#[cold]
fn deepest(body: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string) = (0_usize, 0, false);
    let mut bytes = body.iter();
    while let Some(byte) = bytes.next() {
        match (byte, in_string) {
            (b'"', _) => in_string = !in_string,
            (b'\\', true) => {
                bytes.next();
            }
            (b'{' | b'[', false) => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (b'}' | b']', false) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// What the members of the outermost object hold. Trouble is noted, not raised, so that the id is found wherever it
/// stands.
struct Members<'a, P> {
    jsonrpc: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<P>,
    is_response: bool,
    twice: Option<&'static str>,
    id_twice: bool,
}

impl<'a, P> Members<'a, P> {
    /// What makes this no message at all; `None` when `id`, if any, and `method` can be read.
    fn fault(&self) -> Option<Cow<'static, str>> {
        if let Some(member) = self.twice {
            return Some(format!("{member} is there twice").into());
        }
        if self.jsonrpc.and_then(text::string).as_deref() != Some("2.0") {
            return Some("jsonrpc must be \"2.0\"".into());
        }
        match self.method {
            None if self.is_response => {
                Some("a client sends no responses in this version of the protocol".into())
            }
            None => Some("method is missing".into()),
            Some(_) => None,
        }
    }

    fn into_message(
        self,
        text: &'a str,
        alone: bool,
        parts: impl FnOnce(P) -> Parts<'a>,
    ) -> Result<Message<'a>, Rejection> {
        let fault = if !alone {
            Some(Cow::Borrowed("the message must be one request or notification; something follows it"))
        } else if too_deep(text) {
            Some(Cow::Owned(format!("the message is nested more than {MAX_DEPTH} levels deep")))
        } else {
            self.fault()
        };
        if let Some(fault) = fault {
            return Err(Rejection::new(self.id_to_echo(), McpError::invalid_request(fault)));
        }
        let id = match self.id.map(|id| serde_json::from_str(id.get())) {
            None => None,
            Some(Ok(id)) => Some(id),
            Some(Err(_)) => {
                let fault = "id must be a string or a 64-bit integer";
                return Err(Rejection::new(None, McpError::invalid_request(fault)));
            }
        };
        match self.method.and_then(text::string) {
            Some(method) => Ok(Message { text, id, method, params: self.params.map(parts) }),
            None => Err(Rejection::new(id, McpError::invalid_request("method must be a string"))),
        }
    }

    /// The id of a message that can't be served, if it is certain whose it is.
    ///
    /// The id of a response is one that this side would have given out: sending it back might end a request of the
    /// client's own that happens to bear the same id.
    fn id_to_echo(&self) -> Option<RequestId> {
        let is_response = self.is_response && self.method.is_none();
        self.id.filter(|_| !is_response && !self.id_twice).and_then(|id| serde_json::from_str(id.get()).ok())
    }
}

impl<'de, P: Deserialize<'de>> Deserialize<'de> for Members<'de, P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Message<P>(PhantomData<P>);

        impl<'de, P: Deserialize<'de>> Visitor<'de> for Message<P> {
            type Value = Members<'de, P>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON-RPC message")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Members {
                    jsonrpc: None,
                    id: None,
                    method: None,
                    params: None,
                    is_response: false,
                    twice: None,
                    id_twice: false,
                };
                while let Some(member) = map.next_key()? {
                    let again = match member {
                        Member::Jsonrpc => members.jsonrpc.replace(map.next_value()?).map(|_| "jsonrpc"),
                        Member::Method => members.method.replace(map.next_value()?).map(|_| "method"),
                        Member::Params => members.params.replace(map.next_value()?).map(|_| "params"),
                        Member::Id => {
                            let again = members.id.replace(map.next_value()?).map(|_| "id");
                            members.id_twice |= again.is_some();
                            again
                        }
                        Member::Outcome | Member::Unknown => {
                            members.is_response |= matches!(member, Member::Outcome);
                            map.next_value::<IgnoredAny>()?;
                            None
                        }
                    };
                    members.twice = members.twice.or(again);
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Message(PhantomData))
    }
}

enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Outcome,
    Unknown,
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Member;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }

            fn visit_str<E>(self, name: &str) -> Result<Member, E> {
                Ok(match name {
                    "jsonrpc" => Member::Jsonrpc,
                    "id" => Member::Id,
                    "method" => Member::Method,
                    "params" => Member::Params,
                    "result" | "error" => Member::Outcome,
                    _ => Member::Unknown,
                })
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}
