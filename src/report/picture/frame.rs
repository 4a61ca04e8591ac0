//! The frame around the data: title, legend, notes, and the names and numbers of rows.

use std::collections::BTreeSet;

use super::chart::{Along, Bin, Chart};
use super::field::{Axis, Canvas};
use super::kind::Kind;
use super::mark::{Anchor, Look, Mark, Point, Rect, text_box};
use super::names::{LONGEST_BESIDE, fitting_names};
use super::palette::{Role, roles};
use super::text::{Font, LABEL, SMALL, TITLE, balanced, fitting, text_width, widest, wrapped};
use super::words::{MOST_QUESTIONS, Picture};

/// The space around the content of a picture.
pub(super) const MARGIN: f64 = 16.0;

/// The least height of the data, and the largest part of the width that it may be.
const LEAST_HEIGHT: f64 = 320.0;
const MOST_HEIGHT: f64 = 0.62;

/// The height of a line of the title, of a line below it, of the legend, and of a note.
const TITLE_LINE: f64 = 24.0;
const LINE: f64 = 19.0;
const LEGEND_LINE: f64 = 21.0;
pub(super) const NOTE_LINE: f64 = 17.0;

/// The largest number of lines of a title, of each text below it, and of a note.
const MOST_LINES: usize = 3;

/// The largest width of a name in the legend, and of the name of a row.
const LONGEST_NAME: f64 = 460.0;
pub(super) const LONGEST_OF_ROW: f64 = 220.0;

/// The room that each name below an axis has at least, and the largest width of one.
const LEAST_NAME: f64 = 60.0;
const LONGEST_BELOW: f64 = 200.0;

/// The space above a field, for the name of what is along its left side.
pub(super) const ABOVE: f64 = 30.0;

/// The space of a break of an axis.
pub(super) const BREAK: f64 = 20.0;

/// The width of a sample in the legend, with the space after it.
pub(super) const SAMPLE: f64 = 20.0;

/// The opacities of the shade behind what is asked of several rules, of what is not asked about, of the part of an area that is, of
/// bands, and of areas.
pub(super) const SHADE: f64 = 0.1;
pub(super) const FADED: f64 = 0.35;
pub(super) const PART: f64 = 0.7;
pub(super) const BAND: f64 = 0.25;
pub(super) const AREA: f64 = 0.4;

/// The radius of the dot at the mean of a histogram.
pub(super) const MEAN: f64 = 2.6;

/// The strokes of the outlines around what several conditions are about.
pub(super) const OUTLINES: [&str; 3] = ["", "6 3", "1.5 3"];

/// The form of a series in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Block,
    Line,
}

/// A line of text below the data, after a sample of what it explains.
#[derive(Clone, Debug)]
pub(super) struct Note {
    key: Option<Key>,
    text: String,
}

/// What a note explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The interval of a sampled chance at a bar or a dot, and along a curve.
    Whisker,
    Band,
    /// Mass at no single value.
    Hatch,
    /// What is asked: of several rules, of an area, of bars.
    Shade,
    Part,
    Bars,
    /// The mean of a histogram.
    Dot,
    /// The cells that one of several conditions is about.
    Outline(usize),
    /// Where the chances of a sweep pass one half.
    Upright,
    /// The fan of a sweep: the median, and the values of half and of most of the rolls.
    Median,
    Half,
    Most,
}

impl Note {
    /// The note that explains a sample.
    pub(super) fn on(key: Key, text: &str) -> Self {
        Self {
            key: Some(key),
            text: text.into(),
        }
    }

    /// The height of notes, with the space below them.
    pub(super) fn height(notes: &[Self]) -> f64 {
        notes.len() as f64 * NOTE_LINE + 10.0
    }
}

impl Picture {
    /// The room between the margins.
    fn room(&self) -> f64 {
        self.width - 2.0 * MARGIN
    }

    /// The notes with these texts, in lines.
    pub(super) fn notes<'a>(&self, texts: impl IntoIterator<Item = &'a String>) -> Vec<Note> {
        let texts = texts.into_iter();
        let lines = texts.flat_map(|text| wrapped(text, SMALL.size, self.room(), MOST_LINES));
        lines.map(|text| Note { key: None, text }).collect()
    }

    /// Draws the title and the lines below it; returns their lower edge.
    pub(super) fn head(&self, canvas: &Canvas) -> f64 {
        let soft = Font {
            role: Role::SoftInk,
            ..LABEL
        };
        let title = balanced(&self.title, TITLE.size, self.room(), MOST_LINES);
        let title = title.into_iter().map(|line| (line, TITLE, TITLE_LINE));
        let below = self.subtitle.iter().take(MOST_QUESTIONS);
        let below = below.flat_map(|text| balanced(text, LABEL.size, self.room(), MOST_LINES));
        let below = below.map(|line| (line, soft, LINE));
        let lines = title.chain(below);
        let bottom = lines.fold(MARGIN, |y, (line, font, height)| {
            canvas.text(&line, (MARGIN, y + height / 2.0), Anchor::Start, font);
            y + height
        });
        bottom + 4.0
    }

    /// The height of the data between a head and a foot: what the size of the picture leaves, or seven tenths of the picture and more,
    /// unless what stands above and below is so high that the picture would be a tower.
    pub(super) fn height_between(&self, head: f64, foot: f64) -> f64 {
        let most = self.width * MOST_HEIGHT;
        let natural = ((head + foot) * 7.0 / 3.0).clamp(LEAST_HEIGHT.min(most), most);
        let wanted = self.height.map(|height| height - head - foot);
        wanted.map_or(natural, |height| height.max(40.0)).ceil()
    }

    /// The height of each of so many rows between a head and a foot, at least and at most.
    pub(super) fn pitch(&self, count: f64, [head, foot]: [f64; 2], [least, most]: [f64; 2]) -> f64 {
        let most = if self.height.is_some() {
            f64::INFINITY
        } else {
            most
        };
        (self.height_between(head, foot) / count.max(1.0)).clamp(least, most)
    }

    /// The field between a head and a foot, beside the labels of these ticks and this much space on the right.
    pub(super) fn area(&self, ticks: &[(f64, String)], top: f64, foot: f64, beside: f64) -> Rect {
        let labels = widest(ticks.iter().map(|(_, label)| label), LABEL.size);
        Rect {
            left: MARGIN + labels + 10.0,
            top,
            right: self.width - MARGIN - beside,
            bottom: top + self.height_between(top, foot),
        }
    }

    /// These ticks as far as their labels have room in a field of this height.
    pub(super) fn spaced(ticks: Vec<(f64, String)>, area: &Rect) -> Vec<(f64, String)> {
        let pitch = area.height() / ticks.len().saturating_sub(1).max(1) as f64;
        let every = (NOTE_LINE / pitch).ceil().max(1.0) as usize;
        ticks.into_iter().step_by(every).collect()
    }

    /// The axis of a chart along a field, with its labels. Lines keep off its ends.
    pub(super) fn axis(&self, chart: &Chart, area: &Rect) -> Axis {
        let [left, right] = chart.ends();
        let is_narrow = chart.kind == Kind::Lines || area.width() / (right - left) < 3.0;
        let is_padded = is_narrow && matches!(chart.along, Along::Values { .. });
        let padding = if is_padded {
            (right - left) * 0.015
        } else {
            0.0
        };
        let pad = |bin: Option<&Bin>| {
            if bin.is_some_and(|bin| bin.is_beside) {
                0.0
            } else {
                padding
            }
        };
        let axis = Axis::new(
            left - pad(chart.bins.first()),
            right + pad(chart.bins.last()),
        );
        let labels = chart.ticks(area.width() / (axis.to - axis.from));
        axis.labelled(labels, [area.left, area.right], self.width)
    }

    /// The places of names in the legend, and its height.
    fn legend_places(&self, names: &[String]) -> (Vec<Point>, f64) {
        let (mut x, mut y) = (MARGIN, LEGEND_LINE / 2.0);
        let places = names.iter().map(|name| {
            let width = SAMPLE + text_width(name, LABEL.size);
            if x > MARGIN && x + width > self.width - MARGIN {
                (x, y) = (MARGIN, y + LEGEND_LINE);
            }
            let place = (x, y);
            x += width + SAMPLE;
            place
        });
        let places = places.collect();
        (places, y + LEGEND_LINE / 2.0 + 4.0)
    }

    /// Draws a legend of the series with these names below `top`, of which some may be faded; returns its lower edge.
    pub(super) fn legend(
        &self,
        canvas: &Canvas,
        names: &[String],
        sample: Sample,
        are_faded: &[bool],
        top: f64,
    ) -> f64 {
        // Names are whole where all fit, and else as short as beside curves.
        let width = match widest(names, LABEL.size) {
            width if width <= LONGEST_NAME => LONGEST_NAME,
            _ => LONGEST_BESIDE,
        };
        let shown = fitting_names(names, LABEL.size, width.min(self.room() - SAMPLE));
        let (places, height) = self.legend_places(&shown);
        let all = names.iter().zip(&shown).zip(roles(names.len()));
        for (index, (((whole, name), role), (x, y))) in all.zip(places).enumerate() {
            let is_faded = are_faded.get(index) == Some(&true);
            let opacity = if is_faded { FADED } else { 1.0 };
            canvas.swatch((x, top + y), role, sample, opacity);
            let place = (x + SAMPLE, top + y);
            canvas.text_of((name, whole), place, Anchor::Start, LABEL);
        }
        top + height
    }
}

impl Picture {
    /// Draws the headings of the columns at the end of rows, which begin at a place, at a height.
    pub(super) fn headings(&self, canvas: &Canvas, from: f64, y: f64) {
        let mut end = from;
        for column in &self.columns {
            end += column.width();
            canvas.text_if_free(&column.heading, (end, y), Anchor::End, SMALL);
        }
    }

    /// Draws the numbers of a rule in these columns.
    pub(super) fn ends(&self, canvas: &Canvas, rule: usize, (from, y): Point) {
        let mut end = from;
        for column in &self.columns {
            end += column.width();
            canvas.text_if_free(&column.texts[rule], (end, y), Anchor::End, LABEL);
        }
    }
}

impl Canvas {
    /// Draws names below their places at least this far apart, as far as they fit. Names that are alike when they are cut leave room for
    /// each other.
    pub(super) fn names_below(&self, names: &[String], places: &[f64], y: f64, pitch: f64) {
        let cut = |room: f64| fitting_names(names, LABEL.size, room);
        let count = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len();
        let mut shown = cut(pitch.max(LEAST_NAME) - 6.0);
        let mut every = 1;
        if count(&shown) < count(names) {
            let room = widest(names, LABEL.size).min(LONGEST_BELOW) + 12.0;
            every = (room / pitch).ceil().max(1.0) as usize;
            shown = cut(every as f64 * pitch - 6.0);
        }
        let all = names.iter().zip(&shown).zip(places);
        for ((name, shown), x) in all.step_by(every) {
            let half = text_width(shown, LABEL.size) / 2.0 + 4.0;
            let x = x.clamp(half, (self.width() - half).max(half));
            if self.is_free(&text_box(shown, (x, y), Anchor::Middle, LABEL.size).wider(2.0)) {
                self.text_of((shown, name), (x, y), Anchor::Middle, LABEL);
            }
        }
    }

    /// Draws the name of a row of this height, which ends at a place: a name that is cut stands whole in two lines where they have room.
    pub(super) fn row_name(
        &self,
        (shown, whole): (&str, &str),
        (x, y): Point,
        height: f64,
        longest: f64,
    ) {
        let lines = wrapped(whole, LABEL.size, longest, 2);
        let are_whole = lines.len() == 2 && !lines.iter().any(|line| line.ends_with('…'));
        if shown == whole || !are_whole || height < 2.0 * NOTE_LINE {
            if self.is_free(&text_box(shown, (x, y), Anchor::End, LABEL.size)) {
                self.text_of((shown, whole), (x, y), Anchor::End, LABEL);
            }
            return;
        }
        for (line, half) in lines.iter().zip([-0.5, 0.5]) {
            let place = (x, y + half * NOTE_LINE);
            self.text_of((line, whole), place, Anchor::End, LABEL);
        }
    }

    /// A sample of a series, whose left end is the point, in this opacity.
    pub(super) fn swatch(&self, (x, y): Point, role: Role, sample: Sample, opacity: f64) {
        let look = Look::plain(role).with_opacity(opacity);
        self.put(match sample {
            Sample::Block => Mark::rect((x, y - 6.0), (x + 14.0, y + 6.0), look),
            Sample::Line => {
                let ends = vec![(x, y), (x + 15.0, y)];
                Mark::lines(&[ends], 3.5, role.dash(), look)
            }
        });
    }

    /// Draws notes below each other, from `top` on.
    pub(super) fn notes(&self, notes: &[Note], top: f64) {
        let mut y = top + NOTE_LINE / 2.0;
        for note in notes {
            let mut x = MARGIN;
            if let Some(key) = note.key {
                self.key(key, (x, y));
                x += 26.0;
            }
            let text = fitting(&note.text, SMALL.size, self.width() - MARGIN - x);
            self.text(&text, (x, y), Anchor::Start, SMALL);
            y += NOTE_LINE;
        }
    }

    fn key(&self, key: Key, (x, y): Point) {
        let rect = Rect::between((x, y - 6.0), (x + 18.0, y + 6.0));
        let block = |role: Role, opacity| Mark::of(rect, Look::plain(role).with_opacity(opacity));
        let ink = Look::plain(Role::Ink);
        self.put(match key {
            Key::Whisker => Mark::lines(&whisker(x + 9.0, 5.0, y - 6.0, y + 6.0), 1.2, "", ink),
            Key::Band => block(Role::SoftInk, 0.3),
            Key::Shade => block(Role::SoftInk, SHADE),
            Key::Part => block(roles(1)[0], PART),
            Key::Bars => block(roles(1)[0], 1.0),
            Key::Dot => Mark::circle((x + 9.0, y), MEAN, ink),
            Key::Hatch => block(Role::SoftInk, 1.0).hatched(),
            Key::Half => block(roles(1)[0], 1.0 - (1.0 - BAND) * (1.0 - BAND)),
            Key::Most => block(roles(1)[0], BAND),
            Key::Median => {
                let ends = vec![(x, y), (x + 18.0, y)];
                Mark::lines(&[ends], 2.2, "", Look::plain(roles(1)[0]))
            }
            Key::Upright => {
                let ends = vec![(x + 9.0, y - 7.0), (x + 9.0, y + 7.0)];
                Mark::lines(&[ends], 1.0, "", ink)
            }
            Key::Outline(index) => {
                let [a, b, c, d] = rect.wider(-1.0).corners();
                Mark::lines(&[vec![a, b, c, d, a]], 2.0, OUTLINES[index], ink)
            }
        });
    }

    /// Draws a break of an axis, level or upright: two strokes across.
    pub(super) fn axis_break(&self, (x, y): Point, is_level: bool) {
        let place = |along: f64, across: f64| {
            if is_level {
                (x + along, y + across)
            } else {
                (x + across, y + along)
            }
        };
        let gap = Mark::rect(
            place(-2.5, -2.0),
            place(2.5, 2.0),
            Look::plain(Role::Ground),
        );
        self.put(gap);
        let strokes =
            [-2.5, 2.5].map(|along| vec![place(along + 2.0, -6.0), place(along - 2.0, 6.0)]);
        let look = Look::new("break", Role::Axis, "");
        self.put(Mark::lines(&strokes, 1.2, "", look));
    }

    /// Draws a break of an upright axis at a height, with three dots among the labels left of it, for what is left out.
    pub(super) fn row_break(&self, (x, y): Point) {
        self.axis_break((x, y), false);
        for down in [-5.0, 0.0, 5.0] {
            let look = Look::plain(Role::SoftInk);
            self.put(Mark::circle((x - 18.0, y + down), 1.4, look));
        }
    }
}

/// The lines of an interval from `low` to `high`, with ends of length `2 * half`.
pub(super) fn whisker(x: f64, half: f64, low: f64, high: f64) -> Vec<Vec<Point>> {
    let end = |y: f64| vec![(x - half, y), (x + half, y)];
    vec![vec![(x, low), (x, high)], end(low), end(high)]
}
