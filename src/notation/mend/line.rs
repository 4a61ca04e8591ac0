//! Questions about the tokens of a text: where segments begin and end, and where dice, numbers and brackets stand.

use std::ops::Range;

use super::table::Table;
use super::token::{Token, TokenKind};

/// The tokens of a text, with the table whose rows are matched.
#[derive(Clone, Copy)]
pub(super) struct TokenLine<'a> {
    pub(super) table: &'a Table,
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
}

/// Dice as written: their number and their sides.
pub(super) type Dice = (String, String);

const OPENING: [&str; 4] = ["(", "{", "[", "[["];
const CLOSING: [&str; 4] = [")", "}", "]", "]]"];

/// Numbers as words.
const NUMBERS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

impl<'a> TokenLine<'a> {
    pub(super) fn token(self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    pub(super) fn is(self, at: usize, word: &str) -> bool {
        let token = self.token(at);
        token.is_some_and(|token| token.text == word && token.kind != TokenKind::Text)
    }

    pub(super) fn is_any(self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(at, word))
    }

    pub(super) fn is_kind(self, at: usize, kind: TokenKind) -> bool {
        self.token(at).is_some_and(|token| token.kind == kind)
    }

    /// Whether a word of a class stands here.
    pub(super) fn is_of(self, at: usize, class: &str) -> bool {
        let class = self.table.classes.get(class);
        class
            .zip(self.token(at))
            .is_some_and(|(class, token)| class.contains_key(&token.text))
    }

    pub(super) fn is_glued(self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.is_glued)
    }

    /// The first place from a token on at which something does not hold.
    pub(super) fn while_so(self, from: usize, is_so: impl Fn(usize) -> bool) -> usize {
        let end = (from..self.tokens.len()).find(|&at| !is_so(at));
        end.unwrap_or(self.tokens.len())
    }

    /// Whether a sign or a word between segments stands here.
    pub(super) fn is_bound(self, at: usize) -> bool {
        let bounds = &self.table.bounds;
        self.token(at)
            .is_some_and(|token| bounds.contains(&token.text))
            || self.is_any(at, &[",", ";"])
    }

    /// Whether the text begins at a token, or what stands behind its name.
    pub(super) fn is_first(self, at: usize) -> bool {
        let has_name = at > 1 && self.is(at - 1, ":") && !self.is_glued(at);
        at == 0 || has_name && self.while_so(0, |at| self.is_kind(at, TokenKind::Word)) == at - 1
    }

    /// Whether a segment begins at a token.
    pub(super) fn begins(self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        self.is_any(before, &OPENING) || self.is_bound(before)
    }

    /// Whether a segment ends before a token.
    pub(super) fn ends(self, at: usize) -> bool {
        self.is_over(at) || self.is_any(at, &CLOSING) || self.is_bound(at)
    }

    /// Whether nothing stands from a token on, or a comment.
    pub(super) fn is_over(self, at: usize) -> bool {
        let is_comment =
            |token: &Token| ["//", "# "].iter().any(|sign| token.text.starts_with(sign));
        self.token(at).is_none_or(is_comment)
    }

    /// The number of open brackets after a token, given the number before it.
    pub(super) fn depth(self, before: usize, at: usize) -> Option<usize> {
        if self.is_any(at, &OPENING) {
            Some(before + 1)
        } else if self.is_any(at, &CLOSING) {
            before.checked_sub(1)
        } else {
            Some(before)
        }
    }

    /// The token behind a pair of brackets that begins here.
    pub(super) fn brackets(self, at: usize) -> Option<usize> {
        let mut depth = 0;
        (at..self.tokens.len()).find_map(|next| {
            depth = self.depth(depth, next)?;
            (depth == 0).then_some(next + 1)
        })
    }

    /// The text of some tokens; there is at least one.
    pub(super) fn slice(self, tokens: Range<usize>) -> &'a str {
        let place = self.tokens[tokens.start].place.start..self.tokens[tokens.end - 1].place.end;
        &self.text[place]
    }

    /// Whether the `d` of a die stands here.
    pub(super) fn is_die(self, at: usize) -> bool {
        let sides = self.token(at + 1).filter(|next| next.is_glued);
        let has_sides = sides
            .is_some_and(|next| next.kind == TokenKind::Number || "%({[".contains(&*next.text));
        self.is(at, "df") || self.is(at, "d") && has_sides
    }

    /// Whether dice stand somewhere.
    pub(super) fn has_dice(self) -> bool {
        (0..self.tokens.len()).any(|at| self.is_die(at))
    }

    /// The dice that begin here, with the token behind them.
    pub(super) fn dice(self, at: usize) -> Option<(usize, Dice)> {
        let is_apart = !self.is_glued(at) || at == 0 || self.is_kind(at - 1, TokenKind::Sign);
        let is_number = self.is_kind(at, TokenKind::Number);
        let repeated = is_number && self.table.repeats_dice && self.is(at + 1, "#");
        let counted = repeated || is_number && self.is_glued(at + 1);
        let count = if counted { &*self.token(at)?.text } else { "1" };
        let die = at + usize::from(counted) + usize::from(repeated);
        let sides = self.token(die + 1).filter(|next| next.is_glued);
        let (end, sides) = match &*self.token(die)?.text {
            "df" => (die + 1, "F"),
            "dc" if counted => (die + 1, "c"),
            "d" => match sides? {
                sides if sides.text == "%" => (die + 2, "100"),
                sides if sides.kind == TokenKind::Number => (die + 2, &*sides.text),
                _ => return None,
            },
            _ => return None,
        };
        is_apart.then(|| (end, (count.into(), sides.into())))
    }

    /// The number that stands here, in digits or as a word, with the token behind it. It is no number of dice. A sign before digits is
    /// a part of it where nothing can be subtracted from.
    pub(super) fn number(self, at: usize) -> Option<(usize, String)> {
        let token = self.token(at)?;
        let is_sign =
            self.is(at, "-") && self.is_glued(at + 1) && self.is_kind(at + 1, TokenKind::Number);
        if is_sign && (self.begins(at) || self.is_any(at - 1, &COMPARING)) {
            let (end, digits) = self.number(at + 1)?;
            return Some((end, format!("-{digits}")));
        }
        let text = match token.kind {
            TokenKind::Number if !token.text.contains('.') => token.text.clone(),
            TokenKind::Word => number(&token.text)?.to_string(),
            _ => return None,
        };
        let goes_on = self.is_glued(at + 2) && !self.is_kind(at + 2, TokenKind::Sign);
        let is_plural = self.is(at + 1, "s") && self.is_glued(at + 1) && !goes_on;
        Some((at + 1 + usize::from(is_plural), text))
    }

    /// Whether a word has a meaning for dice, or is a number.
    pub(super) fn is_known(self, word: &str) -> bool {
        self.table.games.contains(word)
            || self.table.bounds.contains(word)
            || number(word).is_some()
    }
}

/// The signs and words behind which `-` begins a number.
const COMPARING: [&str; 15] = [
    "<", "<=", "=<", "=", "==", ">", ">=", "and", "between", "exactly", "is", "least", "most",
    "than", "to",
];

/// The number that a word says: `three`, `sixes`.
pub(super) fn number(word: &str) -> Option<usize> {
    let named = |word: &str| NUMBERS.iter().position(|name| *name == word);
    let singular = || word.strip_suffix('s');
    named(word)
        .or_else(|| named(singular()?))
        .or_else(|| named(singular()?.strip_suffix('e')?))
}
