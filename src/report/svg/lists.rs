//! Draws lists, one horizontal bar for each. Of many lists the most likely are drawn, and one bar for the rest.

use super::axis::{percent_label, round_step, ticks};
use super::canvas::{Anchor, Canvas, Mark, Rect};
use super::chance::Chance;
use super::frame::{self, FADED, MARGIN, Sample, WIDTH};
use super::names::fitting_names;
use super::palette::{Role, roles};
use super::picture::Picture;
use super::rows::{Row, rows};
use super::text::{Font, LABEL, SMALL, widest, wrapped};
use crate::report::Answered;

/// The largest width of the labels.
const LABELS: f64 = 400.0;

/// The height of a bar, the gap between the bars of one list and the next, and by how much both are enlarged at most so that a few
/// bars have this height together.
const BAR: f64 = 13.0;
const GAP: f64 = 7.0;
const LARGEST: f64 = 2.4;
const LEAST_HEIGHT: f64 = 200.0;

/// The most bars with their chances, and the most rules whose bars have no names.
const MOST_CHANCES: usize = 80;
const MOST_UNNAMED: usize = 3;

/// The chances of several rules beside their bars, and the largest width of a name there.
const CHANCE: Font = Font {
    size: 10.5,
    ..SMALL
};
const LONGEST_NAME: f64 = 110.0;

/// The space above a row that is far from the one before.
const BREAK: f64 = 20.0;

/// The most lines of the note above the bars, and the height of one.
const MOST_LINES: usize = 3;
const LINE: f64 = 17.0;

/// The space above the bars, for a note of one line, and below them, for the axis.
const HEAD: f64 = 28.0;
const FOOT: f64 = 34.0;

/// Draws the lists; returns the height of the picture.
pub(super) fn draw(rules: &[Answered], picture: &Picture) -> (Canvas, f64) {
    let (rows, note) = rows(rules);
    let mut canvas = Canvas::new(WIDTH);
    let mut head = frame::head(&mut canvas, picture);
    let several = rules.len() > 1;
    if several {
        head = frame::legend(&mut canvas, &picture.names, Sample::Block, &[], head);
    }
    let has_chances = bars(&rows) <= MOST_CHANCES;
    let (end, step) = scale(&rows);
    // The length of a broken bar says nothing.
    let is_said = |chance: &Chance| has_chances || chance.share > end;
    let (bar, gap) = heights(&rows, several);
    // In grey, the colours of many rules are much alike.
    let names = if rules.len() > MOST_UNNAMED {
        fitting_names(&picture.names, CHANCE.size, LONGEST_NAME)
    } else {
        vec![String::new(); rules.len()]
    };
    let text = |rule: usize, chance: &Chance| match names[rule].as_str() {
        "" => chance.label.clone(),
        name => format!("{} {name}", chance.label),
    };
    let font = if several { CHANCE } else { SMALL };
    let group = |row: &Row| bar * row.possible().count().max(1) as f64;
    let before = |row: &Row| if row.is_far { BREAK } else { 0.0 };
    let labels = rows.iter().map(|row| row.shown(LABELS));
    let labels = widest(&labels.collect::<Vec<_>>(), LABEL.size);
    let left = MARGIN + labels + 10.0;
    let texts = rows.iter().flat_map(Row::possible);
    let texts = texts.filter(|(_, chance)| is_said(chance));
    let texts = texts.map(|(rule, chance)| text(rule, chance));
    let texts = widest(&texts.collect::<Vec<_>>(), font.size);
    let right = WIDTH - MARGIN - 6.0 - texts;
    let lines = wrapped(&note, SMALL.size, WIDTH - 2.0 * MARGIN, MOST_LINES);
    let top = head + HEAD + LINE * lines.len().saturating_sub(1) as f64;
    let bottom = top
        + rows
            .iter()
            .map(|row| before(row) + group(row) + gap)
            .sum::<f64>();
    let x = |share: f64| left + (share / end).min(1.0) * (right - left);

    for (index, line) in lines.iter().enumerate() {
        let y = head + 10.0 + LINE * index as f64;
        canvas.text(line, (MARGIN, y), Anchor::Start, SMALL);
    }
    for share in ticks(0.0, end, step).values {
        let label = percent_label(share, step);
        canvas.line((x(share), top - 4.0), (x(share), bottom), 1.0, Role::Grid);
        canvas.text_if_free(&label, (x(share), bottom + 14.0), Anchor::Middle, LABEL);
    }
    let roles = roles(rules.len());
    let mut row_top = top;
    let mut breaks = Vec::new();
    for row in &rows {
        if row.is_far {
            breaks.push(row_top + BREAK / 2.0);
        }
        row_top += before(row);
        let height = group(row) + gap;
        let middle = row_top + height / 2.0;
        let mut upper = row_top + gap / 2.0;
        row_top += height;
        canvas.text(&row.shown(LABELS), (left - 8.0, middle), Anchor::End, LABEL);
        for (rule, chance) in row.possible() {
            let rect = Rect {
                left,
                top: upper,
                right: x(chance.share).max(left + 0.8),
                bottom: upper + bar,
            };
            upper += bar;
            let words = picture.words(rule, &row.label, chance);
            if row.hatched {
                canvas.hatch(rect, Mark::new("beside", roles[rule], &words));
            } else {
                let is_asked = row.is_asked(picture, rule);
                let opacity = if is_asked { 1.0 } else { FADED };
                let mark = Mark::new("bar", roles[rule], &words);
                canvas.rect(rect, mark.with_opacity(opacity));
            }
            if is_said(chance) {
                let at = (rect.right + 6.0, f64::midpoint(rect.top, rect.bottom));
                canvas.text(&text(rule, chance), at, Anchor::Start, font);
            }
            if chance.share > end {
                // The bar is broken: it is longer than the axis.
                let gap = Rect {
                    left: rect.right - 26.0,
                    top: rect.top - 2.0,
                    right: rect.right - 20.0,
                    bottom: rect.bottom + 2.0,
                };
                canvas.rect(gap, Mark::plain(Role::Ground));
            }
        }
    }
    canvas.line((left, top - 4.0), (left, bottom), 1.2, Role::Axis);
    for middle in breaks {
        frame::axis_break(&mut canvas, (left, middle), false);
        frame::dots(&mut canvas, (left - 18.0, middle));
    }
    (canvas, bottom + FOOT)
}

/// The height of a bar, and of the gap between the bars of one row and the next: larger for a few bars.
fn heights(rows: &[Row], several: bool) -> (f64, f64) {
    let bars = bars(rows);
    let natural = bars as f64 * BAR + rows.len() as f64 * GAP;
    let enlarged = (LEAST_HEIGHT / natural).clamp(1.0, LARGEST);
    let bar = if several && bars > MOST_CHANCES {
        BAR * 0.75
    } else {
        BAR * enlarged
    };
    (bar, enlarged * if several { GAP * 1.5 } else { GAP })
}

/// The number of bars: a row has bars only for the rules in which it is possible.
fn bars(rows: &[Row]) -> usize {
    rows.iter().map(|row| row.possible().count()).sum()
}

/// The end of the axis of chances, and the step between its ticks.
fn scale(rows: &[Row]) -> (f64, f64) {
    let highest = |rows: &mut dyn Iterator<Item = &Row>| {
        let shares = rows.flat_map(|row| row.chances.iter().map(|chance| chance.share));
        shares.fold(0.0, f64::max)
    };
    let named = highest(&mut rows.iter().filter(|row| !row.hatched));
    let whole = highest(&mut rows.iter());
    // The rest may have a much higher share than every list. Then its bar is cut off.
    let highest = if whole <= named * 2.5 || named == 0.0 {
        whole
    } else {
        named
    };
    let step = round_step((highest / 5.0).max(1e-300));
    (((highest * 1.02 / step).ceil() * step).min(1.0), step)
}
