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
    let body = format!("\u{feff}{}", call().body);
    no_message(&body, -32700, None);
    assert!(refused(Wire::Pipe, body.as_bytes()).3.contains("byte order mark"));
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
        .meta(|meta| meta[CAPABILITIES] = json!({"elicitation": {"form": {}, "x": 1}, "future": {"y": []}}))
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

#[test]
fn params_that_are_no_object_are_told_from_a_message_that_is_none() {
    for params in ["[]", "1e999", "\"\\ud800\"", "null", "{\"\\ud800\":1}"] {
        let body = format!(r#"{{"params":{params},"jsonrpc":"2.0","id":7,"method":"tools/list"}}"#);
        let (code, status, id, _) = refused(Wire::Pipe, body.as_bytes());
        assert_eq!((code, status, id), (-32602, 400, seven()), "{params}");
    }
    no_message(r#"{"params":[],"id":7,"method":"tools/list"}"#, -32600, seven());
    no_message(r#"{"params":[],"jsonrpc":"2.0","id":7,"method":"tools/list""#, -32700, None);
}
