//! One row per rule and value, ready for a pivot table: RFC 4180 (with its line ends) and one header.
//!
//! ```text
//! name,value,probability,at_least,at_most,numerator,denominator
//! ```
//!
//! - `probability`, `at_least` and `at_most` are decimals with 17 significant digits; `numerator` and
//!   `denominator` are the exact probability in lowest terms.
//! - The values of parameters are columns after `name`, empty for rules without.
//! - A list is its members with blanks between them; it has no order, so `at_least` and `at_most` are empty.
//! - A tail is a row whose value is `>=43` or `<=-5`, mass at an unknown place is a row `unresolved`,
//!   and rolls without an end are a row `never ends`. `at_least` and `at_most` count located mass only.
//! - Where a rule was sampled, `numerator` and `denominator` are empty and the columns `low` and `high` follow.
//! - A name that begins like a formula gets a leading apostrophe, which spreadsheets do not show.

use std::collections::BTreeSet;
use std::io;

use num_traits::Zero;

use super::decimal::Scale;
use super::fraction::LowestTerms;
use super::{Answered, Style, WITHOUT_VALUE};
use crate::algebra::Weight;
use crate::engine::{Tail, Value};

/// Significant digits that tell any two doubles apart.
const DIGITS: usize = 17;

/// Writes all rules as one CSV document.
///
/// # Errors
///
/// Those of `out`.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::Integer;
/// use dicedist::report::{self, Answered, Style};
///
/// let faces = [1_i64, 2].map(|face| (Integer::from(face), 1u32.into()));
/// let coin = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 2u32.into())), 2);
/// let mut csv = Vec::new();
/// report::csv::write(&[Answered::new("coin", coin)], &Style::default(), &mut csv)?;
/// assert_eq!(
///     String::from_utf8(csv)?,
///     "name,value,probability,at_least,at_most,numerator,denominator\r\n\
///      coin,1,0.50000000000000000,1.0000000000000000,0.50000000000000000,1,2\r\n\
///      coin,2,0.50000000000000000,0.50000000000000000,1.0000000000000000,1,2\r\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(rules: &[Answered], _style: &Style, out: &mut impl io::Write) -> io::Result<()> {
    let parameters: BTreeSet<&str> = rules
        .iter()
        .flat_map(|rule| rule.parameters.keys().map(String::as_str))
        .collect();
    let sampled = rules.iter().any(|rule| rule.answer.sampling().is_some());
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    let header = ["name"]
        .into_iter()
        .chain(parameters.iter().copied())
        .chain([
            "value",
            "probability",
            "at_least",
            "at_most",
            "numerator",
            "denominator",
        ]);
    let bounds: &[&str] = if sampled { &["low", "high"] } else { &[] };
    writer.write_record(header.chain(bounds.iter().copied()))?;
    for rule in rules {
        let mut prefix = vec![inert(&rule.name)];
        for name in &parameters {
            let value = rule.parameters.get(*name);
            prefix.push(value.map(ToString::to_string).unwrap_or_default());
        }
        let mut rows = Rows {
            writer: &mut writer,
            prefix,
            scale: Scale::new(rule.answer.total()),
            terms: LowestTerms::new(rule.answer.total()),
            exact: rule.answer.sampling().is_none(),
            sampled,
        };
        rows.rule(rule)?;
    }
    writer.flush()
}

/// A name that no spreadsheet takes for a formula.
fn inert(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}

struct Rows<'a, 'w, W: io::Write> {
    writer: &'w mut csv::Writer<W>,
    prefix: Vec<String>,
    scale: Scale<'a>,
    terms: LowestTerms<'a>,
    exact: bool,
    sampled: bool,
}

/// The curves at a row, as far as they are known there.
#[derive(Default)]
struct Curves<'a> {
    at_least: Option<&'a Weight>,
    at_most: Option<&'a Weight>,
}

impl<W: io::Write> Rows<'_, '_, W> {
    fn rule(&mut self, rule: &Answered) -> io::Result<()> {
        let answer = &rule.answer;
        let located = |tail: &Tail| matches!(tail, Tail::AtMost(..));
        let mut at_most = Weight::ZERO;
        for tail in answer.tails.iter().filter(|tail| located(tail)) {
            at_most += tail.weight();
            let curves = Curves {
                at_most: Some(&at_most),
                ..Curves::default()
            };
            self.row(&format!("<={}", tail.bound()), tail.weight(), &curves, None)?;
        }
        let above: Weight = answer
            .tails
            .iter()
            .filter(|tail| !located(tail))
            .map(Tail::weight)
            .sum();
        let listed: Weight = answer.outcomes.iter().map(|(_, weight)| weight).sum();
        let mut at_least = listed + above;
        let intervals = answer.sampling().map(|sampling| &sampling.intervals);
        for (index, (value, weight)) in answer.outcomes.iter().enumerate() {
            at_most += weight;
            let curves = match value {
                Value::List(_) => Curves::default(),
                Value::Number(_) => Curves {
                    at_least: Some(&at_least),
                    at_most: Some(&at_most),
                },
            };
            let interval = intervals.and_then(|intervals| intervals.get(index));
            let bounds = interval.map(|interval| {
                [&interval.low, &interval.high]
                    .map(|bound| super::decimal::nearest(bound).to_string())
            });
            self.row(&value.to_string(), weight, &curves, bounds)?;
            at_least -= weight;
        }
        for tail in answer.tails.iter().filter(|tail| !located(tail)) {
            let curves = Curves {
                at_least: Some(&at_least),
                ..Curves::default()
            };
            self.row(&format!(">={}", tail.bound()), tail.weight(), &curves, None)?;
        }
        for (name, mass) in WITHOUT_VALUE {
            let weight = mass(answer);
            if !weight.is_zero() {
                self.row(name, weight, &Curves::default(), None)?;
            }
        }
        Ok(())
    }

    fn row(
        &mut self,
        value: &str,
        weight: &Weight,
        curves: &Curves,
        bounds: Option<[String; 2]>,
    ) -> io::Result<()> {
        for field in &self.prefix {
            self.writer.write_field(field)?;
        }
        self.writer.write_field(value)?;
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
