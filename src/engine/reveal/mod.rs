//! Revealing: the graph of residual programs.
//!
//! What comes in is a residual program that mentions pools. What goes out is the graph of all programs that it can
//! become, face by face, with the weight of each step. [`exploration`] builds the graph, one [`level`] after the
//! other, over the [`faces`] that the program can tell apart. [`strip`] pulls out the differences between programs
//! that can be one state, and [`weigh`] carries weights through the graph. Before that, [`closed_parts`] are solved
//! and [`decks`] are cut, and conditions that must be decided first are found ([`undecided`]). One round of a loop is
//! such a graph, too ([`rounds`]).

mod closed_parts;
mod decks;
mod exploration;
mod faces;
mod graph;
mod level;
mod reached;
mod rounds;
pub(super) mod strip;
mod tails;
mod undecided;
mod union;
mod valued;
pub(super) mod weigh;

pub(super) use closed_parts::closed_parts_solved;
pub(super) use decks::{add_unseen_places, with_decks_cut};
pub(super) use exploration::graph;
pub(super) use graph::{Graph, Leaf};
pub(super) use reached::{Graded, Stepping, Steps};
pub(super) use rounds::{canonical_state, steps};
pub(super) use strip::{Best, Lists, Monoid, Sums, Tuples, written_out};
pub(super) use tails::{Tails, dice_in_tails, tail_of};
pub(super) use undecided::{EndlessParts, condition_to_decide};
pub(super) use union::with_single_dice_as_pools;
pub(super) use valued::Valued;
pub(super) use weigh::{Measures, MomentsBeyond};
