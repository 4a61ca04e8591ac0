//! How many states and steps the machine takes, without a clock: the speed of rules that have no closed form.
//!
//! `machine.txt` has rules in two spellings, each with its states and steps. Both spellings must have one distribution, and the
//! numbers must be near those that are written there. Where a change makes them smaller, write the new ones.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;

use dicedist::engine::enumerate::enumerate;
use dicedist::engine::{self, Answer, Method};
use dicedist::limits::{Limits, Observer, Unobserved};
use dicedist::number::Fraction;
use dicedist::{Dialect, ErrorKind};
use num_traits::One;

use crate::command::package;

/// Counts what the machine does.
#[derive(Default)]
struct Counted {
    parts: RefCell<Vec<&'static str>>,
    counts: RefCell<(u64, u64)>,
}

impl Observer for Counted {
    fn part_begins(&self, rule: &'static str) {
        self.parts.borrow_mut().push(rule);
    }

    fn part_ends(&self, states: u64, steps: u64) {
        if self.parts.borrow_mut().pop() == Some("states in machine words") {
            let mut counts = self.counts.borrow_mut();
            *counts = (counts.0 + states, counts.1 + steps);
        }
    }
}

/// The answer to a rule, with the states and steps of the machine.
fn counted(rule: &str) -> (Answer, (u64, u64)) {
    let program = crate::rules::read(Dialect::Bones, rule).unwrap().sorted();
    let counted = Counted::default();
    let answer = engine::analyze(&program, &Limits::default(), &counted);
    let answer = answer.unwrap_or_else(|error| panic!("{rule}: {error}"));
    let counts = *counted.counts.borrow();
    (answer, counts)
}

/// The outcomes with their probabilities.
fn shares(answer: &Answer) -> Vec<(String, Fraction)> {
    let outcomes = answer.outcomes().iter();
    let shown = outcomes.map(|(outcome, weight)| {
        let text = outcome.exact(&answer.unit, &answer.shape);
        (text, answer.probability(weight))
    });
    shown.collect()
}

/// Whether a count is no more than a tenth away from another.
fn is_near(count: u64, expected: u64) -> bool {
    count.abs_diff(expected) * 10 <= expected
}

#[test]
fn states_and_steps_are_those_of_the_table_and_spellings_agree() {
    let table = fs::read_to_string(package("tests/suite/machine.txt")).unwrap();
    let (mut rules, mut other) = (0, Vec::new());
    for block in table.split("\n\n") {
        let mut lines = block.lines().filter(|line| !line.starts_with('#'));
        let Some(name) = lines.next() else { continue };
        let mut first: Option<Vec<(String, Fraction)>> = None;
        for line in lines {
            let [states, steps, rule] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                panic!("not a row: {line}");
            };
            let expected = (states.parse().unwrap(), steps.parse().unwrap());
            let (answer, counts) = counted(rule);
            assert!(answer.is_complete(), "{rule}");
            let shares = shares(&answer);
            assert_eq!(
                *first.get_or_insert_with(|| shares.clone()),
                shares,
                "{name}"
            );
            if !is_near(counts.0, expected.0) || !is_near(counts.1, expected.1) {
                other.push(format!("{} {} {rule}", counts.0, counts.1));
            }
            rules += 1;
        }
    }
    assert!(rules >= 40, "{rules}");
    assert!(other.is_empty(), "other counts:\n{}", other.join("\n"));
}

/// The probability of at least a number, and the mean.
fn at_least(rule: &str, least: i64) -> (Fraction, Fraction) {
    let (answer, _) = counted(rule);
    let numbers = answer.outcomes().numbers().unwrap();
    let below = numbers.iter().filter(|(number, _)| **number < least.into());
    let below: Fraction = below.map(|(_, weight)| answer.probability(weight)).sum();
    let one = Fraction::from_integer(1.into());
    (one - below, answer.moments().unwrap().first.unwrap())
}

/// Rolls up to three fives or sixes in a row, of several who roll by themselves. With p = 1/3 and r = 3, one needs 39 rolls in the mean,
/// with the variance 1/(q·p^r)² - (2r+1)/(q·p^r) - p/q² = 1356 (Feller, volume 1, XIII.7), and exactly 3 with 1/27.
#[test]
fn loops_without_an_end_are_solved_once_for_several_that_roll_by_themselves() {
    let one = "repeat n = 0, x = 0 until x >= 3 do n + 1, (if d6 >= 5 then x + 1 else 0) then n";
    let whole = |number: u32| Fraction::from_integer(number.into());
    for (rule, times) in [
        (format!("sum(2#({one}))"), 2),
        (format!("({one}) + ({one})"), 2),
        (format!("let a = ({one}) in let b = ({one}) in a + b"), 2),
        (format!("sum(20#({one}))"), 20),
    ] {
        let (answer, (states, _)) = counted(&rule);
        let moments = answer.moments().unwrap();
        assert_eq!(moments.first, Some(whole(39 * times)), "{rule}");
        assert_eq!(moments.variance(), Some(whole(1356 * times)), "{rule}");
        assert!(matches!(answer.method, Method::ExactWithTail), "{rule}");
        assert!(states < 100, "{states}: {rule}");
    }
    // The least of eight is 3 unless all need more.
    let (least, _) = counted(&format!("min(8#({one}))"));
    let more = Fraction::new(26.into(), 27.into());
    let three = least.numbers().unwrap().weight_of(&3.into());
    assert_eq!(
        least.probability(&three),
        whole(1) - num_traits::pow(more, 8)
    );
    // Who needs more? Either, but for the chance that both need as many.
    let (first, _) = counted(&format!("({one}) > ({one})"));
    let (both, _) = counted(&format!("({one}) == ({one})"));
    let holds =
        |answer: &Answer| answer.probability(&answer.numbers().unwrap().weight_of(&1.into()));
    let all = holds(&first) * whole(2) + holds(&both);
    assert!(
        all <= whole(1) && all > Fraction::new(999_999_999.into(), 1_000_000_000.into()),
        "{all}"
    );
}

/// The sum of a random number N of numbers X has the mean E(N)·E(X) and the variance E(N)·Var(X) + Var(N)·E(X)² (Feller, volume 1, XII.1).
/// X is as above: E(X) = 39, Var(X) = 1356. A geometric number of geometric numbers is geometric, with the product of both chances.
#[test]
fn a_random_number_of_numbers_without_an_end_has_all_moments() {
    let one = "repeat n = 0, x = 0 until x >= 3 do n + 1, (if d6 >= 5 then x + 1 else 0) then n";
    let six = "repeat n = 1 until d6 == 6 do n + 1";
    for (rule, mean, variance) in [
        (format!("sum(d6#({one}))"), (273, 2), (36_729, 4)),
        (
            format!("let k = d4 in sum(k#({one}))"),
            (195, 2),
            (21_165, 4),
        ),
        (
            format!("if d2 == 1 then ({one}) else ({one}) + ({one})"),
            (117, 2),
            (9_657, 4),
        ),
        (format!("sum(({six})#({six}))"), (36, 1), (36 * 35, 1)),
    ] {
        let (answer, (states, _)) = counted(&rule);
        let moments = answer.moments().unwrap();
        let [mean, variance] = [mean, variance]
            .map(|(top, bottom): (u32, u32)| Fraction::new(top.into(), bottom.into()));
        assert_eq!(moments.first, Some(mean), "{rule}");
        assert_eq!(moments.variance(), Some(variance), "{rule}");
        assert!(matches!(answer.method, Method::ExactWithTail), "{rule}");
        assert!(states < 100, "{states}: {rule}");
    }
    // Where names decide, no roll of theirs is followed for each loop.
    let named = format!(
        "let a = d20 in let b = d20 in let c = d20 in if a + b > c then ({six}) + a else ({six}) + c"
    );
    let (_, (states, _)) = counted(&named);
    assert!(states < 3_000, "{states}");
    let (geometric, _) = counted(&format!("sum(({six})#({six}))"));
    let [mut expected, other] = [1_u32, 35].map(|top| Fraction::new(top.into(), 36.into()));
    for outcome in 1..=50 {
        let weight = geometric.numbers().unwrap().weight_of(&outcome.into());
        assert_eq!(geometric.probability(&weight), expected, "{outcome}");
        expected *= &other;
    }
}

/// Dice that are rolled once more where they are low, and put back, are dice with other faces: of a d10 that is rolled again below 6, each
/// low face has 1/2·1/10, and each high one 1/10 + 1/20. A program of both rolls has thousands of states, as has one of dice that
/// explode, of which the lowest are last rolls.
#[test]
fn dice_that_are_rolled_again_are_other_dice() {
    let again = "let x = 12#d10 in let y = (>=6 x, (count <6 x)#d10) in";
    let other = "12#d{1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 3, 7: 3, 8: 3, 9: 3, 10: 3}";
    for kept in ["high 5", "drop low 4", "low 2"] {
        let (pushed, _) = counted(&format!("{again} sum({kept} y)"));
        let (expected, _) = counted(&format!("sum({kept} {other})"));
        assert_eq!(shares(&pushed), shares(&expected), "{kept}");
        assert!(pushed.states < 1_000, "{kept}: {}", pushed.states);
    }
    let exploding = "10#(while x = d10 do if x == 10 then d10 else ())";
    for kept in ["low 5", "drop low 8"] {
        let (lowest, _) = counted(&format!("sum({kept} {exploding})"));
        assert!(lowest.states < 1_000, "{kept}: {}", lowest.states);
    }
}

#[test]
fn lists_beside_a_counter_are_states_and_what_is_counted_is_exact() {
    // By inclusion and exclusion over the faces that are missing.
    for (rule, least, expected, mean) in [
        (
            "repeat n = 0, seen = () until count seen == 6 do n + 1, distinct (seen, d6) then n",
            20,
            "255418950763/1410554953728",
            "147/10",
        ),
        (
            "repeat n = 0, left = (1, 2, 3, 4) until count left == 0 do let x = d4 in n + 1, (without x left) then n",
            10,
            "4729/16384",
            "25/3",
        ),
    ] {
        let found = at_least(rule, least);
        let expected = (expected.parse().unwrap(), mean.parse().unwrap());
        assert_eq!(found, expected, "{rule}");
    }
}

#[test]
fn a_count_may_be_a_part_of_the_value_at_some_ends_only() {
    // A die is rolled until it shows 1 or 6, each half of the time: after n rolls with the probability 1/3·(2/3)^(n-1), and after 3 in
    // the mean, whichever it shows.
    let rolls = "repeat n = 0, x = 0 until x == 1 or x == 6 do n + 1, d6 then";
    for (value, least, expected, mean) in [
        ("if x == 6 then n else 0", 2, "1/3", "3/2"),
        ("if x == 6 then 2 * n else 1", 3, "1/3", "7/2"),
        ("if x == 6 then n else -4", 0, "1/2", "-1/2"),
    ] {
        let rule = format!("{rolls} {value}");
        let (answer, (states, _)) = counted(&rule);
        assert!(states < 10, "{rule}: {states}");
        let found = at_least(&rule, least);
        let beyond = answer.probability(&answer.unresolved());
        assert_eq!(beyond, Fraction::from_integer(0.into()), "{rule}");
        assert_eq!(
            found,
            (expected.parse().unwrap(), mean.parse().unwrap()),
            "{rule}"
        );
    }
    for (value, outcome, expected) in [
        ("{n: n, six: x == 6}", "n: 2, six: 1", "1/9"),
        ("if x == 6 then (n, n) else (1, 2, 3)", "1 2 3", "1/2"),
        ("if x == 6 then 3#7 else n", "7 7 7", "1/2"),
        (
            "if x == 6 then {n: n, six: 1} else {n: 0, six: 0}",
            "n: 0, six: 0",
            "1/2",
        ),
    ] {
        let rule = format!("{rolls} {value}");
        let (answer, (states, _)) = counted(&rule);
        assert!(states < 10, "{rule}: {states}");
        let all = shares(&answer);
        let found = all.iter().find(|(text, _)| text == outcome);
        let found = found.unwrap_or_else(|| panic!("{rule}: {all:?}"));
        assert_eq!(found.1, expected.parse().unwrap(), "{rule}");
    }
}

/// What a rule makes of the members of a roll.
type Value = fn(&[i64]) -> i64;

fn count(members: usize) -> i64 {
    i64::try_from(members).unwrap()
}

/// All rolls of eight d3, one by one, are the judge.
#[test]
fn dice_in_order_agree_with_all_rolls() {
    let rules: [(&str, Value); 11] = [
        (
            "sum(foreach i in 1..8 do if max(first i p) == at i p then 1 else 0)",
            |p| {
                let is_record = |i: &usize| p[..*i].iter().all(|earlier| earlier <= &p[*i]);
                count((0..8).filter(is_record).count())
            },
        ),
        (
            "repeat r = 1, best = 1 for i in 2..8 do if at i p == at (i - 1) p then r + 1, max(best, r + 1) else 1, best then best",
            |p| {
                let runs = p.chunk_by(|a, b| a == b);
                runs.map(|run| count(run.len())).max().unwrap()
            },
        ),
        (
            "if at 1 p == at 8 p then 10 + at 2 p else min(at 3 p, at 4 p)",
            |p| {
                if p[0] == p[7] {
                    10 + p[1]
                } else {
                    p[2].min(p[3])
                }
            },
        ),
        ("10 * max(last 3 p) - min(first 2 p)", |p| {
            10 * p[5..].iter().max().unwrap() - p[..2].iter().min().unwrap()
        }),
        (
            "count (foreach v in drop first 1 p do if v == at 1 p then v else ())",
            |p| count(p[1..].iter().filter(|v| **v == p[0]).count()),
        ),
        (
            "let q = first 4 p in sum(q) - sum(last 3 p) + (at 2 q) * at 8 p",
            |p| p[..4].iter().sum::<i64>() - p[5..].iter().sum::<i64>() + p[1] * p[7],
        ),
        ("at 2 p * (count <3 drop first 1 p)", |p| {
            p[1] * count(p[1..].iter().filter(|v| **v < 3).count())
        }),
        (
            "repeat i = 0, t = 0 until i == 8 do i + 1, t + (if at (i + 1) p == 3 then i else 0) then t",
            |p| {
                p.iter()
                    .zip(0..)
                    .map(|(v, i)| if *v == 3 { i } else { 0 })
                    .sum()
            },
        ),
        (
            "repeat i = 8, n = 0 while i > 0 do i - 1, (if at i p > n then at i p else n - 1) then n",
            |p| {
                p.iter()
                    .rev()
                    .fold(0, |n, v| if *v > n { *v } else { n - 1 })
            },
        ),
        (
            "repeat i = 1, n = 0 until i > 8 or n > 1 do i + 1, n + (at i p > 2) then 10 * i + n",
            |p| {
                let (mut i, mut n) = (0, 0);
                while i < 8 && n <= 1 {
                    n += i64::from(p[i] > 2);
                    i += 1;
                }
                10 * count(i + 1) + n
            },
        ),
        (
            "repeat i = 1, s = 0 until i > 30 do i + 1, (s + at (i mod 8 + 1) p) mod 5 then s",
            |p| (1..=30).map(|i| p[i % 8]).sum::<i64>() % 5,
        ),
    ];
    for (body, value) in rules {
        let mut expected: BTreeMap<i64, u32> = BTreeMap::new();
        for roll in 0..3_i64.pow(8) {
            let dice: Vec<i64> = (0..8)
                .map(|place| roll / 3_i64.pow(place) % 3 + 1)
                .collect();
            *expected.entry(value(&dice)).or_default() += 1;
        }
        let rule = format!("let p = 8#d3 in {body}");
        let expected = expected
            .into_iter()
            .map(|(value, rolls)| (value.to_string(), Fraction::new(rolls.into(), 6561.into())));
        let (answer, _) = counted(&rule);
        assert_eq!(shares(&answer), expected.collect::<Vec<_>>(), "{rule}");
    }
}

/// A loop that ends without a look at its list ends with dice that nobody has sorted: each of the 27 rolls of three d3 is as likely.
#[test]
fn a_list_that_a_loop_ends_with_keeps_the_places_of_its_members() {
    let loops = [
        "reroll z = 3#d3 until d2 == 1",
        "reroll z = (d3, 2#d3) until 1 == 1",
        "repeat z = (d3, d3, d3) until d2 == 1 do 3#d3",
        "repeat z = 3#d3 until d2 == 1 do let x = 2#d3 in x, d3",
        "repeat z = 3#d3, n = 0 until n == 2 do 3#d3, n + 1 then z",
    ];
    let readers: [(&str, Value); 5] = [
        ("let a = first 1 q in a", |p| p[0]),
        ("repeat r = 0 for v in q do 4 * r + v", |p| {
            16 * p[0] + 4 * p[1] + p[2]
        }),
        ("let a = first 2 q, b = last 1 q in 10 * sum(a) + b", |p| {
            10 * (p[0] + p[1]) + p[2]
        }),
        (
            "let rest = drop first 1 q in let a = first 1 rest in a",
            |p| p[1],
        ),
        ("sum(q) - at 2 q", |p| p[0] + p[2]),
    ];
    for (list, (reader, value)) in loops.iter().flat_map(|list| readers.map(|of| (list, of))) {
        let mut expected: BTreeMap<i64, i64> = BTreeMap::new();
        for roll in 0..27 {
            let dice = [roll / 9, roll / 3 % 3, roll % 3].map(|face| face + 1);
            *expected.entry(value(&dice)).or_default() += 1;
        }
        let rule = format!("let q = ({list}) in {reader}");
        let expected = expected
            .into_iter()
            .map(|(value, rolls)| (value.to_string(), Fraction::new(rolls.into(), 27.into())));
        let (answer, _) = counted(&rule);
        assert_eq!(shares(&answer), expected.collect::<Vec<_>>(), "{rule}");
    }
}

/// From 3 to 3 on, two points in a row decide: with p for a point, p²/(p² + q²). Before that, the server has four points to 0, 1 or 2, or
/// both have three. The last rule is a walk that ends at a difference of 3.
#[test]
fn scores_that_must_be_two_ahead_are_few_states() {
    let p = Fraction::new(11.into(), 20.into());
    let q = Fraction::from_integer(1.into()) - &p;
    let ways = |ways: i64| Fraction::from_integer(ways.into());
    let deuce = p.pow(2) / (p.pow(2) + q.pow(2));
    let game = p.pow(4) * (ways(1) + ways(4) * &q + ways(10) * q.pow(2))
        + ways(20) * p.pow(3) * q.pow(3) * deuce;
    let ahead = p.pow(3) / (p.pow(3) + q.pow(3));
    let point = "(if d100 <= 55 then (a + 1, b) else (a, b + 1))";
    for (until, expected) in [
        ("until (a >= 4 or b >= 4) and abs(a - b) >= 2", &game),
        ("while max(a, b) < 4 or abs(a - b) < 2", &game),
        (
            "until (a >= 4 and a >= b + 2) or (b >= 4 and b >= a + 2)",
            &game,
        ),
        ("until abs(a - b) >= 3", &ahead),
    ] {
        let rule = format!("repeat a = 0, b = 0 {until} do {point} then a - b");
        let (answer, (states, _)) = counted(&rule);
        assert!(answer.is_complete() && states < 80, "{rule}: {states}");
        let won = shares(&answer)
            .into_iter()
            .filter(|(ahead, _)| !ahead.starts_with('-'));
        let won: Fraction = won.map(|(_, share)| share).sum();
        assert_eq!(won, *expected, "{rule}");
    }
}

#[test]
fn what_only_feeds_itself_is_no_state() {
    // The same loop without the variable m.
    let idle =
        "repeat m = 1, k = 3 while k > 0 do m + k * d6, (if d6 == 1 then k - 1 else k) then k";
    let (answer, (states, _)) = counted(idle);
    assert!(answer.is_complete() && states < 20, "{states}");
}

#[test]
fn a_loop_that_is_cut_may_not_fail_where_its_numbers_keep_a_least_one() {
    let rule = "repeat p = 1, go = 1 while go > 0 do let k = count ==6 (min(3, p)#d6) in p + d2, (k < 2) then p";
    let (answer, _) = counted(rule);
    assert_eq!(answer.may_fail, Fraction::from_integer(0.into()));
}

/// A list stands for a number where every path passes, so the rule always fails.
#[test]
fn a_condition_that_only_may_hold_keeps_its_errors() {
    for rule in [
        "repeat x = 3 while x > 0 do if (0, 0) + x then x - d2 else x - d2",
        "let x = perm 4#1 in let y = first d2 x in if (0, 0) + 1 then -1 else 1",
    ] {
        let program = crate::forms::read_all(rule).unwrap().program;
        let answer = engine::analyze(&program, &Limits::default(), &Unobserved);
        let error = answer.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type, "{rule}");
        assert!(error.probability().is_some_and(One::is_one), "{rule}");
    }
}

/// Each of two rounds fails with the same probability, whether something needs the value that fails or not.
#[test]
fn what_is_left_out_keeps_its_errors() {
    let half = Fraction::new(3.into(), 4.into());
    let third = Fraction::new(5.into(), 9.into());
    for (round, expected) in [
        ("let x = d2 in n + first 1 (1, 6 div (x - 1))", &half),
        (
            "let x = d2 in n + max(first 1 (1, 6 div (x - 1), 2))",
            &half,
        ),
        ("let x = d2 in n + count (6 div (x - 1))", &half),
        (
            "let x = d2 in n + count (foreach v in (1, 6 div (x - 1)) do 3) - 1",
            &half,
        ),
        (
            "let a = d3 in let x = (a - 2)#d6 in if a == 3 then n + count >=1 x else n + 1",
            &third,
        ),
        (
            "let a = d3 in let x = (a - 2)#d6 in let y = count >=1 x in n + 1",
            &third,
        ),
    ] {
        let rule = format!("repeat n = 0 until n == 2 do {round} then n");
        let program = crate::forms::read_all(&rule).unwrap().program;
        let answer = engine::analyze(&program, &Limits::default(), &Unobserved);
        let error = answer.unwrap_err();
        assert_eq!(error.probability(), Some(expected), "{rule}");
    }
}

/// What a round may look at of its pool. All but the last two follow for two pools together from what they are for either.
const LOOKS: [&str; 11] = [
    "sum x",
    "count >=2 x",
    "(if ==1 x then 1 else 0)",
    "max(x) - min(x)",
    "sum (high 2 x)",
    "10 * (rank 2 x) + count ==4 x",
    "sum (distinct x)",
    "(if sum x > 5 then count ==1 x else 0)",
    "sum (>2 x) - sum (<3 x)",
    "straight x",
    "count ==2 (foreach y in 1..4 do count ==y x)",
];

/// Pools that are rolled die by die, of which only something is looked at. The judge is the slow evaluator, which rolls all dice.
#[test]
fn pools_that_are_seen_in_parts_agree_with_the_slow_evaluator() {
    let limits = Limits::default();
    for look in LOOKS {
        for other in LOOKS {
            let text = format!(
                "repeat n = 2, s = 0 until n == 4 or s > 12 do let x = n#d4 in n + 1, s + ({look}) - ({other}) then s"
            );
            let program = crate::rules::read(Dialect::Bones, &text).unwrap().sorted();
            let found = engine::analyze(&program, &limits, &Unobserved).unwrap();
            let judged = enumerate(&program, &limits, &Unobserved).unwrap();
            assert_eq!(shares(&found), shares(&judged), "{text}");
        }
    }
}

/// What is done with the last state of a loop, with and without a name for it, and with the order of its dice or without.
#[test]
fn pools_that_are_rolled_again_agree_with_the_slow_evaluator() {
    let limits = Limits::default();
    let loops = [
        "reroll x = 2#d4 until sum x >= 4",
        "reroll x = (d4, 10 + d3) until max(x) > 12",
        "reroll x = (d3 + 4, d4) until sum x > 7",
        "reroll x = 3#d2 until first 1 x < last 1 x",
        "last 1 (while x = (d3 + 4, d4) do if sum x > 7 then () else (d3 + 4, d4))",
    ];
    let uses = [
        "sum",
        "max",
        "count",
        "sum first 1",
        "sum high 1",
        "count >2",
        "count distinct",
        "sum drop last 1",
    ];
    for rolled in loops {
        for use_of in uses {
            let text = match use_of {
                "max" => ["max(LOOP)".to_owned(), "let v = LOOP in max(v)".to_owned()],
                _ => [
                    format!("{use_of} (LOOP)"),
                    format!("let v = LOOP in {use_of} v"),
                ],
            };
            for text in text.map(|text| text.replace("LOOP", rolled)) {
                let program = crate::rules::read(Dialect::Bones, &text).unwrap().sorted();
                let found = engine::analyze(&program, &limits, &Unobserved).unwrap();
                let judged = enumerate(&program, &limits, &Unobserved).unwrap();
                assert!(found.is_complete(), "{text}");
                // The judge leaves what rounds are left after a while.
                let open = judged.probability(&judged.unresolved());
                for ((value, share), (same, least)) in shares(&found).iter().zip(shares(&judged)) {
                    assert_eq!(*value, same, "{text}");
                    assert!(
                        *share >= least && *share <= &least + &open,
                        "{text}: {value}"
                    );
                }
            }
        }
    }
}

/// The order of two numbers is the sign of their difference. The judge is the slow evaluator.
#[test]
fn numbers_are_compared_by_their_difference() {
    let limits = Limits::default();
    for text in [
        "compare (max(2#d6)) (d8)",
        "let x = 3#d4 in compare (max(x)) (sum x - 5)",
        "compare (sum(2#d4)) (sum(d8))",
        "let x = 2#d6 in compare (max(x)) (max(x))",
        "compare (2#d4) (d6)",
        "compare (max(0, foreach y in 2#d4 do y - 2)) (d3)",
    ] {
        let program = crate::rules::read(Dialect::Bones, text).unwrap().sorted();
        let found = engine::analyze(&program, &limits, &Unobserved).unwrap();
        let judged = enumerate(&program, &limits, &Unobserved).unwrap();
        assert_eq!(shares(&found), shares(&judged), "{text}");
    }
}
