//! `interop`: our server and our client, each with the reference SDK on the other side.

mod table;

use std::{path::Path, process::Command, time::Duration};

use table::Table;

use crate::{Args, Result, cache, process, workspace};

pub(crate) const HELP: &str = "check our server with the Python SDK's client, and our client with its server";

const REQUIREMENTS: &str = "interop/python/requirements.txt";
const PYTHON_SERVER: &str = "interop/python/provisioner_server.py";
const PYTHON_CLIENT: &str = "interop/python/client.py";

/// Time for a server to start, and for all checks of one pair.
const START_LIMIT: Duration = Duration::from_secs(30);
const CHECKS_LIMIT: Duration = Duration::from_secs(120);

/// Runs the same checks with each pair, and prints them as a table.
pub(crate) fn run(args: Args) -> Result {
    args.finish()?;
    let python = cache::python(REQUIREMENTS)?;
    let ours = workspace::build("roundtrip-interop", "roundtrip-interop", false)?;
    let scratch = workspace::scratch("interop")?;
    let script = |path: &str| {
        let mut command = Command::new(&python);
        command.arg(workspace::root().join(path));
        command
    };
    let program = |command: &str| {
        let mut program = Command::new(&ours);
        program.arg(command);
        program
    };
    let mut table = Table::default();
    // The last pair is the reference on both sides: where it is red, the check is wrong and not we.
    let pairs = [
        ("python to ours", script(PYTHON_CLIENT), program("serve")),
        ("ours to python", program("check"), script(PYTHON_SERVER)),
        ("ours to ours", program("check"), program("serve")),
        ("python to python", script(PYTHON_CLIENT), script(PYTHON_SERVER)),
    ];
    for (pair, mut client, mut server) in pairs {
        let lines =
            checks(&mut client, &mut server, &scratch.join(format!("{}.log", pair.replace(' ', "-"))))?;
        table.add(pair, &lines);
    }
    print!("{table}");
    match table.red() {
        0 => Ok(()),
        red => Err(format!("{red} red; the programs' own words are in {}", scratch.display())),
    }
}

/// What `client` says about `server`.
fn checks(client: &mut Command, server: &mut Command, log: &Path) -> Result<String> {
    let server = process::Server::start(server, START_LIMIT)?;
    // The exit code only repeats what the lines say, and a missing line is a red cell.
    process::run_within(client.arg(&server.url), CHECKS_LIMIT, log)?;
    std::fs::read_to_string(log).map_err(|error| format!("cannot read {}: {error}", log.display()))
}
