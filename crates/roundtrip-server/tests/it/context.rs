//! What a handler knows of its request, and what it can say while it runs.

use http::{Extensions, HeaderMap};
use roundtrip_server::{
    Context, McpServer, Principal, Resolution, Resolve, Resolved, ToolError,
    exchange::{Exchange, Outbox},
};
use roundtrip_types::LoggingLevel;
use serde_json::{Value, json};

use crate::support::{Peer, drain, text};

/// A server whose one tool shows what `show` makes of its context.
fn showing(show: fn(&Context) -> String) -> McpServer {
    McpServer::builder("Test").tool("show", move |ctx: Context| async move { show(&ctx) }).build().unwrap()
}

#[tokio::test]
async fn a_handler_knows_its_request() {
    let server = showing(|ctx| {
        let info = ctx.client_info().map(|info| format!("{} {}", info.name, info.version));
        let roots = ctx.client_capabilities().supports_roots();
        format!(
            "{:?} {info:?} {roots} {:?}",
            ctx.request_id().to_string(),
            ctx.meta().other.get::<u8>("x.example/n")
        )
    });
    let mut peer = Peer::with_capabilities(&server, json!({ "roots": {} }));
    peer.meta =
        json!({ "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" }, "x.example/n": 7 });
    assert_eq!(text(&peer.call("show", json!({})).await), r#""1" Some("c 1") true Some(7)"#);
    peer.capabilities = json!({});
    peer.meta = json!({ "io.modelcontextprotocol/clientInfo": 5 });
    assert_eq!(text(&peer.call("show", json!({})).await), r#""2" None false None"#);
}

#[tokio::test]
async fn a_handler_knows_what_the_transport_and_its_layers_know() {
    #[derive(Clone)]
    struct Layered(u8);

    let server = showing(|ctx| {
        let trace = ctx.headers().map(|headers| headers.get("x-trace").cloned());
        let layered = ctx.extensions().get::<Layered>().map(|layered| layered.0);
        format!("{trace:?} {layered:?} {:?}", ctx.principal().map(|principal| &principal.client))
    });
    assert_eq!(text(&Peer::new(&server).call("show", json!({})).await), "None None None");
    let headers = HeaderMap::from_iter([("x-trace".parse().unwrap(), "7".parse().unwrap())]);
    let exchange = Exchange::http(headers, Extensions::new())
        .with_extension(Layered(3))
        .with_extension(Principal::new("app"));
    let shown = Peer::with_exchange(&server, exchange).call("show", json!({})).await;
    assert_eq!(text(&shown), r#"Some(Some("7")) Some(3) Some("app")"#);
}

#[tokio::test]
async fn a_resolver_knows_the_same() {
    struct Id(String);
    impl Resolve for Id {
        type Needs = Context;

        async fn resolve(ctx: Context) -> Result<Resolution<Self>, ToolError> {
            Ok(Self(ctx.request_id().to_string()).into())
        }
    }
    let server = McpServer::builder("Test")
        .tool("id", async |ctx: Context, id: Resolved<Id>| format!("{} {}", id.0, ctx.request_id()))
        .build()
        .unwrap();
    assert_eq!(text(&Peer::new(&server).call("id", json!({})).await), "1 1");
}

#[tokio::test]
async fn debug_shows_neither_state_nor_answers() {
    let server = showing(|ctx| format!("{ctx:?}"));
    let params = json!({ "name": "show", "inputResponses": { "a": { "action": "s3cret" } } });
    let shown = Peer::new(&server).result("tools/call", params).await;
    assert!(text(&shown).starts_with("Context") && !text(&shown).contains("s3cret"), "{shown}");
}

#[tokio::test]
async fn a_reporter_waits_for_a_slow_reader() {
    let server = McpServer::builder("Test")
        .tool("work", async |ctx: Context| {
            for done in 1..=3 {
                ctx.report_progress(f64::from(done), None, Some("on it")).await;
            }
            "done"
        })
        .build()
        .unwrap();
    let mut peer = Peer::new(&server);
    peer.meta = json!({ "progressToken": "p" });
    let body = peer.request("tools/call", json!({ "name": "work" }));
    let (outbox, mut inbox) = Outbox::bounded(1);
    let mut call = std::pin::pin!(peer.raw(body.as_bytes(), outbox));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    for done in 1..=2 {
        assert!(call.as_mut().poll(&mut context).is_pending(), "nobody has read {done} yet");
        let sent = drain(&mut inbox);
        assert_eq!(
            sent,
            [json!({
                "jsonrpc": "2.0",
                "method": "notifications/progress",
                "params": { "progressToken": "p", "progress": f64::from(done), "message": "on it" },
            })]
        );
    }
    assert!(call.as_mut().poll(&mut context).is_ready());
    assert_eq!(drain(&mut inbox).len(), 1);
}

#[tokio::test]
async fn a_report_that_nobody_reads_does_not_stop_the_work() {
    let server = McpServer::builder("Test")
        .tool("work", async |ctx: Context| {
            ctx.report_progress(1.0, None, None).await;
            "done"
        })
        .build()
        .unwrap();
    let mut peer = Peer::new(&server);
    peer.meta = json!({ "progressToken": 1 });
    let (outbox, inbox) = Outbox::bounded(1);
    drop(inbox);
    let reply = peer.raw(peer.request("tools/call", json!({ "name": "work" })).as_bytes(), outbox).await;
    let response: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(text(&response["result"]), "done");
}

#[tokio::test]
async fn progress_goes_to_who_asked_for_it_and_grows() {
    async fn work(ctx: Context) -> &'static str {
        for done in [1.0, 1.0, 0.5, f64::NAN, 2.0] {
            ctx.report_progress(done, Some(2.0), None).await;
        }
        "done"
    }
    let server = McpServer::builder("Test").tool("work", work).build().unwrap();
    let mut peer = Peer::new(&server);
    let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "work" })).await;
    assert_eq!(sent, Vec::<Value>::new());
    for token in [json!(0), json!(""), json!("0"), json!(9007199254740993_i64)] {
        peer.meta = json!({ "progressToken": token });
        let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "work" })).await;
        let done: Vec<_> =
            sent.iter().map(|message| message["params"]["progress"].as_f64().unwrap()).collect();
        assert_eq!(done, [1.0, 2.0]);
        assert!(sent.iter().all(|message| message["params"]["progressToken"] == token), "{sent:?}");
    }
}

#[tokio::test]
async fn log_messages_need_a_level_and_a_declaration() {
    async fn chatty(ctx: Context) -> &'static str {
        ctx.log(LoggingLevel::Info, "hello").await;
        ctx.log(LoggingLevel::Debug, "details").await;
        "done"
    }
    for (declared, level, want) in
        [(true, "info", 1), (true, "debug", 2), (true, "error", 0), (false, "debug", 0)]
    {
        let builder = McpServer::builder("Test").tool("chatty", chatty);
        let server = if declared { builder.logging() } else { builder }.build().unwrap();
        let mut peer = Peer::new(&server);
        let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "chatty" })).await;
        assert_eq!(sent.len(), 0, "nobody asked");
        peer.meta = json!({ "io.modelcontextprotocol/logLevel": level });
        let (_, sent) = peer.send_for_all("tools/call", json!({ "name": "chatty" })).await;
        assert_eq!(sent.len(), want, "{declared} {level}: {sent:?}");
    }
}
