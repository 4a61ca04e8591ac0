//! Shares: the expected number of members of each value in a list, over the expected number of all members.
//!
//! Expectation is linear, even for dependent values. With `E[x]` the expected number of members of `x` of each value,
//!
//! - `E[join x y] = E[x] + E[y]`, `E[filter x]` is `E[x]` where the filter holds, and `E[map f x]` is the sum of
//!   `E[x](v) · E[f v]` over the values `v`;
//! - `E[n copies of x] = E[n]·E[x]` and `E[if c a b] = P(c)·E[a] + (1 - P(c))·E[b]` where the two share no pool;
//! - `E[n draws of a die] = E[n]·E[die]`, whatever `n` depends on.
//!
//! So a chain of rerolls and filters over any number of dice costs no more than over one die. Other lists, such as
//! ranks and copies that depend on their number, are asked for each value separately: how often the value occurs is a
//! number.

use crate::algebra::weight::probability;
use crate::algebra::{Distribution, Law, Weight};
use crate::engine::answer::Answer;
use crate::engine::failure;
use crate::engine::outcomes::Outcomes;
use crate::engine::program::{Closure, ClosureId, Compare, Node, NodeId, Store, narrow};
use crate::engine::reason::Reason;
use crate::engine::simplify::{Forms as _, values};
use crate::engine::stop::{Attempt, Solved, Stop};
use crate::ir::Folding;
use crate::map::Map;
use crate::number::{Fraction, Integer};
use crate::source::Span;
use crate::stack;
use std::collections::BTreeMap;
use std::rc::Rc;

const NAME: &str = "shares, by linearity of expectation";

/// The expected number of members of each value. No number is 0.
type Expected = BTreeMap<i64, Fraction>;

/// The most different values for which a list is asked one after the other.
const MOST_VALUES: usize = 1 << 12;

/// Expectations that are already known.
#[derive(Default)]
struct Expectations {
    lists: Map<NodeId, Rc<Expected>>,
}

/// The answer of a program that asks for the shares of a list.
pub(in crate::engine) fn share_answer(
    store: &mut Store<'_>,
    list: NodeId,
    waiting: NodeId,
    place: Span,
) -> Attempt<Solved> {
    if store.as_constant(waiting).is_none() {
        return Err(Stop::Unsupported(Reason::SharesOfEndlessLoop));
    }
    if store.is_number(list) {
        let law = store.law(list)?;
        if law.unlisted.is_some() {
            return Err(NOT_LISTED);
        }
        return Ok(Ok(Answer::new((*law).clone(), store.budget.states())));
    }
    let _part = store.budget.part(NAME);
    let expected = expectation(store, list, &mut Expectations::default())?;
    let mut common = Weight::from(1_u32);
    for count in expected.values() {
        let denominator = count.denom().magnitude();
        common = crate::algebra::weight::lcm(&common, denominator);
    }
    let mut shares = Vec::with_capacity(expected.len());
    for (&value, count) in &*expected {
        let weight = count.numer().magnitude() * (&common / count.denom().magnitude());
        shares.push((Integer::from(value), weight));
    }
    let total: Weight = shares.iter().map(|(_, weight)| weight).sum();
    if total == Weight::ZERO {
        return Ok(Err(failure::no_shares(place)));
    }
    let outcomes = Outcomes::Numbers(Distribution::new(shares, total));
    Ok(Ok(Answer::exact(outcomes, store.budget.states())))
}

/// The expected number of members of each value in a list.
fn expectation(
    store: &mut Store<'_>,
    list: NodeId,
    known: &mut Expectations,
) -> Attempt<Rc<Expected>> {
    if let Some(expected) = known.lists.get(&list) {
        return Ok(Rc::clone(expected));
    }
    store.budget.check()?;
    let mut expected = stack::level(|| compute_expectation(store, list, known))?;
    expected.retain(|_, count| *count != Fraction::default());
    let expected = Rc::new(expected);
    known.lists.insert(list, Rc::clone(&expected));
    Ok(expected)
}

fn compute_expectation(
    store: &mut Store<'_>,
    list: NodeId,
    known: &mut Expectations,
) -> Attempt<Expected> {
    if store.is_number(list) {
        let law = store.law(list)?;
        return of_law(&law);
    }
    let mut expected = Expected::new();
    match store.nodes.get(list).clone() {
        Node::Known(members) => {
            let members = members.iter();
            expected.extend(members.map(|&(value, count)| (value, whole(count.into()))));
        }
        Node::Pool(pool) => {
            let known = store.pools.get(pool);
            let dice = whole(known.dice.into());
            add(
                &mut expected,
                &of_law(&store.pools.die_of(known.die).law)?,
                &dice,
            );
        }
        Node::Draws(count, die, _) => {
            let dice = mean_of(store, count, known)?;
            add(&mut expected, &of_law(&store.pools.die_of(die).law)?, &dice);
        }
        Node::Join(parts) | Node::Chain(parts) => {
            for &part in parts.iter() {
                let counts = expectation(store, part, known)?;
                add(&mut expected, &counts, &whole(1));
            }
        }
        Node::Copies(count, inner) if store.are_independent(&[count, inner]) => {
            let times = mean_of(store, count, known)?;
            let counts = expectation(store, inner, known)?;
            add(&mut expected, &counts, &times);
        }
        Node::If(condition, a, b) if store.are_independent(&[condition, a, b]) => {
            let yes = mean_of(store, condition, known)?;
            let counts = expectation(store, b, known)?;
            add(&mut expected, &counts, &(whole(1) - &yes));
            let counts = expectation(store, a, known)?;
            add(&mut expected, &counts, &yes);
        }
        Node::Filter(compare, number, inner) if store.as_constant(number).is_some() => {
            let number = store.as_constant(number).unwrap_or_default();
            let inner = expectation(store, inner, known)?;
            let passing = inner
                .iter()
                .filter(|&(&value, _)| compare.holds(value, number));
            expected.extend(passing.map(|(value, count)| (*value, count.clone())));
        }
        Node::Map(inner, closure) if has_images(store, closure) => {
            let inner = expectation(store, inner, known)?;
            for (&value, count) in &*inner {
                let member = store.constant(value);
                let image = store.map(member, closure)?;
                let counts = expectation(store, image, known)?;
                add(&mut expected, &counts, count);
            }
        }
        _ => {
            let values = values(store, list, MOST_VALUES)?;
            let values = values.ok_or(Stop::Unsupported(Reason::ManyValues))?;
            for value in values {
                let member = store.constant(value);
                let equal = store.filtered(Compare::Equal, member, list)?;
                let count = store.fold(Folding::Count, equal)?;
                expected.insert(value, mean_of(store, count, known)?);
            }
        }
    }
    Ok(expected)
}

/// Whether the image of a member under a closure depends on the member alone.
fn has_images(store: &Store<'_>, closure: ClosureId) -> bool {
    store.is_closed(closure)
        && match store.nodes.closure_of(closure) {
            Closure::Table(_) => true,
            Closure::Body(body) => body.name.is_some(),
        }
}

/// The mean of a number.
fn mean_of(store: &mut Store<'_>, number: NodeId, known: &mut Expectations) -> Attempt<Fraction> {
    match store.nodes.get(number).clone() {
        Node::Constant(value) => return Ok(whole(value)),
        Node::Linear(constant, atoms) => {
            let mut mean = whole(constant);
            for &(coefficient, atom) in atoms.iter() {
                mean += whole(coefficient) * stack::level(|| mean_of(store, atom, known))?;
            }
            return Ok(mean);
        }
        Node::Fold(folding @ (Folding::Count | Folding::Sum), list) if is_linear(store, list) => {
            let expected = expectation(store, list, known)?;
            return Ok(expected
                .iter()
                .map(|(&value, count)| match folding {
                    Folding::Sum => count * whole(value),
                    _ => count.clone(),
                })
                .sum());
        }
        _ => {}
    }
    let law = store.law(number)?;
    let expected = of_law(&law)?;
    let parts = expected.iter();
    Ok(parts.map(|(&value, weight)| whole(value) * weight).sum())
}

/// Whether the expectation of a list follows from its parts, as far as its outermost forms show.
fn is_linear(store: &mut Store<'_>, list: NodeId) -> bool {
    match store.nodes.get(list).clone() {
        Node::Known(_) | Node::Pool(_) | Node::Draws(..) => true,
        Node::Join(parts) | Node::Chain(parts) => parts
            .iter()
            .all(|&part| stack::level(|| is_linear(store, part))),
        Node::Filter(_, number, inner) => {
            store.as_constant(number).is_some() && stack::level(|| is_linear(store, inner))
        }
        Node::Copies(count, inner) => {
            store.are_independent(&[count, inner]) && stack::level(|| is_linear(store, inner))
        }
        Node::Map(inner, closure) => {
            has_images(store, closure) && stack::level(|| is_linear(store, inner))
        }
        _ => false,
    }
}

const NOT_LISTED: Stop = Stop::Unsupported(Reason::SharesOfTail);

/// The probability of each value of a number.
fn of_law(law: &Law) -> Attempt<Expected> {
    if law.unlisted.is_some() {
        return Err(NOT_LISTED);
    }
    let total = law.total().clone();
    law.listed
        .iter()
        .map(|(value, weight)| {
            let value = value
                .to_i64()
                .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            let share = probability(&weight, &total);
            Ok((narrow(value.into())?, share))
        })
        .collect()
}

/// Adds a multiple of an expectation.
fn add(sum: &mut Expected, part: &Expected, times: &Fraction) {
    for (&value, count) in part {
        *sum.entry(value).or_default() += count * times;
    }
}

fn whole(value: i64) -> Fraction {
    Fraction::from_integer(value.into())
}
