//! A resolved value that nothing resolves.

use roundtrip::{McpServer, Resolved};

struct Card;

async fn lend(_: Resolved<Card>) -> &'static str {
    "lent"
}

fn main() {
    let _ = McpServer::builder("Library").tool("lend", lend);
}
