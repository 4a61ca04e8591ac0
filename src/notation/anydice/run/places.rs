//! Positions: `p @ v`.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::operators::{digits, length, summed};
use super::stop::{Attempt, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::Comparison;
use crate::notation::anydice::code::Operation;
use crate::notation::anydice::term::{List, Run, Shape, Term};
use crate::notation::anydice::tree::Infix;
use crate::notation::anydice::value::{Dice, Summed, Value};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

/// The most positions of a sequence, one of which depends on the roll.
const MOST_PLACES: usize = 100;

impl Machine<'_> {
    /// The sum of what stands at some positions.
    pub(super) fn at(&mut self, positions: &Value, value: Value, id: NodeId) -> Attempt<Value> {
        let positions: &[Integer] = match positions {
            Value::Number(position) => std::slice::from_ref(position),
            Value::Sequence(positions) => positions,
            position @ Value::Unknown(_) => {
                let position = self.named(position.clone());
                return self.at_unknown(&position, &value, id);
            }
            Value::Pool(_) | Value::Row(_) => {
                return Err(Stop::Open("positions depend on the roll"));
            }
            Value::Throw(..) | Value::Dice(_) | Value::Nothing => return Err(self.no_position(id)),
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
            Value::Pool(list) => {
                let runs = runs(positions, list.count(), lowest_first);
                Value::unknown(chosen(list, runs))
            }
            Value::Row(members) => self.picked_from(positions, &members)?,
            Value::Throw(count, die) => {
                if lowest_first {
                    return Err(Stop::Open(
                        "dice are chosen from the lowest, of which the number depends on the roll",
                    ));
                }
                let runs = runs(positions, u64::MAX, false);
                Value::single(chosen(List::Throw(count, die), runs))
            }
            Value::Unknown(_) => {
                return Err(Stop::Open(
                    "digits of a number that depends on the roll are asked for",
                ));
            }
        })
    }

    /// What stands at a position that depends on the roll.
    fn at_unknown(&mut self, position: &Value, value: &Value, id: NodeId) -> Attempt<Value> {
        let Value::Unknown(position) = position else {
            return self.at(position, value.clone(), id);
        };
        let length = match value {
            Value::Sequence(members) => members.len(),
            Value::Pool(list) => usize::try_from(list.count()).unwrap_or(usize::MAX),
            Value::Dice(dice) => usize::try_from(dice.count).unwrap_or(usize::MAX),
            Value::Row(members) => length(members),
            _ => usize::MAX,
        };
        if length > MOST_PLACES {
            return Err(Stop::Open("a position depends on the roll"));
        }
        let mut chosen = Summed::Number(Integer::ZERO);
        for place in (1..=length).rev() {
            let place = Integer::from(place);
            let member = self.at(&Value::Number(place.clone()), value.clone(), id)?;
            let place = Term::certain(place);
            let span = self.code.span(id);
            let is_here = Term::new(Shape::Infix(
                Infix::Condition(Comparison::Equal),
                position.clone(),
                place,
                span,
            ));
            let choose = |member, others| Term::new(Shape::If(is_here, member, others));
            chosen = summed(&member)?.with(&chosen, choose);
        }
        Ok(chosen.value())
    }

    /// The sum of the members of a sequence at some positions.
    fn picked_from(&mut self, positions: &[Integer], members: &[Value]) -> Attempt<Value> {
        let mut sum = Summed::Number(Integer::ZERO);
        for position in positions {
            let place = position.to_usize();
            let Some(mut place) = place.and_then(|place| place.checked_sub(1)) else {
                continue;
            };
            for member in members {
                let length = length(std::slice::from_ref(member));
                if place >= length {
                    place -= length;
                    continue;
                }
                let member = match member {
                    Value::Pool(list) => {
                        let place = [Integer::from(place + 1)];
                        let runs = runs(&place, list.count(), self.rules.lowest_first);
                        Value::unknown(chosen(list.clone(), runs))
                    }
                    member => member.clone(),
                };
                sum = sum.plus(summed(&member)?)?;
                break;
            }
        }
        Ok(sum.value())
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

fn picked(positions: &[Integer], members: &[Integer]) -> Attempt<Integer> {
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
    chosen(List::Roll(dice.count, dice.die), runs)
}

pub(super) fn chosen(list: List, runs: Vec<Run>) -> Term {
    if runs.is_empty() && !list.has_effect() {
        return Term::certain(Integer::ZERO);
    }
    Term::new(Shape::Ranked(list, runs.into()))
}

/// Positions from the highest as runs of positions that are named equally often.
pub(super) fn runs(positions: &[Integer], count: u64, lowest_first: bool) -> Vec<Run> {
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
