//! Events: what may go wrong, beside the values of a program.
//!
//! Nodes are total: where an operator is not defined, its node has some value all the same. What would have been an error is an
//! *event* beside it, a number that is 1 when evaluation comes to the operator and it is not defined. A program fails if any
//! of its events happens; if none can, its node is its value.

use crate::engine::failure::Failure;
use crate::engine::program::NodeId;

/// Something that may go wrong, and the number that is 1 if it does and else 0.
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
    /// An error inside of a loop: which one is known once the loop with marks among its values is solved.
    FailsInLoop { values: NodeId, marked: NodeId },
    /// A loop may never end; the number is 0 once it is over. The other is 0 once it is over or has failed.
    NeverEnds(NodeId),
}

/// Whether it matters which of some events comes first: an error, and another that differs or a loop that may not end.
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

/// The events found so far, and the condition under which what is translated now is evaluated.
#[derive(Debug, Default)]
pub(in crate::engine) struct Hazards {
    pub(super) path: Vec<NodeId>,
    pub(super) found: Vec<Hazard>,
}
