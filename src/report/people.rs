//! What people read of a report: a title, grids and remarks, which a terminal and Markdown show each in its own way.

use std::io::{self, Write as _};

use super::grid::{Align, BOLD, Column, Grid, Part};
use super::markup::Page;
use super::sheet::Sheet;
use super::table::{bars, fit_side_by_side, has_room_before_rows, headings, listing, with_bars};
use super::{Labels, Layout, Report, Style, figures, labels};
use crate::limits::LimitReached;
use crate::source::Shown;

/// The length of the longest bar in Markdown.
const BAR: usize = 20;

/// Where a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Medium {
    Terminal,
    Markdown,
}

/// A part of a text.
pub(super) enum Block {
    Title(String),
    Grid(Grid),
    Remark(String),
}

/// The listing, the summary and the comparisons of all rules, and the limit of time for which the listing is given up.
pub(super) fn blocks(
    report: &Report,
    style: &Style,
    medium: Medium,
) -> Result<(Vec<Block>, Option<LimitReached>), LimitReached> {
    let rules = report.rules;
    if rules.is_empty() {
        return Ok((Vec::new(), None));
    }
    let (is_summed_up, width) = match medium {
        Medium::Terminal => (report.is_summed_up(style), style.width),
        Medium::Markdown => (false, usize::MAX),
    };
    let is_listed = !is_summed_up && style.layout != Layout::Summary;
    let (sheet, late) = Sheet::in_time(report, style, is_listed)?;
    let Labels { shared, short, .. } = labels(rules);
    let is_transposed = style.layout == Layout::Transposed;
    let (names, has_legend) = match &short {
        short if is_summed_up || is_transposed && has_room_before_rows(short, width) => {
            (short.clone(), false)
        }
        short => headings(short, width),
    };
    let title = shared.or_else(|| (rules.len() == 1).then(|| short[0].clone()));
    let mut blocks: Vec<Block> = title.map(Block::Title).into_iter().collect();
    if has_legend {
        blocks.push(Block::Grid(Grid {
            corner: String::new(),
            labels: names.clone(),
            align: Align::Left,
            columns: vec![Column::of("", short.clone(), Align::Left)],
        }));
    }
    if let Some(sheet) = &sheet {
        blocks.push(Block::Grid(match medium {
            _ if is_transposed => listing(report, sheet, &names, style)?.transposed(),
            Medium::Terminal => with_bars(report, sheet, &names, style)?,
            Medium::Markdown => with_bar(report, sheet, &names, style)?,
        }));
        let note = sheet.note.iter();
        blocks.extend(note.map(|note| Block::Remark(style.with_way_to_all(note))));
    }
    // What has a row for each rule goes on with rows.
    let is_by_rule = is_transposed || report.is_sweep() && !style.all;
    let figures = if is_summed_up || is_by_rule && !fit_side_by_side(&names, width) {
        Some(figures::lines(rules, report.summaries(), &short, style))
    } else {
        figures::summaries_of(report, &names, style)
    };
    let parts = figures::part_summaries(rules, &names, style);
    let comparisons = figures::comparisons(report, &names, style);
    let grids = [figures, parts, comparisons].into_iter().flatten();
    blocks.extend(grids.map(Block::Grid));
    if is_summed_up {
        let note = style.with_way_to_all("figures alone, because there are many values");
        blocks.push(Block::Remark(note));
    }
    let remarks = figures::remarks(report, sheet.as_ref(), &names).into_iter();
    blocks.extend(remarks.map(Block::Remark));
    Ok((blocks, late))
}

/// The rows with percentages. A single rule has bars.
fn with_bar(
    report: &Report,
    sheet: &Sheet,
    names: &[String],
    style: &Style,
) -> Result<Grid, LimitReached> {
    let mut grid = listing(report, sheet, names, style)?;
    if let ([_], Some(column)) = (report.rules, grid.columns.last_mut()) {
        let bars = bars(report.rules, sheet, BAR).into_iter();
        let bars = bars.map(|cells| Part::new(cells, Align::Left));
        column.parts.extend(bars);
    }
    Ok(grid)
}

/// Writes the blocks, with an empty line before each grid but the first.
pub(super) fn write(
    blocks: &[Block],
    medium: Medium,
    style: &Style,
    out: &mut Shown<impl io::Write>,
) -> io::Result<()> {
    let mut is_below = false;
    for block in blocks {
        if matches!(block, Block::Grid(_)) && std::mem::replace(&mut is_below, true) {
            writeln!(out)?;
        }
        match medium {
            Medium::Terminal => block.write(style, out)?,
            Medium::Markdown => block.write_markdown(&mut Page(out))?,
        }
    }
    Ok(())
}

impl Block {
    fn write(&self, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
        match self {
            Self::Title(title) if style.color => {
                out.coloured(BOLD, title)?;
                writeln!(out, "\n")
            }
            Self::Title(title) => writeln!(out, "{title}\n"),
            Self::Grid(grid) => grid.write(style.width, style.color, out),
            Self::Remark(remark) => writeln!(out, "({remark})"),
        }
    }

    fn write_markdown(&self, page: &mut Page<'_, impl io::Write>) -> io::Result<()> {
        match self {
            Self::Title(title) => page.put("**", title, "**\n\n"),
            Self::Grid(grid) => grid.write_markdown(page),
            Self::Remark(remark) => page.put("\n(", remark, ")\n"),
        }
    }
}
