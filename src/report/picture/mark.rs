//! Marks: shapes with a class and a title, as elements of plotters.

use plotters::element::PointCollection;

use super::palette::Role;
use super::text::text_width;

/// The units of a pixel.
pub(super) const UNITS: f64 = 10.0;

/// The least length of a bar in pixels.
pub(super) const LEAST_BAR: f64 = 0.8;

/// The opacity of what is not asked about.
const FADED: f64 = 0.35;

/// A point, in pixels from the upper left corner, or in the coordinates of a field.
pub(super) type Point = (f64, f64);

/// The horizontal position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// An upright rectangle, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rect {
    /// The rectangle with these opposite corners.
    pub(super) fn between(a: Point, b: Point) -> Self {
        Self {
            left: a.0.min(b.0),
            top: a.1.min(b.1),
            right: a.0.max(b.0),
            bottom: a.1.max(b.1),
        }
    }

    /// The rectangle of this size around a point.
    pub(super) fn around((x, y): Point, width: f64, height: f64) -> Self {
        let (half, low) = (width / 2.0, height / 2.0);
        Self::between((x - half, y - low), (x + half, y + low))
    }

    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn middle(&self) -> Point {
        let x = f64::midpoint(self.left, self.right);
        (x, f64::midpoint(self.top, self.bottom))
    }

    /// The corners, clockwise from the upper left one.
    pub(super) fn corners(&self) -> [Point; 4] {
        [
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        ]
    }

    /// The rectangle with this much space on both sides.
    pub(super) fn wider(&self, space: f64) -> Self {
        Self {
            left: self.left - space,
            right: self.right + space,
            ..*self
        }
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The least distance from points, which is 0 inside.
    pub(super) fn distance(&self, points: &[Point]) -> f64 {
        let all = points.iter().map(|(x, y)| {
            let across = (self.left - x).max(x - self.right).max(0.0);
            let down = (self.top - y).max(y - self.bottom).max(0.0);
            across.hypot(down)
        });
        all.fold(f64::INFINITY, f64::min)
    }

    /// Whether another rectangle lies within.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }
}

/// The estimated box of a text that is centred vertically on its point.
pub(super) fn text_box(text: &str, (x, y): Point, anchor: Anchor, size: f64) -> Rect {
    let width = text_width(text, size);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    Rect::between((left, y - size / 2.0), (left + width, y + size / 2.0))
}

/// The form of a mark, and what it takes besides its points.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A rectangle between two corners.
    Rect,
    /// A rectangle that is hatched.
    Hatch,
    Polygon,
    Circle(f64),
    /// Lines of one width as one shape: how many points each has, and the lengths that are drawn and left out in turn. The points that
    /// are left are one more line.
    Lines {
        lengths: Vec<usize>,
        width: f64,
        dash: String,
    },
}

/// What a shape stands for: its class, its colour, and the text that a browser shows beside the pointer.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) class: &'static str,
    pub(super) role: Role,
    pub(super) opacity: f64,
    pub(super) title: String,
}

impl Look {
    /// A shape that shows data.
    pub(super) fn new(class: &'static str, role: Role, title: impl Into<String>) -> Self {
        Self {
            class,
            role,
            opacity: 1.0,
            title: title.into(),
        }
    }

    /// A shape without data of its own.
    pub(super) fn plain(role: Role) -> Self {
        Self::new("", role, "")
    }

    pub(super) fn with_opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    /// In full colour, or faded, because it is not asked about.
    pub(super) fn full(self, is_full: bool) -> Self {
        self.with_opacity(if is_full { 1.0 } else { FADED })
    }
}

/// A shape at points of a coordinate system.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) points: Vec<Point>,
    pub(super) shape: Shape,
    pub(super) look: Look,
}

impl Mark {
    fn new(points: Vec<Point>, shape: Shape, look: Look) -> Self {
        Self {
            points,
            shape,
            look,
        }
    }

    pub(super) fn rect([a, b]: [Point; 2], look: Look) -> Self {
        Self::new(vec![a, b], Shape::Rect, look)
    }

    pub(super) fn of(rect: Rect, look: Look) -> Self {
        Self::rect([(rect.left, rect.top), (rect.right, rect.bottom)], look)
    }

    pub(super) fn polygon(points: Vec<Point>, look: Look) -> Self {
        Self::new(points, Shape::Polygon, look)
    }

    /// A circle with a radius in pixels.
    pub(super) fn circle(center: Point, radius: f64, look: Look) -> Self {
        Self::new(vec![center], Shape::Circle(radius), look)
    }

    /// Lines with a width in pixels, with the lengths of dashes and gaps.
    pub(super) fn lines(lines: &[Vec<Point>], width: f64, dash: &str, look: Look) -> Self {
        let shape = Shape::Lines {
            lengths: lines.iter().map(Vec::len).collect(),
            width,
            dash: dash.into(),
        };
        Self::new(lines.concat(), shape, look)
    }

    /// A line from one point to another.
    pub(super) fn line(ends: [Point; 2], width: f64, look: Look) -> Self {
        Self::lines(&[ends.to_vec()], width, "", look)
    }

    /// A rectangle that is hatched, if it `is_hatched`.
    pub(super) fn hatched(mut self, is_hatched: bool) -> Self {
        if is_hatched {
            self.shape = Shape::Hatch;
        }
        self
    }

    /// The mark with its origin at a point.
    pub(super) fn moved(mut self, (x, y): Point) -> Self {
        for point in &mut self.points {
            *point = (point.0 + x, point.1 + y);
        }
        self
    }
}

impl<'a> PointCollection<'a, Point> for &'a Mark {
    type Point = &'a Point;
    type IntoIter = std::slice::Iter<'a, Point>;

    fn point_iter(self) -> Self::IntoIter {
        self.points.iter()
    }
}
