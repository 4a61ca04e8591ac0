//! Calls that come back to themselves, as one loop of the core language.
//!
//! A round is the body of one call. It adds a number, and ends the loop or goes on with a call. The list of a round that ends is
//! `[number]`, and that of a round that goes on is `[number, call, -call]`, so that the sum of all lists is the sum of the
//! numbers.

use super::Lowering;
use crate::ir::{Arithmetic, Comparison, Expr, Selection};
use crate::notation::anydice::term::{Bound, Hidden, Shape, Term};
use crate::notation::anydice::tree::Infix;
use crate::number::Integer;
use crate::stack;

impl Lowering {
    /// The sum of the numbers of all rounds. The first call begins.
    pub(super) fn recursion(&mut self, calls: &[(Hidden, Term)]) -> Expr {
        let mut rounds = Vec::with_capacity(calls.len());
        for (_, body) in calls {
            rounds.push(self.round(body, None, calls));
        }
        let name = self.build.name();
        let state = self.build.variable(name);
        let size = self.count(state);
        let one = self.integer(1);
        let goes_on = self.filter(Comparison::Greater, one, size);
        let next = if let [only] = rounds[..] {
            only
        } else {
            let [one, two] = [1, 2].map(|number| self.integer(number));
            let both = self.build.select(Selection::First, two, state, self.site);
            let call = self.build.select(Selection::Last, one, both, self.site);
            let called = self.build.name();
            let variable = self.build.variable(called);
            let next = self.called(variable, 1, &rounds);
            self.build.bind(called, call, next)
        };
        let empty = self.build.empty();
        let next = self.build.choose(goes_on, next, empty);
        let all = self.build.repeat_while(name, rounds[0], next);
        self.sum(all)
    }

    /// The round of the call with a number, where the first of these rounds has the number `first`.
    fn called(&mut self, call: Expr, first: usize, rounds: &[Expr]) -> Expr {
        if let [only] = rounds {
            return *only;
        }
        let (low, high) = rounds.split_at(rounds.len() / 2);
        let middle = first + low.len();
        let bound = self.integer(Integer::from(middle));
        let is_low = self.filter(Comparison::Less, bound, call);
        let low = self.called(call, first, low);
        let high = self.called(call, middle, high);
        self.build.choose(is_low, low, high)
    }

    /// The list of a round, to the number of which something is added.
    fn round(&mut self, body: &Term, added: Option<Expr>, calls: &[(Hidden, Term)]) -> Expr {
        let goes_on = |term: &Term| {
            let is_call = |name: &Hidden| calls.iter().any(|(call, _)| call == name);
            term.free().iter().any(is_call)
        };
        stack::level(|| match body.shape() {
            Shape::Again(name) => {
                let place = calls.iter().position(|(call, _)| call == name);
                let call = Integer::from(place.map_or(0, |place| place + 1));
                let back = call.neg().unwrap_or(Integer::ZERO);
                let number = added.unwrap_or_else(|| self.integer(0));
                let (call, back) = (self.integer(call), self.integer(back));
                self.build.join(&[number, call, back])
            }
            Shape::If(condition, yes, no) if goes_on(body) => {
                let condition = self.condition(condition);
                let yes = self.round(yes, added, calls);
                let no = self.round(no, added, calls);
                self.build.choose(condition, yes, no)
            }
            Shape::Infix(Infix::Add, a, b, _) if goes_on(a) => {
                let more = self.term(b);
                let added = self.both(added, more);
                self.round(a, Some(added), calls)
            }
            Shape::Infix(Infix::Add, a, b, _) if goes_on(b) => {
                let more = self.term(a);
                let added = self.both(added, more);
                self.round(b, Some(added), calls)
            }
            Shape::Infix(Infix::Subtract, a, b, _) if goes_on(a) => {
                let less = self.term(b);
                let less = self.build.negate(less, self.site);
                let added = self.both(added, less);
                self.round(a, Some(added), calls)
            }
            Shape::Let(hidden, bound, inner) if goes_on(body) => {
                let value = match bound {
                    Bound::Number(number) => self.term(number),
                    Bound::Roll(count, die) => {
                        let die = self.term(die);
                        self.repeat(*count, die)
                    }
                };
                let name = self.name(*hidden);
                let inner = self.round(inner, added, calls);
                self.build.bind(name, value, inner)
            }
            Shape::Mixture(parts) if goes_on(body) => self.mixture(parts, &mut |lowering, part| {
                lowering.round(part, added, calls)
            }),
            _ => {
                let number = self.term(body);
                self.both(added, number)
            }
        })
    }

    fn both(&mut self, added: Option<Expr>, more: Expr) -> Expr {
        let Some(added) = added else {
            return more;
        };
        self.build
            .arithmetic(Arithmetic::Add, added, more, self.site)
    }
}
