//! The project's own commands. `cargo xtask help` lists them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to the person who ran it")]

mod args;
mod bench;
mod cache;
mod ci;
mod conformance;
mod interop;
mod process;
mod tidy;
mod workspace;

use std::process::ExitCode;

use args::Args;

/// What a command comes to: nothing, or one sentence on what went wrong and what to do.
type Result<T = (), E = String> = std::result::Result<T, E>;

struct Command {
    name: &'static str,
    help: &'static str,
    run: fn(Args) -> Result,
}

const COMMANDS: [Command; 5] = [
    Command { name: "ci", help: ci::HELP, run: ci::run },
    Command { name: "tidy", help: tidy::HELP, run: tidy::run },
    Command { name: "conformance", help: conformance::HELP, run: conformance::run },
    Command { name: "interop", help: interop::HELP, run: interop::run },
    Command { name: "bench", help: bench::HELP, run: bench::run },
];

fn main() -> ExitCode {
    let mut given = std::env::args().skip(1);
    let name = given.next().unwrap_or_else(|| "help".to_owned());
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprint!("there is no command `{name}`\n\n{}", help());
        return ExitCode::from(2);
    };
    match (command.run)(Args::new(given)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let mut text = String::from("cargo xtask COMMAND [OPTIONS]\n");
    for command in &COMMANDS {
        text.push_str(&format!(
            "\n  {:<12} {}\n",
            command.name,
            command.help.replace('\n', "\n               ")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_command() {
        let help = help();
        for command in &COMMANDS {
            assert!(
                help.contains(&format!("\n  {} ", command.name)),
                "{} is missing from\n{help}",
                command.name
            );
        }
    }
}
