//! Binomial coefficients and the tails of binomial distributions, exactly.

use num_bigint::BigUint;

use super::limbs::{self, ExactDivisor};
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
    // C(n, k) < (n·e/k)^k, and certainly below 2^n and n^k.
    let bits = n.min(k.saturating_mul(u64::from(64 - n.leading_zeros())));
    let width = limbs::limbs_for(bits.saturating_add(64));
    let _reserved = Reserved::new(budget, (width as u64).saturating_mul(16))?;
    if k.saturating_mul(width as u64) > LONG_SERIES {
        // Both products are far longer than their quotient: each factor is at most as long as n. Their computation
        // takes as much memory again.
        let bytes = k.saturating_mul(u64::from(64 - n.leading_zeros())) / 8;
        let _reserved = Reserved::new(budget, bytes.saturating_mul(4))?;
        let above = product(n - k + 1, n + 1, budget)?;
        return Ok(above / product(1, k + 1, budget)?);
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
    let carry = limbs::mul(&mut number[..used], up);
    debug_assert_eq!(carry, 0, "a binomial coefficient fits its bound");
    ExactDivisor::new(down).divide(&mut number[..used]);
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
    if k.saturating_mul(sum.bits().saturating_mul(n) / 64) > LONG_SERIES {
        return fewer_hits_by_splitting(k, n, hit, miss, budget);
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
    // The term is computed in place, with room for its product with the factors before the division.
    let width = limbs::limbs_for(sum.bits().saturating_mul(n).saturating_add(128));
    let _reserved = Reserved::new(budget, (width as u64).saturating_mul(16))?;
    let mut digits = term.to_u64_digits();
    digits.resize(width, 0);
    let mut sums = digits.clone();
    for b in 1..k {
        budget.work(width as u64 * 4)?;
        let (above, below) = ((n - b + 1).checked_mul(up), b.checked_mul(down));
        if let (Some(above), Some(below)) = (above, below) {
            limbs::mul(&mut digits, above);
            ExactDivisor::new(below).divide(&mut digits);
        } else {
            limbs::mul(&mut digits, n - b + 1);
            limbs::mul(&mut digits, up);
            ExactDivisor::new(b).divide(&mut digits);
            ExactDivisor::new(down).divide(&mut digits);
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

    /// The weights of 0, 1, …, k-1 hits, but of no more hits than there are trials.
    fn terms(self, k: u64, budget: &Budget<'_>) -> Result<Vec<Weight>, LimitReached> {
        let most = k.min(self.n.saturating_add(1));
        if *self.miss == Weight::ZERO {
            let only_hits = self.n < most;
            let mut terms = vec![Weight::ZERO; usize::try_from(most - 1).unwrap_or(usize::MAX)];
            terms.push(if only_hits {
                product::power(self.hit, self.n, budget)?
            } else {
                Weight::ZERO
            });
            return Ok(terms);
        }
        let mut term = product::power(self.miss, self.n, budget)?;
        let mut terms = Vec::new();
        for hits in 1..most {
            budget.work(term.bits() / 16 + 8)?;
            let next = &term * (self.n - hits + 1) * self.hit / (self.miss * hits);
            terms.push(std::mem::replace(&mut term, next));
        }
        terms.push(term);
        Ok(terms)
    }
}

/// As [`fewer_hits`], for trials of several kinds: the sum of the first k coefficients of `Π (miss + hit·y)ⁿ`. Takes
/// `k²` products for each kind.
pub(super) fn fewer_hits_among(
    k: u64,
    kinds: &[Trials<'_>],
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    if let [Trials { n, hit, miss }] = *kinds {
        return fewer_hits(k, n, hit, miss, budget);
    }
    let n: u64 = kinds.iter().map(|kind| kind.n).sum();
    if k > n / 2 + 1 {
        // The shorter tail is summed, as in `fewer_hits`.
        let exchanged: Vec<Trials<'_>> = kinds
            .iter()
            .map(|kind| kind.with_hits_and_misses_exchanged())
            .collect();
        let mut all = Weight::from(1_u32);
        for kind in kinds {
            all *= product::power(&(kind.hit + kind.miss), kind.n, budget)?;
        }
        return Ok(all - fewer_hits_among((n + 1).saturating_sub(k), &exchanged, budget)?);
    }
    if k == 0 {
        return Ok(Weight::ZERO);
    }
    let most = usize::try_from(k).unwrap_or(usize::MAX);
    let mut terms = vec![Weight::from(1_u32)];
    for kind in kinds {
        let own = kind.terms(k, budget)?;
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

/// As [`fewer_hits`], by binary splitting. Write `u` for `hit` and `d` for `miss`. The ratio of term i to the term
/// before is `aᵢ/bᵢ = (n-i+1)·u / (i·d)`. The sum is `dⁿ·(1 + T/B)` with `B = Π bᵢ = (k-1)!·dᵏ⁻¹` and
/// `T = Σᵢ a₁…aᵢ·bᵢ₊₁…bₖ₋₁`. That is `dⁿ⁻ᵏ⁺¹·(B + T)/(k-1)!`, and this division is exact.
fn fewer_hits_by_splitting(
    k: u64,
    n: u64,
    hit: &Weight,
    miss: &Weight,
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    // Three products with this many bits, and as much memory again to compute them.
    let bits = (hit.bits() + miss.bits() + 64).saturating_mul(k);
    let _reserved = Reserved::new(budget, bits / 8 * 6)?;
    let ratios = Ratios { n, hit, miss };
    let series = ratios.series(1, k, budget)?;
    budget.look_at_clock()?;
    let misses = product::power(miss, k - 1, budget)?;
    let all = product::multiply(&series.below, &misses, budget)?;
    let sum = (all + series.sum) / series.below;
    let misses = product::power(miss, n - k + 1, budget)?;
    product::multiply(&sum, &misses, budget)
}

/// The ratios of the terms of a binomial sum.
struct Ratios<'a> {
    n: u64,
    hit: &'a Weight,
    miss: &'a Weight,
}

/// The products and the sum over a range of ratios `aᵢ/bᵢ`: `above` is `Π aᵢ`, `below` is `Π i` (which leaves out the
/// powers of d), and `sum` is `Σᵢ aₗ…aᵢ·bᵢ₊₁…`.
struct Series {
    above: Weight,
    below: Weight,
    sum: Weight,
}

impl Ratios<'_> {
    /// The ratios with the indexes `from..to`.
    fn series(&self, from: u64, to: u64, budget: &Budget<'_>) -> Result<Series, LimitReached> {
        if to - from <= 8 {
            let mut series = Series {
                above: Weight::from(1_u32),
                below: Weight::from(1_u32),
                sum: Weight::ZERO,
            };
            for index in from..to {
                series.above *= self.hit * (self.n - index + 1);
                series.sum = series.sum * self.miss * index + &series.above;
                series.below *= index;
            }
            return Ok(series);
        }
        let middle = from + (to - from) / 2;
        let left = self.series(from, middle, budget)?;
        let right = self.series(middle, to, budget)?;
        budget.look_at_clock()?;
        let misses = product::power(self.miss, to - middle, budget)?;
        let times = |a: &Weight, b: &Weight| product::multiply(a, b, budget);
        let below = times(&right.below, &misses)?;
        Ok(Series {
            sum: times(&left.sum, &below)? + times(&left.above, &right.sum)?,
            above: times(&left.above, &right.above)?,
            below: times(&left.below, &right.below)?,
        })
    }
}

/// The product of the integers in `from..to`, by halves.
fn product(from: u64, to: u64, budget: &Budget<'_>) -> Result<Weight, LimitReached> {
    if to - from <= 8 {
        return Ok((from..to).map(Weight::from).product());
    }
    budget.look_at_clock()?;
    let middle = from + (to - from) / 2;
    let (low, high) = (product(from, middle, budget)?, product(middle, to, budget)?);
    product::multiply(&low, &high, budget)
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
        let halves = product(1901, 4001, &budget)? / product(1, 2101, &budget)?;
        assert_eq!(binomial(4000, 2100, &budget)?, halves);
        Ok(())
    }

    #[test]
    fn a_split_series_is_the_sum_of_its_terms() -> Result<(), LimitReached> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        for (n, hit, miss) in [
            (1, 1_u32, 1_u32),
            (9, 3, 7),
            (40, 1, 5),
            (61, 19, 1),
            (200, 2, 3),
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
                assert_eq!(
                    fewer_hits_by_splitting(k, n, &hit, &miss, &budget)?,
                    sum,
                    "{k} of {n}"
                );
            }
        }
        Ok(())
    }
}
