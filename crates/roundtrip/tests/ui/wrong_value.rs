//! A resolver that makes a value of another type.

use roundtrip::{Resolution, Resolve, ToolError};

struct Card(u32);

impl Resolve for Card {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(7_u32.into())
    }
}

fn main() {}
