//! The answers to a question, rule by rule.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::conditions::{self, Chance, Conditions, WrongCondition};
use super::jobs;
use super::misfit::Misfit;
use super::question::Question;
use super::series::{Run, Series};
use super::warnings::{ambiguous, sampled, undecided, within};
use crate::engine::{self, Answer};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::Program;
use crate::limits::{Budget, LimitReached, Limits, Observer};
use crate::notation::Kind;
use crate::number::{Integer, Overflow, Unit};
use crate::report::{Answered, Query, Refused};
use crate::rule::Rule;
use crate::source::{Source, echoed};
use crate::summary::{self, Moment};
use web_time::Instant;

/// The most outcomes of an answer whose mean is computed although only chances are asked for.
const MOST_FOR_MEAN: usize = 100_000;

/// The first rules, up to this number, are checked for another notation that reads them differently.
const MOST_COMPARED: usize = 20;

/// A question whose rules are read, while they are answered. Each rule has an equal share of the time that is left.
#[derive(Debug)]
pub struct Asking<'q> {
    asked: Arc<What<'q>>,
    budget: &'q Budget<'q>,
    waiting: std::vec::IntoIter<Series>,
    index: usize,
    /// How many other pieces of work each rule has beside solving: [`Asking::share`].
    others: usize,
    /// The pieces of work that are left.
    pieces: usize,
    /// The rules that may be solved at the same time.
    at_once: NonZeroUsize,
    /// The runs of programs that an error in one result has stopped.
    stopped: Vec<Run>,
    is_ambiguous: bool,
    answers: Answers,
}

/// What is asked of each rule.
#[derive(Debug)]
struct What<'q> {
    question: &'q Question,
    queries: Vec<Query>,
    /// The numbers that are asked about.
    numbers: Vec<Integer>,
    /// The unit in which all values, and all numbers that are asked about, are whole.
    unit: Unit,
    conditions: Conditions,
    /// The number of rules.
    count: usize,
}

/// What a question was answered with.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Answers {
    /// The rules with an answer, in the order of the texts.
    pub answered: Vec<Answered>,
    /// The rules without one, in the order of the texts.
    pub refused: Vec<Refused>,
    /// What was asked, in the unit.
    pub queries: Vec<Query>,
    /// Findings that belong to no rule.
    pub warnings: Vec<(Source, Diagnostic)>,
    /// The notations other than the default that nobody named.
    pub guessed: Vec<crate::notation::Dialect>,
}

/// A rule whose turn it is. It can be solved on any thread.
#[derive(Clone, Debug)]
pub struct Turn<'q> {
    asked: Arc<What<'q>>,
    series: Series,
    chances: Result<Vec<Chance>, WrongCondition>,
    index: usize,
    /// The limits of the question, including what was spent before the turn.
    limits: Limits,
    began: Instant,
    /// The pieces of work from this turn on.
    pieces: usize,
    /// How many other rules may be solved at the same time.
    at_once: NonZeroUsize,
}

impl Turn<'_> {
    /// The name of the rule with its values, and its place among all rules where there are several.
    #[must_use]
    pub fn label(&self) -> String {
        let label = self.series.label();
        match self.asked.count {
            1 => label,
            count => format!("{label} ({} of {count})", self.index + 1),
        }
    }
}

/// A rule with its distribution, or with the reason why it has none.
#[derive(Debug)]
#[non_exhaustive]
pub struct Solved<'q> {
    /// The rule.
    pub series: Series,
    /// The program that was solved.
    pub program: Program,
    /// Its distribution.
    pub answer: Result<Answer, Error>,
    /// What is to be said about the answer. Reports show it with the rule.
    pub warnings: Vec<Diagnostic>,
    /// The limits that it was solved within.
    pub limits: Limits,
    conditions: Result<BTreeMap<Arc<str>, Answer>, WrongCondition>,
    mean: Option<Moment>,
    turn: Turn<'q>,
}

impl Solved<'_> {
    /// The same rule with the distribution of one part of its records.
    #[must_use]
    pub fn part(self, name: &str) -> Self {
        let answer = self.answer.and_then(|answer| part(&answer, name));
        Self { answer, ..self }
    }
}

impl Question {
    /// Reads and answers all rules within the limits, one after the other.
    ///
    /// # Errors
    ///
    /// If the question as a whole makes no sense. A rule that cannot be answered is no such error: [`Answers::refused`].
    pub fn answer(&self, limits: &Limits, observer: &dyn Observer) -> Result<Answers, Misfit> {
        let budget = Budget::start(limits, observer);
        self.answered(&budget, |asking, part| {
            while let Some(turn) = asking.turn() {
                let solved = turn.solve(observer);
                if let Some(solved) = asking.admit(solved) {
                    asking.keep(part(solved));
                }
            }
        })
    }

    /// Reads all rules, and answers so many of them at the same time. The answers are those of [`Question::answer`]. The rules
    /// share the memory: one that has not enough is solved again, alone.
    ///
    /// ```
    /// use std::thread::available_parallelism;
    ///
    /// use dicedist::ask::Question;
    /// use dicedist::limits::{Limits, Unobserved};
    ///
    /// let mut question = Question::of("count >=8 n#d10");
    /// question.settings.push("n=1..100".parse()?);
    /// let answers = question.answer_at_once(available_parallelism()?, &Limits::default(), &Unobserved)?;
    /// assert_eq!(answers.answered.len(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Question::answer`].
    pub fn answer_at_once(
        &self,
        rules: NonZeroUsize,
        limits: &Limits,
        observer: &(dyn Observer + Sync),
    ) -> Result<Answers, Misfit> {
        let budget = Budget::start(limits, observer);
        self.answered(&budget, |asking, part| {
            let Ok(()) = asking.each(
                rules,
                |turn| (turn.solve(observer), ()),
                |asking, solved, ()| {
                    asking.keep(part(solved));
                    Ok::<_, Infallible>(())
                },
            );
        })
    }

    fn answered<'q>(
        &'q self,
        budget: &'q Budget<'q>,
        solve: impl FnOnce(&mut Asking<'q>, &dyn Fn(Solved<'q>) -> Solved<'q>),
    ) -> Result<Answers, Misfit> {
        let read = self.read(budget)?;
        let mut asking = Asking::start(self, read.series, budget)?;
        solve(&mut asking, &|solved| match &self.part {
            Some(name) => solved.part(name),
            None => solved,
        });
        let mut answers = asking.finish();
        answers.refused.extend(read.refused);
        answers.refused.sort_by_key(|refused| refused.rule);
        answers.warnings = read.warnings;
        answers.guessed = read.guessed.into_iter().collect();
        Ok(answers)
    }
}

impl<'q> Asking<'q> {
    /// Begins to answer the rules of a question within a budget.
    ///
    /// # Errors
    ///
    /// If what is asked fits none of the rules.
    pub fn start(
        question: &'q Question,
        series: Vec<Series>,
        budget: &'q Budget<'q>,
    ) -> Result<Self, Misfit> {
        let unit = common_unit(question, &series)?;
        let asked = question.asked.iter();
        let queries = asked.filter_map(|asked| asked.query(&unit)).collect();
        let queries = conditions::with_yes_and_no(queries, &series);
        conditions::refuse_unknown_labels(&queries, &series)?;
        let count = series.len();
        let numbers = queries.iter().filter_map(Query::number);
        let asked = What {
            question,
            numbers: numbers.cloned().collect(),
            queries,
            unit,
            conditions: Conditions::among(&question.asked),
            count,
        };
        Ok(Self {
            asked: Arc::new(asked),
            budget,
            waiting: series.into_iter(),
            index: 0,
            others: 0,
            pieces: 0,
            at_once: NonZeroUsize::MIN,
            stopped: Vec::new(),
            is_ambiguous: false,
            answers: Answers::default(),
        })
    }

    /// The same question, where each rule has so many other pieces of work: [`Asking::share`].
    #[must_use]
    pub fn with_others(self, others: usize) -> Self {
        Self { others, ..self }
    }

    /// What is asked, in the unit of all values.
    #[must_use]
    pub fn queries(&self) -> &[Query] {
        &self.asked.queries
    }

    /// The unit in which all values are whole.
    #[must_use]
    pub fn unit(&self) -> &Unit {
        &self.asked.unit
    }

    /// The next rule. The results of a program that an error has stopped are left out.
    ///
    /// # Panics
    ///
    /// Never: the unit is common to all rules.
    pub fn turn(&mut self) -> Option<Turn<'q>> {
        loop {
            let mut series = self.waiting.next()?;
            let index = self.index;
            self.index += 1;
            if self.stopped.iter().any(|run| series.is_of(run)) {
                continue;
            }
            let asked = &self.asked;
            self.pieces = (asked.count - index) * (1 + self.others + asked.conditions.len());
            let chances = asked.conditions.on(&series);
            let program = series.reading.program.clone();
            series.reading.program = program.converted(&asked.unit).expect("the unit is common");
            return Some(Turn {
                asked: Arc::clone(asked),
                series,
                chances,
                index,
                limits: self.budget.rest(),
                began: Instant::now(),
                pieces: self.pieces,
                at_once: self.at_once,
            });
        }
    }

    /// The limits of one more piece of work.
    pub fn share(&mut self) -> Limits {
        self.pieces = self.pieces.saturating_sub(1);
        self.budget.share(self.pieces.max(1))
    }

    /// Solves all waiting rules, so many at the same time. Each rule that is [admitted](Self::admit) goes to `then`, in order, with what
    /// else `work` returned.
    ///
    /// # Errors
    ///
    /// The first error of `then`, after which no more rules are solved.
    pub fn each<T: Send, E>(
        &mut self,
        rules: NonZeroUsize,
        work: impl Fn(Turn<'q>) -> (Solved<'q>, T) + Sync,
        mut then: impl FnMut(&mut Self, Solved<'q>, T) -> Result<(), E>,
    ) -> Result<(), E> {
        self.at_once =
            rules.min(NonZeroUsize::new(self.waiting.len()).unwrap_or(NonZeroUsize::MIN));
        let settle = |asking: &Self, (solved, more): (Solved<'q>, T)| {
            if !solved.lacks_memory() {
                return Ok((solved, more));
            }
            Err(Box::new(Turn {
                limits: asking.budget.rest(),
                began: Instant::now(),
                at_once: NonZeroUsize::MIN,
                ..solved.turn
            }))
        };
        let at_once = self.at_once;
        jobs::in_order(
            self,
            at_once,
            Self::turn,
            work,
            settle,
            |asking, (solved, more)| match asking.admit(solved) {
                Some(solved) => then(asking, solved, more),
                None => Ok(()),
            },
        )
    }

    /// A solved rule, unless it is a result of a program that an error in an earlier result has stopped. The rule gets a warning if another
    /// notation reads it differently.
    pub fn admit(&mut self, mut solved: Solved<'q>) -> Option<Solved<'q>> {
        if self.stopped.iter().any(|run| solved.series.is_of(run)) {
            return None;
        }
        if let Ok(answer) = &solved.answer
            && !self.is_ambiguous
            && solved.turn.index < MOST_COMPARED
        {
            let question = self.asked.question;
            let other = ambiguous(&solved.series, answer, &question.reading, question.ordered);
            self.is_ambiguous = other.is_some();
            solved.warnings.extend(other);
        }
        Some(solved)
    }

    /// Keeps the whole answer to a rule.
    pub fn keep(&mut self, solved: Solved<'_>) {
        let Solved {
            mut series,
            answer,
            warnings,
            conditions,
            mean,
            ..
        } = solved;
        series.reading.warnings.extend(warnings);
        let answer = match answer.and_then(|answer| self.written(answer)) {
            Ok(answer) => answer,
            Err(error) => {
                // A limit stops no program, because other results may need less.
                if series.parsed.dialect().runs_programs() && !error.is_limit() {
                    self.stopped.push(series.run());
                }
                self.answers.refused.push(series.refused(error));
                return;
            }
        };
        match conditions {
            Err((source, error)) => {
                let refused = series.refused_by(source, error);
                self.answers.refused.push(refused);
            }
            Ok(conditions) => {
                let asked = &self.asked;
                // Pictures of sweeps do not show it.
                let is_swept = asked.count > 1 && !series.parameters.is_empty();
                let most = asked.question.marked / asked.count.max(1);
                let holds = if is_swept {
                    BTreeMap::new()
                } else {
                    let conditions = &asked.conditions;
                    conditions.holding(&answer, &series.parameters, most, self.budget)
                };
                let mut answered = series.answered(answer);
                answered.ordered = asked.question.ordered;
                answered.conditions = conditions;
                answered.holds = holds;
                answered.mean = mean;
                self.answers.answered.push(answered);
            }
        }
    }

    /// All answers.
    #[must_use]
    pub fn finish(mut self) -> Answers {
        self.answers.refused.sort_by_key(|refused| refused.rule);
        self.answers.queries.clone_from(&self.asked.queries);
        self.answers
    }

    /// The part of an answer that is kept: what is known about the numbers that are asked for, or everything.
    fn written(&self, answer: Answer) -> Result<Answer, Error> {
        if self.asked.question.queries_only {
            Ok(answer.about(&self.asked.numbers))
        } else {
            answer.unpacked(self.budget).map_err(Error::from)
        }
    }
}

impl Solved<'_> {
    /// Whether the memory was too small for the rule or a condition while other rules held part of the memory.
    fn lacks_memory(&self) -> bool {
        let conditions = self.conditions.as_ref().err().map(|(_, error)| error);
        let mut errors = self.answer.as_ref().err().into_iter().chain(conditions);
        let is_memory = |error: &Error| {
            matches!(
                error.limit(),
                Some(LimitReached::Memory(_) | LimitReached::Machine(_))
            )
        };
        self.turn.at_once > NonZeroUsize::MIN && errors.any(is_memory)
    }
}

/// If estimates are allowed, the best plan of a loop of choices is first sought among this many situations.
const NEAREST: u64 = 1 << 16;

impl<'q> Turn<'q> {
    /// Solves the rule: exactly or, where that takes too long and the question allows it, by random rolls. Then solves the conditions
    /// on its value.
    ///
    /// # Panics
    ///
    /// Never: there are fewer than 2<sup>32</sup> rules.
    #[must_use]
    pub fn solve(self, observer: &dyn Observer) -> Solved<'q> {
        let mut whole = self.limits.clone();
        if self.asked.question.sampling.is_some() {
            // If estimates are allowed, the best plan among the nearest situations is enough.
            whole.situations.get_or_insert(NEAREST);
        }
        whole.spent = whole.spent.saturating_add(self.began.elapsed());
        if observer.memory() == 0 {
            // The memory of the whole process is not measured.
            whole.memory /= self.at_once.get() as u64;
        }
        let budget = Budget::start(&whole, observer);
        let limits = budget.share(self.pieces);
        let is_alone = self.at_once == NonZeroUsize::MIN;
        let asked = &*self.asked;
        let series = &self.series;
        let stream = u32::try_from(self.index).expect("there are fewer than 2^32 rules");
        let program = asked.in_order(series.reading.program.clone());
        let answer = if series.reading.kind == Kind::Nothing {
            Ok(Answer::nothing())
        } else {
            asked.solved(&program, stream, &limits, observer)
        };
        // The mean stands beside the chances of several rules.
        let is_shown = asked.count > 1 && !asked.queries.is_empty();
        let is_short = |answer: &&Answer| is_shown && answer.outcomes().len() <= MOST_FOR_MEAN;
        let mean = answer.iter().find(is_short).map(summary::mean);
        let answer = match answer {
            // With more memory there may be a whole answer.
            Err(error) if is_alone && matches!(error.limit(), Some(LimitReached::Memory(_))) => {
                asked.around_queries(&program, &limits, error, observer)
            }
            answer => answer,
        };
        let mut warnings = Vec::new();
        let mut conditions = Ok(BTreeMap::new());
        if let Ok(answer) = &answer {
            let rolls = asked.question.sampling.as_ref();
            let sampled = sampled(answer, rolls.map_or(0, |rolls| rolls.samples));
            warnings.extend(
                [sampled, undecided(answer), within(answer)]
                    .into_iter()
                    .flatten(),
            );
            let mut pieces = self.pieces;
            conditions = conditions::answered(self.chances.clone(), |program| {
                if series.reading.kind == Kind::Nothing {
                    // Where there is no outcome, there is none for which the condition holds.
                    return Ok(answer.clone());
                }
                pieces = pieces.saturating_sub(1);
                asked.solved(program, stream, &budget.share(pieces.max(1)), observer)
            });
        }
        Solved {
            series: series.clone(),
            program,
            answer,
            warnings,
            limits,
            conditions,
            mean,
            turn: self,
        }
    }
}

impl What<'_> {
    fn in_order(&self, program: Program) -> Program {
        if self.question.ordered {
            program
        } else {
            program.sorted()
        }
    }

    /// The distribution of a program as it is: exact, or sampled where that takes too long and is allowed.
    fn solved(
        &self,
        program: &Program,
        stream: u32,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> Result<Answer, Error> {
        if let Some(time) = limits.time.filter(|time| limits.spent >= *time) {
            // A small rule is answered before it looks at the clock, and ten thousand small rules together would take too long.
            return Err(LimitReached::Time(time).into());
        }
        let rule = Rule::from(program.clone());
        let solver = rule.solver().limits(limits.clone()).observe(observer);
        let solver = solver.in_order().stream(stream);
        match &self.question.sampling {
            None => solver.answer(),
            Some(request) => solver.sample_by(request.clone()).answer(),
        }
    }

    /// The probabilities that were asked for, if the whole distribution does not fit into memory. All of them must be about one number.
    fn around_queries(
        &self,
        program: &Program,
        limits: &Limits,
        error: Error,
        observer: &dyn Observer,
    ) -> Result<Answer, Error> {
        let Some((first, others)) = self.queries.split_first() else {
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
        match engine::analyze_around(program, number, limits, observer) {
            Ok(answer) => answer.ok_or(error),
            Err(other) => Err(other),
        }
    }
}

/// The distribution of a part of records.
fn part(answer: &Answer, name: &str) -> Result<Answer, Error> {
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

/// The unit in which all outcomes of the rules, and all numbers that are asked about, are whole.
fn common_unit(question: &Question, all: &[Series]) -> Result<Unit, Misfit> {
    let programs = all
        .iter()
        .map(|series| series.reading.program.unit().clone());
    let asked = question.asked.iter().filter_map(|asked| {
        let parts = Integer::from_big(asked.number()?.denom().clone()).ok()?;
        Unit::new(parts)
    });
    let mut units = programs.chain(asked);
    let common = units.try_fold(Unit::WHOLE, |unit, other| unit.common(&other));
    common.map_err(|Overflow| Misfit::NoCommonUnit)
}
