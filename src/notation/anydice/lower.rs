//! From terms to the core language.

mod loops;

use super::term::{Bound, Hidden, List, Run, Shape, Term};
use super::tree::Infix;
use crate::ir::{
    Arithmetic, Builder, Comparison, Expr, Folding, Name, Program, Selection, Site, SiteId,
};
use crate::map::Map;
use crate::notation::extreme::Extreme;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The program whose value is that of a closed term: one number, or no member for the empty die.
pub(super) fn program(term: &Term) -> Program {
    lowered(term, false)
}

/// The program in which a division by zero is an error.
pub(super) fn dividing_program(term: &Term) -> Program {
    lowered(term, true)
}

fn lowered(term: &Term, divides: bool) -> Program {
    let mut build = Builder::new();
    let site = build.site(Site::at(Span::default()));
    let mut lowering = Lowering {
        build,
        site,
        divides,
        names: Map::default(),
        lowered: Map::default(),
    };
    let root = lowering.term(term);
    lowering.build.program(root)
}

struct Lowering {
    build: Builder,
    /// The site of terms that cannot fail.
    site: SiteId,
    /// Whether a division by zero is an error, and not 0.
    divides: bool,
    names: Map<u32, Name>,
    /// The terms that were lowered, by their addresses.
    lowered: Map<usize, Expr>,
}

/// A number of dice.
fn number(count: u64) -> Integer {
    Integer::from(i64::try_from(count).unwrap_or(i64::MAX))
}

impl Lowering {
    fn integer(&mut self, number: impl Into<Integer>) -> Expr {
        self.build.integer(number)
    }

    fn count(&mut self, list: Expr) -> Expr {
        self.build.fold(Folding::Count, list, self.site)
    }

    fn sum(&mut self, list: Expr) -> Expr {
        self.build.fold(Folding::Sum, list, self.site)
    }

    fn filter(&mut self, comparison: Comparison, number: Expr, list: Expr) -> Expr {
        self.build.filter(comparison, number, list, self.site)
    }

    fn repeat(&mut self, count: u64, die: Expr) -> Expr {
        let count = self.integer(number(count));
        self.build.repeat(count, die, self.site)
    }

    fn name(&mut self, hidden: Hidden) -> Name {
        *self
            .names
            .entry(hidden.0)
            .or_insert_with(|| self.build.name())
    }

    fn term(&mut self, term: &Term) -> Expr {
        if let Some(&known) = self.lowered.get(&term.address()) {
            return known;
        }
        let lowered = stack::level(|| self.term_anew(term));
        self.lowered.insert(term.address(), lowered);
        lowered
    }

    fn term_anew(&mut self, term: &Term) -> Expr {
        match term.shape() {
            Shape::Absolute(a) => self.absolute(a),
            Shape::Count(list, comparison, number) => {
                let members = self.members(list, *comparison, number);
                self.count(members)
            }
            Shape::Die(sides) => self.die(sides),
            Shape::Each(list, hidden, number) => {
                let list = self.list(list);
                let name = self.name(*hidden);
                let number = self.term(number);
                let numbers = self.build.foreach(name, list, number);
                self.sum(numbers)
            }
            Shape::Explode(die, greatest) => self.explode(die, greatest),
            Shape::Faces(faces) => match faces.only() {
                Some(only) => self.integer(only.clone()),
                None => self.build.pick(faces.weighted().to_vec()),
            },
            Shape::Again(hidden) | Shape::Hidden(hidden) => {
                let name = self.name(*hidden);
                self.build.variable(name)
            }
            Shape::If(condition, yes, no) => {
                let condition = self.condition(condition);
                let yes = self.term(yes);
                let no = self.term(no);
                self.build.choose(condition, yes, no)
            }
            Shape::Infix(operator, a, b, span) => self.infix(*operator, a, b, *span),
            Shape::Keep(end, kept, kinds) => self.keep(*end, *kept, kinds),
            Shape::Let(hidden, bound, body) => {
                let value = match bound {
                    Bound::Number(number) => self.term(number),
                    Bound::Roll(count, die) => {
                        let die = self.term(die);
                        self.repeat(*count, die)
                    }
                };
                let name = self.name(*hidden);
                let body = self.term(body);
                self.build.bind(name, value, body)
            }
            Shape::Loop(calls) => self.recursion(calls),
            Shape::Mixture(parts) => self.mixture(parts, &mut |lowering, part| lowering.term(part)),
            Shape::Most(end, a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                let operator = match end {
                    Extreme::High => Arithmetic::Max,
                    Extreme::Low => Arithmetic::Min,
                };
                self.build.arithmetic(operator, a, b, self.site)
            }
            Shape::Negate(a) => {
                let a = self.term(a);
                self.build.negate(a, self.site)
            }
            Shape::Not(_) => {
                let members = self.condition(term);
                self.count(members)
            }
            Shape::Nothing => self.build.empty(),
            Shape::Order(comparison, a, b) => {
                let (a, b) = (self.list(a), self.list(b));
                let order = self.build.compare(a, b);
                let zero = self.integer(0);
                let members = self.filter(*comparison, zero, order);
                self.count(members)
            }
            Shape::Ranked(list, runs) => self.ranked(list, runs),
            Shape::Repeat(count, die, span) => {
                let count = self.term(count);
                let die = self.term(die);
                let site = self.build.site(Site::at(*span));
                let dice = self.build.repeat(count, die, site);
                self.sum(dice)
            }
            Shape::Sum(count, die) => {
                let die = self.term(die);
                let dice = self.repeat(*count, die);
                self.sum(dice)
            }
            Shape::Total(list) => {
                let list = self.list(list);
                self.sum(list)
            }
            Shape::Uniform(sides) => self.uniform(sides),
        }
    }

    /// A die with the faces 1 to the number of sides, or -1 down to it; 0 for 0.
    fn uniform(&mut self, sides: &Integer) -> Expr {
        if sides.is_zero() {
            return self.integer(0);
        }
        if !sides.is_negative() {
            let sides = self.integer(sides.clone());
            return self.build.die(sides, self.site);
        }
        let sides = self.integer(sides.neg().unwrap_or(Integer::ONE));
        let die = self.build.die(sides, self.site);
        self.build.negate(die, self.site)
    }

    /// A die with a number of sides that may be negative or 0.
    fn die(&mut self, sides: &Term) -> Expr {
        let value = self.term(sides);
        let name = self.build.name();
        let sides = self.build.variable(name);
        let zero = self.integer(0);
        let opposite = self.build.negate(sides, self.site);
        let below = self.build.die(opposite, self.site);
        let below = self.build.negate(below, self.site);
        let above = self.build.die(sides, self.site);
        let is_above = self.filter(Comparison::Greater, zero, sides);
        let is_below = self.filter(Comparison::Less, zero, sides);
        let others = self.build.choose(is_below, below, zero);
        let die = self.build.choose(is_above, above, others);
        self.build.bind(name, value, die)
    }

    /// One of some terms, each of which becomes an expression.
    fn mixture(
        &mut self,
        parts: &[(Integer, Term)],
        lowered: &mut dyn FnMut(&mut Self, &Term) -> Expr,
    ) -> Expr {
        let mut mixed = None;
        let name = self.build.name();
        for (index, (_, part)) in parts.iter().enumerate().rev() {
            let part = lowered(self, part);
            mixed = Some(match mixed {
                None => part,
                Some(others) => {
                    let drawn = self.build.variable(name);
                    let index = self.integer(Integer::from(index));
                    let is_drawn = self.filter(Comparison::Equal, index, drawn);
                    self.build.choose(is_drawn, part, others)
                }
            });
        }
        let weights = parts.iter().enumerate();
        let faces = weights.map(|(index, (weight, _))| (Integer::from(index), weight.clone()));
        let drawn = self.build.pick(faces.collect());
        let mixed = mixed.unwrap_or_else(|| self.build.empty());
        self.build.bind(name, drawn, mixed)
    }

    /// The sum of a die that is rolled again on its greatest face.
    fn explode(&mut self, die: &Term, greatest: &Integer) -> Expr {
        let die = self.term(die);
        let greatest = self.integer(greatest.clone());
        let name = self.build.name();
        let x = self.build.variable(name);
        let again = self.filter(Comparison::Equal, greatest, x);
        let empty = self.build.empty();
        let next = self.build.choose(again, die, empty);
        let all = self.build.repeat_while(name, die, next);
        self.sum(all)
    }

    /// The sum of the highest or lowest of several kinds of dice thrown together.
    fn keep(&mut self, end: Extreme, kept: u64, kinds: &[(u64, Term)]) -> Expr {
        let mut parts = Vec::with_capacity(kinds.len());
        for (count, die) in kinds {
            let die = self.term(die);
            parts.push(self.repeat(*count, die));
        }
        let all = self.build.join(&parts);
        let kept = self.integer(number(kept));
        let selection = end.selection();
        let kept = self.build.select(selection, kept, all, self.site);
        self.sum(kept)
    }

    fn absolute(&mut self, number: &Term) -> Expr {
        let value = self.term(number);
        let name = self.build.name();
        let x = self.build.variable(name);
        let negative = self.build.negate(x, self.site);
        let greater = self
            .build
            .arithmetic(Arithmetic::Max, x, negative, self.site);
        self.build.bind(name, value, greater)
    }

    fn list(&mut self, list: &List) -> Expr {
        match list {
            List::Hidden(hidden, _) => {
                let name = self.name(*hidden);
                self.build.variable(name)
            }
            List::Join(lists) => {
                let lists: Vec<Expr> = lists.iter().map(|list| self.list(list)).collect();
                self.build.join(&lists)
            }
            List::Members(members) => {
                let members: Vec<Expr> = members.iter().map(|member| self.term(member)).collect();
                self.build.join(&members)
            }
            List::Throw(count, die) => {
                let (count, die) = (self.term(count), self.term(die));
                self.build.repeat(count, die, self.site)
            }
            List::Roll(count, die) => {
                let die = self.term(die);
                self.repeat(*count, die)
            }
        }
    }

    /// The members of a list that compare so with a number.
    fn members(&mut self, list: &List, comparison: Comparison, number: &Term) -> Expr {
        let list = self.list(list);
        let number = self.term(number);
        self.filter(comparison, number, list)
    }

    /// A list that has members where a term is not 0.
    fn condition(&mut self, term: &Term) -> Expr {
        match term.shape() {
            Shape::Infix(Infix::Condition(comparison), a, b, _) => {
                let (a, b) = (self.term(a), self.term(b));
                self.filter(*comparison, b, a)
            }
            Shape::Infix(operator @ (Infix::And | Infix::Or), a, b, _) => {
                self.connected(*operator, a, b)
            }
            Shape::Count(list, comparison, number) => self.members(list, *comparison, number),
            Shape::Not(a) => {
                let a = self.term(a);
                let zero = self.integer(0);
                self.filter(Comparison::Equal, zero, a)
            }
            _ => {
                let a = self.term(term);
                let zero = self.integer(0);
                self.filter(Comparison::NotEqual, zero, a)
            }
        }
    }

    fn infix(&mut self, operator: Infix, a: &Term, b: &Term, span: Span) -> Expr {
        if let Infix::Condition(comparison) = operator {
            let (a, b) = (self.term(a), self.term(b));
            let members = self.filter(comparison, b, a);
            return self.count(members);
        }
        if matches!(operator, Infix::And | Infix::Or) {
            let holds = self.connected(operator, a, b);
            let (one, zero) = (self.integer(1), self.integer(0));
            return self.build.choose(holds, one, zero);
        }
        let site = self.build.site(Site::at(span));
        let (divisor, has_effect) = (b.constant().cloned(), a.has_effect());
        let (a, b) = (self.term(a), self.term(b));
        let arithmetic = match operator {
            Infix::Add => Arithmetic::Add,
            Infix::Subtract => Arithmetic::Subtract,
            Infix::Multiply => Arithmetic::Multiply,
            Infix::Power => Arithmetic::Power,
            _ => {
                return self.evaluated_if(has_effect, a, |lowering, a| {
                    lowering.quotient(a, b, divisor, site)
                });
            }
        };
        self.build.arithmetic(arithmetic, a, b, site)
    }

    /// A list that has members where both sides, or one of them, are not 0.
    fn connected(&mut self, operator: Infix, a: &Term, b: &Term) -> Expr {
        let has_effect = b.has_effect();
        let (a, b) = (self.condition(a), self.condition(b));
        self.evaluated_if(has_effect, a, |lowering, a| {
            lowering.evaluated_if(has_effect, b, |lowering, b| {
                if operator == Infix::And {
                    let empty = lowering.build.empty();
                    return lowering.build.choose(a, b, empty);
                }
                let one = lowering.integer(1);
                lowering.build.choose(a, one, b)
            })
        })
    }

    /// An expression in which another one is evaluated first, if the other one must be evaluated even without use of its value.
    fn evaluated_if(
        &mut self,
        is_first: bool,
        value: Expr,
        body: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        if !is_first {
            return body(self, value);
        }
        let name = self.build.name();
        let variable = self.build.variable(name);
        let body = body(self, variable);
        self.build.bind(name, value, body)
    }

    /// A quotient, which is 0 where the divisor is.
    fn quotient(&mut self, a: Expr, b: Expr, divisor: Option<Integer>, site: SiteId) -> Expr {
        match divisor {
            _ if self.divides => self.build.arithmetic(Arithmetic::Divide, a, b, site),
            Some(divisor) if divisor.is_zero() => self.integer(0),
            Some(_) => self.build.arithmetic(Arithmetic::Divide, a, b, site),
            None => {
                let name = self.build.name();
                let y = self.build.variable(name);
                let zero = self.integer(0);
                let may = self.filter(Comparison::NotEqual, zero, y);
                let quotient = self.build.arithmetic(Arithmetic::Divide, a, y, site);
                let chosen = self.build.choose(may, quotient, zero);
                self.build.bind(name, b, chosen)
            }
        }
    }

    /// The sum of the members at some positions, counted from the highest.
    fn ranked(&mut self, list: &List, runs: &[Run]) -> Expr {
        let members = self.list(list);
        match (list, runs) {
            (_, []) => self.evaluated_if(list.has_effect(), members, |lowering, _| {
                lowering.integer(0)
            }),
            (List::Hidden(..), _) | (_, [_]) => self.runs(members, list.count(), runs),
            _ => self.evaluated_if(true, members, |lowering, members| {
                lowering.runs(members, list.count(), runs)
            }),
        }
    }

    fn runs(&mut self, members: Expr, count: u64, runs: &[Run]) -> Expr {
        let sums: Vec<Expr> = runs
            .iter()
            .map(|run| {
                let chosen = self.run(members, count, run);
                let sum = self.sum(chosen);
                if run.times == 1 {
                    return sum;
                }
                let times = self.integer(number(run.times));
                self.build
                    .arithmetic(Arithmetic::Multiply, times, sum, self.site)
            })
            .collect();
        if let [only] = sums[..] {
            return only;
        }
        let all = self.build.join(&sums);
        self.sum(all)
    }

    /// The members from one position to another.
    fn run(&mut self, members: Expr, count: u64, run: &Run) -> Expr {
        if run.last == count && run.first == 1 {
            return members;
        }
        if run.last == count {
            let least = self.integer(number(count - run.first + 1));
            return self.build.select(Selection::Low, least, members, self.site);
        }
        let last = self.integer(number(run.last));
        let highest = self.build.select(Selection::High, last, members, self.site);
        if run.first == 1 {
            return highest;
        }
        let others = self.integer(number(run.first - 1));
        self.build
            .select(Selection::DropHigh, others, highest, self.site)
    }
}
