//! Answers from the command line: `--answer FIELD=VALUE`.

use std::collections::BTreeMap;

use roundtrip::types::FormField;
use serde_json::{Map, Value};

use crate::form;

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
                    None if field.required => {
                        return Err(format!("`{0}` has no answer; add --answer {0}=VALUE", field.name));
                    }
                    default => default,
                },
            };
            if let Some(value) = filled {
                content.insert(field.name.clone(), value);
            }
        }
        Ok(content)
    }
}
