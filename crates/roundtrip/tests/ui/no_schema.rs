//! Arguments that have no schema.

use roundtrip::{Args, McpServer};
use serde::Deserialize;

#[derive(Deserialize)]
struct Loan {
    title: String,
}

async fn lend(Args(loan): Args<Loan>) -> String {
    loan.title
}

fn main() {
    let _ = McpServer::builder("Library").tool("lend", lend);
}
