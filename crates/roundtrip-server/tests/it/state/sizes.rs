//! A token has at most so many bytes, on its way out and in.

use roundtrip_server::{Context, InputRequired, McpServer, Outcome, ToolError, seal::RequestStateSecurity};
use serde_json::json;
use tracing::Level;

use super::{STATE, frozen, keyed, mint, present, server, targets};
use crate::{
    logs::Log,
    support::{Count, Peer},
};

#[tokio::test]
async fn the_limit_holds_to_the_byte_in_both_directions() {
    for (method, params) in targets() {
        let open = server("Test", keyed(), &Count::default());
        let token = mint(&open, method, &params).await;
        let limited = |bytes| server("Test", keyed().max_bytes(bytes), &Count::default());
        let (just, narrow) = (limited(token.len()), limited(token.len() - 1));

        assert_eq!(mint(&just, method, &params).await.len(), token.len());
        assert_eq!(present(&just, method, &params, &token).await, Ok(STATE.to_owned()));

        let log = Log::capture();
        let error = Peer::new(&narrow).error(method, params.clone()).await;
        assert_eq!(error, json!({ "code": -32603, "message": "internal error" }));
        let errors = log.take(Level::ERROR);
        assert!(matches!(&errors[..], [error] if error.contains("max_bytes")), "{errors:?}");
        assert_eq!(present(&narrow, method, &params, &token).await, Err(frozen()));
    }
}

/// A server whose tool leaves a state of `bytes` letters.
fn leaving(bytes: usize, security: RequestStateSecurity) -> McpServer {
    McpServer::builder("Test")
        .request_state_security(security)
        .tool("step", move |ctx: Context| async move {
            match ctx.request_state() {
                None => Result::<Outcome<String>, ToolError>::from(
                    InputRequired::default().request_state("s".repeat(bytes)),
                ),
                Some(state) => Ok(Outcome::Complete(state.len().to_string())),
            }
        })
        .build()
        .unwrap()
}

#[tokio::test]
async fn the_limit_is_64_kib_unless_it_is_set() {
    let params = json!({ "name": "step" });
    let good = leaving(48_000, keyed());
    let token = mint(&good, "tools/call", &params).await;
    assert!((64_000..65_536).contains(&token.len()), "{}", token.len());
    assert_eq!(present(&good, "tools/call", &params, &token).await, Ok("48000".to_owned()));
    let error = Peer::new(&leaving(49_000, keyed())).error("tools/call", params.clone()).await;
    assert_eq!(error["code"], -32603);

    let raised = leaving(49_000, keyed().max_bytes(1 << 20));
    let token = mint(&raised, "tools/call", &params).await;
    assert_eq!(present(&raised, "tools/call", &params, &token).await, Ok("49000".to_owned()));
    assert_eq!(present(&good, "tools/call", &params, &token).await, Err(frozen()));
}

#[tokio::test]
async fn what_is_far_too_long_is_refused_like_anything_else() {
    let server = leaving(1, keyed());
    let params = json!({ "name": "step" });
    for state in ["A".repeat(10 << 20), format!("rt1.{}", "A".repeat(1 << 20)), "\u{1}".repeat(1 << 20)] {
        assert_eq!(present(&server, "tools/call", &params, &state).await, Err(frozen()));
    }
}
