//! `build()`: what is wrong with a server, all of it at once, each with its culprit.

use std::time::Duration;

use expect_test::{Expect, expect};
use roundtrip_server::{
    Args, Context, Form, InputRequired, McpServer, McpServerBuilder, Outcome, Resolution, Resolve, Resolved,
    State, ToolError, elicit, lowlevel::Server, seal::RequestStateSecurity, template, tool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Checks the problems of a server, one a line.
fn check(builder: McpServerBuilder, want: &Expect) {
    let error = builder.build().expect_err("something is wrong with it");
    assert_eq!(error.problems().count(), error.to_string().lines().count());
    want.assert_eq(&error.to_string());
}

fn builder() -> McpServerBuilder {
    McpServer::builder("Test")
}

async fn ping() -> &'static str {
    "pong"
}

#[derive(Deserialize, JsonSchema)]
struct Ship {
    tons: u32,
    #[serde(default)]
    name: Option<String>,
}

async fn ship(Args(ship): Args<Ship>) -> String {
    format!("{} {:?}", ship.tons, ship.name)
}

/// Defines a resolver that is never run: what it needs is all that matters.
macro_rules! needing {
    ($($Name:ident($Needs:ty);)*) => {$(
        struct $Name;

        impl Resolve for $Name {
            type Needs = $Needs;

            async fn resolve(_: $Needs) -> Result<Resolution<Self>, ToolError> {
                Ok(Self.into())
            }
        }
    )*};
}

needing! {
    Plain(());
    Narcissus(Resolved<Narcissus>);
    Hen(Option<Resolved<Egg>>);
    Egg((Resolved<Plain>, Resolved<Nest>));
    Nest(Result<Resolved<Hen>, roundtrip_server::Declined>);
    OfTons(Args<Tons>);
    OfTonsAsText(Args<TonsAsText>);
    OfCrew((Args<Crew>, Args<Tons>));
    OfNumber(State<Number>);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Tons {
    /// In other words.
    tons: u32,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct TonsAsText {
    tons: String,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Crew {
    crew: Vec<String>,
}

struct Number;

#[test]
fn resolvers_in_a_circle() {
    check(
        builder().tool("self", async |_: Resolved<Narcissus>| "ok"),
        &expect!["tool `self`: its resolvers go in a circle: Narcissus -> Narcissus"],
    );
    check(
        builder().tool("hen", async |_: Resolved<Hen>| "ok"),
        &expect!["tool `hen`: its resolvers go in a circle: Hen -> Egg -> Nest -> Hen"],
    );
    check(
        builder().prompt("egg", async |_: Resolved<Plain>, _: Resolved<Egg>| "ok"),
        &expect!["prompt `egg`: its resolvers go in a circle: Egg -> Nest -> Hen -> Egg"],
    );
}

mod elsewhere {
    use super::*;

    pub(super) struct Plain;

    impl Resolve for Plain {
        type Needs = ();

        async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
            Ok(Self.into())
        }
    }

    pub(super) struct Other;

    impl Resolve for Other {
        type Needs = ();

        fn key() -> String {
            "plain".to_owned()
        }

        async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
            Ok(Self.into())
        }
    }
}

#[test]
fn twin_keys() {
    let twins = async |_: Resolved<Plain>, _: Resolved<elsewhere::Plain>| "ok";
    check(
        builder().tool("twins", twins),
        &expect![
            "tool `twins`: two of its resolvers have the key `plain`, one of them `Plain`; give one another with `fn key()`"
        ],
    );
    let clashing = async |_: Resolved<Plain>, _: Resolved<elsewhere::Other>| "ok";
    check(
        builder().template("x://{a}", "twins", clashing),
        &expect![
            "template `x://{a}`: two of its resolvers have the key `plain`, one of them `Other`; give one another with `fn key()`"
        ],
    );
    // One resolver may be shared, and two handlers may use twins apart from each other.
    builder()
        .tool("a", async |_: Resolved<Plain>, _: Option<Resolved<Plain>>| "ok")
        .tool("b", async |_: Resolved<elsewhere::Other>| "ok")
        .build()
        .unwrap();
}

#[test]
fn a_state_that_is_not_there() {
    check(
        builder().tool("count", async |_: State<Number>, _: State<Number>| "ok"),
        &expect![
            "tool `count`: it takes `State<it::building::Number>`, but the server holds none; add `.state(..)`"
        ],
    );
    check(
        builder().resource("x://a", "a", async |_: State<Number>| "ok").state("a text"),
        &expect![
            "resource `x://a`: it takes `State<it::building::Number>`, but the server holds none; add `.state(..)`"
        ],
    );
    check(
        builder().prompt("p", async |_: Resolved<OfNumber>| "ok"),
        &expect![
            "prompt `p`: it takes `State<it::building::Number>`, but the server holds none; add `.state(..)`"
        ],
    );
    builder()
        .tool("count", async |_: State<Number>, _: Resolved<OfNumber>| "ok")
        .state(Number)
        .build()
        .unwrap();
}

#[test]
fn a_resolver_that_reads_what_is_not_there() {
    check(
        builder().tool("bare", async |_: Resolved<OfTons>| "ok"),
        &expect!["tool `bare`: its resolver `OfTons` reads the argument `tons`, which it does not take"],
    );
    check(
        builder().tool("crew", async |_: Args<Ship>, _: Resolved<OfCrew>| "ok"),
        &expect!["tool `crew`: its resolver `OfCrew` reads the argument `crew`, which it does not take"],
    );
    check(
        builder().tool("text", async |_: Resolved<OfTonsAsText>, _: Args<Ship>| "ok"),
        &expect![[
            r#"tool `text`: its resolver `OfTonsAsText` reads the argument `tons` as {"type":"string"}, but it takes {"format":"uint32","minimum":0,"type":"integer"}"#
        ]],
    );
    // Words may differ; the order of the parameters does not matter.
    builder().tool("ok", async |_: Resolved<OfTons>, _: Args<Ship>| "ok").build().unwrap();
}

#[test]
fn names() {
    let names = ["", "a b", "a,b", "é", "a/b", &"n".repeat(129)];
    let server = names.iter().fold(builder(), |all, name| all.tool(*name, ping));
    check(
        server,
        &expect![[r#"
        tool ``: a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`
        tool `a b`: a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`
        tool `a,b`: a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`
        tool `é`: a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`
        tool `a/b`: a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`
        tool `nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn`: a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`"#]],
    );
    let names = ["a", "A", "a.b-c_D9", &"n".repeat(128)];
    names.iter().fold(builder(), |all, name| all.tool(*name, ping)).build().unwrap();
}

#[test]
fn two_of_one_name() {
    let twins = builder()
        .tool("a", ping)
        .tool("a", ping)
        .prompt("a", ping)
        .prompt("a", ping)
        .resource("x://a", "a", ping)
        .resource("x://a", "b", ping)
        .template("x://{tons}", "a", ship)
        .template("x://{tons}", "b", ship);
    check(
        twins,
        &expect![[r#"
        tool `a`: there are two of this name
        prompt `a`: there are two of this name
        resource `x://a`: there are two of this name
        template `x://{tons}`: its `Args` take `name`, which is no variable of it
        template `x://{tons}`: there are two of this name
        template `x://{tons}`: its `Args` take `name`, which is no variable of it"#]],
    );
    // Tools, prompts and resources have names of their own.
    builder().tool("a", ping).prompt("a", ping).resource("a", "a", ping).build().unwrap();
}

#[test]
fn arguments_that_are_no_fields() {
    check(
        builder().tool("number", async |_: Args<u32>| "ok"),
        &expect![
            "tool `number`: the schema of its arguments must be of type object; take `Args` of a struct"
        ],
    );
    check(
        builder().tool("any", async |_: Args<Value>| "ok"),
        &expect!["tool `any`: the schema of its arguments must be of type object; take `Args` of a struct"],
    );
    check(
        builder().prompt("number", async |_: Args<u32>| "ok"),
        &expect!["prompt `number`: its arguments must be of type object; take `Args` of a struct"],
    );
    check(
        builder().template("x://{a}", "list", async |_: Args<Vec<String>>| "ok"),
        &expect!["template `x://{a}`: its arguments must be of type object; take `Args` of a struct"],
    );
    check(
        builder().tool("two", async |_: Args<Ship>, _: Args<Tons>| "ok"),
        &expect!["tool `two`: it has more than one `Args` parameter; put the fields into one struct"],
    );
}

#[test]
fn header_parameters() {
    let with = |schema: Value| {
        let schema = json!({ "type": "object", "properties": { "tenant": schema } });
        builder().add(tool("t", async |_: Args<Value>| "ok").input_schema(schema))
    };
    check(
        with(json!({ "type": "string", "x-mcp-header": "Bad Name" })),
        &expect![
            "tool `t`: x-mcp-header at properties.tenant in the input schema must be a token that can stand in a header name"
        ],
    );
    check(
        with(json!({ "type": "number", "x-mcp-header": "Tenant" })),
        &expect![
            "tool `t`: x-mcp-header at properties.tenant in the input schema must stand on exactly one of string, integer and boolean"
        ],
    );
    with(json!({ "type": "string", "x-mcp-header": "Tenant" })).build().unwrap();
}

#[test]
fn both_ways_to_ask() {
    async fn both(ctx: Context, _: Resolved<Plain>) -> Result<Outcome<String>, ToolError> {
        match ctx.request_state() {
            None => InputRequired::later(&1)?.into(),
            Some(_) => Ok(Outcome::Complete("ok".to_owned())),
        }
    }
    let server = builder().tool("t", both).prompt("p", both).template("x://{+a}", "r", both);
    check(
        server,
        &expect![[r#"
        tool `t`: it takes `Resolved<_>` and also returns `Outcome<_>`; a call has one set of questions, so let either its resolvers or its body ask
        prompt `p`: it takes `Resolved<_>` and also returns `Outcome<_>`; a call has one set of questions, so let either its resolvers or its body ask
        template `x://{+a}`: it takes `Resolved<_>` and also returns `Outcome<_>`; a call has one set of questions, so let either its resolvers or its body ask"#]],
    );
}

#[test]
fn a_fixed_uri() {
    check(
        builder().resource("x://a", "a", async |_: Resolved<Plain>| "ok"),
        &expect![
            "resource `x://a`: a resource with a fixed URI cannot ask; make it a template, a tool or a prompt"
        ],
    );
    check(
        builder().resource("x://a", "a", async |_: Args<Ship>| "ok"),
        &expect!["resource `x://a`: a resource with a fixed URI has no arguments; make it a template"],
    );
}

#[test]
fn templates() {
    let server = builder()
        .template("x://{tons", "open", ship)
        .template("x://{tons}{name}", "adjacent", ship)
        .template("x://{tons:3}", "cut", ship)
        .template("x://{id}/{name}", "variables", ship)
        .add(template("x://fixed", "none", ship));
    check(
        server,
        &expect![[r#"
        template `x://{tons`: the brace at byte 4 is not closed
        template `x://{tons}{name}`: nothing separates the variable at byte 10 from the one before it
        template `x://{tons:3}`: the expression at byte 4 cuts a value, which can't be read back
        template `x://{id}/{name}`: its `Args` take `tons`, which is no variable of it
        template `x://fixed`: its `Args` take `name`, which is no variable of it
        template `x://fixed`: its `Args` take `tons`, which is no variable of it"#]],
    );
}

/// Asks with a form that says so.
macro_rules! declared {
    ($($Name:ident { $($field:ident: $T:ty),* })*) => {$(
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        struct $Name {
            $($field: $T),*
        }

        impl Resolve for $Name {
            type Needs = ();

            fn form() -> Option<Form> {
                Some(Form::of::<Self>())
            }

            async fn resolve((): ()) -> Result<Resolution<Self>, ToolError> {
                Ok(elicit("Please.").into())
            }
        }
    )*};
}

declared! {
    Flat { name: String, count: Option<u8> }
    Nested { tons: Tons, tags: Vec<String> }
}

#[test]
fn a_form_that_is_not_flat() {
    check(
        builder().tool("t", async |_: Resolved<Flat>, _: Resolved<Nested>| "ok"),
        &expect![
            "tool `t`: resolver `Nested` asks what the protocol cannot carry: form `Nested`: field `tags` is a list of something else than an enum, field `tons` is of type object; a form has only strings, numbers, booleans, enums and lists of enums"
        ],
    );
    builder().tool("t", async |_: Resolved<Flat>| "ok").build().unwrap();
}

#[test]
fn a_policy_for_states() {
    let keyed = || RequestStateSecurity::keys([[1; 32]]).unwrap();
    check(
        McpServer::builder("").request_state_security(keyed()),
        &expect![
            "request state security: the request state has keys or a codec of its own, and no name to tell this service from others that share them: name the server, or set the audience"
        ],
    );
    let nonsense = RequestStateSecurity::ephemeral().ttl(Duration::ZERO).max_bytes(0).audience("");
    check(
        builder().request_state_security(nonsense),
        &expect![[r#"
        request state security: the ttl of the request state is less than a millisecond: give a positive time, such as 600 s
        request state security: max_bytes of the request state is 0, which no token fits into: leave it at 65536, or raise it
        request state security: the audience of the request state is empty: name the service, or leave it out to use the server's name"#]],
    );
    McpServer::builder("").build().unwrap();
    McpServer::builder("").request_state_security(keyed().audience("billing")).build().unwrap();
    builder().request_state_security(keyed()).build().unwrap();

    let error = Server::builder("").request_state_security(keyed()).build().unwrap_err();
    expect!["request state security: the request state has keys or a codec of its own, and no name to tell this service from others that share them: name the server, or set the audience"].assert_eq(&error.to_string());
    Server::builder("").build().unwrap();
    Server::builder("Bare").request_state_security(keyed()).build().unwrap();
}

#[test]
fn all_at_once() {
    let server = McpServer::builder("")
        .request_state_security(RequestStateSecurity::keys([[1; 32]]).unwrap())
        .tool("no good", async |_: Resolved<Narcissus>, _: State<Number>| "ok")
        .prompt("p", async |_: Resolved<OfTons>| "ok")
        .resource("x://a", "a", async |_: Resolved<Plain>| "ok")
        .template("x://{", "t", ping);
    check(
        server,
        &expect![[r#"
        tool `no good`: its resolvers go in a circle: Narcissus -> Narcissus
        tool `no good`: it takes `State<it::building::Number>`, but the server holds none; add `.state(..)`
        tool `no good`: a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`
        prompt `p`: its resolver `OfTons` reads the argument `tons`, which it does not take
        resource `x://a`: a resource with a fixed URI cannot ask; make it a template, a tool or a prompt
        template `x://{`: the brace at byte 4 is not closed
        request state security: the request state has keys or a codec of its own, and no name to tell this service from others that share them: name the server, or set the audience"#]],
    );
}
