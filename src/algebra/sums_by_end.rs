//! What steps add up, where a number follows from the sum and from the way to end.

use std::collections::BTreeMap;

use num_traits::One;

use super::law::{Known, Listing as _, MeanBetween};
use super::weight::{lcm, probability};
use super::{Chain, EndId, Law, Mass, Moments, Numbers, StateId, Stop, Target, Weight};
use crate::limits::Budget;
use crate::number::{Fraction, Integer, Overflow};

/// A factor times a number, plus a constant.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) factor: Integer,
    pub(crate) constant: Integer,
}

impl Line {
    /// The line of a number.
    pub(crate) fn at(&self, number: &Integer) -> Result<Integer, Overflow> {
        self.factor.mul(number)?.add(&self.constant)
    }

    /// The law of the line of a number with this law.
    pub(super) fn of(&self, law: &Law, budget: &Budget<'_>) -> Result<Law, Stop> {
        law.scaled(&self.factor, budget)?
            .shifted(&self.constant, budget)
    }
}

/// What is added up before one way to end.
pub(crate) struct EndSums {
    pub(crate) end: EndId,
    /// The values below [`SumsByEnd::tail_from`], and perhaps some others.
    pub(crate) listed: Numbers,
    /// The weight of ending in this way with another value, where it is known.
    pub(crate) tail: Weight,
}

impl EndSums {
    /// The weight of ending in this way, as far as it is known.
    pub(crate) fn weight(&self) -> Weight {
        self.listed.mass() + &self.tail
    }
}

/// What steps add up before each way to end. Weight that is nowhere else may end in any way, with any value, or never.
pub(crate) struct SumsByEnd {
    /// The possible ways to end, ascending.
    pub(crate) ends: Vec<EndSums>,
    /// All values that are not listed lie at or above this one.
    pub(crate) tail_from: u64,
    /// The weight of ending in any way with a value that is not listed.
    pub(super) late: Weight,
    /// An upper bound of the mean of what is still added to a sum that is not listed, if it is known, and all ways end.
    pub(super) still_added: Option<Fraction>,
    /// The weight of never ending.
    pub(crate) never: Weight,
    /// The common denominator.
    pub(crate) total: Weight,
    /// Whether the rest is not listed because it is no more probable than the tolerance.
    pub(crate) is_cut: bool,
}

impl SumsByEnd {
    /// What a chain adds up from a state on. It is listed as [`Chain::sums`] says.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub(crate) fn of(
        chain: &Chain,
        start: StateId,
        tolerance: &Fraction,
        most: u64,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let ends = chain.ends(start, budget)?;
        let ending: Weight = ends.weights.iter().map(|(_, weight)| weight).sum();
        let ending = (ending, ends.never, ends.total.clone());
        let sums = chain.sums_ending(start, ending, (tolerance, most), budget)?;
        let total = lcm(&sums.total, &ends.total);
        let (by_sums, by_ends) = (&total / &sums.total, &total / &ends.total);
        let ends = ends.weights.into_iter().map(|(end, weight)| {
            let place = sums.listed.binary_search_by_key(&end, |(end, _)| *end);
            let listed = place.map_or(&[][..], |place| &sums.listed[place..=place]);
            let listed = listed.iter().flat_map(|(_, listed)| listed.iter());
            let listed = listed.map(|(sum, weight)| (sum, weight * &by_sums));
            let listed = Numbers::new(listed, total.clone());
            let tail = weight * &by_ends - listed.mass();
            EndSums { end, listed, tail }
        });
        Ok(Self {
            ends: ends.collect(),
            tail_from: sums.tail_from,
            late: Weight::ZERO,
            still_added: None,
            never: sums.never * by_sums,
            total,
            is_cut: sums.tail != Weight::ZERO && sums.tail_from < most,
        })
    }

    /// The law of a number that is a line of the sum, another one for each way to end, given what is known of its moments. For a way
    /// without a line, the number is not known.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub(crate) fn law(
        &self,
        lines: &[Option<Line>],
        known: Option<Known>,
        tolerance: &Fraction,
        budget: &Budget<'_>,
    ) -> Result<Law, Stop> {
        let tail_from = Integer::from_big(self.tail_from.into())?;
        let all: Option<Vec<&Line>> = lines.iter().map(Option::as_ref).collect();
        let mut masses = vec![mass_beyond(
            all.as_deref().unwrap_or_default(),
            &tail_from,
            self.late.clone(),
        )?];
        let mut parts = Vec::new();
        for sums in &self.ends {
            budget.look_at_clock()?;
            let Some(line) = line_at(lines, sums.end) else {
                continue;
            };
            if line.factor.is_zero() {
                let certain = [(line.constant.clone(), sums.weight())];
                parts.push(Numbers::new(certain, self.total.clone()));
                continue;
            }
            budget.has_room_for(sums.listed.bytes().saturating_mul(2))?;
            let listed = sums.listed.scaled(&line.factor)?;
            parts.push(listed.shifted(&line.constant)?);
            masses.push(mass_beyond(&[line], &tail_from, sums.tail.clone())?);
        }
        let one = Weight::one();
        let parts: Vec<_> = parts.iter().map(|part| (one.clone(), part)).collect();
        let listed = Numbers::measure_sum(&parts, self.total.clone(), budget)?;
        // A tail takes over what is listed beyond its bound, and that may be most of another way to end.
        for mass in &mut masses {
            let beyond = listed.weight_between(mass.low.as_ref(), mass.high.as_ref());
            if beyond > mass.weight && probability(&beyond, &self.total) > *tolerance {
                *mass = Mass::anywhere(mass.weight.clone());
            }
        }
        let located: Weight = masses.iter().map(|mass| &mass.weight).sum();
        let rest = &self.total - listed.mass() - located - &self.never;
        let known = match (known, all) {
            (None, Some(lines)) => self.mean(&lines, &listed, probability(&rest, &self.total)),
            (known, _) => known,
        };
        masses.push(Mass::anywhere(rest));
        let law = Law::with_known(listed, masses, self.never.clone(), known);
        Ok(law.reduced(budget)?)
    }

    /// Ends of the mean of a line of the sum, another one for each way to end, some of whose values are listed. A share of the rest may be
    /// any sum.
    fn mean(&self, lines: &[&Line], listed: &Numbers, anywhere: Fraction) -> Option<Known> {
        let more = self.still_added.as_ref()?;
        let whole = |number: &Integer| Fraction::from_integer(number.to_big());
        let factors = || lines.iter().map(|line| whole(&line.factor));
        let [least, greatest] = [factors().min()?, factors().max()?];
        let zero = Fraction::default();
        let (below, above) = (zero.clone().min(least) * more, zero.max(greatest) * more);
        let at_tail = Integer::from_big(self.tail_from.into()).ok()?;
        let late = probability(&self.late, &self.total);
        let mut known = Known::All(Moments::of(listed));
        for (ends, sums) in [
            (late, &[at_tail.clone()][..]),
            (anywhere, &[Integer::ZERO, at_tail]),
        ] {
            let values = lines
                .iter()
                .flat_map(|line| sums.iter().map(|sum| line.at(sum)));
            let values: Vec<Integer> = values.collect::<Result<_, _>>().ok()?;
            let low = (whole(values.iter().min()?) + &below) * &ends;
            let high = (whole(values.iter().max()?) + &above) * &ends;
            let rest = MeanBetween { ends, low, high };
            known = known.plus_share(&rest.into(), &Fraction::one())?;
        }
        Some(known)
    }

    /// The moments of a line of the sum of a chain's steps, another one for each way to end. `None` if a way to end has no line, and where
    /// numbers are long.
    ///
    /// The sum before the ends with one factor has the moments of the chain without the steps to other ends. Each of these steps adds
    /// what belongs to its own constant, too.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub(super) fn moments(
        &self,
        (chain, start): (&Chain, StateId),
        lines: &[Option<Line>],
        budget: &Budget<'_>,
    ) -> Result<Option<Known>, Stop> {
        let one = Fraction::one();
        let mut known = Known::nothing();
        let mut by_factor: BTreeMap<Integer, Vec<(EndId, &Integer)>> = BTreeMap::new();
        for sums in &self.ends {
            let Some(line) = line_at(lines, sums.end) else {
                return Ok(None);
            };
            if line.factor.is_zero() {
                let certain = Known::All(Moments::certain(&line.constant));
                let share = probability(&sums.weight(), &self.total);
                let Some(sum) = known.plus_share(&certain, &share) else {
                    return Ok(None);
                };
                known = sum;
            } else {
                let ends = by_factor.entry(line.factor.clone()).or_default();
                ends.push((sums.end, &line.constant));
            }
        }
        for (factor, ends) in by_factor {
            let sign = Integer::from(if factor.is_negative() { -1 } else { 1 });
            let Ok((own, least)) = along(chain, &factor, &sign, &ends) else {
                return Ok(None);
            };
            let mut moments = own.moments(start, 2, budget)?.into_iter();
            let own = Known::All(Moments {
                ends: moments.next().unwrap_or_default(),
                first: moments.next(),
                second: moments.next(),
            });
            let Some(sum) = known.plus_share(&own.shifted(&least).scaled(&sign), &one) else {
                return Ok(None);
            };
            known = sum;
        }
        Ok(Some(known))
    }
}

/// The chain that ends only in these ways, and adds up what a factor times the sum, plus the constant of the end, is above or below a
/// number; and this number.
fn along(
    chain: &Chain,
    factor: &Integer,
    sign: &Integer,
    ends: &[(EndId, &Integer)],
) -> Result<(Chain, Integer), Overflow> {
    let size = |number: &Integer| {
        let size = number
            .to_i64()
            .and_then(|number| u64::try_from(number).ok());
        size.ok_or(Overflow)
    };
    let times = size(&factor.mul(sign)?)?;
    let constants = ends
        .iter()
        .map(|(end, constant)| Ok((*end, constant.mul(sign)?)));
    let constants: BTreeMap<EndId, Integer> = constants.collect::<Result<_, Overflow>>()?;
    let least = constants.values().min().cloned().unwrap_or(Integer::ZERO);
    let own = chain.with_added(|step| {
        let more = match step.to {
            Target::State(_) => 0,
            Target::End(end) => match constants.get(&end) {
                Some(constant) => size(&constant.sub(&least)?)?,
                None => return Ok(None),
            },
        };
        let add = step
            .add
            .checked_mul(times)
            .and_then(|add| add.checked_add(more));
        Ok(Some(add.ok_or(Overflow)?))
    })?;
    Ok((own, least))
}

fn line_at(lines: &[Option<Line>], end: EndId) -> Option<&Line> {
    lines.get(end.0 as usize).and_then(Option::as_ref)
}

/// The weight of one of some lines of a sum that is no less than a bound.
fn mass_beyond(lines: &[&Line], bound: &Integer, weight: Weight) -> Result<Mass, Overflow> {
    let ends = lines.iter().map(|line| line.at(bound));
    let ends: Vec<Integer> = ends.collect::<Result<_, _>>()?;
    let all = |rises: bool| {
        let mut lines = lines.iter();
        lines.all(|line| line.factor.is_zero() || line.factor.is_negative() != rises)
    };
    let low = ends.iter().min().filter(|_| all(true));
    let high = ends.iter().max().filter(|_| all(false));
    Ok(Mass {
        low: low.cloned(),
        high: high.cloned(),
        weight,
    })
}
