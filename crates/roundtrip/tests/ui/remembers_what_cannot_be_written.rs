//! A resolver that is to be remembered, of a type that has no JSON form.

use roundtrip::{Resolution, Resolve, ToolError, server::Remember};

struct Card(u32);

impl Resolve for Card {
    type Needs = ();

    fn remember() -> Remember<Self> {
        Remember::yes()
    }

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(Card(7).into())
    }
}

fn main() {}
