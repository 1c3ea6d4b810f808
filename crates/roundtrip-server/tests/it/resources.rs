//! `resources/read`: fixed URIs and templates, contents, freshness, failures, resolvers.

mod matching;

use std::time::Duration;

use expect_test::expect;
use roundtrip_server::{
    Args, Context, InputRequired, McpServer, Outcome, Resolution, Resolve, Resolved, ToolError, elicit,
    resource, template,
};
use roundtrip_types::{CacheScope, McpError, ReadResourceResult, ResourceContents};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Count, Peer, accept, decline, pretty, questions};

const MINUTE: Duration = Duration::from_secs(60);

/// A page of the manual.
#[derive(Deserialize, JsonSchema)]
struct Page {
    number: u8,
}

async fn page(Args(page): Args<Page>) -> String {
    format!("page {}", page.number)
}

async fn read(server: &McpServer, uri: &str) -> Value {
    Peer::new(server).result("resources/read", json!({ "uri": uri })).await
}

async fn refused(server: &McpServer, uri: &str) -> Value {
    Peer::new(server).error("resources/read", json!({ "uri": uri })).await
}

#[tokio::test]
async fn contents_are_filled_in() {
    let server = McpServer::builder("Test")
        .version("1")
        .add(resource("x://text", "text", async || "Ahoy.").mime_type("text/plain"))
        .resource("x://bytes", "bytes", async || vec![0xFF_u8, 0x00])
        .add(
            resource("x://own", "own", async || {
                vec![
                    ResourceContents::text("x://own/a", "a").with_mime_type("text/markdown"),
                    ResourceContents::blob("", "AAE="),
                ]
            })
            .mime_type("image/png"),
        )
        .build()
        .unwrap();
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Test",
              "version": "1"
            }
          },
          "cacheScope": "private",
          "contents": [
            {
              "mimeType": "text/plain",
              "text": "Ahoy.",
              "uri": "x://text"
            }
          ],
          "resultType": "complete",
          "ttlMs": 0
        }"#]]
    .assert_eq(&pretty(&read(&server, "x://text").await));
    assert_eq!(read(&server, "x://bytes").await["contents"], json!([{ "uri": "x://bytes", "blob": "/wA=" }]));
    assert_eq!(
        read(&server, "x://own").await["contents"],
        json!([
            { "uri": "x://own/a", "mimeType": "text/markdown", "text": "a" },
            { "uri": "x://own", "mimeType": "image/png", "blob": "AAE=" },
        ])
    );
}

#[tokio::test]
async fn the_listings_show_what_was_said() {
    let server = McpServer::builder("Test")
        .add(
            resource("x://a", "a", async || "a")
                .title("A")
                .description("An A.")
                .mime_type("text/plain")
                .size(1),
        )
        .add(template("x://manual/{number}", "page", page).title("Page").mime_type("text/plain"))
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let resources = peer.result("resources/list", json!({})).await;
    expect![[r#"
        [
          {
            "description": "An A.",
            "mimeType": "text/plain",
            "name": "a",
            "size": 1,
            "title": "A",
            "uri": "x://a"
          }
        ]"#]]
    .assert_eq(&pretty(&resources["resources"]));
    let templates = peer.result("resources/templates/list", json!({})).await;
    expect![[r#"
        [
          {
            "description": "A page of the manual.",
            "mimeType": "text/plain",
            "name": "page",
            "title": "Page",
            "uriTemplate": "x://manual/{number}"
          }
        ]"#]]
    .assert_eq(&pretty(&templates["resourceTemplates"]));
}

#[tokio::test]
async fn what_is_not_there_is_an_error_with_its_uri() {
    let server = McpServer::builder("Test")
        .resource("x://a", "a", async || "a")
        .template("x://manual/{number}", "page", page)
        .build()
        .unwrap();
    for uri in ["x://b", "x://a/", "X://a", "x://manual/", "x://manual/1/2", "", "no uri at all", "x://a?b=1"]
    {
        let error = refused(&server, uri).await;
        assert_eq!(error["code"], -32602, "{uri}");
        assert_eq!(error["data"], json!({ "uri": uri }));
    }
    let peer = Peer::new(&server);
    for params in [json!({}), json!({ "uri": 5 }), json!({ "uri": null })] {
        let error = peer.error("resources/read", params.clone()).await;
        assert_eq!(error["code"], -32602, "{params}");
        assert!(error["message"].as_str().unwrap().contains("uri"), "{error}");
    }
}

#[tokio::test]
async fn a_variable_that_is_not_what_the_handler_reads_is_named() {
    let server = McpServer::builder("Test").template("x://manual/{number}", "page", page).build().unwrap();
    assert_eq!(read(&server, "x://manual/7").await["contents"][0]["text"], "page 7");
    for uri in ["x://manual/256", "x://manual/one", "x://manual/-1", "x://manual/1.0"] {
        let error = refused(&server, uri).await;
        assert_eq!((&error["code"], &error["data"]), (&json!(-32602), &json!({ "uri": uri })), "{error}");
        assert!(error["message"].as_str().unwrap().contains("`number`"), "{error}");
    }
}

#[tokio::test]
async fn freshness_is_what_was_registered() {
    let server = McpServer::builder("Test")
        .resource("x://default", "default", async || "a")
        .add(resource("x://hinted", "hinted", async || "a").cache(MINUTE, CacheScope::Public))
        .add(
            resource("x://own", "own", async || {
                ReadResourceResult::new([ResourceContents::text("", "a")]).with_cache(5, CacheScope::Private)
            })
            .cache(MINUTE, CacheScope::Public),
        )
        .build()
        .unwrap();
    for (uri, ttl, scope) in
        [("x://default", 0, "private"), ("x://hinted", 60_000, "public"), ("x://own", 5, "private")]
    {
        let result = read(&server, uri).await;
        assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(ttl), &json!(scope)), "{uri}");
    }
}

/// Whose page it is.
#[derive(Deserialize, JsonSchema)]
struct Reader {
    name: String,
}

impl Resolve for Reader {
    type Needs = Args<Page>;

    async fn resolve(Args(page): Args<Page>) -> Result<Resolution<Self>, ToolError> {
        if page.number == 0 {
            return Ok(Self { name: "anybody".to_owned() }.into());
        }
        Ok(elicit(format!("Who reads page {}?", page.number)).into())
    }
}

#[tokio::test]
async fn a_template_asks_before_it_is_read() {
    let runs = Count::default();
    let counter = runs.clone();
    let own = move |Args(page): Args<Page>, reader: Resolved<Reader>| {
        counter.up();
        async move { format!("page {} for {}", page.number, reader.name) }
    };
    let server = McpServer::builder("Test")
        .add(template("x://own/{number}", "own", own).cache(MINUTE, CacheScope::Public))
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let asked = read(&server, "x://own/3").await;
    assert_eq!(questions(&asked), ["reader"]);
    assert_eq!(asked["inputRequests"]["reader"]["params"]["message"], "Who reads page 3?");
    assert!(["contents", "ttlMs", "cacheScope"].iter().all(|member| asked[member].is_null()), "{asked}");

    let retry = |answer: Value| {
        let answers = json!({ "reader": answer });
        json!({ "uri": "x://own/3", "requestState": asked["requestState"], "inputResponses": answers })
    };
    assert_eq!(questions(&peer.result("resources/read", retry(json!({ "roots": [] }))).await), ["reader"]);
    let error = peer.error("resources/read", retry(decline())).await;
    assert_eq!(error["message"], "the user declined the question `reader`");
    assert_eq!(runs.get(), 0);
    let done = peer.result("resources/read", retry(accept(json!({ "name": "Ada" })))).await;
    assert_eq!(done["contents"][0]["text"], "page 3 for Ada");
    assert_eq!((&done["ttlMs"], &done["cacheScope"]), (&json!(0), &json!("private")), "it took a question");

    let done = read(&server, "x://own/0").await;
    assert_eq!((&done["ttlMs"], &done["cacheScope"]), (&json!(60_000), &json!("public")), "it took none");

    let silent = Peer::with_capabilities(&server, json!({}));
    let (status, error) = silent.refused("resources/read", json!({ "uri": "x://own/3" })).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)));
    assert_eq!(refused(&server, "x://own/many").await["code"], -32602, "nobody is asked for a wrong request");
}

#[tokio::test]
async fn what_took_a_question_is_not_cached_whatever_the_handler_says() {
    async fn own(ctx: Context) -> Result<Outcome<ReadResourceResult>, ToolError> {
        if ctx.answer::<Reader>("reader").accepted().is_none() {
            return InputRequired::ask("reader", elicit::<Reader>("Who reads?")).into();
        }
        let contents = [ResourceContents::text("", "a")];
        Ok(Outcome::Complete(ReadResourceResult::new(contents).with_cache(5000, CacheScope::Public)))
    }
    let server = McpServer::builder("Test").template("x://own{/id}", "own", own).build().unwrap();
    let answers = json!({ "reader": accept(json!({ "name": "Ada" })) });
    let params = json!({ "uri": "x://own/1", "inputResponses": answers });
    let done = Peer::new(&server).result("resources/read", params).await;
    assert_eq!((&done["ttlMs"], &done["cacheScope"]), (&json!(0), &json!("private")));
}

#[tokio::test]
async fn failures_are_errors_of_the_protocol() {
    let server = McpServer::builder("Test")
        .resource("x://told", "told", async || Err::<String, _>(ToolError::new("the archive is closed")))
        .resource("x://unexpected", "unexpected", async || Err::<String, _>(std::io::Error::other("s3cret")))
        .resource("x://gone", "gone", async || Err::<String, _>(McpError::invalid_params("it was removed")))
        .resource("x://own", "own", async || {
            Err::<String, _>(McpError::invalid_params("no").with_data(json!({ "mine": 1 })))
        })
        .resource("x://panics", "panics", async || -> String { panic!("s3cret") })
        .build()
        .unwrap();
    for (uri, want) in [
        ("x://told", json!({ "code": -32603, "message": "the archive is closed" })),
        ("x://unexpected", json!({ "code": -32603, "message": "resource `x://unexpected` failed" })),
        ("x://gone", json!({ "code": -32602, "message": "it was removed", "data": { "uri": "x://gone" } })),
        ("x://own", json!({ "code": -32602, "message": "no", "data": { "mine": 1 } })),
        ("x://panics", json!({ "code": -32603, "message": "internal error" })),
    ] {
        assert_eq!(refused(&server, uri).await, want);
    }
}
