//! Errors of evaluation in the words of Bones: what the place of an error says about the mistake.

use super::tree::{Binding, Function, Node, Tree, symbol};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::reader::quote::is_short;
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// The error with a better message or with help, if the node at its place tells more.
pub(super) fn in_its_words(tree: &Tree, error: Error) -> Error {
    let kind = error.kind();
    error.map(|finding| {
        let Some(place) = finding.span else {
            return finding;
        };
        match kind {
            ErrorKind::Type => match help(tree, place) {
                Some(help) => finding.with_help(help),
                None if has_label(tree, place) => label(finding),
                None => finding,
            },
            ErrorKind::BadDie => bad_die(tree, place, finding),
            ErrorKind::Domain => domain(tree, place, finding),
            _ => finding,
        }
    })
}

/// Whether the text of a place has a label in it.
fn has_label(tree: &Tree, place: Span) -> bool {
    let within = |span: Span| place.start <= span.start && span.end <= place.end;
    tree.ids()
        .any(|id| matches!(tree.node(id), Node::Text) && within(tree.span(id)))
}

/// The error of a place where a label can stand.
fn label(finding: Diagnostic) -> Diagnostic {
    let message = "a label, or a list, where one number is needed".to_owned();
    Diagnostic { message, ..finding }
        .with_help("choose the numbers before, as in `!=\"miss\" x`, or compare with `==`")
}

/// What to write where a list stands for a number.
fn help(tree: &Tree, place: Span) -> Option<String> {
    tree.ids().find_map(|id| match *tree.node(id) {
        Node::Compare(comparison, a, b) if tree.span(a) == place || tree.span(b) == place => {
            let is_left = tree.span(a) == place;
            let (list, number) = if is_left { (a, b) } else { (b, a) };
            let [list, number] = [list, number].map(|id| tree.words(id));
            let members = format!("{}{number} {list}", symbol(comparison));
            Some(if is_left && is_short(&members) {
                format!(
                    "write `count {members}` for the number of members that pass, or `{members}` for these members"
                )
            } else {
                "write a filter such as `==6 x` for the members that pass, \
                          or `count`, `sum` or `max(…)` for one number"
                    .into()
            })
        }
        Node::Die(sides) if tree.span(sides) == place => faces(tree, sides),
        _ => None,
    })
}

/// `d(1,2,3)`: a die with these faces.
fn faces(tree: &Tree, sides: NodeId) -> Option<String> {
    let Node::Group(Some(inner)) = *tree.node(sides) else {
        return None;
    };
    let die = format!("d{{{}}}", tree.words(inner));
    is_short(&die).then(|| format!("write `{die}` for a die with these faces"))
}

/// Whether a place is the weight of a face.
fn is_weight(tree: &Tree, place: Span) -> bool {
    let entries = tree.ids().flat_map(|id| match tree.node(id) {
        Node::AnyDie(entries) | Node::Draw(_, entries) => &entries[..],
        _ => &[],
    });
    let mut weights = entries.filter_map(|entry| entry.weight);
    weights.any(|weight| tree.span(weight) == place)
}

/// Whether a place is the body of a choice.
fn is_candidate(tree: &Tree, place: Span) -> bool {
    tree.ids().any(|id| match *tree.node(id) {
        Node::Best(_, Binding { body, .. }, _) => tree.span(body) == place,
        _ => false,
    })
}

/// The error of a die without faces: one with an empty list of faces, or with weights that are all 0.
fn bad_die(tree: &Tree, place: Span, finding: Diagnostic) -> Diagnostic {
    let entries = tree.ids().find_map(|id| match tree.node(id) {
        Node::AnyDie(entries) if tree.span(id) == place => Some(entries),
        _ => None,
    });
    let Some(entries) = entries else {
        return finding;
    };
    let message = if entries.iter().any(|entry| entry.weight.is_some()) {
        "a die whose weights are all 0 can be rolled here"
    } else {
        "a die without faces can be rolled here"
    };
    let message = message.to_owned();
    Diagnostic { message, ..finding }
}

/// The error of an operand outside of the domain, with the operator that it belongs to.
fn domain(tree: &Tree, place: Span, finding: Diagnostic) -> Diagnostic {
    let at_place = tree
        .ids()
        .rev()
        .find(|&id| tree.span(id) == place && !matches!(tree.node(id), Node::Group(_)));
    let (message, help) = match at_place.map(|id| tree.node(id)) {
        Some(Node::Case(_)) => (
            "a value that no arm of the `case` is for can occur here",
            "write `else: …` as the last arm",
        ),
        Some(Node::Best(..)) => (
            "there may be nothing to choose from here",
            "write a list that is never empty, as in `best y in 0, x do …`",
        ),
        Some(Node::Function(Function::Max | Function::Min, _)) => (
            "the greatest or least member of nothing can be asked for here",
            "write one more argument, as in `max(0, x)`",
        ),
        _ if is_weight(tree, place) => (
            "a weight is 0 or more, and this can be less",
            "write `max(0, …)` around it",
        ),
        _ if is_candidate(tree, place) => (
            "a candidate that may never end has no mean to be chosen by",
            "let each candidate end, whatever the dice show",
        ),
        _ => return finding,
    };
    let message = message.to_owned();
    Diagnostic { message, ..finding }.with_help(help)
}
