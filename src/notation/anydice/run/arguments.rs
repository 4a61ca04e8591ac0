//! The arguments of calls, as parameters receive them.

use super::operators::summed;
use super::sequence::total;
use super::stop::{Step, Stop};
use crate::notation::anydice::term::Term;
use crate::notation::anydice::tree::Kind;
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
fn argument(kind: Kind, value: Value) -> Step<Option<Argument>> {
    Ok(Some(match (kind, value) {
        (Kind::Number | Kind::Sequence, Value::Nothing) => return Ok(None),
        (Kind::Number, value) => match summed(&value)? {
            Summed::Die(die) => Argument::Each(die),
            sum => Argument::Fixed(sum.value()),
        },
        (Kind::Sequence, Value::Dice(dice)) => Argument::EachRoll(dice),
        (Kind::Sequence, Value::Number(number)) => {
            Argument::Fixed(Value::Sequence([number].into()))
        }
        (Kind::Sequence, Value::Throw(..)) => {
            return Err(Stop::Open(
                "a roll is looked at, of which the number of dice depends on another roll",
            ));
        }
        (Kind::Sequence, value @ Value::Unknown(_)) => Argument::Fixed(Value::Row([value].into())),
        (Kind::Die, Value::Number(number)) => Argument::Fixed(Value::single(Term::certain(number))),
        (Kind::Die, Value::Sequence(members)) => {
            let sum = total(&members)?;
            Argument::Fixed(Value::single(Term::certain(sum)))
        }
        (Kind::Die, Value::Unknown(_) | Value::Pool(_) | Value::Row(_)) => {
            return Err(Stop::Open("a die is made from the roll"));
        }
        (_, value) => Argument::Fixed(value),
    }))
}

/// The arguments as the parameters receive them; `None` if the call is the empty die.
pub(super) fn arguments_of(kinds: &[Kind], values: Vec<Value>) -> Step<Option<Vec<Argument>>> {
    let mut arguments = Vec::with_capacity(values.len());
    for (kind, value) in kinds.iter().zip(values) {
        match argument(*kind, value)? {
            Some(argument) => arguments.push(argument),
            None => return Ok(None),
        }
    }
    Ok(Some(arguments))
}
