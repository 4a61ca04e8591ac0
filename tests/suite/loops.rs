//! Loops in the operands of every operator. Every expected number is derived by hand in a comment beside it.

use std::collections::BTreeMap;

use crate::command::run;
use dicedist::algebra::{Listing as _, Weight};
use dicedist::engine::{self, Answer, Outcomes, Route};
use dicedist::limits::{Limits, Unobserved};
use dicedist::number::{Fraction, Integer};
use dicedist::summary::Summary;
use dicedist::{Dialect, ErrorKind};
use num_traits::ToPrimitive as _;

fn answer(text: &str) -> Answer {
    let program = crate::rules::read(Dialect::Bones, text).unwrap().sorted();
    let answer = engine::analyze(&program, &Limits::default(), &Unobserved).unwrap();
    assert_eq!(answer.route, Route::Residual, "{text}");
    answer
}

/// The answer where a hundredth may stay unresolved.
fn rough_answer(text: &str) -> Answer {
    let program = crate::rules::read(Dialect::Bones, text).unwrap().sorted();
    let limits = Limits::default().with_tolerance(fraction("1/100"));
    engine::analyze(&program, &limits, &Unobserved).unwrap()
}

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

/// The probability of a listed outcome.
fn probability(answer: &Answer, value: &str) -> Fraction {
    let found = answer
        .outcomes()
        .iter()
        .find(|(outcome, _)| outcome.exact(&answer.unit, &answer.shape) == value);
    found.map_or_else(Fraction::default, |(_, weight)| answer.probability(weight))
}

fn all_mass(answer: &Answer) -> Fraction {
    let listed = answer.outcomes().mass();
    let others = answer.tail_weight() + answer.unresolved() + answer.never_ends();
    answer.probability(&(listed + others))
}

/// Asserts the probabilities of some outcomes, and that all mass is accounted for.
fn assert_listed(text: &str, expected: &[(&str, &str)]) -> Answer {
    let answer = answer(text);
    for (value, share) in expected {
        assert_eq!(
            probability(&answer, value),
            fraction(share),
            "P({value}) of {text}"
        );
    }
    assert_eq!(all_mass(&answer), fraction("1"), "{text}");
    answer
}

/// Some values, the chance that the loop never ends, and nothing that is not known.
fn assert_ends(text: &str, expected: &[(&str, &str)], never: &str) {
    let answer = assert_listed(text, expected);
    let found = answer.probability(&answer.never_ends());
    assert_eq!(found, fraction(never), "{text}");
}

fn assert_fails(text: &str, kind: ErrorKind, share: &str) {
    let program = crate::rules::read(Dialect::Bones, text).unwrap().sorted();
    let error = engine::analyze(&program, &Limits::default(), &Unobserved).unwrap_err();
    assert_eq!(error.kind(), kind, "{text}");
    assert_eq!(error.probability(), Some(&fraction(share)), "{text}");
}

/// Rounds that go on with the value of the round before, or with one that follows from it. The shares are those of the equations:
/// each round of the first fails with 1/6 and ends with 5/36; the second walks from 3 by -1 and 1 until it reaches 0, with
/// probability 2/5, or 5; the third always gets beyond 60.
#[test]
fn errors_in_loops_that_use_their_value_have_exact_probabilities() {
    for (text, share) in [
        (
            "count(while x=1 do (if ==1 d6 then 1/0 else if ==1 d6 then () else x))",
            "6/11",
        ),
        (
            "count(while x=3 do (let q=x+2*d2-3 in if ==0 q then 1/0 else if ==5 q then () else q))",
            "2/5",
        ),
        (
            "count(while p=0 do (let q=p+d6 in if >=60 q then 1/0 else q))",
            "1",
        ),
    ] {
        assert_fails(text, ErrorKind::DivisionByZero, share);
    }
}

/// The remainder of an exploding die is 0 with 1/5, and the number of a coin's heads in a row and one more is even with 2/3.
#[test]
fn chances_of_errors_behind_loops_are_exact_or_lower_bounds() {
    for (text, share) in [
        ("1/(sum(while x=d6 do ((count ==6 x)#d6))%3)", "1/5"),
        (
            "let n=count(while y=2 do (count >1 y)#d2) in 1/(n%2)",
            "2/3",
        ),
        ("count(while x=1 do (if ==1 d6 then 1/0 else x+1))", "1"),
    ] {
        let program = crate::rules::read(Dialect::Bones, text).unwrap().sorted();
        let error = engine::analyze(&program, &Limits::default(), &Unobserved).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DivisionByZero, "{text}");
        let (share, least) = (fraction(share), error.least_probability().unwrap());
        let missing = &share - least;
        assert!(
            missing >= fraction("0") && missing < fraction("1/1000"),
            "{text}: {least}"
        );
        assert!(
            error.probability().is_none_or(|exact| *exact == share),
            "{text}"
        );
    }
}

/// If a round fails with probability f, and ends the loop with probability r, the loop fails with f / (f + r).
#[test]
fn errors_in_loops_have_exact_probabilities() {
    // Every round fails with 1/2, and none ends it.
    assert_fails("while x=1 do 1/(d2-1)", ErrorKind::DivisionByZero, "1");
    // A 1 comes with 1/2, and its round fails with 1/2 or gives 1 again: p = 1/2·(1/2 + 1/2·p'), where p' = 1 is the
    // probability after a 1.
    assert_fails(
        "count(while x=d2 do if ==1 x then 1/(d2-1) else ())",
        ErrorKind::DivisionByZero,
        "1/2",
    );
    // From 1: d(d3-1) fails with 1/3, is d1 with 1/3, and d2 with 1/3, so p = 1/3 + p·(1/3 + 1/6).
    assert_fails(
        "count(while x=1 do if ==1 x then d(d3-1) else ())",
        ErrorKind::BadDie,
        "2/3",
    );
    // After a 6 a round fails with 1/6 and is 6 again with 1/6, so p = 1/6 + p/6 = 1/5. A 6 comes with 1/6.
    assert_fails(
        "sum(while x=d6 do if ==6 x then 6/(d6-1) else ())",
        ErrorKind::DivisionByZero,
        "1/30",
    );
    // After a 6 a round fails with 1/6 and else is a d6, so p = 1/6 + 5/6·p/6 = 6/31. A 6 comes with 1/6.
    assert_fails(
        "sum(while x=d6 do if ==6 x then (let y=6/(d6-1) in d6) else ())",
        ErrorKind::DivisionByZero,
        "1/31",
    );
}

#[test]
fn the_last_value_is_what_ends_a_loop() {
    // The last value is the first one from 1 to 4, each with equal probability.
    let text = "last 1 (while x=d6 do if >4 x then d6 else ())";
    let fair = [("1", "1/4"), ("2", "1/4"), ("3", "1/4"), ("4", "1/4")];
    let answer = assert_listed(text, &fair);
    assert!(answer.is_complete());
}

#[test]
fn exploding_dice_are_added_up_and_ranked() {
    // One exploding d6 is k with 1/6 for k in 1..5, with 1/36 for k in 7..11, and has the mean 6/5 of a d6.
    let two = "sum(2#sum(while x=d6 do ((count ==6 x)#d6)))";
    // 8 is 3+5, 4+4, 5+3, 1+7 or 7+1.
    let answer = assert_listed(two, &[("2", "1/36"), ("8", "20/216")]);
    assert_eq!(answer.moments().unwrap().first, Some(fraction("42/5")));
    // P(N <= n) = 1 - 1/2^n, so P(the larger of two <= n) = (1 - 1/2^n)².
    assert_listed(
        "high 1 (2#count(while x=d2 do if ==1 x then d2 else ()))",
        &[("1", "1/4"), ("2", "5/16"), ("3", "13/64")],
    );
    // The tail is wholly at least 5. Each die is at least 5 with 1 - 4/6.
    let answer = assert_listed(
        "count >=5 (3#sum(while x=d6 do ((count ==6 x)#d6)))",
        &[("0", "8/27"), ("1", "12/27"), ("2", "6/27"), ("3", "1/27")],
    );
    assert!(answer.is_complete());
}

#[test]
fn one_of_several_unequal_dice_has_a_mean_and_a_variance() {
    // X is 2G+1 with P(X ≥ t) = 2^-⌊t/2⌋, so E[X] = 3 and E[X²] = 17; for a d3, E = 2 and E of the square = 14/3. Both are at
    // least t with 1, 1/3 and 1/6 for t = 1, 2, 3. For the lower of the two, E is the sum of these, 3/2, and E of the square is
    // the sum of (2t-1) times these, 17/6. The higher of the two has the rest.
    let exploding = "sum(while x=d2 do ((count ==2 x)#d2))";
    for (select, mean, variance) in [
        ("high", "7/2", "79/12"), // 17 + 14/3 - 17/6 - (7/2)²
        ("low", "3/2", "7/12"),   // 17/6 - (3/2)²
    ] {
        let summary = Summary::of(&answer(&format!("{select} 1 ({exploding}, d3)")));
        assert_eq!(summary.mean.finite(), Some(&fraction(mean)), "{select}");
        let found = summary.variance.finite();
        assert_eq!(found, Some(&fraction(variance)), "{select}");
    }
}

#[test]
fn a_die_that_soon_ends_is_listed_as_far_as_one_that_does_not() {
    let slow = "sum(while x=d20 do ((count >6 x)#d20))";
    let quick = "sum(while x=d4 do ((count ==4 x)#d4))";
    let answer = answer(&format!("high 1 ({slow}, {quick})"));
    let tolerance = Fraction::new(1.into(), 1_000_000_000_000_i64.into());
    assert_eq!(answer.below(), None);
    let tail = answer.above().expect("one tail");
    assert!(answer.probability(&tail.weight) <= tolerance);
}

#[test]
fn multiples_of_exploding_dice_have_a_mean() {
    // The mean of one such die is 21/5.
    let rule = "3*sum(4#sum(while x=d6 do ((count ==6 x)#d6)))";
    let moments = answer(rule).moments();
    assert_eq!(moments.unwrap().first, Some(fraction("252/5")));
}

#[test]
fn tails_follow_arithmetic() {
    // 10 minus an exploding d6 has a tail below.
    let answer = assert_listed(
        "10-sum(while x=d6 do ((count ==6 x)#d6))",
        &[("9", "1/6"), ("3", "1/36")],
    );
    assert!(answer.below().is_some() && answer.above().is_none());
    assert_eq!(answer.moments().unwrap().first, Some(fraction("29/5")));
    // The number of dice is geometric with mean 2.
    let answer = assert_listed(
        "sum((count(while x=d2 do if ==1 x then d2 else ()))#d2)",
        // One die with 1/2, two with 1/4.
        &[("1", "1/4"), ("2", "5/16")],
    );
    assert_eq!(answer.moments().unwrap().first, Some(fraction("3")));
}

#[test]
fn two_tails_that_face_each_other_leave_next_to_nothing_open() {
    // The difference of two geometric numbers is 0 with Σ 4^-n = 1/3, and n with 1/3·2^-n.
    let geometric = "count(while x=d2 do if ==1 x then d2 else ())";
    let answer = answer(&format!("{geometric}-{geometric}"));
    assert_eq!(all_mass(&answer), fraction("1"));
    let open = answer.probability(&answer.unresolved());
    assert!(open < fraction("1/1000000000000"));
    for (value, exact) in [("0", "1/3"), ("3", "1/24"), ("-3", "1/24")] {
        let (found, exact) = (probability(&answer, value), fraction(exact));
        assert!(found <= exact && exact <= found + &open, "P({value})");
    }
    assert_eq!(answer.moments().unwrap().first, Some(fraction("0")));
}

#[test]
fn tails_that_face_each_other_are_exact_together() {
    // The rolls until a one of a die with s sides are more than k with ((s-1)/s)^k. So P(G + 3 <= H) is the sum over g of
    // 1/20·(19/20)^(g-1)·(5/6)^(g+2) = 1/20·(5/6)^3 / (1 - 19/20·5/6) = 5/36.
    let rolls = |sides: u32| format!("count(while x=d{sides} do if >1 x then d{sides} else ())");
    let answer = answer(&format!("{}-{}", rolls(6), rolls(20)));
    assert_eq!(all_mass(&answer), fraction("1"));
    assert_eq!(answer.unresolved(), 0_u32.into());
    let great = answer
        .numbers()
        .unwrap()
        .weight_between(Some(&3.into()), None);
    let all = great + &answer.above().unwrap().weight;
    assert_eq!(answer.probability(&all), fraction("5/36"));
}

#[test]
fn what_never_ends_is_counted_wherever_it_stands() {
    // A loop never ends after a 1, so both loops end with (2/3)².
    let pair = "sum(2#count(while x=d3 do if ==1 x then 1 else ()))";
    let answer = assert_listed(pair, &[("2", "4/9")]);
    assert_eq!(answer.probability(&answer.never_ends()), fraction("5/9"));
    for unused in [
        "let x=(while x=d3 do if ==1 x then 1 else ()) in 7",
        "0*count(while x=d3 do if ==1 x then 1 else ())+7",
    ] {
        let answer = assert_listed(unused, &[("7", "2/3")]);
        assert_eq!(answer.probability(&answer.never_ends()), fraction("1/3"));
    }
    // The loop is evaluated with probability 1/2.
    let answer = assert_listed(
        "if ==1 d2 then count(while x=d3 do if ==1 x then 1 else ()) else 5",
        &[("1", "1/3"), ("5", "1/2")],
    );
    assert_eq!(answer.probability(&answer.never_ends()), fraction("1/6"));
}

#[test]
fn dice_beyond_their_faces_keep_their_weight() {
    let die = "(0-sum(while x=d6 do ((count ==6 x)#d6)))";
    let limits = Limits::default()
        .with_outcomes(6)
        .with_tolerance(fraction("3/10"));
    let read = |text: &str| crate::rules::read(Dialect::Bones, text).unwrap().sorted();
    for (text, never) in [
        (format!("low 1 2#{die}"), "0"),
        (format!("high 1 low 2 4#{die}"), "0"),
        (
            format!("sum(2#(if ==1 d2 then {die} else sum(while z=1 do 1)))"),
            "3/4",
        ),
        (
            format!("2#(if ==1 d2 then 0-{die} else sum(while z=1 do 1))"),
            "3/4",
        ),
    ] {
        let answer = engine::analyze(&read(&text), &limits, &Unobserved).unwrap();
        assert_eq!(all_mass(&answer), fraction("1"), "{text}");
        assert_eq!(
            answer.probability(&answer.never_ends()),
            fraction(never),
            "{text}"
        );
    }
    let lowest = engine::analyze(&read(&format!("low 1 2#{die}")), &limits, &Unobserved).unwrap();
    assert_eq!(lowest.above(), None);
    let tail = lowest.below().expect("one tail, below");
    // P(X <= -8) = 1/6·5/6 = 5/36 for one die, so P(the lower of two <= -8) = 1 - (31/36)².
    assert_eq!(tail.bound, (-8).into());
    assert_eq!(lowest.probability(&tail.weight), fraction("335/1296"));
}

#[test]
fn only_what_is_evaluated_is_waited_for() {
    for (text, expected, never) in [
        // A 1 never ends; a 2 gives 3.
        (
            "if ==1 d2 then sum(while y=1 do 1) else 3",
            &[("3", "1/2")][..],
            "1/2",
        ),
        // Two independent numbers: 1/4 for two threes.
        (
            "sum(2#(if ==1 d2 then sum(while y=1 do 1) else 3))",
            &[("6", "1/4")],
            "3/4",
        ),
        // The loops are not evaluated with probability 1/2.
        (
            "if >=2 d2 then sum(2#(if ==1 d2 then sum(while y=1 do 1) else 3)) else 0",
            &[("0", "1/2"), ("6", "1/8")],
            "3/8",
        ),
        // Only a 1 evaluates the loop.
        (
            "let x=d2 in if ==1 x then x + sum(while y=1 do 1) else x + d2",
            &[("3", "1/4"), ("4", "1/4")],
            "1/2",
        ),
        // One of three numbers of copies is 0, which needs no value.
        ("==2 ((d3-1)#sum(while z=1 do 1))", &[("", "1/3")], "2/3"),
        (
            "if !=3 ((d3-1)#sum(while z=1 do 1)) then 7 else (if ==1 d2 then sum(while z=1 do 1) else 3)",
            &[("3", "1/6")],
            "5/6",
        ),
        (
            "while y=2#(if ==1 d2 then sum(while z=1 do 1) else 3) do ()",
            &[("3 3", "1/4")],
            "3/4",
        ),
        // Never ends with 1/3; otherwise the sum is 3 plus a geometric number of ones, each with 1/3.
        (
            "sum(while y=(if >=1 sum(while x=0 do (==2 d3)) then sum(while z=1 do 1) else 3) do (==1 d3))",
            &[("3", "4/9"), ("4", "4/27")],
            "1/3",
        ),
        // With probability 1/2 there are 0 copies.
        (
            "count((d2-1)#(sum(while y=1 do 1)))",
            &[("0", "1/2")],
            "1/2",
        ),
    ] {
        assert_ends(text, expected, never);
    }
    // An error behind the other side of a condition is reached.
    assert_fails(
        "if ==1 d2 then sum(while y=1 do 1) else 3/0",
        ErrorKind::DivisionByZero,
        "1/2",
    );
}

#[test]
fn what_waits_for_a_loop_that_never_ends_never_comes() {
    for text in [
        "while x=1 do 1",
        "while x=d2 do x",
        "sum(3#(sum(while x=d3 do d3)))",
        "count(3#(sum(while x=d3 do d3)))",
        "high 1 (3#(sum(while x=d3 do d3)))",
        "let x=2#(sum(while x=d3 do d3)) in count x + sum x",
        "(sum(while x=d6 do d6))/2",
        "let z=(sum(while y=2 do (count >=1 y)#2)) in sum(while x=z do ((count >=1 x)#6))",
        // The sum of the loop can rise and fall.
        "sum(while x=(d3-d4) do (count <=4 x)#(d3-d4))",
        // The divisor never ends.
        "6/(sum(2#(sum(while x=d3 do d3))))",
    ] {
        let answer = assert_listed(text, &[]);
        assert_eq!(
            answer.probability(&answer.never_ends()),
            fraction("1"),
            "{text}"
        );
    }
    // Each of the two loops ends with 1/2, and then its value is a single 2.
    let two = "let y=2#(while x=d2 do if ==1 x then 1 else ()) in (count y),5";
    let answer = assert_listed(two, &[("2 5", "1/4")]);
    assert_eq!(answer.probability(&answer.never_ends()), fraction("3/4"));
    let halves = "while x=d2 do if ==1 x then 1 else ()";
    let answer = assert_listed(halves, &[("2", "1/2")]);
    assert_eq!(answer.probability(&answer.never_ends()), fraction("1/2"));
}

#[test]
fn a_loop_is_listed_as_far_as_what_it_is_combined_with_asks_for() {
    let exploding = "sum(while x=d6 do ((count ==6 x)#d6))";
    let missing = |answer: &Answer| -> Fraction {
        answer.probability(&(answer.tail_weight() + answer.unresolved()))
    };
    let tolerance = fraction("1/1000000000000");
    // A 13 is two sixes and a 1.
    let kept = answer(&format!("let s={exploding} in if <d300 s then s else 0"));
    assert_eq!(
        probability(&kept, "13"),
        fraction("1/216") * fraction("287/300")
    );
    assert!(missing(&kept) <= tolerance);
    // Each value of the loop below 200 needs exactly one value of the d300. A value of 200 or more is 33 sixes and a 2 or more.
    let sum = answer(&format!("{exploding}+d300"));
    let beyond = fraction("5") / num_traits::Pow::pow(fraction("6"), 34_u32);
    assert_eq!(
        probability(&sum, "200"),
        (fraction("1") - beyond) / fraction("300")
    );
    assert!(missing(&sum) <= tolerance);
    // Both uses of the variable have the same value.
    let pairs = answer(&format!("let s={exploding} in (s,s+1)"));
    assert_eq!(probability(&pairs, "3 4"), fraction("1/6"));
    // The mean of a product of independent numbers is the product of the means 21/5 and 5/2.
    let product = answer(&format!("({exploding})*d4"));
    assert!(missing(&product) <= tolerance);
    let mean = product.moments().and_then(|moments| moments.first);
    assert_eq!(mean, Some(fraction("21/2")));
    // A law with unresolved mass has no known mean.
    let walk =
        rough_answer("if ==1 d2 then 3 else count(while x=1 do (if ==0 x then () else x+2*d2-3))");
    assert_eq!(walk.moments().and_then(|moments| moments.first), None);
}

#[test]
fn an_error_ends_a_loop_and_is_no_member_of_it() {
    // The first round rolls one d2. After a 1 the next round has -1 dice, after a 2 none.
    assert_fails(
        "count(while x=3 do (x-2)#d2)",
        ErrorKind::NegativeCount,
        "1/2",
    );
}

#[test]
fn a_walk_without_bounds_leaves_a_rest_that_is_shown() {
    // A random walk from 1 in steps of 1 until 0: it ends after one step with 1/2, after three steps with 1/8.
    let walk = "count(while x=1 do (if ==0 x then () else x+2*d2-3))";
    let rough = rough_answer(walk);
    for (value, share) in [("2", "1/2"), ("4", "1/8"), ("6", "1/16")] {
        assert_eq!(probability(&rough, value), fraction(share));
    }
    assert_eq!(all_mass(&rough), fraction("1"));
    assert!(rough.unresolved() != dicedist::algebra::Weight::ZERO);
    // The rest shrinks by the same factor as the states grow, so no number of states leaves 10^-12.
    let program = crate::rules::read(Dialect::Bones, walk).unwrap();
    let limits = Limits::default().with_states(100_000);
    let error = engine::analyze(&program, &limits, &Unobserved).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

/// What is over the tolerance is no answer; what is asked of a finite loop is listed whole. The numbers of rounds until a sum of
/// dice reaches 6000 lie between 1000 and 6000, those of a duel of 30 against 30 between 5 and 30, with one death in five rounds of
/// at least 30 points: five sixes in a row on one side, 2/6^5 - 1/6^10.
#[test]
fn finite_loops_with_many_states_are_solved() {
    let duel = [
        "count(while s=3030 do (let a=s/100 in let b=s%100 in let p=a-d6 in let q=b-d6 in if <1 p then () else if <1 q then () else p*100+q))",
        "count(while s=30030 do (let p=s/1000-d6 in let q=s%1000-d6 in if <1 (low 1 (p,q)) then () else p*1000+q))",
    ];
    for rule in duel {
        let answer = assert_listed(rule, &[("5", "15551/60466176")]);
        assert!(answer.is_complete(), "{rule}");
        assert_eq!(answer.outcomes().len(), 26, "{rule}");
    }
    let pair = "count(while s=(30,30) do (let p=(first 1 s)-d6 in let q=(last 1 s)-d6 in if <1 p then () else if <1 q then () else p,q))";
    let pair = assert_listed(pair, &[("10", "15551/60466176")]);
    assert!(pair.is_complete());
    // A question of players ("time-15" of the vectors, answered there by recursion over both hit points): fighters with 20
    // and 16 points strike in turns; who misses, strikes again.
    let strikes = "let w=(last 1 (while s=2016 do let a=s/100 in let b=s%100 in if ==0 a then () else if ==0 b then () else \
        let q=high 1 (0,b-(if <=11 d20 then d8 else 0)) in \
        if ==0 q then a*100 else (high 1 (0,a-(if <=13 d20 then d6 else 0)))*100+q)) in if >=100 w then 1 else 0";
    let first = "120750509116369964484627401148956071441054121502940069146578056823007258090234873705909660641005941352130230057165/161638137066669798039364214879233986206241655534200676165610900033908273961115374105520678372527405538590318395392";
    assert_listed(strikes, &[("1", first)]);
    // Four dice that count down: die k adds 1 + 2 + … + k, so the mean is 4 times that of k(k+1)/2, which is 15.
    let down = answer("sum(while q=4#d8 do foreach y in q do (if >1 y then y-1 else ()))");
    assert!(down.is_complete());
    assert_eq!(Summary::of(&down).mean.finite(), Some(&fraction("60")));
    assert_fails(
        "count(while p=0 do (let q=p+d6 in if >=600 q then 1/0 else q))",
        ErrorKind::DivisionByZero,
        "1",
    );
}

/// A fair walk from 1 reaches 100,000 before 0 with probability 1/100,000 (gambler's ruin). With a large tolerance the states
/// are not followed so far, and the answer says how likely the error can be.
#[test]
fn an_error_that_is_neither_found_nor_excluded_is_bounded() {
    let walk = "count(while p=1 do (let q=p+2*d2-3 in if ==0 q then () else if >=100000 q then 1/0 else q))";
    let open = rough_answer(walk).may_fail;
    assert!(fraction("1/100000") <= open && open <= fraction("1/100"));
    let said = run([walk, "--tolerance", "0.01"]);
    assert_eq!(said.code, Some(0));
    assert!(
        said.stderr.contains("this rule may fail"),
        "{}",
        said.stderr
    );
    let decided = answer("count(while x=d6 do ((count ==6 x)#d6))");
    assert_eq!(decided.may_fail, fraction("0"));
}

/// 33 sixes and a 2 are 200, and nothing else is. The remainders of an exploding die by 3 are those of d5, shifted by sixes.
#[test]
fn errors_at_far_values_and_at_remainders_have_exact_probabilities() {
    let exploding = "sum(while x=d6 do ((count ==6 x)#d6))";
    let power = num_traits::Pow::pow(fraction("6"), 34_u32).to_string();
    for (rule, share) in [
        (format!("1/({exploding}-200)"), format!("1/{power}")),
        (format!("1/({exploding}%3)"), "1/5".to_owned()),
    ] {
        assert_fails(&rule, ErrorKind::DivisionByZero, &share);
    }
}

/// Lists and tuples of loops: the last members of a finite chain, and several numbers of one loop.
#[test]
fn lists_and_tuples_of_loops_are_exact() {
    // The last value shows a 6, given that it does: 11 equally likely pairs, one of them (6, 6).
    assert_listed(
        "last 2 (while x=2#d6 do if ==6 x then () else 2#d6)",
        &[("1 6", "2/11"), ("5 6", "2/11"), ("6 6", "1/11")],
    );
    assert_listed(
        "last 2 (while x=(1,2) do if ==1 d2 then (1,2) else ())",
        &[("1 2", "1")],
    );
    // k sixes and then f: sum 6k + f, count k + 1.
    assert_listed(
        "let x=(while x=d6 do ((count ==6 x)#d6)) in (sum x),(count x)",
        &[("1 1", "1/6"), ("2 8", "1/36"), ("3 17", "1/216")],
    );
    // None of five dice shows 8, 9, 10 or 1: 6^5 of 10^5.
    assert_listed(
        "let x=(while y=5#d10 do ((count ==10 y)#d10)) in (count >=8 x),(count ==1 x)",
        &[("0 0", "243/3125")],
    );
    // Each 3 is one die more. Two dice that are no 3 are both 2 with 1/4 of 4/9; with k dice of which two are no 3, and one of
    // these a 1: (k-1)·(1/3)^(k-2)·(4/9)·(3/4). No 1 at all: 1/4 of all, in infinitely many ways.
    let both = assert_listed(
        "let x=(while y=2#d3 do ((count ==3 y)#d3)) in (if ==1 x then (count x) else 0)",
        &[("2", "1/3"), ("3", "2/9")],
    );
    let (none, open) = (probability(&both, "0"), both.unresolved());
    assert!(none <= fraction("1/4") && none + both.probability(&open) >= fraction("1/4"));
}

/// Explosions of explosions. With u = (x+…+x^5)/6 and e = u/(1 - x^6/6), 6E6A1d6 has u/(1 - x^6·e/6): 8 is a six, then 1 of e, then 1.
/// Dice that explode up to 3 are at least 4, so nothing explodes again.
#[test]
fn nested_explosions_have_rational_generating_functions() {
    let answer = |text: &str| {
        let program = crate::rules::read(Dialect::Dicebag, text).unwrap().sorted();
        engine::analyze(&program, &Limits::default(), &Unobserved).unwrap()
    };
    let six = answer("6E6A1d6");
    for (value, share) in [("5", "1/6"), ("6", "0"), ("8", "1/216"), ("9", "2/216")] {
        assert_eq!(probability(&six, value), fraction(share), "{value}");
    }
    // u has the mean 5/2 of 5/6, e 21/5: the mean m is 5/2 + 1/6·(6 + 21/5 + m).
    let mean = six.moments().and_then(|moments| moments.first);
    assert_eq!(mean, Some(fraction("126/25")));
    // A 3 or 4, or a 1 that draws a die of at least 3: 1/6, and 1/6 + 1/36.
    let two = answer("2e5A1d6");
    for (value, share) in [("3", "1/6"), ("4", "7/36")] {
        assert_eq!(probability(&two, value), fraction(share), "{value}");
    }
    let three = answer("3e3e1d6");
    for (value, share) in [("4", "1/6"), ("5", "7/36"), ("6", "49/216")] {
        assert_eq!(probability(&three, value), fraction(share), "{value}");
    }
    // Of 2, …, 7 a 2 or 3 draws another die, so there are 3/2; a 2 adds a sum of dice that go on after a 2, with the mean
    // 9/2·6/5, too. 7 is a 7, or 3 and 4.
    let shifted = answer("2a3a(d6+1)");
    for (value, share) in [("4", "1/6"), ("6", "1/6"), ("7", "7/36"), ("8", "1/36")] {
        assert_eq!(probability(&shifted, value), fraction(share), "{value}");
    }
    let mean = |answer: &Answer| answer.moments().and_then(|moments| moments.first);
    assert_eq!(mean(&shifted), Some(fraction("81/10")));
    // With 1, dice that explode on 1 have the mean 21/5, and go on after a 2: 126/25. With 2, they have 21/4, and are at
    // least 3.
    let either = answer("2e(1d2)e1d6+2");
    let half = fraction("1/2");
    let expected = (fraction("126/25") + fraction("21/4")) * half + fraction("2");
    assert_eq!(mean(&either), Some(expected));
    // What always explodes never ends, whatever it is divided by.
    let never = answer("3e(2E1) / (-2A1d2)");
    assert_eq!(never.probability(&never.never_ends()), fraction("1"));
}

/// 8 is left with 2/8, 6 with 2/6 and 4 with 2/4, so they are there 4, 3 and 2 times: `4·9/2 + 3·7/2 + 2·5/2`. No value of the
/// loop is below 1, which its body alone does not tell.
#[test]
fn dice_of_the_sizes_that_a_loop_takes_never_fail() {
    let loops = "while s=8 do (let r=d s in if <3 r then (if >4 s then s-2 else ()) else s)";
    let sum = answer(&format!("sum(foreach s in ({loops}) do d s)"));
    assert_eq!(Summary::of(&sum).mean.finite(), Some(&fraction("67/2")));
    // All three show 1, and nothing stays: 1/(8·6·4) · (2/8)(2/6)(2/4).
    assert_eq!(probability(&sum, "3"), fraction("1/4608"));
}

/// From one to six lists of one member each, the lower of two d4: v in `(9 - 2v)/16`. The number of lists is a die on which no
/// loop depends.
#[test]
fn a_rolled_number_of_loops_is_listed_in_order() {
    let text = "foreach p in d6#d2 do drop high 2 (while x=2#d4 do drop low 1 x)";
    let program = crate::rules::read(Dialect::Bones, text).unwrap();
    let limits = Limits::default().with_states(20_000);
    let answer = engine::analyze(&program, &limits, &Unobserved).unwrap();
    assert_eq!(answer.route, Route::Residual);
    assert_eq!(answer.outcomes().len(), 4 + 16 + 64 + 256 + 1024 + 4096);
    let Outcomes::Lists(lists) = answer.outcomes() else {
        panic!("no lists")
    };
    for (list, weight) in lists.iter() {
        let of_lower =
            |member: &Integer| Fraction::new((9 - 2 * member.to_i64().unwrap()).into(), 16.into());
        let members = list.iter().map(of_lower);
        let expected = members.fold(fraction("1/6"), |product, share| product * share);
        assert_eq!(answer.probability(weight), expected, "{list:?}");
    }
}

#[test]
fn a_first_value_that_is_a_sum_of_dice_counts_like_the_later_ones() {
    // 7·36/35.
    let sums = answer("sum(while x=sum(2#d6) do (count ==12 x)#sum(2#d6))");
    assert_eq!(Summary::of(&sums).mean.finite(), Some(&fraction("36/5")));
}

/// One die and its descendants have the generating function `F = A/(1-B)`, with A for the faces that end and B for the
/// faces that go on; the first value has a generating function of its own.
#[test]
fn a_first_value_of_other_dice_is_counted_like_the_later_ones() {
    // P(1) = 1/6·5/6 and P(2) = 1/6·1/6·5/6: each one shown rolls one die more.
    let ones = assert_listed(
        "sum ==1 (while z=d6 do ((count ==1 z)#d6))",
        &[("0", "5/6"), ("1", "5/36"), ("2", "5/216")],
    );
    // A number of ones that is geometric: (1/6)/(5/6).
    assert_eq!(Summary::of(&ones).mean.finite(), Some(&fraction("1/5")));
    // None of 2d4 is a 1: 9/16. One is, 6/16, then its d2 shows none: 3/16. Two: both, 1/16·1/4, or one, 6/16·1/2·1/2.
    assert_listed(
        "count ==1 (while z=2#d4 do ((count ==1 z)#d2))",
        &[("0", "9/16"), ("1", "3/16"), ("2", "7/64")],
    );
    // A 2 ends it, with 1/4. A 3 or a 4 is followed by one d2, which is no 1 with 1/2.
    assert_listed(
        "sum ==1 (while z=d4 do ((count !=2 z)#d2))",
        &[("0", "1/2")],
    );
}

/// `q = 3/8 + 5/8·q²` has the least root 3/5. Given that it ends, a die has two offspring with `5/8·q = 3/8`, so the total has the
/// mean `m = 1/(1 - 3/4) = 4`. With `w = 1 + 4g`, that is 1 with 5/8 and 9 with 3/8, the variance is `Var[w]/(1 - 3/4) = 15·4`.
#[test]
fn a_process_that_ends_more_often_than_not_may_still_go_on_for_ever() {
    let text = "count(while z=d8 do ((2*(count <=5 z))#d8))";
    let one = assert_listed(text, &[("1", "3/8"), ("3", "45/512")]);
    assert_eq!(one.probability(&one.never_ends()), fraction("2/5"));
    let summary = Summary::of(&one);
    assert_eq!(summary.mean.finite(), Some(&fraction("4")));
    assert_eq!(summary.variance.finite(), Some(&fraction("60")));
    let three = answer("count(while z=3#d8 do ((2*(count <=5 z))#d8))");
    // 1 - (3/5)³.
    assert_eq!(three.probability(&three.never_ends()), fraction("98/125"));
}

/// Asserts all outcomes of a rule, exactly, and that what is left of its weight never ends.
fn assert_whole(text: &str, expected: &[(&str, &str)]) -> Answer {
    let answer = crate::rules::analyze(Dialect::Bones, text, &Limits::default()).unwrap();
    assert_eq!(answer.outcomes().len(), expected.len(), "{text}");
    for (value, share) in expected {
        let found = probability(&answer, value);
        assert_eq!(found, fraction(share), "P({value}) of {text}");
    }
    assert_eq!(
        answer.tail_weight() + answer.unresolved(),
        0_u32.into(),
        "{text}"
    );
    assert_eq!(answer.may_fail, Fraction::default(), "{text}");
    answer
}

/// The loop L never ends where x is 1, and is x elsewhere. Rolls that never end after the condition are kept, before it they are not.
#[test]
fn what_never_ends_after_a_condition_is_kept() {
    let given = |text: &str, expected: &[(&str, &str)], share: &str| {
        let text = text.replace('L', "(repeat z = x while z == 1 do z)");
        let kept = assert_whole(&text, expected).given.unwrap();
        assert_eq!(kept, [fraction(share), fraction(share)], "{text}");
    };
    given(
        "let x = d3 in (let y = L in y + x) given x <= 2",
        &[("4", "1/2")],
        "2/3",
    );
    given(
        "let x = d2 in let y = L in (7 given x >= 1)",
        &[("7", "1")],
        "1/2",
    );
    given("let x = d2 in (sum 2#L) given x >= 1", &[("4", "1/2")], "1");
    given(
        "let x = d2 in ((let y = L in 7) given d2 == 1) given x >= 1",
        &[("7", "1/2")],
        "1/2",
    );
    let cases = "let x = d3 in case x {1: (let y = L in 9), 2: (4 given d2 == 1), 3: 5}";
    given(cases, &[("4", "1/5"), ("5", "2/5")], "5/6");
    given(
        "let x = d3 in if x == 1 then \"a\" else (5 given x == 2)",
        &[("5", "1/2"), ("a", "1/2")],
        "2/3",
    );
    let record = "let x = d3 in if x == 1 then d{{u: 1}} else ({u: 2} given x == 2)";
    given(record, &[("u: 1", "1/2"), ("u: 2", "1/2")], "2/3");
}

/// B is known, and fails with probability 1/6; N is known, and never ends with probability 1/2.
#[test]
fn what_is_known_is_evaluated_all_the_same() {
    let whole = |text: &str| {
        text.replace('B', "(let q = 1/(d6-1) in 1)")
            .replace('N', "(let q = (repeat z = d2 while z == 1 do z) in 1)")
    };
    let division = ErrorKind::DivisionByZero;
    for text in [
        "d{B: 2, 5}",
        "d{1: B, 5}",
        "draw B {1, 5}",
        "rank B (5, 6)",
        "abs(B)",
        "B == 1",
        "case 1 {B: 2, else: 3}",
        "foreach i in (B, 2) do d{i: i}",
        "best y in (B, 2) do y",
        "{a: B}, {a: 2}",
        "(\"x\", B)",
        "if B == 1 then 2 else 3",
        "repeat s = 0 for i in (B, 2) do s + i",
        "repeat s = B for i in N do s",
        "repeat a = B, n = 0 while n < 2 do a, n + 1 then n",
    ] {
        assert_fails(&whole(text), division, "1/6");
    }
    assert_fails(&whole("repeat s = N for i in B do s"), division, "1/12");
    assert_whole(&whole("d{1: N, 5}"), &[("1", "1/4"), ("5", "1/4")]);
    assert_whole(&whole("case 2 {2: 5, N: 7}"), &[("5", "1")]);
}

#[test]
fn a_state_that_no_round_changes_keeps_its_kind() {
    let first = |first: &str, result: &str, value: &str| {
        let text = format!("repeat a = {first}, n = 0 while n < 2 do a, n + 1 then {result}");
        assert_whole(&text, &[(value, "1")]);
    };
    first("\"hit\"", "a", "hit");
    first("(\"hit\", 3)", "count a", "2");
    first("(1 == 2)", "count a", "0");
    first("()", "count a", "0");
    first("{x: 1, y: \"b\"}", "y of a", "b");
    first("2#{x: 3}", "sum x of a", "6");
    // No round adds to the list.
    assert_whole(
        "repeat a = (1, 2), n = 5 while n < 2 do a + 1, n + 1 then count a",
        &[("2", "1")],
    );
    // The kind of a part changes from round to round.
    assert_whole(
        "repeat a = {k: \"x\"}, n = 0 while n < 2 do {k: 5}, n + 1 then k of a",
        &[("5", "1")],
    );
    // Nothing looks at n, which has no end.
    assert_whole(
        "repeat n = 0, m = d2 until m == 1 do n + 1, d2 then m",
        &[("1", "1")],
    );
}

/// By the equations of the states: a loop of few states is solved, however little would be left of it.
#[test]
fn a_loop_of_few_states_is_solved_and_not_cut() {
    let best = "max(while b = d{-1, 3} do (foreach y in (>2 b) do repeat q = d{0, 1} while q == 1 do if d2 == 1 then q else 0))";
    assert_whole(best, &[("-1", "1/2"), ("3", "1/2")]);
    let bound = "reroll g = (let x = (repeat x = d2 while x == 1 do x) in 2) until d3 == 1";
    assert_whole(bound, &[("2", "1/4")]);
    let slow = "foreach y in 2#d2 do (repeat q = y while q == 1 do d{1: 10000000, 3: 1})";
    assert_whole(slow, &[("2 2", "1/4"), ("2 3", "1/2"), ("3 3", "1/4")]);
    for (rule, expected) in [
        ("d4e=3rr>=1kh", None),
        ("d3!max1r<=3kh1", None),
        ("2d6!r1kh1", Some(("6", "9/25"))),
    ] {
        let answer = crate::rules::analyze(Dialect::Tabletop, rule, &Limits::default()).unwrap();
        match expected {
            None => assert_eq!(answer.never_ends(), *answer.total(), "{rule}"),
            Some((value, share)) => {
                assert_eq!(probability(&answer, value), fraction(share), "{rule}");
            }
        }
        assert_eq!(answer.unresolved(), 0_u32.into(), "{rule}");
    }
    let exploding = crate::rules::analyze(Dialect::Tabletop, "2d6!r1", &Limits::default()).unwrap();
    assert_eq!(Summary::of(&exploding).mean, fraction("48/5"));
}

#[test]
fn an_error_that_cannot_happen_is_not_warned_of() {
    for text in [
        "repeat c = d2==1, l = (1, 2) until c do d2==2, (l, 1) then count l",
        "repeat dice = 3, s = 0 until dice == 0 do let x = dice#d2 in dice - (count ==1 x), s + sum x then s",
    ] {
        let answer = crate::rules::analyze(Dialect::Bones, text, &Limits::default()).unwrap();
        assert_eq!(answer.may_fail, Fraction::default(), "{text}");
    }
    // By enumeration of all rolls in Python: the remainder of 11 or 21 by 10 is known where the number is not.
    let kept = "repeat x = () for i in 1..3 do let y = (x, (2 - count x)#d2) in let top = max(10 * (count ==1 y) + 1, 10 * (count ==2 y) + 2) in ==(top % 10) y then count x";
    assert_whole(kept, &[("1", "1/8"), ("2", "7/8")]);
    assert_fails("d{(): 3}", ErrorKind::BadDie, "1");
    assert_whole("d{1..0: 2, d2}", &[("1", "1/2"), ("2", "1/2")]);
}

/// The first draw is the state that the loop ends with. Half of the bags have one `1` and three `2`, half have two `1` and three
/// `2`: 1 then 2 is drawn in `(1/4·3/3 + 2/5·3/4) / 2`, and 2 then 1 as often.
#[test]
fn the_members_of_the_last_state_are_in_the_order_in_which_they_were_drawn() {
    let text = "reroll g = (draw 2 {1: d2, 2: 3}) until 1 == 1";
    let program = crate::rules::read(Dialect::Bones, text).unwrap();
    let answer = engine::analyze(&program, &Limits::default(), &Unobserved).unwrap();
    for (list, share) in [
        ("1 1", "1/20"),
        ("1 2", "11/40"),
        ("2 1", "11/40"),
        ("2 2", "2/5"),
    ] {
        assert_eq!(probability(&answer, list), fraction(share), "{list}");
    }
}

/// Of two dice that show 1 or 2, a 2 adds an exploding d4, which is 1 with 1/4 and 2 with 1/4. The sum is 2 with 1/4, and it is 4 (a 1, and a
/// 2 that adds 1) with 1/2 · 1/4; it is 5 with 1/2 · 1/4.
#[test]
fn a_sum_of_images_with_loops_is_bounded_by_one_image_a_member() {
    let sum = "sum(foreach x in y do (if x == 2 then 2 + sum(explode d4) else x))";
    for (best, outcomes) in [
        (format!("max(4, {sum})"), [("4", "3/8"), ("5", "1/8")]),
        (
            format!("sum low 1 (4, {sum})"),
            [("2", "1/4"), ("4", "3/4")],
        ),
    ] {
        let rule = format!("let y = 2#d2 in {best}");
        let answer = crate::rules::analyze(Dialect::Bones, &rule, &Limits::default()).unwrap();
        for (value, share) in outcomes {
            assert_eq!(
                probability(&answer, value),
                fraction(share),
                "{rule}: {value}"
            );
        }
    }
}

/// An exploding d6 shows 7 or more with 1/6, and `7 - j` or more with `j/6`. So 7 is reached by one with 1/6, and by the second with
/// the sum of `1/6·j/6` over j from 1 to 5. Where only every second throw hits, and any hit is enough, n throws are needed with `2^-n`.
/// Two exploding d2 show 2 with 1/4, and more else.
#[test]
fn rounds_without_an_end_of_rolls_are_counted() {
    let to_seven = "repeat x = 7, n = 0 while x > 0 do x - sum(explode d6), n + 1 then n";
    let to_one = "repeat x = 1, n = 0 while x > 0 do x - (if d2 == 1 then sum(explode d6) else 0), n + 1 then n";
    let of_two = "repeat x = 3, n = 0 while x > 0 do x - sum(explode 2#d2), n + 1 then n";
    for (text, expected) in [
        (to_seven, [("1", "1/6"), ("2", "5/12")]),
        (of_two, [("1", "3/4"), ("2", "1/4")]),
        (to_one, [("1", "1/2"), ("5", "1/32")]),
    ] {
        let answer = answer(text);
        let open = answer.probability(&(answer.unresolved() + answer.tail_weight()));
        assert!(open <= fraction("1/1000000000"), "{text}");
        for (value, exact) in expected {
            let (found, exact) = (probability(&answer, value), fraction(exact));
            assert!(
                found <= exact && exact <= found + &open,
                "P({value}) of {text}"
            );
        }
    }
}

/// A state is a number, each with 1/2, so that of the last two states there is only one with 1/2.
#[test]
fn more_members_than_a_state_has_are_those_of_several_states() {
    let states = "last 2 (while x = 0 do if d6 < 4 then x + 1 else ())";
    for (rule, value, share) in [
        (states.to_owned(), "0", "1/2"),
        (states.to_owned(), "0 1", "1/4"),
        (format!("first 1 ({states})"), "0", "3/4"),
        (format!("let z = {states} in count z"), "2", "1/2"),
        (format!("let z = {states} in sum z"), "1", "1/4"),
        (format!("let z = {states} in sum z + d2"), "2", "3/8"),
    ] {
        let answer = crate::rules::analyze(Dialect::Bones, &rule, &Limits::default()).unwrap();
        assert_eq!(probability(&answer, value), fraction(share), "{rule}");
    }
    let many = "let z = last 100000000000 (while x = 0 do if d6 < 4 then x + 1 else ()) in 5";
    assert_whole(many, &[("5", "1")]);
}

/// A counter of a loop that stays at 1 for ever: n rounds with `3^-n`, and never with the other half. In the second, each round goes on with
/// 5/6, and three are only needed behind two ones.
#[test]
fn what_never_ends_is_no_part_of_what_is_open() {
    let stuck = "repeat s = 0, n = 0 until s == 2 do (if s == 1 then 1 else d3 - 1), n + 1 then n";
    let inner = "repeat t = 0, n = 0 until t >= 3 do t + (if d6 < 6 then d2 else sum((while x = 1 do d2))), n + 1 then n";
    for (rule, value, share, never) in [
        (stuck, "2", "1/9", "1/2"),
        (inner, "3", "125/864", "289/864"),
    ] {
        let answer = crate::rules::analyze(Dialect::Bones, rule, &Limits::default()).unwrap();
        assert_eq!(probability(&answer, value), fraction(share), "{rule}");
        assert_eq!(
            answer.probability(&answer.never_ends()),
            fraction(never),
            "{rule}"
        );
    }
}

/// Several loops that need exploding dice: n of them take one round with `(1/12)ⁿ`, because an exploding d6 is 10 or more with 3/36.
#[test]
fn several_loops_with_endless_rounds_are_followed_together() {
    let both = "2#(repeat t = 0, n = 0 until t >= 10 do t + sum(explode d6), n + 1 then n)";
    let many = both.replacen('2', "20", 1);
    for (rule, value, share) in [
        (both.to_owned(), "1 1", "1/144".to_owned()),
        (format!("max({both})"), "1", "1/144".to_owned()),
        (
            format!("max({many})"),
            "1",
            format!("1/{}", num_traits::Pow::pow(fraction("12"), 20_u32)),
        ),
    ] {
        let answer = answer(&rule);
        let open = answer.probability(&(answer.unresolved() + answer.tail_weight()));
        assert!(open <= fraction("1/1000000000"), "{rule}");
        let (found, exact) = (probability(&answer, value), fraction(&share));
        assert!(found <= exact && exact <= found + &open, "{rule}");
    }
}

/// Six dice are rolled, and those that show no 6 three times again: each shows a 6 in the end with 1 - (5/6)⁴ = 671/1296, so the number
/// of sixes is binomial. The spellings are followed in few states, for only the number of sixes is looked at.
#[test]
fn a_loop_that_begins_with_a_roll_has_the_states_of_its_round() {
    for round in [
        "(==6 x, (count <6 x)#d6)",
        "(==6 x, (6 - count ==6 x)#d6)",
        "(let k = count ==6 x in (k#6, (6-k)#d6))",
    ] {
        let rule =
            format!("repeat x = 6#d6, n = 0 until n == 3 do {round}, n + 1 then count ==6 x");
        let limits = Limits::default().with_states(200);
        let answer = crate::rules::analyze(Dialect::Bones, &rule, &limits).unwrap();
        let share = fraction("671/1296");
        let sixes = (0..6).fold(fraction("1"), |all, _| all * &share);
        assert_eq!(probability(&answer, "6"), sixes, "{round}");
        let five = &sixes / &share * fraction("6") * fraction("625/1296");
        assert_eq!(probability(&answer, "5"), five, "{round}");
    }
}

/// The first of many states at which a loop begins end it at once; from others its counter goes on for ever: 9 of 10 end each round.
#[test]
fn a_counter_without_an_end_is_found_from_any_first_state() {
    let rule = "repeat u = 1, x = d20 until x <= 18 do u + 1, d20 then u";
    let answer = crate::rules::analyze(Dialect::Bones, rule, &Limits::default()).unwrap();
    assert_eq!(probability(&answer, "1"), fraction("9/10"));
    assert_eq!(probability(&answer, "3"), fraction("9/1000"));
    let mean = answer.moments().and_then(|moments| moments.first);
    assert_eq!(mean, Some(fraction("10/9")));
}

/// A list of one member stands before two numbers, b and n, so the last of the first two members is b: rounds end at two twos in d2,
/// or after five, so n is 2 with 1/4, 3 with 2/8, 4 with 3/16 and else 5.
#[test]
fn the_first_members_of_a_state_of_no_fixed_length_may_be_its_numbers() {
    let rule = "last 1 (while x=((!=9 d2), 0, 0) do let b = last 1 (first 2 x) in let n = last 1 x in \
        if n >= 5 or b >= 2 then () else ((!=9 d2), b + (d2 - 1), n + 1))";
    let answer = crate::rules::analyze(Dialect::Bones, rule, &Limits::default()).unwrap();
    for (n, share) in [("2", "1/4"), ("3", "1/4"), ("4", "3/16"), ("5", "5/16")] {
        assert_eq!(probability(&answer, n), fraction(share), "{n}");
    }
}

/// Two dice are rolled until they are alike: n rolls before that with `(5/6)ⁿ/6`, 5 in the mean. The list in the state is no number,
/// and its length is known, so what is counted beside it is summed up.
#[test]
fn rolls_of_a_pool_until_something_comes_about_are_counted() {
    for rule in [
        "repeat x = 2#d6, n = 0 until count(distinct x) == 1 do 2#d6, n + 1 then n",
        "repeat n = 0, x = 2#d6 until count(distinct x) == 1 do n + 1, 2#d6 then n",
    ] {
        let limits = Limits::default().with_states(300);
        let answer = crate::rules::analyze(Dialect::Bones, rule, &limits).unwrap();
        assert_eq!(probability(&answer, "2"), fraction("25/216"), "{rule}");
        let mean = answer.moments().and_then(|moments| moments.first);
        assert_eq!(mean, Some(fraction("5")), "{rule}");
    }
}

/// Two dice with two faces show no 2 with 1/4, and then what is left of them has none: both lists get shorter and stay so for ever.
/// A 4 of the second rule stays a 4. Of two loops that end with 1/2 each, both end with 1/4.
#[test]
fn loops_come_back_to_where_they_were_for_ever() {
    let twos: &[(&str, &str)] = &[("1 2", "1/2"), ("2 2", "1/4")];
    assert_ends("repeat b = 2#d2 until ==2 b do first 1 b", twos, "1/4");
    assert_ends(
        "repeat b = 2#d2 until sum b > 2 do drop low 1 b",
        twos,
        "1/4",
    );
    let faces: &[(&str, &str)] = &[("1", "1/4"), ("3", "1/4")];
    assert_ends("repeat b = d4 until b <= 3 do 4", faces, "1/4");
    assert_ends(
        "sum 2#(repeat b = d2 until b == 2 do b)",
        &[("4", "1/4")],
        "3/4",
    );
}

/// A six comes after n other rolls with `(5/6)ⁿ/6`: 5 in the mean, and an even number of them with `(1/6)/(1 - 25/36)`, which is 6/11.
/// Of a record some is open, and of its parts nothing.
#[test]
fn parts_of_endless_records_are_exact() {
    let rule = "repeat n = 0, x = d6 until x == 6 do n + 1, d6 then \
        {tries: n, even: n % 2 == 0, how: case x {6: \"six\", else: \"other\"}}";
    let answer = answer(rule);
    assert_ne!(answer.unresolved(), Weight::ZERO);
    let [tries, even, how] = ["tries", "even", "how"].map(|name| answer.part(name).unwrap());
    let mean = tries.moments().and_then(|moments| moments.first);
    assert_eq!(mean, Some(fraction("5")));
    assert_eq!(probability(&tries, "3"), fraction("125/1296"));
    assert_eq!(probability(&even, "1"), fraction("6/11"));
    assert_eq!(probability(&how, "six"), fraction("1"));
    for part in [tries, even, how] {
        assert_eq!(part.unresolved(), Weight::ZERO);
    }
}

/// A number that is counted does not decide whether a loop ends: where the first die, which never changes, shows a 2, each of these goes
/// on for ever. The last one goes on in any case.
#[test]
fn what_is_counted_beside_what_never_changes_is_no_way_out() {
    let counted = "repeat n = 0, b = d2 until b == 1 do n + 1, b then";
    assert_ends(&format!("{counted} n"), &[("0", "1/2")], "1/2");
    let record = format!("{counted} {{u: n, v: 1}}");
    assert_ends(&record, &[("u: 0, v: 1", "1/2")], "1/2");
    let rolled = "repeat n = 0, b = d2 until b == 1 do n + d2, b then n % 3";
    assert_ends(rolled, &[("0", "1/2")], "1/2");
    assert_ends(
        "repeat m = 0, n = d2 while n > 0 do m + 1, d2 then m % 2",
        &[],
        "1",
    );
}

/// A part that may never end keeps the others from being known: each roll ends with 1/2, whatever the other part shows.
#[test]
fn parts_of_records_that_never_end_have_no_value() {
    let rule = "{a: (repeat b = d2 until b == 2 do b), n: (repeat n = 0, x = d6 until x == 6 do n + 1, d6 then n)}";
    let answer = answer(rule);
    for name in ["a", "n"] {
        let part = answer.part(name).unwrap();
        assert_eq!(
            part.probability(&part.never_ends()),
            fraction("1/2"),
            "{name}"
        );
    }
}

/// Two take turns on a board of chutes and ladders. Their turns are independent, so the first wins with probability Σ P(A = n) P(B ≥ n)
/// of the turns that each needs alone: those are found by hand here, in floats. Both wait for n rounds with P(A > n)², so a game has
/// Σ P(A > n)² rounds in the mean.
#[test]
fn a_loop_with_too_many_states_to_be_solved_is_followed_to_a_small_rest() {
    let jumps: [(usize, usize); 19] = [
        (1, 38),
        (4, 14),
        (9, 31),
        (16, 6),
        (21, 42),
        (28, 84),
        (36, 44),
        (47, 26),
        (49, 11),
        (51, 67),
        (56, 53),
        (62, 19),
        (64, 60),
        (71, 91),
        (80, 100),
        (87, 24),
        (93, 73),
        (95, 75),
        (98, 78),
    ];
    let mut places = [0.0; 101];
    places[0] = 1.0;
    let (mut waits, mut expected) = (1.0, 0.0);
    let mut both_wait: Vec<f64> = Vec::new();
    for _ in 0..2_000 {
        both_wait.push(waits * waits);
        let mut next = [0.0; 101];
        for (place, weight) in places.iter().enumerate().take(100) {
            for face in 1..=6 {
                let to = match place + face {
                    beyond @ 101.. => beyond - face,
                    to => jumps
                        .iter()
                        .find(|jump| jump.0 == to)
                        .map_or(to, |jump| jump.1),
                };
                next[to] += weight / 6.0;
            }
        }
        expected += next[100] * waits;
        waits -= next[100];
        places = next;
    }
    let arms = jumps.map(|(from, to)| format!("{from}: {to}, ")).concat();
    let go = format!("def go(p) = let q = p + d6 in case q {{{arms}101..: p, else: q}}");
    let found = answer(&format!(
        "{go}\nrepeat p = 0, r = 0, t = 1 while p < 100 and r < 100 do if t == 1 then go(p), r, 2 else p, go(r), 1 then p == 100"
    ));
    let low = probability(&found, "1");
    let open = found.probability(&found.unresolved());
    assert_eq!(all_mass(&found), fraction("1"));
    assert!(
        open > Fraction::default() && open <= fraction("1/1000000000000"),
        "{open}"
    );
    let low = low.to_f64().unwrap();
    assert!((low - expected).abs() < 1e-9, "{low} and {expected}");
    let rounds = answer(&format!(
        "{go}\nrepeat p = 0, r = 0, n = 0 until p == 100 or r == 100 do go(p), go(r), n + 1 then n"
    ));
    let open = rounds.probability(&rounds.unresolved());
    assert!(open <= fraction("1/1000000000000"), "{open}");
    for n in [7, 18, 60] {
        let found = probability(&rounds, &n.to_string()).to_f64().unwrap();
        let expected = both_wait[n - 1] - both_wait[n];
        assert!(
            (found - expected).abs() < 1e-11,
            "{n}: {found} and {expected}"
        );
    }
    let [low, high] = rounds.mean_between().unwrap();
    let mean: f64 = both_wait.iter().sum();
    assert!(&high - &low < fraction("1/1000000"), "{low} to {high}");
    let low = low.to_f64().unwrap();
    assert!((low - mean).abs() < 1e-6, "{low} and {mean}");
}

/// How probable it is that a player is still on the way after 0, 1, 2, … rounds: each round goes on by a d6, and back where the place is a
/// multiple of a number.
fn still_on_the_way(length: usize, multiple: usize, back: usize) -> Vec<f64> {
    let mut places = vec![0.0; length];
    places[0] = 1.0;
    let rounds = (0..500).map(|_| {
        let waits = places.iter().sum();
        let mut next = vec![0.0; length];
        for (place, weight) in places.iter().enumerate() {
            for face in 1..=6 {
                let to = place + face;
                let to = if to % multiple == 0 { to - back } else { to };
                if to < length {
                    next[to] += weight / 6.0;
                }
            }
        }
        places = next;
        waits
    });
    rounds.collect()
}

#[test]
fn races_with_setbacks_are_known_but_for_a_small_rest() {
    let (a, b) = (still_on_the_way(30, 7, 5), still_on_the_way(30, 9, 8));
    let race = "repeat a = 0, b = 0, n = 0 until a >= 30 or b >= 30 do (let q = a + d6 in if q mod 7 == 0 then q - 5 else q), \
            (let q = b + d6 in if q mod 9 == 0 then q - 8 else q), n + 1 then";
    // The probabilities that the race ends in round n with the first player at its end, and that it ends so without them.
    let first = |n: usize| (a[n - 1] - a[n]) * b[n - 1];
    let second = |n: usize| a[n] * (b[n - 1] - b[n]);
    let mut known = vec![(
        "if a >= 30 then (n, n) else (1, 2, 3)",
        "1 2 3".into(),
        (1..500).map(second).sum(),
    )];
    for n in [5, 9, 20] {
        known.extend([
            ("n", n.to_string(), first(n) + second(n)),
            (
                "if a >= 30 then n + 1000 else -n",
                (n + 1000).to_string(),
                first(n),
            ),
            (
                "if a >= 30 then n + 1000 else -n",
                format!("-{n}"),
                second(n),
            ),
            (
                "{n: n, first: a >= 30}",
                format!("n: {n}, first: 1"),
                first(n),
            ),
            (
                "{n: n, first: a >= 30}",
                format!("n: {n}, first: 0"),
                second(n),
            ),
            (
                "if a >= 30 then (n, n) else (1, 2, 3)",
                format!("{n} {n}"),
                first(n),
            ),
        ]);
    }
    for (value, outcome, expected) in known {
        let found = answer(&format!("{race} {value}"));
        let open = found.probability(&found.unresolved());
        assert!(open <= fraction("1/1000000000000"), "{value}: {open}");
        let found = probability(&found, &outcome).to_f64().unwrap();
        assert!(
            (found - expected).abs() < 1e-11,
            "{value}: {outcome}: {found} and {expected}"
        );
    }
    // The sum of the probabilities to be on the way is the mean of the rounds.
    let rounds: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let firsts: f64 = (1..500).map(first).sum();
    let of_first: f64 = (1..500_u32).map(|n| f64::from(n) * first(n as usize)).sum();
    for (value, mean) in [
        ("n", rounds),
        (
            "if a >= 30 then n + 1000 else -n",
            2.0 * of_first - rounds + 1000.0 * firsts,
        ),
    ] {
        let [low, high] = answer(&format!("{race} {value}")).mean_between().unwrap();
        assert!(&high - &low < fraction("1/1000000"), "{low} to {high}");
        let low = low.to_f64().unwrap();
        assert!((low - mean).abs() < 1e-6, "{value}: {low} and {mean}");
    }
}

/// How many rounds it takes until none of two players has hit points left, where a coin says who is hit, by a die of so many sides.
fn rounds_until_both_are_down(points: [usize; 2], sides: [u32; 2]) -> Vec<f64> {
    let mut waits = Vec::new();
    let mut now = vec![vec![0.0; points[1] + 1]; points[0] + 1];
    now[points[0]][points[1]] = 1.0;
    for _ in 0..100 {
        let mut next = vec![vec![0.0; points[1] + 1]; points[0] + 1];
        for a in 0..=points[0] {
            for b in 0..=points[1] {
                let weight = if a + b > 0 { now[a][b] / 2.0 } else { 0.0 };
                for blow in 1..=sides[0] {
                    next[a.saturating_sub(blow as usize)][b] += weight / f64::from(sides[0]);
                }
                for blow in 1..=sides[1] {
                    next[a][b.saturating_sub(blow as usize)] += weight / f64::from(sides[1]);
                }
            }
        }
        waits.push(next[0][0]);
        now = next;
    }
    waits
}

#[test]
fn points_that_fall_on_below_all_that_they_are_compared_with_are_few_states() {
    let expected = rounds_until_both_are_down([15, 18], [6, 4]);
    let fall = "repeat a = 15, b = 18, n = 0 until a <= 0 and b <= 0 do \
            let t = d2 in a - (if t == 1 then d6 else 0), b - (if t == 2 then d4 else 0), n + 1 then n";
    let rise = "repeat a = 0, b = 0, n = 0 until a >= 15 and b >= 18 do \
            let t = d2 in a + (if t == 1 then d6 else 0), b + (d4 * (t == 2)), n + 1 then n";
    for rule in [fall, rise] {
        let found = answer(rule);
        assert_eq!(found.unresolved(), Weight::ZERO, "{rule}");
        for n in [7, 12, 20, 40] {
            let found = probability(&found, &n.to_string()).to_f64().unwrap();
            let expected = expected[n - 1];
            assert!(
                (found - expected).abs() < 1e-12,
                "{rule}: {n}: {found} and {expected}"
            );
        }
    }
    // From 0, a coin leads by 1 or 2 down: to -2 with 1/2 at once and 1/4 by -1, and to -3 with 1/4.
    for (value, outcome) in [("a", "-3"), ("a % 2", "-1"), ("2 * a + (a == 0)", "-6")] {
        let rule = format!("repeat a = 0 until a < -1 do a - d2 then {value}");
        assert_listed(&rule, &[(outcome, "1/4")]);
    }
}

/// The last state is 4 and the sum of three dice, and the one before ends with the sum of the first two: 4 + 2a + 2b + c in all.
#[test]
fn the_last_members_of_a_loop_may_belong_to_several_states() {
    let rule = "let x = 3#d6 in sum(last 3 (while s = (1, 0) do let i = first 1 s in if i > 3 then () else (i + 1, last 1 s + at i x)))";
    let found = answer(rule);
    for (outcome, expected) in [("9", "1/216"), ("10", "1/216"), ("11", "3/216")] {
        assert_eq!(
            probability(&found, outcome),
            fraction(expected),
            "{outcome}"
        );
    }
}

/// A game to four points, won by two: p⁴(1 + 4q + 10q²) + 20p³q³·p²/(p² + q²) for the one who wins each point with probability p = 2/3,
/// where from 3 to 3 on who is two points ahead first has won. Of three who are alike, each wins with 1/3. The scores go on together, and
/// that of the third may stay behind.
#[test]
fn scores_that_go_on_together_are_followed_to_a_small_rest() {
    for (rule, exact) in [
        (
            "repeat a = 0, b = 0 while a < 4 and b < 4 or abs(a - b) < 2 do if d3 <= 2 then a + 1, b else a, b + 1 then a > b",
            "208/243",
        ),
        (
            "repeat b = 10, a = 10 until min(a, b) <= 6 and abs(a - b) >= 2 do let w = d3 <= 2 in b - 1 + w, a - w then b > a",
            "208/243",
        ),
        (
            "repeat a = 0, b = 0, c = 0 until max(a, b, c) >= 3 and rank 1 (a, b, c) - rank 2 (a, b, c) >= 2 do let r = d3 in \
             a + (r == 1), b + (r == 2), c + (r == 3) then a > b and a > c",
            "1/3",
        ),
    ] {
        let found = answer(rule);
        let (low, open) = (
            probability(&found, "1"),
            found.probability(&found.unresolved()),
        );
        assert_eq!(all_mass(&found), fraction("1"), "{rule}");
        assert!(open <= fraction("1/1000000000000"), "{open} of {rule}");
        let exact = fraction(exact);
        assert!(low <= exact && exact <= &low + &open, "{low} of {rule}");
    }
}

/// The rounds of walks that fall in the mean and may rise without an end. The ways of n rounds are counted number by number.
#[test]
fn walks_that_may_rise_for_ever_are_counted_to_a_small_rest() {
    for (rule, moves) in [
        (
            "repeat m = 0, n = 0 until m < 0 do m + d6 - 4, n + 1 then n",
            vec![-3_isize, -2, -1, 0, 1, 2],
        ),
        (
            "repeat m = 5, n = 0 while m > 4 do (let x = d{-2, -1, 1} in m + x, n + 1) then n",
            vec![-2, -1, 1],
        ),
        (
            "repeat m = 0, n = 1 until m <= -1 do (let x = d4 in m + x - 3, n + (x > 1) + (x < 2)) then n - 1",
            vec![-2, -1, 0, 1],
        ),
    ] {
        let found = answer(rule);
        let open = found.probability(&(found.unresolved() + found.tail_weight()));
        assert_eq!(all_mass(&found), fraction("1"), "{rule}");
        assert!(open <= fraction("1/100000000000"), "{open} of {rule}");
        let mut ways = vec![1_u128];
        let mut all = Fraction::from_integer(1.into());
        for round in 1..=20 {
            let mut next = vec![0_u128; ways.len() + 3];
            let mut ends = 0_u128;
            for (place, count) in ways.iter().enumerate() {
                for step in &moves {
                    match place.checked_add_signed(*step) {
                        Some(place) => next[place] += count,
                        None => ends += count,
                    }
                }
            }
            ways = next;
            all *= Fraction::from_integer((moves.len() as u64).into());
            let exact = Fraction::from_integer(ends.into()) / &all;
            let low = probability(&found, &round.to_string());
            assert!(low <= exact && exact <= low + &open, "P({round}) of {rule}");
        }
        assert!(found.mean_between().is_none(), "{rule}");
    }
}

/// Two walks that rise and fall, for so many rounds, and what is counted beside one. All ways are counted, each with a weight of 1.
#[test]
fn walks_that_may_fall_again_are_followed_side_by_side() {
    for (start, moves, rounds) in [
        ([3, 3], vec![-1, 1], 5),
        ([2, 2], vec![-1, 1], 5),
        ([1, 1], vec![-1, 1], 7),
        ([3, 4], vec![-2, 1], 5),
        ([3, 3], vec![-2, 1], 8),
        ([1, 2], vec![-1, 0, 1], 6),
    ] {
        let [a, b] = start;
        let mut ways = BTreeMap::from([((a, b), 1_u64)]);
        for _ in 0..rounds {
            let mut next = BTreeMap::new();
            for ((a, b), count) in ways {
                let factor = (moves.len() * moves.len()) as u64;
                if a <= 0 || b <= 0 {
                    *next.entry((a, b)).or_default() += count * factor;
                    continue;
                }
                for (x, y) in moves.iter().flat_map(|x| moves.iter().map(move |y| (x, y))) {
                    *next.entry((a + x, b + y)).or_default() += count;
                }
            }
            ways = next;
        }
        let all: u64 = ways.values().sum();
        let share = |is_so: fn(i64, i64) -> bool| {
            let so = ways.iter().filter(|((a, b), _)| is_so(*a, *b));
            Fraction::new(so.map(|(_, count)| *count).sum::<u64>().into(), all.into())
        };
        let die = moves
            .iter()
            .map(i64::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        let rule = |value| {
            format!(
                "repeat a = {a}, b = {b}, i = 0 until a <= 0 or b <= 0 or i == {rounds} do \
                 a + d{{{die}}}, b + d{{{die}}}, i + 1 then {value}"
            )
        };
        for (value, exact) in [
            ("a <= 0", share(|a, _| a <= 0)),
            ("a == b", share(|a, b| a == b)),
            ("a > b", share(|a, b| a > b)),
        ] {
            let found = answer(&rule(value));
            assert_eq!(probability(&found, "1"), exact, "{}", rule(value));
        }
    }
    // All ways of seven throws of a d4.
    let mut ways = BTreeMap::from([((3, 0), 1_u64)]);
    for _ in 0..7 {
        let mut next = BTreeMap::new();
        for ((m, less), count) in ways {
            for x in 1..=4 {
                let to = (m + x - 3, less + i64::from(x == 4) - i64::from(x == 1));
                let to = if m <= 0 { (m, less) } else { to };
                *next.entry(to).or_default() += count;
            }
        }
        ways = next;
    }
    let rule = "repeat m = 3, u = 0, w = 0, i = 0 until m <= 0 or i == 7 do let x = d4 in \
                m + x - 3, u + (x == 4), w + (x == 1), i + 1 then u - w";
    let found = answer(rule);
    for value in -7..=7 {
        let so = ways.iter().filter(|((_, less), _)| *less == value);
        let exact = Fraction::new(
            so.map(|(_, count)| *count).sum::<u64>().into(),
            16_384.into(),
        );
        assert_eq!(
            probability(&found, &value.to_string()),
            exact,
            "{value} of {rule}"
        );
    }
}
