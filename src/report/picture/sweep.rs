//! The rules of a sweep side by side along the horizontal axis: how the chances of questions change from rule to rule. For a long sweep,
//! the fan shows how the values change.

use super::chance::Told;
use super::chart::{Along, Bin, Chart, Join, Questions};
use super::field::{Axis, Canvas, Grid, LABELS_HEIGHT};
use super::frame::{Around, BAND, Note};
use super::kind::ChartKind;
use super::mark::{Look, Mark, Point};
use super::numbers::{place, round_step, ticks, typeset};
use super::palette::roles;
use super::text::{LABEL, widest};
use super::upright::CURVE;
use super::values::MOST_DECIMAL;
use super::words::{self, Picture};
use crate::number::{Fraction, Integer};
use crate::report::chance::Chance;
use crate::report::halfway::{self, Half};
use crate::report::share::Share;
use crate::report::sweeps::SideBySide;
use crate::report::{Answered, Layout, Query, Report, Style, View};
use crate::summary::quantile;

/// Notes on chances that are known within bounds alone, and on lines between values that do not follow each other.
const OPEN: &str = "some chances are lower bounds, because a part is unresolved";
const ACROSS: &str = "dotted lines lead across values that were not asked for";

/// The percentiles of the fan: the ends of the band of nine rolls in ten, the ends of the band of half of the rolls, and the median.
const FAN: [i64; 5] = [5, 25, 50, 75, 95];

/// The bins of rules: the values of the only variable, to scale if they ascend, else names in order.
pub(super) fn bins(picture: &Picture) -> (Vec<Bin>, Along) {
    let Some((name, values)) = &picture.variable else {
        let names = picture.names.iter().cloned().enumerate();
        return (
            names.map(|(slot, name)| Bin::named(name, slot)).collect(),
            Along::Names,
        );
    };
    let numbers = values.iter().map(|value| Some(value.to_i64()? as f64));
    let numbers = numbers.collect::<Option<Vec<f64>>>();
    let numbers = numbers.filter(|numbers| numbers.is_sorted_by(|a, b| a < b));
    // Values follow each other if they are neighbouring integers, or if all are equally far apart.
    let steps = values.windows(2).map(|pair| pair[1].sub(&pair[0]).ok());
    let steps: Vec<Option<Integer>> = steps.collect();
    let is_even = steps.windows(2).all(|pair| pair[0] == pair[1]);
    let usual = steps.first().filter(|_| is_even).cloned();
    let usual = usual.unwrap_or(Some(Integer::ONE));
    let bins = values.iter().enumerate().map(|(slot, value)| {
        let label = typeset(&value.to_string());
        let at = numbers
            .as_ref()
            .map_or(slot as f64, |numbers| numbers[slot]);
        let join = match slot.checked_sub(1).map(|before| steps[before] == usual) {
            None => Join::No,
            Some(true) => Join::Line,
            Some(false) => Join::Dotted,
        };
        Bin {
            words: format!("{name}={label}"),
            edges: [at - 0.5, at + 0.5],
            join,
            ..Bin::named(label, slot)
        }
    });
    (bins.collect(), Along::Variable)
}

/// The chart of the questions about the rules of a sweep, about sweeps side by side, or about rules that are to stand side by side. If all
/// lines are about one question, it comes with the chart. `None` for other rules, or if no question has an answer.
pub(super) fn questions(
    report: &Report,
    style: &Style,
    picture: &Picture,
) -> Option<(Chart, Picture)> {
    let is_transposed = style.layout == Layout::Transposed && report.rules.len() > 1;
    let first = report.rules.first();
    let first = first.filter(|_| report.is_sweep() || is_transposed)?;
    let event = |query: &Query| words::event(query, first, style);
    let side_by_side = SideBySide::of(report.rules);
    let names = side_by_side.as_ref().map(SideBySide::names);
    let (variable, sweeps) = match side_by_side {
        Some(all) => (Some(all.variable), all.sweeps),
        None => (None, vec![report.rules.iter().collect()]),
    };
    let mut picture = picture.clone();
    picture.variable = variable.or(picture.variable);
    // The chances of rules that are no sweep are written beside their dots.
    let digits = usize::from(!report.is_sweep() || sweeps[0].len() <= MOST_DECIMAL);
    let mut is_open = false;
    let (mut lines, mut chances, mut crossings) = (Vec::new(), Vec::new(), Vec::new());
    for query in &style.queries {
        for (index, sweep) in sweeps.iter().enumerate() {
            let found = sweep.iter().map(|rule| Chance::of(query, rule));
            let Some(found) = found.collect::<Option<Vec<_>>>() else {
                continue;
            };
            is_open |= found.iter().any(|chance| chance.sign() == "≥");
            let own = found.iter().map(|chance| {
                let mut told = Told::new(Share::of(chance.share()), digits);
                told.words.insert_str(0, chance.sign());
                let known = [chance.known.low().clone(), chance.known.high().clone()];
                Some(if chance.is_seen() {
                    told.within(&known).estimated()
                } else {
                    told
                })
            });
            chances.push(own.collect());
            let half = Half::of(found.iter().map(|chance| &chance.known));
            crossings.push(half.map(Half::place));
            let name = names.as_ref().map(|names| names[index].replace("=-", "=−"));
            lines.push(match name {
                None => event(query),
                Some(name) if style.queries.len() == 1 => name,
                Some(name) => format!("{name}, {}", event(query)),
            });
        }
    }
    let asked = match (&style.queries[..], &lines[..]) {
        (_, []) => return None,
        ([query], _) => Some(event(query)),
        (_, [only]) => Some(only.clone()),
        _ => None,
    };
    picture.subtitle = asked
        .map(|asked| format!("chance of {asked}"))
        .into_iter()
        .collect();
    let mut chart = Chart::new(ChartKind::Lines, View::Exactly, &lines);
    (chart.bins, chart.along) = bins(&picture);
    chart.chances = chances;
    chart.name = picture.name_of_variable();
    let halfway = halfway::remark(report.rules, &style.queries, event);
    crossings.retain(|_| matches!(chart.along, Along::Variable));
    let are_said = halfway.is_some();
    chart.questions = Some(Questions {
        crossings,
        are_said,
    });
    chart
        .notes
        .extend(halfway.map(|remark| remark.replace("=-", "=−")));
    let has_intervals = picture.variable.is_some();
    chart
        .notes
        .extend(words::all_sampled(report.rules, has_intervals));
    chart.notes.extend(is_open.then(|| OPEN.to_owned()));
    chart.notes.extend(picture.unanswered.iter().cloned());
    let is_across = chart.bins.iter().any(|bin| bin.join == Join::Dotted);
    chart.notes.extend(is_across.then(|| ACROSS.to_owned()));
    picture.caption = None;
    picture.remarks.clear();
    picture.asked.clear();
    Some((chart, picture))
}

/// The chart with a line for each value, and the rules side by side: a few lines, or a row of cells for each of many.
pub(super) fn transposed(chart: Chart, picture: &mut Picture) -> Chart {
    let (bins, along) = bins(picture);
    if picture.has_answers {
        picture.subtitle = words::said_of_all(&picture.columns, &picture.names);
    }
    picture.asked.clear();
    let mut chart = chart.transposed(bins, along);
    chart.name = picture.name_of_variable();
    chart.notes.append(&mut picture.remarks);
    picture.caption = None;
    chart
}

/// The values of the fan of a sweep for each rule. `None` for rules without a variable, or whose values are not all known.
pub(super) fn quantiles(rules: &[Answered], picture: &Picture) -> Option<Vec<[f64; 5]>> {
    picture.variable.as_ref()?;
    let values = rules.iter().map(|rule| {
        let parts = rule.answer.unit.parts().to_big();
        let known = FAN.map(|part| {
            let value = quantile(&rule.answer, &Fraction::new(part.into(), 100.into()))?;
            place(&Fraction::new(value.to_big(), parts.clone()))
        });
        let known = known.into_iter().collect::<Option<Vec<f64>>>()?;
        <[f64; 5]>::try_from(known).ok()
    });
    values.collect()
}

/// Draws the fan of a long sweep: the median of each rule, and the bands that hold half of the rolls and nine rolls in ten.
pub(super) fn fan(values: &[[f64; 5]], picture: &Picture) -> Canvas {
    let all = values.iter().flatten().copied();
    let (low, high) = (
        all.clone().fold(f64::INFINITY, f64::min),
        all.fold(f64::NEG_INFINITY, f64::max),
    );
    let canvas = Canvas::new(picture.width);
    let mut notes = picture.notes(&picture.remarks);
    let (role, width) = (roles(1)[0], 18.0);
    let median = Mark::line([(0.0, 0.0), (width, 0.0)], CURVE, Look::plain(role));
    let text = "the median: half of the rolls are as high or lower";
    notes.push(Note::on(median, text));
    // The bands lie on one another.
    let inner = 1.0 - (1.0 - BAND) * (1.0 - BAND);
    for (opacity, text) in [(inner, "half of all rolls"), (BAND, "nine of ten rolls")] {
        notes.push(Note::block(Look::plain(role).with_opacity(opacity), text));
    }
    let step = round_step(((high - low) / 6.0).max(1e-9));
    let (from, to) = ((low / step).floor() * step, (high / step).ceil() * step);
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let label = |value: f64| typeset(&format!("{value:.digits$}"));
    let mut y = Axis::new(from, to.max(from + step));
    let ticks = ticks(from, to, step).into_iter();
    y.ticks = ticks.map(|value| (value, label(value))).collect();
    let around = Around {
        caption: &picture.values,
        left: widest(y.ticks.iter().map(|(_, label)| label), LABEL.size),
        below: LABELS_HEIGHT,
        notes,
        ..Around::default()
    };
    let area = picture.frame(&canvas, around);
    let mut chart = Chart::new(ChartKind::Lines, View::Exactly, &[]);
    (chart.bins, chart.along) = bins(picture);
    let axes = [picture.axis(&chart, &area), y.spaced(&area)];
    let mut field = canvas.field(area, axes, Grid::Level, &picture.name_of_variable());
    let places: Vec<f64> = chart.bins.iter().map(Bin::middle).collect();
    let edge = |part: usize| {
        let places = places.iter().zip(values);
        places.map(move |(x, it)| (*x, it[part]))
    };
    field.draw([[0, 4], [1, 3]].map(|[low, high]| {
        let upper: Vec<Point> = edge(high).collect();
        let band = edge(low).chain(upper.into_iter().rev()).collect();
        Mark::polygon(band, Look::new("band", role, "").with_opacity(BAND))
    }));
    let (median, look) = (edge(2).collect(), Look::new("curve", role, ""));
    field.draw([Mark::lines(&[median], CURVE, "", look)]);
    let radius = if values.len() > 45 { 1.4 } else { 2.6 };
    let dots = places.iter().zip(values).zip(&picture.names);
    field.draw(dots.map(|((x, values), rule)| {
        let [least, low, middle, high, most] = values.map(|value| typeset(&value.to_string()));
        let words = format!(
            "{rule}: median {middle}, half from {low} to {high}, nine of ten from {least} to {most}"
        );
        Mark::circle((*x, values[2]), radius, Look::new("dot", role, words))
    }));
    canvas
}
