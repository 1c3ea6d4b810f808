//! URI templates (RFC 6570): from values to a URI, and from a URI back to the values.
//!
//! Every template of the RFC can be expanded. Matching is not part of the RFC; here it follows these rules:
//!
//! - Literals match themselves and nothing else, in raw or percent-encoded spelling. A URI is compared in its normal
//!   form, so `%C3%A9` and `é` are one, as `%41` and `A` are.
//! - `{name}` takes at least one character and stops before `/ ? # & ,`. `{+name}` takes anything. Where several
//!   divisions are possible, the earlier variable takes as little as it can.
//! - What begins with a character of its own (`{/name}`, `{.name}`, `{;name}`, `{?name}`, `{&name}`, `{#name}`) may be
//!   absent. The variables of a query come in any order, and others in the query are ignored.
//! - A value is decoded exactly once. A `+` stays a `+`.
//! - An exploded variable (`{/path*}`) gives a list. Any other gives one text, commas and all.
//! - A value that climbs out of its directory, is an absolute path or holds a NUL makes the URI match nothing; see
//!   [`ValuePolicy`].
//!
//! Matching takes time in proportion to the length of the URI times the number of parts of the template.

use std::{error::Error, fmt};

mod expand;
mod matching;
mod parse;
mod percent;
mod policy;

pub use policy::ValuePolicy;

/// The length of a template in bytes, at most: 8,192.
pub const MAX_TEMPLATE_LENGTH: usize = 8 * 1024;
/// The number of variables in a template, at most: 256.
pub const MAX_VARIABLES: usize = 256;
/// The length in bytes, in normal form, of a URI that is matched, at most: 65,536. A longer one matches nothing.
pub const MAX_URI_LENGTH: usize = 64 * 1024;

/// The template of a `ResourceTemplate`.
///
/// ```
/// use roundtrip_protocol::uri_template::UriTemplate;
///
/// let template = UriTemplate::parse("notes://{user}/latest{?tag,limit}")?;
/// let uri = template.expand(&[("user", "zoë".into()), ("limit", "5".into())]);
/// assert_eq!(uri, "notes://zo%C3%AB/latest?limit=5");
///
/// let values = template.match_uri("notes://zo%C3%AB/latest?limit=5").expect("it was made from the template");
/// assert_eq!(values, [("user".to_owned(), "zoë".into()), ("limit".to_owned(), "5".into())]);
/// assert_eq!(template.match_uri("notes://..%2f..%2fetc/latest"), None);
/// # Ok::<(), roundtrip_protocol::uri_template::UriTemplateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UriTemplate {
    source: String,
    parts: Vec<Part>,
    policy: ValuePolicy,
}

impl UriTemplate {
    /// Reads a template.
    ///
    /// Literals are read more leniently than the RFC has it: characters that a URI can't hold, such as a blank, stand
    /// for their percent-encoded form.
    ///
    /// # Errors
    ///
    /// When braces don't pair, an expression is empty or holds something that is no variable name, an operator is one
    /// that the RFC reserves, a `%` is not followed by two hexadecimal digits, or a limit is exceeded.
    pub fn parse(template: &str) -> Result<Self, UriTemplateError> {
        let parts = parse::parse(template)?;
        Ok(Self { source: template.to_owned(), parts, policy: ValuePolicy::default() })
    }

    /// Sets which values a URI may hold.
    #[must_use]
    pub fn with_policy(mut self, policy: ValuePolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Says whether matching can tell the variables apart, for those who match: a server refuses such a template when
    /// it is registered.
    ///
    /// # Errors
    ///
    /// When nothing stands between two variables (`{a}{b}`), or when a variable is cut to a length (`{a:3}`), so that
    /// its value can't be read back.
    pub fn check_matchable(&self) -> Result<(), UriTemplateError> {
        let mut open = false;
        for part in &self.parts {
            let Part::Expression(expression) = part else {
                open = false;
                continue;
            };
            let fault = if open && expression.operator.first().is_none() {
                Fault::Adjacent
            } else if expression
                .variables
                .iter()
                .any(|variable| matches!(variable.modifier, Modifier::Prefix(_)))
            {
                Fault::Cut
            } else {
                open = true;
                continue;
            };
            return Err(UriTemplateError { position: expression.position, fault });
        }
        Ok(())
    }

    /// The names of the variables, each once, in the order of the template.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let all = || self.expressions().flat_map(|expression| &expression.variables);
        all()
            .enumerate()
            .filter(move |(number, variable)| {
                all().take(*number).all(|earlier| earlier.name != variable.name)
            })
            .map(|(_, variable)| variable.name.as_str())
    }

    /// The template as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Makes a URI. A variable without a value is left out, and so is one whose list is empty.
    #[must_use]
    pub fn expand<N: AsRef<str>>(&self, values: &[(N, TemplateValue)]) -> String {
        let lookup =
            |name: &str| values.iter().find(|(known, _)| known.as_ref() == name).map(|(_, value)| value);
        expand::expand(&self.parts, lookup)
    }

    /// Reads the values out of a URI, in the order of the template; `None` when the URI doesn't match, or when it holds
    /// a value that the policy refuses.
    #[must_use]
    pub fn match_uri(&self, uri: &str) -> Option<Vec<(String, TemplateValue)>> {
        matching::match_uri(&self.parts, &self.policy, uri)
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.parts.iter().filter_map(|part| match part {
            Part::Expression(expression) => Some(expression),
            Part::Literal(_) => None,
        })
    }
}

impl fmt::Display for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl std::str::FromStr for UriTemplate {
    type Err = UriTemplateError;

    fn from_str(template: &str) -> Result<Self, UriTemplateError> {
        Self::parse(template)
    }
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TemplateValue {
    /// A text.
    Text(String),
    /// Several texts.
    List(Vec<String>),
    /// Pairs of a name and a text. No URI is read back as pairs.
    Pairs(Vec<(String, String)>),
}

impl TemplateValue {
    /// The text, when it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Pairs(_) => None,
        }
    }

    /// The texts, when there are several.
    #[must_use]
    pub fn as_list(&self) -> Option<&[String]> {
        match self {
            Self::List(texts) => Some(texts),
            Self::Text(_) | Self::Pairs(_) => None,
        }
    }
}

impl From<&str> for TemplateValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for TemplateValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for TemplateValue {
    fn from(texts: Vec<String>) -> Self {
        Self::List(texts)
    }
}

impl From<Vec<(String, String)>> for TemplateValue {
    fn from(pairs: Vec<(String, String)>) -> Self {
        Self::Pairs(pairs)
    }
}

/// A text that is no template, or none that can be matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UriTemplateError {
    /// The byte of the template at which the trouble was found.
    pub position: usize,
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    TooLong,
    TooManyVariables,
    Unclosed,
    Unopened,
    Operator,
    Name,
    Length,
    Percent,
    Adjacent,
    Cut,
}

impl fmt::Display for UriTemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        match self.fault {
            Fault::TooLong => write!(f, "the template is longer than {MAX_TEMPLATE_LENGTH} bytes"),
            Fault::TooManyVariables => write!(f, "the template has more than {MAX_VARIABLES} variables"),
            Fault::Unclosed => write!(f, "the brace at byte {position} is not closed"),
            Fault::Unopened => write!(f, "the brace at byte {position} closes nothing"),
            Fault::Operator => write!(f, "the operator at byte {position} is reserved"),
            Fault::Name => write!(f, "a variable name is missing or malformed at byte {position}"),
            Fault::Length => write!(f, "the length at byte {position} must be from 1 to 9999"),
            Fault::Percent => {
                write!(f, "the percent sign at byte {position} must be followed by two hexadecimal digits")
            }
            Fault::Adjacent => {
                write!(f, "nothing separates the variable at byte {position} from the one before it")
            }
            Fault::Cut => {
                write!(f, "the expression at byte {position} cuts a value, which can't be read back")
            }
        }
    }
}

impl Error for UriTemplateError {}

#[derive(Clone, Debug)]
enum Part {
    Literal(Literal),
    Expression(Expression),
}

#[derive(Clone, Debug)]
struct Literal {
    /// For expansion: as it was written, with what a URI can't hold percent-encoded.
    encoded: String,
    /// For matching: in normal form.
    normal: String,
}

#[derive(Clone, Debug)]
struct Expression {
    position: usize,
    operator: Operator,
    variables: Vec<Variable>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    modifier: Modifier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Modifier {
    None,
    /// `:N`: the first characters alone.
    Prefix(usize),
    /// `*`: each element for itself.
    Explode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Simple,
    Reserved,
    Fragment,
    Label,
    Path,
    Parameter,
    Query,
    Continuation,
}

impl Operator {
    /// What stands before the first value.
    const fn first(self) -> Option<char> {
        match self {
            Self::Simple | Self::Reserved => None,
            Self::Fragment => Some('#'),
            Self::Label => Some('.'),
            Self::Path => Some('/'),
            Self::Parameter => Some(';'),
            Self::Query => Some('?'),
            Self::Continuation => Some('&'),
        }
    }

    /// What stands between two values.
    const fn separator(self) -> char {
        match self {
            Self::Simple | Self::Reserved | Self::Fragment => ',',
            Self::Label => '.',
            Self::Path => '/',
            Self::Parameter => ';',
            Self::Query | Self::Continuation => '&',
        }
    }

    /// Whether a value stands after the name of its variable.
    const fn is_named(self) -> bool {
        matches!(self, Self::Parameter | Self::Query | Self::Continuation)
    }

    /// Whether a value keeps the reserved characters that it holds.
    const fn keeps_reserved(self) -> bool {
        matches!(self, Self::Reserved | Self::Fragment)
    }
}

#[cfg(test)]
mod tests;
