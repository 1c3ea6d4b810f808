use proptest::prelude::*;

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
