//! Ctrl-C at any moment ends the process within about a second, with status 130 and without an incomplete file.

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

/// The time that an interrupted process may take to end. It is generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The moments of interruption, in milliseconds after the start, spread over the phases of a process.
const MOMENTS: [u64; 4] = [20, 90, 350, 700];

/// Interrupts a process at a moment; an error says what was wrong with its end.
fn interrupt(arguments: &[&str], moment: u64, old: Option<&str>) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    if let Some(text) = old {
        fs::write(&path, text).unwrap();
    }
    let mut child = crate::command::answering_signals()
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
    // Before the process handles interrupts, the signal itself ends it; shells report this as 130, too.
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
        // The process ended before the interrupt.
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

/// Whether the file exists, and ends as a complete file of its kind does.
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
