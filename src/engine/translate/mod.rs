//! Symbolic evaluation: a core program as a residual program, every die a pool.
//!
//! Evaluation follows the page of [`crate::ir`], with nodes for values ([`terms`]). What is known is done at once: a `foreach`
//! over known members is unrolled, a decided `if` evaluates one branch. What may go wrong is collected on the way
//! ([`hazards`]), and judged when all is translated.

pub(super) mod bodies;
pub(super) mod draws;
pub(super) mod event;
pub(super) mod foreach;
pub(super) mod hazards;
pub(super) mod loops;
pub(super) mod possible;
pub(super) mod repeat;
pub(super) mod selections;
pub(super) mod terms;
pub(super) mod translator;
