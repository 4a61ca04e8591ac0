//! Sums of the dice with certain ranks, for unequal dice.
//!
//! **Highest k.** As for equal dice, let a be the face of the k-th highest die. Let `Qᵢ(x)` be the polynomial of the
//! faces from a up of a die of kind i, measured from a, and zᵢ the weight of its other faces. The rolls with fewer than
//! k dice at or above a have the polynomial `Σ_{b<k} T_b`, where `Σ_b T_b·yᵇ = Πᵢ (zᵢ + y·Qᵢ)^nᵢ`; see
//! [`super::partial_products`].
//!
//! **Other ranks.** A walk goes over the faces one by one, from the side where fewer dice are dropped. For each kind of
//! dice it decides how many show the face. A state is the number of dice left of each kind, with the polynomial of the
//! sum of the kept dice so far. Once all kept dice are placed, the dice that are left show any of the remaining faces.

use std::ops::Range;

use super::polynomial::Polynomial;
use super::ranked::Task;
use super::{Weight, Weights, product};
use crate::limits::LimitReached;
use crate::map::Map;

/// How many dice of each kind are left, and the polynomial of the sum of the kept dice so far.
type State = (Vec<u64>, Polynomial);

impl Task<'_> {
    /// The sum of the highest dice of several kinds; `all` is the weight of all rolls.
    pub(super) fn highest_of_unequal(&self, all: &Weight) -> Result<Weights, LimitReached> {
        if !self.ascends() {
            return self.walk(0);
        }
        let kept = usize::try_from(self.kept).unwrap_or(usize::MAX);
        let bits = self.bits_of_partial_products();
        let mut sums = Weights::zeros(self.length, bits);
        let mut below = vec![Weight::ZERO; self.kinds.len()];
        for (index, face) in self.faces.iter().enumerate() {
            let gap = match index.checked_sub(1) {
                Some(before) => face.offset - self.faces[before].offset,
                None => 0,
            };
            // Without a gap, the two terms at this boundary are the same polynomial and cancel.
            if gap > 0 {
                let partial_products = self.partial_products(index, &below, bits)?;
                for (b, partial_product) in partial_products.iter().enumerate() {
                    sums.wrapping_add(partial_product, (face.offset - gap) * kept + gap * b);
                    sums.wrapping_sub(partial_product, face.offset * kept);
                }
            }
            for (below, weight) in below.iter_mut().zip(&face.weights) {
                *below += weight;
            }
        }
        if let Some(highest) = self.faces.last() {
            let constant = Polynomial::constant(all, bits);
            sums.wrapping_add(&constant.weights, highest.offset * kept);
        }
        Ok(sums.with_bits(self.bits))
    }

    /// The sum of any ranks, by a walk from the highest face down. The `dropped` highest dice do not count, and the
    /// next `kept` do. The dice that are left then contribute the product of their weights.
    pub(super) fn walk(&self, dropped: u64) -> Result<Weights, LimitReached> {
        let budget = self.budget;
        let mut sums = Weights::zeros(self.length, self.bits);
        let last = dropped + self.kept;
        // For each kind, the weight below the current face.
        let mut below: Vec<Weight> = self.kinds.iter().map(|(die, _)| die.mass()).collect();
        let counts: Vec<u64> = self.kinds.iter().map(|(_, count)| *count).collect();
        let one = Polynomial::constant(&Weight::from(1_u32), self.bits);
        let mut states: Vec<State> = vec![(counts, one)];
        for face in self.faces.iter().rev() {
            for (kind, weight) in face.weights.iter().enumerate() {
                if *weight == Weight::ZERO {
                    continue;
                }
                below[kind] -= weight;
                let is_last = below[kind] == Weight::ZERO;
                states = self.shown(&states, (kind, weight), is_last, |placed, shown| {
                    let counted = |dice: u64| dice.clamp(dropped, last);
                    let kept = counted(placed + shown) - counted(placed);
                    usize::try_from(kept).unwrap_or(usize::MAX) * face.offset
                })?;
            }
            // Where all kept dice are placed, the dice left show any lower face.
            let mut open = Vec::with_capacity(states.len());
            for (left, polynomial) in states {
                if self.n - left.iter().sum::<u64>() < last {
                    open.push((left, polynomial));
                    continue;
                }
                let mut factor = Weight::from(1_u32);
                for (count, below) in left.iter().zip(&below) {
                    factor *= product::power(below, *count, budget)?;
                }
                sums.add_product(&polynomial.weights, &factor, polynomial.start);
            }
            states = open;
        }
        Ok(sums)
    }

    /// The states after any number of dice of a kind, or all that are left, show a face with this weight. `shift` says what
    /// the dice that show it add, given how many dice were placed before.
    fn shown(
        &self,
        states: &[State],
        (kind, weight): (usize, &Weight),
        is_last: bool,
        shift: impl Fn(u64, u64) -> usize,
    ) -> Result<Vec<State>, LimitReached> {
        // Where the steps lead, in their order, and the exponents of the sums there.
        let mut targets = Vec::new();
        let mut place_of: Map<Vec<u64>, usize> = Map::default();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let dice = |here: u64| if is_last { here..=here } else { 0..=here };
        for (left, polynomial) in states {
            let here = left[kind];
            let placed = self.n - left.iter().sum::<u64>();
            let mut rest = left.clone();
            for shown in dice(here) {
                self.budget
                    .work(polynomial.weights.limbs().len() as u64 + 16)?;
                rest[kind] = here - shown;
                let start = polynomial.start + shift(placed, shown);
                let range = start..start + polynomial.weights.len();
                let place = *place_of.entry_ref(&rest).or_insert_with(|| {
                    ranges.push(range.clone());
                    ranges.len() - 1
                });
                let known = &mut ranges[place];
                *known = known.start.min(range.start)..known.end.max(range.end);
                targets.push((place, start));
            }
        }
        self.budget.count_states(ranges.len() as u64)?;
        let mut next: Vec<State> = vec![Default::default(); ranges.len()];
        for (left, place) in place_of {
            next[place].0 = left;
        }
        for ((_, polynomial), range) in next.iter_mut().zip(ranges) {
            polynomial.widen(range, self.bits);
        }
        let mut targets = targets.into_iter();
        for (left, polynomial) in states {
            let here = left[kind];
            let mut factor = Weight::from(1_u32);
            for shown in 0..=here {
                if shown > 0 {
                    factor = factor * (here - shown + 1) * weight / shown;
                }
                if !dice(here).contains(&shown) {
                    continue;
                }
                if let Some((place, start)) = targets.next() {
                    let work = polynomial.weights.limbs().len() as u64 + 16;
                    self.budget.work(work)?;
                    let sum = &mut next[place].1;
                    let start = start - sum.start;
                    sum.weights.add_product(&polynomial.weights, &factor, start);
                }
            }
        }
        Ok(next)
    }
}
