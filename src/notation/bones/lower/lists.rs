//! Words for lists and numbers.

use super::known;
use super::lowering::Lowering;
use super::values::{Kind, Value};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Arrangement, Comparison, Expr, Selection};
use crate::notation::bones::tree::{Function, Pair};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

impl Lowering<'_, '_> {
    pub(super) fn pair(&mut self, id: NodeId, pair: Pair, a: NodeId, b: NodeId) -> Value {
        let (left, right) = (self.term(a), self.term(b));
        let (left, right) = (self.as_member(&left, a), self.as_member(&right, b));
        if pair == Pair::Rank {
            let list = self.ordered(&right, b, pair.word());
            return self.rank(id, &left, &list, a).of(list.members);
        }
        let pairs = [(left.clone(), a), (right.clone(), b)];
        let (left, right) = match &self.alike(&pairs)[..] {
            [left, right] => (left.clone(), right.clone()),
            _ => (left, right),
        };
        if pair == Pair::Compare {
            let left = self.ordered(&left, a, pair.word());
            let right = self.ordered(&right, b, pair.word());
            return Value::number(self.build.compare(left.expr, right.expr));
        }
        // The members to take away are evaluated first.
        let rest = self.shared(&left, |this, taken| {
            Value::list(this.build.without(right.expr, taken))
        });
        rest.of(right.members)
    }

    /// `rank i L`: the i-th greatest member, or the i-th least for a negative number.
    fn rank(&mut self, id: NodeId, index: &Value, list: &Value, place: NodeId) -> Value {
        let site = self.site_at(id);
        let one = self.build.integer(1);
        let index = &self.numbers(index, place);
        let known = index.known_number();
        if let Some(number) = &known {
            let [best, drop] = if number.is_negative() {
                [Selection::Low, Selection::DropLow]
            } else {
                [Selection::High, Selection::DropHigh]
            };
            let size = if number.is_negative() {
                number.neg().ok()
            } else {
                Some(number.clone())
            };
            let before = size.as_ref().and_then(|size| size.sub(&Integer::ONE).ok());
            let Some(before) = before.filter(|before| !before.is_negative()) else {
                // No member has the rank 0. The list is evaluated all the same.
                let none = self.build.integer(0);
                let nothing = self.build.select(Selection::High, none, list.expr, site);
                let nothing = Value::list(nothing).with_length(Some(0));
                return self.shared(index, |_, _| nothing);
            };
            let length = list
                .length
                .map(|length| usize::from(before.to_usize().is_some_and(|before| before < length)));
            let ranked = known::select(drop, Some(before.clone()), list.known.as_deref());
            let ranked = known::select(best, Some(Integer::ONE), ranked.as_deref());
            let rest = if before.is_zero() {
                list.expr
            } else {
                let before = self.build.integer(before);
                self.build.select(drop, before, list.expr, site)
            };
            let member = self.build.select(best, one, rest, site);
            let member = Value::list(member).with_length(length).with_known(ranked);
            return self.shared(index, |_, _| member);
        }
        let number = self.only(index, place);
        self.shared(&Value::number(number), |this, number| {
            this.shared(list, |this, list| {
                let ranked = |this: &mut Self, best, drop, number| {
                    let before = this
                        .build
                        .arithmetic(Arithmetic::Subtract, number, one, site);
                    let none = this.build.integer(0);
                    let before = this.build.arithmetic(Arithmetic::Max, none, before, site);
                    let rest = this.build.select(drop, before, list, site);
                    this.build.select(best, one, rest, site)
                };
                let greatest = ranked(this, Selection::High, Selection::DropHigh, number);
                let opposite = this.build.negate(number, site);
                let least = ranked(this, Selection::Low, Selection::DropLow, opposite);
                let is_positive = this.members(Comparison::Greater, &Integer::ZERO, number, id);
                let is_negative = this.members(Comparison::Less, &Integer::ZERO, number, id);
                let nothing = this.build.empty();
                let other = this.build.choose(is_negative, least, nothing);
                Value::list(this.build.choose(is_positive, greatest, other))
            })
        })
    }

    /// `distinct L`
    pub(super) fn distinct(&mut self, list: Expr) -> Value {
        Value::list(self.build.arrange(Arrangement::Distinct, list))
    }

    pub(super) fn function(
        &mut self,
        id: NodeId,
        function: Function,
        arguments: &[NodeId],
    ) -> Value {
        let values: Vec<_> = arguments
            .iter()
            .map(|&argument| {
                let value = self.term(argument);
                self.numbers(&value, argument)
            })
            .collect();
        match function {
            Function::Abs => {
                if let ([value], [argument]) = (&values[..], arguments) {
                    return self.abs(id, value, *argument);
                }
                let message = format!("`abs` takes one number, not {}", values.len());
                let finding =
                    Diagnostic::new(self.span(id), message).with_help("write `abs(x - y)`");
                self.refuse(ErrorKind::Type, finding)
            }
            Function::Max => self.extreme(id, &values, arguments, Arithmetic::Max, Selection::High),
            Function::Min => self.extreme(id, &values, arguments, Arithmetic::Min, Selection::Low),
        }
    }

    fn abs(&mut self, id: NodeId, value: &Value, argument: NodeId) -> Value {
        let site = self.site(id, argument, argument);
        let known = value.known_number();
        let known = known.and_then(|known| Some(known.clone().max(known.neg().ok()?)));
        let number = Value::number(self.number(value, argument)).with_number(value.known_number());
        let absolute = self.shared(&number, |this, number| {
            let opposite = this.build.negate(number, site);
            let largest = this
                .build
                .arithmetic(Arithmetic::Max, number, opposite, site);
            Value::number(largest)
        });
        absolute.with_number(known)
    }

    /// The greatest or least member of all arguments.
    fn extreme(
        &mut self,
        id: NodeId,
        values: &[Value],
        arguments: &[NodeId],
        operator: Arithmetic,
        selection: Selection,
    ) -> Value {
        let site = self.site_at(id);
        let numbers: Vec<_> = values
            .iter()
            .zip(arguments)
            .map(|(value, &argument)| match value.kind {
                Kind::Condition => {
                    Value::number(self.number(value, argument)).with_number(value.known_number())
                }
                _ => value.clone(),
            })
            .collect();
        let known = known::join(numbers.iter().map(|value| value.known.as_deref()));
        let known = known::select(selection, Some(Integer::ONE), known.as_deref());
        let known = known.and_then(|known| known.first().cloned());
        let are_numbers = numbers.iter().all(|value| value.length == Some(1));
        if are_numbers && let Some((first, others)) = numbers.split_first() {
            let first = first.expr;
            let value = others.iter().fold(first, |best, other| {
                self.build.arithmetic(operator, best, other.expr, site)
            });
            return Value::number(value).with_number(known);
        }
        let numbers: Vec<_> = numbers.into_iter().zip(arguments.iter().copied()).collect();
        let list = self.join(&numbers);
        let numbers = numbers.iter().map(|(value, _)| value);
        let one = self.build.integer(1);
        if { numbers }.any(|value| value.length.is_some_and(|length| length > 0)) {
            let value = self.build.select(selection, one, list.expr, site);
            return Value::number(value).with_number(known);
        }
        let best = Value::list(self.build.select(selection, one, list.expr, site));
        self.shared(&best, |this, best| {
            let nothing = this.build.fail(ErrorKind::Domain, site);
            Value::number(this.build.choose(best, best, nothing))
        })
    }
}
