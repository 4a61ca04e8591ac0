//! Rules that can be read as Bones, and surely mean something else.

use super::context::Context;
use super::error::{ParseError, ParseErrorKind};
use super::lexer::Token;
use super::tree::{Node, Tree};
use crate::notation::reader::quote::is_short;
use crate::source::Span;

/// The error about a rule that was read.
pub(super) fn misread(context: Context, tree: &Tree) -> Option<ParseError> {
    no_sides(context, tree)
        .or_else(|| end_of(context))
        .or_else(|| numbers_as_conditions(context))
}

fn error(
    context: Context,
    place: Span,
    message: String,
    note: Option<&'static str>,
    rule: String,
) -> ParseError {
    let rule = Some(rule).filter(|rule| {
        let mut rules = rule.split(';');
        is_short(rule) && rules.all(|rule| context.reads(rule))
    });
    let kind = ParseErrorKind::Misread {
        message,
        note,
        rule,
    };
    ParseError::new(place, kind)
}

/// `d00`, as the die for the tens of a percentile roll is called.
fn no_sides(context: Context, tree: &Tree) -> Option<ParseError> {
    let sides = tree.ids().find_map(|id| match *tree.node(id) {
        Node::Die(sides) if tree.words(sides) == "00" => Some(tree.span(sides)),
        _ => None,
    })?;
    let mut rule = context.slice(context.span).to_owned();
    let start = context.span.start;
    rule.replace_range(sides.start - start..sides.end - start, "100");
    let message = "no die has 00 sides".into();
    let note = "the tens alone, from 0 to 90, are `d{0..9}*10`";
    Some(error(context, sides, message, Some(note), rule))
}

/// `higher of d6 and d8`
fn end_of(context: Context) -> Option<ParseError> {
    let word = context.word(0);
    let function = match word.to_ascii_lowercase().as_str() {
        "best" | "better" | "greater" | "high" | "higher" | "highest" | "larger" | "max" => "max",
        "low" | "lower" | "lowest" | "min" | "smaller" | "worse" | "worst" => "min",
        _ => return None,
    };
    let is_part = context.token(0) == Some(Token::PartName) && context.token(1) == Some(Token::Of);
    let [left, right] = two_rolls(context, 2).filter(|_| is_part)?;
    let message = format!("`{word} of` asks for a part of a record");
    let rule = format!("{function}({left}, {right})");
    Some(error(context, context.place(0), message, None, rule))
}

/// `d8 or d6`
fn numbers_as_conditions(context: Context) -> Option<ParseError> {
    let [left, right] = two_rolls(context, 0)?;
    let at = context
        .position(Token::Or)
        .or_else(|| context.position(Token::And))?;
    let message = format!(
        "`{}` stands between conditions, and dice are numbers",
        context.word(at)
    );
    let rule = format!("{left}; {right}");
    Some(error(context, context.place(at), message, None, rule))
}

/// Two rolls of nothing but dice and arithmetic, with `and`, `or` or a comma between them, from a token to the end.
fn two_rolls(context: Context<'_>, from: usize) -> Option<[&str; 2]> {
    let end = context.lexed.tokens.len();
    let is_between = |token: Token| matches!(token, Token::And | Token::Or);
    let at = (from..end).find(|&at| context.token(at).is_some_and(is_between))?;
    let is_roll = |from: usize, to: usize| {
        let all = context.lexed.tokens.get(from..to).unwrap_or_default();
        let is_die = |token: &Token| matches!(token, Token::D | Token::Dice);
        let is_in_roll =
            |token: &Token| is_die(token) || *token == Token::Integer || token.is_arithmetic();
        all.iter().any(is_die) && all.iter().all(is_in_roll)
    };
    let are_rolls = is_roll(from, at) && is_roll(at + 1, end);
    are_rolls.then(|| [context.words(from, at), context.words(at + 1, end)])
}
