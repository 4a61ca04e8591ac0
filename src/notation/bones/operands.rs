//! Operands of words and filters as other languages write them: `count(6, 5d6)`, `count 1..3 x`, `compare(a, b)`.

use super::context::Context;
use super::lexer::Token;
use crate::source::Span;

/// A part of a rule, and the text for it.
pub(super) type Change = (Span, String);

/// `count(6, 5d6)` and `count 6 x` become `count ==6 5d6` and `count ==6 x`, `count 1..3 x` becomes `count >=1 <=3 x`, and
/// `count >=8 in x` becomes `count >=8 x`.
pub(super) fn counts(context: Context) -> Vec<Change> {
    let places = 0..context.lexed.tokens.len();
    let counts = places.filter(|&at| context.token(at) == Some(Token::Count));
    let changes = counts.filter_map(|at| counted(context, at));
    changes.flatten().collect()
}

/// The changes to what stands behind the word `count` at a token.
fn counted(context: Context, count: usize) -> Option<Vec<Change>> {
    let open = count + 1;
    let is_open = context.token(open) == Some(Token::Open);
    let start = open + usize::from(is_open);
    let has_sign = context.token(start).is_some_and(Token::is_comparison);
    let low = start + usize::from(has_sign);
    let is_end = |at: usize| matches!(context.token(at), Some(Token::Integer | Token::Name));
    let is_range = !has_sign && context.token(low + 1) == Some(Token::Dots) && is_end(low + 2);
    let is_value = context.token(low) == Some(Token::Integer) || is_range && is_end(low);
    let end = low + if is_range { 3 } else { 1 };
    let is_joined = match context.token(end)? {
        Token::Comma => !has_sign,
        Token::In | Token::Of => true,
        Token::Name => matches!(context.word(end), "among" | "from" | "on"),
        _ => false,
    };
    let list = end + usize::from(is_joined);
    let begins_list = match context.token(list)? {
        // `count 4 d6` is rather one of `4d6`.
        Token::D => is_joined,
        Token::Integer | Token::Name | Token::Open => is_joined || !context.is_glued(list),
        token => token.is_word(),
    };
    if !is_value || !begins_list || has_sign && !is_joined {
        return None;
    }
    let (first, last) = (context.word(low), context.word(end - 1));
    let condition = match (has_sign, is_range) {
        (true, _) => context.words(start, end).to_owned(),
        (_, true) => format!(">={first} <={last}"),
        _ => format!("=={first}"),
    };
    let mut changes = Vec::new();
    let place = Span::new(context.place(open).start, context.place(list).start);
    if is_open {
        let close = context.closing_of(open)?;
        let (list, after) = operand(context, list, close);
        // The list of a filter by comparison takes all arithmetic.
        let goes_on = context.token(close + 1).is_some_and(Token::is_arithmetic);
        let start = context.place(count).start;
        if goes_on {
            changes.push((Span::new(start, start), "(".into()));
        }
        changes.push((place, format!(" {condition} {list}")));
        let end = if goes_on { ")" } else { "" };
        changes.push((context.place(close), format!("{after}{end}")));
    } else {
        let rest = context.lexed.tokens[list..].iter();
        let mut operand = rest.take_while(|token| !ends(**token));
        if operand.any(|token| token.is_arithmetic()) {
            return None;
        }
        changes.push((place, format!("{condition} ")));
    }
    Some(changes)
}

/// Whether the list of a filter by comparison ends before a token.
fn ends(token: Token) -> bool {
    let is_bracket = matches!(token, Token::Close | Token::CloseBrace);
    let is_word = matches!(
        token,
        Token::And | Token::Do | Token::Else | Token::In | Token::Or | Token::Then
    );
    is_bracket || is_word || token.is_comma() || token.is_comparison()
}

/// `compare(a, b)` becomes `compare a b`, and `high(1, 3#d6)` becomes `high 1 3#d6`.
pub(super) fn pairs(context: Context) -> Vec<Change> {
    let takes_two = |token: Token| {
        let is_pair = matches!(token, Token::Compare | Token::Rank | Token::Without);
        is_pair || token.is_filter() && !token.is_comparison()
    };
    let places = 1..context.lexed.tokens.len();
    let opens = places.filter(|&open| {
        context.token(open) == Some(Token::Open) && context.before(open).is_some_and(takes_two)
    });
    opens
        .filter_map(|open| pair(context, open))
        .flatten()
        .collect()
}

/// The changes to two operands in the parentheses that begin at a token.
fn pair(context: Context, open: usize) -> Option<Vec<Change>> {
    let close = context.closing_of(open)?;
    let is_between = |at: &usize| {
        context.token(*at).is_some_and(Token::is_comma) && context.open_before(*at) == Some(open)
    };
    let commas: Vec<usize> = (open + 1..close).filter(is_between).collect();
    let &[comma] = &commas[..] else { return None };
    let is_followed = match context.token(close + 1) {
        Some(Token::D | Token::Integer | Token::Name | Token::Open) => true,
        Some(token) => token.is_word(),
        None => false,
    };
    if is_followed || comma == open + 1 || comma + 1 == close {
        return None;
    }
    let (before_first, after_first) = operand(context, open + 1, comma);
    let (before_second, after_second) = operand(context, comma + 1, close);
    let between = Span::new(context.place(comma).start, context.place(comma + 1).start);
    Some(vec![
        (context.place(open), format!(" {before_first}")),
        (between, format!("{after_first} {before_second}")),
        (context.place(close), after_second.into()),
    ])
}

/// The parentheses that an operand needs, which stands from a token to another.
fn operand(context: Context, from: usize, to: usize) -> (&'static str, &'static str) {
    let tokens = &context.lexed.tokens[from..to];
    let is_dice =
        |token: &Token| matches!(token, Token::D | Token::Hash | Token::Integer | Token::Name);
    let is_group = context.token(from) == Some(Token::Open)
        && context
            .closing_of(from)
            .is_some_and(|close| close + 1 == to);
    if is_group || tokens.iter().all(is_dice) {
        ("", "")
    } else {
        ("(", ")")
    }
}
