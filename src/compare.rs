//! Two rules against each other: who wins, how far apart they are, and whether one is always better.
//!
//! The rules are rolled independently. With weights `v`, `w` over totals `V`, `W`, `P(A > B) = Σ v(x) w(< x) / (V W)`:
//! one pass over both lists with a running sum, and one fraction at the end. The curves are compared over one common
//! total.
//!
//! Mass that is not listed lies in an interval: a tail from its bound to infinity, unresolved mass anywhere. Such mass
//! adds to the upper bound of every event that its interval allows, and to the lower bound of an event that its
//! interval cannot avoid. A roll that never ends neither wins nor ties nor reaches a target.

mod agree;
mod overlap;

pub use agree::{disagreement, disagreement_within};
pub use overlap::Overlap;

use std::cmp::Ordering;

use num_traits::Zero;

use crate::algebra::weight::{common_divisor, figure};
use crate::algebra::{Distribution, Law, Mass, Weight};
use crate::engine::Answer;
use crate::limits::{Budget, LimitReached, Limits, Unobserved};
use crate::number::{Fraction, Integer};
use crate::summary::{Figure, Moment, Summary};

/// How two rules compare as independent rolls.
///
/// # Examples
///
/// ```
/// use dicedist::algebra::Distribution;
/// use dicedist::compare::{Comparison, Dominance};
/// use dicedist::engine::{Answer, Outcomes};
/// use dicedist::number::{Fraction, Integer};
///
/// let die = |sides: i64| {
///     let faces = (1..=sides).map(|face| (Integer::from(face), 1u32.into()));
///     Answer::exact(Outcomes::Numbers(Distribution::new(faces, sides.unsigned_abs().into())), 1)
/// };
/// let comparison = Comparison::of(&die(8), &die(6)).unwrap();
/// assert_eq!(comparison.a_wins.exact(), Some(&Fraction::new(9.into(), 16.into())));
/// assert_eq!(comparison.dominance, Dominance::A);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// `P(A > B)`.
    pub a_wins: Figure,
    /// `P(A = B)`.
    pub tie: Figure,
    /// `P(A < B)`.
    pub b_wins: Figure,
    /// The mean of A less the mean of B; `None` if a mean is infinite or unknown.
    pub mean_difference: Option<Fraction>,
    /// The total variation distance: the largest difference of the probabilities of any event.
    pub total_variation: Figure,
    /// The largest difference of `P(A <= x)` and `P(B <= x)` over all `x`.
    pub kolmogorov: Figure,
    /// Whether one is better at every target.
    pub dominance: Dominance,
}

/// First-order stochastic dominance: whether one rule reaches every target at least as often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dominance {
    /// A reaches every target at least as often as B, and some target more often.
    A,
    /// B reaches every target at least as often as A, and some target more often.
    B,
    /// Both reach every target equally often.
    Equal,
    /// Each reaches some target more often.
    Neither,
    /// Mass at an unknown place leaves the answer open.
    Open,
}

impl Comparison {
    /// Compares two answers; `None` if one consists of lists, or is sampled, or if their units differ
    /// ([`crate::ir::Program::converted`] gives programs one unit). Linear in the number of outcomes, with a few
    /// products of long weights for each.
    #[must_use]
    pub fn of(a: &Answer, b: &Answer) -> Option<Self> {
        let limits = Limits::unbounded();
        let compared = Self::within(a, b, &Budget::start(&limits, &Unobserved));
        compared.ok().flatten()
    }

    /// As [`Comparison::of`], within a budget.
    ///
    /// # Errors
    ///
    /// The limit of the budget that is reached.
    pub fn within(
        a: &Answer,
        b: &Answer,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, LimitReached> {
        budget.look_at_clock()?;
        let means = [a, b].map(|answer| Summary::of(answer).mean);
        Self::with_means([a, b], means.each_ref(), budget)
    }

    /// As [`Comparison::of`], with the means that the summaries of the answers give.
    ///
    /// # Errors
    ///
    /// [`LimitReached`] of the budget.
    pub(crate) fn with_means(
        [a, b]: [&Answer; 2],
        [mean_a, mean_b]: [&Moment; 2],
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, LimitReached> {
        if a.unit != b.unit {
            return Ok(None);
        }
        let (Some(a), Some(b)) = (side(a), side(b)) else {
            return Ok(None);
        };
        budget.look_at_clock()?;
        let [a_wins, tie, b_wins] = duel(&a, &b, budget)?;
        let curves = Curves::of(&a, &b, budget)?;
        Ok(Some(Self {
            a_wins,
            tie,
            b_wins,
            mean_difference: mean_a.finite().zip(mean_b.finite()).map(|(a, b)| a - b),
            total_variation: total_variation(&a, &b, budget)?,
            kolmogorov: curves.kolmogorov(),
            dominance: curves.dominance(),
        }))
    }
}

/// The pairs that a report compares: all pairs of up to four rules; with more rules, the first with each other.
#[must_use]
pub fn pairs(rules: usize) -> Vec<(usize, usize)> {
    if rules > 4 {
        (1..rules).map(|second| (0, second)).collect()
    } else {
        (0..rules)
            .flat_map(|first| (first + 1..rules).map(move |second| (first, second)))
            .collect()
    }
}

/// The law of a rule whose listed outcomes are numbers.
type ComparedLaw<'a> = Law<&'a Distribution<Integer>>;

/// The law of an answer; `None` if it consists of lists, or is sampled.
fn side(answer: &Answer) -> Option<ComparedLaw<'_>> {
    let is_exact = answer.sampling().is_none();
    Some(Law {
        listed: answer.numbers().filter(|_| is_exact)?,
        unlisted: answer.law.unlisted.clone(),
    })
}

/// Whether unlisted mass may lie on a value.
fn is_open_at(side: &ComparedLaw, value: &Integer) -> bool {
    let (_, possible) = side.weight_with(Weight::ZERO, Some(value), Some(value));
    !possible.is_zero()
}

/// Whether a mass may never end: it is unresolved.
fn may_never_end(mass: &Mass) -> bool {
    mass.low.is_none() && mass.high.is_none()
}

/// The weights with which a mass lies above, equals, and lies below the listed outcomes: first the sure weights, then
/// the further possible weights. The whole mass may lie above many outcomes at once, or below them, but can equal only
/// one.
fn against_listed(mass: &Mass, numbers: &Distribution<Integer>) -> [[Weight; 3]; 2] {
    let mut sure: [Weight; 3] = Default::default();
    let mut open: [Weight; 3] = Default::default();
    for (outcome, weight) in numbers.iter() {
        let possible = possible_orders(mass, Some(outcome), Some(outcome));
        let weights = if !may_never_end(mass) && is_decided(possible) {
            &mut sure
        } else {
            &mut open
        };
        for index in [0, 2] {
            if possible[index] {
                weights[index] += weight;
            }
        }
        if possible[1] && weights[1] < *weight {
            weights[1].clone_from(weight);
        }
    }
    [sure, open].map(|weights| weights.map(|weight| weight * &mass.weight))
}

/// Whether a mass may lie above, equal, and lie below a point or an interval.
fn possible_orders(mass: &Mass, low: Option<&Integer>, high: Option<&Integer>) -> [bool; 3] {
    let reaches = |low: Option<&Integer>, high: Option<&Integer>, strictly: bool| match (low, high)
    {
        (Some(low), Some(high)) => low < high || (!strictly && low == high),
        _ => true,
    };
    let (own_low, own_high) = (mass.low.as_ref(), mass.high.as_ref());
    [
        reaches(low, own_high, true),
        reaches(low, own_high, false) && reaches(own_low, high, false),
        reaches(own_low, high, true),
    ]
}

/// Whether only one of the three orders is possible.
fn is_decided(possible: [bool; 3]) -> bool {
    possible.iter().filter(|possible| **possible).count() == 1
}

/// `P(A > B)`, `P(A = B)` and `P(A < B)`.
fn duel(
    a: &ComparedLaw,
    b: &ComparedLaw,
    budget: &Budget<'_>,
) -> Result<[Figure; 3], LimitReached> {
    let mut certain: [Weight; 3] = Default::default();
    let mut open: [Weight; 3] = Default::default();

    // Listed against listed: one pass over both lists. `below` is the weight of B below the outcome of A.
    let listed = b.listed.mass();
    let mut below = Weight::ZERO;
    let mut others = b.listed.iter().peekable();
    for (outcome, weight) in a.listed.iter() {
        // Two products.
        budget.work(2 * limbs(weight) * limbs(&listed))?;
        while let Some((_, passed)) = others.next_if(|(other, _)| *other < outcome) {
            below += passed;
        }
        let equal = others
            .peek()
            .filter(|(other, _)| *other == outcome)
            .map_or(Weight::ZERO, |(_, equal)| (*equal).clone());
        certain[0] += weight * &below;
        certain[2] += weight * (&listed - &below - &equal);
        if !equal.is_zero() {
            certain[1] += weight * equal;
        }
    }

    // Unlisted mass against all mass of the other side: A above, equal to and below B.
    let mut add = |[above, equal, below]: [Weight; 3], sure: bool| {
        let weights = [above, equal, below].into_iter().enumerate();
        for (index, weight) in weights {
            if sure {
                certain[index] += weight;
            } else {
                open[index] += weight;
            }
        }
    };
    let (masses_a, masses_b) = (a.masses(), b.masses());
    for mine in &masses_a {
        let [sure, open] = against_listed(mine, b.listed);
        add(sure, true);
        add(open, false);
        for theirs in &masses_b {
            let weight = &mine.weight * &theirs.weight;
            let possible = possible_orders(mine, theirs.low.as_ref(), theirs.high.as_ref());
            let sure = !may_never_end(mine) && !may_never_end(theirs) && is_decided(possible);
            add(
                possible.map(|possible| {
                    if possible {
                        weight.clone()
                    } else {
                        Weight::ZERO
                    }
                }),
                sure,
            );
        }
    }
    for theirs in &masses_b {
        for (weights, sure) in against_listed(theirs, a.listed)
            .into_iter()
            .zip([true, false])
        {
            let [above, equal, below] = weights;
            add([below, equal, above], sure);
        }
    }

    let total = a.listed.total() * b.listed.total();
    let mut figures = certain.into_iter().zip(open).map(|(certain, open)| {
        let low = share(certain.clone(), &total);
        let high = share(certain + open, &total);
        Figure::between(low, high)
    });
    Ok(std::array::from_fn(|_| {
        figures.next().unwrap_or(Figure::Exact(Fraction::zero()))
    }))
}

/// The work of scaling one weight of a side.
fn work_of_scaling(side: &ComparedLaw, scale: &Weight) -> u64 {
    limbs(side.listed.total()) * limbs(scale)
}

/// The limbs of a weight, and one more: the work of reading it.
fn limbs(weight: &Weight) -> u64 {
    weight.bits() / 64 + 1
}

/// A weight as a fraction of the total.
fn share(weight: Weight, total: &Weight) -> Fraction {
    figure(&weight.into(), total)
}

/// The factors that bring both totals to their least common multiple, and this common total.
fn common_total(a: &ComparedLaw, b: &ComparedLaw) -> (Weight, Weight, Weight) {
    let shared = common_divisor(a.listed.total(), b.listed.total());
    let (of_a, of_b) = (b.listed.total() / &shared, a.listed.total() / &shared);
    let total = a.listed.total() * &of_a;
    (of_a, of_b, total)
}

/// The outcomes of both sides, ascending, each with its weights on both sides over the common total.
fn merged<'a>(
    a: &'a ComparedLaw<'a>,
    b: &'a ComparedLaw<'a>,
    scale_a: &'a Weight,
    scale_b: &'a Weight,
) -> impl Iterator<Item = (&'a Integer, Weight, Weight)> {
    let mut left = a.listed.iter().peekable();
    let mut right = b.listed.iter().peekable();
    std::iter::from_fn(move || {
        let order = match (left.peek(), right.peek()) {
            (Some((x, _)), Some((y, _))) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        let mine = if order.is_le() { left.next() } else { None };
        let theirs = if order.is_ge() { right.next() } else { None };
        let value = mine.or(theirs).map(|(value, _)| value)?;
        let scaled = |item: Option<(&Integer, &Weight)>, scale: &Weight| {
            item.map_or(Weight::ZERO, |(_, weight)| weight * scale)
        };
        Some((value, scaled(mine, scale_a), scaled(theirs, scale_b)))
    })
}

/// The total variation distance: one less the common mass. At a value on which unlisted mass may lie, the common mass
/// is at least what the listed weights share. It is at most this plus all unlisted mass, and never more than what
/// either side has there.
fn total_variation(
    a: &ComparedLaw,
    b: &ComparedLaw,
    budget: &Budget<'_>,
) -> Result<Figure, LimitReached> {
    let (scale_a, scale_b, total) = common_total(a, b);
    let mut shared = a.never_ends() * &scale_a;
    shared = shared.min(b.never_ends() * &scale_b);
    let mut open: [Weight; 3] = Default::default();
    let work = work_of_scaling(a, &scale_a) + work_of_scaling(b, &scale_b);
    for (value, mine, theirs) in merged(a, b, &scale_a, &scale_b) {
        budget.work(work)?;
        let both = (&mine).min(&theirs).clone();
        if !is_open_at(a, value) && !is_open_at(b, value) {
            shared += both;
        } else {
            open[0] += both;
            open[1] += mine;
            open[2] += theirs;
        }
    }
    let [listed, mine, theirs] = open;
    let unlisted = |side: &ComparedLaw| {
        side.masses()
            .iter()
            .map(|mass| &mass.weight)
            .sum::<Weight>()
    };
    let (unlisted_a, unlisted_b) = (unlisted(a) * &scale_a, unlisted(b) * &scale_b);
    let mut most = &listed + &unlisted_a + &unlisted_b;
    // Unresolved mass may never end, and so be common with mass of the other side that never ends.
    if a.unresolved().is_zero() && b.unresolved().is_zero() {
        most = most.min((mine + unlisted_a).min(theirs + unlisted_b));
    }
    let distance = |common: Weight| {
        let rest = if total > common {
            &total - common
        } else {
            Weight::ZERO
        };
        share(rest, &total)
    };
    Ok(Figure::between(
        distance(&shared + most),
        distance(shared + listed),
    ))
}

/// The differences between the cumulative curves of both sides, over all cuts between values.
#[derive(Default)]
struct Curves {
    total: Weight,
    /// The least and the greatest possible value of the largest difference of the cumulative curves.
    least_gap: Weight,
    most_gap: Weight,
    a_ahead: Advantage,
    b_ahead: Advantage,
}

/// Whether one side is more likely than the other to be above some cut.
#[derive(Default)]
struct Advantage {
    surely: bool,
    possibly: bool,
}

/// The weight below and above a cut between two values, each at least and at most.
struct Cut {
    below: [Weight; 2],
    above: [Weight; 2],
}

impl Curves {
    fn of(a: &ComparedLaw, b: &ComparedLaw, budget: &Budget<'_>) -> Result<Self, LimitReached> {
        let (scale_a, scale_b, total) = common_total(a, b);
        let mut steps: Vec<&Integer> = [a, b]
            .into_iter()
            .flat_map(|side| {
                let tails = [side.below(), side.above()].into_iter().flatten();
                side.listed
                    .outcomes()
                    .iter()
                    .chain(tails.map(|tail| &tail.bound))
            })
            .collect();
        steps.sort();
        steps.dedup();
        let mut curves = Self {
            total,
            ..Self::default()
        };
        let work = work_of_scaling(a, &scale_a) + work_of_scaling(b, &scale_b);
        for (a, b) in cuts(a, &scale_a, &steps).zip(cuts(b, &scale_b, &steps)) {
            budget.work(work)?;
            for (one, other) in [(&a, &b), (&b, &a)] {
                raise(&mut curves.least_gap, &one.below[0], &other.below[1]);
                raise(&mut curves.most_gap, &one.below[1], &other.below[0]);
            }
            curves.a_ahead.update(&a, &b);
            curves.b_ahead.update(&b, &a);
        }
        Ok(curves)
    }

    fn kolmogorov(&self) -> Figure {
        Figure::between(
            share(self.least_gap.clone(), &self.total),
            share(self.most_gap.clone(), &self.total),
        )
    }

    fn dominance(&self) -> Dominance {
        match (&self.a_ahead, &self.b_ahead) {
            (
                Advantage {
                    possibly: false, ..
                },
                Advantage {
                    possibly: false, ..
                },
            ) => Dominance::Equal,
            (
                Advantage { surely: true, .. },
                Advantage {
                    possibly: false, ..
                },
            ) => Dominance::A,
            (
                Advantage {
                    possibly: false, ..
                },
                Advantage { surely: true, .. },
            ) => Dominance::B,
            (Advantage { surely: true, .. }, Advantage { surely: true, .. }) => Dominance::Neither,
            _ => Dominance::Open,
        }
    }
}

impl Advantage {
    fn update(&mut self, ahead: &Cut, behind: &Cut) {
        self.surely |= ahead.above[0] > behind.above[1];
        self.possibly |= ahead.above[1] > behind.above[0];
    }
}

/// Raises `record` to the difference of `more` and `less`, if that is higher.
fn raise(record: &mut Weight, more: &Weight, less: &Weight) {
    if more > less {
        let difference = more - less;
        if difference > *record {
            *record = difference;
        }
    }
}

/// The cuts below all steps and after each step. The bound of every tail is a step, so at a cut a tail lies below, lies
/// above, or may lie on either side.
fn cuts<'a>(
    side: &'a ComparedLaw<'a>,
    scale: &'a Weight,
    steps: &'a [&'a Integer],
) -> impl Iterator<Item = Cut> + 'a {
    let mut passed = Weight::ZERO;
    let mut ahead = side.listed.mass() * scale;
    let mut outcomes = side.listed.iter().peekable();
    let masses = side.masses();
    let positions = std::iter::once(None).chain(steps.iter().map(|step| Some(*step)));
    positions.map(move |step| {
        while let Some((_, weight)) = outcomes.next_if(|(outcome, _)| Some(*outcome) <= step) {
            let weight = weight * scale;
            ahead -= &weight;
            passed += weight;
        }
        let mut cut = Cut {
            below: [passed.clone(), passed.clone()],
            above: [ahead.clone(), ahead.clone()],
        };
        for mass in &masses {
            let weight = &mass.weight * scale;
            let is_below = mass.high.is_some() && mass.high.as_ref() <= step;
            let is_above = mass.low.is_some() && mass.low.as_ref() > step;
            if is_below {
                cut.below[0] += &weight;
            }
            if is_above {
                cut.above[0] += &weight;
            }
            if !is_above {
                cut.below[1] += &weight;
            }
            if !is_below {
                cut.above[1] += weight;
            }
        }
        cut
    })
}
