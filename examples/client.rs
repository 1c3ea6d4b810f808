//! A client that answers while its call runs: one function for all the forms that a server may ask for.

use roundtrip::{
    Client,
    client::{Error, IntoTransport},
    types::{CallToolResult, ElicitRequestParams, ElicitResult},
};
use serde_json::json;

/// Answers the question that it knows, and declines what it does not.
async fn answer(question: ElicitRequestParams) -> ElicitResult {
    match question {
        ElicitRequestParams::Form(form) if form.message.contains("region") => {
            ElicitResult::accept(json!({ "region": "eu-west-1" }))
        }
        _ => ElicitResult::decline(),
    }
}

async fn app<Marker>(server: impl IntoTransport<Marker>) -> Result<CallToolResult, Error> {
    let client = Client::builder().on_elicitation(answer).connect(server).await?;
    // The rounds in between are the client's business: what comes back is the result.
    client.call_tool("provision", json!({ "name": "orders" })).await
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "it shows the result")]
async fn main() -> Result<(), Error> {
    let result = app("http://127.0.0.1:8000/mcp").await?;
    println!("{:?}", result.content);
    Ok(())
}

#[cfg(test)]
mod tests {
    use roundtrip::{Args, McpServer, Resolution, Resolve, Resolved, ToolError, elicit, types::ContentBlock};
    use schemars::JsonSchema;
    use serde::Deserialize;

    use super::*;

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

    #[tokio::test]
    async fn it_gets_its_result_over_http() {
        let server = McpServer::builder("Provisioner").tool("provision", provision).build().unwrap();
        let listener = roundtrip::http::Listener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        tokio::spawn(async { listener.serve(server).await });
        let result = app(url).await.unwrap();
        assert_eq!(result.content, [ContentBlock::text("Provisioned \"orders\" in eu-west-1.")]);
    }
}
