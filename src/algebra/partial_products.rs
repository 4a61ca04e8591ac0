//! The dice at or above a face: how many there are, and what they add up to.
//!
//! Let `Qᵢ(x)` be the polynomial of the faces of a die of kind i at or above a face, measured from it, and zᵢ the weight of its other
//! faces. The partial products `T_b` are the coefficients of `F(y) = Σ_b T_b·yᵇ = Πᵢ (zᵢ + y·Qᵢ)^nᵢ`: b dice show such a face. With
//! `A = Πᵢ (zᵢ + y·Qᵢ)` the derivative is `A·F' = F·Σᵢ nᵢ·Qᵢ·Π_{j≠i} (zⱼ + y·Qⱼ)`. Comparing coefficients gives
//!
//! ```text
//! b·Πᵢzᵢ·T_b = Σ_S (n_S - b + |S|)·z_S'·Q_S·T_{b-|S|}
//! ```
//!
//! over the sets S of kinds that are not empty, where `n_S` is the number of their dice, `Q_S` the product of their polynomials, and
//! `z_S'` the product of the other kinds' z. So a partial product takes `2ᵐ` convolutions for m kinds, however many dice there are. For
//! few dice of many kinds the dice are multiplied in one by one.

use super::binomial::one_limb;
use super::polynomial::Polynomial;
use super::ranked::Task;
use super::{Weight, Weights, product};
use crate::limits::LimitReached;

/// The dice of one kind: the polynomial of those at or above the face, and the weight of the others.
struct Dice<'a> {
    count: u64,
    above: Polynomial,
    below: &'a Weight,
}

impl Task<'_> {
    /// The bits of the vectors that [`Task::partial_products`] gives. A sum of the recurrence may be longer than the weight of all
    /// rolls by one die of each kind, the number of dice, and the number of sets of kinds.
    pub(super) fn bits_of_partial_products(&self) -> u64 {
        let dice: u64 = self.kinds.iter().map(|(die, _)| die.total().bits()).sum();
        self.bits + dice + u64::from(64 - self.n.leading_zeros()) + self.kinds.len() as u64
    }

    /// `T_b` of the module head for each b below k, as far as there may be so many dice: the rolls with b dice at or above the face
    /// with this index, by the sum of these dice measured from this face. `below` is the weight below the face for each kind.
    pub(super) fn partial_products(
        &self,
        index: usize,
        below: &[Weight],
        bits: u64,
    ) -> Result<Vec<Weights>, LimitReached> {
        let budget = self.budget;
        let offset = self.faces[index].offset;
        let most = usize::try_from(self.kept).unwrap_or(usize::MAX);
        // The product of what is certain: dice that are all below the face, and dice that are all above it.
        let mut certain = Polynomial::constant(&Weight::from(1_u32), bits);
        let mut certain_above = 0_usize;
        let mut open: Vec<Dice<'_>> = Vec::new();
        for (kind, &(_, count)) in self.kinds.iter().enumerate() {
            let above = Polynomial::of(&self.faces[index..], kind, offset);
            let below = &below[kind];
            if above.weights.is_empty() {
                let factor = product::power(below, count, budget)?;
                let mut scaled = Polynomial::default();
                scaled.add_product(&certain, &factor, 0, bits);
                certain = scaled;
            } else if *below == Weight::ZERO {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                certain_above = certain_above.saturating_add(count);
                if certain_above >= most {
                    return Ok(Vec::new());
                }
                for _ in 0..count {
                    certain = certain.times(&above, bits, budget)?;
                }
            } else {
                open.push(Dice {
                    count,
                    above,
                    below,
                });
            }
        }
        let most = most - certain_above;
        let dice: u64 = open.iter().map(|dice| dice.count).sum();
        let divisors: Option<Vec<u64>> = open.iter().map(|dice| one_limb(dice.below)).collect();
        let products = match divisors {
            Some(divisors) if dice >> open.len() > 0 => {
                self.by_recurrence(&certain, &open, &divisors, most, bits)?
            }
            _ => self.one_by_one(certain, &open, most, bits)?,
        };
        let span = self.span - offset;
        let none = (0..certain_above).map(|_| Polynomial::default());
        let all = none.chain(products).enumerate();
        Ok(all
            .map(|(b, product)| {
                let mut weights = Weights::zeros(b * span + 1, bits);
                weights.add(&product.weights, product.start);
                weights
            })
            .collect())
    }

    /// The first partial products of the open dice, times what is certain.
    fn by_recurrence(
        &self,
        certain: &Polynomial,
        open: &[Dice<'_>],
        divisors: &[u64],
        most: usize,
        bits: u64,
    ) -> Result<Vec<Polynomial>, LimitReached> {
        let budget = self.budget;
        let sets = 1_usize << open.len();
        let members = |set: usize| (0..open.len()).filter(move |kind| set >> kind & 1 == 1);
        let dice = |set: usize| members(set).map(|kind| open[kind].count).sum::<u64>();
        let others: Vec<Weight> = (0..sets)
            .map(|set| {
                members(sets - 1 - set)
                    .map(|kind| open[kind].below)
                    .product()
            })
            .collect();
        let mut first = Polynomial::default();
        let mut misses = Weight::from(1_u32);
        for dice in open {
            misses *= product::power(dice.below, dice.count, budget)?;
        }
        first.add_product(certain, &misses, 0, bits);
        // For each set, `Q_S·T_{b-|S|}`: for the empty set the partial product itself.
        let mut shown = vec![Polynomial::default(); sets];
        shown[0] = first.clone();
        let mut products = vec![first];
        let all = usize::try_from(dice(sets - 1)).unwrap_or(usize::MAX);
        for b in 1..most.min(all.saturating_add(1)) {
            let mut next = vec![Polynomial::default(); sets];
            let (mut plus, mut minus) = (Polynomial::default(), Polynomial::default());
            for set in 1..sets {
                let last = set.ilog2() as usize;
                let before = &shown[set - (1 << last)];
                if before.weights.is_empty() {
                    continue;
                }
                next[set] = before.times(&open[last].above, bits, budget)?;
                let earlier = b as u64 - u64::from(set.count_ones());
                let dice = dice(set);
                let (sum, factor) = if dice >= earlier {
                    (&mut plus, dice - earlier)
                } else {
                    (&mut minus, earlier - dice)
                };
                budget.work(next[set].weights.limbs().len() as u64)?;
                sum.add_product(&next[set], &(&others[set] * factor), 0, bits);
            }
            if !minus.weights.is_empty() {
                plus.widen(minus.start..minus.start + minus.weights.len(), bits);
                plus.weights
                    .wrapping_sub(&minus.weights, minus.start - plus.start);
            }
            for &divisor in divisors.iter().chain([&(b as u64)]) {
                budget.work(plus.weights.limbs().len() as u64)?;
                plus.weights.divide_exactly(divisor);
            }
            next[0] = plus.clone();
            products.push(plus);
            shown = next;
        }
        Ok(products)
    }

    /// As [`Task::by_recurrence`], by the dice one after the other.
    fn one_by_one(
        &self,
        certain: Polynomial,
        open: &[Dice<'_>],
        most: usize,
        bits: u64,
    ) -> Result<Vec<Polynomial>, LimitReached> {
        let mut products = vec![certain];
        for dice in open {
            for _ in 0..dice.count {
                if products.len() < most {
                    products.push(Polynomial::default());
                }
                for b in (0..products.len()).rev() {
                    let mut product = Polynomial::default();
                    product.add_product(&products[b], dice.below, 0, bits);
                    if b > 0 && !products[b - 1].weights.is_empty() {
                        let shown = products[b - 1].times(&dice.above, bits, self.budget)?;
                        product.add_product(&shown, &Weight::from(1_u32), 0, bits);
                    }
                    products[b] = product;
                }
            }
        }
        Ok(products)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Numbers;
    use super::super::ranked::Ranked;
    use super::*;
    use crate::limits::{Budget, Limits, Unobserved};

    #[test]
    fn the_recurrence_agrees_with_dice_one_by_one() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let weighted = Numbers::new(
            [(2, 3_u32), (5, 1), (9, 4)].map(|(face, weight)| (face.into(), weight.into())),
            8_u32.into(),
        );
        let kinds = [(Numbers::die(6), 9), (Numbers::die(4), 3), (weighted, 5)];
        let ranked = Ranked::new(&kinds, &mut |face| Ok(face.clone()), &budget).unwrap();
        let task = Task {
            faces: &ranked.faces,
            kinds: &kinds,
            n: 17,
            kept: 15,
            length: 15 * ranked.span + 1,
            span: ranked.span,
            bits: 100,
            budget: &budget,
        };
        let bits = task.bits_of_partial_products();
        let below = [2_u32, 1, 3].map(Weight::from);
        let open: Vec<Dice<'_>> = kinds
            .iter()
            .zip(&below)
            .enumerate()
            .map(|(kind, ((_, count), below))| Dice {
                count: *count,
                above: Polynomial {
                    start: kind,
                    weights: Weights::from_u64s(vec![1, 2, 0, 3]),
                },
                below,
            })
            .collect();
        let certain = Polynomial::constant(&7_u32.into(), bits);
        let fast = task
            .by_recurrence(&certain, &open, &[2, 1, 3], 15, bits)
            .unwrap();
        let slow = task.one_by_one(certain, &open, 15, bits).unwrap();
        assert_eq!(fast.len(), slow.len());
        for (fast, slow) in fast.iter().zip(&slow) {
            let support = |polynomial: &Polynomial| {
                let support = polynomial.weights.support();
                let first = polynomial.start + support.start;
                (first, polynomial.weights.clone().slice(support))
            };
            assert_eq!(support(fast), support(slow));
        }
    }
}
