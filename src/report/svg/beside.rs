//! The columns beside the axis: tails, with the listed values that were cut off, and mass without a value.

use num_traits::Zero;

use super::axis::typeset;
use super::chance::Chance;
use super::viewport::{Viewport, tail};
use crate::algebra::{Distribution, Tail, Weight};
use crate::engine::Answer;
use crate::number::Integer;
use crate::report::scale::Scale;
use crate::report::sheet::unit_of;
use crate::report::{View, WITHOUT_VALUE};

/// The least share of mass without a value that is drawn; a smaller share is a line of text.
const LEAST_DRAWN: f64 = 0.000_5;

/// A column for mass at no single value, with the chance of each series.
#[derive(Debug)]
pub(super) struct Extra {
    pub(super) label: String,
    pub(super) chances: Vec<Chance>,
}

/// The columns on the left and on the right: tails, with the listed values that were cut off, and mass without a value.
pub(super) fn extras(
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    viewport: &Viewport,
    lattice: i64,
    view: View,
    notes: &mut Vec<String>,
) -> (Vec<Extra>, Vec<Extra>) {
    let unit = unit_of(answers);
    let show = |value: i64| typeset(&unit.show(&value.into()));
    let mut sides = [Vec::new(), Vec::new()];
    let mut unseen = Vec::new();
    let mut hidden = vec![Weight::ZERO; answers.len()];
    let mut cut_off = [Weight::ZERO, Weight::ZERO].map(|zero| vec![zero; answers.len()]);
    for (rule, numbers) in numbers.iter().enumerate() {
        for (outcome, weight) in numbers.iter() {
            let value = outcome.to_i64().unwrap_or(i64::MAX);
            if value < viewport.low {
                cut_off[0][rule] += weight;
            } else if value > viewport.high {
                cut_off[1][rule] += weight;
            }
        }
    }
    for (side, gathered) in cut_off.into_iter().enumerate() {
        let above = side == 1;
        let (sign, bound) = if above {
            ('≥', viewport.high + lattice)
        } else {
            ('≤', viewport.low - lattice)
        };
        let silent = view == if above { View::AtMost } else { View::AtLeast };
        let cut = gathered.iter().any(|weight| !weight.is_zero());
        let tails: Vec<(usize, &Tail)> = answers
            .iter()
            .enumerate()
            .filter_map(|(rule, answer)| Some((rule, tail(answer, above)?)))
            .collect();
        let beyond = |tail: &Tail| {
            if above {
                tail.bound >= Integer::from(bound)
            } else {
                tail.bound <= Integer::from(bound)
            }
        };
        // The values that were cut off and the tails beyond them share one column.
        let mut columns: Vec<(String, Vec<Weight>)> = Vec::new();
        let joined = cut && tails.iter().any(|(_, tail)| beyond(tail));
        if joined {
            columns.push((format!("{sign}{}", show(bound)), gathered.clone()));
        }
        for (rule, tail) in &tails {
            let label = if cut && beyond(tail) {
                format!("{sign}{}", show(bound))
            } else {
                format!("{sign}{}", typeset(&unit.show(&tail.bound)))
            };
            let found = columns.iter().position(|(other, _)| *other == label);
            let index = found.unwrap_or_else(|| {
                columns.push((label, vec![Weight::ZERO; answers.len()]));
                columns.len() - 1
            });
            columns[index].1[*rule] += &tail.weight;
        }
        if cut && !joined && !silent {
            unseen.push(if above {
                format!("above {}", show(viewport.high))
            } else {
                format!("below {}", show(viewport.low))
            });
            for (hidden, weight) in hidden.iter_mut().zip(&gathered) {
                *hidden += weight;
            }
        }
        if !silent {
            sides[side].extend(columns.into_iter().map(|(label, weights)| Extra {
                label,
                chances: chances(answers, &weights),
            }));
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
            });
        } else if most > 0.0 {
            notes.push(format!("{label}: {}", at_most(answers, &weights)));
        }
    }
    let [left, right] = sides;
    (left, right)
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
