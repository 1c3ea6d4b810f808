//! Who is calling, as far as somebody trustworthy has checked.

use std::fmt;

/// The one whom a verified access token speaks for.
///
/// A layer that checks tokens leaves it in the extensions of the request, where a handler reads it and where the
/// [sealing of `requestState`](crate::seal) finds it: a state minted for one principal can't be used by another.
/// A layer must be consistent in what it supplies. If it knew the subject on one request and not on the next,
/// those would be two principals, and the rounds in flight would be refused.
///
/// `Debug` shows which parts are known, never what they say.
///
/// ```
/// use roundtrip_server::Principal;
///
/// let alice = Principal::new("app-1").with_issuer("https://as.example").with_subject("alice");
/// assert_ne!(alice.to_string_unambiguous(), Principal::new("app-1").to_string_unambiguous());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Principal {
    /// The OAuth client that holds the token.
    pub client: String,
    /// The authorization server that issued the token, if known.
    pub issuer: Option<String>,
    /// The user or service the token was issued for, if known. Without it, all users of one client are alike.
    pub subject: Option<String>,
}

impl Principal {
    /// A principal of which only the client is known.
    #[must_use]
    pub fn new(client: impl Into<String>) -> Self {
        Self { client: client.into(), issuer: None, subject: None }
    }

    /// Adds who issued the token.
    #[must_use]
    pub fn with_issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// Adds whom the token was issued for.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// All three parts as one string; two principals are equal exactly when these strings are.
    ///
    /// It is the JSON array of client, issuer and subject, with `null` for what is not known.
    #[must_use]
    pub fn to_string_unambiguous(&self) -> String {
        serde_json::to_string(&(&self.client, &self.issuer, &self.subject))
            .expect("three strings always have a JSON form")
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal")
            .field("issuer_known", &self.issuer.is_some())
            .field("subject_known", &self.subject.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_string_form_keeps_the_parts_apart() {
        let full = Principal::new("app").with_issuer("https://as.example").with_subject("alice");
        assert_eq!(full.to_string_unambiguous(), r#"["app","https://as.example","alice"]"#);
        assert_eq!(Principal::new("app").to_string_unambiguous(), r#"["app",null,null]"#);
        let shifted = [
            Principal::new("a").with_issuer("b"),
            Principal::new("a").with_subject("b"),
            Principal::new(r#"a","b"#),
            Principal::new("a").with_subject("null"),
            Principal::new("a"),
        ];
        for (index, one) in shifted.iter().enumerate() {
            for other in &shifted[index + 1..] {
                assert_ne!(one.to_string_unambiguous(), other.to_string_unambiguous());
            }
        }
    }

    #[test]
    fn debug_shows_no_identity() {
        let shown =
            format!("{:?}", Principal::new("app-7").with_issuer("https://as.example").with_subject("alice"));
        assert_eq!(shown, "Principal { issuer_known: true, subject_known: true, .. }");
    }
}
