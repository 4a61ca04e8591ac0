//! Programs with choices, played: the optimal strategy.

use super::analyze::solved;
use super::evaluate::strategy::{Plan, plans};
use crate::error::Error;
use crate::ir::Program;
use crate::limits::{Budget, Limits, Observer};

/// The optimal strategy of a program: for each choice in the text what is best, in each situation. A program without
/// choices has none.
///
/// # Errors
///
/// A limit.
///
/// # Examples
///
/// ```
/// use dicedist::limits::{Limits, Unobserved};
/// use dicedist::{Rule, engine};
///
/// let program = Rule::bones("let x = d6 in best again in 0..1 do if again == 1 then d6 else x")?.into_program()?;
/// let plans = engine::strategy(&program, &Limits::default(), &Unobserved)?;
/// assert_eq!(&*plans[0].known[0].name, "x");
/// let again = plans[0].situations.iter().filter(|situation| situation.choice == [1.into()]);
/// assert_eq!(again.count(), 3);
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn strategy(
    program: &Program,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Vec<Plan>, Error> {
    Ok(plans(program, &Budget::start(limits, observer), solved)?)
}
