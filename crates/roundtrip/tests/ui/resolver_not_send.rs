//! A resolver that holds what can't go to another thread.

use std::rc::Rc;

use roundtrip::{Resolution, Resolve, ToolError};

struct Card(usize);

impl Resolve for Card {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        let number = Rc::new(7);
        std::future::ready(()).await;
        Ok(Card(*number).into())
    }
}

fn main() {}
