//! Limits of an analysis: the bounds that a caller sets, the budget that keeps them, and the limit that was reached.

mod budget;
mod limit;

pub use budget::Budget;
pub(crate) use budget::{Reserved, StackPiece, WorkPart, system_gives};
pub use limit::{
    FaceOrder, LimitReached, Limits, MAX_CHAIN, MAX_DEPTH, MAX_LIST, MAX_TEXT, Observer, Unobserved,
};
