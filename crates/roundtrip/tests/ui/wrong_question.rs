//! A resolver whose question asks for another type.

use roundtrip::{Resolution, Resolve, ToolError, elicit};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Form {
    number: u32,
}

struct Card(u32);

impl Resolve for Card {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        // It lacks `.map(|form| Card(form.number))`.
        Ok(elicit::<Form>("Which card?").into())
    }
}

fn main() {}
