//! Answers to bytes: each format is one function over `&mut impl io::Write`.
//!
//! What comes in is a slice of [`Answered`] rules (and [`Refused`] ones, for [`json`]) and a [`Style`];
//! what goes out is text. Nothing here touches a terminal, and no float touches a probability: decimals
//! are integer divisions, rounded once, halves away from zero, at the last digit shown.
//!
//! - [`table`] and [`markdown`] show rows for reading, several rules side by side;
//! - [`steps`] shows the pool after each step of a script;
//! - [`queries`] shows only the probabilities that were asked for;
//! - [`csv`] and [`json`] hold every outcome, exactly;
//! - [`svg`] draws.

pub mod csv;
pub mod decimal;
mod extent;
mod figures;
mod fraction;
mod grid;
pub mod json;
mod lists;
pub mod markdown;
pub mod queries;
mod ranges;
mod scale;
mod sheet;
pub mod steps;
#[cfg(feature = "svg")]
pub mod svg;
pub mod table;

use std::collections::BTreeMap;

use crate::algebra::Weight;
use crate::engine::Answer;
use crate::error::{Diagnostic, Error};
use crate::number::Integer;
use crate::source::{Source, is_invisible};

pub use crate::summary::Query;

/// A rule that was answered, with what the reports say about it.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its place among the rules of the call, from 0; the series of a rule share it.
    pub rule: usize,
    /// Its name in tables and legends.
    pub name: String,
    /// Its text.
    pub expression: String,
    /// The name of its notation; `None` if it was read from none.
    pub dialect: Option<String>,
    /// Values given to its free variables, in the order in which they are shown.
    pub parameters: Vec<(String, Integer)>,
    /// Whether lists are shown in order rather than as multisets.
    pub ordered: bool,
    /// Warnings about its text.
    pub warnings: Vec<Diagnostic>,
    /// Its distribution.
    pub answer: Answer,
}

impl Answered {
    /// An answer under a name, which also stands for its text: the first rule of a call, without notation,
    /// parameters or warnings.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::Distribution;
    /// use dicedist::engine::{Answer, Outcomes};
    /// use dicedist::number::Integer;
    /// use dicedist::report::Answered;
    ///
    /// let seven = Distribution::new([(Integer::from(7_i64), 1u32.into())], 1u32.into());
    /// let answered = Answered::new("seven", Answer::exact(Outcomes::Numbers(seven), 1));
    /// assert_eq!((answered.name, answered.expression), ("seven".into(), "seven".into()));
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>, answer: Answer) -> Self {
        let name = name.into();
        Self {
            rule: 0,
            expression: name.clone(),
            name,
            dialect: None,
            parameters: Vec::new(),
            ordered: false,
            warnings: Vec::new(),
            answer,
        }
    }
}

/// A rule that could not be answered.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Its place among the rules of the call, from 0; the series of a rule share it.
    pub rule: usize,
    /// Its name.
    pub name: String,
    /// The text that the places of the error and of the warnings refer to.
    pub source: Source,
    /// Warnings about its text.
    pub warnings: Vec<Diagnostic>,
    /// Why.
    pub error: Error,
}

/// How answers are shown. Each format takes from it what concerns it.
///
/// # Examples
///
/// ```
/// use dicedist::report::{Style, View};
///
/// let style = Style {
///     view: View::AtLeast,
///     ..Style::default()
/// };
/// assert_eq!((style.digits, style.width), (4, 80));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Digits after the point, of percentages and statistics, where a person reads them.
    pub digits: usize,
    /// Whether tables show the exact fraction too.
    pub fractions: bool,
    /// Whether every row of a long table is shown, rather than ranges of values.
    pub all: bool,
    /// How to see every row: a text below a table that does not show them all.
    pub way_to_all: Option<String>,
    /// The width that tables may fill, in characters.
    pub width: usize,
    /// Whether tables are coloured.
    pub color: bool,
    /// Which probability tables and plots show.
    pub view: View,
    /// The probabilities that were asked for by name.
    pub queries: Vec<Query>,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            digits: 4,
            fractions: false,
            all: false,
            way_to_all: None,
            width: 80,
            color: false,
            view: View::default(),
            queries: Vec::new(),
        }
    }
}

impl Style {
    /// A note on a table that does not show every row, with what to do about it.
    fn with_way_to_all(&self, note: &str) -> String {
        match &self.way_to_all {
            Some(way) => format!("{note}; {way}"),
            None => note.into(),
        }
    }
}

/// Which probability is shown beside a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// Of exactly this value.
    #[default]
    Exactly,
    /// Of this value or a higher one.
    AtLeast,
    /// Of this value or a lower one.
    AtMost,
}

/// Reads one kind of mass off an answer.
pub(crate) type Mass = fn(&Answer) -> Weight;

/// The kinds of mass without a value, with the names of their rows.
pub(crate) const WITHOUT_VALUE: [(&str, Mass); 2] = [
    ("unresolved", Answer::unresolved),
    ("never ends", Answer::never_ends),
];

/// What rules are called where they stand side by side.
pub(crate) struct Labels {
    /// The name that all rules share, if they differ only in parameters.
    pub(crate) shared: Option<String>,
    /// What tells each rule from the others, below the shared name.
    pub(crate) short: Vec<String>,
    /// Each rule's name with its parameters: unique.
    pub(crate) full: Vec<String>,
}

/// Finds names that tell rules apart: a sweep is called by its parameters, and a name that repeats is numbered.
pub(crate) fn labels(rules: &[Answered]) -> Labels {
    let parameters: Vec<String> = rules
        .iter()
        .map(|rule| {
            let pairs = rule.parameters.iter();
            let pairs: Vec<String> = pairs
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            pairs.join(", ")
        })
        .collect();
    let shared = rules.first().map(|rule| &rule.name).filter(|first| {
        rules.len() > 1
            && rules.iter().all(|rule| rule.name == **first)
            && parameters.iter().all(|text| !text.is_empty())
    });
    let full = rules.iter().zip(&parameters).map(|(rule, parameters)| {
        if parameters.is_empty() {
            one_line(&rule.name)
        } else {
            format!("{} ({parameters})", one_line(&rule.name))
        }
    });
    let full = numbered(full.collect());
    Labels {
        shared: shared.map(|name| one_line(name)),
        short: if shared.is_some() {
            numbered(parameters)
        } else {
            full.clone()
        },
        full,
    }
}

/// The same names, the second and later ones of the same text with a number.
fn numbered(names: Vec<String>) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    names
        .into_iter()
        .map(|name| {
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            match *count {
                1 => name,
                count => format!("{name} ({count})"),
            }
        })
        .collect()
}

/// Whether a character controls the text around it or is invisible. Those that join letters may stay.
fn is_obeyed(character: char) -> bool {
    let joins = matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    character.is_control() || is_invisible(character) && !joins
}

/// A name as it can stand on one line: runs of white space are a blank, and control characters and invisible
/// ones are marked.
fn one_line(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").replace(is_obeyed, "\u{fffd}")
}
