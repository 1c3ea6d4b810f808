//! Hop 3. One message, from its decoded envelope to its reply: the spine of the server.

use std::{collections::BTreeMap, sync::Arc};

use roundtrip_protocol::{
    headers,
    inbound::{Inbound, Request},
    methods::Method,
    uri_template::TemplateValue,
};
use roundtrip_types::{
    CacheScope, CallToolResult, CompleteRequestParams, CompleteResult, ErrorCode, GetPromptResult,
    InputRequiredResult, McpError, Outcome, RawJson, ReadResourceResult, ResourceContents,
};
use serde_json::json;

use crate::{
    call::Arguments,
    error::{Failure, ToolError},
    exchange::{Exchange, Outbox, Reply, Serve, sealed::Sealed},
    list::Pages,
    reply::{ResultType, ResultWriter, guarded, reply},
    rounds::Round,
    server::{Inner, McpServer, PromptEntry, Prompts, ResourceEntry, Resources, Tools},
};

impl Sealed for McpServer {}

impl Serve for McpServer {
    async fn serve<'a>(&'a self, inbound: Inbound<'a>, exchange: Arc<Exchange>, outbox: Outbox) -> Reply {
        // No notification of this era asks for anything but to be taken.
        let Inbound::Request(request) = inbound else { return Reply::accepted() };
        let server = &*self.0;
        let mut to = ResultWriter::new(&request.id, &server.shared.identity);
        let answered = guarded(dispatch(server, &request, exchange, outbox, &mut to)).await;
        reply(&request.id, to, answered)
    }

    fn close_streams(&self) {
        self.0.shared.subscriptions.close();
    }
}

/// The table of contents of the protocol. What the server lacks is an unknown method.
async fn dispatch(
    server: &Inner,
    request: &Request<'_>,
    exchange: Arc<Exchange>,
    outbox: Outbox,
    to: &mut ResultWriter<'_>,
) -> Result<(), McpError> {
    let Inner { tools, prompts, resources, completer, .. } = server;
    match (&request.method, tools, prompts, resources) {
        (Method::ServerDiscover, ..) => to.rendered(&server.discover),
        (Method::ToolsList, Some(tools), ..) => list(&tools.pages, request, to)?,
        (Method::ToolsCall, Some(tools), ..) => {
            call_tool(server, tools, request, exchange, outbox, to).await?
        }
        (Method::PromptsList, _, Some(prompts), _) => list(&prompts.pages, request, to)?,
        (Method::PromptsGet, _, Some(prompts), _) => {
            get_prompt(server, prompts, request, exchange, outbox, to).await?
        }
        (Method::ResourcesList, .., Some(resources)) => list(&resources.pages, request, to)?,
        (Method::ResourceTemplatesList, .., Some(resources)) => list(&resources.template_pages, request, to)?,
        (Method::ResourcesRead, .., Some(resources)) => {
            read_resource(server, resources, request, exchange, outbox, to).await?;
        }
        (Method::CompletionComplete, ..) if completer.is_some() => {
            complete(server, request, exchange, outbox, to).await?;
        }
        (Method::SubscriptionsListen, ..) => listen(server, request, &outbox, to).await?,
        (unknown, ..) => return Err(McpError::method_not_found(unknown.as_str())),
    }
    Ok(())
}

fn list(pages: &Pages, request: &Request<'_>, to: &mut ResultWriter<'_>) -> Result<(), McpError> {
    to.rendered(pages.at(request.params.cursor()?.as_deref())?);
    Ok(())
}

async fn call_tool(
    server: &Inner,
    tools: &Tools,
    request: &Request<'_>,
    exchange: Arc<Exchange>,
    outbox: Outbox,
    to: &mut ResultWriter<'_>,
) -> Result<(), McpError> {
    let name = request.params.name()?;
    let round = Round::open(&server.shared, request, &name, Arc::clone(&exchange), outbox)?;
    let Some(tool) = tools.by_name.get(&*name) else { return Err(unknown("tool", &name)) };
    let arguments = request.params.arguments()?;
    if let (false, Some(headers)) = (tool.header_params.is_empty(), exchange.headers()) {
        headers::check(&tool.header_params, arguments, headers)?;
    }
    let outcome = round.run(&tool.body, Arguments::Json(arguments), &server.states).await;
    match outcome {
        Ok(Outcome::InputRequired(ask)) => return asked(&round, ask, to),
        Ok(Outcome::Complete(mut result)) => complete_tool(&mut result, to),
        // The model can read what went wrong, and try again better.
        Err(error) => match error.into_failure(&format!("tool `{name}`")) {
            Failure::Told(message) => complete_tool(&mut CallToolResult::error(message), to),
            Failure::Rpc(error) => return Err(error),
        },
    }
    Ok(())
}

fn complete_tool(result: &mut CallToolResult, to: &mut ResultWriter<'_>) {
    to.result(ResultType::Complete, result, |result| result.meta.as_mut());
}

async fn get_prompt(
    server: &Inner,
    prompts: &Prompts,
    request: &Request<'_>,
    exchange: Arc<Exchange>,
    outbox: Outbox,
    to: &mut ResultWriter<'_>,
) -> Result<(), McpError> {
    let name = request.params.name()?;
    let round = Round::open(&server.shared, request, &name, exchange, outbox)?;
    let Some(prompt) = prompts.by_name.get(&*name) else { return Err(unknown("prompt", &name)) };
    let arguments = prompt_arguments(prompt, request)?;
    match round.run(&prompt.body, Arguments::Strings(&arguments), &server.states).await {
        Ok(Outcome::InputRequired(ask)) => return asked(&round, ask, to),
        Ok(Outcome::Complete(mut result)) => {
            let GetPromptResult { description, .. } = &mut result;
            if description.is_none() {
                description.clone_from(&prompt.description);
            }
            to.result(ResultType::Complete, &mut result, |result| result.meta.as_mut());
        }
        Err(error) => return Err(failed(error, &format!("prompt `{name}`"))),
    }
    Ok(())
}

/// A prompt's arguments: strings by name. A missing or ill-typed one is named.
fn prompt_arguments(
    prompt: &PromptEntry,
    request: &Request<'_>,
) -> Result<Vec<(String, TemplateValue)>, McpError> {
    let sent: BTreeMap<String, String> = match request.params.arguments()? {
        None => Default::default(),
        Some(raw) => serde_json::from_str(raw.get())
            .map_err(|_| McpError::invalid_params("each argument of a prompt must be a string"))?,
    };
    if let Some((missing, _)) =
        prompt.arguments.iter().find(|(name, required)| *required && !sent.contains_key(name))
    {
        return Err(McpError::invalid_params(format!("the prompt needs the argument `{missing}`")));
    }
    Ok(sent.into_iter().map(|(name, text)| (name, TemplateValue::Text(text))).collect())
}

async fn read_resource(
    server: &Inner,
    resources: &Resources,
    request: &Request<'_>,
    exchange: Arc<Exchange>,
    outbox: Outbox,
    to: &mut ResultWriter<'_>,
) -> Result<(), McpError> {
    let uri = request.params.uri()?;
    let round = Round::open(&server.shared, request, &uri, exchange, outbox)?;
    let Some((resource, variables)) = resources.find(&uri) else {
        return Err(about_uri(McpError::invalid_params("there is no such resource"), &uri));
    };
    match round.run(&resource.body, Arguments::Strings(&variables), &server.states).await {
        Ok(Outcome::InputRequired(ask)) => return asked(&round, ask, to),
        Ok(Outcome::Complete(mut result)) => {
            complete_contents(&mut result, resource, &uri, round.context.is_retry());
            to.result(ResultType::Complete, &mut result, |result| result.meta.as_mut());
        }
        Err(error) => return Err(about_uri(failed(error, &format!("resource `{uri}`")), &uri)),
    }
    Ok(())
}

/// Names the URI in an error that says that it can't be read as it is, unless the error has data of its own.
fn about_uri(error: McpError, uri: &str) -> McpError {
    if error.code == ErrorCode::INVALID_PARAMS && error.data.is_none() {
        return error.with_data(RawJson::from(json!({ "uri": uri })));
    }
    error
}

/// Fills in what the handler left open: the URI that was read, its media type, how long it stays fresh.
fn complete_contents(result: &mut ReadResourceResult, resource: &ResourceEntry, uri: &str, retry: bool) {
    for contents in &mut result.contents {
        let (own_uri, own_type) = match contents {
            ResourceContents::Text(text) => (&mut text.uri, &mut text.mime_type),
            ResourceContents::Blob(blob) => (&mut blob.uri, &mut blob.mime_type),
            _ => continue,
        };
        if own_uri.is_empty() {
            uri.clone_into(own_uri);
        }
        if own_type.is_none() {
            own_type.clone_from(&resource.mime_type);
        }
    }
    if retry {
        // What took a question belongs to who answered it, just now.
        (result.ttl_ms, result.cache_scope) = (0, CacheScope::Private);
    } else if let Some(hint) = &resource.cache {
        (result.ttl_ms, result.cache_scope) = (hint.ttl_ms(), hint.scope);
    }
}

async fn complete(
    server: &Inner,
    request: &Request<'_>,
    exchange: Arc<Exchange>,
    outbox: Outbox,
    to: &mut ResultWriter<'_>,
) -> Result<(), McpError> {
    let params: CompleteRequestParams = request.params.decode()?;
    let context = crate::context::Context::of(&server.shared, request, exchange, outbox);
    let complete = server.completer.as_ref().expect("dispatch saw that there is one");
    let completion = complete(context, params).await.map_err(|error| failed(error, "completion"))?;
    let mut result = CompleteResult::new(completion);
    to.result(ResultType::Complete, &mut result, |result| result.meta.as_mut());
    Ok(())
}

async fn listen(
    server: &Inner,
    request: &Request<'_>,
    outbox: &Outbox,
    to: &mut ResultWriter<'_>,
) -> Result<(), McpError> {
    let mut result = server.shared.subscriptions.listen(request, outbox).await?;
    to.result(ResultType::Complete, &mut result, |result| result.meta.as_mut());
    Ok(())
}

/// Sends questions in place of the result.
fn asked(round: &Round<'_>, ask: InputRequiredResult, to: &mut ResultWriter<'_>) -> Result<(), McpError> {
    let mut ask = round.ask(ask)?;
    to.result(ResultType::InputRequired, &mut ask, |ask| ask.meta.as_mut());
    Ok(())
}

fn unknown(what: &str, name: &str) -> McpError {
    McpError::invalid_params(format!("there is no {what} `{name}`"))
}

/// A failure where no model reads along: a JSON-RPC error, in the handler's own words if it has any.
fn failed(error: ToolError, what: &str) -> McpError {
    match error.into_failure(what) {
        Failure::Told(message) => McpError::new(ErrorCode::INTERNAL_ERROR, message),
        Failure::Rpc(error) => error,
    }
}
