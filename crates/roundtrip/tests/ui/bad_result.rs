//! A tool that returns what is no result of a tool.

use roundtrip::{Args, McpServer};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Loan {
    title: String,
}

async fn lend(Args(loan): Args<Loan>) -> usize {
    loan.title.len()
}

fn main() {
    let _ = McpServer::builder("Library").tool("lend", lend);
}
