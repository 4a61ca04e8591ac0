//! A distribution that is rolled.

use num_traits::Zero as _;
use rand::Rng;

use super::{Dist, Outcome};
use crate::algebra::Weight;

impl<T: Outcome> Dist<T> {
    /// One random outcome. `None` with the probability of what is not listed: tails, what is unresolved, and what never ends.
    /// [`Rule::roll`](crate::Rule::roll) rolls a rule without its distribution. The generator is one of the crate `rand`, version 0.10.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    /// use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
    ///
    /// let loot: Dist<String> = Dist::weighted([("gold", 3), ("sword", 1)]);
    /// let mut rng = ChaCha8Rng::seed_from_u64(7);
    /// let found = loot.roll(&mut rng).unwrap();
    /// assert!(["gold", "sword"].contains(&found.as_str()));
    /// ```
    #[must_use]
    pub fn roll(&self, rng: &mut impl Rng) -> Option<T> {
        let mut left = below(self.total(), rng);
        for (outcome, weight) in self.weights() {
            if left < *weight {
                return Some(outcome);
            }
            left -= weight;
        }
        None
    }
}

/// A uniformly random number below another: random bits are drawn again until they are.
fn below(end: &Weight, rng: &mut impl Rng) -> Weight {
    let words = usize::try_from(end.bits().div_ceil(32)).unwrap_or(usize::MAX);
    let spare = 32 * words as u64 - end.bits();
    loop {
        let mut digits: Vec<u32> = (0..words).map(|_| rng.next_u32()).collect();
        if let Some(top) = digits.last_mut() {
            *top >>= spare;
        }
        let number = Weight::new(digits);
        if number < *end || end.is_zero() {
            return number;
        }
    }
}
