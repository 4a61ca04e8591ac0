//! Greatest common divisors of long numbers, by Euclid on their leading bits.
//!
//! The quotients of Euclid's algorithm depend on the leading bits of its two numbers. So a round divides only the two
//! leading limbs and gathers the quotients in two pairs of cofactors. It then applies them to the whole numbers at once. One pass
//! makes the numbers some 60 bits shorter, and a pass of the binary algorithm one or two (D. H. Lehmer,
//! *Euclid's algorithm for large numbers*, 1938).
//!
//! With `x ≥ y` the leading bits, `xᵢ` the remainders (`x₀ = x`, `x₁ = y`) and `uᵢ`, `vᵢ` the magnitudes of the cofactors, so
//! that `xᵢ = ±(uᵢ·x - vᵢ·y)`, the quotient that leads to `xᵢ₊₁` is that of the whole numbers if `xᵢ₊₁ ≥ vᵢ₊₁` and
//! `xᵢ - xᵢ₊₁ ≥ vᵢ + vᵢ₊₁` (T. Jebelean, *A double-digit Lehmer-Euclid algorithm*, 1995, in its condition for
//! both parities at once; `u ≤ v` as `x ≥ y`).

use num_bigint::BigUint;

use super::limbs::{bits, compare, halves, low, significant};

/// Numbers shorter than this are left to the binary algorithm, whose passes are cheaper.
const SHORTEST: usize = 12;

/// The greatest common divisor, in quadratic time in the limbs. The divisor of zero and a number is the number.
pub(super) fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    use num_integer::Integer as _;

    let (mut a, mut b) = (a.to_u64_digits(), b.to_u64_digits());
    if compare(&a, &b).is_lt() {
        std::mem::swap(&mut a, &mut b);
    }
    while b.len() >= SHORTEST {
        if let Some(cofactors) = Cofactors::of_leading(&a, &b) {
            cofactors.apply(&mut a, &mut b);
        } else {
            // The first quotient does not fit a cofactor, as with numbers of different lengths: one step of the whole numbers.
            let rest = number(&a) % number(&b);
            a = std::mem::replace(&mut b, rest.to_u64_digits());
        }
    }
    let (a, b) = (number(&a), number(&b));
    if a.bits() > 2 * b.bits() && b.bits() > 0 {
        return (a % &b).gcd(&b);
    }
    a.gcd(&b)
}

/// The number of these limbs.
fn number(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| halves(limb)).collect())
}

/// Several steps of Euclid's algorithm at once: `±(u·a - v·b)` for each of two pairs, with the sign that makes it positive.
#[derive(Clone, Copy, Debug)]
struct Cofactors {
    u: [u64; 2],
    v: [u64; 2],
    /// Whether the first pair is of an odd step: then its `v·b` is the larger product.
    is_odd: bool,
}

impl Cofactors {
    /// All steps that the two leading limbs determine; `None` if they determine none.
    fn of_leading(a: &[u64], b: &[u64]) -> Option<Self> {
        let below = bits(a).checked_sub(128)?;
        let (mut x, mut y) = (window(a, below), window(b, below));
        let (mut u, mut v) = ([1, 0], [0, 1]);
        let mut is_odd = false;
        while y != 0 {
            let (quotient, rest) = (x / y, x % y);
            let Ok(quotient) = u64::try_from(quotient) else {
                break;
            };
            let next = |pair: [u64; 2]| pair[1].checked_mul(quotient)?.checked_add(pair[0]);
            let (Some(next_u), Some(next_v)) = (next(u), next(v)) else {
                break;
            };
            let is_certain =
                rest >= next_v.into() && y - rest >= u128::from(v[1]) + u128::from(next_v);
            if !is_certain {
                break;
            }
            (x, y) = (y, rest);
            (u, v) = ([u[1], next_u], [v[1], next_v]);
            is_odd = !is_odd;
        }
        (v[0] != 0).then_some(Self { u, v, is_odd })
    }

    /// Both numbers become their remainders, in one pass.
    fn apply(self, a: &mut Vec<u64>, b: &mut Vec<u64>) {
        let Self { u, v, is_odd } = self;
        let mut first = Difference::default();
        let mut second = Difference::default();
        b.resize(a.len(), 0);
        for (a, b) in a.iter_mut().zip(b.iter_mut()) {
            let (x, y) = (*a, *b);
            if is_odd {
                *a = first.limb((v[0], y), (u[0], x));
                *b = second.limb((u[1], x), (v[1], y));
            } else {
                *a = first.limb((u[0], x), (v[0], y));
                *b = second.limb((v[1], y), (u[1], x));
            }
        }
        a.truncate(significant(a));
        b.truncate(significant(b));
    }
}

/// What is carried from limb to limb of a difference of two products.
#[derive(Default)]
struct Difference {
    plus: u64,
    minus: u64,
    borrow: bool,
}

impl Difference {
    #[inline]
    fn limb(&mut self, plus: (u64, u64), minus: (u64, u64)) -> u64 {
        let product = |(c, limb): (u64, u64), carry: u64| {
            u128::from(c) * u128::from(limb) + u128::from(carry)
        };
        let (plus, minus) = (product(plus, self.plus), product(minus, self.minus));
        self.plus = low(plus >> 64);
        self.minus = low(minus >> 64);
        let (difference, first) = low(plus).overflowing_sub(low(minus));
        let (difference, second) = difference.overflowing_sub(self.borrow.into());
        self.borrow = first | second;
        difference
    }
}

/// The 128 bits from this one on.
fn window(x: &[u64], below: u64) -> u128 {
    let limb = |index: u64| {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        u128::from(x.get(index).copied().unwrap_or(0))
    };
    let (index, shift) = (below / 64, below % 64);
    let two = limb(index) | limb(index + 1) << 64;
    if shift == 0 {
        two
    } else {
        two >> shift | limb(index + 2) << (128 - shift)
    }
}

#[cfg(test)]
mod tests {
    use num_integer::Integer as _;
    use proptest::prelude::*;

    use super::*;

    fn long(limbs: std::ops::Range<usize>) -> impl Strategy<Value = BigUint> {
        // Runs of zeros and ones, at which carries and quotients are extreme.
        let limb = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), Just(1)];
        prop::collection::vec(limb, limbs).prop_map(|limbs| number(&limbs))
    }

    proptest! {
        #[test]
        fn long_numbers_have_the_divisor_that_the_binary_algorithm_finds(
            a in long(0..60),
            b in long(0..60),
            common in long(1..30),
        ) {
            prop_assert_eq!(gcd(&a, &b), a.gcd(&b));
            let (a, b) = (a * &common, b * &common);
            prop_assert_eq!(gcd(&a, &b), a.gcd(&b));
        }
    }

    #[test]
    fn quotients_of_every_size_are_found() {
        // Neighbours of Fibonacci's sequence have the quotient 1 throughout; powers, very large ones.
        let (mut a, mut b) = (BigUint::from(1_u32), BigUint::from(1_u32));
        while b.bits() < 64 * 40 {
            (a, b) = (b.clone(), a + b);
        }
        assert_eq!(gcd(&a, &b), BigUint::from(1_u32));
        let power = |base: u32, exponent: u32| BigUint::from(base).pow(exponent);
        assert_eq!(gcd(&power(6, 3000), &power(10, 2000)), power(2, 2000));
        let large = power(2, 5000) + 1_u32;
        assert_eq!(gcd(&(&large * &large), &(&large * 7_u32)), large);
        assert_eq!(gcd(&large, &BigUint::ZERO), large);
    }
}
