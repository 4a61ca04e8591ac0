//! Loops with a state of several numbers.

use super::expression::{Condition, Expression, Number, Pool, State, pool, shared};
use super::term::Variable;
use crate::error::{Diagnostic, Error, ErrorKind};

/// The rounds of a loop with a state of `N` numbers. [`repeat_until`] makes it.
#[derive(Clone, Debug)]
pub struct Rounds<const N: usize> {
    /// The states one after the other, each of `N` members; the first one is the state before the first round.
    states: Pool,
}

/// Changes a state by one round after the other until a condition on it holds. The condition is asked before each round.
///
/// The state that a round makes is evaluated as a whole: all its numbers see the state before. What they have in common is
/// [shared](super::Number::share) around a [`State`]: `d(6).share(|x| State::from([a - &x, b - &x]))`.
///
/// # Examples
///
/// ```
/// use dicedist::dice::{d, repeat_until};
///
/// let fight = repeat_until(
///     [10, 8],
///     |[hero, orc]| hero.at_most(0) | orc.at_most(0),
///     |[hero, orc]| [hero - d(6), orc - d(8)],
/// );
/// let survives = fight.then(|[hero, _]| hero.more_than(0));
/// assert!(survives.solve()?.probability_of(true).to_f64() > 0.5);
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn repeat_until<const N: usize, S: Into<State<N>>>(
    first: [impl Into<Number>; N],
    until: impl FnOnce([Number; N]) -> Condition,
    round: impl FnOnce([Number; N]) -> S,
) -> Rounds<N> {
    let states = states(
        &pool(first),
        N,
        |numbers| until(array(numbers)),
        |numbers| Pool(round(array(numbers)).into().0),
    );
    Rounds { states }
}

/// The states of all rounds, one after the other, each of `length` members.
fn states(
    first: &Pool,
    length: usize,
    until: impl FnOnce(Vec<Number>) -> Condition,
    round: impl FnOnce(Vec<Number>) -> Pool,
) -> Pool {
    first.successors(|state| {
        named(&state, length, |numbers| {
            let next = round(numbers.clone());
            until(numbers).choose(Pool::empty(), next)
        })
    })
}

/// How many rounds there are.
fn rounds(states: &Pool, length: usize) -> Number {
    let members = states.count();
    let states = if length == 1 {
        members
    } else {
        members / length
    };
    states - 1
}

fn array<const N: usize>(numbers: Vec<Number>) -> [Number; N] {
    numbers.try_into().expect("each number has a name")
}

/// As [`Rounds`], with a state whose length is known only when the program runs.
#[derive(Clone, Debug)]
pub struct AnyRounds {
    states: Pool,
    length: usize,
}

/// As [`repeat_until`], with a state whose length is known only when the program runs.
///
/// # Errors
///
/// [`ErrorKind::Type`] if a state has no number, or if it is not certain that a round has as many numbers as the first state.
pub fn repeat_any_until(
    first: Vec<Number>,
    until: impl FnOnce(Vec<Number>) -> Condition,
    round: impl FnOnce(Vec<Number>) -> Pool,
) -> Result<AnyRounds, Error> {
    let length = first.len();
    let mut found = None;
    let states = states(&pool(first), length, until, |numbers| {
        let next = round(numbers);
        found = next.0.length();
        next
    });
    if length == 0 || found != Some(length) {
        let message = format!("each round makes the {length} numbers of the next state");
        let finding = Diagnostic::without_place(message);
        let help = "give the first state a number, and make as many numbers in each round";
        return Err(Error::new(ErrorKind::Type, finding.with_help(help)));
    }
    Ok(AnyRounds { states, length })
}

impl AnyRounds {
    /// How many rounds there are.
    #[must_use]
    pub fn count(&self) -> Number {
        rounds(&self.states, self.length)
    }

    /// What a closure makes of the last state.
    #[must_use]
    pub fn then<E: Expression>(&self, value: impl FnOnce(Vec<Number>) -> E) -> E {
        last(&self.states, self.length, value)
    }
}

impl<const N: usize> Rounds<N> {
    /// How many rounds there are. A number that each round increases by 1 says the same, and beside the last state; but then there are as
    /// many states for each number of rounds, and the loop is followed to a small rest only.
    #[must_use]
    pub fn count(&self) -> Number {
        rounds(&self.states, N)
    }

    /// What a closure makes of the last state.
    #[must_use]
    pub fn then<E: Expression>(&self, value: impl FnOnce([Number; N]) -> E) -> E {
        last(&self.states, N, |numbers| value(array(numbers)))
    }
}

impl<const N: usize> From<[Number; N]> for State<N> {
    fn from(numbers: [Number; N]) -> Self {
        Self(pool(numbers).0)
    }
}

/// What a closure makes of the last of some states.
fn last<E: Expression>(states: &Pool, length: usize, value: impl FnOnce(Vec<Number>) -> E) -> E {
    shared(states.last(length).0, |last| {
        named(&Pool(last), length, value)
    })
}

/// What a closure makes of the numbers of a state, each of which has a name.
fn named<E: Expression>(state: &Pool, length: usize, body: impl FnOnce(Vec<Number>) -> E) -> E {
    let variables: Vec<Variable> = (0..length).map(|_| Variable::new()).collect();
    let numbers = variables.iter();
    let numbers = numbers.map(|variable| Number(variable.term(Some(1))));
    let body = body(numbers.collect());
    let places = (0..length).rev().zip(variables.into_iter().rev());
    let term = places.fold(body.term().clone(), |body, (place, variable)| {
        let list = if place + 1 == length {
            state.clone()
        } else {
            state.first(place + 1)
        };
        let member = if place == 0 { list } else { list.last(1) };
        member.0.bound(variable, body)
    });
    body.with(term)
}
