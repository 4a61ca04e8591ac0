//! Two independent values: the greater, the lesser, and how they compare.

use super::weights::from_limbs;
use super::{Numbers, Stop, Weight, Weights};
use crate::limits::{Budget, Reserved};
use crate::number::Integer;

impl Numbers {
    /// The greater of two independent values: `P(max ≤ x) = P(a ≤ x)·P(b ≤ x)`.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn highest(&self, other: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        let total = &self.total * &other.total;
        let mut points = Vec::new();
        let mut weights = Weights::zeros(self.weights.len() + other.weights.len(), total.bits());
        let _reserved = Reserved::new(budget, weights.bytes())?;
        let (mut below_a, mut below_b) = (Weight::ZERO, Weight::ZERO);
        for step in Merged::new(self, other) {
            budget.check()?;
            let weight = &step.a * (&below_b + &step.b) + &below_a * &step.b;
            weights.set(points.len(), &weight);
            points.push(step.outcome);
            below_a += step.a;
            below_b += step.b;
        }
        let weights = weights.slice(0..points.len());
        Ok(Self::from_points(points, weights, total))
    }

    /// The lesser of two independent values.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn lowest(&self, other: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        Ok(self.negated().highest(&other.negated(), budget)?.negated())
    }

    /// The weights of one value being less than, equal to and greater than another, independent value.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let duel = Numbers::die(6).compared(&Numbers::die(4), &budget)?;
    /// assert_eq!(duel.equal, 4_u32.into());
    /// assert_eq!(duel.greater, 14_u32.into());
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn compared(&self, other: &Self, budget: &Budget<'_>) -> Result<Compared, Stop> {
        let mut compared = Compared {
            less: Weight::ZERO,
            equal: Weight::ZERO,
            greater: Weight::ZERO,
            total: &self.total * &other.total,
        };
        let (mut below_a, mut below_b) = (Weight::ZERO, Weight::ZERO);
        for step in Merged::new(self, other) {
            budget.check()?;
            compared.less += &below_a * &step.b;
            compared.greater += &below_b * &step.a;
            compared.equal += &step.a * &step.b;
            below_a += step.a;
            below_b += step.b;
        }
        Ok(compared)
    }
}

/// How two independent values compare, as weights over the product of their totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The weight of rolls in which the first is less than the second.
    pub less: Weight,
    /// The weight of rolls in which both are equal.
    pub equal: Weight,
    /// The weight of rolls in which the first is greater than the second.
    pub greater: Weight,
    /// The common denominator.
    pub total: Weight,
}

/// An outcome with its weight in each of two measures.
struct MergedStep {
    outcome: Integer,
    a: Weight,
    b: Weight,
}

/// The outcomes of two measures, ascending, each once.
struct Merged<'a> {
    a: &'a Numbers,
    b: &'a Numbers,
    next_a: usize,
    next_b: usize,
}

impl<'a> Merged<'a> {
    fn new(a: &'a Numbers, b: &'a Numbers) -> Self {
        Self {
            a,
            b,
            next_a: 0,
            next_b: 0,
        }
    }
}

impl Iterator for Merged<'_> {
    type Item = MergedStep;

    fn next(&mut self) -> Option<MergedStep> {
        let a = (self.next_a < self.a.weights.len()).then(|| self.a.outcome_at(self.next_a));
        let b = (self.next_b < self.b.weights.len()).then(|| self.b.outcome_at(self.next_b));
        let outcome = match (&a, &b) {
            (Some(a), Some(b)) => a.min(b).clone(),
            (Some(only), None) | (None, Some(only)) => only.clone(),
            (None, None) => return None,
        };
        let mut step = MergedStep {
            a: Weight::ZERO,
            b: Weight::ZERO,
            outcome,
        };
        if a.is_some_and(|a| a == step.outcome) {
            step.a = from_limbs(self.a.weights.at(self.next_a));
            self.next_a += 1;
        }
        if b.is_some_and(|b| b == step.outcome) {
            step.b = from_limbs(self.b.weights.at(self.next_b));
            self.next_b += 1;
        }
        Some(step)
    }
}
