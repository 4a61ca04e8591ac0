//! Greatest common divisors of long numbers, by Euclid on their leading bits.
//!
//! The quotients of Euclid's algorithm depend on the leading bits of its two numbers. So a round divides only the two
//! leading limbs and gathers the quotients in two pairs of cofactors, which it then applies to the whole numbers at
//! once. One pass makes the numbers some 60 bits shorter; a pass of the binary algorithm makes them one or two bits
//! shorter (D. H. Lehmer, *Euclid's algorithm for large numbers*, 1938).
//!
//! Let `x ≥ y` be the leading bits, `xᵢ` the remainders with `x₀ = x` and `x₁ = y`, and `uᵢ`, `vᵢ` the magnitudes of
//! the cofactors, so that `xᵢ = ±(uᵢ·x - vᵢ·y)`. The quotient that leads to `xᵢ₊₁` is that of the whole numbers if
//! `xᵢ₊₁ ≥ vᵢ₊₁` and `xᵢ - xᵢ₊₁ ≥ vᵢ + vᵢ₊₁`. This is the condition of T. Jebelean, *A double-digit Lehmer-Euclid
//! algorithm*, 1995, for both parities at once, as `x ≥ y` implies `u ≤ v`.

use num_bigint::BigUint;

use super::limbs::{bits, compare, halves, low, product, significant};

/// Numbers with fewer limbs than this are left to the binary algorithm, whose passes are cheaper.
const SHORTEST: usize = 12;

/// The greatest common divisor, in time quadratic in the limbs. The divisor of zero and a number is the number.
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
            // The first quotient does not fit a cofactor, as with numbers of different lengths: the whole numbers are
            // divided once.
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

/// Several steps of Euclid's algorithm at once: each of two pairs of cofactors gives a new number `±(u·a - v·b)`, with
/// the sign that makes it non-negative.
#[derive(Clone, Copy, Debug)]
struct Cofactors {
    u: [u64; 2],
    v: [u64; 2],
    /// Whether the number of steps is odd: then `v·b` is the larger product of the first pair.
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

    /// Replaces both numbers by the remainders that these steps lead to, in one pass.
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

/// The carries from limb to limb of a difference of two products.
#[derive(Default)]
struct Difference {
    plus: u64,
    minus: u64,
    borrow: bool,
}

impl Difference {
    /// The next limb of the difference. A product is given by its cofactor and its next limb.
    #[inline]
    fn limb(&mut self, plus: (u64, u64), minus: (u64, u64)) -> u64 {
        let sum = |(c, limb): (u64, u64), carry: u64| product(c, limb) + u128::from(carry);
        let (plus, minus) = (sum(plus, self.plus), sum(minus, self.minus));
        self.plus = low(plus >> 64);
        self.minus = low(minus >> 64);
        let (difference, first) = low(plus).overflowing_sub(low(minus));
        let (difference, second) = difference.overflowing_sub(self.borrow.into());
        self.borrow = first | second;
        difference
    }
}

/// The 128 bits from bit `below` on.
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
        // Consecutive Fibonacci numbers have only quotients of 1, and powers have very large ones.
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
