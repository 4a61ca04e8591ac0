//! The `dicedist` command.

#![cfg_attr(test, allow(clippy::unwrap_used))]

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::run()
}
