//! Powers of a law whose denominators grow with its values.
//!
//! What a chain adds up to has the value least + k with a probability `g_k / (d·c^k)`, where c comes from the steps
//! of the chain and d is small. Over one total that is a weight of many digits for each value, whose n-th
//! power has n times as many. But with `G(y) = Σ g_k·y^k` the sum of n has n·least + k with the probability
//! `[y^k] G(y)^n / (d^n·c^k)`, and these coefficients are short. They follow from each other, as `G·(G^n)' = n·G'·G^n`:
//!
//! ```text
//! k·g_0·h_k = Σ_{i=1..k} (i·n - (k - i))·g_i·h_{k-i}          h_0 = g_0^n
//! ```
//!
//! (L. Euler, Introductio in analysin infinitorum, 1748, section 76.) The part of the law that is not listed lies above, so as
//! many coefficients of the power are exact as are known of G.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive as _, Zero};

use super::Attempt;
use super::law::{Law, Vague};
use crate::algebra::weight::{common_divisor, lcm};
use crate::algebra::{Numbers, Weight};
use crate::limits::Budget;
use crate::number::Integer;

/// No more coefficients than this: each takes as many multiplications as there are before it.
const MOST: usize = 4_000;

/// A law by its coefficients.
struct Graded {
    /// `g_k`, up to the tail.
    coefficients: Vec<Weight>,
    /// c
    base: Weight,
    /// d
    first: Weight,
}

impl Graded {
    /// The coefficients of a law that is listed from `least` on, so many values.
    fn of(listed: &Numbers, least: i64, length: usize) -> Option<Self> {
        let total = listed.total();
        // The reduced denominator of each value that is possible.
        let mut denominators: Vec<(usize, Weight)> = Vec::new();
        for (value, weight) in listed.iter() {
            let place = usize::try_from(value.to_i64()?.checked_sub(least)?).ok()?;
            denominators.push((place, total / common_divisor(total, &weight)));
        }
        let last = &denominators[denominators.len() / 2..];
        let growth = last.windows(2).map(|pair| {
            let [(_, a), (_, b)] = pair else {
                return Weight::one();
            };
            b / common_divisor(a, b)
        });
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
        // Otherwise there is little to gain.
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

    /// The same of the n-th power.
    fn power(&self, n: u32, budget: &Budget<'_>) -> Attempt<Vec<Weight>> {
        let g = &self.coefficients;
        let mut h: Vec<Weight> = Vec::with_capacity(g.len());
        h.push(g[0].pow(n));
        let mut bytes = 0;
        for k in 1..g.len() {
            budget.check()?;
            let mut sum = BigInt::zero();
            for i in 1..=k {
                if g[i].is_zero() {
                    continue;
                }
                let factor = i128::from(n) * i as i128 - (k - i) as i128;
                sum += BigInt::from(&g[i] * &h[k - i]) * factor;
            }
            let divided = sum / BigInt::from(&g[0] * Weight::from(k));
            let coefficient = divided.to_biguint().unwrap_or_default();
            let more = coefficient.bits() / 8;
            budget.take_memory(more)?;
            bytes += more;
            h.push(coefficient);
        }
        budget.give_memory(bytes);
        Ok(h)
    }
}

impl Law {
    /// The sum of `n` independent numbers like this one, where that is shorter by the growth of its denominators.
    pub(super) fn graded_power(&self, n: u32, budget: &Budget<'_>) -> Attempt<Option<Self>> {
        let Some(rest) = self.rest.as_ref().filter(|_| n > 1) else {
            return Ok(None);
        };
        let (Some((at, _)), None, true) =
            (&rest.above, &rest.below, rest.unresolved == Weight::ZERO)
        else {
            return Ok(None);
        };
        let Some(least) = self.listed.min() else {
            return Ok(None);
        };
        let known = at.to_i64().zip(least.to_i64());
        let length = known.and_then(|(at, least)| at.checked_sub(least)?.to_usize());
        let (Some((_, low)), Some(length)) = (known, length.filter(|&length| length <= MOST))
        else {
            return Ok(None);
        };
        let Some(graded) = Graded::of(&self.listed, low, length) else {
            return Ok(None);
        };
        // The probability of ending, reduced.
        let ending = self.total() - self.never();
        let common = common_divisor(self.total(), &ending);
        let (ending, of) = (ending / &common, self.total() / &common);
        let power = graded.power(n, budget)?;
        let steps = u32::try_from(length - 1).unwrap_or(u32::MAX);
        let listed_total = graded.first.pow(n) * graded.base.pow(steps);
        let total = lcm(&listed_total, &of.pow(n));
        let mut scale = &total / &listed_total;
        let copies = Integer::from(i64::from(n));
        let start = least.mul(&copies)?;
        let mut weights = Vec::with_capacity(length);
        for (k, coefficient) in power.into_iter().enumerate().rev() {
            let place = i64::try_from(k).unwrap_or(i64::MAX);
            weights.push((start.add(&Integer::from(place))?, coefficient * &scale));
            scale *= &graded.base;
        }
        let listed = Numbers::new(weights, total.clone());
        let ending = ending.pow(n) * (&total / of.pow(n));
        let others = copies.sub(&Integer::from(1))?;
        let tail = Vague {
            low: Some(at.add(&least.mul(&others)?)?),
            high: None,
            weight: &ending - listed.mass(),
        };
        let moments = rest.moments.as_ref().map(|moments| moments.times(n));
        Ok(Some(Self::new(listed, vec![tail], total - ending, moments)))
    }
}
