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
        self.values.is_some_and(|[first, last]| first == last)
    }
}

/// The columns on the left and on the right: tails, with the listed values that were cut off; values far from all others, and those
/// that take a mean off the axis; mass without a value.
pub(super) fn extras(
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    means: &[Option<f64>],
    viewport: &Viewport,
    near: (i64, i64),
    lattice: i64,
    view: View,
    notes: &mut Vec<String>,
) -> (Vec<Extra>, Vec<Extra>) {
    let unit = unit_of(answers);
    let parts = decimal::nearest(&Fraction::from_integer(unit.parts().to_big()));
    let show = |value: i64| typeset(&unit.show(&value.into()));
    let mut sides = [Vec::new(), Vec::new()];
    let mut unseen = Vec::new();
    let mut hidden = vec![Weight::ZERO; answers.len()];
    let nothing = || [(); 2].map(|()| Cut::nothing(answers.len()));
    let (mut cut_off, mut outliers) = (nothing(), nothing());
    for (rule, numbers) in numbers.iter().enumerate() {
        for (outcome, weight) in numbers.iter() {
            let value = outcome.to_i64().unwrap_or(i64::MAX);
            let sides = if value < near.0 || near.1 < value {
                &mut outliers
            } else {
                &mut cut_off
            };
            if value < viewport.low {
                sides[0].add(rule, value, weight);
            } else if value > viewport.high {
                sides[1].add(rule, value, weight);
            }
        }
    }
    for (side, (cut, outliers)) in cut_off.into_iter().zip(outliers).enumerate() {
        let above = side == 1;
        let (sign, end) = if above {
            ('≥', viewport.high)
        } else {
            ('≤', viewport.low)
        };
        let silent = view == if above { View::AtMost } else { View::AtLeast };
        let tails: Vec<(usize, &Tail)> = answers
            .iter()
            .enumerate()
            .filter_map(|(rule, answer)| Some((rule, tail(answer, above)?)))
            .collect();
        let is_beyond = |bound: &Integer| match above {
            true => *bound > Integer::from(end),
            false => *bound < Integer::from(end),
        };
        let place = |value: i64| value as f64 / parts;
        let mut columns: Vec<Column> = Vec::new();
        let mut is_joined = false;
        let has_tail = tails.iter().any(|(_, tail)| is_beyond(&tail.bound));
        let is_off = |mean: &f64| {
            if above {
                *mean > place(end)
            } else {
                *mean < place(end)
            }
        };
        let takes_mean = || means.iter().flatten().any(is_off);
        let is_far = outliers.values.is_some();
        let is_cut = cut.values.is_some();
        let gathered = if is_far {
            Some(&outliers)
        } else {
            Some(&cut).filter(|_| is_cut && (has_tail || takes_mean()))
        };
        if let Some((Cut { weights, .. }, [first, last])) =
            gathered.and_then(|cut| Some((cut, cut.values?)))
        {
            let bound = match (is_far, above) {
                (true, true) => first,
                (true, false) => last,
                (false, true) => end + lattice,
                (false, false) => end - lattice,
            };
            let is_one = first == last && !has_tail;
            is_joined = true;
            columns.push(Column {
                label: if is_one {
                    show(first)
                } else {
                    format!("{sign}{}", show(bound))
                },
                weights: weights.clone(),
                values: match (has_tail, above) {
                    (true, true) => [place(first), f64::INFINITY],
                    (true, false) => [f64::NEG_INFINITY, place(last)],
                    (false, _) => [place(first), place(last)],
                },
                is_far,
            });
        }
        if let Some([first, last]) = cut.values.filter(|_| !silent && (is_far || !is_joined)) {
            unseen.push(match (is_far, above) {
                (true, _) => format!("from {} to {}", show(first), show(last)),
                (false, true) => format!("above {}", show(end)),
                (false, false) => format!("below {}", show(end)),
            });
            for (hidden, weight) in hidden.iter_mut().zip(&cut.weights) {
                *hidden += weight;
            }
        }
        for (rule, tail) in &tails {
            // The values that were cut off and the tails beyond them share one column.
            let label = if is_joined && is_beyond(&tail.bound) {
                columns[0].label.clone()
            } else {
                format!("{sign}{}", typeset(&unit.show(&tail.bound)))
            };
            let found = columns.iter().position(|other| other.label == label);
            let index = found.unwrap_or_else(|| {
                let bound = decimal::nearest(&unit.fraction(&tail.bound));
                columns.push(Column {
                    label,
                    weights: vec![Weight::ZERO; answers.len()],
                    values: if above {
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
        for column in columns.into_iter().filter(|_| !silent) {
            if column.is_far && answers.len() > 1 {
                let most = at_most(answers, &column.weights);
                notes.push(format!("far from the others: {} ({most})", column.label));
            }
            sides[side].push(Extra {
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
    for (label, weight) in WITHOUT_VALUE {
        let weights: Vec<Weight> = answers.iter().map(|answer| weight(answer)).collect();
        let chances = chances(answers, &weights);
        let most = chances.iter().map(|chance| chance.share);
        let most = most.fold(0.0, f64::max);
        if most >= LEAST_DRAWN && view == View::Exactly {
            sides[1].push(Extra {
                label: label.into(),
                chances,
                values: None,
                is_far: false,
            });
        } else if most > 0.0 {
            notes.push(format!("{label}: {}", at_most(answers, &weights)));
        }
    }
    let [left, right] = sides;
    (left, right)
}

/// The values that were cut off at one end, from the first to the last, with their weights.
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
fn at_most(answers: &[&Answer], weights: &[Weight]) -> String {
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
