//! `build()`: everything that can be checked before serving, and what is rendered once.

use std::{
    collections::{HashMap, HashSet},
    fmt::Display,
    sync::Arc,
};

use roundtrip_protocol::headers::header_params;
use roundtrip_types::{
    DiscoverResult, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PromptsCapability, ProtocolVersion, ResourcesCapability, ServerCapabilities,
    ToolsCapability,
};
use serde_json::Value;

use crate::{
    body::Body,
    cache::CacheHint,
    call::StateMap,
    error::BuildError,
    list::Pages,
    prompt::PromptHandler,
    reply::{Identity, Shared, rendered},
    resource::{ResourceHandler, TemplateHandler},
    server::{
        Inner, McpServer, McpServerBuilder, PromptEntry, Prompts, ResourceEntry, Resources, ToolEntry, Tools,
    },
    subscriptions::{Announces, Subscriptions},
    tool::ToolHandler,
};

/// Builds the server, or says all that is wrong with it.
pub(crate) fn build(builder: McpServerBuilder) -> Result<McpServer, BuildError> {
    let McpServerBuilder { info, states, security, list_cache, page_size, announces, .. } = builder;
    let identity = Identity::new(&info);
    let mut problems = Problems::default();
    let list = ListSettings { cache: &list_cache, page_size, identity: &identity };

    let capabilities = Has {
        tools: !builder.tools.is_empty() || announces.tools,
        prompts: !builder.prompts.is_empty() || announces.prompts,
        resources: !builder.resources.is_empty()
            || !builder.templates.is_empty()
            || announces.resources
            || announces.resource_updates,
        completions: builder.completer.is_some(),
        logs: builder.logs,
    }
    .capabilities(announces);
    let tools = tools(builder.tools, &states, &list, &mut problems);
    let prompts = prompts(builder.prompts, &states, &list, &mut problems);
    let resources = resources(builder.resources, builder.templates, &states, &list, &mut problems);

    let name = Some(&*info.name).filter(|name| !name.is_empty());
    let boundary = match security.into_boundary(name) {
        Ok(boundary) => Some(boundary),
        Err(errors) => {
            errors.iter().for_each(|error| problems.add("request state security", error));
            None
        }
    };
    if !problems.0.is_empty() {
        return Err(BuildError(problems.0));
    }

    let mut discover = DiscoverResult::new(versions(), capabilities.clone());
    discover.instructions = builder.instructions;
    (discover.ttl_ms, discover.cache_scope) = (list_cache.ttl_ms(), list_cache.scope);
    let discover = rendered(&discover, &identity);
    let subscriptions = Subscriptions::new(announces, builder.max_subscriptions);
    let shared = Shared { identity, boundary, subscriptions, logs: builder.logs };
    Ok(McpServer(Arc::new(Inner {
        shared,
        states,
        discover,
        tools: capabilities.tools.map(|_| tools),
        prompts: capabilities.prompts.map(|_| prompts),
        resources: capabilities.resources.map(|_| resources),
        completer: builder.completer,
    })))
}

/// The versions that a server speaks, as `server/discover` lists them.
pub(crate) fn versions() -> Vec<String> {
    ProtocolVersion::SUPPORTED.iter().map(ToString::to_string).collect()
}

/// What a server has, for what it advertises.
pub(crate) struct Has {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) completions: bool,
    pub(crate) logs: bool,
}

impl Has {
    pub(crate) fn capabilities(&self, announces: Announces) -> ServerCapabilities {
        let mut capabilities = ServerCapabilities::default();
        capabilities.tools = self.tools.then(|| {
            let tools = ToolsCapability::default();
            if announces.tools { tools.with_list_changed(true) } else { tools }
        });
        capabilities.prompts = self.prompts.then(|| {
            let prompts = PromptsCapability::default();
            if announces.prompts { prompts.with_list_changed(true) } else { prompts }
        });
        capabilities.resources = self.resources.then(|| {
            let mut resources = ResourcesCapability::default();
            resources.list_changed = announces.resources.then_some(true);
            resources.subscribe = announces.resource_updates.then_some(true);
            resources
        });
        capabilities.completions = self.completions.then(JsonObject::default);
        capabilities.logging = self.logs.then(JsonObject::default);
        capabilities
    }
}

/// What all lists have in common.
struct ListSettings<'a> {
    cache: &'a CacheHint,
    page_size: usize,
    identity: &'a Identity,
}

impl ListSettings<'_> {
    fn cache(&self) -> (u64, roundtrip_types::CacheScope) {
        (self.cache.ttl_ms(), self.cache.scope)
    }
}

/// What is wrong so far, each a sentence that begins with the culprit.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn add(&mut self, culprit: impl Display, problem: impl Display) {
        self.0.push(format!("{culprit}: {problem}"));
    }

    /// Checks that the arguments, if there are any, are fields by name.
    fn check_fields<R>(&mut self, culprit: &str, body: &Body<R>) {
        if body.plan.input.as_ref().is_some_and(|schema| schema["type"] != "object") {
            self.add(culprit, "its arguments must be of type object; take `Args` of a struct");
        }
    }

    /// Checks a handler's wiring, and that its name is its own.
    fn check<R>(&mut self, culprit: &str, body: &Body<R>, states: &StateMap, fresh: bool) {
        if !fresh {
            self.add(culprit, "there are two of this name");
        }
        for problem in body.check(states) {
            self.add(culprit, problem);
        }
    }
}

fn tools(
    handlers: Vec<ToolHandler>,
    states: &StateMap,
    list: &ListSettings<'_>,
    problems: &mut Problems,
) -> Tools {
    let mut definitions = Vec::with_capacity(handlers.len());
    let mut by_name = HashMap::with_capacity(handlers.len());
    for ToolHandler { definition, body } in handlers {
        let culprit = format!("tool `{}`", definition.name);
        problems.check(&culprit, &body, states, !by_name.contains_key(&definition.name));
        if !is_tool_name(&definition.name) {
            problems.add(&culprit, "a name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`");
        }
        let schema: Value = definition.input_schema.parse().unwrap_or_default();
        if schema["type"] != "object" {
            problems
                .add(&culprit, "the schema of its arguments must be of type object; take `Args` of a struct");
        }
        let header_params = header_params(&schema).unwrap_or_else(|error| {
            problems.add(&culprit, error);
            Vec::new()
        });
        by_name.insert(definition.name.clone(), ToolEntry { header_params, body });
        definitions.push(definition);
    }
    let pages = Pages::render(&definitions, list.page_size, list.identity, |tools, next_cursor| {
        let mut page = ListToolsResult::new(tools);
        (page.ttl_ms, page.cache_scope) = list.cache();
        page.next_cursor = next_cursor;
        page
    });
    Tools { pages, by_name }
}

fn is_tool_name(name: &str) -> bool {
    (1..=128).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
}

fn prompts(
    handlers: Vec<PromptHandler>,
    states: &StateMap,
    list: &ListSettings<'_>,
    problems: &mut Problems,
) -> Prompts {
    let mut definitions = Vec::with_capacity(handlers.len());
    let mut by_name = HashMap::with_capacity(handlers.len());
    for PromptHandler { definition, body } in handlers {
        let culprit = format!("prompt `{}`", definition.name);
        problems.check(&culprit, &body, states, !by_name.contains_key(&definition.name));
        problems.check_fields(&culprit, &body);
        let arguments = definition.arguments.iter().flatten();
        let arguments =
            arguments.map(|argument| (argument.name.clone(), argument.required == Some(true))).collect();
        let entry = PromptEntry { arguments, description: definition.description.clone(), body };
        by_name.insert(definition.name.clone(), entry);
        definitions.push(definition);
    }
    let pages = Pages::render(&definitions, list.page_size, list.identity, |prompts, next_cursor| {
        let mut page = ListPromptsResult::new(prompts);
        (page.ttl_ms, page.cache_scope) = list.cache();
        page.next_cursor = next_cursor;
        page
    });
    Prompts { pages, by_name }
}

fn resources(
    handlers: Vec<ResourceHandler>,
    template_handlers: Vec<TemplateHandler>,
    states: &StateMap,
    list: &ListSettings<'_>,
    problems: &mut Problems,
) -> Resources {
    let mut definitions = Vec::with_capacity(handlers.len());
    let mut by_uri = HashMap::with_capacity(handlers.len());
    for ResourceHandler { definition, body, cache } in handlers {
        let culprit = format!("resource `{}`", definition.uri);
        problems.check(&culprit, &body, states, !by_uri.contains_key(&definition.uri));
        if body.may_ask() {
            problems.add(
                &culprit,
                "a resource with a fixed URI cannot ask; make it a template, a tool or a prompt",
            );
        }
        if body.plan.input.is_some() {
            problems.add(&culprit, "a resource with a fixed URI has no arguments; make it a template");
        }
        let entry = ResourceEntry { mime_type: definition.mime_type.clone(), cache, body };
        by_uri.insert(definition.uri.clone(), entry);
        definitions.push(definition);
    }
    let pages = Pages::render(&definitions, list.page_size, list.identity, |resources, next_cursor| {
        let mut page = ListResourcesResult::new(resources);
        (page.ttl_ms, page.cache_scope) = list.cache();
        page.next_cursor = next_cursor;
        page
    });

    let mut definitions = Vec::with_capacity(template_handlers.len());
    let mut templates = Vec::with_capacity(template_handlers.len());
    let mut names = HashSet::new();
    for TemplateHandler { definition, template, body, cache } in template_handlers {
        let culprit = format!("template `{}`", definition.uri_template);
        problems.check(&culprit, &body, states, names.insert(definition.uri_template.clone()));
        problems.check_fields(&culprit, &body);
        match template {
            Err(error) => problems.add(&culprit, error),
            Ok(template) => {
                let variables: HashSet<&str> = template.variables().collect();
                let fields = body.plan.input.as_ref().and_then(|schema| schema["properties"].as_object());
                for field in fields.into_iter().flat_map(|fields| fields.keys()) {
                    if !variables.contains(&**field) {
                        problems.add(
                            &culprit,
                            format_args!("its `Args` take `{field}`, which is no variable of it"),
                        );
                    }
                }
                templates
                    .push((template, ResourceEntry { mime_type: definition.mime_type.clone(), cache, body }));
            }
        }
        definitions.push(definition);
    }
    let template_pages =
        Pages::render(&definitions, list.page_size, list.identity, |templates, next_cursor| {
            let mut page = ListResourceTemplatesResult::new(templates);
            (page.ttl_ms, page.cache_scope) = list.cache();
            page.next_cursor = next_cursor;
            page
        });
    Resources { pages, template_pages, by_uri, templates }
}
