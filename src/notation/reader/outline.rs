//! Prints the tree of a rule for people: one line for each node, with its operands indented below.

use std::fmt::Write as _;

use super::tree::{Node, NodeId, Tree};
use crate::stack;

/// The deepest indentation, so that the length of the text is linear in the size of the tree.
const MAX_INDENT: usize = 100;

/// The outline of a tree without its parentheses. `words` returns the line of a node.
pub(crate) fn outline<N: Node>(tree: &Tree<N>, words: impl Fn(NodeId) -> String) -> String {
    let mut out = String::new();
    write(tree, tree.root, 0, &words, &mut out);
    out
}

fn write<N: Node>(
    tree: &Tree<N>,
    id: NodeId,
    depth: usize,
    words: &impl Fn(NodeId) -> String,
    out: &mut String,
) {
    let id = tree.ungrouped(id);
    line(depth, &words(id), out);
    tree.node(id)
        .each_operand(|operand| stack::level(|| write(tree, operand, depth + 1, words, out)));
}

/// Writes one line of an outline.
pub(crate) fn line(depth: usize, text: &str, out: &mut String) {
    let indent = 2 * depth.min(MAX_INDENT);
    writeln!(out, "{:indent$}{text}", "").expect("writing to a string succeeds");
}
