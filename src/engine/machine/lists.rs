//! Lists of code whose members are known one by one: what is selected, made or counted of them is code for each.

use super::code::{Expr, ExprId, Gather, Source};
use super::compile::{Bound, Compiler, Ending, Frame};
use super::reading::parts;
use super::words::Word;
use crate::engine::program::Order;
use crate::ir::{Arithmetic, Arrangement, Comparison, Folding, Selection, Term, TermId};
use crate::stack;

/// The most members of a list for each of which the code of a body stands by itself.
const MOST_COPIES: usize = 1 << 7;

impl Compiler<'_, '_, '_> {
    /// Whether an expression surely has one member.
    pub(super) fn is_single(&self, id: ExprId, frame: &Frame) -> bool {
        match self.code.expr(id) {
            Expr::Slot(slot) => frame.numbers.get(slot) == Some(&true),
            Expr::Select(_, _, list) if *self.code.expr(*list) == Expr::Slot(0) => {
                frame.has_state && self.is_short(id)
            }
            _ => self.code.is_number(id),
        }
    }

    /// Whether an expression is surely a number, and no error: it may be left out where nothing needs its value.
    pub(super) fn is_sure(&self, id: ExprId, frame: &Frame) -> bool {
        let are_sure = |parts: &[ExprId]| {
            let mut parts = parts.iter();
            parts.all(|&part| stack::level(|| self.is_sure(part, frame)))
        };
        match *self.code.expr(id) {
            Expr::Arithmetic(Arithmetic::Max | Arithmetic::Min, a, b) => are_sure(&[a, b]),
            Expr::Linear(_, ref atoms) => atoms.iter().all(|&(_, atom)| are_sure(&[atom])),
            Expr::Slot(_) => self.is_single(id, frame),
            _ => self.code.as_number(id).is_some(),
        }
    }

    /// The members of a list, if each of its parts surely is one. Some of them may be left out, and no error is left out with them.
    fn singles(&mut self, list: ExprId, frame: &Frame) -> Option<Vec<ExprId>> {
        if let Expr::Range(low, high) = *self.code.expr(list) {
            let (low, high) = (self.code.as_number(low)?, self.code.as_number(high)?);
            let more = usize::try_from(high.checked_sub(low)?).ok()?;
            if more >= MOST_COPIES {
                return None;
            }
            return (low..=high)
                .map(|member| self.code.number(member))
                .collect();
        }
        let parts = parts(self.code, list);
        let are_sure = parts.iter().all(|&part| self.is_sure(part, frame));
        are_sure.then_some(parts)
    }

    /// Some values, joined.
    pub(super) fn joined(&mut self, values: Vec<ExprId>) -> ExprId {
        match values[..] {
            [] => self.code.add(Expr::Word(Word::NOTHING)),
            [only] => only,
            _ => self.code.add(Expr::Join(values.into())),
        }
    }

    /// Some members of a list: of one whose members are known one by one, these alone. The greatest of the first dice is then the greater
    /// of the last of them and the greatest before it, so that nothing else is a part of a state.
    pub(super) fn selected(
        &mut self,
        selection: Selection,
        wanted: ExprId,
        list: ExprId,
        frame: &Frame,
    ) -> ExprId {
        let known = self.code.as_number(wanted).and_then(|count| {
            let members = self.singles(list, frame)?;
            let count = usize::try_from(count).ok()?.min(members.len());
            Some((members, count))
        });
        let Some((mut members, count)) = known else {
            return self.code.add(Expr::Select(selection, wanted, list));
        };
        let rest = members.len() - count;
        let greatest_or_least = match selection {
            Selection::High => Arithmetic::Max,
            Selection::Low => Arithmetic::Min,
            Selection::First => return self.joined(members[..count].to_vec()),
            Selection::DropFirst => return self.joined(members.split_off(count)),
            Selection::Last => return self.joined(members.split_off(rest)),
            Selection::DropLast => return self.joined(members[..rest].to_vec()),
            _ => return self.code.add(Expr::Select(selection, wanted, list)),
        };
        let mut members = members.into_iter();
        match (members.next(), count) {
            (Some(first), 1) => members.fold(first, |so_far, member| {
                let of_both = Expr::Arithmetic(greatest_or_least, so_far, member);
                self.code.add(of_both)
            }),
            _ => self.code.add(Expr::Select(selection, wanted, list)),
        }
    }

    /// A list made of the values of a body that rolls nothing, for each member of a list.
    pub(super) fn mapped(
        &mut self,
        list: ExprId,
        body: TermId,
        order: Order,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let members = self.singles(list, frame);
        let members = members.filter(|members| (2..=MOST_COPIES).contains(&members.len()));
        let Some(members) = members else {
            let slot = frame.slot();
            let member = self.code.add(Expr::Slot(slot));
            let body = self.within(Bound::Expr(member), body, order, frame)?;
            return Some(self.code.add(Expr::Foreach(slot, list, body)));
        };
        let values = members.into_iter();
        let values = values.map(|member| self.within(Bound::Expr(member), body, order, frame));
        let values = values.collect::<Option<_>>()?;
        Some(self.joined(values))
    }

    /// Whether an expression surely has one member at most.
    pub(super) fn is_short(&self, list: ExprId) -> bool {
        match *self.code.expr(list) {
            Expr::Select(selection, count, _) | Expr::SelectSurely(selection, count, _) => {
                selection.keeps() && self.code.as_number(count) == Some(1)
            }
            _ => self.code.is_number(list),
        }
    }

    /// A list in ascending order, if nothing looks at its order: then equal multisets are one value.
    pub(super) fn in_order(&mut self, list: ExprId, order: Order) -> ExprId {
        let is_in_order = match *self.code.expr(list) {
            Expr::Slot(_) | Expr::Word(_) => true,
            _ => self.is_short(list),
        };
        if order == Order::Kept || is_in_order {
            return list;
        }
        self.code.add(Expr::Arrange(Arrangement::Sort, list))
    }

    /// The members of a list that some filters keep, reduced to a number.
    pub(super) fn folded(
        &mut self,
        folding: Folding,
        list: TermId,
        filters: &mut Vec<(Comparison, ExprId)>,
        frame: &mut Frame,
    ) -> Option<ExprId> {
        let is_sum = matches!(folding, Folding::Count | Folding::Sum);
        if let Term::Variable(index) = *self.store.arena.term(list)
            && let Bound::Once(value, depth) = frame.variable(index)
        {
            return self.around(depth, frame, |this, frame| {
                this.folded(folding, value, filters, frame)
            });
        }
        match *self.store.arena.term(list) {
            _ if folding == Folding::Only || !self.rolls(list, frame) => {}
            Term::Let(value, body) if filters.is_empty() && !self.rolls_in(body, 1, frame) => {
                if let Some(looping) = self.looping(value) {
                    let order = Order::Ignored;
                    return self.made_of_loop(&looping, body, order, Some(folding), frame);
                }
            }
            Term::Select(..) if filters.is_empty() => {
                if let Some(looping) = self.looping(list) {
                    return self.unordered(&looping, Some(folding), frame);
                }
            }
            Term::Filter(comparison, number, inner, _) if !self.rolls(number, frame) => {
                let number = self.number(number, frame)?;
                filters.push((comparison, number));
                let value = self.folded(folding, inner, filters, frame);
                filters.pop();
                return value;
            }
            Term::Join(ref parts) if is_sum => {
                let parts = parts.iter();
                let parts =
                    parts.map(|&part| Some((1, self.folded(folding, part, filters, frame)?)));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                return self.code.linear(0, &parts);
            }
            Term::Repeat(count, inner, _) if self.rolls(inner, frame) => {
                let count = self.number(count, frame)?;
                let routine = self.routine(inner, Order::Ignored)?;
                let mut arguments = self.arguments(routine, 0, vec![count], frame)?;
                arguments.extend(filters.iter().map(|&(_, number)| number));
                let gather = Gather::Fold(folding, filters.iter().map(|&(of, _)| of).collect());
                return Some(self.rolled(Source::Times(routine, gather), arguments, frame));
            }
            Term::Foreach(inner, body) if self.rolls_in(body, 1, frame) => {
                let inner = self.value(inner, Order::Ignored, frame)?;
                let routine = self.body(body, Order::Ignored, Ending::Value)?;
                let mut arguments = self.arguments(routine, 1, vec![inner], frame)?;
                arguments.extend(filters.iter().map(|&(_, number)| number));
                let gather = Gather::Fold(folding, filters.iter().map(|&(of, _)| of).collect());
                return Some(self.rolled(Source::Each(routine, gather), arguments, frame));
            }
            _ => {}
        }
        let value = self.value(list, Order::Ignored, frame)?;
        let parts = match self.code.expr(value) {
            Expr::Join(parts) if is_sum => parts.to_vec(),
            _ => vec![value],
        };
        let mut sum = Vec::with_capacity(parts.len());
        for part in parts {
            let mut value = part;
            for &(comparison, number) in filters.iter().rev() {
                value = self.code.add(Expr::Filter(comparison, number, value));
            }
            sum.push((1, self.reduced(folding, value, frame)?));
        }
        match sum[..] {
            [(_, only)] => Some(only),
            _ => self.code.linear(0, &sum),
        }
    }

    /// A list reduced to a number.
    pub(super) fn reduced(
        &mut self,
        folding: Folding,
        list: ExprId,
        frame: &Frame,
    ) -> Option<ExprId> {
        match folding {
            Folding::Sum if self.is_single(list, frame) => Some(list),
            Folding::Count if self.is_sure(list, frame) => self.code.number(1),
            _ => Some(self.code.add(Expr::Fold(folding, list))),
        }
    }
}
