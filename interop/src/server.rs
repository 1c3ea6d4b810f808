//! The server that other SDKs' clients are checked with: each kind of thing that can ask.

use roundtrip::{
    Args, Context, InputRequired, Json, McpServer, Outcome, Resolution, Resolve, Resolved, ToolError, elicit,
    list_roots, sample,
    server::{BuildError, resource, template, tool},
    types::{CreateMessageResult, Root},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) fn app() -> Result<McpServer, BuildError> {
    McpServer::builder("Provisioner")
        .version("1.0.0")
        .tool("provision", provision)
        .tool("place", place)
        .tool("provision_by_hand", provision_by_hand)
        .tool("summarise", summarise)
        .add(tool("count_roots", count_roots).description("Count the folders that the client works in."))
        .tool("echo", echo)
        .tool("count", count)
        .tool("route", route)
        .add(tool("fail", fail).description("Fail on purpose."))
        .prompt("briefing", briefing)
        .add(template("plan://{name}", "plan", plan).mime_type("text/plain"))
        .add(resource("note://static", "note", async || "Nothing to ask.").mime_type("text/plain"))
        .build()
}

/// Provision a database. Asks which region to put it in.
#[derive(Deserialize, JsonSchema)]
struct Database {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Region {
    region: String,
}

#[derive(Deserialize, JsonSchema)]
struct Zone {
    zone: String,
}

const WHICH_REGION: &str = "Which region should the database live in?";

impl Resolve for Region {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(WHICH_REGION).into())
    }
}

impl Resolve for Zone {
    type Needs = Resolved<Region>;

    async fn resolve(place: Resolved<Region>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("Which zone of {}?", place.region)).into())
    }
}

async fn provision(Args(db): Args<Database>, place: Resolved<Region>) -> String {
    format!("Provisioned '{}' in {}.", db.name, place.region)
}

async fn place(Args(db): Args<Database>, region: Resolved<Region>, zone: Resolved<Zone>) -> String {
    format!("Placed '{}' in {}, zone {}.", db.name, region.region, zone.zone)
}

async fn provision_by_hand(ctx: Context, Args(db): Args<Database>) -> Result<Outcome<String>, ToolError> {
    let Some(place) = ctx.answer::<Region>("region").accepted() else {
        let state = format!("asked for {}", db.name);
        return InputRequired::ask("region", elicit::<Region>(WHICH_REGION)).request_state(state).into();
    };
    let state = ctx.request_state().unwrap_or("nothing asked");
    Ok(Outcome::Complete(format!("Provisioned '{}' in {} ({state}).", db.name, place.region)))
}

/// Summarise a text with the client's model.
#[derive(Deserialize, JsonSchema)]
struct Text {
    text: String,
}

struct Summary(CreateMessageResult);

impl Resolve for Summary {
    type Needs = Args<Text>;

    async fn resolve(Args(Text { text }): Args<Text>) -> Result<Resolution<Self>, ToolError> {
        Ok(sample(format!("Summarise: {text}"), 100).map(Self).into())
    }
}

async fn summarise(Args(_text): Args<Text>, summary: Resolved<Summary>) -> String {
    let said: String = summary.0.content.blocks().iter().filter_map(|block| block.as_text()).collect();
    format!("{} says: {said}", summary.0.model)
}

struct Roots(Vec<Root>);

impl Resolve for Roots {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(list_roots().map(Self).into())
    }
}

async fn count_roots(roots: Resolved<Roots>) -> String {
    let first = roots.0.first().map_or("none", |root| &root.uri);
    format!("{} roots, the first is {first}", roots.0.len())
}

/// Answer with the arguments as structured content.
#[derive(Deserialize, JsonSchema, Serialize)]
struct Echo {
    text: String,
    number: i64,
}

async fn echo(Args(said): Args<Echo>) -> Json<Echo> {
    Json(said)
}

/// Count, with a progress notification for each step.
#[derive(Deserialize, JsonSchema)]
struct Count {
    to: u32,
}

async fn count(ctx: Context, Args(Count { to }): Args<Count>) -> String {
    for step in 1..=to {
        ctx.report_progress(step.into(), Some(to.into()), Some(&format!("step {step}"))).await;
    }
    format!("Counted to {to}.")
}

/// Answer with an argument that also travels as a header.
#[derive(Deserialize, JsonSchema)]
struct Route {
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

async fn route(Args(Route { region }): Args<Route>) -> String {
    format!("Routed to {region}.")
}

async fn fail() -> Result<String, ToolError> {
    Err(std::io::Error::other("no database today").into())
}

#[derive(Deserialize, JsonSchema)]
struct Audience {
    audience: String,
}

async fn briefing(ctx: Context) -> Result<Outcome<String>, ToolError> {
    match ctx.answer::<Audience>("audience").accepted() {
        Some(known) => Ok(Outcome::Complete(format!("Write a briefing for {}.", known.audience))),
        None => InputRequired::ask("audience", elicit::<Audience>("Who is the briefing for?")).into(),
    }
}

#[derive(Deserialize, JsonSchema)]
struct Size {
    size: String,
}

async fn plan(ctx: Context, Args(db): Args<Database>) -> Result<Outcome<String>, ToolError> {
    match ctx.answer::<Size>("size").accepted() {
        Some(wanted) => Ok(Outcome::Complete(format!("Plan for {}: {}.", db.name, wanted.size))),
        None => {
            InputRequired::ask("size", elicit::<Size>(format!("How large should {} be?", db.name))).into()
        }
    }
}
