//! Warnings about rules that can be evaluated but probably do not mean what was intended.

use super::facts::Facts;
use super::operator::{Operator, Parameter};
use super::tree::{Node, Tree};
use crate::error::Diagnostic;
use crate::notation::reader::quote::{MOST_LISTED, is_short, suggesting};
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// The warnings, in the order of the text.
pub(super) fn warnings(tree: &Tree, facts: &[Facts]) -> Vec<Diagnostic> {
    let whole = wholes(tree);
    let mut warnings = Vec::new();
    for id in tree.ids() {
        let Node::Infix(operator, left, right) = *tree.node(id) else {
            continue;
        };
        let around = whole[id.index()];
        warnings.extend(tight_choice(tree, around, operator, right));
        warnings.extend(short_value(tree, around, left));
        if matches!(operator, Operator::DropHigh | Operator::DropLow) {
            warnings.push(dropped(tree, facts, id, left, right));
        }
    }
    for id in tree.ids() {
        if let Node::With(Parameter::Bonus | Parameter::Penalty, subject, _) = *tree.node(id) {
            warnings.extend(other_sides(tree, facts, subject));
        }
    }
    warnings.sort_by_key(|warning| warning.span);
    warnings.dedup();
    warnings.truncate(MOST_LISTED);
    warnings
}

/// For each node, the outermost node that contains it without brackets between them.
fn wholes(tree: &Tree) -> Vec<NodeId> {
    let mut whole: Vec<NodeId> = tree.ids().collect();
    // A node comes after its operands.
    for id in tree.ids().rev() {
        let of = whole[id.index()];
        match *tree.node(id) {
            Node::Infix(_, left, right) => {
                whole[left.index()] = of;
                whole[right.index()] = of;
            }
            Node::Pop(subject) | Node::With(_, subject, _) => whole[subject.index()] = of,
            _ => {}
        }
    }
    whole
}

/// `1d6>3?10:20`: a choice that binds tighter than the comparison before it.
fn tight_choice(
    tree: &Tree,
    whole: NodeId,
    operator: Operator,
    right: NodeId,
) -> Option<Diagnostic> {
    let choice = tree.operation(right)?;
    let has_branches = choice.has(Parameter::Else);
    if choice.operator != Operator::Choose || !has_branches && operator.level() != 7 {
        return None;
    }
    let place = tree.span(right);
    let start = tree.span(whole).start;
    let condition_end = tree.span(choice.left).end;
    let [before, condition, rest] = [
        Span::new(start, place.start),
        Span::new(start, condition_end),
        Span::new(condition_end, place.end),
    ]
    .map(|span| tree.slice(span));
    let meaning = format!("{before}({})", tree.slice(place));
    let message = if is_short(&meaning) {
        format!(
            "`?` binds tighter than `{}`, so this means `{meaning}`",
            operator.word()
        )
    } else {
        format!("`?` binds tighter than `{}`", operator.word())
    };
    let meant = format!("({condition}){rest}");
    let purpose = " to choose by all that stands before";
    let warning = Diagnostic::new(Span::new(start, place.end), message).with_code("tight-choice");
    let otherwise = "put the condition in parentheses";
    Some(suggesting(warning, (&meant, purpose), otherwise))
}

/// `$t1=2d6`: a variable that is set to the first operand only.
fn short_value(tree: &Tree, whole: NodeId, left: NodeId) -> Option<Diagnostic> {
    let Node::With(Parameter::Value, _, Some(value)) = *tree.node(left) else {
        return None;
    };
    let set = tree.span(left);
    let place = Span::new(set.start, tree.span(whole).end);
    let value_start = tree.span(value).start;
    let [variable, all, rest] = [
        Span::new(set.start, value_start),
        Span::new(value_start, place.end),
        Span::new(set.end, place.end),
    ]
    .map(|span| tree.slice(span));
    let meaning = format!("({}){rest}", tree.slice(set));
    let message = if is_short(&meaning) {
        format!("`=` takes one operand alone, so this means `{meaning}`")
    } else {
        "`=` takes one operand alone".into()
    };
    let meant = format!("{variable}({all})");
    let purpose = " to set the variable to all of it";
    let warning = Diagnostic::new(place, message).with_code("short-value");
    let otherwise = "put the value in parentheses";
    Some(suggesting(warning, (&meant, purpose), otherwise))
}

/// `4d6dl1`: a word that the document of OneDice describes differently.
fn dropped(tree: &Tree, facts: &[Facts], id: NodeId, left: NodeId, right: NodeId) -> Diagnostic {
    let is_low = matches!(tree.node(id), Node::Infix(Operator::DropLow, ..));
    let (which, keep, word) = if is_low {
        ("lowest", "kh", "dl")
    } else {
        ("highest", "kl", "dh")
    };
    let message = format!("`{word}` drops the {which}, as in D&D");
    let fact = |id: NodeId| &facts[id.index()];
    let kept = fact(left)
        .size
        .constant()
        .zip(fact(right).number.constant());
    let kept = kept.and_then(|(size, dropped)| size.checked_sub(dropped));
    let kept = kept.filter(|&kept| kept > 0);
    let dice = tree.words(left);
    let diagnostic = Diagnostic::new(tree.span(id), message)
        .with_code("drops")
        .with_note(
            "the document of OneDice describes the word as if it kept them; its programs drop",
        );
    match kept {
        Some(kept) if is_short(dice) => {
            diagnostic.with_help(format!("write `{dice}{keep}{kept}` to leave no doubt"))
        }
        _ => diagnostic.with_help(format!("write `{keep}` and how many to keep")),
    }
}

/// `1d6b2`: a die whose written sides are ignored.
fn other_sides(tree: &Tree, facts: &[Facts], subject: NodeId) -> Option<Diagnostic> {
    let operation = tree.operation(subject)?;
    let is_written = matches!(tree.node(operation.right), Node::Integer);
    let sides = facts[operation.right.index()].number.constant();
    (is_written && sides != Some(100)).then(|| {
        Diagnostic::new(
            tree.span(operation.right),
            "bonus and penalty dice make this a die with 100 sides, whatever is written",
        )
        .with_code("sides")
        .with_help("write `100`, or nothing")
    })
}
