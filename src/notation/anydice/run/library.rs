//! The functions that every program has.
//!
//! A function with typed parameters looks at dice as a function of a program does: it is run for each number or roll. Where
//! the result is a term of the core language, it is that term instead ([`Machine::as_one_term`]).

use super::arguments::{all_fixed, arguments_of};
use super::machine::Machine;
use super::operators::{of_count, summed};
use super::places::{chosen, ranked};
use super::sequence::sequence;
use super::stop::{Attempt, Stop};
use crate::error::Diagnostic;
use crate::ir::Comparison;
use crate::notation::anydice::faces::{BYTES, Faces};
use crate::notation::anydice::term::{List, Shape, Term};
use crate::notation::anydice::tree::{Infix, ParameterType};
use crate::notation::anydice::value::{Dice, Summed, Value};
use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

/// A function of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Builtin {
    Absolute,
    Contains,
    Count,
    Explode,
    /// The highest or lowest dice of one roll.
    Keep(Extreme),
    /// The highest or lowest dice of two or three kinds thrown together.
    KeepOf(Extreme),
    Maximum,
    Middle,
    /// The greater or lesser of two numbers.
    Most(Extreme),
    Reverse,
    Sort,
}

const N: ParameterType = ParameterType::Number;
const S: ParameterType = ParameterType::Sequence;
const D: ParameterType = ParameterType::Die;

/// Each function with its name and the types of its parameters.
const LIBRARY: [(&str, Builtin, &[ParameterType]); 16] = [
    ("absolute _", Builtin::Absolute, &[N]),
    ("_ contains _", Builtin::Contains, &[S, N]),
    ("count _ in _", Builtin::Count, &[S, S]),
    ("explode _", Builtin::Explode, &[D]),
    ("highest _ of _", Builtin::Keep(Extreme::High), &[N, D]),
    ("lowest _ of _", Builtin::Keep(Extreme::Low), &[N, D]),
    ("middle _ of _", Builtin::Middle, &[N, D]),
    ("highest of _ and _", Builtin::Most(Extreme::High), &[N, N]),
    ("lowest of _ and _", Builtin::Most(Extreme::Low), &[N, N]),
    (
        "highest _ of _ and _",
        Builtin::KeepOf(Extreme::High),
        &[N, D, D],
    ),
    (
        "lowest _ of _ and _",
        Builtin::KeepOf(Extreme::Low),
        &[N, D, D],
    ),
    (
        "highest _ of _ and _ and _",
        Builtin::KeepOf(Extreme::High),
        &[N, D, D, D],
    ),
    (
        "lowest _ of _ and _ and _",
        Builtin::KeepOf(Extreme::Low),
        &[N, D, D, D],
    ),
    ("maximum of _", Builtin::Maximum, &[D]),
    ("reverse _", Builtin::Reverse, &[S]),
    ("sort _", Builtin::Sort, &[S]),
];

/// The names of all functions.
pub(super) fn names<'n>() -> impl Iterator<Item = &'n str> {
    LIBRARY.iter().map(|(name, ..)| *name)
}

/// The function with this name.
pub(super) fn find(name: &str) -> Option<Builtin> {
    let row = LIBRARY.iter().find(|(known, ..)| *known == name)?;
    Some(row.1)
}

impl Builtin {
    fn kinds(self, count: usize) -> &'static [ParameterType] {
        let row = LIBRARY
            .iter()
            .find(|(_, builtin, kinds)| *builtin == self && kinds.len() == count);
        row.map_or(&[], |(_, _, kinds)| kinds)
    }
}

impl Machine<'_> {
    /// The value of a call of the library.
    pub(super) fn call_library(
        &mut self,
        builtin: Builtin,
        values: Vec<Value>,
        id: NodeId,
    ) -> Attempt<Value> {
        let span = self.code.span(id);
        let kinds = builtin.kinds(values.len());
        for (kind, value) in kinds.iter().zip(&values) {
            if *kind == ParameterType::Die && matches!(value, Value::Sequence(_)) {
                let message = "a sequence is summed where a function takes a die";
                let warning = Diagnostic::new(span, message).with_code("summed-sequence")
                    .with_help("write `d{…}` for a die with these faces, or `1@[sort S]` for its greatest member");
                self.warn(warning);
            }
        }
        if let Some(value) = self.as_one_term(builtin, &values, span)? {
            return Ok(value);
        }
        let Some(arguments) = arguments_of(kinds, values)? else {
            return Ok(Value::Nothing);
        };
        if let Some(fixed) = all_fixed(&arguments) {
            return builtin.run(self, &fixed, span);
        }
        let listed = self.listed(&arguments, span)?;
        let mut run = |machine: &mut Machine<'_>, values: &[Value]| {
            machine.budget.count_states(1)?;
            builtin.run(machine, values, span)
        };
        let (value, _) = self.each_combination(&mut run, &listed, id)?;
        Ok(value)
    }

    /// The value of a call on dice, or on hidden values, that is one term; `None` where it is not.
    fn as_one_term(
        &mut self,
        builtin: Builtin,
        values: &[Value],
        span: Span,
    ) -> Attempt<Option<Value>> {
        let is_open = values.iter().any(Value::is_open);
        let value = match (builtin, values) {
            (Builtin::Absolute, [value]) => match summed(value)? {
                Summed::Number(_) => None,
                sum => Some(sum.map(Shape::Absolute).value()),
            },
            (Builtin::Most(end), [a, b]) => match (summed(a)?, summed(b)?) {
                (Summed::Number(_), Summed::Number(_)) => None,
                (a, b) => {
                    let most = a.with(&b, |a, b| Term::new(Shape::Most(end, a, b)));
                    Some(self.shallow(most, span)?.value())
                }
            },
            (Builtin::Count, [wanted, Value::Dice(dice)]) if !wanted.is_open() => {
                match wanted_members(wanted) {
                    Some(wanted) if !dice.die.is_open() => {
                        let faces = self.faces(&dice.die, span)?;
                        let faces = faces.relabelled(|face| Ok::<_, Stop>(times(&wanted, face)))?;
                        let die = Term::faces(faces);
                        Some(Value::single(
                            Dice {
                                count: dice.count,
                                die,
                            }
                            .sum(),
                        ))
                    }
                    _ => None,
                }
            }
            (Builtin::Contains, [Value::Dice(dice), Value::Number(wanted)]) => {
                let list = List::Roll(dice.count, dice.die.clone());
                let zero = Term::certain(Integer::ZERO);
                let count = Term::new(Shape::Count(
                    list,
                    Comparison::Equal,
                    Term::certain(wanted.clone()),
                ));
                Some(Value::single(Term::new(Shape::Infix(
                    Infix::Condition(Comparison::Greater),
                    count,
                    zero,
                    span,
                ))))
            }
            _ if is_open => self.on_open(builtin, values, span)?,
            _ => None,
        };
        if value.is_none() && is_open && !can_be_open(builtin, values) {
            return Err(Stop::Open(
                "a function of the library looks at the roll in a way that is not a term",
            ));
        }
        Ok(value)
    }
}

/// Whether a function takes dice that depend on hidden values as they are.
fn can_be_open(builtin: Builtin, values: &[Value]) -> bool {
    let known = !matches!(
        values.first(),
        Some(Value::Unknown(_) | Value::Pool(_) | Value::Row(_) | Value::Throw(..))
    );
    match builtin {
        Builtin::Keep(_) | Builtin::Middle => {
            known && matches!(values.last(), Some(Value::Dice(_)))
        }
        _ => false,
    }
}

/// The members of the first argument of `count`.
fn wanted_members(value: &Value) -> Option<Vec<Integer>> {
    match value {
        Value::Number(number) => Some(vec![number.clone()]),
        Value::Sequence(members) => Some(members.to_vec()),
        _ => None,
    }
}

fn times(members: &[Integer], number: &Integer) -> Integer {
    Integer::from(members.iter().filter(|member| *member == number).count())
}

impl Builtin {
    /// The value for known arguments.
    pub(super) fn run(
        self,
        machine: &mut Machine<'_>,
        values: &[Value],
        span: Span,
    ) -> Attempt<Value> {
        Ok(match (self, values) {
            (Self::Absolute, [Value::Number(number)]) => Value::Number(if number.is_negative() {
                number.neg()?
            } else {
                number.clone()
            }),
            (Self::Contains, [Value::Sequence(members), Value::Number(wanted)]) => {
                Value::truth(members.contains(wanted))
            }
            (Self::Count, [Value::Sequence(wanted), Value::Sequence(members)]) => {
                let mut count = Integer::ZERO;
                for wanted in wanted.iter() {
                    machine.budget.work(members.len() as u64)?;
                    count = count.add(&times(members, wanted))?;
                }
                Value::Number(count)
            }
            (Self::Most(end), [Value::Number(a), Value::Number(b)]) => Value::Number(match end {
                Extreme::High => a.max(b).clone(),
                Extreme::Low => a.min(b).clone(),
            }),
            (Self::Reverse, [Value::Sequence(members)]) => {
                let mut members = members.to_vec();
                members.reverse();
                sequence(members)
            }
            (Self::Sort, [Value::Sequence(members)]) => {
                let mut members = members.to_vec();
                members.sort();
                if !machine.rules.lowest_first {
                    members.reverse();
                }
                sequence(members)
            }
            (Self::Explode, [Value::Dice(dice)]) => machine.explode(dice, span)?,
            (Self::Maximum, [Value::Dice(dice)]) => {
                let faces = machine.faces(&dice.sum(), span)?;
                Value::Number(faces.greatest().clone())
            }
            (Self::Maximum, [Value::Nothing]) => Value::number(0),
            (Self::Keep(end), [Value::Number(count), Value::Dice(dice)]) => {
                let first = |count: u64| (1, count);
                let last = |count: u64| (dice.count - count + 1, dice.count);
                keep(
                    count,
                    dice,
                    match end {
                        Extreme::High => &first,
                        Extreme::Low => &last,
                    },
                )
            }
            (Self::Middle, [Value::Number(count), Value::Dice(dice)]) => {
                let middle = |count: u64| {
                    let first = match count {
                        1 => 1 + (dice.count - 1) / 2,
                        count => 1 + (dice.count - count) / 2,
                    };
                    (first, first + count - 1)
                };
                keep(count, dice, &middle)
            }
            (Self::KeepOf(end), [Value::Number(count), kinds @ ..]) => {
                let mut dice = Vec::new();
                for kind in kinds {
                    match kind {
                        Value::Dice(kind) => dice.push(kind.clone()),
                        _ => return Ok(Value::Nothing),
                    }
                }
                keep_of(end, count, &dice)
            }
            _ => Value::Nothing,
        })
    }
}

/// The sum of the dice at the positions that a number of dice says.
fn keep(count: &Integer, dice: &Dice, positions: &dyn Fn(u64) -> (u64, u64)) -> Value {
    if *count <= Integer::ZERO {
        return none_of(std::slice::from_ref(dice));
    }
    let all = i64::try_from(dice.count).unwrap_or(i64::MAX);
    let count = count.to_i64().unwrap_or(all).min(all);
    let (first, last) = positions(count.unsigned_abs());
    let positions: Vec<Integer> = (first..=last).map(of_count).collect();
    Value::single(ranked(&positions, dice.clone(), false))
}

/// The sum of none of some dice, which are rolled where that matters.
fn none_of(kinds: &[Dice]) -> Value {
    let rolls = kinds.iter();
    let rolls = rolls.map(|dice| List::Roll(dice.count, dice.die.clone()));
    let all = List::Join(rolls.collect());
    if !all.has_effect() {
        return Value::number(0);
    }
    Value::single(chosen(all, Vec::new()))
}

impl Machine<'_> {
    /// Says what the last value of a die that explodes a few times means, for `--explain`.
    fn explain_depth(&mut self, depth: u32, faces: &Faces, span: Span) {
        let times = if depth == 1 { "once" } else { "times" };
        let often = if depth == 1 {
            String::new()
        } else {
            format!("{depth} ")
        };
        let message = format!(
            "this explodes {often}{times} at most: its last values, beyond {}, mean \"or more\"",
            faces.greatest()
        );
        let remark = Diagnostic::new(span, message)
            .with_help("write `set \"explode depth\" to \"unlimited\"` for a die that explodes without end")
            .as_note();
        if !self.done.remarks.contains(&remark) {
            self.done.remarks.push(remark);
        }
    }

    fn explode(&mut self, dice: &Dice, span: Span) -> Attempt<Value> {
        let die = dice.sum();
        let faces = self.faces(&die, span)?;
        if let Some(depth) = self.rules.explode_depth {
            self.explain_depth(depth, &faces, span);
            let bound = u64::from(depth).saturating_mul(faces.weighted().len() as u64);
            if bound > 1_000_000 {
                let message = "a die that explodes so often has too many outcomes";
                let finding = Diagnostic::new(span, message)
                    .with_help("write `set \"explode depth\" to \"unlimited\"`");
                return Err(Stop::new(crate::error::ErrorKind::Limit, finding));
            }
            let exploded = faces.exploded(depth, |outcomes| {
                // Weights become longer with each time.
                self.has_room(outcomes, BYTES + bound.isqrt())
                    .map_err(Stop::from)
            });
            return Ok(Value::single(Term::faces(exploded?)));
        }
        let greatest = faces.greatest().clone();
        if faces.only().is_some() {
            let message = "this die always explodes, so it never ends";
            let finding = Diagnostic::new(span, message)
                .with_help("write a die with several values, or set \"explode depth\" to a number");
            return Err(Stop::new(crate::error::ErrorKind::Domain, finding));
        }
        Ok(Value::single(Term::new(Shape::Explode(die, greatest))))
    }
}

/// The highest or lowest dice of several kinds thrown together.
fn keep_of(end: Extreme, count: &Integer, kinds: &[Dice]) -> Value {
    if *count <= Integer::ZERO {
        return none_of(kinds);
    }
    let all = kinds
        .iter()
        .fold(0_u64, |all, dice| all.saturating_add(dice.count));
    let kept = count
        .to_i64()
        .map_or(all, |count| count.unsigned_abs().min(all));
    let term = Term::new(Shape::Keep(
        end,
        kept,
        kinds
            .iter()
            .map(|dice| (dice.count, dice.die.clone()))
            .collect(),
    ));
    Value::single(term)
}
