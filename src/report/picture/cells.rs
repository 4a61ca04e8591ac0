//! A field of cells, each as dark as its chance is high: a row for each of many series and a column for each bin. The values of the parts
//! of a record have the distribution of each part at the margin.

use std::collections::BTreeSet;

use super::chance::Chance;
use super::chart::{Along, Chart};
use super::field::{Axis, Canvas, Field, Grid};
use super::frame::{BREAK, Key, LONGEST_OF_ROW, MARGIN, Note, OUTLINES};
use super::lanes::Lanes;
use super::mark::{Anchor, Look, Mark, Point, Rect};
use super::names::fitting_names;
use super::numbers::{percent_label, round_step};
use super::palette::{Role, roles};
use super::text::{Font, LABEL, SMALL, TINY, fitting, text_width, widest};
use super::words::{Column, Picture};

/// The largest width of a cell, and the least and the largest height.
const WIDEST: f64 = 344.0;
const HEIGHTS: [f64; 2] = [15.0, 46.0];

/// The greatest width of a cell of pairs, its height as a part of the width, and the most rows of which each has room for a number.
const WIDEST_PAIR: f64 = 76.0;
const FLAT: f64 = 0.6;
const MANY_ROWS: usize = 30;

/// The space for the distributions of parts, above and on the right, and the length of the longest bar.
const MARGINS: f64 = 92.0;
const LONGEST_BAR: f64 = MARGINS - 46.0;

/// The width of an outline, that of its edge in the colour of the ground, and the largest distance of the next one from it.
const OUTLINE: f64 = 2.0;
const EDGE: f64 = 4.4;
const NEXT_OUTLINE: f64 = 4.2;

/// The sizes of the percentages in the cells: the larger one where it fits.
const SIZES: [f64; 2] = [12.5, 10.5];

/// The parts of the highest share from which on a percentage has room if any has, and has the colour of the ground.
const LARGE: f64 = 0.1;
const DARK: f64 = 0.62;

/// The least distance of two labels, and the height of one.
const APART: f64 = 6.0;
const LINE: f64 = LABEL.size + 1.0;

/// The space between the head and the cells, and below the cells without the notes.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 24.0 + 18.0;

/// The shades of the key.
const SHADES: usize = 5;

/// What stands around the pairs of values of the parts of a record.
pub(super) struct Margins {
    /// What the rows are.
    pub(super) name: String,
    /// The distribution of the columns, and that of the rows, with the texts beside the pointer.
    pub(super) parts: [Vec<(Chance, String)>; 2],
    /// How many columns and rows there are before the first round value.
    pub(super) rounds: [usize; 2],
    /// The conditions that are asked, with the columns and rows of the cells that each is about.
    pub(super) asked: Vec<(String, BTreeSet<(usize, usize)>)>,
}

/// The form of the percentages in cells. Where they have no room, the decimals and the signs are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    is_whole: bool,
    has_sign: bool,
}

const FORMS: [Form; 4] = [
    Form {
        is_whole: false,
        has_sign: true,
    },
    Form {
        is_whole: true,
        has_sign: true,
    },
    Form {
        is_whole: false,
        has_sign: false,
    },
    Form {
        is_whole: true,
        has_sign: false,
    },
];

impl Form {
    fn text(self, chance: &Chance) -> &str {
        let whole = chance.whole.as_ref().filter(|_| self.is_whole);
        let text = whole.unwrap_or(&chance.label);
        if self.has_sign {
            text
        } else {
            text.trim_end_matches('%')
        }
    }

    /// The size of the percentage in a cell of this width and height; `None` if there is no room for it.
    fn size(self, chance: &Chance, [width, height]: [f64; 2]) -> Option<f64> {
        let fits = |size: &f64| text_width(self.text(chance), *size) + 3.0 < width;
        SIZES
            .into_iter()
            .find(|size| fits(size) && size + 1.0 <= height)
    }
}

/// Draws the field, with its margins if it has any; returns the height of the picture.
pub(super) fn draw(chart: &Chart, picture: &Picture, margins: Option<&Margins>) -> (Canvas, f64) {
    let canvas = Canvas::new(picture.width);
    let lanes = Lanes::of(chart, picture);
    // The columns of a picture are about its rules.
    let has_ends = matches!(chart.along, Along::Values { .. }) && margins.is_none();
    let notes = notes(chart, picture, margins, has_ends);
    let around = if margins.is_some() { MARGINS } else { 0.0 };
    let above = picture.head(&canvas) + around.max(ABOVE);
    let head = above + lanes.height();
    let foot = BELOW + Note::height(&notes);
    let names = chart.names();
    let shown = fitting_names(&names, LABEL.size, LONGEST_OF_ROW);
    let widest_name = widest(names.iter().chain(margins.map(|it| &it.name)), LABEL.size);
    let left = MARGIN + widest_name.min(LONGEST_OF_ROW) + 10.0;
    let ends = picture.columns.iter().filter(|_| has_ends);
    let ends: f64 = ends.map(Column::width).sum();
    let across = gaps(chart.bins.iter().map(|bin| bin.is_far));
    let down = gaps(chart.series.iter().map(|series| series.is_far));
    let last = |gaps: &[f64]| gaps.last().copied().unwrap_or(0.0);
    let room = picture.width - MARGIN - around - ends - left - last(&across);
    let most = if margins.is_some() {
        WIDEST_PAIR
    } else {
        WIDEST
    };
    let (columns, rows) = (chart.bins.len().max(1) as f64, names.len().max(1) as f64);
    let width = (room / columns).min(most);
    let height = match margins {
        Some(_) if picture.height.is_none() && names.len() > MANY_ROWS => (width * FLAT).max(10.0),
        // Outlines need room around the numbers.
        Some(margins) if picture.height.is_none() => {
            (width * FLAT).max(15.0 + 5.0 * margins.asked.len() as f64)
        }
        _ => picture.pitch(rows, [head, foot], HEIGHTS),
    };
    let size = (width * columns + last(&across), height * rows + last(&down));
    let area = Rect::between((left, head), (left + size.0, head + size.1));
    let places = Places {
        area,
        left: &across,
        top: &down,
        width,
        height,
    };
    let highest = chart.all().map(|chance| chance.share).fold(0.0, f64::max);
    let room = places.room();
    let form = FORMS.into_iter().find(|form| {
        let mut large = chart.all().filter(|it| it.share >= highest * LARGE);
        large.all(|chance| form.size(chance, room).is_some())
    });
    let heading = match form {
        Some(form) if !form.has_sign => format!("{}, in percent", chart.name_of_chances),
        _ => chart.name_of_chances.clone(),
    };
    let y = above - around.max(ABOVE) + ABOVE / 2.0 - 3.0;
    canvas.text(&heading, (MARGIN, y), Anchor::Start, SMALL);
    if has_ends {
        picture.headings(&canvas, area.right, y);
    }
    let axes = [Axis::new(0.0, size.0), Axis::new(size.1, 0.0)];
    let mut field = canvas.field(area, axes, Grid::None, "");
    for (row, name) in names.iter().enumerate() {
        let middle = places.cell(0, row).middle().1;
        if margins.is_none() {
            let place = (left - 10.0, middle);
            canvas.row_name((&shown[row], name), place, height, LONGEST_OF_ROW);
        }
        if has_ends {
            picture.ends(&canvas, row, (area.right, middle));
        }
        row_of_cells(&canvas, &mut field, (chart, row), &places, form);
    }
    let x = |at: f64| {
        let here = chart.bins.iter().position(|bin| at <= bin.edges[1]);
        here.map_or(area.right, |column| {
            let bin = &chart.bins[column];
            let part = ((at - bin.edges[0]) / bin.width()).max(0.0);
            places.cell(column, 0).left + part * width
        })
    };
    lanes.draw(&canvas, area, x, &[]);
    breaks(&canvas, chart, &places);
    if let Some(margins) = margins {
        margins.draw(&canvas, &places, &shown);
    }
    labels(
        &canvas,
        chart,
        &places,
        margins.map_or(0, |margins| margins.rounds[0]),
    );
    let name = fitting(&chart.name, SMALL.size, size.0.max(120.0));
    let place = (area.middle().0, area.bottom + 33.0);
    canvas.text_if_free(&name, place, Anchor::Middle, SMALL);
    if margins.is_none() || form.is_none() {
        key(
            &canvas,
            highest,
            (area.right + ends + around, area.bottom + 33.0),
        );
    }
    canvas.notes(&notes, area.bottom + BELOW);
    (canvas, area.bottom + foot)
}

/// The notes below the cells.
fn notes(chart: &Chart, picture: &Picture, margins: Option<&Margins>, has_ends: bool) -> Vec<Note> {
    let remarks = picture.remarks.iter().filter(|_| has_ends);
    let mut notes = picture.notes(remarks.chain(&chart.notes));
    for (index, (words, _)) in margins.iter().flat_map(|it| &it.asked).enumerate() {
        notes.push(Note::on(Key::Outline(index), words));
    }
    notes
}

/// Draws the breaks before columns and rows that are far from those before.
fn breaks(canvas: &Canvas, chart: &Chart, places: &Places) {
    for (column, _) in chart.bins.iter().enumerate().filter(|(_, bin)| bin.is_far) {
        let x = places.cell(column, 0).left - BREAK / 2.0;
        canvas.axis_break((x, places.area.bottom), true);
    }
    for (row, _) in chart.series.iter().enumerate().filter(|(_, it)| it.is_far) {
        let y = places.cell(0, row).top - BREAK / 2.0;
        canvas.row_break((places.area.left, y));
    }
}

/// Draws the cells of a series, with their percentages in a form, if they have any.
fn row_of_cells(
    canvas: &Canvas,
    field: &mut Field,
    (chart, row): (&Chart, usize),
    places: &Places,
    form: Option<Form>,
) {
    let highest = chart.all().map(|chance| chance.share).fold(0.0, f64::max);
    let cells = [false, true].into_iter();
    let cells = cells.flat_map(|beside| chart.drawn(row, beside));
    field.draw(cells.clone().map(|(column, bin, chance)| {
        let rect = places.cell(column, row);
        let [a, b] = [(rect.left, rect.top), (rect.right, rect.bottom)]
            .map(|(x, y)| (x - places.area.left, y - places.area.top));
        let look = Look::new("cell", Role::Heat, chart.words(row, bin, chance));
        Mark::rect(a, b, look.with_opacity(shade(chance, highest)))
    }));
    for (column, _, chance) in cells {
        // The lightest cells of values speak for themselves.
        let is_seen = chance.share > 0.0 && !chance.label.starts_with('<');
        let sized = form.and_then(|form| Some((form, form.size(chance, places.room())?)));
        if let Some((form, size)) = sized.filter(|_| chart.questions.is_some() || is_seen) {
            let is_dark = chance.share > highest * DARK;
            let role = if is_dark { Role::Ground } else { Role::Ink };
            let font = Font {
                size,
                role,
                ..SMALL
            };
            let place = places.cell(column, row).middle();
            canvas.text_if_free(form.text(chance), place, Anchor::Middle, font);
        }
    }
}

/// The labels of the columns: those of mass beside the axis, and as many others as fit evenly, after so many that are no round values.
fn labels(canvas: &Canvas, chart: &Chart, places: &Places, skipped: usize) {
    let y = places.area.bottom + 14.0;
    let place = |column: usize| (places.cell(column, 0).left + places.width / 2.0, y);
    let labels: Vec<String> = chart.bins.iter().map(|bin| bin.label.clone()).collect();
    if matches!(chart.along, Along::Names) {
        let middles = (0..labels.len()).map(|column| place(column).0);
        return canvas.names_below(&labels, &middles.collect::<Vec<_>>(), y, places.width);
    }
    let columns = |is_beside: bool| {
        let columns = chart.bins.iter().enumerate();
        columns.filter(move |(_, bin)| bin.is_beside == is_beside)
    };
    let widest = widest(columns(false).map(|(_, bin)| &bin.label), LABEL.size);
    let every = round_step(((widest + APART) / places.width).max(1.0)) as usize;
    let along = columns(false).skip(skipped % every).step_by(every);
    for (column, bin) in columns(true).chain(along) {
        // The last label may reach the edge of the picture.
        canvas.text_if_free(&bin.label, place(column), Anchor::Middle, LABEL);
    }
}

/// The places of cells.
struct Places<'a> {
    area: Rect,
    /// The space of all breaks up to each column, and up to each row.
    left: &'a [f64],
    top: &'a [f64],
    width: f64,
    height: f64,
}

impl Places<'_> {
    /// The width and the height of a cell.
    fn room(&self) -> [f64; 2] {
        [self.width - 1.0, self.height - 1.0]
    }

    fn cell(&self, column: usize, row: usize) -> Rect {
        let gap = |gaps: &[f64], place: usize| gaps.get(place).copied().unwrap_or(0.0);
        let left = self.area.left + column as f64 * self.width + gap(self.left, column);
        let top = self.area.top + row as f64 * self.height + gap(self.top, row);
        Rect::between(
            (left, top),
            (left + self.width - 1.0, top + self.height - 1.0),
        )
    }

    /// The outline around cells, this far within them: a line along each side of a cell on which no other of the cells is.
    fn outline(&self, cells: &BTreeSet<(usize, usize)>, inset: f64) -> Vec<Vec<Point>> {
        let has = |(column, row): (usize, usize), (right, down): (isize, isize)| {
            let cell = (
                column.checked_add_signed(right),
                row.checked_add_signed(down),
            );
            matches!(cell, (Some(column), Some(row)) if cells.contains(&(column, row)))
        };
        let sides = [(-1, 0), (0, -1), (1, 0), (0, 1)];
        let all = cells
            .iter()
            .flat_map(|cell| sides.map(|side| (*cell, side)));
        let open = all.filter(|(cell, side)| !has(*cell, *side));
        let lines = open.map(|(cell, (right, down))| {
            let (x, y) = self.cell(cell.0, cell.1).middle();
            let (half, high) = (self.width / 2.0, self.height / 2.0);
            // Where the outline goes on along the next cell, or turns around it, the line ends at the edge of the cell, or beyond.
            [-1, 1]
                .map(|way| {
                    let along = (down * way, right * way);
                    let turn = (along.0 + right, along.1 + down);
                    let beyond = match (has(cell, along), has(cell, turn)) {
                        (false, _) => -inset,
                        (true, false) => 0.0,
                        (true, true) => inset,
                    };
                    let place = |across: isize, along: isize, half: f64| {
                        across as f64 * (half - inset) + along as f64 * (half + beyond)
                    };
                    (
                        x + place(right, along.0, half),
                        y + place(down, along.1, high),
                    )
                })
                .to_vec()
        });
        lines.collect()
    }
}

impl Margins {
    /// Draws the distributions of both parts, as bars above and on the right of the cells, the labels of the rows, and the outlines.
    fn draw(&self, canvas: &Canvas, grid: &Places, rows: &[String]) {
        let area = grid.area;
        canvas.line(
            (area.left, area.top),
            (area.left, area.bottom),
            1.2,
            Role::Axis,
        );
        let room = grid.width.min(grid.height) / 2.0 - OUTLINE;
        let others = self.asked.len().saturating_sub(1).max(1) as f64;
        let step = (room / others).clamp(0.0, NEXT_OUTLINE);
        let outlines = self.asked.iter().enumerate();
        let outlines = outlines.map(|(index, (_, cells))| grid.outline(cells, index as f64 * step));
        let outlines: Vec<Vec<Vec<Point>>> = outlines.collect();
        for lines in &outlines {
            canvas.put(Mark::lines(lines, EDGE, "", Look::plain(Role::Ground)));
        }
        for (lines, dash) in outlines.iter().zip(OUTLINES) {
            let look = Look::new("asked", Role::Ink, "");
            canvas.put(Mark::lines(lines, OUTLINE, dash, look));
        }
        for (part, cells) in self.parts.iter().enumerate() {
            let shares = cells.iter().map(|(chance, _)| chance.share);
            let highest = shares.fold(f64::MIN_POSITIVE, f64::max);
            let seen = cells.iter().enumerate();
            let seen = seen.filter(|(_, (chance, _))| chance.share > 0.0);
            let bars = seen.map(|(place, (chance, words))| {
                let length = (chance.share / highest * LONGEST_BAR).max(0.8);
                let (bar, at, anchor) = if part == 0 {
                    let cell = grid.cell(place, 0);
                    let (cell, bottom) = (cell.wider(cell.width() * -0.12), area.top - 6.0);
                    let top = bottom - length;
                    let bar = Rect::between((cell.left, top), (cell.right, bottom));
                    (bar, (cell.middle().0, top - 9.0), Anchor::Middle)
                } else {
                    let (cell, left) = (grid.cell(0, place), area.right + 6.0);
                    let middle = (left + length / 2.0, cell.middle().1);
                    let bar = Rect::around(middle, length, cell.height() * 0.76);
                    (bar, (bar.right + 5.0, middle.1), Anchor::Start)
                };
                canvas.put(Mark::of(bar, Look::new("bar", roles(1)[0], words.clone())));
                (chance, at, anchor)
            });
            let mut labels: Vec<(&Chance, Point, Anchor)> = bars.collect();
            // High bars have their percentages first.
            labels.sort_by(|(a, ..), (b, ..)| b.share.total_cmp(&a.share));
            for (chance, at, anchor) in labels {
                if !canvas.text_if_free(&chance.label, at, anchor, TINY) {
                    break;
                }
            }
        }
        let every = round_step((LINE / grid.height).max(1.0)) as usize;
        for row in (0..rows.len()).skip(self.rounds[1] % every).step_by(every) {
            let place = (area.left - 8.0, grid.cell(0, row).middle().1);
            canvas.text_if_free(&rows[row], place, Anchor::End, LABEL);
        }
        let name = fitting(&self.name, SMALL.size, area.left - MARGIN);
        let place = (area.left - 8.0, area.top - 12.0);
        canvas.text(&name, place, Anchor::End, SMALL);
    }
}

/// The space of all breaks up to each row or column.
fn gaps(are_far: impl Iterator<Item = bool>) -> Vec<f64> {
    let gaps = are_far.scan(0.0, |gap, is_far| {
        *gap += if is_far { BREAK } else { 0.0 };
        Some(*gap)
    });
    gaps.collect()
}

/// The opacity of a cell: lighter than its part of the highest share, so that low shares differ, and nothing for no share.
fn shade(chance: &Chance, highest: f64) -> f64 {
    if chance.share > 0.0 {
        0.03 + 0.87 * chance.share / highest
    } else {
        0.0
    }
}

/// A key to the shades, which ends at a point.
fn key(canvas: &Canvas, highest: f64, (right, y): Point) {
    if highest <= 0.0 {
        return;
    }
    let label = percent_label(highest, round_step(highest / 100.0));
    let width = text_width(&label, SMALL.size) + 6.0;
    let from = right - width - SHADES as f64 * 16.0;
    if !canvas.text_if_free(&label, (right, y), Anchor::End, SMALL)
        || !canvas.text_if_free("0%", (from - 6.0, y), Anchor::End, SMALL)
    {
        return;
    }
    for index in 0..SHADES {
        let middle = (from + index as f64 * 16.0 + 7.5, y);
        let part = index as f64 / (SHADES - 1) as f64;
        let look = Look::plain(Role::Heat).with_opacity(0.03 + 0.87 * part);
        canvas.put(Mark::of(Rect::around(middle, 15.0, 12.0), look));
    }
}
