//! Answers from the command line: `--answer FIELD=VALUE`.

use std::collections::BTreeMap;

use roundtrip::types::{FormField, FormFieldKind};
use serde_json::{Map, Value};

use crate::form::{self, Filled};

/// The answers that the command line gives, by field.
#[derive(Debug, Default)]
pub(crate) struct Answers(BTreeMap<String, String>);

impl Answers {
    /// Takes `FIELD=VALUE`.
    pub(crate) fn add(&mut self, answer: &str) -> Result<(), String> {
        let (field, value) =
            answer.split_once('=').ok_or_else(|| format!("--answer takes FIELD=VALUE, not `{answer}`"))?;
        self.0.insert(field.to_owned(), value.to_owned());
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fills in a form: what is given, then the defaults. Says which field is missing, wrong, or not there.
    pub(crate) fn fill(&self, fields: &[FormField]) -> Result<Map<String, Value>, String> {
        if let Some(stray) = self.0.keys().find(|key| !fields.iter().any(|field| field.name == **key)) {
            let names: Vec<_> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
            return Err(format!("the form has no field `{stray}`, it has {}", names.join(", ")));
        }
        let mut content = Map::new();
        for field in fields {
            let filled = match self.0.get(&field.name) {
                Some(text) => form::read(field, text)?,
                None => match form::default(field) {
                    Filled::Nothing if field.required => {
                        return Err(format!("`{0}` has no answer; add --answer {0}=VALUE", field.name));
                    }
                    default => default,
                },
            };
            if let Filled::With(value) = filled {
                content.insert(field.name.clone(), value);
            }
        }
        Ok(content)
    }
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
