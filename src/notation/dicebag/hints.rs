//! Finds out which mistake was made, from the place at which the text stops being a rule and the tokens around it.
//!
//! A suggestion is parsed before it is made, so every suggested rule can be read.

use std::ops::Deref;

use super::error::{Found, ParseError};
use super::grammar::{self, Expected, Failure};
use super::lexer::{self, SPACED, Token};
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::lookalike::lookalike;
use crate::source::{Source, Span};

/// The tokens of a rule, for messages about a mistake.
#[derive(Clone, Copy)]
pub(super) struct Context<'s>(pub(super) Tokens<'s, Token>);

impl<'s> Deref for Context<'s> {
    type Target = Tokens<'s, Token>;

    fn deref(&self) -> &Tokens<'s, Token> {
        &self.0
    }
}

/// The length of the longest text that a message quotes.
const MOST_QUOTED: usize = 60;

impl<'s> Context<'s> {
    /// The error about the first parenthesis without a partner. With such a parenthesis, other errors would be misleading.
    pub(super) fn unmatched(self) -> Option<(Span, ParseError)> {
        let mut open = Vec::new();
        for (&token, &span) in self.lexed.tokens.iter().zip(&self.lexed.spans) {
            match token {
                Token::Open => open.push(span),
                Token::Close if open.pop().is_none() => return Some((span, ParseError::Unopened)),
                _ => {}
            }
        }
        open.first().map(|&span| (span, ParseError::Unclosed))
    }

    /// The error for a failure of the grammar, and its place.
    pub(super) fn explain(self, failure: &Failure) -> (Span, ParseError) {
        let mut at = failure.at;
        // The mistake may be the text after a blank rather than the blank.
        let is_sign = |at| SPACED.iter().any(|sign| self.word(at).starts_with(*sign));
        let is_unknown = |at| self.token(at) == Some(Token::Unknown) && !is_sign(at);
        if self.token(at) == Some(Token::Blank) && (is_unknown(at + 1) || self.is_word(at + 1)) {
            at += 1;
        }
        let error = match self.token(at) {
            Some(Token::Blank) => Some(self.blank(at)),
            Some(token) if token == Token::Unknown || self.is_word(at) => self.unknown(at),
            _ => self.keeps(at).or_else(|| self.missing(failure)),
        };
        let error = error.unwrap_or_else(|| ParseError::Juxtaposed {
            found: self.found(at),
        });
        let place = match error {
            ParseError::HalfSpaced { .. } => self.sign_at(at),
            ParseError::Unknown { .. } => self.run(at).0,
            ParseError::MissingRight {
                found: Found(None), ..
            } => self.place(usize::MAX),
            _ => self.place(at),
        };
        (place, error)
    }

    /// Whether a word of other notations, of at least two letters, stands here after a blank.
    fn is_word(self, at: usize) -> bool {
        let is_after_blank = at
            .checked_sub(1)
            .is_some_and(|before| self.token(before) == Some(Token::Blank));
        let (_, run) = self.run(at);
        is_after_blank
            && self.token(at).is_some()
            && run.len() > 1
            && run.chars().all(char::is_alphabetic)
    }

    fn found(self, at: usize) -> Found {
        Found(
            self.token(at)
                .map(|_| self.word(at).chars().take(20).collect()),
        )
    }

    /// The rule with a part replaced, if the result is short and can be read.
    fn replaced(self, place: Span, by: &str) -> Option<String> {
        let (before, after) = (
            &self.text[self.span.start..place.start],
            &self.text[place.end..self.span.end],
        );
        readable(&format!("{before}{by}{after}"))
    }

    /// A blank that belongs to no operator.
    fn blank(self, at: usize) -> ParseError {
        let near = [at.checked_sub(1), Some(at + 1)];
        let sign = near.into_iter().flatten().find_map(|at| {
            let sign = self.token(at).map(|_| self.word(at))?.chars().next()?;
            let is_sign = SPACED.contains(&sign) && self.word(at).len() == 1;
            is_sign.then_some((at, sign))
        });
        if self
            .slice(Span::new(self.place(at).end, self.span.end))
            .starts_with("//")
        {
            return ParseError::Comment;
        }
        let Some((sign_at, operator)) = sign else {
            let operands = at
                .checked_sub(1)
                .and_then(|at| self.token(at))
                .zip(self.token(at + 1));
            let apart =
                operands.is_some_and(|(left, right)| left.ends_operand() && right.begins_operand());
            return if apart {
                ParseError::Juxtaposed {
                    found: self.found(at + 1),
                }
            } else {
                ParseError::StrayBlank
            };
        };
        let sign = self.place(sign_at);
        let left = self.slice(Span::new(self.span.start, sign.start)).trim();
        let right = self.slice(Span::new(sign.end, self.span.end)).trim();
        if right.is_empty() {
            return ParseError::MissingRight {
                operator: Found(Some(operator.into())),
                found: Found(None),
            };
        }
        if left.is_empty() {
            return ParseError::MissingLeft {
                operator: Found(Some(operator.into())),
            };
        }
        let is_operand = |text: &str| readable(text).is_some();
        // The operands are quoted only if they are the whole rule; a text with blanks may contain a part of another operand.
        let operands = (is_operand(left) && is_operand(right) && is_plain(left) && is_plain(right))
            .then(|| (left.to_owned(), right.to_owned()));
        ParseError::HalfSpaced { operator, operands }
    }

    /// The place of the sign next to a blank.
    fn sign_at(self, blank: usize) -> Span {
        let before = blank.checked_sub(1).filter(|&at| {
            let sign = self.word(at).chars().next();
            sign.is_some_and(|sign| SPACED.contains(&sign))
        });
        self.place(before.unwrap_or(blank + 1))
    }

    /// The run of letters around a token, or the token itself if it is no letter, with its place.
    fn run(self, at: usize) -> (Span, &'s str) {
        let first = self.word(at).chars().next().unwrap_or(' ');
        let is_alike = |token: &usize| {
            let next = self.word(*token).chars().next();
            next.is_some_and(|next| next.is_alphabetic() && first.is_alphabetic())
        };
        let end = (at + 1..self.lexed.tokens.len())
            .take_while(is_alike)
            .last();
        let start = (0..at).rev().take_while(is_alike).last().unwrap_or(at);
        let place = self.place(start).to(self.place(end.unwrap_or(at)));
        (place, self.slice(place))
    }

    /// The error for a sign that is no part of dicebag.
    fn unknown(self, at: usize) -> Option<ParseError> {
        let word = self.word(at);
        let (place, run) = self.run(at);
        let lookalike = |found: &str, place: Span, meant: &'static str| {
            let is_apart = self.text[..place.start].ends_with(char::is_whitespace);
            let rule = self.replaced(place, if is_apart { meant.trim() } else { meant });
            Some(ParseError::Lookalike {
                found: found.into(),
                meant,
                rule,
            })
        };
        if let Some(error) = self.keeps(at) {
            return Some(error);
        }
        match word {
            "*" | "/" | "x" => {
                let operator = match word {
                    "*" => "*",
                    "/" => "/",
                    _ => "x",
                };
                if self.token(at + 1).is_some_and(|_| self.word(at + 1) == "/") {
                    return Some(ParseError::Comment);
                }
                if run.len() == 1 {
                    let rule = self.replaced(place, &format!(" {operator} "));
                    return Some(ParseError::Unspaced { operator, rule });
                }
            }
            "X" if run.len() == 1 => return lookalike("X", place, " x "),
            "D" if run.len() == 1 => return lookalike("D", place, "d"),
            "%" if self.is_die(at) => return lookalike("%", place, "100"),
            "!" => return self.exploding(at),
            "#" => {
                let help = self.replaced(place, "");
                return Some(ParseError::Repetition { help });
            }
            ";" => return Some(ParseError::Semicolon),
            "<" | ">" | "=" => return Some(self.threshold(at)),
            _ => {}
        }
        let sign = word.chars().next()?;
        if let Some(ascii) = lookalike_of(sign) {
            return lookalike(word, place, ascii);
        }
        let help = match run.to_ascii_lowercase().as_str() {
            "sum" | "total" | "roll" => Some("the dice alone: the result of a rule is their sum"),
            "drop" | "keep" => Some("`3K4d6` for the three highest of four dice"),
            "adv" | "advantage" | "max" | "high" | "highest" | "best" => {
                Some("`1K2d20` for the highest of two dice")
            }
            "dis" | "disadvantage" | "min" | "low" | "lowest" | "worst" => {
                Some("`1k2d20` for the lowest of two dice")
            }
            "count" => Some("`5T4d6` for how many of four dice show 5 or more"),
            _ if sign == ',' => Some("` + ` between dice that belong to one pool"),
            _ if sign == '^' => Some("`2 * 2 * 2` for a power"),
            _ if sign == '.' => Some("integers, such as `3 / 2` for the half of 3"),
            _ => None,
        };
        Some(ParseError::Unknown {
            found: run.chars().take(20).collect(),
            help,
        })
    }

    /// `4d6kh3`, `4d6kl1`, `4d6dl1`: kept dice as other notations write them.
    fn keeps(self, at: usize) -> Option<ParseError> {
        let (place, run) = self.run(at);
        let dice = self.slice(Span::new(self.span.start, place.start));
        let rest = self.slice(Span::new(place.end, self.span.end));
        let letters = run.to_ascii_lowercase();
        if !matches!(letters.as_str(), "kh" | "kl" | "dh" | "dl") {
            return None;
        }
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(length);
        let number: u64 = if number.is_empty() {
            1
        } else {
            number.parse().ok()?
        };
        let (count, _) = dice.split_once('d')?;
        let dice_count: u64 = count.parse().ok()?;
        let (kept, letter) = match letters.as_str() {
            "kh" => (number, 'K'),
            "kl" => (number, 'k'),
            "dl" => (dice_count.checked_sub(number)?, 'K'),
            _ => (dice_count.checked_sub(number)?, 'k'),
        };
        let help = readable(&format!("{kept}{letter}{dice}{after}"));
        Some(ParseError::Keep { help })
    }

    /// Whether a token follows the `d` of a die.
    fn is_die(self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.token(before) == Some(Token::Letter('d')))
    }

    /// `4d6!`
    fn exploding(self, at: usize) -> Option<ParseError> {
        let dice = self.slice(Span::new(self.span.start, self.place(at).start));
        let (_, sides) = dice.rsplit_once('d')?;
        let is_number = !sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit());
        let (dice, sides) = (readable(dice)?, sides.to_owned());
        is_number.then_some(ParseError::Exploding { dice, sides })
    }

    /// `4d6>4`, `4d6>=5`
    fn threshold(self, at: usize) -> ParseError {
        let dice = self.slice(Span::new(self.span.start, self.place(at).start));
        let rest = self.slice(Span::new(self.place(at).start, self.span.end));
        let end = rest.find(|sign: char| !"<>=".contains(sign));
        let (sign, number) = rest.split_at(end.unwrap_or(rest.len()));
        let help = number.trim().parse::<u64>().ok().and_then(|number| {
            let (cutoff, letter) = match sign {
                ">" => (number.checked_add(1)?, 'T'),
                ">=" => (number, 'T'),
                "<" => (number.checked_sub(1)?, 't'),
                "<=" => (number, 't'),
                _ => return None,
            };
            let dice = dice.trim();
            is_plain(dice).then_some(())?;
            readable(&format!("{cutoff}{letter}{dice}"))
        });
        ParseError::Threshold { help }
    }

    /// The error for a missing operand.
    fn missing(self, failure: &Failure) -> Option<ParseError> {
        if !failure.expects_only(Expected::Operand) {
            return None;
        }
        let at = failure.at;
        let begins = at.checked_sub(1).is_none_or(|before| {
            matches!(self.token(before), Some(Token::Open | Token::Spaced(_)))
        });
        let is_operator = |token: Token| {
            matches!(
                token,
                Token::Letter(_) | Token::Minus | Token::Plus | Token::Spaced(_)
            )
        };
        if begins && self.token(at).is_some_and(is_operator) {
            return Some(ParseError::MissingLeft {
                operator: self.found(at),
            });
        }
        let operator = at.checked_sub(1).map_or(Found(None), |at| self.found(at));
        Some(ParseError::MissingRight {
            operator,
            found: self.found(at),
        })
    }
}

/// The dicebag text that a sign of other keyboards stands for.
fn lookalike_of(sign: char) -> Option<&'static str> {
    Some(match lookalike(sign)? {
        "*" => " * ",
        "/" => " / ",
        // dicebag has no comparisons, powers or other signs.
        ascii @ ("" | "+" | "-" | "(" | ")") => ascii,
        ascii if ascii.bytes().all(|byte| byte.is_ascii_digit()) => ascii,
        _ => return None,
    })
}

/// Whether a text contains no blank, and so no operator with blanks.
fn is_plain(text: &str) -> bool {
    !text.contains(char::is_whitespace)
}

/// The text, if it is short and a rule.
fn readable(text: &str) -> Option<String> {
    let text = text.trim();
    if text.chars().nth(MOST_QUOTED).is_some() || text.is_empty() {
        return None;
    }
    let source = Source::new("suggestion", text);
    let lexed = lexer::lex(text, source.span());
    grammar::parse(&source, &lexed)
        .is_ok()
        .then(|| text.to_owned())
}
