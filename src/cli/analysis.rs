//! The main action: exact distributions, written where the arguments say.

use std::time::{Duration, Instant};

use dicedist::engine::estimate::Request;
use dicedist::engine::{self, Outcomes, Route, enumerate};
use dicedist::ir::Program;
use dicedist::limits::{Budget, LimitReached, Unobserved};
use dicedist::notation::Kind;
use dicedist::number::{Fraction, Integer, Overflow, Unit};
use dicedist::report::{Answered, Query, Refused, Report, View, decimal};
use dicedist::source::{Source, Span};
use dicedist::summary::{self, Moment};
use dicedist::{Answer, Diagnostic, Error, ErrorKind, Limits, Rule};

use super::args::Args;
use super::chances::{self, Chance, Conditions};
use super::check::{self, Verdict};
use super::complaints::Warnings;
use super::echo::echoed;
use super::explanation::Explanation;
use super::output::Outputs;
use super::progress::Progress;
use super::remedy;
use super::series::Series;
use super::status::{Status, Stop};
use super::terminal;
use super::watch;

/// Answers every series and writes all outputs. Adds to `refused` what could not be answered.
pub(super) fn analyze<'a>(
    args: &Args,
    budget: &Budget<'_>,
    outputs: Outputs,
    all: Vec<Series<'a>>,
    refused: &mut Vec<Refused>,
    warnings: &mut Warnings<'a>,
) -> Result<Status, Stop> {
    let mut answered = Vec::new();
    let mut explanation = Explanation::default();
    let mut checks = String::new();
    let mut status = Status::Answered;
    let mut has_lists = false;
    let mut is_ambiguous = false;
    let count = all.len();
    let seed = args.seed_or_new();
    let unit = unit_of_call(args, &all)?;
    let queries = chances::with_yes_and_no(args.queries(&unit), &all);
    let numbers: Vec<Integer> = queries.iter().filter_map(Query::number).cloned().collect();
    let asked = Conditions::among(&queries);
    chances::refuse_unknown_labels(&queries, &all)?;
    let mut stopped = Stopped::default();
    for (index, mut series) in all.into_iter().enumerate() {
        if stopped.has(&series) {
            continue;
        }
        let chances = asked.on(&series);
        let program = series.reading.program.clone();
        series.reading.program = program.converted(&unit).expect("the unit is common");
        let label = match count {
            1 => series.label(),
            _ => format!("{} ({} of {count})", series.label(), index + 1),
        };
        let rolls = Rolls {
            seed,
            stream: u32::try_from(index).expect("there are fewer than 2^32 rules"),
        };
        // A check is one more piece of work for each rule, and so is each condition.
        let mut pieces = (count - index) * (1 + usize::from(args.check) + asked.len());
        let (answer, mean) = answer(
            args,
            &budget.share(pieces),
            (&series, label),
            rolls,
            (&queries, count > 1),
            &mut explanation,
        )?;
        if let Ok(answer) = &answer {
            let may_warn = !is_ambiguous && index < MOST_COMPARED;
            let other = may_warn.then(|| ambiguous(args, &series, answer)).flatten();
            is_ambiguous |= other.is_some();
            let said = [sampled(answer, args), undecided(answer), other];
            for warning in said.into_iter().flatten() {
                warnings.add(Some(series.source), warning.clone());
                series.reading.warnings.push(warning);
            }
        }
        if args.check {
            pieces -= 1;
            let (line, verdict) = check(args, (budget, pieces), &series, &answer)?;
            checks.push_str(&line);
            status = status.max(verdict);
        }
        let answer = answer.and_then(|answer| of_part(answer, args));
        let warning = answer.iter().find_map(|answer| unordered(answer, args));
        if let Some(warning) = warning {
            if !std::mem::replace(&mut has_lists, true) {
                warnings.add(Some(series.source), warning.clone());
            }
            series.reading.warnings.push(warning);
        }
        let numbers = outputs.is_for_queries_only(args).then_some(&numbers[..]);
        let answer = answer.and_then(|answer| written(answer, numbers, budget));
        let mut hold = |chance: &Chance| {
            pieces -= 1;
            let limits = budget.share(pieces);
            let progress = Progress::start(chance.text.to_string(), args.quiet, false);
            solved(args, &limits, &chance.program, rolls, &progress)
        };
        match answer.map(|answer| (answer, chances::answered(chances, &mut hold))) {
            Err(error) => {
                stopped.note(&series, &error);
                refused.push(series.refused(error));
            }
            Ok((_, Err((source, error)))) => refused.push(series.refused_by(source, error)),
            Ok((answer, Ok(conditions))) => {
                let holds = asked.holding(args, &answer, &series.parameters);
                let mut answer = series.answered(answer);
                answer.ordered = args.ordered;
                answer.conditions = conditions;
                answer.holds = holds;
                answer.mean = mean;
                answered.push(answer);
            }
        }
    }
    refused.sort_by_key(|refused| refused.rule);
    let asked = (queries, &unit);
    if let Some(reached) = write(args, asked, budget, outputs, answered, refused)? {
        status = status.max(Status::Limit);
        warnings.add(None, not_compared(reached));
    }
    terminal::complain(&checks);
    if args.explain {
        terminal::complain(explanation.finish());
    }
    Ok(status)
}

/// Writes all outputs. Returns the limit at which comparing the rules ended.
fn write(
    args: &Args,
    (queries, unit): (Vec<Query>, &Unit),
    budget: &Budget<'_>,
    outputs: Outputs,
    answered: Vec<Answered>,
    refused: &[Refused],
) -> Result<Option<LimitReached>, Stop> {
    let mut style = args.style(unit);
    style.queries = queries;
    let overtime = watch::overtime(budget);
    let progress = Progress::start(String::new(), true, false);
    let writing = Budget::start(&overtime, &progress);
    let report = Report::of(&answered).with_refused(refused).within(&writing);
    outputs.write(&report, &style, &writing)?;
    let limit = report.limit();
    // The process ends soon. Freeing long answers by hand would take time for nothing.
    std::mem::forget(answered);
    Ok(limit)
}

/// The part of an answer that is written: what is known about some numbers, or everything.
fn written(
    answer: Answer,
    numbers: Option<&[Integer]>,
    budget: &Budget<'_>,
) -> Result<Answer, Error> {
    match numbers {
        Some(numbers) => Ok(answer.about(numbers)),
        None => answer.unpacked(budget).map_err(Error::from),
    }
}

/// The runs of programs that an error in one result has stopped.
#[derive(Debug, Default)]
struct Stopped(Vec<Run>);

/// The run of a program: its text, its place there, and the values of its variables.
type Run = (*const Source, Span, Vec<(String, Integer)>);

impl Stopped {
    /// Whether the program that a series is a result of was stopped.
    fn has(&self, series: &Series) -> bool {
        !self.0.is_empty() && self.0.contains(&Self::run_of(series))
    }

    /// Notes an error. A limit stops no program, because other results may need less.
    fn note(&mut self, series: &Series, error: &Error) {
        if series.parsed.dialect().runs_programs() && !error.is_limit() {
            self.0.push(Self::run_of(series));
        }
    }

    fn run_of(series: &Series) -> Run {
        let source = std::ptr::from_ref(series.source);
        (source, series.parsed.span(), series.parameters.clone())
    }
}

/// The distribution of the part that was asked for, or the whole answer.
fn of_part(answer: Answer, args: &Args) -> Result<Answer, Error> {
    let Some(name) = &args.part else {
        return Ok(answer);
    };
    if let Some(part) = answer.part(name) {
        return Ok(part);
    }
    let names: Vec<&str> = answer.part_names().collect();
    let message = match answer.sampling() {
        Some(_) => "a part of a sampled record has no distribution of its own".to_owned(),
        None => format!("the value has no part '{}'", echoed(name)),
    };
    let finding = Diagnostic::without_place(message);
    let help = match (names.is_empty(), answer.sampling()) {
        (_, Some(_)) => format!("write `{name} of (…)` for the rule itself"),
        (true, None) => "only records have parts, as in `{hits: 2, ones: 1}`".to_owned(),
        (false, None) => format!("its parts are {}", names.join(", ")),
    };
    Err(Error::new(ErrorKind::Unbound, finding.with_help(help)))
}

/// The unit in which all outcomes of a call, and all numbers that are asked about, are whole.
fn unit_of_call(args: &Args, all: &[Series]) -> Result<Unit, Stop> {
    let programs = all
        .iter()
        .map(|series| series.reading.program.unit().clone());
    let asked = args.asked.iter().filter_map(|asked| {
        let parts = Integer::from_big(asked.number()?.denom().clone()).ok()?;
        Unit::new(parts)
    });
    let mut units = programs.chain(asked);
    let common = units.try_fold(Unit::WHOLE, |unit, other| unit.common(&other));
    common.map_err(|Overflow| {
        let message = "the values of these rules have no common denominator within the limits";
        Stop::Message(Status::Limit, message.into())
    })
}

/// The distribution of one series: exact, or sampled where that takes too long and is allowed.
fn answer(
    args: &Args,
    limits: &Limits,
    (series, label): (&Series, String),
    rolls: Rolls,
    (queries, is_one_of_several): (&[Query], bool),
    explanation: &mut Explanation,
) -> Result<(Result<Answer, Error>, Option<Moment>), Stop> {
    let progress = Progress::start(label, args.quiet, args.explain);
    let started = Instant::now();
    let program = series.reading.program.clone();
    let program = if args.ordered {
        program
    } else {
        program.sorted()
    };
    let answer = if series.reading.kind == Kind::Nothing {
        Ok(Answer::nothing())
    } else {
        solved(args, limits, &program, rolls, &progress)
    };
    // The mean stands beside the chances of several rules.
    let is_shown = is_one_of_several && !queries.is_empty();
    let is_short = |answer: &&Answer| is_shown && answer.outcomes().len() <= MOST_FOR_MEAN;
    let mean = answer.iter().find(is_short).map(summary::mean);
    let answer = match answer {
        Err(error) if matches!(error.limit(), Some(LimitReached::Memory(_))) => {
            around_queries(queries, limits, &program, error, &progress)
        }
        answer => answer,
    };
    explanation.add(series, &answer, &progress, started.elapsed());
    if args.explain && answer.is_ok() {
        let plans = engine::strategy(&program, limits, &progress);
        explanation.add_strategy(series, plans, &args.style(&Unit::WHOLE));
    }
    if watch::is_interrupted() {
        return Err(Stop::Interrupted);
    }
    Ok((answer, mean))
}

/// The random numbers of a series, should it be sampled: a seed, and a stream of its own. All conditions on its value see the same
/// rolls.
#[derive(Clone, Copy)]
struct Rolls {
    seed: u64,
    stream: u32,
}

/// The distribution of a program as it is: exact, or sampled where that takes too long and is allowed.
fn solved(
    args: &Args,
    limits: &Limits,
    program: &Program,
    Rolls { seed, stream }: Rolls,
    progress: &Progress,
) -> Result<Answer, Error> {
    if let Some(time) = limits.time.filter(|time| limits.spent >= *time) {
        // A small rule would be answered before it looks at the clock, and so would ten thousand small ones.
        return Err(LimitReached::Time(time).into());
    }
    let rule = Rule::from(program.clone());
    let solver = rule.solver().limits(limits.clone()).observe(progress);
    let solver = solver.in_order().stream(stream);
    if args.exact {
        return solver.answer();
    }
    let request = Request::default().with_samples(args.samples);
    solver.sample_by(request.with_seed(seed)).answer()
}

/// The probabilities that were asked for, where the whole distribution does not fit the memory: possible if all of them
/// are about one number.
fn around_queries(
    queries: &[Query],
    limits: &Limits,
    program: &Program,
    error: Error,
    progress: &Progress,
) -> Result<Answer, Error> {
    let Some((first, others)) = queries.split_first() else {
        return Err(error);
    };
    let Some(number) = first.number() else {
        return Err(error);
    };
    if others.iter().any(|other| other.number() != Some(number)) {
        return Err(error.map(|diagnostic| {
            diagnostic.with_help("ask about one number at a time, which may need far less")
        }));
    }
    match engine::analyze_around(program, number, limits, progress) {
        Ok(answer) => answer.ok_or(error),
        Err(other) => Err(other),
    }
}

/// The warning that an answer is sampled, with the reason; `None` for an exact answer.
fn sampled(answer: &Answer, args: &Args) -> Option<Diagnostic> {
    let sampling = answer.sampling()?;
    let Route::Sampled(Some(reached)) = answer.route else {
        return None;
    };
    let message = format!("an estimate from random rolls, because {reached}");
    let warning = remedy::with_option(Diagnostic::without_place(message), reached);
    let (taken, wanted) = (sampling.samples, args.samples);
    Some(match sampling.stopped {
        None => warning,
        Some(limit) => {
            let limit = limit.name();
            warning.with_note(format!("out of {limit} after {taken} of {wanted} rolls"))
        }
    })
}

/// The most outcomes whose mean is computed where only chances are asked for.
const MOST_FOR_MEAN: usize = 100_000;

/// The most rules whose other reading is looked at.
const MOST_COMPARED: usize = 20;

/// The most states for the other reading of a text, which is only compared.
const STATES_OF_OTHER: u64 = 20_000;

/// The warning that another notation reads the same text otherwise, where nobody named a notation.
fn ambiguous(args: &Args, series: &Series, answer: &Answer) -> Option<Diagnostic> {
    let other = series.other.as_ref()?;
    let parameters = series.parameters.iter().cloned().collect();
    let settings = args.reading().with_parameters(parameters);
    let program = other.lower(&settings).ok()?.swap_remove(0).program;
    let own = &series.reading.program;
    if program.to_string() == own.to_string() && program.unit() == own.unit() {
        return None;
    }
    let program = if args.ordered {
        program
    } else {
        program.sorted()
    };
    let limits = Limits::default()
        .with_states(STATES_OF_OTHER)
        .with_time(Some(Duration::from_millis(200)));
    let same = engine::analyze(&program, &limits, &Unobserved).is_ok_and(|read| {
        let listed = |answer: &Answer| -> Vec<_> {
            let outcomes = answer.outcomes().iter();
            outcomes
                .map(|(value, weight)| {
                    (
                        value.exact(&answer.unit, &answer.shape),
                        answer.probability(weight),
                    )
                })
                .collect()
        };
        answer.is_complete() && read.is_complete() && listed(answer) == listed(&read)
    });
    let dialect = other.dialect();
    let own = series.parsed.dialect();
    let span = series.parsed.span();
    let message = format!("{dialect} reads this otherwise, and this is read as {own}");
    (!same).then(|| {
        Diagnostic::new(span, message).with_help(format!(
            "write `-d {dialect}` for the other reading, or `-d {own}` for this one without the warning"
        ))
    })
}

/// The warning that an error could be neither found nor excluded.
fn undecided(answer: &Answer) -> Option<Diagnostic> {
    if answer.may_fail == Fraction::default() {
        return None;
    }
    let most = decimal::nearest(&answer.may_fail);
    let message = format!("this rule may fail, with a probability of no more than {most:.2e}");
    let warning = Diagnostic::without_place(message);
    let note = "the states that were followed neither lead to the error nor exclude it";
    let help = "raise --max-states or lower --tolerance, so that more states are followed";
    Some(warning.with_note(note).with_help(help))
}

/// The warning that comparing took too long.
fn not_compared(reached: LimitReached) -> Diagnostic {
    let message = format!(
        "not all rules are compared, because the limit of {} is reached",
        reached.name()
    );
    remedy::with_option(Diagnostic::without_place(message), reached)
}

/// The warning that `--view` changes nothing because the outcomes are lists.
fn unordered(answer: &Answer, args: &Args) -> Option<Diagnostic> {
    let is_list = matches!(answer.outcomes(), Outcomes::Lists(_));
    let warning = Diagnostic::without_place("a list has no order: --view changes nothing here");
    (is_list && args.view() != View::Exactly)
        .then(|| warning.with_help("make it a number, for example with `sum` or `count`"))
}

/// A line that compares an answer with the slow evaluator, and the exit status that follows.
fn check(
    args: &Args,
    (budget, pieces): (&Budget<'_>, usize),
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
    let progress = Progress::start(format!("check of {label}"), args.quiet, false);
    let limits = budget.share(pieces);
    let checking = Budget::start(&limits, &progress);
    let verdict = check::compare(answer, &checking, || {
        // The other half of the time is for comparing.
        enumerate::enumerate(&program, &checking.half_of_rest(), &progress)
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
