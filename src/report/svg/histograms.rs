//! A histogram for each of many series, one below the other on one axis.

use super::beside::Extra;
use super::canvas::{Anchor, Canvas, Mark, Point, Rect};
use super::chart::Chart;
use super::frame::{self, FADED, Key, MARGIN, Note, WIDTH};
use super::lanes::Lanes;
use super::names::fitting_names;
use super::palette::{Role, roles};
use super::picture::Picture;
use super::plot::{LABELS_HEIGHT, NAME_HEIGHT, value_labels};
use super::slots::Spot;
use super::text::{LABEL, SMALL, text_width, widest};

/// The largest width of the names of the series.
const LONGEST_NAME: f64 = 220.0;

/// The least and the largest height of a row, and the part of it that the highest bar fills.
const LOWEST: f64 = 24.0;
const HIGHEST: f64 = 64.0;
const FILLED: f64 = 0.86;

/// The space between the head and the first row.
const ABOVE: f64 = 26.0;

/// The width of a column beside the axis, and the space before it.
const EXTRA: f64 = 16.0;
const EXTRA_GAP: f64 = 30.0;

/// The least width of bars with gaps between them.
const LEAST_APART: f64 = 6.0;

/// The heading of the highest chance of each row.
const HIGHEST_CHANCE: &str = "highest bar";

/// The places of the rows.
struct Rows<'a> {
    chart: &'a Chart,
    picture: &'a Picture,
    area: Rect,
    pitch: f64,
    /// The ends of the axis, in values.
    ends: [f64; 2],
    /// The right end of the axis with the columns, and of the highest chances.
    right: f64,
    column: f64,
    /// The right ends of the columns beside the highest chances.
    ends_of_columns: Vec<f64>,
}

/// Draws the chart; returns the height of the picture.
pub(super) fn draw(chart: &Chart, picture: &Picture) -> (Canvas, f64) {
    let mut canvas = Canvas::new(WIDTH);
    let lanes = Lanes::of(chart, picture);
    let above = frame::head(&mut canvas, picture) + ABOVE;
    let head = above + lanes.height();
    let notes = notes(chart, picture);
    let foot = LABELS_HEIGHT + NAME_HEIGHT + frame::notes_height(&notes);
    let rows = Rows::new(chart, picture, head, foot);
    let above = above - ABOVE / 2.0 - 3.0;
    let name = chart.name_of_chances();
    canvas.text(&name, (MARGIN, above), Anchor::Start, SMALL);
    for (column, end) in picture.columns.iter().zip(&rows.ends_of_columns) {
        canvas.text(&column.heading, (*end, above), Anchor::End, SMALL);
    }
    canvas.text(HIGHEST_CHANCE, (rows.column, above), Anchor::End, SMALL);
    let labels = value_labels(chart, rows.ends, rows.area.width());
    for (value, _) in &labels {
        let x = rows.x(*value);
        canvas.line((x, rows.area.top), (x, rows.area.bottom), 1.0, Role::Grid);
    }
    let ends = [rows.area.left, rows.area.right];
    lanes.draw(&mut canvas, rows.area, ends, |value| rows.x(value), &[]);
    let shown = fitting_names(&picture.names, LABEL.size, LONGEST_NAME);
    for (index, names) in shown.iter().zip(&picture.names).enumerate() {
        rows.row(&mut canvas, index, names);
    }
    for (place, extra) in rows.beside().enumerate() {
        let middle = rows.left_of_extra(place) + EXTRA / 2.0;
        rows.label(&mut canvas, &extra.label, middle);
    }
    for (value, label) in labels {
        rows.label(&mut canvas, &label, rows.x(value));
    }
    let middle = f64::midpoint(rows.area.left, rows.area.right);
    let below = rows.area.bottom + LABELS_HEIGHT;
    let place = (middle, below + NAME_HEIGHT / 2.0);
    canvas.text(&picture.values, place, Anchor::Middle, SMALL);
    frame::draw_notes(&mut canvas, &notes, below + NAME_HEIGHT);
    (canvas, rows.area.bottom + foot)
}

/// The notes below the axis: of what the chart says, what is asked about, and the means.
fn notes(chart: &Chart, picture: &Picture) -> Vec<Note> {
    let mut notes = frame::notes(picture.remarks.iter().chain(&chart.notes));
    if picture.only_asked().is_some() {
        notes.push(Note::on(Key::Bars, "what is asked about"));
    }
    if chart.series.iter().any(|series| series.mean.is_some()) {
        notes.push(Note::on(Key::Dot, "the mean of each rule"));
    }
    notes
}

impl<'a> Rows<'a> {
    fn new(chart: &'a Chart, picture: &'a Picture, head: f64, foot: f64) -> Self {
        let count = picture.names.len() as f64;
        let pitch = (frame::height_between(head, foot) / count).clamp(LOWEST, HIGHEST);
        let names = widest(&picture.names, LABEL.size).min(LONGEST_NAME) + 12.0;
        let mut column = WIDTH - MARGIN;
        let ends_of_columns = picture.columns.iter().rev().map(|next| {
            let end = column;
            column -= next.width();
            end
        });
        let mut ends_of_columns: Vec<f64> = ends_of_columns.collect();
        ends_of_columns.reverse();
        let right = column - text_width(HIGHEST_CHANCE, SMALL.size) - 14.0;
        let beside = (chart.left.len() + chart.right.len()) as f64;
        Self {
            chart,
            picture,
            area: Rect {
                left: MARGIN + names,
                top: head,
                right: right - beside * (EXTRA + EXTRA_GAP),
                bottom: head + pitch * count,
            },
            pitch,
            ends: [(0, -0.5), (chart.slots() - 1, 0.5)]
                .map(|(slot, half)| chart.middle(slot) + half * chart.width),
            right,
            column,
            ends_of_columns,
        }
    }

    fn x(&self, value: f64) -> f64 {
        let [low, high] = self.ends;
        self.area.left + (value - low) / (high - low) * self.area.width()
    }

    /// The columns beside the axis.
    fn beside(&self) -> impl Iterator<Item = &Extra> {
        self.chart.left.iter().chain(&self.chart.right)
    }

    fn left_of_extra(&self, place: usize) -> f64 {
        self.area.right + EXTRA_GAP + place as f64 * (EXTRA + EXTRA_GAP)
    }

    /// A bar of a share, between two sides, on the floor of a row.
    fn bar(&self, [left, right]: [f64; 2], share: f64, floor: f64) -> Rect {
        let part = share / self.chart.highest().max(f64::MIN_POSITIVE);
        Rect {
            left,
            top: floor - (part * self.pitch * FILLED).max(0.8),
            right,
            bottom: floor,
        }
    }

    /// The row of a series: its name, its bars, its highest chance and the number at its end.
    fn row(&self, canvas: &mut Canvas, index: usize, (shown, name): (&String, &String)) {
        let (chart, picture) = (self.chart, self.picture);
        let role = roles(1)[0];
        let floor = self.area.top + (index as f64 + 1.0) * self.pitch;
        let middle = floor - self.pitch * 0.4;
        let end = |x: f64| -> Point { (x, middle) };
        let place = end(self.area.left - 12.0);
        frame::row_name(canvas, (shown, name), place, self.pitch, LONGEST_NAME);
        for (column, x) in picture.columns.iter().zip(&self.ends_of_columns) {
            canvas.text(&column.texts[index], end(*x), Anchor::End, LABEL);
        }
        let series = chart.series.get(index);
        let spots = series.map_or(&[][..], |series| &series.spots);
        let is_apart = self.area.width() / chart.slots() as f64 > LEAST_APART;
        let gap = if is_apart { 1.0 } else { 0.0 };
        for spot in spots {
            let [left, right] =
                [-0.5, 0.5].map(|half| self.x(chart.middle(spot.slot) + half * chart.width));
            let words = picture.words(index, &chart.words(spot.slot), &spot.chance);
            let sides = [left, right - gap];
            let asked = self.asked(spot, sides);
            let is_whole = asked.as_ref().is_none_or(|asked| asked[..] == [sides]);
            let opacity = if is_whole { 1.0 } else { FADED };
            let bar = self.bar(sides, spot.chance.share, floor);
            canvas.rect(bar, Mark::new("bar", role, &words).with_opacity(opacity));
            for part in asked.iter().flatten().filter(|_| !is_whole) {
                let bar = self.bar(*part, spot.chance.share, floor);
                canvas.rect(bar, Mark::new("asked", role, ""));
            }
        }
        for (place, extra) in self.beside().enumerate() {
            let chance = &extra.chances[index];
            let left = self.left_of_extra(place);
            if chance.share > 0.0 {
                let words = picture.words(index, &extra.label, chance);
                let bar = self.bar([left, left + EXTRA], chance.share, floor);
                let is_faded = picture
                    .only_asked()
                    .is_some_and(|asked| !asked.is_about(chart, extra));
                let opacity = if is_faded { FADED } else { 1.0 };
                let mark = Mark::new("beside", role, &words).with_opacity(opacity);
                if extra.is_one() {
                    canvas.rect(bar, mark);
                } else {
                    canvas.hatch(bar, mark);
                }
            }
        }
        let by_share = |a: &&Spot, b: &&Spot| a.chance.share.total_cmp(&b.chance.share);
        if let Some(highest) = spots.iter().max_by(by_share) {
            let sign = if highest.bounds.is_some() { "≈" } else { "" };
            let label = format!("{sign}{}", highest.chance.label);
            canvas.text(&label, end(self.column), Anchor::End, LABEL);
        }
        let ends = [(self.area.left, floor), (self.right, floor)];
        canvas.line(ends[0], ends[1], 1.0, Role::Axis);
        for (place, _) in self.beside().enumerate().filter(|(_, extra)| extra.is_far) {
            let gap = self.left_of_extra(place) - EXTRA_GAP / 2.0;
            frame::axis_break(canvas, (gap, floor), true);
        }
        let [low, high] = self.ends;
        let mean = series.and_then(|series| series.mean);
        if let Some(mean) = mean.filter(|mean| (low..=high).contains(mean)) {
            let mark = Mark::new("mean", Role::Ink, "");
            canvas.circle((self.x(mean), floor), frame::MEAN, mark);
        }
    }

    /// The parts of the bar of a spot that are asked about; `None` if nothing is asked that stands out.
    fn asked(&self, spot: &Spot, [left, right]: [f64; 2]) -> Option<Vec<[f64; 2]>> {
        let asked = self.picture.only_asked()?;
        let middle = self.chart.middle(spot.slot);
        let slot = [-0.5, 0.5].map(|half| middle + half * self.chart.width);
        let runs = asked.values.runs().into_iter();
        let runs = runs.map(|run| self.chart.edges(run));
        let inner = runs.filter(|[low, high]| *low < slot[1] && slot[0] < *high);
        let part = |value: f64| (value - slot[0]) / (slot[1] - slot[0]);
        let place = |value: f64| left + part(value).clamp(0.0, 1.0) * (right - left);
        Some(inner.map(|run| run.map(place)).collect())
    }

    /// A label below the axis, where there is room.
    fn label(&self, canvas: &mut Canvas, label: &str, x: f64) {
        let place = (x, self.area.bottom + 15.0);
        canvas.text_if_free(label, place, Anchor::Middle, LABEL);
    }
}
