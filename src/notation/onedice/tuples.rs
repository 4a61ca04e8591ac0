//! Arithmetic on tuples, and the operators that keep, drop and limit members.

use super::lower::{Lowering, View};
use super::operator::Operator;
use super::tree::{Node, Operation};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Expr, Selection, SiteId};
use crate::notation::reader::tree::NodeId;

impl Lowering<'_> {
    /// The number of an arithmetic operation.
    pub(super) fn arithmetic(&mut self, id: NodeId, operation: &Operation) -> Expr {
        let &Operation { left, right, .. } = operation;
        let site = self.site(id, left, right);
        let parts = [(left, View::Number), (right, View::Number)];
        if self.may_be_zero_to_zero(operation) {
            let held = self.held(&parts);
            return self.apply(id, operation, held[0], held[1], site);
        }
        let parts = self.sequence(&parts);
        self.build
            .arithmetic(arithmetic(operation.operator), parts[0], parts[1], site)
    }

    fn may_be_zero_to_zero(&self, operation: &Operation) -> bool {
        let may_be_zero = |id| self.fact(id).number.may_be(0);
        operation.operator == Operator::Power
            && may_be_zero(operation.right)
            && may_be_zero(operation.left)
    }

    /// Arithmetic on two numbers, which may be members of tuples.
    fn apply(
        &mut self,
        id: NodeId,
        operation: &Operation,
        left: Expr,
        right: Expr,
        site: SiteId,
    ) -> Expr {
        let operator = arithmetic(operation.operator);
        let value = self.build.arithmetic(operator, left, right, site);
        let exponent = self.fact(operation.right).number;
        if operator != Arithmetic::Power
            || !exponent.may_be(0) && self.fact(operation.right).is_many() == Some(false)
        {
            return value;
        }
        // 0^0 is an error in OneDice, and 1 in the core language.
        let (zero, two) = (self.constant(0), self.constant(2));
        let both = self.build.join(&[left, right]);
        let zeros = self.filter(Comparison::Equal, zero, both);
        let zeros = self.count(zeros);
        let bad = self.filter(Comparison::Equal, two, zeros);
        self.unless(&[bad], ErrorKind::Domain, id, value)
    }

    /// The tuple of an arithmetic operation. If exactly one operand has several members, the operation applies to each member
    /// of that operand and the number of the other operand; otherwise to both numbers.
    pub(super) fn arithmetic_tuple(&mut self, id: NodeId, operation: &Operation) -> Expr {
        let &Operation { left, right, .. } = operation;
        let (many_left, many_right) = (self.fact(left).is_many(), self.fact(right).is_many());
        if many_left.is_some() && many_left == many_right {
            return self.arithmetic(id, operation);
        }
        let divisor = self.fact(right).number;
        let never_fails = match operation.operator {
            Operator::Divide => many_left == Some(true) && !divisor.may_be(0),
            Operator::Power => many_left == Some(true) && divisor.is_at_least(1),
            _ => true,
        };
        let (Some(many_left), Some(_), true) = (many_left, many_right, never_fails) else {
            // The number is evaluated, too, because it can fail although no member fails.
            let (_, tuple) = self.both(id);
            return tuple;
        };
        let site = self.site(id, left, right);
        let parts = if many_left {
            [(left, View::Tuple), (right, View::Number)]
        } else {
            [(left, View::Number), (right, View::Tuple)]
        };
        let (list, other) = if many_left {
            (left, right)
        } else {
            (right, left)
        };
        if self.fact(other).is_fixed() {
            let list = self.tuple(list);
            let other = self.number(other);
            let other = self.bind(other);
            return self.foreach(list, |this, member| {
                let (left, right) = ordered(many_left, member, other);
                this.apply(id, operation, left, right, site)
            });
        }
        let held = self.held(&parts);
        let (list, other) = if many_left {
            (held[0], held[1])
        } else {
            (held[1], held[0])
        };
        self.foreach(list, |this, member| {
            let (left, right) = ordered(many_left, member, other);
            this.apply(id, operation, left, right, site)
        })
    }

    /// The number and the tuple of a part, of the same roll.
    fn both(&mut self, id: NodeId) -> (Expr, Expr) {
        let id = self.tree.ungrouped(id);
        let operation = self.tree.operation(id);
        let Some(operation) = operation.filter(|found| found.operator.is_arithmetic()) else {
            let tuple = self.tuple(id);
            let tuple = self.bind(tuple);
            let number = self.number_of(id, tuple);
            return (self.bind(number), tuple);
        };
        crate::stack::level(|| self.both_of_arithmetic(id, &operation))
    }

    fn both_of_arithmetic(&mut self, id: NodeId, operation: &Operation) -> (Expr, Expr) {
        let &Operation { left, right, .. } = operation;
        let site = self.site(id, left, right);
        let (many_left, many_right) = (self.fact(left).is_many(), self.fact(right).is_many());
        let (left_number, left_tuple) = self.both(left);
        let (right_number, right_tuple) = self.both(right);
        let number = self.apply(id, operation, left_number, right_number, site);
        let number = self.bind(number);
        let of_left = |this: &mut Self| {
            this.foreach(left_tuple, |this, member| {
                this.apply(id, operation, member, right_number, site)
            })
        };
        let of_right = |this: &mut Self| {
            this.foreach(right_tuple, |this, member| {
                this.apply(id, operation, left_number, member, site)
            })
        };
        // If a size is not known here, the program compares it with 1.
        let tuple = match (many_left, many_right) {
            (Some(true), Some(false)) => of_left(self),
            (Some(false), Some(true)) => of_right(self),
            (Some(_), Some(_)) => return (number, number),
            _ => {
                let [is_many_left, is_many_right] =
                    [left_tuple, right_tuple].map(|tuple| self.has_many(tuple));
                let (spread_left, spread_right) = (of_left(self), of_right(self));
                let if_many = self.build.choose(is_many_right, number, spread_left);
                let if_few = self.build.choose(is_many_right, spread_right, number);
                self.build.choose(is_many_left, if_many, if_few)
            }
        };
        (number, self.bind(tuple))
    }

    fn has_many(&mut self, tuple: Expr) -> Expr {
        let count = self.count(tuple);
        let one = self.constant(1);
        self.filter(Comparison::Greater, one, count)
    }

    /// The number of a part that is no arithmetic, from its tuple.
    fn number_of(&mut self, id: NodeId, tuple: Expr) -> Expr {
        if self.fact(id).size.constant() == Some(1) {
            return tuple;
        }
        let operator = self.tree.operation(id).map(|operation| operation.operator);
        match (self.tree.node(id), operator) {
            (Node::Pop(_) | Node::Tuple(_), _) | (_, Some(Operator::Loop | Operator::Slice)) => {
                self.last(id, tuple)
            }
            _ => self.sum(tuple),
        }
    }

    /// `kh`, `kl`, `dh` and `dl`
    pub(super) fn keep(
        &mut self,
        selection: Selection,
        id: NodeId,
        operation: &Operation,
        view: View,
    ) -> Expr {
        let &Operation { left, right, .. } = operation;
        let parts = [(left, View::Tuple), (right, View::Number)];
        let range = self.fact(right).number;
        // A selection evaluates its number before its list.
        let is_ordered = !self.fact(left).may_fail || !self.fact(right).may_fail;
        let (list, count, bad) = if range.is_at_least(1) && is_ordered {
            let parts = self.sequence(&parts);
            (parts[0], parts[1], Vec::new())
        } else {
            let held = self.held(&parts);
            let bad = self.outside(held[1], range, 1, None);
            (held[0], held[1], bad)
        };
        let kept = self.select_by(selection, count, list);
        let result = match view {
            View::Number => self.sum(kept),
            View::Tuple => {
                let is_descending = matches!(selection, Selection::High | Selection::DropHigh);
                self.in_order(kept, is_descending)
            }
        };
        self.unless(&bad, ErrorKind::Domain, id, result)
    }

    /// `max` and `min`
    pub(super) fn limit(
        &mut self,
        operator: Arithmetic,
        id: NodeId,
        operation: &Operation,
        view: View,
    ) -> Expr {
        let &Operation { left, right, .. } = operation;
        let range = self.fact(right).number;
        let (list, bound) = if self.fact(right).is_fixed() && range.is_at_least(1) {
            let list = self.tuple(left);
            let bound = self.number(right);
            (list, self.bind(bound))
        } else {
            let held = self.held(&[(left, View::Tuple), (right, View::Number)]);
            (held[0], held[1])
        };
        let bad = self.outside(bound, range, 1, None);
        let limited = |this: &mut Self, member: Expr| {
            this.build.arithmetic(operator, member, bound, this.nowhere)
        };
        let result = if self.fact(left).size.constant() == Some(1) {
            limited(self, list)
        } else {
            let list = self.foreach(list, limited);
            match view {
                View::Number => self.sum(list),
                View::Tuple => list,
            }
        };
        self.unless(&bad, ErrorKind::Domain, id, result)
    }
}

fn ordered(member_is_left: bool, member: Expr, other: Expr) -> (Expr, Expr) {
    if member_is_left {
        (member, other)
    } else {
        (other, member)
    }
}

fn arithmetic(operator: Operator) -> Arithmetic {
    match operator {
        Operator::Add => Arithmetic::Add,
        Operator::Divide => Arithmetic::Divide,
        Operator::Multiply => Arithmetic::Multiply,
        Operator::Power => Arithmetic::Power,
        _ => Arithmetic::Subtract,
    }
}
