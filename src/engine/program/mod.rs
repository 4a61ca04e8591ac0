//! Residual programs, and what is known of them: data, and no algorithm.
//!
//! A [`node`] is a residual program: a deterministic function of what [`pool`]s hide. The [`store`] interns nodes and
//! keeps all memos. A [`context`] says what is known of the pools at a step. [`structure`] finds what a node
//! mentions, and [`terms`] finds what a term of the core program uses. The [`oracle`] asks higher floors, and remembers
//! their answers.

pub(super) mod bodies;
pub(super) mod context;
mod integer;
pub(super) mod interval;
pub(super) mod laws;
mod members;
mod memo;
pub(super) mod node;
pub(super) mod oracle;
pub(super) mod order;
mod parts;
mod pool;
mod stable;
pub(super) mod store;
mod structure;
mod terms;

pub(super) use bodies::{BodyImage, Instance, LoopImage};
pub(super) use context::{Context, Facet, Knowledge, ShownDice};
pub(super) use integer::{MARKS, is_infinite, minus, narrow, plus, times, value_or_zero};
pub(super) use interval::{Bounds, Hidden, arithmetic_bounds, fold_bounds};
pub(super) use laws::{LawOfLists, bytes_of_list, complete};
pub(super) use members::{Members, merged, size_of};
pub(super) use memo::Epoch;
pub(super) use node::{
    Body, BodyMode, Closure, ClosureId, Compare, Image, LoopQuestion, Node, NodeId, Reduction,
};
pub(super) use order::Order;
pub(super) use pool::{Beyond, Die, DieId, Drawing, Places, Pool, PoolId};
pub(super) use stable::Stable;
pub(super) use store::{Depth, LinearScratch, Oracle, Store};
pub(super) use terms::MOST_MEMBERS;
