//! Loops whose value is a sum of what the rounds add.
//!
//! The state is one number: what the last round added, times the number of values of all other variables together, and the packed
//! values of these. So the sum is that of a function of each state, and the engine need not tell apart what was added before.

use super::counters::Variables;
use super::loops::Ending;
use super::lowering::Lowering;
use super::state::Part;
use super::values::{Bound, Kind, Members, Value};
use crate::ir::{Arithmetic, Comparison, Digit, Expr, Folding, Name, Packing};
use crate::notation::bones::tree::Loop;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;

/// The most times that a loop is lowered until the ranges of its variables stay as they are.
const MOST_TRIES: usize = 4;

/// What is so of a variable in every round.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    part: Part,
    range: [Integer; 2],
}

impl Kept {
    /// The hull of both.
    fn or(&self, other: Self) -> Self {
        let ([low, high], [other_low, other_high]) = (self.range.clone(), other.range);
        Self {
            part: self.part.or(other.part),
            range: [low.min(other_low), high.max(other_high)],
        }
    }
}

impl Lowering<'_, '_> {
    /// A loop whose value depends on nothing but a sum and counters; `None` if the ranges of the other variables are not known.
    pub(super) fn with_sum(
        &mut self,
        (id, is_last): (NodeId, bool),
        repeated: &Loop,
        names: &[Span],
        first: &[Value],
        ending: Ending,
        variables: &Variables,
    ) -> Option<Value> {
        let sum = variables.sum?;
        let (mut bound, starts) = self.starts(first);
        let kept = variables.kept.iter();
        let mut kept: Vec<Kept> = kept
            .map(|&place| self.kept(&starts[place], id))
            .collect::<Option<_>>()?;
        for _ in 0..MOST_TRIES {
            let ranges: Vec<_> = kept.iter().map(|kept| kept.range.clone()).collect();
            let packing = Packing::new(&ranges)?;
            let state = self.build.name();
            let (round, wider) = self.round(
                id,
                (repeated, names, ending),
                variables,
                (&kept, &packing),
                state,
            )?;
            if wider != kept {
                kept = wider;
                continue;
            }
            let values = variables.kept.iter().map(|&place| starts[place].clone());
            let start = self.packed(&values.collect::<Vec<_>>(), &packing, id);
            let rounds = self.build.repeat_while(state, start, round);
            let mut rounds = Value::list(rounds);
            if !variables.counters.is_empty() {
                rounds = self.variable(&mut bound, rounds);
            }
            let added = self.added(rounds.expr, &packing, id);
            let site = self.site_at(id);
            let total = match starts[sum].known_number() {
                Some(zero) if zero.is_zero() => added,
                _ => {
                    let start = self.only(&starts[sum], id);
                    self.build.arithmetic(Arithmetic::Add, start, added, site)
                }
            };
            let total = self.variable(&mut bound, Value::number(total));
            let mut values = vec![(names[sum], total)];
            for (place, step) in &variables.counters {
                let count = self.rounds_of(rounds.expr, 1, id);
                let value = self.counted_value(starts[*place].expr, step, count, id);
                values.push((names[*place], self.variable(&mut bound, value)));
            }
            return Some(self.result_of(repeated, is_last, &values, bound));
        }
        None
    }

    /// One round: the next packed state, or nothing at the end; and what is so of the variables after it, too. `None` if a range is not
    /// known.
    fn round(
        &mut self,
        id: NodeId,
        (repeated, names, ending): (&Loop, &[Span], Ending),
        variables: &Variables,
        (kept, packing): (&[Kept], &Packing),
        state: Name,
    ) -> Option<(Expr, Vec<Kept>)> {
        let outside = self.scope.len();
        let code = self.build.variable(state);
        let mut bound = Vec::new();
        for ((&place, kept), digit) in variables.kept.iter().zip(kept).zip(packing.digits()) {
            let value = self.unpacked(code, (kept, digit), id, &mut bound);
            self.scope
                .push(Bound::new(self.tree.slice(names[place]), &value));
        }
        let mut places = variables.kept.clone();
        if let Some(sum) = variables.sum {
            // What a round adds is the new value for an old value of 0.
            let zero = self.constant(&[Integer::ZERO], &Members::Numbers);
            self.scope
                .push(Bound::new(self.tree.slice(names[sum]), &zero));
            places.push(sum);
        }
        let test = match ending {
            Ending::Until(condition) | Ending::While(condition) => {
                let value = self.term(condition);
                self.test(&value, condition)
            }
        };
        let mut wider: Option<Vec<Kept>> = Some(kept.to_vec());
        let places = (&places[..], variables.count);
        let next = self.branches(repeated.body, places, &mut |this, values, id| {
            let (values, added) = values.split_at(kept.len());
            wider = wider.take().and_then(|wider| {
                let both = wider.iter().zip(values);
                let both = both.map(|(kept, value)| Some(kept.or(this.kept(value, id)?)));
                both.collect()
            });
            let packed = this.packed(values, packing, id);
            let added = this.only(&added[0], id);
            let whole = whole(packing);
            let added = this.with_number(Arithmetic::Multiply, added, whole, id);
            let site = this.site_at(id);
            this.build.arithmetic(Arithmetic::Add, added, packed, site)
        });
        self.scope.truncate(outside);
        let nothing = self.build.empty();
        let round = match ending {
            Ending::Until(_) => self.build.choose(test, nothing, next.expr),
            Ending::While(_) => self.build.choose(test, next.expr, nothing),
        };
        Some((self.leave(bound, round), wider?)).filter(|_| self.failure.is_none())
    }

    /// What is so of a variable with this value; `None` if it is not always one number, of a known range.
    fn kept(&mut self, value: &Value, id: NodeId) -> Option<Kept> {
        let part = Part::of(value);
        if value.members != Members::Numbers
            || !matches!(value.kind, Kind::Condition | Kind::Number)
        {
            return None;
        }
        let number = self.member(value, id);
        let bounds = self.build.bounds(number)?;
        Some(Kept {
            part,
            range: [bounds.low, bounds.high],
        })
    }

    /// The packed values of variables.
    fn packed(&mut self, values: &[Value], packing: &Packing, id: NodeId) -> Expr {
        let mut sum: Option<Expr> = None;
        for (value, digit) in values.iter().zip(packing.digits()) {
            let number = self.only(value, id);
            let mut part = self.plus(number, digit.low.neg().unwrap_or_default(), id);
            if digit.step != Integer::ONE {
                part = self.with_number(Arithmetic::Multiply, part, digit.step.clone(), id);
            }
            let site = self.site_at(id);
            sum = Some(match sum {
                None => part,
                Some(sum) => self.build.arithmetic(Arithmetic::Add, sum, part, site),
            });
        }
        sum.unwrap_or_else(|| self.build.integer(0))
    }

    /// The value of a variable in a packed state, with what is known of its range.
    fn unpacked(
        &mut self,
        code: Expr,
        (kept, digit): (&Kept, &Digit),
        id: NodeId,
        bound: &mut Vec<(Name, Expr)>,
    ) -> Value {
        let mut number = code;
        if digit.step != Integer::ONE {
            number = self.with_number(Arithmetic::FloorDivide, number, digit.step.clone(), id);
        }
        number = self.with_number(Arithmetic::Modulo, number, digit.count.clone(), id);
        number = self.plus(number, digit.low.clone(), id);
        let site = self.site_at(id);
        let [low, high] = kept.range.clone().map(|end| self.build.integer(end));
        let range = self.build.range(low, high, site);
        let name = self.build.name_of(range);
        bound.push((name, number));
        let variable = self.build.variable(name);
        if kept.part.is_condition() {
            let holds = self.members(Comparison::Equal, &Integer::ONE, variable, id);
            return self.condition(holds, None);
        }
        Value::number(variable)
    }

    /// The sum of what all rounds added.
    fn added(&mut self, rounds: Expr, packing: &Packing, id: NodeId) -> Expr {
        let name = self.build.name();
        let code = self.build.variable(name);
        let added = self.with_number(Arithmetic::FloorDivide, code, whole(packing), id);
        let all = self.build.foreach(name, rounds, added);
        let site = self.site_at(id);
        self.build.fold(Folding::Sum, all, site)
    }
}

/// The number of values of all packed variables together.
fn whole(packing: &Packing) -> Integer {
    let first = packing.digits().first();
    first.map_or(Integer::ONE, |digit| {
        digit.step.mul(&digit.count).unwrap_or_default()
    })
}
