//! A client and a server in one process.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use roundtrip::{
    Client, Context, McpServer, Outcome, Server,
    types::{CallToolRequestParams, CallToolResult, ContentBlock, McpError},
};
use serde_json::json;

#[tokio::test]
async fn what_is_reported_last_is_heard_before_the_result() {
    async fn work(ctx: Context) -> &'static str {
        ctx.report_progress(1.0, Some(2.0), None).await;
        ctx.report_progress(2.0, Some(2.0), None).await;
        "done"
    }
    let server = McpServer::builder("Test").tool("work", work).build().unwrap();
    let heard = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&heard);
    let client = Client::connect(&server).await.unwrap();
    let call =
        client.call_tool("work", json!({})).on_progress(move |_| _ = count.fetch_add(1, Ordering::Relaxed));
    assert_eq!(call.await.unwrap().content, [ContentBlock::text("done")]);
    assert_eq!(heard.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_handler_may_let_go_of_its_context() {
    async fn call_tool(ctx: Context, _: CallToolRequestParams) -> Result<Outcome<CallToolResult>, McpError> {
        drop(ctx);
        tokio::task::yield_now().await;
        Ok(CallToolResult::text("still here").into())
    }
    let server = Server::builder("Test").on_call_tool(call_tool).build().unwrap();
    let client = Client::connect(&server).await.unwrap();
    let result = client.call_tool("any", json!({})).await.unwrap();
    assert_eq!(result.content, [ContentBlock::text("still here")]);
}

#[tokio::test]
async fn who_drops_a_call_cancels_it() {
    struct Stopped(Arc<AtomicUsize>);
    impl Drop for Stopped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let stopped = Arc::new(AtomicUsize::new(0));
    let guard = Arc::clone(&stopped);
    let server = McpServer::builder("Test")
        .tool("forever", move || {
            let guard = Stopped(Arc::clone(&guard));
            async move {
                let _guard = guard;
                std::future::pending::<()>().await;
            }
        })
        .build()
        .unwrap();
    let client = Client::connect(&server).await.unwrap();
    let call = tokio::spawn(client.call_tool("forever", json!({})).into_future());
    while Arc::strong_count(&stopped) < 3 {
        tokio::task::yield_now().await;
    }
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert_eq!(stopped.load(Ordering::Relaxed), 1);
}
