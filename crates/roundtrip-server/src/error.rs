//! Errors by audience: [`ToolError`] for the model (or the peer), [`BuildError`] for the developer.

use std::{error::Error as StdError, fmt};

use roundtrip_types::McpError;

/// A failed call.
///
/// What you write with [`ToolError::new`] is meant to be read: a tool's becomes the text of a result with
/// `isError: true`, which the model sees and can act on; a prompt's or resource's becomes the message of a
/// JSON-RPC error.
///
/// What comes in through `?` from any other error type is a failure you did not word for the peer. Its text
/// stays in the log, and the peer reads only that the call failed. To tell it, word it:
///
/// ```
/// use roundtrip_server::ToolError;
///
/// fn region(text: &str) -> Result<u8, ToolError> {
///     text.parse().map_err(|_| ToolError::new(format_args!("no region `{text}`; regions are numbers up to 255")))
/// }
/// # assert!(region("x").unwrap_err().to_string().starts_with("no region"));
/// ```
///
/// An [`McpError`] through `?` is sent as that JSON-RPC error.
pub struct ToolError(Kind);

enum Kind {
    Told(String),
    Unexpected(Box<dyn StdError + Send + Sync>),
    Rpc(McpError),
}

/// What becomes of a [`ToolError`] on the wire.
pub(crate) enum Failure {
    Told(String),
    Rpc(McpError),
}

impl ToolError {
    /// A failure in words that the model, or the person behind the client, is to read.
    pub fn new(message: impl fmt::Display) -> Self {
        Self(Kind::Told(message.to_string()))
    }

    /// Sorts the failure out for the wire, and logs what must not go there.
    pub(crate) fn into_failure(self, what: &str) -> Failure {
        match self.0 {
            Kind::Told(message) => Failure::Told(message),
            Kind::Rpc(error) => Failure::Rpc(error),
            Kind::Unexpected(error) => {
                tracing::error!(error = %Chain(&*error), "{what} failed");
                Failure::Told(format!("{what} failed"))
            }
        }
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        let error: Box<dyn StdError + Send + Sync> = Box::new(error);
        Self(match error.downcast::<McpError>() {
            Ok(error) => Kind::Rpc(*error),
            Err(error) => Kind::Unexpected(error),
        })
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Told(message) => f.write_str(message),
            Kind::Unexpected(error) => error.fmt(f),
            Kind::Rpc(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, inner): (_, &dyn fmt::Debug) = match &self.0 {
            Kind::Told(message) => ("Told", message),
            Kind::Unexpected(error) => ("Unexpected", error),
            Kind::Rpc(error) => ("Rpc", error),
        };
        f.debug_tuple(kind).field(inner).finish()
    }
}

/// An error and its sources on one line.
struct Chain<'a>(&'a (dyn StdError + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}

/// Everything wrong with a server, found by `build()` before it serves.
///
/// Displays one problem a line, each with the name of the culprit and what to do.
#[derive(Debug, PartialEq, Eq)]
pub struct BuildError(pub(crate) Vec<String>);

impl BuildError {
    /// The problems, each a sentence.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl StdError for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(error: impl Into<ToolError>) -> String {
        match error.into().into_failure("tool `x`") {
            Failure::Told(message) => message,
            Failure::Rpc(error) => format!("{} {}", error.code, error.message),
        }
    }

    #[test]
    fn a_worded_failure_is_told() {
        assert_eq!(failure(ToolError::new("no such region")), "no such region");
    }

    #[test]
    fn an_unexpected_failure_stays_in_the_log() {
        assert_eq!(failure(std::io::Error::other("secret detail")), "tool `x` failed");
    }

    #[test]
    fn a_protocol_error_goes_out_as_it_is() {
        assert_eq!(failure(McpError::invalid_params("no such page")), "-32602 no such page");
    }
}
