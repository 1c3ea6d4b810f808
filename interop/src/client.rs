//! The checks of another SDK's server with our client: a line for each, `ok NAME` or `failed NAME: why`.

use std::{
    error::Error,
    fmt::Debug,
    sync::{Arc, Mutex},
    time::Duration,
};

use roundtrip::{
    Client, Round,
    client::{CallToolResult, ElicitResult, PendingCall},
    types::{
        ClientCapabilities, ContentBlock, CreateMessageRequestParams, CreateMessageResult,
        ElicitRequestFormParams, ElicitRequestParams, ElicitationCapability, InputRequest, Root,
    },
};
use serde_json::{Map, Value, json};

type Checked = Result<(), Box<dyn Error + Send + Sync>>;

/// Longer than any check takes, unless it hangs.
const LIMIT: Duration = Duration::from_secs(20);

const REFUSAL: (i64, &str) = (-32602, "Invalid or expired requestState");

/// Runs every check against the server at `url` and prints what comes of it. Whether all is well.
pub(crate) async fn check(url: &str) -> bool {
    let client = match connect(url).await {
        Ok(client) => client,
        Err(error) => return report("discover", &Err(error)),
    };
    let mut well = true;
    macro_rules! checks {
        ($($name:literal => $check:expr;)*) => {$(
            let outcome = tokio::time::timeout(LIMIT, $check).await;
            well &= report($name, &outcome.unwrap_or_else(|_| Err("it took too long".into())));
        )*};
    }
    checks! {
        "discover" => discover(&client);
        "lists" => lists(&client);
        "tool asks" => tool(&client);
        "question after question" => two_rounds(&client);
        "prompt asks" => prompt(&client);
        "template asks" => template(&client);
        "asked by hand" => by_hand(&client);
        "driven by hand" => driven(url);
        "altered state is refused" => altered(url);
        "model is asked" => sampling(&client);
        "roots are asked" => roots(&client);
        "structured content" => structured(&client);
        "progress" => progress(&client);
        "argument as header" => header(&client);
        "errors" => errors(&client);
        "declined" => declined(url);
        "nobody to ask" => without_capability(url);
    }
    well
}

#[expect(clippy::print_stdout, reason = "the lines are what this program is for")]
fn report(name: &str, outcome: &Checked) -> bool {
    match outcome {
        Ok(()) => println!("ok {name}"),
        Err(why) => println!("failed {name}: {}", chain(&**why).replace('\n', " ")),
    }
    outcome.is_ok()
}

/// An error with all of its sources.
fn chain(error: &(dyn Error + 'static)) -> String {
    let errors = std::iter::successors(Some(error), |&error| error.source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A client that answers all that it can be asked.
async fn connect(url: &str) -> Result<Client, Box<dyn Error + Send + Sync>> {
    let roots = [Root::new("file:///data").with_name("data"), Root::new("file:///tmp").with_name("tmp")];
    let builder = Client::builder().on_form(async |form| answer(&form)).on_sampling(model).roots(roots);
    Ok(builder.connect(url).await?)
}

/// Fills in every field that the form asks for.
fn answer(form: &ElicitRequestFormParams) -> Result<ElicitResult, String> {
    let mut content = Map::new();
    for field in form.requested_schema.fields().map_err(|error| error.to_string())? {
        let value = match field.name.as_str() {
            "region" => "eu-west-1",
            "zone" => "b",
            "audience" => "the board",
            "size" => "large",
            other => return Err(format!("nobody knows the {other}")),
        };
        content.insert(field.name, value.into());
    }
    Ok(ElicitResult::accept(Value::Object(content)))
}

async fn model(asked: CreateMessageRequestParams) -> CreateMessageResult {
    let blocks = asked.messages.iter().flat_map(|message| message.content.blocks());
    let text: String = blocks.filter_map(|block| block.as_text()).collect();
    CreateMessageResult::new("shouter", text.trim_start_matches("Summarise: ").to_uppercase())
}

#[expect(clippy::needless_pass_by_value, reason = "values compare as in an assertion")]
fn expect<T: PartialEq + Debug>(actual: T, expected: T) -> Checked {
    if actual == expected { Ok(()) } else { Err(format!("{actual:?} is not {expected:?}").into()) }
}

fn text_of(result: &CallToolResult) -> &str {
    result.content.first().and_then(ContentBlock::as_text).unwrap_or_default()
}

/// Whether a call failed with this code, and this message if one is given.
fn refused<T: Debug>(
    outcome: Result<T, roundtrip::client::Error>,
    code: i64,
    message: Option<&str>,
) -> Checked {
    match outcome {
        Ok(result) => Err(format!("{result:?} came back, not an error").into()),
        Err(error) => {
            let rpc = error.rpc().ok_or_else(|| format!("not an error of the server: {error}"))?;
            expect(rpc.code.0, code)?;
            message.map_or(Ok(()), |message| expect(rpc.message.as_str(), message))
        }
    }
}

async fn discover(client: &Client) -> Checked {
    let server = client.server().ok_or("the server was not discovered")?;
    expect(server.supported_versions.iter().any(|version| version == "2026-07-28"), true)?;
    let name = server.meta.as_ref().and_then(|meta| meta.server_info()).map(|info| info.name);
    expect(name.as_deref(), Some("Provisioner"))?;
    let can = &server.capabilities;
    expect((can.tools.is_some(), can.prompts.is_some(), can.resources.is_some()), (true, true, true))
}

async fn lists(client: &Client) -> Checked {
    let tools = client.list_tools().all().await?;
    let named =
        |name: &str| tools.iter().find(|tool| tool.name == name).ok_or(format!("there is no tool {name}"));
    let schema: Value = named("provision")?.input_schema.parse()?;
    let properties: Vec<_> =
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    expect(properties, vec!["name"])?;
    expect(&schema["required"], &json!(["name"]))?;
    expect(named("echo")?.output_schema.is_some(), true)?;
    let prompts = client.list_prompts().all().await?;
    expect(prompts.iter().map(|prompt| prompt.name.as_str()).collect(), vec!["briefing"])?;
    let resources = client.list_resources().all().await?;
    expect(resources.iter().map(|resource| resource.uri.as_str()).collect(), vec!["note://static"])?;
    let templates = client.list_resource_templates().all().await?;
    expect(templates.iter().map(|template| template.uri_template.as_str()).collect(), vec!["plan://{name}"])
}

async fn tool(client: &Client) -> Checked {
    let result = client.call_tool("provision", json!({ "name": "orders" })).await?;
    expect(text_of(&result), "Provisioned 'orders' in eu-west-1.")
}

async fn two_rounds(client: &Client) -> Checked {
    let result = client.call_tool("place", json!({ "name": "orders" })).await?;
    expect(text_of(&result), "Placed 'orders' in eu-west-1, zone b.")
}

async fn prompt(client: &Client) -> Checked {
    let result = client.get_prompt("briefing", ()).await?;
    let texts: Vec<_> = result.messages.iter().map(|message| message.content.as_text()).collect();
    expect(texts, vec![Some("Write a briefing for the board.")])
}

async fn template(client: &Client) -> Checked {
    let result = client.read_resource("plan://orders").await?;
    let texts: Vec<_> = result.contents.iter().map(|contents| (contents.uri(), contents.as_text())).collect();
    expect(texts, vec![("plan://orders", Some("Plan for orders: large."))])
}

async fn by_hand(client: &Client) -> Checked {
    let result = client.call_tool("provision_by_hand", json!({ "name": "orders" })).await?;
    expect(text_of(&result), "Provisioned 'orders' in eu-west-1 (asked for orders).")
}

/// A client that leaves the answers to its caller.
async fn by_hand_client(url: &str) -> Result<Client, roundtrip::client::Error> {
    let forms = ClientCapabilities::new().with_elicitation(ElicitationCapability::form());
    Client::builder().by_hand(forms).connect(url).await
}

/// Every question of a round answered, after the call was saved and read again as another process would.
fn answered(
    pending: &PendingCall<CallToolResult>,
) -> Result<PendingCall<CallToolResult>, Box<dyn Error + Send + Sync>> {
    let mut pending: PendingCall<CallToolResult> = serde_json::from_str(&serde_json::to_string(pending)?)?;
    for (key, question) in pending.questions().clone() {
        let InputRequest::Elicit(ElicitRequestParams::Form(form)) = &question else {
            return Err(format!("{question:?} is no form").into());
        };
        pending = pending.answer(&key, answer(form)?)?;
    }
    Ok(pending)
}

async fn driven(url: &str) -> Checked {
    let client = by_hand_client(url).await?;
    let mut rounds = 0;
    let mut round = client.call_tool("place", json!({ "name": "orders" })).once().await?;
    while let Round::InputRequired(pending) = &round {
        rounds += 1;
        // Another connection goes on with it.
        round = by_hand_client(url).await?.resume(answered(pending)?).once().await?;
    }
    let Round::Complete(result) = &round else { return Err("it never completed".into()) };
    expect((rounds, text_of(result)), (2, "Placed 'orders' in eu-west-1, zone b."))
}

async fn altered(url: &str) -> Checked {
    let client = by_hand_client(url).await?;
    let Round::InputRequired(pending) =
        client.call_tool("provision_by_hand", json!({ "name": "orders" })).once().await?
    else {
        return Err("it did not ask".into());
    };
    let saved = serde_json::to_value(answered(&pending)?)?;
    let state = saved["requestState"].as_str().ok_or("it kept no state")?.to_owned();
    expect(state.contains("asked"), false)?;
    let altered = [
        ("requestState", json!(format!("{state}x"))),
        ("arguments", json!(r#"{"name":"others"}"#)),
        ("name", json!("provision")),
    ];
    for (member, value) in altered {
        let mut saved = saved.clone();
        saved[member] = value;
        let pending: PendingCall<CallToolResult> = serde_json::from_value(saved)?;
        refused(client.resume(pending).once().await, REFUSAL.0, Some(REFUSAL.1))?;
    }
    Ok(())
}

async fn sampling(client: &Client) -> Checked {
    let result = client.call_tool("summarise", json!({ "text": "all is well" })).await?;
    expect(text_of(&result), "shouter says: ALL IS WELL")
}

async fn roots(client: &Client) -> Checked {
    let result = client.call_tool("count_roots", json!({})).await?;
    expect(text_of(&result), "2 roots, the first is file:///data")
}

async fn structured(client: &Client) -> Checked {
    let arguments = json!({ "text": "grüß \"Gott\" \u{2028} 🦀", "number": 9_007_199_254_740_993_i64 });
    let result = client.call_tool("echo", &arguments).await?;
    let content: Value = result.structured_content.ok_or("there is no structured content")?.parse()?;
    expect(content, arguments)
}

async fn progress(client: &Client) -> Checked {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&seen);
    let call = client.call_tool("count", json!({ "to": 3 })).on_progress(move |progress| {
        let step = (progress.progress.to_string(), progress.message);
        note.lock().expect("no holder of this lock panics").push(step);
    });
    expect(text_of(&call.await?), "Counted to 3.")?;
    let seen = seen.lock().expect("no holder of this lock panics");
    let steps: Vec<_> = seen.iter().map(|(_, message)| message.as_deref()).collect();
    expect(steps, vec![Some("step 1"), Some("step 2"), Some("step 3")])?;
    expect(seen.iter().map(|(done, _)| done.parse::<f64>().unwrap_or(0.0)).sum::<f64>(), 6.0)
}

async fn header(client: &Client) -> Checked {
    client.list_tools().await?;
    for region in ["eu-west-1", " süd ", ""] {
        let result = client.call_tool("route", json!({ "region": region })).await?;
        expect(text_of(&result), &format!("Routed to {region}."))?;
    }
    Ok(())
}

async fn errors(client: &Client) -> Checked {
    expect(client.call_tool("fail", ()).await?.is_error, Some(true))?;
    refused(client.read_resource("nothing://here").await, -32602, None)?;
    // A server may answer a tool that it doesn't have either way.
    match client.call_tool("no_such_tool", ()).await {
        Ok(result) => expect(result.is_error, Some(true)),
        failed => refused(failed, -32602, None),
    }
}

async fn declined(url: &str) -> Checked {
    let client = Client::builder().on_form(async |_form| ElicitResult::decline()).connect(url).await?;
    let result = client.call_tool("provision", json!({ "name": "orders" })).await?;
    expect(result.is_error, Some(true))
}

async fn without_capability(url: &str) -> Checked {
    let client = Client::connect(url).await?;
    refused(client.call_tool("provision", json!({ "name": "orders" })).await, -32021, None)
}
