//! A resolver that needs what is no parameter.

use roundtrip::{Context, Resolution, Resolve, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Loan {
    title: String,
}

struct Card(usize);

impl Resolve for Card {
    type Needs = (Loan, Context);

    async fn resolve((loan, _): (Loan, Context)) -> Result<Resolution<Self>, ToolError> {
        Ok(Card(loan.title.len()).into())
    }
}

fn main() {}
