//! What the grammar remembers while it reads: the tree so far, how deep it is, and where it failed.

use chumsky::error::{Error, LabelError};
use chumsky::input::{Checkpoint, Cursor};
use chumsky::inspector::Inspector;
use chumsky::util::MaybeRef;
use chumsky::{DefaultExpected, span::SimpleSpan};

use super::lexer::{Lexed, Token};
use super::operator::{Operator, Parameter};
use super::tree::{Node, NodeId};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::source::Span;

/// Something that may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Expected {
    Close = 1,
    Comma = 1 << 1,
    End = 1 << 2,
    Operand = 1 << 3,
    Operator = 1 << 4,
    Value = 1 << 5,
}

/// Where the text stopped being a rule, and what could have stood there.
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

/// A limit of depth.
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
    pub(super) lexed: &'s Lexed,
    pub(super) nodes: Vec<Node>,
    pub(super) spans: Vec<Span>,
    /// How many nodes lie one in another, for each node.
    heights: Vec<usize>,
    depth: usize,
    /// The token at which a limit was reached, and which: nothing more is read then.
    pub(super) refused: Option<(usize, Limit)>,
}

impl<'s> State<'s> {
    pub(super) fn new(lexed: &'s Lexed) -> Self {
        Self {
            lexed,
            nodes: Vec::new(),
            spans: Vec::new(),
            heights: Vec::new(),
            depth: 0,
            refused: None,
        }
    }

    /// Goes one level deeper: before every part that the grammar reads by calling itself.
    pub(super) fn enter(&mut self, at: usize) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.refused.get_or_insert((at, Limit::Depth));
        }
    }

    /// Comes back, with the node that was read.
    pub(super) fn leave(&mut self, tokens: SimpleSpan, node: Node) -> NodeId {
        self.depth -= 1;
        self.add(tokens, node)
    }

    /// Adds a node that covers these tokens.
    pub(super) fn add(&mut self, tokens: SimpleSpan, node: Node) -> NodeId {
        let mut height = 1;
        node.each_operand(|operand| height = height.max(self.heights[operand.0 as usize] + 1));
        if height > MAX_CHAIN {
            self.refused.get_or_insert((tokens.start, Limit::Chain));
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than bytes"));
        self.nodes.push(node);
        self.spans.push(self.place(tokens));
        self.heights.push(height);
        id
    }

    /// The parameter that a token would begin: one of the operator whose operation was read last.
    pub(super) fn parameter(&self, token: Token) -> Option<Parameter> {
        let mut node = self.nodes.last()?;
        loop {
            match node {
                Node::Infix(operator, ..) => return operator.parameter(token),
                // Branches and values are given once.
                Node::With(Parameter::Else | Parameter::Value, ..) => return None,
                Node::With(_, subject, _) => node = &self.nodes[subject.0 as usize],
                _ => return None,
            }
        }
    }

    /// The operator that a token is, unless it begins a parameter.
    pub(super) fn operator(&self, token: Token) -> Option<Operator> {
        match token {
            Token::Infix(operator) if self.parameter(token).is_none() => Some(operator),
            _ => None,
        }
    }

    /// The place of some tokens; of none, where the next one begins.
    fn place(&self, tokens: SimpleSpan) -> Span {
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

/// A rewind takes back what was read since.
impl<'s> Inspector<'s, &'s [Token]> for State<'s> {
    type Checkpoint = (usize, usize);

    fn on_token(&mut self, _: &Token) {}

    fn on_save<'p>(&self, _: &Cursor<'s, 'p, &'s [Token]>) -> Self::Checkpoint {
        (self.nodes.len(), self.depth)
    }

    fn on_rewind<'p>(&mut self, marker: &Checkpoint<'s, 'p, &'s [Token], Self::Checkpoint>) {
        let (nodes, depth) = *marker.inspector();
        self.nodes.truncate(nodes);
        self.spans.truncate(nodes);
        self.heights.truncate(nodes);
        self.depth = depth;
    }
}
