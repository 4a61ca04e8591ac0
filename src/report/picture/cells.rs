//! A field of cells, each as dark as its chance is high: a row for each of many series and a column for each bin. The values of the parts
//! of a record have the distribution of each part at the margin.

use std::collections::BTreeSet;

use super::chance::Told;
use super::chart::{Along, Chart};
use super::field::Canvas;
use super::frame::{ABOVE, Around, BEFORE, BREAK, LONGEST_OF_ROW, MARGIN, Note};
use super::lanes::Lanes;
use super::mark::{Anchor, LEAST_BAR, Look, Mark, Point, Rect};
use super::means::dotted;
use super::names::fitting_names;
use super::numbers::{percent_label, round_step};
use super::palette::{Role, roles};
use super::text::{Font, LABEL, SMALL, TINY, fitting, text_width, widest};
use super::words::{Column, Picture};

/// The least and the largest height of a cell, and the space of a break between rows as a part of it.
const HEIGHTS: [f64; 2] = [15.0, 46.0];
const BREAK_OF_ROWS: f64 = 0.9;

/// The greatest width of a cell of pairs, its height as a part of the width, and the most rows of which each has room for a number.
const WIDEST_PAIR: f64 = 76.0;
const FLAT: f64 = 0.6;
const MANY_ROWS: usize = 30;

/// The space for the distributions of parts, above and on the right, and the length of the longest bar.
const MARGINS: f64 = 92.0;
const LONGEST_BAR: f64 = MARGINS - 46.0;

/// The strokes of the outlines around what several conditions are about.
const OUTLINES: [&str; 3] = ["", "6 3", "1.5 3"];

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

/// The space below the cells without the notes.
const BELOW: f64 = 24.0 + 18.0;

/// The shades of the key.
const SHADES: usize = 5;

/// What stands around the pairs of values of the parts of a record.
pub(super) struct Margins {
    /// What the rows are.
    pub(super) name: String,
    /// The distribution of the columns, and that of the rows, with the texts beside the pointer.
    pub(super) parts: [Vec<(Told, String)>; 2],
    /// The number of columns, and of rows, before the first round value.
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

impl Form {
    /// All forms, the widest first.
    fn all() -> impl Iterator<Item = Self> {
        [true, false]
            .into_iter()
            .flat_map(|has_sign| [false, true].map(|is_whole| Self { is_whole, has_sign }))
    }

    fn text(self, chance: &Told) -> &str {
        let text = if self.is_whole {
            &chance.whole
        } else {
            &chance.label
        };
        if self.has_sign {
            text
        } else {
            text.trim_end_matches('%')
        }
    }

    /// The size of the percentage in a cell of this width and height; `None` if there is no room for it.
    fn size(self, chance: &Told, [width, height]: [f64; 2]) -> Option<f64> {
        let fits = |size: &f64| text_width(self.text(chance), *size) + 3.0 < width;
        SIZES
            .into_iter()
            .find(|size| fits(size) && size + 1.0 <= height)
    }
}

/// Draws the field, with its margins if it has any.
pub(super) fn draw(chart: &Chart, picture: &Picture, margins: Option<&Margins>) -> Canvas {
    let canvas = Canvas::new(picture.width);
    let lanes = Lanes::of(chart, picture);
    let names = chart.names();
    // The columns stand for rules.
    let has_ends = matches!(chart.along, Along::Values { .. }) && margins.is_none();
    let columns = if has_ends { &picture.columns[..] } else { &[] };
    let highest = chart.all().map(|chance| chance.share).fold(0.0, f64::max);
    let form_of = |room: [f64; 2]| {
        Form::all().find(|form| {
            let mut large = chart.all().filter(|it| it.share >= highest * LARGE);
            large.all(|chance| form.size(chance, room).is_some())
        })
    };
    let left = widest(names.iter().chain(margins.map(|it| &it.name)), LABEL.size);
    let left = left.min(LONGEST_OF_ROW);
    let lefts = starts(chart.bins.iter().map(|bin| bin.is_far), BREAK);
    let starts = starts(chart.series.iter().map(|it| it.is_far), BREAK_OF_ROWS);
    let last = |starts: &[f64]| starts.last().copied().unwrap_or(0.0);
    let ends: f64 = columns.iter().map(Column::width).sum();
    let around = margins.map_or(0.0, |_| MARGINS);
    let room = picture.width - 2.0 * MARGIN - BEFORE - left - ends - around - last(&lefts);
    let count = chart.bins.len().max(1) as f64;
    let width = (room / count).min(margins.map_or(f64::INFINITY, |_| WIDEST_PAIR));
    let heights = match margins {
        Some(_) if names.len() > MANY_ROWS => [(width * FLAT).max(10.0); 2],
        // Outlines need room around the numbers.
        Some(margins) => [(width * FLAT).max(15.0 + 5.0 * margins.asked.len() as f64); 2],
        None => HEIGHTS,
    };
    let rows = last(&starts) + names.len().max(1) as f64;
    let starts: Vec<f64> = starts
        .iter()
        .enumerate()
        .map(|(row, gap)| row as f64 + gap)
        .collect();
    let caption = match form_of([width - 1.0, heights[0]]) {
        Some(form) if !form.has_sign => format!("{}, in percent", chart.name_of_chances),
        _ => chart.name_of_chances.clone(),
    };
    let around = Around {
        caption: &caption,
        names: if margins.is_some() { &[] } else { &names },
        columns,
        rows: Some((rows, heights)),
        starts: &starts,
        above: (around - ABOVE).max(0.0) + lanes.height(),
        left,
        right: around + room - width * count,
        below: BELOW,
        notes: notes(chart, picture, margins, has_ends),
        ..Around::default()
    };
    let area = picture.frame(&canvas, around);
    let height = area.height() / rows;
    let form = form_of([width - 1.0, height - 1.0]);
    let axis = [(area.left, area.bottom), (area.right, area.bottom)];
    canvas.put(Mark::line(axis, 1.2, Look::plain(Role::Axis)));
    let lefts = lefts.iter().enumerate();
    let places = Places {
        area,
        lefts: lefts
            .map(|(column, gap)| column as f64 * width + gap)
            .collect(),
        tops: starts.iter().map(|start| start * height).collect(),
        width,
        height,
    };
    for row in 0..names.len() {
        row_of_cells(&canvas, (chart, row), &places, highest, form);
    }
    for point in lanes.draw(&canvas, area, |at| places.along(chart, at)) {
        dotted(&canvas, point, area.bottom);
    }
    breaks(&canvas, chart, &places);
    if let Some(margins) = margins {
        margins.draw(
            &canvas,
            &places,
            &fitting_names(&names, LABEL.size, LONGEST_OF_ROW),
        );
    }
    labels(
        &canvas,
        chart,
        &places,
        margins.map_or(0, |margins| margins.rounds[0]),
    );
    if margins.is_none() || form.is_none() {
        key(
            &canvas,
            highest,
            (picture.width - MARGIN, area.bottom + 33.0),
        );
    }
    canvas
}

/// The notes below the cells.
fn notes(chart: &Chart, picture: &Picture, margins: Option<&Margins>, has_ends: bool) -> Vec<Note> {
    let remarks = picture.remarks.iter().filter(|_| has_ends);
    let mut notes = picture.notes(remarks.chain(&chart.notes));
    let asked = margins.iter().flat_map(|it| &it.asked);
    for ((words, _), dash) in asked.zip(OUTLINES) {
        let [a, b, c, d] = Rect::between((1.0, -6.0), (17.0, 6.0)).corners();
        let lines = [vec![a, b, c, d, a]];
        let mark = Mark::lines(&lines, OUTLINE, dash, Look::plain(Role::Ink));
        notes.push(Note::on(mark, words));
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
        let y = places.cell(0, row).top - places.height * BREAK_OF_ROWS / 2.0;
        canvas.row_break((places.area.left, y));
    }
}

/// The space of all breaks up to each row or column.
fn starts(are_far: impl Iterator<Item = bool>, space: f64) -> Vec<f64> {
    let starts = are_far.scan(0.0, |sum, is_far| {
        *sum += if is_far { space } else { 0.0 };
        Some(*sum)
    });
    starts.collect()
}

/// Draws the cells of a series, with their percentages in a form, if they have any.
fn row_of_cells(
    canvas: &Canvas,
    (chart, row): (&Chart, usize),
    places: &Places,
    highest: f64,
    form: Option<Form>,
) {
    for is_beside in [false, true] {
        for (column, bin, chance) in chart.drawn(row, is_beside) {
            let cell = places.cell(column, row);
            let look = Look::new("cell", Role::Heat, chart.words(row, bin, chance));
            let opacity = shade(chance.share / highest);
            canvas.put(Mark::of(cell, look.with_opacity(opacity)));
            // The lightest cells of values speak for themselves.
            let is_seen = chance.share > 0.0 && !chance.label.starts_with('<');
            let room = [places.width - 1.0, places.height - 1.0];
            let sized = form.and_then(|form| Some((form, form.size(chance, room)?)));
            if let Some((form, size)) = sized.filter(|_| chart.questions.is_some() || is_seen) {
                let is_dark = chance.share > highest * DARK;
                let role = if is_dark { Role::Ground } else { Role::Ink };
                let font = Font {
                    size,
                    role,
                    ..SMALL
                };
                canvas.text_if_free(form.text(chance), cell.middle(), Anchor::Middle, font);
            }
        }
    }
}

/// The name of the columns, and their labels: those of mass beside the axis, and as many others as fit evenly, after so many that are no round values.
fn labels(canvas: &Canvas, chart: &Chart, places: &Places, skipped: usize) {
    let area = places.area;
    let name = fitting(&chart.name, SMALL.size, area.width().max(120.0));
    let place = (area.middle().0, area.bottom + 33.0);
    canvas.text_if_free(&name, place, Anchor::Middle, SMALL);
    let y = area.bottom + 14.0;
    let place = |column: usize| (places.cell(column, 0).left + places.width / 2.0, y);
    if matches!(chart.along, Along::Names) {
        let labels = chart.bins.iter().map(|bin| bin.label.clone());
        let (labels, columns) = (labels.collect::<Vec<_>>(), 0..chart.bins.len());
        let middles: Vec<f64> = columns.map(|column| place(column).0).collect();
        return canvas.names_below(&labels, &middles, y, places.width);
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
struct Places {
    area: Rect,
    /// The space before each column, and above each row.
    lefts: Vec<f64>,
    tops: Vec<f64>,
    width: f64,
    height: f64,
}

impl Places {
    /// The place in pixels of a place along the axis of a chart.
    fn along(&self, chart: &Chart, at: f64) -> f64 {
        let here = chart.bins.iter().position(|bin| at <= bin.edges[1]);
        here.map_or(self.area.right, |column| {
            let bin = &chart.bins[column];
            let part = ((at - bin.edges[0]) / bin.width()).max(0.0);
            self.cell(column, 0).left + part * self.width
        })
    }

    fn cell(&self, column: usize, row: usize) -> Rect {
        let at = |starts: &[f64], place: usize| starts.get(place).copied().unwrap_or(0.0);
        let (left, top) = (
            self.area.left + at(&self.lefts, column),
            self.area.top + at(&self.tops, row),
        );
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
        let axis = [(area.left, area.top), (area.left, area.bottom)];
        canvas.put(Mark::line(axis, 1.2, Look::plain(Role::Axis)));
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
                let length = (chance.share / highest * LONGEST_BAR).max(LEAST_BAR);
                let (bar, at, anchor) = if part == 0 {
                    let (x, width) = (grid.cell(place, 0).middle().0, grid.width - 1.0);
                    let middle = (x, area.top - 6.0 - length / 2.0);
                    let bar = Rect::around(middle, width * 0.76, length);
                    (bar, (x, bar.top - 9.0), Anchor::Middle)
                } else {
                    let (y, left) = (grid.cell(0, place).middle().1, area.right + 6.0);
                    let middle = (left + length / 2.0, y);
                    let bar = Rect::around(middle, length, (grid.height - 1.0) * 0.76);
                    (bar, (bar.right + 5.0, y), Anchor::Start)
                };
                canvas.put(Mark::of(bar, Look::new("bar", roles(1)[0], words.clone())));
                (chance, at, anchor)
            });
            let mut labels: Vec<(&Told, Point, Anchor)> = bars.collect();
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

/// The opacity of a cell: lighter than its part of the highest share, so that low shares differ, and nothing for no share.
fn shade(part: f64) -> f64 {
    if part > 0.0 { 0.03 + 0.87 * part } else { 0.0 }
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
