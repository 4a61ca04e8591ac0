//! Positions: `p @ v`.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::operators::digits;
use super::stop::{Step, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::anydice::code::Operation;
use crate::notation::anydice::term::{List, Run, Shape, Term};
use crate::notation::anydice::value::{Dice, Value};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

impl Machine<'_> {
    /// The sum of what stands at some positions.
    pub(super) fn at(&mut self, positions: &Value, value: Value, id: NodeId) -> Step<Value> {
        let positions: &[Integer] = match positions {
            Value::Number(position) => std::slice::from_ref(position),
            Value::Sequence(positions) => positions,
            Value::Unknown(_) | Value::Pool(..) => {
                return Err(Stop::Open("a position depends on the roll"));
            }
            Value::Dice(_) | Value::Nothing => return Err(self.no_position(id)),
        };
        let lowest_first = self.rules.lowest_first;
        Ok(match value {
            Value::Nothing => Value::Nothing,
            Value::Sequence(members) => Value::Number(picked(positions, &members)?),
            Value::Number(number) => {
                let mut digits = digits(&number);
                if lowest_first {
                    digits.reverse();
                }
                Value::Number(picked(positions, &digits)?)
            }
            Value::Dice(dice) => Value::single(ranked(positions, dice, lowest_first)),
            Value::Pool(hidden, count) => {
                let runs = runs(positions, count, lowest_first);
                Value::of_term(chosen(List::Hidden(hidden, count), runs))
            }
            Value::Unknown(_) => {
                return Err(Stop::Open(
                    "digits of a number that depends on the roll are asked for",
                ));
            }
        })
    }

    fn no_position(&self, id: NodeId) -> Stop {
        let place = match self.code.operation(id) {
            Operation::Infix(_, left, _) => *left,
            _ => id,
        };
        let message = "a position is a number or a sequence of numbers, but this is a die";
        let finding = Diagnostic::new(self.code.span(place), message)
            .with_help("give the die to a function with a parameter `:n`");
        Stop::new(ErrorKind::Type, finding)
    }
}

fn picked(positions: &[Integer], members: &[Integer]) -> Step<Integer> {
    let mut sum = Integer::ZERO;
    for position in positions {
        let index = position
            .to_usize()
            .and_then(|position| position.checked_sub(1));
        if let Some(member) = index.and_then(|index| members.get(index)) {
            sum = sum.add(member)?;
        }
    }
    Ok(sum)
}

/// The sum of the dice at some positions of one roll.
pub(super) fn ranked(positions: &[Integer], dice: Dice, lowest_first: bool) -> Term {
    let runs = runs(positions, dice.count, lowest_first);
    if dice.count == 1 && matches!(runs[..], [Run { times: 1, .. }]) {
        return dice.die;
    }
    chosen(List::Roll(dice.count, dice.die), runs)
}

pub(super) fn chosen(list: List, runs: Vec<Run>) -> Term {
    if runs.is_empty() {
        return Term::certain(Integer::ZERO);
    }
    Term::new(Shape::Ranked(list, runs.into()))
}

/// Positions from the highest as runs of positions that are named equally often.
fn runs(positions: &[Integer], count: u64, lowest_first: bool) -> Vec<Run> {
    let mut times: BTreeMap<u64, u64> = BTreeMap::new();
    for position in positions {
        let position = position
            .to_i64()
            .and_then(|position| u64::try_from(position).ok());
        if let Some(position) = position.filter(|position| (1..=count).contains(position)) {
            let place = if lowest_first {
                count + 1 - position
            } else {
                position
            };
            *times.entry(place).or_default() += 1;
        }
    }
    let mut runs: Vec<Run> = Vec::new();
    for (place, times) in times {
        match runs.last_mut() {
            Some(run) if run.last + 1 == place && run.times == times => run.last = place,
            _ => runs.push(Run {
                first: place,
                last: place,
                times,
            }),
        }
    }
    runs
}
