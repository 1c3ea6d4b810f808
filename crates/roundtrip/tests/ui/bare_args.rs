//! Arguments without `Args` around them.

use roundtrip::McpServer;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Loan {
    title: String,
}

async fn lend(loan: Loan) -> String {
    loan.title
}

fn main() {
    let _ = McpServer::builder("Library").tool("lend", lend);
}
