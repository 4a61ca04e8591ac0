//! Hazards: the events beside the values of a program in which something goes wrong.
//!
//! Nodes are total: where an operator is not defined, its node still has some value. The error is an *event* beside
//! the node: a number that is 1 if evaluation reaches the operator and the operator is not defined, else 0. A program
//! fails if any of its events happens. If no event can happen, the node of the program is its value.

use crate::engine::failure::Failure;
use crate::engine::program::NodeId;

/// A hazard: what may go wrong, and the number that is 1 if it does and else 0.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Hazard {
    pub(in crate::engine) when: NodeId,
    pub(in crate::engine) kind: HazardKind,
}

/// What may go wrong.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) enum HazardKind {
    /// An error.
    Fails(Failure),
    /// An error in a round of a loop. Which error it is follows from the same loop with marks among its values, once
    /// that is solved.
    FailsInLoop { values: NodeId, marked: NodeId },
    /// A loop may never end. The number of the hazard is 0 once the loop is over. The number here is 0 once the loop
    /// is over or has failed.
    NeverEnds(NodeId),
}

/// Whether the order of these hazards matters: one is an error, and another is a different error or a loop that may
/// never end.
pub(in crate::engine) fn order_matters(hazards: &[Hazard]) -> bool {
    let fails = |hazard: &&Hazard| {
        matches!(
            hazard.kind,
            HazardKind::Fails(_) | HazardKind::FailsInLoop { .. }
        )
    };
    hazards.iter().find(fails).is_some_and(|error| {
        hazards.iter().any(|other| match (error.kind, other.kind) {
            (HazardKind::Fails(first), HazardKind::Fails(failure)) => first != failure,
            _ => error.when != other.when,
        })
    })
}

/// The hazards found so far, and the conditions under which the current term is evaluated.
#[derive(Debug, Default)]
pub(in crate::engine) struct Hazards {
    pub(super) path: Vec<NodeId>,
    pub(super) found: Vec<Hazard>,
}
