//! Mean and variance of one rank of independent dice. Dice may explode, and may all be different.
//!
//! Let a die be rolled again with probability p, which adds m. Its survival function is
//! `G(t) = P(X ≥ t) = P(the first roll ends the die, at t or above) + p·G(t-m)`. Beyond the highest face that ends the
//! die, `G(t+m) = p·G(t)`. The survival function of the k-th highest of several dice is a polynomial in those of the
//! dice,
//!
//! ```text
//! P(at least k dice ≥ t) = Σ_a c_a·Π_i G_i(t)^aᵢ,   c_a = Σ_{j ≤ a, Σj ≥ k} Π_i C(nᵢ,aᵢ)·C(aᵢ,jᵢ)·(-1)^(aᵢ-jᵢ)
//! ```
//!
//! for nᵢ dice of each kind. Let L be the least common multiple of all m. Beyond the highest faces, L steps multiply
//! each term by `ρ = Π p_i^(aᵢ·L/mᵢ)`. So `E[X] = Σ_{t≥1} G(t)` and `E[X²] = Σ_{t≥1} (2t-1)·G(t)` consist of finite
//! sums and geometric series.

use std::ops::Range;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

use super::quotient::OnlyStep;
use super::weight::{common_divisor, ratio};
use super::{Numbers, Quotient, Weight};
use crate::limits::{Budget, LimitReached};
use crate::number::{Fraction, Integer};

/// The most terms that are summed, each of which is a product of powers.
const MOST_TERMS: u64 = 20_000;

/// A die whose survival function is known.
#[derive(Clone, Debug)]
pub struct Survival {
    /// The faces that end the die, ascending, with their weights.
    ends: Vec<(u64, Weight)>,
    /// The number that is added when the die is rolled again.
    step: u64,
    /// The weight of rolling again.
    goes_on: Weight,
    /// The sum of all weights.
    total: Weight,
}

impl Survival {
    /// The survival function of a die that adds one and the same number whenever it goes on; `None` for other dice.
    #[must_use]
    pub fn of_exploding(die: &Quotient) -> Option<Self> {
        let OnlyStep {
            step,
            goes_on,
            ends,
        } = die.only_step()?;
        let ending: Weight = ends.iter().map(|(_, weight)| weight).sum();
        Some(Self {
            total: ending + &goes_on,
            ends,
            step,
            goes_on,
        })
    }

    /// The survival function of a die whose outcomes are all listed and not negative; `None` for other dice.
    #[must_use]
    pub fn of_listed(die: &Numbers) -> Option<Self> {
        let end = |outcome: &Integer| u64::try_from(outcome.to_i64()?).ok();
        let ends = die
            .iter()
            .map(|(outcome, weight)| Some((end(&outcome)?, weight)));
        (die.mass() == *die.total()).then_some(Self {
            ends: ends.collect::<Option<_>>()?,
            step: 1,
            goes_on: Weight::ZERO,
            total: die.total().clone(),
        })
    }

    /// The total, and over it `G(0)`, `G(1)` and so on, `length` values.
    fn function(&self, length: usize) -> (Weight, Vec<Weight>) {
        // The total has one factor for the first roll, and one for each time that the die goes on.
        let rounds = if self.goes_on.is_zero() {
            1
        } else {
            length / to_usize(self.step) + 1
        };
        let whole = num_traits::pow(self.total.clone(), rounds);
        let part = &whole / &self.total;
        let mut function: Vec<Weight> = Vec::with_capacity(length);
        let mut at_once: Weight = self.ends.iter().map(|(_, weight)| weight).sum();
        let mut ends = self.ends.iter().peekable();
        for t in 0..length {
            while let Some((_, weight)) = ends.next_if(|(end, _)| *end < t as u64) {
                at_once -= weight;
            }
            let before = t.checked_sub(to_usize(self.step));
            let before = before.map_or(&whole, |before| &function[before]);
            function.push(&at_once * &part + &self.goes_on * before / &self.total);
        }
        (whole, function)
    }
}

/// The means of X and of X², where X is the `k`-th highest of all dice. Each kind of dice comes with its number. `None`
/// if there are too many terms or fewer than `k` dice, or `k` is 0.
///
/// # Errors
///
/// [`LimitReached`] where that takes too long.
///
/// # Examples
///
/// Two coins are tossed until they show tails, and the heads of one count double. The mean of the higher is that of 2·X
/// plus that of Y, less that of the lower, `Σ_{t≥1} P(2X ≥ t)·P(Y ≥ t) = Σ_{s≥1} 2⁻ˢ·(2¹⁻²ˢ + 2⁻²ˢ) = 3/7`.
///
/// ```
/// use dicedist::algebra::{Quotient, Survival, moments_of_rank};
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let heads = |each| {
///     let coin = Quotient::renewal([(0, 1_u32.into())], [(each, 1_u32.into())], &2_u32.into());
///     Survival::of_exploding(&coin.unwrap()).unwrap()
/// };
/// let dice = [(heads(2), 1), (heads(1), 1)];
/// let [mean, _] = moments_of_rank(&dice, 1, &budget)?.unwrap();
/// assert_eq!(mean.to_string(), "18/7"); // 2 + 1 - 3/7
/// # Ok::<(), dicedist::limits::LimitReached>(())
/// ```
pub fn moments_of_rank(
    dice: &[(Survival, u64)],
    k: u64,
    budget: &Budget<'_>,
) -> Result<Option<[Fraction; 2]>, LimitReached> {
    let all = dice.iter().map(|(_, count)| count);
    let all = all.fold(0_u64, |sum, count| sum.saturating_add(*count));
    let Some(length) = Length::of(dice).filter(|_| (1..=all).contains(&k)) else {
        return Ok(None);
    };
    let functions: Vec<(Weight, Vec<Weight>)> = dice
        .iter()
        .map(|(die, _)| die.function(length.aperiodic + length.period))
        .collect();
    // For each term, its part of both means. These fractions are not reduced, only their sums are.
    let mut parts: [Vec<UnreducedFraction>; 2] = Default::default();
    for exponents in vectors_below(dice.iter().map(|(_, count)| count + 1)) {
        let coefficient = coefficient(dice, &exponents, k);
        if coefficient.is_zero() {
            continue;
        }
        let power = |base: &Weight, exponent: usize| num_traits::pow(base.clone(), exponent);
        let factors = || dice.iter().zip(&functions).zip(&exponents);
        // The factor ρ by which this term changes in a period, as a numerator and a denominator.
        let change = |weight: fn(&Survival) -> &Weight| -> Weight {
            let powers = factors().map(|(((die, _), _), &exponent)| {
                let steps = length.period / to_usize(die.step);
                power(weight(die), steps * to_usize(exponent))
            });
            powers.product()
        };
        let (goes_on, of) = (change(|die| &die.goes_on), change(|die| &die.total));
        let whole: Weight = factors()
            .map(|((_, (whole, _)), &exponent)| power(whole, to_usize(exponent)))
            .product();
        // Σ G(t) and Σ (2t-1)·G(t) of this term.
        let sums_over = |range: Range<usize>| -> Result<[Weight; 2], LimitReached> {
            let mut sums = [Weight::ZERO, Weight::ZERO];
            for t in range {
                budget.check()?;
                let powers = factors()
                    .map(|((_, (_, function)), &exponent)| power(&function[t], to_usize(exponent)));
                let term: Weight = powers.product();
                sums[1] += &term * (2 * t - 1);
                sums[0] += term;
            }
            Ok(sums)
        };
        let [first, second] = sums_over(1..length.aperiodic)?;
        let [once, twice] = sums_over(length.aperiodic..length.aperiodic + length.period)?;
        // Σ_i ρⁱ·(2t-1 + 2iL) = ((2t-1) + 2Lρ/(1-ρ))/(1-ρ), with 1/(1-ρ) = of/rest.
        let rest = &of - &goes_on;
        let later = twice * &rest + &once * (2 * length.period) * goes_on;
        let numerators = [
            first * &rest + once * &of,
            second * &rest * &rest + later * of,
        ];
        let denominators = [&whole * &rest, whole * &rest * rest];
        let own = numerators.into_iter().zip(denominators);
        for (parts, (numerator, denominator)) in parts.iter_mut().zip(own) {
            parts.push((BigInt::from(numerator) * &coefficient, denominator));
        }
    }
    Ok(Some(parts.map(|parts| {
        let (sum, total) = sum_of(&parts);
        ratio(&sum, &total)
    })))
}

/// A numerator and a denominator.
type UnreducedFraction = (BigInt, Weight);

/// The sum of fractions, by halves. With long denominators, this is far quicker than one after the other.
fn sum_of(parts: &[UnreducedFraction]) -> UnreducedFraction {
    match parts {
        [] => (BigInt::ZERO, Weight::from(1_u32)),
        [only] => only.clone(),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let ((a, b), (c, d)) = (sum_of(left), sum_of(right));
            let common = common_divisor(&b, &d);
            let (b, rest) = (b / &common, &d / common);
            let sum = a * BigInt::from(rest.clone()) + c * BigInt::from(b.clone());
            (sum, b * d)
        }
    }
}

/// The number of values of the survival functions that are needed.
struct Length {
    /// The values up to the highest face that ends a die.
    aperiodic: usize,
    /// The values of one period: the least common multiple of all numbers that are added.
    period: usize,
}

impl Length {
    /// `None` if there are too many terms.
    fn of(dice: &[(Survival, u64)]) -> Option<Self> {
        let (mut last, mut period, mut terms) = (0, 1_u64, 1_u64);
        for (die, count) in dice {
            last = last.max(die.ends.last()?.0);
            // A step is checked before it is multiplied, since it may be any number.
            if die.step > MOST_TERMS {
                return None;
            }
            period = period.lcm(&die.step);
            terms = terms.checked_mul(count.checked_add(1)?)?;
            if terms.checked_mul(period.checked_add(last)?)? > MOST_TERMS {
                return None;
            }
        }
        Some(Self {
            aperiodic: to_usize(last) + 1,
            period: to_usize(period),
        })
    }
}

/// Converts a number of at most [`MOST_TERMS`].
fn to_usize(number: u64) -> usize {
    usize::try_from(number).expect("a few thousands")
}

/// All vectors with each member below its end.
fn vectors_below(ends: impl Iterator<Item = u64>) -> Vec<Vec<u64>> {
    ends.fold(vec![Vec::new()], |vectors, end| {
        let longer = vectors.iter().flat_map(|vector| {
            (0..end).map(move |last| {
                let mut vector = vector.clone();
                vector.push(last);
                vector
            })
        });
        longer.collect()
    })
}

/// `c_a` of the module head.
fn coefficient(dice: &[(Survival, u64)], exponents: &[u64], k: u64) -> BigInt {
    let choose = |n: u64, k: u64| num_integer::binomial(BigInt::from(n), BigInt::from(k));
    let outer: BigInt = dice
        .iter()
        .zip(exponents)
        .map(|((_, count), &exponent)| choose(*count, exponent))
        .product();
    let inner: BigInt = vectors_below(exponents.iter().map(|exponent| exponent + 1))
        .into_iter()
        .filter(|chosen| chosen.iter().sum::<u64>() >= k)
        .map(|chosen| -> BigInt {
            let factors = exponents.iter().zip(chosen).map(|(&exponent, chosen)| {
                let ways = choose(exponent, chosen);
                if (exponent - chosen).is_odd() {
                    -ways
                } else {
                    ways
                }
            });
            factors.product()
        })
        .sum();
    outer * inner
}

#[cfg(test)]
mod tests {
    use num_traits::One as _;

    use super::*;
    use crate::algebra::Pool;
    use crate::algebra::weight::probability;
    use crate::limits::{Limits, Unobserved};

    /// A die that ends on the faces `ends`. On its other sides it adds `step` and is rolled again.
    fn die(sides: u64, ends: &[u64], step: u64) -> Survival {
        let one = || Weight::from(1_u32);
        let ends: Vec<_> = ends.iter().map(|end| (*end, one())).collect();
        let again = Weight::from(sides - ends.len() as u64);
        if again == Weight::ZERO {
            let faces = ends
                .into_iter()
                .map(|(face, weight)| (Integer::from(face.cast_signed()), weight));
            return Survival::of_listed(&Numbers::new(faces, sides.into())).unwrap();
        }
        let exploding = Quotient::renewal(ends, [(step, again)], &sides.into()).unwrap();
        Survival::of_exploding(&exploding).unwrap()
    }

    /// The same die, cut off after this many rounds. More rounds change its moments by less than the test can see.
    fn cut(die: &Survival, rounds: u64) -> Numbers {
        let whole = Weight::from(10_u32).pow(40);
        let mut share = Fraction::one();
        let mut faces = Vec::new();
        for round in 0..rounds {
            for (end, weight) in &die.ends {
                let probability = probability(weight, &die.total) * &share;
                let weight = (probability * BigInt::from(whole.clone())).floor();
                let weight = weight.to_integer().into_parts().1;
                let face = Integer::from((round * die.step + end).cast_signed());
                faces.push((face, weight));
            }
            share *= probability(&die.goes_on, &die.total);
        }
        Numbers::new(faces, whole)
    }

    #[test]
    fn a_rank_has_the_moments_of_a_long_list() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let little = Fraction::new(1.into(), 1_000_000_000.into());
        let d6 = || die(6, &[1, 2, 3, 4, 5], 6);
        let d8 = || die(8, &[1, 2, 3, 4, 5, 6, 7], 8);
        // The odd die may end above the number that it adds when it goes on. The plain die never goes on.
        let (odd, plain) = (|| die(4, &[1, 9], 3), || die(5, &[0, 1, 4, 7, 8], 1));
        for dice in [
            vec![(d6(), 1), (d8(), 1)],
            vec![(d6(), 2), (d8(), 1), (plain(), 1)],
            vec![(odd(), 3)],
            vec![(odd(), 1), (d6(), 2)],
            vec![(plain(), 2)],
        ] {
            let all: u64 = dice.iter().map(|(_, count)| count).sum();
            for k in 1..=all {
                let found = moments_of_rank(&dice, k, &budget).unwrap().unwrap();
                let listed = dice.iter().map(|(die, count)| (cut(die, 60), *count));
                let rank = Pool::new(listed).sum_of_ranks(all - k..all - k + 1, &budget);
                let rank = rank.unwrap();
                for (power, found) in (1..).zip(found) {
                    let terms = rank
                        .iter()
                        .map(|(value, weight)| value.to_big().pow(power) * BigInt::from(weight));
                    let expected = Fraction::new(terms.sum(), rank.total().clone().into());
                    let apart = &found - &expected;
                    assert!(
                        apart > -&little && apart < little,
                        "{k} of {all}: {found} and {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn too_many_terms_and_ranks_that_are_none_have_no_moments() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let d6 = die(6, &[1, 2, 3, 4, 5], 6);
        for (count, k) in [(2, 0), (2, 3), (u64::MAX, 1), (50_000, 1)] {
            let moments = moments_of_rank(&[(d6.clone(), count)], k, &budget);
            assert_eq!(moments, Ok(None), "{k} of {count}");
        }
        let far = die(6, &[1, 2, 3, 4, u64::MAX >> 2], 6);
        assert_eq!(moments_of_rank(&[(far, 1)], 1, &budget), Ok(None));
    }
}
