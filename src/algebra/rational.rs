//! Rational functions with exact coefficients, and the generating functions of chains.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};

use super::{Chain, StateId, Stop, Target};
use crate::limits::Budget;
use crate::number::Fraction;

/// The highest exponent of a polynomial.
pub(super) const MOST_DEGREE: usize = 200;

/// The most states of a chain whose generating function is found.
const MOST_STATES: usize = 12;

/// The most products of coefficients for the generating function of a chain: each of the products of two polynomials, of which there are
/// as many as the cube of the states, takes the square of their degree.
const MOST_PRODUCTS: usize = 1 << 20;

/// The most coefficients of a polynomial whose common factors with another one are found.
const MOST_REDUCED: usize = 64;

/// A polynomial from the lowest exponent on. The last coefficient is not 0.
pub(super) type Polynomial = Vec<Fraction>;

/// A quotient of polynomials.
#[derive(Clone)]
pub(super) struct Rational {
    pub(super) top: Polynomial,
    pub(super) bottom: Polynomial,
}

impl Rational {
    /// The number 1.
    pub(super) fn one() -> Self {
        Self {
            top: vec![Fraction::one()],
            bottom: vec![Fraction::one()],
        }
    }

    /// The generating function of the sum of a chain's steps from a state on. `None` if the chain reaches many states, or if the
    /// polynomials are too large, or take too long.
    ///
    /// The generating function of a state is a combination of those of the states to which its steps lead. The equations are solved by
    /// elimination without fractions (Bareiss, *Sylvester's Identity and Multistep Integer-Preserving Gaussian Elimination*, 1968), the
    /// state last. The determinant has no root within the unit circle, because each state reaches an end.
    pub(super) fn of_chain(chain: &Chain, start: StateId) -> Option<Self> {
        let mut states = vec![start];
        let mut at = 0;
        while let Some(state) = states.get(at) {
            for step in &chain.states[state.index()].steps {
                match step.to {
                    Target::State(next) if !states.contains(&next) => states.push(next),
                    _ => {}
                }
            }
            (states.len() <= MOST_STATES).then_some(())?;
            at += 1;
        }
        states.reverse();
        let n = states.len();
        let steps = states
            .iter()
            .flat_map(|state| &chain.states[state.index()].steps);
        let most = steps.map(|step| step.add).max().unwrap_or(0);
        let degree = usize::try_from(most).ok()?.checked_mul(n)?;
        let products = degree.checked_mul(degree)?.checked_mul(n * n * n)?;
        (products <= MOST_PRODUCTS).then_some(())?;
        let constant = |weight: &super::Weight| Fraction::from_integer(weight.clone().into());
        let mut rows = vec![vec![Polynomial::new(); n + 1]; n];
        for (row, state) in rows.iter_mut().zip(&states) {
            let state_at = |next: StateId| states.iter().position(|state| *state == next);
            let own = state_at(*state)?;
            row[own] = vec![constant(&chain.states[state.index()].total)];
            for step in &chain.states[state.index()].steps {
                let (column, sign) = match step.to {
                    Target::State(next) => (state_at(next)?, Fraction::one()),
                    Target::End(_) => (n, -Fraction::one()),
                };
                let add = usize::try_from(step.add)
                    .ok()
                    .filter(|add| *add <= MOST_DEGREE)?;
                subtract(&mut row[column], &vec![constant(&step.weight)], add, &sign);
            }
            for entry in row {
                *entry = trimmed(std::mem::take(entry));
            }
        }
        let mut pivot = vec![Fraction::one()];
        for column in 0..n - 1 {
            let (done, open) = rows.split_at_mut(column + 1);
            let own = &done[column];
            for row in open {
                let factor = row[column].clone();
                for entry in column..=n {
                    let mut both = product(&row[entry], &own[column])?;
                    let other = product(&own[entry], &factor)?;
                    subtract(&mut both, &other, 0, &Fraction::one());
                    (row[entry], _) = divided(&trimmed(both), &pivot);
                }
            }
            pivot.clone_from(&rows[column][column]);
        }
        let last = rows.pop()?;
        let [bottom, top] = [last[n - 1].clone(), last[n].clone()];
        (!bottom.is_empty() && !top.is_empty()).then_some(Self { top, bottom })
    }

    /// The product, if it is not too large.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        Some(Self {
            top: product(&self.top, &other.top)?,
            bottom: product(&self.bottom, &other.bottom)?,
        })
    }

    /// The sum, if it is not too large.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let (mut top, added, bottom) = if self.bottom == other.bottom {
            (self.top.clone(), other.top.clone(), self.bottom.clone())
        } else {
            let top = product(&self.top, &other.bottom)?;
            let added = product(&other.top, &self.bottom)?;
            (top, added, product(&self.bottom, &other.bottom)?)
        };
        subtract(&mut top, &added, 0, &-Fraction::one());
        (bottom.len() <= MOST_REDUCED).then(|| Self {
            top: trimmed(top),
            bottom,
        })
    }

    /// This quotient of another one, if it is not too large.
    pub(super) fn of(&self, inner: &Self) -> Option<Self> {
        let degree = self.top.len().max(self.bottom.len()) - 1;
        let terms = inner.top.len().max(inner.bottom.len());
        (degree.checked_mul(terms)? < MOST_REDUCED).then_some(())?;
        // Both polynomials are multiplied by the same power of the inner denominator, by Horner's rule.
        let of = |outer: &Polynomial| {
            let mut sum = Polynomial::new();
            let mut power = vec![Fraction::one()];
            for exponent in (0..=degree).rev() {
                sum = product(&sum, &inner.top)?;
                if let Some(coefficient) = outer.get(exponent) {
                    subtract(&mut sum, &power, 0, &-coefficient);
                }
                power = product(&power, &inner.bottom)?;
            }
            Some(trimmed(sum))
        };
        Some(Self {
            top: of(&self.top)?,
            bottom: of(&self.bottom)?,
        })
    }

    /// The quotient times a factor.
    pub(super) fn scaled(mut self, factor: &Fraction) -> Self {
        for coefficient in &mut self.top {
            *coefficient *= factor;
        }
        self
    }

    /// The same quotient without common factors of both polynomials, which Euclid's algorithm finds. Long polynomials keep them.
    pub(super) fn reduced(self) -> Self {
        if self.top.len().max(self.bottom.len()) > MOST_REDUCED {
            return self;
        }
        let (mut common, mut rest) = (self.bottom.clone(), self.top.clone());
        while !rest.is_empty() {
            let (_, next) = divided(&common, &rest);
            // With a last coefficient of 1, the others stay as short as they can.
            let last = rest[rest.len() - 1].clone();
            common = rest.into_iter().map(|one| one / &last).collect();
            rest = next;
        }
        let [top, bottom] =
            [self.top, self.bottom].map(|polynomial| divided(&polynomial, &common).0);
        Self { top, bottom }
    }

    /// Multiples of both polynomials in whole numbers without a common divisor. The first coefficient of the denominator is not negative.
    pub(super) fn in_whole_numbers(&self) -> [Vec<BigInt>; 2] {
        let both = [&self.top, &self.bottom];
        let all = || both.iter().flat_map(|polynomial| polynomial.iter());
        let multiple = all().fold(BigInt::one(), |all, one| all.lcm(one.denom()));
        let divisor = all().fold(BigInt::zero(), |all, one| {
            all.gcd(&(one.numer() * (&multiple / one.denom())))
        });
        let sign = self
            .bottom
            .first()
            .map_or(BigInt::one(), |first| first.numer().signum());
        let factor = Fraction::new(multiple * sign, divisor.max(BigInt::one()));
        both.map(|polynomial| {
            polynomial
                .iter()
                .map(|one| (one * &factor).to_integer())
                .collect()
        })
    }

    /// The same quotient of a power of the variable.
    pub(super) fn stretched(&self, by: usize) -> Option<Self> {
        let stretched = |polynomial: &Polynomial| {
            let length = (polynomial.len() - 1).checked_mul(by)?;
            let mut stretched = vec![Fraction::zero(); length.checked_add(1)?];
            (length <= MOST_DEGREE).then_some(())?;
            for (exponent, coefficient) in polynomial.iter().enumerate() {
                stretched[exponent * by].clone_from(coefficient);
            }
            Some(stretched)
        };
        Some(Self {
            top: stretched(&self.top)?,
            bottom: stretched(&self.bottom)?,
        })
    }

    /// The number of terms of the denominator.
    pub(super) fn terms(&self) -> usize {
        let terms = self.bottom.iter().filter(|term| !term.is_zero());
        terms.count()
    }

    /// The number of which all exponents of the denominator are multiples; 0 for a constant.
    pub(super) fn step(&self) -> usize {
        let terms = self.bottom.iter().enumerate();
        let terms = terms.filter(|(_, term)| !term.is_zero());
        terms.fold(0, |step, (exponent, _)| step.gcd(&exponent))
    }

    /// The first coefficients as a power series, over one denominator: with s the step of the denominator B, coefficient k is an integer
    /// over `B(0)^(1 + k/s)` and a constant.
    pub(super) fn series(
        &self,
        length: usize,
        budget: &Budget<'_>,
    ) -> Result<(Vec<BigInt>, BigInt), Stop> {
        let whole = |polynomial: &Polynomial| {
            let denominators = polynomial.iter().map(Fraction::denom);
            let common = denominators.fold(BigInt::one(), |all, one| all.lcm(one));
            let scaled = polynomial.iter();
            let scaled = scaled.map(|term| term.numer() * (&common / term.denom()));
            (scaled.collect::<Vec<_>>(), common)
        };
        let ((top, below), (bottom, above)) = (whole(&self.top), whole(&self.bottom));
        let step = self.step().max(1);
        let deep = length.saturating_sub(1) / step;
        // The coefficients and the powers, and the products of both.
        let bytes = bottom[0].bits().saturating_mul(deep as u64 + 1) / 8;
        budget.has_room_for(bytes.saturating_mul(4 * length as u64))?;
        let mut powers = vec![BigInt::one()];
        for exponent in 0..=deep {
            budget.check()?;
            powers.push(&powers[exponent] * &bottom[0]);
        }
        let others = bottom.iter().enumerate().skip(1);
        let others: Vec<_> = others.filter(|(_, factor)| !factor.is_zero()).collect();
        let mut series: Vec<BigInt> = Vec::with_capacity(length);
        for place in 0..length {
            budget.check()?;
            let mut sum = top
                .get(place)
                .map_or_else(BigInt::zero, |term| term * &above * &powers[place / step]);
            for &(before, factor) in others.iter().take_while(|(before, _)| *before <= place) {
                sum -= factor * &powers[before / step - 1] * &series[place - before];
            }
            series.push(sum);
        }
        for (place, coefficient) in series.iter_mut().enumerate() {
            *coefficient *= &powers[deep - place / step];
        }
        Ok((series, below * &powers[deep + 1]))
    }

    /// The value at 1; `None` at a pole.
    pub(super) fn at_one(&self) -> Option<Fraction> {
        let [top, bottom] = [&self.top, &self.bottom].map(|terms| terms.iter().sum::<Fraction>());
        (!bottom.is_zero()).then(|| top / bottom)
    }
}

/// A polynomial without leading coefficients that are 0.
pub(super) fn trimmed(mut polynomial: Polynomial) -> Polynomial {
    while polynomial.last().is_some_and(Fraction::is_zero) {
        polynomial.pop();
    }
    polynomial
}

/// Subtracts a polynomial times a factor and a power of the variable.
pub(super) fn subtract(from: &mut Polynomial, other: &Polynomial, by: usize, factor: &Fraction) {
    from.resize(from.len().max(other.len() + by), Fraction::zero());
    for (exponent, coefficient) in other.iter().enumerate() {
        if !coefficient.is_zero() {
            from[exponent + by] -= coefficient * factor;
        }
    }
}

/// The product of two polynomials, if it is not too large.
pub(super) fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    (a.len() + b.len() <= MOST_DEGREE + 2).then(|| {
        let mut product = Polynomial::new();
        for (exponent, coefficient) in a.iter().enumerate() {
            subtract(&mut product, b, exponent, &-coefficient);
        }
        trimmed(product)
    })
}

/// The quotient and the rest of a division.
pub(super) fn divided(top: &Polynomial, bottom: &Polynomial) -> (Polynomial, Polynomial) {
    let mut rest = top.clone();
    let mut quotient = Polynomial::new();
    while rest.len() >= bottom.len() {
        let by = rest.len() - bottom.len();
        let factor = &rest[rest.len() - 1] / &bottom[bottom.len() - 1];
        subtract(&mut rest, bottom, by, &factor);
        rest = trimmed(rest);
        quotient.resize(quotient.len().max(by + 1), Fraction::zero());
        quotient[by] = factor;
    }
    (quotient, rest)
}

/// The inverse of a polynomial modulo another one, by Euclid's algorithm; `None` if they have a root in common, or if a limit is
/// reached.
pub(super) fn inverse(
    polynomial: &Polynomial,
    modulus: &Polynomial,
    budget: &Budget<'_>,
) -> Option<Polynomial> {
    let (_, rest) = divided(polynomial, modulus);
    let (mut before, mut rest) = (
        (modulus.clone(), Polynomial::new()),
        (rest, vec![Fraction::one()]),
    );
    while rest.0.len() > 1 {
        budget.look_at_clock().ok()?;
        let (quotient, next) = divided(&before.0, &rest.0);
        let mut factor = before.1;
        subtract(
            &mut factor,
            &product(&quotient, &rest.1)?,
            0,
            &Fraction::one(),
        );
        (before, rest) = (rest, (next, trimmed(factor)));
    }
    let (constant, factor) = rest;
    let constant = constant.into_iter().next()?;
    Some(
        factor
            .into_iter()
            .map(|coefficient| coefficient / &constant)
            .collect(),
    )
}
