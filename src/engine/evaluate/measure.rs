//! The random results of the slow evaluator: the exact weight of every value and of every way to have no value.
//!
//! This arithmetic shares nothing with the laws of the algebra: a judge that shared it would not notice its errors.

use crate::algebra::Weight;
use crate::algebra::weight::lcm;
use crate::engine::failure::Failure;
use crate::engine::outcomes::List;
use crate::error::ErrorKind;
use crate::limits::{Budget, LimitReached};
use crate::map::{Map, ValueMap};

/// A random result: the weights of values, of errors, of paths that never end, and of unresolved paths, over one
/// total.
#[derive(Clone)]
pub(super) struct Measure<T> {
    pub(super) values: ValueMap<T, Weight>,
    pub(super) failures: Map<Failure, Weight>,
    pub(super) never_ends: Weight,
    pub(super) unresolved: Weight,
    pub(super) total: Weight,
}

pub(super) type Evaluated<T> = Result<Measure<T>, LimitReached>;

/// What a path leads to.
pub(in crate::engine) type PathEnd = Result<List, Failure>;

/// Ends with their weights, in an order that is the same on each run.
pub(super) fn in_order(ends: impl Iterator<Item = (PathEnd, Weight)>) -> Vec<(PathEnd, Weight)> {
    let mut ends: Vec<(PathEnd, Weight)> = ends.collect();
    ends.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    ends
}

impl Measure<List> {
    /// The values and the failures with their weights, in an order that is the same on each run.
    pub(super) fn into_ends(self) -> Vec<(PathEnd, Weight)> {
        let values = self.values.into_iter();
        let failures = self.failures.into_iter();
        let ends = values
            .map(|(list, weight)| (Ok(list), weight))
            .chain(failures.map(|(failure, weight)| (Err(failure), weight)));
        in_order(ends)
    }

    /// Whether the value is surely the empty list.
    pub(super) fn is_certainly_empty(&self) -> bool {
        self.values.len() == 1 && self.values.get([].as_slice()) == Some(&self.total)
    }
}

impl<T: Eq + std::hash::Hash> Measure<T> {
    pub(super) fn zero(total: Weight) -> Self {
        Self {
            values: ValueMap::default(),
            failures: Map::default(),
            never_ends: Weight::ZERO,
            unresolved: Weight::ZERO,
            total,
        }
    }

    pub(super) fn certain(value: T) -> Self {
        let mut measure = Self::zero(Weight::from(1_u32));
        measure.values.insert(value, Weight::from(1_u32));
        measure
    }

    pub(super) fn failed(kind: ErrorKind, span: crate::source::Span) -> Self {
        let mut measure = Self::zero(Weight::from(1_u32));
        measure
            .failures
            .insert(Failure { span, kind }, Weight::from(1_u32));
        measure
    }

    pub(super) fn never_ending() -> Self {
        Self {
            never_ends: Weight::from(1_u32),
            ..Self::zero(Weight::from(1_u32))
        }
    }

    /// Replaces each value by the random result that it leads to. Weight on no value stays as it is.
    pub(super) fn and_then<U, F>(self, budget: &Budget<'_>, mut next: F) -> Evaluated<U>
    where
        U: Eq + std::hash::Hash,
        F: FnMut(T) -> Evaluated<U>,
    {
        let mut result = Measure::zero(self.total.clone());
        result.failures = self.failures;
        result.never_ends = self.never_ends;
        result.unresolved = self.unresolved;
        // The totals of all branches so far divide `scale`.
        let mut scale = Weight::from(1_u32);
        for (value, weight) in self.values {
            let branch = next(value)?;
            let common = lcm(&scale, &branch.total);
            if common != scale {
                result.scale(&(&common / &scale), budget)?;
                scale = common;
            }
            result.add(branch, &weight, &scale, budget)?;
        }
        Ok(result)
    }

    /// Replaces each value by a function of it.
    pub(super) fn map<U, F>(self, budget: &Budget<'_>, mut form: F) -> Evaluated<U>
    where
        U: Eq + std::hash::Hash,
        F: FnMut(T) -> U,
    {
        self.and_then(budget, |value| Ok(Measure::certain(form(value))))
    }

    pub(super) fn scale(
        &mut self,
        factor: &Weight,
        budget: &Budget<'_>,
    ) -> Result<(), LimitReached> {
        self.total *= factor;
        self.never_ends *= factor;
        self.unresolved *= factor;
        for weight in self.values.values_mut().chain(self.failures.values_mut()) {
            budget.check()?;
            *weight *= factor;
        }
        Ok(())
    }

    /// Adds `weight` times a branch whose total divides `scale`.
    pub(super) fn add(
        &mut self,
        branch: Self,
        weight: &Weight,
        scale: &Weight,
        budget: &Budget<'_>,
    ) -> Result<(), LimitReached> {
        let factor = weight * (scale / &branch.total);
        for (value, weight) in branch.values {
            budget.check()?;
            budget.has_room_for_more(&self.values, 1)?;
            let entry = self.values.entry(value);
            if matches!(entry, hashbrown::hash_map::Entry::Vacant(_)) {
                budget.count_states(1)?;
            }
            *entry.or_default() += weight * &factor;
        }
        for (failure, weight) in branch.failures {
            *self.failures.entry(failure).or_default() += weight * &factor;
        }
        self.never_ends += branch.never_ends * &factor;
        self.unresolved += branch.unresolved * &factor;
        budget.check()
    }
}
