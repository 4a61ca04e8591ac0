//! Draws answers as a PNG: the picture of [`svg`](super::svg) as a bitmap, on a light ground.
//!
//! The fonts are those of the machine. If the machine has no font for a character, a font that comes with the program is used.

use std::io;
use std::sync::{Arc, OnceLock};

use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};

use super::{Report, Style, picture};

/// Families without serifs that have the signs of mathematics, the best known first; the last comes with the program.
const FAMILIES: [&str; 8] = [
    "DejaVu Sans",
    "Noto Sans",
    "Segoe UI",
    "Helvetica Neue",
    "Arial",
    "Liberation Sans",
    "Ubuntu",
    "Ubuntu Light",
];

/// The largest number of pixels of a bitmap.
const MOST_PIXELS: u64 = 100_000_000;

/// Writes all rules as one PNG. [`Style::scale`] says how large it is.
///
/// # Errors
///
/// The errors of writing to `out`, and a picture that is too large for a bitmap.
///
/// # Examples
///
/// ```
/// use dicedist::report::{self, Answered, Report, Style};
/// use dicedist::Dist;
///
/// let coin: Dist = Dist::uniform(0..=1);
/// let coin = Answered::new("coin", coin);
/// let mut png = Vec::new();
/// report::png::write(&Report::of(&[coin]), &Style::default(), &mut png)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut impl io::Write) -> io::Result<()> {
    let svg = without_dark_colours(&picture::svg(report, style)?);
    let fonts = fonts();
    let options = Options {
        fontdb: Arc::clone(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(&svg, &options).map_err(io::Error::other)?;
    let size = tree.size().to_int_size();
    let sides = [size.width(), size.height()].map(|side| side.saturating_mul(style.scale));
    let pixels = u64::from(sides[0]) * u64::from(sides[1]);
    let bitmap = Pixmap::new(sides[0], sides[1]).filter(|_| pixels <= MOST_PIXELS);
    let Some(mut bitmap) = bitmap else {
        let [width, height] = sides;
        return Err(io::Error::other(format!(
            "a bitmap of {width} by {height} pixels is too large; a lower scale makes it smaller, and SVG has any size"
        )));
    };
    let scale = f32::from(u16::try_from(style.scale).unwrap_or(u16::MAX));
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut bitmap.as_mut(),
    );
    let png = bitmap.encode_png().map_err(io::Error::other)?;
    out.write_all(&png)
}

/// The picture without its style sheet, whose custom properties are for browsers. Each shape has the colour of a light page as well.
fn without_dark_colours(svg: &str) -> String {
    let style = svg.split_once("<style>");
    let parts = style.and_then(|(head, rest)| Some((head, rest.split_once("</style>")?.1)));
    parts.map_or_else(|| svg.to_owned(), |(head, body)| format!("{head}{body}"))
}

/// The fonts of the machine and of the program. They are looked for once.
fn fonts() -> &'static Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    FONTS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        fonts.load_font_data(UBUNTU_LIGHT.to_vec());
        fonts.load_font_data(HACK_REGULAR.to_vec());
        let known = FAMILIES.into_iter().find(|family| {
            let families = &[Family::Name(family)];
            let query = Query {
                families,
                ..Query::default()
            };
            fonts.query(&query).is_some()
        });
        fonts.set_sans_serif_family(known.unwrap_or("Ubuntu Light"));
        Arc::new(fonts)
    })
}
