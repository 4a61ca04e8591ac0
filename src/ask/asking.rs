//! The answers to a question, rule by rule.

use std::collections::BTreeMap;

use super::conditions::{self, Chance, Conditions, WrongCondition};
use super::misfit::Misfit;
use super::question::Question;
use super::series::{Run, Series};
use super::warnings::{ambiguous, sampled, undecided};
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

/// The most outcomes whose mean is computed where only chances are asked for.
const MOST_FOR_MEAN: usize = 100_000;

/// The most rules whose other reading is looked at.
const MOST_COMPARED: usize = 20;

/// A question whose rules are read, while they are answered one after the other. Each rule has an equal share of the time that is
/// left.
#[derive(Debug)]
pub struct Asking<'q> {
    question: &'q Question,
    budget: &'q Budget<'q>,
    queries: Vec<Query>,
    /// The numbers that are asked about.
    numbers: Vec<Integer>,
    /// The unit in which all values, and all numbers that are asked about, are whole.
    unit: Unit,
    conditions: Conditions,
    waiting: std::vec::IntoIter<Series>,
    count: usize,
    index: usize,
    /// Other pieces of work for each rule.
    others: usize,
    /// The pieces of work that are left.
    pieces: usize,
    /// The runs of programs that an error in one result has stopped.
    stopped: Vec<Run>,
    is_ambiguous: bool,
    answers: Answers,
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

/// A rule whose turn it is.
#[derive(Debug)]
pub struct Turn {
    series: Series,
    chances: Result<Vec<Chance>, WrongCondition>,
    index: usize,
    count: usize,
}

impl Turn {
    /// The name of the rule with its values, and its place among all rules where there are several.
    #[must_use]
    pub fn label(&self) -> String {
        let label = self.series.label();
        match self.count {
            1 => label,
            count => format!("{label} ({} of {count})", self.index + 1),
        }
    }
}

/// A rule with its distribution, or with the reason why it has none. Conditions on its value have no answers yet.
#[derive(Debug)]
#[non_exhaustive]
pub struct Solved {
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
    chances: Result<Vec<Chance>, WrongCondition>,
    stream: u32,
    mean: Option<Moment>,
}

impl Solved {
    /// The same rule with the distribution of one part of its records.
    #[must_use]
    pub fn part(self, name: &str) -> Self {
        let answer = self.answer.and_then(|answer| part(&answer, name));
        Self { answer, ..self }
    }
}

impl Question {
    /// Reads and answers all rules within the limits.
    ///
    /// # Errors
    ///
    /// If the question as a whole makes no sense. A rule that cannot be answered is no such error: [`Answers::refused`].
    pub fn answer(&self, limits: &Limits, observer: &dyn Observer) -> Result<Answers, Misfit> {
        let budget = Budget::start(limits, observer);
        let read = self.read(&budget)?;
        let mut asking = Asking::start(self, read.series, &budget)?;
        while let Some(turn) = asking.turn() {
            let solved = asking.solve(turn, observer);
            let solved = match &self.part {
                Some(name) => solved.part(name),
                None => solved,
            };
            asking.keep(solved, observer);
        }
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
        Ok(Self {
            question,
            budget,
            numbers: numbers.cloned().collect(),
            queries,
            unit,
            conditions: Conditions::among(&question.asked),
            waiting: series.into_iter(),
            count,
            index: 0,
            others: 0,
            pieces: 0,
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
        &self.queries
    }

    /// The unit in which all values are whole.
    #[must_use]
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The next rule. The results of a program that an error has stopped are left out.
    ///
    /// # Panics
    ///
    /// Never: the unit is common to all rules.
    pub fn turn(&mut self) -> Option<Turn> {
        loop {
            let mut series = self.waiting.next()?;
            let index = self.index;
            self.index += 1;
            if self.stopped.iter().any(|run| series.is_of(run)) {
                continue;
            }
            self.pieces = (self.count - index) * (1 + self.others + self.conditions.len());
            let chances = self.conditions.on(&series);
            let program = series.reading.program.clone();
            series.reading.program = program.converted(&self.unit).expect("the unit is common");
            return Some(Turn {
                series,
                chances,
                index,
                count: self.count,
            });
        }
    }

    /// The limits of one more piece of work.
    pub fn share(&mut self) -> Limits {
        self.pieces = self.pieces.saturating_sub(1);
        self.budget.share(self.pieces.max(1))
    }

    /// Solves a rule: exactly or, where that takes too long and the question allows it, by random rolls.
    ///
    /// # Panics
    ///
    /// Never: there are fewer than 2<sup>32</sup> rules.
    pub fn solve(&mut self, turn: Turn, observer: &dyn Observer) -> Solved {
        let Turn {
            series,
            chances,
            index,
            count,
        } = turn;
        let limits = self.budget.share(self.pieces);
        let stream = u32::try_from(index).expect("there are fewer than 2^32 rules");
        let program = self.in_order(series.reading.program.clone());
        let answer = if series.reading.kind == Kind::Nothing {
            Ok(Answer::nothing())
        } else {
            self.solved(&program, stream, &limits, observer)
        };
        // The mean stands beside the chances of several rules.
        let is_shown = count > 1 && !self.queries.is_empty();
        let is_short = |answer: &&Answer| is_shown && answer.outcomes().len() <= MOST_FOR_MEAN;
        let mean = answer.iter().find(is_short).map(summary::mean);
        let answer = match answer {
            Err(error) if matches!(error.limit(), Some(LimitReached::Memory(_))) => {
                self.around_queries(&program, &limits, error, observer)
            }
            answer => answer,
        };
        let mut warnings = Vec::new();
        if let Ok(answer) = &answer {
            let may_warn = !self.is_ambiguous && index < MOST_COMPARED;
            let other = || {
                ambiguous(
                    &series,
                    answer,
                    &self.question.reading,
                    self.question.ordered,
                )
            };
            let other = may_warn.then(other).flatten();
            self.is_ambiguous |= other.is_some();
            let rolls = self.question.sampling.as_ref();
            let sampled = sampled(answer, rolls.map_or(0, |rolls| rolls.samples));
            warnings.extend([sampled, undecided(answer), other].into_iter().flatten());
        }
        Solved {
            series,
            program,
            answer,
            warnings,
            limits,
            chances,
            stream,
            mean,
        }
    }

    /// Answers the conditions on the value of a rule, and keeps the whole answer.
    pub fn keep(&mut self, solved: Solved, observer: &dyn Observer) {
        let Solved {
            mut series,
            answer,
            warnings,
            chances,
            stream,
            mean,
            ..
        } = solved;
        series.reading.warnings.extend(warnings);
        let answer = answer.and_then(|answer| self.written(answer));
        let answer = match answer {
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
        let conditions = conditions::answered(chances, |program| {
            if series.reading.kind == Kind::Nothing {
                // Where there is no outcome, there is none for which the condition holds.
                return Ok(answer.clone());
            }
            let limits = self.share();
            self.solved(program, stream, &limits, observer)
        });
        match conditions {
            Err((source, error)) => {
                let refused = series.refused_by(source, error);
                self.answers.refused.push(refused);
            }
            Ok(conditions) => {
                // Pictures of sweeps do not show it.
                let is_swept = self.count > 1 && !series.parameters.is_empty();
                let most = self.question.marked / self.count.max(1);
                let holds = if is_swept {
                    BTreeMap::new()
                } else {
                    let asked = &self.conditions;
                    asked.holding(&answer, &series.parameters, most, self.budget)
                };
                let mut answered = series.answered(answer);
                answered.ordered = self.question.ordered;
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
        self.answers.queries = self.queries;
        self.answers
    }

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
            // A small rule would be answered before it looks at the clock, and so would ten thousand small ones.
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

    /// The probabilities that were asked for, where the whole distribution does not fit the memory: possible if all of them are about
    /// one number.
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

    /// The part of an answer that is kept: what is known about the numbers that are asked for, or everything.
    fn written(&self, answer: Answer) -> Result<Answer, Error> {
        if self.question.queries_only {
            Ok(answer.about(&self.numbers))
        } else {
            answer.unpacked(self.budget).map_err(Error::from)
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
