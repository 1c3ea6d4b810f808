//! A resource with a fixed URI that wants to ask.

use roundtrip::{Context, InputRequired, McpServer, Outcome, ToolError};

async fn catalogue(_: Context) -> Result<Outcome<String>, ToolError> {
    InputRequired::later(&"asked")?.into()
}

fn main() {
    let _ = McpServer::builder("Library").resource("library://catalogue", "catalogue", catalogue);
}
