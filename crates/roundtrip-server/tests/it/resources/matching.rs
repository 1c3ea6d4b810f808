//! Which handler a URI comes to, and with which values.

use roundtrip_server::{Args, McpServer, ValuePolicy, template};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{read, refused};
use crate::support::{Count, Peer};

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

async fn named(Args(name): Args<Name>) -> String {
    name.name
}

fn of(uri_template: &str) -> McpServer {
    McpServer::builder("Test").template(uri_template, "named", named).build().unwrap()
}

#[tokio::test]
async fn values_are_decoded_once() {
    let server = of("x://docs/{name}");
    for (value, want) in [
        ("hello%20world", "hello world"),
        ("%C3%A9", "é"),
        ("é", "é"),
        ("a+b", "a+b"),
        ("%2520", "%20"),
        ("%252e%252e", "%2e%2e"),
        ("a.b-c_d~e", "a.b-c_d~e"),
        ("a%2Cb", "a,b"),
        ("%F0%9D%84%9E", "𝄞"),
    ] {
        let server = if want == "%2e%2e" { lenient() } else { server.clone() };
        let result = read(&server, &format!("x://docs/{value}")).await;
        assert_eq!(result["contents"][0]["text"], want, "{value}");
        assert_eq!(
            result["contents"][0]["uri"],
            format!("x://docs/{value}"),
            "the URI is the client's own spelling"
        );
    }
    for broken in ["%zz", "%", "%2", "%ff", "a%C3"] {
        let error = refused(&server, &format!("x://docs/{broken}")).await;
        assert_eq!(error["code"], -32602, "{broken}");
    }
}

fn lenient() -> McpServer {
    let policy = ValuePolicy::strict().allow_traversal();
    McpServer::builder("Test")
        .add(template("x://docs/{name}", "named", named).value_policy(policy))
        .build()
        .unwrap()
}

#[tokio::test]
async fn values_that_climb_out_of_a_folder_match_nothing() {
    let runs = Count::default();
    let counter = runs.clone();
    let server = McpServer::builder("Test")
        .template("file://docs/{name}", "doc", move |Args(name): Args<Name>| {
            counter.up();
            async move { name.name }
        })
        .template("tree://{+name}", "tree", named)
        .build()
        .unwrap();
    for uri in [
        "file://docs/..",
        "file://docs/..%2F..%2Fetc%2Fpasswd",
        "file://docs/..%2f..%2fetc%2fpasswd",
        "file://docs/%2e%2e%2Fsecret",
        "file://docs/..%5c..%5csecret",
        "file://docs/a%2F..%2F..%2Fsecret",
        "file://docs/%2Fetc%2Fpasswd",
        "file://docs/C%3A%5Csecret",
        "file://docs/a%00b",
        "file://docs/%252e%252e%252Fsecret",
        "file://docs/..%252Fsecret",
        "tree://../secret",
        "tree://a/../../secret",
        "tree:///etc/passwd",
        "tree://a/%2e%2e/b",
    ] {
        let error = refused(&server, uri).await;
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(uri)), "{error}");
    }
    assert_eq!(runs.get(), 0);
    assert_eq!(read(&server, "file://docs/..hidden").await["contents"][0]["text"], "..hidden");
    assert_eq!(read(&server, "tree://a/b.txt").await["contents"][0]["text"], "a/b.txt");
}

#[tokio::test]
async fn a_policy_allows_by_name_what_is_refused_by_default() {
    let server = lenient();
    assert_eq!(read(&server, "x://docs/..%2Fa").await["contents"][0]["text"], "../a");
    assert_eq!(refused(&server, "x://docs/%2Fetc").await["code"], -32602);
}

#[tokio::test]
async fn literals_match_themselves_alone() {
    let server = of("x://a.b/(c)*/{name}");
    assert_eq!(read(&server, "x://a.b/(c)*/d").await["contents"][0]["text"], "d");
    for uri in ["x://aXb/(c)*/d", "x://a.b/c/d", "x://a.b/(c)/d", "y://a.b/(c)*/d", "x://A.B/(c)*/d"] {
        assert_eq!(refused(&server, uri).await["code"], -32602, "{uri}");
    }
}

#[tokio::test]
async fn what_is_listed_can_be_read_in_either_spelling() {
    for (listed, raw, encoded) in [
        ("file:///docs/café/{name}", "file:///docs/café/a", "file:///docs/caf%C3%A9/a"),
        ("file:///my docs/{name}", "file:///my docs/a", "file:///my%20docs/a"),
    ] {
        let server = of(listed);
        let list = Peer::new(&server).result("resources/templates/list", json!({})).await;
        assert_eq!(list["resourceTemplates"][0]["uriTemplate"], listed);
        for uri in [raw, encoded] {
            let result = read(&server, uri).await;
            assert_eq!(result["contents"], json!([{ "uri": uri, "text": "a" }]), "{uri}");
        }
    }
}

#[tokio::test]
async fn variables_of_a_query_are_optional_and_in_any_order() {
    #[derive(Deserialize, JsonSchema)]
    struct Query {
        id: u32,
        a: Option<String>,
        b: Option<u8>,
    }
    async fn query(Args(query): Args<Query>) -> String {
        format!("{:?} {:?} {:?}", query.id, query.a, query.b)
    }
    let server = McpServer::builder("Test").template("d://{id}{?a,b}", "query", query).build().unwrap();
    for (uri, want) in [
        ("d://7", "7 None None"),
        ("d://7?b=1", "7 None Some(1)"),
        ("d://7?b=1&a=2", r#"7 Some("2") Some(1)"#),
        ("d://7?a=x%26y&b=1", r#"7 Some("x&y") Some(1)"#),
        ("d://7?a=", r#"7 Some("") None"#),
        ("d://7?c=3&a=2", r#"7 Some("2") None"#),
    ] {
        assert_eq!(read(&server, uri).await["contents"][0]["text"], want, "{uri}");
    }
    for uri in ["d://", "d://?b=1", "d://7/?b=1", "d://7?b=many"] {
        let error = refused(&server, uri).await;
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(uri)), "{error}");
    }
}

#[tokio::test]
async fn an_exploded_variable_is_a_list() {
    #[derive(Deserialize, JsonSchema)]
    struct Path {
        path: Vec<String>,
    }
    async fn joined(Args(path): Args<Path>) -> String {
        path.path.join("|")
    }
    let server = McpServer::builder("Test").template("t://root{/path*}", "tree", joined).build().unwrap();
    for (uri, want) in [("t://root/a", "a"), ("t://root/a/b%20c/d", "a|b c|d"), ("t://root/a%2Fb/c", "a/b|c")]
    {
        assert_eq!(read(&server, uri).await["contents"][0]["text"], want, "{uri}");
    }
    assert_eq!(refused(&server, "t://root/a/../b").await["code"], -32602);
}

#[tokio::test]
async fn a_fixed_uri_comes_before_a_template_and_a_template_before_later_ones() {
    let server = McpServer::builder("Test")
        .template("x://{name}", "any", async |_: Args<Name>| "any")
        .template("x://a{name}", "later", async |_: Args<Name>| "later")
        .resource("x://abc", "fixed", async || "fixed")
        .build()
        .unwrap();
    for (uri, want) in [("x://abc", "fixed"), ("x://abd", "any"), ("x://z", "any")] {
        assert_eq!(read(&server, uri).await["contents"][0]["text"], want, "{uri}");
    }
}
