//! What holds for every value.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use roundtrip_types::*;
use serde_json::Value;

/// Any JSON of a modest size, as text: numbers of any length, keys of any kind, spaces in between.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?",
        any::<String>().prop_map(|text| Value::from(text).to_string()),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let member = (any::<String>(), inner.clone())
            .prop_map(|(key, value)| format!("{}: {value}", Value::from(key)));
        prop_oneof![
            vec(inner, 0..4).prop_map(|items| format!("[ {}]", items.join(", "))),
            vec(member, 0..4).prop_map(|members| format!("{{{} }}", members.join(" ,"))),
        ]
    })
}

fn object() -> impl Strategy<Value = JsonObject> {
    btree_map(any::<String>(), json(), 0..4).prop_map(|members| {
        members.into_iter().map(|(key, json)| (key, RawJson::from_string(json).unwrap())).collect()
    })
}

fn block() -> impl Strategy<Value = ContentBlock> {
    let unknown = (0..3_usize, "[a-z]{1,4}", json()).prop_map(|(place, kind, json)| {
        let mut members = vec![format!(r#""a":{json}"#), format!(r#""b":{json}"#)];
        members.insert(place, format!(r#""type":"x{kind}""#));
        ContentBlock::Unknown(RawJson::from_string(format!("{{{}}}", members.join(","))).unwrap())
    });
    prop_oneof![
        any::<String>().prop_map(ContentBlock::text),
        (any::<String>(), object())
            .prop_map(|(text, meta)| ContentBlock::Text(TextContent::new(text).with_meta(Meta::from(meta)))),
        (any::<String>(), any::<String>()).prop_map(|(data, kind)| ContentBlock::image(data, kind)),
        any::<String>().prop_map(|uri| ContentBlock::resource_link(Resource::new(uri, "n"))),
        any::<String>().prop_map(|text| ContentBlock::resource(ResourceContents::text("u:1", text))),
        unknown,
    ]
}

proptest! {
    #[test]
    fn any_json_stays_the_same_text(json in json()) {
        let raw: RawJson = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(raw.get(), &json);
        prop_assert_eq!(serde_json::to_string(&raw).unwrap(), json);
    }

    #[test]
    fn a_result_is_read_as_it_was_written(
        content in vec(block(), 0..4),
        structured in proptest::option::of(json()),
        is_error in any::<Option<bool>>(),
        meta in proptest::option::of(object()),
    ) {
        let mut result = CallToolResult::new(content);
        result.structured_content = structured.map(|json| RawJson::from_string(json).unwrap());
        result.is_error = is_error;
        result.meta = meta.map(Meta::from);
        let outcome = Outcome::Complete(result);
        let json = serde_json::to_string(&outcome).unwrap();
        prop_assert_eq!(Outcome::from_json(&json).unwrap(), outcome);
    }

    #[test]
    fn the_meta_of_a_request_is_read_as_it_was_written(
        version in any::<String>(),
        experimental in object(),
        token in proptest::option::of(prop_oneof![
            any::<i64>().prop_map(ProgressToken::from),
            any::<String>().prop_map(ProgressToken::from),
            "-?[1-9][0-9]{20,40}".prop_map(|digits| serde_json::from_str(&digits).unwrap()),
        ]),
        other in object(),
    ) {
        let capabilities = ClientCapabilities::new().with_experimental(experimental);
        let mut meta = RequestMeta::new(version, capabilities).with_other(other);
        meta.progress_token = token;
        let json = serde_json::to_string(&meta).unwrap();
        prop_assert_eq!(RequestMeta::from_json(&json).unwrap(), meta);
    }

    #[test]
    fn a_block_reads_the_same_wherever_its_type_stands(text in any::<String>(), meta in object(), place in 0..3_usize) {
        let written = TextContent::new(text).with_meta(Meta::from(meta));
        let mut members = vec![
            format!(r#""text":{}"#, Value::from(written.text.clone())),
            format!(r#""_meta":{}"#, serde_json::to_string(&written.meta).unwrap()),
        ];
        members.insert(place, r#""type":"text""#.to_owned());
        let json = format!("{{{}}}", members.join(","));
        prop_assert_eq!(serde_json::from_str::<ContentBlock>(&json).unwrap(), ContentBlock::Text(written));
    }

    #[test]
    fn no_input_makes_reading_panic(json in prop_oneof![json(), any::<String>()]) {
        let _ = serde_json::from_str::<CallToolResult>(&json);
        let _ = serde_json::from_str::<InputRequest>(&json);
        let _ = serde_json::from_str::<CreateMessageResult>(&json);
        let _ = RequestMeta::from_json(&json);
        let _ = Outcome::<GetPromptResult>::from_json(&json);
        if let Ok(raw) = RawJson::from_string(json) {
            let _ = ElicitationSchema::from(raw).fields();
        }
    }
}
