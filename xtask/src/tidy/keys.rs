//! Key material has one room. Code elsewhere can't even name what would touch it.

use super::Offence;
use crate::workspace::File;

/// Crates that hold, derive or use secret keys.
const KEY_CRATES: [&str; 6] = ["aead", "aes_gcm", "chacha20poly1305", "hkdf", "hmac", "zeroize"];

/// The room: a folder and the file of its name.
const ROOM: &str = "crates/roundtrip-server/src/seal";

pub(crate) fn check(files: &[File]) -> Vec<Offence> {
    let mut offences = Vec::new();
    let elsewhere = |file: &&File| {
        let in_room = file.path.strip_prefix(ROOM).is_some_and(|rest| rest.starts_with('/') || rest == ".rs");
        file.is_rust() && file.path.starts_with("crates/") && file.path.contains("/src/") && !in_room
    };
    for file in files.iter().filter(elsewhere) {
        for (at, line) in file.text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for name in KEY_CRATES {
                if names(code, name) {
                    offences.push(Offence::at(file, at, format!("only {ROOM} may use `{name}`")));
                }
            }
        }
    }
    offences
}

/// Whether `code` has `name::` or `use name`, as a word of its own.
fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let starts_a_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        starts_a_word
            && (after.starts_with("::")
                || before.trim_end().ends_with("use") && after.starts_with([';', ' ']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Vec<File> {
        vec![File { path: path.to_owned(), text: text.to_owned() }]
    }

    #[test]
    fn key_material_outside_its_room_is_found() {
        let code = "\nuse zeroize::Zeroizing;\n";
        let found = check(&file("crates/roundtrip-server/src/rounds.rs", code));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, "crates/roundtrip-server/src/rounds.rs:2");
        assert_eq!(check(&file("crates/roundtrip-server/src/sealing.rs", code)).len(), 1);
        for inside in ["crates/roundtrip-server/src/seal.rs", "crates/roundtrip-server/src/seal/keys.rs"] {
            assert_eq!(check(&file(inside, code)), []);
        }
        assert_eq!(
            check(&file(
                "crates/roundtrip-http/src/lib.rs",
                "// zeroize::Zeroizing\nlet rezeroize = my_hkdf::x();"
            )),
            []
        );
        assert_eq!(check(&file("crates/roundtrip-http/src/lib.rs", "use hkdf;")).len(), 1);
    }
}
