//! The `_meta` of a request.

use roundtrip_types::*;
use serde_json::{Value, json};

use crate::survives;

fn envelope(more: &Value) -> String {
    let mut meta = json!({meta_keys::PROTOCOL_VERSION: "2026-07-28", meta_keys::CLIENT_CAPABILITIES: {}});
    let members = meta.as_object_mut().unwrap();
    for (key, value) in more.as_object().unwrap() {
        members.insert(key.clone(), value.clone());
    }
    meta.to_string()
}

#[test]
fn all_members() {
    survives::<RequestMeta>(
        r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"progressToken":"t","io.modelcontextprotocol/logLevel":"info","baggage":"b","com.example/x":{"z":1,"a":2},"traceparent":"p"}"#,
    );
}

#[test]
fn the_two_required_members_are_missed_by_name() {
    for (json, member) in [
        ("{}".to_owned(), meta_keys::PROTOCOL_VERSION),
        (json!({meta_keys::PROTOCOL_VERSION: "v"}).to_string(), meta_keys::CLIENT_CAPABILITIES),
        (json!({meta_keys::CLIENT_CAPABILITIES: {}}).to_string(), meta_keys::PROTOCOL_VERSION),
        (envelope(&json!({meta_keys::CLIENT_CAPABILITIES: null})), meta_keys::CLIENT_CAPABILITIES),
    ] {
        match RequestMeta::from_json(&json) {
            Err(RequestMetaError::Missing { member: found }) => assert_eq!(found, member),
            other => panic!("{json} gave {other:?}"),
        }
    }
}

#[test]
fn members_that_do_not_fit_are_named() {
    for (member, value) in [
        (meta_keys::PROTOCOL_VERSION, json!(20260728)),
        (meta_keys::CLIENT_CAPABILITIES, json!([])),
        (meta_keys::CLIENT_CAPABILITIES, json!({"elicitation": true})),
        (meta_keys::PROGRESS_TOKEN, json!(1.5)),
        (meta_keys::LOG_LEVEL, json!(3)),
    ] {
        let error = RequestMeta::from_json(&envelope(&json!({member: value}))).unwrap_err();
        assert!(matches!(error, RequestMetaError::Malformed { .. }), "{error}");
        assert_eq!(error.member(), Some(member));
        assert!(error.to_string().contains(member));
    }
}

#[test]
fn a_member_that_stands_twice_is_refused() {
    let json = r#"{"io.modelcontextprotocol/protocolVersion":"a","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":"b"}"#;
    let error = RequestMeta::from_json(json).unwrap_err();
    assert_eq!(error.member(), Some(meta_keys::PROTOCOL_VERSION));
}

#[test]
fn client_info_that_does_not_fit_reads_as_absent() {
    for info in [json!(7), json!({"name": "c"}), json!([]), json!(null)] {
        let meta = RequestMeta::from_json(&envelope(&json!({meta_keys::CLIENT_INFO: info}))).unwrap();
        assert_eq!(meta.client_info, None);
    }
}

#[test]
fn an_unknown_log_level_is_left_to_the_server() {
    let meta = RequestMeta::from_json(&envelope(&json!({meta_keys::LOG_LEVEL: "loud"}))).unwrap();
    assert_eq!(meta.log_level, Some(LoggingLevel::Other("loud".to_owned())));
}

#[test]
fn what_is_no_object_is_told_apart() {
    for json in ["null", "[]", "7", "", "{", r#"{"a":1}x"#] {
        assert!(matches!(RequestMeta::from_json(json), Err(RequestMetaError::NotAnObject(_))), "{json}");
    }
}

#[test]
fn other_members_read_as_typed_values() {
    let meta = RequestMeta::from_json(&envelope(&json!({"traceparent": "00-1", "n": "x"}))).unwrap();
    assert_eq!(meta.other.get::<String>(meta_keys::TRACEPARENT).as_deref(), Some("00-1"));
    assert_eq!(meta.other.get::<u8>("n"), None);
    assert!(meta.other.contains_key("n"));
}

#[test]
fn a_field_is_never_written_twice() {
    let other = Meta::from(
        json!({meta_keys::PROTOCOL_VERSION: "other", meta_keys::LOG_LEVEL: "debug", "k": 1})
            .as_object()
            .unwrap()
            .clone(),
    );
    let meta = RequestMeta::new("2026-07-28", ClientCapabilities::new()).with_other(other);
    assert_eq!(
        serde_json::to_string(&meta).unwrap(),
        r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"k":1}"#
    );
    let mut capabilities = ClientCapabilities::new().with_roots(RootsCapability::default());
    capabilities.other =
        JsonObject::new().with("roots", json!(1)).with("sampling", json!(2)).with("k", json!(3));
    assert_eq!(serde_json::to_string(&capabilities).unwrap(), r#"{"roots":{},"k":3}"#);
}
