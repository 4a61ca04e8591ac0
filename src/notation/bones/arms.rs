//! The values of the arms of a `case`, as they are written elsewhere: `4-5`, `10+`, `6-`, `>=10`, `4 to 5`, `4, 5`.
//!
//! Of these only `4-5` can be read, as a difference, and then the arm is for -1.

use std::ops::Range;

use super::context::Context;
use super::error::{ParseError, ParseErrorKind};
use super::lexer::Token;
use crate::notation::reader::quote::is_line;
use crate::source::Span;

/// The error about the first such arm, with all of them corrected.
pub(super) fn arms(context: Context) -> Option<ParseError> {
    let mut wrong = Vec::new();
    for open in opening_braces(context) {
        wrong.extend(wrong_arms(context, open));
    }
    let (first, _) = wrong.first()?;
    let place = place(context, first);
    let message = format!("`{}` is no value of an arm", context.slice(place));
    let mut rule = context.slice(context.span).to_owned();
    wrong.sort_by_key(|(tokens, _)| tokens.start);
    for (tokens, meant) in wrong.iter().rev() {
        let place = self::place(context, tokens);
        let start = context.span.start;
        rule.replace_range(place.start - start..place.end - start, meant);
    }
    let rule = Some(rule.trim().to_owned());
    let kind = ParseErrorKind::Misread {
        message,
        note: Some("several values are `4..5`, `10..`, `..6`, or `1 or 3`"),
        rule: rule.filter(|rule| is_line(rule) && context.reads(rule)),
    };
    Some(ParseError::new(place, kind))
}

fn place(context: Context, tokens: &Range<usize>) -> Span {
    let last = context.place(tokens.end - 1);
    context.place(tokens.start).to(last)
}

/// The braces of choices, and not those of dice and draws.
fn opening_braces(context: Context<'_>) -> impl Iterator<Item = usize> {
    let tokens = &context.lexed.tokens;
    let first = context.position(Token::Case).unwrap_or(tokens.len());
    (first..tokens.len()).filter(move |&at| {
        let near = &tokens[at.saturating_sub(4)..at];
        let is_of_dice = near.last() == Some(&Token::AnyDie) || near.contains(&Token::Draw);
        tokens[at] == Token::OpenBrace && !is_of_dice
    })
}

/// The tokens of the values of arms that are written in another way, with what is meant.
fn wrong_arms(context: Context, open: usize) -> Vec<(Range<usize>, String)> {
    let mut wrong = Vec::new();
    let mut depth = 0_usize;
    let mut start = open + 1;
    // Values that end with a comma: `4, 5: 2`.
    let mut listed: Vec<Range<usize>> = Vec::new();
    let mut is_in_values = true;
    for (at, &token) in context.lexed.tokens.iter().enumerate().skip(open + 1) {
        match token {
            Token::Open | Token::OpenBrace | Token::OpenRecord => depth += 1,
            Token::Close | Token::CloseBrace if depth == 0 => break,
            Token::Close | Token::CloseBrace => depth -= 1,
            Token::Separator if depth == 0 => {
                if is_in_values && start < at {
                    listed.push(start..at);
                }
                (start, is_in_values) = (at + 1, true);
            }
            Token::Colon if depth == 0 && is_in_values && start < at => {
                listed.push(start..at);
                wrong.extend(corrected(context, &listed));
                listed.clear();
                is_in_values = false;
            }
            _ => {}
        }
    }
    wrong
}

/// The tokens of all values of an arm, with the values as the language has them, if they are written in another way.
fn corrected(context: Context, listed: &[Range<usize>]) -> Option<(Range<usize>, String)> {
    let values: Vec<Range<usize>> = listed
        .iter()
        .flat_map(|tokens| between_ors(context, tokens))
        .collect();
    let is_wrong = listed.len() > 1 || values.iter().any(|value| meant(context, value).is_some());
    if !is_wrong {
        return None;
    }
    let words = values.iter().map(|value| {
        let words = context.words(value.start, value.end);
        meant(context, value).unwrap_or_else(|| words.to_owned())
    });
    let words = words.collect::<Vec<_>>().join(" or ");
    Some((listed.first()?.start..listed.last()?.end, words))
}

/// The values with `or` between them. `6 or more` is one of them.
fn between_ors(context: Context, tokens: &Range<usize>) -> Vec<Range<usize>> {
    let mut values = Vec::new();
    let mut start = tokens.start;
    for at in tokens.clone() {
        let is_or = context.lexed.tokens[at] == Token::Or && direction(context, at + 1).is_none();
        if is_or && start < at {
            values.push(start..at);
            start = at + 1;
        }
    }
    if start < tokens.end {
        values.push(start..tokens.end);
    }
    values
}

/// What `more` or `less` at a token says: whether the values go up.
fn direction(context: Context, at: usize) -> Option<bool> {
    context.token(at)?;
    match context.word(at) {
        "above" | "better" | "greater" | "higher" | "more" | "up" => Some(true),
        "below" | "fewer" | "less" | "lower" | "worse" => Some(false),
        _ => None,
    }
}

/// One value or run of values as the language has it, if it is written in another way.
fn meant(context: Context, value: &Range<usize>) -> Option<String> {
    let tokens = &context.lexed.tokens[value.clone()];
    let word = |at: usize| context.word(value.start + at);
    // A comparison, an end, and what follows it: `>=3`, `3+`, `3-5`.
    let is_sign = |token: &Token| token.is_comparison() || *token == Token::Assign;
    let sign = usize::from(tokens.first().is_some_and(is_sign));
    let length = length_of_end(&tokens[sign..])?;
    let end = context.words(value.start + sign, value.start + sign + length);
    let rest = &tokens[sign + length..];
    let number = |text: &str| text.parse::<i64>().ok();
    if sign == 1 {
        let next = |step: i64| match number(end) {
            Some(number) => number.checked_add(step).map(|number| number.to_string()),
            None => Some(format!("{end} {} 1", if step > 0 { "+" } else { "-" })),
        };
        return match tokens[0] {
            _ if !rest.is_empty() => None,
            Token::GreaterOrEqual => Some(format!("{end}..")),
            Token::LessOrEqual => Some(format!("..{end}")),
            Token::Greater => Some(format!("{}..", next(1)?)),
            Token::Less => Some(format!("..{}", next(-1)?)),
            Token::Equal | Token::Assign => Some(end.to_owned()),
            _ => None,
        };
    }
    match *rest {
        [Token::Plus] => Some(format!("{end}..")),
        [Token::Minus] => Some(format!("..{end}")),
        [Token::Or, _] => Some(if direction(context, value.start + length + 1)? {
            format!("{end}..")
        } else {
            format!("..{end}")
        }),
        [between, ref high @ ..] if length_of_end(high) == Some(high.len()) => {
            let high = context.words(value.start + length + 1, value.end);
            let is_range = match between {
                Token::Minus => number(end)? < number(high)?,
                Token::Name => matches!(word(length), "to" | "through"),
                _ => false,
            };
            is_range.then(|| format!("{end}..{high}"))
        }
        _ => None,
    }
}

/// The number of tokens of an end of a run: an integer or a name, which may have a minus.
fn length_of_end(tokens: &[Token]) -> Option<usize> {
    match *tokens {
        [Token::Integer | Token::Name, ..] => Some(1),
        [Token::Minus, Token::Integer, ..] => Some(2),
        _ => None,
    }
}
