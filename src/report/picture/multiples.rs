//! A histogram for each of many series, one below the other on one axis.

use super::chart::{Bin, Chart};
use super::field::{Axis, Canvas, Grid, LABELS_HEIGHT};
use super::frame::{FADED, Key, LONGEST_OF_ROW, MARGIN, MEAN, Note};
use super::lanes::Lanes;
use super::mark::{Anchor, Look, Mark, Point, Rect};
use super::names::fitting_names;
use super::palette::{Role, roles};
use super::text::{LABEL, SMALL, text_width, widest};
use super::words::{Column, Picture};

/// The least and the largest height of a row, and the part of it that the highest bar fills.
const HEIGHTS: [f64; 2] = [24.0, 64.0];
const FILLED: f64 = 0.86;

/// The space between the head and the first row.
const ABOVE: f64 = 26.0;

/// The least width of bars with gaps between them, and the least height of a bar.
const LEAST_APART: f64 = 6.0;
const LEAST_BAR: f64 = 0.8;

/// The heading of the highest chance of each row.
const HIGHEST_CHANCE: &str = "highest bar";

/// Draws the chart; returns the height of the picture.
pub(super) fn draw(chart: &Chart, picture: &Picture) -> (Canvas, f64) {
    let canvas = Canvas::new(picture.width);
    let lanes = Lanes::of(chart, picture);
    let above = picture.head(&canvas) + ABOVE;
    let top = above + lanes.height();
    let notes = notes(chart, picture);
    let foot = LABELS_HEIGHT + Note::height(&notes);
    let count = picture.names.len() as f64;
    let pitch = picture.pitch(count, [top, foot], HEIGHTS);
    let columns: f64 = picture.columns.iter().map(Column::width).sum();
    let column = picture.width - MARGIN - columns;
    let area = Rect {
        left: MARGIN + widest(&picture.names, LABEL.size).min(LONGEST_OF_ROW) + 12.0,
        top,
        right: column - text_width(HIGHEST_CHANCE, SMALL.size) - 14.0,
        bottom: top + pitch * count,
    };
    let x = picture.axis(chart, &area);
    let (left, unit) = (x.from, (x.to - x.from) / area.width());
    let heading = above - ABOVE / 2.0 - 3.0;
    canvas.text(
        &chart.name_of_chances,
        (MARGIN, heading),
        Anchor::Start,
        SMALL,
    );
    canvas.text_if_free(HIGHEST_CHANCE, (column, heading), Anchor::End, SMALL);
    picture.headings(&canvas, column, heading);
    let axes = [x, Axis::new(count, 0.0)];
    let mut field = canvas.field(area, axes, Grid::Upright, &chart.name);
    let pixel = |at: f64| area.left + (at - left) / unit;
    lanes.draw(&canvas, area, pixel, &[]);
    let shown = fitting_names(&picture.names, LABEL.size, LONGEST_OF_ROW);
    let role = roles(1)[0];
    let most = chart.highest().max(f64::MIN_POSITIVE);
    let bar = |rule: usize, [left, right]: [f64; 2], share: f64| -> [Point; 2] {
        let height = (share / most * FILLED).max(LEAST_BAR / pitch);
        [
            (left, rule as f64 + 1.0 - height),
            (right, rule as f64 + 1.0),
        ]
    };
    let least = chart.slots().map(Bin::width).fold(f64::INFINITY, f64::min);
    let gap = if least / unit > LEAST_APART {
        unit
    } else {
        0.0
    };
    for (rule, (shown, name)) in shown.iter().zip(&picture.names).enumerate() {
        let floor = top + (rule as f64 + 1.0) * pitch;
        let middle = floor - pitch * 0.4;
        canvas.row_name(
            (shown, name),
            (area.left - 12.0, middle),
            pitch,
            LONGEST_OF_ROW,
        );
        picture.ends(&canvas, rule, (column, middle));
        let drawn = chart.drawn(rule, false).chain(chart.drawn(rule, true));
        for (_, bin, chance) in drawn {
            let sides = [bin.edges[0], bin.edges[1] - gap];
            let asked = picture.only_asked();
            let is_full = asked.is_none_or(|asked| asked.is_about(chart, bin));
            let words = chart.words(rule, bin, chance);
            let class = if bin.is_beside { "beside" } else { "bar" };
            let opacity = if is_full { 1.0 } else { FADED };
            let [a, b] = bar(rule, sides, chance.share);
            let mark = Mark::rect(a, b, Look::new(class, role, words).with_opacity(opacity));
            field.draw([if bin.is_beside { mark.hatched() } else { mark }]);
            let parts = asked
                .filter(|_| !is_full)
                .map(|asked| asked.parts(chart, bin));
            field.draw(parts.into_iter().flatten().map(|[from, to]| {
                let [a, b] = bar(rule, [from, to.min(sides[1])], chance.share);
                Mark::rect(a, b, Look::new("asked", role, ""))
            }));
        }
        let on_axis = chart.drawn(rule, false);
        let highest = on_axis.max_by(|(.., a), (.., b)| a.share.total_cmp(&b.share));
        if let Some((.., highest)) = highest {
            let sign = highest.bounds.map_or("", |_| "≈");
            let label = format!("{sign}{}", highest.label);
            canvas.text(&label, (column, middle), Anchor::End, LABEL);
        }
        canvas.line((area.left, floor), (area.right, floor), 1.0, Role::Axis);
        for bin in chart.bins.iter().filter(|bin| bin.is_far) {
            canvas.axis_break((pixel(bin.edges[0]) - super::values::GAP, floor), true);
        }
        let [low, high] = chart.axis();
        let mean = chart.means[rule].map(|mean| chart.place(mean));
        if let Some(mean) = mean.filter(|mean| (low..=high).contains(mean)) {
            let look = Look::new("mean", Role::Ink, "");
            canvas.put(Mark::circle((pixel(mean), floor), MEAN, look));
        }
    }
    canvas.notes(&notes, area.bottom + LABELS_HEIGHT);
    (canvas, area.bottom + foot)
}

/// The notes below the axis: of what the chart says, what is asked about, and the means.
fn notes(chart: &Chart, picture: &Picture) -> Vec<Note> {
    let mut notes = picture.notes(picture.remarks.iter().chain(&chart.notes));
    if picture.only_asked().is_some() {
        notes.push(Note::on(Key::Bars, "what is asked about"));
    }
    if chart.means.iter().any(Option::is_some) {
        notes.push(Note::on(Key::Dot, "the mean of each rule"));
    }
    notes
}
