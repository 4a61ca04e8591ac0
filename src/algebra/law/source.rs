//! Where a law with infinitely many outcomes comes from: a finite description of all its weights.
//!
//! What is asked of such a law can be found from its source where the listed part does not tell it, such as the remainders of
//! its outcomes. The remainder of a sum so far is all that counts for the remainder of the whole, so the states of a chain,
//! each with a remainder, are the states of another one.

use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::ToPrimitive as _;

use crate::algebra::remainders::remainders;
use crate::algebra::{Chain, Numbers, Quotient, StateId, Stop, Weight};
use crate::limits::Budget;
use crate::number::Integer;

/// The most parts of a sum that is a source.
const MOST_PARTS: usize = 64;

/// How deep sources may be nested.
const MOST_DEPTH: usize = 8;

/// Where the outcomes of a law come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A generating function.
    Quotient(Arc<Quotient>),
    /// The sum of the steps of a chain from a state on. No mass of the chain lies elsewhere.
    Chain(Arc<Chain>, StateId),
    /// A complete list.
    Listed(Arc<Numbers>),
    /// The first number times the outcome, plus the second.
    Line(Arc<Self>, Integer, Integer),
    /// The sum of independent numbers.
    Sum(Arc<[Self]>),
    /// The sum of so many independent numbers.
    Power(Arc<Self>, u32),
    /// One of several numbers, each with its weight.
    Mixture(Arc<[(Weight, Self)]>),
}

impl Source {
    /// The generating function of the outcomes, if the source is one, or a chain of few states, or a constant more than one of these,
    /// or the sum of several equal ones. Takes as many products of polynomials as the cube of the states of a chain.
    #[must_use]
    pub fn as_quotient(&self) -> Option<Arc<Quotient>> {
        match self {
            Self::Quotient(quotient) => Some(Arc::clone(quotient)),
            Self::Chain(chain, start) => Quotient::of_chain(chain, *start).map(Arc::new),
            Self::Line(source, by, plus) if *by == Integer::ONE => {
                let quotient = source.as_quotient()?.shifted(plus.to_i64()?);
                quotient.map(Arc::new)
            }
            Self::Power(source, n) => source.as_quotient()?.power((*n).into()).map(Arc::new),
            Self::Listed(numbers) => Quotient::of_listed(numbers).map(Arc::new),
            Self::Mixture(parts) => {
                let parts = parts.iter();
                let parts = parts.map(|(weight, part)| Some((weight, part.as_quotient()?)));
                Quotient::mixture(&parts.collect::<Option<Vec<_>>>()?).map(Arc::new)
            }
            Self::Line(..) | Self::Sum(_) => None,
        }
    }

    /// The source of `X + by`.
    pub(super) fn shifted(&self, by: &Integer) -> Option<Self> {
        let shifted = match self {
            Self::Quotient(quotient) => by.to_i64().and_then(|by| quotient.shifted(by)),
            _ => None,
        };
        match shifted {
            Some(quotient) => Some(Self::Quotient(Arc::new(quotient))),
            None => self.line(&Integer::from(1), by),
        }
    }

    /// The source of `X · by + plus`.
    pub(crate) fn line(&self, by: &Integer, plus: &Integer) -> Option<Self> {
        let line = match self {
            Self::Line(inner, factor, constant) => {
                let constant = constant.mul(by).ok()?.add(plus).ok()?;
                Self::Line(Arc::clone(inner), factor.mul(by).ok()?, constant)
            }
            _ => Self::Line(Arc::new(self.clone()), by.clone(), plus.clone()),
        };
        line.if_small()
    }

    /// The source of the sum of two independent numbers.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let parts = |source: &Self| match source {
            Self::Sum(parts) => parts.to_vec(),
            _ => vec![source.clone()],
        };
        Self::Sum([parts(self), parts(other)].concat().into()).if_small()
    }

    /// The source of the sum of `n` independent numbers.
    pub(super) fn power(&self, n: u32) -> Option<Self> {
        match self {
            Self::Quotient(one) => Some(Self::Quotient(Arc::new(one.power(n.into())?))),
            _ => Self::Power(Arc::new(self.clone()), n).if_small(),
        }
    }

    /// The source of one of several numbers, each with its weight.
    pub(super) fn mixture(parts: Vec<(Weight, Self)>) -> Option<Self> {
        Self::Mixture(parts.into()).if_small()
    }

    /// This source, unless it has very many parts.
    fn if_small(self) -> Option<Self> {
        let is_small = match &self {
            Self::Sum(parts) => parts.len() <= MOST_PARTS,
            Self::Mixture(parts) => parts.len() <= MOST_PARTS,
            _ => true,
        };
        (is_small && self.depth() <= MOST_DEPTH).then_some(self)
    }

    fn depth(&self) -> usize {
        match self {
            Self::Quotient(_) | Self::Chain(..) | Self::Listed(_) => 0,
            Self::Line(source, ..) | Self::Power(source, _) => 1 + source.depth(),
            Self::Sum(parts) => 1 + parts.iter().map(Self::depth).max().unwrap_or(0),
            Self::Mixture(parts) => {
                let depths = parts.iter().map(|(_, part)| part.depth());
                1 + depths.max().unwrap_or(0)
            }
        }
    }

    /// The distribution of the outcome modulo a positive number. The weight that is missing never ends. `None` if that takes
    /// many states.
    pub(super) fn residues(
        &self,
        modulus: u64,
        budget: &Budget<'_>,
    ) -> Result<Option<Numbers>, Stop> {
        let of = |source: &Self| source.residues(modulus, budget);
        match self {
            Self::Quotient(quotient) => match quotient.residues(modulus, budget)? {
                Some((residues, n)) => repeated(residues, n, modulus, budget).map(Some),
                None => Ok(None),
            },
            Self::Chain(chain, start) => remainders(chain, *start, modulus, budget),
            Self::Listed(numbers) => reduced(numbers, modulus, budget).map(Some),
            Self::Line(source, by, plus) => match of(source)? {
                Some(residues) => {
                    let line = residues.scaled(&residue(by, modulus))?;
                    let line = line.shifted(&residue(plus, modulus))?;
                    reduced(&line, modulus, budget).map(Some)
                }
                None => Ok(None),
            },
            Self::Sum(parts) => {
                let mut sum = Numbers::certain(Integer::ZERO);
                for part in parts.iter() {
                    let Some(residues) = of(part)? else {
                        return Ok(None);
                    };
                    sum = reduced(&sum.add(&residues, budget)?, modulus, budget)?;
                }
                Ok(Some(sum))
            }
            Self::Power(source, n) => match of(source)? {
                Some(residues) => repeated(residues, (*n).into(), modulus, budget).map(Some),
                None => Ok(None),
            },
            Self::Mixture(parts) => {
                let mut residues = Vec::with_capacity(parts.len());
                for (weight, part) in parts.iter() {
                    let Some(part) = of(part)? else {
                        return Ok(None);
                    };
                    residues.push((weight.clone(), part));
                }
                let all = parts.iter().map(|(weight, _)| weight).sum::<Weight>();
                let parts = residues.iter();
                let parts: Vec<_> = parts.map(|(weight, part)| (weight.clone(), part)).collect();
                Numbers::mixture(&parts, &all, budget).map(Some)
            }
        }
    }
}

/// An outcome modulo a positive number.
fn residue(outcome: &Integer, modulus: u64) -> Integer {
    let residue = outcome.to_big().mod_floor(&BigInt::from(modulus));
    residue.to_i64().expect("less than the modulus").into()
}

/// The distribution of the outcome modulo a positive number.
fn reduced(numbers: &Numbers, modulus: u64, budget: &Budget<'_>) -> Result<Numbers, Stop> {
    numbers.map(|outcome| Ok(Some(residue(outcome, modulus))), budget)
}

/// The distribution of the sum of `n` independent residues, modulo the same number, by repeated squaring.
fn repeated(
    mut residues: Numbers,
    mut n: u64,
    modulus: u64,
    budget: &Budget<'_>,
) -> Result<Numbers, Stop> {
    let mut sum = Numbers::certain(Integer::ZERO);
    while n > 0 {
        if n % 2 == 1 {
            sum = reduced(&sum.add(&residues, budget)?, modulus, budget)?;
        }
        n /= 2;
        if n > 0 {
            residues = reduced(&residues.add(&residues, budget)?, modulus, budget)?;
        }
    }
    Ok(sum)
}
