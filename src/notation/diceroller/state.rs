//! What the grammar remembers while it reads: how many numbers are on the stack, and how deep it is.

use chumsky::error::{Error, LabelError};
use chumsky::input::{Checkpoint, Cursor};
use chumsky::inspector::Inspector;
use chumsky::util::MaybeRef;
use chumsky::{DefaultExpected, span::SimpleSpan};

use super::lexer::{Lexed, Token};
use super::tree::{Block, BlockId};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::source::Span;

/// Something that may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Expected {
    Close = 1,
    CloseSquare = 1 << 1,
    End = 1 << 2,
    Instruction = 1 << 3,
    Value = 1 << 4,
}

/// Where the text stopped being a script, and what could have stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The token, by its number; the number of tokens for the end.
    pub(super) at: usize,
    expected: u8,
}

impl Failure {
    pub(super) fn new(at: usize, expected: Expected) -> Self {
        Self {
            at,
            expected: expected as u8,
        }
    }

    pub(super) fn expects(self, expected: Expected) -> bool {
        self.expected & expected as u8 != 0
    }
}

impl<'s> LabelError<'s, &'s [Token], DefaultExpected<'s, Token>> for Failure {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'s, Token>>>(
        _: E,
        _: Option<MaybeRef<'s, Token>>,
        span: SimpleSpan,
    ) -> Self {
        // The grammar names everything that it expects itself, but for the end.
        Self::new(span.start, Expected::End)
    }
}

impl<'s> Error<'s, &'s [Token]> for Failure {
    fn merge(self, other: Self) -> Self {
        Self {
            at: self.at,
            expected: self.expected | other.expected,
        }
    }
}

/// A limit of size.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// [`MAX_CHAIN`]
    Chain,
    /// [`MAX_DEPTH`]
    Depth,
}

/// The memory of one run of the grammar.
#[derive(Debug)]
pub(super) struct State<'s> {
    lexed: &'s Lexed,
    pub(super) blocks: Vec<Block>,
    /// How many numbers are on the stack of each context, the innermost last.
    stacks: Vec<usize>,
    instructions: usize,
    /// The token at which a limit was reached, and which: nothing more is read then.
    pub(super) refused: Option<(usize, Limit)>,
    /// Whether a mistake was found after which nothing more is read either.
    pub(super) is_wrong: bool,
}

impl<'s> State<'s> {
    pub(super) fn new(lexed: &'s Lexed) -> Self {
        Self {
            lexed,
            blocks: Vec::new(),
            stacks: vec![0],
            instructions: 0,
            refused: None,
            is_wrong: false,
        }
    }

    /// Whether nothing more is read.
    pub(super) fn is_over(&self) -> bool {
        self.is_wrong || self.refused.is_some()
    }

    /// Whether a number is on the stack, for the next instruction to take.
    pub(super) fn has_argument(&self) -> bool {
        self.stacks.last().is_some_and(|&size| size > 0)
    }

    /// Takes a number from the stack, if there is one.
    pub(super) fn pop(&mut self) -> bool {
        let pops = self.has_argument();
        if let Some(size) = self.stacks.last_mut().filter(|_| pops) {
            *size -= 1;
        }
        pops
    }

    pub(super) fn push(&mut self) {
        if let Some(size) = self.stacks.last_mut() {
            *size += 1;
        }
    }

    /// Begins a context of its own.
    pub(super) fn enter(&mut self, at: usize) {
        self.stacks.push(0);
        if self.stacks.len() > MAX_DEPTH {
            self.refused.get_or_insert((at, Limit::Depth));
        }
    }

    /// Ends the innermost context.
    pub(super) fn leave(&mut self, block: Block) -> BlockId {
        self.stacks.pop();
        self.blocks.push(block);
        BlockId(self.blocks.len() - 1)
    }

    /// One more instruction.
    pub(super) fn count(&mut self, at: usize) {
        self.instructions += 1;
        if self.instructions > MAX_CHAIN {
            self.refused.get_or_insert((at, Limit::Chain));
        }
    }

    pub(super) fn place(&self, tokens: SimpleSpan) -> Span {
        let spans = &self.lexed.spans;
        spans[tokens.start].to(spans[tokens.end - 1])
    }
}

/// A rewind takes back what was read since: each token alone says which instruction it begins, so that is nothing
/// but what an instruction took from the stack before it turned out wrong.
impl<'s> Inspector<'s, &'s [Token]> for State<'s> {
    type Checkpoint = (usize, usize, usize, usize);

    fn on_token(&mut self, _: &Token) {}

    fn on_save<'p>(&self, _: &Cursor<'s, 'p, &'s [Token]>) -> Self::Checkpoint {
        (
            self.blocks.len(),
            self.stacks.len(),
            self.stacks.last().copied().unwrap_or(0),
            self.instructions,
        )
    }

    fn on_rewind<'p>(&mut self, marker: &Checkpoint<'s, 'p, &'s [Token], Self::Checkpoint>) {
        let (blocks, contexts, size, instructions) = *marker.inspector();
        self.blocks.truncate(blocks);
        self.stacks.truncate(contexts);
        if let Some(last) = self.stacks.last_mut() {
            *last = size;
        }
        self.instructions = instructions;
    }
}
