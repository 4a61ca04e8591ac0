//! Finds the mistakes that the grammar does not see: modifiers that do not belong where they stand.

use std::cmp::Reverse;
use std::mem::discriminant;

use super::error::ParseError;
use super::grammar;
use super::known::are_side_by_side;
use super::lexer;
use super::lower::outside;
use super::stages::{Score, Stages};
use super::tree::{self, ChainPart, Die, Modified, Node, Pool, Sides, Sum, Tree};
use super::words::Modifier;
use crate::notation::reader::quote::MOST_LISTED;
use crate::notation::reader::tree::NodeId;
use crate::source::{Source, Span};

/// The first mistakes of a tree, in the order of the text. Around a mistake, one of the same kind has the same cause.
pub(super) fn mistakes(tree: &Tree) -> Vec<(Span, ParseError)> {
    let found = tree.ids().filter_map(|id| mistake(tree, id).err());
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
    let mut kept: Vec<(Span, ParseError)> = Vec::new();
    for (span, error) in found {
        let is_around = |(outer, known): &mut (Span, ParseError)| {
            span.end <= outer.end && discriminant(known) == discriminant(&error)
        };
        while kept.pop_if(is_around).is_some() {}
        kept.push((span, error));
    }
    kept.truncate(MOST_LISTED);
    kept
}

/// A text, if it can be read as a roll. Suggestions of warnings are checked with this.
pub(super) fn readable(text: String) -> Option<String> {
    let source = Source::new("suggestion", text);
    let lexed = lexer::lex(source.text(), source.span());
    let tree = grammar::parse(&source, &lexed).ok()?;
    let is_roll = mistakes(&tree).is_empty() && !source.text().contains('\n');
    is_roll.then(|| source.text().to_owned())
}

fn mistake(tree: &Tree, id: NodeId) -> Result<(), (Span, ParseError)> {
    let span = tree.span(id);
    match tree.node(id) {
        Node::Advantage(_, roll) => {
            let leftmost = tree::leftmost(tree, *roll);
            let is_plain = match tree.node(leftmost) {
                Node::Die(die) => is_plain_d20(tree, die),
                _ => false,
            };
            if !is_plain {
                return Err((span, ParseError::AdvantageOfOther));
            }
        }
        Node::Call(function, arguments) => {
            let (least, most) = function.arguments();
            if !(least..=most).contains(&arguments.len()) {
                return Err((span, ParseError::Arguments(*function)));
            }
        }
        Node::Compare(comparison, a, b) if are_side_by_side(tree, *comparison, [*a, *b]) => {
            return Err((span, ParseError::SideBySide));
        }
        Node::Die(die) => {
            if let Sides::Number(sides) = die.sides
                && tree.words(sides) == "00"
            {
                return Err((tree.span(sides), ParseError::NoSides));
            }
            Stages::of(&die.modifiers)?;
        }
        Node::Name if outside(tree.words(id)).0.is_empty() => {
            return Err((span, ParseError::NoName));
        }
        Node::Pool(pool) => group(tree, pool)?,
        _ => {}
    }
    Ok(())
}

fn is_plain_d20(tree: &Tree, die: &Die) -> bool {
    let number = |id: NodeId| match tree.node(id) {
        Node::Number => tree.words(id).parse().unwrap_or(0),
        _ => 0,
    };
    let sides = match die.sides {
        Sides::Number(sides) => number(sides),
        Sides::Word(_) => 0,
    };
    sides == 20 && die.count.is_none_or(|count| number(count) == 1) && die.modifiers.is_empty()
}

fn group(tree: &Tree, pool: &Pool) -> Result<(), (Span, ParseError)> {
    for part in &pool.modifiers {
        if !is_for_groups(part) {
            let error = if pool.is_parenthesis {
                ParseError::ParenthesisModifier
            } else {
                ParseError::GroupModifier
            };
            return Err((part.span, error));
        }
    }
    let stages = Stages::of(&pool.modifiers)?;
    let [member] = pool.members[..] else {
        return Ok(());
    };
    if pool.is_parenthesis && !is_die_in_parentheses(tree, member) {
        let place = pool.modifiers[0].span;
        return Err((place, ParseError::ParenthesisModifier));
    }
    if stages.choices.is_empty() && matches!(stages.score, Score::Sum) {
        return Ok(());
    }
    let wrong = |id| (tree.span(id), ParseError::GroupOfOther);
    let sum = Sum::of(tree, member).map_err(wrong)?;
    for id in sum.dice {
        if let Node::Die(die) = tree.node(id) {
            let stages = Stages::of(&die.modifiers)?;
            if !matches!(stages.score, Score::Sum) || !stages.margins.is_empty() {
                return Err(wrong(id));
            }
        }
    }
    Ok(())
}

fn is_for_groups(part: &Modified) -> bool {
    match part.kind {
        ChainPart::Target => true,
        ChainPart::Modifier(modifier) => matches!(
            modifier,
            Modifier::Drop
                | Modifier::DropEnd(_)
                | Modifier::Fail
                | Modifier::Keep
                | Modifier::KeepEnd(_)
                | Modifier::MarkFailure
                | Modifier::MarkSuccess
                | Modifier::Sort
        ),
    }
}

/// Whether a part is dice within one pair of parentheses.
fn is_die_in_parentheses(tree: &Tree, id: NodeId) -> bool {
    match *tree.node(id) {
        Node::Group(inner) => matches!(tree.node(inner), Node::Die(_)),
        _ => false,
    }
}
