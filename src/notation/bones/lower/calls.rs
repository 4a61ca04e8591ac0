//! The definitions that are being unfolded.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::values::{Members, TypedTerm, ValueType};
use crate::number::Integer;
use crate::source::Span;

/// How deep definitions may use each other.
pub(super) const DEEPEST: usize = 1_000;

/// What is known of an argument.
pub(super) type Facts = (ValueType, Members, Option<usize>, Option<Rc<[Integer]>>);

/// A definition by its place among all, with what is known of its arguments. Two calls with equal keys unfold in the same way.
pub(super) type Signature = (usize, Vec<Facts>);

/// The definitions that are being unfolded.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub(super) open: Vec<Call>,
    /// The values of calls whose arguments are all known, without free variables.
    pub(super) done: BTreeMap<(usize, Vec<Vec<Integer>>), TypedTerm>,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) key: Signature,
    /// The place that stands for all places of the definition, if it is in another source than the rule.
    pub(super) place: Option<Span>,
    /// How many conditions around the place that is being unfolded were decided before any roll.
    pub(super) decided: usize,
}

impl Calls {
    /// Whether a definition is being unfolded.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The place that stands for the places of the tree that is being lowered.
    pub(super) fn place(&self) -> Option<Span> {
        self.open.last()?.place
    }

    /// A condition was decided before any roll.
    pub(super) fn decide(&mut self) {
        if let Some(call) = self.open.last_mut() {
            call.decided += 1;
        }
    }

    /// The branch of the last decided condition ends.
    pub(super) fn undo(&mut self) {
        if let Some(call) = self.open.last_mut() {
            call.decided -= 1;
        }
    }
}
