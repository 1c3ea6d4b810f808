//! Our server for the benchmarks: the tools that every server in the lab has, written as a user would write them.

use std::error::Error;

use roundtrip::{
    Args, Json, McpServer, Resolution, Resolve, Resolved, ToolError, elicit,
    server::{BuildError, tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many tools stand beside the three that are called, so that a list has a realistic size.
const FILLERS: usize = 47;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some("--port"), Some(port)) = (args.next().as_deref(), args.next()) else {
        return Err("usage: roundtrip-bench --port PORT".into());
    };
    roundtrip::http::serve(app()?, ("127.0.0.1", port.parse::<u16>()?)).await?;
    Ok(())
}

fn app() -> Result<McpServer, BuildError> {
    let mut server = McpServer::builder("lab")
        .version("1.0.0")
        .tool("echo", echo)
        .tool("add", add)
        .tool("provision", provision);
    for number in 1..=FILLERS {
        let described = format!("Filler tool {number:02}, present so that tools/list has a realistic size.");
        server = server.add(tool(format!("filler_{number:02}"), filler).description(described));
    }
    server.build()
}

/// Echo the text back unchanged.
#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

async fn echo(Args(said): Args<Echo>) -> String {
    said.text
}

/// Add two integers and return the sum.
#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(JsonSchema, Serialize)]
struct Sum {
    sum: i64,
}

async fn add(Args(Add { a, b }): Args<Add>) -> Result<Json<Sum>, ToolError> {
    let sum = a.checked_add(b).ok_or_else(|| ToolError::new("the sum does not fit into 64 bits"))?;
    Ok(Json(Sum { sum }))
}

/// Provision a database. Asks which region to put it in.
#[derive(Deserialize, JsonSchema)]
struct Provision {
    name: String,
}

/// Where the database lives.
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
    format!("Provisioned '{}' in {}.", db.name, place.region)
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "a filler has the arguments of a real tool and reads one of them")]
struct Filler {
    /// The identifier of the record.
    id: String,
    /// How many records to return.
    count: Option<i64>,
    /// Whether to return every field.
    verbose: Option<bool>,
}

async fn filler(Args(asked): Args<Filler>) -> String {
    asked.id
}

#[cfg(test)]
mod tests {
    use roundtrip::{Client, client::ElicitResult};
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn the_tools_do_what_the_lab_checks() {
        let client = Client::builder()
            .on_elicitation(async |_question| ElicitResult::accept(json!({ "region": "eu-west-1" })))
            .connect(&app().unwrap())
            .await
            .unwrap();
        assert_eq!(client.list_tools().all().await.unwrap().len(), 50);
        let echoed = client.call_tool("echo", json!({ "text": "a \"b\"\n" })).await.unwrap();
        assert_eq!(echoed.content[0].as_text(), Some("a \"b\"\n"));
        let added = client.call_tool("add", json!({ "a": 2, "b": 3 })).await.unwrap();
        assert_eq!(added.structured_content.unwrap().get(), r#"{"sum":5}"#);
        let provisioned = client.call_tool("provision", json!({ "name": "orders" })).await.unwrap();
        assert_eq!(provisioned.content[0].as_text(), Some("Provisioned 'orders' in eu-west-1."));
    }
}
