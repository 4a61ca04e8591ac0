//! Sums over the faces of a pool, where each face adds a number that depends on how many dice show it.
//!
//! `count distinct 23#d365` adds 1 for each face that any die shows. The numbers of dice that show the faces have a
//! multinomial distribution, so the faces are taken one after the other: of `m` dice that are left, `k` show the next face in
//! `C(m, k) · w^k` ways, for a face of weight `w` (W. Feller, An Introduction to Probability Theory and Its
//! Applications, volume 1, 1968, IV.2). Revealing takes the same steps, and simplifies a program of all faces for each.
//! Cost: for each face and each pair of numbers of dice, one pass over the sums so far.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::rule::Rule;
use crate::algebra::{Law, Numbers, Weight, binomial, power};
use crate::engine::program::{Drawing, Node, NodeId, PoolId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;
use crate::limits::{Budget, Reserved};

pub(super) const RULE: Rule = Rule {
    name: "a sum over the faces of a pool",
    law: occupancy,
};

/// The most dice of such a pool.
const MOST_DICE: u32 = 1 << 8;

/// What looks at one face: some of the atoms of a sum, and the filters through which they do so.
#[derive(Default)]
struct Looks {
    atoms: Vec<(i64, NodeId)>,
    filters: Vec<NodeId>,
}

fn occupancy(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let Node::Linear(constant, atoms) = store.nodes.get(id).clone() else {
        return Ok(None);
    };
    let [pool] = store.pools_of(id)[..] else {
        return Ok(None);
    };
    let Some(known) = store.pools.known(pool).cloned() else {
        return Ok(None);
    };
    let die = store.pools.die_of(known.die);
    let is_plain = known.drawing == Drawing::Independent && die.beyond.is_empty();
    if !is_plain || known.dice > MOST_DICE {
        return Ok(None);
    }
    let (faces, total) = (die.faces.clone(), die.law.total().clone());
    let mut looks: BTreeMap<i64, Looks> = BTreeMap::new();
    for &(coefficient, atom) in &*atoms {
        let Some((face, filters)) = looks_at(store, atom, pool) else {
            return Ok(None);
        };
        let looks = looks.entry(face).or_default();
        looks.atoms.push((coefficient, atom));
        looks.filters.extend(filters);
    }
    if looks.len() < 2 {
        return Ok(None);
    }
    let _part = RULE.applies(store.budget);
    store
        .budget
        .count_states(looks.len() as u64 * u64::from(known.dice))?;
    let mut occupancy = Occupancy {
        sums: vec![None; known.dice as usize + 1],
        seen: Weight::ZERO,
        last_ways: None,
        budget: store.budget,
    };
    occupancy.sums[known.dice as usize] = Some(Numbers::certain(constant.into()));
    for (face, looks) in looks {
        let Some(added) = numbers_added(store, face, known.dice, &looks)? else {
            return Ok(None);
        };
        let place = faces.binary_search_by_key(&face, |&(face, _)| face);
        let (_, weight) = &faces[place.expect("a face that is looked at")];
        occupancy.show(weight, &added, 0..=known.dice as usize)?;
    }
    // The dice that show none of these faces come last, and add nothing.
    let nothing = vec![0; known.dice as usize + 1];
    let others = total - &occupancy.seen;
    occupancy.show(&others, &nothing, 0..=0)?;
    let sums = occupancy.sums.swap_remove(0);
    Ok(sums.map(Law::from))
}

/// The only face of a pool at which a number looks, and the filters that keep it. `None` if it looks at the pool in another
/// way.
fn looks_at(store: &Store<'_>, number: NodeId, pool: PoolId) -> Option<(i64, Vec<NodeId>)> {
    let faces = &store.pools.die_of(store.pools.get(pool).die).faces;
    let (mut face, mut filters, mut open) = (None, Vec::new(), vec![number]);
    while let Some(id) = open.pop() {
        if store.nodes.mask(id) == 0 || filters.contains(&id) {
            continue;
        }
        match *store.nodes.get(id) {
            Node::Filter(compare, limit, list) if *store.nodes.get(list) == Node::Pool(pool) => {
                let limit = store.as_constant(limit)?;
                let mut kept = faces.iter().filter(|(face, _)| compare.holds(*face, limit));
                let (Some(&(only, _)), None) = (kept.next(), kept.next()) else {
                    return None;
                };
                if *face.get_or_insert(only) != only {
                    return None;
                }
                filters.push(id);
            }
            ref node @ (Node::Linear(..)
            | Node::AtLeast(..)
            | Node::Equals(..)
            | Node::Arithmetic(..)
            | Node::Fold(..)
            | Node::If(..)) => store.nodes.for_children(node, |child| open.push(child)),
            _ => return None,
        }
    }
    Some((face?, filters))
}

/// What a face adds for each number of dice that show it. `None` if that is not known.
fn numbers_added(
    store: &mut Store<'_>,
    face: i64,
    dice: u32,
    looks: &Looks,
) -> Attempt<Option<Vec<i64>>> {
    let sum = store.linear(0, &looks.atoms)?;
    let mut added = Vec::with_capacity(dice as usize + 1);
    for dice in 0..=dice {
        let shown = match dice {
            0 => store.empty(),
            _ => store.known(&[(face, dice)])?,
        };
        let replaced: Vec<_> = looks.filters.iter().map(|&id| (id, shown)).collect();
        let sum = store.replaced(sum, &replaced)?;
        let Some(number) = store.as_constant(sum) else {
            return Ok(None);
        };
        added.push(number);
    }
    Ok(Some(added))
}

/// The sums over the faces so far.
struct Occupancy<'a> {
    /// For each number of dice that are left, the sums of the others: their weights add up to the ways in which these
    /// show the faces so far.
    sums: Vec<Option<Numbers>>,
    /// The weight of the faces so far.
    seen: Weight,
    /// The ways of the last face. Most faces of a pool have the same weight.
    last_ways: Option<Ways<'a>>,
    budget: &'a Budget<'a>,
}

/// The numbers of ways in which dice show a face of a weight.
struct Ways<'a> {
    weight: Weight,
    /// A row for each number of dice that are left after the face: `C(before, left) · weight^(before - left)` for `before`
    /// dice, from `left` dice on.
    rows: Vec<Vec<Weight>>,
    /// The memory of the rows.
    _held: Reserved<'a>,
}

impl<'a> Ways<'a> {
    fn of(
        weight: &Weight,
        left: RangeInclusive<usize>,
        dice: usize,
        budget: &'a Budget<'a>,
    ) -> Attempt<Self> {
        let mut held = Reserved::none(budget);
        let mut rows = Vec::with_capacity(left.clone().count());
        for left in left {
            let mut ways = Weight::from(1_u32);
            let mut row = vec![ways.clone()];
            for before in left + 1..=dice {
                budget.work(ways.bits() / 64 + 8)?;
                ways = ways * before * weight / (before - left);
                held.take(ways.bits() / 8 + size_of::<Weight>() as u64)?;
                row.push(ways.clone());
            }
            rows.push(row);
        }
        Ok(Self {
            weight: weight.clone(),
            rows,
            _held: held,
        })
    }
}

impl Occupancy<'_> {
    /// Shows a face of this weight, which adds a number for each number of dice that show it. Some numbers of dice are
    /// left after it.
    fn show(&mut self, weight: &Weight, added: &[i64], left: RangeInclusive<usize>) -> Attempt<()> {
        let shifted = self.shifted(added)?;
        let dice = self.sums.len() - 1;
        self.seen += weight;
        let ways = match self.last_ways.take() {
            Some(ways) if ways.weight == *weight => ways,
            _ => Ways::of(weight, left.clone(), dice, self.budget)?,
        };
        for left in left {
            let seen = binomial(dice as u64, left as u64, self.budget)?;
            let seen = seen * power(&self.seen, (dice - left) as u64, self.budget)?;
            let parts = ways.rows[left].iter().zip(added).zip(left..);
            let parts = parts.filter_map(|((ways, added), before)| {
                let sums = shifted[added][before].as_ref()?;
                Some((ways.clone(), sums))
            });
            let parts: Vec<_> = parts.collect();
            let sums = Numbers::measure_sum(&parts, seen, self.budget)?;
            self.sums[left] = (!sums.is_empty()).then_some(sums);
        }
        self.last_ways = Some(ways);
        Ok(())
    }

    /// The sums so far for each number of dice that are left, with each of these numbers added once.
    fn shifted(&self, added: &[i64]) -> Attempt<BTreeMap<i64, Vec<Option<Numbers>>>> {
        let mut shifted = BTreeMap::new();
        for &number in added {
            if shifted.contains_key(&number) {
                continue;
            }
            let sums = self.sums.iter().map(|sums| match sums {
                Some(sums) => Ok(Some(sums.shifted(&number.into())?)),
                None => Ok(None),
            });
            shifted.insert(number, sums.collect::<Attempt<_>>()?);
        }
        Ok(shifted)
    }
}
