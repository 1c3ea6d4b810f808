//! Where files stand, and what each crate begins with.

use serde_json::Value;

use super::Offence;
use crate::workspace::File;

pub(crate) fn check(files: &[File], metadata: &Value) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with("/mod.rs")) {
        offences.push(Offence::new(&*file.path, "a module is a file of its own name, not `mod.rs`"));
    }
    for file in files.iter().filter(|file| is_crate_root(&file.path)) {
        let first = file.text.lines().next().unwrap_or_default();
        if !first.starts_with("//!") && !first.starts_with("#![doc") {
            offences.push(Offence::at(file, 0, "a crate begins with its documentation"));
        }
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        if !files.iter().any(|file| file.path == name) {
            offences.push(Offence::new(name, "is missing"));
        }
    }
    for package in metadata["packages"].as_array().into_iter().flatten() {
        if package["license"] != "MIT OR Apache-2.0" {
            let name = package["name"].as_str().unwrap_or_default();
            offences.push(Offence::new(name, "its manifest has no `license.workspace = true`"));
        }
    }
    offences
}

fn is_crate_root(path: &str) -> bool {
    path.ends_with("/src/lib.rs")
        || path.ends_with("/src/main.rs")
        || path.contains("/src/bin/") && path.ends_with(".rs")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(path: &str, text: &str) -> Vec<File> {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        vec![file("LICENSE-APACHE", ""), file("LICENSE-MIT", ""), file(path, text)]
    }

    #[test]
    fn a_tidy_layout_is_left_alone() {
        let metadata = json!({ "packages": [{ "name": "a", "license": "MIT OR Apache-2.0" }] });
        assert_eq!(check(&with("a/src/lib.rs", "//! What it is.\n"), &metadata), []);
        assert_eq!(check(&with("a/src/tool.rs", "use x;\n"), &metadata), []);
    }

    #[test]
    fn each_rule_finds_its_offence() {
        let none = json!({});
        assert_eq!(check(&with("a/src/tool/mod.rs", "//! A tool.\n"), &none)[0].place, "a/src/tool/mod.rs");
        assert_eq!(
            check(&with("a/src/main.rs", "fn main() {}\n"), &none)[0].what,
            "a crate begins with its documentation"
        );
        assert_eq!(check(&with("a/src/bin/b.rs", "fn main() {}\n"), &none).len(), 1);
        assert_eq!(check(&[], &none).len(), 2);
        let unlicensed = json!({ "packages": [{ "name": "a", "license": null }] });
        assert_eq!(check(&with("README.md", ""), &unlicensed)[0].place, "a");
    }
}
