//! `requestState` on the wire: it comes back as it was written, or it does not come back at all.

mod bindings;
mod codecs;
mod keys;
mod refusals;
mod sizes;

use std::time::{Duration, SystemTime};

use roundtrip_server::{
    Args, Context, InputRequired, McpServer, Outcome, State, ToolError,
    clock::{Clock as _, ManualClock},
    seal::RequestStateSecurity,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Count, Peer};

const KEY: [u8; 32] = [1; 32];
const STATE: &str = "the s3cret st\u{e4}te, in \"plain\" text";

/// What a refused state is answered with, whatever was wrong with it.
fn frozen() -> Value {
    json!({ "code": -32602, "message": "Invalid or expired requestState" })
}

#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(default)]
    n: String,
}

/// Leaves a state, and shows the one that comes back.
async fn step(runs: State<Count>, ctx: Context) -> Result<Outcome<String>, ToolError> {
    runs.up();
    match ctx.request_state() {
        None => InputRequired::default().request_state(STATE).into(),
        Some(state) => Ok(Outcome::Complete(state.to_owned())),
    }
}

async fn step_of(
    runs: State<Count>,
    ctx: Context,
    Args(input): Args<Input>,
) -> Result<Outcome<String>, ToolError> {
    assert!(input.n.len() < 9);
    step(runs, ctx).await
}

/// A server whose tools, prompts and templates leave a state, and one of each that does not.
fn server(name: &str, security: RequestStateSecurity, runs: &Count) -> McpServer {
    McpServer::builder(name)
        .state(runs.clone())
        .request_state_security(security)
        .tool("step", step_of)
        .tool("other", step_of)
        .tool("plain", async |runs: State<Count>| runs.up().to_string())
        .prompt("step", step_of)
        .prompt("plain", async |runs: State<Count>| runs.up().to_string())
        .template("x://{n}", "step", step_of)
        .resource("x://plain/fixed", "plain", async |runs: State<Count>| runs.up().to_string())
        .build()
        .unwrap()
}

fn keyed() -> RequestStateSecurity {
    RequestStateSecurity::keys([KEY]).unwrap()
}

/// A clock that stands at noon of some day.
fn noon() -> ManualClock {
    ManualClock::at(SystemTime::UNIX_EPOCH + Duration::from_secs(1_782_345_600))
}

/// The first round of something that leaves a state, by each of the three methods.
fn targets() -> [(&'static str, Value); 3] {
    [
        ("tools/call", json!({ "name": "step", "arguments": { "n": "1" } })),
        ("prompts/get", json!({ "name": "step", "arguments": { "n": "1" } })),
        ("resources/read", json!({ "uri": "x://1" })),
    ]
}

fn with(params: &Value, member: &str, value: impl Into<Value>) -> Value {
    let mut params = params.clone();
    params[member] = value.into();
    params
}

/// The token that a first round leaves.
async fn mint(server: &McpServer, method: &str, params: &Value) -> String {
    let asked = Peer::new(server).result(method, params.clone()).await;
    asked["requestState"].as_str().unwrap_or_else(|| panic!("no state in {asked}")).to_owned()
}

/// What comes of a retry with this token: the state that the handler saw, or the error.
async fn present(server: &McpServer, method: &str, params: &Value, token: &str) -> Result<String, Value> {
    present_to(&Peer::new(server), method, params, token).await
}

async fn present_to(
    peer: &Peer<'_, McpServer>,
    method: &str,
    params: &Value,
    token: &str,
) -> Result<String, Value> {
    let mut response = peer.send(method, with(params, "requestState", token)).await;
    if !response["error"].is_null() {
        return Err(response["error"].take());
    }
    let result = &response["result"];
    let texts = [
        &result["content"][0]["text"],
        &result["messages"][0]["content"]["text"],
        &result["contents"][0]["text"],
    ];
    let text = texts.into_iter().find_map(Value::as_str);
    Ok(text.unwrap_or_else(|| panic!("no text in {response}")).to_owned())
}

#[tokio::test]
async fn a_state_comes_back_as_it_was_written() {
    let runs = Count::default();
    let server = server("Test", keyed(), &runs);
    for (method, params) in targets() {
        let token = mint(&server, method, &params).await;
        assert_eq!(present(&server, method, &params, &token).await, Ok(STATE.to_owned()), "{method}");
        // A token is good for its time, and not for one use.
        assert_eq!(present(&server, method, &params, &token).await, Ok(STATE.to_owned()), "{method}");
    }
    assert_eq!(runs.get(), 9);
}

#[tokio::test]
async fn any_text_can_be_a_state() {
    for text in ["", "null", "123", " x ", "{\"a\":1}", "\u{0}é𝄞\n\r\n", "a/b+c==", &"long ".repeat(4000)]
    {
        let state = text.to_owned();
        let server = McpServer::builder("Test")
            .tool("echo", move |ctx: Context| {
                let state = state.clone();
                async move {
                    match ctx.request_state() {
                        None => InputRequired::default().request_state(state).into(),
                        Some(state) => Ok(Outcome::Complete(state.to_owned())),
                    }
                }
            })
            .build()
            .unwrap();
        let params = json!({ "name": "echo" });
        let token = mint(&server, "tools/call", &params).await;
        assert_eq!(present(&server, "tools/call", &params, &token).await.as_deref(), Ok(text));
    }
}

#[tokio::test]
async fn nothing_of_a_state_can_be_read_from_its_token() {
    let runs = Count::default();
    let server = server("Test", keyed(), &runs);
    for (method, params) in targets() {
        let token = mint(&server, method, &params).await;
        assert!(token.starts_with("rt1."), "{token}");
        let decoded = base64::Engine::decode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, &token[4..]).unwrap();
        for hidden in ["s3cret", "plain", "step", "tools/call", "Test"] {
            assert!(!token.contains(hidden), "{token}");
            assert!(!decoded.windows(hidden.len()).any(|window| window == hidden.as_bytes()), "{token}");
        }
        assert_ne!(token, mint(&server, method, &params).await, "no two tokens are alike");
    }
}

#[tokio::test]
async fn each_round_has_its_own_time() {
    let (runs, clock) = (Count::default(), noon());
    let server = McpServer::builder("Test")
        .state(runs.clone())
        .request_state_security(keyed().clock(clock.clone()).ttl(Duration::from_secs(60)))
        .tool("steps", async |ctx: Context| -> Result<Outcome<String>, ToolError> {
            match ctx.state::<u32>().unwrap_or(0) {
                3 => Ok(Outcome::Complete("done".to_owned())),
                step => InputRequired::later(&(step + 1))?.into(),
            }
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let params = json!({ "name": "steps" });
    let mut result = peer.result("tools/call", params.clone()).await;
    for _ in 0..3 {
        // Longer in all than one token lasts.
        clock.advance(Duration::from_millis(59_999));
        result =
            peer.result("tools/call", with(&params, "requestState", result["requestState"].clone())).await;
    }
    assert_eq!(result["content"][0]["text"], "done");
    assert!(clock.now() > noon().now() + Duration::from_secs(120));
}
