//! From arguments to an exit status.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::CommandFactory as _;
use dicedist::Diagnostic;
use dicedist::report::{self, Refused};
use dicedist::source::{Source, Span};

use super::args::{Args, Format, SHORT_HELP};
use super::output::{Outputs, to_standard_output};
use super::series::{self, Series};
use super::status::{Status, Stop};
use super::{analysis, diagnostic, input, remedy, roll, terminal, trace, tree, watch};

/// So many errors, and so many warnings, are shown in full: each takes time that grows with the text.
const MOST_SHOWN: usize = 100;

/// Does what the arguments of the process say.
pub(crate) fn run() -> ExitCode {
    let status = match Args::from_environment() {
        Err(status) => status,
        Ok(args) => match act(&args) {
            Ok(status) => status,
            Err(Stop::ClosedPipe) => Status::Answered,
            Err(Stop::Interrupted) => Status::Interrupted,
            Err(Stop::Message(status, message)) => {
                complain_about_all(are_complaints_json(&args), status, &message);
                status
            }
        },
    };
    status.into()
}

/// Says what is wrong that is no matter of a single rule.
fn complain_about_all(is_json: bool, status: Status, message: &str) {
    let mut text = Vec::new();
    if is_json && report::json::write_failure(status.name(), message, &mut text).is_ok() {
        terminal::complain(text);
    } else {
        terminal::complain(format!("error: {}\n", diagnostic::escaped(message)));
    }
}

fn are_complaints_json(args: &Args) -> bool {
    let is_standard_output = |path: &PathBuf| path == Path::new("-");
    args.format == Some(Format::Json) || args.json.as_ref().is_some_and(is_standard_output)
}

/// Bounds the process by what so many rules may cost.
fn bound(args: &Args, started: Instant, rules: usize) {
    let is_json = are_complaints_json(args);
    let rules = if args.check {
        rules.saturating_mul(2)
    } else {
        rules
    };
    watch::bound(started, &analysis::limits(args), rules, move |reached| {
        let error = remedy::with_options(reached.into());
        let message = format!("given up before everything was written: {error}");
        complain_about_all(is_json, Status::Limit, &message);
    });
}

fn act(args: &Args) -> Result<Status, Stop> {
    if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "dicedist", &mut script);
        return to_standard_output(|out| out.write_all(&script)).map(|()| Status::Answered);
    }
    if args.man {
        let manual = clap_mangen::Man::new(Args::command());
        return to_standard_output(|mut out| manual.render(&mut out)).map(|()| Status::Answered);
    }
    let Some(texts) = input::texts(args)? else {
        terminal::complain(SHORT_HELP);
        return Ok(Status::Usage);
    };
    let started = Instant::now();
    bound(args, started, 1);
    let (all, mut refused) = series::read(&texts, &args.reading(), &args.settings)?;
    let mut status = Status::Answered;
    let mut warnings = Warnings::of(&all);
    let mut are_errors_json = false;
    watch::listen_for_interrupts();
    if args.print_tree {
        tree::print(&all)?;
    } else if let Some(rolls) = args.rolls() {
        // As many as are wanted, for as long as they are.
        watch::unbound();
        roll::roll(&all, rolls, args.seed, args.time_limit, &mut refused)?;
    } else {
        bound(args, started, all.len());
        let outputs = Outputs::open(args)?;
        if args.trace {
            let (limits, style) = (analysis::limits(args), analysis::style(args));
            trace::print(&all, &limits, &style, args.quiet)?;
        }
        are_errors_json = outputs.are_errors_json();
        status = analysis::analyze(args, outputs, all, &mut refused, &mut warnings)?;
    }
    watch::unbound();
    if are_errors_json {
        complain_as_json(&refused);
    } else {
        complain(args, &refused, &warnings);
    }
    Ok(refused.iter().map(status_of).fold(status, Ord::max))
}

fn status_of(refused: &Refused) -> Status {
    if refused.error.is_limit() {
        Status::Limit
    } else {
        Status::WrongRule
    }
}

/// The warnings of all rules, each once: the series of a rule share theirs.
pub(super) struct Warnings<'a>(Vec<(&'a Source, Diagnostic)>);

impl<'a> Warnings<'a> {
    fn of(all: &[Series<'a>]) -> Self {
        let mut seen: BTreeSet<(usize, Option<Span>, &str)> = BTreeSet::new();
        let mut warnings = Vec::new();
        for series in all {
            for warning in &series.reading.warnings {
                if seen.insert((series.rule, warning.span, &warning.message)) {
                    warnings.push((series.source, warning.clone()));
                }
            }
        }
        Self(warnings)
    }

    /// One more, found when the rule was answered.
    pub(super) fn add(&mut self, source: &'a Source, warning: Diagnostic) {
        self.0.push((source, warning));
    }
}

/// Says what could not be answered, and what is probably not meant as it is written.
fn complain(args: &Args, refused: &[Refused], warnings: &Warnings) {
    let color = terminal::are_complaints_colored(args.color);
    let mut text = Vec::new();
    let mut write = || -> io::Result<()> {
        for refused in refused.iter().take(MOST_SHOWN) {
            diagnostic::write_error(refused, color, &mut text)?;
        }
        if let Some(more) = refused
            .len()
            .checked_sub(MOST_SHOWN)
            .filter(|&more| more > 0)
        {
            writeln!(text, "error: {more} more could not be answered")?;
        }
        for (source, warning) in warnings.0.iter().take(MOST_SHOWN) {
            diagnostic::write_warning(source, warning, color, &mut text)?;
        }
        Ok(())
    };
    // Writing to memory does not fail.
    let _ = write();
    terminal::complain(text);
}

fn complain_as_json(refused: &[Refused]) {
    let mut text = Vec::new();
    if !refused.is_empty() && report::json::write_errors(refused, &mut text).is_ok() {
        terminal::complain(text);
    }
}
