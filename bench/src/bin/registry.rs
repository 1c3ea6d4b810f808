//! What a call costs by the number of tools in the server: a line each, the number and nanoseconds a call.
//!
//! Client and server are in one process, so that no network hides the difference.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use roundtrip::{Args, Client, McpServer, server::BuildError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

const SIZES: [usize; 3] = [1, 100, 10_000];

/// Each size is measured this often, in turn, and the least counts: whatever else the machine does only adds.
const ROUNDS: usize = 9;
const CALLS: u32 = 5_000;

/// Echo the text back unchanged.
#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

async fn echo(Args(said): Args<Echo>) -> String {
    said.text
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "the numbers are what this program is for")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut clients = Vec::new();
    for size in SIZES {
        clients.push(Client::builder().connect_without_discover(&server(size)?)?);
    }
    let mut least = [Duration::MAX; SIZES.len()];
    for _ in 0..ROUNDS {
        for (at, client) in clients.iter().enumerate() {
            least[at] = least[at].min(calls(client, SIZES[at]).await?);
        }
    }
    for (size, time) in SIZES.iter().zip(least) {
        println!("{size} {:.0}", time.as_secs_f64() * 1e9 / f64::from(CALLS));
    }
    Ok(())
}

fn server(size: usize) -> Result<McpServer, BuildError> {
    let server = McpServer::builder("registry");
    (0..size).fold(server, |server, number| server.tool(format!("echo_{number:05}"), echo)).build()
}

/// The time of [`CALLS`] calls, of tools all over the registry.
async fn calls(client: &Client, size: usize) -> Result<Duration, Box<dyn Error>> {
    let arguments = json!({ "text": "unlike any other" });
    let names: Vec<_> = (0..64).map(|step| format!("echo_{:05}", step * 7919 % size)).collect();
    let began = Instant::now();
    for number in 0..CALLS {
        let name = &names[number as usize % names.len()];
        let result = client.call_tool(name, &arguments).await?;
        if result.content.len() != 1 {
            return Err("an echo went wrong".into());
        }
    }
    Ok(began.elapsed())
}
