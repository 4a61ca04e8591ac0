//! The real binary, as a user runs it.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

/// The time after which a hanging process is a failure. Every test takes less.
const PATIENCE: Duration = Duration::from_secs(60);

/// The binary with arguments, without input, and without colours from the environment.
pub(crate) fn dicedist<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dicedist"));
    command
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .timeout(PATIENCE);
    command
}

/// The binary as a process that answers all signals, also where the tests were started with some of them ignored, as behind `nohup`.
#[cfg(unix)]
pub(crate) fn answering_signals() -> std::process::Command {
    let ignores = "--default-signal=HUP,INT,QUIT,TERM,XCPU";
    let binary = env!("CARGO_BIN_EXE_dicedist");
    let probe = std::process::Command::new("env")
        .args([ignores, "true"])
        .output();
    if probe.is_ok_and(|probe| probe.status.success()) {
        let mut command = std::process::Command::new("env");
        command.args([ignores, binary]);
        return command;
    }
    std::process::Command::new(binary)
}

/// The output and the exit status of a process.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        parse(&self.stdout)
    }

    /// Standard error as JSON.
    #[track_caller]
    pub(crate) fn errors(&self) -> Value {
        parse(&self.stderr)
    }
}

#[track_caller]
fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in: {text:?}"))
}

/// Runs a command to its end.
pub(crate) fn say(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the binary with arguments to the end.
pub(crate) fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Said {
    say(&mut dicedist(arguments))
}

/// A file or folder of the package.
pub(crate) fn package(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}
