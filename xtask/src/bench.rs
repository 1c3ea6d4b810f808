//! `bench`: our server beside others, in a lab that measures them all alike.

mod document;
mod results;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use document::Measured;
use results::Results;

use crate::{Args, Result, process, tidy, workspace};

pub(crate) const HELP: &str = "measure our server beside others
--lab DIR      the lab: a folder whose run.sh takes --add NAME COMMAND, --only and --out (or MCP_BENCH_LAB)
--only a,b     these peers (floor-hyper,rmcp,rmcp-tuned,python)
--rounds N     visits to each server; --quick: few and short
--results FILE no run: read what one has left
--write        also put the tables into BENCHMARKS.md";

/// The name of our row, the row that all are compared with, and those to run beside them.
const OURS: &str = "roundtrip";
const FLOOR: &str = "floor-hyper";
const PEERS: [&str; 4] = [FLOOR, "rmcp", "rmcp-tuned", "python"];

const DOCUMENT: &str = "BENCHMARKS.md";

/// Runs the lab, or reads what a run has left, and prints the tables.
pub(crate) fn run(mut args: Args) -> Result {
    let lab = args.value("--lab")?.or_else(|| std::env::var("MCP_BENCH_LAB").ok());
    let given = args.value("--results")?;
    let only = args.list("--only")?;
    let rounds = args.number("--rounds")?;
    let (quick, write) = (args.flag("--quick"), args.flag("--write"));
    args.finish()?;
    let results = match given {
        Some(file) => PathBuf::from(file),
        None => {
            let lab = lab.ok_or("where is the lab? `--lab DIR`, or set MCP_BENCH_LAB")?;
            let peers = if only.is_empty() { PEERS.map(str::to_owned).to_vec() } else { only };
            in_lab(Path::new(&lab), &peers, rounds, quick)?
        }
    };
    let text = fs::read_to_string(&results)
        .map_err(|error| format!("cannot read {}: {error}", results.display()))?;
    let measured =
        Measured { results: Results::read(&text)?, registry: registry()?, minimal: minimal_build()? };
    println!("\n{measured}");
    if write {
        let path = workspace::root().join(DOCUMENT);
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, document::with(&before, &measured))
            .map_err(|error| format!("cannot write {DOCUMENT}: {error}"))?;
        println!("{DOCUMENT} has the new tables");
    }
    Ok(())
}

/// Runs the lab with our server in it, and returns the file with its numbers.
fn in_lab(lab: &Path, peers: &[String], rounds: Option<u64>, quick: bool) -> Result<PathBuf> {
    let server = workspace::build("roundtrip-bench", "roundtrip-bench", true)?;
    let out = workspace::scratch("bench")?.join("results.json");
    let mut run = Command::new(lab.join("run.sh"));
    // The lab has a target folder of its own, whatever cargo tells its children.
    run.env_remove("CARGO_TARGET_DIR").env_remove("CARGO");
    run.args(["--add", OURS, &format!("{} --port {{port}}", server.display())]);
    run.args(["--only", &format!("{OURS},{}", peers.join(","))]);
    run.arg("--out").arg(&out);
    if quick {
        run.arg("--quick");
    }
    if let Some(rounds) = rounds {
        run.args(["--rounds", &rounds.to_string()]);
    }
    process::run(&mut run)?;
    Ok(out)
}

/// What a call costs in a server of 1, 100 and 10,000 tools: pairs of a number of tools and nanoseconds.
fn registry() -> Result<Vec<(u64, f64)>> {
    let program = workspace::build("roundtrip-bench", "registry", true)?;
    let lines = process::capture(&mut Command::new(program))?;
    let pair = |line: &str| {
        let (tools, nanoseconds) = line.split_once(' ')?;
        Some((tools.parse().ok()?, nanoseconds.trim().parse().ok()?))
    };
    lines.lines().map(|line| pair(line).ok_or(format!("`{line}` is no number of tools and time"))).collect()
}

/// The crates of a minimal server, and the seconds of a debug build of all of them.
fn minimal_build() -> Result<(usize, f64)> {
    let what = ["--locked", "--package", "roundtrip", "--no-default-features", "--features", "server,http"];
    let tree =
        process::capture(workspace::cargo(["tree", "--edges", "normal", "--prefix", "none"]).args(what))?;
    let target = workspace::scratch("minimal")?;
    let began = Instant::now();
    process::run(
        workspace::cargo(["build", "--quiet", "--lib"]).args(what).env("CARGO_TARGET_DIR", &target),
    )?;
    let seconds = began.elapsed().as_secs_f64();
    fs::remove_dir_all(&target).map_err(|error| format!("cannot remove {}: {error}", target.display()))?;
    Ok((tidy::crates(&tree), seconds))
}
