//! The tree of a script: instructions with places and operands.

use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::{self, NodeId as BlockId};
use crate::source::Span;

/// A value behind an instruction, or a value that is pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) span: Span,
    pub(super) kind: OperandKind,
}

/// How a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandKind {
    /// `C`: the size of the pool.
    Count,
    /// `3`: the number that the text says.
    Integer,
    /// `S`: the sum of the pool.
    Sum,
}

/// `+` or `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Minus,
    Plus,
}

/// What an instruction does. `pops` says whether it takes a number from the stack; the grammar knows this of every
/// instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// `+3`: appends a value, or its opposite.
    Append(Sign, Operand),
    /// `6{…}`: runs the block on copies of the pool, and its results become the pool.
    Block { pops: bool, body: BlockId },
    /// `G`: shows the pool.
    Graph,
    /// `5+`: keeps the members that are at least, or at most, a number from the stack.
    Keep(Sign),
    /// `*2`: repeats every member.
    Multiply(Operand),
    /// `P`: prints the pool.
    Print,
    /// `6`: pushes a number on the stack.
    Push(Operand),
    /// `[f]`, `2[f]{…}`: removes from the pool the members that a filter leaves, and perhaps runs a block on them.
    Remove { filter: BlockId, then: Option<Then> },
    /// `2D6`: replaces the pool by dice, as many as a number from the stack, or one.
    Roll { pops: bool, sides: Operand },
    /// `H3`: keeps the highest, or lowest, members.
    Select(Extreme, Operand),
    /// `V2`: sets how much is printed.
    Verbosity(Operand),
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
    pub(super) kind: Action,
}

/// The instructions of a script, a filter or a block, in order.
pub(super) type Block = Vec<Instruction>;

/// A whole script: all blocks, the script itself last.
pub(super) type Script = tree::Tree<Block>;

impl tree::Node for Block {
    fn each_operand(&self, mut visit: impl FnMut(BlockId)) {
        for instruction in self {
            match instruction.kind {
                Action::Block { body, .. } => visit(body),
                Action::Remove { filter, then } => {
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

impl Action {
    /// How many numbers the instruction takes from the stack, and how many it pushes.
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
