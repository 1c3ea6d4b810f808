//! The checkout: where it is, what cargo knows of it, and the text of its files.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::{Result, process};

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask is a folder of the workspace").to_owned()
}

/// The cargo that runs us, in the root of the workspace.
pub(crate) fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(args);
    command
}

/// What `cargo metadata` says. `deps` also resolves the dependencies.
pub(crate) fn metadata(deps: bool) -> Result<Value> {
    let mut command = cargo(["metadata", "--format-version", "1", "--locked"]);
    if !deps {
        command.arg("--no-deps");
    }
    let text = process::capture(&mut command)?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata is not the JSON we know: {error}"))
}

/// Builds one binary of the workspace and returns its path.
pub(crate) fn build(package: &str, binary: &str, release: bool) -> Result<PathBuf> {
    let mut command = cargo(["build", "--quiet", "--locked", "--package", package, "--bin", binary]);
    if release {
        command.arg("--release");
    }
    process::run(&mut command)?;
    Ok(target()?.join(if release { "release" } else { "debug" }).join(binary))
}

/// The folder of what cargo builds.
pub(crate) fn target() -> Result<PathBuf> {
    let metadata = metadata(false)?;
    let target = metadata["target_directory"].as_str().ok_or("cargo metadata names no target folder")?;
    Ok(PathBuf::from(target))
}

/// A folder for the logs and results of the command `name`, emptied.
pub(crate) fn scratch(name: &str) -> Result<PathBuf> {
    let folder = target()?.join("xtask").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder)
}

/// One text file of the checkout, its path relative to the root and with forward slashes.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// Every text file that git tracks or would track.
pub(crate) fn files() -> Result<Vec<File>> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let mut files = Vec::new();
    for path in process::capture(&mut git)?.split_terminator('\0') {
        // A file that is not text, or was deleted and not yet committed, has nothing to check.
        if let Ok(text) = std::fs::read_to_string(root().join(path)) {
            files.push(File { path: path.to_owned(), text });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Ok(files)
}
