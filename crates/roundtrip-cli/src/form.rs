//! Fields of a form: text that a person typed, as the value that the field wants.

use roundtrip::{
    protocol::form::validate_field,
    types::{FormField, FormFieldKind, FormOption, RawJson},
};
use serde_json::Value;

/// What the form suggests for a field.
pub(crate) fn default(field: &FormField) -> Option<Value> {
    match &field.kind {
        FormFieldKind::String { default, .. } | FormFieldKind::SingleSelect { default, .. } => {
            default.clone().map(Value::from)
        }
        FormFieldKind::Number { default, .. } | FormFieldKind::Integer { default, .. } => {
            default.clone().map(Value::Number)
        }
        FormFieldKind::Boolean { default } => default.map(Value::from),
        FormFieldKind::MultiSelect { default, .. } => default.clone().map(Value::from),
        _ => None,
    }
}

/// Reads what was typed, and checks it by the rules of the form. Nothing typed is the default, or nothing where the
/// field may stay empty.
pub(crate) fn read(field: &FormField, text: &str) -> Result<Option<Value>, String> {
    let text = text.trim();
    if text.is_empty() {
        return match default(field) {
            None if field.required => Err(format!("`{}` is required: {}", field.name, hint(field))),
            default => Ok(default),
        };
    }
    let value = parse(field, text).ok_or_else(|| format!("`{}` takes {}", field.name, hint(field)))?;
    validate_field(field, &RawJson::from(value.clone()))
        .map_err(|error| format!("`{}` takes {}: {}", field.name, hint(field), error.problem()))?;
    Ok(Some(value))
}

fn parse(field: &FormField, text: &str) -> Option<Value> {
    Some(match &field.kind {
        FormFieldKind::Boolean { .. } => match &*text.to_lowercase() {
            "yes" | "y" | "true" => true.into(),
            "no" | "n" | "false" => false.into(),
            _ => return None,
        },
        FormFieldKind::Number { .. } | FormFieldKind::Integer { .. } => Value::Number(text.parse().ok()?),
        FormFieldKind::SingleSelect { options, .. } => pick(options, text)?.into(),
        FormFieldKind::MultiSelect { options, .. } => {
            text.split(',').map(|text| pick(options, text.trim())).collect::<Option<Vec<_>>>()?.into()
        }
        _ => text.into(),
    })
}

fn pick<'a>(options: &'a [FormOption], text: &str) -> Option<&'a str> {
    options.iter().find(|option| option.value == text || option.title == text).map(|option| &*option.value)
}

/// What a person may type for a field, in a few words.
pub(crate) fn hint(field: &FormField) -> String {
    match &field.kind {
        FormFieldKind::Boolean { .. } => "yes or no".to_owned(),
        FormFieldKind::Integer { minimum, maximum, .. } => {
            range("a whole number", minimum.as_ref(), maximum.as_ref())
        }
        FormFieldKind::Number { minimum, maximum, .. } => {
            range("a number", minimum.as_ref(), maximum.as_ref())
        }
        FormFieldKind::String { format: Some(format), .. } => format!("text: {format}"),
        FormFieldKind::SingleSelect { options, .. } => {
            let values: Vec<_> = options.iter().map(|option| option.value.as_str()).collect();
            format!("one of {}", values.join(", "))
        }
        FormFieldKind::MultiSelect { options, .. } => {
            let values: Vec<_> = options.iter().map(|option| option.value.as_str()).collect();
            format!("some of {}, with commas between", values.join(", "))
        }
        _ => "text".to_owned(),
    }
}

fn range(what: &str, least: Option<&serde_json::Number>, most: Option<&serde_json::Number>) -> String {
    match (least, most) {
        (Some(least), Some(most)) => format!("{what} from {least} to {most}"),
        (Some(least), None) => format!("{what} from {least}"),
        (None, Some(most)) => format!("{what} up to {most}"),
        (None, None) => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use roundtrip::types::ElicitationSchema;
    use serde_json::json;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "JSON is made where it is passed")]
    fn field(schema: Value) -> FormField {
        let schema = ElicitationSchema::from(json!({
            "type": "object", "properties": { "f": schema }, "required": ["f"]
        }));
        schema.fields().unwrap().remove(0)
    }

    fn with(value: impl Into<Value>) -> Result<Option<Value>, String> {
        Ok(Some(value.into()))
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
            let problem = read(&count, wrong).unwrap_err();
            assert!(problem.starts_with("`f` takes a whole number from 1 to 5"), "{wrong}: {problem}");
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
