//! The README is the facade's front page, so that the compiler reads its code.

use super::Offence;
use crate::workspace::File;

/// Where the facade takes the README in.
const FACADE: &str = "crates/roundtrip/src/";

pub(crate) fn check(readme: Option<&File>, files: &[File]) -> Vec<Offence> {
    let Some(readme) = readme else {
        return vec![Offence::new("README.md", "is missing")];
    };
    let mut offences = Vec::new();
    let mut snippets = 0;
    for (at, line) in readme.text.lines().enumerate() {
        let Some(info) = line.strip_prefix("```rust") else { continue };
        snippets += 1;
        if info.split(',').any(|word| word.trim() == "ignore") {
            offences.push(Offence::at(readme, at, "a snippet that no compiler reads"));
        }
    }
    if snippets == 0 {
        offences.push(Offence::new("README.md", "shows no Rust"));
    }
    let taken_in = |file: &File| {
        file.path.starts_with(FACADE) && file.text.contains("include_str!") && file.text.contains("README.md")
    };
    if !files.iter().any(taken_in) {
        offences.push(Offence::new(
            FACADE,
            "the README is not part of the documentation: `#![doc = include_str!(..)]`",
        ));
    }
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn snippets_must_exist_and_be_compiled() {
        let facade = [file("crates/roundtrip/src/lib.rs", "#![doc = include_str!(\"../README.md\")]")];
        let good = file("README.md", "```rust\nfn main() {}\n```\n```rust,no_run\n```\n");
        assert_eq!(check(Some(&good), &facade), []);
        assert_eq!(check(Some(&good), &[])[0].place, FACADE);
        assert_eq!(check(None, &facade)[0].what, "is missing");
        assert_eq!(check(Some(&file("README.md", "no code")), &facade)[0].what, "shows no Rust");
        assert_eq!(
            check(Some(&file("README.md", "\n```rust,ignore\n```\n")), &facade)[0].place,
            "README.md:2"
        );
    }
}
