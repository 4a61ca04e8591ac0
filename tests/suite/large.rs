//! Large rules that must have an exact answer within the default limits, with `--exact`. Each has a probability that follows
//! from a formula.

use dicedist::Dialect;
use dicedist::number::Fraction;
use num_bigint::BigInt;

use crate::command::run;

/// A fraction.
fn p(numerator: u64, denominator: u64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// A power of a fraction.
fn power(numerator: u64, denominator: u64, exponent: i32) -> Fraction {
    p(numerator, denominator).pow(exponent)
}

/// The binomial coefficient.
fn choose(n: u64, k: u64) -> Fraction {
    let ways = (1..=k).map(|i| p(n + 1 - i, i));
    ways.fold(p(1, 1), |product, factor| product * factor)
}

/// Asserts the probability that a rule is exactly, at least or at most a number.
#[track_caller]
fn is_exactly(dialect: Dialect, rule: &str, query: &str, value: &str, expected: &Fraction) {
    let option = format!("--{query}");
    let arguments = [
        "-d",
        dialect.name(),
        "--exact",
        // The machine may be busy.
        "--time-limit",
        "60",
        "--format",
        "csv",
    ];
    let arguments = arguments
        .into_iter()
        .chain([&option, value, "--", rule])
        .collect::<Vec<_>>();
    let said = run(arguments);
    assert_eq!(said.code, Some(0), "{rule}: {}", said.stderr);
    let row = said.stdout.lines().nth(1).unwrap_or_default();
    let mut fields = row.rsplit(',');
    let (denominator, numerator) = (fields.next().unwrap(), fields.next().unwrap());
    let found: Fraction = format!("{numerator}/{denominator}").parse().unwrap();
    assert!(
        found == *expected,
        "{rule}: the probability of {query} {value} is wrong"
    );
}

#[test]
fn single_large_dice_are_uniform() {
    for (rule, query, value, expected) in [
        ("d1000000", "at-most", "250000", p(1, 4)),
        ("d100000/100", "exactly", "0", p(99, 100_000)),
        ("(d100000)%1000", "exactly", "0", p(1, 1_000)),
        // n of the n² pairs.
        ("d100000-d100000", "exactly", "0", p(1, 100_000)),
        ("let x=d100000 in x-x", "exactly", "0", p(1, 1)),
        // Only 1000·1000 is this product.
        ("d1000*d1000", "exactly", "1000000", p(1, 1_000_000)),
        ("2^d1000", "exactly", "2", p(1, 1_000)),
        (
            "if <50000 d100000 then 1 else 0",
            "exactly",
            "1",
            p(49_999, 100_000),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, query, value, &expected);
    }
}

#[test]
fn large_sums_are_exact() {
    for (rule, query, value, expected) in [
        ("sum(2#d100000)", "exactly", "2", power(1, 10, 10)),
        // n(n-1)/2 of the n² pairs.
        ("sum(2#d100000)", "at-most", "100000", p(99_999, 200_000)),
        ("sum(10#d10000)", "exactly", "10", power(1, 10_000, 10)),
        ("sum(100#d1000)", "at-most", "100", power(1, 1_000, 100)),
        ("sum(1000#d6)", "exactly", "1000", power(1, 6, 1_000)),
        ("sum(5000#d6)", "exactly", "30000", power(1, 6, 5_000)),
        // The sums are symmetric about 7·5001/2 and 21·1001/2, which are no integers.
        ("sum(5001#d6)", "at-most", "17503", p(1, 2)),
        ("sum(1001#d20)", "at-least", "10511", p(1, 2)),
        ("sum(1000000#d1)", "exactly", "1000000", p(1, 1)),
        ("sum(1..1000000)", "exactly", "500000500000", p(1, 1)),
        ("prod(50#d2)", "exactly", "1", power(1, 2, 50)),
    ] {
        is_exactly(Dialect::Bones, rule, query, value, &expected);
    }
}

#[test]
fn ranks_of_large_pools_are_exact() {
    let one = || p(1, 1);
    // The mean of (5/6)^n over n = 1, …, 1000: a geometric series.
    let geometric = p(5, 1_000) * (one() - power(5, 6, 1_000));
    for (rule, query, value, expected) in [
        // 1 - (1 - 1/n)²
        (
            "high 1 2#d1000000",
            "exactly",
            "1000000",
            p(1_999_999, 1_000_000_000_000),
        ),
        ("low 1 3#d100000", "at-least", "100000", power(1, 10, 15)),
        (
            "high 1 1000#d1000",
            "at-most",
            "999",
            power(999, 1_000, 1_000),
        ),
        ("high 1 10000#d20", "at-most", "19", power(19, 20, 10_000)),
        ("high 1 500001#d2", "exactly", "1", power(1, 2, 500_001)),
        // The median of symmetric dice is low or high with equal probability.
        ("high 1 low 501 1001#d20", "at-most", "10", p(1, 2)),
        ("high 1 low 5001 10001#d2", "at-most", "1", p(1, 2)),
        ("sum(high 3 1000#d6)", "exactly", "3", power(1, 6, 1_000)),
        // Half of the coins or more: 1/2 + C(1000, 500)/2^1001.
        (
            "sum(high 500 1000#d2)",
            "exactly",
            "1000",
            p(1, 2) + choose(1_000, 500) * power(1, 2, 1_001),
        ),
        ("high 1 (d1000#d6)", "at-most", "5", geometric),
        (
            "high 1 100#sum(10#d10)",
            "exactly",
            "100",
            one() - (one() - power(1, 10, 10)).pow(100),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, query, value, &expected);
    }
}

#[test]
fn counts_in_large_pools_are_exact() {
    for (rule, query, value, expected) in [
        ("count ==6 10000#d6", "exactly", "0", power(5, 6, 10_000)),
        ("count >7 5000#d10", "exactly", "5000", power(3, 10, 5_000)),
        ("count ==1 10001#d2", "at-least", "5001", p(1, 2)),
        ("count(10000000#d6)", "exactly", "10000000", p(1, 1)),
        // Each die is in exactly one of the three counts.
        (
            "let x=100#d6 in (count ==1 x)+(count ==2 x)+(count >2 x)",
            "exactly",
            "100",
            p(1, 1),
        ),
        // With an odd number of dice, the numbers of low and of high dice differ.
        (
            "let c=1001#d6 in (count <4 c)-(count >3 c)",
            "at-least",
            "1",
            p(1, 2),
        ),
        // Records: the first is the only one with probability (1 - 1/2)(1 - 1/3)…(1 - 1/n) = 1/n.
        (
            "count(foreach i in 1..1000 do ==1 d i)",
            "exactly",
            "1",
            p(1, 1_000),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, query, value, &expected);
    }
}

#[test]
fn distributions_without_room_are_exact_where_they_are_asked_about() {
    for (rule, query, value, expected) in [
        // An odd number of fair coins, in two forms.
        ("count >5 1000001#d10", "at-least", "500001", p(1, 2)),
        ("sum(1000001#d2)", "at-most", "1500001", p(1, 2)),
        ("count ==6 100000#d6", "exactly", "0", power(5, 6, 100_000)),
        ("sum(100000#d2)", "at-least", "200000", power(1, 2, 100_000)),
        // None or one of the dice shows 2: 1 + 100000 of the 2^100000 rolls.
        (
            "count ==2 100000#d2",
            "at-most",
            "1",
            p(100_001, 1) * power(1, 2, 100_000),
        ),
        (
            "count(>=250001 count ==2 500001#d2)",
            "exactly",
            "1",
            p(1, 2),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, query, value, &expected);
    }
}

#[test]
fn products_of_any_length_are_exact() {
    let middle = choose(100, 50) * power(1, 2, 100);
    for (rule, value, expected) in [
        ("prod(100#d2)", "1125899906842624", middle), // fifty twos
        (
            "prod(2^60, 2^60, d6)",
            "1329227995784915872903807060280344576",
            p(1, 6),
        ),
        (
            "prod(20#d10, d4)",
            "400000000000000000000",
            power(1, 10, 20) * p(1, 4),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, "exactly", value, &expected);
    }
}

#[test]
fn faces_of_large_pools_are_counted() {
    let distinct = (0..23).fold(p(1, 1), |product, i| product * p(365 - i, 365));
    for (rule, query, value, expected) in [
        ("count distinct 23#d365", "exactly", "23", distinct.clone()),
        (
            "let b = 23#d365 in count(foreach day in 1..365 do count ==day b >= 2)",
            "at-least",
            "1",
            p(1, 1) - distinct,
        ),
        ("count distinct 2#d4096", "exactly", "1", p(1, 4_096)),
        // All dice show the same face, or each shows one of two and not all the same.
        (
            "count distinct 200#d6",
            "at-most",
            "2",
            power(1, 6, 199) + p(15, 1) * (power(1, 3, 200) - p(2, 1) * power(1, 6, 200)),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, query, value, &expected);
    }
}

#[test]
fn large_permutations_are_never_listed() {
    for (rule, value, expected) in [
        ("count(perm(1..1000))", "1000", p(1, 1)),
        ("first 1 perm(1..1000)", "1", p(1, 1_000)),
        // Only one choice of ten members has this sum: the ten least.
        (
            "sum(first 10 perm(1..100))",
            "55",
            p(1, 1) / choose(100, 10),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, "exactly", value, &expected);
    }
}

#[test]
fn long_loops_are_exact_with_their_tail() {
    for (rule, query, value, expected) in [
        // Nineteen sixes in a row.
        (
            "count(while x=d6 do ((count ==6 x)#d6))",
            "at-least",
            "20",
            power(1, 6, 19),
        ),
        // One 1000, then a 1.
        (
            "sum(while x=d1000 do ((count ==1000 x)#d1000))",
            "exactly",
            "1001",
            power(1, 10, 6),
        ),
    ] {
        is_exactly(Dialect::Bones, rule, query, value, &expected);
    }
}

#[test]
fn large_rules_of_all_notations_are_exact() {
    for (dialect, rule, query, value, expected) in [
        (
            Dialect::Dicelab,
            "count == 1 1000#d1000",
            "exactly",
            "0",
            power(999, 1_000, 1_000),
        ),
        (
            Dialect::Dicebag,
            "1000d6",
            "exactly",
            "6000",
            power(1, 6, 1_000),
        ),
        (
            Dialect::Dicebag,
            "1K1000d1000",
            "at-most",
            "999",
            power(999, 1_000, 1_000),
        ),
        // One 100, then a 1.
        (
            Dialect::Dicebag,
            "100E1d100",
            "exactly",
            "101",
            power(1, 100, 2),
        ),
        (
            Dialect::Dicebag,
            "10T1000d10",
            "exactly",
            "0",
            power(9, 10, 1_000),
        ),
        (
            Dialect::Diceroller,
            "1000D6 S",
            "exactly",
            "1000",
            power(1, 6, 1_000),
        ),
        (
            Dialect::Diceroller,
            "1000000D20 C",
            "exactly",
            "1000000",
            p(1, 1),
        ),
        (
            Dialect::Diceroller,
            "1000D20 H1",
            "at-most",
            "19",
            power(19, 20, 1_000),
        ),
        (
            Dialect::Diceroller,
            "1000D10 8+ C",
            "exactly",
            "0",
            power(7, 10, 1_000),
        ),
        (
            Dialect::Onedice,
            "1000d6",
            "exactly",
            "1000",
            power(1, 6, 1_000),
        ),
        (
            Dialect::Onedice,
            "1000d1000k1",
            "at-most",
            "999",
            power(999, 1_000, 1_000),
        ),
        // No die shows 8 or more, so no die is rolled again.
        (
            Dialect::Onedice,
            "100a10",
            "exactly",
            "0",
            power(7, 10, 100),
        ),
    ] {
        is_exactly(dialect, rule, query, value, &expected);
    }
}

#[test]
fn functions_of_a_large_sum_look_at_the_sum_alone() {
    // Of 1,000 coins k show heads with C(1000, k)/2^1000, and C(1000, k+1) = C(1000, k)·(1000-k)/(k+1). Fewer than 480 heads are
    // as likely as more than 520.
    let coins = (0..1000).scan(power(1, 2, 1000), |share, k| {
        let this = share.clone();
        *share *= p(1000 - k, k + 1);
        Some(this)
    });
    let far = coins
        .enumerate()
        .filter(|(heads, _)| !(480..520).contains(heads))
        .fold(power(1, 2, 1000), |sum, (_, share)| sum + share);
    for rule in [
        "let s=sum (1000#d2) in if s >= 1520 then 1 else if s < 1480 then 1 else 0",
        "let s=sum (1000#d2) in if s >= 1520 or s < 1480 then 1 else 0",
    ] {
        is_exactly(Dialect::Bones, rule, "exactly", "1", &far);
    }
    // Heads modulo 1,000 are 0 for no head and for 1,000.
    let none_or_all = p(2, 1) * power(1, 2, 1000);
    let rule = "let s=sum (1000#d2) in max(s % 1000, s % 1000)";
    is_exactly(Dialect::Bones, rule, "exactly", "0", &none_or_all);
    let rule = "let s=sum (1000#d2) in max(s % 1000, s % 500)";
    is_exactly(Dialect::Bones, rule, "exactly", "0", &none_or_all);
}

/// Each of four dice shows the far face with probability 1/3. If two or more do, both kept dice show it. If one does, the other kept
/// die is the best of three that show 1 or 2.
#[test]
fn faces_that_lie_far_apart_take_no_list_of_all_between() {
    let rule = "sum(high 2 4#d{1000000000000,1,2})";
    let far = |count: i32| {
        choose(4, count.unsigned_abs().into()) * power(1, 3, count) * power(2, 3, 4 - count)
    };
    let both = far(2) + far(3) + far(4);
    for (value, expected) in [
        ("2000000000000", both),
        ("1000000000001", far(1) * power(1, 2, 3)),
        ("1000000000002", far(1) * (p(1, 1) - power(1, 2, 3))),
        ("2", far(0) * power(1, 2, 4)),
    ] {
        is_exactly(Dialect::Bones, rule, "exactly", value, &expected);
    }
    let unlike = "sum(low 1 (2#d{5,1000000000}))+sum(high 5 (4#d{1,2,10000000},4#d4))*0";
    is_exactly(Dialect::Bones, unlike, "exactly", "5", &p(3, 4));
    // One far face and a 1, and two ones.
    let beside = "sum(2#d{9000000000,1}, 2#d2)";
    is_exactly(Dialect::Bones, beside, "exactly", "9000000003", &p(1, 8));
}

/// Numbers of dice from 0 to 70 make 71 pools, of which some share a bit of a mask. With `c` fours among the first dice,
/// `(t + t² + 4)^(70-c)` counts the others by their ones and twice their twos. The rule is 0 if no die of the second roll
/// shows a one, and no more show a two than that.
#[test]
fn pools_that_share_a_bit_are_told_apart() {
    let ways = |n: u32, k: u32| {
        let ways = (1..=u128::from(k)).fold(1, |ways, i| ways * (u128::from(n) + 1 - i) / i);
        BigInt::from(ways)
    };
    let power = |base: u32, exponent: u32| BigInt::from(base).pow(exponent);
    let mut none = BigInt::ZERO;
    let mut marks = vec![BigInt::from(1)];
    for others in 0..=70 {
        let fours = 70 - others;
        let second: BigInt = (0..=fours)
            .map(|twos| {
                let enough: BigInt = marks.iter().skip(twos as usize).sum();
                ways(fours, twos) * power(50, fours - twos) * enough
            })
            .sum();
        none += ways(70, fours) * power(50, fours) * second * power(52, others);
        let mut next = vec![BigInt::ZERO; marks.len() + 2];
        for (mark, weight) in marks.iter().enumerate() {
            next[mark] += 4 * weight;
            next[mark + 1] += weight;
            next[mark + 2] += weight;
        }
        marks = next;
    }
    let expected = Fraction::new(none, power(56, 70) * power(52, 70));
    let rule = "let x=70#d{4: 50, 1, 2, 3:4} in let y=(count ==4 x)#d{3: 50, 1, 2} in \
        if count ==2 y > (count ==1 x)+2*(count ==2 x) then 50 else count ==1 y";
    is_exactly(Dialect::Bones, rule, "exactly", "0", &expected);
    // As many dice show a three as a two with the central probability of a walk; else either is as likely.
    let ties = (0..=35).map(|k| {
        let rest = power(2, 70 - 2 * k);
        ways(70, k) * ways(70 - k, k) * rest
    });
    let tie = Fraction::new(ties.sum(), power(4, 70));
    let expected = (p(1, 1) - tie) / p(2, 1);
    let rule = "let x=70#d4 in let y=(count ==4 x)#d4 in \
        (count ==1 y)*(count ==2 y) + 10000*(count ==3 x > count ==2 x)";
    is_exactly(Dialect::Bones, rule, "at-least", "10000", &expected);
}
