//! The errors of reading and of evaluating a program, with their wording. Corrections are looked up elsewhere ([`crate::notation::mend`]).

use super::grammar::{Expected, Failure};
use super::lexer::Token;
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::mend::explain;
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::quote::shortened;
use crate::source::Span;

/// The error for the place where the grammar fails.
pub(super) fn unexpected(tokens: Tokens<Token>, failure: &Failure) -> Diagnostic {
    let at = failure.at;
    let (place, word) = (tokens.place(at), tokens.word(at));
    let open = |what: &str, end: &str| {
        Diagnostic::new(place, format!("this {what} is never closed"))
            .with_help(format!("write `{end}` where it ends"))
            .with_code("unclosed")
    };
    let named = |place: Span, message: &str, help: String| {
        let wrong = Diagnostic::new(place, message).with_help(help);
        wrong.with_code("variable")
    };
    match tokens.token(at) {
        Some(Token::UnclosedComment) => open("comment", "\\"),
        Some(Token::UnclosedText) => open("text", "\""),
        Some(Token::Unknown) => explain::unknown_sign(place, word, "AnyDice"),
        Some(Token::Number)
            if tokens.is_glued(at) && tokens.before(at) == Some(Token::Variable) =>
        {
            let help = "write `X_A` and `X_B` rather than `X1` and `X2`".into();
            named(tokens.place(at - 1).to(place), "names have no digits", help)
        }
        Some(Token::Word | Token::Kind(_))
            if failure.expects(Expected::Statement)
                && tokens.token(at + 1) == Some(Token::Colon) =>
        {
            let capital = shortened(&word.to_ascii_uppercase());
            let message = "variables are written in capital letters";
            named(place, message, format!("write `{capital}: …`"))
        }
        _ => explain::brackets(tokens)
            .unwrap_or_else(|| explain::unexpected(tokens, failure, |_| true)),
    }
}

/// A program that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    let help = "write several equal parts as one, as `10d6`, or use variables";
    limit.complaint(place, help)
}

/// An error of evaluating a program, in the words of the notation.
pub(super) fn of_evaluation(kind: ErrorKind, finding: Diagnostic) -> Diagnostic {
    match kind {
        ErrorKind::Domain if finding.help.is_none() => finding.with_help("0 has no negative power"),
        _ => finding,
    }
}
