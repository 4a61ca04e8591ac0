//! The faces of a pool in the order of their ranks, and the task of summing the dice with certain ranks.
//!
//! In: the kinds of dice of a pool, and the value of each face. Out: [`Ranked`] faces, with their values as offsets on
//! one progression, and a [`Task`] that `order_statistics` and `walk` solve.

use super::numbers::{common_progression, memory};
use super::progression::index;
use super::{Numbers, Stop, Weight, Weights};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;

/// One face of the pool: its value when kept, as an offset in steps above the least value, and its weight in each kind
/// of dice.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) offset: usize,
    pub(super) weights: Vec<Weight>,
}

/// The faces of all kinds in the order of their ranks.
pub(super) struct Ranked {
    pub(super) faces: Vec<Face>,
    /// The least value of a face, and the common step of the values.
    pub(super) first: Integer,
    pub(super) step: Integer,
    /// The number of steps between the least and the greatest value.
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

/// A sum to compute: the offsets of the faces with certain ranks among n dice. The result has `length` weights, each less than
/// `2^bits`: those of all `kept·span + 1` sums, or, for the highest dice of one kind, those of the least sums alone.
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

impl<'a> Task<'a> {
    /// All sums of so many kept dice, of the kinds that are ranked. All rolls together weigh less than `2^bits`.
    pub(super) fn new(
        ranked: &'a Ranked,
        kinds: &'a [(Numbers, u64)],
        kept: u64,
        bits: u64,
        budget: &'a Budget<'a>,
    ) -> Result<Self, LimitReached> {
        let length = (ranked.span as u64)
            .checked_mul(kept)
            .and_then(|span| usize::try_from(span.checked_add(1)?).ok())
            .ok_or_else(|| memory(budget))?;
        Ok(Self {
            faces: &ranked.faces,
            kinds,
            n: kinds.iter().map(|(_, count)| count).sum(),
            kept,
            length,
            span: ranked.span,
            bits,
            budget,
        })
    }

    /// The bytes of the result.
    pub(super) fn bytes(&self) -> u64 {
        Weights::bytes_for(self.length as u64, self.bits)
    }

    /// Whether no face has a smaller offset than a lower face.
    pub(super) fn ascends(&self) -> bool {
        self.faces
            .is_sorted_by(|face, next| face.offset <= next.offset)
    }

    /// Solves the task with the order of the faces reversed, and their offsets counted from the greatest value down.
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
