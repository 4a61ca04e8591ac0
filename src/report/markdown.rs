//! The table as Markdown, ready for a forum post or an issue.

use std::io;

use super::grid::{Align, Part};
use super::markup::Page;
use super::sheet::Sheet;
use super::table::{bars, headings, listing};
use super::{Labels, Layout, Report, Style, figures, labels, queries};
use crate::source::Shown;

/// The length of the longest bar of a single rule.
const BAR: usize = 20;

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
/// use dicedist::algebra::Distribution;
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::Integer;
/// use dicedist::report::{self, Answered, Report, Style};
/// use dicedist::source::Shown;
///
/// let faces = [1_i64, 2].map(|face| (Integer::from(face), 1u32.into()));
/// let coin = Answer::exact(Outcomes::Numbers(Distribution::new(faces, 2u32.into())), 2);
/// let mut markdown = Shown::on(Vec::new());
/// report::markdown::write(&Report::of(&[Answered::new("coin", coin)]), &Style::default(), &mut markdown)?;
/// assert!(markdown.to_string().starts_with("**coin**\n\n| value | probability |"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    let page = &mut Page(out);
    let rules = report.rules;
    if rules.is_empty() {
        return Ok(());
    }
    if !style.queries.is_empty() {
        return queries::write_markdown(report, style, page);
    }
    let (sheet, late) = Sheet::in_time(report, style, style.layout != Layout::Summary)?;
    let Labels { shared, short, .. } = labels(rules);
    let (names, legend) = headings(&short, usize::MAX);
    if let Some(title) = shared.or_else(|| (rules.len() == 1).then(|| short[0].clone())) {
        page.put("**", &title, "**\n\n")?;
    }
    if legend {
        for (name, long) in names.iter().zip(&short) {
            page.put("- **", name, "**: ")?;
            page.put("", long, "\n")?;
        }
        page.put("\n", "", "")?;
    }
    let mut below = false;
    if let Some(sheet) = &sheet {
        write_listing(report, sheet, &names, style, page)?;
        below = true;
    }
    let figures = figures::summaries_of(report, &names, style);
    let parts = figures::part_summaries(rules, &names, style);
    let comparisons = figures::comparisons(report, &names, style);
    for grid in [figures, parts, comparisons].into_iter().flatten() {
        if std::mem::replace(&mut below, true) {
            page.put("\n", "", "")?;
        }
        grid.write_markdown(page)?;
    }
    for remark in figures::remarks(report, sheet.as_ref(), &names) {
        page.put("\n(", &remark, ")\n")?;
    }
    late.map_or(Ok(()), |late| Err(late.into()))
}

/// The rows with percentages. A single rule has bars.
fn write_listing(
    report: &Report,
    sheet: &Sheet,
    names: &[String],
    style: &Style,
    page: &mut Page<'_, impl io::Write>,
) -> io::Result<()> {
    let mut grid = listing(report, sheet, names, style)?;
    if style.layout == Layout::Transposed {
        grid = grid.transposed();
    } else if let [_] = report.rules
        && let Some(column) = grid.columns.last_mut()
    {
        let bars = bars(report.rules, sheet, BAR).into_iter();
        column
            .parts
            .extend(bars.map(|cells| Part::new(cells, Align::Left)));
    }
    grid.write_markdown(page)?;
    if let Some(note) = &sheet.note {
        page.put("\n(", &style.with_way_to_all(note), ")\n")?;
    }
    Ok(())
}
