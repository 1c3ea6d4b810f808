//! `ci`: all that a change has to pass, in one command.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{Args, Result, conformance, interop, process, tidy, workspace};

pub(crate) const HELP: &str = "everything that CI checks
--only a,b   these steps alone: tests format lints docs features fuzz tidy conformance interop
--skip a,b   all but these steps";

struct Step {
    name: &'static str,
    title: &'static str,
    run: fn() -> Result,
}

/// What is most likely to fail, and what is cheapest, comes first.
const STEPS: [Step; 9] = [
    Step { name: "tests", title: "unit, integration and documentation tests", run: tests },
    Step { name: "format", title: "formatting", run: format },
    Step { name: "lints", title: "lints", run: lints },
    Step { name: "docs", title: "documentation", run: docs },
    Step { name: "features", title: "each feature alone", run: features },
    Step { name: "fuzz", title: "fuzz targets build", run: fuzz },
    Step { name: "tidy", title: "rules of the project", run: || tidy::run(Args::new([])) },
    Step { name: "conformance", title: "public conformance suite", run: || conformance::run(Args::new([])) },
    Step { name: "interop", title: "with the Python SDK", run: || interop::run(Args::new([])) },
];

/// The crates whose features are meant to be chosen by users.
const WITH_FEATURES: [&str; 2] = ["roundtrip", "roundtrip-http"];

/// Runs every chosen step, also after one has failed, so that one run tells all.
pub(crate) fn run(mut args: Args) -> Result {
    let (only, skip) = (args.list("--only")?, args.list("--skip")?);
    args.finish()?;
    if let Some(unknown) = only.iter().chain(&skip).find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        return Err(format!("there is no step `{unknown}`; `cargo xtask help` lists them"));
    }
    let began = Instant::now();
    let mut failures = Vec::new();
    for step in STEPS.iter().filter(|step| chosen(step.name, &only, &skip)) {
        println!("\n==> {} ({}), after {}", step.title, step.name, minutes(began.elapsed()));
        if let Err(message) = (step.run)() {
            println!("{} failed: {message}", step.name);
            failures.push(step.name);
        }
    }
    println!("\n==> all steps ended after {}", minutes(began.elapsed()));
    if failures.is_empty() { Ok(()) } else { Err(format!("failed: {}", failures.join(", "))) }
}

fn chosen(name: &str, only: &[String], skip: &[String]) -> bool {
    (only.is_empty() || only.iter().any(|step| step == name)) && !skip.iter().any(|step| step == name)
}

fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

fn tests() -> Result {
    process::run(&mut workspace::cargo(["test", "--workspace", "--locked"]))
}

fn format() -> Result {
    process::run(&mut workspace::cargo(["fmt", "--all", "--check"]))
}

fn lints() -> Result {
    process::run(&mut workspace::cargo([
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ]))
}

fn docs() -> Result {
    // Libraries alone: the command and the facade share a name, and only one of them could keep its pages.
    let mut doc = workspace::cargo(["doc", "--quiet", "--workspace", "--no-deps", "--locked", "--lib"]);
    process::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Every feature must stand on its own: no warning, and nothing that only compiles beside another feature.
fn features() -> Result {
    let metadata = workspace::metadata(false)?;
    for package in WITH_FEATURES {
        for features in combinations(&metadata, package) {
            println!("{package} with {}", if features.is_empty() { "no feature" } else { features.as_str() });
            process::run(&mut feature_check(package, &features))?;
        }
    }
    Ok(())
}

fn feature_check(package: &str, features: &str) -> Command {
    workspace::cargo([
        "clippy",
        "--quiet",
        "--locked",
        "--package",
        package,
        "--lib",
        "--no-default-features",
        "--features",
        features,
        "--",
        "-D",
        "warnings",
    ])
}

/// No feature, each alone, and those of a small server and a small client.
fn combinations(metadata: &Value, package: &str) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let features =
        packages.filter(|found| found["name"] == package).filter_map(|found| found["features"].as_object());
    let named = |name: &&String| !name.starts_with('_') && *name != "default";
    let mut all = vec![String::new()];
    for features in features {
        all.extend(features.keys().filter(named).cloned());
        for pair in ["client,http", "server,http"] {
            if pair.split(',').all(|feature| features.contains_key(feature)) {
                all.push(pair.to_owned());
            }
        }
    }
    all
}

/// Fuzz targets are a workspace of their own, and rot unless somebody builds them.
fn fuzz() -> Result {
    let manifest = workspace::root().join("fuzz").join("Cargo.toml");
    if !manifest.exists() {
        println!("there are no fuzz targets");
        return Ok(());
    }
    let mut check = workspace::cargo([
        "check",
        "--quiet",
        "--locked",
        "--all-targets",
        "--manifest-path",
        "fuzz/Cargo.toml",
    ]);
    process::run(check.env("CARGO_TARGET_DIR", workspace::target()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn steps_are_chosen_by_name() {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!(chosen("tidy", &[], &[]));
        assert!(chosen("tidy", &list(&["tidy"]), &[]) && !chosen("tests", &list(&["tidy"]), &[]));
        assert!(!chosen("tests", &[], &list(&["tests"])));
        let unknown = run(Args::new(["--skip=none".to_owned()]));
        assert_eq!(unknown, Err("there is no step `none`; `cargo xtask help` lists them".to_owned()));
        assert!(STEPS.iter().all(|step| HELP.contains(step.name)));
    }

    #[test]
    fn each_feature_is_tried_alone() {
        let metadata = json!({ "packages": [
            { "name": "roundtrip", "features": { "client": [], "default": [], "http": [], "__private": [] } },
            { "name": "other", "features": { "x": [] } },
        ] });
        assert_eq!(combinations(&metadata, "roundtrip"), ["", "client", "http", "client,http"]);
    }

    #[test]
    fn time_is_shown_in_minutes() {
        assert_eq!(minutes(Duration::from_millis(125_900)), "2:05");
    }
}
