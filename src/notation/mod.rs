//! Text to core programs: one folder a notation, each a room of its own.
//!
//! A notation parses to its own small tree with spans and lowers that to [`crate::ir`]. Notation-specific words
//! never leave its folder, and no notation imports another.

mod bones;
mod dicebag;
mod diceroller;
mod lexical;
mod lookalike;
mod onedice;
mod rules;
mod spelling;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use crate::error::{Diagnostic, Error};
use crate::ir::Program;
use crate::limits::MAX_TEXT;
use crate::number::Integer;
use crate::source::{Source, Span};

pub use rules::{Rule, WrongRule, rules};

/// A dice notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Bones, the default: `sum(drop low 1 4#d6)`.
    #[default]
    Bones,
    /// dicebag: expressions such as `3K4d6`, in which every operator works on pools of dice.
    Dicebag,
    /// dicelab: Bones with the precedence and the typed grammar of the dicelab program.
    Dicelab,
    /// DiceRoller: scripts of instructions over a pool and a stack, `4D6 [L1] S`.
    Diceroller,
    /// `OneDice`, the notation of Chinese dice bots: `4d6k3`.
    Onedice,
}

impl Dialect {
    /// Every dialect, the default first.
    pub const ALL: &'static [Self] = &[
        Self::Bones,
        Self::Dicelab,
        Self::Dicebag,
        Self::Diceroller,
        Self::Onedice,
    ];

    /// The name on the command line, in JSON, and as a file's extension.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::Dicebag => "dicebag",
            Self::Dicelab => "dicelab",
            Self::Diceroller => "diceroller",
            Self::Onedice => "onedice",
        }
    }

    /// Whether the result of a rule is a number that is made of a pool of dice, so that [`Wanted::Pool`] is another one.
    #[must_use]
    pub fn has_pools(self) -> bool {
        match self {
            Self::Bones | Self::Dicelab | Self::Diceroller => false,
            Self::Dicebag | Self::Onedice => true,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A name that is no [`Dialect`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect '{0}'")]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .iter()
            .find(|dialect| dialect.name() == name)
            .copied()
            .ok_or_else(|| UnknownDialect(name.into()))
    }
}

/// What is to be found out about a rule of a notation that [has pools](Dialect::has_pools). The result of a rule
/// in any other notation is what it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// The number that the rule comes to.
    #[default]
    Number,
    /// The dice that the number is made of.
    Pool,
}

/// What a rule is read with, beside its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Values of free variables.
    pub parameters: BTreeMap<String, Integer>,
    /// The number or the pool.
    pub wanted: Wanted,
    /// The sides of an `OneDice` die that says none: 100 by default.
    pub default_sides: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            parameters: BTreeMap::new(),
            wanted: Wanted::Number,
            default_sides: 100,
        }
    }
}

impl Settings {
    /// The same with these values of free variables and no others.
    #[must_use]
    pub fn with_parameters(mut self, parameters: BTreeMap<String, Integer>) -> Self {
        self.parameters = parameters;
        self
    }

    /// The same with a value of one more free variable.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl Into<Integer>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// The same with another wish for the number or the pool.
    #[must_use]
    pub fn with_wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// The same with other sides for an `OneDice` die that says none.
    #[must_use]
    pub fn with_default_sides(mut self, sides: u32) -> Self {
        self.default_sides = sides;
        self
    }
}

/// A rule as read: what the engine needs, and what a person may want to see of it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The core program; its result is a list in order.
    pub program: Program,
    /// What is probably not meant so.
    pub warnings: Vec<Diagnostic>,
    /// The parsed tree in the words of the notation, indented, for `--print-tree`.
    pub tree: String,
}

/// Reads one rule: the text of `span`, which [`rules()`] finds. All places are bytes of the whole source. Of a rule
/// with several [`results`] this is the first.
///
/// # Errors
///
/// Everything found wrong, with places: [`crate::ErrorKind::Parse`], or [`crate::ErrorKind::Unbound`] for a name
/// without a value, or [`crate::ErrorKind::Limit`] beyond the longest text or the deepest nesting.
///
/// # Panics
///
/// If the span does not lie in the source, on character boundaries.
pub fn read(
    dialect: Dialect,
    source: &Source,
    span: Span,
    settings: &Settings,
) -> Result<Reading, Error> {
    check_length(source, span)?;
    match dialect {
        Dialect::Bones => bones::read(bones::Table::Bones, source, span, settings),
        Dialect::Dicebag => dicebag::read(source, span, settings),
        Dialect::Dicelab => bones::read(bones::Table::Dicelab, source, span, settings),
        Dialect::Diceroller => diceroller::read(source, span).map(|mut all| all.swap_remove(0)),
        Dialect::Onedice => onedice::read(source, span, settings),
    }
}

/// Reads one rule that may have several results, a reading for each: a DiceRoller script with several `G`.
///
/// # Errors
///
/// As [`read`].
///
/// # Panics
///
/// As [`read`].
///
/// # Examples
///
/// ```
/// use dicedist::{Dialect, notation, source::Source};
///
/// let source = Source::new("rule", "4D6 G [L1] G");
/// let settings = notation::Settings::default();
/// let results = notation::results(Dialect::Diceroller, &source, source.span(), &settings)?;
/// assert_eq!(results.len(), 2);
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn results(
    dialect: Dialect,
    source: &Source,
    span: Span,
    settings: &Settings,
) -> Result<Vec<Reading>, Error> {
    check_length(source, span)?;
    match dialect {
        Dialect::Diceroller => diceroller::read(source, span),
        _ => read(dialect, source, span, settings).map(|reading| vec![reading]),
    }
}

/// An error of the evaluation of a rule in the words of its notation.
#[must_use]
pub fn in_its_words(dialect: Dialect, source: &Source, error: Error) -> Error {
    match dialect {
        Dialect::Diceroller => diceroller::in_its_words(source, error),
        Dialect::Onedice => onedice::in_its_words(error),
        Dialect::Bones | Dialect::Dicebag | Dialect::Dicelab => error,
    }
}

/// One step of a rule that goes step by step: what there is after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it is written.
    pub span: Span,
    /// The share of each value in the pool after it.
    pub members: Program,
    /// The size of the pool after it.
    pub size: Program,
    /// The sum of the pool after it.
    pub sum: Program,
}

/// The steps of a rule, for notations that have any: the top-level instructions of a DiceRoller script, but for those
/// that show something and change nothing, and for numbers.
///
/// # Errors
///
/// As [`read`].
///
/// # Panics
///
/// As [`read`].
pub fn steps(dialect: Dialect, source: &Source, span: Span) -> Result<Option<Vec<Step>>, Error> {
    check_length(source, span)?;
    match dialect {
        Dialect::Diceroller => diceroller::steps(source, span).map(Some),
        Dialect::Bones | Dialect::Dicebag | Dialect::Dicelab | Dialect::Onedice => Ok(None),
    }
}

/// The names in one rule that nothing in it binds: they need values from [`Settings::parameters`].
///
/// # Errors
///
/// [`crate::ErrorKind::Parse`] or [`crate::ErrorKind::Limit`], as [`read`].
///
/// # Panics
///
/// As [`read`].
///
/// # Examples
///
/// ```
/// use dicedist::{Dialect, notation, source::Source};
///
/// let source = Source::new("rule", "let x = d6 in x + n*k + n");
/// let names = notation::free_names(Dialect::Bones, &source, source.span())?;
/// assert!(names.iter().eq(["k", "n"]));
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn free_names(
    dialect: Dialect,
    source: &Source,
    span: Span,
) -> Result<BTreeSet<String>, Error> {
    check_length(source, span)?;
    match dialect {
        Dialect::Bones => bones::free_names(bones::Table::Bones, source, span),
        Dialect::Dicebag => dicebag::free_names(source, span),
        Dialect::Dicelab => bones::free_names(bones::Table::Dicelab, source, span),
        // It has no names.
        Dialect::Diceroller => diceroller::read(source, span).map(|_| BTreeSet::new()),
        Dialect::Onedice => onedice::free_names(source, span),
    }
}

/// The canonical text of one rule: reading it gives the same program, and printing it the same text.
///
/// # Errors
///
/// [`crate::ErrorKind::Parse`] or [`crate::ErrorKind::Limit`], as [`read`].
///
/// # Panics
///
/// As [`read`].
///
/// # Examples
///
/// ```
/// use dicedist::{Dialect, notation, source::Source};
///
/// let source = Source::new("rule", "sum (drop low(1)4#d6) // as in D&D");
/// let text = notation::print(Dialect::Bones, &source, source.span())?;
/// assert_eq!(text, "sum drop low 1 4#d6");
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn print(dialect: Dialect, source: &Source, span: Span) -> Result<String, Error> {
    check_length(source, span)?;
    match dialect {
        Dialect::Bones => bones::print(bones::Table::Bones, source, span),
        Dialect::Dicebag => dicebag::print(source, span),
        Dialect::Dicelab => bones::print(bones::Table::Dicelab, source, span),
        Dialect::Diceroller => diceroller::print(source, span),
        Dialect::Onedice => onedice::print(source, span),
    }
}

/// Refuses what is longer than [`crate::limits::MAX_TEXT`].
///
/// # Panics
///
/// If the span does not lie in the source, on character boundaries: it was made for another one.
fn check_length(source: &Source, span: Span) -> Result<(), Error> {
    let text = source.text().get(span.start..span.end);
    let text = text.expect("the span of a rule lies in its source");
    if text.len() > MAX_TEXT {
        return Err(rules::too_long());
    }
    Ok(())
}
