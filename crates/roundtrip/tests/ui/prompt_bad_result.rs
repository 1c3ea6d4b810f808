//! A prompt that returns what is no result of a prompt.

use roundtrip::{Args, Json, McpServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema, Serialize)]
struct Loan {
    title: String,
}

async fn review(Args(loan): Args<Loan>) -> Json<Loan> {
    Json(loan)
}

fn main() {
    let _ = McpServer::builder("Library").prompt("review", review);
}
