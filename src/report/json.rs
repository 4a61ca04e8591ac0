//! JSON with everything that is known, for programs.
//!
//! The document is one object with the keys `version`, `rules`, `comparisons`, `warnings` and `errors`. Probabilities are
//! reduced fractions in text (`"7/432"`) with the nearest double beside them; integers are plain numbers of any length. A figure
//! that is unknown or does not exist is `null`; a figure between bounds is `{"low": …, "high": …}`. A mean between bounds is
//! `null`, and the bounds are in `mean_between` after it, a key that other rules lack. The most likely outcomes
//! (`mode`) have the form of the outcomes. `rule`, in an answered rule, a warning or an error, is the index of the rule in the
//! call, from 0. The series of a rule share the index, and their common warnings are listed once. Each finding of an error is
//! one entry.
//!
//! The layout is fixed, with one line for each figure and each outcome, so that two files are easy to compare.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;

use num_traits::Zero;
use serde::Serialize;
use serde_json::{Number, Value as Json, json};

use super::decimal;
use super::figures;
use super::fraction::{LowestTerms, exactly};
use super::scale::Scale;
use super::{Answered, Contrast, Query, Refused, Report, Style, labels};
use crate::algebra::Weight;
use crate::compare::{Comparison, Dominance, Overlap};
use crate::engine::{Answer, MemberRef, Method, Outcomes, Value};
use crate::error::Diagnostic;
use crate::number::{Fraction, Integer, Unit};
use crate::source::shortened;
use crate::summary::{Figure, Moment, Summary};

/// The largest number of characters of a name in a finding.
const LONGEST_NAME: usize = 500;

/// Writes answered and refused rules, with comparisons of the answered ones, as one JSON document.
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
///
/// let faces = [1_i64, 2].map(|face| (Integer::from(face), 1u32.into()));
/// let coin = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 2u32.into())), 2);
/// let mut json = Vec::new();
/// report::json::write(&Report::of(&[Answered::new("coin", coin)]), &Style::default(), &mut json)?;
/// let json: serde_json::Value = serde_json::from_slice(&json)?;
/// assert_eq!(json["rules"][0]["outcomes"][1]["probability"], "1/2");
/// assert_eq!(json["rules"][0]["mean"]["exact"], "3/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut impl io::Write) -> io::Result<()> {
    let (rules, refused) = (report.rules, report.refused);
    writeln!(out, "{{")?;
    writeln!(out, "  \"version\": \"{}\",", env!("CARGO_PKG_VERSION"))?;
    write!(out, "  \"rules\": [")?;
    for (index, (rule, summary)) in rules.iter().zip(report.summaries()).enumerate() {
        write!(out, "{}\n    {{", if index > 0 { "," } else { "" })?;
        Object { out, empty: true }.rule(rule, summary, style)?;
        write!(out, "\n    }}")?;
    }
    writeln!(out, "{}],", if rules.is_empty() { "" } else { "\n  " })?;
    array(out, "comparisons", &comparisons(report))?;
    writeln!(out, ",")?;
    array(out, "warnings", &warnings(report))?;
    writeln!(out, ",")?;
    array(out, "errors", &errors(refused))?;
    writeln!(out, "\n}}")
}

/// Writes refused rules as one object on one line, for standard error.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::error::{Diagnostic, Error, ErrorKind};
/// use dicedist::report::{self, Refused};
/// use dicedist::source::{Source, Span};
///
/// let refused = Refused {
///     rule: 0,
///     name: "1/0".into(),
///     source: Source::new("rule", "1/0"),
///     warnings: Vec::new(),
///     parameters: Vec::new(),
///     error: Error::new(ErrorKind::DivisionByZero, Diagnostic::new(Span::new(0, 3), "by zero")),
/// };
/// let mut json = Vec::new();
/// report::json::write_errors(&[refused], &mut json)?;
/// let json: serde_json::Value = serde_json::from_slice(&json)?;
/// assert_eq!(json["errors"][0]["kind"], "division_by_zero");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_errors(refused: &[Refused], out: &mut impl io::Write) -> io::Result<()> {
    put(out, &json!({ "errors": errors(refused) }))?;
    writeln!(out)
}

/// Writes the error that ended a call before any rule was answered, in the form of [`write_errors`]: `{"errors": […]}` with one
/// entry that belongs to no rule.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// let mut json = Vec::new();
/// dicedist::report::json::write_failure("io", "cannot read 'x'", &mut json)?;
/// let json: serde_json::Value = serde_json::from_slice(&json)?;
/// assert_eq!(json["errors"][0]["kind"], "io");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_failure(kind: &str, message: &str, out: &mut impl io::Write) -> io::Result<()> {
    let entry = json!({
        "rule": null,
        "name": null,
        "kind": kind,
        "message": message,
        "start": null,
        "end": null,
        "line": null,
        "column": null,
        "probability": null,
        "help": null,
    });
    put(out, &json!({ "errors": [entry] }))?;
    writeln!(out)
}

/// The fields of one rule, each on its own line.
struct Object<'w, W> {
    out: &'w mut W,
    empty: bool,
}

impl<W: io::Write> Object<'_, W> {
    fn key(&mut self, key: &str) -> io::Result<()> {
        let comma = if self.empty { "" } else { "," };
        self.empty = false;
        write!(self.out, "{comma}\n      \"{key}\": ")
    }

    fn field(&mut self, key: &str, value: &impl Serialize) -> io::Result<()> {
        self.key(key)?;
        put(self.out, value)
    }

    fn rule(&mut self, rule: &Answered, summary: &Summary, style: &Style) -> io::Result<()> {
        let answer = &rule.answer;
        self.field("rule", &rule.rule)?;
        self.field("name", &rule.name)?;
        self.field("expression", &rule.expression)?;
        self.field("dialect", &rule.dialect)?;
        let parameters: serde_json::Map<String, Json> = rule
            .parameters
            .iter()
            .map(|(name, value)| (name.clone(), integer(value)))
            .collect();
        self.field("parameters", &parameters)?;
        let (method, sampling) = match &answer.method {
            Method::Exact => ("exact", Json::Null),
            Method::ExactWithTail => ("exact-with-tail", Json::Null),
            Method::ExactWithUnresolved => ("exact-with-unresolved", Json::Null),
            Method::Sampled(sampling) => (
                "sampled",
                json!({
                    "samples": sampling.samples,
                    "seed": sampling.seed,
                    "steps": sampling.steps,
                    "confidence": decimal::nearest(&sampling.confidence),
                    "bounds": "Chernoff's for all values together and for all queries; Massart's for the cumulative curve",
                    "unseen": decimal::nearest(&sampling.unseen),
                    "band": decimal::nearest(&sampling.band),
                }),
            ),
        };
        self.field("method", &method)?;
        let kind = match answer.outcomes() {
            Outcomes::Numbers(_) if rule.is_condition => "condition",
            Outcomes::Numbers(_) => "number",
            Outcomes::Members(_) if answer.shape.is_single() => match answer.shape.parts() {
                None => "label",
                Some(_) => "record",
            },
            _ if rule.ordered => "sequence",
            _ => "multiset",
        };
        self.field("kind", &kind)?;
        if let Some(parts) = answer.shape.parts() {
            let names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
            self.field("parts", &names)?;
        }
        if let Some(given) = &answer.given {
            self.field("given", &given.to_string())?;
        }
        self.outcomes(answer)?;
        self.unlisted(answer)?;
        self.summary(summary, answer)?;
        let queries: Vec<Json> = style
            .queries
            .iter()
            .map(|asked| query(rule, asked))
            .collect();
        self.field("queries", &queries)?;
        self.field("sampling", &sampling)
    }

    fn outcomes(&mut self, answer: &Answer) -> io::Result<()> {
        self.key("outcomes")?;
        write!(self.out, "[")?;
        let scale = Scale::new(answer.total());
        let mut terms = LowestTerms::new(answer.total());
        let intervals = answer.sampling().map(|sampling| &sampling.intervals);
        for (index, (value, weight)) in answer.outcomes().iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(self.out, "{comma}\n        {{\"value\": ")?;
            self.value(value, answer)?;
            if answer.sampling().is_none() {
                write!(self.out, ", \"probability\": \"{}\"", terms.text(weight))?;
            }
            write!(self.out, ", \"decimal\": ")?;
            put(self.out, &scale.nearest(weight))?;
            if let Some(interval) = intervals.and_then(|intervals| intervals.get(index)) {
                write!(self.out, ", \"low\": ")?;
                put(self.out, &decimal::nearest(&interval.low))?;
                write!(self.out, ", \"high\": ")?;
                put(self.out, &decimal::nearest(&interval.high))?;
            }
            write!(self.out, "}}")?;
        }
        let end = if answer.outcomes().is_empty() {
            ""
        } else {
            "\n      "
        };
        write!(self.out, "{end}]")
    }

    fn mode(&mut self, places: Option<&[usize]>, answer: &Answer) -> io::Result<()> {
        let Some(places) = places else {
            return self.field("mode", &Json::Null);
        };
        self.key("mode")?;
        write!(self.out, "[")?;
        for (index, &place) in places.iter().enumerate() {
            write!(self.out, "{}", if index > 0 { ", " } else { "" })?;
            self.value(answer.outcomes().value(place), answer)?;
        }
        write!(self.out, "]")
    }

    /// A value. A list is written member by member, because it may be long.
    fn value(&mut self, value: Value, answer: &Answer) -> io::Result<()> {
        let unit = &answer.unit;
        if let Value::Number(number) = value {
            return put_number(self.out, number, unit);
        }
        let is_single = answer.shape.is_single();
        if !is_single {
            write!(self.out, "[")?;
        }
        let parts = answer.shape.parts();
        for (index, member) in value.members().enumerate() {
            write!(self.out, "{}", if index > 0 { ", " } else { "" })?;
            let place = parts.map(|parts| (index % parts.len(), parts.len()));
            if let (Some((place, _)), Some(parts)) = (place, parts) {
                write!(self.out, "{}", if place == 0 { "{" } else { "" })?;
                put(self.out, &&*parts[place].name)?;
                write!(self.out, ": ")?;
            }
            match member {
                MemberRef::Label(label) => put(self.out, &&*label.text)?,
                MemberRef::Number(number) => put_number(self.out, number, unit)?,
            }
            if place.is_some_and(|(place, count)| place + 1 == count) {
                write!(self.out, "}}")?;
            }
        }
        if !is_single {
            write!(self.out, "]")?;
        }
        Ok(())
    }

    /// The mass that is on no listed outcome.
    fn unlisted(&mut self, answer: &Answer) -> io::Result<()> {
        let ends = [("at_most", answer.below()), ("at_least", answer.above())];
        let tails = ends.into_iter().filter_map(|(end, tail)| {
            let tail = tail?;
            let probability = answer.probability(&tail.weight);
            Some(json!({
                end: number(&tail.bound, &answer.unit),
                "probability": probability.to_string(),
                "decimal": decimal::nearest(&probability),
            }))
        });
        let mut tails: Vec<Json> = tails.collect();
        match tails.len() {
            0 => self.field("tail", &Json::Null)?,
            1 => self.field("tail", &tails.remove(0))?,
            _ => self.field("tail", &tails)?,
        }
        self.mass("unresolved", answer, &answer.unresolved())?;
        self.mass("never_ends", answer, &answer.never_ends())
    }

    fn mass(&mut self, key: &str, answer: &Answer, weight: &Weight) -> io::Result<()> {
        if weight.is_zero() {
            return self.field(key, &Json::Null);
        }
        let probability = answer.probability(weight);
        self.field(
            key,
            &json!({
                "probability": probability.to_string(),
                "decimal": decimal::nearest(&probability),
            }),
        )
    }

    fn summary(&mut self, summary: &Summary, answer: &Answer) -> io::Result<()> {
        self.field("mean", &moment(&summary.mean))?;
        if let Some(ends) = ends(&summary.mean) {
            self.field("mean_between", &ends)?;
        }
        self.field("variance", &moment(&summary.variance))?;
        let moments = if summary.conditional {
            "conditional"
        } else {
            "unconditional"
        };
        self.field("moments", &moments)?;
        let deviation = summary.variance.finite().map(decimal::nearest_root);
        self.field("standard_deviation", &deviation)?;
        let skewness = summary.skewness.finite();
        let skewness = skewness.map(|root| decimal::nearest_signed_root(root.sign, &root.square));
        self.field("skewness", &skewness)?;
        let kurtosis = summary.excess_kurtosis.finite().map(decimal::nearest);
        self.field("excess_kurtosis", &kurtosis)?;
        let of_answer = |value: &Integer| number(value, &answer.unit);
        self.field("median", &summary.median.as_ref().map(of_answer))?;
        self.mode(summary.mode.as_deref(), answer)?;
        self.field("min", &summary.min.as_ref().map(of_answer))?;
        self.field("max", &summary.max.as_ref().map(of_answer))
    }
}

/// Writes a number: an integer, or the string of a fraction.
fn put_number(out: &mut impl io::Write, value: &Integer, unit: &Unit) -> io::Result<()> {
    let text = unit.exact(value);
    if text.contains('/') {
        write!(out, "\"{text}\"")
    } else {
        write!(out, "{text}")
    }
}

/// A number in a unit: an integer, or the string of a fraction.
fn number(value: &Integer, unit: &Unit) -> Json {
    if unit.is_whole() {
        return integer(value);
    }
    let text = unit.exact(value);
    match text.parse() {
        Ok(whole) => integer(&whole),
        Err(_) => Json::from(text),
    }
}

fn integer(value: &Integer) -> Json {
    match value.to_i64() {
        Some(small) => Json::from(small),
        // A JSON number may have any length.
        None => serde_json::from_str::<Number>(&value.to_string()).map_or(Json::Null, Json::Number),
    }
}

fn moment(moment: &Moment) -> Json {
    match moment {
        Moment::Finite(exact) => json!({
            "exact": exactly(exact),
            "decimal": decimal::nearest(exact),
        }),
        Moment::Infinite => json!({ "exact": "infinite", "decimal": null }),
        Moment::Between { .. } | Moment::Undefined | Moment::Unknown => Json::Null,
    }
}

/// The ends of a moment that is known between two ends only.
fn ends(moment: &Moment) -> Option<Json> {
    let Moment::Between { low, high } = moment else {
        return None;
    };
    let end = |end: &Fraction| json!({ "exact": exactly(end), "decimal": decimal::nearest(end) });
    Some(json!({ "low": end(low), "high": end(high) }))
}

fn figure(figure: &Figure) -> Json {
    match figure {
        Figure::Exact(exact) => Json::from(exactly(exact)),
        Figure::Between { low, high } => {
            json!({ "low": exactly(low), "high": exactly(high) })
        }
    }
}

fn query(rule: &Answered, query: &Query) -> Json {
    let event = rule.event(query);
    let value = match query {
        Query::AtLeast(value) | Query::AtMost(value) | Query::Exactly(value) => {
            number(value, &rule.answer.unit)
        }
        Query::Label(text) | Query::Condition(text) => Json::from(&**text),
    };
    let mut result = json!({
        "query": query.name(),
        "value": value,
        "probability": event.as_ref().map(figure),
        "decimal": event.as_ref().and_then(Figure::exact).map(decimal::nearest),
    });
    if let Some((seen, event)) = rule.seen(query).zip(event.as_ref()) {
        result["probability"] = Json::Null;
        result["decimal"] = json!(decimal::nearest(&seen));
        result["low"] = json!(decimal::nearest(event.low()));
        result["high"] = json!(decimal::nearest(event.high()));
    }
    result
}

fn comparisons(report: &Report) -> Vec<Json> {
    let names = labels(report.rules).full;
    let pairs = report.pairs().iter();
    pairs
        .map(|pair| {
            let [a, b] = pair.rules;
            let compared = pair.compared.as_ref().ok().and_then(Option::as_ref);
            let (comparison, overlap) = match compared {
                None => (None, None),
                Some(Contrast::Numbers(comparison)) => (Some(comparison), None),
                Some(Contrast::Unordered(overlap)) => (None, Some(overlap)),
            };
            let of = |get: fn(&Comparison) -> &Figure| comparison.map(|it| figure(get(it)));
            let either = |get: fn(&Comparison) -> &Figure, other: fn(&Overlap) -> &Figure| {
                of(get).or_else(|| overlap.map(|it| figure(other(it))))
            };
            let difference = comparison.and_then(|it| it.mean_difference.as_ref());
            json!({
                "a": names[a],
                "b": names[b],
                "a_wins": of(|it| &it.a_wins),
                "tie": either(|it| &it.tie, |it| &it.tie),
                "b_wins": of(|it| &it.b_wins),
                "mean_difference": difference.map(exactly),
                "total_variation": either(|it| &it.total_variation, |it| &it.total_variation),
                "kolmogorov": of(|it| &it.kolmogorov),
                "dominates": comparison.and_then(|it| match it.dominance {
                    Dominance::A => Some("a"),
                    Dominance::B => Some("b"),
                    Dominance::Equal | Dominance::Neither | Dominance::Open => None,
                }),
            })
        })
        .collect()
}

/// The warnings of all rules, and one about comparisons that reached a limit. A warning that the series of a rule share is listed
/// once.
fn warnings(report: &Report) -> Vec<Json> {
    let Report { rules, refused, .. } = report;
    let of_answered = rules.iter().map(|rule| (rule.rule, &rule.warnings));
    let of_refused = refused.iter().map(|rule| (rule.rule, &rule.warnings));
    let mut all: Vec<(usize, &Diagnostic)> = of_answered
        .chain(of_refused)
        .flat_map(|(rule, warnings)| warnings.iter().map(move |warning| (rule, warning)))
        .collect();
    all.sort_by_key(|(rule, warning)| (*rule, warning.span));
    let mut seen = BTreeSet::new();
    all.retain(|(rule, warning)| seen.insert((*rule, warning.span, &warning.message)));
    let of = |(rule, warning): (usize, &Diagnostic)| {
        let warning = warning.brief();
        json!({
            "rule": rule,
            "message": warning.message,
            "start": warning.span.map(|span| span.start),
            "end": warning.span.map(|span| span.end),
            "help": warning.help,
        })
    };
    let about_rules = all.into_iter().map(of);
    let names = labels(rules).full;
    let about_pairs = figures::not_compared(report, &names).map(|message| {
        json!({ "rule": null, "message": message, "start": null, "end": null, "help": null })
    });
    about_rules.chain(about_pairs).collect()
}

fn errors(refused: &[Refused]) -> Vec<Json> {
    let of = |(rule, finding): (&Refused, &Diagnostic)| {
        let finding = finding.brief();
        let position = finding.span.map(|span| rule.source.position(span.start));
        json!({
            "rule": rule.rule,
            "name": brief(&rule.name),
            "kind": rule.error.kind().name(),
            "message": finding.message,
            "start": finding.span.map(|span| span.start),
            "end": finding.span.map(|span| span.end),
            "line": position.map(|position| position.line),
            "column": position.map(|position| position.column),
            "probability": rule.error.probability().map(Fraction::to_string),
            "help": finding.help,
        })
    };
    let all = refused.iter();
    all.flat_map(|rule| {
        rule.error
            .diagnostics()
            .iter()
            .map(move |finding| (rule, finding))
    })
    .map(of)
    .collect()
}

/// A name, cut after [`LONGEST_NAME`] characters: it may be the text of the whole rule, and each finding repeats it.
fn brief(name: &str) -> Cow<'_, str> {
    shortened(name, LONGEST_NAME)
}

/// Writes a field of the document whose value is an array, with one line for each entry.
fn array(out: &mut impl io::Write, key: &str, entries: &[Json]) -> io::Result<()> {
    write!(out, "  \"{key}\": [")?;
    for (index, entry) in entries.iter().enumerate() {
        write!(out, "{}\n    ", if index > 0 { "," } else { "" })?;
        put(out, entry)?;
    }
    write!(out, "{}]", if entries.is_empty() { "" } else { "\n  " })
}

/// Writes one value on one line.
fn put(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Spaced);
    Ok(value.serialize(&mut serializer)?)
}

/// The layout of one line with a blank after each comma and colon.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
