//! The highest or the lowest of a random number of independent dice.
//!
//! With F the cumulative distribution of one die and G the probability generating function of their number N,
//!
//! ```text
//! P(max ≤ v) = Σ_n P(N = n)·F(v)ⁿ = G(F(v))
//! ```
//!
//! (W. Feller, *An Introduction to Probability Theory and Its Applications*, volume 1, 3rd edition, section XII.1, for
//! the sum in place of the maximum). G is evaluated by Horner's rule for each face. The lowest takes the faces in
//! descending order.

use super::weights::from_limbs;
use super::{Numbers, Stop, Weight, limbs};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;
use num_traits::ToPrimitive as _;

/// The most dice for which this is tried.
const MOST_DICE: u64 = 1 << 12;

impl Numbers {
    /// The highest (or the lowest) of a random number of independent dice; 0 if there are no dice. `None` if their
    /// number can be negative or greater than 4096.
    ///
    /// Takes the number of faces times the most dice, in steps on integers as long as the total.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    ///
    /// # Examples
    ///
    /// The highest of one or two d6 is a 1 in (1/6 + 1/36)/2:
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let best = Numbers::extreme_of_random(&Numbers::die(2), &Numbers::die(6), true, &budget)?;
    /// let best = best.unwrap();
    /// assert_eq!(best.weight_of(&1.into()) * 72_u32, best.total() * 7_u32);
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    #[expect(
        clippy::missing_panics_doc,
        reason = "never: a count lies between its ends"
    )]
    pub fn extreme_of_random(
        count: &Self,
        die: &Self,
        highest: bool,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, Stop> {
        let most = count.max().and_then(|most| most.to_i64());
        let most = most.and_then(|most| u64::try_from(most).ok());
        let is_natural = count.min().is_some_and(|least| !least.is_negative());
        let Some(most) = most.filter(|&most| is_natural && most <= MOST_DICE) else {
            return Ok(None);
        };
        let mut faces: Vec<(Integer, Weight)> = die.iter().collect();
        if !highest {
            faces.reverse();
        }
        // A weight of n dice is over T^n, so the weight of the number n is multiplied by T^(most - n).
        let length = usize::try_from(most).map_or(0, |most| most + 1);
        let mut weights = vec![Weight::ZERO; length];
        for (number, weight) in count.iter() {
            let index = number
                .to_i64()
                .and_then(|number| usize::try_from(number).ok());
            weights[index.expect("a count between its ends")] = weight;
        }
        let mut reserved = Reserved::none(budget);
        let mut power = Weight::from(1_u32);
        for weight in weights.iter_mut().rev() {
            budget.work(power.bits() / 64 + 1)?;
            *weight *= &power;
            reserved.take(weight.bits() / 8)?;
            power *= die.total();
        }
        let none = std::mem::take(&mut weights[0]);
        let total = count.total() * (power / die.total());
        let mut outcomes = Vec::with_capacity(faces.len() + 1);
        outcomes.push((Integer::from(0), none));
        let (mut passed, mut before) = (Weight::ZERO, Weight::ZERO);
        for (face, weight) in faces {
            passed += weight;
            let at_most = value_at(&weights, &passed, total.bits(), budget)?;
            outcomes.push((face, &at_most - before));
            before = at_most;
        }
        Ok(Some(Self::new(outcomes, total)))
    }
}

/// The polynomial with these coefficients at a point, where it has at most `bits` bits: by Horner's rule.
fn value_at(
    coefficients: &[Weight],
    point: &Weight,
    bits: u64,
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    let mut coefficients = coefficients.iter().rev();
    let Some(point) = point.to_u64() else {
        return coefficients.try_fold(Weight::ZERO, |value, coefficient| {
            budget.work(value.bits() / 64 + 1)?;
            Ok(value * point + coefficient)
        });
    };
    let mut value = vec![0; limbs::limbs_for(bits)];
    let mut length = 0;
    for coefficient in coefficients {
        let digits = coefficient.iter_u64_digits();
        let used = (length.max(digits.len()) + 1).min(value.len());
        budget.work(used as u64)?;
        let over = limbs::mul_then_add(&mut value[..used], point, digits);
        debug_assert_eq!(over, 0, "the value of the rest is below the whole");
        length = limbs::significant(&value[..used]);
    }
    Ok(from_limbs(&value))
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;
    use crate::limits::{Limits, Unobserved};

    /// Adds the weights of the highest of all rolls of so many more dice.
    fn roll(dice: usize, die: &[u128], best: usize, weight: &Weight, sums: &mut [Weight]) {
        if dice == 0 {
            sums[best] += weight;
            return;
        }
        for (face, &of_face) in die.iter().enumerate() {
            roll(dice - 1, die, best.max(face), &(weight * of_face), sums);
        }
    }

    proptest! {
        #[test]
        fn the_highest_is_that_of_all_rolls(
            counts in collection::vec(0_u64..3, 1..6),
            die in collection::vec(prop_oneof![0_u128..4, any::<u64>().prop_map(u128::from), 0_u128..1 << 100], 1..4),
        ) {
            prop_assume!(counts.iter().any(|&weight| weight > 0) && die.iter().any(|&weight| weight > 0));
            let numbers = |weights: Vec<Weight>| {
                let total = weights.iter().sum();
                Numbers::new((0_i64..).map(Integer::from).zip(weights), total)
            };
            let of_die = numbers(die.iter().copied().map(Weight::from).collect());
            let of_counts = numbers(counts.iter().copied().map(Weight::from).collect());
            let limits = Limits::default();
            let budget = Budget::start(&limits, &Unobserved);
            let highest = Numbers::extreme_of_random(&of_counts, &of_die, true, &budget);
            let highest = highest.map_err(|stop| TestCaseError::fail(format!("{stop:?}")))?;
            let highest = highest.expect("few dice");

            // A roll of n dice has its weight over T^n.
            let most = counts.len() - 1;
            let mut expected = vec![Weight::ZERO; die.len()];
            for (dice, &of_count) in counts.iter().enumerate() {
                let rest = of_die.total().pow(u32::try_from(most - dice).expect("few"));
                roll(dice, &die, 0, &(rest * of_count), &mut expected);
            }
            let total = of_counts.total() * of_die.total().pow(u32::try_from(most).expect("few"));
            for (face, weight) in (0_i64..).zip(expected) {
                prop_assert_eq!(highest.weight_of(&face.into()) * &total, weight * highest.total());
            }
        }
    }
}
