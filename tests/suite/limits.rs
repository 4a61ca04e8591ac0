//! Rules that reach a limit end quickly, with an error that says what to do.

use std::time::{Duration, Instant};

use crate::command::{Said, dicedist, say};

/// The time that every rule may take. It is generous, because the machine may be busy.
const QUICK: Duration = Duration::from_secs(10);

#[track_caller]
fn quickly(dialect: &str, rule: &str) -> Said {
    let started = Instant::now();
    let said = say(dicedist(["-d", dialect, "--exact", "--time-limit", "2"]).write_stdin(rule));
    let time = started.elapsed();
    let start: String = rule.chars().take(40).collect();
    assert!(time < QUICK, "{dialect}: {start}: {time:?}");
    assert!(
        said.stderr.len() < 20_000,
        "{dialect}: {start}: {} bytes of errors",
        said.stderr.len()
    );
    assert!(
        !said.stderr.contains("panicked"),
        "{dialect}: {start}: {}",
        said.stderr
    );
    said
}

#[test]
fn deep_nesting_is_a_clean_error() {
    let deep = 100_000;
    for dialect in ["bones", "dicelab"] {
        for rule in [
            format!("{}1{}", "(".repeat(deep), ")".repeat(deep)),
            "(".repeat(deep),
            ")".repeat(deep),
            format!("{}1", "-".repeat(deep)),
            format!("{}6", "d ".repeat(deep)),
            format!("{}1", "sum ".repeat(deep)),
            format!("{}1", "1^".repeat(deep)),
            format!("{}1", "1#".repeat(deep)),
            format!("{}1", "let x=1 in ".repeat(deep / 2)),
            format!("{}1", "if 1 then 2 else ".repeat(deep / 4)),
        ] {
            let said = quickly(dialect, &rule);
            assert!(
                matches!(said.code, Some(1 | 3)),
                "{dialect}: {:?} {}",
                said.code,
                &rule[..40]
            );
        }
    }
}

#[test]
fn long_flat_rules_are_answered_or_refused() {
    for rule in [
        format!("1{}", "+1".repeat(100_000)),
        format!("1{}", ",1".repeat(100_000)),
        format!("1{}", ";1".repeat(2_000)),
        "x".repeat(500_000),
        "9".repeat(500_000),
        "\u{0}".repeat(1_000),
        format!("1 // {}", "é".repeat(200_000)),
    ] {
        let said = quickly("bones", &rule);
        assert!(
            matches!(said.code, Some(0 | 1 | 3)),
            "{:?}: {}",
            said.code,
            said.stderr
        );
    }
}

#[test]
fn a_text_longer_than_the_limit_is_refused() {
    let said = quickly("bones", &" ".repeat(dicedist::limits::MAX_TEXT + 1));
    assert_eq!(said.code, Some(3), "{}", said.stderr);
}

#[test]
fn rules_too_large_to_answer_name_a_limit() {
    let long = "the rule builds a list of more than 10000000 members";
    // The limit that is reached first depends on the machine. Its message must be complete.
    for rule in ["9999999#d9999999", "while x=1 do (x,x)", "100#d100"] {
        let said = quickly("bones", rule);
        assert_eq!(said.code, Some(3), "{rule}: {}", said.stderr);
        let names = [
            ("more memory than the limit of 2 GiB", "--max-memory"),
            ("more states than the limit of 2000000", "--max-states"),
            ("more time than the limit of 2 s", "--time-limit"),
        ];
        let is_named = names.iter().any(|(limit, option)| {
            let help = format!("raise the limit with {option}");
            said.stderr.contains(&format!("the rule needs {limit}")) && said.stderr.contains(&help)
        });
        let is_named = is_named || said.stderr.contains(long);
        assert!(is_named, "{rule}: {}", said.stderr);
    }
    let said = quickly("bones", "1..1000000000000");
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    assert!(said.stderr.contains(long), "{}", said.stderr);
    let said = quickly("bones", "2^2^2^2^2^2");
    assert_eq!(said.code, Some(1), "{}", said.stderr);
}

#[test]
fn comparing_and_writing_have_a_time_limit_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.json");
    // Each rule is answered soon, but the gcds of the comparison take seconds.
    let rules = ["high 1 150000#d20", "high 1 150001#d20"];
    let started = Instant::now();
    let limits = ["--exact", "--time-limit", "0.6", "--json"];
    let said = say(dicedist(rules).args(limits).arg(&path));
    assert!(started.elapsed() < QUICK, "{:?}", started.elapsed());
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    for expected in ["more time than the limit of 0.6 s", "--time-limit"] {
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn reading_has_a_memory_limit_too() {
    let rule = format!("d6{}", ",d6".repeat(300_000));
    let limits = ["--max-memory", "32MiB", "--time-limit", "60"];
    let said = say(dicedist(limits).write_stdin(rule));
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    for expected in ["more memory than the limit of 32 MiB", "--max-memory"] {
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
}

#[test]
fn values_that_a_fixed_hash_puts_in_one_place_take_no_longer_than_others() {
    let time = |number: &str| {
        let rule = format!("d500*({number}*d500)");
        let once = || {
            let started = Instant::now();
            dicedist::analyze(
                dicedist::Dialect::Bones,
                &rule,
                &dicedist::Limits::default(),
            )
            .unwrap();
            started.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap()
    };
    // The first times 0xf1357aea2e62a9c5, the constant of rustc-hash, is small modulo 2^64: so are its multiples.
    let (chosen, other) = (time("6868864609671"), time("6868864609673"));
    assert!(chosen < 5 * other, "{chosen:?} and {other:?}");
}
