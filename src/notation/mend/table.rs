//! A table of what is meant: rows of patterns and rewrites, as data.
//!
//! ```text
//! class end = h: highest best; l: lowest worst
//! filler the a of
//! bounds = in do
//! dice 4#d6
//!
//! [modifier] a modifier follows its dice without a blank
//! 1 :: {M} ~{end} _{n}? :: {M}k{end}{n|1}
//! ```
//!
//! - A class maps words to a word of the notation, or each to itself.
//! - Fillers are words that say nothing about dice.
//! - Bounds are signs and words at which segments begin and end, beside brackets and commas.
//! - With `dice 4#d6` those are dice, too.
//! - `phrases` stands for the table with what people say in any notation.
//! - A heading has the code of the rows below it, and perhaps the message.
//! - A row has its cost, the pattern, the rewrite, and perhaps guards. With `all` behind the cost it is applied at every place at
//!   once. A pattern `A <-> B` is `^^ A B $$`, and also `^^ B A $$` with words as `in` between them.

use std::collections::BTreeSet;

use super::pattern::{self, Classes, Element};

/// The words of games and of notations that no row explains: none of them is a comment.
const GAMES: &str = include_str!("../games.txt");

/// What is said in the same way in notations.
const PHRASES: &str = include_str!("phrases.txt");

/// The rows of a notation.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(super) classes: Classes,
    pub(super) fillers: BTreeSet<String>,
    pub(super) bounds: BTreeSet<String>,
    /// Whether `4#d6` are dice, as `4d6` are.
    pub(super) repeats_dice: bool,
    /// The words that say something about dice.
    pub(super) games: BTreeSet<String>,
    pub(super) rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) code: &'static str,
    pub(super) message: Option<&'static str>,
    pub(super) cost: usize,
    pub(super) is_for_all: bool,
    pub(super) pattern: Vec<Element>,
    pub(super) rewrite: &'static str,
    pub(super) guards: &'static str,
    /// Words of which the text must have one each.
    pub(super) needed: Vec<BTreeSet<String>>,
}

impl Table {
    /// The table in a text.
    ///
    /// # Panics
    ///
    /// If the text is no table. All tables are constants, and tests read each.
    pub(crate) fn of(text: &'static str) -> Self {
        let mut table = Self::default();
        table
            .games
            .extend(GAMES.split_whitespace().map(str::to_owned));
        let mut heading = ("", None);
        let included = |line| if line == "phrases" { PHRASES } else { line };
        let lines = text.lines().flat_map(|line| included(line).lines());
        for line in lines.map(str::trim) {
            let wrong = || -> ! { panic!("no line of a table: {line}") };
            let list = |words: &str| {
                words
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            if line.is_empty() || line.starts_with("--") {
            } else if line == "dice 4#d6" {
                table.repeats_dice = true;
            } else if let Some(words) = line.strip_prefix("filler ") {
                table.fillers.extend(list(words));
            } else if let Some(words) = line.strip_prefix("bounds ") {
                table.bounds.extend(list(words));
            } else if let Some(class) = line.strip_prefix("class ") {
                let Some((name, words)) = class.split_once(" = ") else {
                    wrong()
                };
                let class = table.classes.entry(name.into()).or_default();
                for group in words.split(';') {
                    // A word without another stands for itself.
                    let (meant, words) = match group.split_once(": ") {
                        Some((meant, words)) => (Some(meant.trim()), words),
                        None => (None, group),
                    };
                    for word in list(words) {
                        let meant = meant.unwrap_or(&word).to_owned();
                        class.insert(word, meant);
                    }
                }
            } else if let Some(code) = line.strip_prefix('[') {
                let Some((code, message)) = code.split_once(']') else {
                    wrong()
                };
                heading = (
                    code,
                    Some(message.trim()).filter(|message| !message.is_empty()),
                );
            } else {
                let Some(rows) = rows(line, heading, &table.classes) else {
                    wrong()
                };
                table.rows.extend(rows);
            }
        }
        table.learn();
        table
    }

    /// Collects the words of all rows and classes, which are words about dice; but not those of alternatives of several words, as in
    /// `(blades in the dark|bitd)`. A filler is none, also where a game has the word.
    fn learn(&mut self) {
        let mut known = BTreeSet::new();
        for row in &self.rows {
            pattern::single_words(&row.pattern, &mut |word| {
                known.insert(word.to_owned());
            });
        }
        known.extend(
            self.classes
                .values()
                .flat_map(|class| class.keys().cloned()),
        );
        known.retain(|word| word.starts_with(char::is_alphabetic));
        self.games.extend(known);
        self.games.retain(|word| !self.fillers.contains(word));
    }
}

/// The rows of a line: two where its parts stand in either order.
fn rows(
    line: &'static str,
    (code, message): (&'static str, Option<&'static str>),
    classes: &Classes,
) -> Option<Vec<Row>> {
    let mut columns = line.split(" :: ");
    let cost = columns.next()?;
    let (cost, is_for_all) = match cost.strip_suffix(" all") {
        Some(cost) => (cost, true),
        None => (cost, false),
    };
    let cost = cost.parse().ok()?;
    let pattern = columns.next()?;
    let patterns = match pattern.split_once(" <-> ") {
        Some((one, other)) => vec![
            format!("^^ {one} {other} $$"),
            format!("^^ {other} {{in}}* {one} $$"),
        ],
        None => vec![pattern.to_owned()],
    };
    let rewrite = columns.next()?;
    let guards = columns.next().unwrap_or_default();
    let row = |pattern: &String| {
        let pattern = pattern::pattern(pattern, classes)?;
        Some(Row {
            code,
            message,
            cost,
            is_for_all,
            needed: pattern::needed(&pattern, classes),
            pattern,
            rewrite,
            guards,
        })
    };
    patterns.iter().map(row).collect()
}
