//! Text in columns, as a table of fixed width in one or more panels, or as a Markdown table.

use std::io::{self, Write as _};
use std::iter;

use super::markup::Page;
use crate::source::Shown;
#[cfg(any(feature = "svg", test))]
use unicode_width::UnicodeWidthChar as _;
use unicode_width::UnicodeWidthStr as _;

/// Columns of text with a column of labels before them, which each panel repeats.
pub(crate) struct Grid {
    pub(crate) labels: Column,
    pub(crate) columns: Vec<Column>,
}

/// A heading over parts that stay side by side.
#[derive(Clone, Default)]
pub(crate) struct Column {
    pub(crate) heading: String,
    pub(crate) parts: Vec<Subcolumn>,
}

/// A column within a column.
#[derive(Clone)]
pub(crate) struct Subcolumn {
    /// What the cells are, in Markdown, where the heading of the column stands over the first part alone.
    name: &'static str,
    cells: Vec<String>,
    align: Align,
    /// The terminal code for the colour of the cells, in a table with colours.
    color: Option<&'static str>,
    /// The width of the widest cell.
    width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// The number of blanks between columns, and between the parts of a column.
pub(crate) const GAP: usize = 2;

/// The terminal code of headings.
pub(crate) const BOLD: &str = "1";

impl Grid {
    pub(crate) fn new(labels: Column, columns: impl IntoIterator<Item = Column>) -> Self {
        let columns = columns.into_iter().collect();
        Self { labels, columns }
    }

    /// Writes the grid within a width. Columns that do not fit go to further panels below.
    pub(crate) fn write(
        &self,
        width: usize,
        color: bool,
        out: &mut Shown<impl io::Write>,
    ) -> io::Result<()> {
        let mut left = self.columns.as_slice();
        loop {
            let mut used = self.labels.width();
            let fitting = left.iter().take_while(|column| {
                used += GAP + column.width();
                used <= width
            });
            let (panel, rest) = left.split_at(fitting.count().max(1).min(left.len()));
            self.panel(panel, color, out)?;
            if rest.is_empty() {
                return Ok(());
            }
            writeln!(out)?;
            left = rest;
        }
    }

    /// The grid with its rows as columns. The parts of a cell become one text.
    pub(crate) fn transposed(self) -> Self {
        let row = |row: usize, label: &str| {
            let cells = self.columns.iter().map(|column| {
                let texts = column.parts.iter().map(|part| part.cells[row].as_str());
                let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
                texts.join(" ")
            });
            Column::of(label, cells.collect(), Align::Right)
        };
        let rows = self.labels.cells().iter().enumerate();
        let columns: Vec<Column> = rows.map(|(place, label)| row(place, label)).collect();
        let headings = self.columns.into_iter().map(|column| column.heading);
        Self::new(
            Column::of(self.labels.heading, headings.collect(), Align::Left),
            columns,
        )
    }

    /// The width of the grid in one panel.
    pub(crate) fn width(&self) -> usize {
        self.width_with(0, 0)
    }

    /// The width of the grid in one panel, if the bodies of the columns from `first` on were wider by so many characters.
    pub(crate) fn width_with(&self, first: usize, more: usize) -> usize {
        let widths = self.columns.iter().enumerate().map(|(index, column)| {
            let more = if index < first { 0 } else { more };
            GAP + column.width_with(more)
        });
        self.labels.width() + widths.sum::<usize>()
    }

    fn panel(
        &self,
        columns: &[Column],
        color: bool,
        out: &mut Shown<impl io::Write>,
    ) -> io::Result<()> {
        let mut line = Line {
            out,
            pending: 0,
            color,
        };
        let all = || iter::once(&self.labels).chain(columns);
        if all().any(|column| !column.heading.is_empty()) {
            for column in all() {
                column.push_heading(&mut line)?;
            }
            line.finish()?;
        }
        for row in 0..self.labels.cells().len() {
            for column in all() {
                column.push_row(row, &mut line)?;
            }
            line.finish()?;
        }
        Ok(())
    }

    /// Writes the grid as a Markdown table.
    pub(crate) fn write_markdown(&self, page: &mut Page<'_, impl io::Write>) -> io::Result<()> {
        let rule = |align: Align| match align {
            Align::Left => " :--- |",
            Align::Right => " ---: |",
        };
        let all = || iter::once(&self.labels).chain(&self.columns);
        let parts = || all().flat_map(|column| &column.parts);
        let is_only = all().filter(|column| column.parts.len() > 1).count() == 1;
        page.put("|", "", "")?;
        for column in all() {
            for index in 0..column.parts.len() {
                page.put(" ", &column.heading_of(index, is_only), " |")?;
            }
        }
        page.put("\n|", "", "")?;
        for part in parts() {
            page.put(rule(part.align), "", "")?;
        }
        for row in 0..self.labels.cells().len() {
            page.put("\n|", "", "")?;
            for part in parts() {
                page.put(" ", &part.cells[row], " |")?;
            }
        }
        page.put("\n", "", "")
    }
}

impl Column {
    /// A column of one part.
    pub(crate) fn of(heading: impl Into<String>, cells: Vec<String>, align: Align) -> Self {
        Self {
            heading: heading.into(),
            parts: vec![Subcolumn::new(cells, align)],
        }
    }

    /// The heading over a part by itself: the name of a further part stands alone if no other column has parts.
    fn heading_of(&self, part: usize, is_only: bool) -> String {
        match (part, self.parts[part].name) {
            (0, _) => self.heading.clone(),
            (_, name) if name.is_empty() || is_only => name.into(),
            (_, name) => format!("{}, {name}", self.heading),
        }
    }

    /// The cells of the first part.
    pub(crate) fn cells(&self) -> &[String] {
        self.parts.first().map_or(&[], |part| &part.cells)
    }

    fn body_width(&self) -> usize {
        let gaps = GAP * self.parts.len().saturating_sub(1);
        self.parts.iter().map(|part| part.width).sum::<usize>() + gaps
    }

    fn width(&self) -> usize {
        self.width_with(0)
    }

    /// The width, if the body were wider by so many characters.
    fn width_with(&self, more: usize) -> usize {
        (self.body_width() + more).max(display_width(&self.heading))
    }

    /// Writes the heading over the first part if it fits there, else over all parts.
    fn push_heading(&self, line: &mut Line<'_, impl io::Write>) -> io::Result<()> {
        let (align, first) = match &self.parts[..] {
            [only] => (only.align, self.width()),
            [first, ..] => (first.align, first.width),
            [] => return Ok(()),
        };
        if display_width(&self.heading) <= first {
            line.push(&self.heading, first, align, Some(BOLD))?;
            line.pending += self.width() - first + GAP;
        } else {
            line.push(&self.heading, self.width(), Align::Left, Some(BOLD))?;
            line.pending += GAP;
        }
        Ok(())
    }

    fn push_row(&self, row: usize, line: &mut Line<'_, impl io::Write>) -> io::Result<()> {
        let mut spare = self.width() - self.body_width();
        if matches!(&self.parts[..], [only] if only.align == Align::Right) {
            line.pending += std::mem::take(&mut spare);
        }
        for part in &self.parts {
            line.push(&part.cells[row], part.width, part.align, part.color)?;
            line.pending += GAP;
        }
        line.pending += spare;
        Ok(())
    }
}

impl Subcolumn {
    pub(crate) fn new(cells: Vec<String>, align: Align) -> Self {
        let widths = cells.iter().map(|cell| display_width(cell));
        Self {
            width: widths.max().unwrap_or(0),
            cells,
            align,
            color: None,
            name: "",
        }
    }

    /// The same part with a name for what its cells are.
    pub(crate) fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The same part with the terminal code of a colour.
    pub(crate) fn coloured(self, code: &'static str) -> Self {
        Self {
            color: Some(code),
            ..self
        }
    }
}

/// A line under construction, without blanks at its end.
struct Line<'o, W> {
    out: &'o mut Shown<W>,
    pending: usize,
    color: bool,
}

impl<W: io::Write> Line<'_, W> {
    fn push(
        &mut self,
        text: &str,
        width: usize,
        align: Align,
        color: Option<&'static str>,
    ) -> io::Result<()> {
        let spare = width.saturating_sub(display_width(text));
        let (before, after) = match align {
            Align::Left => (0, spare),
            Align::Right => (spare, 0),
        };
        self.pending += before;
        if !text.is_empty() {
            write!(self.out, "{:1$}", "", std::mem::take(&mut self.pending))?;
            match color.filter(|_| self.color) {
                Some(code) => self.out.coloured(code, text)?,
                None => self.out.write_all(text.as_bytes())?,
            }
        }
        self.pending += after;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.pending = 0;
        writeln!(self.out)
    }
}

/// The number of terminal columns of a text; ideographs and other wide characters count twice.
pub(crate) fn display_width(text: &str) -> usize {
    text.width()
}

/// A text cut to a width, with an ellipsis at its end if it was cut.
#[cfg(any(feature = "svg", test))]
pub(crate) fn truncated(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let fits = |character: &char| {
        let rest = left.checked_sub(character.width().unwrap_or(0));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: usize) -> Grid {
        let column = |index: usize| {
            Column::of(
                format!("c{index}"),
                vec!["1".into(), "22.5".into()],
                Align::Right,
            )
        };
        let labels = vec!["a".into(), "b|b".into()];
        Grid::new(
            Column::of("row", labels, Align::Left),
            (0..columns).map(column),
        )
    }

    #[test]
    fn columns_that_do_not_fit_go_to_another_panel() {
        let mut out = Shown::on(Vec::new());
        grid(3).write(15, false, &mut out).unwrap();
        let expected = "\
row    c0    c1
a       1     1
b|b  22.5  22.5

row    c2
a       1
b|b  22.5
";
        assert_eq!(out.to_string(), expected);
    }

    #[test]
    fn a_transposed_grid_has_its_columns_as_rows() {
        let mut out = Shown::on(Vec::new());
        grid(2).transposed().write(80, false, &mut out).unwrap();
        let expected = "\
row  a   b|b
c0   1  22.5
c1   1  22.5
";
        assert_eq!(out.to_string(), expected);
    }

    #[test]
    fn markdown_escapes_what_would_end_a_cell() {
        let mut out = Shown::on(Vec::new());
        grid(1).write_markdown(&mut Page(&mut out)).unwrap();
        let expected = "\
| row | c0 |
| :--- | ---: |
| a | 1 |
| b\\|b | 22.5 |
";
        assert_eq!(out.to_string(), expected);
    }

    #[test]
    fn widths_count_columns_of_a_terminal() {
        assert_eq!(display_width("d6"), 2);
        assert_eq!(display_width("骰子"), 4);
        assert_eq!(truncated("sum(drop low 1 4#d6)", 8), "sum(dro…");
        assert_eq!(truncated("骰子骰子", 5), "骰子…");
    }
}
