//! The errors of reading a rule, with their wording. Corrections are looked up elsewhere ([`crate::notation::mend`]).

use super::grammar::Failure;
use super::lexer::Token;
use crate::error::Diagnostic;
use crate::notation::mend::explain;
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::{Tokens, run};
use crate::source::Span;

/// A rule without tokens.
pub(super) fn empty(span: Span) -> Diagnostic {
    let nothing = Diagnostic::new(span, "there is no rule here");
    nothing.with_help("write `3d6` or another rule such as `3K4d6`")
}

/// The error for the place where the grammar fails.
pub(super) fn unexpected(tokens: Tokens<Token>, failure: &Failure) -> Diagnostic {
    let mut at = failure.at;
    // The mistake may be the text behind a blank rather than the blank.
    if tokens.token(at) == Some(Token::Blank) && tokens.token(at + 1) == Some(Token::Unknown) {
        at += 1;
    }
    let place = tokens.place(at);
    let rest = &tokens.text[place.start..tokens.span.end];
    if rest.trim_start().starts_with("//") {
        let message = "a comment has a line of its own in dicebag";
        return Diagnostic::new(place, message).with_help("begin a line with `//` for a comment");
    }
    let letters = run(rest, char::is_alphabetic);
    if letters > 1 {
        let place = Span::new(place.start, place.start + letters);
        return explain::unknown_word(place, &rest[..letters]);
    }
    match tokens.token(at) {
        Some(Token::Unknown) => explain::unknown_sign(place, tokens.word(at), "dicebag"),
        Some(Token::Blank) => {
            let message =
                "a blank stands on both sides of `+`, `-`, `*`, `/` and `x`, and nowhere else";
            Diagnostic::new(place, message).with_code("blank")
        }
        _ => explain::unexpected(tokens, failure, |_| true),
    }
}

/// A rule that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    limit.complaint(
        place,
        "write several equal parts as one, as `10d6` or `1d6 x 10`",
    )
}

/// A rule whose program is too long, because its laws are written out.
pub(super) fn too_long(span: Span) -> Diagnostic {
    let message = "the rule becomes too long: each `K`, `k`, `A` or `a` inside of `E`, `e`, `A` or `a` doubles what is \
         written for the dice that are rolled again";
    Diagnostic::new(span, message).with_help("nest them less deeply")
}
