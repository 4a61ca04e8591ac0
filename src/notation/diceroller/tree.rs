//! A script as read: instructions with places, their operands found, before anything is rolled.

use crate::notation::reader::tree::{self, NodeId as BlockId};
use crate::source::Span;

/// A value that an instruction has behind it, or that is pushed: its text, or what it asks of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) span: Span,
    pub(super) kind: ValueKind,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// `C`: the size of the pool.
    Count,
    /// The text is the number.
    Integer,
    /// `S`: the sum of the pool.
    Sum,
}

/// One end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    High,
    Low,
}

/// `+` or `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Minus,
    Plus,
}

/// What an instruction does. `pops` says whether it takes a number from the stack, which is known of every
/// instruction without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `+3`: appends a value, or its opposite.
    Append(Sign, Value),
    /// `6{…}`: runs the block on copies of the pool, and its results become the pool.
    Block { pops: bool, body: BlockId },
    /// `G`: shows the pool.
    Graph,
    /// `5+`: keeps what is at least, or at most, a number from the stack.
    Keep(Sign),
    /// `*2`: every member so often.
    Multiply(Value),
    /// `P`: prints the pool.
    Print,
    /// `6`: a number for the stack.
    Push(Value),
    /// `[f]`, `2[f]{…}`: takes away what a filter leaves, and perhaps runs a block on that.
    Remove { filter: BlockId, then: Option<Then> },
    /// `2D6`: so many dice of so many sides instead of the pool; without a number one.
    Roll { pops: bool, sides: Value },
    /// `H3`: the highest, or lowest, so many.
    Select(End, Value),
    /// `V2`: how much is printed.
    Verbosity(Value),
}

/// The block behind a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Then {
    pub(super) pops: bool,
    pub(super) body: BlockId,
    /// From brace to brace.
    pub(super) span: Span,
}

/// An instruction, without the numbers that it takes from the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) span: Span,
    pub(super) kind: Kind,
}

/// Instructions one after the other.
pub(super) type Block = Vec<Instruction>;

/// A whole script: its blocks, and itself as the last of them.
pub(super) type Script = tree::Tree<Block>;

impl tree::Node for Block {
    fn each_operand(&self, mut visit: impl FnMut(BlockId)) {
        for instruction in self {
            match instruction.kind {
                Kind::Block { body, .. } => visit(body),
                Kind::Remove { filter, then } => {
                    visit(filter);
                    if let Some(then) = then {
                        visit(then.body);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Kind {
    /// How many numbers it takes from the stack, and how many it leaves there.
    pub(super) fn stack_effect(&self) -> (usize, usize) {
        match self {
            Self::Append(..)
            | Self::Graph
            | Self::Multiply(_)
            | Self::Print
            | Self::Select(..)
            | Self::Verbosity(_) => (0, 0),
            Self::Keep(_) => (1, 0),
            Self::Push(_) => (0, 1),
            Self::Block { pops, .. } | Self::Roll { pops, .. } => (usize::from(*pops), 0),
            Self::Remove { then, .. } => (usize::from(then.is_some_and(|then| then.pops)), 0),
        }
    }
}
