//! What the holes of a pattern hold.

use super::line::{Dice, TokenLine, number};
use super::pattern::{Element, Hole, Item};
use super::token::TokenKind;

/// What a hole holds.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) text: String,
    /// The numbers of dice and of sides, where it holds dice, or results for the faces of a die; the least and the greatest of values.
    pub(super) dice: Option<Dice>,
}

/// A hole with what it holds.
pub(super) type Bound = (String, Held);

/// Words that no name ends with, because they are about what follows.
const CONNECTING: [&str; 12] = [
    "a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to", "with",
];

/// The signs that may stand in the modifiers of dice.
const IN_MODIFIERS: [&str; 7] = ["!", "<", ">", "=", ">=", "<=", "!="];

impl TokenLine<'_> {
    /// The content of a hole (other than a run) that begins at a token, and the token behind it. `rest` are the elements behind the hole.
    pub(super) fn held(
        self,
        name: &str,
        hole: Hole,
        rest: &[Element],
        at: usize,
    ) -> Option<(usize, Held)> {
        let plain = |end: usize, text: String| (end, Held { text, dice: None });
        let token = self.token(at);
        match hole {
            Hole::Arms => self.arms(at),
            Hole::Bonus => Some(self.bonus(at)),
            Hole::Class => {
                let class = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
                let meant = self.table.classes.get(class)?.get(&token?.text)?;
                Some(plain(at + 1, meant.clone()))
            }
            Hole::Comment => self.comment(at),
            Hole::Dice => self
                .dice(at)
                .map(|(end, dice)| self.part(at, end, Some(dice))),
            Hole::Face => {
                let word = token.filter(|token| token.kind == TokenKind::Word);
                let word = word.filter(|word| word.text.ends_with('s'));
                let named = word.and_then(|word| Some((at + 1, number(&word.text)?.to_string())));
                let plural = || self.number(at).filter(|(end, _)| *end == at + 2);
                named.or_else(plural).map(|(end, text)| plain(end, text))
            }
            Hole::Faces => {
                let end = self.is_any(at, &["[", "{"]).then(|| self.brackets(at))??;
                let inner = (end > at + 2).then(|| self.slice(at + 1..end - 1))?;
                Some(plain(end, inner.into()))
            }
            Hole::Label => self.label(at),
            Hole::Modified => self.modified(at),
            Hole::Outside => {
                token?;
                let name = self.slice(at..at + 1).strip_prefix('@')?;
                (!name.starts_with('{')).then(|| plain(at + 1, name.into()))
            }
            Hole::Number => {
                let is_count = self.is_glued(at + 1) && self.is_die(at + 1);
                let next = rest.first().map(|next| &next.item);
                let is_split = matches!(next, Some(Item::Word(word)) if word == "d");
                let number = self.number(at).filter(|_| is_split || !is_count);
                number.map(|(end, text)| plain(end, text))
            }
            Hole::Run { .. } => None,
            Hole::Several => self.several(at),
            Hole::Text => {
                let is_text = self.is_kind(at, TokenKind::Text);
                is_text.then(|| plain(at + 1, self.slice(at..at + 1).into()))
            }
            Hole::Values => self.values(at),
            Hole::Word { is_plain } => {
                let word = token.filter(|token| token.kind == TokenKind::Word)?;
                let has_digits = self.is_kind(at + 1, TokenKind::Number) && self.is_glued(at + 1);
                let is_meant =
                    !(word.text.starts_with('@') || is_plain && self.is_known(&word.text));
                is_meant.then(|| self.part(at, at + 1 + usize::from(has_digits), None))
            }
        }
    }

    /// The text of some tokens, at least one, as the content of a hole.
    pub(super) fn part(self, at: usize, end: usize, dice: Option<Dice>) -> (usize, Held) {
        let text = self.slice(at..end).into();
        (end, Held { text, dice })
    }

    /// Numbers and names that are added; perhaps none.
    fn bonus(self, at: usize) -> (usize, Held) {
        let is_added = |at: usize| {
            let is_name = self
                .token(at)
                .is_some_and(|token| token.text.starts_with('@'));
            is_name || self.is_kind(at, TokenKind::Number) && self.dice(at).is_none()
        };
        let mut end = at;
        while self.is_any(end, &["+", "-"]) && is_added(end + 1) {
            end += 2;
        }
        let text = (at..end).map(|at| self.slice(at..at + 1)).collect();
        (end, Held { text, dice: None })
    }

    /// The token behind words that say nothing about dice. A word for a check may be one of them, but not the first.
    fn words(self, at: usize) -> usize {
        let is_word = |at: usize| {
            let word = self.token(at).filter(|token| token.kind == TokenKind::Word);
            let checks = self.table.classes.get("check");
            word.is_some_and(|word| {
                let is_check = || checks.is_some_and(|checks| checks.contains_key(&word.text));
                !word.text.starts_with('@') && (!self.is_known(&word.text) || is_check())
            })
        };
        self.while_so(at, is_word)
    }

    /// Words at the end of the text that say nothing about dice.
    fn comment(self, at: usize) -> Option<(usize, Held)> {
        let opens = usize::from(self.is(at, "("));
        let first = at + opens;
        let end = self.words(first);
        // One or two letters are rather a modifier.
        let begins = self.token(first).is_some_and(|word| {
            let is_long = word.text.len() > 2 || self.table.fillers.contains(&word.text);
            is_long && !self.is_known(&word.text)
        });
        let is_last = end + opens == self.tokens.len() && (opens == 0 || self.is(end, ")"));
        let is_comment = begins && is_last && (1..=4).contains(&(end - first));
        is_comment.then(|| (end + opens, self.part(first, end, None).1))
    }

    /// Words before dice that name them.
    fn label(self, at: usize) -> Option<(usize, Held)> {
        let end = self.words(at);
        let end = end + usize::from(self.is_kind(end, TokenKind::Number) && self.is_glued(end));
        let begins = !self.is_kind(end, TokenKind::Sign) || self.is_any(end, &["(", "{"]);
        let is_open = end > at && self.is_any(end - 1, &CONNECTING);
        let is_label = (1..=4).contains(&(end - at)) && !self.is_glued(end) && begins && !is_open;
        is_label.then(|| self.part(at, end, None))
    }

    /// Dice side by side, as their sum.
    fn several(self, at: usize) -> Option<(usize, Held)> {
        if !self.begins(at) && !self.is_kind(at - 1, TokenKind::Word) {
            return None;
        }
        let (mut end, _) = self.dice(at)?;
        let mut text = self.slice(at..end).to_owned();
        loop {
            let between = self.is_any(end, &[",", "+", "and", "or", "&"]);
            let next = end + usize::from(between);
            let Some((behind, _)) = self.dice(next) else {
                break;
            };
            text = format!("{text}+{}", self.slice(next..behind));
            end = behind;
        }
        text.contains('+')
            .then_some((end, Held { text, dice: None }))
    }

    /// Dice, or a pair of brackets, with all that is glued to them.
    fn modified(self, at: usize) -> Option<(usize, Held)> {
        let (end, dice) = match self.dice(at) {
            Some((end, dice)) => (end, Some(dice)),
            None if self.is_any(at, &["(", "{"]) => (self.brackets(at)?, None),
            None => return None,
        };
        let end = self.while_so(end, |at| {
            let is_end = self.is(at, "-") && self.is_any(at + 1, &["l", "h"]);
            let is_name = self
                .token(at)
                .is_some_and(|token| token.text.starts_with('@'));
            let is_part =
                !self.is_kind(at, TokenKind::Sign) && !is_name || self.is_any(at, &IN_MODIFIERS);
            // A long word is said of the dice: `3d6explode`.
            let is_said = self.is_kind(at, TokenKind::Word)
                && self.slice(at..at + 1).len() > 3
                && !self.is(at, "even");
            self.is_glued(at) && !is_said && (is_part || is_end)
        });
        Some(self.part(at, end, dice))
    }
}
