//! Warnings about rules that can be evaluated but probably do not mean what was intended.

use super::print;
use super::tree::{Binary, Node, Tree};
use crate::error::Diagnostic;
use crate::notation::reader::quote::{MOST_LISTED, shortened};
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::stack;

/// The warnings about a rule, in the order of the text.
pub(super) fn warnings(tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    find(tree, tree.root, &mut found);
    found
}

fn find(tree: &Tree, id: NodeId, found: &mut Vec<Diagnostic>) {
    if found.len() >= MOST_LISTED {
        return;
    }
    let node = *tree.node(id);
    if let Node::Binary(Binary::Dice, count, sides) = node
        && let Node::Binary(operator, inner, argument) = *tree.node(sides)
        && !matches!(operator, Binary::Dice)
    {
        found.push(sides_of_many(
            tree,
            count,
            sides,
            (operator, inner, argument),
        ));
    }
    if let Node::Binary(operator @ (Binary::BonusAdd | Binary::BonusSubtract), dice, bonus) = node
        && is_many(tree, dice)
    {
        found.push(bonus_of_each(tree, id, operator, [dice, bonus]));
    }
    node.each_operand(|operand| stack::level(|| find(tree, operand, found)));
}

/// Whether a part may have more than one die. Of two bonuses in a row only the first gets the warning.
fn is_many(tree: &Tree, id: NodeId) -> bool {
    let is_one = |id| tree.words(id) == "1";
    match *tree.node(id) {
        Node::Die(_) | Node::Integer => false,
        Node::Group(inner) | Node::Negate(inner) => stack::level(|| is_many(tree, inner)),
        Node::Binary(operator, a, b) => match operator {
            Binary::Add | Binary::Again(_) | Binary::Repeat | Binary::Subtract => true,
            Binary::BonusAdd | Binary::BonusSubtract | Binary::Divide | Binary::Multiply => false,
            Binary::Dice => !is_one(a),
            Binary::Explode(_) | Binary::Test(_) => stack::level(|| is_many(tree, b)),
            Binary::Keep(_) => !is_one(a) && stack::level(|| is_many(tree, b)),
        },
    }
}

/// `2d6+3`, which adds 3 to each die.
fn bonus_of_each(tree: &Tree, id: NodeId, operator: Binary, parts: [NodeId; 2]) -> Diagnostic {
    let [dice, bonus] = parts.map(|id| shortened(&print::part(tree, id)));
    let (does, sign) = match operator {
        Binary::BonusSubtract => ("subtracted from", "-"),
        _ => ("added to", "+"),
    };
    let message = format!("`{bonus}` is {does} each die of `{dice}`, and not once");
    Diagnostic::new(tree.span(id), message)
        .with_code("bonus-of-each")
        .with_help(format!("write `{dice} {sign} {bonus}` for once"))
}

/// `4d6K3`, which means `4d(6K3)`.
fn sides_of_many(
    tree: &Tree,
    count: NodeId,
    sides: NodeId,
    (operator, inner, argument): (Binary, NodeId, NodeId),
) -> Diagnostic {
    let letter = operator.symbol();
    let warning = Diagnostic::new(
        tree.span(sides),
        format!(
            "`d` takes all of `{}` as its sides",
            shortened(&print::part(tree, sides))
        ),
    )
    .with_code("sides");
    let is_number = |id| matches!(tree.node(id), Node::Integer);
    if !is_number(inner) || !is_number(argument) {
        return warning;
    }
    let [count, sides, number] =
        [count, inner, argument].map(|id| shortened(&print::part(tree, id)));
    warning.with_help(format!("did you mean `{number}{letter}{count}d{sides}`?"))
}
