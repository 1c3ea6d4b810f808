//! `tidy`: the rules of the project that a compiler can't check.

mod edges;
mod footprint;
mod io;
mod keys;
mod layout;
mod marks;
mod readme;
mod sizes;
mod words;

use crate::{Args, Result, workspace};

pub(crate) const HELP: &str = "check the rules that a compiler can't: edges between crates, sizes, words";

/// How many crates a listing of `cargo tree --prefix none` has.
pub(crate) fn crates(tree: &str) -> usize {
    footprint::crates(tree).len()
}

/// Something that breaks a rule: where, and what to do.
#[derive(Debug, PartialEq)]
pub(crate) struct Offence {
    place: String,
    what: String,
}

impl Offence {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }

    /// One on a line of a file, counted from 0.
    fn at(file: &workspace::File, line: usize, what: impl Into<String>) -> Self {
        Self::new(format!("{}:{}", file.path, line + 1), what)
    }
}

/// Runs every check and prints all that they find.
pub(crate) fn run(args: Args) -> Result {
    args.finish()?;
    let files = workspace::files()?;
    let metadata = workspace::metadata(false)?;
    let readme = files.iter().find(|file| file.path == "README.md");
    let checks: [(&str, Vec<Offence>); 9] = [
        ("edges between crates", edges::check(&metadata)),
        ("no IO below the transports", io::check_workspace()?),
        ("crates of a minimal server", footprint::check_workspace()?),
        ("key material stays in one place", keys::check(&files)),
        ("file sizes", sizes::check(&files)),
        ("nothing unfinished", marks::check(&files)),
        ("words that must not stay", words::check(&files)),
        ("layout", layout::check(&files, &metadata)),
        ("the README compiles", readme::check(readme, &files)),
    ];
    let mut found = 0;
    for (rule, offences) in &checks {
        println!("{} {rule}", if offences.is_empty() { "ok  " } else { "FAIL" });
        for offence in offences {
            println!("     {}: {}", offence.place, offence.what);
        }
        found += offences.len();
    }
    for note in sizes::notes(&files) {
        println!("note {note}");
    }
    match found {
        0 => Ok(()),
        1 => Err("one rule is broken".to_owned()),
        many => Err(format!("rules are broken in {many} places")),
    }
}
