//! The state of a grammar while it reads: the tree so far, the depth, and the failures.

use std::fmt::Debug;

use chumsky::input::{Checkpoint, Cursor};
use chumsky::inspector::Inspector;
use chumsky::span::SimpleSpan;

use super::failure::{Expected, Failure, Limit};
use super::lexed::Lexed;
use super::tree::{Node, NodeId};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::source::Span;

/// The types of a notation's grammar.
pub(crate) trait Language: Debug + Sized + 'static {
    type Token: Copy + Debug + PartialEq + 'static;
    type Node: Node + 'static;
    type Expected: Expected;
    /// What the grammar remembers besides the tree.
    type Memory: Memory;

    /// Called after a node was added.
    fn added(_state: &mut ParserState<'_, Self>, _id: NodeId) {}
}

/// What a grammar remembers besides the tree. A rewind of the parser takes it back.
pub(crate) trait Memory: Debug {
    /// A point in time to go back to.
    type Mark: Copy;

    fn mark(&self) -> Self::Mark;

    /// Goes back to a mark, at which there were `nodes` nodes.
    fn rewind(&mut self, mark: Self::Mark, nodes: usize);
}

impl Memory for () {
    type Mark = ();

    fn mark(&self) {}

    fn rewind(&mut self, (): (), _: usize) {}
}

/// The state of one run of a grammar.
#[derive(Debug)]
pub(crate) struct ParserState<'s, L: Language> {
    pub(crate) lexed: &'s Lexed<L::Token>,
    pub(crate) nodes: Vec<L::Node>,
    pub(crate) spans: Vec<Span>,
    /// The height of the tree below each node; 1 for a node without operands.
    heights: Vec<usize>,
    depth: usize,
    /// The failures of parts that were skipped. A rewind keeps them.
    pub(crate) failures: Vec<Failure<L::Expected>>,
    /// The token at which a limit was reached, and the limit. No token is read after that.
    pub(crate) refused: Option<(usize, Limit)>,
    /// Whether a mistake was found that ends the reading.
    pub(crate) is_wrong: bool,
    /// For each token: 0 until the token after it is read, then 1, and one more each time that it is read again.
    reads: Vec<u8>,
    pub(crate) memory: L::Memory,
}

/// The number of times that a token may be read together with the token after it. Once is enough for a text without mistakes.
const MOST_READS: u8 = 4;

impl<'s, L: Language> ParserState<'s, L> {
    pub(super) fn new(lexed: &'s Lexed<L::Token>, memory: L::Memory) -> Self {
        Self {
            lexed,
            // Most tokens have a node.
            nodes: Vec::with_capacity(lexed.tokens.len()),
            spans: Vec::with_capacity(lexed.tokens.len()),
            heights: Vec::with_capacity(lexed.tokens.len()),
            depth: 0,
            failures: Vec::new(),
            refused: None,
            is_wrong: false,
            reads: vec![0; lexed.tokens.len()],
            memory,
        }
    }

    /// Whether the reading has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.is_wrong || self.refused.is_some()
    }

    /// Counts that the token at an index is read; whether it may be read.
    pub(crate) fn may_read(&mut self, at: usize) -> bool {
        if let Some(before) = at.checked_sub(1) {
            self.reads[before] = self.reads[before].max(1);
        }
        let reads = &mut self.reads[at];
        if *reads > 0 {
            *reads = reads.saturating_add(1);
        }
        *reads <= MOST_READS
    }

    /// Goes one level deeper, before each part that the grammar reads by recursion.
    pub(crate) fn enter(&mut self, at: usize) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.refuse(at, Limit::Depth);
        }
    }

    /// Ends the reading at a token because a limit is reached.
    pub(crate) fn refuse(&mut self, at: usize, limit: Limit) {
        self.refused.get_or_insert((at, limit));
    }

    /// Goes one level up, and adds the node of the part that was read.
    pub(crate) fn leave(&mut self, tokens: SimpleSpan, node: L::Node) -> NodeId {
        self.depth -= 1;
        self.add(tokens, node)
    }

    /// Adds a node that covers these tokens.
    pub(crate) fn add(&mut self, tokens: SimpleSpan, node: L::Node) -> NodeId {
        let mut height = 1;
        node.each_operand(|operand| height = height.max(self.heights[operand.index()] + 1));
        if height > MAX_CHAIN {
            self.refuse(tokens.start, Limit::Chain);
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than bytes"));
        self.spans.push(self.place(tokens));
        self.nodes.push(node);
        self.heights.push(height);
        L::added(self, id);
        id
    }

    /// The place of some tokens; for none, the empty place at which the next token begins.
    pub(crate) fn place(&self, tokens: SimpleSpan) -> Span {
        let spans = &self.lexed.spans;
        if tokens.start < tokens.end {
            return spans[tokens.start].to(spans[tokens.end - 1]);
        }
        let start = match spans.get(tokens.start) {
            Some(next) => next.start,
            None => spans.last().map_or(0, |last| last.end),
        };
        Span::new(start, start)
    }
}

/// A rewind removes the nodes that were added since the checkpoint.
impl<'s, L: Language> Inspector<'s, &'s [L::Token]> for ParserState<'s, L> {
    type Checkpoint = (usize, usize, <L::Memory as Memory>::Mark);

    fn on_token(&mut self, _: &L::Token) {}

    fn on_save<'p>(&self, _: &Cursor<'s, 'p, &'s [L::Token]>) -> Self::Checkpoint {
        (self.nodes.len(), self.depth, self.memory.mark())
    }

    fn on_rewind<'p>(&mut self, marker: &Checkpoint<'s, 'p, &'s [L::Token], Self::Checkpoint>) {
        let (nodes, depth, mark) = *marker.inspector();
        self.nodes.truncate(nodes);
        self.spans.truncate(nodes);
        self.heights.truncate(nodes);
        self.depth = depth;
        self.memory.rewind(mark, nodes);
    }
}
