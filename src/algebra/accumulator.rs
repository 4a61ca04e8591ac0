//! Sums of products of long numbers, in place.
//!
//! The equations of a chain add up very many products of a long number and a short one. Each goes into the sum limb by
//! limb, so that memory is allocated only where the sum grows.

use super::limbs::{add, add_mul, significant, sub};
use super::{Weight, weights};

/// A sum that grows. The limb at the top is not zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Accumulator {
    limbs: Vec<u64>,
}

impl Accumulator {
    pub(super) fn of(number: &Weight) -> Self {
        Self {
            limbs: number.to_u64_digits(),
        }
    }

    /// Sets the sum to zero, and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.limbs.clear();
    }

    /// The limbs, without zeros at the top.
    #[inline]
    pub(super) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    #[inline]
    pub(super) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    pub(super) fn to_weight(&self) -> Weight {
        weights::from_limbs(&self.limbs)
    }

    /// Adds a number without zeros at the top.
    #[inline]
    pub(super) fn add(&mut self, number: &[u64]) {
        if self.limbs.is_empty() {
            self.limbs.extend_from_slice(number);
            return;
        }
        if self.limbs.len() < number.len() {
            self.limbs.resize(number.len(), 0);
        }
        let carry = add(&mut self.limbs, number);
        if carry > 0 {
            self.limbs.push(carry);
        }
    }

    /// Subtracts a number without zeros at the top, which is no more than the sum.
    #[inline]
    pub(super) fn subtract(&mut self, number: &[u64]) {
        let borrow = sub(&mut self.limbs, number);
        debug_assert_eq!(borrow, 0, "the number is no more than the sum");
        self.limbs.truncate(significant(&self.limbs));
    }

    /// Adds the product of two numbers without zeros at the top. The second has few limbs.
    #[inline]
    pub(super) fn add_product(&mut self, number: &[u64], factor: impl IntoIterator<Item = u64>) {
        if number.is_empty() {
            return;
        }
        for (shift, limb) in factor.into_iter().enumerate() {
            if limb == 0 {
                continue;
            }
            let length = shift + number.len();
            if self.limbs.len() < length {
                self.limbs.resize(length, 0);
            }
            let carry = add_mul(&mut self.limbs[shift..], number, limb);
            if carry > 0 {
                self.limbs.push(carry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    fn long() -> impl Strategy<Value = BigUint> {
        // Runs of zeros and ones, at which carries are longest.
        let limb = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), Just(1)];
        prop::collection::vec(limb, 0..6).prop_map(|limbs| weights::from_limbs(&limbs))
    }

    proptest! {
        #[test]
        fn sums_of_products_agree_with_those_of_the_library(
            start in long(),
            products in prop::collection::vec((long(), long()), 0..8),
        ) {
            let mut sum = Accumulator::of(&start);
            for (number, factor) in &products {
                sum.add_product(&number.to_u64_digits(), factor.iter_u64_digits());
            }
            let mut expected: BigUint = products.iter().map(|(a, b)| a * b).sum();
            expected += &start;
            prop_assert_eq!(&sum.to_weight(), &expected);
            sum.add(&start.to_u64_digits());
            prop_assert_eq!(sum.to_weight(), &expected + &start);
            prop_assert_eq!(sum.is_zero(), sum.to_weight() == BigUint::ZERO);
            sum.subtract(&expected.to_u64_digits());
            prop_assert_eq!(sum.limbs(), start.to_u64_digits());
        }
    }
}
