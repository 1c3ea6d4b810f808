//! A newer or a careless peer is understood as far as it can be.

use roundtrip_types::*;
use serde_json::json;

use crate::{becomes, read, refused, survives};

#[test]
fn unknown_members_are_dropped_where_the_specification_is_closed() {
    becomes::<CallToolResult>(r#"{"new":{"a":[1]},"content":[],"more":null}"#, r#"{"content":[]}"#);
    becomes::<Implementation>(r#"{"name":"n","version":"1","new":1}"#, r#"{"name":"n","version":"1"}"#);
    becomes::<ContentBlock>(r#"{"type":"text","new":1,"text":"x"}"#, r#"{"type":"text","text":"x"}"#);
}

#[test]
fn unknown_words_are_kept() {
    survives::<Role>(r#""system""#);
    survives::<LoggingLevel>(r#""loud""#);
    survives::<IncludeContext>(r#""myServer""#);
    survives::<ToolChoice>(r#"{"mode":"maybe"}"#);
    survives::<ElicitResult>(r#"{"action":"postpone"}"#);
    survives::<Icon>(r#"{"src":"s","theme":"sepia"}"#);
    survives::<ProtocolVersion>(r#""2030-01-01""#);
    let role: Role = read(r#""\u0073ystem""#);
    assert_eq!((role.as_str(), role.is_known()), ("system", false));
    assert_eq!(Role::from("user".to_owned()), Role::User);
    assert!(Role::Assistant.is_known());
    refused::<Role>("1");
}

#[test]
fn unknown_blocks_are_kept_whole() {
    let block = r#"{"a":1,"type":"hologram","é\n":[null],"z":{"b":1,"a":2}}"#;
    survives::<ContentBlock>(block);
    survives::<SamplingBlock>(block);
    assert_eq!(read::<ContentBlock>(block).kind(), "hologram");
    // Sampling knows kinds that other content does not, and the other way round.
    assert!(matches!(
        read::<ContentBlock>(r#"{"type":"tool_use","id":"1","name":"t","input":{}}"#),
        ContentBlock::Unknown(_)
    ));
    assert!(matches!(
        read::<SamplingBlock>(r#"{"type":"resource_link","uri":"u:1","name":"n"}"#),
        SamplingBlock::Unknown(_)
    ));
}

#[test]
fn a_block_without_a_type_or_without_its_members_is_refused() {
    assert!(refused::<ContentBlock>(r#"{"text":"x"}"#).contains("type"));
    assert!(refused::<ContentBlock>(r#"{"type":7,"text":"x"}"#).contains("string"));
    assert!(refused::<ContentBlock>(r#"{"type":"text"}"#).contains("text"));
    assert!(refused::<ContentBlock>(r#"{"data":"","type":"image"}"#).contains("mimeType"));
    refused::<ContentBlock>(r#""text""#);
}

#[test]
fn null_is_absent_for_optional_members() {
    becomes::<CallToolRequestParams>(
        r#"{"name":"t","arguments":null,"inputResponses":null,"requestState":null,"_meta":null}"#,
        r#"{"name":"t"}"#,
    );
    becomes::<GetPromptRequestParams>(
        r#"{"name":"p","arguments":null,"inputResponses":null,"requestState":null}"#,
        r#"{"name":"p"}"#,
    );
    becomes::<PaginatedRequestParams>(r#"{"cursor":null}"#, "{}");
    becomes::<CallToolResult>(r#"{"content":[],"isError":null,"_meta":null}"#, r#"{"content":[]}"#);
    becomes::<ClientCapabilities>(r#"{"elicitation":null,"roots":{}}"#, r#"{"roots":{}}"#);
    becomes::<ListToolsResult>(
        r#"{"tools":[],"nextCursor":null,"ttlMs":null,"cacheScope":null}"#,
        r#"{"tools":[],"ttlMs":0,"cacheScope":"private"}"#,
    );
}

#[test]
fn structured_content_may_be_null() {
    let structured = |json: &str| read::<CallToolResult>(json).structured_content.map(|raw| raw.to_string());
    for value in ["[]", "0", "false", r#""""#, "null"] {
        let json = format!(r#"{{"content":[],"structuredContent":{value}}}"#);
        assert_eq!(structured(&json).as_deref(), Some(value));
        survives::<CallToolResult>(&json);
        survives::<SamplingBlock>(&format!(
            r#"{{"type":"tool_result","toolUseId":"1","content":[],"structuredContent":{value}}}"#
        ));
    }
    assert_eq!(structured(r#"{"content":[]}"#), None);
    survives::<CallToolResult>(r#"{"content":[]}"#);
}

#[test]
fn structured_results_say_the_same_as_text() {
    let result = CallToolResult::structured(&json!({"b": 1, "a": [null]})).unwrap();
    let raw = result.structured_content.unwrap();
    assert_eq!(result.content, [ContentBlock::text(raw.get())]);
    assert!(!CallToolResult::text("x").failed());
    assert!(CallToolResult::error("x").failed());
}

#[test]
fn caching_hints_never_spoil_a_result() {
    let cache = |json: &str| {
        let result: ReadResourceResult = read(json);
        (result.ttl_ms, result.cache_scope)
    };
    let cases = [
        (r#"{"contents":[]}"#, 0),
        (r#"{"contents":[],"ttlMs":-1,"cacheScope":"shared"}"#, 0),
        (r#"{"contents":[],"ttlMs":1.9,"cacheScope":7}"#, 1),
        (r#"{"contents":[],"ttlMs":1e99,"cacheScope":{"public":1}}"#, u64::MAX),
        (r#"{"contents":[],"ttlMs":"5","cacheScope":["public"]}"#, 0),
        (r#"{"contents":[],"ttlMs":18446744073709551616,"cacheScope":"Public"}"#, u64::MAX),
        (r#"{"contents":[],"ttlMs":9007199254740993,"cacheScope":"private"}"#, 9_007_199_254_740_993),
    ];
    for (json, ttl_ms) in cases {
        assert_eq!(cache(json), (ttl_ms, CacheScope::Private), "{json}");
    }
    assert_eq!(cache(r#"{"contents":[],"ttlMs":5,"cacheScope":"public"}"#), (5, CacheScope::Public));
}

#[test]
fn an_empty_cursor_is_a_cursor() {
    assert_eq!(read::<ListToolsResult>(r#"{"tools":[],"nextCursor":""}"#).next_cursor.as_deref(), Some(""));
    assert_eq!(read::<ListToolsResult>(r#"{"tools":[]}"#).next_cursor, None);
}

#[test]
fn an_error_without_a_message_is_still_an_error() {
    assert_eq!(read::<McpError>(r#"{"code":-32603}"#).code, ErrorCode::INTERNAL_ERROR);
    refused::<McpError>(r#"{"message":"m"}"#);
}

#[test]
fn a_schema_passes_through_unchanged() {
    for schema in [
        "true",
        r#"{"type":["string","null"],"$schema":"http://json-schema.org/draft-07/schema#"}"#,
        r##"{"$defs":{"z":{"$anchor":"a"},"a":{}},"properties":{"p":{"$ref":"#/$defs/z","description":"d"}},"if":{},"then":false}"##,
    ] {
        survives::<Tool>(&format!(r#"{{"name":"t","inputSchema":{schema},"outputSchema":{schema}}}"#));
    }
}

#[test]
fn everything_can_be_read_from_a_value_too() {
    let value = json!({"content": [{"type": "text", "text": "x"}, {"a": 1, "type": "new"}], "structuredContent": null});
    let result: CallToolResult = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&result).unwrap(), value);
    let value = json!({
        meta_keys::PROTOCOL_VERSION: "2026-07-28",
        meta_keys::CLIENT_CAPABILITIES: {"elicitation": {}},
        meta_keys::PROGRESS_TOKEN: 7,
    });
    let meta: RequestMeta = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&meta).unwrap(), value);
}

#[test]
fn meta_keys_follow_their_grammar() {
    for key in
        ["", "a", "a.b_c-d", "com.example/", "com.example/x", "io.modelcontextprotocol/logLevel", "a-1/x"]
    {
        assert!(meta_keys::is_valid(key), "{key}");
    }
    for key in ["/x", "1a/x", "a-/x", "a..b/x", "a/b/c", "-a", "a.", "é", "a b", "a_b/x"] {
        assert!(!meta_keys::is_valid(key), "{key}");
    }
    assert!(meta_keys::is_reserved("com.mcp/x"));
    assert!(meta_keys::is_reserved("io.modelcontextprotocol.more/x"));
    assert!(!meta_keys::is_reserved("mcp.com/x"));
    assert!(!meta_keys::is_reserved("progressToken"));
    assert!(meta_keys::is_extension_id("com.example/x"));
    assert!(!meta_keys::is_extension_id("x"));
}
