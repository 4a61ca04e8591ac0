//! What is left of a rule: data, and no algorithm.
//!
//! A [`node`] is a residual program, a deterministic function of what [`pool`]s hide. The [`store`] interns nodes and keeps all memos;
//! a [`context`] says what is known of the pools at a step. [`structure`] reads off a node what it mentions, [`terms`] off a term of the core
//! program what it uses. The [`door`] asks higher floors, and remembers what they answered.

pub(super) mod bodies;
pub(super) mod context;
pub(super) mod door;
pub(super) mod integer;
pub(super) mod interval;
pub(super) mod laws;
pub(super) mod members;
pub(super) mod memo;
pub(super) mod node;
pub(super) mod order;
pub(super) mod pool;
pub(super) mod store;
pub(super) mod structure;
pub(super) mod terms;
