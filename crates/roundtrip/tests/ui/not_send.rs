//! A handler that holds what can't go to another thread.

use std::rc::Rc;

use roundtrip::{Args, McpServer};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Loan {
    title: String,
}

async fn lend(Args(loan): Args<Loan>) -> String {
    let title = Rc::new(loan.title);
    std::future::ready(()).await;
    title.to_uppercase()
}

fn main() {
    let _ = McpServer::builder("Library").tool("lend", lend);
}
