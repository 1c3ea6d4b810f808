//! Results, read by their method and `resultType`.

use serde_json::{Value, json};

use crate::wire::{Wire, raw_result};

async fn call(text: &str) -> Result<roundtrip_client::CallToolResult, roundtrip_client::Error> {
    let text = text.to_owned();
    let wire = Wire::new(move |_, sent| raw_result(sent, &text));
    let result = wire.client().call_tool("t", ()).await;
    assert_eq!(wire.sent().len(), 1);
    result
}

#[tokio::test]
async fn only_an_absent_result_type_or_complete_is_complete() {
    call(r#"{"content":[]}"#).await.unwrap();
    call(r#"{"resultType":"complete","content":[]}"#).await.unwrap();
    for kind in [r#""future_kind""#, r#""""#, "null", "7", r#""task""#, r#""Complete""#, "{}"] {
        let error = call(&format!(r#"{{"resultType":{kind},"content":[]}}"#)).await.unwrap_err();
        assert!(error.is_invalid_response(), "{kind}: {error}");
    }
    for result in ["[]", "7", r#""x""#, r#"{"resultType":"complete"}"#] {
        let error = call(result).await.unwrap_err();
        assert!(error.is_invalid_response(), "{result}: {error}");
    }
}

#[tokio::test]
async fn structured_content_is_any_json_and_absence_is_not_null() {
    for value in ["[]", "0", "false", r#""""#, "null", r#"{"a":123456789012345678901234567890}"#, "1.0"] {
        let result = call(&format!(r#"{{"content":[],"structuredContent":{value}}}"#)).await.unwrap();
        assert_eq!(result.structured_content.unwrap().get(), value);
    }
    assert_eq!(call(r#"{"content":[]}"#).await.unwrap().structured_content, None);
}

#[tokio::test]
async fn a_tool_s_own_error_is_a_result() {
    let text = r#"{"isError":true,"content":[{"type":"text","text":"no such region"}],"structuredContent":{"code":1}}"#;
    let result = call(text).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    assert_eq!(serde_json::to_value(&result.content).unwrap()[0]["text"], "no such region");
    assert_eq!(result.structured_content.unwrap().get(), r#"{"code":1}"#);
}

#[tokio::test]
async fn unknown_blocks_and_members_are_kept_or_ignored() {
    let text = r#"{"content":[{"type":"hologram","size":1e400},{"type":"text","text":"日本 \ud83d\ude00","new":1}],"more":{}}"#;
    let result = call(text).await.unwrap();
    let content: Vec<String> =
        result.content.iter().map(|block| serde_json::to_string(block).unwrap()).collect();
    assert_eq!(content[0], r#"{"type":"hologram","size":1e400}"#);
    assert!(content[1].contains("日本 😀"), "{}", content[1]);
}

#[tokio::test]
async fn hints_of_resources_are_read_for_what_they_are() {
    let read = |hints: Value| async move {
        let mut result = json!({ "contents": [] });
        result.as_object_mut().unwrap().extend(hints.as_object().unwrap().clone());
        Wire::results([result]).client().read_resource("a://b").await.unwrap()
    };
    assert_eq!(read(json!({ "ttlMs": 60000, "cacheScope": "public" })).await.ttl_ms, 60_000);
    assert_eq!(read(json!({ "ttlMs": -1 })).await.ttl_ms, 0);
    assert_eq!(read(json!({})).await.ttl_ms, 0);
    let unknown = read(json!({ "cacheScope": "team" })).await.cache_scope;
    assert_ne!(unknown, roundtrip_types::CacheScope::Public);
}

#[tokio::test]
async fn completions_are_asked_for_with_what_is_given() {
    let wire = Wire::results([json!({ "completion": { "values": ["Paris", "Parma"], "hasMore": false } })]);
    let prompt = roundtrip_client::CompletionReference::prompt("trip");
    let result = wire.client().complete(prompt, "city", "Par").given("country", "France").await.unwrap();
    assert_eq!(result.completion.values, ["Paris", "Parma"]);
    let sent = wire.sent();
    let mut params = sent[0].params().clone();
    params.as_object_mut().unwrap().remove("_meta");
    assert_eq!(
        params,
        json!({
            "ref": { "type": "ref/prompt", "name": "trip" },
            "argument": { "name": "city", "value": "Par" },
            "context": { "arguments": { "country": "France" } },
        })
    );

    let template = roundtrip_client::CompletionReference::resource("a://{b}");
    wire.client().complete(template, "b", "").await.unwrap();
    assert_eq!(wire.sent()[1].params()["ref"], json!({ "type": "ref/resource", "uri": "a://{b}" }));
    assert_eq!(wire.sent()[1].params().get("context"), None);
}
