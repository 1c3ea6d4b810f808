use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn no_bytes_make_it_panic(body in any::<Vec<u8>>()) {
        let _ = classify(Wire::Pipe, &body);
        let _ = classify(Wire::Http(&call().headers), &body);
    }

    #[test]
    fn no_change_to_a_request_makes_it_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..3), 1..8),
    ) {
        let sample = call();
        let mut body = sample.body.to_string().into_bytes();
        for (at, byte, kind) in changes {
            let at = at.index(body.len());
            match kind {
                0 => body[at] = byte,
                1 => body.insert(at, byte),
                _ => drop(body.remove(at)),
            }
        }
        if let Err(refusal) = classify(Wire::Http(&sample.headers), &body) {
            prop_assert!(refusal.status.is_client_error());
            let json: Value = serde_json::from_slice(&refusal.to_json()).unwrap();
            prop_assert_eq!(&json["error"]["code"], &json!(refusal.error.code.0));
            prop_assert_eq!(json.get("id").is_some(), refusal.id.is_some());
        }
    }

    #[test]
    fn any_headers_are_answered(
        version in "[ -~]{0,12}", method in any::<Vec<u8>>(), name in any::<Vec<u8>>(),
    ) {
        let mut sample = call().header("mcp-protocol-version", &version);
        for (header, value) in [("mcp-method", method), ("mcp-name", name)] {
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                sample.headers.insert(header, value);
            }
        }
        let body = sample.body.to_string();
        if let Err(refusal) = classify(Wire::Http(&sample.headers), body.as_bytes()) {
            prop_assert_eq!(refusal.error.code, ErrorCode::HEADER_MISMATCH);
        }
    }

    #[test]
    fn any_name_passes_with_the_header_that_encodes_it(name in any::<String>()) {
        let mut sample = sample("prompts/get", json!({"name": name}), None);
        sample.headers.insert("mcp-name", crate::headers::encode_value(&name));
        let body = sample.body.to_string();
        prop_assert!(classify(Wire::Http(&sample.headers), body.as_bytes()).is_ok());
    }
}
