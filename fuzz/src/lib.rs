//! What the fuzzer does with its bytes, a function for each target.
//!
//! Each holds the rules to more than not to panic: it states what must be true of every answer. The functions are plain,
//! so that the tests of `roundtrip-protocol` can run them without a fuzzer.

use http::{HeaderMap, HeaderName, HeaderValue};
use roundtrip_protocol::{
    canonical::digest_input,
    form,
    headers::{self, decode_value, encode_value},
    inbound::{Inbound, Wire},
    uri_template::UriTemplate,
};
use roundtrip_types::RawJson;
use serde_json::value::RawValue;

/// Three lines that become the headers `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name`, then the body.
pub fn classify(data: &[u8]) {
    let mut lines = data.splitn(4, |byte| *byte == b'\n');
    let mut headers = HeaderMap::new();
    for name in [headers::PROTOCOL_VERSION, headers::METHOD, headers::NAME] {
        insert(&mut headers, name, lines.next().unwrap_or_default());
    }
    let body = lines.next().unwrap_or_default();
    let over_http = roundtrip_protocol::inbound::classify(Wire::Http(&headers), body);
    let over_pipe = roundtrip_protocol::inbound::classify(Wire::Pipe, body);
    match (&over_http, &over_pipe) {
        (Ok(Inbound::Request(left)), Ok(Inbound::Request(right))) => {
            assert_eq!((&left.id, &left.method), (&right.id, &right.method));
            let _ =
                (left.params.name(), left.params.uri(), left.params.arguments(), left.params.request_state());
            assert!(left.params.raw().get().starts_with('{'));
        }
        (Ok(Inbound::Notification(left)), Ok(Inbound::Notification(right))) => {
            assert_eq!(left.method, right.method)
        }
        (Ok(_), _) => panic!("headers can only make a message worse"),
        (Err(_), _) => {}
    }
    for refusal in [over_http, over_pipe].into_iter().filter_map(Result::err) {
        assert!(refusal.status.is_client_error());
        let json: serde_json::Value = serde_json::from_slice(&refusal.to_json()).expect("a refusal is JSON");
        assert_eq!(json["error"]["code"], refusal.error.code.0);
    }
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: &[u8]) {
    if let Ok(value) = HeaderValue::from_bytes(value) {
        headers.insert(name, value);
    }
}

/// A line that becomes a template, then a URI.
pub fn uri_template(data: &[u8]) {
    let Some((template, uri)) = lines(data) else { return };
    let Ok(template) = UriTemplate::parse(template) else { return };
    let _ = template.check_matchable();
    let Some(values) = template.match_uri(uri) else { return };
    for (name, value) in &values {
        assert!(template.variables().any(|variable| variable == name));
        let texts =
            value.as_text().into_iter().chain(value.as_list().into_iter().flatten().map(String::as_str));
        for text in texts {
            assert!(!text.split(['/', '\\']).any(|segment| segment == "..") && !text.contains('\0'));
        }
    }
    let _ = template.expand(&values);
}

/// A JSON text.
pub fn canonical(data: &[u8]) {
    let Ok(json) = std::str::from_utf8(data) else { return };
    let is_json = serde_json::from_str::<&RawValue>(json).is_ok();
    if let Ok(form) = digest_input(json) {
        assert!(is_json);
        let form = String::from_utf8(form).expect("the form is text");
        assert_eq!(digest_input(&form).as_deref(), Ok(form.as_bytes()));
    }
}

/// A header value, and a text to be written into one.
pub fn header_value(data: &[u8]) {
    if let Ok(text) = decode_value(data) {
        assert_eq!(decode_value(encode_value(&text).as_bytes()).as_deref(), Ok(&*text));
    }
    if let Ok(text) = std::str::from_utf8(data) {
        assert_eq!(decode_value(encode_value(text).as_bytes()).as_deref(), Ok(text));
    }
}

/// A line that becomes the schema of a form, then the content of an answer.
pub fn form(data: &[u8]) {
    let Some((schema, content)) = lines(data) else { return };
    let (Ok(schema), Ok(content)) =
        (RawJson::from_string(schema.to_owned()), RawJson::from_string(content.to_owned()))
    else {
        return;
    };
    let fits = form::validate(&schema.into(), &content).is_ok();
    assert!(!fits || content.is_null() || content.is_object());
}

fn lines(data: &[u8]) -> Option<(&str, &str)> {
    std::str::from_utf8(data).ok()?.split_once('\n')
}
