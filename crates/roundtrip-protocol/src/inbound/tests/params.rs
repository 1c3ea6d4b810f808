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
    assert_eq!(read(wrong, |p| p.context().map(drop)), Err("params.context must be an object".to_owned()));
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
