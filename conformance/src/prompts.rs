//! Prompts: plain, with arguments, with each kind of content, and one that asks.

use roundtrip::{
    Args, Context, InputRequired, Outcome, ToolError, elicit,
    server::{McpServerBuilder, prompt},
    types::{ContentBlock, PromptMessage, ResourceContents},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::content::PNG;

pub(crate) fn add(server: McpServerBuilder) -> McpServerBuilder {
    server
        .add(
            prompt("test_simple_prompt", async || "This is a simple prompt for testing.")
                .description("One message, always the same."),
        )
        .prompt("test_prompt_with_arguments", with_arguments)
        .prompt("test_prompt_with_embedded_resource", with_resource)
        .add(prompt("test_prompt_with_image", with_image).description("A picture and a text."))
        .add(prompt("test_input_required_result_prompt", asks).description("Asks for its context."))
}

/// A message with both arguments in it.
#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// The first.
    arg1: String,
    /// The second.
    arg2: String,
}

async fn with_arguments(Args(Arguments { arg1, arg2 }): Args<Arguments>) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// A resource and a text.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WithResource {
    /// The URI that the resource bears.
    resource_uri: String,
}

async fn with_resource(Args(with): Args<WithResource>) -> Vec<PromptMessage> {
    let contents = ResourceContents::text(with.resource_uri, "Embedded resource content for testing.");
    vec![
        PromptMessage::user(ContentBlock::resource(contents.with_mime_type("text/plain"))),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

async fn with_image() -> Vec<PromptMessage> {
    vec![
        PromptMessage::user(ContentBlock::image(PNG, "image/png")),
        PromptMessage::user("Please analyze the image above."),
    ]
}

#[derive(Deserialize, JsonSchema)]
struct UserContext {
    context: String,
}

async fn asks(ctx: Context) -> Result<Outcome<String>, ToolError> {
    match ctx.answer::<UserContext>("user_context").accepted() {
        Some(user) => Ok(Outcome::Complete(format!("Use this context: {}", user.context))),
        None => {
            InputRequired::ask("user_context", elicit::<UserContext>("What context should the prompt use?"))
                .into()
        }
    }
}
