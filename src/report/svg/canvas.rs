//! A canvas with lengths in pixels, rounded to a tenth of a pixel.
//!
//! plotters places everything on whole units, so the canvas has ten units in each pixel.

use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::palette::Color;

/// The number of plotters units in a pixel.
const UNITS: f64 = 10.0;

/// plotters divides font sizes by this when it writes them.
const FONT_FACTOR: f64 = 1.24;

/// The horizontal position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The size, weight and colour of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) color: Color,
}

/// A point, in pixels from the upper left corner.
pub(super) type Point = (f64, f64);

/// An upright rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

fn units(length: f64) -> i32 {
    (length * UNITS).round() as i32
}

fn place((x, y): Point) -> (i32, i32) {
    (units(x), units(y))
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}

impl<'a> Canvas<'a> {
    /// A white canvas of this size.
    pub(super) fn new(buffer: &'a mut String, width: f64, height: f64) -> io::Result<Self> {
        let size = (units(width).unsigned_abs(), units(height).unsigned_abs());
        let area = SVGBackend::with_string(buffer, size).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        Ok(Self { area })
    }

    /// Finishes the drawing.
    pub(super) fn finish(&self) -> io::Result<()> {
        self.area.present().map_err(failed)
    }

    pub(super) fn fill(&self, rect: Rect, color: Color) -> io::Result<()> {
        let corners = [
            place((rect.left, rect.top)),
            place((rect.right, rect.bottom)),
        ];
        let shape = Rectangle::new(corners, color.to_plotters().filled());
        self.area.draw(&shape).map_err(failed)
    }

    /// A hatched rectangle with an outline, for mass that is not at a single value.
    pub(super) fn hatch(&self, rect: Rect, color: Color) -> io::Result<()> {
        let (width, height) = (rect.right - rect.left, rect.bottom - rect.top);
        let mut offset = 4.0;
        while offset < width + height {
            // The line x + y = offset, cut to the rectangle, with y upward from its lower edge.
            let (from, to) = (offset.min(width), offset.min(height));
            let start = (rect.left + from, rect.bottom - (offset - from));
            let end = (rect.left + (offset - to), rect.bottom - to);
            self.line(&[start, end], color, 1.0)?;
            offset += 5.0;
        }
        let (left, right, top, bottom) = (rect.left, rect.right, rect.top, rect.bottom);
        let outline = [
            (left, bottom),
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
        ];
        self.line(&outline, color, 1.2)
    }

    pub(super) fn line(&self, points: &[Point], color: Color, width: f64) -> io::Result<()> {
        let points: Vec<(i32, i32)> = points.iter().map(|point| place(*point)).collect();
        let style = color
            .to_plotters()
            .stroke_width(units(width).unsigned_abs());
        self.area
            .draw(&PathElement::new(points, style))
            .map_err(failed)
    }

    /// A dashed line. `pattern` is the lengths, in pixels, that are drawn and left out in turn; an empty pattern is a solid line.
    pub(super) fn dashed(
        &self,
        points: &[Point],
        color: Color,
        width: f64,
        pattern: &[f64],
    ) -> io::Result<()> {
        if pattern.is_empty() {
            return self.line(points, color, width);
        }
        let mut index = 0;
        let mut left = pattern[0];
        let mut dash: Vec<Point> = points.first().copied().into_iter().collect();
        for pair in points.windows(2) {
            let (mut from, to) = (pair[0], pair[1]);
            loop {
                let length = (to.0 - from.0).hypot(to.1 - from.1);
                if length <= left {
                    left -= length;
                    dash.push(to);
                    break;
                }
                let part = left / length;
                from = (
                    from.0 + (to.0 - from.0) * part,
                    from.1 + (to.1 - from.1) * part,
                );
                dash.push(from);
                if index % 2 == 0 {
                    self.line(&dash, color, width)?;
                }
                dash = vec![from];
                index += 1;
                left = pattern[index % pattern.len()];
            }
        }
        if index % 2 == 0 && dash.len() > 1 {
            self.line(&dash, color, width)?;
        }
        Ok(())
    }

    pub(super) fn polygon(&self, points: &[Point], color: Color, opacity: f64) -> io::Result<()> {
        let points: Vec<(i32, i32)> = points.iter().map(|point| place(*point)).collect();
        let shape = Polygon::new(points, color.to_plotters().mix(opacity));
        self.area.draw(&shape).map_err(failed)
    }

    pub(super) fn circle(&self, center: Point, radius: f64, color: Color) -> io::Result<()> {
        let style = color.to_plotters().filled();
        let shape = Circle::new(place(center), units(radius), style);
        self.area.draw(&shape).map_err(failed)
    }

    /// A text on one line, centred vertically on its point.
    pub(super) fn text(
        &self,
        text: &str,
        point: Point,
        anchor: Anchor,
        font: Font,
    ) -> io::Result<()> {
        let horizontal = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let weight = if font.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        let style = FontDesc::new(
            FontFamily::SansSerif,
            font.size * UNITS * FONT_FACTOR,
            weight,
        )
        .color(&font.color.to_plotters())
        .pos(Pos::new(horizontal, VPos::Center));
        self.area
            .draw_text(text, &style, place(point))
            .map_err(failed)
    }
}

/// An estimate of the width of a text. The viewer chooses the font.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    crate::report::grid::display_width(text) as f64 * size * 0.6
}

/// A text cut to about this width.
pub(super) fn fitting(text: &str, size: f64, width: f64) -> String {
    let columns = (width / (size * 0.6)).max(1.0) as usize;
    crate::report::grid::truncated(text, columns)
}
