//! From values to a URI, as RFC 6570 section 3.2 has it.

use super::{Expression, Modifier, Operator, Part, TemplateValue, Variable, percent};

pub(super) fn expand<'v>(parts: &[Part], lookup: impl Fn(&str) -> Option<&'v TemplateValue>) -> String {
    let mut uri = String::new();
    for part in parts {
        match part {
            Part::Literal(literal) => uri.push_str(&literal.encoded),
            Part::Expression(expression) => expand_expression(expression, &lookup, &mut uri),
        }
    }
    uri
}

fn expand_expression<'v>(
    expression: &Expression,
    lookup: &impl Fn(&str) -> Option<&'v TemplateValue>,
    uri: &mut String,
) {
    let mut writer = Writer { operator: expression.operator, uri, begun: false };
    for variable in &expression.variables {
        match lookup(&variable.name) {
            Some(TemplateValue::Text(text)) => writer.text(variable, text),
            Some(TemplateValue::List(texts)) => writer.list(variable, texts),
            Some(TemplateValue::Pairs(pairs)) => writer.pairs(variable, pairs),
            None => {}
        }
    }
}

struct Writer<'u> {
    operator: Operator,
    uri: &'u mut String,
    begun: bool,
}

impl Writer<'_> {
    fn text(&mut self, variable: &Variable, text: &str) {
        let text = match variable.modifier {
            Modifier::Prefix(length) => text.char_indices().nth(length).map_or(text, |(end, _)| &text[..end]),
            Modifier::None | Modifier::Explode => text,
        };
        self.begin();
        self.name(&variable.name, text.is_empty());
        self.encode(text);
    }

    fn list(&mut self, variable: &Variable, texts: &[String]) {
        if variable.modifier == Modifier::Explode {
            texts.iter().for_each(|text| self.text(variable, text));
        } else if !texts.is_empty() {
            self.begin();
            self.name(&variable.name, texts.len() == 1 && texts[0].is_empty());
            self.join(texts.iter().map(String::as_str));
        }
    }

    fn pairs(&mut self, variable: &Variable, pairs: &[(String, String)]) {
        if variable.modifier == Modifier::Explode {
            for (name, text) in pairs {
                self.begin();
                self.encode(name);
                // A pair has its sign between name and text also where a variable has none.
                if !(text.is_empty() && self.operator == Operator::Parameter) {
                    self.uri.push('=');
                }
                self.encode(text);
            }
        } else if !pairs.is_empty() {
            self.begin();
            self.name(&variable.name, false);
            self.join(pairs.iter().flat_map(|(name, text)| [name.as_str(), text]));
        }
    }

    fn begin(&mut self) {
        if self.begun {
            self.uri.push(self.operator.separator());
        } else {
            self.uri.extend(self.operator.first());
        }
        self.begun = true;
    }

    fn name(&mut self, name: &str, empty: bool) {
        if self.operator.is_named() {
            self.uri.push_str(name);
            if !(empty && self.operator == Operator::Parameter) {
                self.uri.push('=');
            }
        }
    }

    fn join<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        for (number, text) in texts.enumerate() {
            if number > 0 {
                self.uri.push(',');
            }
            self.encode(text);
        }
    }

    fn encode(&mut self, text: &str) {
        if self.operator.keeps_reserved() {
            percent::encode_keeping_reserved(text, self.uri);
        } else {
            percent::encode(text, self.uri);
        }
    }
}
