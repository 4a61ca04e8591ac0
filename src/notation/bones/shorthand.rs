//! Suggestions for dice as other notations write them: `4d6`, `3d6kh2`, `dF`.

use super::context::Context;
use super::error::{Dice, Meaning, ParseErrorKind};
use super::foreign;
use super::lexer::{Token, words};
use super::table::Table;
use crate::notation::reader::quote::{is_short, shortened};

/// The error for dice as other notations write them, after a complete operand.
pub(super) fn shorthand(context: Context, at: usize) -> Option<ParseErrorKind> {
    let before = context.before(at)?;
    if is_die(context, at) {
        return dice(context, at);
    }
    if context.token(at) == Some(Token::Name) && context.word(at) == "dF" {
        let count = shortened(context.word(at - 1));
        return Some(ParseErrorKind::Juxtaposed {
            found: context.found(at),
            help: Some(format!(
                "write `{count}#(d3-2)` for so many FATE dice, `sum({count}#(d3-2))` to add them"
            )),
        });
    }
    let juxtaposed = |help| {
        let found = context.found(at);
        Some(ParseErrorKind::Juxtaposed {
            found,
            help: Some(help),
        })
    };
    if before == Token::Integer && context.token(at) == Some(Token::Name) {
        let of_die = at >= 2 && is_die(context, at - 2);
        if let Some(help) = foreign::advantage(context, at).filter(|_| of_die) {
            return juxtaposed(help);
        }
        if let Some(number) = foreign::number(context, at).filter(|_| context.is_glued(at)) {
            return juxtaposed(format!("write `{number}`"));
        }
    }
    if !context.is_glued(at) {
        return None;
    }
    match (before, context.token(at)?) {
        (Token::Name, Token::Integer) => Some(glued(context.word(at - 1), context.word(at))),
        (Token::Integer, Token::Name) if at >= 2 && is_die(context, at - 2) => {
            let Kept { filter, count, .. } = kept(context, at)?;
            let sides = shortened(context.word(at - 1));
            Some(ParseErrorKind::Juxtaposed {
                found: context.found(at),
                help: Some(format!("write `{filter} {count} d{sides}`")),
            })
        }
        (Token::Integer, Token::Name) => {
            let (number, name) = (shortened(context.word(at - 1)), shortened(context.word(at)));
            Some(ParseErrorKind::Juxtaposed {
                found: context.found(at),
                help: Some(format!("write `{number}*{name}` to multiply")),
            })
        }
        _ => None,
    }
}

/// Whether a token is the letter of a die, small or capital.
pub(super) fn is_die(context: Context, at: usize) -> bool {
    match context.token(at) {
        Some(Token::D) => true,
        Some(Token::Name) => context.word(at) == "D",
        _ => false,
    }
}

/// `attack d20+5`: the name of a rule without a colon.
fn name_of_rule(context: Context, at: usize) -> Option<ParseErrorKind> {
    let is_name = at == 1 && context.before(at) == Some(Token::Name);
    let name = context.word(0);
    let rest = context.words(at, context.lexed.tokens.len());
    let is_meant = is_name && name.len() > 1 && !context.knows(name) && context.reads(rest);
    let rule = format!("{name}: {rest}");
    (is_meant && is_short(&rule)).then(|| ParseErrorKind::Misread {
        message: format!("`{name}` is neither a number of dice nor the name of the rule"),
        note: None,
        rule: Some(rule),
    })
}

/// `4d6` and the text that follows. The token `at` is the `d`.
fn dice(context: Context, at: usize) -> Option<ParseErrorKind> {
    if let Some(name) = name_of_rule(context, at) {
        return Some(name);
    }
    let count = match context.before(at)? {
        // The number before the `d` is the number of sides of another die.
        Token::Integer if at >= 2 && is_die(context, at - 2) => return None,
        Token::Close => match context.group_before(at) {
            Some(count) if is_short(count) => count.into(),
            _ => "n".into(),
        },
        _ => shortened(context.word(at - 1)),
    };
    if context.token(at + 1) == Some(Token::Percent) {
        return Some(ParseErrorKind::Percent { count: Some(count) });
    }
    if context.token(at + 1) != Some(Token::Integer) {
        return Some(ParseErrorKind::Juxtaposed {
            found: context.found(at),
            help: Some(format!("write `{count}#d…` for so many dice")),
        });
    }
    let sides = shortened(context.word(at + 1));
    let (each, all) = if count == "1" {
        (format!("d{sides}"), format!("d{sides}"))
    } else {
        (
            format!("{count}#d{sides}"),
            format!("sum({count}#d{sides})"),
        )
    };
    let (total, meaning) = if let Some(Kept { filter, count, end }) = kept(context, at + 2) {
        let more = more(context, end).unwrap_or_default();
        (format!("sum({filter} {count} {each}){more}"), Meaning::Kept)
    } else {
        match (count.as_str(), more(context, at + 2)) {
            (_, Some(more)) => (format!("{all}{more}"), Meaning::SumAndMore),
            ("1", None) => (all, Meaning::Die),
            _ => (all, Meaning::Sum),
        }
    };
    let dice = Dice {
        each,
        total,
        meaning,
    };
    Some(ParseErrorKind::DiceCount { count, dice })
}

/// The rest of the expression, such as `+3` or `+1d4*2`, in Bones; `None` if it contains anything else.
fn more(context: Context, mut at: usize) -> Option<String> {
    let mut more = String::new();
    loop {
        match context.token(at) {
            None | Some(Token::Close | Token::Comma | Token::Else | Token::Then) => break,
            Some(Token::Minus | Token::Plus | Token::Slash | Token::Star) => {
                more.push_str(context.word(at));
            }
            // Directly behind dice, a comparison could count them.
            Some(sign)
                if sign.is_comparison() && context.table == Table::Bones && !more.is_empty() =>
            {
                more.extend([" ", context.word(at), " "]);
            }
            _ => return None,
        }
        let count = (context.token(at + 1) == Some(Token::Integer)).then(|| context.word(at + 1));
        let die = at + 1 + usize::from(count.is_some());
        let is_dice = is_die(context, die) && context.token(die + 1) == Some(Token::Integer);
        let sides = if is_dice { context.word(die + 1) } else { "" };
        match count {
            None | Some("1") if is_dice => more.extend(["d", sides]),
            Some(count) if is_dice => more.extend(["sum(", count, "#d", sides, ")"]),
            Some(number) => more.push_str(number),
            None => return None,
        }
        at = if is_dice { die + 2 } else { die };
        if !is_short(&more) {
            return None;
        }
    }
    (!more.is_empty()).then_some(more)
}

/// A suffix that keeps or drops dice, as a filter.
pub(super) struct Kept<'s> {
    pub(super) filter: &'static str,
    pub(super) count: &'s str,
    /// The first token after the suffix.
    pub(super) end: usize,
}

/// The suffix at a token: `kh2`, `drop lowest` and similar.
pub(super) fn kept(context: Context<'_>, at: usize) -> Option<Kept<'_>> {
    let rank = |at| match context.token(at)? {
        Token::High => Some(true),
        Token::Low => Some(false),
        Token::Name => match context.word(at).to_ascii_lowercase().as_str() {
            "best" | "highest" => Some(true),
            "lowest" | "worst" => Some(false),
            _ => None,
        },
        _ => None,
    };
    let (filter, after) = match context.token(at)? {
        Token::Drop if rank(at + 1)? => ("drop high", at + 2),
        Token::Drop => ("drop low", at + 2),
        Token::Keep if rank(at + 1)? => ("high", at + 2),
        Token::Keep => ("low", at + 2),
        Token::Name => match context.word(at).to_ascii_lowercase().as_str() {
            "k" | "kh" => ("high", at + 1),
            "kl" => ("low", at + 1),
            "dh" => ("drop high", at + 1),
            "dl" => ("drop low", at + 1),
            _ => return None,
        },
        _ => return None,
    };
    let counted = context.token(after) == Some(Token::Integer) && is_short(context.word(after));
    Some(Kept {
        filter,
        count: if counted { context.word(after) } else { "1" },
        end: after + usize::from(counted),
    })
}

/// The error for a word with digits at its end.
fn glued(word: &str, digits: &str) -> ParseErrorKind {
    let digits = shortened(digits);
    let help = match word.strip_suffix(['d', 'D']) {
        None => {
            return ParseErrorKind::UnboundName {
                name: shortened(&format!("{word}{digits}")),
                near: None,
                help: None,
                rule: None,
                within: None,
            };
        }
        Some("") => format!("write `d{digits}` with a small d"),
        Some("d") => format!("write `d d{digits}`"),
        Some(rest) if words(Table::Bones).any(|word| word == rest) => {
            format!("write `{rest} d{digits}`")
        }
        Some(rest) => {
            let rest = shortened(rest);
            format!("write `{rest}#d{digits}` for {rest} dice")
        }
    };
    ParseErrorKind::DiceGlued { help }
}
