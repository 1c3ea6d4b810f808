use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn canonical(json: &str) -> String {
    String::from_utf8(digest_input(json).unwrap_or_else(|error| panic!("{json}: {error}"))).unwrap()
}

#[test]
fn members_are_sorted_at_every_level_and_blanks_are_gone() {
    assert_eq!(
        canonical(
            " { \"b\" : [ { \"z\" : 1 , \"y\" : { \"d\" : 0 , \"c\" : null } } , true ] , \"a\" : \"x\" } "
        ),
        r#"{"a":"x","b":[{"y":{"c":null,"d":0},"z":1},true]}"#
    );
}

#[test]
fn an_object_inside_a_sorted_one_is_sorted_too() {
    assert_eq!(
        canonical(r#"{"a":{"c":[{"q":1,"p":2}],"d":{}},"b":{"y":1,"x":2}}"#),
        r#"{"a":{"c":[{"p":2,"q":1}],"d":{}},"b":{"x":2,"y":1}}"#
    );
}

#[test]
fn a_text_that_is_in_order_stays_as_it_is() {
    for json in
        ["null", "true", "false", "[]", "{}", r#"{"a":{"b":[1,{"c":"d"}]},"e":-7}"#, "[[[]],{}]", "\"\""]
    {
        assert_eq!(canonical(json), json);
    }
}

#[test]
fn numbers_are_compared_by_value_and_strings_by_character() {
    assert_eq!(canonical("[1,1.0,1e0,10e-1]"), "[1,1,1,1]");
    assert_ne!(canonical("9007199254740993"), canonical("9007199254740992"));
    assert_ne!(canonical("1"), canonical("\"1\""));
    assert_eq!(canonical(r#""\u0041\/\u00E9\ud83d\ude00""#), "\"A/é😀\"");
    assert_eq!(canonical(r#""\n\u000a\b\u0008\t\f\r""#), r#""\u000a\u000a\u0008\u0008\u0009\u000c\u000d""#);
    assert_eq!(canonical(r#""\u0022\u005c\"\\""#), r#""\"\\\"\\""#);
}

#[test]
fn half_a_surrogate_pair_keeps_one_spelling() {
    assert_eq!(canonical(r#""\uD800""#), r#""\ud800""#);
    assert_eq!(canonical(r#""\udC00x""#), r#""\udc00x""#);
    assert_eq!(canonical(r#""\ud800\ud800\udc00""#), "\"\\ud800\u{10000}\"");
    assert_eq!(canonical(r#""\ud800\u0041""#), r#""\ud800A""#);
    assert_ne!(canonical(r#""\ud800""#), canonical(r#""\\ud800""#));
}

#[test]
fn escaped_names_are_sorted_and_matched_by_character() {
    assert_eq!(canonical(r#"{"b":1,"\u0061":2}"#), r#"{"a":2,"b":1}"#);
}

#[test]
fn members_of_one_name_keep_their_order() {
    assert_eq!(canonical(r#"{"b":0,"a":1,"a":2}"#), r#"{"a":1,"a":2,"b":0}"#);
    assert_ne!(canonical(r#"{"a":1,"a":2}"#), canonical(r#"{"a":2,"a":1}"#));
}

#[test]
fn what_is_no_json_is_refused_where_it_goes_wrong() {
    let cases = [
        ("", 0),
        ("{", 1),
        ("[1,]", 3),
        ("{\"a\":1,}", 7),
        ("{\"a\" 1}", 5),
        ("[1 2]", 3),
        ("nul", 0),
        ("tru e", 0),
        ("01", 0),
        ("1.", 0),
        ("\"a", 2),
        ("\"\n\"", 1),
        ("\"\\x\"", 1),
        ("\"\\u12g4\"", 1),
        ("\"\\u12", 1),
        ("1 1", 2),
        ("{a:1}", 1),
        ("+1", 0),
        ("[", 1),
        ("]", 0),
        ("{\"a\":}", 5),
        ("'a'", 0),
        ("\u{feff}1", 0),
        ("NaN", 0),
    ];
    for (json, position) in cases {
        assert_eq!(digest_input(json), Err(CanonicalError { position, fault: Fault::Syntax }), "{json:?}");
    }
}

#[test]
fn an_exponent_out_of_range_is_named() {
    let error = digest_input("[1e9999999999999999]").unwrap_err();
    assert_eq!(error.to_string(), "the number at byte 1 has too large an exponent");
}

#[test]
fn depth_ends_at_the_limit() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |levels: usize| format!("{}1{}", open.repeat(levels), close.repeat(levels));
        assert_eq!(canonical(&nested(MAX_DEPTH)), nested(MAX_DEPTH));
        assert_eq!(digest_input(&nested(MAX_DEPTH + 1)).unwrap_err().fault, Fault::Depth);
        assert_eq!(digest_input(&open.repeat(100_000)).unwrap_err().fault, Fault::Depth);
    }
}

#[test]
fn a_wide_object_at_every_depth_is_written_once() {
    let wide: Vec<_> = (0..500).rev().map(|i| format!("\"k{i:03}\":{i}")).collect();
    let sorted: Vec<_> = wide.iter().rev().cloned().collect();
    let (mut deep, mut expected) = (format!("{{{}}}", wide.join(",")), format!("{{{}}}", sorted.join(",")));
    for _ in 0..MAX_DEPTH - 1 {
        deep = format!("{{\"b\":{deep},\"a\":0}}");
        expected = format!("{{\"a\":0,\"b\":{expected}}}");
    }
    assert_eq!(canonical(&deep), expected);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-c\u{e9}\"\\\\\n]{0,3}", inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Equality by value, in which `1` and `1.0` are one number, as `0.0` and `-0.0` are.
fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || (left.is_f64() || right.is_f64()) && left.as_f64() == right.as_f64()
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_value(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| left.0 == right.0 && same_value(left.1, right.1))
        }
        _ => left == right,
    }
}

/// Writes a value in another order of members, with other blanks, escapes and spellings of integers.
fn respell(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            out.push_str("{ ");
            for (number, (name, member)) in members.iter().rev().enumerate() {
                out.push_str(if number > 0 { " ,\n" } else { "" });
                respell(&Value::from(name.as_str()), out);
                out.push_str("\t: ");
                respell(member, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                respell(item, out);
            }
            out.push_str("\r\n]");
        }
        Value::String(text) => {
            out.push('"');
            for unit in text.encode_utf16() {
                out.push_str(&format!("\\u{unit:04X}"));
            }
            out.push('"');
        }
        Value::Number(number) if number.is_i64() => out.push_str(&format!("{number}.00E+0")),
        other => out.push_str(&other.to_string()),
    }
}

proptest! {
    #[test]
    fn another_spelling_of_a_value_has_the_same_form(value in any_json()) {
        let mut other = String::new();
        respell(&value, &mut other);
        prop_assert_eq!(canonical(&value.to_string()), canonical(&other));
    }

    #[test]
    fn the_form_is_json_and_its_own_form(value in any_json()) {
        let form = canonical(&value.to_string());
        prop_assert_eq!(canonical(&form), form.clone());
        prop_assert!(serde_json::from_str::<Value>(&form).is_ok());
    }

    #[test]
    fn different_values_have_different_forms(left in any_json(), right in any_json()) {
        let alike = canonical(&left.to_string()) == canonical(&right.to_string());
        prop_assert_eq!(alike, same_value(&left, &right));
    }

    #[test]
    fn integers_of_any_size_keep_their_digits(digits in "[1-9][0-9]{0,60}", more in "[1-9][0-9]{0,60}") {
        prop_assert_eq!(canonical(&digits) == canonical(&more), digits == more);
    }

    #[test]
    fn no_text_makes_it_panic_and_it_takes_what_a_json_reader_takes(text in "[\\[\\]{}:,\"\\\\u0-9ad.eE+ -]{0,40}") {
        let read = serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok();
        prop_assert_eq!(digest_input(&text).is_ok_and(|form| !form.is_empty()), read);
    }

    #[test]
    fn no_bytes_make_it_panic(text in any::<String>()) {
        let _ = digest_input(&text).map(|form| String::from_utf8(form).unwrap());
    }
}
