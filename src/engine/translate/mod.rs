//! Symbolic evaluation: a core program becomes a residual program, in which every die is a pool.
//!
//! Evaluation follows the page of [`crate::ir`], with nodes for values ([`terms`]). Known values are used at once: a
//! `foreach` over known members is unrolled, and a decided `if` evaluates one branch. Hazards are collected on the
//! way ([`hazards`]), and judged when the whole program is translated.

pub(super) mod bodies;
mod by_value;
mod compiled;
mod draws;
mod event;
mod foreach;
mod hazards;
mod last_rolls;
pub(super) mod loops;
mod possible;
mod repeat;
mod selections;
mod terms;
pub(super) mod translator;
mod unused_variables;

pub(super) use draws::{MOST_LIST_FACES, as_face, die_of_pairs};
pub(super) use event::{Hazard, HazardKind};
pub(super) use possible::{any_of, chance_of, possible_failures, probability_of, zero_once_over};
pub(super) use translator::Translator;
pub(super) use unused_variables::without_unused_variables;
