//! Resources of each kind.

use roundtrip::{
    Args,
    server::{McpServerBuilder, resource, template},
    types::ResourceContents,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::content::PNG;

pub(crate) fn add(server: McpServerBuilder) -> McpServerBuilder {
    server
        .add(
            resource(
                "test://static-text",
                "static-text",
                async || "This is the content of the static text resource.",
            )
            .description("A text.")
            .mime_type("text/plain"),
        )
        .add(
            resource("test://static-binary", "static-binary", binary)
                .description("A picture.")
                .mime_type("image/png"),
        )
        .add(template("test://template/{id}/data", "template", data).mime_type("application/json"))
}

async fn binary() -> ResourceContents {
    ResourceContents::blob("test://static-binary", PNG).with_mime_type("image/png")
}

/// The data of an id.
#[derive(Deserialize, JsonSchema)]
struct Data {
    id: String,
}

async fn data(Args(Data { id }): Args<Data>) -> String {
    json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") }).to_string()
}
