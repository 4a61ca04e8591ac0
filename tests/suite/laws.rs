//! Laws with tails, against the same distributions listed in full.
//!
//! There are two sources of truth. A finite distribution is cut: the outcomes beyond the cut become a tail. The result of an
//! operation on the cut law must agree with the result for the whole distribution, which is plain arithmetic of `Numbers`. A
//! geometric distribution is listed to some depth, and its sums are negative binomial: `P(S = s) = C(s+n-1, n-1) / 2^(n+s)` for n
//! fair coins.

use std::rc::Rc;

use dicedist::algebra::{
    Distribution, Law, Listing, Mass, Moments, Numbers, Quotient, Remainder, Stop, Weight, binomial,
};
use dicedist::limits::{Budget, Limits, Unobserved};
use dicedist::number::{Fraction, Integer};
use proptest::prelude::*;

fn with_budget<T>(run: impl FnOnce(&Budget<'_>) -> Result<T, Stop>) -> T {
    let limits = Limits::default().with_time(None);
    run(&Budget::start(&limits, &Unobserved)).expect("within the default limits")
}

fn weight(weight: u64) -> Weight {
    Weight::from(weight)
}

fn share(part: &Weight, total: &Weight) -> Fraction {
    Fraction::new(part.clone().into(), total.clone().into())
}

/// A distribution, and the same distribution as a law with some outcomes in tails.
#[derive(Clone, Debug)]
struct Cut {
    /// The distribution with all outcomes listed.
    whole: Numbers,
    /// The distribution with tails.
    law: Law,
}

impl Cut {
    /// Moves the outcomes at or beyond two ends to tails. The missing mass of the distribution never ends.
    fn new(whole: Numbers, below: Option<i64>, above: Option<i64>, knows_moments: bool) -> Self {
        let is_below = |outcome: &Integer| below.is_some_and(|end| *outcome <= end.into());
        let is_above = |outcome: &Integer| above.is_some_and(|end| *outcome >= end.into());
        let tails = [
            below.map(|end| Mass::at_or_below(end.into(), whole.filtered(is_below).mass())),
            above.map(|end| Mass::at_or_above(end.into(), whole.filtered(is_above).mass())),
        ];
        let listed = whole.filtered(|outcome| !is_below(outcome) && !is_above(outcome));
        let law = Law::new(
            listed,
            tails.into_iter().flatten().collect(),
            whole.total() - whole.mass(),
            knows_moments.then(|| Moments::of(&whole)),
        );
        Self { whole, law }
    }
}

/// Asserts that a law agrees with the whole distribution, whose missing weight never ends.
#[track_caller]
fn assert_agrees(law: &Law, whole: &Numbers) {
    assert_adds_up(law);
    let of_law = |weight: &Weight| share(weight, law.total());
    let of_whole = |weight: &Weight| share(weight, whole.total());
    let unlisted = law.unlisted.clone().unwrap_or_default();
    let unresolved = of_law(&unlisted.unresolved);
    let is_between = |low: &Fraction, truth: &Fraction| {
        assert!(
            low <= truth && *truth <= low + &unresolved,
            "{truth} is not {low} to {} of {law:?}",
            low + &unresolved
        );
    };
    let above = unlisted.above.as_ref().map(|tail| &tail.bound);
    let below = unlisted.below.as_ref().map(|tail| &tail.bound);
    let is_above = |outcome: &Integer| above.is_some_and(|bound| outcome >= bound);
    let is_below = |outcome: &Integer| below.is_some_and(|bound| outcome <= bound);
    for (outcome, _) in law.listed.iter() {
        assert!(!is_above(&outcome) && !is_below(&outcome), "{law:?}");
    }
    // Each outcome outside the tails, listed or not.
    for (outcome, weight) in whole.iter() {
        if !is_above(&outcome) && !is_below(&outcome) {
            is_between(&of_law(&law.listed.weight_of(&outcome)), &of_whole(&weight));
        }
    }
    for outcome in law.listed.outcomes() {
        is_between(
            &of_law(&law.listed.weight_of(&outcome)),
            &of_whole(&whole.weight_of(&outcome)),
        );
    }
    // Each tail by itself, if the tails do not overlap.
    if above.zip(below).is_none_or(|(above, below)| below < above) {
        if let Some(tail) = &unlisted.above {
            is_between(
                &of_law(&tail.weight),
                &of_whole(&whole.filtered(is_above).mass()),
            );
        }
        if let Some(tail) = &unlisted.below {
            is_between(
                &of_law(&tail.weight),
                &of_whole(&whole.filtered(is_below).mass()),
            );
        }
    }
    let never_ends = of_whole(&(whole.total() - whole.mass()));
    is_between(&of_law(&law.never_ends()), &never_ends);
    if let Some(moments) = law.moments() {
        assert_eq!(moments, Moments::of(whole), "the moments of {law:?}");
    }
    if let Some(mean) = law.known().and_then(|known| known.mean()) {
        let truth = Moments::of(whole);
        assert_eq!(mean.ends, truth.ends, "the mean of {law:?}");
        let first = truth.first.unwrap();
        let is_within = mean.low <= first && first <= mean.high;
        assert!(is_within, "{first} is the mean of {law:?}");
    }
}

/// Asserts that the listed part, the tails, the unresolved mass and the mass that never ends add up to the total.
#[track_caller]
fn assert_adds_up<L: Listing + std::fmt::Debug>(law: &Law<L>) {
    let masses = law.masses().into_iter().map(|mass| mass.weight);
    let all = law.listed.mass() + masses.sum::<Weight>() + law.never_ends();
    assert_eq!(all, *law.total(), "the weights of {law:?}");
}

/// Random finite distributions with cuts at some ends, and sometimes with weight that never ends.
fn cuts(from: i64) -> impl Strategy<Value = Cut> {
    let faces = prop::collection::btree_map(from..=from + 9, 1_u64..=5, 1..=6);
    let ends = (0_i64..=9, 0_i64..=9, 0_u8..6);
    (faces, ends, 0_u64..=2, any::<bool>()).prop_map(
        move |(faces, (a, b, kind), never_ends, knows_moments)| {
            let total = faces.values().sum::<u64>() + never_ends;
            let faces = faces.into_iter();
            let faces = faces.map(|(face, weight)| (face.into(), weight.into()));
            let (low, high) = (from + a.min(b), from + a.max(b));
            let (below, above) = match kind {
                0 => (None, None),
                1 => (Some(low), Some(high + 1)),
                2 => (Some(low), None),
                _ => (None, Some(high)),
            };
            Cut::new(
                Numbers::new(faces, weight(total)),
                below,
                above,
                knows_moments,
            )
        },
    )
}

/// The number of heads of a fair coin before the first tails, listed up to a depth, with the rest in a tail. If wanted, the law
/// has its moments: the mean is 1, and the mean of the square is 3.
fn heads(depth: u32, knows_moments: bool) -> Law {
    let total = weight(1) << depth;
    let listed = (0..depth).map(|heads| (i64::from(heads).into(), &total >> (heads + 1)));
    let whole = |number: i64| Fraction::from_integer(number.into());
    let moments = Moments {
        ends: whole(1),
        first: Some(whole(1)),
        second: Some(whole(3)),
    };
    let tail = Mass::at_or_above(i64::from(depth).into(), weight(1));
    let listed = Numbers::new(listed, total.clone());
    Law::new(
        listed,
        vec![tail],
        Weight::ZERO,
        knows_moments.then_some(moments),
    )
}

/// `P(S = s)` for the heads of n coins: n-1 of the first s+n-1 tosses are the other tails.
fn negative_binomial(n: u64, sum: u64) -> Fraction {
    let ways = with_budget(|budget| Ok(binomial(sum + n - 1, n - 1, budget)?));
    share(&ways, &(weight(1) << (n + sum)))
}

/// Asserts that a law agrees with the negative binomial distribution of n coins, and lists at least the sums up to `listed`.
#[track_caller]
fn assert_negative_binomial(law: &Law, n: u64, listed: u64) {
    assert_adds_up(law);
    let tail = law
        .only_tail_above()
        .expect("all that is not listed lies above");
    assert!(
        tail.bound >= Integer::from(i64::try_from(listed).unwrap()),
        "{law:?}"
    );
    let length = tail.bound.to_usize().unwrap() as u64;
    let mut passed = Fraction::from_integer(0.into());
    for sum in 0..length {
        let expected = negative_binomial(n, sum);
        let outcome = Integer::from(i64::try_from(sum).unwrap());
        assert_eq!(
            share(&law.listed.weight_of(&outcome), law.total()),
            expected,
            "{sum}"
        );
        passed += expected;
    }
    let tail = share(&tail.weight, law.total());
    assert_eq!(tail + passed, Fraction::from_integer(1.into()));
    if let Some(moments) = law.moments() {
        // n coins: the mean is n, the variance 2n.
        let whole = |number: u64| Fraction::from_integer(number.into());
        assert_eq!(moments.first, Some(whole(n)));
        assert_eq!(moments.variance(), Some(whole(2 * n)));
    }
}

/// The interval of a combination of two masses, from its values at their ends, if all ends are finite.
fn hull(
    a: &Mass,
    b: &Mass,
    value: impl Fn(&Integer, &Integer) -> Integer,
) -> (Option<Integer>, Option<Integer>) {
    let (Some(a_low), Some(a_high), Some(b_low), Some(b_high)) = (&a.low, &a.high, &b.low, &b.high)
    else {
        return (None, None);
    };
    let ends = [
        (a_low, b_low),
        (a_low, b_high),
        (a_high, b_low),
        (a_high, b_high),
    ];
    let values = ends.map(|(a, b)| value(a, b));
    (values.iter().min().cloned(), values.iter().max().cloned())
}

/// Asserts that the weight of a law in an interval agrees with the whole distribution.
#[track_caller]
fn assert_agrees_between(law: &Law, whole: &Numbers, low: Option<i64>, high: Option<i64>) {
    let is_inside = |outcome: &Integer| {
        low.is_none_or(|low| *outcome >= low.into())
            && high.is_none_or(|high| *outcome <= high.into())
    };
    let (low, high) = (low.map(Integer::from), high.map(Integer::from));
    let (sure, possible) = law.weight_between(low.as_ref(), high.as_ref());
    let truth = share(&whole.filtered(is_inside).mass(), whole.total());
    assert!(
        share(&sure, law.total()) <= truth && truth <= share(&possible, law.total()),
        "{truth} is not {sure} to {possible} of {law:?} in {low:?} to {high:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_of_cut_laws_agree_with_those_of_whole_ones(a in cuts(-3), b in cuts(-3), c in cuts(0)) {
        with_budget(|budget| {
            assert_agrees(&a.law, &a.whole);
            let both = a.whole.add(&b.whole, budget)?;
            assert_agrees(&a.law.add(&b.law, budget)?, &both);
            assert_agrees(&b.law.add(&a.law, budget)?, &both);
            let parts = [&a, &b, &c].map(|cut| Rc::new(cut.law.clone()));
            assert_agrees(&Law::sum(&parts, budget)?, &both.add(&c.whole, budget)?);
            let by = Integer::from(-4);
            assert_agrees(&a.law.shifted(&by, budget)?, &a.whole.shifted(&by)?);
            Ok(())
        });
    }

    #[test]
    fn the_weight_in_an_interval_is_that_of_the_law_cut_off_later(
        a in cuts(-3),
        b in cuts(-3),
        low in prop::option::of(-8_i64..=14),
        high in prop::option::of(-8_i64..=14),
    ) {
        with_budget(|budget| {
            assert_agrees_between(&a.law, &a.whole, low, high);
            // A sum can have unresolved weight as well.
            assert_agrees_between(&a.law.add(&b.law, budget)?, &a.whole.add(&b.whole, budget)?, low, high);
            // At an end where a tail begins, the weight is exact.
            let (bounds, total) = (a.law.unlisted.as_ref(), a.law.total());
            let above = bounds.and_then(|unlisted| unlisted.above.as_ref());
            let below = bounds.and_then(|unlisted| unlisted.below.as_ref());
            for (low, high) in [
                (above.map(|tail| tail.bound.clone()), None),
                (None, below.map(|tail| tail.bound.clone())),
                (None, None),
            ] {
                let is_inside = |outcome: &Integer| {
                    low.as_ref().is_none_or(|low| outcome >= low)
                        && high.as_ref().is_none_or(|high| outcome <= high)
                };
                let truth = share(&a.whole.filtered(is_inside).mass(), a.whole.total());
                let (sure, possible) = a.law.weight_between(low.as_ref(), high.as_ref());
                assert_eq!((share(&sure, total), share(&possible, total)), (truth.clone(), truth));
            }
            Ok(())
        });
    }

    #[test]
    fn parts_of_a_law_each_followed_by_another_add_up_to_the_sum(a in cuts(-3), b in cuts(0), at in -3_i64..=6) {
        with_budget(|budget| {
            let low = a.whole.filtered(|outcome| *outcome < at.into());
            let high = a.whole.filtered(|outcome| *outcome >= at.into());
            let low = Law::from_part(low, &b.law, budget)?;
            let high = Law::from_part(high, &b.law, budget)?;
            let one = weight(1);
            let both = [(one.clone(), &low), (one, &high)];
            let remainder = Remainder::nothing(low.total().clone());
            let sum = Law::measure_sum(&both, remainder, budget)?;
            // The missing mass of the first law is missing in the sum. It never ends, whatever the second law is.
            assert_agrees(&sum.missing_never_ends(), &a.whole.add(&b.whole, budget)?);
            Ok(())
        });
    }

    #[test]
    fn multiples_of_cut_laws_agree_with_those_of_whole_ones(a in cuts(-3), by in -3_i64..=3) {
        let by = Integer::from(by);
        with_budget(|budget| {
            assert_agrees(&a.law.scaled(&by, budget)?, &a.whole.scaled(&by)?);
            Ok(())
        });
    }

    #[test]
    fn comparisons_of_cut_laws_agree_with_those_of_whole_ones(a in cuts(-3), with in -4_i64..=8) {
        let with = Integer::from(with);
        with_budget(|budget| {
            let one_if = |holds: bool| Ok(Some(Integer::from(i32::from(holds))));
            let at_least = a.whole.map(|outcome| one_if(*outcome >= with), budget)?;
            let found = a.law.at_least(&with, budget)?;
            assert_agrees(&found, &at_least);
            // If each tail lies on one side of the number, the weight is exact.
            let is_decided = a.law.masses().iter().all(|mass| {
                mass.low.as_ref().is_some_and(|low| *low >= with)
                    || mass.high.as_ref().is_some_and(|high| *high < with)
            });
            if is_decided {
                assert_eq!(found.unresolved(), Weight::ZERO);
                assert!(found.masses().is_empty());
            }
            let equals = a.whole.map(|outcome| one_if(*outcome == with), budget)?;
            assert_agrees(&a.law.equals(&with, budget)?, &equals);
            Ok(())
        });
    }

    #[test]
    fn functions_of_cut_laws_agree_with_those_of_whole_ones(a in cuts(-3), b in cuts(-3)) {
        with_budget(|budget| {
            let product = |x: &Integer, y: &Integer| x.mul(y);
            let ends = |x: &Mass, y: &Mass| {
                Ok::<_, Stop>(hull(x, y, |x, y| x.mul(y).expect("small numbers")))
            };
            let expected = a.whole.combined(&b.whole, |x, y| Ok(Some(x.mul(y)?)), budget)?;
            assert_agrees(&a.law.combined(&b.law, product, ends, budget)?, &expected);
            // The greater of two numbers keeps the upper tails of both.
            let greater = |x: &Integer, y: &Integer| Ok(x.max(y).clone());
            let ends = |x: &Mass, y: &Mass| {
                let low = x.low.iter().chain(&y.low).max().cloned();
                let high = x.high.as_ref().zip(y.high.as_ref());
                Ok::<_, Stop>((low, high.map(|(x, y)| x.max(y).clone())))
            };
            let expected = a.whole.combined(&b.whole, |a, b| Ok(Some(a.max(b).clone())), budget)?;
            assert_agrees(&a.law.combined(&b.law, greater, ends, budget)?, &expected);
            Ok(())
        });
    }

    #[test]
    fn powers_of_cut_laws_agree_with_those_of_whole_ones(a in cuts(-3), n in 0_u32..5) {
        with_budget(|budget| {
            let expected = a.whole.power(n.into(), budget)?;
            assert_agrees(&a.law.power(n, budget)?, &expected);
            let mut sum = Law::from(Numbers::certain(Integer::ZERO));
            for _ in 0..n {
                sum = sum.add(&a.law, budget)?;
            }
            assert_agrees(&sum, &expected);
            Ok(())
        });
    }

    #[test]
    fn random_sums_of_cut_laws_agree_with_those_of_whole_ones(count in cuts(0), value in cuts(-1)) {
        with_budget(|budget| {
            let expected = Numbers::random_sum(&count.whole, &value.whole, budget)?;
            let found = Law::random_sum(&count.law, &value.law, budget)?;
            assert_agrees(&found, &expected);
            Ok(())
        });
    }

    #[test]
    fn mixtures_of_cut_laws_agree_with_those_of_whole_ones(
        a in cuts(-3), b in cuts(0), shares in (1_u64..=4, 1_u64..=4, 0_u64..=2, 0_u64..=2),
    ) {
        with_budget(|budget| {
            let (p, q, never_ends, above) = shares;
            let total = weight(p + q + never_ends + above);
            let remainder = Remainder {
                masses: vec![Mass::at_or_above(12.into(), weight(above))],
                never_ends: weight(never_ends),
                ..Remainder::nothing(total.clone())
            };
            let parts = [(p, &a), (q, &b)].map(|(share, cut)| (weight(share), Rc::new(cut.law.clone())));
            let found = Law::mixture(&parts, remainder, budget)?;
            let beyond = Numbers::certain(12.into());
            let parts = [(p, &a.whole), (q, &b.whole), (above, &beyond)];
            let parts = parts.map(|(share, whole)| (weight(share), whole));
            assert_agrees(&found, &Numbers::mixture(&parts, &total, budget)?);
            Ok(())
        });
    }

    #[test]
    fn the_same_law_over_another_total_says_the_same(a in cuts(-3), factor in 1_u64..=6) {
        with_budget(|budget| {
            let remainder = Remainder::nothing(a.law.total() * factor);
            let over = Law::measure_sum(&[(weight(factor), &a.law)], remainder, budget)?;
            assert_agrees(&over, &a.whole);
            assert_agrees(&over.clone().reduced(budget)?, &a.whole);
            let least = |law: Law| law.in_lowest_terms().reduced(budget);
            assert_eq!(least(over)?, least(a.law.clone())?);
            assert_agrees(&a.law.clone().in_lowest_terms(), &a.whole);
            Ok(())
        });
    }

    #[test]
    fn coins_listed_to_different_depths_add_up_to_a_negative_binomial_law(
        depths in prop::collection::vec(1_u32..9, 1..5), knows_moments in any::<bool>(),
    ) {
        let coins: Vec<Rc<Law>> =
            depths.iter().map(|&depth| Rc::new(heads(depth, knows_moments))).collect();
        let sum = with_budget(|budget| Law::sum(&coins, budget));
        let listed = depths.iter().min().expect("some coins");
        assert_negative_binomial(&sum, depths.len() as u64, (*listed).into());
    }

    #[test]
    fn powers_of_coins_are_negative_binomial_laws(depth in 1_u32..40, n in 1_u32..9) {
        let power = with_budget(|budget| heads(depth, true).power(n, budget));
        assert_negative_binomial(&power, n.into(), depth.into());
    }
}

#[test]
fn a_generating_function_lists_a_sum_as_far_as_one_of_its_numbers() {
    let one = || [(0_u64, weight(1))];
    let source = Quotient::renewal(one(), [(1, weight(1))], &weight(2)).unwrap();
    let moments = heads(1, true).moments();
    let tolerance = Fraction::new(1.into(), 1000.into());
    with_budget(|budget| {
        let coin = Law::of_quotient(source, moments, &tolerance, budget)?.unwrap();
        assert_negative_binomial(&coin, 1, 10);
        assert_negative_binomial(&coin.power(50, budget)?, 50, 10);
        let shifted = coin
            .shifted(&3.into(), budget)?
            .power(2, budget)?
            .shifted(&(-6).into(), budget)?;
        assert_negative_binomial(&shifted, 2, 10);
        Ok(())
    });
}

#[test]
fn what_waits_for_a_second_end_never_ends_if_either_does_not() {
    let half = |outcome: i64| {
        let listed = Numbers::new([(outcome.into(), weight(1))], weight(2));
        Law::new(listed, Vec::new(), weight(1), None)
    };
    let sum = with_budget(|budget| half(1).add(&half(2), budget));
    assert_eq!(sum.listed.weight_of(&3.into()), weight(1));
    assert_eq!((sum.never_ends(), sum.total()), (weight(3), &weight(4)));
}

#[test]
fn weight_once_unresolved_is_known_to_never_end() {
    let listed = Numbers::new([(1.into(), weight(1))], weight(2));
    let law = Law::new(listed, vec![Mass::anywhere(weight(1))], Weight::ZERO, None);
    with_budget(|budget| {
        let third = Fraction::new(1.into(), 3.into());
        let known = law.clone().with_never(&third, budget)?;
        assert_adds_up(&known);
        assert_eq!(share(&known.never_ends(), known.total()), third);
        assert_eq!(
            share(&known.unresolved(), known.total()),
            Fraction::new(1.into(), 6.into())
        );
        // More mass than the unresolved mass cannot never end, so the law stays as it is.
        let most = Fraction::new(2.into(), 3.into());
        assert_eq!(law.clone().with_never(&most, budget)?, law);
        // A distribution with half of its mass missing.
        let half = Law::from(law.listed.clone()).missing_never_ends();
        assert_eq!(
            (half.never_ends(), half.unresolved()),
            (weight(1), Weight::ZERO)
        );
        Ok(())
    });
}

#[test]
fn lists_have_no_tails_and_their_mixtures_add_up() {
    let list = |members: &[i64], parts: u64, never_ends: u64| {
        let listed = Distribution::new([(members.to_vec(), weight(parts))], weight(4));
        Rc::new(Law::else_unresolved(listed, weight(never_ends)))
    };
    let (a, b) = (list(&[1, 2], 3, 0), list(&[1, 2], 2, 1));
    assert!(list(&[3], 4, 0).complete().is_some());
    assert_eq!((a.unresolved(), b.unresolved()), (weight(1), weight(1)));
    with_budget(|budget| {
        let remainder = Remainder {
            masses: vec![Mass::at_or_above(5.into(), weight(1))],
            never_ends: weight(1),
            ..Remainder::nothing(weight(4))
        };
        let mixed = Law::mixture(&[(weight(1), a), (weight(1), b)], remainder, budget)?;
        assert_adds_up(&mixed);
        // 1/4·(3/4 + 2/4), then 1/4·(1/4 + 1/4) + 1/4, and 1/4·1/4 + 1/4, over 16.
        assert_eq!(mixed.listed.weight_of(&vec![1, 2]), weight(5));
        assert_eq!(
            (mixed.unresolved(), mixed.never_ends()),
            (weight(6), weight(5))
        );
        assert_eq!(mixed.total(), &weight(16));
        let never = Law::<Distribution<Vec<i64>>>::certain_to_never_end(budget)?;
        assert_eq!(never.never_ends(), *never.total());
        Ok(())
    });
}
