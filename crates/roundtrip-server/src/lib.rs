//! A Model Context Protocol server without a socket: tools, prompts and resources over plain async functions, whose
//! calls can ask.
//!
//! ```
//! use roundtrip_server::{Args, McpServer, Resolution, Resolve, Resolved, ToolError, elicit};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! /// Provision a database. Asks which region to put it in.
//! #[derive(Deserialize, JsonSchema)]
//! struct Provision {
//!     /// Name of the database.
//!     name: String,
//! }
//!
//! /// Where the database lives.
//! #[derive(Deserialize, JsonSchema)]
//! struct Region {
//!     region: String,
//! }
//!
//! impl Resolve for Region {
//!     type Needs = ();
//!
//!     async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
//!         Ok(elicit("Which region should the database live in?").into())
//!     }
//! }
//!
//! async fn provision(Args(db): Args<Provision>, place: Resolved<Region>) -> String {
//!     format!("Provisioned {:?} in {}.", db.name, place.region)
//! }
//!
//! let server = McpServer::builder("Provisioner").tool("provision", provision).build()?;
//! # Ok::<(), roundtrip_server::BuildError>(())
//! ```
//!
//! A call goes this way, a file a hop: [`serve`](Serve::serve) decodes and dispatches, `rounds` opens the state, runs
//! the plan of the handler's [parameters](Param) and then asks (and seals) or calls the handler.

pub mod clock;
pub mod exchange;
pub mod lowlevel;
pub mod seal;

mod body;
mod cache;
mod call;
mod checks;
mod completion;
mod context;
mod conversation;
mod error;
mod field_order;
mod form;
mod handler;
mod input;
mod list;
mod param;
mod plan;
mod principal;
mod progress;
mod prompt;
mod question;
mod reply;
mod resolve;
mod resource;
mod rounds;
mod run;
mod serve;
mod server;
mod strings;
mod subscriptions;
mod tool;

pub use completion::IntoCompletion;
pub use context::Context;
pub use error::{BuildError, ToolError};
pub use exchange::Serve;
pub use form::Form;
pub use handler::Handler;
pub use input::{Answer, InputRequired};
pub use param::{Args, Declined, Param, Resolved, State};
pub use principal::Principal;
pub use prompt::{IntoPromptResult, PromptHandler, prompt};
pub use question::{Opened, Question, elicit, elicit_schema, elicit_url, list_roots, sample, sample_with};
pub use resolve::{Remember, Resolution, Resolve};
pub use resource::{IntoResource, IntoStaticResource, ResourceHandler, TemplateHandler, resource, template};
pub use roundtrip_protocol::uri_template::ValuePolicy;
pub use roundtrip_types::Outcome;
pub use server::{McpServer, McpServerBuilder, Registration};
pub use tool::{IntoToolResult, Json, ToolHandler, tool};

// Named in hidden methods of public traits, for nobody to call.
#[doc(hidden)]
pub use {call::Call, plan::Plan};
