//! A call that waits in a file: one process asks for it, another one, any day, goes on with the answer.
//!
//! ```console
//! $ by_hand start  URL FILE NAME      # calls `provision`, and keeps the call in FILE if the server asks
//! $ by_hand answer URL FILE REGION    # answers, and goes on
//! ```

use std::{error::Error, fs, path::Path};

use roundtrip::{
    Client, PendingCall, Round,
    types::{CallToolResult, ClientCapabilities, ContentBlock, ElicitResult, ElicitationCapability},
};
use serde_json::json;

/// What a round came to, in a line.
async fn app(arguments: &[String]) -> Result<String, Box<dyn Error>> {
    let [command, url, file, word] = arguments else {
        return Err("usage: by_hand start|answer URL FILE WORD".into());
    };
    let file = Path::new(file);
    // Nobody answers while the call runs, yet the server may ask: the answers come by hand.
    let capabilities = ClientCapabilities::new().with_elicitation(ElicitationCapability::form());
    let client = Client::builder().by_hand(capabilities).connect(url.as_str()).await?;
    let round = match command.as_str() {
        "start" => client.call_tool("provision", json!({ "name": word })).once().await?,
        "answer" => {
            let pending: PendingCall<CallToolResult> = serde_json::from_slice(&fs::read(file)?)?;
            let pending = pending.answer("region", ElicitResult::accept(json!({ "region": word })))?;
            client.resume(pending).once().await?
        }
        other => return Err(format!("no command `{other}`").into()),
    };
    match round {
        Round::InputRequired(pending) => {
            // The file holds the arguments and the server's sealed state: it belongs where those may be kept.
            fs::write(file, serde_json::to_vec(&pending)?)?;
            Ok(format!("waits for {}", pending.unanswered().collect::<Vec<_>>().join(", ")))
        }
        Round::Complete(result) => {
            let texts = result.content.iter().map(|block| match block {
                ContentBlock::Text(text) => text.text.as_str(),
                _ => "(not text)",
            });
            Ok(texts.collect())
        }
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "it shows how far the call came")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("{}", app(&arguments).await?);
    Ok(())
}
