//! Fraction-free elimination of states, one after the other.
//!
//! In: for each state, a row of integer weights over its total. Out: the row of the last state, or the solution for all
//! states.
//!
//! Let s be the state to eliminate, T its total, w its weight back to itself, and `d = T - w`. A row with a step of
//! weight v into s is multiplied by d, and the step is replaced by v times the other steps of s. So weights stay
//! integers, and no fraction is formed before the end. The common factor of a row is divided out. The state that makes
//! the fewest new steps is eliminated first (H. M. Markowitz, *The elimination form of the inverse*, 1957).

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Zero};

use super::Weight;
use super::weight::common_divisor;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Fraction;

/// How many limbs are multiplied in the time in which a weight is found.
const LIMBS_OF_WEIGHT: u64 = 128;

/// A column of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum SystemColumn {
    State(usize),
    End(u32),
    Never,
}

/// The steps of one state. The weights of steps with the same target are added.
#[derive(Clone, Default)]
pub(super) struct Equation {
    pub(super) total: Weight,
    pub(super) to: BTreeMap<SystemColumn, Weight>,
}

impl Equation {
    fn limbs(&self) -> u64 {
        self.total.bits() / 64 + 1
    }

    fn bytes(&self) -> u64 {
        let number = |number: &Weight| number.bits() / 8 + 64;
        number(&self.total) + self.to.values().map(number).sum::<u64>()
    }

    /// Removes the steps from the state to itself: the row becomes that of leaving the state.
    pub(super) fn leave_out_steps_back(&mut self, index: usize) {
        if let Some(back) = self.to.remove(&SystemColumn::State(index)) {
            self.total -= back;
        }
    }

    /// Divides the row by the greatest common divisor of its numbers, and returns this divisor.
    pub(super) fn reduce(&mut self) -> Weight {
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

/// An eliminated state: its row at that time, and the changes that its elimination made to other rows.
pub(super) struct Elimination {
    index: usize,
    row: Equation,
    changes: Vec<Change>,
}

/// A change of a row: it was multiplied by the total of the eliminated state, `into` times the row of that state was
/// added to it, and the sum was divided by `common`.
struct Change {
    row: usize,
    into: Weight,
    common: Weight,
}

/// The linear system of the states that are not yet eliminated.
pub(super) struct System<'a> {
    rows: Vec<Option<Equation>>,
    /// For each state, the states with steps to it.
    before: Vec<BTreeSet<usize>>,
    /// The eliminations so far, if they are to be recorded.
    pub(super) history: Option<Vec<Elimination>>,
    /// How many limbs are multiplied in the time that all this took so far.
    work: u64,
    bytes: u64,
    reserved: Reserved<'a>,
    budget: &'a Budget<'a>,
}

impl<'a> System<'a> {
    /// The system of these rows, one for each state; `None` for a state that takes no part.
    pub(super) fn new(
        rows: Vec<Option<Equation>>,
        budget: &'a Budget<'a>,
    ) -> Result<Self, LimitReached> {
        let mut before = vec![BTreeSet::new(); rows.len()];
        let mut bytes = 0;
        for (index, row) in rows.iter().enumerate() {
            let Some(row) = row else { continue };
            for key in row.to.keys() {
                if let SystemColumn::State(next) = key {
                    before[*next].insert(index);
                }
            }
            bytes += row.bytes();
        }
        let mut reserved = Reserved::none(budget);
        reserved.grow_to(bytes)?;
        Ok(Self {
            rows,
            before,
            history: None,
            work: 0,
            bytes,
            reserved,
            budget,
        })
    }

    /// The number of weights that the elimination of a state changes or reads: for each other row with a step to it,
    /// the weights of this row and those of its own.
    fn cost(&self, index: usize) -> usize {
        let length = |index: usize| self.rows[index].as_ref().map_or(0, |row| row.to.len());
        let others = self.before[index].iter().filter(|&&other| other != index);
        others.map(|&other| length(other) + length(index)).sum()
    }

    /// Eliminates all states but one, the cheapest first, if that seems to take no longer than to multiply `most` limbs. An elimination
    /// changes the costs of other states, so a cost is computed again before its state is eliminated.
    pub(super) fn eliminate_all_but(
        &mut self,
        start: usize,
        most: u64,
    ) -> Result<bool, LimitReached> {
        let mut queue: BTreeSet<(usize, usize)> = (0..self.rows.len())
            .filter(|&index| self.rows[index].is_some() && index != start)
            .map(|index| (self.cost(index), index))
            .collect();
        while let Some((cost, index)) = queue.pop_first() {
            let now = self.cost(index);
            if now > cost && queue.first().is_some_and(|&(next, _)| next < now) {
                queue.insert((now, index));
                continue;
            }
            // Of n states that all lead to each other, all together cost n/3 times as much as the first.
            let limbs = self.rows[index].as_ref().map_or(1, Equation::limbs);
            let each = (now as u64).saturating_mul(LIMBS_OF_WEIGHT + limbs * limbs);
            let rest = each.saturating_mul(queue.len() as u64 / 3);
            if self.work.saturating_add(rest) > most {
                return Ok(false);
            }
            self.eliminate(index)?;
        }
        Ok(true)
    }

    /// Takes the row of a state, without the steps back to itself.
    pub(super) fn take(&mut self, index: usize) -> Equation {
        let mut row = self.rows[index].take().expect("a state is eliminated once");
        row.leave_out_steps_back(index);
        row
    }

    /// Eliminates one state: each step into it is replaced by the steps out of it.
    pub(super) fn eliminate(&mut self, index: usize) -> Result<(), LimitReached> {
        self.bytes -= self.rows[index].as_ref().map_or(0, Equation::bytes);
        let eliminated = self.take(index);
        let mut changes = Vec::new();
        for key in eliminated.to.keys() {
            if let SystemColumn::State(next) = key {
                self.before[*next].remove(&index);
            }
        }
        for previous in std::mem::take(&mut self.before[index]) {
            let Some(row) = &mut self.rows[previous] else {
                continue;
            };
            let Some(into) = row.to.remove(&SystemColumn::State(index)) else {
                continue;
            };
            self.bytes = self.bytes.saturating_sub(row.bytes());
            let limbs = |number: &Weight| number.bits() / 64 + 1;
            let work = limbs(&eliminated.total).max(limbs(&into)) * limbs(&row.total);
            let weights = (row.to.len() + eliminated.to.len()) as u64;
            let more = weights.saturating_mul(LIMBS_OF_WEIGHT + work);
            self.work = self.work.saturating_add(more);
            row.total *= &eliminated.total;
            for weight in row.to.values_mut() {
                self.budget.work(work)?;
                *weight *= &eliminated.total;
            }
            for (key, weight) in &eliminated.to {
                self.budget.work(work)?;
                match row.to.entry(*key) {
                    Entry::Occupied(mut known) => *known.get_mut() += &into * weight,
                    Entry::Vacant(place) => {
                        place.insert(&into * weight);
                        if let SystemColumn::State(next) = key {
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
            self.bytes += eliminated.bytes();
            history.push(Elimination {
                index,
                row: eliminated,
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
    for eliminated in history {
        for change in &eliminated.changes {
            budget.look_at_clock()?;
            let terms = vec![
                (&sides[eliminated.index], integer(&change.into)),
                (&sides[change.row], integer(&eliminated.row.total)),
            ];
            sides[change.row] = combination(terms, &integer(&change.common));
        }
    }
    for eliminated in history.iter().rev() {
        budget.look_at_clock()?;
        let mut terms = vec![(&sides[eliminated.index], BigInt::one())];
        for (key, weight) in &eliminated.row.to {
            if let SystemColumn::State(next) = key {
                terms.push((&sides[*next], integer(weight)));
            }
        }
        sides[eliminated.index] = combination(terms, &integer(&eliminated.row.total));
    }
    Ok(sides)
}

/// The sum of multiples of fractions, divided by a number.
///
/// The denominators of one chain mostly divide each other. To test this is cheaper than to find their greatest common
/// divisors. Only the result is reduced.
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
