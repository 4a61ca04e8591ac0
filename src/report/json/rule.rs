//! One answered rule: its text, its outcomes, its summary and what was asked of it.

use std::io;

use num_traits::Zero;
use serde::Serialize;
use serde::ser::Serializer;

use super::layout::Lines;
use super::numbers::{self, Exact, Number, ends, number};
use crate::algebra::{self, Weight};
use crate::engine::{Answer, MemberRef, Method, Outcomes, Sampling, Value};
use crate::number::{Integer, Unit};
use crate::report::chance::Chance;
use crate::report::fraction::LowestTerms;
use crate::report::share::Share;
use crate::report::{Answered, Query, Style, decimal};
use crate::summary::{Figure, Summary, quantile};

/// Writes the fields of one rule. Some fields are left out if they would say nothing.
pub(super) fn write<W: io::Write>(
    rule: &Answered,
    summary: &Summary,
    style: &Style,
    fields: &mut Lines<'_, W>,
) -> io::Result<()> {
    let answer = &rule.answer;
    let number = |value: &Integer| number(value, &answer.unit);
    let mass = |weight: Weight| Mass::of(answer, &weight);
    fields.field("rule", &rule.rule)?;
    fields.field("name", &rule.name)?;
    fields.field("expression", &rule.expression)?;
    fields.field("dialect", &rule.dialect)?;
    let parameters = rule.parameters.iter();
    let parameters = parameters.map(|(name, value)| (name, numbers::number(value, &Unit::WHOLE)));
    fields.field("parameters", &Map(parameters.collect()))?;
    let method = match &answer.method {
        Method::Exact => "exact",
        Method::ExactWithTail => "exact-with-tail",
        Method::ExactWithUnresolved => "exact-with-unresolved",
        Method::Sampled(_) => "sampled",
    };
    fields.field("method", method)?;
    fields.field("kind", kind(rule))?;
    if let Some(parts) = answer.shape.parts() {
        let names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
        fields.field("parts", &names)?;
    }
    if let Some([low, high]) = answer.given.clone() {
        let given = numbers::Figure::from(&Figure::between(low, high));
        fields.field("given", &given)?;
    }
    fields.array("outcomes", outcomes(answer))?;
    fields.field("tail", &Tails::of(answer))?;
    fields.field("unresolved", &mass(answer.unresolved()))?;
    fields.field("never_ends", &mass(answer.never_ends()))?;
    fields.field("mean", &Exact::moment(&summary.mean))?;
    if let Some(ends) = ends(&summary.mean) {
        fields.field("mean_between", &ends)?;
    }
    fields.field("variance", &Exact::moment(&summary.variance))?;
    let moments = if summary.conditional {
        "conditional"
    } else {
        "unconditional"
    };
    fields.field("moments", moments)?;
    let deviation = summary.variance.finite().map(decimal::nearest_root);
    fields.field("standard_deviation", &deviation)?;
    let skewness = summary.skewness.finite();
    let skewness = skewness.map(|it| decimal::nearest_signed_root(it.sign, &it.square));
    fields.field("skewness", &skewness)?;
    let kurtosis = summary.excess_kurtosis.finite().map(decimal::nearest);
    fields.field("excess_kurtosis", &kurtosis)?;
    fields.field("median", &summary.median.as_ref().map(number))?;
    let mode = summary.mode.as_ref().map(|places| {
        let values = places.iter().map(|place| answer.outcomes().value(*place));
        let values = values.map(|value| ValueOf { value, answer });
        values.collect::<Vec<_>>()
    });
    fields.field("mode", &mode)?;
    fields.field("min", &summary.min.as_ref().map(number))?;
    fields.field("max", &summary.max.as_ref().map(number))?;
    if !style.percentiles.is_empty() {
        let percentiles = style.percentiles.iter().map(|percentile| PercentileOf {
            percentile: percentile.share(),
            value: quantile(answer, &percentile.part()).map(|value| number(&value)),
        });
        fields.field("percentiles", &percentiles.collect::<Vec<_>>())?;
    }
    let queries = style.queries.iter().map(|asked| query(rule, asked));
    fields.field("queries", &queries.collect::<Vec<_>>())?;
    fields.field("sampling", &answer.sampling().map(Sampled::new))
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

/// Pairs as an object.
struct Map<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

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

/// The listed outcomes of an answer.
fn outcomes(answer: &Answer) -> impl Iterator<Item = Outcome<'_>> {
    let mut terms = LowestTerms::new(answer.total());
    let outcomes = answer.outcomes().iter().enumerate();
    outcomes.map(move |(index, (value, weight))| {
        let sampling = answer.sampling();
        let interval = sampling.and_then(|sampling| sampling.intervals.get(index));
        Outcome {
            value: ValueOf { value, answer },
            probability: sampling.is_none().then(|| terms.text(weight)),
            decimal: Share::new(weight, answer.total()).nearest(),
            low: interval.map(|interval| decimal::nearest(&interval.low)),
            high: interval.map(|interval| decimal::nearest(&interval.high)),
        }
    })
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
                serializer.collect_seq(records.map(|record| Map(names().zip(record).collect())))
            }
        }
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
struct AnsweredQuestion<'a> {
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

fn query<'a>(rule: &Answered, query: &'a Query) -> AnsweredQuestion<'a> {
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
    AnsweredQuestion {
        query: query.name(),
        value,
        probability: known.map(numbers::Figure::from),
        decimal: single.map(decimal::nearest),
        low: seen.map(|seen| decimal::nearest(seen.low())),
        high: seen.map(|seen| decimal::nearest(seen.high())),
    }
}
