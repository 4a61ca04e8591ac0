//! Finds out which mistake it is where the grammar fails: the tokens around the place decide.

use super::error::ParseError;
use super::grammar::{Expected, Failure};
use super::lexer::{Keyword, Sign, Token};
use super::tree::Infix;
use crate::error::Diagnostic;
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::lookalike::lookalike;
use crate::notation::reader::quote::is_short;
use crate::source::Span;

/// The tokens of a program, for messages about a mistake.
#[derive(Clone, Copy)]
pub(super) struct Context<'s>(pub(super) Tokens<'s, Token>);

/// An open bracket or an open block.
#[derive(Clone, Copy)]
struct Open {
    at: usize,
    token: Token,
    /// Whether this is a block of a function.
    is_body: bool,
}

impl Context<'_> {
    /// The message for a failure.
    pub(super) fn explain(self, failure: &Failure) -> Diagnostic {
        let (span, error) = self
            .sign(failure.at)
            .or_else(|| self.statement(failure))
            .or_else(|| self.bracket(failure.at))
            .or_else(|| self.dice(failure.at))
            .unwrap_or_else(|| self.other(failure));
        error.diagnostic(span)
    }

    fn token(self, at: usize) -> Option<Token> {
        self.0.token(at)
    }

    fn place(self, at: usize) -> Span {
        self.0.place(at)
    }

    fn word(self, at: usize) -> &'static str {
        // The words of messages are few; all others are shown as they are.
        match self.token(at) {
            Some(Token::Keyword(Keyword::Result)) => "result",
            Some(Token::Keyword(Keyword::Set)) => "set",
            Some(Token::Keyword(Keyword::Function)) => "function",
            _ => "output",
        }
    }

    /// Tokens that are wrong wherever they stand.
    fn sign(self, at: usize) -> Option<(Span, ParseError)> {
        let text = self.0.word(at);
        let error = match self.token(at)? {
            Token::UnclosedComment => ParseError::UnclosedComment,
            Token::UnclosedText => ParseError::UnclosedText,
            Token::Text => ParseError::Text,
            Token::Unknown => match (text, lookalike(text.chars().next()?)) {
                ("%", _) => ParseError::Remainder,
                (";", _) => ParseError::Semicolon,
                ("“" | "”" | "„" | "'" | "‘" | "’" | "`", _) => ParseError::Quote,
                ("×", _) => ParseError::Sign(text.into(), Some("*")),
                ("÷", _) => ParseError::Sign(text.into(), Some("/")),
                (_, found) => ParseError::Sign(text.into(), found),
            },
            Token::Dot if self.0.before(at) == Some(Token::Number) => ParseError::Decimal,
            Token::Dot if self.0.before(at) == Some(Token::Dot) => return None,
            _ => return None,
        };
        Some((self.place(at), error))
    }

    /// The brackets and blocks that are open before a token.
    fn open(self, at: usize) -> Vec<Open> {
        let mut open: Vec<Open> = Vec::new();
        let mut begins_function = false;
        for before in 0..at {
            match self.token(before) {
                Some(Token::Keyword(Keyword::Function))
                    if open.iter().all(|open| open.token == Token::BraceOpen) =>
                {
                    begins_function = true;
                }
                Some(token @ (Token::BraceOpen | Token::ListOpen | Token::Open)) => {
                    let is_within = open.last().is_some_and(|open| open.is_body);
                    let is_body = begins_function || is_within;
                    begins_function = false;
                    open.push(Open {
                        at: before,
                        token,
                        is_body,
                    });
                }
                Some(Token::BraceClose | Token::Close | Token::ListClose) => {
                    open.pop();
                }
                _ => {}
            }
        }
        open
    }

    /// Mistakes where a statement could begin, or where one goes on.
    fn statement(self, failure: &Failure) -> Option<(Span, ParseError)> {
        let at = failure.at;
        let open = self.open(at);
        let is_body = open.last().is_some_and(|open| open.is_body);
        let is_block = open
            .last()
            .is_none_or(|open| open.token == Token::BraceOpen);
        let begins = failure.expects(Expected::Statement);
        let token = self.token(at)?;
        let text = self.0.word(at).to_owned();
        let error = match token {
            Token::Keyword(Keyword::Output | Keyword::Set | Keyword::Function) if is_body => {
                ParseError::NotInFunction(self.word(at))
            }
            Token::Keyword(Keyword::Result) if is_block && !is_body => ParseError::ResultOutside,
            _ if is_body && self.is_behind_result(at) => ParseError::BehindResult,
            Token::Sign(Sign::Infix(Infix::Equal)) if failure.expects(Expected::Colon) => {
                ParseError::Assignment(self.0.word(at.checked_sub(1)?).into())
            }
            // Two `=`, of which the grammar sees the second.
            Token::Sign(Sign::Infix(Infix::Equal)) if self.is_equal(at.checked_sub(1)?) => {
                ParseError::Sign("==".into(), Some("="))
            }
            Token::Word | Token::Kind(_) if self.token(at + 1) == Some(Token::Colon) => {
                ParseError::SmallVariable(text.to_ascii_uppercase())
            }
            Token::Word if begins && matches!(&*text, "print" | "return" | "legacy" | "named") => {
                ParseError::Unknown(text)
            }
            Token::Word | Token::Kind(_) | Token::Keyword(_)
                if self.0.is_glued(at) && self.0.before(at) == Some(Token::Variable) =>
            {
                let first = self.0.word(at - 1);
                ParseError::Capital(format!("{}{text}", first.to_ascii_lowercase()))
            }
            Token::Number if self.0.is_glued(at) && self.0.before(at) == Some(Token::Variable) => {
                return Some(self.digit_in_variable(at));
            }
            Token::Number
            | Token::ListOpen
            | Token::Open
            | Token::Sign(Sign::Both(..) | Sign::Prefix(_))
                if begins && is_block && self.begins_statement(at) =>
            {
                ParseError::NoOutput(self.rest_of_line(at))
            }
            _ => return None,
        };
        Some((self.place(at), error))
    }

    fn is_equal(self, at: usize) -> bool {
        self.token(at) == Some(Token::Sign(Sign::Infix(Infix::Equal)))
    }

    /// `X1`, which is a variable and a number, or `1D6`, where `D` is one.
    fn digit_in_variable(self, at: usize) -> (Span, ParseError) {
        let variable = self.0.word(at - 1);
        let span = self.place(at - 1).to(self.place(at));
        let behind_number =
            at >= 2 && self.0.is_glued(at - 1) && self.token(at - 2) == Some(Token::Number);
        if variable == "D" && (behind_number || self.begins_value(at - 1)) {
            let text = self.0.slice(span).to_ascii_lowercase();
            return (span, ParseError::Capital(text));
        }
        let text = self.0.slice(span);
        (span, ParseError::DigitInVariable(text.into()))
    }

    /// Whether a value could begin at a token.
    fn begins_value(self, at: usize) -> bool {
        matches!(
            self.0.before(at),
            Some(Token::Keyword(_) | Token::Sign(_) | Token::Open | Token::Colon | Token::Comma)
        )
    }

    /// Whether the line or the program begins with a token.
    fn begins_statement(self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let between = Span::new(self.place(before).end, self.place(at).start);
        self.0.slice(between).contains('\n')
            || matches!(
                self.token(before),
                Some(Token::BraceClose | Token::BraceOpen | Token::Text)
            )
    }

    /// The text from a token to the end of its line, if it fits into a message.
    fn rest_of_line(self, at: usize) -> Option<String> {
        let start = self.place(at).start;
        let rest = self.0.slice(Span::new(start, self.0.span.end));
        let line = rest.lines().next().unwrap_or_default().trim_end();
        (!line.is_empty() && is_short(line)).then(|| line.to_owned())
    }

    /// Whether a result ends before a token in the same block.
    fn is_behind_result(self, at: usize) -> bool {
        let mut depth = 0_usize;
        for before in (0..at).rev() {
            match self.token(before) {
                Some(Token::BraceClose | Token::Close | Token::ListClose) => depth += 1,
                Some(Token::BraceOpen | Token::Open | Token::ListOpen) => {
                    if depth == 0 {
                        return false;
                    }
                    depth -= 1;
                }
                Some(Token::Keyword(Keyword::Result)) if depth == 0 => {
                    let begins = matches!(
                        self.token(at),
                        Some(
                            Token::Variable
                                | Token::Keyword(Keyword::If | Keyword::Loop | Keyword::Result)
                        )
                    );
                    return begins;
                }
                _ => {}
            }
        }
        false
    }

    /// Brackets that do not match.
    fn bracket(self, at: usize) -> Option<(Span, ParseError)> {
        let last = self.open(at).pop();
        let close = |open: Token| match open {
            Token::BraceOpen => "}",
            Token::ListOpen => "]",
            _ => ")",
        };
        match self.token(at) {
            None => {
                let last = last?;
                let open = self.0.word(last.at).to_owned();
                Some((
                    self.place(last.at),
                    ParseError::Unclosed(open, close(last.token)),
                ))
            }
            Some(Token::BraceClose | Token::Close | Token::ListClose) => {
                let found = self.0.word(at).to_owned();
                match last {
                    None => Some((self.place(at), ParseError::Unopened(found))),
                    Some(open) if close(open.token) != found => Some((
                        self.place(at),
                        ParseError::Closed(self.0.word(open.at).into(), found, close(open.token)),
                    )),
                    Some(_) => None,
                }
            }
            Some(_) => None,
        }
    }

    /// Dice with a word, or with other dice behind them.
    fn dice(self, at: usize) -> Option<(Span, ParseError)> {
        let span = self.place(at);
        let dice = self.dice_before(at);
        let text = self.0.word(at);
        let next = self.0.slice(self.place(at + 1));
        let error = match (self.token(at)?, dice) {
            (Token::Word | Token::Kind(_), Some(dice)) => match text {
                "x" => ParseError::Sign("x".into(), Some("*")),
                "and" | "or" | "plus" | "with" => ParseError::Beside(dice),
                "drop" | "dl" | "dh" | "kl"
                    if text != "drop" || next.starts_with("low") || next.starts_with("high") =>
                {
                    ParseError::Keep(dice, text.into())
                }
                "h" | "l" | "k" | "kh" | "keep" | "best" | "highest" | "lowest" | "drop" | "r"
                | "reroll" => ParseError::Keep(dice, text.into()),
                _ => return None,
            },
            (Token::Word, None) if text == "x" && self.0.before(at) == Some(Token::Number) => {
                ParseError::Sign("x".into(), Some("*"))
            }
            (Token::Comma | Token::Number, Some(dice)) => ParseError::Beside(dice),
            _ => return None,
        };
        Some((span, error))
    }

    /// The dice that end before a token, as `4d6`.
    fn dice_before(self, at: usize) -> Option<String> {
        let is_value = |at: usize| matches!(self.token(at), Some(Token::Number | Token::Variable));
        let is_die = |at: usize| {
            matches!(
                self.token(at),
                Some(Token::Sign(Sign::Both(Infix::Dice, _)))
            )
        };
        let sides = at.checked_sub(1)?;
        let die = at.checked_sub(2)?;
        if !is_value(sides) || !is_die(die) {
            return None;
        }
        let first = die
            .checked_sub(1)
            .filter(|&count| is_value(count))
            .unwrap_or(die);
        Some(self.0.words(first, at).to_owned())
    }

    /// What was expected, and what stands there.
    fn other(self, failure: &Failure) -> (Span, ParseError) {
        let at = failure.at;
        let what = [
            (Expected::Statement, "a statement such as `output 3d6`"),
            (Expected::Value, "a value such as `3d6`"),
            (Expected::Colon, "`:`"),
            (Expected::Block, "`{`"),
            (Expected::Over, "`over`"),
            (Expected::To, "`to`"),
            (Expected::Text, "a name between double quotes"),
            (Expected::Kind, "`n`, `s`, `d` or `?`"),
            (Expected::Variable, "a variable in capital letters"),
            (Expected::Dot, "`..`"),
            (Expected::Close, "`)`"),
            (Expected::CallEnd, "`]`"),
            (Expected::SequenceEnd, "`}`"),
            (Expected::BlockEnd, "`}`"),
        ];
        let what = what.iter().find(|(expected, _)| failure.expects(*expected));
        let what = what.map_or("something else", |(_, what)| *what);
        (self.place(at), ParseError::Expected(what, self.0.found(at)))
    }
}
