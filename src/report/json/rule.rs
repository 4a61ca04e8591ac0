//! One answered rule: its text, its outcomes, its summary and what was asked of it.

use std::io;

use num_traits::Zero;
use serde::Serialize;

use super::layout::{put, put_map};
use super::numbers::{self, Exact, Number, ends, number, put_number};
use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef, Method, Outcomes, Sampling, Value};
use crate::number::{Integer, Unit};
use crate::report::chance::Chance;
use crate::report::fraction::LowestTerms;
use crate::report::scale::Scale;
use crate::report::{Answered, Query, Style, decimal};
use crate::summary::{Figure, Summary, quantile};

/// The fields of one rule, each on its own line.
pub(super) struct Object<'w, W> {
    out: &'w mut W,
    empty: bool,
}

impl<'w, W: io::Write> Object<'w, W> {
    /// An object without fields so far.
    pub(super) fn new(out: &'w mut W) -> Self {
        Self { out, empty: true }
    }

    fn key(&mut self, key: &str) -> io::Result<()> {
        let comma = if self.empty { "" } else { "," };
        self.empty = false;
        write!(self.out, "{comma}\n      \"{key}\": ")
    }

    fn field(&mut self, key: &str, value: &impl Serialize) -> io::Result<()> {
        self.key(key)?;
        put(self.out, value)
    }

    /// Writes all fields of a rule.
    pub(super) fn rule(
        &mut self,
        rule: &Answered,
        summary: &Summary,
        style: &Style,
    ) -> io::Result<()> {
        let answer = &rule.answer;
        self.field("rule", &rule.rule)?;
        self.field("name", &rule.name)?;
        self.field("expression", &rule.expression)?;
        self.field("dialect", &rule.dialect)?;
        let parameters = rule.parameters.iter();
        let parameters = parameters.map(|(name, value)| (name, number(value, &Unit::WHOLE)));
        self.key("parameters")?;
        put_map(self.out, parameters)?;
        let (method, sampling) = match &answer.method {
            Method::Exact => ("exact", None),
            Method::ExactWithTail => ("exact-with-tail", None),
            Method::ExactWithUnresolved => ("exact-with-unresolved", None),
            Method::Sampled(sampling) => ("sampled", Some(Sampled::new(sampling))),
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
        if let Some([low, high]) = answer.given.clone() {
            let given = Figure::between(low, high);
            self.field("given", &numbers::Figure::from(&given))?;
        }
        self.outcomes(answer)?;
        self.unlisted(answer)?;
        self.summary(summary, answer)?;
        if !style.percentiles.is_empty() {
            let percentiles = style.percentiles.iter();
            let percentiles = percentiles.map(|percentile| PercentileOf {
                percentile: percentile.share(),
                value: quantile(answer, &percentile.part())
                    .map(|value| number(&value, &answer.unit)),
            });
            self.field("percentiles", &percentiles.collect::<Vec<_>>())?;
        }
        let queries: Vec<Asked> = style
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
            return self.field("mode", &());
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
        let ends = [
            (End::AtMost, answer.below()),
            (End::AtLeast, answer.above()),
        ];
        let tails = ends.into_iter().filter_map(|(end, tail)| {
            let tail = tail?;
            let bound = number(&tail.bound, &answer.unit);
            let [at_most, at_least] = match end {
                End::AtMost => [Some(bound), None],
                End::AtLeast => [None, Some(bound)],
            };
            Some(Tail {
                at_most,
                at_least,
                mass: Mass::new(answer, &tail.weight),
            })
        });
        let tails: Vec<Tail> = tails.collect();
        match &tails[..] {
            [] => self.field("tail", &())?,
            [tail] => self.field("tail", tail)?,
            tails => self.field("tail", &tails)?,
        }
        self.mass("unresolved", answer, &answer.unresolved())?;
        self.mass("never_ends", answer, &answer.never_ends())
    }

    fn mass(&mut self, key: &str, answer: &Answer, weight: &Weight) -> io::Result<()> {
        let mass = (!weight.is_zero()).then(|| Mass::new(answer, weight));
        self.field(key, &mass)
    }

    fn summary(&mut self, summary: &Summary, answer: &Answer) -> io::Result<()> {
        self.field("mean", &Exact::moment(&summary.mean))?;
        if let Some(ends) = ends(&summary.mean) {
            self.field("mean_between", &ends)?;
        }
        self.field("variance", &Exact::moment(&summary.variance))?;
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

/// How a rule was sampled.
#[derive(Serialize)]
struct Sampled {
    samples: u64,
    seed: u64,
    steps: u64,
    confidence: f64,
    bounds: &'static str,
    unseen: f64,
    band: f64,
}

impl Sampled {
    fn new(sampling: &Sampling) -> Self {
        Self {
            samples: sampling.samples,
            seed: sampling.seed,
            steps: sampling.steps,
            confidence: decimal::nearest(&sampling.confidence),
            bounds: "Chernoff's for all values together and for all queries; Massart's for the cumulative curve",
            unseen: decimal::nearest(&sampling.unseen),
            band: decimal::nearest(&sampling.band),
        }
    }
}

/// A percentile that is asked for; no value if it is not known.
#[derive(Serialize)]
struct PercentileOf {
    percentile: String,
    value: Option<Number>,
}

/// A side of the listed outcomes.
enum End {
    AtMost,
    AtLeast,
}

/// A tail on one side of the listed outcomes.
#[derive(Serialize)]
struct Tail {
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<Number>,
    #[serde(flatten)]
    mass: Mass,
}

/// Mass on no listed outcome.
#[derive(Serialize)]
struct Mass {
    probability: String,
    decimal: f64,
}

impl Mass {
    fn new(answer: &Answer, weight: &Weight) -> Self {
        let probability = answer.probability(weight);
        Self {
            probability: probability.to_string(),
            decimal: decimal::nearest(&probability),
        }
    }
}

/// A question with its chance: exact or between two ends, or the share of the rolls with its bounds.
#[derive(Serialize)]
struct Asked<'a> {
    query: &'static str,
    value: Subject<'a>,
    probability: Option<numbers::Figure>,
    decimal: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
}

/// What is asked about.
#[derive(Serialize)]
#[serde(untagged)]
enum Subject<'a> {
    Number(Number),
    Text(&'a str),
}

fn query<'a>(rule: &Answered, query: &'a Query) -> Asked<'a> {
    let chance = Chance::of(query, rule);
    let value = match query {
        Query::AtLeast(value) | Query::AtMost(value) | Query::Exactly(value) => {
            Subject::Number(number(value, &rule.answer.unit))
        }
        Query::Label(text) | Query::Condition(text) => Subject::Text(text),
    };
    let (seen, known) = match &chance {
        Some(chance) if chance.is_seen() => (Some(&chance.known), None),
        chance => (None, chance.as_ref().map(|chance| &chance.known)),
    };
    let single = chance.as_ref().and_then(Chance::single);
    Asked {
        query: query.name(),
        value,
        probability: known.map(numbers::Figure::from),
        decimal: single.map(decimal::nearest),
        low: seen.map(|seen| decimal::nearest(seen.low())),
        high: seen.map(|seen| decimal::nearest(seen.high())),
    }
}
