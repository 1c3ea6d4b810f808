//! Replicas that open each other's states, and a key that is rotated while they serve.
//!
//! By default a server seals with a key of its process. Where a retry can reach another process, all of them need
//! the same keys, and the same name (or audience).

use roundtrip::{
    Args, McpServer, RequestStateSecurity, Resolution, Resolve, Resolved, ToolError, elicit,
    server::seal::{KeyError, KeyRing},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Ship an order.
#[derive(Deserialize, JsonSchema)]
struct Ship {
    order: u64,
}

/// Whether it may go out.
#[derive(Deserialize, JsonSchema)]
struct Approved {
    yes: bool,
}

impl Resolve for Approved {
    type Needs = Args<Ship>;

    async fn resolve(Args(ship): Args<Ship>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("Ship order {}?", ship.order)).into())
    }
}

async fn ship(Args(ship): Args<Ship>, approved: Resolved<Approved>) -> String {
    format!("Order {} {}.", ship.order, if approved.yes { "is on its way" } else { "stays" })
}

/// One replica. The ring stays in the hands of who configures it: its keys can be replaced while it serves.
fn app(ring: &KeyRing) -> McpServer {
    McpServer::builder("fleet")
        .request_state_security(RequestStateSecurity::ring(ring.clone()))
        .tool("ship", ship)
        .build()
        .expect("a named server with valid keys")
}

/// Reads the keys as a deployment would give them: the first seals, all open.
fn keys_from_env() -> Result<KeyRing, KeyError> {
    let keys = std::env::var("REQUEST_STATE_KEYS").unwrap_or_default();
    KeyRing::new(keys.split(',').filter(|key| !key.is_empty()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    roundtrip::http::serve(app(&keys_from_env()?), "127.0.0.1:8000").await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use roundtrip::{
        Client, PendingCall, Round,
        types::{CallToolResult, ClientCapabilities, ElicitResult, ElicitationCapability},
    };
    use serde_json::json;

    use super::*;

    const OLD: &str = "an old secret of at least 32 bytes";
    const NEW: &str = "a new secret of at least 32 bytes!";

    async fn client(server: &McpServer) -> Client {
        let capabilities = ClientCapabilities::new().with_elicitation(ElicitationCapability::form());
        Client::builder().by_hand(capabilities).connect(server).await.unwrap()
    }

    async fn asked_by(server: &McpServer) -> PendingCall<CallToolResult> {
        match client(server).await.call_tool("ship", json!({ "order": 7 })).once().await.unwrap() {
            Round::InputRequired(pending) => {
                pending.answer("approved", ElicitResult::accept(json!({ "yes": true })))
            }
            Round::Complete(result) => panic!("it did not ask: {result:?}"),
        }
        .unwrap()
    }

    async fn opens(server: &McpServer, pending: &PendingCall<CallToolResult>) -> bool {
        client(server).await.resume(pending.clone()).once().await.is_ok()
    }

    #[tokio::test]
    async fn a_key_is_rotated_without_losing_a_call() {
        let rings = [KeyRing::new([OLD]).unwrap(), KeyRing::new([OLD]).unwrap()];
        let [a, b] = [app(&rings[0]), app(&rings[1])];
        let by_old = asked_by(&a).await;
        assert!(opens(&b, &by_old).await, "any replica goes on with the call of another");

        // First every replica learns to open what the new key seals, then the new one seals, then the old one goes.
        for (phase, keys) in [[OLD, NEW].as_slice(), &[NEW, OLD], &[NEW]].into_iter().enumerate() {
            rings[0].replace(keys.iter().copied()).unwrap();
            let between = asked_by(&a).await;
            assert!(opens(&b, &between).await, "phase {phase}, half rolled out");
            rings[1].replace(keys.iter().copied()).unwrap();
            assert_eq!(opens(&b, &by_old).await, phase < 2, "phase {phase}");
        }
    }
}
