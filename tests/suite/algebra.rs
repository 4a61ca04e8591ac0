//! Laws of the algebra, and its fast paths against enumeration of all rolls.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dicedist::algebra::{
    Chain, EndId, Joint, Numbers, Pool, StateId, Stop, Target, Weight, Weights, binomial,
    fewer_hits,
};
use dicedist::limits::{Budget, LimitReached, Limits, Unobserved};
use dicedist::number::{Fraction, Integer};
use num_bigint::BigInt;
use proptest::prelude::*;

fn with_budget<T>(run: impl FnOnce(&Budget<'_>) -> Result<T, Stop>) -> T {
    let limits = Limits::default().with_time(None);
    run(&Budget::start(&limits, &Unobserved)).expect("within the default limits")
}

/// Faces with weights, as a test writes them.
type Faces = Vec<(i64, u128)>;

fn numbers(faces: &Faces) -> Numbers {
    let total = faces.iter().map(|&(_, weight)| Weight::from(weight)).sum();
    Numbers::new(
        faces
            .iter()
            .map(|&(face, weight)| (face.into(), weight.into())),
        total,
    )
}

/// All rolls of some dice with their weights, one after the other.
fn rolls(dice: &[Faces]) -> Vec<(Vec<i64>, Weight)> {
    let mut all = vec![(Vec::new(), Weight::from(1_u32))];
    for die in dice {
        all = all
            .iter()
            .flat_map(|(roll, weight)| {
                die.iter().map(move |(face, factor)| {
                    let mut roll = roll.clone();
                    roll.push(*face);
                    (roll, weight * *factor)
                })
            })
            .collect();
    }
    all
}

/// The distribution of a function of all dice, by enumeration of all rolls.
fn brute_force(dice: &[Faces], value: impl Fn(&[i64]) -> i64) -> Numbers {
    let mut sums: BTreeMap<i64, Weight> = BTreeMap::new();
    let mut total = Weight::ZERO;
    for (roll, weight) in rolls(dice) {
        total += &weight;
        *sums.entry(value(&roll)).or_default() += weight;
    }
    Numbers::new(
        sums.into_iter().map(|(sum, weight)| (sum.into(), weight)),
        total,
    )
}

fn sorted(roll: &[i64]) -> Vec<i64> {
    let mut roll = roll.to_vec();
    roll.sort_unstable();
    roll
}

#[track_caller]
fn assert_same(found: &Numbers, expected: &Numbers) {
    let show = |numbers: &Numbers| {
        numbers
            .iter()
            .map(|(outcome, weight)| format!("{outcome}: {weight}/{}", numbers.total()))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert!(
        found == expected,
        "found    {}\nexpected {}",
        show(found),
        show(expected)
    );
}

/// Weights of one limb or two, at both ends of their ranges.
fn weight_of_any_length() -> impl Strategy<Value = u128> {
    let limb = u128::from(u64::MAX);
    prop_oneof![1..=5_u128, limb - 9..=limb + 9, u128::MAX - 9..=u128::MAX]
}

fn small_die() -> impl Strategy<Value = Faces> {
    prop_oneof![
        (1_i64..=5, -3_i64..=3)
            .prop_map(|(sides, from)| (from..from + sides).map(|face| (face, 1)).collect()),
        prop::collection::btree_map(-4_i64..=9, 1_u128..=5, 1..=4)
            .prop_map(|faces| faces.into_iter().collect()),
        prop::collection::btree_map(-4_i64..=9, weight_of_any_length(), 2..=3)
            .prop_map(|faces| faces.into_iter().collect()),
        prop::collection::btree_map(
            prop_oneof![-3_i64..=3, 100_000_i64..100_004],
            1_u128..=3,
            1..=3
        )
        .prop_map(|faces| faces.into_iter().collect()),
    ]
}

fn lattice_die() -> impl Strategy<Value = Faces> {
    prop_oneof![
        (1_i64..=5, -3_i64..=3)
            .prop_map(|(sides, from)| (from..from + sides).map(|face| (face, 1)).collect()),
        prop::collection::btree_map(-4_i64..=9, 1_u128..=5, 1..=4)
            .prop_map(|faces| faces.into_iter().collect()),
        prop::collection::btree_map(-4_i64..=9, weight_of_any_length(), 2..=3)
            .prop_map(|faces| faces.into_iter().collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_of_independents_agree_with_enumeration(a in small_die(), b in small_die()) {
        let (x, y) = (numbers(&a), numbers(&b));
        let sum = with_budget(|budget| x.add(&y, budget));
        assert_same(&sum, &brute_force(&[a.clone(), b.clone()], |roll| roll[0] + roll[1]));
        assert_same(&with_budget(|budget| y.add(&x, budget)), &sum);
        let difference = with_budget(|budget| x.subtract(&y, budget));
        assert_same(&difference, &brute_force(&[a, b], |roll| roll[0] - roll[1]));
    }

    #[test]
    fn sums_are_associative(a in small_die(), b in small_die(), c in small_die()) {
        let (x, y, z) = (numbers(&a), numbers(&b), numbers(&c));
        with_budget(|budget| {
            let left = x.add(&y, budget)?.add(&z, budget)?;
            let right = x.add(&y.add(&z, budget)?, budget)?;
            assert_same(&left, &right);
            assert_same(&Numbers::sum([&x, &y, &z], budget)?, &left);
            Ok(())
        });
    }

    #[test]
    fn a_function_of_two_values_agrees_with_enumeration(a in small_die(), b in small_die()) {
        let (x, y) = (numbers(&a), numbers(&b));
        with_budget(|budget| {
            let dice = [a.clone(), b.clone()];
            let product = x.combined(&y, |a, b| Ok(Some(a.mul(b)?)), budget)?;
            assert_same(&product, &brute_force(&dice, |roll| roll[0] * roll[1]));
            Ok(())
        });
    }

    #[test]
    fn powers_are_repeated_sums(die in small_die(), n in 0_u64..9) {
        let x = numbers(&die);
        with_budget(|budget| {
            let mut sum = Numbers::certain(Integer::ZERO);
            for _ in 0..n {
                sum = sum.combined(&x, |a, b| Ok(Some(a.add(b)?)), budget)?;
            }
            assert_same(&x.power(n, budget)?, &sum);
            let mut product = Numbers::certain(Integer::ONE);
            for _ in 0..n {
                product = product.combined(&x, |a, b| Ok(Some(a.mul(b)?)), budget)?;
            }
            assert_same(&x.product_power(n, budget)?, &product);
            Ok(())
        });
    }

    #[test]
    fn ranks_of_equal_dice_agree_with_enumeration(
        die in lattice_die(), n in 1_usize..6, a in 0_usize..6, b in 0_usize..7,
    ) {
        let ranks = a.min(b)..a.max(b);
        let pool = Pool::new([(numbers(&die), n as u64)]);
        let found = with_budget(|budget| pool.sum_of_ranks(ranks.start as u64..ranks.end as u64, budget));
        let dice = vec![die; n];
        let end = ranks.end.min(n);
        let expected = brute_force(&dice, |roll| sorted(roll)[ranks.start.min(end)..end].iter().sum());
        assert_same(&found, &expected);
    }

    #[test]
    fn functions_of_ranks_agree_with_enumeration(
        die in lattice_die(), n in 1_usize..6, a in 0_usize..6, b in 0_usize..7, modulus in 2_i64..5,
    ) {
        let ranks = a.min(b).min(n)..a.max(b).min(n);
        let pool = Pool::new([(numbers(&die), n as u64)]);
        let value = |face: i64| face.rem_euclid(modulus) * 3 - face % 2;
        let found = with_budget(|budget| pool.sum_of_ranks_by(
            ranks.start as u64..ranks.end as u64,
            |face| Ok(value(face.to_i64().expect("small")).into()),
            budget,
        ));
        let expected = brute_force(&vec![die; n], |roll| {
            sorted(roll)[ranks.clone()].iter().map(|&face| value(face)).sum()
        });
        assert_same(&found, &expected);
    }

    #[test]
    fn ranks_of_unequal_dice_agree_with_enumeration(
        dice in prop::collection::vec((lattice_die(), 1_usize..3), 1..4), a in 0_usize..6, b in 0_usize..7,
    ) {
        let n: usize = dice.iter().map(|(_, count)| count).sum();
        let ranks = a.min(b).min(n)..a.max(b).min(n);
        let pool = Pool::new(dice.iter().map(|(die, count)| (numbers(die), *count as u64)));
        let found = with_budget(|budget| pool.sum_of_ranks(ranks.start as u64..ranks.end as u64, budget));
        let all: Vec<Faces> = dice
            .iter()
            .flat_map(|(die, count)| vec![die.clone(); *count])
            .collect();
        assert_same(&found, &brute_force(&all, |roll| sorted(roll)[ranks.clone()].iter().sum()));
    }

    /// As d4, d6 and d8: below a face, dice that are left are alike.
    #[test]
    fn ranks_of_dice_that_are_alike_below_a_face_agree_with_enumeration(
        faces in prop::collection::btree_map(-3_i64..9, 1_u128..4, 5..6),
        dice in prop::collection::vec((1_usize..6, 1_usize..3), 1..4), own in small_die(), a in 0_usize..6, b in 0_usize..7,
    ) {
        let below: Vec<_> = faces.into_iter().collect();
        let mut all: Vec<Faces> = dice
            .iter()
            .flat_map(|&(faces, count)| vec![below[..faces].to_vec(); count])
            .collect();
        all.push(own);
        let n = all.len();
        let ranks = a.min(b).min(n)..a.max(b).min(n);
        let pool = Pool::new(all.iter().map(|die| (numbers(die), 1)));
        let found = with_budget(|budget| pool.sum_of_ranks(ranks.start as u64..ranks.end as u64, budget));
        assert_same(&found, &brute_force(&all, |roll| sorted(roll)[ranks.clone()].iter().sum()));
    }

    #[test]
    fn mixtures_are_linear(a in small_die(), b in small_die(), p in 1_u64..9, q in 1_u64..9) {
        let (x, y) = (numbers(&a), numbers(&b));
        let total = Weight::from(p + q + 1);
        let mixed = with_budget(|budget| Numbers::mixture(&[(p.into(), &x), (q.into(), &y)], &total, budget));
        for outcome in x.outcomes().chain(y.outcomes()) {
            // Cross-multiplied: w/(t·l) = p/t·wx/tx + q/t·wy/ty.
            let left = mixed.weight_of(&outcome) * &total * x.total() * y.total();
            let right = (x.weight_of(&outcome) * p * y.total() + y.weight_of(&outcome) * q * x.total())
                * mixed.total();
            assert_eq!(left, right);
        }
        assert_eq!(mixed.mass() * &total, mixed.total() * (p + q));
    }

    #[test]
    fn joint_powers_agree_with_enumeration(
        faces in prop::collection::btree_map((-2_i64..=2, 0_i64..=3), 1_u64..=4, 1..=5), n in 0_usize..5,
    ) {
        let total: u64 = faces.values().sum();
        let vectors: Vec<((i64, i64), u64)> = faces.into_iter().collect();
        let joint = Joint::new(
            2,
            vectors.iter().map(|&((a, b), weight)| (vec![a, b], weight.into())),
            total.into(),
        )
        .expect("small");
        let power = with_budget(|budget| joint.power(n as u64, budget));
        let indexes: Faces = vectors.iter().zip(0..).map(|((_, weight), index)| (index, u128::from(*weight))).collect();
        let mut expected: BTreeMap<Vec<i64>, Weight> = BTreeMap::new();
        for (roll, weight) in rolls(&vec![indexes; n]) {
            let vector = roll.iter().fold(vec![0, 0], |sum, &index| {
                let (a, b) = vectors[usize::try_from(index).expect("small")].0;
                vec![sum[0] + a, sum[1] + b]
            });
            *expected.entry(vector).or_default() += weight;
        }
        let found: BTreeMap<Vec<i64>, Weight> = power.iter().collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn random_sums_agree_with_mixtures_of_powers(
        count in prop::collection::btree_map(0_i64..=6, 1_u128..=4, 1..=4), die in small_die(),
    ) {
        let count: Faces = count.into_iter().collect();
        let (n, x) = (numbers(&count), numbers(&die));
        with_budget(|budget| {
            let powers = count
                .iter()
                .map(|&(n, weight)| Ok((Weight::from(weight), x.power(n.unsigned_abs(), budget)?)))
                .collect::<Result<Vec<_>, Stop>>()?;
            let parts: Vec<(Weight, &Numbers)> = powers.iter().map(|(weight, power)| (weight.clone(), power)).collect();
            let expected = Numbers::mixture(&parts, n.total(), budget)?;
            let found = Numbers::random_sum(&n, &x, budget)?;
            let common = found.total() * expected.total();
            assert_same(&found.over(&common, budget)?, &expected.over(&common, budget)?);
            Ok(())
        });
    }

    #[test]
    fn vectors_of_all_widths_agree(
        a in prop::collection::vec(any::<u32>(), 1..9), b in prop::collection::vec(any::<u32>(), 1..9),
        scale in 1_u64..u64::from(u32::MAX),
    ) {
        let of = |numbers: &[u32], bits| {
            Weights::from_u64s(numbers.iter().map(|&number| number.into()).collect()).with_bits(bits)
        };
        let run = |bits: u64| {
            let mut sums = of(&a, bits);
            let other = of(&b, bits);
            let mut longer = Weights::zeros(a.len() + b.len(), bits.max(70));
            longer.add(&sums, 0);
            longer.add_scaled(&other, scale, a.len());
            longer.add_product(&other, &3_u32.into(), 1);
            longer.multiply(6);
            longer.divide_exactly(3);
            sums.multiply(12);
            sums.divide_exactly(4);
            sums.accumulate();
            let windows = sums.window_sums(3, bits.max(70));
            let mut turned = windows.clone();
            turned.reverse();
            (longer, sums, windows.sum(), turned, windows)
        };
        let narrow = run(64);
        for bits in [128, 192, 320] {
            assert_eq!(run(bits), narrow);
        }
        let expected: Weight = a.iter().map(|&number| Weight::from(number)).sum();
        assert_eq!(of(&a, 128).sum(), expected);
    }

    #[test]
    fn tails_of_binomials_agree_with_their_sums(n in 0_u64..12, k in 0_u64..14, hit in 0_u64..4, miss in 0_u64..4) {
        let found = with_budget(|budget| Ok(fewer_hits(k, n, &hit.into(), &miss.into(), budget)?));
        let mut expected = Weight::ZERO;
        for b in 0..k.min(n + 1) {
            let choices = with_budget(|budget| Ok(binomial(n, b, budget)?));
            expected += choices * Weight::from(hit).pow(u32::try_from(b).expect("small"))
                * Weight::from(miss).pow(u32::try_from(n - b).expect("small"));
        }
        assert_eq!(found, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn powers_multiply_by_adding_exponents(die in lattice_die(), a in 0_u64..60, b in 0_u64..60) {
        let x = numbers(&die);
        with_budget(|budget| {
            let product = x.power(a, budget)?.add(&x.power(b, budget)?, budget)?;
            assert_same(&x.power(a + b, budget)?, &product);
            Ok(())
        });
    }

    #[test]
    fn a_pool_in_one_go_is_the_sum_of_its_powers(
        a in small_die(), b in small_die(), c in small_die(), counts in prop::array::uniform3(0_u64..12),
    ) {
        let dice = [numbers(&a), numbers(&b), numbers(&c)];
        with_budget(|budget| {
            let mut sum = Numbers::certain(Integer::ZERO);
            for (die, count) in dice.iter().zip(counts) {
                sum = sum.add(&die.power(count, budget)?, budget)?;
            }
            let pool = Pool::new(dice.iter().cloned().zip(counts));
            assert_same(&pool.sum(budget)?, &sum);
            Ok(())
        });
    }

    #[test]
    fn what_is_kept_and_what_is_dropped_make_up_the_mean(die in lattice_die(), n in 1_u64..50, k in 0_u64..50) {
        let pool = Pool::new([(numbers(&die), n)]);
        with_budget(|budget| {
            let kept = mean(&pool.highest(k.min(n), budget)?);
            let dropped = mean(&pool.lowest(n - k.min(n), budget)?);
            assert_eq!(kept + dropped, mean(&numbers(&die)) * BigInt::from(n));
            Ok(())
        });
    }

    #[test]
    fn the_least_sums_of_the_highest_dice_are_as_enumerated(
        die in lattice_die(), n in 1_usize..5, k in 0_u64..6, bound in -20_i64..40,
    ) {
        let pool = Pool::new([(numbers(&die), n as u64)]);
        let least = with_budget(|budget| pool.highest_below(k, &bound.into(), budget));
        let all = brute_force(&vec![die; n], |roll| {
            sorted(roll).iter().rev().take(usize::try_from(k).unwrap()).sum()
        });
        assert_same(&least, &all.filtered(|sum| *sum < bound.into()));
    }

    /// Equal dice whose weights are partly multiplied by a factor count as two kinds, and take another code path.
    #[test]
    fn equal_dice_in_disguise_have_the_same_ranks(
        die in lattice_die(), n in 1_u64..9, m in 1_u64..9, a in 0_u64..18, b in 0_u64..18,
    ) {
        let plain = numbers(&die);
        let ranks = a.min(b).min(n + m)..a.max(b).min(n + m);
        with_budget(|budget| {
            let disguised = plain.over(&(plain.total() * 2_u32), budget)?;
            let equal = Pool::new([(plain.clone(), n + m)]).sum_of_ranks(ranks.clone(), budget)?;
            let unequal = Pool::new([(plain, n), (disguised, m)]).sum_of_ranks(ranks, budget)?;
            assert_same(&unequal, &equal.over(unequal.total(), budget)?);
            Ok(())
        });
    }

    /// A die with missing mass: sums and ranks have the mass of the rolls in which no die is missing.
    #[test]
    fn missing_mass_stays_missing(die in lattice_die(), missing in 1_u64..9, n in 1_u64..7, a in 0_u64..7, b in 0_u64..7) {
        let whole = numbers(&die);
        let total = whole.total() + missing;
        let partial = Numbers::new(whole.iter(), total.clone());
        let ranks = a.min(b).min(n)..a.max(b).min(n);
        with_budget(|budget| {
            for (found, expected) in [
                (partial.power(n, budget)?, whole.power(n, budget)?),
                (
                    Pool::new([(partial.clone(), n)]).sum_of_ranks(ranks.clone(), budget)?,
                    Pool::new([(whole.clone(), n)]).sum_of_ranks(ranks.clone(), budget)?,
                ),
            ] {
                let exponent = u32::try_from(n).expect("small");
                assert_eq!(found.total(), &total.pow(exponent));
                assert!(found.iter().eq(expected.iter()));
            }
            Ok(())
        });
    }
}

fn mean(numbers: &Numbers) -> Fraction {
    let sum: BigInt = numbers
        .iter()
        .map(|(outcome, weight)| outcome.to_big() * BigInt::from(weight))
        .sum();
    Fraction::new(sum, numbers.total().clone().into())
}

/// Out of 1296, as printed in many rule books and on <https://anydice.com> for `highest 3 of 4d6`.
#[test]
fn ability_scores_have_their_well_known_weights() {
    let scores = with_budget(|budget| Pool::new([(Numbers::die(6), 4)]).highest(3, budget));
    let expected = [
        1_u32, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21,
    ];
    let found: Vec<Weight> = scores.iter().map(|(_, weight)| weight).collect();
    assert_eq!(found, expected.map(Weight::from));
}

/// Closed forms: the highest of n, and the fewest and most of the sum of n.
#[test]
fn large_pools_agree_with_closed_forms() {
    with_budget(|budget| {
        let pool = Pool::new([(Numbers::die(20), 1000)]);
        let power = |base: u32| Weight::from(base).pow(1000);
        let highest = pool.rank(999, budget)?;
        assert_eq!(highest.weight_of(&20.into()), power(20) - power(19));
        let kept = pool.highest(400, budget)?;
        assert_eq!(kept.mass(), *kept.total());
        assert_eq!(kept.weight_of(&400.into()), Weight::from(1_u32));
        // One kept die shows 2, all others 1: exactly one of 1000 dice shows 2.
        assert_eq!(kept.weight_of(&401.into()), Weight::from(1000_u32));
        let sum = Numbers::die(6).power(1000, budget)?;
        let choose = |n: u64, k: u64| binomial(n, k, budget);
        // Inclusion and exclusion: one die above 6 is excluded once.
        let expected = choose(1011, 999)? - Weight::from(1000_u32) * choose(1005, 999)?
            + choose(1000, 2)? * choose(999, 999)?;
        assert_eq!(sum.weight_of(&1012.into()), expected);
        Ok(())
    });
}

#[test]
fn weights_too_long_for_a_recurrence_are_summed_by_powers_and_by_horner() {
    // Source: enumeration with weights without the common factor. Two of four dice with eight faces use the powers of the mass
    // above a face, four of five dice with six faces use Horner's rule.
    let factor = (Weight::from(1_u32) << 64_u32) + 13_u32;
    for (faces, n, kept) in [(8_i64, 4_u64, 2_u64), (9, 5, 4), (6, 5, 4), (7, 3, 1)] {
        let die: Faces = (0..faces)
            .map(|face| {
                (
                    face * face + face - 5,
                    u128::from(face.unsigned_abs() * 7919 % 23 + 1),
                )
            })
            .collect();
        let long = die
            .iter()
            .map(|&(face, weight)| (face.into(), &factor * weight));
        let total: u128 = die.iter().map(|&(_, weight)| weight).sum();
        let pool = Pool::new([(Numbers::new(long, &factor * total), n)]);
        let dice = usize::try_from(n).unwrap();
        let dropped = dice - usize::try_from(kept).unwrap();
        let scale = factor.pow(u32::try_from(n).unwrap());
        let highest = with_budget(|budget| pool.highest(kept, budget));
        let expected = brute_force(&vec![die.clone(); dice], |roll| {
            sorted(roll)[dropped..].iter().sum()
        });
        for (sum, weight) in expected.iter() {
            assert_eq!(
                highest.weight_of(&sum),
                weight * &scale,
                "{faces} {n} {kept}"
            );
        }
        assert_eq!(highest.mass(), *highest.total());
        let lowest = with_budget(|budget| pool.lowest(kept, budget));
        let expected = brute_force(&vec![die; dice], |roll| {
            sorted(roll)[..dice - dropped].iter().sum()
        });
        for (sum, weight) in expected.iter() {
            assert_eq!(
                lowest.weight_of(&sum),
                weight * &scale,
                "{faces} {n} {kept}"
            );
        }
    }
}

/// Faces 7 and 9 add the same number.
#[test]
fn neighbouring_faces_that_add_the_same_are_one_constant_term() {
    let die: Faces = vec![(6, 1), (7, 1), (9, 1)];
    let pool = Pool::new([(numbers(&die), 3)]);
    let found = with_budget(|budget| {
        pool.sum_of_ranks_by(
            1..3,
            |face| face.rem(&2.into()).ok_or(Stop::Overflow),
            budget,
        )
    });
    let expected = brute_force(&vec![die; 3], |roll| {
        sorted(roll)[1..].iter().map(|face| face % 2).sum()
    });
    assert_same(&found, &expected);
}

/// A random chain: for each state its missing weight, and its steps as (weight, add, target). Targets beyond the states are
/// ends.
type Steps = Vec<(u64, Vec<(u64, u64, usize)>)>;

fn random_chain() -> impl Strategy<Value = Steps> {
    (1_usize..5).prop_flat_map(|states| {
        let step = (1_u64..4, 0_u64..3, 0..states + 2);
        let state = (0_u64..2, prop::collection::vec(step, 1..4));
        prop::collection::vec(state, states)
    })
}

fn chain_of(steps: &Steps) -> (Chain, Vec<StateId>) {
    let mut chain = Chain::new();
    let states: Vec<StateId> = steps
        .iter()
        .map(|(elsewhere, steps)| {
            let total: u64 = steps.iter().map(|(weight, ..)| weight).sum();
            chain.add_state((total + elsewhere).into())
        })
        .collect();
    for (from, (_, steps)) in states.iter().zip(steps) {
        for &(weight, add, to) in steps {
            let to = match states.get(to) {
                Some(next) => Target::State(*next),
                None => Target::End(EndId(u32::try_from(to - states.len()).expect("small"))),
            };
            chain.add_step(*from, weight.into(), add, to);
        }
    }
    (chain, states)
}

/// A random chain with up to nine states that never comes back to a state that it has left.
fn chain_without_return() -> impl Strategy<Value = Steps> {
    (1_usize..10).prop_flat_map(|states| {
        let step = (1_u64..7, 0_u64..3, 0..states + 2);
        let state = (0_u64..2, prop::collection::vec(step, 1..5));
        prop::collection::vec(state, states).prop_map(|mut steps| {
            for (from, (_, steps)) in steps.iter_mut().enumerate() {
                for (_, _, to) in steps {
                    *to = from.max(*to);
                }
            }
            steps
        })
    })
}

fn fraction(weight: &Weight, total: &Weight) -> Fraction {
    Fraction::new(weight.clone().into(), total.clone().into())
}

/// Simulates a chain step by step: the probability of each end and sum, the missing mass, and the mass that has not ended.
fn unrolled(
    steps: &Steps,
    rounds: usize,
) -> (BTreeMap<(usize, u64), Fraction>, Fraction, Fraction) {
    let zero = || Fraction::from(BigInt::from(0));
    let mut ended: BTreeMap<(usize, u64), Fraction> = BTreeMap::new();
    let mut elsewhere = zero();
    let mut going = BTreeMap::from([((0_usize, 0_u64), Fraction::from(BigInt::from(1)))]);
    for _ in 0..rounds {
        let mut next: BTreeMap<(usize, u64), Fraction> = BTreeMap::new();
        for ((state, sum), mass) in going {
            let (missing, steps_here) = &steps[state];
            let total = missing + steps_here.iter().map(|(weight, ..)| weight).sum::<u64>();
            let share = |weight: u64| &mass * Fraction::new(weight.into(), total.into());
            elsewhere += share(*missing);
            for &(weight, add, to) in steps_here {
                let (map, key) = if to < steps.len() {
                    (&mut next, (to, sum + add))
                } else {
                    (&mut ended, (to - steps.len(), sum + add))
                };
                *map.entry(key).or_insert_with(zero) += share(weight);
            }
        }
        going = next;
    }
    let rest = going.into_values().fold(zero(), |sum, mass| sum + mass);
    (ended, elsewhere, rest)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chains_end_as_their_unrolling_does_within_its_bound(steps in random_chain()) {
        let (chain, states) = chain_of(&steps);
        let (ended, elsewhere, rest) = unrolled(&steps, 12);
        let ends = with_budget(|budget| chain.ends(states[0], budget));
        let mut all = ends.never.clone();
        for end in 0..2_u32 {
            let found = ends.weights.iter().find(|(id, _)| *id == EndId(end));
            let weight = found.map_or(Weight::ZERO, |(_, weight)| weight.clone());
            let low: Fraction = ended
                .iter()
                .filter(|((id, _), _)| *id == end as usize)
                .fold(Fraction::from(BigInt::from(0)), |sum, (_, mass)| sum + mass);
            let share = fraction(&weight, &ends.total);
            prop_assert!(low <= share && share <= &low + &rest, "{low} {share} {rest}");
            all += weight;
        }
        // The rest of the mass, which neither ends nor goes on for ever, is missing.
        let missing = Fraction::from(BigInt::from(1)) - fraction(&all, &ends.total);
        prop_assert!(elsewhere <= missing && missing <= &elsewhere + &rest);
        prop_assert!(fraction(&ends.never, &ends.total) <= rest);
    }

    /// First-step analysis, from the last state to the first: a state that is left with weight d leads to an end with
    /// probability Σ weight · (that of the next state) / d.
    #[test]
    fn chains_without_return_end_as_first_step_analysis_says(steps in chain_without_return()) {
        let (chain, states) = chain_of(&steps);
        let zero = || Fraction::from(BigInt::from(0));
        let mut expected = vec![[zero(), zero()]; states.len()];
        for (from, (missing, steps)) in steps.iter().enumerate().rev() {
            let away = steps.iter().filter(|(_, _, to)| *to != from);
            let leaves: u64 = missing + away.clone().map(|(weight, ..)| weight).sum::<u64>();
            for (weight, _, to) in away {
                let share = Fraction::new((*weight).into(), leaves.into());
                for end in 0..2 {
                    let then = match expected.get(*to) {
                        Some(next) => next[end].clone(),
                        None if to - states.len() == end => Fraction::from(BigInt::from(1)),
                        None => zero(),
                    };
                    expected[from][end] += &share * then;
                }
            }
        }
        for (state, expected) in states.iter().zip(expected) {
            let ends = with_budget(|budget| chain.ends(*state, budget));
            let mut found = [zero(), zero()];
            for (EndId(end), weight) in &ends.weights {
                found[*end as usize] = fraction(weight, &ends.total);
            }
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn sums_of_chains_are_those_of_their_unrolling(steps in random_chain()) {
        let (chain, states) = chain_of(&steps);
        let (ended, _, rest) = unrolled(&steps, 12);
        with_budget(|budget| {
            let none = Fraction::from(BigInt::from(0));
            let sums = chain.sums(states[0], &none, 8, budget)?;
            let ends = chain.ends(states[0], budget)?;
            let mut listed = Weight::ZERO;
            for (end, numbers) in &sums.listed {
                assert_eq!(numbers.total(), &sums.total);
                assert!(numbers.max() < Some(Integer::from_big(sums.tail_from.into())?));
                listed += numbers.mass();
                for value in 0..sums.tail_from {
                    let value_as = Integer::from_big(value.into())?;
                    let share = fraction(&numbers.weight_of(&value_as), &sums.total);
                    let low = ended.get(&(end.0 as usize, value)).cloned().unwrap_or(none.clone());
                    assert!(low <= share && share <= &low + &rest, "{value}: {low} {share} {rest}");
                }
            }
            // The listed part and the tail are all mass that ends.
            let ending: Weight = ends.weights.iter().map(|(_, weight)| weight).sum();
            assert_eq!(fraction(&(listed + &sums.tail), &sums.total), fraction(&ending, &ends.total));
            assert_eq!(fraction(&sums.never, &sums.total), fraction(&ends.never, &ends.total));
            let moments = chain.moments(states[0], 0, budget)?;
            assert_eq!(moments[0], fraction(&ending, &ends.total));
            Ok(())
        });
    }

    /// First-step analysis: each moment of a state is the mean, over its steps, of the moment of `add` plus the next state's sum.
    #[test]
    fn moments_of_chains_satisfy_their_equations(steps in prop_oneof![random_chain(), chain_without_return()]) {
        let (chain, states) = chain_of(&steps);
        with_budget(|budget| {
            let moments = states
                .iter()
                .map(|state| chain.moments(*state, 3, budget))
                .collect::<Result<Vec<_>, _>>()?;
            for ((missing, steps_here), found) in steps.iter().zip(&moments) {
                let total = missing + steps_here.iter().map(|(weight, ..)| weight).sum::<u64>();
                for (order, found) in found.iter().enumerate() {
                    let mut expected = Fraction::from(BigInt::from(0));
                    for &(weight, add, to) in steps_here {
                        let probability = Fraction::new(weight.into(), total.into());
                        let power = |exponent: usize| {
                            BigInt::from(add).pow(u32::try_from(exponent).expect("small"))
                        };
                        // E (add + X)^order by the binomial theorem; X = 0 at an end.
                        for lower in 0..=order {
                            let moment = match moments.get(to) {
                                Some(next) => next[lower].clone(),
                                None => Fraction::from(BigInt::from(u8::from(lower == 0))),
                            };
                            let choose = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 2, 1, 0], [1, 3, 3, 1]][order][lower];
                            expected += &probability * moment * power(order - lower) * BigInt::from(choose);
                        }
                    }
                    assert_eq!(*found, expected);
                }
            }
            Ok(())
        });
    }
}

/// With p the probability of a point, craps is won with probability 2/9 + Σ p²/(p + 1/6) = 244/495, after
/// 1 + Σ p/(p + 1/6) = 557/165 rolls in the mean.
#[test]
fn craps_is_won_as_often_as_its_closed_form_says() {
    let ways = |sum: u64| if sum < 8 { sum - 1 } else { 13 - sum };
    let mut chain = Chain::new();
    let first = chain.add_state(36_u32.into());
    let (won, lost) = (Target::End(EndId(1)), Target::End(EndId(0)));
    for sum in 2..=12 {
        let to = match sum {
            7 | 11 => won,
            2 | 3 | 12 => lost,
            point => {
                let state = chain.add_state(36_u32.into());
                chain.add_step(state, ways(point).into(), 1, won);
                chain.add_step(state, 6_u32.into(), 1, lost);
                chain.add_step(state, (30 - ways(point)).into(), 1, Target::State(state));
                Target::State(state)
            }
        };
        chain.add_step(first, ways(sum).into(), 1, to);
    }
    with_budget(|budget| {
        let ends = chain.ends(first, budget)?;
        let won = ends
            .weights
            .iter()
            .find(|(end, _)| *end == EndId(1))
            .expect("can be won");
        assert_eq!(
            fraction(&won.1, &ends.total),
            Fraction::new(244.into(), 495.into())
        );
        assert_eq!(
            chain.moments(first, 1, budget)?[1],
            Fraction::new(557.into(), 165.into())
        );
        Ok(())
    });
}

/// Each of these would take seconds to hours.
#[test]
fn long_operations_stop_when_the_time_is_over() {
    type Long = (&'static str, fn(&Budget<'_>) -> Result<Numbers, Stop>);
    let long: [Long; 8] = [
        ("a power by recurrence", |budget| {
            Numbers::die(6).power(30_000, budget)
        }),
        ("the highest of many", |budget| {
            Pool::new([(Numbers::die(20), 4_000)]).highest(2_000, budget)
        }),
        ("ranks in the middle", |budget| {
            Pool::new([(Numbers::die(20), 2_000)]).sum_of_ranks(500..1_500, budget)
        }),
        ("the highest of unequal dice", |budget| {
            Pool::new([20, 30].map(|sides| (Numbers::die(sides), 500))).highest(500, budget)
        }),
        ("ranks of unequal dice", |budget| {
            Pool::new([20, 30, 40].map(|sides| (Numbers::die(sides), 50)))
                .sum_of_ranks(9..99, budget)
        }),
        ("one rank of very many", |budget| {
            Pool::new([(Numbers::die(20), 3_000_001)]).rank(1_500_000, budget)
        }),
        ("products of many", |budget| {
            Numbers::die(20).product_power(40, budget)
        }),
        ("a power of a long number", |budget| {
            Numbers::from_weights(0, Weights::from_u64s(vec![7]), 10_u32.into())
                .power(300_000_000, budget)
        }),
    ];
    for (name, run) in long {
        let time = Duration::from_millis(50);
        let limits = Limits::default()
            .with_time(Some(time))
            .with_memory(16 << 30);
        let begin = Instant::now();
        let result = run(&Budget::start(&limits, &Unobserved));
        let spent = begin.elapsed();
        assert_eq!(
            result.err(),
            Some(Stop::Limit(LimitReached::Time(time))),
            "{name}"
        );
        assert!(spent < Duration::from_secs(2), "{name} took {spent:?}");
        println!("{name}: {spent:?}");
    }
}

/// The memory that an operation took is given back when the operation ends, with any result.
#[test]
fn memory_is_given_back() {
    let limits = Limits::default().with_memory(1 << 20);
    let budget = Budget::start(&limits, &Unobserved);
    for _ in 0..100 {
        let sum = Numbers::die(6).power(300, &budget);
        assert!(sum.is_ok_and(|sum| sum.bytes() > 1 << 16));
        let kept = Pool::new([(Numbers::die(10), 100)]).highest(30, &budget);
        assert!(kept.is_ok_and(|kept| kept.bytes() > 1 << 12));
        let long = Numbers::die(6).power(3_000, &budget);
        assert_eq!(long.err(), Some(Stop::Limit(LimitReached::Memory(1 << 20))));
    }
}

/// Of n dice with two faces, H ~ B(n, q) show the higher one. The middle ranks then have the higher face
/// `min(max(H - above, 0), kept)` times. The weights of few dice and of many are near all lengths in words.
#[test]
fn middle_ranks_of_dice_with_two_faces_follow_a_binomial_distribution() {
    for (weights, n) in [[1, 1], [3, 1], [1, 7]]
        .into_iter()
        .flat_map(|weights| (2..140_u64).map(move |n| (weights, n)))
    {
        let [low, high] = weights;
        let die = numbers(&vec![(0, low), (1, high)]);
        for (below, above) in [(1, 1), (4, 4), (n / 3, n / 4)] {
            let Some(kept) = n.checked_sub(below + above).filter(|&kept| kept > 0) else {
                continue;
            };
            let pool = Pool::new([(die.clone(), n)]);
            let sum = with_budget(|budget| pool.sum_of_ranks(below..n - above, budget));
            let mut expected = vec![Weight::ZERO; usize::try_from(kept).unwrap() + 1];
            for hits in 0..=n {
                let place = hits.saturating_sub(above).min(kept);
                let ways = with_budget(|budget| Ok(binomial(n, hits, budget)?));
                let powers = [(low, n - hits), (high, hits)];
                let powers = powers.map(|(base, exponent)| {
                    Weight::from(base).pow(u32::try_from(exponent).unwrap())
                });
                expected[usize::try_from(place).unwrap()] += ways * &powers[0] * &powers[1];
            }
            for (place, expected) in expected.iter().enumerate() {
                let found = sum.weight_of(&i64::try_from(place).unwrap().into());
                assert_eq!(
                    found, *expected,
                    "{n} of {weights:?}, {below} and {above}: {place}"
                );
            }
        }
    }
}
