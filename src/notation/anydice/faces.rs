//! Listed distributions: the faces of a die, with their weights.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::number::{Integer, Overflow};

/// The bytes that an outcome with its weight takes while a distribution is added up.
pub(super) const BYTES: u64 = 128;

/// Outcomes with their weights, ascending and each once. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Faces(Rc<[(Integer, Integer)]>);

impl Faces {
    /// The only outcome.
    pub(super) fn certain(outcome: Integer) -> Self {
        Self(Rc::new([(outcome, Integer::ONE)]))
    }

    /// The outcomes of a sequence, all members equally likely; `None` for the empty sequence.
    pub(super) fn of_members(members: &[Integer]) -> Option<Self> {
        let mut weights = Weights::default();
        for member in members {
            weights.add(member.clone(), &Integer::ONE).ok()?;
        }
        weights.faces()
    }

    /// Outcomes with weights, ascending and each once; `None` without an outcome.
    pub(super) fn of_ascending(faces: Vec<(Integer, Integer)>) -> Option<Self> {
        let common = faces
            .iter()
            .fold(Integer::ZERO, |common, (_, weight)| common.gcd(weight));
        let reduced = |(outcome, weight): (Integer, Integer)| {
            let weight = weight.div(&common).unwrap_or(weight);
            (outcome, weight)
        };
        let faces: Vec<_> = if common == Integer::ONE {
            faces
        } else {
            faces.into_iter().map(reduced).collect()
        };
        (!faces.is_empty()).then(|| Self(faces.into()))
    }

    /// The outcomes with their weights, ascending.
    pub(super) fn weighted(&self) -> &[(Integer, Integer)] {
        &self.0
    }

    pub(super) fn outcomes(&self) -> impl Iterator<Item = &Integer> {
        self.0.iter().map(|(outcome, _)| outcome)
    }

    pub(super) fn total(&self) -> Result<Integer, Overflow> {
        let mut weights = self.0.iter().map(|(_, weight)| weight);
        weights.try_fold(Integer::ZERO, |total, weight| total.add(weight))
    }

    pub(super) fn least(&self) -> &Integer {
        &self.0[0].0
    }

    /// The number of outcomes.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn greatest(&self) -> &Integer {
        &self.0[self.0.len() - 1].0
    }

    /// The only outcome, if there is one.
    pub(super) fn only(&self) -> Option<&Integer> {
        match &*self.0 {
            [(outcome, _)] => Some(outcome),
            _ => None,
        }
    }

    /// The distribution of a function of the outcome.
    pub(super) fn relabelled<E: From<Overflow>>(
        &self,
        mut label: impl FnMut(&Integer) -> Result<Integer, E>,
    ) -> Result<Self, E> {
        let mut weights = Weights::default();
        for (outcome, weight) in &*self.0 {
            weights.add(label(outcome)?, weight)?;
        }
        Ok(weights.faces().expect("each outcome has a label"))
    }

    /// The die that is rolled again on its greatest outcome, and added, at most `depth` times. Before each time, a function that bounds the
    /// work is given the number of outcomes.
    pub(super) fn exploded<E: From<Overflow>>(
        &self,
        depth: u32,
        mut has_room: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut exploded = self.clone();
        let total = self.total()?;
        let (last, others) = self.0.split_last().expect("there is a face");
        if others.is_empty() {
            let times = Integer::from(i64::from(depth)).add(&Integer::ONE)?;
            return Ok(Self::certain(last.0.mul(&times)?));
        }
        for _ in 0..depth {
            has_room(exploded.0.len() + others.len())?;
            let behind = exploded.total()?;
            let mut weights = Weights::default();
            for (outcome, weight) in others {
                weights.add(outcome.clone(), &weight.mul(&behind)?)?;
            }
            for (outcome, weight) in &*exploded.0 {
                weights.add(outcome.add(&last.0)?, &weight.mul(&last.1)?)?;
            }
            debug_assert!(total >= Integer::ONE, "weights are positive");
            exploded = weights.faces().expect("there are faces");
        }
        Ok(exploded)
    }
}

/// A distribution while it is added up.
#[derive(Debug, Default)]
pub(super) struct Weights(BTreeMap<Integer, Integer>);

impl Weights {
    pub(super) fn add(&mut self, outcome: Integer, weight: &Integer) -> Result<(), Overflow> {
        let sum = self.0.entry(outcome).or_insert(Integer::ZERO);
        *sum = sum.add(weight)?;
        Ok(())
    }

    /// The number of outcomes so far.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The outcomes with their weights, as they were added.
    pub(super) fn into_iter(self) -> impl Iterator<Item = (Integer, Integer)> {
        self.0.into_iter()
    }

    /// The distribution; `None` without an outcome.
    pub(super) fn faces(self) -> Option<Faces> {
        Faces::of_ascending(self.0.into_iter().collect())
    }
}
