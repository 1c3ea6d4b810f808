use super::*;

#[test]
fn what_is_no_template_is_refused_where_it_goes_wrong() {
    let cases = [
        ("a{", 1, Fault::Unclosed),
        ("a{b", 1, Fault::Unclosed),
        ("{a{b}}", 0, Fault::Unclosed),
        ("a}", 1, Fault::Unopened),
        ("{a}}", 3, Fault::Unopened),
        ("{}", 1, Fault::Name),
        ("{?}", 2, Fault::Name),
        ("{a,}", 3, Fault::Name),
        ("{a,,b}", 3, Fault::Name),
        ("{a b}", 1, Fault::Name),
        ("{a-b}", 1, Fault::Name),
        ("{.a..b}", 2, Fault::Name),
        ("{é}", 1, Fault::Name),
        ("{a%zz}", 1, Fault::Name),
        ("{*}", 1, Fault::Name),
        ("{a**}", 1, Fault::Name),
        ("{=a}", 1, Fault::Operator),
        ("x{,a}", 2, Fault::Operator),
        ("{!a}", 1, Fault::Operator),
        ("{@a}", 1, Fault::Operator),
        ("{|a}", 1, Fault::Operator),
        ("{a:0}", 3, Fault::Length),
        ("{a:}", 3, Fault::Length),
        ("{a:x}", 3, Fault::Length),
        ("{a:+1}", 3, Fault::Length),
        ("{a:10000}", 3, Fault::Length),
        ("{a:99999999999999999999999}", 3, Fault::Length),
        ("a%", 1, Fault::Percent),
        ("a%2", 1, Fault::Percent),
        ("{a}%zz", 3, Fault::Percent),
    ];
    for (text, position, fault) in cases {
        let error = UriTemplate::parse(text).unwrap_err();
        assert_eq!(error, UriTemplateError { position, fault }, "{text}");
    }
}

#[test]
fn limits_end_where_they_say() {
    assert!(UriTemplate::parse(&"a".repeat(MAX_TEMPLATE_LENGTH)).is_ok());
    let error = UriTemplate::parse(&"a".repeat(MAX_TEMPLATE_LENGTH + 1)).unwrap_err();
    assert_eq!(error.to_string(), "the template is longer than 8192 bytes");
    assert!(UriTemplate::parse(&"{a}/".repeat(MAX_VARIABLES)).is_ok());
    let error = UriTemplate::parse(&"{a}/".repeat(MAX_VARIABLES + 1)).unwrap_err();
    assert_eq!(error.fault, Fault::TooManyVariables);
    let long = |length: usize| "x".repeat(length - 2);
    assert!(template("x:{a}").match_uri(&format!("x:{}", long(MAX_URI_LENGTH))).is_some());
    assert!(template("x:{a}").match_uri(&format!("x:{}", long(MAX_URI_LENGTH + 1))).is_none());
    assert!(template("x:{a}").match_uri(&format!("x:{}", " ".repeat(MAX_URI_LENGTH / 2))).is_none());
}

#[test]
fn the_variables_are_named_once_in_order() {
    let template = template("x://{b}{/a,b}{?c.d,e_1*}{&a:3}");
    assert_eq!(template.variables().collect::<Vec<_>>(), ["b", "a", "c.d", "e_1"]);
    assert_eq!(super::template("x://plain").variables().count(), 0);
}

#[test]
fn what_matching_cannot_tell_apart_is_named() {
    let fault = |text: &str| template(text).check_matchable().map_err(|error| (error.position, error.fault));
    for text in ["x://{a}/{b}", "{a}{/b}{?c}", "{a}{.b}", "{+a}{#b}", "plain", "{a,b}"] {
        assert_eq!(fault(text), Ok(()), "{text}");
    }
    assert_eq!(fault("x:{a}{b}"), Err((5, Fault::Adjacent)));
    assert_eq!(fault("{/a}{+b}"), Err((4, Fault::Adjacent)));
    assert_eq!(fault("x/{a:3}"), Err((2, Fault::Cut)));
}
