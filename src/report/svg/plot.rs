//! The field of a [`Chart`] of one rule or a few, with values to the right and percentages upward: its places, grid and axes.

use super::asked::{Asked, Values};
use super::axis::{Ticks, percent_label, round_step, ticks};
use super::beside::Extra;
use super::canvas::{Anchor, Canvas, Mark, Rect, text_box};
use super::chart::Chart;
use super::direct;
use super::frame::{self, Key, MARGIN, Note, Sample, WIDTH};
use super::kind::Kind;
use super::lanes::Lanes;
use super::names::{LONGEST_BESIDE, fitting_names};
use super::palette::{Role, roles};
use super::picture::{LONGEST_MEAN, Picture, figure};
use super::slots::Spot;
use super::text::{Font, LABEL, SMALL, TINY, text_width, widest};
use super::upright::upright;
use crate::report::View;

/// The width of a stem, which is the thin bar of a value far from the others.
pub(super) const STEM: f64 = 3.0;

/// The space below the field for the labels of values, and for the name of the values.
pub(super) const LABELS_HEIGHT: f64 = 26.0;
pub(super) const NAME_HEIGHT: f64 = 18.0;

/// The height of the name of the chances, above the field.
const CHANCES_HEIGHT: f64 = 30.0;

/// The least width of a column beside the axis, and the space before the column.
const EXTRA: f64 = 30.0;
const EXTRA_GAP: f64 = 14.0;

/// The least share of the highest one of which the hatching is seen.
const LEAST_HATCHED: f64 = 0.02;

/// The distance of a text beside a mean from other lines.
const SPARE: f64 = 9.0;

/// The size of the pointer of a mean.
const POINTER: f64 = 9.0;

/// The coordinates of shares and values.
pub(super) struct Plot<'a> {
    pub(super) chart: &'a Chart,
    pub(super) picture: &'a Picture,
    pub(super) roles: Vec<Role>,
    /// The rectangle of the values, without the columns beside the axis.
    pub(super) area: Rect,
    lanes: Lanes<'a>,
    /// The left and the right end of the axis, with the columns.
    pub(super) outer: [f64; 2],
    /// The ends of the horizontal axis, in values.
    low: f64,
    high: f64,
    /// The share at the upper edge of the rectangle.
    top: f64,
    ticks: Ticks,
}

/// Draws the chart; returns the height of the picture.
pub(super) fn draw(chart: &Chart, picture: &Picture) -> (Canvas, f64) {
    let mut canvas = Canvas::new(WIDTH);
    let mut head = frame::head(&mut canvas, picture);
    let notes = notes(chart, picture);
    let foot = LABELS_HEIGHT + NAME_HEIGHT + frame::notes_height(&notes);
    let mut plot = Plot::new(chart, picture, head, foot);
    let several = picture.names.len() > 1;
    let shown = fitting_names(&picture.names, LABEL.size, LONGEST_BESIDE);
    let names = direct::place(&plot.curves(), &shown, plot.area, &plot.upright_lines());
    let names = names.filter(|_| several);
    if several && names.is_none() {
        let sample = match chart.kind {
            Kind::Bars => Sample::Block,
            _ => Sample::Line,
        };
        head = frame::legend(&mut canvas, &picture.names, sample, &[], head);
        plot = Plot::new(chart, picture, head, foot);
    }
    plot.asked(&mut canvas);
    plot.grid(&mut canvas);
    let percentages = plot.percentages(&canvas);
    let boxes: Vec<Rect> = percentages.iter().map(|text| text.place).collect();
    let x = |value| plot.x(value);
    plot.lanes
        .draw(&mut canvas, plot.area, plot.ends(), x, &boxes);
    let has_means = picture.view == View::Exactly && !chart.are_conditions && !chart.is_certain();
    if has_means {
        plot.means(&mut canvas, &boxes);
    }
    plot.marks(&mut canvas, &percentages);
    for (index, place) in names.iter().flatten().enumerate() {
        direct::draw(
            &mut canvas,
            (&shown[index], &picture.names[index]),
            plot.roles[index],
            *place,
        );
    }
    if has_means {
        let beyond = plot.point_beyond(&mut canvas);
        plot.name_of_mean(&mut canvas, &beyond);
    }
    plot.extras(&mut canvas);
    plot.value_axis(&mut canvas);
    let below = plot.area.bottom + LABELS_HEIGHT + NAME_HEIGHT;
    frame::draw_notes(&mut canvas, &notes, below);
    (canvas, plot.area.bottom + foot)
}

/// The runs of values that the only question about several rules is about, between edges on the axis.
fn shaded(chart: &Chart, picture: &Picture) -> Vec<[f64; 2]> {
    let is_marked = picture.names.len() > 1 && !chart.are_conditions;
    let only = picture.only_asked().filter(|_| is_marked);
    let [first, last] = chart.reach();
    let runs = only.iter().flat_map(|asked| asked.values.runs());
    let runs = runs
        .map(|run| chart.edges(run))
        .filter(|run| chart.shows(*run));
    let shown = runs.map(|[low, high]| [low.max(first), high.min(last)]);
    let shown: Vec<[f64; 2]> = shown.filter(|[low, high]| low < high).collect();
    // Runs within a range of values cannot be told apart.
    let are_apart = shown.len() == 1
        || shown
            .iter()
            .all(|[low, high]| high - low >= chart.width * 0.999);
    if are_apart { shown } else { Vec::new() }
}

/// The notes below the axis.
fn notes(chart: &Chart, picture: &Picture) -> Vec<Note> {
    let texts = picture.caption.iter().chain(&picture.remarks);
    let mut notes = frame::notes(texts.chain(&chart.notes));
    let mut spots = chart.series.iter().flat_map(|series| &series.spots);
    if spots.any(|spot| spot.bounds.is_some()) {
        let key = if chart.has_whiskers() {
            Key::Whisker
        } else {
            Key::Band
        };
        notes.push(Note::on(key, "the interval of each sampled chance"));
    }
    if !shaded(chart, picture).is_empty() {
        notes.push(Note::on(Key::Shade, "what is asked about"));
    }
    if chart.kind == Kind::Area && chart.gathered.is_some() && holds_for_some(picture) {
        let text = "the part of each range for which the condition holds";
        notes.push(Note::on(Key::Part, text));
    }
    let extras = chart.left.iter().chain(&chart.right);
    let extras = extras.filter(|extra| !extra.is_one());
    let mut extras = extras.flat_map(|extra| &extra.chances);
    let visible = chart.highest() * LEAST_HATCHED;
    if extras.any(|chance| chance.share > visible) {
        let text = "the chance of several values together, or of none";
        notes.push(Note::on(Key::Hatch, text));
    }
    notes
}

/// Whether a condition is asked that holds for some values.
fn holds_for_some(picture: &Picture) -> bool {
    let asked = picture.only_asked().map(|asked| &asked.values);
    matches!(asked, Some(Values::Holding(runs)) if !runs.is_empty())
}

/// The share at the upper end of the axis, and the step between its ticks.
pub(super) fn share_axis(highest: f64, view: View) -> (f64, f64) {
    match view {
        View::Exactly if highest <= 0.0 => (1.0, 0.2),
        View::Exactly => {
            // More ticks are used if they leave less of the picture empty.
            let [few, more] = [5.0, 8.0].map(|ticks| {
                let step = round_step((highest / ticks).max(1e-300));
                (((highest * 1.03 / step).ceil() * step).min(1.0), step)
            });
            if more.0 < few.0 * 0.9 { more } else { few }
        }
        View::AtLeast | View::AtMost => (1.0, 0.2),
    }
}

/// The words beside the mark of a mean.
fn words_of_mean(mean: f64) -> String {
    format!("mean {}", figure(&format!("{mean:.2}"), LONGEST_MEAN))
}

/// The width of a column beside the axis, with the space before it.
fn extra_width(extra: &Extra) -> f64 {
    text_width(&extra.label, LABEL.size).max(EXTRA) + EXTRA_GAP
}

impl<'a> Plot<'a> {
    /// The places of a chart between a head and a foot of these heights.
    fn new(chart: &'a Chart, picture: &'a Picture, head: f64, foot: f64) -> Self {
        let highest = chart.highest();
        let (top, step) = share_axis(highest, picture.view);
        let ticks = ticks(0.0, top, step);
        let labels = ticks.values.iter().map(|share| percent_label(*share, step));
        let axis = widest(&labels.collect::<Vec<_>>(), LABEL.size) + 10.0;
        let left: f64 = chart.left.iter().map(extra_width).sum();
        let right: f64 = chart.right.iter().map(extra_width).sum();
        let outer = [MARGIN + axis, WIDTH - MARGIN];
        let lanes = Lanes::of(chart, picture);
        let above = head + CHANCES_HEIGHT + lanes.height();
        let area = Rect {
            left: outer[0] + left,
            top: above,
            right: outer[1] - right,
            bottom: above + frame::height_between(above, foot),
        };
        let span = chart.slots() as f64 * chart.width;
        let is_line = matches!(chart.kind, Kind::Dots | Kind::Curves);
        let padding = if is_line || area.width() / (chart.slots() as f64) < STEM {
            span * 0.015
        } else {
            0.0
        };
        Self {
            chart,
            picture,
            roles: roles(picture.names.len()),
            area,
            lanes,
            outer,
            low: chart.axis()[0] - padding,
            high: chart.axis()[1] + padding,
            // This leaves room above the highest bar for its percentage and the pointer of the mean.
            top: if chart.kind == Kind::Curves {
                top
            } else {
                top.max(highest * 1.0001 / 0.92)
            },
            ticks,
        }
    }

    /// The place of a value on the axis, or in the column beside it that has the value.
    pub(super) fn x(&self, value: f64) -> f64 {
        let [left, right] = self.chart.columns();
        let half = self.chart.apart / 2.0;
        let (column, ends) = match (left, right) {
            (Some(extra), _) if value < self.low => (extra, [self.outer[0], self.area.left]),
            (_, Some(extra)) if value > self.high => (
                extra,
                [self.area.right, self.area.right + extra_width(extra)],
            ),
            _ => {
                let part = (value - self.low) / (self.high - self.low);
                return self.area.left + part * self.area.width();
            }
        };
        let [from, to] = if value < self.low {
            [ends[0], ends[1] - EXTRA_GAP]
        } else {
            [ends[0] + EXTRA_GAP, ends[1]]
        };
        let [first, last] = column.values.unwrap_or([value, value]);
        let part = (value - first + half) / (last - first + 2.0 * half);
        let part = match (first.is_finite(), last.is_finite()) {
            (true, true) => part,
            (true, false) if value.is_infinite() => 1.0,
            (false, true) if value.is_infinite() => 0.0,
            (true, false) if value < first => 0.0,
            (false, true) if value > last => 1.0,
            _ => 0.5,
        };
        from + part.clamp(0.0, 1.0) * (to - from)
    }

    /// The width of a slot.
    pub(super) fn slot_width(&self) -> f64 {
        self.chart.width / (self.high - self.low) * self.area.width()
    }

    /// The ends of the axis, or of the columns of values beside it.
    fn ends(&self) -> [f64; 2] {
        let [left, right] = self.chart.columns();
        let [low, high] = self.chart.reach().map(|value| self.x(value));
        [
            left.map_or(self.area.left, |_| low),
            right.map_or(self.area.right, |_| high),
        ]
    }

    pub(super) fn y(&self, share: f64) -> f64 {
        self.area.bottom - share / self.top * self.area.height()
    }

    /// What stands out of the values of the only rule.
    pub(super) fn stands_out(&self) -> Option<&Asked> {
        let asked = self.picture.only_asked();
        asked.filter(|_| self.picture.names.len() == 1)
    }

    /// Whether a value is asked about, if anything is.
    pub(super) fn is_asked(&self, spot: &Spot) -> bool {
        let value = self.chart.middle(spot.slot);
        let half = self.chart.width / 2.0;
        let mut targets = self.lanes.targets().peekable();
        if self.picture.names.len() == 1 && targets.peek().is_some() {
            return targets.any(|target| (target - value).abs() < half);
        }
        let is_in = |[low, high]: [f64; 2]| low < value && value < high;
        self.stands_out().is_none_or(|asked| {
            let mut runs = asked.values.runs().into_iter();
            runs.any(|run| is_in(self.chart.edges(run)))
        })
    }

    /// What is asked of several rules: a shade behind the values.
    fn asked(&self, canvas: &mut Canvas) {
        for run in shaded(self.chart, self.picture) {
            let [left, right] = run.map(|end| self.x(end));
            let shade = Rect {
                left,
                right,
                ..self.area
            };
            let mark = Mark::new("asked", Role::SoftInk, "").with_opacity(frame::SHADE);
            canvas.rect(shade, mark);
        }
    }

    /// The lines of the shares, with their labels.
    fn grid(&self, canvas: &mut Canvas) {
        for share in &self.ticks.values {
            let y = self.y(*share);
            canvas.line((self.outer[0], y), (self.outer[1], y), 1.0, Role::Grid);
            let label = percent_label(*share, self.ticks.step);
            canvas.text(&label, (self.outer[0] - 8.0, y), Anchor::End, LABEL);
        }
        let name = self.chart.name_of_chances();
        let place = (MARGIN, self.area.top - self.lanes.height() - 20.0);
        canvas.text(&name, place, Anchor::Start, SMALL);
    }

    /// The means within the axis, with their colours.
    fn visible_means(&self) -> Vec<(f64, Role)> {
        let only = self.roles.len() == 1;
        let within = |mean: &f64| (self.low..=self.high).contains(mean);
        let series = self.chart.series.iter().zip(&self.roles);
        let means = series.filter_map(|(series, role)| {
            let role = if only { Role::SoftInk } else { *role };
            Some((self.x(series.mean.filter(within)?), role))
        });
        let mut means: Vec<(f64, Role)> = means.collect();
        means.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        means
    }

    /// The colours of the means before the axis and after it, in the order of the series.
    fn means_beyond(&self) -> [Vec<(f64, Role)>; 2] {
        let only = self.roles.len() == 1;
        let series = self.chart.series.iter().zip(&self.roles);
        let means = series.filter_map(|(series, role)| {
            Some((series.mean?, if only { Role::SoftInk } else { *role }))
        });
        let means: Vec<(f64, Role)> = means.collect();
        let beyond = |is_beyond: &dyn Fn(f64) -> bool| {
            let beyond = means.iter().filter(|(mean, _)| is_beyond(*mean));
            beyond.copied().collect()
        };
        [
            beyond(&|mean| mean < self.low),
            beyond(&|mean| mean > self.high),
        ]
    }

    /// Pointers at an end of the axis to the means beyond it, with a word for what they are; returns their boxes.
    fn point_beyond(&self, canvas: &mut Canvas) -> Vec<Rect> {
        let mut boxes = Vec::new();
        let y = self.area.top + 5.0;
        let all = self.means_beyond();
        for (side, means) in all
            .iter()
            .enumerate()
            .filter(|(_, means)| !means.is_empty())
        {
            let (edge, inward, anchor) = match side {
                0 => (self.area.left, 1.0, Anchor::Start),
                _ => (self.area.right, -1.0, Anchor::End),
            };
            for (index, (_, role)) in means.iter().enumerate() {
                let tip = edge + inward * POINTER * index as f64;
                let back = tip + inward * 8.0;
                let half = POINTER / 2.0;
                let pointer = [(tip, y), (back, y - half), (back, y + half)];
                canvas.polygon(&pointer, Mark::new("mean", *role, ""));
            }
            let name = match means[..] {
                [(mean, _)] => words_of_mean(mean),
                _ => "means beyond".into(),
            };
            let end = edge + inward * POINTER * means.len() as f64;
            let font = Font {
                edge: true,
                ..SMALL
            };
            let place = (end + inward * 5.0, y);
            boxes.push(Rect {
                left: edge.min(end),
                top: y - POINTER,
                right: edge.max(end),
                bottom: y + POINTER,
            });
            let text = text_box(&name, place, anchor, font.size);
            if self.has_room(canvas, &text) {
                canvas.text(&name, place, anchor, font);
                boxes.push(text);
            }
        }
        boxes
    }

    /// The horizontal places of the lines of means and of the dotted ones.
    fn upright_lines(&self) -> Vec<f64> {
        let means = self.visible_means().into_iter();
        let shown = means.filter(|_| self.picture.view == View::Exactly);
        let dotted = self.lanes.crossings().into_iter();
        shown
            .map(|(x, _)| x)
            .chain(dotted.map(|value| self.x(value)))
            .collect()
    }

    /// Each mean as a dashed line behind the data, with a pointer at its upper end. The dashes of means at the same place
    /// alternate, and their pointers stand side by side, with their tips at the means. No line goes through one of the `texts`.
    fn means(&self, canvas: &mut Canvas, texts: &[Rect]) {
        const DASHES: [f64; 2] = [4.0, 4.0];
        let means = self.visible_means();
        let (top, pitch) = (self.area.top, DASHES[0] + DASHES[1]);
        for line in means.chunk_by(|(a, _), (b, _)| b - a < 1.4) {
            let turns = line.len() as f64;
            let dash = format!("{} {}", DASHES[0], pitch * turns - DASHES[0]);
            for (turn, (x, role)) in line.iter().enumerate() {
                let first = top + turn as f64 * pitch;
                let parts = upright(*x, [first, self.area.bottom], texts);
                let parts = parts.into_iter().filter_map(|[from, to]| {
                    // The dashes go on below a text as if it were not there.
                    let dashes = ((from - first) / (pitch * turns)).ceil();
                    let from = first + dashes * pitch * turns;
                    (from < to).then(|| vec![(*x, from), (*x, to)])
                });
                let parts: Vec<_> = parts.collect();
                canvas.lines(&parts, 1.3, &dash, Mark::new("mean", *role, ""));
            }
        }
        for group in means.chunk_by(|(a, _), (b, _)| b - a < POINTER) {
            let sum: f64 = group.iter().map(|(x, _)| x).sum();
            let left = sum / group.len() as f64 - POINTER * group.len() as f64 / 2.0;
            for (index, (x, role)) in group.iter().enumerate() {
                let left = left + POINTER * index as f64;
                let pointer = [(*x, top + 8.0), (left, top), (left + POINTER, top)];
                canvas.polygon(&pointer, Mark::new("mean", *role, ""));
            }
        }
    }

    /// Whether a text covers no other, and no upright line goes through it.
    fn has_room(&self, canvas: &Canvas, text: &Rect) -> bool {
        let mut lines = self.upright_lines().into_iter();
        // The letters may be wider than the estimate of their width.
        let (left, right) = (text.left - SPARE, text.right + SPARE);
        canvas.is_free(text) && !lines.any(|x| (left..=right).contains(&x))
    }

    /// The word `mean` beside the first mean, where there is room beside what points `beyond` the axis.
    fn name_of_mean(&self, canvas: &mut Canvas, beyond: &[Rect]) {
        let means = self.visible_means();
        let (Some((first, _)), Some((last, _))) = (means.first(), means.last()) else {
            return;
        };
        let only = match &self.chart.series[..] {
            [only] => only.mean,
            _ => None,
        };
        let name = match only.filter(|_| self.picture.has_answers) {
            // Below the title stands what is asked.
            Some(mean) => words_of_mean(mean),
            None if means.len() == 1 => "mean".into(),
            None => "means".into(),
        };
        let font = Font {
            edge: true,
            ..SMALL
        };
        let y = self.area.top + 5.0;
        let places = [
            ((last + 10.0, y), Anchor::Start),
            ((first - 10.0, y), Anchor::End),
        ];
        let mut free = places.into_iter().filter(|(place, anchor)| {
            let text = text_box(&name, *place, *anchor, font.size);
            let spaced = Rect {
                left: text.left - 8.0,
                right: text.right + 8.0,
                ..text
            };
            let covers = beyond.iter().any(|other| other.overlaps(&spaced));
            !covers && self.has_room(canvas, &text)
        });
        if let Some((place, anchor)) = free.next() {
            canvas.text(&name, place, anchor, font);
        }
    }

    /// The columns beside the axis.
    fn extras(&self, canvas: &mut Canvas) {
        let mut x = self.outer[0];
        for extra in &self.chart.left {
            self.extra(canvas, extra, x);
            x += extra_width(extra);
        }
        x = self.area.right + EXTRA_GAP;
        for extra in &self.chart.right {
            self.extra(canvas, extra, x);
            x += extra_width(extra);
        }
    }

    /// A column beside the axis, hatched if it is at no single value. It stands out if what is asked is about all of its values.
    fn extra(&self, canvas: &mut Canvas, extra: &Extra, left: f64) {
        let width = extra_width(extra) - EXTRA_GAP;
        let middle = left + width / 2.0;
        let bar = EXTRA.min(width) / self.roles.len() as f64;
        let start = middle - bar * self.roles.len() as f64 / 2.0;
        let is_asked = |asked: &Asked| asked.is_about(self.chart, extra);
        let opacity = if self.stands_out().is_none_or(is_asked) {
            1.0
        } else {
            frame::FADED
        };
        for (index, (chance, role)) in extra.chances.iter().zip(&self.roles).enumerate() {
            if chance.share > 0.0 {
                let left = start + bar * index as f64;
                let title = self.picture.words(index, &extra.label, chance);
                let mark = Mark::new("beside", *role, &title).with_opacity(opacity);
                let bar = self.bar(left, left + bar, chance.share);
                if extra.is_one() {
                    canvas.rect(bar, mark);
                } else {
                    canvas.hatch(bar, mark);
                }
            }
        }
        if let [chance] = extra.chances.as_slice() {
            let y = self.y(chance.share).min(self.area.bottom) - 9.0;
            canvas.text_if_free(&chance.label, (middle, y), Anchor::Middle, TINY);
        }
        let below = self.area.bottom + 15.0;
        canvas.text(&extra.label, (middle, below), Anchor::Middle, LABEL);
    }

    /// The rectangle of a bar. A positive share has a visible bar.
    pub(super) fn bar(&self, left: f64, right: f64, share: f64) -> Rect {
        let top = if share > 0.0 {
            self.y(share).min(self.area.bottom - 0.8)
        } else {
            self.area.bottom
        };
        Rect {
            left,
            top,
            right,
            bottom: self.area.bottom,
        }
    }

    fn value_axis(&self, canvas: &mut Canvas) {
        let axis = self.area.bottom;
        canvas.line(
            (self.outer[0], axis),
            (self.outer[1], axis),
            1.2,
            Role::Axis,
        );
        if !self.chart.has_values() {
            return;
        }
        let [left, right] = self.chart.columns();
        for (column, x) in [
            (left, self.area.left - EXTRA_GAP / 2.0),
            (right, self.area.right + EXTRA_GAP / 2.0),
        ] {
            if column.is_some_and(|extra| extra.is_far) {
                frame::axis_break(canvas, (x, axis), true);
            }
        }
        let (low, high) = (self.low, self.high);
        for (value, label) in value_labels(self.chart, [low, high], self.area.width()) {
            let x = self.x(value);
            canvas.line((x, axis), (x, axis + 4.0), 1.0, Role::Axis);
            let half = text_width(&label, LABEL.size) / 2.0;
            let place = (x.min(WIDTH - half - 4.0), axis + 15.0);
            canvas.text_if_free(&label, place, Anchor::Middle, LABEL);
        }
        let middle = f64::midpoint(self.area.left, self.area.right);
        let place = (middle, axis + LABELS_HEIGHT + NAME_HEIGHT / 2.0);
        canvas.text(&self.picture.values, place, Anchor::Middle, SMALL);
    }
}

/// The values with labels on an axis between these ends, and of this width in pixels: all, if there is room, else some of them, evenly
/// spaced.
pub(super) fn value_labels(chart: &Chart, [low, high]: [f64; 2], width: f64) -> Vec<(f64, String)> {
    if !chart.is_decimal() {
        let slots = chart.occupied();
        let labels: Vec<String> = slots.iter().map(|slot| chart.label(*slot)).collect();
        let fits = (widest(&labels, LABEL.size) + 7.0) * (high - low) / width <= chart.width;
        // A cumulative view has chances where no values are.
        if chart.gathered.is_none() && !chart.is_cumulative() && fits {
            let places = slots.into_iter().map(|slot| chart.middle(slot));
            return places.zip(labels).collect();
        }
        return chart.ticks((high - low) * (text_width("00.00", LABEL.size) + 24.0) / width);
    }
    let slots = 0..chart.slots();
    let all = slots.map(|slot| (chart.middle(slot), chart.label(slot)));
    let value_of = |room: f64| (high - low) * room / width;
    let ends = [0, chart.slots() - 1].map(|slot| chart.label(slot));
    let label_width = widest(&ends, LABEL.size);
    if chart.gathered.is_none() && value_of(label_width + 7.0) <= chart.width {
        return all.collect();
    }
    let label_width = widest(&chart.end_labels(), LABEL.size);
    chart.ticks(value_of(label_width + 24.0))
}
