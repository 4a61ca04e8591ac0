//! Loops with a state of several numbers.

use super::expression::{Condition, Expression, Number, Pool, State, pool, shared};
use super::term::Variable;

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
    let first = pool(first);
    let states = first.successors(|state| {
        named(&state, |numbers| {
            let next: State<N> = round(numbers.clone()).into();
            until(numbers).choose(Pool::empty(), Pool(next.0))
        })
    });
    Rounds { states }
}

impl<const N: usize> Rounds<N> {
    /// How many rounds there are.
    #[must_use]
    pub fn count(&self) -> Number {
        let members = self.states.count();
        let states = if N == 1 { members } else { members / N };
        states - 1
    }

    /// What a closure makes of the last state.
    #[must_use]
    pub fn then<E: Expression>(&self, value: impl FnOnce([Number; N]) -> E) -> E {
        shared(self.states.last(N).0, |last| named(&Pool(last), value))
    }
}

impl<const N: usize> From<[Number; N]> for State<N> {
    fn from(numbers: [Number; N]) -> Self {
        Self(pool(numbers).0)
    }
}

/// What a closure makes of the numbers of a state, each of which has a name.
fn named<const N: usize, E: Expression>(state: &Pool, body: impl FnOnce([Number; N]) -> E) -> E {
    let variables: [Variable; N] = std::array::from_fn(|_| Variable::new());
    let body = body(variables.map(|variable| Number(variable.term(Some(1)))));
    let places = (0..N).rev().zip(variables.into_iter().rev());
    let term = places.fold(body.term().clone(), |body, (place, variable)| {
        let list = if place + 1 == N {
            state.clone()
        } else {
            state.first(place + 1)
        };
        let member = if place == 0 { list } else { list.last(1) };
        member.0.bound(variable, body)
    });
    body.with(term)
}
