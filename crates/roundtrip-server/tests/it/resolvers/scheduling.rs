//! When resolvers run: once a round, after what they need, at the same time as the others.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Poll, Waker},
    time::Duration,
};

use roundtrip_server::{Args, McpServer, Resolution, Resolve, Resolved, State, ToolError, exchange::Outbox};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Barrier, Notify};

use crate::support::{Count, Peer, text};

struct Base;
struct Left;
struct Right;

/// How often each ran.
#[derive(Clone, Default)]
struct Runs {
    base: Count,
    left: Count,
    right: Count,
}

impl Resolve for Base {
    type Needs = State<Runs>;

    async fn resolve(runs: State<Runs>) -> Result<Resolution<Self>, ToolError> {
        runs.base.up();
        Ok(Self.into())
    }
}

impl Resolve for Left {
    type Needs = (State<Runs>, Resolved<Base>);

    async fn resolve((runs, _): (State<Runs>, Resolved<Base>)) -> Result<Resolution<Self>, ToolError> {
        runs.left.up();
        Ok(Self.into())
    }
}

impl Resolve for Right {
    type Needs = (Resolved<Base>, Option<Resolved<Left>>, State<Runs>);

    async fn resolve(
        (_, _, runs): (Resolved<Base>, Option<Resolved<Left>>, State<Runs>),
    ) -> Result<Resolution<Self>, ToolError> {
        runs.right.up();
        Ok(Self.into())
    }
}

#[tokio::test]
async fn a_resolver_runs_once_a_round_however_many_share_it() {
    async fn all(
        _: Resolved<Right>,
        _: Resolved<Base>,
        _: Resolved<Left>,
        _: Resolved<Base>,
    ) -> &'static str {
        "done"
    }
    let runs = Runs::default();
    let server = McpServer::builder("Test").state(runs.clone()).tool("all", all).build().unwrap();
    let peer = Peer::new(&server);
    for round in 1..=3 {
        assert_eq!(text(&peer.call("all", json!({})).await), "done");
        assert_eq!((runs.base.get(), runs.left.get(), runs.right.get()), (round, round, round));
    }
}

/// Waits until as many are there as the barrier wants.
async fn meet(barrier: &Barrier) {
    tokio::time::timeout(Duration::from_secs(1), barrier.wait()).await.expect("the others come as well");
}

/// A resolver that waits at the barrier, so that it ends only when the others run too.
macro_rules! meeting {
    ($($Name:ident)*) => {$(
        struct $Name;

        impl Resolve for $Name {
            type Needs = State<Barrier>;

            async fn resolve(barrier: State<Barrier>) -> Result<Resolution<Self>, ToolError> {
                meet(&barrier).await;
                Ok(Self.into())
            }
        }
    )*};
}

meeting!(One Two Three);

#[tokio::test(start_paused = true)]
async fn resolvers_that_need_nothing_of_each_other_run_at_the_same_time() {
    async fn all(_: Resolved<One>, _: Resolved<Two>, _: Resolved<Three>) -> &'static str {
        "met"
    }
    let server = McpServer::builder("Test").state(Barrier::new(3)).tool("all", all).build().unwrap();
    assert_eq!(text(&Peer::new(&server).call("all", json!({})).await), "met");
}

/// Lets `Slow` go on, once its own need is met.
struct Opener;

/// Can end only after `Opener` has run, two steps of a chain that it has no part in.
struct Slow;

impl Resolve for Opener {
    type Needs = (Resolved<Head>, State<Notify>);

    async fn resolve((_, open): (Resolved<Head>, State<Notify>)) -> Result<Resolution<Self>, ToolError> {
        open.notify_one();
        Ok(Self.into())
    }
}

struct Head;

impl Resolve for Head {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        tokio::task::yield_now().await;
        Ok(Self.into())
    }
}

impl Resolve for Slow {
    type Needs = State<Notify>;

    async fn resolve(open: State<Notify>) -> Result<Resolution<Self>, ToolError> {
        tokio::time::timeout(Duration::from_secs(1), open.notified()).await.expect("the chain went on");
        Ok(Self.into())
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_resolver_holds_up_only_who_needs_it() {
    async fn all(_: Resolved<Slow>, _: Resolved<Opener>) -> &'static str {
        "done"
    }
    let server = McpServer::builder("Test").state(Notify::new()).tool("all", all).build().unwrap();
    assert_eq!(text(&Peer::new(&server).call("all", json!({})).await), "done");
}

/// Waits for ever, and notes when it is given up.
struct Endless;

#[derive(Clone, Default)]
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Resolve for Endless {
    type Needs = State<Arc<AtomicBool>>;

    async fn resolve(flag: State<Arc<AtomicBool>>) -> Result<Resolution<Self>, ToolError> {
        let _guard = GivenUp(Arc::clone(&flag));
        std::future::pending().await
    }
}

struct Failing;

impl Resolve for Failing {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        tokio::task::yield_now().await;
        Err(ToolError::new("there is no ship"))
    }
}

#[tokio::test]
async fn a_failure_ends_the_resolvers_that_still_run() {
    async fn all(_: Resolved<Endless>, _: Resolved<Failing>) -> &'static str {
        unreachable!("one of its resolvers fails")
    }
    let flag = Arc::new(AtomicBool::new(false));
    let server = McpServer::builder("Test").state(Arc::clone(&flag)).tool("all", all).build().unwrap();
    let result = Peer::new(&server).call("all", json!({})).await;
    assert_eq!(text(&result), "there is no ship");
    assert!(flag.load(Ordering::Relaxed));
}

#[tokio::test]
async fn dropping_a_call_ends_its_resolvers() {
    async fn endless(_: Resolved<Endless>) -> &'static str {
        unreachable!("its resolver never ends")
    }
    let flag = Arc::new(AtomicBool::new(false));
    let server =
        McpServer::builder("Test").state(Arc::clone(&flag)).tool("endless", endless).build().unwrap();
    let peer = Peer::new(&server);
    let body = peer.request("tools/call", json!({ "name": "endless" }));
    {
        let mut call = pin!(peer.raw(body.as_bytes(), Outbox::bounded(1).0));
        let polled = call.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop()));
        assert!(matches!(polled, Poll::Pending));
        assert!(!flag.load(Ordering::Relaxed));
    }
    assert!(flag.load(Ordering::Relaxed));
}

#[tokio::test]
async fn arguments_are_checked_before_any_resolver_runs() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Ship {
        #[expect(dead_code, reason = "only its reading matters")]
        tons: u32,
    }
    async fn ship(Args(_): Args<Ship>, _: Resolved<Base>) -> &'static str {
        "shipped"
    }
    let runs = Runs::default();
    let server = McpServer::builder("Test").state(runs.clone()).tool("ship", ship).build().unwrap();
    let peer = Peer::new(&server);
    for (arguments, names) in [
        (json!({}), "tons"),
        (Value::Null, "tons"),
        (json!({ "tons": "7" }), "tons"),
        (json!({ "tons": null }), "tons"),
        (json!({ "tons": -1 }), "tons"),
        (json!({ "tons": 7, "crew": 3 }), "crew"),
    ] {
        let result = peer.call("ship", arguments.clone()).await;
        assert_eq!(result["isError"], true, "{arguments}");
        assert!(text(&result).contains(names), "{result}");
    }
    assert_eq!(runs.base.get(), 0);
    assert_eq!(text(&peer.call("ship", json!({ "tons": 7 })).await), "shipped");
}
