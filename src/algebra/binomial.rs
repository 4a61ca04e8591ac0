//! Binomial coefficients and the tails of binomial distributions, exactly.

use num_bigint::BigUint;
use num_integer::Integer as _;

use super::consecutive::{Consecutive, Powers};
use super::limbs::{self, ExactDivisor};
use super::recurrence::{Recurrence, Terms};
use super::weights::from_limbs;
use super::{Weight, product};
use crate::limits::{Budget, LimitReached, Reserved};

/// How many ways there are to choose k of n.
///
/// # Errors
///
/// [`LimitReached`] where that takes too long.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::binomial;
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// assert_eq!(binomial(6, 2, &budget)?, 15_u32.into());
/// assert_eq!(binomial(2, 6, &budget)?, 0_u32.into());
/// # Ok::<(), dicedist::limits::LimitReached>(())
/// ```
pub fn binomial(n: u64, k: u64, budget: &Budget<'_>) -> Result<Weight, LimitReached> {
    let Some(rest) = n.checked_sub(k) else {
        return Ok(Weight::ZERO);
    };
    let k = k.min(rest);
    // C(n, k) is at most 2^n and n^k.
    let bits = n.min(k.saturating_mul(u64::from(64 - n.leading_zeros())));
    let width = limbs::limbs_for(bits);
    let _reserved = Reserved::new(budget, (width as u64).saturating_mul(16))?;
    if k.saturating_mul(width as u64) > LONG_SERIES
        && let Some(above) = Consecutive::new(n - k + 1, k, k, budget)?
        && let Some(below) = Consecutive::new(1, k, k, budget)?
    {
        let (mut ups, mut downs) = (Vec::new(), Vec::new());
        for index in 1..=k {
            above.add_factors(n - k + index, n - k + index, &mut ups);
            below.add_factors(index, index, &mut downs);
        }
        let (mut ups, mut downs) = (Powers::new(ups), Powers::new(downs));
        ups.cancel(&mut downs);
        debug_assert_eq!(downs, Powers::default(), "a coefficient is an integer");
        return ups.product(budget);
    }
    let mut number = vec![0; width];
    number[0] = 1;
    let mut length = 1;
    for step in 1..=k {
        budget.work(length as u64 * 2)?;
        step_ratio(&mut number, &mut length, n - k + step, step);
    }
    Ok(from_limbs(&number))
}

/// `number = number·up/down`, exactly; `length` is the number of limbs in use.
fn step_ratio(number: &mut [u64], length: &mut usize, up: u64, down: u64) {
    if let Some(next) = number.get_mut(*length) {
        *next = 0;
    }
    let used = (*length + 1).min(number.len());
    ExactDivisor::new(down).divide_product(&mut number[..used], up);
    *length = limbs::significant(&number[..used]).max(1);
}

/// The weight of fewer than k hits among n independent trials, each with weight `hit` or `miss`:
/// `Σ_{b<k} C(n,b)·hitᵇ·missⁿ⁻ᵇ`, over the total `(hit + miss)ⁿ`.
///
/// The shorter of the two tails is summed. Each term follows from the one before, which takes `k·n` steps of a limb in
/// all. A long sum is a hypergeometric series and is computed by binary splitting: a few multiplications of numbers
/// that are some times as long as the answer (B. Haible and T. Papanikolaou, *Fast multiprecision evaluation of series
/// of rational numbers*, 1998).
///
/// # Errors
///
/// [`LimitReached`] where that takes too long.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::fewer_hits;
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// // At most one six among three dice: 125 + 3·25 of 216.
/// assert_eq!(fewer_hits(2, 3, &1_u32.into(), &5_u32.into(), &budget)?, 200_u32.into());
/// # Ok::<(), dicedist::limits::LimitReached>(())
/// ```
pub fn fewer_hits(
    k: u64,
    n: u64,
    hit: &Weight,
    miss: &Weight,
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    let sum = hit + miss;
    if k > n {
        return product::power(&sum, n, budget);
    }
    if k == 0 {
        return Ok(Weight::ZERO);
    }
    if *hit == Weight::ZERO || *miss == Weight::ZERO {
        // No hit is possible, or all n ≥ k trials are hits.
        return product::power(miss, n, budget);
    }
    if k > n / 2 + 1 {
        // Fewer than k hits is the complement of fewer than n-k+1 misses.
        let others = fewer_hits(n - k + 1, n, miss, hit, budget)?;
        return Ok(product::power(&sum, n, budget)? - others);
    }
    if k.saturating_mul(sum.bits().saturating_mul(n) / 64) > LONG_SERIES
        && let Some(sum) = fewer_hits_by_splitting(k, n, hit, miss, budget)?
    {
        return Ok(sum);
    }
    let mut term = product::power(miss, n, budget)?;
    let mut total = term.clone();
    let (Some(up), Some(down)) = (one_limb(hit), one_limb(miss)) else {
        for b in 1..k {
            budget.work(term.bits() / 16 + 8)?;
            term = term * (n - b + 1) * hit / (miss * b);
            total += &term;
        }
        return Ok(total);
    };
    let width = limbs::limbs_for(sum.bits().saturating_mul(n));
    let _reserved = Reserved::new(budget, (width as u64).saturating_mul(16))?;
    let mut digits = term.to_u64_digits();
    digits.resize(width, 0);
    let mut sums = digits.clone();
    for b in 1..k {
        budget.work(width as u64 * 4)?;
        let (above, below) = ((n - b + 1).checked_mul(up), b.checked_mul(down));
        if let (Some(above), Some(below)) = (above, below) {
            ExactDivisor::new(below).divide_product(&mut digits, above);
        } else {
            // The first step leaves an integer, because the term has a factor `miss`. It is no longer than the next term: in the
            // shorter tail, `b` is at most `n-b+1`.
            ExactDivisor::new(down).divide_product(&mut digits, up);
            ExactDivisor::new(b).divide_product(&mut digits, n - b + 1);
        }
        limbs::add(&mut sums, &digits);
    }
    Ok(from_limbs(&sums))
}

/// `n` independent trials, each with the weight of a hit and the weight of a miss.
#[derive(Clone, Copy)]
pub(super) struct Trials<'a> {
    pub(super) n: u64,
    pub(super) hit: &'a Weight,
    pub(super) miss: &'a Weight,
}

impl Trials<'_> {
    fn with_hits_and_misses_exchanged(self) -> Self {
        Self {
            hit: self.miss,
            miss: self.hit,
            ..self
        }
    }

    /// `miss + hit·y`, if both weights fit 62 bits.
    fn terms(self) -> Option<Terms> {
        let small = |weight: &Weight| one_limb(weight).filter(|weight| weight >> 62 == 0);
        let terms = [(0, small(self.miss)?), (1, small(self.hit)?)];
        let terms = terms.map(|(exponent, weight)| (exponent, i128::from(weight)));
        Some(Terms::new(terms.to_vec()))
    }

    /// The weights of 0, 1, …, k-1 hits, but of no more hits than there are trials. Both weights are not zero.
    fn weights(self, k: u64, budget: &Budget<'_>) -> Result<Vec<Weight>, LimitReached> {
        let mut term = product::power(self.miss, self.n, budget)?;
        let mut terms = Vec::new();
        for hits in 1..k.min(self.n.saturating_add(1)) {
            budget.work(term.bits() / 16 + 8)?;
            let next = &term * (self.n - hits + 1) * self.hit / (self.miss * hits);
            terms.push(std::mem::replace(&mut term, next));
        }
        terms.push(term);
        Ok(terms)
    }
}

/// As [`fewer_hits`], for trials of several kinds: the sum of the first k coefficients of `Π (miss + hit·y)ⁿ`. A recurrence gives each
/// from a few before it; weights that are too long for it take `k²` products for each kind.
pub(super) fn fewer_hits_among(
    k: u64,
    kinds: &[Trials<'_>],
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    // What is certain for a kind is a factor, and hits that are certain are no longer asked for.
    let mut k = k;
    let mut factor = Weight::from(1_u32);
    let mut open: Vec<Trials<'_>> = Vec::new();
    for kind in kinds {
        if *kind.miss == Weight::ZERO {
            factor *= product::power(kind.hit, kind.n, budget)?;
            k = k.saturating_sub(kind.n);
        } else if *kind.hit == Weight::ZERO {
            factor *= product::power(kind.miss, kind.n, budget)?;
        } else {
            open.push(*kind);
        }
    }
    if k == 0 {
        return Ok(Weight::ZERO);
    }
    let sum = match open.as_slice() {
        [] => return Ok(factor),
        [Trials { n, hit, miss }] => fewer_hits(k, *n, hit, miss, budget)?,
        kinds => fewer_hits_of_open(k, kinds, budget)?,
    };
    product::multiply(&factor, &sum, budget)
}

/// As [`fewer_hits_among`], where each trial of several kinds may hit and may miss, for a positive k.
fn fewer_hits_of_open(
    k: u64,
    kinds: &[Trials<'_>],
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    let n: u64 = kinds.iter().map(|kind| kind.n).sum();
    let mut all = Weight::from(1_u32);
    let mut misses = Weight::from(1_u32);
    for kind in kinds {
        all *= product::power(&(kind.hit + kind.miss), kind.n, budget)?;
        misses *= product::power(kind.miss, kind.n, budget)?;
    }
    if k > n {
        return Ok(all);
    }
    if k > n / 2 + 1 {
        // The shorter tail is summed, as in `fewer_hits`.
        let exchanged: Vec<Trials<'_>> = kinds
            .iter()
            .map(|kind| kind.with_hits_and_misses_exchanged())
            .collect();
        return Ok(all - fewer_hits_of_open(n + 1 - k, &exchanged, budget)?);
    }
    let most = usize::try_from(k).unwrap_or(usize::MAX);
    let powers = kinds
        .iter()
        .map(|kind| Some((kind.terms()?, i128::from(kind.n))));
    let recurrence = powers
        .collect::<Option<Vec<_>>>()
        .and_then(|powers| Recurrence::of_powers(&powers, most));
    if let Some(recurrence) = recurrence {
        let width = limbs::limbs_for(all.bits());
        return Ok(recurrence.run(&misses, width, None, budget)?.sum());
    }
    let mut terms = vec![Weight::from(1_u32)];
    for kind in kinds {
        let own = kind.weights(k, budget)?;
        let length = (terms.len() + own.len() - 1).min(most);
        let mut product = vec![Weight::ZERO; length];
        for (a, left) in terms.iter().enumerate() {
            for (right, sum) in own.iter().zip(product.iter_mut().skip(a)) {
                budget.work((left.bits() / 64 + 1) * (right.bits() / 64 + 1))?;
                *sum += left * right;
            }
        }
        terms = product;
    }
    Ok(terms.into_iter().sum())
}

/// A series that takes more steps of a limb than this, term after term, is computed by binary splitting.
const LONG_SERIES: u64 = 1 << 20;

/// As [`fewer_hits`], by binary splitting; `None` if k does not fit 32 bits. Write `u` for `hit` and `d` for `miss`. The ratio of term i
/// to the term before is `aᵢ·u / (bᵢ·d)` with `aᵢ = n-i+1` and `bᵢ = i`. The sum is `dⁿ·(1 + T/(B·dᵏ⁻¹))` with `B = Π bᵢ` and
/// `T = Σᵢ a₁u…aᵢu·bᵢ₊₁d…bₖ₋₁d`.
///
/// Where two ranges are joined, a factor that an `aᵢ` of the first shares with a `bⱼ` of the second divides both parts of their sum, and
/// is taken away. All terms are integers, so each factor of a `bⱼ` is met by one of an `aᵢ` with `i ≤ j`: B becomes 1.
fn fewer_hits_by_splitting(
    k: u64,
    n: u64,
    hit: &Weight,
    miss: &Weight,
    budget: &Budget<'_>,
) -> Result<Option<Weight>, LimitReached> {
    // Three products with this many bits, and as much memory again to compute them.
    let bits = (hit.bits() + miss.bits() + 64).saturating_mul(k);
    let _reserved = Reserved::new(budget, bits / 8 * 6)?;
    let (Some(above), Some(below)) = (
        Consecutive::new(n + 2 - k, k - 1, k - 1, budget)?,
        Consecutive::new(1, k - 1, k - 1, budget)?,
    ) else {
        return Ok(None);
    };
    let ratios = Ratios {
        n,
        hit,
        miss,
        above,
        below,
    };
    let series = ratios.series(1, k, budget)?;
    debug_assert_eq!(series.below, Powers::default(), "terms are integers");
    let sum = product::power(miss, k - 1, budget)? + series.sum;
    let misses = product::power(miss, n - k + 1, budget)?;
    product::multiply(&sum, &misses, budget).map(Some)
}

/// The ratios of the terms of a binomial sum.
struct Ratios<'a> {
    n: u64,
    hit: &'a Weight,
    miss: &'a Weight,
    /// The factors of all aᵢ.
    above: Consecutive<'a>,
    /// The factors of all bᵢ.
    below: Consecutive<'a>,
}

/// A range of ratios: `above` is `Π aᵢ` and `below` is `Π bᵢ`, both without the factors that were taken away, and `sum` is
/// `Σᵢ aₗu…aᵢu·bᵢ₊₁d…` without them.
struct Series {
    above: Powers,
    below: Powers,
    sum: Weight,
}

impl Ratios<'_> {
    /// The ratios with the indexes `from..to`.
    fn series(&self, from: u64, to: u64, budget: &Budget<'_>) -> Result<Series, LimitReached> {
        if to - from <= 8 {
            return Ok(self.short_series(from, to));
        }
        let middle = from + (to - from) / 2;
        let mut left = self.series(from, middle, budget)?;
        let mut right = self.series(middle, to, budget)?;
        left.above.cancel(&mut right.below);
        budget.work((left.above.len() + right.below.len()) as u64)?;
        let times = |a: &Weight, b: &Weight| product::multiply(a, b, budget);
        let below = times(
            &right.below.product(budget)?,
            &product::power(self.miss, to - middle, budget)?,
        )?;
        let above = times(
            &left.above.product(budget)?,
            &product::power(self.hit, middle - from, budget)?,
        )?;
        Ok(Series {
            sum: times(&left.sum, &below)? + times(&above, &right.sum)?,
            above: left.above.times(&right.above),
            below: left.below.times(&right.below),
        })
    }

    /// As [`Ratios::series`], one ratio after the other.
    fn short_series(&self, from: u64, to: u64) -> Series {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let mut sum = Weight::ZERO;
        for index in from..to {
            above.push((self.n - index + 1, self.n - index + 1));
            let mut down = index;
            for (_, up) in &mut above {
                let common = up.gcd(&down);
                *up /= common;
                down /= common;
            }
            below.push((index, down));
            let ups: Weight = above.iter().map(|(_, up)| Weight::from(*up)).product();
            let hits = self
                .hit
                .pow(u32::try_from(index - from + 1).unwrap_or(u32::MAX));
            sum = sum * self.miss * down + ups * hits;
        }
        let powers = |run: &Consecutive<'_>, integers: Vec<(u64, u64)>| {
            let mut powers = Vec::new();
            for (integer, left) in integers {
                run.add_factors(integer, left, &mut powers);
            }
            Powers::new(powers)
        };
        Series {
            above: powers(&self.above, above),
            below: powers(&self.below, below),
            sum,
        }
    }
}

/// The number, if it fits one limb.
pub(super) fn one_limb(number: &BigUint) -> Option<u64> {
    let mut digits = number.iter_u64_digits();
    match (digits.next(), digits.next()) {
        (low, None) => Some(low.unwrap_or(0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::limits::{Limits, Unobserved};

    #[test]
    fn a_long_coefficient_is_the_sum_of_two_before_it() -> Result<(), LimitReached> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        // Pascal's rule for coefficients that are the quotient of two products.
        for (n, k) in [(40_000, 19_000), (30_000, 7_000)] {
            let sum = binomial(n - 1, k - 1, &budget)? + binomial(n - 1, k, &budget)?;
            assert_eq!(binomial(n, k, &budget)?, sum, "{n} over {k}");
        }
        // A coefficient that is computed step by step, against the quotient of two products.
        let product = |integers: Range<u64>| integers.map(Weight::from).product::<Weight>();
        let halves = product(1901..4001) / product(1..2101);
        assert_eq!(binomial(4000, 2100, &budget)?, halves);
        Ok(())
    }

    #[test]
    fn fewer_hits_are_the_sum_of_their_terms() -> Result<(), LimitReached> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        for (n, hit, miss) in [
            (1, 1_u64, 1_u64),
            (9, 3, 7),
            (40, 1, 5),
            (61, 19, 1),
            (200, 2, 3),
            // The sum of the weights has 64 bits, and all are in use.
            (16, (1 << 60) + 1, u64::MAX - (1 << 60) - 1),
            (16, u64::MAX - (1 << 60) - 1, (1 << 60) + 1),
            (9, 1, u64::MAX - 1),
        ] {
            let (hit, miss) = (Weight::from(hit), Weight::from(miss));
            for k in 1..=n {
                let mut sum = Weight::ZERO;
                for hits in 0..k {
                    let power =
                        |weight: &Weight, times: u64| product::power(weight, times, &budget);
                    sum +=
                        binomial(n, hits, &budget)? * power(&hit, hits)? * power(&miss, n - hits)?;
                }
                let (direct, split) = (
                    fewer_hits(k, n, &hit, &miss, &budget)?,
                    fewer_hits_by_splitting(k, n, &hit, &miss, &budget)?,
                );
                assert_eq!(direct, sum, "{k} of {n}, {hit} to {miss}");
                assert!(
                    split.is_none_or(|split| split == sum),
                    "{k} of {n}, {hit} to {miss}"
                );
            }
        }
        Ok(())
    }

    #[test]
    fn trials_of_several_kinds_are_as_one_roll_after_the_other() -> Result<(), LimitReached> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        // The last weights are too long for the recurrence.
        let long = Weight::from(u64::MAX);
        let small = |weight: u32| Weight::from(weight);
        for kinds in [
            vec![(7, small(3), small(5)), (6, small(2), small(1))],
            vec![
                (4, small(1), small(1)),
                (3, small(0), small(2)),
                (5, small(7), small(2)),
            ],
            vec![
                (2, small(3), small(0)),
                (9, small(1), small(19)),
                (1, small(1), small(2)),
            ],
            vec![(5, long.clone(), small(1)), (4, small(3), long)],
        ] {
            let mut chances = vec![Weight::from(1_u32)];
            for (n, hit, miss) in &kinds {
                for _ in 0..*n {
                    chances.push(Weight::ZERO);
                    for index in (0..chances.len()).rev() {
                        let before = index.checked_sub(1).map(|before| &chances[before] * hit);
                        chances[index] = &chances[index] * miss + before.unwrap_or_default();
                    }
                }
            }
            let trials: Vec<Trials<'_>> = kinds
                .iter()
                .map(|(n, hit, miss)| Trials { n: *n, hit, miss })
                .collect();
            for k in 0..=chances.len() + 1 {
                let expected: Weight = chances.iter().take(k).sum();
                let found = fewer_hits_among(k as u64, &trials, &budget)?;
                assert_eq!(found, expected, "fewer than {k} of {kinds:?}");
            }
        }
        Ok(())
    }
}
