//! What the grammar is about: its tokens and nodes, what it can expect, and what it knows of the nodes that it has read.

use super::lexer::Token;
use super::table::Table;
use super::tree::Node;
use crate::notation::reader::failure;
use crate::notation::reader::parsers::{self, noted};
use crate::notation::reader::state::{self, Language, Memory};
use crate::notation::reader::tree::{Node as _, NodeId};

/// Both tables, for the grammar.
#[derive(Debug)]
pub(super) struct Words;

/// Something that may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Assign,
    Close,
    Comma,
    Do,
    Else,
    End,
    Filter,
    In,
    Name,
    /// Dicelab: a number, where an operator on numbers follows what its grammar takes for a list.
    NumberBefore,
    Operand,
    Operator,
    Then,
}

impl failure::Expected for Expected {
    const END: Self = Self::End;

    fn number(self) -> u8 {
        self as u8
    }
}

/// Where the text stopped being a rule. Its part, in dicelab alone, is a list where the grammar needs a number.
pub(super) type Failure = failure::Failure<Expected>;

pub(super) type State<'s> = state::State<'s, Words>;

impl Language for Words {
    type Token = Token;
    type Node = Node;
    type Expected = Expected;
    type Memory = Known;

    fn added(state: &mut State<'_>, id: NodeId) {
        let node = &state.nodes[id.index()];
        let known = &mut state.memory;
        let mut ends_with_body = false;
        node.each_operand(|operand| ends_with_body = known.facts[operand.index()].ends_with_body);
        match node {
            Node::Bind(..) | Node::If(..) => ends_with_body = true,
            Node::Group(_) => ends_with_body = false,
            _ => {}
        }
        let is_list = match node {
            Node::Group(Some(inner)) => known.facts[inner.index()].is_list,
            _ => node.is_list(),
        };
        known.after_list = is_list && known.table == Table::Dicelab;
        known.after_body = ends_with_body;
        known.facts.push(Facts {
            is_list,
            ends_with_body,
        });
    }
}

/// What the grammar knows of the nodes that it has read.
#[derive(Debug)]
pub(super) struct Known {
    table: Table,
    facts: Vec<Facts>,
    /// Whether what was read last is a list by dicelab's grammar.
    pub(super) after_list: bool,
    /// Whether what was read last ends with the body of a `let`, `while`, `foreach` or `if`.
    pub(super) after_body: bool,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Whether dicelab's grammar takes it for a list.
    is_list: bool,
    /// Whether its last token belongs to the body of a `let`, `while`, `foreach` or `if`.
    ends_with_body: bool,
}

impl Known {
    pub(super) fn new(table: Table) -> Self {
        Self {
            table,
            facts: Vec::new(),
            after_list: false,
            after_body: false,
        }
    }
}

impl Memory for Known {
    type Mark = (bool, bool);

    fn mark(&self) -> (bool, bool) {
        (self.after_list, self.after_body)
    }

    fn rewind(&mut self, (after_list, after_body): (bool, bool), nodes: usize) {
        self.facts.truncate(nodes);
        self.after_list = after_list;
        self.after_body = after_body;
    }
}

/// So many wrong parentheses end the reading.
const MAX_RECOVERIES: usize = 10;

impl State<'_> {
    /// The complaint about a list, by dicelab's grammar, where a number is needed.
    pub(super) fn refuse_list(&self, at: usize, operand: NodeId) -> Option<Failure> {
        let is_list = self.memory.facts[operand.index()].is_list;
        let is_refused = self.memory.table == Table::Dicelab && is_list;
        let list = self.spans[operand.index()];
        is_refused.then(|| Failure::new(at, Expected::Operand).with_part(list))
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
}

/// A part of the grammar.
pub(super) trait Part<'s, O>: parsers::Part<'s, Words, O> {}

impl<'s, O, P: parsers::Part<'s, Words, O>> Part<'s, O> for P {}

/// The failure of an operator on numbers after a list.
pub(super) fn after_list(at: usize) -> Failure {
    Failure::new(at, Expected::Comma).or(Expected::NumberBefore)
}

/// A token between two operands, one level deeper until the node is added. In dicelab the left one must be a number by
/// its syntax; otherwise the operand ends here, and what it belongs to may go on.
pub(super) fn operator<'s, O>(read: impl Fn(Token) -> Option<O> + Clone) -> impl Part<'s, O> {
    noted(
        Expected::Operator,
        move |_: &mut State<'s>, token| read(token),
        |state, at| {
            if state.memory.after_list {
                return Err(after_list(at));
            }
            state.enter(at);
            Ok(())
        },
    )
}
