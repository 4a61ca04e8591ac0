//! The law of the sum of a chain's steps.
//!
//! Independent sums of this kind are the sum of one chain, which begins anew where the first one ends. Its list costs one
//! pass over the values for each step of the chain, where their lists would be multiplied.

use std::sync::Arc;

use super::sums_by_end::{Line, SumsByEnd};
use super::{Chain, Law, Mass, Moments, Numbers, Source, StateId, Stop, Weight};
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

/// Chains with more steps than this are not joined.
const MOST_STEPS: usize = 1 << 10;

/// The law of a number that a chain adds up.
#[derive(Clone, Debug)]
pub(crate) struct ChainLaw {
    pub(crate) law: Law,
    /// Whether the rest is not listed because it is no more probable than the tolerance.
    pub(crate) is_cut: bool,
}

impl ChainLaw {
    /// The law of the sum of a chain's steps from a state on, whatever the way in which the chain ends. It is listed until
    /// the rest is no more probable than the tolerance, or until `most` values are listed ([`Chain::sums`]).
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub(crate) fn of(
        chain: &Arc<Chain>,
        start: StateId,
        tolerance: &Fraction,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let sums = chain.sums(start, tolerance, most, budget)?;
        let listed = match sums.listed.into_iter().next() {
            Some((_, listed)) => listed,
            None => Numbers::impossible(sums.total.clone()),
        };
        let unresolved = &sums.total - listed.mass() - &sums.tail - &sums.never;
        let is_resolved = unresolved == Weight::ZERO;
        let is_cut = sums.tail != Weight::ZERO && sums.tail_from < most;
        let tail = Mass::at_or_above(Integer::from_big(sums.tail_from.into())?, sums.tail);
        let moments = if !is_resolved {
            None
        } else if tail.weight == Weight::ZERO {
            Some(Moments::of(&listed))
        } else {
            let moments = chain.moments(start, 2, budget)?;
            Some(Moments {
                ends: moments[0].clone(),
                first: Some(moments[1].clone()),
                second: Some(moments[2].clone()),
            })
        };
        let masses = vec![tail, Mass::anywhere(unresolved)];
        let law = Law::new(listed, masses, sums.never, moments).reduced(budget)?;
        let source = is_resolved.then(|| Source::Chain(Arc::clone(chain), start));
        Ok(Self {
            law: law.coming_from(source),
            is_cut,
        })
    }

    /// The law of a number that is a line of the sum of a chain's steps, another one for each way to end. For a way without a line, the
    /// number is not known. It is listed as [`ChainLaw::of`] says.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub(crate) fn by_end(
        chain: &Arc<Chain>,
        start: StateId,
        lines: &[Option<Line>],
        tolerance: &Fraction,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        if let [Some(line)] = lines {
            return Self::of(chain, start, tolerance, most, budget)?.line(line, budget);
        }
        let sums = SumsByEnd::of(chain, start, tolerance, most, budget)?;
        let has_tail = sums.ends.iter().any(|sums| sums.tail != Weight::ZERO);
        let known = if has_tail {
            sums.moments((chain, start), lines, budget)?
        } else {
            None
        };
        Ok(Self {
            law: sums.law(lines, known, tolerance, budget)?,
            is_cut: sums.is_cut,
        })
    }

    /// A line of the number.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub(crate) fn line(self, line: &Line, budget: &Budget<'_>) -> Result<Self, Stop> {
        let law = line.of(&self.law, budget)?;
        Ok(Self { law, ..self })
    }
}

/// A factor times the sum of a chain's steps, plus a constant.
#[derive(Clone, Debug)]
pub(crate) struct LineOfChain {
    chain: Arc<Chain>,
    start: StateId,
    line: Line,
}

impl LineOfChain {
    /// The line that a law comes from. `None` for a law that comes from something else.
    pub(crate) fn of(law: &Law) -> Option<Self> {
        let source = law.unlisted.as_ref()?.source.as_ref()?;
        let (source, [factor, constant]) = match source {
            Source::Line(inner, factor, constant) => {
                (&**inner, [factor, constant].map(Integer::clone))
            }
            other => (other, [Integer::ONE, Integer::ZERO]),
        };
        match source {
            Source::Chain(chain, start) => Some(Self {
                chain: Arc::clone(chain),
                start: *start,
                line: Line { factor, constant },
            }),
            _ => None,
        }
    }

    /// The sum of two independent numbers. `None` if their factors differ, or if their chains are long.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let steps = self.chain.steps() + other.chain.steps();
        if self.line.factor != other.line.factor || steps > MOST_STEPS {
            return None;
        }
        Some(Self {
            chain: Arc::new(self.chain.then(&other.chain, other.start)),
            start: self.start,
            line: Line {
                factor: self.line.factor.clone(),
                constant: self.line.constant.add(&other.line.constant).ok()?,
            },
        })
    }

    /// The law of the number. It is listed as [`ChainLaw::of`] says.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub(crate) fn law(
        &self,
        tolerance: &Fraction,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<ChainLaw, Stop> {
        let sum = ChainLaw::of(&self.chain, self.start, tolerance, most, budget)?;
        sum.line(&self.line, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{EndId, Target};
    use crate::limits::{Limits, Unobserved};

    /// How often a coin with so many other sides shows heads before it shows anything else, times a factor, plus a constant.
    fn heads(others: u32, factor: i64, constant: i64, budget: &Budget<'_>) -> Law {
        let mut chain = Chain::new();
        let start = chain.add_state((others + 1).into());
        chain.add_step(start, 1_u32.into(), 1, Target::State(start));
        chain.add_step(start, others.into(), 0, Target::End(EndId(7)));
        let tolerance = Fraction::new(1.into(), 1000.into());
        let law = ChainLaw::of(&Arc::new(chain), start, &tolerance, 100, budget);
        let line = Line {
            factor: factor.into(),
            constant: constant.into(),
        };
        law.and_then(|law| law.line(&line, budget)).unwrap().law
    }

    fn share(law: &Law, outcome: i64) -> Fraction {
        let weight = law.listed.weight_of(&outcome.into());
        Fraction::new(weight.into(), law.total().clone().into())
    }

    #[test]
    fn the_heads_of_two_coins_are_those_of_one_chain() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let tolerance = Fraction::new(1.into(), 1_000_000.into());
        let (a, b) = (heads(1, -2, 5, &budget), heads(2, -2, -1, &budget));
        let [a, b] = [a, b].map(|law| LineOfChain::of(&law).unwrap());
        let sum = a.plus(&b).unwrap();
        let sum = sum.law(&tolerance, 100, &budget).unwrap();
        assert!(sum.is_cut);
        // n heads in all: Σ_i (1/2)^(i+1) · (2/3)·(1/3)^(n-i) = 2·(1/2)^(n+1) - 2·(1/3)^(n+1)
        let power = |base: i64, n: u32| Fraction::new(2.into(), base.pow(n + 1).into());
        for n in 0..20_u32 {
            let expected = power(2, n) - power(3, n);
            assert_eq!(share(&sum.law, 4 - 2 * i64::from(n)), expected, "{n}");
        }
        // The mean number of heads is 1 + 1/2, with variances 2 and 3/4.
        let moments = sum.law.moments().unwrap();
        assert_eq!(moments.first, Some(Fraction::from_integer(1.into())));
        assert_eq!(moments.second, Some(Fraction::from_integer(12.into())));
        assert!(sum.law.unlisted.unwrap().below.is_some());
    }

    #[test]
    fn chains_with_other_factors_are_not_joined() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let laws = [heads(1, 1, 0, &budget), heads(1, 2, 0, &budget)];
        let [a, b] = laws.map(|law| LineOfChain::of(&law).unwrap());
        assert!(a.plus(&b).is_none());
        assert!(LineOfChain::of(&Numbers::die(6).into()).is_none());
    }
}
