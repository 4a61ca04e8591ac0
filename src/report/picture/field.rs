//! A page with fields: each has two axes, a grid, and marks in the coordinates of the axes. plotters draws them.

use std::cell::RefMut;
use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::style::{FontFamily, ShapeStyle, TextStyle};

use super::mark::{Anchor, Look, Mark, Point, Rect, UNITS, text_box};
use super::page::{Page, Svg, pixels, units};
use super::palette::Role;
use super::text::{Font, LABEL, NOTE_LINE, SMALL, fitting};

/// The length of a tick, and the space below a field for the labels of values and their name.
const TICK: f64 = 4.0;
pub(super) const LABELS_HEIGHT: f64 = 44.0;
const NAME_END: f64 = 42.0;

/// The least distance of two labels along an axis.
const APART: f64 = 6.0;

/// Drawing on a page in memory cannot fail.
const IN_MEMORY: &str = "a page in memory takes every mark";

/// A page to draw on. Places are pixels.
pub(super) struct Canvas {
    svg: Svg,
    root: DrawingArea<Svg, Shift>,
}

impl Canvas {
    pub(super) fn new(width: f64) -> Self {
        let svg = Svg::default();
        svg.page().width = width;
        let root = svg.clone().into_drawing_area();
        Self { svg, root }
    }

    pub(super) fn page(&self) -> RefMut<'_, Page> {
        self.svg.page()
    }

    pub(super) fn width(&self) -> f64 {
        self.page().width
    }

    pub(super) fn put(&self, mark: Mark) {
        let points = mark.points.into_iter();
        let points: Vec<Point> = points.map(|point| pixels(units(point))).collect();
        self.page().draw(&mark.shape, &points, &mark.look);
    }

    pub(super) fn text(&self, text: &str, point: Point, anchor: Anchor, font: Font) {
        self.page().text((text, text), point, anchor, font);
    }

    /// Whether a box lies within the picture and covers no text, and none of these others.
    pub(super) fn is_free(&self, place: &Rect, others: &[Rect]) -> bool {
        let (page, spaced) = (self.page(), place.wider(2.0));
        let is_within = spaced.left >= 0.0 && spaced.right <= page.width;
        let mut taken = page.taken.iter().chain(others);
        is_within && !taken.any(|taken| taken.overlaps(&spaced))
    }

    /// Writes a text at the first of these places that is free, and returns whether there was one. A browser shows the whole text.
    pub(super) fn place(
        &self,
        texts: (&str, &str),
        places: &[(Point, Anchor)],
        font: Font,
        others: &[Rect],
    ) -> bool {
        let is_free = |(at, anchor): &&(Point, Anchor)| {
            self.is_free(&text_box(texts.0, *at, *anchor, font.size), others)
        };
        let place = places.iter().find(is_free);
        if let Some((at, anchor)) = place {
            self.page().text(texts, *at, *anchor, font);
        }
        place.is_some()
    }

    /// Writes a text if it covers no other text and does not leave the picture. Returns whether it was written.
    pub(super) fn text_if_free(&self, text: &str, at: Point, anchor: Anchor, font: Font) -> bool {
        self.place((text, text), &[(at, anchor)], font, &[])
    }

    /// A field between two axes, with its grid and labels, and the name of what is along the horizontal axis.
    pub(super) fn field(&self, area: Rect, [x, y]: [Axis; 2], grid: Grid, name: &str) -> Field {
        let units = |pixels: f64| (pixels * UNITS).round() as i32;
        let (_, height) = self.root.dim_in_pixel();
        let (own_x, own_y) = (x.clone(), y.clone());
        let mut chart = ChartBuilder::on(&self.root)
            .margin_top(units(area.top))
            .margin_right(units(self.width() - area.right))
            .margin_bottom(height.cast_signed() - units(area.bottom + NAME_END))
            .x_label_area_size(units(NAME_END))
            .y_label_area_size(units(area.left))
            .build_cartesian_2d(x, y)
            .expect(IN_MEMORY);
        let style = |role: Role, opacity: f64| ShapeStyle {
            color: role.with_opacity(opacity),
            filled: false,
            stroke_width: units(1.0).cast_unsigned(),
        };
        let colors = [LABEL, SMALL].map(|font| font.role.color());
        let [label, name_style] = [0, 1].map(|index| {
            let size = [LABEL, SMALL][index].size * UNITS;
            TextStyle::from((FontFamily::SansSerif, size)).color(&colors[index])
        });
        let mut mesh = chart.configure_mesh();
        mesh.max_light_lines(0)
            .set_all_tick_mark_size(units(TICK))
            .bold_line_style(style(Role::Grid, 1.0))
            .axis_style(style(Role::Axis, 0.0))
            .label_style(label)
            .axis_desc_style(name_style);
        match grid {
            Grid::Level => mesh.disable_x_mesh(),
            Grid::Upright => mesh.disable_y_mesh(),
        };
        if !name.is_empty() {
            mesh.x_desc(fitting(name, SMALL.size, area.width()));
        }
        mesh.draw().expect(IN_MEMORY);
        let field = Field {
            area,
            x: own_x,
            y: own_y,
            chart,
        };
        let lines = match grid {
            Grid::Upright => vec![vec![(area.left, area.top - 4.0), (area.left, area.bottom)]],
            Grid::Level => {
                let ticks = field.x.ticks.iter();
                let ticks = ticks.map(|(value, _)| field.pixel((*value, 0.0)).0);
                let ticks = ticks.map(|x| vec![(x, area.bottom), (x, area.bottom + TICK)]);
                let axis = vec![(area.left, area.bottom), (area.right, area.bottom)];
                [axis].into_iter().chain(ticks).collect()
            }
        };
        self.put(Mark::lines(&lines, 1.2, "", Look::plain(Role::Axis)));
        field
    }
}

/// The lines of a field: across it at the chances, or down at the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grid {
    Level,
    Upright,
}

/// An axis from one place to another, to scale. Values beside a break of the axis have places beyond its ends.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) from: f64,
    pub(super) to: f64,
    /// The places that have labels: values that exist, and columns beside the axis.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Axis {
    pub(super) fn new(from: f64, to: f64) -> Self {
        Self {
            from,
            to,
            ticks: Vec::new(),
        }
    }

    /// The axis with those of its ticks whose labels have room one above the other beside an area.
    pub(super) fn spaced(mut self, area: &Rect) -> Self {
        let pitch = area.height() / self.ticks.len().saturating_sub(1).max(1) as f64;
        let every = (NOTE_LINE / pitch).ceil().max(1.0) as usize;
        self.ticks = self.ticks.into_iter().step_by(every).collect();
        self
    }

    /// The place of a value between two ends.
    pub(super) fn place(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        low + (value - self.from) / (self.to - self.from) * (high - low)
    }

    /// The axis with those of these labels that do not cover one another between two ends, in a page of this width. The first have
    /// their places before others.
    pub(super) fn labelled(
        mut self,
        labels: impl IntoIterator<Item = (f64, String)>,
        ends: [f64; 2],
        width: f64,
    ) -> Self {
        let mut taken: Vec<Rect> = Vec::new();
        for (value, label) in labels {
            let place = (self.place(value, ends), 0.0);
            let own = text_box(&label, place, Anchor::Middle, LABEL.size);
            let is_within = own.left >= 2.0 && own.right <= width - 2.0;
            if is_within && !taken.iter().any(|other| other.overlaps(&own.wider(APART))) {
                taken.push(own);
                self.ticks.push((value, label));
            }
        }
        self
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let place = self.place(*value, [f64::from(low), f64::from(high)]);
        place.round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.from..self.to
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let mut ticks = self.ticks.iter();
        let tick = ticks.find(|(tick, _)| tick.total_cmp(value).is_eq());
        tick.map_or_else(String::new, |(_, label)| label.clone())
    }
}

/// A part of a page with coordinates of its own.
pub(super) struct Field {
    pub(super) area: Rect,
    pub(super) x: Axis,
    pub(super) y: Axis,
    chart: ChartContext<'static, Svg, Cartesian2d<Axis, Axis>>,
}

impl Field {
    /// Draws marks in the coordinates of the axes.
    pub(super) fn draw(&mut self, marks: impl IntoIterator<Item = Mark>) {
        self.chart.draw_series(marks).expect(IN_MEMORY);
    }

    /// The place of a point, in pixels.
    pub(super) fn pixel(&self, (x, y): Point) -> Point {
        let (across, up) = (
            [self.area.left, self.area.right],
            [self.area.bottom, self.area.top],
        );
        (self.x.place(x, across), self.y.place(y, up))
    }

    /// The horizontal place of a value, in pixels.
    pub(super) fn along(&self, x: f64) -> f64 {
        self.pixel((x, 0.0)).0
    }
}
