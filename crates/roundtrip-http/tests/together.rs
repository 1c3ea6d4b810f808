//! Both sides together, over TCP.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use roundtrip_client::{CallToolResult, Client, ElicitResult};
use roundtrip_http::Listener;
use roundtrip_server::{
    Args, Context, McpServer, Outcome, Resolution, Resolve, Resolved, Serve, State, ToolError, elicit,
    lowlevel::Server,
};
use roundtrip_types::{CallToolRequestParams, McpError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Notify;

/// Serves on a free port for as long as the test runs.
async fn serve(server: impl Serve) -> String {
    let listener = Listener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(listener.serve(server).into_future());
    url
}

async fn soon<F: Future>(what: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(10), what).await.expect("it happens soon")
}

fn text(result: &CallToolResult) -> &str {
    result.content[0].as_text().unwrap()
}

#[derive(Deserialize, JsonSchema)]
struct Provision {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Region {
    region: String,
}

impl Resolve for Region {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("Which region?").into())
    }
}

async fn provision(ctx: Context, Args(db): Args<Provision>, place: Resolved<Region>) -> String {
    ctx.report_progress(1.0, Some(1.0), Some("done")).await;
    format!("Provisioned {:?} in {}.", db.name, place.region)
}

#[tokio::test]
async fn a_call_asks_and_reports_its_progress() {
    let url = serve(McpServer::builder("Provisioner").tool("provision", provision).build().unwrap()).await;
    let client = Client::builder()
        .on_elicitation(async |_| ElicitResult::accept(json!({ "region": "東京" })))
        .connect(url)
        .await
        .unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hear = Arc::clone(&heard);
    let result = client
        .call_tool("provision", json!({ "name": "orders" }))
        .on_progress(move |progress| hear.lock().unwrap().push(progress.message))
        .await
        .unwrap();
    assert_eq!(text(&result), r#"Provisioned "orders" in 東京."#);
    assert_eq!(*heard.lock().unwrap(), [Some("done".to_owned())]);
}

async fn named(_: Context, params: CallToolRequestParams) -> Result<Outcome<CallToolResult>, McpError> {
    Ok(CallToolResult::text(params.name).into())
}

#[tokio::test]
async fn any_name_travels() {
    let server = Server::builder("Named").on_call_tool(named).build().unwrap();
    let client = Client::connect(serve(server).await).await.unwrap();
    for name in ["=?base64?dGVzdA==?=", "héllo", " padded ", "a\tb", "", "=?BASE64?dGVzdA==?=", "plain"] {
        let result = client.call_tool(name, json!({})).await.unwrap();
        assert_eq!(text(&result), name);
    }
}

#[derive(Deserialize, JsonSchema)]
struct Tenant {
    #[serde(default)]
    #[schemars(extend("x-mcp-header" = "Tenant"))]
    tenant: String,
}

async fn tenant(ctx: Context, Args(args): Args<Tenant>) -> String {
    let header = ctx.headers().and_then(|headers| headers.get("mcp-param-tenant"));
    format!("{:?} {:?}", args.tenant, header.map(|value| value.to_str().unwrap()))
}

#[tokio::test]
async fn arguments_that_a_schema_marks_travel_as_headers_too() {
    let url = serve(McpServer::builder("Tenants").tool("tenant", tenant).build().unwrap()).await;
    let client = Client::connect(url).await.unwrap();
    for (argument, expected) in [
        (json!({ "tenant": "a" }), r#""a" Some("a")"#),
        (json!({ "tenant": "é" }), r#""é" Some("=?base64?w6k=?=")"#),
        (json!({}), r#""" None"#),
    ] {
        let result = client.call_tool("tenant", argument).await.unwrap();
        assert_eq!(text(&result), expected);
    }
}

#[derive(Default)]
struct Probe {
    started: Notify,
    cancelled: Notify,
}

struct OnDrop<'a>(&'a Notify);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

async fn wait(probe: State<Arc<Probe>>) -> String {
    let _guard = OnDrop(&probe.cancelled);
    probe.started.notify_one();
    std::future::pending().await
}

#[tokio::test]
async fn a_call_that_is_dropped_or_too_late_is_cancelled_on_the_server() {
    let probe = Arc::new(Probe::default());
    let server = McpServer::builder("Slow").state(Arc::clone(&probe)).tool("wait", wait).build().unwrap();
    let client = Client::connect(serve(server).await).await.unwrap();
    let call = client.call_tool("wait", json!({})).into_future();
    tokio::select! {
        _ = call => panic!("it waits for ever"),
        () = soon(probe.started.notified()) => {}
    }
    soon(probe.cancelled.notified()).await;
    let error = client.call_tool("wait", json!({})).deadline(Duration::from_millis(50)).await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    soon(probe.cancelled.notified()).await;
    assert!(client.discover().await.is_ok(), "and the client goes on");
}

#[tokio::test]
async fn an_error_keeps_its_status() {
    let client = Client::connect(serve(Server::builder("Empty").build().unwrap()).await).await.unwrap();
    let error = client.call_tool("any", json!({})).await.unwrap_err();
    assert_eq!((error.rpc().unwrap().code.0, error.status().unwrap().as_u16()), (-32601, 404));
}
