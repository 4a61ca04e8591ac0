//! One answered rule: its text, its outcomes, its summary and what was asked of it.

use num_traits::Zero;
use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};

use super::numbers::{self, Between, Exact, Number, ends, number};
use crate::algebra::{self, Weight};
use crate::engine::{Answer, MemberRef, Method, Outcomes, Sampling, Value};
use crate::number::{Integer, Unit};
use crate::report::chance::Chance;
use crate::report::fraction::LowestTerms;
use crate::report::scale::Scale;
use crate::report::{Answered, Query, Style, decimal};
use crate::summary::{Figure, Summary, quantile};

/// The fields of one rule.
#[derive(Serialize)]
pub(super) struct Fields<'a> {
    rule: usize,
    name: &'a str,
    expression: &'a str,
    dialect: Option<&'a str>,
    #[serde(serialize_with = "as_map")]
    parameters: Vec<(&'a str, Number)>,
    method: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<numbers::Figure>,
    outcomes: Listed<'a>,
    tail: Option<Tails>,
    unresolved: Option<Mass>,
    never_ends: Option<Mass>,
    mean: Option<Exact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_between: Option<Between<Exact>>,
    variance: Option<Exact>,
    moments: &'static str,
    standard_deviation: Option<f64>,
    skewness: Option<f64>,
    excess_kurtosis: Option<f64>,
    median: Option<Number>,
    mode: Option<Vec<ValueOf<'a>>>,
    min: Option<Number>,
    max: Option<Number>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    percentiles: Vec<PercentileOf>,
    queries: Vec<Asked<'a>>,
    sampling: Option<Sampled>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(rule: &'a Answered, summary: &Summary, style: &'a Style) -> Self {
        let answer = &rule.answer;
        let of_answer = |value: &Integer| number(value, &answer.unit);
        let parameters = rule.parameters.iter();
        let parts = answer.shape.parts().map_or(&[][..], |parts| parts);
        let mode = summary.mode.as_ref().map(|places| {
            let values = places.iter().map(|place| answer.outcomes().value(*place));
            values.map(|value| ValueOf { value, answer }).collect()
        });
        let skewness = summary.skewness.finite();
        let percentiles = style.percentiles.iter().map(|percentile| PercentileOf {
            percentile: percentile.share(),
            value: quantile(answer, &percentile.part()).map(|value| of_answer(&value)),
        });
        let queries = style.queries.iter();
        Self {
            rule: rule.rule,
            name: &rule.name,
            expression: &rule.expression,
            dialect: rule.dialect.as_deref(),
            parameters: parameters
                .map(|(name, value)| (name.as_str(), number(value, &Unit::WHOLE)))
                .collect(),
            method: match &answer.method {
                Method::Exact => "exact",
                Method::ExactWithTail => "exact-with-tail",
                Method::ExactWithUnresolved => "exact-with-unresolved",
                Method::Sampled(_) => "sampled",
            },
            kind: kind(rule),
            parts: parts.iter().map(|part| &*part.name).collect(),
            given: answer
                .given
                .clone()
                .map(|[low, high]| numbers::Figure::from(&Figure::between(low, high))),
            outcomes: Listed(answer),
            tail: Tails::of(answer),
            unresolved: Mass::of(answer, &answer.unresolved()),
            never_ends: Mass::of(answer, &answer.never_ends()),
            mean: Exact::moment(&summary.mean),
            mean_between: ends(&summary.mean),
            variance: Exact::moment(&summary.variance),
            moments: if summary.conditional {
                "conditional"
            } else {
                "unconditional"
            },
            standard_deviation: summary.variance.finite().map(decimal::nearest_root),
            skewness: skewness.map(|it| decimal::nearest_signed_root(it.sign, &it.square)),
            excess_kurtosis: summary.excess_kurtosis.finite().map(decimal::nearest),
            median: summary.median.as_ref().map(of_answer),
            mode,
            min: summary.min.as_ref().map(of_answer),
            max: summary.max.as_ref().map(of_answer),
            percentiles: percentiles.collect(),
            queries: queries.map(|asked| query(rule, asked)).collect(),
            sampling: answer.sampling().map(Sampled::new),
        }
    }
}

/// What the values of a rule are.
fn kind(rule: &Answered) -> &'static str {
    let shape = &rule.answer.shape;
    match rule.answer.outcomes() {
        Outcomes::Numbers(_) if rule.is_condition => "condition",
        Outcomes::Numbers(_) => "number",
        Outcomes::Members(_) if shape.is_single() && shape.parts().is_none() => "label",
        Outcomes::Members(_) if shape.is_single() => "record",
        _ if rule.ordered => "sequence",
        _ => "multiset",
    }
}

/// Writes pairs as an object.
fn as_map<S: Serializer, K: Serialize, V: Serialize>(
    pairs: &[(K, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

/// The listed outcomes of an answer.
struct Listed<'a>(&'a Answer);

/// A listed outcome.
#[derive(Serialize)]
struct Outcome<'a> {
    value: ValueOf<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<String>,
    decimal: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = self.0;
        let scale = Scale::new(answer.total());
        let mut terms = LowestTerms::new(answer.total());
        let mut outcomes = serializer.serialize_seq(None)?;
        for (index, (value, weight)) in answer.outcomes().iter().enumerate() {
            let sampling = answer.sampling();
            let interval = sampling.and_then(|sampling| sampling.intervals.get(index));
            outcomes.serialize_element(&Outcome {
                value: ValueOf { value, answer },
                probability: sampling.is_none().then(|| terms.text(weight)),
                decimal: scale.nearest(weight),
                low: interval.map(|interval| decimal::nearest(&interval.low)),
                high: interval.map(|interval| decimal::nearest(&interval.high)),
            })?;
        }
        outcomes.end()
    }
}

/// A value of an answer.
struct ValueOf<'a> {
    value: Value<'a>,
    answer: &'a Answer,
}

impl Serialize for ValueOf<'_> {
    /// A list is written member by member, because it may be long.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (value, shape) = (self.value, &self.answer.shape);
        let mut members = value.members().map(|member| match member {
            MemberRef::Label(label) => Subject::Text(&label.text),
            MemberRef::Number(value) => Subject::Number(number(value, &self.answer.unit)),
        });
        match shape.parts() {
            _ if matches!(value, Value::Number(_)) => members.next().serialize(serializer),
            None if shape.is_single() => members.next().serialize(serializer),
            None => serializer.collect_seq(members),
            Some(parts) => {
                let names = || parts.iter().map(|part| &*part.name);
                if shape.is_single() {
                    return serializer.collect_map(names().zip(members));
                }
                let members: Vec<Subject> = members.collect();
                let records = members.chunks(parts.len());
                serializer.collect_seq(records.map(|record| Record(names().zip(record).collect())))
            }
        }
    }
}

/// A record in a list.
#[derive(Serialize)]
#[serde(transparent)]
struct Record<'a>(#[serde(serialize_with = "as_map")] Vec<(&'a str, &'a Subject<'a>)>);

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

/// The tail on one side of the listed outcomes, or those on both.
#[derive(Serialize)]
#[serde(untagged)]
enum Tails {
    One(Tail),
    Both([Tail; 2]),
}

/// A tail on one side of the listed outcomes.
#[derive(Serialize)]
struct Tail {
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<Number>,
    #[serde(flatten)]
    mass: Option<Mass>,
}

impl Tails {
    fn of(answer: &Answer) -> Option<Self> {
        let [below, above] = [answer.below(), answer.above()];
        let bound = |tail: Option<&algebra::Tail>| Some(number(&tail?.bound, &answer.unit));
        let below = below.map(|tail| Tail {
            at_most: bound(below),
            at_least: None,
            mass: Mass::of(answer, &tail.weight),
        });
        let above = above.map(|tail| Tail {
            at_most: None,
            at_least: bound(above),
            mass: Mass::of(answer, &tail.weight),
        });
        match (below, above) {
            (Some(below), Some(above)) => Some(Self::Both([below, above])),
            (below, above) => below.or(above).map(Self::One),
        }
    }
}

/// Mass on no listed outcome.
#[derive(Serialize)]
struct Mass {
    probability: String,
    decimal: f64,
}

impl Mass {
    /// The mass, if there is any.
    fn of(answer: &Answer, weight: &Weight) -> Option<Self> {
        let probability = answer.probability(weight);
        (!weight.is_zero()).then(|| Self {
            probability: probability.to_string(),
            decimal: decimal::nearest(&probability),
        })
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
