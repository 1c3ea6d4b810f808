//! Each check of `classify`, and the order in which they come.

use http::{HeaderValue, StatusCode};
use roundtrip_types::ErrorCode;
use serde_json::{Value, json};

use super::*;

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

mod message {
    use super::*;

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        for body in [
            &b""[..],
            b"  ",
            b"not json",
            b"{",
            br#"{"jsonrpc":"2.0","id":1"#,
            br#"{"jsonrpc":"2.0","id":1,}"#,
            b"[1,2",
            b"\"x",
            b"{'a':1}",
            b"\xff\xfe\n",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
            b"\0\0\0",
            br#"{"jsonrpc":"2.0","id":01,"method":"a"}"#,
        ] {
            no_message(body, -32700, None);
        }
    }

    #[test]
    fn a_byte_order_mark_is_a_parse_error_on_every_wire() {
        no_message(format!("\u{feff}{}", call().body), -32700, None);
    }

    #[test]
    fn a_parse_error_says_where_and_nothing_of_the_parser() {
        let (.., message) = refused(Wire::Pipe, b"{\n  \"a\": tru }");
        assert_eq!(message, "not valid JSON at line 2 column 11");
    }

    #[test]
    fn json_that_is_no_object_is_an_invalid_request() {
        for body in ["[]", "[{}]", "\"x\"", "42", "null", "true", " 1.5 "] {
            no_message(body, -32600, None);
        }
        no_message(format!("[{}]", call().body), -32600, None);
    }

    #[test]
    fn an_object_that_is_no_message_is_an_invalid_request_with_the_id_it_has() {
        no_message("{}", -32600, None);
        no_message(r#"{"id":7,"method":"tools/list"}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#, -32600, seven());
        no_message(r#"{"jsonrpc":2.0,"id":7,"method":"tools/list"}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","id":7}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","id":7,"method":42}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","id":7,"method":null}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","method":["a"],"id":7}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","id":"a","method":"\ud800"}"#, -32600, Some("a".into()));
        no_message(r#"{"jsonrpc":"2.0"}"#, -32600, None);
        no_message(r#"{"method":"notifications/cancelled"}"#, -32600, None);
    }

    #[test]
    fn an_id_that_is_none_is_refused_and_never_makes_a_notification() {
        for id in ["null", "true", "1.5", "{}", "[]", "1e2", "1.0", "9223372036854775808", r#""\udc00""#] {
            no_message(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#), -32600, None);
        }
    }

    #[test]
    fn every_string_and_integer_is_an_id_and_comes_back_as_it_came() {
        let long = "x".repeat(10_000);
        for id in [
            json!(""),
            json!("0"),
            json!("init-1"),
            json!(long),
            json!(-5),
            json!(0),
            json!(9007199254740993_i64),
        ] {
            let body = call().body(|body| body["id"] = id.clone()).body.to_string();
            let Ok(Inbound::Request(request)) = classify(Wire::Pipe, body.as_bytes()) else { panic!("{id}") };
            assert_eq!(json!(request.id), id);
        }
        for id in [i64::MIN, i64::MAX] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":1}}"#);
            no_message(body, -32600, Some(RequestId::Integer(id)));
        }
    }

    #[test]
    fn a_response_is_refused_without_its_id() {
        no_message(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, -32600, None);
        no_message(r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}"#, -32600, None);
        no_message(r#"{"id":7,"result":{}}"#, -32600, None);
    }

    #[test]
    fn a_member_that_comes_twice_is_refused() {
        no_message(r#"{"jsonrpc":"2.0","id":7,"method":"a","method":"b"}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":7,"method":"a"}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","id":7,"method":"a","params":{},"params":{}}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","id":7,"method":"a","\u006dethod":"b"}"#, -32600, seven());
        no_message(r#"{"jsonrpc":"2.0","id":7,"id":8,"method":"a"}"#, -32600, None);
    }

    #[test]
    fn what_follows_the_message_is_refused() {
        no_message(r#"{"jsonrpc":"2.0","id":7,"method":"a"} x"#, -32600, seven());
        no_message(
            r#"{"jsonrpc":"2.0","id":7,"method":"a"}{"jsonrpc":"2.0","id":8,"method":"a"}"#,
            -32600,
            seven(),
        );
    }

    #[test]
    fn unknown_members_are_ignored_everywhere() {
        call()
            .body(|body| body["extra"] = json!([{"jsonrpc": 1}]))
            .body(|body| body["params"]["task"] = json!(null))
            .meta(|meta| meta["com.example/x"] = json!(1))
            .meta(|meta| {
                meta[CAPABILITIES] = json!({"elicitation": {"form": {}, "x": 1}, "future": {"y": []}})
            })
            .passes();
    }

    #[test]
    fn depth_ends_at_the_limit() {
        // The message, its params and their arguments are the first three levels.
        let nested = |levels: usize| {
            let inner = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
            call().body.to_string().replace(r#"{"a":1}"#, &format!(r#"{{"a":{inner}}}"#))
        };
        assert!(classify(Wire::Pipe, nested(MAX_DEPTH - 3).as_bytes()).is_ok());
        no_message(nested(MAX_DEPTH - 2), -32600, Some(RequestId::Integer(42)));
        no_message(nested(100_000), -32600, Some(RequestId::Integer(42)));
        no_message("{\"a\":".repeat(100_000), -32700, None);
        no_message("[".repeat(100_000), -32700, None);
        let flood = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"a","x":{}1{}}}"#,
            "{\"a\":".repeat(100_000),
            "}".repeat(100_000)
        );
        no_message(flood, -32600, seven());
    }

    #[test]
    fn braces_in_strings_are_no_depth() {
        let text = "[{\\\"".repeat(500);
        let body = call().body.to_string().replace(r#"{"a":1}"#, &format!(r#"{{"a":"{text}"}}"#));
        assert!(classify(Wire::Pipe, body.as_bytes()).is_ok());
        let wide = vec!["[]"; 5000].join(",");
        let body = call().body.to_string().replace(r#"{"a":1}"#, &format!(r#"{{"a":[{wide}]}}"#));
        assert!(classify(Wire::Pipe, body.as_bytes()).is_ok());
    }
}

mod notification {
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
            let Ok(Inbound::Notification(notification)) = notify(&headers) else {
                panic!("not a notification")
            };
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
        let refusal =
            notify(&call().second_header("mcp-protocol-version", "2026-07-28").headers).unwrap_err();
        assert_eq!(refusal.error.code.0, -32020);
        let refusal = notify(&call().header("mcp-protocol-version", "é").headers).unwrap_err();
        assert_eq!(refusal.status, StatusCode::BAD_REQUEST);
    }
}

mod envelope_era {
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
        call()
            .body(|body| drop(body["params"].as_object_mut().unwrap().remove("_meta")))
            .fails(-32602, "_meta");
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
        call().meta(|meta| meta["io.modelcontextprotocol/logLevel"] = json!("loud")).passes();
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
        sample("tools/list", json!({}), Some("a"))
            .second_header("mcp-name", "b")
            .fails(-32020, "more than once");
    }

    #[test]
    fn headers_that_mean_nothing_here_are_ignored() {
        call().header("mcp-session-id", "x").header("last-event-id", "1").passes();
        sample("tools/list", json!({}), Some("whatever")).passes();
    }

    #[test]
    fn methods_of_the_handshake_era_are_not_found() {
        for method in
            ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "roots/list"]
        {
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
        let unspoken = |sample: Sample| {
            sample.header("mcp-protocol-version", "v9").meta(|meta| meta[VERSION] = json!("v9"))
        };
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
}

mod params {
    use super::*;

    fn of(method: &str, params: Value) -> String {
        sample(method, params, None).body.to_string()
    }

    #[track_caller]
    fn read<T>(params: Value, read: impl FnOnce(&Params<'_>) -> Result<T, McpError>) -> Result<T, String> {
        let body = of("tools/call", params);
        match classify(Wire::Pipe, body.as_bytes()) {
            Ok(Inbound::Request(request)) => read(&request.params).map_err(|error| {
                assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
                error.message
            }),
            other => panic!("{other:?}"),
        }
    }

    use roundtrip_types::McpError;

    #[test]
    fn required_members_are_missed_and_checked_by_name() {
        assert_eq!(read(json!({}), |p| p.name().map(drop)), Err("params.name is missing".to_owned()));
        assert_eq!(
            read(json!({"name": 5}), |p| p.name().map(drop)),
            Err("params.name must be a string".to_owned())
        );
        assert_eq!(read(json!({}), |p| p.uri().map(drop)), Err("params.uri is missing".to_owned()));
        assert_eq!(
            read(json!({"uri": null}), |p| p.uri().map(drop)),
            Err("params.uri must be a string".to_owned())
        );
        assert_eq!(read(json!({}), |p| p.reference().map(drop)), Err("params.ref is missing".to_owned()));
        assert_eq!(
            read(json!({"ref": 1}), |p| p.reference().map(drop)),
            Err("params.ref must be an object".to_owned())
        );
        assert_eq!(
            read(json!({"argument": []}), |p| p.argument().map(drop)),
            Err("params.argument must be an object".to_owned())
        );
        assert_eq!(
            read(json!({}), |p| p.notifications().map(drop)),
            Err("params.notifications is missing".to_owned())
        );
        assert_eq!(read(json!({"name": "a"}), |p| p.name().map(String::from)), Ok("a".to_owned()));
        assert_eq!(read(json!({"uri": "x:y"}), |p| p.uri().map(String::from)), Ok("x:y".to_owned()));
    }

    #[test]
    fn optional_members_may_be_null_and_are_checked_otherwise() {
        for absent in [
            json!({}),
            json!({"arguments": null, "inputResponses": null, "requestState": null, "cursor": null, "context": null}),
        ] {
            assert_eq!(read(absent.clone(), |p| p.arguments().map(|v| v.is_none())), Ok(true));
            assert_eq!(read(absent.clone(), |p| p.input_responses().map(|v| v.is_none())), Ok(true));
            assert_eq!(read(absent.clone(), |p| p.request_state().map(|v| v.is_none())), Ok(true));
            assert_eq!(read(absent.clone(), |p| p.cursor().map(|v| v.is_none())), Ok(true));
            assert_eq!(read(absent, |p| p.context().map(|v| v.is_none())), Ok(true));
        }
        let wrong =
            json!({"arguments": [], "inputResponses": "x", "requestState": 5, "cursor": {}, "context": 1});
        assert_eq!(
            read(wrong.clone(), |p| p.arguments().map(drop)),
            Err("params.arguments must be an object".to_owned())
        );
        assert_eq!(
            read(wrong.clone(), |p| p.input_responses().map(drop)),
            Err("params.inputResponses must be an object".to_owned())
        );
        assert_eq!(
            read(wrong.clone(), |p| p.request_state().map(drop)),
            Err("params.requestState must be a string".to_owned())
        );
        assert_eq!(
            read(wrong.clone(), |p| p.cursor().map(drop)),
            Err("params.cursor must be a string".to_owned())
        );
        assert_eq!(
            read(wrong, |p| p.context().map(drop)),
            Err("params.context must be an object".to_owned())
        );
    }

    #[test]
    fn values_that_mean_something_are_kept_exactly() {
        for state in ["{\"a\":1}", " x ", "\u{0}é😀", "a/b+c==", "123", "null", ""] {
            let params = json!({"requestState": state, "cursor": state});
            assert_eq!(
                read(params.clone(), |p| p.request_state().map(|s| s.map(String::from))),
                Ok(Some(state.to_owned()))
            );
            assert_eq!(read(params, |p| p.cursor().map(|s| s.map(String::from))), Ok(Some(state.to_owned())));
        }
    }

    #[test]
    fn a_member_that_comes_twice_is_refused_by_name() {
        for (member, value) in
            [("name", "\"b\""), ("arguments", "{}"), ("requestState", "\"s\""), ("_meta", "{}")]
        {
            let body = of("tools/call", json!({"name": "a", "arguments": {}, "requestState": "r"}))
                .replace(r#""params":{"#, &format!(r#""params":{{"{member}":{value},"#));
            let (code, status, _, message) = refused(Wire::Pipe, body.as_bytes());
            assert_eq!((code, status), (-32602, 400));
            assert_eq!(message, format!("params.{member} is there twice"));
        }
    }

    #[test]
    fn whole_params_are_decoded_with_an_error_that_names_the_member() {
        #[derive(Debug, serde::Deserialize)]
        struct Vendor {
            #[expect(dead_code, reason = "only whether it can be read counts here")]
            level: u8,
        }
        assert!(read(json!({"level": 3}), |p| p.decode::<Vendor>()).is_ok());
        let error = read(json!({}), |p| p.decode::<Vendor>()).unwrap_err();
        assert_eq!(error, "params do not fit: missing field `level`");
    }
}

mod arbitrary {
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
}
