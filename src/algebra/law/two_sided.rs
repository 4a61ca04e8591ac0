//! Sums of independent numbers of which some rise without end, and others fall without end.
//!
//! Let `P(z)/B(z)` be the generating function of the sum of all that rise, and `C(w)/D(w)` with `w = 1/z` that of all that fall.
//! All roots of B lie outside the unit circle, and those of D, as a polynomial in z, inside. So they have none in common, and the
//! product is `U(z)/B(z) + V(w)/D(w)` by partial fractions, which Euclid's algorithm finds. The first part has the coefficients of
//! the powers of z, the other those of w, and all are rational (Graham, Knuth and Patashnik, *Concrete Mathematics*, 7.3).

use std::ops::RangeInclusive;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Zero as _};

use super::Law;
use super::known::Known;
use super::parts::Mass;
use super::source::Source;
use crate::algebra::rational::{
    MOST_DEGREE, Polynomial, Rational, divided, inverse, product, subtract, trimmed,
};
use crate::algebra::{Numbers, Stop, Weight};
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

/// The most terms that are added for all outcomes.
const MOST_TERMS: usize = 40_000;

/// The most roots of the two denominators, as polynomials in the power of z whose multiples are all their exponents.
const MOST_STEPS: usize = 48;

/// The generating function of a sum: a quotient in z, one in 1/z, and a power of z.
#[derive(Clone)]
struct Sides {
    rising: Rational,
    falling: Rational,
    shift: i64,
}

impl Law {
    /// The law of what comes from a source, with its outcomes in a range and perhaps a few others listed, if it has no end on
    /// either side. `None` if its generating function is not known, or too large.
    pub(super) fn two_sided(
        source: &Source,
        range: RangeInclusive<i64>,
        known: Option<Known>,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, Stop> {
        let Some(sides) = Sides::of(source) else {
            return Ok(None);
        };
        sides.law(range, known, budget)
    }
}

impl Sides {
    fn of(source: &Source) -> Option<Self> {
        let sides = match source {
            Source::Chain(chain, start) => Self::rising(Rational::of_chain(chain, *start)?),
            Source::Mixture(_) | Source::Quotient(_) => {
                let (one, n) = source.as_quotient()?.as_rational()?;
                Self::rising(one).power(n)?
            }
            Source::Listed(numbers) => Self::listed(numbers)?,
            Source::Line(source, by, plus) => {
                Self::of(source)?.line(by.to_i64()?, plus.to_i64()?)?
            }
            Source::Sum(parts) => {
                let mut parts = parts.iter().map(Self::of);
                let first = parts.next()??;
                parts.try_fold(first, |sum, part| sum.plus(&part?))?
            }
            Source::Power(source, n) => Self::of(source)?.power((*n).into())?,
        };
        // What may never end has a chance that is less than 1 at 1, or none.
        let is_proper = [&sides.rising, &sides.falling]
            .iter()
            .all(|side| side.at_one() == Some(Fraction::one()));
        is_proper.then_some(sides)
    }

    fn rising(rising: Rational) -> Self {
        Self {
            rising,
            falling: Rational::one(),
            shift: 0,
        }
    }

    fn listed(numbers: &Numbers) -> Option<Self> {
        let shift = numbers.min()?.to_i64()?;
        let mut top = Polynomial::new();
        for (outcome, weight) in numbers.iter() {
            let exponent = usize::try_from(outcome.to_i64()?.checked_sub(shift)?).ok()?;
            (exponent <= MOST_DEGREE).then_some(())?;
            top.resize(exponent, Fraction::zero());
            top.push(Fraction::from_integer(weight.into()));
        }
        let bottom = vec![Fraction::from_integer(numbers.total().clone().into())];
        (numbers.mass() == *numbers.total()).then(|| Self {
            shift,
            ..Self::rising(Rational { top, bottom })
        })
    }

    /// That of `by` times the number, plus another one.
    fn line(self, by: i64, plus: i64) -> Option<Self> {
        (by != 0).then_some(())?;
        let [rising, falling] = [self.rising, self.falling]
            .map(|quotient| quotient.stretched(usize::try_from(by.unsigned_abs()).ok()?));
        let (rising, falling) = match by {
            1.. => (rising?, falling?),
            _ => (falling?, rising?),
        };
        Some(Self {
            rising,
            falling,
            shift: self.shift.checked_mul(by)?.checked_add(plus)?,
        })
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        Some(Self {
            rising: self.rising.times(&other.rising)?,
            falling: self.falling.times(&other.falling)?,
            shift: self.shift.checked_add(other.shift)?,
        })
    }

    fn power(&self, n: u64) -> Option<Self> {
        let mut power = self.clone();
        for _ in 1..n.min(MOST_DEGREE as u64 + 1) {
            power = power.plus(self)?;
        }
        (1..=MOST_DEGREE as u64).contains(&n).then_some(power)
    }

    fn law(
        &self,
        range: RangeInclusive<i64>,
        known: Option<Known>,
        budget: &Budget<'_>,
    ) -> Result<Option<Law>, Stop> {
        let Some(((rising, lowest), (falling, highest))) = self.parts(budget) else {
            return Ok(None);
        };
        // Beyond the ends each outcome has a chance from one part alone.
        let first = *range.start().min(&lowest).min(&highest);
        let last = *range.end().max(&lowest).max(&highest);
        let length =
            |from: i64, to: i64| usize::try_from(to.checked_sub(from)?.checked_add(1)?).ok();
        let lengths = length(lowest, last).zip(length(first, highest));
        let terms = rising.terms() + falling.terms();
        let is_small = |&(up, down): &(usize, usize)| {
            up.saturating_add(down).saturating_mul(terms) <= MOST_TERMS
        };
        let Some((up, down)) = lengths.filter(is_small) else {
            return Ok(None);
        };
        let (Some(above), Some(below)) = (rising.at_one(), falling.at_one()) else {
            return Ok(None);
        };
        let (ups, downs) = (rising.series(up, budget)?, falling.series(down, budget)?);
        let denominators = [&ups.1, &downs.1, above.denom(), below.denom()];
        let total = denominators
            .iter()
            .fold(BigInt::one(), |all, one| all.lcm(one));
        let factors = [&ups, &downs].map(|(_, own)| &total / own);
        let sum = |outcome: i64| {
            let up = usize::try_from(outcome - lowest).ok();
            let down = usize::try_from(highest - outcome).ok();
            let up = up.map(|place| &ups.0[place] * &factors[0]);
            let down = down.map(|place| &downs.0[place] * &factors[1]);
            up.into_iter().chain(down).sum::<BigInt>()
        };
        let sums: Vec<BigInt> = (first..=last).map(sum).collect();
        let rest = |all: &Fraction, listed: &[BigInt], factor: &BigInt| {
            all.numer() * (&total / all.denom()) - listed.iter().sum::<BigInt>() * factor
        };
        let above = rest(&above, &ups.0, &factors[0]);
        let below = rest(&below, &downs.0, &factors[1]);
        let weight = |sum: &BigInt| sum.magnitude().clone();
        let masses = vec![
            Mass::at_or_above(last.saturating_add(1).into(), weight(&above)),
            Mass::at_or_below(first.saturating_sub(1).into(), weight(&below)),
        ];
        let listed = (first..).map(Integer::from).zip(sums.iter().map(weight));
        let listed = Numbers::new(listed, total.magnitude().clone());
        Ok(Some(Law::with_known(listed, masses, Weight::ZERO, known)))
    }

    /// The two parts of the generating function: a quotient in z with the power of z of its first coefficient, and one in 1/z with
    /// that of its first coefficient. `None` if one of them is 0, the polynomials are too large, or a limit is reached.
    fn parts(&self, budget: &Budget<'_>) -> Option<((Rational, i64), (Rational, i64))> {
        let Self {
            rising,
            falling,
            shift,
        } = self;
        // The part that falls as a quotient of polynomials in z, times a power of z.
        let [top, bottom] = [&falling.top, &falling.bottom].map(|polynomial| {
            let mut turned = polynomial.clone();
            turned.reverse();
            trimmed(turned)
        });
        let step = rising.step().gcd(&falling.step()).max(1);
        let degrees = rising.bottom.len() + falling.bottom.len() - 2;
        (degrees / step <= MOST_STEPS).then_some(())?;
        let degree = |polynomial: &Polynomial| i64::try_from(polynomial.len()).ok();
        let shift = shift.checked_add(degree(&falling.bottom)? - degree(&falling.top)?)?;
        let top = product(&rising.top, &top)?;
        let of_rising = product(&top, &inverse(&bottom, &rising.bottom, budget)?)?;
        let (_, of_rising) = divided(&of_rising, &rising.bottom);
        let mut rest = top;
        subtract(
            &mut rest,
            &product(&of_rising, &bottom)?,
            0,
            &Fraction::one(),
        );
        let (mut of_falling, _) = divided(&trimmed(rest), &rising.bottom);
        let highest = shift + degree(&of_falling)? - degree(&bottom)?;
        of_falling.reverse();
        let is_two_sided = !of_rising.is_empty() && !of_falling.is_empty();
        is_two_sided.then(|| {
            let up = Rational {
                top: of_rising,
                bottom: rising.bottom.clone(),
            };
            let down = Rational {
                top: of_falling,
                bottom: falling.bottom.clone(),
            };
            ((up, shift), (down, highest))
        })
    }
}
