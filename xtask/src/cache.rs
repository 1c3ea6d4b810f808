//! The programs of others that our checks need, kept in a cache folder of the person who runs us.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{Result, process, workspace};

/// Installing a package takes seconds; a network that hangs must not take for ever.
const INSTALL_LIMIT: Duration = Duration::from_secs(300);

/// The oldest Node that the conformance suite runs on, and the one to install where there is none.
const NODE_MAJOR: u32 = 22;
const NODE_VERSION: &str = "22.23.3";

/// `$ROUNDTRIP_CACHE`, or a folder in the user's cache folder.
fn folder(name: &str) -> Result<PathBuf> {
    let set =
        |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("ROUNDTRIP_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|cache| cache.join("roundtrip")))
        .or_else(|| set("HOME").map(|home| home.join(".cache").join("roundtrip")))
        .ok_or("no folder to keep tools in: set ROUNDTRIP_CACHE or HOME")?;
    let folder = base.join(name);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder)
}

/// A Node that is new enough: the one on the path, or one from npm.
pub(crate) fn node() -> Result<PathBuf> {
    let on_path = PathBuf::from("node");
    if node_is_new_enough(&on_path) {
        return Ok(on_path);
    }
    let platform = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        (os, arch) => {
            return Err(format!(
                "no Node {NODE_MAJOR} or later on the path, and none to install on {os} {arch}"
            ));
        }
    };
    let package = npm_package(&format!("node-{platform}"), NODE_VERSION)?;
    let node = package.join("bin").join("node");
    if node_is_new_enough(&node) { Ok(node) } else { Err(format!("{} does not run", node.display())) }
}

fn node_is_new_enough(node: &Path) -> bool {
    let version = Command::new(node).arg("--version").output();
    version.is_ok_and(|output| {
        major(&String::from_utf8_lossy(&output.stdout)).is_some_and(|is| is >= NODE_MAJOR)
    })
}

/// The first number of `v22.1.0`.
fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// The folder of an npm package in exactly this version, installed if need be.
pub(crate) fn npm_package(name: &str, version: &str) -> Result<PathBuf> {
    let folder = folder("npm")?.join(format!("{}-{version}", name.replace('/', "-")));
    let package = folder.join("node_modules").join(name);
    // Written last, so a folder with it holds a whole installation.
    let done = folder.join("installed");
    if done.exists() {
        return Ok(package);
    }
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("package.json"), "{\"private\": true}\n"))
        .map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
    println!("installing {name} {version}");
    let mut npm = Command::new("npm");
    npm.current_dir(&folder)
        .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"])
        .arg(format!("{name}@{version}"));
    install(&mut npm, &folder, "it comes with Node, or as Debian's `npm`")?;
    fs::write(&done, "").map_err(|error| format!("cannot write {}: {error}", done.display()))?;
    Ok(package)
}

/// A Python with the packages of `requirements` (a path in the checkout), in an environment of its own.
pub(crate) fn python(requirements: &str) -> Result<PathBuf> {
    let wanted = workspace::root().join(requirements);
    let wanted =
        fs::read_to_string(&wanted).map_err(|error| format!("cannot read {}: {error}", wanted.display()))?;
    let folder = folder("python")?;
    let (venv, done) = (folder.join("venv"), folder.join("installed.txt"));
    let python = venv.join("bin").join("python");
    if python.exists() && fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    println!("installing the packages of {requirements}");
    let mut create = Command::new("python3");
    create.args(["-m", "venv", "--clear"]).arg(&venv);
    install(&mut create, &folder, "Debian has it as `python3-venv`")?;
    let mut pip = Command::new(&python);
    pip.current_dir(workspace::root()).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    pip.args(["--requirement", requirements]);
    install(&mut pip, &folder, "it needs the network once")?;
    fs::write(&done, wanted).map_err(|error| format!("cannot write {}: {error}", done.display()))?;
    Ok(python)
}

fn install(command: &mut Command, folder: &Path, hint: &str) -> Result {
    let log = folder.join("install.log");
    let shown = process::shown(command);
    match process::run_within(command, INSTALL_LIMIT, &log) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("{shown} failed, see {}", log.display())),
        Err(error) => Err(format!("{error} ({hint})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_what_node_prints() {
        assert_eq!(major("v22.23.3\n"), Some(22));
        assert_eq!(major("22.23.3"), None);
        assert_eq!(major(""), None);
    }
}
