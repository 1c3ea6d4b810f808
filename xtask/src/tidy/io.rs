//! A server and a client are complete without a socket: what they depend on can't open one.

use super::Offence;
use crate::{Result, process, workspace};

/// The crates below the transports.
const SOCKETLESS: [&str; 4] =
    ["roundtrip-types", "roundtrip-protocol", "roundtrip-server", "roundtrip-client"];

/// Crates that do IO, and the features of tokio that do.
const IO_CRATES: [&str; 9] =
    ["axum", "h2", "hyper", "hyper-rustls", "hyper-util", "mio", "reqwest", "rustls", "socket2"];
const IO_FEATURES: [&str; 6] = ["fs", "full", "io-std", "net", "process", "signal"];

pub(crate) fn check_workspace() -> Result<Vec<Offence>> {
    let mut offences = Vec::new();
    for package in SOCKETLESS {
        let tree = process::capture(&mut workspace::cargo([
            "tree",
            "--locked",
            "--package",
            package,
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}|{f}",
        ]))?;
        offences.extend(check(package, &tree));
    }
    Ok(offences)
}

/// Looks at lines such as `tokio v1.2.3|net,sync`.
fn check(package: &str, tree: &str) -> Vec<Offence> {
    let mut offences = Vec::new();
    for line in tree.lines() {
        let (of, features) = line.split_once('|').unwrap_or((line, ""));
        let name = of.split_whitespace().next().unwrap_or_default();
        if IO_CRATES.contains(&name) {
            offences.push(Offence::new(package, format!("depends on `{name}`, which does IO")));
        }
        if name == "tokio" {
            let features = features.trim_end_matches(" (*)").split(',');
            for feature in features.filter(|feature| IO_FEATURES.contains(feature)) {
                offences.push(Offence::new(
                    package,
                    format!("turns on tokio's feature `{feature}`, which does IO"),
                ));
            }
        }
    }
    offences.dedup();
    offences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_or_a_feature_that_does_io_is_found() {
        let tree = "roundtrip-server v0.1.0 (/checkout)|\nbytes v1.0.0|default,std\ntokio v1.50.0|default,net,sync (*)\nhyper v1.0.0|server\n";
        let found: Vec<_> = check("roundtrip-server", tree).into_iter().map(|offence| offence.what).collect();
        assert_eq!(
            found,
            ["turns on tokio's feature `net`, which does IO", "depends on `hyper`, which does IO"]
        );
        assert_eq!(check("roundtrip-server", "tokio v1.50.0|sync,time\nbytes v1.0.0|\n"), []);
    }
}
