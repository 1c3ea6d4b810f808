use super::*;

fn notify(headers: &HeaderMap) -> Result<Inbound<'static>, Rejection> {
    classify(
        Wire::Http(headers),
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    )
}

#[test]
fn it_needs_no_headers() {
    for headers in [HeaderMap::new(), call().headers] {
        let Ok(Inbound::Notification(notification)) = notify(&headers) else { panic!("not a notification") };
        assert_eq!(notification.method, "notifications/cancelled");
        assert_eq!(notification.params.unwrap().get(), r#"{"requestId":1}"#);
    }
    let body = br#"{"jsonrpc":"2.0","method":"x"}"#;
    assert!(matches!(
        classify(Wire::Pipe, body),
        Ok(Inbound::Notification(Notification { params: None, .. }))
    ));
}

#[test]
fn a_version_that_it_names_has_to_be_spoken() {
    let refusal = notify(&call().header("mcp-protocol-version", "2025-11-25").headers).unwrap_err();
    assert_eq!((refusal.error.code.0, refusal.id), (-32022, None));
    let refusal = notify(&call().second_header("mcp-protocol-version", "2026-07-28").headers).unwrap_err();
    assert_eq!(refusal.error.code.0, -32020);
    let refusal = notify(&call().header("mcp-protocol-version", "é").headers).unwrap_err();
    assert_eq!(refusal.status, StatusCode::BAD_REQUEST);
}

#[test]
fn its_params_are_not_looked_into() {
    for params in ["[1,2]", "5", "null", r#"{"requestId":1,"requestId":2}"#, r#"{"\ud800":1}"#] {
        let body = format!(r#"{{"jsonrpc":"2.0","params":{params},"method":"notifications/cancelled"}}"#);
        let inbound = classify(Wire::Pipe, body.as_bytes());
        let Ok(Inbound::Notification(notification)) = inbound else { panic!("{params}: {inbound:?}") };
        assert_eq!(notification.params.map(|raw| raw.get()), Some(params));
    }
}
