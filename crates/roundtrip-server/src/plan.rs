//! The plan of a handler: its input and its resolvers in dependency order, found at registration.

use std::{
    any::{TypeId, type_name},
    collections::HashMap,
    fmt,
    sync::Arc,
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{
    call::{AnyValue, Arguments, Call, StateMap},
    error::ToolError,
    exchange::BoxFuture,
    field_order::field_order,
    param::{Declined, Param, declined},
    question::Question,
    resolve::{Memory, Resolution, Resolve},
};

/// What a handler's signature comes to. Filled in by [`Param::declare`], then fixed.
#[derive(Default)]
pub struct Plan {
    /// The schema of the arguments; `None` where the handler takes none.
    pub(crate) input: Option<Value>,
    /// The names of the arguments in the order of their declaration, where the type tells it.
    pub(crate) input_order: &'static [&'static str],
    /// The doc comment of the arguments' type.
    pub(crate) description: Option<String>,
    /// Whether the arguments are a valid input; asked before any resolver runs.
    pub(crate) accepts: Option<fn(&Arguments<'_>) -> Result<(), ToolError>>,
    /// Resolvers, each after all it needs.
    pub(crate) nodes: Vec<Node>,
    /// What is wrong with the signature, for `build()`.
    pub(crate) problems: Vec<String>,
    states: HashMap<TypeId, &'static str>,
    reads: Vec<(&'static str, Value)>,
    visits: HashMap<TypeId, Visit>,
    /// The resolvers being declared, innermost last, with what each needs so far.
    open: Vec<(&'static str, Vec<usize>)>,
}

/// One resolver of a plan, its type forgotten.
pub(crate) struct Node {
    pub(crate) id: TypeId,
    pub(crate) key: String,
    /// The nodes it needs, by their place in the plan.
    pub(crate) needs: Vec<usize>,
    /// Set when the handler, or another resolver, cannot go on without the value.
    pub(crate) required: bool,
    pub(crate) run: for<'a> fn(&'a Call<'a>) -> BoxFuture<'a, Result<Step, ToolError>>,
    pub(crate) declined: fn(Declined) -> ToolError,
    pub(crate) memory: Option<AnyMemory>,
}

/// What one run of a resolver came back with, its type forgotten.
#[expect(clippy::large_enum_variant, reason = "it is taken apart where it is made")]
pub(crate) enum Step {
    Value(AnyValue),
    Ask(Question<AnyValue>),
}

/// [`Memory`] with its type forgotten.
pub(crate) struct AnyMemory {
    pub(crate) write: Box<dyn Fn(&AnyValue) -> Option<roundtrip_types::RawJson> + Send + Sync>,
    pub(crate) read: Box<dyn Fn(&roundtrip_types::RawJson) -> Option<AnyValue> + Send + Sync>,
}

/// Whether a consumer can go on when a question is declined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    Required,
    Optional,
}

enum Visit {
    Open,
    Done(usize),
}

impl Plan {
    pub(crate) fn of<P: Param>() -> Self {
        let mut plan = Self::default();
        P::declare(&mut plan);
        plan
    }

    /// Someone takes `Args<T>`: the handler (its input), or a resolver (the part that it reads).
    pub(crate) fn arguments<T: DeserializeOwned + JsonSchema + Send + 'static>(&mut self) {
        let (schema, description) = input_schema::<T>();
        match self.open.last() {
            Some((resolver, _)) => self.reads.push((resolver, schema)),
            None if self.input.is_some() => {
                self.problems
                    .push("it has more than one `Args` parameter; put the fields into one struct".to_owned());
            }
            None => {
                self.input = Some(schema);
                self.input_order = field_order::<T>().unwrap_or_default();
                self.description = description;
                self.accepts = Some(|arguments| arguments.read::<T>().map(drop));
            }
        }
    }

    /// Someone takes `Resolved<T>`. Walks what `T` needs first, so that `nodes` comes out in dependency order.
    pub(crate) fn dependency<T: Resolve>(&mut self, demand: Demand) {
        let id = TypeId::of::<T>();
        let node = match self.visits.get(&id) {
            Some(Visit::Done(node)) => *node,
            Some(Visit::Open) => {
                let path: Vec<_> =
                    self.open.iter().map(|(name, _)| *name).chain([short_name::<T>()]).collect();
                return self.problems.push(format!("its resolvers go in a circle: {}", path.join(" -> ")));
            }
            None => self.visit::<T>(id),
        };
        // Every node is needed by the handler in the end, so who can't go on without this one ends the call.
        self.nodes[node].required |= demand == Demand::Required;
        if let Some((_, needs)) = self.open.last_mut() {
            needs.push(node);
        }
    }

    fn visit<T: Resolve>(&mut self, id: TypeId) -> usize {
        self.visits.insert(id, Visit::Open);
        self.open.push((short_name::<T>(), Vec::new()));
        T::Needs::declare(self);
        let (name, needs) = self.open.pop().expect("the one pushed above, since each visit pops its own");
        let key = T::key();
        if self.nodes.iter().any(|node| node.key == key) {
            self.problems.push(format!(
                "two of its resolvers have the key `{key}`, one of them `{name}`; give one another with `fn key()`"
            ));
        }
        if let Some(flaw) = T::form().as_ref().and_then(|form| form.flaw()) {
            self.problems.push(format!("resolver `{name}` asks what the protocol cannot carry: {flaw}"));
        }
        self.nodes.push(Node {
            id,
            key,
            needs,
            required: false,
            run: run::<T>,
            declined: declined::<T>,
            memory: T::remember().0.map(AnyMemory::of),
        });
        self.visits.insert(id, Visit::Done(self.nodes.len() - 1));
        self.nodes.len() - 1
    }

    /// Someone takes `State<T>`.
    pub(crate) fn state<T: 'static>(&mut self) {
        self.states.insert(TypeId::of::<T>(), type_name::<T>());
    }

    /// What is wrong, each as the rest of a sentence about the handler.
    pub(crate) fn check(&self, states: &StateMap) -> Vec<String> {
        let mut problems = self.problems.clone();
        let none = Map::new();
        let has = self.input.as_ref().and_then(|input| input["properties"].as_object()).unwrap_or(&none);
        for (resolver, read) in &self.reads {
            for (name, want) in read["properties"].as_object().unwrap_or(&none) {
                match has.get(name) {
                    None => problems.push(format!(
                        "its resolver `{resolver}` reads the argument `{name}`, which it does not take"
                    )),
                    Some(have) if shape(have) != shape(want) => problems.push(format!(
                        "its resolver `{resolver}` reads the argument `{name}` as {}, but it takes {}",
                        shape(want),
                        shape(have)
                    )),
                    Some(_) => {}
                }
            }
        }
        let mut missing: Vec<_> = self.states.iter().filter(|(id, _)| !states.contains_key(id)).collect();
        missing.sort_by_key(|(_, name)| **name);
        for (_, name) in missing {
            problems.push(format!("it takes `State<{name}>`, but the server holds none; add `.state(..)`"));
        }
        problems
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resolvers: Vec<_> = self.nodes.iter().map(|node| &node.key).collect();
        f.debug_struct("Plan").field("resolvers", &resolvers).finish_non_exhaustive()
    }
}

impl AnyMemory {
    fn of<T: Send + Sync + 'static>(Memory { write, read }: Memory<T>) -> Self {
        Self {
            write: Box::new(move |value| value.downcast_ref::<T>().and_then(|value| write(value).ok())),
            read: Box::new(move |raw| read(raw).ok().map(|value| Arc::new(value) as AnyValue)),
        }
    }
}

/// Runs one resolver: takes its parameters, calls it, and forgets its type.
fn run<'a, T: Resolve>(call: &'a Call<'a>) -> BoxFuture<'a, Result<Step, ToolError>> {
    Box::pin(async move {
        let needs = T::Needs::take(call)?;
        Ok(match T::resolve(needs).await? {
            Resolution::Ready(value) => Step::Value(Arc::new(value)),
            Resolution::Ask(question) => Step::Ask(question.map(|value| Arc::new(value) as AnyValue)),
        })
    })
}

/// `T`'s schema as an `inputSchema` or `outputSchema`, and its doc comment apart.
pub(crate) fn input_schema<T: JsonSchema>() -> (Value, Option<String>) {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    let description = schema.remove("description").and_then(|text| text.as_str().map(str::to_owned));
    (schema.into(), description)
}

/// A property's schema, without the words.
fn shape(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        object.retain(|key, _| !matches!(&**key, "description" | "title" | "default" | "examples"));
    }
    schema
}

/// `Confirmed` for `bistro::booking::Confirmed`, without what stands in angle brackets.
pub(crate) fn short_name<T>() -> &'static str {
    let name = type_name::<T>();
    let name = &name[..name.find('<').unwrap_or(name.len())];
    name.rfind("::").map_or(name, |at| &name[at + 2..])
}

/// `confirmed_by` for `ConfirmedBy`; `http_port` for `HTTPPort`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut chars = name.chars().peekable();
    let mut before = None;
    while let Some(char) = chars.next() {
        let starts_word = char.is_uppercase()
            && before.is_some_and(|before: char| {
                before != '_'
                    && (!before.is_uppercase() || chars.peek().is_some_and(|next| next.is_lowercase()))
            });
        if starts_word {
            snake.push('_');
        }
        snake.extend(char.to_lowercase());
        before = Some(char);
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_snake_case() {
        let cases = [
            ("Region", "region"),
            ("ConfirmedBy", "confirmed_by"),
            ("HTTPPort", "http_port"),
            ("already_snake", "already_snake"),
            ("A", "a"),
            ("ABC", "abc"),
            ("X2Go", "x2_go"),
        ];
        for (name, key) in cases {
            assert_eq!(snake_case(name), key, "{name}");
        }
    }

    #[test]
    fn names_are_short() {
        assert_eq!(short_name::<crate::Args<Vec<String>>>(), "Args");
        assert_eq!(short_name::<String>(), "String");
    }
}
