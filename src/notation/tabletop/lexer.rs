//! Splits a roll into tokens.
//!
//! A letter has a meaning only at its place: `d` is the die of `4d6`, and drops a die in `4d6d1`. So the lexer knows what it
//! has read: whether an operand is due, whether modifiers may follow, and which brackets are open. Labels and comments are
//! no tokens. Text without a meaning at its place becomes [`Token::Unknown`], which the grammar never accepts.

use super::scan::{begins_die, comparison, digits, function, modifier, name, number};
use super::token::{Operator, Sides, Token, Unknown};
use super::words::{ADVANTAGES, COMMANDS, Modifier, Takes};
use crate::ir::Comparison;
use crate::notation::reader::gaps::is_blank;
use crate::notation::reader::lexed::{self, first, run};
use crate::source::Span;

/// The tokens of a roll.
pub(super) type Lexed = lexed::Lexed<Token>;

/// What was read before a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// An operand is due.
    Nothing,
    /// The `d` of a die.
    Dice,
    /// A target's sign, or one of a modifier's.
    Sign,
    /// An operand that can be the number of dice.
    Count,
    /// A parenthesis, which can be the number of dice, and can have modifiers.
    Parenthesis,
    /// A die; modifiers may follow.
    Die,
    /// A group; modifiers may follow.
    Group,
    /// A modifier without its number.
    Modifier(Modifier),
    /// Any other operand.
    Operand,
    /// The roll is complete.
    End,
}

impl Before {
    fn is_operand(self) -> bool {
        !matches!(self, Self::Nothing | Self::Dice | Self::Sign)
    }

    fn has_modifiers(self) -> bool {
        matches!(
            self,
            Self::Die | Self::Group | Self::Modifier(_) | Self::Parenthesis
        )
    }
}

/// An open bracket, and what it is read as when it is closed.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    open: Token,
    then: Before,
}

/// A lexer within a roll.
struct Lexer<'s> {
    text: &'s str,
    end: usize,
    at: usize,
    before: Before,
    open: Vec<Bracket>,
    /// Whether a blank, a label or a comment stands before the place.
    is_apart: bool,
    lexed: Lexed,
}

/// The tokens of a part of a text, which is one roll.
pub(super) fn lex(text: &str, span: Span) -> Lexed {
    let (lexed, end) = until(text, span, false);
    debug_assert!(end == span.end, "a roll is read to its end");
    lexed
}

/// The tokens of the first roll of a part of a text, and the place of the `;` behind it, or else the end of the part.
pub(super) fn until(text: &str, span: Span, ends_at_semicolon: bool) -> (Lexed, usize) {
    let mut lexer = Lexer {
        text,
        end: span.end,
        at: span.start,
        before: Before::Nothing,
        open: Vec::new(),
        is_apart: false,
        lexed: Lexed {
            tokens: Vec::new(),
            spans: Vec::new(),
        },
    };
    lexer.begin();
    loop {
        lexer.skip();
        let rest = lexer.rest();
        if rest.is_empty() || ends_at_semicolon && rest.starts_with(';') {
            return (lexer.lexed, lexer.at);
        }
        lexer.next();
    }
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.text[self.at..self.end]
    }

    fn push(&mut self, token: Token, length: usize, before: Before) {
        self.lexed.tokens.push(token);
        self.lexed.spans.push(Span::new(self.at, self.at + length));
        self.at += length;
        self.before = before;
        self.is_apart = false;
    }

    /// The chat command and the number of repeats before a roll.
    fn begin(&mut self) {
        self.skip();
        let rest = self.rest();
        let command = COMMANDS.iter().find(|command| {
            let begins = rest.get(..command.len());
            let begins = begins.is_some_and(|text| text.eq_ignore_ascii_case(command));
            begins && !rest[command.len()..].starts_with(char::is_alphabetic)
        });
        self.at += command.map_or(0, |command| command.len());
        self.skip();
        let rest = self.rest();
        let digits = digits(rest);
        let behind = &rest[digits..];
        if digits > 0
            && let Some(roll) = behind.strip_prefix('#')
            && !roll.is_empty()
            && !roll.starts_with(is_blank)
        {
            self.push(Token::Repeat, digits, Before::Nothing);
            self.at += 1;
        }
    }

    /// Skips blanks, comments and labels.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let start = self.at;
            self.at += run(rest, is_blank);
            let rest = self.rest();
            if let Some(comment) = rest.strip_prefix("/*") {
                if let Some(length) = comment.find("*/") {
                    self.at += length + 4;
                } else {
                    let token = Token::Unknown(Unknown::UnclosedComment);
                    self.push(token, rest.len(), Before::End);
                }
            } else if rest.starts_with('[') && !rest.starts_with("[[") && self.before.is_operand() {
                if let Some(length) = rest.find(']') {
                    self.at += length + 1;
                } else {
                    let token = Token::Unknown(Unknown::UnclosedName);
                    self.push(token, rest.len(), Before::End);
                }
            } else if self.is_comment(rest) {
                self.at += run(rest, |sign| sign != '\n');
            }
            if self.at == start {
                return;
            }
            self.is_apart = true;
        }
    }

    /// Whether a comment to the end of the line begins here.
    fn is_comment(&self, rest: &str) -> bool {
        if !self.before.is_operand() || !self.open.is_empty() {
            return false;
        }
        if let Some(comment) = rest.strip_prefix('#') {
            return !(begins_die(&comment[digits(comment)..]) || comment.starts_with('('));
        }
        let Some(comment) = rest.strip_prefix("//") else {
            return false;
        };
        let comment = comment.trim_start_matches(is_blank);
        let word = run(comment, char::is_alphabetic);
        let is_function = function(&comment[..word]).is_some() && comment[word..].starts_with('(');
        let begins_operand = comment.starts_with(|sign: char| sign.is_ascii_digit())
            || ["(", "{", "[[", "+", "-", "−", "–", "@", "?{"]
                .iter()
                .any(|sign| comment.starts_with(sign))
            || begins_die(comment)
            || is_function;
        !begins_operand
    }

    /// Reads one token. The rest is not empty.
    fn next(&mut self) {
        let rest = self.rest();
        match self.before {
            Before::Dice => self.sides(rest),
            Before::Sign => self.argument(rest),
            Before::Nothing => self.operand(rest),
            _ => self.behind_operand(rest),
        }
    }

    /// The sides of a die.
    fn sides(&mut self, rest: &str) {
        let (sides, length) = match rest.as_bytes() {
            [b'%', ..] => (Sides::Percent, 1),
            [b'F' | b'f', b'.', b'1', ..] => (Sides::RareFate, 3),
            [b'F' | b'f', b'.', b'2', ..] => (Sides::Fate, 3),
            [b'F' | b'f', ..] => (Sides::Fate, 1),
            [b'C' | b'c', ..] => (Sides::Coin, 1),
            _ => match digits(rest) {
                0 => return self.nested(rest, Before::Die),
                length => return self.push(Token::Number, length, Before::Die),
            },
        };
        self.push(Token::Sides(sides), length, Before::Die);
    }

    /// The number behind a comparison sign.
    fn argument(&mut self, rest: &str) {
        match number(rest, true) {
            0 => self.nested(rest, Before::Die),
            length => self.push(Token::Argument, length, Before::Die),
        }
    }

    /// A bracket that is read as `then` when it is closed, or a name; any other operand.
    fn nested(&mut self, rest: &str, then: Before) {
        let (open, length) = if rest.starts_with("[[") {
            (Token::InlineOpen, 2)
        } else if rest.starts_with('(') {
            (Token::Open, 1)
        } else {
            self.operand(rest);
            if let (Some(Token::Name), Before::Count) = (self.lexed.tokens.last(), self.before) {
                self.before = then;
            }
            return;
        };
        self.open.push(Bracket { open, then });
        self.push(open, length, Before::Nothing);
    }

    fn operand(&mut self, rest: &str) {
        let word = run(rest, |letter| letter.is_alphanumeric() || letter == '_');
        let letters = run(rest, char::is_alphabetic);
        if rest.starts_with("[[") || rest.starts_with('(') {
            self.nested(rest, Before::Parenthesis);
        } else if rest.starts_with('{') {
            self.open.push(Bracket {
                open: Token::BraceOpen,
                then: Before::Group,
            });
            self.push(Token::BraceOpen, 1, Before::Nothing);
        } else if let Some((length, is_closed)) = name(rest) {
            if is_closed {
                self.push(Token::Name, length, Before::Count);
            } else {
                let token = Token::Unknown(Unknown::UnclosedName);
                self.push(token, length, Before::End);
            }
        } else if number(rest, false) > 0 {
            let length = number(rest, false);
            if digits(rest) == length {
                self.push(Token::Number, length, Before::Count);
            } else {
                self.push(Token::Decimal, length, Before::Operand);
            }
        } else if begins_die(rest) {
            self.push(Token::Die, 1, Before::Dice);
        } else if let Some(found) = function(&rest[..letters]) {
            self.push(Token::Function(found), letters, Before::Nothing);
            if self.rest().starts_with('(') {
                let open = Token::Open;
                let then = Before::Count;
                self.open.push(Bracket { open, then });
                self.push(open, 1, Before::Nothing);
            }
        } else if word > 0 {
            self.push(Token::Unknown(Unknown::Word), word, Before::Operand);
        } else {
            self.sign(rest);
        }
    }

    fn behind_operand(&mut self, rest: &str) {
        if self.before.has_modifiers() && self.modifier(rest) {
            return;
        }
        let begins_count = matches!(self.before, Before::Count | Before::Parenthesis);
        if begins_count && !self.is_apart && rest.starts_with(['d', 'D']) {
            return self.push(Token::Dice, 1, Before::Dice);
        }
        if let Some((sign, comparison)) = comparison(rest) {
            return self.compare(sign, comparison);
        }
        let letters = run(rest, char::is_alphabetic);
        if self.is_apart && self.open.is_empty() {
            let word = &rest[..letters];
            let known = ADVANTAGES
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(word));
            if let Some((_, end)) = known {
                return self.push(Token::Advantage(*end), letters, Before::End);
            }
        }
        if rest.starts_with(|sign: char| sign.is_alphanumeric() || "[({@?".contains(sign)) {
            return self.operand(rest);
        }
        if let Some(comment) = rest.strip_prefix('#')
            && (begins_die(&comment[digits(comment)..]) || comment.starts_with('('))
        {
            return self.push(Token::Unknown(Unknown::Hash), 1, Before::Nothing);
        }
        self.sign(rest);
    }

    /// Reads a modifier, or the number or the sign that belongs to one. Returns whether there was one.
    fn modifier(&mut self, rest: &str) -> bool {
        let is_parenthesis = self.before == Before::Parenthesis;
        if let Before::Modifier(modifier) = self.before {
            let takes = modifier.takes();
            if takes == Takes::Condition
                && let Some((sign, found)) = comparison(rest)
            {
                self.push(Token::Target(found), sign.len(), Before::Sign);
                return true;
            }
            let is_limit = matches!(modifier, Modifier::Max | Modifier::Min);
            if !self.is_apart && takes != Takes::Nothing {
                let length = number(rest, is_limit);
                if length > 0 {
                    self.push(Token::Argument, length, Before::Die);
                    return true;
                }
                if rest.starts_with('(') || rest.starts_with("[[") {
                    self.nested(rest, Before::Die);
                    return true;
                }
            }
        }
        // `!=` explodes behind a die, and compares behind a group. Blanks around it change nothing.
        let is_group = matches!(self.before, Before::Group | Before::Parenthesis);
        let explodes = rest.starts_with("!=") && !is_group;
        if self.is_apart && !explodes || is_group && rest.starts_with("!=") {
            return false;
        }
        if is_parenthesis && begins_die(rest) {
            return false;
        }
        let Some((modifier, length)) = modifier(rest) else {
            return false;
        };
        self.push(
            Token::Modifier(modifier),
            length,
            Before::Modifier(modifier),
        );
        true
    }

    /// A comparison of totals, or a target.
    fn compare(&mut self, sign: &str, comparison: Comparison) {
        let is_target = matches!(
            self.before,
            Before::Die | Before::Group | Before::Modifier(_)
        );
        if is_target && sign != "==" {
            self.push(Token::Target(comparison), sign.len(), Before::Sign);
        } else {
            self.push(Token::Compare(comparison), sign.len(), Before::Nothing);
        }
    }

    /// An operator, a comma or a closing bracket.
    fn sign(&mut self, rest: &str) {
        let sign = rest.chars().next().unwrap_or(' ');
        let operator = match sign {
            '+' => Some((Operator::Add, 1)),
            '-' | '−' | '–' => Some((Operator::Subtract, sign.len_utf8())),
            '*' if rest.starts_with("**") => Some((Operator::Power, 2)),
            '*' | '×' => Some((Operator::Multiply, sign.len_utf8())),
            '/' if rest.starts_with("//") => Some((Operator::Floor, 2)),
            '/' | '÷' => Some((Operator::Divide, sign.len_utf8())),
            '%' => Some((Operator::Modulo, 1)),
            '^' => Some((Operator::Power, 1)),
            _ => None,
        };
        if let Some((operator, length)) = operator {
            return self.push(Token::Operator(operator), length, Before::Nothing);
        }
        if sign == ',' {
            // A parenthesis with a comma is a group.
            if let Some(bracket) = self.open.last_mut()
                && bracket.open == Token::Open
                && bracket.then == Before::Parenthesis
            {
                bracket.then = Before::Group;
            }
            return self.push(Token::Comma, 1, Before::Nothing);
        }
        let close = match sign {
            ')' => Some((Token::Close, Token::Open, 1)),
            '}' => Some((Token::BraceClose, Token::BraceOpen, 1)),
            ']' if rest.starts_with("]]") => Some((Token::InlineClose, Token::InlineOpen, 2)),
            _ => None,
        };
        if let Some((token, open, length)) = close {
            let then = match self.open.last() {
                Some(bracket) if bracket.open == open => {
                    self.open.pop().map_or(Before::Operand, |open| open.then)
                }
                _ => Before::Operand,
            };
            return self.push(token, length, then);
        }
        let before = if self.before.is_operand() {
            Before::Operand
        } else {
            Before::Nothing
        };
        self.push(Token::Unknown(Unknown::Sign), first(rest), before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn words(text: &str) -> Vec<&str> {
        let lexed = lex(text, Span::new(0, text.len()));
        let slice = |span: &Span| &text[span.start..span.end];
        lexed.spans.iter().map(slice).collect()
    }

    #[test]
    fn modifiers_are_as_long_as_the_text_allows() {
        assert_eq!(words("4d6kh3r1"), ["4", "d", "6", "kh", "3", "r", "1"]);
        assert_eq!(words("4d6!ph1"), ["4", "d", "6", "!", "ph", "1"]);
        assert_eq!(words("4d6skh3"), ["4", "d", "6", "s", "kh", "3"]);
        assert_eq!(words("1d4d6"), ["1", "d", "4", "d", "6"]);
        assert_eq!(words("4dFkh2"), ["4", "d", "F", "kh", "2"]);
        assert_eq!(words("4d6-L"), ["4", "d", "6", "-L"]);
    }

    #[test]
    fn a_comment_begins_behind_a_whole_roll() {
        assert_eq!(words("4d6 // Fire"), ["4", "d", "6"]);
        assert_eq!(words("7//2"), ["7", "//", "2"]);
        assert_eq!(words("5 # five"), ["5"]);
        assert_eq!(words("(7 # 2"), ["(", "7", "#", "2"]);
        assert_eq!(words("2d6[fire]+1"), ["2", "d", "6", "+", "1"]);
    }
}
