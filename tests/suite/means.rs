//! Means and variances of rules with loops, exact or between exact ends. Every expected number is derived by hand in a
//! comment beside it.
//!
//! An exploding d6 is `X = 6K + J`: K sixes with `P(K = k) = 5/6^(k+1)`, so E[K] = 1/5, and then J from 1 to 5. Its mean
//! is E[X] = 6/5 + 3 = 21/5. From `E[X²] = 91/6 + (1/6)(2·6·E[X] + E[X²])` follows E[X²] = 707/25. In the same way an
//! exploding d4, Y, has the mean 10/3.

use dicedist::Dialect;
use dicedist::engine::{self, Answer};
use dicedist::limits::{Limits, Unobserved};
use dicedist::number::Fraction;
use dicedist::report::{self, Answered, Report, Style};
use dicedist::source::Shown;
use dicedist::summary::{Moment, Summary};

fn answer(rule: &str) -> Answer {
    let rule = rule.replace('X', "sum(while x=d6 do ((count ==6 x)#d6))");
    let rule = rule.replace('Y', "sum(while x=d4 do ((count ==4 x)#d4))");
    let program = crate::rules::read(Dialect::Bones, &rule).unwrap().sorted();
    engine::analyze(&program, &Limits::default(), &Unobserved).unwrap()
}

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

#[track_caller]
fn assert_mean(rule: &str, mean: &str) {
    let summary = Summary::of(&answer(rule));
    assert_eq!(summary.mean, Moment::Finite(fraction(mean)), "{rule}");
}

#[track_caller]
fn assert_moments(rule: &str, mean: &str, variance: &str) {
    assert_mean(rule, mean);
    let summary = Summary::of(&answer(rule));
    assert_eq!(
        summary.variance,
        Moment::Finite(fraction(variance)),
        "{rule}"
    );
}

/// Asserts that the mean lies between close ends.
#[track_caller]
fn assert_mean_between(rule: &str, low: &Fraction, high: &Fraction) {
    let Moment::Between {
        low: least,
        high: most,
    } = Summary::of(&answer(rule)).mean
    else {
        panic!("{rule}: the mean is not between ends")
    };
    assert!(least <= *high && *low <= most, "{rule}: {least} to {most}");
    let width = Fraction::new(1.into(), 1_000_000_000.into());
    assert!(&most - &least < width, "{rule}: {least} to {most}");
}

#[track_caller]
fn assert_mean_near(rule: &str, mean: &str) {
    let mean = fraction(mean);
    assert_mean_between(rule, &mean, &mean);
}

#[test]
fn mixtures_keep_the_moments_of_their_parts() {
    // E = 21/10 and E of the square = 707/50, less (21/10)².
    assert_moments("if >=11 d20 then X else 0", "21/10", "973/100");
    // (21/5 + 5/2)/2, and (707/25 + 15/2)/2 less the square of that.
    assert_moments("if >=11 d20 then X else d4", "67/20", "2667/400");
    // P(X >= 11) is 1/36 for K >= 2 and 5/36·1/5 for K = 1 and J = 5: 1/18. (10/3)/18 + (5/2)·17/18.
    assert_mean("if >=11 X then Y else d4", "275/108");
    // One die for the condition of two: 1/2·1/4·21/5 + 1/2·3/4·10/3 + 1/2·5/2.
    assert_mean(
        "if >=11 d20 then (if ==1 d4 then X else Y) else d4",
        "121/40",
    );
}

#[test]
fn a_die_beyond_its_listed_values_has_a_mean() {
    // X >= 7 has the probability 1/6, and then X is 6 and another exploding die: (6 + 21/5)/6.
    // E of the square = (36 + 12·21/5 + 707/25)/6 = 2867/150.
    assert_moments("let x=X in if >=7 x then x else 0", "17/10", "4867/300");
    // (51/5 + 7/2)/6 + (5/2)·5/6.
    assert_mean("let x=X in if >=7 x then x+d6 else d4", "131/30");
    // 2·(51/5)/6 - 3·5/6.
    assert_mean("let x=X in if >=7 x then 2*x else (0-x)", "9/10");
    // 2·E[X]/2 - E[X]/2.
    assert_mean("let x=X in if >=11 d20 then 2*x else (0-x)", "21/10");
    assert_mean("let x=X in x*x", "707/25");
}

#[test]
fn what_many_dice_add_has_a_mean() {
    // One die adds 5 with probability 1/6, and 51/5 with probability 1/6: 38/15, times 4.
    assert_mean("sum(>=5 (4#X))", "152/15");
    // And 1 with probability 2/3, times 4.
    assert_mean("let p=4#X in sum(>=5 p) + count >=3 p", "64/5");
}

#[test]
fn a_mean_that_is_not_known_lies_between_ends() {
    // 2·E[K; K > 0] + E[J div 3]/6 = 2/5 + 1/10, and for K = 0 E[J]·5/6.
    assert_mean_near("let x=X in if >=7 x then x/3 else x", "3");
    // E[X²] + E[X]·7/2.
    assert_mean_near("let x=X in x*(x+d6)", "2149/50");
    // K is equal for both with probability 5/7, and then the mean of |J - J'| is 8/5. Else it is 6·6/5 for the sixes,
    // and J - J' has either sign: 5/7·8/5 + 2/7·36/5.
    assert_mean_near("let p=2#X in sum(high 1 p) - sum(low 1 p)", "16/5");
}

#[test]
fn the_mean_of_a_number_divided_and_rounded_down_is_exact() {
    // X div 2 = 3K + J div 2, and X div 3 = 2K + J div 3.
    assert_mean("X/2", "9/5");
    assert_mean("let x=X in x/3", "1");
    // X is even with probability 2/5, and then X - 7 is 2·((X - 7) div 2) + 1: (21/5 - 7 - 2/5)/2.
    assert_mean("(X - 7) div 2", "-8/5");
    // With w³ = 1, E[wˣ] = (w + w² + 1 + w + w²)/6·6/5 = -1/5. So the sum of ten is 0 mod 3 with (1 + 2/5¹⁰)/3, and 1 or 2
    // with (1 - 1/5¹⁰)/3 each, and the mean of the remainder is 1 - 1/5¹⁰: (42 - 1 + 1/9765625)/3.
    assert_mean("sum(10#X)/3", "400390626/29296875");
}

#[test]
fn the_mean_of_a_remainder_is_exact() {
    // X mod 7 = (J - K) mod 7, and P(K = r mod 7) = 5/6^(r+1)·6^7/(6^7 - 1).
    let mut mean = Fraction::default();
    for r in 0_u32..7 {
        let sixes = Fraction::new((5 * 6_i64.pow(6 - r)).into(), (6_i64.pow(7) - 1).into());
        for j in 1_i64..6 {
            let value = Fraction::from_integer((j - i64::from(r)).rem_euclid(7).into());
            mean += &sixes * value / Fraction::from_integer(5.into());
        }
    }
    assert_mean("X % 7", &mean.to_string());
}

/// P(an exploding die of this many sides is at least n).
fn at_least(sides: i64, n: i64) -> Fraction {
    let (rolls, face) = ((n - 1) / sides, (n - 1) % sides);
    // The last roll shows a face above; the highest face goes on.
    let last = Fraction::new((sides - face).into(), sides.into());
    last / Fraction::from_integer(
        num_bigint::BigInt::from(sides).pow(u32::try_from(rolls).unwrap()),
    )
}

#[test]
fn the_lesser_of_two_dice_has_a_mean_between_ends() {
    // E[min] = Σ P(X >= n)·P(Y >= n); the terms beyond 240 weigh less than 10^-30.
    let sum: Fraction = (1..240).map(|n| at_least(6, n) * at_least(4, n)).sum();
    let more = &sum + Fraction::new(1.into(), 1_000_000_000_000_000_i64.into());
    assert_mean_between("let x=X in let y=Y in if >=x y then x else y", &sum, &more);
    // E[1 if Y >= X] = Σ (P(X >= n) - P(X >= n + 1))·P(Y >= n).
    let equal = |n| (at_least(6, n) - at_least(6, n + 1)) * at_least(4, n);
    let sum: Fraction = (1..240).map(equal).sum();
    let more = &sum + Fraction::new(1.into(), 1_000_000_000_000_000_i64.into());
    let summary = Summary::of(&answer("let x=X in let y=Y in count(>=x y)"));
    let mean = summary.mean.finite().unwrap();
    assert!(sum <= *mean && *mean <= more);
}

#[test]
fn the_ends_of_a_mean_are_shown() {
    let rules = [Answered::new(
        "spread",
        answer("let p=2#X in sum(high 1 p) - sum(low 1 p)"),
    )];
    let report = Report::of(&rules);
    let mut text = Shown::on(Vec::new());
    report::table::write(&report, &Style::default(), &mut text).unwrap();
    assert!(text.to_string().contains("~3.2000"));
    let mut text = Shown::on(Vec::new());
    report::json::write(&report, &Style::default(), &mut text).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text.to_string()).unwrap();
    let rule = &json["rules"][0];
    assert!(rule["mean"].is_null());
    let high = rule["mean_between"]["high"]["exact"].as_str().unwrap();
    assert!(fraction(high) >= fraction("16/5"));
}

/// The mean and the variance of a rule in the tabletop notation.
#[track_caller]
fn assert_tabletop(rule: &str, mean: &str, variance: &str) {
    let program = crate::rules::read(Dialect::Tabletop, rule).unwrap();
    let answer = engine::analyze(&program, &Limits::default(), &Unobserved).unwrap();
    let summary = Summary::of(&answer);
    let expected = [mean, variance].map(|text| Moment::Finite(fraction(text)));
    assert_eq!([summary.mean, summary.variance], expected, "{rule}");
}

/// With G(t) and H(t) for the probabilities that exploding dice of 8 and 6 sides are at least t, `G(t + 8) = G(t)/8` and
/// `H(t + 6) = H(t)/6`. So `E[max] = Σ (G + H - G·H)` and `E[max²] = Σ (2t-1)·(G + H - G·H)` are finite sums and geometric
/// series, which were summed as fractions in Python.
#[test]
fn the_highest_of_exploding_dice_has_exact_moments() {
    let (mean, variance) = ("21494566/3317755", "172411636410626/11007498240025");
    assert_tabletop("max(d8!, d6!)", mean, variance);
    assert_tabletop("{d6!!, d8!!}kh1", mean, variance);
    assert_tabletop("max(d6!, d8!) + 2", "28130076/3317755", variance);
}

/// In the tail of an endless die, that die is the highest, and the other dice end.
#[test]
fn an_endless_die_among_others_has_exact_moments() {
    // For an exploding d8, E[X] = 36/7 and E[X²] = (1² + … + 7² + 64 + 16·36/7)/7 = 2004/49. Of the eight faces, 1 and 2
    // become 3: E[max] = E[X] + (2 + 1)/8 and E[max²] = E[X²] + (8 + 5)/8.
    assert_tabletop("max(d8!, 3)", "309/56", "37871/3136");
    // X among 2d6 and 3d4: a sum over X up to 16 and, beyond, E[X; X > 16] + P(X > 16)·E[max(2d6, 3d4)], as a fraction in
    // Python.
    assert_mean(
        "sum(high 2 (sum(while x=d8 do if ==8 x then d8 else ()), sum(2#d6), sum(3#d4)))",
        "1802329/114688",
    );
}
