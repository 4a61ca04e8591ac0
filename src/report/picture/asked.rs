//! What is asked about the values along an axis.

use super::chart::{Bin, Chart};
use super::numbers::place;
use crate::number::{Fraction, Integer};
use crate::report::{Answered, Query};

/// A question about values.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// What is asked, in words; of the only rule with its chance: `at least 15: 23.1%`.
    pub(super) words: String,
    pub(super) values: Values,
}

/// The values that are asked about.
#[derive(Clone, Debug)]
pub(super) enum Values {
    AtLeast(f64),
    AtMost(f64),
    Exactly(f64),
    /// Those for which a condition holds: runs of them, ascending, each from its first to its last value.
    Holding(Vec<[f64; 2]>),
}

impl Asked {
    /// The parts of a bin that the question is about, along the axis.
    pub(super) fn parts(&self, chart: &Chart, bin: &Bin) -> Vec<[f64; 2]> {
        let [left, right] = bin.edges;
        let runs = self
            .values
            .runs()
            .into_iter()
            .filter(|_| bin.values.is_some());
        let runs = runs.filter_map(|run| Some(chart.run(run)?.0));
        let parts = runs.map(|[from, to]| [from.max(left), to.min(right)]);
        parts.filter(|[from, to]| to - from > 1e-6).collect()
    }

    /// Whether the question is about all of a bin.
    pub(super) fn is_about(&self, chart: &Chart, bin: &Bin) -> bool {
        let parts = self.parts(chart, bin).into_iter();
        parts.map(|[from, to]| to - from).sum::<f64>() > bin.width() - 1e-6
    }
}

impl Values {
    /// The values that a question about these rules is about; `None` if it is about something else, or if they are not known.
    pub(super) fn of(query: &Query, rules: &[Answered]) -> Option<Self> {
        let parts = rules.first()?.answer.unit.parts().to_big();
        let number = || place(&Fraction::new(query.number()?.to_big(), parts));
        match query {
            Query::AtLeast(_) => Some(Self::AtLeast(number()?)),
            Query::AtMost(_) => Some(Self::AtMost(number()?)),
            Query::Exactly(_) => Some(Self::Exactly(number()?)),
            Query::Condition(text) => holding(rules, text).map(Self::Holding),
            Query::Label(_) => None,
        }
    }

    /// The values as runs, each from its first to its last value. A run without an end has an infinite one.
    pub(super) fn runs(&self) -> Vec<[f64; 2]> {
        match self {
            Self::AtLeast(low) => vec![[*low, f64::INFINITY]],
            Self::AtMost(high) => vec![[f64::NEG_INFINITY, *high]],
            Self::Exactly(value) => vec![[*value, *value]],
            Self::Holding(runs) => runs.clone(),
        }
    }
}

/// The values of all rules for which a condition holds, in runs: between the values of a run no rule has another one.
fn holding(rules: &[Answered], condition: &str) -> Option<Vec<[f64; 2]>> {
    let mut values: Vec<(&Integer, bool)> = Vec::new();
    for rule in rules {
        let (holds, numbers) = (rule.holds.get(condition)?, rule.answer.numbers()?);
        values.extend(numbers.outcomes().iter().zip(holds.iter().copied()));
    }
    values.sort();
    values.dedup();
    // A condition that looks at a variable may hold for a value of one rule, and not for the same value of another.
    if values.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    let place = |value: &Integer| place(&Fraction::from_integer(value.to_big()));
    let runs = values.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1);
    runs.map(|run| Some([place(run[0].0)?, place(run[run.len() - 1].0)?]))
        .collect()
}
