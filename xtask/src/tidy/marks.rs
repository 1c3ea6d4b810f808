//! Marks of unfinished work: fine while working, not in what is handed over.

use super::Offence;
use crate::workspace::File;

/// Put together from halves, so that this file doesn't find itself.
const MARKS: [&str; 6] = [
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("#[ig", "nore"),
    concat!("FIX", "ME"),
    concat!("XX", "X:"),
    concat!("db", "g!("),
];

pub(crate) fn check(files: &[File]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() || file.path.ends_with(".py")) {
        for (at, line) in file.text.lines().enumerate() {
            for mark in MARKS.iter().filter(|mark| line.contains(**mark)) {
                offences.push(Offence::at(file, at, format!("`{mark}` is a mark of unfinished work")));
            }
        }
    }
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_is_found_where_it_stands() {
        for mark in MARKS {
            let file = File { path: "a.rs".to_owned(), text: format!("fn a() {{\n    {mark}\n}}\n") };
            let found = check(std::slice::from_ref(&file));
            assert_eq!(found, [Offence::new("a.rs:2", format!("`{mark}` is a mark of unfinished work"))]);
            assert_eq!(check(&[File { path: "a.md".to_owned(), ..file }]), []);
        }
    }
}
