//! Programs with choices, played: the optimal strategy.

use super::analyze::solved;
use super::evaluate::strategy::{Plan, decisions, plans};
use super::machine;
use super::program::{Depth, Store};
use super::solve::oracle::Floors;
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
    if !program.arena().has_choices() {
        return Ok(Vec::new());
    }
    let budget = Budget::start(limits, observer);
    // What is chosen does not depend on which rolls are left out after it.
    let without_rejections = program.rejects_at().map(|_| program.empty_where_rejected());
    let program = without_rejections.as_ref().unwrap_or(program);
    let mut store = Store::new(program, Depth::default(), &budget, &Floors);
    let decisions = match machine::decisions(&mut store, program.root())? {
        Some(decisions) => decisions,
        None => decisions(program, &budget, solved)?,
    };
    Ok(plans(program.arena(), decisions))
}
