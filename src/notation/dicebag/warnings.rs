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
    node.each_operand(|operand| stack::level(|| find(tree, operand, found)));
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
    );
    let is_number = |id| matches!(tree.node(id), Node::Integer);
    if !is_number(inner) || !is_number(argument) {
        return warning;
    }
    let [count, sides, number] =
        [count, inner, argument].map(|id| shortened(&print::part(tree, id)));
    warning.with_help(format!("did you mean `{number}{letter}{count}d{sides}`?"))
}
