//! The columns beside the axis: tails, with the listed values that were cut off, and mass without a value.

use super::axis::typeset;
use super::chance::Chance;
use super::viewport::{Viewport, tail};
use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::number::{Fraction, Integer};
use crate::report::scale::Scale;
use crate::report::sheet::unit_of;
use crate::report::{View, WITHOUT_VALUE, decimal};

/// The least share of mass without a value that is drawn; a smaller share is a line of text.
const LEAST_DRAWN: f64 = 0.000_5;

/// A column for mass that has no place on the axis, with the chance of each series.
#[derive(Debug)]
pub(super) struct Extra {
    pub(super) label: String,
    pub(super) chances: Vec<Chance>,
    /// The first and the last of the values that are gathered, as places; the last of a tail is infinite. `None` for mass without a
    /// value.
    pub(super) values: Option<[f64; 2]>,
    /// Whether the axis has a gap before the values.
    pub(super) is_far: bool,
}

impl Extra {
    /// Whether all values of the column are within a run, between edges.
    pub(super) fn is_within(&self, [low, high]: [f64; 2]) -> bool {
        let is_within = |[first, last]: [f64; 2]| low <= first && last <= high;
        self.values.is_some_and(is_within)
    }

    /// Whether the column stands for one value.
    pub(super) fn is_one(&self) -> bool {
        self.values.is_some_and(|[first, last]| first >= last)
    }
}

/// What is known of the rules whose columns are wanted.
pub(super) struct Beside<'a> {
    pub(super) answers: &'a [&'a Answer],
    pub(super) numbers: &'a [&'a Distribution<Integer>],
    pub(super) means: &'a [Option<f64>],
    pub(super) viewport: &'a Viewport,
    /// The first and the last value that is no outlier.
    pub(super) near: (i64, i64),
    /// The distance of neighbouring values.
    pub(super) lattice: i64,
    pub(super) view: View,
}

impl Beside<'_> {
    /// The columns on the left and on the right: tails, with the listed values that were cut off; values far from all others, and
    /// those that take a mean off the axis; mass without a value. What has no column is noted.
    pub(super) fn columns(&self, notes: &mut Vec<String>) -> (Vec<Extra>, Vec<Extra>) {
        let answers = self.answers;
        let mut extras = [Vec::new(), Vec::new()];
        let mut unseen = Vec::new();
        let mut hidden = vec![Weight::ZERO; answers.len()];
        for (side, extras) in self.sides().into_iter().zip(&mut extras) {
            let silent = if side.above {
                self.view == View::AtMost
            } else {
                self.view == View::AtLeast
            };
            let gathered = self.gathered(&side);
            if silent {
                if let Some(far) = gathered.filter(|column| column.is_far) {
                    let most = at_most(answers, &far.weights);
                    notes.push(format!("not shown: {} ({most})", far.label));
                } else if let Some(text) = self.unseen(&side, None) {
                    unseen.push(text);
                    let beyond = side
                        .tails
                        .iter()
                        .filter(|(_, tail)| side.is_beyond(&tail.bound));
                    let beyond = beyond.map(|(rule, tail)| (*rule, &tail.weight));
                    let cut = side.cut.weights.iter().enumerate();
                    for (rule, weight) in cut.chain(beyond) {
                        hidden[rule] += weight;
                    }
                }
                continue;
            }
            if let Some(text) = self.unseen(&side, gathered.as_ref()) {
                unseen.push(text);
                for (hidden, weight) in hidden.iter_mut().zip(&side.cut.weights) {
                    *hidden += weight;
                }
            }
            for column in self.with_tails(&side, gathered) {
                if column.is_far && answers.len() > 1 {
                    let most = at_most(answers, &column.weights);
                    notes.push(format!("far from the others: {} ({most})", column.label));
                }
                extras.push(Extra {
                    chances: chances(answers, &column.weights),
                    label: column.label,
                    values: Some(column.values),
                    is_far: column.is_far,
                });
            }
        }
        if !unseen.is_empty() {
            let most = at_most(answers, &hidden);
            let unseen = unseen.join(" and ");
            notes.push(format!("not shown: values {unseen} (together {most})"));
        }
        let [left, mut right] = extras;
        right.extend(self.without_value(notes));
        (left, right)
    }

    /// The columns of mass without a value.
    fn without_value(&self, notes: &mut Vec<String>) -> Vec<Extra> {
        let mut columns = Vec::new();
        for (label, weight) in WITHOUT_VALUE {
            let weights: Vec<Weight> = self.answers.iter().map(|answer| weight(answer)).collect();
            let chances = chances(self.answers, &weights);
            let most = chances.iter().map(|chance| chance.share);
            let most = most.fold(0.0, f64::max);
            if most >= LEAST_DRAWN && self.view == View::Exactly {
                columns.push(Extra {
                    label: label.into(),
                    chances,
                    values: None,
                    is_far: false,
                });
            } else if most > 0.0 {
                notes.push(format!("{label}: {}", at_most(self.answers, &weights)));
            }
        }
        columns
    }

    /// What lies beyond the axis, below and above.
    fn sides(&self) -> [Side<'_>; 2] {
        let mut sides = [false, true].map(|above| {
            let tails = self.answers.iter().enumerate();
            let tails = tails.filter_map(|(rule, answer)| Some((rule, tail(answer, above)?)));
            Side {
                above,
                end: if above {
                    self.viewport.high
                } else {
                    self.viewport.low
                },
                cut: Cut::nothing(self.answers.len()),
                outliers: Cut::nothing(self.answers.len()),
                tails: tails.collect(),
            }
        });
        for (rule, numbers) in self.numbers.iter().enumerate() {
            for (outcome, weight) in numbers.iter() {
                let value = outcome.to_i64().unwrap_or(i64::MAX);
                let side = match value {
                    _ if value < self.viewport.low => &mut sides[0],
                    _ if value > self.viewport.high => &mut sides[1],
                    _ => continue,
                };
                if value < self.near.0 || self.near.1 < value {
                    side.outliers.add(rule, value, weight);
                } else {
                    side.cut.add(rule, value, weight);
                }
            }
        }
        sides
    }

    /// A value as people read it.
    fn show(&self, value: i64) -> String {
        typeset(&unit_of(self.answers).show(&value.into()))
    }

    /// The column of outliers, or else of values that were cut off where a tail follows them or a mean lies among them.
    fn gathered(&self, side: &Side) -> Option<Column> {
        let parts = unit_of(self.answers).parts().to_big();
        let parts = decimal::nearest(&Fraction::from_integer(parts));
        let place = |value: i64| value as f64 / parts;
        let has_tail = side
            .tails
            .iter()
            .any(|(_, tail)| side.is_beyond(&tail.bound));
        let is_off = |mean: &f64| {
            if side.above {
                *mean > place(side.end)
            } else {
                *mean < place(side.end)
            }
        };
        let is_far = side.outliers.values.is_some();
        let cut = if is_far { &side.outliers } else { &side.cut };
        let [first, last] = cut.values?;
        if !is_far && !has_tail && !self.means.iter().flatten().any(is_off) {
            return None;
        }
        let label = match (is_far, side.above) {
            _ if first == last && !has_tail => self.show(first),
            (true, true) => side.label(&self.show(first)),
            (true, false) => side.label(&self.show(last)),
            (false, true) => side.label(&self.show(side.end + self.lattice)),
            (false, false) => side.label(&self.show(side.end - self.lattice)),
        };
        let values = match (has_tail, side.above) {
            (true, true) => [place(first), f64::INFINITY],
            (true, false) => [f64::NEG_INFINITY, place(last)],
            (false, _) => [place(first), place(last)],
        };
        Some(Column {
            label,
            weights: cut.weights.clone(),
            values,
            is_far,
        })
    }

    /// The words for the values that were cut off and have no column.
    fn unseen(&self, side: &Side, gathered: Option<&Column>) -> Option<String> {
        let [first, last] = side.cut.values?;
        match (gathered, side.above) {
            (Some(column), _) if column.is_far => {
                Some(format!("from {} to {}", self.show(first), self.show(last)))
            }
            (Some(_), _) => None,
            (None, true) => Some(format!("above {}", self.show(side.end))),
            (None, false) => Some(format!("below {}", self.show(side.end))),
        }
    }

    /// The columns of a side: that of gathered values, which has the tails beyond them, and those of other tails.
    fn with_tails(&self, side: &Side, gathered: Option<Column>) -> Vec<Column> {
        let unit = unit_of(self.answers);
        let is_joined = gathered.is_some();
        let mut columns: Vec<Column> = gathered.into_iter().collect();
        for (rule, tail) in &side.tails {
            let label = if is_joined && side.is_beyond(&tail.bound) {
                columns[0].label.clone()
            } else {
                side.label(&typeset(&unit.show(&tail.bound)))
            };
            let found = columns.iter().position(|other| other.label == label);
            let index = found.unwrap_or_else(|| {
                let bound = decimal::nearest(&unit.fraction(&tail.bound));
                columns.push(Column {
                    label,
                    weights: vec![Weight::ZERO; self.answers.len()],
                    values: if side.above {
                        [bound, f64::INFINITY]
                    } else {
                        [f64::NEG_INFINITY, bound]
                    },
                    is_far: false,
                });
                columns.len() - 1
            });
            columns[index].weights[*rule] += &tail.weight;
        }
        columns
    }
}

/// What lies beyond one end of the axis.
struct Side<'a> {
    above: bool,
    /// The last value on the axis.
    end: i64,
    cut: Cut,
    /// The values far from all others.
    outliers: Cut,
    /// The tails, with the indexes of their rules.
    tails: Vec<(usize, &'a Tail)>,
}

impl Side<'_> {
    /// Whether a tail with this bound begins beyond the axis.
    fn is_beyond(&self, bound: &Integer) -> bool {
        let end = Integer::from(self.end);
        if self.above {
            *bound > end
        } else {
            *bound < end
        }
    }

    /// The label of a column of the values from a bound on.
    fn label(&self, bound: &str) -> String {
        let sign = if self.above { '≥' } else { '≤' };
        format!("{sign}{bound}")
    }
}

/// The values that were cut off, from the first to the last, with their weights.
struct Cut {
    values: Option<[i64; 2]>,
    weights: Vec<Weight>,
}

impl Cut {
    fn nothing(rules: usize) -> Self {
        Self {
            values: None,
            weights: vec![Weight::ZERO; rules],
        }
    }

    fn add(&mut self, rule: usize, value: i64, weight: &Weight) {
        let [first, last] = self.values.unwrap_or([value, value]);
        self.values = Some([first.min(value), last.max(value)]);
        self.weights[rule] += weight;
    }
}

/// A column in the making.
struct Column {
    label: String,
    weights: Vec<Weight>,
    values: [f64; 2],
    is_far: bool,
}

/// The text of the highest of the chances.
pub(super) fn at_most(answers: &[&Answer], weights: &[Weight]) -> String {
    let highest = answers
        .iter()
        .map(|answer| answer.total())
        .zip(weights)
        .max_by(|(a_total, a), (b_total, b)| (*a * *b_total).cmp(&(*b * *a_total)));
    let text = highest.map_or_else(String::new, |(total, weight)| {
        let digits = match Scale::new(total).nearest(weight) {
            0.01.. => 1,
            0.001.. => 2,
            0.000_1.. => 3,
            _ => 5,
        };
        Scale::new(total).percent(weight, digits)
    });
    if answers.len() > 1 {
        format!("at most {text} of each rule")
    } else {
        text
    }
}

fn chances(answers: &[&Answer], weights: &[Weight]) -> Vec<Chance> {
    let pairs = answers.iter().zip(weights);
    pairs
        .map(|(answer, weight)| {
            let digits = if Scale::new(answer.total()).nearest(weight) < 0.001 {
                2
            } else {
                1
            };
            Chance::new(weight, &mut Scale::new(answer.total()), digits)
        })
        .collect()
}
