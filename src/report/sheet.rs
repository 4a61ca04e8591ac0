//! What the table and the Markdown show, before it is laid out: rows of outcomes that all rules share.
//!
//! A row is an interval of values, or a list, or mass without a value. A cell is the weight of a rule's listed
//! outcomes in that interval and of the tails that lie wholly within it; a tail that lies within no row gets a
//! row of its own. So every column adds up to exactly one, whichever rows are chosen.

use std::ops::Range;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Zero};

use super::extent::central;
use super::lists::{Lists, list_label};
use super::{Answered, Style, View, WITHOUT_VALUE};
use crate::algebra::{Distribution, Weight};
use crate::engine::{Answer, Tail};
use crate::number::{Fraction, Integer};

/// A table longer than this is shown in ranges of values, or as its most likely lists.
const MOST_ROWS: usize = 40;

/// How many ranges a long table is divided into, at most, beside the rows that gather its ends.
const MOST_RANGES: u32 = 30;

/// An end of a long table is gathered in one row up to this part of the whole.
const END_PARTS: u32 = 1000;

/// The rows of a table.
pub(crate) struct Sheet {
    pub(crate) rows: Vec<Row>,
    /// What a reader must know about the choice of rows.
    pub(crate) note: Option<String>,
    /// Whether the rows are lists rather than numbers.
    pub(crate) lists: bool,
}

/// A label, and a cell for each rule, or `None` where a rule says nothing about it.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) cells: Vec<Option<Cell>>,
}

/// A weight over the total of its rule.
pub(crate) struct Cell {
    pub(crate) weight: Weight,
    /// What a sampled rule promises of it.
    pub(crate) bounds: Option<[Fraction; 2]>,
    /// Whether it may be more: mass at an unknown place may belong to it.
    pub(crate) is_least: bool,
}

impl Sheet {
    pub(crate) fn of(rules: &[Answered], style: &Style) -> Self {
        let answers: Vec<&Answer> = rules.iter().map(|rule| &rule.answer).collect();
        let numbers: Option<Vec<&Distribution<Integer>>> = answers
            .iter()
            .map(|answer| answer.outcomes.numbers())
            .collect();
        let mut sheet = match numbers {
            Some(numbers) => of_numbers(&answers, &numbers, style),
            None => of_lists(&answers, style),
        };
        for (label, weight) in WITHOUT_VALUE {
            sheet.gather(label, answers.iter().map(|answer| weight(answer).clone()));
        }
        sheet
    }

    /// Adds a row for mass of one kind, if any rule has it.
    fn gather(&mut self, label: impl Into<String>, weights: impl Iterator<Item = Weight>) {
        let cells: Vec<Option<Cell>> = weights
            .map(|weight| (!weight.is_zero()).then(|| Cell::exact(weight)))
            .collect();
        if cells.iter().any(Option::is_some) {
            self.rows.push(Row {
                label: label.into(),
                cells,
            });
        }
    }
}

impl Cell {
    fn exact(weight: Weight) -> Self {
        Self {
            weight,
            bounds: None,
            is_least: false,
        }
    }
}

/// An interval of values; `None` is without end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    low: Option<Integer>,
    high: Option<Integer>,
}

impl Span {
    fn of_tail(tail: &Tail) -> Self {
        match tail {
            Tail::AtLeast(bound, _) => Self {
                low: Some(bound.clone()),
                high: None,
            },
            Tail::AtMost(bound, _) => Self {
                low: None,
                high: Some(bound.clone()),
            },
        }
    }

    fn contains(&self, other: &Self) -> bool {
        let below = self.low.is_none() || (other.low.is_some() && self.low <= other.low);
        let above = match (&self.high, &other.high) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(high), Some(other)) => other <= high,
        };
        below && above
    }

    /// What the row is called; `None` where the view has nothing to say about such an interval.
    fn label(&self, view: View) -> Option<String> {
        match (view, &self.low, &self.high) {
            (View::AtLeast, low, _) => low.as_ref().map(ToString::to_string),
            (View::AtMost, _, high) => high.as_ref().map(ToString::to_string),
            (View::Exactly, Some(low), Some(high)) if low == high => Some(low.to_string()),
            (View::Exactly, Some(low), Some(high)) => Some(format!("{low}..{high}")),
            (View::Exactly, Some(low), None) => Some(format!(">={low}")),
            (View::Exactly, None, Some(high)) => Some(format!("<={high}")),
            (View::Exactly, None, None) => None,
        }
    }
}

fn of_numbers(answers: &[&Answer], numbers: &[&Distribution<Integer>], style: &Style) -> Sheet {
    let mut values: Vec<&Integer> = numbers.iter().flat_map(|one| one.outcomes()).collect();
    values.sort();
    values.dedup();
    let (mut spans, note) = if style.all || values.len() <= MOST_ROWS {
        let single = |value: &&Integer| Span {
            low: Some((*value).clone()),
            high: Some((*value).clone()),
        };
        (values.iter().map(single).collect(), None)
    } else {
        ranges(answers, numbers, &values)
    };
    let mut loose: Vec<Span> = answers
        .iter()
        .flat_map(|answer| answer.tails.iter().map(Span::of_tail))
        .filter(|tail| !spans.iter().any(|span| span.contains(tail)))
        .collect();
    loose.sort();
    loose.dedup();
    let (before, after): (Vec<Span>, Vec<Span>) =
        loose.into_iter().partition(|tail| tail.low.is_none());
    let tails = before.len()..before.len() + spans.len();
    spans.splice(0..0, before);
    spans.extend(after);

    let columns: Vec<Vec<Option<Cell>>> = answers
        .iter()
        .zip(numbers)
        .map(|(answer, numbers)| column(answer, numbers, &spans, &tails, style.view))
        .collect();
    let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
    let mut rows = Vec::with_capacity(spans.len());
    for span in &spans {
        let cells = columns
            .iter_mut()
            .map(|column| column.next().flatten())
            .collect();
        if let Some(label) = span.label(style.view) {
            rows.push(Row { label, cells });
        }
    }
    Sheet {
        rows,
        note,
        lists: false,
    }
}

/// The cells of one rule: for the spans of `listed` what is listed there, and tails wherever they lie within.
fn column(
    answer: &Answer,
    numbers: &Distribution<Integer>,
    spans: &[Span],
    listed: &Range<usize>,
    view: View,
) -> Vec<Option<Cell>> {
    let all: Weight = numbers.mass();
    let mut passed = Weight::ZERO;
    let mut index = 0;
    let mut outcomes = numbers.iter().peekable();
    let cell = |(position, span): (usize, &Span)| {
        let start = index;
        let before = passed.clone();
        if listed.contains(&position) {
            let inside = |outcome: &Integer| span.high.as_ref().is_none_or(|high| outcome <= high);
            while let Some((_, weight)) = outcomes.next_if(|(outcome, _)| inside(outcome)) {
                passed += weight;
                index += 1;
            }
        }
        let mut weight = match view {
            View::Exactly => &passed - &before,
            View::AtLeast => &all - &before,
            View::AtMost => passed.clone(),
        };
        let event = match view {
            View::Exactly => span.clone(),
            View::AtLeast => Span {
                low: span.low.clone(),
                high: None,
            },
            View::AtMost => Span {
                low: None,
                high: span.high.clone(),
            },
        };
        let mut open = false;
        for tail in &answer.tails {
            let interval = Span::of_tail(tail);
            if event.contains(&interval) {
                weight += tail.weight();
            } else {
                let apart = match tail {
                    Tail::AtLeast(from, _) => event.high.as_ref().is_some_and(|high| high < from),
                    Tail::AtMost(to, _) => event.low.as_ref().is_some_and(|low| low > to),
                };
                open |= !apart;
            }
        }
        let is_exact_share = view == View::Exactly && listed.contains(&position);
        if open && (!is_exact_share || weight.is_zero()) {
            return None;
        }
        if !listed.contains(&position) && view == View::Exactly && weight.is_zero() {
            return None;
        }
        Some(Cell {
            bounds: bounds(answer, view, (index == start + 1).then_some(start), &weight),
            weight,
            is_least: is_open(answer, view),
        })
    };
    spans.iter().enumerate().map(cell).collect()
}

/// Whether mass at an unknown place may add to every figure of a curve.
pub(crate) fn is_open(answer: &Answer, view: View) -> bool {
    view != View::Exactly && !answer.unresolved.is_zero() && answer.sampling().is_none()
}

/// What a sampled rule promises of a row with this weight of samples: that of one outcome, if it stands for one.
fn bounds(
    answer: &Answer,
    view: View,
    outcome: Option<usize>,
    weight: &Weight,
) -> Option<[Fraction; 2]> {
    let sampling = answer.sampling()?;
    let seen = answer.probability(weight);
    let bounds = match (view, outcome) {
        (View::AtLeast, _) => sampling.at_least(&seen),
        (View::AtMost, _) => sampling.at_most(&seen),
        (View::Exactly, Some(index)) => sampling.intervals[index].clone(),
        (View::Exactly, None) => sampling.between(&seen),
    };
    Some([bounds.low, bounds.high])
}

/// Divides the values into equal ranges, with the far ends, where hardly anything happens, in a row each.
fn ranges(
    answers: &[&Answer],
    numbers: &[&Distribution<Integer>],
    values: &[&Integer],
) -> (Vec<Span>, Option<String>) {
    let ([first, .., last] | [first @ last]) = values else {
        return (Vec::new(), None);
    };
    let (first, last) = (first.to_big(), last.to_big());
    let central = answers.iter().zip(numbers).filter_map(|(answer, numbers)| {
        let [low, high] = central(answer, numbers, END_PARTS);
        Some((low?.to_big(), high?.to_big()))
    });
    let central = central
        .reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)));
    // Gathering must pay: the middle is at most two thirds of the whole.
    let (low, high) = central
        .filter(|(low, high)| (high - low) * 3 < (&last - &first) * 2)
        .unwrap_or_else(|| (first.clone(), last.clone()));

    let width = round_width(&low, &high);
    // From the first value on, unless ranges from a round number leave some to be gathered.
    let round = low.div_floor(&width) * &width;
    let start = if low > first && round > first {
        round
    } else {
        first.clone()
    };
    let mut spans = Vec::new();
    let tail_below = answers
        .iter()
        .any(|answer| matches!(answer.tails.first(), Some(Tail::AtMost(..))));
    let tail_above = answers
        .iter()
        .any(|answer| matches!(answer.tails.last(), Some(Tail::AtLeast(..))));
    let integer = |value: BigInt| Integer::from_big(value).ok();
    let gathers_low = start > first;
    if gathers_low || tail_below {
        spans.push(Span {
            low: None,
            high: integer(&start - 1),
        });
    }
    let mut from = start;
    while from <= high {
        let next = &from + &width;
        spans.push(Span {
            low: integer(from),
            high: integer(&next - 1),
        });
        from = next;
    }
    let gathers_high = from <= last;
    if gathers_high || tail_above {
        spans.push(Span {
            low: integer(from),
            high: None,
        });
    } else if let Some(end) = spans.last_mut() {
        // No range goes on where nothing can be.
        end.high = integer(last);
    }
    let count = values.len();
    let ranges = if width.is_one() {
        format!("{count} values")
    } else {
        format!("{count} values in ranges of {width}")
    };
    let ends = match (gathers_low, gathers_high) {
        (false, false) => "",
        (true, true) => ", the rest gathered in the first and the last row",
        (true, false) => ", the rest gathered in the first row",
        (false, true) => ", the rest gathered in the last row",
    };
    (spans, Some(format!("{ranges}{ends}")))
}

/// The least width of 1, 2 or 5 times a power of ten that divides an interval into at most
/// [`MOST_RANGES`] and one, starting at a multiple of it.
fn round_width(low: &BigInt, high: &BigInt) -> BigInt {
    let mut power = BigInt::one();
    loop {
        for step in [1u32, 2, 5] {
            let width = &power * step;
            let start = low.div_floor(&width) * &width;
            if (high - &start) / &width <= BigInt::from(MOST_RANGES) {
                return width;
            }
        }
        power *= 10u32;
    }
}

fn of_lists(answers: &[&Answer], style: &Style) -> Sheet {
    let most = if style.all { usize::MAX } else { MOST_ROWS };
    let Lists {
        mut shown,
        left_out,
        rest,
    } = Lists::of(answers, most);
    let count = shown.len() + left_out;
    shown.sort_by_key(|(list, _)| *list);
    let rows = shown.into_iter().map(|(list, places)| {
        let cells = places.into_iter().zip(answers).map(|(place, answer)| {
            let (index, weight) = match place {
                Some((index, weight)) => (Some(index), weight.clone()),
                None => (None, Weight::ZERO),
            };
            Some(Cell {
                bounds: bounds(answer, View::Exactly, index, &weight),
                weight,
                is_least: false,
            })
        });
        Row {
            label: list_label(list),
            cells: cells.collect(),
        }
    });
    let mut sheet = Sheet {
        rows: rows.collect(),
        note: (left_out > 0).then(|| format!("the {MOST_ROWS} most likely of {count} lists")),
        lists: true,
    };
    if left_out > 0 {
        sheet.gather(format!("{left_out} other lists"), rest.into_iter());
    }
    for (index, answer) in answers.iter().enumerate() {
        for tail in &answer.tails {
            let weight = |rule: usize| {
                if rule == index {
                    tail.weight().clone()
                } else {
                    Weight::ZERO
                }
            };
            let label = Span::of_tail(tail).label(View::Exactly).unwrap_or_default();
            sheet.gather(label, (0..answers.len()).map(weight));
        }
    }
    sheet
}
