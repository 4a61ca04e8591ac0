//! The tree of a rule. Names are not resolved yet.

use std::sync::Arc;

use crate::ir::{Candidates, Comparison};
use crate::notation::dice::Dice;
use crate::notation::reader::tree::{self, NodeId};
use crate::source::Span;

/// A node of a rule. The value of a number or a name is the text of its place.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Dice that explode or are rolled again; on what, a node `On` in it says.
    Again(Again, NodeId),
    /// A die with these faces: `d{1, 1, 2}`.
    AnyDie(Box<[WeightedFace]>),
    Arithmetic(Operator, NodeId, NodeId),
    /// `best y in L do E`, or with `from`; and the place of the name behind `by`
    Best(Candidates, Binding, Option<Span>),
    Bind(Binder, Binding),
    /// The place of the name of a definition, and the arguments.
    Call(Span, Box<[NodeId]>),
    Case(Box<Case>),
    /// An infix comparison of two numbers.
    Compare(Comparison, NodeId, NodeId),
    Connect(Connective, NodeId, NodeId),
    /// Dice of another notation: their total.
    Dice(Arc<dyn Dice>),
    Die(NodeId),
    /// A number of cards from a deck with these entries.
    Draw(NodeId, Box<[WeightedFace]>),
    /// `dF`
    Fate,
    Filter(Filter, NodeId, NodeId),
    Function(Function, Box<[NodeId]>),
    /// `value given condition`
    Given(NodeId, NodeId),
    /// Parentheses, which keep a place and have no other meaning. Empty parentheses are the empty list.
    Group(Option<NodeId>),
    If(NodeId, NodeId, NodeId),
    Integer,
    Join(Box<[NodeId]>),
    Loop(Box<Loop>),
    Name,
    Negate(NodeId),
    Not(NodeId),
    /// Dice, and on what they explode or are rolled again; whether no more than once
    On(NodeId, bool, NodeId),
    Pair(Pair, NodeId, NodeId),
    /// `name of records`: the place of the name, and the records.
    Part(Span, NodeId),
    /// `d%`
    Percentile,
    Range(NodeId, NodeId),
    /// A record: the places of the names of its parts, and the parts.
    Record(Box<[(Span, NodeId)]>),
    Repeat(NodeId, NodeId),
    /// `reroll x = E until C`; the body of the binding is the condition.
    Reroll(Binding),
    /// A label: text between double quotes.
    Text,
    /// Parentheses whose content is wrong and was reported.
    Unreadable,
    Word(Word, NodeId),
}

/// An entry between the braces of a die or a deck.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeightedFace {
    pub(super) face: NodeId,
    /// The weight of each of the faces; 1 where there is none.
    pub(super) weight: Option<NodeId>,
}

/// `case value { arms, else: otherwise }`
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Without a value, the patterns are conditions.
    pub(super) value: Option<NodeId>,
    pub(super) arms: Box<[Arm]>,
    pub(super) otherwise: Option<NodeId>,
}

/// The patterns of an arm, one of which must fit, and its result.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) patterns: Box<[Pattern]>,
    pub(super) result: NodeId,
}

/// The numbers that an arm is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pattern {
    Between(NodeId, NodeId),
    From(NodeId),
    /// A condition, in a `case` without a value
    Holds(NodeId),
    One(NodeId),
    To(NodeId),
}

/// `repeat states how do body then result`
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The names of the state, with their first values.
    pub(super) states: Box<[(Span, NodeId)]>,
    pub(super) how: How,
    pub(super) body: NodeId,
    pub(super) result: Option<NodeId>,
}

/// What ends a loop.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// A round for each member of a list.
    For(Span, NodeId),
    Until(NodeId),
    While(NodeId),
}

/// The operators between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Concatenate,
    Div,
    Divide,
    Mod,
    Multiply,
    Power,
    Remainder,
    Subtract,
}

/// The words for dice that are rolled once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    Explode,
    Reroll,
}

/// The words that bind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binder {
    Foreach,
    Let,
    /// The body is the condition
    Select,
    While,
}

/// A bound name, its value, and the body in its scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) name: Span,
    pub(super) value: NodeId,
    pub(super) body: NodeId,
}

/// A filter without its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) modifier: Option<Modifier>,
    pub(super) by: By,
}

/// The words before a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier {
    Drop,
    Keep,
}

/// The property of a member that a filter selects by: rank, position, or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    First,
    High,
    Last,
    Low,
    Value(Comparison),
}

/// The words between two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

/// The words with arguments in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    Max,
    Min,
}

/// The words with two operands that are no filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    At,
    Compare,
    /// `draw n from L`
    Draw,
    Rank,
    Without,
}

/// The words with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Count,
    Distinct,
    Perm,
    Prod,
    Rev,
    /// The sizes of the groups of equal members
    Sets,
    Sort,
    /// The length of the longest row of consecutive values
    Straight,
    Sum,
}

/// A rule as written.
pub(super) type Tree = tree::Tree<Node>;

impl tree::Node for Node {
    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::AnyDie(entries) => entries
                .iter()
                .for_each(|entry| entry.each_operand(&mut visit)),
            Self::Arithmetic(_, a, b)
            | Self::Bind(
                _,
                Binding {
                    value: a, body: b, ..
                },
            )
            | Self::Best(
                _,
                Binding {
                    value: a, body: b, ..
                },
                _,
            )
            | Self::Compare(_, a, b)
            | Self::Connect(_, a, b)
            | Self::Filter(_, a, b)
            | Self::Given(a, b)
            | Self::On(a, _, b)
            | Self::Pair(_, a, b)
            | Self::Range(a, b)
            | Self::Repeat(a, b)
            | Self::Reroll(Binding {
                value: a, body: b, ..
            }) => {
                visit(*a);
                visit(*b);
            }
            Self::Call(_, parts) | Self::Function(_, parts) | Self::Join(parts) => {
                parts.iter().copied().for_each(visit);
            }
            Self::Case(case) => case.each_operand(visit),
            Self::Again(_, a)
            | Self::Die(a)
            | Self::Group(Some(a))
            | Self::Negate(a)
            | Self::Not(a)
            | Self::Part(_, a)
            | Self::Word(_, a) => visit(*a),
            Self::Draw(count, entries) => {
                visit(*count);
                entries
                    .iter()
                    .for_each(|entry| entry.each_operand(&mut visit));
            }
            Self::Dice(_)
            | Self::Fate
            | Self::Group(None)
            | Self::Integer
            | Self::Name
            | Self::Percentile
            | Self::Text
            | Self::Unreadable => {}
            Self::If(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Self::Loop(repeated) => repeated.each_operand(visit),
            Self::Record(parts) => parts.iter().for_each(|&(_, part)| visit(part)),
        }
    }

    /// Empty parentheses are not removed.
    fn grouped(&self) -> Option<NodeId> {
        match self {
            Self::Group(inner) => *inner,
            _ => None,
        }
    }
}

impl WeightedFace {
    fn each_operand(self, visit: &mut impl FnMut(NodeId)) {
        visit(self.face);
        self.weight.into_iter().for_each(visit);
    }
}

impl Case {
    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        self.value.into_iter().for_each(&mut visit);
        for arm in &self.arms {
            for pattern in &arm.patterns {
                let (low, high) = pattern.ends();
                low.into_iter().for_each(&mut visit);
                high.into_iter().for_each(&mut visit);
            }
            visit(arm.result);
        }
        self.otherwise.into_iter().for_each(visit);
    }
}

impl Pattern {
    /// The least and the greatest number, where there is one. A single number is the least one alone.
    pub(super) fn ends(self) -> (Option<NodeId>, Option<NodeId>) {
        match self {
            Self::Between(low, high) => (Some(low), Some(high)),
            Self::From(low) | Self::Holds(low) | Self::One(low) => (Some(low), None),
            Self::To(high) => (None, Some(high)),
        }
    }
}

impl Loop {
    fn each_operand(&self, mut visit: impl FnMut(NodeId)) {
        self.states.iter().for_each(|&(_, first)| visit(first));
        match self.how {
            How::For(_, list) => visit(list),
            How::Until(condition) | How::While(condition) => visit(condition),
        }
        visit(self.body);
        self.result.into_iter().for_each(visit);
    }
}

impl Node {
    /// Whether the form itself rolls, draws or shuffles.
    pub(super) fn rolls(&self) -> bool {
        matches!(
            self,
            Self::AnyDie(_)
                | Self::Dice(_)
                | Self::Die(_)
                | Self::Draw(..)
                | Self::Fate
                | Self::Pair(Pair::Draw, ..)
                | Self::Percentile
                | Self::Word(Word::Perm, _)
        )
    }

    /// Whether the node is a list by dicelab's syntax. For parentheses with a content, the content decides; the caller asks
    /// about that.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::Arithmetic(..)
            | Self::Die(_)
            | Self::Integer
            | Self::Name
            | Self::Negate(_)
            | Self::Unreadable
            | Self::Word(Word::Count | Word::Prod | Word::Sum, _) => false,
            // Dicelab has not all of these, and only dicelab asks.
            _ => true,
        }
    }
}

impl Operator {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Concatenate => ".",
            Self::Div => "div",
            Self::Divide => "/",
            Self::Mod => "mod",
            Self::Multiply => "*",
            Self::Power => "^",
            Self::Remainder => "%",
            Self::Subtract => "-",
        }
    }
}

impl Binder {
    /// The word of the binder, the text after the name, and the word before the body.
    pub(super) fn words(self) -> [&'static str; 3] {
        match self {
            Self::Foreach => ["foreach", " in ", "do"],
            Self::Let => ["let", " = ", "in"],
            Self::Select => ["select", " in ", "where"],
            Self::While => ["while", " = ", "do"],
        }
    }
}

impl Filter {
    /// Whether the filter is one of the six comparisons.
    pub(super) fn is_by_value(self) -> bool {
        matches!(self.by, By::Value(_))
    }

    /// The filter as written, without its operands.
    pub(super) fn words(self) -> String {
        let modifier = match self.modifier {
            None => "",
            Some(Modifier::Drop) => "drop ",
            Some(Modifier::Keep) => "keep ",
        };
        let by = match self.by {
            By::First => "first",
            By::High => "high",
            By::Last => "last",
            By::Low => "low",
            By::Value(comparison) => symbol(comparison),
        };
        format!("{modifier}{by}")
    }
}

impl Word {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Distinct => "distinct",
            Self::Perm => "perm",
            Self::Prod => "prod",
            Self::Rev => "rev",
            Self::Sets => "sets",
            Self::Sort => "sort",
            Self::Straight => "straight",
            Self::Sum => "sum",
        }
    }
}

impl Again {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Explode => "explode",
            Self::Reroll => "reroll",
        }
    }
}

impl Connective {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
        }
    }
}

impl Function {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Abs => "abs",
            Self::Max => "max",
            Self::Min => "min",
        }
    }
}

impl Pair {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::At => "at",
            Self::Compare => "compare",
            Self::Draw => "draw",
            Self::Rank => "rank",
            Self::Without => "without",
        }
    }
}

/// The word before the list of a choice.
pub(super) fn preposition(candidates: Candidates) -> &'static str {
    match candidates {
        Candidates::Members => "in",
        Candidates::Parts => "from",
    }
}

/// A comparison as written.
pub(super) fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::NotEqual => "!=",
    }
}
