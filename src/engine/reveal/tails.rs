//! What is known of the mean of a program whose revealed dice all lie in their tails.
//!
//! A tail has a bound and a weight, and often moments: those of the whole die without its listed part. They give the
//! moments of sums of such dice. Of other programs they give ends of the mean:
//!
//! ```text
//! E[X + Y] = E[X] + E[Y]                               also where X and Y depend on each other
//! 0 <= E[XY] <= (E[X²] + E[Y²])/2                      for X, Y >= 0
//! (E[X] - (c - 1))/c <= E[X div c] <= E[X]/c           for X >= 0 and a constant c > 0
//! E[Z] <= max(a, b) + (E[X] - a) + (E[Y] - b)          for X >= a, Y >= b, and Z one of them
//! |E[Z]| <= (E[X²] + E[Y²] + 1)/2                      for Z one of X and Y
//! E[Z] <= E[X]                                         for Z the sum of some members >= 0, X that of all of them
//! ```
//!
//! The bounds of a program (`simplify::bounds`) are ends of its mean, too.

use num_traits::{One as _, Zero as _};

use crate::algebra::weight::probability;
use crate::algebra::{Known, MeanBetween, Moments};
use crate::engine::program::{Bounds, Context, DieId, Node, NodeId, PoolId, Store, is_infinite};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, if_supported};
use crate::ir::{Arithmetic, Folding};
use crate::number::{Fraction, Integer};
use crate::stack;

/// Pools, each with what is known of the moments of one die in its tail.
pub(in crate::engine) type DiceInTails = Vec<(PoolId, Option<Known>)>;

/// What is known of the moments of one die of each pool in its tail.
pub(in crate::engine) fn dice_in_tails(
    store: &Store<'_>,
    pools: impl IntoIterator<Item = PoolId>,
) -> DiceInTails {
    let known = |pool: PoolId| {
        let known = store.pools.known(pool);
        (pool, known.and_then(|known| tail_of(store, known.die)))
    };
    pools.into_iter().map(known).collect()
}

/// Programs whose revealed dice all lie in their tails.
pub(in crate::engine) struct Tails<'c> {
    dice: &'c DiceInTails,
    /// What the pools hide: their numbers of dice, and the bounds of the tails.
    context: &'c mut Context,
}

impl<'c> Tails<'c> {
    /// The programs under a context in which all dice of these pools lie in their tails.
    pub(in crate::engine) fn new(dice: &'c DiceInTails, context: &'c mut Context) -> Self {
        Self { dice, context }
    }

    /// What is known of the moments of a number that mentions these dice, and others that surely end.
    pub(in crate::engine) fn known(
        &mut self,
        store: &mut Store<'_>,
        id: NodeId,
    ) -> Attempt<Option<Known>> {
        let known = stack::level(|| self.by_form(store, id))?;
        Ok(match known {
            Some(Known::All(_)) => known,
            Some(Known::Mean(mean)) => Some(narrowed(mean, self.bounds(store, id)?).into()),
            None => within(self.bounds(store, id)?).map(Known::Mean),
        })
    }

    fn bounds(&mut self, store: &mut Store<'_>, id: NodeId) -> Attempt<Bounds> {
        store.within(self.context, |store| store.bounds(id))
    }

    /// What the form of a number tells of its moments.
    fn by_form(&mut self, store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Known>> {
        let pools = store.pools_of(id);
        if !self.dice.iter().any(|(pool, ..)| pools.contains(pool)) {
            return known_apart(store, id);
        }
        match store.nodes.get(id).clone() {
            Node::Draw(pool) => Ok(self.die(pool).cloned()),
            Node::Linear(constant, atoms) => self.linear(store, constant, &atoms),
            Node::Arithmetic(Arithmetic::Multiply, a, b) => self.product(store, a, b),
            Node::Arithmetic(Arithmetic::Divide | Arithmetic::FloorDivide, a, b) => {
                let Some(by) = store.as_constant(b).filter(|&by| by > 0) else {
                    return Ok(None);
                };
                let least = self.bounds(store, a)?.low;
                let mean = self.mean(store, a)?.filter(|_| least >= 0);
                Ok(mean.map(|mean| {
                    let by = Fraction::from_integer(by.into());
                    let rest = &by - Fraction::one();
                    MeanBetween::surely((mean.low - rest) / &by, mean.high / by).into()
                }))
            }
            Node::If(condition, a, b) => match self.mixed(store, condition, a, b)? {
                None => self.either(store, a, b),
                mixed => Ok(mixed),
            },
            Node::Fold(Folding::Sum, list) => match *store.nodes.get(list) {
                Node::Pool(pool) => {
                    let size = self.bounds(store, list)?;
                    let dice = u32::try_from(size.least).ok();
                    let dice = dice.filter(|&dice| dice > 0 && size.least == size.most);
                    Ok(dice.and_then(|dice| Some(self.die(pool)?.times(dice))))
                }
                _ => self.part_of_sum(store, list),
            },
            _ => Ok(None),
        }
    }

    /// What is known of one die of a pool in its tail.
    fn die(&self, pool: PoolId) -> Option<&Known> {
        let (_, known) = self.dice.iter().find(|(id, _)| *id == pool)?;
        known.as_ref()
    }

    /// The ends of the mean of a number that surely ends.
    fn mean(&mut self, store: &mut Store<'_>, id: NodeId) -> Attempt<Option<MeanBetween>> {
        let mean = self.known(store, id)?.and_then(|known| known.mean());
        Ok(mean.filter(|mean| mean.ends.is_one()))
    }

    fn linear(
        &mut self,
        store: &mut Store<'_>,
        constant: i64,
        atoms: &[(i64, NodeId)],
    ) -> Attempt<Option<Known>> {
        let parts: Vec<NodeId> = atoms.iter().map(|&(_, atom)| atom).collect();
        let are_independent = store.are_independent(&parts);
        let mut sum = Known::All(Moments::certain(&Integer::from(constant)));
        for &(by, atom) in atoms {
            let Some(known) = self.known(store, atom)? else {
                return Ok(None);
            };
            let part = known.scaled(&Integer::from(by));
            // Of parts that depend on each other, only the means add up.
            let part = if are_independent {
                Some(part)
            } else {
                part.mean()
                    .filter(|mean| mean.ends.is_one())
                    .map(Known::Mean)
            };
            match part.and_then(|part| sum.plus(&part)) {
                Some(more) => sum = more,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    fn product(&mut self, store: &mut Store<'_>, a: NodeId, b: NodeId) -> Attempt<Option<Known>> {
        if store.are_independent(&[a, b]) {
            let both = self.known(store, a)?.zip(self.known(store, b)?);
            return Ok(both.and_then(|(x, y)| x.product(&y)));
        }
        let Some((x, y)) = self.square(store, a)?.zip(self.square(store, b)?) else {
            return Ok(None);
        };
        let high = (x + y) / Fraction::from_integer(2.into());
        let low = if a == b
            && self
                .known(store, a)?
                .is_some_and(|known| known.all().is_some())
        {
            high.clone()
        } else if self.bounds(store, a)?.low >= 0 && self.bounds(store, b)?.low >= 0 {
            Fraction::zero()
        } else {
            -high.clone()
        };
        Ok(Some(MeanBetween::surely(low, high).into()))
    }

    /// An upper end of the mean of the square of a number that surely ends; the mean itself, if all moments are known.
    fn square(&mut self, store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Fraction>> {
        if let Some(Known::All(moments)) = self.known(store, id)? {
            return Ok(mean_of_square(&moments));
        }
        let Node::Fold(Folding::Sum, list) = *store.nodes.get(id) else {
            return Ok(None);
        };
        let (Node::Filter(_, _, all) | Node::Select(_, _, all)) = *store.nodes.get(list) else {
            return Ok(None);
        };
        // The sum of some members >= 0 is no more than that of all.
        if self.bounds(store, all)?.low < 0 {
            return Ok(None);
        }
        let sum = store.fold(Folding::Sum, all)?;
        stack::level(|| self.square(store, sum))
    }

    /// One of two numbers, by a condition apart from both.
    fn mixed(
        &mut self,
        store: &mut Store<'_>,
        condition: NodeId,
        a: NodeId,
        b: NodeId,
    ) -> Attempt<Option<Known>> {
        if !store.is_independent_of(condition, &[a, b]) {
            return Ok(None);
        }
        let holds = self.mean(store, condition)?;
        let Some(share) = holds.filter(|mean| mean.low == mean.high) else {
            return Ok(None);
        };
        let Some((a, b)) = self.known(store, a)?.zip(self.known(store, b)?) else {
            return Ok(None);
        };
        let other = Fraction::one() - &share.low;
        let sum = Known::nothing().plus_share(&a, &share.low);
        Ok(sum.and_then(|sum| sum.plus_share(&b, &other)))
    }

    /// One of two numbers.
    fn either(&mut self, store: &mut Store<'_>, a: NodeId, b: NodeId) -> Attempt<Option<Known>> {
        let Some((x, y)) = self.mean(store, a)?.zip(self.mean(store, b)?) else {
            return Ok(None);
        };
        let (low_a, low_b) = (self.bounds(store, a)?.low, self.bounds(store, b)?.low);
        let finite = |end: i64| (!is_infinite(end)).then(|| Fraction::from_integer(end.into()));
        let Some((a, b)) = finite(low_a).zip(finite(low_b)) else {
            let squares = self.square(store, a)?.zip(self.square(store, b)?);
            return Ok(squares.map(|(x, y)| {
                let most = (x + y + Fraction::one()) / Fraction::from_integer(2.into());
                MeanBetween::surely(-most.clone(), most).into()
            }));
        };
        let low = (&a).min(&b).clone();
        let high = (&a).max(&b) + (x.high - &a) + (y.high - &b);
        Ok(Some(MeanBetween::surely(low, high).into()))
    }

    /// The sum of a list of which all members come from a list of members >= 0.
    fn part_of_sum(&mut self, store: &mut Store<'_>, list: NodeId) -> Attempt<Option<Known>> {
        if self.bounds(store, list)?.low < 0 {
            return Ok(None);
        }
        let most = self.sum_of_all(store, list)?;
        Ok(most.map(|most| MeanBetween::surely(Fraction::zero(), most).into()))
    }

    /// The most mean that the sum of a list of members >= 0 can have.
    fn sum_of_all(&mut self, store: &mut Store<'_>, list: NodeId) -> Attempt<Option<Fraction>> {
        match store.nodes.get(list).clone() {
            Node::Filter(_, _, list) | Node::Select(_, _, list) => {
                if self.bounds(store, list)?.low < 0 {
                    return Ok(None);
                }
                stack::level(|| self.sum_of_all(store, list))
            }
            Node::Join(parts) | Node::Chain(parts) => {
                let mut sum = Fraction::zero();
                for &part in parts.iter() {
                    match stack::level(|| self.sum_of_all(store, part))? {
                        Some(mean) => sum += mean,
                        None => return Ok(None),
                    }
                }
                Ok(Some(sum))
            }
            Node::Copies(count, list) => {
                let most = self.bounds(store, count)?.high;
                if is_infinite(most) {
                    return Ok(None);
                }
                let sum = stack::level(|| self.sum_of_all(store, list))?;
                Ok(sum.map(|sum| sum * Fraction::from_integer(most.into())))
            }
            _ if store.is_number(list) => Ok(self.mean(store, list)?.map(|mean| mean.high)),
            Node::Known(_) | Node::Pool(_) => {
                let sum = store.fold(Folding::Sum, list)?;
                Ok(self.mean(store, sum)?.map(|mean| mean.high))
            }
            _ => Ok(None),
        }
    }
}

/// What is known of the moments of a die, given that it shows an unlisted value.
pub(in crate::engine) fn tail_of(store: &Store<'_>, die: DieId) -> Option<Known> {
    let die = store.pools.die_of(die);
    let [beyond] = &*die.beyond else {
        return None;
    };
    let law = &die.law;
    law.unlisted.as_ref()?;
    let share = probability(&beyond.weight, law.total());
    let listed = Known::All(Moments::of(&law.listed));
    let tail = law.known()?.less(&listed)?;
    Some(tail.over(&share))
}

/// What is known of the moments of a number that mentions no die in its tail.
fn known_apart(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Known>> {
    let law = if_supported(store.law(id))?;
    Ok(law.and_then(|law| law.known()))
}

/// The mean of the square of a number that surely ends.
fn mean_of_square(moments: &Moments) -> Option<Fraction> {
    moments.second.clone().filter(|_| moments.ends.is_one())
}

/// The ends of the mean of a number within bounds; `None` if a bound is infinite.
fn within(bounds: Bounds) -> Option<MeanBetween> {
    let is_finite = !is_infinite(bounds.low) && !is_infinite(bounds.high);
    let [low, high] = [bounds.low, bounds.high].map(|end| Fraction::from_integer(end.into()));
    is_finite.then(|| MeanBetween::surely(low, high))
}

/// Ends of a mean, with what bounds tell of it.
fn narrowed(mut mean: MeanBetween, bounds: Bounds) -> MeanBetween {
    if !mean.ends.is_one() {
        return mean;
    }
    if !is_infinite(bounds.low) {
        mean.low = mean.low.max(Fraction::from_integer(bounds.low.into()));
    }
    if !is_infinite(bounds.high) {
        mean.high = mean.high.min(Fraction::from_integer(bounds.high.into()));
    }
    mean
}
