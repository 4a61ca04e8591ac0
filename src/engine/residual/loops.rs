//! Loops whose values are summed or counted: a finite chain, solved exactly.
//!
//! In `sum (while x = e do f)` the next value depends on the last one alone. So the values that the loop can have are
//! the states of a chain: a step goes from a value to the next with the weight that the distribution of the
//! body gives it, and adds what that value adds to the sum. Values after which the body is distributed alike are one
//! state: of `while x = 3#d6 do ((count ==6 x)#d6)` only the number of sixes matters. The empty list ends it.

use std::rc::Rc;

use super::node::NodeId;
use super::scope::Scope;
use super::solve::Solved;
use super::translate::Order;
use super::{Attempt, Stop};
use crate::algebra::{Chain, Distribution, EndId, Numbers, StateId, Target, Weight};
use crate::engine::answer::{Answer, Method, Moments, Outcomes, Tail};
use crate::ir::{Arrangement, Comparison, Folding, Program, Term, TermId};
use crate::limits::Budget;
use crate::map::Map;
use crate::number::{Fraction, Integer};

/// A loop that can have more different values than this is not solved as a chain.
const MOST_VALUES: usize = 20_000;

/// No more outcomes than this are listed of an infinite distribution.
const MOST_OUTCOMES: u64 = 10_000;

/// The distribution of the next value of a loop.
type Next = Rc<Distribution<Vec<i64>>>;

/// What a loop is asked for: the sum or the count of the members that pass comparisons with known numbers.
struct Question {
    folding: Folding,
    filters: Vec<(Comparison, Integer)>,
    first: TermId,
    body: TermId,
}

/// The answer to a sum or a count of a loop, if its values are few.
pub(in crate::engine) fn solve_loop(program: &Program, budget: &Budget<'_>) -> Attempt<Solved> {
    let question = Question::of(program).ok_or(Stop::Unsupported("a loop"))?;
    let mut scope = Scope::new(program.arena(), budget);
    let order = if scope.looks_at_order(question.body, 0, Order::Ignored) {
        Order::Kept
    } else {
        Order::Ignored
    };
    let first = scope.translate(question.first, order, &mut Vec::new())?;
    let first = scope.law_of_list(first)?.complete().cloned().map(Rc::new)?;
    let chain = Explorer {
        scope,
        order,
        question,
        chain: Chain::new(),
        states: Map::default(),
        open: Vec::new(),
    };
    let (chain, start) = chain.explore(first)?;
    answer(&chain, start, budget).map(Ok)
}

fn answer(chain: &Chain, start: StateId, budget: &Budget<'_>) -> Attempt<Answer> {
    let sums = chain.sums(start, &budget.limits().tolerance, MOST_OUTCOMES, budget)?;
    let listed = match sums.listed.into_iter().next() {
        Some((_, listed)) => listed,
        None => Numbers::impossible(sums.total.clone()),
    };
    let moments = chain.moments(start, 2, budget)?;
    let (ends, first, second) = (&moments[0], &moments[1], &moments[2]);
    let moments = (*ends != Fraction::default()).then(|| {
        let mean = first / ends;
        let variance = second / ends - &mean * &mean;
        Moments {
            mean: Some(mean),
            variance: Some(variance),
        }
    });
    let mut answer = Answer::exact(
        Outcomes::Numbers(listed.into_distribution()),
        budget.states(),
    );
    if sums.tail != Weight::ZERO {
        let from = Integer::from_big(sums.tail_from.into())?;
        answer.tails.push(Tail::AtLeast(from, sums.tail));
        answer.method = Method::ExactWithTail;
    }
    answer.never_ends = sums.never;
    answer.moments = moments;
    Ok(answer)
}

impl Question {
    /// The question that a program asks, if it is one.
    fn of(program: &Program) -> Option<Self> {
        let arena = program.arena();
        let mut id = program.root();
        if let Term::Arrange(Arrangement::Sort, inner) = arena.term(id) {
            id = *inner;
        }
        let Term::Fold(folding @ (Folding::Sum | Folding::Count), mut list, _) = *arena.term(id)
        else {
            return None;
        };
        let mut filters = Vec::new();
        loop {
            match arena.term(list) {
                Term::Filter(comparison, number, inner, _) => {
                    let Term::Integer(number) = arena.term(*number) else {
                        return None;
                    };
                    filters.push((*comparison, number.clone()));
                    list = *inner;
                }
                Term::While(first, body) => {
                    return Some(Self {
                        folding,
                        filters,
                        first: *first,
                        body: *body,
                    });
                }
                _ => return None,
            }
        }
    }

    /// What a value adds, if that is not negative.
    fn adds(&self, value: &[i64]) -> Option<u64> {
        let passing = value.iter().filter(|&&member| {
            let member = Integer::from(member);
            self.filters
                .iter()
                .all(|(comparison, number)| comparison.holds(&member, number))
        });
        match self.folding {
            Folding::Count => Some(passing.count() as u64),
            _ => passing
                .map(|&member| u64::try_from(member).ok())
                .try_fold(0, |sum: u64, member| sum.checked_add(member?)),
        }
    }
}

/// The chain of a loop as far as it is known.
struct Explorer<'a> {
    scope: Scope<'a>,
    order: Order,
    question: Question,
    chain: Chain,
    /// The state of each value that was met.
    states: Map<Vec<i64>, StateId>,
    /// States whose steps have not been added yet.
    open: Vec<(StateId, Next)>,
}

impl Explorer<'_> {
    fn explore(mut self, first: Next) -> Attempt<(Chain, StateId)> {
        let start = self.chain.add_state(first.total().clone());
        self.open.push((start, first));
        // States with the same distribution of the next value are one.
        let mut alike: Map<Vec<(Vec<i64>, Weight)>, StateId> = Map::default();
        while let Some((from, next)) = self.open.pop() {
            let mut steps: Map<(u64, Target), Weight> = Map::default();
            for (value, weight) in next.iter() {
                let adds = self
                    .question
                    .adds(value)
                    .ok_or(Stop::Unsupported("a loop that adds negative numbers"))?;
                let to = if value.is_empty() {
                    Target::End(EndId(0))
                } else {
                    Target::State(self.state(value, &mut alike)?)
                };
                *steps.entry((adds, to)).or_default() += weight;
            }
            let mut steps: Vec<_> = steps.into_iter().collect();
            steps.sort_unstable();
            for ((adds, to), weight) in steps {
                self.chain.add_step(from, weight, adds, to);
            }
        }
        Ok((self.chain, start))
    }

    fn state(
        &mut self,
        value: &[i64],
        alike: &mut Map<Vec<(Vec<i64>, Weight)>, StateId>,
    ) -> Attempt<StateId> {
        if let Some(&state) = self.states.get(value) {
            return Ok(state);
        }
        if self.states.len() >= MOST_VALUES {
            return Err(Stop::Unsupported("a loop with too many different values"));
        }
        self.scope.budget.count_states(1)?;
        let known = self.known(value)?;
        let next = self
            .scope
            .translate(self.question.body, self.order, &mut vec![known])?;
        let next = self.scope.law_of_list(next)?.complete().cloned().map(Rc::new)?;
        let key: Vec<(Vec<i64>, Weight)> = next
            .iter()
            .map(|(value, weight)| (value.clone(), weight.clone()))
            .collect();
        let state = if let Some(&state) = alike.get(&key) {
            state
        } else {
            let state = self.chain.add_state(next.total().clone());
            alike.insert(key, state);
            self.open.push((state, next));
            state
        };
        self.states.insert(value.to_vec(), state);
        Ok(state)
    }

    fn known(&mut self, value: &[i64]) -> Attempt<NodeId> {
        let members: Vec<NodeId> = value
            .iter()
            .map(|&member| self.scope.constant(member))
            .collect();
        match self.order {
            Order::Ignored => self.scope.join(&members),
            Order::Kept => self.scope.chain(members),
        }
    }
}
