//! Words that tie the project to one machine or one mirror.

use super::Offence;
use crate::workspace::File;

/// Folders at the root of somebody's file system.
const ROOT_FOLDERS: [&str; 7] = ["Users", "farm", "home", "mnt", "opt", "root", "work"];

/// Packages are named, never the place they come from. Put together from halves, so that this file doesn't find itself.
const HOSTS: [&str; 6] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("npmjs", ".com"),
    concat!("npmjs", ".org"),
    concat!("debian", ".org"),
];

/// Cargo writes where it found each package, and a licence is quoted as it is.
const NOT_OURS: [&str; 3] = ["Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT"];

pub(crate) fn check(files: &[File]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| !NOT_OURS.iter().any(|name| file.path.ends_with(name))) {
        for (at, line) in file.text.lines().enumerate() {
            if let Some(folder) = ROOT_FOLDERS.iter().find(|folder| has_path(line, folder)) {
                offences.push(Offence::at(
                    file,
                    at,
                    format!("a path of one machine, below its `{folder}` folder"),
                ));
            }
            if let Some(host) = HOSTS.iter().find(|host| line.contains(**host)) {
                offences.push(Offence::at(file, at, format!("name the package, not its host `{host}`")));
            }
        }
    }
    offences
}

/// Whether a path in `line` begins with `folder` at the root. In an address such as `file:///home/me` it is only an example.
fn has_path(line: &str, folder: &str) -> bool {
    let start = format!("/{folder}/");
    line.match_indices(&start).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || "\"'`(=:,<[".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let file = File { path: "notes.md".to_owned(), text: text.to_owned() };
        check(&[file]).into_iter().map(|offence| offence.what).collect()
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for folder in ROOT_FOLDERS {
            assert_eq!(found(&format!("see `/{folder}/me/project`")).len(), 1, "{folder}");
            assert_eq!(found(&format!("/{folder}/me")).len(), 1, "{folder}");
            assert_eq!(found(&format!("file:///{folder}/me and src/{folder}/me")), [""; 0], "{folder}");
        }
    }

    #[test]
    fn hosts_of_packages_are_found() {
        for host in HOSTS {
            assert_eq!(found(&format!("get it from https://{host}/x")).len(), 1, "{host}");
        }
        let lock = File { path: "fuzz/Cargo.lock".to_owned(), text: HOSTS[0].to_owned() };
        assert_eq!(check(&[lock]), []);
    }
}
