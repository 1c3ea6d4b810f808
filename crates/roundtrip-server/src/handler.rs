//! Handlers: async functions over [parameters](crate::Param).

/// A function from the parameters `P` (a tuple) to the future `Fut`.
///
/// It says nothing about what `P` and `Fut` may be, so that the compiler finds both from the function alone, and
/// then blames the one parameter, or the result, that does not fit. Every `async fn` and closure of up to eight
/// parameters is one. A closure that captures is written `move |..| async move { .. }`; better still, keep what it
/// captures in the server's [`State`](crate::State).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handler",
    label = "expected an `async fn` or a closure of up to 8 parameters"
)]
pub trait Handler<P, Fut>: Send + Sync + 'static {
    /// Calls the function.
    #[doc(hidden)]
    fn call(&self, params: P) -> Fut;
}

macro_rules! handlers {
    ($($T:ident $t:ident),*) => {
        impl<Func, Fut, $($T),*> Handler<($($T,)*), Fut> for Func
        where
            Func: Fn($($T),*) -> Fut + Send + Sync + 'static,
        {
            fn call(&self, ($($t,)*): ($($T,)*)) -> Fut {
                self($($t),*)
            }
        }
    };
}

/// Runs a macro for each number of parameters a handler may have.
macro_rules! all_arities {
    ($each:ident) => {
        $each!();
        $each!(A a);
        $each!(A a, B b);
        $each!(A a, B b, C c);
        $each!(A a, B b, C c, D d);
        $each!(A a, B b, C c, D d, E e);
        $each!(A a, B b, C c, D d, E e, F f);
        $each!(A a, B b, C c, D d, E e, F f, G g);
        $each!(A a, B b, C c, D d, E e, F f, G g, H h);
    };
}
pub(crate) use all_arities;

all_arities!(handlers);
