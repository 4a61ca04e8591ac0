//! Text in columns, as a table of fixed width in one or more panels, or as a Markdown table.

use std::io::{self, Write as _};

use super::markup::Page;
use crate::source::Shown;
#[cfg(any(feature = "svg", test))]
use unicode_width::UnicodeWidthChar as _;
use unicode_width::UnicodeWidthStr as _;

/// Columns of text with a column of labels before them.
pub(crate) struct Grid {
    /// The heading of the labels.
    pub(crate) corner: String,
    pub(crate) labels: Vec<String>,
    /// The alignment of the labels: to the right for numbers.
    pub(crate) align: Align,
    pub(crate) columns: Vec<Column>,
}

/// A heading over parts that stay side by side.
#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) heading: String,
    pub(crate) parts: Vec<Part>,
}

/// A column within a column.
#[derive(Clone)]
pub(crate) struct Part {
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
    /// Writes the grid within a width. Columns that do not fit go to further panels below.
    pub(crate) fn write(
        &self,
        width: usize,
        color: bool,
        out: &mut Shown<impl io::Write>,
    ) -> io::Result<()> {
        let label_width = self.label_width();
        let mut left = self.columns.as_slice();
        loop {
            let mut used = label_width;
            let fitting = left.iter().take_while(|column| {
                used += GAP + column.width();
                used <= width
            });
            let (panel, rest) = left.split_at(fitting.count().max(1).min(left.len()));
            self.panel(label_width, panel, color, out)?;
            if rest.is_empty() {
                return Ok(());
            }
            writeln!(out)?;
            left = rest;
        }
    }

    /// The grid with its rows as columns. The parts of a cell become one text.
    pub(crate) fn transposed(self) -> Self {
        let mut headings = Vec::with_capacity(self.columns.len());
        let mut rows = vec![Vec::with_capacity(self.columns.len()); self.labels.len()];
        for column in self.columns {
            headings.push(column.heading);
            let mut parts: Vec<_> = column
                .parts
                .into_iter()
                .map(|part| part.into_cells().into_iter())
                .collect();
            for row in &mut rows {
                let texts = parts.iter_mut().filter_map(Iterator::next);
                let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
                row.push(texts.join(" "));
            }
        }
        let columns = self.labels.into_iter().zip(rows);
        Self {
            corner: self.corner,
            labels: headings,
            align: Align::Left,
            columns: columns
                .map(|(label, cells)| Column::of(label, cells, Align::Right))
                .collect(),
        }
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
        self.label_width() + widths.sum::<usize>()
    }

    fn label_width(&self) -> usize {
        let labels = self.labels.iter().chain([&self.corner]);
        labels.map(|text| display_width(text)).max().unwrap_or(0)
    }

    fn panel(
        &self,
        label_width: usize,
        columns: &[Column],
        color: bool,
        out: &mut Shown<impl io::Write>,
    ) -> io::Result<()> {
        let mut line = Line {
            out,
            pending: 0,
            color,
        };
        if !self.corner.is_empty() || columns.iter().any(|column| !column.heading.is_empty()) {
            line.push(&self.corner, label_width, self.align, Some(BOLD))?;
            for column in columns {
                line.pending += GAP;
                column.push_heading(&mut line)?;
            }
            line.finish()?;
        }
        for (row, label) in self.labels.iter().enumerate() {
            line.push(label, label_width, self.align, None)?;
            for column in columns {
                line.pending += GAP;
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
        page.put("| ", &self.corner, " |")?;
        let is_only = self.columns.iter().filter(|it| it.parts.len() > 1).count() == 1;
        for column in &self.columns {
            for index in 0..column.parts.len() {
                page.put(" ", &column.heading_of(index, is_only), " |")?;
            }
        }
        page.put("\n|", "", rule(self.align))?;
        for part in self.columns.iter().flat_map(|column| &column.parts) {
            page.put(rule(part.align), "", "")?;
        }
        for (row, label) in self.labels.iter().enumerate() {
            page.put("\n| ", label, " |")?;
            for part in self.columns.iter().flat_map(|column| &column.parts) {
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
            parts: vec![Part::new(cells, align)],
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

    /// The cell of the first part in a row.
    pub(crate) fn cell(&self, row: usize) -> &str {
        let first = self.parts.first();
        first
            .and_then(|part| part.cells.get(row))
            .map_or("", String::as_str)
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
        let Some(first) = self.parts.first() else {
            return Ok(());
        };
        let over_first = if self.parts.len() == 1 {
            self.width()
        } else {
            first.width
        };
        if display_width(&self.heading) <= over_first {
            line.push(&self.heading, over_first, first.align, Some(BOLD))?;
            line.pending += self.width() - over_first;
        } else {
            line.push(&self.heading, self.width(), Align::Left, Some(BOLD))?;
        }
        Ok(())
    }

    fn push_row(&self, row: usize, line: &mut Line<'_, impl io::Write>) -> io::Result<()> {
        let spare = self.width() - self.body_width();
        let right = self
            .parts
            .first()
            .is_some_and(|part| part.align == Align::Right);
        let only = self.parts.len() == 1;
        line.pending += if right && only { spare } else { 0 };
        for (index, part) in self.parts.iter().enumerate() {
            line.pending += if index > 0 { GAP } else { 0 };
            line.push(&part.cells[row], part.width, part.align, part.color)?;
        }
        line.pending += if right && only { 0 } else { spare };
        Ok(())
    }
}

impl Part {
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

    pub(crate) fn into_cells(self) -> Vec<String> {
        self.cells
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
        Grid {
            corner: "row".into(),
            labels: vec!["a".into(), "b|b".into()],
            align: Align::Left,
            columns: (0..columns).map(column).collect(),
        }
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
