//! Not only tools: a prompt that drives its own rounds, and a resource template that asks through a resolver.

use roundtrip::{
    Args, Context, InputRequired, McpServer, Outcome, Resolution, Resolve, Resolved, ToolError, elicit,
    types::{ContentBlock, PromptMessage},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Who reads it.
#[derive(Deserialize, JsonSchema)]
struct Audience {
    audience: String,
}

/// A prompt by hand: on the first round it asks, on the next it reads the answer from the context.
async fn briefing(ctx: Context) -> Result<Outcome<Vec<PromptMessage>>, ToolError> {
    let Some(reader) = ctx.answer::<Audience>("audience").accepted() else {
        return InputRequired::ask("audience", elicit::<Audience>("Who is the briefing for?")).into();
    };
    let text = ContentBlock::text(format!("Write a briefing for {}.", reader.audience));
    Ok(Outcome::Complete(vec![PromptMessage::user(text)]))
}

/// A report of one quarter.
#[derive(Deserialize, JsonSchema)]
struct Report {
    quarter: u8,
}

/// How much of the report is wanted.
#[derive(Deserialize, JsonSchema)]
struct Detail {
    /// Every figure, or the summary alone?
    every_figure: bool,
}

impl Resolve for Detail {
    type Needs = Args<Report>;

    async fn resolve(Args(report): Args<Report>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("All the figures of quarter {}?", report.quarter)).into())
    }
}

/// A template with a resolver: a question is a parameter here too.
async fn report(Args(report): Args<Report>, detail: Resolved<Detail>) -> String {
    let what = if detail.every_figure { "every figure" } else { "the summary" };
    format!("Quarter {}: {what}.", report.quarter)
}

fn app() -> McpServer {
    McpServer::builder("Briefing")
        .add(
            roundtrip::server::prompt("briefing", briefing)
                .description("Draft a briefing tuned to its audience."),
        )
        .template("reports://2026/{quarter}", "report", report)
        .build()
        .expect("the template's variables are the handler's arguments")
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    roundtrip::http::serve(app(), "127.0.0.1:8000").await
}

#[cfg(test)]
mod tests {
    use roundtrip::{Client, types::ElicitResult};
    use serde_json::{Value, json};

    use super::*;

    async fn client(answer: Value) -> Client {
        let answer = ElicitResult::accept(answer);
        Client::builder()
            .on_elicitation(move |_| std::future::ready(answer.clone()))
            .connect(&app())
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn the_prompt_asks() {
        let client = client(json!({ "audience": "the board" })).await;
        let prompt = client.get_prompt("briefing", json!({})).await.unwrap();
        assert_eq!(prompt.messages[0].content, ContentBlock::text("Write a briefing for the board."));
    }

    #[tokio::test]
    async fn the_template_asks() {
        let client = client(json!({ "every_figure": true })).await;
        let report = client.read_resource("reports://2026/3").await.unwrap();
        assert_eq!(report.contents[0].as_text(), Some("Quarter 3: every figure."));
    }
}
