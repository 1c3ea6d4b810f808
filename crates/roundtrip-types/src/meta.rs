//! `_meta`, the open object beside the members of a message, and who the peers say they are.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use crate::{JsonObject, RequestId, meta_keys};

/// The object under `_meta`: any members, some of them reserved (see [`meta_keys`]).
///
/// It has the methods of [`JsonObject`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Meta(JsonObject);

impl Meta {
    /// A `_meta` without members.
    pub const fn new() -> Self {
        Self(JsonObject::new())
    }

    /// Who the server says it is: for display and logs, never for decisions.
    pub fn server_info(&self) -> Option<Implementation> {
        self.get(meta_keys::SERVER_INFO)
    }

    /// The `subscriptions/listen` request that this notification or result belongs to.
    pub fn subscription_id(&self) -> Option<RequestId> {
        self.get(meta_keys::SUBSCRIPTION_ID)
    }

    /// A `_meta` that names a `subscriptions/listen` request.
    pub fn for_subscription(id: &RequestId) -> Self {
        let mut meta = Self::new();
        meta.set(meta_keys::SUBSCRIPTION_ID, id).expect("a request id is always writable");
        meta
    }

    /// The members as a plain object.
    pub fn into_object(self) -> JsonObject {
        self.0
    }
}

impl Deref for Meta {
    type Target = JsonObject;

    fn deref(&self) -> &JsonObject {
        &self.0
    }
}

impl DerefMut for Meta {
    fn deref_mut(&mut self) -> &mut JsonObject {
        &mut self.0
    }
}

impl From<JsonObject> for Meta {
    fn from(object: JsonObject) -> Self {
        Self(object)
    }
}

impl From<serde_json::Map<String, serde_json::Value>> for Meta {
    fn from(map: serde_json::Map<String, serde_json::Value>) -> Self {
        Self(map.into())
    }
}

/// The name and version of a client or server: `Implementation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Implementation {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The version, in no particular form.
    pub version: String,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where to read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
    /// Pictures for a user interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
}

impl Implementation {
    /// A name and a version.
    ///
    /// ```
    /// let me = roundtrip_types::Implementation::new("weather", "1.2.0").with_title("Weather");
    /// assert_eq!(me.title.as_deref(), Some("Weather"));
    /// ```
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: version.into(),
            description: None,
            website_url: None,
            icons: None,
        }
    }

    setters! {
        with_title => title: String;
        with_description => description: String;
        with_website_url => website_url: String;
        with_icons => icons: Vec<Icon>;
    }
}

/// A picture for a user interface: `Icon`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// Where the picture is: an `https:` or `data:` URI.
    pub src: String,
    /// Its media type, where `src` does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes it is made for, each `WIDTHxHEIGHT` in pixels or `any`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Vec<String>>,
    /// The background it is made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<IconTheme>,
}

impl Icon {
    /// A picture at `src`.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: None, theme: None }
    }

    setters! {
        with_mime_type => mime_type: String;
        with_sizes => sizes: Vec<String>;
        with_theme => theme: IconTheme;
    }
}

open_enum! {
    /// The background that an [`Icon`] is made for.
    pub enum IconTheme {
        /// A light background.
        Light = "light",
        /// A dark background.
        Dark = "dark",
    }
}
