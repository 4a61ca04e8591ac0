//! Ranks of independent dice.
//!
//! Nested selections by rank from independent dice leave a range of ranks. [`crate::algebra::Pool`] finds its sum as
//! a mixture over the threshold face and the number of dice beyond it (H. A. David and H. N. Nagaraja, Order
//! Statistics, 2003, 2.4).

use super::rule::ClosedForm;
use crate::algebra;
use crate::algebra::weight::probability;
use crate::algebra::{
    Known, Law, Mass, MeanBetween, Moments, Numbers, Quotient, Survival, Weight, Weights,
    moments_of_rank,
};
use crate::engine::program::{Drawing, Node, NodeId, Store};
use crate::engine::simplify::ranks_left;
use crate::engine::stop::Attempt;
use crate::ir::Folding;
use crate::limits::Budget;
use crate::number::{Fraction, Integer};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "ranks of independent dice",
    law: sum_of_ranks,
};

/// The most bytes of a die that is listed farther. A sixteenth of the memory limit is the other bound.
const MOST_BYTES: u64 = 64 << 20;

/// The longest power of a total with which a die is cut.
const MOST_BITS: u64 = 1 << 22;

/// Kinds of independent dice, each with its number of dice.
pub(in crate::engine) type Dice = Vec<(Rc<Law>, u64)>;

/// The sum of some ranks of independent dice.
///
/// A die with a tail at or above a is replaced by min(die, a). Ranks are monotone in the dice. If a die that is
/// summed, or that might be, shows its a, the sum is at least a plus the least face for each other rank. So all
/// smaller sums are exact.
fn sum_of_ranks(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let Node::Fold(Folding::Sum, list) = *store.nodes.get(id) else {
        return Ok(None);
    };
    let Some((dice, ranks)) = ranks(store, list)? else {
        return Ok(None);
    };
    if are_far_apart(&dice, ranks.end - ranks.start) {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    let dice = match &dice[..] {
        [(die, count)] if ranks.end - ranks.start == 1 => {
            let together = *count - ranks.start;
            vec![(
                listed_where_dice_reach(store, die, *count, together)?,
                *count,
            )]
        }
        _ => listed_up_to_others(store, dice)?,
    };
    let moments = moments_of_ranks(store, &dice, ranks.clone())?;
    let sum = sum_of_clipped(store, &dice, ranks.clone(), moments.clone())?;
    // The die with the shortest list bounds the exact sums. If the tail is too heavy, all dice are listed as far as
    // the longest list.
    let tail = sum.as_ref().and_then(|law| {
        let above = law.unlisted.as_ref()?.above.as_ref()?;
        Some(probability(&above.weight, law.total()))
    });
    if tail.is_some_and(|tail| tail > store.budget.limits().tolerance)
        && let Some(dice) = listed_equally_far(store, &dice)?
    {
        return sum_of_clipped(store, &dice, ranks, moments);
    }
    Ok(sum)
}

/// Whether the sums of so many dice, which are all listed, are few and far apart. They are found face by face in less time.
fn are_far_apart(dice: &[(Rc<Law>, u64)], summed: u64) -> bool {
    let listed = dice
        .iter()
        .filter_map(|(law, count)| Some((law.complete()?, *count)));
    summed > 1 && listed.clone().count() == dice.len() && algebra::are_sparse(listed, summed)
}

/// A die, listed no farther than some of equal dice reach together, with a probability above the tolerance:
/// `P(at least k of n dice ≥ t) ≤ C(n,k)·P(one is ≥ t)^k`.
fn listed_where_dice_reach(store: &Store<'_>, die: &Rc<Law>, n: u64, k: u64) -> Attempt<Rc<Law>> {
    let (Some(tail), Ok(power), 2..) = (die.only_tail_above(), u32::try_from(k), k) else {
        return Ok(Rc::clone(die));
    };
    let budget = store.budget;
    if die.total().bits().saturating_mul(k) > MOST_BITS {
        return Ok(Rc::clone(die));
    }
    budget.has_room_for(die.listed.weights().bytes().saturating_mul(2))?;
    let weights: Vec<Weight> = die.listed.iter().map(|(_, weight)| weight).collect();
    // The weights at or above each listed outcome, from the highest on.
    let mut at_or_above = tail.weight.clone();
    let reached: Vec<Weight> = (weights.iter().rev())
        .map(|weight| {
            at_or_above += weight;
            at_or_above.clone()
        })
        .collect();
    let tolerance = &budget.limits().tolerance;
    let most = die.total().pow(power) * tolerance.numer().magnitude();
    let ways = algebra::binomial(n, k, budget)? * tolerance.denom().magnitude();
    let is_rare = |weight: &Weight| weight.pow(power) * &ways <= most;
    let cut = reached.partition_point(is_rare);
    if cut < weights.len() / 2 {
        return Ok(Rc::clone(die));
    }
    let shorter = (**die).clone().cut(weights.len() - cut);
    Ok(Rc::new(shorter.reduced(budget)?))
}

/// The same dice, of which those with generating functions are listed at least as far as the dice that end.
fn listed_up_to_others(store: &Store<'_>, mut dice: Dice) -> Attempt<Dice> {
    let ending = dice.iter().filter_map(|(law, _)| law.complete()?.max());
    let Some(highest) = ending.max() else {
        return Ok(dice);
    };
    for (law, _) in &mut dice {
        if law
            .only_tail_above()
            .is_some_and(|tail| tail.bound <= highest)
            && times_to_list(store, law, highest.to_i64()).is_some()
            && let Some(farther) = law.listed_up_to(&highest, store.budget)?
        {
            *law = Rc::new(farther);
        }
    }
    Ok(dice)
}

/// The same dice, listed about as far as the die that is listed farthest. `None` if no die can be listed farther
/// within the bounds of memory.
fn listed_equally_far(store: &Store<'_>, dice: &[(Rc<Law>, u64)]) -> Attempt<Option<Dice>> {
    let end = |die: &Law| die.unlisted.as_ref()?.above.as_ref()?.bound.to_i64();
    let Some(farthest) = dice.iter().filter_map(|(die, _)| end(die)).max() else {
        return Ok(None);
    };
    let mut is_changed = false;
    let mut alike = dice.to_vec();
    for (die, _) in &mut alike {
        let (Some(source), Some(tail)) = (source(die), die.above()) else {
            continue;
        };
        let times = times_to_list(store, die, Some(farthest));
        let Some(times) = times.filter(|&times| times >= 2) else {
            continue;
        };
        // The tail falls by about the same factor over each range of the same length.
        let tail = probability(&tail.weight, die.total());
        let tolerance = num_traits::pow(tail, times);
        let moments = die.moments();
        if let Some(farther) =
            Law::of_quotient((*source).clone(), moments, &tolerance, store.budget)?
        {
            *die = Rc::new(farther);
            is_changed = true;
        }
    }
    Ok(is_changed.then_some(alike))
}

/// How many times as long as the list of a die is a list up to a number. `None` if it would take more than the bounds of memory.
fn times_to_list(store: &Store<'_>, die: &Law, number: Option<i64>) -> Option<usize> {
    let at = die.above()?.bound.to_i64()?.max(1).unsigned_abs();
    let times = u64::try_from(number?).ok()? / at + 1;
    let bits = die.total().bits().saturating_mul(times);
    let most = MOST_BYTES.min(store.budget.limits().memory / 16);
    let is_small = Weights::bytes_for(at.saturating_mul(times), bits) <= most;
    usize::try_from(times).ok().filter(|_| is_small)
}

/// The sum of some ranks of dice, each die replaced by the nearest bound of a tail if it lies in the tail. `None` if a die may
/// never end, or if something but a tail above is unlisted and the sum is not that of a single rank.
fn sum_of_clipped(
    store: &Store<'_>,
    dice: &[(Rc<Law>, u64)],
    ranks: Range<u64>,
    moments: Option<Moments>,
) -> Attempt<Option<Law>> {
    if dice.iter().any(|(law, _)| law.never_ends() != Weight::ZERO) {
        return Ok(None);
    }
    let mut clipped = Vec::with_capacity(dice.len());
    for (law, count) in dice {
        clipped.push((law.clipped(store.budget)?, *count));
    }
    let pool = algebra::Pool::new(clipped);
    let laws = dice.iter().map(|(law, _)| law);
    let summed = ranks.end - ranks.start;
    if summed == 0 || laws.clone().all(|law| law.unlisted.is_none()) {
        return Ok(Some(pool.sum_of_ranks(ranks, store.budget)?.into()));
    }
    let above = laws
        .clone()
        .filter_map(|law| Some(law.above()?.bound.clone()));
    let above = above.min();
    // A law has no least outcome if something but a tail above is unlisted.
    let least = laws.clone().map(|law| law.least());
    let least = least
        .collect::<Option<Vec<_>>>()
        .and_then(|least| least.into_iter().min());
    match (above, least) {
        (Some(above), Some(least)) => {
            let others = least.mul(&Integer::from_big((summed - 1).into())?)?;
            let at = above.add(&others)?;
            sum_below(store, dice, &pool, ranks, at, moments).map(Some)
        }
        (above, _) if summed == 1 => {
            let below = laws
                .filter_map(|law| Some(law.below()?.bound.clone()))
                .max();
            rank_between(&pool, ranks, [below, above], store.budget)
        }
        _ => Ok(None),
    }
}

/// The sum of some ranks of dice with tails above, which is exact below a number. The pool has the dice clipped.
fn sum_below(
    store: &Store<'_>,
    dice: &[(Rc<Law>, u64)],
    pool: &algebra::Pool,
    ranks: Range<u64>,
    at: Integer,
    moments: Option<Moments>,
) -> Attempt<Law> {
    let all: u64 = dice.iter().map(|(_, count)| count).sum();
    let (mut listed, known) = match moments {
        Some(moments) if ranks.end == all => {
            let listed = pool.highest_below(ranks.end - ranks.start, &at, store.budget)?;
            (listed, Some(Known::All(moments)))
        }
        moments => {
            let sum = pool.sum_of_ranks(ranks.clone(), store.budget)?;
            let known = match moments {
                Some(moments) => Some(Known::All(moments)),
                None => match of_one_endless(&sum, dice, ranks.clone(), store.budget)? {
                    None => mean_of_ranks(&sum, dice, ranks.end, store.budget)?.map(Known::Mean),
                    known => known,
                },
            };
            (sum.filtered(|outcome| *outcome < at), known)
        }
    };
    if listed.mass() == Weight::ZERO {
        // A die that is surely higher hides where the tail of another begins.
        let of_listed = dice.iter().map(|(law, count)| (law.listed.clone(), *count));
        listed = algebra::Pool::new(of_listed).sum_of_ranks(ranks, store.budget)?;
    }
    let beyond = listed.total() - listed.mass();
    let tail = Mass::at_or_above(at, beyond);
    Ok(Law::new(listed, vec![tail], Weight::ZERO, None).knowing(known))
}

/// One rank of dice with tails below and above. A number between the bounds of all tails has its exact weight, because ranks
/// are monotone in the dice. The pool has the dice clipped. `None` if there is no such number.
fn rank_between(
    pool: &algebra::Pool,
    ranks: Range<u64>,
    [below, above]: [Option<Integer>; 2],
    budget: &Budget<'_>,
) -> Attempt<Option<Law>> {
    if below.is_some() && above.is_some() && below >= above {
        return Ok(None);
    }
    let rank = pool.sum_of_ranks(ranks, budget)?;
    let is_low = |outcome: &Integer| below.as_ref().is_some_and(|below| outcome <= below);
    let is_high = |outcome: &Integer| above.as_ref().is_some_and(|above| outcome >= above);
    let weight = |is_beyond: &dyn Fn(&Integer) -> bool| -> Weight {
        let beyond = rank.iter().filter(|(outcome, _)| is_beyond(outcome));
        beyond.map(|(_, weight)| weight).sum()
    };
    let (low, high) = (weight(&is_low), weight(&is_high));
    let mut masses = vec![Mass::anywhere(rank.total() - rank.mass())];
    masses.extend(below.clone().map(|bound| Mass::at_or_below(bound, low)));
    masses.extend(above.clone().map(|bound| Mass::at_or_above(bound, high)));
    let listed = rank.filtered(|outcome| !is_low(outcome) && !is_high(outcome));
    Ok(Some(Law::new(listed, masses, Weight::ZERO, None)))
}

/// The ends of the mean of a sum of ranks, given the sum of the same ranks of dice clipped at the bounds of their
/// tails. The sum does not fall if a die rises, and rises by no more than the die. Where all dice are equal and the k - 1 highest are
/// left out, it only rises if another k - 1 dice lie in their tails, too.
fn mean_of_ranks(
    clipped: &Numbers,
    dice: &[(Rc<Law>, u64)],
    end: u64,
    budget: &Budget<'_>,
) -> Attempt<Option<MeanBetween>> {
    let Some(low) = Moments::of(clipped).first else {
        return Ok(None);
    };
    let mut high = low.clone();
    let others = match dice {
        [(_, count)] => count.saturating_sub(end),
        _ => 0,
    };
    for (law, count) in dice {
        let Some(tail) = law.above() else { continue };
        let listed = Known::All(Moments::of(&law.listed));
        let beyond = law.known().and_then(|known| known.less(&listed)?.mean());
        let Some(beyond) = beyond else {
            return Ok(None);
        };
        let at = Fraction::from_integer(tail.bound.to_big());
        let share = probability(&tail.weight, law.total());
        let excess = beyond.high - at * &share;
        // Where its power is too long, the share of one die is an end as well.
        let is_short = share.denom().bits().saturating_mul(others) <= MOST_BITS;
        let power = u32::try_from(others).ok().filter(|_| is_short).unwrap_or(0);
        let ways = algebra::binomial(count.saturating_sub(1), power.into(), budget)? * *count;
        high += excess * Fraction::from_integer(ways.into()) * num_traits::Pow::pow(share, power);
    }
    Ok(Some(MeanBetween::surely(low, high)))
}

/// What is known of a sum of the highest ranks of dice of which one, and no other, has a tail: in the tail it is the highest
/// die, and the rest of the sum is that of the other dice. `None` for other dice, or if the tail begins below another die.
///
/// With D for the die, a for the bound of its tail, S' for the sum of the other ranks and c for the sum that has min(D, a) in
/// the place of D, `E[S] = E[c] - E[a + S'; D in tail] + E[D + S'; D in tail]`, and the same for the squares.
fn of_one_endless(
    clipped: &Numbers,
    dice: &[(Rc<Law>, u64)],
    ranks: Range<u64>,
    budget: &Budget<'_>,
) -> Attempt<Option<Known>> {
    let (endless, others): (Vec<_>, Vec<_>) =
        dice.iter().partition(|(law, _)| law.unlisted.is_some());
    let all: u64 = dice.iter().map(|(_, count)| count).sum();
    let ([(law, 1)], true) = (&endless[..], ranks.end == all) else {
        return Ok(None);
    };
    let (Some(tail), Some(known)) = (law.above(), law.known()) else {
        return Ok(None);
    };
    let others: Vec<_> = others
        .into_iter()
        .map(|(law, count)| (law.listed.clone(), *count))
        .collect();
    if others
        .iter()
        .any(|(die, _)| die.max() > Some(tail.bound.clone()))
    {
        return Ok(None);
    }
    let rest = algebra::Pool::new(others).sum_of_ranks(ranks.start..all - 1, budget)?;
    let rest = Known::All(Moments::of(&rest));
    let at_bound = Known::All(Moments::certain(&tail.bound));
    let share = probability(&tail.weight, law.total());
    let listed = Known::All(Moments::of(&law.listed));
    let known = || {
        let at_bound = Known::nothing()
            .plus_share(&at_bound, &share)?
            .plus(&rest)?;
        let beyond = known.less(&listed)?.plus(&rest)?;
        let below = Known::All(Moments::of(clipped)).less(&at_bound)?;
        below.plus_share(&beyond, &Fraction::from_integer(1.into()))
    };
    Ok(known())
}

/// The generating function of a die with a tail.
fn source(die: &Law) -> Option<Arc<Quotient>> {
    die.unlisted.as_ref()?.quotient()
}

/// The moments of the sum of ranks of dice that have generating functions. They are known for equal dice, or for a
/// single rank.
fn moments_of_ranks(
    store: &Store<'_>,
    dice: &[(Rc<Law>, u64)],
    ranks: Range<u64>,
) -> Attempt<Option<Moments>> {
    if !dice.iter().any(|(die, _)| source(die).is_some()) {
        return Ok(None);
    }
    let mut moments = match dice {
        [(die, count)] => match source(die) {
            Some(die) => die.moments_of_ranks(*count, ranks.clone(), store.budget)?,
            None => None,
        },
        _ => None,
    };
    if moments.is_none() && ranks.end - ranks.start == 1 {
        let survival = |die: &Rc<Law>| match die.unlisted {
            None => Survival::of_listed(&die.listed),
            Some(_) => Survival::of_exploding(&*source(die)?),
        };
        let survivals = dice
            .iter()
            .map(|(die, count)| Some((survival(die)?, *count)))
            .collect::<Option<Vec<_>>>();
        if let Some(dice) = survivals {
            let all: u64 = dice.iter().map(|(_, count)| count).sum();
            moments = moments_of_rank(&dice, all - ranks.start, store.budget)?;
        }
    }
    Ok(moments.map(|[first, second]| Moments {
        ends: Fraction::from_integer(1.into()),
        first: Some(first),
        second: Some(second),
    }))
}

/// The independent dice of a list, and the range of ranks that nested selections leave of them. The lowest rank is 0.
fn ranks(store: &mut Store<'_>, list: NodeId) -> Attempt<Option<(Dice, Range<u64>)>> {
    if let Node::Select(selection, n, inner) = *store.nodes.get(list) {
        let Some(n) = store.as_constant(n).and_then(|n| u64::try_from(n).ok()) else {
            return Ok(None);
        };
        let Some((dice, ranks)) = ranks(store, inner)? else {
            return Ok(None);
        };
        let Some(ranks) = ranks_left(selection, n, ranks) else {
            return Ok(None);
        };
        return Ok(Some((dice, ranks)));
    }
    let parts = match store.nodes.get(list) {
        Node::Join(parts) => parts.to_vec(),
        Node::Pool(_) => vec![list],
        _ => return Ok(None),
    };
    if !store.are_independent(&parts) {
        return Ok(None);
    }
    let mut dice = Dice::with_capacity(parts.len());
    for part in parts {
        match store.nodes.get(part).clone() {
            Node::Pool(pool) => {
                let known = store.pools.get(pool);
                if known.drawing != Drawing::Independent {
                    return Ok(None);
                }
                dice.push((
                    Rc::clone(&store.pools.die_of(known.die).law),
                    known.dice.into(),
                ));
            }
            Node::Known(members) => {
                dice.extend(members.iter().map(|&(value, count)| {
                    let certain = Numbers::certain(Integer::from(value));
                    (Rc::new(certain.into()), count.into())
                }));
            }
            _ if store.is_number(part) => dice.push((store.law(part)?, 1)),
            _ => return Ok(None),
        }
    }
    let all = 0..dice.iter().map(|&(_, count)| count).sum();
    Ok(Some((dice, all)))
}
