//! The hash maps of the crate: one for keys that the program gives out, one for keys that come from a rule.
//!
//! An attacker can choose the keys, for instance an arithmetic sequence from a ten-letter rule. A fixed hash, and one that only
//! adds a seed, puts the multiples of a well chosen number into the same few places of a table, which then takes quadratic time. So
//! wherever a key holds values of a rule, its hash is drawn anew in each run.
//!
//! No output may depend on the iteration order of either map: sort before a result leaves a module.

use hashbrown::HashMap;
pub(crate) use hashbrown::hash_map::Entry;
use rustc_hash::FxBuildHasher;

/// The hash map for keys that are ids, counts and places: small numbers that nobody chooses.
pub(crate) type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// The hash map for keys that hold values of a rule.
pub(crate) type ValueMap<K, V> = HashMap<K, V, ValueHasher>;

/// What hashes keys that hold values of a rule.
pub(crate) type ValueHasher = hashbrown::DefaultHashBuilder;

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use super::*;

    /// Among the first multiples of a number, how many share the place of the fullest, of as many places.
    fn fullest(hasher: &impl BuildHasher, number: i64) -> usize {
        let mut places = vec![0; 1 << 12];
        for factor in 0..1 << 12 {
            let hash = usize::try_from(hasher.hash_one(factor * number)).unwrap();
            places[hash % (1 << 12)] += 1;
        }
        places.into_iter().max().unwrap()
    }

    /// How many of some numbers have many multiples that share a place.
    fn crowded(hasher: &impl BuildHasher, numbers: &[i64]) -> usize {
        numbers
            .iter()
            .filter(|&&number| fullest(hasher, number) >= 20)
            .count()
    }

    #[test]
    fn no_number_is_known_to_have_multiples_that_share_a_place() {
        // Each is small after a multiplication by the constant of the fixed hash.
        let small = [0, 1, 2, 3, 4, 5, 6, 7].map(|shift| 6_868_864_609_671 << shift);
        assert_eq!(crowded(&FxBuildHasher, &small), small.len());
        // A hash that is drawn is a bad one for some powers of two: of 1,500 processes one in sixteen had one, and none had ten.
        let powers: Vec<i64> = (0..48).map(|shift| 1 << shift).collect();
        for numbers in [&small[..], &powers] {
            let crowded = crowded(&ValueHasher::default(), numbers);
            assert!(
                crowded <= numbers.len() / 2,
                "{crowded} of {}",
                numbers.len()
            );
        }
    }

    #[test]
    fn each_map_has_a_hash_of_its_own() {
        let [a, b] = [0; 2].map(|_| ValueHasher::default().hash_one(1));
        assert_ne!(a, b);
    }
}
