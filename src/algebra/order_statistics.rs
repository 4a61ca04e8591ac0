//! Sums of the dice of a pool with certain ranks: keep and drop, highest, lowest, one rank.
//!
//! Write n for the number of dice and k for the number of kept dice, and number the faces in the order of their ranks.
//!
//! **Highest k of equal dice.** Let a be the face of the k-th highest die. With `Q(x)` the polynomial of the
//! faces above a and z the weight of all others, fewer than k of n dice are above a in
//!
//! ```text
//! S(Q, z) = Σ_{b<k} C(n,b)·Qᵇ·zⁿ⁻ᵇ
//! ```
//!
//! where each of the b dice above shows its face and the other dice show nothing. Measured from a, the other k-b kept
//! dice add nothing. So the sum of the kept dice is `Σ_a x^(a·k)·(S(Q_a, z_a) - S(Q_a + w_a, z_a - w_a))`. The second
//! term takes away the rolls with fewer than k dice at or above a. Most terms of `(Q+z)·dS/dQ` and of `n·S` cancel, and S
//! satisfies
//!
//! ```text
//! (Q + z)·S' = n·Q'·S - C(n,k)·zⁿ⁻ᵏ⁺¹·(Qᵏ)'
//! ```
//!
//! This gives each coefficient from a few before it, and a face takes `k·m` coefficients instead of `k²·m/2` steps.
//!
//! Weights that are too long for the recurrence (exploding dice) take the powers of Q themselves. One more face changes them by
//! `(Q + w·x^c)ᵇ = Σ_j C(b,j)·wʲ·x^(j·c)·Qᵇ⁻ʲ`.
//!
//! **Lowest k.** The same, with the order of the faces reversed.
//!
//! **One rank.** The die of rank r is at most a with probability `P(fewer than n-r dice are above a)`. This is the tail
//! of a binomial distribution, and for unequal dice the tail of a sum of independent binomial numbers.
//!
//! **Ranks in the middle, and several ranks of unequal dice** have no such closed form; see [`super::walk`].

use super::binomial::{Trials, binomial, fewer_hits, fewer_hits_among};
use super::numbers::memory;
use super::polynomial::Polynomial;
use super::ranked::{Face, Task};
use super::recurrence::{Recurrence, Terms};
use super::{Numbers, Weight, Weights, limbs, product};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;

/// The work of making the equations of a boundary, for each face above it, in limbs.
const WORK_PER_TERM: u64 = 64;

/// The distribution of the die with one rank among n dice of all kinds. The rank counts from 0 at the lowest die;
/// `total` is the product of the totals of all dice.
pub(super) fn one_rank(
    kinds: &[(Numbers, u64)],
    n: u64,
    rank: u64,
    total: Weight,
    budget: &Budget<'_>,
) -> Result<Numbers, LimitReached> {
    let mut faces: Vec<Integer> = kinds.iter().flat_map(|(die, _)| die.outcomes()).collect();
    if kinds.len() > 1 {
        faces.sort();
        faces.dedup();
    }
    let bytes = Weights::bytes_for(faces.len() as u64, total.bits());
    let _reserved = Reserved::new(budget, bytes)?;
    let mut weights = Weights::zeros(faces.len(), total.bits());
    // For each kind, the weight at or below the face and the weight above it.
    let mut sides: Vec<[Weight; 2]> = kinds
        .iter()
        .map(|(die, _)| [Weight::ZERO, die.mass()])
        .collect();
    let mut before = Weight::ZERO;
    for (index, face) in faces.iter().enumerate() {
        for ([at_most, above], (die, _)) in sides.iter_mut().zip(kinds) {
            let weight = die.weight_of(face);
            *at_most += &weight;
            *above -= weight;
        }
        let trials: Vec<Trials<'_>> = sides
            .iter()
            .zip(kinds)
            .map(|([at_most, above], &(_, n))| Trials {
                n,
                hit: above,
                miss: at_most,
            })
            .collect();
        // The die of this rank is at most the face when fewer than n-rank dice are above it.
        let below = fewer_hits_among(n - rank, &trials, budget)?;
        weights.set(index, &(&below - before));
        before = below;
    }
    Ok(Numbers::from_points(faces, weights, total))
}

impl Task<'_> {
    /// The sum of the highest dice of one kind; `all` is the weight of all rolls.
    pub(super) fn highest(&self, all: &Weight) -> Result<Weights, LimitReached> {
        let equations = if self.ascends() {
            self.equations()?
        } else {
            None
        };
        match equations {
            Some(equations) => self.highest_by_recurrence(&equations, all),
            None => self.highest_by_powers(),
        }
    }

    /// For each face but the lowest, the equations of S at the boundary below it, unless the two terms of S cancel
    /// there. `None` if some factor is too long.
    fn equations(&self) -> Result<Option<Vec<Option<Equations>>>, LimitReached> {
        let Some(weights) = self.one_limb_weights() else {
            return Ok(None);
        };
        let kept = usize::try_from(self.kept).unwrap_or(usize::MAX);
        // How many of the least sums are asked for, measured from a face.
        let room = |face: &Face| self.length.saturating_sub(face.offset.saturating_mul(kept));
        let mut miss = 0_u64;
        let mut all = vec![None];
        for (index, pair) in self.faces.windows(2).enumerate() {
            let (below, face) = (&pair[0], &pair[1]);
            let Some(sum) = miss.checked_add(weights[index]) else {
                return Ok(None);
            };
            miss = sum;
            let gap = face.offset - below.offset;
            if gap == 0 || room(below) == 0 {
                // The two terms of S at this boundary are the same polynomial and cancel, or are not asked for.
                all.push(None);
                continue;
            }
            let hits = self.faces[index + 1..].iter().zip(&weights[index + 1..]);
            // The terms, and as much for each of the three recurrences.
            let bytes = hits.len() as u64 * 4 * size_of::<(usize, i128)>() as u64;
            self.budget.work(hits.len() as u64 * WORK_PER_TERM)?;
            self.budget.has_room_for(bytes)?;
            let hits: Vec<(usize, i128)> = hits
                .map(|(above, &weight)| (above.offset - face.offset, i128::from(weight)))
                .collect();
            let hits = Terms::new(hits);
            let rooms = (room(face), room(below));
            let equations = Equations::new(&hits, gap, miss, (self.n, self.kept), rooms);
            let Some(equations) = equations else {
                return Ok(None);
            };
            self.budget.has_room_for_more(&all, 1)?;
            all.push(Some(equations));
        }
        Ok(Some(all))
    }

    /// The weight of each face. `None` if one is longer than a limb.
    fn one_limb_weights(&self) -> Option<Vec<u64>> {
        let weights = self.faces.iter().map(|face| &face.weights[0]);
        weights.map(super::binomial::one_limb).collect()
    }

    fn highest_by_recurrence(
        &self,
        equations: &[Option<Equations>],
        all: &Weight,
    ) -> Result<Weights, LimitReached> {
        let (n, k, budget) = (self.n, self.kept, self.budget);
        let width = limbs::limbs_for(self.bits);
        let mut sums = Weights::with_width(self.length, width);
        let place = |face: &Face| face.offset * usize::try_from(k).unwrap_or(usize::MAX);
        let choices = binomial(n, k, budget)?;
        let mut miss = Weight::ZERO;
        for (index, face) in self.faces.iter().enumerate() {
            if let Some(equations) = &equations[index] {
                // The weight of all faces with the same offset: the constant term of the polynomial.
                let hit: Weight = self.faces[index..]
                    .iter()
                    .take_while(|above| above.offset == face.offset)
                    .map(|above| &above.weights[0])
                    .sum();
                let scale = &choices * product::power(&miss, n - k, budget)?;
                let start = scale * product::power(&hit, k, budget)?;
                let power = equations.power.run(&start, width, None, budget)?;
                let start = product::power(&miss, n, budget)?;
                let below = equations.below.run(&start, width, Some(&power), budget)?;
                sums.wrapping_add(&below, place(&self.faces[index - 1]));
                if place(face) < self.length {
                    let start = fewer_hits(k, n, &hit, &miss, budget)?;
                    let at = equations.at.run(&start, width, Some(&power), budget)?;
                    sums.wrapping_sub(&at, place(face));
                }
            }
            miss += &face.weights[0];
        }
        if let Some(highest) = self.faces.last()
            && place(highest) < self.length
        {
            let constant = Polynomial::constant(all, self.bits);
            sums.wrapping_add(&constant.weights, place(highest));
        }
        Ok(sums)
    }

    /// The sum of the highest dice, by the powers of the polynomial of the faces above a threshold. The threshold goes
    /// down from the highest face.
    pub(super) fn highest_by_powers(&self) -> Result<Weights, LimitReached> {
        let (n, k, budget) = (self.n, self.kept, self.budget);
        let kept = usize::try_from(k).map_err(|_| memory(budget))?;
        let mut at_most: Weight = self.faces.iter().map(|face| &face.weights[0]).sum();
        let bits = |power: usize| at_most.bits() * power as u64 + 1;
        let bits: Vec<u64> = (0..kept).map(bits).collect();
        let bytes = bits
            .iter()
            .map(|bits| Weights::bytes_for(self.length as u64, *bits));
        let _reserved = Reserved::new(budget, bytes.sum())?;
        let mut sums = Weights::zeros(self.length, self.bits);
        let mut powers = vec![Polynomial::default(); kept];
        powers[0] = Polynomial::constant(&Weight::from(1_u32), 1);
        for face in self.faces.iter().rev() {
            let hit = &face.weights[0];
            let miss = &at_most - hit;
            for (b, power) in powers.iter().enumerate() {
                if power.weights.is_empty() {
                    continue;
                }
                // At least k-b of the n-b dice that are not above the face show it.
                let above = b as u64;
                let enough = product::power(&at_most, n - above, budget)?
                    - fewer_hits(k - above, n - above, hit, &miss, budget)?;
                let weight = binomial(n, above, budget)? * enough;
                budget.work(
                    power.weights.limbs().len() as u64 * limbs::limbs_for(weight.bits()) as u64,
                )?;
                let offset = power.start + face.offset * (kept - b);
                if offset < self.length {
                    let weight = weight.to_u64_digits();
                    sums.add_product_from(offset, &power.weights, 0, &weight);
                }
            }
            // The highest power comes first, since the lower ones must still be those without this face.
            for b in (1..kept).rev() {
                let (lower, rest) = powers.split_at_mut(b);
                let mut factor = Weight::from(1_u32);
                for (j, power) in lower.iter().rev().enumerate() {
                    let j = j + 1;
                    factor = factor * (b + 1 - j) * hit / j;
                    budget.work(
                        power.weights.limbs().len() as u64 * limbs::limbs_for(factor.bits()) as u64,
                    )?;
                    let shift = j * face.offset;
                    rest[0].add_product_below(self.length, power, &factor, shift, bits[b]);
                }
            }
            at_most = miss;
        }
        Ok(sums)
    }
}

/// The recurrences at the boundary between a face and the next lower face, which has a smaller offset.
///
/// `power` is the k-th power of the polynomial of this face and those above, measured from this face. `at` is S of this
/// polynomial, and `below` is S of the polynomial of the same faces measured from the lower face.
struct Equations {
    power: Recurrence,
    at: Recurrence,
    below: Recurrence,
}

impl Equations {
    /// The equations for k of n dice, and for no more coefficients of `at` and `below` than there are rooms.
    fn new(
        hits: &Terms,
        gap: usize,
        miss: u64,
        (n, k): (u64, u64),
        rooms: (usize, usize),
    ) -> Option<Self> {
        let kept = usize::try_from(k).ok()?;
        let length = |degree: usize, room: usize| {
            let all = degree.checked_mul(kept - 1)?.checked_add(1)?;
            Some(all.min(room.max(1)))
        };
        let at = length(hits.degree(), rooms.0)?;
        let below = length(hits.degree().checked_add(gap)?, rooms.1)?;
        let miss = i128::from(miss);
        let power = Recurrence::of_powers(&[(hits.clone(), i128::from(k))], at)?;
        let partial = |hits: &Terms, length: usize, offset: usize| {
            let source = Terms::new(vec![(0, -miss)]);
            Recurrence::new(
                &hits.plus_constant(miss),
                &hits.derivative(i128::from(n)),
                Some((&source, offset)),
                length,
            )
        };
        Some(Self {
            power,
            at: partial(hits, at, 0)?,
            below: partial(&hits.shifted(gap), below, gap.checked_mul(kept)?)?,
        })
    }
}
