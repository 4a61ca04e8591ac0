//! A histogram for each of many series, one below the other on one axis.

use super::chart::{Bin, Chart};
use super::field::{Axis, Canvas, Grid, LABELS_HEIGHT};
use super::frame::{Around, Note};
use super::lanes::Lanes;
use super::mark::{LEAST_BAR, Look, Mark, Point};
use super::means::dotted;
use super::palette::{Role, roles};
use super::values::GAP;
use super::words::{Column, Picture};

/// The least and the largest height of a row, and the part of it that the highest bar fills.
const HEIGHTS: [f64; 2] = [24.0, 64.0];
const FILLED: f64 = 0.86;

/// The least width of bars with gaps between them, and the radius of the dot at a mean.
const LEAST_APART: f64 = 6.0;
const MEAN: f64 = 2.6;

/// Draws the chart.
pub(super) fn draw(chart: &Chart, picture: &Picture) -> Canvas {
    let canvas = Canvas::new(picture.width);
    let lanes = Lanes::of(chart, picture);
    let rules = 0..chart.series.len();
    let highest = rules.clone().map(|rule| {
        let on_axis = chart.drawn(rule, false).map(|(.., chance)| chance);
        let highest = on_axis.max_by(|a, b| a.share.total_cmp(&b.share));
        highest.map_or_else(String::new, |chance| {
            let sign = chance.bounds.map_or("", |_| "≈");
            format!("{sign}{}", chance.label)
        })
    });
    let highest = Column {
        heading: "highest bar".into(),
        texts: highest.collect(),
    };
    let columns = [&[highest], &picture.columns[..]].concat();
    let count = rules.len() as f64;
    let around = Around {
        caption: &chart.name_of_chances,
        names: &picture.names,
        columns: &columns,
        rows: Some((count, HEIGHTS)),
        above: lanes.height(),
        below: LABELS_HEIGHT,
        notes: notes(chart, picture),
        ..Around::default()
    };
    let area = picture.frame(&canvas, around);
    let x = picture.axis(chart, &area);
    let unit = (x.to - x.from) / area.width();
    let y = Axis::new(count, 0.0);
    let mut field = canvas.field(area, [x, y], Grid::Upright, &chart.name);
    for point in lanes.draw(&canvas, area, |at| field.along(at)) {
        dotted(&canvas, point, area.bottom);
    }
    let (role, asked) = (roles(1)[0], picture.only_asked());
    let most = chart.highest().max(f64::MIN_POSITIVE);
    let least = chart.slots().map(Bin::width).fold(f64::INFINITY, f64::min);
    let gap = if least / unit > LEAST_APART {
        unit
    } else {
        0.0
    };
    for rule in rules {
        let floor = rule as f64 + 1.0;
        let corners = |[left, right]: [f64; 2], share: f64| -> [Point; 2] {
            let height = (share / most * FILLED).max(LEAST_BAR * count / area.height());
            [(left, floor - height), (right, floor)]
        };
        for (_, bin, chance) in chart.drawn(rule, false).chain(chart.drawn(rule, true)) {
            let sides = [bin.edges[0], bin.edges[1] - gap];
            let is_full = asked.is_none_or(|asked| asked.is_about(chart, bin));
            let bar = corners(sides, chance.share);
            field.draw([chart.bar((rule, bin, chance), bar, role, is_full)]);
            let parts = asked.filter(|_| !is_full);
            let parts = parts.map(|asked| asked.parts(chart, bin));
            field.draw(parts.into_iter().flatten().map(|[from, to]| {
                let part = corners([from, to.min(sides[1])], chance.share);
                Mark::rect(part, Look::new("asked", role, ""))
            }));
        }
        let ground =
            [(area.left, floor), (area.right, floor)].map(|(x, y)| (x, field.pixel((0.0, y)).1));
        canvas.put(Mark::line(ground, 1.0, Look::plain(Role::Axis)));
        for bin in chart.bins.iter().filter(|bin| bin.is_far) {
            let (x, y) = field.pixel((bin.edges[0], floor));
            canvas.axis_break((x - GAP, y), true);
        }
        let [low, high] = chart.axis();
        let mean = chart.means[rule].map(|mean| chart.place(mean));
        let mean = mean.filter(|mean| (low..=high).contains(mean));
        let look = || Look::new("mean", Role::Ink, "");
        field.draw(mean.map(|mean| Mark::circle((mean, floor), MEAN, look())));
    }
    canvas
}

/// The notes below the axis: about the chart, about the question, and about the means.
fn notes(chart: &Chart, picture: &Picture) -> Vec<Note> {
    let mut notes = picture.notes(picture.remarks.iter().chain(&chart.notes));
    if picture.only_asked().is_some() {
        notes.push(Note::block(Look::plain(roles(1)[0]), "what is asked about"));
    }
    if chart.means.iter().any(Option::is_some) {
        let dot = Mark::circle((9.0, 0.0), MEAN, Look::plain(Role::Ink));
        notes.push(Note::on(dot, "the mean of each rule"));
    }
    notes
}
