//! Symbolic evaluation: a core program as a residual program, every die a pool.
//!
//! Evaluation follows the page of [`crate::ir`], with nodes for values. What is known is done at once: a
//! `foreach` over known members is unrolled, a decided `if` evaluates one branch.

use std::rc::Rc;

use super::hazards::hide_each_other;
use super::loops::LoopImage;
use super::maps::{BodyImage, Instance};
use super::node::{ClosureId, Look, Node, NodeId};
use super::numbers::{narrow, of_parts};
use super::pool::{Drawing, Pool};
use super::repeat::{MOST_UNROLLED, Repeated};
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::engine::failure::Failure;
use crate::engine::reason::Reason;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Arrangement, Comparison, Folding, Selection, SiteId, Term, TermId};
use crate::limits::LimitReached;
use crate::map::Map;
use crate::stack;

/// Whether anything looks at the order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Order {
    Ignored,
    Kept,
}

/// What is known of the terms of a program, computed once for each.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) free: Map<TermId, Box<[u32]>>,
    pub(super) random: Map<TermId, bool>,
    pub(super) ordered: Map<(TermId, u32, Order), bool>,
    pub(super) images: Map<(ClosureId, i64, i64), Rc<BodyImage>>,
    pub(super) instances: Map<(ClosureId, i64), Instance>,
    pub(super) loop_images: Map<ClosureId, Rc<LoopImage>>,
    /// Whether a node mentions a loop.
    pub(super) loops: Map<NodeId, bool>,
}

/// Which cards a deck has must be known.
const HIDDEN_DECK: Stop = Stop::Unsupported(Reason::ShuffledInOrder);

impl Scope<'_> {
    /// The value of a term; the environment has the innermost variable last.
    pub(super) fn translate(
        &mut self,
        id: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        self.budget.check()?;
        let value = stack::level(|| self.translate_term(id, order, environment))?;
        match order {
            Order::Ignored => self.unordered(value),
            Order::Kept => Ok(value),
        }
    }

    /// The multiset of a list in order.
    fn unordered(&mut self, list: NodeId) -> Attempt<NodeId> {
        match *self.nodes.get(list) {
            Node::Chain(ref parts) => {
                let mut parts = parts.to_vec();
                for part in &mut parts {
                    *part = self.unordered(*part)?;
                }
                self.join(&parts)
            }
            Node::If(condition, a, b) if !self.is_number(list) => {
                let (a, b) = (self.unordered(a)?, self.unordered(b)?);
                self.choose(condition, a, b)
            }
            Node::Copies(count, inner) => {
                let inner = self.unordered(inner)?;
                self.copies(count, inner)
            }
            Node::Dealt(pool) => Ok(self.cards(pool)),
            Node::Filter(compare, number, inner) => {
                let inner = self.unordered(inner)?;
                self.filtered(compare, number, inner)
            }
            Node::Select(selection, n, inner)
                if matches!(
                    selection,
                    Selection::High | Selection::Low | Selection::DropHigh | Selection::DropLow
                ) =>
            {
                let inner = self.unordered(inner)?;
                self.select(selection, n, inner)
            }
            _ => Ok(list),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a term of the core language")]
    fn translate_term(
        &mut self,
        id: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match self.arena.term(id) {
            Term::Integer(value) => match value.to_i64() {
                Some(value) => Ok(self.constant(narrow(value.into())?)),
                None => Err(Stop::Unsupported(Reason::LongIntegers)),
            },
            Term::Variable(index) => Ok(environment[environment.len() - 1 - *index as usize]),
            Term::Join(parts) => {
                let parts = parts
                    .iter()
                    .map(|&part| self.translate(part, order, environment))
                    .collect::<Attempt<Vec<_>>>()?;
                self.sequence(order, parts)
            }
            Term::Range(a, b, site) => {
                let [a, b] = self.translate_numbers([*a, *b], *site, environment)?;
                let range = self.range(a, b)?;
                if order == Order::Kept {
                    return self.ascending(range);
                }
                Ok(range)
            }
            Term::Die(sides, site) => {
                let [sides] = self.rolled_numbers([*sides], *site, environment)?;
                let has_side = self.at_least(sides, 1)?;
                self.must_hold(has_side, ErrorKind::BadDie, *site)?;
                let name = self.pools.name();
                self.die(sides, name)
            }
            Term::Negate(a, site) => {
                let [a] = self.translate_numbers([*a], *site, environment)?;
                self.linear(0, &[(-1, a)])
            }
            Term::Arithmetic(operator, a, b, site) => {
                let [a, b] = match operator {
                    Arithmetic::Add | Arithmetic::Subtract => {
                        self.translate_numbers([*a, *b], *site, environment)?
                    }
                    _ => self.rolled_numbers([*a, *b], *site, environment)?,
                };
                self.must_be_defined(*operator, a, b, *site)?;
                self.arithmetic(*operator, a, b)
            }
            Term::Fold(Folding::Only, e, site) => {
                let [number] = self.translate_numbers([*e], *site, environment)?;
                Ok(number)
            }
            Term::Fold(folding, e, _) => {
                let parts = self.looked_at(*e, vec![Look::Fold(*folding)], environment)?;
                self.fold(of_parts(*folding), parts)
            }
            Term::Arrange(Arrangement::Sort, e) => {
                let list = self.translate(*e, Order::Ignored, environment)?;
                if order == Order::Kept {
                    return self.ascending(list);
                }
                Ok(list)
            }
            Term::Arrange(Arrangement::Reverse, e) => {
                let list = self.translate(*e, order, environment)?;
                if order == Order::Kept {
                    return self.reversed(list);
                }
                Ok(list)
            }
            Term::Arrange(Arrangement::Shuffle, e) => {
                let cards = self.translate(*e, Order::Ignored, environment)?;
                if order == Order::Ignored {
                    return Ok(cards);
                }
                match self.known_members(cards) {
                    Some(cards) => self.shuffled(&cards),
                    None => Err(HIDDEN_DECK),
                }
            }
            Term::Repeat(n, e, site) => {
                let n = self.translate_count(*n, *site, environment)?;
                self.repeat(n, Repeated::Term(*e), &[], order, environment)
            }
            Term::Select(selection, n, e, site) => {
                let n = self.translate(*n, Order::Ignored, environment)?;
                self.once_all_are_there(
                    |scope| scope.as_count(n, *site),
                    |scope, n| scope.translate_selection(*selection, n, *e, order, environment),
                )
            }
            Term::Filter(comparison, a, e, site) => {
                let number = self.translate(*a, Order::Ignored, environment)?;
                self.once_all_are_there(
                    |scope| scope.as_numbers([number], *site),
                    |scope, [number]| {
                        let list = scope.translate(*e, order, environment)?;
                        scope.filter(*comparison, number, list)
                    },
                )
            }
            Term::Difference(e, f, site) if order == Order::Ignored => {
                let whole = self.translate(*e, order, environment)?;
                let part = self.translate(*f, order, environment)?;
                match self.difference(whole, part) {
                    Err(Stop::Unsupported(_)) => self.difference_by_value(whole, part, *site),
                    left => left,
                }
            }
            Term::Difference(..) => Err(Stop::Unsupported(Reason::DifferenceInOrder)),
            Term::If(c, e, f) => {
                let condition = self.translate(*c, Order::Ignored, environment)?;
                let condition = self.is_not_empty(condition)?;
                match self.as_constant(condition) {
                    Some(0) => self.translate(*f, order, environment),
                    Some(_) => self.translate(*e, order, environment),
                    None => {
                        let not = self.complement(condition)?;
                        let a = self
                            .on_path(condition, |scope| scope.translate(*e, order, environment))?;
                        let b =
                            self.on_path(not, |scope| scope.translate(*f, order, environment))?;
                        self.choose(condition, a, b)
                    }
                }
            }
            Term::Let(e, f) => {
                let kept = self.looks_at_order(*f, 0, order);
                let kept = if kept { Order::Kept } else { Order::Ignored };
                let value = self.translate_rolled(*e, kept, environment)?;
                self.translate_with(*f, value, order, environment)
            }
            Term::Foreach(e, f) => self.translate_foreach(*e, *f, &[], order, environment),
            Term::While(e, f) => {
                let kept = order == Order::Kept || self.looks_at_order(*f, 0, Order::Ignored);
                let order = if kept { Order::Kept } else { Order::Ignored };
                let first = self.translate_rolled(*e, order, environment)?;
                self.translate_loop(first, *f, order, environment)
            }
            Term::Fail(kind, site) => {
                let never = self.constant(0);
                self.must_hold(never, *kind, *site)?;
                Ok(never)
            }
        }
    }

    /// Operands that must be numbers, as numbers.
    fn translate_numbers<const N: usize>(
        &mut self,
        operands: [TermId; N],
        site: SiteId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<[NodeId; N]> {
        let mut numbers = [NodeId(0); N];
        for (number, operand) in numbers.iter_mut().zip(operands) {
            *number = self.translate(operand, Order::Ignored, environment)?;
        }
        self.as_numbers(numbers, site)
    }

    /// Operands that must be numbers, as numbers, for what is done to them to be no part of the loops that they lead from.
    fn rolled_numbers<const N: usize>(
        &mut self,
        operands: [TermId; N],
        site: SiteId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<[NodeId; N]> {
        let mut numbers = [NodeId(0); N];
        for (number, operand) in numbers.iter_mut().zip(operands) {
            *number = self.translate_rolled(operand, Order::Ignored, environment)?;
        }
        self.as_numbers(numbers, site)
    }

    /// Values that must be numbers, as numbers.
    fn as_numbers<const N: usize>(
        &mut self,
        mut numbers: [NodeId; N],
        site: SiteId,
    ) -> Attempt<[NodeId; N]> {
        let spans = self.arena.site_of(site).operands;
        for (number, span) in numbers.iter_mut().zip(spans) {
            if !self.is_number(*number) {
                let size = self.fold(Folding::Count, *number)?;
                let is_one = self.equals(size, 1)?;
                let failure = Failure {
                    span,
                    kind: ErrorKind::Type,
                };
                self.must_hold_or(is_one, failure)?;
                *number = self.number(*number)?;
            }
        }
        Ok(numbers)
    }

    /// What an operator makes of an operand, and of others that come after it: it looks at its operands once it has them
    /// all, so an operand that is not fit is found to be so after the errors of the others.
    fn once_all_are_there<T, U>(
        &mut self,
        look: impl FnOnce(&mut Self) -> Attempt<T>,
        others: impl FnOnce(&mut Self, T) -> Attempt<U>,
    ) -> Attempt<U> {
        let (operand, unfit) = self.apart(look)?;
        let made = others(self, operand)?;
        self.may_happen(&unfit)?;
        Ok(made)
    }

    /// An operand that must be a number and not negative.
    fn translate_count(
        &mut self,
        n: TermId,
        site: SiteId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let n = self.translate(n, Order::Ignored, environment)?;
        self.as_count(n, site)
    }

    /// A value that must be a number and not negative, as a count.
    fn as_count(&mut self, n: NodeId, site: SiteId) -> Attempt<NodeId> {
        let [n] = self.as_numbers([n], site)?;
        let is_count = self.at_least(n, 0)?;
        self.must_hold(is_count, ErrorKind::NegativeCount, site)?;
        self.natural(n)
    }

    pub(super) fn translate_with(
        &mut self,
        body: TermId,
        value: NodeId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        environment.push(value);
        let result = self.translate(body, order, environment);
        environment.pop();
        result
    }

    pub(super) fn sequence(&mut self, order: Order, parts: Vec<NodeId>) -> Attempt<NodeId> {
        match order {
            Order::Ignored => self.join(&parts),
            Order::Kept => self.chain(parts),
        }
    }

    /// A multiset in ascending order: its ranks, one after the other.
    fn ascending(&mut self, list: NodeId) -> Attempt<NodeId> {
        let bounds = self.bounds(list)?;
        if bounds.most > MOST_UNROLLED {
            return Err(Stop::Unsupported(Reason::LongListInOrder));
        }
        if let Some(members) = self.known_members(list) {
            let mut parts = Vec::with_capacity(members.len());
            for (value, count) in members {
                let member = self.constant(value);
                parts.extend(std::iter::repeat_n(member, count as usize));
            }
            return self.chain(parts);
        }
        let mut ranks = Vec::new();
        for rank in 1..=bounds.most {
            let (one, rank) = (self.constant(1), self.constant(rank));
            let lowest = self.select(Selection::Low, rank, list)?;
            let last = self.select(Selection::High, one, lowest)?;
            let last = self.fold(Folding::Sum, last)?;
            let size = self.fold(Folding::Count, list)?;
            let there = self.comparison(Comparison::GreaterOrEqual, size, rank)?;
            ranks.push(self.copies(there, last)?);
        }
        self.chain(ranks)
    }

    fn reversed(&mut self, list: NodeId) -> Attempt<NodeId> {
        match self.nodes.get(list).clone() {
            Node::Chain(parts) => {
                let mut reversed = Vec::with_capacity(parts.len());
                for &part in parts.iter().rev() {
                    reversed.push(self.reversed(part)?);
                }
                self.chain(reversed)
            }
            Node::Copies(count, list) => {
                let list = self.reversed(list)?;
                self.copies(count, list)
            }
            Node::If(condition, a, b) => {
                let (a, b) = (self.reversed(a)?, self.reversed(b)?);
                self.choose(condition, a, b)
            }
            Node::Known(members) if members.len() <= 1 => Ok(list),
            _ if self.is_number(list) => Ok(list),
            _ => Err(Stop::Unsupported(Reason::UnknownOrder)),
        }
    }

    /// `first n` of equal members ignores their order; of a sorted list it is `low n`; of a shuffled known list
    /// it draws without replacement.
    fn translate_selection(
        &mut self,
        selection: Selection,
        n: NodeId,
        e: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let by_position = matches!(
            selection,
            Selection::First | Selection::Last | Selection::DropFirst | Selection::DropLast
        );
        if !by_position {
            // One member has no order.
            let is_one = matches!(selection, Selection::High | Selection::Low)
                && self.as_constant(n).is_some_and(|n| n <= 1);
            let order = if is_one { Order::Ignored } else { order };
            let list = match self.as_constant(n) {
                Some(n)
                    if order == Order::Ignored
                        && matches!(selection, Selection::High | Selection::Low) =>
                {
                    self.looked_at(e, vec![Look::Select(selection, n)], environment)?
                }
                _ => self.translate(e, order, environment)?,
            };
            return self.select(selection, n, list);
        }
        match self.arena.term(e) {
            Term::Filter(Comparison::Equal, ..) => {
                let list = self.translate(e, Order::Ignored, environment)?;
                self.select(selection, n, list)
            }
            Term::Arrange(Arrangement::Sort, inner) if order == Order::Ignored => {
                let list = self.translate(*inner, Order::Ignored, environment)?;
                let selection = match selection {
                    Selection::First => Selection::Low,
                    Selection::Last => Selection::High,
                    Selection::DropFirst => Selection::DropLow,
                    _ => Selection::DropHigh,
                };
                self.select(selection, n, list)
            }
            Term::Arrange(Arrangement::Shuffle, inner) => {
                let cards = self.translate(*inner, Order::Ignored, environment)?;
                self.deal(selection, n, cards, order)
            }
            _ => {
                let list = self.translate(e, Order::Kept, environment)?;
                self.select(selection, n, list)
            }
        }
    }

    /// Some of a shuffled list: as many draws without replacement, where no order of them matters.
    fn deal(
        &mut self,
        selection: Selection,
        n: NodeId,
        cards: NodeId,
        order: Order,
    ) -> Attempt<NodeId> {
        let members = self.known_members(cards).ok_or(HIDDEN_DECK)?;
        let size: i64 = members.iter().map(|&(_, count)| i64::from(count)).sum();
        let dealt = self.as_constant(n).map(|n| match selection {
            Selection::First | Selection::Last => n.min(size),
            _ => (size - n).max(0),
        });
        let dealt = match dealt {
            Some(dealt) if order == Order::Ignored || dealt <= 1 => dealt,
            _ => {
                let deck = self.shuffled(&members)?;
                return self.select(selection, n, deck);
            }
        };
        if members.len() <= 1 || dealt == size || dealt == 0 {
            let dealt = self.constant(dealt);
            return self.select(Selection::Low, dealt, cards);
        }
        let die = self.pools.weighted(&members);
        let dice = u32::try_from(dealt).map_err(|_| LimitReached::List)?;
        let pool = self.pools.pool(Pool {
            die,
            dice,
            drawing: Drawing::WithoutReplacement,
        });
        Ok(self.nodes.intern(if dice == 1 {
            Node::Draw(pool)
        } else {
            Node::Pool(pool)
        }))
    }

    /// A multiset, some parts of which have been looked at already: what is repeated, as it stands in the text, is
    /// used once, so that each repetition need not be more than what is looked at.
    fn looked_at(
        &mut self,
        id: TermId,
        mut looks: Vec<Look>,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match self.arena.term(id) {
            Term::Filter(comparison, a, e, site) => {
                let number = self.translate(*a, Order::Ignored, environment)?;
                self.once_all_are_there(
                    |scope| scope.as_numbers([number], *site),
                    |scope, [number]| {
                        let (compare, number) = scope.compared(*comparison, number)?;
                        if let Some(number) = scope.as_constant(number) {
                            looks.insert(0, Look::Filter(compare, number));
                            return stack::level(|| scope.looked_at(*e, looks, environment));
                        }
                        let list = scope.translate(*e, Order::Ignored, environment)?;
                        let list = scope.filtered(compare, number, list)?;
                        scope.apply(&looks, list)
                    },
                )
            }
            Term::Arrange(_, e) => stack::level(|| self.looked_at(*e, looks, environment)),
            Term::Join(parts) => {
                let parts = parts
                    .iter()
                    .map(|&part| stack::level(|| self.looked_at(part, looks.clone(), environment)))
                    .collect::<Attempt<Vec<_>>>()?;
                self.join(&parts)
            }
            Term::Repeat(n, e, site) => {
                let n = self.translate_count(*n, *site, environment)?;
                self.repeat(n, Repeated::Term(*e), &looks, Order::Ignored, environment)
            }
            Term::Foreach(e, f) => {
                self.translate_foreach(*e, *f, &looks, Order::Ignored, environment)
            }
            _ => self.translate_looked(id, &looks, Order::Ignored, environment),
        }
    }

    fn translate_foreach(
        &mut self,
        e: TermId,
        f: TermId,
        looks: &[Look],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match self.arena.term(e) {
            // foreach x in n#e do f  =  n # (foreach x in e do f)
            Term::Repeat(n, inner, site) => {
                let n = self.translate_count(*n, *site, environment)?;
                self.repeat(n, Repeated::Foreach(*inner, f), looks, order, environment)
            }
            Term::Join(parts) => {
                let (images, hazards) = self.apart(|scope| {
                    let parts = parts.iter();
                    parts
                        .map(|&part| scope.translate_foreach(part, f, looks, order, environment))
                        .collect::<Attempt<Vec<_>>>()
                })?;
                // What happens in any part comes before what does in the body.
                if hide_each_other(&hazards) {
                    let list = self.translate(e, order, environment)?;
                    return self.foreach(list, f, looks, order, environment);
                }
                self.may_happen(&hazards)?;
                self.sequence(order, images)
            }
            _ => {
                let list = self.translate(e, order, environment)?;
                self.foreach(list, f, looks, order, environment)
            }
        }
    }

    /// The body for each member of a list.
    fn foreach(
        &mut self,
        list: NodeId,
        f: TermId,
        looks: &[Look],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        if self.is_number(list) {
            let value = self.translate_with(f, list, order, environment)?;
            return self.apply(looks, value);
        }
        match self.nodes.get(list).clone() {
            Node::Known(members) => {
                if order == Order::Kept && members.len() > 1 {
                    return Err(Stop::Unsupported(Reason::UnknownOrder));
                }
                let mut parts = Vec::with_capacity(members.len());
                for &(value, count) in members.iter() {
                    let (member, count) = (self.constant(value), self.constant(count.into()));
                    environment.push(member);
                    let part = self.repeat(count, Repeated::Term(f), looks, order, environment);
                    environment.pop();
                    parts.push(part?);
                }
                self.sequence(order, parts)
            }
            Node::Join(parts) | Node::Chain(parts) => {
                let mut images = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    images.push(self.foreach(part, f, looks, order, environment)?);
                }
                self.sequence(order, images)
            }
            Node::Copies(count, member) if self.is_number(member) => {
                environment.push(member);
                let images = self.repeat(count, Repeated::Term(f), looks, order, environment);
                environment.pop();
                images
            }
            Node::If(condition, a, b) => {
                let not = self.complement(condition)?;
                let a = self.on_path(condition, |scope| {
                    scope.foreach(a, f, looks, order, environment)
                })?;
                let b =
                    self.on_path(not, |scope| scope.foreach(b, f, looks, order, environment))?;
                self.choose(condition, a, b)
            }
            _ if order == Order::Kept => Err(Stop::Unsupported(Reason::UnknownOrder)),
            _ => self.over_hidden(list, f, looks, environment),
        }
    }

    pub(super) fn translate_body(
        &mut self,
        body: Repeated,
        looks: &[Look],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match body {
            Repeated::Term(e) => self.translate_looked(e, looks, order, environment),
            Repeated::Foreach(e, f) => {
                let value = self.translate_foreach(e, f, looks, order, environment)?;
                self.apply_to_parts(looks, value)
            }
        }
    }

    /// The product of a list; else, where it is longer than a residual program can hold, its factors.
    pub(super) fn translate_product(&mut self, list: TermId) -> Attempt<Result<NodeId, NodeId>> {
        let looks = vec![Look::Fold(Folding::Product)];
        let factors = self.looked_at(list, looks, &mut Vec::new())?;
        match self.fold(Folding::Product, factors) {
            Ok(product) => Ok(Ok(product)),
            Err(Stop::Unsupported(_)) => Ok(Err(factors)),
            Err(stop) => Err(stop),
        }
    }
}
