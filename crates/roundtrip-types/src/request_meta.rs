//! The `_meta` of a request, by which each request tells who asks and what the asker can do.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::lenient::Text;
use crate::{
    ClientCapabilities, Implementation, LoggingLevel, Meta, ProgressToken, ProtocolVersion, RawJson,
    meta_keys,
};

/// The `_meta` of a request: `RequestMetaObject`.
///
/// ```
/// use roundtrip_types::{ClientCapabilities, ProtocolVersion, RequestMeta};
///
/// let meta = RequestMeta::new(ProtocolVersion::LATEST, ClientCapabilities::new());
/// let json = serde_json::to_string(&meta)?;
/// assert_eq!(RequestMeta::from_json(&json)?, meta);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RequestMeta {
    /// The protocol version that the request follows.
    pub protocol_version: ProtocolVersion,
    /// What the client can do, for this request alone.
    pub client_capabilities: ClientCapabilities,
    /// Who the client says it is: for display and logs, never for decisions.
    pub client_info: Option<Implementation>,
    /// The name under which the client wants to hear of the progress.
    pub progress_token: Option<ProgressToken>,
    /// The least level of the log messages that the client wants. Deprecated by the specification.
    pub log_level: Option<LoggingLevel>,
    /// All other members. One with the name of a field is not written.
    pub other: Meta,
}

/// The members that are fields.
const FIELDS: [&str; 5] = [
    meta_keys::PROTOCOL_VERSION,
    meta_keys::CLIENT_CAPABILITIES,
    meta_keys::CLIENT_INFO,
    meta_keys::PROGRESS_TOKEN,
    meta_keys::LOG_LEVEL,
];

impl RequestMeta {
    /// The two members that each request needs.
    pub fn new(version: impl Into<ProtocolVersion>, capabilities: ClientCapabilities) -> Self {
        Self {
            protocol_version: version.into(),
            client_capabilities: capabilities,
            client_info: None,
            progress_token: None,
            log_level: None,
            other: Meta::new(),
        }
    }

    setters! {
        with_client_info => client_info: Implementation;
        with_progress_token => progress_token: ProgressToken;
        with_log_level => log_level: LoggingLevel;
    }

    /// Sets the other members.
    #[must_use]
    pub fn with_other(mut self, other: impl Into<Meta>) -> Self {
        self.other = other.into();
        self
    }

    /// Reads the object in one pass.
    ///
    /// A `clientInfo` that does not fit reads as absent, since nothing may depend on it.
    ///
    /// # Errors
    /// When a required member is missing, or a member other than `clientInfo` does not fit.
    pub fn from_json(json: &str) -> Result<Self, RequestMetaError> {
        let mut reader = Reader::default();
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let read = deserializer.deserialize_map(&mut reader).and_then(|()| deserializer.end());
        match (read, reader.member) {
            (Ok(()), _) => reader.finish(),
            (Err(error), Some(member)) => Err(RequestMetaError::Malformed { member, error }),
            (Err(error), None) => Err(RequestMetaError::NotAnObject(error)),
        }
    }
}

/// Why a `_meta` is not the one of a request.
#[derive(Debug)]
#[non_exhaustive]
pub enum RequestMetaError {
    /// It is no JSON object.
    NotAnObject(serde_json::Error),
    /// A required member is missing.
    Missing {
        /// The key of the member.
        member: &'static str,
    },
    /// A member does not fit.
    Malformed {
        /// The key of the member.
        member: &'static str,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

impl RequestMetaError {
    /// The key of the member at fault, where it is a single one.
    pub fn member(&self) -> Option<&'static str> {
        match self {
            Self::NotAnObject(_) => None,
            Self::Missing { member } | Self::Malformed { member, .. } => Some(member),
        }
    }
}

impl fmt::Display for RequestMetaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject(_) => f.write_str("_meta is not an object"),
            Self::Missing { member } => write!(f, "_meta lacks the required member {member}"),
            Self::Malformed { member, .. } => write!(f, "_meta holds a malformed member {member}"),
        }
    }
}

impl std::error::Error for RequestMetaError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotAnObject(error) | Self::Malformed { error, .. } => Some(error),
            Self::Missing { .. } => None,
        }
    }
}

#[derive(Default)]
struct Reader {
    protocol_version: Option<ProtocolVersion>,
    client_capabilities: Option<ClientCapabilities>,
    client_info: Option<Implementation>,
    progress_token: Option<ProgressToken>,
    log_level: Option<LoggingLevel>,
    other: Meta,
    /// The member being read, so that an error can name it.
    member: Option<&'static str>,
}

impl Reader {
    fn finish(self) -> Result<RequestMeta, RequestMetaError> {
        let missing = |member| RequestMetaError::Missing { member };
        Ok(RequestMeta {
            protocol_version: self.protocol_version.ok_or(missing(meta_keys::PROTOCOL_VERSION))?,
            client_capabilities: self.client_capabilities.ok_or(missing(meta_keys::CLIENT_CAPABILITIES))?,
            client_info: self.client_info,
            progress_token: self.progress_token,
            log_level: self.log_level,
            other: self.other,
        })
    }
}

impl<'de> Visitor<'de> for &mut Reader {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Text<'de>>()? {
            match &*key.0 {
                meta_keys::PROTOCOL_VERSION => {
                    self.member = Some(meta_keys::PROTOCOL_VERSION);
                    once(&mut self.protocol_version, &mut map)?;
                }
                meta_keys::CLIENT_CAPABILITIES => {
                    self.member = Some(meta_keys::CLIENT_CAPABILITIES);
                    once(&mut self.client_capabilities, &mut map)?;
                }
                meta_keys::CLIENT_INFO => {
                    self.client_info = serde_json::from_str(map.next_value::<&RawValue>()?.get()).ok();
                }
                meta_keys::PROGRESS_TOKEN => {
                    self.member = Some(meta_keys::PROGRESS_TOKEN);
                    once(&mut self.progress_token, &mut map)?;
                }
                meta_keys::LOG_LEVEL => {
                    self.member = Some(meta_keys::LOG_LEVEL);
                    once(&mut self.log_level, &mut map)?;
                }
                _ => {
                    self.other.insert(key.0.into_owned(), map.next_value::<RawJson>()?);
                }
            }
            self.member = None;
        }
        Ok(())
    }
}

/// Reads a member that may not stand twice: readers would disagree on which one counts.
fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    place: &mut Option<T>,
    map: &mut A,
) -> Result<(), A::Error> {
    if place.is_some() {
        return Err(A::Error::custom("the member stands twice"));
    }
    *place = map.next_value()?;
    Ok(())
}

impl<'de> Deserialize<'de> for RequestMeta {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        Self::from_json(raw.get()).map_err(D::Error::custom)
    }
}

impl Serialize for RequestMeta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(meta_keys::PROTOCOL_VERSION, &self.protocol_version)?;
        map.serialize_entry(meta_keys::CLIENT_CAPABILITIES, &self.client_capabilities)?;
        if let Some(info) = &self.client_info {
            map.serialize_entry(meta_keys::CLIENT_INFO, info)?;
        }
        if let Some(token) = &self.progress_token {
            map.serialize_entry(meta_keys::PROGRESS_TOKEN, token)?;
        }
        if let Some(level) = &self.log_level {
            map.serialize_entry(meta_keys::LOG_LEVEL, level)?;
        }
        for (key, value) in self.other.iter().filter(|(key, _)| !FIELDS.contains(&key.as_str())) {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
