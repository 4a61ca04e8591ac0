//! The terminal: how wide it is, whether it shows colours, and complaints to it.

use std::env;
use std::io::{self, Write as _};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use dicedist::source::Shown;

use super::meter;

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set; elsewhere if `CLICOLOR_FORCE` is set, and not to 0
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The width of tables where there is no terminal.
const WIDTH: usize = 80;

impl Color {
    /// Whether standard output shows colours.
    pub(super) fn is_on_output(self) -> bool {
        self.is_on(&io::stdout())
    }

    /// Whether standard error shows colours.
    pub(super) fn is_on_complaints(self) -> bool {
        self.is_on(&io::stderr())
    }

    fn is_on(self, stream: &impl RawStream) -> bool {
        match self {
            Self::Auto => {
                let is_forced = env::var_os("CLICOLOR_FORCE").is_some_and(|force| force != "0");
                AutoStream::choice(stream) != ColorChoice::Never
                    && (stream.is_terminal() || is_forced)
            }
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// The number of characters in a line of standard output.
pub(super) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(WIDTH, |(width, _)| width.0.into())
}

/// Writes to standard error. A failure is ignored: there is no other place to report it.
pub(super) fn complain(text: impl Into<Shown<Vec<u8>>>) {
    let text = text.into().into_inner();
    let mut out = io::stderr().lock();
    let _ = meter::waiting(|| out.write_all(&text).and_then(|()| out.flush()));
}
