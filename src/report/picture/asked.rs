//! What is asked about the values along an axis.

use super::chart::{Bin, Chart};
use super::numbers::place;
use crate::number::Integer;
use crate::report::{Answered, Query};

/// A question about values.
#[derive(Clone, Debug)]
pub(super) struct ValueQuestion {
    /// The question in words. If there is only one rule, its chance follows: `at least 15: 23.1%`.
    pub(super) words: String,
    pub(super) query: Query,
    /// The values in runs, ascending, each from its first to its last value, which may be infinite.
    pub(super) runs: Vec<[f64; 2]>,
}

impl ValueQuestion {
    /// A question about the values of these rules; `None` if it is about something else, or if the values are not known.
    pub(super) fn of(words: String, query: &Query, rules: &[Answered]) -> Option<Self> {
        let unit = &rules.first()?.answer.unit;
        let number = |number: &Integer| place(&unit.fraction(number));
        let runs = match query {
            Query::AtLeast(low) => vec![[number(low)?, f64::INFINITY]],
            Query::AtMost(high) => vec![[f64::NEG_INFINITY, number(high)?]],
            Query::Exactly(value) => vec![[number(value)?; 2]],
            Query::Condition(text) => holding(rules, text, number)?,
            Query::Label(_) => return None,
        };
        let query = query.clone();
        Some(Self { words, query, runs })
    }

    /// The parts of a bin that the question is about, along the axis.
    pub(super) fn parts(&self, chart: &Chart, bin: &Bin) -> Vec<[f64; 2]> {
        let [left, right] = bin.edges;
        let runs = self.runs.iter().filter(|_| bin.values.is_some());
        let runs = runs.filter_map(|run| Some(chart.run(*run)?.0));
        let parts = runs.map(|[from, to]| [from.max(left), to.min(right)]);
        parts.filter(|[from, to]| to - from > 1e-6).collect()
    }

    /// Whether the question is about all of a bin.
    pub(super) fn is_about(&self, chart: &Chart, bin: &Bin) -> bool {
        let parts = self.parts(chart, bin).into_iter();
        parts.map(|[from, to]| to - from).sum::<f64>() > bin.width() - 1e-6
    }
}

/// The values of all rules for which a condition holds, in runs: between the values of a run no rule has another one.
fn holding(
    rules: &[Answered],
    condition: &str,
    place: impl Fn(&Integer) -> Option<f64>,
) -> Option<Vec<[f64; 2]>> {
    let mut values: Vec<(&Integer, bool)> = Vec::new();
    for rule in rules {
        let (holds, numbers) = (rule.holds.get(condition)?, rule.answer.numbers()?);
        values.extend(numbers.outcomes().iter().zip(holds.iter().copied()));
    }
    values.sort();
    values.dedup();
    // A condition that depends on a variable may hold for a value of one rule, and fail for the same value of another rule.
    if values.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    let runs = values.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1);
    runs.map(|run| Some([place(run[0].0)?, place(run[run.len() - 1].0)?]))
        .collect()
}
