//! Parameters: the types a handler or a resolver may have in its signature.
//!
//! A parameter speaks twice. At registration [`Param::declare`] says what it needs; on each call, once those
//! needs are met, [`Param::take`] gives its value. `take` is not async and asks nothing: whatever takes time or
//! an answer is a resolver, run by the plan.

use std::{fmt, ops::Deref, sync::Arc};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::{
    call::{Call, Settled},
    context::Context,
    error::ToolError,
    handler::all_arities,
    plan::{Demand, Plan},
    resolve::Resolve,
};

/// A type that can stand in a handler's signature, or in a resolver's [`Needs`](Resolve::Needs).
///
/// You never implement it: the parameters are [`Args`], [`Resolved`] (also in `Option` and in
/// `Result<_, Declined>`), [`State`], [`Context`], and tuples of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a handler or resolver",
    label = "not a parameter",
    note = "arguments that the caller sends: `Args<{Self}>`, where `{Self}: serde::Deserialize + schemars::JsonSchema`",
    note = "a value that a resolver makes or asks for: `Resolved<{Self}>`, where `{Self}: Resolve`",
    note = "a value that the server holds: `State<{Self}>`; the request itself: `Context`"
)]
pub trait Param: Sized + Send + 'static {
    /// Says what this parameter needs. Runs once, at registration.
    #[doc(hidden)]
    fn declare(plan: &mut Plan);

    /// Gives this parameter's value, from a call whose plan has run.
    #[doc(hidden)]
    fn take(call: &Call<'_>) -> Result<Self, ToolError>;
}

/// What the caller sends: a tool's `arguments`, a prompt's `arguments`, a resource template's variables.
///
/// In a handler, `T` is the whole input: its schema is what `tools/list` shows as `inputSchema` (for a prompt, its
/// fields are the prompt's arguments), and its doc comment is the description. In a resolver, `T` is the part of
/// the input that the resolver reads; `build()` checks that it fits.
///
/// Nothing but `Args` can be filled in by the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "handlers take it apart in their signatures")]
pub struct Args<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Param for Args<T> {
    fn declare(plan: &mut Plan) {
        plan.arguments::<T>();
    }

    fn take(call: &Call<'_>) -> Result<Self, ToolError> {
        call.arguments.read().map(Self)
    }
}

/// A value that a [resolver](Resolve) computes, or asks the client for, before the handler runs; at most once a
/// round, however many parameters share it.
///
/// A bare `Resolved<T>` fails the call when the person declines or cancels. Take `Option<Resolved<T>>` or
/// `Result<Resolved<T>, Declined>` to go on without.
pub struct Resolved<T>(Arc<T>);

/// For calling a handler as the plain function that it is, in a test.
impl<T> From<T> for Resolved<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Resolved<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Resolved<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: fmt::Debug> fmt::Debug for Resolved<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Resolved").field(&self.0).finish()
    }
}

/// The person declined or cancelled the question behind a [`Resolved`] value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Declined {
    /// They said no: `action: "decline"`.
    Decline,
    /// They went away without a choice: `action: "cancel"`.
    Cancel,
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Decline => "declined",
            Self::Cancel => "cancelled",
        })
    }
}

impl std::error::Error for Declined {}

/// The failure of a call that cannot go on without `T`.
pub(crate) fn declined<T: Resolve>(how: Declined) -> ToolError {
    ToolError::new(format_args!("the user {how} the question `{}`", T::key()))
}

impl<T: Resolve> Param for Resolved<T> {
    fn declare(plan: &mut Plan) {
        plan.dependency::<T>(Demand::Required);
    }

    fn take(call: &Call<'_>) -> Result<Self, ToolError> {
        match call.settled::<T>() {
            Settled::Value(value) => Ok(Self(value)),
            Settled::Declined(how) => Err(declined::<T>(how)),
        }
    }
}

impl<T: Resolve> Param for Result<Resolved<T>, Declined> {
    fn declare(plan: &mut Plan) {
        plan.dependency::<T>(Demand::Optional);
    }

    fn take(call: &Call<'_>) -> Result<Self, ToolError> {
        Ok(match call.settled::<T>() {
            Settled::Value(value) => Ok(Resolved(value)),
            Settled::Declined(how) => Err(how),
        })
    }
}

impl<T: Resolve> Param for Option<Resolved<T>> {
    fn declare(plan: &mut Plan) {
        plan.dependency::<T>(Demand::Optional);
    }

    fn take(call: &Call<'_>) -> Result<Self, ToolError> {
        Result::<Resolved<T>, Declined>::take(call).map(Result::ok)
    }
}

/// A value given to the server once, with [`state`](crate::McpServerBuilder::state).
pub struct State<T>(Arc<T>);

/// For calling a handler as the plain function that it is, in a test.
impl<T> From<T> for State<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: fmt::Debug> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.0).finish()
    }
}

impl<T: Send + Sync + 'static> Param for State<T> {
    fn declare(plan: &mut Plan) {
        plan.state::<T>();
    }

    fn take(call: &Call<'_>) -> Result<Self, ToolError> {
        Ok(Self(call.state::<T>()))
    }
}

impl Param for Context {
    fn declare(_: &mut Plan) {}

    fn take(call: &Call<'_>) -> Result<Self, ToolError> {
        Ok(call.context.clone())
    }
}

macro_rules! tuples {
    ($($T:ident $t:ident),*) => {
        impl<$($T: Param),*> Param for ($($T,)*) {
            fn declare(plan: &mut Plan) {
                let _ = &plan;
                $($T::declare(plan);)*
            }

            fn take(call: &Call<'_>) -> Result<Self, ToolError> {
                let _ = call;
                Ok(($($T::take(call)?,)*))
            }
        }
    };
}

all_arities!(tuples);
