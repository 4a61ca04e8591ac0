//! Text to core programs: one folder a notation, each a room of its own.
//!
//! A notation parses to its own small tree with spans and lowers that to [`crate::ir`]. Notation-specific words
//! never leave its folder, and no notation imports another.

mod bones;
mod lexical;
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
    /// dicelab: Bones with the precedence and the typed grammar of the dicelab program.
    Dicelab,
}

impl Dialect {
    /// Every dialect, the default first.
    pub const ALL: &'static [Self] = &[Self::Bones, Self::Dicelab];

    /// The name on the command line, in JSON, and as a file's extension.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::Dicelab => "dicelab",
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

/// What a rule is read with, beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Values of free variables.
    pub parameters: BTreeMap<String, Integer>,
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

/// Reads one rule: the text of `span`, which [`rules()`] finds. All places are bytes of the whole source.
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
        Dialect::Dicelab => bones::read(bones::Table::Dicelab, source, span, settings),
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
        Dialect::Dicelab => bones::free_names(bones::Table::Dicelab, source, span),
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
        Dialect::Dicelab => bones::print(bones::Table::Dicelab, source, span),
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
