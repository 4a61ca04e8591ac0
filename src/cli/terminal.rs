//! What the terminal is like, and words to it.

use std::io::{self, Write as _};

use super::args::Color;

/// The width of tables where there is no terminal.
const WIDTH: usize = 80;

/// How many characters fit in a line of standard output.
pub(super) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(WIDTH, |(width, _)| width.0.into())
}

/// Whether standard output shows colours.
pub(super) fn is_output_colored(color: Color) -> bool {
    match color {
        Color::Auto => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    }
}

/// Whether standard error shows colours.
pub(super) fn are_complaints_colored(color: Color) -> bool {
    match color {
        Color::Auto => anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    }
}

/// Writes to standard error; when that is closed there is nobody to tell.
pub(super) fn complain(text: impl AsRef<[u8]>) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_ref()).and_then(|()| out.flush());
}
