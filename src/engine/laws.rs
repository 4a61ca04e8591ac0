//! Laws that each floor must keep by itself, as functions that tests call with a program: laws of bounds, of one reveal, and of every
//! closed form.
//!
//! Only the tests of the package have this door. They build the library with the feature `laws`, so that these functions are
//! compiled with it, and not a second time with the whole engine.

#![allow(clippy::missing_panics_doc, clippy::unwrap_used, reason = "tests")]

use std::rc::Rc;

use super::program::{
    Body, BodyImage, Bounds, Context, Depth, Instance, LawOfLists, LoopImage, Node, NodeId, Oracle,
    Order, PoolId, ShownDice, Store,
};
use super::reveal::strip::Sums;
use super::rules::RULES;
use super::simplify::forms::Forms as _;
use super::solve::joint::joint;
use super::solve::oracle::Floors;
use super::stop::Attempt;
use super::translate::translator::Translator;
use crate::algebra::{Law, Numbers, Weight};
use crate::ir::{Folding, Program};
use crate::limits::{Budget, Limits, Unobserved};
use crate::number::{Fraction, Integer};

/// Calls `look` with a store and the number that a program is: the sum of its members. `None` if it cannot be translated without
/// an error.
fn with_number<T>(
    program: &Program,
    oracle: &dyn Oracle,
    look: impl FnOnce(&mut Store<'_>, NodeId) -> T,
) -> Option<T> {
    let limits = Limits::default();
    let budget = Budget::start(&limits, &Unobserved);
    let mut store = Store::new(program, Depth::default(), &budget, oracle);
    let mut translator = Translator::new(&mut store);
    let node = translator.translate(program.root(), Order::Ignored, &mut Vec::new());
    if !translator.into_hazards().is_empty() {
        return None;
    }
    let number = store.fold(Folding::Sum, node.ok()?).unwrap();
    Some(look(&mut store, number))
}

/// The least and the greatest sum that a program can come to, as the engine bounds it.
#[must_use]
pub fn bounds(program: &Program) -> Option<(i64, i64)> {
    with_number(program, &Floors, |store, number| {
        let Bounds { low, high, .. } = store.bounds(number).unwrap();
        (low, high)
    })
}

/// Shows one die of each pool of a program, and mixes what is left over its faces: bounds must not grow, and the mixture must be
/// the distribution of the whole. Counts the pools whose mixture was compared.
#[must_use]
pub fn reveals_agree(program: &Program) -> usize {
    let compared = with_number(program, &Floors, |store, number| {
        let dice: Vec<_> = store
            .descending(number)
            .into_iter()
            .filter_map(|id| match store.nodes.get(id) {
                Node::Draw(pool) => Some(*pool),
                _ => None,
            })
            .collect();
        let dice = dice.into_iter();
        dice.filter(|&pool| reveal_agrees(store, number, pool))
            .count()
    });
    compared.unwrap_or_default()
}

/// Whether the law of a number can be compared with the mixture after one die of a pool is shown; the two must be equal.
fn reveal_agrees(store: &mut Store<'_>, number: NodeId, pool: PoolId) -> bool {
    let whole = store.law(number).unwrap();
    let outer = store.bounds(number).unwrap();
    let die = store.pools.die_of(store.pools.get(pool).die);
    if !die.beyond.is_empty() {
        return false;
    }
    let (faces, total) = (Rc::clone(&die.faces), die.law.total().clone());
    let mut mixed: Vec<(Integer, Fraction)> = Vec::new();
    for (value, weight) in faces.iter() {
        let shown = ShownDice {
            pool,
            value: *value,
            dice: 1,
        };
        let context = &mut Context::new(Vec::new(), vec![shown]);
        let rest = store.under(context, number).unwrap();
        let inner = store.bounds(rest).unwrap();
        assert!(outer.low <= inner.low && inner.high <= outer.high);
        let law = store.law(rest).unwrap();
        for (outcome, part) in law.listed.iter() {
            let share = fraction(&(part * weight), &(law.total() * &total));
            mixed.push((outcome, share));
        }
    }
    if whole.complete().is_none() {
        return false;
    }
    for (outcome, weight) in whole.listed.iter() {
        let parts = mixed.iter().filter(|(other, _)| *other == outcome);
        let sum: Fraction = parts.map(|(_, share)| share).sum();
        assert_eq!(sum, fraction(&weight, whole.total()), "{outcome}");
    }
    true
}

/// The floors without the closed forms of numbers, so that numbers are revealed.
struct NoRules;

impl Oracle for NoRules {
    fn law(&self, store: &mut Store<'_>, number: NodeId) -> Attempt<Rc<Law>> {
        match *store.nodes.get(number) {
            Node::Constant(value) => Ok(Rc::new(Numbers::certain(value.into()).into())),
            Node::Draw(_) => Floors.law(store, number),
            _ => joint(store, number, &Sums::PulledOut).map(Rc::new),
        }
    }

    fn law_of_list(&self, store: &mut Store<'_>, list: NodeId) -> Attempt<Rc<LawOfLists>> {
        Floors.law_of_list(store, list)
    }

    fn value_for(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId> {
        Floors.value_for(store, body, member)
    }

    fn fails(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId> {
        Floors.fails(store, body, member)
    }

    fn image(&self, store: &mut Store<'_>, body: &Body, members: Bounds) -> Attempt<BodyImage> {
        Floors.image(store, body, members)
    }

    fn instance(&self, store: &mut Store<'_>, body: &Body, member: i64) -> Attempt<Instance> {
        Floors.instance(store, body, member)
    }

    fn loop_image(&self, store: &mut Store<'_>, body: &Body, order: Order) -> Attempt<LoopImage> {
        Floors.loop_image(store, body, order)
    }
}

/// The names of all closed forms.
pub fn closed_forms() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.name)
}

/// Solves a program by each closed form that it has, and by revealing its dice, which must agree. Gives the names of the forms.
#[must_use]
pub fn closed_forms_agree(program: &Program) -> Vec<&'static str> {
    let applied = with_number(program, &Floors, |store, number| {
        let mut applied = Vec::new();
        for rule in &RULES {
            if let Some(law) = (rule.law)(store, number).unwrap() {
                applied.push((rule.name, law));
            }
        }
        applied
    });
    let applied = applied.unwrap_or_default();
    if applied.is_empty() {
        return Vec::new();
    }
    let revealed = with_number(program, &NoRules, |store, number| {
        store.law(number).unwrap()
    });
    let shares = |law: &Law| -> Vec<(Integer, Fraction)> {
        let share = |weight: &Weight| fraction(weight, law.total());
        let listed = law.listed.iter();
        listed
            .map(|(outcome, weight)| (outcome, share(&weight)))
            .collect()
    };
    let expected = shares(&revealed.unwrap());
    for (name, law) in &applied {
        assert_eq!(shares(law), expected, "{name}");
    }
    applied.into_iter().map(|(name, _)| name).collect()
}

fn fraction(weight: &Weight, total: &Weight) -> Fraction {
    crate::algebra::weight::probability(weight, total)
}
