//! Sums of independent values.
//!
//! The weights of `a + b` are the coefficients of the product of two polynomials, since
//! `P(a + b = s) = Σₓ P(a = x)·P(b = s - x)`. There are five ways, of which the cheapest is taken:
//!
//! - a constant shifts the other operand;
//! - a uniform die: each weight is a sum over a window of the other operand's weights, kept as a running sum;
//! - few outcomes: row by row, each row a multiple of the other operand;
//! - two long dense operands: one multiplication of big integers, each weight in a slot wide enough for any
//!   sum (Kronecker substitution: evaluate both polynomials at a power of two, multiply, read off the coefficients);
//! - scattered outcomes: all pairs of outcomes.

use num_bigint::BigUint;

use super::numbers::common_progression;
use super::product::multiply;
use super::progression::Lattice;
use super::{Numbers, Stop, Weights, limbs};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;

impl Numbers {
    /// The sum of two independent values.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let sum = Numbers::die(6).add(&Numbers::die(8), &budget)?;
    /// assert_eq!(sum.weight_of(&8.into()), 6_u32.into());
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn add(&self, other: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        let total = self.total() * other.total();
        let (Some(a), Some(b)) = (self.min(), other.min()) else {
            return Ok(Self::impossible(total));
        };
        let first = a.add(b)?;
        self.max()
            .zip(other.max())
            .map_or(Ok(Integer::ZERO), |(a, b)| a.add(&b))?;
        if let Some(constant) = other.only() {
            return self
                .shifted(constant)?
                .weighted(&other.mass(), total, budget);
        }
        if let Some(constant) = self.only() {
            return other
                .shifted(constant)?
                .weighted(&self.mass(), total, budget);
        }
        let pairs = (self.weights().len() as u64).saturating_mul(other.weights().len() as u64);
        // Both relative to their first outcomes.
        let bytes = self.weights().bytes() + other.weights().bytes();
        budget.has_room_for(bytes.saturating_mul(2))?;
        if let Some((step, a, b)) = on_one_lattice(self, other, pairs, budget)? {
            let weights = convolve(&a, &b, total.bits(), budget)?;
            return Ok(Self::from_lattice(&first, &step, weights, total));
        }
        self.combined(other, |a, b| Ok(Some(a.add(b)?)), budget)
    }

    /// The difference of two independent values.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    pub fn subtract(&self, other: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        self.add(&other.negated(), budget)
    }

    /// The sum of independent values; the constant 0 if there is none. Values with few outcomes are added first.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    pub fn sum<'a>(
        parts: impl IntoIterator<Item = &'a Self>,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let mut sums: Vec<Self> = Vec::new();
        for part in parts {
            budget.has_room_for(part.weights().bytes())?;
            sums.push(part.clone());
        }
        // The two smallest are added first, as in a Huffman tree. The list is short enough to be kept sorted.
        sums.sort_by_key(|part| std::cmp::Reverse(part.weights().len()));
        while sums.len() > 1 {
            let (a, b) = (sums.pop(), sums.pop());
            let Some((a, b)) = a.zip(b) else { break };
            let sum = a.add(&b, budget)?;
            let place = sums.partition_point(|part| part.weights().len() > sum.weights().len());
            sums.insert(place, sum);
        }
        Ok(sums.pop().unwrap_or_else(|| Self::certain(Integer::ZERO)))
    }
}

/// The common step of two measures, and the weights of each on a progression with this step from its first outcome on.
/// `None` if a progression is longer than the number of pairs of outcomes, and 64 more.
fn on_one_lattice(
    a: &Numbers,
    b: &Numbers,
    pairs: u64,
    budget: &Budget<'_>,
) -> Result<Option<(Integer, Weights, Weights)>, LimitReached> {
    // Both measures are shifted to start at 0, since only their steps matter.
    let relative = |numbers: &Numbers| {
        let opposite = numbers.min()?.neg().ok()?;
        numbers.shifted(&opposite).ok()
    };
    let Some((a, b)) = relative(a).zip(relative(b)) else {
        return Ok(None);
    };
    let Some((_, step, _)) = common_progression([&a, &b].into_iter()) else {
        return Ok(None);
    };
    let length = |numbers: &Numbers| {
        let last = numbers.max()?.div(&step)?.to_i64()?;
        let length = u64::try_from(last).ok()?.checked_add(1)?;
        (length <= pairs.saturating_add(64)).then_some(length)
    };
    let Some(lengths) = length(&a).zip(length(&b)) else {
        return Ok(None);
    };
    let bytes = |numbers: &Numbers, length| {
        Weights::bytes_for(length, numbers.weights().width() as u64 * 64)
    };
    budget.has_room_for(bytes(&a, lengths.0).saturating_add(bytes(&b, lengths.1)))?;
    let spread = |numbers: Numbers, length: u64| -> Option<Weights> {
        let Lattice {
            step: own,
            weights: held,
            ..
        } = numbers.into_lattice_within(length)?;
        if held.len() as u64 == length {
            return Some(held);
        }
        let stride = own.div(&step)?.to_usize()?.max(1);
        let mut weights = Weights::with_width(usize::try_from(length).ok()?, held.width());
        for index in 0..held.len() {
            weights
                .at_mut(index * stride)
                .copy_from_slice(held.at(index));
        }
        Some(weights)
    };
    let weights = spread(a, lengths.0).zip(spread(b, lengths.1));
    Ok(weights.map(|(a, b)| (step, a, b)))
}

/// The product of two polynomials, whose coefficients sum to less than `2^bits`.
pub(super) fn convolve(
    a: &Weights,
    b: &Weights,
    bits: u64,
    budget: &Budget<'_>,
) -> Result<Weights, LimitReached> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.is_empty() {
        return Ok(Weights::zeros(0, bits));
    }
    let length = short.len() + long.len() - 1;
    let _reserved = Reserved::new(
        budget,
        Weights::bytes_for(length as u64, bits).saturating_mul(2),
    )?;
    if let Some(factor) = uniform(short) {
        budget.look_at_clock()?;
        let mut sums = long.window_sums(short.len(), bits);
        if factor != 1 {
            sums.multiply(factor);
        }
        return Ok(sums);
    }
    let width = limbs::limbs_for(bits) as u64;
    let rows = short.count_nonzero() as u64;
    let row = long.len() as u64 * long.width() as u64;
    let scale = limbs::limbs_for(short.bits()) as u64;
    let by_slots = kronecker_cost(short.len() as u64 * width, long.len() as u64 * width);
    if rows.saturating_mul(row).saturating_mul(scale) < by_slots {
        let mut sums = Weights::zeros(length, bits);
        for index in 0..short.len() {
            budget.work(row * scale)?;
            sums.add_limbs_product(long, short.at(index), index);
        }
        return Ok(sums);
    }
    let product = multiply(&pack(a, width), &pack(b, width), budget)?;
    let mut limbs = product.to_u64_digits();
    let width = limbs::limbs_for(bits);
    limbs.resize(length * width, 0);
    Ok(Weights::from_limbs(limbs, width))
}

/// The approximate time of a product of two polynomials, in steps of a limb. Each operand is given by its length and
/// its width in limbs; `width` is the width of the product.
pub(super) fn cost(a: (u64, u64), b: (u64, u64), width: u64) -> u64 {
    let rows = [a.0, a.1, b.0, b.1]
        .into_iter()
        .fold(1, u64::saturating_mul);
    let (short, long) = (a.0.min(b.0), a.0.max(b.0));
    rows.min(kronecker_cost(
        short.saturating_mul(width),
        long.saturating_mul(width),
    ))
}

/// The approximate time of a multiplication of big integers with these lengths in limbs, in the same steps.
fn kronecker_cost(short: u64, long: u64) -> u64 {
    // Karatsuba and Toom-Cook take roughly short^1.5 steps for each piece of the longer operand.
    let short = short.max(1);
    let piece = short.saturating_mul(short.isqrt()).saturating_mul(3);
    piece
        .saturating_mul(long.div_ceil(short))
        .saturating_add(1 << 12)
}

/// The weight that all entries share, if they are equal, not zero, and fit one limb.
fn uniform(weights: &Weights) -> Option<u64> {
    let first = weights.get_u64(0)?;
    (first != 0 && (1..weights.len()).all(|index| weights.at(index) == weights.at(0)))
        .then_some(first)
}

/// The weights as one big integer, each in a slot of `width` limbs.
fn pack(weights: &Weights, width: u64) -> BigUint {
    super::weights::from_limbs(weights.clone().with_bits(width * 64).limbs())
}
