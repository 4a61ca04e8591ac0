//! A distribution that is rolled.

use rand::Rng;

use super::{Dist, Outcome};
use crate::engine::sample::below;

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
