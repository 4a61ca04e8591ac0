//! CSV with one row for each rule and value, ready for a pivot table: RFC 4180 (with its line ends) and one header.
//!
//! ```text
//! name,value,probability,at_least,at_most,numerator,denominator
//! ```
//!
//! - `probability`, `at_least` and `at_most` are decimals with 17 significant digits; `numerator` and
//!   `denominator` are the exact probability in lowest terms.
//! - The values of parameters are columns after `name`, empty for a rule without the parameter. A parameter with the name of
//!   another column gets `set:` before its name (`set:value`); no parameter can have such a name.
//! - A list is its members with blanks between them. Lists have no order, so `at_least` and `at_most` are empty.
//! - A tail is a row with the value `>=43` or `<=-5`. Unresolved mass, whose value is unknown, is a row `unresolved`, and rolls
//!   that never end are a row `never ends`. For a rule with unresolved mass, `at_least` and `at_most` are unknown and empty.
//! - For a sampled rule, `numerator` and `denominator` are empty, and the columns `low` and `high` follow.
//! - If the style has queries, only their probabilities are written, one row for each rule and query:
//!
//!   ```text
//!   name,query,value,probability,numerator,denominator
//!   ```
//!
//!   `query` is `at-least`, `at-most` or `exactly`. A probability that lies between bounds is empty, and the columns `low` and
//!   `high` follow. For a rule whose outcomes are lists, all figures are empty.
//! - In the layout [`Layout::Transposed`] there is one row for each rule, with its probabilities in a column for each value:
//!
//!   ```text
//!   name,3,4,5
//!   ```
//!
//!   The probabilities are those of the view. One that is not known exactly is empty.
//! - In the layout [`Layout::Summary`] there is one row for each rule, with the figures of its summary as in a table.
//! - A name that begins like a formula gets a leading apostrophe, which spreadsheets do not show.
//! - A wide document ([`super::Sheets::wide`]) has a row for each value and a column for each rule, or a row for each rule and a column for
//!   each question.

use std::collections::BTreeSet;
use std::io;

use num_traits::Zero;

use super::chance::Chance;
use super::decimal;
use super::fraction::LowestTerms;
use super::scale::Scale;
use super::sheet::{Cell, Sheet, is_open, record_parts};
use super::{
    Answered, LONGEST_NAME, Layout, Query, Report, Style, View, WITHOUT_VALUE, events, figures,
    labels,
};
use crate::algebra::weight::reduced;
use crate::algebra::{Listing as _, Weight};
use crate::engine::{Answer, Value};
use crate::limits::LimitReached;
use crate::number::{Fraction, Integer};
use crate::source::{Shown, shortened};
use crate::summary::Figure;

/// The columns of a listing, after the name and the parameters.
const LISTING: [&str; 6] = [
    "value",
    "probability",
    "at_least",
    "at_most",
    "numerator",
    "denominator",
];

/// The column behind each column of values, if the values are fractions.
const DECIMAL: &str = "value_decimal";

/// The columns of queries, after the name and the parameters.
const QUERIES: [&str; 5] = ["query", "value", "probability", "numerator", "denominator"];

/// The columns that follow if a figure is not exact.
const BOUNDS: [&str; 2] = ["low", "high"];

/// The number of significant digits that distinguishes any two doubles.
const DIGITS: usize = 17;

/// Writes all rules as one CSV document, or only the queries of the style, if it has any.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::Integer;
/// use dicedist::report::{self, Answered, Report, Style};
/// use dicedist::source::Shown;
///
/// let faces = [1_i64, 2].map(|face| (Integer::from(face), 1u32.into()));
/// let coin = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 2u32.into())), 2);
/// let mut csv = Shown::on(Vec::new());
/// report::csv::write(&Report::of(&[Answered::new("coin", coin)]), &Style::default(), &mut csv)?;
/// assert_eq!(
///     csv.to_string(),
///     "name,value,probability,at_least,at_most,numerator,denominator\r\n\
///      coin,1,0.50000000000000000,1.0000000000000000,0.50000000000000000,1,2\r\n\
///      coin,2,0.50000000000000000,0.50000000000000000,1.0000000000000000,1,2\r\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    let rules = report.rules;
    if style.sheets.byte_order_mark {
        write!(out.raw(), "\u{feff}")?;
    }
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    let mut seen = BTreeSet::new();
    let names = rules.iter().flat_map(|rule| &rule.parameters);
    let parameters: Vec<&str> = names
        .map(|(name, _)| name.as_str())
        .filter(|&name| seen.insert(name))
        .collect();
    if style.sheets.wide && !style.queries.is_empty() {
        write_wide_queries(rules, &parameters, &style.queries, &mut writer)?;
    } else if style.sheets.wide {
        write_wide(report, style, &mut writer)?;
    } else if !style.queries.is_empty() {
        write_queries(rules, &parameters, &style.queries, &mut writer)?;
    } else if style.layout == Layout::Transposed {
        write_transposed(report, &parameters, style, &mut writer)?;
    } else if style.layout == Layout::Summary {
        write_summaries(report, &parameters, style, &mut writer)?;
    } else {
        let sampled = rules.iter().any(|rule| rule.answer.sampling().is_some());
        let has_fractions = has_fractions(rules);
        let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
        let parts = record_parts(&answers).unwrap_or_default();
        let mut columns = LISTING.to_vec();
        columns.splice(1..1, parts.iter().map(String::as_str));
        write_header(&parameters, &columns, sampled, has_fractions, &mut writer)?;
        for rule in rules {
            let mut rows = Rows {
                writer: &mut writer,
                prefix: prefix(rule, &parameters),
                scale: Scale::new(rule.answer.total()),
                terms: LowestTerms::new(rule.answer.total()),
                exact: rule.answer.sampling().is_none(),
                sampled,
                has_fractions,
                part_count: parts.len(),
                parts: Vec::new(),
            };
            rows.rule(rule)?;
        }
    }
    writer.flush()
}

/// Writes a row for each rule, with a column for each value.
fn write_transposed(
    report: &Report,
    parameters: &[&str],
    style: &Style,
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let sheet = every_value(report, style)?;
    let values: Vec<String> = sheet.rows.iter().map(|row| field(&row.label)).collect();
    let columns: Vec<&str> = values.iter().map(String::as_str).collect();
    write_header(parameters, &columns, false, false, writer)?;
    for (index, rule) in report.rules.iter().enumerate() {
        let mut scale = Scale::new(rule.answer.total());
        let cells = sheet
            .rows
            .iter()
            .map(|row| known(row.cells[index].as_ref(), &mut scale));
        let is_sampled = rule.answer.sampling().is_some();
        let prefix = labelled(prefix(rule, parameters), is_sampled);
        writer.write_record(prefix.into_iter().chain(cells))?;
    }
    Ok(())
}

/// All values as rows, however many there are.
fn every_value(report: &Report, style: &Style) -> Result<Sheet, LimitReached> {
    let style = Style {
        all: true,
        ..style.clone()
    };
    Sheet::of(report, &style)
}

/// A chance as a decimal.
fn significant(chance: &Fraction) -> String {
    let mut scale = Scale::new(chance.denom().magnitude());
    scale.significant(chance.numer().magnitude(), DIGITS)
}

/// A probability, or nothing where it is known within bounds alone.
fn known(cell: Option<&Cell>, scale: &mut Scale) -> String {
    let known = cell.filter(|cell| cell.most.is_none());
    known.map_or_else(String::new, |cell| scale.significant(&cell.weight, DIGITS))
}

/// The fields before the probabilities of a rule, of which the first is its name. A document without bounds says there that a rule is
/// sampled.
fn labelled(mut prefix: Vec<String>, is_sampled: bool) -> Vec<String> {
    if let Some(name) = prefix.first_mut().filter(|_| is_sampled) {
        name.push_str(" (sampled)");
    }
    prefix
}

/// Writes a row for each value, with a column for each rule.
fn write_wide(
    report: &Report,
    style: &Style,
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let sheet = every_value(report, style)?;
    let names = report.rules.iter().zip(labels(report.rules).full);
    let names =
        names.flat_map(|(rule, name)| labelled(vec![name], rule.answer.sampling().is_some()));
    let names: Vec<String> = names.collect();
    let own = match &sheet.parts {
        Some(parts) => parts.clone(),
        None => vec!["value".to_owned()],
    };
    let heading = own.iter().chain(&names).map(|name| inert(name));
    writer.write_record(heading)?;
    let rules = report.rules.iter();
    let mut scales: Vec<Scale> = rules.map(|rule| Scale::new(rule.answer.total())).collect();
    for row in &sheet.rows {
        let mut fields: Vec<String> = if row.parts.is_empty() {
            vec![field(&row.label)]
        } else {
            row.parts.iter().map(|part| field(part)).collect()
        };
        fields.resize(own.len(), String::new());
        let cells = row.cells.iter().zip(&mut scales);
        fields.extend(cells.map(|(cell, scale)| known(cell.as_ref(), scale)));
        writer.write_record(fields)?;
    }
    Ok(())
}

/// Writes a row for each rule, with a column for each question. A chance that is known within bounds alone is empty.
fn write_wide_queries(
    rules: &[Answered],
    parameters: &[&str],
    queries: &[Query],
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let Some(first) = rules.first() else {
        return Ok(());
    };
    let headings: Vec<String> = queries
        .iter()
        .map(|query| inert(&events::event(query, first)))
        .collect();
    let columns: Vec<&str> = headings.iter().map(String::as_str).collect();
    write_header(parameters, &columns, false, false, writer)?;
    for rule in rules {
        let chances = queries.iter().map(|query| {
            let chance = Chance::of(query, rule);
            let single = chance.as_ref().and_then(Chance::single);
            single.map_or_else(String::new, significant)
        });
        let is_sampled = queries.iter().any(|query| rule.seen(query).is_some());
        let prefix = labelled(prefix(rule, parameters), is_sampled);
        writer.write_record(prefix.into_iter().chain(chances))?;
    }
    Ok(())
}

/// Writes a row for each rule, with the figures of its summary.
fn write_summaries(
    report: &Report,
    parameters: &[&str],
    style: &Style,
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let rules = report.rules;
    let names = vec![String::new(); rules.len()];
    let grid = figures::summaries(rules, report.summaries(), &names, style);
    let mut rows = grid.transposed().into_rows().into_iter();
    let heading = rows.next().unwrap_or_default();
    let columns: Vec<&str> = heading.iter().skip(1).map(String::as_str).collect();
    write_header(parameters, &columns, false, false, writer)?;
    for (rule, row) in rules.iter().zip(rows) {
        let figures = row.iter().skip(1).map(|figure| field(figure));
        writer.write_record(prefix(rule, parameters).into_iter().chain(figures))?;
    }
    Ok(())
}

/// A text of the table as a field: a number as it is, and no formula.
fn field(text: &str) -> String {
    if text.chars().all(|sign| "-./0123456789".contains(sign)) {
        text.to_owned()
    } else {
        inert(text)
    }
}

/// Whether the unit of the outcomes is a fraction.
fn has_fractions(rules: &[Answered]) -> bool {
    rules.iter().any(|rule| !rule.answer.unit.is_whole())
}

/// A value in the unit of its answer, as a decimal.
fn decimal_of(value: &Integer, answer: &Answer) -> String {
    decimal::nearest(&answer.unit.fraction(value)).to_string()
}

/// Writes the header. A parameter with the name of another column gets `set:` before its name.
fn write_header(
    parameters: &[&str],
    columns: &[&str],
    has_bounds: bool,
    has_fractions: bool,
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let bounds: &[&str] = if has_bounds { &BOUNDS } else { &[] };
    let mut others: Vec<&str> = ["name"]
        .iter()
        .chain(columns)
        .chain(bounds)
        .copied()
        .collect();
    if has_fractions {
        let value = others.iter().position(|column| *column == "value");
        others.insert(value.map_or(1, |value| value + 1), DECIMAL);
    }
    writer.write_field("name")?;
    for name in parameters {
        if others.contains(name) {
            writer.write_field(format!("set:{name}"))?;
        } else {
            writer.write_field(name)?;
        }
    }
    Ok(writer.write_record(&others[1..])?)
}

/// The name of a rule and its values of the parameters.
fn prefix(rule: &Answered, parameters: &[&str]) -> Vec<String> {
    let value = |name: &&str| {
        let mut pairs = rule.parameters.iter();
        let value = pairs.find(|(known, _)| known == *name);
        value.map(|(_, value)| value.to_string())
    };
    let values = parameters.iter().map(value).map(Option::unwrap_or_default);
    std::iter::once(inert(&rule.name)).chain(values).collect()
}

fn write_queries(
    rules: &[Answered],
    parameters: &[&str],
    queries: &[Query],
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let chances = |rule: &Answered| -> Vec<Option<Chance>> {
        let chance = |query| Chance::of(query, rule);
        queries.iter().map(chance).collect()
    };
    let chances: Vec<_> = rules.iter().map(chances).collect();
    let is_open = |chance: &Chance| chance.known.exact().is_none();
    let has_bounds = chances.iter().flatten().flatten().any(is_open);
    let has_fractions = has_fractions(rules);
    write_header(parameters, &QUERIES, has_bounds, has_fractions, writer)?;
    for (rule, chances) in rules.iter().zip(&chances) {
        let prefix = prefix(rule, parameters);
        for (query, chance) in queries.iter().zip(chances) {
            for field in &prefix {
                writer.write_field(field)?;
            }
            writer.write_field(query.name())?;
            let unit = &rule.answer.unit;
            writer.write_field(match query {
                Query::AtLeast(number) | Query::AtMost(number) | Query::Exactly(number) => {
                    unit.exact(number)
                }
                Query::Label(text) | Query::Condition(text) => inert(text),
            })?;
            if has_fractions {
                let number = query.number();
                let decimal = number.map(|number| decimal_of(number, &rule.answer));
                writer.write_field(decimal.unwrap_or_default())?;
            }
            let mut fields: [String; 5] = Default::default();
            if let Some(single) = chance.as_ref().and_then(Chance::single) {
                fields[0] = significant(single);
            }
            match chance.as_ref().map(|chance| &chance.known) {
                Some(Figure::Exact(exact)) => {
                    let exact = reduced(exact);
                    fields[1] = exact.numer().to_string();
                    fields[2] = exact.denom().to_string();
                }
                Some(Figure::Between { low, high }) => {
                    fields[3] = decimal::nearest(low).to_string();
                    fields[4] = decimal::nearest(high).to_string();
                }
                None => {}
            }
            let shown = if has_bounds { 5 } else { 3 };
            writer.write_record(&fields[..shown])?;
        }
    }
    Ok(())
}

/// What formulas begin with. Spreadsheets take the fullwidth forms of East Asian keyboards for the signs themselves, and skip blanks
/// that end lines or columns.
const FORMULA_SIGNS: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// A name, or as much of it as each row repeats, changed so that no spreadsheet reads it as a formula.
fn inert(name: &str) -> String {
    let name = shortened(name, LONGEST_NAME);
    if name.starts_with(FORMULA_SIGNS) {
        format!("'{name}")
    } else {
        name.into_owned()
    }
}

struct Rows<'a, 'w, W: io::Write> {
    writer: &'w mut csv::Writer<W>,
    prefix: Vec<String>,
    scale: Scale<'a>,
    terms: LowestTerms<'a>,
    exact: bool,
    sampled: bool,
    has_fractions: bool,
    /// The number of columns for the parts of records.
    part_count: usize,
    /// The parts of the record of the next row.
    parts: Vec<String>,
}

/// The cumulative weights at a row, if they are known.
#[derive(Default)]
struct Curves<'a> {
    at_least: Option<&'a Weight>,
    at_most: Option<&'a Weight>,
}

impl<W: io::Write> Rows<'_, '_, W> {
    fn rule(&mut self, rule: &Answered) -> io::Result<()> {
        let answer = &rule.answer;
        let is_open = is_open(answer, View::AtLeast);
        let mut at_most = Weight::ZERO;
        if let Some(tail) = answer.below() {
            at_most += &tail.weight;
            let curves = Curves {
                at_most: Some(&at_most).filter(|_| !is_open),
                ..Curves::default()
            };
            let bound = answer.unit.exact(&tail.bound);
            self.row((&format!("<={bound}"), ""), &tail.weight, &curves, None)?;
        }
        let above = answer.above();
        let mut at_least = answer.outcomes().mass();
        at_least += above.map_or(&Weight::ZERO, |tail| &tail.weight);
        let intervals = answer.sampling().map(|sampling| &sampling.intervals);
        for (index, (value, weight)) in answer.outcomes().iter().enumerate() {
            at_most += weight;
            let curves = match value {
                Value::List(_) | Value::Members(_) => Curves::default(),
                Value::Number(_) if is_open => Curves::default(),
                Value::Number(_) => Curves {
                    at_least: Some(&at_least),
                    at_most: Some(&at_most),
                },
            };
            let interval = intervals.and_then(|intervals| intervals.get(index));
            let bounds = interval.map(|interval| {
                [&interval.low, &interval.high].map(|bound| decimal::nearest(bound).to_string())
            });
            let decimal = match value {
                Value::Number(number) if self.has_fractions => decimal_of(number, answer),
                _ => String::new(),
            };
            let text = match value {
                Value::Members(_) => {
                    inert(&value.texts(&answer.unit).collect::<Vec<_>>().join(" "))
                }
                value => value.exact(&answer.unit, &answer.shape),
            };
            self.parts = value.texts(&answer.unit).collect();
            self.row((&text, &decimal), weight, &curves, bounds)?;
            at_least -= weight;
        }
        if let Some(tail) = above {
            let curves = Curves {
                at_least: Some(&at_least).filter(|_| !is_open),
                ..Curves::default()
            };
            let bound = answer.unit.exact(&tail.bound);
            self.row((&format!(">={bound}"), ""), &tail.weight, &curves, None)?;
        }
        for (name, mass) in WITHOUT_VALUE {
            let weight = mass(answer);
            if !weight.is_zero() {
                self.row((name, ""), &weight, &Curves::default(), None)?;
            }
        }
        Ok(())
    }

    fn row(
        &mut self,
        (value, decimal): (&str, &str),
        weight: &Weight,
        curves: &Curves,
        bounds: Option<[String; 2]>,
    ) -> io::Result<()> {
        for field in &self.prefix {
            self.writer.write_field(field)?;
        }
        self.writer.write_field(value)?;
        if self.has_fractions {
            self.writer.write_field(decimal)?;
        }
        let mut parts = std::mem::take(&mut self.parts).into_iter();
        for _ in 0..self.part_count {
            let part = parts.next().unwrap_or_default();
            self.writer.write_field(field(&part))?;
        }
        self.writer
            .write_field(self.scale.significant(weight, DIGITS))?;
        for curve in [curves.at_least, curves.at_most] {
            let decimal = curve.map(|weight| self.scale.significant(weight, DIGITS));
            self.writer.write_field(decimal.unwrap_or_default())?;
        }
        if self.exact {
            let (numerator, denominator) = self.terms.of(weight);
            self.writer.write_field(numerator)?;
            self.writer.write_field(denominator)?;
        } else {
            self.writer.write_field("")?;
            self.writer.write_field("")?;
        }
        if self.sampled {
            let [low, high] = bounds.unwrap_or_default();
            self.writer.write_field(low)?;
            self.writer.write_field(high)?;
        }
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }
}
