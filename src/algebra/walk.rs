//! Ranks of unequal dice.
//!
//! **Highest k.** As for equal dice, let a be the face of the k-th highest. With `Qᵢ(x)` the polynomial of the faces
//! of a die of kind i from a up, measured from a, and zᵢ the weight of the others, fewer than k
//! dice show a face from a up in `Σ_{b<k} T_b` with `Σ_b T_b·yᵇ = Πᵢ (zᵢ + y·Qᵢ)^nᵢ`: the dice are multiplied in one
//! by one, up to degree k-1 in y. The cost is polynomial in dice, kept and faces, whatever the number of
//! kinds.
//!
//! **Other ranks.** A walk over the faces. From the side where less is dropped, face by face, the walk decides for each kind of dice how many show the face.
//! A state is the number of dice left of each kind, with the polynomial of what the kept dice
//! have added so far; once all that count are placed, the others show anything that is left.

use super::convolution::convolve;
use super::polynomial::Polynomial;
use super::ranked::Task;
use super::stop::Pace;
use super::{Weight, Weights, limbs, product};
use crate::limits::LimitReached;
use crate::map::Map;

impl Task<'_> {
    /// The highest dice of several kinds; `all` is the weight of all rolls.
    pub(super) fn highest_of_unequal(&self, all: &Weight) -> Result<Weights, LimitReached> {
        if !self.ascends() {
            return self.walk(0);
        }
        let kept = usize::try_from(self.kept).unwrap_or(usize::MAX);
        let mut sums = Weights::with_width(self.length, limbs::limbs_for(self.bits));
        let mut below = vec![Weight::ZERO; self.kinds.len()];
        for (index, face) in self.faces.iter().enumerate() {
            let gap = match index.checked_sub(1) {
                Some(before) => face.offset - self.faces[before].offset,
                None => 0,
            };
            // Without a gap both sides of the boundary are the same polynomial and cancel.
            if gap > 0 {
                let grades = self.grades(index, &below)?;
                for (b, grade) in grades.iter().enumerate() {
                    sums.wrapping_add(grade, (face.offset - gap) * kept + gap * b);
                    sums.wrapping_sub(grade, face.offset * kept);
                }
            }
            for (below, weight) in below.iter_mut().zip(&face.weights) {
                *below += weight;
            }
        }
        if let Some(highest) = self.faces.last() {
            let constant = Polynomial::constant(all, self.bits);
            sums.wrapping_add(&constant.weights, highest.offset * kept);
        }
        Ok(sums)
    }

    /// For each b below k: the rolls with b dice that show this face or a higher one, by what these add to
    /// b times the face.
    fn grades(&self, index: usize, below: &[Weight]) -> Result<Vec<Weights>, LimitReached> {
        let budget = self.budget;
        let offset = self.faces[index].offset;
        let span = self.span - offset;
        let most = usize::try_from(self.kept).unwrap_or(usize::MAX);
        let one = std::iter::once(Weight::from(1_u32)).collect::<Weights>();
        let mut grades = vec![one.with_bits(self.bits)];
        let mut rest = Weight::from(1_u32);
        for (kind, (_, count)) in self.kinds.iter().enumerate() {
            let weights = self.faces[index..].iter().map(|face| &face.weights[kind]);
            let bits = weights.clone().sum::<Weight>().bits();
            let mut above = Weights::zeros(span + 1, bits);
            for (face, weight) in self.faces[index..].iter().zip(weights) {
                above.add_at(face.offset - offset, weight);
            }
            let support = above.support();
            if support.is_empty() {
                rest *= product::power(&below[kind], *count, budget)?;
                continue;
            }
            let first = support.start;
            let above = above.slice(support);
            for _ in 0..*count {
                if grades.len() < most {
                    grades.push(Weights::with_width(1, grades[0].width()));
                }
                for b in (0..grades.len()).rev() {
                    let mut grade = Weights::zeros(b * span + 1, self.bits);
                    grade.add_product(&grades[b], &below[kind], 0);
                    if b > 0 {
                        let product = convolve(&grades[b - 1], &above, self.bits, budget)?;
                        grade.add(&product, first);
                    }
                    grades[b] = grade;
                }
            }
        }
        for grade in &mut grades {
            let mut scaled = Weights::zeros(grade.len(), self.bits);
            scaled.add_product(grade, &rest, 0);
            *grade = scaled;
        }
        Ok(grades)
    }

    /// Other ranks of unequal dice: a walk from the highest face down. The `dropped` highest dice do not count, the next
    /// `kept` do; what is left then is multiplied out.
    pub(super) fn walk(&self, dropped: u64) -> Result<Weights, LimitReached> {
        let budget = self.budget;
        let mut pace = Pace::new(budget);
        let mut sums = Weights::zeros(self.length, self.bits);
        let last = dropped + self.kept;
        // The weight below each face, by kind.
        let mut below: Vec<Weight> = self.kinds.iter().map(|(die, _)| die.mass()).collect();
        let counts: Vec<u64> = self.kinds.iter().map(|(_, count)| *count).collect();
        let one = Polynomial::constant(&Weight::from(1_u32), self.bits);
        let mut states: Vec<(Vec<u64>, Polynomial)> = vec![(counts, one)];
        for face in self.faces.iter().rev() {
            for (kind, weight) in face.weights.iter().enumerate() {
                if *weight == Weight::ZERO {
                    continue;
                }
                below[kind] -= weight;
                let is_last = below[kind] == Weight::ZERO;
                let mut next: Map<Vec<u64>, Polynomial> = Map::default();
                let mut order: Vec<Vec<u64>> = Vec::new();
                for (left, polynomial) in states {
                    let here = left[kind];
                    let placed = self.n - left.iter().sum::<u64>();
                    let mut factor = Weight::from(1_u32);
                    for shown in 0..=here {
                        if shown > 0 {
                            factor = factor * (here - shown + 1) * weight / shown;
                        }
                        if is_last && shown < here {
                            continue;
                        }
                        pace.step(polynomial.weights.limbs().len() as u64 + 16)?;
                        let kept =
                            (placed + shown).clamp(dropped, last) - placed.clamp(dropped, last);
                        let shift = usize::try_from(kept).unwrap_or(usize::MAX) * face.offset;
                        let mut rest = left.clone();
                        rest[kind] -= shown;
                        let target = next.entry(rest).or_insert_with_key(|rest| {
                            order.push(rest.clone());
                            Polynomial::default()
                        });
                        target.add_product(&polynomial, &factor, shift, self.bits);
                    }
                }
                budget.count_states(order.len() as u64)?;
                states = order
                    .into_iter()
                    .filter_map(|left| next.remove_entry(&left))
                    .collect();
            }
            // All that count are placed: the rest show anything below.
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
}
