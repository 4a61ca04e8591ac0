//! The faces of a pool that is revealed: those that a program can tell apart, with what it weighs that so many
//! dice show one.

use super::bounds::Hidden;
use super::node::{Compare, Node, NodeId};
use super::pool::{Drawing, PoolId};
use super::scope::Scope;
use crate::algebra::Weight;
use crate::ir::Folding;
use crate::map::Map;

/// How many dice of each pool are hidden: a field of bits for each.
pub(super) type Sizes = u128;

/// For each pool that is only counted through comparisons with known numbers: those comparisons.
pub(super) type Cuts = Map<PoolId, Vec<(Compare, i64)>>;

/// A pool that is revealed, with the faces that the program can tell apart.
pub(super) struct Revealed {
    pub(super) pool: PoolId,
    dice: u32,
    pub(super) drawing: Drawing,
    /// Faces in the order in which they are shown, with their weights.
    pub(super) faces: Vec<(i64, Weight)>,
    /// Where its number of hidden dice begins in packed [`Sizes`].
    shift: u32,
}

impl Scope<'_> {
    /// Pools with their distinguishable faces in ascending or descending order; nothing where their numbers of
    /// dice are too long to be packed.
    pub(super) fn revealed(
        &self,
        pools: &[PoolId],
        cuts: &Cuts,
        ascending: bool,
    ) -> Option<Vec<Revealed>> {
        let mut revealed = Vec::with_capacity(pools.len());
        let mut shift = 0;
        for &pool in pools {
            let known = self.pools.get(pool);
            let mut faces: Vec<(i64, Weight)> = Vec::new();
            let mut classes: Map<Vec<bool>, usize> = Map::default();
            for &(face, ref weight) in &*self.pools.die_of(known.die).faces {
                let class = cuts.get(&pool).map(|cuts| {
                    cuts.iter()
                        .map(|&(compare, number)| holds(compare, face, number))
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
            revealed.push(Revealed {
                pool,
                dice: known.dice,
                drawing: known.drawing,
                faces,
                shift,
            });
            shift += u32::BITS - known.dice.leading_zeros();
            if shift > Sizes::BITS {
                return None;
            }
        }
        Some(revealed)
    }

    /// For each pool that is only counted through comparisons with known numbers: those comparisons.
    pub(super) fn cuts(&self, root: NodeId) -> Cuts {
        // How a node is looked at: `None` is in every way; else through these comparisons and a count.
        let mut looks: Map<NodeId, Option<Vec<(Compare, i64)>>> = Map::default();
        looks.insert(root, None);
        let mut cuts = Map::default();
        for id in self.descending(root) {
            let look = looks.remove(&id).unwrap_or(None);
            let node = self.nodes.get(id);
            if let (Node::Pool(pool), Some(look)) = (node, &look) {
                cuts.insert(*pool, look.clone());
            }
            self.nodes.for_children(node, |child| {
                let passed = match node {
                    Node::Fold(Folding::Count, _) => Some(Vec::new()),
                    Node::Join(_) => look.clone(),
                    Node::Copies(_, list) if *list == child => look.clone(),
                    Node::Filter(compare, number, list) if *list == child => {
                        match (&look, self.as_constant(*number)) {
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
        for cuts in cuts.values_mut() {
            cuts.sort_unstable();
            cuts.dedup();
        }
        cuts
    }
}

impl Revealed {
    /// The packed sizes of which all are 0 but this, of so many dice.
    pub(super) fn packed(&self, dice: u32) -> Sizes {
        // A pool without dice at the end of full sizes has no bits left to begin at.
        Sizes::from(dice).checked_shl(self.shift).unwrap_or(0)
    }

    /// The packed sizes with every bit of this pool.
    pub(super) fn field(&self) -> Sizes {
        self.packed(u32::MAX.checked_shr(self.dice.leading_zeros()).unwrap_or(0))
    }

    /// The size of the pool before anything is revealed, packed.
    pub(super) fn full(&self) -> Sizes {
        self.packed(self.dice)
    }

    /// How many dice of the pool are hidden.
    pub(super) fn size(&self, sizes: Sizes) -> u32 {
        u32::try_from((sizes & self.field()).checked_shr(self.shift).unwrap_or(0))
            .expect("no more dice than the pool has")
    }

    /// What hidden dice can show after so many faces have been passed, their number open.
    pub(super) fn hidden(&self, passed: usize) -> Hidden {
        let faces = self.faces[passed..].iter().map(|&(face, _)| face);
        let (low, high) = (
            faces.clone().min().unwrap_or(i64::MAX),
            faces.max().unwrap_or(i64::MIN),
        );
        let most = if passed == self.faces.len() {
            0
        } else {
            self.dice.into()
        };
        Hidden {
            low,
            high,
            least: 0,
            most,
        }
    }

    /// The most dice that can show the face at a place.
    pub(super) fn most_shown(&self, place: usize) -> u32 {
        match self.drawing {
            Drawing::Independent => self.dice,
            Drawing::WithoutReplacement => {
                let cards = u32::try_from(&self.faces[place].1).unwrap_or(u32::MAX);
                cards.min(self.dice)
            }
        }
    }

    /// The weight of all that so many hidden dice can show on the faces not yet passed.
    pub(super) fn summed_out(&self, passed: usize, dice: u32) -> Weight {
        let total: Weight = self.faces[passed..].iter().map(|(_, weight)| weight).sum();
        self.drawing.all(&total, dice)
    }
}

impl Drawing {
    /// The weight of all that so many dice can show, whose faces weigh so much together.
    pub(super) fn all(self, total: &Weight, dice: u32) -> Weight {
        match self {
            Self::Independent => total.pow(dice),
            Self::WithoutReplacement => binomial(total, dice),
        }
    }

    /// For each number of dice, the weight of so many of `hidden` showing a face of a weight.
    pub(super) fn steps(self, weight: &Weight, hidden: u32) -> Vec<Weight> {
        let one = Weight::from(1_u32);
        let mut weights = Vec::with_capacity(hidden as usize + 1);
        match self {
            Self::Independent => {
                let (mut choices, mut power) = (one.clone(), one);
                for dice in 0..=hidden {
                    weights.push(&choices * &power);
                    choices = choices * (hidden - dice) / (dice + 1);
                    power *= weight;
                }
            }
            Self::WithoutReplacement => {
                let mut choices = one;
                for dice in 0..=hidden {
                    weights.push(choices.clone());
                    let left = if *weight > Weight::from(dice) {
                        weight - dice
                    } else {
                        Weight::ZERO
                    };
                    choices = choices * left / (dice + 1);
                }
            }
        }
        weights
    }
}

fn binomial(n: &Weight, k: u32) -> Weight {
    let mut result = Weight::from(1_u32);
    for index in 0..k {
        let left = if *n > Weight::from(index) {
            n - index
        } else {
            return Weight::ZERO;
        };
        result = result * left / (index + 1);
    }
    result
}

pub(super) fn holds(compare: Compare, member: i64, number: i64) -> bool {
    match compare {
        Compare::AtLeast => member >= number,
        Compare::Below => member < number,
        Compare::Equal => member == number,
        Compare::Unequal => member != number,
    }
}
