//! The faces of a pool in the order of their ranks, and the task of summing what some ranks count.
//!
//! In: the kinds of dice of a pool, and what each face counts. Out: [`Ranked`] faces as offsets on one progression, and a
//! [`Task`] that `order_statistics` and `walk` solve.

use super::numbers::{common_progression, index, memory};
use super::{Numbers, Stop, Weight, Weights};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;

/// One face of the pool: what it counts when kept, as an offset in steps above the least, and its weight
/// in each kind of dice.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) offset: usize,
    pub(super) weights: Vec<Weight>,
}

/// The faces of all kinds in the order of their ranks.
pub(super) struct Ranked {
    pub(super) faces: Vec<Face>,
    /// What the faces count at the least, and the common step of what they count.
    pub(super) first: Integer,
    pub(super) step: Integer,
    /// How many steps lie between the least and the most that a face counts.
    pub(super) span: usize,
}

impl Ranked {
    pub(super) fn new(
        kinds: &[(Numbers, u64)],
        value: &mut impl FnMut(&Integer) -> Result<Integer, Stop>,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let mut outcomes: Vec<Integer> = kinds.iter().flat_map(|(die, _)| die.outcomes()).collect();
        outcomes.sort();
        outcomes.dedup();
        let bits: u64 = kinds.iter().map(|(die, _)| die.total().bits()).sum();
        let _reserved = Reserved::new(budget, Weights::bytes_for(outcomes.len() as u64, bits))?;
        let mut values = Vec::with_capacity(outcomes.len());
        for outcome in &outcomes {
            values.push(value(outcome)?);
        }
        let distinct = Numbers::new(
            values
                .iter()
                .map(|value| (value.clone(), Weight::from(1_u32))),
            values.len().into(),
        );
        let (first, step, length) =
            common_progression(std::iter::once(&distinct)).ok_or_else(|| memory(budget))?;
        let length = length
            .and_then(|length| usize::try_from(length).ok())
            .ok_or_else(|| memory(budget))?;
        let faces = outcomes
            .iter()
            .zip(&values)
            .map(|(outcome, value)| Face {
                offset: index(&first, &step, value),
                weights: kinds
                    .iter()
                    .map(|(die, _)| die.weight_of(outcome))
                    .collect(),
            })
            .collect();
        Ok(Self {
            faces,
            first,
            step,
            span: length - 1,
        })
    }
}

/// What to sum: offsets of the faces with certain ranks among n dice. Every weight of the result is less than
/// `2^bits`, and there are `length = kept·span + 1` of them.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) faces: &'a [Face],
    pub(super) kinds: &'a [(Numbers, u64)],
    pub(super) n: u64,
    pub(super) kept: u64,
    pub(super) length: usize,
    pub(super) span: usize,
    pub(super) bits: u64,
    pub(super) budget: &'a Budget<'a>,
}

impl Task<'_> {
    /// Whether no face adds less than a lower one.
    pub(super) fn ascends(&self) -> bool {
        self.faces
            .is_sorted_by(|face, next| face.offset <= next.offset)
    }

    /// The same task with the faces and their offsets turned around.
    pub(super) fn mirrored(
        &self,
        solve: impl FnOnce(Task<'_>) -> Result<Weights, LimitReached>,
    ) -> Result<Weights, LimitReached> {
        let faces: Vec<Face> = self
            .faces
            .iter()
            .rev()
            .map(|face| Face {
                offset: self.span - face.offset,
                weights: face.weights.clone(),
            })
            .collect();
        let mut weights = solve(Task {
            faces: &faces,
            ..*self
        })?;
        weights.reverse();
        Ok(weights)
    }
}
