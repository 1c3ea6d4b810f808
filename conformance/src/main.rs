//! The server that the protocol's public conformance suite is run against: `cargo xtask conformance`.
//!
//! The suite knows each tool, prompt and resource by its name, and what it has to do.

mod content;
mod prompts;
mod resources;
mod rounds;
mod special;

use std::error::Error;

use roundtrip::{
    McpServer,
    http::Listener,
    server::{BuildError, Context},
    types::CompleteRequestParams,
};

/// Serves on `--port`, or the variable `PORT`, of the loopback address; 0 is a free port. Prints where.
#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "whoever asks for a free port has to learn which it is")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = Listener::bind(("127.0.0.1", port()?)).await?;
    println!("listening on http://{}/mcp", listener.local_addr()?);
    listener.serve(app()?).await?;
    Ok(())
}

fn port() -> Result<u16, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let port = match (args.next().as_deref(), args.next()) {
        (None, _) => std::env::var("PORT").unwrap_or_else(|_| "3000".to_owned()),
        (Some("--port"), Some(port)) => port,
        _ => return Err("usage: roundtrip-conformance [--port PORT]".into()),
    };
    Ok(port.parse()?)
}

/// The server with everything that the suite asks for. The first tool has to need no arguments.
fn app() -> Result<McpServer, BuildError> {
    let server = McpServer::builder("roundtrip-conformance").announce_tools().announce_prompts().logging();
    let server = rounds::add(special::add(content::add(server)));
    resources::add(prompts::add(server)).completion(complete).build()
}

async fn complete(_ctx: Context, params: CompleteRequestParams) -> Vec<String> {
    let known = ["testValue1", "testValue2", "paris"];
    known.into_iter().filter(|value| value.starts_with(&params.argument.value)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use roundtrip::Client;

    use super::*;

    #[tokio::test]
    async fn the_first_tool_and_the_first_resource_need_nothing() {
        let client = Client::connect(&app().unwrap()).await.unwrap();
        let tools = client.list_tools().all().await.unwrap();
        assert_eq!(tools[0].name, "test_simple_text");
        assert!(tools.iter().all(|tool| tool.description.is_some()), "a tool has no description");
        let result = client.call_tool("test_simple_text", ()).await.unwrap();
        assert_eq!(result.content[0].as_text(), Some("This is a simple text response for testing."));
        let resources = client.list_resources().all().await.unwrap();
        let read = client.read_resource(&resources[0].uri).await.unwrap();
        assert!(!read.contents.is_empty());
    }
}
