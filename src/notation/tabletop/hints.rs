//! Finds out which mistake was made, from the place at which the text stops being a roll and the tokens around it.
//!
//! A suggestion is the whole roll, corrected. It is read before it is made, so every suggested roll can be read.

use std::ops::{Deref, Range};

use super::error::ParseError;
use super::grammar::{Expected, Failure};
use super::outside::outside_name;
use super::phrases;
use super::readable::{MOST_QUOTED, readable};
use super::token::{self, Operator, Token, Unknown};
use super::words::{FUNCTIONS, Function, MODIFIERS};
use crate::notation::reader::lexed::{Tokens, run};
use crate::notation::reader::lookalike::lookalike;
use crate::notation::reader::spelling;
use crate::source::Span;

/// The tokens of a roll, for messages about a mistake.
#[derive(Clone, Copy)]
pub(super) struct Context<'s>(pub(super) Tokens<'s, Token>);

impl<'s> Deref for Context<'s> {
    type Target = Tokens<'s, Token>;

    fn deref(&self) -> &Tokens<'s, Token> {
        &self.0
    }
}

/// The reason why a modifier, or its number, is not one.
const APART: &str = "must follow the dice without a blank";

/// A mistake with its reason and the whole roll corrected.
type Correction = (Option<&'static str>, Option<String>);

impl<'s> Context<'s> {
    /// The error about the first bracket without a partner. With such a bracket, other errors would be misleading.
    pub(super) fn unmatched(self) -> Option<(Span, ParseError)> {
        let mut open: Vec<(Token, usize)> = Vec::new();
        for (at, &token) in self.lexed.tokens.iter().enumerate() {
            let opening = match token {
                Token::Open | Token::BraceOpen | Token::InlineOpen => {
                    open.push((token, at));
                    continue;
                }
                Token::Close => Token::Open,
                Token::BraceClose => Token::BraceOpen,
                Token::InlineClose => Token::InlineOpen,
                Token::Unknown(Unknown::UnclosedName | Unknown::UnclosedComment) => {
                    let word = self.word(at);
                    let (open, close) = match word.as_bytes() {
                        [b'/', ..] => ("/*", "*/"),
                        [b'[', ..] => ("[", "]"),
                        _ => (&word[..2], "}"),
                    };
                    let open = open.into();
                    return Some((self.place(at), ParseError::Unclosed { open, close }));
                }
                _ => continue,
            };
            match open.pop() {
                Some((found, _)) if found == opening => {}
                Some((_, at)) => return Some(self.unclosed(at)),
                None => {
                    let close = self.word(at).into();
                    return Some((self.place(at), ParseError::Unopened { close }));
                }
            }
        }
        open.first().map(|&(_, at)| self.unclosed(at))
    }

    fn unclosed(self, at: usize) -> (Span, ParseError) {
        let open = self.word(at).to_owned();
        let close = match open.as_str() {
            "{" => "}",
            "[[" => "]]",
            _ => ")",
        };
        (self.place(at), ParseError::Unclosed { open, close })
    }

    /// The error for a failure of the grammar, and its place.
    pub(super) fn explain(self, failure: &Failure) -> (Span, ParseError) {
        let at = failure.at;
        let place = self.place(at);
        if let Some(error) = self.outside_target(at).or_else(|| self.difficulty(at)) {
            return (place, error);
        }
        let correction = match self.token(at) {
            Some(Token::Unknown(Unknown::Hash)) => return (place, ParseError::Hash),
            Some(_) => self.correction(at),
            None => None,
        };
        let phrase = || {
            let meant = self.phrase()?;
            Some((None, Some(meant)))
        };
        let is_text = matches!(self.token(at), Some(Token::Unknown(_) | Token::Function(_)));
        if let Some((why, help)) = correction.or_else(phrase) {
            let found = self.found(at).unwrap_or_default();
            return (place, ParseError::Text { found, why, help });
        }
        if let Some((why, help)) = self.remark(at) {
            let found = self.found(at).unwrap_or_default();
            return (place, ParseError::Text { found, why, help });
        }
        if let Some(error) = self.outside(at) {
            return (place, error);
        }
        if is_text {
            let found = self.found(at).unwrap_or_default();
            let (why, help) = self.text(at);
            return (place, ParseError::Text { found, why, help });
        }
        let found = self.found(at);
        let (what, help) = self.missing(failure);
        (place, ParseError::Missing { what, found, help })
    }

    /// Gives an error about a roll that the grammar reads the whole roll corrected.
    pub(super) fn correct(self, place: Span, error: &mut ParseError) {
        match error {
            ParseError::AdvantageOfOther { roll } => *roll = self.phrase(),
            ParseError::NothingMarked { roll, .. } | ParseError::SecondScore { roll } => {
                *roll = self.both_compared(place);
            }
            ParseError::NoSides { roll } => *roll = self.replaced(place, "100"),
            _ => {}
        }
    }

    /// What is missing where the grammar fails, and a roll that has it.
    fn missing(self, failure: &Failure) -> (&'static str, Option<String>) {
        let at = failure.at;
        let before = self.place(at).start;
        let with = |text: &str| self.inserted(before, text);
        if failure.expects(Expected::Sides) {
            return ("the sides of the die", with("6"));
        }
        if failure.expects(Expected::Operand) {
            return ("dice or a number", with("1d6"));
        }
        if failure.expects(Expected::Number) && self.token(at).is_none() {
            return ("a number", with("1"));
        }
        let help = with("*").or_else(|| with("+"));
        ("an operator or the end of the roll", help)
    }

    /// The correction of a mistake that its token tells.
    fn correction(self, at: usize) -> Option<Correction> {
        let place = self.place(at);
        let word = self.word(at);
        let before = at.checked_sub(1).map(|before| self.place(before));
        let gap = before.map(|before| Span::new(before.end, place.start));
        let is_apart = gap.is_some_and(|gap| gap.start < gap.end);
        match self.token(at)? {
            Token::Die if is_apart && self.is_count(at) => {
                let help = self.replaced(gap?, "")?;
                Some((
                    Some("must follow the number of dice without a blank"),
                    Some(help),
                ))
            }
            Token::Unknown(Unknown::Word) => self.word_at(at, is_apart, gap),
            Token::Unknown(Unknown::Sign) => {
                if let Some(help) = self.turned(at) {
                    return Some((Some("is the wrong way round"), Some(help)));
                }
                if word == "." && self.is_sides(at) {
                    return Some((Some("stands in a number of sides, which is whole"), None));
                }
                if let Some(meant) = word.chars().next().and_then(lookalike) {
                    let help = self.replaced(place, meant)?;
                    return Some((Some("is a lookalike"), Some(help)));
                }
                if word == "!" && is_apart {
                    let help = self.replaced(gap?, "")?;
                    return Some((Some(APART), Some(help)));
                }
                None
            }
            Token::Compare(_) | Token::Target(_) => {
                let help = self.turned(at)?;
                Some((Some("is the wrong way round"), Some(help)))
            }
            Token::Die | Token::Function(_) if self.is_behind_target(at) => {
                let help = self.sides(at - 1)?.plain?;
                let why = "begins a second roll, and the sign before it counts dice";
                Some((Some(why), Some(help)))
            }
            Token::Die if self.before(at) == Some(Token::Decimal) => {
                Some((Some("needs a whole number of dice before it"), None))
            }
            Token::Decimal | Token::Die | Token::Name | Token::Number
                if is_apart && !matches!(self.before(at), Some(Token::Unknown(_))) =>
            {
                if let Some(Token::Modifier(_)) = self.before(at)
                    && let Some(help) = self.replaced(gap?, "")
                {
                    return Some((Some(APART), Some(help)));
                }
                let help = self.phrase().or_else(|| self.inserted(place.start, "+ "))?;
                Some((Some("follows without an operator"), Some(help)))
            }
            Token::Function(Function::Max | Function::Min) if is_apart && self.ends_operand(at) => {
                let help = self.replaced(gap?, "")?;
                Some((Some(APART), Some(help)))
            }
            Token::BraceOpen | Token::Function(_) | Token::InlineOpen | Token::Open => {
                let product = self.inserted(place.start, "*");
                if let Some(help) = product.or_else(|| self.phrase()) {
                    return Some((Some("follows without an operator"), Some(help)));
                }
                self.comment(at)
            }
            Token::Comma => {
                let help = self.several(at)?;
                Some((
                    Some("stands between rolls, which `;` separates"),
                    Some(help),
                ))
            }
            _ => None,
        }
    }

    /// Whether a plain number before a token can be a number of dice.
    fn is_count(self, at: usize) -> bool {
        self.before(at) == Some(Token::Number) && !self.is_sides(at)
    }

    /// Whether the number before a token is a number of sides.
    fn is_sides(self, at: usize) -> bool {
        let behind = at.checked_sub(2).and_then(|at| self.token(at));
        matches!(behind, Some(Token::Dice | Token::Die))
    }

    /// The roll with `=>` or `=<` turned round.
    fn turned(self, at: usize) -> Option<String> {
        let both = self.place(at.checked_sub(1)?).to(self.place(at));
        match self.slice(both) {
            "=>" => self.replaced(both, ">="),
            "=<" => self.replaced(both, "<="),
            _ => None,
        }
    }

    /// The correction of a word without a meaning at its place.
    fn word_at(self, at: usize, is_apart: bool, gap: Option<Span>) -> Option<Correction> {
        let place = self.place(at);
        let word = self.word(at).to_lowercase();
        if let Some(why) = unsupported(&word) {
            return Some((Some(why), None));
        }
        if word == "d" {
            let help = self.inserted(place.end, "6");
            return Some((Some("needs the sides of the die behind it"), help));
        }
        if word == "x" {
            let help = self.replaced(place, "*")?;
            return Some((
                Some("multiplies as `*`, and `N#` repeats a roll"),
                Some(help),
            ));
        }
        let begins_modifier = MODIFIERS.iter().any(|(known, _)| word.starts_with(known));
        let repeats = word
            .strip_prefix('x')
            .is_some_and(|count| !count.is_empty());
        if is_apart
            && begins_modifier
            && !repeats
            && let Some(help) = gap.and_then(|gap| self.replaced(gap, ""))
        {
            return Some((Some(APART), Some(help)));
        }
        if let Some(help) = self.phrase() {
            let why = if repeats {
                "is written `N#` before a roll to repeat it, and `*N` behind it to multiply"
            } else {
                "is a word, and rolls are written with signs"
            };
            return Some((Some(why), Some(help)));
        }
        let next = self.text.get(place.end..self.span.end).unwrap_or_default();
        if next.trim_start().starts_with('(') {
            let names = FUNCTIONS.iter().map(|(name, _)| *name);
            let near = function_like(&word).or_else(|| spelling::nearest(&word, names));
            let help = near.and_then(|near| self.replaced(place, near));
            return Some((Some("is no function here"), help));
        }
        if is_apart && self.ends_operand(at) {
            return self.comment(at);
        }
        None
    }

    /// `2d20kl (fire)`: a comment in parentheses behind a modifier that could have a number in parentheses.
    fn remark(self, at: usize) -> Option<Correction> {
        let open = at.checked_sub(1)?;
        let is_word = self.token(at) == Some(Token::Unknown(Unknown::Word));
        let is_remark = is_word && self.token(open) == Some(Token::Open) && !self.is_glued(open);
        self.comment(open)
            .filter(|_| is_remark && self.ends_operand(open))
    }

    /// The error for a name without `@` that stands for a value from outside.
    fn outside(self, at: usize) -> Option<ParseError> {
        let is_word = |at: usize| self.token(at) == Some(Token::Unknown(Unknown::Word));
        let (name, _) = outside_name(self.word(at))?;
        let is_long = self.span.end - self.span.start > MOST_QUOTED;
        if !is_word(at) || is_long || self.ends_operand(at) || phrases::is_end(self.word(at)) {
            return None;
        }
        let mut roll = self.text.get(self.span.start..self.span.end)?.to_owned();
        for at in (0..self.lexed.tokens.len()).rev().filter(|&at| is_word(at)) {
            let place = self.place(at);
            let (name, dice) = outside_name(self.word(at))?;
            let value = if self.is_behind_target(at) || !dice.is_empty() {
                format!("(@{name}){dice}")
            } else {
                format!("@{name}")
            };
            let start = self.span.start;
            roll.replace_range(place.start - start..place.end - start, &value);
        }
        let counting = readable(roll);
        let total = self.total_with(at..at + 1, &format!("@{name}"));
        let (roll, counting) = match total {
            Some(total) => (total, counting),
            None => (counting?, None),
        };
        let name = name.into();
        Some(ParseError::Outside {
            name,
            roll,
            counting,
        })
    }

    /// `8d10>=@n`: the error for a value from outside behind a target, where it stands in parentheses.
    fn outside_target(self, at: usize) -> Option<ParseError> {
        let is_name = self.token(at) == Some(Token::Name) && self.is_behind_target(at);
        let word = self.word(at);
        let total = is_name.then(|| self.total_with(at..at + 1, word)).flatten();
        let counting = || self.replaced(self.place(at), &format!("({word})"));
        let help = total.or_else(|| is_name.then(counting).flatten())?;
        Some(ParseError::Text {
            found: self.found(at)?,
            why: Some(
                "stands behind a sign that counts dice, and is neither a number nor in parentheses",
            ),
            help: Some(help),
        })
    }

    /// Whether a token stands directly behind the sign of a target.
    fn is_behind_target(self, at: usize) -> bool {
        matches!(self.before(at), Some(Token::Target(_)))
    }

    /// `1d20 >= dc`: a value from outside, although `dc` is a coin elsewhere.
    fn difficulty(self, at: usize) -> Option<ParseError> {
        let is_coin = self.token(at) == Some(Token::Die)
            && self.token(at + 1) == Some(Token::Sides(token::Sides::Coin));
        let name = "dc".to_owned();
        let roll = is_coin.then(|| self.compared_total(at..at + 2, "@dc"))??;
        Some(ParseError::Outside {
            name,
            roll,
            counting: None,
        })
    }

    /// `3d6 <= skill`, `2d6<=x+1`: the total compared with a value from outside. Without a blank before the sign, and a sum behind
    /// it, dice are counted.
    fn total_with(self, tokens: Range<usize>, value: &str) -> Option<String> {
        let sign = tokens.start.checked_sub(1)?;
        let is_sum = matches!(
            self.token(tokens.end),
            Some(Token::Operator(Operator::Add | Operator::Subtract))
        );
        let total = || self.compared_total(tokens, value);
        (is_sum || !self.is_glued(sign)).then(total).flatten()
    }

    /// The total compared with a value in place of some tokens, which stand behind the sign of a target.
    fn compared_total(self, tokens: Range<usize>, value: &str) -> Option<String> {
        let sign = tokens.start.checked_sub(1)?;
        if !self.is_behind_target(tokens.start) {
            return None;
        }
        let end = self.place(tokens.end - 1).end;
        let rest = self.text.get(end..self.span.end)?;
        let Sides { before, left, .. } = self.sides(sign)?;
        let sign = self.word(sign);
        readable(format!("{before}({left}){sign}{value}{rest}"))
    }

    /// `12d6>=5 > 9d6>=5`: a roll of which both sides of a sign are compared. The sign is at a place, or stands before its number there.
    fn both_compared(self, place: Span) -> Option<String> {
        let is_at = |at: &usize| self.place(*at).start <= place.start;
        let last = (0..self.lexed.tokens.len()).rfind(is_at)?;
        let near = last.saturating_sub(2)..=last;
        let sign = near
            .rev()
            .find(|&at| matches!(self.token(at), Some(Token::Target(_))))?;
        let sides = self.sides(sign)?;
        let is_number = self.lexed.tokens.len() == sign + 2;
        if is_number {
            sides.plain
        } else {
            sides.grouped
        }
    }

    /// The two sides of a sign, each as one roll, with the roll in which they are compared.
    fn sides(self, sign: usize) -> Option<Sides<'s>> {
        let first = usize::from(self.token(0) == Some(Token::Repeat));
        let start = self.place(first).start;
        let before = self.text.get(self.span.start..start)?;
        let place = self.place(sign);
        let left = self.text.get(start..place.start)?.trim_end();
        let right = self.text.get(place.end..self.span.end)?.trim();
        let opens = |open: &[char], close: &[char]| {
            left.matches(open).count() == left.matches(close).count()
        };
        if !opens(&['(', '{', '['], &[')', '}', ']']) {
            return None;
        }
        let sign = self.word(sign);
        let roll = |right: &str| readable(format!("{before}({left}){sign}{right}"));
        let plain = roll(right);
        let grouped = roll(&format!("({right})"));
        Some(Sides {
            before,
            left,
            plain,
            grouped,
        })
    }

    /// The roll with a comment from a token on, if no word in it says something about dice.
    fn comment(self, at: usize) -> Option<Correction> {
        let start = self.place(at).start;
        let rest = self.text.get(start..self.span.end)?;
        let says_more = rest.contains(|sign: char| sign.is_ascii_digit() || "<>=!".contains(sign))
            || rest
                .split(|letter: char| !letter.is_alphanumeric())
                .any(phrases::has_meaning);
        // One or two letters are rather a modifier, or a part of a word.
        let begins = rest.trim_start_matches(|sign: char| !sign.is_alphabetic());
        let length = run(begins, char::is_alphabetic);
        let is_word = length > 2 || begins[..length].eq_ignore_ascii_case("to");
        let has_dice = self.text.get(self.span.start..start)?.contains(['d', 'D']);
        if says_more || !is_word || !has_dice {
            return None;
        }
        // Behind `//`, what can begin an operand would be divided by. Bones reads `#` as a number of rolls.
        let is_comment = rest.starts_with(char::is_alphabetic) && !rest.starts_with(['d', 'D']);
        let help = if is_comment {
            self.inserted(start, "// ")
        } else {
            let roll = self.text.get(self.span.start..start)?;
            readable(roll.trim_end().into())
        };
        let why = "is no part of the roll; a comment begins with `//`";
        Some((Some(why), Some(help?)))
    }

    /// Several rolls with commas between them, with `;` instead.
    fn several(self, at: usize) -> Option<String> {
        let (start, end) = (self.span.start, self.span.end);
        let first = self.text.get(start..self.place(at).start)?;
        let rest = self.text.get(self.place(at).end..end)?;
        readable(format!("{first};{}", rest.replace(',', ";")))
    }

    /// A word that nothing corrects.
    fn text(self, at: usize) -> Correction {
        let word = self.word(at).to_lowercase();
        let is_behind = self.ends_operand(at) && word.starts_with(char::is_alphabetic);
        let why = unsupported(&word).or(is_behind.then_some("has no meaning here"));
        (why, None)
    }

    /// Whether an operand may end before a token.
    fn ends_operand(self, at: usize) -> bool {
        matches!(
            self.before(at),
            Some(
                Token::Argument
                    | Token::BraceClose
                    | Token::Close
                    | Token::Decimal
                    | Token::InlineClose
                    | Token::Modifier(_)
                    | Token::Name
                    | Token::Number
                    | Token::Sides(_)
            )
        )
    }

    /// The roll that the whole text means in words.
    fn phrase(self) -> Option<String> {
        let text = self.slice(self.span);
        if text.len() > MOST_QUOTED {
            return None;
        }
        phrases::meant(text)
    }

    /// The roll with a text at a place.
    fn inserted(self, at: usize, text: &str) -> Option<String> {
        self.replaced(Span::new(at, at), text)
    }

    /// The roll with a part replaced, if the result is short and can be read.
    fn replaced(self, place: Span, by: &str) -> Option<String> {
        let before = self.text.get(self.span.start..place.start)?;
        let after = self.text.get(place.end..self.span.end)?;
        readable(format!("{before}{by}{after}"))
    }
}

/// The two sides of a comparison.
struct Sides<'s> {
    /// What stands before the roll: a chat command, or a number of rolls.
    before: &'s str,
    left: &'s str,
    /// The comparison of the total, where it can be read.
    plain: Option<String>,
    /// The same with the right side in parentheses.
    grouped: Option<String>,
}

/// The reason why a word of other programs is not supported.
fn unsupported(word: &str) -> Option<&'static str> {
    match word {
        "sin" | "cos" | "tan" | "exp" | "log" | "ln" => {
            Some("has no exact value, and is not supported")
        }
        "t" | "m" | "mt" => Some("is about tables and matches, which are not supported"),
        _ => None,
    }
}

/// The function that another program calls so.
fn function_like(word: &str) -> Option<&'static str> {
    match word {
        "ceiling" | "roundup" => Some("ceil"),
        "int" | "rounddown" => Some("floor"),
        "sgn" => Some("sign"),
        "power" => Some("pow"),
        _ => None,
    }
}
