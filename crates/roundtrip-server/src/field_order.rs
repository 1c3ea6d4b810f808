//! In which order a struct declares its fields.
//!
//! A schema is a map, sorted by name, but a person should meet the fields of a form as its author wrote them. What
//! `#[derive(Deserialize)]` makes asks its deserializer for the fields in the order of their declaration: one that
//! only listens hears it.

use serde::{
    Deserializer,
    de::{DeserializeOwned, Visitor, value::Error},
    forward_to_deserialize_any,
};

/// The names of `T`'s fields, as they are spelled on the wire; `None` where `T` is no struct with fields of its own.
pub(crate) fn field_order<T: DeserializeOwned>() -> Option<&'static [&'static str]> {
    let mut order = None;
    // It always fails: there is nothing to read a `T` from.
    drop(T::deserialize(Listener(&mut order)));
    order
}

struct Listener<'a>(&'a mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Listener<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom("only listening"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some(fields);
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its fields' names are used")]
    struct Zoo {
        zebra_count: u8,
        ape: Option<String>,
        #[serde(skip)]
        hidden: (),
        #[serde(rename = "the lion")]
        lion: bool,
    }

    #[test]
    fn fields_come_as_they_are_declared() {
        assert_eq!(field_order::<Zoo>(), Some(["zebraCount", "ape", "the lion"].as_slice()));
    }

    #[test]
    fn what_has_no_fields_has_no_order() {
        assert_eq!(field_order::<String>(), None);
        assert_eq!(field_order::<Vec<Zoo>>(), None);
    }
}
