//! The mistake where an operand follows a complete operand, or anything else that cannot follow one.

use super::compare::{as_filter, chained};
use super::context::Context;
use super::error::{Dice, Meaning, ParseErrorKind};
use super::foreign::{function, is_function};
use super::language::{EXPECTED_WORDS, Expected, Failure};
use super::lexer::Token;
use super::table::Table;
use crate::notation::reader::quote::{is_short, shortened};

/// The name of a function of other languages, before an operand.
pub(super) fn foreign_function(context: Context, failure: &Failure) -> Option<ParseErrorKind> {
    let name = failure.at.checked_sub(1)?;
    let is_called = context.token(name) == Some(Token::Name)
        && context.token(name + 1).is_some_and(begins_operand)
        && failure.expects(Expected::Operator)
        && is_function(context.word(name))
        && !context.binds(context.word(name));
    is_called.then(|| undefined(context, name, function(context, name)))
}

/// A function that is not defined. In Bones it could be.
fn undefined(context: Context, name: usize, help: Option<String>) -> ParseErrorKind {
    let name = shortened(context.word(name));
    let definition = || format!("write `def {name}(x) = …` before the rule to define it");
    let help = help.or_else(|| (context.table == Table::Bones).then(definition));
    ParseErrorKind::Function { name, help }
}

fn begins_operand(token: Token) -> bool {
    matches!(
        token,
        Token::D | Token::Integer | Token::Name | Token::Open | Token::Drop | Token::Keep
    ) || token.is_word()
        || token.is_filter() && !token.is_comparison()
}

/// A token after a complete operand that cannot follow it.
pub(super) fn after_operand(context: Context, failure: &Failure) -> Option<ParseErrorKind> {
    let at = failure.at;
    let found = context.token(at)?;
    if !failure.expects(Expected::Operator) && !failure.expects(Expected::Comma) {
        return None;
    }
    if let Some(kind) = number_of_dice(context, at) {
        return Some(kind);
    }
    if found.is_filter() && context.word(at - 1) == "not" {
        return Some(ParseErrorKind::Juxtaposed {
            found: context.found(at),
            help: Some(format!(
                "write `drop {}…` for what fails the filter",
                context.word(at)
            )),
        });
    }
    if found.is_comparison() && context.table == Table::Bones {
        let help = chained(context, at);
        return Some(ParseErrorKind::ChainedComparison { help });
    }
    if found.is_comparison() {
        return Some(ParseErrorKind::InfixComparison {
            sign: context.word(at).into(),
            help: as_filter(context, at),
        });
    }
    if found == Token::Dots {
        return Some(ParseErrorKind::Chain);
    }
    if let Some(kind) = parenthesised_filter(context, at) {
        return Some(kind);
    }
    if found == Token::Open
        && context.before(at) == Some(Token::Name)
        && !context.binds(context.word(at - 1))
    {
        let name = shortened(context.word(at - 1));
        let help = context
            .is_defined(context.word(at - 1))
            .then(|| format!("write `{name}(` without a blank"));
        return Some(match help {
            Some(help) => ParseErrorKind::Juxtaposed {
                found: context.found(at),
                help: Some(help),
            },
            None => undefined(context, at - 1, None),
        });
    }
    // If a word such as `then` must follow, `missing_word` says so, unless the token is an operator in words.
    let operator = match found {
        Token::Name if !failure.expects(Expected::In) && !context.binds(context.word(at)) => {
            operator_in_words(context.word(at))
        }
        _ => None,
    };
    let mut words = EXPECTED_WORDS.iter();
    if operator.is_none() && words.any(|&(expected, _)| failure.expects(expected)) {
        return None;
    }
    if found == Token::Name && operator.is_none() && is_idle_word(context, at) {
        return Some(ParseErrorKind::Misread {
            message: format!("`{}` has no meaning here", shortened(context.word(at))),
            note: None,
            rule: None,
        });
    }
    let is_single = |at| {
        let word = context.word(at);
        match context.token(at) {
            Some(Token::Integer) => is_short(word),
            Some(Token::Name) => is_short(word) && context.binds(word),
            _ => false,
        }
    };
    let help = match operator {
        Some(operator) => operator.into(),
        // `{1: 2 3: 4}`
        None if context.token(at + 1) == Some(Token::Colon) && context.is_in_braces(at) => {
            "write `,` before it".into()
        }
        None if is_single(at - 1) && is_single(at) => {
            let (left, right) = (context.word(at - 1), context.word(at));
            format!("write `{left},{right}` for a list of both")
        }
        None => die_of(context, at).unwrap_or_else(|| {
            "write an operator such as `+` between them, or `,` for a list".into()
        }),
    };
    Some(ParseErrorKind::Juxtaposed {
        found: context.found(at),
        help: Some(help),
    })
}

/// `d20 twice`: whether a word behind an operand is no name, and ends the rule.
fn is_idle_word(context: Context, at: usize) -> bool {
    let word = context.word(at);
    word.len() > 2 && !context.knows(word) && context.token(at + 1).is_none()
}

/// `a 8`: a word without a meaning before a number of sides.
fn die_of(context: Context, at: usize) -> Option<String> {
    let sides = context.word(at);
    let is_die = context.before(at) == Some(Token::Name)
        && context.word(at - 1).len() == 1
        && context.token(at) == Some(Token::Integer)
        && context.lexed.tokens.len() == 2
        && is_short(sides);
    is_die.then(|| format!("write `d{sides}` for a die with {sides} sides"))
}

/// `4dF`, `4d%`, `4d{1,2}`: a number of dice without `#`.
fn number_of_dice(context: Context, at: usize) -> Option<ParseErrorKind> {
    let die = match context.token(at)? {
        Token::AnyDie => "d{…}",
        Token::Fate => "dF",
        Token::Percentile => "d%",
        _ => return None,
    };
    let count = context.word(at.checked_sub(1)?);
    let is_number = context.before(at) == Some(Token::Integer) && is_short(count);
    is_number.then(|| ParseErrorKind::DiceCount {
        count: count.into(),
        dice: Dice {
            each: format!("{count}#{die}"),
            total: format!("sum({count}#{die})"),
            meaning: Meaning::Sum,
        },
    })
}

/// `high(1 4#d6)`: both operands of a filter in one pair of parentheses.
fn parenthesised_filter(context: Context, at: usize) -> Option<ParseErrorKind> {
    let open = context.open_before(at)?;
    if !context.before(open).is_some_and(Token::is_filter) {
        return None;
    }
    let close = context.closing_of(open);
    let help = close.map(|close| {
        let filter = context.word(open - 1);
        let (first, second) = (context.words(open + 1, at), context.words(at, close));
        if at - open == 2 {
            format!("{filter} {first} ({second})")
        } else {
            format!("{filter} ({first}) ({second})")
        }
    });
    let help = help.filter(|help| is_short(help));
    Some(ParseErrorKind::FilterParenthesised { help })
}

/// The help for an operator that other languages write as a word.
fn operator_in_words(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "and" => "write one filter before another, as in `>2 <5 3#d6`, for both",
        "div" | "over" => "write `/` to divide",
        "minus" => "write `-` to subtract",
        "mod" => "write `%` for the remainder",
        "or" => "write `(<2 x),(>5 x)` for the members that pass either filter",
        "plus" => "write `+` to add",
        "times" | "x" => "write `*` to multiply",
        "to" => "write `1..6` for the numbers from 1 to 6",
        _ => return None,
    })
}
