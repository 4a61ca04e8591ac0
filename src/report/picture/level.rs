//! Horizontal bars: one for each list in each rule, or one for each rule, with a segment for each label. Of many lists the most likely
//! are drawn, and one bar for the rest.

use super::chance::Told;
use super::chart::Chart;
use super::field::{Axis, Canvas, Field, Grid};
use super::frame::{Around, BREAK, LONGEST_OF_ROW, Sample};
use super::mark::{Anchor, LEAST_BAR, Look, Mark, Rect};
use super::names::fitting_names;
use super::numbers::{WHOLE, round_step, share_ticks};
use super::palette::{Role, roles};
use super::text::{Font, LABEL, SMALL, TINY, fitting, text_width, widest};
use super::words::Picture;

/// The largest width of the labels.
const LABELS: f64 = 400.0;

/// The height of a bar, the gap between the bars of one list and the next, and by how much both are enlarged at most.
const BAR: f64 = 13.0;
const GAP: f64 = 7.0;
const LARGEST: f64 = 2.4;

/// The most bars with their chances, and the most rules whose bars have no names.
const MOST_CHANCES: usize = 80;
const MOST_UNNAMED: usize = 3;

/// The chances of several rules beside their bars, and the largest width of a name there.
const CHANCE: Font = Font {
    size: 10.5,
    ..SMALL
};
const LONGEST_NAME: f64 = 110.0;

/// The space below the bars, for the axis.
const BELOW: f64 = 34.0;

/// The least and the largest height of a bar of segments with the space around it, and the part of it that the bar fills.
const HEIGHTS: [f64; 2] = [24.0, 46.0];
const FILLED: f64 = 0.78;

/// A field of so many rows of bars, from above.
fn field(canvas: &Canvas, area: Rect, scale: (f64, f64), rows: f64) -> Field {
    let x = Axis::new(0.0, scale.0);
    let x = x.labelled(share_ticks(scale), [area.left, area.right], canvas.width());
    canvas.field(area, [x, Axis::new(rows, 0.0)], Grid::Upright, "")
}

/// Whether a bin of a series is not asked about, if anything is.
fn is_faded(chart: &Chart, series: usize, at: usize) -> bool {
    let faded = chart.faded.as_ref();
    faded.and_then(|all| all.get(series)?.get(at).copied()) == Some(true)
}

/// Draws the lists.
pub(super) fn lists(chart: &Chart, picture: &Picture) -> Canvas {
    let canvas = Canvas::new(picture.width);
    let rules = chart.series.len();
    let several = rules > 1;
    let bars = chart.all().count();
    let scale = scale(chart);
    // The length of a broken bar says nothing.
    let is_said = |chance: &Told| bars <= MOST_CHANCES || chance.share > scale.0;
    // In grey, the colours of many rules are much alike.
    let names = if rules > MOST_UNNAMED {
        fitting_names(&picture.names, CHANCE.size, LONGEST_NAME)
    } else {
        vec![String::new(); rules]
    };
    let text = |rule: usize, chance: &Told| match names[rule].as_str() {
        "" => chance.label.clone(),
        name => format!("{} {name}", chance.label),
    };
    let font = if several { CHANCE } else { SMALL };
    // Each list has a bar for each rule in which it is possible, and a gap.
    let groups = chart.bins.iter().enumerate().map(|(at, bin)| {
        let chances = chart.chances.iter().enumerate();
        let here = chances.filter_map(|(rule, own)| Some((rule, own[at].as_ref()?)));
        (at, bin, here.collect::<Vec<_>>())
    });
    let groups: Vec<_> = groups.collect();
    let gap = GAP / BAR * if several { 1.5 } else { 1.0 };
    let height = |here: &[(usize, &Told)]| here.len().max(1) as f64 + gap;
    let before = |is_far: bool| if is_far { BREAK / BAR } else { 0.0 };
    let heights = groups.iter();
    let heights = heights.map(|(_, bin, here)| before(bin.is_far) + height(here));
    let rows: f64 = heights.sum();
    let room = LABELS.min(picture.width * 0.53);
    let labels = chart.bins.iter();
    let labels = labels.map(|bin| fitting(&bin.label, LABEL.size, room));
    let labels: Vec<String> = labels.collect();
    let texts = groups.iter().flat_map(|(.., here)| here);
    let texts = texts.filter(|(_, chance)| is_said(chance));
    let texts: Vec<String> = texts.map(|(rule, chance)| text(*rule, chance)).collect();
    let is_low = several && bars > MOST_CHANCES;
    let most = if is_low { 0.75 } else { LARGEST };
    let around = Around {
        legend: several.then_some((Sample::Block, &picture.names[..], &[][..])),
        caption: &chart.name_of_chances,
        rows: Some((rows, [BAR * most.min(1.0), BAR * most])),
        left: widest(&labels, LABEL.size),
        right: widest(&texts, font.size) + 6.0,
        below: BELOW,
        ..Around::default()
    };
    let area = picture.frame(&canvas, around);
    let mut field = field(&canvas, area, scale, rows);
    let (roles, pixels) = (roles(rules), area.width() / scale.0);
    let unit = area.height() / rows;
    let mut top = 0.0;
    for (at, bin, here) in &groups {
        let y = |row: f64| area.top + unit * row;
        if bin.is_far {
            top += before(true);
            canvas.row_break((area.left, y(top) - unit * before(true) / 2.0));
        }
        let place = (area.left - 8.0, y(top + height(here) / 2.0));
        let texts = (labels[*at].as_str(), bin.words.as_str());
        canvas.page().text(texts, place, Anchor::End, LABEL);
        for (place, (rule, chance)) in here.iter().enumerate() {
            let upper = top + gap / 2.0 + place as f64;
            let end = chance.share.min(scale.0).max(LEAST_BAR / pixels);
            let corners = [(0.0, upper), (end, upper + 1.0)];
            let is_full = !is_faded(chart, *rule, *at);
            field.draw([chart.bar((*rule, bin, chance), corners, roles[*rule], is_full)]);
            let (x, y) = (area.left + end * pixels, y(upper + 0.5));
            if is_said(chance) {
                canvas.text(&text(*rule, chance), (x + 6.0, y), Anchor::Start, font);
            }
            if chance.share > scale.0 {
                // The bar is broken: it is longer than the axis.
                let gap = Rect::around((x - 23.0, y), 6.0, unit + 4.0);
                canvas.put(Mark::of(gap, Look::plain(Role::Ground)));
            }
        }
        top += height(here);
    }
    canvas
}

/// The end of the axis of chances, and the step between its ticks.
fn scale(chart: &Chart) -> (f64, f64) {
    let highest = |chances: &mut dyn Iterator<Item = &Told>| {
        chances.map(|chance| chance.share).fold(0.0, f64::max)
    };
    let rules = 0..chart.series.len();
    let mut lists = rules.flat_map(|rule| chart.drawn(rule, false).map(|(.., chance)| chance));
    let (named, whole) = (highest(&mut lists), highest(&mut chart.all()));
    // The rest may have a much higher share than every list. Then its bar is cut off.
    let is_near = whole <= named * 2.5 || named == 0.0;
    let highest = if is_near { whole } else { named };
    let step = round_step((highest / 5.0).max(1e-300));
    (((highest * 1.02 / step).ceil() * step).min(1.0), step)
}

/// Whether a segment of this width has room for its percentage.
fn has_room(chance: &Told, width: f64) -> bool {
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

/// Draws bars of segments.
pub(super) fn stacked(chart: &Chart, picture: &Picture) -> Canvas {
    let canvas = Canvas::new(picture.width);
    let labels: Vec<String> = chart.slots().map(|bin| bin.label.clone()).collect();
    let faded: Vec<bool> = (0..labels.len()).map(|at| is_faded(chart, 0, at)).collect();
    let count = chart.series.len();
    // Names and chances that have no room in narrow segments stand beside the bar, so the bar becomes narrower.
    let room = picture.room_of_rows();
    let right = (0..2).fold(12.0, |right, _| {
        let texts = (0..count).map(|rule| beside(chart, rule, room - right));
        let wide = widest(&texts.collect::<Vec<_>>(), TINY.size);
        let is_short = 0.0 < wide && wide <= LONGEST_OF_ROW;
        12.0 + if is_short { wide + 8.0 } else { 0.0 }
    });
    let around = Around {
        legend: Some((Sample::Block, &labels, &faded)),
        caption: "chance",
        names: &picture.names,
        columns: &picture.columns,
        rows: Some((count as f64, HEIGHTS)),
        right,
        below: BELOW,
        notes: picture.notes(&picture.remarks),
        ..Around::default()
    };
    let area = picture.frame(&canvas, around);
    let mut field = field(&canvas, area, WHOLE, count as f64);
    let (roles, width) = (roles(labels.len()), area.width());
    for rule in 0..count {
        let middle = rule as f64 + 0.5;
        if right > 12.0 {
            let (text, at) = (beside(chart, rule, width), field.pixel((1.0, middle)));
            canvas.text_if_free(&text, (at.0 + 6.0, at.1), Anchor::Start, TINY);
        }
        let mut from = 0.0;
        for (at, bin) in chart.bins.iter().enumerate() {
            let Some(chance) = &chart.chances[rule][at] else {
                continue;
            };
            let (start, to) = (from, from + chance.share);
            from = to;
            let end = (to - 1.0 / width).max(start + LEAST_BAR / width);
            let half = FILLED / 2.0;
            let corners = [(start, middle - half), (end, middle + half)];
            let role = roles.get(at).filter(|_| !bin.is_beside);
            let role = role.copied().unwrap_or(Role::SoftInk);
            let is_full = !is_faded(chart, rule, at);
            field.draw([chart.bar((rule, bin, chance), corners, role, is_full)]);
            if !bin.is_beside && has_room(chance, (end - start) * width) {
                let font = Font {
                    role: if is_full { role.text() } else { Role::Ink },
                    edge: false,
                    ..TINY
                };
                let at = field.pixel((f64::midpoint(start, end), middle));
                canvas.text(&chance.label, at, Anchor::Middle, font);
            }
        }
    }
    canvas
}
