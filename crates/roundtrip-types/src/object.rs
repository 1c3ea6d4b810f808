//! An object with any members.

use std::collections::{BTreeMap, btree_map};

use serde::{Deserialize, Serialize};

use crate::RawJson;

/// An object whose members the specification leaves open; their values stay raw.
///
/// ```
/// use roundtrip_types::JsonObject;
///
/// let mut settings = JsonObject::new();
/// settings.insert("mimeTypes", serde_json::json!(["text/html"]));
/// assert_eq!(settings.get::<Vec<String>>("mimeTypes"), Some(vec!["text/html".to_owned()]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JsonObject(BTreeMap<String, RawJson>);

impl JsonObject {
    /// An object without members.
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The member `key` read as `T`; a member that does not fit reads as absent.
    pub fn get<'a, T: Deserialize<'a>>(&'a self, key: &str) -> Option<T> {
        self.raw(key)?.parse().ok()
    }

    /// The member `key` as it stands.
    pub fn raw(&self, key: &str) -> Option<&RawJson> {
        self.0.get(key)
    }

    /// Writes `value` as the member `key`, in the place of an earlier one.
    ///
    /// # Errors
    /// When `value` cannot be written as JSON.
    pub fn set<T: Serialize + ?Sized>(
        &mut self,
        key: impl Into<String>,
        value: &T,
    ) -> serde_json::Result<()> {
        self.0.insert(key.into(), RawJson::from_serialize(value)?);
        Ok(())
    }

    /// Puts a value that is JSON already; gives back the one it replaces.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<RawJson>) -> Option<RawJson> {
        self.0.insert(key.into(), value.into())
    }

    /// As [`insert`](Self::insert), for chains.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<RawJson>) -> Self {
        self.insert(key, value);
        self
    }

    /// Takes the member `key` out.
    pub fn remove(&mut self, key: &str) -> Option<RawJson> {
        self.0.remove(key)
    }

    /// Whether there is a member `key`, `null` or not.
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members, ordered by key.
    pub fn iter(&self) -> btree_map::Iter<'_, String, RawJson> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a JsonObject {
    type Item = (&'a String, &'a RawJson);
    type IntoIter = btree_map::Iter<'a, String, RawJson>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl IntoIterator for JsonObject {
    type Item = (String, RawJson);
    type IntoIter = btree_map::IntoIter<String, RawJson>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Into<String>, V: Into<RawJson>> FromIterator<(K, V)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Self(members.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl<K: Into<String>, V: Into<RawJson>> Extend<(K, V)> for JsonObject {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, members: I) {
        self.0.extend(members.into_iter().map(|(key, value)| (key.into(), value.into())));
    }
}

impl From<serde_json::Map<String, serde_json::Value>> for JsonObject {
    fn from(map: serde_json::Map<String, serde_json::Value>) -> Self {
        map.into_iter().collect()
    }
}
