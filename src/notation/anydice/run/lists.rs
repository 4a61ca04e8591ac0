//! The functions of the library on sequences and dice that depend on hidden values.

use super::library::Builtin;
use super::machine::Machine;
use super::operators::summed;
use super::places::{chosen, runs};
use super::stop::Attempt;
use crate::ir::Comparison;
use crate::notation::anydice::term::List;
use crate::notation::anydice::value::{Summed, Value};
use crate::notation::extreme::Extreme;
use crate::number::Integer;
use crate::source::Span;

/// The most dice that are kept, where their number depends on the roll.
const MOST_KEPT: usize = 10_000;

impl Machine<'_> {
    /// The value of a call on hidden values; `None` where it is no term.
    pub(super) fn on_open(
        &mut self,
        builtin: Builtin,
        values: &[Value],
        span: Span,
    ) -> Attempt<Option<Value>> {
        Ok(match (builtin, values) {
            (Builtin::Contains, [within, wanted]) => match summed(wanted)?.value() {
                wanted @ (Value::Number(_) | Value::Unknown(_)) if is_sequence(within) => {
                    let count = self.compare(Comparison::Equal, within, &wanted, span)?;
                    Some(self.compare(Comparison::Greater, &count, &Value::number(0), span)?)
                }
                _ => None,
            },
            (Builtin::Count, [wanted, within]) if is_sequence(within) => {
                self.count_in(wanted, within, span)?
            }
            (Builtin::Keep(Extreme::High), [Value::Number(kept), Value::Throw(count, die)]) => {
                highest(kept, List::Throw(count.clone(), die.clone()))
            }
            (Builtin::Reverse, [Value::Row(members)]) => {
                let is_number = |member: &Value| !matches!(member, Value::Pool(_));
                let reversed = || Value::Row(members.iter().rev().cloned().collect());
                members.iter().all(is_number).then(reversed)
            }
            (Builtin::Sort, [pool @ Value::Pool(_)]) => Some(pool.clone()),
            (Builtin::Sort, [Value::Row(members)]) => sorted(members),
            _ => None,
        })
    }

    /// How many members of a sequence are among some numbers, each counted as often as it is named.
    fn count_in(&mut self, wanted: &Value, within: &Value, span: Span) -> Attempt<Option<Value>> {
        let numbers: Vec<Value> = match wanted {
            Value::Number(_) | Value::Unknown(_) => vec![wanted.clone()],
            Value::Sequence(members) if members.len() <= 200 => {
                members.iter().cloned().map(Value::Number).collect()
            }
            Value::Row(members) => members.to_vec(),
            _ => return Ok(None),
        };
        let mut sum = Summed::Number(Integer::ZERO);
        for number in numbers {
            if !matches!(number, Value::Number(_) | Value::Unknown(_)) {
                return Ok(None);
            }
            let count = self.compare(Comparison::Equal, within, &number, span)?;
            sum = sum.plus(summed(&count)?)?;
        }
        Ok(Some(sum.value()))
    }
}

fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::Pool(_) | Value::Row(_) | Value::Sequence(_))
}

/// The sum of the highest dice of a roll; `None` for too many.
fn highest(kept: &Integer, roll: List) -> Option<Value> {
    if *kept <= Integer::ZERO {
        return Some(Value::number(0));
    }
    let kept = kept.to_usize().filter(|kept| *kept <= MOST_KEPT)?;
    let places: Vec<Integer> = (1..=kept).map(Integer::from).collect();
    let runs = runs(&places, roll.count(), false);
    Some(Value::single(chosen(roll, runs)))
}

/// The members of a sequence as a sorted one.
fn sorted(members: &[Value]) -> Option<Value> {
    let lists = members.iter().map(|member| match member {
        Value::Pool(list) => Some(list.clone()),
        member => {
            let member = summed(member).ok()?.term()?;
            Some(List::Members([member].into()))
        }
    });
    let lists: Option<Vec<List>> = lists.collect();
    lists.map(|lists| Value::Pool(List::Join(lists.into())))
}
