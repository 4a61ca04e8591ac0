//! Draws answers as an SVG picture.
//!
//! The viewer sets the text, and its width is only estimated, with room to spare. The same input gives the same bytes.
//!
//! - Each mark says beside the pointer of a browser what its value and its chance are. The description has the same in words.
//! - A page that is dark has colours of its own.

use std::io::{self, Write as _};

use super::strategy::PlannedRule;
use super::{Report, Style, picture};
use crate::source::Shown;

/// Writes all rules as one SVG document.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::Dist;
/// use dicedist::report::{self, Answered, Report, Style};
/// use dicedist::source::Shown;
///
/// let coin: Dist = Dist::uniform(1..=2);
/// let mut svg = Shown::on(Vec::new());
/// report::svg::write(&Report::of(&[Answered::new("a <coin>", coin)]), &Style::default(), &mut svg)?;
/// assert!(svg.to_string().contains(">a &lt;coin&gt;</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    out.write_all(picture::svg(report, style)?.as_bytes())
}

/// An SVG document of what is best in each situation: of the first plan of these rules whose situations differ in one or two numbers.
/// `None` if there is none, or if the numbers have very many values.
#[must_use]
pub fn plan(rules: &[PlannedRule], style: &Style) -> Option<String> {
    picture::plan(rules, style)
}
