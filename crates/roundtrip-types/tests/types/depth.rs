//! What a peer nests a hundred thousand levels deep harms nobody.

use roundtrip_types::*;

use crate::{refused, survives};

fn deep(levels: usize) -> String {
    let mut json = "[".repeat(levels);
    json.push_str(&"]".repeat(levels));
    json
}

#[test]
fn raw_parts_keep_it() {
    let deep = deep(100_000);
    survives::<RawJson>(&deep);
    survives::<Meta>(&format!(r#"{{"k":{deep}}}"#));
    survives::<ClientCapabilities>(&format!(r#"{{"experimental":{{"k":{deep}}},"k":{deep}}}"#));
    survives::<CallToolRequestParams>(&format!(
        r#"{{"name":"t","arguments":{deep},"inputResponses":{{"k":{deep}}}}}"#
    ));
    survives::<CallToolResult>(&format!(
        r#"{{"content":[{{"type":"new","k":{deep}}}],"structuredContent":{deep}}}"#
    ));
    survives::<Tool>(&format!(r#"{{"name":"t","inputSchema":{deep}}}"#));
    survives::<RequestMeta>(&format!(
        r#"{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}},"k":{deep}}}"#
    ));
}

#[test]
fn unknown_members_are_passed_over() {
    let deep = deep(100_000);
    let json = format!(r#"{{"k":{deep},"content":[],"ttlMs":{deep},"cacheScope":{deep}}}"#);
    assert_eq!(serde_json::from_str::<CallToolResult>(&json).unwrap(), CallToolResult::default());
    let json = format!(r#"{{"k":{deep},"contents":[],"ttlMs":{deep},"cacheScope":{deep}}}"#);
    assert_eq!(serde_json::from_str::<ReadResourceResult>(&json).unwrap(), ReadResourceResult::new([]));
    let json = format!(r#"{{"k":{deep},"resultType":"complete","content":[]}}"#);
    assert_eq!(Outcome::from_json(&json).unwrap(), Outcome::Complete(CallToolResult::default()));
}

#[test]
fn in_the_place_of_a_known_value_it_is_refused() {
    let deep = deep(100_000);
    refused::<RequestId>(&deep);
    refused::<ProgressToken>(&deep);
    refused::<ContentBlock>(&deep);
    refused::<SamplingContent>(&deep);
    refused::<CallToolResult>(&format!(r#"{{"content":{deep}}}"#));
    refused::<InputRequest>(&format!(r#"{{"method":"elicitation/create","params":{deep}}}"#));
    refused::<ElicitRequestParams>(&format!(r#"{{"mode":{deep},"message":"m"}}"#));
    assert!(Outcome::<CallToolResult>::from_json(&format!(r#"{{"resultType":{deep}}}"#)).is_err());
    assert!(RequestMeta::from_json(&deep).is_err());
    assert!(ElicitationSchema::from(RawJson::from_string(deep).unwrap()).fields().is_err());
}

#[test]
fn a_form_with_a_deep_field_is_refused_by_name() {
    let deep = deep(100_000);
    for field in
        [format!(r#"{{"type":"array","items":{deep}}}"#), format!(r#"{{"type":"string","default":{deep}}}"#)]
    {
        let json = format!(r#"{{"type":"object","properties":{{"f":{field}}}}}"#);
        let schema = ElicitationSchema::from(RawJson::from_string(json).unwrap());
        assert_eq!(schema.fields().unwrap_err().field_name(), Some("f"));
    }
}

#[test]
fn a_value_stops_at_the_limit_of_the_parser() {
    let raw = RawJson::from_string(deep(100_000)).unwrap();
    assert!(raw.parse::<serde_json::Value>().unwrap_err().to_string().contains("recursion limit"));
}
