//! Accumulators: monoids of keys whose programs have distributions.

use std::rc::Rc;

use hashbrown::hash_map::Entry;

use crate::algebra::weight::lcm;
use crate::algebra::{Distribution, Law, Mass, Weight};
use crate::engine::program::{LawOfLists, NodeId, Store, bytes_of_list, complete};
use crate::engine::reason::Reason;
use crate::engine::reveal::{
    Best, Graded, Graph, Leaf, Measures, MomentsBeyond, Monoid, Sums, Valued, weigh,
};
use crate::engine::simplify::Forms as _;
use crate::engine::solve::by_length::lists_of_loops;
use crate::engine::solve::loops::law_of_loops;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::Reserved;
use crate::map::ValueMap;

/// A monoid of keys whose programs have distributions of one kind.
pub(in crate::engine) trait Accumulator: Monoid {
    /// The kind of a program's value.
    type Value: Valued;

    /// The distribution of a program as a value of this kind.
    fn law(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<LawOf<Self>>>;

    /// The distribution of the root of a graph, over a multiple of `total`.
    fn weigh(
        &self,
        store: &mut Store<'_>,
        graph: &Graph<'_, Self::Key>,
        total: Weight,
    ) -> Attempt<LawOf<Self>>;

    /// The distribution of a program with loops.
    fn of_loops(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<LawOf<Self>>;
}

/// The distribution of a value of an accumulator's kind.
pub(in crate::engine) type LawOf<A> = Law<<<A as Accumulator>::Value as Valued>::Listed>;

impl Accumulator for Sums {
    type Value = i64;

    fn law(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<Law>> {
        store.law(id)
    }

    fn weigh(&self, store: &mut Store<'_>, graph: &Graph<'_, i64>, total: Weight) -> Attempt<Law> {
        let mut measures = Measures::over(total.clone());
        let mut masses = Vec::new();
        let mut known = MomentsBeyond::default();
        let mut beyond = graph.beyond.iter();
        for (reached, &(_, leaf)) in weigh::sums(graph, &total, store.budget)?
            .into_iter()
            .zip(&graph.leaves)
        {
            match leaf {
                Leaf::Node(node) => {
                    let leaf = store.law(node)?;
                    let whole = Law::from_part(reached, &leaf, store.budget)?;
                    measures.push(whole, leaf.total().clone());
                }
                Leaf::Beyond(bounds, factor) => {
                    let tail = beyond.next().expect("each leaf beyond has its moments");
                    let Some(min) = reached.min() else { continue };
                    let max = reached.max().expect("what has a least sum has a largest");
                    let factor = &graph.factors[factor as usize];
                    store.budget.check()?;
                    known.push(tail.as_ref(), &reached, factor);
                    let weight = reached.mass() * factor;
                    let mut mass = bounds.mass(weight);
                    mass.low = mass.low.map(|low| low.add(min)).transpose()?;
                    mass.high = mass.high.map(|high| high.add(&max)).transpose()?;
                    masses.push(mass);
                }
            }
        }
        let known = known.over(&total, store.budget)?;
        measures.sum(masses, known, store.budget)
    }

    fn of_loops(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<Law> {
        law_of_loops(store, id)
    }
}

impl<T: Valued> Accumulator for Best<T> {
    type Value = T;

    fn law(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<LawOf<Self>>> {
        let one = store.constant(1);
        let best = store.select(self.selection, one, id)?;
        T::law(store, best)
    }

    fn weigh(
        &self,
        store: &mut Store<'_>,
        graph: &Graph<'_, Option<i64>>,
        total: Weight,
    ) -> Attempt<LawOf<Self>> {
        let reached = weigh::best(graph, self.selection, &total, store.budget)?;
        let mut leaves = Vec::with_capacity(reached.len());
        let mut common = Weight::from(1_u32);
        for (reached, &(_, leaf)) in reached.into_iter().zip(&graph.leaves) {
            let Leaf::Node(node) = leaf else {
                return Err(Stop::Unsupported(Reason::BestOfLoop));
            };
            let one = store.constant(1);
            let best = store.select(self.selection, one, node)?;
            let law = store.law_of_list(best)?;
            let law = complete(&law)?.clone();
            common = lcm(&common, law.total());
            leaves.push((reached, law));
        }
        let mut weights: ValueMap<Option<i64>, Weight> = ValueMap::default();
        for (reached, law) in leaves {
            let factor = &common / law.total();
            for (list, other) in law.iter() {
                let other = other * &factor;
                for (key, weight) in &reached {
                    store.budget.check()?;
                    let best = self.combine(key, &list.first().copied());
                    *weights.entry(best).or_default() += weight * &other;
                }
            }
        }
        Ok(T::of_best(weights, total * common).into())
    }

    fn of_loops(&self, _: &mut Store<'_>, _: NodeId) -> Attempt<LawOf<Self>> {
        Err(Stop::Unsupported(Reason::BestOfLoop))
    }
}

/// Lists, and tuples of numbers.
impl<A: Graded> Accumulator for A {
    type Value = Vec<i64>;

    fn law(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<Rc<LawOfLists>> {
        store.law_of_list(id)
    }

    fn of_loops(&self, store: &mut Store<'_>, id: NodeId) -> Attempt<LawOfLists> {
        lists_of_loops(store, id)
    }

    fn weigh(
        &self,
        store: &mut Store<'_>,
        graph: &Graph<'_, Vec<i64>>,
        total: Weight,
    ) -> Attempt<LawOfLists> {
        let reached =
            weigh::weights_by_key(graph, |a, b| self.combine(a, b), A::bytes, store.budget)?;
        let mut beyond = Weight::ZERO;
        let mut leaves = Vec::with_capacity(reached.len());
        let mut common = Weight::from(1_u32);
        for (reached, &(_, leaf)) in reached.into_iter().zip(&graph.leaves) {
            match leaf {
                Leaf::Node(node) => {
                    let law = store.law_of_list(node)?;
                    common = lcm(&common, law.total());
                    leaves.push((reached, law));
                }
                Leaf::Beyond(_, factor) => {
                    let all: Weight = reached.values().sum();
                    beyond += all * &graph.factors[factor as usize];
                }
            }
        }
        let mut held = Reserved::none(store.budget);
        let mut weights: ValueMap<Vec<i64>, Weight> = ValueMap::default();
        let mut never_ends = Weight::ZERO;
        let mut unresolved = beyond * &common;
        for (reached, law) in leaves {
            let factor = &common / law.total();
            if law.complete().is_none() {
                let all: Weight = reached.values().sum();
                let all = all * &factor;
                never_ends += &all * law.never_ends();
                unresolved += all * law.unresolved();
            }
            for (list, other) in law.listed.iter() {
                let other = other * &factor;
                for (key, weight) in &reached {
                    let bytes = A::bytes(key) + A::bytes(list);
                    store.budget.work(bytes / 8)?;
                    store.budget.has_room_for(bytes)?;
                    let list = self.combine(key, list);
                    let bytes = bytes_of_list(&list);
                    store.budget.has_room_for_more(&weights, 1)?;
                    match weights.entry(list) {
                        Entry::Occupied(mut known) => *known.get_mut() += weight * &other,
                        Entry::Vacant(place) => {
                            held.take(bytes)?;
                            place.insert(weight * &other);
                        }
                    }
                }
            }
        }
        // Once more in their order, and once more as outcomes and weights.
        store.has_room_for::<[u64; 12]>(weights.len())?;
        let listed = Distribution::new(weights, total * common);
        let masses = vec![Mass::anywhere(unresolved)];
        Ok(Law::new(listed, masses, never_ends, None))
    }
}
