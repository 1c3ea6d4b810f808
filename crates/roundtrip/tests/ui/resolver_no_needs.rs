//! A resolver that does not say what it needs.

use roundtrip::{Resolution, Resolve, ToolError};

struct Card;

impl Resolve for Card {
    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(Card.into())
    }
}

fn main() {}
