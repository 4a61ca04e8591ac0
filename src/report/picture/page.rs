//! An SVG document as a backend of plotters.
//!
//! Coordinates of a backend are whole numbers, so a unit here is a tenth of a pixel. A colour of the palette becomes a class, by
//! which the style sheet colours the shape for a dark page, and an attribute, for viewers that know no custom properties.

use std::cell::{RefCell, RefMut};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::rc::Rc;

use plotters::element::Drawable;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::mark::{Anchor, Look, Mark, Point, Rect, Shape, UNITS, text_box};
use super::palette::{Role, style};
use super::text::{Font, text_width};
use crate::source::Shown;

/// The length of the data in the description, in characters.
const LONGEST_DATA: usize = 1_500;

/// A backend that writes on a page. Its height is known when the picture is complete; until then there is no end.
#[derive(Clone, Debug)]
pub(super) struct Svg(Rc<RefCell<Page>>);

/// The shapes and texts so far.
#[derive(Debug)]
pub(super) struct Page {
    width: f64,
    body: String,
    /// The boxes of the texts.
    taken: Vec<Rect>,
    /// The data in words: the titles of all marks.
    data: Vec<String>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A place in pixels.
fn pixels((x, y): BackendCoord) -> Point {
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}

/// The look of a shape that plotters draws by itself: a line of the grid or of an axis.
fn look(color: BackendColor) -> Look {
    Look::plain(Role::of(color.rgb)).with_opacity(color.alpha)
}

fn stroke(style: &impl BackendStyle) -> Shape {
    let width = f64::from(style.stroke_width()) / UNITS;
    Shape::Lines {
        lengths: Vec::new(),
        width,
        dash: String::new(),
    }
}

impl DrawingBackend for Svg {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        ((self.page().width * UNITS) as u32, 1 << 30)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    // Nothing of a picture is drawn pixel by pixel, which is how plotters would draw shapes that are no lines.
    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S) -> Drawn {
        self.draw_path([a, b], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<Point> = path.into_iter().map(pixels).collect();
        self.page()
            .draw(&stroke(style), &points, &look(style.color()));
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        place: BackendCoord,
    ) -> Drawn {
        let size = style.size() / UNITS;
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let (x, y) = pixels(place);
        let down = match style.anchor().v_pos {
            VPos::Top => size / 2.0,
            VPos::Center => 0.0,
            VPos::Bottom => -size / 2.0,
        };
        let font = Font {
            size,
            bold: false,
            role: Role::of(style.color().rgb),
            edge: false,
        };
        self.page().text((text, text), (x, y + down), anchor, font);
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let size = style.size();
        Ok((text_width(text, size) as u32, size as u32))
    }
}

impl<C> Drawable<Svg> for Mark<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        backend: &mut Svg,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let points: Vec<Point> = points.map(pixels).collect();
        backend.page().draw(&self.shape, &points, &self.look);
        Ok(())
    }
}

impl Svg {
    /// An empty page of this width.
    pub(super) fn new(width: f64) -> Self {
        let page = Page {
            width,
            body: String::new(),
            taken: Vec::new(),
            data: Vec::new(),
        };
        Self(Rc::new(RefCell::new(page)))
    }

    pub(super) fn page(&self) -> RefMut<'_, Page> {
        self.0.borrow_mut()
    }
}

impl Page {
    pub(super) fn width(&self) -> f64 {
        self.width
    }

    /// The boxes of all texts so far.
    pub(super) fn taken(&self) -> &[Rect] {
        &self.taken
    }

    /// Whether a box lies within the picture and covers no text.
    pub(super) fn is_free(&self, place: &Rect) -> bool {
        let spaced = place.wider(2.0);
        spaced.left >= 0.0
            && spaced.right <= self.width
            && !self.taken.iter().any(|taken| taken.overlaps(&spaced))
    }

    /// A text on one line, centred vertically on its point. It may be cut; then a browser shows the whole text beside the pointer.
    pub(super) fn text(
        &mut self,
        (text, whole): (&str, &str),
        point: Point,
        anchor: Anchor,
        font: Font,
    ) {
        self.taken.push(text_box(text, point, anchor, font.size));
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
            let edge = "stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
            let ground = Role::Ground;
            (
                format!(" {}", ground.class("stroke")),
                format!(" stroke=\"{}\" {edge}", ground.light()),
            )
        } else {
            (String::new(), String::new())
        };
        let title = if text == whole {
            String::new()
        } else {
            format!("<title>{}</title>", escaped(whole))
        };
        // Letters and digits reach from the line up to about 0.7 of the size.
        let y = number(point.1 + font.size * 0.35);
        let _ = writeln!(
            self.body,
            "<text class=\"{}{ground}\" x=\"{}\" y=\"{y}\"{anchor} font-size=\"{}\"{weight} fill=\"{}\"{edge}>{title}{}</text>",
            font.role.class("fill"),
            number(point.0),
            number(font.size),
            font.role.light(),
            escaped(text)
        );
    }

    /// A shape with these points.
    pub(super) fn draw(&mut self, shape: &Shape, points: &[Point], look: &Look) {
        if points.is_empty() || look.opacity <= 0.0 && look.title.is_empty() {
            return;
        }
        let (element, paint) = match (shape, points) {
            (Shape::Hatch, &[a, b]) => return self.hatch(Rect::between(a, b), look),
            (Shape::Rect, &[a, b]) => {
                let rect = Rect::between(a, b);
                let [x, y, width, height] =
                    [rect.left, rect.top, rect.width(), rect.height()].map(number);
                (
                    format!("rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""),
                    "fill",
                )
            }
            (Shape::Circle(radius), &[(x, y)]) => {
                let [x, y, radius] = [x, y, *radius].map(number);
                (
                    format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""),
                    "fill",
                )
            }
            (
                Shape::Lines {
                    lengths,
                    width,
                    dash,
                },
                _,
            ) => {
                let mut path = String::new();
                let mut rest = points;
                for length in lengths.iter().copied().chain([points.len()]) {
                    let (line, others) = rest.split_at(length.min(rest.len()));
                    let line: Vec<String> = line.iter().copied().map(pair).collect();
                    if !line.is_empty() {
                        let space = if path.is_empty() { "" } else { " " };
                        let _ = write!(path, "{space}M{}", line.join(" "));
                    }
                    rest = others;
                }
                let dash = if dash.is_empty() {
                    String::new()
                } else {
                    format!(" stroke-dasharray=\"{dash}\"")
                };
                let width = number(*width);
                (
                    format!(
                        "path d=\"{path}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dash}"
                    ),
                    "stroke",
                )
            }
            _ => {
                let points: Vec<String> = points.iter().copied().map(pair).collect();
                (format!("polygon points=\"{}\"", points.join(" ")), "fill")
            }
        };
        self.element(&element, paint, look);
    }

    /// A hatched rectangle with an outline, for mass that is not at a single value.
    fn hatch(&mut self, rect: Rect, look: &Look) {
        let (width, height) = (rect.width(), rect.height());
        let corners = rect.corners();
        let mut points = vec![corners[3], corners[0], corners[1], corners[2], corners[3]];
        let mut lengths = vec![points.len()];
        let mut offset = 4.0;
        while offset < width + height {
            // The line x + y = offset, cut to the rectangle, with y upward from its lower edge.
            let (from, to) = (offset.min(width), offset.min(height));
            points.push((rect.left + from, rect.bottom - (offset - from)));
            points.push((rect.left + (offset - to), rect.bottom - to));
            lengths.push(2);
            offset += 5.0;
        }
        // The ground below the lines makes the whole rectangle one thing to point at.
        self.draw(
            &Shape::Rect,
            &[corners[0], corners[2]],
            &Look::plain(Role::Ground),
        );
        let lines = Shape::Lines {
            lengths,
            width: 1.1,
            dash: String::new(),
        };
        self.draw(&lines, &points, look);
    }

    fn element(&mut self, shape: &str, paint: &str, look: &Look) {
        let name = shape.split(' ').next().unwrap_or_default();
        let space = if look.class.is_empty() { "" } else { " " };
        let class = format!("{}{space}{}", look.class, look.role.class(paint));
        let hollow = if paint == "stroke" {
            " fill=\"none\""
        } else {
            ""
        };
        let opacity = if look.opacity < 1.0 {
            format!(" {paint}-opacity=\"{:.3}\"", look.opacity)
        } else {
            String::new()
        };
        let color = look.role.light();
        let _ = write!(
            self.body,
            "<{shape} class=\"{class}\"{hollow} {paint}=\"{color}\"{opacity}"
        );
        if look.title.is_empty() {
            self.body.push_str("/>\n");
        } else {
            let _ = writeln!(
                self.body,
                "><title>{}</title></{name}>",
                escaped(&look.title)
            );
            self.data.push(look.title.replace('\n', "; "));
        }
    }

    /// The whole document, with a title, and a description for people who cannot see it.
    pub(super) fn document(&self, height: f64, title: &str, about: &str) -> String {
        let mut description = about.to_owned();
        let mut length = 0;
        for (index, data) in self.data.iter().enumerate() {
            length += data.chars().count() + 2;
            if length > LONGEST_DATA {
                let _ = write!(description, " And {} more.", self.data.len() - index);
                break;
            }
            let is_last = index + 1 == self.data.len();
            let end = if is_last { "." } else { ";" };
            let _ = write!(description, " {data}{end}");
        }
        let (title, description) = (escaped(title), escaped(&description));
        // Pictures on one page have different ids, unless they are the same picture.
        let id = fingerprint(&[&title, &description, &self.body]);
        let (width, height) = (number(self.width), number(height.ceil()));
        let (ground, color) = (Role::Ground.class("fill"), Role::Ground.light());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dicedist\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title-{id} description-{id}\" \
             font-family=\"sans-serif\">\n\
             <title id=\"title-{id}\">{title}</title>\n<desc id=\"description-{id}\">{description}</desc>\n\
             <style>\n{}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" class=\"{ground}\" fill=\"{color}\"/>\n{}</svg>\n",
            style(),
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
    for character in Shown::from(text).to_string().chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
