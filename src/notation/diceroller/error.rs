//! The errors of reading and of running a script, with their wording.

use super::lexer::Token;
use super::state::Failure;
use crate::error::{Diagnostic, ErrorKind};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::notation::mend::explain;
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::Tokens;
use crate::source::Span;

/// The tokens of a script.
pub(super) type Context<'s> = Tokens<'s, Token>;

/// `# nothing`: a text without instructions.
pub(super) fn empty(span: Span) -> Diagnostic {
    Diagnostic::new(span, "there is no script here").with_help("write a script such as `3D6 S`")
}

/// A script that reaches a limit.
pub(super) fn too_large(place: Span, limit: Limit) -> Diagnostic {
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
pub(super) fn unexpected(context: Context, failure: &Failure) -> Diagnostic {
    explain::brackets(context).unwrap_or_else(|| explain::unexpected(context, failure, |_| true))
}

/// The error about the first token that is no part of the language.
pub(super) fn unknown(context: Context) -> Option<Diagnostic> {
    let mut places = 0..context.lexed.tokens.len();
    let at = places.find(|&at| context.token(at) == Some(Token::Unknown))?;
    let (place, word) = (context.place(at), context.word(at));
    Some(if word.starts_with(char::is_alphabetic) {
        explain::unknown_word(place, word)
            .with_note("the instructions are `D S C + - * H L G V P { } [ ]`")
    } else {
        explain::unknown_sign(place, word, "DiceRoller")
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
