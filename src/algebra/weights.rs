//! Vectors of weights that share one width.
//!
//! The weights of a distribution sum to at most its total. So the length of the total bounds every sum of weights, and
//! one width in limbs of 64 bits is enough for all weights of a vector, which lie in one slab. No operation allocates
//! memory for a single weight, and none wraps. An operation panics if a result does not fit the width, since then the
//! bound was wrong.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use num_bigint::BigUint;

use super::limbs::{self, ExactDivisor};

/// A vector of non-negative integers that all have one width, which is a number of limbs of 64 bits.
///
/// Two vectors are equal when their numbers are, whatever their widths.
///
/// # Examples
///
/// The weights of 2d6, from those of d6:
///
/// ```
/// use dicedist::algebra::Weights;
///
/// let die = Weights::from_u64s(vec![1; 6]);
/// let mut two = Weights::zeros(11, 6); // at most 36: six bits
/// for face in 0..6 {
///     two.add_scaled(&die, 1, face);
/// }
/// assert_eq!(two.get(5), 6_u32.into());
/// assert_eq!(two.sum(), 36_u32.into());
/// ```
#[derive(Clone)]
pub struct Weights {
    limbs: Vec<u64>,
    width: usize,
}

impl Weights {
    /// `len` zeros, wide enough for numbers of `bits` bits.
    #[must_use]
    pub fn zeros(len: usize, bits: u64) -> Self {
        Self::with_width(len, limbs::limbs_for(bits))
    }

    pub(super) fn with_width(len: usize, width: usize) -> Self {
        Self {
            limbs: vec![0; len * width],
            width,
        }
    }

    /// [`Weights::zeros`] in the memory of this vector.
    pub(crate) fn renewed(mut self, len: usize, bits: u64) -> Self {
        self.width = limbs::limbs_for(bits);
        self.limbs.clear();
        self.limbs.resize(len * self.width, 0);
        self
    }

    /// A copy of another vector in the memory of this one.
    pub(crate) fn copied_from(mut self, other: &Self) -> Self {
        self.width = other.width;
        self.limbs.clone_from(&other.limbs);
        self
    }

    /// These numbers, 64 bits each.
    #[must_use]
    pub fn from_u64s(numbers: Vec<u64>) -> Self {
        Self {
            limbs: numbers,
            width: 1,
        }
    }

    pub(super) fn from_limbs(limbs: Vec<u64>, width: usize) -> Self {
        debug_assert!(width > 0 && limbs.len().is_multiple_of(width));
        Self { limbs, width }
    }

    /// The bytes that a vector of `len` numbers of `bits` bits takes; saturates.
    #[must_use]
    pub fn bytes_for(len: u64, bits: u64) -> u64 {
        len.saturating_mul(limbs::limbs_for(bits) as u64)
            .saturating_mul(8)
    }

    /// How many bytes this vector takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.limbs.len() as u64 * 8
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.limbs.len() / self.width
    }

    /// The length in bits of the number at an index.
    pub(crate) fn bits_at(&self, index: usize) -> u64 {
        limbs::bits(self.at(index))
    }

    /// Whether there is no number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.limbs.is_empty()
    }

    /// The width of each number, in limbs of 64 bits.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    pub(super) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    pub(super) fn limbs_mut(&mut self) -> &mut [u64] {
        &mut self.limbs
    }

    /// The limbs of one number.
    pub(crate) fn at(&self, index: usize) -> &[u64] {
        &self.limbs[index * self.width..][..self.width]
    }

    pub(super) fn at_mut(&mut self, index: usize) -> &mut [u64] {
        &mut self.limbs[index * self.width..][..self.width]
    }

    /// The number at an index.
    ///
    /// # Panics
    ///
    /// If there is no such index.
    #[must_use]
    pub fn get(&self, index: usize) -> BigUint {
        from_limbs(self.at(index))
    }

    /// The number at an index, if it fits 64 bits.
    ///
    /// # Panics
    ///
    /// If there is no such index.
    #[must_use]
    pub fn get_u64(&self, index: usize) -> Option<u64> {
        match self.at(index) {
            [low, above @ ..] if above.iter().all(|&limb| limb == 0) => Some(*low),
            _ => None,
        }
    }

    /// Whether the number at an index is zero.
    ///
    /// # Panics
    ///
    /// If there is no such index.
    #[must_use]
    pub fn is_zero_at(&self, index: usize) -> bool {
        self.at(index).iter().all(|&limb| limb == 0)
    }

    /// Puts a number at an index.
    ///
    /// # Panics
    ///
    /// If there is no such index, or the number does not fit the width.
    pub fn set(&mut self, index: usize, number: &BigUint) {
        let slot = self.at_mut(index);
        slot.fill(0);
        let digits = number.iter_u64_digits();
        assert!(digits.len() <= slot.len(), "a weight fits the width");
        for (limb, digit) in slot.iter_mut().zip(digits) {
            *limb = digit;
        }
    }

    /// Adds a number to the one at an index.
    ///
    /// # Panics
    ///
    /// If there is no such index, or the sum does not fit the width.
    pub fn add_at(&mut self, index: usize, number: &BigUint) {
        let (slot, digits) = (self.at_mut(index), number.to_u64_digits());
        let fits = digits.len() <= slot.len() && limbs::add(slot, &digits) == 0;
        assert!(fits, "a sum fits the width");
    }

    /// The numbers in order.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = BigUint> + DoubleEndedIterator + Clone + '_ {
        self.limbs.chunks_exact(self.width).map(from_limbs)
    }

    /// The largest length of a number, in bits.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.limbs
            .chunks_exact(self.width)
            .map(limbs::bits)
            .max()
            .unwrap_or(0)
    }

    /// The same numbers in the width for `bits` bits, or in the least width that holds them all if that is wider.
    #[must_use]
    pub fn with_bits(self, bits: u64) -> Self {
        let width = limbs::limbs_for(bits);
        if width == self.width {
            return self;
        }
        let width = if width < self.width {
            width.max(limbs::limbs_for(self.bits()))
        } else {
            width
        };
        if width == self.width {
            return self;
        }
        let mut wider = Self::with_width(self.len(), width);
        let common = width.min(self.width);
        for (to, from) in wider
            .limbs
            .chunks_exact_mut(width)
            .zip(self.limbs.chunks_exact(self.width))
        {
            to[..common].copy_from_slice(&from[..common]);
        }
        wider
    }

    /// Adds another vector, moved up by an offset: its number at i to the number at i + `offset`.
    ///
    /// # Panics
    ///
    /// If the moved vector is longer than this one, or a sum does not fit the width.
    pub fn add(&mut self, other: &Self, offset: usize) {
        self.add_scaled(other, 1, offset);
    }

    /// Adds a small multiple of another vector, moved up by an offset.
    ///
    /// # Panics
    ///
    /// If the moved vector is longer than this one, or a sum does not fit the width.
    pub fn add_scaled(&mut self, other: &Self, scale: u64, offset: usize) {
        let to = &mut self.limbs[offset * self.width..][..other.len() * self.width];
        let over = add_scaled_rows((to, self.width), (&other.limbs, other.width), scale);
        assert_eq!(over, 0, "sums fit the width");
    }

    /// Adds another vector of the same width, modulo `2^(64·width)`. The final sums must fit, but sums on the way need
    /// not.
    pub(super) fn wrapping_add(&mut self, other: &Self, offset: usize) {
        let width = self.width;
        debug_assert_eq!(width, other.width);
        let to = &mut self.limbs[offset * width..][..other.limbs.len()];
        for (a, b) in to
            .chunks_exact_mut(width)
            .zip(other.limbs.chunks_exact(width))
        {
            limbs::add(a, b);
        }
    }

    /// Subtracts as [`Weights::wrapping_add`] adds.
    pub(super) fn wrapping_sub(&mut self, other: &Self, offset: usize) {
        let width = self.width;
        debug_assert_eq!(width, other.width);
        let to = &mut self.limbs[offset * width..][..other.limbs.len()];
        for (a, b) in to
            .chunks_exact_mut(width)
            .zip(other.limbs.chunks_exact(width))
        {
            limbs::sub(a, b);
        }
    }

    /// Adds a multiple of another vector, moved up by an offset.
    ///
    /// # Panics
    ///
    /// If the moved vector is longer than this one, or a sum does not fit the width.
    pub fn add_product(&mut self, other: &Self, scale: &BigUint, offset: usize) {
        let digits = scale.to_u64_digits();
        self.add_limbs_product(other, &digits, offset);
    }

    /// Adds `scale` times the numbers of another vector, from its index `from` on, to the numbers from index `at` on,
    /// until either vector ends.
    ///
    /// # Panics
    ///
    /// If a sum does not fit the width.
    pub(crate) fn add_product_from(&mut self, at: usize, other: &Self, from: usize, scale: &[u64]) {
        let (width, narrower) = (self.width, other.width);
        let to = &mut self.limbs[at * width..];
        let from = &other.limbs[from * narrower..];
        let length = (to.len() / width).min(from.len() / narrower);
        let over = add_rows(
            (&mut to[..length * width], width),
            (&from[..length * narrower], narrower),
            scale,
        );
        assert_eq!(over, 0, "sums fit the width");
    }

    /// Adds `scale` times a run of another vector's numbers to the numbers from index `at` on.
    ///
    /// # Panics
    ///
    /// If a sum does not fit the width.
    pub(super) fn add_run_product(
        &mut self,
        at: usize,
        other: &Self,
        run: Range<usize>,
        scale: &[u64],
    ) {
        let (width, narrower) = (self.width, other.width);
        let to = &mut self.limbs[at * width..][..run.len() * width];
        let from = &other.limbs[run.start * narrower..run.end * narrower];
        let over = add_rows((to, width), (from, narrower), scale);
        assert_eq!(over, 0, "sums fit the width");
    }

    /// As [`Weights::add_product`], with the scale in limbs.
    pub(crate) fn add_limbs_product(&mut self, other: &Self, scale: &[u64], offset: usize) {
        let to = &mut self.limbs[offset * self.width..][..other.len() * self.width];
        let over = add_rows((to, self.width), (&other.limbs, other.width), scale);
        assert_eq!(over, 0, "sums fit the width");
    }

    /// Adds the product of two numbers to the number at an index, which must hold the sum.
    pub(crate) fn add_number_product(&mut self, index: usize, a: &[u64], b: &[u64]) {
        let (a, b) = (limbs::trimmed(a), limbs::trimmed(b));
        let mut over = 0;
        let slot = self.at_mut(index);
        for (shift, &digit) in b.iter().enumerate() {
            match slot.get_mut(shift..) {
                Some(slot) if slot.len() >= a.len() => over |= limbs::add_mul(slot, a, digit),
                _ => over |= u64::from(digit != 0 && !a.is_empty()),
            }
        }
        assert_eq!(over, 0, "a sum fits the width");
    }

    /// Multiplies each number by a factor.
    ///
    /// # Panics
    ///
    /// If a product does not fit the width.
    pub fn multiply(&mut self, factor: u64) {
        let mut over = 0;
        for number in self.limbs.chunks_exact_mut(self.width) {
            over |= limbs::mul(number, factor);
        }
        assert_eq!(over, 0, "products fit the width");
    }

    /// Divides each number by a divisor of all numbers.
    ///
    /// # Panics
    ///
    /// If the divisor is zero or does not divide some number.
    pub fn divide_exactly(&mut self, divisor: u64) {
        assert_ne!(divisor, 0, "a divisor is not zero");
        let divisor = ExactDivisor::new(divisor);
        let mask = (1_u64 << divisor.shift) - 1;
        let mut exact = true;
        for number in self.limbs.chunks_exact_mut(self.width) {
            exact &= number[0] & mask == 0;
            exact &= divisor.divide(number);
        }
        assert!(exact, "the divisor divides each number");
    }

    /// Replaces each number by the sum of all up to and including it.
    ///
    /// # Panics
    ///
    /// If a sum does not fit the width.
    pub fn accumulate(&mut self) {
        let width = self.width;
        let mut over = 0;
        for index in 1..self.len() {
            let (before, rest) = self.limbs.split_at_mut(index * width);
            over |= limbs::add(&mut rest[..width], &before[(index - 1) * width..]);
        }
        assert_eq!(over, 0, "sums fit the width");
    }

    /// The sums over all windows of `length` consecutive indexes; beyond the ends of the vector, numbers count as zero.
    /// This is the product with `1 + x + … + x^(length-1)`, the polynomial of an independent uniform die. One pass.
    ///
    /// # Panics
    ///
    /// If `length` is zero, or a sum does not fit `bits` bits.
    #[must_use]
    pub fn window_sums(&self, length: usize, bits: u64) -> Self {
        assert_ne!(length, 0, "a window is not empty");
        if self.is_empty() {
            return Self::zeros(0, bits);
        }
        let mut sums = Self::zeros(self.len() + length - 1, bits);
        let width = sums.width;
        let common = width.min(self.width);
        let mut over = 0;
        let mut running = vec![0; width];
        for (index, sum) in sums.limbs.chunks_exact_mut(width).enumerate() {
            if index < self.len() {
                let number = self.at(index);
                over |= limbs::add(&mut running, &number[..common]);
                over |= number[common..].iter().fold(0, |all, limb| all | limb);
            }
            if index >= length {
                limbs::sub(&mut running, &self.at(index - length)[..common]);
            }
            sum.copy_from_slice(&running);
        }
        assert_eq!(over, 0, "sums fit the width");
        sums
    }

    /// The sum of all numbers.
    #[must_use]
    pub fn sum(&self) -> BigUint {
        let mut sum = vec![0; self.width + 1];
        for number in self.limbs.chunks_exact(self.width) {
            limbs::add(&mut sum, number);
        }
        from_limbs(&sum)
    }

    /// The indexes from the first number that is not zero to the last; `0..0` if all are zero.
    #[must_use]
    pub fn support(&self) -> Range<usize> {
        let first = self.limbs.iter().position(|&limb| limb != 0);
        let last = self.limbs.iter().rposition(|&limb| limb != 0);
        match (first, last) {
            (Some(first), Some(last)) => first / self.width..last / self.width + 1,
            _ => 0..0,
        }
    }

    /// The numbers at these indexes only.
    ///
    /// # Panics
    ///
    /// If the range does not lie within the vector.
    #[must_use]
    pub fn slice(mut self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len());
        self.limbs.truncate(range.end * self.width);
        self.limbs.drain(..range.start * self.width);
        self
    }

    /// Appends the numbers in reverse order, up to this length. If the length is odd, the middle number is not
    /// repeated.
    pub(super) fn mirror(&mut self, length: usize) {
        let half = self.len();
        debug_assert_eq!(half, length.div_ceil(2));
        self.limbs.resize(length * self.width, 0);
        let (known, mirrored) = self.limbs.split_at_mut(half * self.width);
        for (to, from) in mirrored
            .chunks_exact_mut(self.width)
            .zip(known.chunks_exact(self.width).rev().skip(length % 2))
        {
            to.copy_from_slice(from);
        }
    }

    /// Reverses the order.
    pub fn reverse(&mut self) {
        let width = self.width;
        self.limbs.reverse();
        if width > 1 {
            for number in self.limbs.chunks_exact_mut(width) {
                number.reverse();
            }
        }
    }

    /// How many numbers are not zero.
    #[must_use]
    pub fn count_nonzero(&self) -> usize {
        self.limbs
            .chunks_exact(self.width)
            .filter(|number| number.iter().any(|&limb| limb != 0))
            .count()
    }

    /// Compares two numbers of the vector.
    ///
    /// # Panics
    ///
    /// If there is no such index.
    #[must_use]
    pub fn compare(&self, a: usize, b: usize) -> std::cmp::Ordering {
        limbs::compare(self.at(a), self.at(b))
    }
}

/// The number with these limbs.
pub(super) fn from_limbs(limbs: &[u64]) -> BigUint {
    match &limbs[..limbs::significant(limbs)] {
        [] => BigUint::ZERO,
        [low] => BigUint::from(*low),
        [low, high] => BigUint::from(u128::from(*high) << 64 | u128::from(*low)),
        long => BigUint::new(long.iter().flat_map(|&limb| limbs::halves(limb)).collect()),
    }
}

/// `to += from`, for numbers of one limb; not 0 if a sum does not fit.
fn add_row_of_limbs(to: &mut [u64], from: &[u64]) -> u64 {
    let mut over = false;
    for (a, &b) in to.iter_mut().zip(from) {
        let (sum, carry) = a.overflowing_add(b);
        *a = sum;
        over |= carry;
    }
    u64::from(over)
}

/// `to += from * scale`, for numbers of one limb; not 0 if a sum does not fit.
fn add_scaled_row_of_limbs(to: &mut [u64], from: &[u64], scale: u64) -> u64 {
    let mut over = 0;
    for (a, &b) in to.iter_mut().zip(from) {
        let sum = limbs::product(b, scale) + u128::from(*a);
        *a = limbs::low(sum);
        over |= limbs::high(sum);
    }
    over
}

/// `to += from * scale`, for rows of limbs with their widths; not 0 if a row does not fit.
fn add_rows(
    (to, width): (&mut [u64], usize),
    (from, narrower): (&[u64], usize),
    scale: &[u64],
) -> u64 {
    let scale = limbs::trimmed(scale);
    if let [scale] = *scale {
        return add_scaled_rows((to, width), (from, narrower), scale);
    }
    let mut over = 0;
    for (a, b) in to.chunks_exact_mut(width).zip(from.chunks_exact(narrower)) {
        let b = limbs::trimmed(b);
        // The inner loop is over the longer number.
        let (long, short) = if b.len() < scale.len() {
            (scale, b)
        } else {
            (b, scale)
        };
        for (shift, &digit) in short.iter().enumerate() {
            match a.get_mut(shift..) {
                Some(a) if a.len() >= long.len() => over |= limbs::add_mul(a, long, digit),
                _ => over |= u64::from(digit != 0 && !long.is_empty()),
            }
        }
    }
    over
}

/// As [`add_rows`], for a scale of one limb. Loops for common widths are unrolled.
fn add_scaled_rows(
    (to, width): (&mut [u64], usize),
    (from, narrower): (&[u64], usize),
    scale: u64,
) -> u64 {
    match (width, narrower) {
        (1, 1) if scale == 1 => add_row_of_limbs(to, from),
        (1, 1) => add_scaled_row_of_limbs(to, from, scale),
        (2, 1) => add_scaled_row::<2, 1>(to, from, scale),
        (2, 2) => add_scaled_row::<2, 2>(to, from, scale),
        (3, 2) => add_scaled_row::<3, 2>(to, from, scale),
        (3, 3) => add_scaled_row::<3, 3>(to, from, scale),
        (4, 3) => add_scaled_row::<4, 3>(to, from, scale),
        (4, 4) => add_scaled_row::<4, 4>(to, from, scale),
        (5, 4) => add_scaled_row::<5, 4>(to, from, scale),
        (5, 5) => add_scaled_row::<5, 5>(to, from, scale),
        _ => {
            let common = width.min(narrower);
            let mut over = 0;
            for (a, b) in to.chunks_exact_mut(width).zip(from.chunks_exact(narrower)) {
                over |= if scale == 1 {
                    limbs::add(a, &b[..common])
                } else {
                    limbs::add_mul(a, &b[..common], scale)
                };
                over |= b[common..].iter().fold(0, |all, limb| all | limb);
            }
            over
        }
    }
}

/// `to += from * scale`, for numbers of constant widths; not 0 if a sum does not fit.
fn add_scaled_row<const TO: usize, const FROM: usize>(
    to: &mut [u64],
    from: &[u64],
    scale: u64,
) -> u64 {
    let mut over = 0;
    for (a, b) in to
        .as_chunks_mut::<TO>()
        .0
        .iter_mut()
        .zip(from.as_chunks::<FROM>().0)
    {
        over |= limbs::add_mul(a, b, scale);
    }
    over
}

impl FromIterator<BigUint> for Weights {
    /// These numbers, as narrow as the largest allows.
    fn from_iter<I: IntoIterator<Item = BigUint>>(numbers: I) -> Self {
        let numbers: Vec<BigUint> = numbers.into_iter().collect();
        let bits = numbers.iter().map(BigUint::bits).max().unwrap_or(0);
        let mut weights = Self::zeros(numbers.len(), bits);
        for (index, number) in numbers.iter().enumerate() {
            weights.set(index, number);
        }
        weights
    }
}

impl PartialEq for Weights {
    fn eq(&self, other: &Self) -> bool {
        if self.width == other.width {
            return self.limbs == other.limbs;
        }
        self.len() == other.len()
            && (0..self.len()).all(|index| limbs::compare(self.at(index), other.at(index)).is_eq())
    }
}

impl Eq for Weights {}

impl Hash for Weights {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        for number in self.limbs.chunks_exact(self.width) {
            number[..limbs::significant(number)].hash(state);
        }
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[u128]) -> Weights {
        numbers
            .iter()
            .map(|&number| BigUint::from(number))
            .collect()
    }

    #[test]
    fn vectors_are_as_narrow_as_their_numbers_allow() {
        assert_eq!(of(&[1, u64::MAX.into()]).width(), 1);
        assert_eq!(of(&[1, u128::from(u64::MAX) + 1]).width(), 2);
        assert_eq!(Weights::zeros(3, 129).width(), 3);
        assert_eq!(Weights::zeros(3, 0).width(), 1);
        assert_eq!(of(&[1, 2]).with_bits(200).with_bits(1).width(), 1);
        assert_eq!(of(&[1, 1 << 70]).with_bits(1).width(), 2);
        assert_eq!(of(&[1, 2]), of(&[1, 2]).with_bits(300));
    }

    #[test]
    #[should_panic(expected = "fit the width")]
    fn a_sum_that_does_not_fit_is_no_sum() {
        of(&[u64::MAX.into()]).add(&of(&[1]), 0);
    }

    #[test]
    #[should_panic(expected = "fit the width")]
    fn a_product_that_does_not_fit_is_no_product() {
        of(&[1]).add_product(&of(&[1 << 40]), &(BigUint::from(1_u32) << 30), 0);
    }

    #[test]
    #[should_panic(expected = "fits the width")]
    fn a_wider_number_that_does_not_fit_is_not_cut() {
        of(&[1]).add_at(0, &(BigUint::from(1_u32) << 64));
    }

    #[test]
    #[should_panic(expected = "divides each number")]
    fn a_division_with_a_rest_is_no_division() {
        of(&[6, 7]).divide_exactly(3);
    }

    #[test]
    fn divisions_undo_multiplications() {
        for factor in [1, 2, 3, 6, 10, 64, 96, u64::MAX, 1 << 63, (1 << 63) - 25] {
            let mut numbers = of(&[0, 1, 5, u64::MAX.into(), 1 << 100]).with_bits(256);
            let before = numbers.clone();
            numbers.multiply(factor);
            numbers.divide_exactly(factor);
            assert_eq!(numbers, before, "{factor}");
        }
    }

    #[test]
    fn the_support_leaves_out_zeros_at_both_ends() {
        assert_eq!(of(&[0, 0, 1, 0, 1 << 90, 0]).support(), 2..5);
        assert_eq!(of(&[0, 0]).support(), 0..0);
        assert_eq!(of(&[]).support(), 0..0);
        assert_eq!(of(&[0, 3, 4, 0]).slice(1..3), of(&[3, 4]));
    }

    #[test]
    fn windows_stick_out_at_both_ends() {
        assert_eq!(of(&[1, 2, 3]).window_sums(2, 64), of(&[1, 3, 5, 3]));
        assert_eq!(of(&[1, 2]).window_sums(4, 128), of(&[1, 3, 3, 3, 2]));
        assert_eq!(of(&[]).window_sums(4, 1), of(&[]));
    }

    #[test]
    fn mirrors_keep_the_middle_single() {
        for (half, length, whole) in [
            (&[1, 2][..], 3, &[1, 2, 1][..]),
            (&[1, 2], 4, &[1, 2, 2, 1]),
            (&[1 << 80], 1, &[1 << 80]),
        ] {
            let mut numbers = of(half);
            numbers.mirror(length);
            assert_eq!(numbers, of(whole));
        }
    }
}
