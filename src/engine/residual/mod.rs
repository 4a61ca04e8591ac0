//! Residual programs: what is left of a rule after some of its randomness has been revealed.
//!
//! A [`Node`] is a deterministic function of *pools*, named multisets of hidden dice. Symbolic evaluation
//! ([`translate`]) turns a core program into a node: every die that is rolled becomes a pool, every use of a
//! variable a reference to the same pool. From then on there are two operations:
//!
//! - **reveal**: a hidden die shows its value, or `k` of the `n` hidden dice of a pool show its next face;
//! - **simplify**: rewrite what is left by laws that hold for every value of what is still hidden.
//!
//! Nodes are hash-consed and simplified on construction, so two histories that leave the same program leave
//! the same [`NodeId`]: that node, with the number of dice still hidden, is a state, solved once.
//!
//! Nodes are *total*: where an operator is not defined they have some value, and the error is an event beside them
//! ([`hazards`]). A loop is a node that is unfolded round by round ([`cycles`]). What a loop leaves beyond
//! its listed outcomes stays with its distribution ([`law`]).

mod accumulate;
mod bounds;
mod branching;
mod by_length;
mod cycles;
mod decks;
mod difference;
mod faces;
mod graded;
mod graph;
mod hazards;
mod law;
mod level;
mod lists;
mod loops;
mod maps;
mod marks;
mod memo;
mod moments;
mod node;
mod numbers;
mod parts;
mod pool;
mod ranks;
mod repeat;
mod rival;
mod rules;
mod scope;
mod selection;
mod shares;
mod solve;
mod tables;
mod terms;
mod touch;
mod translate;
mod undecided;
mod union;
mod weigh;

pub(super) use solve::solve;

use super::answer::Answer;
use super::reason::Reason;
use crate::limits::LimitReached;

/// Why a program was not solved as a residual program.
#[derive(Debug)]
pub(super) enum Stop {
    /// It needs what residual programs do not have: integers that are too long, or an order that is not known.
    Unsupported(Reason),
    /// It was too much.
    Limit(LimitReached),
    /// Every path had been listed before.
    Listed(Box<Answer>),
}

impl From<LimitReached> for Stop {
    fn from(reached: LimitReached) -> Self {
        Self::Limit(reached)
    }
}

impl From<crate::algebra::Stop> for Stop {
    fn from(stop: crate::algebra::Stop) -> Self {
        match stop {
            crate::algebra::Stop::Limit(reached) => Self::Limit(reached),
            crate::algebra::Stop::Overflow => Self::Unsupported(Reason::LongIntegers),
        }
    }
}

impl From<crate::number::Overflow> for Stop {
    fn from(_: crate::number::Overflow) -> Self {
        Self::Unsupported(Reason::LongIntegers)
    }
}

/// A result that may stop short.
type Attempt<T> = Result<T, Stop>;
