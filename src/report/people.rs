//! The parts of a report for people: a title, grids and remarks, which a terminal and Markdown show in different ways.

use std::io::{self, Write as _};

use super::Style;
use super::grid::{BOLD, Grid};
use super::markup::Page;
use crate::source::Shown;

/// Where a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    Terminal,
    Markdown,
}

/// A part of a text.
pub(super) enum Block {
    Title(String),
    Grid(Grid),
    Remark(String),
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
