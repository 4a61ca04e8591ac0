//! One budget of time and memory for all that a call does, and one for each analysis of the library.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dicedist::Dialect;
use dicedist::engine;
use dicedist::limits::{LimitReached, Limits, Observer, Unobserved};

use crate::rules::read;

use crate::command::{dicedist, run, say};

/// Each answer has some 100,000 outcomes of 8 bytes or more, so 300 of them would take 240 MB.
#[test]
fn outcomes_that_are_not_asked_for_are_not_kept() {
    let said = run([
        "--max-memory",
        "64M",
        "--time-limit",
        "600",
        "--set",
        "n=1..300",
        "d(1000*n)",
        "--at-least",
        "5",
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    // A title, an empty line, headings, and a line for each value.
    assert_eq!(said.stdout.lines().count(), 303);
    // P(at least 5) of 1,000 sides.
    assert!(said.stdout.contains("249/250"), "{}", said.stdout);
}

#[test]
fn one_roll_keeps_to_the_time_and_the_memory() {
    let started = Instant::now();
    let long = "count(foreach x in 1..3000 do sum(foreach y in 1..3000 do x*y))";
    let said = run(["--roll", "1", "--time-limit", "0.2", long]);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    assert!(started.elapsed() < Duration::from_secs(5));
    let large = "let x=1..(10^6) in let y=(x,x,x,x) in count(y,y)";
    let said = run(["--roll", "1", "--max-memory", "40M", large]);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    assert!(
        said.stderr.contains("more memory than the limit of 40 MiB"),
        "{}",
        said.stderr
    );
}

/// The reader of the output waits longer than the limits allow.
#[cfg(unix)]
#[test]
fn waiting_for_a_reader_is_no_work() {
    let program = env!("CARGO_BIN_EXE_dicedist");
    let whole = say(&mut dicedist(["--all", "sum(800#d6)", "--time-limit", "1"]));
    assert!(whole.stdout.len() > 80_000, "more than a pipe holds");
    let slow = format!("{program} --all 'sum(800#d6)' --time-limit 1 | (sleep 2; wc -c)");
    let counted = say(assert_cmd::Command::new("sh").args(["-c", &slow]));
    assert_eq!(counted.stdout.trim(), whole.stdout.len().to_string());
}

#[test]
fn many_wrong_rules_are_wrong_rather_than_too_long() {
    let mut rules = String::new();
    for _ in 0..900 {
        writeln!(rules, "d6 d6 (").unwrap();
    }
    let said = say(dicedist(["--time-limit", "5"]).write_stdin(rules));
    assert_eq!(said.code, Some(1), "{}", said.stderr.len());
    assert!(!said.stderr.contains("limit"), "{}", &said.stderr[..500]);
}

#[test]
fn a_range_of_values_takes_no_memory_until_it_is_used() {
    let settings = (0..2_000).flat_map(|index| ["--set".into(), format!("a{index}=1..10000")]);
    let said = run(settings.chain(["--max-memory=16M".into(), "d6".into()]));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("no rule has"), "{}", said.stderr);
}

#[test]
fn texts_share_the_memory_of_the_call() {
    let folder = tempfile();
    let path = folder.join("long.bones");
    std::fs::write(&path, format!("d6 {}", " ".repeat((1 << 20) - 10))).unwrap();
    let file = path.to_str().unwrap();
    let files = (0..64).flat_map(|_| ["-f", file]);
    let said = run(files.chain(["--max-memory", "16M"]));
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    assert!(said.stderr.contains("--max-memory"), "{}", said.stderr);
}

fn tempfile() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("dicedist-budget-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Stops an analysis that another thread asked to stop.
struct Flag<'a>(&'a AtomicBool);

impl Observer for Flag<'_> {
    fn is_interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn threads_analyse_at_once_and_each_keeps_its_own_budget() {
    let rules = [
        "sum(drop low 1 4#d6)",
        "count >7 20#d10",
        "sum(while x=d6 do ((count ==6 x)#d6))",
        "let x=8#d6 in high 1 (foreach f in 1..6 do count (==f x))",
    ];
    let limits = Limits::default();
    let solve = |text: &str, observer: &dyn Observer, limits: &Limits| {
        let program = read(Dialect::Bones, text).unwrap().sorted();
        let answer = engine::analyze(&program, limits, observer);
        answer.map(|answer| answer.law)
    };
    let alone = rules.map(|text| solve(text, &Unobserved, &limits).unwrap());
    let stop = AtomicBool::new(false);
    let endless = limits.clone().with_time(None).with_states(u64::MAX);
    thread::scope(|scope| {
        // One has no room, and one is asked to stop.
        let heavy = "let x=100#d100 in (sum high 50 x)*(count ==1 x)";
        let small = scope.spawn(|| solve(heavy, &Unobserved, &Limits::default().with_states(10)));
        let stopped = scope.spawn(|| solve("100#d100", &Flag(&stop), &endless));
        let (solve, limits) = (&solve, &limits);
        let six = rules.iter().zip(&alone).cycle().take(6);
        let others = six.map(|(text, law)| {
            (
                scope.spawn(move || solve(text, &Unobserved, limits)),
                text,
                law,
            )
        });
        for (other, text, law) in others.collect::<Vec<_>>() {
            assert_eq!(&other.join().unwrap().unwrap(), law, "{text}");
        }
        stop.store(true, Ordering::Relaxed);
        let stopped = stopped.join().unwrap().unwrap_err();
        assert_eq!(stopped.limit(), Some(LimitReached::Interrupted));
        let small = small.join().unwrap().unwrap_err();
        assert_eq!(small.limit(), Some(LimitReached::States(10)));
    });
}
