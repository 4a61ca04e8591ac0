//! What is known of dice before they are rolled.

use super::token::Sides as Word;
use super::tree::{Die, Kind, Modified, Node, Sides, Tree};
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
    modifiers.iter().find(|part| part.kind == Kind::Target)
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
