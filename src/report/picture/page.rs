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
#[derive(Clone, Debug, Default)]
pub(super) struct Svg(Rc<RefCell<Page>>);

/// The shapes and texts so far.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) width: f64,
    pub(super) height: f64,
    /// What lies behind the data, and the rest.
    ground: String,
    body: String,
    /// The boxes of the texts.
    pub(super) taken: Vec<Rect>,
    /// The data in words: the titles of all marks.
    data: Vec<String>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A place in units.
pub(super) fn units((x, y): Point) -> BackendCoord {
    let [x, y] = [x, y].map(|place| (place * UNITS).round() as i32);
    (x, y)
}

/// A place in pixels.
pub(super) fn pixels((x, y): BackendCoord) -> Point {
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
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

    /// A line that plotters draws by itself: of the grid or of an axis.
    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<Point> = path.into_iter().map(pixels).collect();
        let BackendColor { alpha, rgb } = style.color();
        let shape = Shape::Lines {
            lengths: Vec::new(),
            width: f64::from(style.stroke_width()) / UNITS,
            dash: String::new(),
        };
        let look = Look::plain(Role::of(rgb)).with_opacity(alpha);
        self.page().draw(&shape, &points, &look);
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        place: BackendCoord,
    ) -> Drawn {
        let font = Font {
            size: style.size() / UNITS,
            bold: false,
            role: Role::of(style.color().rgb),
            edge: false,
        };
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let (x, y) = pixels(place);
        let down = match style.anchor().v_pos {
            VPos::Top => 0.5,
            VPos::Center => 0.0,
            VPos::Bottom => -0.5,
        };
        let point = (x, y + font.size * down);
        self.page().text((text, text), point, anchor, font);
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

impl Drawable<Svg> for Mark {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        backend: &mut Svg,
        _: (u32, u32),
    ) -> Drawn {
        let points: Vec<Point> = points.map(pixels).collect();
        backend.page().draw(&self.shape, &points, &self.look);
        Ok(())
    }
}

impl Svg {
    pub(super) fn page(&self) -> RefMut<'_, Page> {
        self.0.borrow_mut()
    }
}

/// The classes and the colours of what is painted: filled, or drawn as lines.
fn painted(class: &str, paints: &[(&str, Role)]) -> String {
    let (mut classes, mut colors) = (class.to_owned(), String::new());
    for (paint, role) in paints {
        let space = if classes.is_empty() { "" } else { " " };
        let _ = write!(classes, "{space}{}", role.class(paint));
        let _ = write!(colors, " {paint}=\"{}\"", role.light());
    }
    format!("class=\"{classes}\"{colors}")
}

impl Page {
    /// Puts all that was drawn so far behind the data.
    pub(super) fn settle(&mut self) {
        let body = std::mem::take(&mut self.body);
        self.ground.push_str(&body);
    }

    /// Draws a mark behind the data.
    pub(super) fn behind(&mut self, mark: &Mark) {
        let body = std::mem::take(&mut self.body);
        self.draw(&mark.shape, &mark.points, &mark.look);
        self.settle();
        self.body = body;
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
        let paints = [("fill", font.role), ("stroke", Role::Ground)];
        let (paints, edge) = if font.edge {
            let edge = " stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
            (&paints[..], edge)
        } else {
            (&paints[..1], "")
        };
        // Letters and digits reach from the line up to about 0.7 of the size.
        let [x, y, size] = [point.0, point.1 + font.size * 0.35, font.size].map(number);
        let paint = painted("", paints);
        let title = title(if text == whole { "" } else { whole });
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text {paint} x=\"{x}\" y=\"{y}\"{anchor} font-size=\"{size}\"{weight}{edge}>{title}{text}</text>",
        );
    }

    /// A shape with these points.
    pub(super) fn draw(&mut self, shape: &Shape, points: &[Point], look: &Look) {
        if points.is_empty() || look.opacity <= 0.0 && look.title.is_empty() {
            return;
        }
        let is_line = matches!(shape, Shape::Lines { .. });
        let (element, places) = match (shape, points) {
            (Shape::Hatch, &[a, b]) => return self.hatch(Rect::between(a, b), look),
            (Shape::Rect, &[a, b]) => {
                let rect = Rect::between(a, b);
                let sides = [rect.left, rect.top, rect.width(), rect.height()];
                let [x, y, width, height] = sides.map(number);
                let places = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
                ("rect", places)
            }
            (Shape::Circle(radius), &[(x, y)]) => {
                let [x, y, radius] = [x, y, *radius].map(number);
                let places = format!("cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
                ("circle", places)
            }
            (Shape::Lines { lengths, width, .. }, _) => {
                let mut rest = points;
                let lengths = lengths.iter().copied().chain([points.len()]);
                let lines = lengths.map(|length| {
                    let (line, others) = rest.split_at(length.min(rest.len()));
                    rest = others;
                    line
                });
                let lines = lines.filter(|line| !line.is_empty());
                let lines: Vec<String> = lines.map(|line| format!("M{}", pairs(line))).collect();
                let (lines, width) = (lines.join(" "), number(*width));
                let places =
                    format!("d=\"{lines}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"");
                ("path", places)
            }
            _ => ("polygon", format!("points=\"{}\"", pairs(points))),
        };
        let dash = match shape {
            Shape::Lines { dash, .. } if !dash.is_empty() => {
                format!(" stroke-dasharray=\"{dash}\"")
            }
            _ => String::new(),
        };
        let (paint, hollow) = if is_line {
            ("stroke", " fill=\"none\"")
        } else {
            ("fill", "")
        };
        let opacity = if look.opacity < 1.0 {
            format!(" {paint}-opacity=\"{:.3}\"", look.opacity)
        } else {
            String::new()
        };
        let paint = painted(look.class, &[(paint, look.role)]);
        let _ = write!(
            self.body,
            "<{element} {places}{dash} {paint}{hollow}{opacity}"
        );
        if look.title.is_empty() {
            self.body.push_str("/>\n");
        } else {
            let _ = writeln!(self.body, ">{}</{element}>", title(&look.title));
            self.data.push(look.title.replace('\n', "; "));
        }
    }

    /// A hatched rectangle with an outline, for mass that is not at a single value.
    fn hatch(&mut self, rect: Rect, look: &Look) {
        let (width, height) = (rect.width(), rect.height());
        let [a, b, c, d] = rect.corners();
        let (mut points, mut lengths) = (vec![d, a, b, c, d], vec![5]);
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
        self.draw(&Shape::Rect, &[a, c], &Look::plain(Role::Ground));
        let lines = Shape::Lines {
            lengths,
            width: 1.1,
            dash: String::new(),
        };
        self.draw(&lines, &points, look);
    }

    /// The whole document, with a title, and a description for people who cannot see it.
    pub(super) fn document(&self, title: &str, about: &str) -> String {
        let mut description = about.to_owned();
        let mut length = 0;
        for (index, data) in self.data.iter().enumerate() {
            length += data.chars().count() + 2;
            let rest = self.data.len() - index;
            if length > LONGEST_DATA {
                let _ = write!(description, " And {rest} more.");
                break;
            }
            let end = if rest == 1 { "." } else { ";" };
            let _ = write!(description, " {data}{end}");
        }
        let (title, description) = (escaped(title), escaped(&description));
        let body = format!("{}{}", self.ground, self.body);
        // Pictures on one page have different ids, unless they are the same picture.
        let id = fingerprint(&[&title, &description, &body]);
        let (width, height) = (number(self.width), number(self.height.ceil()));
        let (paint, style) = (painted("", &[("fill", Role::Ground)]), style());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dicedist\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title-{id} description-{id}\" \
             font-family=\"sans-serif\">\n\
             <title id=\"title-{id}\">{title}</title>\n<desc id=\"description-{id}\">{description}</desc>\n\
             <style>\n{style}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" {paint}/>\n{body}</svg>\n",
        )
    }
}

/// A length without a needless zero.
fn number(length: f64) -> String {
    let text = format!("{:.1}", length + 0.0);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.into()
}

fn pairs(points: &[Point]) -> String {
    let pair = |(x, y): &Point| format!("{},{}", number(*x), number(*y));
    points.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// The FNV-1a hash of the texts, in hexadecimal digits.
fn fingerprint(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// What a browser shows beside the pointer, if there is something to show.
fn title(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<title>{}</title>", escaped(text))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(mark: &Mark) -> String {
        let mut page = Page::default();
        page.draw(&mark.shape, &mark.points, &mark.look);
        page.body
    }

    #[test]
    fn places_are_tenths_of_pixels() {
        assert_eq!(
            [12.0, 0.25, 0.04, -0.04, -3.55].map(number),
            ["12", "0.2", "0", "0", "-3.5"]
        );
        let look = || Look::plain(Role::Grid);
        assert_eq!(pixels(units((0.04, 1.25))), (0.0, 1.3));
        assert_eq!(pixels((13, -5)), (1.3, -0.5));
        assert!(
            drawn(&Mark::rect([(5.0, 4.0), (1.0, 2.0)], look()))
                .starts_with("<rect x=\"1\" y=\"2\" width=\"4\" height=\"2\" class=\"fill-grid\" ")
        );
    }

    #[test]
    fn texts_and_titles_are_escaped() {
        assert_eq!(
            escaped("a<b> & \u{0}\u{202e}\"c\""),
            "a&lt;b&gt; &amp; \u{fffd}\u{fffd}\"c\""
        );
        let mark = Mark::circle((1.0, 1.0), 2.0, Look::new("dot", Role::Ink, "1 < 2"));
        let drawn = drawn(&mark);
        assert!(
            drawn.contains("class=\"dot fill-ink\" fill=\"#222222\""),
            "{drawn}"
        );
        assert!(
            drawn.ends_with("><title>1 &lt; 2</title></circle>\n"),
            "{drawn}"
        );
    }

    /// A shape without a colour that is seen is there only if it says something.
    #[test]
    fn what_nobody_sees_is_drawn_only_to_be_pointed_at() {
        let strip = |title: &str| Look::new("strip", Role::Ground, title).with_opacity(0.0);
        let corners = [(0.0, 0.0), (1.0, 1.0)];
        assert_eq!(drawn(&Mark::rect(corners, strip(""))), "");
        assert!(drawn(&Mark::rect(corners, strip("7: 1%"))).contains("fill-opacity=\"0.000\""));
    }

    #[test]
    fn documents_have_ids_of_their_content_and_what_is_behind_comes_first() {
        let page = |first: &str| {
            let mut page = Page::default();
            let dot =
                |words: &str| Mark::circle((0.0, 0.0), 1.0, Look::new("dot", Role::Ink, words));
            let mark = dot(first);
            page.draw(&mark.shape, &mark.points, &mark.look);
            page.behind(&dot("behind"));
            page.document("a & b", "About.")
        };
        let [one, other] = ["one", "other"].map(page);
        assert_eq!(one, page("one"));
        let id = |svg: &str| svg.split_once("title-").unwrap().1[..16].to_owned();
        assert_ne!(id(&one), id(&other));
        assert!(one.contains("About. one; behind.</desc>"), "{one}");
        assert!(one.find(">behind<") < one.find(">one<"));
    }
}
