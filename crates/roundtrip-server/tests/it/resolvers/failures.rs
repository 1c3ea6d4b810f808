//! Resolvers that fail: the call fails in their words, or in none.

use std::sync::Arc;

use roundtrip_server::{
    McpServer, Question, Resolution, Resolve, Resolved, State, ToolError, elicit, elicit_schema, sample_with,
};
use roundtrip_types::{CreateMessageRequestParams, McpError, RawJson, SamplingMessage, ToolUseContent};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Barrier;
use tracing::Level;

use crate::{
    logs::Log,
    support::{Peer, failure, text},
};

macro_rules! failing {
    ($($Name:ident: $error:expr;)*) => {$(
        struct $Name;

        impl Resolve for $Name {
            type Needs = ();

            async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
                Err($error)
            }
        }
    )*};
}

failing! {
    Worded: ToolError::new("the harbour is closed");
    Unexpected: std::io::Error::other("s3cret path").into();
    OfTheProtocol: McpError::invalid_params("no such harbour").with_data(json!({ "harbour": 7 })).into();
}

struct Panicking;

impl Resolve for Panicking {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        panic!("s3cret detail")
    }
}

fn server() -> McpServer {
    McpServer::builder("Test")
        .tool("worded", async |_: Resolved<Worded>| "done")
        .tool("unexpected", async |_: Resolved<Unexpected>| "done")
        .tool("protocol", async |_: Resolved<OfTheProtocol>| "done")
        .tool("panicking", async |_: Option<Resolved<Panicking>>| "done")
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_worded_failure_is_told() {
    let server = server();
    assert_eq!(failure(&Peer::new(&server).call("worded", json!({})).await), "the harbour is closed");
}

#[tokio::test]
async fn an_unexpected_failure_is_told_to_the_log_alone() {
    let server = server();
    let log = Log::capture();
    assert_eq!(failure(&Peer::new(&server).call("unexpected", json!({})).await), "tool `unexpected` failed");
    let errors = log.take(Level::ERROR);
    assert!(matches!(&errors[..], [error] if error.contains("s3cret path")), "{errors:?}");
}

#[tokio::test]
async fn an_error_of_the_protocol_goes_out_as_it_is() {
    let server = server();
    let error = Peer::new(&server).error("tools/call", json!({ "name": "protocol" })).await;
    assert_eq!(error, json!({ "code": -32602, "message": "no such harbour", "data": { "harbour": 7 } }));
}

#[tokio::test]
async fn a_panic_fails_its_call_and_says_nothing() {
    let server = server();
    let peer = Peer::new(&server);
    let (status, error) = peer.refused("tools/call", json!({ "name": "panicking" })).await;
    assert_eq!(status, 200);
    assert_eq!(error, json!({ "code": -32603, "message": "internal error" }));
    assert_eq!(failure(&peer.call("worded", json!({})).await), "the harbour is closed", "the server goes on");
}

#[tokio::test]
async fn a_panic_beside_other_calls_leaves_them_alone() {
    struct Waiting;
    impl Resolve for Waiting {
        type Needs = State<Arc<Barrier>>;

        async fn resolve(barrier: State<Arc<Barrier>>) -> Result<Resolution<Self>, ToolError> {
            barrier.wait().await;
            Ok(Self.into())
        }
    }
    let barrier = Arc::new(Barrier::new(6));
    let server = McpServer::builder("Test")
        .state(Arc::clone(&barrier))
        .tool("wait", async |_: Resolved<Waiting>| "done")
        .tool("panicking", async |_: Resolved<Panicking>| "done")
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let wait = || peer.call("wait", json!({}));
    let panic_then_open = async {
        let error = peer.error("tools/call", json!({ "name": "panicking" })).await;
        barrier.wait().await;
        error
    };
    let (a, b, c, d, e, error) = tokio::join!(wait(), wait(), wait(), wait(), wait(), panic_then_open);
    for result in [a, b, c, d, e] {
        assert_eq!(text(&result), "done");
    }
    assert_eq!(error["code"], -32603);
}

/// Asks with a form that the protocol can't carry, and does not declare it to `build()`.
#[derive(Deserialize, JsonSchema)]
struct Nested {
    #[expect(dead_code, reason = "only its schema is used")]
    inside: Inside,
}

#[derive(Deserialize, JsonSchema)]
struct Inside {
    #[expect(dead_code, reason = "only its schema is used")]
    tags: Vec<String>,
}

impl Resolve for Nested {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("All of it?").into())
    }
}

struct Crooked(#[expect(dead_code, reason = "it is never answered")] RawJson);

impl Resolve for Crooked {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        let schema = json!({ "type": "object", "properties": { "list": { "type": "array", "items": {} } } });
        let question: Question<RawJson> = elicit_schema("A list?", schema.into());
        Ok(question.map(Self).into())
    }
}

/// Asks with a conversation that breaks off in the middle of a call.
struct Torn;

impl Resolve for Torn {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        let call = ToolUseContent::new("1", "weather", json!({}));
        let params = CreateMessageRequestParams::new([SamplingMessage::assistant(call)], 10);
        Ok(sample_with(params).map(|_| Self).into())
    }
}

#[tokio::test]
async fn a_question_that_the_protocol_forbids_is_not_asked() {
    let server = McpServer::builder("Test")
        .tool("nested", async |_: Resolved<Nested>| "done")
        .tool("crooked", async |_: Resolved<Crooked>| "done")
        .tool("torn", async |_: Resolved<Torn>| "done")
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let log = Log::capture();
    for (tool, culprit) in [("nested", "inside"), ("crooked", "list"), ("torn", "conversation")] {
        let error = peer.error("tools/call", json!({ "name": tool })).await;
        assert_eq!(error, json!({ "code": -32603, "message": "internal error" }));
        let errors = log.take(Level::ERROR);
        assert!(
            matches!(&errors[..], [error] if error.contains(culprit) && error.contains(tool)),
            "{errors:?}"
        );
    }
}
