//! A choice by a comparison, most of which is independent of what is chosen.
//!
//! In `if sum a >= sum b then high 1 a else high 1 b` the number `high 1 a` depends on the dice `a` alone, and `sum b` does
//! not. So the joint distribution of `(sum a, high 1 a)` and the distribution of `sum b` are enough:
//!
//! `P(x, chosen) = Σ P(near = n, branch = x) · P(n + far passes)`,
//!
//! where the near part of the compared sum shares dice with the branch, and the far part does not. Each branch is taken
//! by itself. Cost: that of these distributions, and one step for each pair of the joint distribution. Revealing all
//! dice together takes the product of the states of both parts.

use super::rule::ClosedForm;
use crate::algebra::weight::lcm;
use crate::algebra::{Law, Numbers, Weight};
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, if_supported};
use crate::map::{Map, ValueMap};
use crate::number::{Integer, Overflow};

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "a choice by a comparison with independent numbers",
    law: |store, id| Ok(if_supported(contest(store, id))?.flatten()),
};

/// A comparison of a sum with a number.
#[derive(Clone, Copy)]
enum Test {
    AtLeast(i64),
    Equals(i64),
}

/// A branch of a choice.
struct Branch {
    value: NodeId,
    /// Whether the test passes where this branch is chosen.
    passes: bool,
    /// The part of the compared sum that depends on the dice of the branch, and the other part.
    near: NodeId,
    far: NodeId,
}

fn contest(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let Node::If(condition, a, b) = *store.nodes.get(id) else {
        return Ok(None);
    };
    let (form, test) = match *store.nodes.get(condition) {
        Node::AtLeast(form, number) => (form, Test::AtLeast(number)),
        Node::Equals(form, number) => (form, Test::Equals(number)),
        _ => return Ok(None),
    };
    let Node::Linear(0, atoms) = store.nodes.get(form).clone() else {
        return Ok(None);
    };
    if store.has_loop(id) || !store.is_number(a) || !store.is_number(b) {
        return Ok(None);
    }
    let Some(yes) = branch(store, &atoms, a, true)? else {
        return Ok(None);
    };
    let Some(no) = branch(store, &atoms, b, false)? else {
        return Ok(None);
    };
    let _part = RULE.applies(store.budget);
    let (Some(yes), Some(no)) = (chosen(store, &yes, test)?, chosen(store, &no, test)?) else {
        return Ok(None);
    };
    let total = lcm(yes.total(), no.total());
    let parts = [(&total / yes.total(), &yes), (&total / no.total(), &no)];
    let law = Numbers::measure_sum(&parts, total, store.budget)?;
    Ok(Some(law.into()))
}

/// A branch, with the parts of the compared sum. `None` if the whole sum shares dice with it.
fn branch(
    store: &mut Store<'_>,
    atoms: &[(i64, NodeId)],
    value: NodeId,
    passes: bool,
) -> Attempt<Option<Branch>> {
    let parts: Vec<NodeId> = atoms.iter().map(|&(_, atom)| atom).chain([value]).collect();
    let groups = store.independent_groups(&parts);
    let group = groups.iter().find(|group| group.contains(&atoms.len()));
    let is_near = |place: usize| group.is_some_and(|group| group.contains(&place));
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for (place, &atom) in atoms.iter().enumerate() {
        let part = if is_near(place) { &mut near } else { &mut far };
        part.push(atom);
    }
    if far.is_empty() {
        return Ok(None);
    }
    Ok(Some(Branch {
        value,
        passes,
        near: store.linear(0, &near)?,
        far: store.linear(0, &far)?,
    }))
}

/// The values of a branch, with the weights with which they are chosen. `None` if not all values are listed.
fn chosen(store: &mut Store<'_>, branch: &Branch, test: Test) -> Attempt<Option<Numbers>> {
    let far = store.law(branch.far)?;
    let (Some(far), Some(joint)) = (far.complete(), joint(store, branch)?) else {
        return Ok(None);
    };
    let far = Passing::of(far, test);
    let mut known: Map<i64, Weight> = Map::default();
    let mut weights: ValueMap<i64, Weight> = ValueMap::default();
    // For each pair at most a product, and a weight with which the far part passes.
    let bytes =
        size_of::<[(i64, Weight); 2]>() as u64 + far.total.bits() / 4 + joint.total.bits() / 8;
    store
        .budget
        .has_room_for(bytes * joint.pairs.len() as u64)?;
    for (near, value, weight) in &joint.pairs {
        let (&near, &value) = (near, value);
        store.budget.work(far.total.bits() / 64 + 8)?;
        if !known.contains_key(&near) {
            let passing = far.beside(near)?;
            let chosen = if branch.passes {
                passing
            } else {
                &far.total - passing
            };
            known.insert(near, chosen);
        }
        let passing = &known[&near];
        *weights.entry(value).or_default() += weight * passing;
    }
    let values = weights
        .into_iter()
        .map(|(value, weight)| (value.into(), weight));
    let total = joint.total * far.total;
    Ok(Some(Numbers::new(values, total)))
}

/// The joint distribution of the near part of a compared sum and of the value of a branch.
struct Joint {
    pairs: Vec<(i64, i64, Weight)>,
    total: Weight,
}

/// The joint distribution of a branch. `None` if not all of it is listed.
fn joint(store: &mut Store<'_>, branch: &Branch) -> Attempt<Option<Joint>> {
    let &Branch { near, value, .. } = branch;
    if let Some(near) = store.as_constant(near) {
        return of_one(store, value, |value| Ok((near, value)));
    }
    for sign in [1, -1] {
        let left = store.linear(0, &[(1, value), (-sign, near)])?;
        if let Some(left) = store.as_constant(left) {
            let value_beside = |near: i64| near.checked_mul(sign)?.checked_add(left);
            let pair = |near| Ok((near, value_beside(near).ok_or(Overflow)?));
            return of_one(store, near, pair);
        }
    }
    let pair = store.chain(vec![near, value])?;
    let law = store.law_of_list(pair)?;
    Ok(law.complete().map(|law| {
        let pairs = law.iter().map(|(pair, weight)| match pair[..] {
            [near, value] => (near, value, weight.clone()),
            _ => unreachable!("a pair of numbers"),
        });
        Joint {
            pairs: pairs.collect(),
            total: law.total().clone(),
        }
    }))
}

/// The joint distribution of two numbers that follow from one. `None` if not all of it is listed.
fn of_one(
    store: &mut Store<'_>,
    number: NodeId,
    pair: impl Fn(i64) -> Result<(i64, i64), Overflow>,
) -> Attempt<Option<Joint>> {
    let law = store.law(number)?;
    let Some(law) = law.complete() else {
        return Ok(None);
    };
    let pairs = law.iter().map(|(outcome, weight)| {
        let (near, value) = pair(outcome.to_i64().ok_or(Overflow)?)?;
        Ok((near, value, weight))
    });
    Ok(Some(Joint {
        pairs: pairs.collect::<Result<_, Overflow>>()?,
        total: law.total().clone(),
    }))
}

/// The weights with which a number passes a test beside another number.
struct Passing {
    test: Test,
    outcomes: Vec<Integer>,
    /// For each outcome the weight of all outcomes from it on; for a test of equality its own weight.
    weights: Vec<Weight>,
    total: Weight,
}

impl Passing {
    fn of(number: &Numbers, test: Test) -> Self {
        let (outcomes, mut weights): (Vec<_>, Vec<_>) = number.iter().unzip();
        if matches!(test, Test::AtLeast(_)) {
            let mut all = Weight::ZERO;
            for weight in weights.iter_mut().rev() {
                all += &*weight;
                weight.clone_from(&all);
            }
        }
        Self {
            test,
            outcomes,
            weights,
            total: number.total().clone(),
        }
    }

    /// The weight with which the number and this one together pass.
    fn beside(&self, near: i64) -> Result<Weight, Overflow> {
        let (Test::AtLeast(number) | Test::Equals(number)) = self.test;
        let bound = Integer::from(number).sub(&near.into())?;
        let place = match (self.test, self.outcomes.binary_search(&bound)) {
            (_, Ok(place)) | (Test::AtLeast(_), Err(place)) => place,
            (Test::Equals(_), Err(_)) => return Ok(Weight::ZERO),
        };
        Ok(self.weights.get(place).cloned().unwrap_or_default())
    }
}
