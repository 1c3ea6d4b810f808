//! Tools that show each kind of content, and each way a plain call can go.

use roundtrip::{
    Context, ToolError,
    server::{McpServerBuilder, tool},
    types::{ContentBlock, ResourceContents},
};

/// The smallest picture and the smallest sound.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

pub(crate) fn add(server: McpServerBuilder) -> McpServerBuilder {
    server
        .add(
            tool("test_simple_text", async || "This is a simple text response for testing.")
                .description("Returns one text."),
        )
        .add(
            tool("test_image_content", async || ContentBlock::image(PNG, "image/png"))
                .description("Returns one image."),
        )
        .add(
            tool("test_audio_content", async || ContentBlock::audio(WAV, "audio/wav"))
                .description("Returns one sound."),
        )
        .add(tool("test_embedded_resource", embedded).description("Returns one embedded resource."))
        .add(
            tool("test_multiple_content_types", mixed)
                .description("Returns a text, an image and a resource."),
        )
        .add(tool("test_error_handling", failing).description("Fails, in words for the model."))
        .add(tool("test_tool_with_progress", with_progress).description("Reports progress three times."))
}

async fn embedded() -> ContentBlock {
    let contents =
        ResourceContents::text("test://embedded-resource", "This is an embedded resource content.");
    ContentBlock::resource(contents.with_mime_type("text/plain"))
}

async fn mixed() -> Vec<ContentBlock> {
    let resource = ResourceContents::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
    vec![
        ContentBlock::text("Multiple content types test:"),
        ContentBlock::image(PNG, "image/png"),
        ContentBlock::resource(resource.with_mime_type("application/json")),
    ]
}

async fn failing() -> Result<String, ToolError> {
    Err(ToolError::new("This tool intentionally returns an error for testing"))
}

async fn with_progress(ctx: Context) -> &'static str {
    for done in [0.0, 50.0, 100.0] {
        ctx.report_progress(done, Some(100.0), None).await;
    }
    "Reported progress three times."
}
