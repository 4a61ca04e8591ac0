//! Static facts about the parts of a rule: bounds of the number, the size of the tuple, and whether a part can fail or sets a
//! variable. They make most checks in the lowered program unnecessary.

use super::operator::{Default, Operator, Parameter};
use super::tree::{Node, Operation, Tree};
use crate::notation::reader::range::Range;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::notation::settings::Settings;

/// The largest number of dice, and of sides, that `d` accepts.
pub(super) const MOST_DICE: i64 = 10_000;

/// The static facts about a part of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The bounds of the number.
    pub(super) number: Range,
    /// The bounds of each member of the tuple.
    each: Range,
    /// The bounds of the number of members of the tuple.
    pub(super) size: Range,
    /// Whether evaluating the part can fail, as far as the other facts tell.
    pub(super) may_fail: bool,
    /// Whether the part sets a variable.
    pub(super) writes: bool,
    /// Whether the part uses the `i` of a loop around it.
    pub(super) uses_index: bool,
}

impl Facts {
    fn number(number: Range) -> Self {
        Self {
            number,
            each: number,
            size: Range::only(1),
            may_fail: false,
            writes: false,
            uses_index: false,
        }
    }

    /// A tuple whose number is the sum.
    fn summed(each: Range, size: Range) -> Self {
        Self {
            number: each.times(size),
            each,
            size,
            ..Self::number(Range::UNKNOWN)
        }
    }

    /// A tuple whose number is the last member.
    fn listed(each: Range, size: Range) -> Self {
        Self {
            each,
            size,
            ..Self::number(each)
        }
    }

    /// Whether the part has the same number in every roll, and cannot fail. Then any number of evaluations is as good as one.
    /// A constant range is not enough: `[4]sp(1d2)` is 4 in every roll in which it does not fail.
    pub(super) fn is_fixed(&self) -> bool {
        !self.may_fail && self.number.constant().is_some()
    }

    /// Whether the tuple has more than one member; `None` where the bounds leave this open.
    pub(super) fn is_many(&self) -> Option<bool> {
        if self.size.is_at_least(2) {
            Some(true)
        } else if self.size.is_at_most(1) {
            Some(false)
        } else {
            None
        }
    }
}

/// The facts of all nodes.
pub(super) fn facts(tree: &Tree, settings: &Settings) -> Vec<Facts> {
    let mut all = Vec::with_capacity(tree.nodes.len());
    for id in tree.ids() {
        let mut facts = of(tree, settings, id, &all);
        let node = tree.node(id);
        facts.may_fail = fails_itself(tree, id, &facts, &all);
        facts.writes = matches!(node, Node::With(Parameter::Value, ..));
        facts.uses_index = matches!(node, Node::Index);
        node.each_operand(|operand| {
            let operand: &Facts = &all[operand.index()];
            facts.may_fail |= operand.may_fail;
            facts.writes |= operand.writes;
            facts.uses_index |= operand.uses_index;
        });
        if let Node::Infix(Operator::Loop, range, _) = *node {
            facts.uses_index = all[range.index()].uses_index;
        }
        all.push(facts);
    }
    all
}

/// Whether a part can fail although none of its operands fails; `true` where that is not known. `facts` are the bounds of the
/// part.
fn fails_itself(tree: &Tree, id: NodeId, facts: &Facts, known: &[Facts]) -> bool {
    let fact = |id: NodeId| &known[id.index()];
    match *tree.node(id) {
        Node::Group(_)
        | Node::Index
        | Node::Missing(_)
        | Node::Name
        | Node::Tuple(_)
        | Node::With(Parameter::Else | Parameter::Value, ..) => false,
        Node::Integer => facts.number.constant().is_none(),
        Node::Pop(inner) => !fact(inner).size.is_at_least(1),
        Node::Infix(operator, left, right) => {
            let (left, right) = (fact(left), fact(right));
            let is_die = |range: Range| range.is_at_least(1) && range.is_at_most(MOST_DICE);
            // A number with bounds is far too small to overflow.
            let is_bounded = |range: Range| range.low.is_some() && range.high.is_some();
            match operator {
                Operator::Add | Operator::Multiply | Operator::Subtract => {
                    !is_bounded(facts.number) || !is_bounded(facts.each)
                }
                Operator::AtLeast
                | Operator::AtMost
                | Operator::DropHigh
                | Operator::DropLow
                | Operator::KeepHigh
                | Operator::KeepLow => !right.number.is_at_least(1) || !is_bounded(facts.number),
                // Without `:`, this is the sum of the numbers up to the left operand.
                Operator::Choose => !left.number.is_at_least(0) || !is_bounded(left.number),
                Operator::And
                | Operator::Greater
                | Operator::Less
                | Operator::Or
                | Operator::Variable => false,
                Operator::Divide => right.number.may_be(0) || right.each.may_be(0),
                Operator::Fate => !left.number.is_at_least(0),
                Operator::Roll => !is_die(left.number) || !is_die(right.number),
                Operator::Bonus
                | Operator::Cross
                | Operator::Loop
                | Operator::Penalty
                | Operator::Pool
                | Operator::Power
                | Operator::Slice => true,
            }
        }
        // The number of extra or kept dice may be out of range.
        Node::With(..) => true,
    }
}

fn of(tree: &Tree, settings: &Settings, id: NodeId, known: &[Facts]) -> Facts {
    let fact = |id: NodeId| known[id.index()];
    match tree.node(id) {
        Node::Group(inner) => fact(*inner),
        Node::Index => Facts::number(Range::UNKNOWN),
        Node::Integer => {
            let value = tree.plain_words(id).parse::<i64>();
            Facts::number(value.map_or(Range::UNKNOWN, Range::only))
        }
        Node::Missing(Default::Number(value)) => Facts::number(Range::only((*value).into())),
        Node::Missing(Default::Sides) => Facts::number(Range::only(settings.default_sides.into())),
        Node::Name => {
            let value = settings.parameters.get(&tree.plain_words(id));
            let value = value.and_then(crate::number::Integer::to_i64);
            Facts::number(value.map_or(Range::UNKNOWN, Range::only))
        }
        Node::Pop(inner) => {
            let inner = fact(*inner);
            Facts::listed(inner.each, inner.size)
        }
        Node::Tuple(members) => {
            let numbers = members.iter().map(|&member| fact(member).number);
            let each = numbers.reduce(Range::or).unwrap_or_default();
            let size = i64::try_from(members.len()).unwrap_or(i64::MAX);
            Facts {
                number: members
                    .last()
                    .map_or(Range::UNKNOWN, |&last| fact(last).number),
                ..Facts::listed(each, Range::only(size))
            }
        }
        Node::Infix(..) | Node::With(..) => match tree.operation(id) {
            Some(operation) => of_operation(tree, &operation, fact),
            None => Facts::number(Range::UNKNOWN),
        },
    }
}

fn of_operation(tree: &Tree, operation: &Operation, fact: impl Fn(NodeId) -> Facts) -> Facts {
    let (left, right) = (fact(operation.left), fact(operation.right));
    let parameter = |parameter| {
        let (_, value) = operation.parameters[operation.position(parameter)?];
        Some(value.map_or(Range::only(1), |value| fact(value).number))
    };
    match operation.operator {
        operator if operator.is_arithmetic() => arithmetic(operator, &left, &right),
        Operator::Roll => {
            let count = left.number.within(1, MOST_DICE);
            if operation.has(Parameter::Pool) {
                return Facts::number(Range {
                    low: Some(0),
                    high: None,
                });
            }
            if operation.has(Parameter::Bonus) || operation.has(Parameter::Penalty) {
                return Facts::summed(Range::between(1, 100), count);
            }
            let sides = right.number.within(1, MOST_DICE);
            let each = Range {
                low: Some(1),
                high: sides.high,
            };
            let kept = parameter(Parameter::KeepHigh).or_else(|| parameter(Parameter::KeepLow));
            let size = kept.map_or(count, |kept| kept.within(0, MOST_DICE));
            Facts::summed(each, size)
        }
        Operator::Fate => {
            let count = left.number.within(0, i64::MAX);
            Facts::summed(Range::between(-1, 1), count)
        }
        Operator::Bonus | Operator::Penalty => Facts::number(Range::between(1, 100)),
        Operator::Pool => Facts::number(Range {
            low: Some(0),
            high: None,
        }),
        Operator::Cross => Facts::number(Range {
            low: Some(1),
            high: None,
        }),
        Operator::Greater | Operator::Less => Facts::number(Range::between(0, 1)),
        Operator::KeepHigh | Operator::KeepLow => {
            let least = |a: Option<i64>, b: Option<i64>| match (a, b) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            let wanted = right.number.within(1, i64::MAX);
            let size = Range {
                low: least(left.size.low, wanted.low),
                high: least(left.size.high, wanted.high),
            };
            Facts::summed(left.each, size)
        }
        Operator::DropHigh | Operator::DropLow => {
            let dropped = right.number.within(1, i64::MAX);
            let size = left.size.plus(dropped.negated()).within(0, i64::MAX);
            Facts::summed(left.each, size)
        }
        Operator::AtLeast | Operator::AtMost => Facts::summed(Range::UNKNOWN, left.size),
        Operator::Choose => match parameter(Parameter::Else) {
            Some(other) => Facts::number(right.number.or(other)),
            None => Facts::number(Range {
                low: Some(0),
                high: None,
            }),
        },
        Operator::Variable => Facts::number(parameter(Parameter::Value).unwrap_or(Range::UNKNOWN)),
        Operator::Slice => Facts::listed(left.each, slice_size(tree, operation, &fact)),
        Operator::Loop => Facts::listed(Range::UNKNOWN, loop_size(tree, operation, &fact)),
        _ => Facts::number(Range::UNKNOWN),
    }
}

fn arithmetic(operator: Operator, left: &Facts, right: &Facts) -> Facts {
    let apply = |left: Range, right: Range| match operator {
        Operator::Add => left.plus(right),
        Operator::Subtract => left.plus(right.negated()),
        Operator::Multiply => left.times(right),
        Operator::Divide => left.over(right),
        _ => Range::UNKNOWN,
    };
    let number = apply(left.number, right.number);
    let (each, size) = match (left.is_many(), right.is_many()) {
        (Some(true), Some(false)) => (apply(left.each, right.number), left.size),
        (Some(false), Some(true)) => (apply(left.number, right.each), right.size),
        (Some(_), Some(_)) => (number, Range::only(1)),
        _ => {
            let most = left.size.or(right.size).or(Range::only(1));
            (Range::UNKNOWN, most)
        }
    };
    Facts {
        each,
        size,
        ..Facts::number(number)
    }
}

/// The constant first number, step and last number of a slice or a loop. `None` if a number is not constant; the first number
/// is `None` where it is not written.
fn span(
    tree: &Tree,
    id: NodeId,
    fact: &impl Fn(NodeId) -> Facts,
) -> Option<(Option<i64>, i64, i64)> {
    let id = tree.ungrouped(id);
    let number = |id: NodeId| fact(id).number.constant();
    match tree.node(id) {
        Node::Tuple(members) => match members[..] {
            [to] => Some((None, 1, number(to)?)),
            [from, to] => Some((Some(number(from)?), 1, number(to)?)),
            [from, step, to] => Some((Some(number(from)?), number(step)?, number(to)?)),
            _ => None,
        },
        _ => (fact(id).size.constant() == Some(1))
            .then(|| number(id).map(|to| (None, 1, to)))
            .flatten(),
    }
}

fn slice_size(tree: &Tree, operation: &Operation, fact: &impl Fn(NodeId) -> Facts) -> Range {
    let right = fact(operation.right);
    if right.size.constant() == Some(1) {
        return Range::only(1);
    }
    let of = fact(operation.left).size;
    match (span(tree, operation.right, fact), of.constant()) {
        (Some((Some(from), step, to)), Some(of))
            if from >= 1 && step >= 1 && from <= to.min(of) =>
        {
            Range::only((to.min(of) - from) / step + 1)
        }
        _ => Range {
            low: Some(1),
            high: of.high,
        },
    }
}

fn loop_size(tree: &Tree, operation: &Operation, fact: &impl Fn(NodeId) -> Facts) -> Range {
    let unknown = Range {
        low: Some(1),
        high: None,
    };
    let Node::Tuple(members) = tree.node(tree.ungrouped(operation.right)) else {
        return unknown;
    };
    match span(tree, operation.left, fact) {
        Some((from, step, to)) if step >= 1 && from.unwrap_or(1) <= to => {
            let rounds = to.checked_sub(from.unwrap_or(1)).map(|span| span / step);
            let rounds = rounds.and_then(|rounds| rounds.checked_add(1));
            let members = i64::try_from(members.len()).ok();
            rounds
                .zip(members)
                .and_then(|(rounds, members)| rounds.checked_mul(members))
                .map_or(unknown, Range::only)
        }
        _ => unknown,
    }
}
