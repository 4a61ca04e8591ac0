//! The operators of the core language on independent laws.

use crate::algebra::{Law, Mass, Numbers, Weight};
use crate::engine::program::{Bounds, arithmetic_bounds, value_or_zero};
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::Arithmetic;
use crate::limits::Budget;
use crate::number::Integer;

/// The law of `a operator b` for independent `a` and `b`. The value is 0 where the operator is not defined.
pub(in crate::engine) fn combined(
    operator: Arithmetic,
    a: &Law,
    b: &Law,
    budget: &Budget<'_>,
) -> Attempt<Law> {
    // A remainder has the sign of the number.
    let is_residue = match operator {
        Arithmetic::Modulo => true,
        Arithmetic::Remainder => a.least().is_some_and(|least| !least.is_negative()),
        _ => false,
    };
    if is_residue
        && let Some(modulus) = b.complete().and_then(Numbers::only)
        && let Some(residues) = a.residues(modulus, budget)?
    {
        return Ok(residues);
    }
    let ends = |x: &Mass, y: &Mass| {
        let bounds = arithmetic_bounds(operator, bounds_of(x)?, bounds_of(y)?)?;
        let mass = bounds.mass(Weight::ZERO);
        Attempt::Ok((mass.low, mass.high))
    };
    let value = |x: &Integer, y: &Integer| value_or_zero(operator, x, y);
    let mut law = a.combined(b, value, ends, budget)?;
    if let Some(unlisted) = &mut law.unlisted
        && operator == Arithmetic::Multiply
    {
        let moments = a.moments().zip(b.moments());
        unlisted.moments = moments.and_then(|(a, b)| a.product(&b));
    }
    Ok(law)
}

/// The ends of a mass as bounds.
fn bounds_of(mass: &Mass) -> Attempt<Bounds> {
    let end = |end: &Option<Integer>, none: i64| {
        end.as_ref()
            .map_or(Some(none), Integer::to_i64)
            .ok_or(Stop::Unsupported(Reason::LongIntegers))
    };
    Ok(Bounds::number(
        end(&mass.low, i64::MIN)?,
        end(&mass.high, i64::MAX)?,
    ))
}
