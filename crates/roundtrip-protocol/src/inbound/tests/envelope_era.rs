use super::*;

#[test]
fn each_required_header_is_missed() {
    for (header, shown) in [
        ("mcp-protocol-version", "MCP-Protocol-Version"),
        ("mcp-method", "Mcp-Method"),
        ("mcp-name", "Mcp-Name"),
    ] {
        call().without_header(header).fails(-32020, &format!("the {shown} header is missing"));
    }
}

#[test]
fn each_required_part_of_the_meta_is_missed() {
    call().body(|body| drop(body.as_object_mut().unwrap().remove("params"))).fails(-32602, "params");
    for params in [json!(null), json!([]), json!(5), json!("x")] {
        call().body(|body| body["params"] = params).fails(-32602, "params must be an object");
    }
    call().body(|body| drop(body["params"].as_object_mut().unwrap().remove("_meta"))).fails(-32602, "_meta");
    for meta in [json!(null), json!([]), json!("2026-07-28")] {
        call().meta(|m| *m = meta).fails(-32602, "_meta must be an object");
    }
    call().meta(|meta| *meta = json!({})).fails(-32602, VERSION);
    call().meta(|meta| *meta = json!({CAPABILITIES: {}})).fails(-32602, VERSION);
    for version in [json!(20260728), json!({}), json!(["2026-07-28"])] {
        call().meta(|meta| meta[VERSION] = version).fails(-32602, VERSION);
    }
    call().meta(|meta| *meta = json!({VERSION: "2026-07-28"})).fails(-32602, CAPABILITIES);
    for capabilities in [json!([]), json!("none"), json!(true)] {
        call().meta(|meta| meta[CAPABILITIES] = capabilities).fails(-32602, CAPABILITIES);
    }
    call().meta(|meta| meta["progressToken"] = json!(1.5)).fails(-32602, "progressToken");
}

#[test]
fn what_is_optional_may_be_absent_or_malformed() {
    call().meta(|meta| meta["io.modelcontextprotocol/clientInfo"] = json!("me")).passes();
    call().meta(|meta| meta["io.modelcontextprotocol/logLevel"] = json!("debug")).passes();
    call()
        .meta(|meta| meta["io.modelcontextprotocol/logLevel"] = json!("loud"))
        .fails(-32602, "no log level");
}

#[test]
fn the_version_of_header_and_body_agree_before_it_is_looked_up() {
    call().meta(|meta| meta[VERSION] = json!("v999")).fails(-32020, "does not match");
    call().header("mcp-protocol-version", "2025-11-25").fails(-32020, "does not match");
    let both = call().header("mcp-protocol-version", "v999").meta(|meta| meta[VERSION] = json!("v999"));
    both.fails(-32022, "unsupported");
    let body = both.body.to_string();
    let data = classify(Wire::Http(&both.headers), body.as_bytes()).unwrap_err().error.data.unwrap();
    assert_eq!(data.parse::<Value>().unwrap(), json!({"supported": ["2026-07-28"], "requested": "v999"}));
}

#[test]
fn a_version_that_is_not_spoken_is_told_whatever_else_its_meta_holds() {
    call()
        .header("mcp-protocol-version", "2099-01-01")
        .meta(|meta| *meta = json!({VERSION: "2099-01-01", CAPABILITIES: [], "progressToken": {}}))
        .fails(-32022, "unsupported");
    let body = call().meta(|meta| *meta = json!({VERSION: "2099-01-01"})).body.to_string();
    assert_eq!(refused(Wire::Pipe, body.as_bytes()).0, -32022);
}

#[test]
fn the_method_header_is_compared_with_case() {
    call().header("mcp-method", "tools/list").fails(-32020, "Mcp-Method");
    call().header("mcp-method", "Tools/Call").fails(-32020, "Mcp-Method");
    call().header("mcp-method", "").fails(-32020, "Mcp-Method");
    call().header("mcp-method", " tools/call\t").passes();
}

#[test]
fn the_name_header_is_decoded_and_compared() {
    let named = |name: &str, header: &str| {
        sample("tools/call", json!({"name": name}), None).header("mcp-name", header)
    };
    named("add", "other").fails(-32020, "does not match params.name");
    named("add", "Add").fails(-32020, "does not match");
    named("add", "").fails(-32020, "does not match");
    named("add", "add  ").passes();
    named("test", "=?base64?dGVzdA==?=").passes();
    named("héllo", "=?base64?aMOpbGxv?=").passes();
    named("héllo", "héllo").fails(-32020, "can't be read");
    named(" padded ", "=?base64?IHBhZGRlZCA=?=").passes();
    named(" padded ", " padded ").fails(-32020, "does not match");
    named("=?base64?dGVzdA==?=", "=?base64?dGVzdA==?=").fails(-32020, "does not match");
    named("=?base64?dGVzdA==?=", "=?base64?PT9iYXNlNjQ/ZEdWemRBPT0/PQ==?=").passes();
    named("=?BASE64?dGVzdA==?=", "=?BASE64?dGVzdA==?=").passes();
    named("test", "=?base64?dGVzdA?=").fails(-32020, "base64");
    named("", "").passes();
    sample("resources/read", json!({"uri": "x://a"}), Some("x://b")).fails(-32020, "params.uri");
    sample("resources/read", json!({"uri": "x://a", "name": "x://b"}), Some("x://a")).passes();
}

#[test]
fn the_name_header_is_compared_with_the_decoded_body() {
    let sample = call();
    let body = sample.body.to_string().replace(r#""add""#, r#""\u0061dd""#);
    assert!(classify(Wire::Http(&sample.headers), body.as_bytes()).is_ok());
}

#[test]
fn a_body_without_a_usable_name_is_left_to_the_reader_of_the_params() {
    for name in [json!(5), json!(null), json!({})] {
        let sample = call().body(|body| body["params"]["name"] = name);
        let body = sample.body.to_string();
        let inbound = classify(Wire::Http(&sample.headers), body.as_bytes());
        let Ok(Inbound::Request(request)) = inbound else { panic!("{inbound:?}") };
        assert_eq!(request.params.name().unwrap_err().code, ErrorCode::INVALID_PARAMS);
    }
}

#[test]
fn a_routing_header_that_comes_twice_is_refused_even_when_both_agree() {
    for name in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        let first = call().headers[name].to_str().unwrap().to_owned();
        call().second_header(name, &first).fails(-32020, "more than once");
    }
    sample("tools/list", json!({}), Some("a")).second_header("mcp-name", "b").fails(-32020, "more than once");
}

#[test]
fn headers_that_mean_nothing_here_are_ignored() {
    call().header("mcp-session-id", "x").header("last-event-id", "1").passes();
    sample("tools/list", json!({}), Some("whatever")).passes();
}

#[test]
fn methods_of_the_handshake_era_are_not_found() {
    for method in ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "roots/list"] {
        let (code, status, id, message) = sample(method, json!({}), None).refused();
        assert_eq!((code, status, id), (-32601, 404, Some(RequestId::Integer(42))), "{method}");
        assert!(message.contains(method));
    }
}

#[test]
fn whatever_is_wrong_with_an_initialize_the_answer_names_the_versions() {
    let plain = json!({"jsonrpc": "2.0", "id": 42, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}});
    let cases = [
        (sample("initialize", json!({}), None), -32601, 404),
        (sample("initialize", json!({}), None).body(|body| *body = plain.clone()), -32602, 400),
        (Sample { headers: HeaderMap::new(), body: plain }, -32020, 400),
    ];
    for (sample, code, status) in cases {
        let body = sample.body.to_string();
        let refusal = classify(Wire::Http(&sample.headers), body.as_bytes()).unwrap_err();
        assert_eq!((refusal.error.code.0, refusal.status.as_u16()), (code, status));
        assert!(refusal.error.message.contains("2026-07-28"), "{}", refusal.error.message);
        let data = refusal.error.data.unwrap().parse::<Value>().unwrap();
        assert_eq!(data["supported"], json!(["2026-07-28"]));
    }
}

#[test]
fn unknown_methods_are_left_to_the_server() {
    let sample = sample("foo/bar", json!({}), None);
    let body = sample.body.to_string();
    let Ok(Inbound::Request(request)) = classify(Wire::Http(&sample.headers), body.as_bytes()) else {
        panic!("not a request")
    };
    assert_eq!(request.method, Method::Other("foo/bar".to_owned()));
}

#[test]
fn a_pipe_has_no_headers_to_check() {
    let body = call().body.to_string();
    assert!(matches!(classify(Wire::Pipe, body.as_bytes()), Ok(Inbound::Request(_))));
}

/// Each sample is broken in two places; the earlier check answers.
#[test]
fn the_checks_come_in_order() {
    let unspoken =
        |sample: Sample| sample.header("mcp-protocol-version", "v9").meta(|meta| meta[VERSION] = json!("v9"));
    let no_meta = |sample: Sample| sample.meta(|meta| *meta = json!({}));
    let no_capabilities = |sample: Sample| sample.meta(|meta| *meta = json!({VERSION: "2026-07-28"}));

    no_message(r#"{"id":7,"method":"tools/list"} trailing"#, -32600, seven());
    no_meta(call().without_header("mcp-protocol-version")).fails(-32020, "MCP-Protocol-Version");
    no_meta(call().header("mcp-protocol-version", "v9")).fails(-32602, VERSION);
    no_capabilities(call().header("mcp-protocol-version", "v9")).fails(-32020, "does not match");
    unspoken(no_capabilities(call())).fails(-32022, "unsupported");
    unspoken(call().without_header("mcp-method")).fails(-32022, "unsupported");
    no_capabilities(call().without_header("mcp-method")).fails(-32602, CAPABILITIES);
    call().without_header("mcp-method").without_header("mcp-name").fails(-32020, "Mcp-Method");
    sample("ping", json!({}), None).header("mcp-method", "x").fails(-32020, "Mcp-Method");
}
