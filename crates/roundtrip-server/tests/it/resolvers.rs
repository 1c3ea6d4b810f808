//! Resolvers: what is asked, when, and what becomes of the answers.

mod answers;
mod capabilities;
mod failures;
mod kinds;
mod pinning;
mod rounds;
mod scheduling;

use roundtrip_server::{Resolution, Resolve, ToolError, elicit};
use schemars::JsonSchema;
use serde::Deserialize;

/// Where to ship to.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct Port {
    city: String,
}

impl Resolve for Port {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("Which port?").into())
    }
}

/// How fast.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct Speed {
    knots: u8,
}

impl Resolve for Speed {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("How fast?").into())
    }
}
