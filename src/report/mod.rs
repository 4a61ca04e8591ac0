//! Writes answers in several formats: each format is one function that writes to a [`Shown`](crate::source::Shown).
//!
//! The input is a [`Report`] and a [`Style`]; the output is text. No function here needs a terminal. No probability is computed with floats: decimals are integer divisions, rounded once, halves
//! away from zero, at the last digit shown.
//!
//! - [`table`] and [`markdown`] write rows for people, several rules side by side;
//! - [`steps`] writes the pool after each step of a script;
//! - [`queries`] writes only the probabilities of queries;
//! - [`csv`] and [`json`] write every outcome, exactly;
//! - [`svg`] draws a picture, and `png` the same as a bitmap.

mod bulk;
mod chance;
#[cfg(feature = "csv")]
pub mod csv;
pub mod decimal;
mod events;
mod figures;
mod fraction;
mod grid;
mod halfway;
#[cfg(feature = "json")]
pub mod json;
mod lists;
pub mod markdown;
mod markup;
mod people;
#[cfg(feature = "svg")]
mod picture;
#[cfg(feature = "png")]
pub mod png;
pub mod queries;
mod ranges;
mod share;
mod sheet;
pub mod steps;
pub mod strategy;
#[cfg(feature = "svg")]
pub mod svg;
mod sweeps;
pub mod table;
mod targets;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::algebra::Weight;
use crate::compare::{self, Comparison, Overlap};
use crate::engine::Answer;
use crate::error::{Diagnostic, Error};
use crate::limits::{Budget, LimitReached, Limits, Unobserved};
use crate::number::{Fraction, Integer};
use crate::source::{Source, shown};
use crate::summary::{self, Figure, Moment, Percentile, Summary};

pub use crate::summary::Query;

/// Rules that are written together. Their summaries and comparisons are computed when a format first asks for them, and only
/// once.
///
/// # Examples
///
/// ```
/// use dicedist::Dist;
/// use dicedist::report::{self, Answered, Report, Style};
/// use dicedist::source::Shown;
///
/// let coin: Dist = Dist::uniform(1..=2);
/// let rules = [Answered::new("coin", coin)];
/// let report = Report::of(&rules);
/// let (mut table, mut csv) = (Shown::on(Vec::new()), Shown::on(Vec::new()));
/// report::table::write(&report, &Style::default(), &mut table)?;
/// report::csv::write(&report, &Style::default(), &mut csv)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Report<'a> {
    pub(crate) rules: &'a [Answered],
    pub(crate) refused: &'a [Refused],
    budget: Option<&'a Budget<'a>>,
    summaries: OnceCell<Vec<Summary>>,
    pairs: OnceCell<Vec<Pair>>,
}

/// Two rules, and how they compare.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The indexes of the rules among the answered ones.
    pub(crate) rules: [usize; 2],
    /// `None` if the outcomes of one are lists, or one is sampled.
    pub(crate) compared: Result<Option<Contrast>, LimitReached>,
}

/// How two rules compare, as far as their values allow.
#[derive(Debug)]
pub(crate) enum Contrast {
    Numbers(Box<Comparison>),
    /// Labels or records, which have no order.
    Unordered(Box<Overlap>),
}

/// The most rules that are compared without being asked, and whose distributions stand side by side in a sweep.
const FEW: usize = 4;

impl<'a> Report<'a> {
    /// The report on these answers, without limits.
    #[must_use]
    pub fn of(rules: &'a [Answered]) -> Self {
        Self {
            rules,
            refused: &[],
            budget: None,
            summaries: OnceCell::new(),
            pairs: OnceCell::new(),
        }
    }

    /// The summaries of the first rules, as many as half of the remaining time allows, and the limit that left out the others.
    #[must_use]
    pub fn summaries_within(
        rules: &[Answered],
        budget: &Budget<'_>,
    ) -> (Vec<Summary>, Option<LimitReached>) {
        let half = budget.half_of_rest();
        let half = Budget::start(&half, budget.observer());
        let mut summaries = Vec::new();
        for rule in rules {
            if let Err(reached) = half.look_at_clock() {
                return (summaries, Some(reached));
            }
            summaries.push(Summary::of(&rule.answer));
        }
        (summaries, None)
    }

    /// The same report with the summaries of its rules.
    ///
    /// # Panics
    ///
    /// If there is not a summary for each rule.
    #[must_use]
    pub fn with_summaries(self, summaries: Vec<Summary>) -> Self {
        assert_eq!(summaries.len(), self.rules.len(), "one for each rule");
        Self {
            summaries: OnceCell::from(summaries),
            ..self
        }
    }

    /// The same report with rules that could not be answered. Only JSON lists them.
    #[must_use]
    pub fn with_refused(self, refused: &'a [Refused]) -> Self {
        Self { refused, ..self }
    }

    /// The same report within a budget. Pairs for which half of the remaining time is not enough are written as not compared. Writing a
    /// table is an error if the budget is used up.
    #[must_use]
    pub fn within(self, budget: &'a Budget<'a>) -> Self {
        Self {
            budget: Some(budget),
            ..self
        }
    }

    /// Compares the rules now, before other work takes the time. Otherwise they are compared when a format asks for it.
    pub fn compare(&self) {
        self.pairs();
    }

    /// Whether the rules are those of a sweep: one rule for several values of its free variables.
    pub(crate) fn is_sweep(&self) -> bool {
        let mut seen = BTreeSet::new();
        let swept = self.rules.iter().filter(|rule| !rule.parameters.is_empty());
        swept.map(|rule| rule.rule).any(|rule| !seen.insert(rule))
    }

    /// Whether texts for people compare the rules: up to four of them, and others if the style says so.
    #[must_use]
    pub fn compares(&self, style: &Style) -> bool {
        style.pairs == Pairs::All || !self.is_sweep() && self.rules.len() <= FEW
    }

    /// Whether each rule is one line of figures in texts for people: a long sweep of numbers, of which no running totals are asked.
    pub(crate) fn is_summed_up(&self, style: &Style) -> bool {
        let is_number = |rule: &Answered| rule.answer.numbers().is_some();
        let is_long = self.is_sweep() && self.rules.len() > FEW;
        let is_listing = style.layout == Layout::Listing && style.view == View::Exactly;
        is_listing && is_long && !style.all && self.rules.iter().all(is_number)
    }

    /// The style for formats that people read. It asks for `yes` if there are several rules, all of them are conditions, and nothing else
    /// is asked. So the chance of each rule is one line or one point, in a table, in Markdown and in a picture.
    #[must_use]
    pub fn for_people<'s>(&self, style: &'s Style) -> Cow<'s, Style> {
        let is_plain = style.queries.is_empty() && style.layout == Layout::Listing && !style.all;
        let is_plain = is_plain && style.pairs != Pairs::All;
        if are_conditions(self.rules) && is_plain && self.rules.len() > 1 {
            Cow::Owned(Style {
                queries: vec![Query::Exactly(Integer::ONE)],
                ..style.clone()
            })
        } else {
            Cow::Borrowed(style)
        }
    }

    /// Whether no rule is answered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Fails when the budget is used up.
    fn check(&self) -> Result<(), LimitReached> {
        self.budget.map_or(Ok(()), Budget::look_at_clock)
    }

    /// The limit at which comparing ended, if a format has asked for comparisons and the budget was too small.
    #[must_use]
    pub fn limit(&self) -> Option<LimitReached> {
        let mut pairs = self.pairs.get()?.iter();
        pairs.find_map(|pair| pair.compared.as_ref().err().copied())
    }

    /// The summary of each rule.
    pub(crate) fn summaries(&self) -> &[Summary] {
        let of = |rule: &Answered| Summary::of(&rule.answer);
        self.summaries
            .get_or_init(|| self.rules.iter().map(of).collect())
    }

    /// The comparisons that a format has asked for.
    pub(crate) fn pairs_so_far(&self) -> &[Pair] {
        self.pairs.get().map_or(&[], Vec::as_slice)
    }

    /// The comparisons of [`compare::pairs`].
    pub(crate) fn pairs(&self) -> &[Pair] {
        self.pairs.get_or_init(|| match self.budget {
            Some(budget) => {
                let half = budget.half_of_rest();
                self.compared(&Budget::start(&half, budget.observer()))
            }
            None => self.compared(&Budget::start(&Limits::unbounded(), &Unobserved)),
        })
    }

    fn compared(&self, budget: &Budget<'_>) -> Vec<Pair> {
        let summaries = self.summaries();
        let pairs = compare::pairs(self.rules.len()).into_iter();
        pairs
            .map(|(a, b)| {
                // One pair that takes long leaves time for the others.
                let half = budget.half_of_rest();
                let budget = Budget::start(&half, budget.observer());
                let answers = [a, b].map(|rule| &self.rules[rule].answer);
                let means = [a, b].map(|rule| &summaries[rule].mean);
                let compared = match Overlap::within(answers, &budget) {
                    Ok(None) => Comparison::with_means(answers, means, &budget)
                        .map(|compared| compared.map(|it| Contrast::Numbers(Box::new(it)))),
                    overlap => {
                        overlap.map(|overlap| overlap.map(|it| Contrast::Unordered(Box::new(it))))
                    }
                };
                let rules = [a, b];
                Pair { rules, compared }
            })
            .collect()
    }
}

/// A rule with its answer, and the properties that the reports show.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answered {
    /// The index of the rule among the rules of the call, from 0. The series of a rule share it.
    pub rule: usize,
    /// The name of the rule in tables and legends.
    pub name: String,
    /// The text of the rule.
    pub expression: String,
    /// The name of the notation; `None` for a rule that was not read from a text.
    pub dialect: Option<String>,
    /// The values of the free variables, in the order in which they are shown.
    pub parameters: Vec<(String, Integer)>,
    /// Whether lists are shown in order rather than as multisets.
    pub ordered: bool,
    /// Whether the values are those of a condition: 1 where it holds, and 0 where it does not.
    pub is_condition: bool,
    /// Warnings about the text of the rule.
    pub warnings: Vec<Diagnostic>,
    /// The answer: the distribution of the rule.
    pub answer: Answer,
    /// The answers to conditions on the rule's value, by their texts: 1 where the condition holds, and 0 where it does not.
    pub conditions: BTreeMap<Arc<str>, Answer>,
    /// Whether each condition holds, for each outcome of a rule whose picture shows it, by the texts of the conditions.
    pub holds: BTreeMap<Arc<str>, Vec<bool>>,
    /// The mean, where it is known although the answer lists only what was asked for ([`Answer::about`]). It stands beside the
    /// chances of several rules.
    pub mean: Option<Moment>,
}

/// An answer without a name.
impl From<Answer> for Answered {
    fn from(answer: Answer) -> Self {
        Self {
            rule: 0,
            expression: String::new(),
            name: String::new(),
            dialect: None,
            parameters: Vec::new(),
            ordered: false,
            is_condition: false,
            warnings: Vec::new(),
            answer,
            conditions: BTreeMap::new(),
            holds: BTreeMap::new(),
            mean: None,
        }
    }
}

impl Answered {
    /// An answer with a name, which is also the text of the rule: the first rule of a call, without notation, parameters or
    /// warnings.
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
    pub fn new(name: impl Into<String>, result: impl Into<Self>) -> Self {
        let name = name.into();
        Self {
            expression: name.clone(),
            name,
            ..result.into()
        }
    }

    /// The same rule as one that could not be answered after all.
    #[must_use]
    pub fn refused(&self, error: Error) -> Refused {
        let source = Source::new(self.name.as_str(), self.expression.as_str());
        let error = error.at(source.span());
        let mut refused = Refused::new(self.name.as_str(), source, error);
        refused.rule = self.rule;
        refused.parameters.clone_from(&self.parameters);
        refused
    }

    /// Whether the only condition holds, for each outcome; `None` if several are asked, or if it is not known.
    #[must_use]
    pub fn only_holds(&self) -> Option<&[bool]> {
        let mut all = self.holds.values();
        all.next()
            .map(Vec::as_slice)
            .filter(|_| self.conditions.len() == 1)
    }

    /// The probability of an event, as [`summary::event`] has it, or that of a condition. `None` where the question has no
    /// answer.
    #[must_use]
    pub fn event(&self, query: &Query) -> Option<Figure> {
        let (answer, query) = self.asked(query)?;
        summary::event(answer, &query)
    }

    /// The observed share of an event in a sample; `None` if what is asked is not sampled, or has no answer.
    fn seen(&self, query: &Query) -> Option<Fraction> {
        let (answer, query) = self.asked(query)?;
        answer.sampling()?;
        let weight = summary::listed_weight(answer, &query)?;
        Some(answer.probability(&weight))
    }

    /// The answer that has the probability of a query, and the query about this answer.
    fn asked(&self, query: &Query) -> Option<(&Answer, Query)> {
        match query {
            Query::Condition(text) => {
                let answer = self.conditions.get(text)?;
                Some((answer, Query::Exactly(Integer::ONE)))
            }
            query => Some((&self.answer, query.clone())),
        }
    }
}

/// Whether all rules say yes or no.
pub(crate) fn are_conditions(rules: &[Answered]) -> bool {
    !rules.is_empty() && rules.iter().all(|rule| rule.is_condition)
}

/// A rule that could not be answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refused {
    /// The index of the rule among the rules of the call, from 0. The series of a rule share it.
    pub rule: usize,
    /// The name of the rule.
    pub name: String,
    /// The text that the places of the error and of the warnings refer to.
    pub source: Source,
    /// Warnings about the text of the rule.
    pub warnings: Vec<Diagnostic>,
    /// The values of the free variables with which this happens.
    pub parameters: Vec<(String, Integer)>,
    /// Why the rule could not be answered.
    pub error: Error,
}

impl Refused {
    /// The first rule of a call, without warnings and parameters.
    #[must_use]
    pub fn new(name: impl Into<String>, source: Source, error: Error) -> Self {
        Self {
            rule: 0,
            name: name.into(),
            source,
            warnings: Vec::new(),
            parameters: Vec::new(),
            error,
        }
    }
}

/// How answers are shown. Each format uses only some of the fields.
///
/// # Examples
///
/// ```
/// use dicedist::report::{Style, View};
///
/// let mut style = Style::default();
/// style.view = View::AtLeast;
/// assert_eq!((style.digits, style.width), (4, 80));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Style {
    /// The number of digits after the point, for percentages and statistics in texts for people.
    pub digits: usize,
    /// Whether tables also show the exact fractions.
    pub fractions: bool,
    /// Whether a long table shows every row rather than ranges of values.
    pub all: bool,
    /// The text below a table that does not show every row: how to see them all.
    pub way_to_all: Option<String>,
    /// The width that tables may fill, in characters.
    pub width: usize,
    /// Whether tables are coloured.
    pub color: bool,
    /// Which probability tables and plots show.
    pub view: View,
    /// What a table, Markdown, CSV and a picture have as rows.
    pub layout: Layout,
    /// How CSV is written.
    pub sheets: Sheets,
    /// The title of a picture; `None` for the names of the rules.
    pub title: Option<String>,
    /// The name of the horizontal axis of a picture; `None` for the name of the values or of the variable.
    pub x_label: Option<String>,
    /// The width and the height of a picture in pixels; `None` for a width of 760 and the height that the content needs. A picture becomes
    /// higher if its content needs more room.
    pub size: Option<[u32; 2]>,
    /// How many times as wide and as high as the picture a bitmap is.
    pub scale: u32,
    /// The part of records that the answers are about, if it is one.
    pub part: Option<String>,
    /// The probabilities to write instead of the distribution.
    pub queries: Vec<Query>,
    /// Which rules texts for people compare.
    pub pairs: Pairs,
    /// The percentiles beside the median in a summary, ascending; the usual ones ([`Percentile::USUAL`]) if there are none.
    pub percentiles: Vec<Percentile>,
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
            layout: Layout::default(),
            sheets: Sheets::default(),
            title: None,
            x_label: None,
            size: None,
            scale: 2,
            part: None,
            queries: Vec::new(),
            pairs: Pairs::default(),
            percentiles: Vec::new(),
        }
    }
}

impl Style {
    /// The percentiles of a summary.
    fn percentiles(&self) -> &[Percentile] {
        match &self.percentiles[..] {
            [] => &Percentile::USUAL,
            percentiles => percentiles,
        }
    }

    /// A note on a table that does not show every row, with the way to see them all.
    fn with_way_to_all(&self, note: &str) -> String {
        match &self.way_to_all {
            Some(way) => format!("{note}; {way}"),
            None => note.into(),
        }
    }
}

/// How CSV is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sheets {
    /// Whether there is a column for each rule, and not a row for each rule and value.
    pub wide: bool,
    /// Whether the document begins with the byte-order mark by which Excel recognises UTF-8.
    pub byte_order_mark: bool,
    /// The sign between the fields of a row.
    pub delimiter: Delimiter,
}

/// The sign between the fields of a row of CSV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Delimiter {
    /// A comma, as in RFC 4180.
    #[default]
    Comma,
    /// A semicolon, which spreadsheets expect where numbers have a decimal comma.
    Semicolon,
    /// A tab.
    Tab,
}

impl Delimiter {
    /// The sign.
    #[must_use]
    pub fn sign(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
        }
    }
}

/// Which rules are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Pairs {
    /// Up to four rules that are no sweep.
    #[default]
    Few,
    /// Any rules: of more than four the first with each other.
    All,
}

/// Which probability is shown beside a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum View {
    /// The probability of exactly this value.
    #[default]
    Exactly,
    /// The probability of this value or a higher one.
    AtLeast,
    /// The probability of this value or a lower one.
    AtMost,
}

/// The layout of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// A row for each value, and a column for each rule.
    #[default]
    Listing,
    /// The summary of each rule alone.
    Summary,
    /// A row for each rule, and a column for each value.
    Transposed,
}

/// A function that returns one kind of mass of an answer.
pub(crate) type Mass = fn(&Answer) -> Weight;

/// The kinds of mass without a value, with the names of their rows.
pub(crate) const WITHOUT_VALUE: [(&str, Mass); 2] = [
    ("unresolved", Answer::unresolved),
    ("never ends", Answer::never_ends),
];

/// The labels of rules that are shown side by side.
pub(crate) struct Labels {
    /// The name that all rules share, if they differ only in parameters.
    pub(crate) shared: Option<String>,
    /// The label of each rule below the shared name. The labels are unique.
    pub(crate) short: Vec<String>,
    /// The name of each rule with its parameters. These are unique, too.
    #[cfg_attr(
        not(any(feature = "csv", feature = "json")),
        expect(dead_code, reason = "only data files name each rule in full")
    )]
    pub(crate) full: Vec<String>,
}

/// Unique labels for rules: the rules of a sweep are labelled by their parameters, and repeated names are numbered.
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

/// The names, with a number added to the second and later occurrences of a name.
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

/// The largest number of characters of a name that stands in each row or finding: it may be the text of the whole rule.
#[cfg(any(feature = "csv", feature = "json"))]
pub(crate) const LONGEST_NAME: usize = 500;

/// A name on one line, as it is shown: each run of white space becomes a blank.
fn one_line(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    shown(&words.join(" ")).into_owned()
}
