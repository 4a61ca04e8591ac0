//! The best choice: `best y in L do E` and `best y from L do E`.
//!
//! Where a comment names no other source, an expected number was found by a recursion over sorted rolls in another language,
//! which shares nothing with this program.

use std::time::{Duration, Instant};

use dicedist::engine::{self, Answer, enumerate};
use dicedist::ir::Program;
use dicedist::limits::{Budget, Unobserved};
use dicedist::number::Fraction;
use dicedist::{Error, ErrorKind, Limits};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use crate::command::run;
use crate::forms::read_all;

const YAHTZEE: &str = "def turn(left, x) = if left == 0 then count (distinct x) == 1 \
    else best kept from x do turn(left - 1, (kept, (5 - count kept)#d6)); turn(2, 5#d6)";

const PIG: &str = "def turn(left, total) = if left == 0 then total \
    else best go in 0..1 do if go == 0 then total \
    else let x = d6 in if x == 1 then 0 else turn(left - 1, total + x); turn(10, 0)";

#[track_caller]
fn program(rule: &str) -> Program {
    let reading = read_all(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
    reading.program
}

#[track_caller]
fn answer(rule: &str) -> Answer {
    let limits = Limits::default().with_time(Some(Duration::from_secs(100)));
    let answer = engine::analyze(&program(rule), &limits, &Unobserved);
    answer.unwrap_or_else(|error| panic!("{rule}: {error}"))
}

fn chance(answer: &Answer, value: i64) -> String {
    let weight = answer.numbers().unwrap().weight_of(&value.into());
    answer.probability(&weight).to_string()
}

#[track_caller]
fn mean(rule: &str) -> String {
    let answer = answer(rule);
    let weighed =
        answer.numbers().unwrap().iter().map(|(value, weight)| {
            Fraction::from_integer(value.to_big()) * answer.probability(weight)
        });
    weighed.sum::<Fraction>().to_string()
}

#[track_caller]
fn refused(rule: &str) -> Error {
    engine::analyze(&program(rule), &Limits::default(), &Unobserved).expect_err(rule)
}

#[test]
fn a_die_is_rolled_again_where_that_is_better() {
    let rolls = |left: u32| {
        format!(
            "def roll(left) = let x = d6 in if left == 0 then x else \
             best again in 0..1 do if again == 1 then roll(left - 1) else x; roll({left})"
        )
    };
    // By hand: the mean of a die is 7/2, and 4, 5 and 6 are kept: (4+5+6+3·7/2)/6; and so on.
    for (left, expected) in [(0, "7/2"), (1, "17/4"), (2, "14/3"), (3, "89/18")] {
        assert_eq!(mean(&rolls(left)), expected, "{left}");
    }
}

#[test]
fn equals_go_to_the_first_candidate() {
    assert_eq!(mean("best y in 3, 1, 2 do y mod 2"), "1");
    let first = "best y in 4, 1, 2 do let x = d6 in (if y == 2 then 7 - x else x) + y - y";
    assert_eq!(plans(first)[0].situations[0].choice, [4.into()]);
    // Of parts the longest comes first.
    assert_eq!(
        plans("best y from 1, 2 do 0 * sum y")[0].situations[0].choice,
        [1.into(), 2.into()]
    );
    assert_eq!(mean("best y from () do count y"), "0");
}

#[test]
fn yahtzee_has_its_known_chance() {
    // https://mathworld.wolfram.com/Yahtzee.html
    assert_eq!(chance(&answer(YAHTZEE), 1), "347897/7558272");
    let with = |goal: &str| YAHTZEE.replace("count (distinct x) == 1", goal);
    let straight = with("count (distinct x) == 5 and high 1 x - low 1 x == 4");
    assert_eq!(chance(&answer(&straight), 1), "319695199/1224440064");
    assert_eq!(mean(&with("sum x")), "70/3");
}

#[test]
fn a_turn_of_pig_is_worth_what_it_is_known_to_be() {
    // Ten throws are enough, because it is best to stop at 20 or more: Neller and Presser, Optimal Play of the Dice Game Pig.
    assert_eq!(mean(PIG), "492303203/60466176");
    let plans = plans(PIG);
    let names: Vec<&str> = plans[0].known.iter().map(|called| &*called.name).collect();
    assert_eq!(names, ["left", "total"]);
    for situation in &plans[0].situations {
        if let [left, total] = &situation.known[..]
            && left == &[10.into()]
        {
            let goes_on = situation.choice == [1.into()];
            assert_eq!(goes_on, total[0] < 20.into(), "{total:?}");
        }
    }
}

#[test]
fn a_choice_can_be_about_a_condition() {
    let rule =
        "let r = sum(4#dF) in best again in 0..1 do (if again == 1 then sum(4#dF) else r + 2) >= 2";
    let answer = answer(rule);
    assert_eq!(chance(&answer, 1), "1505/2187");
    let said = run(["--format", "json", rule]);
    assert_eq!(said.json()["rules"][0]["kind"], "condition");
}

#[test]
fn parts_of_a_roll_are_kept() {
    // Each die alone: 4 and more are kept.
    assert_eq!(
        mean("let x = 3#d6 in best y from x do sum(y, (3 - count y)#d6)"),
        "51/4"
    );
    assert_eq!(mean("best y from 3, -1, 2, -5 do sum y"), "5");
}

#[test]
fn a_known_list_is_taken_value_by_value() {
    let rule = "def f(n) = if n == 0 then 0 else best k in 1..n do f(n - k) + k * k - n; f(6)";
    // Without dice: all at once gives 36 - 6; single steps give less.
    assert_eq!(mean(rule), "30");
}

#[test]
fn the_best_by_a_part_has_the_whole_record() {
    let once = "let x = d20 in best again in 0..1 by hit do \
                let r = (if again == 1 then d20 else x) in {hit: r >= 11, roll: r}";
    // By hand: 10 of 20 rolls are kept; of the others half hits. A 20 is kept, or comes with 1/20 after the others.
    assert_eq!(mean(&format!("hit of ({once})")), "3/4");
    assert_eq!(chance(&answer(&format!("roll of ({once})")), 20), "3/40");
    let again = |left: u32| {
        format!(
            "def roll(left) = let x = d6 in if left == 0 then {{hit: x >= 5, roll: x}} else best again in 0..1 by hit do \
             if again == 1 then roll(left - 1) else {{hit: x >= 5, roll: x}}; roll of roll({left})"
        )
    };
    // By hand: a 6 comes while no earlier roll was kept, each with 2/3.
    for (left, expected) in [(0, "1/6"), (1, "5/18"), (2, "19/54")] {
        assert_eq!(chance(&answer(&again(left)), 6), expected, "{left}");
    }
    // Of one body each part is aimed at for itself.
    let both = "let x = (best y in 1..2 by a do {a: y, b: -y}), z = (best y in 1..2 by b do {a: y, b: -y}) in a of x * 10 + a of z";
    assert_eq!(mean(both), "21");
    let kept = "best kept from (d6, d6) by most do {most: sum kept, number: count kept}";
    assert_eq!(mean(&format!("number of ({kept})")), "2");
}

#[test]
fn the_best_by_a_part_needs_a_number_of_a_record() {
    for (rule, kind, message) in [
        (
            "best y in 1..2 by a do y",
            ErrorKind::Type,
            "needs a record",
        ),
        (
            "best y in 1..2 by b do {a: y}",
            ErrorKind::Unbound,
            "no part `b`",
        ),
        (
            "best y in 1..2 by a do {a: \"hit\"}",
            ErrorKind::Type,
            "label",
        ),
        ("best y in 1..2 do {a: y}", ErrorKind::Type, "has no mean"),
        ("foreach y in 1..2 by a do y", ErrorKind::Parse, ""),
    ] {
        let error = read_all(rule).expect_err(rule);
        assert_eq!(error.kind(), kind, "{rule}: {error}");
        assert!(error.to_string().contains(message), "{rule}: {error}");
    }
}

#[test]
fn best_is_a_name_where_it_is_bound() {
    assert_eq!(
        mean("let by = 3 in by of best y in (by, 1) by by do {by: y}"),
        "3"
    );
    assert_eq!(mean("let best = 3 in best + 1"), "4");
    assert_eq!(mean("let from = 2 in best y from from, from do sum y"), "4");
}

#[test]
fn what_is_printed_is_read_again() {
    for rule in [
        "best y in (1, 2) do y, 3",
        "(best y from 3#d6 do sum y) + 1",
        "a of best y in 1..2 by a do {a: y}",
        "let x = 2#d6 in best y in x do best z from x do y + sum z",
    ] {
        let said = run(["--print-tree", rule]);
        assert!(said.stdout.contains("best y"), "{}", said.stdout);
    }
}

#[test]
fn the_list_of_a_choice_is_not_empty() {
    let error = refused("let x = 2#d6 in best y in >4 x do y");
    assert_eq!(error.kind(), ErrorKind::Domain);
    assert_eq!(error.diagnostics()[0].span.unwrap().start, 16);
    assert_eq!(error.probability().unwrap().to_string(), "4/9");
}

#[test]
fn a_candidate_that_can_fail_is_an_error() {
    let error = refused("best y in 0..6 do 6 / (y - d6)");
    assert_eq!(error.kind(), ErrorKind::DivisionByZero);
    assert_eq!(error.diagnostics()[0].span.unwrap().start, 18);
    let error = refused("best y in 1..2 do y..3");
    assert_eq!(error.kind(), ErrorKind::Type);
    let error = refused("best y in 1..2 do count(while x = y do x)");
    assert_eq!(error.kind(), ErrorKind::Domain);
}

#[test]
fn loops_within_choices_are_exact() {
    // By hand: x is uniform from y to 6, so the mean is 3 - y/2.
    let rule = "best y in 2..5 do (reroll x = d6 until x >= y) - y";
    let found = answer(rule);
    assert!(found.is_complete());
    assert_eq!(chance(&found, 4), "1/5");
    // A choice after a loop, in a part without free variables.
    let later = "let r = (reroll z = d6 until z > 1) in best w in 0..1 do if w == 0 then r else 0";
    let found = answer(&format!("let x = d6 in best y in 0..1 do {later}"));
    assert_eq!(chance(&found, 2), "1/5");
    // The number of rolls until a six has the mean 6.
    let rolls = "repeat n = 1, x = d6 until x == 6 do n + 1, d6 then n";
    let rule = |other| format!("best y in 0..1 do if y == 0 then {other} else ({rolls})");
    assert_eq!(chance(&answer(&rule("5")), 1), "1/6");
    assert_eq!(chance(&answer(&rule("7")), 7), "1");
    // Of equals the first.
    assert_eq!(chance(&answer(&rule("6")), 6), "1");
}

#[test]
fn a_rule_profits_from_its_parts_without_choices() {
    let one = "let x = d6 in best again in 0..1 do if again == 1 then d6 else x";
    // A hundred times 17/4: too many paths to list.
    assert_eq!(mean(&format!("sum 100#({one})")), "425");
    assert_eq!(
        chance(&answer(&format!("count ==6 20#({one})")), 20),
        "1/1099511627776"
    );
}

#[test]
fn both_evaluators_agree_on_parts_with_choices() {
    let roll = "(let z = d6 in best y in 0..1 do if y == 1 then d6 else z)";
    for rule in [
        "sum(foreach x in 3#d6 do x * (best y in 1..2 do y + d2))".into(),
        format!("let x = {roll} in x * x"),
        format!("let n = d3 in n#{roll}"),
        "if d6 > 3 then (best y in 1..2 do y * d4) else (best y in 1..2 do d{1..y})".into(),
        format!("repeat t = 0 until t > 9 do t + {roll}"),
        format!("high 2 3#{roll}"),
        "count(==(best y in 1..2 do y + d2) 4#d4)".into(),
        "foreach a in 2#(best y in 1..2 do y + d2) do a, a + (best y in 1..2 do y * d2)".into(),
    ] {
        let program = program(&rule).sorted();
        let limits = Limits::default();
        let both = [
            engine::analyze(&program, &limits, &Unobserved),
            enumerate::enumerate(&program, &limits, &Unobserved),
        ];
        let [fast, slow] =
            both.map(|answer| answer.unwrap_or_else(|error| panic!("{rule}: {error}")));
        assert_eq!(fast.route, engine::Route::Residual, "{rule}");
        let shares = |answer: &Answer| -> Vec<(String, Fraction)> {
            let outcomes = answer.outcomes().iter();
            outcomes
                .map(|(value, weight)| {
                    (
                        value.exact(&answer.unit, &answer.shape),
                        answer.probability(weight),
                    )
                })
                .collect()
        };
        assert_eq!(shares(&fast), shares(&slow), "{rule}");
    }
}

#[test]
fn labels_and_records_can_be_chosen() {
    let rule =
        "let x = d6 in best way in (\"keep\", \"again\") do if way == \"again\" then d6 else x";
    assert_eq!(mean(rule), "17/4");
    let said = run(["--explain", rule]);
    assert!(said.stderr.contains("1 to 3  again"), "{}", said.stderr);
    assert!(said.stderr.contains("4 to 6  keep"), "{}", said.stderr);
    let records = "best r in ({a: 1, b: 5}, {a: 2, b: 3}) do a of r * b of r";
    assert_eq!(mean(records), "6");
    let parts = "best y from (\"a\", \"b\", \"a\") do 3 * (count ==\"a\" y) - count y";
    assert_eq!(mean(parts), "4");
    for no_number in ["best y in 1..2 do \"a\"", "best y in 1..2 do {a: y}"] {
        let error = read_all(no_number).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type, "{no_number}");
    }
}

#[test]
fn a_choice_may_stand_before_given() {
    let rule = "let x = d6 in (best again in 0..1 do if again == 1 then d6 else x) given x > 3";
    assert_eq!(mean(rule), "5");
    let choice = &plans(rule)[0];
    assert!(
        choice
            .situations
            .iter()
            .all(|one| one.known[0][0] > 3.into())
    );
    let error = read_all("best y in 1..2 do y given d6 > 3").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Domain);
}

#[test]
fn hostile_choices_end_within_the_limits() {
    let nested = "best a in 1..300 do best b in 1..300 do best c in 1..300 do a * b - c * a + d6";
    for rule in [
        "best y in 1..9999999 do y",
        "best y from 1..60 do sum y",
        "best y from 1000#d2 do sum y",
        "best y from 40#d1000 do sum y",
        nested,
        "def f(n) = best k in 1..2 do f(n - k); f(3)",
        "best y in 1..2 do y ^ 60000",
    ] {
        let started = Instant::now();
        let limits = Limits::default().with_time(Some(Duration::from_secs(1)));
        let answer = read_all(rule)
            .and_then(|reading| engine::analyze(&reading.program, &limits, &Unobserved));
        assert!(started.elapsed() < Duration::from_secs(5), "{rule}");
        if let Err(error) = answer {
            assert!(
                matches!(error.kind(), ErrorKind::Limit | ErrorKind::Domain),
                "{rule}: {error}"
            );
        }
    }
}

#[test]
fn rolls_follow_the_strategy() {
    let rule = "let x = d6 in best again in 0..1 do if again == 1 then d6 else x";
    let program = program(rule);
    let limits = Limits::default();
    let budget = Budget::start(&limits, &Unobserved);
    let rolls = engine::rolls(&program, &budget);
    let mut generator = ChaCha8Rng::seed_from_u64(7);
    let mut counts = [0_u32; 7];
    for _ in 0..12_000 {
        let roll = rolls.roll(1_000, &mut generator).unwrap();
        counts[roll[0].to_usize().unwrap()] += 1;
    }
    // 1, 2 and 3: 1/12 each; 4, 5 and 6: 1/4 each. Six standard deviations are less than 300.
    for (face, &count) in counts.iter().enumerate().skip(1) {
        let expected = if face < 4 { 1_000 } else { 3_000 };
        assert!(count.abs_diff(expected) < 300, "{counts:?}");
    }
}

#[test]
fn the_strategy_is_a_table() {
    let said = run([
        "--explain",
        "let x = d6 in best again in 0..1 do if again == 1 then d6 else x",
    ]);
    let table = "best again (rule:1:15): 6 situations\n       x  best again              mean\n  \
                 1 to 3  1                     3.5000\n  4 to 6  0           4.0000 to 6.0000\n";
    assert!(said.stderr.contains(table), "{}", said.stderr);
}

fn plans(rule: &str) -> Vec<engine::Plan> {
    engine::strategy(&program(rule), &Limits::default(), &Unobserved).unwrap()
}

#[test]
fn the_plan_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.csv");
    let path = file.to_str().unwrap();
    let rule = "again: let x = d6 in best again in 0..1 do if again == 1 then d6 - 9 else x - 9";
    let said = run(["--csv-plan", path, "-q", rule]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    // By hand: 1, 2 and 3 are rolled again, for a mean of 7/2 - 9.
    let again = "again,again,rule:1:22";
    let expected = [
        "name,choice,place,x,best,mean,numerator,denominator".into(),
        format!("{again},1,1,-5.5000000000000000,-11,2"),
        format!("{again},2,1,-5.5000000000000000,-11,2"),
        format!("{again},3,1,-5.5000000000000000,-11,2"),
        format!("{again},4,0,-5.0000000000000000,-5,1"),
        format!("{again},5,0,-4.0000000000000000,-4,1"),
        format!("{again},6,0,-3.0000000000000000,-3,1"),
    ];
    let written = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines, expected);
    std::fs::remove_file(&file).unwrap();
    let said = run(["--csv-plan", path, "d6"]);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    assert!(
        said.stderr.contains("no rule has a choice"),
        "{}",
        said.stderr
    );
    assert!(!file.exists());
}

#[test]
fn plans_in_one_or_two_numbers_have_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.svg");
    let path = file.to_str().unwrap();
    // By hand: with one more roll, of mean 7/2, a 4 is kept; with two, of mean 17/4, it is not.
    let rule = "def roll(left) = let x = d6 in if left == 0 then x else best again in 0..1 do \
                if again == 1 then roll(left - 1) else x; roll(2)";
    let said = run(["--svg-plan", path, "-q", rule]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let picture = std::fs::read_to_string(&file).unwrap();
    for cell in [
        "left 1, x 3: again 1, mean 3.5000",
        "left 1, x 4: again 0, mean 4.0000",
        "left 2, x 4: again 1, mean 4.2500",
        "left 2, x 5: again 0, mean 5.0000",
    ] {
        assert!(
            picture.contains(&format!("<title>{cell}</title>")),
            "{cell}"
        );
    }
    assert_eq!(picture.matches("class=\"cell").count(), 12);
    crate::pictures::assert_keeps_the_laws(&picture);
    std::fs::remove_file(&file).unwrap();
    let of_lists = "let x = sort 3#d6 in best n in 0..3 do sum(first n x) - n * 3";
    let said = run(["--svg-plan", path, "-q", of_lists]);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    assert!(said.stderr.contains("--csv-plan FILE"), "{}", said.stderr);
    assert!(!file.exists());
}
