//! What is known of the body of a `foreach` or of a loop, whatever the value that it is evaluated with.

use crate::engine::failure::Failure;
use crate::engine::program::interval::Bounds;
use crate::engine::program::node::ClosureId;
use crate::engine::program::pool::{DieId, PoolId};

/// What is known of a body for members within bounds: of its value, and how it can fail.
#[derive(Debug)]
pub(in crate::engine) struct BodyImage {
    pub(in crate::engine) bounds: Bounds,
    pub(in crate::engine) failures: Vec<Failure>,
}

/// What a body that rolls draws for one member.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Instance {
    pub(in crate::engine) die: DieId,
    /// What each face stands for, where the body is no number.
    pub(in crate::engine) table: Option<ClosureId>,
    pub(in crate::engine) name: PoolId,
}

/// What is known of the body of a loop: the bounds of its members, and whether it may fail.
#[derive(Debug)]
pub(in crate::engine) struct LoopImage {
    pub(in crate::engine) bounds: Bounds,
    pub(in crate::engine) can_fail: bool,
}
