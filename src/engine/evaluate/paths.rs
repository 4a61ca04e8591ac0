//! What a program can lead to, with exact weights, if its paths are few.
//!
//! The program is evaluated once for each way in which its dice can fall. Each evaluation takes the faces that a counter
//! shows, the last die first, as an odometer counts. So nothing is copied or merged on the way, and a path costs as much
//! as a roll, less what comes before the first die that shows another face. A part whose ends are known counts as one
//! die ([`listed`](super::listed)); if it is the last part of a path, all its ends are taken at once.

use super::enumerate::Evaluator;
use super::listed::{Listed, ListedTerms};
use super::measure::{PathEnd, in_order};
use super::walk::{Faces, NoValue, PathPart, Roller, has_room_now};
use crate::algebra::weight::probability;
use crate::algebra::{Distribution, Weight};
use crate::engine::answer::{Answer, Route};
use crate::engine::failure::Chance;
use crate::engine::outcomes::{List, Outcomes};
use crate::engine::reason::Reason;
use crate::error::Error;
use crate::ir::{Aim, Arena, Program, TermId};
use crate::limits::{Budget, LimitReached};
use crate::map::ValueMap;
use crate::number::Integer;
use num_integer::Integer as _;
use std::rc::Rc;

/// The weights of what the paths of a term lead to, over a total.
#[derive(Debug)]
struct Paths {
    ends: Vec<(PathEnd, Weight)>,
    total: Weight,
}

/// The most paths that are taken one by one.
const MOST_PATHS: usize = 1 << 17;

/// The most terms that are evaluated on all paths together.
const MOST_STEPS: u64 = 1 << 25;

/// The answer of a program whose paths are not very many, and no more than it may have states, by listing them one by
/// one. `None` if they are.
///
/// # Errors
///
/// The first reachable error in the text, with the probability that evaluation fails at all; or a limit.
pub(in crate::engine) fn answer_by_paths(
    program: &Program,
    budget: &Budget<'_>,
) -> Result<Option<Answer>, Error> {
    if program.aim() != Aim::Value {
        return Ok(None);
    }
    let states = usize::try_from(budget.limits().states);
    let most = states.map_or(MOST_PATHS, |states| MOST_PATHS.min(states));
    let mut terms = ListedTerms::of(program.arena());
    let odometer = Odometer::of(program.arena(), &mut terms, budget);
    let Some(paths) = one_by_one(odometer, program.root(), most)? else {
        return Ok(None);
    };
    let failures = paths.ends.iter().filter_map(|(end, weight)| {
        let failure = end.as_ref().err()?;
        Some((*failure, weight))
    });
    if let Some(first) = failures.clone().map(|(failure, _)| failure).min() {
        let failing: Weight = failures.map(|(_, weight)| weight).sum();
        let share = probability(&failing, &paths.total);
        return Err(first.into_error(Chance::of(share, true)));
    }
    let lists = paths.ends.into_iter();
    let lists = lists.filter_map(|(end, weight)| Some((end.ok()?, weight)));
    let outcomes = Outcomes::from_lists(Distribution::new(lists, paths.total));
    Ok(Some(Answer {
        route: Route::Enumerated(Reason::FewerPaths),
        ..Answer::exact(outcomes, budget.states())
    }))
}

/// All paths of a term, one by one. `None` if they are many.
fn one_by_one(
    odometer: Odometer<'_>,
    term: TermId,
    most_paths: usize,
) -> Result<Option<Paths>, LimitReached> {
    let (arena, budget) = (odometer.arena, odometer.budget);
    let watch = |bytes| has_room_now(bytes, budget);
    let choices = Evaluator::new(arena, budget, None);
    let mut roller = Roller::new(arena, odometer, MOST_STEPS, &watch, Some(&choices));
    let mut ends = PathEnds::default();
    let mut environment = Vec::new();
    let mut paths = 0;
    loop {
        roller.faces.begin();
        let last = last_part(&mut roller, term, &mut environment);
        environment.clear();
        let last = match last {
            Ok(last) => last,
            Err(NoValue::Failure(failure)) => Last::End(Err(failure)),
            Err(NoValue::Rejected | NoValue::Steps) => return Ok(None),
            Err(NoValue::Limit(reached)) => return Err(reached),
        };
        let Some((weight, total)) = roller.faces.weight() else {
            return Ok(None);
        };
        paths += match &last {
            Last::End(_) => 1,
            Last::Listed(listed) => listed.ends.len(),
        };
        if paths > most_paths {
            return Ok(None);
        }
        match last {
            Last::End(end) => {
                *ends.over(total).entry(end).or_default() += weight;
            }
            Last::Listed(listed) => {
                let Some(total) = total.checked_mul(listed.total) else {
                    return Ok(None);
                };
                let known = ends.over(total);
                for (end, share) in &listed.ends {
                    *known.entry(end.clone()).or_default() += weight * share;
                }
            }
        }
        if !roller.faces.advance() {
            return Ok(ends.over_one_total());
        }
    }
}

/// What is left of a path once only its last part is not evaluated.
enum Last {
    /// Nothing: the path has this end.
    End(PathEnd),
    /// A part whose ends are known, which is not rolled.
    Listed(Rc<Listed>),
}

/// Follows a path to its last part: from an `if` to one of its branches, and from a `let` to its body. A part whose ends
/// are not known is evaluated.
fn last_part(
    roller: &mut Roller<'_, Odometer<'_>>,
    mut term: TermId,
    environment: &mut Vec<List>,
) -> Result<Last, NoValue> {
    loop {
        if let Some(listed) = roller.faces.listed(term)? {
            return Ok(Last::Listed(listed));
        }
        term = match roller.branch(term, environment)? {
            Some(next) => next,
            None => return Ok(Last::End(Ok(roller.evaluate_term(term, environment)?))),
        };
    }
}

/// The ends of paths with their weights, grouped by the total of the path. All weights over one total add up to no more than the total.
#[derive(Default)]
struct PathEnds(Vec<(u64, ValueMap<PathEnd, u64>)>);

impl PathEnds {
    /// The ends of the paths with a total.
    fn over(&mut self, total: u64) -> &mut ValueMap<PathEnd, u64> {
        let place = self.0.iter().position(|(known, _)| *known == total);
        let place = place.unwrap_or_else(|| {
            self.0.push((total, ValueMap::default()));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }

    /// `None` if the common total is too large.
    fn over_one_total(mut self) -> Option<Paths> {
        let mut common = 1_u64;
        for &(total, _) in &self.0 {
            common = (common / common.gcd(&total)).checked_mul(total)?;
        }
        let (total, mut ends) = self.0.pop()?;
        for weight in ends.values_mut() {
            *weight *= common / total;
        }
        for (total, weights) in self.0 {
            for (end, weight) in weights {
                // All weights add up to no more than the common total.
                *ends.entry(end).or_default() += common / total * weight;
            }
        }
        let ends = ends.into_iter();
        Some(Paths {
            ends: in_order(ends.map(|(end, weight)| (end, Weight::from(weight)))),
            total: common.into(),
        })
    }
}

/// Dice that show each combination of faces once.
struct Odometer<'a> {
    arena: &'a Arena,
    terms: &'a mut ListedTerms,
    budget: &'a Budget<'a>,
    /// For each die of this path the face that it shows, counted from 0.
    dice: Vec<(u64, DieKind)>,
    /// How many dice have been rolled on this path.
    rolled: usize,
    /// The parts of this path in the order in which they begin, and those of the path before behind them.
    parts: Vec<Evaluated>,
    /// How many parts of this path have begun.
    begun: usize,
}

/// The most parts of a path that are kept, and the most members of the value of one.
const KEPT: (usize, usize) = (1 << 10, 1 << 4);

/// A part of a path. The parts within it stand behind it.
#[derive(Debug)]
struct Evaluated {
    /// How many dice were rolled before it.
    rolled_before: usize,
    /// Its value, and how many dice had been rolled and how many parts had begun when it was over.
    value: Option<(List, usize, usize)>,
}

/// A kind of die.
#[derive(Clone, Debug)]
enum DieKind {
    /// So many faces, each equally likely.
    Fair(u64),
    /// The ends of a term that is listed.
    Listed(Rc<Listed>),
}

impl DieKind {
    fn faces(&self) -> u64 {
        match self {
            Self::Fair(faces) => *faces,
            Self::Listed(listed) => listed.ends.len() as u64,
        }
    }
}

impl<'a> Odometer<'a> {
    fn of(arena: &'a Arena, terms: &'a mut ListedTerms, budget: &'a Budget<'a>) -> Self {
        Self {
            arena,
            terms,
            budget,
            dice: Vec::new(),
            rolled: 0,
            parts: Vec::new(),
            begun: 0,
        }
    }

    /// The ends of a term, if it stands for a die.
    fn listed(&mut self, term: TermId) -> Result<Option<Rc<Listed>>, LimitReached> {
        self.terms.look_up(self.arena, term, self.budget)
    }

    fn begin(&mut self) {
        self.rolled = 0;
        self.begun = 0;
    }

    /// The weight of this path and its total; `None` if the total is too large.
    fn weight(&self) -> Option<(u64, u64)> {
        let mut dice = self.dice.iter();
        dice.try_fold((1_u64, 1_u64), |(weight, total), (face, kind)| {
            let (share, of) = match kind {
                DieKind::Fair(faces) => (1, *faces),
                DieKind::Listed(listed) => (listed.end(*face).1, listed.total),
            };
            Some((weight.checked_mul(share)?, total.checked_mul(of)?))
        })
    }

    /// Turns the last die that has another face to show. Returns whether there is one.
    fn advance(&mut self) -> bool {
        self.dice.truncate(self.rolled);
        while let Some((face, kind)) = self.dice.pop() {
            if face + 1 < kind.faces() {
                self.forget_parts_after(self.dice.len());
                self.dice.push((face + 1, kind));
                return true;
            }
        }
        false
    }

    /// Forgets the parts that have seen a die, given how many dice were rolled before it.
    fn forget_parts_after(&mut self, rolled: usize) {
        let kept = self
            .parts
            .partition_point(|part| part.rolled_before <= rolled);
        self.parts.truncate(kept);
        for part in &mut self.parts {
            part.value
                .take_if(|(_, rolled_until, _)| *rolled_until > rolled);
        }
    }

    /// The face that the next die shows, counted from 0. The die is of the given kind, if this path is the first with it.
    fn next(&mut self, kind: impl FnOnce() -> DieKind) -> u64 {
        if self.rolled == self.dice.len() {
            self.dice.push((0, kind()));
        }
        let (face, _) = self.dice[self.rolled];
        self.rolled += 1;
        face
    }
}

impl Faces for Odometer<'_> {
    fn face(&mut self, sides: &Integer) -> Result<Integer, NoValue> {
        // More faces than steps are never all shown.
        let faces = sides.to_i64().and_then(|sides| u64::try_from(sides).ok());
        let faces = faces.ok_or(NoValue::Steps)?;
        let face = self.next(|| DieKind::Fair(faces));
        Ok(Integer::from(
            i64::try_from(face + 1).map_err(|_| NoValue::Steps)?,
        ))
    }

    fn place(&mut self, last: usize) -> Result<usize, NoValue> {
        let place = self.next(|| DieKind::Fair(last as u64 + 1));
        usize::try_from(place).map_err(|_| NoValue::Steps)
    }

    fn whole(&mut self, term: TermId) -> Option<Result<&List, NoValue>> {
        let listed = match self.listed(term) {
            Ok(listed) => listed?,
            Err(reached) => return Some(Err(reached.into())),
        };
        let face = self.next(|| DieKind::Listed(listed));
        let (_, DieKind::Listed(listed)) = &self.dice[self.rolled - 1] else {
            unreachable!("each path that begins alike goes on alike")
        };
        let (end, _) = listed.end(face);
        Some(end.as_ref().map_err(|failure| NoValue::Failure(*failure)))
    }

    fn begin_part(&mut self) -> PathPart<'_> {
        if self.begun == KEPT.0 {
            return PathPart::New(usize::MAX);
        }
        if self.begun == self.parts.len() {
            self.parts.push(Evaluated {
                rolled_before: self.rolled,
                value: None,
            });
        }
        let number = self.begun;
        if let Some((value, rolled, begun)) = &self.parts[number].value {
            (self.rolled, self.begun) = (*rolled, *begun);
            return PathPart::Known(value);
        }
        self.begun += 1;
        PathPart::New(number)
    }

    fn end_part(&mut self, part: usize, value: &[Integer]) {
        if let Some(kept) = self.parts.get_mut(part)
            && value.len() <= KEPT.1
        {
            kept.value = Some((value.to_vec(), self.rolled, self.begun));
        }
    }
}
