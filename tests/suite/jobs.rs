//! Several rules at the same time say what one after the other says.

use std::num::NonZeroUsize;

use dicedist::ask::{Asked, Question};
use dicedist::limits::{Limits, Observer, Unobserved};
use dicedist::source::Source;

use crate::command::run;

/// Calls with many rules: settings, conditions, errors, programs, estimates, lists, and rules that are left out.
const CALLS: [&[&str]; 9] = [
    &["count >=8 n#d10", "--set", "n=1..60", "--at-least", "2"],
    &[
        "sum(high k n#d6)",
        "--set",
        "n=1..8",
        "--set",
        "k=1..4",
        "--format",
        "json",
    ],
    &[
        "d6", "1/(d6-1)", "sum(", "d8", "1/(d8-1)", "2d20kh1", "d20 >= 5",
    ],
    &[
        "let x = n#d10 in {hits: count >=8 x, ones: count ==1 x}",
        "--set",
        "n=1..12",
        "--chance",
        "hits > ones",
    ],
    &["output 1d6 output [highest 1 of 2d6] output 1d{} output 3d6 output 1/0 output d4"],
    &[
        "3d6!",
        "4d6!",
        "2#d6",
        "sort 3#d6",
        "d{1..5000}",
        "sum(20#d20)",
        "--view",
        "at-least",
        "--format",
        "csv",
    ],
    &[
        "a: d6",
        "b: d8",
        "c: d10",
        "a: 3d6",
        "--format",
        "markdown",
        "--fractions",
    ],
    &[
        "--samples",
        "3000",
        "--seed",
        "5",
        "--max-states",
        "50",
        "sum(foreach i in 1..9 do d6*d8*d10*d12)",
        "sort 6#d20",
        "d4",
    ],
    // All of them together need more than there is, and one by itself does not.
    &[
        "count >7 n#d1000",
        "--set",
        "n=2000..2007",
        "--max-memory",
        "24M",
        "--at-least",
        "3",
        "--time-limit",
        "60",
    ],
];

#[test]
fn output_and_status_do_not_depend_on_the_jobs() {
    for call in CALLS {
        let by = |jobs| {
            let said = run(call.iter().copied().chain(["--jobs", jobs]));
            (said.code, said.stdout, said.stderr)
        };
        assert_eq!(by("1"), by("4"), "{call:?}");
    }
}

#[test]
fn jobs_are_at_least_one() {
    for wrong in ["0", "-1", "x", "1000000"] {
        assert_eq!(run(["d6", "--jobs", wrong]).code, Some(2), "{wrong}");
    }
}

/// The answers to a question about 200 settings of a rule, some of which are wrong, as texts.
fn answers(jobs: usize, limits: &Limits, observer: &(dyn Observer + Sync)) -> Vec<String> {
    let mut question = Question::of("12 / (n % 7) + count >=3 (n#d4); sum(n#d6)");
    question.settings.push("n=1..100".parse().unwrap());
    question
        .asked
        .push(Asked::Condition(Source::new("condition", "value > 9")));
    let jobs = NonZeroUsize::new(jobs).unwrap();
    let answers = question.answer_at_once(jobs, limits, observer).unwrap();
    let answered = answers.answered.iter().map(|rule| {
        let holds = rule
            .conditions
            .values()
            .next()
            .map(dicedist::Answer::outcomes);
        format!(
            "{} {:?} {:?} {holds:?}",
            rule.name,
            rule.parameters,
            rule.answer.outcomes()
        )
    });
    let refused = answers
        .refused
        .iter()
        .map(|rule| format!("{} {:?} {}", rule.name, rule.parameters, rule.error));
    answered.chain(refused).collect()
}

#[test]
fn the_crate_answers_at_once_what_it_answers_in_turn() {
    let limits = Limits::default();
    let one = answers(1, &limits, &Unobserved);
    assert_eq!(one.len(), 200);
    assert_eq!(one, answers(5, &limits, &Unobserved));
}
