//! An SVG document under construction. Lengths are pixels, rounded to a tenth.
//!
//! Each shape has its colour twice: as an attribute, for viewers that know no custom properties, and as a class, by which
//! [`palette::STYLE`](super::palette) colours it for a dark page.

use std::fmt::Write as _;

use super::palette::{Role, style};
use super::text::{Font, text_width};
use crate::report::is_unprintable;

/// The length of the data in the description, in characters.
const LONGEST_DATA: usize = 1_500;

/// The horizontal position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
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

impl Rect {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The distance from a point, which is 0 inside.
    pub(super) fn distance(&self, (x, y): Point) -> f64 {
        let across = (self.left - x).max(x - self.right).max(0.0);
        let down = (self.top - y).max(y - self.bottom).max(0.0);
        across.hypot(down)
    }

    /// Whether another rectangle lies within.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }
}

/// What a shape stands for: its class, its colour, and the text that a browser shows beside the pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<'a> {
    kind: &'static str,
    role: Role,
    opacity: f64,
    title: &'a str,
}

impl<'a> Mark<'a> {
    /// A shape that shows data.
    pub(super) fn new(kind: &'static str, role: Role, title: &'a str) -> Self {
        Self {
            kind,
            role,
            opacity: 1.0,
            title,
        }
    }

    /// A shape without data of its own.
    pub(super) fn plain(role: Role) -> Self {
        Self::new("", role, "")
    }

    pub(super) fn with_opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
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
    Rect {
        left,
        top: y - size * 0.5,
        right: left + width,
        bottom: y + size * 0.5,
    }
}

#[derive(Debug)]
pub(super) struct Canvas {
    width: f64,
    body: String,
    /// The boxes of the texts so far.
    taken: Vec<Rect>,
    /// The data in words: the titles of all marks so far.
    data: Vec<String>,
}

impl Canvas {
    /// An empty canvas of this width. Its height is known when it is complete.
    pub(super) fn new(width: f64) -> Self {
        Self {
            width,
            body: String::new(),
            taken: Vec::new(),
            data: Vec::new(),
        }
    }

    pub(super) fn rect(&mut self, rect: Rect, mark: Mark) {
        let shape = format!(
            "rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            number(rect.left),
            number(rect.top),
            number(rect.width().max(0.0)),
            number(rect.height().max(0.0)),
        );
        self.filled(&shape, mark);
    }

    pub(super) fn circle(&mut self, (x, y): Point, radius: f64, mark: Mark) {
        let shape = format!(
            "circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
            number(x),
            number(y),
            number(radius)
        );
        self.filled(&shape, mark);
    }

    pub(super) fn polygon(&mut self, points: &[Point], mark: Mark) {
        let points: Vec<String> = points.iter().copied().map(pair).collect();
        self.filled(&format!("polygon points=\"{}\"", points.join(" ")), mark);
    }

    /// Lines of one colour and width, as one shape. `dash` is the lengths that are drawn and left out in turn; it is empty for
    /// solid lines.
    pub(super) fn lines(&mut self, lines: &[Vec<Point>], width: f64, dash: &str, mark: Mark) {
        let path: Vec<String> = lines
            .iter()
            .map(|line| {
                let points: Vec<String> = line.iter().copied().map(pair).collect();
                format!("M{}", points.join(" "))
            })
            .collect();
        let dash = if dash.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{dash}\"")
        };
        let shape = format!(
            "path d=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}",
            path.join(" "),
            number(width)
        );
        self.element(&shape, "stroke", mark);
    }

    pub(super) fn line(&mut self, from: Point, to: Point, width: f64, role: Role) {
        self.lines(&[vec![from, to]], width, "", Mark::plain(role));
    }

    /// A hatched rectangle with an outline, for mass that is not at a single value.
    pub(super) fn hatch(&mut self, rect: Rect, mark: Mark) {
        let (width, height) = (rect.width(), rect.height());
        let (left, right, top, bottom) = (rect.left, rect.right, rect.top, rect.bottom);
        let mut lines = vec![vec![
            (left, bottom),
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
        ]];
        let mut offset = 4.0;
        while offset < width + height {
            // The line x + y = offset, cut to the rectangle, with y upward from its lower edge.
            let (from, to) = (offset.min(width), offset.min(height));
            let start = (left + from, bottom - (offset - from));
            lines.push(vec![start, (left + (offset - to), bottom - to)]);
            offset += 5.0;
        }
        // The ground below the lines makes the whole rectangle one thing to point at.
        self.rect(rect, Mark::plain(Role::Ground));
        self.lines(&lines, 1.1, "", mark);
    }

    /// A text on one line, centred vertically on its point.
    pub(super) fn text(&mut self, text: &str, point: Point, anchor: Anchor, font: Font) {
        self.text_of((text, text), point, anchor, font);
    }

    /// A text that may be cut, and the whole text, which a browser shows beside the pointer.
    pub(super) fn text_of(
        &mut self,
        (text, whole): (&str, &str),
        point: Point,
        anchor: Anchor,
        font: Font,
    ) {
        self.taken.push(text_box(text, point, anchor, font.size));
        let (role, (x, y)) = (font.role, point);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if font.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let (ground, edge) = if font.edge {
            let edge = format!(
                " stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                Role::Ground.light()
            );
            (format!(" {}", Role::Ground.class("stroke")), edge)
        } else {
            (String::new(), String::new())
        };
        let title = if text == whole {
            String::new()
        } else {
            format!("<title>{}</title>", escaped(whole))
        };
        // Letters and digits reach from the line up to about 0.7 of the size.
        let y = number(y + font.size * 0.35);
        let _ = writeln!(
            self.body,
            "<text class=\"{}{ground}\" x=\"{}\" y=\"{y}\"{anchor} font-size=\"{}\"{weight} fill=\"{}\"{edge}>{title}{}</text>",
            role.class("fill"),
            number(x),
            number(font.size),
            role.light(),
            escaped(text)
        );
    }

    /// Writes a text if it covers no other and does not leave the picture; whether it did.
    pub(super) fn text_if_free(
        &mut self,
        text: &str,
        point: Point,
        anchor: Anchor,
        font: Font,
    ) -> bool {
        let is_free = self.is_free(&text_box(text, point, anchor, font.size));
        if is_free {
            self.text(text, point, anchor, font);
        }
        is_free
    }

    /// Whether a box lies within the picture and covers no text.
    pub(super) fn is_free(&self, place: &Rect) -> bool {
        let spaced = Rect {
            left: place.left - 2.0,
            right: place.right + 2.0,
            ..*place
        };
        place.left >= 2.0 && place.right <= self.width - 2.0 && !self.is_taken(&spaced)
    }

    /// The boxes of all texts so far, and others.
    pub(super) fn texts_and(&self, others: &[Rect]) -> Vec<Rect> {
        [&self.taken, others].concat()
    }

    /// Whether a box covers a text.
    pub(super) fn is_taken(&self, place: &Rect) -> bool {
        self.taken.iter().any(|taken| taken.overlaps(place))
    }

    fn filled(&mut self, shape: &str, mark: Mark) {
        self.element(shape, "fill", mark);
    }

    fn element(&mut self, shape: &str, paint: &str, mark: Mark) {
        let name = shape.split(' ').next().unwrap_or_default();
        let space = if mark.kind.is_empty() { "" } else { " " };
        let class = format!("{}{space}{}", mark.kind, mark.role.class(paint));
        let hollow = if paint == "stroke" {
            " fill=\"none\""
        } else {
            ""
        };
        let opacity = if mark.opacity < 1.0 {
            format!(" {paint}-opacity=\"{:.3}\"", mark.opacity)
        } else {
            String::new()
        };
        let color = mark.role.light();
        let _ = write!(
            self.body,
            "<{shape} class=\"{class}\"{hollow} {paint}=\"{color}\"{opacity}"
        );
        if mark.title.is_empty() {
            self.body.push_str("/>\n");
        } else {
            let title = escaped(mark.title);
            let _ = writeln!(self.body, "><title>{title}</title></{name}>");
            self.data.push(mark.title.replace('\n', "; "));
        }
    }

    /// The whole document, with a title, and a description for people who cannot see it.
    pub(super) fn into_document(self, height: f64, title: &str, about: &str) -> String {
        let mut description = about.to_owned();
        let mut length = 0;
        for (index, data) in self.data.iter().enumerate() {
            length += data.chars().count() + 2;
            if length > LONGEST_DATA {
                let _ = write!(description, " And {} more.", self.data.len() - index);
                break;
            }
            let end = if index + 1 == self.data.len() {
                "."
            } else {
                ";"
            };
            let _ = write!(description, " {data}{end}");
        }
        let (title, description) = (escaped(title), escaped(&description));
        // Pictures on one page have different ids, unless they are the same picture.
        let id = fingerprint(&[&title, &description, &self.body]);
        let (width, height) = (number(self.width), number(height.ceil()));
        let mut ground = Self::new(self.width);
        let whole = format!("rect width=\"{width}\" height=\"{height}\"");
        ground.filled(&whole, Mark::plain(Role::Ground));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dicedist\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title-{id} description-{id}\" \
             font-family=\"sans-serif\">\n\
             <title id=\"title-{id}\">{title}</title>\n<desc id=\"description-{id}\">{description}</desc>\n\
             <style>\n{}</style>\n{}{}</svg>\n",
            style(),
            ground.body,
            self.body,
        )
    }
}

/// A length without a needless zero.
fn number(length: f64) -> String {
    let text = format!("{:.1}", length + 0.0);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

fn pair((x, y): Point) -> String {
    format!("{},{}", number(x), number(y))
}

/// The FNV-1a hash of the texts, in hexadecimal digits.
fn fingerprint(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// A text for the content of an element. What XML has no place for becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\n' => escaped.push('\n'),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other if is_unprintable(other) => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_one_decimal_at_most() {
        let lengths = [0.0, -0.04, 1.25, 12.0, 3.06].map(number);
        assert_eq!(lengths, ["0", "0", "1.2", "12", "3.1"]);
    }

    #[test]
    fn what_xml_has_no_place_for_is_replaced() {
        assert_eq!(
            escaped("<a&b>\u{1b}\u{0}\n"),
            "&lt;a&amp;b&gt;\u{fffd}\u{fffd}\n"
        );
    }
}
