//! Words for lists and numbers.

use super::known;
use super::lowering::Lowering;
use super::values::{TypedTerm, ValueType};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Arrangement, Comparison, Expr, Folding, Selection};
use crate::notation::bones::tree::{Function, Pair};
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

/// The most values between which a straight is looked for value by value.
const MOST_VALUES: usize = 256;

impl Lowering<'_, '_> {
    pub(super) fn pair(&mut self, id: NodeId, pair: Pair, a: NodeId, b: NodeId) -> TypedTerm {
        let (left, right) = (self.term(a), self.term(b));
        let (left, right) = (self.as_member(&left, a), self.as_member(&right, b));
        if pair == Pair::At {
            let ends = [
                [Selection::First, Selection::DropFirst],
                [Selection::Last, Selection::DropLast],
            ];
            return self.place(id, ends, &left, &right, a).of(right.members);
        }
        if pair == Pair::Rank {
            let ends = [
                [Selection::High, Selection::DropHigh],
                [Selection::Low, Selection::DropLow],
            ];
            let list = self.ordered(&right, b, pair.word());
            return self.place(id, ends, &left, &list, a).of(list.members);
        }
        if pair == Pair::Draw {
            let number = self.number(&left, a);
            let length = known::selected(Selection::First, left.known_number(), right.length);
            let list = self.build.arrange(Arrangement::Shuffle, right.expr);
            let site = self.site(id, a, b);
            let drawn = self.build.select(Selection::First, number, list, site);
            return TypedTerm::list(drawn).with_length(length).of(right.members);
        }
        let pairs = [(left.clone(), a), (right.clone(), b)];
        let (left, right) = match &self.alike(&pairs)[..] {
            [left, right] => (left.clone(), right.clone()),
            _ => (left, right),
        };
        if pair == Pair::Compare {
            let left = self.ordered(&left, a, pair.word());
            let right = self.ordered(&right, b, pair.word());
            return TypedTerm::number(self.build.compare(left.expr, right.expr));
        }
        // The members that are taken away are evaluated first.
        let rest = self.shared(&left, |this, taken| {
            TypedTerm::list(this.build.without(right.expr, taken))
        });
        rest.of(right.members)
    }

    /// `rank i L` and `at i L`: the i-th member from one end, or from the other for a negative number. For each end, the selection that
    /// takes members there, and the one that drops them.
    fn place(
        &mut self,
        id: NodeId,
        [front, back]: [[Selection; 2]; 2],
        index: &TypedTerm,
        list: &TypedTerm,
        place: NodeId,
    ) -> TypedTerm {
        let site = self.site_at(id);
        let one = self.build.integer(1);
        let index = &self.numbers(index, place);
        let known = index.known_number();
        if let Some(number) = &known {
            let [best, drop] = if number.is_negative() { back } else { front };
            let size = if number.is_negative() {
                number.neg().ok()
            } else {
                Some(number.clone())
            };
            let before = size.as_ref().and_then(|size| size.sub(&Integer::ONE).ok());
            let Some(before) = before.filter(|before| !before.is_negative()) else {
                // Nothing has the place 0. The list is evaluated all the same.
                let none = self.build.integer(0);
                let nothing = self.build.select(front[0], none, list.expr, site);
                let nothing = TypedTerm::list(nothing).with_length(Some(0));
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
            let member = TypedTerm::list(member)
                .with_length(length)
                .with_known(ranked);
            return self.shared(index, |_, _| member);
        }
        let number = self.only(index, place);
        self.shared(&TypedTerm::number(number), |this, number| {
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
                let greatest = ranked(this, front[0], front[1], number);
                let opposite = this.build.negate(number, site);
                let least = ranked(this, back[0], back[1], opposite);
                let is_positive = this.members(Comparison::Greater, &Integer::ZERO, number, id);
                let is_negative = this.members(Comparison::Less, &Integer::ZERO, number, id);
                let nothing = this.build.empty();
                let other = this.build.choose(is_negative, least, nothing);
                TypedTerm::list(this.build.choose(is_positive, greatest, other))
            })
        })
    }

    /// `sets L`: the sizes of the groups of equal members, the greatest first.
    pub(super) fn sets(&mut self, id: NodeId, list: Expr) -> TypedTerm {
        let site = self.site_at(id);
        self.shared(&TypedTerm::list(list), |this, list| {
            let groups = this.build.arrange(Arrangement::Distinct, list);
            let name = this.build.name_of(groups);
            let member = this.build.variable(name);
            let group = this.build.filter(Comparison::Equal, member, list, site);
            let size = this.build.fold(Folding::Count, group, site);
            let sizes = this.build.foreach(name, groups, size);
            let sizes = this.build.arrange(Arrangement::Sort, sizes);
            TypedTerm::list(this.build.arrange(Arrangement::Reverse, sizes))
        })
    }

    /// `straight L`: the length of the longest row of consecutive values. Between known bounds that are near, the row that ends at each
    /// value is followed value by value. Otherwise the rows of each length are found, from length to length, as long as there are any.
    pub(super) fn straight(&mut self, id: NodeId, list: Expr) -> TypedTerm {
        let site = self.site_at(id);
        let bounds = self.build.bounds(list);
        let width = bounds
            .as_ref()
            .and_then(|bounds| bounds.high.sub(&bounds.low).ok()?.to_usize());
        let near = bounds.zip(width.filter(|&width| width < MOST_VALUES));
        let [zero, one] = [0, 1].map(|number| self.build.integer(number));
        self.shared(&TypedTerm::list(list), |this, list| {
            if let Some((bounds, width)) = near {
                let (mut row, mut rows, mut bound) = (zero, vec![zero], Vec::new());
                for place in 0..=width {
                    let value = bounds.low.add(&Integer::from(place));
                    let value = value.expect("it lies below the upper bound");
                    let is_there = this.members(Comparison::Equal, &value, list, id);
                    let longer = this.build.arithmetic(Arithmetic::Add, row, one, site);
                    let longer = this.build.choose(is_there, longer, zero);
                    let longer = this.variable(&mut bound, TypedTerm::number(longer));
                    row = longer.expr;
                    rows.push(row);
                }
                let rows = this.build.join(&rows);
                let longest = this.build.select(Selection::High, one, rows, site);
                return this.bound(bound, TypedTerm::number(longest));
            }
            // The first values of rows of a length, again and again: the greatest group is of the longest row.
            let values = this.build.arrange(Arrangement::Distinct, list);
            let name = this.build.name_of(values);
            let firsts = this.build.variable(name);
            let member_name = this.build.name_of(firsts);
            let member = this.build.variable(member_name);
            let after = this.build.arithmetic(Arithmetic::Add, member, one, site);
            let goes_on = this.build.filter(Comparison::Equal, after, firsts, site);
            let nothing = this.build.empty();
            let longer = this.build.choose(goes_on, member, nothing);
            let longer = this.build.foreach(member_name, firsts, longer);
            let all = this.build.repeat_while(name, values, longer);
            let sizes = this.sets(id, all).expr;
            let sizes = this.build.join(&[zero, sizes]);
            TypedTerm::number(this.build.select(Selection::High, one, sizes, site))
        })
    }

    /// `distinct L`
    pub(super) fn distinct(&mut self, list: Expr) -> TypedTerm {
        TypedTerm::list(self.build.arrange(Arrangement::Distinct, list))
    }

    pub(super) fn function(
        &mut self,
        id: NodeId,
        function: Function,
        arguments: &[NodeId],
    ) -> TypedTerm {
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

    fn abs(&mut self, id: NodeId, value: &TypedTerm, argument: NodeId) -> TypedTerm {
        let site = self.site(id, argument, argument);
        let known = value.known_number();
        let known = known.and_then(|known| Some(known.clone().max(known.neg().ok()?)));
        let number =
            TypedTerm::number(self.number(value, argument)).with_number(value.known_number());
        let absolute = self.shared(&number, |this, number| {
            let opposite = this.build.negate(number, site);
            let largest = this
                .build
                .arithmetic(Arithmetic::Max, number, opposite, site);
            TypedTerm::number(largest)
        });
        absolute.with_number(known)
    }

    /// The greatest or least member of all arguments.
    fn extreme(
        &mut self,
        id: NodeId,
        values: &[TypedTerm],
        arguments: &[NodeId],
        operator: Arithmetic,
        selection: Selection,
    ) -> TypedTerm {
        let site = self.site_at(id);
        let numbers: Vec<_> = values
            .iter()
            .zip(arguments)
            .map(|(value, &argument)| match value.kind {
                ValueType::Condition => TypedTerm::number(self.number(value, argument))
                    .with_number(value.known_number()),
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
            return TypedTerm::number(value).with_number(known);
        }
        let numbers: Vec<_> = numbers.into_iter().zip(arguments.iter().copied()).collect();
        let list = self.join(&numbers);
        let numbers = numbers.iter().map(|(value, _)| value);
        let one = self.build.integer(1);
        if { numbers }.any(|value| value.length.is_some_and(|length| length > 0)) {
            let value = self.build.select(selection, one, list.expr, site);
            return TypedTerm::number(value).with_number(known);
        }
        let best = TypedTerm::list(self.build.select(selection, one, list.expr, site));
        self.shared(&best, |this, best| {
            let nothing = this.build.fail(ErrorKind::Domain, site);
            TypedTerm::number(this.build.choose(best, best, nothing))
        })
    }
}
