//! What a term can lead to, with exact weights, if its paths are few: for terms that are evaluated very often.
//!
//! The term is evaluated once for each way in which its dice can fall. Each evaluation takes the faces that a counter
//! shows, the last die first, as an odometer counts. So nothing is copied or merged on the way, and a path costs as much
//! as a roll. A term with more ways is given to the slow evaluator, which merges equal values.

use super::enumerate::result_of;
use super::sample::{Faces, NoValue, Roller, has_room_now};
use crate::algebra::weight::probability;
use crate::algebra::{Distribution, Weight};
use crate::engine::answer::{Answer, List, Outcomes, Route};
use crate::engine::failure::{Chance, Failure};
use crate::engine::reason::Reason;
use crate::error::Error;
use crate::ir::{Aim, Arena, Program, TermId};
use crate::limits::{Budget, LimitReached};
use crate::map::ValueMap;
use crate::number::Integer;
use num_integer::Integer as _;

/// What a path leads to.
pub(in crate::engine) type End = Result<List, Failure>;

/// The weights of what the paths of a term lead to, over a total.
#[derive(Debug)]
pub(in crate::engine) struct Paths {
    pub(in crate::engine) ends: Vec<(End, Weight)>,
    pub(in crate::engine) total: Weight,
}

/// The most paths that are taken one by one, and the most terms that are evaluated on all of them together.
const FEW: (usize, u64) = (1 << 8, 1 << 14);

/// The same for a whole program that nothing else can answer.
const MANY: (usize, u64) = (1 << 17, 1 << 25);

/// The most states of the slow evaluator.
const MOST_STATES: u64 = 1 << 12;

/// All paths of a term; the environment has the innermost variable last. `None` if they are many, or if one of them
/// never ends.
pub(in crate::engine) fn paths(
    arena: &Arena,
    term: TermId,
    environment: &mut Vec<List>,
    budget: &Budget<'_>,
) -> Result<Option<Paths>, LimitReached> {
    if let Some(few) = one_by_one(arena, term, environment, FEW, budget)? {
        return Ok(Some(few));
    }
    let result = budget.aside(MOST_STATES, || result_of(arena, term, environment, budget));
    let measure = match result {
        Err(LimitReached::States(_)) => return Ok(None),
        measure => measure?,
    };
    if measure.never_ends != Weight::ZERO || measure.unresolved != Weight::ZERO {
        return Ok(None);
    }
    let values = measure.values.into_iter();
    let failures = measure.failures.into_iter();
    let ends = values
        .map(|(list, weight)| (Ok(list), weight))
        .chain(failures.map(|(failure, weight)| (Err(failure), weight)));
    Ok(Some(Paths {
        ends: in_order(ends),
        total: measure.total,
    }))
}

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
    let (arena, root) = (program.arena(), program.root());
    let most_paths =
        usize::try_from(budget.limits().states).map_or(MANY.0, |states| MANY.0.min(states));
    let many = (most_paths, MANY.1);
    let Some(paths) = one_by_one(arena, root, &mut Vec::new(), many, budget)? else {
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
    arena: &Arena,
    term: TermId,
    environment: &mut Vec<List>,
    (most_paths, most_steps): (usize, u64),
    budget: &Budget<'_>,
) -> Result<Option<Paths>, LimitReached> {
    let watch = |bytes| has_room_now(bytes, budget);
    let mut roller = Roller::new(arena, Odometer::default(), most_steps, &watch);
    let mut counts: ValueMap<(End, u64), u64> = ValueMap::default();
    let depth = environment.len();
    for _ in 0..most_paths {
        roller.faces.begin();
        let end = match roller.evaluate(term, environment) {
            Ok(list) => Ok(list),
            Err(NoValue::Failure(failure)) => Err(failure),
            Err(NoValue::Steps) => {
                environment.truncate(depth);
                return Ok(None);
            }
            Err(NoValue::Limit(reached)) => return Err(reached),
        };
        environment.truncate(depth);
        let Some(ways) = roller.faces.ways() else {
            return Ok(None);
        };
        *counts.entry((end, ways)).or_default() += 1;
        if !roller.faces.advance() {
            return Ok(weighted(counts));
        }
    }
    Ok(None)
}

/// Ends with their weights, in an order that is the same on each run.
fn in_order(ends: impl Iterator<Item = (End, Weight)>) -> Vec<(End, Weight)> {
    let mut ends: Vec<(End, Weight)> = ends.collect();
    ends.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    ends
}

/// The weights of ends that were counted apart for each number of ways in which a path's dice can fall.
fn weighted(counts: ValueMap<(End, u64), u64>) -> Option<Paths> {
    let mut total = 1_u64;
    for &(_, ways) in counts.keys() {
        total = (total / total.gcd(&ways)).checked_mul(ways)?;
    }
    let mut ends: ValueMap<End, Weight> = ValueMap::default();
    for ((end, ways), count) in counts {
        *ends.entry(end).or_default() += Weight::from(total / ways) * count;
    }
    Some(Paths {
        ends: in_order(ends.into_iter()),
        total: total.into(),
    })
}

/// Dice that show each combination of faces once.
#[derive(Debug, Default)]
struct Odometer {
    /// For each die of this path the face that it shows, counted from 0, and its number of faces.
    dice: Vec<(u64, u64)>,
    /// How many dice have been rolled on this path.
    rolled: usize,
}

impl Odometer {
    fn begin(&mut self) {
        self.rolled = 0;
    }

    /// The number of ways in which the dice of this path can fall; `None` if it is too large.
    fn ways(&self) -> Option<u64> {
        let mut dice = self.dice.iter();
        dice.try_fold(1_u64, |ways, (_, faces)| ways.checked_mul(*faces))
    }

    /// Turns the last die that has another face to show. Returns whether there is one.
    fn advance(&mut self) -> bool {
        self.dice.truncate(self.rolled);
        while let Some((face, faces)) = self.dice.pop() {
            if face + 1 < faces {
                self.dice.push((face + 1, faces));
                return true;
            }
        }
        false
    }

    fn next(&mut self, faces: u64) -> u64 {
        if self.rolled == self.dice.len() {
            self.dice.push((0, faces));
        }
        let (face, _) = self.dice[self.rolled];
        self.rolled += 1;
        face
    }
}

impl Faces for Odometer {
    fn face(&mut self, sides: &Integer) -> Result<Integer, NoValue> {
        // More faces than steps are never all shown.
        let faces = sides.to_i64().and_then(|sides| u64::try_from(sides).ok());
        let face = self.next(faces.ok_or(NoValue::Steps)?);
        Ok(Integer::from(
            i64::try_from(face + 1).map_err(|_| NoValue::Steps)?,
        ))
    }

    fn place(&mut self, last: usize) -> Result<usize, NoValue> {
        let place = self.next(last as u64 + 1);
        usize::try_from(place).map_err(|_| NoValue::Steps)
    }
}
