//! Each check of `classify`, and the order in which they come.

use http::{HeaderValue, StatusCode};
use roundtrip_types::ErrorCode;
use serde_json::{Value, json};

use super::*;

mod arbitrary;
mod envelope_era;
mod message;
mod notification;
mod params;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A request and its headers, to be broken in one place.
#[derive(Clone)]
struct Sample {
    headers: HeaderMap,
    body: Value,
}

fn call() -> Sample {
    sample("tools/call", json!({"name": "add", "arguments": {"a": 1}}), Some("add"))
}

fn sample(method: &str, mut params: Value, name: Option<&str>) -> Sample {
    params["_meta"] = json!({VERSION: "2026-07-28", CAPABILITIES: {}});
    let sample = Sample {
        headers: HeaderMap::new(),
        body: json!({"jsonrpc": "2.0", "id": 42, "method": method, "params": params}),
    };
    let sample = sample.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
    match name {
        Some(name) => sample.header("mcp-name", name),
        None => sample,
    }
}

impl Sample {
    fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        self
    }

    fn second_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(name, HeaderValue::from_str(value).unwrap());
        self
    }

    fn without_header(mut self, name: &str) -> Self {
        self.headers.remove(name).expect("the header was there");
        self
    }

    fn body(mut self, change: impl FnOnce(&mut Value)) -> Self {
        change(&mut self.body);
        self
    }

    fn meta(self, change: impl FnOnce(&mut Value)) -> Self {
        self.body(|body| change(&mut body["params"]["_meta"]))
    }

    #[track_caller]
    fn refused(&self) -> (i64, u16, Option<RequestId>, String) {
        refused(Wire::Http(&self.headers), self.body.to_string().as_bytes())
    }

    /// Refused with this code, status 400 and the id of the sample, for a reason that says this.
    #[track_caller]
    fn fails(&self, code: i64, words: &str) {
        let (found, status, id, message) = self.refused();
        assert_eq!((found, status, id), (code, 400, Some(RequestId::Integer(42))), "{message}");
        assert!(message.contains(words), "{message:?} lacks {words:?}");
    }

    #[track_caller]
    fn passes(&self) {
        let body = self.body.to_string();
        let inbound = classify(Wire::Http(&self.headers), body.as_bytes());
        assert!(matches!(inbound, Ok(Inbound::Request(_))), "{inbound:?}");
    }
}

#[track_caller]
fn refused(wire: Wire<'_>, body: &[u8]) -> (i64, u16, Option<RequestId>, String) {
    match classify(wire, body) {
        Ok(inbound) => panic!("this should have been refused: {inbound:?}"),
        Err(refusal) => (refusal.error.code.0, refusal.status.as_u16(), refusal.id, refusal.error.message),
    }
}

/// Refused before anything but the message itself was looked at.
#[track_caller]
fn no_message(body: impl AsRef<[u8]>, code: i64, id: Option<RequestId>) {
    let expected = (code, 400, id);
    for wire in [Wire::Http(&HeaderMap::new()), Wire::Pipe] {
        let (code, status, id, message) = refused(wire, body.as_ref());
        assert_eq!((code, status, id), expected, "{message}");
    }
}

fn seven() -> Option<RequestId> {
    Some(RequestId::Integer(7))
}

#[test]
fn a_request_is_taken_apart_without_losing_a_digit() {
    let body = br#" {"params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":0},"arguments":{"n":9007199254740993},
        "name":"add"},"method":"tools/call","id":"0","jsonrpc":"2.0"} "#;
    let Ok(Inbound::Request(request)) = classify(Wire::Pipe, body) else { panic!("not a request") };
    assert_eq!(request.id, RequestId::String("0".to_owned()));
    assert_eq!(request.era, Era::Envelope);
    assert_eq!(request.method, Method::ToolsCall);
    assert!(request.meta.client_capabilities.supports_form());
    assert_eq!(request.meta.progress_token, Some(0.into()));
    assert_eq!(request.params.name().unwrap(), "add");
    assert_eq!(request.params.arguments().unwrap().unwrap().get(), r#"{"n":9007199254740993}"#);
    assert!(request.params.raw().get().starts_with(r#"{"_meta""#));
}

#[test]
fn every_core_method_passes_over_http() {
    for (method, params, name) in [
        ("server/discover", json!({}), None),
        ("tools/list", json!({}), None),
        ("tools/call", json!({"name": "a"}), Some("a")),
        ("prompts/list", json!({"cursor": ""}), None),
        ("prompts/get", json!({"name": "a"}), Some("a")),
        ("resources/list", json!({}), None),
        ("resources/templates/list", json!({}), None),
        ("resources/read", json!({"uri": "x://y"}), Some("x://y")),
        ("completion/complete", json!({"ref": {}, "argument": {}}), None),
        ("subscriptions/listen", json!({"notifications": {}}), None),
        ("vendor/method", json!({}), None),
    ] {
        sample(method, params, name).passes();
    }
}
