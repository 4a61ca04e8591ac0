//! Known lists that are shuffled, and the members that wait to be drawn from them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::code::{ExprId, Slot, Source};
use crate::ir::{Arena, Arrangement, Selection, Term, TermId};
use crate::stack;

/// The most members of a list that are rolled or drawn one by one.
pub(super) const MOST_MEMBERS: usize = 1 << 10;

/// The most different lists that may be left where members are drawn one by one.
const MOST_RESTS: u64 = 1 << 16;

/// The most different members of a list that is shuffled.
const MOST_VALUES: usize = 1 << 20;

/// Rolls that are made only where something looks at them.
#[derive(Clone, Default)]
pub(super) struct Waiting {
    /// Slots, and how the number of each is rolled.
    pub(super) rolls: Vec<(Slot, Roll)>,
    /// For each list that members are drawn from, the members that are left, ascending.
    pub(super) rests: Vec<ExprId>,
}

/// How a number is rolled.
#[derive(Clone)]
pub(super) enum Roll {
    /// From the list with this place among [`Waiting::rests`]. Any member of a list in random order is as good as the first.
    Drawn(usize),
    Rolled(Source, Rc<[ExprId]>),
}

/// The known list, if a term has all its members in random order.
pub(super) fn shuffled(arena: &Arena, id: TermId) -> Option<TermId> {
    match *arena.term(id) {
        Term::Arrange(Arrangement::Shuffle, list) => Some(list),
        Term::Select(Selection::First, count, list, _) => {
            let (count, deck) = (count_of(arena, count)?, shuffled(arena, list)?);
            (size(&cards(arena, deck)?) <= count).then_some(deck)
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

/// The members of a list, each once, with how often it is there.
pub(super) type Cards = BTreeMap<i64, usize>;

/// How many members a list has.
pub(super) fn size(cards: &Cards) -> usize {
    cards
        .values()
        .fold(0, |sum, count| sum.saturating_add(*count))
}

/// Whether fewer members than a number can be drawn from a list in few ways.
pub(super) fn few_are_drawn(cards: &Cards, number: usize) -> bool {
    // The ways for each number of members, those of the values before alone.
    let mut ways = vec![0_u64; number.max(1)];
    ways[0] = 1;
    for &count in cards.values() {
        let before = ways.clone();
        for (drawn, ways) in ways.iter_mut().enumerate().skip(1) {
            let others = &before[drawn.saturating_sub(count)..drawn];
            *ways += others.iter().sum::<u64>();
        }
        if ways.iter().any(|ways| *ways > MOST_RESTS) {
            return false;
        }
    }
    true
}

/// The members of a list that is a constant. `None` for a list with too many different values.
pub(super) fn cards(arena: &Arena, id: TermId) -> Option<Cards> {
    let mut found = Cards::new();
    match *arena.term(id) {
        Term::Integer(ref number) => {
            found.insert(number.to_i64()?, 1);
        }
        Term::Join(ref parts) => {
            for &part in parts {
                for (card, count) in stack::level(|| cards(arena, part))? {
                    let known = found.entry(card).or_default();
                    *known = known.checked_add(count)?;
                }
            }
        }
        Term::Range(low, high, _) => {
            let (Term::Integer(low), Term::Integer(high)) = (arena.term(low), arena.term(high))
            else {
                return None;
            };
            let range = low.to_i64()?..=high.to_i64()?;
            found.extend(range.take(MOST_VALUES + 1).map(|card| (card, 1)));
        }
        Term::Repeat(count, list, _) => {
            let Term::Integer(count) = arena.term(count) else {
                return None;
            };
            let times = count.to_usize()?;
            found = stack::level(|| cards(arena, list))?;
            for count in found.values_mut() {
                *count = count.checked_mul(times)?;
            }
        }
        _ => return None,
    }
    (found.len() <= MOST_VALUES).then_some(found)
}
