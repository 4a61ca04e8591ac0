//! The values of the arms of a `case`, as they are written elsewhere: `4-5`, `10+`, `6-`, `>=10`, `4 to 5`, `4, 5`.
//!
//! Of these only `4-5` can be read, as a difference, and then the arm is for -1. A condition on a value may say values in
//! these ways, too ([`super::about_value`]).

use std::ops::Range;

use super::context::Context;
use super::error::{ParseError, ParseErrorKind};
use super::lexer::Token;
use crate::notation::reader::quote::{is_line, shortened};
use crate::source::Span;

/// The error about the first such arm, with all of them corrected if the rule is short.
pub(super) fn arms(context: Context) -> Option<ParseError> {
    let wrong = wrong_arms(context);
    let place = place(context, &wrong.first()?.0);
    let message = format!(
        "`{}` is no value of an arm",
        shortened(context.slice(place))
    );
    let kind = ParseErrorKind::Misread {
        message,
        note: Some("several values are `4..5`, `10..`, `..6`, or `1 or 3`"),
        rule: rule(context, &wrong),
    };
    Some(ParseError::new(place, kind))
}

/// The whole rule with these tokens replaced.
fn rule(context: Context, wrong: &[(Range<usize>, String)]) -> Option<String> {
    let mut rule = context.slice(context.span).to_owned();
    if !is_line(rule.trim()) {
        return None;
    }
    let start = context.span.start;
    for (tokens, meant) in wrong.iter().rev() {
        let place = place(context, tokens);
        rule.replace_range(place.start - start..place.end - start, meant);
    }
    Some(rule.trim().to_owned()).filter(|rule| context.reads(rule))
}

fn place(context: Context, tokens: &Range<usize>) -> Span {
    let last = context.place(tokens.end - 1);
    context.place(tokens.start).to(last)
}

/// What is open at a token.
enum Open {
    /// The braces of a choice.
    Choice {
        /// Where the values of an arm begin, before its colon.
        values: Option<usize>,
        /// The values of the arm before these. They end with a comma, as in `4, 5: 2`.
        listed: Vec<Range<usize>>,
    },
    Other,
}

/// The tokens of the values of arms that are written in another way, with what is meant, in the order of the text.
fn wrong_arms(context: Context) -> Vec<(Range<usize>, String)> {
    let all = &context.lexed.tokens;
    let first = context.position(Token::Case).unwrap_or(all.len());
    let mut wrong = Vec::new();
    let mut open = Vec::new();
    for (at, &token) in all.iter().enumerate().skip(first) {
        match (token, open.last_mut()) {
            (Token::OpenBrace, _) if !is_of_dice(all, at) => open.push(Open::Choice {
                values: Some(at + 1),
                listed: Vec::new(),
            }),
            (Token::Open | Token::OpenBrace | Token::OpenRecord, _) => open.push(Open::Other),
            (Token::Close | Token::CloseBrace, _) => {
                open.pop();
            }
            (Token::Separator, Some(Open::Choice { values, listed })) => {
                let ended = values.replace(at + 1).map(|start| start..at);
                listed.extend(ended.filter(|tokens| !tokens.is_empty()));
            }
            (Token::Colon, Some(Open::Choice { values, listed })) => {
                if let Some(start) = values.take().filter(|start| *start < at) {
                    listed.push(start..at);
                    wrong.extend(corrected(context, listed));
                }
                listed.clear();
            }
            _ => {}
        }
    }
    wrong
}

/// Whether a brace begins the faces of a die or of a draw.
fn is_of_dice(tokens: &[Token], brace: usize) -> bool {
    let near = &tokens[brace.saturating_sub(4)..brace];
    near.last() == Some(&Token::AnyDie) || near.contains(&Token::Draw)
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
pub(super) fn direction(context: Context, at: usize) -> Option<bool> {
    context.token(at)?;
    match context.word(at) {
        "above" | "better" | "greater" | "higher" | "more" | "up" => Some(true),
        "below" | "fewer" | "less" | "lower" | "worse" => Some(false),
        _ => None,
    }
}

/// One value or run of values as the language has it, if it is written in another way.
pub(super) fn meant(context: Context, value: &Range<usize>) -> Option<String> {
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
pub(super) fn length_of_end(tokens: &[Token]) -> Option<usize> {
    match *tokens {
        [Token::Integer | Token::Name, ..] => Some(1),
        [Token::Minus, Token::Integer, ..] => Some(2),
        _ => None,
    }
}
