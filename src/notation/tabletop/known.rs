//! What is known of dice before they are rolled.

use super::token::Sides as Word;
use super::tree::{
    Argument, ChainPart, Die, Modified, Node, Sides, Tree, is_constant, last_operand,
};
use crate::ir::Comparison;
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::NodeId;

/// A number as written.
pub(super) fn constant(tree: &Tree, id: NodeId) -> Option<i64> {
    let id = tree.ungrouped(id);
    matches!(tree.node(id), Node::Number)
        .then(|| tree.words(id).parse().ok())
        .flatten()
}

/// The known number of dice.
pub(super) fn count(tree: &Tree, die: &Die) -> Option<i64> {
    die.count.map_or(Some(1), |count| constant(tree, count))
}

/// The known faces of a die.
pub(super) fn faces(tree: &Tree, die: &Die) -> Option<(i64, i64)> {
    match die.sides {
        Sides::Number(sides) => constant(tree, sides).map(|sides| (1, sides)),
        Sides::Word(Word::Coin) => Some((0, 1)),
        Sides::Word(Word::Fate | Word::RareFate) => Some((-1, 1)),
        Sides::Word(Word::Percent) => Some((1, 100)),
    }
}

/// The target among the modifiers of dice.
pub(super) fn target(modifiers: &[Modified]) -> Option<&Modified> {
    modifiers.iter().find(|part| part.kind == ChainPart::Target)
}

/// Whether a comparison of two sides stands beside another that points the same way, as in `7<=(2d6)<=9` and `7<=2d6<=9`: then what
/// lies between is meant.
pub(super) fn are_side_by_side(tree: &Tree, comparison: Comparison, [a, b]: [NodeId; 2]) -> bool {
    if let Node::Compare(other, ..) = tree.node(a) {
        return point_alike(comparison, *other);
    }
    // Behind a parenthesis the target belongs to what is in it.
    second_target(tree, comparison, [a, b])
        .is_some_and(|dice| tree.span(dice).end == tree.span(b).end)
}

/// The dice that the right side of a comparison ends with, if their target would be read as a second comparison that points the same
/// way: `7<=2d6<=9`, but not `7<=2d6>=5`, and not `2d6>=5` on both sides.
pub(super) fn second_target(
    tree: &Tree,
    comparison: Comparison,
    [a, b]: [NodeId; 2],
) -> Option<NodeId> {
    let last = last_operand(tree, b);
    let modifiers = match tree.node(last) {
        Node::Die(die) => &die.modifiers,
        Node::Pool(pool) => &pool.modifiers,
        _ => return None,
    };
    match target(modifiers)?.argument {
        Argument::Condition(other, _) if point_alike(comparison, other) => {
            is_constant(tree, a).then_some(last)
        }
        _ => None,
    }
}

/// Whether both comparisons ask for less, or both for more.
fn point_alike(one: Comparison, other: Comparison) -> bool {
    let points_up = |comparison| match comparison {
        Comparison::Greater | Comparison::GreaterOrEqual => Some(true),
        Comparison::Less | Comparison::LessOrEqual => Some(false),
        Comparison::Equal | Comparison::NotEqual => None,
    };
    points_up(one).is_some_and(|up| points_up(other) == Some(up))
}

/// How many dice there are, as it is written.
pub(super) fn count_of<'t>(tree: &'t Tree, die: &Die) -> &'t str {
    die.count.map_or("1", |count| tree.words(count))
}

/// The dice without their modifiers.
pub(super) fn bare(tree: &Tree, die: &Die) -> String {
    let count = count_of(tree, die);
    let sides = match die.sides {
        Sides::Number(sides) => tree.words(sides),
        Sides::Word(Word::Coin) => "c",
        Sides::Word(Word::Fate) => "F",
        Sides::Word(Word::RareFate) => "F.1",
        Sides::Word(Word::Percent) => "%",
    };
    short(&format!("{count}d{sides}"))
}

/// A text for a message, cut if it is long.
pub(super) fn short(text: &str) -> String {
    if text.chars().nth(60).is_none() {
        text.to_owned()
    } else {
        shortened(text)
    }
}
