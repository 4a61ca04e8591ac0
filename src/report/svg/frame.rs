//! The frame around the data: title, legend, notes.

use super::canvas::{Anchor, Canvas, Mark, Point, Rect};
use super::names::{LONGEST_BESIDE, fitting_names};
use super::palette::{Role, roles};
use super::picture::{MOST_QUESTIONS, Picture};
use super::text::{Font, LABEL, SMALL, TITLE, balanced, fitting, text_width, widest, wrapped};

/// The width of every picture, in pixels.
pub(super) const WIDTH: f64 = 760.0;

/// The space around the content of a picture.
pub(super) const MARGIN: f64 = 16.0;

/// The least height of the data, and the largest part of the width that it may be.
const LEAST_HEIGHT: f64 = 320.0;
const MOST_HEIGHT: f64 = 0.62;

/// The height of a line of the title, of a line below it, of the legend, and of a note.
const TITLE_LINE: f64 = 24.0;
const LINE: f64 = 19.0;
const LEGEND_LINE: f64 = 21.0;
const NOTE_LINE: f64 = 17.0;

/// The largest number of lines of a title, of each text below it, and of a note.
const MOST_LINES: usize = 3;

/// The largest width of a name in the legend.
const LONGEST_NAME: f64 = 460.0;

/// The width of a sample in the legend, with the space after it.
pub(super) const SAMPLE: f64 = 20.0;

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
    /// The interval of a sampled chance at a bar or a dot.
    Whisker,
    /// The intervals of sampled chances along a curve.
    Band,
    /// Mass at no single value.
    Hatch,
    /// What is asked of several rules.
    Shade,
    /// What is asked: the part of an area, or bars.
    Part,
    Bars,
    /// The mean of a histogram.
    Dot,
    /// The cells that one of several conditions is about.
    Outline(usize),
    /// Where the chances of a sweep pass one half.
    Upright,
}

/// The strokes of the outlines around what several conditions are about.
pub(super) const OUTLINES: [&str; 3] = ["", "6 3", "1.5 3"];

/// The opacity of the shade behind what is asked of several rules.
pub(super) const SHADE: f64 = 0.1;

/// The opacity of bars that are not asked about, of areas, and of bands.
pub(super) const FADED: f64 = 0.35;

/// The opacity of the part of an area that is asked about.
pub(super) const PART: f64 = 0.7;

/// The radius of the dot at the mean of a histogram.
pub(super) const MEAN: f64 = 2.6;

/// The notes with these texts, in lines.
pub(super) fn notes<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<Note> {
    let room = WIDTH - 2.0 * MARGIN;
    let lines = texts
        .into_iter()
        .flat_map(|text| wrapped(text, SMALL.size, room, MOST_LINES));
    lines.map(|text| Note { key: None, text }).collect()
}

impl Note {
    /// The note that explains a sample.
    pub(super) fn on(key: Key, text: &str) -> Self {
        Self {
            key: Some(key),
            text: text.into(),
        }
    }
}

/// Draws the title and the lines below it; returns their lower edge.
pub(super) fn head(canvas: &mut Canvas, picture: &Picture) -> f64 {
    let room = WIDTH - 2.0 * MARGIN;
    let mut y = MARGIN;
    for line in balanced(&picture.title, TITLE.size, room, MOST_LINES) {
        canvas.text(&line, (MARGIN, y + TITLE_LINE / 2.0), Anchor::Start, TITLE);
        y += TITLE_LINE;
    }
    for text in picture.subtitle.iter().take(MOST_QUESTIONS) {
        for line in balanced(text, LABEL.size, room, MOST_LINES) {
            let font = Font {
                role: Role::SoftInk,
                ..LABEL
            };
            canvas.text(&line, (MARGIN, y + LINE / 2.0), Anchor::Start, font);
            y += LINE;
        }
    }
    y + 4.0
}

/// Draws the name of a row of this height, which ends at a place: a name that is cut stands whole in two lines where they have room.
pub(super) fn row_name(
    canvas: &mut Canvas,
    (shown, whole): (&str, &str),
    (x, y): Point,
    height: f64,
    longest: f64,
) {
    let lines = wrapped(whole, LABEL.size, longest, 2);
    let are_whole = lines.len() == 2 && !lines.iter().any(|line| line.ends_with('…'));
    if shown == whole || !are_whole || height < 2.0 * NOTE_LINE {
        canvas.text_of((shown, whole), (x, y), Anchor::End, LABEL);
        return;
    }
    for (line, half) in lines.iter().zip([-0.5, 0.5]) {
        let place = (x, y + half * NOTE_LINE);
        canvas.text_of((line, whole), place, Anchor::End, LABEL);
    }
}

/// Draws a legend of the series with these names below `top`, of which some may be faded; returns its lower edge.
pub(super) fn legend(
    canvas: &mut Canvas,
    names: &[String],
    sample: Sample,
    are_faded: &[bool],
    top: f64,
) -> f64 {
    let (mut x, mut y) = (MARGIN, top + LEGEND_LINE / 2.0);
    // Names are whole where all fit, and else as short as beside curves.
    let width = if widest(names, LABEL.size) <= LONGEST_NAME {
        LONGEST_NAME
    } else {
        LONGEST_BESIDE
    };
    let shown = fitting_names(names, LABEL.size, width);
    let all = names.iter().zip(&shown).zip(roles(names.len()));
    for (index, ((whole, name), role)) in all.enumerate() {
        let is_faded = are_faded.get(index) == Some(&true);
        let opacity = if is_faded { FADED } else { 1.0 };
        let width = SAMPLE + text_width(name, LABEL.size);
        if x > MARGIN && x + width > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LEGEND_LINE);
        }
        swatch(canvas, (x, y), role, sample, opacity);
        canvas.text_of((name, whole), (x + SAMPLE, y), Anchor::Start, LABEL);
        x += width + SAMPLE;
    }
    y + LEGEND_LINE / 2.0 + 4.0
}

/// A sample of a series, whose left end is the point, in this opacity.
pub(super) fn swatch(canvas: &mut Canvas, (x, y): Point, role: Role, sample: Sample, opacity: f64) {
    let mark = Mark::plain(role).with_opacity(opacity);
    match sample {
        Sample::Block => {
            let rect = Rect {
                left: x,
                top: y - 6.0,
                right: x + 14.0,
                bottom: y + 6.0,
            };
            canvas.rect(rect, mark);
        }
        Sample::Line => {
            let ends = vec![(x, y), (x + 15.0, y)];
            canvas.lines(&[ends], 3.5, role.dash(), mark);
        }
    }
}

/// The height of the data between a head and a foot: seven tenths of the picture and more, unless what stands above and below is so
/// high that the picture would be a tower.
pub(super) fn height_between(head: f64, foot: f64) -> f64 {
    let most = WIDTH * MOST_HEIGHT;
    ((head + foot) * 7.0 / 3.0).clamp(LEAST_HEIGHT, most).ceil()
}

/// Draws notes below each other, from `top` on.
pub(super) fn draw_notes(canvas: &mut Canvas, notes: &[Note], top: f64) {
    let mut y = top + NOTE_LINE / 2.0;
    for note in notes {
        let mut x = MARGIN;
        if let Some(key) = note.key {
            draw_key(canvas, key, (x, y));
            x += 26.0;
        }
        let text = fitting(&note.text, SMALL.size, WIDTH - MARGIN - x);
        canvas.text(&text, (x, y), Anchor::Start, SMALL);
        y += NOTE_LINE;
    }
}

/// The height of notes, with the space below them.
pub(super) fn notes_height(notes: &[Note]) -> f64 {
    notes.len() as f64 * NOTE_LINE + 10.0
}

fn draw_key(canvas: &mut Canvas, key: Key, (x, y): Point) {
    let rect = Rect {
        left: x,
        top: y - 6.0,
        right: x + 18.0,
        bottom: y + 6.0,
    };
    match key {
        Key::Whisker => {
            let lines = whisker(x + 9.0, 5.0, y - 6.0, y + 6.0);
            canvas.lines(&lines, 1.2, "", Mark::plain(Role::Ink));
        }
        Key::Band => canvas.rect(rect, Mark::plain(Role::SoftInk).with_opacity(0.3)),
        Key::Shade => canvas.rect(rect, Mark::plain(Role::SoftInk).with_opacity(SHADE)),
        Key::Part => canvas.rect(rect, Mark::plain(roles(1)[0]).with_opacity(PART)),
        Key::Bars => canvas.rect(rect, Mark::plain(roles(1)[0])),
        Key::Dot => canvas.circle((x + 9.0, y), MEAN, Mark::plain(Role::Ink)),
        Key::Hatch => canvas.hatch(rect, Mark::plain(Role::SoftInk)),
        Key::Upright => canvas.line((x + 9.0, y - 7.0), (x + 9.0, y + 7.0), 1.0, Role::Ink),
        Key::Outline(index) => {
            let (left, right) = (rect.left + 1.0, rect.right - 1.0);
            let (top, bottom) = (rect.top + 1.0, rect.bottom - 1.0);
            let corners = [
                (left, top),
                (right, top),
                (right, bottom),
                (left, bottom),
                (left, top),
            ];
            canvas.lines(
                &[corners.to_vec()],
                2.0,
                OUTLINES[index],
                Mark::plain(Role::Ink),
            );
        }
    }
}

/// The lines of an interval from `low` to `high`, with ends of length `2 * half`.
pub(super) fn whisker(x: f64, half: f64, low: f64, high: f64) -> Vec<Vec<Point>> {
    let end = |y: f64| vec![(x - half, y), (x + half, y)];
    vec![vec![(x, low), (x, high)], end(low), end(high)]
}

/// Draws a break of an axis, level or upright: two strokes across.
pub(super) fn axis_break(canvas: &mut Canvas, (x, y): Point, is_level: bool) {
    let place = |along: f64, across: f64| {
        if is_level {
            (x + along, y + across)
        } else {
            (x + across, y + along)
        }
    };
    let (low, high) = (place(-2.5, -2.0), place(2.5, 2.0));
    let gap = Rect {
        left: low.0,
        top: low.1,
        right: high.0,
        bottom: high.1,
    };
    canvas.rect(gap, Mark::plain(Role::Ground));
    let strokes = [-2.5, 2.5].map(|along| vec![place(along + 2.0, -6.0), place(along - 2.0, 6.0)]);
    canvas.lines(&strokes, 1.2, "", Mark::new("break", Role::Axis, ""));
}

/// Draws three dots below each other, for what is left out of a list.
pub(super) fn dots(canvas: &mut Canvas, (x, y): Point) {
    for down in [-5.0, 0.0, 5.0] {
        canvas.circle((x, y + down), 1.4, Mark::plain(Role::SoftInk));
    }
}
