//! Terms as nodes: one arm a term of the core language.

use crate::engine::failure::Failure;
use crate::engine::program::{NodeId, Order, Reduction, narrow};
use crate::engine::reason::Reason;
use crate::engine::simplify::{
    Forms as _, ascending, difference, fold_of_parts, reversed, shuffled, unordered,
};
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::repeat::Repeated;
use crate::engine::translate::translator::Translator;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Arrangement, Folding, SiteId, Term, TermId};
use crate::stack;

/// The cards of a deck must be known.
pub(super) const HIDDEN_DECK: Stop = Stop::Unsupported(Reason::ShuffledInOrder);

impl Translator<'_, '_> {
    /// The value of a term; the environment has the innermost variable last.
    pub(in crate::engine) fn translate(
        &mut self,
        id: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        self.store.budget.check()?;
        if let Some(number) = self.compiled(id, environment)? {
            return Ok(number);
        }
        let value = stack::level(|| self.translate_term(id, order, environment))?;
        match order {
            Order::Ignored => unordered(self.store, value),
            Order::Kept => Ok(value),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a term of the core language")]
    pub(super) fn translate_term(
        &mut self,
        id: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match self.store.arena.term(id) {
            Term::Integer(value) => match value.to_i64() {
                Some(value) => Ok(self.store.constant(narrow(value.into())?)),
                None => Err(Stop::Unsupported(Reason::LongIntegers)),
            },
            Term::Variable(index) => Ok(environment[environment.len() - 1 - *index as usize]),
            Term::Join(parts) => {
                let parts = parts
                    .iter()
                    .map(|&part| self.translate(part, order, environment))
                    .collect::<Attempt<Vec<_>>>()?;
                self.store.sequence(order, parts)
            }
            Term::Range(a, b, site) => {
                let [a, b] = self.translate_numbers([*a, *b], *site, environment)?;
                let range = self.store.range(a, b)?;
                if order == Order::Kept {
                    return ascending(self.store, range);
                }
                Ok(range)
            }
            Term::Die(sides, site) => {
                let [sides] = self.translate_isolated_numbers([*sides], *site, environment)?;
                let has_side = self.store.at_least(sides, 1)?;
                self.must_hold(has_side, ErrorKind::BadDie, *site)?;
                let name = self.store.pools.name();
                self.store.die(sides, name)
            }
            Term::Pick(faces) => self.pick(faces),
            Term::Compare(e, f) => {
                let a = self.translate(*e, Order::Ignored, environment)?;
                let b = self.translate(*f, Order::Ignored, environment)?;
                self.compare_by_value(a, b)
            }
            Term::Negate(a, site) => {
                let [a] = self.translate_numbers([*a], *site, environment)?;
                self.store.linear(0, &[(-1, a)])
            }
            Term::Arithmetic(operator, a, b, site) => {
                let [a, b] = match operator {
                    Arithmetic::Add | Arithmetic::Subtract => {
                        self.translate_numbers([*a, *b], *site, environment)?
                    }
                    _ => self.translate_isolated_numbers([*a, *b], *site, environment)?,
                };
                self.must_be_defined(*operator, a, b, *site)?;
                self.store.arithmetic(*operator, a, b)
            }
            Term::Fold(Folding::Only, e, site) => {
                let [number] = self.translate_numbers([*e], *site, environment)?;
                Ok(number)
            }
            Term::Fold(folding, e, _) => {
                let parts =
                    self.translate_reduced(*e, vec![Reduction::Fold(*folding)], environment)?;
                self.store.fold(fold_of_parts(*folding), parts)
            }
            Term::Arrange(Arrangement::Distinct, e) => {
                let list = self.translate(*e, order, environment)?;
                self.distinct(list, order)
            }
            Term::Arrange(Arrangement::Sort, e) => {
                let list = self.translate(*e, Order::Ignored, environment)?;
                if order == Order::Kept {
                    return ascending(self.store, list);
                }
                Ok(list)
            }
            Term::Arrange(Arrangement::Reverse, e) => {
                let list = self.translate(*e, order, environment)?;
                if order == Order::Kept {
                    return reversed(self.store, list);
                }
                Ok(list)
            }
            Term::Arrange(Arrangement::Shuffle, e) => {
                let cards = self.translate(*e, Order::Ignored, environment)?;
                if order == Order::Ignored {
                    return Ok(cards);
                }
                match self.store.known_members(cards) {
                    Some(cards) => shuffled(self.store, &cards),
                    None => Err(HIDDEN_DECK),
                }
            }
            Term::Repeat(n, e, site) => {
                let n = self.translate_count(*n, *site, environment)?;
                self.repeat(n, Repeated::Term(*e), &[], order, environment)
            }
            Term::Select(selection, n, e, site) => {
                let n = self.translate(*n, Order::Ignored, environment)?;
                self.with_deferred_check(
                    |translator| translator.as_count(n, *site),
                    |translator, n| {
                        translator.translate_selection(*selection, n, *e, order, environment)
                    },
                )
            }
            Term::Filter(comparison, a, e, site) => {
                let number = self.translate(*a, Order::Ignored, environment)?;
                self.with_deferred_check(
                    |translator| translator.as_numbers([number], *site),
                    |translator, [number]| {
                        let list = translator.translate(*e, order, environment)?;
                        translator.store.filter(*comparison, number, list)
                    },
                )
            }
            Term::Difference(e, f, site) if order == Order::Ignored => {
                let whole = self.translate(*e, order, environment)?;
                let part = self.translate(*f, order, environment)?;
                match difference(self.store, whole, part) {
                    Err(Stop::Unsupported(_)) => self.difference_by_value(whole, part, *site),
                    left => left,
                }
            }
            Term::Difference(..) => Err(Stop::Unsupported(Reason::DifferenceInOrder)),
            Term::Without(e, f) => {
                let whole = self.translate(*e, order, environment)?;
                let part = self.translate(*f, Order::Ignored, environment)?;
                self.without(whole, part, order)
            }
            Term::If(c, e, f) => {
                let condition = self.translate(*c, Order::Ignored, environment)?;
                let condition = self.store.is_not_empty(condition)?;
                match self.store.as_constant(condition) {
                    Some(0) => self.translate(*f, order, environment),
                    Some(_) => self.translate(*e, order, environment),
                    None => {
                        let not = self.store.complement(condition)?;
                        let a = self.on_path(condition, |translator| {
                            translator.translate(*e, order, environment)
                        })?;
                        let b = self.on_path(not, |translator| {
                            translator.translate(*f, order, environment)
                        })?;
                        self.store.choose(condition, a, b)
                    }
                }
            }
            Term::Let(e, f) => {
                let kept = self.store.looks_at_order(*f, 0, order);
                let kept = if kept { Order::Kept } else { Order::Ignored };
                let value = match self.last_state_for(*e, *f, environment)? {
                    Some(state) => state,
                    None => self.translate_isolated(*e, kept, environment)?,
                };
                self.translate_with(*f, value, order, environment)
            }
            Term::Best(..) | Term::Play(..) => Err(Stop::Unsupported(Reason::Choice)),
            Term::Foreach(e, f) => self.translate_foreach(*e, *f, &[], order, environment),
            Term::While(e, f) => {
                let kept = order == Order::Kept || self.store.looks_at_order(*f, 0, Order::Ignored);
                let order = if kept { Order::Kept } else { Order::Ignored };
                let first = self.translate_isolated(*e, order, environment)?;
                self.translate_loop(first, *f, order, environment)
            }
            // `given` answers programs that leave rolls out by others.
            Term::Reject(site) => self.fails(ErrorKind::Domain, *site),
            Term::Fail(kind, site) => self.fails(*kind, *site),
        }
    }

    /// A term that always fails.
    fn fails(&mut self, kind: ErrorKind, site: SiteId) -> Attempt<NodeId> {
        let never = self.store.constant(0);
        self.must_hold(never, kind, site)?;
        Ok(never)
    }

    /// Operands that must be numbers, as numbers.
    pub(super) fn translate_numbers<const N: usize>(
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

    /// Operands that must be numbers, as numbers, with their loops isolated (see [`Translator::isolated`]).
    pub(super) fn translate_isolated_numbers<const N: usize>(
        &mut self,
        operands: [TermId; N],
        site: SiteId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<[NodeId; N]> {
        let mut numbers = [NodeId(0); N];
        for (number, operand) in numbers.iter_mut().zip(operands) {
            *number = self.translate_isolated(operand, Order::Ignored, environment)?;
        }
        self.as_numbers(numbers, site)
    }

    /// Values that must be numbers, as numbers.
    pub(super) fn as_numbers<const N: usize>(
        &mut self,
        mut numbers: [NodeId; N],
        site: SiteId,
    ) -> Attempt<[NodeId; N]> {
        let spans = self.store.arena.site_of(site).operands;
        for (number, span) in numbers.iter_mut().zip(spans) {
            if !self.store.is_number(*number) {
                let size = self.store.fold(Folding::Count, *number)?;
                let is_one = self.store.equals(size, 1)?;
                let failure = Failure {
                    span,
                    kind: ErrorKind::Type,
                };
                self.must_hold_or(is_one, failure)?;
                *number = self.store.number(*number)?;
            }
        }
        Ok(numbers)
    }

    /// Evaluates an operator with the hazards in the order of evaluation: an operator checks its operands only when
    /// it has them all. So the hazards of `check`, which checks one operand, come after the hazards of `rest`, which
    /// evaluates the other operands and the operator.
    pub(super) fn with_deferred_check<T, U>(
        &mut self,
        check: impl FnOnce(&mut Self) -> Attempt<T>,
        rest: impl FnOnce(&mut Self, T) -> Attempt<U>,
    ) -> Attempt<U> {
        let (operand, deferred) = self.collecting_hazards(check)?;
        let value = rest(self, operand)?;
        self.add_hazards(&deferred)?;
        Ok(value)
    }

    /// An operand that must be a number and not negative.
    pub(super) fn translate_count(
        &mut self,
        n: TermId,
        site: SiteId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let n = self.translate(n, Order::Ignored, environment)?;
        self.as_count(n, site)
    }

    /// A value that must be a number and not negative, as a count.
    pub(super) fn as_count(&mut self, n: NodeId, site: SiteId) -> Attempt<NodeId> {
        let [n] = self.as_numbers([n], site)?;
        let is_count = self.store.at_least(n, 0)?;
        self.must_hold(is_count, ErrorKind::NegativeCount, site)?;
        self.store.natural(n)
    }

    pub(in crate::engine) fn translate_with(
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

    /// The product of a list. `Err` with its factors, if the product may be too long for residual programs.
    pub(in crate::engine) fn translate_product(
        &mut self,
        list: TermId,
    ) -> Attempt<Result<NodeId, NodeId>> {
        let reductions = vec![Reduction::Fold(Folding::Product)];
        let factors = self.translate_reduced(list, reductions, &mut Vec::new())?;
        match self.store.fold(Folding::Product, factors) {
            Ok(product) => Ok(Ok(product)),
            Err(Stop::Unsupported(_)) => Ok(Err(factors)),
            Err(stop) => Err(stop),
        }
    }
}
