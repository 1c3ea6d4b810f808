//! Tools that take more than one round, by hand and by resolvers.
//!
//! By hand where the suite answers without having been asked, or wants a round without a state; by resolvers where
//! that is what a user would write.

use roundtrip::{
    Context, InputRequired, Outcome, Resolution, Resolve, Resolved, ToolError, elicit, list_roots, sample,
    server::{McpServerBuilder, tool},
    types::{CreateMessageResult, Root},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) fn add(server: McpServerBuilder) -> McpServerBuilder {
    server
        .add(tool("test_input_required_result_elicitation", greet).description("Asks for a name."))
        .add(tool("test_input_required_result_sampling", capital).description("Asks the client's model."))
        .add(tool("test_input_required_result_list_roots", roots).description("Asks for the client's roots."))
        .add(
            tool("test_input_required_result_request_state", confirm).description("Asks, and keeps a state."),
        )
        .add(
            tool("test_input_required_result_tampered_state", confirm)
                .description("Asks, and seals its state."),
        )
        .add(
            tool("test_input_required_result_multiple_inputs", all_at_once)
                .description("Asks for three things."),
        )
        .add(tool("test_input_required_result_multi_round", step_by_step).description("Asks twice, in turn."))
        .add(
            tool("test_input_required_result_capabilities", what_it_can)
                .description("Asks what the client can answer."),
        )
}

/// Who is there.
#[derive(Deserialize, JsonSchema, Serialize)]
pub(crate) struct UserName {
    pub(crate) name: String,
}

async fn greet(ctx: Context) -> Result<Outcome<String>, ToolError> {
    match ctx.answer::<UserName>("user_name").accepted() {
        Some(user) => Ok(Outcome::Complete(format!("Hello, {}!", user.name))),
        None => InputRequired::ask("user_name", elicit::<UserName>("What is your name?")).into(),
    }
}

async fn capital(ctx: Context) -> Result<Outcome<String>, ToolError> {
    match ctx.sampled("capital_question") {
        Some(said) => Ok(Outcome::Complete(format!("The model said: {}", words(&said)))),
        None => InputRequired::ask("capital_question", sample("What is the capital of France?", 100)).into(),
    }
}

async fn roots(ctx: Context) -> Result<Outcome<String>, ToolError> {
    match ctx.roots("client_roots") {
        Some(roots) => Ok(Outcome::Complete(format!("{} roots", roots.len()))),
        None => InputRequired::ask("client_roots", list_roots()).into(),
    }
}

#[derive(Deserialize, JsonSchema)]
struct Confirmation {
    ok: bool,
}

async fn confirm(ctx: Context) -> Result<Outcome<String>, ToolError> {
    let asked = ctx.request_state() == Some("asked to confirm");
    match ctx.answer::<Confirmation>("confirm").accepted() {
        Some(answer) if asked => Ok(Outcome::Complete(format!("state-ok, confirmed: {}", answer.ok))),
        _ => InputRequired::ask("confirm", elicit::<Confirmation>("Please confirm"))
            .request_state("asked to confirm")
            .into(),
    }
}

async fn what_it_can(ctx: Context) -> Result<Outcome<String>, ToolError> {
    if ctx.answer::<UserName>("user_name").accepted().is_some() || ctx.sampled("greeting").is_some() {
        return Ok(Outcome::Complete("Asked what the client can answer.".to_owned()));
    }
    if ctx.client_capabilities().supports_sampling() {
        InputRequired::ask("greeting", sample("Generate a greeting", 50)).into()
    } else {
        InputRequired::ask("user_name", elicit::<UserName>("What is your name?")).into()
    }
}

impl Resolve for UserName {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("What is your name?").into())
    }
}

/// What the client's model says to greet somebody.
struct Greeting(String);

impl Resolve for Greeting {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(sample("Generate a greeting", 50).map(|said| Self(words(&said))).into())
    }
}

/// Where the client works.
struct ClientRoots(Vec<Root>);

impl Resolve for ClientRoots {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(list_roots().map(Self).into())
    }
}

async fn all_at_once(
    user: Resolved<UserName>,
    greeting: Resolved<Greeting>,
    roots: Resolved<ClientRoots>,
) -> String {
    format!("{} {}, you have {} roots.", greeting.0, user.name, roots.0.len())
}

/// The first thing asked, and the second, which depends on it.
#[derive(Deserialize, JsonSchema)]
struct Step1 {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Step2 {
    color: String,
}

impl Resolve for Step1 {
    type Needs = ();

    async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit("Step 1: What is your name?").into())
    }

    fn key() -> String {
        "step1".to_owned()
    }
}

impl Resolve for Step2 {
    type Needs = Resolved<Step1>;

    async fn resolve(first: Resolved<Step1>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("Step 2: {}, what is your favorite color?", first.name)).into())
    }

    fn key() -> String {
        "step2".to_owned()
    }
}

async fn step_by_step(first: Resolved<Step1>, second: Resolved<Step2>) -> String {
    format!("{} likes {}.", first.name, second.color)
}

fn words(said: &CreateMessageResult) -> String {
    said.content.blocks().iter().filter_map(|block| block.as_text()).collect()
}
