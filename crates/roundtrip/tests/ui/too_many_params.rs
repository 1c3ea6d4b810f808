//! A handler with more parameters than eight.

use roundtrip::{Context, McpServer};

async fn lend(
    _: Context,
    _: Context,
    _: Context,
    _: Context,
    _: Context,
    _: Context,
    _: Context,
    _: Context,
    _: Context,
) -> &'static str {
    "lent"
}

fn main() {
    let _ = McpServer::builder("Library").tool("lend", lend);
}
