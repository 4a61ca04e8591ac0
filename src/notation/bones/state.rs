//! What the grammar remembers while it reads: the tree so far, how deep it is, and where it failed.

use chumsky::error::{Error, LabelError};
use chumsky::input::{Checkpoint, Cursor};
use chumsky::inspector::Inspector;
use chumsky::util::MaybeRef;
use chumsky::{DefaultExpected, span::SimpleSpan};

use super::Table;
use super::lexer::{Lexed, Token};
use super::tree::{Node, NodeId};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::source::Span;

/// Something that may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Expected {
    Assign = 1,
    Close = 1 << 1,
    Comma = 1 << 2,
    Do = 1 << 3,
    Else = 1 << 4,
    End = 1 << 5,
    Filter = 1 << 6,
    In = 1 << 7,
    Name = 1 << 8,
    Operand = 1 << 9,
    Operator = 1 << 10,
    Then = 1 << 11,
}

/// Where the text stopped being a rule, and what could have stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The token, by its number; the number of tokens for the end.
    pub(super) at: usize,
    expected: u16,
    /// Dicelab: an operator on numbers follows what its grammar takes for a list.
    pub(super) after_list: bool,
    /// Dicelab: a list by its grammar where a number is needed.
    pub(super) list: Option<Span>,
}

impl Failure {
    pub(super) fn new(at: usize, expected: Expected) -> Self {
        Self {
            at,
            expected: expected as u16,
            after_list: false,
            list: None,
        }
    }

    pub(super) fn after_list(at: usize) -> Self {
        Self {
            after_list: true,
            ..Self::new(at, Expected::Comma)
        }
    }

    fn list(at: usize, list: Span) -> Self {
        Self {
            list: Some(list),
            ..Self::new(at, Expected::Operand)
        }
    }

    pub(super) fn expects(&self, expected: Expected) -> bool {
        self.expected & expected as u16 != 0
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
            after_list: self.after_list || other.after_list,
            list: self.list.or(other.list),
        }
    }
}

/// The memory of one run of the grammar.
#[derive(Debug)]
pub(super) struct State<'s> {
    table: Table,
    lexed: &'s Lexed,
    pub(super) nodes: Vec<Node>,
    pub(super) spans: Vec<Span>,
    facts: Vec<Facts>,
    /// Whether what was read last is a list by dicelab's grammar.
    pub(super) after_list: bool,
    /// Whether what was read last ends with the body of a `let`, `while`, `foreach` or `if`.
    pub(super) after_body: bool,
    depth: usize,
    /// What was wrong in parentheses that were skipped, even if what they stand in turned out wrong, too.
    pub(super) failures: Vec<Failure>,
    /// The token at which a limit was reached, and which: nothing more is read then.
    pub(super) refused: Option<(usize, Limit)>,
}

/// A limit of depth.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// [`MAX_CHAIN`]
    Chain,
    /// [`MAX_DEPTH`]
    Depth,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// How many nodes lie one in another, this one counted.
    height: usize,
    /// Whether dicelab's grammar takes it for a list.
    is_list: bool,
    /// Whether its last token belongs to the body of a `let`, `while`, `foreach` or `if`.
    ends_with_body: bool,
}

/// So many wrong parentheses end the reading.
const MAX_RECOVERIES: usize = 10;

impl<'s> State<'s> {
    pub(super) fn new(table: Table, lexed: &'s Lexed) -> Self {
        Self {
            table,
            lexed,
            nodes: Vec::new(),
            spans: Vec::new(),
            facts: Vec::new(),
            after_list: false,
            after_body: false,
            depth: 0,
            failures: Vec::new(),
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
        let mut ends_with_body = false;
        node.each_operand(|operand| {
            let facts = self.facts(operand);
            height = height.max(facts.height + 1);
            ends_with_body = facts.ends_with_body;
        });
        match node {
            Node::Bind(..) | Node::If(..) => ends_with_body = true,
            Node::Group(_) => ends_with_body = false,
            _ => {}
        }
        if height > MAX_CHAIN {
            self.refused.get_or_insert((tokens.start, Limit::Chain));
        }
        let is_list = match node {
            Node::Group(Some(inner)) => self.facts(inner).is_list,
            _ => node.is_list(),
        };
        self.after_list = is_list && matches!(self.table, Table::Dicelab);
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than bytes"));
        self.nodes.push(node);
        self.spans.push(self.place(tokens));
        self.after_body = ends_with_body;
        self.facts.push(Facts {
            height,
            is_list,
            ends_with_body,
        });
        id
    }

    /// The complaint about a list, by dicelab's grammar, where a number is needed.
    pub(super) fn refuse_list(&self, at: usize, operand: NodeId) -> Option<Failure> {
        let refused = matches!(self.table, Table::Dicelab) && self.facts(operand).is_list;
        refused.then(|| Failure::list(at, self.spans[operand.0 as usize]))
    }

    /// Keeps what was wrong in a pair of parentheses.
    pub(super) fn record(&mut self, failure: Failure) -> Failure {
        if self.failures.len() < MAX_RECOVERIES {
            self.failures.push(failure);
        }
        failure
    }

    /// Whether reading may go on after the wrong parentheses that were recorded last.
    pub(super) fn may_recover(&self) -> bool {
        self.refused.is_none() && self.failures.len() < MAX_RECOVERIES
    }

    pub(super) fn place(&self, tokens: SimpleSpan) -> Span {
        let spans = &self.lexed.spans;
        spans[tokens.start].to(spans[tokens.end - 1])
    }

    fn facts(&self, id: NodeId) -> Facts {
        self.facts[id.0 as usize]
    }
}

/// A rewind takes back what was read since.
impl<'s> Inspector<'s, &'s [Token]> for State<'s> {
    type Checkpoint = (usize, usize, bool, bool);

    fn on_token(&mut self, _: &Token) {}

    fn on_save<'p>(&self, _: &Cursor<'s, 'p, &'s [Token]>) -> Self::Checkpoint {
        (
            self.nodes.len(),
            self.depth,
            self.after_list,
            self.after_body,
        )
    }

    fn on_rewind<'p>(&mut self, marker: &Checkpoint<'s, 'p, &'s [Token], Self::Checkpoint>) {
        let (nodes, depth, after_list, after_body) = *marker.inspector();
        self.nodes.truncate(nodes);
        self.spans.truncate(nodes);
        self.facts.truncate(nodes);
        self.depth = depth;
        self.after_list = after_list;
        self.after_body = after_body;
    }
}
