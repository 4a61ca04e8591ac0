//! The main action: exact distributions, written where the arguments say.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use dicedist::engine::estimate::{Request, analyze_or_estimate};
use dicedist::engine::{self, Outcomes, Route, enumerate};
use dicedist::error::Remedy;
use dicedist::ir::Program;
use dicedist::limits::LimitReached;
use dicedist::report::{Answered, Refused, Style, View};
use dicedist::{Answer, Diagnostic, Error, Limits};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::args::{self, Args};
use super::check::{self, Verdict};
use super::output::Outputs;
use super::progress::Progress;
use super::remedy;
use super::roll::random_seed;
use super::run::Warnings;
use super::series::Series;
use super::status::{Status, Stop};
use super::terminal;
use super::watch;

/// Answers every series, writes all outputs, and adds to `refused` what could not be answered.
pub(super) fn analyze<'a>(
    args: &Args,
    outputs: Outputs,
    all: Vec<Series<'a>>,
    refused: &mut Vec<Refused>,
    warnings: &mut Warnings<'a>,
) -> Result<Status, Stop> {
    let limits = limits(args);
    let mut answered = Vec::new();
    let mut plan = Plan::default();
    let mut checks = String::new();
    let mut status = Status::Answered;
    let mut has_lists = false;
    let count = all.len();
    let seed = args.seed.unwrap_or_else(random_seed);
    for (index, mut series) in all.into_iter().enumerate() {
        let label = match count {
            1 => series.label(),
            _ => format!("{} ({} of {count})", series.label(), index + 1),
        };
        let stream = index as u64;
        let answer = answer(args, &limits, &series, label, (seed, stream), &mut plan)?;
        if let Some(warning) = answer
            .as_ref()
            .ok()
            .and_then(|answer| sampled(answer, args))
        {
            warnings.add(series.source, warning.clone());
            series.reading.warnings.push(warning);
        }
        if let Some(warning) = answer
            .as_ref()
            .ok()
            .and_then(|answer| unordered(answer, args))
        {
            if !std::mem::replace(&mut has_lists, true) {
                warnings.add(series.source, warning.clone());
            }
            series.reading.warnings.push(warning);
        }
        if args.check {
            let (line, verdict) = check(args, &limits, &series, &answer)?;
            checks.push_str(&line);
            status = status.max(verdict);
        }
        let is_partial = watch::is_interrupted();
        match answer {
            Ok(answer) => answered.push(Answered {
                rule: series.rule,
                name: series.name,
                expression: series.expression,
                dialect: Some(series.dialect.to_string()),
                parameters: series.parameters,
                ordered: args.ordered,
                warnings: series.reading.warnings,
                answer,
            }),
            Err(error) => refused.push(series.refused(error)),
        }
        if is_partial {
            status = Status::Interrupted;
            break;
        }
    }
    refused.sort_by_key(|refused| refused.rule);
    outputs.write(&answered, refused, &style(args))?;
    terminal::complain(&checks);
    if args.explain {
        terminal::complain(plan.finish());
    }
    Ok(status)
}

/// How much one analysis may cost.
pub(super) fn limits(args: &Args) -> Limits {
    let limits = Limits::default();
    let time = args.time_limit.or(limits.time);
    limits
        .with_time(time)
        .with_states(args.max_states)
        .with_memory(args.max_memory)
        .with_outcomes(args.max_outcomes)
        .with_tolerance(args.tolerance.clone())
}

/// The distribution of one series: exact, or sampled where that takes too long and is allowed.
fn answer(
    args: &Args,
    limits: &Limits,
    series: &Series,
    label: String,
    (seed, stream): (u64, u64),
    plan: &mut Plan,
) -> Result<Result<Answer, Error>, Stop> {
    let program = series.reading.program.clone();
    let progress = Progress::start(label, args.quiet, args.explain);
    let started = Instant::now();
    let program = if args.ordered {
        program
    } else {
        program.sorted()
    };
    let answer = if args.exact {
        engine::analyze(&program, limits, &progress)
    } else {
        let request = Request::default()
            .with_samples(args.samples)
            .with_seed(seed);
        // Each series has its own random numbers: chunks of samples are fewer than 2^32.
        let generator = |chunk: u64| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            generator.set_stream(stream << 32 | chunk);
            generator
        };
        analyze_or_estimate(&program, &request, generator, limits, &progress)
    };
    let answer = match answer {
        Err(error) if is_too_large(&error) => {
            let limits = limits.clone().after(started.elapsed());
            around_queries(args, &limits, &program, error, &progress)
        }
        answer => answer,
    };
    plan.add(series, &answer, &progress, started.elapsed());
    // What was sampled until then is an answer as well.
    if watch::is_interrupted() && answer.is_err() {
        return Err(Stop::Interrupted);
    }
    Ok(answer)
}

/// Whether a distribution has no room.
fn is_too_large(error: &Error) -> bool {
    let remedy = error.diagnostics()[0].remedy.as_ref();
    matches!(remedy, Some(Remedy::RaiseLimit(LimitReached::Memory(_))))
}

/// Of a distribution that has no room, what was asked for, if that is about one number.
fn around_queries(
    args: &Args,
    limits: &Limits,
    program: &Program,
    error: Error,
    progress: &Progress,
) -> Result<Answer, Error> {
    let Some((first, others)) = args.queries.split_first() else {
        return Err(error);
    };
    let number = first.value();
    if others.iter().any(|other| other.value() != number) {
        return Err(error.map(|diagnostic| {
            diagnostic.with_help("ask about one number at a time, which may need far less")
        }));
    }
    match engine::analyze_around(program, number, limits, progress) {
        Ok(answer) => answer.ok_or(error),
        Err(other) => Err(other),
    }
}

/// Says of an answer that it is sampled, if it is, and why.
fn sampled(answer: &Answer, args: &Args) -> Option<Diagnostic> {
    let sampling = answer.sampling()?;
    let Route::Sampled(Some(reached)) = answer.route else {
        return None;
    };
    let message = format!("an estimate from random rolls, because {reached}");
    let warning = Diagnostic::without_place(message).with_remedy(Remedy::RaiseLimit(reached));
    let warning = remedy::with_option(warning);
    let (taken, wanted) = (sampling.samples, args.samples);
    if taken == wanted {
        return Some(warning);
    }
    let why = if watch::is_interrupted() {
        "stopped"
    } else {
        "out of time or memory"
    };
    Some(warning.with_note(format!("{why} after {taken} of {wanted} rolls")))
}

/// Says that a view has no meaning for an answer, if it has none.
fn unordered(answer: &Answer, args: &Args) -> Option<Diagnostic> {
    let is_list = matches!(answer.outcomes, Outcomes::Lists(_));
    let warning = Diagnostic::without_place("a list has no order: --view changes nothing here");
    (is_list && args.view != args::View::Exactly)
        .then(|| warning.with_help("make it a number, for example with `sum` or `count`"))
}

/// What the slow evaluator says about an answer, and the status that this means.
fn check(
    args: &Args,
    limits: &Limits,
    series: &Series,
    answer: &Result<Answer, Error>,
) -> Result<(String, Status), Stop> {
    let program = series.reading.program.clone();
    let program = if args.ordered {
        program
    } else {
        program.sorted()
    };
    let label = series.label();
    let verdict = check::compare(answer, &limits.tolerance, || {
        let progress = Progress::start(format!("check of {label}"), args.quiet, false);
        enumerate::enumerate(&program, limits, &progress)
    });
    if watch::is_interrupted() {
        return Err(Stop::Interrupted);
    }
    let (words, status) = match verdict {
        Verdict::Agree => ("both evaluators agree".into(), Status::Answered),
        Verdict::Differ(how) => (
            format!("the evaluators differ, so dicedist has a mistake; please report it: {how}"),
            Status::Disagreement,
        ),
        Verdict::NoOther => (
            "answered by the slow evaluator; nothing to compare with".into(),
            Status::Answered,
        ),
        Verdict::SameError => (
            "the slow evaluator finds the same error; it may have found the first one, too".into(),
            Status::Answered,
        ),
        Verdict::Unknown(why) => (why, Status::Limit),
    };
    Ok((format!("check: {label}: {words}\n"), status))
}

pub(super) fn style(args: &Args) -> Style {
    let mut style = Style {
        fractions: args.fractions,
        all: args.all,
        way_to_all: Some("--all shows every row".into()),
        width: terminal::width(),
        color: terminal::is_output_colored(args.color),
        view: match args.view {
            args::View::AtLeast => View::AtLeast,
            args::View::AtMost => View::AtMost,
            args::View::Exactly => View::Exactly,
        },
        queries: args.queries.clone(),
        ..Style::default()
    };
    if let Some(digits) = args.digits {
        style.digits = digits.into();
    }
    style
}

/// What `--explain` prints.
#[derive(Debug, Default)]
struct Plan {
    text: String,
    time: Duration,
}

impl Plan {
    fn add(
        &mut self,
        series: &Series,
        answer: &Result<Answer, Error>,
        progress: &Progress,
        time: Duration,
    ) {
        self.time += time;
        let time = milliseconds(time);
        let label = series.label();
        let result = match answer {
            Ok(answer) => format!(
                "  {}: {} states, {} outcomes, {time}",
                route(answer.route),
                answer.states,
                answer.outcomes.len()
            ),
            Err(error) => format!("  ended after {time}: {error}"),
        };
        let tree = progress.plan();
        let _ = writeln!(self.text, "plan of {label}:\n{tree}{result}");
    }

    fn finish(mut self) -> String {
        let _ = writeln!(self.text, "time: {}", milliseconds(self.time));
        self.text
    }
}

/// How an answer was found, in words.
fn route(route: Route) -> String {
    match route {
        Route::Enumerated(reason) => format!("every path listed ({reason})"),
        Route::Residual => "residual programs".into(),
        Route::Sampled(_) => "random rolls".into(),
        _ => "found otherwise".into(),
    }
}

/// A time as `3.142 ms`.
pub(super) fn milliseconds(time: Duration) -> String {
    let micros = (time.as_nanos() + 500) / 1000;
    format!("{}.{:03} ms", micros / 1000, micros % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_milliseconds_with_three_digits() {
        assert_eq!(milliseconds(Duration::from_nanos(3_141_592)), "3.142 ms");
        assert_eq!(milliseconds(Duration::from_secs(2)), "2000.000 ms");
        assert_eq!(milliseconds(Duration::from_nanos(7_400)), "0.007 ms");
    }
}
