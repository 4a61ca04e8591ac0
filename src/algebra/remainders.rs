//! The remainder of the sum of a chain's steps.
//!
//! The sum so far counts by its remainder alone. So each state with a remainder is a state of another chain, which has finitely
//! many states, too, and ends in one way for each remainder.

use super::{Chain, EndId, Numbers, StateId, Stop, Target};
use crate::limits::Budget;
use crate::number::Integer;

/// The most states of a chain with remainders.
const MOST_STATES: u64 = 4_096;

/// The distribution of the sum of the steps from a state on, modulo a positive number. Weight that is missing never ends or lies
/// elsewhere. `None` if there are too many states.
///
/// # Errors
///
/// [`Stop::Limit`].
pub(super) fn remainders(
    chain: &Chain,
    start: StateId,
    modulus: u64,
    budget: &Budget<'_>,
) -> Result<Option<Numbers>, Stop> {
    let states = (chain.states.len() as u64).saturating_mul(modulus);
    if states > MOST_STATES {
        return Ok(None);
    }
    budget.count_states(states)?;
    let mut with_remainders = Chain::new();
    // The states of a state, one for each remainder.
    let ids: Vec<Vec<StateId>> = (chain.states.iter())
        .map(|state| {
            let copies = (0..modulus).map(|_| with_remainders.add_state(state.total.clone()));
            copies.collect()
        })
        .collect();
    for (state, copies) in chain.states.iter().zip(&ids) {
        for (remainder, &from) in (0..modulus).zip(copies) {
            for step in &state.steps {
                let after = (remainder + step.add % modulus) % modulus;
                let after = usize::try_from(after).expect("less than the number of states");
                let to = match step.to {
                    Target::State(next) => Target::State(ids[next.index()][after]),
                    Target::End(_) => {
                        Target::End(EndId(u32::try_from(after).expect("few remainders")))
                    }
                };
                with_remainders.add_step(from, step.weight.clone(), 0, to);
            }
        }
    }
    let ends = with_remainders.ends(ids[start.index()][0], budget)?;
    let remainders = ends.weights.into_iter();
    let remainders = remainders.map(|(end, weight)| (Integer::from(i64::from(end.0)), weight));
    Ok(Some(Numbers::new(remainders, ends.total)))
}
