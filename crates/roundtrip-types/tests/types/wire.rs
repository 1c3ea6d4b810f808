//! Each type with all of its members, as the specification writes them.

use roundtrip_types::*;
use serde_json::json;

use crate::{read, refused, survives};

#[test]
fn tools() {
    survives::<Tool>(
        r##"{"name":"t","title":"T","description":"d","inputSchema":{"type":"object","z":1,"a":{"$ref":"#/$defs/x"}},"outputSchema":true,"annotations":{"title":"A","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"icons":[{"src":"s","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"}],"_meta":{"k":[1]}}"##,
    );
    survives::<Tool>(r#"{"name":"t","inputSchema":{"type":"object"}}"#);
    survives::<CallToolRequestParams>(
        r#"{"name":"t","arguments":{"b":1,"a":2},"inputResponses":{"k":{"action":"cancel"}},"requestState":" s ","_meta":{}}"#,
    );
    survives::<CallToolResult>(
        r#"{"content":[{"type":"text","text":"x"}],"structuredContent":{"b":1,"a":2},"isError":true,"_meta":{"a":null}}"#,
    );
}

#[test]
fn a_tool_shows_its_title_before_the_one_of_its_annotations() {
    let plain = Tool::new("name", json!({"type": "object"}));
    assert_eq!(plain.display_name(), "name");
    let annotated = plain.with_annotations(ToolAnnotations::new().with_title("annotated"));
    assert_eq!(annotated.display_name(), "annotated");
    assert_eq!(annotated.with_title("title").display_name(), "title");
}

#[test]
fn content() {
    for block in [
        r#"{"type":"text","text":"x","annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"k":1}}"#,
        r#"{"type":"image","data":"AA==","mimeType":"image/png","_meta":{"k":1}}"#,
        r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#,
        r#"{"type":"resource_link","uri":"u:1","name":"n","title":"T","description":"d","mimeType":"m","annotations":{"priority":1},"size":3,"icons":[],"_meta":{}}"#,
        r#"{"type":"resource","resource":{"uri":"u:1","mimeType":"m","text":"x","_meta":{"k":1}},"annotations":{"priority":0},"_meta":{}}"#,
        r#"{"type":"resource","resource":{"uri":"u:1","blob":"AA=="}}"#,
    ] {
        survives::<ContentBlock>(block);
        survives::<PromptMessage>(&format!(r#"{{"role":"user","content":{block}}}"#));
    }
}

#[test]
fn the_constructors_of_content_make_the_kind_they_name() {
    let kinds = [
        (ContentBlock::text("x"), "text"),
        (ContentBlock::image("", "m"), "image"),
        (ContentBlock::audio("", "m"), "audio"),
        (ContentBlock::resource_link(Resource::new("u:1", "n")), "resource_link"),
        (ContentBlock::resource(ResourceContents::blob("u:1", "")), "resource"),
    ];
    for (block, kind) in kinds {
        assert_eq!(block.kind(), kind);
        let json = serde_json::to_value(&block).unwrap();
        assert_eq!(json["type"], kind);
        assert_eq!(serde_json::from_value::<ContentBlock>(json).unwrap(), block);
    }
}

#[test]
fn resource_contents_are_text_or_a_blob() {
    assert!(refused::<ResourceContents>(r#"{"uri":"u:1"}"#).contains("neither text nor blob"));
    let contents = ResourceContents::text("u:1", "x").with_mime_type("m").with_meta(Meta::new());
    assert_eq!((contents.uri(), contents.as_text(), contents.mime_type()), ("u:1", Some("x"), Some("m")));
    assert_eq!(ResourceContents::blob("u:2", "AA==").with_mime_type("n").mime_type(), Some("n"));
}

#[test]
fn prompts_and_resources() {
    survives::<Prompt>(
        r#"{"name":"p","title":"T","description":"d","arguments":[{"name":"a","title":"A","description":"d","required":true}],"icons":[],"_meta":{}}"#,
    );
    survives::<GetPromptRequestParams>(r#"{"name":"p","arguments":{"a":"1"},"requestState":""}"#);
    refused::<GetPromptRequestParams>(r#"{"name":"p","arguments":{"a":1}}"#);
    survives::<GetPromptResult>(
        r#"{"description":"d","messages":[{"role":"assistant","content":{"type":"text","text":"x"}}],"_meta":{}}"#,
    );
    survives::<ResourceTemplate>(
        r#"{"uriTemplate":"u:{x}","name":"n","title":"T","description":"d","mimeType":"m","annotations":{},"icons":[],"_meta":{}}"#,
    );
    survives::<ReadResourceRequestParams>(r#"{"uri":"u:1","inputResponses":{},"requestState":"s"}"#);
    survives::<ReadResourceResult>(
        r#"{"contents":[{"uri":"u:1","text":"x"}],"ttlMs":18446744073709551615,"cacheScope":"public","_meta":{}}"#,
    );
}

#[test]
fn lists() {
    survives::<PaginatedRequestParams>(r#"{"cursor":"","_meta":{}}"#);
    survives::<ListToolsResult>(r#"{"tools":[],"nextCursor":"","ttlMs":5,"cacheScope":"public","_meta":{}}"#);
    survives::<ListPromptsResult>(r#"{"prompts":[{"name":"p"}],"ttlMs":0,"cacheScope":"private"}"#);
    survives::<ListResourcesResult>(
        r#"{"resources":[{"uri":"u:1","name":"n"}],"ttlMs":0,"cacheScope":"private"}"#,
    );
    survives::<ListResourceTemplatesResult>(
        r#"{"resourceTemplates":[{"uriTemplate":"u:{x}","name":"n"}],"ttlMs":0,"cacheScope":"private"}"#,
    );
}

#[test]
fn completion() {
    survives::<CompleteRequestParams>(
        r#"{"ref":{"type":"ref/prompt","name":"p","title":"T"},"argument":{"name":"a","value":""},"context":{"arguments":{"b":"1"}},"_meta":{}}"#,
    );
    let params: CompleteRequestParams =
        read(r#"{"ref":{"uri":"u:{x}","type":"ref/resource"},"argument":{"name":"a","value":"v"}}"#);
    assert_eq!(params.reference, CompletionReference::resource("u:{x}"));
    refused::<CompletionReference>(r#"{"type":"ref/tool","name":"t"}"#);
    refused::<CompletionReference>(r#"{"type":"ref/prompt","uri":"u:1"}"#);
    survives::<CompleteResult>(r#"{"completion":{"values":["a"],"total":7,"hasMore":true}}"#);
}

#[test]
fn a_completion_holds_no_more_than_a_hundred_values() {
    let full = Completion::new(vec!["v"; 100]);
    assert_eq!((full.values.len(), full.total, full.has_more), (100, None, None));
    let over = Completion::new(vec!["v"; 250]);
    assert_eq!((over.values.len(), over.total, over.has_more), (100, Some(250), Some(true)));
}

#[test]
fn discovery() {
    survives::<DiscoverResult>(
        r#"{"supportedVersions":["2026-07-28"],"capabilities":{"experimental":{"x":{}},"logging":{},"completions":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":false},"tools":{},"extensions":{"a.b/c":{}}},"instructions":"i","ttlMs":1,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#,
    );
    let info = Implementation::new("s", "1").with_title("S");
    let result =
        DiscoverResult::new(["2026-07-28".to_owned()], ServerCapabilities::new()).with_server_info(&info);
    assert_eq!(result.server_info(), Some(info));
}

#[test]
fn subscriptions_keep_the_type_of_their_id() {
    survives::<SubscriptionsListenRequestParams>(
        r#"{"notifications":{"toolsListChanged":true,"promptsListChanged":false,"resourcesListChanged":true,"resourceSubscriptions":["u:1"],"taskIds":["t"]},"_meta":{}}"#,
    );
    let json = |id| serde_json::to_string(&SubscriptionsListenResult::new(&id)).unwrap();
    assert_eq!(json(RequestId::from(7)), r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}"#);
    assert_eq!(json(RequestId::from("7")), r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":"7"}}"#);
    let updated = ResourceUpdatedNotificationParams::new("u:1", &RequestId::from(7));
    assert_eq!(updated.meta.unwrap().subscription_id(), Some(RequestId::Integer(7)));
    survives::<SubscriptionsAcknowledgedNotificationParams>(
        r#"{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"a"}}"#,
    );
    survives::<ListChangedNotificationParams>("{}");
}

#[test]
fn notifications_of_a_request() {
    survives::<ProgressNotificationParams>(
        r#"{"progressToken":"t","progress":50,"total":100.5,"message":"m","_meta":{}}"#,
    );
    survives::<CancelledNotificationParams>(r#"{"requestId":1,"reason":"r"}"#);
    refused::<CancelledNotificationParams>(r#"{"reason":"r"}"#);
    survives::<LoggingMessageNotificationParams>(
        r#"{"level":"warning","logger":"l","data":null,"_meta":{}}"#,
    );
}

#[test]
fn a_number_that_json_cannot_hold_is_not_written() {
    for progress in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(serde_json::to_string(&ProgressNotificationParams::new(1, progress)).is_err());
    }
}

#[test]
fn log_levels_are_ordered_by_severity() {
    let order = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    for (rank, level) in order.iter().enumerate() {
        let level = LoggingLevel::from(*level);
        assert_eq!(level.severity().map(usize::from), Some(rank));
        assert!(level.is_at_least(&LoggingLevel::Debug));
        assert_eq!(level.is_at_least(&LoggingLevel::Error), rank >= 4);
    }
    assert!(!LoggingLevel::from("loud").is_at_least(&LoggingLevel::Debug));
}

#[test]
fn errors_of_the_protocol() {
    let form = ClientCapabilities::new().with_elicitation(ElicitationCapability::form());
    let cases = [
        (McpError::parse_error(), r#"{"code":-32700,"message":"the message is not valid JSON"}"#),
        (McpError::invalid_request("m"), r#"{"code":-32600,"message":"m"}"#),
        (McpError::method_not_found("x/y"), r#"{"code":-32601,"message":"method not found: x/y"}"#),
        (McpError::invalid_params("m"), r#"{"code":-32602,"message":"m"}"#),
        (McpError::internal_error(), r#"{"code":-32603,"message":"internal error"}"#),
        (McpError::header_mismatch("m"), r#"{"code":-32020,"message":"m"}"#),
        (
            McpError::missing_client_capability(&form, "m"),
            r#"{"code":-32021,"message":"m","data":{"requiredCapabilities":{"elicitation":{"form":{}}}}}"#,
        ),
        (
            McpError::unsupported_protocol_version(&["2026-07-28"], "1.0"),
            r#"{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1.0"}}"#,
        ),
        (McpError::new(7, "m").with_data(json!([1])), r#"{"code":7,"message":"m","data":[1]}"#),
    ];
    for (error, json) in cases {
        assert_eq!(serde_json::to_string(&error).unwrap(), json);
        assert_eq!(read::<McpError>(json), error);
    }
    assert!(McpError::method_not_found("é".repeat(10_000)).message.len() < 300);
    assert_eq!(McpError::missing_client_capability(&form, "m").required_capabilities(), Some(form));
    let unsupported = McpError::unsupported_protocol_version(&["a", "b"], "c");
    assert_eq!(unsupported.supported_versions(), Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(McpError::internal_error().with_data(json!({"supported": []})).supported_versions(), None);
}
