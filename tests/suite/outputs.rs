//! What is written where: files that are replaced whole, files that must not be, and standard output in all its states.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::command::run;

/// The binary behind a script of the shell, which sees it as `"$@"`.
fn through_shell(script: &str, arguments: &[&str], folder: &TempDir) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_dicedist")])
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null());
    command
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn files_keep_their_permissions_and_new_files_follow_the_mask() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    for permissions in [
        0o600, 0o640, 0o644, 0o666, 0o777, 0o755, 0o1666, 0o2664, 0o4755,
    ] {
        for mask in ["000", "027", "077"] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(permissions)).unwrap();
            let script = format!("umask {mask}; exec \"$@\"");
            let output = through_shell(&script, &["d6", "--csv", "out"], &folder).output();
            assert_eq!(output.unwrap().status.code(), Some(0));
            assert!(fs::read_to_string(&path).unwrap().starts_with("name,"));
            let kept = mode(&path);
            assert_eq!(
                kept, permissions,
                "{kept:o} for {permissions:o}, mask {mask}"
            );
        }
    }
    for (mask, expected) in [("000", 0o666), ("022", 0o644), ("077", 0o600)] {
        let script = format!("umask {mask}; exec \"$@\"");
        let output = through_shell(&script, &["d6", "--csv", mask], &folder).output();
        assert_eq!(output.unwrap().status.code(), Some(0));
        assert_eq!(mode(&folder.path().join(mask)), expected, "{mask}");
    }
}

#[test]
fn a_file_longer_than_the_system_allows_is_an_error_of_writing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out"), "old").unwrap();
    let script = "ulimit -f 8; exec \"$@\"";
    for option in ["--csv", "--json"] {
        let output = through_shell(script, &["d10000", option, "out"], &folder).output();
        let (code, _, stderr) = said(&output.unwrap());
        assert_eq!(code, Some(4), "{option}: {stderr}");
        assert_eq!(stderr, "error: cannot write 'out': file too large\n");
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(
            fs::read_to_string(folder.path().join("out")).unwrap(),
            "old"
        );
    }
    let script = "ulimit -f 8; exec \"$@\" >table";
    for arguments in [["d10000", "--all"], ["--completions", "zsh"]] {
        let output = through_shell(script, &arguments, &folder).output();
        let (code, _, stderr) = said(&output.unwrap());
        assert_eq!(code, Some(4), "{arguments:?}: {stderr}");
        let message = "error: cannot write to standard output: file too large\n";
        assert_eq!(stderr, message, "{arguments:?}");
    }
}

/// Work of many seconds.
const WORK: [&str; 8] = [
    "100#d100",
    "--exact",
    "--time-limit",
    "60",
    "--max-states",
    "1000000000",
    "--max-memory",
    "8GiB",
];

#[test]
fn each_signal_that_asks_to_stop_leaves_nothing_behind() {
    for signal in ["HUP", "INT", "QUIT", "TERM", "XCPU"] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = crate::command::answering_signals()
            .args(WORK)
            .args(["--csv", "out", "--svg", "picture"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while names(folder.path()).len() < 2 {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            sleep(Duration::from_millis(5));
        }
        let started = Instant::now();
        let mut kill = Command::new("kill");
        kill.args(["-s", signal, &child.id().to_string()]);
        assert!(kill.status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        let time = started.elapsed();
        assert!(time < Duration::from_millis(1_500), "{signal}: {time:?}");
        assert!(names(folder.path()).is_empty(), "{signal}");
    }
}

/// Where calls of the system cannot be listened to, nothing is tested.
#[cfg(target_os = "linux")]
#[test]
fn a_file_is_on_the_disk_before_it_takes_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let script = "exec strace -f -qq -e trace=fsync,rename,renameat,renameat2 -o calls \"$@\"";
    let output = through_shell(script, &["d6", "--csv", "out"], &folder).output();
    let calls = fs::read_to_string(folder.path().join("calls")).unwrap_or_default();
    if !output.unwrap().status.success() || !calls.contains("rename") {
        return;
    }
    let stored = calls.find("fsync(").expect(&calls);
    assert!(stored < calls.find("rename").unwrap(), "{calls}");
}

#[test]
fn an_output_is_no_file_that_rules_are_read_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("rules"), "d6").unwrap();
    fs::hard_link(path("rules"), path("hard")).unwrap();
    symlink("rules", path("soft")).unwrap();
    let through = format!(
        "../{}/rules",
        folder.path().file_name().unwrap().to_str().unwrap()
    );
    for output in ["rules", "./rules", "hard", "soft", &through] {
        for option in ["--csv", "--json", "--svg"] {
            for (script, input) in [
                ("exec \"$@\" -f rules", "a file"),
                ("exec \"$@\" -f soft", "a link"),
                ("exec \"$@\" <rules", "standard input"),
                ("exec \"$@\" -f - <hard", "standard input by name"),
            ] {
                let output_of = through_shell(script, &[option, output], &folder).output();
                let (code, stdout, stderr) = said(&output_of.unwrap());
                assert_eq!(code, Some(2), "{option} {output}, {input}: {stderr}");
                assert!(stderr.contains("that rules are read from"), "{stderr}");
                assert_eq!(stdout, "");
            }
        }
    }
    assert_eq!(fs::read_to_string(path("rules")).unwrap(), "d6");
    assert_eq!(names(folder.path()), ["hard", "rules", "soft"]);
    // What is not read may be written, and nobody reads a file that is only there.
    let output = through_shell("exec \"$@\" <rules", &["d6", "--csv", "rules"], &folder).output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}

#[test]
fn a_wrong_output_is_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rules"), "d6 +").unwrap();
    let arguments = ["-f", "rules", "-f", "missing", "--csv", "rules"];
    let output = through_shell("exec \"$@\"", &arguments, &folder).output();
    let (code, _, stderr) = said(&output.unwrap());
    assert_eq!(code, Some(2), "{stderr}");
}

#[test]
fn two_outputs_are_two_files_whatever_they_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "old").unwrap();
    fs::hard_link(path("file"), path("hard")).unwrap();
    symlink("file", path("soft")).unwrap();
    symlink("missing", path("dangling")).unwrap();
    for (first, second) in [
        ("file", "hard"),
        ("file", "soft"),
        ("hard", "soft"),
        ("missing", "dangling"),
        ("new", "./new"),
        ("/dev/stdout", "-"),
        ("/dev/fd/1", "/dev/stdout"),
    ] {
        let arguments = ["d6", "--csv", first, "--json", second];
        let output = through_shell("exec \"$@\" | cat", &arguments, &folder).output();
        let (_, stdout, stderr) = said(&output.unwrap());
        assert!(
            stderr.contains("two outputs go to the same place"),
            "{first} {second}"
        );
        assert_eq!(stdout, "", "{first} {second}");
    }
    assert_eq!(fs::read_to_string(path("file")).unwrap(), "old");
    assert!(!path("missing").exists() && !path("new").exists());
}

#[test]
fn the_name_of_a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["new/", "new//", "new/.", "a/new/"] {
        let output = through_shell("exec \"$@\"", &["d6", "--csv", path], &folder).output();
        let (code, stdout, stderr) = said(&output.unwrap());
        assert_eq!(code, Some(4), "{path}: {stderr}");
        let words = "this is the name of a folder, not of a file";
        assert_eq!(stderr, format!("error: cannot write '{path}': {words}\n"));
        assert_eq!(stdout, "");
        assert!(names(folder.path()).is_empty(), "{path}");
    }
}

/// Ways to print something.
const PRINTING: [&[&str]; 7] = [
    &["d6"],
    &["d6", "--format", "json"],
    &["d6", "--csv", "-"],
    &["--roll", "2", "d6"],
    &["--print-tree", "d6"],
    &["--help"],
    &["--man"],
];

#[test]
fn a_closed_standard_output_is_an_error_of_writing() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in PRINTING {
        let output = through_shell("exec \"$@\" >&-", arguments, &folder).output();
        let (code, _, stderr) = said(&output.unwrap());
        assert_eq!(code, Some(4), "{arguments:?}: {stderr}");
        assert!(
            stderr.contains("cannot write to standard output"),
            "{stderr}"
        );
        assert!(stderr.contains("it is closed"), "{stderr}");
        // Who throws the output away, in either way, wants it so.
        for script in ["exec \"$@\" >/dev/null", "exec \"$@\" 1<>/dev/null"] {
            let output = through_shell(script, arguments, &folder).output();
            let (code, _, stderr) = said(&output.unwrap());
            assert_eq!(code, Some(0), "{script} {arguments:?}: {stderr}");
        }
    }
    // Where nothing is to be printed, nothing is missing.
    let output = through_shell("exec \"$@\" >&-", &["d6 +"], &folder).output();
    assert_eq!(output.unwrap().status.code(), Some(1));
}

#[test]
fn a_file_that_is_standard_output_as_well_holds_both() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("both");
    let csv = run(["d6", "--format", "csv"]).stdout;
    let table = run(["d6"]).stdout;
    for name in [
        "/dev/stdout",
        "/dev/fd/1",
        "/proc/self/fd/1",
        "both",
        "./both",
    ] {
        if name.starts_with("/proc") && !Path::new(name).exists() {
            continue;
        }
        for script in ["exec \"$@\" >both", "exec \"$@\" >>both"] {
            fs::write(&path, "").unwrap();
            let output = through_shell(script, &["d6", "--csv", name], &folder).output();
            let (code, _, stderr) = said(&output.unwrap());
            assert_eq!(code, Some(0), "{name}: {stderr}");
            let both = fs::read_to_string(&path).unwrap();
            assert_eq!(both, format!("{csv}{table}"), "{name}");
            assert_eq!(names(folder.path()), ["both"], "{name}");
        }
    }
    let said = run(["d6", "--csv", "/dev/stdout"]);
    assert_eq!(said.stdout, format!("{csv}{table}"));
    let closed = ["d100000", "--csv", "/dev/stdout"];
    let output = through_shell("\"$@\" | true", &closed, &folder).output();
    assert_eq!(output.unwrap().stderr, b"", "a closed pipe is no error");
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_process_holds_open_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let script = "{ echo first >&3; \"$@\" >table; echo last >&3; } 3>>held";
    let output = through_shell(script, &["d6", "--csv", "/dev/fd/3"], &folder).output();
    let (code, _, stderr) = said(&output.unwrap());
    assert_eq!(code, Some(0), "{stderr}");
    let held = fs::read_to_string(folder.path().join("held")).unwrap();
    assert!(
        held.starts_with("first\nname,") && held.ends_with("\nlast\n"),
        "{held}"
    );
    assert_eq!(names(folder.path()), ["held", "table"]);
}

/// A picture shows what is asked: the part of the distribution, or the chance from rule to rule.
#[cfg(feature = "svg")]
#[test]
fn the_question_is_drawn() {
    let picture = |args: &[&str]| {
        let said = crate::command::run(args.iter().copied().chain(["--svg", "-"]));
        assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
        said.stdout
    };
    // 5 of 36 pairs show 6.
    let one = picture(&["sum(2#d6)", "--exactly", "6"]);
    assert!(one.contains("6: 13.9%"), "{one}");
    let bars = |picture: &str, faded| {
        let bars = picture.lines().filter(|line| line.contains("class=\"bar "));
        bars.filter(|line| line.contains("fill-opacity") == faded)
            .count()
    };
    // One bar of eleven is in full colour, the others are faded.
    assert_eq!((bars(&one, false), bars(&one, true)), (1, 10));
    let plain = picture(&["sum(2#d6)"]);
    assert_eq!((bars(&plain, false), bars(&plain, true)), (11, 0));
    // Two ones or more of n coins: 0, 1/4, 1/2.
    let sweep = picture(&["count ==1 n#d2", "--set", "n=1..3", "--at-least", "2"]);
    assert!(
        sweep.contains("half of the time or more from n=3 on"),
        "{sweep}"
    );
    assert!(
        sweep.contains("at least 2") && sweep.contains("50%"),
        "{sweep}"
    );
}

/// Rules with one value of a variable are no sweep: they are compared.
#[test]
fn rules_with_one_value_each_are_compared() {
    let said = crate::command::run(["sum(n#d6)", "sum(n#d8)", "--set", "n=2"]);
    assert!(said.stdout.contains("first is higher"), "{}", said.stdout);
    let said = crate::command::run(["sum(n#d6)", "--set", "n=1,2"]);
    assert!(!said.stdout.contains("first is higher"), "{}", said.stdout);
}

/// A document or picture without intervals says that its numbers are sampled.
#[test]
fn sampled_numbers_are_labelled_where_there_are_no_intervals() {
    let rule = "count(distinct (30+n)#d365)";
    let sampled = [
        "--max-states",
        "50",
        "--samples",
        "2000",
        "--seed",
        "1",
        "--set",
        "n=1,2",
    ];
    let said = |others: &[&str]| {
        let args = [rule]
            .into_iter()
            .chain(sampled)
            .chain(others.iter().copied());
        crate::command::run(args).stdout
    };
    for layout in ["--csv-layout=wide", "--transpose"] {
        let document = said(&["--format", "csv", layout]);
        assert!(document.contains("(sampled)"), "{layout}: {document}");
        let document = said(&["--format", "csv", layout, "--at-least", "29"]);
        assert!(
            layout == "--transpose" || document.contains("(sampled)"),
            "{document}"
        );
    }
    #[cfg(feature = "svg")]
    for others in [&["--at-least", "29"][..], &["--transpose"]] {
        let picture = said(&[others, &["--svg", "-"]].concat());
        assert!(picture.contains("sampled"), "{others:?}");
    }
}
