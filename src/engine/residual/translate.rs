//! Symbolic evaluation: a core program as a residual program, every die a pool.
//!
//! Evaluation follows the page of [`crate::ir`], with nodes for values. What is known is done at once: a
//! `foreach` over known members is unrolled, a decided `if` evaluates one branch. `n # e` of an `e` that uses
//! nothing hidden is a pool of `n` dice, each distributed as `e`; that distribution is solved first.

use std::rc::Rc;

use super::hazards::{Hazard, What, hide_each_other};
use super::loops::LoopImage;
use super::maps::{BodyImage, Instance};
use super::node::{ClosureId, Compare, Look, Node, NodeId};
use super::numbers::{narrow, of_parts};
use super::pool::{Drawing, Pool};
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::engine::failure::Failure;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Arrangement, Comparison, Folding, Selection, SiteId, Term, TermId};
use crate::limits::LimitReached;
use crate::map::Map;
use crate::number::Integer;
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
    free: Map<TermId, Box<[u32]>>,
    random: Map<TermId, bool>,
    ordered: Map<(TermId, u32, Order), bool>,
    pub(super) images: Map<(ClosureId, i64, i64), Rc<BodyImage>>,
    pub(super) instances: Map<(ClosureId, i64), Instance>,
    pub(super) loop_images: Map<ClosureId, Rc<LoopImage>>,
    /// Whether a node mentions a loop.
    pub(super) loops: Map<NodeId, bool>,
}

/// A repeated evaluation is written out at most so often, where it is no pool.
const MOST_UNROLLED: i64 = 4096;

/// So few evaluations are written out rather than told apart by a number that they use.
const FEW: i64 = 4;

/// Repeated evaluations are told apart by at most so many values of a number that they use.
const MOST_CASES: usize = 64;

/// Which cards a deck has must be known.
const HIDDEN_DECK: Stop = Stop::Unsupported("a shuffled list that is hidden, in order");

/// What `n # …` repeats: a term, or a term for each member of another.
#[derive(Clone, Copy)]
enum Repeated {
    Term(TermId),
    Foreach(TermId, TermId),
}

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
                None => Err(Stop::Unsupported("integers beyond 62 bits")),
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
            Term::Difference(..) => Err(Stop::Unsupported("a multiset difference in order")),
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
            return Err(Stop::Unsupported("a long sorted list in order"));
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
            _ => Err(Stop::Unsupported("an order that is not known")),
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
                    return Err(Stop::Unsupported("an order that is not known"));
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
            _ if order == Order::Kept => Err(Stop::Unsupported("an order that is not known")),
            _ => self.over_hidden(list, f, looks, environment),
        }
    }

    fn translate_body(
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

    /// `n` evaluations of a body, joined.
    fn repeat(
        &mut self,
        n: NodeId,
        body: Repeated,
        looks: &[Look],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let times = self.bounds(n)?;
        if times.low < 0 {
            return Err(Stop::Unsupported("a count that may be negative"));
        }
        if times.high == 0 {
            return Ok(self.empty());
        }
        let (first, hazards) =
            self.apart(|scope| scope.translate_body(body, looks, order, environment))?;
        let random = match body {
            Repeated::Term(e) => self.is_random(e),
            Repeated::Foreach(e, f) => self.is_random(e) || self.is_random(f),
        };
        // What is used may matter only in ways that are known.
        let places = self.hidden_places(body, environment);
        let mentioned: Vec<NodeId> = hazards
            .iter()
            .map(|hazard| hazard.when)
            .chain([first])
            .collect();
        let hidden = places
            .iter()
            .any(|&place| self.share_pools(&[environment[place]], &mentioned));
        if times.low == 1 && times.high == 1 {
            return self.rolled(first, hidden, &hazards, order);
        }
        if !random {
            let some = self.at_least(n, 1)?;
            self.on_path(some, |scope| scope.may_happen(&hazards))?;
            return self.copies(n, first);
        }
        if !hidden {
            let failures = self.possible(&hazards)?;
            let waiting = self.waiting(&hazards)?;
            if self.is_number(first) {
                let first = self.linear(0, &[(1, first), (1, waiting)])?;
                return self.drawn(n, first, &failures, order);
            }
            if failures.is_empty()
                && self.as_constant(waiting).is_some()
                && order == Order::Ignored
                && let Some(pool) = self.repeated_pool(n, first)?
            {
                return Ok(pool);
            }
        }
        if hidden
            && order == Order::Ignored
            && times.high > FEW
            && let [place] = places[..]
            && self.is_number(environment[place])
            && let Some(values) = self.values(environment[place], MOST_CASES)?
        {
            return self.repeat_by_value(n, body, looks, place, &values, environment);
        }
        let mut first = Some(first);
        self.unrolled(n, order, |scope| match first.take() {
            Some(first) => {
                scope.may_happen(&hazards)?;
                Ok(first)
            }
            None => scope.translate_body(body, looks, order, environment),
        })
    }

    /// Whether a pool, or a deck that cards come from, is mentioned on both sides.
    fn share_pools(&mut self, some: &[NodeId], others: &[NodeId]) -> bool {
        let pools = |scope: &mut Self, nodes: &[NodeId]| -> Vec<_> {
            let pools = nodes.iter().map(|&node| scope.pools_of(node));
            pools.flat_map(|pools| pools.to_vec()).collect()
        };
        let (some, others) = (pools(self, some), pools(self, others));
        some.iter().any(|pool| others.contains(pool))
    }

    /// The places of the values that a body uses and that are not fully known.
    fn hidden_places(&mut self, body: Repeated, environment: &[NodeId]) -> Vec<usize> {
        let terms = match body {
            Repeated::Term(e) => vec![(e, 0)],
            Repeated::Foreach(e, f) => vec![(e, 0), (f, 1)],
        };
        let mut hidden = Vec::new();
        for (term, bound) in terms {
            let free = self.free(term);
            let outside = free.iter().filter_map(|index| index.checked_sub(bound));
            hidden.extend(
                outside
                    .map(|index| environment.len() - 1 - index as usize)
                    .filter(|&place| self.nodes.mask(environment[place]) != 0),
            );
        }
        hidden.sort_unstable();
        hidden.dedup();
        hidden
    }

    /// `n` evaluations of a body that uses one hidden number: for each value of that number the evaluations with it,
    /// if it is the value. So they are pools again.
    fn repeat_by_value(
        &mut self,
        n: NodeId,
        body: Repeated,
        looks: &[Look],
        place: usize,
        values: &[i64],
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let number = environment[place];
        let mut cases = Vec::with_capacity(values.len());
        for &value in values {
            let is_value = self.equals(number, value)?;
            environment[place] = self.constant(value);
            let case = self.on_path(is_value, |scope| {
                scope.repeat(n, body, looks, Order::Ignored, environment)
            });
            environment[place] = number;
            cases.push(self.copies(is_value, case?)?);
        }
        self.join(&cases)
    }

    /// `n` independent numbers like this one, as draws of a die.
    ///
    /// Where the evaluation of one can fail, the die has a face of its own for each error, above all others.
    fn drawn(
        &mut self,
        n: NodeId,
        number: NodeId,
        failures: &[(NodeId, Failure)],
        order: Order,
    ) -> Attempt<NodeId> {
        let above = self.bounds(number)?.high;
        let mut faces = Vec::with_capacity(failures.len());
        let mut marked = number;
        // The first error in the order of evaluation is the one that is shown.
        for (&(when, failure), face) in failures.iter().rev().zip(i128::from(above) + 1..) {
            let face = self.constant(narrow(face)?);
            marked = self.choose(when, face, marked)?;
            faces.push((failure, face));
        }
        let die = self.die_of(marked)?;
        let list = match order {
            Order::Ignored => {
                let name = self.pools.name();
                self.draws(n, die, name)?
            }
            Order::Kept => self.unrolled(n, order, |scope| {
                let (one, name) = (scope.constant(1), scope.pools.name());
                scope.draws(one, die, name)
            })?,
        };
        let over = self.over(list)?;
        self.may_be(over, What::Waits(over))?;
        for (failure, face) in faces {
            let marks = self.filtered(Compare::Equal, face, list)?;
            let any = self.is_not_empty(marks)?;
            let none = self.complement(any)?;
            self.must_hold_or(none, failure)?;
        }
        Ok(list)
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

    /// A term whose loops, if they lead to a number, are none of what is done with it.
    fn translate_rolled(
        &mut self,
        id: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let (value, hazards) = self.apart(|scope| scope.translate(id, order, environment))?;
        let hidden = self.uses_hidden(id, 0, environment);
        self.rolled(value, hidden, &hazards, order)
    }

    /// A value that was translated apart, here. A number that a loop leads to is one draw of a die, so that the rounds of that loop
    /// are none of what it stands in: if it shares nothing that is hidden with others.
    fn rolled(
        &mut self,
        value: NodeId,
        hidden: bool,
        hazards: &[Hazard],
        order: Order,
    ) -> Attempt<NodeId> {
        if !hidden && self.is_number(value) && self.has_loop(value) {
            let failures = self.possible(hazards)?;
            let waiting = self.waiting(hazards)?;
            let (one, value) = (
                self.constant(1),
                self.linear(0, &[(1, value), (1, waiting)])?,
            );
            return self.drawn(one, value, &failures, order);
        }
        self.may_happen(hazards)?;
        Ok(value)
    }

    /// Evaluations written out, each of them there if the number is large enough.
    fn unrolled(
        &mut self,
        n: NodeId,
        order: Order,
        mut evaluate: impl FnMut(&mut Self) -> Attempt<NodeId>,
    ) -> Attempt<NodeId> {
        let times = self.bounds(n)?;
        if times.high > MOST_UNROLLED {
            return Err(Stop::Unsupported("a long repetition that is no pool"));
        }
        let mut parts = Vec::new();
        for index in 1..=times.high {
            let there = self.at_least(n, index)?;
            let value = self.on_path(there, &mut evaluate)?;
            parts.push(self.copies(there, value)?);
        }
        self.sequence(order, parts)
    }

    /// `n` independent values like this one as pools, where its form allows.
    fn repeated_pool(&mut self, n: NodeId, value: NodeId) -> Attempt<Option<NodeId>> {
        if self.is_number(value) {
            return self.drawn(n, value, &[], Order::Ignored).map(Some);
        }
        match self.nodes.get(value).clone() {
            Node::Known(_) => self.copies(n, value).map(Some),
            Node::Pool(pool) => {
                let Pool { die, dice, drawing } = *self.pools.get(pool);
                if drawing != Drawing::Independent {
                    return Ok(None);
                }
                let count = self.linear(0, &[(dice.into(), n)])?;
                let name = self.pools.name();
                self.draws(count, die, name).map(Some)
            }
            // Parts that share no pool are repeated apart.
            Node::Join(parts) if self.are_independent(&parts) => {
                let mut repeated = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    match self.repeated_pool(n, part)? {
                        Some(pool) => repeated.push(pool),
                        None => return Ok(None),
                    }
                }
                self.join(&repeated).map(Some)
            }
            _ => self.drawn_lists(n, value),
        }
    }

    pub(super) fn die_of(&mut self, value: NodeId) -> Attempt<super::pool::DieId> {
        let law = self.law(value)?;
        self.pools.die(law)
    }

    /// Whether a term can use a value that is not fully known. `bound` innermost variables are its own.
    pub(super) fn uses_hidden(&mut self, id: TermId, bound: u32, environment: &[NodeId]) -> bool {
        let free = self.free(id);
        free.iter().filter(|&&index| index >= bound).any(|&index| {
            let place = environment.len() - 1 - (index - bound) as usize;
            self.nodes.mask(environment[place]) != 0
        })
    }

    /// The free variables of a term.
    pub(super) fn free(&mut self, id: TermId) -> Box<[u32]> {
        if let Some(known) = self.facts.free.get(&id) {
            return known.clone();
        }
        let mut free = Vec::new();
        let term = self.arena.term(id);
        if let Term::Variable(index) = term {
            free.push(*index);
        }
        term.for_children(|child, bound| {
            let inner = stack::level(|| self.free(child));
            free.extend(inner.iter().filter_map(|index| index.checked_sub(bound)));
        });
        free.sort_unstable();
        free.dedup();
        let free: Box<[u32]> = free.into();
        self.facts.free.insert(id, free.clone());
        free
    }

    /// Whether evaluating a term twice can give different values.
    pub(super) fn is_random(&mut self, id: TermId) -> bool {
        if let Some(&known) = self.facts.random.get(&id) {
            return known;
        }
        let term = self.arena.term(id);
        let mut random = matches!(term, Term::Die(..) | Term::Arrange(Arrangement::Shuffle, _));
        term.for_children(|child, _| random = random || stack::level(|| self.is_random(child)));
        self.facts.random.insert(id, random);
        random
    }

    /// Whether a term, whose own order matters or not, looks at the order of a variable.
    pub(super) fn looks_at_order(&mut self, id: TermId, index: u32, order: Order) -> bool {
        let key = (id, index, order);
        if let Some(&known) = self.facts.ordered.get(&key) {
            return known;
        }
        let looks = stack::level(|| self.compute_looks_at_order(id, index, order));
        self.facts.ordered.insert(key, looks);
        looks
    }

    fn compute_looks_at_order(&mut self, id: TermId, index: u32, order: Order) -> bool {
        let ignored = Order::Ignored;
        match self.arena.term(id) {
            Term::Variable(variable) => *variable == index && order == Order::Kept,
            Term::Integer(_) | Term::Fail(..) => false,
            Term::Join(parts) => parts
                .iter()
                .any(|&part| self.looks_at_order(part, index, order)),
            Term::Range(a, b, _) | Term::Arithmetic(_, a, b, _) => {
                self.looks_at_order(*a, index, ignored) || self.looks_at_order(*b, index, ignored)
            }
            Term::Die(a, _)
            | Term::Negate(a, _)
            | Term::Fold(_, a, _)
            | Term::Arrange(Arrangement::Sort | Arrangement::Shuffle, a) => {
                self.looks_at_order(*a, index, ignored)
            }
            Term::Arrange(Arrangement::Reverse, a) => self.looks_at_order(*a, index, order),
            Term::Repeat(n, e, _) | Term::Filter(_, n, e, _) => {
                self.looks_at_order(*n, index, ignored) || self.looks_at_order(*e, index, order)
            }
            Term::Select(selection, n, e, _) => {
                let equal = matches!(self.arena.term(*e), Term::Filter(Comparison::Equal, ..));
                let one = Integer::ONE;
                let is_one = matches!(self.arena.term(*n), Term::Integer(n) if *n <= one);
                let inner = match selection {
                    Selection::High | Selection::Low if is_one => ignored,
                    Selection::High | Selection::Low | Selection::DropHigh | Selection::DropLow => {
                        order
                    }
                    _ if equal => ignored,
                    _ => Order::Kept,
                };
                self.looks_at_order(*n, index, ignored) || self.looks_at_order(*e, index, inner)
            }
            Term::Difference(e, f, _) => {
                self.looks_at_order(*e, index, order) || self.looks_at_order(*f, index, ignored)
            }
            Term::If(c, e, f) => {
                self.looks_at_order(*c, index, ignored)
                    || self.looks_at_order(*e, index, order)
                    || self.looks_at_order(*f, index, order)
            }
            Term::Let(e, f) => {
                let kept = if self.looks_at_order(*f, 0, order) {
                    Order::Kept
                } else {
                    ignored
                };
                self.looks_at_order(*e, index, kept) || self.looks_at_order(*f, index + 1, order)
            }
            Term::Foreach(e, f) => {
                self.looks_at_order(*e, index, order) || self.looks_at_order(*f, index + 1, order)
            }
            Term::While(e, f) => {
                self.looks_at_order(*e, index, Order::Kept)
                    || self.looks_at_order(*f, index + 1, Order::Kept)
            }
        }
    }
}
