//! Rules that reach a limit end quickly, with an error that says what to do.

use std::time::{Duration, Instant};

use dicedist::engine;
use dicedist::ir::{Arena, Comparison, Program, Site, Term};
use dicedist::limits::{Limits, Unobserved};
use dicedist::source::Span;

use crate::command::{Said, dicedist, run, say};

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
    // Whichever of the two the time ends in.
    let reasons = [
        "more time than the limit of 0.6 s",
        "the limit of time is reached",
    ];
    let has_reason = reasons.iter().any(|reason| said.stderr.contains(reason));
    assert!(
        has_reason && said.stderr.contains("--time-limit"),
        "{}",
        said.stderr
    );
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
            crate::rules::analyze(
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

/// Checks the exit status, and that no net had to end the process.
#[track_caller]
fn ends_by_itself(rule: &str, said: &Said, codes: &[i32]) {
    let is_expected = said.code.is_some_and(|code| codes.contains(&code));
    assert!(is_expected, "{rule}: {:?}: {}", said.code, said.stderr);
    assert!(
        !said.stderr.contains("given up:"),
        "{rule}: {}",
        said.stderr
    );
}

/// Rules of more dice, or of longer lists, than there is memory for.
const TOO_LARGE: [(&str, &str); 8] = [
    ("bones", "count >7 drop low 5 4294967295#d10"),
    ("diceroller", "4294967295D6 H3 G"),
    (
        "bones",
        "let x=1000000000#d10 in (count ==1 x)*(count ==2 x)",
    ),
    ("bones", "first 3 (4000000000#1)"),
    ("bones", "high 2 (4000000000#d6)"),
    ("bones", "sum(4000000000#(d6,d6))"),
    ("bones", "let x=4000000000#d6 in (high 1 x) - (low 1 x)"),
    ("dicelab", "sum high 2 4000000000#d6"),
];

#[test]
fn more_dice_than_fit_the_memory_are_a_limit() {
    for (dialect, rule) in TOO_LARGE {
        let said = quickly(dialect, rule);
        assert_eq!(said.code, Some(3), "{rule}: {}", said.stderr);
        let limit = "the rule needs more memory than the limit of 2 GiB";
        assert!(said.stderr.contains(limit), "{rule}: {}", said.stderr);
        assert!(
            !said.stderr.contains("given up:"),
            "{rule}: {}",
            said.stderr
        );
    }
}

/// Rules that build lists of ten million members or more, or copy long ones several times.
const LONG_LISTS: [&str; 24] = [
    "count(1..(10^7))",
    "sort(1..(10^7))",
    "1..(10^7)",
    "sum(1..(10^7))",
    "(1..(10^7)),(1..(10^7))",
    "let x=1..(10^7) in sum(x)+count(x)",
    "let x=1..(10^6) in let y=(x,x,x) in sum(y)+count(sort y)+d6",
    "let x=1..3000000 in let y=rev x in let z=sort y in sum(high 5 z)+d2",
    "let x=d6 in (1..5000000),x",
    "let x=d6 in 10000000#x",
    "2000000#(1..100)",
    "rev(1..(10^7))",
    "perm(1..(10^7))",
    "first 2 (perm(1..1000000))",
    "drop low 3 (1..(10^7))",
    "drop low 3 (d1000000,(1..1000000))",
    "> 5 (1..(10^7))",
    "sum(> d6 (1..1000000))",
    "foreach x in 1..(10^7) do x",
    "sum(foreach x in 1..(10^6) do d6)",
    "9999999#d6",
    "d1000000#d1000000",
    "d1000000+d1000000",
    "d1000000-d1000000",
];

#[test]
fn the_memory_for_long_lists_is_asked_for_first() {
    for rule in LONG_LISTS {
        let limits = ["--exact", "--max-memory", "64M", "--time-limit", "20"];
        // An evaluator may find a way with less.
        ends_by_itself(rule, &say(dicedist(limits).write_stdin(rule)), &[0, 3]);
    }
}

#[test]
fn many_short_lists_keep_to_the_memory_too() {
    for (dialect, rule) in [
        ("bones", "10^30#d6"),
        ("bones", "sum(1000#(10^18*d6))"),
        ("bones", "12#d6,12#d6"),
        ("bones", "d100,d100,d100"),
        ("bones", "first 4 (perm(1..60))"),
        ("diceroller", "1000D1000 [500+]{SDS}"),
        ("onedice", "10000lp[d]"),
        ("onedice", "(1d10000)d(1d10000)"),
    ] {
        let limits = ["--exact", "--max-memory", "64M", "--time-limit", "20"];
        let said = say(dicedist(["-d", dialect]).args(limits).write_stdin(rule));
        ends_by_itself(rule, &said, &[3]);
    }
}

#[test]
fn a_rule_that_is_refused_leaves_the_others_their_answers() {
    let limits = ["--max-memory", "64M", "--format", "json"];
    let said = say(dicedist(limits).args(["d6", "sort(1..(10^7))"]));
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    let rules = said.json()["rules"].clone();
    assert_eq!(rules.as_array().map(Vec::len), Some(1), "{rules}");
    assert_eq!(rules[0]["outcomes"][5]["probability"], "1/6");
    let errors = said.errors()["errors"].clone();
    assert_eq!(errors[0]["kind"], "limit", "{errors}");
    assert!(errors.to_string().contains("sort(1..(10^7))"), "{errors}");
}

#[cfg(unix)]
#[test]
fn memory_that_the_system_does_not_give_is_a_limit() {
    for (kilobytes, rule) in [
        (100_000, "count(1..(10^7))"),
        // The heap of an idle thread fits in here, and leaves little.
        (146_000, "12#d12"),
        (150_000, "12#d12"),
        (162_000, "12#d12"),
        (200_000, "count(1..(10^7))"),
        (200_000, "9999999#d6"),
        (200_000, "sum(> d6 (1..1000000))"),
        (400_000, "count(1..(10^7))"),
        (400_000, "sort(1..(10^7))"),
    ] {
        let script = format!("ulimit -v {kilobytes} && exec \"$0\" --exact --format json \"$1\"");
        let output = std::process::Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_dicedist"), rule])
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            output.status.code(),
            Some(3),
            "{kilobytes}: {rule}: {stderr}"
        );
        assert!(stderr.contains("\"kind\": \"limit\""), "{rule}: {stderr}");
        assert!(stderr.contains("ulimit -v"), "{rule}: {stderr}");
    }
}

/// Of 256 KiB a grammar alone takes more, at some depth.
#[cfg(unix)]
#[test]
fn a_short_stack_of_the_system_bounds_no_rule() {
    for depth in [40, 90, 250, 400] {
        let rule = format!("{}d6{}", "(".repeat(depth), ")".repeat(depth));
        let output = std::process::Command::new("sh")
            .args(["-c", "ulimit -s 256 && exec \"$0\" \"$1\" --at-least 6"])
            .args([env!("CARGO_BIN_EXE_dicedist"), &rule])
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(stdout.contains("1/6"), "{depth}: {:?}", output.status);
    }
}

#[test]
fn a_roll_asks_before_it_builds_a_list() {
    for rule in [
        "1..(10^7)",
        "sort(1..(10^7))",
        "let x=1..3000000 in x,x",
        "high 3 (1..3000000)",
        "> 3 (1..3000000)",
    ] {
        let said = run(["--roll", "--seed", "1", "--max-memory", "64M", rule]);
        ends_by_itself(rule, &said, &[3]);
    }
}

/// Rules whose work is a few very long steps, or very many short ones that count no state.
const LONG_WORK: [&str; 15] = [
    "sum(drop low 100 (drop high 100 (1000#d20)))",
    "high 1 (10000000#d6)",
    "high 1 (1000000#d20)",
    "low 3 10000#d1000",
    "sum(9999#d9999)",
    "> 5 (1..(10^7))",
    "drop low 3 (d1000000,(1..1000000))",
    "sum(20#(d1000*d1000))",
    "prod(100#d100)",
    "sum(d2000#d2000)",
    "let x=1000#d6 in sum x * count ==1 x",
    "if (>4 10000#d6) then sum(1000#d10) else sum(2000#d10)",
    // Within one expression of the machine: list by list, and nothing very often.
    "repeat n = 3 until n <= 0 do let x = d2 in n - x + 0*sum (foreach i in 1..4000 do sum(foreach j in 1..4000 do sum(foreach k in 1..(4000+n) do k))) then n",
    "repeat n = 3 until n <= 0 do let x = d2 in n - x + 0*count distinct (1..(100000+n)) then n",
    "repeat n = 3, k = 1000000000000000 until n <= 0 do let x = d2 in n - x + count (k#()), k then n",
];

#[test]
fn long_work_sees_that_the_time_is_over() {
    for rule in LONG_WORK {
        let limits = ["--exact", "--at-least", "1", "--time-limit", "1"];
        ends_by_itself(rule, &say(dicedist(limits).write_stdin(rule)), &[0, 3]);
    }
}

#[test]
fn rules_that_take_too_long_to_compare_are_still_answered() {
    let rules = ["sum(10000#d6)", "sum(10000#d6)+1", "--time-limit", "4"];
    let said = run(rules);
    ends_by_itself(rules[0], &said, &[3]);
    let remark =
        "(not compared, because the limit of time is reached: sum(10000#d6) v. sum(10000#d6)+1)";
    assert!(said.stdout.contains(remark), "{}", said.stdout);
    assert!(
        said.stderr.contains("raise the limit with --time-limit"),
        "{}",
        said.stderr
    );
}

#[test]
fn answers_for_which_there_is_no_more_room_are_refused_before_they_are_written() {
    for format in ["table", "markdown", "csv", "json"] {
        let limits = ["--max-memory", "24M", "--format", format];
        let said = say(dicedist(limits).args(["d6", "sum(n#d6)", "--set", "n=1190..1200"]));
        ends_by_itself(format, &said, &[3]);
        assert!(said.stdout.contains("d6"), "{format}");
        assert!(said.stderr.contains("24 MiB"), "{format}: {}", said.stderr);
    }
}

#[test]
fn a_sweep_that_takes_all_time_still_shows_what_is_answered() {
    let said = run(["d6", "n#d6", "--set", "n=1..40", "--time-limit", "4"]);
    // A quick machine has time to roll the last ones.
    ends_by_itself("n#d6", &said, &[0, 3]);
    assert!(said.stdout.contains("other lists"), "{}", said.stdout);
}

#[test]
fn a_check_that_takes_too_long_leaves_the_answers() {
    let said = run(["--check", "d6", "d1000000", "--time-limit", "4"]);
    ends_by_itself("d1000000", &said, &[0, 3]);
    assert!(said.stdout.contains("maximum"), "{}", said.stdout);
    assert!(said.stderr.contains("check: d1000000: "), "{}", said.stderr);
    assert!(
        said.stderr.contains("check: d6: both evaluators agree"),
        "{}",
        said.stderr
    );
}

#[test]
fn an_estimate_says_which_limit_stopped_it() {
    let limits = [
        "--max-states",
        "1",
        "--samples",
        "1000000000",
        "--time-limit",
        "1",
    ];
    let said = say(dicedist(limits).arg("4#d6"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        said.stderr.contains("out of time after "),
        "{}",
        said.stderr
    );
}

#[test]
fn each_of_several_checks_has_its_time() {
    let said = run(["--check", "5#d10", "d6"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for rule in ["5#d10", "d6"] {
        let line = format!("check: {rule}: both evaluators agree");
        assert!(said.stderr.contains(&line), "{}", said.stderr);
    }
}

#[test]
fn long_tables_that_do_not_fit_are_an_error_of_writing() {
    let rules = ["sum(1500#d6)", "sum(1500#d6)+1", "sum(1500#d6)+2"];
    let said = say(dicedist(rules).args(["--max-memory", "64M", "--all", "--fractions"]));
    ends_by_itself("sum(1500#d6)", &said, &[0, 3]);
}

#[test]
fn an_estimate_that_runs_out_of_memory_says_so() {
    let limits = [
        "--max-states",
        "1",
        "--samples",
        "100000",
        "--max-memory",
        "520K",
    ];
    let said = say(dicedist(limits).arg("d1000000*d1000000"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        said.stderr.contains("out of memory after "),
        "{}",
        said.stderr
    );
}

/// A condition below sixty branches whose two sides are the same part, `2^60` ways in all, and below very many parts.
#[test]
fn a_condition_below_shared_parts_is_found_once() {
    let mut arena = Arena::new();
    let site = arena.site(Site::at(Span::new(0, 1)));
    let [one, two, seven] = [1, 2, 7].map(|number| arena.integer(number));
    let die = arena.add(Term::Die(two, site));
    let is_one = arena.add(Term::Filter(Comparison::Equal, one, die, site));
    let rejected = arena.add(Term::Reject(site));
    let kept = arena.add(Term::If(is_one, seven, rejected));
    let mut both = kept;
    for number in 0..60 {
        let condition = arena.integer(number);
        both = arena.add(Term::If(condition, both, both));
    }
    let mut deep = kept;
    for _ in 0..400 {
        deep = arena.add(Term::Let(one, deep));
    }
    for root in [both, deep] {
        let program = Program::new(arena.clone(), root).sorted();
        let answer = engine::analyze(&program, &Limits::default(), &Unobserved).unwrap();
        let numbers = answer.numbers().unwrap();
        assert_eq!(numbers.weight_of(&7.into()), *answer.total());
        assert_eq!(answer.given.unwrap()[1].to_string(), "1/2");
    }
}
