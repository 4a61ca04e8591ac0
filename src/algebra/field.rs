//! Convolutions modulo a prime, by transforms.
//!
//! A list of numbers is a polynomial, known by its values at the `n` roots of unity of order `n` as well as by its coefficients. The
//! values of a product are products of values, and the transform from one to the other takes `n·log n` steps (Pollard, "The fast
//! Fourier transform in a finite field", 1971). Lengths are powers of two, or three times that.
//!
//! All numbers have 32 bits and their products 64, since browsers have no wider ones. Products are reduced as Montgomery does
//! ("Modular multiplication without trial division", 1985), which takes a factor of 2^32 away: so roots are kept times 2^32.

// Residues and orders are below 2^31, and Montgomery's step is about the low half.
#![allow(clippy::cast_possible_truncation)]

use crate::limits::{Budget, LimitReached};

/// A transform no longer than this fits a near cache, so it goes level by level.
const NEAR: usize = 1 << 12;

/// The field of a prime between 2^30 and 2^31. It is no more than a name for its operations: a residue is a number below `P`.
pub(super) struct Field<const P: u32>;

impl<const P: u32> Field<P> {
    /// The inverse of `-P` modulo 2^32, by Newton's steps.
    const NEGATED_INVERSE: u32 = {
        let mut inverse = 1_u32;
        let mut step = 0;
        while step < 5 {
            inverse = inverse.wrapping_mul(2_u32.wrapping_sub(P.wrapping_mul(inverse)));
            step += 1;
        }
        inverse.wrapping_neg()
    };
    /// 2^32 modulo `P`.
    pub(super) const RADIX: u32 = ((1 << 32) % P as u64) as u32;

    /// `a·b`, slowly.
    pub(super) const fn plain_product(a: u32, b: u32) -> u32 {
        (a as u64 * b as u64 % P as u64) as u32
    }

    /// A power, slowly.
    const fn power(base: u32, mut exponent: u32) -> u32 {
        let (mut result, mut square) = (1, base);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = Self::plain_product(result, square);
            }
            square = Self::plain_product(square, square);
            exponent >>= 1;
        }
        result
    }

    /// The number whose product with this is 1, by Fermat's theorem.
    pub(super) const fn inverse(number: u32) -> u32 {
        Self::power(number, P - 2)
    }

    /// `a·b/2^32`, for any `a` and a residue `b`.
    #[inline]
    pub(super) fn product(a: u32, b: u32) -> u32 {
        let product = u64::from(a) * u64::from(b);
        let multiple = (product as u32).wrapping_mul(Self::NEGATED_INVERSE);
        let sum = (product + u64::from(multiple) * u64::from(P)) >> 32;
        Self::reduced(sum as u32)
    }

    /// A number below `2·P`, reduced.
    #[inline]
    pub(super) fn reduced(number: u32) -> u32 {
        number.min(number.wrapping_sub(P))
    }

    /// A root of unity of an order, times 2^32.
    fn root(order: usize, generator: u32) -> u32 {
        let root = Self::power(generator, (P - 1) / order as u32);
        Self::plain_product(root, Self::RADIX)
    }

    /// The first powers of a root, times 2^32.
    fn powers(root: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(Self::RADIX), move |&power| {
            Some(Self::product(power, root))
        })
    }

    /// The powers of the roots of unity of each order up to a power of two, times 2^32: those of order `2·m` begin at `m`.
    fn roots(length: usize, generator: u32) -> Vec<u32> {
        let mut roots = vec![Self::RADIX; length.max(2)];
        let mut half = length / 2;
        let root = Self::root(length, generator);
        for (place, power) in roots[half..].iter_mut().zip(Self::powers(root)) {
            *place = power;
        }
        while half > 1 {
            let (lower, upper) = roots.split_at_mut(half);
            half /= 2;
            for (place, power) in lower[half..].iter_mut().zip(upper.iter().step_by(2)) {
                *place = *power;
            }
        }
        roots
    }

    /// The first level of a transform whose length is three times that of `powers`.
    fn split_in_three(values: &mut [u32], powers: &[u32], third_root: u32) {
        let (low, rest) = values.split_at_mut(powers.len());
        let (middle, high) = rest.split_at_mut(powers.len());
        for (((low, middle), high), &power) in low.iter_mut().zip(middle).zip(high).zip(powers) {
            let (a, b, c) = (*low, *middle, *high);
            // The three roots add up to nothing.
            let turned = Self::product(b + P - c, third_root);
            *low = Self::reduced(Self::reduced(a + b) + c);
            *middle = Self::product(Self::reduced(a + P - c) + turned, power);
            let high_sum = Self::reduced(a + P - b) + P - turned;
            *high = Self::product(Self::product(high_sum, power), power);
        }
    }

    /// The last level on the way back.
    fn join_three(values: &mut [u32], powers: &[u32], third_root: u32) {
        let (low, rest) = values.split_at_mut(powers.len());
        let (middle, high) = rest.split_at_mut(powers.len());
        for (((low, middle), high), &power) in low.iter_mut().zip(middle).zip(high).zip(powers) {
            let (a, b) = (*low, Self::product(*middle, power));
            let c = Self::product(Self::product(*high, power), power);
            let turned = Self::product(b + P - c, third_root);
            *low = Self::reduced(Self::reduced(a + b) + c);
            *middle = Self::reduced(Self::reduced(a + P - c) + turned);
            *high = Self::reduced(Self::reduced(a + P - b) + P - turned);
        }
    }

    /// One level of [`forward`](Self::forward).
    #[inline]
    fn split(values: &mut [u32], roots: &[u32]) {
        let half = values.len() / 2;
        let (low, high) = values.split_at_mut(half);
        for ((low, high), &root) in low.iter_mut().zip(high).zip(&roots[half..2 * half]) {
            let (a, b) = (*low, *high);
            *low = Self::reduced(a + b);
            *high = Self::product(a + P - b, root);
        }
    }

    /// One level of [`backward`](Self::backward).
    #[inline]
    fn join(values: &mut [u32], roots: &[u32]) {
        let half = values.len() / 2;
        let (low, high) = values.split_at_mut(half);
        for ((low, high), &root) in low.iter_mut().zip(high).zip(&roots[half..2 * half]) {
            let (a, b) = (*low, Self::product(*high, root));
            *low = Self::reduced(a + b);
            *high = Self::reduced(a + P - b);
        }
    }

    /// The transform, its values in the order of reversed bits.
    fn forward(values: &mut [u32], roots: &[u32]) {
        if values.len() > NEAR {
            Self::split(values, roots);
            let (low, high) = values.split_at_mut(values.len() / 2);
            Self::forward(low, roots);
            return Self::forward(high, roots);
        }
        let mut length = values.len();
        while length > 1 {
            for block in values.chunks_exact_mut(length) {
                Self::split(block, roots);
            }
            length /= 2;
        }
    }

    /// The transform of values in the order of reversed bits.
    fn backward(values: &mut [u32], roots: &[u32]) {
        if values.len() > NEAR {
            let (low, high) = values.split_at_mut(values.len() / 2);
            Self::backward(low, roots);
            Self::backward(high, roots);
            return Self::join(values, roots);
        }
        let mut length = 2;
        while length <= values.len() {
            for block in values.chunks_exact_mut(length) {
                Self::join(block, roots);
            }
            length *= 2;
        }
    }

    /// The convolution of two lists of any numbers, which together are no longer than `length`.
    ///
    /// `generator` generates the field's multiplication; `length` divides `P - 1`, and is a power of two or three times one.
    pub(super) fn convolution(
        [a, b]: [&[u32]; 2],
        length: usize,
        generator: u32,
        budget: &Budget<'_>,
    ) -> Result<Vec<u32>, LimitReached> {
        let part = 1 << length.trailing_zeros();
        let roots = Self::roots(part, generator);
        let third_root = Self::root(3, generator);
        let powers = if part < length {
            Self::powers(Self::root(length, generator))
                .take(part)
                .collect()
        } else {
            Vec::new()
        };
        let transformed = |digits: &[u32]| {
            let mut values = Vec::with_capacity(length);
            values.extend(digits.iter().map(|digit| digit % P));
            values.resize(length, 0);
            if part < length {
                Self::split_in_three(&mut values, &powers, third_root);
            }
            for part in values.chunks_exact_mut(part) {
                Self::forward(part, &roots);
            }
            values
        };
        budget.look_at_clock()?;
        let mut values = transformed(a);
        budget.look_at_clock()?;
        // A product takes away a factor of 2^32, and there are two of them.
        let scale = Self::plain_product(Self::RADIX, Self::RADIX);
        let scale = Self::plain_product(scale, Self::inverse(length as u32));
        if std::ptr::eq(a, b) {
            for value in &mut values {
                *value = Self::product(Self::product(*value, *value), scale);
            }
        } else {
            for (value, other) in values.iter_mut().zip(transformed(b)) {
                *value = Self::product(Self::product(*value, other), scale);
            }
        }
        budget.look_at_clock()?;
        for part in values.chunks_exact_mut(part) {
            Self::backward(part, &roots);
        }
        if part < length {
            Self::join_three(&mut values, &powers, third_root);
        }
        // The roots of the way back are the inverse ones, which are the same in the other order.
        values[1..].reverse();
        Ok(values)
    }
}
