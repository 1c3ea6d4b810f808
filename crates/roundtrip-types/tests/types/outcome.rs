//! `resultType` alone tells what a result is.

use roundtrip_types::*;

fn read(json: &str) -> Result<Outcome<CallToolResult>, ResultError> {
    Outcome::from_json(json)
}

#[test]
fn no_other_member_makes_a_question_look_like_a_result() {
    for extra in [
        r#""_meta":{}"#,
        r#""content":[]"#,
        r#""structuredContent":{}"#,
        r#""isError":false"#,
        r#""messages":[]"#,
        r#""new":[[]]"#,
    ] {
        let first = format!(
            r#"{{"resultType":"input_required",{extra},"inputRequests":{{"c":{{"method":"roots/list"}}}},"requestState":"s"}}"#
        );
        let last = format!(
            r#"{{"inputRequests":{{"c":{{"method":"roots/list","params":{{"_meta":{{}}}}}}}},"requestState":"s",{extra},"resultType":"input_required"}}"#
        );
        for json in [first, last] {
            let asks = read(&json).unwrap().input_required().unwrap();
            assert_eq!(asks.request_state.as_deref(), Some("s"), "{json}");
            assert_eq!(asks.input_requests.unwrap()["c"], InputRequest::ListRoots, "{json}");
        }
    }
}

#[test]
fn an_absent_type_is_complete_and_an_unknown_one_an_error() {
    assert_eq!(read(r#"{"content":[]}"#).unwrap(), Outcome::Complete(CallToolResult::default()));
    assert_eq!(
        read(r#"{"content":[],"resultType":"c\u006fmplete"}"#).unwrap(),
        Outcome::Complete(CallToolResult::default())
    );
    for (kind, named) in [
        (r#""future_kind""#, "future_kind"),
        (r#""""#, ""),
        ("null", "null"),
        ("7", "7"),
        ("{}", "{}"),
        (r#""task""#, "task"),
    ] {
        match read(&format!(r#"{{"content":[],"resultType":{kind}}}"#)) {
            Err(ResultError::UnknownType(found)) => assert_eq!(found, named),
            other => panic!("{kind} gave {other:?}"),
        }
    }
}

#[test]
fn a_long_unknown_type_is_shown_in_part() {
    let error = read(&format!(r#"{{"resultType":"{}"}}"#, "é".repeat(10_000))).unwrap_err();
    assert!(error.to_string().len() < 300);
}

#[test]
fn members_that_do_not_fit_are_an_error() {
    for json in [
        "[]",
        "null",
        "{}",
        r#"{"resultType":"complete","resultType":"input_required","requestState":"s"}"#,
        r#"{"resultType":"input_required","requestState":7}"#,
        r#"{"resultType":"input_required","inputRequests":[]}"#,
    ] {
        assert!(matches!(read(json), Err(ResultError::Malformed(_))), "{json}");
    }
}

#[test]
fn a_question_that_cannot_be_read_is_named() {
    for (request, why) in [
        (r#"{"method":"tools/call","params":{}}"#, "tools/call"),
        (r#"{"method":"elicitation/create"}"#, "params"),
        (r#"{"method":"elicitation/create","params":{"mode":"voice","message":"m"}}"#, "voice"),
        (r#"{"method":"elicitation/create","params":{"message":"m"}}"#, "requestedSchema"),
        (r#"{"method":"elicitation/create","params":{"mode":"url","message":"m"}}"#, "url"),
        (r#"{"method":"sampling/createMessage","params":{"messages":[]}}"#, "maxTokens"),
    ] {
        let json = format!(r#"{{"resultType":"input_required","inputRequests":{{"my key":{request}}}}}"#);
        let Err(ResultError::Malformed(error)) = read(&json) else { panic!("{json} was read") };
        let error = error.to_string();
        assert!(error.contains("my key") && error.contains(why), "{error}");
    }
}

#[test]
fn a_question_without_a_question_and_a_state_is_an_error() {
    for members in ["", r#","inputRequests":null,"requestState":null"#, r#","inputRequests":{}"#] {
        let json = format!(r#"{{"resultType":"input_required"{members}}}"#);
        assert!(matches!(read(&json), Err(ResultError::AsksNothing)), "{json}");
    }
    let state_only = read(r#"{"resultType":"input_required","inputRequests":{},"requestState":""}"#).unwrap();
    assert_eq!(state_only.input_required().unwrap().request_state.as_deref(), Some(""));
}

#[test]
fn keys_and_states_are_opaque() {
    let long = "k".repeat(10_240);
    for text in
        ["__proto__", "", "a.b/c", "é", "Ab", "aB", " x ", "\0é😀", "null", "123", r#"{"a":1}"#, &long]
    {
        let asked = InputRequiredResult::ask(text, InputRequest::ListRoots).with_request_state(text);
        let json = serde_json::to_string(&Outcome::<CallToolResult>::InputRequired(asked.clone())).unwrap();
        assert_eq!(read(&json).unwrap().input_required().unwrap(), asked);
    }
}

#[test]
fn each_result_is_written_with_its_type_first() {
    let complete = Outcome::from(GetPromptResult::new([PromptMessage::user("x")]));
    assert_eq!(
        serde_json::to_string(&complete).unwrap(),
        r#"{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"x"}}]}"#
    );
    let retry: Outcome<ReadResourceResult> = InputRequiredResult::retry("s").into();
    assert_eq!(
        serde_json::to_string(&retry).unwrap(),
        r#"{"resultType":"input_required","requestState":"s"}"#
    );
    let structured = CallToolResult::new([]).with_structured_content(RawJson::null());
    assert_eq!(
        serde_json::to_string(&Complete(&structured)).unwrap(),
        r#"{"resultType":"complete","content":[],"structuredContent":null}"#
    );
    assert_eq!(
        serde_json::to_string(&Complete(&SubscriptionsListenResult::new(&RequestId::from(1)))).unwrap(),
        r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}"#
    );
}

#[test]
fn an_outcome_hands_over_what_it_holds() {
    let complete = Outcome::from(CallToolResult::text("x"));
    assert_eq!(complete.clone().map(|result| result.content.len()), Outcome::Complete(1));
    assert_eq!(complete.clone().input_required(), None);
    assert_eq!(complete.complete(), Some(CallToolResult::text("x")));
    let asks: Outcome<CallToolResult> = InputRequiredResult::retry("s").into();
    assert_eq!(asks.clone().complete(), None);
    assert_eq!(asks.map(|_| 1), Outcome::InputRequired(InputRequiredResult::retry("s")));
}
