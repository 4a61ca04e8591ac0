//! Errors about parentheses that do not match and about signs that are no part of the language, with the signs that were
//! probably intended.

use super::context::Context;
use super::error::{ParseError, ParseErrorKind};
use super::foreign;
use super::lexer::Token;
use super::table::Table;
use crate::notation::reader::lookalike::lookalike;
use crate::notation::reader::quote::{MOST_LISTED, is_short, shortened};

/// The errors about signs and parentheses, in the order of the text. A rule with such an error is not parsed.
pub(super) fn signs(context: Context) -> Vec<ParseError> {
    let mut errors = Vec::new();
    let mut open = Vec::new();
    // Unknown signs before this token are part of an error that is already listed.
    let mut explained = 0;
    for (at, &token) in context.lexed.tokens.iter().enumerate() {
        let kind = match token {
            Token::Open | Token::OpenBrace | Token::OpenRecord => {
                open.push(at);
                continue;
            }
            Token::Close | Token::CloseBrace => {
                let closes = |&open: &usize| {
                    let is_brace = context.token(open) != Some(Token::Open);
                    is_brace == (token == Token::CloseBrace)
                };
                match open.last() {
                    Some(last) if closes(last) => {
                        open.pop();
                        continue;
                    }
                    // One of several open brackets is closed: those within it are not.
                    Some(_) if open.iter().any(closes) => {
                        let last = open.pop().unwrap_or(at);
                        while open.last().is_some_and(|at| !closes(at)) {
                            open.pop();
                        }
                        open.pop();
                        errors.push(unclosed(context, last));
                        continue;
                    }
                    _ => ParseErrorKind::Unopened {
                        is_brace: token == Token::CloseBrace,
                    },
                }
            }
            Token::Unknown if at < explained => continue,
            // Quotes are explained once.
            Token::Unknown if context.word(at) == "'" && errors.iter().any(is_quote) => continue,
            Token::Unknown => {
                if let Some((help, end)) = foreign::custom_die(context, at) {
                    explained = end + 1;
                    let found = context.word(at).chars().next().unwrap_or(' ');
                    let help = Some(help.into());
                    ParseErrorKind::UnknownSign { found, help }
                } else {
                    if "&|".contains(context.word(at)) && context.word(at + 1) == context.word(at) {
                        explained = at + 2;
                    }
                    // The corrected rule is suggested only once.
                    unknown(context, at, errors.is_empty())
                }
            }
            _ => continue,
        };
        errors.push(ParseError::new(context.place(at), kind));
        if errors.len() == MOST_LISTED {
            return errors;
        }
    }
    let unclosed = open.into_iter().map(|at| unclosed(context, at));
    errors.extend(unclosed);
    errors.sort_by_key(|error| error.span);
    errors
}

fn is_quote(error: &ParseError) -> bool {
    matches!(error.kind, ParseErrorKind::UnknownSign { found: '\'', .. })
}

fn unclosed(context: Context, at: usize) -> ParseError {
    let is_brace = matches!(
        context.token(at),
        Some(Token::OpenBrace | Token::OpenRecord)
    );
    ParseError::new(context.place(at), ParseErrorKind::Unclosed { is_brace })
}

fn unknown(context: Context, at: usize, suggests_rule: bool) -> ParseErrorKind {
    let word = context.word(at);
    if word == "\"" && context.table == Table::Bones {
        let rule = context.slice(context.span).trim();
        let rule = Some(format!("{rule}\"")).filter(|rule| is_short(rule) && context.reads(rule));
        return ParseErrorKind::UnclosedText { rule };
    }
    let found = word.chars().find(|letter| !letter.is_ascii());
    let found = found.or_else(|| word.chars().next()).unwrap_or(' ');
    if let Some(ascii) = lookalike(found) {
        let only_marks = |at| Some(lookalike(context.word(at).chars().next()?)?.is_empty());
        if (0..context.lexed.tokens.len()).all(|at| only_marks(at).unwrap_or_default()) {
            let help = Some("a rule such as `sum(3#d6)`".into());
            return ParseErrorKind::UnknownSign { found, help };
        }
        if found == '\'' && context.table == Table::Bones {
            let help = Some("`\"…\"` around a label, as in `\"fumble\"`".into());
            return ParseErrorKind::UnknownSign { found, help };
        }
        let rule = suggests_rule.then(|| rule_in_ascii(context)).flatten();
        return ParseErrorKind::Lookalike { found, ascii, rule };
    }
    let help = match found {
        '!' if at >= 2 && context.before(at) == Some(Token::Integer) => {
            match context.before(at - 1) {
                Some(Token::D) => return exploding(context, at),
                _ => None,
            }
        }
        '!' if context.table == Table::Bones => {
            Some("`not` before a condition, `!=` for the members that differ")
        }
        '&' if context.table == Table::Bones => {
            Some("`and` between two conditions, or one filter before another, as in `>2 <5 3#d6`")
        }
        '|' if context.table == Table::Bones => Some(
            "`or` between two conditions, or `(<2 x),(>5 x)` for the members that pass either filter",
        ),
        '!' => Some("`!=` for the members that differ"),
        '&' => Some("one filter before another, as in `>2 <5 3#d6`, for both"),
        '|' => Some("`(<2 x),(>5 x)` for the members that pass either filter"),
        '{' | '}' | '"' => return ParseErrorKind::BonesAlone { what: word.into() },
        '?' => Some("`if >4 x then 1 else 0` to choose"),
        '_' if foreign::number(context, at).is_some() => {
            let number = foreign::number(context, at).unwrap_or_default();
            let help = Some(format!("`{number}`").into());
            return ParseErrorKind::UnknownSign { found, help };
        }
        _ if found.is_alphabetic() => Some("names with the letters a to z"),
        _ => None,
    };
    let help = help.map(Into::into);
    ParseErrorKind::UnknownSign { found, help }
}

/// `3d6!`. The token `at` is the sign.
fn exploding(context: Context, at: usize) -> ParseErrorKind {
    let sides = shortened(context.word(at - 1));
    let dice = match context.before(at - 2) {
        Some(Token::Integer) => format!("{}#d{sides}", shortened(context.word(at - 3))),
        _ => format!("d{sides}"),
    };
    ParseErrorKind::Exploding { dice, sides }
}

/// The whole rule with its signs replaced by ASCII, if the rule is short and the result can be read.
fn rule_in_ascii(context: Context) -> Option<String> {
    let rule = &context.text[context.span.start..context.span.end];
    if rule.chars().nth(60).is_some() || rule.contains('\n') {
        return None;
    }
    let mut out = String::new();
    for letter in rule.chars() {
        match lookalike(letter) {
            Some(ascii) => out.push_str(ascii),
            None => out.push(letter),
        }
    }
    let out = out.trim().to_owned();
    context.reads(&out).then_some(out)
}
