//! A server that speaks HTTP and nothing else stays small.

use std::collections::BTreeSet;

use super::Offence;
use crate::{Result, process, workspace};

/// A minimal server brings fewer crates of others than this.
const CRATES: usize = 60;

pub(crate) fn check_workspace() -> Result<Vec<Offence>> {
    let tree = process::capture(&mut workspace::cargo([
        "tree",
        "--locked",
        "--package",
        "roundtrip",
        "--no-default-features",
        "--features",
        "server,http",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]))?;
    Ok(check(&tree, CRATES))
}

/// The crates of others in lines such as `bytes v1.2.3 (*)`, each counted once. Ours are the lines with a path.
pub(super) fn crates(tree: &str) -> BTreeSet<(&str, &str)> {
    tree.lines()
        .filter(|line| !line.contains("(/"))
        .filter_map(|line| line.split_once(' '))
        .map(|(name, rest)| (name, rest.split(' ').next().unwrap_or(rest)))
        .collect()
}

fn check(tree: &str, limit: usize) -> Vec<Offence> {
    let count = crates(tree).len();
    if count < limit {
        return Vec::new();
    }
    let what = format!(
        "a minimal server brings {count} crates, and fewer than {limit} are wanted: see `cargo tree`"
    );
    vec![Offence::new("roundtrip", what)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_counted_once_and_compared() {
        let tree = "roundtrip v0.1.0 (/checkout/crates/roundtrip)\nbytes v1.2.3\nhttp v1.0.0\nbytes v1.2.3 (*)\nhttp v0.2.0\n";
        assert_eq!(check(tree, 4), []);
        assert_eq!(check(tree, 3).len(), 1);
        assert!(check(tree, 3)[0].what.starts_with("a minimal server brings 3 crates"));
    }
}
