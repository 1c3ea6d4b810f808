//! A question goes only to a client that declared, on this very request, to answer its kind.

use roundtrip_server::{
    McpServer, Opened, Resolution, Resolve, Resolved, State, ToolError, elicit, elicit_url, list_roots,
    sample, sample_with,
};
use roundtrip_types::{CreateMessageRequestParams, IncludeContext, SamplingMessage, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Count, Peer, accept, questions, text};

#[derive(Deserialize, JsonSchema)]
struct Form {
    #[expect(dead_code, reason = "that it was answered is all that matters")]
    yes: bool,
}

struct Url;
struct Sampled;
struct SampledWithTools;
struct SampledWithContext;
struct Roots;

macro_rules! asking {
    ($($Name:ident: $question:expr;)*) => {$(
        impl Resolve for $Name {
            type Needs = ();

            async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
                Ok($question.into())
            }
        }
    )*};
}

asking! {
    Form: elicit("Yes?");
    Url: elicit_url("Open this.", "https://x.example").map(|_: Opened| Url);
    Sampled: sample("Go on.", 10).map(|_| Sampled);
    SampledWithTools: sample_with(params().with_tools([Tool::new("t", json!({ "type": "object" }))]))
        .map(|_| SampledWithTools);
    SampledWithContext: sample_with(params().with_include_context(IncludeContext::ThisServer))
        .map(|_| SampledWithContext);
    Roots: list_roots().map(|_| Roots);
}

fn params() -> CreateMessageRequestParams {
    CreateMessageRequestParams::new([SamplingMessage::user("Go on.")], 10)
}

fn server() -> McpServer {
    McpServer::builder("Test")
        .tool("form", async |_: Resolved<Form>| "done")
        .tool("url", async |_: Resolved<Url>| "done")
        .tool("sampling", async |_: Resolved<Sampled>| "done")
        .tool("sampling.tools", async |_: Resolved<SampledWithTools>| "done")
        .tool("sampling.context", async |_: Resolved<SampledWithContext>| "done")
        .tool("roots", async |_: Resolved<Roots>| "done")
        .build()
        .unwrap()
}

/// Asks when `needed` is `None`, else refuses for want of it.
async fn check(tool: &str, capabilities: Value, needed: Option<Value>) {
    let server = server();
    let peer = Peer::with_capabilities(&server, capabilities.clone());
    match needed {
        None => {
            assert_eq!(questions(&peer.call(tool, json!({})).await).len(), 1, "{tool} {capabilities}");
        }
        Some(needed) => {
            let (status, error) = peer.refused("tools/call", json!({ "name": tool })).await;
            assert_eq!((status, &error["code"]), (400, &json!(-32021)), "{tool} {capabilities}");
            assert_eq!(error["data"], json!({ "requiredCapabilities": needed }), "{tool} {capabilities}");
        }
    }
}

#[tokio::test]
async fn forms_and_addresses() {
    let form = || Some(json!({ "elicitation": { "form": {} } }));
    let url = || Some(json!({ "elicitation": { "url": {} } }));
    for (capabilities, for_form, for_url) in [
        (json!({}), form(), url()),
        (json!({ "elicitation": {} }), None, url()),
        (json!({ "elicitation": { "form": {} } }), None, url()),
        (json!({ "elicitation": { "url": {} } }), form(), None),
        (json!({ "elicitation": { "form": {}, "url": {} } }), None, None),
        // What nobody has heard of changes nothing.
        (json!({ "elicitation": { "form": { "x": 1 }, "voice": {} }, "future": { "y": [] } }), None, url()),
        (json!({ "sampling": {}, "roots": {} }), form(), url()),
    ] {
        check("form", capabilities.clone(), for_form).await;
        check("url", capabilities, for_url).await;
    }
}

#[tokio::test]
async fn completions() {
    let plain = || Some(json!({ "sampling": {} }));
    let tools = || Some(json!({ "sampling": { "tools": {} } }));
    let context = || Some(json!({ "sampling": { "context": {} } }));
    for (capabilities, for_plain, for_tools, for_context) in [
        (json!({}), plain(), tools(), context()),
        (json!({ "elicitation": {}, "roots": {} }), plain(), tools(), context()),
        (json!({ "sampling": {} }), None, tools(), context()),
        (json!({ "sampling": { "tools": {} } }), None, None, context()),
        (json!({ "sampling": { "context": {} } }), None, tools(), None),
        (json!({ "sampling": { "tools": {}, "context": {} } }), None, None, None),
    ] {
        check("sampling", capabilities.clone(), for_plain).await;
        check("sampling.tools", capabilities.clone(), for_tools).await;
        check("sampling.context", capabilities, for_context).await;
    }
}

#[tokio::test]
async fn roots() {
    check("roots", json!({ "elicitation": {}, "sampling": {} }), Some(json!({ "roots": {} }))).await;
    check("roots", json!({ "roots": {} }), None).await;
    check("roots", json!({ "roots": { "listChanged": true } }), None).await;
}

#[tokio::test]
async fn one_question_too_many_and_none_is_sent() {
    async fn both(_: Resolved<Form>, _: Resolved<Roots>) -> &'static str {
        "done"
    }
    let server = McpServer::builder("Test").tool("both", both).build().unwrap();
    let peer = Peer::with_capabilities(&server, json!({ "elicitation": {} }));
    let (status, error) = peer.refused("tools/call", json!({ "name": "both" })).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)));
    assert_eq!(error["data"]["requiredCapabilities"], json!({ "roots": {} }));
    assert!(error["message"].as_str().unwrap().contains("`roots`"), "{error}");
}

#[tokio::test]
async fn what_counts_is_what_this_round_declared() {
    async fn two(_: Resolved<Form>, _: Resolved<Roots>) -> &'static str {
        "done"
    }
    let server = McpServer::builder("Test").tool("two", two).build().unwrap();
    let asked = Peer::new(&server).call("two", json!({})).await;
    let answers = json!({ "form": accept(json!({ "yes": true })) });
    let params = json!({ "name": "two", "inputResponses": answers, "requestState": asked["requestState"] });
    let forgetful = Peer::with_capabilities(&server, json!({ "elicitation": {} }));
    assert_eq!(forgetful.error("tools/call", params).await["code"], -32021);
    // Nothing is left to ask, so nothing needs to be declared.
    let answers = json!({ "form": accept(json!({ "yes": true })), "roots": { "roots": [] } });
    let silent = Peer::with_capabilities(&server, json!({}));
    assert_eq!(text(&silent.retry("two", json!({}), &asked, answers).await), "done");
}

#[tokio::test]
async fn a_resolver_that_need_not_ask_needs_no_capability() {
    struct Known;
    impl Resolve for Known {
        type Needs = State<Count>;

        async fn resolve(known: State<Count>) -> Result<Resolution<Self>, ToolError> {
            if known.up() > 0 {
                return Ok(Self.into());
            }
            Ok(elicit::<Form>("Yes?").map(|_| Self).into())
        }
    }
    let server = McpServer::builder("Test")
        .state(Count::default())
        .tool("ask", async |_: Resolved<Known>| "done")
        .build()
        .unwrap();
    let peer = Peer::with_capabilities(&server, json!({}));
    assert_eq!(peer.error("tools/call", json!({ "name": "ask" })).await["code"], -32021);
    assert_eq!(text(&peer.call("ask", json!({})).await), "done");
}
