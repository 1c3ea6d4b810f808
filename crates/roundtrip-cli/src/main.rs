//! The `roundtrip` command.
//!
//! Exit codes: 0 done, 1 the call failed, 2 the command line was wrong or a question had no answer to take.

mod answers;
mod demo;
mod form;
mod terminal;

use std::process::ExitCode;

const HELP: &str = "\
Model Context Protocol servers and clients whose calls can ask.

Usage: roundtrip demo [--answer FIELD=VALUE]...

Commands:
  demo    Start a server that asks, call it over HTTP, and answer its question

Options:
  --answer FIELD=VALUE    Answer a field of the form instead of asking at the terminal; may be repeated
  -h, --help              Show this help
  -V, --version           Show the version
";

fn main() -> ExitCode {
    match Command::parse() {
        Ok(Command::Help) => say(HELP.trim_end()),
        Ok(Command::Version) => say(concat!("roundtrip ", env!("CARGO_PKG_VERSION"))),
        Ok(Command::Demo(answers)) => return demo::run(answers),
        Err(error) => return Failure::Usage(format!("{error}; see `roundtrip --help`")).report(),
    }
    ExitCode::SUCCESS
}

enum Command {
    Help,
    Version,
    Demo(answers::Answers),
}

impl Command {
    fn parse() -> Result<Self, lexopt::Error> {
        use lexopt::{Arg, ValueExt};

        let mut arguments = lexopt::Parser::from_env();
        let mut demo = false;
        let mut answers = answers::Answers::default();
        while let Some(argument) = arguments.next()? {
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(Self::Help),
                Arg::Short('V') | Arg::Long("version") => return Ok(Self::Version),
                Arg::Long("answer") => answers.add(&arguments.value()?.string()?)?,
                Arg::Value(name) if !demo && name == "demo" => demo = true,
                other => return Err(other.unexpected()),
            }
        }
        if demo { Ok(Self::Demo(answers)) } else { Err("name a command, such as `demo`".into()) }
    }
}

/// Why the command did not do what it was told to.
#[derive(Debug)]
enum Failure {
    /// The command line was wrong, or did not say enough.
    Usage(String),
    /// The call failed.
    Call(String),
}

impl Failure {
    #[expect(clippy::print_stderr, reason = "errors of a command go to standard error")]
    fn report(self) -> ExitCode {
        let (code, message) = match self {
            Self::Usage(message) => (2, message),
            Self::Call(message) => (1, message),
        };
        eprintln!("roundtrip: {message}");
        ExitCode::from(code)
    }
}

#[expect(clippy::print_stdout, reason = "the words of a command go to standard output")]
fn say(line: &str) {
    println!("{line}");
}
