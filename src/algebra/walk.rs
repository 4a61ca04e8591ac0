//! Sums of the dice with certain ranks, for unequal dice.
//!
//! A walk goes over the faces one by one, from the side where fewer dice are dropped. For each kind of dice it decides how many show
//! the face. A state is the number of dice left of each kind, with the polynomial of the sum of the kept dice so far. Kinds with the
//! same weights for all remaining faces are one kind from there on: below a 7, a d8 that is left is a d6. Once all kept dice are
//! placed, the dice that are left show any of the remaining faces.

use std::mem;
use std::ops::Range;

use super::polynomial::Polynomial;
use super::ranked::{Face, Task};
use super::{Weight, Weights, product};
use crate::limits::{Budget, LimitReached};
use crate::map::Map;

/// What the equations of one face take before the first coefficient, and for each, in steps of a walk.
const FIRST: u64 = 600;
const EACH: u64 = 9;

impl Task<'_> {
    /// The sum of any ranks, by a walk from the highest face down. The `dropped` highest dice do not count, and the
    /// next `kept` do. The dice that are left then contribute the product of their weights.
    pub(super) fn walk(&self, dropped: u64) -> Result<Weights, LimitReached> {
        let mut sums = Weights::zeros(self.length, self.bits);
        let last = dropped + self.kept;
        // For each kind, the weight below the current face.
        let mut below: Vec<Weight> = self.kinds.iter().map(|(die, _)| die.mass()).collect();
        let mut states = States::first(self);
        let joins = self.joins()?;
        for (index, face) in self.faces.iter().enumerate().rev() {
            let joined = |kind: usize| joins[kind].filter(|join| index < join.below);
            for (kind, join) in joins.iter().enumerate() {
                if let Some(join) = join
                    && index + 1 == join.below
                {
                    states.join(kind, join.first);
                }
            }
            for (kind, weight) in face.weights.iter().enumerate() {
                if joined(kind).is_some() || *weight == Weight::ZERO {
                    continue;
                }
                below[kind] -= weight;
                let step = FaceStep {
                    kind,
                    weight,
                    below: &below,
                    last,
                };
                let shift = |placed: u64, shown: u64| {
                    let counted = |dice: u64| dice.clamp(dropped, last);
                    let kept = counted(placed + shown) - counted(placed);
                    usize::try_from(kept).unwrap_or(usize::MAX) * face.offset
                };
                states = self.shown(&states, &step, shift, &mut sums)?;
            }
        }
        Ok(sums)
    }

    /// Whether a walk to the highest of equal dice takes less time than equations, which need some time for each face to begin.
    pub(super) fn is_few(&self) -> bool {
        let length = self.length as u64;
        let pairs = self.kept.saturating_mul(self.kept);
        (pairs / 3).saturating_mul(length) < FIRST + EACH * length
    }

    /// The most kinds that may show one face on the way from the highest face down, where kinds that have become one count as one.
    pub(super) fn kinds_at_once(&self) -> Result<usize, LimitReached> {
        let joins = self.joins()?;
        let at_once = self.faces.iter().enumerate().map(|(index, face)| {
            let shown = face.weights.iter().zip(&joins);
            let is_own = |join: &Option<Join>| join.is_none_or(|join| index >= join.below);
            shown
                .filter(|(weight, join)| **weight != Weight::ZERO && is_own(join))
                .count()
        });
        Ok(at_once.max().unwrap_or_default())
    }

    /// For each kind, the earlier kind that it becomes one with first on the way down; of several the earliest, so that a kind never
    /// joins one that has joined another.
    fn joins(&self) -> Result<Vec<Option<Join>>, LimitReached> {
        let kinds = self.kinds.len();
        let compared = kinds.saturating_mul(kinds).saturating_mul(self.faces.len());
        self.budget.work(compared as u64)?;
        let join = |kind: usize, first: usize| {
            let agrees = |face: &&Face| face.weights[kind] == face.weights[first];
            let below = self.faces.iter().take_while(agrees).count();
            Join { first, below }
        };
        let first_of = |kind: usize| {
            let earlier = (0..kind).rev().map(|first| join(kind, first));
            earlier.max_by_key(|join| join.below)
        };
        Ok((0..kinds).map(first_of).collect())
    }

    /// The states after any number of dice of a kind show a face. `shift` says what the dice that show it add, given how many dice were
    /// placed before. Where all kept dice are placed, the dice that are left show this face or any lower one, and the sum is complete.
    fn shown(
        &self,
        states: &States,
        step: &FaceStep<'_>,
        shift: impl Fn(u64, u64) -> usize,
        sums: &mut Weights,
    ) -> Result<States, LimitReached> {
        let (budget, kind) = (self.budget, step.kind);
        let work = |state: &WalkState| (state.run.len() * states.weights.width()) as u64 + 16;
        let is_last = step.below[kind] == Weight::ZERO;
        // How many dice may show the face so that kept dice are still to be placed.
        let open = |here: u64, state: &WalkState| {
            let least = if is_last { here } else { 0 };
            least..(here + 1).min(step.last - state.placed)
        };
        let mut lines = Lines::new(kind);
        let mut sources = Vec::with_capacity(states.each.len());
        for state in states.each.iter().filter(|state| !state.run.is_empty()) {
            let left = &states.left[state.left.clone()];
            let here = left[kind];
            sources.push((
                here,
                lines.line_of(left, here - open(here, state).start),
                state,
            ));
        }
        let first = lines.first_states(budget)?;
        let target = |line: usize, left: u64| {
            first[line] + usize::try_from(left).expect("no more than the counted states")
        };
        let left = lines.dice_left();
        let mut exponents: Vec<Option<Range<usize>>> = vec![None; left.len() / self.kinds.len()];
        for &(here, line, state) in &sources {
            for shown in open(here, state) {
                budget.work(work(state))?;
                let start = state.start + shift(state.placed, shown);
                let end = start + state.run.len();
                let known = exponents[target(line, here - shown)].get_or_insert(start..end);
                *known = known.start.min(start)..known.end.max(end);
            }
        }
        let exponents = exponents.into_iter().map(Option::unwrap_or_default);
        let mut next = States::new(self, left, exponents)?;
        // So many dice out of those that are left show the face in equally many ways for all states.
        sources.sort_by_key(|&(here, ..)| here);
        let all = step.weight + &step.below[kind];
        for sources in sources.chunk_by(|a, b| a.0 == b.0) {
            let here = sources[0].0;
            let mut factor = Weight::from(1_u32);
            let mut at_least = product::power(&all, here, budget)?;
            for dice in 0..=here {
                if dice > 0 {
                    factor = factor * (here - dice + 1) * step.weight / dice;
                }
                let digits = factor.to_u64_digits();
                for &(_, line, state) in sources {
                    let start = state.start + shift(state.placed, dice);
                    let run = state.run.clone();
                    if open(here, state).contains(&dice) {
                        budget.work(work(state))?;
                        let to = &next.each[target(line, here - dice)];
                        let at = to.run.start + (start - to.start);
                        next.weights
                            .add_run_product(at, &states.weights, run, &digits);
                    } else if state.placed + dice == step.last {
                        budget.work(work(state))?;
                        let mut factor = at_least.clone();
                        let left = states.left[state.left.clone()].iter().zip(step.below);
                        for (_, (count, below)) in left.enumerate().filter(|(of, _)| *of != kind) {
                            factor *= product::power(below, *count, budget)?;
                        }
                        let factor = factor.to_u64_digits();
                        sums.add_run_product(start, &states.weights, run, &factor);
                    }
                }
                at_least -= &factor * product::power(&step.below[kind], here - dice, budget)?;
            }
        }
        Ok(next)
    }
}

/// Dice of a kind show a face.
struct FaceStep<'s> {
    kind: usize,
    /// The weight of the face.
    weight: &'s Weight,
    /// For each kind, the weight of the faces that come after it.
    below: &'s [Weight],
    /// How many dice are placed where all kept ones are.
    last: u64,
}

/// A kind of dice becomes one with another.
#[derive(Clone, Copy)]
struct Join {
    /// The other kind.
    first: usize,
    /// The number of the lowest faces for which both have the same weights.
    below: usize,
}

/// The states of a walk.
struct States {
    each: Vec<WalkState>,
    /// For one state after the other, the number of dice left of each kind.
    left: Vec<u64>,
    /// For one state after the other, the polynomial of the sum of the kept dice so far.
    weights: Weights,
}

/// A state of a walk: the dice that are left, and a polynomial.
struct WalkState {
    /// The number of dice of all kinds that are placed.
    placed: u64,
    /// The places of the dice left.
    left: Range<usize>,
    /// The lowest exponent.
    start: usize,
    /// The places of the coefficients.
    run: Range<usize>,
}

impl States {
    /// The state in which no die is placed.
    fn first(task: &Task<'_>) -> Self {
        Self {
            each: vec![WalkState {
                placed: 0,
                left: 0..task.kinds.len(),
                start: 0,
                run: 0..1,
            }],
            left: task.kinds.iter().map(|(_, count)| *count).collect(),
            weights: Polynomial::constant(&Weight::from(1_u32), task.bits).weights,
        }
    }

    /// From here on, the dice left of a kind are dice of another.
    fn join(&mut self, kind: usize, first: usize) {
        for state in &self.each {
            let left = &mut self.left[state.left.clone()];
            left[first] += mem::take(&mut left[kind]);
        }
    }

    /// States with these dice left, and room for polynomials with these exponents.
    fn new(
        task: &Task<'_>,
        left: Vec<u64>,
        exponents: impl ExactSizeIterator<Item = Range<usize>>,
    ) -> Result<Self, LimitReached> {
        let kinds = task.kinds.len();
        let mut each = Vec::with_capacity(exponents.len());
        let mut end = 0;
        for (place, exponents) in exponents.enumerate() {
            let dice = place * kinds..(place + 1) * kinds;
            let run = end..end + exponents.len();
            end = run.end;
            each.push(WalkState {
                placed: task.n - left[dice.clone()].iter().sum::<u64>(),
                left: dice,
                start: exponents.start,
                run,
            });
        }
        task.budget
            .has_room_for(Weights::bytes_for(end as u64, task.bits))?;
        let weights = Weights::zeros(end, task.bits);
        Ok(Self {
            each,
            left,
            weights,
        })
    }
}

/// Where the steps of one kind lead. States that differ only in the dice left of this kind are a line, with a state for
/// each number of dice from 0 up.
struct Lines {
    kind: usize,
    /// The lines by the dice left of the other kinds.
    index: Map<Vec<u64>, usize>,
    /// For each line, the most dice left of the kind.
    most: Vec<u64>,
    /// The dice left of the other kinds, while they are looked up.
    others: Vec<u64>,
}

impl Lines {
    fn new(kind: usize) -> Self {
        Self {
            kind,
            index: Map::default(),
            most: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The line for the dice left of the other kinds, with up to so many dice left of the kind.
    fn line_of(&mut self, left: &[u64], most: u64) -> usize {
        self.others.clear();
        self.others.extend_from_slice(left);
        self.others[self.kind] = 0;
        let line = *self.index.entry_ref(&self.others[..]).or_insert_with(|| {
            self.most.push(0);
            self.most.len() - 1
        });
        self.most[line] = self.most[line].max(most);
        line
    }

    /// The first state of each line, if there is room for all states.
    fn first_states(&self, budget: &Budget<'_>) -> Result<Vec<usize>, LimitReached> {
        let states = |most: &u64| most.saturating_add(1);
        let all = self.most.iter().map(states).fold(0, u64::saturating_add);
        budget.count_states(all)?;
        let numbers = size_of::<u64>() * self.others.len();
        let bytes = size_of::<WalkState>() + size_of::<Option<Range<usize>>>() + numbers;
        budget.has_room_for(all.saturating_mul(bytes as u64))?;
        let mut next = 0;
        let first = self.most.iter().map(|most| {
            let first = next;
            next += usize::try_from(states(most)).unwrap_or(usize::MAX);
            first
        });
        Ok(first.collect())
    }

    /// The dice left of each kind, for one state after the other.
    fn dice_left(self) -> Vec<u64> {
        let mut lines: Vec<(Vec<u64>, usize)> = self.index.into_iter().collect();
        lines.sort_unstable_by_key(|&(_, line)| line);
        let mut all = Vec::new();
        for ((mut left, _), most) in lines.into_iter().zip(self.most) {
            for dice in 0..=most {
                left[self.kind] = dice;
                all.extend_from_slice(&left);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::Numbers;
    use super::super::ranked::Ranked;
    use super::*;
    use crate::limits::{Budget, Limits, Unobserved};

    /// A die with these faces and weights.
    fn die(faces: &[(i64, u32)]) -> Numbers {
        let total: u32 = faces.iter().map(|&(_, weight)| weight).sum();
        let faces = faces.iter();
        let faces = faces.map(|&(face, weight)| (face.into(), weight.into()));
        Numbers::new(faces, total.into())
    }

    /// Each method has a formula of its own.
    #[test]
    fn every_method_gives_the_same_sums() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let fair = die(&[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]);
        let gaps = die(&[(-3, 2), (0, 1), (5, 4)]);
        let coin = die(&[(0, 7), (1, 3)]);
        let heavy = die(&[(2, 1_000_003), (3, 1), (4, 1_999_999), (9, 5)]);
        let alike = [&fair, &gaps, &coin, &heavy].map(|die| (1..=7).map(move |n| vec![(die, n)]));
        for kinds in alike.into_iter().flatten() {
            let kinds = kinds.into_iter().map(|(die, n)| (die.clone(), n));
            let kinds: Vec<(Numbers, u64)> = kinds.collect();
            let n: u64 = kinds.iter().map(|&(_, count)| count).sum();
            let masses = kinds.iter();
            let mass: Weight = masses
                .map(|(die, count)| die.mass().pow(u32::try_from(*count).unwrap()))
                .product();
            let ranked = Ranked::new(&kinds, &mut |face| Ok(face.clone()), &budget).unwrap();
            for (low, high) in (0..n).flat_map(|low| (0..n - low).map(move |high| (low, high))) {
                let task = Task::new(&ranked, &kinds, n - low - high, mass.bits(), &budget);
                let task = task.unwrap();
                let case = format!("{kinds:?} without {low} and {high}");
                let sums = task.walk(high).unwrap();
                let others = match (low > 0, high > 0) {
                    (true, false) => vec![task.highest(&mass), task.highest_by_powers()],
                    _ => Vec::new(),
                };
                for other in others {
                    assert_eq!(sums, other.unwrap(), "{case}");
                }
            }
        }
    }
}
