//! A table for people, with bars: one rule, or several rules side by side with their comparisons.
//!
//! ```text
//! sum(2#d2)
//!
//! value  probability
//!     2  25.0000%  ██████████████████████████████
//! …
//! ```
//!
//! Percentages are rounded, halves up, at the last digit shown. `0%` and `100%` are exact, and a positive percentage that would
//! round to zero is shown as `<0.0001%`. A table of more than 40 rows is shown in equal ranges of values.

use std::io;

use num_traits::{ToPrimitive, Zero};

use super::chance;
use super::decimal;
use super::fraction::LowestTerms;
use super::grid::{Align, Column, GAP, Grid, Subcolumn, display_width};
use super::people::{self, Block, Medium};
use super::sheet::{Cell, Sheet};
use super::{Answered, Labels, Layout, Report, Style, View, figures, labels};
use crate::limits::LimitReached;
use crate::number::Fraction;
use crate::source::Shown;

/// The least room for bars; with less room there are none, except for a single rule.
const SHORTEST_BAR: usize = 8;

/// The length of the longest bar in Markdown.
const BAR: usize = 20;

/// The length of the longest bar in a wide table.
const LONGEST_BAR: usize = 60;

/// The room that a column of percentages and the column of values need.
const PERCENTAGES: usize = 8;

/// The terminal codes of the bars of the rules, in turn: cyan, yellow, magenta, green.
const COLORS: [&str; 4] = ["36", "33", "35", "32"];

/// Writes the listing, the summary and the comparisons of all rules.
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
/// let mut table = Shown::on(Vec::new());
/// report::table::write(&Report::of(&[Answered::new("coin", coin)]), &Style::default(), &mut table)?;
/// assert!(table.to_string().contains("    2  50.0000%  █"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    let (blocks, late) = blocks(report, style, Medium::Terminal)?;
    people::write(&blocks, Medium::Terminal, style, out)?;
    late.map_or(Ok(()), |late| Err(late.into()))
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
        let [letters, names] =
            [&names, &short].map(|texts| Column::of("", texts.clone(), Align::Left));
        blocks.push(Block::Grid(Grid::new(letters, [names])));
    }
    if let Some(sheet) = &sheet {
        blocks.push(Block::Grid(if is_transposed {
            listing(report, sheet, &names, style)?.transposed()
        } else {
            with_bars(report, sheet, &names, style, medium)?
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

/// Whether names leave two thirds of the width to the columns behind them.
fn has_room_before_rows(names: &[String], width: usize) -> bool {
    let widths = names.iter().map(|name| display_width(name));
    widths.max().unwrap_or(0) <= width / 3
}

/// The headings of the columns, and whether they need a legend. Names that do not fit side by side are replaced by letters, unless
/// they take no more room than the percentages below them.
fn headings(names: &[String], width: usize) -> (Vec<String>, bool) {
    let are_short = names.iter().all(|name| display_width(name) <= PERCENTAGES);
    if names.len() < 2 || are_short || fit_side_by_side(names, width) {
        (names.to_vec(), false)
    } else {
        ((0..names.len()).map(letters).collect(), true)
    }
}

/// Whether names fit over percentages side by side.
fn fit_side_by_side(names: &[String], width: usize) -> bool {
    let needed = |name: &String| GAP + display_width(name).max(PERCENTAGES);
    let needed = names.iter().map(needed);
    needed.fold(PERCENTAGES, usize::saturating_add) <= width
}

/// `A` to `Z`, then `AA`, as spreadsheets count.
fn letters(index: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or_default());
    match index / 26 {
        0 => letter.to_string(),
        more => format!("{}{letter}", letters(more - 1)),
    }
}

/// The rows with percentages, and with bars if there is room. In Markdown, a single rule has bars.
pub(crate) fn with_bars(
    report: &Report,
    sheet: &Sheet,
    names: &[String],
    style: &Style,
    medium: Medium,
) -> Result<Grid, LimitReached> {
    let rules = report.rules;
    let mut grid = listing(report, sheet, names, style)?;
    let spare = style.width.saturating_sub(grid.width()) / rules.len();
    let longest = match (medium, rules.len()) {
        (Medium::Markdown, 1) => BAR,
        (Medium::Markdown, _) => 0,
        (Medium::Terminal, 1) => spare.saturating_sub(GAP).clamp(SHORTEST_BAR, LONGEST_BAR),
        (Medium::Terminal, _) => spare.saturating_sub(GAP).min(LONGEST_BAR),
    };
    if longest >= SHORTEST_BAR {
        let bars = bars(rules, sheet, longest);
        let before = grid.columns.len() - rules.len();
        let columns = grid.columns.iter_mut().skip(before);
        for (rule, (column, cells)) in columns.zip(bars).enumerate() {
            // Fractions come last in a terminal, because they may have any length.
            let is_last = medium == Medium::Markdown || !style.fractions;
            let is_last = is_last || rules[rule].answer.sampling().is_some();
            let at = column.parts.len() - usize::from(!is_last);
            let bars = Subcolumn::new(cells, Align::Left).coloured(COLORS[rule % COLORS.len()]);
            column.parts.insert(at, bars);
        }
    }
    Ok(grid)
}

/// The rows with percentages, without bars.
fn listing(
    report: &Report,
    sheet: &Sheet,
    names: &[String],
    style: &Style,
) -> Result<Grid, LimitReached> {
    let rules = report.rules;
    // Lists have no order, so there is no cumulative view.
    let view = if sheet.lists {
        View::Exactly
    } else {
        style.view
    };
    let columns = (0..rules.len()).map(|rule| {
        Ok(Column {
            heading: if rules.len() > 1 {
                names[rule].clone()
            } else {
                view_name(view).into()
            },
            parts: figures_of(rule, report, sheet, style)?,
        })
    });
    let columns = columns.collect::<Result<Vec<_>, LimitReached>>()?;
    let are_single = rules.iter().all(|rule| rule.answer.shape.is_single());
    let corner = match view {
        _ if sheet.lists && !are_single => "list",
        View::AtLeast | View::AtMost if rules.len() > 1 => view_name(view),
        _ => "value",
    };
    let mut heads = heads(sheet, corner).into_iter();
    let first = heads.next().unwrap_or_default();
    Ok(Grid::new(first, heads.chain(columns)))
}

/// The columns before those of the rules: one, or one for each part of records, of which the first has the labels of other rows, too.
fn heads(sheet: &Sheet, corner: &str) -> Vec<Column> {
    let Some(parts) = &sheet.parts else {
        let labels = sheet.rows.iter().map(|row| row.label.clone());
        let align = if sheet.lists {
            Align::Left
        } else {
            Align::Right
        };
        return vec![Column::of(corner, labels.collect(), align)];
    };
    let columns = parts.iter().enumerate().map(|(place, name)| {
        let cells = sheet.rows.iter().map(|row| match row.parts.get(place) {
            Some(part) => part.clone(),
            None if place == 0 => row.label.clone(),
            None => String::new(),
        });
        let cells: Vec<String> = cells.collect();
        let is_text = cells
            .iter()
            .any(|cell| cell.starts_with(char::is_alphabetic));
        let align = if is_text { Align::Left } else { Align::Right };
        Column::of(name, cells, align)
    });
    columns.collect()
}

fn view_name(view: View) -> &'static str {
    match view {
        View::Exactly => "probability",
        View::AtLeast => "at least",
        View::AtMost => "at most",
    }
}

/// The parts of a rule's column: percentages, then the intervals of a sampled rule, or fractions.
fn figures_of(
    rule: usize,
    report: &Report,
    sheet: &Sheet,
    style: &Style,
) -> Result<Vec<Subcolumn>, LimitReached> {
    let answer = &report.rules[rule].answer;
    let part = |align: Align, text: &mut dyn FnMut(&Cell) -> String| {
        let texts = sheet.rows.iter().map(|row| {
            report.check()?;
            Ok(row.cells[rule]
                .as_ref()
                .map_or_else(String::new, &mut *text))
        });
        let texts = texts.collect::<Result<Vec<String>, LimitReached>>();
        texts.map(|texts| Subcolumn::new(texts, align))
    };
    let mut parts = vec![part(Align::Right, &mut |cell| cell.percent(style.digits))?];
    if answer.sampling().is_some() {
        let bound = |cell: &Cell| cell.bound(style.digits).unwrap_or_default();
        parts.push(part(Align::Left, &mut { bound })?.named("bound"));
    } else if style.fractions {
        let mut terms = LowestTerms::new(answer.total());
        let mut fraction = |cell: &Cell| {
            let least = terms.text(&cell.weight);
            match &cell.most {
                Some(most) => chance::range(least, &terms.text(most)),
                None => least,
            }
        };
        parts.push(part(Align::Left, &mut fraction)?.named("fraction"));
    }
    Ok(parts)
}

/// The bars of all rules. The highest share of all has a bar of the length `longest`.
fn bars(rules: &[Answered], sheet: &Sheet, longest: usize) -> Vec<Vec<String>> {
    let shares = (0..rules.len()).map(|rule| {
        let cells = sheet.rows.iter().map(|row| row.cells[rule].as_ref());
        let shares = cells.map(|cell| Some(cell?.share().fraction()));
        shares.collect::<Vec<_>>()
    });
    let shares: Vec<Vec<Option<Fraction>>> = shares.collect();
    let highest = shares.iter().flatten().flatten().max();
    let bar = |share: &Option<Fraction>| match (share, highest) {
        (Some(share), Some(highest)) => bar(share, highest, longest),
        _ => String::new(),
    };
    let bars = shares.iter().map(|own| own.iter().map(bar).collect());
    bars.collect()
}

/// The bar of a share, in eighths of a character, where the highest one has the length `longest`.
pub(crate) fn bar(share: &Fraction, highest: &Fraction, longest: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if highest.is_zero() {
        return String::new();
    }
    let [own, all] = [
        share.numer().magnitude() * highest.denom().magnitude(),
        share.denom().magnitude() * highest.numer().magnitude(),
    ];
    let eighths = decimal::divide_to_nearest(&(own * (longest * 8)), &all);
    let eighths = eighths.to_usize().unwrap_or(0);
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}
