//! The hash maps of the crate: one for keys that the program gives out, one for keys that come from a rule.
//!
//! A rule can hold any numbers, and those of an arithmetic sequence are a rule of ten letters. A fixed hash, and one that only
//! adds a seed, puts the multiples of a well chosen number into the same few places of a table, which then takes quadratic time. So
//! wherever a key holds values of a rule, its hash is drawn anew in each run.
//!
//! No output may depend on the iteration order of either map: sort before a result leaves a module.

use hashbrown::HashMap;
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

    #[test]
    fn multiples_of_no_number_share_a_place() {
        // The first is small after a multiplication by the constant of the fixed hash.
        for number in [6_868_864_609_671, 1, 1 << 40, 0x00ff_00ff_00ff] {
            assert!(fullest(&ValueHasher::default(), number) < 20, "{number}");
        }
        assert_eq!(fullest(&FxBuildHasher, 6_868_864_609_671), 1 << 12);
    }

    #[test]
    fn each_map_has_a_hash_of_its_own() {
        let [a, b] = [0; 2].map(|_| ValueHasher::default().hash_one(1));
        assert_ne!(a, b);
    }
}
