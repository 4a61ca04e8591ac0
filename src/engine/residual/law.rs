//! The distribution of a number, as far as it is known.
//!
//! A loop can have infinitely many outcomes. Those that are listed have their exact weight; the weight of the rest is
//! known as well, and mostly where it lies: at or above some number, or at or below one. Every operation says what
//! becomes of such a tail. With X listed below a, and Y listed, independent, below b and both at least 0, the
//! sum X + Y is listed below min(a, b), and the rest of its weight lies there or above; a comparison that the place of the tail decides
//! is complete again. Weight of which nothing is known is *unresolved*: listed outcomes may have more of it.
//!
//! Moments of the whole are carried along, because a listed part does not have them.

use std::rc::Rc;

use num_bigint::BigInt;

use super::bounds::Bounds;
use super::moments::Moments;
use super::numbers;
use super::{Attempt, Stop};
use crate::algebra::weight::{common_divisor, lcm, probability};
use crate::algebra::{Distribution, Numbers, Quotient, Weight};
use crate::engine::reason::Reason;
use crate::ir::Arithmetic;
use crate::limits::Budget;
use crate::number::{Fraction, Integer};

/// A distribution with a tail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Law {
    /// The listed outcomes.
    pub(super) listed: Numbers,
    /// All else, over the same total; nothing, if all is listed.
    pub(super) rest: Option<Box<Rest>>,
}

/// What a law does not list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Rest {
    /// Weight that lies at or above a number; no listed outcome does.
    pub(super) above: Option<(Integer, Weight)>,
    /// Weight that lies at or below a number; no listed outcome does.
    pub(super) below: Option<(Integer, Weight)>,
    /// Weight that lies anywhere.
    pub(super) unresolved: Weight,
    /// Weight of paths that never end.
    pub(super) never: Weight,
    /// Of the whole, where they are known.
    pub(super) moments: Option<Moments>,
    /// What lists the whole as far as anybody asks, and the sum of many such.
    pub(super) source: Option<Rc<Quotient>>,
}

/// Weight that lies between two ends, or without one.
#[derive(Clone, Debug)]
pub(super) struct Vague {
    pub(super) low: Option<Integer>,
    pub(super) high: Option<Integer>,
    pub(super) weight: Weight,
}

/// What is known of a mixture beside laws.
#[derive(Clone, Debug)]
pub(super) struct Others {
    /// Weight that lies between bounds.
    pub(super) vague: Vec<Vague>,
    /// Weight of paths that never end.
    pub(super) never: Weight,
    /// The total, of all together.
    pub(super) total: Weight,
}

impl Others {
    /// Nothing else, of a total.
    pub(super) fn nothing(total: Weight) -> Self {
        Self {
            vague: Vec::new(),
            never: Weight::ZERO,
            total,
        }
    }
}

/// The distribution of a list, as far as it is known: what is neither listed nor never ends is unresolved.
#[derive(Clone, Debug)]
pub(super) struct ListLaw {
    pub(super) listed: Distribution<Vec<i64>>,
    pub(super) never: Weight,
}

impl From<Distribution<Vec<i64>>> for ListLaw {
    fn from(listed: Distribution<Vec<i64>>) -> Self {
        Self {
            listed,
            never: Weight::ZERO,
        }
    }
}

impl ListLaw {
    /// The whole distribution, where all of it is listed.
    pub(super) fn complete(&self) -> Attempt<&Distribution<Vec<i64>>> {
        if self.listed.mass() == *self.listed.total() {
            Ok(&self.listed)
        } else {
            Err(Stop::Unsupported(Reason::Tail))
        }
    }

    /// The same, where so much is known to never end that was unresolved.
    pub(super) fn with_never(self, share: &Fraction) -> Self {
        let factor = share.denom().magnitude();
        let total = self.listed.total() * factor;
        let never = share.numer().magnitude() * self.listed.total();
        if never <= &self.never * factor || never > &total - self.listed.mass() * factor {
            return self;
        }
        let lists = self.listed.iter();
        let lists = lists.map(|(list, weight)| (list.clone(), weight * factor));
        Self {
            listed: Distribution::new(lists, total),
            never,
        }
    }
}

impl Vague {
    /// Weight of a number within bounds.
    pub(super) fn within(bounds: Bounds, weight: Weight) -> Self {
        let end = |end: i64| (!super::bounds::is_infinite(end)).then(|| Integer::from(end));
        Self {
            low: end(bounds.low),
            high: end(bounds.high),
            weight,
        }
    }

    /// Weight of which nothing is known.
    pub(super) fn anywhere(weight: Weight) -> Self {
        Self {
            low: None,
            high: None,
            weight,
        }
    }

    fn map(&self, mut image: impl FnMut(&Integer) -> Attempt<Integer>) -> Attempt<Self> {
        let mut end = |end: &Option<Integer>| end.as_ref().map(&mut image).transpose();
        Ok(Self {
            low: end(&self.low)?,
            high: end(&self.high)?,
            weight: self.weight.clone(),
        })
    }

    fn reversed(self) -> Self {
        Self {
            low: self.high,
            high: self.low,
            weight: self.weight,
        }
    }
}

impl From<Numbers> for Law {
    fn from(listed: Numbers) -> Self {
        Self { listed, rest: None }
    }
}

impl Law {
    /// What is listed, what lies between bounds, and what never ends, over one total.
    pub(super) fn new(
        listed: Numbers,
        vague: Vec<Vague>,
        never: Weight,
        moments: Option<Moments>,
    ) -> Self {
        let mut rest = Rest {
            never,
            ..Rest::default()
        };
        let (least, most) = (listed.min(), listed.max());
        for part in vague {
            if part.weight == Weight::ZERO {
                continue;
            }
            match (part.low, part.high) {
                // In such a tail everything would be lost that is listed.
                (Some(low), None) if least.is_some_and(|least| low <= *least) => {
                    rest.unresolved += part.weight;
                }
                (None, Some(high)) if most.as_ref().is_some_and(|most| high >= *most) => {
                    rest.unresolved += part.weight;
                }
                (Some(low), None) => {
                    let (at, weight) = rest.above.take().unwrap_or((low.clone(), Weight::ZERO));
                    rest.above = Some((at.min(low), weight + part.weight));
                }
                (None, Some(high)) => {
                    let (at, weight) = rest.below.take().unwrap_or((high.clone(), Weight::ZERO));
                    rest.below = Some((at.max(high), weight + part.weight));
                }
                _ => rest.unresolved += part.weight,
            }
        }
        let mut listed = listed;
        if let Some((at, weight)) = &mut rest.above
            && listed.max().is_some_and(|max| max >= *at)
        {
            let before = listed.mass();
            listed = listed.filtered(|outcome| outcome < at);
            *weight += before - listed.mass();
        }
        if let Some((at, weight)) = &mut rest.below
            && listed.min().is_some_and(|min| min <= at)
        {
            let before = listed.mass();
            listed = listed.filtered(|outcome| outcome > at);
            *weight += before - listed.mass();
        }
        if rest == Rest::default() {
            return Self::from(listed);
        }
        rest.moments = moments;
        Self {
            listed,
            rest: Some(Box::new(rest)),
        }
    }

    /// The law with this generating function and these moments, listed until the rest is improbable, or no more than so
    /// far beyond the mean; none where the numbers are too large for it.
    pub(super) fn of_quotient(
        source: Quotient,
        moments: Option<Moments>,
        tolerance: &Fraction,
        budget: &Budget<'_>,
    ) -> Attempt<Option<Self>> {
        let Some(sums) = source.sums(tolerance, budget.limits().outcomes, budget)? else {
            return Ok(None);
        };
        let tail = Vague {
            low: Some(Integer::from_big(sums.tail_from.into())?),
            high: None,
            weight: sums.tail,
        };
        let mut law = Self::new(sums.listed, vec![tail], Weight::ZERO, moments);
        if let Some(rest) = &mut law.rest {
            rest.source = Some(Rc::new(source));
        }
        Ok(Some(law))
    }

    /// As [`Law::new`], where what is vague may be one number after all.
    pub(super) fn collected(
        listed: &Numbers,
        vague: Vec<Vague>,
        never: Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Self> {
        let total = listed.total().clone();
        let (known, vague): (Vec<Vague>, Vec<Vague>) = vague
            .into_iter()
            .partition(|part| part.low.is_some() && part.low == part.high);
        let known = Numbers::new(
            known
                .into_iter()
                .map(|part| (part.low.unwrap_or_default(), part.weight)),
            total.clone(),
        );
        let one = Weight::from(1_u32);
        let both = [(one.clone(), listed), (one, &known)];
        let listed = Numbers::measure_sum(&both, total, budget)?;
        Ok(Self::new(listed, vague, never, None))
    }

    /// The same, where so much is known to never end that was unresolved.
    pub(super) fn with_never(self, share: &Fraction, budget: &Budget<'_>) -> Attempt<Self> {
        if *share <= probability(&self.never(), self.total()) {
            return Ok(self);
        }
        let factor = share.denom().magnitude();
        let total = self.total() * factor;
        let parts = [(factor.clone(), &self)];
        let mut law = Self::measure_sum(&parts, Others::nothing(total), budget)?;
        let never = share.numer().magnitude() * law.total() / factor;
        if let Some(rest) = &mut law.rest {
            let more = &never - &rest.never;
            if more <= rest.unresolved {
                rest.unresolved -= more;
                rest.never = never;
            }
        }
        Ok(law)
    }

    /// The same with all weights divided by what they have in common.
    ///
    /// The denominator of a chain grows with every value, whether the probabilities need it or not; a power of the law
    /// would grow with it.
    pub(super) fn reduced(self) -> Self {
        let Some(mut rest) = self.rest else {
            return Self::from(self.listed);
        };
        let tails = [&mut rest.above, &mut rest.below].into_iter().flatten();
        let mut others: Vec<&mut Weight> = tails.map(|(_, weight)| weight).collect();
        others.extend([&mut rest.unresolved, &mut rest.never]);
        let weights = self.listed.iter().map(|(_, weight)| weight);
        let common = others
            .iter()
            .map(|weight| (**weight).clone())
            .chain(weights)
            .fold(self.listed.total().clone(), |common, weight| {
                common_divisor(&common, &weight)
            });
        for weight in others {
            *weight /= &common;
        }
        let weights = self.listed.iter();
        let listed = Numbers::new(
            weights.map(|(outcome, weight)| (outcome, weight / &common)),
            self.listed.total() / &common,
        );
        Self {
            listed,
            rest: Some(rest),
        }
    }

    pub(super) fn total(&self) -> &Weight {
        self.listed.total()
    }

    /// The whole distribution, where all of it is listed.
    pub(super) fn complete(&self) -> Attempt<&Numbers> {
        match self.rest {
            None => Ok(&self.listed),
            Some(_) => Err(Stop::Unsupported(Reason::Tail)),
        }
    }

    /// The weight of paths that never end.
    pub(super) fn never(&self) -> Weight {
        self.rest
            .as_ref()
            .map_or(Weight::ZERO, |rest| rest.never.clone())
    }

    /// The least outcome, listed or not, where it is known.
    pub(super) fn least(&self) -> Option<Integer> {
        let least = self.listed.min().cloned();
        match &self.rest {
            None => least,
            Some(rest) if rest.below.is_some() || rest.unresolved != Weight::ZERO => None,
            Some(rest) => least
                .into_iter()
                .chain(rest.above.as_ref().map(|(at, _)| at.clone()))
                .min(),
        }
    }

    /// What is not listed but ends.
    pub(super) fn vague(&self) -> Vec<Vague> {
        let Some(rest) = &self.rest else {
            return Vec::new();
        };
        let above = rest.above.as_ref().map(|(at, weight)| Vague {
            low: Some(at.clone()),
            high: None,
            weight: weight.clone(),
        });
        let below = rest.below.as_ref().map(|(at, weight)| Vague {
            low: None,
            high: Some(at.clone()),
            weight: weight.clone(),
        });
        let unresolved = (rest.unresolved != Weight::ZERO).then(|| Vague {
            low: None,
            high: None,
            weight: rest.unresolved.clone(),
        });
        [above, below, unresolved].into_iter().flatten().collect()
    }

    /// Everything that ends, as pieces: what is listed as one.
    fn pieces(&self) -> Vec<Vague> {
        let mut pieces = self.vague();
        if let (Some(min), Some(max)) = (self.listed.min(), self.listed.max()) {
            pieces.push(Vague {
                low: Some(min.clone()),
                high: Some(max),
                weight: self.listed.mass(),
            });
        }
        pieces
    }

    /// The moments of the whole, where they are known.
    pub(super) fn moments(&self) -> Option<Moments> {
        match &self.rest {
            Some(rest) => rest.moments.clone(),
            None => Some(Moments::of(&self.listed)),
        }
    }

    /// `X + by`
    pub(super) fn shifted(&self, by: &Integer) -> Attempt<Self> {
        let vague = self
            .vague()
            .iter()
            .map(|part| part.map(|end| Ok(end.add(by)?)))
            .collect::<Attempt<_>>()?;
        let moments = self.rest.as_ref().and_then(|rest| rest.moments.as_ref());
        let moments = moments.map(|moments| moments.plus(&Moments::certain(by)));
        let mut law = Self::new(self.listed.shifted(by)?, vague, self.never(), moments);
        if let (Some(rest), Some(new)) = (&self.rest, &mut law.rest) {
            let source = rest.source.as_ref().zip(by.to_i64());
            new.source = source.and_then(|(source, by)| Some(Rc::new(source.shifted(by)?)));
        }
        Ok(law)
    }

    /// `X · by`
    pub(super) fn scaled(&self, by: &Integer) -> Attempt<Self> {
        let vague = self
            .vague()
            .iter()
            .map(|part| {
                let scaled = part.map(|end| Ok(end.mul(by)?))?;
                Ok(if by.is_negative() {
                    scaled.reversed()
                } else {
                    scaled
                })
            })
            .collect::<Attempt<_>>()?;
        let moments = self.rest.as_ref().and_then(|rest| rest.moments.as_ref());
        let moments = moments.map(|moments| moments.scaled(by));
        Ok(Self::new(
            self.listed.scaled(by)?,
            vague,
            self.never(),
            moments,
        ))
    }

    /// The sum of independent numbers.
    pub(super) fn sum(parts: &[Rc<Self>], budget: &Budget<'_>) -> Attempt<Self> {
        if parts.iter().all(|part| part.rest.is_none()) {
            let listed = Numbers::sum(parts.iter().map(|part| &part.listed), budget)?;
            return Ok(listed.into());
        }
        let (first, others) = parts.split_first().expect("one of the parts has a rest");
        let mut sum = (**first).clone();
        for part in others {
            sum = sum.add(part, budget)?;
        }
        Ok(sum)
    }

    /// `X + Y` of independent numbers.
    pub(super) fn add(&self, other: &Self, budget: &Budget<'_>) -> Attempt<Self> {
        let listed = self.listed.add(&other.listed, budget)?;
        if self.rest.is_none() && other.rest.is_none() {
            return Ok(listed.into());
        }
        let end = |a: &Option<Integer>, b: &Option<Integer>| match (a, b) {
            (Some(a), Some(b)) => Ok(Some(a.add(b)?)),
            _ => Attempt::Ok(None),
        };
        let vague = self.paired(other, |a, b| {
            Ok((end(&a.low, &b.low)?, end(&a.high, &b.high)?))
        })?;
        let moments = match (self.moments(), other.moments()) {
            (Some(a), Some(b)) => Some(a.plus(&b)),
            _ => None,
        };
        Ok(Self::new(listed, vague, self.never_of(other), moments))
    }

    /// Weights reached on some way, each followed by a number of this law: over the product of the totals.
    pub(super) fn from_part(part: Numbers, law: &Self, budget: &Budget<'_>) -> Attempt<Self> {
        let is_zero = law.listed.only().is_some_and(Integer::is_zero);
        if law.rest.is_none() && is_zero && *law.total() == Weight::from(1_u32) {
            return Ok(part.into());
        }
        Self::from(part).add(law, budget)
    }

    /// Every pair of a piece of this and one of another of which not both are listed, combined.
    fn paired(
        &self,
        other: &Self,
        combine: impl Fn(&Vague, &Vague) -> Attempt<(Option<Integer>, Option<Integer>)>,
    ) -> Attempt<Vec<Vague>> {
        // Tails on both sides: what lies far out on one side together with the tail on the other could be anywhere,
        // but weighs next to nothing.
        let (ours, theirs) = if self.faces(other) || other.faces(self) {
            (self.pieces_cut(), other.pieces_cut())
        } else {
            (self.pieces(), other.pieces())
        };
        let listed = (self.vague().len(), other.vague().len());
        let mut pairs = Vec::new();
        for (index, a) in ours.iter().enumerate() {
            for (other, b) in theirs.iter().enumerate() {
                if index < listed.0 || other < listed.1 {
                    let (low, high) = combine(a, b)?;
                    pairs.push(Vague {
                        low,
                        high,
                        weight: &a.weight * &b.weight,
                    });
                }
            }
        }
        Ok(pairs)
    }

    /// Whether this has a tail above and the other one below.
    fn faces(&self, other: &Self) -> bool {
        let has_above = self.rest.as_ref().is_some_and(|rest| rest.above.is_some());
        has_above && other.rest.as_ref().is_some_and(|rest| rest.below.is_some())
    }

    /// As [`Law::pieces`], with what is listed cut half-way to a tail; what is beyond the cut may be anywhere.
    fn pieces_cut(&self) -> Vec<Vague> {
        let half = |end: &Option<(Integer, Weight)>| {
            let (at, _) = end.as_ref()?;
            at.div(&Integer::from(2))
        };
        let ends = self
            .rest
            .as_ref()
            .map(|rest| (half(&rest.below), half(&rest.above)));
        let (below, above) = ends.unwrap_or_default();
        let is_near = |outcome: &Integer| {
            below.as_ref().is_none_or(|below| outcome > below)
                && above.as_ref().is_none_or(|above| outcome < above)
        };
        let near = self.listed.filtered(is_near);
        let mut pieces = self.vague();
        pieces.push(Vague::anywhere(self.listed.mass() - near.mass()));
        if let (Some(min), Some(max)) = (near.min(), near.max()) {
            pieces.push(Vague {
                low: Some(min.clone()),
                high: Some(max),
                weight: near.mass(),
            });
        }
        pieces
    }

    /// The weight of one of two never ending.
    fn never_of(&self, other: &Self) -> Weight {
        let (a, b) = (self.never(), other.never());
        let both = self.total() * other.total();
        &both - (self.total() - a) * (other.total() - b)
    }

    /// A monotone step of the number: 0 below a threshold, 1 from it on.
    pub(super) fn at_least(&self, threshold: &Integer, budget: &Budget<'_>) -> Attempt<Self> {
        self.indicator(
            |outcome| outcome >= threshold,
            |part| {
                if part.low.as_ref().is_some_and(|low| low >= threshold) {
                    Some(true)
                } else {
                    let below = part.high.as_ref().is_some_and(|high| high < threshold);
                    below.then_some(false)
                }
            },
            budget,
        )
    }

    /// 1 where the number is this one, else 0.
    pub(super) fn equals(&self, number: &Integer, budget: &Budget<'_>) -> Attempt<Self> {
        self.indicator(
            |outcome| outcome == number,
            |part| {
                let beyond = part.low.as_ref().is_some_and(|low| low > number)
                    || part.high.as_ref().is_some_and(|high| high < number);
                beyond.then_some(false)
            },
            budget,
        )
    }

    fn indicator(
        &self,
        mut holds: impl FnMut(&Integer) -> bool,
        decided: impl Fn(&Vague) -> Option<bool>,
        budget: &Budget<'_>,
    ) -> Attempt<Self> {
        let one_if = |holds: bool| Integer::from(i32::from(holds));
        let listed = self
            .listed
            .map(|outcome| Ok(Some(one_if(holds(outcome)))), budget)?;
        let vague = self.vague().into_iter().map(|part| {
            let holds = decided(&part);
            Vague {
                low: Some(one_if(holds.unwrap_or(false))),
                high: Some(one_if(holds.unwrap_or(true))),
                weight: part.weight,
            }
        });
        Self::collected(&listed, vague.collect(), self.never(), budget)
    }

    /// Two independent numbers combined.
    pub(super) fn combined(
        &self,
        other: &Self,
        operator: Arithmetic,
        budget: &Budget<'_>,
    ) -> Attempt<Self> {
        let listed = self.listed.combined(
            &other.listed,
            |a, b| Ok(Some(numbers::total(operator, a, b)?)),
            budget,
        )?;
        if self.rest.is_none() && other.rest.is_none() {
            return Ok(listed.into());
        }
        let bounds_of = |part: &Vague| {
            let end = |end: &Option<Integer>, none: i64| {
                end.as_ref()
                    .map_or(Some(none), Integer::to_i64)
                    .ok_or(Stop::Unsupported(Reason::LongIntegers))
            };
            Attempt::Ok(Bounds::number(
                end(&part.low, i64::MIN)?,
                end(&part.high, i64::MAX)?,
            ))
        };
        let vague = self.paired(other, |a, b| {
            let bounds = super::bounds::arithmetic_bounds(operator, bounds_of(a)?, bounds_of(b)?)?;
            let part = Vague::within(bounds, Weight::ZERO);
            Ok((part.low, part.high))
        })?;
        let moments = match operator {
            Arithmetic::Multiply => self
                .moments()
                .zip(other.moments())
                .and_then(|(a, b)| a.product(&b)),
            _ => None,
        };
        Ok(Self::new(listed, vague, self.never_of(other), moments))
    }

    /// A mixture: each law as often as its weight says, of a total of which the rest is known less well.
    pub(super) fn mixture(
        parts: &[(Weight, Rc<Self>)],
        others: Others,
        budget: &Budget<'_>,
    ) -> Attempt<Self> {
        let one = Weight::from(1_u32);
        let common = parts
            .iter()
            .fold(one, |common, (_, law)| lcm(&common, law.total()));
        let scaled: Vec<(Weight, &Self)> = parts
            .iter()
            .map(|(weight, law)| (weight * (&common / law.total()), &**law))
            .collect();
        let others = Others {
            vague: others
                .vague
                .into_iter()
                .map(|part| Vague {
                    weight: part.weight * &common,
                    ..part
                })
                .collect(),
            never: others.never * &common,
            total: others.total * common,
        };
        Self::measure_sum(&scaled, others, budget)
    }

    /// The sum of measures, each times a factor, and of what is known less well, over its total.
    pub(super) fn measure_sum(
        parts: &[(Weight, &Self)],
        others: Others,
        budget: &Budget<'_>,
    ) -> Attempt<Self> {
        let Others {
            mut vague,
            mut never,
            total,
        } = others;
        let listed: Vec<(Weight, &Numbers)> = parts
            .iter()
            .map(|(factor, law)| (factor.clone(), &law.listed))
            .collect();
        let listed = Numbers::measure_sum(&listed, total.clone(), budget)?;
        let complete = parts.iter().all(|(_, law)| law.rest.is_none());
        if complete && vague.is_empty() && never == Weight::ZERO {
            return Ok(listed.into());
        }
        let mut moments = vague.is_empty().then(Moments::nothing);
        for (factor, law) in parts {
            vague.extend(law.vague().into_iter().map(|part| Vague {
                weight: part.weight * factor,
                ..part
            }));
            never += law.never() * factor;
            moments = match (moments, law.moments()) {
                (Some(sum), Some(part)) => {
                    let share = probability(&(law.total() * factor), &total);
                    Some(sum.and(&part, &share))
                }
                _ => None,
            };
        }
        Ok(Self::new(listed, vague, never, moments))
    }

    /// The same, of a measure whose missing weight never ends.
    pub(super) fn missing_never_ends(self) -> Self {
        let vague = self.vague();
        let known: Weight = vague.iter().map(|part| &part.weight).sum();
        let never = self.total() - self.listed.mass() - known;
        let moments = self.rest.and_then(|rest| rest.moments);
        Self::new(self.listed, vague, never, moments)
    }

    /// The sum of `n` independent numbers like this one.
    pub(super) fn power(&self, n: u32, budget: &Budget<'_>) -> Attempt<Self> {
        if n == 1 {
            return Ok(self.clone());
        }
        if let Some(rest) = &self.rest
            && let Some(source) = rest.source.as_ref().and_then(|one| one.power(n.into()))
        {
            let moments = rest.moments.as_ref().map(|moments| moments.times(n));
            // As far as one of them is listed, or farther.
            let mut tolerance = &budget.limits().tolerance / BigInt::from(1_000);
            if let Some((_, tail)) = &rest.above {
                tolerance = tolerance.min(probability(tail, self.total()));
            }
            if let Some(law) = Self::of_quotient(source, moments, &tolerance, budget)? {
                return Ok(law);
            }
        }
        if let Some(power) = self.graded_power(n, budget)? {
            return Ok(power);
        }
        let listed = self.listed.power(n.into(), budget)?;
        let Some(rest) = &self.rest else {
            return Ok(listed.into());
        };
        if n == 0 {
            return Ok(listed.into());
        }
        let others = Integer::from(i64::from(n - 1));
        // At least one lies in the tail, and the others are no less than the least.
        let low = match (&rest.above, self.least()) {
            (Some((at, _)), Some(least)) => Some(at.add(&least.mul(&others)?)?),
            _ => None,
        };
        let high = match (&rest.below, self.negated()?.least()) {
            (Some((at, _)), Some(least)) => Some(at.sub(&least.mul(&others)?)?),
            _ => None,
        };
        let ending = (self.total() - self.never()).pow(n);
        let vague = Vague {
            low,
            high,
            weight: &ending - listed.mass(),
        };
        let never = self.total().pow(n) - ending;
        let moments = rest.moments.as_ref().map(|moments| moments.times(n));
        Ok(Self::new(listed, vec![vague], never, moments))
    }

    /// The same over the least total, where nothing is vague: its powers are shorter.
    pub(super) fn in_lowest_terms(self) -> Self {
        match self.rest {
            None => self.listed.in_lowest_terms().into(),
            Some(_) => self,
        }
    }

    fn negated(&self) -> Attempt<Self> {
        self.scaled(&Integer::from(-1))
    }

    /// The sum of a random number of independent values.
    pub(super) fn random_sum(count: &Self, value: &Self, budget: &Budget<'_>) -> Attempt<Self> {
        let listed = Numbers::random_sum(&count.listed, &value.listed, budget)?;
        if count.rest.is_none() && value.rest.is_none() {
            return Ok(listed.into());
        }
        // Where values are not negative, a sum is at least one value in the tail, and at least as many times the
        // least value as there are values at least.
        let least = value.least().filter(|least| !least.is_negative());
        let mut low: Option<Integer> = None;
        let mut is_located = least.is_some();
        for part in count.vague() {
            match (&part.low, &least) {
                (Some(n), Some(least)) => {
                    let at = n.mul(least)?;
                    low = Some(low.map_or(at.clone(), |low| low.min(at)));
                }
                _ => is_located = false,
            }
        }
        if let Some(rest) = &value.rest {
            match &rest.above {
                Some((at, _)) if rest.below.is_none() && rest.unresolved == Weight::ZERO => {
                    low = Some(low.map_or(at.clone(), |low| low.min(at.clone())));
                }
                _ => is_located = false,
            }
        }
        if count.never() != Weight::ZERO || value.never() != Weight::ZERO {
            return Err(Stop::Unsupported(Reason::RandomNumberOfEndlessLoops));
        }
        let vague = Vague {
            low: low.filter(|_| is_located),
            high: None,
            weight: listed.total() - listed.mass(),
        };
        let moments = match (count.moments(), value.moments()) {
            (Some(count), Some(value)) => Moments::of_sum(&count, &value),
            _ => None,
        };
        Ok(Self::new(listed, vec![vague], Weight::ZERO, moments))
    }

    /// The same probabilities with all of a tail at its place: of the number min(X, a), for a tail from a on.
    pub(super) fn clipped(&self, budget: &Budget<'_>) -> Attempt<Option<(Numbers, Integer)>> {
        let Some(rest) = &self.rest else {
            return Ok(None);
        };
        let Some((at, weight)) = &rest.above else {
            return Ok(None);
        };
        let only_above =
            rest.below.is_none() && rest.unresolved == Weight::ZERO && rest.never == Weight::ZERO;
        if !only_above {
            return Ok(None);
        }
        let total = self.total().clone();
        let extra = Numbers::new([(at.clone(), weight.clone())], total.clone());
        let one = Weight::from(1_u32);
        let both = [(one.clone(), &self.listed), (one, &extra)];
        Ok(Some((
            Numbers::measure_sum(&both, total, budget)?,
            at.clone(),
        )))
    }
}
