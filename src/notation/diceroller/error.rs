//! The errors of reading and of running a script, with their wording.

use super::lexer::Token;
use super::state::{Expected, Failure};
use crate::error::{Diagnostic, ErrorKind};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::quote::{MOST_LISTED, shortened};
use crate::source::{Span, is_invisible};

/// The tokens of a script.
pub(super) type Context<'s> = Tokens<'s, Token>;

/// A token as a message names it.
fn found(context: Context, at: usize) -> String {
    match context.token(at) {
        Some(_) => format!("`{}`", context.word(at)),
        None => "the end of the script".into(),
    }
}

/// The brackets that are open at a token, the innermost last.
fn open_brackets(context: Context, at: usize) -> Vec<usize> {
    let mut open = Vec::new();
    for (index, token) in context.lexed.tokens.iter().enumerate().take(at) {
        match token {
            Token::Open | Token::OpenSquare => open.push(index),
            Token::Close | Token::CloseSquare => {
                open.pop();
            }
            _ => {}
        }
    }
    open
}

/// `# nothing`: a text without instructions.
pub(super) fn empty(span: Span) -> Diagnostic {
    Diagnostic::new(span, "there is no script here").with_help("write a script such as `3D6 S`")
}

/// A script that reaches a limit.
pub(super) fn too_large(context: Context, at: usize, limit: Limit) -> Diagnostic {
    let place = context.place(at);
    match limit {
        Limit::Chain => {
            let message = format!("the script has more than {MAX_CHAIN} instructions");
            Diagnostic::new(place, message).with_label("one too many")
        }
        Limit::Depth => {
            let message = format!("the script is nested deeper than {MAX_DEPTH} levels");
            Diagnostic::new(place, message).with_label("the deepest level that fits is above this")
        }
    }
}

/// A failure of the grammar. Every token of the script is known.
pub(super) fn explain(context: Context, failure: &Failure) -> Diagnostic {
    let at = failure.at;
    if failure.expects(Expected::Value) && at > 0 {
        return missing_value(context, at);
    }
    let open = open_brackets(context, at);
    match (context.token(at), open.last()) {
        (Some(_), None) => {
            let closing = context.word(at);
            let opening = if closing == "]" { "[" } else { "{" };
            let message = format!("this `{closing}` was never opened");
            Diagnostic::new(context.place(at), message)
                .with_help(format!("leave it out, or write `{opening}` before it"))
        }
        (Some(_), Some(&bracket)) => {
            let (opening, expected) = brackets(context, bracket);
            let message = format!("expected `{expected}`, found {}", found(context, at));
            Diagnostic::new(context.place(at), message)
                .with_label(format!("the last bracket that was opened is `{opening}`"))
                .with_help("brackets close in the opposite order, as in `[6+]{2{1D6}}`")
        }
        (None, Some(&bracket)) => {
            let (opening, expected) = brackets(context, bracket);
            let message = format!("this `{opening}` is never closed");
            Diagnostic::new(context.place(bracket), message)
                .with_help(format!("write `{expected}` where it is to end"))
        }
        (None, None) => Diagnostic::new(context.place(at), "the script cannot end here"),
    }
}

fn brackets(context: Context<'_>, bracket: usize) -> (&str, &'static str) {
    match context.lexed.tokens[bracket] {
        Token::OpenSquare => (context.word(bracket), "]"),
        _ => (context.word(bracket), "}"),
    }
}

/// `2D6 *`: an instruction without its value.
fn missing_value(context: Context, at: usize) -> Diagnostic {
    let (what, example) = match context.lexed.tokens[at - 1] {
        Token::Dice => ("the number of sides", "2D6"),
        Token::High => ("how many of the highest to keep", "H3"),
        Token::Low => ("how many of the lowest to keep", "L3"),
        Token::Minus => ("what to append with the opposite sign", "-2"),
        Token::Plus => ("what to append", "+2"),
        Token::Star => ("how often to repeat each member", "*2"),
        _ => ("how much to print", "V2"),
    };
    let instruction = context.word(at - 1);
    let (message, place) = (
        format!(
            "expected {what} after `{instruction}`, found {}",
            found(context, at)
        ),
        context.place(at),
    );
    let diagnostic = Diagnostic::new(place, message)
        .with_label("an integer, `S` or `C` is missing here")
        .with_help(format!("write `{example}`"));
    match (context.lexed.tokens[at - 1], context.lexed.tokens.get(at)) {
        (Token::Minus | Token::Plus, _) => diagnostic.with_note(format!(
            "no number is on the stack here: with one, as in `5{instruction}`, it is a filter"
        )),
        (_, Some(Token::Minus)) => diagnostic.with_note("there are no negative numbers"),
        (_, Some(Token::Dice | Token::Open | Token::OpenSquare)) => {
            diagnostic.with_note("only an integer, `S` or `C` can stand behind an instruction")
        }
        _ => diagnostic,
    }
}

/// Tokens that are no part of the language.
pub(super) fn unknown_signs(context: Context) -> Vec<Diagnostic> {
    let tokens = context.lexed.tokens.iter().enumerate();
    tokens
        .filter(|&(_, &token)| token == Token::Unknown)
        .take(MOST_LISTED)
        .map(|(at, _)| unknown_sign(context, at))
        .collect()
}

fn unknown_sign(context: Context, at: usize) -> Diagnostic {
    let (place, words) = (context.place(at), context.word(at));
    let first = words.chars().next().unwrap_or(' ');
    let message = if is_invisible(first) || first.is_control() {
        format!("U+{:04X} is not a sign of DiceRoller", u32::from(first))
    } else if first.is_alphabetic() {
        format!("`{}` is no instruction of DiceRoller", shortened(words))
    } else {
        format!("`{first}` is not a sign of DiceRoller")
    };
    let diagnostic = Diagnostic::new(place, message);
    match help_for(words, first) {
        Some(help) => diagnostic.with_help(help),
        None if first.is_alphabetic() => {
            diagnostic.with_note("the instructions are `D S C + - * H L G V P { } [ ]`")
        }
        None => diagnostic,
    }
}

fn help_for(words: &str, first: char) -> Option<String> {
    let upper = words.to_uppercase();
    let is_instruction = |text: &str| "DSCHLGVP".contains(text);
    if words.chars().count() == 1 && is_instruction(&upper) {
        return Some(format!("instructions are upper case: write `{upper}`"));
    }
    if let Some(ascii) = ascii_of(first) {
        return Some(if ascii.is_empty() {
            "leave it out".into()
        } else {
            format!("write `{ascii}`")
        });
    }
    let help = match words.to_lowercase().as_str() {
        "k" | "kh" | "keep" | "high" | "highest" | "max" | "best" => {
            "write `H3` to keep the three highest"
        }
        "kl" | "low" | "lowest" | "min" | "worst" => "write `L3` to keep the three lowest",
        "drop" | "dl" => "write `[L1]` to take the lowest away",
        "dh" => "write `[H1]` to take the highest away",
        "um" | "sum" | "add" | "total" => "write `S` for the sum of the pool",
        "ount" | "count" => "write `C` for the size of the pool",
        "x" => "write `*2` to repeat each member, or `2{…}` to repeat a part",
        "r" | "rr" | "reroll" => "write `[1-]{CD6}` to roll ones again",
        "!" | "e" | "explode" => "write `[6+]{*2}` to count each six twice",
        "(" | ")" => "write `{` and `}` around a part that runs by itself",
        ">" => "write `5+` to keep what is at least 5",
        "<" => "write `2-` to keep what is at most 2",
        "=" => "write `5+ 5-` to keep what is exactly 5",
        "," | ";" => "leave it out: instructions follow each other, and a text is one script",
        ":" => "a colon only ends the name of a rule, before a blank",
        "%" => "write `1D100`",
        "/" => "write `#` for a comment; there is no division",
        _ => return None,
    };
    Some(help.into())
}

/// The ASCII sign that another sign looks like; empty for an invisible character.
fn ascii_of(sign: char) -> Option<String> {
    Some(match sign {
        '−' | '–' | '—' | '‐' | '‑' => "-".into(),
        '×' | '·' | '∗' => "*".into(),
        '\u{ff01}'..='\u{ff5e}' => {
            let ascii = u32::from(sign) - 0xfee0;
            char::from_u32(ascii)?.to_string()
        }
        _ if is_invisible(sign) => String::new(),
        _ => return None,
    })
}

/// An error of running a script, at an instruction with the text `words`.
pub(super) fn of_evaluation(kind: ErrorKind, words: &str, finding: Diagnostic) -> Diagnostic {
    let (message, help) = match kind {
        ErrorKind::Domain if words == "G" => (
            "the pool is always empty here, so no value has a share",
            "write `G` where there are values, or leave it out",
        ),
        ErrorKind::Domain => (
            "the square brackets can leave a value that is not in the pool, or too often",
            "only take away what is there, with instructions such as `5+`, `2-`, `H1`, `L1`, `[5+]`",
        ),
        ErrorKind::BadDie => (
            "a die with fewer than one side can be rolled here",
            "a number of sides must be 1 or more, wherever there is a die to roll",
        ),
        ErrorKind::NegativeCount => (
            "a negative number of dice, members or copies can occur here",
            "the sum of a pool to which `-` appends can be less than 0",
        ),
        _ => return finding,
    };
    Diagnostic {
        message: message.into(),
        help: Some(help.into()),
        ..finding
    }
}
