//! A handler that is not async.

use roundtrip::{Args, McpServer};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Loan {
    title: String,
}

fn lend(Args(loan): Args<Loan>) -> String {
    loan.title
}

fn main() {
    let _ = McpServer::builder("Library").tool("lend", lend);
}
