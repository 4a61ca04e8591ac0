//! The keys on the ways through a graph, for loops. One step of a loop is a whole graph.

use super::graph::Graph;
use super::strip::{Lists, Monoid, Sums, Tuples};
use super::weigh;
use crate::algebra::{Numbers, Weight};
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::Budget;
use crate::number::Integer;

/// The weight of each key on the way to a leaf of a graph.
pub(in crate::engine) type Reached<K> = Vec<(K, Weight)>;

/// The steps from a state: transitions with a key, a weight and a destination, and the weight of a step that never
/// ends. They sum to the total, or to less where transitions are not followed.
#[derive(Clone)]
pub(in crate::engine) struct Steps<K, T> {
    pub(in crate::engine) total: Weight,
    pub(in crate::engine) never: Weight,
    pub(in crate::engine) transitions: Vec<(K, Weight, T)>,
}

/// A monoid whose keys are pulled out of each step of a loop.
pub(in crate::engine) trait Stepping: Monoid<Key: Ord> {
    /// The weight of each key on the way to each leaf of a graph, in the order of the leaves.
    fn reached(
        &self,
        graph: &Graph<'_, Self::Key>,
        total: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<Self::Key>>>;
}

impl Stepping for Sums {
    fn reached(
        &self,
        graph: &Graph<'_, i64>,
        total: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<i64>>> {
        let reached = weigh::sums(graph, total, budget)?;
        let bytes = |reached: &Numbers| {
            let entries = reached.weights().len() * size_of::<(i64, Weight)>();
            entries as u64 + reached.weights().bytes()
        };
        budget.has_room_for(reached.iter().map(bytes).sum())?;
        let small = |(sum, weight): (Integer, Weight)| {
            let sum = sum
                .to_i64()
                .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            Ok((sum, weight))
        };
        reached
            .iter()
            .map(|reached| reached.iter().map(small).collect())
            .collect()
    }
}

impl Stepping for Lists {
    fn reached(
        &self,
        graph: &Graph<'_, Vec<i64>>,
        _: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<Vec<i64>>>> {
        let reached = weigh::weights_by_key(graph, |a, b| self.combine(a, b), Self::bytes, budget)?;
        Ok(reached
            .into_iter()
            .map(|reached| reached.into_iter().collect())
            .collect())
    }
}

impl Stepping for Tuples {
    fn reached(
        &self,
        graph: &Graph<'_, Vec<i64>>,
        _: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<Vec<i64>>>> {
        let reached = weigh::weights_by_key(graph, |a, b| self.combine(a, b), Self::bytes, budget)?;
        Ok(reached
            .into_iter()
            .map(|reached| reached.into_iter().collect())
            .collect())
    }
}

/// A monoid of lists or tuples with a grade: a number that a step between two states never lowers.
pub(in crate::engine) trait Graded: Stepping<Key = Vec<i64>> {
    /// The grade of what a step adds.
    fn grade(&self, key: &[i64]) -> u64;

    /// The grade of what is left of a whole list or tuple without its first and its last part.
    fn grade_between(&self, first: &[i64], whole: &[i64], last: &[i64]) -> u64;
}

impl Graded for Lists {
    fn grade(&self, key: &[i64]) -> u64 {
        key.len() as u64
    }

    fn grade_between(&self, first: &[i64], whole: &[i64], last: &[i64]) -> u64 {
        whole.len().saturating_sub(first.len() + last.len()) as u64
    }
}

impl Graded for Tuples {
    fn grade(&self, key: &[i64]) -> u64 {
        key.iter().map(|number| number.unsigned_abs()).sum()
    }

    fn grade_between(&self, first: &[i64], whole: &[i64], last: &[i64]) -> u64 {
        let parts = first.iter().zip(whole).zip(last);
        parts
            .map(|((first, whole), last)| (whole - first - last).unsigned_abs())
            .sum()
    }
}
