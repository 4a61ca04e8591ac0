//! The parts of a loop's states: which runs of members are whole parts.
//!
//! A state is a tuple, as in `pool, n`, or a list of its own. The order of the members of a part may be ignored; that of the parts may
//! not. So a rule that takes members by place, as `first 2 state`, may only be given sorted parts if it takes whole ones.

use std::slice;

use crate::ir::{Arena, Selection, Term, TermId};
use crate::stack;

/// The most terms that are looked at. Terms are shared, and are looked at in each place.
const MOST_TERMS: u32 = 1 << 12;

/// The states of a loop, as far as terms show them.
pub(super) struct States(Vec<StateParts>);

/// The parts that a state is joined of.
struct StateParts {
    /// How many members each part has, where that is known.
    lengths: Vec<Option<usize>>,
    /// Whether it is joined, and no list of its own.
    is_tuple: bool,
}

/// A place between the members of a list, and before or behind them.
#[derive(Clone, Copy)]
enum Boundary {
    FromStart(usize),
    FromEnd(usize),
}

impl States {
    /// The states of a loop with this first state and this body. `None` if they are too many to be looked at.
    pub(super) fn of(arena: &Arena, first: TermId, body: TermId) -> Option<Self> {
        let mut search = Search {
            arena,
            left: MOST_TERMS,
            bound: Vec::new(),
            states: Vec::new(),
        };
        search.term(first, None)?;
        search.term(body, Some(0))?;
        Some(Self(search.states))
    }

    /// Whether a term is a run of members of a variable, which stands for a state, and of whole parts of each state.
    pub(super) fn have_parts_where(&self, arena: &Arena, id: TermId, variable: u32) -> bool {
        let have_end = |end: &Option<Boundary>| self.0.iter().all(|state| state.have_end(*end));
        run(arena, id, variable).is_some_and(|ends| ends.iter().all(have_end))
    }
}

impl StateParts {
    /// Whether a part begins or ends at a place. Where the lengths of a tuple are not known, its names stand for whole parts.
    fn have_end(&self, place: Option<Boundary>) -> bool {
        let (mut left, from_end) = match place {
            Some(Boundary::FromStart(left)) => (left, false),
            Some(Boundary::FromEnd(left)) => (left, true),
            None => return self.is_tuple,
        };
        let all = self.lengths.len();
        for at in 0..all {
            if left == 0 {
                return true;
            }
            match self.lengths[if from_end { all - 1 - at } else { at }] {
                Some(length) if length <= left => left -= length,
                Some(_) => return false,
                None => return self.is_tuple,
            }
        }
        true
    }
}

impl Boundary {
    fn forward(self, by: usize) -> Option<Self> {
        match self {
            Self::FromStart(place) => place.checked_add(by).map(Self::FromStart),
            Self::FromEnd(place) => place.checked_sub(by).map(Self::FromEnd),
        }
    }

    fn back(self, by: usize) -> Option<Self> {
        match self {
            Self::FromStart(place) => place.checked_sub(by).map(Self::FromStart),
            Self::FromEnd(place) => place.checked_add(by).map(Self::FromEnd),
        }
    }
}

/// Where a run of members of a variable begins and ends, as far as that is known. `None` for other terms.
fn run(arena: &Arena, id: TermId, variable: u32) -> Option<[Option<Boundary>; 2]> {
    match *arena.term(id) {
        Term::Variable(index) if index == variable => {
            Some([Some(Boundary::FromStart(0)), Some(Boundary::FromEnd(0))])
        }
        Term::Select(selection, number, list, _) => {
            let [begin, end] = stack::level(|| run(arena, list, variable))?;
            let by = match arena.term(number) {
                Term::Integer(number) => number.to_usize(),
                _ => None,
            };
            let forward = |place: Option<Boundary>| place?.forward(by?);
            let back = |place: Option<Boundary>| place?.back(by?);
            Some(match selection {
                Selection::First => [begin, forward(begin)],
                Selection::Last => [back(end), end],
                Selection::DropFirst => [forward(begin), end],
                Selection::DropLast => [begin, back(end)],
                _ => return None,
            })
        }
        _ => None,
    }
}

struct Search<'a> {
    arena: &'a Arena,
    /// How many terms may still be looked at.
    left: u32,
    /// The value of each binder on the way, if that is known.
    bound: Vec<Option<TermId>>,
    states: Vec<StateParts>,
}

impl Search<'_> {
    /// Adds the states that a term gives, in which a variable may stand for the state before.
    fn term(&mut self, id: TermId, before: Option<u32>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        match *self.arena.term(id) {
            Term::Let(value, body) => self.behind(Some(value), body, before),
            Term::Best(_, _, body, _) => self.behind(None, body, before),
            Term::If(_, yes, no) => {
                stack::level(|| self.term(yes, before))?;
                stack::level(|| self.term(no, before))
            }
            Term::Fail(..) | Term::Reject(_) => Some(()),
            Term::Variable(index) if Some(index) == before => Some(()),
            _ => self.state(id),
        }
    }

    fn behind(&mut self, value: Option<TermId>, body: TermId, before: Option<u32>) -> Option<()> {
        self.bound.push(value);
        let found = stack::level(|| self.term(body, before.map(|index| index + 1)));
        self.bound.pop();
        found
    }

    fn state(&mut self, id: TermId) -> Option<()> {
        let (parts, is_tuple) = match self.arena.term(id) {
            Term::Join(parts) => (&**parts, true),
            _ => (slice::from_ref(&id), false),
        };
        let mut lengths = Vec::with_capacity(parts.len());
        for &part in parts {
            lengths.push(self.length(part, self.bound.len()));
        }
        self.states.push(StateParts { lengths, is_tuple });
        // Where no term was left, a length may be missing that is there.
        (self.left > 0).then_some(())
    }

    /// The number of members of a value behind so many binders, if its operator, or that of the value of a name, shows it.
    fn length(&mut self, id: TermId, behind: usize) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        stack::level(|| match *self.arena.term(id) {
            Term::Variable(index) => {
                let place = behind.checked_sub(index as usize + 1)?;
                self.length(self.bound[place]?, place)
            }
            Term::Repeat(count, member, _) => match self.arena.term(count) {
                Term::Integer(count) => count.to_usize()?.checked_mul(self.length(member, behind)?),
                _ => None,
            },
            Term::Join(ref parts) => {
                let mut sum = 0_usize;
                for &part in parts {
                    sum = sum.checked_add(self.length(part, behind)?)?;
                }
                Some(sum)
            }
            ref term => term.is_number().then_some(1),
        })
    }
}
