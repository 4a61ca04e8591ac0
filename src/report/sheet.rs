//! The rows of the table and of the Markdown before the layout. All rules share the rows.
//!
//! A row is an interval of values, a list, or mass without a value. The intervals ascend and do not overlap; in a cumulative view
//! each row has a threshold instead. A cell is the weight, in the row's interval or from its threshold on, of the rule's listed
//! outcomes and of its tails that lie wholly there. A tail that lies there in part makes the cell an interval: from no weight of
//! the tail to all of it.
//!
//! The values beyond the innermost tail are one row, so that every cell is exact. If the bulk of a rule lies there, the rows go
//! on instead, and the tail has its own row below them, like mass without a value. So every column contains all mass of its rule.

use num_traits::Zero;

use super::bulk::bulk_ends;
use super::lists::{ListedOutcome, Lists, list_label};
use super::ranges::{Span, note, ranges};
use super::share::Share;
use super::{Answered, Report, Style, View, WITHOUT_VALUE, are_conditions, chance};
use crate::algebra::{Distribution, Weight};
use crate::engine::{Answer, Interval, Value};
use crate::ir::Shape;
use crate::limits::{Budget, LimitReached};
use crate::number::{Fraction, Integer, Unit};

/// The largest number of rows. A longer table is shown in ranges of values, or as its most likely lists.
const MOST_ROWS: usize = 40;

/// The rows of a table.
pub(crate) struct Sheet<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// The note about the choice of rows, for the reader.
    pub(crate) note: Option<String>,
    /// Whether the rows are lists rather than numbers.
    pub(crate) lists: bool,
    /// The names of the parts, if the rows are records. Then a row has a cell for each part in place of the label.
    pub(crate) parts: Option<Vec<String>>,
    /// If some lists have no row: for each sampled rule, an upper bound of the probability of each of these lists.
    pub(crate) most_left_out: Option<Vec<Option<Fraction>>>,
}

/// A label, and a cell for each rule; `None` for a rule without this kind of mass.
pub(crate) struct Row<'a> {
    pub(crate) label: String,
    /// The parts of a record.
    pub(crate) parts: Vec<String>,
    pub(crate) cells: Vec<Option<Cell<'a>>>,
}

/// A weight of an answer.
pub(crate) struct Cell<'a> {
    answer: &'a Answer,
    pub(crate) weight: Weight,
    /// The confidence interval of a sampled rule.
    pub(crate) bounds: Option<[Fraction; 2]>,
    /// The greatest possible weight, if a tail or unresolved mass may belong to the cell.
    pub(crate) most: Option<Weight>,
}

impl<'a> Sheet<'a> {
    /// The rows for all rules; a limit where the budget is used up.
    pub(crate) fn of(
        rules: &'a [Answered],
        style: &Style,
        budget: Option<&Budget<'_>>,
    ) -> Result<Self, LimitReached> {
        let answers: Vec<&'a Answer> = rules.iter().map(|rule| &rule.answer).collect();
        let numbers: Option<Vec<&Distribution<Integer>>> =
            answers.iter().map(|answer| answer.numbers()).collect();
        let mut sheet = match numbers {
            Some(numbers) => of_numbers(rules, &answers, &numbers, style, budget)?,
            None => of_lists(&answers, style),
        };
        for (label, weight) in WITHOUT_VALUE {
            let weights = answers.iter().map(|answer| weight(answer));
            sheet.gather(&answers, label, weights);
        }
        Ok(sheet)
    }

    /// The rows, if they are wanted, or the limit of time at which they are given up. Half of the time is kept for the parts below them.
    pub(crate) fn in_time(
        report: &Report<'a>,
        style: &Style,
        are_wanted: bool,
    ) -> Result<(Option<Self>, Option<LimitReached>), LimitReached> {
        if !are_wanted {
            return Ok((None, None));
        }
        let half = report.budget.map(|budget| (budget.half_of_rest(), budget));
        let half = half.as_ref();
        let half = half.map(|(limits, budget)| Budget::start(limits, budget.observer()));
        match Self::of(report.rules, style, half.as_ref()) {
            Ok(sheet) => Ok((Some(sheet), None)),
            Err(late @ LimitReached::Time(_)) => Ok((None, Some(late))),
            Err(reached) => Err(reached),
        }
    }

    /// Adds a row for mass of one kind, if any rule has it.
    fn gather(
        &mut self,
        answers: &[&'a Answer],
        label: impl Into<String>,
        weights: impl Iterator<Item = Weight>,
    ) {
        let cells = answers.iter().zip(weights);
        let cells =
            cells.map(|(answer, weight)| (!weight.is_zero()).then(|| Cell::new(answer, weight)));
        let cells: Vec<Option<Cell>> = cells.collect();
        if cells.iter().any(Option::is_some) {
            self.rows.push(Row {
                label: label.into(),
                parts: Vec::new(),
                cells,
            });
        }
    }

    /// Adds a row for each of these tails.
    fn gather_tails(&mut self, answers: &[&'a Answer], mut all: Vec<Span>) {
        all.sort();
        all.dedup();
        for span in all {
            let label = span.label(View::Exactly, unit_of(answers));
            let weights = answers.iter().map(|answer| {
                let tail = tails(answer).find(|(tail, _)| *tail == span);
                tail.map_or(Weight::ZERO, |(_, weight)| weight.clone())
            });
            self.gather(answers, label.unwrap_or_default(), weights);
        }
    }
}

impl<'a> Cell<'a> {
    fn new(answer: &'a Answer, weight: Weight) -> Self {
        Self {
            answer,
            weight,
            bounds: None,
            most: None,
        }
    }

    /// The cell with the confidence interval, if it is what a sampled rule counted.
    fn seen(mut self, seen: Seen) -> Self {
        let bounds = self.answer.sampling().map(|sampling| match seen {
            Seen::Value(Some(index)) => sampling.intervals[index].clone(),
            Seen::Value(None) => Interval {
                low: Fraction::zero(),
                high: sampling.unseen.clone(),
            },
            Seen::Range(low, high) => {
                let count = (&self.weight).try_into().unwrap_or(sampling.samples);
                sampling.between(low, high, count)
            }
        });
        self.bounds = bounds.map(|bounds| [bounds.low, bounds.high]);
        self
    }

    pub(crate) fn share(&self) -> Share<'_> {
        Share::new(&self.weight, self.answer.total())
    }

    pub(crate) fn percent(&self, digits: usize) -> String {
        match &self.most {
            Some(most) => chance::middle([&self.weight, most], self.answer.total(), digits),
            None if self.answer.sampling().is_some() => {
                format!("≈{}", self.share().percent(digits))
            }
            None => self.share().percent(digits),
        }
    }

    /// The most by which the share of random rolls can be wrong.
    pub(crate) fn bound(&self, digits: usize) -> Option<String> {
        let bounds = self.bounds.as_ref()?;
        let seen = self.answer.probability(&self.weight);
        Some(chance::bound(&seen, bounds.each_ref(), digits))
    }
}

/// The unit that all answers share.
pub(crate) fn unit_of<'a>(answers: &[&'a Answer]) -> &'a Unit {
    answers.first().map_or(&Unit::WHOLE, |answer| &answer.unit)
}

/// What the members of all outcomes stand for, as the first rule with labels or records says.
pub(crate) fn shape_of<'a>(answers: &[&'a Answer]) -> &'a Shape {
    let mut shapes = answers.iter().map(|answer| &answer.shape);
    shapes
        .find(|shape| **shape != Shape::Numbers)
        .unwrap_or(&Shape::Numbers)
}

/// The names of the parts, if the values of all rules are single records of the same parts.
pub(crate) fn record_parts(answers: &[&Answer]) -> Option<Vec<String>> {
    let names = |answer: &Answer| -> Option<Vec<String>> {
        let parts = answer.shape.parts().filter(|_| answer.shape.is_single())?;
        Some(parts.iter().map(|part| part.name.to_string()).collect())
    };
    let (first, others) = answers.split_first()?;
    let first = names(first)?;
    let mut others = others.iter().map(|answer| names(answer));
    others
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

/// The tails of a rule, below first, with the intervals in which they lie.
fn tails(answer: &Answer) -> impl Iterator<Item = (Span, &Weight)> {
    let below = answer.below();
    let below = below.map(|tail| (Span::up_to(&tail.bound), &tail.weight));
    let above = answer.above();
    let above = above.map(|tail| (Span::from(&tail.bound), &tail.weight));
    below.into_iter().chain(above)
}

fn of_numbers<'a>(
    rules: &[Answered],
    answers: &[&'a Answer],
    numbers: &[&Distribution<Integer>],
    style: &Style,
    budget: Option<&Budget<'_>>,
) -> Result<Sheet<'a>, LimitReached> {
    let view = style.view;
    let mut values: Vec<&Integer> = numbers.iter().flat_map(|one| one.outcomes()).collect();
    values.sort();
    values.dedup();
    let truths = [Integer::ZERO, unit_of(answers).parts().clone()];
    let are_conditions = are_conditions(rules);
    if are_conditions {
        values = truths.iter().collect();
    }
    let bulk = bulk(answers, numbers, style.all);
    let ends = gathering_tails(answers, bulk);
    let [below, above] = ends;
    let between: Vec<&Integer> = values
        .iter()
        .copied()
        .filter(|value| {
            below.is_none_or(|to| *value > to) && above.is_none_or(|from| *value < from)
        })
        .collect();
    let (mut spans, width) = if style.all || values.len() <= MOST_ROWS {
        let single = between.iter().map(|value| Span::only(value));
        (single.collect(), None)
    } else {
        // A sampled rule has close bounds for whole round blocks.
        let is_sampled = answers.iter().any(|answer| answer.sampling().is_some());
        let is_whole = [below, above].map(|tail| is_sampled && tail.is_none());
        ranges(&between, bulk, is_whole)
    };
    let begins_openly = spans.first().is_some_and(|span| span.low.is_none());
    if let Some(to) = below.filter(|_| !begins_openly) {
        spans.insert(0, Span::up_to(to));
    }
    let ends_openly = spans.last().is_some_and(|span| span.high.is_none());
    if let Some(from) = above.filter(|_| !ends_openly) {
        spans.push(Span::from(from));
    }
    let mut uncovered_tails: Vec<Span> = answers
        .iter()
        .flat_map(|answer| tails(answer).map(|(span, _)| span))
        .filter(|tail| !spans.iter().any(|span| span.contains(tail)))
        .collect();
    let unit = unit_of(answers);
    let note = note(&values, &spans, width.as_ref(), view, unit);
    if view != View::Exactly {
        // In a cumulative view the thresholds of tails are ordinary rows.
        spans.append(&mut uncovered_tails);
        spans.retain(|span| span.label(view, unit).is_some());
        spans.sort_by(|a, b| match view {
            View::AtMost => a.high.cmp(&b.high),
            View::Exactly | View::AtLeast => a.low.cmp(&b.low),
        });
        spans.dedup_by_key(|span| span.label(view, unit));
    }
    let mut columns: Vec<_> = answers
        .iter()
        .zip(numbers)
        .map(|(answer, numbers)| Ok(column(budget, answer, numbers, &spans, view)?.into_iter()))
        .collect::<Result<_, LimitReached>>()?;
    let rows = spans.iter().map(|span| Row {
        label: in_words(span.label(view, unit).unwrap_or_default(), are_conditions),
        parts: Vec::new(),
        cells: columns.iter_mut().map(Iterator::next).collect(),
    });
    let mut sheet = Sheet {
        rows: rows.collect(),
        note,
        lists: false,
        parts: None,
        most_left_out: None,
    };
    sheet.gather_tails(answers, uncovered_tails);
    Ok(sheet)
}

/// The text of a value: the values of conditions are words.
pub(crate) fn in_words(value: String, are_conditions: bool) -> String {
    match value.as_str() {
        "0" if are_conditions => "no".into(),
        "1" if are_conditions => "yes".into(),
        _ => value,
    }
}

/// The lowest and the highest value of the bulk of all rules; with `all`, of all listed values.
fn bulk<'a>(
    answers: &[&Answer],
    numbers: &[&'a Distribution<Integer>],
    all: bool,
) -> Option<[&'a Integer; 2]> {
    let ends = answers.iter().zip(numbers).filter_map(|(answer, numbers)| {
        let [low, high] = if all {
            [numbers.outcomes().first(), numbers.outcomes().last()]
        } else {
            bulk_ends(answer, numbers)
        };
        Some([low?, high?])
    });
    ends.reduce(|[low, high], [other_low, other_high]| [low.min(other_low), high.max(other_high)])
}

/// The bounds of the innermost tails below and above. A bound is `None` if the bulk of some rule lies beyond it: one row for all
/// these values would hide too much.
fn gathering_tails<'a>(
    answers: &[&'a Answer],
    bulk: Option<[&Integer; 2]>,
) -> [Option<&'a Integer>; 2] {
    let below = answers.iter().filter_map(|answer| answer.below());
    let above = answers.iter().filter_map(|answer| answer.above());
    [
        below
            .map(|tail| &tail.bound)
            .max()
            .filter(|to| bulk.is_none_or(|[low, _]| *to < low)),
        above
            .map(|tail| &tail.bound)
            .min()
            .filter(|from| bulk.is_none_or(|[_, high]| *from > high)),
    ]
}

/// The cells of one rule, for spans that ascend.
pub(super) fn column<'a>(
    budget: Option<&Budget<'_>>,
    answer: &'a Answer,
    numbers: &Distribution<Integer>,
    spans: &[Span],
    view: View,
) -> Result<Vec<Cell<'a>>, LimitReached> {
    let all: Weight = numbers.mass();
    let mut passed = Weight::ZERO;
    let mut index = 0;
    let mut outcomes = numbers.iter().peekable();
    let cell = |span: &Span| {
        budget.map_or(Ok(()), Budget::look_at_clock)?;
        let event = span.event(view);
        let mut pass = |is_passed: &dyn Fn(&Integer) -> bool| {
            while let Some((_, weight)) = outcomes.next_if(|(outcome, _)| is_passed(outcome)) {
                passed += weight;
                index += 1;
            }
            (passed.clone(), index)
        };
        let (before, start) = match &event.low {
            Some(low) => pass(&|outcome| outcome < low),
            None => (Weight::ZERO, 0),
        };
        let (through, end) = match &event.high {
            Some(high) => pass(&|outcome| outcome <= high),
            None => (all.clone(), numbers.outcomes().len()),
        };
        let (low, high) = (event.low.as_ref(), event.high.as_ref());
        let is_value = event.low.is_some() && event.low == event.high;
        let (weight, mut most) = answer.law.weight_with(through - before, low, high);
        // Unless the view is open, unresolved mass has its own row.
        if !is_open(answer, view) {
            most -= answer.unresolved();
        }
        let seen = if is_value {
            Seen::Value((end > start).then_some(start))
        } else {
            Seen::Range(low, high)
        };
        Ok(Cell {
            most: Some(most).filter(|most| *most != weight),
            ..Cell::new(answer, weight).seen(seen)
        })
    };
    spans.iter().map(cell).collect()
}

/// Whether unresolved mass may add to every figure of a cumulative view.
pub(crate) fn is_open(answer: &Answer, view: View) -> bool {
    view != View::Exactly && !answer.unresolved().is_zero() && answer.sampling().is_none()
}

/// The event of which a sampled rule counted the samples.
#[derive(Clone, Copy)]
enum Seen<'a> {
    /// The outcome with this index, or one that no sample showed.
    Value(Option<usize>),
    /// The numbers from one end to another, both included; `None` is no end.
    Range(Option<&'a Integer>, Option<&'a Integer>),
}

/// The greatest upper bound of a list that a sampled rule showed and that has no row; the bound of lists that it never
/// showed, if that is greater.
fn most_left_out(
    answer: &Answer,
    rule: usize,
    shown: &[(Value<'_>, Vec<ListedOutcome<'_>>)],
) -> Option<Fraction> {
    let sampling = answer.sampling()?;
    let mut has_row = vec![false; sampling.intervals.len()];
    for (index, _) in shown.iter().filter_map(|(_, places)| places[rule]) {
        has_row[index] = true;
    }
    let left_out = sampling.intervals.iter().zip(has_row);
    let bounds = left_out.filter(|(_, has_row)| !has_row);
    let bounds = bounds.map(|(interval, _)| &interval.high);
    bounds.chain([&sampling.unseen]).max().cloned()
}

/// The noun for the values of rules that are not all numbers.
pub(crate) fn plural(answers: &[&Answer]) -> &'static str {
    if answers.iter().all(|answer| answer.shape.is_single()) {
        "values"
    } else {
        "lists"
    }
}

fn of_lists<'a>(answers: &[&'a Answer], style: &Style) -> Sheet<'a> {
    let most = if style.all { usize::MAX } else { MOST_ROWS };
    let Lists {
        mut shown,
        left_out,
        rest,
    } = Lists::of(answers, most);
    let count = shown.len() + left_out;
    let rules = answers.iter().enumerate();
    let most_left_out = (left_out > 0).then(|| {
        rules
            .map(|(rule, answer)| most_left_out(answer, rule, &shown))
            .collect()
    });
    shown.sort_by_key(|(list, _)| *list);
    let parts = record_parts(answers);
    let (parts, unit) = (parts.as_ref(), unit_of(answers));
    let rows = shown.into_iter().map(|(list, places)| {
        let cells = places.into_iter().zip(answers).map(|(place, answer)| {
            let weight = place.map_or(Weight::ZERO, |(_, weight)| weight.clone());
            let seen = Seen::Value(place.map(|(index, _)| index));
            Some(Cell::new(answer, weight).seen(seen))
        });
        Row {
            label: list_label(list, unit, shape_of(answers)),
            parts: parts.map_or_else(Vec::new, |_| list.texts(unit).collect()),
            cells: cells.collect(),
        }
    });
    let mut sheet = Sheet {
        rows: rows.collect(),
        note: (left_out > 0)
            .then(|| format!("the {MOST_ROWS} most likely of {count} {}", plural(answers))),
        lists: true,
        parts: parts.cloned(),
        most_left_out,
    };
    if left_out > 0 {
        let label = format!("{left_out} other {}", plural(answers));
        sheet.gather(answers, label, rest.into_iter());
    }
    let tails = answers.iter().flat_map(|answer| tails(answer));
    let tails = tails.map(|(span, _)| span).collect();
    sheet.gather_tails(answers, tails);
    sheet
}
