//! Fields of a form: text that a person typed, as the value that the field wants.

use roundtrip::{
    protocol::form::validate,
    types::{ElicitationSchema, FormField, FormFieldKind, RawJson},
};
use serde_json::{Value, json};

use crate::answers::hint;

/// What stands in a field.
#[derive(Debug, PartialEq)]
pub(crate) enum Filled {
    With(Value),
    Nothing,
}

/// What the form suggests for a field.
pub(crate) fn default(field: &FormField) -> Filled {
    let default = match &field.kind {
        FormFieldKind::String { default, .. } | FormFieldKind::SingleSelect { default, .. } => {
            default.clone().map(Value::from)
        }
        FormFieldKind::Number { default, .. } | FormFieldKind::Integer { default, .. } => {
            default.clone().map(Value::Number)
        }
        FormFieldKind::Boolean { default } => default.map(Value::from),
        FormFieldKind::MultiSelect { default, .. } => default.clone().map(Value::from),
        _ => None,
    };
    default.map_or(Filled::Nothing, Filled::With)
}

/// Reads what was typed. Nothing typed is the default, or nothing where the field may stay empty.
pub(crate) fn read(field: &FormField, text: &str) -> Result<Filled, String> {
    let text = text.trim();
    if text.is_empty() {
        return match default(field) {
            Filled::Nothing if field.required => {
                Err(format!("`{}` is required: {}", field.name, hint(field)))
            }
            default => Ok(default),
        };
    }
    let wrong = || format!("`{}` takes {}", field.name, hint(field));
    let value = match &field.kind {
        FormFieldKind::Boolean { .. } => match &*text.to_lowercase() {
            "yes" | "y" | "true" => true.into(),
            "no" | "n" | "false" => false.into(),
            _ => return Err(wrong()),
        },
        FormFieldKind::Number { minimum, maximum, .. } | FormFieldKind::Integer { minimum, maximum, .. } => {
            let number: serde_json::Number = text.parse().map_err(|_| wrong())?;
            let whole = matches!(field.kind, FormFieldKind::Integer { .. });
            let value = number.as_f64().ok_or_else(wrong)?;
            let below =
                minimum.as_ref().and_then(serde_json::Number::as_f64).is_some_and(|least| value < least);
            let above =
                maximum.as_ref().and_then(serde_json::Number::as_f64).is_some_and(|most| value > most);
            if below || above || (whole && value.fract() != 0.0) {
                return Err(wrong());
            }
            number.into()
        }
        FormFieldKind::SingleSelect { options, .. } => {
            pick(options.iter().map(|option| (&*option.value, &*option.title)), text)
                .ok_or_else(wrong)?
                .into()
        }
        FormFieldKind::MultiSelect { options, .. } => {
            let picked = text.split(',').map(|text| {
                pick(options.iter().map(|option| (&*option.value, &*option.title)), text.trim())
                    .ok_or_else(wrong)
            });
            picked.collect::<Result<Vec<_>, _>>()?.into()
        }
        _ => text.into(),
    };
    Ok(Filled::With(value))
}

fn pick<'a>(mut options: impl Iterator<Item = (&'a str, &'a str)>, text: &str) -> Option<&'a str> {
    options.find(|(value, title)| *value == text || *title == text).map(|(value, _)| value)
}

/// Checks one field's value by the rules of the whole form: lengths, formats, numbers of choices.
pub(crate) fn check(schema: &ElicitationSchema, field: &FormField, value: &Value) -> Result<(), String> {
    let mut schema: Value = schema.raw().parse().map_err(|_| "the form is malformed".to_owned())?;
    schema["required"] = json!([]);
    let content = RawJson::from(json!({ &*field.name: value }));
    validate(&schema.into(), &content).map_err(|error| error.problem().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(schema: Value) -> FormField {
        let schema = ElicitationSchema::from(json!({
            "type": "object", "properties": { "f": schema }, "required": ["f"]
        }));
        schema.fields().unwrap().remove(0)
    }

    fn with(value: impl Into<Value>) -> Result<Filled, String> {
        Ok(Filled::With(value.into()))
    }

    #[test]
    fn text_becomes_what_the_field_wants() {
        let yes_no = field(json!({ "type": "boolean", "default": true }));
        assert_eq!(read(&yes_no, "No"), with(false));
        assert_eq!(read(&yes_no, ""), with(true));
        assert_eq!(read(&yes_no, "perhaps"), Err("`f` takes yes or no".to_owned()));

        let count = field(json!({ "type": "integer", "minimum": 1, "maximum": 5 }));
        assert_eq!(read(&count, " 5 "), with(5));
        for wrong in ["0", "6", "2.5", "x"] {
            assert_eq!(
                read(&count, wrong),
                Err("`f` takes a whole number from 1 to 5".to_owned()),
                "{wrong}"
            );
        }

        let choice = field(json!({ "type": "string", "oneOf": [
            { "const": "a", "title": "First" }, { "const": "b", "title": "Second" }
        ] }));
        assert_eq!(read(&choice, "b"), with("b"));
        assert_eq!(read(&choice, "First"), with("a"));
        assert_eq!(read(&choice, "c"), Err("`f` takes one of a, b".to_owned()));

        let choices = field(json!({ "type": "array", "items": { "type": "string", "enum": ["a", "b"] } }));
        assert_eq!(read(&choices, "b, a"), with(json!(["b", "a"])));
    }

    #[test]
    fn what_is_required_cannot_stay_empty() {
        assert!(read(&field(json!({ "type": "string" })), " ").unwrap_err().contains("required"));
    }
}
