//! Draws several rules whose values are a few labels, or yes and no: a bar for each rule, with a segment for each label.

use super::axis::{percent_label, ticks};
use super::canvas::{Anchor, Canvas, Mark, Rect};
use super::chance::Chance;
use super::frame::{self, FADED, MARGIN, Sample, WIDTH};

use super::names::fitting_names;
use super::palette::{Role, SERIES, roles};
use super::picture::{Column, Picture};
use super::rows::{Row, rows};
use super::text::{Font, LABEL, SMALL, TINY, text_width, widest};
use crate::engine::MemberRef;
use crate::report::Answered;

/// The most rules with a bar each.
const MOST_RULES: usize = 24;

/// The largest width of the names of the rules.
const LONGEST_NAME: f64 = 220.0;

/// The largest width of what stands beside a bar.
const LONGEST_BESIDE: f64 = 220.0;

/// The least and the largest height of a row, and the part of it that the bar fills.
const LOWEST: f64 = 24.0;
const HIGHEST: f64 = 46.0;
const FILLED: f64 = 0.78;

/// The space above the bars, for the name of the chances, and below them, for the axis.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 34.0;

/// The rows of a list that are the segments of several rules: labels, and mass without a value. Conditions have the labels `yes`
/// and `no`. `None` for one rule, for other values, or if the labels are more than there are colours.
pub(super) fn segments(rules: &[Answered]) -> Option<Vec<Row>> {
    if !(2..=MOST_RULES).contains(&rules.len()) {
        return None;
    }
    if rules.iter().all(|rule| rule.is_condition) {
        return Some(yes_and_no(rules));
    }
    let mut values = rules.iter().flat_map(|rule| rule.answer.outcomes().iter());
    let are_labels = values.all(|(value, _)| {
        let mut members = value.members();
        let only = (members.next(), members.next());
        matches!(only, (Some(MemberRef::Label(_)), None))
    });
    if !are_labels {
        return None;
    }
    let (rows, _) = rows(rules);
    let labels = rows.iter().filter(|row| !row.hatched).count();
    (1..=SERIES).contains(&labels).then_some(rows)
}

/// The segments of conditions.
fn yes_and_no(rules: &[Answered]) -> Vec<Row> {
    let (mut rows, _) = rows(rules);
    let named = rows.iter().take_while(|row| !row.hatched).count();
    for row in &mut rows[..named] {
        row.label = if row.label == "0" { "no" } else { "yes" }.into();
    }
    rows[..named].reverse();
    rows
}

/// Whether a segment of this width has room for its percentage.
fn has_room(chance: &Chance, width: f64) -> bool {
    text_width(&chance.label, TINY.size) + 4.0 <= width
}

/// The names and chances of a rule's segments that have no room for their percentages in a bar of this width.
fn beside(segments: &[Row], rule: usize, width: f64) -> String {
    let narrow = segments.iter().filter_map(|row| {
        let chance = &row.chances[rule];
        let is_narrow = chance.share > 0.0 && !has_room(chance, chance.share * width - 1.0);
        is_narrow.then(|| format!("{} {}", row.label, chance.label))
    });
    narrow.collect::<Vec<_>>().join(", ")
}

/// Draws the bars; returns the height of the picture.
pub(super) fn draw(segments: &[Row], picture: &Picture) -> (Canvas, f64) {
    let mut canvas = Canvas::new(WIDTH);
    let head = frame::head(&mut canvas, picture);
    let named: Vec<&Row> = segments.iter().filter(|row| !row.hatched).collect();
    let names: Vec<String> = named.iter().map(|row| row.label.clone()).collect();
    let faded: Vec<bool> = named.iter().map(|row| !row.is_asked(picture, 0)).collect();
    let top = frame::legend(&mut canvas, &names, Sample::Block, &faded, head) + ABOVE;
    let notes = frame::notes(&picture.remarks);
    let foot = BELOW + frame::notes_height(&notes);
    let count = picture.names.len() as f64;
    let pitch = (frame::height_between(top, foot) / count).clamp(LOWEST, HIGHEST);
    let left = MARGIN + widest(&picture.names, LABEL.size).min(LONGEST_NAME) + 10.0;
    let ends: f64 = picture.columns.iter().map(Column::width).sum();
    let most = WIDTH - MARGIN - 12.0 - ends;
    // What has no room in the narrow segments stands beside the bar, which so becomes narrower.
    let right = (0..2).fold(most, |right, _| {
        let texts = (0..picture.names.len()).map(|rule| beside(segments, rule, right - left));
        let room = widest(&texts.collect::<Vec<_>>(), TINY.size);
        let is_short = 0.0 < room && room <= LONGEST_BESIDE;
        most - if is_short { room + 8.0 } else { 0.0 }
    });
    let says_all = right < most;
    let bottom = top + pitch * count;
    let x = |share: f64| left + share * (right - left);

    let above = top - ABOVE / 2.0 - 3.0;
    canvas.text("chance", (MARGIN, above), Anchor::Start, SMALL);
    let mut end = most;
    for column in &picture.columns {
        end += column.width();
        canvas.text_if_free(&column.heading, (end, above), Anchor::End, SMALL);
    }
    for share in ticks(0.0, 1.0, 0.2).values {
        canvas.line((x(share), top), (x(share), bottom), 1.0, Role::Grid);
        let place = (x(share), bottom + 14.0);
        canvas.text_if_free(&percent_label(share, 0.2), place, Anchor::Middle, LABEL);
    }
    let roles = roles(names.len());
    let shown = fitting_names(&picture.names, LABEL.size, LONGEST_NAME);
    for (rule, (name, whole)) in shown.iter().zip(&picture.names).enumerate() {
        let upper = top + pitch * (rule as f64 + (1.0 - FILLED) / 2.0);
        let middle = top + pitch * (rule as f64 + 0.5);
        let place = (left - 10.0, middle);
        frame::row_name(&mut canvas, (name, whole), place, pitch, LONGEST_NAME);
        let mut end = most;
        for column in &picture.columns {
            end += column.width();
            canvas.text_if_free(&column.texts[rule], (end, middle), Anchor::End, LABEL);
        }
        if says_all {
            let text = beside(segments, rule, right - left);
            canvas.text_if_free(&text, (right + 6.0, middle), Anchor::Start, TINY);
        }
        let mut from = 0.0;
        for (index, row) in segments.iter().enumerate() {
            let chance = &row.chances[rule];
            let to = from + chance.share;
            let bar = Rect {
                left: x(from),
                top: upper,
                right: (x(to) - 1.0).max(x(from) + 0.8),
                bottom: upper + pitch * FILLED,
            };
            from = to;
            if chance.share <= 0.0 {
                continue;
            }
            let words = picture.words(rule, &row.label, chance);
            if row.hatched {
                canvas.hatch(bar, Mark::new("beside", Role::SoftInk, &words));
                continue;
            }
            let role = roles[index];
            let is_asked = row.is_asked(picture, rule);
            let opacity = if is_asked { 1.0 } else { FADED };
            canvas.rect(bar, Mark::new("bar", role, &words).with_opacity(opacity));
            if has_room(chance, bar.width()) {
                let font = Font {
                    role: if is_asked { role.text() } else { Role::Ink },
                    edge: false,
                    ..TINY
                };
                let place = (f64::midpoint(bar.left, bar.right), middle);
                canvas.text(&chance.label, place, Anchor::Middle, font);
            }
        }
    }
    canvas.line((left, top), (left, bottom), 1.2, Role::Axis);
    frame::draw_notes(&mut canvas, &notes, bottom + BELOW);
    (canvas, bottom + foot)
}
