//! The distribution of a residual program: apart where it can be taken apart, by revealing where not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use num_integer::Integer as _;

use super::accumulate::{Accumulator, Best, LawOf, Lists, Sums};
use super::bounds::{Hidden, is_infinite};
use super::law::{Law, ListLaw, Others, Rest, Vague};
use super::moments::Moments;
use super::node::{Compare, Node, NodeId};
use super::pool::PoolId;
use super::scope::{Context, Scope, Shown};
use super::translate::Order;
use super::undecided::Among;
use super::{Attempt, Stop};
use crate::algebra::weight::lcm;
use crate::algebra::{self, Distribution, Numbers, Weight};
use crate::engine::answer::{Answer, Method, Outcomes, Tail};
use crate::engine::failure::Failure;
use crate::engine::reason::Reason;
use crate::error::{Error, ErrorKind};
use crate::ir::{Aim, Arrangement, Folding, Program, Selection, SiteId, Term};
use crate::limits::{Budget, LimitReached, MAX_LIST};
use crate::map::Map;
use crate::number::{Fraction, Integer};
use crate::stack;

/// The answer to a program, or the error that it can run into.
pub(super) type Solved = Result<Answer, Error>;

/// Distributions found so far.
#[derive(Debug, Default)]
pub(super) struct Laws {
    numbers: Map<NodeId, Rc<Law>>,
    lists: Map<NodeId, Rc<ListLaw>>,
    pub(super) pools: Map<NodeId, Rc<[PoolId]>>,
}

/// The answer to a program, if it can be found by residual programs.
///
/// What lies beyond what is listed of a loop can weigh more in the answer than in the loop; then the loop is
/// listed further.
pub(in crate::engine) fn solve(program: &Program, budget: &Budget<'_>) -> Attempt<Solved> {
    let mut depth = Fraction::new(1.into(), 1_000.into());
    let little = Fraction::new(1.into(), 1_000.into());
    let mut before = None;
    for pass in 0.. {
        let mut scope = Scope::new(program, depth.clone(), budget);
        let solved = scope.solved()?;
        let Ok(answer) = &solved else {
            return Ok(solved);
        };
        let tail: Weight = answer.tails.iter().map(Tail::weight).sum();
        let missing = answer.probability(&(tail + &answer.unresolved));
        let is_deep = answer.outcomes.len() as u64 >= budget.limits().outcomes
            || missing <= budget.limits().tolerance;
        let is_long = answer.outcomes.len() > LONG && missing <= little;
        let is_last = is_deep || pass >= DEEPER && is_long || pass >= DEEPEST;
        // Where a deeper list resolved nothing, the rest lies elsewhere.
        let is_stuck = before.is_some_and(|before| pass >= DEEPER && before == missing);
        if is_last || is_stuck || !scope.is_cut.get() {
            return Ok(solved);
        }
        before = Some(missing);
        depth = &depth * &depth * &budget.limits().tolerance;
    }
    unreachable!("a pass is the last")
}

/// How often loops are listed further before a tail is left as it is; and how often while few outcomes are listed.
const DEEPER: usize = 2;
const DEEPEST: usize = 4;

/// So many outcomes are not few.
const LONG: usize = 250;

/// The answer that a number is.
fn answer(law: Law, budget: &Budget<'_>) -> Answer {
    let listed = law.listed.into_distribution();
    let Some(mut rest) = law.rest else {
        return Answer::exact(Outcomes::Numbers(listed), budget.states());
    };
    let most = usize::try_from(budget.limits().outcomes).unwrap_or(usize::MAX);
    let outcomes = Outcomes::Numbers(cut(listed, &mut rest, most));
    let mut answer = Answer::exact(outcomes, budget.states());
    if let Some((at, weight)) = rest.below {
        answer.tails.push(Tail::AtMost(at, weight));
    }
    if let Some((at, weight)) = rest.above {
        answer.tails.push(Tail::AtLeast(at, weight));
    }
    if !answer.tails.is_empty() {
        answer.method = Method::ExactWithTail;
    }
    answer.unresolved = rest.unresolved;
    answer.never_ends = rest.never;
    answer.moments = rest.moments.and_then(Moments::given_that_it_ends);
    answer
}

/// The distribution with so many outcomes at most: those beyond are in the tail, where it has one.
fn cut(listed: Distribution<Integer>, rest: &mut Rest, most: usize) -> Distribution<Integer> {
    let excess = listed.len().saturating_sub(most);
    let (low, high) = match (&rest.below, &rest.above) {
        (None, None) => (0, 0),
        (Some(_), None) => (excess, 0),
        (None, Some(_)) => (0, excess),
        (Some(_), Some(_)) => (excess / 2, excess - excess / 2),
    };
    if excess == 0 || low + high == 0 {
        return listed;
    }
    let kept = low..listed.len() - high;
    let mass = |places: Range<usize>| -> Weight { places.map(|index| listed.weight(index)).sum() };
    if let Some((at, weight)) = rest.below.as_mut().filter(|_| low > 0) {
        at.clone_from(&listed.outcomes()[kept.start - 1]);
        *weight += mass(0..kept.start);
    }
    if let Some((at, weight)) = rest.above.as_mut().filter(|_| high > 0) {
        at.clone_from(&listed.outcomes()[kept.end]);
        *weight += mass(kept.end..listed.len());
    }
    let outcomes = listed.iter().take(kept.end).skip(kept.start);
    let outcomes = outcomes.map(|(outcome, weight)| (outcome.clone(), weight.clone()));
    Distribution::new(outcomes, listed.total().clone())
}

fn certain_list(list: Vec<i64>) -> Distribution<Vec<i64>> {
    Distribution::new([(list, Weight::from(1_u32))], Weight::from(1_u32))
}

/// The distribution of two independent lists, one after the other.
fn joined(a: &ListLaw, b: &ListLaw, budget: &Budget<'_>) -> Attempt<ListLaw> {
    let (first, second) = (&a.listed, &b.listed);
    budget.count_states((first.len() as u64).saturating_mul(second.len() as u64))?;
    let mut weights: Map<Vec<i64>, Weight> = Map::default();
    for (x, weight) in first.iter() {
        for (y, other) in second.iter() {
            budget.check()?;
            let list = [x.as_slice(), y].concat();
            // Laws of lists are kept until all is done.
            budget.take_memory(96 + size_of_val(&*list) as u64)?;
            *weights.entry(list).or_default() += weight * other;
        }
    }
    let total = first.total() * second.total();
    let never = &total - (first.total() - &a.never) * (second.total() - &b.never);
    Ok(ListLaw {
        listed: Distribution::new(weights, total),
        never,
    })
}

/// What a residual program can be asked for: a number or a list.
pub(super) trait Valued: Sized {
    /// Its distribution.
    type Law: Clone;

    /// The distribution of a list as such a value.
    fn law(scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<Self::Law>>;

    /// The distribution of a list of at most one member.
    fn of_best(weights: Map<Option<i64>, Weight>, total: Weight) -> Self::Law;

    /// A mixture: each distribution as often as its weight says, of a total of which the rest is known less well.
    fn mixture(
        parts: &[(Weight, Rc<Self::Law>)],
        others: Others,
        budget: &Budget<'_>,
    ) -> Attempt<Self::Law>;

    /// The same, of a measure of which so much is missing, of this total, because it never ends.
    fn missing_never_ends(law: Self::Law, never: &Weight, total: &Weight) -> Self::Law;

    /// The distribution of what never comes to an end.
    fn never(budget: &Budget<'_>) -> Attempt<Self::Law> {
        let one = Weight::from(1_u32);
        let others = Others {
            never: one.clone(),
            ..Others::nothing(one)
        };
        Self::mixture(&[], others, budget)
    }
}

/// A list as the sum of its members.
impl Valued for i64 {
    type Law = Law;

    fn law(scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<Law>> {
        let sum = scope.fold(Folding::Sum, id)?;
        scope.law(sum)
    }

    fn of_best(weights: Map<Option<i64>, Weight>, total: Weight) -> Law {
        let sums = weights
            .into_iter()
            .map(|(best, weight)| (Integer::from(best.unwrap_or(0)), weight));
        Numbers::new(sums, total).into()
    }

    fn mixture(parts: &[(Weight, Rc<Law>)], others: Others, budget: &Budget<'_>) -> Attempt<Law> {
        Law::mixture(parts, others, budget)
    }

    fn missing_never_ends(law: Law, _: &Weight, _: &Weight) -> Law {
        // All else that is not listed has a place.
        law.missing_never_ends()
    }
}

impl Valued for Vec<i64> {
    type Law = ListLaw;

    fn law(scope: &mut Scope<'_>, id: NodeId) -> Attempt<Rc<ListLaw>> {
        scope.law_of_list(id)
    }

    fn of_best(weights: Map<Option<i64>, Weight>, total: Weight) -> ListLaw {
        let lists = weights
            .into_iter()
            .map(|(best, weight)| (best.into_iter().collect(), weight));
        Distribution::new(lists, total).into()
    }

    fn mixture(
        parts: &[(Weight, Rc<ListLaw>)],
        others: Others,
        budget: &Budget<'_>,
    ) -> Attempt<ListLaw> {
        let one = Weight::from(1_u32);
        let common = parts
            .iter()
            .fold(one, |common, (_, law)| lcm(&common, law.listed.total()));
        let mut weights: Map<Self, Weight> = Map::default();
        let mut never = others.never * &common;
        for (weight, law) in parts {
            let factor = weight * (&common / law.listed.total());
            never += &law.never * &factor;
            for (value, weight) in law.listed.iter() {
                budget.check()?;
                *weights.entry_ref(value).or_default() += weight * &factor;
            }
        }
        Ok(ListLaw {
            listed: Distribution::new(weights, others.total * common),
            never,
        })
    }

    fn missing_never_ends(law: ListLaw, never: &Weight, total: &Weight) -> ListLaw {
        ListLaw {
            never: law.never + never * (law.listed.total() / total),
            ..law
        }
    }
}

impl Scope<'_> {
    /// The answer to the program.
    fn solved(&mut self) -> Attempt<Solved> {
        let (program, budget) = (self.program, self.budget);
        let (root, order) = match program.arena().term(program.root()) {
            Term::Arrange(Arrangement::Sort, list) => (*list, Order::Ignored),
            _ if program.aim() != Aim::Value => (program.root(), Order::Ignored),
            _ => (program.root(), Order::Kept),
        };
        let node = match program.arena().term(root) {
            Term::Fold(Folding::Product, list, site) if program.aim() == Aim::Value => {
                match self.translate_product(*list)? {
                    Ok(node) => node,
                    Err(factors) => return self.long_product_answer(factors, *site),
                }
            }
            _ => self.translate(root, order, &mut Vec::new())?,
        };
        let waiting = match self.verdict()? {
            Ok(waiting) => waiting,
            Err((failure, probability)) => return Ok(Err(failure.into_error(probability))),
        };
        if let Aim::Share(place) = program.aim() {
            return self.share_answer(node, waiting, place);
        }
        let node = self.place_by_place(node)?;
        let bounds = self.bounds(node)?;
        if bounds.least == 1 && bounds.most == 1 {
            let number = self.number(node)?;
            let number = self.linear(0, &[(1, number), (1, waiting)])?;
            let law = self.law(number)?;
            self.laws = Laws::default();
            return Ok(Ok(answer(Rc::unwrap_or_clone(law), budget)));
        }
        if !is_infinite(bounds.most)
            && usize::try_from(bounds.most).is_ok_and(|most| most > MAX_LIST)
        {
            return Err(LimitReached::List.into());
        }
        let zero = self.constant(0);
        let waits = self.copies(waiting, zero)?;
        let node = self.sequence(order, vec![node, waits])?;
        let law = self.law_of_list(node)?;
        let lists = law.listed.iter().map(|(list, weight)| {
            let mut list: Vec<Integer> = list.iter().copied().map(Integer::from).collect();
            // A part that was selected by position keeps its order until here.
            if order == Order::Ignored {
                list.sort_unstable();
            }
            (list, weight.clone())
        });
        let total = law.listed.total();
        let outcomes = Outcomes::from_lists(Distribution::new(lists, total.clone()));
        Ok(Ok(Answer {
            unresolved: total - law.listed.mass() - &law.never,
            never_ends: law.never.clone(),
            ..Answer::exact(outcomes, budget.states())
        }))
    }

    /// The answer that a product is which nothing but the reader looks at, so that it may be of any length.
    fn long_product_answer(&mut self, factors: NodeId, site: SiteId) -> Attempt<Solved> {
        let unsupported = Stop::Unsupported(Reason::LongIntegers);
        let Ok(waiting) = self.verdict()? else {
            return Err(unsupported);
        };
        if self.as_constant(waiting) != Some(0) {
            return Err(unsupported);
        }
        match self.long_product(factors) {
            Ok(Some(law)) => Ok(Ok(answer(law, self.budget))),
            Ok(None) => Err(unsupported),
            // Known members, of which none makes the product 0 before or after: this is the error of the rule.
            Err(Stop::Unsupported(_))
                if let Some(members) = self.known_members(factors)
                    && members.iter().all(|&(member, _)| member != 0) =>
            {
                let failure = Failure {
                    span: self.arena.site_of(site).whole,
                    kind: ErrorKind::Overflow,
                };
                Ok(Err(failure.into_error(Fraction::from_integer(1.into()))))
            }
            Err(stop) => Err(stop),
        }
    }

    /// The distribution of a number, all pools hidden.
    pub(super) fn law(&mut self, id: NodeId) -> Attempt<Rc<Law>> {
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

    fn compute_law(&mut self, id: NodeId) -> Attempt<Rc<Law>> {
        let budget = self.budget;
        let law = match self.nodes.get(id).clone() {
            Node::Constant(value) => Numbers::certain(Integer::from(value)).into(),
            Node::Draw(pool) => {
                return Ok(Rc::clone(&self.pools.die_of(self.pools.get(pool).die).law));
            }
            Node::AtLeast(form, number) => match self.hits(form, Compare::AtLeast, number)? {
                Some(law) => law,
                None => self.law(form)?.at_least(&number.into(), budget)?,
            },
            Node::Equals(form, number) => match self.hits(form, Compare::Equal, number)? {
                Some(law) => law,
                None => self.law(form)?.equals(&number.into(), budget)?,
            },
            Node::Arithmetic(operator, a, b) if self.are_independent(&[a, b]) => {
                let _part = budget.part("independent numbers combined");
                let (a, b) = (self.law(a)?, self.law(b)?);
                a.combined(&b, operator, budget)?
            }
            Node::If(condition, a, b) if self.is_apart(condition, &[a, b]) => {
                self.mixed::<i64>(condition, a, b)?
            }
            node => match self.closed_form(id)? {
                Some(law) => law,
                None => match node {
                    Node::Linear(constant, atoms) => self.law_of_sum(id, constant, &atoms)?,
                    Node::Fold(Folding::Sum, list) => match self.as_best(list) {
                        Some((selection, list)) => self.best::<i64>(selection, list)?,
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
    fn as_best(&mut self, list: NodeId) -> Option<(Selection, NodeId)> {
        let pools = self.pools_of(list);
        let is_finite = |pool: &PoolId| {
            let known = self.pools.known(*pool);
            known.is_none_or(|known| self.pools.die_of(known.die).law.rest.is_none())
        };
        if !pools.iter().all(is_finite) || self.has_loop(list) {
            return None;
        }
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

    /// The best member of a list, of independent parts apart: the best of all is no better than some number if that of
    /// each part is not, so cumulative weights are multiplied.
    fn best<T: Valued>(&mut self, selection: Selection, list: NodeId) -> Attempt<T::Law> {
        let inner = match *self.nodes.get(list) {
            Node::Select(_, _, inner) => inner,
            _ => list,
        };
        let parts = match self.nodes.get(inner) {
            Node::Join(parts) => parts.to_vec(),
            _ => Vec::new(),
        };
        let groups = self.independent_groups(&parts);
        if groups.len() < 2 {
            return self.joint(list, &Best::<T>::new(selection));
        }
        let _part = self.budget.part("the best of independent parts");
        let one = self.constant(1);
        let mut bests = Vec::with_capacity(groups.len());
        for group in groups {
            let members: Vec<NodeId> = group.into_iter().map(|index| parts[index]).collect();
            let part = self.join(&members)?;
            let best = self.select(selection, one, part)?;
            let law = self.law_of_list(best)?;
            let best = law.complete()?.iter().map(|(list, weight)| {
                let rank = list.first().map(|&member| match selection {
                    Selection::Low => -member,
                    _ => member,
                });
                (rank, weight.clone())
            });
            bests.push(best.collect::<BTreeMap<Option<i64>, Weight>>());
        }
        let ranks: BTreeSet<Option<i64>> = bests.iter().flat_map(BTreeMap::keys).copied().collect();
        let mut passed = vec![Weight::ZERO; bests.len()];
        let mut weights = Map::default();
        let mut before = Weight::ZERO;
        for rank in ranks {
            self.budget.check()?;
            for (passed, best) in passed.iter_mut().zip(&bests) {
                if let Some(weight) = best.get(&rank) {
                    *passed += weight;
                }
            }
            let at_most: Weight = passed.iter().product();
            let member = match selection {
                Selection::Low => rank.map(|rank| -rank),
                _ => rank,
            };
            weights.insert(member, &at_most - before);
            before = at_most;
        }
        Ok(T::of_best(weights, before))
    }

    /// A sum: parts that share no pool apart, then convolved.
    fn law_of_sum(&mut self, id: NodeId, constant: i64, atoms: &[(i64, NodeId)]) -> Attempt<Law> {
        // k·X + c by the law of X: what is known of loops is known of what they add up to, not of its opposite.
        let factor = atoms.iter().fold(0, |factor, &(by, _)| by.gcd(&factor));
        let factor = factor * atoms.first().map_or(1, |&(by, _)| by.signum());
        if factor != 1 && atoms.len() > 1 {
            let atoms: Vec<_> = atoms
                .iter()
                .map(|&(by, atom)| (by / factor, atom))
                .collect();
            let reduced = self.linear(0, &atoms)?;
            let law = self.law(reduced)?.scaled(&factor.into())?;
            return law.shifted(&constant.into());
        }
        let groups =
            self.independent_groups(&atoms.iter().map(|&(_, atom)| atom).collect::<Vec<_>>());
        let _part = (groups.len() > 1).then(|| self.budget.part("a sum of independent parts"));
        let mut parts: Vec<Rc<Law>> = Vec::with_capacity(groups.len());
        let mut dice = Vec::new();
        for group in &groups {
            if groups.len() == 1 && group.len() > 1 && constant == 0 {
                parts.push(Rc::new(self.joint(id, &Sums)?));
                continue;
            }
            let (coefficient, part) = if let [only] = group[..] {
                atoms[only]
            } else {
                let parts: Vec<_> = group.iter().map(|&index| atoms[index]).collect();
                (1, self.linear(0, &parts)?)
            };
            match self.one_of_equal_dice(part)? {
                Some((die, count)) if groups.len() > 1 => {
                    dice.push((die.listed.scaled(&coefficient.into())?, count.into()));
                }
                _ if coefficient == 1 => parts.push(self.law(part)?),
                _ => parts.push(Rc::new(self.law(part)?.scaled(&coefficient.into())?)),
            }
        }
        // One recurrence for all dice, if that is best, rather than a power for each kind.
        if !dice.is_empty() {
            let sum = algebra::Pool::new(dice).sum(self.budget)?;
            parts.push(Rc::new(sum.into()));
        }
        let sum = Law::sum(&parts, self.budget)?;
        if constant == 0 {
            Ok(sum)
        } else {
            sum.shifted(&constant.into())
        }
    }

    fn mixed<T: Valued>(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> Attempt<T::Law> {
        let _part = self.budget.part("a condition apart from its branches");
        let condition = self.law(condition)?;
        let (yes, no) = (
            condition.listed.weight_of(&Integer::ONE),
            condition.listed.weight_of(&Integer::ZERO),
        );
        let never = condition.never();
        let undecided = condition.total() - &yes - &no - &never;
        let others = Others {
            vague: vec![Vague::anywhere(undecided)],
            never,
            total: condition.total().clone(),
        };
        let parts = [(yes, T::law(self, a)?), (no, T::law(self, b)?)];
        T::mixture(&parts, others, self.budget)
    }

    /// The distribution of a list, all pools hidden: sorted, or in the order of a chain.
    pub(super) fn law_of_list(&mut self, id: NodeId) -> Attempt<Rc<ListLaw>> {
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

    fn compute_law_of_list(&mut self, id: NodeId) -> Attempt<ListLaw> {
        if self.is_number(id) {
            let number = self.fold(Folding::Sum, id)?;
            let law = self.law(number)?;
            let numbers = law.listed.to_distribution();
            let lists = numbers.iter().map(|(value, weight)| {
                let value = value.to_i64();
                let value = value.ok_or(Stop::Unsupported(Reason::LongIntegers))?;
                Ok((vec![value], weight.clone()))
            });
            let lists = lists.collect::<Attempt<Vec<_>>>()?;
            return Ok(ListLaw {
                listed: Distribution::new(lists, numbers.total().clone()),
                never: law.never(),
            });
        }
        let budget = self.budget;
        match self.nodes.get(id).clone() {
            Node::Known(members) => {
                let list = members
                    .iter()
                    .flat_map(|&(value, count)| std::iter::repeat_n(value, count as usize));
                Ok(certain_list(list.collect()).into())
            }
            Node::Chain(parts) if self.are_independent(&parts) => {
                let _part = budget.part("independent lists, one after the other");
                let mut law = ListLaw::from(certain_list(Vec::new()));
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
                Some((selection, list)) => self.best::<Vec<i64>>(selection, list),
                None => self.joint(id, &Lists),
            },
        }
    }

    /// The distribution of a program whose parts depend on each other: closed parts are solved first, then
    /// single dice are revealed one after the other, then pools face by face.
    fn joint<A: Accumulator>(&mut self, id: NodeId, accumulator: &A) -> Attempt<LawOf<A>> {
        self.let_rival_try()?;
        let closed = self.closed_parts_solved(id, true)?;
        if closed != id {
            return Ok((*accumulator.law(self, closed)?).clone());
        }
        if let Some(apart) = self.dealt_apart(id)? {
            return Ok((*accumulator.law(self, apart)?).clone());
        }
        if let Some(condition) = self.undecided(id, Among::DiceAndLoops)? {
            return self.decided(id, condition, accumulator);
        }
        if self.has_loop(id) {
            match self.surely_over(id)? {
                None => return A::Value::never(self.budget),
                Some(rest) if rest != id => return Ok((*accumulator.law(self, rest)?).clone()),
                Some(_) => {}
            }
            if let Some(pool) = self.control_of_loops(id) {
                return self.revealed_at_once(id, pool, accumulator);
            }
            return accumulator.of_loops(self, id);
        }
        for rewrite in [Self::marked, Self::collected, Self::relabelled] {
            if let Some(rewritten) = rewrite(self, id)? {
                return Ok((*accumulator.law(self, rewritten)?).clone());
            }
        }
        if let Some(pool) = self.first_control(id) {
            return self.revealed_at_once(id, pool, accumulator);
        }
        let mut pools: Vec<PoolId> = self.revealable(id);
        self.add_rests_of_decks(id, &mut pools)?;
        // What waits for a die that never shows anything is never there.
        if pools.iter().any(|&pool| self.never_shows(pool)) {
            return A::Value::never(self.budget);
        }
        assert!(
            !pools.is_empty(),
            "a program that hides something has a pool to reveal"
        );
        self.reveal_by_faces(id, &pools, accumulator)
    }

    /// The program without waiting for loops that end with probability 1; none where one that it waits for never ends.
    fn surely_over(&mut self, root: NodeId) -> Attempt<Option<NodeId>> {
        let mut over = self.descending(root);
        over.retain(|&id| id != root && matches!(self.nodes.get(id), Node::Over(_)));
        let mut replaced = Vec::new();
        for id in over {
            let law = self.law(id)?;
            if law.never() == *law.total() {
                return Ok(None);
            }
            if law.never() == Weight::ZERO && law.listed.mass() == *law.total() {
                replaced.push((id, self.constant(0)));
            }
        }
        if replaced.is_empty() {
            return Ok(Some(root));
        }
        self.replaced(root, &replaced).map(Some)
    }

    /// A die that several loops depend on: once it is known, each of them is a part by itself.
    fn control_of_loops(&mut self, id: NodeId) -> Option<PoolId> {
        let pool = self.first_control(id)?;
        let mut loops = self.descending(id);
        loops.retain(|&id| matches!(self.nodes.get(id), Node::Loop(..)));
        loops.retain(|&id| self.pools_of(id).contains(&pool));
        (loops.len() > 1).then_some(pool)
    }

    /// Whether none of the dice of a pool ever comes to an end.
    pub(super) fn never_shows(&self, pool: PoolId) -> bool {
        let law = &self.pools.die_of(self.pools.get(pool).die).law;
        law.never() == *law.total()
    }

    /// The distribution of a program by revealing the only die of a pool.
    pub(super) fn revealed_at_once<A: Accumulator>(
        &mut self,
        id: NodeId,
        pool: PoolId,
        accumulator: &A,
    ) -> Attempt<LawOf<A>> {
        let _part = self
            .budget
            .part("one die revealed, and the rest for each of its faces");
        let die = self.pools.die_of(self.pools.get(pool).die);
        let (faces, beyond) = (Rc::clone(&die.faces), Rc::clone(&die.beyond));
        let mut others = Others {
            never: die.law.never(),
            ..Others::nothing(die.law.total().clone())
        };
        let mut parts = Vec::with_capacity(faces.len());
        for &(value, ref weight) in &*faces {
            self.budget.count_states(1)?;
            let shown = Shown {
                pool,
                value,
                dice: 1,
            };
            let rest = self.under(&mut Context::new(Vec::new(), vec![shown]), id)?;
            parts.push((weight.clone(), accumulator.law(self, rest)?));
        }
        for part in &*beyond {
            let hidden = Hidden {
                low: part.low,
                high: part.high,
                least: 1,
                most: 1,
            };
            let mut context = Context::new(vec![(pool, hidden)], Vec::new());
            let rest = self.under(&mut context, id)?;
            if self.pools_of(rest).contains(&pool) {
                // What waits for another die that may never show anything has no value between any bounds.
                others.vague.push(if self.waits_beside(rest, &[pool]) {
                    Vague::anywhere(part.weight.clone())
                } else {
                    let bounds = self.within(&mut context, |scope| scope.bounds(rest))?;
                    Vague::within(bounds, part.weight.clone())
                });
            } else {
                parts.push((part.weight.clone(), accumulator.law(self, rest)?));
            }
        }
        A::Value::mixture(&parts, others, self.budget)
    }
}
