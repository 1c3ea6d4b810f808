//! A form at the terminal: one prompt a field.

use std::{error::Error, fmt, io::IsTerminal};

use inquire::{InquireError, MultiSelect, Select, Text, validator::Validation};
use roundtrip::types::{ElicitRequestFormParams, ElicitResult, FormField, FormFieldKind, FormOption};
use serde_json::{Map, Value};

use crate::{form, say};

/// The word that says no to the whole form.
const DECLINE: &str = "decline";

/// Whether there is somebody to ask.
pub(crate) fn is_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Asks a person to fill in the form. Esc cancels it; the word `decline` declines it.
pub(crate) fn ask(question: &ElicitRequestFormParams) -> Result<ElicitResult, Box<dyn Error + Send + Sync>> {
    say(&question.message);
    say("(Esc cancels, `decline` declines)");
    let mut content = Map::new();
    for field in question.requested_schema.fields()? {
        match ask_field(&field) {
            Ok(Said::Filled(Some(value))) => drop(content.insert(field.name, value)),
            Ok(Said::Filled(None)) => {}
            Ok(Said::Decline) => return Ok(ElicitResult::decline()),
            Err(InquireError::OperationCanceled | InquireError::OperationInterrupted) => {
                return Ok(ElicitResult::cancel());
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(ElicitResult::accept(Value::Object(content)))
}

enum Said {
    Filled(Option<Value>),
    Decline,
}

fn ask_field(field: &FormField) -> Result<Said, InquireError> {
    let label =
        field.title.clone().or_else(|| field.description.clone()).unwrap_or_else(|| field.name.clone());
    match &field.kind {
        FormFieldKind::SingleSelect { options, default } => {
            select(field, &label, options, default.as_deref())
        }
        FormFieldKind::MultiSelect { options, default, .. } => {
            multi_select(field, &label, options, default.as_deref().unwrap_or_default())
        }
        _ => text(field, &label),
    }
}

fn text(field: &FormField, label: &str) -> Result<Said, InquireError> {
    let help = form::hint(field);
    let default = form::default(field).map(|value| match value {
        Value::String(text) => text,
        Value::Bool(yes) => if yes { "yes" } else { "no" }.to_owned(),
        value => value.to_string(),
    });
    let checked = field.clone();
    let mut prompt = Text::new(label).with_help_message(&help).with_validator(move |typed: &str| {
        let problem = if typed.trim() == DECLINE { None } else { form::read(&checked, typed).err() };
        Ok(problem.map_or(Validation::Valid, |problem| Validation::Invalid(problem.into())))
    });
    prompt.default = default.as_deref();
    let typed = prompt.prompt()?;
    if typed.trim() == DECLINE {
        return Ok(Said::Decline);
    }
    form::read(field, &typed).map(Said::Filled).map_err(|problem| InquireError::Custom(problem.into()))
}

/// What a list offers: the field's own choices, then ways around it.
enum Choice<'a> {
    Option(&'a FormOption),
    Skip,
    Decline,
}

impl fmt::Display for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(option) if option.title == option.value => f.write_str(&option.value),
            Self::Option(option) => write!(f, "{} ({})", option.title, option.value),
            Self::Skip => f.write_str("leave empty"),
            Self::Decline => f.write_str(DECLINE),
        }
    }
}

fn select(
    field: &FormField,
    label: &str,
    options: &[FormOption],
    default: Option<&str>,
) -> Result<Said, InquireError> {
    let mut choices: Vec<_> = options.iter().map(Choice::Option).collect();
    if !field.required {
        choices.push(Choice::Skip);
    }
    choices.push(Choice::Decline);
    let start = options.iter().position(|option| Some(&*option.value) == default).unwrap_or(0);
    Ok(match Select::new(label, choices).with_starting_cursor(start).prompt()? {
        Choice::Option(option) => Said::Filled(Some(option.value.clone().into())),
        Choice::Skip => Said::Filled(None),
        Choice::Decline => Said::Decline,
    })
}

fn multi_select(
    field: &FormField,
    label: &str,
    options: &[FormOption],
    default: &[String],
) -> Result<Said, InquireError> {
    let mut choices: Vec<_> = options.iter().map(Choice::Option).collect();
    choices.push(Choice::Decline);
    let ticked: Vec<_> = (0..options.len()).filter(|&at| default.contains(&options[at].value)).collect();
    let mut problem = None;
    loop {
        let help = problem.unwrap_or_else(|| "space ticks, enter is done".to_owned());
        let choices = choices.iter().collect();
        let prompt = MultiSelect::new(label, choices).with_default(&ticked).with_help_message(&help);
        let picked = prompt.prompt()?;
        if picked.iter().any(|choice| matches!(choice, Choice::Decline)) {
            return Ok(Said::Decline);
        }
        let values: Vec<_> = picked
            .into_iter()
            .filter_map(|choice| match choice {
                Choice::Option(option) => Some(option.value.clone()),
                Choice::Skip | Choice::Decline => None,
            })
            .collect();
        if values.is_empty() && !field.required {
            return Ok(Said::Filled(None));
        }
        match form::read(field, &values.join(",")) {
            Ok(value) => return Ok(Said::Filled(value)),
            Err(why) => problem = Some(why),
        }
    }
}
