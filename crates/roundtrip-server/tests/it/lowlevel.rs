//! The low-level server: what handlers get and give goes over the wire as it is, under the protocol's own rules.

use expect_test::expect;
use roundtrip_server::{
    Context, Outcome, Principal, exchange::Exchange, lowlevel::Server, seal::RequestStateSecurity,
};
use roundtrip_types::{
    CallToolRequestParams, CallToolResult, CompleteRequestParams, CompleteResult, Completion,
    ElicitRequestFormParams, GetPromptRequestParams, GetPromptResult, InputRequest, InputRequiredResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, McpError,
    PaginatedRequestParams, PromptMessage, ReadResourceRequestParams, ReadResourceResult, ResourceContents,
    Tool,
};
use serde_json::{Value, json};
use tracing::Level;

use crate::{
    logs::Log,
    support::{Peer, accept, pretty, questions, text},
};

fn form() -> ElicitRequestFormParams {
    let schema = json!({ "type": "object", "properties": { "yes": { "type": "boolean" } } });
    ElicitRequestFormParams::new("Yes?", schema)
}

/// Asks first; then shows what came back.
async fn call_tool(_: Context, params: CallToolRequestParams) -> Result<Outcome<CallToolResult>, McpError> {
    let Some(answers) = params.input_responses else {
        return Ok(InputRequiredResult::ask("sure", form()).with_request_state("plain step 1").into());
    };
    let shown =
        format!("{} {:?} {:?}", params.name, answers.get("sure").map(|a| a.get()), params.request_state);
    Ok(CallToolResult::text(shown).into())
}

async fn get_prompt(
    _: Context,
    params: GetPromptRequestParams,
) -> Result<Outcome<GetPromptResult>, McpError> {
    Ok(match params.request_state {
        None => InputRequiredResult::retry("plain step 1").into(),
        Some(state) => GetPromptResult::new([PromptMessage::user(state)]).into(),
    })
}

async fn read_resource(
    _: Context,
    params: ReadResourceRequestParams,
) -> Result<Outcome<ReadResourceResult>, McpError> {
    Ok(match params.request_state {
        None => InputRequiredResult::retry("plain step 1").into(),
        Some(state) => ReadResourceResult::new([ResourceContents::text(params.uri, state)]).into(),
    })
}

fn bare() -> Server {
    Server::builder("Bare")
        .version("1")
        .on_call_tool(call_tool)
        .on_get_prompt(get_prompt)
        .on_read_resource(read_resource)
        .build()
        .unwrap()
}

fn sealing() -> Server {
    Server::builder("Bare")
        .on_call_tool(call_tool)
        .on_get_prompt(get_prompt)
        .on_read_resource(read_resource)
        .request_state_security(RequestStateSecurity::keys([[1; 32]]).unwrap())
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_call_of_two_rounds() {
    let server = bare();
    let peer = Peer::new(&server);
    let asked = peer.call("any name", json!({ "n": 1 })).await;
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Bare",
              "version": "1"
            }
          },
          "inputRequests": {
            "sure": {
              "method": "elicitation/create",
              "params": {
                "message": "Yes?",
                "mode": "form",
                "requestedSchema": {
                  "properties": {
                    "yes": {
                      "type": "boolean"
                    }
                  },
                  "type": "object"
                }
              }
            }
          },
          "requestState": "plain step 1",
          "resultType": "input_required"
        }"#]]
    .assert_eq(&pretty(&asked));
    let done = peer.retry("any name", json!({ "n": 1 }), &asked, json!({ "sure": accept(json!({})) })).await;
    assert_eq!(
        text(&done),
        r#"any name Some("{\"action\":\"accept\",\"content\":{}}") Some("plain step 1")"#
    );
}

/// The methods that carry a state, and where the state is shown that came back.
fn carriers() -> [(&'static str, Value); 3] {
    [
        ("tools/call", json!({ "name": "t", "arguments": { "n": 1 } })),
        ("prompts/get", json!({ "name": "p", "arguments": { "n": "1" } })),
        ("resources/read", json!({ "uri": "x://y" })),
    ]
}

fn retry(params: &Value, state: Value) -> Value {
    let mut params = params.clone();
    params["requestState"] = state;
    params["inputResponses"] = json!({});
    params
}

#[tokio::test]
async fn without_a_policy_a_state_crosses_as_it_is() {
    let server = bare();
    let peer = Peer::new(&server);
    for (method, params) in carriers() {
        assert_eq!(peer.result(method, params.clone()).await["requestState"], "plain step 1");
        let done = peer.result(method, retry(&params, json!("made up by the client"))).await;
        assert!(done.to_string().contains("made up by the client"), "{done}");
        for wrong in [json!(1), json!({}), json!([]), json!(true)] {
            let error = peer.error(method, retry(&params, wrong)).await;
            assert_eq!(error["code"], -32602);
            assert!(error["message"].as_str().unwrap().contains("requestState"), "{error}");
        }
    }
}

#[tokio::test]
async fn with_one_line_a_state_is_sealed() {
    let server = sealing();
    let peer = Peer::new(&server);
    let frozen = json!({ "code": -32602, "message": "Invalid or expired requestState" });
    let alice = Peer::with_exchange(&server, Exchange::local().with_extension(Principal::new("alice")));
    for (method, params) in carriers() {
        let token = peer.result(method, params.clone()).await["requestState"].take();
        assert!(token.as_str().unwrap().starts_with("rt1."), "{token}");
        let done = peer.result(method, retry(&params, token.clone())).await;
        assert!(done.to_string().contains("plain step 1"), "the handler reads plain text: {done}");

        for forged in [json!("plain step 1"), json!(""), json!(1), json!(token.to_string())] {
            assert_eq!(peer.error(method, retry(&params, forged)).await, frozen, "{method}");
        }
        assert_eq!(alice.error(method, retry(&params, token.clone())).await, frozen, "{method}");
        for (other, params) in carriers() {
            if other != method {
                assert_eq!(
                    peer.error(other, retry(&params, token.clone())).await,
                    frozen,
                    "{method} to {other}"
                );
            }
        }
    }
    let token = peer.result("tools/call", carriers()[0].1.clone()).await["requestState"].take();
    let moved = json!({ "name": "t", "arguments": { "n": 2 }, "requestState": token });
    assert_eq!(peer.error("tools/call", moved).await, frozen);
}

#[tokio::test]
async fn a_refused_state_does_not_reach_the_handler() {
    let server = Server::builder("Bare")
        .on_call_tool(async |_: Context, _: CallToolRequestParams| -> Result<CallToolResult, McpError> {
            unreachable!("the state is refused")
        })
        .request_state_security(RequestStateSecurity::ephemeral())
        .build()
        .unwrap();
    let params = json!({ "name": "t", "requestState": "rt1.AAAA" });
    assert_eq!(Peer::new(&server).error("tools/call", params).await["code"], -32602);
}

#[tokio::test]
async fn questions_need_the_clients_consent_here_too() {
    let server = bare();
    let peer = Peer::with_capabilities(&server, json!({ "elicitation": { "url": {} } }));
    let (status, error) = peer.refused("tools/call", json!({ "name": "t" })).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)));
    assert_eq!(error["data"], json!({ "requiredCapabilities": { "elicitation": { "form": {} } } }));
}

#[tokio::test]
async fn asking_nothing_and_leaving_no_state_is_a_mistake() {
    let server = Server::builder("Bare")
        .on_call_tool(async |_: Context, _: CallToolRequestParams| {
            Ok::<_, McpError>(Outcome::<CallToolResult>::InputRequired(InputRequiredResult::default()))
        })
        .build()
        .unwrap();
    let error = Peer::new(&server).error("tools/call", json!({ "name": "t" })).await;
    assert_eq!(error, json!({ "code": -32603, "message": "internal error" }));
}

#[tokio::test]
async fn what_a_handler_says_of_its_questions_goes_along() {
    let server = Server::builder("Bare")
        .on_call_tool(async |_: Context, _: CallToolRequestParams| {
            let mut ask = InputRequiredResult::ask("roots", InputRequest::ListRoots);
            ask.meta = Some(serde_json::from_value(json!({ "mine": 1 })).unwrap());
            Ok::<_, McpError>(Outcome::<CallToolResult>::InputRequired(ask))
        })
        .build()
        .unwrap();
    let asked = Peer::new(&server).call("t", json!({})).await;
    assert_eq!(questions(&asked), ["roots"]);
    assert_eq!(asked["_meta"]["mine"], 1);
    assert_eq!(asked["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "Bare");
}

#[tokio::test]
async fn every_method_has_its_handler() {
    let server = Server::builder("Bare")
        .version("1")
        .instructions("Use with care.")
        .on_list_tools(async |_: Context, params: PaginatedRequestParams| {
            let tool = Tool::new(params.cursor.unwrap_or_default(), json!({ "type": "object" }));
            Ok(ListToolsResult::new([tool]))
        })
        .on_call_tool(async |_: Context, params: CallToolRequestParams| Ok(CallToolResult::text(params.name)))
        .on_list_prompts(async |_: Context, _: PaginatedRequestParams| Ok(ListPromptsResult::new([])))
        .on_get_prompt(async |_: Context, params: GetPromptRequestParams| {
            Ok(GetPromptResult::new([PromptMessage::user(params.name)]))
        })
        .on_list_resources(async |_: Context, _: PaginatedRequestParams| Ok(ListResourcesResult::new([])))
        .on_list_resource_templates(async |_: Context, _: PaginatedRequestParams| {
            Ok(ListResourceTemplatesResult::new([]))
        })
        .on_read_resource(async |_: Context, params: ReadResourceRequestParams| {
            Ok(ReadResourceResult::new([ResourceContents::text(params.uri, "text")]))
        })
        .on_complete(async |_: Context, params: CompleteRequestParams| {
            Ok(CompleteResult::new(Completion::new([params.argument.value])))
        })
        .announce_changes()
        .logging()
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    expect![[r#"
        {
          "_meta": {
            "io.modelcontextprotocol/serverInfo": {
              "name": "Bare",
              "version": "1"
            }
          },
          "cacheScope": "private",
          "capabilities": {
            "completions": {},
            "logging": {},
            "prompts": {
              "listChanged": true
            },
            "resources": {
              "listChanged": true,
              "subscribe": true
            },
            "tools": {
              "listChanged": true
            }
          },
          "instructions": "Use with care.",
          "resultType": "complete",
          "supportedVersions": [
            "2026-07-28"
          ],
          "ttlMs": 0
        }"#]]
    .assert_eq(&pretty(&peer.result("server/discover", json!({})).await));
    let argument =
        json!({ "ref": { "type": "ref/prompt", "name": "p" }, "argument": { "name": "a", "value": "v" } });
    for (method, params, place, want) in [
        ("tools/list", json!({ "cursor": "c" }), "/tools/0/name", json!("c")),
        ("tools/call", json!({ "name": "t" }), "/content/0/text", json!("t")),
        ("prompts/list", json!({}), "/prompts", json!([])),
        ("prompts/get", json!({ "name": "p" }), "/messages/0/content/text", json!("p")),
        ("resources/list", json!({}), "/resources", json!([])),
        ("resources/templates/list", json!({}), "/resourceTemplates", json!([])),
        ("resources/read", json!({ "uri": "x://y" }), "/contents/0/uri", json!("x://y")),
        ("completion/complete", argument, "/completion/values/0", json!("v")),
    ] {
        let result = peer.result(method, params).await;
        assert_eq!(result.pointer(place), Some(&want), "{method}");
        assert_eq!(result["resultType"], "complete", "{method}");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "Bare", "{method}");
    }
}

#[tokio::test]
async fn capabilities_follow_the_handlers() {
    let builder = || Server::builder("Bare");
    let no_tools = async |_: Context, _: PaginatedRequestParams| Ok(ListToolsResult::new([]));
    for (builder, capabilities, honoured) in [
        (builder(), json!({}), json!({})),
        (builder().announce_changes(), json!({}), json!({})),
        (builder().on_call_tool(call_tool), json!({ "tools": {} }), json!({})),
        (builder().on_list_tools(no_tools), json!({ "tools": {} }), json!({})),
        (
            builder().on_list_tools(no_tools).announce_changes(),
            json!({ "tools": { "listChanged": true } }),
            json!({ "toolsListChanged": true }),
        ),
        (builder().on_get_prompt(get_prompt).announce_changes(), json!({ "prompts": {} }), json!({})),
        (
            builder().on_read_resource(read_resource).announce_changes(),
            json!({ "resources": { "subscribe": true } }),
            json!({ "resourceSubscriptions": ["x://a"] }),
        ),
        (builder().logging(), json!({ "logging": {} }), json!({})),
    ] {
        let server = builder.build().unwrap();
        let peer = Peer::new(&server);
        assert_eq!(peer.result("server/discover", json!({})).await["capabilities"], capabilities);
        roundtrip_server::Serve::close_streams(&server);
        let filter = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["x://a"] });
        let (_, told) = peer.send_for_all("subscriptions/listen", json!({ "notifications": filter })).await;
        assert_eq!(told.len(), 1);
        assert_eq!(told[0]["params"]["notifications"], honoured, "{capabilities}");
    }
}

#[tokio::test]
async fn what_has_no_handler_is_an_unknown_method() {
    let server = Server::builder("Bare").on_call_tool(call_tool).build().unwrap();
    let peer = Peer::new(&server);
    for method in ["tools/list", "prompts/get", "resources/read", "completion/complete", "vendor/x"] {
        let (status, error) = peer.refused(method, json!({ "name": "x", "uri": "x" })).await;
        assert_eq!((status, &error["code"]), (404, &json!(-32601)), "{method}");
    }
}

#[tokio::test]
async fn params_that_are_none_are_refused_before_the_handler() {
    let server = bare();
    let peer = Peer::new(&server);
    for (method, params) in [
        ("tools/call", json!({})),
        ("tools/call", json!({ "name": 1 })),
        ("tools/call", json!({ "name": "t", "arguments": [] })),
        ("tools/call", json!({ "name": "t", "inputResponses": [] })),
        ("prompts/get", json!({ "name": "p", "arguments": { "n": 1 } })),
        ("resources/read", json!({ "name": "x" })),
    ] {
        assert_eq!(peer.error(method, params.clone()).await["code"], -32602, "{method} {params}");
    }
}

#[tokio::test]
async fn errors_go_out_as_they_are_and_panics_say_nothing() {
    let server = Server::builder("Bare")
        .on_call_tool(async |_: Context, params: CallToolRequestParams| -> Result<CallToolResult, McpError> {
            match &*params.name {
                "panics" => panic!("s3cret"),
                name => {
                    Err(McpError::invalid_params(format!("no tool {name}")).with_data(json!({ "mine": 1 })))
                }
            }
        })
        .build()
        .unwrap();
    let peer = Peer::new(&server);
    let log = Log::capture();
    let error = peer.error("tools/call", json!({ "name": "x" })).await;
    assert_eq!(error, json!({ "code": -32602, "message": "no tool x", "data": { "mine": 1 } }));
    let error = peer.error("tools/call", json!({ "name": "panics" })).await;
    assert_eq!(error, json!({ "code": -32603, "message": "internal error" }));
    assert_eq!(log.take(Level::ERROR).len(), 1);
}
