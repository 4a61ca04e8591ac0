//! Pools of independent dice, ordered by rank: sums of the kept dice.
//!
//! In: dice and ranks. Out: the distribution of the sum of the dice with these ranks. `order_statistics` and
//! `walk` have the methods, and this file chooses one.

use std::ops::Range;

use num_bigint::Sign;
use num_integer::Integer as _;
use num_traits::ToPrimitive as _;

use super::numbers::common_progression;
use super::order_statistics::one_rank;
use super::power::sum_of_powers;
use super::ranked::{Ranked, Task};
use super::{Numbers, Stop, Weight, product};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;

/// The steps from the least sum to the greatest that are always listed.
const SHORT_LIST: u64 = 1 << 14;

/// Sums are far fewer than steps if there are so many steps for one.
const FAR: u64 = 64;

/// The most bits of the numbers of dice of all kinds together.
const MOST_BITS_OF_COUNTS: u32 = 96;

/// Whether the sums of so many kept dice are far fewer than the steps from the least sum to the greatest, which the methods of this room
/// list. `false` for very many kinds of dice, because other methods cannot take them.
pub(crate) fn are_sparse<'a>(
    dice: impl Iterator<Item = (&'a Numbers, u64)> + Clone,
    kept: u64,
) -> bool {
    let kinds = dice.clone().map(|(die, _)| die);
    let Some((_, _, length)) = common_progression(kinds.clone()) else {
        return false;
    };
    let steps = length.map_or(u64::MAX, |length| (length - 1).saturating_mul(kept));
    let bits: u32 = dice
        .map(|(_, count)| u64::BITS - count.leading_zeros())
        .sum();
    if steps < SHORT_LIST || bits > MOST_BITS_OF_COUNTS {
        return false;
    }
    let faces: u64 = kinds.map(|die| die.outcomes().count() as u64).sum();
    // A sum belongs to a multiset of faces, at least one. There are C(faces + kept - 1, kept) multisets.
    let most = faces.saturating_add(kept).saturating_sub(1);
    let mut sums = 1_u64;
    for chosen in 0..kept.min(faces.saturating_sub(1)) {
        let Some(product) = sums.checked_mul(most - chosen) else {
            return false;
        };
        sums = product / (chosen + 1);
        if sums >= steps / FAR {
            return false;
        }
    }
    true
}

/// Independent dice, ordered by rank.
///
/// Ranks count from 0 at the lowest die: of n dice, `0..1` is the lowest and `n-k..n` are the k highest. The order of
/// equal dice does not matter.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::{Numbers, Pool};
/// use dicedist::limits::{Budget, Limits, Unobserved};
///
/// let limits = Limits::default();
/// let budget = Budget::start(&limits, &Unobserved);
/// let pool = Pool::new([(Numbers::die(6), 4)]);
/// let ability = pool.highest(3, &budget)?;
/// assert_eq!(ability.weight_of(&18.into()), 21_u32.into());
/// assert_eq!(ability.total(), &1296_u32.into());
/// # Ok::<(), dicedist::algebra::Stop>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// The different dice, each with the number of dice of this kind.
    kinds: Vec<(Numbers, u64)>,
}

impl Pool {
    /// The pool with this many dice of each kind.
    #[must_use]
    pub fn new(dice: impl IntoIterator<Item = (Numbers, u64)>) -> Self {
        let mut kinds: Vec<(Numbers, u64)> = Vec::new();
        for (die, count) in dice {
            match kinds.iter_mut().find(|(known, _)| *known == die) {
                Some((_, known)) => *known = known.saturating_add(count),
                None if count > 0 => kinds.push((die, count)),
                None => {}
            }
        }
        Self { kinds }
    }

    /// How many dice there are.
    fn len(&self) -> u64 {
        self.kinds
            .iter()
            .fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// The sum of all dice.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    pub fn sum(&self, budget: &Budget<'_>) -> Result<Numbers, Stop> {
        let parts: Vec<(&Numbers, u64)> = self
            .kinds
            .iter()
            .map(|(die, count)| (die, *count))
            .collect();
        sum_of_powers(&parts, budget)
    }

    /// The sum of the k highest dice, or of all dice if there are fewer.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    pub fn highest(&self, k: u64, budget: &Budget<'_>) -> Result<Numbers, Stop> {
        self.sum_of_ranks(self.len().saturating_sub(k)..self.len(), budget)
    }

    /// The sum of the k lowest dice, or of all dice if there are fewer.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    pub fn lowest(&self, k: u64, budget: &Budget<'_>) -> Result<Numbers, Stop> {
        self.sum_of_ranks(0..k, budget)
    }

    /// The distribution of the die with one rank.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Panics
    ///
    /// If the rank is not less than the number of dice.
    ///
    /// # Examples
    ///
    /// The median of three d6:
    ///
    /// ```
    /// use dicedist::algebra::{Numbers, Pool};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let median = Pool::new([(Numbers::die(6), 3)]).rank(1, &budget)?;
    /// assert_eq!(median.weight_of(&1.into()), 16_u32.into()); // two or three ones: 15 + 1
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn rank(&self, rank: u64, budget: &Budget<'_>) -> Result<Numbers, Stop> {
        assert!(rank < self.len(), "a rank within the pool");
        self.sum_of_ranks(rank..rank + 1, budget)
    }

    /// The sum of the dice with these ranks. Ranks beyond the pool add nothing.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Examples
    ///
    /// Five of seven judges count, the highest and the lowest do not:
    ///
    /// ```
    /// use dicedist::algebra::{Numbers, Pool};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let score = Pool::new([(Numbers::die(10), 7)]).sum_of_ranks(1..6, &budget)?;
    /// assert_eq!(score.weight_of(&5.into()), 64_u32.into()); // at most one die is no 1: 1 + 7·9
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn sum_of_ranks(&self, ranks: Range<u64>, budget: &Budget<'_>) -> Result<Numbers, Stop> {
        self.sum_of_ranks_by(ranks, |face| Ok(face.clone()), budget)
    }

    /// The sum of a function of the dice with these ranks. The function may give the face itself, or 1 for a face that
    /// counts and 0 for any other.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`], and the function's own.
    ///
    /// # Examples
    ///
    /// How many of the three highest of five d10 are above 7:
    ///
    /// ```
    /// use dicedist::algebra::{Numbers, Pool};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let hits = Pool::new([(Numbers::die(10), 5)])
    ///     .sum_of_ranks_by(2..5, |face| Ok(i64::from(*face > 7.into()).into()), &budget)?;
    /// assert_eq!(hits.weight_of(&0.into()), 7_u32.pow(5).into());
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn sum_of_ranks_by(
        &self,
        ranks: Range<u64>,
        mut value: impl FnMut(&Integer) -> Result<Integer, Stop>,
        budget: &Budget<'_>,
    ) -> Result<Numbers, Stop> {
        let n = self.len();
        let ranks = ranks.start.min(n)..ranks.end.min(n);
        let total = self.product_of(|die| die.total().clone(), budget)?;
        let mass = self.product_of(Numbers::mass, budget)?;
        if ranks.is_empty() || mass == Weight::ZERO {
            return Ok(Numbers::from_points(
                vec![Integer::ZERO],
                std::iter::once(mass).collect(),
                total,
            ));
        }
        if ranks == (0..n) {
            let mut mapped = Vec::new();
            for (die, count) in &self.kinds {
                mapped.push((die.map(|face| value(face).map(Some), budget)?, *count));
            }
            return Self { kinds: mapped }.sum(budget);
        }
        if ranks.end - ranks.start == 1 {
            return one_rank(&self.kinds, n, ranks.start, total, budget)?
                .map(|face| value(face).map(Some), budget);
        }
        let ranked = Ranked::new(&self.kinds, &mut value, budget)?;
        let kept = ranks.end - ranks.start;
        let first = ranked.first.mul(&Integer::from_big(kept.into())?)?;
        let task = Task::new(&ranked, &self.kinds, kept, mass.bits(), budget)?;
        let _reserved = Reserved::new(budget, task.bytes())?;
        let (low, high) = (ranks.start, n - ranks.end);
        let kinds = self.kinds.len();
        let has_equations = kinds == 1 && !task.is_few();
        let weights = match (low, high) {
            (_, 0) if has_equations => task.highest(&mass)?,
            (0, _) if has_equations => task.mirrored(|mirror| mirror.highest(&mass))?,
            _ if low < high && task.kinds_at_once()? == kinds => {
                task.mirrored(|mirror| mirror.walk(low))?
            }
            _ => task.walk(high)?,
        };
        Ok(Numbers::from_lattice(&first, &ranked.step, weights, total))
    }

    /// The sums of the `k` highest dice that are below a bound, over the total of all sums. For dice of one kind the others are
    /// not computed, which takes far less time where the bound is low.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Examples
    ///
    /// Of 1,296 rolls of four dice, one has a 3 in its three highest dice, and four have a 4:
    ///
    /// ```
    /// use dicedist::algebra::{Numbers, Pool};
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let poor = Pool::new([(Numbers::die(6), 4)]).highest_below(3, &5.into(), &budget)?;
    /// assert_eq!(poor.mass(), 5_u32.into());
    /// assert_eq!(poor.total(), &1296_u32.into());
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn highest_below(
        &self,
        k: u64,
        bound: &Integer,
        budget: &Budget<'_>,
    ) -> Result<Numbers, Stop> {
        if !matches!(*self.kinds, [(_, n)] if (2..n).contains(&k)) {
            return Ok(self.highest(k, budget)?.filtered(|sum| sum < bound));
        }
        let total = self.product_of(|die| die.total().clone(), budget)?;
        let mass = self.product_of(Numbers::mass, budget)?;
        let ranked = Ranked::new(&self.kinds, &mut |face| Ok(face.clone()), budget)?;
        let first = ranked.first.mul(&Integer::from_big(k.into())?)?;
        let steps = bound.sub(&first)?.to_big().div_ceil(&ranked.step.to_big());
        if steps.sign() != Sign::Plus {
            return Ok(Numbers::impossible(total));
        }
        let mut task = Task::new(&ranked, &self.kinds, k, mass.bits(), budget)?;
        task.length = task.length.min(steps.to_usize().unwrap_or(usize::MAX));
        let _reserved = Reserved::new(budget, task.bytes())?;
        let weights = task.highest(&mass)?;
        let sums = Numbers::from_lattice(&first, &ranked.step, weights, total);
        Ok(sums.filtered(|sum| sum < bound))
    }

    /// The product of one number of each die over all dice.
    fn product_of(
        &self,
        number: impl Fn(&Numbers) -> Weight,
        budget: &Budget<'_>,
    ) -> Result<Weight, LimitReached> {
        let mut product = Weight::from(1_u32);
        for (die, count) in &self.kinds {
            let power = product::power(&number(die), *count, budget)?;
            product = product::multiply(&product, &power, budget)?;
        }
        Ok(product)
    }
}
