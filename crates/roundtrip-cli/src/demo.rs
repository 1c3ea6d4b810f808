//! `roundtrip demo`: a server that asks, a client that answers, real HTTP between them.

use std::{
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use roundtrip::{
    Args, Client, McpServer, Resolution, Resolve, Resolved, ToolError,
    client::RoundInfo,
    elicit,
    http::Listener,
    types::{
        CallToolResult, ContentBlock, ElicitRequestFormParams, ElicitRequestParams, ElicitResult,
        InputRequest,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Failure, answers::Answers, say, terminal};

/// Provision a database. Asks where to put it.
#[derive(Deserialize, JsonSchema)]
struct Provision {
    /// Name of the database.
    name: String,
}

/// Where the database lives, and how.
#[derive(Deserialize, JsonSchema)]
struct Placement {
    /// Region
    region: Region,
    /// Number of copies
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 5))]
    copies: u8,
    /// Make a backup each night?
    #[serde(default = "yes")]
    backups: bool,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Region {
    /// Ireland
    #[serde(rename = "eu-west-1")]
    Ireland,
    /// Virginia
    #[serde(rename = "us-east-1")]
    Virginia,
    /// Tokyo
    #[serde(rename = "ap-northeast-1")]
    Tokyo,
}

fn one() -> u8 {
    1
}

fn yes() -> bool {
    true
}

impl Resolve for Placement {
    type Needs = Args<Provision>;

    async fn resolve(Args(db): Args<Provision>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("Where should the database {:?} live?", db.name)).into())
    }
}

async fn provision(Args(db): Args<Provision>, place: Resolved<Placement>) -> String {
    let region = serde_json::to_value(&place.region).unwrap_or_default();
    let backups = if place.backups { "with backups" } else { "without backups" };
    let copies = if place.copies == 1 { "one copy".to_owned() } else { format!("{} copies", place.copies) };
    format!("Provisioned {:?} in {}: {copies}, {backups}.", db.name, region.as_str().unwrap_or_default())
}

/// Runs the demo to its end.
pub(crate) fn run(answers: Answers) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Failure::Call(format!("no runtime: {error}")).report(),
    };
    match runtime.block_on(demo(answers)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

async fn demo(answers: Answers) -> Result<(), Failure> {
    let failed = |error: &dyn std::error::Error| Failure::Call(with_sources(error));
    if answers.is_empty() && !terminal::is_there() {
        let message = "there is no terminal to ask at; answer with --answer region=eu-west-1";
        return Err(Failure::Usage(message.to_owned()));
    }

    let server =
        McpServer::builder("Provisioner").tool("provision", provision).build().map_err(|e| failed(&e))?;
    let listener = Listener::bind("127.0.0.1:0").await.map_err(|e| failed(&e))?;
    let url = format!("http://{}/mcp", listener.local_addr().map_err(|e| failed(&e))?);
    let serving = tokio::spawn(async { listener.serve(server).await });
    say(&format!("The server \"Provisioner\" listens at {url}."));

    // What the command line lacks must end the command with its own exit code, whatever the client makes of it.
    let usage = Arc::new(Mutex::new(None));
    let (answers, noted) = (Arc::new(answers), Arc::clone(&usage));
    let client = Client::builder()
        .on_form(move |form| {
            let (answers, noted) = (Arc::clone(&answers), Arc::clone(&noted));
            async move {
                answer(&answers, form).await.inspect_err(|error| {
                    *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
                })
            }
        })
        .connect(&*url)
        .await
        .map_err(|e| failed(&e))?;

    say("The client calls provision {\"name\":\"orders\"}.");
    let call = client.call_tool("provision", json!({ "name": "orders" })).on_round(show);
    let result = call.await;
    serving.abort();
    let result = match result {
        Ok(result) => result,
        Err(error) => {
            let usage = usage.lock().unwrap_or_else(PoisonError::into_inner).take();
            return Err(usage.map_or_else(|| failed(&error), Failure::Usage));
        }
    };
    let text = text(&result);
    if result.failed() {
        return Err(Failure::Call(text));
    }
    say(&format!("Result: {text}"));
    Ok(())
}

/// Answers a form: from the command line where it says anything, else by the person at the terminal.
async fn answer(
    answers: &Answers,
    form: ElicitRequestFormParams,
) -> Result<ElicitResult, Box<dyn std::error::Error + Send + Sync>> {
    if answers.is_empty() {
        return tokio::task::spawn_blocking(move || terminal::ask(&form)).await?;
    }
    let content = answers.fill(&form.requested_schema.fields()?)?;
    say(&format!("Answered from the command line: {}", serde_json::Value::from(content.clone())));
    Ok(ElicitResult::accept(serde_json::Value::from(content)))
}

/// Shows a round: what is asked, and how much state travels with it, but never what is in it.
fn show(round: RoundInfo<'_>) {
    say(&format!("Round {}: the result is `input_required`.", round.number()));
    for (key, question) in round.questions() {
        let kind = match question {
            InputRequest::Elicit(ElicitRequestParams::Form(_)) => "a form",
            InputRequest::Elicit(_) => "an address to open",
            InputRequest::CreateMessage(_) => "a completion by the model",
            InputRequest::ListRoots => "the roots",
            _ => "something else",
        };
        say(&format!("  question `{key}`: {kind}"));
    }
    if let Some(bytes) = round.state_len() {
        say(&format!("  sealed state: {bytes} bytes, which only the server can read"));
    }
}

fn text(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}
