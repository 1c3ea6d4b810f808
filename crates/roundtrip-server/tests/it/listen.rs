//! `subscriptions/listen`: acknowledged first, then just what was asked for, until it ends with a result.

use std::{sync::Arc, time::Duration};

use expect_test::expect;
use roundtrip_protocol::inbound::{Wire, classify};
use roundtrip_server::{
    Context, McpServer, Serve,
    exchange::{Exchange, Inbox, Outbox, Reply},
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::support::{Peer, drain, pretty, text};

/// A stream that a client listens to.
struct Stream {
    inbox: Inbox,
    serving: JoinHandle<Reply>,
}

impl Stream {
    /// Listens under `id` to what `filter` names, with room for `room` messages that nobody has read.
    fn open(server: &McpServer, id: &Value, filter: Value, room: usize) -> Self {
        let mut body: Value = serde_json::from_str(
            &Peer::new(server).request("subscriptions/listen", json!({ "notifications": filter })),
        )
        .unwrap();
        body["id"] = id.clone();
        let (outbox, inbox) = Outbox::bounded(room);
        let (server, body) = (server.clone(), body.to_string());
        let serving = tokio::spawn(async move {
            let inbound = classify(Wire::Pipe, body.as_bytes()).unwrap();
            server.serve(inbound, Arc::new(Exchange::local()), outbox).await
        });
        Self { inbox, serving }
    }

    /// As [`open`](Self::open), and past the acknowledgement.
    async fn acknowledged(server: &McpServer, id: &Value, filter: Value) -> (Self, Value) {
        let mut stream = Self::open(server, id, filter, 64);
        let mut first = stream.next().await;
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged", "{first}");
        assert_eq!(first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], *id, "{first}");
        let filter = first["params"]["notifications"].take();
        (stream, filter)
    }

    /// The next message.
    async fn next(&mut self) -> Value {
        let next = tokio::time::timeout(Duration::from_secs(5), self.inbox.recv()).await;
        serde_json::from_slice(&next.expect("a message comes").expect("the stream is open")).unwrap()
    }

    /// The messages until the stream ends, and its result.
    async fn end(mut self) -> (Vec<Value>, Value) {
        let serving = tokio::time::timeout(Duration::from_secs(5), self.serving).await;
        let reply = serving.expect("the stream ends").unwrap();
        (drain(&mut self.inbox), serde_json::from_slice(&reply.body).unwrap())
    }
}

fn everything() -> Value {
    json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["x://a", "x://b"],
    })
}

fn announcing() -> McpServer {
    McpServer::builder("Test")
        .version("1")
        .tool("notify", async |ctx: Context| {
            ctx.notify_tools_changed();
            ctx.notify_prompts_changed();
            ctx.notify_resources_changed();
            ctx.notify_resource_updated("x://a");
            "told"
        })
        .announce_tools()
        .announce_prompts()
        .announce_resources()
        .announce_resource_updates()
        .build()
        .unwrap()
}

/// One change of every kind, and one of a resource that nobody named.
fn change_everything(server: &McpServer) {
    server.notify_resource_updated("x://nobody-asked");
    server.notify_tools_changed();
    server.notify_prompts_changed();
    server.notify_resources_changed();
    server.notify_resource_updated("x://b");
    server.notify_resource_updated("x://a");
}

#[tokio::test(start_paused = true)]
async fn a_stream_from_its_beginning_to_its_end() {
    let server = announcing();
    change_everything(&server); // before anybody listens
    let mut stream = Stream::open(&server, &json!(7), everything(), 64);
    let first = stream.next().await;
    expect![[r#"
        {
          "jsonrpc": "2.0",
          "method": "notifications/subscriptions/acknowledged",
          "params": {
            "_meta": {
              "io.modelcontextprotocol/subscriptionId": 7
            },
            "notifications": {
              "promptsListChanged": true,
              "resourceSubscriptions": [
                "x://a",
                "x://b"
              ],
              "resourcesListChanged": true,
              "toolsListChanged": true
            }
          }
        }"#]]
    .assert_eq(&pretty(&first));
    change_everything(&server);
    for _ in 0..2 {
        stream.next().await;
    }
    server.close_streams();
    let (rest, result) = stream.end().await;
    expect![[r#"
        [
          {
            "jsonrpc": "2.0",
            "method": "notifications/resources/list_changed",
            "params": {
              "_meta": {
                "io.modelcontextprotocol/subscriptionId": 7
              }
            }
          },
          {
            "jsonrpc": "2.0",
            "method": "notifications/resources/updated",
            "params": {
              "_meta": {
                "io.modelcontextprotocol/subscriptionId": 7
              },
              "uri": "x://b"
            }
          },
          {
            "jsonrpc": "2.0",
            "method": "notifications/resources/updated",
            "params": {
              "_meta": {
                "io.modelcontextprotocol/subscriptionId": 7
              },
              "uri": "x://a"
            }
          }
        ]"#]]
    .assert_eq(&pretty(&json!(rest)));
    expect![[r#"
        {
          "id": 7,
          "jsonrpc": "2.0",
          "result": {
            "_meta": {
              "io.modelcontextprotocol/serverInfo": {
                "name": "Test",
                "version": "1"
              },
              "io.modelcontextprotocol/subscriptionId": 7
            },
            "resultType": "complete"
          }
        }"#]]
    .assert_eq(&pretty(&result));
}

#[tokio::test(start_paused = true)]
async fn nothing_comes_that_was_not_asked_for() {
    for (filter, honoured, methods) in [
        (
            json!({ "toolsListChanged": true, "promptsListChanged": false, "resourceSubscriptions": [] }),
            json!({ "toolsListChanged": true }),
            &["tools/list_changed"][..],
        ),
        (
            json!({ "promptsListChanged": true, "toolsListChanged": null, "unheardOf": true }),
            json!({ "promptsListChanged": true }),
            &["prompts/list_changed"],
        ),
        (
            json!({ "resourcesListChanged": true, "resourceSubscriptions": ["x://c"] }),
            json!({ "resourcesListChanged": true, "resourceSubscriptions": ["x://c"] }),
            &["resources/list_changed"],
        ),
        (
            json!({ "resourceSubscriptions": ["x://a"] }),
            json!({ "resourceSubscriptions": ["x://a"] }),
            &["resources/updated"],
        ),
    ] {
        let server = announcing();
        let (stream, acknowledged) = Stream::acknowledged(&server, &json!(1), filter).await;
        assert_eq!(acknowledged, honoured);
        change_everything(&server);
        server.close_streams();
        let (got, _) = stream.end().await;
        let want: Vec<_> = methods.iter().map(|method| json!(format!("notifications/{method}"))).collect();
        assert_eq!(got.into_iter().map(|mut message| message["method"].take()).collect::<Vec<_>>(), want);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_not_announced_is_left_out_of_the_acknowledgement() {
    let builder = || McpServer::builder("Test").tool("ping", async || "pong").prompt("p", async || "p");
    for (builder, honoured) in [
        (builder().announce_tools(), json!({ "toolsListChanged": true })),
        (builder().announce_prompts(), json!({ "promptsListChanged": true })),
        (builder().announce_resources(), json!({ "resourcesListChanged": true })),
        (builder().announce_resource_updates(), json!({ "resourceSubscriptions": ["x://a", "x://b"] })),
    ] {
        let server = builder.build().unwrap();
        let (stream, acknowledged) = Stream::acknowledged(&server, &json!(1), everything()).await;
        assert_eq!(acknowledged, honoured);
        change_everything(&server);
        server.close_streams();
        let (got, _) = stream.end().await;
        assert_eq!(got.len(), honoured["resourceSubscriptions"].as_array().map_or(1, Vec::len), "{got:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_nothing_can_come_on_ends_at_once() {
    let silent = McpServer::builder("Test").tool("ping", async || "pong").build().unwrap();
    for (server, filter) in [
        (silent, everything()),
        (announcing(), json!({})),
        (announcing(), json!({ "toolsListChanged": false, "resourceSubscriptions": [] })),
    ] {
        let (stream, acknowledged) = Stream::acknowledged(&server, &json!(1), filter).await;
        assert_eq!(acknowledged, json!({}));
        let (rest, response) = stream.end().await;
        assert_eq!((rest.len(), &response["result"]["resultType"]), (0, &json!("complete")));
    }
}

#[tokio::test(start_paused = true)]
async fn the_subscription_bears_the_id_of_its_request() {
    for id in [json!(7), json!("7"), json!(""), json!(-1), json!(9007199254740993_i64)] {
        let server = announcing();
        let (mut stream, _) = Stream::acknowledged(&server, &id, everything()).await;
        change_everything(&server);
        let subscription =
            |message: &Value| message["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
        assert_eq!(subscription(&stream.next().await["params"]), id);
        server.close_streams();
        let (rest, response) = stream.end().await;
        assert_eq!(rest.len(), 4);
        assert!(rest.iter().all(|message| subscription(&message["params"]) == id), "{rest:?}");
        assert_eq!((&response["id"], subscription(&response["result"])), (&id, id.clone()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_tells_every_listener_and_not_its_caller() {
    let server = announcing();
    let (mut one, _) = Stream::acknowledged(&server, &json!(1), everything()).await;
    let (mut two, _) = Stream::acknowledged(&server, &json!(2), json!({ "toolsListChanged": true })).await;
    let peer = Peer::new(&server);
    let (reply, told) = peer.send_for_all("tools/call", json!({ "name": "notify" })).await;
    let response: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((text(&response["result"]), told), ("told", Vec::new()));
    for method in
        ["tools/list_changed", "prompts/list_changed", "resources/list_changed", "resources/updated"]
    {
        assert_eq!(one.next().await["method"], format!("notifications/{method}"));
    }
    assert_eq!(two.next().await["method"], "notifications/tools/list_changed");
    assert_eq!(drain(&mut two.inbox), Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_has_closed_its_streams_opens_none_for_long() {
    let server = announcing();
    server.close_streams();
    let (stream, acknowledged) = Stream::acknowledged(&server, &json!(1), everything()).await;
    assert_eq!(acknowledged, everything());
    assert_eq!(stream.end().await.1["result"]["resultType"], "complete");
    let listed = Peer::new(&server).result("tools/list", json!({})).await;
    assert_eq!(listed["tools"][0]["name"], "notify", "the rest goes on");
}

#[tokio::test(start_paused = true)]
async fn only_so_many_may_listen_at_once() {
    let server = McpServer::builder("Test").announce_tools().max_subscriptions(2).build().unwrap();
    let filter = || json!({ "toolsListChanged": true });
    let (one, _) = Stream::acknowledged(&server, &json!(1), filter()).await;
    let (two, _) = Stream::acknowledged(&server, &json!(2), filter()).await;
    for _ in 0..3 {
        let (told, response) = Stream::open(&server, &json!(3), filter(), 64).end().await;
        assert_eq!((told.len(), &response["error"]["code"]), (0, &json!(-32603)), "{response}");
    }
    // A client that goes away leaves its place.
    one.serving.abort();
    one.serving.await.unwrap_err();
    let (three, _) = Stream::acknowledged(&server, &json!(3), filter()).await;
    let (_, response) = Stream::open(&server, &json!(4), filter(), 64).end().await;
    assert_eq!(response["error"]["code"], -32603);
    server.close_streams();
    for stream in [two, three] {
        assert_eq!(stream.end().await.1["result"]["resultType"], "complete");
    }
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_falls_too_far_behind_is_sent_away_to_read_anew() {
    let server = McpServer::builder("Test").announce_tools().build().unwrap();
    let mut stream = Stream::open(&server, &json!(1), json!({ "toolsListChanged": true }), 1);
    stream.next().await;
    // One fits the outbox, one is on its way into it, and 1024 wait.
    for _ in 0..1 + 1 + 1024 + 1 {
        server.notify_tools_changed();
        tokio::task::yield_now().await;
    }
    // What was sent before it fell behind is still there to be read.
    stream.next().await;
    let (rest, response) = stream.end().await;
    assert_eq!((rest.len(), &response["result"]["resultType"]), (1, &json!("complete")));
}

#[tokio::test(start_paused = true)]
async fn a_listener_just_within_the_backlog_hears_it_all() {
    let server = McpServer::builder("Test").announce_tools().build().unwrap();
    let mut stream = Stream::open(&server, &json!(1), json!({ "toolsListChanged": true }), 1);
    stream.next().await;
    for _ in 0..1 + 1 + 1024 {
        server.notify_tools_changed();
        tokio::task::yield_now().await;
    }
    for _ in 0..1 + 1 + 1024 {
        assert_eq!(stream.next().await["method"], "notifications/tools/list_changed");
    }
    assert!(!stream.serving.is_finished());
}

#[tokio::test]
async fn a_stream_whose_reader_is_gone_ends() {
    let server = announcing();
    let Stream { inbox, serving } = Stream::acknowledged(&server, &json!(1), everything()).await.0;
    drop(inbox);
    change_everything(&server);
    serving.await.unwrap();
}

#[tokio::test]
async fn a_filter_that_is_none_is_refused() {
    let server = announcing();
    let peer = Peer::new(&server);
    for params in [
        json!({}),
        json!({ "notifications": null }),
        json!({ "notifications": [] }),
        json!({ "notifications": "all" }),
        json!({ "notifications": { "toolsListChanged": "yes" } }),
        json!({ "notifications": { "resourceSubscriptions": "x://a" } }),
        json!({ "notifications": { "resourceSubscriptions": [1] } }),
    ] {
        let error = peer.error("subscriptions/listen", params.clone()).await;
        assert_eq!(error["code"], -32602, "{params}");
    }
}
