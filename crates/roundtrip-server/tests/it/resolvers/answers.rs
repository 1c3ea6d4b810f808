//! How an answer is read: the action decides, then the form, then the type; what does not fit is asked again.

use roundtrip_server::{Declined, McpServer, Resolution, Resolve, Resolved, State, ToolError, elicit};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing::Level;

use super::{Port, Speed};
use crate::{
    logs::Log,
    support::{Count, Peer, accept, decline, failure, questions, text},
};

#[derive(Debug, Deserialize, JsonSchema)]
enum Size {
    Small,
    Large,
}

/// A form with one field of each kind.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "shown by its debug form")]
struct Everything {
    ok: bool,
    n: i64,
    #[schemars(range(min = 0.5, max = 9.5))]
    ratio: f64,
    #[schemars(length(min = 2, max = 4))]
    word: String,
    #[schemars(email)]
    mail: String,
    size: Size,
    #[schemars(length(min = 1, max = 2))]
    sizes: Vec<Size>,
    remark: Option<String>,
}

impl Resolve for Everything {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("All of it, please.").into())
    }
}

async fn everything(runs: State<Count>, all: Resolved<Everything>) -> String {
    runs.up();
    format!("{:?}", *all)
}

fn asking() -> (McpServer, Count) {
    let runs = Count::default();
    let server = McpServer::builder("Test").state(runs.clone()).tool("ask", everything).build().unwrap();
    (server, runs)
}

fn good() -> Value {
    json!({
        "ok": true, "n": 3, "ratio": 1.5, "word": "tide", "mail": "a@b.example", "size": "Small", "sizes": ["Large"],
    })
}

fn but(field: &str, value: Value) -> Value {
    let mut content = good();
    content[field] = value;
    content
}

fn without(field: &str) -> Value {
    let mut content = good();
    content.as_object_mut().unwrap().remove(field);
    content
}

#[tokio::test]
async fn content_that_does_not_fit_the_form_is_asked_for_again() {
    let (server, runs) = asking();
    let peer = Peer::new(&server);
    let mut asked = peer.call("ask", json!({})).await;
    let question = asked["inputRequests"].clone();
    for content in [
        json!(42),
        json!("x"),
        json!([]),
        json!(true),
        json!({}),
        but("ok", json!({ "nested": 1 })),
        but("ok", json!([1, 2])),
        but("ok", json!("yes")),
        but("ok", json!(1)),
        but("ok", Value::Null),
        without("ok"),
        but("n", json!(3.5)),
        but("n", json!("3")),
        but("n", json!(1e300)),
        but("ratio", json!(0.25)),
        but("ratio", json!(10)),
        but("word", json!("a")),
        but("word", json!("tides")),
        but("word", json!(["tide"])),
        but("mail", json!("nobody")),
        but("size", json!("small")),
        but("size", json!("Medium")),
        but("sizes", json!("Large")),
        but("sizes", json!([])),
        but("sizes", json!(["Large", "Medium"])),
        but("sizes", json!(["Large", "Small", "Large"])),
        but("remark", json!(7)),
    ] {
        asked = peer.retry("ask", json!({}), &asked, json!({ "everything": accept(content.clone()) })).await;
        assert_eq!(questions(&asked), ["everything"], "{content}");
        assert_eq!(asked["inputRequests"], question, "{content}");
    }
    assert_eq!(runs.get(), 0);
    let done = peer.retry("ask", json!({}), &asked, json!({ "everything": accept(good()) })).await;
    assert_eq!(
        text(&done),
        "Everything { ok: true, n: 3, ratio: 1.5, word: \"tide\", mail: \"a@b.example\", size: Small, sizes: [Large], \
         remark: None }"
    );
    assert_eq!(runs.get(), 1);
}

#[tokio::test]
async fn what_fits_the_form_is_taken_with_more_than_was_asked() {
    for content in [
        but("n", json!(3.0)),
        but("n", json!(-2e3)),
        but("word", json!("ør")),
        but("remark", json!("")),
        but("ratio", json!(9.5)),
        but("sizes", json!(["Small", "Large"])),
        but("more", json!({ "than": "asked" })),
    ] {
        let (server, runs) = asking();
        let peer = Peer::new(&server);
        let asked = peer.call("ask", json!({})).await;
        let done =
            peer.retry("ask", json!({}), &asked, json!({ "everything": accept(content.clone()) })).await;
        assert_eq!((&done["resultType"], runs.get()), (&json!("complete"), 1), "{content}: {done}");
    }
}

#[tokio::test]
async fn the_log_says_which_field_did_not_fit_and_not_what_it_held() {
    let (server, _) = asking();
    let peer = Peer::new(&server);
    let asked = peer.call("ask", json!({})).await;
    let log = Log::capture();
    peer.retry("ask", json!({}), &asked, json!({ "everything": accept(but("mail", json!("s3cret"))) })).await;
    peer.retry(
        "ask",
        json!({}),
        &asked,
        json!({ "everything": { "action": "s3cret", "content": "s3cret" } }),
    )
    .await;
    peer.retry("ask", json!({}), &asked, json!({ "everything": { "roots": "s3cret" } })).await;
    let lines = log.take(Level::INFO);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains("everything") && lines[0].contains("mail"), "{lines:?}");
    assert!(!lines.concat().contains("s3cret"), "{lines:?}");
}

#[tokio::test]
async fn an_answer_of_another_kind_is_asked_for_again() {
    let (server, runs) = asking();
    let peer = Peer::new(&server);
    let mut asked = peer.call("ask", json!({})).await;
    for answer in [
        json!({ "roots": [] }),
        json!({ "role": "assistant", "content": { "type": "text", "text": "yes" }, "model": "m" }),
        json!({}),
        json!(null),
        json!(42),
        json!("accept"),
        json!([]),
        json!({ "action": "approve", "content": good() }),
        json!({ "action": "ACCEPT", "content": good() }),
        json!({ "action": null, "content": good() }),
        json!({ "action": true, "content": good() }),
        json!({ "content": good() }),
        good(),
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": null }),
    ] {
        asked = peer.retry("ask", json!({}), &asked, json!({ "everything": answer.clone() })).await;
        assert_eq!(questions(&asked), ["everything"], "{answer}");
    }
    assert_eq!(runs.get(), 0, "none of it was consent");
}

#[tokio::test]
async fn the_action_decides_before_the_content() {
    for (answer, told) in [
        (json!({ "action": "decline", "content": good() }), "the user declined the question `everything`"),
        (json!({ "action": "decline", "content": 42 }), "the user declined the question `everything`"),
        (json!({ "action": "decline" }), "the user declined the question `everything`"),
        (json!({ "action": "cancel", "content": good() }), "the user cancelled the question `everything`"),
        (json!({ "action": "cancel" }), "the user cancelled the question `everything`"),
        (
            json!({ "resultType": "complete", "action": "cancel" }),
            "the user cancelled the question `everything`",
        ),
    ] {
        let (server, runs) = asking();
        let peer = Peer::new(&server);
        let asked = peer.call("ask", json!({})).await;
        let done = peer.retry("ask", json!({}), &asked, json!({ "everything": answer.clone() })).await;
        assert_eq!((failure(&done), runs.get()), (told, 0), "{answer}");
        assert!(done["inputRequests"].is_null() && done["requestState"].is_null(), "{done}");
    }
}

#[tokio::test]
async fn a_refusal_ends_the_call_and_asks_nothing_more() {
    async fn ship(port: Resolved<Port>, speed: Resolved<Speed>) -> String {
        format!("{} {}", port.city, speed.knots)
    }
    let server = McpServer::builder("Test").tool("ship", ship).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("ship", json!({})).await;
    let done = peer.retry("ship", json!({}), &asked, json!({ "speed": decline() })).await;
    assert_eq!(failure(&done), "the user declined the question `speed`");
}

#[tokio::test]
async fn who_can_go_on_without_does() {
    async fn ship(port: Option<Resolved<Port>>, speed: Result<Resolved<Speed>, Declined>) -> String {
        format!("{:?} {:?}", port.map(|port| port.city.clone()), speed.map(|speed| speed.knots))
    }
    let server = McpServer::builder("Test").tool("ship", ship).build().unwrap();
    let peer = Peer::new(&server);
    let (port, speed) = (accept(json!({ "city": "Bergen" })), accept(json!({ "knots": 9 })));
    let cancel = json!({ "action": "cancel" });
    for (answers, told) in [
        (json!({ "port": port, "speed": speed }), r#"Some("Bergen") Ok(9)"#),
        (json!({ "port": decline(), "speed": decline() }), "None Err(Decline)"),
        (json!({ "port": cancel, "speed": cancel }), "None Err(Cancel)"),
    ] {
        let asked = peer.call("ship", json!({})).await;
        assert_eq!(text(&peer.retry("ship", json!({}), &asked, answers).await), told);
    }
    // A refusal is an answer like any other: it is kept while the rest is asked for.
    let asked = peer.call("ship", json!({})).await;
    let asked = peer.retry("ship", json!({}), &asked, json!({ "port": decline() })).await;
    assert_eq!(questions(&asked), ["speed"]);
    assert_eq!(text(&peer.retry("ship", json!({}), &asked, json!({ "speed": speed })).await), "None Ok(9)");
}

#[tokio::test]
async fn one_parameter_may_insist_where_another_does_not() {
    async fn ship(port: Option<Resolved<Port>>, same: Resolved<Port>) -> String {
        format!("{} {}", port.is_some(), same.city)
    }
    let server = McpServer::builder("Test").tool("ship", ship).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("ship", json!({})).await;
    let done = peer.retry("ship", json!({}), &asked, json!({ "port": decline() })).await;
    assert_eq!(failure(&done), "the user declined the question `port`");
}

/// A berth in a port, at some speed.
#[derive(Deserialize, JsonSchema)]
struct Berth {
    #[expect(dead_code, reason = "it is never answered")]
    number: u8,
}

impl Resolve for Berth {
    type Needs = (Resolved<Port>, Resolved<Speed>);

    async fn resolve(_: (Resolved<Port>, Resolved<Speed>)) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("Which berth?").into())
    }
}

#[tokio::test]
async fn a_refusal_of_what_another_resolver_insists_on_ends_the_call_at_once() {
    async fn dock(berth: Option<Resolved<Berth>>) -> String {
        berth.is_some().to_string()
    }
    let server = McpServer::builder("Test").tool("dock", dock).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("dock", json!({})).await;
    assert_eq!(questions(&asked), ["port", "speed"]);
    // The other question would be asked in vain.
    let done = peer.retry("dock", json!({}), &asked, json!({ "port": decline() })).await;
    assert_eq!(failure(&done), "the user declined the question `port`");
}

/// A remark on a port, if they named one.
struct Remark(String);

impl Resolve for Remark {
    type Needs = Result<Resolved<Port>, Declined>;

    async fn resolve(port: Result<Resolved<Port>, Declined>) -> Result<Resolution<Self>, ToolError> {
        let remark = match port {
            Ok(port) => format!("off to {}", port.city),
            Err(how) => format!("nowhere ({how})"),
        };
        Ok(Self(remark).into())
    }
}

#[tokio::test]
async fn a_resolver_can_go_on_without_too() {
    async fn remark(remark: Resolved<Remark>) -> String {
        remark.0.clone()
    }
    let server = McpServer::builder("Test").tool("remark", remark).build().unwrap();
    let peer = Peer::new(&server);
    for (answer, told) in [
        (accept(json!({ "city": "Bergen" })), "off to Bergen"),
        (decline(), "nowhere (declined)"),
        (json!({ "action": "cancel" }), "nowhere (cancelled)"),
    ] {
        let asked = peer.call("remark", json!({})).await;
        assert_eq!(text(&peer.retry("remark", json!({}), &asked, json!({ "port": answer })).await), told);
    }
}

/// Just a yes: there is nothing to fill in.
#[derive(Deserialize, JsonSchema)]
struct GoAhead {}

impl Resolve for GoAhead {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("Shall I?").into())
    }
}

#[tokio::test]
async fn a_form_without_fields_is_accepted_with_or_without_content() {
    async fn go(_: Resolved<GoAhead>) -> &'static str {
        "gone"
    }
    let server = McpServer::builder("Test").tool("go", go).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("go", json!({})).await;
    for answer in [
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": {} }),
        json!({ "action": "accept", "content": null }),
        json!({ "action": "accept", "content": { "x": 1 } }),
    ] {
        let done = peer.retry("go", json!({}), &asked, json!({ "go_ahead": answer })).await;
        assert_eq!(text(&done), "gone", "{answer}");
    }
    for answer in [json!({ "action": "accept", "content": 1 }), json!({ "action": "accept", "content": [] })]
    {
        let again = peer.retry("go", json!({}), &asked, json!({ "go_ahead": answer })).await;
        assert_eq!(questions(&again), ["go_ahead"], "{answer}");
    }
}

#[tokio::test]
async fn digits_are_kept_from_the_answer_to_the_handler() {
    #[derive(Deserialize, JsonSchema)]
    struct Account {
        number: u64,
    }
    impl Resolve for Account {
        type Needs = ();

        async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
            Ok(elicit("Which account?").into())
        }
    }
    async fn close(account: Resolved<Account>, port: Resolved<Port>) -> String {
        format!("{} {}", account.number, port.city)
    }
    let server = McpServer::builder("Test").tool("close", close).build().unwrap();
    let peer = Peer::new(&server);
    let asked = peer.call("close", json!({})).await;
    let account = accept(json!({ "number": 9007199254740993_u64 }));
    let asked = peer.retry("close", json!({}), &asked, json!({ "account": account })).await;
    let port = accept(json!({ "city": "𝄞\u{7}\"\\" }));
    let done = peer.retry("close", json!({}), &asked, json!({ "port": port })).await;
    assert_eq!(text(&done), "9007199254740993 𝄞\u{7}\"\\");
}
