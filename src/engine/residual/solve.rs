//! The distribution of a residual program: apart where it can be taken apart, by revealing where not.

use std::rc::Rc;

use super::Attempt;
use super::accumulate::{Accumulator, Best, LawOf, Lists, Sums};
use super::node::{Node, NodeId};
use super::pool::{Drawing, Pool, PoolId};
use super::scope::{Context, Scope, Shown};
use super::translate::Order;
use crate::algebra::weight::lcm;
use crate::algebra::{Distribution, Numbers, Weight};
use crate::engine::answer::{Answer, Outcomes};
use crate::engine::operate;
use crate::ir::{Arrangement, Folding, Program, Selection, Term};
use crate::limits::Budget;
use crate::map::Map;
use crate::number::Integer;
use crate::stack;

/// Distributions found so far.
#[derive(Debug, Default)]
pub(super) struct Laws {
    numbers: Map<NodeId, Rc<Numbers>>,
    lists: Map<NodeId, Rc<Distribution<Vec<i64>>>>,
    pools: Map<NodeId, Rc<[PoolId]>>,
}

/// The answer to a program, if it can be found by residual programs.
pub(in crate::engine) fn solve(program: &Program, budget: &Budget<'_>) -> Attempt<Answer> {
    let mut scope = Scope::new(program.arena(), budget);
    let (root, order) = match program.arena().term(program.root()) {
        Term::Arrange(Arrangement::Sort, list) => (*list, Order::Ignored),
        _ => (program.root(), Order::Kept),
    };
    let node = scope.translate(root, order, &mut Vec::new())?;
    let node = scope.place_by_place(node)?;
    let bounds = scope.bounds(node)?;
    let outcomes = if bounds.least == 1 && bounds.most == 1 {
        let number = scope.number(node)?;
        let law = scope.law(number)?;
        drop(scope);
        Outcomes::Numbers(Rc::unwrap_or_clone(law).into_distribution())
    } else {
        let law = scope.law_of_list(node)?;
        let lists = law.iter().map(|(list, weight)| {
            let mut list: Vec<Integer> = list.iter().copied().map(Integer::from).collect();
            // A part that was selected by position keeps its order until here.
            if order == Order::Ignored {
                list.sort_unstable();
            }
            (list, weight.clone())
        });
        Outcomes::from_lists(Distribution::new(lists, law.total().clone()))
    };
    Ok(Answer::exact(outcomes, budget.states()))
}

fn certain_list(list: Vec<i64>) -> Distribution<Vec<i64>> {
    Distribution::new([(list, Weight::from(1_u32))], Weight::from(1_u32))
}

/// The distribution of two independent lists, one after the other.
fn joined(
    a: &Distribution<Vec<i64>>,
    b: &Distribution<Vec<i64>>,
    budget: &Budget<'_>,
) -> Attempt<Distribution<Vec<i64>>> {
    budget.count_states((a.len() as u64).saturating_mul(b.len() as u64))?;
    let mut weights: Map<Vec<i64>, Weight> = Map::default();
    for (x, weight) in a.iter() {
        for (y, other) in b.iter() {
            budget.check()?;
            *weights.entry([x.as_slice(), y].concat()).or_default() += weight * other;
        }
    }
    Ok(Distribution::new(weights, a.total() * b.total()))
}

/// What a residual program can be asked for: a number or a list.
pub(super) trait Valued: Sized {
    /// Its distribution.
    type Law: Clone;

    /// The distribution of a list as such a value.
    fn law(scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<Self::Law>>;

    /// The distribution of a list of at most one member.
    fn of_best(weights: Map<Option<i64>, Weight>, total: Weight) -> Self::Law;

    /// A mixture: each distribution as often as its weight says, of all together.
    fn mixture(parts: &[(Weight, Rc<Self::Law>)], budget: &Budget<'_>) -> Attempt<Self::Law>;
}

/// A list as the sum of its members.
impl Valued for i64 {
    type Law = Numbers;

    fn law(scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<Numbers>> {
        let sum = scope.fold(Folding::Sum, id)?;
        scope.law(sum)
    }

    fn of_best(weights: Map<Option<i64>, Weight>, total: Weight) -> Numbers {
        let sums = weights
            .into_iter()
            .map(|(best, weight)| (Integer::from(best.unwrap_or(0)), weight));
        Numbers::new(sums, total)
    }

    fn mixture(parts: &[(Weight, Rc<Numbers>)], budget: &Budget<'_>) -> Attempt<Numbers> {
        let total = parts.iter().map(|(weight, _)| weight).sum();
        let parts: Vec<(Weight, &Numbers)> = parts
            .iter()
            .map(|(weight, law)| (weight.clone(), &**law))
            .collect();
        Ok(Numbers::mixture(&parts, &total, budget)?)
    }
}

impl Valued for Vec<i64> {
    type Law = Distribution<Self>;

    fn law(scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<Distribution<Self>>> {
        scope.law_of_list(id)
    }

    fn of_best(weights: Map<Option<i64>, Weight>, total: Weight) -> Distribution<Self> {
        Distribution::new(
            weights
                .into_iter()
                .map(|(best, weight)| (best.into_iter().collect(), weight)),
            total,
        )
    }

    fn mixture(
        parts: &[(Weight, Rc<Distribution<Self>>)],
        budget: &Budget<'_>,
    ) -> Attempt<Distribution<Self>> {
        let one = Weight::from(1_u32);
        let common = parts
            .iter()
            .fold(one, |common, (_, law)| lcm(&common, law.total()));
        let mut weights: Map<Self, Weight> = Map::default();
        let mut total = Weight::ZERO;
        for (weight, law) in parts {
            let factor = weight * (&common / law.total());
            total += weight * &common;
            for (value, weight) in law.iter() {
                budget.check()?;
                *weights.entry_ref(value).or_default() += weight * &factor;
            }
        }
        Ok(Distribution::new(weights, total))
    }
}

impl Scope<'_> {
    /// The distribution of a number, all pools hidden.
    pub(super) fn law(&mut self, id: NodeId) -> Attempt<Rc<Numbers>> {
        if let Some(known) = self.laws.numbers.get(&id) {
            return Ok(Rc::clone(known));
        }
        let mut outside = std::mem::take(&mut self.context);
        let law = stack::level(|| self.compute_law(id));
        std::mem::swap(&mut self.context, &mut outside);
        let law = law?;
        self.laws.numbers.insert(id, Rc::clone(&law));
        Ok(law)
    }

    fn compute_law(&mut self, id: NodeId) -> Attempt<Rc<Numbers>> {
        let budget = self.budget;
        let law = match self.nodes.get(id).clone() {
            Node::Constant(value) => Numbers::certain(Integer::from(value)),
            Node::Draw(pool) => {
                return Ok(Rc::clone(&self.pools.die_of(self.pools.get(pool).die).law));
            }
            Node::AtLeast(form, number) => {
                let (law, number) = (self.law(form)?, Integer::from(number));
                law.map(
                    |value| Ok(Some(Integer::from(i32::from(*value >= number)))),
                    budget,
                )?
            }
            Node::Equals(form, number) => {
                let (law, number) = (self.law(form)?, Integer::from(number));
                law.map(
                    |value| Ok(Some(Integer::from(i32::from(*value == number)))),
                    budget,
                )?
            }
            Node::Arithmetic(operator, a, b) if self.are_independent(&[a, b]) => {
                let (a, b) = (self.law(a)?, self.law(b)?);
                a.combined(
                    &b,
                    |a, b| Ok(operate::arithmetic(operator, a, b).ok()),
                    budget,
                )?
            }
            Node::If(condition, a, b) if self.is_apart(condition, &[a, b]) => {
                self.mixed::<i64>(condition, a, b)?
            }
            node => match self.closed_form(id)? {
                Some(law) => law,
                None => match node {
                    Node::Linear(constant, atoms) => self.law_of_sum(id, constant, &atoms)?,
                    Node::Fold(Folding::Sum, list) => match self.as_best(list) {
                        Some((selection, list)) => {
                            self.joint(list, &Best::<i64>::new(selection))?
                        }
                        None => self.joint(id, &Sums)?,
                    },
                    _ => self.joint(id, &Sums)?,
                },
            },
        };
        Ok(Rc::new(law))
    }

    /// The list that this one is the best member of: itself, or, where it selects from numbers that are there
    /// or not, all of them. The best of such numbers is better found without dropping those that cannot beat what
    /// is known: that would tell states apart.
    fn as_best(&self, list: NodeId) -> Option<(Selection, NodeId)> {
        let Node::Select(selection @ (Selection::High | Selection::Low), n, inner) =
            *self.nodes.get(list)
        else {
            return None;
        };
        if self.as_constant(n) != Some(1) {
            return None;
        }
        let Node::Join(parts) = self.nodes.get(inner) else {
            return Some((selection, list));
        };
        let are_numbers = parts.iter().all(|&part| match self.nodes.get(part) {
            Node::Copies(_, member) => self.is_number(*member),
            Node::Draw(_) => false,
            _ => self.is_number(part) || self.known_members(part).is_some(),
        });
        Some((selection, if are_numbers { inner } else { list }))
    }

    /// A sum: parts that share no pool apart, then convolved.
    fn law_of_sum(
        &mut self,
        id: NodeId,
        constant: i64,
        atoms: &[(i64, NodeId)],
    ) -> Attempt<Numbers> {
        let groups =
            self.independent_groups(&atoms.iter().map(|&(_, atom)| atom).collect::<Vec<_>>());
        let mut parts: Vec<Rc<Numbers>> = Vec::with_capacity(groups.len());
        for group in &groups {
            parts.push(match group[..] {
                [only] => {
                    let (coefficient, atom) = atoms[only];
                    let law = self.law(atom)?;
                    if coefficient == 1 {
                        law
                    } else {
                        Rc::new(law.scaled(&coefficient.into())?)
                    }
                }
                _ if groups.len() == 1 && constant == 0 => Rc::new(self.joint(id, &Sums)?),
                _ => {
                    let parts: Vec<_> = group.iter().map(|&index| atoms[index]).collect();
                    let part = self.linear(0, &parts)?;
                    self.law(part)?
                }
            });
        }
        let sum = Numbers::sum(parts.iter().map(|part| &**part), self.budget)?;
        Ok(if constant == 0 {
            sum
        } else {
            sum.shifted(&constant.into())?
        })
    }

    fn mixed<T: Valued>(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> Attempt<T::Law> {
        let condition = self.law(condition)?;
        let (yes, no) = (
            condition.weight_of(&Integer::ONE),
            condition.weight_of(&Integer::ZERO),
        );
        let parts = [(yes, T::law(self, a)?), (no, T::law(self, b)?)];
        T::mixture(&parts, self.budget)
    }

    /// The distribution of a list, all pools hidden: sorted, or in the order of a chain.
    pub(super) fn law_of_list(&mut self, id: NodeId) -> Attempt<Rc<Distribution<Vec<i64>>>> {
        if let Some(known) = self.laws.lists.get(&id) {
            return Ok(Rc::clone(known));
        }
        let mut outside = std::mem::take(&mut self.context);
        let law = stack::level(|| self.compute_law_of_list(id));
        std::mem::swap(&mut self.context, &mut outside);
        let law = Rc::new(law?);
        self.laws.lists.insert(id, Rc::clone(&law));
        Ok(law)
    }

    fn compute_law_of_list(&mut self, id: NodeId) -> Attempt<Distribution<Vec<i64>>> {
        if self.is_number(id) {
            return Ok(self
                .law(id)?
                .to_distribution()
                .relabelled(|value| vec![value.to_i64().unwrap_or_default()]));
        }
        let budget = self.budget;
        match self.nodes.get(id).clone() {
            Node::Known(members) => {
                let list = members
                    .iter()
                    .flat_map(|&(value, count)| std::iter::repeat_n(value, count as usize));
                Ok(certain_list(list.collect()))
            }
            Node::Chain(parts) if self.are_independent(&parts) => {
                let mut law = certain_list(Vec::new());
                for &part in parts.iter() {
                    let next = self.law_of_list(part)?;
                    law = joined(&law, &next, budget)?;
                }
                Ok(law)
            }
            Node::If(condition, a, b) if self.is_apart(condition, &[a, b]) => {
                self.mixed::<Vec<i64>>(condition, a, b)
            }
            _ => match self.as_best(id) {
                Some((selection, list)) => self.joint(list, &Best::<Vec<i64>>::new(selection)),
                None => self.joint(id, &Lists),
            },
        }
    }

    /// The distribution of a program whose parts depend on each other: closed parts are solved first, then
    /// single dice are revealed one after the other, then pools face by face.
    fn joint<A: Accumulator>(&mut self, id: NodeId, accumulator: &A) -> Attempt<LawOf<A>> {
        let closed = self.closed_parts_solved(id)?;
        if closed != id {
            return Ok((*accumulator.law(self, closed)?).clone());
        }
        for rewrite in [Self::dealt_apart, Self::marked, Self::relabelled] {
            if let Some(rewritten) = rewrite(self, id)? {
                return Ok((*accumulator.law(self, rewritten)?).clone());
            }
        }
        if let Some(pool) = self.first_control(id) {
            let faces = Rc::clone(&self.pools.die_of(self.pools.get(pool).die).faces);
            let mut parts = Vec::with_capacity(faces.len());
            for &(value, ref weight) in &*faces {
                self.budget.count_states(1)?;
                let mut context = Context::new(
                    Vec::new(),
                    vec![Shown {
                        pool,
                        value,
                        dice: 1,
                    }],
                );
                let rest = self.under(&mut context, id)?;
                parts.push((weight.clone(), accumulator.law(self, rest)?));
            }
            return A::Value::mixture(&parts, self.budget);
        }
        let mut pools: Vec<PoolId> = self.revealable(id);
        self.add_rests_of_decks(&mut pools);
        assert!(
            !pools.is_empty(),
            "a program that hides something has a pool to reveal"
        );
        self.reveal_by_faces(id, &pools, accumulator)
    }

    /// The pools that a node mentions, ascending: names of pools that are not yet known among them.
    pub(super) fn pools_of(&mut self, id: NodeId) -> Rc<[PoolId]> {
        if let Some(known) = self.laws.pools.get(&id) {
            return Rc::clone(known);
        }
        let node = self.nodes.get(id).clone();
        let mut pools = Vec::from_iter(self.nodes.pool_of(&node));
        // The places of a deck depend on each other.
        if let Some(deck) = pools.first().and_then(|&pool| self.pools.deck_of(pool)) {
            pools.push(deck);
        }
        let mut children = Vec::new();
        self.nodes.for_children(&node, |child| children.push(child));
        for child in children {
            if self.nodes.mask(child) != 0 {
                pools.extend_from_slice(&stack::level(|| self.pools_of(child)));
            }
        }
        pools.sort_unstable();
        pools.dedup();
        let pools: Rc<[PoolId]> = pools.into();
        self.laws.pools.insert(id, Rc::clone(&pools));
        pools
    }

    /// Whether no two of the nodes mention the same pool.
    pub(super) fn are_independent(&mut self, ids: &[NodeId]) -> bool {
        self.independent_groups(ids).len() == ids.len()
    }

    /// Whether a node shares no pool with any of the others.
    fn is_apart(&mut self, id: NodeId, others: &[NodeId]) -> bool {
        let pools = self.pools_of(id);
        others.iter().all(|&other| {
            self.pools_of(other)
                .iter()
                .all(|pool| pools.binary_search(pool).is_err())
        })
    }

    /// Indices of nodes, grouped so that nodes of different groups mention no common pool.
    fn independent_groups(&mut self, ids: &[NodeId]) -> Vec<Vec<usize>> {
        let mut group_of: Map<PoolId, usize> = Map::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, &id) in ids.iter().enumerate() {
            let pools = self.pools_of(id);
            let mut members = vec![index];
            let mut merged: Vec<usize> = pools
                .iter()
                .filter_map(|pool| group_of.get(pool).copied())
                .collect();
            merged.sort_unstable();
            merged.dedup();
            for group in merged {
                members.append(&mut groups[group]);
            }
            let group = groups.len();
            for &member in &members {
                for &pool in &*self.pools_of(ids[member]) {
                    group_of.insert(pool, group);
                }
            }
            members.sort_unstable();
            groups.push(members);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// The node with every largest number in it whose pools occur nowhere else replaced by a die of the same
    /// distribution.
    ///
    /// Such a number dominates the leaves of its pools: every path from the root to them passes it. Ids ascend
    /// from children to parents, so one pass down finds immediate dominators.
    fn closed_parts_solved(&mut self, root: NodeId) -> Attempt<NodeId> {
        if self.pools_of(root).len() < 2
            && !matches!(
                self.nodes.get(root),
                Node::Arithmetic(..) | Node::Linear(..)
            )
        {
            return Ok(root);
        }
        let order = self.descending(root);
        let place: Map<NodeId, usize> = order
            .iter()
            .enumerate()
            .map(|(place, &id)| (id, place))
            .collect();
        // Immediate dominators by place; a parent always has the smaller place.
        let mut dominator: Vec<Option<usize>> = vec![None; order.len()];
        let mut leaves: Vec<(PoolId, usize)> = Vec::new();
        for (index, &id) in order.iter().enumerate() {
            let node = self.nodes.get(id).clone();
            if let Some(pool) = self.nodes.pool_of(&node) {
                leaves.push((pool, index));
                leaves.extend(self.pools.deck_of(pool).map(|deck| (deck, index)));
            }
            self.nodes.for_children(&node, |child| {
                if let Some(&child) = place.get(&child) {
                    dominator[child] = Some(match dominator[child] {
                        None => index,
                        Some(other) => common_dominator(&dominator, other, index),
                    });
                }
            });
        }
        let mut replaced = Vec::new();
        let mut dominated: Map<usize, Vec<PoolId>> = Map::default();
        for &(pool, leaf) in &leaves {
            let mut above = Some(leaf);
            while let Some(place) = above {
                dominated.entry(place).or_default().push(pool);
                above = dominator[place];
            }
        }
        let mut uses: Map<PoolId, usize> = Map::default();
        for &(pool, _) in &leaves {
            *uses.entry(pool).or_default() += 1;
        }
        let mut covered = vec![false; order.len()];
        for (index, &id) in order.iter().enumerate() {
            covered[index] = dominator[index].is_some_and(|above| covered[above]);
            if index == 0 || covered[index] || !self.is_number(id) {
                continue;
            }
            let pools = self.pools_of(id);
            let all: usize = pools.iter().filter_map(|pool| uses.get(pool)).sum();
            let closed = dominated
                .get(&index)
                .is_some_and(|dominated| dominated.len() == all);
            if closed && !matches!(self.nodes.get(id), Node::Draw(_)) {
                covered[index] = true;
                let law = self.law(id)?;
                let die = self.pools.die(law);
                let pool = self.pools.pool(Pool {
                    die,
                    dice: 1,
                    drawing: Drawing::Independent,
                });
                replaced.push((id, self.nodes.intern(Node::Draw(pool))));
            }
        }
        if replaced.is_empty() {
            return Ok(root);
        }
        let mask = replaced
            .iter()
            .fold(0, |mask, &(id, _)| mask | self.nodes.mask(id));
        self.under(&mut Context::replacing(&replaced, mask), root)
    }

    /// The nodes that mention pools, parents before children.
    pub(super) fn descending(&self, root: NodeId) -> Vec<NodeId> {
        let mut seen: Map<NodeId, ()> = Map::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if self.nodes.mask(id) != 0 && seen.insert(id, ()).is_none() {
                self.nodes
                    .for_children(self.nodes.get(id), |child| open.push(child));
            }
        }
        let mut order: Vec<NodeId> = seen.into_keys().collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        order
    }

    /// A single die that stands anywhere but among the members of a multiset, the one that most stands on.
    pub(super) fn first_control(&self, root: NodeId) -> Option<PoolId> {
        let order = self.descending(root);
        // How often each die is looked at: what most depends on is revealed first.
        let mut controls: Map<PoolId, usize> = Map::default();
        let mut members = 0;
        for &id in &order {
            let node = self.nodes.get(id);
            members += usize::from(matches!(node, Node::Pool(_) | Node::Draw(_)));
            let among_members = matches!(node, Node::Join(_));
            self.nodes.for_children(node, |child| {
                if let Node::Draw(pool) = *self.nodes.get(child)
                    && !among_members
                {
                    *controls.entry(pool).or_default() += 1;
                }
            });
        }
        let control = controls
            .into_iter()
            .max_by_key(|&(pool, uses)| (uses, std::cmp::Reverse(pool)))
            .map(|(pool, _)| pool);
        // Members of one kind only are better revealed one after the other than each on its own level.
        match control {
            None if members > MOST_LEVELS => {
                order.iter().rev().find_map(|&id| match self.nodes.get(id) {
                    Node::Draw(pool) => Some(*pool),
                    _ => None,
                })
            }
            control => control,
        }
    }

    /// The pools to reveal face by face.
    fn revealable(&self, root: NodeId) -> Vec<PoolId> {
        let mut pools: Vec<PoolId> = self
            .descending(root)
            .into_iter()
            .filter_map(|id| match self.nodes.get(id) {
                Node::Pool(pool) | Node::Draw(pool) => Some(*pool),
                _ => None,
            })
            .collect();
        pools.sort_unstable();
        pools
    }
}

/// Beyond so many pools, single dice are not revealed face by face.
const MOST_LEVELS: usize = 8;

fn common_dominator(dominator: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = dominator[a].unwrap_or(0);
        } else {
            b = dominator[b].unwrap_or(0);
        }
    }
    a
}
