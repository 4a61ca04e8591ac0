//! Fraction-free elimination of states, one after the other.
//!
//! In: for each state a row of integer weights over its total. Out: the row of a last state, or the solution for all states. With T the
//! total of state s, w its weight back to itself and `d = T - w`, each step into s of weight v becomes, after
//! all other weights of its state are multiplied by d, the steps of s times v. Weights stay integers, a common factor of a
//! row is divided out, and no fraction is formed before the end. States are taken in the order of least new steps
//! (H. M. Markowitz, *The elimination form of the inverse*, 1957).

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Zero};

use super::Weight;
use super::stop::Pace;
use super::weight::common_divisor;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Fraction;

/// A column of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    State(usize),
    End(u32),
    Never,
}

/// The steps of one state, parallel ones added.
#[derive(Default)]
pub(super) struct Row {
    pub(super) total: Weight,
    pub(super) to: BTreeMap<Key, Weight>,
}

impl Row {
    fn bytes(&self) -> u64 {
        let number = |number: &Weight| number.bits() / 8 + 64;
        number(&self.total) + self.to.values().map(number).sum::<u64>()
    }

    /// Divides by the greatest common divisor of all numbers, and says what it was.
    fn reduce(&mut self) -> Weight {
        let mut common = self.total.clone();
        for number in self.to.values() {
            common = common_divisor(&common, number);
            if common.is_one() {
                return common;
            }
        }
        self.total /= &common;
        for number in self.to.values_mut() {
            *number /= &common;
        }
        common
    }
}

/// A state that was eliminated: its row then, and what that did to others.
pub(super) struct Elimination {
    index: usize,
    row: Row,
    changes: Vec<Change>,
}

/// A row was multiplied by the total of the eliminated state, that state's row was added `into` times,
/// and both divided by a common factor.
struct Change {
    row: usize,
    into: Weight,
    common: Weight,
}

/// The states not yet eliminated.
pub(super) struct System<'a> {
    rows: Vec<Option<Row>>,
    /// From which states there are steps to a state.
    before: Vec<BTreeSet<usize>>,
    /// What was eliminated, if that is asked for.
    pub(super) history: Option<Vec<Elimination>>,
    bytes: u64,
    reserved: Reserved<'a>,
    pace: Pace<'a>,
}

impl<'a> System<'a> {
    /// No row yet, of so many.
    pub(super) fn new(rows: usize, budget: &'a Budget<'a>) -> Self {
        Self {
            rows: Vec::with_capacity(rows),
            before: vec![BTreeSet::new(); rows],
            history: None,
            bytes: 0,
            reserved: Reserved::none(budget),
            pace: Pace::new(budget),
        }
    }

    /// The row of the next state; `None` for a state that takes no part.
    pub(super) fn push(&mut self, row: Option<Row>) -> Result<(), LimitReached> {
        let index = self.rows.len();
        if let Some(row) = &row {
            for key in row.to.keys() {
                if let Key::State(next) = key {
                    self.before[*next].insert(index);
                }
            }
            self.bytes += row.bytes();
            self.reserved.grow_to(self.bytes)?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// How many numbers are touched when a state goes: all of every row with a step to it, and its own for each.
    fn price(&self, index: usize) -> usize {
        let length = |index: usize| self.rows[index].as_ref().map_or(0, |row| row.to.len());
        let others = self.before[index].iter().filter(|&&other| other != index);
        others.map(|&other| length(other) + length(index)).sum()
    }

    /// The cheapest state first. What a state costs changes while others go, so a price is checked when it comes
    /// up.
    pub(super) fn eliminate_all_but(&mut self, start: usize) -> Result<(), LimitReached> {
        let mut queue: BTreeSet<(usize, usize)> = (0..self.rows.len())
            .filter(|&index| self.rows[index].is_some() && index != start)
            .map(|index| (self.price(index), index))
            .collect();
        while let Some((price, index)) = queue.pop_first() {
            let now = self.price(index);
            if now > price && queue.first().is_some_and(|&(next, _)| next < now) {
                queue.insert((now, index));
                continue;
            }
            self.eliminate(index)?;
        }
        Ok(())
    }

    /// The row of a state without the steps back to itself.
    pub(super) fn take(&mut self, index: usize) -> Row {
        let mut row = self.rows[index].take().expect("a state is eliminated once");
        if let Some(back) = row.to.remove(&Key::State(index)) {
            row.total -= back;
        }
        row
    }

    /// One state goes: each step into it becomes the steps out of it.
    pub(super) fn eliminate(&mut self, index: usize) -> Result<(), LimitReached> {
        self.bytes -= self.rows[index].as_ref().map_or(0, Row::bytes);
        let gone = self.take(index);
        let mut changes = Vec::new();
        for key in gone.to.keys() {
            if let Key::State(next) = key {
                self.before[*next].remove(&index);
            }
        }
        for previous in std::mem::take(&mut self.before[index]) {
            let Some(row) = &mut self.rows[previous] else {
                continue;
            };
            let Some(into) = row.to.remove(&Key::State(index)) else {
                continue;
            };
            self.bytes = self.bytes.saturating_sub(row.bytes());
            let limbs = |number: &Weight| number.bits() / 64 + 1;
            let work = limbs(&gone.total).max(limbs(&into)) * limbs(&row.total);
            row.total *= &gone.total;
            for weight in row.to.values_mut() {
                self.pace.step(work)?;
                *weight *= &gone.total;
            }
            for (key, weight) in &gone.to {
                self.pace.step(work)?;
                match row.to.entry(*key) {
                    Entry::Occupied(mut known) => *known.get_mut() += &into * weight,
                    Entry::Vacant(place) => {
                        place.insert(&into * weight);
                        if let Key::State(next) = key {
                            self.before[*next].insert(previous);
                        }
                    }
                }
            }
            let common = row.reduce();
            self.bytes += row.bytes();
            self.reserved.grow_to(self.bytes)?;
            if self.history.is_some() {
                changes.push(Change {
                    row: previous,
                    into,
                    common,
                });
            }
        }
        if let Some(history) = &mut self.history {
            self.bytes += gone.bytes();
            history.push(Elimination {
                index,
                row: gone,
                changes,
            });
        }
        Ok(())
    }
}

/// The solution for all states, from the right-hand sides of their equations before elimination.
pub(super) fn solved(
    history: &[Elimination],
    mut sides: Vec<Fraction>,
    budget: &Budget<'_>,
) -> Result<Vec<Fraction>, LimitReached> {
    let integer = |weight: &Weight| BigInt::from(weight.clone());
    for gone in history {
        for change in &gone.changes {
            budget.look_at_clock()?;
            let terms = vec![
                (&sides[gone.index], integer(&change.into)),
                (&sides[change.row], integer(&gone.row.total)),
            ];
            sides[change.row] = combination(terms, &integer(&change.common));
        }
    }
    for gone in history.iter().rev() {
        budget.look_at_clock()?;
        let mut terms = vec![(&sides[gone.index], BigInt::one())];
        for (key, weight) in &gone.row.to {
            if let Key::State(next) = key {
                terms.push((&sides[*next], integer(weight)));
            }
        }
        sides[gone.index] = combination(terms, &integer(&gone.row.total));
    }
    Ok(sides)
}

/// The sum of multiples of fractions, divided by a number.
///
/// The denominators of one chain mostly divide each other, which is cheaper to find out than their greatest common divisors;
/// only the result is reduced.
pub(super) fn combination(mut terms: Vec<(&Fraction, BigInt)>, divisor: &BigInt) -> Fraction {
    terms.retain(|(fraction, _)| !fraction.is_zero());
    terms.sort_by_key(|(fraction, _)| Reverse(fraction.denom().bits()));
    let (mut sum, mut common) = (BigInt::zero(), BigInt::one());
    for (fraction, factor) in terms {
        let (scale, rest) = common.div_rem(fraction.denom());
        let scale = if rest.is_zero() {
            scale
        } else {
            let both = common.lcm(fraction.denom());
            sum *= &both / &common;
            common = both;
            &common / fraction.denom()
        };
        sum += fraction.numer() * factor * scale;
    }
    let common = common * divisor;
    let shared = common_divisor(sum.magnitude(), common.magnitude());
    let shared = BigInt::from(shared);
    Fraction::new_raw(sum / &shared, common / shared)
}
