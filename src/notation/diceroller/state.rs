//! The grammar's types, and its memory while it reads: how many numbers are on the stack.

use super::lexer::Token;
use super::tree::Block;
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::notation::reader::failure::Limit;
use crate::notation::reader::language::language;
use crate::notation::reader::state::{self, Memory};

language! {
    Token, Block, Stacks;
    end End;
    Value = "an integer, `S` or `C`",
    CloseSquare = "`]`",
    Close = "`}`",
    Instruction = "an instruction",
    End = "the end of the script",
}

pub(super) type ParserState<'s> = state::ParserState<'s, Words>;

/// The stacks of the open contexts: the script, and the brackets that are open.
#[derive(Debug)]
pub(super) struct Stacks {
    /// The number of numbers on the stack of each context, the innermost last.
    sizes: Vec<usize>,
    instructions: usize,
}

impl Stacks {
    pub(super) fn new() -> Self {
        Self {
            sizes: vec![0],
            instructions: 0,
        }
    }

    /// Whether a number is on the stack, for the next instruction to take.
    pub(super) fn has_argument(&self) -> bool {
        self.sizes.last().is_some_and(|&size| size > 0)
    }

    /// Takes a number from the stack, if there is one.
    pub(super) fn pop(&mut self) -> bool {
        let pops = self.has_argument();
        if let Some(size) = self.sizes.last_mut().filter(|_| pops) {
            *size -= 1;
        }
        pops
    }

    pub(super) fn push(&mut self) {
        if let Some(size) = self.sizes.last_mut() {
            *size += 1;
        }
    }

    /// Ends the innermost context.
    pub(super) fn leave(&mut self) {
        self.sizes.pop();
    }
}

impl ParserState<'_> {
    /// Begins a context with an empty stack.
    pub(super) fn enter_context(&mut self, at: usize) {
        self.memory.sizes.push(0);
        if self.memory.sizes.len() > MAX_DEPTH {
            self.refuse(at, Limit::Depth);
        }
    }

    /// Counts one more instruction, which begins at token `at`.
    pub(super) fn count(&mut self, at: usize) {
        self.memory.instructions += 1;
        if self.memory.instructions > MAX_CHAIN {
            self.refuse(at, Limit::Chain);
        }
    }
}

/// A rewind returns the number that a failed instruction took from the stack. It crosses no other instruction, because the
/// first token decides which instruction begins.
impl Memory for Stacks {
    /// The number of open contexts, the size of the innermost stack, and the number of instructions that were read.
    type Mark = (usize, usize, usize);

    fn mark(&self) -> Self::Mark {
        let size = self.sizes.last().copied().unwrap_or(0);
        (self.sizes.len(), size, self.instructions)
    }

    fn rewind(&mut self, (contexts, size, instructions): Self::Mark, _: usize) {
        self.sizes.truncate(contexts);
        if let Some(last) = self.sizes.last_mut() {
            *last = size;
        }
        self.instructions = instructions;
    }
}
