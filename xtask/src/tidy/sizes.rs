//! A file that can be read in one go gets read.

use super::Offence;
use crate::workspace::File;

/// A file longer than this is mentioned, and one longer than the second fails.
const LONG: usize = 300;
const TOO_LONG: usize = 800;

/// In the first line of a file that a program wrote.
const GENERATED: &str = concat!("@", "generated");

pub(crate) fn check(files: &[File]) -> Vec<Offence> {
    let too_long = lengths(files).filter(|(_, lines)| *lines > TOO_LONG);
    too_long
        .map(|(file, lines)| {
            Offence::new(&*file.path, format!("{lines} lines, and {TOO_LONG} are the limit: split it"))
        })
        .collect()
}

/// The long files, the longest first.
pub(crate) fn notes(files: &[File]) -> Vec<String> {
    let mut long: Vec<_> = lengths(files).filter(|(_, lines)| *lines > LONG).collect();
    long.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
    long.into_iter().map(|(file, lines)| format!("{lines} lines in {}", file.path)).collect()
}

fn lengths(files: &[File]) -> impl Iterator<Item = (&File, usize)> {
    let written = |file: &&File| {
        let source = [".rs", ".py", ".sh"].iter().any(|end| file.path.ends_with(end));
        source && !file.text.lines().next().is_some_and(|first| first.contains(GENERATED))
    };
    files.iter().filter(written).map(|file| (file, file.text.lines().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: usize, first: &str) -> File {
        File { path: path.to_owned(), text: format!("{first}\n{}", "x\n".repeat(lines - 1)) }
    }

    #[test]
    fn long_files_are_mentioned_and_too_long_ones_refused() {
        let files = [
            file("short.rs", LONG, ""),
            file("long.rs", LONG + 1, ""),
            file("longest.rs", TOO_LONG, ""),
            file("too_long.py", TOO_LONG + 1, ""),
            file("made.rs", 5000, &format!("// {GENERATED} by a program")),
            file("Cargo.lock", 5000, ""),
        ];
        assert_eq!(
            check(&files),
            [Offence::new("too_long.py", "801 lines, and 800 are the limit: split it")]
        );
        assert_eq!(
            notes(&files),
            ["801 lines in too_long.py", "800 lines in longest.rs", "301 lines in long.rs"]
        );
    }
}
