//! Mean and variance of the sum of the kept dice among exploding dice.
//!
//! A die explodes on one face: with probability p it adds m and is rolled again; otherwise, with probability q, it ends
//! with a value R. Suppose that no die that explodes ends below a die that does not: `max R ≤ m + min R`. Then one
//! round of the whole pool leaves the same question about fewer dice. If j of n dice explode, these are the j highest,
//! each m more than a fresh die, and the others are ordinary dice R. Let `E_n` be the expectation for n dice, S the
//! kept sum, c the number of exploded dice that are kept, and L the sum of the other kept dice. Then
//!
//! ```text
//! E_n[S ] = Σ_j C(n,j)·pʲ·qⁿ⁻ʲ · (m·c + E_j[S] + E[L])
//! E_n[S²] = Σ_j C(n,j)·pʲ·qⁿ⁻ʲ · E[(m·c + S_j + L)²]
//! ```
//!
//! Only the term with j = n holds `E_n` itself.

use std::collections::BTreeMap;
use std::ops::Range;

use num_bigint::BigInt;

use super::quotient::OnlyStep;
use super::weight::{probability, ratio};
use super::{Numbers, Pool, Quotient, Stop, Weight};
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

/// The most pools of ordinary dice whose distributions are computed.
const MOST_POOLS: u64 = 600;

/// The means of a number and of its square.
type Expected = [Fraction; 2];

impl Quotient {
    /// The means of S and of S², where S is the sum of the dice with these ranks among n dice with this law. Ranks
    /// count from 0 at the lowest die. `None` if the die explodes on no face or on several, if a die that explodes can
    /// end below one that does not, or if there are too many dice.
    ///
    /// Computes the distributions of some `n·k` small pools, for n dice of which k are kept.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Examples
    ///
    /// The higher of two coins that are tossed until they show tails has the mean
    /// `Σ_t P(one is ≥ t) = Σ_t (2·2⁻ᵗ - 4⁻ᵗ)`:
    ///
    /// ```
    /// use dicedist::algebra::Quotient;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let heads = Quotient::renewal([(0, 1_u32.into())], [(1, 1_u32.into())], &2_u32.into()).unwrap();
    /// let [mean, _] = heads.moments_of_ranks(2, 1..2, &budget)?.unwrap();
    /// assert_eq!(mean.to_string(), "5/3");
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn moments_of_ranks(
        &self,
        n: u64,
        ranks: Range<u64>,
        budget: &Budget<'_>,
    ) -> Result<Option<Expected>, Stop> {
        // From here on ranks count from the highest.
        let (start, end) = (n.saturating_sub(ranks.end), n.saturating_sub(ranks.start));
        let Some(die) = Exploding::of(self) else {
            return Ok(None);
        };
        if n.saturating_mul(end.saturating_add(1)) > MOST_POOLS {
            return Ok(None);
        }
        let mut ordinary = OrdinaryDice {
            die: &die,
            known: BTreeMap::new(),
            budget,
        };
        let zero = || Fraction::from_integer(0.into());
        let mut of_fewer: Vec<Expected> = Vec::new();
        for dice in 0..=n {
            budget.look_at_clock()?;
            let mut sums = [zero(), zero()];
            let mut share = num_traits::pow(
                die.ends.clone(),
                usize::try_from(dice).unwrap_or(usize::MAX),
            );
            for going_on in 0..=dice {
                let end = end.min(dice);
                let high = end.min(going_on).saturating_sub(start);
                let added = Fraction::from_integer(BigInt::from(die.step) * high);
                let others = ordinary.sum(
                    dice - going_on,
                    start.saturating_sub(going_on)..end.saturating_sub(going_on),
                )?;
                let known = [
                    &added + &others[0],
                    &added * &added + &added * &others[0] * two() + &others[1],
                ];
                // The term with `E_n` itself is left out here; the equation is solved for it below.
                let fresh = of_fewer.get(usize::try_from(going_on).unwrap_or(usize::MAX));
                let [first, second] = match fresh {
                    Some([first, second]) => [
                        &known[0] + first,
                        &known[1] + &known[0] * first * two() + second,
                    ],
                    None => known,
                };
                sums[0] += &share * first;
                sums[1] += &share * second;
                if going_on == dice {
                    // E[S] = sum + share·E[S]; for the squares, 2·share·added·E[S] joins the sum first.
                    let rest = Fraction::from_integer(1.into()) - &share;
                    if dice > 0 {
                        sums[0] = &sums[0] / &rest;
                        sums[1] += &share * &added * &sums[0] * two();
                        sums[1] = &sums[1] / &rest;
                    }
                } else {
                    let factor = Fraction::new((dice - going_on).into(), (going_on + 1).into());
                    share = share * &die.goes_on / &die.ends * factor;
                }
            }
            of_fewer.push(sums);
        }
        Ok(of_fewer.pop())
    }
}

fn two() -> Fraction {
    Fraction::from_integer(2.into())
}

/// The die of the module head.
struct Exploding {
    /// The number m that is added when the die explodes.
    step: u64,
    /// The probability p of exploding.
    goes_on: Fraction,
    /// The probability q of ending.
    ends: Fraction,
    /// The distribution of R, the value with which the die ends.
    end: Numbers,
}

impl Exploding {
    fn of(law: &Quotient) -> Option<Self> {
        let OnlyStep {
            step,
            goes_on,
            ends,
        } = law.only_step()?;
        let (least, most) = (ends.first()?.0, ends.last()?.0);
        if most > step.checked_add(least)? {
            return None;
        }
        let end: Weight = ends.iter().map(|(_, weight)| weight).sum();
        let total = &end + &goes_on;
        let faces = ends.into_iter().map(|(face, weight)| {
            let face = i64::try_from(face).ok()?;
            Some((Integer::from(face), weight))
        });
        let faces = faces.collect::<Option<Vec<_>>>()?;
        Some(Self {
            step,
            goes_on: probability(&goes_on, &total),
            ends: probability(&end, &total),
            end: Numbers::new(faces, end),
        })
    }
}

/// The moments of kept ordinary dice, remembered for each pool and ranks.
struct OrdinaryDice<'a> {
    die: &'a Exploding,
    known: BTreeMap<(u64, u64, u64), Expected>,
    budget: &'a Budget<'a>,
}

impl OrdinaryDice<'_> {
    /// The moments of the sum of the dice with these ranks among this many ordinary dice. Ranks count from 0 at the
    /// highest.
    fn sum(&mut self, dice: u64, ranks: Range<u64>) -> Result<Expected, Stop> {
        let ranks = dice.saturating_sub(ranks.end)..dice.saturating_sub(ranks.start);
        let key = (dice, ranks.start, ranks.end);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let pool = Pool::new([(self.die.end.clone(), dice)]);
        let sum = pool.sum_of_ranks(ranks, self.budget)?;
        let (mut first, mut second) = (BigInt::ZERO, BigInt::ZERO);
        for (outcome, weight) in sum.iter() {
            let product = outcome.to_big() * BigInt::from(weight);
            second += outcome.to_big() * &product;
            first += product;
        }
        let expected = [first, second].map(|sum_of| ratio(&sum_of, sum.total()));
        self.known.insert(key, expected.clone());
        Ok(expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Unobserved};

    /// The moments of kept dice that are cut off after a number of rounds. More rounds change them by less than the
    /// test can see.
    fn cut(ends: &[u64], step: u64, sides: u64, n: u64, ranks: Range<u64>) -> Expected {
        const ROUNDS: u64 = 24;
        let (limits, one) = (Limits::default(), Weight::from(1_u32));
        let budget = Budget::start(&limits, &Unobserved);
        let goes_on = Weight::from(sides - ends.len() as u64);
        let weight = |round: u64| {
            let rounds = u32::try_from(round).unwrap();
            goes_on.pow(rounds) * Weight::from(sides).pow(u32::try_from(ROUNDS).unwrap() - rounds)
        };
        let faces =
            (0..ROUNDS).flat_map(|round| ends.iter().map(move |end| (round, round * step + end)));
        let faces =
            faces.map(|(round, face)| (Integer::from(i64::try_from(face).unwrap()), weight(round)));
        let die = Numbers::new(faces, weight(0) * sides * one);
        let sum = Pool::new([(die, n)]).sum_of_ranks(ranks, &budget).unwrap();
        let mass = sum.mass();
        let expected = |power: u32| {
            let terms = sum
                .iter()
                .map(|(sum, weight)| sum.to_big().pow(power) * BigInt::from(weight));
            ratio(&terms.sum(), &mass)
        };
        [expected(1), expected(2)]
    }

    #[test]
    fn kept_dice_have_the_moments_of_a_long_list() -> Result<(), Stop> {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let little = Fraction::new(1.into(), 1_000_000_000.into());
        for (sides, ends, step) in [
            (6, &[1, 2, 3, 4, 5][..], 6),
            (4, &[0, 2, 3][..], 4),
            // The die explodes on a five, so that a six is equal to a five and a one.
            (6, &[1, 2, 3, 4, 6][..], 5),
        ] {
            let weight = |_: &u64| Weight::from(1_u32);
            let again = Weight::from(sides - ends.len() as u64);
            let last = ends.iter().map(|end| (*end, weight(end)));
            let die = Quotient::renewal(last, [(step, again)], &sides.into()).unwrap();
            for (n, ranks) in [
                (1, 0..1),
                (2, 1..2),
                (3, 0..1),
                (4, 1..4),
                (4, 1..3),
                (3, 0..3),
                (2, 1..1),
            ] {
                let found = die.moments_of_ranks(n, ranks.clone(), &budget)?.unwrap();
                let expected = cut(ends, step, sides, n, ranks.clone());
                for (found, expected) in found.iter().zip(&expected) {
                    let apart = found - expected;
                    assert!(
                        apart >= -&little && apart < little,
                        "{n} dice, {ranks:?}: {found} and {expected}"
                    );
                }
            }
        }
        // A die that may end above another one that explodes has none.
        let ends = [(8, Weight::from(1_u32))]
            .into_iter()
            .chain([(1, Weight::from(4_u32))]);
        let die = Quotient::renewal(ends, [(6, Weight::from(1_u32))], &6_u32.into()).unwrap();
        assert!(die.moments_of_ranks(2, 1..2, &budget)?.is_none());
        Ok(())
    }
}
