//! Sums of the dice with certain ranks, for unequal dice.
//!
//! **Highest k.** As for equal dice, let a be the face of the k-th highest die. Let `Qᵢ(x)` be the polynomial of the
//! faces from a up of a die of kind i, measured from a, and zᵢ the weight of its other faces. The rolls with fewer than
//! k dice at or above a have the polynomial `Σ_{b<k} T_b`, where `Σ_b T_b·yᵇ = Πᵢ (zᵢ + y·Qᵢ)^nᵢ`; see
//! [`super::partial_products`].
//!
//! **Other ranks.** A walk goes over the faces one by one, from the side where fewer dice are dropped. For each kind of
//! dice it decides how many show the face. A state is the number of dice left of each kind, with the polynomial of the
//! sum of the kept dice so far. Kinds with the same weights for all remaining faces are one kind from there on: below a 7, a d8 that
//! is left is a d6. Once all kept dice are placed, the dice that are left show any of the remaining faces.

use std::mem;
use std::ops::Range;

use super::polynomial::Polynomial;
use super::ranked::{Face, Task};
use super::{Weight, Weights, product};
use crate::limits::{Budget, LimitReached};
use crate::map::Map;

impl Task<'_> {
    /// The sum of the highest dice of several kinds; `all` is the weight of all rolls.
    pub(super) fn highest_of_unequal(&self, all: &Weight) -> Result<Weights, LimitReached> {
        if !self.ascends() {
            return self.walk(0);
        }
        let kept = usize::try_from(self.kept).unwrap_or(usize::MAX);
        let bits = self.bits_of_partial_products();
        let mut sums = Weights::zeros(self.length, bits);
        let mut below = vec![Weight::ZERO; self.kinds.len()];
        for (index, face) in self.faces.iter().enumerate() {
            let gap = match index.checked_sub(1) {
                Some(before) => face.offset - self.faces[before].offset,
                None => 0,
            };
            // Without a gap, the two terms at this boundary are the same polynomial and cancel.
            if gap > 0 {
                let partial_products = self.partial_products(index, &below, bits)?;
                for (b, partial_product) in partial_products.iter().enumerate() {
                    sums.wrapping_add(partial_product, (face.offset - gap) * kept + gap * b);
                    sums.wrapping_sub(partial_product, face.offset * kept);
                }
            }
            for (below, weight) in below.iter_mut().zip(&face.weights) {
                *below += weight;
            }
        }
        if let Some(highest) = self.faces.last() {
            let constant = Polynomial::constant(all, bits);
            sums.wrapping_add(&constant.weights, highest.offset * kept);
        }
        Ok(sums.with_bits(self.bits))
    }

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
                let is_last = below[kind] == Weight::ZERO;
                states = self.shown(&states, (kind, weight), is_last, |placed, shown| {
                    let counted = |dice: u64| dice.clamp(dropped, last);
                    let kept = counted(placed + shown) - counted(placed);
                    usize::try_from(kept).unwrap_or(usize::MAX) * face.offset
                })?;
            }
            // Where all kept dice are placed, the dice left show any lower face.
            let is_open = |state: &State| state.placed < last;
            let (open, closed): (Vec<_>, Vec<_>) = states.each.into_iter().partition(is_open);
            states.each = open;
            for state in closed {
                let mut factor = Weight::from(1_u32);
                for (count, below) in states.left[state.left].iter().zip(&below) {
                    factor *= product::power(below, *count, self.budget)?;
                }
                let factor = factor.to_u64_digits();
                sums.add_run_product(state.start, &states.weights, state.run, &factor);
            }
        }
        Ok(sums)
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

    /// The states after any number of dice of a kind, or all that are left, show a face with this weight. `shift` says what
    /// the dice that show it add, given how many dice were placed before.
    fn shown(
        &self,
        states: &States,
        (kind, weight): (usize, &Weight),
        is_last: bool,
        shift: impl Fn(u64, u64) -> usize,
    ) -> Result<States, LimitReached> {
        let budget = self.budget;
        let work = |state: &State| (state.run.len() * states.weights.width()) as u64 + 16;
        let shown = |here: u64| if is_last { here..=here } else { 0..=here };
        let mut lines = Lines::new(kind);
        let mut sources = Vec::with_capacity(states.each.len());
        for state in &states.each {
            let left = &states.left[state.left.clone()];
            let here = left[kind];
            sources.push((here, lines.line_of(left, here - shown(here).start()), state));
        }
        let first = lines.first_states(budget)?;
        let target = |line: usize, left: u64| {
            first[line] + usize::try_from(left).expect("no more than the counted states")
        };
        let left = lines.dice_left();
        let mut exponents: Vec<Option<Range<usize>>> = vec![None; left.len() / self.kinds.len()];
        for &(here, line, state) in &sources {
            for shown in shown(here) {
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
        for sources in sources.chunk_by(|a, b| a.0 == b.0) {
            let here = sources[0].0;
            let mut factor = Weight::from(1_u32);
            for dice in 0..=here {
                if dice > 0 {
                    factor = factor * (here - dice + 1) * weight / dice;
                }
                if !shown(here).contains(&dice) {
                    continue;
                }
                let digits = factor.to_u64_digits();
                for &(_, line, state) in sources {
                    budget.work(work(state))?;
                    let to = &next.each[target(line, here - dice)];
                    let start = state.start + shift(state.placed, dice);
                    let at = to.run.start + (start - to.start);
                    let run = state.run.clone();
                    next.weights
                        .add_run_product(at, &states.weights, run, &digits);
                }
            }
        }
        Ok(next)
    }
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
    each: Vec<State>,
    /// For one state after the other, the number of dice left of each kind.
    left: Vec<u64>,
    /// For one state after the other, the polynomial of the sum of the kept dice so far.
    weights: Weights,
}

/// A state of a walk: the dice that are left, and a polynomial.
struct State {
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
            each: vec![State {
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
            each.push(State {
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
        let bytes = size_of::<State>() + size_of::<Option<Range<usize>>>() + numbers;
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
