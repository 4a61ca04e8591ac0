//! Programs that leave rolls out, as programs that leave none out.

use std::rc::Rc;

use super::arena::{Arena, Program};
use super::term::{Term, TermId};
use crate::map::Map;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// A term around the value of a program: the place of the operand that holds the value, and the number of binders between the term and the
/// value. The variables of the other operands are so many binders further out.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Outer {
    term: TermId,
    place: usize,
    binders: u32,
}

impl Program {
    /// The place of the first condition for which rolls are left out; `None` if no roll is.
    #[must_use]
    pub fn rejects_at(&self) -> Option<Span> {
        let sites = self.arena().terms().iter().filter_map(|term| match term {
            Term::Reject(site) => Some(self.arena().site_of(*site).whole),
            _ => None,
        });
        sites.min()
    }

    /// The program whose value is 1 for a roll that is kept, and 0 for a roll that is left out. Nothing after this decision is evaluated.
    #[must_use]
    pub(crate) fn verdict(&self) -> Self {
        self.with_ends(&|arena, end| match arena.term(end) {
            Term::Reject(_) => arena.integer(Integer::ZERO),
            _ => arena.integer(Integer::ONE),
        })
    }

    /// The program with the number 0 for each roll that is left out.
    #[must_use]
    pub(crate) fn zero_where_rejected(&self) -> Self {
        self.with_ends(&|arena, end| match arena.term(end) {
            Term::Reject(_) => arena.integer(Integer::ZERO),
            _ => end,
        })
    }

    /// The program with the empty list for each roll that is left out.
    #[must_use]
    pub(crate) fn empty_where_rejected(&self) -> Self {
        self.with_ends(&|arena, end| match arena.term(end) {
            Term::Reject(_) => arena.empty(),
            _ => end,
        })
    }

    /// Whether operators alone show that the value is always a number.
    #[must_use]
    pub(crate) fn ends_with_numbers(&self) -> bool {
        let mut known = Map::default();
        needed_numbers(self.arena(), self.root(), &mut known)
            .is_some_and(|needed| needed.is_empty())
    }

    /// The program with another term for each of its ends. An end is a place where a roll is left out, or a largest part that leaves no
    /// roll out. Such a part is evaluated after all conditions.
    fn with_ends(&self, form: &dyn Fn(&mut Arena, TermId) -> TermId) -> Self {
        let mut rejects: Vec<bool> = Vec::with_capacity(self.arena().len());
        for term in self.arena().terms() {
            let mut found = matches!(term, Term::Reject(_));
            term.for_children(|child, _| found |= rejects[child.index()]);
            rejects.push(found);
        }
        let mut ends = EndRewriter {
            arena: self.arena().clone(),
            rejects,
            outer: Vec::new(),
            id_of: Map::default(),
            known: Map::default(),
            form,
        };
        let root = ends.of(self.root(), None);
        self.replaced(ends.arena, root)
    }
}

/// The variables that must be numbers for a term to be one, ascending. `None` if operators alone do not show that it is.
fn needed_numbers(
    arena: &Arena,
    id: TermId,
    known: &mut Map<TermId, Option<Rc<[u32]>>>,
) -> Option<Rc<[u32]>> {
    if let Some(found) = known.get(&id) {
        return found.clone();
    }
    let mut of = |id| stack::level(|| needed_numbers(arena, id, known));
    let both = |a: &[u32], b: &[u32]| -> Rc<[u32]> {
        let mut all = [a, b].concat();
        all.sort_unstable();
        all.dedup();
        all.into()
    };
    let needed = match *arena.term(id) {
        Term::Arrange(_, e) => of(e),
        Term::If(_, e, f) => of(e).zip(of(f)).map(|(e, f)| both(&e, &f)),
        Term::Let(e, f) => of(f).and_then(|inner| {
            let outer: Vec<u32> = (inner.iter())
                .filter_map(|index| index.checked_sub(1))
                .collect();
            if outer.len() == inner.len() {
                return Some(outer.into());
            }
            Some(both(&outer, &of(e)?))
        }),
        Term::Reject(_) => Some([].into()),
        Term::Variable(index) => Some([index].into()),
        _ => arena.is_number(id).then(|| [].into()),
    };
    known.insert(id, needed.clone());
    needed
}

/// Operators around an end, from the inner to the outer ones: the place of the first one in [`EndRewriter::outer`].
type Around = Option<usize>;

/// A program with another term for each of its ends, each shared part made once.
struct EndRewriter<'f> {
    arena: Arena,
    /// Whether rolls are left out in a term of the program.
    rejects: Vec<bool>,
    /// Operators, each with those around it.
    outer: Vec<(Outer, Around)>,
    id_of: Map<(Outer, Around), usize>,
    known: Map<(TermId, Around), TermId>,
    form: &'f dyn Fn(&mut Arena, TermId) -> TermId,
}

impl EndRewriter<'_> {
    /// The term with another term for each of its ends. Terms around the ends move to those that are kept.
    fn of(&mut self, id: TermId, around: Around) -> TermId {
        if let Some(&known) = self.known.get(&(id, around)) {
            return known;
        }
        let new = stack::level(|| match *self.arena.term(id) {
            Term::Reject(_) => (self.form)(&mut self.arena, id),
            _ if !self.rejects[id.index()] => {
                let whole = self.with_operators(id, around);
                (self.form)(&mut self.arena, whole)
            }
            Term::If(condition, e, f) => {
                let (e, f) = (self.of(e, around), self.of(f, around));
                self.arena.add(Term::If(condition, e, f))
            }
            Term::Let(e, f) if self.rejects[f.index()] => {
                let inside = self.below_a_binder(around);
                let f = self.of(f, inside);
                self.arena.add(Term::Let(e, f))
            }
            ref term => {
                let mut operands = Vec::new();
                term.for_children(|child, _| operands.push(child));
                let rejects = |operand: &TermId| self.rejects[operand.index()];
                let place = operands.iter().position(rejects).unwrap_or_default();
                let outer = Outer {
                    term: id,
                    place,
                    binders: 0,
                };
                let around = self.place_of(outer, around);
                self.of(operands[place], Some(around))
            }
        });
        self.known.insert((id, around), new);
        new
    }

    fn place_of(&mut self, operator: Outer, around: Around) -> usize {
        let next = self.outer.len();
        let place = *self.id_of.entry((operator, around)).or_insert(next);
        if place == next {
            self.outer.push((operator, around));
        }
        place
    }

    /// The same operators around a value that is below one more binder.
    fn below_a_binder(&mut self, around: Around) -> Around {
        let mut operators = Vec::new();
        let mut next = around;
        while let Some(place) = next {
            let (operator, outer) = self.outer[place];
            operators.push(operator);
            next = outer;
        }
        operators.into_iter().rev().fold(None, |around, operator| {
            let moved = Outer {
                binders: operator.binders + 1,
                ..operator
            };
            Some(self.place_of(moved, around))
        })
    }

    /// The term with operators around it.
    fn with_operators(&mut self, mut term: TermId, mut around: Around) -> TermId {
        while let Some(place) = around {
            let (operator, next) = self.outer[place];
            let mut moved = Moved {
                arena: &mut self.arena,
                binders: operator.binders,
                known: Map::default(),
            };
            let outer = moved.arena.term(operator.term).clone();
            let mut place = 0..;
            let whole = outer.with_children(|child, bound| match place.next() {
                Some(next) if next == operator.place => term,
                _ => moved.term(child, bound),
            });
            term = self.arena.add(whole);
            around = next;
        }
        term
    }
}

/// Terms that move below some more binders.
struct Moved<'a> {
    arena: &'a mut Arena,
    binders: u32,
    known: Map<(TermId, u32), TermId>,
}

impl Moved<'_> {
    /// The term with the same variables, of which the innermost `bound` are bound within what moves.
    fn term(&mut self, id: TermId, bound: u32) -> TermId {
        if self.binders == 0 {
            return id;
        }
        if let Some(&known) = self.known.get(&(id, bound)) {
            return known;
        }
        let term = self.arena.term(id).clone();
        let moved = match term {
            Term::Variable(index) if index >= bound => Term::Variable(index + self.binders),
            term => {
                term.with_children(|child, more| stack::level(|| self.term(child, bound + more)))
            }
        };
        let moved = match moved {
            Term::Best(candidates, e, f, choice) => {
                let mut choice = self.arena.choice_of(choice).clone();
                for (_, variable) in &mut choice.variables {
                    if *variable >= bound {
                        *variable += self.binders;
                    }
                }
                Term::Best(candidates, e, f, self.arena.choice(choice))
            }
            moved => moved,
        };
        let moved = self.arena.add(moved);
        self.known.insert((id, bound), moved);
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Site;

    #[test]
    fn a_body_that_moves_into_a_binding_keeps_its_variables() {
        // let x0 = 1 in foreach x1 in (let x1 = 2 in if x1 then (x1, 3) else reject) do (x0, x1), with the outer operator moved inwards
        let mut arena = Arena::new();
        let [one, two, three] = [1, 2, 3].map(|number| arena.integer(number));
        let [inner, outer] = [0, 1].map(|index| arena.add(Term::Variable(index)));
        let site = arena.site(Site::at(Span::default()));
        let rejected = arena.add(Term::Reject(site));
        let list = arena.join([inner, three]);
        let list = arena.add(Term::If(inner, list, rejected));
        let list = arena.add(Term::Let(two, list));
        let body = arena.join([outer, inner]);
        let each = arena.add(Term::Foreach(list, body));
        let root = arena.add(Term::Let(one, each));
        let program = Program::new(arena, root).empty_where_rejected();
        let text = "(let x0 1 (let x1 2 (if x1 (foreach x2 (join x1 3) (join x0 x2)) ())))";
        assert_eq!(program.to_string(), text);
    }
}
