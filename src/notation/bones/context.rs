//! Questions about the tokens around a mistake.

use std::ops::Deref;

use super::dice::Found as Dice;
use super::error::Found;
use super::grammar;
use super::lexer::{self, Lexed, Names, Token};
use super::table::Table;
use crate::notation::reader::lexed::Tokens;
use crate::source::{Source, Span};

/// The tokens of a rule, for messages about a mistake.
#[derive(Clone, Copy)]
pub(super) struct Context<'s> {
    pub(super) table: Table,
    names: Names<'s>,
    tokens: Tokens<'s, Token>,
}

impl<'s> Deref for Context<'s> {
    type Target = Tokens<'s, Token>;

    fn deref(&self) -> &Tokens<'s, Token> {
        &self.tokens
    }
}

/// The largest distance, in tokens, at which a parenthesis is searched for.
pub(super) const MAX_DISTANCE: usize = 50;

impl<'s> Context<'s> {
    pub(super) fn new(
        table: Table,
        text: &'s str,
        span: Span,
        lexed: &'s Lexed,
        names: Names<'s>,
    ) -> Self {
        let tokens = Tokens { text, span, lexed };
        Self {
            table,
            names,
            tokens,
        }
    }

    /// The token at a place, with its text.
    pub(super) fn found(self, at: usize) -> Found {
        Found {
            token: self.token(at),
            word: self.tokens.found(at).unwrap_or_default(),
        }
    }

    /// The text of the parentheses that end before a token. It contains both parentheses.
    pub(super) fn group_before(self, at: usize) -> Option<&'s str> {
        let open = self.opening_of(at.checked_sub(1)?)?;
        Some(self.words(open, at))
    }

    /// Whether a short text is a rule. A suggestion is parsed before it is made.
    pub(super) fn reads(self, text: &str) -> bool {
        self.about(text, |context| {
            let lexed = context.lexed;
            let is_readable = lexed.tokens.len() <= 2 * MAX_DISTANCE && !context.has_wrong_signs();
            let source = Source::new("suggestion", text);
            is_readable
                && !lexed.tokens.is_empty()
                && grammar::parse(self.table, &source, lexed, Dice::default()).is_ok()
        })
    }

    /// The answer to a question about another text of the same language, with the same names and without dice of another notation.
    pub(super) fn about<T>(self, text: &str, question: impl FnOnce(Context<'_>) -> T) -> T {
        let span = Span::new(0, text.len());
        let names = Names {
            dice: None,
            ..self.names
        };
        let lexed = lexer::lex(self.table, text, span, names);
        question(Context::new(self.table, text, span, &lexed, names))
    }

    /// Whether the tokens of a rule cannot be read at all.
    fn has_wrong_signs(self) -> bool {
        let mut open = Vec::new();
        for &token in &self.lexed.tokens {
            match token {
                Token::Open | Token::OpenBrace | Token::OpenRecord => open.push(token),
                Token::Close if open.pop() != Some(Token::Open) => return true,
                Token::CloseBrace
                    if !matches!(open.pop(), Some(Token::OpenBrace | Token::OpenRecord)) =>
                {
                    return true;
                }
                Token::Unknown => return true,
                _ => {}
            }
        }
        !open.is_empty()
    }

    /// The parenthesis that closes an opening one, unless it is far away.
    pub(super) fn closing_of(self, open: usize) -> Option<usize> {
        let last = self.lexed.tokens.len().min(open + MAX_DISTANCE);
        (open..last).find(|&close| self.opening_of(close) == Some(open))
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

    /// Whether a brace is open at a token.
    pub(super) fn is_in_braces(self, at: usize) -> bool {
        let before = self.lexed.tokens[..at].iter();
        let depth = before.fold(0_usize, |depth, token| match token {
            Token::OpenBrace | Token::OpenRecord => depth + 1,
            Token::CloseBrace => depth.saturating_sub(1),
            _ => depth,
        });
        depth > 0
    }

    /// The operand that ends before a token, if it is simple: `x`, `3#d6`, `sum(3#d6)`.
    pub(super) fn operand_before(self, at: usize) -> Option<&'s str> {
        Some(self.words(self.operand_start(at)?, at))
    }

    /// The first token of the operand that ends before a token, if the operand is simple.
    pub(super) fn operand_start(self, at: usize) -> Option<usize> {
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
        Some(start)
    }

    /// The operand that begins after a token, if it is simple: `x`, `d6`.
    pub(super) fn operand_after(self, at: usize) -> Option<&'s str> {
        let is_single = |at| matches!(self.token(at), Some(Token::Integer | Token::Name));
        if self.token(at + 1) == Some(Token::D) && is_single(at + 2) {
            return Some(self.words(at + 1, at + 3));
        }
        is_single(at + 1).then(|| self.word(at + 1))
    }

    /// Whether a name is bound anywhere in the rule.
    pub(super) fn binds(self, name: &str) -> bool {
        let binders = [Token::Best, Token::Foreach, Token::Let, Token::While];
        let names = 1..self.lexed.tokens.len();
        let mut names = names.filter(|&at| binders.contains(&self.lexed.tokens[at - 1]));
        names.any(|at| self.word(at) == name)
    }

    /// Whether a definition has this name.
    pub(super) fn is_defined(self, name: &str) -> bool {
        (self.names.is_defined)(name)
    }

    /// Whether a name has a meaning: a binding in the rule, a definition, or a value from outside.
    pub(super) fn knows(self, name: &str) -> bool {
        self.binds(name) || self.is_defined(name) || (self.names.is_given)(name)
    }

    /// The first token of a kind.
    pub(super) fn position(self, kind: Token) -> Option<usize> {
        let tokens = &self.lexed.tokens;
        tokens.iter().position(|&token| token == kind)
    }

    /// Whether a token is the first one of its line, but not of the rule.
    pub(super) fn begins_line(self, at: usize) -> bool {
        let between = |before: usize| {
            let (end, start) = (self.place(before).end, self.place(at).start);
            self.text[end..start].contains('\n')
        };
        self.token(at).is_some() && at.checked_sub(1).is_some_and(between)
    }
}
