//! The grammar's types, and its memory while it reads: facts about the nodes that it has read.
//!
//! A failure with a part occurs only in dicelab: the part is a list where the grammar needs a number.

use super::dice::DiceByPlace;
use super::lexer::Token;
use super::table::Table;
use super::tree::Node;
use crate::notation::reader::language::expected;
use crate::notation::reader::parsers::{self, noted};
use crate::notation::reader::state::{self, Language, Memory};
use crate::notation::reader::tree::{Node as _, NodeId};

/// The language of Bones and dicelab rules.
#[derive(Debug)]
pub(super) struct Words;

expected! {
    end End;
    Do = "`do`",
    Else = "`else`",
    /// `from` before the list of a choice
    From = "`from`",
    In = "`in`",
    Then = "`then`",
    Until = "`until`",
    /// `where` before the condition of a `select`
    Where = "`where`",
    Name = "a name",
    /// The name of a part of a record, before a colon
    PartName = "a part with a name, as in `{hit: 1}`",
    /// The brace before the entries of a deck, or before the arms of a `case`
    Brace = "`{`",
    /// The parenthesis before the arguments of a word such as `max`
    Arguments = "`(`",
    /// `while`, `until` or `for` after the state of a loop
    How = "`while`, `until` or `for`",
    /// `of` after the name of a part
    Of = "`of`",
    Filter = "a filter such as `low 1` or `==1`",
    Assign = "`=`",
    Operand = "dice, a number or a list",
    Colon = "`:`",
    Operator = "an operator",
    /// Dicelab: a number before an operator on numbers, where the text has a list by syntax.
    NumberBefore = "a number before it",
    Comma = "`,`",
    CloseBrace = "`}`",
    Close = "`)`",
    End = "the end of the rule",
}

pub(super) type ParserState<'s> = state::ParserState<'s, Words>;

impl Language for Words {
    type Token = Token;
    type Node = Node;
    type Expected = Expected;
    type Memory = NodeFacts;

    fn added(state: &mut ParserState<'_>, id: NodeId) {
        let node = &state.nodes[id.index()];
        let known = &mut state.memory;
        let mut ends_with_body = false;
        node.each_operand(|operand| ends_with_body = known.facts[operand.index()].ends_with_body);
        match node {
            Node::Best(..) | Node::Bind(..) | Node::If(..) | Node::Loop(_) | Node::Reroll(_) => {
                ends_with_body = true;
            }
            Node::AnyDie(_)
            | Node::Call(..)
            | Node::Case(_)
            | Node::Draw(..)
            | Node::Function(..)
            | Node::Group(_)
            | Node::Record(_) => ends_with_body = false,
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

/// The facts about the nodes that were read.
#[derive(Debug)]
pub(super) struct NodeFacts {
    table: Table,
    facts: Vec<Facts>,
    /// The dice of another notation by the byte at which they begin.
    pub(super) dice: DiceByPlace,
    /// Whether the last node is a list by dicelab's syntax.
    pub(super) after_list: bool,
    /// Whether the last node ends with the body of a `let`, `while`, `foreach` or `if`.
    pub(super) after_body: bool,
}

/// The facts about one node.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Whether the node is a list by dicelab's syntax.
    is_list: bool,
    /// Whether the last token of the node belongs to the body of a `let`, `while`, `foreach` or `if`.
    ends_with_body: bool,
}

impl NodeFacts {
    pub(super) fn new(table: Table, dice: DiceByPlace) -> Self {
        Self {
            table,
            facts: Vec::new(),
            dice,
            after_list: false,
            after_body: false,
        }
    }
}

impl Memory for NodeFacts {
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

/// The number of wrong parentheses after which the reading ends.
const MAX_RECOVERIES: usize = 10;

impl ParserState<'_> {
    /// The failure for an operand that must be a number and is a list by dicelab's syntax.
    pub(super) fn refuse_list(&self, at: usize, operand: NodeId) -> Option<Failure> {
        let is_list = self.memory.facts[operand.index()].is_list;
        let is_refused = self.memory.table == Table::Dicelab && is_list;
        let list = self.spans[operand.index()];
        is_refused.then(|| Failure::new(at, Expected::Operand).with_part(list))
    }

    /// Records the failure of a pair of parentheses.
    pub(super) fn record(&mut self, failure: Failure) -> Failure {
        if self.failures.len() < MAX_RECOVERIES {
            self.failures.push(failure);
        }
        failure
    }

    /// Whether the reading goes on after wrong parentheses.
    pub(super) fn may_recover(&self) -> bool {
        self.refused.is_none() && self.failures.len() < MAX_RECOVERIES
    }
}

/// A part of the grammar.
pub(super) trait BonesParser<'s, O>: parsers::GrammarParser<'s, Words, O> {}

impl<'s, O, P: parsers::GrammarParser<'s, Words, O>> BonesParser<'s, O> for P {}

/// The failure at an operator on numbers after a list.
pub(super) fn after_list(at: usize) -> Failure {
    Failure::new(at, Expected::Comma).or(Expected::NumberBefore)
}

/// The token of an infix operator. The depth is one more until the node is added. In dicelab the left operand must be a
/// number by syntax. If it is a list, the operator is not read here, and may belong to a part around the list.
pub(super) fn operator<'s, O>(
    read: impl Fn(Token) -> Option<O> + Clone,
) -> impl BonesParser<'s, O> {
    noted(
        Expected::Operator,
        move |_: &mut ParserState<'s>, token| read(token),
        |state, at| {
            if state.memory.after_list {
                return Err(after_list(at));
            }
            state.enter(at);
            Ok(())
        },
    )
}
