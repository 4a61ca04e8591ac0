//! Sums of the dice with certain ranks, for a few dice whose rolls weigh at most 127 bits together.
//!
//! The walk over the faces is that of [`super::walk`]. Here a state is a number, with a digit for the dice of each kind that are
//! placed so far, and weights have a machine word or two. So no step takes memory or an operation of long integers, and a few dice
//! take some thousand instructions. The equations of [`super::order_statistics`] take a hundred thousand before the first
//! coefficient.
//!
//! Let a of n dice of a kind show a higher face, and let c of the others show a face of weight w. There are `C(n-a, c)·w^c` ways.
//! Once all kept dice are placed, the dice that are left show this face, or one of weight z in all below it. So the last kind that
//! has the face needs no states for more placed dice than those: `Σ_c C(n-a, c)·w^c·z^(n-a-c)` is a factor.
//!
//! No product is greater than the weight of all rolls, since each is a part of them. This holds for states in which the dice that
//! are not placed can still show something; others are forgotten.

use std::ops::AddAssign;

use num_traits::PrimInt;

use super::limbs;
use super::ranked::Task;
use super::{Weight, Weights};
use crate::limits::LimitReached;

/// A weight of one machine word or two.
trait Short: PrimInt + AddAssign + TryFrom<u128> + Into<u128> {}

impl<T: PrimInt + AddAssign + TryFrom<u128> + Into<u128>> Short for T {}

/// The longest weight of all rolls, in bits.
const MOST_BITS: u64 = 127;

/// The most bytes of all states, where a weight has one word; twice as many where it has two.
const MOST_BYTES: u64 = 1 << 18;

/// So many multiplications take less time than other methods take to begin.
const FEW: u64 = 1 << 12;

/// What the equations of one face take before the first coefficient, and for each, in multiplications of two words.
const WORK_OF_EQUATIONS: [u64; 2] = [2_500, 36];

impl Task<'_> {
    /// Whether [`Task::short_walk`] takes less time than other methods.
    pub(super) fn is_short(&self, dropped: u64) -> bool {
        let Some(states) = self.short_states() else {
            return false;
        };
        let [kept, faces, length] = [self.kept, self.faces.len() as u64, self.length as u64];
        let steps = match *self.kinds {
            [_] => kept * (kept + 2 * dropped) / 3 * length,
            _ => states * self.n / 4 * length,
        };
        if steps.saturating_mul(faces) < FEW {
            return true;
        }
        let [first, each] = WORK_OF_EQUATIONS;
        match *self.kinds {
            // The other method takes a product for each pair of faces.
            [_] if dropped > 0 => steps / length < faces * faces * each,
            [_] => steps < first + each * length,
            _ if dropped > 0 || !self.ascends() => true,
            _ => steps < self.n * kept * kept * faces,
        }
    }

    /// The number of states of a short walk, if the states and their weights are short enough for one.
    fn short_states(&self) -> Option<u64> {
        let length = self.length as u64;
        let all = self.kept.checked_mul(self.span as u64)?.checked_add(1)?;
        let mut states = 1_u64;
        for &(_, count) in self.kinds {
            states = states.checked_mul(count.checked_add(1)?)?;
        }
        let bytes = states.checked_mul(length)?.checked_mul(8)?;
        // Binomial coefficients must not be longer than weights. They are not where a die has two faces.
        let has_short_counts = self.kinds.iter().all(|&(_, count)| count < self.bits);
        let is_short = self.bits <= MOST_BITS && bytes <= MOST_BYTES && has_short_counts;
        (is_short && length == all).then_some(states)
    }

    /// The sum of any ranks of a task that [is short](Task::is_short). The `dropped` highest dice do not count, and the next `kept`
    /// do.
    pub(super) fn short_walk(&self, dropped: u64) -> Result<Weights, LimitReached> {
        debug_assert!(self.short_states().is_some(), "a short task");
        if self.bits < 64 {
            self.walk_in::<u64>(dropped)
        } else {
            self.walk_in::<u128>(dropped)
        }
    }

    fn walk_in<T: Short>(&self, dropped: u64) -> Result<Weights, LimitReached> {
        let mut walk = Walk::<T>::new(self, dropped);
        for face in self.faces.iter().rev() {
            let shows = |kind: &usize| face.weights[*kind] != Weight::ZERO;
            let last = (0..self.kinds.len()).rfind(shows);
            for kind in (0..self.kinds.len()).filter(shows) {
                self.budget.work(walk.rows.weights.len() as u64)?;
                let hit = short(&face.weights[kind]);
                walk.show(kind, hit, face.offset, last == Some(kind));
            }
        }
        let width = limbs::limbs_for(self.bits);
        let limbs = walk.sums.into_iter().flat_map(|sum| {
            let sum: u128 = sum.into();
            [limbs::low(sum), limbs::high(sum)].into_iter().take(width)
        });
        Ok(Weights::from_limbs(limbs.collect(), width))
    }
}

/// A walk, with the sums of the rolls in which all kept dice are placed.
struct Walk<T> {
    states: States,
    rows: Rows<T>,
    choices: Choices,
    /// For each kind, the powers of the weight of all lower faces.
    misses: Vec<Vec<T>>,
    sums: Vec<T>,
}

impl<T: Short> Walk<T> {
    /// Above the highest face.
    fn new(task: &Task<'_>, dropped: u64) -> Self {
        let states = States::new(task, dropped);
        let masses = task.kinds.iter().zip(&states.counts);
        Self {
            rows: Rows::new(&states, task.span),
            choices: Choices::new(states.counts.iter().copied().max().unwrap_or(0)),
            misses: masses
                .map(|((die, _), &count)| powers(short(&die.mass()), count))
                .collect(),
            sums: vec![T::zero(); task.length],
            states,
        }
    }

    /// Any number of dice of a kind show a face of weight `hit`, each of which adds `offset` if it counts. After the last kind that
    /// has the face, rolls in which all kept dice are placed have been added to the sums.
    fn show(&mut self, kind: usize, hit: T, offset: usize, is_last: bool) {
        let count = self.states.counts[kind];
        let below = self.misses[kind][1] - hit;
        let hits = powers(hit, count);
        self.misses[kind] = powers(below, count);
        if is_last {
            for state in 0..self.states.placed.len() {
                self.close(state, kind, &hits, offset);
            }
        }
        let Self {
            states,
            rows,
            choices,
            ..
        } = self;
        let is_gone = below == T::zero();
        for target in (0..states.placed.len()).rev() {
            let digit = states.digit(target, kind);
            if is_gone && digit < count || is_last && states.placed[target] >= states.last {
                rows.forget(target);
                continue;
            }
            for (shown, &hits) in hits[..=digit].iter().enumerate().skip(1) {
                let source = target - shown * states.strides[kind];
                let ways = choices.of::<T>(states.left(source, kind), shown) * hits;
                let kept = states.counted(target) - states.counted(source);
                rows.add(target, source, ways, kept * offset);
            }
        }
    }

    /// Adds the rolls in which all kept dice are placed once dice of the last kind show the face, too.
    fn close(&mut self, state: usize, kind: usize, hits: &[T], offset: usize) {
        let Self { states, rows, .. } = self;
        let Some((first, row)) = rows.of(state) else {
            return;
        };
        let (least, left) = (
            states.last.saturating_sub(states.placed[state]),
            states.left(state, kind),
        );
        let misses = &self.misses[kind];
        let mut factor = if misses[1] == T::zero() && least <= left {
            hits[left]
        } else {
            let ways = |shown: usize| {
                self.choices.of::<T>(left, shown) * hits[shown] * misses[left - shown]
            };
            (least..=left).fold(T::zero(), |sum, shown| sum + ways(shown))
        };
        for (other, misses) in self.misses.iter().enumerate() {
            if other != kind {
                factor = factor * misses[states.left(state, other)];
            }
        }
        let kept = states.last - states.dropped - states.counted(state);
        add_product(&mut self.sums[first + kept * offset..], row, factor);
    }
}

/// The states: numbers with a digit for each kind, the dice of the kind that are placed.
struct States {
    /// The dice of each kind.
    counts: Vec<usize>,
    /// What one more die of a kind adds to the number of a state.
    strides: Vec<usize>,
    /// For each state the dice of all kinds that are placed.
    placed: Vec<usize>,
    /// The dice that are placed before any counts, and those that are placed when none counts any more.
    dropped: usize,
    last: usize,
}

impl States {
    fn new(task: &Task<'_>, dropped: u64) -> Self {
        let to_usize = |dice: u64| usize::try_from(dice).expect("few dice");
        let mut counts = Vec::with_capacity(task.kinds.len());
        let mut strides = Vec::with_capacity(task.kinds.len());
        let mut placed = vec![0];
        for &(_, count) in task.kinds {
            let count = to_usize(count);
            counts.push(count);
            let states = placed.len();
            strides.push(states);
            for state in states..states * (count + 1) {
                placed.push(placed[state - states] + 1);
            }
        }
        Self {
            counts,
            strides,
            placed,
            dropped: to_usize(dropped),
            last: to_usize(dropped + task.kept),
        }
    }

    /// The kept dice that are placed.
    fn counted(&self, state: usize) -> usize {
        self.placed[state].clamp(self.dropped, self.last) - self.dropped
    }

    /// The dice of a kind that are placed.
    fn digit(&self, state: usize, kind: usize) -> usize {
        state / self.strides[kind] % (self.counts[kind] + 1)
    }

    /// The dice of a kind that are not placed.
    fn left(&self, state: usize, kind: usize) -> usize {
        self.counts[kind] - self.digit(state, kind)
    }
}

/// For each state, the weights of the sums of its kept dice.
struct Rows<T> {
    weights: Vec<T>,
    /// Where the row of each state begins.
    starts: Vec<usize>,
    /// The first and the last sum that a row has; `None` for a state that is not reached.
    ends: Vec<Option<(usize, usize)>>,
}

impl<T: Short> Rows<T> {
    /// The rows in which no die is placed yet. A kept die adds at most `span`.
    fn new(states: &States, span: usize) -> Self {
        let mut starts = Vec::with_capacity(states.placed.len());
        let mut length = 0;
        for state in 0..states.placed.len() {
            starts.push(length);
            length += states.counted(state) * span + 1;
        }
        let mut rows = Self {
            weights: vec![T::zero(); length],
            starts,
            ends: vec![None; states.placed.len()],
        };
        rows.weights[0] = T::one();
        rows.ends[0] = Some((0, 0));
        rows
    }

    /// The first sum of a state that is reached, and the weights from it on.
    fn of(&self, state: usize) -> Option<(usize, &[T])> {
        let (first, last) = self.ends[state]?;
        Some((first, &self.weights[self.starts[state]..][first..=last]))
    }

    /// Adds a lower state's weights times a factor, at sums that are greater by `shift`.
    fn add(&mut self, target: usize, source: usize, factor: T, shift: usize) {
        let Some((first, last)) = self.ends[source] else {
            return;
        };
        let (before, row) = self.weights.split_at_mut(self.starts[target]);
        let weights = &before[self.starts[source]..][first..=last];
        add_product(&mut row[first + shift..], weights, factor);
        let (least, most) = self.ends[target].unwrap_or((usize::MAX, 0));
        self.ends[target] = Some((least.min(first + shift), most.max(last + shift)));
    }

    /// The state is not reached any more.
    fn forget(&mut self, state: usize) {
        if let Some((first, last)) = self.ends[state].take() {
            self.weights[self.starts[state]..][first..=last].fill(T::zero());
        }
    }
}

/// Adds each weight times a factor to the sum at its place.
fn add_product<T: Short>(sums: &mut [T], weights: &[T], factor: T) {
    for (sum, &weight) in sums.iter_mut().zip(weights) {
        *sum += weight * factor;
    }
}

/// A weight that fits.
fn short<T: Short>(weight: &Weight) -> T {
    let short = weight.iter_u64_digits().rev();
    let short = short.fold(0, |weight, word| weight << 64 | u128::from(word));
    T::try_from(short)
        .ok()
        .expect("a part of all rolls weighs no more than they do")
}

/// The powers of a number up to an exponent.
fn powers<T: Short>(base: T, exponent: usize) -> Vec<T> {
    let mut powers = Vec::with_capacity(exponent + 1);
    powers.push(T::one());
    for place in 0..exponent {
        powers.push(powers[place] * base);
    }
    powers
}

/// The binomial coefficients up to a row in machine words, by Pascal's triangle.
struct Choices(Vec<u128>);

impl Choices {
    fn new(n: usize) -> Self {
        let mut rows: Vec<u128> = Vec::with_capacity((n + 1) * (n + 2) / 2);
        rows.push(1);
        for row in 1..=n {
            let above = rows.len() - row;
            rows.push(1);
            for place in 1..row {
                rows.push(rows[above + place - 1] + rows[above + place]);
            }
            rows.push(1);
        }
        Self(rows)
    }

    /// How many ways there are to choose k of n.
    fn of<T: Short>(&self, n: usize, k: usize) -> T {
        let choices = T::try_from(self.0[n * (n + 1) / 2 + k]);
        choices
            .ok()
            .expect("no more than two to the number of dice")
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

    /// The other methods are of long integers, and each has a formula of its own.
    #[test]
    fn every_method_gives_the_same_sums() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let fair = die(&[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]);
        let gaps = die(&[(-3, 2), (0, 1), (5, 4)]);
        let coin = die(&[(0, 7), (1, 3)]);
        let heavy = die(&[(2, 1_000_003), (3, 1), (4, 1_999_999), (9, 5)]);
        let fixed = die(&[(2, 3)]);
        let alike = [&fair, &gaps, &coin, &heavy].map(|die| (1..=7).map(move |n| vec![(die, n)]));
        let unlike = [
            vec![(&fair, 2), (&gaps, 3)],
            vec![(&gaps, 1), (&fair, 1), (&coin, 2)],
            vec![(&fixed, 4), (&coin, 3)],
            vec![(&heavy, 2), (&fixed, 1), (&fair, 2)],
        ];
        for kinds in alike.into_iter().flatten().chain(unlike) {
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
                if task.short_states().is_none() {
                    assert!(mass.bits() > MOST_BITS, "{case}");
                    continue;
                }
                let sums = task.short_walk(high).unwrap();
                assert_eq!(sums, task.walk(high).unwrap(), "{case}");
                let is_equal = kinds.len() == 1;
                let others = match (is_equal, low > 0, high > 0) {
                    (true, true, false) => vec![
                        task.highest(&mass),
                        task.highest_by_powers(),
                        task.highest_by_horner(),
                    ],
                    (true, true, true) => vec![task.middle(low..n - high)],
                    (false, _, false) => vec![task.highest_of_unequal(&mass)],
                    _ => Vec::new(),
                };
                for other in others {
                    assert_eq!(sums, other.unwrap(), "{case}");
                }
            }
        }
    }
}
