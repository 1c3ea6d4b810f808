//! `completion/complete`: suggestions for an argument while a person types it.

use roundtrip_types::{CompleteRequestParams, Completion};

use crate::{context::Context, error::ToolError, exchange::BoxFuture};

pub(crate) type Completer = Box<
    dyn Fn(Context, CompleteRequestParams) -> BoxFuture<'static, Result<Completion, ToolError>> + Send + Sync,
>;

/// What a completion handler may return: values (a `Vec<String>`), a [`Completion`], or a `Result` of one of them.
///
/// Of more than 100 values the first 100 are sent, with `hasMore` and the `total`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a completion",
    note = "return `Vec<String>`, `Completion`, or a `Result<_, ToolError>` of one of them"
)]
pub trait IntoCompletion {
    /// The completion as it goes over the wire.
    #[doc(hidden)]
    fn into_completion(self) -> Result<Completion, ToolError>;
}

impl IntoCompletion for Completion {
    fn into_completion(mut self) -> Result<Completion, ToolError> {
        let count = self.values.len();
        if count > Self::MAX_VALUES {
            self.values.truncate(Self::MAX_VALUES);
            self.has_more = Some(true);
            self.total = self.total.or(u64::try_from(count).ok());
        }
        Ok(self)
    }
}

impl IntoCompletion for Vec<String> {
    fn into_completion(self) -> Result<Completion, ToolError> {
        let mut completion = Completion::new(Self::new());
        completion.values = self;
        completion.into_completion()
    }
}

impl<T: IntoCompletion, E: Into<ToolError>> IntoCompletion for Result<T, E> {
    fn into_completion(self) -> Result<Completion, ToolError> {
        self.map_err(Into::into)?.into_completion()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_values_are_sent_and_the_rest_is_announced() {
        let values = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
        let completion = values(100).into_completion().unwrap();
        assert_eq!((completion.values.len(), completion.has_more), (100, None));
        let completion = values(101).into_completion().unwrap();
        assert_eq!(
            (completion.values.len(), completion.has_more, completion.total),
            (100, Some(true), Some(101))
        );
    }
}
