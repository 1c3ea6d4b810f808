//! A call that one process starts and another one finishes.

use std::{path::Path, process::Output};

use roundtrip::{Args, McpServer, Resolution, Resolve, Resolved, ToolError, elicit};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Provision {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Region {
    region: String,
}

impl Resolve for Region {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("Which region should the database live in?").into())
    }
}

async fn provision(Args(db): Args<Provision>, place: Resolved<Region>) -> String {
    format!("Provisioned {:?} in {}.", db.name, place.region)
}

/// Runs the example as a process of its own.
async fn by_hand(command: &str, url: &str, file: &Path, word: &str) -> Output {
    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_by_hand"));
    process.args([command, url]).arg(file).arg(word);
    tokio::task::spawn_blocking(move || process.output()).await.expect("no panic").expect("it runs")
}

fn line(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[tokio::test]
async fn another_process_goes_on_with_the_call() {
    let server = McpServer::builder("Provisioner").tool("provision", provision).build().unwrap();
    let listener = roundtrip::http::Listener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async { listener.serve(server).await });
    let file = std::env::temp_dir().join(format!("roundtrip-by-hand-{}.json", std::process::id()));

    assert_eq!(line(&by_hand("start", &url, &file, "orders").await), "waits for region");
    assert_eq!(
        line(&by_hand("answer", &url, &file, "eu-west-1").await),
        "Provisioned \"orders\" in eu-west-1."
    );

    // The file is the call: what it says of the arguments is bound to the server's state.
    let saved = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, saved.replace("orders", "customers")).unwrap();
    let refused = by_hand("answer", &url, &file, "eu-west-1").await;
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("Invalid or expired requestState"));
    std::fs::remove_file(&file).unwrap();
}
