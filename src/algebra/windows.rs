//! Weighted sums for many targets, whose terms overlap.
//!
//! In a chain that adds up dice, the steps into a state come from a window of states, and the window of the next state is
//! nearly the same. So terms of the same weight are added before they are multiplied, and such a sum is made from the one
//! of an earlier target: by the terms that join and those that leave.

use super::Weight;
use super::accumulator::Accumulator;
use crate::limits::{Budget, LimitReached};
use crate::map::ValueMap;

/// Where a term comes from: the state that a step leaves, and the number that the step adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Source {
    pub(super) state: usize,
    pub(super) add: usize,
}

/// For each target a sum of weighted terms.
#[derive(Debug)]
pub(super) struct Windows {
    /// The different weights.
    weights: Vec<Vec<u64>>,
    targets: Vec<Vec<Window>>,
    /// A sum for each weight whose windows overlap. The windows of other weights share the first one.
    running: Vec<Running>,
}

/// The terms of one target that have the same weight.
#[derive(Debug)]
struct Window {
    /// The index of the weight.
    weight: usize,
    /// The index of the running sum. `None` if the terms are added to the number of the target one by one.
    running: Option<usize>,
    /// The terms that leave the sum, which is that of the window before with this weight; `None` if all of them do.
    leaving: Option<Vec<Source>>,
    /// The terms that join the sum after that.
    joining: Vec<Source>,
}

/// A sum of terms, and how many limbs they would multiply by a weight of one limb.
#[derive(Clone, Debug, Default)]
struct Running {
    sum: Accumulator,
    limbs: u64,
}

impl Windows {
    /// The targets with these terms and their weights.
    pub(super) fn of(targets: Vec<Vec<(Source, Weight)>>) -> Self {
        let mut weights: Vec<Vec<u64>> = Vec::new();
        let mut places: ValueMap<Vec<u64>, usize> = ValueMap::default();
        // For each weight the last window.
        let mut windows: Vec<Vec<Source>> = Vec::new();
        let mut overlap: Vec<bool> = Vec::new();
        let mut in_windows = |terms: Vec<(Source, Weight)>| {
            let terms = terms.into_iter().map(|(source, weight)| {
                let place = places.entry(weight.to_u64_digits());
                let place = place.or_insert_with_key(|limbs| {
                    weights.push(limbs.clone());
                    windows.push(Vec::new());
                    overlap.push(false);
                    weights.len() - 1
                });
                (*place, source)
            });
            let mut terms: Vec<(usize, Source)> = terms.collect();
            terms.sort_unstable();
            let alike = terms.chunk_by(|(a, _), (b, _)| a == b);
            let alike = alike.map(|terms| {
                let weight = terms[0].0;
                let now: Vec<Source> = terms.iter().map(|(_, source)| *source).collect();
                let window = Window::after(&windows[weight], &now, weight);
                overlap[weight] |= window.leaving.is_some();
                windows[weight] = now;
                window
            });
            alike.collect::<Vec<Window>>()
        };
        let mut targets: Vec<Vec<Window>> = targets.into_iter().map(&mut in_windows).collect();
        let mut sums = 1;
        let running: Vec<usize> = overlap
            .into_iter()
            .map(|overlap| {
                sums += usize::from(overlap);
                if overlap { sums - 1 } else { 0 }
            })
            .collect();
        // For each weight, whether the window behind this one begins with the sum of this one.
        let mut is_used = vec![false; weights.len()];
        for window in targets.iter_mut().rev().flatten() {
            let weight = window.weight;
            let is_sum = window.leaving.is_some() || is_used[weight];
            let is_short = window.joining.len() == 1 || weights[weight] == [1];
            window.running = (is_sum || !is_short).then_some(running[weight]);
            is_used[weight] = window.leaving.is_some();
        }
        Self {
            weights,
            targets,
            running: vec![Running::default(); sums],
        }
    }

    /// How many sums are kept from target to target.
    pub(super) fn sums(&self) -> usize {
        self.running.len()
    }

    /// Adds to the number of each target its sum.
    pub(super) fn add_to<'a>(
        &mut self,
        numbers: &mut [Accumulator],
        term: impl Fn(Source) -> &'a Accumulator,
        budget: &Budget<'_>,
    ) -> Result<(), LimitReached> {
        for (number, windows) in numbers.iter_mut().zip(&self.targets) {
            let mut work = 0;
            for window in windows {
                let weight = &self.weights[window.weight];
                let limbs = if let Some(running) = window.running {
                    let running = &mut self.running[running];
                    running.follow(window, &term);
                    add_weighted(number, running.sum.limbs(), weight);
                    running.limbs
                } else {
                    let mut limbs = 0;
                    for &source in &window.joining {
                        let term = term(source).limbs();
                        add_weighted(number, term, weight);
                        limbs += limbs_to_multiply(term);
                    }
                    limbs
                };
                work += limbs * limbs_to_multiply(weight);
            }
            budget.work(work)?;
        }
        Ok(())
    }
}

impl Window {
    /// The window with these terms, both ascending, after another one of the same weight.
    fn after(before: &[Source], now: &[Source], weight: usize) -> Self {
        let leaving = without(before, now);
        let joining = without(now, before);
        let anew = leaving.len() + joining.len() >= now.len();
        Self {
            weight,
            running: None,
            leaving: (!anew).then_some(leaving),
            joining: if anew { now.to_vec() } else { joining },
        }
    }
}

/// The members of a list that another list, which ascends, does not have.
fn without(list: &[Source], other: &[Source]) -> Vec<Source> {
    let members = list.iter().copied();
    members
        .filter(|member| other.binary_search(member).is_err())
        .collect()
}

impl Running {
    /// Becomes the sum of a window.
    fn follow<'a>(&mut self, window: &Window, term: &impl Fn(Source) -> &'a Accumulator) {
        match &window.leaving {
            None => self.clear(),
            Some(leaving) => {
                for &source in leaving {
                    self.leave(term(source));
                }
            }
        }
        for &source in &window.joining {
            self.join(term(source));
        }
    }

    fn clear(&mut self) {
        self.sum.clear();
        self.limbs = 0;
    }

    #[inline]
    fn join(&mut self, term: &Accumulator) {
        self.sum.add(term.limbs());
        self.limbs += limbs_to_multiply(term.limbs());
    }

    #[inline]
    fn leave(&mut self, term: &Accumulator) {
        self.sum.subtract(term.limbs());
        self.limbs -= limbs_to_multiply(term.limbs());
    }
}

/// Adds the product of a term and a weight.
#[inline]
fn add_weighted(number: &mut Accumulator, term: &[u64], weight: &[u64]) {
    match weight {
        [1] => number.add(term),
        _ => number.add_product(term, weight.iter().copied()),
    }
}

/// The length of a number in limbs, and one more limb if the top bit is set.
#[inline]
fn limbs_to_multiply(number: &[u64]) -> u64 {
    let top = number.last().map_or(0, |limb| limb >> 63);
    number.len() as u64 + top
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::algebra::weights;
    use crate::limits::{Limits, Unobserved};

    /// Few states, numbers and weights, so that windows overlap.
    fn terms() -> impl Strategy<Value = Vec<(Source, Weight)>> {
        let source = (0..6_usize, 0..2_usize);
        prop::collection::btree_map(source, 0..4_usize, 0..12).prop_map(|terms| {
            let weights = [1_u128, 2, 3, u128::MAX].map(Weight::from);
            let terms = terms.into_iter();
            let term = |((state, add), weight): (_, usize)| {
                (Source { state, add }, weights[weight].clone())
            };
            terms.map(term).collect()
        })
    }

    fn number() -> impl Strategy<Value = Accumulator> {
        let limb = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)];
        let limbs = prop::collection::vec(limb, 0..4);
        limbs.prop_map(|limbs| Accumulator::of(&weights::from_limbs(&limbs)))
    }

    proptest! {
        /// Each product by itself, twice over, since a second pass begins with the sums of the first.
        #[test]
        fn sums_are_those_of_the_terms_one_by_one(
            targets in prop::collection::vec(terms(), 1..8),
            numbers in prop::collection::vec(prop::collection::vec(number(), 12), 2),
        ) {
            let limits = Limits::default();
            let budget = Budget::start(&limits, &Unobserved);
            let mut windows = Windows::of(targets.clone());
            for numbers in &numbers {
                let term = |source: Source| &numbers[2 * source.state + source.add];
                let mut sums = vec![Accumulator::default(); targets.len()];
                windows.add_to(&mut sums, term, &budget).unwrap();
                for (sum, terms) in sums.iter().zip(&targets) {
                    let mut expected = Weight::ZERO;
                    for (source, weight) in terms {
                        let number = term(*source).to_weight();
                        expected += number * weight;
                    }
                    prop_assert_eq!(sum.to_weight(), expected);
                }
            }
        }
    }
}
