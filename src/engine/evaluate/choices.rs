//! The choices of the slow evaluator: which candidate has the greatest mean, in each situation that a rule can reach.
//!
//! A choice looks at nothing but its list and the variables that its body mentions. So each situation is weighed once, and
//! each candidate, too, however many paths lead there: choices within candidates are a dynamic programme, from the last
//! choice to the first. For the same reason every term that contains a choice is evaluated once for all values of its free
//! variables.

use std::cell::RefCell;
use std::rc::Rc;
use std::slice;

use num_bigint::BigInt;

use super::measure::{Evaluated, Measure};
use crate::algebra::Weight;
use crate::engine::answer::List;
use crate::engine::failure::Failure;
use crate::engine::operate;
use crate::error::ErrorKind;
use crate::ir::{Arena, Candidates, ChoiceId, FreeVariables, Term, TermId};
use crate::limits::{Budget, LimitReached};
use crate::map::ValueMap;
use crate::number::{Fraction, Integer};

/// A term with the values of its free variables, the innermost first.
type Key = (TermId, Box<[List]>);

/// What a choice looks at: its term, its list, and the values of the other free variables of its body, the innermost first.
pub(super) type Situation = (TermId, List, Box<[List]>);

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
    /// The mean, if it was asked for.
    mean: Option<Result<Fraction, NoMean>>,
}

/// Why a candidate has no mean.
#[derive(Clone, Copy)]
enum NoMean {
    Fails(Failure),
    /// The error is at the body of the choice.
    Is(ErrorKind),
}

/// All that was found in the evaluation of one program.
pub(super) struct Choices<'a> {
    arena: &'a Arena,
    budget: &'a Budget<'a>,
    /// For each term, in the order of the arena, whether it contains a choice. Empty in an arena without choices.
    contain: Vec<bool>,
    found: RefCell<Found>,
}

#[derive(Default)]
struct Found {
    free: FreeVariables,
    results: ValueMap<Key, Kept>,
    decisions: ValueMap<Situation, Decision>,
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
    pub(super) fn new(arena: &'a Arena, budget: &'a Budget<'a>) -> Self {
        let mut contain = Vec::new();
        if arena.has_choices() {
            contain.reserve(arena.len());
            for term in arena.terms() {
                let mut contains = matches!(term, Term::Best(..));
                term.for_children(|child, _| contains |= contain[child.index()]);
                contain.push(contains);
            }
        }
        Self {
            arena,
            budget,
            contain,
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
    ) -> Result<(Key, Kept), LimitReached> {
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
        let free = found.free.of(self.arena, id).iter();
        let free = free.filter_map(|index| index.checked_sub(bound));
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
        let site = self.arena.choice_of(choice).site;
        let mut best: Option<Chosen> = None;
        let mut failure: Option<Failure> = None;
        for candidate in candidates_of(candidates, list, self.budget)? {
            environment.push(candidate.clone());
            let kept = self.kept(body, environment, anew);
            environment.pop();
            let (key, kept) = kept?;
            let mean = self.mean(key, &kept)?;
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
                        result: kept.result,
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

    /// The mean of a result that is kept.
    fn mean(&self, key: Key, kept: &Kept) -> Result<Result<Fraction, NoMean>, LimitReached> {
        if let Some(mean) = &kept.mean {
            return Ok(mean.clone());
        }
        let mean = mean(&kept.result, self.budget)?;
        let kept = Kept {
            result: Rc::clone(&kept.result),
            mean: Some(mean.clone()),
        };
        self.found.borrow_mut().results.insert(key, kept);
        Ok(mean)
    }

    fn hold(&self, found: &mut Found, bytes: u64) -> Result<(), LimitReached> {
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

impl Drop for Choices<'_> {
    fn drop(&mut self) {
        self.budget.give_memory(self.found.borrow().held);
    }
}

/// The candidates in their order.
fn candidates_of(
    candidates: Candidates,
    list: &List,
    budget: &Budget<'_>,
) -> Result<Vec<List>, LimitReached> {
    match candidates {
        Candidates::Members => {
            budget.count_states(list.len() as u64)?;
            budget.has_room_for_members::<[u64; 8]>(list.len())?;
            Ok(list.iter().map(|member| vec![member.clone()]).collect())
        }
        Candidates::Parts => parts(list, budget),
    }
}

/// The parts of a sorted list as a multiset: the longest first, and among those of equal length the one that sorts first.
fn parts(list: &List, budget: &Budget<'_>) -> Result<Vec<List>, LimitReached> {
    let groups = list.chunk_by(|a, b| a == b);
    let count = groups.clone().fold(1_u64, |count, group| {
        count.saturating_mul(group.len() as u64 + 1)
    });
    budget.count_states(count)?;
    let bytes = list.iter().map(Integer::bytes).sum::<u64>() + BYTES_OF_ENTRY;
    budget.has_room_for(count.saturating_mul(bytes))?;
    let mut parts = vec![List::new()];
    for group in groups {
        let shorter = std::mem::take(&mut parts);
        for part in shorter {
            for taken in 0..=group.len() {
                budget.check()?;
                parts.push([&part, &group[..taken]].concat());
            }
        }
    }
    parts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    Ok(parts)
}

/// The mean of a candidate's value, which must be a number; or why it has none.
fn mean(
    result: &Measure<List>,
    budget: &Budget<'_>,
) -> Result<Result<Fraction, NoMean>, LimitReached> {
    if let Some(&failure) = result.failures.keys().min() {
        return Ok(Err(NoMean::Fails(failure)));
    }
    if result.never_ends != Weight::ZERO {
        return Ok(Err(NoMean::Is(ErrorKind::Domain)));
    }
    let mut sum = BigInt::ZERO;
    for (value, weight) in &result.values {
        budget.check()?;
        let Some(number) = operate::number(value) else {
            return Ok(Err(NoMean::Is(ErrorKind::Type)));
        };
        sum += number.to_big() * BigInt::from(weight.clone());
    }
    if result.unresolved != Weight::ZERO {
        return Err(LimitReached::Mean);
    }
    Ok(Ok(Fraction::new(sum, result.total.clone().into())))
}
