//! Facts about the body of a `foreach` or of a loop that hold for every value that it may be evaluated with.

use crate::engine::failure::Failure;
use crate::engine::program::interval::Bounds;
use crate::engine::program::node::ClosureId;
use crate::engine::program::pool::{DieId, PoolId};

/// The bounds of a body's values for members within bounds, and the ways in which the body can fail.
#[derive(Debug)]
pub(in crate::engine) struct BodyImage {
    pub(in crate::engine) bounds: Bounds,
    pub(in crate::engine) failures: Vec<Failure>,
}

/// The draw that stands for a body that rolls, evaluated for one member.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Instance {
    pub(in crate::engine) die: DieId,
    /// The list that each face stands for, where the value of the body is no number.
    pub(in crate::engine) table: Option<ClosureId>,
    pub(in crate::engine) name: PoolId,
}

/// The bounds of each of a loop's later values, whether its body may fail, and whether it gives nothing but dice
/// that stay hidden.
#[derive(Debug)]
pub(in crate::engine) struct LoopImage {
    pub(in crate::engine) bounds: Bounds,
    pub(in crate::engine) can_fail: bool,
    pub(in crate::engine) is_dice: bool,
}
