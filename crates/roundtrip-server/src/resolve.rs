//! Resolvers: how an injected value comes to be.

use std::fmt;

use roundtrip_types::RawJson;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    error::ToolError,
    form::Form,
    param::Param,
    plan::{short_name, snake_case},
    question::Question,
};

/// A type that can be injected as [`Resolved<Self>`](crate::Resolved).
///
/// `resolve` runs before the handler, at most once a round, after what it [`Needs`](Self::Needs), and at the same
/// time as resolvers that it has nothing to do with. It either makes the value or says what to ask for it. Each
/// round runs it again, so for the same arguments it must ask the same question: an answer counts only for the
/// very question that the client saw. Derive a question from the arguments; what differs from run to run (a
/// price, a random id, the time) belongs in a resolver of its own that is [remembered](Self::remember).
///
/// ```
/// use roundtrip_server::{Args, Resolution, Resolve, ToolError, elicit};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Party {
///     guests: u8,
/// }
///
/// /// Whether the user wants so big a table.
/// #[derive(Deserialize, JsonSchema)]
/// struct Confirmed {
///     yes: bool,
/// }
///
/// impl Resolve for Confirmed {
///     type Needs = Args<Party>;
///
///     async fn resolve(Args(party): Args<Party>) -> Result<Resolution<Self>, ToolError> {
///         if party.guests <= 8 {
///             return Ok(Confirmed { yes: true }.into());
///         }
///         Ok(elicit(format!("A table for {}: are you sure?", party.guests)).into())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing says how to make a `{Self}` for `Resolved<{Self}>`",
    label = "`Resolve` is not implemented for `{Self}`",
    note = "write `impl Resolve for {Self} {{ type Needs = (); async fn resolve((): ()) -> .. {{ .. }} }}`",
    note = "for a value that the server holds, take `State<{Self}>`"
)]
pub trait Resolve: Sized + Send + Sync + 'static {
    /// The resolver's own parameters: one [`Param`], or a tuple of them.
    type Needs: Param;

    /// Makes the value, or says what to ask for it.
    fn resolve(needs: Self::Needs) -> impl Future<Output = Result<Resolution<Self>, ToolError>> + Send;

    /// The key of the question in `inputRequests`, and of the answer in `inputResponses`. It is part of what
    /// clients may have stored, so it should outlive a renaming of the type.
    ///
    /// By default the type's name in snake case. Two resolvers of one handler with the same key are a build error.
    #[must_use]
    fn key() -> String {
        snake_case(short_name::<Self>())
    }

    /// Whether a *computed* value is kept in the sealed state, so that it is the same on each later round of the
    /// call. By default it is computed anew each round; [`Remember::yes`] opts in.
    #[must_use]
    fn remember() -> Remember<Self> {
        Remember::no()
    }

    /// The form that the resolver asks, for `build()` to check that the protocol can carry it. Not declared, it is
    /// checked when it is first asked, and what is wrong is logged and fails that call.
    ///
    /// For the usual case, a resolver that asks for itself: `Some(Form::of::<Self>())`.
    #[must_use]
    fn form() -> Option<Form> {
        None
    }
}

/// Whether a computed value rides the sealed state from round to round. See [`Resolve::remember`].
pub struct Remember<T>(pub(crate) Option<Memory<T>>);

/// How a remembered value is written and read.
pub(crate) struct Memory<T> {
    pub(crate) write: fn(&T) -> serde_json::Result<RawJson>,
    pub(crate) read: fn(&RawJson) -> serde_json::Result<T>,
}

impl<T> Remember<T> {
    /// The value is computed anew on each round.
    #[must_use]
    pub fn no() -> Self {
        Self(None)
    }
}

impl<T: Serialize + DeserializeOwned> Remember<T> {
    /// The value is computed once a call. It counts towards the size of the state.
    #[must_use]
    pub fn yes() -> Self {
        Self(Some(Memory { write: RawJson::from_serialize, read: |raw| raw.parse() }))
    }
}

impl<T> fmt::Debug for Remember<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Remember").field(&self.0.is_some()).finish()
    }
}

/// What a resolver comes back with: a value (`value.into()`), or a question (`elicit(..).into()`).
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing between having a value and asking for it")]
#[expect(clippy::large_enum_variant, reason = "it is taken apart as soon as the resolver has returned it")]
pub enum Resolution<T> {
    /// The value, with nothing to ask.
    Ready(T),
    /// A question; its answer becomes the value.
    Ask(Question<T>),
}

impl<T> From<T> for Resolution<T> {
    fn from(value: T) -> Self {
        Self::Ready(value)
    }
}

impl<T> From<Question<T>> for Resolution<T> {
    fn from(question: Question<T>) -> Self {
        Self::Ask(question)
    }
}
