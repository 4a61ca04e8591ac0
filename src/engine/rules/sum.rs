//! A sum of independent parts.
//!
//! Parts that mention no common pool are independent: the distribution of their sum is the convolution of theirs. A
//! common factor and a constant are taken out first. Cost: one convolution for each part; equal dice of several kinds
//! have one recurrence together. The rule does not apply to a sum whose parts all depend on each other.

use std::rc::Rc;

use num_integer::Integer as _;

use super::rule::ClosedForm;
use crate::algebra;
use crate::algebra::{Law, LineOfChain};
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::rules::power::one_of_equal_dice;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::Attempt;

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "a sum of independent parts",
    law: sum,
};

fn sum(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let Node::Linear(constant, atoms) = store.nodes.get(id).clone() else {
        return Ok(None);
    };
    // k·X + c has the law of X, scaled and shifted. More is known of the sum of a loop than of the negative of that sum.
    let factor = atoms.iter().fold(0, |factor, &(by, _)| by.gcd(&factor));
    let factor = factor * atoms.first().map_or(1, |&(by, _)| by.signum());
    if factor != 1 && atoms.len() > 1 {
        let atoms: Vec<_> = atoms
            .iter()
            .map(|&(by, atom)| (by / factor, atom))
            .collect();
        let reduced = store.linear(0, &atoms)?;
        let law = store.law(reduced)?.scaled(&factor.into(), store.budget)?;
        return Ok(Some(law.shifted(&constant.into(), store.budget)?));
    }
    let groups = store.independent_groups(&atoms.iter().map(|&(_, atom)| atom).collect::<Vec<_>>());
    if constant == 0 && groups.len() == 1 && groups[0].len() > 1 {
        return Ok(None);
    }
    let _part = (groups.len() > 1).then(|| RULE.applies(store.budget));
    let mut parts: Vec<Rc<Law>> = Vec::with_capacity(groups.len());
    let mut dice = Vec::new();
    for group in &groups {
        let (coefficient, part) = if let [only] = group[..] {
            atoms[only]
        } else {
            let parts: Vec<_> = group.iter().map(|&index| atoms[index]).collect();
            (1, store.linear(0, &parts)?)
        };
        match one_of_equal_dice(store, part)? {
            Some((die, count)) if groups.len() > 1 => {
                dice.push((die.listed.scaled(&coefficient.into())?, count.into()));
            }
            _ if coefficient == 1 => parts.push(store.law(part)?),
            _ => {
                let law = store.law(part)?;
                parts.push(Rc::new(law.scaled(&coefficient.into(), store.budget)?));
            }
        }
    }
    // One recurrence for all dice may be cheaper than a power for each kind.
    if !dice.is_empty() {
        let sum = algebra::Pool::new(dice).sum(store.budget)?;
        parts.push(Rc::new(sum.into()));
    }
    let sum = Law::sum(&with_chains_joined(store, parts)?, store.budget)?;
    Ok(Some(if constant == 0 {
        sum
    } else {
        sum.shifted(&constant.into(), store.budget)?
    }))
}

/// The parts of a sum. Those that chains add up are one, which is listed once.
fn with_chains_joined(store: &Store<'_>, parts: Vec<Rc<Law>>) -> Attempt<Vec<Rc<Law>>> {
    let mut others = Vec::with_capacity(parts.len());
    // Each chain, and the law of a part that no other part was joined to.
    let mut chains: Vec<(LineOfChain, Option<Rc<Law>>)> = Vec::new();
    for part in parts {
        let Some(line) = LineOfChain::of(&part) else {
            others.push(part);
            continue;
        };
        let mut places = chains.iter().enumerate();
        let joined = places.find_map(|(place, (chain, _))| Some((place, chain.plus(&line)?)));
        match joined {
            Some((place, sum)) => chains[place] = (sum, None),
            None => chains.push((line, Some(part))),
        }
    }
    let (tolerance, most) = (store.tolerance(), store.budget.limits().outcomes);
    for (chain, only) in chains {
        let law = if let Some(law) = only {
            law
        } else {
            let sum = chain.law(&tolerance, most, store.budget)?;
            if sum.is_cut {
                store.note_cut();
            }
            Rc::new(sum.law)
        };
        others.push(law);
    }
    Ok(others)
}
