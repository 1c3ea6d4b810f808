use super::*;

mod arbitrary;
mod expansion;
mod parsing;
mod reading;

fn template(text: &str) -> UriTemplate {
    UriTemplate::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The matched values, as `name=text` or `name=[text|text]`; `-` for no match.
fn matched(template_text: &str, uri: &str) -> String {
    shown(&template(template_text), uri)
}

fn shown(template: &UriTemplate, uri: &str) -> String {
    let Some(values) = template.match_uri(uri) else { return "-".to_owned() };
    let show = |(name, value): &(String, TemplateValue)| match value {
        TemplateValue::Text(text) => format!("{name}={text}"),
        TemplateValue::List(texts) => format!("{name}=[{}]", texts.join("|")),
        TemplateValue::Pairs(_) => panic!("no URI is read as pairs"),
    };
    values.iter().map(show).collect::<Vec<_>>().join(" ")
}
