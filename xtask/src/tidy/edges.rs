//! Crates are the architecture, so an edge between two of them is written down here or does not exist.

use serde_json::Value;

use super::Offence;

/// Who may depend on whom, in the order of the layers. Tests keep to it too.
const EDGES: &[(&str, &[&str])] = &[
    ("roundtrip-types", &[]),
    ("roundtrip-protocol", &["roundtrip-types"]),
    ("roundtrip-server", &["roundtrip-protocol", "roundtrip-types"]),
    ("roundtrip-client", &["roundtrip-protocol", "roundtrip-types"]),
    ("roundtrip-http", &["roundtrip-client", "roundtrip-protocol", "roundtrip-server", "roundtrip-types"]),
    (
        "roundtrip",
        &["roundtrip-client", "roundtrip-http", "roundtrip-protocol", "roundtrip-server", "roundtrip-types"],
    ),
    ("roundtrip-cli", &["roundtrip"]),
    ("roundtrip-conformance", &["roundtrip"]),
    ("roundtrip-interop", &["roundtrip"]),
    ("roundtrip-bench", &["roundtrip"]),
    ("xtask", &[]),
];

/// An example is a user of ours and sees what users see.
const EXAMPLES: &str = "examples/";

pub(crate) fn check(metadata: &Value) -> Vec<Offence> {
    let mut offences = Vec::new();
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let manifest = manifest.strip_prefix(root).unwrap_or(manifest).trim_start_matches('/');
        let allowed = match EDGES.iter().find(|(from, _)| *from == name) {
            Some((_, allowed)) => *allowed,
            None if manifest.starts_with(EXAMPLES) => &["roundtrip"],
            None => {
                offences.push(Offence::new(manifest, format!("`{name}` is not in the table of edges")));
                continue;
            }
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            // Only a dependency inside the checkout has a path.
            let to = dependency["name"].as_str().unwrap_or_default();
            if dependency["path"].is_string() && !allowed.contains(&to) {
                offences.push(Offence::new(manifest, format!("`{name}` must not depend on `{to}`")));
            }
        }
    }
    offences
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn metadata(name: &str, folder: &str, on: &str) -> Value {
        json!({
            "workspace_root": "/checkout",
            "packages": [{
                "name": name,
                "manifest_path": format!("/checkout/{folder}/Cargo.toml"),
                "dependencies": [{ "name": on, "path": format!("/checkout/crates/{on}") }, { "name": "serde", "path": null }],
            }],
        })
    }

    #[test]
    fn an_edge_that_is_not_in_the_table_is_found() {
        let bad = metadata("roundtrip-server", "crates/roundtrip-server", "roundtrip-client");
        let expected = Offence::new(
            "crates/roundtrip-server/Cargo.toml",
            "`roundtrip-server` must not depend on `roundtrip-client`",
        );
        assert_eq!(check(&bad), [expected]);
        assert_eq!(check(&metadata("roundtrip-server", "crates/roundtrip-server", "roundtrip-types")), []);
    }

    #[test]
    fn a_crate_that_is_not_in_the_table_is_found() {
        let unknown = metadata("roundtrip-extra", "crates/roundtrip-extra", "roundtrip");
        assert_eq!(
            check(&unknown),
            [Offence::new(
                "crates/roundtrip-extra/Cargo.toml",
                "`roundtrip-extra` is not in the table of edges"
            )]
        );
    }

    #[test]
    fn examples_see_the_facade_alone() {
        assert_eq!(check(&metadata("provisioner", "examples/provisioner", "roundtrip")), []);
        assert_eq!(check(&metadata("provisioner", "examples/provisioner", "roundtrip-server")).len(), 1);
    }

    #[test]
    fn every_layer_of_the_table_stands_on_earlier_ones() {
        for (at, (from, allowed)) in EDGES.iter().enumerate() {
            for to in *allowed {
                let below = EDGES[..at].iter().any(|(name, _)| name == to);
                assert!(below, "{from} depends on {to}, which is not above it in the table");
            }
        }
    }
}
