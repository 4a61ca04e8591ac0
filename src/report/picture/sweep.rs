//! The rules of a sweep side by side along the horizontal axis: how the chances of questions change from rule to rule; of a long sweep
//! the fan, which says how the values do.

use super::chance::Chance;
use super::chart::{Along, Bin, Chart, Half, Join};
use super::field::{Axis, Canvas, Grid, LABELS_HEIGHT};
use super::frame::{ABOVE, BAND, Key, MARGIN, Note};
use super::kind::{FEW, Kind};
use super::mark::{Anchor, Look, Mark, Point};
use super::numbers::{place, round_step, ticks, typeset};
use super::palette::roles;
use super::text::SMALL;
use super::upright::CURVE;
use super::words::{self, Picture};
use crate::number::{Fraction, Integer};
use crate::report::sweeps::SideBySide;
use crate::report::{Answered, Layout, Query, Report, Style, View, events, halfway};
use crate::summary::quantile;

/// The largest number of rules whose chances have a decimal in cells.
const MOST_DECIMAL: usize = 11;

/// Notes on chances that are known within bounds alone, and on lines between values that do not follow each other.
const OPEN: &str = "some chances are lower bounds, because a part is unresolved";
const ACROSS: &str = "dotted lines lead across values that were not asked for";

/// The chances of the fan, in percent: the ends of nine rolls of ten, those of half of the rolls, and the median.
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

/// The chart of what is asked of the rules of a sweep, or of the sweeps of several rules side by side, or of rules that are to stand
/// side by side, with what is asked where all lines are about it; `None` for other rules, or if nothing is asked that has an answer.
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
    let (mut lines, mut chances) = (Vec::new(), Vec::new());
    for query in &style.queries {
        for (index, sweep) in sweeps.iter().enumerate() {
            let shares = sweep.iter().map(|rule| events::share(query, rule));
            let Some(shares) = shares.collect::<Option<Vec<_>>>() else {
                continue;
            };
            is_open |= shares.iter().any(|(sign, _)| *sign == "≥");
            let own = shares.iter().zip(sweep).map(|((sign, share), rule)| {
                let mut chance = Chance::of(share, digits);
                chance.words.insert_str(0, sign);
                let interval = rule.event(query).filter(|_| *sign == "≈");
                Some(match interval {
                    Some(it) => chance
                        .within(&[it.low().clone(), it.high().clone()])
                        .estimated(),
                    None => chance,
                })
            });
            chances.push(own.collect());
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
    let mut chart = Chart::new(Kind::Lines, View::Exactly, &lines);
    (chart.bins, chart.along) = bins(&picture);
    chart.chances = chances;
    chart.name = picture.name_of_variable();
    let halfway = halfway::remark(report.rules, &style.queries, event);
    let half = if halfway.is_some() {
        Half::Said
    } else {
        Half::Unsaid
    };
    chart.questions = Some(half);
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
    let answers = picture.answers();
    if picture.has_answers {
        picture.subtitle = answers;
    }
    picture.asked.clear();
    let mut chart = chart.transposed(bins, along);
    chart.kind = if chart.series.len() > FEW {
        Kind::Cells
    } else {
        Kind::Lines
    };
    chart.name = picture.name_of_variable();
    chart.notes.append(&mut picture.remarks);
    picture.caption = None;
    chart
}

/// Draws the fan of a long sweep: the median of each rule, and the values that half of the rolls have, and nine of ten. `None` for rules
/// without a variable, or whose values are not all known.
pub(super) fn fan(rules: &[Answered], picture: &Picture) -> Option<(Canvas, f64)> {
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
    let values = values.collect::<Option<Vec<[f64; 5]>>>()?;
    let all = values.iter().flatten().copied();
    let (low, high) = (
        all.clone().fold(f64::INFINITY, f64::min),
        all.fold(f64::NEG_INFINITY, f64::max),
    );
    let canvas = Canvas::new(picture.width);
    let top = picture.head(&canvas) + ABOVE;
    let mut notes = picture.notes(&picture.remarks);
    for (key, text) in [
        (
            Key::Median,
            "the median: half of the rolls are as high or lower",
        ),
        (Key::Half, "half of all rolls"),
        (Key::Most, "nine of ten rolls"),
    ] {
        notes.push(Note::on(key, text));
    }
    let foot = LABELS_HEIGHT + Note::height(&notes);
    let step = round_step(((high - low) / 6.0).max(1e-9));
    let (from, to) = ((low / step).floor() * step, (high / step).ceil() * step);
    let digits = (-step.log10().floor()).max(0.0) as usize;
    let label = |value: f64| typeset(&format!("{value:.digits$}"));
    let ticks = ticks(from, to, step).into_iter();
    let ticks: Vec<(f64, String)> = ticks.map(|value| (value, label(value))).collect();
    let area = picture.area(&ticks, top, foot, 0.0);
    let ticks = Picture::spaced(ticks, &area);
    canvas.text(&picture.values, (MARGIN, top - 20.0), Anchor::Start, SMALL);
    let mut chart = Chart::new(Kind::Lines, View::Exactly, &[]);
    (chart.bins, chart.along) = bins(picture);
    let y = Axis {
        ticks,
        ..Axis::new(from, to.max(from + step))
    };
    let x = picture.axis(&chart, &area);
    let mut field = canvas.field(area, [x, y], Grid::Level, &picture.name_of_variable());
    let places: Vec<f64> = chart.bins.iter().map(Bin::middle).collect();
    let role = roles(1)[0];
    let edge = |part: usize| {
        places
            .iter()
            .zip(&values)
            .map(move |(x, it)| (*x, it[part]))
    };
    field.draw([[0, 4], [1, 3]].map(|[low, high]| {
        let upper: Vec<Point> = edge(high).collect();
        let band = edge(low).chain(upper.into_iter().rev()).collect();
        Mark::polygon(band, Look::new("band", role, "").with_opacity(BAND))
    }));
    let median: Vec<Point> = edge(2).collect();
    field.draw([Mark::lines(
        &[median],
        CURVE,
        "",
        Look::new("curve", role, ""),
    )]);
    let radius = if rules.len() > 45 { 1.4 } else { 2.6 };
    let dots = places.iter().zip(&values).zip(&picture.names);
    field.draw(dots.map(|((x, values), rule)| {
        let [least, low, middle, high, most] = values.map(|value| typeset(&value.to_string()));
        let words = format!(
            "{rule}: median {middle}, half from {low} to {high}, nine of ten from {least} to {most}"
        );
        Mark::circle((*x, values[2]), radius, Look::new("dot", role, words))
    }));
    canvas.notes(&notes, area.bottom + LABELS_HEIGHT);
    Some((canvas, area.bottom + foot))
}
