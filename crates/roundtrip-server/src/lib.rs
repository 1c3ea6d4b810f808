//! Under construction.

pub mod clock;
pub mod exchange;
pub mod principal;
pub mod seal;

#[doc(hidden)]
pub mod __private {
    pub use crate::exchange::sealed::Sealed;
}
