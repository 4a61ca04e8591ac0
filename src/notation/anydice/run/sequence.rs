//! Sequences: `{…}`.

use std::rc::Rc;

use super::machine::Machine;
use super::stop::{Step, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::limits::{LimitReached, MAX_LIST};
use crate::notation::anydice::tree::Part;
use crate::notation::anydice::value::Value;
use crate::notation::reader::tree::NodeId;
use crate::number::{Integer, Overflow};

/// The sum of a sequence.
pub(super) fn total(members: &[Integer]) -> Result<Integer, Overflow> {
    let mut members = members.iter();
    members.try_fold(Integer::ZERO, |sum, member| sum.add(member))
}

impl Machine<'_> {
    /// The sequence of some parts.
    pub(super) fn sequence(&mut self, parts: &[Part]) -> Step<Value> {
        if let [part] = parts
            && part.last.is_none()
            && part.times.is_none()
        {
            // A hidden roll between braces stays one.
            let value = self.value(part.first)?;
            if let Value::Pool(..) = value {
                return Ok(value);
            }
            let mut members = Vec::new();
            self.append(value, part.first, &mut members)?;
            return Ok(Value::Sequence(members.into()));
        }
        let mut members = Vec::new();
        for part in parts {
            let start = members.len();
            let first = self.value(part.first)?;
            match part.last {
                None => self.append(first, part.first, &mut members)?,
                Some(last) => {
                    let first = self.bound(first, part.first)?;
                    let value = self.value(last)?;
                    let last = self.bound(value, last)?;
                    range(&first, &last, &mut members)?;
                }
            }
            if let Some(times) = part.times {
                let value = self.value(times)?;
                let times = self.bound(value, times)?;
                repeat(&times, start, &mut members)?;
            }
            self.budget.check()?;
        }
        Ok(Value::Sequence(members.into()))
    }

    /// Appends the members of a part.
    fn append(&mut self, value: Value, id: NodeId, members: &mut Vec<Integer>) -> Step<()> {
        match value {
            Value::Number(number) => members.push(number),
            Value::Sequence(other) => members.extend_from_slice(&other),
            Value::Dice(dice) => {
                let faces = self.faces(&dice.sum(), self.code.span(id))?;
                members.extend(faces.outcomes().cloned());
            }
            Value::Nothing => {}
            Value::Unknown(_) | Value::Pool(..) => {
                return Err(Stop::Open("a sequence is made from the roll"));
            }
        }
        fits(members.len())
    }

    /// A number that bounds a range, or says how often a part is repeated.
    fn bound(&self, value: Value, id: NodeId) -> Step<Integer> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Sequence(members) => Ok(total(&members)?),
            Value::Unknown(_) | Value::Pool(..) => {
                Err(Stop::Open("the length of a sequence depends on the roll"))
            }
            Value::Dice(_) | Value::Nothing => {
                let message = "a range begins and ends with a number, and is repeated a number of times, but this is a die";
                let finding = Diagnostic::new(self.code.span(id), message)
                    .with_help("give the die to a function with a parameter `:n`");
                Err(Stop::new(ErrorKind::Type, finding))
            }
        }
    }
}

fn fits(length: usize) -> Step<()> {
    if length > MAX_LIST {
        return Err(LimitReached::List.into());
    }
    Ok(())
}

fn range(first: &Integer, last: &Integer, members: &mut Vec<Integer>) -> Step<()> {
    if first > last {
        return Ok(());
    }
    let more = last.sub(first)?.to_usize().unwrap_or(usize::MAX);
    fits(members.len().saturating_add(more).saturating_add(1))?;
    let mut next = first.clone();
    while next <= *last {
        let after = next.add(&Integer::ONE)?;
        members.push(std::mem::replace(&mut next, after));
    }
    Ok(())
}

/// Repeats the members from a place on, so that they stand there so many times.
fn repeat(times: &Integer, start: usize, members: &mut Vec<Integer>) -> Step<()> {
    if *times <= Integer::ZERO {
        members.truncate(start);
        return Ok(());
    }
    let part = members[start..].to_vec();
    let times = times.to_usize().unwrap_or(usize::MAX);
    fits(part.len().saturating_mul(times).saturating_add(start))?;
    if part.is_empty() {
        return Ok(());
    }
    for _ in 1..times {
        members.extend_from_slice(&part);
    }
    Ok(())
}

/// A sequence of numbers.
pub(super) fn sequence(members: Vec<Integer>) -> Value {
    Value::Sequence(Rc::from(members))
}
