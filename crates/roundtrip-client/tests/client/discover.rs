//! How a client meets its server: `server/discover`, and versions that don't fit.

use roundtrip_client::Client;
use roundtrip_types::{CacheScope, Implementation, LoggingLevel};
use serde_json::{Value, json};

use crate::wire::{Wire, done, error, result};

fn hello() -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28", "2025-11-25"],
        "capabilities": { "tools": {} },
        "instructions": "be kind",
        "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "Provisioner", "version": "3" } },
    })
}

fn unsupported(supported: &Value) -> Value {
    json!({
        "code": -32022,
        "message": "unsupported protocol version",
        "data": { "supported": supported, "requested": "2026-07-28" },
    })
}

#[tokio::test]
async fn to_connect_is_to_discover() {
    let wire = Wire::results([hello()]);
    let client =
        Client::builder().client_info(Implementation::new("me", "1")).connect(wire.clone()).await.unwrap();
    let server = client.server().unwrap();
    assert_eq!(server.instructions.as_deref(), Some("be kind"));
    assert_eq!(server.server_info().unwrap().name, "Provisioner");
    assert!(server.capabilities.tools.is_some());

    let sent = wire.sent();
    assert_eq!(wire.methods(), ["server/discover"]);
    assert_eq!(sent[0].json["jsonrpc"], "2.0");
    assert_eq!(sent[0].outgoing.name, None);
    assert_eq!(sent[0].outgoing.protocol_version, "2026-07-28");
    assert_eq!(
        sent[0].params(),
        &json!({
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": "me", "version": "1" },
            },
        })
    );
}

#[tokio::test]
async fn a_client_may_go_unnamed_and_ask_for_logs() {
    let wire = Wire::results([hello()]);
    let client =
        Client::builder().client_info(None).log_level(LoggingLevel::Warning).connect(wire.clone()).await;
    client.unwrap();
    let sent = wire.sent();
    assert_eq!(sent[0].meta().get("io.modelcontextprotocol/clientInfo"), None);
    assert_eq!(sent[0].meta()["io.modelcontextprotocol/logLevel"], "warning");
}

#[tokio::test]
async fn without_a_probe_nothing_is_sent() {
    let wire = Wire::results([hello()]);
    let client = Client::builder().connect_without_discover(wire.clone()).unwrap();
    assert!(client.server().is_none());
    assert!(wire.sent().is_empty());
    assert_eq!(client.discover().await.unwrap().supported_versions.len(), 2);
}

#[tokio::test]
async fn a_refused_version_is_sent_once_more_even_when_it_is_the_same() {
    let wire = Wire::new(|number, sent| match number {
        0 => error(sent, &unsupported(&json!(["2026-07-28"]))),
        _ => result(sent, &hello()),
    });
    Client::connect(wire.clone()).await.unwrap();
    let sent = wire.sent();
    assert_eq!(wire.methods(), ["server/discover", "server/discover"]);
    assert_ne!(sent[0].id(), sent[1].id());
    assert_eq!(sent[0].params(), sent[1].params());
}

#[tokio::test]
async fn any_request_is_retried_so_but_only_once() {
    let wire = Wire::new(|number, sent| match number {
        0 => error(sent, &unsupported(&json!(["1.0", "2026-07-28"]))),
        _ => result(sent, &done("done")),
    });
    wire.client().call_tool("t", json!({ "a": 1 })).await.unwrap();
    assert_eq!(wire.methods(), ["tools/call", "tools/call"]);
    assert_eq!(wire.sent()[1].params()["arguments"], json!({ "a": 1 }));

    let wire = Wire::new(|_, sent| error(sent, &unsupported(&json!(["2026-07-28"]))));
    let refused = wire.client().list_prompts().await.unwrap_err();
    assert_eq!(refused.rpc().unwrap().code.0, -32022);
    assert_eq!(wire.sent().len(), 2);
}

#[tokio::test]
async fn no_version_in_common_is_a_clear_error() {
    let wire = Wire::new(|_, sent| error(sent, &unsupported(&json!(["2025-11-25", "2024-11-05"]))));
    let refused = Client::connect(wire.clone()).await.unwrap_err();
    assert!(refused.is_unsupported_version(), "{refused}");
    assert_eq!(refused.supported_versions().unwrap(), ["2025-11-25", "2024-11-05"]);
    assert!(refused.to_string().contains("2025-11-25"), "{refused}");
    assert_eq!(wire.sent().len(), 1);

    let mut old = hello();
    old["supportedVersions"] = json!(["2025-11-25"]);
    let wire = Wire::results([old]);
    let refused = Client::connect(wire.clone()).await.unwrap_err();
    assert!(refused.is_unsupported_version() && !refused.is_rpc(), "{refused}");
    assert_eq!(wire.sent().len(), 1);

    let wire = Wire::new(|_, sent| error(sent, &json!({ "code": -32601, "message": "method not found" })));
    let refused = Client::connect(wire).await.unwrap_err();
    assert!(refused.is_unsupported_version(), "{refused}");
    assert_eq!(refused.rpc().unwrap().code.0, -32601);

    // Without the list there is nothing to choose from, so the server's word stands.
    let wire = Wire::new(|_, sent| error(sent, &json!({ "code": -32022, "message": "no" })));
    let refused = Client::connect(wire.clone()).await.unwrap_err();
    assert_eq!(refused.rpc().unwrap().code.0, -32022);
    assert_eq!(wire.sent().len(), 1);
}

#[tokio::test]
async fn cache_hints_are_read_for_what_they_are() {
    let cases = [
        (json!({ "ttlMs": 60000, "cacheScope": "public" }), 60_000, CacheScope::Public),
        (json!({}), 0, CacheScope::Private),
        (json!({ "ttlMs": -5, "cacheScope": "team" }), 0, CacheScope::Private),
    ];
    for (hints, ttl, scope) in cases {
        let mut hello = hello();
        for (name, value) in hints.as_object().unwrap() {
            hello[name] = value.clone();
        }
        let discovered = Wire::results([hello]).client().discover().await.unwrap();
        assert_eq!(discovered.ttl_ms, ttl, "{hints}");
        assert_eq!(discovered.cache_scope == CacheScope::Public, scope == CacheScope::Public, "{hints}");
    }
}
