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

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;

use num_traits::{Signed, Zero};

use super::chance::Chance;
use super::decimal;
use super::fraction::LowestTerms;
use super::scale::Scale;
use super::sheet::{Cell, Sheet, is_open, record_parts};
use super::strategy::{self, PlannedRule};
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
        write_listing(rules, &parameters, &mut writer)?;
    }
    writer.flush()
}

/// Writes what is best in each situation of the choices of some rules: `name,choice,place`, a column for each value that a situation is
/// known by, then `best,mean,numerator,denominator`. A value that a choice does not know is empty, and so is a list without members in
/// other rows; a list is its members with blanks between them.
///
/// # Errors
///
/// The errors of writing to `out`.
pub fn write_plans(rules: &[PlannedRule], out: &mut Shown<impl io::Write>) -> io::Result<()> {
    let plans = || rules.iter().flat_map(|rule| &rule.plans);
    let mut seen = BTreeSet::new();
    let known = plans().flat_map(|plan| &plan.known);
    let known: Vec<&str> = (known.map(|called| &*called.name))
        .filter(|&name| seen.insert(name))
        .collect();
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    let columns = ["best", "mean", "numerator", "denominator"];
    let header = ["name", "choice", "place"].map(str::to_owned).into_iter();
    let header = header.chain(known.iter().map(|name| inert(name)));
    writer.write_record(header.chain(columns.map(str::to_owned)))?;
    for rule in rules {
        for plan in &rule.plans {
            let of_plan = [
                &rule.name,
                &*plan.chosen.name,
                &strategy::place(plan, &rule.source),
            ];
            for situation in &plan.situations {
                let mut row: Vec<String> = of_plan.iter().map(|text| inert(text)).collect();
                row.extend(known.iter().map(|name| {
                    let place = plan.known.iter().position(|called| &*called.name == *name);
                    place.map_or_else(String::new, |place| {
                        field(&strategy::text(&plan.known[place], &situation.known[place]))
                    })
                }));
                row.push(field(&strategy::text(&plan.chosen, &situation.choice)));
                let mean = &situation.mean;
                let sign = if mean.is_negative() { "-" } else { "" };
                row.push(format!("{sign}{}", significant(mean)));
                row.extend([mean.numer().to_string(), mean.denom().to_string()]);
                writer.write_record(row)?;
            }
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
    let rows = every_value(report, style)?.rows;
    let values: Vec<String> = rows.iter().map(|row| field(&row.label)).collect();
    let cells = report.rules.iter().enumerate().map(|(index, rule)| {
        let scale = Scale::new(rule.answer.total());
        let cells = rows
            .iter()
            .map(|row| known(row.cells[index].as_ref(), scale));
        (rule.answer.sampling().is_some(), cells.collect())
    });
    write_by_rule(report.rules, parameters, &values, cells, writer)
}

/// Writes a row for each rule, with these columns after its name, of which its cells may be shares of random rolls.
fn write_by_rule(
    rules: &[Answered],
    parameters: &[&str],
    columns: &[String],
    cells: impl Iterator<Item = (bool, Vec<String>)>,
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    write_header(parameters, &columns, false, false, writer)?;
    for (rule, (is_sampled, cells)) in rules.iter().zip(cells) {
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
    let scale = Scale::new(chance.denom().magnitude());
    scale.significant(chance.numer().magnitude(), DIGITS)
}

/// A probability, or nothing where it is known within bounds alone.
fn known(cell: Option<&Cell>, scale: Scale) -> String {
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
    let scales: Vec<Scale> = rules.map(|rule| Scale::new(rule.answer.total())).collect();
    for row in &sheet.rows {
        let mut fields: Vec<String> = if row.parts.is_empty() {
            vec![field(&row.label)]
        } else {
            row.parts.iter().map(|part| field(part)).collect()
        };
        fields.resize(own.len(), String::new());
        let cells = row.cells.iter().zip(&scales);
        fields.extend(cells.map(|(cell, scale)| known(cell.as_ref(), *scale)));
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
    let events = queries
        .iter()
        .map(|query| inert(&events::event(query, first)));
    let cells = rules.iter().map(|rule| {
        let chances = queries.iter().map(|query| {
            let chance = Chance::of(query, rule);
            let single = chance.as_ref().and_then(Chance::single);
            single.map_or_else(String::new, significant)
        });
        let is_sampled = queries.iter().any(|query| rule.seen(query).is_some());
        (is_sampled, chances.collect())
    });
    write_by_rule(
        rules,
        parameters,
        &events.collect::<Vec<_>>(),
        cells,
        writer,
    )
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
    let cells = grid.columns.iter().map(|column| {
        let figures = (0..grid.labels.len()).map(|row| field(column.cell(row)));
        (false, figures.collect())
    });
    write_by_rule(rules, parameters, &grid.labels, cells, writer)
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
    let mut others = [columns, bounds].concat();
    if has_fractions {
        let value = others.iter().position(|column| *column == "value");
        others.insert(value.map_or(0, |value| value + 1), DECIMAL);
    }
    let parameters = parameters.iter().map(|name| match *name {
        name if name == "name" || others.contains(&name) => format!("set:{name}").into(),
        name => Cow::Borrowed(name),
    });
    let parameters: Vec<Cow<str>> = parameters.collect();
    let own = ["name"]
        .into_iter()
        .chain(parameters.iter().map(|name| &**name));
    Ok(writer.write_record(own.chain(others))?)
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
    let asked = rules.iter().flat_map(|rule| {
        let chances = queries
            .iter()
            .map(move |query| (query, Chance::of(query, rule)));
        chances.map(move |(query, chance)| (rule, query, chance))
    });
    let asked: Vec<_> = asked.collect();
    let is_open = |chance: &Chance| chance.known.exact().is_none();
    let has_bounds = asked
        .iter()
        .filter_map(|(.., chance)| chance.as_ref())
        .any(is_open);
    let has_fractions = has_fractions(rules);
    write_header(parameters, &QUERIES, has_bounds, has_fractions, writer)?;
    for (rule, query, chance) in asked {
        let mut row = prefix(rule, parameters);
        row.push(query.name().into());
        row.push(match query {
            Query::Label(text) | Query::Condition(text) => inert(text),
            Query::AtLeast(number) | Query::AtMost(number) | Query::Exactly(number) => {
                rule.answer.unit.exact(number)
            }
        });
        if has_fractions {
            let number = query.number();
            let decimal = number.map(|number| decimal_of(number, &rule.answer));
            row.push(decimal.unwrap_or_default());
        }
        let single = chance.as_ref().and_then(Chance::single);
        row.push(single.map_or_else(String::new, significant));
        let mut ends: [String; 4] = Default::default();
        match chance.as_ref().map(|chance| &chance.known) {
            Some(Figure::Exact(exact)) => {
                let exact = reduced(exact);
                ends[0] = exact.numer().to_string();
                ends[1] = exact.denom().to_string();
            }
            Some(Figure::Between { low, high }) => {
                ends[2] = decimal::nearest(low).to_string();
                ends[3] = decimal::nearest(high).to_string();
            }
            None => {}
        }
        row.extend(ends.into_iter().take(if has_bounds { 4 } else { 2 }));
        writer.write_record(row)?;
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

/// What has a row.
#[derive(Clone, Copy)]
enum Entry<'a> {
    Below(&'a Integer),
    Outcome(usize, Value<'a>),
    Above(&'a Integer),
    WithoutValue(&'static str),
}

/// All mass of an answer: the tail below, the outcomes, the tail above, and mass without a value.
fn entries(answer: &Answer) -> impl Iterator<Item = (Entry<'_>, Cow<'_, Weight>)> {
    let below = answer.below().into_iter();
    let above = answer.above().into_iter();
    let outcomes = answer
        .outcomes()
        .iter()
        .enumerate()
        .map(|(index, (value, weight))| (Entry::Outcome(index, value), Cow::Borrowed(weight)));
    let masses = WITHOUT_VALUE.into_iter().filter_map(|(name, mass)| {
        let weight = Some(mass(answer)).filter(|weight| !weight.is_zero())?;
        Some((Entry::WithoutValue(name), Cow::Owned(weight)))
    });
    let below = below.map(|tail| (Entry::Below(&tail.bound), Cow::Borrowed(&tail.weight)));
    let above = above.map(|tail| (Entry::Above(&tail.bound), Cow::Borrowed(&tail.weight)));
    below.chain(outcomes).chain(above).chain(masses)
}

/// Writes a row for each rule and value, with all mass that has no value.
fn write_listing(
    rules: &[Answered],
    parameters: &[&str],
    writer: &mut csv::Writer<impl io::Write>,
) -> io::Result<()> {
    let are_sampled = rules.iter().any(|rule| rule.answer.sampling().is_some());
    let has_fractions = has_fractions(rules);
    let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
    let parts = record_parts(&answers).unwrap_or_default();
    let mut columns = LISTING.to_vec();
    columns.splice(1..1, parts.iter().map(String::as_str));
    write_header(parameters, &columns, are_sampled, has_fractions, writer)?;
    for rule in rules {
        let (answer, prefix) = (&rule.answer, prefix(rule, parameters));
        let (unit, scale) = (&answer.unit, Scale::new(answer.total()));
        let mut terms = LowestTerms::new(answer.total());
        let is_open = is_open(answer, View::AtLeast);
        let tails = [answer.below(), answer.above()].into_iter().flatten();
        let mut at_least: Weight = tails.map(|tail| &tail.weight).sum();
        at_least += answer.outcomes().mass();
        let mut at_most = Weight::ZERO;
        for (entry, weight) in entries(answer) {
            at_most += &*weight;
            let mut row = prefix.clone();
            row.push(match entry {
                Entry::Below(bound) => format!("<={}", unit.exact(bound)),
                Entry::Above(bound) => format!(">={}", unit.exact(bound)),
                Entry::WithoutValue(name) => name.into(),
                Entry::Outcome(_, value @ Value::Members(_)) => {
                    inert(&value.texts(unit).collect::<Vec<_>>().join(" "))
                }
                Entry::Outcome(_, value) => value.exact(unit, &answer.shape),
            });
            if has_fractions {
                row.push(match entry {
                    Entry::Outcome(_, Value::Number(number)) => decimal_of(number, answer),
                    _ => String::new(),
                });
            }
            let columns = row.len() + parts.len();
            if let Entry::Outcome(_, value) = entry {
                let own = value.texts(unit).take(parts.len());
                row.extend(own.map(|part| field(&part)));
            }
            row.resize(columns, String::new());
            row.push(scale.significant(&weight, DIGITS));
            let [is_least, is_most] = match entry {
                Entry::Below(_) => [false, true],
                Entry::Outcome(_, Value::Number(_)) => [true; 2],
                Entry::Above(_) => [true, false],
                Entry::Outcome(..) | Entry::WithoutValue(_) => [false; 2],
            };
            for (is_known, weight) in [(is_least, &at_least), (is_most, &at_most)] {
                let known = (is_known && !is_open).then(|| scale.significant(weight, DIGITS));
                row.push(known.unwrap_or_default());
            }
            if answer.sampling().is_none() {
                let (numerator, denominator) = terms.of(&weight);
                row.extend([numerator, denominator.to_owned()]);
            } else {
                row.extend([const { String::new() }; 2]);
            }
            if are_sampled {
                row.extend(match (entry, answer.sampling()) {
                    (Entry::Outcome(index, _), Some(sampling)) => {
                        let interval = &sampling.intervals[index];
                        [&interval.low, &interval.high].map(|end| decimal::nearest(end).to_string())
                    }
                    _ => Default::default(),
                });
            }
            writer.write_record(row)?;
            if !matches!(entry, Entry::WithoutValue(_)) {
                at_least -= &*weight;
            }
        }
    }
    Ok(())
}
