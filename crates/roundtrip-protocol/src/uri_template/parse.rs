//! From the text of a template to its parts.

use super::{
    Expression, Fault, Literal, MAX_TEMPLATE_LENGTH, MAX_VARIABLES, Modifier, Operator, Part,
    UriTemplateError, Variable, percent,
};

pub(super) fn parse(template: &str) -> Result<Vec<Part>, UriTemplateError> {
    if template.len() > MAX_TEMPLATE_LENGTH {
        return Err(UriTemplateError { position: MAX_TEMPLATE_LENGTH, fault: Fault::TooLong });
    }
    let mut parts = Vec::new();
    let mut variables = 0;
    let mut at = 0;
    while at < template.len() {
        let rest = &template[at..];
        match rest.find(['{', '}']) {
            Some(0) if rest.starts_with('}') => {
                return Err(UriTemplateError { position: at, fault: Fault::Unopened });
            }
            Some(0) => {
                let end = rest[1..]
                    .find(['{', '}'])
                    .map(|end| end + 1)
                    .filter(|end| rest.as_bytes()[*end] == b'}')
                    .ok_or(UriTemplateError { position: at, fault: Fault::Unclosed })?;
                let expression = expression(&rest[1..end], at)?;
                variables += expression.variables.len();
                if variables > MAX_VARIABLES {
                    return Err(UriTemplateError { position: at, fault: Fault::TooManyVariables });
                }
                parts.push(Part::Expression(expression));
                at += end + 1;
            }
            end => {
                let text = &rest[..end.unwrap_or(rest.len())];
                parts.push(Part::Literal(literal(text, at)?));
                at += text.len();
            }
        }
    }
    Ok(parts)
}

fn literal(text: &str, position: usize) -> Result<Literal, UriTemplateError> {
    match percent::normalize(text) {
        Some(normal) => {
            let mut encoded = String::new();
            percent::encode_keeping_reserved(text, &mut encoded);
            Ok(Literal { encoded, normal: normal.into_owned() })
        }
        None => {
            let position = position + percent::broken_percent(text).unwrap_or(0);
            Err(UriTemplateError { position, fault: Fault::Percent })
        }
    }
}

fn expression(body: &str, position: usize) -> Result<Expression, UriTemplateError> {
    let operator = match body.chars().next() {
        Some('+') => Operator::Reserved,
        Some('#') => Operator::Fragment,
        Some('.') => Operator::Label,
        Some('/') => Operator::Path,
        Some(';') => Operator::Parameter,
        Some('?') => Operator::Query,
        Some('&') => Operator::Continuation,
        Some('=' | ',' | '!' | '@' | '|') => {
            return Err(UriTemplateError { position: position + 1, fault: Fault::Operator });
        }
        _ => Operator::Simple,
    };
    let list = if operator == Operator::Simple { body } else { &body[1..] };
    let mut at = position + 1 + (body.len() - list.len());
    let mut variables = Vec::new();
    for specification in list.split(',') {
        variables.push(variable(specification, at)?);
        at += specification.len() + 1;
    }
    Ok(Expression { position, operator, variables })
}

fn variable(specification: &str, position: usize) -> Result<Variable, UriTemplateError> {
    let (name, modifier) = if let Some(name) = specification.strip_suffix('*') {
        (name, Modifier::Explode)
    } else if let Some((name, length)) = specification.split_once(':') {
        let fault = UriTemplateError { position: position + name.len() + 1, fault: Fault::Length };
        let digits = length.bytes().all(|byte| byte.is_ascii_digit()) && !length.starts_with('0');
        let length = length.parse().ok().filter(|length| digits && *length < 10_000);
        (name, Modifier::Prefix(length.ok_or(fault)?))
    } else {
        (specification, Modifier::None)
    };
    if is_name(name) {
        Ok(Variable { name: name.to_owned(), modifier })
    } else {
        Err(UriTemplateError { position, fault: Fault::Name })
    }
}

/// Letters, digits, `_` and `%XX`, with dots between them.
fn is_name(name: &str) -> bool {
    percent::broken_percent(name).is_none()
        && name.split('.').all(|label| {
            !label.is_empty()
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%'))
        })
}
