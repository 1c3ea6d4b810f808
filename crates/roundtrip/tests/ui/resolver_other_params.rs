//! A resolver that takes something else than what it needs.

use roundtrip::{Args, Resolution, Resolve, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Loan {
    title: String,
}

struct Card(usize);

impl Resolve for Card {
    type Needs = Args<Loan>;

    async fn resolve(loan: Loan) -> Result<Resolution<Self>, ToolError> {
        Ok(Card(loan.title.len()).into())
    }
}

fn main() {}
