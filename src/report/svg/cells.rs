//! A field of cells, each as dark as its chance is high: a row for each of many series, and a column for each value.

use super::axis::{percent_label, round_step};
use super::beside::Extra;
use super::canvas::{Anchor, Canvas, Mark, Point, Rect, text_box};
use super::chance::Chance;
use super::chart::Chart;
use super::frame::{self, MARGIN, Note, WIDTH};
use super::lanes::Lanes;
use super::names::fitting_names;
use super::palette::Role;
use super::picture::{Column, Picture};
use super::text::{Font, LABEL, SMALL, fitting, text_width, widest};

/// The largest width of a cell, and the least and the largest height.
const WIDEST: f64 = 344.0;
const LOWEST: f64 = 15.0;
const HIGHEST: f64 = 46.0;

/// The largest width of the names of the rows.
const LONGEST_NAME: f64 = 220.0;

/// The sizes of the percentages in the cells: the larger one where it fits.
const SIZES: [f64; 2] = [12.5, 10.5];

/// The share of the highest share from which on a percentage has room if any has.
const LARGE: f64 = 0.1;

/// The share of the highest share from which on a percentage has the colour of the ground.
const DARK: f64 = 0.62;

/// The least distance of the names of two columns, and the room that each has at least.
const APART: f64 = 6.0;
const LEAST_NAME: f64 = 60.0;

/// The space before a row or a column that is far from the one before.
const BREAK: f64 = 20.0;

/// The space between the head and the cells, and below the cells without the notes.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 24.0 + 18.0;

/// The rows and columns of a field.
pub(super) struct Cells {
    /// The name of the chances.
    pub(super) chances: String,
    pub(super) columns: Vec<String>,
    /// Whether each column is far from the one before.
    pub(super) are_far: Vec<bool>,
    /// What the columns are.
    pub(super) name: String,
    pub(super) rows: Vec<Row>,
    /// The columns of numbers at the end of the rows.
    pub(super) ends: Vec<Column>,
    pub(super) notes: Vec<Note>,
    /// Whether the lowest chances are written as well: those of questions, which are all answers.
    pub(super) says_all: bool,
    /// The places of the columns, in values.
    pub(super) axis: Axis,
}

/// The values that the columns of a field stand for.
pub(super) struct Axis {
    /// The number of columns before those of values, and of those of values.
    before: usize,
    count: usize,
    /// The left end of the first value, and the width of each.
    first: f64,
    width: f64,
    /// Whether the columns have names, which may be cut, rather than values.
    has_names: bool,
}

impl Axis {
    /// The columns of so many names, which have no values.
    pub(super) fn of_names(count: usize) -> Self {
        Self {
            before: 0,
            count,
            first: 0.0,
            width: 1.0,
            has_names: true,
        }
    }
}

pub(super) struct Row {
    pub(super) name: String,
    /// Whether the row is far from the one before.
    pub(super) is_far: bool,
    /// The chance in each column, with the text beside the pointer.
    pub(super) cells: Vec<Option<(Chance, String)>>,
}

impl Cells {
    /// The field of a chart: a row for each series.
    pub(super) fn of(chart: &Chart, picture: &Picture) -> Self {
        let count = if chart.has_values() { chart.slots() } else { 0 };
        let slots = usize::try_from(count).unwrap_or(0);
        let sides = [&chart.left, &chart.right];
        let [left, right] = sides.map(|side| side.iter().map(|extra| extra.label.clone()));
        // A column on the left is far from the first value, and one on the right from the last.
        let is_far = |extra: &Extra| extra.is_far;
        let places = 0..count;
        let are_far = [false].into_iter();
        let are_far = are_far.chain(chart.left.iter().map(is_far));
        let are_far = are_far.chain(places.skip(1).map(|_| false));
        let are_far = are_far.chain(chart.right.iter().map(is_far));
        let are_far = are_far
            .take(chart.left.len() + slots + chart.right.len())
            .collect();
        let rows = picture.names.iter().enumerate().map(|(index, name)| {
            let mut cells: Vec<Option<(Chance, String)>> = vec![None; slots];
            for spot in chart
                .series
                .get(index)
                .iter()
                .flat_map(|series| &series.spots)
            {
                let words = picture.words(index, &chart.words(spot.slot), &spot.chance);
                let place = usize::try_from(spot.slot).ok();
                if let Some(cell) = place.and_then(|place| cells.get_mut(place)) {
                    *cell = Some((spot.chance.clone(), words));
                }
            }
            let [left, right] = sides.map(|side| {
                side.iter().map(|extra| {
                    let chance = extra.chances[index].clone();
                    let words = picture.words(index, &extra.label, &chance);
                    Some((chance, words))
                })
            });
            Row {
                name: name.clone(),
                is_far: false,
                cells: left.chain(cells).chain(right).collect(),
            }
        });
        Self {
            rows: rows.collect(),
            chances: chart.name_of_chances(),
            columns: left
                .chain((0..count).map(|slot| chart.label_of_column(slot)))
                .chain(right)
                .collect(),
            are_far,
            name: picture.values.clone(),
            ends: picture.columns.clone(),
            notes: frame::notes(picture.remarks.iter().chain(&chart.notes)),
            says_all: false,
            axis: Axis {
                before: chart.left.len(),
                count: slots,
                first: chart.axis()[0],
                width: chart.width,
                has_names: false,
            },
        }
    }

    /// Draws the field below the lanes of what is asked; returns the height of the picture.
    pub(super) fn draw(&self, picture: &Picture, lanes: &Lanes) -> (Canvas, f64) {
        let mut canvas = Canvas::new(WIDTH);
        let above = frame::head(&mut canvas, picture) + ABOVE;
        let head = above + lanes.height();
        let foot = BELOW + frame::notes_height(&self.notes);
        let names: Vec<String> = self.rows.iter().map(|row| row.name.clone()).collect();
        let shown = fitting_names(&names, LABEL.size, LONGEST_NAME);
        let names = widest(&names, LABEL.size).min(LONGEST_NAME) + 10.0;
        let ends: f64 = self.ends.iter().map(Column::width).sum();
        let left = MARGIN + names;
        let far_rows: Vec<bool> = self.rows.iter().map(|row| row.is_far).collect();
        let [across, down] = [&self.are_far, &far_rows].map(|far| gaps(far));
        let room = WIDTH - MARGIN - ends - left - across.last().unwrap_or(&0.0);
        let width = (room / self.columns.len().max(1) as f64).min(WIDEST);
        let count = self.rows.len().max(1) as f64;
        let height = (frame::height_between(head, foot) / count).clamp(LOWEST, HIGHEST);
        let right = left + width * self.columns.len() as f64 + across.last().unwrap_or(&0.0);
        let bottom = head + height * count + down.last().unwrap_or(&0.0);

        let place = (MARGIN, above - ABOVE / 2.0 - 3.0);
        canvas.text(&self.chances, place, Anchor::Start, SMALL);
        let cells = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let highest = cells.map(|(chance, _)| chance.share).fold(0.0, f64::max);
        let chances = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        let chances = chances.map(|(chance, _)| chance);
        let has_labels = have_labels(chances, highest, [width - 1.0, height - 1.0]);
        let mut end = right;
        for column in &self.ends {
            end += column.width();
            let place = (end, above - 11.0);
            canvas.text_if_free(&column.heading, place, Anchor::End, SMALL);
        }
        for (index, row) in self.rows.iter().enumerate() {
            let top = head + index as f64 * height + down[index];
            let middle = top + height / 2.0;
            let name = &shown[index];
            let place = (left - 10.0, middle);
            if canvas.is_free(&text_box(name, place, Anchor::End, LABEL.size)) {
                frame::row_name(&mut canvas, (name, &row.name), place, height, LONGEST_NAME);
            }
            let mut end = right;
            for column in &self.ends {
                end += column.width();
                let text = &column.texts[index];
                canvas.text_if_free(text, (end, middle), Anchor::End, LABEL);
            }
            for (column, cell) in row.cells.iter().enumerate() {
                let Some((chance, words)) = cell else {
                    continue;
                };
                let start = left + column as f64 * width + across[column];
                let rect = Rect {
                    left: start,
                    top,
                    right: start + width - 1.0,
                    bottom: top + height - 1.0,
                };
                let is_said = has_labels && (self.says_all || is_seen(chance));
                draw_cell(&mut canvas, rect, (chance, is_said), highest, words);
            }
        }
        let area = Rect {
            left,
            top: head,
            right,
            bottom,
        };
        let column = |value: f64| {
            let columns = (value - self.axis.first) / self.axis.width;
            let gap = across.get(self.axis.before).unwrap_or(&0.0);
            left + (self.axis.before as f64 + columns) * width + gap
        };
        lanes.draw(&mut canvas, area, [left, right], column, &[]);
        canvas.line((left, bottom), (right, bottom), 1.2, Role::Axis);
        for (column, _) in self
            .are_far
            .iter()
            .enumerate()
            .filter(|(_, is_far)| **is_far)
        {
            let x = left + column as f64 * width + across[column] - BREAK / 2.0;
            frame::axis_break(&mut canvas, (x, bottom), true);
        }
        for (row, _) in far_rows.iter().enumerate().filter(|(_, is_far)| **is_far) {
            let y = head + row as f64 * height + down[row] - BREAK / 2.0;
            frame::axis_break(&mut canvas, (left, y), false);
            frame::dots(&mut canvas, (left - 18.0, y));
        }
        let place = |column: usize| {
            (
                left + (column as f64 + 0.5) * width + across[column],
                bottom + 14.0,
            )
        };
        self.labels(&mut canvas, width, place);
        let name = fitting(&self.name, SMALL.size, (right - left).max(120.0));
        let place = (f64::midpoint(left, right), bottom + 33.0);
        canvas.text_if_free(&name, place, Anchor::Middle, SMALL);
        key(&mut canvas, highest, (right + ends, bottom + 33.0));
        frame::draw_notes(&mut canvas, &self.notes, bottom + BELOW);
        (canvas, bottom + foot)
    }
}

impl Cells {
    /// The labels of the columns of this width below their places: those of mass beside the axis, and as many others as fit evenly.
    fn labels(&self, canvas: &mut Canvas, width: f64, place: impl Fn(usize) -> Point) {
        let room = width.max(LEAST_NAME) - APART;
        let shown = if self.axis.has_names {
            fitting_names(&self.columns, LABEL.size, room)
        } else {
            self.columns.clone()
        };
        let values = self.axis.before..self.axis.before + self.axis.count;
        let every = (widest(&shown[values.clone()], LABEL.size) + APART) / width;
        let every = (every.ceil() as usize).max(1);
        let (before, after) = (0..values.start, values.end..self.columns.len());
        let beside = before
            .chain(after)
            .map(|column| (column, &self.columns[column]));
        let along = values.step_by(every).map(|column| (column, &shown[column]));
        for (column, label) in beside.chain(along) {
            let place = place(column);
            let text = text_box(label, place, Anchor::Middle, LABEL.size);
            let spaced = Rect {
                left: text.left - APART,
                right: text.right + APART,
                ..text
            };
            // The last label may reach the edge of the picture.
            if canvas.is_free(&text) && !canvas.is_taken(&spaced) {
                let whole = &self.columns[column];
                canvas.text_of((label, whole), place, Anchor::Middle, LABEL);
            }
        }
    }
}

/// The space of all breaks up to each row or column.
fn gaps(are_far: &[bool]) -> Vec<f64> {
    let mut gap = 0.0;
    let gaps = are_far.iter().map(|is_far| {
        gap += if *is_far { BREAK } else { 0.0 };
        gap
    });
    gaps.collect()
}

/// Whether cells of this width and height have percentages: those that are not low ones have room for theirs.
pub(super) fn have_labels<'a>(
    chances: impl Iterator<Item = &'a Chance>,
    highest: f64,
    room: [f64; 2],
) -> bool {
    let mut large = chances.filter(|chance| chance.share >= highest * LARGE);
    large.all(|chance| size_of_label(chance, room).is_some())
}

/// The size of the percentage in a cell of this width and height; `None` if there is no room for it.
fn size_of_label(chance: &Chance, [width, height]: [f64; 2]) -> Option<f64> {
    let mut sizes = SIZES.into_iter();
    sizes.find(|size| text_width(&chance.label, *size) + 3.0 < width && size + 1.0 <= height)
}

/// Draws a cell, with its percentage if it is to have one, and there is room.
pub(super) fn draw_cell(
    canvas: &mut Canvas,
    rect: Rect,
    (chance, has_label): (&Chance, bool),
    highest: f64,
    words: &str,
) {
    let part = if highest > 0.0 {
        chance.share / highest
    } else {
        0.0
    };
    canvas.rect(
        rect,
        Mark::new("cell", Role::Heat, words).with_opacity(shade(part)),
    );
    let size = size_of_label(chance, [rect.width(), rect.height()]);
    if let Some(size) = size.filter(|_| has_label) {
        let role = if part > DARK { Role::Ground } else { Role::Ink };
        let font = Font {
            size,
            role,
            ..SMALL
        };
        let middle = |a: f64, b: f64| f64::midpoint(a, b);
        let place = (middle(rect.left, rect.right), middle(rect.top, rect.bottom));
        canvas.text_if_free(&chance.label, place, Anchor::Middle, font);
    }
}

/// Whether a chance is more than its label can tell from none: the lightest cells of values speak for themselves.
pub(super) fn is_seen(chance: &Chance) -> bool {
    chance.share > 0.0 && !chance.label.starts_with('<')
}

/// The opacity of a part of the highest share: lighter than the part, so that low shares differ, and nothing for no share.
fn shade(part: f64) -> f64 {
    if part > 0.0 { 0.03 + 0.87 * part } else { 0.0 }
}

/// A key to the shades, which ends at a point.
pub(super) fn key(canvas: &mut Canvas, highest: f64, (right, y): (f64, f64)) {
    const SHADES: usize = 5;
    if highest <= 0.0 {
        return;
    }
    let label = percent_label(highest, round_step(highest / 100.0));
    let (zero, size) = ("0%", SMALL.size);
    let width = text_width(&label, size) + 6.0;
    let from = right - width - SHADES as f64 * 16.0;
    if !canvas.text_if_free(&label, (right, y), Anchor::End, SMALL)
        || !canvas.text_if_free(zero, (from - 6.0, y), Anchor::End, SMALL)
    {
        return;
    }
    for index in 0..SHADES {
        let left = from + index as f64 * 16.0;
        let rect = Rect {
            left,
            top: y - 6.0,
            right: left + 15.0,
            bottom: y + 6.0,
        };
        let part = index as f64 / (SHADES - 1) as f64;
        let opacity = shade(part.max(f64::MIN_POSITIVE));
        canvas.rect(rect, Mark::plain(Role::Heat).with_opacity(opacity));
    }
}
