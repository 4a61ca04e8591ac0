//! Every input ends soon, with an answer, or with the expected kind of error and exit status.
//!
//! The inputs are the lines of the files in `tests/hostile`. A line is the kind of error, a colon, and the text. The kind is
//! `answer` for no error, `answer=[1,2]` for a certain answer, or several allowed kinds with `|` between them. In a text `\n`,
//! `\t`, `\r`, `\\` and `\u{0}` have the meaning that they have in Rust, and `«+1×1000»` is a thousand times `+1`. A kind says
//! what a user should be told; it is never copied from the output of the program.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use dicedist::source::is_invisible;

use crate::command::{Said, dicedist, package, run, say};
use crate::oracle::Listing;

/// The time that every input may take. It is generous, because the machine may be busy.
const QUICK: Duration = Duration::from_secs(10);

/// The limits for all rules.
const LIMITS: [&str; 7] = [
    "--exact",
    "--time-limit",
    "0.3",
    "--max-states",
    "20000",
    "--max-memory",
    "64M",
];

/// The largest number of outcomes whose probabilities are added up.
const MANY: usize = 2_000;

/// One input, and its expected result.
struct Case {
    line: usize,
    kinds: Vec<String>,
    text: String,
}

/// The inputs of a file of `tests/hostile`.
fn cases(name: &str) -> Vec<Case> {
    let text = fs::read_to_string(package("tests/hostile").join(name)).unwrap();
    let lines = (1..).zip(text.split('\n'));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("//"));
    lines
        .map(|(line, text)| {
            let (kinds, text) = text.split_once(" : ").unwrap();
            Case {
                line,
                kinds: kinds.split('|').map(str::to_owned).collect(),
                text: text.to_owned(),
            }
        })
        .collect()
}

/// A text with escapes and repetitions written out.
fn written_out(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (letter, length) = match rest.strip_prefix('\\') {
            None => (first, first.len_utf8()),
            Some(escape) => match escape.strip_prefix("u{") {
                None => (unescaped(escape), 2),
                Some(code) => {
                    let (code, _) = code.split_once('}').unwrap();
                    let number = u32::from_str_radix(code, 16).unwrap();
                    (char::from_u32(number).unwrap(), code.len() + 4)
                }
            },
        };
        plain.push(letter);
        rest = &rest[length..];
    }
    let mut whole = String::new();
    let mut rest = plain.as_str();
    while let Some((before, after)) = rest.split_once('«') {
        let (repeated, after) = after.split_once('»').unwrap();
        let (part, times) = repeated.rsplit_once('×').unwrap();
        whole.push_str(before);
        whole.push_str(&part.repeat(times.parse().unwrap()));
        rest = after;
    }
    whole.push_str(rest);
    whole
}

fn unescaped(escape: &str) -> char {
    match escape.chars().next().unwrap() {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}

/// The exit status that goes with a kind of error.
fn status(kind: &str) -> i32 {
    match kind {
        "answer" => 0,
        "usage" => 2,
        "limit" => 3,
        "io" => 4,
        _ => 1,
    }
}

/// Whether a character controls a terminal or is invisible, and joins no others.
fn gives_orders(sign: char) -> bool {
    let joins = matches!(sign, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    sign.is_control() && !"\t\r\n".contains(sign) || is_invisible(sign) && !joins
}

/// Checks the result of a process; an error says what is wrong.
fn judge(case: &Case, said: &Said, time: Duration) -> Result<(), String> {
    let Said {
        code,
        stdout,
        stderr,
    } = said;
    let stderr_start: String = stderr.chars().take(300).collect();
    let kinds = || {
        case.kinds
            .iter()
            .map(|kind| kind.split('=').next().unwrap())
    };
    let is_expected = |kind: &str| kinds().any(|expected| expected == kind);
    if time > QUICK {
        return Err(format!("{time:?}"));
    }
    if stdout.contains(gives_orders) || stderr.contains(gives_orders) {
        return Err(format!(
            "orders to the terminal: {stdout:.300} {stderr_start}"
        ));
    }
    let is_json = stderr.starts_with("{\"errors\"");
    // In JSON the beginning of a rule without a name is repeated with each of at most twenty findings.
    let longest = if is_json { 80_000 } else { 20_000 };
    if stderr.contains("panicked") || stderr.len() > longest {
        return Err(format!("{} bytes: {stderr_start}", stderr.len()));
    }
    if !kinds().any(|kind| *code == Some(status(kind))) {
        return Err(format!("status {code:?}: {stderr_start}"));
    }
    if *code == Some(2) && !stdout.is_empty() {
        return Err("a wrong command line has been answered".into());
    }
    if *code != Some(0) && stderr.is_empty() {
        return Err("nothing is said".into());
    }
    if is_json {
        for error in said.errors()["errors"].as_array().unwrap() {
            let kind = error["kind"].as_str().unwrap();
            if !is_expected(kind) {
                return Err(format!("{kind}: {stderr_start}"));
            }
        }
    }
    if *code == Some(0) && stdout.starts_with("{\n") {
        for rule in said.json()["rules"].as_array().unwrap() {
            if rule["outcomes"].as_array().unwrap().len() <= MANY {
                Listing::of(rule)?;
            }
        }
        let certain = case.kinds.iter().find_map(|kind| kind.split_once('='));
        if let Some((_, value)) = certain {
            let outcomes = &said.json()["rules"][0]["outcomes"];
            let (found, probability) = (&outcomes[0]["value"], &outcomes[0]["probability"]);
            if serde_json::from_str(value).ok().as_ref() != Some(found) || probability != "1" {
                return Err(format!("{found} with probability {probability}"));
            }
        }
    }
    Ok(())
}

/// What the process says if the last net ends it, because nobody has seen that the memory was taken.
const LAST_NET: &str = "everything is given up: the rule needs more memory";

/// Runs all inputs of a file, and reports all wrong results.
#[track_caller]
fn all_end_well(name: &str, at_least: usize, go: impl Fn(&str) -> Result<Said, String>) {
    let cases = cases(name);
    assert!(cases.len() >= at_least, "{name}: {} inputs", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let started = Instant::now();
        let judged = go(&case.text).and_then(|said| judge(case, &said, started.elapsed()));
        if let Err(message) = judged {
            let Case { line, kinds, text } = case;
            let kinds = kinds.join("|");
            failures.push(format!("{name}:{line}: {kinds}: {text}\n    {message}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[track_caller]
fn rules_end_well(dialect: &str, at_least: usize) {
    all_end_well(&format!("{dialect}.txt"), at_least, |text| {
        let mut command = dicedist(["--dialect", dialect, "--format", "json"]);
        let said = say(command.args(LIMITS).write_stdin(written_out(text)));
        if said.stderr.contains(LAST_NET) {
            return Err(format!("the last net was needed: {}", said.stderr));
        }
        Ok(said)
    });
}

#[test]
fn hostile_bones_ends_well() {
    rules_end_well("bones", 400);
}

#[test]
fn hostile_dicelab_ends_well() {
    rules_end_well("dicelab", 120);
}

#[test]
fn hostile_dicebag_ends_well() {
    rules_end_well("dicebag", 130);
}

#[test]
fn hostile_diceroller_ends_well() {
    rules_end_well("diceroller", 120);
}

#[test]
fn hostile_onedice_ends_well() {
    rules_end_well("onedice", 180);
}

#[test]
fn hostile_anydice_ends_well() {
    rules_end_well("anydice", 100);
}

#[test]
fn hostile_tabletop_ends_well() {
    rules_end_well("tabletop", 170);
}

/// What somebody may call something, or count with, in any notation: `X` is a long name, and `9` a long number.
const LONG_WORDS: [&str; 26] = [
    "X",
    "X X",
    "1 X",
    "1X",
    "X1",
    "dX",
    "d9",
    "9d6",
    "9#d6",
    "9D6",
    "1D9",
    "9 9",
    "(9",
    "{X}",
    "{X}+1",
    "{9}",
    "$X",
    "$t9",
    "X(1)",
    "sum(X)",
    "let X=1 in 2",
    "let X=1 in X X",
    "foreach X in 1..2 do 1",
    "X [X]: d6",
    "X: X",
    "\"X\"",
];

#[test]
fn long_words_of_a_rule_are_shown_in_part() {
    let (name, number) = ("x".repeat(300_000), "9".repeat(300_000));
    let mut failures = Vec::new();
    for dialect in dicedist::Dialect::ALL {
        for word in LONG_WORDS {
            let text = word.replace('X', &name).replace('9', &number);
            for format in ["table", "json"] {
                let mut command = dicedist(["-d", dialect.name(), "--format", format]);
                let said = say(command.args(LIMITS).write_stdin(&*text));
                if said.stderr.len() > 10_000 {
                    let start: String = said.stderr.chars().take(100).collect();
                    failures.push(format!("{dialect}: {word}: {start}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The words of a command line: between blanks, or between quotes.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').unwrap(),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word);
        rest = after.trim_start();
    }
    words
}

#[test]
fn hostile_command_lines_end_well() {
    let place = tempfile::tempdir().unwrap();
    let long = " ".repeat(dicedist::limits::MAX_TEXT + 1);
    fs::create_dir(place.path().join("folder")).unwrap();
    for (name, content) in [
        ("empty", b"".as_slice()),
        ("file", b"d6\n"),
        ("latin", b"d6\n// gr\xf6\xdfer"),
        ("long", long.as_bytes()),
        ("mark", "\u{feff}d6".as_bytes()),
        ("nothing", &[0; 1000]),
    ] {
        fs::write(place.path().join(name), content).unwrap();
    }
    let names = "empty file folder latin long mark missing nothing";
    let in_place = |word: &str| {
        names.split(' ').fold(written_out(word), |word, name| {
            let path = place.path().join(name);
            word.replace(&format!("{{{name}}}"), path.to_str().unwrap())
        })
    };
    all_end_well("command.txt", 200, |line| {
        Ok(run(words(line).into_iter().map(in_place)))
    });
    let left = fs::read_dir(place.path().join("folder")).unwrap().count();
    assert_eq!(left, 0, "what goes wrong leaves no file");
}

#[test]
fn a_file_stays_as_it_is_unless_its_successor_is_whole() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("old.csv");
    fs::write(&path, "old").unwrap();
    let target = path.to_str().unwrap();
    for (arguments, code) in [
        (vec!["d6 +", "--csv", target], 1),
        (vec!["1..10^12", "--csv", target], 3),
        (vec!["d6", "--csv", target, "--json", "no/such/folder"], 4),
        (vec!["d6", "--csv", target, "--json", target], 2),
    ] {
        let said = run(&arguments);
        assert_eq!(said.code, Some(code), "{arguments:?}: {}", said.stderr);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old", "{arguments:?}");
        let names = fs::read_dir(place.path()).unwrap().count();
        assert_eq!(names, 1, "{arguments:?} leaves another file");
    }
    assert_eq!(run(["d6", "--csv", target]).code, Some(0));
    assert!(fs::read_to_string(&path).unwrap().starts_with("name,"));
}

/// Commands that print little, and commands that print much.
const PRINTING: [&[&str]; 13] = [
    &["d6"],
    &["d100000", "--all"],
    &["d6", "d8", "--format", "csv"],
    &["d100000", "--format", "csv"],
    &["d100000", "--format", "json"],
    &["d6", "--format", "markdown"],
    &["d6", "--at-least", "3"],
    &["d6", "--svg", "-"],
    &["--roll", "100000", "d6"],
    &["--print-tree", "d6"],
    &["--help"],
    &["--man"],
    &["--completions", "zsh"],
];

#[test]
fn a_pipe_that_nobody_reads_ends_everything_quietly() {
    for arguments in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let said = direct(arguments, Stdio::null(), writer.into(), Stdio::piped());
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.stderr);
        assert_eq!(said.stderr, "", "{arguments:?}");
    }
    // Standard error is closed as well: only the exit status is left.
    for (arguments, code) in [
        (["d6 +", "d6"], 1),
        (["--digits", "x"], 2),
        (["-f", "no/such/file"], 4),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let said = direct(&arguments, Stdio::null(), Stdio::null(), writer.into());
        assert_eq!(said.code, Some(code), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_of_writing() {
    let full = || Stdio::from(File::create("/dev/full").unwrap());
    for arguments in PRINTING {
        let said = direct(arguments, Stdio::null(), full(), Stdio::piped());
        assert_eq!(said.code, Some(4), "{arguments:?}: {}", said.stderr);
        assert!(said.stderr.contains("standard output"), "{}", said.stderr);
    }
    for option in ["--csv", "--json", "--svg"] {
        let said = run(["d6", option, "/dev/full"]);
        assert_eq!(said.code, Some(4), "{option}: {}", said.stderr);
        assert!(said.stderr.contains("/dev/full"), "{}", said.stderr);
    }
    let said = direct(&["d6 +"], Stdio::null(), Stdio::null(), full());
    assert_eq!(said.code, Some(1), "the status says what nothing can print");
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_folders_are_read_no_further_than_a_text_may_be_long() {
    let said = run(["-f", "/dev/zero"]);
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    let said = run(["-f", "/dev/null"]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let said = run(["-f", "/proc/self/mem"]);
    assert_eq!(said.code, Some(4), "{}", said.stderr);
    let zeros = Stdio::from(File::open("/dev/zero").unwrap());
    let said = direct(&[], zeros, Stdio::piped(), Stdio::piped());
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    let folder = Stdio::from(File::open(package("tests")).unwrap());
    let said = direct(&[], folder, Stdio::piped(), Stdio::piped());
    assert_eq!(said.code, Some(4), "{}", said.stderr);
    assert!(said.stderr.contains("directory"), "{}", said.stderr);
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_refused_where_text_is_asked() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt as _;

    let bytes = OsStr::from_bytes;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join(bytes(b"\xff\xfe.csv"));
    let cases: [(Vec<OsString>, i32); 10] = [
        (vec![bytes(b"d6\xff").into()], 2),
        (vec![bytes(b"\xc0\x80").into()], 2),
        (vec![bytes(b"d6 // \xed\xa0\x80").into()], 2),
        (vec![bytes(b"--\xff").into(), "d6".into()], 2),
        (vec!["--set".into(), bytes(b"\xff=1").into(), "n".into()], 2),
        (vec!["-d".into(), bytes(b"\xff").into(), "d6".into()], 2),
        (vec!["--digits".into(), bytes(b"\xff").into()], 2),
        (vec!["-f".into(), bytes(b"\xff/no/file").into()], 4),
        (vec!["-f".into(), (&path).into()], 4),
        (vec!["d6".into(), "--csv".into(), (&path).into()], 0),
    ];
    for (arguments, code) in cases {
        let said = run(&arguments);
        assert_eq!(said.code, Some(code), "{arguments:?}: {}", said.stderr);
        assert_eq!(code == 0, said.stderr.is_empty(), "{arguments:?}");
    }
    assert!(path.exists(), "a path need not be text");
    for dialect in dicedist::Dialect::ALL {
        for input in [
            b"\xff".as_slice(),
            b"1d6\n\n\xc3",
            b"1 // \xf0\x9f",
            &[0x80; 10_000],
        ] {
            let arguments = ["-d", dialect.name(), "--format", "json"];
            let said = say(dicedist(arguments).write_stdin(input));
            assert_eq!(said.code, Some(4), "{dialect}: {}", said.stderr);
            assert_eq!(said.errors()["errors"][0]["kind"], "io");
        }
    }
}

/// Runs the binary with the given streams.
fn direct(arguments: &[&str], input: Stdio, output: Stdio, errors: Stdio) -> Said {
    let binary = Path::new(env!("CARGO_BIN_EXE_dicedist"));
    let mut command = std::process::Command::new(binary);
    command.args(arguments).stdin(input);
    let child = command.stdout(output).stderr(errors).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
