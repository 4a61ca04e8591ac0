//! Sequences: `{…}`.

use std::rc::Rc;

use super::machine::Machine;
use super::stop::{Attempt, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::limits::{LimitReached, MAX_LIST};
use crate::notation::anydice::tree::SequencePart;
use crate::notation::anydice::value::Value;
use crate::notation::reader::tree::NodeId;
use crate::number::{Integer, Overflow};

/// The sum of a sequence.
pub(super) fn total(members: &[Integer]) -> Result<Integer, Overflow> {
    let mut members = members.iter();
    members.try_fold(Integer::ZERO, |sum, member| sum.add(member))
}

/// A sequence while it is made.
#[derive(Default)]
struct SequenceBuilder {
    /// Everything up to the last part that depends on the roll.
    before: Vec<Value>,
    /// The members after it.
    members: Vec<Integer>,
}

impl SequenceBuilder {
    /// Where the sequence ends now.
    fn mark(&self) -> (usize, usize) {
        (self.before.len(), self.members.len())
    }

    /// Appends a part that depends on the roll.
    fn push(&mut self, value: Value) {
        let members = std::mem::take(&mut self.members);
        self.before.extend(members.into_iter().map(Value::Number));
        self.before.push(value);
    }

    fn finish(mut self) -> Value {
        if self.before.is_empty() {
            return Value::Sequence(self.members.into());
        }
        let members = self.members.into_iter();
        self.before.extend(members.map(Value::Number));
        match &self.before[..] {
            // A hidden roll between braces stays one.
            [pool @ Value::Pool(_)] => pool.clone(),
            _ => Value::Row(self.before.into()),
        }
    }
}

impl Machine<'_> {
    /// The sequence of some parts.
    pub(super) fn sequence(&mut self, parts: &[SequencePart]) -> Attempt<Value> {
        let mut row = SequenceBuilder::default();
        for part in parts {
            let start = row.mark();
            let first = self.value(part.first)?;
            match part.last {
                None => self.append(first, part.first, &mut row)?,
                Some(last) => {
                    let first = self.bound(first, part.first)?;
                    let value = self.value(last)?;
                    let last = self.bound(value, last)?;
                    self.range(&first, &last, &mut row.members)?;
                }
            }
            if let Some(times) = part.times {
                let value = self.value(times)?;
                let times = self.bound(value, times)?;
                if row.mark().0 > start.0 {
                    return Err(Stop::Open("a part that depends on the roll is repeated"));
                }
                self.repeated(&times, start.1, &mut row.members)?;
            }
        }
        Ok(row.finish())
    }

    /// Appends the members of a part.
    fn append(&mut self, value: Value, id: NodeId, row: &mut SequenceBuilder) -> Attempt<()> {
        match value {
            Value::Number(number) => row.members.push(number),
            Value::Sequence(other) => {
                self.fits(row.members.len().saturating_add(other.len()))?;
                self.has_room(1, other.iter().map(Integer::bytes).sum())?;
                row.members.extend_from_slice(&other);
            }
            Value::Dice(dice) => {
                let faces = self.faces(&dice.sum(), self.code.span(id))?;
                row.members.extend(faces.outcomes().cloned());
            }
            Value::Nothing => {}
            Value::Unknown(_) => {
                let value = self.named(value);
                row.push(value);
            }
            Value::Pool(_) => row.push(value),
            Value::Row(members) => members.iter().for_each(|member| match member {
                Value::Number(number) => row.members.push(number.clone()),
                member => row.push(member.clone()),
            }),
            Value::Throw(..) => {
                return Err(Stop::Open(
                    "the values of a die that depends on the roll are asked for",
                ));
            }
        }
        self.fits(row.members.len().saturating_add(row.before.len()))
    }

    /// A number that bounds a range, or says how often a part is repeated.
    fn bound(&self, value: Value, id: NodeId) -> Attempt<Integer> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Sequence(members) => Ok(total(&members)?),
            Value::Unknown(_) | Value::Pool(_) | Value::Row(_) | Value::Throw(..) => {
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

    fn range(&self, first: &Integer, last: &Integer, members: &mut Vec<Integer>) -> Attempt<()> {
        if first > last {
            return Ok(());
        }
        let more = last.sub(first)?.to_usize().unwrap_or(usize::MAX);
        self.fits(members.len().saturating_add(more).saturating_add(1))?;
        let mut next = first.clone();
        while next <= *last {
            let after = next.add(&Integer::ONE)?;
            members.push(std::mem::replace(&mut next, after));
        }
        Ok(())
    }

    /// Repeats the members from a place on, so that they stand there so many times.
    fn repeated(&self, times: &Integer, start: usize, members: &mut Vec<Integer>) -> Attempt<()> {
        if *times <= Integer::ZERO {
            members.truncate(start);
            return Ok(());
        }
        let part = members[start..].to_vec();
        let times = times.to_usize().unwrap_or(usize::MAX);
        self.fits(part.len().saturating_mul(times).saturating_add(start))?;
        self.has_room(times, part.iter().map(Integer::bytes).sum())?;
        if part.is_empty() {
            return Ok(());
        }
        for _ in 1..times {
            members.extend_from_slice(&part);
        }
        Ok(())
    }

    /// Checks, before a sequence becomes so long, whether there is room.
    fn fits(&self, length: usize) -> Attempt<()> {
        if length > MAX_LIST {
            return Err(LimitReached::List.into());
        }
        // A vector moves when it grows, and a sequence is copied when it is complete.
        Ok(self.has_room(length, 2 * size_of::<Integer>() as u64)?)
    }
}

/// A sequence of numbers.
pub(super) fn sequence(members: Vec<Integer>) -> Value {
    Value::Sequence(Rc::from(members))
}
