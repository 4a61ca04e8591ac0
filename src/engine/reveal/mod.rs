//! Revealing: the graph of residual programs.
//!
//! What comes in is a residual program that mentions pools; what goes out is the graph of all programs that it can become, face
//! by face, with the weight of each step. [`exploration`] builds the graph, one [`level`] after the other, over [`faces`] that the program can
//! tell apart. [`strip`] pulls out what programs may differ in and still be one state, and [`weigh`] carries
//! weights through the graph. Before that, [`closed_parts`] are solved, [`decks`] cut, and conditions found that are to be decided first
//! ([`undecided`]). One round of a loop is such a graph, too ([`rounds`]).

pub(super) mod closed_parts;
pub(super) mod decks;
pub(super) mod exploration;
pub(super) mod faces;
pub(super) mod graph;
pub(super) mod level;
pub(super) mod reached;
pub(super) mod rounds;
pub(super) mod strip;
pub(super) mod undecided;
pub(super) mod union;
pub(super) mod valued;
pub(super) mod weigh;
