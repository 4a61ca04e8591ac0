//! Lists that are written down and shuffled, and what waits to be drawn from them.

use std::rc::Rc;

use super::code::{ExprId, Slot, Source};
use crate::ir::{Arena, Arrangement, Selection, Term, TermId};
use crate::stack;

/// The most members of a list that are rolled or drawn one by one.
pub(super) const MOST_MEMBERS: usize = 1 << 10;

/// The most different lists that may be left where members are drawn one by one.
const MOST_RESTS: u64 = 1 << 16;

/// The most members of a list that is shuffled.
const LONGEST_DECK: usize = 1 << 20;

/// What is rolled only where something looks at it.
#[derive(Clone, Default)]
pub(super) struct Waiting {
    /// Slots, and how the number of each is rolled.
    pub(super) rolls: Vec<(Slot, Roll)>,
    /// What is left of each list that members are drawn from, ascending.
    pub(super) rests: Vec<ExprId>,
}

/// How a number is rolled.
#[derive(Clone)]
pub(super) enum Roll {
    /// From the list with this place among [`Waiting::rests`]. Any member of a list in random order is as good as the first.
    Drawn(usize),
    Rolled(Source, Rc<[ExprId]>),
}

/// The list that is shuffled to give a term, all of which may be drawn.
pub(super) fn shuffled(arena: &Arena, id: TermId) -> Option<TermId> {
    match *arena.term(id) {
        Term::Arrange(Arrangement::Shuffle, list) => Some(list),
        Term::Select(Selection::First, count, list, _) => {
            let (count, deck) = (count_of(arena, count)?, shuffled(arena, list)?);
            let mut members = Vec::new();
            list_members(arena, deck, &mut members)?;
            (members.len() <= count).then_some(deck)
        }
        _ => None,
    }
}

/// A number of members that are looked at one by one.
pub(super) fn count_of(arena: &Arena, id: TermId) -> Option<usize> {
    let Term::Integer(count) = arena.term(id) else {
        return None;
    };
    count.to_usize().filter(|count| *count <= MOST_MEMBERS)
}

/// Whether fewer members than a number can be drawn from an ascending list in few ways.
pub(super) fn few_are_drawn(members: &[i64], number: usize) -> bool {
    // The ways for each number of members, those of the groups before alone.
    let mut ways = vec![0_u64; number.max(1)];
    ways[0] = 1;
    for group in members.chunk_by(|a, b| a == b) {
        let before = ways.clone();
        for (drawn, ways) in ways.iter_mut().enumerate().skip(1) {
            let others = &before[drawn.saturating_sub(group.len())..drawn];
            *ways += others.iter().sum::<u64>();
        }
        if ways.iter().any(|ways| *ways > MOST_RESTS) {
            return false;
        }
    }
    true
}

/// Adds the members of a list that is written down, unless there are too many.
pub(super) fn list_members(arena: &Arena, id: TermId, members: &mut Vec<i64>) -> Option<()> {
    match *arena.term(id) {
        Term::Integer(ref number) => members.push(number.to_i64()?),
        Term::Join(ref parts) => {
            for &part in parts {
                stack::level(|| list_members(arena, part, members))?;
            }
        }
        Term::Range(low, high, _) => {
            let (Term::Integer(low), Term::Integer(high)) = (arena.term(low), arena.term(high))
            else {
                return None;
            };
            members.extend((low.to_i64()?..=high.to_i64()?).take(LONGEST_DECK + 1));
        }
        Term::Repeat(count, list, _) => {
            let first = members.len();
            stack::level(|| list_members(arena, list, members))?;
            let once = members.split_off(first);
            let Term::Integer(count) = arena.term(count) else {
                return None;
            };
            let all = count.to_usize()?.saturating_mul(once.len());
            members.extend(once.iter().cycle().take(all.min(LONGEST_DECK + 1)));
        }
        _ => return None,
    }
    (members.len() <= LONGEST_DECK).then_some(())
}
