//! One level of a graph: dice of a pool show a face in every program, and the rest is simplified.
//!
//! A level is taken in two phases, each for all states at once. The first phase leaves the numbers of hidden dice
//! open: it shows the face for every program and every number of dice that show it, and pulls out keys. So its work
//! is shared by all states that differ only in the number of hidden dice. The second phase simplifies the programs
//! for the numbers of hidden dice. Programs under the same knowledge are simplified together, so that their memos are
//! flat arrays ([`memo`](crate::engine::program::memo)). A transition is then two lookups: one in a row, one in a
//! table.

use std::ops::Range;

use hashbrown::hash_map::Entry;

use crate::algebra::Weight;
use crate::engine::program::{Context, Drawing, Epoch, Hidden, NodeId, PoolId, ShownDice, Store};
use crate::engine::reveal::faces::{Revealed, Sizes, ways, weights_of_steps};
use crate::engine::reveal::strip::Monoid;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::{Map, ValueMap};

/// A level: a face of a pool.
pub(in crate::engine) struct Level<'a, M: Monoid> {
    pub(in crate::engine) monoid: &'a M,
    pub(in crate::engine) revealed: &'a [Revealed],
    /// The number of faces of each pool that have been shown after this level.
    pub(in crate::engine) passed: &'a [usize],
    pub(in crate::engine) index: usize,
    pub(in crate::engine) place: usize,
}

impl<M: Monoid> Level<'_, M> {
    /// Whether the pool is the last part of its deck to show the face.
    pub(in crate::engine) fn takes_rest(&self) -> bool {
        self.revealed[self.index].deck.last() == Some(&self.index)
    }

    /// How many hidden dice can show the face.
    pub(in crate::engine) fn dice(&self, sizes: Sizes) -> Range<u32> {
        let shown = &self.revealed[self.index];
        if shown.deck.is_empty() {
            shown.shown(self.place, shown.size(sizes))
        } else {
            shown.shown_of_deck(self.revealed, self.place, sizes, self.takes_rest())
        }
    }

    /// What the pools hide after this level, with open sizes.
    fn hidden(&self) -> Vec<(PoolId, Hidden)> {
        let pools = self.revealed.iter().zip(self.passed);
        pools
            .map(|(pool, &passed)| (pool.pool, pool.hidden(passed)))
            .collect()
    }

    /// The bits of sizes of the pools that a program mentions.
    fn kept(&self, store: &Store<'_>, node: NodeId) -> Sizes {
        let mask = store.nodes.mask(node);
        let kept = self
            .revealed
            .iter()
            .filter(|pool| mask & pool.pool.mask() != 0);
        kept.fold(0, |kept, pool| kept | pool.kept(self.revealed))
    }

    /// The programs of states after the face is shown, for every number of dice that can show it. Sizes are open.
    pub(in crate::engine) fn show_face(
        &self,
        store: &mut Store<'_>,
        states: &[UnexploredState],
    ) -> Attempt<Rows<M::Key>> {
        let shown = &self.revealed[self.index];
        let mut rows: Map<NodeId, ProgramRow> = Map::default();
        store.budget.has_room_for_more(&rows, states.len())?;
        rows.reserve(states.len());
        for state in states {
            let row = rows.entry(state.node).or_default();
            row.most = shown.size(state.sizes).max(row.most);
        }
        let mut length = 0;
        store.has_room_for::<usize>(states.len())?;
        let mut starts = Vec::with_capacity(states.len());
        let mut wanted: Vec<(u32, NodeId, usize)> = Vec::new();
        for state in states {
            let row = rows.get_mut(&state.node).expect("a row for each program");
            let (most, is_first) = (row.most, row.start.is_none());
            let start = *row.start.get_or_insert(length);
            if is_first {
                length += most as usize + 1;
            }
            starts.push(start);
            // A number of dice that show the face is possible for more hidden dice if it is for fewer. Two cases
            // differ: the last face, which all hidden dice show, and decks, whose places show the copies that are
            // left.
            let dice = self.dice(state.sizes);
            let dice = if !shown.deck.is_empty() || dice.start > 0 {
                dice
            } else if is_first {
                shown.shown(self.place, most)
            } else {
                continue;
            };
            store.budget.has_room_for_more(&wanted, dice.len())?;
            wanted.extend(dice.map(|dice| (dice, state.node, start)));
        }
        wanted.sort_unstable();
        wanted.dedup();
        store.has_room_for::<Option<usize>>(length)?;
        let mut places: Vec<Option<usize>> = vec![None; length];
        let mut applied: Vec<Applied<M::Key>> = Vec::new();
        let level = store.new_epoch();
        let most = wanted.last().map_or(0, |&(dice, ..)| dice);
        let first = store.new_epochs(most + 1);
        let none = ShownDice {
            pool: shown.pool,
            value: shown.faces[self.place].0,
            dice: 0,
        };
        let mut context = Context::showing(self.hidden(), none, level, first);
        for group in wanted.chunk_by(|a, b| a.0 == b.0) {
            let dice = group[0].0;
            context.show(dice);
            store.within(&mut context, |store| -> Attempt<()> {
                for &(_, node, start) in group {
                    let place = start + dice as usize;
                    let simplified = store.simplified(node)?;
                    // From some number of dice on, one more of them makes no difference to most programs.
                    if dice > 0
                        && let Some(before) = places[place - 1]
                        && applied[before].simplified == simplified
                    {
                        places[place] = Some(before);
                        continue;
                    }
                    let (key, node) = self.monoid.strip(store, simplified)?;
                    let kept = self.kept(store, node);
                    store.budget.has_room_for_more(&applied, 1)?;
                    places[place] = Some(applied.len());
                    applied.push(Applied {
                        simplified,
                        key,
                        node,
                        kept,
                    });
                }
                Ok(())
            })?;
        }
        Ok(Rows {
            starts,
            places,
            applied,
        })
    }

    /// Simplifies each program for its sizes. `None` if there are more states than the cap.
    pub(in crate::engine) fn simplify_for_sizes(
        &self,
        store: &mut Store<'_>,
        arrivals: &[(NodeId, Sizes)],
        states: &mut States,
        cap: usize,
    ) -> Attempt<Option<Vec<Arrived<M::Key>>>> {
        let mut order: Vec<usize> = (0..arrivals.len()).collect();
        order.sort_by_key(|&place| arrivals[place].1);
        let mut arrived: Vec<Option<Arrived<M::Key>>> = Vec::new();
        arrived.resize_with(arrivals.len(), || None);
        store
            .budget
            .has_room_for_more(&states.index, arrivals.len())?;
        states.index.reserve(arrivals.len());
        // For each pool an epoch for each number of its dice, from 0: one more than its capacity, which may be the largest number.
        let epochs = self.revealed.iter().map(|pool| {
            let first = store.new_epoch();
            store.new_epochs(pool.capacity());
            first
        });
        let epochs: Vec<Epoch> = epochs.collect();
        let mut context = Context::sized(self.hidden(), store.new_epoch());
        for group in order.chunk_by(|&a, &b| arrivals[a].1 == arrivals[b].1) {
            let sizes = arrivals[group[0]].1;
            let pools = self.revealed.iter().zip(&epochs);
            context.hide(pools.map(|(pool, first)| {
                let dice = pool.size(sizes);
                (dice, first.after(dice))
            }));
            store.within(&mut context, |store| -> Attempt<()> {
                for &place in group {
                    let (arrival, _) = arrivals[place];
                    let node = store.simplified(arrival)?;
                    // What arrives has no key any more.
                    let (key, node) = if node == arrival {
                        (self.monoid.nothing(), node)
                    } else {
                        self.monoid.strip(store, node)?
                    };
                    let kept = self.kept(store, node);
                    arrived[place] = Some(Arrived {
                        key,
                        state: states.index(node, sizes & kept),
                        gone: sizes & !kept,
                    });
                    if states.len() > cap {
                        break;
                    }
                }
                Ok(())
            })?;
            if states.len() > cap {
                return Ok(None);
            }
        }
        store.forget_facets();
        Ok(Some(arrived.into_iter().flatten().collect()))
    }
}

/// A program after a face is shown: the key that was pulled out, the program that is left, and the bits of sizes of
/// the pools that it still mentions.
pub(in crate::engine) struct Applied<K> {
    /// The program before the key was pulled out.
    simplified: NodeId,
    pub(in crate::engine) key: K,
    pub(in crate::engine) node: NodeId,
    pub(in crate::engine) kept: Sizes,
}

/// The row of a program, while it is made.
#[derive(Default)]
struct ProgramRow {
    /// The most dice that any state of the program hides.
    most: u32,
    start: Option<usize>,
}

/// Programs after a face is shown. Each program has a row, with a place for every number of dice.
pub(in crate::engine) struct Rows<K> {
    /// Where the row of each state's program starts.
    pub(in crate::engine) starts: Vec<usize>,
    /// The place of the applied program in the list, which neighbours may share.
    places: Vec<Option<usize>>,
    applied: Vec<Applied<K>>,
}

impl<K> Rows<K> {
    /// The program at a place that a step asked for.
    pub(in crate::engine) fn at(&self, place: usize) -> &Applied<K> {
        let applied = self.places[place].expect("every step of a state is applied");
        &self.applied[applied]
    }
}

/// A state whose edges are not known yet.
#[derive(Clone, Copy)]
pub(in crate::engine) struct UnexploredState {
    pub(in crate::engine) node: NodeId,
    pub(in crate::engine) sizes: Sizes,
    pub(in crate::engine) index: u32,
}

/// The state of a program that was simplified for its sizes, the key that was pulled out, and the sizes of pools that
/// it no longer mentions.
pub(in crate::engine) struct Arrived<K> {
    pub(in crate::engine) key: K,
    pub(in crate::engine) state: u32,
    pub(in crate::engine) gone: Sizes,
}

/// The states after a level.
pub(in crate::engine) struct States {
    pub(in crate::engine) index: Map<(NodeId, Sizes), u32>,
    /// The number of states before the level.
    pub(in crate::engine) before: usize,
    pub(in crate::engine) fresh: Vec<UnexploredState>,
}

impl States {
    /// The states after a level, which are at first those that the level does not affect.
    pub(in crate::engine) fn after(unaffected: &[UnexploredState], before: usize) -> Self {
        let index = unaffected
            .iter()
            .map(|state| ((state.node, state.sizes), state.index));
        Self {
            index: index.collect(),
            before,
            fresh: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.before + self.fresh.len()
    }

    pub(in crate::engine) fn index(&mut self, node: NodeId, sizes: Sizes) -> u32 {
        let next = u32::try_from(self.len()).expect("fewer than 2^32 states");
        *self.index.entry((node, sizes)).or_insert_with(|| {
            self.fresh.push(UnexploredState {
                node,
                sizes,
                index: next,
            });
            next
        })
    }
}

/// In place of the index of a weight: the step has no weight, and is none.
pub(in crate::engine) const NO_STEP: u32 = u32::MAX;

/// The weights of steps, each stored once.
#[derive(Default)]
pub(in crate::engine) struct Factors {
    pub(in crate::engine) weights: Vec<Weight>,
    pub(in crate::engine) index: ValueMap<Weight, u32>,
    /// The range of `weights_of_steps` for a drawing, the weight of a face, and a number of hidden dice.
    pub(in crate::engine) steps: ValueMap<(Drawing, Weight, u32), Range<usize>>,
    pub(in crate::engine) weights_of_steps: Vec<u32>,
}

impl Factors {
    pub(in crate::engine) fn index(&mut self, weight: Weight) -> u32 {
        let weights = &mut self.weights;
        *self.index.entry(weight).or_insert_with_key(|weight| {
            weights.push(weight.clone());
            u32::try_from(weights.len() - 1).expect("fewer than 2^32 factors")
        })
    }

    /// The index of the weight of a step, if it has one.
    fn index_of_step(&mut self, weight: Weight) -> u32 {
        if weight == Weight::ZERO {
            NO_STEP
        } else {
            self.index(weight)
        }
    }

    /// The range of `weights_of_steps` for this many hidden dice: one index for each number of dice that show the
    /// face at a place.
    pub(in crate::engine) fn steps(
        &mut self,
        shown: &Revealed,
        place: usize,
        hidden: u32,
        budget: &Budget<'_>,
        held: &mut Reserved<'_>,
    ) -> Result<Range<usize>, LimitReached> {
        let weight = &shown.faces[place].1;
        let key = (shown.drawing, weight.clone(), hidden);
        if let Some(known) = self.steps.get(&key) {
            return Ok(known.clone());
        }
        let start = self.weights_of_steps.len();
        for weight in weights_of_steps(shown.drawing, weight, hidden, budget, held)? {
            // In the list and in the index.
            budget.has_room_for(weight.bits() / 4)?;
            held.take(weight.bits() / 8 + 96)?;
            budget.has_room_for_more(&self.index, 1)?;
            budget.has_room_for_more(&self.weights, 1)?;
            let factor = self.index_of_step(weight);
            self.weights_of_steps.push(factor);
        }
        let range = start..self.weights_of_steps.len();
        self.steps.insert(key, range.clone());
        Ok(range)
    }
}

/// Products of weights with the weights of summed-out dice, at one level.
#[derive(Default)]
pub(in crate::engine) struct SummedOut {
    pub(in crate::engine) weights: Map<Sizes, Weight>,
    pub(in crate::engine) products: Map<(u32, Sizes), u32>,
}

impl SummedOut {
    /// The index of the weight of a step times the weight of all results of the summed-out dice.
    #[inline]
    pub(in crate::engine) fn times<M: Monoid>(
        &mut self,
        factors: &mut Factors,
        factor: u32,
        gone: Sizes,
        level: &Level<'_, M>,
        budget: &Budget<'_>,
    ) -> Result<u32, LimitReached> {
        if gone == 0 || factor == NO_STEP {
            return Ok(factor);
        }
        self.product(factors, factor, gone, level, budget)
    }

    fn product<M: Monoid>(
        &mut self,
        factors: &mut Factors,
        factor: u32,
        gone: Sizes,
        level: &Level<'_, M>,
        budget: &Budget<'_>,
    ) -> Result<u32, LimitReached> {
        if let Some(&known) = self.products.get(&(factor, gone)) {
            return Ok(known);
        }
        let weight = match self.weights.entry(gone) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(ways(level.revealed, level.passed, gone, budget)?),
        };
        let product = factors.index_of_step(&factors.weights[factor as usize] * &*weight);
        self.products.insert((factor, gone), product);
        Ok(product)
    }
}
