//! The command as a person without a terminal meets it.

use std::process::{Command, Output, Stdio};

fn roundtrip(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roundtrip"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_demo_takes_its_answers_from_the_command_line() {
    let output = roundtrip(&["demo", "--answer", "region=eu-west-1"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("question `placement`: a form"), "{shown}");
    assert!(shown.contains("sealed state: "), "{shown}");
    assert!(!shown.contains("rt1."), "the state itself is nobody's business: {shown}");
    assert!(
        shown.ends_with("Result: Provisioned \"orders\" in eu-west-1: one copy, with backups.\n"),
        "{shown}"
    );
}

#[test]
fn each_field_can_be_answered() {
    let output =
        roundtrip(&["demo", "--answer", "region=Tokyo", "--answer", "copies=3", "--answer", "backups=no"]);
    assert!(text(&output.stdout).ends_with("in ap-northeast-1: 3 copies, without backups.\n"), "{output:?}");
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    let cases: &[(&[&str], &str)] = &[
        (&["demo"], "there is no terminal"),
        (&["demo", "--answer", "region=Mars"], "`region` takes one of"),
        (&["demo", "--answer", "copies=9"], "`region` has no answer"),
        (
            &["demo", "--answer", "region=Tokyo", "--answer", "copies=9"],
            "`copies` takes a whole number from 1 to 5",
        ),
        (&["demo", "--answer", "color=red"], "no field `color`"),
        (&["demo", "--answer", "region"], "FIELD=VALUE"),
        (&["demo", "--colour"], "--colour"),
        (&["dance"], "dance"),
        (&[], "name a command"),
    ];
    for (arguments, why) in cases {
        let output = roundtrip(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(text(&output.stderr).contains(why), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn help_and_version_are_there() {
    assert!(text(&roundtrip(&["--help"]).stdout).contains("roundtrip demo"));
    assert!(text(&roundtrip(&["--version"]).stdout).starts_with("roundtrip "));
}
