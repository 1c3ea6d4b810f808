//! Questions, what they need of a client, and their forms.

use roundtrip_types::*;
use serde_json::{Value, json};

use crate::{becomes, read, refused, survives};

#[test]
fn questions() {
    survives::<InputRequest>(r#"{"method":"roots/list"}"#);
    becomes::<InputRequest>(r#"{"params":{"_meta":{}},"method":"roots/list"}"#, r#"{"method":"roots/list"}"#);
    survives::<InputRequest>(
        r#"{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.com/"}}"#,
    );
    becomes::<InputRequest>(
        r#"{"params":{"requestedSchema":{"type":"object","properties":{}},"message":"m"},"method":"elicitation/create"}"#,
        r#"{"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}}}"#,
    );
    survives::<InputRequest>(
        r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"x"}},{"role":"assistant","content":[],"_meta":{}}],"maxTokens":9007199254740993,"modelPreferences":{"hints":[{"name":"h"},{}],"costPriority":0.5,"speedPriority":0,"intelligencePriority":1},"systemPrompt":"s","includeContext":"none","temperature":0.25,"stopSequences":["."],"metadata":{"z":1,"a":2},"tools":[{"name":"t","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}}}"#,
    );
}

#[test]
fn answers() {
    survives::<ElicitResult>(r#"{"action":"accept","content":{"b":1,"a":[]},"_meta":{}}"#);
    becomes::<ElicitResult>(r#"{"action":"decline","resultType":"complete"}"#, r#"{"action":"decline"}"#);
    assert_eq!(ElicitResult::consent().content, None);
    assert_eq!(ElicitResult::accept_from(&[1]).unwrap(), ElicitResult::accept(json!([1])));
    assert_eq!(serde_json::to_string(&ElicitResult::cancel()).unwrap(), r#"{"action":"cancel"}"#);
    survives::<ListRootsResult>(r#"{"roots":[{"uri":"file:///r","name":"R","_meta":{}}],"_meta":{}}"#);
    survives::<CreateMessageResult>(
        r#"{"role":"assistant","content":{"type":"text","text":"x"},"model":"m","stopReason":"whatever","_meta":{}}"#,
    );
    survives::<InputResponses>(r#"{"":{"action":"cancel"},"a":null,"b":{"roots":[]}}"#);
    // A kind is told by who asked, so one kind never passes for another.
    for other in
        [r#"{"roots":[]}"#, r#"{"role":"assistant","content":[],"model":"m"}"#, "42", "[]", r#""accept""#]
    {
        refused::<ElicitResult>(other);
    }
}

#[test]
fn one_block_and_an_array_of_one_stay_what_they_are() {
    let one: SamplingContent = read(r#"{"type":"text","text":"x"}"#);
    let many: SamplingContent = read(r#"[{"type":"text","text":"x"}]"#);
    assert_eq!(one, SamplingContent::from("x"));
    assert_eq!(many, SamplingContent::from(vec![SamplingBlock::text("x")]));
    assert_eq!(one.blocks(), many.blocks());
    refused::<SamplingContent>(r#""x""#);
}

#[test]
fn a_question_needs_what_this_request_declared() {
    let form = InputRequest::from(ElicitRequestFormParams::new("m", json!({"type": "object"})));
    let url = InputRequest::from(ElicitRequestUrlParams::new("m", "https://example.com/"));
    let sample = CreateMessageRequestParams::new([], 1);
    let tools = InputRequest::from(sample.clone().with_tools([]));
    let choice = InputRequest::from(sample.clone().with_tool_choice(ToolChoice::default()));
    let context = InputRequest::from(sample.clone().with_include_context("thisServer"));
    let no_context = InputRequest::from(sample.clone().with_include_context(IncludeContext::None));
    let sample = InputRequest::from(sample);
    let needs_form = json!({"elicitation": {"form": {}}});
    let needs_url = json!({"elicitation": {"url": {}}});
    let needs_tools = json!({"sampling": {"tools": {}}});
    let needs_context = json!({"sampling": {"context": {}}});
    let cases: [(Value, &InputRequest, Option<&Value>); 18] = [
        (json!({}), &form, Some(&needs_form)),
        (json!({}), &url, Some(&needs_url)),
        (json!({"elicitation": {}}), &form, None),
        (json!({"elicitation": {}}), &url, Some(&needs_url)),
        (json!({"elicitation": {"form": {}}}), &form, None),
        (json!({"elicitation": {"form": {}}}), &url, Some(&needs_url)),
        (json!({"elicitation": {"url": {}}}), &form, Some(&needs_form)),
        (json!({"elicitation": {"url": {}}}), &url, None),
        (json!({"elicitation": {"form": {}, "url": {}}}), &form, None),
        (json!({"elicitation": {"form": {}, "url": {}}}), &url, None),
        (json!({}), &sample, Some(&json!({"sampling": {}}))),
        (json!({"sampling": {}}), &sample, None),
        (json!({"sampling": {}}), &no_context, None),
        (json!({"sampling": {}}), &tools, Some(&needs_tools)),
        (json!({"sampling": {}}), &choice, Some(&needs_tools)),
        (json!({"sampling": {"tools": {}}}), &tools, None),
        (json!({"sampling": {"tools": {}}}), &context, Some(&needs_context)),
        (json!({"sampling": {}}), &InputRequest::ListRoots, Some(&json!({"roots": {}}))),
    ];
    for (declared, request, needed) in cases {
        let client: ClientCapabilities = serde_json::from_value(declared.clone()).unwrap();
        let missing = client.missing(request).map(|missing| serde_json::to_value(missing).unwrap());
        assert_eq!(missing.as_ref(), needed, "{declared} for {request:?}");
    }
}

fn fields(properties: &str) -> Result<Vec<FormField>, FormError> {
    let json = format!(r#"{{"type":"object","properties":{properties},"required":["s","gone"]}}"#);
    ElicitationSchema::from(RawJson::from_string(json).unwrap()).fields()
}

fn kind(field: &str) -> FormFieldKind {
    fields(&format!(r#"{{"f":{field}}}"#)).unwrap().remove(0).kind
}

#[test]
fn fields_stand_in_the_order_of_the_schema() {
    let fields =
        fields(r#"{"z":{"type":"boolean"},"s":{"type":"string","title":"T","description":"d"},"a":{"type":"number"}}"#)
            .unwrap();
    let names: Vec<_> = fields.iter().map(|field| (field.name.as_str(), field.required)).collect();
    assert_eq!(names, [("z", false), ("s", true), ("a", false)]);
    assert_eq!((fields[1].title.as_deref(), fields[1].description.as_deref()), (Some("T"), Some("d")));
}

#[test]
fn plain_fields() {
    assert_eq!(
        kind(r#"{"type":"string","minLength":1,"maxLength":2,"format":"email","default":"x"}"#),
        FormFieldKind::String {
            min_length: Some(1),
            max_length: Some(2),
            format: Some("email".to_owned()),
            default: Some("x".to_owned())
        }
    );
    assert_eq!(
        kind(r#"{"type":"number","minimum":-0.5,"maximum":1,"default":0}"#),
        FormFieldKind::Number {
            minimum: serde_json::Number::from_f64(-0.5),
            maximum: Some(1.into()),
            default: Some(0.into())
        }
    );
    assert_eq!(
        kind(r#"{"type":"integer","maximum":9007199254740993}"#),
        FormFieldKind::Integer {
            minimum: None,
            maximum: Some(9_007_199_254_740_993_u64.into()),
            default: None
        }
    );
    assert_eq!(
        kind(r#"{"type":"boolean","default":false}"#),
        FormFieldKind::Boolean { default: Some(false) }
    );
}

#[test]
fn choices() {
    let plain = || vec![FormOption::new("a", "a"), FormOption::new("b", "b")];
    let titled = || vec![FormOption::new("a", "A"), FormOption::new("b", "b")];
    let single = |options, default: Option<&str>| FormFieldKind::SingleSelect {
        options,
        default: default.map(str::to_owned),
    };
    assert_eq!(kind(r#"{"type":"string","enum":["a","b"],"default":"b"}"#), single(plain(), Some("b")));
    assert_eq!(kind(r#"{"type":"string","enum":["a","b"],"enumNames":["A"]}"#), single(titled(), None));
    assert_eq!(
        kind(r#"{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b"}]}"#),
        single(titled(), None)
    );
    assert_eq!(kind(r#"{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}"#), single(titled(), None));
    assert_eq!(
        kind(
            r#"{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,"default":["a"]}"#
        ),
        FormFieldKind::MultiSelect {
            options: plain(),
            min_items: Some(1),
            max_items: Some(2),
            default: Some(vec!["a".to_owned()])
        }
    );
    assert_eq!(
        kind(r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b"}]}}"#),
        FormFieldKind::MultiSelect { options: titled(), min_items: None, max_items: None, default: None }
    );
}

#[test]
fn a_field_that_no_form_can_show_is_named() {
    for field in [
        r#"{"type":"object","properties":{}}"#,
        r#"{"type":"string","properties":{}}"#,
        r#"{"type":"array"}"#,
        r#"{"type":"array","items":{"type":"string"}}"#,
        r#"{"type":"array","items":{"type":"object"}}"#,
        r#"{"type":"string","pattern":"^a$"}"#,
        r#"{"type":"string","default":7}"#,
        r#"{"type":"integer","enum":[1]}"#,
        r#"{"type":["string","null"]}"#,
        r#"{"type":"null"}"#,
        r##"{"$ref":"#/$defs/x"}"##,
        r#"{}"#,
        "true",
        "7",
    ] {
        let error = fields(&format!(r#"{{"good":{{"type":"boolean"}},"bad one":{field}}}"#)).unwrap_err();
        assert_eq!(error.field_name(), Some("bad one"), "{field}");
        assert!(error.to_string().contains("bad one"), "{error}");
        assert!(!error.problem().contains("bad one"), "{error}");
    }
    assert_eq!(
        fields(r#"{"f":{"type":"boolean"},"f":{"type":"string"}}"#).unwrap_err().field_name(),
        Some("f")
    );
}

#[test]
fn a_form_may_be_empty_but_is_an_object() {
    let read = |json: &str| ElicitationSchema::from(RawJson::from_string(json.to_owned()).unwrap()).fields();
    assert_eq!(read(r#"{"type":"object","properties":{}}"#), Ok(vec![]));
    assert_eq!(read(r#"{"type":"object"}"#), Ok(vec![]));
    for json in ["{}", "[]", "null", r#"{"type":"string"}"#, r#"{"type":"object","properties":[]}"#] {
        assert_eq!(read(json).unwrap_err().field_name(), None, "{json}");
    }
}
