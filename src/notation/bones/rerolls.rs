//! Rewrites rerolls as other notations and players write them: `d6 reroll 1`, `reroll 1s 3#d6`, `reroll d6 until >1`.

use super::context::Context;
use super::lexer::Token;
use crate::source::Span;

/// The changes to the first reroll of a rule. As in the rolls of tabletop programs, a die is rolled until the condition fails,
/// unless `once` is said.
pub(super) fn rerolls(context: Context) -> Vec<(Span, String)> {
    let Some(at) = context.position(Token::RerollOn) else {
        return Vec::new();
    };
    let changes = until(context, at)
        .or_else(|| before_dice(context, at))
        .or_else(|| behind_dice(context, at));
    changes.unwrap_or_default()
}

/// When a die is rolled again.
struct Again<'s> {
    sign: &'s str,
    number: &'s str,
    is_once: bool,
    /// The token behind it.
    end: usize,
}

/// `1`, `1s`, `ones`, `<3`, `1 once`, from a token on.
fn again(context: Context<'_>, from: usize) -> Option<Again<'_>> {
    let is_word = |at: usize, words: &[&str]| {
        context.token(at).is_some() && words.contains(&context.word(at))
    };
    let mut at = from;
    let mut is_once = is_word(at, &["once"]);
    at += usize::from(is_once);
    at += usize::from(is_word(at, &["all", "any", "if", "on"]));
    let is_compared = context.token(at).is_some_and(Token::is_comparison);
    let sign = if is_compared { context.word(at) } else { "==" };
    at += usize::from(is_compared);
    let number = match context.token(at)? {
        Token::Integer => context.word(at),
        _ if is_word(at, &["ones"]) => "1",
        _ if is_word(at, &["twos"]) => "2",
        _ => return None,
    };
    at += 1;
    at += usize::from(is_word(at, &["s"]) && context.is_glued(at));
    if is_word(at, &["once"]) {
        is_once = true;
        at += 1;
    }
    Some(Again {
        sign,
        number,
        is_once,
        end: at,
    })
}

/// A name that the rule does not use.
fn free_name(context: Context) -> Option<&'static str> {
    let tokens = 0..context.lexed.tokens.len();
    let is_free = |name: &&str| tokens.clone().all(|at| context.word(at) != *name);
    ["x", "y", "z"].into_iter().find(is_free)
}

/// Whether a die of a plain number of sides begins at a token.
fn is_die(context: Context, at: usize) -> bool {
    context.token(at) == Some(Token::D) && context.token(at + 1) == Some(Token::Integer)
}

/// Whether a rule can go on with a token behind a reroll.
fn is_end(context: Context, at: usize) -> bool {
    context
        .token(at)
        .is_none_or(|token| token == Token::Close || token.is_comma() || token.is_arithmetic())
}

/// The text in parentheses, unless it fills those from a token to another, or the whole rule.
fn apart(context: Context, text: String, from: usize, end: usize) -> String {
    let before = from.checked_sub(1).and_then(|at| context.token(at));
    let fills = matches!(
        (before, context.token(end)),
        (None, None) | (Some(Token::Open), Some(Token::Close))
    );
    if fills { text } else { format!("({text})") }
}

/// The text of a die that is rolled again.
fn rolled_again(context: Context, die: usize, again: &Again) -> Option<String> {
    let (sides, number) = (context.word(die + 1), again.number);
    let below = || number.parse::<u64>().ok()?.checked_sub(1);
    let above = || number.parse::<u64>().ok()?.checked_add(1);
    let faces = match again.sign {
        "==" => number.to_owned(),
        "<" => format!("1..{}", below()?),
        "<=" => format!("1..{number}"),
        ">" => format!("{}..{sides}", above()?),
        ">=" => format!("{number}..{sides}"),
        _ => return None,
    };
    let once = if again.is_once { " once" } else { "" };
    Some(format!(
        "reroll {}{once} on {faces}",
        context.words(die, die + 2)
    ))
}

/// `reroll d6 until >1`
fn until(context: Context, at: usize) -> Option<Vec<(Span, String)>> {
    let until = context.position(Token::Until)?;
    let is_named = context.token(until + 1) == Some(Token::Name);
    let sign = until + 1 + usize::from(is_named);
    let is_condition = context.token(sign).is_some_and(Token::is_comparison)
        && context.token(sign + 1) == Some(Token::Integer)
        && is_end(context, sign + 2);
    let is_roll = matches!(
        context.token(at + 1),
        Some(Token::D | Token::Integer | Token::Open | Token::Sum)
    );
    if !is_condition || !is_roll || until < at {
        return None;
    }
    let name = if is_named {
        context.word(until + 1)
    } else {
        free_name(context)?
    };
    let end = sign + 2;
    let (sign, number) = (context.word(sign), context.word(sign + 1));
    let each = is_die(context, at + 3) && context.token(at + 2) == Some(Token::Hash);
    let (count, roll) = if each && until == at + 5 {
        (context.words(at + 1, at + 3), context.words(at + 3, until))
    } else {
        ("", context.words(at + 1, until))
    };
    let text = format!("reroll {name} = {roll} until {name} {sign} {number}");
    let text = match count {
        "" => apart(context, text, at, end),
        _ => format!("{count}({text})"),
    };
    Some(vec![(context.place(at).to(context.place(end - 1)), text)])
}

/// `reroll 1 d6`, `reroll 1s 3#d6`, `reroll <3 sum(3#d6)`
fn before_dice(context: Context, at: usize) -> Option<Vec<(Span, String)>> {
    let again = again(context, at + 1)?;
    let end = context.lexed.tokens.len();
    let is_before = |token: Token| {
        matches!(
            token,
            Token::Hash | Token::Integer | Token::Open | Token::Sum
        )
    };
    let die = (again.end..end).find(|&at| !context.token(at).is_some_and(is_before))?;
    if !is_die(context, die) || !is_end(context, die + 2) {
        return None;
    }
    let text = rolled_again(context, die, &again)?;
    if die == again.end {
        let place = context.place(at).to(context.place(die + 1));
        return Some(vec![(place, apart(context, text, at, die + 2))]);
    }
    let words = Span::new(context.place(at).start, context.place(again.end).start);
    let place = context.place(die).to(context.place(die + 1));
    let text = apart(context, text, die, die + 2);
    Some(vec![(words, String::new()), (place, text)])
}

/// `d6 reroll 1`, `3#d6 reroll 1s`, `sum(3#d6) reroll <3`
fn behind_dice(context: Context, at: usize) -> Option<Vec<(Span, String)>> {
    let again = again(context, at + 1)?;
    if !is_end(context, again.end) {
        return None;
    }
    let closed = usize::from(context.before(at) == Some(Token::Close));
    let die = at.checked_sub(2 + closed)?;
    if !is_die(context, die) {
        return None;
    }
    let text = rolled_again(context, die, &again)?;
    let words = Span::new(context.place(at - 1).end, context.place(again.end - 1).end);
    let place = context.place(die).to(context.place(die + 1));
    let behind = if closed == 1 { at - 1 } else { again.end };
    let text = apart(context, text, die, behind);
    Some(vec![(place, text), (words, String::new())])
}
