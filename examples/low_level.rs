//! The Provisioner on the low-level server: protocol objects in, protocol objects out.

use roundtrip::{
    Context, Outcome, Server,
    types::{
        CallToolRequestParams, CallToolResult, ElicitAction, ElicitRequestFormParams, ElicitResult,
        InputRequiredResult, ListToolsResult, McpError, PaginatedRequestParams, Tool,
    },
};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Provision {
    name: String,
}

#[derive(Deserialize)]
struct Region {
    region: String,
}

async fn list_tools(_: Context, _: PaginatedRequestParams) -> Result<ListToolsResult, McpError> {
    let input =
        json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    let description = "Provision a database. Asks which region to put it in.";
    Ok(ListToolsResult::new([Tool::new("provision", input).with_description(description)]))
}

/// Returning the question is the whole of it: the client comes back with the same call and the answer.
async fn call_tool(_: Context, params: CallToolRequestParams) -> Result<Outcome<CallToolResult>, McpError> {
    if params.name != "provision" {
        return Err(McpError::invalid_params(format!("there is no tool `{}`", params.name)));
    }
    let Some(region) = region(&params) else { return Ok(ask_region().into()) };
    let arguments = params.arguments.as_ref().and_then(|arguments| arguments.parse::<Provision>().ok());
    let Some(db) = arguments else { return Ok(CallToolResult::error("`name` must be a string").into()) };
    Ok(CallToolResult::text(format!("Provisioned {:?} in {region}.", db.name)).into())
}

fn ask_region() -> InputRequiredResult {
    let form =
        json!({ "type": "object", "properties": { "region": { "type": "string" } }, "required": ["region"] });
    let question = ElicitRequestFormParams::new("Which region should the database live in?", form);
    InputRequiredResult::ask("region", question).with_request_state("provision-v1")
}

/// What came back under the key of the question. Whatever is not an accepted form counts as no answer.
fn region(params: &CallToolRequestParams) -> Option<String> {
    let answer: ElicitResult = params.input_responses.as_ref()?.get("region")?.parse().ok()?;
    let accepted = answer.action == ElicitAction::Accept;
    accepted
        .then_some(answer.content)?
        .and_then(|content| content.parse::<Region>().ok())
        .map(|form| form.region)
}

fn app() -> Server {
    Server::builder("Provisioner")
        .on_list_tools(list_tools)
        .on_call_tool(call_tool)
        .build()
        .expect("nothing to misname")
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    roundtrip::http::serve(app(), "127.0.0.1:8000").await
}

#[cfg(test)]
mod tests {
    use roundtrip::{Client, types::ContentBlock};

    use super::*;

    #[tokio::test]
    async fn it_asks_for_the_region() {
        let client = Client::builder()
            .on_elicitation(async |_| ElicitResult::accept(json!({ "region": "eu-west-1" })))
            .connect(&app())
            .await
            .unwrap();
        assert_eq!(client.list_tools().await.unwrap().tools[0].name, "provision");
        let result = client.call_tool("provision", json!({ "name": "orders" })).await.unwrap();
        assert_eq!(result.content, [ContentBlock::text("Provisioned \"orders\" in eu-west-1.")]);
    }

    #[tokio::test]
    async fn who_declines_is_asked_again() {
        let client = Client::builder()
            .on_elicitation(async |_| ElicitResult::decline())
            .connect(&app())
            .await
            .unwrap();
        let error = client.call_tool("provision", json!({ "name": "orders" })).await.unwrap_err();
        assert!(error.is_too_many_rounds(), "{error}");
    }
}
