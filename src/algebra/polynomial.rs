//! Polynomials that are stored from their lowest exponent on. An exponent is the sum of some faces, its coefficient the
//! weight of this sum.

use std::ops::Range;

use super::{Weight, Weights};

/// A polynomial with its lowest exponent.
#[derive(Clone, Debug)]
pub(super) struct Polynomial {
    pub(super) start: usize,
    pub(super) weights: Weights,
}

impl Default for Polynomial {
    fn default() -> Self {
        Self {
            start: 0,
            weights: Weights::from_u64s(Vec::new()),
        }
    }
}

impl Polynomial {
    pub(super) fn constant(weight: &Weight, bits: u64) -> Self {
        let mut polynomial = Self::default();
        polynomial.add_at(0, weight, bits);
        polynomial
    }

    /// Makes room for a range of exponents with coefficients of so many bits, the same number in all calls for a polynomial.
    pub(super) fn widen(&mut self, range: Range<usize>, bits: u64) {
        let held = self.start..self.start + self.weights.len();
        if self.weights.is_empty() {
            self.start = range.start;
            self.weights = Weights::zeros(range.len(), bits);
        } else if range.start < held.start || range.end > held.end {
            let start = range.start.min(held.start);
            let mut wider = Weights::zeros(range.end.max(held.end) - start, bits);
            wider.add(&self.weights, held.start - start);
            self.start = start;
            self.weights = wider;
        }
    }

    pub(super) fn add_at(&mut self, exponent: usize, weight: &Weight, bits: u64) {
        self.widen(exponent..exponent + 1, bits);
        self.weights.add_at(exponent - self.start, weight);
    }

    /// Adds a multiple of another polynomial times `x^shift`, without exponents from `end` on. This polynomial has none there.
    pub(super) fn add_product_below(
        &mut self,
        end: usize,
        other: &Self,
        factor: &Weight,
        shift: usize,
        bits: u64,
    ) {
        let start = other.start + shift;
        let range = start..end.min(start + other.weights.len());
        if range.is_empty() {
            return;
        }
        self.widen(range, bits);
        let factor = factor.to_u64_digits();
        self.weights
            .add_product_from(start - self.start, &other.weights, 0, &factor);
    }
}
