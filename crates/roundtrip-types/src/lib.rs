//! The words of the Model Context Protocol, revision 2026-07-28: its messages and their JSON.
//!
//! Each type here stands for one definition of the specification and bears its name. Reading is
//! lenient where a peer may be newer (unknown members, enum values and content blocks), and keeps
//! what it cannot understand as the text that arrived: see [`RawJson`]. Writing is strict: only
//! what the specification names, with absent members left out.
//!
//! No rule of the protocol lives here, only shapes. Nothing in this crate does IO.
//!
//! ```
//! use roundtrip_types::{CallToolResult, Outcome};
//!
//! let outcome = Outcome::from(CallToolResult::text("sunny"));
//! let json = serde_json::to_string(&outcome)?;
//! assert_eq!(json, r#"{"resultType":"complete","content":[{"type":"text","text":"sunny"}]}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

#[macro_use]
mod macros;

mod cache;
mod capability;
mod completion;
mod content;
mod discover;
mod elicitation;
mod error;
mod form;
mod input;
mod lenient;
mod list;
mod logging;
mod meta;
pub mod meta_keys;
mod object;
mod outcome;
mod progress;
mod prompt;
mod raw;
mod request_meta;
mod resource;
mod roots;
mod sampling;
mod subscription;
mod tagged;
mod token;
mod tool;
mod version;

pub use cache::*;
pub use capability::*;
pub use completion::*;
pub use content::*;
pub use discover::*;
pub use elicitation::*;
pub use error::*;
pub use form::*;
pub use input::*;
pub use list::*;
pub use logging::*;
pub use meta::*;
pub use object::*;
pub use outcome::*;
pub use progress::*;
pub use prompt::*;
pub use raw::*;
pub use request_meta::*;
pub use resource::*;
pub use roots::*;
pub use sampling::*;
pub use subscription::*;
pub use token::*;
pub use tool::*;
pub use version::*;
