//! Draws a [`Chart`], with values to the right and percentages upward.

use std::io;

use super::axis::{percent_label, round_step, ticks, value_label};
use super::canvas::{Anchor, Canvas, Font, Point, Rect, text_width};
use super::chart::{Chart, Extra, Kind, Series, Spot, short_percent};
use super::frame::{self, LABEL, MARGIN, SMALL, Sample, WIDTH};
use super::palette::{AXIS, Appearance, Color, GRID, INK, SOFT_INK, WHITE};
use super::picture::Picture;
use crate::report::View;

/// The height of a picture of numbers, in pixels.
const HEIGHT: f64 = 460.0;

/// The largest number of slots of a line that have markers.
const MOST_MARKERS: i64 = 45;

/// The width of a stem, which is the thin bar of a value far from the others.
const STEM: f64 = 3.0;

/// The line of a mean: its width, the length of its dashes and of the gaps between them, and the width of its pointer.
const LINE: f64 = 1.4;
const DASH: f64 = 5.0;
const DASH_GAP: f64 = 4.0;
const POINTER: f64 = 10.0;

/// The largest width of a bar.
const WIDEST_BAR: f64 = 90.0;

/// The largest number of bars with percentages above them.
const MOST_LABELS: usize = 18;

/// The least width of a column beside the axis, and the space before the column.
const EXTRA: f64 = 30.0;
const EXTRA_GAP: f64 = 14.0;

/// The canvas with the coordinates of shares and values.
struct Plot<'a, 'b> {
    canvas: &'a Canvas<'b>,
    chart: &'a Chart,
    appearances: Vec<Appearance>,
    /// The rectangle of the values, without the columns beside the axis.
    area: Rect,
    /// The ends of the horizontal axis, in values.
    low: f64,
    high: f64,
    /// The share at the upper edge of the rectangle.
    top: f64,
    /// The ends of the event that is asked about.
    event: Option<[Option<f64>; 2]>,
}

/// Draws the chart into `buffer`; returns the size of the picture.
pub(super) fn draw(
    chart: &Chart,
    picture: &Picture,
    buffer: &mut String,
) -> io::Result<(f64, f64)> {
    let canvas = Canvas::new(buffer, WIDTH, HEIGHT)?;
    let sample = match chart.kind {
        Kind::Bars | Kind::Area => Sample::Block,
        Kind::Lines => Sample::Line {
            markers: chart.slots <= MOST_MARKERS,
        },
    };
    let head = frame::head(&canvas, picture, sample)?;
    let highest = chart.highest();
    let (top, step) = share_axis(highest, picture.view);
    let tick_shares = ticks(0.0, top, step);
    let tick_labels: Vec<String> = tick_shares
        .values
        .iter()
        .map(|share| percent_label(*share, step))
        .collect();
    let label_widths = tick_labels
        .iter()
        .map(|label| text_width(label, LABEL.size));
    let axis_room = label_widths.fold(0.0, f64::max) + 10.0;
    let legend = frame::legend_width(picture);

    let left: f64 = chart.left.iter().map(extra_width).sum();
    let right: f64 = chart.right.iter().map(extra_width).sum();
    let area = Rect {
        left: MARGIN + axis_room + left,
        top: head + 38.0,
        right: WIDTH - MARGIN - legend - right,
        bottom: HEIGHT - MARGIN - 26.0 - frame::notes_height(&chart.notes),
    };
    let span = chart.slots as f64 * chart.width;
    let padding = if chart.kind == Kind::Lines || slot_width(&area, chart) < STEM {
        span * 0.015
    } else {
        0.0
    };
    let plot = Plot {
        canvas: &canvas,
        chart,
        appearances: frame::appearances(picture),
        area,
        low: chart.middle(0) - chart.width / 2.0 - padding,
        high: chart.middle(chart.slots - 1) + chart.width / 2.0 + padding,
        // This leaves room for the percentage above the highest bar.
        top: if highest > top * 0.92 {
            top * 1.08
        } else {
            top
        },
        event: picture.event.filter(|_| chart.gathered.is_none()),
    };

    let (outer_left, outer_right) = (area.left - left, area.right + right);
    for (share, label) in tick_shares.values.iter().zip(&tick_labels) {
        let y = plot.y(*share);
        canvas.line(&[(outer_left, y), (outer_right, y)], GRID, 1.0)?;
        canvas.text(label, (outer_left - 8.0, y), Anchor::End, LABEL)?;
    }
    canvas.text(
        &share_name(chart, picture.view),
        (MARGIN, head + 6.0),
        Anchor::Start,
        SMALL,
    )?;
    let marks_means = picture.view == View::Exactly && plot.appearances.len() <= 4;
    if marks_means {
        plot.means()?;
    }
    match chart.kind {
        Kind::Bars => plot.bars()?,
        Kind::Area => plot.area()?,
        Kind::Lines => plot.lines()?,
    }
    plot.extras(&chart.left, outer_left)?;
    plot.extras(&chart.right, area.right + EXTRA_GAP)?;

    canvas.line(
        &[(outer_left, area.bottom), (outer_right, area.bottom)],
        AXIS,
        1.2,
    )?;
    plot.value_axis()?;
    frame::side(
        &canvas,
        picture,
        sample,
        outer_right + 14.0,
        (area.top - 6.0, area.bottom),
    )?;
    frame::notes(&canvas, &chart.notes, HEIGHT)?;
    canvas.finish()?;
    Ok((WIDTH, HEIGHT))
}

/// The share at the upper end of the axis, and the step between its ticks.
pub(super) fn share_axis(highest: f64, view: View) -> (f64, f64) {
    match view {
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

/// The width of a column beside the axis, with the space before it.
fn extra_width(extra: &Extra) -> f64 {
    text_width(&extra.label, LABEL.size).max(EXTRA) + EXTRA_GAP
}

/// The name of the percentages.
fn share_name(chart: &Chart, view: View) -> String {
    let name = match view {
        View::Exactly => "probability",
        View::AtLeast => "probability of at least this value",
        View::AtMost => "probability of at most this value",
    };
    let least = if chart.is_least { " (or more)" } else { "" };
    match &chart.gathered {
        Some(width) => format!("{name}{least}, in ranges of {width} values"),
        None => format!("{name}{least}"),
    }
}

fn slot_width(area: &Rect, chart: &Chart) -> f64 {
    (area.right - area.left) / chart.slots as f64
}

impl Plot<'_, '_> {
    fn x(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        self.area.left + part * (self.area.right - self.area.left)
    }

    fn y(&self, share: f64) -> f64 {
        self.area.bottom - share / self.top * (self.area.bottom - self.area.top)
    }

    /// Whether a value is in the event that is asked about, if there is one.
    fn is_asked(&self, spot: &Spot) -> bool {
        let value = self.chart.middle(spot.slot);
        self.event.is_none_or(|[low, high]| {
            low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high)
        })
    }

    /// The rectangle of a bar. A positive share has a visible bar.
    fn bar(&self, left: f64, right: f64, share: f64) -> Rect {
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

    /// The left and right edges of the bar of a series within a group of bars.
    fn within_group(&self, series: usize, middle: f64, group: f64) -> (f64, f64) {
        let count = self.appearances.len().max(1) as f64;
        let bar = group / count;
        let left = middle - group / 2.0 + bar * series as f64;
        (left, left + bar)
    }

    fn bars(&self) -> io::Result<()> {
        let slot = self.x(self.chart.width) - self.x(0.0);
        let several = self.chart.series.len() > 1;
        let count = self.appearances.len() as f64;
        let group =
            (slot * if several { 0.86 } else { 0.8 }).clamp(STEM * count, WIDEST_BAR * count);
        let labelled = !several && self.labels_fit(slot);
        for (index, (series, appearance)) in
            self.chart.series.iter().zip(&self.appearances).enumerate()
        {
            for spot in &series.spots {
                let middle = self.x(self.chart.middle(spot.slot));
                let (left, right) = self.within_group(index, middle, group);
                let bar = self.bar(left, right, spot.share);
                let color = if self.is_asked(spot) {
                    appearance.color
                } else {
                    appearance.color.faded()
                };
                self.canvas.fill(bar, color)?;
                if let Some([low, high]) = spot.bounds {
                    self.whisker(f64::midpoint(left, right), (right - left) / 4.0, low, high)?;
                }
                if labelled {
                    let font = Font {
                        size: 12.0,
                        ..LABEL
                    };
                    let text = short_percent(spot.share);
                    let half = text_width(&text, font.size) / 2.0 + 1.0;
                    let backing = Rect {
                        left: middle - half,
                        top: bar.top - 18.0,
                        right: middle + half,
                        bottom: bar.top,
                    };
                    self.canvas.fill(backing, WHITE)?;
                    self.canvas
                        .text(&text, (middle, bar.top - 8.5), Anchor::Middle, font)?;
                }
            }
        }
        Ok(())
    }

    fn labels_fit(&self, slot: f64) -> bool {
        self.chart.series.iter().all(|series| {
            let widths = series
                .spots
                .iter()
                .map(|spot| text_width(&short_percent(spot.share), 12.0));
            series.spots.len() <= MOST_LABELS
                && series.spots.iter().all(|spot| spot.bounds.is_none())
                && widths.fold(0.0, f64::max) + 2.0 <= slot
        })
    }

    /// The interval of a sampled share.
    fn whisker(&self, x: f64, half: f64, low: f64, high: f64) -> io::Result<()> {
        let half = half.clamp(1.0, 6.0);
        let (low, high) = (self.y(low), self.y(high));
        self.canvas.line(&[(x, low), (x, high)], INK, 1.2)?;
        for y in [low, high] {
            self.canvas
                .line(&[(x - half, y), (x + half, y)], INK, 1.2)?;
        }
        Ok(())
    }

    fn area(&self) -> io::Result<()> {
        for (series, appearance) in self.chart.series.iter().zip(&self.appearances) {
            let half = self.chart.width / 2.0;
            let ends = |spot: &Spot| {
                let middle = self.chart.middle(spot.slot);
                [middle - half, middle + half].map(|value| self.x(value))
            };
            let mut outline: Vec<Point> = Vec::new();
            for spot in &series.spots {
                let y = self.y(spot.share);
                outline.extend(ends(spot).map(|x| (x, y)));
            }
            let (Some(first), Some(last)) = (outline.first().copied(), outline.last().copied())
            else {
                continue;
            };
            let floor = self.area.bottom;
            outline.insert(0, (first.0, floor));
            outline.push((last.0, floor));
            let opacity = if self.event.is_some() { 0.2 } else { 0.4 };
            self.canvas.polygon(&outline, appearance.color, opacity)?;
            if self.event.is_some() {
                self.asked_area(series, ends, appearance.color)?;
            }
            self.band(series, ends, INK)?;
            self.canvas.line(&outline, appearance.color, 1.6)?;
        }
        Ok(())
    }

    /// The part of the area that is asked about.
    fn asked_area(
        &self,
        series: &Series,
        ends: impl Fn(&Spot) -> [f64; 2],
        color: Color,
    ) -> io::Result<()> {
        let floor = self.area.bottom;
        let mut outline: Vec<Point> = Vec::new();
        for spot in series.spots.iter().filter(|spot| self.is_asked(spot)) {
            let y = self.y(spot.share);
            outline.extend(ends(spot).map(|x| (x, y)));
        }
        let (Some(first), Some(last)) = (outline.first().copied(), outline.last().copied()) else {
            return Ok(());
        };
        outline.insert(0, (first.0, floor));
        outline.push((last.0, floor));
        self.canvas.polygon(&outline, color, 0.7)
    }

    /// The intervals of sampled shares as a band; `places` returns the horizontal places of a share.
    fn band<const N: usize>(
        &self,
        series: &Series,
        places: impl Fn(&Spot) -> [f64; N],
        color: Color,
    ) -> io::Result<()> {
        let edge = |high: usize| {
            let places = &places;
            let bounded = series
                .spots
                .iter()
                .filter_map(|spot| Some((spot, spot.bounds?)));
            bounded.flat_map(move |(spot, bounds)| places(spot).map(|x| (x, self.y(bounds[high]))))
        };
        let mut outline: Vec<Point> = edge(0).collect();
        if outline.is_empty() {
            return Ok(());
        }
        let upper: Vec<Point> = edge(1).collect();
        outline.extend(upper.into_iter().rev());
        self.canvas.polygon(&outline, color, 0.25)
    }

    fn lines(&self) -> io::Result<()> {
        let markers = self.chart.slots <= MOST_MARKERS;
        let x = |spot: &Spot| self.x(self.chart.middle(spot.slot));
        for (series, appearance) in self.chart.series.iter().zip(&self.appearances) {
            self.band(series, |spot| [x(spot)], appearance.color)?;
        }
        for (series, appearance) in self.chart.series.iter().zip(&self.appearances) {
            let points: Vec<Point> = series
                .spots
                .iter()
                .map(|spot| (x(spot), self.y(spot.share)))
                .collect();
            self.canvas
                .dashed(&points, appearance.color, 2.2, appearance.dash)?;
            if markers || points.len() == 1 {
                for point in points {
                    frame::marker(self.canvas, point, *appearance, 3.4)?;
                }
            }
        }
        Ok(())
    }

    /// Each mean as a dashed line behind the data, and a pointer below the axis. The dashes of means at the same place alternate,
    /// and their pointers stand side by side, with their tips at the means.
    fn means(&self) -> io::Result<()> {
        let only = self.appearances.len() == 1;
        let mut means: Vec<(f64, Color)> = Vec::new();
        for (series, appearance) in self.chart.series.iter().zip(&self.appearances) {
            let within = |mean: &f64| (self.low..=self.high).contains(mean);
            if let Some(mean) = series.mean.filter(within) {
                let color = if only { SOFT_INK } else { appearance.color };
                means.push((self.x(mean), color));
            }
        }
        means.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (top, axis) = (self.area.top - 5.0, self.area.bottom + 1.0);
        for line in means.chunk_by(|(a, _), (b, _)| b - a < LINE) {
            let (pitch, turns) = (DASH + DASH_GAP, line.len() as f64);
            let pattern = [DASH, pitch * turns - DASH];
            for (turn, (x, color)) in line.iter().enumerate() {
                let ends = [(*x, top + turn as f64 * pitch), (*x, self.area.bottom)];
                self.canvas.dashed(&ends, *color, LINE, &pattern)?;
            }
        }
        for group in means.chunk_by(|(a, _), (b, _)| b - a < POINTER) {
            let sum: f64 = group.iter().map(|(x, _)| x).sum();
            let left = sum / group.len() as f64 - POINTER * group.len() as f64 / 2.0;
            for (index, (x, color)) in group.iter().enumerate() {
                let left = left + POINTER * index as f64;
                let pointer = [(*x, axis), (left, axis + 8.0), (left + POINTER, axis + 8.0)];
                self.canvas.polygon(&pointer, *color, 1.0)?;
            }
        }
        if let (true, Some((x, _))) = (only, means.first()) {
            let half = text_width("mean", SMALL.size) / 2.0;
            let x = x.clamp(self.area.left + half, self.area.right - half);
            let y = self.area.top - 14.0;
            self.canvas.text("mean", (x, y), Anchor::Middle, SMALL)?;
        }
        Ok(())
    }

    /// Columns beside the axis, from `x` on.
    fn extras(&self, extras: &[Extra], mut x: f64) -> io::Result<()> {
        for extra in extras {
            let width = extra_width(extra);
            self.extra(extra, x, width - EXTRA_GAP)?;
            x += width;
        }
        Ok(())
    }

    /// A column beside the axis, hatched because it is at no single value.
    fn extra(&self, extra: &Extra, left: f64, width: f64) -> io::Result<()> {
        let middle = left + width / 2.0;
        for (index, (share, appearance)) in extra.shares.iter().zip(&self.appearances).enumerate() {
            let (left, right) = self.within_group(index, middle, EXTRA.min(width));
            if *share > 0.0 {
                self.canvas
                    .hatch(self.bar(left, right, *share), appearance.color)?;
            }
        }
        if let [share] = extra.shares.as_slice() {
            let y = self.y(*share).min(self.area.bottom) - 9.0;
            let font = Font {
                size: 12.0,
                ..SMALL
            };
            self.canvas
                .text(&short_percent(*share), (middle, y), Anchor::Middle, font)?;
        }
        let below = self.area.bottom + 18.0;
        self.canvas
            .text(&extra.label, (middle, below), Anchor::Middle, LABEL)
    }

    fn value_axis(&self) -> io::Result<()> {
        if self
            .chart
            .series
            .iter()
            .all(|series| series.spots.is_empty())
        {
            return Ok(());
        }
        let (first, last) = (
            self.chart.middle(0),
            self.chart.middle(self.chart.slots - 1),
        );
        let least = self.chart.width.min(1.0);
        let step = |room: f64| round_step(room.max(least));
        let label = |value, step| value_label(value, last - first, step);
        let ends = [0, self.chart.slots - 1].map(|slot| self.chart.value(slot));
        let ends = if self.chart.gathered.is_none() {
            ends
        } else {
            [first, last].map(|value| label(value.round(), 1.0))
        };
        let widest = ends.map(|end| text_width(&end, LABEL.size));
        let widest = widest[0].max(widest[1]);
        let value_of =
            |room: f64| (self.high - self.low) * room / (self.area.right - self.area.left);
        let every = self.chart.gathered.is_none() && value_of(widest + 7.0) <= self.chart.width;
        let values: Vec<(f64, String)> = if every {
            (0..self.chart.slots)
                .map(|slot| (self.chart.middle(slot), self.chart.value(slot)))
                .collect()
        } else {
            let ticks = ticks(self.low, self.high, step(value_of(widest + 24.0)));
            let labelled = ticks.values.into_iter();
            labelled
                .map(|value| (value, label(value, ticks.step)))
                .collect()
        };
        for (value, label) in values {
            let x = self.x(value);
            // A label that would leave the picture is left out.
            if x + text_width(&label, LABEL.size) / 2.0 > WIDTH - 3.0 {
                continue;
            }

            let (axis, below) = (self.area.bottom, self.area.bottom + 18.0);
            self.canvas.line(&[(x, axis), (x, axis + 4.0)], AXIS, 1.0)?;
            self.canvas
                .text(&label, (x, below), Anchor::Middle, LABEL)?;
        }
        Ok(())
    }
}
