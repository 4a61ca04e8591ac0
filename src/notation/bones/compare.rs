//! Suggestions for infix comparisons, which other languages have: `left >= right` as a filter.

use super::context::{Context, MAX_DISTANCE};
use super::lexer::Token;
use crate::notation::reader::quote::is_short;

/// The help for `left >= right`, with the comparison at token `at`: a filter that can be written instead.
pub(super) fn as_filter(context: Context, at: usize) -> Option<String> {
    let sign = context.word(at);
    let start = start_of_operand(context, at)?;
    let end = end_of_operand(context, at)?;
    let (left, right) = (context.words(start, at), context.words(at + 1, end));
    if !is_short(left) || !is_short(right) || !context.reads(left) || !context.reads(right) {
        return None;
    }
    let grouped =
        context.token(at + 1) == Some(Token::Open) && context.closing_of(at + 1) == Some(end - 1);
    let single = grouped || end == at + 2 || context.operand_after(at) == Some(right);
    let value = if single {
        right.into()
    } else {
        format!("({right})")
    };
    // `count 5#d6 >= 4` means `count >=4 5#d6`, if `count` takes the whole left side.
    if context.token(start) == Some(Token::Count) && start + 1 < at {
        let list = context.words(start + 1, at);
        if context.operand_before(at) == Some(left) && context.reads(list) {
            let text = format!("count {sign}{value} {list}");
            let help = format!("write `{text}` for how many of {list} are {sign} {right}");
            return context.reads(&text).then_some(help);
        }
    }
    let list = if context.token(start) == Some(Token::Minus) {
        format!("({left})")
    } else {
        left.into()
    };
    let text = format!("{sign}{value} {list}");
    let help = format!("write `{text}` for the members of {left} that are {sign} {right}");
    context.reads(&text).then_some(help)
}

/// The text of `a < b < c` as two comparisons. The second comparison is the token `at`.
pub(super) fn chained(context: Context, at: usize) -> Option<String> {
    let first = at.saturating_sub(MAX_DISTANCE)..at;
    let mut first = first
        .rev()
        .filter(|&at| context.token(at).is_some_and(Token::is_comparison));
    let first = first.next()?;
    let start = start_of_operand(context, first)?;
    let end = end_of_operand(context, at)?;
    let left = context.words(start, at);
    let middle = context.words(first + 1, at);
    let right = context.words(at, end);
    let text = format!("{left} and {middle} {right}");
    (is_short(&text) && context.reads(&text)).then_some(text)
}

/// The first token of the left operand of a comparison. The operand begins after a comma or a keyword.
fn start_of_operand(context: Context, at: usize) -> Option<usize> {
    let mut closed = 0_usize;
    let mut start = at;
    while let Some(token) = context.before(start) {
        match token {
            Token::Close => closed += 1,
            Token::Open if closed > 0 => closed -= 1,
            _ if closed > 0 => {}
            Token::Open => break,
            token if ends(token) => break,
            token if token.is_comparison() => return None,
            _ => {}
        }
        start -= 1;
        if at - start > MAX_DISTANCE {
            return None;
        }
    }
    (start < at).then_some(start)
}

/// The token after the right operand of a comparison. The operand ends at a comma or a keyword.
fn end_of_operand(context: Context, at: usize) -> Option<usize> {
    let mut open = 0_usize;
    let mut end = at + 1;
    while let Some(token) = context.token(end) {
        match token {
            Token::Open => open += 1,
            Token::Close if open > 0 => open -= 1,
            _ if open > 0 => {}
            Token::Close => break,
            token if ends(token) => break,
            token if token.is_comparison() => return None,
            _ => {}
        }
        end += 1;
        if end - at > MAX_DISTANCE {
            return None;
        }
    }
    (end > at + 1).then_some(end)
}

/// Whether a token ends every operand.
fn ends(token: Token) -> bool {
    matches!(
        token,
        Token::Assign
            | Token::And
            | Token::Comma
            | Token::Do
            | Token::Dots
            | Token::Else
            | Token::From
            | Token::If
            | Token::In
            | Token::NextName
            | Token::Or
            | Token::Semicolon
            | Token::Separator
            | Token::Then
    )
}
