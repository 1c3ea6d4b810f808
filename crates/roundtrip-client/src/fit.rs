//! Which questions may be asked of this client, and which answers fit them.

use std::collections::BTreeMap;

use roundtrip_protocol::form;
use roundtrip_types::{
    ClientCapabilities, ElicitAction, ElicitRequestFormParams, ElicitRequestParams, ElicitResult,
    InputRequest, ListRootsResult, RawJson,
};

use crate::{
    Answer, Error,
    error::{AnswerFault, BoxError},
};

/// Refuses a round that holds a question which this client didn't declare or that can't be understood, before any of
/// its questions is answered.
pub(crate) fn askable(
    method: &str,
    declared: &ClientCapabilities,
    questions: &BTreeMap<String, InputRequest>,
    limit: usize,
) -> Result<(), Error> {
    if questions.len() > limit {
        let asked = questions.len();
        return Err(Error::response(
            method,
            format!("{asked} questions in one round, more than the {limit} allowed"),
        ));
    }
    for (key, question) in questions {
        if declared.missing(question).is_some() {
            return Err(Error::answer(key, AnswerFault::NotDeclared { kind: kind(question) }));
        }
        if let InputRequest::Elicit(ElicitRequestParams::Form(form)) = question {
            form.requested_schema.fields().map_err(|error| {
                Error::response_because(
                    method,
                    format!("the form of the question {key:?} can't be read"),
                    error,
                )
            })?;
        }
    }
    Ok(())
}

/// What a question asks for, in words.
pub(crate) fn kind(question: &InputRequest) -> &'static str {
    match question {
        InputRequest::Elicit(ElicitRequestParams::Form(_)) => "a form to be filled in",
        InputRequest::Elicit(_) => "a URL to be opened",
        InputRequest::CreateMessage(message) if message.tools.is_some() || message.tool_choice.is_some() => {
            "a sampled message with tools"
        }
        InputRequest::CreateMessage(_) => "a sampled message",
        InputRequest::ListRoots => "the roots",
        _ => "something unknown",
    }
}

/// Checks that an answer fits its question, and writes it as it goes over the wire.
pub(crate) fn check(key: &str, question: &InputRequest, answer: &Answer) -> Result<RawJson, Error> {
    let written = match (question, answer) {
        (InputRequest::Elicit(ElicitRequestParams::Form(form)), Answer::Elicitation(result)) => {
            form_fits(form, result).map_err(|fault| Error::answer(key, fault))?;
            RawJson::from_serialize(result)
        }
        (InputRequest::Elicit(_), Answer::Elicitation(result)) => {
            action_fits(result).map_err(|fault| Error::answer(key, fault))?;
            if result.content.is_some() {
                return Err(Error::answer(key, unfit("a URL is accepted without content")));
            }
            RawJson::from_serialize(result)
        }
        (InputRequest::CreateMessage(_), Answer::Sampling(result)) => RawJson::from_serialize(result),
        (InputRequest::ListRoots, Answer::Roots(result)) => {
            roots_fit(result).map_err(|fault| Error::answer(key, fault))?;
            RawJson::from_serialize(result)
        }
        (question, answer) => {
            let given = match answer {
                Answer::Elicitation(_) => "an elicitation result",
                Answer::Sampling(_) => "a sampled message",
                Answer::Roots(_) => "roots",
            };
            return Err(Error::answer(
                key,
                unfit(format!("it asks for {}, not for {given}", kind(question))),
            ));
        }
    };
    written.map_err(|error| Error::answer(key, unfit_because("it can't be written as JSON", error)))
}

fn form_fits(form: &ElicitRequestFormParams, result: &ElicitResult) -> Result<(), AnswerFault> {
    action_fits(result)?;
    match (&result.action, &result.content) {
        (ElicitAction::Accept, Some(content)) => form::validate(&form.requested_schema, content)
            .map_err(|error| unfit_because("the content doesn't fit the form", error)),
        (ElicitAction::Accept, None) => Err(unfit("a form is accepted with its content")),
        _ => Ok(()),
    }
}

fn action_fits(result: &ElicitResult) -> Result<(), AnswerFault> {
    match (&result.action, &result.content) {
        (ElicitAction::Accept, _) | (ElicitAction::Decline | ElicitAction::Cancel, None) => Ok(()),
        (ElicitAction::Decline | ElicitAction::Cancel, Some(_)) => Err(unfit("a refusal has no content")),
        _ => Err(unfit("its action is none of accept, decline and cancel")),
    }
}

fn roots_fit(result: &ListRootsResult) -> Result<(), AnswerFault> {
    match result.roots.iter().find(|root| !root.uri.starts_with("file://")) {
        Some(root) => Err(unfit(format!("the root {:?} is no file:// URI", root.uri))),
        None => Ok(()),
    }
}

fn unfit(fault: impl Into<String>) -> AnswerFault {
    AnswerFault::Unfit { fault: fault.into(), source: None }
}

fn unfit_because(fault: impl Into<String>, source: impl Into<BoxError>) -> AnswerFault {
    AnswerFault::Unfit { fault: fault.into(), source: Some(source.into()) }
}
