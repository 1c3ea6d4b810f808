//! Lists, page by page and whole.

use serde_json::{Value, json};

use crate::wire::{Wire, error, result};

fn page(names: &[&str], next: Option<&Value>) -> Value {
    let tools: Vec<_> =
        names.iter().map(|name| json!({ "name": name, "inputSchema": { "type": "object" } })).collect();
    let mut page = json!({ "resultType": "complete", "tools": tools, "ttlMs": 5, "cacheScope": "public" });
    if let Some(next) = next {
        page["nextCursor"] = next.clone();
    }
    page
}

fn names(tools: &[roundtrip_types::Tool]) -> Vec<&str> {
    tools.iter().map(|tool| &*tool.name).collect()
}

#[tokio::test]
async fn one_page_is_what_the_server_sent() {
    let wire = Wire::results([page(&["a"], Some(&json!("next"))), page(&["b"], None)]);
    let client = wire.client();
    let first = client.list_tools().await.unwrap();
    assert_eq!(names(&first.tools), ["a"]);
    assert_eq!(first.next_cursor.as_deref(), Some("next"));
    assert_eq!(first.ttl_ms, 5);
    let second = client.list_tools().cursor("next").await.unwrap();
    assert_eq!(names(&second.tools), ["b"]);
    assert_eq!(second.next_cursor, None);
    let sent = wire.sent();
    assert_eq!(sent[0].params().get("cursor"), None);
    assert_eq!(sent[1].params()["cursor"], "next");
}

#[tokio::test]
async fn the_empty_cursor_is_a_cursor_and_null_is_the_end() {
    let wire = Wire::results([page(&["a"], Some(&json!(""))), page(&["b"], Some(&Value::Null))]);
    let tools = wire.client().list_tools().all().await.unwrap();
    assert_eq!(names(&tools), ["a", "b"]);
    assert_eq!(wire.sent().len(), 2);
    assert_eq!(wire.sent()[1].params()["cursor"], "");
}

#[tokio::test]
async fn a_whole_list_may_begin_in_the_middle() {
    let wire = Wire::results([page(&["b"], None)]);
    wire.client().list_tools().cursor("middle").all().await.unwrap();
    assert_eq!(wire.sent()[0].params()["cursor"], "middle");
}

#[tokio::test]
async fn a_cursor_that_comes_again_is_an_error() {
    let wire = Wire::results([page(&["a"], Some(&json!("same")))]);
    let error = wire.client().list_tools().all().await.unwrap_err();
    assert!(error.is_pages() && !error.is_rpc(), "{error}");
    assert!(error.to_string().contains("\"same\""), "{error}");
    assert_eq!(wire.sent().len(), 2);

    let wire =
        Wire::new(|number, sent| result(sent, &page(&["a"], Some(&json!(format!("c{}", number % 3))))));
    assert!(wire.client().list_tools().all().await.unwrap_err().is_pages());
    assert_eq!(wire.sent().len(), 4);

    // To be sent back to where one began is a circle as well.
    let wire = Wire::results([page(&["a"], Some(&json!("start")))]);
    assert!(wire.client().list_tools().cursor("start").all().await.unwrap_err().is_pages());
    assert_eq!(wire.sent().len(), 1);
}

#[tokio::test]
async fn the_number_of_pages_is_bounded() {
    let endless = || Wire::new(|number, sent| result(sent, &page(&[], Some(&json!(number.to_string())))));
    let wire = endless();
    let error = wire.client().list_tools().all().max_pages(3).await.unwrap_err();
    assert!(error.is_pages(), "{error}");
    assert!(error.to_string().contains("more than 3 pages"), "{error}");
    assert_eq!(wire.sent().len(), 3);

    let wire = endless();
    assert!(wire.client().list_tools().all().await.unwrap_err().is_pages());
    assert_eq!(wire.sent().len(), 1_000);

    let wire = Wire::new(|number, sent| {
        let next = json!(number.to_string());
        result(sent, &page(&["t"], (number < 2).then_some(&next)))
    });
    assert_eq!(wire.client().list_tools().all().max_pages(3).await.unwrap().len(), 3);
}

#[tokio::test]
async fn every_kind_is_listed_by_its_method() {
    let wire = Wire::new(|_, sent| {
        let items = match &*sent.outgoing.method {
            "prompts/list" => json!({ "prompts": [{ "name": "p" }] }),
            "resources/list" => json!({ "resources": [{ "name": "r", "uri": "a://b" }] }),
            _ => json!({ "resourceTemplates": [{ "name": "t", "uriTemplate": "a://{b}" }] }),
        };
        result(sent, &items)
    });
    let client = wire.client();
    assert_eq!(client.list_prompts().all().await.unwrap()[0].name, "p");
    assert_eq!(client.list_resources().all().await.unwrap()[0].uri, "a://b");
    assert_eq!(client.list_resource_templates().all().await.unwrap()[0].uri_template, "a://{b}");
    assert_eq!(wire.methods(), ["prompts/list", "resources/list", "resources/templates/list"]);
}

#[tokio::test]
async fn an_error_on_any_page_is_the_error_of_the_list() {
    let wire = Wire::new(|number, sent| match number {
        0 => result(sent, &page(&["a"], Some(&json!("gone")))),
        _ => error(sent, &json!({ "code": -32602, "message": "invalid cursor" })),
    });
    let refused = wire.client().list_tools().all().await.unwrap_err();
    assert_eq!(refused.rpc().unwrap().message, "invalid cursor");
}

#[tokio::test]
async fn schemas_pass_through_untouched() {
    let schemas = [
        r##"{"type":"object","$defs":{"A":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/A","description":"x"}}}"##,
        r##"{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:1/x"}}}"##,
        r##"{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}"##,
        r#"{"type":"object","properties":{"a":true,"b":{"type":["string","null"]}},"additionalProperties":false}"#,
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"big":{"const":123456789012345678901234567890}}}"#,
        r#"{"$schema":"urn:unknown","type":"object","if":{},"then":{},"$anchor":"x"}"#,
    ];
    let tools: Vec<_> = schemas
        .iter()
        .enumerate()
        .map(|(number, schema)| format!(r#"{{"name":"t{number}","inputSchema":{schema}}}"#))
        .collect();
    let text = format!(r#"{{"tools":[{}]}}"#, tools.join(","));
    let wire = Wire::new(move |_, sent| crate::wire::raw_result(sent, &text));
    let tools = wire.client().list_tools().await.unwrap().tools;
    let read: Vec<_> = tools.iter().map(|tool| serde_json::to_string(&tool.input_schema).unwrap()).collect();
    assert_eq!(read, schemas);
    assert_eq!(wire.sent().len(), 1, "nothing is fetched");
}

#[tokio::test]
async fn one_schema_that_no_parser_follows_leaves_the_others_usable() {
    let deep = format!("{}{{}}{}", r#"{"anyOf":["#.repeat(50_000), "]}".repeat(50_000));
    let text = format!(
        r#"{{"tools":[{{"name":"deep","inputSchema":{{"type":"object","properties":{{"a":{deep}}}}}}},{{"name":"good","inputSchema":{{"type":"object"}}}}]}}"#
    );
    let wire = Wire::new(move |_, sent| crate::wire::raw_result(sent, &text));
    let tools = wire.client().list_tools().await.unwrap().tools;
    assert_eq!(names(&tools), ["good"]);
}
