//! The tree of a rule for people: a node a line, its operands indented below.

use std::fmt::Write as _;

use super::tree::{Node, NodeId, Tree};
use crate::stack;

/// Deeper parts than this are not indented further, so that the text stays linear in the tree.
const MAX_INDENT: usize = 100;

/// The outline of a tree, from the words of each node; parentheses are left out.
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
