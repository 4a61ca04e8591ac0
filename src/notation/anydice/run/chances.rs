//! Calls with dice for parameters that look at them: the body is run for each number or roll.
//!
//! Where these are many, the body is first run on *hidden* values ([`super::body`]), once for all of them. Its result is a
//! term of the core language, which the engine solves by states. A body that cannot be run so is run for each combination
//! of arguments, with its weight, and the call is the mixture of the results.

use std::rc::Rc;

use super::arguments::Argument;
use super::dice::Outcomes;
use super::machine::Machine;
use super::operators::by_zero;
use super::sequence::{sequence, total};
use super::stop::{Attempt, Stop};
use crate::engine;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::map::ValueMap;
use crate::notation::anydice::code::{Function, Operation};
use crate::notation::anydice::faces::{Faces, Weights};
use crate::notation::anydice::lower;
use crate::notation::anydice::term::Term;
use crate::notation::anydice::tree::{Infix, Prefix};
use crate::notation::anydice::value::Value;
use crate::notation::reader::tree::NodeId;
use crate::number::{Fraction, Integer};
use crate::source::Span;

/// The numbers and rolls that an argument can be, one after the other.
enum Chance {
    Fixed(Value),
    Each(Faces),
    EachRoll(u64, Faces),
}

/// The results of a body so far.
#[derive(Default)]
struct Results {
    numbers: Weights,
    dice: ValueMap<Term, Integer>,
    nothing: Integer,
    failed: Fraction,
    error: Option<Stop>,
}

/// The function that runs each combination of arguments.
pub(super) type Run<'r> = &'r mut dyn FnMut(&mut Machine<'_>, &[Value]) -> Attempt<Value>;

impl Machine<'_> {
    /// The value of a call that looks at dice.
    pub(super) fn chances(
        &mut self,
        function: &Rc<Function>,
        arguments: &[Argument],
        id: NodeId,
    ) -> Attempt<Value> {
        let span = self.code.span(id);
        let listed = self.listed(arguments, span);
        let count = match &listed {
            Ok(chances) => combinations(chances),
            Err(_) => u128::MAX,
        };
        if count > u128::from(self.settings.most_listed) {
            match self.by_states(function, arguments, id) {
                Ok(value) => {
                    self.explain_states(id);
                    return Ok(value);
                }
                // Errors are judged by running each combination.
                Err(stop) if count > MOST_COMBINATIONS => return Err(too_many(stop, span)),
                Err(stop) => {
                    self.explain_listing(&stop, count, id);
                }
            }
        }
        let mut run =
            |machine: &mut Machine<'_>, values: &[Value]| machine.run_body(function, values);
        let (value, nothing) = self.each_combination(&mut run, &listed?, id)?;
        if let Some(nothing) = nothing {
            self.warn_of_nothing(function, &nothing, id);
        }
        Ok(value)
    }

    /// The value of a call whose body is run on hidden values.
    fn by_states(
        &mut self,
        function: &Rc<Function>,
        arguments: &[Argument],
        id: NodeId,
    ) -> Attempt<Value> {
        let term = self.on_hidden(function, arguments)?;
        if term.is_open() && !term.may_be_nothing() {
            // A call that is in progress has no distribution yet.
            return Ok(Value::single(term));
        }
        let Outcomes { faces, nothing } = self.outcomes(&term, self.code.span(id))?;
        if term.divides() {
            self.warn_of_division(&term);
        }
        if let Some(nothing) = nothing {
            self.warn_of_nothing(function, &nothing, id);
        }
        Ok(faces.map_or(Value::Nothing, |faces| Value::single(Term::faces(faces))))
    }

    /// Warns of a division by zero in a body that was solved by states.
    fn warn_of_division(&mut self, term: &Term) {
        let program = lower::dividing_program(term);
        let Err(error) = engine::analyze(&program, &self.budget.share(2), self.budget.observer())
        else {
            return;
        };
        if let (ErrorKind::DivisionByZero, Some(span)) = (error.kind(), place(&error)) {
            self.warn(by_zero(span));
        }
    }

    /// The combinations of arguments, each with its weight.
    pub(super) fn listed(&mut self, arguments: &[Argument], span: Span) -> Attempt<Vec<ChanceOf>> {
        let mut chances = Vec::with_capacity(arguments.len());
        for argument in arguments {
            chances.push(ChanceOf(match argument {
                Argument::Fixed(value) => Chance::Fixed(value.clone()),
                Argument::Each(term) => Chance::Each(self.faces(term, span)?),
                Argument::EachRoll(dice) => {
                    Chance::EachRoll(dice.count, self.faces(&dice.die, span)?)
                }
            }));
        }
        Ok(chances)
    }

    /// The mixture of the results of a body for all combinations of arguments, and how probable it is that there is none.
    pub(super) fn each_combination(
        &mut self,
        run: Run<'_>,
        chances: &[ChanceOf],
        id: NodeId,
    ) -> Attempt<(Value, Option<Fraction>)> {
        let span = self.code.span(id);
        let mut values = Vec::with_capacity(chances.len());
        let mut results = Results::default();
        self.combine(run, chances, &mut values, &Integer::ONE, &mut results, id)?;
        let mut all = Integer::ONE;
        for ChanceOf(chance) in chances {
            all = all.mul(&chance.total()?)?;
        }
        if let Some(stop) = results.error {
            let Stop::Error(error) = stop else {
                return Err(stop);
            };
            let failed = results.failed / Fraction::from_integer(all.to_big());
            return Err(Stop::Error(error.with_probability(failed)));
        }
        let nothing =
            (!results.nothing.is_zero()).then(|| super::dice::share(&results.nothing, &all));
        if results.dice.is_empty() {
            let faces = results.numbers.faces();
            let value = faces.map_or(Value::Nothing, |faces| Value::single(Term::faces(faces)));
            return Ok((value, nothing));
        }
        let numbers = results.numbers.into_iter();
        let numbers = numbers.map(|(number, weight)| (weight, Value::Number(number)));
        let mut parts: Vec<(Integer, Value)> = numbers.collect();
        let dice = results.dice.into_iter();
        parts.extend(dice.map(|(die, weight)| (weight, Value::single(die))));
        Ok((self.mixture(parts, span)?, nothing))
    }

    fn combine(
        &mut self,
        run: Run<'_>,
        chances: &[ChanceOf],
        values: &mut Vec<Value>,
        weight: &Integer,
        results: &mut Results,
        id: NodeId,
    ) -> Attempt<()> {
        let Some((ChanceOf(first), others)) = chances.split_first() else {
            return self.add_result(run, values, weight, results, id);
        };
        match first {
            Chance::Fixed(value) => {
                values.push(value.clone());
                self.combine(run, others, values, weight, results, id)?;
                values.pop();
            }
            Chance::Each(faces) => {
                for (outcome, more) in faces.weighted() {
                    values.push(Value::Number(outcome.clone()));
                    let weight = weight.mul(more)?;
                    self.combine(run, others, values, &weight, results, id)?;
                    values.pop();
                }
            }
            Chance::EachRoll(count, faces) => {
                let mut faces = faces.weighted().to_vec();
                if !self.rules.lowest_first {
                    faces.reverse();
                }
                let mut roll = Vec::new();
                let rest = Rest {
                    others,
                    faces: &faces,
                    id,
                };
                self.each_roll(run, &rest, *count, 0, &mut roll, values, weight, results)?;
            }
        }
        Ok(())
    }

    /// Goes on with each sorted roll of so many dice, from one face on.
    #[expect(clippy::too_many_arguments, reason = "the state of a recursion")]
    fn each_roll(
        &mut self,
        run: Run<'_>,
        rest: &Rest<'_>,
        count: u64,
        face: usize,
        roll: &mut Vec<Integer>,
        values: &mut Vec<Value>,
        weight: &Integer,
        results: &mut Results,
    ) -> Attempt<()> {
        let (outcome, face_weight) = &rest.faces[face];
        let length = roll.len();
        if face + 1 == rest.faces.len() {
            let mut weight = weight.clone();
            for _ in 0..count {
                weight = weight.mul(face_weight)?;
                roll.push(outcome.clone());
            }
            values.push(sequence(roll.clone()));
            self.combine(run, rest.others, values, &weight, results, rest.id)?;
            values.pop();
            roll.truncate(length);
            return Ok(());
        }
        // The ways to choose the dice with this face, times their weights.
        let mut ways = weight.clone();
        for shown in 0..=count {
            self.each_roll(
                run,
                rest,
                count - shown,
                face + 1,
                roll,
                values,
                &ways,
                results,
            )?;
            roll.push(outcome.clone());
            ways = ways
                .mul(face_weight)?
                .mul(&super::operators::of_count(count - shown))?
                .div(&super::operators::of_count(shown + 1))
                .unwrap_or(Integer::ZERO);
        }
        roll.truncate(length);
        Ok(())
    }

    fn add_result(
        &mut self,
        run: Run<'_>,
        values: &[Value],
        weight: &Integer,
        results: &mut Results,
        id: NodeId,
    ) -> Attempt<()> {
        let span = self.code.span(id);
        match run(self, values) {
            Ok(Value::Nothing) => results.nothing = results.nothing.add(weight)?,
            Ok(Value::Number(number)) => results.number(number, weight)?,
            Ok(Value::Sequence(members)) => results.number(total(&members)?, weight)?,
            Ok(Value::Dice(dice)) => {
                let sum = results.dice.entry(dice.sum()).or_insert(Integer::ZERO);
                *sum = sum.add(weight)?;
            }
            Ok(Value::Unknown(_) | Value::Pool(_) | Value::Row(_) | Value::Throw(..)) => {
                return Err(Stop::Open("a result depends on the roll"));
            }
            Err(Stop::Error(error)) if error.is_limit() => return Err(Stop::Error(error)),
            Err(Stop::Open(reason)) => return Err(Stop::Open(reason)),
            Err(stop) => results.fail(stop.at(span), weight),
        }
        Ok(())
    }

    /// Warns that a body has no result, with the probability, unless the program says so itself.
    fn warn_of_nothing(&mut self, function: &Function, nothing: &Fraction, id: NodeId) {
        if self.deepest == u32::MAX || self.says_nothing(function) {
            return;
        }
        let message =
            format!("nothing comes out of this call with probability {nothing}, which is left out");
        let warning = Diagnostic::new(self.code.span(id), message).with_code("nothing").with_help(
            "write `result: 0` at the end of the function for 0, or `result: d{}` if this is what you mean",
        );
        self.warn(warning);
    }

    /// Whether a body, or one that it calls, mentions the empty die.
    fn says_nothing(&self, function: &Function) -> bool {
        let code = self.code;
        let is_empty = |id: NodeId| matches!(code.ungrouped(id), Operation::Sequence(parts) if parts.is_empty());
        let says = |body: &Function| {
            let within = code.span(body.body);
            code.tree.ids().any(|id| {
                let span = code.span(id);
                let is_within = within.start <= span.start && span.end <= within.end;
                is_within
                    && match code.operation(id) {
                        Operation::Prefix(Prefix::Die, sides)
                        | Operation::Infix(Infix::Dice, _, sides) => is_empty(*sides),
                        _ => false,
                    }
            })
        };
        says(function)
            || function
                .calls
                .iter()
                .any(|name| self.functions.get(name).is_some_and(|called| says(called)))
    }

    /// Says why each combination was run, for `--explain`.
    fn explain_listing(&mut self, stop: &Stop, count: u128, id: NodeId) {
        let reason = match stop {
            Stop::Open(reason) => (*reason).to_owned(),
            Stop::Error(error) => error.to_string(),
            Stop::Overflow => "a number is too long".into(),
        };
        let message =
            format!("this call is run for each of {count} combinations, because {reason}");
        let remark = Diagnostic::new(self.code.span(id), message).as_note();
        if !self.done.remarks.contains(&remark) {
            self.done.remarks.push(remark);
        }
    }
}

/// What stays the same while the rolls of one argument are listed.
struct Rest<'r> {
    others: &'r [ChanceOf],
    /// The faces in the order of positions.
    faces: &'r [(Integer, Integer)],
    id: NodeId,
}

/// The error for a call that has too many combinations, and cannot be solved by states.
fn too_many(stop: Stop, span: Span) -> Stop {
    let Stop::Open(reason) = stop else {
        return stop;
    };
    let message = format!(
        "this call has more than {MOST_COMBINATIONS} combinations of dice, and is not solved by states, because {reason}"
    );
    let finding = Diagnostic::new(span, message)
        .with_help("give it fewer dice, or write its body with counts such as `ROLL >= 5` and positions such as `1@ROLL`");
    Stop::new(ErrorKind::Limit, finding)
}

/// More combinations are not run.
const MOST_COMBINATIONS: u128 = 100_000_000;

/// The values that one argument can take.
pub(super) struct ChanceOf(Chance);

impl Chance {
    fn total(&self) -> Attempt<Integer> {
        Ok(match self {
            Self::Fixed(_) => Integer::ONE,
            Self::Each(faces) => faces.total()?,
            Self::EachRoll(count, faces) => faces.total()?.pow(*count)?,
        })
    }

    fn count(&self) -> u128 {
        match self {
            Self::Fixed(_) => 1,
            Self::Each(faces) => faces.weighted().len() as u128,
            Self::EachRoll(count, faces) => {
                // Multisets of n of k faces: (n + k - 1)! / n! / (k - 1)!
                let others = faces.weighted().len() as u128 - 1;
                let (few, many) = (
                    others.min(u128::from(*count)),
                    others.max(u128::from(*count)),
                );
                let mut ways: u128 = 1;
                for step in 1..=few {
                    ways = match ways.checked_mul(many + step) {
                        Some(product) => product / step,
                        None => return u128::MAX,
                    };
                }
                ways
            }
        }
    }
}

fn combinations(chances: &[ChanceOf]) -> u128 {
    let counts = chances.iter().map(|ChanceOf(chance)| chance.count());
    counts.fold(1, u128::saturating_mul)
}

impl Results {
    fn number(&mut self, number: Integer, weight: &Integer) -> Attempt<()> {
        Ok(self.numbers.add(number, weight)?)
    }

    fn fail(&mut self, stop: Stop, weight: &Integer) {
        let within = match &stop {
            Stop::Error(error) => error.probability().cloned(),
            _ => None,
        };
        let one = Fraction::from_integer(1.into());
        self.failed += Fraction::from_integer(weight.to_big()) * within.unwrap_or(one);
        let start = |stop: &Stop| match stop {
            Stop::Error(error) => place(error),
            _ => None,
        };
        let is_first = match &self.error {
            None => true,
            Some(known) => start(&stop) < start(known),
        };
        if is_first {
            self.error = Some(stop);
        }
    }
}

fn place(error: &Error) -> Option<Span> {
    error.diagnostics()[0].span
}
