//! `conformance`: our everything-server against the protocol's public suite.

mod results;
mod scenarios;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use results::{Report, Verdict};

use crate::{Args, Result, cache, process, workspace};

pub(crate) const HELP: &str = "run the public conformance suite against our server; a warning fails too
--legs a,b       the revisions whose requirements are run (2026-07-28)
--scenario NAME  one scenario alone
--url URL        a server that is running already, instead of our own
--release        build our server with optimisation";

/// The suite, in the version whose verdicts we answer for.
const SUITE: &str = "@modelcontextprotocol/conformance";
const SUITE_VERSION: &str = "0.2.0-alpha.12";

/// The revisions that the server speaks.
const LEGS: [&str; 1] = ["2026-07-28"];

/// Time for a server to start, for a scenario, and for a whole leg.
const START_LIMIT: Duration = Duration::from_secs(20);
const SCENARIO_LIMIT: Duration = Duration::from_secs(30);
const LEG_LIMIT: Duration = Duration::from_secs(600);

/// Runs the chosen legs and prints a line for each scenario.
pub(crate) fn run(mut args: Args) -> Result {
    let mut legs = args.list("--legs")?;
    let scenario = args.value("--scenario")?;
    let url = args.value("--url")?;
    let release = args.flag("--release");
    args.finish()?;
    if legs.is_empty() {
        legs = LEGS.map(str::to_owned).to_vec();
    }
    let suite = Suite::install()?;
    let (url, _server) = match url {
        Some(url) => (url, None),
        None => {
            let program = workspace::build("roundtrip-conformance", "roundtrip-conformance", release)?;
            let server = process::Server::start(Command::new(program).args(["--port", "0"]), START_LIMIT)?;
            (server.url.clone(), Some(server))
        }
    };
    let scratch = workspace::scratch("conformance")?;
    let mut fallen_short = Vec::new();
    for leg in &legs {
        let report = suite.run(leg, &url, scenario.as_deref(), &scratch.join(leg))?;
        print!("{report}");
        if !report.is_clean() {
            fallen_short.push(format!("{leg} ({})", report.summary()));
        }
    }
    if fallen_short.is_empty() {
        return Ok(());
    }
    Err(format!(
        "not all of {}; the suite's own words are in {}",
        fallen_short.join(" and "),
        scratch.display()
    ))
}

/// The suite as npm installed it, and a Node that runs it.
struct Suite {
    node: PathBuf,
    package: PathBuf,
}

impl Suite {
    fn install() -> Result<Self> {
        Ok(Self { node: cache::node()?, package: cache::npm_package(SUITE, SUITE_VERSION)? })
    }

    /// What the revision `leg` requires of the server at `url`, or one `scenario` of it, with results in `folder`.
    fn run(&self, leg: &str, url: &str, scenario: Option<&str>, folder: &Path) -> Result<Report> {
        let requirements = self.package.join("requirements").join(format!("{leg}.yaml"));
        let text =
            fs::read_to_string(&requirements).map_err(|_| format!("the suite knows no revision `{leg}`"))?;
        let mut scenarios = scenarios::of_server(&text);
        if scenarios.is_empty() {
            return Err(format!("the suite's requirements of {leg} are not written as we know them"));
        }
        fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let results = folder.join("results");
        let mut command = Command::new(&self.node);
        command.arg(self.package.join("dist").join("index.js")).args(["server", "--url", url]);
        match scenario {
            None => command.args(["--requirements", leg]),
            Some(name) => {
                scenarios.retain(|scenario| scenario.name == name);
                if scenarios.is_empty() {
                    return Err(format!("{leg} has no scenario `{name}`"));
                }
                command.args(["--scenario", name, "--spec-version", leg, "--force"])
            }
        };
        command
            .args(["--timeout", &SCENARIO_LIMIT.as_millis().to_string()])
            .arg("--output-dir")
            .arg(&results);
        // Its exit code says less than its results do, so those are judged, and a run that dies early has gaps in them.
        process::run_within(&mut command, LEG_LIMIT, &folder.join("suite.log"))?;
        let found = results::read(&results)?;
        let verdicts = scenarios.into_iter().map(|scenario| Verdict::of(scenario, &found)).collect();
        Ok(Report { leg: leg.to_owned(), verdicts })
    }
}
