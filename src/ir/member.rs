//! One member of a program's value, as a program of its own.

use super::arena::{Arena, Program};
use super::shape::Shape;
use super::term::{Selection, Site, Term, TermId};
use crate::map::Map;
use crate::source::Span;
use crate::stack;

impl Program {
    /// The program that evaluates one member of the value, which stands for what a shape says. The value is a list of so many
    /// members, and evaluating it never fails.
    ///
    /// The rolls of the other members are left out, unless they may never end.
    pub(crate) fn member(&self, place: usize, length: usize, shape: Shape) -> Self {
        let mut arena = self.arena().clone();
        let site = arena.site(Site::new(Span::default(), Span::default(), Span::default()));
        let mut member = Member {
            one: arena.integer(1),
            before: arena.integer(place),
            site,
            arena,
            place,
            length,
            bound: Vec::new(),
        };
        let root = member.of(self.root());
        Self::new(member.arena, root)
            .in_parts(self.unit().clone())
            .shaped(shape)
    }
}

struct Member {
    arena: Arena,
    one: TermId,
    before: TermId,
    site: super::SiteId,
    place: usize,
    length: usize,
    /// For each variable, the innermost last, whether it has one member at most.
    bound: Vec<bool>,
}

impl Member {
    fn of(&mut self, list: TermId) -> TermId {
        stack::level(|| match self.arena.term(list).clone() {
            Term::Let(value, body) => {
                let is_short = self.is_short(value);
                self.bound.push(is_short);
                let body = self.of(body);
                self.bound.pop();
                self.arena.add(Term::Let(value, body))
            }
            Term::If(condition, yes, no) => {
                let [yes, no] = [yes, no].map(|branch| self.of(branch));
                self.arena.add(Term::If(condition, yes, no))
            }
            Term::Fail(..) | Term::Reject(_) => list,
            // If the list has as many members as parts, and each part has at most one, each part has exactly one.
            Term::Join(parts)
                if parts.len() == self.length
                    && parts.iter().all(|&part| self.is_short(part))
                    && self.others_end(&parts) =>
            {
                parts[self.place]
            }
            _ => {
                let (one, before, site) = (self.one, self.before, self.site);
                let rest = self
                    .arena
                    .add(Term::Select(Selection::DropFirst, before, list, site));
                self.arena
                    .add(Term::Select(Selection::First, one, rest, site))
            }
        })
    }

    /// Whether a term surely has one member at most.
    fn is_short(&self, id: TermId) -> bool {
        match *self.arena.term(id) {
            Term::Variable(index) => {
                let place = self.bound.len().checked_sub(1 + index as usize);
                place.is_some_and(|place| self.bound[place])
            }
            Term::Select(selection, count, ..) => selection.keeps() && count == self.one,
            Term::If(_, yes, no) => self.is_short(yes) && self.is_short(no),
            _ => self.arena.is_number(id),
        }
    }

    /// Whether evaluating the other parts surely ends.
    fn others_end(&self, parts: &[TermId]) -> bool {
        let others = parts.iter().enumerate();
        let mut open: Vec<TermId> = others
            .filter(|&(place, _)| place != self.place)
            .map(|(_, &part)| part)
            .collect();
        let mut seen: Map<TermId, ()> = Map::default();
        while let Some(id) = open.pop() {
            if seen.insert(id, ()).is_some() {
                continue;
            }
            let term = self.arena.term(id);
            if matches!(term, Term::Play(..) | Term::While(..)) {
                return false;
            }
            term.for_children(|child, _| open.push(child));
        }
        true
    }
}
