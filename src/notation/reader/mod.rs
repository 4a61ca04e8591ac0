//! The reader that all notations share: from characters to tokens, from tokens to a tree, and from a failure to a message.
//!
//! A notation calls [`lexed::lex`] with a function that recognises a token. It declares the types of its tokens and nodes, and what it
//! expects, as [`language`] says, and builds its grammar from the parsers in [`parsers`]. [`state`] is the state of
//! a grammar while it reads: the tree so far, the depth, and the failures.

pub(super) mod failure;
pub(super) mod gaps;
pub(super) mod head;
pub(super) mod language;
pub(super) mod lexed;
pub(super) mod lookalike;
pub(super) mod outline;
pub(super) mod parsers;
pub(super) mod quote;
pub(super) mod range;
pub(super) mod spelling;
pub(super) mod state;
pub(super) mod tree;
