//! The faces of a revealed pool that a program can tell apart, and the weights of steps that show a face.

use crate::algebra::{Weight, binomial, power};
use crate::engine::program::{Beyond, Compare, Drawing, Hidden, Node, NodeId, Pool, PoolId, Store};
use crate::ir::Folding;
use crate::limits::{Budget, LimitReached, Reserved};
use crate::map::Map;
use num_traits::ToPrimitive as _;
use std::ops::Range;

/// The number of hidden dice of each pool, packed: a field of bits for each pool.
pub(in crate::engine) type Sizes = u128;

/// Comparisons with known numbers, for each pool that a program only counts through such comparisons.
pub(in crate::engine) type CountingFilters = Map<PoolId, Vec<(Compare, i64)>>;

/// A pool that is revealed, with the faces that the program can tell apart.
pub(in crate::engine) struct Revealed {
    pub(in crate::engine) pool: PoolId,
    dice: u32,
    /// The most dice that the pool can have once those of other pools have joined it.
    capacity: u32,
    pub(in crate::engine) drawing: Drawing,
    /// The faces in the order in which they are shown, with their weights.
    pub(in crate::engine) faces: Vec<(i64, Weight)>,
    /// The mass of unlisted values, which are never shown.
    beyond: Option<Beyond>,
    /// The indices of the pools of the same deck, in the order in which they are revealed. The last one takes the
    /// copies of a card that are left. Empty if the pool is no part of a deck.
    pub(in crate::engine) deck: Vec<usize>,
    /// The mask of the pool, or of all pools of its deck. The pool is revealed as long as a program mentions any of
    /// these.
    pub(in crate::engine) mask: u64,
    /// The first bit of its field in packed [`Sizes`].
    shift: u32,
}

/// The pools with their distinguishable faces, in ascending or descending order. Pools that can show the same face do
/// so in the order of the list, or the last one first. `None` if the numbers of dice do not fit into [`Sizes`].
pub(in crate::engine) fn revealed(
    store: &Store<'_>,
    pools: &[PoolId],
    counting_filters: &CountingFilters,
    ascending: bool,
    last_pool_first: bool,
) -> Result<Option<Vec<Revealed>>, LimitReached> {
    let mut revealed = Vec::with_capacity(pools.len());
    let mut shift = 0;
    let capacities = capacities(store, pools);
    for (&pool, capacity) in pools.iter().zip(capacities) {
        let known = store.pools.get(pool);
        if known.drawing == Drawing::Independent {
            // A level has a row of all numbers of dice that can show its face, from 0 on.
            store.has_room_for::<[u64; 2]>(known.dice as usize)?;
        }
        if known.dice == u32::MAX {
            // The shown dice are counted up to one more than there are.
            return Err(LimitReached::Memory(store.budget.limits().memory));
        }
        let die = store.pools.die_of(known.die);
        store.has_room_for::<[(i64, Weight); 2]>(die.faces.len())?;
        let mut faces: Vec<(i64, Weight)> = Vec::new();
        let mut classes: Map<Vec<bool>, usize> = Map::default();
        let counting_filters = match known.drawing {
            Drawing::Shuffled(_) => None,
            _ => counting_filters.get(&pool),
        };
        for &(face, ref weight) in &*die.faces {
            let class = counting_filters.map(|counting_filters| {
                counting_filters
                    .iter()
                    .map(|&(compare, number)| compare.holds(face, number))
                    .collect::<Vec<_>>()
            });
            match class {
                Some(class) => {
                    if let Some(&index) = classes.get(&class) {
                        faces[index].1 += weight;
                    } else {
                        classes.insert(class, faces.len());
                        faces.push((face, weight.clone()));
                    }
                }
                None => faces.push((face, weight.clone())),
            }
        }
        if !ascending {
            faces.reverse();
        }
        let mut deck = deck_among(store, pool, pools);
        if last_pool_first {
            deck.reverse();
        }
        let mask = deck
            .iter()
            .fold(pool.mask(), |mask, &part| mask | pools[part].mask());
        revealed.push(Revealed {
            pool,
            dice: known.dice,
            capacity,
            drawing: known.drawing,
            faces,
            beyond: die.beyond.first().cloned(),
            deck,
            mask,
            shift,
        });
        shift += u32::BITS - capacity.leading_zeros();
        if shift > Sizes::BITS {
            return Ok(None);
        }
    }
    Ok(Some(revealed))
}

/// The most dice that each pool can have: those of all independent pools together if that fits into [`Sizes`], else
/// its own.
fn capacities(store: &Store<'_>, pools: &[PoolId]) -> Vec<u32> {
    let known = pools.iter().map(|&pool| store.pools.get(pool));
    let is_independent = |known: &&Pool| known.drawing == Drawing::Independent;
    let joined = known.clone().filter(is_independent);
    let joined = joined.fold(0_u32, |sum, known| sum.saturating_add(known.dice));
    let capacities = known.clone().map(|known| match known.drawing {
        Drawing::Independent => joined,
        _ => known.dice,
    });
    let bits = capacities
        .clone()
        .map(|capacity| u32::BITS - capacity.leading_zeros());
    if bits.sum::<u32>() <= Sizes::BITS {
        capacities.collect()
    } else {
        known.map(|known| known.dice).collect()
    }
}

/// The indices of the pools of the same deck.
fn deck_among(store: &Store<'_>, pool: PoolId, pools: &[PoolId]) -> Vec<usize> {
    let Some(deck) = store.pools.deck_of(pool) else {
        return Vec::new();
    };
    let places = pools.iter().enumerate();
    places
        .filter(|&(_, &other)| store.pools.deck_of(other) == Some(deck))
        .map(|(index, _)| index)
        .collect()
}

/// Finds the pools that a program only counts through comparisons with known numbers.
pub(in crate::engine) fn counting_filters(store: &Store<'_>, root: NodeId) -> CountingFilters {
    // How the program looks at a node: in any way (`None`), or only by counting through these comparisons.
    let mut looks: Map<NodeId, Option<Vec<(Compare, i64)>>> = Map::default();
    looks.insert(root, None);
    let mut counting_filters = Map::default();
    for id in store.descending(root) {
        let look = looks.remove(&id).unwrap_or(None);
        let node = store.nodes.get(id);
        if let (Node::Pool(pool), Some(look)) = (node, &look) {
            counting_filters.insert(*pool, look.clone());
        }
        store.nodes.for_children(node, |child| {
            let passed = match node {
                Node::Fold(Folding::Count, _) => Some(Vec::new()),
                Node::Join(_) => look.clone(),
                Node::Copies(_, list) if *list == child => look.clone(),
                Node::Filter(compare, number, list) if *list == child => {
                    match (&look, store.as_constant(*number)) {
                        (Some(look), Some(number)) => {
                            let mut look = look.clone();
                            look.push((*compare, number));
                            Some(look)
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            match (looks.get_mut(&child), passed) {
                (None, passed) => {
                    looks.insert(child, passed);
                }
                (Some(Some(look)), Some(mut passed)) => look.append(&mut passed),
                (Some(look), _) => *look = None,
            }
        });
    }
    for counting_filters in counting_filters.values_mut() {
        counting_filters.sort_unstable();
        counting_filters.dedup();
    }
    counting_filters
}

impl Revealed {
    /// Packed sizes with this number of dice for this pool, and 0 for all others.
    pub(in crate::engine) fn packed(&self, dice: u32) -> Sizes {
        // An empty field behind 128 used bits begins at bit 128.
        Sizes::from(dice).checked_shl(self.shift).unwrap_or(0)
    }

    /// The most dice that the pool can have.
    pub(in crate::engine) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The packed sizes with every bit of this pool.
    pub(in crate::engine) fn field(&self) -> Sizes {
        self.packed(
            u32::MAX
                .checked_shr(self.capacity.leading_zeros())
                .unwrap_or(0),
        )
    }

    /// Whether hidden dice of this pool and of another can show the same faces with the same weights, after `passed`
    /// faces of this pool and `other_passed` faces of the other.
    pub(in crate::engine) fn is_exchangeable_with(
        &self,
        passed: usize,
        other: &Self,
        other_passed: usize,
    ) -> bool {
        let are_independent = [self, other]
            .iter()
            .all(|pool| pool.drawing == Drawing::Independent && pool.beyond.is_none());
        are_independent
            && self.capacity > self.dice
            && passed < self.faces.len()
            && self.faces[passed..] == other.faces[other_passed..]
    }

    /// The size of the pool before anything is revealed, packed.
    pub(in crate::engine) fn full(&self) -> Sizes {
        self.packed(self.dice)
    }

    /// How many dice of the pool are hidden.
    pub(in crate::engine) fn size(&self, sizes: Sizes) -> u32 {
        u32::try_from((sizes & self.field()).checked_shr(self.shift).unwrap_or(0))
            .expect("no more dice than the pool has")
    }

    /// The values that hidden dice can show after `passed` faces have been shown. Their number is open.
    pub(in crate::engine) fn hidden(&self, passed: usize) -> Hidden {
        // The faces are in order, so the first and the last are the extremes.
        let faces = &self.faces[passed..];
        let faces = [faces.first(), faces.last()].into_iter().flatten();
        let faces = faces.map(|&(face, _)| (face, face));
        let beyond = self.beyond.iter().map(|beyond| (beyond.low, beyond.high));
        let (low, high) = faces
            .chain(beyond)
            .fold((i64::MAX, i64::MIN), |(low, high), (from, to)| {
                (low.min(from), high.max(to))
            });
        let most = if passed == self.faces.len() && self.beyond.is_none() {
            0
        } else {
            self.capacity.into()
        };
        Hidden {
            low,
            high,
            least: 0,
            most,
        }
    }

    /// How many of `hidden` dice can show the face at a place, for a pool that is no part of a deck. All of them show
    /// the last face, if there are no unlisted values.
    pub(in crate::engine) fn shown(&self, place: usize, hidden: u32) -> Range<u32> {
        let most = match self.drawing {
            Drawing::WithoutReplacement => {
                let cards = u32::try_from(&self.faces[place].1).unwrap_or(u32::MAX);
                cards.min(hidden)
            }
            Drawing::Independent | Drawing::Shuffled(_) => hidden,
        };
        if self.is_last(place) && self.beyond.is_none() {
            hidden..most + 1
        } else {
            0..most + 1
        }
    }

    /// How many places of this part of a deck can show the face at a place. The part that takes the rest shows all
    /// copies that are left.
    pub(in crate::engine) fn shown_of_deck(
        &self,
        revealed: &[Self],
        place: usize,
        sizes: Sizes,
        takes_rest: bool,
    ) -> Range<u32> {
        let hidden = self.size(sizes);
        let copies = match self.left_of_deck(revealed, place, sizes).1 {
            Some(copies) => u32::try_from(copies).unwrap_or(u32::MAX),
            None => return 0..0,
        };
        let least = match (takes_rest, self.is_last(place)) {
            (true, _) => copies,
            (false, true) => hidden,
            (false, false) => 0,
        };
        least..copies.min(hidden) + 1
    }

    fn is_last(&self, place: usize) -> bool {
        place + 1 == self.faces.len()
    }

    /// The number of cards of a deck that are left in all places, and the number of copies that are left of the face
    /// at a place. No part of the deck may have passed that place.
    fn left_of_deck(&self, revealed: &[Self], place: usize, sizes: Sizes) -> (u64, Option<u64>) {
        let left = self.deck.iter().map(|&part| revealed[part].size(sizes));
        let left = left.map(u64::from).sum::<u64>();
        let after = self.faces.iter().skip(place + 1);
        let after: u64 = after.filter_map(|(_, weight)| weight.to_u64()).sum();
        (left, left.checked_sub(after))
    }

    /// The bits of sizes that are kept as long as a program mentions this pool: its field, and the fields of its
    /// deck.
    pub(in crate::engine) fn kept(&self, revealed: &[Self]) -> Sizes {
        let deck = self.deck.iter().map(|&part| revealed[part].field());
        deck.fold(self.field(), |kept, field| kept | field)
    }

    /// The total weight of `dice` hidden dice on all values that have not been shown.
    fn summed_out(
        &self,
        passed: usize,
        dice: u32,
        budget: &Budget<'_>,
    ) -> Result<Weight, LimitReached> {
        let beyond = self.beyond.iter().map(|beyond| &beyond.weight);
        let faces = self.faces[passed..].iter().map(|(_, weight)| weight);
        let total: Weight = faces.chain(beyond).sum();
        match self.drawing {
            Drawing::Independent => power(&total, dice.into(), budget),
            Drawing::WithoutReplacement | Drawing::Shuffled(_) => choices(&total, dice, budget),
        }
    }

    /// The number of ways to arrange the cards that are left of a deck, once nothing looks at it. This pool is its
    /// last part.
    fn rest_of_deck(
        &self,
        revealed: &[Self],
        passed: &[usize],
        place: usize,
        sizes: Sizes,
        budget: &Budget<'_>,
    ) -> Result<Weight, LimitReached> {
        let (left, copies) = self.left_of_deck(revealed, place, sizes);
        // More copies are left than places, so no step leads here.
        let copies = u32::try_from(copies.unwrap_or(u64::MAX)).unwrap_or(u32::MAX);
        let left = u32::try_from(left).expect("a deck has fewer than 2^32 places");
        // The copies that are left of this face are in parts that have not passed it.
        let open = self.deck.iter().filter(|&&part| passed[part] <= place);
        let open: u32 = open.map(|&part| revealed[part].size(sizes)).sum();
        let after = self.faces.iter().skip(place + 1).map(|(_, weight)| weight);
        let ways = arrangements(left.saturating_sub(copies), after, budget)?;
        Ok(binomial(open.into(), copies.into(), budget)? * ways)
    }
}

/// The weight of all results of dice at which nothing looks any more. All places that are left of a deck are among
/// them, or none.
pub(in crate::engine) fn ways(
    revealed: &[Revealed],
    passed: &[usize],
    gone: Sizes,
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    let mut ways = Weight::from(1_u32);
    for (index, pool) in revealed.iter().enumerate() {
        if pool.deck.is_empty() {
            ways *= pool.summed_out(passed[index], pool.size(gone), budget)?;
        } else if pool.deck.last() == Some(&index) && gone & pool.kept(revealed) != 0 {
            ways *= pool.rest_of_deck(revealed, passed, passed[index], gone, budget)?;
        }
    }
    Ok(ways)
}

/// For each number k up to `hidden`: the weight of k of the hidden dice showing a face of this weight.
pub(in crate::engine) fn weights_of_steps(
    drawing: Drawing,
    weight: &Weight,
    hidden: u32,
    budget: &Budget<'_>,
    held: &mut Reserved<'_>,
) -> Result<Vec<Weight>, LimitReached> {
    let one = Weight::from(1_u32);
    let mut weights = held.vec(u64::from(hidden) + 1)?;
    let (mut choices, mut power) = (one.clone(), one);
    for dice in 0..=hidden {
        let ways = match drawing {
            Drawing::Independent => &choices * &power,
            Drawing::Shuffled(_) | Drawing::WithoutReplacement => choices.clone(),
        };
        held.take(ways.bits() / 8)?;
        // Long weights take long to compute.
        if ways.bits() > 1 << 12 {
            budget.look_at_clock()?;
        } else {
            budget.check()?;
        }
        weights.push(ways);
        let left = match drawing {
            Drawing::Independent | Drawing::Shuffled(_) => Weight::from(hidden - dice),
            Drawing::WithoutReplacement if *weight > Weight::from(dice) => weight - dice,
            Drawing::WithoutReplacement => Weight::ZERO,
        };
        choices = choices * left / (dice + 1);
        if drawing == Drawing::Independent {
            power *= weight;
        }
    }
    Ok(weights)
}

/// The number of ways in which cards with these copies fill the places: a product of binomial coefficients.
pub(in crate::engine) fn arrangements<'a>(
    places: u32,
    copies: impl Iterator<Item = &'a Weight>,
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    let (mut ways, mut left) = (Weight::from(1_u32), Weight::from(places));
    for copies in copies {
        let count = copies
            .to_u64()
            .and_then(|copies| u32::try_from(copies).ok());
        ways *= choices(&left, count.unwrap_or(u32::MAX), budget)?;
        left = if left > *copies {
            &left - copies
        } else {
            Weight::ZERO
        };
    }
    Ok(ways)
}

/// The number of ways to choose this many of the cards of a deck.
pub(in crate::engine) fn choices(
    cards: &Weight,
    chosen: u32,
    budget: &Budget<'_>,
) -> Result<Weight, LimitReached> {
    let cards = cards.to_u64().expect("a deck has fewer than 2^64 cards");
    binomial(cards, chosen.into(), budget)
}
