//! The errors of reading and of evaluating a rule, with their wording. Corrections are looked up elsewhere ([`crate::notation::mend`]).

use super::facts::MOST_DICE;
use super::lexer::Token;
use super::operator::{Operator, Parameter};
use super::tree::{Node, Tree};
use crate::error::{Diagnostic, ErrorKind, Remedy};
use crate::notation::mend::explain;
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::quote::{MOST_LISTED, is_short, shortened};
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// An error of evaluating a rule, in the words of the notation.
pub(super) fn of_evaluation(kind: ErrorKind, finding: Diagnostic) -> Diagnostic {
    match kind {
        ErrorKind::BadDie => Diagnostic {
            message: format!("dice and sides out of the range 1 to {MOST_DICE} can occur here"),
            ..finding
        },
        ErrorKind::Domain => finding.with_help(
            "`k` and `q` keep no more dice than there are, `sp` counts from 1 to the length of its tuple, `kh`, `kl`, \
             `dh`, `dl`, `max` and `min` take 1 or more, pools take 1 to 999 dice, and 0^0 is no number",
        ),
        _ => finding,
    }
}

/// The error about a bracket without a partner, or about a sign without a meaning.
pub(super) fn of_signs(tokens: Tokens<Token>) -> Option<Diagnostic> {
    if let Some(unmatched) = explain::brackets(tokens) {
        return Some(unmatched);
    }
    let mut places = 0..tokens.lexed.tokens.len();
    let at = places.find(|&at| tokens.token(at) == Some(Token::Unknown))?;
    let (place, word) = (tokens.place(at), tokens.word(at));
    Some(if word.starts_with(char::is_alphabetic) {
        explain::unknown_word(place, word)
    } else {
        explain::unknown_sign(place, word, "OneDice")
    })
}

/// A rule without tokens.
pub(super) fn empty(span: Span) -> Diagnostic {
    Diagnostic::new(span, "there is no rule here").with_help("write a rule such as `4d6k3`")
}

/// A rule that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    limit.complaint(
        place,
        match limit {
            Limit::Chain => "write `9000lp[1d6]kh9000` for the sum of many",
            Limit::Depth => "set inner parts to variables, as in `[$t1=(2d6),$t1*2]`",
        },
    )
}

/// A name without a value, or an `i` outside of a loop.
pub(super) fn unbound(tree: &Tree, id: NodeId) -> Diagnostic {
    let place = tree.span(id);
    if matches!(tree.node(id), Node::Index) {
        return Diagnostic::new(
            place,
            "`i` is the number of a round, and this is in no loop",
        )
        .with_help("write `3lp[i*1d6]`");
    }
    let name = tree.plain_words(id);
    Diagnostic::new(place, format!("`{{{}}}` has no value", shortened(&name)))
        .with_remedy(Remedy::GiveValue(name))
}

/// Errors that the grammar does not see: parameters that exclude each other, and `?` with one branch.
pub(super) fn contradictions(tree: &Tree) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for id in tree.ids() {
        match *tree.node(id) {
            Node::With(parameter, subject, _) => {
                let Some(operation) = tree.operation(subject) else {
                    continue;
                };
                let excluded = |found: Parameter| {
                    operation.operator == Operator::Roll && excludes(parameter, found)
                };
                let earlier = operation.parameters.iter();
                let clash = earlier
                    .map(|&(found, _)| found)
                    .find(|&found| excluded(found));
                if let Some(clash) = clash {
                    let end = tree.span(subject).end;
                    let place = Span::new(end, tree.span(id).end);
                    let message = format!(
                        "a die cannot have both `{}` and `{}`",
                        clash.word(),
                        parameter.word()
                    );
                    let help = "write `5d6k3kl1` to choose again among the dice that are left";
                    errors.push(Diagnostic::new(place, message).with_help(help));
                }
            }
            Node::Infix(Operator::Choose, left, right)
                if !matches!(tree.node(right), Node::Missing(_)) =>
            {
                let next = tree.nodes.get(id.index() + 1..).unwrap_or_default();
                let is_followed = |node: &Node| matches!(node, Node::With(Parameter::Else, subject, _) if *subject == id);
                if !next.iter().any(is_followed) {
                    let message = "`?` has one branch, and no `:` for the other";
                    let (left, right) = (tree.words(left), tree.words(right));
                    let help = if is_short(left) && is_short(right) {
                        format!("write `{left}?{right}:0`, or `{left}?` for the sum of 1 to {left}")
                    } else {
                        "write `1?2:3`".into()
                    };
                    errors.push(Diagnostic::new(tree.span(id), message).with_help(help));
                }
            }
            _ => {}
        }
        if errors.len() == MOST_LISTED {
            break;
        }
    }
    errors
}

/// Whether two parameters of a die exclude each other.
fn excludes(one: Parameter, other: Parameter) -> bool {
    let is_percentile = |found| matches!(found, Parameter::Bonus | Parameter::Penalty);
    let is_kept = |found| matches!(found, Parameter::KeepHigh | Parameter::KeepLow);
    one != other && (is_percentile(one) || is_kept(one)) && (is_percentile(other) || is_kept(other))
}
