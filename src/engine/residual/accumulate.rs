//! What can be pulled out of residual programs, so that programs that differ only in it are one state.

use std::marker::PhantomData;
use std::rc::Rc;

use super::graph::{Graph, Leaf};
use super::law::{Law, ListLaw, Vague};
use super::node::{Node, NodeId};
use super::scope::Scope;
use super::solve::Valued;
use super::weigh::{self, Measures};
use super::{Attempt, Stop};
use crate::algebra::weight::lcm;
use crate::algebra::{Distribution, Weight};
use crate::engine::reason::Reason;
use crate::ir::Selection;
use crate::limits::Budget;
use crate::map::Map;
use crate::number::Integer;

/// What is pulled out of programs: a commutative monoid that acts on their values.
pub(super) trait Accumulator {
    /// What the value of a program is.
    type Value: Valued;
    /// What is pulled out.
    type Key: Clone;

    /// What is pulled out twice.
    fn combine(&self, a: &Self::Key, b: &Self::Key) -> Self::Key;

    /// How much memory a key takes beside itself.
    fn bytes(_: &Self::Key) -> u64 {
        0
    }

    /// A key, and a program whose value combined with it is the value of this one.
    fn strip(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<(Self::Key, NodeId)>;

    /// The distribution of a program of the same kind.
    fn law(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<LawOf<Self>>>;

    /// The distribution of the root of a graph whose weights have a total.
    fn weigh(
        &self,
        scope: &mut Scope<'_>,
        graph: &Graph<Self::Key>,
        total: Weight,
    ) -> Attempt<LawOf<Self>>;

    /// The distribution of a program that loops.
    fn of_loops(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<LawOf<Self>>;
}

/// The weight of each key on the way to a leaf of a graph.
pub(super) type Reached<K> = Vec<(K, Weight)>;

/// What is pulled out step after step of a loop.
pub(super) trait Stepping: Accumulator<Key: Ord> {
    /// The weight of each key on the way to each leaf of a graph, in the order of the leaves.
    fn reached(
        &self,
        graph: &Graph<Self::Key>,
        total: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<Self::Key>>>;
}

/// The distribution of what an accumulator's programs are.
pub(super) type LawOf<A> = <<A as Accumulator>::Value as Valued>::Law;

/// Constants of sums.
#[derive(Debug)]
pub(super) struct Sums;

impl Accumulator for Sums {
    type Value = i64;
    type Key = i64;

    fn combine(&self, a: &i64, b: &i64) -> i64 {
        a + b
    }

    fn strip(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<(i64, NodeId)> {
        match scope.nodes.get(id).clone() {
            Node::Constant(value) => Ok((value, scope.constant(0))),
            Node::Linear(constant, atoms) if constant != 0 => {
                let rest = match *atoms {
                    [(1, only)] => only,
                    _ => scope.nodes.linear(0, &atoms),
                };
                Ok((constant, rest))
            }
            _ => Ok((0, id)),
        }
    }

    fn law(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<Law>> {
        scope.law(id)
    }

    fn weigh(&self, scope: &mut Scope<'_>, graph: &Graph<i64>, total: Weight) -> Attempt<Law> {
        let mut measures = Measures::over(total.clone());
        let mut vague = Vec::new();
        for (reached, &(_, leaf)) in weigh::sums(graph, &total, scope.budget)?
            .into_iter()
            .zip(&graph.leaves)
        {
            match leaf {
                Leaf::Node(node) => {
                    let leaf = scope.law(node)?;
                    let whole = Law::from_part(reached, &leaf, scope.budget)?;
                    measures.push(whole, leaf.total().clone());
                }
                Leaf::Beyond(bounds, factor) => {
                    let Some(min) = reached.min() else { continue };
                    let max = reached.max().expect("what has a least sum has a largest");
                    let weight = reached.mass() * &graph.factors[factor as usize];
                    let mut part = Vague::within(bounds, weight);
                    part.low = part.low.map(|low| low.add(min)).transpose()?;
                    part.high = part.high.map(|high| high.add(&max)).transpose()?;
                    vague.push(part);
                }
            }
        }
        measures.sum(vague, scope.budget)
    }

    fn of_loops(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Law> {
        scope.law_of_loops(id)
    }
}

impl Stepping for Sums {
    fn reached(
        &self,
        graph: &Graph<i64>,
        total: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<i64>>> {
        let reached = weigh::sums(graph, total, budget)?;
        let small = |(sum, weight): (Integer, Weight)| {
            let sum = sum
                .to_i64()
                .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            Ok((sum, weight))
        };
        reached
            .iter()
            .map(|reached| reached.iter().map(small).collect())
            .collect()
    }
}

/// Sums of which nothing is pulled out: where constants of both signs would be.
#[derive(Debug)]
pub(super) struct Plain;

impl Accumulator for Plain {
    type Value = i64;
    type Key = i64;

    fn combine(&self, a: &i64, b: &i64) -> i64 {
        a + b
    }

    fn strip(&self, _: &mut Scope<'_>, id: NodeId) -> Attempt<(i64, NodeId)> {
        Ok((0, id))
    }

    fn law(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<Law>> {
        scope.law(id)
    }

    fn weigh(&self, scope: &mut Scope<'_>, graph: &Graph<i64>, total: Weight) -> Attempt<Law> {
        Sums.weigh(scope, graph, total)
    }

    fn of_loops(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Law> {
        scope.law_of_loops(id)
    }
}

impl Stepping for Plain {
    fn reached(
        &self,
        graph: &Graph<i64>,
        total: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<i64>>> {
        Sums.reached(graph, total, budget)
    }
}

/// The best known member of `high 1`, or of `low 1`: as a number, 0 for no member, or as a list.
#[derive(Debug)]
pub(super) struct Best<T> {
    selection: Selection,
    value: PhantomData<T>,
}

impl<T> Best<T> {
    /// The best by a selection of one member, `High` or `Low`.
    pub(super) fn new(selection: Selection) -> Self {
        Self {
            selection,
            value: PhantomData,
        }
    }
}

/// The best known member of a list, or of a selection of its best, and the same without it.
fn strip_best(
    scope: &mut Scope<'_>,
    selection: Selection,
    id: NodeId,
) -> Attempt<(Option<i64>, NodeId)> {
    let selected = match *scope.nodes.get(id) {
        Node::Select(found, n, list) if found == selection && scope.as_constant(n) == Some(1) => {
            Some((n, list))
        }
        _ => None,
    };
    let list = selected.map_or(id, |(_, list)| list);
    // A join has at most one known part, and is a join of the others without it.
    let (known, rest) = match scope.nodes.get(list) {
        Node::Join(parts) => {
            let parts = Rc::clone(parts);
            let Some(place) = parts.iter().position(|&part| scope.is_known(part)) else {
                return Ok((None, id));
            };
            let rest = match [&parts[..place], &parts[place + 1..]].concat()[..] {
                [only] => only,
                ref others => scope.nodes.join(others),
            };
            (parts[place], rest)
        }
        _ if scope.is_known(list) => (list, scope.empty()),
        _ => return Ok((None, id)),
    };
    let best = match scope.nodes.get(known) {
        Node::Constant(value) => Some(*value),
        Node::Known(members) => {
            let best = if selection == Selection::High {
                members.last()
            } else {
                members.first()
            };
            best.map(|&(value, _)| value)
        }
        _ => None,
    };
    let Some(best) = best else {
        return Ok((None, id));
    };
    let rest = match selected {
        Some((n, _)) => scope.select(selection, n, rest)?,
        None => rest,
    };
    Ok((Some(best), rest))
}

impl<T: Valued> Accumulator for Best<T> {
    type Value = T;
    type Key = Option<i64>;

    fn combine(&self, a: &Option<i64>, b: &Option<i64>) -> Option<i64> {
        let both = [*a, *b].into_iter().flatten();
        if self.selection == Selection::High {
            both.max()
        } else {
            both.min()
        }
    }

    fn strip(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<(Option<i64>, NodeId)> {
        strip_best(scope, self.selection, id)
    }

    fn law(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<T::Law>> {
        let one = scope.constant(1);
        let best = scope.select(self.selection, one, id)?;
        T::law(scope, best)
    }

    fn weigh(
        &self,
        scope: &mut Scope<'_>,
        graph: &Graph<Option<i64>>,
        total: Weight,
    ) -> Attempt<T::Law> {
        let reached = weigh::best(graph, self.selection, &total, scope.budget)?;
        let mut leaves = Vec::with_capacity(reached.len());
        let mut common = Weight::from(1_u32);
        for (reached, &(_, leaf)) in reached.into_iter().zip(&graph.leaves) {
            let Leaf::Node(node) = leaf else {
                return Err(Stop::Unsupported(Reason::BestOfLoop));
            };
            let one = scope.constant(1);
            let best = scope.select(self.selection, one, node)?;
            let law = scope.law_of_list(best)?;
            let law = law.complete()?.clone();
            common = lcm(&common, law.total());
            leaves.push((reached, law));
        }
        let mut weights: Map<Option<i64>, Weight> = Map::default();
        for (reached, law) in leaves {
            let factor = &common / law.total();
            for (list, other) in law.iter() {
                let other = other * &factor;
                for (key, weight) in &reached {
                    scope.budget.check()?;
                    let best = self.combine(key, &list.first().copied());
                    *weights.entry(best).or_default() += weight * &other;
                }
            }
        }
        Ok(T::of_best(weights, total * common))
    }

    fn of_loops(&self, _: &mut Scope<'_>, _: NodeId) -> Attempt<T::Law> {
        Err(Stop::Unsupported(Reason::BestOfLoop))
    }
}

/// Known members of a multiset.
#[derive(Debug)]
pub(super) struct Lists;

impl Accumulator for Lists {
    type Value = Vec<i64>;
    type Key = Vec<i64>;

    fn combine(&self, a: &Vec<i64>, b: &Vec<i64>) -> Vec<i64> {
        together(a, b)
    }

    fn bytes(key: &Vec<i64>) -> u64 {
        bytes_of_list(key)
    }

    fn strip(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
        let expand = |members: &[(i64, u32)]| {
            members
                .iter()
                .flat_map(|&(value, count)| std::iter::repeat_n(value, count as usize))
                .collect()
        };
        if let Some(members) = scope.known_members(id) {
            return Ok((expand(&members), scope.empty()));
        }
        let Node::Join(parts) = scope.nodes.get(id).clone() else {
            return Ok((Vec::new(), id));
        };
        let (known, hidden): (Vec<_>, Vec<_>) =
            parts.iter().partition(|&&part| scope.is_known(part));
        let known = known
            .first()
            .map(|&known| scope.known_members(known).expect("a known part"))
            .unwrap_or_default();
        Ok((expand(&known), scope.join(&hidden)?))
    }

    fn law(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<ListLaw>> {
        scope.law_of_list(id)
    }

    fn weigh(
        &self,
        scope: &mut Scope<'_>,
        graph: &Graph<Vec<i64>>,
        total: Weight,
    ) -> Attempt<ListLaw> {
        weigh_lists(scope, graph, total, together)
    }

    fn of_loops(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<ListLaw> {
        scope.lists_of_loops(id)
    }
}

impl Stepping for Lists {
    fn reached(
        &self,
        graph: &Graph<Vec<i64>>,
        _: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<Vec<i64>>>> {
        reached_lists(graph, together, budget)
    }
}

/// Known members at the start of a list in order.
#[derive(Debug)]
pub(super) struct Sequences;

impl Accumulator for Sequences {
    type Value = Vec<i64>;
    type Key = Vec<i64>;

    fn combine(&self, a: &Vec<i64>, b: &Vec<i64>) -> Vec<i64> {
        one_after_the_other(a, b)
    }

    fn bytes(key: &Vec<i64>) -> u64 {
        bytes_of_list(key)
    }

    fn strip(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<(Vec<i64>, NodeId)> {
        let Some(parts) = scope.in_order(id) else {
            return Ok((Vec::new(), id));
        };
        let known: Vec<i64> = parts
            .iter()
            .map_while(|&part| scope.as_constant(part))
            .collect();
        if known.is_empty() {
            return Ok((known, id));
        }
        let rest = scope.chain(parts[known.len()..].to_vec())?;
        Ok((known, rest))
    }

    fn law(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<ListLaw>> {
        scope.law_of_list(id)
    }

    fn weigh(
        &self,
        scope: &mut Scope<'_>,
        graph: &Graph<Vec<i64>>,
        total: Weight,
    ) -> Attempt<ListLaw> {
        weigh_lists(scope, graph, total, one_after_the_other)
    }

    fn of_loops(&self, scope: &mut Scope<'_>, id: NodeId) -> Attempt<ListLaw> {
        scope.lists_of_loops(id)
    }
}

impl Stepping for Sequences {
    fn reached(
        &self,
        graph: &Graph<Vec<i64>>,
        _: &Weight,
        budget: &Budget<'_>,
    ) -> Attempt<Vec<Reached<Vec<i64>>>> {
        reached_lists(graph, one_after_the_other, budget)
    }
}

/// The memory behind a list.
fn bytes_of_list(list: &[i64]) -> u64 {
    size_of_val(list) as u64
}

fn one_after_the_other(a: &[i64], b: &[i64]) -> Vec<i64> {
    [a, b].concat()
}

fn reached_lists(
    graph: &Graph<Vec<i64>>,
    combine: impl Fn(&[i64], &[i64]) -> Vec<i64>,
    budget: &Budget<'_>,
) -> Attempt<Vec<Reached<Vec<i64>>>> {
    let reached = weigh::scattered(
        graph,
        |a, b| combine(a, b),
        |list| bytes_of_list(list),
        budget,
    )?;
    Ok(reached
        .into_iter()
        .map(|reached| reached.into_iter().collect())
        .collect())
}

fn weigh_lists(
    scope: &mut Scope<'_>,
    graph: &Graph<Vec<i64>>,
    total: Weight,
    combine: impl Fn(&[i64], &[i64]) -> Vec<i64>,
) -> Attempt<ListLaw> {
    let reached = weigh::scattered(
        graph,
        |a, b| combine(a, b),
        |list| bytes_of_list(list),
        scope.budget,
    )?;
    let mut leaves = Vec::with_capacity(reached.len());
    let mut common = Weight::from(1_u32);
    for (reached, &(_, leaf)) in reached.into_iter().zip(&graph.leaves) {
        // What lies beyond all faces stays unresolved.
        let Leaf::Node(node) = leaf else { continue };
        let law = scope.law_of_list(node)?;
        common = lcm(&common, law.listed.total());
        leaves.push((reached, law));
    }
    let mut weights: Map<Vec<i64>, Weight> = Map::default();
    let mut never = Weight::ZERO;
    for (reached, law) in leaves {
        let factor = &common / law.listed.total();
        if law.never != Weight::ZERO {
            let all: Weight = reached.values().sum();
            never += all * &law.never * &factor;
        }
        for (list, other) in law.listed.iter() {
            let other = other * &factor;
            for (key, weight) in &reached {
                scope.budget.check()?;
                *weights.entry(combine(key, list)).or_default() += weight * &other;
            }
        }
    }
    Ok(ListLaw {
        listed: Distribution::new(weights, total * common),
        never,
    })
}

/// Two multisets as one. A list in order meets no known members, and keeps its order.
fn together(a: &[i64], b: &[i64]) -> Vec<i64> {
    let mut both = [a, b].concat();
    if !a.is_empty() && !b.is_empty() {
        both.sort_unstable();
    }
    both
}
