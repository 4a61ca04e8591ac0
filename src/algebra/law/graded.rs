//! Powers of a law whose denominators grow with its values.
//!
//! The sum of the steps of a chain is least + k with a probability `g_k / (d·c^k)`, where c comes from the steps of the
//! chain and d is small. Over one total, a weight has many digits, and a weight of the n-th power has n times as many.
//! The coefficients `g_k` are short. With `G(y) = Σ g_k·y^k`, the sum of n values is n·least + k with the probability
//! `[y^k] G(y)^n / (d^n·c^k)`. These coefficients are short, too, and follow from each other, as `G·(G^n)' = n·G'·G^n`:
//!
//! ```text
//! k·g_0·h_k = Σ_{i=1..k} (i·n - (k - i))·g_i·h_{k-i}          h_0 = g_0^n
//! ```
//!
//! (L. Euler, Introductio in analysin infinitorum, 1748, section 76.) The tail of the law lies above the listed part,
//! so the power has as many exact coefficients as G.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::Law;
use super::parts::Mass;
use crate::algebra::weight::{common_divisor, lcm};
use crate::algebra::{Numbers, Stop, Weight, power};
use crate::limits::{Budget, Reserved};
use crate::number::Integer;

/// The most coefficients. A coefficient takes as many multiplications as there are coefficients before it.
const MOST: usize = 4_000;

/// A law with growing denominators: `P(least + k) = g_k / (d·c^k)`.
struct Graded {
    /// `g_k`, up to the tail.
    coefficients: Vec<Weight>,
    /// c
    base: Weight,
    /// d
    first: Weight,
}

impl Graded {
    /// The coefficients of a law that is listed from `least` on, for `length` values. `None` if c is long, or the
    /// coefficients are hardly shorter than the weights.
    fn of(listed: &Numbers, least: i64, length: usize) -> Option<Self> {
        let total = listed.total();
        // The reduced denominator of the probability of each possible value.
        let mut denominators: Vec<(usize, Weight)> = Vec::new();
        for (value, weight) in listed.iter() {
            let place = usize::try_from(value.to_i64()?.checked_sub(least)?).ok()?;
            denominators.push((place, total / common_divisor(total, &weight)));
        }
        let last = &denominators[denominators.len() / 2..];
        let neighbours = last.iter().zip(last.iter().skip(1));
        let growth = neighbours.map(|((_, a), (_, b))| b / common_divisor(a, b));
        let mut base = Weight::one();
        for factor in growth {
            base = lcm(&base, &factor);
            if base.bits() > 64 {
                return None;
            }
        }
        let mut first = Weight::one();
        let (mut power, mut at) = (Weight::one(), 0);
        for (place, denominator) in &denominators {
            while at < *place {
                power *= &base;
                at += 1;
            }
            first = lcm(&first, &(denominator / common_divisor(denominator, &power)));
        }
        // A long d leaves little to gain.
        if first.bits() * 4 > total.bits() {
            return None;
        }
        let mut coefficients = vec![Weight::ZERO; length];
        let (mut scale, mut at) = (first.clone(), 0);
        for ((_, weight), (place, _)) in listed.iter().zip(denominators) {
            while at < place {
                scale *= &base;
                at += 1;
            }
            *coefficients.get_mut(place)? = weight * &scale / total;
        }
        Some(Self {
            coefficients,
            base,
            first,
        })
    }

    /// The coefficients of the n-th power.
    fn power(&self, n: u32, budget: &Budget<'_>) -> Result<Vec<Weight>, Stop> {
        let g = &self.coefficients;
        let mut h: Vec<Weight> = Vec::with_capacity(g.len());
        h.push(power(&g[0], n.into(), budget)?);
        let (mut reserved, mut bytes) = (Reserved::none(budget), 0);
        for k in 1..g.len() {
            let mut sum = BigInt::zero();
            for i in 1..=k {
                if g[i].is_zero() {
                    continue;
                }
                budget.work((g[i].bits() / 64 + 1) * (h[k - i].bits() / 64 + 1))?;
                let factor = i128::from(n) * i as i128 - (k - i) as i128;
                sum += BigInt::from(&g[i] * &h[k - i]) * factor;
            }
            let divided = sum / BigInt::from(&g[0] * Weight::from(k));
            let coefficient = divided
                .to_biguint()
                .expect("a power of weights has no negative weight");
            bytes += coefficient.bits() / 8;
            reserved.grow_to(bytes)?;
            h.push(coefficient);
        }
        Ok(h)
    }
}

impl Law {
    /// The sum of `n` independent numbers of this law, by its coefficients. `None` if the law has other unlisted weight
    /// than a tail above and weight that never ends, or coefficients are not shorter.
    pub(super) fn graded_power(&self, n: u32, budget: &Budget<'_>) -> Result<Option<Self>, Stop> {
        let Some(unlisted) = self.unlisted.as_ref().filter(|_| n > 1) else {
            return Ok(None);
        };
        let (Some(tail), None, true) = (
            &unlisted.above,
            &unlisted.below,
            unlisted.unresolved == Weight::ZERO,
        ) else {
            return Ok(None);
        };
        let Some(least) = self.listed.min() else {
            return Ok(None);
        };
        let distance = tail.bound.sub(least).ok().and_then(|far| far.to_usize());
        let (Some(low), Some(length)) = (least.to_i64(), distance.filter(|&far| far <= MOST))
        else {
            return Ok(None);
        };
        let Some(graded) = Graded::of(&self.listed, low, length) else {
            return Ok(None);
        };
        // The probability of ending, reduced.
        let ending = self.total() - self.never_ends();
        let common = common_divisor(self.total(), &ending);
        let (ending, of) = (ending / &common, self.total() / &common);
        let coefficients = graded.power(n, budget)?;
        let steps = length as u64 - 1;
        let listed_total =
            power(&graded.first, n.into(), budget)? * power(&graded.base, steps, budget)?;
        let of = power(&of, n.into(), budget)?;
        let total = lcm(&listed_total, &of);
        let mut scale = &total / &listed_total;
        let copies = Integer::from(i64::from(n));
        let start = least.mul(&copies)?;
        let mut weights = Vec::with_capacity(length);
        for (k, coefficient) in coefficients.into_iter().enumerate().rev() {
            weights.push((start.add(&Integer::from(k))?, coefficient * &scale));
            scale *= &graded.base;
        }
        let listed = Numbers::new(weights, total.clone());
        let ending = power(&ending, n.into(), budget)? * (&total / of);
        let others = copies.sub(&Integer::from(1))?;
        let bound = tail.bound.add(&least.mul(&others)?)?;
        let tail = Mass::at_or_above(bound, &ending - listed.mass());
        let moments = unlisted.moments.as_ref().map(|moments| moments.times(n));
        Ok(Some(Self::new(listed, vec![tail], total - ending, moments)))
    }
}
