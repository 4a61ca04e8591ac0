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
//! - `value` is a number, a list or a record. Mass without such a value is in a row whose `value` is empty, and if there is any, a column
//!   `unlisted` follows `value` and says what it is: a tail is `>=43` or `<=-5`, unresolved mass, whose value is unknown, is
//!   `unresolved`, and rolls that never end are `never ends`. For a rule with unresolved mass, `at_least` and `at_most` are unknown and
//!   empty.
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

use num_traits::{Signed as _, Zero as _};

use super::chance::Chance;
use super::decimal;
use super::fraction::LowestTerms;
use super::share::Share;
use super::sheet::{Cell, Row, Sheet, is_open, record_parts};
use super::strategy::{self, PlannedRule};
use super::sweeps::SideBySide;
use super::{
    Answered, LONGEST_NAME, Layout, Query, Report, Style, View, WITHOUT_VALUE, events, figures,
    labels,
};
use crate::algebra::weight::reduced;
use crate::algebra::{Listing as _, Weight};
use crate::engine::{Answer, Interval, Plan, Situation, Value};
use crate::limits::LimitReached;
use crate::number::{Fraction, Integer};
use crate::source::{Shown, shortened};
use crate::summary::Figure;

/// The column behind each column of values, if the values are fractions.
const DECIMAL: &str = "value_decimal";

/// The number of significant digits that distinguishes any two doubles.
const DIGITS: usize = 17;

/// A column: its heading, and its text in each row.
type Column<'a, T> = (Cow<'a, str>, Box<dyn Fn(&T) -> String + 'a>);

fn column<'a, T>(
    heading: impl Into<Cow<'a, str>>,
    text: impl Fn(&T) -> String + 'a,
) -> Column<'a, T> {
    (heading.into(), Box::new(text))
}

/// Writes a header and rows.
fn put<T>(
    columns: &[Column<T>],
    rows: impl IntoIterator<Item = T>,
    style: &Style,
    out: impl io::Write,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(style.sheets.delimiter.sign())
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    writer.write_record(columns.iter().map(|(heading, _)| heading.as_bytes()))?;
    for row in rows {
        writer.write_record(columns.iter().map(|(_, text)| text(&row)))?;
    }
    writer.flush()
}

/// Writes all rules as one CSV document, or only the queries of the style, if it has any.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::Dist;
/// use dicedist::report::{self, Answered, Report, Style};
/// use dicedist::source::Shown;
///
/// let coin: Dist = Dist::uniform(1..=2);
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
    if style.sheets.byte_order_mark {
        write!(out.raw(), "\u{feff}")?;
    }
    match style.layout {
        _ if style.sheets.wide && !style.queries.is_empty() => {
            write_wide_queries(report, style, out)
        }
        _ if style.sheets.wide => write_wide(report, style, out),
        _ if !style.queries.is_empty() => write_queries(report.rules, style, out),
        Layout::Transposed => write_transposed(report, style, out),
        Layout::Summary => write_summaries(report, style, out),
        Layout::Listing => write_listing(report.rules, style, out),
    }
}

/// Writes what is best in each situation of the choices of some rules: `name,choice,place`, a column for each value that a situation is
/// known by, then `best,mean,numerator,denominator`. A value that a choice does not know is empty, and so is a list without members in
/// other rows; a list is its members with blanks between them.
///
/// # Errors
///
/// The errors of writing to `out`.
pub fn write_plans(
    rules: &[PlannedRule],
    style: &Style,
    out: &mut Shown<impl io::Write>,
) -> io::Result<()> {
    type PlanRow<'a> = (&'a PlannedRule, &'a Plan, &'a Situation);
    let situations = rules.iter().flat_map(|rule| {
        let plans = rule.plans.iter();
        plans.flat_map(move |plan| plan.situations.iter().map(move |one| (rule, plan, one)))
    });
    let mut seen = BTreeSet::new();
    let plans = rules.iter().flat_map(|rule| &rule.plans);
    let known = plans.flat_map(|plan| plan.known.iter().map(|called| &*called.name));
    let known = known.filter(|name| seen.insert(*name)).map(|name| {
        column(inert(name), move |(_, plan, situation): &PlanRow| {
            let place = plan.known.iter().position(|called| &*called.name == name);
            let text = |place: usize| strategy::text(&plan.known[place], &situation.known[place]);
            place.map_or_else(String::new, |place| field(&text(place)))
        })
    });
    let mut columns = vec![
        column("name", |(rule, ..): &PlanRow| inert(&rule.name)),
        column("choice", |(_, plan, _): &PlanRow| inert(&plan.chosen.name)),
        column("place", |(rule, plan, _): &PlanRow| {
            inert(&strategy::place(plan, &rule.source))
        }),
    ];
    columns.extend(known);
    columns.extend([
        column("best", |(_, plan, one): &PlanRow| {
            field(&strategy::text(&plan.chosen, &one.choice))
        }),
        column("mean", |(.., one): &PlanRow| {
            let sign = if one.mean.is_negative() { "-" } else { "" };
            format!("{sign}{}", significant(&one.mean))
        }),
        column("numerator", |(.., one): &PlanRow| {
            one.mean.numer().to_string()
        }),
        column("denominator", |(.., one): &PlanRow| {
            one.mean.denom().to_string()
        }),
    ]);
    put(&columns, situations, style, out)
}

/// Writes rows that belong to rules: before these columns stand the name of the rule and its values of the parameters. A parameter with
/// the name of another column gets `set:` before its name.
fn put_of_rules<'a, T: 'a>(
    rules: &'a [Answered],
    name: impl Fn(&T) -> String + 'a,
    rule: impl Fn(&T) -> &'a Answered + Copy + 'a,
    columns: Vec<Column<'a, T>>,
    rows: impl IntoIterator<Item = T>,
    style: &Style,
    out: impl io::Write,
) -> io::Result<()> {
    let mut seen = BTreeSet::new();
    let parameters = rules.iter().flat_map(|rule| &rule.parameters);
    let parameters = parameters.filter(|(name, _)| seen.insert(name));
    let parameters = parameters.map(|(name, _)| {
        let is_taken = name == "name" || columns.iter().any(|(heading, _)| heading == name);
        let heading = if is_taken {
            format!("set:{name}")
        } else {
            name.clone()
        };
        column(heading, move |row: &T| {
            let mut own = rule(row).parameters.iter();
            let value = own.find(|(known, _)| known == name);
            value.map_or_else(String::new, |(_, value)| value.to_string())
        })
    });
    let all: Vec<Column<T>> = [column("name", name)]
        .into_iter()
        .chain(parameters)
        .collect();
    let all: Vec<Column<T>> = all.into_iter().chain(columns).collect();
    put(&all, rows, style, out)
}

/// Writes a row for each rule, with columns for its chances, of which some may be shares of random rolls: a document without bounds says
/// so beside the name.
fn put_by_rule<'a>(
    rules: &'a [Answered],
    is_sampled: impl Fn(&Answered) -> bool + 'a,
    columns: impl Iterator<Item = Column<'a, usize>>,
    style: &Style,
    out: impl io::Write,
) -> io::Result<()> {
    let name = move |&rule: &usize| labelled(inert(&rules[rule].name), is_sampled(&rules[rule]));
    let columns = columns.collect();
    put_of_rules(
        rules,
        name,
        |&rule| &rules[rule],
        columns,
        0..rules.len(),
        style,
        out,
    )
}

fn labelled(name: String, is_sampled: bool) -> String {
    name + if is_sampled { " (sampled)" } else { "" }
}

fn is_sampled(rule: &Answered) -> bool {
    rule.answer.sampling().is_some()
}

/// Writes a row for each rule, with a column for each value.
fn write_transposed(report: &Report, style: &Style, out: impl io::Write) -> io::Result<()> {
    let sheet = every_value(report, style)?;
    let columns = sheet.rows.iter();
    let columns = columns.map(|row| {
        column(field(&row.label), |&rule: &usize| {
            known(row.cells[rule].as_ref())
        })
    });
    put_by_rule(report.rules, is_sampled, columns, style, out)
}

/// Writes a row for each rule, with a column for each question; one question to a rule with two variables is a row for each value of
/// one, with a column for each value of the other. A chance that is known within bounds alone is empty.
fn write_wide_queries(report: &Report, style: &Style, out: impl io::Write) -> io::Result<()> {
    let rules = report.rules;
    let Some(first) = rules.first() else {
        return Ok(());
    };
    let columns = style.queries.iter().map(|query| {
        let event = inert(&events::event(query, first));
        column(event, move |&rule: &usize| {
            single(Chance::of(query, &rules[rule]).as_ref())
        })
    });
    let is_seen = |rule: &Answered| {
        let mut queries = style.queries.iter();
        queries.any(|query| rule.seen(query).is_some())
    };
    if let [query] = &style.queries[..]
        && let Some(sweeps) = SideBySide::of_several_variables(rules)
        && !rules.iter().any(is_seen)
    {
        let (name, values) = &sweeps.variable;
        let own = column(inert(name), |&place: &usize| values[place].to_string());
        let columns = sweeps.names().into_iter().zip(&sweeps.sweeps);
        let columns = columns.map(|(name, sweep)| {
            column(inert(&name), move |&place: &usize| {
                single(Chance::of(query, sweep[place]).as_ref())
            })
        });
        let columns: Vec<_> = std::iter::once(own).chain(columns).collect();
        return put(&columns, 0..values.len(), style, out);
    }
    put_by_rule(rules, is_seen, columns, style, out)
}

/// Writes a row for each rule, with the figures of its summary.
fn write_summaries(report: &Report, style: &Style, out: impl io::Write) -> io::Result<()> {
    let rules = report.rules;
    let names = vec![String::new(); rules.len()];
    let grid = figures::summaries(rules, report.summaries(), &names, style);
    let labels = grid.labels.cells().iter().enumerate();
    let columns = labels.map(|(row, label)| {
        let columns = &grid.columns;
        column(label, move |&rule: &usize| {
            field(&columns[rule].cells()[row])
        })
    });
    put_by_rule(rules, |_| false, columns, style, out)
}

/// Writes a row for each value, with a column for each rule.
fn write_wide(report: &Report, style: &Style, out: impl io::Write) -> io::Result<()> {
    let sheet = every_value(report, style)?;
    let one = [String::from("value")];
    let own = sheet.parts.as_deref().unwrap_or(&one).iter().enumerate();
    let own = own.map(|(place, name)| {
        column(inert(name), move |row: &&Row| match row.parts.get(place) {
            Some(part) => field(part),
            None if place == 0 => field(&row.label),
            None => String::new(),
        })
    });
    let names = report.rules.iter().zip(labels(report.rules).full);
    let rules = names.enumerate().map(|(index, (rule, name))| {
        let name = inert(&labelled(name, is_sampled(rule)));
        column(name, move |row: &&Row| known(row.cells[index].as_ref()))
    });
    put(
        &own.chain(rules).collect::<Vec<_>>(),
        &sheet.rows,
        style,
        out,
    )
}

/// All values as rows, however many there are.
fn every_value<'a>(report: &Report<'a>, style: &Style) -> Result<Sheet<'a>, LimitReached> {
    let style = Style {
        all: true,
        ..style.clone()
    };
    Sheet::of(report.rules, &style, report.budget)
}

/// A chance as a decimal.
fn significant(chance: &Fraction) -> String {
    Share::of(chance).significant(DIGITS)
}

/// A probability, or nothing where it is known within bounds alone.
fn known(cell: Option<&Cell>) -> String {
    let known = cell.filter(|cell| cell.most.is_none());
    known.map_or_else(String::new, |cell| cell.share().significant(DIGITS))
}

fn single(chance: Option<&Chance>) -> String {
    let single = chance.and_then(Chance::single);
    single.map_or_else(String::new, significant)
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

/// A chance, or one of its bounds, as the double that is nearest to it.
fn nearest(chance: Option<&Fraction>) -> String {
    chance.map_or_else(String::new, |chance| decimal::nearest(chance).to_string())
}

/// Writes a row for each rule and question.
fn write_queries(rules: &[Answered], style: &Style, out: impl io::Write) -> io::Result<()> {
    type QueryRow<'a> = (&'a Answered, &'a Query, Option<Chance>);
    fn known<'r>((.., chance): &'r QueryRow) -> Option<&'r Figure> {
        chance.as_ref().map(|chance| &chance.known)
    }
    let asked = rules.iter().flat_map(|rule| {
        let queries = style.queries.iter();
        queries.map(move |query| (rule, query, Chance::of(query, rule)))
    });
    let asked: Vec<QueryRow> = asked.collect();
    let is_open = |row: &QueryRow| known(row).is_some_and(|known| !known.is_exact());
    let mut columns = vec![
        column("query", |(_, query, _): &QueryRow| query.name().into()),
        column("value", |(rule, query, _): &QueryRow| match query {
            Query::Label(text) | Query::Condition(text) => inert(text),
            Query::AtLeast(number) | Query::AtMost(number) | Query::Exactly(number) => {
                rule.answer.unit.exact(number)
            }
        }),
    ];
    if has_fractions(rules) {
        columns.push(column(DECIMAL, |(rule, query, _): &QueryRow| {
            let decimal = |number| decimal_of(number, &rule.answer);
            query.number().map_or_else(String::new, decimal)
        }));
    }
    let part = |text: fn(&Fraction) -> String| {
        move |row: &QueryRow| {
            let exact = known(row).and_then(Figure::exact);
            exact.map_or_else(String::new, |exact| text(&reduced(exact)))
        }
    };
    columns.extend([
        column("probability", |(.., chance): &QueryRow| {
            single(chance.as_ref())
        }),
        column("numerator", part(|exact| exact.numer().to_string())),
        column("denominator", part(|exact| exact.denom().to_string())),
    ]);
    if asked.iter().any(is_open) {
        let bound = |end: fn(&Figure) -> &Fraction| {
            move |row: &QueryRow| nearest(known(row).filter(|known| !known.is_exact()).map(end))
        };
        columns.push(column("low", bound(Figure::low)));
        columns.push(column("high", bound(Figure::high)));
    }
    let name = |(rule, ..): &QueryRow| inert(&rule.name);
    put_of_rules(rules, name, |(rule, ..)| rule, columns, asked, style, out)
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
enum RowSubject<'a> {
    Below(&'a Integer),
    Outcome(usize, Value<'a>),
    Above(&'a Integer),
    WithoutValue(&'static str),
}

/// All mass of an answer: the tail below, the outcomes, the tail above, and mass without a value.
fn entries(answer: &Answer) -> impl Iterator<Item = (RowSubject<'_>, Cow<'_, Weight>)> {
    let below = answer.below().into_iter();
    let above = answer.above().into_iter();
    let outcomes = answer
        .outcomes()
        .iter()
        .enumerate()
        .map(|(index, (value, weight))| (RowSubject::Outcome(index, value), Cow::Borrowed(weight)));
    let masses = WITHOUT_VALUE.into_iter().filter_map(|(name, mass)| {
        let weight = Some(mass(answer)).filter(|weight| !weight.is_zero())?;
        Some((RowSubject::WithoutValue(name), Cow::Owned(weight)))
    });
    let below = below.map(|tail| (RowSubject::Below(&tail.bound), Cow::Borrowed(&tail.weight)));
    let above = above.map(|tail| (RowSubject::Above(&tail.bound), Cow::Borrowed(&tail.weight)));
    below.chain(outcomes).chain(above).chain(masses)
}

/// A row of the listing.
struct ListingRow<'a> {
    rule: &'a Answered,
    entry: RowSubject<'a>,
    weight: Cow<'a, Weight>,
    /// The probabilities of this value or a higher one, and of this or a lower one, where they are known.
    running: [String; 2],
    /// The numerator and the denominator.
    exact: [String; 2],
}

impl ListingRow<'_> {
    fn value(&self) -> String {
        let answer = &self.rule.answer;
        let unit = &answer.unit;
        match self.entry {
            RowSubject::Outcome(_, value @ Value::Members(_)) => {
                inert(&value.texts(unit).collect::<Vec<_>>().join(" "))
            }
            RowSubject::Outcome(_, value) => value.exact(unit, &answer.shape),
            RowSubject::Below(_) | RowSubject::Above(_) | RowSubject::WithoutValue(_) => {
                String::new()
            }
        }
    }

    /// What the mass is that no listed value has.
    fn unlisted(&self) -> String {
        let unit = &self.rule.answer.unit;
        match self.entry {
            RowSubject::Below(bound) => format!("<={}", unit.exact(bound)),
            RowSubject::Above(bound) => format!(">={}", unit.exact(bound)),
            RowSubject::WithoutValue(name) => name.into(),
            RowSubject::Outcome(..) => String::new(),
        }
    }

    /// A part of a record.
    fn part(&self, place: usize) -> String {
        let RowSubject::Outcome(_, value) = self.entry else {
            return String::new();
        };
        let part = value.texts(&self.rule.answer.unit).nth(place);
        part.map_or_else(String::new, |part| field(&part))
    }

    /// An end of the interval of a sampled outcome.
    fn bound(&self, end: fn(&Interval) -> &Fraction) -> String {
        let interval = match (self.entry, self.rule.answer.sampling()) {
            (RowSubject::Outcome(index, _), Some(sampling)) => Some(&sampling.intervals[index]),
            _ => None,
        };
        nearest(interval.map(end))
    }
}

/// The rows of a rule: all mass of its answer.
fn lines(rule: &Answered) -> impl Iterator<Item = ListingRow<'_>> {
    let answer = &rule.answer;
    let mut terms = LowestTerms::new(answer.total());
    let is_open = is_open(answer, View::AtLeast);
    let mut at_least = answer.outcomes().mass() + answer.tail_weight();
    let mut at_most = Weight::ZERO;
    entries(answer).map(move |(entry, weight)| {
        at_most += &*weight;
        let are_known = match entry {
            RowSubject::Below(_) => [false, true],
            RowSubject::Outcome(_, Value::Number(_)) => [true; 2],
            RowSubject::Above(_) => [true, false],
            RowSubject::Outcome(..) | RowSubject::WithoutValue(_) => [false; 2],
        };
        let running = [(are_known[0], &at_least), (are_known[1], &at_most)];
        let running = running.map(|(is_known, weight)| {
            let share = Share::new(weight, answer.total());
            let known = (is_known && !is_open).then(|| share.significant(DIGITS));
            known.unwrap_or_default()
        });
        if !matches!(entry, RowSubject::WithoutValue(_)) {
            at_least -= &*weight;
        }
        let exact = answer.sampling().is_none().then(|| {
            let (numerator, denominator) = terms.of(&weight);
            [numerator, denominator.to_owned()]
        });
        ListingRow {
            rule,
            entry,
            weight,
            running,
            exact: exact.unwrap_or_default(),
        }
    })
}

/// Writes a row for each rule and value, with all mass that has no value.
fn write_listing(rules: &[Answered], style: &Style, out: impl io::Write) -> io::Result<()> {
    let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
    let mut columns = vec![column("value", ListingRow::value)];
    let is_unlisted = |(entry, _): (RowSubject, _)| !matches!(entry, RowSubject::Outcome(..));
    if (answers.iter().copied().flat_map(entries)).any(is_unlisted) {
        columns.push(column("unlisted", ListingRow::unlisted));
    }
    if has_fractions(rules) {
        columns.push(column(DECIMAL, |line: &ListingRow| match line.entry {
            RowSubject::Outcome(_, Value::Number(number)) => decimal_of(number, &line.rule.answer),
            _ => String::new(),
        }));
    }
    let parts = record_parts(&answers).unwrap_or_default();
    let parts = parts.into_iter().enumerate();
    columns
        .extend(parts.map(|(place, name)| column(name, move |line: &ListingRow| line.part(place))));
    columns.extend([
        column("probability", |line: &ListingRow| {
            Share::new(&line.weight, line.rule.answer.total()).significant(DIGITS)
        }),
        column("at_least", |line: &ListingRow| line.running[0].clone()),
        column("at_most", |line: &ListingRow| line.running[1].clone()),
        column("numerator", |line: &ListingRow| line.exact[0].clone()),
        column("denominator", |line: &ListingRow| line.exact[1].clone()),
    ]);
    if rules.iter().any(is_sampled) {
        columns.push(column("low", |line: &ListingRow| line.bound(|it| &it.low)));
        columns.push(column("high", |line: &ListingRow| {
            line.bound(|it| &it.high)
        }));
    }
    let name = |line: &ListingRow| inert(&line.rule.name);
    let all = rules.iter().flat_map(lines);
    put_of_rules(rules, name, |line| line.rule, columns, all, style, out)
}
