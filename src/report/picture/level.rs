//! Horizontal bars: one for each list in each rule, or one for each rule, with a segment for each label. Of many lists the most likely
//! are drawn, and one bar for the rest.

use super::chance::Chance;
use super::chart::{Bin, Chart};
use super::field::{Axis, Canvas, Field, Grid};
use super::frame::{BREAK, FADED, LONGEST_OF_ROW, MARGIN, NOTE_LINE, Note, Sample};
use super::mark::{Anchor, Look, Mark, Point, Rect};
use super::names::fitting_names;
use super::numbers::{WHOLE, round_step, share_ticks};
use super::palette::{Role, roles};
use super::text::{Font, LABEL, SMALL, TINY, fitting, text_width, widest, wrapped};
use super::words::{Column, Picture};

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

/// The space above the bars, for a note of one line, and below them, for the axis.
const ABOVE: f64 = 28.0;
const BELOW: f64 = 34.0;

/// The least and the largest height of a bar of segments with the space around it, and the part of it that the bar fills.
const HEIGHTS: [f64; 2] = [24.0, 46.0];
const FILLED: f64 = 0.78;

/// The least length of a bar.
const LEAST_BAR: f64 = 0.8;

/// A field of bars, whose rows are pixels from its upper edge on.
fn field(canvas: &Canvas, area: Rect, scale: (f64, f64)) -> Field {
    let x = Axis::new(0.0, scale.0);
    let x = x.labelled(share_ticks(scale), [area.left, area.right], canvas.width());
    let field = canvas.field(area, [x, Axis::new(area.height(), 0.0)], Grid::Upright, "");
    let ends = [(area.left, area.top - 4.0), (area.left, area.bottom)];
    canvas.line(ends[0], ends[1], 1.2, Role::Axis);
    field
}

/// The bar of a bin of a series, hatched if it is mass at no single value.
fn bar(
    chart: &Chart,
    (series, at): (usize, usize),
    [a, b]: [Point; 2],
    role: Role,
) -> Option<Mark> {
    let (bin, chance) = (&chart.bins[at], chart.chances[series][at].as_ref()?);
    let words = chart.words(series, bin, chance);
    if bin.is_beside {
        return Some(Mark::rect(a, b, Look::new("beside", role, words)).hatched());
    }
    let opacity = if is_faded(chart, series, at) {
        FADED
    } else {
        1.0
    };
    Some(Mark::rect(
        a,
        b,
        Look::new("bar", role, words).with_opacity(opacity),
    ))
}

/// Whether a bin of a series is not asked about, if anything is.
fn is_faded(chart: &Chart, series: usize, at: usize) -> bool {
    let faded = chart
        .faded
        .as_ref()
        .and_then(|all| all.get(series)?.get(at).copied());
    faded.unwrap_or(false)
}

/// Draws the lists; returns the height of the picture.
pub(super) fn lists(chart: &Chart, picture: &Picture) -> (Canvas, f64) {
    let canvas = Canvas::new(picture.width);
    let mut head = picture.head(&canvas);
    let rules = chart.series.len();
    let several = rules > 1;
    if several {
        head = picture.legend(&canvas, &picture.names, Sample::Block, &[], head);
    }
    let possible = |at: usize| {
        let series = 0..rules;
        series.filter_map(move |rule| Some((rule, chart.chances[rule][at].as_ref()?)))
    };
    let bars = chart.all().count();
    let scale = scale(chart);
    // The length of a broken bar says nothing.
    let is_said = |chance: &Chance| bars <= MOST_CHANCES || chance.share > scale.0;
    let natural = bars as f64 * BAR + chart.bins.len() as f64 * GAP;
    let wanted = picture.height.map(|height| height - head - ABOVE - BELOW);
    let enlarged = (wanted.unwrap_or(LEAST_HEIGHT) / natural).clamp(1.0, LARGEST);
    let is_low = several && bars > MOST_CHANCES;
    let height = BAR * if is_low { 0.75 } else { enlarged };
    let gap = enlarged * if several { GAP * 1.5 } else { GAP };
    // In grey, the colours of many rules are much alike.
    let names = if rules > MOST_UNNAMED {
        fitting_names(&picture.names, CHANCE.size, LONGEST_NAME)
    } else {
        vec![String::new(); rules]
    };
    let text = |rule: usize, chance: &Chance| match names[rule].as_str() {
        "" => chance.label.clone(),
        name => format!("{} {name}", chance.label),
    };
    let font = if several { CHANCE } else { SMALL };
    let room = LABELS.min(picture.width * 0.53);
    let labels = chart
        .bins
        .iter()
        .map(|bin| fitting(&bin.label, LABEL.size, room));
    let labels: Vec<String> = labels.collect();
    let texts = (0..chart.bins.len()).flat_map(possible);
    let texts = texts.filter(|(_, chance)| is_said(chance));
    let texts: Vec<String> = texts.map(|(rule, chance)| text(rule, chance)).collect();
    let lines = wrapped(
        &chart.name_of_chances,
        SMALL.size,
        picture.width - 2.0 * MARGIN,
        3,
    );
    let top = head + ABOVE + NOTE_LINE * lines.len().saturating_sub(1) as f64;
    let before = |bin: &Bin| if bin.is_far { BREAK } else { 0.0 };
    let heights = chart
        .bins
        .iter()
        .enumerate()
        .map(|(at, bin)| before(bin) + height * possible(at).count().max(1) as f64 + gap);
    let area = Rect {
        left: MARGIN + widest(&labels, LABEL.size) + 10.0,
        top,
        right: picture.width - MARGIN - 6.0 - widest(&texts, font.size),
        bottom: top + heights.clone().sum::<f64>(),
    };
    for (index, line) in lines.iter().enumerate() {
        let y = head + 10.0 + NOTE_LINE * index as f64;
        canvas.text(line, (MARGIN, y), Anchor::Start, SMALL);
    }
    let mut field = field(&canvas, area, scale);
    let roles = roles(rules);
    let pixels = area.width() / scale.0;
    let mut bottom = 0.0;
    for ((at, bin), room) in chart.bins.iter().enumerate().zip(heights) {
        bottom += room;
        let group = room - before(bin);
        if bin.is_far {
            canvas.row_break((area.left, area.top + bottom - group - BREAK / 2.0));
        }
        let place = (area.left - 8.0, area.top + bottom - group / 2.0);
        canvas.text_of((&labels[at], &bin.words), place, Anchor::End, LABEL);
        for (place, (rule, chance)) in possible(at).enumerate() {
            let upper = bottom - group + gap / 2.0 + height * place as f64;
            let end = chance.share.min(scale.0).max(LEAST_BAR / pixels);
            let corners = [(0.0, upper), (end, upper + height)];
            field.draw(bar(chart, (rule, at), corners, roles[rule]));
            let (x, y) = (area.left + end * pixels, area.top + upper + height / 2.0);
            if is_said(chance) {
                canvas.text(&text(rule, chance), (x + 6.0, y), Anchor::Start, font);
            }
            if chance.share > scale.0 {
                // The bar is broken: it is longer than the axis.
                let gap = Rect::around((x - 23.0, y), 6.0, height + 4.0);
                canvas.put(Mark::of(gap, Look::plain(Role::Ground)));
            }
        }
    }
    (canvas, area.bottom + BELOW)
}

/// The end of the axis of chances, and the step between its ticks.
fn scale(chart: &Chart) -> (f64, f64) {
    let series = || 0..chart.series.len();
    let named = series().flat_map(|rule| chart.drawn(rule, false));
    let named = named.map(|(.., chance)| chance.share).fold(0.0, f64::max);
    let whole = chart.all().map(|chance| chance.share).fold(0.0, f64::max);
    // The rest may have a much higher share than every list. Then its bar is cut off.
    let is_near = whole <= named * 2.5 || named == 0.0;
    let highest = if is_near { whole } else { named };
    let step = round_step((highest / 5.0).max(1e-300));
    (((highest * 1.02 / step).ceil() * step).min(1.0), step)
}

/// Whether a segment of this width has room for its percentage.
fn has_room(chance: &Chance, width: f64) -> bool {
    text_width(&chance.label, TINY.size) + 4.0 <= width
}

/// The names and chances of a rule's segments that have no room for their percentages in a bar of this width.
fn beside(chart: &Chart, rule: usize, width: f64) -> String {
    let segments = chart.bins.iter().zip(&chart.chances[rule]);
    let narrow = segments.filter_map(|(bin, chance)| {
        let chance = chance.as_ref()?;
        let is_narrow = !has_room(chance, chance.share * width - 1.0);
        is_narrow.then(|| format!("{} {}", bin.label, chance.label))
    });
    narrow.collect::<Vec<_>>().join(", ")
}

/// Draws bars of segments; returns the height of the picture.
pub(super) fn stacked(chart: &Chart, picture: &Picture) -> (Canvas, f64) {
    let canvas = Canvas::new(picture.width);
    let head = picture.head(&canvas);
    let labels: Vec<String> = chart.slots().map(|bin| bin.label.clone()).collect();
    let faded: Vec<bool> = (0..labels.len()).map(|at| is_faded(chart, 0, at)).collect();
    let top = picture.legend(&canvas, &labels, Sample::Block, &faded, head) + ABOVE;
    let notes = picture.notes(&picture.remarks);
    let foot = BELOW + Note::height(&notes);
    let count = chart.series.len();
    let pitch = picture.pitch(count as f64, [top, foot], HEIGHTS);
    let left = MARGIN + widest(&picture.names, LABEL.size).min(LONGEST_OF_ROW) + 10.0;
    let ends: f64 = picture.columns.iter().map(Column::width).sum();
    let most = picture.width - MARGIN - 12.0 - ends;
    // What has no room in the narrow segments stands beside the bar, which so becomes narrower.
    let right = (0..2).fold(most, |right, _| {
        let texts = (0..count).map(|rule| beside(chart, rule, right - left));
        let room = widest(&texts.collect::<Vec<_>>(), TINY.size);
        let is_short = 0.0 < room && room <= LONGEST_OF_ROW;
        most - if is_short { room + 8.0 } else { 0.0 }
    });
    let area = Rect::between((left, top), (right, top + pitch * count as f64));
    let above = top - ABOVE / 2.0 - 3.0;
    canvas.text("chance", (MARGIN, above), Anchor::Start, SMALL);
    picture.headings(&canvas, most, above);
    let mut field = field(&canvas, area, WHOLE);
    let roles = roles(labels.len());
    let shown = fitting_names(&picture.names, LABEL.size, LONGEST_OF_ROW);
    for (rule, name) in shown.iter().enumerate() {
        let (middle, half) = (pitch * (rule as f64 + 0.5), pitch * FILLED / 2.0);
        let y = top + middle;
        canvas.row_name(
            (name, &picture.names[rule]),
            (left - 10.0, y),
            pitch,
            LONGEST_OF_ROW,
        );
        picture.ends(&canvas, rule, (most, y));
        if right < most {
            let text = beside(chart, rule, area.width());
            canvas.text_if_free(&text, (right + 6.0, y), Anchor::Start, TINY);
        }
        let mut from = 0.0;
        for (at, chance) in chart.chances[rule].iter().enumerate() {
            let Some(chance) = chance else {
                continue;
            };
            let (start, to) = (from, from + chance.share);
            from = to;
            let end = (to - 1.0 / area.width()).max(start + LEAST_BAR / area.width());
            let corners = [(start, middle - half), (end, middle + half)];
            let role = roles.get(at).filter(|_| !chart.bins[at].is_beside);
            let role = role.copied().unwrap_or(Role::SoftInk);
            field.draw(bar(chart, (rule, at), corners, role));
            if !chart.bins[at].is_beside && has_room(chance, (end - start) * area.width()) {
                let is_faded = is_faded(chart, rule, at);
                let role = if is_faded { Role::Ink } else { role.text() };
                let font = Font {
                    role,
                    edge: false,
                    ..TINY
                };
                let x = left + f64::midpoint(start, end) * area.width();
                canvas.text(&chance.label, (x, y), Anchor::Middle, font);
            }
        }
    }
    canvas.notes(&notes, area.bottom + BELOW);
    (canvas, area.bottom + foot)
}
