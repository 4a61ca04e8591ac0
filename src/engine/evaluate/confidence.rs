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
//! The cumulative distribution of numbers has a better bound than these intervals give: with confidence 1-e its
//! distance from the counted one is nowhere more than √(ln(2/e)/2n) (P. Massart, "The tight constant in the
//! Dvoretzky–Kiefer–Wolfowitz inequality", Ann. Probab. 18 (1990), corollary 1).
//!
//! Floats are allowed here: no number in this file is a probability of a rule, and every bound is rounded outward by
//! more than the errors of its computation.
#![expect(
    clippy::float_arithmetic,
    reason = "bounds of an estimate, rounded outward"
)]

use std::collections::BTreeMap;

use num_bigint::BigInt;

use crate::engine::answer::Interval;
use crate::number::Fraction;

/// The probability that some interval is wrong, and likewise the probability that the band is wrong.
pub(super) const ERROR: f64 = 0.025;

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

/// Intervals for the probabilities of events that exclude each other, all of them right with confidence `1 - error`.
#[derive(Debug)]
pub(super) struct Intervals {
    samples: f64,
    error: f64,
    known: BTreeMap<u64, Interval>,
}

impl Intervals {
    /// The intervals for a number of samples, from 1 to [`MAX_SAMPLES`], and an error above 0.
    pub(super) fn new(samples: u64, error: f64) -> Self {
        Self {
            samples: float(samples),
            error,
            known: BTreeMap::new(),
        }
    }

    /// The interval of an event that was seen `count` times.
    pub(super) fn of(&mut self, count: u64) -> Interval {
        if let Some(known) = self.known.get(&count) {
            return known.clone();
        }
        let share = float(count) / self.samples;
        let low = self.boundary(share, 0.0);
        let high = self.boundary(share, 1.0);
        let interval = Interval {
            low: on_grid(low.min(share), f64::floor),
            high: on_grid(high.max(share), f64::ceil),
        };
        self.known.insert(count, interval.clone());
        interval
    }

    /// The boundary, between the share and an end (0 or 1), beyond which probabilities are rejected. It is rounded
    /// towards the end.
    fn boundary(&self, share: f64, end: f64) -> f64 {
        if !self.rejects(share, end) {
            return end;
        }
        let (mut accepted, mut rejected) = (share, end);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(accepted, rejected);
            if self.rejects(share, middle) {
                rejected = middle;
            } else {
                accepted = middle;
            }
        }
        rejected
    }

    /// Whether `n·D(q, p) + ln p > ln(2/e)`. Going from `p = q` to 0 or to 1, this is first false, then true: the
    /// left side falls up to `p = (nq-1)/(n-1) <= q`, and grows from there.
    fn rejects(&self, share: f64, probability: f64) -> bool {
        let hit = term(share, probability);
        let missed = term(1.0 - share, 1.0 - probability);
        // At p = 0 an event that was seen once or never is not rejected, because n·D + ln p is bounded above there.
        if probability <= 0.0 {
            return share * self.samples > 1.5;
        }
        let spare = 1e-6 + self.samples * 1e-14;
        self.samples * (hit + missed) + probability.ln() > (2.0 / self.error).ln() + spare
    }
}

/// `q ln(q/p)`, which is 0 for q = 0.
fn term(q: f64, p: f64) -> f64 {
    if q <= 0.0 { 0.0 } else { q * (q / p).ln() }
}

/// The largest distance between the true and the counted cumulative distribution, with confidence `1 - error`.
pub(super) fn band(samples: u64, error: f64) -> Fraction {
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
