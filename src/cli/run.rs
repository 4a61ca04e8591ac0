//! One call: reads the arguments and the rules, does the action, complains, and returns the exit status.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;
use std::thread;

use clap::CommandFactory as _;
use dicedist::limits::{Budget, LimitReached};
use dicedist::report::Refused;

use super::args::Args;
use super::complaints::{self, Warnings};
use super::destination::to_standard_output;
use super::guide;
use super::output::Wanted;
use super::progress::Progress;
use super::status::{Status, Stop};
use super::{advice, analysis, examples, input, meter, remedy, roll, terminal, trace, tree, watch};

/// The least stack of a thread, in bytes.
const STACK: usize = 1 << 20;

/// Does what the arguments of the process say, on a stack that is long enough.
pub(crate) fn run() -> ExitCode {
    if meter::stack_of_system().is_some_and(|bytes| bytes < STACK as u64)
        && let Ok(thread) = thread::Builder::new().stack_size(STACK).spawn(run_here)
    {
        return thread.join().unwrap_or_else(|panic| resume_unwind(panic));
    }
    run_here()
}

fn run_here() -> ExitCode {
    watch::let_long_files_be_errors();
    let status = match Args::from_environment() {
        Err(status) => status,
        Ok(args) => match within_stack(|| act(&args)) {
            Ok(status) => status,
            Err(Stop::ClosedPipe) => Status::Answered,
            Err(Stop::Interrupted) => Status::Interrupted,
            Err(Stop::Message(status, message)) => {
                // The watch reports its own error, so only one of the two may report.
                watch::lift_bounds();
                complaints::about_all(args.are_complaints_json(), status, &message);
                status
            }
        },
    };
    status.into()
}

/// Does the work, which unwinds with a limit where the system gives no stack.
fn within_stack(act: impl FnOnce() -> Result<Status, Stop>) -> Result<Status, Stop> {
    let done = catch_unwind(AssertUnwindSafe(act));
    done.unwrap_or_else(|panic| match panic.downcast::<LimitReached>() {
        Ok(reached) => Err((*reached).into()),
        Err(panic) => resume_unwind(panic),
    })
}

fn act(args: &Args) -> Result<Status, Stop> {
    let limits = args.limits();
    let observer = Progress::start(String::new(), true, false);
    let budget = Budget::start(&limits, &observer);
    if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "dicedist", &mut script);
        return to_standard_output(&budget, |out| out.write_all(&script))
            .map(|()| Status::Answered);
    }
    if args.man {
        return to_standard_output(&budget, |out| guide::write_manual(Args::command(), out))
            .map(|()| Status::Answered);
    }
    if let Some(words) = &args.examples {
        return examples::show(&words.join(" "), &budget);
    }
    let wanted = Wanted::by(args)?;
    let is_json = args.are_complaints_json();
    watch::watch(limits.clone(), move |reached| {
        let error = remedy::with_options(reached.into());
        let message = format!("everything is given up: {error}");
        complaints::about_all(is_json, Status::Limit, &message);
    });
    let Some(texts) = input::texts(args, &budget)? else {
        terminal::complain(guide::SHORT_HELP);
        return Ok(Status::Usage);
    };
    let args = &Args {
        title: args.title.clone().or_else(|| input::question(args, &texts)),
        ..args.clone()
    };
    let seed = args.seed_or_new();
    let question = args.question(texts, wanted.is_for_queries_only(args), seed);
    let read = question.read(&budget)?;
    let (all, guessed) = (read.series, read.guessed);
    let mut refused: Vec<Refused> = read.refused.into_iter().map(remedy::in_options).collect();
    advice::advise(args, &mut refused)?;
    let mut status = Status::Answered;
    let mut warnings = Warnings::of(&all, args.explain);
    let remarks = read.remarks.into_iter().filter(|_| args.explain);
    for (source, warning) in read.warnings.into_iter().chain(remarks) {
        warnings.add(Some(source), warning);
    }
    let mut are_errors_json = false;
    watch::listen_for_interrupts();
    if args.print_tree {
        tree::print(&all, &budget)?;
    } else if let Some(rolls) = args.rolls() {
        roll::roll(&all, rolls, seed, &budget, &mut refused)?;
    } else {
        let outputs = wanted.open()?;
        if args.trace {
            trace::print(&all, &budget, &args.style(), args.quiet)?;
        }
        are_errors_json = outputs.are_errors_json();
        status = analysis::analyze(
            args,
            &budget,
            outputs,
            (&question, all),
            &mut refused,
            &mut warnings,
        )?;
    }
    watch::lift_bounds();
    if !args.quiet && !args.are_complaints_json() {
        for dialect in guessed {
            terminal::complain(format!("read as {dialect} (-d names another)\n"));
        }
    }
    if are_errors_json {
        complaints::write_json(&refused);
    } else {
        complaints::write(args.color, &refused, &warnings);
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
