//! The fields of a form, read from the restricted JSON Schema that elicitation allows.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::RawJson;
use crate::lenient::Members;

/// The schema of a form: the `requestedSchema` of an `ElicitRequestFormParams`, kept as it was
/// written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ElicitationSchema(RawJson);

impl ElicitationSchema {
    /// The JSON of the schema.
    pub fn raw(&self) -> &RawJson {
        &self.0
    }

    /// The fields, in the order of the schema.
    ///
    /// # Errors
    /// When the schema is not the flat kind that a form can show; the error names the field.
    pub fn fields(&self) -> Result<Vec<FormField>, FormError> {
        #[derive(Deserialize)]
        struct Root {
            r#type: Option<RawJson>,
            properties: Option<Members>,
            required: Option<Vec<String>>,
        }
        let root: Root = self.0.parse().map_err(|_| FormError::form("the schema is malformed"))?;
        if root.r#type.is_none_or(|kind| kind.get() != "\"object\"") {
            return Err(FormError::form("the type of the schema is not object"));
        }
        let required: HashSet<String> = root.required.unwrap_or_default().into_iter().collect();
        let mut seen = HashSet::new();
        let mut fields = Vec::new();
        for (name, schema) in root.properties.unwrap_or_default().0 {
            if !seen.insert(name.clone()) {
                return Err(FormError::field(name, "it stands twice"));
            }
            let required = required.contains(&name);
            fields.push(FormField::read(name, &schema, required)?);
        }
        Ok(fields)
    }
}

impl From<RawJson> for ElicitationSchema {
    fn from(raw: RawJson) -> Self {
        Self(raw)
    }
}

impl From<serde_json::Value> for ElicitationSchema {
    fn from(value: serde_json::Value) -> Self {
        Self(value.into())
    }
}

/// One field of a form: `PrimitiveSchemaDefinition`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FormField {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it is, for people.
    pub description: Option<String>,
    /// Whether it must be filled in.
    pub required: bool,
    /// What can be filled in.
    pub kind: FormFieldKind,
}

/// What can be filled into a field.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FormFieldKind {
    /// Text: `StringSchema`.
    String {
        /// How many characters at least.
        min_length: Option<u64>,
        /// How many characters at most.
        max_length: Option<u64>,
        /// Which form: `email`, `uri`, `date`, `date-time` or another word.
        format: Option<String>,
        /// What is filled in at first.
        default: Option<String>,
    },
    /// A number: `NumberSchema`.
    Number {
        /// The least.
        minimum: Option<Number>,
        /// The greatest.
        maximum: Option<Number>,
        /// What is filled in at first.
        default: Option<Number>,
    },
    /// A number without a fraction: `NumberSchema`.
    Integer {
        /// The least.
        minimum: Option<Number>,
        /// The greatest.
        maximum: Option<Number>,
        /// What is filled in at first.
        default: Option<Number>,
    },
    /// Yes or no: `BooleanSchema`.
    Boolean {
        /// What is filled in at first.
        default: Option<bool>,
    },
    /// One of several: `SingleSelectEnumSchema`.
    SingleSelect {
        /// What can be picked.
        options: Vec<FormOption>,
        /// What is picked at first.
        default: Option<String>,
    },
    /// Some of several: `MultiSelectEnumSchema`.
    MultiSelect {
        /// What can be picked.
        options: Vec<FormOption>,
        /// How many at least.
        min_items: Option<u64>,
        /// How many at most.
        max_items: Option<u64>,
        /// What is picked at first.
        default: Option<Vec<String>>,
    },
}

/// One thing that can be picked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormOption {
    /// What is sent.
    pub value: String,
    /// What is shown; the value itself when the schema has no title for it.
    pub title: String,
}

impl FormOption {
    /// A value and its title.
    pub fn new(value: impl Into<String>, title: impl Into<String>) -> Self {
        Self { value: value.into(), title: title.into() }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    r#type: Option<String>,
    title: Option<String>,
    description: Option<String>,
    default: Option<RawJson>,
    min_length: Option<u64>,
    max_length: Option<u64>,
    format: Option<String>,
    minimum: Option<Number>,
    maximum: Option<Number>,
    r#enum: Option<Vec<String>>,
    enum_names: Option<Vec<String>>,
    one_of: Option<Vec<Titled>>,
    items: Option<Items>,
    min_items: Option<u64>,
    max_items: Option<u64>,
    properties: Option<RawJson>,
    pattern: Option<RawJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Items {
    r#enum: Option<Vec<String>>,
    any_of: Option<Vec<Titled>>,
}

#[derive(Deserialize)]
struct Titled {
    r#const: String,
    title: Option<String>,
}

impl FormField {
    fn read(name: String, schema: &RawJson, required: bool) -> Result<Self, FormError> {
        let schema: Schema = match schema.parse() {
            Ok(schema) => schema,
            Err(_) => return Err(FormError::field(name, "its schema is malformed")),
        };
        let (title, description) = (schema.title.clone(), schema.description.clone());
        match schema.kind() {
            Ok(kind) => Ok(Self { name, title, description, required, kind }),
            Err(problem) => Err(FormError::field(name, problem)),
        }
    }
}

impl Schema {
    fn kind(self) -> Result<FormFieldKind, &'static str> {
        if self.properties.is_some() {
            return Err("it holds fields of its own");
        }
        if self.pattern.is_some() {
            return Err("it has a pattern, which forms do not allow");
        }
        match self.r#type.as_deref() {
            Some("string") => self.string(),
            Some("number") => Ok(FormFieldKind::Number {
                minimum: self.minimum,
                maximum: self.maximum,
                default: default(self.default)?,
            }),
            Some("integer") => Ok(FormFieldKind::Integer {
                minimum: self.minimum,
                maximum: self.maximum,
                default: default(self.default)?,
            }),
            Some("boolean") => Ok(FormFieldKind::Boolean { default: default(self.default)? }),
            Some("array") => self.array(),
            Some(_) => Err("its type is none that a form can show"),
            // The options tell the type just as well, and some generators leave it to them.
            None if self.one_of.is_some() || self.r#enum.is_some() => self.string(),
            None => Err("it has no type"),
        }
    }

    fn string(self) -> Result<FormFieldKind, &'static str> {
        let default = default(self.default)?;
        let options = match (self.one_of, self.r#enum) {
            (Some(titled), _) => titled_options(titled),
            (None, Some(values)) => plain_options(values, self.enum_names),
            (None, None) => {
                return Ok(FormFieldKind::String {
                    min_length: self.min_length,
                    max_length: self.max_length,
                    format: self.format,
                    default,
                });
            }
        };
        Ok(FormFieldKind::SingleSelect { options, default })
    }

    fn array(self) -> Result<FormFieldKind, &'static str> {
        let items = self.items.ok_or("it is an array of anything")?;
        let options = match (items.any_of, items.r#enum) {
            (Some(titled), _) => titled_options(titled),
            (None, Some(values)) => plain_options(values, None),
            (None, None) => return Err("it is an array of other things than choices"),
        };
        let default = default(self.default)?;
        Ok(FormFieldKind::MultiSelect {
            options,
            min_items: self.min_items,
            max_items: self.max_items,
            default,
        })
    }
}

fn default<T: serde::de::DeserializeOwned>(raw: Option<RawJson>) -> Result<Option<T>, &'static str> {
    raw.map(|raw| raw.parse()).transpose().map_err(|_| "its default is of another type")
}

fn titled_options(options: Vec<Titled>) -> Vec<FormOption> {
    options
        .into_iter()
        .map(|option| FormOption {
            title: option.title.unwrap_or_else(|| option.r#const.clone()),
            value: option.r#const,
        })
        .collect()
}

/// `names` are the titles of the legacy `enumNames`, in the order of the values.
fn plain_options(values: Vec<String>, names: Option<Vec<String>>) -> Vec<FormOption> {
    let mut names = names.unwrap_or_default().into_iter();
    values
        .into_iter()
        .map(|value| FormOption { title: names.next().unwrap_or_else(|| value.clone()), value })
        .collect()
}

/// What is wrong with a form or with what was filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormError {
    field: Option<String>,
    problem: String,
}

impl FormError {
    /// Something is wrong with the form as a whole.
    pub fn form(problem: impl Into<String>) -> Self {
        Self { field: None, problem: problem.into() }
    }

    /// Something is wrong with `field`.
    pub fn field(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: Some(field.into()), problem: problem.into() }
    }

    /// The field at fault, where it is a single one.
    pub fn field_name(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// What is wrong, without the name of the field.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "field {field:?}: {}", self.problem),
            None => write!(f, "form: {}", self.problem),
        }
    }
}

impl std::error::Error for FormError {}
