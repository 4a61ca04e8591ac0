//! Bounds of probabilities from counts of independent samples, with a stated error.
//!
//! For n samples of which k show an event of probability p, Chernoff's bound (W. Hoeffding, "Probability inequalities
//! for sums of bounded random variables", J. Amer. Statist. Assoc. 58 (1963), theorem 1, (2.1)) says
//!
//! > P(k/n ≥ p and n·D(k/n, p) ≥ t) ≤ e⁻ᵗ, and the same below p,
//!
//! where `D(q, p) = q ln(q/p) + (1-q) ln((1-q)/(1-p))`. The events of a whole table exclude each other, so their
//! probabilities sum to at most 1, however many events there are, and whether they were seen or not. With t =
//! ln(2/(e·p)) for an event of probability p, the chance that any interval
//!
//! > { p : n·D(k/n, p) ≤ ln(2/(e·p)) }
//!
//! misses its p is at most Σ e·p ≤ e. So all intervals hold together with confidence 1-e, and the events need not be
//! known in advance.
//!
//! A row of a table may hold a range of values, and the samples decide which ranges a table has. So the bounds hold for
//! all ranges of two families that are known beforehand:
//!
//! - The *round blocks*: the ranges from a multiple of w to the next, where w is 2, 5, 10, 20, 50, …. The blocks of one
//!   width exclude each other, so the intervals above hold for all of them with an error e(k) for the k-th width. With
//!   e(k) = e/(k(k+1)), the errors of all widths add up to e.
//! - The *half-lines*: all numbers above or below some number, with or without that number. Each contains a half-line
//!   that begins with a sample, and is contained in one that begins behind a sample, and both have the same count. Given
//!   the sample where a half-line begins, the other n-1 samples are independent of it, and Chernoff's bound holds for
//!   them. There are four kinds of half-lines (above or below, with the sample or without), at most n of a kind, and all
//!   numbers together. Each kind is used for one bound only. So with t = ln(4(n+1)/e) all bounds hold with error e.
//!
//! The cumulative distribution of numbers also has a band: with confidence 1-e its distance from the counted one is
//! nowhere more than √(ln(2/e)/2n) (P. Massart, "The tight constant in the Dvoretzky–Kiefer–Wolfowitz inequality", Ann.
//! Probab. 18 (1990), corollary 1).
//!
//! The error of all is 0.05: 0.0125 for the values, 0.00625 each for the blocks and the half-lines, 0.025 for the band.
//!
//! Floats are allowed here: no number in this file is a probability of a rule, and every bound is rounded outward by
//! more than the errors of its computation.
#![expect(
    clippy::float_arithmetic,
    reason = "bounds of an estimate, rounded outward"
)]

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::One as _;

use crate::number::Fraction;

/// The probability that the interval of some value is wrong.
const ERROR_OF_VALUES: f64 = 0.0125;

/// The probability that the interval of some round block is wrong.
const ERROR_OF_BLOCKS: f64 = 0.00625;

/// The probability that the interval of some half-line is wrong.
const ERROR_OF_HALF_LINES: f64 = 0.00625;

/// The probability that the band is wrong.
const ERROR_OF_BAND: f64 = 0.025;

/// The probability, at least, that all intervals and the band are right.
pub(super) fn confidence() -> Fraction {
    Fraction::new(95.into(), 100.into())
}

/// The largest number of samples for which bounds are computed. Up to this number the errors of the arithmetic are
/// small enough.
pub(super) const MAX_SAMPLES: u64 = 1_000_000_000;

/// The grid on which bounds are rounded outward.
const GRID: i64 = 1_000_000_000_000;

/// How often an interval of doubles is halved. More halvings make no difference.
const HALVINGS: u32 = 60;

/// Bounds of a probability, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower bound.
    pub low: Fraction,
    /// The upper bound.
    pub high: Fraction,
}

impl Interval {
    /// The probabilities within a distance of the middle.
    pub(super) fn centred_at(middle: &Fraction, distance: &Fraction) -> Self {
        let [zero, one] = [0, 1].map(|whole| Fraction::from_integer(whole.into()));
        Self {
            low: (middle - distance).max(zero),
            high: (middle + distance).min(one),
        }
    }

    /// The probabilities in both intervals.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// Intervals for the probabilities of events that exclude each other, all of them right with confidence `1 - error`.
#[derive(Debug)]
pub(super) struct Intervals {
    samples: f64,
    error: f64,
    known: BTreeMap<u64, Interval>,
}

impl Intervals {
    /// The intervals for a number of samples, from 1 to [`MAX_SAMPLES`], and an error above 0.
    fn new(samples: u64, error: f64) -> Self {
        Self {
            samples: float(samples),
            error,
            known: BTreeMap::new(),
        }
    }

    /// The intervals for all values.
    pub(super) fn of_values(samples: u64) -> Self {
        Self::new(samples, ERROR_OF_VALUES)
    }

    /// The interval of an event that was seen `count` times.
    pub(super) fn of(&mut self, count: u64) -> Interval {
        if let Some(known) = self.known.get(&count) {
            return known.clone();
        }
        let share = float(count) / self.samples;
        let rejects = |probability: f64| self.rejects(share, probability);
        let interval = Interval {
            low: on_grid(boundary(share, 0.0, rejects), f64::floor),
            high: on_grid(boundary(share, 1.0, rejects), f64::ceil),
        };
        self.known.insert(count, interval.clone());
        interval
    }

    /// Whether `n·D(q, p) + ln p > ln(2/e)`. Going from `p = q` to 0 or to 1, this is first false, then true: the
    /// left side falls up to `p = (nq-1)/(n-1) <= q`, and grows from there.
    fn rejects(&self, share: f64, probability: f64) -> bool {
        // At p = 0 an event that was seen once or never is not rejected, because n·D + ln p is bounded above there.
        if probability <= 0.0 {
            return share * self.samples > 1.5;
        }
        let distance = self.samples * divergence(share, probability);
        distance + probability.ln() > (2.0 / self.error).ln() + spare(self.samples)
    }
}

/// The place of the width of a round block among all widths, from 1; `None` if the range is no round block.
pub(super) fn rank_of_block(low: &BigInt, high: &BigInt) -> Option<u32> {
    let mut width: BigInt = high - low + 1_u32;
    if width <= BigInt::one() || !low.is_multiple_of(&width) {
        return None;
    }
    let ten = BigInt::from(10_u32);
    let mut tens: u32 = 0;
    while width.is_multiple_of(&ten) {
        width /= &ten;
        tens += 1;
    }
    let step = [1_u32, 2, 5]
        .iter()
        .position(|&step| width == BigInt::from(step))?;
    tens.checked_mul(3)?.checked_add(u32::try_from(step).ok()?)
}

/// The interval of a round block whose width has this rank and in which `count` samples lie.
pub(super) fn of_block(samples: u64, rank: u32, count: u64) -> Interval {
    let rank = f64::from(rank.max(1));
    Intervals::new(samples, ERROR_OF_BLOCKS / (rank * (rank + 1.0))).of(count)
}

/// The interval of a half-line in which `count` samples lie.
pub(super) fn of_half_line(samples: u64, count: u64) -> Interval {
    let all = float(samples);
    let others = all - 1.0;
    let limit = (4.0 * (all + 1.0) / ERROR_OF_HALF_LINES).ln() + spare(all);
    let bound = |count: u64, end: f64| {
        if others < 1.0 {
            return end;
        }
        let share = (float(count) / others).min(1.0);
        let rejects = |probability: f64| others * divergence(share, probability) > limit;
        boundary(share, end, rejects)
    };
    Interval {
        // The interval from a sample on counts the sample itself.
        low: on_grid(bound(count.saturating_sub(1), 0.0), f64::floor),
        // The interval behind a sample does not.
        high: on_grid(bound(count, 1.0), f64::ceil),
    }
}

/// The boundary, between the share and an end (0 or 1), beyond which probabilities are rejected. It is rounded towards
/// the end.
fn boundary(share: f64, end: f64, rejects: impl Fn(f64) -> bool) -> f64 {
    if !rejects(end) {
        return end;
    }
    let (mut accepted, mut rejected) = (share, end);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(accepted, rejected);
        if rejects(middle) {
            rejected = middle;
        } else {
            accepted = middle;
        }
    }
    rejected
}

/// `D(q, p)`
fn divergence(share: f64, probability: f64) -> f64 {
    term(share, probability) + term(1.0 - share, 1.0 - probability)
}

/// More than the errors of the computation of `n·D(q, p)`.
fn spare(samples: f64) -> f64 {
    1e-6 + samples * 1e-14
}

/// `q ln(q/p)`, which is 0 for q = 0.
fn term(q: f64, p: f64) -> f64 {
    if q <= 0.0 { 0.0 } else { q * (q / p).ln() }
}

/// The largest distance between the true and the counted cumulative distribution.
pub(super) fn band_of(samples: u64) -> Fraction {
    band(samples, ERROR_OF_BAND)
}

/// The largest distance between the true and the counted cumulative distribution, with confidence `1 - error`.
fn band(samples: u64, error: f64) -> Fraction {
    on_grid(
        ((2.0 / error).ln() / (2.0 * float(samples))).sqrt(),
        f64::ceil,
    )
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn float(count: u64) -> f64 {
    debug_assert!(count <= MAX_SAMPLES);
    count as f64
}

/// A share as a fraction, rounded to the grid.
#[expect(clippy::cast_possible_truncation, reason = "from 0 to the grid")]
fn on_grid(share: f64, round: fn(f64) -> f64) -> Fraction {
    #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
    let grid = GRID as f64;
    let place = round(share.clamp(0.0, 1.0) * grid) as i64;
    Fraction::new(BigInt::from(place.clamp(0, GRID)), BigInt::from(GRID))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(numerator: i64) -> Fraction {
        Fraction::new(numerator.into(), 100.into())
    }

    /// Whether a fraction is within a millionth of this number of millionths.
    fn is_near(fraction: &Fraction, millionths: i64) -> bool {
        let [low, high] =
            [millionths - 1, millionths + 1].map(|n| Fraction::new(n.into(), 1_000_000.into()));
        (low..=high).contains(fraction)
    }

    #[test]
    fn an_interval_ends_where_chernoff_refuses() {
        // D(1/2, p) = -ln(4p(1-p))/2, so for 50 of 100 and e = 0.05 the ends are the roots of
        // ln p - 50 ln(4p(1-p)) = ln 40, found by bisection elsewhere.
        let interval = Intervals::new(100, 0.05).of(50);
        assert!(is_near(&interval.low, 349_633), "{interval:?}");
        assert!(is_near(&interval.high, 640_847), "{interval:?}");
    }

    #[test]
    fn the_band_is_that_of_massart() {
        // The root of ln 40 / 20,000.
        assert!(is_near(&band(10_000, 0.05), 13_581));
    }

    #[test]
    fn round_blocks_begin_at_multiples_of_a_round_width() {
        let rank = |low: i64, high: i64| rank_of_block(&low.into(), &high.into());
        assert_eq!(rank(4, 5), Some(1));
        assert_eq!(rank(-2, -1), Some(1));
        assert_eq!(rank(-5, -1), Some(2));
        assert_eq!(rank(0, 9), Some(3));
        assert_eq!(rank(400, 599), Some(7));
        assert_eq!(rank(3, 4), None, "not at a multiple");
        assert_eq!(rank(0, 2), None, "no round width");
        assert_eq!(rank(4, 4), None, "a single value");
        assert_eq!(rank(5, 4), None, "nothing");
    }

    #[test]
    fn a_block_has_the_interval_of_its_share_of_the_error() {
        // As in the first test, with e = 0.00625 / (1·2): the roots of ln p - 50 ln(4p(1-p)) = ln 640.
        let interval = of_block(100, 1, 50);
        assert!(is_near(&interval.low, 311_941), "{interval:?}");
        assert!(is_near(&interval.high, 678_891), "{interval:?}");
    }

    #[test]
    fn a_half_line_has_the_interval_of_the_other_samples() {
        // Of 101 samples 50 lie there, or 51: the roots of -50 ln(4p(1-p)) = ln(4·102/0.00625) are
        // (1 ± √(1 - (4·102/0.00625)^(-1/50)))/2, which is 0.5 ± 0.222973.
        assert!(is_near(&of_half_line(101, 51).low, 277_027));
        assert!(is_near(&of_half_line(101, 50).high, 722_973));
        let [zero, one] = [0, 1].map(|whole| Fraction::from_integer(whole.into()));
        for count in [0, 1] {
            assert_eq!(of_half_line(101, count).low, zero);
        }
        for count in [100, 101] {
            assert_eq!(of_half_line(101, count).high, one);
        }
    }

    #[test]
    fn what_was_hardly_seen_may_be_as_rare_as_it_likes() {
        let mut intervals = Intervals::new(1_000, 0.05);
        let zero = Fraction::from_integer(0.into());
        for count in [0, 1] {
            assert_eq!(intervals.of(count).low, zero);
            assert!(intervals.of(count).high > zero);
        }
        assert!(intervals.of(2).low > zero);
        assert_eq!(
            intervals.of(1_000).high,
            Fraction::from_integer(1.into()),
            "always seen"
        );
        assert!(intervals.of(1_000).low > percent(98));
    }

    #[test]
    fn intervals_grow_with_the_confidence_and_shrink_with_the_samples() {
        let width = |samples, error| {
            let interval = Intervals::new(samples, error).of(samples / 4);
            interval.high - interval.low
        };
        assert!(width(1_000, 0.01) > width(1_000, 0.1));
        assert!(width(1_000, 0.05) > width(10_000, 0.05));
        assert!(band(1_000, 0.01) > band(1_000, 0.1));
    }
}
