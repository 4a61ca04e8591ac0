//! The values of options: what they are called, and what they mean.

use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dicedist::Dialect;
use dicedist::report::Delimiter;

use super::values;

/// The value of `--roll`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Roll {
    /// How many rolls.
    Times(u64),
    /// A rule that stands after `--roll`, to be rolled once.
    Rule(String),
}

impl FromStr for Roll {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || digits.bytes().all(|byte| byte.is_ascii_digit()) {
            values::count(text).map(Self::Times)
        } else {
            Ok(Self::Rule(text.into()))
        }
    }
}

/// What is printed on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table with bars
    Table,
    /// A row for each rule and value, for spreadsheets
    Csv,
    /// Everything that is known, for programs
    Json,
    /// A table for forums and wikis
    Markdown,
}

/// What a row of CSV is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CsvLayout {
    /// A rule and a value
    Long,
    /// A value, with a column for each rule
    Wide,
}

/// The sign between the fields of CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CsvDelimiter {
    /// `,`
    #[value(alias = ",")]
    Comma,
    /// `;`, for spreadsheets whose numbers have a decimal comma
    #[value(alias = ";")]
    Semicolon,
    /// A tab
    Tab,
}

impl From<CsvDelimiter> for Delimiter {
    fn from(delimiter: CsvDelimiter) -> Self {
        match delimiter {
            CsvDelimiter::Comma => Self::Comma,
            CsvDelimiter::Semicolon => Self::Semicolon,
            CsvDelimiter::Tab => Self::Tab,
        }
    }
}

/// Which probabilities are shown, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum View {
    /// The probability of each value itself; another name is normal
    #[value(alias = "normal")]
    Exactly,
    /// The probability of each value or more
    AtLeast,
    /// The probability of each value or less
    AtMost,
    /// Mean, deviation and the other figures of each rule, without values
    Summary,
    /// A row for each rule, and a column for each value
    Transposed,
}

/// The values of `--dialect`.
pub(super) fn dialects() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(
        Dialect::ALL
            .iter()
            .map(|dialect| PossibleValue::new(dialect.name())),
    )
    .try_map(|name| name.parse::<Dialect>())
}
