//! AnyDice: recursions, and what a program prints, warns of and refuses. What programs answer is the matter of `judge`.

use dicedist::engine::analyze;
use dicedist::limits::{Budget, Unobserved};
use dicedist::notation::{self, Kind, Outcome, Settings};
use dicedist::source::Source;
use dicedist::{Dialect, ErrorKind, Limits};

use crate::command::{dicedist, say};

fn run(program: &str, settings: &Settings) -> Outcome {
    let source = Source::new("program", program);
    let parsed = notation::parse(Dialect::Anydice, &source, source.span());
    let parsed = parsed.unwrap_or_else(|error| panic!("{program}: {error}"));
    let printed = Source::new("printed", parsed.print());
    let again = notation::parse(Dialect::Anydice, &printed, printed.span());
    let again = again.unwrap_or_else(|error| panic!("{}: {error}", printed.text()));
    assert_eq!(again.print(), printed.text());
    let limits = Limits::default();
    parsed.run(settings, &Budget::start(&limits, &Unobserved))
}

/// The distribution of each output as text.
#[track_caller]
fn answers(outcome: &Outcome) -> Vec<String> {
    assert_eq!(outcome.error, None);
    let answer = |reading: &notation::Reading| {
        if reading.kind == Kind::Nothing {
            return "nothing".into();
        }
        let answer = analyze(&reading.program, &Limits::default(), &Unobserved).unwrap();
        let lines = answer.outcomes().iter().map(|(value, weight)| {
            format!(
                "{:?}: {}",
                value.numbers().unwrap(),
                answer.probability(weight)
            )
        });
        lines.collect::<Vec<_>>().join(", ")
    };
    outcome.readings.iter().map(answer).collect()
}

#[track_caller]
fn first_warning(program: &str) -> String {
    let outcome = run(program, &Settings::default());
    assert_eq!(outcome.error, None);
    let mut warnings = outcome
        .readings
        .iter()
        .flat_map(|reading| &reading.warnings);
    warnings
        .next()
        .map_or(String::new(), |warning| warning.message.clone())
}

#[test]
fn differences_from_the_site_are_warned_of() {
    let afresh = "function: f R:n T:n { T: T+1 result: T } output [f d4 0]";
    assert!(first_warning(afresh).starts_with("AnyDice carries `T`"));
    let cut = "function: f X:n { if X > 4 { result: 3d6 } } output [f d6]";
    assert!(first_warning(cut).contains("probability 2/3"));
    let meant = "function: f X:n { if X < 3 { result: d{} } result: X } output [f d6]";
    assert_eq!(first_warning(meant), "");
    let deep = "function: f N:n { if N = 6 { result: N + [f d6] } result: N } set \"maximum function depth\" to 2 output [f d6]";
    assert!(first_warning(deep).contains("maximum function depth"));
    assert!(first_warning("output 1/0").contains("divides by zero"));
    assert!(first_warning("output 3 > 2 > 1").contains("1 or 0"));
    assert!(first_warning("output d6 <= {2,3}").contains("AnyDice"));
}

#[test]
fn a_value_from_outside_is_assigned_first() {
    let settings = Settings::default().with_parameter("N", 3);
    assert_eq!(answers(&run("output N", &settings)), ["[3]: 1"]);
    let lost = run("N: 4 output N", &settings);
    assert!(lost.readings[0].warnings[0].message.contains("is lost"));
}

/// The first outcomes of the only output, however its calls are answered.
#[track_caller]
fn first_outcomes(program: &str, count: usize) -> String {
    let found = [0, u64::MAX].map(|most| {
        let settings = Settings::default().with_most_listed(most);
        let listed = answers(&run(program, &settings)).remove(0);
        let first: Vec<&str> = listed.split(", ").take(count).collect();
        first.join(", ")
    });
    assert_eq!(found[0], found[1], "{program}");
    found.into_iter().next().unwrap()
}

#[test]
fn a_call_that_comes_back_to_itself_is_a_loop() {
    let unlimited = |program: &str| {
        let program = format!("set \"maximum function depth\" to \"unlimited\" {program}");
        first_outcomes(&program, 4)
    };
    // Geometric: 5/6 to go on.
    assert_eq!(
        unlimited(
            "function: again N:n { if N = 6 { result: 0 } result: 1 + [again d6] } output [again d6]"
        ),
        "[0]: 1/6, [1]: 5/36, [2]: 25/216, [3]: 125/1296"
    );
    // The ruin of a gambler who has 4 of 10.
    assert_eq!(
        unlimited(
            "function: walk P:n { if P = 0 { result: 0 } if P = 10 { result: 1 } result: [walk P + d{-1,1}] } \
             output [walk 4]"
        ),
        "[0]: 3/5, [1]: 2/5"
    );
    // d4 is rolled until it shows less than before: C(4 + n, n + 1) of 4^(n + 1) rolls of n + 1 dice never fall.
    assert_eq!(
        unlimited(
            "function: run N:n from M:n { if N < M { result: 0 } result: 1 + [run d4 from N] } output [run d4 from 1]"
        ),
        "[1]: 3/8, [2]: 5/16, [3]: 45/256, [4]: 21/256"
    );
    // A die that counts itself again on its highest face, less one for each time.
    assert_eq!(
        unlimited("function: f N:n { if N = 2 { result: [f d2] - 1 } result: N } output -[f d2]"),
        "[-1]: 1/2, [0]: 1/4, [1]: 1/8, [2]: 1/16"
    );
}

#[test]
fn a_recursion_of_the_program_explodes_as_the_library_does() {
    let own = "set \"maximum function depth\" to \"unlimited\" \
               function: boom N:n { if N = 6 { result: 6 + [boom d6] } result: N } output 2d[boom d6]";
    let of_library = "set \"explode depth\" to \"unlimited\" output 2d[explode d6]";
    assert_eq!(first_outcomes(own, 40), first_outcomes(of_library, 40));
}

#[test]
fn a_result_may_be_a_die_without_end() {
    let program = "set \"explode depth\" to \"unlimited\" \
                   function: f N:n { if N > 1 { result: [explode d2] } result: 0 } output [f d2]";
    assert_eq!(
        first_outcomes(program, 4),
        "[0]: 1/2, [1]: 1/4, [3]: 1/8, [5]: 1/16"
    );
}

#[test]
fn a_recursion_without_an_end_says_so() {
    let unlimited = "set \"maximum function depth\" to \"unlimited\" function: f N:n";
    let endless = run(
        &format!("{unlimited} {{ result: [f d6] }} output [f d6]"),
        &Settings::default(),
    );
    let answer = analyze(
        &endless.readings[0].program,
        &Limits::default(),
        &Unobserved,
    )
    .unwrap();
    assert_eq!(answer.never_ends(), *answer.total());
    for body in [
        "result: 2 * [f d6]",
        "result: [f d6] + [f d6]",
        "result: [f N+1]",
    ] {
        let program = format!("{unlimited} {{ if N = 1 {{ result: 1 }} {body} }} output [f d6]");
        let outcome = run(&program, &Settings::default());
        assert_eq!(outcome.error.unwrap().kind(), ErrorKind::Limit, "{body}");
    }
}

#[test]
fn a_recursion_that_fails_leaves_nothing_behind() {
    let program = "set \"maximum function depth\" to \"unlimited\" \
                   function: g N:n { if N = 1 { result: 1 } result: [h d6] } \
                   function: h N:n { if N = 1 { result: 1 } result: 2 * [g d6] } \
                   function: f R:s { result: [h d6] + (R = 1) } output [f 2d6]";
    for most_listed in [0, u64::MAX] {
        let settings = Settings::default().with_most_listed(most_listed);
        let outcome = run(program, &settings);
        assert_eq!(outcome.error.unwrap().kind(), ErrorKind::Limit);
    }
}

#[test]
fn dice_that_are_doubled_again_and_again_are_one_sum() {
    let doubled = "X: d2 loop I over {1..3} { X: X + X } output X";
    assert_eq!(first_outcomes(doubled, 9), first_outcomes("output 8d2", 9));
    let beside = "X: d2 loop I over {1..2} { X: X + 1 + X } output X";
    assert_eq!(
        first_outcomes(beside, 9),
        first_outcomes("output 4d2 + 3", 9)
    );
    for doubling in ["X + X", "X - X", "X + 1 + X", "X + d2 + X"] {
        let program = format!("X: d2 loop I over {{1..40}} {{ X: {doubling} }} output X");
        let error = run(&program, &Settings::default()).error.unwrap();
        assert_eq!(error.kind(), ErrorKind::Limit, "{doubling}");
    }
}

#[test]
fn a_body_that_is_solved_by_states_warns_of_a_division_by_zero() {
    for most_listed in [0, u64::MAX] {
        let settings = Settings::default().with_most_listed(most_listed);
        let warnings = |program: &str| run(program, &settings).readings[0].warnings.clone();
        let by_zero = warnings("function: f R:s { result: 10 / (R = 1) } output [f 2d6]");
        assert!(by_zero[0].message.contains("divides by zero"));
        let never = warnings("function: f R:s { result: 10 / (1 + (R = 1)) } output [f 2d6]");
        assert!(never.is_empty());
    }
}

#[test]
fn an_error_that_is_found_late_stops_the_program_as_well() {
    let long = "1".to_owned() + &"0".repeat(19_000);
    let program = format!("X: d2 * {long} output 1 output X*X*X*X output 3");
    let said = say(&mut dicedist([
        "-d", "anydice", "--format", "json", &program,
    ]));
    assert_eq!(said.code, Some(1));
    let names = |part: &str| -> Vec<String> {
        let json = said.json();
        let rules = json[part].as_array().unwrap().iter();
        rules
            .map(|rule| rule["name"].as_str().unwrap().into())
            .collect()
    };
    assert_eq!(names("rules"), ["output 1"]);
    assert_eq!(names("errors"), ["output 2"]);
}

#[test]
fn a_check_of_what_has_no_outcomes_finds_no_mistake() {
    for value in ["d{}", "{}", "0d{}", "[highest 1 of d{}]", "[nothing d6]"] {
        let program = format!("function: nothing X:n {{ }} output {value} output d6");
        let said = say(&mut dicedist(["-d", "anydice", "--check", &program]));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert!(
            said.stderr.contains("output 1: nothing comes out"),
            "{}",
            said.stderr
        );
        assert!(
            said.stderr.contains("output 2: both evaluators agree"),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn a_capital_letter_at_the_start_is_corrected_in_one_step() {
    let said = say(&mut dicedist(["Output 3d6"]));
    assert!(
        said.stderr.contains("write `output 3d6`"),
        "{}",
        said.stderr
    );
}

/// Where there is no outcome, there is none for which a condition holds.
#[test]
fn a_condition_on_nothing_has_no_chance() {
    for program in ["output {}", "output d{}", "output [highest 1 of d{}]"] {
        let said = say(&mut dicedist([
            "-d",
            "anydice",
            "--chance",
            "value > 0",
            program,
        ]));
        assert_eq!(said.code, Some(0), "{program}: {}", said.stderr);
        assert!(
            said.stdout.contains("0.000000"),
            "{program}: {}",
            said.stdout
        );
    }
}
