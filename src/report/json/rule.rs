//! One answered rule: its text, its outcomes, its summary and what was asked of it.

use std::io;

use num_traits::Zero;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::layout::put;
use super::numbers::{ends, figure, integer, moment, number, put_number};
use crate::algebra::Weight;
use crate::engine::{Answer, MemberRef, Method, Outcomes, Value};
use crate::number::Integer;
use crate::report::fraction::LowestTerms;
use crate::report::scale::Scale;
use crate::report::{Answered, Query, Style, decimal};
use crate::summary::{Figure, Summary};

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

/// A question with its chance.
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
