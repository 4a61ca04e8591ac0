//! Loops whose rounds end with a choice. The best play is compared with every plan that chooses by the state alone, each solved by
//! Gaussian elimination here; some optimal plan is of this kind (M. Puterman, *Markov decision processes*, 1994, theorem 7.1.9).

use dicedist::engine::{self, Answer};
use dicedist::limits::{LimitReached, Unobserved};
use dicedist::number::Fraction;
use dicedist::{Error, ErrorKind, Limits};
use num_traits::{One, Zero as _};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::forms::read_all;

fn answered(rule: &str) -> Result<Answer, Error> {
    let program = read_all(rule)
        .unwrap_or_else(|error| panic!("{rule}: {error}"))
        .program;
    engine::analyze(&program, &Limits::default(), &Unobserved)
}

#[track_caller]
fn mean(rule: &str) -> Fraction {
    let answer = answered(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
    mean_of(&answer).unwrap_or_else(|| panic!("{rule} has no mean"))
}

/// The mean that goes with an endless answer; of a finite one it is found here.
fn mean_of(answer: &Answer) -> Option<Fraction> {
    if let Some(moments) = answer.moments() {
        return moments.first;
    }
    let numbers = answer.numbers()?;
    if numbers.mass() != *numbers.total() {
        return None;
    }
    let weighed = numbers
        .iter()
        .map(|(value, weight)| Fraction::from_integer(value.to_big()) * answer.probability(weight));
    Some(weighed.sum())
}

fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap()
}

/// A face of a choice's die: the next state, and what is added.
type Face = (usize, i64);

/// For each state the faces of both choices.
type Game = Vec<[Vec<Face>; 2]>;

/// A game of a few states. States from their number on are its ends.
fn games(
    added: impl Strategy<Value = i64> + Clone + 'static,
    ends: usize,
) -> impl Strategy<Value = Game> {
    (1_usize..5).prop_flat_map(move |states| {
        let faces = vec((0..states + ends, added.clone()), 1..5);
        vec([faces.clone(), faces], states)
    })
}

/// The rule of a game: `worth` is what stands behind `then`.
fn rule(game: &Game, worth: &str) -> String {
    let arms = game.iter().enumerate().flat_map(|(state, choices)| {
        choices.iter().enumerate().map(move |(choice, faces)| {
            let next = faces
                .iter()
                .enumerate()
                .map(|(face, (to, added))| format!("{}: ({to}, n + {added})", face + 1));
            let next: Vec<String> = next.collect();
            let dice = format!("case d{} {{{}}}", faces.len(), next.join(", "));
            format!("{}: {dice}", 2 * state + choice)
        })
    });
    let arms: Vec<String> = arms.collect();
    let end = game.len();
    format!(
        "repeat s = 0, n = 0 until s >= {end} do best a in 0..1 do case 2 * s + a {{{}}} then {worth}",
        arms.join(", ")
    )
}

/// The greatest mean of all plans that surely end. What a play is worth is the sum of what is added, and something for its end.
fn best_of_all(game: &Game, worth: impl Fn(usize) -> i64) -> Option<Fraction> {
    let plans = 0..1_usize << game.len();
    let means = plans.filter_map(|plan| {
        let faces = |state: usize| &game[state][plan >> state & 1];
        mean_of_plan(game.len(), faces, &worth)
    });
    means.max()
}

fn mean_of_plan<'g>(
    states: usize,
    faces: impl Fn(usize) -> &'g Vec<Face>,
    worth: impl Fn(usize) -> i64,
) -> Option<Fraction> {
    // Which states are reached, and from which of these the end can be.
    let mut reached = vec![false; states];
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        if state < states && !std::mem::replace(&mut reached[state], true) {
            open.extend(faces(state).iter().map(|(to, _)| *to));
        }
    }
    let mut ends = vec![false; states];
    for _ in 0..states {
        for state in 0..states {
            ends[state] = faces(state).iter().any(|&(to, _)| to >= states || ends[to]);
        }
    }
    if (0..states).any(|state| reached[state] && !ends[state]) {
        return None;
    }
    // x = (what is added) + (the mean of x behind a face), for the states that are reached.
    let mut rows: Vec<Vec<Fraction>> = Vec::new();
    for state in 0..states {
        let mut row = vec![Fraction::zero(); states + 1];
        row[state] = fraction(1, 1);
        if reached[state] {
            let share = fraction(1, number(faces(state).len()));
            for &(to, added) in faces(state) {
                let own = if to < states { 0 } else { worth(to) };
                row[states] += &share * fraction(added + own, 1);
                if to < states {
                    row[to] -= &share;
                }
            }
        }
        rows.push(row);
    }
    for pivot in 0..states {
        let other = (pivot..states).find(|&row| !rows[row][pivot].is_zero())?;
        rows.swap(pivot, other);
        let by = rows[pivot][pivot].clone();
        rows[pivot].iter_mut().for_each(|number| *number /= &by);
        for row in 0..states {
            if row != pivot {
                let (by, own) = (rows[row][pivot].clone(), rows[pivot].clone());
                for (number, own) in rows[row].iter_mut().zip(own) {
                    *number -= &by * own;
                }
            }
        }
    }
    Some(rows[0][states].clone())
}

#[track_caller]
fn compare(rule: &str, expected: Option<Fraction>) -> Result<(), TestCaseError> {
    match (answered(rule), expected) {
        (Ok(answer), Some(expected)) => {
            prop_assert_eq!(mean_of(&answer), Some(expected), "{}", rule);
        }
        (Err(error), None) => {
            prop_assert_eq!(error.limit(), Some(LimitReached::Mean), "{}", rule);
        }
        (answer, expected) => {
            let answer = answer.map(|answer| answer.moments());
            prop_assert!(false, "{rule}: {answer:?}, and not {expected:?}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_best_play_is_the_best_of_all_plans(game in games(-2_i64..1, 1)) {
        compare(&rule(&game, "n"), best_of_all(&game, |_| 0))?;
    }

    #[test]
    fn the_end_may_be_worth_something_too(game in games(-1_i64..1, 3)) {
        let states = game.len();
        let worth = |end: usize| 5 * number(end - states);
        compare(&rule(&game, &format!("n + 5 * (s - {states})")), best_of_all(&game, worth))?;
    }

    #[test]
    fn the_end_alone_may_be_worth_something(game in games(Just(0), 3)) {
        let worth = |end: usize| number(end * end);
        compare(&rule(&game, "s * s"), best_of_all(&game, worth))?;
    }
}

#[test]
fn the_die_that_hits_more_often_is_taken() {
    // The sum of n (5/8)^(n-1) 3/8.
    let rule =
        "repeat n = 0, done = 0 until done == 1 do best s in (6, 8) do n + 1, d s >= 6 then -n";
    assert_eq!(mean(rule), fraction(-8, 3));
}

#[test]
fn a_choice_is_for_the_value_of_the_loop() {
    // Three rolls, of which one is kept when it comes: 3.5, then the mean of max(3.5, d6), then of max(17/4, d6).
    let rule = "repeat x = d6 for i in 1..2 do best again in 0..1 do if again == 1 then d6 else x";
    assert_eq!(mean(rule), fraction(14, 3));
    // A round that is worth less now, and more in the end: the next state alone would be the largest at once.
    let rule =
        "repeat n = 0 until n >= 10 do best s in (1, 7) do n + s then if n == 10 then 1 else 0";
    assert_eq!(mean(rule), fraction(1, 1));
}

#[test]
fn a_list_of_dice_may_be_the_state() {
    // Yahtzee: https://datagenetics.com/blog/january42012 gives 347897/7558272.
    let kept = "best kept from x do left - 1, (kept, (5 - count kept)#d6)";
    let rule =
        format!("repeat left = 2, x = 5#d6 until left == 0 do {kept} then count (distinct x) == 1");
    assert_eq!(mean(&rule), fraction(347_897, 7_558_272));
}

#[test]
fn hot_dice_are_rolled_again() {
    // Farkle of ones and fives, up to 5,000 points: 217.2181526703658 by a recursion over points and dice in another language.
    let scored = "100 * (count ==1 x) + 50 * (count ==5 x)";
    let again = format!(
        "let x = n#d6 in let k = (count ==1 x) + (count ==5 x) in if k == 0 then 0, n, 0 \
         else min(total + {scored}, 5000), (if k == n then 6 else n - k), 1"
    );
    let rule = format!(
        "repeat total = 0, n = 6, go = 1 while go == 1 do best roll in 0..1 do if roll == 0 then total, n, 0 else {again} \
         then total"
    );
    let millionths = mean(&rule) * Fraction::from_integer(1_000_000.into());
    assert_eq!(millionths.round(), fraction(217_218_153, 1));
}

#[test]
fn what_never_ends_is_worse_than_what_ends() {
    let rule = "repeat n = 0, go = 1 while go == 1 do best stop in 0..1 do n, stop == 0 then n - 5";
    assert_eq!(mean(rule), fraction(-5, 1));
}

#[test]
fn without_a_best_play_there_is_none() {
    let limit = |rule| answered(rule).unwrap_err().limit();
    let ever =
        "repeat n = 0, go = 1 while go == 1 do best stop in 0..1 do n + d6, stop == 0 then n";
    assert_eq!(limit(ever), Some(LimitReached::Plan));
    let never = "repeat n = 0, go = 1 while go == 1 do best stop in 0..1 do n - d6, 1 then n";
    assert_eq!(limit(never), Some(LimitReached::Mean));
}

/// A choice fails where a candidate may fail: the first rules in their first round, the last in its 41st.
#[test]
fn an_error_of_a_round_is_named_with_its_place() {
    for (round, kind, place, is_certain) in [
        ("s + (count ==1 x + 1) * 0, k", ErrorKind::Type, "x", true),
        ("s + d(k - 1), k", ErrorKind::BadDie, "d(k - 1)", true),
        (
            "s + 1, 0 * (1 / (40 - s)) + k",
            ErrorKind::DivisionByZero,
            "1 / (40 - s)",
            false,
        ),
    ] {
        let rule = format!(
            "repeat s = 0, go = 1 while go == 1 do let x = 3#d6 in best k in (0, 1) do {round} then s"
        );
        let error = answered(&rule).unwrap_err();
        let span = error.diagnostics()[0].span.unwrap();
        assert_eq!(
            (error.kind(), &rule[span.start..span.end]),
            (kind, place),
            "{rule}"
        );
        let (least, whole) = (error.least_probability(), error.probability());
        assert_eq!(whole.is_some_and(One::is_one), is_certain, "{rule}");
        assert!(
            least.is_some_and(|least| !least.is_zero()) || is_certain,
            "{rule}"
        );
    }
}

/// Two spellings of one game are two ways through the engine: a definition that uses itself, and a loop.
#[test]
fn definitions_and_loops_play_alike() {
    let scores = [
        "count ==3 x",
        "max(foreach y in 1..6 do count ==y x)",
        "if count distinct x == 2 and max(foreach y in 1..6 do count ==y x) == 3 then 25 else 0",
        "if straight x >= 4 then 30 else 0",
        "sum high 2 x",
    ];
    for score in scores {
        for (dice, sides) in [(4, 4), (5, 3)] {
            let again = format!("(kept, ({dice} - count kept)#d{sides})");
            let all = format!("{dice}#d{sides}");
            let by_definition = format!(
                "def play(left, x) = if left == 0 then {score} else best kept from x do play(left - 1, {again}); \
                 play(2, {all})"
            );
            let by_loop = format!(
                "repeat left = 2, x = {all} until left == 0 do best kept from x do left - 1, {again} then {score}"
            );
            assert_eq!(mean(&by_definition), mean(&by_loop), "{by_loop}");
        }
    }
}

/// A choice of one candidate is none: the loop without it goes another way through the engine.
#[test]
fn a_choice_of_one_changes_nothing() {
    let rounds = [
        "let m = (if d6 > left then n * n + 5 else n + 1) in @ m, left - 1",
        "let m = (if d6 > left then n + 1 else n * 2) in @ m + d2, left - 1",
        "let m = max(n, d6) in @ n + m, left - 1",
        "if d4 == 1 then @ n, left - 1 else @ n + left, left - 1",
        "case d3 {1: @ (n + 2, left - 1), 2: @ (n - 3, left - 1), else: @ (0 - n, left - 1)}",
        "let x = 2#d4 in @ n + max(x), left - (count ==4 x) - 1",
    ];
    for round in rounds {
        let rule = |choice: &str| {
            let round = round.replace('@', choice);
            format!("repeat n = 1, left = 3 until left <= 0 do {round} then n")
        };
        assert_eq!(mean(&rule("best a in 7..7 do")), mean(&rule("")), "{round}");
    }
}

/// The answer where the best play among so many situations, and twice as many, will do.
fn nearest(rule: &str, situations: u64) -> Result<Answer, Error> {
    let limits = Limits::default()
        .with_states(100_000)
        .with_situations(Some(situations));
    engine::analyze(&read_all(rule)?.program, &limits, &Unobserved)
}

#[test]
fn a_turn_without_limit_is_played_among_the_nearest_situations() {
    let rule = "repeat total = 0, over = 0 until over == 1 do best go in 0..1 do if go == 0 then total, 1 \
        else let x = d6 in if x == 1 then 0, 1 else total + x, 0 then total";
    let answer = nearest(rule, 500).unwrap();
    assert_eq!(answer.plays_within, Some(1_000));
    // T. Neller and C. Presser, Optimal Play of the Dice Game Pig: a turn that is held at 20 ends with nothing in 62.5 %.
    let nothing = answer.numbers().unwrap().iter().next().unwrap().1.clone();
    assert_eq!(
        answer.probability(&nothing),
        fraction(9_440_899, 15_116_544)
    );
    // Where all situations are to be looked at, there is no end of them.
    let refused = nearest(rule, u64::MAX).unwrap_err();
    assert_eq!(refused.limit(), Some(LimitReached::States(100_000)));
}

/// Farkle of ones and fives with hot dice, by a recursion over totals. From 10,000 on, which is far more than is worth a throw, the
/// player stops.
fn farkle(
    total: i64,
    dice: usize,
    known: &mut std::collections::HashMap<(i64, usize), f64>,
) -> f64 {
    if total >= 10_000 {
        return f64::from(i32::try_from(total).unwrap());
    }
    if let Some(&mean) = known.get(&(total, dice)) {
        return mean;
    }
    let mut thrown = 0.0;
    for ones in 0..=dice {
        for fives in 0..=dice - ones {
            let scored = ones + fives;
            if scored == 0 {
                continue;
            }
            let ways = binomial(dice, ones) * binomial(dice - ones, fives);
            let others = 4_f64.powi(i32::try_from(dice - scored).unwrap());
            let chance = ways * others / 6_f64.powi(i32::try_from(dice).unwrap());
            let left = if scored == dice { 6 } else { dice - scored };
            let points = 100 * number(ones) + 50 * number(fives);
            thrown += chance * farkle(total + points, left, known);
        }
    }
    let mean = thrown.max(f64::from(i32::try_from(total).unwrap()));
    known.insert((total, dice), mean);
    mean
}

fn binomial(n: usize, k: usize) -> f64 {
    let real = |number: usize| f64::from(u32::try_from(number).unwrap());
    (0..k).fold(1.0, |ways, i| ways * real(n - i) / real(i + 1))
}

#[test]
fn farkle_with_hot_dice_is_played_as_a_recursion_plays_it() {
    let answer = nearest(
        "repeat total = 0, dice = 6, over = 0 until over == 1 do best go in 0..1 do if go == 0 then total, dice, 1 \
         else let x = dice#d{100, 50, 0: 4} in let scored = count >0 x in if scored == 0 then 0, dice, 1 \
         else total + sum x, (if scored == dice then 6 else dice - scored), 0 then total",
        2_000,
    );
    let mean = mean_of(&answer.unwrap()).unwrap();
    let own = dicedist::report::decimal::nearest(&mean);
    let expected = farkle(0, 6, &mut std::collections::HashMap::new());
    assert!((own - expected).abs() < 1e-9, "{own} {expected}");
}
