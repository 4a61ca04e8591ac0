//! Ctrl-C at any moment ends the process within a second, with status 130 and without a file that is not whole.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Work of many seconds: an exact answer, random rolls, and long files.
const WORK: [&[&str]; 5] = [
    &[
        "100#d100",
        "--exact",
        "--time-limit",
        "60",
        "--max-states",
        "1000000000",
        "--max-memory",
        "8GiB",
        "--csv",
    ],
    &[
        "sum(20#d1000*d1000)",
        "--max-states",
        "10",
        "--samples",
        "1000000000",
        "--time-limit",
        "60",
        "--csv",
    ],
    &["d1000000", "--csv"],
    &["sum(100#d1000)", "--json"],
    &["sum(100#d1000)", "--svg"],
];

/// How long whoever asks to stop waits. The suite may run beside other work.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Moments in milliseconds after the start, spread over where something happens.
const MOMENTS: [u64; 4] = [20, 90, 350, 700];

/// Interrupts a process at a moment, and says what was wrong with its end.
fn interrupt(arguments: &[&str], moment: u64, old: Option<&str>) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    if let Some(text) = old {
        fs::write(&path, text).unwrap();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_dicedist"))
        .args(arguments)
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(moment));
    let is_running = child.try_wait().unwrap().is_none();
    let started = Instant::now();
    if is_running {
        let number = child.id().to_string();
        let mut kill = Command::new("kill");
        kill.args(["-INT", &number]).stderr(Stdio::null());
        kill.status().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let time = started.elapsed();
    let stderr = String::from_utf8(output.stderr).unwrap();
    // A process that had not begun to listen yet is ended by the signal itself, which shells call 130 as well.
    let code = output
        .status
        .code()
        .or(output.status.signal().map(|signal| 128 + signal));
    if time > PATIENCE {
        return Err(format!("it goes on for {time:?}"));
    }
    let is_whole = is_whole(&path);
    match code {
        Some(130) if is_running => {}
        // It was ready just then.
        Some(0) if is_whole => {}
        code => return Err(format!("status {code:?}: {stderr}")),
    }
    let left = fs::read_dir(folder.path()).unwrap().count();
    match (old, left) {
        (None, 0) => Ok(()),
        (_, 1) if is_whole => Ok(()),
        (Some(old), 1) if fs::read_to_string(&path).unwrap() == old => Ok(()),
        _ => Err(format!("{left} files are left, perhaps not whole")),
    }
}

/// Whether there is a file that ends as files of its kind do.
fn is_whole(path: &Path) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.ends_with("\r\n") || text.ends_with("}\n") || text.trim_end().ends_with("</svg>")
}

#[test]
fn an_interrupt_at_any_moment_leaves_no_part_of_a_file() {
    let mut failures = Vec::new();
    for (moment, old) in MOMENTS
        .into_iter()
        .zip([None, Some("old")].into_iter().cycle())
    {
        for arguments in WORK {
            if let Err(message) = interrupt(arguments, moment, old) {
                failures.push(format!("{arguments:?} after {moment} ms: {message}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
