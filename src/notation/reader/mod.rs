//! What all notations need to read text: from characters to tokens, from tokens to a tree, and from a mistake to words.
//!
//! A notation gives the characters of its tokens to [`lexed::lex`], names its tokens, nodes and expectations in a
//! [`state::Language`], and builds its grammar from the parsers in [`parsers`]. [`state`] is what every grammar
//! remembers while it reads: the tree so far, its depth, and where it failed.

pub(super) mod failure;
pub(super) mod gaps;
pub(super) mod lexed;
pub(super) mod lookalike;
pub(super) mod outline;
pub(super) mod parsers;
pub(super) mod quote;
pub(super) mod range;
pub(super) mod spelling;
pub(super) mod state;
pub(super) mod tree;
