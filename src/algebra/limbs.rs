//! Numbers as limbs of 64 bits, the lowest first. All arithmetic of this room is built on these loops.

/// The low half.
#[allow(clippy::cast_possible_truncation)] // truncation is intended
#[inline]
pub(super) const fn low(wide: u128) -> u64 {
    wide as u64
}

/// The high half.
#[inline]
pub(super) const fn high(wide: u128) -> u64 {
    low(wide >> 64)
}

/// The product of two limbs.
///
/// WebAssembly multiplies only to 64 bits. There the product of two 128-bit numbers is a call that cannot know that their high
/// halves are zero, so the products of halves are added here: four, or two if b is below 2^32, as most factors are.
#[expect(
    clippy::inline_always,
    reason = "the page's engine is built for size, which makes a call of each product"
)]
#[inline(always)]
pub(super) const fn product(a: u64, b: u64) -> u128 {
    if cfg!(target_arch = "wasm32") {
        if b <= HALF {
            product_by_half(a, b)
        } else {
            product_by_halves(a, b)
        }
    } else {
        a as u128 * b as u128
    }
}

const HALF: u64 = u32::MAX as u64;

/// The product where b is below 2^32.
#[expect(clippy::inline_always, reason = "as for `product`")]
#[inline(always)]
const fn product_by_half(a: u64, b: u64) -> u128 {
    let lowest = (a & HALF) * b;
    let upper = (a >> 32) * b + (lowest >> 32);
    ((upper >> 32) as u128) << 64 | (upper << 32 | lowest & HALF) as u128
}

#[expect(clippy::inline_always, reason = "as for `product`")]
#[inline(always)]
const fn product_by_halves(a: u64, b: u64) -> u128 {
    let ([a, upper_a], [b, upper_b]) = ([a & HALF, a >> 32], [b & HALF, b >> 32]);
    let lowest = a * b;
    // No sum is above 2^64: (2^32 - 1)^2 + 2·(2^32 - 1) = 2^64 - 1.
    let middle = upper_a * b + (lowest >> 32);
    let other = a * upper_b + (middle & HALF);
    let highest = upper_a * upper_b + (middle >> 32) + (other >> 32);
    (highest as u128) << 64 | (other << 32 | lowest & HALF) as u128
}

/// The product of a limb and a factor that may be negative.
#[expect(clippy::inline_always, reason = "as for `product`")]
#[inline(always)]
pub(super) const fn signed_product(a: u64, b: i64) -> i128 {
    if cfg!(target_arch = "wasm32") {
        let size = product(a, b.unsigned_abs()).cast_signed();
        return if b < 0 { -size } else { size };
    }
    // A negative factor is treated as one that is larger by 2^64.
    let over = if b < 0 { a } else { 0 };
    product(a, b.cast_unsigned())
        .wrapping_sub((over as u128) << 64)
        .cast_signed()
}

/// The two halves of a limb, the low one first: the digits of `BigUint::new`.
#[allow(clippy::cast_possible_truncation)] // truncation is intended
pub(super) const fn halves(limb: u64) -> [u32; 2] {
    [limb as u32, (limb >> 32) as u32]
}

/// `acc += x`, with `acc` at least as long as `x`; the carry out.
#[inline]
pub(super) fn add(acc: &mut [u64], x: &[u64]) -> u64 {
    let (head, tail) = acc.split_at_mut(x.len());
    let mut carry = 0;
    for (a, &b) in head.iter_mut().zip(x) {
        let sum = u128::from(*a) + u128::from(b) + carry;
        *a = low(sum);
        carry = sum >> 64;
    }
    carry_into(tail, low(carry))
}

/// `acc -= x`, with `acc` at least as long as `x`; the borrow out.
#[inline]
pub(super) fn sub(acc: &mut [u64], x: &[u64]) -> u64 {
    let (head, tail) = acc.split_at_mut(x.len());
    let mut borrow = false;
    for (a, &b) in head.iter_mut().zip(x) {
        let (difference, first) = a.overflowing_sub(b);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        *a = difference;
        borrow = first | second;
    }
    for a in tail {
        if !borrow {
            return 0;
        }
        (*a, borrow) = a.overflowing_sub(1);
    }
    u64::from(borrow)
}

/// `acc += x * c`, with `acc` at least as long as `x`; the carry out.
#[inline]
pub(super) fn add_mul(acc: &mut [u64], x: &[u64], c: u64) -> u64 {
    let (head, tail) = acc.split_at_mut(x.len());
    let mut carry = 0;
    for (a, &b) in head.iter_mut().zip(x) {
        let sum = product(b, c) + u128::from(*a) + u128::from(carry);
        *a = low(sum);
        carry = high(sum);
    }
    carry_into(tail, carry)
}

/// `x *= c`; the carry out.
#[inline]
pub(super) fn mul(x: &mut [u64], c: u64) -> u64 {
    let mut carry = 0;
    for a in x {
        let sum = product(*a, c) + u128::from(carry);
        *a = low(sum);
        carry = high(sum);
    }
    carry
}

/// `tail += carry`; the carry out.
#[inline]
fn carry_into(tail: &mut [u64], mut carry: u64) -> u64 {
    for a in tail {
        if carry == 0 {
            return 0;
        }
        let (sum, over) = a.overflowing_add(carry);
        *a = sum;
        carry = u64::from(over);
    }
    carry
}

/// A divisor for exact division. A multiple of it is divided from the low limb up, by the inverse of the divisor's odd
/// part modulo 2⁶⁴ (Jebelean, *An algorithm for exact division*, 1993).
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactDivisor {
    odd: u64,
    inverse: u64,
    pub(super) shift: u32,
}

impl ExactDivisor {
    /// # Panics
    ///
    /// In debug builds, if the divisor is zero.
    pub(super) fn new(divisor: u64) -> Self {
        debug_assert!(divisor != 0, "a divisor is not zero");
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        // A step of Newton's method doubles the number of correct low bits: 5 to begin with, then 10, 20, 40, 80.
        let mut inverse = odd.wrapping_mul(3) ^ 2;
        for _ in 0..4 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        Self {
            odd,
            inverse,
            shift,
        }
    }

    /// `x /= divisor`, for a multiple of the divisor. Returns whether the odd part of the divisor divides `x >> shift`;
    /// the lowest `shift` bits of `x` are not looked at.
    pub(super) fn divide(self, x: &mut [u64]) -> bool {
        let mut division = self.division(x.first().copied().unwrap_or(0));
        for index in 0..x.len() {
            x[index] = division.next(x.get(index + 1).copied().unwrap_or(0));
        }
        division.borrow == 0
    }

    /// `x = x * factor / divisor`, where that is an integer that is no longer than `x`. The product may be longer by a limb.
    pub(super) fn divide_product(self, x: &mut [u64], factor: u64) {
        let mut carry = 0;
        let mut division = None;
        for index in 0..x.len() {
            let sum = product(x[index], factor) + u128::from(carry);
            carry = high(sum);
            match &mut division {
                None => division = Some(self.division(low(sum))),
                Some(division) => x[index - 1] = division.next(low(sum)),
            }
        }
        if let (Some(mut division), Some(last)) = (division, x.last_mut()) {
            *last = division.next(carry);
            debug_assert_eq!(division.next(0), 0, "the quotient is an integer that fits");
        }
    }

    /// The division of a number whose limbs come one by one, from this one up.
    #[inline]
    pub(super) fn division(self, lowest: u64) -> ExactDivision {
        ExactDivision {
            divisor: self,
            below: lowest,
            borrow: 0,
        }
    }
}

/// An exact division, from the low limb up.
pub(super) struct ExactDivision {
    divisor: ExactDivisor,
    /// The last limb of the dividend.
    below: u64,
    borrow: u64,
}

impl ExactDivision {
    /// Takes the next limb of the dividend, which is 0 after the last one, and returns the limb of the quotient before it.
    #[expect(clippy::inline_always, reason = "as for `product`")]
    #[inline(always)]
    pub(super) fn next(&mut self, above: u64) -> u64 {
        let ExactDivisor {
            odd,
            inverse,
            shift,
        } = self.divisor;
        // The bits of `above` come in from the top; none if the divisor is odd.
        let limb = self.below >> shift | (above << 1) << (63 - shift);
        self.below = above;
        let (rest, under) = limb.overflowing_sub(self.borrow);
        let quotient = rest.wrapping_mul(inverse);
        self.borrow = high(product(quotient, odd)) + u64::from(under);
        quotient
    }
}

/// The number of limbs that `bits` bits need; at least one.
pub(super) fn limbs_for(bits: u64) -> usize {
    usize::try_from(bits.div_ceil(64))
        .unwrap_or(usize::MAX)
        .max(1)
}

/// The number of limbs without the zeros at the top.
pub(super) fn significant(x: &[u64]) -> usize {
    x.iter()
        .rposition(|&limb| limb != 0)
        .map_or(0, |top| top + 1)
}

/// The number without the zeros at the top.
pub(super) fn trimmed(x: &[u64]) -> &[u64] {
    &x[..significant(x)]
}

/// The length of the number in bits.
pub(super) fn bits(x: &[u64]) -> u64 {
    match significant(x) {
        0 => 0,
        length => length as u64 * 64 - u64::from(x[length - 1].leading_zeros()),
    }
}

/// Compares numbers of any lengths.
pub(super) fn compare(a: &[u64], b: &[u64]) -> std::cmp::Ordering {
    let (a, b) = (&a[..significant(a)], &b[..significant(b)]);
    a.len()
        .cmp(&b.len())
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

#[cfg(test)]
mod tests {
    use proptest::collection;
    use proptest::prelude::*;

    use super::*;

    /// Limbs at which carries are longest, and any others.
    fn limb() -> impl Strategy<Value = u64> {
        let end = prop_oneof![Just(0), Just(u32::MAX), Just(1), any::<u32>()];
        (end.clone(), end).prop_map(|(low, high)| u64::from(high) << 32 | u64::from(low))
    }

    proptest! {
        #[test]
        fn signed_products_are_products(a in limb(), b in limb()) {
            let b = b.cast_signed();
            prop_assert_eq!(signed_product(a, b), i128::from(a).wrapping_mul(i128::from(b)));
        }

        #[test]
        fn a_multiple_times_a_factor_is_divided_exactly(
            number in collection::vec(limb(), 0..5),
            factor in limb(),
            divisor in limb().prop_filter("not zero", |&divisor| divisor != 0),
        ) {
            let times = |factor| {
                let mut product = [&number[..], &[0]].concat();
                prop_assert_eq!(mul(&mut product, factor), 0);
                Ok(product)
            };
            let (mut multiple, expected) = (times(divisor)?, times(factor)?);
            ExactDivisor::new(divisor).divide_product(&mut multiple, factor);
            prop_assert_eq!(multiple, expected);
        }

        #[test]
        fn products_by_halves_are_products(a in limb(), b in limb()) {
            prop_assert_eq!(product_by_halves(a, b), u128::from(a) * u128::from(b));
            prop_assert_eq!(product_by_half(a, b & HALF), u128::from(a) * u128::from(b & HALF));
        }
    }
}
