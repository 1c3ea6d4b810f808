//! The one pass over the params.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

#[derive(Clone, Copy)]
pub(super) enum Member {
    Name,
    Uri,
    Arguments,
    InputResponses,
    RequestState,
    Cursor,
    Reference,
    Argument,
    Context,
    Notifications,
    Meta,
}

const MEMBERS: [(&str, Member); 11] = [
    ("name", Member::Name),
    ("arguments", Member::Arguments),
    ("_meta", Member::Meta),
    ("uri", Member::Uri),
    ("inputResponses", Member::InputResponses),
    ("requestState", Member::RequestState),
    ("cursor", Member::Cursor),
    ("ref", Member::Reference),
    ("argument", Member::Argument),
    ("context", Member::Context),
    ("notifications", Member::Notifications),
];

/// The members by their number, and the first that came twice: of two values one reader takes the first and another
/// the last, so such params mean two things.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    members: [Option<&'a RawValue>; MEMBERS.len()],
    pub(super) twice: Option<&'static str>,
}

impl<'a> Found<'a> {
    pub(super) fn get(&self, member: Member) -> Option<&'a RawValue> {
        self.members[member as usize]
    }
}

impl<'de> Deserialize<'de> for Found<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Params;

        impl<'de> Visitor<'de> for Params {
            type Value = Found<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the params of a request")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut found = Found::default();
                while let Some(Key(key)) = map.next_key()? {
                    match key {
                        Some((name, member)) => {
                            let slot = &mut found.members[member as usize];
                            if slot.replace(map.next_value()?).is_some() {
                                found.twice.get_or_insert(name);
                            }
                        }
                        None => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(found)
            }
        }

        deserializer.deserialize_map(Params)
    }
}

struct Key(Option<(&'static str, Member)>);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }

            fn visit_str<E>(self, key: &str) -> Result<Key, E> {
                Ok(Key(MEMBERS.into_iter().find(|(name, _)| *name == key)))
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}
