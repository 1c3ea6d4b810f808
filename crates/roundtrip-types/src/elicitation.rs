//! Elicitation: a server's questions to the user of its client.

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::{ElicitationSchema, Meta, RawJson};

/// The parameters of `elicitation/create`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitRequestParams {
    /// The user fills in a form: `mode` `"form"` or absent.
    Form(ElicitRequestFormParams),
    /// The user visits a page: `mode` `"url"`.
    Url(ElicitRequestUrlParams),
}

impl ElicitRequestParams {
    /// What the user reads.
    pub fn message(&self) -> &str {
        match self {
            Self::Form(params) => &params.message,
            Self::Url(params) => &params.message,
        }
    }
}

impl Serialize for ElicitRequestParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Flattening buffers when it reads; when it writes, it hands the members straight on.
        #[derive(Serialize)]
        struct Tagged<'a, T> {
            mode: &'static str,
            #[serde(flatten)]
            params: &'a T,
        }
        match self {
            Self::Form(params) => Tagged { mode: "form", params }.serialize(serializer),
            Self::Url(params) => Tagged { mode: "url", params }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ElicitRequestParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Wire {
            mode: Option<String>,
            message: String,
            requested_schema: Option<ElicitationSchema>,
            url: Option<String>,
        }
        let Wire { mode, message, requested_schema, url } = Wire::deserialize(deserializer)?;
        match mode.as_deref() {
            None | Some("form") => {
                let requested_schema =
                    requested_schema.ok_or_else(|| D::Error::missing_field("requestedSchema"))?;
                Ok(Self::Form(ElicitRequestFormParams { message, requested_schema }))
            }
            Some("url") => {
                let url = url.ok_or_else(|| D::Error::missing_field("url"))?;
                Ok(Self::Url(ElicitRequestUrlParams { message, url }))
            }
            Some(other) => Err(D::Error::unknown_variant(other, &["form", "url"])),
        }
    }
}

/// A question by form: `ElicitRequestFormParams`. It must not ask for secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitRequestFormParams {
    /// What the user reads.
    pub message: String,
    /// The fields of the form.
    pub requested_schema: ElicitationSchema,
}

impl ElicitRequestFormParams {
    /// A question with the fields of its form.
    ///
    /// ```
    /// use roundtrip_types::ElicitRequestFormParams;
    ///
    /// let schema = serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}}});
    /// let question = ElicitRequestFormParams::new("Where?", schema);
    /// assert_eq!(question.requested_schema.fields()?[0].name, "city");
    /// # Ok::<(), roundtrip_types::FormError>(())
    /// ```
    pub fn new(message: impl Into<String>, requested_schema: impl Into<ElicitationSchema>) -> Self {
        Self { message: message.into(), requested_schema: requested_schema.into() }
    }
}

/// A question by a page: `ElicitRequestURLParams`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitRequestUrlParams {
    /// What the user reads.
    pub message: String,
    /// The page. It holds nothing secret and lets nobody in by itself.
    pub url: String,
}

impl ElicitRequestUrlParams {
    /// A question that is answered at `url`.
    pub fn new(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self { message: message.into(), url: url.into() }
    }
}

open_enum! {
    /// What the user did: the `action` of an `ElicitResult`.
    pub enum ElicitAction {
        /// Answered, or agreed to open the page.
        Accept = "accept",
        /// Refused.
        Decline = "decline",
        /// Closed the question.
        Cancel = "cancel",
    }
}

/// The answer to `elicitation/create`: `ElicitResult`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElicitResult {
    /// What the user did.
    pub action: ElicitAction,
    /// The fields of the form. Whether they follow the schema is still to be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<RawJson>,
    /// More about the answer.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ElicitResult {
    /// The user filled in the form.
    ///
    /// ```
    /// let answer = roundtrip_types::ElicitResult::accept(serde_json::json!({"city": "Oslo"}));
    /// assert_eq!(serde_json::to_string(&answer)?, r#"{"action":"accept","content":{"city":"Oslo"}}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn accept(content: impl Into<RawJson>) -> Self {
        Self { content: Some(content.into()), ..Self::consent() }
    }

    /// As [`accept`](Self::accept), with any value.
    ///
    /// # Errors
    /// When `content` cannot be written as JSON.
    pub fn accept_from<T: Serialize + ?Sized>(content: &T) -> serde_json::Result<Self> {
        RawJson::from_serialize(content).map(Self::accept)
    }

    /// The user agreed to open the page.
    pub fn consent() -> Self {
        Self { action: ElicitAction::Accept, content: None, meta: None }
    }

    /// The user refused.
    pub fn decline() -> Self {
        Self { action: ElicitAction::Decline, content: None, meta: None }
    }

    /// The user closed the question.
    pub fn cancel() -> Self {
        Self { action: ElicitAction::Cancel, content: None, meta: None }
    }

    setters! { with_meta => meta: Meta; }
}
