//! The slow, obvious evaluator: the page of [`crate::ir`] as code, over ordered lists.
//!
//! This evaluator is the judge of everything else in this room, so it has only one idea: a random result is a
//! `Measure`, the exact weight of every value and of every way to have no value. Equal values are merged. The cost is
//! the number of different lists that a rule can build, which is exponential in the number of dice.
//!
//! A `while` with few states is solved (`rounds`). Another one is unrolled until at most [`Limits::tolerance`] of its
//! probability is live, or with a solver a thousandth of that: an answer can have many loops. The live weight is then unresolved,
//! and never an outcome. A value from which no empty list and no error can be reached never ends. Such values are found if the
//! values that follow each other are few enough to search.

use super::asked::ListQuestion;
use super::choices::{Choices, Decision, Situation, Solver};
use super::measure::{Evaluated, Measure};
use crate::algebra::weight::probability;
use crate::algebra::{Distribution, Law, Weight};
use crate::engine::answer::{Answer, Route};
use crate::engine::failure::{self, Chance};
use crate::engine::given;
use crate::engine::operate;
use crate::engine::outcomes::{List, Outcomes};
use crate::engine::reason::Reason;
use crate::error::{Error, ErrorKind};
use crate::ir::{Aim, Arena, Arrangement, Faces, Program, Selection, Site, SiteId, Term, TermId};
use crate::limits::{Budget, LimitReached, Limits, MAX_LIST, Observer};
use crate::map::ValueMap;
use crate::number::num_bigint::BigInt;
use crate::number::{Fraction, Integer};
use crate::source::Span;
use crate::stack;

/// Evaluates a program by listing every result it can have.
///
/// # Errors
///
/// The first reachable error in the text, with the probability that evaluation fails at all; or a limit.
pub fn enumerate(
    program: &Program,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let budget = Budget::start(limits, observer);
    let evaluate = |program: &Program| enumerate_within(program, &budget, None);
    let answer = given::answer(program, &budget, &evaluate)?;
    Ok(answer.of_program(program))
}

/// As [`enumerate`](fn@enumerate), within a budget that is already in use. A solver finds what choices need to know of loops.
pub(in crate::engine) fn enumerate_within(
    program: &Program,
    budget: &Budget<'_>,
    solver: Option<Solver>,
) -> Result<Answer, Error> {
    let evaluator = Evaluator::new(program.arena(), budget, solver);
    let measure = evaluator.evaluate(program.root(), &mut Vec::new())?;
    if let Some(failure) = measure.failures.keys().min() {
        let failing: Weight = measure.failures.values().sum();
        let share = probability(&failing, &measure.total);
        let is_exact = measure.unresolved == Weight::ZERO;
        return Err(failure.into_error(Chance::of(share, is_exact)));
    }
    if let Aim::Share(place) = program.aim() {
        return shares(&measure, place, budget);
    }
    let outcomes = Outcomes::from_lists(Distribution::new(measure.values, measure.total));
    let law = Law::else_unresolved(outcomes, measure.never_ends);
    debug_assert_eq!(law.unresolved(), measure.unresolved);
    Ok(Answer {
        route: Route::Enumerated(Reason::AskedFor),
        ..Answer::new(law, budget.states())
    })
}

/// The result of a term in an environment, which has the innermost variable last.
pub(super) fn result_of(
    arena: &Arena,
    term: TermId,
    environment: &mut Vec<List>,
    budget: &Budget<'_>,
) -> Evaluated<List> {
    Evaluator::new(arena, budget, None).evaluate(term, environment)
}

/// The share of each value among the members, given that the roll ends.
fn shares(measure: &Measure<List>, place: Span, budget: &Budget<'_>) -> Result<Answer, Error> {
    if measure.unresolved != Weight::ZERO {
        return Err(failure::unresolved_shares(place));
    }
    let mut shares: ValueMap<Integer, Weight> = ValueMap::default();
    for (list, weight) in &measure.values {
        for member in list {
            *shares.entry_ref(member).or_default() += weight;
        }
    }
    let total: Weight = shares.values().sum();
    if total == Weight::ZERO {
        return Err(failure::no_shares(place));
    }
    let outcomes = Outcomes::Numbers(Distribution::new(shares, total));
    Ok(Answer {
        route: Route::Enumerated(Reason::AskedFor),
        ..Answer::exact(outcomes, budget.states())
    })
}

/// A copy of this many bytes takes longer than a look at the clock.
const MANY_BYTES: u64 = 1 << 12;

/// About how many bytes a value and its weight take in a measure, with what tables and allocators leave empty.
pub(super) const BYTES_OF_ENTRY: u64 = 192;

/// The bytes that the members of a list take.
pub(super) fn bytes_of_members(list: &List) -> u64 {
    list.iter().map(Integer::bytes).sum()
}

/// The mean of some sizes, rounded down.
pub(super) fn mean(sizes: impl Iterator<Item = u64>) -> u64 {
    let (mut count, mut sum) = (0, 0_u64);
    for size in sizes {
        count += 1;
        sum = sum.saturating_add(size);
    }
    sum.checked_div(count).unwrap_or(0)
}

/// The evaluation of terms of one arena.
pub(super) struct Evaluator<'a> {
    pub(super) arena: &'a Arena,
    pub(super) budget: &'a Budget<'a>,
    choices: Choices<'a>,
    /// The probability of a loop that may be live when it ends.
    pub(super) live: Fraction,
}

/// With a solver, each loop may leave the tolerance divided by this number unresolved.
const SHARE: u32 = 1_000;

impl<'a> Evaluator<'a> {
    pub(super) fn new(arena: &'a Arena, budget: &'a Budget<'a>, solver: Option<Solver>) -> Self {
        let share = if solver.is_some() { SHARE } else { 1 };
        Self {
            arena,
            budget,
            choices: Choices::new(arena, budget, solver),
            live: &budget.limits().tolerance / BigInt::from(share),
        }
    }

    /// The result of a term; the environment has the innermost variable last.
    pub(super) fn evaluate(&self, id: TermId, environment: &mut Vec<List>) -> Evaluated<List> {
        if !self.choices.keep(id) {
            return self.evaluate_anew(id, environment);
        }
        let anew = |id, environment: &mut Vec<List>| self.evaluate_anew(id, environment);
        Ok((*self.choices.result(id, environment, &anew)?).clone())
    }

    fn evaluate_anew(&self, id: TermId, environment: &mut Vec<List>) -> Evaluated<List> {
        if let Some(solved) = self.choices.solved(id, environment)? {
            return Ok(solved.result.clone());
        }
        stack::level(|| self.evaluate_term(id, environment))
    }

    /// All decisions so far.
    pub(super) fn decisions(&self) -> Vec<(Situation, Decision)> {
        self.choices.decisions()
    }

    /// What a choice chooses from a list.
    pub(super) fn decide(
        &self,
        id: TermId,
        list: List,
        environment: &mut Vec<List>,
    ) -> Result<Decision, LimitReached> {
        let anew = |id, environment: &mut Vec<List>| self.evaluate_anew(id, environment);
        self.choices.decide(id, list, environment, &anew)
    }

    fn evaluate_term(&self, id: TermId, environment: &mut Vec<List>) -> Evaluated<List> {
        let term = self.arena.term(id);
        match term {
            Term::Integer(value) => Ok(Measure::certain(vec![value.clone()])),
            Term::Variable(index) => {
                let value = &environment[environment.len() - 1 - *index as usize];
                self.has_room_for_lists([value])?;
                Ok(Measure::certain(value.clone()))
            }
            Term::Fail(kind, site) => Ok(Measure::failed(*kind, self.site(*site).whole)),
            // `given` answers programs that leave rolls out by others.
            Term::Reject(site) => Ok(Measure::failed(ErrorKind::Domain, self.site(*site).whole)),
            Term::Join(parts) => {
                let parts = self.operands(parts, environment)?;
                let joined = parts.and_then(self.budget, |values| {
                    self.has_room_for_lists(&values)?;
                    Ok(Measure::certain(values.concat()))
                })?;
                self.check_lengths(&joined)?;
                Ok(joined)
            }
            Term::Range(a, b, site) => {
                self.apply(&[*a, *b], *site, 2, environment, |numbers, _| {
                    let [a, b] = [0, 1].map(|index| number_of(&numbers[index]));
                    // The bytes of the list, and of its copy in the next step.
                    let length = operate::length_of_range(a, b)?;
                    self.budget.has_room_for_members::<[Integer; 2]>(length)?;
                    Ok(Ok(operate::range(a, b)?))
                })
            }
            Term::Negate(a, site) => self.apply(&[*a], *site, 1, environment, |numbers, _| {
                Ok(number_of(&numbers[0])
                    .neg()
                    .map(|value| vec![value])
                    .map_err(ErrorKind::from))
            }),
            Term::Arithmetic(operator, a, b, site) => {
                self.apply(&[*a, *b], *site, 2, environment, |numbers, _| {
                    let value = operate::arithmetic(
                        *operator,
                        number_of(&numbers[0]),
                        number_of(&numbers[1]),
                    );
                    Ok(value.map(|value| vec![value]))
                })
            }
            Term::Fold(folding, e, site) => self.apply(&[*e], *site, 0, environment, |lists, _| {
                Ok(operate::fold(*folding, &lists[0]).map(|value| vec![value]))
            }),
            Term::Select(selection, n, e, site) => {
                self.selected(*selection, [*n, *e], *site, environment)
            }
            Term::Filter(comparison, a, e, site) => {
                self.apply(&[*a, *e], *site, 1, environment, |lists, _| {
                    self.has_room_for_lists(&lists[1..])?;
                    Ok(Ok(operate::filter(
                        *comparison,
                        number_of(&lists[0]),
                        &lists[1],
                    )))
                })
            }
            Term::Difference(e, f, site) => {
                self.apply(&[*e, *f], *site, 0, environment, |lists, _| {
                    // The counts of what is removed, and what is left.
                    self.has_room_to_select(&lists[0])?;
                    self.has_room_to_select(&lists[1])?;
                    Ok(operate::difference(&lists[0], &lists[1]))
                })
            }
            Term::Without(e, f) => self.lists([*e, *f], environment, |[list, removed]| {
                operate::without(list, removed)
            }),
            Term::Compare(e, f) => {
                self.lists([*e, *f], environment, |[a, b]| vec![operate::compare(a, b)])
            }
            Term::Pick(faces) => self.pick(faces),
            Term::Arrange(arrangement, e) => self.arrange(*arrangement, *e, environment),
            Term::Die(n, site) => self.die(*n, *site, environment),
            Term::Repeat(n, e, site) => self.repeat(*n, *e, *site, environment),
            Term::If(c, e, f) => {
                let holds = self
                    .evaluate(*c, environment)?
                    .map(self.budget, |value| !value.is_empty())?;
                holds.and_then(self.budget, |holds| {
                    self.evaluate(if holds { *e } else { *f }, environment)
                })
            }
            Term::Let(e, f) => {
                let values = self.evaluate(*e, environment)?;
                values.and_then(self.budget, |value| {
                    self.evaluate_with(*f, value, environment)
                })
            }
            Term::Best(_, e, ..) => {
                let lists = self.evaluate(*e, environment)?;
                lists.and_then(self.budget, |list| self.best(id, list, environment))
            }
            Term::Foreach(e, f) => self.foreach(*e, *f, environment),
            Term::Play(e, f, g) => self.unplayed(*e, *f, *g, environment),
            Term::While(e, f) => self.rounds(*e, *f, &ListQuestion::Whole, environment),
        }
    }

    fn site(&self, id: SiteId) -> &Site {
        self.arena.site_of(id)
    }

    fn best(&self, id: TermId, list: List, environment: &mut Vec<List>) -> Evaluated<List> {
        Ok(match self.decide(id, list, environment)? {
            Ok(chosen) => (*chosen.result).clone(),
            Err(failure) => Measure::failed(failure.kind, failure.span),
        })
    }

    pub(super) fn evaluate_with(
        &self,
        body: TermId,
        value: List,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        self.with_value(body, value, environment, Self::evaluate)
    }

    /// The result of an evaluation with a value for the variable of a body.
    pub(super) fn with_value(
        &self,
        body: TermId,
        value: List,
        environment: &mut Vec<List>,
        evaluate: impl Fn(&Self, TermId, &mut Vec<List>) -> Evaluated<List>,
    ) -> Evaluated<List> {
        environment.push(value);
        let result = evaluate(self, body, environment);
        environment.pop();
        result
    }

    /// The values of independent operands, left to right.
    fn operands(&self, ids: &[TermId], environment: &mut Vec<List>) -> Evaluated<Vec<List>> {
        let mut values = Measure::certain(Vec::new());
        for &id in ids {
            let operand = self.evaluate(id, environment)?;
            let of_each = values.values.keys();
            let bytes = mean(of_each.map(|lists| lists.iter().map(bytes_of_members).sum()))
                + mean(operand.values.keys().map(bytes_of_members));
            self.has_room_for_pairs(&values, &operand, bytes)?;
            values = self.product(values, &operand, |values: &Vec<List>, value| {
                self.has_room_for_lists(values.iter().chain([value]))?;
                let mut values = values.clone();
                values.push(value.clone());
                Ok(values)
            })?;
        }
        Ok(values)
    }

    /// Two independent results combined, the left one evaluated first.
    pub(super) fn product<A, B, C>(
        &self,
        left: Measure<A>,
        right: &Measure<B>,
        combine: impl Fn(&A, &B) -> Result<C, LimitReached>,
    ) -> Evaluated<C>
    where
        A: Eq + std::hash::Hash,
        B: Eq + std::hash::Hash,
        C: Eq + std::hash::Hash,
    {
        left.and_then(self.budget, |a| {
            let mut branch = Measure::zero(right.total.clone());
            for (b, weight) in &right.values {
                self.budget.check()?;
                *branch.values.entry(combine(&a, b)?).or_default() += weight;
            }
            branch.failures.clone_from(&right.failures);
            branch.never_ends.clone_from(&right.never_ends);
            branch.unresolved.clone_from(&right.unresolved);
            Ok(branch)
        })
    }

    /// Evaluates operands, checks that the first `numbers` of them are numbers, and applies an operator.
    fn apply<F>(
        &self,
        ids: &[TermId],
        site: SiteId,
        numbers: usize,
        environment: &mut Vec<List>,
        mut operator: F,
    ) -> Evaluated<List>
    where
        F: FnMut(&[List], &Site) -> Result<Result<List, ErrorKind>, LimitReached>,
    {
        let site = self.site(site);
        self.operands(ids, environment)?
            .and_then(self.budget, |values| {
                for (value, span) in values[..numbers].iter().zip(site.operands) {
                    if operate::number(value).is_none() {
                        return Ok(Measure::failed(ErrorKind::Type, span));
                    }
                }
                Ok(match operator(&values, site)? {
                    Ok(value) => Measure::certain(value),
                    Err(ErrorKind::Type) => Measure::failed(ErrorKind::Type, site.operands[0]),
                    Err(kind) => Measure::failed(kind, site.whole),
                })
            })
    }

    fn selected(
        &self,
        selection: Selection,
        [n, e]: [TermId; 2],
        site: SiteId,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        if let Term::Integer(count) = self.arena.term(n)
            && selection.keeps()
            && !count.is_negative()
            && let Some(selected) =
                self.asked(e, &ListQuestion::Selected(selection, count), environment)?
        {
            return Ok(selected);
        }
        self.apply(&[n, e], site, 1, environment, |lists, _| {
            self.has_room_to_select(&lists[1])?;
            Ok(operate::select(selection, number_of(&lists[0]), &lists[1]))
        })
    }

    fn arrange(
        &self,
        arrangement: Arrangement,
        e: TermId,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        let values = self.evaluate(e, environment)?;
        match arrangement {
            Arrangement::Distinct => values.map(self.budget, |value| operate::distinct(&value)),
            Arrangement::Reverse => values.map(self.budget, |mut value| {
                value.reverse();
                value
            }),
            Arrangement::Shuffle => values.and_then(self.budget, |value| self.shuffle(value)),
            Arrangement::Sort => values.map(self.budget, |mut value| {
                value.sort();
                value
            }),
        }
    }

    /// Draws the members one after the other, each uniformly from those left.
    fn shuffle(&self, mut list: List) -> Evaluated<List> {
        list.sort();
        let length = list.len();
        let mut drawn = Measure::certain((List::new(), list));
        for _ in 0..length {
            drawn = drawn.and_then(self.budget, |(prefix, rest)| {
                let mut next = Measure::zero(Weight::from(rest.len()));
                for index in 0..rest.len() {
                    self.has_room_for_lists([&prefix, &rest])?;
                    let (mut prefix, mut rest) = (prefix.clone(), rest.clone());
                    prefix.push(rest.remove(index));
                    *next.values.entry((prefix, rest)).or_default() += 1_u32;
                }
                Ok(next)
            })?;
        }
        drawn.map(self.budget, |(list, _)| list)
    }

    /// An operator on two lists that cannot fail.
    fn lists(
        &self,
        ids: [TermId; 2],
        environment: &mut Vec<List>,
        operator: impl Fn([&[Integer]; 2]) -> List,
    ) -> Evaluated<List> {
        self.operands(&ids, environment)?
            .and_then(self.budget, |values| {
                let [a, b] = [&values[0], &values[1]];
                self.has_room_to_select(a)?;
                self.has_room_to_select(b)?;
                Ok(Measure::certain(operator([a, b])))
            })
    }

    fn pick(&self, faces: &Faces) -> Evaluated<List> {
        let weighted = faces.weighted();
        self.budget.count_states(weighted.len() as u64)?;
        self.budget
            .has_room_for_members::<[u64; 16]>(weighted.len())?;
        let weight = |weight: &Integer| weight.to_big().into_parts().1;
        let total: Weight = weighted.iter().map(|(_, of)| weight(of)).sum();
        let mut measure = Measure::zero(total);
        let faces = weighted.iter();
        let faces = faces.map(|(face, of)| (vec![face.clone()], weight(of)));
        measure.values.extend(faces);
        Ok(measure)
    }

    fn die(&self, n: TermId, site: SiteId, environment: &mut Vec<List>) -> Evaluated<List> {
        let site = self.site(site);
        self.evaluate(n, environment)?
            .and_then(self.budget, |sides| {
                let Some(sides) = operate::number(&sides) else {
                    return Ok(Measure::failed(ErrorKind::Type, site.operands[0]));
                };
                if *sides < Integer::ONE {
                    return Ok(Measure::failed(ErrorKind::BadDie, site.whole));
                }
                let faces = sides.to_i64().and_then(|sides| u64::try_from(sides).ok());
                self.budget.count_states(faces.unwrap_or(u64::MAX))?;
                let length = operate::length_of_range(&Integer::ONE, sides)?;
                self.budget.has_room_for_members::<[u64; 16]>(length)?;
                let faces = operate::range(&Integer::ONE, sides)?;
                let mut measure = Measure::zero(Weight::from(faces.len()));
                measure.values.extend(
                    faces
                        .into_iter()
                        .map(|face| (vec![face], Weight::from(1_u32))),
                );
                Ok(measure)
            })
    }

    fn repeat(
        &self,
        n: TermId,
        e: TermId,
        site: SiteId,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        let site = self.site(site);
        let mut body = None;
        self.evaluate(n, environment)?.and_then(self.budget, |n| {
            let Some(n) = operate::number(&n) else {
                return Ok(Measure::failed(ErrorKind::Type, site.operands[0]));
            };
            let Ok(n) = operate::count(n) else {
                return Ok(Measure::failed(ErrorKind::NegativeCount, site.whole));
            };
            let mut joined = Measure::certain(List::new());
            for _ in 0..n {
                let body = match &body {
                    Some(body) => body,
                    None => body.insert(self.evaluate(e, environment)?),
                };
                // Copies of the empty list are empty, however many.
                if body.is_certainly_empty() {
                    break;
                }
                joined = self.concatenated(joined, body)?;
            }
            Ok(joined)
        })
    }

    fn foreach(&self, e: TermId, body: TermId, environment: &mut Vec<List>) -> Evaluated<List> {
        let lists = self.evaluate(e, environment)?;
        lists.and_then(self.budget, |list| self.images(list, body, environment))
    }

    /// The body for each member of a list.
    pub(super) fn images(
        &self,
        list: List,
        body: TermId,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        let mut joined = Measure::certain(List::new());
        for member in list {
            let image = self.evaluate_with(body, vec![member], environment)?;
            joined = self.concatenated(joined, &image)?;
        }
        Ok(joined)
    }

    fn concatenated(&self, joined: Measure<List>, more: &Measure<List>) -> Evaluated<List> {
        let bytes = mean(joined.values.keys().map(bytes_of_members))
            + mean(more.values.keys().map(bytes_of_members));
        self.has_room_for_pairs(&joined, more, bytes)?;
        let joined = self.product(joined, more, |joined, more| {
            self.has_room_for_lists([joined, more])?;
            Ok([joined.as_slice(), more].concat())
        })?;
        self.check_lengths(&joined)?;
        Ok(joined)
    }

    /// Fails where there is no room for all pairs of two results, each with members of so many bytes. No more pairs count than
    /// states are left.
    fn has_room_for_pairs<A, B>(
        &self,
        left: &Measure<A>,
        right: &Measure<B>,
        bytes: u64,
    ) -> Result<(), LimitReached> {
        let pairs = (left.values.len() as u64).saturating_mul(right.values.len() as u64);
        let pairs = pairs.min(self.budget.states_left().saturating_add(1));
        let each = bytes.saturating_add(BYTES_OF_ENTRY);
        self.budget.has_room_for(pairs.saturating_mul(each))
    }

    /// Fails where there is no room for copies of all these lists.
    pub(super) fn has_room_for_lists<'l>(
        &self,
        lists: impl IntoIterator<Item = &'l List>,
    ) -> Result<(), LimitReached> {
        let bytes = lists.into_iter().flatten().map(Integer::bytes).sum();
        if bytes > MANY_BYTES {
            return self.budget.has_room_for(bytes);
        }
        self.budget.check()
    }

    /// Fails where there is no room for a selection from a list, and for the order that it is made by.
    fn has_room_to_select(&self, list: &List) -> Result<(), LimitReached> {
        self.budget.has_room_for_members::<usize>(list.len())?;
        self.has_room_for_lists([list])
    }

    fn check_lengths(&self, lists: &Measure<List>) -> Result<(), LimitReached> {
        let longest = lists.values.keys().map(Vec::len).max().unwrap_or(0);
        if longest > MAX_LIST {
            return Err(LimitReached::List);
        }
        let bytes_of = |list| bytes_of_members(list) + BYTES_OF_ENTRY;
        let limit = self.budget.limits().memory;
        if lists.values.keys().map(bytes_of).sum::<u64>() > limit {
            return Err(LimitReached::Memory(limit));
        }
        self.budget.check()
    }
}

fn number_of(list: &List) -> &Integer {
    &list[0]
}
