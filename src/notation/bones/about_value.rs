//! Conditions on a value as people write them: `>= 15`, `7-9`, `10+`, `total is even`, `between 7 and 9`.
//!
//! Bones needs the name of the value and a whole comparison. So the text is an error, and this is what the error suggests.

use std::collections::BTreeMap;
use std::ops::Range;

use super::arms;
use super::context::Context;
use super::lexer::Token;
use super::lower::condition::VALUE;
use crate::notation::reader::quote::is_line;
use crate::number::Integer;

/// Names that people give to the value of a rule.
const OTHER_NAMES: [&str; 6] = ["it", "result", "roll", "score", "total", "x"];

/// The condition as it was probably meant, if each of its clauses is understood.
pub(super) fn meant(context: Context, given: &BTreeMap<String, Integer>) -> Option<String> {
    let text = context.slice(context.span).trim();
    let tokens = &context.lexed.tokens;
    let opens = |token: &Token| matches!(token, Token::Open | Token::OpenBrace | Token::OpenRecord);
    if !is_line(text) || tokens.iter().any(opens) {
        return None;
    }
    let mut meant = String::new();
    for (clause, end) in clauses(context) {
        meant += &compared(context, clause.clone(), given).or_else(|| in_bones(context, clause))?;
        meant += match context.token(end) {
            Some(Token::Or) => " or ",
            Some(_) => " and ",
            None => "",
        };
    }
    let is_known = |name: &str| name == VALUE || given.contains_key(name);
    let is_bound = context.about(&meant, |meant| {
        let mut tokens = meant.lexed.tokens.iter().enumerate();
        tokens.all(|(at, token)| *token != Token::Name || is_known(meant.word(at)))
    });
    (meant != text && is_bound && context.reads(&meant)).then_some(meant)
}

/// The clauses, each with the place of the `and` or `or` behind it. `between 7 and 9` is one clause, and so is `6 or more`.
fn clauses(context: Context) -> Vec<(Range<usize>, usize)> {
    let mut clauses = Vec::new();
    let mut start = 0;
    for at in 0..=context.lexed.tokens.len() {
        let is_end = match context.token(at) {
            Some(Token::And) => at < 2 || !is_between(context, at - 2),
            Some(Token::Or) => arms::direction(context, at + 1).is_none(),
            Some(_) => false,
            None => true,
        };
        if is_end {
            clauses.push((start..at, at));
            start = at + 1;
        }
    }
    clauses
}

fn is_between(context: Context, at: usize) -> bool {
    matches!(context.word(at), "between" | "from")
}

/// A clause that compares the value by its name, as it stands.
fn in_bones(context: Context, clause: Range<usize>) -> Option<String> {
    let names_value = clause.clone().any(|at| context.word(at) == VALUE);
    let compares = context.lexed.tokens[clause.clone()]
        .iter()
        .any(|token| token.is_comparison());
    (names_value && compares).then(|| context.words(clause.start, clause.end).to_owned())
}

/// A clause about the value, with the value and its comparisons written out.
fn compared(
    context: Context,
    clause: Range<usize>,
    given: &BTreeMap<String, Integer>,
) -> Option<String> {
    let word = |at: usize| {
        if at < clause.end {
            context.word(at)
        } else {
            ""
        }
    };
    let name = word(clause.start);
    let has_name = name == VALUE || OTHER_NAMES.contains(&name) && !given.contains_key(name);
    let sign = clause.start + usize::from(has_name);
    let token = context.token(sign).filter(|_| sign < clause.end)?;
    let is_sign = token.is_comparison() || token == Token::Assign;
    if is_sign && is_number(context, sign + 1..clause.end) {
        let number = context.words(sign + 1, clause.end);
        let sign = if token == Token::Assign {
            "=="
        } else {
            word(sign)
        };
        return Some(format!("{VALUE} {sign} {number}"));
    }
    let says_is = matches!(word(sign), "is" | "in" | "==" | "=");
    // `value 7` says nothing that is understood.
    if has_name && !says_is && !is_between(context, sign) {
        return None;
    }
    let said = sign + usize::from(says_is)..clause.end;
    match word(said.start) {
        _ if said.is_empty() => None,
        "even" if said.len() == 1 => Some(format!("{VALUE} mod 2 == 0")),
        "odd" if said.len() == 1 => Some(format!("{VALUE} mod 2 == 1")),
        _ => within(&values(context, said)?),
    }
}

fn is_number(context: Context, tokens: Range<usize>) -> bool {
    let length = arms::length_of_end(&context.lexed.tokens[tokens.clone()]);
    length == Some(tokens.len())
}

/// Some values as they stand in an arm: `7`, `7..9`, `..6`, `10..`.
fn values(context: Context, said: Range<usize>) -> Option<String> {
    let tokens = &context.lexed.tokens[said.clone()];
    if let [Token::Name, Token::Integer, _, Token::Integer] = *tokens
        && is_between(context, said.start)
    {
        let [low, high] = [said.start + 1, said.start + 3].map(|at| context.word(at));
        return Some(format!("{low}..{high}"));
    }
    let ends = tokens.split(|token| *token == Token::Dots);
    let is_end = |end: &[Token]| end.is_empty() || arms::length_of_end(end) == Some(end.len());
    if !tokens.contains(&Token::Name) && ends.clone().all(is_end) && ends.count() <= 2 {
        return Some(context.words(said.start, said.end).to_owned());
    }
    arms::meant(context, &said)
}

/// The comparisons that hold for these values. `None` for `9..7`, which are none.
fn within(values: &str) -> Option<String> {
    let Some((low, high)) = values.split_once("..") else {
        return Some(format!("{VALUE} == {values}"));
    };
    let (low, high) = (low.trim(), high.trim());
    let [least, most] = [low, high].map(|end| end.parse::<i64>().ok());
    if least.zip(most).is_some_and(|(least, most)| least > most) {
        return None;
    }
    let at_least = (!low.is_empty()).then(|| format!("{VALUE} >= {low}"));
    let at_most = (!high.is_empty()).then(|| format!("{VALUE} <= {high}"));
    match (at_least, at_most) {
        (Some(at_least), Some(at_most)) => Some(format!("{at_least} and {at_most}")),
        (one, other) => one.or(other),
    }
}
