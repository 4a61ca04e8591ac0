//! The keys on the ways through a graph, for loops. One step of a loop is a whole graph.

use super::graph::Graph;
use super::strip::{Lists, Monoid, Sums};
use super::weigh;
use crate::algebra::{Numbers, Weight};
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::Budget;
use crate::number::Integer;

/// The weight of each key on the way to a leaf of a graph.
pub(in crate::engine) type Reached<K> = Vec<(K, Weight)>;

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
