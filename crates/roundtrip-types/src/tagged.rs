//! Objects whose member `type` tells what they are.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::RawJson;
use crate::lenient::Text;

/// A set of objects that are told apart by their member `type`.
pub(crate) trait Kinds: Sized {
    /// What `type` can be.
    const KINDS: &'static [&'static str];

    /// Reads an object of one of the [`KINDS`](Self::KINDS), from its members with or without `type`.
    fn read<'de, D: Deserializer<'de>>(kind: &str, members: D) -> Result<Self, D::Error>;

    /// Keeps an object of another kind.
    fn unknown(raw: RawJson) -> Self;
}

/// Writes an object with the member `type` before its own.
pub(crate) fn write<S: Serializer>(
    kind: &str,
    body: &impl Serialize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // Flattening buffers when it reads; when it writes, it hands the members straight on.
    #[derive(Serialize)]
    struct Tagged<'a, T> {
        r#type: &'a str,
        #[serde(flatten)]
        body: &'a T,
    }
    Tagged { r#type: kind, body }.serialize(serializer)
}

/// Reads an object by its member `type`: in one pass where `type` comes first and is known. Else
/// the members are kept as text, so that no digit is lost, and read from there.
pub(crate) fn read<'de, T: Kinds, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(Members(PhantomData))
}

/// Reads only the member `type` of an object.
pub(crate) fn kind_of(raw: &RawJson) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow)]
        r#type: Text<'a>,
    }
    raw.parse::<Kind<'_>>().ok().map(|kind| kind.r#type.0)
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Kinds> Visitor<'de> for Members<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the member type")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut text = String::from("{");
        let mut kind: Option<Text<'de>> = None;
        while let Some(Text(key)) = map.next_key()? {
            if key == "type" && kind.is_none() {
                let found: Text<'de> = map.next_value()?;
                if text.len() == 1 && T::KINDS.contains(&&*found.0) {
                    return T::read(&found.0, MapAccessDeserializer::new(map));
                }
                member(&mut text, "type", &found.0)?;
                kind = Some(found);
            } else {
                member(&mut text, &key, &map.next_value::<RawJson>()?)?;
            }
        }
        text.push('}');
        let kind = kind.ok_or_else(|| A::Error::missing_field("type"))?;
        if T::KINDS.contains(&&*kind.0) {
            T::read(&kind.0, &mut serde_json::Deserializer::from_str(&text)).map_err(A::Error::custom)
        } else {
            RawJson::from_string(text).map(T::unknown).map_err(A::Error::custom)
        }
    }
}

fn member<V: Serialize + ?Sized, E: Error>(text: &mut String, key: &str, value: &V) -> Result<(), E> {
    if text.len() > 1 {
        text.push(',');
    }
    text.push_str(&serde_json::to_string(key).map_err(E::custom)?);
    text.push(':');
    text.push_str(&serde_json::to_string(value).map_err(E::custom)?);
    Ok(())
}
