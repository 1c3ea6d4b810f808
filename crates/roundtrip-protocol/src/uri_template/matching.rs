//! From a URI to its values.
//!
//! Two sweeps and no backtracking. The first goes from the end of the URI to its start and notes, for each step of the
//! template, at which places the rest of the template matches the rest of the URI. The second goes forward and gives
//! each step the first end that keeps the rest possible.

use std::ops::Range;

use super::{
    Expression, MAX_URI_LENGTH, Modifier, Operator, Part, TemplateValue, ValuePolicy, Variable, percent,
};

pub(super) fn match_uri(
    parts: &[Part],
    policy: &ValuePolicy,
    uri: &str,
) -> Option<Vec<(String, TemplateValue)>> {
    if let Some(Part::Literal(literal)) = parts.first() {
        // Most URIs belong to another template, and show it here.
        let plain = uri.len().min(literal.normal.find('%').unwrap_or(literal.normal.len()));
        let differs = uri.as_bytes()[..plain] != literal.normal.as_bytes()[..plain];
        if differs && !uri.as_bytes()[..plain].iter().any(|byte| *byte == b'%' || !byte.is_ascii()) {
            return None;
        }
    }
    if uri.len() > MAX_URI_LENGTH {
        return None;
    }
    let uri = percent::normalize(uri)?;
    if uri.len() > MAX_URI_LENGTH {
        return None;
    }
    let steps = steps(parts);
    let possible = Possible::sweep(&steps, &uri);
    if !possible.at(0, 0) {
        return None;
    }
    let mut values = Values { policy, found: Vec::new() };
    let mut at = 0;
    for (number, step) in steps.iter().enumerate() {
        let (body, end) = step.take(&uri, at, |place| possible.at(number + 1, place))?;
        if let Some(body) = body {
            values.read(step, &uri[body])?;
        }
        at = end;
    }
    Some(values.found)
}

enum Step<'t> {
    Literal(&'t str),
    Expression(&'t Expression),
    /// The variables of the expressions of one query, with the character before it.
    Query(char, Vec<&'t Variable>),
}

fn steps(parts: &[Part]) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for part in parts {
        match part {
            Part::Literal(literal) => steps.push(Step::Literal(&literal.normal)),
            Part::Expression(expression) => match (expression.operator, steps.last_mut()) {
                (Operator::Continuation, Some(Step::Query(_, variables))) => {
                    variables.extend(&expression.variables);
                }
                (Operator::Query, _) => steps.push(Step::Query('?', expression.variables.iter().collect())),
                (Operator::Continuation, _) => {
                    steps.push(Step::Query('&', expression.variables.iter().collect()));
                }
                _ => steps.push(Step::Expression(expression)),
            },
        }
    }
    steps
}

impl Step<'_> {
    /// What stands before the values, if they are there at all.
    fn first(&self) -> Option<u8> {
        match self {
            Self::Literal(_) => None,
            Self::Expression(expression) => {
                expression.operator.first().and_then(|first| u8::try_from(first).ok())
            }
            Self::Query(first, _) => u8::try_from(*first).ok(),
        }
    }

    /// Whether a character of a URI in normal form may stand in the values.
    fn allows(&self, byte: u8) -> bool {
        let Self::Expression(expression) = self else { return byte != b'#' };
        let several = expression.variables.len() > 1
            || expression.variables.iter().any(|variable| variable.modifier == Modifier::Explode);
        match (byte, expression.operator) {
            (_, Operator::Reserved | Operator::Fragment) => true,
            (b'/', Operator::Path) | (b',', Operator::Simple) | (b';', Operator::Parameter) => several,
            (b'/' | b'?' | b'#' | b'&' | b',', _) => false,
            _ => true,
        }
    }

    /// Takes as little as leaves the rest possible: the range of the values, if they are there, and where they end.
    fn take(
        &self,
        uri: &str,
        at: usize,
        rest_possible: impl Fn(usize) -> bool,
    ) -> Option<(Option<Range<usize>>, usize)> {
        if let Self::Literal(literal) = self {
            let end = at + literal.len();
            return (uri[at..].starts_with(literal) && rest_possible(end)).then_some((None, end));
        }
        let bytes = uri.as_bytes();
        let (start, mut end) = match self.first() {
            Some(first) if bytes.get(at) == Some(&first) => (at + 1, at + 1),
            Some(_) => return rest_possible(at).then_some((None, at)),
            None => (at, at),
        };
        let present = loop {
            if rest_possible(end) && (end > at) {
                break true;
            }
            match bytes.get(end) {
                Some(byte) if self.allows(*byte) => end += token_length(*byte),
                _ => break false,
            }
        };
        if present {
            Some((Some(start..end), end))
        } else {
            (self.first().is_some() && rest_possible(at)).then_some((None, at))
        }
    }
}

/// A `%XX` is one character: no value ends within it.
const fn token_length(byte: u8) -> usize {
    if byte == b'%' { 3 } else { 1 }
}

/// Where the rest of the template matches the rest of the URI, for each step and the end.
struct Possible {
    row: usize,
    bits: Vec<u64>,
}

impl Possible {
    fn sweep(steps: &[Step<'_>], uri: &str) -> Self {
        let row = uri.len() / 64 + 1;
        let mut possible = Self { row, bits: vec![0; row * (steps.len() + 1)] };
        possible.set(steps.len(), uri.len());
        for (number, step) in steps.iter().enumerate().rev() {
            match step {
                Step::Literal(literal) => possible.literal(number, literal, uri),
                _ => possible.values(number, step, uri),
            }
        }
        possible
    }

    fn at(&self, step: usize, place: usize) -> bool {
        self.bits[step * self.row + place / 64] >> (place % 64) & 1 == 1
    }

    fn set(&mut self, step: usize, place: usize) {
        self.bits[step * self.row + place / 64] |= 1 << (place % 64);
    }

    fn literal(&mut self, number: usize, literal: &str, uri: &str) {
        let Some(last) = uri.len().checked_sub(literal.len()) else { return };
        for place in 0..=last {
            if self.at(number + 1, place + literal.len())
                && uri.as_bytes()[place..].starts_with(literal.as_bytes())
            {
                self.set(number, place);
            }
        }
    }

    fn values(&mut self, number: usize, step: &Step<'_>, uri: &str) {
        let bytes = uri.as_bytes();
        let first = step.first();
        // Whether values that begin at a place, and may be empty, leave the rest possible; for the last four places.
        let mut reach = [false; 4];
        for place in (0..=bytes.len()).rev() {
            reach.rotate_right(1);
            let rest = self.at(number + 1, place);
            let longer =
                bytes.get(place).is_some_and(|byte| step.allows(*byte) && reach[token_length(*byte)]);
            reach[0] = rest || longer;
            let possible = match first {
                Some(first) => rest || bytes.get(place) == Some(&first) && reach[1],
                None => longer,
            };
            if possible {
                self.set(number, place);
            }
        }
    }
}

struct Values<'p> {
    policy: &'p ValuePolicy,
    found: Vec<(String, TemplateValue)>,
}

impl Values<'_> {
    /// Reads the values of a step. `None` makes the whole URI no match.
    fn read(&mut self, step: &Step<'_>, body: &str) -> Option<()> {
        match step {
            Step::Literal(_) => Some(()),
            Step::Query(_, variables) => self.named(variables, body, '&', true),
            Step::Expression(expression) if expression.operator.is_named() => {
                let variables: Vec<_> = expression.variables.iter().collect();
                self.named(&variables, body, expression.operator.separator(), false)
            }
            Step::Expression(expression) => self.in_order(expression, body),
        }
    }

    /// Values after their names, in any order.
    fn named(
        &mut self,
        variables: &[&Variable],
        body: &str,
        separator: char,
        ignore_others: bool,
    ) -> Option<()> {
        let names: Vec<_> = variables.iter().map(|variable| percent::normalize(&variable.name)).collect();
        let mut pieces: Vec<Vec<&str>> = vec![Vec::new(); variables.len()];
        for pair in body.split(separator) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match names.iter().position(|known| known.as_deref() == Some(name)) {
                Some(known) => pieces[known].push(value),
                None if ignore_others => {}
                None => return None,
            }
        }
        variables.iter().zip(pieces).try_for_each(|(variable, pieces)| match pieces.as_slice() {
            [] => Some(()),
            [value] if variable.modifier != Modifier::Explode => self.text(variable, value),
            _ if variable.modifier == Modifier::Explode => self.list(variable, &pieces),
            // One reader takes the first of two values, another the last.
            _ => None,
        })
    }

    /// Values in the order of their variables, with separators between them.
    fn in_order(&mut self, expression: &Expression, body: &str) -> Option<()> {
        let variables = &expression.variables;
        let separator = expression.operator.separator();
        if let ([variable], true) = (variables.as_slice(), variables[0].modifier != Modifier::Explode) {
            return self.text(variable, body);
        }
        let pieces: Vec<&str> = body.split(separator).collect();
        // What is more than a piece for each goes to the variable that takes several.
        let mut extra = pieces.len().saturating_sub(variables.len());
        let mut rest = pieces.as_slice();
        for variable in variables {
            if rest.is_empty() {
                break;
            }
            let several = variable.modifier == Modifier::Explode;
            let (taken, left) = rest.split_at(if several { 1 + std::mem::take(&mut extra) } else { 1 });
            rest = left;
            if several { self.list(variable, taken)? } else { self.text(variable, taken[0])? }
        }
        rest.is_empty().then_some(())
    }

    fn text(&mut self, variable: &Variable, normal: &str) -> Option<()> {
        let text = self.decode(variable, normal)?;
        if matches!(variable.modifier, Modifier::Prefix(length) if text.chars().count() > length) {
            return None;
        }
        self.add(variable, TemplateValue::Text(text))
    }

    fn list(&mut self, variable: &Variable, pieces: &[&str]) -> Option<()> {
        let texts = pieces.iter().map(|piece| self.decode(variable, piece)).collect::<Option<_>>()?;
        self.add(variable, TemplateValue::List(texts))
    }

    fn decode(&self, variable: &Variable, normal: &str) -> Option<String> {
        percent::decode(normal).filter(|text| self.policy.permits(&variable.name, text))
    }

    /// A variable that stands twice in a template has one value.
    fn add(&mut self, variable: &Variable, value: TemplateValue) -> Option<()> {
        match self.found.iter().find(|(name, _)| *name == variable.name) {
            Some((_, earlier)) => (*earlier == value).then_some(()),
            None => {
                self.found.push((variable.name.clone(), value));
                Some(())
            }
        }
    }
}
