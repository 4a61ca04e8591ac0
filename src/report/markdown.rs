//! The table as Markdown, ready for a forum post or an issue.

use std::io;

use super::people::{self, Medium};
use super::{Report, Style, queries, table};
use crate::source::Shown;

/// Writes listing, summary and comparisons as Markdown tables. A single rule has bars. If the style has queries, only their
/// probabilities are written.
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
/// let mut markdown = Shown::on(Vec::new());
/// report::markdown::write(&Report::of(&[Answered::new("coin", coin)]), &Style::default(), &mut markdown)?;
/// assert!(markdown.to_string().starts_with("**coin**\n\n| value | probability |"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    let (blocks, late) = match &style.queries[..] {
        [] => table::blocks(report, style, Medium::Markdown)?,
        _ => (queries::blocks(report, style, Medium::Markdown), None),
    };
    people::write(&blocks, Medium::Markdown, style, out)?;
    late.map_or(Ok(()), |late| Err(late.into()))
}
