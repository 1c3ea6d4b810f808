//! JSON that stays the text it was.

use std::fmt;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// Any JSON value, held as the text that arrived or will leave.
///
/// Nothing is lost on the way through: member order, the digits of long numbers, depth. Two values
/// are equal when their texts are; `1` and `1.0` are not.
///
/// It can be read and written by `serde_json` only.
///
/// ```
/// use roundtrip_types::RawJson;
///
/// let raw: RawJson = serde_json::from_str("123456789012345678901234567890")?;
/// assert_eq!(serde_json::to_string(&raw)?, "123456789012345678901234567890");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// Writes `value` as JSON.
    ///
    /// # Errors
    /// When `value` refuses to be written or a map key is not a string.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
        to_raw_value(value).map(Self)
    }

    /// Takes a text after checking that it is JSON.
    ///
    /// # Errors
    /// When `text` is not exactly one JSON value.
    pub fn from_string(text: String) -> serde_json::Result<Self> {
        RawValue::from_string(text).map(Self)
    }

    /// The value `null`.
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned())
    }

    /// The text, without surrounding white space.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Reads the text as `T`, which may borrow from it.
    ///
    /// # Errors
    /// When the value does not fit `T`.
    pub fn parse<'a, T: Deserialize<'a>>(&'a self) -> serde_json::Result<T> {
        serde_json::from_str(self.get())
    }

    /// The text as `serde_json` holds it.
    pub fn as_raw(&self) -> &RawValue {
        &self.0
    }

    /// Hands over the text as `serde_json` holds it.
    pub fn into_raw(self) -> Box<RawValue> {
        self.0
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        self.get() == "null"
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        self.get().starts_with('{')
    }

    /// Whether this is an array.
    pub fn is_array(&self) -> bool {
        self.get().starts_with('[')
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawJson").field(&format_args!("{}", self.get())).finish()
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

impl From<Box<RawValue>> for RawJson {
    fn from(raw: Box<RawValue>) -> Self {
        Self(raw)
    }
}

impl From<&RawValue> for RawJson {
    fn from(raw: &RawValue) -> Self {
        Self(raw.to_owned())
    }
}

impl From<serde_json::Value> for RawJson {
    fn from(value: serde_json::Value) -> Self {
        Self::from(&value)
    }
}

impl From<&serde_json::Value> for RawJson {
    fn from(value: &serde_json::Value) -> Self {
        Self(to_raw_value(value).expect("a value has only string keys and is always writable"))
    }
}

impl From<serde_json::Map<String, serde_json::Value>> for RawJson {
    fn from(map: serde_json::Map<String, serde_json::Value>) -> Self {
        Self::from(serde_json::Value::Object(map))
    }
}
