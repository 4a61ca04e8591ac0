//! The choices of the slow evaluator: which candidate has the greatest mean, in each situation that a rule can reach.
//!
//! A choice looks at nothing but its list and the variables that its body mentions. So each situation is weighed once, and
//! each candidate, too, however many paths lead there: choices within candidates are a dynamic programme, from the last
//! choice to the first. For the same reason every term that contains a choice is evaluated once for all values of its free
//! variables.
//!
//! A choice needs exact means. The slow evaluator may follow a loop without coming to its end, so another one is asked about
//! loops first ([`Solver`]).

use std::cell::RefCell;
use std::rc::Rc;
use std::slice;

use num_bigint::BigInt;

use super::measure::{Evaluated, Measure};
use crate::algebra::Weight;
use crate::engine::answer::Answer;
use crate::engine::choice::candidates_of;
use crate::engine::failure::Failure;
use crate::engine::outcomes::List;
use crate::error::ErrorKind;
use crate::ir::{Arena, Candidates, Choice, ChoiceId, FreeVariables, Program, Term, TermId};
use crate::limits::{Budget, LimitReached};
use crate::map::ValueMap;
use crate::number::{Fraction, Integer};

/// A term with the values of its free variables, the innermost first.
type TermWithValues = (TermId, Box<[List]>);

/// What a choice looks at: its term, its list, and the values of the other free variables of its body, the innermost first.
pub(super) type Situation = (TermId, List, Box<[List]>);

/// A result that the solver has found.
pub(super) struct Solved {
    pub(super) result: Measure<List>,
    mean: Option<Fraction>,
}

impl Solved {
    fn of(answer: &Answer) -> Self {
        let mut result = Measure::zero(answer.total().clone());
        for (value, weight) in answer.outcomes().iter() {
            let list = value.numbers().unwrap_or_default().to_vec();
            result.values.insert(list, weight.clone());
        }
        result.never_ends = answer.never_ends();
        result.unresolved = answer.tail_weight() + answer.unresolved();
        let mean = answer.moments().and_then(|moments| moments.first);
        Self { result, mean }
    }
}

/// What is chosen in a situation, or why nothing can be chosen.
pub(super) type Decision = Result<Chosen, Failure>;

/// The best candidate with its result.
#[derive(Clone)]
pub(super) struct Chosen {
    pub(super) candidate: List,
    pub(super) mean: Fraction,
    pub(super) result: Rc<Measure<List>>,
}

/// A result that was found before.
#[derive(Clone)]
struct Kept {
    result: Rc<Measure<List>>,
    /// The mean, if it was asked for, and of which member of the value.
    mean: Option<(Option<usize>, Mean)>,
}

/// The mean of a candidate, or why it has none.
type Mean = Result<Fraction, NoMean>;

/// Why a candidate has no mean.
#[derive(Clone, Copy)]
enum NoMean {
    Fails(Failure),
    /// The error is at the body of the choice.
    Is(ErrorKind),
}

/// Answers a program in another way than by listing every path. `None` if it cannot, or if the program can fail.
pub(in crate::engine) type Solver =
    fn(&Program, &Budget<'_>) -> Result<Option<Answer>, LimitReached>;

/// All that was found in the evaluation of one program.
pub(super) struct Choices<'a> {
    arena: &'a Arena,
    budget: &'a Budget<'a>,
    /// For each term, in the order of the arena, whether it contains a choice. Empty in an arena without choices.
    contain: Vec<bool>,
    /// For each term, whether it contains a loop, but no choice. Empty in an arena without choices.
    loops: Vec<bool>,
    solver: Option<Solver>,
    found: RefCell<ChoiceMemory>,
}

#[derive(Default)]
struct ChoiceMemory {
    free: FreeVariables,
    results: ValueMap<TermWithValues, Kept>,
    decisions: ValueMap<Situation, Decision>,
    solved: ValueMap<TermWithValues, Option<Rc<Solved>>>,
    /// The bytes that are taken from the budget.
    held: u64,
}

/// About how many bytes an entry of a table or a value of a measure takes beside its members.
const BYTES_OF_ENTRY: u64 = 192;

fn bytes_of(lists: &[List]) -> u64 {
    let members = lists.iter().flatten().map(Integer::bytes);
    members.sum::<u64>() + BYTES_OF_ENTRY
}

/// Evaluates a term that has no result yet.
pub(super) type Anew<'e> = &'e dyn Fn(TermId, &mut Vec<List>) -> Evaluated<List>;

impl<'a> Choices<'a> {
    pub(super) fn new(arena: &'a Arena, budget: &'a Budget<'a>, solver: Option<Solver>) -> Self {
        let contain = parents(arena, |term| matches!(term, Term::Best(..)));
        let mut loops = parents(arena, |term| {
            matches!(term, Term::Play(..) | Term::While(..))
        });
        for (is_loop, contains) in loops.iter_mut().zip(&contain) {
            *is_loop &= !contains;
        }
        Self {
            arena,
            budget,
            contain,
            loops,
            solver,
            found: RefCell::default(),
        }
    }

    /// Whether the results of a term are kept. Those of a choice itself are kept by situation.
    pub(super) fn keep(&self, id: TermId) -> bool {
        self.contain.get(id.index()) == Some(&true)
            && !matches!(self.arena.term(id), Term::Best(..))
    }

    /// The result of a term in an environment, which has the innermost variable last: evaluated anew if it was not found
    /// before.
    pub(super) fn result(
        &self,
        id: TermId,
        environment: &mut Vec<List>,
        anew: Anew<'_>,
    ) -> Result<Rc<Measure<List>>, LimitReached> {
        Ok(self.kept(id, environment, anew)?.1.result)
    }

    fn kept(
        &self,
        id: TermId,
        environment: &mut Vec<List>,
        anew: Anew<'_>,
    ) -> Result<(TermWithValues, Kept), LimitReached> {
        let key = (id, self.values(id, 0, environment)?);
        if let Some(kept) = self.found.borrow().results.get(&key) {
            return Ok((key, kept.clone()));
        }
        let result = Rc::new(anew(id, environment)?);
        let kept = Kept { result, mean: None };
        let values = kept
            .result
            .values
            .keys()
            .map(|list| bytes_of(slice::from_ref(list)));
        let bytes = bytes_of(&key.1).saturating_add(values.sum());
        let mut found = self.found.borrow_mut();
        self.hold(&mut found, bytes)?;
        self.budget.has_room_for_more(&found.results, 1)?;
        found.results.insert(key.clone(), kept.clone());
        Ok((key, kept))
    }

    /// What the solver finds for a term with a loop and without choices. The solver is not asked about a loop itself, which has a value for
    /// each number of rounds; a term that takes only the end of a loop may have few values.
    pub(super) fn solved(
        &self,
        id: TermId,
        environment: &[List],
    ) -> Result<Option<Rc<Solved>>, LimitReached> {
        let is_asked = self.loops.get(id.index()) == Some(&true)
            && !matches!(self.arena.term(id), Term::While(..));
        let Some(solver) = self.solver.filter(|_| is_asked) else {
            return Ok(None);
        };
        let key = (id, self.values(id, 0, environment)?);
        if let Some(known) = self.found.borrow().solved.get(&key) {
            return Ok(known.clone());
        }
        let free = self.found.borrow_mut().free.of(self.arena, id);
        let variables = free.iter().copied().zip(key.1.iter().cloned());
        let program = Program::closed(self.arena, id, variables);
        let answer = solver(&program, self.budget)?;
        let solved = answer.map(|answer| Rc::new(Solved::of(&answer)));
        let mut found = self.found.borrow_mut();
        let values = solved.iter().flat_map(|solved| solved.result.values.keys());
        let bytes = values.map(|list| bytes_of(slice::from_ref(list)));
        self.hold(&mut found, bytes_of(&key.1).saturating_add(bytes.sum()))?;
        found.solved.insert(key, solved.clone());
        Ok(solved)
    }

    /// The values of the free variables of a term, without those of the `bound` innermost variables, which are not in the
    /// environment.
    fn values(
        &self,
        id: TermId,
        bound: u32,
        environment: &[List],
    ) -> Result<Box<[List]>, LimitReached> {
        self.budget.check()?;
        let mut found = self.found.borrow_mut();
        let free = found.free.of(self.arena, id);
        let free = free.iter().filter_map(|index| index.checked_sub(bound));
        let places = free.map(|index| environment.len() - 1 - index as usize);
        Ok(places.map(|place| environment[place].clone()).collect())
    }

    /// What a choice chooses from a list.
    pub(super) fn decide(
        &self,
        id: TermId,
        mut list: List,
        environment: &mut Vec<List>,
        anew: Anew<'_>,
    ) -> Result<Decision, LimitReached> {
        let &Term::Best(candidates, _, body, choice) = self.arena.term(id) else {
            unreachable!("only choices are decided")
        };
        if candidates == Candidates::Parts {
            list.sort();
        }
        let situation = (id, list, self.values(body, 1, environment)?);
        if let Some(decision) = self.found.borrow().decisions.get(&situation) {
            return Ok(decision.clone());
        }
        let decision = self.weigh(candidates, &situation.1, (body, choice), environment, anew)?;
        let mut found = self.found.borrow_mut();
        let bytes = bytes_of(&situation.2).saturating_add(bytes_of(slice::from_ref(&situation.1)));
        self.hold(&mut found, bytes.saturating_add(BYTES_OF_ENTRY))?;
        self.budget.has_room_for_more(&found.decisions, 1)?;
        found.decisions.insert(situation, decision.clone());
        Ok(decision)
    }

    /// The best of all candidates; the first failure in the text, if one can fail.
    fn weigh(
        &self,
        candidates: Candidates,
        list: &List,
        (body, choice): (TermId, ChoiceId),
        environment: &mut Vec<List>,
        anew: Anew<'_>,
    ) -> Result<Decision, LimitReached> {
        let choice = self.arena.choice_of(choice);
        let site = choice.site;
        let mut best: Option<Chosen> = None;
        let mut failure: Option<Failure> = None;
        let bytes = list.iter().map(Integer::bytes).sum();
        for candidate in candidates_of(candidates, list, bytes, self.budget)? {
            environment.push(candidate.clone());
            let weighed = self.weighed(body, choice, environment, anew);
            environment.pop();
            let (result, mean) = weighed?;
            match mean {
                Err(reason) => {
                    let other = match reason {
                        NoMean::Fails(failure) => failure,
                        NoMean::Is(kind) => Failure {
                            span: site.operands[1],
                            kind,
                        },
                    };
                    failure = Some(failure.map_or(other, |first| first.min(other)));
                }
                Ok(mean) if best.as_ref().is_none_or(|best| best.mean < mean) => {
                    best = Some(Chosen {
                        candidate,
                        mean,
                        result,
                    });
                }
                Ok(_) => {}
            }
        }
        let nothing = Failure {
            span: site.whole,
            kind: ErrorKind::Domain,
        };
        Ok(match failure {
            Some(failure) => Err(failure),
            None => best.ok_or(nothing),
        })
    }

    /// The result of a candidate, and its mean.
    fn weighed(
        &self,
        body: TermId,
        choice: &Choice,
        environment: &mut Vec<List>,
        anew: Anew<'_>,
    ) -> Result<(Rc<Measure<List>>, Mean), LimitReached> {
        let (key, Kept { result, mean }) = self.kept(body, environment, anew)?;
        if let Some((aim, mean)) = mean
            && aim == choice.aim
        {
            return Ok((result, mean));
        }
        let mut mean = mean_of(&result, choice, self.budget)?;
        if mean.is_ok() && result.unresolved != Weight::ZERO {
            let solved = self.solved(body, environment)?;
            let known = solved.and_then(|solved| solved.mean.clone());
            mean = Ok(known.ok_or(LimitReached::Mean)?);
        }
        let kept = Kept {
            result: Rc::clone(&result),
            mean: Some((choice.aim, mean.clone())),
        };
        self.found.borrow_mut().results.insert(key, kept);
        Ok((result, mean))
    }

    fn hold(&self, found: &mut ChoiceMemory, bytes: u64) -> Result<(), LimitReached> {
        self.budget.take_memory(bytes)?;
        found.held += bytes;
        Ok(())
    }

    /// All decisions so far, in an order that is the same on each run.
    pub(super) fn decisions(&self) -> Vec<(Situation, Decision)> {
        let found = self.found.borrow();
        let decisions = found.decisions.iter();
        let mut decisions: Vec<_> = decisions.map(|(a, b)| (a.clone(), b.clone())).collect();
        decisions.sort_by(|(a, _), (b, _)| a.cmp(b));
        decisions
    }
}

/// For each term, in the order of an arena with choices, whether it is of a kind, or contains a term of this kind.
fn parents(arena: &Arena, is_kind: impl Fn(&Term) -> bool) -> Vec<bool> {
    let mut all = Vec::new();
    if arena.has_choices() {
        all.reserve(arena.len());
        for term in arena.terms() {
            let mut contains = is_kind(term);
            // Choices in a play are left to the solver.
            if !matches!(term, Term::Play(..)) {
                term.for_children(|child, _| contains |= all[child.index()]);
            }
            all.push(contains);
        }
    }
    all
}

impl Drop for Choices<'_> {
    fn drop(&mut self) {
        self.budget.give_memory(self.found.borrow().held);
    }
}

/// The mean of what a choice aims at in a candidate's value, as far as it is resolved; or why it has none.
fn mean_of(
    result: &Measure<List>,
    choice: &Choice,
    budget: &Budget<'_>,
) -> Result<Mean, LimitReached> {
    if let Some(&failure) = result.failures.keys().min() {
        return Ok(Err(NoMean::Fails(failure)));
    }
    if result.never_ends != Weight::ZERO {
        return Ok(Err(NoMean::Is(ErrorKind::Domain)));
    }
    let mut sum = BigInt::ZERO;
    for (value, weight) in &result.values {
        budget.check()?;
        let Some(number) = choice.aimed_at(value) else {
            return Ok(Err(NoMean::Is(ErrorKind::Type)));
        };
        sum += number.to_big() * BigInt::from(weight.clone());
    }
    Ok(Ok(Fraction::new(sum, result.total.clone().into())))
}
