//! The answer of an analysis: listed outcomes with their weights, and the weight that lies on no listed outcome.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::confidence::{self, Interval};
use super::reason::Reason;
use crate::algebra::weight::probability;
use crate::algebra::{Distribution, Law, Listing, Moments, Tail, Weight};
use crate::ir::{Label, Member, Program, Shape};
use crate::limits::{Budget, LimitReached};
use crate::number::{Fraction, Integer, Unit};

/// A value of a rule as the list of its members.
pub type List = Vec<Integer>;

/// The whole distribution of a rule, as a [`Law`]: the listed outcomes, and the weight that lies on none of them.
///
/// All weights are over one total, [`Answer::total`]. The listed weights, the tails, the unresolved weight and the
/// never-ending weight sum to exactly that total.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The distribution.
    pub law: Law<Outcomes>,
    /// How the outcomes were found.
    pub method: Method,
    /// The evaluator that found the outcomes.
    pub route: Route,
    /// How many states were visited.
    pub states: u64,
    /// The unit of all outcomes, bounds and moments of the law. A report shows each outcome by [`Unit::show`].
    pub unit: Unit,
    /// What the members of the outcomes stand for.
    pub shape: Shape,
    /// Where the engine could not decide whether the rule can fail: the most that the probability of an error can be.
    /// Otherwise 0.
    pub may_fail: Fraction,
    /// The probability that a roll is kept, if the rule leaves rolls out. The law is that of the rolls that are kept.
    pub given: Option<Fraction>,
}

/// The evaluator that found an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// Every path listed, for the reason given.
    Enumerated(Reason),
    /// Residual programs.
    Residual,
    /// Counted random rolls. The limit is the one that stopped an exact attempt before, if there was such an attempt.
    Sampled(Option<LimitReached>),
}

/// Listed outcomes: all numbers, or lists.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcomes {
    /// Every outcome has exactly one member.
    Numbers(Distribution<Integer>),
    /// Some outcome is a list that does not have exactly one member.
    Lists(Distribution<List>),
    /// Labels, records, or lists of them. A record is the list of its parts, and a list of records has the parts of one after those of
    /// the other; [`Answer::shape`] says which it is.
    Members(Distribution<Vec<Member>>),
}

/// A value of a rule, borrowed from [`Outcomes`]. Values are compared member by member, and a beginning comes before its
/// extensions.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A number.
    Number(&'a Integer),
    /// The members of a list.
    List(&'a [Integer]),
    /// The members of [`Outcomes::Members`].
    Members(&'a [Member]),
}

/// How outcomes were found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Every probability is exact, and no weight lies in a tail.
    Exact,
    /// Every listed probability is exact, and so is the weight of each tail.
    ExactWithTail,
    /// Every stated weight is exact, and some weight is [unresolved](Answer::unresolved): no more than the tolerance of a
    /// number, less than half of lists.
    ExactWithUnresolved,
    /// The rule was rolled. Weights count samples, and only the intervals are guaranteed, with the confidence that
    /// they state.
    Sampled(Box<Sampling>),
}

/// How a rule was sampled, and how far its counts can be trusted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampling {
    /// How many samples were taken: the total.
    pub samples: u64,
    /// The limit that stopped sampling before all samples that were asked for; `None` if these are all.
    pub stopped: Option<LimitReached>,
    /// The seed of the random generator.
    pub seed: u64,
    /// How many steps a sample may take. A sample that takes more has no outcome and counts as
    /// [unresolved](Answer::unresolved).
    pub steps: u64,
    /// A lower bound of the probability that all bounds below hold together.
    pub confidence: Fraction,
    /// The interval of each listed outcome's probability, in the order of the outcomes.
    pub intervals: Vec<Interval>,
    /// The interval of the probability that a sample takes more than [`Sampling::steps`].
    pub overlong: Interval,
    /// The upper bound of the probability of any outcome that no sample showed.
    pub unseen: Fraction,
    /// An upper bound of the distance between the true and the counted cumulative distribution, at any number. A
    /// sample that took too many steps counts as larger than any number.
    pub band: Fraction,
}

impl Sampling {
    /// Bounds of the probability that the value is at most some number, given the share of samples for which it was.
    /// They hold together with all intervals.
    #[must_use]
    pub fn at_most(&self, seen: &Fraction) -> Interval {
        Interval::centred_at(seen, &self.band)
    }

    /// Bounds of the probability that the value is at least some number, given the share of samples for which it was.
    #[must_use]
    pub fn at_least(&self, seen: &Fraction) -> Interval {
        // The probability is 1 - F - P(overlong), with F the probability of all smaller numbers.
        let overlong = &self.overlong.high - &self.overlong.low;
        Interval::centred_at(seen, &(&self.band + overlong))
    }

    /// Bounds of the probability that the value lies in a range with these ends, both included, given the number of
    /// samples for which it did. `None` is no end. They hold together with all intervals, whichever ranges are asked for,
    /// and are closest for a range with one end, and for a round block: the values from a multiple of w to the next, where
    /// w is 2 or 5, or 1, 2 or 5 times a higher power of ten.
    #[must_use]
    pub fn between(&self, low: Option<&Integer>, high: Option<&Integer>, count: u64) -> Interval {
        let seen = Fraction::new(count.into(), self.samples.max(1).into());
        let (band, closer) = match (low, high) {
            (Some(low), Some(high)) => {
                let twice = &self.band + &self.band;
                let rank = confidence::rank_of_block(&low.to_big(), &high.to_big());
                let closer = rank.map(|rank| confidence::of_block(self.samples, rank, count));
                (Interval::centred_at(&seen, &twice), closer)
            }
            (Some(_), None) => {
                let closer = confidence::of_half_line(self.samples, count);
                (self.at_least(&seen), Some(closer))
            }
            (None, Some(_)) => {
                let closer = confidence::of_half_line(self.samples, count);
                (self.at_most(&seen), Some(closer))
            }
            (None, None) => (self.at_least(&seen), None),
        };
        match closer {
            Some(closer) => band.and(closer),
            None => band,
        }
    }
}

impl Answer {
    /// The answer with this law, found by residual programs.
    #[must_use]
    pub fn new(law: impl Into<Law<Outcomes>>, states: u64) -> Self {
        let law = law.into();
        Self {
            method: if law.unresolved() != Weight::ZERO {
                Method::ExactWithUnresolved
            } else if law.above().or(law.below()).is_some() {
                Method::ExactWithTail
            } else {
                Method::Exact
            },
            law,
            route: Route::Residual,
            states,
            unit: Unit::WHOLE,
            shape: Shape::Numbers,
            may_fail: Fraction::default(),
            given: None,
        }
    }

    /// The same answer in units of this program's result.
    #[must_use]
    pub(in crate::engine) fn of_program(self, program: &Program) -> Self {
        let unit = program.unit().clone();
        Self { unit, ..self }.shaped(program.shape(), program.is_sorted())
    }

    /// The same answer with what a shape reads in place of the integers.
    fn shaped(self, shape: &Shape, is_sorted: bool) -> Self {
        if *shape == Shape::Numbers {
            return self;
        }
        let read = |(value, weight): (Value<'_>, &Weight)| {
            let mut members = value
                .numbers()
                .map_or_else(Vec::new, |list| shape.read(list));
            // The order of integers that stand for numbers and labels is not that of numbers and labels.
            if is_sorted && shape.parts().is_none() {
                members.sort_unstable();
            }
            (members, weight.clone())
        };
        let read: Vec<_> = self.outcomes().iter().map(read).collect();
        let mut places: Vec<usize> = (0..read.len()).collect();
        places.sort_by(|&a, &b| read[a].0.cmp(&read[b].0));
        let mut method = self.method.clone();
        if let Method::Sampled(sampling) = &mut method {
            let intervals = places
                .iter()
                .map(|&place| sampling.intervals[place].clone());
            sampling.intervals = intervals.collect();
        }
        let never_ends = self.never_ends();
        let outcomes = Outcomes::Members(Distribution::new(read, self.total().clone()));
        let law = Law::else_unresolved(outcomes, never_ends);
        if !matches!(method, Method::Sampled(_)) {
            method = Self::new(law.clone(), 0).method;
        }
        Self {
            law,
            method,
            shape: shape.clone(),
            ..self
        }
    }

    /// The answer whose whole distribution is listed.
    #[must_use]
    pub fn exact(outcomes: Outcomes, states: u64) -> Self {
        Self::new(Law::from(outcomes), states)
    }

    /// The answer to a rule out of which nothing comes: no outcome, and no weight.
    #[must_use]
    pub fn nothing() -> Self {
        let none = Distribution::new(std::iter::empty(), Weight::from(1_u32));
        Self::exact(Outcomes::Numbers(none), 0)
    }

    /// The listed outcomes.
    #[must_use]
    pub fn outcomes(&self) -> &Outcomes {
        &self.law.listed
    }

    /// The listed outcomes, if all of them are numbers.
    #[must_use]
    pub fn numbers(&self) -> Option<&Distribution<Integer>> {
        self.outcomes().numbers()
    }

    /// The tail above all listed outcomes.
    #[must_use]
    pub fn above(&self) -> Option<&Tail> {
        self.law.above()
    }

    /// The tail below all listed outcomes.
    #[must_use]
    pub fn below(&self) -> Option<&Tail> {
        self.law.below()
    }

    /// Whether the outcomes are known to go on without end beyond those that are listed. A tail of another answer may have an end.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        let unlisted = self.law.unlisted.as_ref();
        unlisted.is_some_and(|unlisted| unlisted.is_endless)
    }

    /// The weight in both tails.
    #[must_use]
    pub fn tail_weight(&self) -> Weight {
        let tails = [self.below(), self.above()];
        tails.into_iter().flatten().map(|tail| &tail.weight).sum()
    }

    /// The weight of paths whose outcome is not known.
    #[must_use]
    pub fn unresolved(&self) -> Weight {
        self.law.unresolved()
    }

    /// The weight of paths that never end.
    #[must_use]
    pub fn never_ends(&self) -> Weight {
        self.law.never_ends()
    }

    /// The moments of the whole distribution, given that the roll ends, where the engine found them apart from the
    /// listed outcomes. `None` where the listed outcomes are the whole distribution, or where the moments are
    /// unknown.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        let unlisted = self.law.unlisted.as_ref()?;
        unlisted.moments.as_ref()?.given_that_it_ends()
    }

    /// The ends between which the mean lies, given that the roll ends, where the engine found them but not the moments.
    #[must_use]
    pub fn mean_between(&self) -> Option<[Fraction; 2]> {
        let unlisted = self.law.unlisted.as_ref()?;
        unlisted.mean.as_ref()?.given_that_it_ends()
    }

    /// The common denominator of all weights.
    #[must_use]
    pub fn total(&self) -> &Weight {
        self.law.total()
    }

    /// A weight of this answer as a probability, reduced.
    #[must_use]
    pub fn probability(&self, weight: &Weight) -> Fraction {
        probability(weight, self.total())
    }

    /// How the rule was sampled, if it was.
    #[must_use]
    pub fn sampling(&self) -> Option<&Sampling> {
        match &self.method {
            Method::Sampled(sampling) => Some(sampling),
            Method::Exact | Method::ExactWithTail | Method::ExactWithUnresolved => None,
        }
    }

    /// The answer to questions about these numbers only: how much lies at, below and above each of them. All outcomes between two of
    /// the numbers are merged into the first of them, so that little is left of a long distribution. An answer whose outcomes are lists, or
    /// that is sampled, stays as it is. Takes time in proportion to the outcomes.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let answer = Rule::bones("d100")?.solver().answer()?.about(&[90.into()]);
    /// let listed: Vec<_> = answer.numbers().unwrap().iter().map(|(n, weight)| format!("{n}: {weight}")).collect();
    /// assert_eq!(listed, ["1: 89", "90: 1", "91: 10"]);
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn about(self, numbers: &[Integer]) -> Self {
        if self.sampling().is_some() {
            return self;
        }
        let place = |outcome: &Integer| {
            let below = numbers.iter().filter(|number| *number < outcome).count();
            (below, numbers.contains(outcome))
        };
        let merged = |outcomes: Outcomes| match outcomes {
            Outcomes::Lists(_) | Outcomes::Members(_) => outcomes,
            Outcomes::Numbers(listed) => {
                let mut merged: Vec<(Integer, Weight)> = Vec::new();
                let mut last = None;
                for (outcome, weight) in listed.iter() {
                    let place = Some(place(outcome));
                    match merged.last_mut().filter(|_| place == last) {
                        Some((_, sum)) => *sum += weight,
                        None => merged.push((outcome.clone(), weight.clone())),
                    }
                    last = place;
                }
                Outcomes::Numbers(Distribution::new(merged, listed.total().clone()))
            }
        };
        Self {
            law: self.law.relisted(merged),
            ..self
        }
    }

    /// The same answer, ready for reports. Without this the first report makes a number for each weight, and the answer keeps
    /// them beside the form in which they were computed, which may take as much memory again.
    ///
    /// # Errors
    ///
    /// A [`LimitReached`] of the budget.
    pub fn unpacked(self, budget: &Budget<'_>) -> Result<Self, LimitReached> {
        let listed = match self.law.listed {
            Outcomes::Numbers(numbers) => Outcomes::Numbers(numbers.unpacked(budget)?),
            Outcomes::Lists(lists) => Outcomes::Lists(lists.unpacked(budget)?),
            Outcomes::Members(members) => Outcomes::Members(members.unpacked(budget)?),
        };
        let unlisted = self.law.unlisted;
        Ok(Self {
            law: Law { listed, unlisted },
            ..self
        })
    }

    /// Whether the listed outcomes are the whole distribution.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.law.unlisted.is_none()
    }
}

impl Outcomes {
    /// The outcomes of an evaluator of lists: as numbers where every list has exactly one member.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "never: each list has one member")]
    pub fn from_lists(lists: Distribution<List>) -> Self {
        if lists.outcomes().iter().all(|list| list.len() == 1) {
            Self::Numbers(lists.relabelled(|mut list| list.pop().expect("one member")))
        } else {
            Self::Lists(lists)
        }
    }

    /// The common denominator.
    #[must_use]
    pub fn total(&self) -> &Weight {
        match self {
            Self::Numbers(numbers) => numbers.total(),
            Self::Lists(lists) => lists.total(),
            Self::Members(members) => members.total(),
        }
    }

    /// How many outcomes are listed.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Lists(lists) => lists.len(),
            Self::Members(members) => members.len(),
        }
    }

    /// Whether no outcome is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The distribution of numbers, if every outcome is a number.
    #[must_use]
    pub fn numbers(&self) -> Option<&Distribution<Integer>> {
        match self {
            Self::Numbers(numbers) => Some(numbers),
            Self::Lists(_) | Self::Members(_) => None,
        }
    }

    /// The value at an index.
    ///
    /// # Panics
    ///
    /// If there is no such index.
    #[must_use]
    pub fn value(&self, index: usize) -> Value<'_> {
        match self {
            Self::Numbers(numbers) => Value::Number(&numbers.outcomes()[index]),
            Self::Lists(lists) => Value::List(&lists.outcomes()[index]),
            Self::Members(members) => Value::Members(&members.outcomes()[index]),
        }
    }

    /// The index of a value, if it is listed.
    #[must_use]
    pub fn place(&self, value: Value<'_>) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.value(middle).cmp(&value) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The weights of the values, in their order. The first call makes a number for each weight.
    #[must_use]
    pub fn weights(&self) -> &[Weight] {
        match self {
            Self::Numbers(numbers) => numbers.weights(),
            Self::Lists(lists) => lists.weights(),
            Self::Members(members) => members.weights(),
        }
    }

    /// Values with their weights, ascending. Lists compare member by member, and a prefix comes before its
    /// extensions.
    pub fn iter(&self) -> impl Iterator<Item = (Value<'_>, &Weight)> {
        let weights = self.weights().iter();
        weights
            .enumerate()
            .map(|(index, weight)| (self.value(index), weight))
    }
}

impl Listing for Outcomes {
    fn total(&self) -> &Weight {
        self.total()
    }

    fn mass(&self) -> Weight {
        match self {
            Self::Numbers(numbers) => numbers.mass(),
            Self::Lists(lists) => lists.mass(),
            Self::Members(members) => members.mass(),
        }
    }

    fn weight_between(&self, low: Option<&Integer>, high: Option<&Integer>) -> Weight {
        match self {
            Self::Numbers(numbers) => numbers.weight_between(low, high),
            Self::Lists(lists) => lists.weight_between(low, high),
            Self::Members(_) => Weight::ZERO,
        }
    }
}

impl From<Law> for Law<Outcomes> {
    /// Drops the source of the law, so that the answer can list no further outcomes, but knows that there are some.
    fn from(law: Law) -> Self {
        let mut law = law.relisted(|numbers| Outcomes::Numbers(numbers.into_distribution()));
        if let Some(unlisted) = &mut law.unlisted {
            unlisted.is_endless = unlisted.source.take().is_some();
        }
        law
    }
}

impl<'a> Value<'a> {
    /// The members. A number has one.
    pub fn members(self) -> impl Iterator<Item = MemberRef<'a>> + Clone {
        let (numbers, members) = match self {
            Self::Number(number) => (std::slice::from_ref(number), [].as_slice()),
            Self::List(list) => (list, [].as_slice()),
            Self::Members(members) => ([].as_slice(), members),
        };
        let members = members.iter().map(|member| match member {
            Member::Label(label) => MemberRef::Label(label),
            Member::Number(number) => MemberRef::Number(number),
        });
        numbers.iter().map(MemberRef::Number).chain(members)
    }

    /// The members, if they are stored as numbers: not those of [`Value::Members`].
    #[must_use]
    pub fn numbers(self) -> Option<&'a [Integer]> {
        match self {
            Self::Number(number) => Some(std::slice::from_ref(number)),
            Self::List(list) => Some(list),
            Self::Members(_) => None,
        }
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Number(_) => 1,
            Self::List(list) => list.len(),
            Self::Members(members) => members.len(),
        }
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A member of a [`Value`]: a number or a label. All numbers come before all labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MemberRef<'a> {
    /// A number.
    Number(&'a Integer),
    /// A label.
    Label(&'a Label),
}

impl Ord for Value<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.members().cmp(other.members())
    }
}

impl PartialOrd for Value<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value<'_> {}

impl Hash for Value<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.members().for_each(|member| member.hash(state));
    }
}

impl Value<'_> {
    /// Each member as people read it, labels without quotes.
    pub fn texts<'s>(&'s self, unit: &'s Unit) -> impl Iterator<Item = String> + 's {
        self.members().map(|member| match member {
            MemberRef::Label(label) => label.text.to_string(),
            MemberRef::Number(number) => unit.show(number),
        })
    }

    /// The value as people read it: the members separated by blanks, and nothing for the empty list. A number is in the unit.
    /// Labels stand between quotes, unless the value is always one label; parts of records have their names.
    #[must_use]
    pub fn show(&self, unit: &Unit, shape: &Shape) -> String {
        self.joined(shape, |member| unit.show(member))
    }

    /// As [`Value::show`], with numbers as integers or fractions in lowest terms.
    #[must_use]
    pub fn exact(&self, unit: &Unit, shape: &Shape) -> String {
        self.joined(shape, |member| unit.exact(member))
    }

    fn joined(&self, shape: &Shape, number: impl Fn(&Integer) -> String) -> String {
        let text = |member| match member {
            MemberRef::Number(member) => number(member),
            MemberRef::Label(label) if shape.is_single() => label.text.to_string(),
            MemberRef::Label(label) => format!("\"{}\"", label.text),
        };
        let members: Vec<String> = self.members().map(text).collect();
        let Some(parts) = shape.parts() else {
            return members.join(" ");
        };
        let record = |values: &[String]| {
            let parts = parts.iter().zip(values);
            let parts: Vec<String> = parts
                .map(|(part, value)| format!("{}: {value}", part.name))
                .collect();
            if shape.is_single() {
                parts.join(", ")
            } else {
                format!("{{{}}}", parts.join(", "))
            }
        };
        let records: Vec<String> = members.chunks(parts.len().max(1)).map(record).collect();
        records.join(" ")
    }
}
