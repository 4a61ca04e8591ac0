//! The main action: exact distributions, written where the arguments say.

use std::time::Instant;

use dicedist::ask::{self, Asking, Question, Series, Solved, Turn};
use dicedist::engine::{self, Outcomes, Plan, enumerate};
use dicedist::limits::{Budget, LimitReached};
use dicedist::notation::Kind;
use dicedist::report::strategy::PlannedRule;
use dicedist::report::{Answered, Query, Refused, Report, Style, View};
use dicedist::{Answer, Diagnostic, Error, Limits};

use super::args::Args;
use super::check::{self, Verdict};
use super::complaints::Warnings;
use super::explanation::Explanation;
use super::output::Outputs;
use super::progress::Progress;
use super::remedy::{self, in_options};
use super::status::{Status, Stop};
use super::terminal;
use super::watch;

/// Answers every series and writes all outputs. Adds to `refused` what could not be answered.
pub(super) fn analyze(
    args: &Args,
    budget: &Budget<'_>,
    mut outputs: Outputs,
    (question, all): (&Question, Vec<Series>),
    refused: &mut Vec<Refused>,
    warnings: &mut Warnings,
) -> Result<Status, Stop> {
    let has_choices = |series: &Series| series.reading.program.arena().has_choices();
    if outputs.have_plan() && !all.is_empty() && !all.iter().any(has_choices) {
        let message = "there is no plan to write: no rule has a choice, as `best y in L do E` is";
        return Err(Stop::usage(message));
    }
    let mut explanation = Explanation::default();
    let mut planned: Vec<PlannedRule> = Vec::new();
    let mut checks = String::new();
    let mut status = Status::Answered;
    let mut has_lists = false;
    let asking = Asking::start(question, all, budget)?;
    // A check is one more piece of work for each rule.
    let mut asking = asking.with_others(usize::from(args.check));
    let explained = args.explain.then(|| args.style());
    asking.each(
        args.rules_at_once(),
        work(args.quiet, explained, outputs.have_plan()),
        |asking, mut solved, (explained, plans)| {
            explanation.add(&explained);
            if outputs.have_plan()
                && let Some(plans) = plans
            {
                planned.push(PlannedRule {
                    name: solved.series.label(),
                    source: solved.series.source.clone(),
                    plans: plans.map_err(|error| {
                        Stop::Message(Status::Limit, format!("no plan: {error}"))
                    })?,
                });
            }
            if watch::is_interrupted() {
                return Err(Stop::Interrupted);
            }
            let found = std::mem::take(&mut solved.warnings);
            solved.warnings = found.into_iter().map(remedy::with_option).collect();
            for warning in &solved.warnings {
                warnings.add(Some(solved.series.source.clone()), warning.clone());
            }
            if args.check {
                let (line, verdict) = check(args, &asking.share(), &solved)?;
                checks.push_str(&line);
                status = status.max(verdict);
            }
            if let Some(name) = &question.part {
                solved = solved.part(name);
            }
            let warning = solved
                .answer
                .iter()
                .find_map(|answer| unordered(answer, args));
            if let Some(warning) = warning {
                if !std::mem::replace(&mut has_lists, true) {
                    warnings.add(Some(solved.series.source.clone()), warning.clone());
                }
                solved.warnings.push(warning);
            }
            asking.keep(solved);
            Ok(())
        },
    )?;
    outputs.write_plan(&planned, &args.style(), budget)?;
    let answers = asking.finish();
    refused.extend(answers.refused.into_iter().map(in_options));
    refused.sort_by_key(|refused| refused.rule);
    if let Some(reached) = write(
        args,
        answers.queries,
        budget,
        outputs,
        answers.answered,
        refused,
    )? {
        status = status.max(Status::Limit);
        warnings.add(None, remedy::with_option(ask::not_compared(reached)));
    }
    terminal::complain(&checks);
    if args.explain {
        terminal::complain(explanation.finish());
    }
    Ok(status)
}

/// The plans of a rule with choices that was answered, if they are asked for.
type Plans = Option<Result<Vec<Plan>, Error>>;

/// Solves a rule, explains how if a style is given, and finds its plans if they are asked for.
fn work<'q>(
    quiet: bool,
    explained: Option<Style>,
    have_plan: bool,
) -> impl Fn(Turn<'q>) -> (Solved<'q>, (Explanation, Plans)) + Sync {
    move |turn| {
        let progress = Progress::start(turn.label(), quiet, explained.is_some());
        let started = Instant::now();
        let solved = turn.solve(&progress);
        let mut explanation = Explanation::default();
        if explained.is_some() {
            explanation.of(&solved, &progress, started.elapsed());
        }
        let is_asked = solved.answer.is_ok() && (explained.is_some() || have_plan);
        let plans = is_asked.then(|| engine::strategy(&solved.program, &solved.limits, &progress));
        if let (Some(plans), Some(style)) = (&plans, &explained) {
            explanation.of_strategy(&solved.series, plans, style);
        }
        (solved, (explanation, plans))
    }
}

/// Writes all outputs. Returns the limit at which comparing the rules ended.
fn write(
    args: &Args,
    queries: Vec<Query>,
    budget: &Budget<'_>,
    outputs: Outputs,
    mut answered: Vec<Answered>,
    refused: &mut Vec<Refused>,
) -> Result<Option<LimitReached>, Stop> {
    let names = answered.iter_mut().flat_map(|rule| &mut rule.parameters);
    for (name, _) in names {
        let called = args.call.iter().find(|(own, _)| own == name);
        if let Some((_, called)) = called {
            name.clone_from(called);
        }
    }
    let mut style = args.style();
    style.queries = queries;
    let overtime = watch::overtime(budget);
    let progress = Progress::start(String::new(), true, false);
    let writing = Budget::start(&overtime, &progress);
    let mut summaries = Vec::new();
    if outputs.have_figures(&style) {
        let limit;
        (summaries, limit) = Report::summaries_within(&answered, &writing);
        if let Some(reached) = limit {
            // After an interruption no answers are written.
            let stop = Stop::from(reached);
            if matches!(stop, Stop::Interrupted) {
                return Err(stop);
            }
            let late = answered.split_off(summaries.len());
            let errors = late.iter().map(|rule| rule.refused(reached.into()));
            refused.extend(errors.map(in_options));
            std::mem::forget(late);
        }
    }
    let mut report = Report::of(&answered).with_refused(refused);
    if !summaries.is_empty() {
        report = report.with_summaries(summaries);
    }
    let report = report.within(&writing);
    outputs.write(&report, &style, &writing)?;
    let limit = report.limit();
    // The process ends soon. Freeing long answers by hand would take time for nothing.
    std::mem::forget(answered);
    Ok(limit)
}

/// The warning that `--view` changes nothing because the outcomes are lists.
fn unordered(answer: &Answer, args: &Args) -> Option<Diagnostic> {
    let is_list = matches!(answer.outcomes(), Outcomes::Lists(_));
    let warning = Diagnostic::without_place("a list has no order: --view changes nothing here");
    (is_list && args.view() != View::Exactly)
        .then(|| warning.with_help("make it a number, for example with `sum` or `count`"))
}

/// A line that compares an answer with the slow evaluator, and the exit status that follows.
fn check(args: &Args, limits: &Limits, solved: &Solved<'_>) -> Result<(String, Status), Stop> {
    let label = solved.series.label();
    let progress = Progress::start(format!("check of {label}"), args.quiet, false);
    let checking = Budget::start(limits, &progress);
    let verdict = match solved.series.reading.kind {
        Kind::Nothing => Verdict::Empty,
        _ => check::compare(&solved.answer, &checking, || {
            // The other half of the time is for comparing.
            enumerate::enumerate(&solved.program, &checking.half_of_rest(), &progress)
        }),
    };
    if watch::is_interrupted() {
        return Err(Stop::Interrupted);
    }
    let (words, status) = match verdict {
        Verdict::Agree => (
            "both evaluators agree (they share the reader of the text and the core program that it makes)".into(),
            Status::Answered,
        ),
        Verdict::Differ(how) => (
            format!("the evaluators differ, so dicedist has a mistake; please report it: {how}"),
            Status::Disagreement,
        ),
        Verdict::Empty => (
            "nothing comes out of it, so there is nothing to compare".into(),
            Status::Answered,
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
