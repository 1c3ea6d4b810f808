//! Under construction.

pub mod exchange;

#[doc(hidden)]
pub mod __private {
    pub use crate::exchange::sealed::Sealed;
}
