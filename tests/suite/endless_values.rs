//! Loops with infinitely many values, or whose values grow without end, of which something is asked that has an exact answer. Every
//! expected number is derived by hand in a comment beside it.

use dicedist::engine::{MemberRef, Method};
use dicedist::limits::Limits;
use dicedist::number::Fraction;
use dicedist::summary::Summary;
use dicedist::{Answer, Dialect};

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

fn answer(text: &str) -> Answer {
    crate::rules::analyze(Dialect::Bones, text, &Limits::default()).unwrap()
}

/// Asserts that a rule has these probabilities of 0, 1, 2, … and no others.
fn assert_shares(text: &str, shares: &[&str]) {
    let answer = answer(text);
    let numbers = answer.numbers().unwrap();
    let found = (0..shares.len()).map(|value| numbers.weight_of(&value.into()));
    let found: Vec<Fraction> = found.map(|weight| answer.probability(&weight)).collect();
    let expected: Vec<Fraction> = shares.iter().map(|share| fraction(share)).collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(found.iter().sum::<Fraction>(), fraction("1"), "{text}");
}

fn assert_fails(text: &str, share: &str) {
    let error = crate::rules::analyze(Dialect::Bones, text, &Limits::default()).unwrap_err();
    assert_eq!(error.probability(), Some(&fraction(share)), "{text}");
}

/// A round that ends with p ends an odd number of rounds with `p + (1-p)²p + … = p/(1 - (1-p)²) = 1/(2-p)`: 2/3 for 1/2, 3/5 for
/// 1/3.
#[test]
fn remainders_of_loops_are_exact() {
    let rounds = |sides: u32| format!("count(while y=1 do (if ==1 d{sides} then () else y))");
    let (two, three) = (rounds(2), rounds(3));
    assert_shares(&format!("{two}%2"), &["1/3", "2/3"]);
    assert_shares(&format!("let n={two} in (n%2)"), &["1/3", "2/3"]);
    assert_shares(&format!("let n={two} in ((3*n+1)%2)"), &["2/3", "1/3"]);
    // Even: both odd with 2/3·3/5, both even with 1/3·2/5.
    assert_shares(&format!("({two}+{three})%2"), &["8/15", "7/15"]);
    assert_shares(
        &format!("let n={two} in let m={three} in ((n+m)%2)"),
        &["8/15", "7/15"],
    );
    // The sum of two: odd with 2·2/3·1/3.
    assert_shares(&format!("(sum(2#{two}))%2"), &["5/9", "4/9"]);
    // One die that is rolled again on a 3 is rolled 3k+1 times with (2/3)/(1-1/27) = 9/13, 3k+2 times with 3/13, and 3k times
    // with 1/13. Two of them: 0 from 0+0 and 1+2, 1 from 0+1 and 2+2, 2 from 0+2 and 1+1.
    assert_shares(
        "(count(while x=2#d3 do ((count ==3 x)#d3)))%3",
        &["55/169", "27/169", "87/169"],
    );
    // From a round on, the sum of the d2 is odd with a = (1 - a)/2 = 1/3. A first value of 0 leaves it so, 1 makes it 1 - a, and
    // 2 ends the loop: (1/3 + 2/3 + 0)/3.
    assert_shares(
        "(sum(while y=d3-1 do (if <=1 y then d2 else ())))%2",
        &["2/3", "1/3"],
    );
}

/// The probabilities are those of the remainders above.
#[test]
fn errors_that_depend_on_remainders_are_exact() {
    // One value 2, and then as many d2 as a round that ends with 1/2 takes: an even number of values with 2/3.
    assert_fails(
        "let n=count(while y=2 do (count >1 y)#d2) in 1/(n%2)",
        "2/3",
    );
    // 1 - 1/(2 - 1/6)
    assert_fails("1/(sum(while x=1 do (if ==1 d6 then () else x))%2)", "5/11");
    // Half of the rolls end at 2. All others stay at 1 until the error.
    assert_fails(
        "while x=d2 do (if ==2 x then () else (if >2 d4 then x else 1/(x-1)))",
        "1/2",
    );
}

/// A number that only counts the rounds is no part of the state.
#[test]
fn values_that_nobody_asks_for_are_no_states() {
    assert_fails("count(while x=1 do (if ==1 d6 then 1/0 else x+1))", "1");
    // The loop has no other end than the error.
    assert_fails(
        "(sum(high 1 (while x=2#d8 do ((count ==2 x)#d8)))),((sum(while y=2 do (if <5 y then y+d3 else 1/0)))/2)",
        "1",
    );
    // A number of rounds that ends with p has the mean 1/p and the variance (1-p)/p².
    for (text, mean, variance) in [
        (
            "count(while x=1 do (if ==1 d6 then () else x+1))",
            "6",
            "30",
        ),
        (
            "count(while x=d6 do (if ==1 d6 then () else x*2+d4))",
            "6",
            "30",
        ),
    ] {
        let answer = answer(text);
        assert_eq!(answer.unresolved(), 0_u32.into(), "{text}");
        assert_eq!(answer.never_ends(), 0_u32.into(), "{text}");
        let summary = Summary::of(&answer);
        assert_eq!(summary.mean.finite(), Some(&fraction(mean)), "{text}");
        assert_eq!(
            summary.variance.finite(),
            Some(&fraction(variance)),
            "{text}"
        );
    }
}

/// The first two values have one member. Each later one has one more than 1 with 1/3: `1 + 1/2 + 4/3·(1/4 + 1/8 + …)`.
#[test]
fn members_that_decide_lengths_are_kept() {
    let text = "count(while x=1 do (if ==1 d2 then () else (d3,(count >2 x)#1)))";
    let mean = Summary::of(&answer(text)).mean;
    assert_eq!(mean.finite(), Some(&fraction("13/6")), "{text}");
}

/// The answer to a rule in the tabletop notation.
fn tabletop(text: &str) -> Answer {
    crate::rules::analyze(Dialect::Tabletop, text, &Limits::default()).unwrap()
}

fn share(answer: &Answer, value: i64) -> Fraction {
    answer.probability(&answer.numbers().unwrap().weight_of(&value.into()))
}

/// Ranks of dice that end below and above without bounds are exact up to the tolerance. For `D = d4! - d6!`,
/// `P(max(D, d4) = v) = P(D <= v)·P(d4 <= v) - P(D < v)·P(d4 < v)`, and `P(D <= v)` are sums of geometric series, in Python.
#[test]
fn ranks_of_differences_are_listed() {
    let answer = tabletop("max(d4!-d6!, d4)");
    let expected = [
        "447/2303",
        "4261/18424",
        "8731/36848",
        "9411/36848",
        "243/9212",
    ];
    let tolerance = Limits::default().tolerance;
    for (value, expected) in (1..).zip(expected) {
        let missing = fraction(expected) - share(&answer, value);
        assert!(
            missing >= fraction("0") && missing <= tolerance,
            "{value}: {missing}"
        );
    }
    assert!(answer.probability(&answer.unresolved()) <= tolerance);
    // Both have a tail, on the same side or on both: P(D >= 2)·P(d4! >= 2) - P(D >= 3)·P(d4! >= 3) = 0.0930851063829787…
    let lower = tabletop("min(d4!-d6!, d4!)");
    let missing = fraction("930851063829787/10000000000000000") - share(&lower, 2);
    assert!(missing < fraction("1/1000000000000"), "{missing}");
}

/// Where one of several dice lies in its tail, the range may be small; that is rare, and hides no range. A die that explodes shows v with
/// 1/6ʲ⁺¹, where j is how often 6 goes into v, if the rest is not 0. Equal values of n dice have 5·Σ (1/6ʲ⁺¹)ⁿ, two dice differ by 6 with
/// 2·5·Σ 1/6ʲ⁺¹·1/6ʲ⁺². Three dice that show 1, or 1 and 2, have 1/6³ and (2³ - 2)/6³. Two tosses until a head need as many
/// with Σ (1/4)ʲ, and n more with 2·(1/2)ⁿ·Σ (1/4)ʲ, both from 1 on.
#[test]
fn rare_masses_take_over_little() {
    let exploding = "let b = N#(sum while x=d6 do (count ==6 x)#d6) in";
    let tosses = "let b = 2#(repeat n = 1 until d2 == 2 do n + 1) in";
    for (dice, values, rule, value, expected) in [
        ("2", exploding, "max(b) - min(b)", 0, "1/7"),
        ("2", exploding, "max(b) - min(b)", 6, "1/21"),
        ("2", exploding, "min(b) - max(b)", -6, "1/21"),
        ("3", exploding, "max(b) - min(b)", 0, "1/43"),
        ("3", exploding, "max(b) * min(b)", 1, "1/216"),
        ("3", exploding, "max(b) * min(b)", 2, "1/36"),
        ("2", exploding, "if max(b) > min(b) then 1 else 0", 1, "6/7"),
        ("2", tosses, "max(b) - min(b)", 0, "1/3"),
        ("2", tosses, "max(b) - min(b)", 5, "1/48"),
        (
            "",
            "let a = sum explode d6 in let b = sum explode d6 in",
            "abs(a - b)",
            6,
            "1/21",
        ),
    ] {
        let text = format!("{} {rule}", values.replace('N', dice));
        let answer = answer(&text);
        let missing = fraction(expected) - share(&answer, value);
        let tolerance = Limits::default().tolerance;
        assert!(
            missing >= fraction("0") && missing <= tolerance,
            "{text}: {missing}"
        );
        assert!(
            answer.probability(&answer.unresolved()) <= tolerance,
            "{text}"
        );
    }
}

/// Loops are listed further where little is listed. Where that ends at a limit, what was found before is the answer: three dice that
/// explode show 1 with 1/6³.
#[test]
fn a_limit_leaves_what_was_found_before() {
    let text = "let b = 3#(sum explode d6) in max(b) * min(b)";
    for states in [20_000, 150_000] {
        let limits = Limits::default().with_states(states);
        let answer = crate::rules::analyze(Dialect::Bones, text, &limits).unwrap();
        let missing = fraction("1/216") - share(&answer, 1);
        assert!(
            missing >= fraction("0") && missing <= limits.tolerance,
            "{states}: {missing}"
        );
        assert!(answer.outcomes().len() < 300, "{states}");
        assert!(answer.probability(&answer.unresolved()) <= limits.tolerance);
    }
}

/// A number far above the list of an endless die is the highest almost always.
#[test]
fn a_number_above_the_tail_of_a_die_is_listed() {
    // P(X > 1000) = P(166 sixes, then 5 or another six) for 1000 = 6·166 + 4.
    let answer = tabletop("max(d6!, 1000)");
    let sixes = Fraction::new(1.into(), num_bigint::BigInt::from(6).pow(166));
    assert_eq!(
        share(&answer, 1000),
        fraction("1") - sixes / num_bigint::BigInt::from(3)
    );
    // Dice whose list cannot go on so far.
    let answer = tabletop("max(100d6!p, 900)");
    assert!(share(&answer, 900) > fraction("999999999999/1000000000000"));
}

/// A die that explodes and penetrates is one of its faces, or a six and the sum of rolls less one: the generating function is
/// F(z) = (z + … + z⁵)/6 + z⁶/6·G(z) with G(z) = (1 + … + z⁴)/(6 - z⁵). Its mean is 4, and F(-1) = -1/7.
#[test]
fn one_of_several_endless_numbers_has_a_generating_function() {
    let hundred = tabletop("100d6!p").moments().unwrap();
    assert_eq!(hundred.first, Some(fraction("400")));
    let even = tabletop("2d6!p % 2");
    assert_eq!(share(&even, 0), fraction("25/49")); // (1 + F(-1)²)/2
    assert_eq!(share(&even, 1), fraction("24/49"));
}

/// Loops within loops leave no more than the tolerance open together.
#[test]
fn many_loops_share_the_tolerance() {
    let rule = "sum(3#sum(while x=d3 do if ==3 x then d{0,x} else ()))";
    let answer = answer(rule);
    assert!(answer.probability(&answer.unresolved()) <= Limits::default().tolerance);
}

/// The last roll of a die that explodes on its highest face is below that face. So the lowest dice of a pool are last rolls, and the
/// other rolls say nothing of them. There is a four for three other rolls, and six dice with nine faces have 1224095/59049 on their
/// best three (by enumeration).
#[test]
fn the_lowest_of_exploding_dice_are_exact() {
    let mean = |answer: &Answer| Summary::of(answer).mean.finite().cloned();
    let best_of_three_d3 = fraction("72/27");
    assert_eq!(
        mean(&tabletop("3d4!dl2")),
        Some(fraction("4") + best_of_three_d3)
    );
    let six = fraction("60/9") + fraction("1224095/59049");
    assert_eq!(mean(&tabletop("6d10!dl3")), Some(six.clone()));
    let bones = "sum(drop low 3 (6#d9, >=10 6#(while x=d10 do if ==10 x then d10 else ())))";
    assert_eq!(mean(&answer(bones)), Some(six));
    // No more dice than are rolled: these are last rolls alone, as dice with a face less.
    let lowest = tabletop("10d10!kl5");
    assert_eq!(lowest.numbers(), tabletop("10d9kl5").numbers());
    // Of 3d4! four or fewer are rolled with P(no four, then 3 others) + P(one four in 3 places) = 27/64·(1 + 3/4).
    assert_eq!(share(&tabletop("3d4!dl4"), 0), fraction("189/256"));
    // Each d6 rolls 5 or 6 with 1/3: 2·(1/2)·(11/2), and the higher of two d4 has 25/8.
    assert_eq!(
        mean(&tabletop("2d6!>=5dl1")),
        Some(fraction("11/2") + fraction("25/8"))
    );
}

/// Asserts that a rule of two endless numbers has these shares of its first values, and leaves no more open than the tolerance.
fn assert_begins(text: &str, values: usize, share: impl Fn(u32) -> ([u64; 2], Fraction)) -> Answer {
    let answer = answer(text);
    let found: Vec<(Vec<u64>, Fraction)> = answer
        .outcomes()
        .iter()
        .map(|(value, weight)| {
            let members = value.members().map(|member| match member {
                MemberRef::Number(number) => number.to_string().parse().unwrap(),
                MemberRef::Label(_) => panic!("{text} has numbers"),
                _ => unreachable!("numbers and labels"),
            });
            (members.collect(), answer.probability(weight))
        })
        .collect();
    for index in 0..u32::try_from(values).unwrap() {
        let (value, expected) = share(index);
        let of = found.iter().find(|(members, _)| *members == value);
        assert_eq!(
            of.map(|(_, share)| share),
            Some(&expected),
            "{text}: {value:?}"
        );
    }
    assert_eq!(answer.method, Method::ExactWithUnresolved, "{text}");
    let open = answer.probability(&answer.unresolved());
    assert!(open <= Limits::default().tolerance, "{text}: {open}");
    let listed: Fraction = found.iter().map(|(_, share)| share).sum();
    assert_eq!(listed + open, fraction("1"), "{text}");
    answer
}

/// A counter that nothing bounds beside another number: the second six comes at roll n with `(n - 1)·5^(n - 2)/6^n`. A product
/// that doubles with 1/10 is 2^k with `1/10^k·1/10` for each of the other faces.
#[test]
fn endless_counters_beside_another_number_are_exact() {
    let sixes = "repeat s = 0, n = 0 until s == 2 do (if d6 == 6 then s + 1 else s), n + 1 then {n: n, s: s}";
    let answer = assert_begins(sixes, 60, |index| {
        let n = index + 2;
        let five = num_traits::pow(fraction("5/6"), n as usize - 2);
        let share = fraction("1/36") * five * Fraction::from_integer((n - 1).into());
        ([u64::from(n), 2], share)
    });
    assert_eq!(answer.may_fail, Fraction::default());
    let doubled = "repeat m = 1, x = d10 while x == 1 do m * 2, d10 then {m: m, x: x}";
    assert_begins(doubled, 8, |index| {
        let share = num_traits::pow(fraction("1/10"), index as usize + 1);
        ([1 << index, 10], share)
    });
    // One round of d3 and a 0 of weight 3 of 5.
    let lasts = "repeat n = 0, q = 1 while q == 1 do n + d3, d{0: 3, 1, 2} then q, n";
    assert_begins(lasts, 1, |_| ([0, 1], fraction("1/5")));
    // 20 is 2·10 with 1/100, and 4·5 with 1/1000.
    let product = self::answer("repeat m = 1, x = d10 while x == 1 do m * 2, d10 then m * x");
    let twenty = product.numbers().unwrap().weight_of(&20.into());
    assert_eq!(product.probability(&twenty), fraction("11/1000"));
}

/// Dice whose number or sides grow in each round: after n rounds the loop goes on with a product of n factors.
#[test]
fn dice_that_grow_without_an_end_are_followed_until_little_is_left() {
    // Each rule with the chance that it goes on in round n.
    type GoesOn = fn(u64) -> Fraction;
    let rules: [(&str, GoesOn); 4] = [
        ("repeat n = 1 until d(n + 5) <= n do n + 1", |n| {
            Fraction::new(5.into(), (n + 5).into())
        }),
        ("repeat n = 1 until d{1: n, 0: 5} == 1 do n + 1", |n| {
            Fraction::new(5.into(), (n + 5).into())
        }),
        ("repeat n = 1 until min(n#d6) == 1 do n + 1", |n| {
            num_traits::pow(fraction("5/6"), usize::try_from(n).unwrap())
        }),
        ("repeat n = 1 while count >=2 n#d6 == n do n + 1", |n| {
            num_traits::pow(fraction("5/6"), usize::try_from(n).unwrap())
        }),
    ];
    for (text, goes_on) in rules {
        let answer = answer(text);
        let mut reached = fraction("1/1");
        for n in 1..=20 {
            let on = goes_on(n);
            let stops = &reached - &reached * &on;
            assert_eq!(
                share(&answer, i64::try_from(n).unwrap()),
                stops,
                "{text}: {n}"
            );
            reached *= on;
        }
        let open = answer.probability(&answer.unresolved());
        assert!(open <= Limits::default().tolerance, "{text}: {open}");
    }
}

/// An error behind rounds that are not followed is not said to be impossible.
#[test]
fn errors_far_behind_an_endless_counter_may_happen() {
    let text = "repeat n = 0, s = 0 until s == 1 do n + 1, (if d6 == 6 then 1 else s) then {n: n, q: 60 div (100000 - n)}";
    let answer = answer(text);
    let open = answer.probability(&answer.unresolved());
    assert!(answer.may_fail != Fraction::default() && answer.may_fail <= open);
}

/// A die of s sides that is rolled again and added on s is `s·G + U`: U is uniform below s, and G is geometric with p = 1/s. The
/// difference of two such G is j with `pʲ·(1-p)/(1+p)` on both sides of 0. From this also 4/35 at 5 or more for two d6.
#[test]
fn differences_of_sums_without_end_are_exact() {
    for sides in 2_i64..=7 {
        let p = Fraction::new(1.into(), sides.into());
        let one = fraction("1");
        let geometric = |j: i64| {
            let power = (0..j.abs()).map(|_| p.clone()).product::<Fraction>();
            power * (&one - &p) / (&one + &p)
        };
        let below = || 1..sides;
        let pairs = Fraction::from_integer(((sides - 1) * (sides - 1)).into());
        let chance = |outcome: i64| {
            let units = below().flat_map(|u| below().map(move |v| outcome - u + v));
            let steps = units.filter(|rest| rest % sides == 0);
            steps.map(|rest| geometric(rest / sides)).sum::<Fraction>() / &pairs
        };
        let text = format!("sum explode d{sides} - sum explode d{sides}");
        let answer = answer(&text);
        let numbers = answer.numbers().unwrap();
        for outcome in -20..=20 {
            let found = answer.probability(&numbers.weight_of(&outcome.into()));
            assert_eq!(found, chance(outcome), "{text}: {outcome}");
        }
    }
    let at_least_five = "let x = sum explode d6 - sum explode d6 in x >= 5";
    assert_shares(at_least_five, &["31/35", "4/35"]);
    // The first of two geometric numbers is greater: Σ 1/4·(3/4)ᵏ·(2/3)ᵏ⁺¹ = 1/3.
    let rounds = |sides: u32| format!("(repeat n = 0 until d{sides} == 1 do n + 1)");
    let greater = format!("{} > {}", rounds(3), rounds(4));
    assert_shares(&greater, &["2/3", "1/3"]);
    // Of two sums of the same law: (1 - P(equal))/2, where two d6 are equal with 5·(1/6)²/(1 - (1/6)²) = 1/7.
    assert_shares("sum explode d6 > sum explode d6", &["4/7", "3/7"]);
    // g is at least m with (3/4)ᵐ, so it is less than a sum S with 1 - E (3/4)^S: for two numbers that end with 1/3 this is
    // 1 - ((1/3)/(1 - 2/3·3/4))² = 5/9, and for three times one of them 1 - (1/3)/(1 - 2/3·27/64) = 37/69.
    let third = rounds(3);
    assert_shares(
        &format!("{third} + {third} > {}", rounds(4)),
        &["4/9", "5/9"],
    );
    assert_shares(&format!("3 * {third} > {}", rounds(4)), &["32/69", "37/69"]);
    // The same with names, in either spelling of the loops.
    let named = format!("let f = {third}, g = {} in 3 * f > g", rounds(4));
    assert_shares(&named, &["32/69", "37/69"]);
}
