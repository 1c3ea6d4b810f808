//! Arguments that are strings on the wire, read as what the handler wants them to be.
//!
//! A prompt's arguments and a template's variables are strings by name. A field of type `u8` or `bool`, or an enum
//! of unit variants, is read from its text; a list takes what an exploded variable matched.

use roundtrip_protocol::uri_template::TemplateValue;
use serde::{
    Deserializer,
    de::{
        IntoDeserializer, Visitor,
        value::{Error, MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};

/// All the arguments, as a map.
pub(crate) struct Pairs<'a>(pub(crate) &'a [(String, TemplateValue)]);

impl<'de> Deserializer<'de> for Pairs<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor
            .visit_map(MapDeserializer::new(self.0.iter().map(|(name, value)| (name.as_str(), Text(value)))))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// One argument.
#[derive(Clone, Copy)]
struct Text<'a>(&'a TemplateValue);

impl<'de> Text<'de> {
    /// The text; a list of one is that one.
    fn text(self) -> Result<&'de str, Error> {
        match self.0 {
            TemplateValue::Text(text) => Ok(text),
            TemplateValue::List(texts) if texts.len() == 1 => Ok(&texts[0]),
            _ => Err(serde::de::Error::custom("expected one value, found a list")),
        }
    }
}

impl<'de> IntoDeserializer<'de, Error> for Text<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! parsed {
    ($($method:ident $visit:ident $what:literal)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let text = self.text()?;
            match text.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(serde::de::Error::custom(format_args!(concat!("expected ", $what, ", found {:?}"), text))),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            TemplateValue::Text(text) => visitor.visit_borrowed_str(text),
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let texts = match self.0 {
            TemplateValue::Text(text) => std::slice::from_ref(text),
            other => other.as_list().unwrap_or_default(),
        };
        visitor.visit_seq(SeqDeserializer::new(texts.iter().map(String::as_str)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    parsed! {
        deserialize_bool visit_bool "true or false"
        deserialize_i8 visit_i8 "an integer from -128 to 127"
        deserialize_i16 visit_i16 "an integer of 16 bits"
        deserialize_i32 visit_i32 "an integer of 32 bits"
        deserialize_i64 visit_i64 "an integer of 64 bits"
        deserialize_i128 visit_i128 "an integer"
        deserialize_u8 visit_u8 "an integer from 0 to 255"
        deserialize_u16 visit_u16 "an integer from 0 to 65535"
        deserialize_u32 visit_u32 "an integer of 32 bits, not below 0"
        deserialize_u64 visit_u64 "an integer of 64 bits, not below 0"
        deserialize_u128 visit_u128 "an integer, not below 0"
        deserialize_f32 visit_f32 "a number"
        deserialize_f64 visit_f64 "a number"
        deserialize_char visit_char "one character"
    }

    forward_to_deserialize_any! {
        bytes byte_buf unit unit_struct tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Tone {
        Formal,
        Plain,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Briefing {
        topic: String,
        pages: u8,
        tone: Option<Tone>,
        draft: Option<bool>,
        #[serde(default)]
        tags: Vec<String>,
    }

    fn read(pairs: &[(&str, TemplateValue)]) -> Result<Briefing, Error> {
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Briefing::deserialize(Pairs(&pairs))
    }

    fn one(text: &str) -> TemplateValue {
        TemplateValue::Text(text.to_owned())
    }

    #[test]
    fn texts_become_what_the_fields_are() {
        let tags = TemplateValue::List(vec!["a".to_owned(), "b".to_owned()]);
        let pairs = [
            ("topic", one("7")),
            ("pages", one("12")),
            ("tone", one("plain")),
            ("draft", one("true")),
            ("tags", tags),
        ];
        let want = Briefing {
            topic: "7".to_owned(),
            pages: 12,
            tone: Some(Tone::Plain),
            draft: Some(true),
            tags: vec!["a".to_owned(), "b".to_owned()],
        };
        assert_eq!(read(&pairs), Ok(want));
    }

    #[test]
    fn what_does_not_fit_says_what_would() {
        let error = read(&[("topic", one("x")), ("pages", one("many"))]).unwrap_err();
        assert_eq!(error.to_string(), "expected an integer from 0 to 255, found \"many\"");
        assert_eq!(read(&[("topic", one("x"))]).unwrap_err().to_string(), "missing field `pages`");
    }
}
