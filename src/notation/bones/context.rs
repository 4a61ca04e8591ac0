//! What is around a mistake.

use super::error::Found;
use super::lexer::{Lexed, Token};
use crate::source::Span;

/// A rule as tokens, for those who ask what is around a mistake.
#[derive(Clone, Copy)]
pub(super) struct Context<'s> {
    pub(super) text: &'s str,
    /// The part of the text that is the rule.
    pub(super) span: Span,
    pub(super) lexed: &'s Lexed,
}

/// A mistake that is so many tokens away from its parenthesis is another one.
pub(super) const MAX_DISTANCE: usize = 50;

impl<'s> Context<'s> {
    pub(super) fn token(self, at: usize) -> Option<Token> {
        self.lexed.tokens.get(at).copied()
    }

    pub(super) fn before(self, at: usize) -> Option<Token> {
        self.token(at.checked_sub(1)?)
    }

    /// The place of a token; for the end, the place after the last one.
    pub(super) fn place(self, at: usize) -> Span {
        let end = |last: &Span| Span::new(last.end, last.end);
        let spans = &self.lexed.spans;
        spans
            .get(at)
            .copied()
            .unwrap_or_else(|| spans.last().map_or(self.span, end))
    }

    /// The text from one token to another, the last one left out.
    pub(super) fn words(self, from: usize, to: usize) -> &'s str {
        let place = self.place(from).to(self.place(to - 1));
        &self.text[place.start..place.end]
    }

    pub(super) fn word(self, at: usize) -> &'s str {
        self.words(at, at + 1)
    }

    /// What stands at a place.
    pub(super) fn found(self, at: usize) -> Found {
        let token = self.token(at);
        Found {
            token,
            word: token.map_or_else(String::new, |_| shortened(self.word(at))),
        }
    }

    /// The text of the parentheses that end before a token, with them.
    pub(super) fn group_before(self, at: usize) -> Option<&'s str> {
        let open = self.opening_of(at.checked_sub(1)?)?;
        Some(self.words(open, at))
    }

    /// The parenthesis that a closing one belongs to.
    pub(super) fn opening_of(self, close: usize) -> Option<usize> {
        if self.token(close) != Some(Token::Close) {
            return None;
        }
        self.open_before(close)
    }

    /// The innermost parenthesis that is open before a token, unless it is far away.
    pub(super) fn open_before(self, at: usize) -> Option<usize> {
        let mut closed = 0_usize;
        let near = at.saturating_sub(MAX_DISTANCE)..at;
        near.rev().find(|&before| match self.lexed.tokens[before] {
            Token::Close => {
                closed += 1;
                false
            }
            Token::Open if closed == 0 => true,
            Token::Open => {
                closed -= 1;
                false
            }
            _ => false,
        })
    }

    /// The operand that ends before a token, as far as it is plain: `x`, `3#d6`, `sum(3#d6)`.
    pub(super) fn operand_before(self, at: usize) -> Option<&'s str> {
        let single = |end: usize| match self.before(end)? {
            Token::Integer | Token::Name => Some(end - 1),
            Token::Close => self.opening_of(end - 1),
            _ => None,
        };
        let mut start = single(at)?;
        loop {
            start = match self.before(start) {
                Some(Token::D) => start - 1,
                Some(word) if word.is_word() => start - 1,
                Some(Token::Hash) => match single(start - 1) {
                    Some(count) => count,
                    None => break,
                },
                _ => break,
            };
        }
        Some(self.words(start, at))
    }

    /// The operand that begins after a token, if it is plain: `x`, `d6`.
    pub(super) fn operand_after(self, at: usize) -> Option<&'s str> {
        let is_single = |at| matches!(self.token(at), Some(Token::Integer | Token::Name));
        if self.token(at + 1) == Some(Token::D) && is_single(at + 2) {
            return Some(self.words(at + 1, at + 3));
        }
        is_single(at + 1).then(|| self.word(at + 1))
    }

    /// Whether a name is bound anywhere in the rule.
    pub(super) fn binds(self, name: &str) -> bool {
        let binders = [Token::Foreach, Token::Let, Token::While];
        let names = 1..self.lexed.tokens.len();
        let mut names = names.filter(|&at| binders.contains(&self.lexed.tokens[at - 1]));
        names.any(|at| self.word(at) == name)
    }

    /// Whether no blank is between a token and the one before it.
    pub(super) fn is_glued(self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.place(before).end == self.place(at).start)
    }
}

/// Whether a text fits into a message.
pub(super) fn is_short(text: &str) -> bool {
    text.chars().nth(40).is_none() && !text.contains('\n')
}

/// A text as it fits into a message.
pub(super) fn shortened(word: &str) -> String {
    match word.char_indices().nth(20) {
        None => word.into(),
        Some((end, _)) => format!("{}…", &word[..end]),
    }
}
