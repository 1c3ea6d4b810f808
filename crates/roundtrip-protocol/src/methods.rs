//! The table of methods, by era.
//!
//! What an era lacks is absent from its table: a method of another era is unknown here, however well another era
//! knows it. Methods that no era knows come through as [`Method::Other`], for servers that serve an extension.

use crate::era::Era;

/// A method that a client asks for.
///
/// ```
/// use roundtrip_protocol::{era::Era, methods::Method};
///
/// let method = Method::of(Era::Envelope, "tools/call");
/// assert_eq!(method, Some(Method::ToolsCall));
/// assert_eq!(Method::of(Era::Envelope, "initialize"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// `server/discover`
    ServerDiscover,
    /// `tools/list`
    ToolsList,
    /// `tools/call`
    ToolsCall,
    /// `prompts/list`
    PromptsList,
    /// `prompts/get`
    PromptsGet,
    /// `resources/list`
    ResourcesList,
    /// `resources/templates/list`
    ResourceTemplatesList,
    /// `resources/read`
    ResourcesRead,
    /// `completion/complete`
    CompletionComplete,
    /// `subscriptions/listen`
    SubscriptionsListen,
    /// A method that the specification doesn't know: an extension's or a vendor's. It is answered with `-32601` and
    /// HTTP status 404 unless the server has something that handles it.
    Other(String),
}

/// Names that the specification gives a meaning in another era or another direction. They are never handed to an
/// extension of the envelope era, so that a peer of the other era learns at once that it is at the wrong door.
const NOT_IN_ENVELOPE: &[&str] = &[
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "tasks/result",
    "tasks/list",
    "elicitation/create",
    "sampling/createMessage",
    "roots/list",
];

impl Method {
    /// The method of that name in an era; `None` when the name belongs to another era or another direction.
    #[must_use]
    pub fn of(era: Era, name: &str) -> Option<Self> {
        match era {
            Era::Envelope => Self::of_envelope(name),
        }
    }

    fn of_envelope(name: &str) -> Option<Self> {
        Some(match name {
            "server/discover" => Self::ServerDiscover,
            "tools/list" => Self::ToolsList,
            "tools/call" => Self::ToolsCall,
            "prompts/list" => Self::PromptsList,
            "prompts/get" => Self::PromptsGet,
            "resources/list" => Self::ResourcesList,
            "resources/templates/list" => Self::ResourceTemplatesList,
            "resources/read" => Self::ResourcesRead,
            "completion/complete" => Self::CompletionComplete,
            "subscriptions/listen" => Self::SubscriptionsListen,
            other if NOT_IN_ENVELOPE.contains(&other) => return None,
            other => Self::Other(other.to_owned()),
        })
    }

    /// The name on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::ServerDiscover => "server/discover",
            Self::ToolsList => "tools/list",
            Self::ToolsCall => "tools/call",
            Self::PromptsList => "prompts/list",
            Self::PromptsGet => "prompts/get",
            Self::ResourcesList => "resources/list",
            Self::ResourceTemplatesList => "resources/templates/list",
            Self::ResourcesRead => "resources/read",
            Self::CompletionComplete => "completion/complete",
            Self::SubscriptionsListen => "subscriptions/listen",
            Self::Other(name) => name,
        }
    }

    /// Whether the answer may be an `InputRequiredResult`, so that the params may carry `inputResponses` and
    /// `requestState`: exactly `tools/call`, `prompts/get` and `resources/read`.
    #[must_use]
    pub const fn may_ask(&self) -> bool {
        matches!(self, Self::ToolsCall | Self::PromptsGet | Self::ResourcesRead)
    }

    /// The member of the params that the `Mcp-Name` header mirrors, for the methods that require that header.
    #[must_use]
    pub const fn name_member(&self) -> Option<NameMember> {
        match self {
            Self::ToolsCall | Self::PromptsGet => Some(NameMember::Name),
            Self::ResourcesRead => Some(NameMember::Uri),
            _ => None,
        }
    }
}

/// The member of the params that names what a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameMember {
    /// `params.name`, of `tools/call` and `prompts/get`.
    Name,
    /// `params.uri`, of `resources/read`.
    Uri,
}

impl NameMember {
    /// The member's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Uri => "uri",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&str; 10] = [
        "server/discover",
        "tools/list",
        "tools/call",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "completion/complete",
        "subscriptions/listen",
    ];

    fn envelope(name: &str) -> Option<Method> {
        Method::of(Era::Envelope, name)
    }

    #[test]
    fn each_core_method_keeps_its_name() {
        for name in ALL {
            let method = envelope(name).unwrap();
            assert_eq!(method.as_str(), name);
            assert!(!matches!(method, Method::Other(_)), "{name}");
        }
    }

    #[test]
    fn exactly_three_methods_may_ask_and_mirror_a_name() {
        let asking: Vec<_> = ALL.into_iter().filter(|name| envelope(name).unwrap().may_ask()).collect();
        assert_eq!(asking, ["tools/call", "prompts/get", "resources/read"]);
        let named: Vec<_> = ALL
            .into_iter()
            .filter_map(|name| Some((name, envelope(name)?.name_member()?.as_str())))
            .collect();
        assert_eq!(named, [("tools/call", "name"), ("prompts/get", "name"), ("resources/read", "uri")]);
    }

    #[test]
    fn names_of_the_handshake_era_and_of_embedded_requests_are_absent() {
        for name in NOT_IN_ENVELOPE {
            assert_eq!(envelope(name), None, "{name}");
        }
    }

    #[test]
    fn names_are_case_sensitive_and_unknown_ones_are_kept() {
        for name in ["Tools/Call", "tools/call ", "foo/bar", "", "tasks/get"] {
            assert_eq!(envelope(name), Some(Method::Other(name.to_owned())));
        }
    }
}
