use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn answer(properties: &Value, content: &Value) -> Result<(), String> {
    let schema = json!({"type": "object", "properties": properties});
    validate(&schema.into(), &content.into()).map_err(|error| error.to_string())
}

/// One field `f`, with values that fit and values that don't.
fn check(field: &Value, good: &[Value], bad: &[Value], words: &str) {
    for value in good {
        assert_eq!(answer(&json!({"f": field}), &json!({"f": value})), Ok(()), "{field} {value}");
    }
    for value in bad {
        let error = answer(&json!({"f": field}), &json!({"f": value})).unwrap_err();
        assert!(error.starts_with("field \"f\": ") && error.contains(words), "{field} {value}: {error}");
    }
}

#[test]
fn text() {
    let text = json!({"type": "string"});
    check(
        &text,
        &[json!(""), json!("a\nb")],
        &[json!(1), json!(true), json!(null), json!([]), json!({})],
        "must be text",
    );
    let bounded = json!({"type": "string", "minLength": 2, "maxLength": 3});
    check(&bounded, &[json!("éé"), json!("😀😀😀")], &[json!("é"), json!("")], "at least 2 characters");
    check(&bounded, &[], &[json!("😀😀😀😀")], "at most 3 characters");
}

#[test]
fn text_of_a_format() {
    check(
        &json!({"type": "string", "format": "email"}),
        &[json!("a@b.c")],
        &[json!("a"), json!("")],
        "an email address",
    );
    check(&json!({"type": "string", "format": "uri"}), &[json!("x:y")], &[json!("y")], "a URI");
    check(
        &json!({"type": "string", "format": "date"}),
        &[json!("2026-07-28")],
        &[json!("28.07.2026")],
        "a date",
    );
    check(
        &json!({"type": "string", "format": "date-time"}),
        &[json!("2026-07-28T00:00:00Z")],
        &[json!("now")],
        "date and time",
    );
    check(&json!({"type": "string", "format": "colour"}), &[json!("anything")], &[], "");
}

#[test]
fn numbers() {
    let number = json!({"type": "number", "minimum": -1.5, "maximum": 10});
    check(
        &number,
        &[json!(-1.5), json!(0), json!(10), json!(10.0), json!(9.99)],
        &[json!(-1.51), json!(-2)],
        "at least -1.5",
    );
    check(&number, &[], &[json!(10.01), json!(11)], "at most 10");
    check(&number, &[], &[json!("5"), json!(null), json!(true), json!([5])], "must be a number");
}

#[test]
fn integers() {
    let integer = json!({"type": "integer", "minimum": 0, "maximum": 9007199254740992_i64});
    check(
        &integer,
        &[json!(0), json!(3.0), json!(9007199254740992_i64)],
        &[json!(3.5), json!("3"), json!(null)],
        "must be an integer",
    );
    check(&integer, &[], &[json!(-1)], "at least 0");
    // The next integer is the same floating-point number as the bound.
    check(&integer, &[], &[json!(9007199254740993_i64)], "at most 9007199254740992");
}

#[test]
fn yes_or_no() {
    check(
        &json!({"type": "boolean"}),
        &[json!(true), json!(false)],
        &[json!("yes"), json!(1), json!(null), json!([true])],
        "true or false",
    );
}

#[test]
fn one_choice_in_every_spelling() {
    for field in [
        json!({"type": "string", "enum": ["a", "b"]}),
        json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}),
        json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}),
    ] {
        check(
            &field,
            &[json!("a"), json!("b")],
            &[json!("A"), json!("c"), json!(""), json!(["a"]), json!(0), json!(null)],
            "one of the choices",
        );
    }
}

#[test]
fn several_choices_in_every_spelling() {
    for items in [
        json!({"type": "string", "enum": ["a", "b", "c"]}),
        json!({"anyOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}, {"const": "c", "title": "C"}]}),
    ] {
        let field = json!({"type": "array", "items": items, "minItems": 1, "maxItems": 2});
        check(
            &field,
            &[json!(["a"]), json!(["c", "b"])],
            &[json!(["d"]), json!(["a", "A"])],
            "only the choices",
        );
        check(
            &field,
            &[],
            &[json!("a"), json!({"a": 1}), json!([1]), json!(null), json!([["a"]])],
            "a list of choices",
        );
        check(&field, &[], &[json!([])], "at least 1 choice");
        check(&field, &[], &[json!(["a", "b", "c"])], "at most 2 choices");
    }
}

#[test]
fn a_required_field_is_missed_by_name_and_others_may_be_absent() {
    let schema: ElicitationSchema = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["b"],
    })
    .into();
    let valid = |content: Value| {
        validate(&schema, &content.into()).map_err(|error| error.field_name().map(str::to_owned))
    };
    assert_eq!(valid(json!({"b": "x"})), Ok(()));
    assert_eq!(valid(json!({"a": "x"})), Err(Some("b".to_owned())));
    assert_eq!(valid(json!({})), Err(Some("b".to_owned())));
    assert_eq!(valid(json!(null)), Err(Some("b".to_owned())));
    assert_eq!(valid(json!({"b": null})), Err(Some("b".to_owned())));
}

#[test]
fn members_that_the_form_does_not_name_are_ignored() {
    assert_eq!(
        answer(&json!({"ok": {"type": "boolean"}}), &json!({"ok": true, "more": [1], "Ok": "x"})),
        Ok(())
    );
}

#[test]
fn a_form_without_fields_is_accepted_with_an_object_or_without_content() {
    for content in [json!({}), json!(null), json!({"extra": 1})] {
        assert_eq!(answer(&json!({}), &content), Ok(()));
    }
}

#[test]
fn content_that_is_no_object_is_refused() {
    for content in [json!(42), json!("x"), json!([]), json!(true)] {
        assert!(answer(&json!({}), &content).unwrap_err().starts_with("form: "), "{content}");
    }
}

#[test]
fn nested_values_are_refused() {
    let field = json!({"ok": {"type": "boolean"}});
    for value in [json!({"nested": 1}), json!([1, 2]), json!("yes")] {
        assert!(answer(&field, &json!({"ok": value})).unwrap_err().contains("\"ok\""), "{value}");
    }
}

#[test]
fn a_field_that_comes_twice_is_refused_and_others_may() {
    let schema: ElicitationSchema =
        json!({"type": "object", "properties": {"a": {"type": "integer"}}}).into();
    let valid = |content: &str| validate(&schema, &RawJson::from_string(content.to_owned()).unwrap());
    assert_eq!(valid(r#"{"a":1,"\u0061":2}"#).unwrap_err().to_string(), "field \"a\": it is there twice");
    assert_eq!(valid(r#"{"a":1,"b":2,"b":3}"#), Ok(()));
}

#[test]
fn a_number_that_no_program_computes_with_is_refused() {
    let schema: ElicitationSchema = json!({"type": "object", "properties": {"a": {"type": "number"}}}).into();
    let content = RawJson::from_string(r#"{"a":1e99999999999999999999}"#.to_owned()).unwrap();
    assert!(validate(&schema, &content).is_err());
}

#[test]
fn a_schema_that_is_no_form_is_refused() {
    let error = answer(&json!({"a": {"type": "object", "properties": {}}}), &json!({})).unwrap_err();
    assert!(error.contains("\"a\""), "{error}");
}

#[test]
fn one_field_is_checked_alone() {
    let schema: ElicitationSchema =
        json!({"type": "object", "properties": {"a": {"type": "integer"}}}).into();
    let field = &schema.fields().unwrap()[0];
    assert_eq!(validate_field(field, &json!(1).into()), Ok(()));
    assert_eq!(validate_field(field, &json!("1").into()).unwrap_err().field_name(), Some("a"));
}

fn any_field() -> impl Strategy<Value = (Value, Value)> {
    prop_oneof![
        "\\PC{0,8}".prop_map(|text| (json!({"type": "string", "maxLength": 8}), json!(text))),
        (any::<i32>(), 0..100_i64).prop_map(|(least, more)| {
            let value = i64::from(least) + more;
            (json!({"type": "integer", "minimum": least, "maximum": value}), json!(value))
        }),
        any::<bool>().prop_map(|value| (json!({"type": "boolean"}), json!(value))),
        prop::collection::vec("[a-z]{1,4}", 1..5)
            .prop_map(|options| (json!({"type": "string", "enum": options}), json!(options[0]))),
        prop::collection::vec("[a-z]{1,4}", 1..5).prop_map(|options| {
            (json!({"type": "array", "items": {"type": "string", "enum": options}}), json!(options))
        }),
    ]
}

proptest! {
    #[test]
    fn a_value_made_for_its_field_fits(fields in prop::collection::btree_map("[a-z]{1,3}", any_field(), 0..6)) {
        let properties: Value = fields.iter().map(|(name, field)| (name.clone(), field.0.clone())).collect();
        let content: Value = fields.iter().map(|(name, field)| (name.clone(), field.1.clone())).collect();
        prop_assert_eq!(answer(&properties, &content), Ok(()));
    }

    #[test]
    fn no_schema_and_no_content_make_it_panic(schema in "[{}\\[\\]:,\"a-z0-9 .e-]{0,60}", content in "[{}\\[\\]:,\"a-z0-9 .e-]{0,60}") {
        if let (Ok(schema), Ok(content)) = (RawJson::from_string(schema), RawJson::from_string(content)) {
            let _ = validate(&schema.into(), &content);
        }
    }
}
