//! Errors of evaluation in the words of Bones: what the place of an error says about the mistake.

use super::tree::{Binding, Function, Node, Operator, Tree, Word, symbol};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::reader::quote::{is_line, is_short};
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
            ErrorKind::Type => match help(tree, place).or_else(|| swallowed(tree, place)) {
                Some(help) => finding.with_help(help),
                None if has_label(tree, place) => label(finding),
                None => finding,
            },
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

/// The error with help, if its place is a list that `count` shares with a sum: `count >=7 c + count ==10 c`.
pub(super) fn in_parentheses(tree: &Tree, error: Error) -> Error {
    let is_type = error.kind() == ErrorKind::Type;
    error.map(|finding| {
        let place = finding.span.filter(|_| is_type);
        match place.and_then(|place| swallowed(tree, place)) {
            Some(help) => finding.with_help(help),
            None => finding,
        }
    })
}

/// The sum with parentheses around each `count`, if the list of one of them is at a place.
fn swallowed(tree: &Tree, place: Span) -> Option<String> {
    let counts = || tree.ids().filter(|&id| list_and_rest(tree, id).is_some());
    let has_list =
        |id: &NodeId| list_and_rest(tree, *id).is_some_and(|(list, _)| tree.span(list) == place);
    counts().find(has_list)?;
    // The outermost has the whole sum.
    let around = counts().filter(|&id| {
        let span = tree.span(id);
        span.start <= place.start && place.end <= span.end
    });
    let whole = around.min_by_key(|&id| tree.span(id).start)?;
    is_line(tree.words(whole)).then(|| format!("write `{}`", with_parentheses(tree, whole)))
}

/// The first part of a sum from which `count` is to count, and the parts after it with their operators. They are one list for the
/// language.
fn list_and_rest(tree: &Tree, id: NodeId) -> Option<(NodeId, Vec<(Operator, NodeId)>)> {
    let Node::Word(Word::Count, filter) = *tree.node(id) else {
        return None;
    };
    let Node::Filter(filter, _, mut first) = *tree.node(filter) else {
        return None;
    };
    let mut rest = Vec::new();
    while let Node::Arithmetic(operator, a, b) = *tree.node(first) {
        rest.push((operator, b));
        first = a;
    }
    rest.reverse();
    (filter.is_by_value() && !rest.is_empty()).then_some((first, rest))
}

/// The text of a sum with parentheses around each `count`, which then ends with its list.
fn with_parentheses(tree: &Tree, id: NodeId) -> String {
    if let Some((list, rest)) = list_and_rest(tree, id) {
        let first = tree.slice(Span::new(tree.span(id).start, tree.span(list).end));
        let rest = rest.into_iter().map(|(operator, part)| {
            format!(" {} {}", operator.symbol(), with_parentheses(tree, part))
        });
        return format!("({first}){}", rest.collect::<String>());
    }
    match *tree.node(id) {
        Node::Arithmetic(operator, a, b) => {
            let [a, b] = [a, b].map(|part| with_parentheses(tree, part));
            format!("{a} {} {b}", operator.symbol())
        }
        Node::Word(..) => format!("({})", tree.words(id)),
        _ => tree.words(id).to_owned(),
    }
}

/// Whether a place is the body of a choice.
fn is_candidate(tree: &Tree, place: Span) -> bool {
    tree.ids().any(|id| match *tree.node(id) {
        Node::Best(_, Binding { body, .. }) => tree.span(body) == place,
        _ => false,
    })
}

/// An operand outside the domain: of which operator.
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
        _ if is_candidate(tree, place) => (
            "a candidate that may never end has no mean to be chosen by",
            "let each candidate end, whatever the dice show",
        ),
        _ => return finding,
    };
    let message = message.to_owned();
    Diagnostic { message, ..finding }.with_help(help)
}
