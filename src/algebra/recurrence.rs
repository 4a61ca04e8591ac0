//! Power series F whose derivative is a rational function times F: each coefficient follows from a few before it.
//!
//! Let `A·F' = B·F + C·G'` for polynomials A, B, C and a known series G. Comparing coefficients of `x^(i-1)` gives
//!
//! ```text
//! A₀·i·fᵢ = Σ_{j≥1} (B_{j-1} - A_j·(i-j))·f_{i-j} + Σ_{j≥0} C_j·(i-j)·g_{i-j}
//! ```
//!
//! So a coefficient takes multiplications by numbers of one limb and one exact division, in a single pass over the
//! limbs from the lowest up. For a power `F = Pⁿ`, A is P and B is n·P' (Knuth, *The Art of Computer Programming*, vol.
//! 2, 4.7, algorithm due to Euler). The equation is first multiplied by a common factor if this leaves A and B with
//! fewer terms.

use num_bigint::BigUint;

use super::Weights;
use super::limbs::{self, ExactDivisor, low};
use crate::limits::{Budget, LimitReached, Reserved};

/// A polynomial with few terms: exponents and coefficients, none zero, exponents ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Terms(Vec<(usize, i128)>);

impl Terms {
    /// Sorts the terms and adds those with equal exponents.
    pub(super) fn new(mut terms: Vec<(usize, i128)>) -> Self {
        terms.sort_by_key(|&(exponent, _)| exponent);
        let mut merged: Vec<(usize, i128)> = Vec::with_capacity(terms.len());
        for (exponent, coefficient) in terms {
            match merged.last_mut() {
                Some((last, sum)) if *last == exponent => *sum += coefficient,
                _ => merged.push((exponent, coefficient)),
            }
        }
        merged.retain(|&(_, coefficient)| coefficient != 0);
        Self(merged)
    }

    /// The terms of a vector of coefficients, if each fits 62 bits.
    pub(super) fn of_weights(weights: &Weights) -> Option<Self> {
        let mut terms = Vec::new();
        for index in 0..weights.len() {
            match weights.get_u64(index)? {
                0 => {}
                weight if weight >> 62 == 0 => terms.push((index, i128::from(weight))),
                _ => return None,
            }
        }
        Some(Self(terms))
    }

    fn constant(constant: i128) -> Self {
        Self::new(vec![(0, constant)])
    }

    /// `1 - x`.
    fn difference() -> Self {
        Self(vec![(0, 1), (1, -1)])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, i128)> + '_ {
        self.0.iter().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The length in bits of the longest coefficient.
    pub(super) fn bits(&self) -> u32 {
        let bits =
            |&(_, factor): &(usize, i128)| i128::BITS - factor.unsigned_abs().leading_zeros();
        self.0.iter().map(bits).max().unwrap_or(0)
    }

    /// The constant term.
    pub(super) fn at_zero(&self) -> i128 {
        self.0.first().map_or(
            0,
            |&(exponent, factor)| if exponent == 0 { factor } else { 0 },
        )
    }

    /// The sum of the coefficients.
    pub(super) fn at_one(&self) -> i128 {
        self.0.iter().map(|&(_, factor)| factor).sum()
    }

    /// The least exponent.
    pub(super) fn least(&self) -> usize {
        self.0.first().map_or(0, |&(exponent, _)| exponent)
    }

    /// The second least exponent.
    pub(super) fn second(&self) -> Option<usize> {
        self.0.get(1).map(|&(exponent, _)| exponent)
    }

    /// Divided by `x^by`, which must divide every term.
    pub(super) fn lowered(&self, by: usize) -> Self {
        let terms = self.0.iter();
        Self(
            terms
                .map(|&(exponent, factor)| (exponent - by, factor))
                .collect(),
        )
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        let opposite = other
            .0
            .iter()
            .map(|&(exponent, factor)| (exponent, -factor));
        self.plus(&Self(opposite.collect()))
    }

    /// With all exponents times a factor.
    pub(super) fn stretched(&self, factor: usize) -> Self {
        let terms = self.0.iter();
        Self(
            terms
                .map(|&(exponent, weight)| (exponent * factor, weight))
                .collect(),
        )
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self::new([self.0.as_slice(), other.0.as_slice()].concat())
    }

    /// The largest exponent.
    pub(super) fn degree(&self) -> usize {
        self.0.last().map_or(0, |&(exponent, _)| exponent)
    }

    /// Times `x^by`.
    pub(super) fn shifted(&self, by: usize) -> Self {
        let terms = self.0.iter();
        Self(
            terms
                .map(|&(exponent, factor)| (exponent + by, factor))
                .collect(),
        )
    }

    /// The derivative, times a factor.
    pub(super) fn derivative(&self, factor: i128) -> Self {
        let terms = self.0.iter().filter(|&&(exponent, _)| exponent > 0);
        Self(
            terms
                .map(|&(exponent, coefficient)| {
                    let slope = coefficient.saturating_mul(to_i128(exponent));
                    (exponent - 1, slope.saturating_mul(factor))
                })
                .collect(),
        )
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut products = Vec::with_capacity(self.0.len() * other.0.len());
        for &(a, left) in &self.0 {
            for &(b, right) in &other.0 {
                products.push((a + b, left.saturating_mul(right)));
            }
        }
        Self::new(products)
    }

    /// The product; `None` if a coefficient could be too large.
    fn times_in_range(&self, other: &Self) -> Option<Self> {
        (self.bits() + other.bits() < 100).then(|| self.times(other))
    }

    /// The product; `None` if it has too many terms, or if a coefficient could be too large.
    pub(super) fn product(&self, other: &Self) -> Option<Self> {
        let has_few_terms = self.len() * other.len() < MOST_TERMS;
        has_few_terms.then(|| self.times_in_range(other))?
    }

    /// The power; `None` as for [`Terms::product`].
    pub(super) fn power(&self, exponent: u32) -> Option<Self> {
        let one = Self::constant(1);
        (0..exponent).try_fold(one, |power, _| power.product(self))
    }

    pub(super) fn plus_constant(&self, constant: i128) -> Self {
        self.plus(&Self::constant(constant))
    }
}

fn to_i128(number: usize) -> i128 {
    number as i128
}

/// The most terms of an equation that is tried.
const MOST_TERMS: usize = 1 << 12;

/// The polynomials times the power of `1-x`, up to the third, that leaves the fewest terms, and the exponent of this
/// power.
fn sparsest(polynomials: &[Terms]) -> (i128, Vec<Terms>) {
    let count = |terms: &[Terms]| terms.iter().map(Terms::len).sum::<usize>();
    let mut best = (0, polynomials.to_vec());
    // Three differences make a coefficient 8 times as large at most.
    if polynomials.iter().any(|terms| terms.bits() > 120) {
        return best;
    }
    let mut tried = polynomials.to_vec();
    for order in 1..=3 {
        for terms in &mut tried {
            *terms = terms.times(&Terms::difference());
        }
        if count(&tried) < count(&best.1) {
            best = (order, tried.clone());
        }
    }
    best
}

/// The term of coefficient i that is `(constant + slope·i)` times coefficient `i - shift`.
#[derive(Clone, Copy, Debug)]
struct Term {
    shift: usize,
    constant: i64,
    slope: i64,
}

impl Term {
    fn factor(self, index: usize) -> i64 {
        // Within range by the bound that `Recurrence::from_equation` checks.
        self.constant + self.slope * index.cast_signed() as i64
    }
}

/// The equation, ready to give the first `length` coefficients: coefficient i times `lead·i` is the sum of all terms.
#[derive(Debug)]
pub(super) struct Recurrence {
    /// The constant term of A.
    lead: u64,
    /// The terms with earlier coefficients of F.
    own: Vec<Term>,
    /// The terms with coefficients of G.
    given: Vec<Term>,
    /// The number of coefficients.
    length: usize,
}

impl Recurrence {
    /// The equation of a product of powers `F = Π Pᵢ^nᵢ`; `None` if it has too many terms or a factor does not fit a
    /// limb.
    ///
    /// An exponent may be negative. With the sparsest `Zᵢ = (1-x)^jᵢ·Pᵢ`, the equation is
    /// `F'/F = Σ nᵢ·Zᵢ'/Zᵢ + Σ nᵢ·jᵢ/(1-x)`, multiplied out.
    pub(super) fn of_powers(factors: &[(Terms, i128)], length: usize) -> Option<Self> {
        let mut poles = 0_i128;
        let mut sparse: Vec<(Terms, i128)> = Vec::with_capacity(factors.len());
        for (base, n) in factors {
            let (order, terms) = sparsest(std::slice::from_ref(base));
            poles = poles.checked_add(n.checked_mul(order)?)?;
            sparse.extend(terms.into_iter().map(|terms| (terms, *n)));
        }
        let size = sparse
            .iter()
            .fold(1_usize, |size, (terms, _)| size.saturating_mul(terms.len()));
        if size > MOST_TERMS {
            return None;
        }
        let product = |skipped: Option<usize>| {
            let mut kept = sparse
                .iter()
                .enumerate()
                .filter(|(index, _)| Some(*index) != skipped);
            kept.try_fold(Terms::constant(1), |product, (_, (terms, _))| {
                product.times_in_range(terms)
            })
        };
        let mut a = product(None)?;
        let mut b = Terms::default();
        for (index, (terms, n)) in sparse.iter().enumerate() {
            b = b.plus(
                &terms
                    .derivative(*n)
                    .times_in_range(&product(Some(index))?)?,
            );
        }
        if poles != 0 {
            b = b
                .times_in_range(&Terms::difference())?
                .plus(&a.times_in_range(&Terms::constant(poles))?);
            a = a.times_in_range(&Terms::difference())?;
        }
        Self::from_equation(&a, &b, &Terms::default(), 0, length)
    }

    /// The equation `A·F' = B·F + C·G'` for the first `length` coefficients, where G is `x^offset` times the source
    /// that [`Recurrence::run`] is given. `None` if a factor does not fit a limb, or A has no constant term.
    ///
    /// All three polynomials may first be multiplied by some `(1-x)ʲ`. This leaves few terms of runs of equal weights,
    /// as those of a uniform die.
    pub(super) fn new(
        a: &Terms,
        b: &Terms,
        given: Option<(&Terms, usize)>,
        length: usize,
    ) -> Option<Self> {
        let nothing = Terms::default();
        let (c, offset) = given.unwrap_or((&nothing, 0));
        let (_, best) = sparsest(&[a.clone(), b.clone(), c.clone()]);
        let [a, b, c] = <[Terms; 3]>::try_from(best).ok()?;
        Self::from_equation(&a, &b, &c, offset, length)
    }

    /// The equation of these polynomials as they are; `None` as for [`Recurrence::new`].
    fn from_equation(
        a: &Terms,
        b: &Terms,
        c: &Terms,
        offset: usize,
        length: usize,
    ) -> Option<Self> {
        let lead = match a.0.first() {
            Some(&(0, lead)) => u64::try_from(lead).ok()?,
            _ => return None,
        };
        let span = i128::try_from(length).ok()?;
        // Each factor times a limb, summed over all terms, stays below 2^126.
        let terms = to_i128(a.len() + b.len() + c.len() + 1);
        let bound = (1_i128 << 61) / terms / 2;
        let fits = |term: (usize, i128, i128)| {
            let (shift, constant, slope) = term;
            let most = constant
                .unsigned_abs()
                .checked_add(slope.unsigned_abs().checked_mul(span.unsigned_abs())?)?;
            (most < bound.unsigned_abs()).then_some(())?;
            Some(Term {
                shift,
                constant: i64::try_from(constant).ok()?,
                slope: i64::try_from(slope).ok()?,
            })
        };
        i128::from(lead)
            .checked_mul(span)
            .filter(|&most| most < bound)?;
        let shifted = b.0.iter().map(|&(exponent, b)| (exponent + 1, b, 0));
        let mut own: Vec<(usize, i128, i128)> = a.0[1..]
            .iter()
            .map(|&(exponent, a)| {
                Some((
                    exponent,
                    a.checked_mul(to_i128(exponent))?,
                    a.checked_neg()?,
                ))
            })
            .collect::<Option<Vec<_>>>()?;
        own.extend(shifted);
        own.sort_by_key(|&(shift, ..)| shift);
        own.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
                kept.2 = kept.2.saturating_add(next.2);
            }
            same
        });
        let given = c.0.iter().map(|&(exponent, c)| {
            let constant = c.checked_mul(to_i128(exponent))?.checked_neg()?;
            fits((exponent + offset, constant, c))
        });
        Some(Self {
            lead,
            own: own.into_iter().map(fits).collect::<Option<_>>()?,
            given: given.collect::<Option<_>>()?,
            length,
        })
    }

    /// The approximate time of a run, in steps of a limb.
    pub(super) fn cost(&self, width: u64) -> u64 {
        (self.length as u64)
            .saturating_mul(width)
            .saturating_mul((self.own.len() + self.given.len()) as u64 + 4)
    }

    /// The coefficients from the first on, which is `start`. Each must be a non-negative integer that fits the width.
    pub(super) fn run(
        &self,
        start: &BigUint,
        width: usize,
        source: Option<&Weights>,
        budget: &Budget<'_>,
    ) -> Result<Weights, LimitReached> {
        let bytes = (self.length as u64).saturating_mul(width as u64 + 1);
        let _reserved = Reserved::new(budget, bytes.saturating_mul(8))?;
        let mut series = Weights::with_width(self.length, width);
        if self.length == 0 {
            return Ok(series);
        }
        series.set(0, start);
        // The significant limbs of each coefficient. The first coefficients are often short.
        let mut tops: Vec<usize> = vec![0; self.length];
        tops[0] = limbs::significant(series.at(0));
        let source_tops: Vec<usize> = source.map_or_else(Vec::new, |source| {
            (0..source.len())
                .map(|index| limbs::significant(source.at(index)))
                .collect()
        });
        let source_limbs = source.map_or(&[][..], Weights::limbs);
        debug_assert!(source.is_none_or(|source| source.width() == width));
        let (mut own, mut given) = (Vec::new(), Vec::new());
        for index in 1..self.length {
            let top = gather(&self.own, index, &tops, width, &mut own);
            let top = gather(&self.given, index, &source_tops, width, &mut given).max(top);
            if top == 0 {
                continue;
            }
            let (before, row) = series.limbs_mut().split_at_mut(index * width);
            let active = (top + 1).min(width);
            let row = &mut row[..active];
            let products = Products {
                own: (&own, before),
                given: (&given, source_limbs),
                active,
            };
            budget.work((active * (products.len() + 4)) as u64)?;
            let divisor = ExactDivisor::new(self.lead * index as u64);
            match products.len() {
                1 => divided_sum(products.all::<1>(), divisor, row),
                2 => divided_sum(products.all::<2>(), divisor, row),
                3 => divided_sum(products.all::<3>(), divisor, row),
                4 => divided_sum(products.all::<4>(), divisor, row),
                5 => divided_sum(products.all::<5>(), divisor, row),
                6 => divided_sum(products.all::<6>(), divisor, row),
                _ => products.divided(divisor, row),
            }
            tops[index] = limbs::significant(row);
        }
        Ok(series)
    }
}

/// The start of a number in a slab, and the factor of this number.
type Factor = (usize, i64);

/// The factors for coefficient `index`, without those of coefficients that are zero. Returns the number of limbs of the
/// longest coefficient that is left.
fn gather(
    terms: &[Term],
    index: usize,
    tops: &[usize],
    width: usize,
    factors: &mut Vec<Factor>,
) -> usize {
    factors.clear();
    let mut top = 0;
    for term in terms {
        let Some(from) = index.checked_sub(term.shift) else {
            break;
        };
        let known = tops.get(from).copied().unwrap_or(0);
        let factor = term.factor(index);
        if known == 0 || factor == 0 {
            continue;
        }
        top = top.max(known);
        factors.push((from * width, factor));
    }
    top
}

/// Numbers times their factors, each with as many limbs as are active.
struct Products<'a> {
    /// Factors of the first slab, and the slab.
    own: (&'a [Factor], &'a [u64]),
    /// Factors of the second slab, and the slab.
    given: (&'a [Factor], &'a [u64]),
    active: usize,
}

impl<'a> Products<'a> {
    fn len(&self) -> usize {
        self.own.0.len() + self.given.0.len()
    }

    /// All numbers with their factors, of which there are N.
    fn all<const N: usize>(&self) -> [(&'a [u64], i64); N] {
        let ((own, before), (given, source)) = (self.own, self.given);
        std::array::from_fn(|place| {
            let (slab, (start, factor)) = match place.checked_sub(own.len()) {
                None => (before, own[place]),
                Some(place) => (source, given[place]),
            };
            (&slab[start..start + self.active], factor)
        })
    }

    /// As [`divided_sum`], for any number of products.
    fn divided(&self, divisor: ExactDivisor, row: &mut [u64]) {
        divide_limbs(divisor, row, |limb| {
            let mut sum = 0;
            for (factors, slab) in [self.own, self.given] {
                for &(start, factor) in factors {
                    sum += limbs::signed_product(slab[start + limb], factor);
                }
            }
            sum
        });
    }
}

/// `row` = the sum of all numbers times their factors, over the divisor. N is known, so that the sum of a limb is no loop: runs of
/// equal weights leave few products.
fn divided_sum<const N: usize>(
    products: [(&[u64], i64); N],
    divisor: ExactDivisor,
    row: &mut [u64],
) {
    // Known to be as long as the row, so that no index is checked.
    let products = products.map(|(number, factor)| (&number[..row.len()], factor));
    divide_limbs(divisor, row, |limb| {
        let mut sum = 0;
        for (number, factor) in products {
            sum += limbs::signed_product(number[limb], factor);
        }
        sum
    });
}

/// `row` = the dividend over the divisor, in one pass from the low limb up. `sum` is what the dividend has at a limb; its absolute
/// value is below 2^126 by the bound that [`Recurrence::from_equation`] checks.
#[inline]
fn divide_limbs(divisor: ExactDivisor, row: &mut [u64], sum: impl Fn(usize) -> i128) {
    let mut carry = 0_i128;
    let mut division = None;
    for limb in 0..row.len() {
        carry += sum(limb);
        let next = low(carry.cast_unsigned());
        carry >>= 64;
        match &mut division {
            None => division = Some(divisor.division(next)),
            Some(division) => row[limb - 1] = division.next(next),
        }
    }
    if let (Some(mut division), Some(last)) = (division, row.last_mut()) {
        *last = division.next(low(carry.cast_unsigned()));
        debug_assert_eq!(
            division.next(low((carry >> 64).cast_unsigned())),
            0,
            "a coefficient is an integer that fits"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_long_coefficients_are_refused() {
        let weight = (1 << 49) + 1;
        let die = |more: [i128; 5]| Terms::new((0..).zip(more.map(|more| weight + more)).collect());
        let factors = [
            (die([7, 0, 3, 9, 2]), 80),
            (die([0, 0, 3, 11, 2]), 90),
            (die([0, 31, 3, 9, 2]), 70),
        ];
        assert!(Recurrence::of_powers(&factors, 500).is_none());
    }
}
