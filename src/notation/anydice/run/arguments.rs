//! The arguments of calls, as parameters receive them.

use super::operators::summed;
use super::sequence::total;
use super::stop::{Attempt, Stop};
use crate::notation::anydice::term::Term;
use crate::notation::anydice::tree::ParameterType;
use crate::notation::anydice::value::{Dice, Summed, Value};

/// A value that a parameter takes, before the body is run.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// One value in every run.
    Fixed(Value),
    /// Each value of a number.
    Each(Term),
    /// Each roll of some dice.
    EachRoll(Dice),
}

/// The values of arguments that are the same in every run.
pub(super) fn all_fixed(arguments: &[Argument]) -> Option<Vec<Value>> {
    let values = arguments.iter().map(|argument| match argument {
        Argument::Fixed(value) => Some(value.clone()),
        Argument::Each(_) | Argument::EachRoll(_) => None,
    });
    values.collect()
}

/// The argument that a parameter receives; `None` if the call is the empty die.
fn argument(kind: ParameterType, value: Value) -> Attempt<Option<Argument>> {
    Ok(Some(match (kind, value) {
        (ParameterType::Number | ParameterType::Sequence, Value::Nothing) => return Ok(None),
        (ParameterType::Number, value) => match summed(&value)? {
            Summed::Die(die) => Argument::Each(die),
            sum => Argument::Fixed(sum.value()),
        },
        (ParameterType::Sequence, Value::Dice(dice)) => Argument::EachRoll(dice),
        (ParameterType::Sequence, Value::Number(number)) => {
            Argument::Fixed(Value::Sequence([number].into()))
        }
        (ParameterType::Sequence, Value::Throw(..)) => {
            return Err(Stop::Open(
                "a roll is looked at, of which the number of dice depends on another roll",
            ));
        }
        (ParameterType::Sequence, value @ Value::Unknown(_)) => {
            Argument::Fixed(Value::Row([value].into()))
        }
        (ParameterType::Die, Value::Number(number)) => {
            Argument::Fixed(Value::single(Term::certain(number)))
        }
        (ParameterType::Die, Value::Sequence(members)) => {
            let sum = total(&members)?;
            Argument::Fixed(Value::single(Term::certain(sum)))
        }
        (ParameterType::Die, Value::Unknown(_) | Value::Pool(_) | Value::Row(_)) => {
            return Err(Stop::Open("a die is made from the roll"));
        }
        (_, value) => Argument::Fixed(value),
    }))
}

/// The arguments as the parameters receive them; `None` if the call is the empty die.
pub(super) fn arguments_of(
    kinds: &[ParameterType],
    values: Vec<Value>,
) -> Attempt<Option<Vec<Argument>>> {
    let mut arguments = Vec::with_capacity(values.len());
    for (kind, value) in kinds.iter().zip(values) {
        match argument(*kind, value)? {
            Some(argument) => arguments.push(argument),
            None => return Ok(None),
        }
    }
    Ok(Some(arguments))
}
