//! The frame around the data, which one function lays out: title, legend, what the data is, names and numbers of rows, notes.

use std::collections::BTreeSet;

use super::chart::{Along, Bin, Chart};
use super::field::{Axis, Canvas};
use super::kind::ChartKind;
use super::mark::{Anchor, Look, Mark, Point, Rect};
use super::names::{LONGEST_BESIDE, fitting_names};
use super::palette::{Role, roles};
use super::text::{
    Font, LABEL, NOTE_LINE, SMALL, TITLE, balanced, fitting, text_width, widest, wrapped,
};
use super::words::{Column, MOST_QUESTIONS, Picture};

/// The space around the content of a picture, and that above the data, for what it is.
pub(super) const MARGIN: f64 = 16.0;
pub(super) const ABOVE: f64 = 28.0;

/// The least height of the data, and the largest part of the width that it may be.
const LEAST_HEIGHT: f64 = 320.0;
const MOST_HEIGHT: f64 = 0.62;

/// The height of a line of the title, of a line below it, and of the legend.
const TITLE_LINE: f64 = 24.0;
const LINE: f64 = 19.0;
const LEGEND_LINE: f64 = 21.0;

/// The largest number of lines of a title, of each text below it, and of a note.
const MOST_LINES: usize = 3;

/// The largest width of a name in the legend, and of the name of a row; the space between it and its row.
const LONGEST_NAME: f64 = 460.0;
pub(super) const LONGEST_OF_ROW: f64 = 220.0;
pub(super) const BEFORE: f64 = 10.0;

/// The room that each name below an axis has at least, and the largest width of one.
const LEAST_NAME: f64 = 60.0;
const LONGEST_BELOW: f64 = 200.0;

/// The space of a break of an axis, and of a sample in the legend and before a note.
pub(super) const BREAK: f64 = 20.0;
pub(super) const SAMPLE: f64 = 20.0;
const KEY: f64 = 26.0;

/// The opacities of the shade behind what is asked of several rules, and of bands.
pub(super) const SHADE: f64 = 0.1;
pub(super) const BAND: f64 = 0.25;

/// The form of a series in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Block,
    Line,
}

/// A line of text below the data, after a sample of what it explains.
#[derive(Clone, Debug)]
pub(super) struct Note {
    key: Option<Mark>,
    text: String,
}

impl Note {
    /// The note that explains a mark, which begins at the origin and is 18 pixels wide.
    pub(super) fn on(key: Mark, text: &str) -> Self {
        let (key, text) = (Some(key), text.into());
        Self { key, text }
    }

    /// The note that explains a rectangle of this look.
    pub(super) fn block(look: Look, text: &str) -> Self {
        Self::on(Mark::rect([(0.0, -6.0), (18.0, 6.0)], look), text)
    }
}

/// What stands around the data.
#[derive(Default)]
pub(super) struct Around<'a> {
    /// The names in the legend, and which of them are faded.
    pub(super) legend: Option<(Sample, &'a [String], &'a [bool])>,
    /// What the data is.
    pub(super) caption: &'a str,
    /// The names of rows, whose numbers stand at their ends; the number of rows, and the least and largest height of one.
    pub(super) names: &'a [String],
    pub(super) columns: &'a [Column],
    pub(super) rows: Option<(f64, [f64; 2])>,
    /// Where each row begins, counted in rows, if there are breaks between them.
    pub(super) starts: &'a [f64],
    /// The space above the data, and on its left, right and lower side.
    pub(super) above: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) below: f64,
    pub(super) notes: Vec<Note>,
}

impl Picture {
    /// The notes with these texts, in lines.
    pub(super) fn notes<'a>(&self, texts: impl IntoIterator<Item = &'a String>) -> Vec<Note> {
        let room = self.width - 2.0 * MARGIN;
        let texts = texts.into_iter();
        let lines = texts.flat_map(|text| wrapped(text, SMALL.size, room, MOST_LINES));
        lines.map(|text| Note { key: None, text }).collect()
    }

    /// The height of each of so many rows between a head and a foot. All rows together take at least seven tenths of the picture, unless
    /// the head and the foot are so high that the picture would be a tower. If the picture has a fixed size, the rows share what it leaves.
    fn pitch(&self, count: f64, around: f64, [least, most]: [f64; 2]) -> f64 {
        let highest = self.width * MOST_HEIGHT;
        let natural = (around * 7.0 / 3.0).clamp(LEAST_HEIGHT.min(highest), highest);
        match self.height {
            Some(height) => ((height - around).max(40.0).ceil() / count).max(least),
            None => (natural.ceil() / count).clamp(least, most),
        }
    }

    /// The width of the data beside the names of rows and the numbers at their ends.
    pub(super) fn room_of_rows(&self) -> f64 {
        let names = widest(&self.names, LABEL.size).min(LONGEST_OF_ROW) + BEFORE;
        self.width - 2.0 * MARGIN - names - self.columns.iter().map(Column::width).sum::<f64>()
    }

    /// Draws all that stands around the data; returns the place of the data.
    pub(super) fn frame(&self, canvas: &Canvas, around: Around) -> Rect {
        let Around { notes, columns, .. } = around;
        let room = self.width - 2.0 * MARGIN;
        let mut head = self.head(canvas);
        if let Some((sample, names, are_faded)) = around.legend {
            head = self.legend(canvas, names, sample, are_faded, head);
        }
        let lines = wrapped(around.caption, SMALL.size, room, MOST_LINES);
        for (index, line) in lines.iter().enumerate() {
            let y = head + 10.0 + NOTE_LINE * index as f64;
            canvas.text(line, (MARGIN, y), Anchor::Start, SMALL);
        }
        let more = NOTE_LINE * lines.len().saturating_sub(1) as f64;
        let top = head + ABOVE + more + around.above;
        let foot = around.below + notes.len() as f64 * NOTE_LINE + 10.0;
        let (count, heights) = around.rows.unwrap_or((1.0, [0.0, f64::INFINITY]));
        let count = count.max(1.0);
        let pitch = self.pitch(count, top + foot, heights);
        let ends = self.width - MARGIN - columns.iter().map(Column::width).sum::<f64>();
        let names = widest(around.names, LABEL.size).min(LONGEST_OF_ROW);
        let area = Rect {
            left: MARGIN + names.max(around.left) + BEFORE,
            top,
            right: ends - around.right,
            bottom: top + pitch * count,
        };
        let start = |row: usize| around.starts.get(row).copied().unwrap_or(row as f64);
        let middle = |row: usize| area.top + pitch * (start(row) + 0.5);
        let shown = fitting_names(around.names, LABEL.size, LONGEST_OF_ROW);
        for (row, texts) in shown.iter().zip(around.names).enumerate() {
            canvas.row_name(texts, (area.left - BEFORE, middle(row)), pitch);
        }
        let mut end = ends;
        for column in columns {
            end += column.width();
            canvas.text_if_free(&column.short(), (end, head + 10.0), Anchor::End, SMALL);
            for (row, text) in column.texts.iter().enumerate() {
                canvas.text_if_free(text, (end, middle(row)), Anchor::End, LABEL);
            }
        }
        let mut y = area.bottom + around.below + NOTE_LINE / 2.0;
        for Note { key, text } in notes {
            let x = MARGIN + key.as_ref().map_or(0.0, |_| KEY);
            if let Some(key) = key {
                canvas.put(key.moved((MARGIN, y)));
            }
            let text = fitting(&text, SMALL.size, self.width - MARGIN - x);
            canvas.text(&text, (x, y), Anchor::Start, SMALL);
            y += NOTE_LINE;
        }
        canvas.page().height = area.bottom + foot;
        area
    }

    /// The document of what was drawn.
    pub(super) fn document(&self, canvas: &Canvas) -> String {
        canvas.page().document(&self.title, &self.description)
    }

    /// Draws the title and the lines below it; returns their lower edge.
    fn head(&self, canvas: &Canvas) -> f64 {
        let soft = Font {
            role: Role::SoftInk,
            ..LABEL
        };
        let title = [(&self.title, TITLE, TITLE_LINE)].into_iter();
        let below = self.subtitle.iter().take(MOST_QUESTIONS);
        let texts = title.chain(below.map(|text| (text, soft, LINE)));
        let mut bottom = MARGIN;
        for (text, font, height) in texts {
            let room = self.width - 2.0 * MARGIN;
            for line in balanced(text, font.size, room, MOST_LINES) {
                canvas.text(&line, (MARGIN, bottom + height / 2.0), Anchor::Start, font);
                bottom += height;
            }
        }
        bottom + 4.0
    }

    /// Draws a legend of the series with these names below `top`, of which some may be faded; returns its lower edge.
    fn legend(
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
        let room = self.width - 2.0 * MARGIN - SAMPLE;
        let shown = fitting_names(names, LABEL.size, width.min(room));
        let (mut x, mut y) = (MARGIN, top + LEGEND_LINE / 2.0);
        for (index, (texts, role)) in shown.iter().zip(names).zip(roles(names.len())).enumerate() {
            let width = SAMPLE + text_width(texts.0, LABEL.size);
            if x > MARGIN && x + width > self.width - MARGIN {
                (x, y) = (MARGIN, y + LEGEND_LINE);
            }
            let is_faded = are_faded.get(index) == Some(&true);
            canvas.swatch((x, y), role, sample, is_faded);
            let place = (x + SAMPLE, y);
            canvas
                .page()
                .text((texts.0, texts.1), place, Anchor::Start, LABEL);
            x += width + SAMPLE;
        }
        y + LEGEND_LINE / 2.0 + 4.0
    }

    /// The axis of a chart along a field, with its labels. Lines keep off its ends.
    pub(super) fn axis(&self, chart: &Chart, area: &Rect) -> Axis {
        let [left, right] = chart.ends();
        let is_narrow = chart.kind == ChartKind::Lines || area.width() / (right - left) < 3.0;
        let is_padded = is_narrow && matches!(chart.along, Along::Values { .. });
        let pad = |bin: Option<&Bin>| match bin {
            Some(bin) if is_padded && !bin.is_beside => (right - left) * 0.015,
            _ => 0.0,
        };
        let axis = Axis::new(
            left - pad(chart.bins.first()),
            right + pad(chart.bins.last()),
        );
        let labels = chart.ticks(area.width() / (axis.to - axis.from));
        axis.labelled(labels, [area.left, area.right], self.width)
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
        let all = shown.iter().zip(names).zip(places);
        for ((shown, name), x) in all.step_by(every) {
            let half = text_width(shown, LABEL.size) / 2.0 + 4.0;
            let x = x.clamp(half, (self.width() - half).max(half));
            self.place((shown, name), &[((x, y), Anchor::Middle)], LABEL, &[]);
        }
    }

    /// Draws the name of a row of this height, which ends at a place: a name that is cut stands whole in two lines where they have room.
    fn row_name(&self, (shown, whole): (&String, &String), (x, y): Point, height: f64) {
        let lines = wrapped(whole, LABEL.size, LONGEST_OF_ROW, 2);
        let are_whole = lines.len() == 2 && !lines.iter().any(|line| line.ends_with('…'));
        if shown == whole || !are_whole || height < 2.0 * NOTE_LINE {
            self.place((shown, whole), &[((x, y), Anchor::End)], LABEL, &[]);
            return;
        }
        for (line, half) in lines.iter().zip([-0.5, 0.5]) {
            let place = (x, y + half * NOTE_LINE);
            self.page().text((line, whole), place, Anchor::End, LABEL);
        }
    }

    /// A sample of a series, whose left end is the point.
    pub(super) fn swatch(&self, at: Point, role: Role, sample: Sample, is_faded: bool) {
        let look = Look::plain(role).full(!is_faded);
        let mark = match sample {
            Sample::Block => Mark::rect([(0.0, -6.0), (14.0, 6.0)], look),
            Sample::Line => {
                let line = vec![(0.0, 0.0), (15.0, 0.0)];
                Mark::lines(&[line], 3.5, role.dash(), look)
            }
        };
        self.put(mark.moved(at));
    }

    /// Draws a break of an axis, level or upright: two strokes across.
    pub(super) fn axis_break(&self, at: Point, is_level: bool) {
        let place = |along: f64, across: f64| {
            if is_level {
                (along, across)
            } else {
                (across, along)
            }
        };
        let gap = [place(-2.5, -2.0), place(2.5, 2.0)];
        self.put(Mark::rect(gap, Look::plain(Role::Ground)).moved(at));
        let strokes =
            [-2.5, 2.5].map(|along| vec![place(along + 2.0, -6.0), place(along - 2.0, 6.0)]);
        let look = Look::new("break", Role::Axis, "");
        self.put(Mark::lines(&strokes, 1.2, "", look).moved(at));
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
