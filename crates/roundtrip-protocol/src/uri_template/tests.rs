use proptest::prelude::*;

use super::*;

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

mod expansion {
    use super::*;

    /// The values of the examples in RFC 6570.
    fn values() -> Vec<(&'static str, TemplateValue)> {
        let texts =
            |texts: &[&str]| TemplateValue::List(texts.iter().map(|text| (*text).to_owned()).collect());
        let pairs = |pairs: &[(&str, &str)]| {
            TemplateValue::Pairs(
                pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
            )
        };
        vec![
            ("count", texts(&["one", "two", "three"])),
            ("dom", texts(&["example", "com"])),
            ("dub", "me/too".into()),
            ("hello", "Hello World!".into()),
            ("half", "50%".into()),
            ("var", "value".into()),
            ("who", "fred".into()),
            ("base", "http://example.com/home/".into()),
            ("path", "/foo/bar".into()),
            ("list", texts(&["red", "green", "blue"])),
            ("keys", pairs(&[("semi", ";"), ("dot", "."), ("comma", ",")])),
            ("v", "6".into()),
            ("x", "1024".into()),
            ("y", "768".into()),
            ("empty", "".into()),
            ("empty_keys", pairs(&[])),
            ("empty_list", texts(&[])),
        ]
    }

    #[track_caller]
    fn check(cases: &[(&str, &str)]) {
        for (text, uri) in cases {
            assert_eq!(template(text).expand(&values()), *uri, "{text}");
        }
    }

    #[test]
    fn simple() {
        check(&[
            ("{var}", "value"),
            ("{hello}", "Hello%20World%21"),
            ("{half}", "50%25"),
            ("O{empty}X", "OX"),
            ("O{undef}X", "OX"),
            ("{x,y}", "1024,768"),
            ("{x,hello,y}", "1024,Hello%20World%21,768"),
            ("?{x,empty}", "?1024,"),
            ("?{x,undef}", "?1024"),
            ("?{undef,y}", "?768"),
            ("{var:3}", "val"),
            ("{var:30}", "value"),
            ("{list}", "red,green,blue"),
            ("{list*}", "red,green,blue"),
            ("{keys}", "semi,%3B,dot,.,comma,%2C"),
            ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ]);
    }

    #[test]
    fn reserved_and_fragment() {
        check(&[
            ("{+var}", "value"),
            ("{+hello}", "Hello%20World!"),
            ("{+half}", "50%25"),
            ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
            ("{+base}index", "http://example.com/home/index"),
            ("O{+empty}X", "OX"),
            ("O{+undef}X", "OX"),
            ("{+path}/here", "/foo/bar/here"),
            ("here?ref={+path}", "here?ref=/foo/bar"),
            ("up{+path}{var}/here", "up/foo/barvalue/here"),
            ("{+x,hello,y}", "1024,Hello%20World!,768"),
            ("{+path,x}/here", "/foo/bar,1024/here"),
            ("{+path:6}/here", "/foo/b/here"),
            ("{+list}", "red,green,blue"),
            ("{+list*}", "red,green,blue"),
            ("{+keys}", "semi,;,dot,.,comma,,"),
            ("{+keys*}", "semi=;,dot=.,comma=,"),
            ("{#var}", "#value"),
            ("{#hello}", "#Hello%20World!"),
            ("{#half}", "#50%25"),
            ("foo{#empty}", "foo#"),
            ("foo{#undef}", "foo"),
            ("{#x,hello,y}", "#1024,Hello%20World!,768"),
            ("{#path,x}/here", "#/foo/bar,1024/here"),
            ("{#path:6}/here", "#/foo/b/here"),
            ("{#list}", "#red,green,blue"),
            ("{#keys*}", "#semi=;,dot=.,comma=,"),
        ]);
    }

    #[test]
    fn label_and_path() {
        check(&[
            ("{.who}", ".fred"),
            ("{.who,who}", ".fred.fred"),
            ("{.half,who}", ".50%25.fred"),
            ("www{.dom*}", "www.example.com"),
            ("X{.var}", "X.value"),
            ("X{.empty}", "X."),
            ("X{.undef}", "X"),
            ("X{.var:3}", "X.val"),
            ("X{.list}", "X.red,green,blue"),
            ("X{.list*}", "X.red.green.blue"),
            ("X{.keys}", "X.semi,%3B,dot,.,comma,%2C"),
            ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
            ("X{.empty_keys}", "X"),
            ("X{.empty_keys*}", "X"),
            ("X{.empty_list*}", "X"),
            ("{/who}", "/fred"),
            ("{/who,who}", "/fred/fred"),
            ("{/half,who}", "/50%25/fred"),
            ("{/who,dub}", "/fred/me%2Ftoo"),
            ("{/var,empty}", "/value/"),
            ("{/var,undef}", "/value"),
            ("{/var,x}/here", "/value/1024/here"),
            ("{/var:1,var}", "/v/value"),
            ("{/list}", "/red,green,blue"),
            ("{/list*}", "/red/green/blue"),
            ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
            ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
            ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
        ]);
    }

    #[test]
    fn parameters_and_queries() {
        check(&[
            ("{;who}", ";who=fred"),
            ("{;half}", ";half=50%25"),
            ("{;empty}", ";empty"),
            ("{;v,empty,who}", ";v=6;empty;who=fred"),
            ("{;v,bar,who}", ";v=6;who=fred"),
            ("{;x,y}", ";x=1024;y=768"),
            ("{;x,y,empty}", ";x=1024;y=768;empty"),
            ("{;x,y,undef}", ";x=1024;y=768"),
            ("{;hello:5}", ";hello=Hello"),
            ("{;list}", ";list=red,green,blue"),
            ("{;list*}", ";list=red;list=green;list=blue"),
            ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
            ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
            ("{?who}", "?who=fred"),
            ("{?x,y}", "?x=1024&y=768"),
            ("{?x,y,empty}", "?x=1024&y=768&empty="),
            ("{?x,y,undef}", "?x=1024&y=768"),
            ("{?var:3}", "?var=val"),
            ("{?list}", "?list=red,green,blue"),
            ("{?list*}", "?list=red&list=green&list=blue"),
            ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
            ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
            ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
            ("{&x,y,empty}", "&x=1024&y=768&empty="),
            ("{&x,y,undef}", "&x=1024&y=768"),
            ("{&list*}", "&list=red&list=green&list=blue"),
            ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
        ]);
    }

    #[test]
    fn literals_are_written_as_a_uri_holds_them() {
        check(&[
            ("file:///my docs/café/%7e%c3/{var}", "file:///my%20docs/caf%C3%A9/%7e%c3/value"),
            ("a'b\"c<d>^`|\\", "a'b%22c%3Cd%3E%5E%60%7C%5C"),
        ]);
    }

    #[test]
    fn a_length_counts_characters() {
        let expand = |text: &str, value: &str| template(text).expand(&[("v", value.into())]);
        assert_eq!(expand("{v:2}", "éèê"), "%C3%A9%C3%A8");
        assert_eq!(expand("{v:9999}", "😀"), "%F0%9F%98%80");
    }
}

mod parsing {
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
        let fault =
            |text: &str| template(text).check_matchable().map_err(|error| (error.position, error.fault));
        for text in ["x://{a}/{b}", "{a}{/b}{?c}", "{a}{.b}", "{+a}{#b}", "plain", "{a,b}"] {
            assert_eq!(fault(text), Ok(()), "{text}");
        }
        assert_eq!(fault("x:{a}{b}"), Err((5, Fault::Adjacent)));
        assert_eq!(fault("{/a}{+b}"), Err((4, Fault::Adjacent)));
        assert_eq!(fault("x/{a:3}"), Err((2, Fault::Cut)));
    }
}

mod reading {
    use super::*;

    #[test]
    fn a_variable_ends_at_its_delimiters() {
        assert_eq!(matched("x://{a}/{b}", "x://1/2"), "a=1 b=2");
        for uri in [
            "x://1",
            "x://1/",
            "x:///2",
            "x://1/2/3",
            "x://1/2?q",
            "x://1/2#f",
            "x://1&/2",
            "x://1,1/2",
            "y://1/2",
            "x://1/2 ",
        ] {
            let expected = if uri.ends_with(' ') { "a=1 b=2 " } else { "-" };
            assert_eq!(matched("x://{a}/{b}", uri), expected, "{uri}");
        }
        assert_eq!(matched("x://{a}", "x://1:2@3;4=5!$'()*+"), "a=1:2@3;4=5!$'()*+");
    }

    #[test]
    fn literals_match_themselves_alone() {
        assert_eq!(matched("x://a.b/{c}", "x://a.b/1"), "c=1");
        assert_eq!(matched("x://a.b/{c}", "x://aXb/1"), "-");
        assert_eq!(matched("x://a?b*c/{d}", "x://a?b*c/1"), "d=1");
        assert_eq!(matched("x://a?b*c/{d}", "x://bbc/1"), "-");
        assert_eq!(matched("X://a", "x://a"), "-");
        assert_eq!(matched("x://a", "x://a"), "");
        assert_eq!(matched("", ""), "");
        assert_eq!(matched("", "a"), "-");
    }

    #[test]
    fn literals_match_raw_and_encoded() {
        for text in ["file:///docs/café/{name}", "file:///docs/caf%c3%a9/{name}"] {
            for uri in [
                "file:///docs/café/1",
                "file:///docs/caf%C3%A9/1",
                "file:///docs/caf%c3%a9/1",
                "%66ile:///docs/café/1",
            ] {
                assert_eq!(matched(text, uri), "name=1", "{text} {uri}");
            }
        }
        for uri in ["file:///my docs/a b", "file:///my%20docs/a%20b", "file:///my%20docs/a b"] {
            assert_eq!(matched("file:///my docs/{name}", uri), "name=a b");
        }
    }

    #[test]
    fn a_value_is_decoded_once() {
        for (uri, value) in [
            ("x:hello%20world", "name=hello world"),
            ("x:%C3%A9", "name=é"),
            ("x:é", "name=é"),
            ("x:a+b", "name=a+b"),
            ("x:%2520", "name=%20"),
            ("x:a%2Fb", "name=a/b"),
            ("x:%25", "name=%"),
            ("x:%zz", "-"),
            ("x:%", "-"),
            ("x:a%2", "-"),
            ("x:%C3", "-"),
            ("x:%ff", "-"),
        ] {
            assert_eq!(matched("x:{name}", uri), value, "{uri}");
        }
    }

    #[test]
    fn no_value_ends_within_an_encoded_character() {
        assert_eq!(matched("x:{a}20", "x:%20"), "-");
        assert_eq!(matched("x:{a}20", "x:y%2020"), "a=y ");
        assert_eq!(matched("x:{a}C3{+b}", "x:%C3%A9C3%C3%A8"), "a=é b=è");
    }

    #[test]
    fn climbing_values_match_nothing_by_default() {
        for uri in [
            "file://docs/..%2F..%2Fetc%2Fpasswd",
            "file://docs/..",
            "file://docs/%2e%2e",
            "file://docs/%2e%2e/",
            "file://docs/..%5c",
            "file://docs/..\\x",
            "file://docs/a%00b",
            "file://docs/..%252F..%252Fetc",
            "file://docs/%2Fetc",
            "file://docs/C:%5Cx",
        ] {
            assert_eq!(matched("file://docs/{name}", uri), "-", "{uri}");
        }
        assert_eq!(matched("file://docs/{+path}", "file://docs/a/../../etc"), "-");
        assert_eq!(matched("file://docs{/path*}", "file://docs/a/../b"), "-");
        assert_eq!(matched("x:{?q}", "x:?q=../a"), "-");
        assert_eq!(matched("x:{?q}", "x:?other=../a&q=b"), "q=b");
    }

    #[test]
    fn the_policy_is_settable() {
        let open = template("x:{+a}/{b}").with_policy(ValuePolicy::strict().exempt("a"));
        assert_eq!(shown(&open, "x:../y/z"), "a=../y b=z");
        assert_eq!(shown(&open, "x:y/%2e%2e"), "-");
        let open = template("x:{+a}")
            .with_policy(ValuePolicy::strict().allow_traversal().allow_absolute().allow_nul());
        assert_eq!(shown(&open, "x:/../%00"), "a=/../\0");
    }

    #[test]
    fn query_variables_are_optional_and_in_any_order() {
        for (uri, values) in [
            ("d://5", "id=5"),
            ("d://5?b=1", "id=5 b=1"),
            ("d://5?b=1&a=2", "id=5 a=2 b=1"),
            ("d://5?a=2&x=9&b=1&y", "id=5 a=2 b=1"),
            ("d://5?", "id=5"),
            ("d://5?&", "id=5"),
            ("d://5?a", "id=5 a="),
            ("d://5?a=", "id=5 a="),
            ("d://5?a=1=2", "id=5 a=1=2"),
            ("d://5?%61=1%26b=2", "id=5 a=1&b=2"),
            ("d://5?A=1", "id=5"),
            ("d://5?a=x/y?z,w", "id=5 a=x/y?z,w"),
            ("d://5?a=1&a=2", "-"),
            ("d://5?x=1&x=2", "id=5"),
            ("d://5&a=1", "-"),
            ("d://5?a=1#f", "-"),
            ("d://", "-"),
        ] {
            assert_eq!(matched("d://{id}{?a,b}", uri), values, "{uri}");
        }
        assert_eq!(matched("d://{id}{?a}{&b}", "d://5?b=1&a=2"), "id=5 a=2 b=1");
        assert_eq!(matched("d://x?fixed=1{&a,b*}", "d://x?fixed=1&b=2&a=3&b=4"), "a=3 b=[2|4]");
        assert_eq!(matched("d://x?fixed=1{&a}", "d://x?fixed=1"), "");
        assert_eq!(matched("d://x{?a}{#f}", "d://x?a=1#2"), "a=1 f=2");
        assert_eq!(matched("d://x{?a*}", "d://x?a=1"), "a=[1]");
    }

    #[test]
    fn variables_that_span_segments() {
        assert_eq!(matched("x://{+path}", "x://a/b?c#d"), "path=a/b?c#d");
        assert_eq!(matched("x://{+path}/{name}", "x://a/b/c"), "path=a/b name=c");
        assert_eq!(matched("x://{+path}/end", "x://a/end/b/end"), "path=a/end/b");
        assert_eq!(matched("x://{+path}{?q}", "x://a/b?q=1"), "path=a/b q=1");
        assert_eq!(matched("x://{+path}", "x://"), "-");
        assert_eq!(matched("x://h{/path*}", "x://h/a/b%2Fc/"), "path=[a|b/c|]");
        assert_eq!(matched("x://h{/path*}", "x://h"), "");
        assert_eq!(matched("x://h{/a}{/b}", "x://h/1/2"), "a=1 b=2");
        assert_eq!(matched("x://h{/a}{/b}", "x://h/1"), "a=1");
        assert_eq!(matched("x://h{/a,b}", "x://h/1/2"), "a=1 b=2");
        assert_eq!(matched("x://h{/a,b}", "x://h/1/2/3"), "-");
        assert_eq!(matched("x://h{/a,b*}", "x://h/1/2/3"), "a=1 b=[2|3]");
        assert_eq!(matched("x://h{/a*,b}", "x://h/1/2/3"), "a=[1|2] b=3");
        assert_eq!(matched("x://h{/a}", "x://h/1/2"), "-");
    }

    #[test]
    fn the_other_operators() {
        assert_eq!(matched("f{.ext}", "f.tar.gz"), "ext=tar.gz");
        assert_eq!(matched("f{.ext*}", "f.tar.gz"), "ext=[tar|gz]");
        assert_eq!(matched("f{.a,b}", "f.tar.gz"), "a=tar b=gz");
        assert_eq!(matched("f{.ext}", "f"), "");
        assert_eq!(matched("f{.ext}", "f."), "ext=");
        assert_eq!(matched("f{;a,b}", "f;b=2;a=1"), "a=1 b=2");
        assert_eq!(matched("f{;a,b}", "f;a"), "a=");
        assert_eq!(matched("f{;a,b}", "f;c=1"), "-");
        assert_eq!(matched("f{;a*}", "f;a=1;a=2"), "a=[1|2]");
        assert_eq!(matched("f{;a}", "f;a=1;a=2"), "-");
        assert_eq!(matched("f{#a}", "f#x/y"), "a=x/y");
        assert_eq!(matched("f{#a}", "f"), "");
        assert_eq!(matched("{a,b}", "1,2"), "a=1 b=2");
        assert_eq!(matched("{a,b}", "1"), "a=1");
        assert_eq!(matched("{a,b}", "1,2,3"), "-");
        assert_eq!(matched("{a*}", "1,2,3"), "a=[1|2|3]");
    }

    #[test]
    fn the_earlier_variable_takes_as_little_as_it_can() {
        assert_eq!(matched("{name}.{ext}", "a.tar.gz"), "name=a ext=tar.gz");
        assert_eq!(matched("{a}{b}", "xyz"), "a=x b=yz");
        assert_eq!(matched("{a}-{b}-end", "x-y-z-end"), "a=x b=y-z");
        assert_eq!(matched("{a}-{b}-end", "x-end"), "-");
    }

    #[test]
    fn a_variable_that_stands_twice_has_one_value() {
        assert_eq!(matched("{a}/{a}", "x/x"), "a=x");
        assert_eq!(matched("{a}/{a}", "x/%78"), "a=x");
        assert_eq!(matched("{a}/{a}", "x/y"), "-");
    }

    #[test]
    fn a_cut_variable_is_no_longer_than_its_cut() {
        assert_eq!(matched("{a:2}", "xy"), "a=xy");
        assert_eq!(matched("{a:2}", "xyz"), "-");
        assert_eq!(matched("{a:2}", "%C3%A9é"), "a=éé");
    }

    /// A reader that backtracks would try some 2^60 divisions.
    #[test]
    fn hard_uris_are_read_in_one_go() {
        let text = "{a}-".repeat(60) + "end";
        let names: String = (0..60).map(|i| format!("{{a{i}}}-")).collect::<String>() + "end";
        assert_eq!(matched(&names, &"x-".repeat(2000)), "-");
        assert_eq!(matched(&text, &"x-".repeat(2000)), "-");
        assert_ne!(matched(&names, &format!("{}end", "x-".repeat(2000))), "-");
    }
}

mod arbitrary {
    use super::*;

    fn any_template() -> impl Strategy<Value = String> {
        prop::collection::vec(
            prop_oneof!["[a-z/.:?#é %{}-]{0,6}", "\\{[+#./;?&]?[abc][*]?(,[abc][*]?)?\\}"],
            0..6,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), uri in any::<String>()) {
            if let Ok(template) = UriTemplate::parse(&text) {
                let _ = template.match_uri(&uri);
                let _ = template.expand(&[("a", uri.as_str().into())]);
                let _ = template.check_matchable();
            }
        }

        #[test]
        fn what_is_matched_are_variables_of_the_template(
            text in any_template(),
            uri in "[a-c/.:?#&=;,%025é -]{0,24}",
        ) {
            if let Ok(template) = UriTemplate::parse(&text)
                && let Some(values) = template.match_uri(&uri)
            {
                let names: Vec<_> = values.iter().map(|(name, _)| name.as_str()).collect();
                prop_assert!(names.iter().all(|name| template.variables().any(|variable| variable == *name)));
                prop_assert!(names.iter().enumerate().all(|(number, name)| !names[..number].contains(name)));
            }
        }

        #[test]
        fn texts_come_back(
            a in "\\PC{1,6}", b in "\\PC{1,6}", c in "\\PC{0,6}", d in "\\PC{0,6}", e in prop::collection::vec("\\PC{0,4}", 1..4),
        ) {
            let template = template("x://{a}/é/{b}{.c}{/e*}{;f}{?d,g*}")
                .with_policy(ValuePolicy::strict().allow_traversal().allow_absolute());
            // A label keeps its dots, so a text with one would be read as two.
            let c = c.replace('.', "");
            let values = vec![
                ("a".to_owned(), a.into()), ("b".to_owned(), b.replace('.', "_").into()), ("c".to_owned(), c.into()),
                ("e".to_owned(), e.clone().into()), ("f".to_owned(), d.clone().into()), ("d".to_owned(), d.into()),
                ("g".to_owned(), e.into()),
            ];
            let uri = template.expand(&values);
            prop_assert_eq!(template.match_uri(&uri), Some(values), "{}", uri);
        }

        #[test]
        fn a_path_comes_back(path in "[a-z/é %?#-]{1,12}") {
            let template = template("x:/{+path}").with_policy(ValuePolicy::strict().allow_absolute());
            // What looks percent-encoded is kept as it is, and decoded on the way back.
            prop_assume!(percent::decode(&path).as_deref() == Some(path.as_str()));
            let uri = template.expand(&[("path", path.as_str().into())]);
            prop_assert_eq!(template.match_uri(&uri), Some(vec![("path".to_owned(), path.into())]));
        }

        #[test]
        fn every_spelling_of_a_uri_is_matched_alike(value in "[a-z0-9._~-]{1,8}", upper in any::<bool>()) {
            let encoded: String = value.bytes().map(|byte| if upper { format!("%{byte:02X}") } else { format!("%{byte:02x}") }).collect();
            let template = template("x:{+a}");
            prop_assert_eq!(template.match_uri(&format!("x:{encoded}")), template.match_uri(&format!("x:{value}")));
        }
    }
}
