//! The search for what was meant: rows are applied one after another, least cost first, until the text can be read.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::ops::Range;

use strsim::osa_distance;

use super::line::TokenLine;
use super::matching::{self, Match};
use super::rewrite;
use super::table::{Row, Table};
use super::token::{Token, TokenKind, tokens};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::reader::lookalike::lookalike;
use crate::notation::reader::spelling;
use crate::source::Span;

/// What was probably meant by a text.
#[derive(Clone, Debug)]
pub(crate) struct Meant {
    /// The place of the text that is corrected.
    pub(crate) whole: Span,
    /// The texts that can be read, of equal cost; at least one.
    pub(crate) texts: Vec<String>,
    /// The name of the first row that was applied.
    pub(crate) code: &'static str,
    /// What that row says, and its place.
    pub(crate) message: Option<String>,
    pub(crate) place: Range<usize>,
    pub(crate) cost: usize,
}

impl Meant {
    /// The error of a rule with what was probably meant. One finding says all then.
    pub(crate) fn instead_of(&self, error: &Error) -> Error {
        let first = error.diagnostics()[0].clone();
        let start = self.whole.start;
        let place = Span::new(start + self.place.start, start + self.place.end);
        let finding = match &self.message {
            // The error of a rule that could be read says more than the message of the row.
            Some(message) if error.kind() == ErrorKind::Parse => Diagnostic::new(place, message),
            _ => Diagnostic {
                remedies: Vec::new(),
                ..first
            },
        };
        let finding = finding.with_corrections(self.whole, self.texts.iter().cloned());
        Error::new(error.kind(), finding.with_code(self.code))
    }
}

/// How a notation reads a text.
pub(crate) struct Reader<'r> {
    pub(crate) table: &'r Table,
    /// The canonical text of a text that can be read.
    pub(crate) reads: &'r dyn Fn(&str) -> Option<String>,
    /// The words of the notation, for words that are misspelt.
    pub(crate) words: &'r [&'static str],
}

/// The longest text that is looked at, in bytes.
pub(crate) const LONGEST: usize = 200;

/// The most texts that are looked at.
const MOST_TEXTS: usize = 200;

/// The greatest number of rows that are applied one after another.
const DEEPEST: usize = 5;

/// The most texts of equal cost that are offered.
const MOST_OFFERED: usize = 2;

/// The codes of rows that only set aside words beside dice, and say nothing about the dice.
const SETTING_ASIDE: [&str; 3] = ["comment", "label", "name"];

/// The cost of a word that is spelt like one of the notation.
const MISSPELT: usize = 2;

/// A text on the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: usize,
    /// The number of the text, in the order in which texts are found.
    number: usize,
    depth: usize,
    text: String,
    first: Option<First>,
}

/// The row that was applied first: its code, its message, and its place.
type First = (&'static str, Option<String>, (usize, usize));

/// What was meant by a text that cannot be read, at a place.
pub(crate) fn meant(text: &str, whole: Span, reader: &Reader) -> Option<Meant> {
    let is_read = || (reader.reads)(text).is_some();
    if text.len() > LONGEST || text.contains('`') || is_read() {
        return None;
    }
    let mut search = Search {
        reader,
        seen: BTreeSet::from([text.to_owned()]),
        waiting: BinaryHeap::new(),
        near: BTreeMap::new(),
    };
    search.waiting.push(Reverse(Candidate {
        cost: 0,
        number: 0,
        depth: 0,
        text: text.into(),
        first: None,
    }));
    let mut meant: Option<Meant> = None;
    let mut known = BTreeSet::new();
    while let Some(Reverse(step)) = search.waiting.pop() {
        if meant.as_ref().is_some_and(|meant| step.cost > meant.cost) {
            break;
        }
        let canonical = step.first.as_ref().and_then(|_| (reader.reads)(&step.text));
        let (Some(canonical), Some((code, message, place))) = (canonical, &step.first) else {
            search.go_on(&step);
            continue;
        };
        if !known.insert(canonical) {
            continue;
        }
        let meant = meant.get_or_insert_with(|| Meant {
            whole,
            texts: Vec::new(),
            code,
            message: message.clone(),
            place: place.0..place.1,
            cost: step.cost,
        });
        meant.texts.push(step.text);
        if meant.texts.len() == MOST_OFFERED {
            break;
        }
    }
    meant
}

struct Search<'r> {
    reader: &'r Reader<'r>,
    seen: BTreeSet<String>,
    waiting: BinaryHeap<Reverse<Candidate>>,
    /// The words that were looked up, each with the word that it is like.
    near: BTreeMap<String, Option<String>>,
}

impl Search<'_> {
    /// Adds all texts that are one row away from a text.
    fn go_on(&mut self, step: &Candidate) {
        if step.depth == DEEPEST {
            return;
        }
        let found = tokens(&step.text);
        if let Some((text, place)) = plain(&step.text) {
            self.add(step, 1, &text, ("lookalike", None, place));
        }
        let has_dice = TokenLine {
            table: self.reader.table,
            text: &step.text,
            tokens: &found,
        }
        .has_dice();
        for row in &self.reader.table.rows {
            let Row {
                code,
                message,
                cost,
                ..
            } = *row;
            for (matched, text) in matching::applied(self.reader.table, row, &step.text, &found) {
                let is_set_aside = SETTING_ASIDE.contains(&code);
                if is_set_aside && (!has_dice || self.is_misspelt(&matched)) {
                    continue;
                }
                let place = (matched.place.start, matched.place.end);
                let message =
                    message.and_then(|message| rewrite::rewritten(message, &matched.bound));
                self.add(step, cost, &text, (code, message, place));
            }
        }
        for (text, place) in self.respelt(&step.text, &found) {
            self.add(step, MISSPELT, &text, ("misspelt", None, place));
        }
    }

    fn add(&mut self, from: &Candidate, cost: usize, text: &str, first: First) {
        let number = self.seen.len();
        let text = text.trim().to_owned();
        // `#` before a blank begins a comment, which would hide what follows.
        let hides = |text: &str| text.matches("# ").count();
        if hides(&text) > hides(&from.text) {
            return;
        }
        if number < MOST_TEXTS && text.len() <= 2 * LONGEST && self.seen.insert(text.clone()) {
            self.waiting.push(Reverse(Candidate {
                cost: from.cost + cost,
                number,
                depth: from.depth + 1,
                text,
                first: from.first.clone().or(Some(first)),
            }));
        }
    }

    /// The text with a word that is misspelt, for each such word.
    fn respelt(&mut self, text: &str, tokens: &[Token]) -> Vec<(String, (usize, usize))> {
        let mut respelt = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if token.kind != TokenKind::Word {
                continue;
            }
            let place = token.place.clone();
            if let Some(near) = self.near(&token.text, &tokens[..at]) {
                let text = format!("{}{near}{}", &text[..place.start], &text[place.end..]);
                respelt.push((text, (place.start, place.end)));
            }
        }
        respelt
    }

    /// Whether a long word that a row takes is spelt nearly like one of the notation.
    fn is_misspelt(&mut self, matched: &Match) -> bool {
        let held = matched
            .bound
            .iter()
            .flat_map(|(_, held)| tokens(&held.text));
        let words = held.filter(|token| token.kind == TokenKind::Word);
        words.into_iter().any(|word| {
            let near = self.near(&word.text, &[]);
            let is_long = word.text.len() > 4;
            near.is_some_and(|near| {
                is_long && 3 * osa_distance(&near, &word.text) < word.text.len()
            })
        })
    }

    /// The word of the notation, of its table, or of the text before, that a word without a meaning is like.
    fn near(&mut self, word: &str, before: &[Token]) -> Option<String> {
        if let Some(known) = self.near.get(word) {
            return known.clone();
        }
        let (own, table) = (self.reader.words, self.reader.table);
        let is_long = |word: &&str| word.len() > 3;
        let games = table.games.iter().map(String::as_str).filter(is_long);
        let is_known = self.knows(word);
        let names = before.iter().filter(|token| token.kind == TokenKind::Word);
        let names = names.map(|token| &*token.text).filter(is_long);
        let all = names.chain(own.iter().copied()).chain(games);
        let near = spelling::nearest(word, all);
        // The first letter is hardly ever wrong.
        let near = near.filter(|near| !is_known && near.chars().next() == word.chars().next());
        let near = near.map(str::to_owned);
        let near = near.or_else(|| self.slipped(word).filter(|_| !is_known));
        self.near.insert(word.to_owned(), near.clone());
        near
    }

    fn knows(&self, word: &str) -> bool {
        let Table { games, fillers, .. } = self.reader.table;
        self.reader.words.contains(&word) || games.contains(word) || fillers.contains(word)
    }

    /// Two known words that are written as one, as in `droplowest`, or a short one with a letter doubled or two swapped: `khh`, `hk`.
    fn slipped(&self, word: &str) -> Option<String> {
        let cuts = word.char_indices().skip(1).map(|(at, _)| word.split_at(at));
        cuts.into_iter().find_map(|(one, other)| {
            if one.len() > 2 && other.len() > 2 && self.knows(one) && self.knows(other) {
                return Some(format!("{one} {other}"));
            }
            let (mut before, mut behind) = (one.chars(), other.chars());
            let (last, first) = (before.next_back()?, behind.next()?);
            let (before, behind) = (before.as_str(), behind.as_str());
            let slip = if last == first {
                format!("{one}{behind}")
            } else {
                format!("{before}{first}{last}{behind}")
            };
            (word.len() < 4 && self.knows(&slip)).then_some(slip)
        })
    }
}

/// The text with the signs of a keyboard in place of those that look like them, and the place of the first.
fn plain(text: &str) -> Option<(String, (usize, usize))> {
    let mut plain = String::new();
    let mut first = None;
    let is_quoted = text.matches('"').count().is_multiple_of(2);
    let is_own = |sign: char| "[]{}".contains(sign) || is_quoted && sign == '"';
    for (at, sign) in text.char_indices() {
        match lookalike(sign).filter(|_| !is_own(sign)) {
            Some(meant) => {
                plain.push_str(meant);
                first.get_or_insert((at, at + sign.len_utf8()));
            }
            None => plain.push(sign),
        }
    }
    first.map(|first| (plain, first))
}
