//! Whether an answer fits the form that was asked for, by the same rules on both sides.
//!
//! A client checks what the person filled in before it is sent, and a server checks what arrives: the `content` of an
//! `ElicitResult` whose action is `accept`. Members that the form doesn't name are ignored, as everywhere.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use roundtrip_types::{ElicitationSchema, FormError, FormField, FormFieldKind, FormOption, RawJson};
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::{Number, value::RawValue};

use crate::{canonical::Decimal, text};

mod format;

/// Checks the content of an accepted form. `null` is the content of a form that was accepted without any.
///
/// Lengths are counted in characters. A number is held against its bounds by its exact digits, and `3.0` is an integer.
/// The formats `email`, `uri`, `date` and `date-time` are checked, and any other is not.
///
/// # Errors
///
/// When the schema is no form, when the content is no object, or with the first field that doesn't fit.
///
/// ```
/// use roundtrip_protocol::form::validate;
/// use roundtrip_types::{ElicitationSchema, RawJson};
/// use serde_json::json;
///
/// let form = ElicitationSchema::from(json!({
///     "type": "object",
///     "properties": {"seats": {"type": "integer", "minimum": 1}},
///     "required": ["seats"],
/// }));
/// assert!(validate(&form, &RawJson::from(json!({"seats": 2}))).is_ok());
///
/// let error = validate(&form, &RawJson::from(json!({"seats": 2.5}))).unwrap_err();
/// assert_eq!(error.to_string(), "field \"seats\": it must be an integer");
/// ```
pub fn validate(schema: &ElicitationSchema, content: &RawJson) -> Result<(), FormError> {
    validate_fields(&schema.fields()?, content)
}

/// As [`validate`], for fields that were read from their schema before.
///
/// # Errors
///
/// As [`validate`].
pub fn validate_fields(fields: &[FormField], content: &RawJson) -> Result<(), FormError> {
    let answers = if content.is_null() { Answers::default() } else { read(content)? };
    for field in fields {
        if answers.twice.contains(field.name.as_str()) {
            return Err(FormError::field(&field.name, "it is there twice"));
        }
        match answers.values.get(field.name.as_str()) {
            Some(value) => check(field, value)?,
            None if field.required => return Err(FormError::field(&field.name, "it is required")),
            None => {}
        }
    }
    Ok(())
}

/// Checks what was filled into one field, for a form that is filled in field by field.
///
/// # Errors
///
/// When the value doesn't fit the field.
pub fn validate_field(field: &FormField, value: &RawJson) -> Result<(), FormError> {
    check(field, value.as_raw())
}

fn check(field: &FormField, value: &RawValue) -> Result<(), FormError> {
    problem(&field.kind, value).map_or(Ok(()), |problem| Err(FormError::field(&field.name, problem)))
}

/// What is wrong with a value, as a sentence about the field.
fn problem(kind: &FormFieldKind, value: &RawValue) -> Option<Cow<'static, str>> {
    match kind {
        FormFieldKind::String { min_length, max_length, format, .. } => {
            let Some(text) = text::string(value) else { return Some("it must be text".into()) };
            length_problem(text.chars().count(), *min_length, *max_length, "character")
                .or_else(|| format::problem(format.as_deref()?, &text).map(Cow::Borrowed))
        }
        FormFieldKind::Number { minimum, maximum, .. } => {
            number_problem(value, minimum.as_ref(), maximum.as_ref(), false)
        }
        FormFieldKind::Integer { minimum, maximum, .. } => {
            number_problem(value, minimum.as_ref(), maximum.as_ref(), true)
        }
        FormFieldKind::Boolean { .. } => {
            (!matches!(value.get(), "true" | "false")).then(|| "it must be true or false".into())
        }
        FormFieldKind::SingleSelect { options, .. } => {
            let picked = text::string(value);
            let offered = picked.is_some_and(|picked| options.iter().any(|option| option.value == picked));
            (!offered).then(|| "it must be one of the choices".into())
        }
        FormFieldKind::MultiSelect { options, min_items, max_items, .. } => {
            multi_select_problem(value, options, *min_items, *max_items)
        }
        // A kind of field that is newer than this function is for its own reader to check.
        _ => None,
    }
}

fn length_problem(
    length: usize,
    least: Option<u64>,
    most: Option<u64>,
    unit: &str,
) -> Option<Cow<'static, str>> {
    let length = u64::try_from(length).unwrap_or(u64::MAX);
    let (word, bound) = match (least, most) {
        (Some(least), _) if length < least => ("least", least),
        (_, Some(most)) if length > most => ("most", most),
        _ => return None,
    };
    let plural = if bound == 1 { "" } else { "s" };
    Some(format!("it must have at {word} {bound} {unit}{plural}").into())
}

fn number_problem(
    value: &RawValue,
    minimum: Option<&Number>,
    maximum: Option<&Number>,
    integer: bool,
) -> Option<Cow<'static, str>> {
    let number = match Decimal::parse(value.get()) {
        Some(number) if number.is_integer() || !integer => number,
        _ if integer => return Some("it must be an integer".into()),
        _ => return Some("it must be a number".into()),
    };
    let beyond = |bound: Option<&Number>, order| {
        let bound = bound?.to_string();
        (number.cmp(&Decimal::parse(&bound)?) == order).then_some(bound)
    };
    if let Some(minimum) = beyond(minimum, std::cmp::Ordering::Less) {
        return Some(format!("it must be at least {minimum}").into());
    }
    beyond(maximum, std::cmp::Ordering::Greater).map(|maximum| format!("it must be at most {maximum}").into())
}

fn multi_select_problem(
    value: &RawValue,
    options: &[FormOption],
    min_items: Option<u64>,
    max_items: Option<u64>,
) -> Option<Cow<'static, str>> {
    let Ok(picked) = serde_json::from_str::<Vec<text::Name<'_>>>(value.get()) else {
        return Some("it must be a list of choices".into());
    };
    let offered: BTreeSet<&str> = options.iter().map(|option| option.value.as_str()).collect();
    if !picked.iter().all(|text::Name(picked)| offered.contains(&**picked)) {
        return Some("it must hold only the choices".into());
    }
    length_problem(picked.len(), min_items, max_items, "choice")
}

#[derive(Default)]
struct Answers<'a> {
    values: BTreeMap<Cow<'a, str>, &'a RawValue>,
    /// Names that came more than once: which value was meant can't be known.
    twice: BTreeSet<Cow<'a, str>>,
}

fn read(content: &RawJson) -> Result<Answers<'_>, FormError> {
    serde_json::Deserializer::from_str(content.get())
        .deserialize_map(Content)
        .map_err(|_| FormError::form("the content must be an object with a member for each field"))
}

struct Content;

impl<'de> Visitor<'de> for Content {
    type Value = Answers<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut answers = Answers::default();
        while let Some((text::Name(name), value)) = map.next_entry()? {
            if answers.values.insert(name.clone(), value).is_some() {
                answers.twice.insert(name);
            }
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests;
