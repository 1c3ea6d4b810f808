//! Tools that show what goes on around a call: headers, capabilities, logs, changes, schemas.

use roundtrip::{
    Args, Context, InputRequired, Outcome, ToolError, elicit,
    server::{McpServerBuilder, tool},
    types::{ClientCapabilities, LoggingLevel, McpError, SamplingCapability},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::rounds::UserName;

pub(crate) fn add(server: McpServerBuilder) -> McpServerBuilder {
    server
        .tool("test_custom_header", custom_header)
        .add(
            tool("json_schema_2020_12_tool", with_schema)
                .input_schema(schema())
                .description("Has a rich schema."),
        )
        .add(tool("test_missing_capability", needs_sampling).description("Wants a client that can sample."))
        .add(tool("test_streaming_elicitation", elicits).description("Asks one question."))
        .add(tool("test_logging_tool", logs).description("Logs at the level info."))
        .add(tool("test_trigger_tool_change", tools_changed).description("Says that the tools changed."))
        .add(
            tool("test_trigger_prompt_change", prompts_changed).description("Says that the prompts changed."),
        )
}

/// Echoes a value that also travels in a header.
#[derive(Deserialize, JsonSchema)]
struct CustomHeader {
    #[schemars(extend("x-mcp-header" = "Value"))]
    value: String,
}

async fn custom_header(Args(header): Args<CustomHeader>) -> String {
    header.value
}

async fn with_schema(Args(arguments): Args<Value>) -> String {
    arguments.to_string()
}

/// The suite compares this with its own copy, keyword by keyword.
fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

async fn needs_sampling(ctx: Context) -> Result<&'static str, ToolError> {
    if ctx.client_capabilities().supports_sampling() {
        return Ok("This client can sample.");
    }
    let required = ClientCapabilities::new().with_sampling(SamplingCapability::default());
    Err(McpError::missing_client_capability(&required, "this tool needs a client that can sample").into())
}

async fn elicits(ctx: Context) -> Result<Outcome<String>, ToolError> {
    match ctx.answer::<UserName>("user_name").accepted() {
        Some(user) => Ok(Outcome::Complete(format!("Hello, {}!", user.name))),
        None => InputRequired::ask("user_name", elicit::<UserName>("What is your name?")).into(),
    }
}

async fn logs(ctx: Context) -> &'static str {
    ctx.log(LoggingLevel::Info, "The tool was called.").await;
    "Logged, if you wanted to hear of it."
}

async fn tools_changed(ctx: Context) -> &'static str {
    ctx.notify_tools_changed();
    "Said that the tools changed."
}

async fn prompts_changed(ctx: Context) -> &'static str {
    ctx.notify_prompts_changed();
    "Said that the prompts changed."
}
