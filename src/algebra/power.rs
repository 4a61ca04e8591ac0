//! Powers: the sum or the product of n independent values with one distribution, and the sum of a random number of
//! them.

use super::convolution::{self, convolve};
use super::numbers::memory;
use super::recurrence::{Recurrence, Terms};
use super::{Numbers, Stop, Weight, Weights, limbs, product};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;

impl Numbers {
    /// The sum of n independent values with this distribution; 0 if n is 0.
    ///
    /// Let the die have t faces, the sum L possible values, and a weight W limbs. The coefficients of a power of a
    /// polynomial satisfy a recurrence, which takes about `L·W·t` steps. A uniform die of any number of sides takes
    /// `L·W·4`, since `F = ((1-xᵐ)/(1-x))ⁿ` satisfies `(1-x)(1-xᵐ)·F' = n·(1 - m·xᵐ⁻¹ + (m-1)·xᵐ)·F`. Symmetric
    /// distributions take half.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let sum = Numbers::die(6).power(100, &budget)?;
    /// assert_eq!(sum.weight_of(&101.into()), 100_u32.into()); // one of 100 dice shows a 2
    /// assert_eq!(sum.mass(), *sum.total());
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn power(&self, n: u64, budget: &Budget<'_>) -> Result<Self, Stop> {
        match n {
            0 => Ok(Self::certain(Integer::ZERO)),
            1 => Ok(self.clone()),
            _ => sum_of_powers(&[(self, n)], budget),
        }
    }

    /// The sum of n values, one after the other, for outcomes far apart.
    fn power_of_scattered(&self, n: u64, budget: &Budget<'_>) -> Result<Self, Stop> {
        let mut sum = self.clone();
        for _ in 1..n {
            sum = sum.combined(self, |a, b| Ok(Some(a.add(b)?)), budget)?;
        }
        Ok(sum)
    }

    /// The product of n independent values with this distribution; 1 if n is 0.
    ///
    /// If the outcomes are products of few factors, the exponents of the factors are added, and no outcomes are
    /// multiplied.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let product = Numbers::die(6).product_power(2, &budget)?;
    /// assert_eq!(product.weight_of(&12.into()), 4_u32.into()); // 2·6, 3·4, 4·3, 6·2
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn product_power(&self, n: u64, budget: &Budget<'_>) -> Result<Self, Stop> {
        match n {
            0 => return Ok(Self::certain(Integer::ONE)),
            1 => return Ok(self.clone()),
            _ => {}
        }
        if let Some(product) = super::factors::product_power(self, n, budget)? {
            return Ok(product);
        }
        let mut product = self.clone();
        for _ in 1..n {
            product = product.combined(self, |a, b| Ok(Some(a.mul(b)?)), budget)?;
        }
        Ok(product)
    }

    /// The sum of a random number of independent values: `count` is the distribution of the number, `value` that of a
    /// value. The mass of negative numbers lies elsewhere afterwards.
    ///
    /// The law: `Σₙ P(count = n)·Pⁿ` with P the distribution of a value. It is evaluated by Horner's rule over one
    /// total.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`] and [`Stop::Overflow`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let sum = Numbers::random_sum(&Numbers::die(2), &Numbers::die(6), &budget)?;
    /// assert_eq!(sum.total(), &72_u32.into());
    /// assert_eq!(sum.weight_of(&2.into()), 7_u32.into()); // (1/6 + 1/36) / 2
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn random_sum(count: &Self, value: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        let count = count.filtered(|n| !n.is_negative());
        let counts: Vec<(u64, Weight)> = count
            .iter()
            .map(|(n, weight)| {
                let n = n.to_i64().and_then(|n| u64::try_from(n).ok());
                n.map(|n| (n, weight)).ok_or(memory(budget))
            })
            .collect::<Result<_, _>>()?;
        let Some((mut exponent, weight)) = counts.last().cloned() else {
            return Ok(count);
        };
        let mut total = count.total().clone();
        let mut scale = Weight::from(1_u32);
        let zero = Self::certain(Integer::ZERO);
        let mut sum = Self::measure_sum(&[(weight, &zero)], total.clone(), budget)?;
        for (n, weight) in counts.into_iter().rev().skip(1).chain([(0, Weight::ZERO)]) {
            let step = value.power(exponent - n, budget)?;
            scale *= step.total();
            total *= step.total();
            sum = sum.add(&step, budget)?;
            exponent = n;
            if weight != Weight::ZERO {
                let parts = [(Weight::from(1_u32), &sum), (weight * &scale, &zero)];
                sum = Self::measure_sum(&parts, total.clone(), budget)?;
            }
        }
        Ok(sum)
    }
}

/// The number of multisets with n members of this many kinds; saturates.
fn multisets(kinds: u64, n: u64) -> u64 {
    let mut count = 1_u128;
    for member in 1..kinds.min(n + 1) {
        let (larger, smaller) = (kinds.max(n + 1) - 1, member);
        count = count * u128::from(larger + smaller) / u128::from(smaller);
        if count > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// The sum of independent values, n of each distribution in `parts`. One recurrence gives the whole sum if that is
/// cheapest: `F = Π Pᵢ^nᵢ` satisfies `F' = F·Σ nᵢ·Pᵢ'/Pᵢ`.
pub(super) fn sum_of_powers(
    parts: &[(&Numbers, u64)],
    budget: &Budget<'_>,
) -> Result<Numbers, Stop> {
    let mut total = Weight::from(1_u32);
    // The product of the weights of the parts that are constants.
    let mut scale = Weight::from(1_u32);
    let (mut first, mut last) = (Integer::ZERO, Integer::ZERO);
    let mut is_impossible = false;
    let mut varied = Vec::new();
    for &(part, n) in parts.iter().filter(|(_, n)| *n > 0) {
        let length = (part.weights().len() as u64)
            .saturating_sub(1)
            .saturating_mul(n);
        let least_bits = (part.mass().bits().max(1) - 1).saturating_mul(n);
        // A result that is too long is refused before anything long is computed: it has `length` weights of about half
        // of `least_bits`.
        Reserved::new(budget, Weights::bytes_for(length, least_bits / 2))?;
        total *= product::power(part.total(), n, budget)?;
        let (Some(low), Some(high)) = (part.min(), part.max()) else {
            is_impossible = true;
            continue;
        };
        let times = Integer::from_big(n.into())?;
        first = first.add(&low.mul(&times)?)?;
        last = last.add(&high.mul(&times)?)?;
        if part.only().is_some() {
            scale *= product::power(&part.mass(), n, budget)?;
        } else {
            varied.push((part, n));
        }
    }
    if is_impossible {
        return Ok(Numbers::impossible(total));
    }
    if varied.is_empty() {
        let weights = std::iter::once(scale).collect();
        return Ok(Numbers::from_points(vec![first], weights, total));
    }
    if let Some((step, factors)) = factors_of(&varied) {
        let weights = match &factors[..] {
            [factor] => Some(power_of_factor(factor, &scale, total.bits(), budget)?),
            _ => product_of_factors(&factors, &scale, total.bits(), budget)?,
        };
        if let Some(weights) = weights {
            return Ok(Numbers::from_lattice(&first, &step, weights, total));
        }
    }
    let powers = varied
        .iter()
        .map(|(part, n)| match varied.len() {
            1 => part.power_of_scattered(*n, budget),
            _ => part.power(*n, budget),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let constant = first.sub(&powers.iter().try_fold(Integer::ZERO, |sum, power| {
        sum.add(power.min().unwrap_or(&Integer::ZERO))
    })?)?;
    let sum = Numbers::sum(&powers, budget)?.shifted(&constant)?;
    sum.weighted(&scale, total, budget)
}

/// One distribution in a sum: its weights from its first outcome on, which are `stride` common steps apart, and the
/// number n of its values.
struct Factor {
    weights: Weights,
    stride: usize,
    n: u64,
}

impl Factor {
    fn degree(&self) -> u64 {
        (self.weights.len() as u64 - 1).saturating_mul(self.stride as u64)
    }

    fn is_symmetric(&self) -> bool {
        let length = self.weights.len();
        (0..length / 2).all(|index| self.weights.at(index) == self.weights.at(length - 1 - index))
    }

    fn terms(&self) -> Option<Terms> {
        Some(Terms::of_weights(&self.weights)?.stretched(self.stride))
    }
}

/// The common step and the factors; `None` if the outcomes are too far apart for vectors of weights.
fn factors_of(parts: &[(&Numbers, u64)]) -> Option<(Integer, Vec<Factor>)> {
    let mut lattices = Vec::with_capacity(parts.len());
    let mut all = 1_u64;
    for &(part, n) in parts {
        // There are no more sums than multisets of n outcomes.
        let sums = multisets(part.len() as u64, n);
        all = all.saturating_mul(sums);
        let most = sums.saturating_mul(64).saturating_add(64) / n + 1;
        lattices.push((part.clone().into_lattice_within(most)?, n));
    }
    let mut step = lattices.first()?.0.step.clone();
    for (lattice, _) in &lattices {
        step = gcd(step, lattice.step.clone());
    }
    let factors = lattices
        .into_iter()
        .map(|(lattice, n)| {
            Some(Factor {
                weights: lattice.weights,
                stride: lattice.step.div(&step)?.to_usize()?,
                n,
            })
        })
        .collect::<Option<Vec<Factor>>>()?;
    // Of all parts together, few sums may lie far apart, although those of each do not.
    let steps = factors.iter().fold(0_u64, |steps, factor| {
        steps.saturating_add(factor.degree().saturating_mul(factor.n))
    });
    (steps <= all.saturating_mul(64).saturating_add(64)).then_some((step, factors))
}

fn gcd(mut a: Integer, mut b: Integer) -> Integer {
    while let Some(rest) = a.rem(&b) {
        (a, b) = (b, rest);
    }
    a
}

/// The power of one factor times a scale. All weights sum to less than `2^bits`.
fn power_of_factor(
    factor: &Factor,
    scale: &Weight,
    bits: u64,
    budget: &Budget<'_>,
) -> Result<Weights, LimitReached> {
    let width = limbs::limbs_for(bits) as u64;
    let squarings = squaring_cost(&factor.weights, factor.n, width);
    let factors = std::slice::from_ref(factor);
    if let Some(weights) = by_recurrence(factors, scale, bits, squarings, budget)? {
        return Ok(weights);
    }
    let mut power = power_by_squaring(&factor.weights, factor.n, budget)?;
    if *scale != Weight::from(1_u32) {
        let mut scaled = Weights::zeros(power.len(), bits);
        scaled.add_product(&power, scale, 0);
        power = scaled;
    }
    Ok(power)
}

/// The product of powers of factors by one recurrence; `None` if separate powers are cheaper.
fn product_of_factors(
    factors: &[Factor],
    scale: &Weight,
    bits: u64,
    budget: &Budget<'_>,
) -> Result<Option<Weights>, LimitReached> {
    // The cost of separate powers: a few steps a limb for each power, then its product with the powers before it.
    let mut separate = 0_u64;
    let (mut length, mut width) = (1_u64, 1_u64);
    for factor in factors {
        let own_length = factor.degree().saturating_mul(factor.n).saturating_add(1);
        let own_width = factor.weights.sum().bits().saturating_mul(factor.n) / 64 + 1;
        let power = own_length.saturating_mul(own_width).saturating_mul(4);
        let sum_width = width + own_width;
        let product = convolution::cost((length, width), (own_length, own_width), sum_width);
        separate = separate.saturating_add(power).saturating_add(product);
        (length, width) = (length.saturating_add(own_length), sum_width);
    }
    by_recurrence(factors, scale, bits, separate, budget)
}

/// The product of powers of factors by one recurrence; `None` if there is no recurrence of at most this cost.
fn by_recurrence(
    factors: &[Factor],
    scale: &Weight,
    bits: u64,
    most: u64,
    budget: &Budget<'_>,
) -> Result<Option<Weights>, LimitReached> {
    let degree = factors.iter().fold(0_u64, |sum, factor| {
        sum.saturating_add(factor.degree().saturating_mul(factor.n))
    });
    let width = limbs::limbs_for(bits);
    let least_bits = bits.saturating_sub(factors.len() as u64);
    let _reserved = Reserved::new(budget, Weights::bytes_for(degree, least_bits))?;
    let length = usize::try_from(degree)
        .ok()
        .and_then(|degree| degree.checked_add(1))
        .ok_or_else(|| memory(budget))?;
    let is_symmetric = factors.iter().all(Factor::is_symmetric);
    let needed = if is_symmetric {
        length.div_ceil(2)
    } else {
        length
    };
    // The terms of the factors as they are, sorted, and times a few powers of `1-x`.
    let points = factors.iter().map(|factor| factor.weights.len()).sum();
    match budget.has_room_for_members::<[u64; 32]>(points) {
        Err(LimitReached::Memory(_)) => return Ok(None),
        asked => asked?,
    }
    let terms = factors
        .iter()
        .map(|factor| Some((factor.terms()?, i128::from(factor.n))))
        .collect::<Option<Vec<_>>>();
    let Some(recurrence) = terms
        .and_then(|terms| Recurrence::of_powers(&terms, needed))
        .filter(|recurrence| recurrence.cost(width as u64) <= most)
    else {
        return Ok(None);
    };
    let mut start = scale.clone();
    for factor in factors {
        start *= product::power(&factor.weights.get(0), factor.n, budget)?;
    }
    let mut power = recurrence.run(&start, width, None, budget)?;
    if is_symmetric {
        power.mirror(length);
    }
    Ok(Some(power))
}

/// The approximate time of repeated squaring, in steps of a limb.
fn squaring_cost(weights: &Weights, n: u64, width: u64) -> u64 {
    let half = (weights.len() as u64).saturating_mul(n) / 2 + 1;
    let operand = (half, width / 2 + 1);
    convolution::cost(operand, operand, width).saturating_mul(3) / 2
}

fn power_by_squaring(
    weights: &Weights,
    n: u64,
    budget: &Budget<'_>,
) -> Result<Weights, LimitReached> {
    let mass = weights.sum();
    let mut power = weights.clone();
    let mut reached = 1;
    let top = n.ilog2();
    for bit in (0..top).rev() {
        reached *= 2;
        let bits = mass.bits().saturating_mul(reached);
        power = convolve(&power, &power, bits, budget)?;
        if n >> bit & 1 == 1 {
            reached += 1;
            let bits = mass.bits().saturating_mul(reached);
            power = convolve(&power, weights, bits, budget)?;
        }
    }
    Ok(power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Unobserved};

    fn weights(faces: &[u64]) -> Weights {
        Weights::from_u64s(faces.to_vec())
    }

    /// Each coefficient by the definition of a product.
    fn product(a: &[Weight], b: &[Weight]) -> Vec<Weight> {
        let mut product = vec![Weight::ZERO; a.len() + b.len() - 1];
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        product
    }

    #[test]
    fn recurrence_and_squaring_agree_with_products() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        for faces in [
            &[1, 1, 1, 1, 1, 1][..],
            &[3, 3, 3, 3, 3],
            &[7, 3],
            &[1, 0, 0, 5],
            &[1, 2, 3, 4, 3, 2, 1],
            &[4, 6, 2, 8],
            &[1 << 40, 12, 1 << 41],
            &[u64::MAX, 1, u64::MAX],
        ] {
            let one: Vec<Weight> = faces.iter().map(|&face| face.into()).collect();
            let mass: Weight = one.iter().sum();
            let mut expected = one.clone();
            for n in 2..40_u64 {
                expected = product(&expected, &one);
                let bits = mass.bits() * n;
                let expected: Weights = expected.iter().cloned().collect();
                let factor = Factor {
                    weights: weights(faces),
                    stride: 1,
                    n,
                };
                let scale = Weight::from(1_u32);
                let squared = power_by_squaring(&factor.weights, n, &budget).unwrap();
                assert_eq!(squared, expected, "{faces:?}^{n} by squaring");
                let factors = std::slice::from_ref(&factor);
                let known = by_recurrence(factors, &scale, bits, u64::MAX, &budget).unwrap();
                if faces[0] < u64::MAX {
                    assert_eq!(known, Some(expected), "{faces:?}^{n} by recurrence");
                } else {
                    assert_eq!(known, None, "a weight too long for the recurrence");
                }
            }
        }
    }

    #[test]
    fn one_recurrence_for_several_dice_agrees_with_products() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let factors = [
            (&[1, 1, 1, 1][..], 2, 5),
            (&[1; 7], 1, 20),
            (&[2, 0, 1], 3, 7),
        ]
        .map(|(faces, stride, n)| Factor {
            weights: weights(faces),
            stride,
            n,
        });
        let mut expected = vec![Weight::from(3_u32)];
        for factor in &factors {
            let mut stretched = vec![Weight::ZERO; usize::try_from(factor.degree()).unwrap() + 1];
            for (index, weight) in factor.weights.iter().enumerate() {
                stretched[index * factor.stride] = weight;
            }
            for _ in 0..factor.n {
                expected = product(&expected, &stretched);
            }
        }
        let found = by_recurrence(&factors, &Weight::from(3_u32), 100, u64::MAX, &budget);
        assert_eq!(found.unwrap(), Some(expected.into_iter().collect()));
    }

    #[test]
    fn multisets_are_counted() {
        assert_eq!(multisets(3, 2), 6);
        assert_eq!(multisets(6, 50), 3_478_761);
        assert_eq!(multisets(1, 1_000), 1);
        assert_eq!(multisets(1 << 40, 1 << 40), u64::MAX);
    }

    #[test]
    fn products_leave_the_range_of_small_integers() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let faces = [-10, 0, 10].map(|face: i64| (face.into(), Weight::from(1_u32)));
        let product = Numbers::new(faces, 3_u32.into())
            .product_power(40, &budget)
            .unwrap();
        let big = Integer::from(10).pow(40).unwrap();
        assert_eq!(product.weight_of(&big), Weight::from(1_u32) << 39);
        assert_eq!(
            product.weight_of(&big.neg().unwrap()),
            Weight::from(1_u32) << 39
        );
        assert_eq!(product.mass(), *product.total());
        let long = Numbers::certain(Integer::from(2).pow(60_000).unwrap());
        assert_eq!(long.product_power(2, &budget), Err(Stop::Overflow));
        assert_eq!(long.power(3, &budget).unwrap().len(), 1);
    }

    #[test]
    fn products_of_dice_without_any_factor_are_zero() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let zero = Numbers::certain(Integer::ZERO);
        assert_eq!(zero.product_power(3, &budget), Ok(zero));
        let one = Numbers::certain(Integer::ONE);
        assert_eq!(one.product_power(3, &budget), Ok(one));
    }

    #[test]
    fn what_cannot_be_held_is_refused_at_once() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        for (sides, n) in [(9_999_999, 9_999_999), (6, u64::MAX), (2, 10_000_000)] {
            let found = Numbers::die(sides).power(n, &budget);
            assert!(
                matches!(found, Err(Stop::Limit(LimitReached::Memory(_)))),
                "{n}d{sides}"
            );
        }
    }
}
