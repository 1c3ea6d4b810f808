//! Other programs: run to their end, run within a time, or kept alive while we need them.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::Result;

/// Runs `command` with our own output, and fails if it does.
pub(crate) fn run(command: &mut Command) -> Result {
    let status = command.stdin(Stdio::null()).status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{} {}", shown(command), ended(status))) }
}

/// Runs `command` and returns what it wrote to its standard output.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(format!("{} {}", shown(command), ended(output.status)));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{} did not write text", shown(command)))
}

/// Runs `command` for at most `limit`, its output going to the file `log`. Returns whether it succeeded.
///
/// A command that takes longer is ended, and that is an error.
pub(crate) fn run_within(command: &mut Command, limit: Duration, log: &Path) -> Result<bool> {
    let out = File::create(log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
    let err = out.try_clone().map_err(|error| format!("cannot write {}: {error}", log.display()))?;
    let child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
    let mut child = Running(child.map_err(|error| not_started(command, &error))?);
    let deadline = Instant::now() + limit;
    loop {
        let ended =
            child.0.try_wait().map_err(|error| format!("cannot wait for {}: {error}", shown(command)))?;
        if let Some(status) = ended {
            return Ok(status.success());
        }
        if Instant::now() >= deadline {
            return Err(format!(
                "{} took longer than {} s; see {}",
                shown(command),
                limit.as_secs(),
                log.display()
            ));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// A server that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    /// Where it listens, as it said itself.
    pub(crate) url: String,
    _child: Running,
}

impl Server {
    /// Starts `command` and waits, at most `limit`, for the first line of its output with an `http://` address in it.
    pub(crate) fn start(command: &mut Command, limit: Duration) -> Result<Self> {
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = Running(child.map_err(|error| not_started(command, &error))?);
        let stdout = child.0.stdout.take().expect("the output was asked for as a pipe");
        let (found, waiting) = mpsc::channel();
        thread::spawn(move || {
            // Reads on to the end, so that a server that talks never finds its pipe full.
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some(url) = line.split_whitespace().find(|word| word.starts_with("http://")) {
                    let _ = found.send(url.to_owned());
                }
            }
        });
        match waiting.recv_timeout(limit) {
            Ok(url) => Ok(Self { url, _child: child }),
            Err(_) => Err(format!("{} did not say where it listens", shown(command))),
        }
    }
}

/// A child that doesn't outlive us.
#[derive(Debug)]
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `command` as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    format!("`{}`", words.join(" "))
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => "was ended by a signal".to_owned(),
    }
}

fn not_started(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start {}: {error}", shown(command))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_failing_command_is_named_with_its_exit_code() {
        assert_eq!(run(&mut shell("exit 3")), Err("`sh -c exit 3` failed with exit code 3".to_owned()));
        assert!(
            capture(&mut Command::new("no-such-program"))
                .is_err_and(|error| error.starts_with("cannot start"))
        );
        assert_eq!(capture(&mut shell("echo out")), Ok("out\n".to_owned()));
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended() {
        let log = std::env::temp_dir().join(format!("xtask-process-{}", std::process::id()));
        let started = Instant::now();
        let result = run_within(&mut shell("exec sleep 60"), Duration::from_millis(50), &log);
        assert!(result.is_err_and(|error| error.contains("took longer than 0 s")));
        assert!(started.elapsed() < Duration::from_secs(30));
        assert_eq!(run_within(&mut shell("echo hello; exit 1"), Duration::from_secs(30), &log), Ok(false));
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "hello\n");
        std::fs::remove_file(log).unwrap();
    }

    #[test]
    fn a_server_is_ready_once_it_names_its_address() {
        let script = "echo starting; echo listening on http://127.0.0.1:1/mcp; exec sleep 60";
        let server = Server::start(&mut shell(script), Duration::from_secs(30)).unwrap();
        assert_eq!(server.url, "http://127.0.0.1:1/mcp");
        let silent = Server::start(&mut shell("exit 0"), Duration::from_secs(30));
        assert!(silent.is_err_and(|error| error.contains("did not say where it listens")));
    }
}
