//! Forms: a Rust struct as the flat schema that an elicitation may carry.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use roundtrip_protocol::{canonical, form::validate_fields};
use roundtrip_types::{ElicitationSchema, FormError, FormField, RawJson};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Serialize, Serializer, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::{field_order::field_order, plan::short_name};

/// The form of an elicitation: `requestedSchema`, made from a Rust struct.
///
/// The protocol allows a flat object of strings, numbers, booleans, enums of strings and lists of such enums.
/// `Option` makes a field optional; an enum's doc comments become its choices' titles.
#[derive(Clone, Debug)]
pub struct Form(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    schema: ElicitationSchema,
    /// The schema read once, so that answers are checked without reading it again.
    fields: Vec<FormField>,
    digest: [u8; 32],
    flaw: Option<String>,
}

/// One entry a type that is ever asked for, so it is bounded by the program.
static FORMS: LazyLock<RwLock<HashMap<TypeId, Form>>> = LazyLock::new(RwLock::default);

impl Form {
    /// The form of `T`. Made once a type, then shared.
    #[must_use]
    pub fn of<T: DeserializeOwned + JsonSchema + 'static>() -> Self {
        let id = TypeId::of::<T>();
        if let Some(form) = FORMS.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return form.clone();
        }
        let form = Self::make(short_name::<T>(), schema_of::<T>(), field_order::<T>().unwrap_or_default());
        FORMS.write().unwrap_or_else(PoisonError::into_inner).entry(id).or_insert(form).clone()
    }

    fn make(name: &str, mut schema: Value, order: &[&str]) -> Self {
        let required = schema.get("required").cloned().unwrap_or_else(|| json!([]));
        let mut properties = Vec::new();
        let mut flaws = Vec::new();
        match schema.get_mut("properties").map(Value::take) {
            Some(Value::Object(fields)) => {
                for (field, schema) in fields {
                    match flat(schema) {
                        Ok(flat) => properties.push((field, flat)),
                        Err(why) => flaws.push(format!("field `{field}` {why}")),
                    }
                }
            }
            _ if schema["type"] == "object" => {}
            _ => flaws.push("it is not a struct with named fields".to_owned()),
        }
        properties
            .sort_by_key(|(field, _)| order.iter().position(|name| name == field).unwrap_or(order.len()));
        let schema = Object { r#type: "object", properties: Ordered(properties), required };
        let schema = RawJson::from_serialize(&schema).expect("what came from JSON goes back into it");
        let form = Self::from(ElicitationSchema::from(schema));
        let flaw = match (form.flaw(), flaws.is_empty()) {
            (None, true) => return form,
            (Some(flaw), true) => format!("form `{name}`: {flaw}"),
            (_, false) => format!(
                "form `{name}`: {}; a form has only strings, numbers, booleans, enums and lists of enums",
                flaws.join(", ")
            ),
        };
        form.with_flaw(flaw)
    }

    fn with_flaw(self, flaw: String) -> Self {
        let Inner { schema, fields, digest, .. } = &*self.0;
        Self(Arc::new(Inner {
            schema: schema.clone(),
            fields: fields.clone(),
            digest: *digest,
            flaw: Some(flaw),
        }))
    }

    /// The schema as it goes over the wire.
    #[must_use]
    pub fn schema(&self) -> &ElicitationSchema {
        &self.0.schema
    }

    /// Checks accepted content, and says which field does not fit.
    pub(crate) fn validate(&self, content: &RawJson) -> Result<(), FormError> {
        validate_fields(&self.0.fields, content)
    }

    /// What tells this form from another, however the members of its schema are ordered.
    pub(crate) fn digest(&self) -> &[u8; 32] {
        &self.0.digest
    }

    /// Why the protocol can't carry this form, if it can't.
    pub(crate) fn flaw(&self) -> Option<&str> {
        self.0.flaw.as_deref()
    }
}

/// A form's schema, its fields in an order that a map would lose.
#[derive(Serialize)]
struct Object {
    r#type: &'static str,
    properties: Ordered,
    required: Value,
}

struct Ordered(Vec<(String, Map<String, Value>)>);

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(field, schema)| (field, schema)))
    }
}

/// A form given as a schema.
impl From<ElicitationSchema> for Form {
    fn from(schema: ElicitationSchema) -> Self {
        let text = schema.raw().get();
        let digest = match canonical::digest_input(text) {
            Ok(canonical) => Sha256::digest(canonical),
            Err(_) => Sha256::digest(text),
        };
        let (fields, flaw) = match schema.fields() {
            Ok(fields) => (fields, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        Self(Arc::new(Inner { schema, fields, digest: digest.into(), flaw }))
    }
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().into()
}

/// A field as the protocol spells it, or why it can't.
fn flat(schema: Value) -> Result<Map<String, Value>, String> {
    let Value::Object(mut field) = schema else { return Err("could be anything".to_owned()) };
    without_null(&mut field);
    if let Some(choices) = choices(&field) {
        let mut flat = words(&mut field);
        flat.insert("type".to_owned(), "string".into());
        choices.put(&mut flat, "oneOf");
        return Ok(flat);
    }
    let kind = match field.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        _ => return Err("could be of several types".to_owned()),
    };
    let keep: &[&str] = match &*kind {
        "string" => &["minLength", "maxLength", "format"],
        "integer" | "number" => &["minimum", "maximum"],
        "boolean" => &[],
        "array" => return list(field),
        other => return Err(format!("is of type {other}")),
    };
    let mut flat = words(&mut field);
    flat.insert("type".to_owned(), kind.into());
    flat.extend(field.into_iter().filter(|(key, _)| keep.contains(&key.as_str())));
    // Other formats (such as schemars' own `uint8`) are unknown to the protocol.
    if flat
        .get("format")
        .is_some_and(|f| !["email", "uri", "date", "date-time"].iter().any(|known| f == known))
    {
        flat.remove("format");
    }
    Ok(flat)
}

/// A list: of choices, or not at all.
fn list(mut field: Map<String, Value>) -> Result<Map<String, Value>, String> {
    let Some(Value::Object(items)) = field.remove("items") else {
        return Err("is a list of anything".to_owned());
    };
    let choices = choices(&items).ok_or("is a list of something else than an enum")?;
    let mut flat = words(&mut field);
    flat.insert("type".to_owned(), "array".into());
    flat.extend(field.into_iter().filter(|(key, _)| key == "minItems" || key == "maxItems"));
    let mut item = Map::new();
    if choices.titles.is_none() {
        item.insert("type".to_owned(), "string".into());
    }
    choices.put(&mut item, "anyOf");
    flat.insert("items".to_owned(), item.into());
    Ok(flat)
}

/// What a person reads, and what they start from.
fn words(field: &mut Map<String, Value>) -> Map<String, Value> {
    ["title", "description", "default"]
        .iter()
        .filter_map(|&key| Some((key.to_owned(), field.remove(key)?)))
        .filter(|(_, value)| !value.is_null())
        .collect()
}

/// `Option<T>` as `T`: that a field may be missing stands in `required`.
fn without_null(field: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = field.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_mut_slice() {
            let kind = kind.take();
            field.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(values)) = field.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    for union in ["anyOf", "oneOf"] {
        let Some(Value::Array(arms)) = field.get_mut(union) else { continue };
        arms.retain(|arm| arm["type"] != "null");
        if let [Value::Object(arm)] = arms.as_mut_slice() {
            let arm = std::mem::take(arm);
            field.remove(union);
            for (key, value) in arm {
                field.entry(key).or_insert(value);
            }
        }
    }
}

/// The values of an enum, and their titles where it has any.
struct Choices {
    values: Vec<String>,
    titles: Option<Vec<String>>,
}

impl Choices {
    fn put(self, schema: &mut Map<String, Value>, union: &str) {
        match self.titles {
            None => schema.insert("enum".to_owned(), self.values.into()),
            Some(titles) => {
                let arms =
                    self.values.into_iter().zip(titles).map(|(v, t)| json!({ "const": v, "title": t }));
                schema.insert(union.to_owned(), arms.collect())
            }
        };
    }
}

/// Reads the ways in which schemars writes an enum of unit variants: `enum`, `const`, and a union of both.
fn choices(field: &Map<String, Value>) -> Option<Choices> {
    let plain = |field: &Map<String, Value>| match (field.get("enum"), field.get("const")) {
        (Some(Value::Array(values)), None) => values.iter().map(|v| v.as_str().map(str::to_owned)).collect(),
        (None, Some(Value::String(value))) => Some(vec![value.clone()]),
        _ => None,
    };
    if let Some(values) = plain(field) {
        return Some(Choices { values, titles: None });
    }
    let arms = field.get("oneOf").or_else(|| field.get("anyOf"))?.as_array()?;
    let (mut values, mut titles) = (Vec::new(), Vec::new());
    for arm in arms {
        let arm = arm.as_object()?;
        let title = arm.get("title").or_else(|| arm.get("description")).and_then(Value::as_str);
        for value in plain(arm)? {
            titles.push(title.unwrap_or(&value).to_owned());
            values.push(value);
        }
    }
    Some(Choices { values, titles: Some(titles) })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde::Deserialize;

    use super::*;

    fn check<T: DeserializeOwned + JsonSchema + 'static>(want: &Expect) {
        let form = Form::of::<T>();
        let text = match form.flaw() {
            Some(flaw) => flaw.to_owned(),
            None => form.schema().raw().get().replace("},\"", "},\n\""),
        };
        want.assert_eq(&text);
    }

    #[derive(Deserialize, JsonSchema)]
    enum Size {
        /// Up to 10 GB
        Small,
        /// The rest
        Large,
    }

    #[derive(Deserialize, JsonSchema)]
    enum Color {
        Red,
        Green,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Everything {
        /// Where it lives.
        region: String,
        copies: Option<u8>,
        ratio: f64,
        #[schemars(length(min = 1, max = 8), email)]
        mail: String,
        sure: bool,
        size: Size,
        color: Option<Color>,
        colors: Vec<Color>,
    }

    #[test]
    fn every_kind_of_field() {
        check::<Everything>(&expect![[r#"
            {"type":"object","properties":{"region":{"description":"Where it lives.","type":"string"},
            "copies":{"maximum":255,"minimum":0,"type":"integer"},
            "ratio":{"type":"number"},
            "mail":{"format":"email","maxLength":8,"minLength":1,"type":"string"},
            "sure":{"type":"boolean"},
            "size":{"oneOf":[{"const":"Small","title":"Up to 10 GB"},{"const":"Large","title":"The rest"}],"type":"string"},
            "color":{"enum":["Red","Green"],"type":"string"},
            "colors":{"items":{"enum":["Red","Green"],"type":"string"},
            "type":"array"}},
            "required":["region","ratio","mail","sure","size","colors"]}"#]]);
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Nested {
        ok: bool,
        inside: Everything,
        tags: Vec<String>,
    }

    #[test]
    fn what_is_not_flat_is_named() {
        check::<Nested>(&expect![
            "form `Nested`: field `inside` is of type object, field `tags` is a list of something else than an enum; a form has only strings, numbers, booleans, enums and lists of enums"
        ]);
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Either {
        Number(u8),
        Text(String),
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Vague {
        any: Value,
        either: Either,
        list: Vec<Value>,
        map: HashMap<String, String>,
    }

    #[test]
    fn what_is_vague_is_named() {
        check::<Vague>(&expect![
            "form `Vague`: field `any` could be anything, field `either` could be of several types, field `list` is a list of anything, field `map` is of type object; a form has only strings, numbers, booleans, enums and lists of enums"
        ]);
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Optional {
        name: Option<String>,
        sure: Option<bool>,
        size: Option<Size>,
        sizes: Option<Vec<Size>>,
        #[serde(default = "three")]
        copies: u8,
    }

    fn three() -> u8 {
        3
    }

    #[test]
    fn what_is_optional_may_be_left_out() {
        check::<Optional>(&expect![[r#"
            {"type":"object","properties":{"name":{"type":"string"},
            "sure":{"type":"boolean"},
            "size":{"oneOf":[{"const":"Small","title":"Up to 10 GB"},{"const":"Large","title":"The rest"}],"type":"string"},
            "sizes":{"items":{"anyOf":[{"const":"Small","title":"Up to 10 GB"},{"const":"Large","title":"The rest"}]},
            "type":"array"},
            "copies":{"default":3,"maximum":255,"minimum":0,"type":"integer"}},
            "required":[]}"#]]);
    }

    #[test]
    fn a_bare_value_is_no_form() {
        check::<bool>(&expect![
            "form `bool`: it is not a struct with named fields; a form has only strings, numbers, booleans, enums and lists of enums"
        ]);
    }
}
