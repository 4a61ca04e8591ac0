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
fn corrected(context: Context, values: &[Range<usize>]) -> Option<(Range<usize>, String)> {
    let is_single = |tokens: &Range<usize>| {
        let token = context.lexed.tokens[tokens.start];
        tokens.len() == 1 && matches!(token, Token::Integer | Token::Text)
    };
    let are_known = |tokens: &Range<usize>| is_single(tokens) || meant(context, tokens).is_some();
    let is_wrong = values.len() > 1 || values.iter().any(|tokens| meant(context, tokens).is_some());
    if !is_wrong || !values.iter().all(are_known) {
        return None;
    }
    let words = values.iter().map(|tokens| {
        let words = context.words(tokens.start, tokens.end);
        meant(context, tokens).unwrap_or_else(|| words.to_owned())
    });
    let words = words.collect::<Vec<_>>().join(" or ");
    Some((values.first()?.start..values.last()?.end, words))
}

/// One value or run of values as the language has it, if it is written in another way.
fn meant(context: Context, tokens: &Range<usize>) -> Option<String> {
    let number = |at: usize| context.word(tokens.start + at).parse::<u64>().ok();
    Some(match context.lexed.tokens[tokens.clone()] {
        [Token::Integer, Token::Minus, Token::Integer] if number(0)? < number(2)? => {
            format!("{}..{}", number(0)?, number(2)?)
        }
        [Token::Integer, Token::Name, Token::Integer]
            if matches!(context.word(tokens.start + 1), "to" | "through") =>
        {
            format!("{}..{}", number(0)?, number(2)?)
        }
        [Token::Integer, Token::Plus] => format!("{}..", number(0)?),
        [Token::Integer, Token::Minus] => format!("..{}", number(0)?),
        [Token::GreaterOrEqual, Token::Integer] => format!("{}..", number(1)?),
        [Token::LessOrEqual, Token::Integer] => format!("..{}", number(1)?),
        [Token::Greater, Token::Integer] => format!("{}..", number(1)?.checked_add(1)?),
        [Token::Less, Token::Integer] => format!("..{}", number(1)?.checked_sub(1)?),
        [Token::Equal | Token::Assign, Token::Integer] => number(1)?.to_string(),
        _ => return None,
    })
}
